/**
 * `schbench-ts ab`: runs two or more subjects in turn, in random order, and says whether they differ. No upstream
 * counterpart: engineers do this by hand before they post a table.
 */
import { UsageError } from "../../errors.js";
import { RECOMMENDED_RUNS, shownByFew } from "../../compare/comparison-warnings.js";
import type { Subject } from "../../experiment/subject.js";
import { parseCommandLine } from "../../options/command-line.js";
import type { OptionTable } from "../../options/option-table.js";
import type { Command } from "../io/command.js";
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
import { judgeExperiment } from "../experiment/judge-experiment.js";
import { skippingFaults } from "../experiment/judged.js";
import { finishJudged } from "../experiment/judged-output.js";
import { compareSettings, gateOptions, judgeOptions } from "../options/judge-options.js";
import { readSubject, surround, surroundingOptions } from "../options/subject-options.js";
import { checkUntil, runUntilDecided, untilOptions } from "../experiment/until-decided.js";
import { variedCells, varyOption } from "../experiment/varied-cells.js";

/** Options of `ab`. */
export const abOptions = [
  {
    ...subjectsOption,
    meaning: "what to compare: NAME for our engine, NAME=COMMAND for another schbench; the first is the base",
  },
  {
    id: "base",
    kind: "text",
    long: ["base"],
    group: "Subjects",
    meaning: "compare with this subject",
    valueName: "NAME",
    defaultText: "the first",
  },
  ...surroundingOptions,
  { ...varyOption, meaning: `compare under each of several settings: ${varyOption.meaning}` },
  { ...runsOption, meaning: "runs of each subject, fixed in advance", default: RECOMMENDED_RUNS },
  ...untilOptions,
  { ...warmupRunsOption, meaning: "warm-up runs of each subject, excluded from the comparison" },
  ...conductOptions,
  ...judgeOptions,
] as const satisfies OptionTable;

/** The subjects with the base first. */
const withBaseFirst = (subjects: readonly Subject[], base: string | null): readonly Subject[] => {
  if (base === null) return subjects;
  const found = subjects.find((subject) => subject.name === base);
  if (found === undefined)
    throw new UsageError(
      `unknown subject "${base}" for --base: allowed is one of ${subjects.map((subject) => subject.name).join(", ")}`,
    );
  return [found, ...subjects.filter((subject) => subject !== found)];
};

/** The command in a given world. */
export const abCommandIn = (world: ExperimentWorld): Command => ({
  name: "ab",
  summary: "run two or more subjects in interleaved order and say whether they differ",
  run: async (argv, io) => {
    const { options, rest, given } = parseCommandLine(argv, abOptions, BENCHMARK_FLAGS);
    const subjects = withBaseFirst(
      surround(
        options.subjects.map((text) => readSubject(text, "--subject")),
        options,
      ),
      options.base,
    );
    if (subjects.length < 2)
      throw new UsageError(
        `cannot compare ${subjects.length === 1 ? "one subject" : "nothing"}: --subject is needed at least twice`,
        "For example: schbench-ts ab --subject a --subject b --flags b='-n 6' -- -m 1 -t 2 -r 10",
      );
    const settings = compareSettings(options, options.seed);
    const gate = gateOptions(options);
    const varied = variedCells(options.vary, rest ?? [], subjects);
    const { cells } = varied;
    if (options.until !== null) checkUntil(options, cells.length, given);
    if (options.until === null && options.runs < RECOMMENDED_RUNS)
      io.stderr.write(
        `schbench-ts: ${options.runs} ${options.runs === 1 ? "run" : "runs"} of each subject can show ${shownByFew(options.runs)}; ${RECOMMENDED_RUNS} or more are recommended\n`,
      );
    const planned = options.until === null ? options : { ...options, runs: options.maxRuns };
    return skippingFaults(options.bisect, io, async () => {
      const experiment = await conductExperiment(
        { kind: "ab", subjects: [...subjects], cells: cells.map(({ cell }) => cell), ...repetitions(planned) },
        [["--html", options.html]],
        options,
        world,
        io,
      );
      if (options.until !== null) {
        const looked = await runUntilDecided(experiment, subjects, settings, io);
        if (looked.kind === "interrupted") return looked.exitCode;
        return finishJudged(looked.judged, { ...options, gate, metrics: settings.metrics }, io, world);
      }
      const interrupted = await experiment.run();
      if (interrupted !== null) return interrupted;
      const judged = judgeExperiment(experiment, subjects, varied, settings);
      return finishJudged(judged, { ...options, gate, metrics: settings.metrics }, io, world);
    });
  },
});

/** `schbench-ts ab`. */
export const abCommand: Command = abCommandIn(hostWorld);
