/** A gate in the kernel's test format, KTAP version 1 (Documentation/dev-tools/ktap.rst), which any reader of TAP reads, too. */
import type { Gate, GateRow } from "../../compare/gate.js";
import { rowName, rowReason, ruleText } from "./gate-words.js";

/** A description ends at "#", where the directive begins, and holds no line break. */
const escaped = (text: string): string => text.replaceAll(/[\r\n]+/g, " ").replaceAll("#", String.raw`\#`);

// What could not be told is no pass: KTAP's word for a test without a result is ERROR.
const line = (row: GateRow, number: number): string => {
  const name = `${number} ${escaped(rowName(row))}`;
  if (row.status === "undecided") return `not ok ${name} # ERROR ${escaped(rowReason(row))}`;
  return `${row.status === "pass" ? "ok" : "not ok"} ${name}`;
};

/** The gate as KTAP, ending in a newline. */
export const gateTap = (gate: Gate): string =>
  `${[
    "KTAP version 1",
    `1..${gate.rows.length}`,
    `# ${escaped(ruleText(gate))}`,
    ...gate.rows.flatMap((row, index) => [`# ${escaped(rowReason(row))}`, line(row, index + 1)]),
  ].join("\n")}\n`;
