/** A made-up finding of `--explain`: a foreign task before the worker, an interrupt, an idle CPU beside it. */
import type { Explanation, TimelineSpan } from "../../../src/explain/explanation.js";

const span = (
  fromUsec: number,
  toUsec: number,
  kind: TimelineSpan["kind"],
  label: string,
  tid: number | null = null,
): TimelineSpan => ({ fromUsec, toUsec, kind, tid, label });

/** Two slow wakeups on four CPUs; `comm` is the name of the foreign task. */
export const fakeExplanation = (comm = "kworker/3:1-events"): Explanation => {
  const base = {
    workerIndex: 3,
    tid: 4104,
    wakerTid: 4100,
    wakeNsec: 123_456_789_000,
    cpuBefore: 2,
    cpuAfter: 2,
    migrations: [],
    idleExit: null,
    kernelTid: 4104,
    kernelSec: { from: "3363.913924958", to: "3363.916936958" },
    kick: null,
    steal: [],
    missing: [],
  };
  return {
    version: 1,
    traced: true,
    trace: { clock: "mono", events: 184_203, lostEvents: 0, damaged: 0, ringKibPerCpu: 4096, drains: 12 },
    slowWakeups: 64,
    attributed: 62,
    totalUsec: 91_400,
    causes: [
      {
        cause: "foreign-task",
        wakeups: 41,
        wakeupShare: 0.64,
        usec: 66_700,
        timeShare: 0.73,
        who: [{ name: comm, usec: 51_000 }],
      },
      {
        cause: "own-thread",
        wakeups: 14,
        wakeupShare: 0.22,
        usec: 15_100,
        timeShare: 0.165,
        who: [{ name: "schbench-worker", usec: 15_100 }],
      },
      {
        cause: "idle-exit",
        wakeups: 6,
        wakeupShare: 0.09,
        usec: 6400,
        timeShare: 0.07,
        who: [],
      },
      {
        cause: "interrupt",
        wakeups: 1,
        wakeupShare: 0.016,
        usec: 1200,
        timeShare: 0.013,
        who: [{ name: "eth0", usec: 1200 }],
      },
      { cause: "unknown", wakeups: 2, wakeupShare: 0.03, usec: 2000, timeShare: 0.022, who: [] },
    ],
    placementMisses: { wakeups: 22, usec: 31_000 },
    missing: [{ evidence: "no-waking", wakeups: 2 }],
    more: [],
    worst: [
      {
        ...base,
        latencyUsec: 3012,
        cause: "foreign-task",
        causes: [
          { cause: "foreign-task", usec: 2870 },
          { cause: "interrupt", usec: 120 },
          { cause: "kernel-path", usec: 22 },
        ],
        phases: [
          { from: "stamp", to: "waking", usec: 9 },
          { from: "waking", to: "wakeup", usec: 2 },
          { from: "wakeup", to: "switched-in", usec: 2998 },
          { from: "switched-in", to: "run", usec: 3 },
        ],
        ran: [
          {
            cpu: 2,
            tid: 812,
            comm,
            priority: 120,
            schedClass: "normal",
            policy: null,
            group: null,
            side: "foreign",
            heldUp: "thread",
            usec: 2870,
          },
        ],
        interrupts: [{ cpu: 2, kind: "irq", name: "eth0", usec: 120 }],
        placementMiss: [{ cpu: 3, idleUsec: 2400 }],
        timeline: {
          fromUsec: -200,
          toUsec: 3200,
          cpus: [
            {
              cpu: 0,
              spans: [
                span(-200, 60, "waker", "schbench-msg", 4100),
                span(60, 900, "idle", "idle"),
                span(900, 3200, "benchmark", "schbench-worker", 4101),
              ],
            },
            { cpu: 1, spans: [span(-200, 3200, "benchmark", "schbench-worker", 4102)] },
            {
              cpu: 2,
              spans: [
                span(-200, 1400, "foreign", comm, 812),
                span(1400, 1520, "interrupt", "eth0", 812),
                span(1520, 3005, "foreign", comm, 812),
                span(3005, 3200, "thread", "schbench-worker", 4104),
              ],
            },
            {
              cpu: 3,
              spans: [
                span(-200, 700, "harness", "node", 4090),
                span(700, 3100, "idle", "idle"),
                span(3100, 3200, "unknown", "events missing"),
              ],
            },
          ],
          events: [
            { atUsec: 9, cpu: 0, text: "waking schbench-worker-4104 for CPU 2" },
            { atUsec: 11, cpu: 2, text: "wakeup schbench-worker-4104 on CPU 2" },
            { atUsec: 3005, cpu: 2, text: `switch ${comm}-812 (S) to schbench-worker-4104` },
          ],
          eventsLeftOut: 0,
        },
      },
      {
        ...base,
        workerIndex: 1,
        latencyUsec: 940,
        cause: "idle-exit",
        causes: [{ cause: "idle-exit", usec: 940 }],
        kick: { atUsec: 4, fromCpu: 0, tid: 4101, comm: "schbench-msg", how: "interrupt" },
        steal: [{ cpu: 2, usec: 10_000, withinUsec: 250_000 }],
        phases: [{ from: "stamp", to: "run", usec: 940 }],
        ran: [],
        interrupts: [],
        placementMiss: [],
        timeline: {
          fromUsec: -90,
          toUsec: 1030,
          cpus: [
            { cpu: 0, spans: [span(-90, 14, "waker", "schbench-msg", 4100), span(14, 1030, "idle", "idle")] },
            {
              cpu: 2,
              spans: [
                span(-90, 930, "idle", "idle"),
                span(930, 934, "softirq", "TIMER", 0),
                span(934, 1030, "thread", "schbench-worker", 4104),
              ],
            },
          ],
          events: [],
          eventsLeftOut: 3,
        },
      },
    ],
  };
};
