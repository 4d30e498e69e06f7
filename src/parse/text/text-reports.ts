/** The reports of a text, in order: each with its tables and the lines that belong to it. */
import { ParseError } from "../../errors.js";
import type { SourceLine } from "./clean-lines.js";
import { settled } from "./closed-report.js";
import { type Note, noteWarnings } from "./notes.js";
import { START, type State, type TextEvent } from "./report-state.js";
import { stepAside, stepOf } from "./report-steps.js";
import { type WholeLine, wholeLines } from "./wrapped-lines.js";

/** An event that ends a report takes along what its lines were read in spite of. */
const withNotes = (event: TextEvent, notes: readonly Note[]): TextEvent =>
  event.kind === "report" && notes.length > 0
    ? { kind: "report", report: { ...event.report, warnings: [...event.report.warnings, ...noteWarnings(notes)] } }
    : event;

const notesOf = ({ number, rest }: WholeLine, remark: string | null): readonly Note[] => [
  ...(rest === null ? [] : [{ kind: "wrapped", line: number, quote: rest } as const]),
  ...(remark === null ? [] : [{ kind: "remark", line: number, quote: remark } as const]),
];

/** Reads the lines of one text; throws ParseError for what is damaged, cut off or contradicts itself. */
export const readReports = (lines: readonly SourceLine[], source: string): readonly TextEvent[] => {
  const events: TextEvent[] = [];
  let state: State = START;
  let notes: readonly Note[] = [];
  const take = (done: readonly TextEvent[]) => {
    for (const event of done) {
      events.push(withNotes(event, notes));
      if (event.kind === "report") notes = [];
    }
  };

  for (const line of wholeLines(lines)) {
    const { read } = line;
    if (read === null) {
      state = stepAside(state);
      continue;
    }
    if ("kind" in read) throw new ParseError(read.reason, source, line.number);
    const step = stepOf(state, read.token, { source, line: line.number });
    take(step.done);
    // A line that changes nothing is none of a report's, and neither is what stands behind it.
    if (step.state !== state) notes = [...notes, ...notesOf(line, read.remark)];
    ({ state } = step);
  }
  take(settled(state, source).done);
  return events;
};
