/**
 * A message thread that sends requests at a rate, to its own workers in turn.
 *
 * Upstream counterpart: run_rps_thread (burst).
 */
import { sleep_failed } from "./errno";
import { fail, starting, stopping } from "./failure";
import { FUTEX_BLOCKED, fpost } from "./futex";
import { nowNsec } from "./clock";
import { usleep } from "./host";
import { CALL_USLEEP, Control, THREAD_BYTES, ThreadData } from "./layout";
import { pending, request_add } from "./lists";
import { due_nsec, first_slot_after } from "./pace";
import { add_lat, record_begin, record_end, tvdelta } from "./record";

const NSEC_PER_SEC: f64 = 1e9;
/** A stop is seen after at most this long. */
const NAP_NSEC: f64 = 50e6;
/** A worker with more than this many requests pending gets none. */
const BATCH: u32 = 128;
/** How long to sleep between two looks whether the clock has started. */
const CLOCK_USEC: u32 = 50;
/** How long to hold back after a request that found its worker's queue full. */
const FULL_USEC: u32 = 100;

/** Slots at even distances on the monotonic clock; what is late is sent at once, until caught up. */
export function run_rps_thread_paced(td: ThreadData): void {
  await_clock(td);
  const control = td.control;
  const startNsec = control.startNsec;
  const threads = control.messageThreads;
  let rate = goal(control);
  let slot: f64 = 0;
  let turn: u32 = 0;
  while (!stopping(td)) {
    const wanted = goal(control);
    if (wanted != rate) {
      // The new goal's schedule goes on where the old one's ended; what that one was behind is let go.
      const last = due_nsec(startNsec, td.index, threads, rate, slot - 1);
      slot = first_slot_after(startNsec, td.index, threads, wanted, max(last, nowNsec(td)));
      rate = wanted;
    }
    const due = due_nsec(startNsec, td.index, threads, rate, slot);
    const now = nowNsec(td);
    if (due > now) {
      nap(td, min(due - now, NAP_NSEC));
      continue;
    }
    slot += 1;
    send(td, turn++, due, now);
  }
}

/** Every second, the second's whole share at once; what is left of the second is slept away. */
export function run_rps_thread_burst(td: ThreadData): void {
  await_clock(td);
  const control = td.control;
  let turn: u32 = 0;
  while (!stopping(td)) {
    const start = nowNsec(td);
    const rate = <u32>goal(control);
    const share = rate / control.messageThreads + (td.index < rate % control.messageThreads ? 1 : 0);
    for (let i: u32 = 0; i < share && !stopping(td); i++) send(td, turn++, start, nowNsec(td));
    let left = start + NSEC_PER_SEC - nowNsec(td);
    while (left > 0 && !stopping(td)) {
      nap(td, min(left, NAP_NSEC));
      left = start + NSEC_PER_SEC - nowNsec(td);
    }
  }
}

/**
 * A rate counts from the start of the clock, which is when all threads are up. The thread naps until then: a timer wakes it
 * where it stands, so the wait does not move it.
 */
function await_clock(td: ThreadData): void {
  while (starting(td)) sleep(td, CLOCK_USEC);
}

/** The total rate goal, at least 1. */
function goal(control: Control): f64 {
  return <f64>max<u32>(atomic.load<u32>(changetype<usize>(control) + offsetof<Control>("requestsPerSec")), 1);
}

/** One request to the next worker in turn, or none if that worker has too many. */
function send(td: ThreadData, turn: u32, intendedNsec: f64, now: f64): void {
  const worker = changetype<ThreadData>(td.firstWorker + (turn % td.control.workerThreads) * THREAD_BYTES);
  const full = pending(worker) > BATCH;
  record_begin(td);
  if (full) {
    td.dropped += 1;
  } else {
    td.sent += 1;
    add_lat(td.responseStats, tvdelta(intendedNsec, now));
  }
  record_end(td);
  if (full) {
    sleep(td, FULL_USEC);
    return;
  }
  request_add(worker, intendedNsec);
  // A worker that was posted before and has not run yet keeps its first stamp.
  if (atomic.load<u32>(changetype<usize>(worker) + offsetof<ThreadData>("futex")) != FUTEX_BLOCKED) return;
  worker.wakeNsec = now;
  worker.wakerTid = td.tid;
  fpost(worker);
}

/** Sleeps to the end of a nap, rounded up to the microsecond. */
function nap(td: ThreadData, nsec: f64): void {
  sleep(td, <u32>ceil(nsec / 1000));
}

function sleep(td: ThreadData, usec: u32): void {
  const error = usleep(usec);
  if (sleep_failed(error)) fail(td, CALL_USLEEP, error);
}
