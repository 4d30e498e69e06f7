/** A gate as JUnit XML, which most CI services show: an undecided row is an error, not a failure. */
import type { Gate, GateRow } from "../../compare/gate.js";
import { rowName, rowReason, ruleText } from "./gate-words.js";

/** What XML 1.0 cannot hold in any form. */
const NOT_XML = /(?![\n\r\t])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\t": "&#9;",
  "\r": "&#13;",
};

const escaped = (text: string): string =>
  text.replaceAll(NOT_XML, "\ufffd").replaceAll(/[&<>"\n\t\r]/g, (mark) => ENTITIES[mark] ?? mark);

const testcase = (row: GateRow): readonly string[] => {
  const start = `    <testcase classname="schbench-ts.${escaped(row.metric)}" name="${escaped(rowName(row))}" time="0"`;
  if (row.status === "pass") return [`${start}/>`];
  const [element, type] = row.status === "fail" ? ["failure", row.direction ?? "different"] : ["error", "undecided"];
  const reason = escaped(rowReason(row));
  return [
    `${start}>`,
    `      <${element} type="${type}" message="${reason}">${reason}</${element}>`,
    "    </testcase>",
  ];
};

/** The gate as a JUnit document, ending in a newline. */
export const gateJunit = (gate: Gate): string => {
  const count = (status: GateRow["status"]) => gate.rows.filter((row) => row.status === status).length;
  const counts = `tests="${gate.rows.length}" failures="${count("fail")}" errors="${count("undecided")}"`;
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="schbench-ts" ${counts} time="0">`,
    `  <testsuite name="${escaped(ruleText(gate))}" ${counts} skipped="0" time="0">`,
    ...gate.rows.flatMap(testcase),
    "  </testsuite>",
    "</testsuites>",
  ].join("\n")}\n`;
};
