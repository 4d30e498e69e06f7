/** `schbench-ts compare`: judges stored runs, ours or those of any schbench, as `ab` judges fresh ones. */
import { UserError } from "../../errors.js";
import { parseCommandLine } from "../../options/line/command-line.js";
import type { OptionTable } from "../../options/line/option-table.js";
import type { Command, Io } from "../io/command.js";
import { cellOption, settingsIn, wantedCells } from "../experiment/cell-settings.js";
import type { Judgement } from "../../experiment/judgement.js";
import { NOT_KNOWN } from "../../render/comparison/grid-origin.js";
import { MAIL_COLUMNS } from "../../render/comparison/grid-text.js";
import { wrapped } from "../../render/comparison/wrap.js";
import { judgedAsKept, keptIn, type ReadHeader } from "../stored/kept-judgement.js";
import { commandsIn } from "../experiment/experiment-command-line.js";
import { judge, type Judged, type JudgedCell, skippingFaults } from "../output/judged.js";
import { finishJudged } from "../output/judged-output.js";
import { seedOption } from "../options/experiment-options.js";
import { type ExperimentWorld, hostWorld } from "../io/experiment-world.js";
import { compareSettings, gateOptions, judgeOptions, namedMetrics, withMerged } from "../options/judge-options.js";
import { filesIn, filesOf, readNamedFiles, readSubjects, type StoredSubject } from "../stored/subject-files.js";
import { keepForJudging, keepForPage } from "../stored/stored-runs.js";
import { openDestinations } from "../output/write-report.js";

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

/** The command that made the runs, above a table that does not begin with it. */
const commandText = ({ kind, origin }: Judged, { stdout }: Io): string =>
  kind === "grid" || origin.command === NOT_KNOWN
    ? ""
    : `${wrapped(`command: ${origin.command}`, stdout.columns ?? MAIL_COLUMNS, "    ").join("\n")}\n\n`;

/** The command in a given world. */
export const compareCommandIn = (world: Pick<ExperimentWorld, "parse" | "appendText">): Command => ({
  name: "compare",
  summary: "compare stored runs: result files of any schbench, experiments, reports",
  run: async (argv, io) => {
    const { options, positionals } = parseCommandLine(argv, compareOptions, {
      name: "[NAME=]FILE[,FILE…]",
      min: 1,
      max: 1000,
    });
    compareSettings(options, options.seed);
    gateOptions(options);
    const destinations = openDestinations([["--html", options.html]], filesIn(positionals));
    return skippingFaults(options.bisect, io, async () => {
      const experiments: ReadHeader[] = [];
      const asKept = (kept: Judgement | undefined) => compareSettings(judgedAsKept(options, kept), options.seed);
      const metrics = () => namedMetrics(asKept(experiments[0]?.header.judgement));
      // Only a report shows more of the runs than their figures.
      const page = options.html === null ? null : keepForPage(metrics);
      const named = positionals.map(readNamedFiles);
      const read = await readSubjects(named, io, world, {
        keep: page?.keep ?? keepForJudging(metrics),
        ...(page === null ? {} : { level: page.level }),
        onHeader: (experiment) => void experiments.push(experiment),
      });
      const subjects = wantedCells(read, options.cells);
      if (subjects.length === 0)
        throw new UserError(`there is no run in "${positionals.join('", "')}" yet`, "Run the experiment first.");
      const cells = cellsOf(subjects);
      checkCells(cells, subjects);
      const varied = settingsIn(cells[0]?.name ?? "").map(([name]) => name);
      const kept = keptIn(experiments, options, io);
      const settings = { ...asKept(kept), ...withMerged(options), files: filesOf(subjects) };
      const judged = io.atOnce(() => judge(varied, cells, commandsIn(experiments), settings));
      if (options.format === "text") io.stdout.write(commandText(judged, io));
      return finishJudged(
        judged,
        { ...options, gate: gateOptions(judgedAsKept(options, kept)), metrics: settings.metrics },
        io,
        {
          ...world,
          ...destinations,
        },
      );
    });
  },
});

/** `schbench-ts compare`. */
export const compareCommand: Command = compareCommandIn(hostWorld);
