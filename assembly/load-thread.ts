/**
 * Loads: threads that keep the machine busy beside the benchmark, on purpose. Each counts its work in loopCount, and each
 * looks often whether the run is over. The main thread reads the counts while they run.
 *
 * Upstream counterpart: none.
 */
import { cpuNsec, nowNsec } from "./clock";
import { sleep_failed } from "./errno";
import { fail, stopping } from "./failure";
import { FUTEX_BLOCKED, fpost, fwait } from "./futex";
import { usleep } from "./host";
import { CALL_USLEEP, ThreadData } from "./memory/layout";

/** Steps of a generator of random numbers that one turn of a spinning thread takes: a few microseconds. */
const TURN_STEPS: u32 = 2048;
const LINE_BYTES: usize = 64;
/** So much is streamed between two looks at the end of the run; the unit in which it is counted. */
const CHUNK_BYTES: usize = 1 << 20;
/** A long period is slept away in naps no longer than this, so that the end is not slept through. */
const NAP_NSEC: f64 = 50e6;
const NSEC_PER_USEC: f64 = 1000;

/** Never pauses. Counts turns. */
export function load_spin(td: ThreadData): void {
  while (!stopping(td)) {
    spin_turn(td);
    td.loopCount += 1;
  }
}

/** One turn; its result is kept, so that no compiler leaves the work out. */
function spin_turn(td: ThreadData): void {
  let x = <u64>td.tid;
  for (let i: u32 = 0; i < TURN_STEPS; i++) x = x * 6364136223846793005 + 1442695040888963407;
  td.wakeNsec = <f64>(x >> 32);
}

/**
 * Takes `busyUsec` of CPU time and then sleeps until its next period begins. Counts periods whose work was done. What is
 * late begins its next period at once and lets go of those it missed: no backlog is worked off later.
 */
export function load_duty(td: ThreadData, busyUsec: u32, periodUsec: u32): void {
  const periodNsec = <f64>periodUsec * NSEC_PER_USEC;
  let due = nowNsec(td);
  while (!stopping(td)) {
    if (!take_cpu_time(td, <f64>busyUsec * NSEC_PER_USEC)) return;
    td.loopCount += 1;
    due = max(due + periodNsec, nowNsec(td));
    sleep_until(td, due);
  }
}

/** False when the run was over before the time was taken. */
function take_cpu_time(td: ThreadData, nsec: f64): bool {
  const end = cpuNsec(td) + nsec;
  while (cpuNsec(td) < end) {
    if (stopping(td)) return false;
    spin_turn(td);
  }
  return true;
}

function sleep_until(td: ThreadData, due: f64): void {
  while (!stopping(td)) {
    const left = due - nowNsec(td);
    if (left <= 0) return;
    const error = usleep(<u32>ceil(min(left, NAP_NSEC) / NSEC_PER_USEC));
    if (sleep_failed(error)) {
      fail(td, CALL_USLEEP, error);
      return;
    }
  }
}

/** Wakes its partner (`msgThread`) and waits to be woken by it. Counts its wakeups; the first of a pair begins. */
export function load_wake(td: ThreadData, first: u32): void {
  if (first) fpost(td.msgThread);
  while (!stopping(td)) {
    fwait(td, FUTEX_BLOCKED);
    td.loopCount += 1;
    fpost(td.msgThread);
  }
}

/** Streams through its own region of `mebibytes`, changing a word of every cache line. Counts mebibytes. */
export function load_memory(td: ThreadData, mebibytes: u32): void {
  const end = td.data + <usize>mebibytes * CHUNK_BYTES;
  while (true) {
    for (let chunk = td.data; chunk < end; chunk += CHUNK_BYTES) {
      if (stopping(td)) return;
      for (let line = chunk; line < chunk + CHUNK_BYTES; line += LINE_BYTES) store<u64>(line, load<u64>(line) + 1);
      td.loopCount += 1;
    }
  }
}
