/**
 * The threads of one run: start them all, start the clock, notice when one fails, stop and join them. Never a hang: every
 * wait has an end.
 *
 * Upstream counterpart: main and message_thread, where they create and join threads.
 */
import { EngineError, messageOf, UserError } from "../errors.js";
import { readCpusHere } from "../platform/limits/cpu-reach.js";
import { hostFiles } from "../platform/files.js";
import { endProcess, futexWake } from "../platform/libc.js";
import { formatSchedAttributes } from "../model/plan/sched-text.js";
import { askedBy, type SchedNeed } from "../options/run/sched-needs.js";
import { schedRefused } from "../platform/scheduler/sched-refused.js";
import { threadLimits, threadsNotCreated } from "../platform/limits/thread-limits.js";
import { cannotPin } from "./host/cannot-pin.js";
import { ThreadNotCreated } from "./host/host.js";
import type { Stage } from "./stage.js";
import { countAsleep, tidOf } from "./watch/thread-readings.js";

/** Values of Control.errorCall, in words. */
const CALLS = {
  CALL_FUTEX_WAIT: "futex wait",
  CALL_FUTEX_WAKE: "futex wake",
  CALL_USLEEP: "usleep",
  CALL_GETCPU: "sched_getcpu",
  CALL_TRAP: "a trap in the engine module",
  CALL_GROUP: "moving into its control group",
  CALL_SCHED: "sched_setattr",
} as const;
const START_PATIENCE_MSEC = 120_000;
/** A thread has so long to see that the run is over. */
const STOP_PATIENCE_MSEC = 5000;
/** Started threads. */
export interface Threads {
  /** Throws EngineError if a thread has failed. */
  readonly check: () => void;
  /** From now on, what ends counts. */
  readonly startClock: () => void;
  /** Tells everybody that the run is over; from now on nothing is recorded. */
  readonly stop: () => void;
  /** Waits until all are done and stand at the exit; false when some are not within STOP_PATIENCE_MSEC. */
  readonly gather: () => Promise<boolean>;
  /** Opens the exit and joins those that were gathered; what is read of a thread must have been read by now. */
  readonly join: () => Promise<void>;
}

const pause = (msec: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, msec));

/** The kernel refused what a thread asked for. */
const notGranted = ({ who, sched }: Pick<SchedNeed, "who" | "sched">, errno: number): EngineError => {
  const { reason, remedy } = schedRefused(sched, errno);
  return new EngineError(`cannot run ${who} as "${formatSchedAttributes(sched)}": ${reason}`, remedy);
};

/** Access to the threads of a run that may have been started only in part. */
const threadsOf = ({ plan, host, memory, places, birth }: Stage) => {
  const word = (field: string): number => memory.word(places.control, `Control.${field}`);
  const load = (field: string): number => Atomics.load(memory.u32, word(field));
  const state = (name: "STARTING" | "MEASURING" | "OVER"): number => memory.layout.constant(`STATE_${name}`);
  // Node waits at its exit for threads in a libc call, and takes the memory from under native ones.
  process.once("exit", endProcess);
  const post = (structWord: number): void => {
    Atomics.store(memory.u32, structWord, 1);
    futexWake(memory.address + structWord * 4, 0x7fff_ffff);
  };
  const checkCall = (): void => {
    const call = load("errorCall");
    if (call === 0) return;
    const code = load("errorCode");
    if (call === memory.layout.constant("CALL_START"))
      throw new ThreadNotCreated(`errno ${code}`, threadLimits(hostFiles));
    if (call === memory.layout.constant("CALL_AFFINITY")) throw cannotPin(plan, readCpusHere(hostFiles), code);
    const place = places.threads.find((thread) => tidOf(memory, thread) === load("errorTid"));
    const asked = place === undefined ? null : askedBy(plan, place);
    if (call === memory.layout.constant("CALL_SCHED") && asked !== null) throw notGranted(asked, code);
    const what =
      Object.entries(CALLS).find(([name]) => memory.layout.constant(name) === call)?.[1] ?? `host call ${call}`;
    throw new EngineError(
      `a benchmark thread (tid ${load("errorTid")}) failed: ${what}, ${what === CALLS.CALL_TRAP ? "code" : "errno"} ${code}`,
    );
  };
  return {
    waiting: () => load("waiting"),
    asleep: () => countAsleep(hostFiles, memory, places),
    ready: () => load("ready"),
    open: (gate: number): void => post(gate / 4),
    startClock: (): void => {
      // A thread that has failed meanwhile has ended the run: that stands.
      Atomics.compareExchange(memory.u32, word("state"), state("STARTING"), state("MEASURING"));
    },
    check: () => {
      checkCall();
      const failure = host.failure();
      if (failure instanceof UserError) throw failure;
      if (failure !== null)
        throw new EngineError(`a benchmark thread died: ${messageOf(failure)}`, undefined, { cause: failure });
    },
    stop: () => {
      Atomics.store(memory.u32, word("state"), state("OVER"));
      for (const gate of birth.gates) post(gate / 4);
      for (const { role, threadData } of places.threads)
        if (role === "message") post(memory.word(threadData, "ThreadData.futex"));
      for (const { threadData } of places.loads) post(memory.word(threadData, "ThreadData.futex"));
    },
    gather: async () => {
      const end = Date.now() + STOP_PATIENCE_MSEC;
      while (load("exited") + host.lost() < host.started()) {
        if (Date.now() > end) return false;
        await pause(1);
      }
      return true;
    },
    join: async () => {
      post(word("exitGate"));
      await host.join([...birth.setups, ...places.loads.map(({ setup }) => setup)]);
      process.off("exit", endProcess);
    },
  } satisfies Threads & Record<string, unknown>;
};

/** Ends threads of which nothing more is wanted. */
export const dismiss = async (threads: Threads): Promise<void> => {
  threads.stop();
  if (await threads.gather()) await threads.join();
};

/** Who is told while threads start. */
export interface StartHooks {
  /** Now and then: how many are up. */
  readonly onProgress: (started: number, total: number) => void;
  /** The threads of loads are up and at work, and those of the benchmark are not there yet; they wait for it. */
  readonly onLoadsUp: () => Promise<void>;
}

/**
 * Starts all threads of a plan and waits until they are up: first those of loads, then the benchmark's.
 *
 * @throws EngineError when one cannot be created (with the limit that was hit) or fails before it is up
 */
export const startThreads = async (
  stage: Stage,
  signal: AbortSignal,
  { onProgress, onLoadsUp }: StartHooks,
): Promise<Threads> => {
  const { host, birth, places } = stage;
  const threads = threadsOf(stage);
  const total = places.loads.length + birth.setups.length;
  const end = Date.now() + START_PATIENCE_MSEC;
  const until = async (count: () => number, wanted: number): Promise<void> => {
    while (count() < wanted && !signal.aborted) {
      threads.check();
      if (Date.now() > end)
        throw new EngineError(`only ${count()} of ${total} threads started within ${START_PATIENCE_MSEC / 1000} s`);
      onProgress(count(), total);
      await pause(1);
    }
  };
  const create = (setups: readonly number[]): void => {
    for (const setup of setups) {
      if (signal.aborted) break;
      host.start(setup);
    }
  };
  try {
    create(places.loads.map(({ setup }) => setup));
    await until(threads.ready, places.loads.length);
    await onLoadsUp();
    create(birth.created);
    if (birth.opened.length > 0) {
      await until(threads.waiting, birth.created.length);
      // Only a thread that sleeps is placed by who wakes it.
      await until(threads.asleep, places.threads.length);
    }
    for (const gate of birth.opened) threads.open(gate);
    await until(threads.ready, total);
    threads.check();
    return threads;
  } catch (error) {
    const started = host.started();
    await dismiss(threads);
    throw error instanceof ThreadNotCreated ? threadsNotCreated(started, total, error.limits) : error;
  }
};
