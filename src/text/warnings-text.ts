/** Warnings as lines for stderr, one each. */
import type { Warning } from "../model/result/run-result.js";

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ").trim();

/** One line per warning, every line ended; empty without warnings. */
export const warningsText = (warnings: readonly Warning[]): string =>
  warnings
    .map(({ message, cure }) => `warning: ${oneLine(message)}${cure === null ? "" : ` (${oneLine(cure)})`}\n`)
    .join("");
