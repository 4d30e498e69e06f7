/**
 * Scenes for tests: what CPUs did, written as the kernel would print it, and the wakeup in the middle of it.
 *
 * The cast: worker 201, its message thread 200, another worker 202, a foreign task 900 ("burn"). Times are microseconds.
 */
import { type BenchmarkThread, explainRun } from "../../../src/explain/explain-run.js";
import type { Explanation, WakeupExplanation } from "../../../src/explain/explanation.js";
import type { Trace } from "../../../src/explain/trace/trace-events.js";
import { parseTraceText } from "../../../src/explain/trace/trace-text.js";
import type { SlowWakeup } from "../../../src/model/result/run-result.js";

export const WORKER = 201;
export const WAKER = 200;
export const OTHER_WORKER = 202;
export const FOREIGN = 900;

const NAMES: Readonly<Record<number, string>> = {
  0: "swapper",
  [WAKER]: "schbench-msg",
  [WORKER]: "schbench-worker",
  [OTHER_WORKER]: "schbench-worker",
  [FOREIGN]: "burn",
};
const commOf = (tid: number): string => NAMES[tid] ?? "task";

const line = (usec: number, cpu: number, current: number, name: string, rest: string): string => {
  const time = `${Math.floor(usec / 1_000_000)}.${String(usec % 1_000_000).padStart(6, "0")}`;
  const task = current === 0 ? "<idle>-0" : `${commOf(current)}-${current}`;
  return `${task.padStart(24)} [${String(cpu).padStart(3, "0")}] d..2. ${time}: ${name}: ${rest}`;
};

/** Lines of a trace. `state` is that in which the previous thread leaves its CPU. */
export const switchLine = (
  usec: number,
  cpu: number,
  prev: number,
  state: string,
  next: number,
  nextPrio = 120,
): string =>
  line(
    usec,
    cpu,
    prev,
    "sched_switch",
    `prev_comm=${commOf(prev)} prev_pid=${prev} prev_prio=120 prev_state=${state} ==> next_comm=${commOf(next)} next_pid=${next} next_prio=${nextPrio}`,
  );
export const wakingLine = (usec: number, cpu: number, current: number, tid: number, target: number): string =>
  line(
    usec,
    cpu,
    current,
    "sched_waking",
    `comm=${commOf(tid)} pid=${tid} prio=120 target_cpu=${String(target).padStart(3, "0")}`,
  );
export const wakeupLine = (usec: number, cpu: number, current: number, tid: number, target: number): string =>
  line(
    usec,
    cpu,
    current,
    "sched_wakeup",
    `comm=${commOf(tid)} pid=${tid} prio=120 target_cpu=${String(target).padStart(3, "0")}`,
  );
export const migrateLine = (
  usec: number,
  cpu: number,
  current: number,
  tid: number,
  from: number,
  to: number,
): string =>
  line(
    usec,
    cpu,
    current,
    "sched_migrate_task",
    `comm=${commOf(tid)} pid=${tid} prio=120 orig_cpu=${from} dest_cpu=${to}`,
  );
export const irqLine = (usec: number, cpu: number, current: number, edge: "entry" | "exit"): string =>
  line(usec, cpu, current, `irq_handler_${edge}`, edge === "entry" ? "irq=25 name=nvme0q1" : "irq=25 ret=handled");
export const softirqLine = (usec: number, cpu: number, current: number, edge: "entry" | "exit"): string =>
  line(usec, cpu, current, `softirq_${edge}`, "vec=3 [action=NET_RX]");
export const idleLine = (usec: number, cpu: number, state: number | null): string =>
  line(usec, cpu, 0, "cpu_idle", `state=${state ?? 4_294_967_295} cpu_id=${cpu}`);
export const kickLine = (usec: number, cpu: number, current: number, target: number): string =>
  line(usec, cpu, current, "ipi_send_cpu", `cpu=${target} callsite=wakeup_preempt+0x92/0xa0 callback=0x0`);
export const polledLine = (usec: number, cpu: number, current: number, target: number): string =>
  line(usec, cpu, current, "sched_wake_idle_without_ipi", `cpu=${target}`);
export const periodLine = (usec: number, cpu: number, current: number, timer = "00000000a2726b85"): string =>
  line(usec, cpu, current, "hrtimer_expire_entry", `hrtimer=${timer} function=sched_cfs_period_timer now=${usec}000`);

/** The wakeup of a scene: stamped at 1000 µs, running again at `runUsec`. */
export const slowWakeup = (runUsec: number, changes: Partial<SlowWakeup> = {}): SlowWakeup => ({
  workerIndex: 0,
  tid: WORKER,
  wakeNsec: 1_000_000,
  runNsec: runUsec * 1000,
  wakerTid: WAKER,
  cpuBefore: 1,
  cpuAfter: 1,
  ...changes,
});

const ALLOWED_BOTH: readonly BenchmarkThread[] = [WAKER, WORKER, OTHER_WORKER].map((tid) => ({
  tid,
  allowedCpus: [0, 1],
}));

/** The explanation of the one wakeup of a scene in a group whose CPU limit stopped threads. */
export const explainThrottled = (lines: readonly string[], wakeup: SlowWakeup): WakeupExplanation => {
  const [first] = explainTrace(parseTraceText(lines.join("\n")), [wakeup], ALLOWED_BOTH, [], true).worst;
  if (first === undefined) throw new Error("the scene has no wakeup");
  return first;
};

/** Explains wakeups in a trace of these lines. */
export const explainScene = (
  lines: readonly string[],
  wakeups: readonly SlowWakeup[],
  threads: readonly BenchmarkThread[] = ALLOWED_BOTH,
): Explanation => explainTrace(parseTraceText(lines.join("\n")), wakeups, threads);

/** Explains wakeups in a trace. */
export const explainTrace = (
  trace: Trace,
  slowWakeups: readonly SlowWakeup[],
  threads: readonly BenchmarkThread[] = ALLOWED_BOTH,
  harnessTids: readonly number[] = [],
  wasThrottled = false,
): Explanation =>
  explainRun({
    trace,
    counts: { events: trace.events.length, lostEvents: 0, ringKibPerCpu: 1024, drains: 0 },
    slowWakeups,
    threads,
    harnessTids,
    wasThrottled,
    stolen: [],
    kernelIds: new Map(),
  });

/** The explanation of the one wakeup of a scene. */
export const explainOne = (
  lines: readonly string[],
  wakeup: SlowWakeup,
  threads?: readonly BenchmarkThread[],
): WakeupExplanation => {
  const [first] = explainScene(lines, [wakeup], threads).worst;
  if (first === undefined) throw new Error("the scene has no wakeup");
  return first;
};

/** Before the stamp: the message thread gets CPU 0, the worker goes to sleep on CPU 1 and leaves it to `next`. */
export const opening = (next: number): readonly string[] => [
  switchLine(900, 0, 0, "R", WAKER),
  switchLine(910, 1, 0, "R", WORKER),
  switchLine(950, 1, WORKER, "S", next),
];

/** The worker is woken at 1,002 and put on its queue of CPU 1 at 1,004 µs. */
export const woken = [wakingLine(1002, 0, WAKER, WORKER, 1), wakeupLine(1004, 0, WAKER, WORKER, 1)];
