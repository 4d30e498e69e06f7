/**
 * Posting and waiting on a thread's futex word: 0 BLOCKED, 1 RUNNING.
 *
 * Upstream counterpart: fpost, fwait.
 */
import { wait_failed } from "./errno";
import { fail } from "./failure";
import { futexWait, futexWake } from "./host";
import { CALL_FUTEX_WAIT, CALL_FUTEX_WAKE, ThreadData } from "./memory/layout";

export const FUTEX_BLOCKED: u32 = 0;
export const FUTEX_RUNNING: u32 = 1;

/** Wakes the owner of a word, if it is blocked; only the one who sets it running makes the system call. */
export function fpost(td: ThreadData): void {
  const word = changetype<usize>(td) + offsetof<ThreadData>("futex");
  if (atomic.cmpxchg<u32>(word, FUTEX_BLOCKED, FUTEX_RUNNING) != FUTEX_BLOCKED) return;
  const error = futexWake(word, 1);
  if (error != 0) fail(td, CALL_FUTEX_WAKE, error);
}

/**
 * Waits until the own word, set to BLOCKED beforehand, has been posted; `leave` is what the word says afterwards. Upstream
 * always leaves BLOCKED. A worker with a queue leaves RUNNING until it looks for work again, so that nobody posts and
 * stamps it anew while it runs.
 */
export function fwait(td: ThreadData, leave: u32): void {
  const word = changetype<usize>(td) + offsetof<ThreadData>("futex");
  while (atomic.cmpxchg<u32>(word, FUTEX_RUNNING, leave) != FUTEX_RUNNING) {
    const error = futexWait(word, FUTEX_BLOCKED);
    if (wait_failed(error)) {
      fail(td, CALL_FUTEX_WAIT, error);
      return;
    }
  }
}

/** Sets the own word to BLOCKED, so that a post from now on counts. */
export function block(td: ThreadData): void {
  atomic.store<u32>(changetype<usize>(td) + offsetof<ThreadData>("futex"), FUTEX_BLOCKED);
}
