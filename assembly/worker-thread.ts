/**
 * A worker thread: ask for work, wait, do it, time it.
 *
 * Upstream counterpart: worker_thread, msg_and_wait.
 */
import { sleep_failed } from "./errno";
import { fail, measuring, stopping } from "./failure";
import { block, FUTEX_BLOCKED, FUTEX_RUNNING, fpost, fwait } from "./futex";
import { nowNsec } from "./clock";
import { getCpu, usleep } from "./host";
import { CALL_USLEEP, MODE_CLOSED_LOOP, MODE_PIPE, ThreadData } from "./memory/layout";
import { request_at, request_splice, xlist_add } from "./memory/lists";
import { add_lat, record_begin, record_end, tvdelta } from "./memory/record";
import { note_slow } from "./slow";
import { do_work } from "./work";

export function worker_thread(td: ThreadData): void {
  const mode = td.control.mode;
  if (mode == MODE_CLOSED_LOOP) run_closed_loop(td);
  else if (mode == MODE_PIPE) run_pipe(td);
  else run_queue(td);
}

function run_closed_loop(td: ThreadData): void {
  while (!stopping(td)) {
    if (msg_and_wait(td)) run_request(td, 0);
  }
}

function run_pipe(td: ThreadData): void {
  const bytes = td.control.pipeBytes;
  while (!stopping(td)) {
    memory.fill(td.pipePage, 2, bytes);
    if (!msg_and_wait(td)) return;
    if (!measuring(td)) continue;
    record_begin(td);
    td.loopCount += 1;
    record_end(td);
  }
}

function run_queue(td: ThreadData): void {
  while (!stopping(td)) {
    block(td);
    let request = td.taken;
    const end = request_splice(td);
    if (request == end) {
      wait_and_record(td, FUTEX_RUNNING);
      continue;
    }
    atomic.store<u32>(changetype<usize>(td) + offsetof<ThreadData>("futex"), FUTEX_RUNNING);
    for (; request != end && !stopping(td); request++) run_request(td, request_at(td, request));
  }
}

/** Queues this worker with its message thread and waits for the answer; false when the run is over. */
function msg_and_wait(td: ThreadData): bool {
  block(td);
  td.wakeNsec = nowNsec(td);
  xlist_add(td.msgThread, td);
  fpost(td.msgThread);
  return wait_and_record(td, FUTEX_BLOCKED);
}

/**
 * Waits to be posted and records the wakeup latency, if the clock runs; false when the run is over.
 * The post of the message thread is a full barrier, and a message thread that stops posts everybody once more, so a
 * worker that does not yet see the stop here is not left behind.
 */
function wait_and_record(td: ThreadData, leave: u32): bool {
  if (stopping(td)) return false;
  const keepSlow = td.control.slowPerThread != 0;
  const cpuBefore = keepSlow ? getCpu() : 0;
  fwait(td, leave);
  const now = nowNsec(td);
  if (!measuring(td)) return !stopping(td);
  record_begin(td);
  add_lat(td.wakeupStats, tvdelta(td.wakeNsec, now));
  if (keepSlow) note_slow(td, now, cpuBefore);
  record_end(td);
  return true;
}

/** One request: think time and work. `intendedNsec` is its intended arrival in rate mode, else 0. */
function run_request(td: ThreadData, intendedNsec: f64): void {
  const control = td.control;
  if (control.calibrate) think(td);
  const start = nowNsec(td);
  if (!control.calibrate) think(td);
  do_work(td);
  const now = nowNsec(td);
  if (!measuring(td)) return;
  record_begin(td);
  td.loopCount += 1;
  add_lat(td.requestStats, tvdelta(start, now));
  if (intendedNsec != 0) add_lat(td.responseStats, tvdelta(intendedNsec, now));
  record_end(td);
}

function think(td: ThreadData): void {
  const usec = td.control.sleepUsec;
  if (usec == 0) return;
  const error = usleep(usec);
  if (sleep_failed(error)) fail(td, CALL_USLEEP, error);
}
