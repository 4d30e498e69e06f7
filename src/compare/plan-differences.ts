/** In which settings the plans of several runs differ: for a merge that refuses, and for a table that names what was varied. */
import type { RunResult } from "../model/result/run-result.js";

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Settings as `[dotted path, JSON of the value]`. */
const settings = (value: unknown, path: string): [string, string][] =>
  isRecord(value)
    ? Object.entries(value).flatMap(([key, inner]) => settings(inner, path === "" ? key : `${path}.${key}`))
    : [[path, JSON.stringify(value)]];

/** What is known of a run's plan: the plan itself, or, of a parsed run, its mode and command line. */
const known = (result: RunResult): ReadonlyMap<string, string> =>
  new Map(
    result.plan === null
      ? settings({ mode: result.mode, commandLine: result.commandLine?.slice(1).join(" ") ?? null }, "")
      : settings(result.plan, ""),
  );

/** One text per setting that is not the same in all runs, such as `workerThreads: 2, 4`; empty where nothing differs. */
export const differences = (results: readonly RunResult[]): readonly string[] => {
  const plans = results.map(known);
  const paths = new Set(plans.flatMap((plan) => [...plan.keys()]));
  return [...paths].flatMap((path) => {
    const values = new Set(plans.map((plan) => plan.get(path) ?? "absent"));
    return values.size === 1 ? [] : [`${path}: ${[...values].join(", ")}`];
  });
};
