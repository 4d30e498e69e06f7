/** Did each subject run under one scheduler throughout? A set-up that was slow once gives a run of something else. Pure. */
import type { RunRecord } from "./record.js";

/** One sentence for each subject whose runs that count were not all made under the same scheduler. */
export const schedulerDoubts = (records: readonly RunRecord[]): readonly string[] => {
  const counts = new Map<string, Map<string, number>>();
  for (const { slot, excluded, schedExt } of records) {
    if (excluded !== null || schedExt.before === null) continue;
    const ofSubject = counts.get(slot.subject) ?? new Map<string, number>();
    ofSubject.set(schedExt.before, (ofSubject.get(schedExt.before) ?? 0) + 1);
    counts.set(slot.subject, ofSubject);
  }
  return [...counts].flatMap(([subject, schedulers]) => {
    if (schedulers.size < 2) return [];
    const list = [...schedulers].map(([name, runs]) => `${name} in ${runs} ${runs === 1 ? "run" : "runs"}`);
    return [
      `${subject} did not run under one scheduler: ${list.join(", ")}; make its set-up wait until the scheduler is in charge`,
    ];
  });
};
