/** `ab --until decided`: rounds are added until the primary metric is decided, at levels that allow for looking after each. */
import { at } from "../../at.js";
import type { CompareOptions } from "../../compare/compare.js";
import { type LookedAt, lookAt, looksUpTo } from "../../compare/sequential.js";
import { type ExitCode, UsageError } from "../../errors.js";
import { measuredResults, type RunRecord } from "../../experiment/record.js";
import { roundSlots } from "../../experiment/schedule.js";
import type { Subject } from "../../experiment/subject.js";
import type { OptionTable } from "../../options/line/option-table.js";
import { originOf } from "../../render/comparison/grid-origin.js";
import { looksText, lookText, savedText } from "../../render/comparison/look-text.js";
import type { Io } from "../io/command.js";
import type { OpenExperiment } from "./conduct-experiment.js";
import { experimentCommandLine } from "./experiment-command-line.js";
import type { Judged } from "../output/judged.js";
import { reportSubject } from "./report-subject.js";

/** When an experiment ends. */
export const untilOptions = [
  {
    id: "until",
    kind: "choice",
    long: ["until"],
    group: "Runs",
    meaning: "add rounds until every candidate's primary metric is decided",
    choices: ["decided"],
    defaultText: "a fixed number of runs",
  },
  {
    id: "maxRuns",
    kind: "count",
    long: ["max-runs"],
    group: "Runs",
    meaning: "with --until: stop after this many runs of each subject, decided or not",
    min: 6,
    max: 1000,
    default: 40,
  },
] as const satisfies OptionTable;

/** Refuses what does not go with `--until`. */
export const checkUntil = (
  { maxRuns }: { readonly maxRuns: number },
  cells: number,
  given: ReadonlySet<string>,
): void => {
  if (given.has("runs"))
    throw new UsageError(
      "cannot combine --runs with --until: one fixes the number of runs, the other finds it",
      `Set the most runs of each subject with --max-runs (now ${maxRuns}).`,
    );
  if (cells > 1)
    throw new UsageError(
      "--until decides one comparison, and --vary makes several",
      "Give --runs, or one setting after the --.",
    );
};

/** How an experiment with looks ended. */
type Ended =
  | { readonly kind: "interrupted"; readonly exitCode: ExitCode }
  | { readonly kind: "judged"; readonly judged: Judged };

const subjectRuns = (subjects: readonly Subject[], cell: string, records: readonly RunRecord[]) =>
  subjects.map(({ name }) => ({ name, runs: measuredResults(records, name, cell) }));

/** Runs rounds until the primary metric is decided, or the header's number of rounds is reached. */
export const runUntilDecided = async (
  experiment: OpenExperiment,
  subjects: readonly Subject[],
  settings: CompareOptions,
  io: Io,
): Promise<Ended> => {
  const { header } = experiment;
  const looks = looksUpTo(header.rounds);
  const { name: cell } = at(header.cells, 0);
  let last: LookedAt | null = null;
  let looked = 0;
  for (let round = 1 - header.warmupRounds; round <= header.rounds; round++) {
    const stopped = await experiment.run(
      roundSlots(header, round),
      looksText(looked, Math.max(round, looks.first), header.rounds),
    );
    if (stopped !== null) return { kind: "interrupted", exitCode: stopped };
    if (round < looks.first) continue;
    looked++;
    last = lookAt(subjectRuns(subjects, cell, experiment.records()), looks, settings);
    if (io.stderr.isTerminal) io.stderr.write(`${lookText(last)}\n`);
    if (last.look.isDecided) break;
  }
  if (last === null) throw new TypeError("an experiment has at least as many rounds as its first look");
  io.stderr.write(`${savedText(last.look)}\n`);
  const reported = subjects.map((subject) => reportSubject(subject, cell, experiment.records()));
  return {
    kind: "judged",
    judged: {
      kind: "comparison",
      comparison: { ...last.comparison, look: last.look },
      origin: originOf(reported, experimentCommandLine(header)),
      subjects: reported,
    },
  };
};
