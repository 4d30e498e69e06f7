/**
 * What running an experiment needs of the world: processes, shell commands, the scheduler's state, a clock, a file. The
 * command hands in the real ones, tests their own. Types only.
 */
import type { Fingerprint, RequestRate } from "../model/fingerprint.js";
import type { RunResult } from "../model/run-result.js";
import type { RunOrigin } from "./origin.js";
import type { RunRecord } from "./record.js";
import type { EngineCommand } from "./subject.js";

/** A program to run to its end. */
export interface Invocation {
  readonly command: readonly string[];
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Ended by force after so long; null: never. */
  readonly timeoutMsec: number | null;
  /** Its benchmark threads are watched from outside for a fingerprint, for a run of so long; null: they are not. */
  readonly watchSec: number | null;
  /** Aborted: the program gets SIGINT, and is ended by force if that does not help. */
  readonly signal: AbortSignal;
}

/** What became of a program. */
export interface Execution {
  /** null when a signal ended it. */
  readonly exitCode: number | null;
  readonly endedBy: string | null;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** What the kernel saw of the threads that were watched, for a run with this average rate; null: not known. */
  readonly fingerprint: (rate: RequestRate) => Fingerprint | null;
}

/** A shell command around a run. */
export interface ShellCommand {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** What became of a shell command. */
export interface ShellOutcome {
  readonly exitCode: number | null;
  /** What it printed until it ended, both streams. */
  readonly output: string;
  /** Ends the processes it left in the background, and waits until they are gone; null: it left none. */
  readonly endLeftOvers: (() => Promise<void>) | null;
}

/** The scheduler in charge. */
export interface SchedulerState {
  /** Name of the sched_ext scheduler, or `disabled`. */
  readonly name: string;
  /** Rises with every scheduler that is loaded, so that a reload of the same one shows; null: not told. */
  readonly loads: number | null;
}

/** The world of an experiment. */
export interface Laboratory {
  readonly engineCommand: EngineCommand;
  readonly execute: (invocation: Invocation) => Promise<Execution>;
  /** What would keep a program, a path or a name on the PATH, from being started; null: nothing. */
  readonly startFault: (program: string, env: Readonly<Record<string, string>>) => Promise<unknown>;
  /** What runs shell commands. */
  readonly shellProgram: string;
  readonly shell: (command: ShellCommand) => Promise<ShellOutcome>;
  /** null: this kernel has no sched_ext. */
  readonly schedExt: () => Promise<SchedulerState | null>;
  /** Where runs are made. */
  readonly origin: () => RunOrigin;
  readonly nowMsec: () => number;
  /** Every run in a schbench output, text or JSON; throws ParseError. */
  readonly parse: (text: string, source: string) => readonly RunResult[];
  readonly append: (record: RunRecord) => Promise<void>;
}
