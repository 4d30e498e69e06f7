/** What a caller asks for: subjects, a workload, what is varied, how often; and the experiment that this is. */
import { UsageError } from "../errors.js";
import { RECOMMENDED_RUNS } from "../compare/comparison-warnings.js";
import { EXPERIMENT_VERSION, type ExperimentHeader } from "../experiment/record.js";
import type { Cell, Subject } from "../experiment/subject.js";
import { planOfSettings } from "./plan-of.js";
import type { SchbenchSettings, SchbenchSpec } from "./run-spec.js";
import { flagsOf, textOf } from "./spec-options.js";

/** One implementation, or one state of the machine, under comparison. */
export interface SubjectSpec {
  readonly name: string;
  /** Another schbench in place of this engine: program and first arguments; its report is parsed. */
  readonly command?: readonly string[] | undefined;
  /** Path of the Node that runs this engine; by default the running one. */
  readonly node?: string | undefined;
  /** Settings of this subject alone, on top of the workload's. */
  readonly settings?: SchbenchSettings | undefined;
  /** Added to the environment of its runs. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Shell command before each of its runs, such as one that starts a sched_ext scheduler in the background. */
  readonly setup?: string | undefined;
  /** Shell command after the set-up, directly before the run. */
  readonly prepare?: string | undefined;
  /** Shell command after each of its runs, even after a failure. */
  readonly teardown?: string | undefined;
}

/** Values that settings take in turn: every combination is run. */
export type Vary = {
  readonly [K in Exclude<keyof SchbenchSettings, "jobname">]?: readonly NonNullable<SchbenchSettings[K]>[] | undefined;
};

/** An experiment: subjects × combinations × rounds, each combination's subjects directly after one another. */
export interface ExperimentSpec {
  /** The first is what the others are compared with. */
  readonly subjects: readonly [SubjectSpec, ...SubjectSpec[]];
  readonly workload: SchbenchSpec;
  readonly vary?: Vary | undefined;
  /** Measured runs of each subject in each combination, fixed in advance; default 6. */
  readonly rounds?: number | undefined;
  /** Runs of each subject before those, in the first combination only, that are left out; default 1. */
  readonly warmupRounds?: number | undefined;
  /** Of the random order of runs; default 1. */
  readonly seed?: number | undefined;
}

/** The one combination where nothing is varied. */
const SINGLE = "run";

interface Point {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

const pointsOf = (vary: Vary): readonly Point[] => {
  let points: readonly Point[] = [{ name: "", settings: {} }];
  for (const [name, values] of Object.entries(vary)) {
    if (values === undefined) continue;
    if (values.length === 0) throw new UsageError(`nothing to vary ${name} over: allowed is at least one value`);
    points = points.flatMap((point) =>
      values.map((value) => ({
        name: `${point.name} ${name}=${textOf(value)}`.trim(),
        settings: { ...point.settings, [name]: value },
      })),
    );
  }
  return points.map((point) => (point.name === "" ? { ...point, name: SINGLE } : point));
};

const subjectOf = (spec: SubjectSpec): Subject => {
  const { flags, engineFlags } = flagsOf(spec.settings ?? {});
  const [program, ...args] = spec.command ?? [];
  if (spec.command !== undefined && program === undefined)
    throw new UsageError(`the command of subject "${spec.name}" is empty: allowed is a program and its arguments`);
  return {
    name: spec.name,
    launch:
      program === undefined
        ? { kind: "engine", node: spec.node ?? null }
        : { kind: "external", command: [program, ...args] },
    flags: [...flags, ...(program === undefined ? engineFlags : [])],
    env: { ...spec.env },
    setup: spec.setup ?? null,
    prepare: spec.prepare ?? null,
    teardown: spec.teardown ?? null,
  };
};

/** A switch that the workload turns on is a flag on every command line: no subject can turn it off again. */
const checkSwitches = (workload: object, { name, settings = {} }: SubjectSpec): void => {
  const on = new Set(Object.entries(workload).flatMap(([id, value]) => (value === true ? [id] : [])));
  for (const [id, value] of Object.entries(settings))
    if (value === false && on.has(id))
      throw new UsageError(
        `subject "${name}" cannot turn off ${id}, which the workload turns on`,
        `Leave ${id} out of the workload, and turn it on for the other subjects.`,
      );
};

const cellOf = ({ workload, subjects }: ExperimentSpec, { name, settings }: Point): Cell => {
  const spec = { ...workload, ...settings };
  const runtimes = subjects.map((subject) => {
    checkSwitches(spec, subject);
    return planOfSettings({ ...spec, ...subject.settings }).runtimeSec;
  });
  if (runtimes.includes(0)) throw new UsageError('runtimeSec "0" would never end: an experiment needs a run time');
  const { flags, engineFlags } = flagsOf(spec);
  const runtimeSec = Math.max(...runtimes);
  return { name, flags: [...flags], engineFlags: [...engineFlags], runtimeSec, rounds: null };
};

const wholeNumber = (name: string, value: number, min: number): number => {
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw new UsageError(`invalid value "${value}" for ${name}: allowed is a whole number, ${min} or more`);
};

const checkNames = (subjects: readonly SubjectSpec[]): void => {
  const seen = new Set<string>();
  for (const { name } of subjects) {
    if (name === "") throw new UsageError('invalid name of a subject "": allowed is any text that is not empty');
    if (seen.has(name)) throw new UsageError(`two subjects are called "${name}": names must differ`);
    seen.add(name);
  }
};

/**
 * The experiment that a spec asks for, decided.
 *
 * @throws UsageError for wrong settings of any run in it
 */
export const headerOf = (spec: ExperimentSpec, startedAt: Date): ExperimentHeader => {
  const { subjects, vary = {}, rounds = RECOMMENDED_RUNS, warmupRounds = 1, seed = 1 } = spec;
  checkNames(subjects);
  const points = pointsOf(vary);
  return {
    format: "schbench-ts/experiment",
    version: EXPERIMENT_VERSION,
    kind: points.some(({ name }) => name !== SINGLE) ? "sweep" : "ab",
    subjects: subjects.map(subjectOf),
    cells: points.map((point) => cellOf(spec, point)),
    rounds: wholeNumber("rounds", rounds, 1),
    warmupRounds: wholeNumber("warmupRounds", warmupRounds, 0),
    seed: wholeNumber("seed", seed, Number.MIN_SAFE_INTEGER),
    startedAt: startedAt.toISOString(),
  };
};
