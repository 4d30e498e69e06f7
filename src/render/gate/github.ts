/** A gate for GitHub Actions: workflow commands that become annotations. */
import type { Gate, GateRow } from "../../compare/gate.js";
import { rowName, rowReason, ruleText } from "./gate-words.js";

/** The data of a workflow command. */
const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
/** A property of a workflow command. */
const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

const COMMANDS = { fail: "error", undecided: "warning", pass: "notice" } as const satisfies Record<
  GateRow["status"],
  string
>;

const annotation = (row: GateRow): string =>
  `::${COMMANDS[row.status]} title=${property(rowName(row))}::${data(rowReason(row))}`;

/** The annotations, ending in a newline: what fails or is undecided, and one line that sums up. */
export const gateGithub = (gate: Gate): string => {
  const passed = gate.rows.filter(({ status }) => status === "pass").length;
  return `${[
    ...gate.rows.filter(({ status }) => status !== "pass").map(annotation),
    `::notice title=schbench-ts::${data(`${gate.outcome}: ${passed} of ${gate.rows.length} pass. ${ruleText(gate)}`)}`,
  ].join("\n")}\n`;
};
