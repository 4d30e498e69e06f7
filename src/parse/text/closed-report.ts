/** How a report ends: with the line that closes it, or where something new begins. */
import type { Warning } from "../../model/result/run-result.js";
import {
  type AfterReport,
  goalBefore,
  hasTables,
  type InReport,
  type Outside,
  refuse,
  START,
  type State,
  type Step,
  TABLE_ORDER,
  type TextReport,
  to,
} from "./report-state.js";

const NAMES = { wakeup: "wakeup latencies", request: "request latencies", rps: "RPS" } as const;
/** What the line that closes a report follows; an interval report has an RPS table only since 2025. */
const BEFORE = {
  current: ["wakeup", "request"],
  plain: ["wakeup", "request"],
  average: TABLE_ORDER,
  goal: TABLE_ORDER,
} as const;

const tablesLeftOut = (absent: readonly string[]): Warning => ({
  code: "tables-left-out",
  message: `a report has no table of ${absent.join(" and none of ")}: what would stand there is unknown`,
  cure: "keep all of the output",
});

/** The line that closes a report, and what it says. */
interface Closing {
  readonly by: keyof typeof BEFORE;
  readonly change: Partial<TextReport>;
  readonly source: string;
}

/** A report with the line that closes it. Tables may be absent where those that are there surely belong together. */
export const closed = ({ report, parted }: InReport, { by, change, source }: Closing): Step<AfterReport> => {
  const absent = BEFORE[by].filter((kind) => !hasTables(report, kind)).map((kind) => NAMES[kind]);
  if (absent.length > 0 && parted)
    refuse(
      `the report that starts here has no table of ${absent.join(" and none of ")}, and other text stands between its lines: they may be of different runs`,
      { source, line: report.line },
    );
  const warnings = absent.length === 0 ? report.warnings : [...report.warnings, tablesLeftOut(absent)];
  return to({ kind: "after-report", report: { ...report, ...change, warnings } });
};

/** Before something new begins: what was begun must be complete. */
export const settled = (state: State, source: string): Step<Outside> => {
  if (state.kind === "outside") return to(state);
  if (state.kind === "after-report") return { state: START, done: [{ kind: "report", report: state.report }] };
  if (state.kind === "in-table") {
    const { kind, line } = state.table;
    return refuse(`the ${kind} table that starts here is cut off: it has no line of min and max`, { source, line });
  }
  const { report } = state;
  // With -A, a report of 2023 has no line after its tables; the goals were printed before them.
  if (state.goals.length > 0 && hasTables(report, "rps"))
    return settled(closed(state, { by: "goal", change: { goalPerSec: goalBefore(state) }, source }).state, source);
  return refuse('the report that starts here is cut off: its last line, such as "average rps", is missing', {
    source,
    line: report.line,
  });
};
