/** How a thread that cannot go on ends the run: the first failure is kept, the main thread reads it. */
import { CALL_AFFINITY, CALL_TRAP, Control, ThreadData } from "./layout";

/** Records a failed host call and tells everybody to stop. */
export function fail(td: ThreadData, call: u32, code: i32): void {
  const control = changetype<usize>(td.control);
  // The thread id claims the place; the call is written last, since the reader takes it for the sign that all is there.
  if (atomic.cmpxchg<u32>(control + offsetof<Control>("errorTid"), 0, td.tid) == 0) {
    td.control.errorCode = <u32>code;
    atomic.store<u32>(control + offsetof<Control>("errorCall"), call);
  }
  atomic.store<u32>(control + offsetof<Control>("stopping"), 1);
}

/** Whether the run is over for this thread. */
export function stopping(td: ThreadData): bool {
  return atomic.load<u32>(changetype<usize>(td.control) + offsetof<Control>("stopping")) != 0;
}

/** Records a trap; called by a host, whose thread then ends without the way to the exit, on which others wait for it. */
export function record_trap(td: ThreadData, code: u32): void {
  fail(td, CALL_TRAP, code);
  atomic.add<u32>(changetype<usize>(td.control) + offsetof<Control>("exited"), 1);
}

/** Records that a host could not set a thread's CPUs; the thread goes on and meets the stop. */
export function record_affinity(td: ThreadData, tid: u32, code: u32): void {
  td.tid = tid;
  fail(td, CALL_AFFINITY, code);
}
