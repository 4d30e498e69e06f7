/** `schbench-ts merge`: several runs (of one machine or many) as one, histograms added exactly. */
import { EXIT, UserError } from "../../errors.js";
import { mergeResults } from "../../compare/merge/merge.js";
import { parseCommandLine } from "../../options/line/command-line.js";
import type { OptionTable } from "../../options/line/option-table.js";
import { schbenchJson } from "../../text/schbench-json.js";
import { wholeReport } from "../../text/schbench-text.js";
import type { Command } from "../io/command.js";
import { type ExperimentWorld, hostWorld } from "../io/experiment-world.js";
import { openDestinations } from "../output/write-report.js";
import { keepAll, keepForMerging } from "../stored/stored-runs.js";
import { readSubjects } from "../stored/subject-files.js";

/** Options of `merge`. */
export const mergeOptions = [
  {
    id: "output",
    kind: "file",
    short: "o",
    long: ["output"],
    group: "Output",
    meaning: "write the merged result to this file, as JSON; - = standard output",
    defaultText: "a text report on standard output",
  },
  {
    id: "subject",
    kind: "text",
    long: ["subject"],
    group: "Merging",
    meaning: "merge the runs of this subject of an experiment",
    valueName: "NAME",
    defaultText: "the only one",
  },
  {
    id: "force",
    kind: "flag",
    long: ["force"],
    group: "Merging",
    meaning: "merge runs of different plans too, leaving out what cannot be added exactly",
  },
] as const satisfies OptionTable;

/** The name under which the runs of all files belong together. */
const TOGETHER = "merged";

/** The command in a given world. */
export const mergeCommandIn = (world: Pick<ExperimentWorld, "parse">): Command => ({
  name: "merge",
  summary: "merge several runs into one result",
  run: async (argv, io) => {
    const { options, positionals } = parseCommandLine(argv, mergeOptions, { name: "FILE", min: 1, max: 100_000 });
    const { writeText } = openDestinations([["--output", options.output]], positionals);
    // Under one name, the runs of all files belong together.
    const keep = options.subject === null ? keepForMerging() : keepAll;
    const all = await readSubjects([{ name: TOGETHER, files: positionals }], io, world, { keep });
    const names = all.map(({ name }) => name.replace(`${TOGETHER}:`, ""));
    const subjects = all.filter((_, index) => options.subject === null || names[index] === options.subject);
    if (subjects.length === 0)
      throw new UserError(
        `there is no subject "${options.subject}" in these files: allowed is one of ${[...new Set(names)].join(", ")}`,
      );
    if (subjects.length > 1 && !options.force)
      throw new UserError(
        `cannot merge runs of different subjects or cells: ${all.map(({ cell }, index) => [names[index], cell ?? ""].join(" ").trim()).join(", ")}`,
        "Name one subject with --subject, or use --force to merge them anyway.",
      );
    const runs = subjects.flatMap((subject) => subject.runs);
    const merged = io.atOnce(() => mergeResults(runs, { force: options.force }));
    if (options.output === null) io.stdout.write(wholeReport(merged));
    else if (options.output === "-") io.stdout.write(schbenchJson(merged));
    else await writeText(options.output, schbenchJson(merged));
    return EXIT.ok;
  },
});

/** `schbench-ts merge`. */
export const mergeCommand: Command = mergeCommandIn(hostWorld);
