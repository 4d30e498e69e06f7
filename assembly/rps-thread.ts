/**
 * A message thread that sends requests at a rate, to its own workers in turn. What is due from the start of the measured
 * time to right before its end is counted, and nothing else: sent, dropped, or not sent in time.
 *
 * Upstream counterpart: run_rps_thread (burst).
 */
import { sleep_failed } from "./errno";
import { fail, starting, stopping } from "./failure";
import { FUTEX_BLOCKED, fpost } from "./futex";
import { nowNsec } from "./clock";
import { usleep } from "./host";
import { CALL_USLEEP, Control, THREAD_BYTES, ThreadData } from "./memory/layout";
import { pending, request_add } from "./memory/lists";
import { due_nsec, first_slot_after, first_slot_at } from "./pace";
import { add_lat, end_warmup, record_begin, record_end, tvdelta } from "./memory/record";

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
    const due = due_nsec(startNsec, td.index, threads, rate, slot);
    const now = nowNsec(td);
    const isDue = due <= now && due < control.endNsec;
    if (isDue) {
      slot += 1;
      send(td, turn++, due, now);
    }
    const wanted = goal(control);
    if (wanted != rate) {
      // The new goal's schedule goes on where the old one's ended; what that one was behind is let go.
      const last = due_nsec(startNsec, td.index, threads, rate, slot - 1);
      let_slots_go(td, rate, slot, now);
      slot = first_slot_after(startNsec, td.index, threads, wanted, max(last, now));
      rate = wanted;
    } else if (!isDue) {
      nap_until(td, due, now);
    }
  }
  let_slots_go(td, rate, slot, nowNsec(td));
}

/**
 * Every second of the run's clock, the second's whole share at once; what is left of the second is slept away. A share that
 * takes longer makes the next ones late, not fewer.
 */
export function run_rps_thread_burst(td: ThreadData): void {
  await_clock(td);
  const control = td.control;
  let due = control.startNsec;
  let turn: u32 = 0;
  while (!stopping(td)) {
    const now = nowNsec(td);
    if (due > now || due >= control.endNsec) {
      nap_until(td, due, now);
      continue;
    }
    const share = share_of_second(td);
    let i: u32 = 0;
    for (; i < share && !stopping(td); i++) send(td, turn++, due, nowNsec(td));
    let_go(td, due, share - i);
    due += NSEC_PER_SEC;
  }
  const end = min(control.endNsec, nowNsec(td));
  for (; due < end; due += NSEC_PER_SEC) let_go(td, due, share_of_second(td));
}

/** Requests of a second that are this thread's; the remainder goes to the first ones. */
function share_of_second(td: ThreadData): u32 {
  const rate = <u32>goal(td.control);
  const threads = td.control.messageThreads;
  return rate / threads + (td.index < rate % threads ? 1 : 0);
}

/** Counts what was due before a moment and was not sent. */
function let_slots_go(td: ThreadData, rate: f64, slot: f64, nsec: f64): void {
  const control = td.control;
  const threads = control.messageThreads;
  const measured = first_slot_at(control.startNsec, td.index, threads, rate, control.measureNsec);
  const end = first_slot_at(control.startNsec, td.index, threads, rate, min(control.endNsec, nsec));
  const first = max(slot, measured);
  if (end > first) let_go(td, control.measureNsec, end - first);
}

/** Counts requests that were due at a moment and will not be sent. */
function let_go(td: ThreadData, dueNsec: f64, requests: f64): void {
  if (requests == 0 || dueNsec < td.control.measureNsec) return;
  record_begin(td);
  end_warmup(td);
  td.unsent += requests;
  record_end(td);
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
  // What was due in the warm-up is not counted, however late it is sent.
  if (intendedNsec >= td.control.measureNsec) {
    record_begin(td);
    end_warmup(td);
    if (full) {
      td.dropped += 1;
    } else {
      td.sent += 1;
      add_lat(td.responseStats, tvdelta(intendedNsec, now));
    }
    record_end(td);
  }
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

/** Sleeps until something is due, and no longer than a stop may go unseen; rounded up to the microsecond. */
function nap_until(td: ThreadData, due: f64, now: f64): void {
  sleep(td, <u32>ceil((due > now ? min(due - now, NAP_NSEC) : NAP_NSEC) / 1000));
}

function sleep(td: ThreadData, usec: u32): void {
  const error = usleep(usec);
  if (sleep_failed(error)) fail(td, CALL_USLEEP, error);
}
