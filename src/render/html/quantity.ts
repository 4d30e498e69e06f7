/** Numbers as people read them: grouped digits, three significant figures, a unit that fits the size. */
import { type Content, markup } from "./markup.js";

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const MINUS = "\u2212";
const NARROW_SPACE = "\u202f";

/** Shown where a value is not known; never a 0. */
export const UNKNOWN = "–";

const typographic = (text: string): string => text.replace("-", MINUS);

/** A number with about three significant figures, thousands grouped: `4,970`, `12.3`, `0.52`. */
export const figure = (value: number): string => {
  const size = Math.abs(value);
  if (size >= 100 || Number.isInteger(value)) return typographic(grouped.format(value));
  if (size >= 10) return typographic(value.toFixed(1));
  return typographic(value.toFixed(size >= 1 ? 2 : 3));
};

/** A number or the sign for unknown. */
export const figureOr = (value: number | null): string => (value === null ? UNKNOWN : figure(value));

/** A duration given in microseconds, in the unit that suits it: `21 µs`, `4.97 ms`, `1.2 s`. */
export const usecText = (usec: number): string => {
  if (usec < 1000) return `${figure(usec)}${NARROW_SPACE}µs`;
  if (usec < 1_000_000) return `${figure(usec / 1000)}${NARROW_SPACE}ms`;
  return `${figure(usec / 1_000_000)}${NARROW_SPACE}s`;
};

/** A change given as a ratio, in percent with its sign: 1.061 is `+6.1 %`. */
export const changeText = (ratio: number): string => `${signedPercent((ratio - 1) * 100)}${NARROW_SPACE}%`;

/** A percentage with its sign and without the unit: `+6.1`. */
export const signedPercent = (percent: number): string => {
  const size = Math.abs(percent);
  const text = size.toFixed(size >= 99.95 ? 0 : 1);
  const sign = Number(text) === 0 ? "±" : percent < 0 ? MINUS : "+";
  return `${sign}${text}`;
};

/** A value in the unit of a metric; µs turns into ms and s where that reads better, and a share into percent. */
export const valueText = (value: number, unit: string): string => {
  if (unit === "usec") return usecText(value);
  if (unit === "share") return `${figure(value * 100)}${NARROW_SPACE}%`;
  return unit === "count" ? figure(value) : `${figure(value)}${NARROW_SPACE}${unit}`;
};

/** A text with its first letter in upper case. */
export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The plural of a counted noun: `1 run`, `6 runs`. */
export const counted = (count: number, noun: string): string => `${figure(count)} ${noun}${count === 1 ? "" : "s"}`;

/** The range of some values, below the one that stands for them; nothing where there is one value. */
export const spread = (values: readonly number[], unit: string): Content =>
  values.length < 2
    ? null
    : markup`<br /><span class="reading"
          >${figure(Math.min(...values))} to ${figure(Math.max(...values))}${unit === "" ? "" : ` ${unit}`}</span
        >`;
