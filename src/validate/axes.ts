/**
 * The axes of a validation: one workload each, changing one thing from the default. This table is the one list behind
 * `validate --axes`, its plan, its tables and its documentation.
 */
import { UsageError } from "../errors.js";
import { nearestName } from "../options/suggest.js";
import type { MetricId } from "../model/metrics.js";
import type { Cell } from "../experiment/subject.js";

/** One axis. */
export interface Axis {
  readonly name: string;
  /** Flags that every schbench with `--split` takes, without the run time. */
  readonly flags: readonly string[];
  /** Flags for our engine alone: the reference has one pacing only. */
  readonly engineFlags?: readonly string[];
  readonly load: "closed-loop" | "rate" | "auto-rate" | "pipe";
  /** Where it differs from the default of the validation. */
  readonly runtimeSec?: number;
  readonly rounds?: number;
  /** Part of `--quick`. */
  readonly quick?: true;
}

const PACED = ["--pacing", "paced"] as const;
const BURST = ["--pacing", "burst"] as const;
/** Pipe runs scatter more than others, so they are repeated more often. */
const PIPE_ROUNDS = 5;
/** The steering of -A needs its time to settle. */
const AUTO_SEC = 15;

/** Every axis, in the order of the report. */
export const AXES = [
  { name: "default", flags: ["-m", "1", "-t", "2"], load: "closed-loop", quick: true },
  { name: "m2", flags: ["-m", "2", "-t", "2"], load: "closed-loop" },
  { name: "m4", flags: ["-m", "4", "-t", "2"], load: "closed-loop" },
  { name: "t1", flags: ["-m", "1", "-t", "1"], load: "closed-loop", quick: true },
  { name: "t4", flags: ["-m", "1", "-t", "4"], load: "closed-loop" },
  { name: "F64", flags: ["-m", "1", "-t", "2", "-F", "64"], load: "closed-loop", quick: true },
  { name: "F1024", flags: ["-m", "1", "-t", "2", "-F", "1024"], load: "closed-loop" },
  { name: "n1", flags: ["-m", "1", "-t", "2", "-n", "1"], load: "closed-loop", quick: true },
  { name: "n20", flags: ["-m", "1", "-t", "2", "-n", "20"], load: "closed-loop" },
  { name: "s0", flags: ["-m", "1", "-t", "2", "-s", "0"], load: "closed-loop" },
  { name: "s500", flags: ["-m", "1", "-t", "2", "-s", "500"], load: "closed-loop" },
  { name: "L", flags: ["-m", "1", "-t", "2", "-L"], load: "closed-loop", quick: true },
  { name: "C", flags: ["-m", "1", "-t", "2", "-C"], load: "closed-loop" },
  { name: "R1000-paced", flags: ["-m", "1", "-t", "2", "-R", "1000"], engineFlags: PACED, load: "rate" },
  { name: "R1000-burst", flags: ["-m", "1", "-t", "2", "-R", "1000"], engineFlags: BURST, load: "rate" },
  { name: "R100-paced", flags: ["-m", "1", "-t", "2", "-R", "100"], engineFlags: PACED, load: "rate" },
  { name: "R100-burst", flags: ["-m", "1", "-t", "2", "-R", "100"], engineFlags: BURST, load: "rate", quick: true },
  { name: "A50", flags: ["-m", "1", "-t", "2", "-A", "50"], load: "auto-rate", runtimeSec: AUTO_SEC },
  { name: "split0", flags: ["-m", "1", "-t", "2", "--split", "0"], load: "closed-loop" },
  { name: "split50", flags: ["-m", "1", "-t", "2", "--split", "50"], load: "closed-loop", quick: true },
  { name: "split100", flags: ["-m", "1", "-t", "2", "--split", "100"], load: "closed-loop" },
  { name: "p4k", flags: ["-m", "1", "-t", "2", "-p", "4096"], load: "pipe", rounds: PIPE_ROUNDS, quick: true },
  { name: "p64k", flags: ["-m", "1", "-t", "2", "-p", "65536"], load: "pipe", rounds: PIPE_ROUNDS },
  { name: "p1m", flags: ["-m", "1", "-t", "2", "-p", "1048576"], load: "pipe", rounds: PIPE_ROUNDS },
] as const satisfies readonly Axis[];

const LATENCY_METRICS = ["wakeup-p99", "request-p50", "request-p99"] as const satisfies readonly MetricId[];
const WORK_METRICS = [...LATENCY_METRICS, "rps-p50", "average-rps"] as const satisfies readonly MetricId[];
const PIPE_METRICS = ["transfer-ops", "transfer-bytes", "wakeup-p99"] as const satisfies readonly MetricId[];

/** The metrics that are judged on an axis. */
export const axisMetrics = (axis: Axis): readonly MetricId[] => (axis.load === "pipe" ? PIPE_METRICS : WORK_METRICS);

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

/** The cell that runs an axis. */
export const cellOfAxis = (axis: Axis, lengths: AxisLengths): Cell => {
  const runtimeSec = lengths.askedRuntimeSec ?? axis.runtimeSec ?? lengths.runtimeSec;
  return {
    name: axis.name,
    flags: [...axis.flags, "-r", String(runtimeSec)],
    engineFlags: [...(axis.engineFlags ?? [])],
    runtimeSec,
    rounds: lengths.askedRounds ?? axis.rounds ?? lengths.rounds,
  };
};
