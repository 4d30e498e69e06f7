/** What a validation judges on an axis: the metrics of a run, and what the kernel saw of it. */
import {
  type FigureDefinition,
  type FigureId as FingerprintId,
  FINGERPRINT_FIGURES,
} from "../model/metrics/fingerprint-figures.js";
import { type MetricDefinition, type MetricId, metricOf } from "../model/metrics/metrics.js";
import type { RunResult } from "../model/result/run-result.js";
import type { Axis } from "./axes.js";

/** The name of a judged figure. */
export type FigureId = MetricId | FingerprintId;

/** One figure of a run that is compared with the references. */
export interface JudgedFigure {
  readonly id: FigureId;
  /** As in a table, without the unit. */
  readonly label: string;
  readonly unit: MetricDefinition["unit"] | FigureDefinition["unit"];
  /** What is shown together. */
  readonly group: "latency" | "fingerprint";
  readonly quantised: boolean;
  /** Relative difference of no consequence. */
  readonly noiseFloor: number;
  /** Difference of no consequence in the figure's own unit: what decides near 0. */
  readonly absoluteFloor: number;
  /** null where the run does not have it. */
  readonly read: (result: RunResult) => number | null;
}

const LATENCIES = ["wakeup-p99", "request-p50", "request-p99"] as const satisfies readonly MetricId[];
const WORK = [...LATENCIES, "rps-p50", "average-rps"] as const satisfies readonly MetricId[];
const PIPE = ["transfer-ops", "transfer-bytes", "wakeup-p99"] as const satisfies readonly MetricId[];

/** The metrics that are judged on an axis. */
export const axisMetrics = (axis: Pick<Axis, "load">): readonly MetricId[] => (axis.load === "pipe" ? PIPE : WORK);

const latencyFigure = (id: MetricId): JudgedFigure => {
  const { label, unit, quantised, noiseFloor, read } = metricOf(id);
  return { id, label, unit, group: "latency", quantised, noiseFloor, absoluteFloor: 0, read };
};

const FINGERPRINT: readonly JudgedFigure[] = FINGERPRINT_FIGURES.map((figure) => {
  const { id, label, unit, noiseFloor, absoluteFloor, read } = figure;
  return { id, label, unit, group: "fingerprint", quantised: false, noiseFloor, absoluteFloor, read };
});

/**
 * Everything that is judged on an axis, in the order of its table: of the fingerprint what some run of a reference and some run
 * of ours have.
 */
export const axisFigures = (
  axis: Pick<Axis, "load">,
  references: readonly RunResult[],
  ours: readonly RunResult[],
): readonly JudgedFigure[] => [
  ...axisMetrics(axis).map(latencyFigure),
  ...FINGERPRINT.filter(({ read }) =>
    [references, ours].every((results) => results.some((result) => read(result) !== null)),
  ),
];
