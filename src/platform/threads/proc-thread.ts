/**
 * What the kernel has counted for one thread: run delay, CPU time, faults, context switches,
 * migrations, CPU mask. A run may have a thousand threads, so each file is opened, read and closed once, and nothing else is done.
 * Upstream counterpart: read_sched_delay.
 */
import { type Files, fieldOf } from "../files.js";

/** The three numbers of a thread's schedstat. */
export interface SchedStat {
  readonly cpuNsec: number;
  /** Time spent runnable, waiting for a CPU. */
  readonly runDelayNsec: number;
  readonly timesRun: number;
}

/** What a thread's stat file tells, of the many things in it. */
export interface ThreadStat {
  readonly minorFaults: number;
  /** CPU time in ticks of the kernel's user clock, USER_HZ. */
  readonly userTicks: number;
  readonly systemTicks: number;
  /** The CPU it runs on, or ran on last. */
  readonly cpu: number;
}

/** Counters of a thread since its start; null where this kernel does not keep one. */
export interface ThreadCounters {
  readonly schedStat: SchedStat | null;
  readonly stat: ThreadStat | null;
  readonly voluntarySwitches: number | null;
  readonly involuntarySwitches: number | null;
  readonly migrations: number | null;
  /** The mask in force, as the kernel writes it: `0-3,8`. */
  readonly allowedCpus: string | null;
}

const countOf = (text: string | null): number | null => (text !== null && /^\d+$/u.test(text) ? Number(text) : null);

/**
 * Pure: a schedstat file, `CPU-NSEC DELAY-NSEC TIMES-RUN`.
 *
 * Null for anything else and for three zeros: that is what a kernel prints whose bookkeeping is compiled in but off.
 */
export const parseSchedStat = (text: string | null): SchedStat | null => {
  const match = /^(\d+) (\d+) (\d+)\s*$/u.exec(text ?? "");
  if (match === null) return null;
  const [cpuNsec = 0, runDelayNsec = 0, timesRun = 0] = match.slice(1).map(Number);
  return cpuNsec === 0 && runDelayNsec === 0 && timesRun === 0 ? null : { cpuNsec, runDelayNsec, timesRun };
};

/** Pure: context switches and CPU mask from a thread's status file. */
export const parseStatus = (
  text: string | null,
): Pick<ThreadCounters, "voluntarySwitches" | "involuntarySwitches" | "allowedCpus"> => ({
  voluntarySwitches: countOf(fieldOf(text ?? "", "voluntary_ctxt_switches")),
  involuntarySwitches: countOf(fieldOf(text ?? "", "nonvoluntary_ctxt_switches")),
  allowedCpus: fieldOf(text ?? "", "Cpus_allowed_list"),
});

/** Pure: a thread's stat file, whose name may hold spaces and parentheses; null for anything else. */
export const parseThreadStat = (text: string | null): ThreadStat | null => {
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? [];
  const [minorFaults, userTicks, systemTicks, cpu] = [7, 11, 12, 36].map((index) => countOf(fields[index] ?? null));
  return typeof minorFaults === "number" &&
    typeof userTicks === "number" &&
    typeof systemTicks === "number" &&
    typeof cpu === "number"
    ? { minorFaults, userTicks, systemTicks, cpu }
    : null;
};

/** Pure: whether a stat file is that of a thread which sleeps and waits to be woken; null for anything else. */
export const parseAsleep = (text: string | null): boolean | null => {
  const state = /\) ([A-Za-z]) [^)]*$/u.exec(text ?? "")?.[1];
  return state === undefined ? null : state === "S";
};

/** Pure: migrations between CPUs from a thread's sched file, which not every kernel has. */
export const parseMigrations = (text: string | null): number | null =>
  countOf(/^se\.nr_migrations\s*:\s*(\d+)$/mu.exec(text ?? "")?.[1] ?? null);

const OWN_TASKS = "/proc/self/task";

/** schedstat of one thread of this process: one open, read and close, for the once-a-second and interval readings. */
export const readSchedStat = (files: Files, tid: number, tasks = OWN_TASKS): SchedStat | null =>
  parseSchedStat(files.readText(`${tasks}/${tid}/schedstat`, 256));

/** CPU time, faults and place of one thread: one open, read and close. */
export const readThreadStat = (files: Files, tid: number, tasks = OWN_TASKS): ThreadStat | null =>
  parseThreadStat(files.readText(`${tasks}/${tid}/stat`, 1024));

/** Whether a thread of this process sleeps; null where that cannot be read. */
export const readAsleep = (files: Files, tid: number, tasks = OWN_TASKS): boolean | null =>
  parseAsleep(files.readText(`${tasks}/${tid}/stat`, 1024));

/**
 * Everything that is kept for one thread; all null when it has gone.
 *
 * @param tasks the threads of which process: `/proc/PID/task`; this one's by default
 */
export const readThreadCounters = (files: Files, tid: number, tasks = OWN_TASKS): ThreadCounters => ({
  schedStat: readSchedStat(files, tid, tasks),
  stat: readThreadStat(files, tid, tasks),
  ...parseStatus(files.readText(`${tasks}/${tid}/status`, 8192)),
  migrations: parseMigrations(files.readText(`${tasks}/${tid}/sched`, 8192)),
});

/**
 * Pure: mean over threads of run delay / times run, usec, as `sched delay` reports it; a thread that never ran has no
 * say, and null is returned when none did.
 */
export const meanRunDelayUsec = (threads: readonly (SchedStat | null)[]): number | null => {
  let sum = 0;
  let counted = 0;
  for (const thread of threads) {
    if (thread === null || thread.timesRun === 0) continue;
    sum += thread.runDelayNsec / thread.timesRun / 1000;
    counted++;
  }
  return counted === 0 ? null : sum / counted;
};
