/**
 * What a machine answers before anything is run there: who it is, and the experiment as it understands it. And what must be alike
 * on all machines. Pure.
 */
import { z } from "zod";
import { at } from "../at.js";
import { UserError } from "../errors.js";
import { jsonOrNull } from "../json-or-null.js";
import { runOrigin } from "../model/result/run-origin.js";
import { experimentHeader } from "../experiment/record.js";
import type { Machine } from "./machine.js";

/** First key of the answer, by which it is found among what a shell's start-up files print. */
export const ANSWER_FORMAT = "schbench-ts/on";

/** The answer, one line of JSON. */
export const machineAnswer = z.object({
  format: z.literal(ANSWER_FORMAT),
  /** Version of schbench-ts there. */
  version: z.string(),
  origin: runOrigin,
  /** CPUs that the benchmark may use. */
  cpus: z.number().int().positive(),
  header: experimentHeader,
  /** Threads of each subject under each setting, such as `1 x 4`, in the header's order; null: an option we do not know. */
  threads: z.array(z.object({ subject: z.string(), cell: z.string(), threads: z.string().nullable() })),
  /** Whether our standard input reaches it, so that it notices when we are gone. */
  isHeld: z.boolean(),
});

export type MachineAnswer = z.infer<typeof machineAnswer>;

/** A machine that has answered. */
export interface AnsweredMachine {
  readonly machine: Machine;
  readonly answer: MachineAnswer;
}

/** The value of `version` in an answer of any version; null: the line is none. */
const versionIn = (value: unknown): string | null => {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const field = (name: string): unknown => entries.find(([key]) => key === name)?.[1];
  return field("format") === ANSWER_FORMAT ? String(field("version")) : null;
};

const otherVersion = (name: string, there: string, here: string): UserError =>
  new UserError(
    `${name} has schbench-ts ${there}, and here is ${here}: runs of different versions cannot be compared`,
    "Install the same version there, or name another program with --on-command.",
  );

/**
 * The answer in what a machine printed; null: there is none.
 *
 * @param here our own version
 * @throws UserError when another version answered
 */
export const answerIn = (stdout: string, name: string, here: string): MachineAnswer | null => {
  for (const line of stdout.split("\n")) {
    const value = jsonOrNull(line);
    const version = versionIn(value);
    if (version === null) continue;
    if (version !== here) throw otherVersion(name, version, here);
    return machineAnswer.parse(value);
  }
  return null;
};

/**
 * Refuses machines that would run different things.
 *
 * @param machines at least one
 * @throws UserError
 */
export const checkAlike = (machines: readonly AnsweredMachine[]): void => {
  const first = at(machines, 0).answer.threads;
  const differs = machines.some(({ answer }) =>
    answer.threads.some(({ threads }, index) => threads !== at(first, index).threads),
  );
  if (!differs) return;
  const cpus = machines.map(({ machine, answer }) => `${machine.name} has ${answer.cpus}`);
  throw new UserError(
    `the machines would run different numbers of threads, because their numbers of CPUs differ: ${cpus.join(", ")}`,
    "Give -m and -t after the --: their defaults follow the CPUs.",
  );
};

/** One sentence for each group of names that lead to the same machine, and for each machine that would not notice our end. */
export const answerDoubts = (machines: readonly AnsweredMachine[]): readonly string[] => {
  const byBoot = new Map<string, string[]>();
  for (const { machine, answer } of machines) {
    const { bootId } = answer.origin;
    if (bootId !== null) byBoot.set(bootId, [...(byBoot.get(bootId) ?? []), machine.name]);
  }
  const shared = [...byBoot.values()].filter((names) => names.length > 1);
  const loose = machines.filter(({ answer }) => !answer.isHeld).map(({ machine }) => machine.name);
  return [
    ...shared.map((names) => `${names.join(", ")} are one machine: their runs disturb each other`),
    ...(loose.length === 0
      ? []
      : [
          `standard input does not reach ${loose.join(", ")}: if this command is ended, the runs there go on (kubectl exec needs -i)`,
        ]),
  ];
};
