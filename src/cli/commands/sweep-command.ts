/** `schbench-ts sweep`: one or more options over their values, a table per metric, and where the tail leaves its flat part. */
import { type Sweep, summarizeSweep } from "../../compare/sweep.js";
import { EXIT, UsageError } from "../../errors.js";
import { plainSubject, type Subject } from "../../experiment/subject.js";
import { type ParsedCommandLine, parseCommandLine } from "../../options/line/command-line.js";
import type { OptionTable, OptionValues } from "../../options/line/option-table.js";
import type { MachineHere } from "../../platform/machine/machine-here.js";
import { kneeLines } from "../../render/comparison/sweep-text.js";
import { showPlan } from "../experiment/boot-plan.js";
import { conductExperiment, type ExperimentPlan, headerOf } from "../experiment/conduct-experiment.js";
import { type ExperimentWorld, hostWorld } from "../io/experiment-world.js";
import { judgedAsBegun, judgementKept } from "../stored/kept-judgement.js";
import { judgeExperiment } from "../experiment/judge-experiment.js";
import { finishJudged, noteAbsentMetrics } from "../output/judged-output.js";
import { largeOption } from "../experiment/grid-size.js";
import { variedCells, varyOption } from "../experiment/varied-cells.js";
import { writeHtml } from "../output/write-report.js";
import { runElsewhere } from "../fleet/run-elsewhere.js";
import { STREAM } from "../fleet/stream-store.js";
import type { Command } from "../io/command.js";
import {
  BENCHMARK_FLAGS,
  conductOptions,
  repetitions,
  runsOption,
  subjectsOption,
  warmupRunsOption,
} from "../options/experiment-options.js";
import { fleetOptions } from "../options/fleet-options.js";
import { compareSettings, gateOptions, judgeOptions } from "../options/judge-options.js";
import { checkReboot } from "../options/reboot-options.js";
import { bootRepetitions, EMULATION_NOTE, place, placeOptions } from "../options/place-options.js";
import { readSubject, surround, surroundingOptions } from "../options/subject-options.js";
import { compareStores } from "./compare-stores.js";
import { showSweeps, sweepWritten, sweptRuns } from "./swept.js";

/** Options of `sweep`. */
export const sweepOptions = [
  varyOption,
  largeOption,
  {
    ...subjectsOption,
    meaning: "NAME for our engine, NAME=COMMAND for another schbench",
    defaultText: "our engine",
  },
  ...surroundingOptions,
  ...placeOptions,
  { ...runsOption, meaning: "runs of each subject at each point", default: 3 },
  { ...warmupRunsOption, meaning: "warm-up runs of each subject at the first point, excluded from the results" },
  ...conductOptions,
  ...fleetOptions,
  ...judgeOptions,
] as const satisfies OptionTable;

/** Name of our engine where no subject is given. */
const OURS = "schbench-ts";
/** How one subject can be shown; several are compared, in every format. */
const SWEEP_FORMATS = ["text", "markdown", "json"] as const;

/** One subject has nothing to be compared with. */
const refuseGate = ({ check, failOn, bisect, format }: OptionValues<typeof sweepOptions>): void => {
  const what = check ? "--check" : failOn !== null ? "--fail-on" : bisect ? "--bisect" : null;
  if (what !== null)
    throw new UsageError(`${what} needs something to compare: name two or more subjects with --subject`);
  if (!SWEEP_FORMATS.some((known) => known === format))
    throw new UsageError(
      `--format ${format} shows a comparison: name two or more subjects with --subject`,
      `One subject can be shown as ${SWEEP_FORMATS.join(", ")}.`,
    );
};

type SweepLine = ParsedCommandLine<typeof sweepOptions>;

/** Reads a command line of `sweep`, without a look at this machine. */
export const readSweep = (argv: readonly string[]): SweepLine => parseCommandLine(argv, sweepOptions, BENCHMARK_FLAGS);

const subjectsIn = ({ options }: SweepLine): readonly Subject[] => {
  if (options.vary.length === 0)
    throw new UsageError(
      "there is nothing to sweep over: --vary is missing",
      "For example: schbench-ts sweep --vary t=1..16 -- -m 1 -r 5",
    );
  const named = options.subjects.map((text) => readSubject(text, "--subject"));
  const asked = named.length === 0 ? [plainSubject(OURS, { kind: "engine", node: null })] : named;
  const subjects = place(surround(asked, options), options);
  if (subjects.length < 2) refuseGate(options);
  if (subjects.length < 2 && options.on.length > 0 && options.html !== null)
    throw new UsageError(
      "--html shows the sweep of one machine, and --on names others",
      "Leave it out, and show each afterwards: schbench-ts report FOLDER/MACHINE.ndjson",
    );
  return subjects;
};

/**
 * The experiment that a command line asks for, its flags checked.
 *
 * @param machine that the runs are for; default: this one
 * @throws UsageError
 */
export const planSweep = (line: SweepLine, machine?: MachineHere) => {
  const { options, rest, given } = line;
  const subjects = subjectsIn(line);
  const varied = variedCells({
    ...options,
    flags: rest ?? [],
    subjects,
    machine,
    rounds: options.runs,
  });
  const plan: ExperimentPlan = {
    kind: "sweep",
    subjects: [...subjects],
    cells: varied.cells.map(({ cell }) => cell),
    ...repetitions(options),
    ...judgementKept(options),
    ...bootRepetitions(subjects, options, given.has("runs")),
  };
  return { subjects, varied, plan };
};

/** The sentences on knees, above a comparison's table; empty where there are none. */
const kneeText = (sweep: Sweep): string => {
  const lines = kneeLines(sweep);
  return lines.length === 0 ? "" : `${lines.join("\n")}\n\n`;
};

/** The command in a given world. */
export const sweepCommandIn = (world: ExperimentWorld): Command => ({
  name: "sweep",
  summary: "vary one or more options and find the knee",
  run: async (argv, io) => {
    const line = readSweep(argv);
    const { options } = line;
    compareSettings(options, options.seed);
    checkReboot(options);
    const asked = subjectsIn(line);
    const elsewhere = await runElsewhere(
      {
        line: { ...line, command: "sweep" },
        table: sweepOptions,
        planOn: (machine) => planSweep(line, machine).plan,
        judge: (stores) =>
          asked.length > 1
            ? compareStores(stores, options, world, io)
            : showSweeps(stores, planSweep(line), options, io),
      },
      world,
      io,
    );
    if (elsewhere !== null) return elsewhere;
    if (options.store === STREAM)
      throw new UsageError('cannot keep the runs in "-": they are kept in a file', "Name one with -o FILE.");
    const { subjects, varied, plan } = planSweep(line);
    if (options.plan) return showPlan(headerOf(plan, world.nowMsec()), options.store, world, io);
    if (options.emulate) io.stderr.write(EMULATION_NOTE);
    const experiment = await conductExperiment(plan, [["--html", options.html]], options, world, io);
    const judgedBy = judgedAsBegun(options, experiment.header, io);
    const settings = compareSettings(judgedBy, options.seed);
    const interrupted = await experiment.run();
    if (interrupted !== null) return interrupted;

    const swept = sweptRuns({ subjects, varied }, experiment.records());
    const sweep = summarizeSweep(varied.names, swept, settings.metrics);
    if (subjects.length > 1) {
      const gate = gateOptions(judgedBy);
      const judged = judgeExperiment(experiment, subjects, varied, settings);
      if (options.format === "text" || options.format === "markdown") io.stdout.write(kneeText(sweep));
      return finishJudged(judged, { ...options, gate, within: sweep, metrics: settings.metrics }, io, world);
    }
    io.stdout.write(sweepWritten(sweep, options.format));
    noteAbsentMetrics(settings.metrics, sweep.metrics, io);
    await writeHtml(
      options.html,
      () => ({
        kind: "sweep",
        varied: sweep.varied,
        cells: swept.map(({ values, runs }) => ({ values, runs })),
        ...(settings.metrics === undefined ? {} : { metrics: settings.metrics }),
        knees: kneeLines(sweep),
      }),
      { writeText: world.writeText, atOnce: io.atOnce },
    );
    return EXIT.ok;
  },
});

/** `schbench-ts sweep`. */
export const sweepCommand: Command = sweepCommandIn(hostWorld);
