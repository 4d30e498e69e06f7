/** The facts at the end of every report: the machine, the exact commands, what to doubt. */
import type { HostFacts, RunResult, Warning } from "../../model/result/run-result.js";
import { dataTable, textColumn } from "./data-table.js";
import { type Content, type Markup, markup } from "./markup.js";
import type { Section } from "./page.js";
import { counted, figure, UNKNOWN } from "./quantity.js";

/** Runs under a name. */
interface NamedRuns {
  readonly name: string;
  readonly runs: readonly RunResult[];
  readonly surroundings?: readonly (readonly [step: string, command: string])[];
}

const HOST_ROWS: readonly (readonly [string, (host: HostFacts) => string | number | null])[] = [
  ["host", (host) => host.hostname],
  ["kernel", (host) => host.kernel],
  ["sched_ext", (host) => host.schedExt],
  ["CPU", (host) => host.cpuModel],
  ["CPUs online", (host) => host.cpusOnline],
  ["CPUs allowed", (host) => host.cpusAllowed],
  ["governor", (host) => host.governor],
  ["SMT", (host) => host.smt],
  ["transparent huge pages", (host) => host.transparentHugepage],
  ["virtualisation", (host) => host.virtualization],
  ["container", (host) => host.container],
  ["cgroup cpu.max", (host) => host.cgroupCpuMax],
  ["load before", (host) => host.loadAverage1],
  ["memory (KiB)", (host) => (host.memoryTotalKib === null ? null : figure(host.memoryTotalKib))],
  ["Node", (host) => host.node],
  ["V8", (host) => host.v8],
];

const engineText = ({ source }: RunResult): string =>
  source.kind === "engine"
    ? `schbench-ts ${source.version}, ${source.engine} (${source.build})`
    : `${source.file}, line ${source.line} (${source.era})`;

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)];

const cell = (values: readonly string[]): Content => {
  const texts = distinct(values);
  if (texts.length === 0) return UNKNOWN;
  return texts.length <= 3 ? texts.join("; ") : `${texts.slice(0, 2).join("; ")} … ${texts.at(-1) ?? ""}`;
};

/** The machine, where only its facts are known. */
export const machineSection = (host: HostFacts): Section => ({
  id: "host",
  title: "Machine",
  body: markup`<div class="scroll" tabindex="0" role="region" aria-label="Machine">${dataTable(
    [textColumn(""), textColumn("")],
    HOST_ROWS.map(([label, read]) => [label, String(read(host) ?? UNKNOWN)]),
  )}</div>`,
});

/** The machine of each subject; a row in which the subjects differ is marked. */
export const hostSection = (subjects: readonly NamedRuns[]): Section => {
  const rows = HOST_ROWS.map(([label, read]) => ({
    label,
    cells: subjects.map(({ runs }) =>
      cell(runs.flatMap(({ host }) => (host === null ? [] : [String(read(host) ?? UNKNOWN)]))),
    ),
  }));
  const engines = { label: "made by", cells: subjects.map(({ runs }) => cell(runs.map(engineText))) };
  const several = subjects.length > 1;
  const differs = (cells: readonly Content[]): boolean => several && new Set(cells.map(String)).size > 1;
  return {
    id: "host",
    title: "Machine",
    body: markup`<div class="scroll" tabindex="0" role="region" aria-label="Machine">
        ${dataTable(
          [
            textColumn(""),
            ...(several ? subjects.map(({ name }) => textColumn(markup`<bdi>${name}</bdi>`)) : [textColumn("")]),
          ],
          [engines, ...rows].map(({ label, cells }) =>
            differs(cells)
              ? [markup`<strong>≠ ${label}</strong>`, ...cells.map((text) => markup`<strong>${text}</strong>`)]
              : [label, ...cells],
          ),
        )}
      </div>
      ${several ? markup`<p class="reading">≠ marks what differs between the subjects.</p>` : null}`,
  };
};

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** A command line as one would type it. */
const shellText = (words: readonly string[]): string => words.map(quoted).join(" ");

const commandsOf = (runs: readonly RunResult[]): readonly string[] =>
  distinct(runs.flatMap(({ commandLine }) => (commandLine === null ? [] : [shellText(commandLine)])));

const commandTable = (subjects: readonly NamedRuns[]): Markup =>
  markup`<div class="scroll" tabindex="0" role="region" aria-label="Commands">
    ${dataTable(
      [textColumn(""), textColumn("command")],
      subjects.map(({ name, runs }) => [
        markup`<bdi>${name}</bdi>`,
        markup`<code>${commandsOf(runs).join("\n") || UNKNOWN}</code>`,
      ]),
    )}
  </div>`;

/** The exact commands of each subject. */
export const commandSection = (subjects: readonly NamedRuns[]): Section => ({
  id: "commands",
  title: "Commands",
  body:
    subjects.length > 2 && subjects.every(({ surroundings }) => surroundings === undefined)
      ? commandTable(subjects)
      : subjects.map(({ name, runs, surroundings }) => {
          const commands = commandsOf(runs);
          const steps = (surroundings ?? []).map(([step, command]) => `# ${step}\n${command}`);
          const texts = [...steps, ...(steps.length > 0 ? commands.map((command) => `# run\n${command}`) : commands)];
          return markup`${subjects.length > 1 ? markup`<h3><bdi>${name}</bdi></h3>` : null}${
            texts.length === 0 ? markup`<p>The command is not known.</p>` : markup`<pre>${texts.join("\n")}</pre>`
          }`;
        }),
});

interface CollectedWarning extends Warning {
  readonly where: readonly string[];
}

/** Warnings of all runs, each said once, with the subjects it concerns. */
export const collectWarnings = (
  subjects: readonly NamedRuns[],
  general: readonly Warning[] = [],
): readonly CollectedWarning[] => {
  const found = new Map<string, CollectedWarning>();
  const add = (warning: Warning, where: readonly string[]): void => {
    const before = found.get(warning.message);
    found.set(warning.message, { ...warning, where: distinct([...(before?.where ?? []), ...where]) });
  };
  for (const warning of general) add(warning, []);
  for (const { name, runs } of subjects)
    for (const result of runs) for (const warning of result.warnings) add(warning, [name]);
  return [...found.values()];
};

/** The section of warnings; null when there are none. */
export const warningSection = (warnings: readonly CollectedWarning[], several: boolean): Section | null =>
  warnings.length === 0
    ? null
    : {
        id: "warnings",
        title: "Warnings",
        body: markup`<ul class="warnings">
          ${warnings.map(
            ({ message, cure, where }) =>
              markup`<li>
                ${message}${several && where.length > 0 ? markup` <span class="reading">(<bdi>${where.join(", ")}</bdi>)</span>` : null}${
                  cure === null ? null : markup`<span class="cure">${cure}</span>`
                }
              </li>`,
          )}
        </ul>`,
      };

/** `3 runs on testbox, Linux 6.18, 28 Nov 2026`: the line under a title. */
export const metaLine = (runs: readonly RunResult[]): Markup => {
  const hosts = distinct(runs.flatMap(({ host }) => (host === null ? [] : [host.hostname])));
  const kernels = distinct(runs.flatMap(({ host }) => (host === null ? [] : [`Linux ${host.kernel}`])));
  const models = distinct(runs.flatMap(({ host }) => host?.cpuModel ?? []));
  const dates = runs.flatMap(({ startedAt }) => startedAt?.slice(0, 10) ?? []).toSorted();
  const days = distinct([dates.at(0) ?? "", dates.at(-1) ?? ""]).filter((day) => day !== "");
  const parts = [
    counted(runs.length, "run"),
    hosts.slice(0, 3).join(", "),
    kernels.slice(0, 3).join(", "),
    models.slice(0, 2).join(", "),
    days.join(" to "),
  ].filter((part) => part !== "");
  return markup`${parts.map((part, i) => markup`${i > 0 ? " · " : ""}<bdi>${part}</bdi>`)}`;
};
