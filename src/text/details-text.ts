/**
 * The block of `--details`, after the standard report: what schbench's tables leave out. Everything in it is in the
 * JSON anyway, thread by thread; here many threads become a minimum, a median and a maximum.
 */
import { at } from "../at.js";
import { percentileIn } from "../model/metrics/distribution.js";
import { PERCENTILES } from "../model/metrics/percentile-table.js";
import { fingerprintLines } from "./fingerprint-text.js";
import { percentileTable, TABLES } from "./percentile-table.js";
import { ascending, medianOfAscending } from "../stats/sample.js";
import type { Distribution, RateOutcome, RunResult, ThreadResult } from "../model/result/run-result.js";

/** So many samples must lie beyond a percentile before it says anything. */
const SAMPLES_BEYOND = 10;

const TAIL_PERCENTILE = Math.max(...PERCENTILES);

const samplesBeyond = (distribution: Distribution): number =>
  Math.round(((distribution.samples ?? 0) * (100 - TAIL_PERCENTILE)) / 100);

const number = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(1));

const spread = (values: readonly number[]): string => {
  const sorted = ascending(values);
  const [lowest, highest] = [at(sorted, 0), at(sorted, sorted.length - 1)];
  return sorted.length === 1
    ? number(lowest)
    : `${number(lowest)} / ${number(medianOfAscending(sorted))} / ${number(highest)}`;
};

/** One line of per-thread figures; none when no thread has the figure. */
const spreadLine = (
  label: string,
  threads: readonly ThreadResult[],
  figure: (thread: ThreadResult) => number | null,
): readonly string[] => {
  const values = threads.map(figure).filter((value) => value !== null);
  return values.length === 0 ? [] : [`\t${label}: ${spread(values)}`];
};

const threadLines = (title: string, threads: readonly ThreadResult[]): readonly string[] => {
  const lines = [
    ...spreadLine("requests done", threads, (thread) => thread.loops),
    ...spreadLine("voluntary context switches", threads, (thread) => thread.voluntarySwitches),
    ...spreadLine("involuntary context switches", threads, (thread) => thread.involuntarySwitches),
    ...spreadLine("migrations", threads, (thread) => thread.migrations),
    ...spreadLine("run delay (usec)", threads, (thread) => thread.runDelayUsec),
    ...spreadLine("run delay per time run (usec)", threads, ({ runDelayUsec, timesRun }) =>
      runDelayUsec === null || timesRun === null || timesRun === 0 ? null : runDelayUsec / timesRun,
    ),
  ];
  if (lines.length === 0) return [];
  const each = threads.length === 1 ? "1 thread" : `${threads.length} threads, min / median / max`;
  return [`${title} (${each})`, ...lines];
};

const fairnessLine = (workers: readonly ThreadResult[]): readonly string[] => {
  const loops = workers.map((worker) => worker.loops).filter((value) => value !== null);
  const most = Math.max(...loops);
  if (loops.length < 2 || most === 0) return [];
  const least = Math.min(...loops);
  return [`\tfairness: the slowest worker did ${((100 * least) / most).toFixed(1)} % of the fastest one's requests`];
};

/** What was due and neither sent nor dropped: the sender was behind. */
const notSent = ({ offered, sent, dropped }: RateOutcome): readonly string[] => {
  if (offered === null || sent === null || dropped === null) return [];
  const unsent = offered - sent - dropped;
  return unsent === 0 ? [] : [`not sent in time ${unsent}`];
};

const rateLines = ({ rate }: RunResult): readonly string[] => {
  if (rate === null) return [];
  const counts = [
    rate.offered === null ? [] : [`offered ${rate.offered}`],
    rate.sent === null ? [] : [`sent ${rate.sent}`],
    rate.dropped === null ? [] : [`dropped ${rate.dropped}`],
    notSent(rate),
  ].flat();
  const late = rate.lateness;
  return [
    ...(counts.length === 0 ? [] : [`requests: ${counts.join(", ")}`]),
    ...(late === null
      ? []
      : [
          `sent after due (usec): p50 ${percentileIn(late, 50) ?? "-"}, p99 ${percentileIn(late, 99) ?? "-"}, max ${late.max ?? "-"}`,
        ]),
  ];
};

/** The highest percentiles with what they rest on. */
const tailLines = (result: RunResult): readonly string[] =>
  Object.entries({ wakeup: result.wakeup, request: result.request, response: result.response }).flatMap(
    ([name, distribution]) => {
      const value = percentileIn(distribution, TAIL_PERCENTILE);
      if (distribution === null || distribution.samples === null || value === null) return [];
      const beyond = samplesBeyond(distribution);
      return [
        `tail of ${name}: ` +
          (beyond < SAMPLES_BEYOND
            ? `p${TAIL_PERCENTILE} is not shown (samples beyond it: ${beyond}, needed: ${SAMPLES_BEYOND})`
            : `p${TAIL_PERCENTILE} ${value} usec (samples beyond it: ${beyond})`),
      ];
    },
  );

const percent = (label: string, value: number | null): readonly string[] =>
  value === null ? [] : [`${label} ${value.toFixed(2)} %`];

const environmentLines = ({ environment }: RunResult): readonly string[] => {
  if (environment === null) return [];
  const facts = [
    ...percent("busy", environment.busyPercent),
    ...percent("steal", environment.stealPercent),
    ...percent("some task waited for a CPU", environment.cpuPressureSomePercent),
  ];
  return facts.length === 0 ? [] : [`machine during the run: ${facts.join(", ")}`];
};

/** The details of a run, every line ended; empty when there is nothing to add. */
export const detailsReport = (result: RunResult): string => {
  const workers = result.threads.filter((thread) => thread.role === "worker");
  const messages = result.threads.filter((thread) => thread.role === "message");
  const thin = result.response !== null && samplesBeyond(result.response) < SAMPLES_BEYOND;
  const layout = thin ? { ...TABLES.response, hidden: [...TABLES.response.hidden, TAIL_PERCENTILE] } : TABLES.response;
  const lines = [
    ...(result.response === null
      ? []
      : percentileTable(layout, result.response, { runtimeSec: result.runtimeSec, reported: true })),
    ...rateLines(result),
    ...tailLines(result),
    ...threadLines("worker threads", workers),
    ...fairnessLine(workers),
    ...threadLines("message threads", messages),
    ...fingerprintLines(result),
    ...environmentLines(result),
  ];
  return lines.map((line) => `${line}\n`).join("");
};
