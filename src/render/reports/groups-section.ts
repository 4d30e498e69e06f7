/** The groups of workers in a page about runs: who they are, and their latencies side by side. */
import { percentileIn } from "../../model/metrics/distribution.js";
import { PAGE_PERCENTILES } from "../../model/metrics/percentile-table.js";
import type { GroupResult, RunResult } from "../../model/result/run-result.js";
import { formatSchedAttributes } from "../../model/plan/sched-text.js";
import { median } from "../../stats/sample.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { type Content, markup } from "../html/markup.js";
import type { Section } from "../html/page.js";
import { figure, figureOr, spread } from "../html/quantity.js";

const LATENCIES = ["wakeup", "request"] as const;

/** Each group of workers, by itself; the runs of a page that were divided in another way have groups of their own. */
export const groupsSection = (runs: readonly RunResult[]): Section | null => {
  const names = [...new Set(runs.flatMap(({ groups }) => groups.map(({ name }) => name)))];
  if (names.length === 0) return null;
  const rows = names.map((name): readonly Content[] => {
    const parts = runs.flatMap(({ groups }) => groups.filter((group) => group.name === name));
    const [first] = parts;
    const cell = (read: (part: GroupResult) => number | null): Content => {
      const values = parts.flatMap((part) => read(part) ?? []);
      return values.length === 0 ? "–" : markup`${figure(median(values))}${spread(values, "")}`;
    };
    return [
      name,
      figureOr(first?.workers ?? null),
      first === undefined || first.sched === null ? "as this process" : formatSchedAttributes(first.sched),
      ...LATENCIES.flatMap((latency) =>
        PAGE_PERCENTILES.map((percentile) => cell((part) => percentileIn(part[latency], percentile))),
      ),
      cell(({ averageRps }) => averageRps),
    ];
  });
  const columns = [
    textColumn("group"),
    numberColumn("workers"),
    textColumn("attributes"),
    ...LATENCIES.flatMap((latency) =>
      PAGE_PERCENTILES.map((percentile) => numberColumn(`${latency} p${percentile} (µs)`)),
    ),
    numberColumn("average rps"),
  ];
  return {
    id: "groups",
    title: "Worker groups",
    body: markup`<div class="scroll" tabindex="0" role="region" aria-label="Worker groups">${dataTable(columns, rows)}</div>`,
  };
};
