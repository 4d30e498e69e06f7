/** `schbench-ts merge`: several runs (of one machine or many) as one, histograms added exactly. */
import { EXIT, UserError } from "../errors.js";
import { mergeResults } from "../experiment/merge.js";
import { parseCommandLine } from "../options/command-line.js";
import type { OptionTable } from "../options/option-table.js";
import { schbenchJson } from "../report/schbench-json.js";
import { wholeReport } from "../report/schbench-text.js";
import type { Command } from "./command.js";
import { type ExperimentWorld, hostWorld } from "./experiment-world.js";
import { readSubjects } from "./subject-files.js";

/** Options of `merge`. */
export const mergeOptions = [
  {
    id: "output",
    kind: "file",
    short: "o",
    long: ["output"],
    group: "Output",
    meaning: "where the merged result goes, as JSON; - = standard output",
    defaultText: "its text report on standard output",
  },
  {
    id: "force",
    kind: "flag",
    long: ["force"],
    group: "Merging",
    meaning: "merge different plans too, and leave out what cannot be added exactly",
  },
] as const satisfies OptionTable;

/** The command in a given world. */
export const mergeCommandIn = (world: Pick<ExperimentWorld, "parse" | "writeText">): Command => ({
  name: "merge",
  summary: "add up several runs into one result",
  run: async (argv, io) => {
    const { options, positionals } = parseCommandLine(argv, mergeOptions, { name: "FILE", min: 1, max: 100_000 });
    // Under one name, the runs of all files belong together.
    const subjects = await readSubjects([{ name: "merged", files: positionals }], io, world);
    if (subjects.length > 1 && !options.force)
      throw new UserError(
        `cannot merge runs of different subjects or cells: ${subjects.map(({ name, cell }) => [name, cell ?? ""].join(" ").trim()).join(", ")}`,
        "Merge files of one subject, or use --force to merge them all the same.",
      );
    const merged = mergeResults(
      subjects.flatMap((subject) => subject.runs),
      { force: options.force },
    );
    if (options.output === null) io.stdout.write(wholeReport(merged));
    else if (options.output === "-") io.stdout.write(schbenchJson(merged));
    else await world.writeText(options.output, schbenchJson(merged));
    return EXIT.ok;
  },
});

/** `schbench-ts merge`. */
export const mergeCommand: Command = mergeCommandIn(hostWorld);
