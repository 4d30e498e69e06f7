/**
 * `schbench-ts ab`: runs two or more subjects in turn, in random order, and says whether they differ. No upstream
 * counterpart: engineers do this by hand before they post a table.
 */
import { UsageError } from "../errors.js";
import { compareSubjects } from "../experiment/compare.js";
import { RECOMMENDED_RUNS, shownByFew } from "../experiment/compare-warnings.js";
import { EXPERIMENT_VERSION, type ExperimentHeader, measuredResults, type RunRecord } from "../experiment/record.js";
import type { Subject } from "../experiment/subject.js";
import { parseCommandLine } from "../options/command-line.js";
import type { OptionTable } from "../options/option-table.js";
import type { RunResult } from "../report/run-result.js";
import type { ReportSubject } from "../render/report-input.js";
import type { Command } from "./command.js";
import { compareSettings, comparisonExit, judgeOptions, printComparisons } from "./comparison-output.js";
import { checkedCell, openExperiment } from "./conduct-experiment.js";
import { conductOptions, readSubject, surround, surroundingOptions } from "./experiment-options.js";
import { type ExperimentWorld, hostWorld } from "./experiment-world.js";
import { checkWritable, writeHtml } from "./write-report.js";

/** Options of `ab`. */
export const abOptions = [
  {
    id: "subjects",
    kind: "text",
    long: ["subject"],
    group: "Subjects",
    meaning: "what to compare: NAME for our engine, NAME=COMMAND for another schbench; the first is the base",
    valueName: "NAME[=COMMAND]",
    repeated: true,
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
  {
    id: "runs",
    kind: "count",
    long: ["runs"],
    group: "Runs",
    meaning: "runs of each subject, fixed beforehand",
    min: 1,
    max: 10_000,
    default: RECOMMENDED_RUNS,
  },
  {
    id: "warmupRuns",
    kind: "count",
    long: ["warmup-runs"],
    group: "Runs",
    meaning: "runs of each subject before those, left out",
    min: 0,
    max: 100,
    default: 1,
  },
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

/** Place in the experiment of every run that was kept, from 1; runs land in the store in the order in which they were made. */
const positionsIn = (records: readonly RunRecord[]): ReadonlyMap<RunResult, number> =>
  new Map(
    records
      .flatMap(({ result, slot }) => (result === null || slot.round < 1 ? [] : [result]))
      .map((result, index) => [result, index + 1]),
  );

/** What a report shows of a subject. */
export const reportSubject = (subject: Subject, cell: string, records: readonly RunRecord[]): ReportSubject => {
  const steps = [
    ["set-up", subject.setup],
    ["prepare", subject.prepare],
    ["tear-down", subject.teardown],
  ] as const;
  const positions = positionsIn(records);
  const runs = measuredResults(records, subject.name, cell);
  return {
    name: subject.name,
    runs,
    positions: runs.map((run) => positions.get(run) ?? 0),
    surroundings: steps.flatMap(([step, command]) => (command === null ? [] : [[step, command] as const])),
  };
};

/** The command in a given world. */
export const abCommandIn = (world: ExperimentWorld): Command => ({
  name: "ab",
  summary: "run two or more set-ups in turn and say whether they differ",
  run: async (argv, io) => {
    const { options, rest } = parseCommandLine(argv, abOptions, {
      name: "argument",
      min: 0,
      max: 0,
      rest: "BENCHMARK-FLAGS",
    });
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
    const cell = checkedCell(
      { name: "run", flags: [...(rest ?? [])], engineFlags: [], runtimeSec: null, rounds: null },
      subjects,
    );
    if (options.runs < RECOMMENDED_RUNS)
      io.stderr.write(
        `schbench-ts: ${options.runs} ${options.runs === 1 ? "run" : "runs"} of each subject can show ${shownByFew(options.runs)}; ${RECOMMENDED_RUNS} or more are recommended\n`,
      );
    const header: ExperimentHeader = {
      format: "schbench-ts/experiment",
      version: EXPERIMENT_VERSION,
      kind: "ab",
      subjects: [...subjects],
      cells: [cell],
      rounds: options.runs,
      warmupRounds: options.warmupRuns,
      seed: options.seed,
      startedAt: new Date(world.nowMsec()).toISOString(),
    };
    await checkWritable([["--html", options.html]], options.store, world);
    const experiment = await openExperiment(header, options, world, io);
    const interrupted = await experiment.run();
    if (interrupted !== null) return interrupted;

    const reported = subjects.map((subject) => reportSubject(subject, cell.name, experiment.records()));
    const comparison = compareSubjects(reported, settings);
    const named = [{ name: "", comparison }];
    printComparisons(named, options.format, io);
    await writeHtml(options.html, () => ({ kind: "comparison", subjects: reported, comparison }), world);
    return comparisonExit(named, options.check);
  },
});

/** `schbench-ts ab`. */
export const abCommand: Command = abCommandIn(hostWorld);
