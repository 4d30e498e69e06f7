/**
 * The axes of a validation: one workload each, changing one thing from the default. This table is the one list behind
 * `validate --axes`, its plan, its tables and its documentation.
 */
import { UsageError } from "../errors.js";
import { nearestName } from "../options/values/suggest.js";
import type { Cell } from "../experiment/subject.js";

/** One axis. */
export interface Axis {
  readonly name: string;
  /** Flags that every schbench with `--split` takes, without the run time. */
  readonly flags: readonly string[];
  /** Flags for our engine alone: the reference has one pacing only. */
  readonly engineFlags?: readonly string[];
  readonly load: "closed-loop" | "rate" | "auto-rate" | "pipe";
  /** Every subject is kept on one CPU. */
  readonly oneCpu?: true;
  /** Where it differs from the default of the validation. */
  readonly runtimeSec?: number;
  readonly rounds?: number;
  /** Part of `--quick`. */
  readonly quick?: true;
}

const PACED = ["--pacing", "paced"] as const;
const BURST = ["--pacing", "burst"] as const;
/** A storm makes hundreds of thousands of requests a second: what scatters is how a run begins, so many short ones tell more. */
const STORM_SEC = 1;
/** The steering of -A needs its time to settle; so long a run is repeated less often. */
const AUTO_SEC = 15;
const AUTO_ROUNDS = 6;
const M1_T2 = ["-m", "1", "-t", "2"] as const;
const NO_WORK = ["-n", "0", "-s", "0"] as const;

const storm = <Name extends string>(name: Name, messageThreads: number, workers: number) => {
  const flags = ["-L", "-m", String(messageThreads), "-t", String(workers), ...NO_WORK] as const;
  const shared = { flags, load: "closed-loop", runtimeSec: STORM_SEC } as const;
  return [
    { ...shared, name },
    { ...shared, name: `${name}-1cpu`, oneCpu: true },
  ] as const;
};

/** Every axis, in the order of the report: what a user looks at first comes first. */
export const AXES = [
  { name: "default", flags: [...M1_T2], load: "closed-loop", quick: true },
  { name: "t1", flags: ["-m", "1", "-t", "1"], load: "closed-loop", quick: true },
  { name: "n0", flags: [...M1_T2, "-n", "0"], load: "closed-loop" },
  ...storm("storm-2x16", 2, 16),
  ...storm("storm-1x16", 1, 16),
  ...storm("storm-4x8", 4, 8),
  {
    name: "pinned-4x256",
    flags: ["-L", "-m", "4", "-M", "auto", "-t", "256", "-n", "0"],
    load: "closed-loop",
    runtimeSec: STORM_SEC,
  },
  { name: "s37", flags: [...M1_T2, "-s", "37"], load: "closed-loop" },
  { name: "F64", flags: [...M1_T2, "-F", "64"], load: "closed-loop", quick: true },
  { name: "F256", flags: [...M1_T2, "-F", "256"], load: "closed-loop" },
  { name: "F1024", flags: [...M1_T2, "-F", "1024"], load: "closed-loop" },
  { name: "F4096", flags: [...M1_T2, "-F", "4096", "-n", "1"], load: "closed-loop" },
  { name: "n1", flags: [...M1_T2, "-n", "1"], load: "closed-loop", quick: true },
  { name: "n20", flags: [...M1_T2, "-n", "20"], load: "closed-loop" },
  { name: "split0", flags: [...M1_T2, "--split", "0"], load: "closed-loop" },
  { name: "split50", flags: [...M1_T2, "--split", "50"], load: "closed-loop", quick: true },
  { name: "split100", flags: [...M1_T2, "--split", "100"], load: "closed-loop" },
  { name: "s0", flags: [...M1_T2, "-s", "0"], load: "closed-loop" },
  { name: "s500", flags: [...M1_T2, "-s", "500"], load: "closed-loop" },
  { name: "m2", flags: ["-m", "2", "-t", "2"], load: "closed-loop" },
  { name: "m4", flags: ["-m", "4", "-t", "2"], load: "closed-loop" },
  { name: "t4", flags: ["-m", "1", "-t", "4"], load: "closed-loop" },
  { name: "L", flags: [...M1_T2, "-L"], load: "closed-loop", quick: true },
  { name: "C", flags: [...M1_T2, "-C"], load: "closed-loop" },
  { name: "p4k", flags: [...M1_T2, "-p", "4096"], load: "pipe", quick: true },
  { name: "p64k", flags: [...M1_T2, "-p", "65536"], load: "pipe" },
  { name: "p1m", flags: [...M1_T2, "-p", "1048576"], load: "pipe" },
  { name: "R100-paced", flags: [...M1_T2, "-R", "100"], engineFlags: PACED, load: "rate" },
  { name: "R100-burst", flags: [...M1_T2, "-R", "100"], engineFlags: BURST, load: "rate", quick: true },
  { name: "R1000-paced", flags: [...M1_T2, "-R", "1000"], engineFlags: PACED, load: "rate" },
  { name: "R1000-burst", flags: [...M1_T2, "-R", "1000"], engineFlags: BURST, load: "rate" },
  { name: "A50", flags: [...M1_T2, "-A", "50"], load: "auto-rate", runtimeSec: AUTO_SEC, rounds: AUTO_ROUNDS },
] as const satisfies readonly Axis[];

const ALL: readonly Axis[] = AXES;

/** The axis of a name; undefined where there is none. */
export const axisNamed = (name: string): Axis | undefined => ALL.find((axis) => axis.name === name);

/** The axes of `--axes a,b` (null: all) in the order of the table, or the quick ones of them. */
export const chooseAxes = (names: readonly string[] | null, quick: boolean): readonly Axis[] => {
  const known = ALL.map((axis) => axis.name);
  for (const name of names ?? [])
    if (!known.includes(name)) {
      const near = nearestName(name, known);
      throw new UsageError(
        `unknown axis "${name}" in --axes: allowed are ${known.join(", ")}`,
        near === undefined ? undefined : `Did you mean ${near}?`,
      );
    }
  return ALL.filter((axis) => (names === null ? !quick || axis.quick === true : names.includes(axis.name)));
};

/** How often and how long; null: the axis' own, or the default. */
export interface AxisLengths {
  readonly rounds: number;
  /** Asked for: holds for every axis. */
  readonly askedRounds: number | null;
  readonly runtimeSec: number;
  readonly askedRuntimeSec: number | null;
}

/** What keeps a whole process on one CPU, whoever wrote it. */
export const CONFINING_PROGRAM = "taskset";

/**
 * The flags of an axis on these CPUs. `-M auto` gives each message thread a CPU of its own and the workers the rest: where
 * there are too few, as many message threads as leave a CPU for the workers; on a single CPU nobody is pinned.
 */
const flagsOn = (axis: Axis, cpus: readonly number[]): readonly string[] => {
  const auto = axis.flags.indexOf("-M");
  const threads = axis.flags.indexOf("-m") + 1;
  if (auto < 0 || Number(axis.flags[threads]) < cpus.length) return axis.flags;
  const fewer = axis.flags.with(threads, String(Math.max(1, cpus.length - 1)));
  return cpus.length > 1 ? fewer : fewer.toSpliced(auto, 2);
};

/** The cell that runs an axis; `cpus` are those that this process may use. */
export const cellOfAxis = (axis: Axis, lengths: AxisLengths, cpus: readonly number[]): Cell => {
  const runtimeSec = lengths.askedRuntimeSec ?? axis.runtimeSec ?? lengths.runtimeSec;
  const last = cpus.at(-1);
  return {
    name: axis.name,
    ...(axis.oneCpu === true && last !== undefined ? { prefix: [CONFINING_PROGRAM, "-c", String(last)] } : {}),
    flags: [...flagsOn(axis, cpus), "-r", String(runtimeSec)],
    engineFlags: [...(axis.engineFlags ?? [])],
    runtimeSec,
    rounds: lengths.askedRounds ?? axis.rounds ?? lengths.rounds,
  };
};

/** How a cell had to differ from its axis on the machine it was made for; null: it is the axis itself. */
export const axisNote = (axis: Axis, cell: Pick<Cell, "flags">): string | null =>
  axis.flags.every((flag, index) => cell.flags[index] === flag)
    ? null
    : `the axis is ${axis.flags.join(" ")}, for which this machine has too few CPUs`;
