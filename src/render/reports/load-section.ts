/** What ran beside the benchmark on purpose, in the report of a run: what each got done, and what it lost to the other. */
import type { LoadResult } from "../../model/load-plan.js";
import type { RunResult } from "../../model/run-result.js";
import { median } from "../../stats/sample.js";
import { changeText, workerCpuSec, workerWaitSec } from "../../text/load-text.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { type Content, markup } from "../html/markup.js";
import type { Section } from "../html/page.js";
import { figure, UNKNOWN } from "../html/quantity.js";

const medianOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : median(known);
};

const text = (value: number | null): Content => (value === null ? UNKNOWN : figure(value));

/** The same load in every run of a report, by its place on the command line. */
const byPlace = (runs: readonly RunResult[]): readonly (readonly LoadResult[])[] => {
  const most = Math.max(0, ...runs.map(({ loads = [] }) => loads.length));
  return Array.from({ length: most }, (_, index) => runs.flatMap(({ loads = [] }) => loads[index] ?? []));
};

const loadRow = (loads: readonly LoadResult[]): readonly Content[] => {
  const perSec = medianOf(loads.map(({ work }) => work?.perSec ?? null));
  const alone = medianOf(loads.map(({ work }) => work?.alonePerSec ?? null));
  return [
    markup`<bdi>${[...new Set(loads.map(({ load }) => load))].join("; ")}</bdi>`,
    [...new Set(loads.flatMap(({ work }) => work?.unit ?? []))].join("; ") || UNKNOWN,
    text(perSec),
    text(alone),
    (perSec === null ? null : changeText(alone, perSec)) ?? UNKNOWN,
    text(medianOf(loads.map(({ cpuSec }) => cpuSec))),
    text(medianOf(loads.map(({ waitSec }) => waitSec))),
  ];
};

/** The section about loads; null where there were none. */
export const loadSection = (runs: readonly RunResult[]): Section | null => {
  const places = byPlace(runs);
  if (places.length === 0) return null;
  const workers = [
    "workers of the benchmark",
    ...Array.from({ length: 4 }, () => ""),
    text(medianOf(runs.map(workerCpuSec))),
    text(medianOf(runs.map(workerWaitSec))),
  ];
  return {
    id: "loads",
    title: "Beside it",
    body: markup`<p class="reading">What ran beside the benchmark on purpose. Alone: the rate of the same threads right before the benchmark's were created. Waited: runnable, while others had the CPU.</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Loads">
        ${dataTable(
          [
            textColumn("load"),
            textColumn("counts"),
            numberColumn("per second"),
            numberColumn("alone"),
            numberColumn("change"),
            numberColumn("ran (s)"),
            numberColumn("waited (s)"),
          ],
          [...places.map(loadRow), workers],
        )}
      </div>`,
  };
};
