/** Start and end of every thread's life: all wait until all are up, and at the end until all have been read. */
import { fail } from "./failure";
import { futexWait } from "./host";
import { CALL_FUTEX_WAIT, Control, ThreadData } from "./layout";

const EINTR: i32 = 4;
const EAGAIN: i32 = 11;

/** Reports this thread as up and waits until the clock starts. */
export function arrive(td: ThreadData, tid: u32): void {
  const control = changetype<usize>(td.control);
  td.tid = tid;
  atomic.add<u32>(control + offsetof<Control>("ready"), 1);
  wait_at(td, control + offsetof<Control>("gate"));
}

/**
 * Reports this thread as done, and waits at the exit until the main thread has read what the kernel knows of it: that is
 * gone with the thread, and reading it while a thousand of them still run would take seconds.
 */
export function leave(td: ThreadData): void {
  const control = changetype<usize>(td.control);
  atomic.add<u32>(control + offsetof<Control>("exited"), 1);
  wait_at(td, control + offsetof<Control>("exitGate"));
}

function wait_at(td: ThreadData, gate: usize): void {
  while (atomic.load<u32>(gate) == 0) {
    const error = futexWait(gate, 0);
    if (error != 0 && error != EAGAIN && error != EINTR) {
      fail(td, CALL_FUTEX_WAIT, error);
      return;
    }
  }
}
