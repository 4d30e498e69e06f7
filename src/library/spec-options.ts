/**
 * From a caller's spec to options, by the command line's own table and parser: the same ranges, defaults and words in
 * errors, with the name of the property in place of the flag's. Pure.
 */
import { UsageError } from "../errors.js";
import { cgroupSettings } from "../model/plan/cgroup-plan.js";
import { loadPlan } from "../model/plan/load-plan.js";
import { parseCommandLine } from "../options/line/command-line.js";
import { formatCgroupSettings } from "../options/values/cgroup-language.js";
import { loadText } from "../options/values/load-language.js";
import type { OptionSpec } from "../options/line/option-table.js";
import { groupRequest, schedAttributes } from "../model/plan/sched-attributes.js";
import { formatSchedAttributes } from "../model/plan/sched-text.js";
import { readValue } from "../options/line/option-value.js";
import { formatWorkerGroup } from "../options/values/worker-group.js";
import { type RunOptions, runOptions } from "../options/run/run-table.js";
import { nearestName } from "../options/values/suggest.js";

/** Options of a command that have no meaning for a caller: it has the result in hand, and tracing is the command's. */
const COMMAND_ONLY: ReadonlySet<string> = new Set([
  "jsonFile",
  "htmlFile",
  "details",
  "quiet",
  "explain",
  "fingerprint",
  "breakUsec",
  "birth",
]);

/** The one property that is not called as in the table: as in RunPlan, since pipe mode is a mode there. */
const TRANSFER = { option: "pipeBytes", property: "transferBytes" } as const;

const SCHEDULING = ["workerSched", "messageSched", "workerGroups", "unthrottled"] as const;

/** Options that upstream's schbench does not know. */
const OURS_ALONE: ReadonlySet<string> = new Set([
  "pacing",
  "engine",
  "loads",
  "loadCpus",
  "loadCgroup",
  "messageCgroup",
  "workerCgroup",
  ...SCHEDULING,
]);

const propertyOf = ({ id }: OptionSpec): string => (id === TRANSFER.option ? TRANSFER.property : id);

const SETTINGS: ReadonlyMap<string, OptionSpec> = new Map(
  runOptions.filter(({ id }) => !COMMAND_ONLY.has(id)).map((option) => [propertyOf(option), option]),
);

const unknown = (name: string): UsageError => {
  const near = nearestName(name, [...SETTINGS.keys()]);
  return new UsageError(
    `unknown setting "${name}": allowed are ${[...SETTINGS.keys()].join(", ")}`,
    near === undefined ? undefined : `Did you mean ${near}?`,
  );
};

/** A load that is written as a plan has it, as `--load` takes it; null for anything else. */
const loadTextOf = (value: unknown): string | null => {
  const { success, data } = typeof value === "object" ? loadPlan.safeParse(value) : { success: false, data: null };
  return success && data !== null ? loadText(data) : null;
};

/** Settings of a control group likewise. */
const cgroupTextOf = (value: unknown): string | null => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { success, data } = cgroupSettings.strict().safeParse(value);
  return success ? formatCgroupSettings(data) : null;
};

/** A value as an error shows it. */
export const textOf = (value: unknown): string => {
  const written = loadTextOf(value) ?? cgroupTextOf(value);
  if (written !== null) return written;
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "string" || typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "");
};

/** A value as the command line has it: scheduling attributes and groups that are written as a plan has them become text. */
const wordOf = ({ kind }: OptionSpec, value: unknown): string => {
  if (typeof value !== "object") return textOf(value);
  if (kind === "sched") {
    const { data } = schedAttributes.safeParse(value);
    if (data !== undefined) return formatSchedAttributes(data);
  }
  if (kind === "group") {
    const { data } = groupRequest.safeParse(value);
    if (data !== undefined) return formatWorkerGroup(data);
  }
  return textOf(value);
};

const checked = (name: string, option: OptionSpec, value: unknown): string => {
  const text = wordOf(option, value);
  const reading = readValue(option, text);
  // A number has no suffix here, and only a number is one: "64k" and true are for the command line and for flags.
  const isOfType = typeof value === "number" || !("min" in option);
  if (reading.value !== null && isOfType) return text;
  throw new UsageError(`invalid value "${text}" for ${name}: allowed is ${reading.allowed ?? "a number"}`);
};

const argvOf = (name: string, value: unknown): readonly string[] => {
  const option = SETTINGS.get(name);
  if (option === undefined) throw unknown(name);
  if (value === undefined) return [];
  if (option.kind === "flag") {
    if (typeof value !== "boolean")
      throw new UsageError(`invalid value "${textOf(value)}" for ${name}: allowed is true or false`);
    return value ? [`--${option.long[0]}`] : [];
  }
  const values: readonly unknown[] = "repeated" in option && Array.isArray(value) ? value : [value];
  return values.map((one) => `--${option.long[0]}=${checked(name, option, one)}`);
};

const settingsOf = (spec: object): readonly (readonly [string, unknown])[] =>
  Object.entries(spec).filter(([name]) => name !== "kind" && name !== "mode");

/**
 * The options that a spec asks for, all others at their defaults.
 *
 * @throws UsageError for an unknown setting (with the nearest name) and for a value out of range
 */
export const optionsOf = (spec: object): RunOptions =>
  parseCommandLine(
    settingsOf(spec).flatMap(([name, value]) => argvOf(name, value)),
    runOptions,
  ).options;

/** The settings as command-line flags: those that any schbench knows, and those of this one alone. */
export const flagsOf = (
  spec: object,
): { readonly flags: readonly string[]; readonly engineFlags: readonly string[] } => {
  const parts: Record<"flags" | "engineFlags", readonly string[]> = { flags: [], engineFlags: [] };
  for (const [name, value] of settingsOf(spec)) {
    const argv = argvOf(name, value);
    const part = OURS_ALONE.has(name) ? "engineFlags" : "flags";
    parts[part] = [...parts[part], ...argv];
  }
  return parts;
};
