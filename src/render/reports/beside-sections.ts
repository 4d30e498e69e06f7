/**
 * What was set up around the benchmark, in the report of a run: loads with what each got done and what it lost to the
 * other, and control groups with what they did.
 */
import type { CgroupResult } from "../../model/plan/cgroup-plan.js";
import { CGROUP_ROLES } from "../../model/plan/cgroup-roles.js";
import type { LoadResult } from "../../model/plan/load-plan.js";
import type { RunResult } from "../../model/result/run-result.js";
import { medianOfKnown } from "../../stats/sample.js";
import { changeText, groupSettingsText, workerCpuSec } from "../../text/beside-text.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { type Content, markup } from "../html/markup.js";
import type { Section } from "../html/page.js";
import { figure, UNKNOWN } from "../html/quantity.js";

const text = (value: number | null): Content => (value === null ? UNKNOWN : figure(value));

/** The same load in every run of a report, by its place on the command line. */
const byPlace = (runs: readonly RunResult[]): readonly (readonly LoadResult[])[] => {
  const most = Math.max(0, ...runs.map(({ loads = [] }) => loads.length));
  return Array.from({ length: most }, (_, index) => runs.flatMap(({ loads = [] }) => loads[index] ?? []));
};

const loadRow = (loads: readonly LoadResult[]): readonly Content[] => {
  const perSec = medianOfKnown(loads.map(({ work }) => work?.perSec ?? null));
  const alone = medianOfKnown(loads.map(({ work }) => work?.alonePerSec ?? null));
  return [
    markup`<bdi>${[...new Set(loads.map(({ load }) => load))].join("; ")}</bdi>`,
    [...new Set(loads.flatMap(({ work }) => work?.unit ?? []))].join("; ") || UNKNOWN,
    text(perSec),
    text(alone),
    (perSec === null ? null : changeText(alone, perSec)) ?? UNKNOWN,
    text(medianOfKnown(loads.map(({ cpuSec }) => cpuSec))),
    text(medianOfKnown(loads.map(({ waitSec }) => waitSec))),
  ];
};

/** The section about loads; null where there were none. */
export const loadSection = (runs: readonly RunResult[]): Section | null => {
  const places = byPlace(runs);
  if (places.length === 0) return null;
  const workers = [
    "workers of the benchmark",
    ...Array.from({ length: 4 }, () => ""),
    text(medianOfKnown(runs.map(workerCpuSec))),
    text(medianOfKnown(runs.map((run) => run.workerWaitSec ?? null))),
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

const groupRow = (groups: readonly CgroupResult[]): readonly Content[] => {
  const of = (read: (group: CgroupResult) => number | null): Content => text(medianOfKnown(groups.map(read)));
  return [
    [...new Set(groups.map(({ role }) => role))].join("; "),
    markup`<code>${[...new Set(groups.map(groupSettingsText))].join("; ")}</code>`,
    of(({ cpuSec }) => cpuSec),
    of(({ throttledPeriods }) => throttledPeriods),
    of(({ periods }) => periods),
    of(({ throttledSec }) => throttledSec),
    of(({ somePressureSec }) => somePressureSec),
    of(({ fullPressureSec }) => fullPressureSec),
  ];
};

/** The section about control groups; null where none was made. */
export const cgroupSection = (runs: readonly RunResult[]): Section | null => {
  const groups = CGROUP_ROLES.map((role) =>
    runs.flatMap(({ cgroups = [] }) => cgroups.filter((one) => one.role === role)),
  );
  const present = groups.filter((one) => one.length > 0);
  if (present.length === 0) return null;
  return {
    id: "cgroups",
    title: "Control groups",
    body: markup`<p class="reading">Made for the run and removed after it. Throttled: stopped by its own limit. Waited: one of its threads, or all of them, were runnable without a CPU.</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Control groups">
        ${dataTable(
          [
            textColumn("threads"),
            textColumn("set"),
            numberColumn("ran (s)"),
            numberColumn("periods throttled"),
            numberColumn("of"),
            numberColumn("throttled (s)"),
            numberColumn("some waited (s)"),
            numberColumn("all waited (s)"),
          ],
          present.map(groupRow),
        )}
      </div>`,
  };
};
