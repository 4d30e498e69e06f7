/**
 * The groups of workers after the standard report: who they are, and a table of each latency with a row per group. No line
 * of it can be taken for one of schbench's own tables.
 */
import { at } from "../at.js";
import { counted } from "../counted.js";
import { percentileIn } from "../model/metrics/distribution.js";
import { rowsOf } from "../model/metrics/percentile-table.js";
import type { GroupResult, RunResult } from "../model/result/run-result.js";
import { formatSchedAttributes } from "../model/plan/sched-text.js";
import { orDash } from "./percentile-table.js";

const LATENCIES = ["wakeup", "request", "response"] as const;

/** `  short  4 threads, slice=500, average rps 1024.50`. */
const introduction = (group: GroupResult, width: number): string => {
  const parts = [
    counted(group.workers, "thread"),
    ...(group.sched === null ? [] : [formatSchedAttributes(group.sched)]),
    ...(group.averageRps === null ? [] : [`average rps ${group.averageRps.toFixed(2)}`]),
  ];
  return `  ${group.name.padEnd(width)}  ${parts.join(", ")}`;
};

/** Rows of equal columns: the first to the left, numbers to the right. */
const aligned = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = at(rows, 0).map((_, column) => Math.max(...rows.map((row) => at(row, column).length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(at(widths, column)) : cell.padStart(at(widths, column))))
      .join("  "),
  );
};

const latencyTable = (groups: readonly GroupResult[], name: (typeof LATENCIES)[number]): readonly string[] => {
  if (groups.every((group) => group[name] === null)) return [];
  const percentiles = rowsOf(name);
  const head = ["", ...percentiles.map((percentile) => `p${percentile}`), "max", "samples"];
  const rows = groups.map((group) => [
    group.name,
    ...percentiles.map((percentile) => orDash(percentileIn(group[name], percentile))),
    orDash(group[name]?.max ?? null),
    orDash(group[name]?.samples ?? (group[name] === null ? 0 : null)),
  ]);
  return [`${name} latencies by group (usec)`, ...aligned([head, ...rows]).map((line) => `  ${line}`)];
};

/** The groups of a run, every line ended; empty without groups. */
export const groupsReport = ({ groups }: RunResult): string => {
  if (groups.length === 0) return "";
  const width = Math.max(...groups.map(({ name }) => name.length));
  const lines = [
    "worker groups",
    ...groups.map((group) => introduction(group, width)),
    ...LATENCIES.flatMap((name) => latencyTable(groups, name)),
  ];
  return lines.map((line) => `${line}\n`).join("");
};
