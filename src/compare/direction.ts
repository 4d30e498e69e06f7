/** Which way a difference goes. Pure. */
import type { MetricDefinition } from "../model/metrics/metrics.js";

/** The words, the gravest first; `changed`: of a metric in which neither way is better. */
export const DIRECTIONS = ["worse", "better", "changed"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The direction of a metric that became less, or more. */
export const directionOf = ({ better }: Pick<MetricDefinition, "better">, isLess: boolean): Direction => {
  if (better === "neither") return "changed";
  return isLess === (better === "lower") ? "better" : "worse";
};
