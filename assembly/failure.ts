/** How a thread that cannot go on ends the run: the first failure is kept, the main thread reads it. */
import {
  CALL_TRAP,
  Control,
  STATE_MEASURING,
  STATE_OVER,
  STATE_STARTING,
  ThreadData,
  ThreadSetup,
} from "./memory/layout";

/** Records a failed host call and tells everybody to stop. */
export function fail(td: ThreadData, call: u32, code: i32): void {
  const control = changetype<usize>(td.control);
  // The thread id claims the place; the call is written last, since the reader takes it for the sign that all is there.
  if (atomic.cmpxchg<u32>(control + offsetof<Control>("errorTid"), 0, td.tid) == 0) {
    td.control.errorCode = <u32>code;
    atomic.store<u32>(control + offsetof<Control>("errorCall"), call);
  }
  atomic.store<u32>(control + offsetof<Control>("state"), STATE_OVER);
}

function state(td: ThreadData): u32 {
  return atomic.load<u32>(changetype<usize>(td.control) + offsetof<Control>("state"));
}

/** Whether the clock has not started yet. */
export function starting(td: ThreadData): bool {
  return state(td) == STATE_STARTING;
}

/** Whether what ends now counts: the clock runs. */
export function measuring(td: ThreadData): bool {
  return state(td) == STATE_MEASURING;
}

/** Whether the run is over for this thread. */
export function stopping(td: ThreadData): bool {
  return state(td) == STATE_OVER;
}

/** Records a trap; called by a host, whose thread then ends without the way to the exit, on which others wait for it. */
export function record_trap(setup: ThreadSetup, code: u32): void {
  fail(setup.threadData, CALL_TRAP, code);
  atomic.add<u32>(changetype<usize>(setup.threadData.control) + offsetof<Control>("exited"), 1);
}
