/** Start and end of every thread's life: all wait until all are up, and the main thread can see who has left. */
import { fail } from "./failure";
import { futexWait } from "./host";
import { CALL_FUTEX_WAIT, Control, ThreadData } from "./layout";

const EINTR: i32 = 4;
const EAGAIN: i32 = 11;

/** Reports this thread as up and waits until the clock starts. */
export function arrive(td: ThreadData, tid: u32): void {
  const control = changetype<usize>(td.control);
  const gate = control + offsetof<Control>("gate");
  td.tid = tid;
  atomic.add<u32>(control + offsetof<Control>("ready"), 1);
  while (atomic.load<u32>(gate) == 0) {
    const error = futexWait(gate, 0);
    if (error != 0 && error != EAGAIN && error != EINTR) {
      fail(td, CALL_FUTEX_WAIT, error);
      return;
    }
  }
}

/** Reports this thread as gone: it touches shared memory no more. */
export function leave(td: ThreadData): void {
  atomic.add<u32>(changetype<usize>(td.control) + offsetof<Control>("exited"), 1);
}
