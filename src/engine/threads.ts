/**
 * The threads of one run: start them all, open the gate, notice when one fails, stop and join them. Never a hang: every
 * wait has an end.
 *
 * Upstream counterpart: main and message_thread, where they create and join threads.
 */
import { EngineError, messageOf } from "../errors.js";
import type { RunPlan } from "../model/run-plan.js";
import { endProcess, futexWake } from "../platform/libc.js";
import { threadsNotCreated } from "../platform/thread-limits.js";
import type { EngineHost, ThreadSpec } from "./host/host.js";
import { THREAD_NAMES, ThreadNotCreated } from "./host/host.js";
import type { Places, SharedMemory, ThreadPlace } from "./memory/shared-memory.js";

/** Values of Control.errorCall in assembly/layout.ts, in words. */
const CALLS = [
  "",
  "futex wait",
  "futex wake",
  "usleep",
  "sched_getcpu",
  "a trap in the engine module",
  "sched_setaffinity",
];
const START_PATIENCE_MSEC = 120_000;
/** A thread has so long to see that the run is over. */
const STOP_PATIENCE_MSEC = 5000;
/** Arrivals are to be sent when they are due, not up to 50 µs later. */
const PACED_TIMER_SLACK_NSEC = 1;

/** Started threads. */
export interface Threads {
  /** Throws EngineError if a thread has failed. */
  readonly check: () => void;
  /** Lets everybody go. */
  readonly openGate: () => void;
  /** Tells everybody that the run is over; from now on nothing is recorded. */
  readonly stop: () => void;
  /** Waits until all are done and stand at the exit; false when some are not within STOP_PATIENCE_MSEC. */
  readonly gather: () => Promise<boolean>;
  /** Opens the exit and joins those that were gathered; what is read of a thread must have been read by now. */
  readonly join: () => Promise<void>;
}

const specOf = (plan: RunPlan, place: ThreadPlace): ThreadSpec => ({
  entry: place.role === "message" ? "message_thread" : "worker_thread",
  threadData: place.threadData,
  args: [0, 0],
  name: THREAD_NAMES[place.role],
  cpus: place.role === "message" ? (plan.messageCpus?.[place.index] ?? null) : plan.workerCpus,
  timerSlackNsec: place.role === "message" && plan.mode === "rate" ? PACED_TIMER_SLACK_NSEC : 0,
});

const pause = (msec: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, msec));

/** Access to the threads of a run that may have been started only in part. */
const threadsOf = (
  memory: SharedMemory,
  places: Places,
  host: EngineHost,
): Threads & { readonly ready: () => number } => {
  const word = (field: string): number => memory.word(places.control, `Control.${field}`);
  const load = (field: string): number => Atomics.load(memory.u32, word(field));
  // Node waits at its exit for threads in a libc call, and takes the memory from under native ones.
  process.once("exit", endProcess);
  const post = (structWord: number): void => futexWake(memory.address + structWord * 4, 0x7fff_ffff);
  const open = (gate: "gate" | "exitGate"): void => {
    Atomics.store(memory.u32, word(gate), 1);
    post(word(gate));
  };
  return {
    ready: () => load("ready"),
    openGate: () => open("gate"),
    check: () => {
      const call = load("errorCall");
      const failure = host.failure();
      if (call !== 0) {
        const what = CALLS[call] ?? `call ${call}`;
        throw new EngineError(
          `a benchmark thread (tid ${load("errorTid")}) failed: ${what}, ${what.startsWith("a trap") ? "code" : "errno"} ${load("errorCode")}`,
        );
      }
      if (failure !== null)
        throw new EngineError(`a benchmark thread died: ${messageOf(failure)}`, undefined, { cause: failure });
    },
    stop: () => {
      Atomics.store(memory.u32, word("stopping"), 1);
      open("gate");
      for (const { role, threadData } of places.threads) {
        if (role !== "message") continue;
        const futex = memory.word(threadData, "ThreadData.futex");
        Atomics.store(memory.u32, futex, 1);
        post(futex);
      }
    },
    gather: async () => {
      const end = Date.now() + STOP_PATIENCE_MSEC;
      while (load("exited") + host.lost() < load("ready")) {
        if (Date.now() > end) return false;
        await pause(1);
      }
      return true;
    },
    join: async () => {
      open("exitGate");
      await host.join();
      process.off("exit", endProcess);
    },
  };
};

/** Ends threads of which nothing more is wanted. */
export const dismiss = async (threads: Threads): Promise<void> => {
  threads.stop();
  if (await threads.gather()) await threads.join();
};

/**
 * Starts all threads of a plan and waits until they are up.
 *
 * @param onProgress told now and then how many are up
 * @throws EngineError when one cannot be created (with the limit that was hit) or fails before it is up
 */
export const startThreads = async (
  host: EngineHost,
  memory: SharedMemory,
  plan: RunPlan,
  places: Places,
  signal: AbortSignal,
  onProgress: (started: number, total: number) => void,
): Promise<Threads> => {
  const threads = threadsOf(memory, places, host);
  const total = places.threads.length;
  let started = 0;
  try {
    for (const place of places.threads) {
      if (signal.aborted) break;
      host.start(specOf(plan, place));
      started++;
    }
    const end = Date.now() + START_PATIENCE_MSEC;
    while (threads.ready() < total && !signal.aborted) {
      threads.check();
      if (Date.now() > end)
        throw new EngineError(
          `only ${threads.ready()} of ${total} threads came up within ${START_PATIENCE_MSEC / 1000} s`,
        );
      onProgress(threads.ready(), total);
      await pause(1);
    }
    threads.check();
    return threads;
  } catch (error) {
    await dismiss(threads);
    throw error instanceof ThreadNotCreated ? threadsNotCreated(started, total, error.limits) : error;
  }
};
