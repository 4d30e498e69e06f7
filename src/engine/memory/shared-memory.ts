/**
 * The one memory that benchmark threads and main thread share: what a plan needs of it, and typed access by field name.
 *
 * Regions are handed out one behind the other. Matrices and pipe pages start on a page of their own and are never
 * written here: a and b stay the kernel's zero pages, as in the C program's fresh malloc.
 *
 * Upstream counterpart: the calloc of thread_data and the mallocs of the matrices.
 */
import { at, numberAt, wordAt } from "../../at.js";
import { EngineError } from "../../errors.js";
import { loadThreads } from "../../options/values/load-language.js";
import { matrixBytes, matrixParts } from "../../options/run/matrix.js";
import type { RunPlan } from "../../model/plan/run-plan.js";
import { cpuMaskBytes } from "../../platform/cpu-mask.js";
import { addressOf } from "../../platform/libc.js";
import { BYTES_PER_MIB } from "../../units.js";
import type { Layout } from "./engine-module.js";
import { type ByKind, byKind, isTimed } from "./kinds.js";

const WASM_PAGE = 65_536;
const PAGE = 4096;
const LINE = 64;
/** A 32-bit module can address no more. */
const MAX_BYTES = 65_536 * WASM_PAGE;

/** Where the parts of one thread lie; 0: it has none. */
export interface ThreadPlace {
  readonly role: "message" | "worker";
  /** Index of the message thread, or of the worker over all message threads. */
  readonly index: number;
  /** Index of the message thread it belongs to (or is). */
  readonly messageIndex: number;
  /** Index of the worker's group in the plan; null: it is in none. */
  readonly group: number | null;
  readonly threadData: number;
  /** Its histograms. */
  readonly stats: ByKind<number>;
  readonly closedStats: number;
  readonly data: number;
  readonly pipePage: number;
  readonly queue: number;
  readonly slow: number;
}

/** Where the parts of one thread of a load lie. */
export interface LoadPlace {
  /** Index of its load in the plan. */
  readonly load: number;
  /** Index of the thread in its load. */
  readonly index: number;
  readonly threadData: number;
  readonly setup: number;
  /** The region that it streams through; 0: none. */
  readonly data: number;
}

/** Where everything lies. */
export interface Places {
  readonly control: number;
  readonly locks: number;
  readonly sharedData: number;
  /** One ThreadSetup per thread, in the order of `threads`. */
  readonly setups: number;
  /** One CPU mask of `maskBytes` for the workers, one for the loads, and one per message thread. */
  readonly masks: number;
  readonly maskBytes: number;
  /** A struct sched_attr, SCHED_STRIDE apart, for the message threads, the workers in no group, and each group. */
  readonly scheds: number;
  /** Each message thread followed by its workers. */
  readonly threads: readonly ThreadPlace[];
  /** The threads of the built-in loads, load by load. */
  readonly loads: readonly LoadPlace[];
  readonly bytes: number;
}

/** What of a plan and a machine decides about memory. */
export interface PlaceNeeds {
  readonly plan: RunPlan;
  /** One more than the highest CPU id that can ever be seen. */
  readonly possibleCpus: number;
  /** Statistics windows will be closed during the run: after warm-up, at restarts, at the phases of a library's caller. */
  readonly manyWindows: boolean;
}

/** Whole words for every CPU that a thread may find itself on or is to be put on. */
const maskBytesOf = ({ messageCpus, workerCpus, loadCpus }: RunPlan, possibleCpus: number): number => {
  const named = [...(messageCpus ?? []), workerCpus ?? [], loadCpus ?? []].flat();
  return cpuMaskBytes(Math.max(possibleCpus, ...named.map((cpu) => cpu + 1)));
};

/** A load streams through so much: more than the caches of most machines hold. */
export const STREAMED_MIB = 64;

/** Distance of two struct sched_attr: a cache line each. */
export const SCHED_STRIDE = 64;

/** The group of each worker of a message thread: the groups take the first ones, in their order. */
const groupsOfWorkers = ({ workerGroups = [], workerThreads }: RunPlan): readonly (number | null)[] => {
  const grouped = workerGroups.flatMap(({ workers }, group) => Array.from({ length: workers }, () => group));
  return Array.from({ length: workerThreads }, (_, worker) => grouped[worker] ?? null);
};

/** Lays a run out; pure. Bytes may exceed what can be addressed: `createSharedMemory` refuses that. */
export const placesOf = (layout: Layout, { plan, possibleCpus, manyWindows }: PlaceNeeds): Places => {
  let end = LINE;
  const take = (bytes: number, alignment: number): number => {
    if (bytes === 0) return 0;
    const start = Math.ceil(end / alignment) * alignment;
    end = start + bytes;
    return start;
  };
  const parts =
    plan.mode === "pipe" ? null : matrixParts(plan.work.footprintKib, plan.work.operations, plan.work.splitPercent);
  const stats = layout.sizeOf("Stats");
  const isRate = plan.mode === "rate";

  const control = take(layout.sizeOf("Control"), LINE);
  const locks = take(possibleCpus * layout.sizeOf("Lock"), LINE);
  const perMessageThread = 1 + plan.workerThreads;
  const threadBytes = layout.sizeOf("ThreadData");
  const firstThread = take(plan.messageThreads * perMessageThread * threadBytes, PAGE);
  const setups = take(plan.messageThreads * perMessageThread * layout.sizeOf("ThreadSetup"), LINE);
  const maskBytes = maskBytesOf(plan, possibleCpus);
  const masks = take((2 + plan.messageThreads) * maskBytes, LINE);
  const scheds = take((2 + (plan.workerGroups?.length ?? 0)) * SCHED_STRIDE, LINE);
  const sharedData = take(matrixBytes(parts?.shared.side ?? 0), PAGE);

  const groups = groupsOfWorkers(plan);
  const threads: ThreadPlace[] = [];
  for (let messageIndex = 0; messageIndex < plan.messageThreads; messageIndex++) {
    for (let i = 0; i < perMessageThread; i++) {
      const isWorker = i > 0;
      const role = isWorker ? "worker" : "message";
      threads.push({
        role,
        index: isWorker ? messageIndex * plan.workerThreads + i - 1 : messageIndex,
        messageIndex,
        group: isWorker ? at(groups, i - 1) : null,
        threadData: firstThread + threads.length * threadBytes,
        stats: byKind((kind) => take(isTimed(kind, role, plan.mode) ? stats : 0, LINE)),
        closedStats: take(manyWindows ? layout.sizeOf("ClosedStats") : 0, LINE),
        queue: take(isWorker && isRate ? layout.sizeOf("Queue") : 0, LINE),
        slow: take(isWorker ? (plan.slowWakeups?.perThread ?? 0) * layout.sizeOf("SlowWakeup") : 0, LINE),
        data: take(isWorker ? matrixBytes(parts?.private.side ?? 0) : 0, PAGE),
        pipePage: take(isWorker && plan.mode === "pipe" ? plan.transferBytes : 0, PAGE),
      });
    }
  }
  const loads = (plan.loads ?? []).flatMap((load, loadIndex) =>
    Array.from({ length: loadThreads(load) }, (_, index): LoadPlace => ({
      load: loadIndex,
      index,
      threadData: take(threadBytes, LINE),
      setup: take(layout.sizeOf("ThreadSetup"), LINE),
      data: take(load.kind === "memory" ? STREAMED_MIB * BYTES_PER_MIB : 0, PAGE),
    })),
  );
  return { control, locks, sharedData, setups, masks, maskBytes, scheds, threads, loads, bytes: end };
};

/** Bytes that the threads of a run will touch at most, stacks included: what must fit into memory. */
export const memoryNeedBytes = (places: Places, stackBytes: number): number =>
  places.bytes + (places.threads.length + places.loads.length) * stackBytes;

/** Access to the memory by field name; addresses are offsets into it. */
export interface SharedMemory {
  readonly memory: WebAssembly.Memory;
  readonly layout: Layout;
  /** Address of the memory's first byte in this process. */
  readonly address: number;
  readonly bytes: number;
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly f64: Float64Array;
  readonly u8: Uint8Array;
  readonly read: (struct: number, field: string) => number;
  readonly write: (struct: number, field: string, value: number) => void;
  /** Index into `u32` and `i32` of a 32-bit field, for Atomics. */
  readonly word: (struct: number, field: string) => number;
}

const mib = (bytes: number): string => `${Math.ceil(bytes / BYTES_PER_MIB)} MiB`;

/**
 * Creates the memory, untouched.
 *
 * @throws EngineError when it is more than a 32-bit module can address, or cannot be reserved
 */
export const createSharedMemory = (layout: Layout, bytes: number): SharedMemory => {
  if (bytes > MAX_BYTES)
    throw new EngineError(
      `cannot run: footprint, threads and transfer size need ${mib(bytes)} of shared memory, and the engine can address ${mib(MAX_BYTES)}`,
      "Use fewer threads (-m, -t) or a smaller footprint (-F).",
    );
  const pages = Math.ceil(bytes / WASM_PAGE);
  let memory: WebAssembly.Memory;
  try {
    memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch (error) {
    throw new EngineError(
      `cannot reserve ${mib(bytes)} of shared memory`,
      "Check for a limit on address space (ulimit -v).",
      {
        cause: error,
      },
    );
  }
  const u8 = new Uint8Array(memory.buffer);
  const u32 = new Uint32Array(memory.buffer);
  const i32 = new Int32Array(memory.buffer);
  const f64 = new Float64Array(memory.buffer);
  return {
    memory,
    layout,
    address: addressOf(u8),
    bytes: pages * WASM_PAGE,
    u32,
    i32,
    f64,
    u8,
    read: (struct, name) => {
      const { type, offset } = layout.field(name);
      const place = struct + offset;
      if (type === "f64") return numberAt(f64, place / 8);
      // The same 32 bits, with a sign.
      const word = wordAt(u32, place / 4);
      return type === "i32" ? word | 0 : word;
    },
    write: (struct, name, value) => {
      const { type, offset } = layout.field(name);
      const place = struct + offset;
      if (type === "f64") f64[place / 8] = value;
      else u32[place / 4] = value;
    },
    word: (struct, name) => (struct + layout.field(name).offset) / 4,
  };
};
