/**
 * A run result checked against itself. Whatever is read (a result, a store, the data in a report, another schbench's output)
 * goes through this: a count that damage, an editor or another program changed must not become a verdict. What holds for
 * every run is here; what only our engine counts is asked of our engine's results. Pure, and free of the schema library.
 */
import {
  ascend,
  type Contradiction,
  distributionContradictions,
  orderContradictions,
  samplesIn,
  type TableDoubts,
} from "./distribution-check.js";
import type { Distribution, GroupResult, RunResult } from "./run-result.js";

const DISTRIBUTIONS = ["wakeup", "request", "response", "rps"] as const;

/** What a phase and a group have in common. */
type Part = Pick<GroupResult, "loops" | "wakeup" | "request" | "response">;

const under = (path: Contradiction["path"], found: Iterable<Contradiction>): readonly Contradiction[] =>
  [...found].map((inner) => ({ path: [...path, ...inner.path], message: inner.message }));

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The sum; null where one is not known. */
const known = (values: readonly (number | null)[]): number | null =>
  values.every((value) => value !== null) ? sumOf(values) : null;

/** Equal but for what dividing and multiplying floating-point numbers loses. */
const agree = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b));

/** What a result says of the tables it was read from. */
const doubtsOf = ({ warnings }: RunResult): TableDoubts => {
  const codes = new Set(warnings.map(({ code }) => code));
  return {
    racedRows: codes.has("samples-do-not-add-up"),
    wrongMinimum: codes.has("minimum-too-high") || codes.has("rps-first-sample"),
  };
};

function* tables(result: RunResult): Generator<readonly [Contradiction["path"], Distribution | null]> {
  for (const name of DISTRIBUTIONS) yield [[name], result[name]];
  if (result.rate !== null) yield [["rate", "lateness"], result.rate.lateness];
  for (const [index, interval] of result.intervals.entries())
    for (const name of ["wakeup", "request", "rps"] as const) yield [["intervals", index, name], interval[name]];
  for (const list of ["phases", "groups"] as const)
    for (const [index, part] of result[list].entries())
      for (const name of ["wakeup", "request", "response"] as const) yield [[list, index, name], part[name]];
}

function* units(result: RunResult): Generator<Contradiction> {
  for (const [path, distribution] of tables(result)) {
    const unit = path.at(-1) === "rps" ? "requests/s" : "usec";
    if (distribution !== null && distribution.unit !== unit)
      yield { path: [...path, "unit"], message: `it is ${unit}` };
  }
}

function* modes({ mode, plan, rate, transfer }: RunResult): Generator<Contradiction> {
  if (plan !== null && mode !== null && plan.mode !== mode)
    yield { path: ["mode"], message: `the plan's mode is ${plan.mode}` };
  if (rate !== null && mode !== null && mode !== "rate") yield { path: ["rate"], message: `the mode is ${mode}` };
  if (transfer !== null && mode !== null && mode !== "pipe")
    yield { path: ["transfer"], message: `the mode is ${mode}` };
}

function* times({ source, runtimeSec, measuredSec, intervals, seconds, phases }: RunResult): Generator<Contradiction> {
  // Upstream prints whole seconds: one that was stopped in its first has a run time of 0.
  if (runtimeSec === 0 && source.kind === "engine") yield { path: ["runtimeSec"], message: "a run takes time" };
  if (runtimeSec !== null && measuredSec !== null && measuredSec > runtimeSec && !agree(measuredSec, runtimeSec))
    yield { path: ["measuredSec"], message: `the whole run took ${runtimeSec}` };
  // The text of a run may round either.
  const isBeyond = (atSec: number): boolean =>
    source.kind === "engine" && runtimeSec !== null && atSec > runtimeSec && !agree(atSec, runtimeSec);
  for (const [name, readings] of [
    ["intervals", intervals],
    ["seconds", seconds],
  ] as const)
    for (const [index, { atSec }] of readings.entries()) {
      const before = readings[index - 1];
      if (before !== undefined && atSec < before.atSec)
        yield { path: [name, index, "atSec"], message: `the one before it was at ${before.atSec}` };
      if (isBeyond(atSec)) yield { path: [name, index, "atSec"], message: `the whole run took ${runtimeSec}` };
    }
  for (const [index, { startSec, endSec }] of phases.entries()) {
    if (endSec < startSec) yield { path: ["phases", index, "endSec"], message: `it begins at ${startSec}` };
    if (isBeyond(endSec)) yield { path: ["phases", index, "endSec"], message: `the whole run took ${runtimeSec}` };
  }
}

/** Rates follow from counts and times. */
function* rates({ averageRps, transfer, loops, measuredSec, rate }: RunResult): Generator<Contradiction> {
  if (loops !== null && measuredSec !== null && measuredSec > 0)
    for (const [path, value] of [
      [["averageRps"], averageRps],
      [["transfer", "opsPerSecTotal"], transfer?.opsPerSecTotal ?? null],
    ] as const)
      if (value !== null && !agree(value, loops / measuredSec))
        yield { path: [...path], message: `${loops} in ${measuredSec} s are ${loops / measuredSec}` };
  if (rate === null) return;
  // The rest was due and not sent in time.
  const sentOrDropped = known([rate.sent, rate.dropped]);
  if (rate.offered !== null && sentOrDropped !== null && rate.offered < sentOrDropped)
    yield { path: ["rate", "offered"], message: `${rate.sent} were sent and ${rate.dropped} dropped` };
}

/** Each request is one sample, each worker's requests are part of the whole. */
function* requests({ mode, loops, request, response, threads, plan }: RunResult): Generator<Contradiction> {
  if (loops !== null && mode !== "pipe")
    for (const [name, distribution] of [
      ["request", request],
      ["response", response],
    ] as const)
      if (distribution !== null && distribution.samples !== loops)
        yield { path: [name, "samples"], message: `${loops} requests were done` };
  if (threads.length === 0) return;
  const workers = threads.filter(({ role }) => role === "worker");
  const done = known(workers.map((worker) => worker.loops));
  if (loops !== null && done !== null && done !== loops)
    yield { path: ["loops"], message: `those of the workers add up to ${done}` };
  // A merged result has the threads of all its runs.
  const messages = threads.length - workers.length;
  if (plan !== null && (messages % plan.messageThreads !== 0 || workers.length !== messages * plan.workerThreads))
    yield {
      path: ["threads"],
      message: `${messages} message threads and ${workers.length} workers are not ${plan.messageThreads} with ${plan.workerThreads} each`,
    };
}

/** What was read in the middle of a run is part of the whole, and so is each second. */
function* parts({ wakeup, request, intervals, seconds }: RunResult): Generator<Contradiction> {
  for (const [name, whole] of [
    ["wakeup", wakeup],
    ["request", request],
  ] as const) {
    const most = whole === null ? 0 : whole.samples;
    for (const [index, interval] of intervals.entries()) {
      const samples = interval[name]?.samples ?? null;
      if (most !== null && samples !== null && samples > most)
        yield { path: ["intervals", index, name, "samples"], message: `the whole run has ${most}` };
    }
    let total = 0;
    for (const [index, second] of seconds.entries()) {
      const buckets = second[name] ?? [];
      if (!ascend(buckets)) yield* under(["seconds", index, name], orderContradictions(buckets));
      total += samplesIn(buckets);
    }
    if (most !== null && total > most)
      yield { path: ["seconds"], message: `their ${name} histograms hold ${total}, the whole run ${most}` };
  }
}

/** The phases add up to the whole, and so do the groups of workers. */
function* sums(result: RunResult, name: "phases" | "groups"): Generator<Contradiction> {
  const { loops, wakeup, request, response } = result;
  const all: readonly Part[] = result[name];
  if (all.length === 0) return;
  const sumIn = (read: (part: Part) => number | null): number | null => known(all.map(read));
  for (const [what, whole, sum] of [
    ["loops", loops, sumIn((part) => part.loops)],
    ["wakeup", wakeup?.samples ?? 0, sumIn((part) => part.wakeup?.samples ?? 0)],
    ["request", request?.samples ?? 0, sumIn((part) => part.request?.samples ?? 0)],
    ["response", response?.samples ?? 0, sumIn((part) => part.response?.samples ?? 0)],
  ] as const)
    if (whole !== null && sum !== null && whole !== sum)
      yield { path: [name], message: `their ${what} add up to ${sum}, the whole run has ${whole}` };
}

function* stamps({ slowWakeups }: RunResult): Generator<Contradiction> {
  for (const [index, { wakeNsec, runNsec }] of slowWakeups.entries())
    if (runNsec < wakeNsec) yield { path: ["slowWakeups", index, "runNsec"], message: `it was woken at ${wakeNsec}` };
}

/** What in a result contradicts the rest of it; nothing for a sound one. */
export function* contradictionsIn(result: RunResult): Generator<Contradiction> {
  const doubts = doubtsOf(result);
  for (const [path, distribution] of tables(result))
    if (distribution !== null) yield* under(path, distributionContradictions(distribution, doubts));
  yield* units(result);
  yield* modes(result);
  yield* times(result);
  yield* stamps(result);
  if (result.source.kind !== "engine") return;
  yield* rates(result);
  yield* requests(result);
  yield* parts(result);
  yield* sums(result, "phases");
  yield* sums(result, "groups");
}
