/** Exports that only tests and bench/ call: pieces of the measured path that no mode shows by itself. */
import { lock_this_cpu, unlock } from "./cpu-lock";
import { block, FUTEX_BLOCKED, fpost, fwait } from "./futex";
import { nowNsec } from "./clock";
import { cpuRelax, futexWake, getCpu } from "./host";
import { ThreadData } from "./memory/layout";
import { xlist_add, xlist_splice } from "./memory/lists";
import { stopping } from "./failure";

/** Hands a token to the partner (`msgThread`) and waits for it to come back, `rounds` times; counts its wakeups. */
export function test_hand_over(td: ThreadData, rounds: u32, first: u32): void {
  for (let i: u32 = 0; i < rounds && !stopping(td); i++) {
    if (i > 0 || !first) {
      fwait(td, FUTEX_BLOCKED);
      td.loopCount += 1;
    }
    fpost(td.msgThread);
  }
}

/** Puts itself on the list of `msgThread` and waits to be taken off, `rounds` times. */
export function test_list_put(td: ThreadData, rounds: u32): void {
  for (let i: u32 = 0; i < rounds && !stopping(td); i++) {
    block(td);
    xlist_add(td.msgThread, td);
    fpost(td.msgThread);
    fwait(td, FUTEX_BLOCKED);
    td.loopCount += 1;
  }
}

/** Takes `total` entries off its list, posts each, and counts them. */
export function test_list_take(td: ThreadData, total: u32): void {
  while (<u32>td.loopCount < total && !stopping(td)) {
    block(td);
    let next = xlist_splice(td);
    if (next == 0) fwait(td, FUTEX_BLOCKED);
    while (next != 0) {
      const worker = changetype<ThreadData>(next);
      next = worker.next;
      td.loopCount += 1;
      fpost(worker);
    }
  }
}

/** Adds to a plain counter under the lock of its CPU, `rounds` times; with threads pinned to one CPU nothing is lost. */
export function test_cpu_lock(td: ThreadData, rounds: u32, counter: usize): void {
  for (let i: u32 = 0; i < rounds && !stopping(td); i++) {
    const lock = lock_this_cpu(td);
    store<u64>(counter, load<u64>(counter) + 1);
    unlock(lock);
    td.loopCount += 1;
  }
}

/** Ends in a trap. */
export function test_trap(): void {
  unreachable();
}

/** Makes one host call `rounds` times (0 clock, 1 CPU, 2 wake of nobody, 3 pause) and leaves the nanoseconds in loopCount. */
export function bench_host_call(td: ThreadData, which: u32, rounds: u32): void {
  const word = changetype<usize>(td) + offsetof<ThreadData>("futex");
  const start = nowNsec(td);
  for (let i: u32 = 0; i < rounds; i++) {
    if (which == 0) nowNsec(td);
    else if (which == 1) getCpu();
    else if (which == 2) futexWake(word, 1);
    else cpuRelax();
  }
  td.loopCount = nowNsec(td) - start;
}
