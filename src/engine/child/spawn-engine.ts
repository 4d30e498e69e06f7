/**
 * Starts the engine in a process of its own (engine-process.ts) and listens to it. The process stays in the session and
 * group of its parent, since the kernel's autogroups would otherwise schedule it apart from what it is compared with; it
 * inherits CPU mask, priority and cgroup. However it ends, the run settles: never a hang.
 */
import { type ChildProcess, fork } from "node:child_process";
import { z } from "zod";
import { EngineError, messageOf } from "../../errors.js";
import { keepTail } from "../../kept-tail.js";
import { PACKAGE_FILES } from "../../package-files.js";
import {
  interval,
  type IntervalResult,
  type RunResult,
  runResultForm,
  second,
  type SecondResult,
} from "../../model/result/run-result.js";
import type { EngineJob, FromEngine, ToEngine } from "./engine-messages.js";

/** What the caller hears while the run goes on. */
export interface EngineListener {
  readonly starting: (started: number, total: number) => void;
  readonly started: () => void;
  readonly second: (second: SecondResult) => void;
  readonly interval: (interval: IntervalResult) => void;
  /** The oldest phase asked for and not yet begun has begun. */
  readonly phase: () => void;
}

/** A run in a process of its own. */
export interface SpawnedEngine {
  /** Id of the engine's process; null when it could not be started. */
  readonly pid: number | null;
  /** Ends the run early, with a full result. */
  readonly stop: () => void;
  readonly phase: (name: string) => void;
  /** Settles when the process is gone. Rejects with EngineError. */
  readonly result: Promise<RunResult>;
}

/** The process to start, and how long to wait for it. */
export interface EngineCare {
  /** Path of the JavaScript file that it runs. */
  readonly entry: string;
  /** What it may take to end after its last word. */
  readonly leaveMsec: number;
  /** What it may take to stop when asked to: threads that are still being started come up first. */
  readonly stopMsec: number;
}

const CARE: EngineCare = { entry: PACKAGE_FILES.engineProcess, leaveMsec: 5000, stopMsec: 60_000 };
const STDERR_KEPT = 4096;

/** Variables by which a parent's tools (test runners, debuggers, coverage) would change the process that measures. */
const NOT_INHERITED = ["NODE_OPTIONS", "NODE_V8_COVERAGE", "NODE_TEST_CONTEXT"] as const;

const fromEngine = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("starting"), started: z.number(), total: z.number() }),
  z.object({ kind: z.literal("started") }),
  z.object({ kind: z.literal("warmup-done") }),
  z.object({ kind: z.literal("second"), second }),
  z.object({ kind: z.literal("interval"), interval }),
  z.object({ kind: z.literal("phase") }),
  z.object({ kind: z.literal("result"), result: runResultForm }),
  z.object({ kind: z.literal("error"), message: z.string(), remedy: z.string().nullable() }),
]) satisfies z.ZodType<FromEngine>;

const environment = (): NodeJS.ProcessEnv => {
  const env = { ...process.env };
  for (const name of NOT_INHERITED) delete env[name];
  return env;
};

const quote = (stderr: string): string =>
  stderr.trim() === "" ? "" : `It wrote to stderr:\n${stderr.trimEnd().replaceAll(/^/gmu, "  | ")}`;

/** The error about a process that ended without a result. */
const endedEarly = (exitCode: number | null, endedBy: string | null, stderr: string): EngineError => {
  const how = endedBy === null ? `ended with exit code ${exitCode}` : `was ended by ${endedBy}`;
  const hint = endedBy === "SIGKILL" ? "Something killed it; the kernel does when memory runs out (see dmesg)." : "";
  const remedy = [hint, quote(stderr)].filter((text) => text !== "").join("\n");
  return new EngineError(`the engine's process ${how} before it had a result`, remedy === "" ? undefined : remedy);
};

const start = (entry: string): ChildProcess => {
  try {
    return fork(entry, [], {
      execArgv: [],
      env: environment(),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
  } catch (error) {
    throw new EngineError(`cannot start the engine's process: ${messageOf(error)}`, undefined, { cause: error });
  }
};

/**
 * Starts a run in a process of its own.
 *
 * @throws EngineError when the system refuses to start a process
 */
export const spawnEngine = (job: EngineJob, listener: EngineListener, care = CARE): SpawnedEngine => {
  const child = start(care.entry);
  const timers: NodeJS.Timeout[] = [];
  const stderr = keepTail([child.stderr], STDERR_KEPT);
  let outcome: RunResult | EngineError | null = null;
  // A message to a process that is just ending is lost; that it ended is what the caller hears.
  const say = (message: ToEngine): void => void child.send(message, () => undefined);
  const endWithin = (msec: number, reason: () => EngineError): void => {
    const end = (): void => {
      outcome ??= reason();
      child.kill("SIGKILL");
    };
    timers.push(setTimeout(end, msec));
  };
  const settle = (last: RunResult | EngineError): void => {
    outcome ??= last;
    endWithin(care.leaveMsec, () => new EngineError("the engine's process did not end"));
  };

  child.on("message", (raw) => {
    const { success, data: message, error } = fromEngine.safeParse(raw);
    if (!success) {
      settle(new EngineError(`the engine's process sent a message that cannot be read: ${z.prettifyError(error)}`));
      return;
    }
    switch (message.kind) {
      case "starting":
        return listener.starting(message.started, message.total);
      case "started":
        return listener.started();
      case "second":
        return listener.second(message.second);
      case "interval":
        return listener.interval(message.interval);
      case "phase":
        return listener.phase();
      case "result":
        return settle(message.result);
      case "error":
        return settle(new EngineError(message.message, message.remedy ?? undefined));
      case "warmup-done":
    }
  });
  const result = new Promise<RunResult>((resolve, reject) => {
    child.on("error", (error) => {
      if (child.pid !== undefined) return;
      reject(new EngineError(`cannot start the engine's process: ${error.message}`, undefined, { cause: error }));
    });
    child.on("close", (exitCode, endedBy) => {
      timers.forEach(clearTimeout);
      const end = outcome ?? endedEarly(exitCode, endedBy, stderr());
      if (end instanceof EngineError) reject(end);
      else resolve(end);
    });
  });
  say({ kind: "run", job });
  return {
    pid: child.pid ?? null,
    stop: () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      say({ kind: "stop" });
      endWithin(care.stopMsec, () => new EngineError(`the engine did not stop within ${care.stopMsec / 1000} s`));
    },
    phase: (name) => say({ kind: "phase", name }),
    result,
  };
};
