/** What was meant by a time with a unit, where a number alone is expected: `-r 1s`, `-s 2ms`, `-i 0.5`. Pure. */
import type { OptionSpec } from "./option-table.js";

/** Microseconds. */
const UNITS: Readonly<Record<string, number>> = {
  us: 1,
  usec: 1,
  "\u00b5s": 1,
  ms: 1000,
  msec: 1000,
  s: 1e6,
  sec: 1e6,
  m: 60e6,
  min: 60e6,
  h: 3600e6,
};

const KINDS: Readonly<Record<string, { readonly usec: number; readonly name: string }>> = {
  seconds: { usec: 1e6, name: "seconds" },
  usec: { usec: 1, name: "microseconds" },
};

/** A sentence on how to write the value; undefined where nobody can know. */
export const unitHint = (spec: OptionSpec, text: string, spelling: string): string | undefined => {
  const kind = KINDS[spec.kind];
  const [, digits, unit] = /^(\d+(?:\.\d+)?)\s*([a-z\u00b5]*)$/i.exec(text.trim()) ?? [];
  if (kind === undefined || digits === undefined || unit === undefined) return undefined;
  const factor = unit === "" ? kind.usec : UNITS[unit.toLowerCase()];
  if (factor === undefined) return `The value is in ${kind.name}, without a unit.`;
  const value = (Number(digits) * factor) / kind.usec;
  if (unit === "" && Number.isInteger(value)) return undefined;
  return Number.isInteger(value)
    ? `The value is in ${kind.name}, without a unit: ${spelling} ${value}.`
    : `The value is in whole ${kind.name}: ${spelling} ${Math.ceil(value)} is the nearest above.`;
};
