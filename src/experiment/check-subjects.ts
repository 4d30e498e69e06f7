/**
 * Can every subject be run? Asked before the first run, so that an experiment of an hour does not end in its first round
 * over a slip in the name or the flags of its third subject. No upstream counterpart.
 */
import { UserError } from "../errors.js";
import type { Execution, Laboratory } from "./laboratory.js";
import { cannotStart } from "../start-fault.js";
import { type Cell, type EngineCommand, invocationOf, type Subject } from "./subject.js";
import { quoteOutput } from "./surroundings.js";

/** A usage or a version is there at once; a program that prints none is interrupted, and left to its run. */
const PATIENCE_MSEC = 3000;
/** How much of a usage says what was wrong. */
const SHOWN_LINES = 3;

/** What checking needs of the world. */
export type SubjectChecks = Pick<Laboratory, "engineCommand" | "execute" | "placeOf" | "shellProgram" | "startFault">;

/** Starts a program and waits for its end; null: it did not end by itself. */
type Ask = (command: readonly string[]) => Promise<Execution | null>;

const askingAs =
  ({ env }: Subject, lab: SubjectChecks, signal: AbortSignal): Ask =>
  async (command) => {
    const stop = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MSEC)]);
    const answer = await lab.execute({ command, env, timeoutMsec: null, watch: null, signal: stop });
    return stop.aborted ? null : answer;
  };

/** What stands around a run may make what the run needs: then there is nothing to see before. */
export const isMadeReady = ({ setup, prepare }: Subject): boolean => setup !== null || prepare !== null;

/** Throws UserError when a program of a subject cannot be started. */
export const checkStart = async (
  { name, env }: Subject,
  program: string,
  lab: Pick<Laboratory, "startFault">,
): Promise<void> => {
  const fault = await lab.startFault(program, env);
  if (fault !== null) throw cannotStart(program, fault, ` of subject "${name}"`);
};

/** The words of getopt about an option that it does not know or cannot read. */
const COMPLAINT =
  /(?:invalid|unrecogni[sz]ed|unknown) option|option .*(?:requires an argument|is ambiguous|allow an argument)/;

const complaintIn = (text: string): string | undefined =>
  text.split("\n").find((line) => COMPLAINT.test(line) && !line.includes("help"));

const shortened = (text: string): string => quoteOutput(text.trimStart().split("\n").slice(0, SHOWN_LINES).join("\n"));

/** A shell, or another program that starts programs, could not start the last one. */
const startedNothing = ({ exitCode }: Execution): boolean => exitCode === 126 || exitCode === 127;

/** The cell with the most flags: all of a sweep name the same options. */
const fullestCell = (cells: readonly Cell[]): Cell | undefined =>
  cells.toSorted((a, b) => b.flags.length - a.flags.length)[0];

/** Our engine under a Node that was named must know itself. */
const askOurs = async (who: Subject, lab: SubjectChecks, ask: Ask) => {
  if (who.launch.kind !== "engine" || who.launch.node === null) return;
  const answer = await ask([...lab.engineCommand(who.launch.node), "--version"]);
  if (answer !== null && (answer.exitCode !== 0 || !answer.stdout.includes("schbench-ts")))
    throw new UserError(
      `"${who.launch.node}" of subject "${who.name}" does not run our engine: it is not a Node that this package works with`,
      quoteOutput(answer.stdout + answer.stderr),
    );
};

/** Another schbench is asked for its usage behind the flags that it will get: it reads those first. */
const askOther = async (who: Subject, cells: readonly Cell[], engineCommand: EngineCommand, ask: Ask) => {
  const cell = fullestCell(cells);
  if (who.launch.kind !== "external" || cell === undefined) return;
  const command = invocationOf(who, cell, engineCommand);
  const answer = await ask([...command, "--help"]);
  if (answer === null) return;
  const { exitCode, stdout, stderr } = answer;
  if (startedNothing(answer))
    throw new UserError(
      `subject "${who.name}" cannot be started: "${who.launch.command.join(" ")}" ended with exit code ${exitCode}`,
      shortened(stdout + stderr),
    );
  const complaint = complaintIn(stderr);
  if (exitCode !== 0 && complaint !== undefined)
    throw new UserError(
      `subject "${who.name}" rejects its flags: ${complaint.trim()}`,
      `Its runs would be started as: ${command.join(" ")}`,
    );
};

/** The programs that a run starts by name; our own command is known to be there. */
const programsOf = ({ launch }: Subject): readonly string[] => {
  if (launch.kind === "external") return launch.command.slice(0, 1);
  return [...(launch.launcher ?? []).slice(0, 1), ...(launch.node === null ? [] : [launch.node])];
};

/**
 * Checks subjects without running the benchmark: programs that are there and may be executed, a Node that runs our engine,
 * flags that another schbench does not complain of. A subject whose set-up or prepare command may make its program ready
 * is only checked when it runs, and one at a place is checked by that.
 *
 * @throws UserError for the first subject that could not be run
 */
export const checkSubjects = async (
  subjects: readonly Subject[],
  cells: readonly Cell[],
  lab: SubjectChecks,
  signal: AbortSignal,
): Promise<void> => {
  for (const who of subjects) {
    if (who.place !== undefined) {
      await lab.placeOf(who.place).check(who, cells, signal);
      continue;
    }
    const start = (program: string): Promise<void> => checkStart(who, program, lab);
    const ask = askingAs(who, lab, signal);
    if (isMadeReady(who) || who.teardown !== null) await start(lab.shellProgram);
    if (isMadeReady(who)) continue;
    for (const program of programsOf(who)) await start(program);
    await askOther(who, cells, lab.engineCommand, ask);
    await askOurs(who, lab, ask);
  }
};
