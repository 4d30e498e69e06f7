/**
 * The v8 host: one Node worker thread per benchmark thread. It needs neither a compiler nor a prebuilt file and runs
 * wherever Node and koffi do.
 *
 * A thread's body never returns, and Wasm has no on-stack replacement, so the optimising compiler alone must compile the
 * module, before any thread runs. The flags are set for this whole process: `--no-liftoff` alone aborts Node 26, whose
 * inliner then misses the baseline compiler's feedback.
 */
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { EngineError } from "../../errors.js";
import { type EngineHost, ThreadNotCreated } from "./host.js";
import type { SharedMemory } from "../memory/shared-memory.js";
import { PACKAGE_FILES } from "../../package-files.js";
import { hostFiles } from "../../platform/files.js";
import { threadLimits } from "../../platform/limits/thread-limits.js";

/** What a worker thread is given. */
export interface ThreadStart {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** Address of its ThreadSetup. */
  readonly setup: number;
}

/**
 * The optimising compiler only, for all functions at once, before the first of them runs.
 *
 * @param v8Version such as `13.6.233.17-node.63`; before 13 there is no inliner to turn off, and no flag for it
 */
export const v8Flags = (v8Version: string): readonly string[] => [
  "--no-liftoff",
  "--no-wasm-lazy-compilation",
  ...(Number.parseInt(v8Version, 10) >= 13 ? ["--no-wasm-inlining"] : []),
];

/** What killed a thread; each thread of Node opens a few files for its own loop of events. */
const explained = (error: Error): Error =>
  error.message.includes("EMFILE")
    ? new EngineError(
        "cannot start all threads: each needs some open files on the v8 engine, and this process may have no more",
        "Raise ulimit -Hn to eight for each thread, use fewer threads (-m, -t), or use the native engine.",
        { cause: error },
      )
    : error;

/** Resident memory of a worker thread with the limits below. */
const THREAD_BYTES = 6.7 * 1024 * 1024;
const LIMITS = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 8, codeRangeSizeMb: 1, stackSizeMb: 1 };

/** Compiles the module for this host and binds it to a memory. Changes V8's flags: call it in an engine's own process. */
export const openV8Host = (bytes: Uint8Array, memory: SharedMemory): EngineHost => {
  for (const flag of v8Flags(process.versions.v8)) setFlagsFromString(flag);
  const module = new WebAssembly.Module(bytes);
  const ended: Promise<void>[] = [];
  let failure: Error | null = null;
  let lost = 0;
  let started = 0;
  return {
    kind: "v8",
    build: `V8 ${process.versions.v8}`,
    threadBytes: THREAD_BYTES,
    // Node's main thread alone can create its worker threads.
    threadsCreateThreads: false,
    start: (setup) => {
      const workerData: ThreadStart = { module, memory: memory.memory, setup };
      let worker: Worker;
      try {
        worker = new Worker(PACKAGE_FILES.threadEntry, { workerData, resourceLimits: LIMITS });
      } catch (error) {
        throw new ThreadNotCreated(String(error), threadLimits(hostFiles));
      }
      worker.on("error", (error) => {
        failure ??= explained(error);
        lost++;
      });
      started++;
      ended.push(new Promise((resolve) => worker.once("exit", () => resolve())));
    },
    started: () => started,
    failure: () => failure,
    lost: () => lost,
    join: async () => {
      await Promise.all(ended.splice(0));
    },
  };
};
