/**
 * One run of an experiment: the subject's process between its commands, the scheduler in charge read before and after,
 * the output read, all of it made into a record. No upstream counterpart.
 */
import { messageOf, UserError } from "../errors.js";
import type { RequestRate } from "../model/result/fingerprint.js";
import type { RunResult } from "../model/result/run-result.js";
import type { Execution, Laboratory, SchedulerState } from "./laboratory.js";
import { EXPERIMENT_VERSION, type Exclusion, type Observation, type RunRecord, type Slot } from "./record.js";
import { type Cell, invocationOf, isOurCommand, type Subject } from "./subject.js";
import { Interrupted, quoteOutput, withSurroundings } from "./surroundings.js";

/** A run that failed: its record, and the error that ends the experiment. */
export interface SlotOutcome {
  readonly record: RunRecord;
  /** null: the run went well. */
  readonly failure: UserError | null;
}

/** A run that takes this much longer than it said is taken to hang. */
const HANG_FACTOR = 3;
const HANG_MSEC = 60_000;

const timeoutOf = (cell: Cell): number | null =>
  cell.runtimeSec === null || cell.runtimeSec === 0 ? null : cell.runtimeSec * 1000 * HANG_FACTOR + HANG_MSEC;

/** What a subject printed where its result is: ours on stdout, schbench's text on stderr. */
const outputOf = (who: Subject, execution: Execution): string =>
  isOurCommand(who)
    ? execution.stdout
    : [execution.stdout, execution.stderr].filter((text) => text.trim() !== "").join("\n");

const howItEnded = (execution: Execution): string => {
  if (execution.timedOut) return "did not end in time and was stopped";
  if (execution.endedBy !== null) return `was ended by ${execution.endedBy}`;
  return `ended with exit code ${execution.exitCode}`;
};

/** The result in an output, or why there is none. */
const read = (
  who: Subject,
  execution: Execution,
  lab: Laboratory,
): { readonly result: RunResult } | { readonly reason: string } => {
  if (execution.exitCode !== 0) return { reason: howItEnded(execution) };
  try {
    const results = lab.parse(outputOf(who, execution), who.name);
    const [result] = results;
    if (result === undefined) return { reason: "printed no result" };
    if (results.length > 1) return { reason: `printed ${results.length} results for one run` };
    return { result };
  } catch (thrown) {
    return { reason: `printed what cannot be read: ${messageOf(thrown)}` };
  }
};

const rateOf = ({ averageRps, transfer }: RunResult): RequestRate =>
  transfer === null
    ? { perSec: averageRps, of: "all-workers" }
    : { perSec: transfer.opsPerSecPerWorker, of: "a-worker" };

/** The fingerprint that was taken from outside, in place of the run's own: subjects are compared by one observer. */
const withFingerprint = (result: RunResult, { fingerprint }: Execution): RunResult => {
  const seen = fingerprint(rateOf(result));
  return seen === null ? result : { ...result, fingerprint: seen };
};

/** What the process could not know of itself, or saw later or earlier than we did: the scheduler around the whole run. */
const withScheduler = (result: RunResult, before: string | null, after: string | null): RunResult => ({
  ...result,
  environment: {
    stealPercent: null,
    busyPercent: null,
    cpuPressureSomePercent: null,
    ...result.environment,
    schedExtBefore: before,
    schedExtAfter: after,
  },
});

/** Name of the scheduler after a run; says so when it is the same as before, but not without a break. */
const nameAfter = (before: SchedulerState | null, after: SchedulerState | null): string | null => {
  if (after === null) return null;
  const isReloaded = before?.name === after.name && before.loads !== after.loads;
  return isReloaded ? `${after.name} (loaded meanwhile)` : after.name;
};

/** How a run is carried out. */
export interface RunManner {
  /** How its threads are watched from outside for a fingerprint; null: they are not. */
  readonly watch: Observation | null;
  readonly signal: AbortSignal;
}

const warmUp: Exclusion = { code: "warm-up", message: "warm-up run" };

/** Runs one slot. Throws Interrupted when stopped, UserError when a set-up or tear-down fails. */
export const runSlot = async (
  slot: Slot,
  who: Subject,
  what: Cell,
  lab: Laboratory,
  { watch, signal }: RunManner,
): Promise<SlotOutcome> => {
  const started = lab.nowMsec();
  const command = invocationOf(who, what, lab.engineCommand);
  const { before, after, execution } = await withSurroundings(who, slot, lab, signal, async () => {
    const schedBefore = await lab.schedExt();
    const done = await lab.execute({
      command,
      env: who.env,
      timeoutMsec: timeoutOf(what),
      watch:
        watch === null || what.runtimeSec === null
          ? null
          : { runtimeSec: what.runtimeSec, traced: watch === "counters-and-trace" },
      signal,
    });
    if (signal.aborted) throw new Interrupted();
    const schedAfter = await lab.schedExt();
    return { before: schedBefore?.name ?? null, after: nameAfter(schedBefore, schedAfter), execution: done };
  });

  const outcome = read(who, execution, lab);
  const record: Omit<RunRecord, "excluded" | "result"> = {
    format: "schbench-ts/run",
    version: EXPERIMENT_VERSION,
    slot,
    startedAt: new Date(started).toISOString(),
    tookSec: Math.max(0, lab.nowMsec() - started) / 1000,
    command: [...command],
    schedExt: { before, after },
    origin: lab.origin(),
  };
  if ("reason" in outcome) {
    const message = `subject "${who.name}" ${outcome.reason}: ${command.join(" ")}`;
    return {
      record: { ...record, excluded: { code: "failed", message: outcome.reason }, result: null },
      failure: new UserError(message, quoteOutput(`${execution.stdout}${execution.stderr}`)),
    };
  }
  const changed: Exclusion | null =
    before === after
      ? null
      : { code: "sched-ext-changed", message: `sched_ext changed from ${before} to ${after} during the run` };
  return {
    record: {
      ...record,
      excluded: slot.round < 1 ? warmUp : changed,
      result: withScheduler(withFingerprint(outcome.result, execution), before, after),
    },
    failure: null,
  };
};
