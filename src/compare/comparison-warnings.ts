/** What to doubt in a comparison, found in the runs themselves. */
import { at } from "../at.js";
import type { RunResult, Warning } from "../model/result/run-result.js";
import { kernelOf } from "../model/result/run-kernel.js";
import { harmlessWarnings } from "../model/result/warning-text.js";
import { smallestReachableP } from "../stats/significance/rank-test.js";
import { largest, smallest } from "../stats/sample.js";
import { distributionBehind, type MetricDefinition } from "../model/metrics/metrics.js";

/** A subject with its runs, in run order. */
export interface SubjectRuns {
  readonly name: string;
  readonly runs: readonly RunResult[];
}

/** The usual level of a comparison, and what is left of it for a single metric among all at most. */
const LEVEL = 0.05;
const LEVEL_AMONG_ALL = LEVEL / 2;

/** Fewer runs per subject than this give a warning: with five only a steady metric can be shown to differ among all of them. */
export const RECOMMENDED_RUNS = 6;

/** What so few runs can show against as many, put into words. */
export const shownByFew = (runs: number): string => {
  const least = smallestReachableP(runs, runs);
  if (least > LEVEL) return "no difference, however large";
  return least > LEVEL_AMONG_ALL ? "no difference, unless a single metric is looked at" : "large differences at best";
};

/** Fewer samples than this beyond a percentile, over all runs, say little about it. */
const TAIL_SAMPLES = 10;

/** Did the sched_ext scheduler change while this run went on? */
export const schedulerChanged = (run: RunResult): boolean =>
  run.environment !== null &&
  run.environment.schedExtBefore !== null &&
  run.environment.schedExtAfter !== null &&
  run.environment.schedExtBefore !== run.environment.schedExtAfter;

/** Was this run made with tracing on? */
export const wasTraced = (run: RunResult): boolean =>
  run.explanation !== null || run.warnings.some((warning) => warning.code === "traced");

const distinct = (values: readonly (string | null)[]): readonly string[] => [
  ...new Set(values.filter((value) => value !== null)),
];
const planText = (run: RunResult): string | null => (run.plan === null ? null : JSON.stringify(run.plan));

const ofSubject = ({ name, runs }: SubjectRuns, leftOut: number): Warning[] => {
  const found: Warning[] = [];
  const warn = (code: string, message: string, cure: string | null): void => {
    found.push({ code, message: `${name}: ${message}`, cure });
  };
  if (leftOut > 0)
    warn(
      "scheduler-changed",
      `${leftOut} of ${leftOut + runs.length} runs left out, the sched_ext scheduler changed while they ran`,
      "Keep one scheduler loaded during a run; the kernel log says why it left.",
    );
  if (runs.length < RECOMMENDED_RUNS)
    warn(
      "few-runs",
      `${runs.length} ${runs.length === 1 ? "run" : "runs"}, which can show ${shownByFew(runs.length)}`,
      `Make at least ${RECOMMENDED_RUNS} runs of each subject.`,
    );
  const interrupted = runs.filter((run) => run.interrupted).length;
  if (interrupted > 0) warn("interrupted", `${interrupted} of ${runs.length} runs were interrupted`, "Repeat them.");
  if (distinct(runs.map(planText)).length > 1 || distinct(runs.map((run) => run.mode)).length > 1)
    warn("mixed-plans", "its runs were not all made with the same options", "Compare runs of one plan at a time.");
  return found;
};

/** What the runs themselves warned of: one doubt for each thing, with how many runs of whom it holds for. */
const ofRuns = (subjects: readonly SubjectRuns[]): readonly Warning[] => {
  const warnings = subjects.flatMap(({ runs }) => runs.flatMap((run) => run.warnings));
  return distinct(warnings.map(({ code }) => code)).map((code) => {
    const counts = subjects.map(({ name, runs }) => ({
      name,
      carrying: runs.filter((run) => run.warnings.some((warning) => warning.code === code)).length,
      all: runs.length,
    }));
    const all = counts.reduce((sum, count) => sum + count.all, 0);
    const who = counts.every(({ carrying, all: runs }) => carrying === runs)
      ? `all ${all} runs`
      : counts
          .filter(({ carrying }) => carrying > 0)
          .map(({ name, carrying, all: runs }) => `${carrying} of ${runs} runs of ${name}`)
          .join(" and ");
    const cure = warnings.find((warning) => warning.code === code)?.cure ?? null;
    return { code, message: `${who} carry the warning ${code}`, cure };
  });
};

/** What a metric is read from, in words: all percentiles of one distribution are missing together. */
const readFrom = ({ source, label, group }: MetricDefinition): string =>
  source === null
    ? label
    : `${group === null ? "" : `${group}.`}${source.of} ${source.of === "rps" ? "samples" : "latencies"}`;

/** Runs that lack what other runs of the subject have: the subject's figures rest on the others. */
const ofMissing = (metrics: readonly MetricDefinition[], { name, runs }: SubjectRuns): Warning[] => {
  const having = new Map<string, number>();
  for (const metric of metrics) {
    const count = runs.filter((run) => metric.read(run) !== null).length;
    const known = having.get(readFrom(metric)) ?? 0;
    having.set(readFrom(metric), Math.max(known, count));
  }
  return [...having]
    .filter(([, count]) => count > 0 && count < runs.length)
    .map(([what, count]) => ({
      code: "runs-without-samples",
      message: `${name}: ${runs.length - count} of ${runs.length} runs without ${what}: ${count === 1 ? "one run counts" : `${count} runs count`} there`,
      cure: "Find out why (a run too short, or interrupted?), and repeat them.",
    }));
};

const startTimes = (runs: readonly RunResult[]): readonly number[] | null => {
  const times = runs.map((run) => (run.startedAt === null ? Number.NaN : Date.parse(run.startedAt)));
  return times.some((time) => Number.isNaN(time)) ? null : times;
};

const ofPair = (base: SubjectRuns, candidate: SubjectRuns, acrossMachines: boolean): Warning[] => {
  const found: Warning[] = [];
  const both = `${base.name} and ${candidate.name}`;
  const [baseTraced, candidateTraced] = [base.runs.some(wasTraced), candidate.runs.some(wasTraced)];
  if (baseTraced !== candidateTraced)
    found.push({
      code: "traced",
      message: `only ${baseTraced ? base.name : candidate.name} was run with tracing on, which costs latency`,
      cure: "Run both with --explain, or both without.",
    });
  const modes = distinct([...base.runs, ...candidate.runs].map((run) => run.mode));
  if (modes.length > 1)
    found.push({
      code: "mixed-modes",
      message: `${both} did different kinds of work (${modes.join(", ")})`,
      cure: "Compare runs of one mode.",
    });
  const machines = distinct([...base.runs, ...candidate.runs].map((run) => run.host?.cpuModel ?? null));
  if (machines.length > 1 && !acrossMachines)
    found.push({
      code: "different-machines",
      message: `${both} ran on different CPUs (${machines.join("; ")})`,
      cure: null,
    });
  const kernels = [base, candidate].map(({ runs }) => distinct(runs.map(kernelOf)).join(", "));
  if (kernels[0] !== kernels[1] && !kernels.includes(""))
    found.push({
      code: "different-kernels",
      message: `${both} ran on different kernels (${kernels.join("; ")})`,
      cure: "Runs of one boot each compare two boots, too: boot both several times.",
    });
  const [before, after] = [startTimes(base.runs), startTimes(candidate.runs)];
  if (before !== null && after !== null && before.length > 1 && after.length > 1)
    if (largest(before) < smallest(after) || largest(after) < smallest(before))
      found.push({
        code: "not-in-turn",
        message: `${both} were not interleaved: anything that changed on the machine in between looks like a difference between them`,
        cure: "Interleave them with schbench-ts ab, if no reboot is needed between them.",
      });
  return found;
};

const ofMetric = (metric: MetricDefinition, { name, runs }: SubjectRuns): Warning[] => {
  const { source } = metric;
  if (source === null) return [];
  const known = runs.map((run) => distributionBehind(run, metric)).filter((distribution) => distribution !== null);
  const samples = known.reduce((sum, distribution) => sum + (distribution.samples ?? 0), 0);
  const beyond = samples * (1 - source.percentile / 100);
  if (known.some((distribution) => distribution.samples === null) || beyond >= TAIL_SAMPLES || samples === 0) return [];
  return [
    {
      code: "few-tail-samples",
      message: `${name}: ${metric.label} rests on about ${Math.floor(beyond)} samples beyond it`,
      cure: "Run longer (-r), or judge by a lower percentile.",
    },
  ];
};

/** Everything to doubt, each subject first, then the pairs; `primary` is looked at for enough samples, `metrics` for runs without them. */
export const comparisonWarnings = (
  subjects: readonly SubjectRuns[],
  leftOut: readonly number[],
  {
    primary,
    metrics,
    acrossMachines = false,
  }: {
    readonly primary: MetricDefinition;
    readonly metrics: readonly MetricDefinition[];
    /** Each machine ran all subjects, so that none has other CPUs than another. */
    readonly acrossMachines?: boolean;
  },
): readonly Warning[] => {
  const [base, ...candidates] = subjects;
  return harmlessWarnings([
    ...subjects.flatMap((subject, index) => ofSubject(subject, at(leftOut, index))),
    ...subjects.flatMap((subject) => ofMissing(metrics, subject)),
    ...ofRuns(subjects),
    ...subjects.flatMap((subject) => ofMetric(primary, subject)),
    ...(base === undefined ? [] : candidates.flatMap((candidate) => ofPair(base, candidate, acrossMachines))),
  ]);
};
