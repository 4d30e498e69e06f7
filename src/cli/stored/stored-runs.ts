/** The runs in an input, as far as may be line by line: a store or a file of results may be larger than memory. */
import { ParseError } from "../../errors.js";
import type { ExperimentHeader, RunRecord } from "../../experiment/record.js";
import { experimentReader, isExperiment, type StoredExperiment } from "../../experiment/read-experiment.js";
import type { RunResult } from "../../model/result/run-result.js";
import { type MetricId, metricsNamed } from "../../model/metrics/metrics.js";
import { onlyFigures } from "../../model/metrics/only-figures.js";
import { withoutCourse } from "../../model/result/without-course.js";
import { mayBeJsonLines, resultsInLine } from "../../parse/json/json-lines.js";
import type { Io } from "../io/command.js";
import type { OpenText } from "../io/open-text.js";

/** What is kept of a run once it has been read and checked; the less, the more runs fit. */
export type Keep = (run: RunResult) => RunResult;

/** The runs with all that was read. */
export const keepAll: Keep = (run) => run;

/** Of this many runs the histograms are kept: they fill some 200 MB. */
const MOST_HISTOGRAMS = 5000;

/** Which metrics are asked for by name is known when the first experiment has been read. */
const figuresOf = (metrics: () => readonly MetricId[]): Keep => {
  let figures: Keep | null = null;
  return (run) => (figures ??= onlyFigures(metricsNamed(metrics())))(run);
};

/** Runs that are judged need no course; of many thousands, only their figures are kept. */
export const keepForJudging = (metrics: () => readonly MetricId[]): Keep => {
  const figures = figuresOf(metrics);
  let seen = 0;
  return (run) => (seen++ < MOST_HISTOGRAMS ? withoutCourse(run) : figures(run));
};

/** So many runs are drawn one by one. */
const MOST_WHOLE = 100;

/** What a page shows of a run among many: neither its readings nor its seconds' histograms. */
const forPage: Keep = (run) => ({
  ...run,
  intervals: [],
  phases: [],
  slowWakeups: [],
  seconds: run.seconds.map((second) => ({ ...second, wakeup: null, request: null })),
});

/** Runs that a page shows: of more than a hundred not the course, of many thousands only their figures. */
export const keepForPage = (
  metrics: () => readonly MetricId[],
): { readonly keep: Keep; /** Makes runs alike once all were read. */ readonly level: Keep } => {
  const figures = figuresOf(metrics);
  let seen = 0;
  return {
    keep: (run) => {
      seen++;
      if (seen > MOST_HISTOGRAMS) return figures(run);
      return seen > MOST_WHOLE ? forPage(run) : run;
    },
    level: (run) => (seen > MOST_HISTOGRAMS ? figures(run) : run),
  };
};

/** So many runs are read whole: with warm-ups and copies among them, one of them may be the only one. */
const WHOLE_RUNS = 100;

/** A merged result has no course; a run that turns out to be the only one is handed on as it is. */
export const keepForMerging = (): Keep => {
  let seen = 0;
  return (run) => (seen++ < WHOLE_RUNS ? run : { ...run, intervals: [], seconds: [], phases: [] });
};

/** A crash or a full disk cuts off the last line of a store, never more. */
const warnOfCutLine = (file: string, { stderr }: Pick<Io, "stderr">): void =>
  stderr.write(
    `schbench-ts: warning: the last line of ${file} is cut off; its run is left out\nContinue the experiment to repeat that run, or copy the file again.\n`,
  );

/** How a store is read. */
interface StoreReading {
  readonly keep: Keep;
  readonly io: Pick<Io, "stderr">;
  /** Told what was planned, before the first run is read. */
  readonly onHeader?: ((header: ExperimentHeader) => void) | undefined;
}

/** The experiment in an input, with a warning on stderr if its last line is cut off; null: it has no whole line. */
export const readStore = async (
  input: OpenText,
  file: string,
  { keep, io, onHeader }: StoreReading,
): Promise<StoredExperiment | null> => {
  const keepRecord = (record: RunRecord): RunRecord =>
    record.result === null ? record : { ...record, result: keep(record.result) };
  const reader = experimentReader(file, keepRecord);
  let tail = "";
  for await (const batch of input.lines()) {
    for (const line of batch.lines) {
      const isFirst = reader.header() === null;
      reader.take(line);
      const header = reader.header();
      if (isFirst && header !== null) onHeader?.(header);
    }
    tail = batch.tail;
  }
  const stored = reader.end(tail);
  if (stored?.damaged === true) warnOfCutLine(file, io);
  return stored;
};

/** The results, where each line is a JSON value; null: it is no such file, or holds no result. */
const resultsByLine = async (
  input: OpenText,
  file: string,
  { keep, io }: { readonly keep: Keep; readonly io: Pick<Io, "stderr"> },
): Promise<readonly RunResult[] | null> => {
  const results: RunResult[] = [];
  let number = 0;
  for await (const { lines, tail } of input.lines())
    for (const line of tail === "" ? lines : [...lines, tail]) {
      number++;
      const found = resultsInLine(line, file, number);
      if (found === null && line === tail && isExperiment(input.head)) {
        warnOfCutLine(file, io);
        break;
      }
      if (found === null && input.isShort()) return null;
      if (found === null)
        throw new ParseError("not a line of JSON: a file of this length is read line by line", file, number);
      for (const result of found) results.push(keep(result));
    }
  return results.length === 0 ? null : results;
};

/**
 * Every run in an input that is no experiment, in order.
 *
 * @throws ParseError
 */
export const readRuns = async (
  input: OpenText,
  file: string,
  {
    parse,
    keep,
    io,
  }: {
    readonly parse: (text: string, file: string) => readonly RunResult[];
    readonly keep: Keep;
    readonly io: Pick<Io, "atOnce" | "stderr">;
  },
): Promise<readonly RunResult[]> => {
  const byLine = mayBeJsonLines(input.head) ? await resultsByLine(input, file, { keep, io }) : null;
  if (byLine !== null) return byLine;
  const text = await input.text();
  return io.atOnce(() => parse(text, file)).map((run) => keep(run));
};
