/**
 * `schbench-ts validate`: does the port measure what the C program measures? Axis by axis against the envelope that the
 * reference spans between its own builds. No upstream counterpart.
 */
import { EXIT, type ExitCode, UserError } from "../../errors.js";
import { type Axis, cellOfAxis, chooseAxes, CONFINING_PROGRAM } from "../../validate/axes.js";
import { furtherRound } from "../../validate/further-rounds.js";
import { defaultPolicy } from "../../validate/policy.js";
import { checkReference } from "../../validate/preflight.js";
import { spanningReferences } from "../../validate/span.js";
import type { ExperimentHeader, RunRecord } from "../../experiment/record.js";
import type { Subject } from "../../experiment/subject.js";
import { judgeValidation, undecidedAxes } from "../../validate/validate.js";
import type { Validation } from "../../validate/validation.js";
import { joinWords } from "../../options/values/shell-words.js";
import { NO_WORDS, parseCommandLine } from "../../options/line/command-line.js";
import type { OptionTable, OptionValues } from "../../options/line/option-table.js";
import { readAllowedCpus } from "../../platform/cpus/cpu-ids.js";
import { hostFiles } from "../../platform/files.js";
import { validationHeadline } from "../../render/validation/validation-sentences.js";
import type { Command, Io } from "../io/command.js";
import { checkedCell } from "../experiment/checked-cell.js";
import { conductExperiment } from "../experiment/conduct-experiment.js";
import { type ExperimentWorld, hostWorld } from "../io/experiment-world.js";
import { repeatCommand } from "../experiment/repeat-command.js";
import { storedValidation } from "../stored/stored-validation.js";
import { makeFolders, readCauses, validationFiles, writeValidation } from "../output/validation-output.js";
import { readOurs, readReferences } from "../experiment/validation-subjects.js";
import { checkWritable } from "../output/write-report.js";
import { refuseInput } from "../io/output-file.js";
import { fleetOptions } from "../options/fleet-options.js";
import { placeOptions } from "../options/place-options.js";
import { rebootOptions } from "../options/reboot-options.js";
import { surround } from "../options/subject-options.js";
import { validateOptions } from "../options/validate-options.js";

const ROUNDS = 10;
const RUNTIME_SEC = 2;

type Options = OptionValues<typeof validateOptions>;

const refusing = (table: OptionTable, why: string) =>
  Object.fromEntries(table.flatMap(({ long }) => long.map((name) => [`--${name}`, why])));

/** A validation reads the kernel's counters of the reference's threads from beside them. */
const HERE_ONLY = {
  ...refusing(
    fleetOptions,
    "validate runs where its reference builds are: start it there, as in: ssh HOST schbench-ts validate …",
  ),
  ...refusing(
    [...placeOptions, ...rebootOptions],
    "validate compares programs on the kernel that runs: boot it, and validate there. ab compares kernels.",
  ),
};

const EXITS = {
  inside: EXIT.ok,
  outside: EXIT.different,
  undecided: EXIT.undecided,
} as const satisfies Record<Validation["outcome"], ExitCode>;

const namesIn = (list: string | null): readonly string[] | null => list?.split(",").map((name) => name.trim()) ?? null;

const checkConfining = async (axes: readonly Axis[], world: ExperimentWorld): Promise<void> => {
  const confined = axes.find((axis) => axis.oneCpu === true);
  if (confined === undefined || (await world.startFault(CONFINING_PROGRAM, {})) === null) return;
  throw new UserError(
    `axis "${confined.name}" keeps every subject on one CPU with ${CONFINING_PROGRAM}, which is not installed`,
    "Install util-linux, or choose other axes with --axes.",
  );
};

/** What a validation judges: the plan, and the runs of now. */
interface Evidence {
  readonly header: ExperimentHeader;
  readonly references: readonly string[];
  readonly records: () => readonly RunRecord[];
  /** One more round of some axes; false: there are none left. Throws nothing; an exit code is an interruption. */
  readonly more: (axes: readonly string[]) => Promise<ExitCode | null | "none left">;
}

/** Judges, and goes on with what is undecided as long as there is more. */
const judgeWhileMore = async (
  evidence: Evidence,
  options: Options,
  world: ExperimentWorld,
  io: Io,
): Promise<Validation | ExitCode> => {
  const { header, references } = evidence;
  const envelope = spanningReferences(references, namesIn(options.envelope));
  const binaries = header.subjects.flatMap(({ name, launch }) => {
    const [path, ...words] = launch.kind === "external" && references.includes(name) ? launch.command : [];
    return path === undefined || words.length > 0 ? [] : [{ name, path }];
  });
  const code = options.noCode ? null : await world.checkCode(binaries);
  const policy = options.policy ?? defaultPolicy(header, envelope.length);
  const judgeNow = () =>
    judgeValidation(header, evidence.records(), {
      policy,
      references,
      envelope,
      code,
      marginPercent: options.margin,
    });
  for (;;) {
    // Where runs are still made, an interruption has more to do.
    const validation = options.from === null ? judgeNow() : io.atOnce(judgeNow);
    const stopped = await evidence.more(undecidedAxes(validation));
    if (stopped === "none left") return validation;
    if (stopped !== null) return stopped;
  }
};

/** The runs are made now; an exit code: they were interrupted. */
const conducted = async (options: Options, world: ExperimentWorld, io: Io): Promise<Evidence | ExitCode> => {
  const asked = readReferences(options.references);
  const subjects = surround([...asked, ...readOurs(options.ours)], options);
  const references: readonly Subject[] = subjects.filter(({ name }) => asked.some((one) => one.name === name));
  const names = references.map(({ name }) => name);
  spanningReferences(names, namesIn(options.envelope));
  const axes = chooseAxes(namesIn(options.axes), options.quick);
  if (references.length === 1)
    io.stderr.write(
      "schbench-ts: one reference does not span an envelope: any average other than its own is outside; give two builds\n",
    );
  for (const reference of references) await checkReference(reference, world, io.interrupted);
  await checkConfining(axes, world);
  if (options.fingerprint) await world.checkTracing();

  const lengths = {
    rounds: ROUNDS,
    askedRounds: options.runs,
    runtimeSec: RUNTIME_SEC,
    askedRuntimeSec: options.runtime,
  };
  const cpus = readAllowedCpus(hostFiles);
  const experiment = await conductExperiment(
    {
      kind: "validate",
      subjects: [...subjects],
      cells: axes.map((axis) => checkedCell(cellOfAxis(axis, lengths, cpus), subjects)),
      rounds: options.runs ?? ROUNDS,
      warmupRounds: 1,
      seed: options.seed,
      watch: options.fingerprint ? "counters-and-trace" : "counters",
    },
    validationFiles(options),
    options,
    world,
    io,
  );
  const interrupted = await experiment.run();
  if (interrupted !== null) return interrupted;
  const more = async (undecided: readonly string[]) => {
    const slots = furtherRound(experiment.header, experiment.records(), undecided, options.untilDecided ?? 0);
    return slots.length === 0 ? "none left" : experiment.run(slots);
  };
  return { header: experiment.header, references: names, records: experiment.records, more };
};

/** The runs were made before. */
const stored = async (from: string, options: Options, given: ReadonlySet<string>, world: ExperimentWorld, io: Io) => {
  for (const output of validationFiles(options)) refuseInput(output, [from]);
  checkWritable(validationFiles(options), null, world);
  return storedValidation(from, given, io);
};

/** The command in a given world. */
export const validateCommandIn = (world: ExperimentWorld): Command => ({
  name: "validate",
  summary: "compare the engine with reference builds of schbench, axis by axis",
  run: async (argv, io) => {
    const { options, given } = parseCommandLine(argv, validateOptions, { ...NO_WORDS, refused: HERE_ONLY });
    const causes = await readCauses(options.causes, io);
    await makeFolders(options.outputDir);
    const evidence =
      options.from === null
        ? await conducted(options, world, io)
        : { ...(await stored(options.from, options, given, world, io)), more: async () => "none left" as const };
    if (typeof evidence === "number") return evidence;
    const validation = await judgeWhileMore(evidence, options, world, io);
    if (typeof validation === "number") return validation;
    // Judged from a file, what made the file is what repeats it.
    const command =
      options.from === null ? joinWords(["schbench-ts", "validate", ...argv]) : repeatCommand(evidence.header);
    await writeValidation(validation, evidence, { ...options, causes, command }, world, io);
    io.stderr.write(`${validationHeadline(validation)}\n`);
    return EXITS[validation.outcome];
  },
});

/** `schbench-ts validate`. */
export const validateCommand: Command = validateCommandIn(hostWorld);
