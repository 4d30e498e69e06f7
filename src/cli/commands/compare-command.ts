/** `schbench-ts compare`: judges stored runs, ours or those of any schbench, as `ab` judges fresh ones. */
import { UserError } from "../../errors.js";
import { parseCommandLine } from "../../options/command-line.js";
import type { OptionTable } from "../../options/option-table.js";
import type { Command } from "../io/command.js";
import { cellOption, settingsIn, wantedCells } from "../experiment/cell-settings.js";
import { judge, type JudgedCell, skippingFaults } from "../experiment/judged.js";
import { finishJudged } from "../experiment/judged-output.js";
import { seedOption } from "../options/experiment-options.js";
import { type ExperimentWorld, hostWorld } from "../experiment/experiment-world.js";
import { compareSettings, gateOptions, judgeOptions, namedMetrics, withMerged } from "../options/judge-options.js";
import { refuseInput } from "../io/output-file.js";
import { filesIn, filesOf, readNamedFiles, readSubjects, type StoredSubject } from "../experiment/subject-files.js";
import { keepForJudging, keepForPage } from "../experiment/stored-runs.js";
import { refuseStandardOutput } from "../experiment/write-report.js";

/** Options of `compare`. */
export const compareOptions = [seedOption, cellOption, ...judgeOptions] as const satisfies OptionTable;

/** The runs by setting; files without settings have one, whose name is empty. */
const cellsOf = (subjects: readonly StoredSubject[]): readonly JudgedCell[] =>
  [...new Set(subjects.map(({ cell }) => cell))].map((name) => ({
    name: name ?? "",
    values: settingsIn(name ?? "").map(([, value]) => value),
    subjects: subjects.filter(({ cell }) => cell === name),
  }));

/** A file without settings cannot stand beside one that has some, nor one subject beside nothing. */
const checkCells = (cells: readonly JudgedCell[], subjects: readonly StoredSubject[]): void => {
  if (cells.length > 1 && cells.some(({ name }) => name === ""))
    throw new UserError(
      "cannot compare an experiment of several cells with a file that has none",
      "Compare files of one kind.",
    );
  if (cells.every((cell) => cell.subjects.length < 2))
    throw new UserError(
      `there is only one subject, "${subjects[0]?.name ?? ""}": at least two are needed`,
      "Name another file: schbench-ts compare BASE NEW",
    );
};

/** The command in a given world. */
export const compareCommandIn = (world: Pick<ExperimentWorld, "parse" | "writeText" | "appendText">): Command => ({
  name: "compare",
  summary: "compare stored runs: result files of any schbench, experiments, reports",
  run: async (argv, io) => {
    const { options, positionals } = parseCommandLine(argv, compareOptions, {
      name: "[NAME=]FILE[,FILE…]",
      min: 1,
      max: 1000,
    });
    refuseStandardOutput(options.html);
    refuseInput(["--html", options.html], filesIn(positionals));
    const settings = { ...compareSettings(options, options.seed), ...withMerged(options) };
    const gate = gateOptions(options);
    return skippingFaults(options.bisect, io, async () => {
      // Only a report shows more of the runs than their figures.
      const page = options.html === null ? null : keepForPage(namedMetrics(settings));
      const keep = page?.keep ?? keepForJudging(namedMetrics(settings));
      const named = positionals.map(readNamedFiles);
      const read = await readSubjects(named, io, world, { keep, ...(page === null ? {} : { level: page.level }) });
      const subjects = wantedCells(read, options.cells);
      if (subjects.length === 0)
        throw new UserError(`there is no run in "${positionals.join('", "')}" yet`, "Run the experiment first.");
      const cells = cellsOf(subjects);
      checkCells(cells, subjects);
      const varied = settingsIn(cells[0]?.name ?? "").map(([name]) => name);
      const judged = io.atOnce(() => judge(varied, cells, null, { ...settings, files: filesOf(subjects) }));
      return finishJudged(judged, { ...options, gate, metrics: settings.metrics }, io, world);
    });
  },
});

/** `schbench-ts compare`. */
export const compareCommand: Command = compareCommandIn(hostWorld);
