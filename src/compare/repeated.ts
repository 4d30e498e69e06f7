/** A run on both sides of a comparison, or twice on one, counts once: what is compared must not hang together. Pure. */
import { at } from "../at.js";
import { UserError } from "../errors.js";
import { runRegister } from "../model/result/repeated-runs.js";
import type { Warning } from "../model/result/run-result.js";
import type { SubjectRuns } from "./comparison-warnings.js";

/** The subjects with each run once, and what that left out. */
interface OnceEach<S> {
  readonly subjects: readonly S[];
  readonly warnings: readonly Warning[];
}

const warningOf = (name: string, places: readonly string[], all: number): Warning => {
  const where = [...new Set(places)]
    .map((place) => (place === name ? "more than once" : `in ${place}, too`))
    .join(" and ");
  return {
    code: "repeated-runs",
    message: `${name}: ${places.length} of ${all} runs ${places.length === 1 ? "is" : "are"} there ${where}: each is counted once`,
    cure: "Name each file once, and compare runs of their own.",
  };
};

/**
 * Leaves a run out of every subject but the first that has it.
 *
 * @throws UserError for a subject that has no run of its own
 */
export const onceEach = <S extends SubjectRuns>(subjects: readonly S[]): OnceEach<S> => {
  const register = runRegister();
  const warnings: Warning[] = [];
  const kept = subjects.map((subject) => {
    const places = subject.runs.map((run) => register.metAs(run, subject.name));
    const repeated = places.filter((place) => place !== null);
    if (repeated.length === 0) return subject;
    if (repeated.length === subject.runs.length)
      throw new UserError(
        `cannot judge "${subject.name}": it has no run of its own, ${repeated.length === 1 ? "its only one is" : `all ${repeated.length} are`} in "${[...new Set(repeated)].join('", "')}"`,
        "Name a file with other runs.",
      );
    warnings.push(warningOf(subject.name, repeated, subject.runs.length));
    return { ...subject, runs: subject.runs.filter((_, run) => at(places, run) === null) };
  });
  return { subjects: kept, warnings };
};

/** The same over cells: a run belongs to one of them. */
export const onceInCells = <C extends { readonly subjects: readonly SubjectRuns[] }>(cells: readonly C[]) => {
  const { subjects, warnings } = onceEach(cells.flatMap((cell): readonly C["subjects"][number][] => cell.subjects));
  let next = 0;
  return {
    cells: cells.map((cell) => ({ ...cell, subjects: subjects.slice(next, (next += cell.subjects.length)) })),
    warnings,
  };
};
