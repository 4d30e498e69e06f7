/**
 * The lock of the CPU a thread runs on, held over the work of a request.
 *
 * Upstream counterpart: lock_this_cpu, per_cpu_locks.
 */
import { fail, stopping } from "./failure";
import { cpuRelax, getCpu } from "./host";
import { CALL_GETCPU, LOCK_STRIDE, ThreadData } from "./memory/layout";

/** Takes the lock of the current CPU and returns it; 0 when the run is over, by its time or by a failure. */
export function lock_this_cpu(td: ThreadData): usize {
  while (true) {
    const cpu = getCpu();
    if (cpu < 0) {
      fail(td, CALL_GETCPU, -cpu);
      return 0;
    }
    const lock = td.control.locks + <u32>cpu * LOCK_STRIDE;
    while (atomic.cmpxchg<u32>(lock, 0, 1) != 0) {
      if (stopping(td)) return 0;
      cpuRelax();
    }
    if (getCpu() == cpu) return lock;
    unlock(lock);
  }
}

export function unlock(lock: usize): void {
  atomic.store<u32>(lock, 0);
}
