/** The options of the commands that judge or tabulate metrics: which metrics, what matters, what the outcome does. */
import { UsageError } from "../../errors.js";
import { BLOCK_KINDS } from "../../compare/blocks/place.js";
import type { CompareOptions } from "../../compare/compare.js";
import { isMetricId, METRIC_NAMES, type MetricId, metricOf, METRICS } from "../../model/metrics/metrics.js";
import type { OptionSpec, OptionTable, OptionValues } from "../../options/line/option-table.js";
import { nearestName } from "../../options/values/suggest.js";
import { FAIL_ON, type GateOptions } from "../../compare/gate.js";
import { comparisonFormatOption, htmlOption } from "./output-options.js";

/** The metric that counts most. */
export const primaryOption = {
  id: "primary",
  kind: "text",
  long: ["primary"],
  group: "Judgement",
  meaning: "the metric that matters most; choose it before seeing the runs",
  valueName: "METRIC",
  offered: METRIC_NAMES,
  defaultText: "request-p99; in pipe mode transfer-ops",
} as const satisfies OptionSpec;

/** What is looked at beside the primary metric. */
export const metricsOption = {
  id: "metrics",
  kind: "text",
  long: ["metrics"],
  group: "Judgement",
  meaning: "judge and show only these and the primary metric: fewer metrics mean less correction",
  valueName: "METRIC[,METRIC…]",
  offered: METRIC_NAMES,
  defaultText: "all that the runs have",
} as const satisfies OptionSpec;

/** What is too small to matter. */
export const thresholdOption = {
  id: "threshold",
  kind: "percent",
  long: ["threshold"],
  group: "Judgement",
  meaning: "ignore differences up to this; for a gate, the margin that the whole interval must stay within",
  min: 0,
  decimals: true,
  defaultText: "each metric's noise floor",
} as const satisfies OptionSpec;

/** Which runs are held against each other. */
export const blocksOption = {
  id: "blocks",
  kind: "choice",
  long: ["blocks"],
  group: "Judgement",
  meaning: "compare runs within each machine, boot or file; none: all runs as one sample",
  choices: [...BLOCK_KINDS, "none"],
  defaultText: "what the runs share: docs/statistics.md",
} as const satisfies OptionSpec;

/** How to judge, and how to show it. */
export const judgeOptions = [
  primaryOption,
  metricsOption,
  thresholdOption,
  blocksOption,
  {
    id: "check",
    kind: "flag",
    long: ["check"],
    group: "Judgement",
    meaning: "act as a gate: exit 2 on failure, 3 when undecided",
  },
  {
    id: "failOn",
    kind: "choice",
    long: ["fail-on"],
    group: "Judgement",
    meaning: "which differences fail the gate; implies --check",
    choices: FAIL_ON,
    defaultText: "worse",
  },
  {
    id: "bisect",
    kind: "flag",
    long: ["bisect"],
    group: "Judgement",
    meaning: "exit as git bisect run expects: 0 passes, 1 fails, 125 undecided or not measured",
  },
  comparisonFormatOption,
  htmlOption,
] as const satisfies OptionTable;

/** What may have been meant: figures are also thought of without their role. */
const nearNames = (word: string): readonly string[] => {
  const ofRoles = METRIC_NAMES.filter((name) => name.endsWith(`-${word}`));
  const near = ofRoles.length > 0 ? undefined : nearestName(word, METRIC_NAMES);
  return near === undefined ? ofRoles : [near];
};

/** The name of a metric; throws UsageError for a word that is none. */
const readMetric = (word: string, option: string): MetricId => {
  if (isMetricId(word)) return word;
  const near = nearNames(word);
  throw new UsageError(
    `unknown metric "${word}" for ${option}: allowed is one of ${METRICS.map(({ id }) => id).join(", ")}, another percentile, such as wakeup-p95, or a figure of the fingerprint, such as worker-migrations; of a group of workers short.wakeup-p99`,
    near.length === 0 ? undefined : `Did you mean ${near.join(" or ")}?`,
  );
};

/** The metrics that `--metrics` names; undefined where it is not given. */
const readMetrics = (list: string | null): readonly MetricId[] | undefined =>
  list?.split(",").map((word) => readMetric(word.trim(), "--metrics"));

/** The options that say how to judge. */
export type JudgingOptions = Pick<OptionValues<typeof judgeOptions>, "primary" | "metrics" | "threshold" | "blocks">;

/** The judgement's settings. */
export const compareSettings = (options: JudgingOptions, seed: number): CompareOptions => {
  const { primary, threshold, blocks } = options;
  const metrics = readMetrics(options.metrics);
  return {
    seed,
    ...(primary === null ? {} : { primaryMetric: readMetric(primary, "--primary") }),
    ...(metrics === undefined ? {} : { metrics }),
    ...(threshold === null ? {} : { noiseThreshold: threshold / 100 }),
    ...(blocks === null ? {} : { blocks }),
  };
};

/** The metrics that were asked for by name. */
export const namedMetrics = ({ primaryMetric, metrics = [] }: CompareOptions): readonly MetricId[] => [
  ...(primaryMetric === undefined ? [] : [primaryMetric]),
  ...metrics,
];

/** Whether percentiles of merged histograms are wanted: only JSON and the data in a report hold them. */
export const withMerged = ({
  format,
  html,
}: Pick<OptionValues<typeof judgeOptions>, "format" | "html">): Pick<CompareOptions, "merged"> => ({
  merged: format === "json" || html !== null,
});

/** A gate that waits for a "worse" that there cannot be would pass whatever happens. */
const refuseIdle = ({ failOn, margin, metrics }: GateOptions, primary: string | null): void => {
  const one = margin === null || primary === null ? null : [readMetric(primary, "--primary")];
  const deciding = metrics ?? one;
  if (failOn === "different" || deciding === null) return;
  if (deciding.every((id) => metricOf(id).better === "neither"))
    throw new UsageError(
      `cannot fail on ${failOn} with ${deciding.join(", ")}: neither more nor less of it is better`,
      "Fail on any difference: --fail-on different.",
    );
};

/** What the gate asks for; null: the command is none. */
export const gateOptions = (
  options: JudgingOptions & Pick<OptionValues<typeof judgeOptions>, "check" | "failOn" | "bisect">,
): GateOptions | null => {
  if (!options.check && !options.bisect && options.failOn === null) return null;
  const gate = {
    failOn: options.failOn ?? "worse",
    margin: options.threshold === null ? null : options.threshold / 100,
    metrics: readMetrics(options.metrics) ?? null,
  } as const;
  refuseIdle(gate, options.primary);
  return gate;
};
