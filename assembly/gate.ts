/** Where threads wait for others: before they begin, if they were created before their time, and at the end. */
import { wait_failed } from "./errno";
import { fail } from "./failure";
import { futexWait, futexWake } from "./host";
import { CALL_FUTEX_WAIT, CALL_FUTEX_WAKE, Control, ThreadData, ThreadSetup } from "./memory/layout";

/** Waits at the thread's gate, if it has one, until somebody lets it go. */
export function await_gate(setup: ThreadSetup): void {
  if (setup.gate == 0) return;
  const td = setup.threadData;
  atomic.add<u32>(changetype<usize>(td.control) + offsetof<Control>("waiting"), 1);
  wait_at(td, setup.gate);
}

/** Lets the thread of a setup go, which waits at its gate. */
export function let_go(td: ThreadData, setup: ThreadSetup): void {
  atomic.store<u32>(setup.gate, 1);
  const error = futexWake(setup.gate, 1);
  if (error != 0) fail(td, CALL_FUTEX_WAKE, error);
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
    if (wait_failed(error)) {
      fail(td, CALL_FUTEX_WAIT, error);
      return;
    }
  }
}
