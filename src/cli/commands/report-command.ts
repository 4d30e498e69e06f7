/** `schbench-ts report`: stored results of any kind as one HTML file with charts. */
import { EXIT } from "../../errors.js";
import { parseCommandLine } from "../../options/line/command-line.js";
import type { OptionTable } from "../../options/line/option-table.js";
import type { Command } from "../io/command.js";
import { seedOption } from "../options/experiment-options.js";
import { type ExperimentWorld, hostWorld } from "../io/experiment-world.js";
import {
  blocksOption,
  compareSettings,
  metricsOption,
  primaryOption,
  thresholdOption,
} from "../options/judge-options.js";
import { openDestinations } from "../output/write-report.js";
import { readReport } from "../stored/report-files.js";
import { filesIn } from "../stored/subject-files.js";

/** Options of `report`. */
export const reportOptions = [
  {
    id: "output",
    kind: "file",
    short: "o",
    long: ["output"],
    group: "Output",
    meaning: "write the report to this file; - = standard output",
    default: "report.html",
  },
  {
    id: "title",
    kind: "text",
    long: ["title"],
    group: "Output",
    meaning: "heading of the report",
    defaultText: "the job name, or the names of the subjects",
  },
  primaryOption,
  metricsOption,
  thresholdOption,
  blocksOption,
  seedOption,
] as const satisfies OptionTable;

/** The command in a given world. */
const reportCommandIn = (world: Pick<ExperimentWorld, "parse">): Command => ({
  name: "report",
  summary: "make an HTML report of stored runs, comparisons, sweeps or validations",
  run: async (argv, io) => {
    const { options, positionals } = parseCommandLine(argv, reportOptions, {
      name: "[NAME=]FILE[,FILE…]",
      min: 1,
      max: 1000,
    });
    compareSettings(options, options.seed);
    const { writeText } = openDestinations([["--output", options.output]], filesIn(positionals));
    const input = await readReport(positionals, { title: options.title, options, seed: options.seed }, io, world);
    const { renderHtml } = await import("../../render/reports/html-report.js");
    const text = io.atOnce(() => renderHtml(input));
    if (options.output === "-") io.stdout.write(text);
    else {
      await writeText(options.output, text);
      io.stderr.write(`wrote ${options.output}\n`);
    }
    return EXIT.ok;
  },
});

/** `schbench-ts report`. */
export const reportCommand: Command = reportCommandIn(hostWorld);
