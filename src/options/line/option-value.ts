/** From the text of one option's value to the value, by the kind of the option; numbers are read strictly. */
import type { GroupRequest, SchedAttributes } from "../../model/plan/sched-attributes.js";
import type { CgroupSettings } from "../../model/plan/cgroup-plan.js";
import { readCgroupSettings } from "../values/cgroup-language.js";
import { readCpuList } from "../values/cpu-list.js";
import { type NumberSpec, type OptionSpec, valueName } from "./option-table.js";
import { readSchedAttributes } from "../values/sched-language.js";
import { readWorkerGroup } from "../values/worker-group.js";

/** Any single value an option can have. */
export type AnyValue = boolean | number | string | readonly number[] | SchedAttributes | GroupRequest | CgroupSettings;

/** Outcome of reading a value: the value, or what would have been allowed in its place. */
export type ValueReading =
  | { readonly value: AnyValue; readonly allowed: null }
  | { readonly value: null; readonly allowed: string };

const UNIT_NAMES = {
  count: "a whole number",
  seconds: "whole seconds",
  usec: "whole microseconds",
  kib: "KiB",
  percent: "a percentage",
  bytes: "bytes",
} as const satisfies Record<NumberSpec["kind"], string>;

const SUFFIX_FACTORS: Readonly<Record<string, readonly [bytes: number, kib: number]>> = {
  "": [1, 1],
  k: [1024, 1],
  m: [1024 * 1024, 1024],
};

const isSize = (spec: NumberSpec) => spec.kind === "bytes" || spec.kind === "kib";

/** Largest value of a number option. */
export const maxOf = (spec: NumberSpec): number =>
  spec.max ?? (spec.kind === "percent" ? 100 : Number.MAX_SAFE_INTEGER);

/** What a number option allows, in words: "a whole number from 1 to 5", "bytes, 0 or more, or with k or m as in 64k". */
export const allowedNumbers = (spec: NumberSpec): string => {
  const unit = spec.decimals ? UNIT_NAMES[spec.kind].replace("whole ", "") : UNIT_NAMES[spec.kind];
  const max = maxOf(spec);
  const suffix = isSize(spec) ? ", with k or m if wanted (64k)" : "";
  if (max < Number.MAX_SAFE_INTEGER) return `${unit} from ${spec.min} to ${max}${suffix}`;
  if (spec.min === Number.MIN_SAFE_INTEGER) return `${unit}${suffix}`;
  return `${unit}, ${spec.min} or more${suffix}`;
};

const NUMBER = /^(-?\d+)()$/;
const DECIMAL = /^(-?\d+(?:\.\d+)?)()$/;
const SIZE = /^(-?\d+)([kKmM]?)$/;

const readNumber = (spec: NumberSpec, text: string): number | null => {
  const pattern = isSize(spec) ? SIZE : spec.decimals ? DECIMAL : NUMBER;
  const [, digits, suffix] = pattern.exec(text) ?? [];
  if (digits === undefined || suffix === undefined) return null;
  const [bytes, kib] = SUFFIX_FACTORS[suffix.toLowerCase()] ?? [1, 1];
  const value = Number(digits) * (spec.kind === "kib" ? kib : bytes) + 0;
  return value >= spec.min && value <= maxOf(spec) ? value : null;
};

const reading = (value: AnyValue | null | undefined, allowed: string): ValueReading =>
  value === null || value === undefined ? { value: null, allowed } : { value, allowed: null };

/** Reads the value of an option that takes one. */
export const readValue = (spec: OptionSpec, text: string): ValueReading => {
  if (spec.kind === "flag") return reading(null, "no value");
  if (spec.kind === "choice") {
    const choice = spec.choices.find((word) => word === text);
    return reading(choice, spec.choices.length === 1 ? spec.choices[0] : `one of ${spec.choices.join(", ")}`);
  }
  if (spec.kind === "cpus") {
    if (spec.auto && text === "auto") return reading(text, "");
    const { cpus, problem } = readCpuList(text);
    return reading(cpus, `${problem}${spec.auto ? ", or auto" : ""}`);
  }
  if (spec.kind === "sched" || spec.kind === "group") {
    const { value, problem } = spec.kind === "sched" ? readSchedAttributes(text) : readWorkerGroup(text);
    return reading(value, problem ?? "");
  }
  if (spec.kind === "cgroup") {
    const { value, problem } = readCgroupSettings(text);
    return reading(value, problem ?? "");
  }
  if ("min" in spec) return reading(readNumber(spec, text), allowedNumbers(spec));
  return reading(text === "" ? null : text, `${valueName(spec)}, which is not empty`);
};

/** Whether a separate value of this option may start with a minus: only where a number is expected. */
export const takesNumber = (spec: OptionSpec): boolean => "min" in spec;
