/** The errors of Linux that the threads know what to do about. */
const EINTR: i32 = 4;
const EAGAIN: i32 = 11;

/** Whether a sleep failed, and was not just cut short by a signal. */
export function sleep_failed(error: i32): bool {
  return error != 0 && error != EINTR;
}

/** Whether a futex wait failed, and was not just cut short or too late: then its caller looks at the word again. */
export function wait_failed(error: i32): bool {
  return error != 0 && error != EAGAIN && error != EINTR;
}
