/** `schbench-ts compare`: judges stored runs, ours or those of any schbench, as `ab` judges fresh ones. */
import { UserError } from "../../errors.js";
import { compareSubjects } from "../../compare/compare.js";
import { parseCommandLine } from "../../options/command-line.js";
import type { OptionTable } from "../../options/option-table.js";
import type { Command } from "../io/command.js";
import {
  comparisonExit,
  type NamedComparison,
  noteAbsentMetrics,
  printComparisons,
} from "../experiment/comparison-output.js";
import { seedOption } from "../options/experiment-options.js";
import { type ExperimentWorld, hostWorld } from "../experiment/experiment-world.js";
import { compareSettings, judgeOptions } from "../options/judge-options.js";
import { refuseInput } from "../io/output-file.js";
import { filesIn, readNamedFiles, readSubjects, type StoredSubject } from "../experiment/subject-files.js";
import { refuseStandardOutput, writeHtml } from "../experiment/write-report.js";

/** Options of `compare`. */
export const compareOptions = [seedOption, ...judgeOptions] as const satisfies OptionTable;

/** The cells that occur, in order. */
const cellsOf = (subjects: readonly StoredSubject[]): readonly (string | null)[] => [
  ...new Set(subjects.map((subject) => subject.cell)),
];

/** The command in a given world. */
export const compareCommandIn = (world: Pick<ExperimentWorld, "parse" | "writeText">): Command => ({
  name: "compare",
  summary: "say whether stored runs differ: result files of any schbench, experiments, reports",
  run: async (argv, io) => {
    const { options, positionals } = parseCommandLine(argv, compareOptions, {
      name: "[NAME=]FILE[,FILE…]",
      min: 1,
      max: 1000,
    });
    refuseStandardOutput(options.html);
    refuseInput(["--html", options.html], filesIn(positionals));
    const settings = compareSettings(options, options.seed);
    const subjects = await readSubjects(positionals.map(readNamedFiles), io, world);
    if (subjects.length === 0)
      throw new UserError(`there is no run in "${positionals.join('", "')}" yet`, "Let the experiment run first.");
    const cells = cellsOf(subjects);
    if (cells.length > 1 && cells.includes(null))
      throw new UserError(
        "cannot compare an experiment of several cells with a file that has none",
        "Compare files of one kind.",
      );
    const judged = cells.map((cell) => subjects.filter((subject) => subject.cell === cell));
    if (judged.every((group) => group.length < 2))
      throw new UserError(
        `there is only one subject, "${subjects[0]?.name ?? ""}": at least two are needed`,
        "Name another file: schbench-ts compare BASE NEW",
      );
    const comparisons = judged.map((group): NamedComparison => ({
      name: group[0]?.cell ?? "",
      comparison: compareSubjects(group, settings),
    }));
    printComparisons(comparisons, options.format, io);
    noteAbsentMetrics(
      settings.metrics,
      comparisons.flatMap(({ comparison }) => comparison.metrics),
      io,
    );
    const [first] = comparisons;
    const [firstSubjects] = judged;
    if (options.html !== null && (comparisons.length > 1 || first === undefined || firstSubjects === undefined))
      throw new UserError(
        `cannot write "${options.html}": a report shows one comparison, and there are ${comparisons.length}`,
      );
    if (first !== undefined && firstSubjects !== undefined)
      await writeHtml(
        options.html,
        () => ({ kind: "comparison", subjects: firstSubjects, comparison: first.comparison }),
        world,
      );
    return comparisonExit(comparisons, options.check);
  },
});

/** `schbench-ts compare`. */
export const compareCommand: Command = compareCommandIn(hostWorld);
