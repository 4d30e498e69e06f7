/**
 * `schbench-ts ab`: runs two or more subjects in turn, in random order, and says whether they differ. No upstream
 * counterpart: engineers do this by hand before they post a table.
 */
import { EXIT, UsageError } from "../../errors.js";
import { RECOMMENDED_RUNS, shownByFew } from "../../compare/comparison-warnings.js";
import type { Subject } from "../../experiment/subject.js";
import { type ParsedCommandLine, parseCommandLine } from "../../options/line/command-line.js";
import type { OptionTable } from "../../options/line/option-table.js";
import type { Command } from "../io/command.js";
import type { MachineHere } from "../../platform/machine/machine-here.js";
import { compareStores } from "./compare-stores.js";
import { showPlan } from "../experiment/boot-plan.js";
import { showStatus, statusOption } from "../experiment/boot-status.js";
import { conductExperiment, type ExperimentPlan, headerOf } from "../experiment/conduct-experiment.js";
import { runElsewhere } from "../fleet/run-elsewhere.js";
import { STREAM, streamFiles } from "../fleet/stream-store.js";
import {
  BENCHMARK_FLAGS,
  conductOptions,
  repetitions,
  runsOption,
  subjectsOption,
  warmupRunsOption,
} from "../options/experiment-options.js";
import { type ExperimentWorld, hostWorld } from "../io/experiment-world.js";
import { judgedAsBegun, judgementKept } from "../stored/kept-judgement.js";
import { judgeExperiment } from "../experiment/judge-experiment.js";
import { skippingFaults } from "../output/judged.js";
import { finishJudged } from "../output/judged-output.js";
import { compareSettings, gateOptions, judgeOptions, withMerged } from "../options/judge-options.js";
import { bootRepetitions, EMULATION_NOTE, place, placeOptions } from "../options/place-options.js";
import { checkReboot } from "../options/reboot-options.js";
import { fleetOptions } from "../options/fleet-options.js";
import { readSubject, surround, surroundingOptions } from "../options/subject-options.js";
import { checkUntil, runUntilDecided, untilOptions } from "../experiment/until-decided.js";
import { largeOption } from "../experiment/grid-size.js";
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
  ...placeOptions,
  { ...varyOption, meaning: `compare under each of several settings: ${varyOption.meaning}` },
  largeOption,
  { ...runsOption, meaning: "runs of each subject, fixed in advance", default: RECOMMENDED_RUNS },
  ...untilOptions,
  { ...warmupRunsOption, meaning: "warm-up runs of each subject, excluded from the comparison" },
  ...conductOptions,
  statusOption,
  ...fleetOptions,
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

type AbLine = ParsedCommandLine<typeof abOptions>;

/** Reads a command line of `ab`, without a look at this machine. */
export const readAb = (argv: readonly string[]): AbLine => parseCommandLine(argv, abOptions, BENCHMARK_FLAGS);

const subjectsIn = ({ options }: AbLine): readonly Subject[] => {
  const named = options.subjects.map((text) => readSubject(text, "--subject"));
  const subjects = withBaseFirst(place(surround(named, options), options), options.base);
  if (subjects.length < 2)
    throw new UsageError(
      `cannot compare ${subjects.length === 1 ? "one subject" : "nothing"}: --subject is needed at least twice`,
      "For example: schbench-ts ab --subject a --subject b --flags b='-n 6' -- -m 1 -t 2 -r 10",
    );
  return subjects;
};

/**
 * The experiment that a command line asks for, its flags checked.
 *
 * @param machine that the runs are for; default: this one
 * @throws UsageError
 */
export const planAb = (line: AbLine, machine?: MachineHere) => {
  const { options, rest, given } = line;
  const subjects = subjectsIn(line);
  const planned = options.until === null ? options : { ...options, runs: options.maxRuns };
  const varied = variedCells({
    ...options,
    flags: rest ?? [],
    subjects,
    machine,
    rounds: planned.runs,
  });
  if (options.until !== null) checkUntil(options, varied.cells.length, given);
  if (options.until !== null && subjects.some((subject) => subject.place !== undefined))
    throw new UsageError("--until looks after every round, and --kernel goes boot by boot: they do not go together");
  const cells = varied.cells.map(({ cell }) => cell);
  const plan: ExperimentPlan = {
    kind: "ab",
    subjects: [...subjects],
    cells,
    ...repetitions(planned),
    ...judgementKept(options),
    ...bootRepetitions(subjects, planned, given.has("runs")),
  };
  return { subjects, varied, plan };
};

/** Runs are only written; who reads them judges. */
const refuseJudging = (given: ReadonlySet<string>): void => {
  const asked = [...given].find((id) => [...judgeOptions, ...untilOptions].some((spec) => spec.id === id));
  if (asked !== undefined)
    throw new UsageError(
      "with -o - the runs are written to standard output and nothing is judged: leave out the options about judging",
      "Keep the stream in a file, then judge it: schbench-ts compare FILE",
    );
};

/** The command in a given world. */
export const abCommandIn = (world: ExperimentWorld): Command => ({
  name: "ab",
  summary: "run two or more subjects in interleaved order and say whether they differ",
  run: async (argv, io) => {
    const line = readAb(argv);
    const { options, given } = line;
    if (options.status !== null) return showStatus(options.status, world, io);
    checkReboot(options);
    if (options.emulate) io.stderr.write(EMULATION_NOTE);
    if (options.until === null && options.boots === null && options.runs < RECOMMENDED_RUNS)
      io.stderr.write(
        `schbench-ts: ${options.runs} ${options.runs === 1 ? "run" : "runs"} of each subject can show ${shownByFew(options.runs)}; ${RECOMMENDED_RUNS} or more are recommended\n`,
      );
    compareSettings(options, options.seed);
    subjectsIn(line);
    const elsewhere = await runElsewhere(
      {
        line: { ...line, command: "ab" },
        table: abOptions,
        planOn: (machine) => planAb(line, machine).plan,
        judge: (stores) => compareStores(stores, options, world, io),
      },
      world,
      io,
    );
    if (elsewhere !== null) return elsewhere;
    const { subjects, varied, plan } = planAb(line);
    if (options.plan) return showPlan(headerOf(plan, world.nowMsec()), options.store, world, io);
    if (options.store === STREAM) {
      refuseJudging(given);
      const streamed = { ...world, storeFiles: streamFiles(io.stdout) };
      const experiment = await conductExperiment(plan, [], options, streamed, io);
      return (await experiment.run()) ?? EXIT.ok;
    }
    return skippingFaults(options.bisect, io, async () => {
      const experiment = await conductExperiment(plan, [["--html", options.html]], options, world, io);
      const judgedBy = judgedAsBegun(options, experiment.header, io);
      const settings = { ...compareSettings(judgedBy, options.seed), ...withMerged(options) };
      const gate = gateOptions(judgedBy);
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
