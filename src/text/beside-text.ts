/**
 * What ran beside the benchmark and what each took from the other, and what the control groups of the run did, after the
 * report: a line each. They begin as no line of any schbench does.
 */
import { USEC_PER_SEC } from "../units.js";
import type { CgroupResult } from "../model/plan/cgroup-plan.js";
import type { LoadResult } from "../model/plan/load-plan.js";
import type { RunResult } from "../model/result/run-result.js";

const seconds = (value: number): string => `${value.toFixed(2)} s`;

const rate = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** By how much a rate differs from another, as `-19.4 %`; null where there is nothing to compare with. */
export const changeText = (from: number | null, to: number): string | null => {
  if (from === null || from === 0) return null;
  const percent = (100 * (to - from)) / from;
  return `${percent < 0 ? "-" : "+"}${Math.abs(percent).toFixed(1)} %`;
};

const workText = ({ work }: LoadResult): readonly string[] => {
  if (work === null) return [];
  const change = changeText(work.alonePerSec, work.perSec);
  const alone =
    work.alonePerSec === null ? "" : `, alone ${rate(work.alonePerSec)}${change === null ? "" : ` (${change})`}`;
  return [`${rate(work.perSec)} ${work.unit} a second${alone}`];
};

/** Who ran and who waited. */
const timeText = (cpuSec: number | null, waitSec: number | null): readonly string[] => [
  ...(cpuSec === null ? [] : [`ran ${seconds(cpuSec)}`]),
  ...(waitSec === null ? [] : [`waited ${seconds(waitSec)} for a CPU`]),
];

/** A command is named by its program alone: in its arguments anything may stand, and readers of reports look for numbers. */
const nameOf = ({ kind, load }: LoadResult): string => {
  if (kind !== "command") return load;
  const program = /^[^\s]*/.exec(load)?.[0] ?? "";
  return program.slice(program.lastIndexOf("/") + 1).replaceAll(/[^\w.-]/g, "") || "command";
};

const loadLine = (load: LoadResult): string => {
  const facts = [...workText(load), ...timeText(load.cpuSec, load.waitSec)];
  return `load ${nameOf(load)}: ${facts.length === 0 ? "nothing is known of it" : facts.join(", ")}`;
};

/** CPU time of all workers in the measured time, seconds; null where it is not known. */
export const workerCpuSec = ({ fingerprint }: RunResult): number | null => {
  const { userUsecPerRequest = null, systemUsecPerRequest = null } = fingerprint?.worker ?? {};
  const requests = fingerprint?.requests ?? null;
  if (userUsecPerRequest === null || systemUsecPerRequest === null || requests === null) return null;
  return ((userUsecPerRequest + systemUsecPerRequest) * requests) / USEC_PER_SEC;
};

const loadLines = (result: RunResult): readonly string[] => {
  const { loads = [] } = result;
  if (loads.length === 0) return [];
  const own = timeText(workerCpuSec(result), result.workerWaitSec ?? null);
  return [...loads.map(loadLine), ...(own.length === 0 ? [] : [`workers beside it: ${own.join(", ")}`])];
};

/** What the kernel has of a group's settings, as it writes them: `cpu.weight 100`. */
export const groupSettingsText = ({ settings }: CgroupResult): string =>
  Object.entries(settings)
    .map(([file, value]) => `${file} ${value}`)
    .join(", ");

const throttledText = ({ throttledPeriods, periods, throttledSec }: CgroupResult): readonly string[] =>
  throttledPeriods === null || periods === null || throttledSec === null || periods === 0
    ? []
    : [`throttled in ${throttledPeriods} of ${periods} periods for ${seconds(throttledSec)}`];

const groupLine = (group: CgroupResult): string => {
  const facts = [
    ...timeText(group.cpuSec, null),
    ...throttledText(group),
    ...(group.somePressureSec === null ? [] : [`some thread waited in ${seconds(group.somePressureSec)}`]),
    ...(group.fullPressureSec === null ? [] : [`all in ${seconds(group.fullPressureSec)}`]),
  ];
  return `cgroup ${group.role} (${groupSettingsText(group)}): ${facts.length === 0 ? "nothing is known of it" : facts.join(", ")}`;
};

/** The lines about loads and control groups, every line ended; empty where there were none. */
export const besideReport = (result: RunResult): string =>
  [...loadLines(result), ...(result.cgroups ?? []).map(groupLine)].map((line) => `${line}\n`).join("");
