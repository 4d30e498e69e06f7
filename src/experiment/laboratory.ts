/**
 * What running an experiment needs of the world: processes, shell commands, the scheduler's state, a clock, a file; and places where runs
 * happen when that is not here: a virtual machine with a kernel, this machine after a boot, another machine. The
 * command hands in the real ones, tests their own. Types only.
 */
import type { Fingerprint, RequestRate } from "../model/result/fingerprint.js";
import type { RunResult } from "../model/result/run-result.js";
import type { RunOrigin } from "../model/result/run-origin.js";
import type { RunRecord } from "./record.js";
import type { Cell, EngineCommand, Subject } from "./subject.js";
import type { Whereabouts } from "./whereabouts.js";

/** How the kernel's view of a program's benchmark threads is taken. */
export interface Watch {
  /** How long the benchmark runs. */
  readonly runtimeSec: number;
  /** The kernel's trace is read, too. */
  readonly traced: boolean;
}

/** A program to run to its end. */
export interface Invocation {
  readonly command: readonly string[];
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Ended by force after so long; null: never. */
  readonly timeoutMsec: number | null;
  /** Its benchmark threads are watched from outside for a fingerprint; null: they are not. */
  readonly watch: Watch | null;
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

/** What is done where a run happens; all of it moves together when that is somewhere else (see Place). */
export interface Site {
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
}

/** Consecutive runs of one subject at its place: those of one boot, where the experiment is divided into boots. */
export interface Stay {
  readonly subject: Subject;
  /** From 1. */
  readonly boot: number;
  /** Where the runs of all other stays were made: whoever needs a fresh boot takes none of these. */
  readonly others: readonly RunOrigin[];
  /** Where runs of this one were made already, in an earlier session. */
  readonly own: readonly RunOrigin[];
}

/** What became of entering. */
export type Arrival =
  | { readonly kind: "there"; readonly site: Site; readonly leave: () => Promise<void> }
  /** This process ends now, and the place has seen to it that the same command runs again when it is ready. */
  | { readonly kind: "later"; readonly message: string };

/** How an experiment has ended; one that is to go on by itself has not. */
export interface Ending {
  readonly how: "done" | "failed" | "stopped";
  /** Why it failed, else empty. */
  readonly message: string;
}

/** What a place would do for a subject, as lines for people. */
export interface PlacePlan {
  /** Why the experiment would not begin; null: it would. */
  readonly refusal: Error | null;
  /** Before the first boot. */
  readonly once: readonly string[];
  /** For each boot. */
  readonly each: readonly string[];
  /** When the experiment has ended. */
  readonly end: readonly string[];
}

/** What a place is told about the experiment. */
export interface Keeping {
  /** Absolute path of the file that keeps the runs; null: there is none. */
  readonly store: string | null;
}

/** Where runs happen. */
export interface Place {
  /**
   * Finds what would keep runs from being made, before anything is started.
   *
   * @throws UserError
   */
  readonly check: (subject: Subject, cells: readonly Cell[], signal: AbortSignal) => Promise<void>;
  /**
   * Makes it ready: boots, connects, waits until it is quiet.
   *
   * @throws UserError when that fails, Interrupted when stopped; nothing is left running then
   */
  readonly enter: (stay: Stay, signal: AbortSignal) => Promise<Arrival>;
  /** Takes away what it keeps on the machine for the experiment's sake; also told when nothing was left to run. */
  readonly close: (ending: Ending) => Promise<void>;
  /** A dry run. Throws UserError where not even a plan can be made. */
  readonly plan: (subject: Subject) => Promise<PlacePlan>;
}

/** The world of an experiment: the site here, what leads elsewhere, and what stays here wherever runs happen. */
export interface Laboratory extends Site {
  /** The same place for the same whereabouts. */
  readonly placeOf: (where: Whereabouts) => Place;
  readonly nowMsec: () => number;
  /** Every run in a schbench output, text or JSON; throws ParseError. */
  readonly parse: (text: string, source: string) => readonly RunResult[];
  readonly append: (record: RunRecord) => Promise<void>;
}
