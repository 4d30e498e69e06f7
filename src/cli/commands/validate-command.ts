/**
 * `schbench-ts validate`: does the port measure what the C program measures? Axis by axis against the envelope that the
 * reference spans between its own builds. No upstream counterpart.
 */
import { EXIT, type ExitCode, UsageError } from "../../errors.js";
import { cellOfAxis, chooseAxes } from "../../validate/axes.js";
import { furtherRound } from "../../validate/further-rounds.js";
import { checkReference } from "../../validate/preflight.js";
import { measuredResults } from "../../experiment/record.js";
import { plainSubject, type Subject } from "../../experiment/subject.js";
import { judgeValidation, undecidedAxes } from "../../validate/validate.js";
import type { Validation } from "../../validate/validation.js";
import { joinWords } from "../../options/shell-words.js";
import { parseCommandLine } from "../../options/command-line.js";
import { validationHeadline, validationMarkdown } from "../../render/validation-markdown.js";
import type { Command, Io } from "../io/command.js";
import { checkedCell } from "../experiment/checked-cell.js";
import { conductExperiment } from "../experiment/conduct-experiment.js";
import { type ExperimentWorld, hostWorld } from "../experiment/experiment-world.js";
import { readSubject, surround } from "../options/subject-options.js";
import { validateOptions } from "../options/validate-options.js";
import { writeHtml } from "../experiment/write-report.js";

/** Name of our engine where none is given. */
const OURS = "schbench-ts";
const ROUNDS = 3;
const RUNTIME_SEC = 10;
const QUICK_RUNTIME_SEC = 4;

const EXAMPLE = "schbench-ts validate --reference gcc=./schbench-gcc --reference clang=./schbench-clang";

const readReferences = (texts: readonly string[]): readonly Subject[] => {
  if (texts.length === 0)
    throw new UsageError(
      "there is nothing to validate against: --reference NAME=COMMAND is missing",
      `Build schbench with two compilers and give both, since their distance is the yardstick: ${EXAMPLE}`,
    );
  const references = texts.map((text) => readSubject(text, "--reference"));
  const own = references.find((reference) => reference.launch.kind === "engine");
  if (own !== undefined)
    throw new UsageError(`reference "${own.name}" has no command: allowed is NAME=COMMAND`, `For example: ${EXAMPLE}`);
  return references;
};

const readOurs = (texts: readonly string[]): readonly Subject[] => {
  const names = texts.length === 0 ? [OURS] : texts;
  return names.map((name) => {
    if (name.includes("="))
      throw new UsageError(
        `invalid value "${name}" for --ours: allowed is a NAME`,
        "What sets one build apart is given with --flags NAME=…, --env NAME=… or --node NAME=….",
      );
    return name === OURS ? plainSubject(OURS, { kind: "engine", node: null }) : readSubject(name, "--ours");
  });
};

const write = async (
  validation: Validation,
  options: { readonly format: "markdown" | "json"; readonly output: string | null },
  command: string,
  world: ExperimentWorld,
  io: Io,
): Promise<void> => {
  const text =
    options.format === "json"
      ? `${JSON.stringify(validation, null, 2)}\n`
      : validationMarkdown(validation, { command });
  if (options.output === null || options.output === "-") io.stdout.write(text);
  else await world.writeText(options.output, text);
};

const EXITS = {
  inside: EXIT.ok,
  outside: EXIT.different,
  undecided: EXIT.undecided,
} as const satisfies Record<Validation["outcome"], ExitCode>;

/** The command in a given world. */
export const validateCommandIn = (world: ExperimentWorld): Command => ({
  name: "validate",
  summary: "hold the engine against reference builds of schbench, axis by axis",
  run: async (argv, io) => {
    const { options } = parseCommandLine(argv, validateOptions);
    const asked = readReferences(options.references);
    const subjects = surround([...asked, ...readOurs(options.ours)], options);
    const references = subjects.filter(({ name }) => asked.some((reference) => reference.name === name));
    const axes = chooseAxes(options.axes?.split(",").map((name) => name.trim()) ?? null, options.quick);
    if (references.length === 1)
      io.stderr.write(
        "schbench-ts: one reference spans no envelope: anything but its very average is outside; give two builds\n",
      );
    for (const reference of references) await checkReference(reference, world, io.interrupted);

    const lengths = {
      rounds: ROUNDS,
      askedRounds: options.runs,
      runtimeSec: options.quick ? QUICK_RUNTIME_SEC : RUNTIME_SEC,
      askedRuntimeSec: options.runtime,
    };
    const experiment = await conductExperiment(
      {
        kind: "validate",
        subjects: [...subjects],
        cells: axes.map((axis) => checkedCell(cellOfAxis(axis, lengths), subjects)),
        rounds: options.runs ?? ROUNDS,
        warmupRounds: 1,
        seed: options.seed,
      },
      [
        ["--html", options.html],
        ["--output", options.output],
      ],
      options,
      world,
      io,
    );
    const interrupted = await experiment.run();
    if (interrupted !== null) return interrupted;

    const code = options.noCode
      ? null
      : await world.checkCode(
          references.flatMap(({ name, launch }) =>
            launch.kind === "external" && launch.command.length === 1 ? [{ name, path: launch.command[0] ?? "" }] : [],
          ),
        );
    const judge = () =>
      judgeValidation(experiment.header, experiment.records(), {
        policy: options.policy,
        references: references.map(({ name }) => name),
        code,
        marginPercent: options.margin,
      });
    let validation = judge();
    for (;;) {
      const slots = furtherRound(
        experiment.header,
        experiment.records(),
        undecidedAxes(validation),
        options.untilDecided ?? 0,
      );
      if (slots.length === 0) break;
      const stopped = await experiment.run(slots);
      if (stopped !== null) return stopped;
      validation = judge();
    }
    await write(validation, options, joinWords(["schbench-ts", "validate", ...argv]), world, io);
    await writeHtml(
      options.html,
      () => ({
        kind: "validation",
        validation,
        // Each cell is a plan of its own: pooled, they could not be compared when the report is fed back.
        subjects: experiment.header.subjects.flatMap(({ name }) =>
          experiment.header.cells.map((cell) => ({
            name: `${name}, ${cell.name}`,
            runs: measuredResults(experiment.records(), name, cell.name),
          })),
        ),
      }),
      world,
    );
    io.stderr.write(`${validationHeadline(validation)}\n`);
    return EXITS[validation.outcome];
  },
});

/** `schbench-ts validate`. */
export const validateCommand: Command = validateCommandIn(hostWorld);
