/** The slowest wakeups of a worker, kept for `--explain` and `--break`. The floor rises as faster ones are displaced. */
import { getCpu } from "./host";
import { Control, SlowWakeup, ThreadData } from "./memory/layout";
import { tvdelta } from "./memory/record";

/** Keeps a wakeup if it is among the slowest; within record_begin and record_end, so that nobody reads half of one. */
export function note_slow(td: ThreadData, runNsec: f64, cpuBefore: i32): void {
  const control = td.control;
  const took = runNsec - td.wakeNsec;
  if (td.wakeNsec < control.slowSinceNsec) return;
  if (control.breakUsec != 0 && tvdelta(td.wakeNsec, runNsec) > control.breakUsec)
    atomic.store<u32>(changetype<usize>(control) + offsetof<Control>("breakHit"), 1);
  if (took <= td.slowFloorNsec) return;

  const full = td.slowCount == control.slowPerThread;
  const slot = full ? shortest(td) : slowAt(td, td.slowCount++);
  slot.wakeNsec = td.wakeNsec;
  slot.runNsec = runNsec;
  slot.wakerTid = td.wakerTid;
  slot.cpuBefore = cpuBefore;
  slot.cpuAfter = getCpu();
  if (td.slowCount < control.slowPerThread) return;
  const next = shortest(td);
  td.slowFloorNsec = next.runNsec - next.wakeNsec;
}

function slowAt(td: ThreadData, index: u32): SlowWakeup {
  return changetype<SlowWakeup>(td.slow + index * offsetof<SlowWakeup>());
}

function shortest(td: ThreadData): SlowWakeup {
  let best = slowAt(td, 0);
  for (let i: u32 = 1; i < td.slowCount; i++) {
    const one = slowAt(td, i);
    if (one.runNsec - one.wakeNsec < best.runNsec - best.wakeNsec) best = one;
  }
  return best;
}
