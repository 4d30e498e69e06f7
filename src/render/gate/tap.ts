/** A gate in the kernel's test format, KTAP version 1 (Documentation/dev-tools/ktap.rst), which any reader of TAP reads, too. */
import type { Gate, GateRow } from "../../compare/gate.js";
import { rowName, rowReason, ruleText } from "./gate-words.js";

/** A line has no line break and no other control character. */
const inLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");

/** A description ends at "#", where the directive begins: KTAP has no escape for it, and the kernel's reader drops such a test. */
const described = (text: string): string => inLine(text).replaceAll("#", "_");

// What could not be told is no pass: KTAP's word for a test without a result is ERROR.
const line = (row: GateRow, number: number): string => {
  const name = `${number} ${described(rowName(row))}`;
  if (row.status === "undecided") return `not ok ${name} # ERROR ${inLine(rowReason(row))}`;
  return `${row.status === "pass" ? "ok" : "not ok"} ${name}`;
};

/** The gate as KTAP, ending in a newline. */
export const gateTap = (gate: Gate): string =>
  `${[
    "KTAP version 1",
    `1..${gate.rows.length}`,
    `# ${inLine(ruleText(gate))}`,
    ...gate.rows.flatMap((row, index) => [`# ${inLine(rowReason(row))}`, line(row, index + 1)]),
  ].join("\n")}\n`;
