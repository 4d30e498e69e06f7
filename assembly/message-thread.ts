/**
 * A message thread: wakes the workers that have asked for work, or sends requests at a rate.
 *
 * Upstream counterpart: message_thread, run_msg_thread, xlist_wake_all.
 */
import { stopping } from "./failure";
import { block, FUTEX_BLOCKED, fpost, fwait } from "./futex";
import { nowNsec } from "./clock";
import { MODE_BURST, MODE_PACED, MODE_PIPE, THREAD_BYTES, ThreadData } from "./memory/layout";
import { xlist_splice } from "./memory/lists";
import { run_rps_thread_burst, run_rps_thread_paced } from "./rps-thread";

export function message_thread(td: ThreadData): void {
  const mode = td.control.mode;
  if (mode == MODE_PACED) run_rps_thread_paced(td);
  else if (mode == MODE_BURST) run_rps_thread_burst(td);
  else run_msg_thread(td);
  wake_workers(td);
}

function run_msg_thread(td: ThreadData): void {
  while (true) {
    block(td);
    xlist_wake_all(td);
    if (stopping(td)) return;
    fwait(td, FUTEX_BLOCKED);
  }
}

/**
 * Wakes everybody on the list with one stamp, read once before the first post: it shows a waker that is preempted
 * half-way. Pipe mode, which fills a page for each, stamps each.
 */
function xlist_wake_all(td: ThreadData): void {
  const pipe = td.control.mode == MODE_PIPE;
  let next = xlist_splice(td);
  const now = nowNsec(td);
  while (next != 0) {
    const worker = changetype<ThreadData>(next);
    next = worker.next;
    worker.next = 0;
    if (pipe) memory.fill(worker.pipePage, 1, td.control.pipeBytes);
    worker.wakeNsec = pipe ? nowNsec(td) : now;
    worker.wakerTid = td.tid;
    fpost(worker);
  }
}

/** The last act: nobody is left waiting. The run is over by now, so none of these wakeups is recorded. */
function wake_workers(td: ThreadData): void {
  for (let i: u32 = 0; i < td.control.workerThreads; i++)
    fpost(changetype<ThreadData>(td.firstWorker + i * THREAD_BYTES));
}
