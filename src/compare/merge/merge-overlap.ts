/**
 * Runs that would be added twice: the same one given twice, one that a merged result holds already, and merged results that
 * have runs in common. A merged result keeps the threads of its runs, by which they are known again. Pure.
 */
import { UserError } from "../../errors.js";
import { runRegister } from "../../model/result/repeated-runs.js";
import type { RunResult, ThreadResult, Warning } from "../../model/result/run-result.js";

/** A thread as the kernel counted it: its id and the times that no two threads share; null: they are not known. */
const markOf = (thread: ThreadResult): string | null =>
  thread.runDelayUsec === null || thread.timesRun === null || thread.runDelayUsec === 0 ? null : JSON.stringify(thread);

const marksOf = ({ threads }: RunResult): ReadonlySet<string> =>
  new Set(threads.map(markOf).filter((mark) => mark !== null));

const isPartOf = (marks: ReadonlySet<string>, whole: ReadonlySet<string>): boolean =>
  marks.size > 0 && marks.size < whole.size && [...marks].every((mark) => whole.has(mark));

/** Each run once, and a warning for what that left out. */
export const runsOnce = (
  given: readonly RunResult[],
): { readonly results: readonly RunResult[]; readonly warnings: readonly Warning[] } => {
  const register = runRegister();
  const different = given.filter((run) => register.metAs(run, "") === null);
  const marks = different.map(marksOf);
  const owners = new Map<string, number[]>();
  marks.forEach((ofRun, index) => {
    for (const mark of ofRun) owners.set(mark, [...(owners.get(mark) ?? []), index]);
  });
  const results = different.filter((_, index) => {
    const mine = marks[index] ?? new Set<string>();
    const [first] = mine;
    const others = first === undefined ? [] : (owners.get(first) ?? []);
    return !others.some((other) => other !== index && isPartOf(mine, marks[other] ?? new Set()));
  });
  const repeated = given.length - results.length;
  if (repeated === 0) return { results, warnings: [] };
  return {
    results,
    warnings: [
      {
        code: "repeated-runs",
        message: `${repeated} of ${given.length} results ${repeated === 1 ? "is" : "are"} there twice, or part of another: each is counted once`,
        cure: "Name each file once.",
      },
    ],
  };
};

/** Throws UserError for results that share threads, and so runs, which cannot be taken apart. */
export const refuseOverlap = (results: readonly RunResult[]): void => {
  const seen = new Map<string, number>();
  results.forEach((result, index) => {
    for (const mark of marksOf(result)) {
      const other = seen.get(mark);
      if (other !== undefined)
        throw new UserError(
          `cannot merge: results ${other + 1} and ${index + 1} have runs in common, which would count twice`,
          "Merge the single runs, or use --force to add them up all the same.",
        );
      seen.set(mark, index);
    }
  });
};
