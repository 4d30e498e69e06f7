/**
 * The engine in a process of its own: entry of the process that spawn-engine.ts starts. It is given one job, runs it with
 * the V8 flags, signals and threads it likes, says what happens, and ends; at once when the process that started it goes.
 *
 * Signals that reach a whole process group or session (Ctrl-C, a service that is stopped) are left to that process: it
 * decides whether the run ends early, with a result, or goes with it.
 */
import { messageOf, UserError } from "../../errors.js";
import { hostFiles } from "../../platform/files.js";
import { type EngineJob, type FromEngine, isToEngine } from "./engine-messages.js";
import type { RunControl } from "../run-request.js";

/** How often a long start is reported. */
const PROGRESS_MSEC = 100;

const stop = new AbortController();
let control: RunControl | null = null;
let phasesBeforeStart: readonly string[] = [];

/** Ends this process and its threads whatever they do: a worker thread in a futex call would hold up an orderly exit. */
const endAtOnce = (): void => {
  process.kill(process.pid, "SIGKILL");
};

const say = (message: FromEngine, then?: () => void): void => {
  process.send?.(message, undefined, undefined, () => then?.());
};

const leave = (): void => {
  process.off("disconnect", endAtOnce);
  process.disconnect?.();
};

const beginPhase = (name: string): void => {
  if (control === null) {
    phasesBeforeStart = [...phasesBeforeStart, name];
    return;
  }
  control.phase(name);
  say({ kind: "phase" });
};

const createProgress = () => {
  let lastMsec = 0;
  return (started: number, total: number): void => {
    if (Date.now() - lastMsec < PROGRESS_MSEC) return;
    lastMsec = Date.now();
    say({ kind: "starting", started, total });
  };
};

const run = async (job: EngineJob): Promise<void> => {
  try {
    const { runEngine } = await import("../run.js");
    const { result, abandoned } = await runEngine({
      ...job,
      files: hostFiles,
      signal: stop.signal,
      hooks: {
        onStarting: createProgress(),
        onStarted: (running) => {
          control = running;
          say({ kind: "started" });
          phasesBeforeStart.forEach(beginPhase);
        },
        onWarmupDone: () => say({ kind: "warmup-done" }),
        onSecond: (second) => say({ kind: "second", second }),
        onInterval: (interval) => say({ kind: "interval", interval }),
        onStopped: () => {
          control = null;
        },
      },
    });
    say({ kind: "result", result }, abandoned ? endAtOnce : leave);
  } catch (thrown) {
    const remedy = thrown instanceof UserError ? (thrown.remedy ?? null) : null;
    // Benchmark threads may still be there: an error ends them with the process.
    say({ kind: "error", message: messageOf(thrown), remedy }, endAtOnce);
  }
};

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.once("disconnect", endAtOnce);
process.on("message", (message) => {
  if (!isToEngine(message)) return;
  if (message.kind === "run") void run(message.job);
  else if (message.kind === "phase") beginPhase(message.name);
  else stop.abort();
});
