/** The time of a thread: the host writes it next to the owner's counters, nothing crosses over but an address. */
import { readClock, readCpuClock } from "./host";
import { ThreadData } from "./memory/layout";

const NSEC_PER_SEC: i64 = 1_000_000_000;

/** CLOCK_MONOTONIC in nanoseconds; exact for 104 days after boot. */
export function nowNsec(td: ThreadData): f64 {
  readClock(timespecOf(td));
  return nsecAt(timespecOf(td));
}

/** The CPU time of this thread in nanoseconds. */
export function cpuNsec(td: ThreadData): f64 {
  readCpuClock(timespecOf(td));
  return nsecAt(timespecOf(td));
}

function timespecOf(td: ThreadData): usize {
  return changetype<usize>(td) + offsetof<ThreadData>("clockSec");
}

function nsecAt(timespec: usize): f64 {
  return <f64>(load<i64>(timespec) * NSEC_PER_SEC + load<i64>(timespec, 8));
}
