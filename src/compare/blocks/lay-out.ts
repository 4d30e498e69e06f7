/** Runs laid out in their blocks, ready to be judged. Pure. */
import { at } from "../../at.js";
import { UserError } from "../../errors.js";
import type { RunResult, Warning } from "../../model/result/run-result.js";
import { blockWarnings } from "./block-warnings.js";
import { blockDesign } from "./design.js";
import { type BlockKind, type FileOfRun, placesOf } from "./place.js";
import type { BlockedRuns } from "./row-facts.js";

/** Which runs to hold against each other. */
export interface BlockWishes {
  /** Put runs together by what they share (default), by this, or not at all. */
  readonly blocks?: BlockKind | "auto" | "none";
  /** From which of several files that hold the same subjects each run came. */
  readonly files?: FileOfRun;
}

/** A subject with its runs. */
interface Subject {
  readonly name: string;
  readonly runs: readonly RunResult[];
}

const placesBySubject = (subjects: readonly Subject[], files: FileOfRun) => {
  const places = placesOf(
    subjects.flatMap(({ runs }) => runs),
    files,
  );
  let next = 0;
  return subjects.map(({ runs }) => places.slice(next, (next += runs.length)));
};

/**
 * Lays out the runs of subjects, the base first; runs without a counterpart in their block are left out, with a warning.
 *
 * @throws UserError for a subject whose runs all are
 */
export const layOut = (
  subjects: readonly Subject[],
  { blocks = "auto", files = new Map() }: BlockWishes,
): BlockedRuns & { readonly warnings: readonly Warning[] } => {
  const places = placesBySubject(subjects, files);
  const design = blockDesign(places, blocks);
  const warnings = blockWarnings(
    subjects.map(({ name }, index) => ({ name, places: at(places, index) })),
    design,
  );
  if (design.leftOut.every(({ length }) => length === 0)) return { subjects, places, design, warnings };
  const kept = subjects.map((subject, index) => {
    const left = new Set(at(design.leftOut, index));
    const runs = subject.runs.filter((_, run) => !left.has(run));
    if (runs.length === 0)
      throw new UserError(
        `cannot judge "${subject.name}": none of its runs was made where another subject ran`,
        "Run all subjects in every boot and on every machine, or add --blocks none.",
      );
    return { name: subject.name, runs };
  });
  const keptPlaces = placesBySubject(kept, files);
  return { subjects: kept, places: keptPlaces, design: blockDesign(keptPlaces, blocks), warnings };
};
