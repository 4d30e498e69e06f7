/** From parsed options back to a command line that means the same, for a command that starts another. Pure. */
import { at } from "../../at.js";
import type { CgroupSettings } from "../../model/plan/cgroup-plan.js";
import { formatCgroupSettings } from "../values/cgroup-language.js";
import type { OptionSpec, OptionTable } from "./option-table.js";
import type { AnyValue } from "./option-value.js";
import { formatSchedAttributes } from "../../model/plan/sched-text.js";
import { formatWorkerGroup } from "../values/worker-group.js";

const isList = (value: AnyValue | readonly AnyValue[]): value is readonly AnyValue[] => Array.isArray(value);

/** The kind of an option says what an object is: attributes of threads and settings of groups may look alike. */
const isOfGroup = (spec: OptionSpec, value: AnyValue): value is CgroupSettings =>
  spec.kind === "cgroup" && typeof value === "object";

/** The text that reads as a value; a CPU list is one value. */
const valueWord = (spec: OptionSpec, value: AnyValue): string => {
  if (typeof value !== "object") return String(value);
  if (isList(value)) return value.join(",");
  if (isOfGroup(spec, value)) return formatCgroupSettings(value);
  return "workers" in value ? formatWorkerGroup(value) : formatSchedAttributes(value);
};

const wordsOfOne = (spec: OptionSpec, value: AnyValue): readonly string[] => {
  const name = `--${at(spec.long, 0)}`;
  if (spec.kind === "flag") return value === true ? [name] : [];
  return [`${name}=${valueWord(spec, value)}`];
};

/**
 * The words of some options: one for each value of a repeated one; a CPU list is one value.
 *
 * @param values as parseCommandLine gives them
 */
export const optionWords = (
  table: OptionTable,
  values: Readonly<Record<string, AnyValue | readonly AnyValue[] | null>>,
): readonly string[] =>
  table.flatMap((spec) => {
    const value = values[spec.id] ?? null;
    if (value === null) return [];
    if (!isList(value)) return wordsOfOne(spec, value);
    const each = spec.kind === "cpus" ? [value.map((one) => valueWord(spec, one)).join(",")] : value;
    return each.flatMap((one) => wordsOfOne(spec, one));
  });
