/** A subject of an experiment as an HTML report shows it. Pure. */
import { measuredResults, type RunRecord } from "../../experiment/record.js";
import type { Subject } from "../../experiment/subject.js";
import type { RunResult } from "../../model/result/run-result.js";
import type { ReportSubject } from "../../render/reports/report-input.js";

/** Place in the experiment of every run that was kept, from 1; runs land in the store in the order in which they were made. */
const positionsIn = (records: readonly RunRecord[]): ReadonlyMap<RunResult, number> =>
  new Map(
    records
      .flatMap(({ result, slot }) => (result === null || slot.round < 1 ? [] : [result]))
      .map((result, index) => [result, index + 1]),
  );

/** What a report shows of a subject. */
export const reportSubject = (subject: Subject, cell: string, records: readonly RunRecord[]): ReportSubject => {
  const steps = [
    ["set-up", subject.setup],
    ["prepare", subject.prepare],
    ["tear-down", subject.teardown],
  ] as const;
  const positions = positionsIn(records);
  const runs = measuredResults(records, subject.name, cell);
  return {
    name: subject.name,
    runs,
    positions: runs.map((run) => positions.get(run) ?? 0),
    surroundings: steps.flatMap(([step, command]) => (command === null ? [] : [[step, command] as const])),
  };
};
