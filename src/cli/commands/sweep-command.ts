/** `schbench-ts sweep`: one or more options over their values, a table per metric, and where the tail leaves its flat part. */
import { EXIT, UsageError } from "../../errors.js";
import { measuredResults } from "../../experiment/record.js";
import { plainSubject } from "../../experiment/subject.js";
import { summarizeSweep, type SweptRuns } from "../../compare/sweep.js";
import { readAllVaried, sweepPoints } from "../../experiment/vary.js";
import { parseCommandLine } from "../../options/command-line.js";
import type { OptionTable } from "../../options/option-table.js";
import { runOptions } from "../../options/run-table.js";
import { kneeLines, sweepMarkdown, sweepText } from "../../render/sweep-text.js";
import type { Command } from "../io/command.js";
import { checkedCell } from "../experiment/checked-cell.js";
import { noteAbsentMetrics } from "../experiment/comparison-output.js";
import { conductExperiment } from "../experiment/conduct-experiment.js";
import {
  BENCHMARK_FLAGS,
  conductOptions,
  repetitions,
  runsOption,
  subjectsOption,
  warmupRunsOption,
} from "../options/experiment-options.js";
import { type ExperimentWorld, hostWorld } from "../experiment/experiment-world.js";
import { metricsOption, readMetrics } from "../options/judge-options.js";
import { formatOption, htmlOption } from "../options/output-options.js";
import { readSubject, surround, surroundingOptions } from "../options/subject-options.js";
import { writeHtml } from "../experiment/write-report.js";

/** Options of `sweep`. */
export const sweepOptions = [
  {
    id: "vary",
    kind: "text",
    long: ["vary"],
    group: "Sweep",
    meaning: "an option and its values: t=1,2,4..64 doubles, s=0..500+100 goes in steps, L=off,on",
    valueName: "OPTION=VALUES",
    repeated: true,
  },
  {
    ...subjectsOption,
    meaning: "NAME for our engine, NAME=COMMAND for another schbench",
    defaultText: "our engine",
  },
  ...surroundingOptions,
  { ...runsOption, meaning: "runs of each subject at each point", default: 3 },
  { ...warmupRunsOption, meaning: "runs of each subject at the first point before those, left out" },
  ...conductOptions,
  { ...metricsOption, group: "Output", meaning: "only these metrics" },
  formatOption,
  htmlOption,
] as const satisfies OptionTable;

/** Name of our engine where no subject is given. */
const OURS = "schbench-ts";
/** More points than this are a slip of the pen. */
const MAX_POINTS = 2000;

/** The command in a given world. */
export const sweepCommandIn = (world: ExperimentWorld): Command => ({
  name: "sweep",
  summary: "run over the values of one or more options and find the knee",
  run: async (argv, io) => {
    const { options, rest } = parseCommandLine(argv, sweepOptions, BENCHMARK_FLAGS);
    const metrics = readMetrics(options.metrics);
    if (options.vary.length === 0)
      throw new UsageError(
        "there is nothing to sweep over: --vary is missing",
        "For example: schbench-ts sweep --vary t=1..16 -- -m 1 -r 5",
      );
    const varied = readAllVaried(options.vary, runOptions);
    const points = sweepPoints(varied, rest ?? []);
    if (points.length > MAX_POINTS)
      throw new UsageError(`--vary gives ${points.length} combinations: at most ${MAX_POINTS} are allowed`);
    const named = options.subjects.map((text) => readSubject(text, "--subject"));
    const subjects = surround(
      named.length === 0 ? [plainSubject(OURS, { kind: "engine", node: null })] : named,
      options,
    );
    const cells = points.map((point) => checkedCell(point.cell, subjects));
    const experiment = await conductExperiment(
      { kind: "sweep", subjects: [...subjects], cells, ...repetitions(options) },
      [["--html", options.html]],
      options,
      world,
      io,
    );
    const interrupted = await experiment.run();
    if (interrupted !== null) return interrupted;

    const swept = subjects.flatMap(({ name }) =>
      points.map(({ values, cell }): SweptRuns => ({
        subject: name,
        values,
        runs: measuredResults(experiment.records(), name, cell.name),
      })),
    );
    const sweep = summarizeSweep(
      varied.map(({ name }) => name),
      swept,
      metrics,
    );
    if (options.format === "json") io.stdout.write(`${JSON.stringify(sweep, null, 2)}\n`);
    else io.stdout.write(options.format === "markdown" ? sweepMarkdown(sweep) : sweepText(sweep));
    noteAbsentMetrics(metrics, sweep.metrics, io);
    await writeHtml(
      options.html,
      () => ({
        kind: "sweep",
        varied: [...sweep.varied, ...(subjects.length > 1 ? ["subject"] : [])],
        cells: swept.map(({ subject, values, runs }) => ({
          values: [...values, ...(subjects.length > 1 ? [subject] : [])],
          runs,
        })),
        ...(metrics === undefined ? {} : { metrics }),
        knees: kneeLines(sweep),
      }),
      world,
    );
    return EXIT.ok;
  },
});

/** `schbench-ts sweep`. */
export const sweepCommand: Command = sweepCommandIn(hostWorld);
