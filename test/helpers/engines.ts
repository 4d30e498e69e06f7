/** The two hosts in one table, so that every test of the engine runs on both. */
import { idleImports, type Layout, layoutOf, readEngineModule } from "../../src/engine/memory/engine-module.js";
import type { EngineHost } from "../../src/engine/host/host.js";
import { nativeBuilds, openNativeHost } from "../../src/engine/host/native-host.js";
import { createSharedMemory, type SharedMemory } from "../../src/engine/memory/shared-memory.js";
import { type Entry, writeCpuMask, writeThreadSetup } from "../../src/engine/memory/thread-setup.js";
import { openV8Host } from "../../src/engine/host/v8-host.js";
import { asNumber, futexWake, openLibrary } from "../../src/platform/libc.js";

/** Functions of the module that need no thread. */
export interface EngineFunctions {
  readonly doSomeMath: (data: number, side: number) => void;
  readonly platIndex: (value: number) => number;
  readonly platValue: (index: number) => number;
  readonly addLat: (stats: number, usec: number) => void;
}

export const moduleBytes = readEngineModule();

/** The module instantiated in V8 on a memory. */
export const instantiate = (memory: WebAssembly.Memory): Readonly<Record<string, unknown>> =>
  new WebAssembly.Instance(new WebAssembly.Module(moduleBytes), idleImports(memory)).exports;

export const engineLayout: Layout = layoutOf(
  instantiate(new WebAssembly.Memory({ initial: 1, maximum: 65_536, shared: true })),
);

/** A memory of so many bytes, zeroed. */
export const testMemory = (bytes: number): SharedMemory => createSharedMemory(engineLayout, bytes);

const v8Functions = (memory: SharedMemory): EngineFunctions => {
  const exported = instantiate(memory.memory);
  const call = (name: string, ...args: number[]): number => {
    const body = exported[name];
    if (typeof body !== "function") throw new TypeError(`no export ${name}`);
    return Number(body(...args)) >>> 0;
  };
  return {
    doSomeMath: (data, side) => void call("do_some_math", data, side),
    platIndex: (value) => call("plat_val_to_idx", value),
    platValue: (index) => call("plat_idx_to_val", index),
    addLat: (stats, usec) => void call("add_lat", stats, usec),
  };
};

const nativeFunctions = (path: string, memory: SharedMemory): EngineFunctions => {
  const library = openLibrary(path);
  library.func("void schbench_open(uintptr_t memory, double bytes)")(memory.address, memory.bytes);
  const math = library.func("void schbench_do_some_math(uint data, uint side)");
  const index = library.func("uint schbench_plat_val_to_idx(uint value)");
  const value = library.func("uint schbench_plat_idx_to_val(uint index)");
  const addLat = library.func("void schbench_add_lat(uint stats, uint usec)");
  return {
    doSomeMath: (data, side) => void math(data, side),
    platIndex: (v) => asNumber(index(v)),
    platValue: (i) => asNumber(value(i)),
    addLat: (stats, usec) => void addLat(stats, usec),
  };
};

/** One engine under test. */
export interface EngineUnderTest {
  readonly name: string;
  readonly open: (memory: SharedMemory) => EngineHost;
  readonly functions: (memory: SharedMemory) => EngineFunctions;
}

/** The v8 host, and every native build that runs on this machine. */
export const ENGINES: readonly EngineUnderTest[] = [
  { name: "v8", open: (memory) => openV8Host(moduleBytes, memory), functions: v8Functions },
  ...nativeBuilds().map((build) => ({
    name: `native ${build.variant}`,
    open: (memory: SharedMemory) => openNativeHost(build, memory),
    functions: (memory: SharedMemory) => nativeFunctions(build.path, memory),
  })),
];

/** Control block and threads for bodies of tests, without a plan. */
export interface TestBench {
  readonly memory: SharedMemory;
  readonly control: number;
  readonly threadData: readonly number[];
  /** A zeroed region for the test's own use. */
  readonly scratch: number;
  readonly start: (thread: number, entry: Entry, args: readonly [number, number], cpus?: readonly number[]) => void;
  readonly partner: (thread: number, other: number) => void;
  readonly loops: (thread: number) => number;
  /** Back to before the first start. */
  readonly reset: () => void;
  /** Opens the gate once all are up, waits until all have left, and joins them. */
  readonly run: () => Promise<void>;
}

const pause = (msec: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, msec));

/** Waits for a condition; fails after a generous while instead of hanging. */
export const until = async (what: string, condition: () => boolean): Promise<void> => {
  const end = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`gave up waiting: ${what}`);
    await pause(1);
  }
};

/** A bench with so many threads on an engine. */
export const testBench = (engine: EngineUnderTest, threads: number): TestBench => {
  const memory = testMemory(1 << 20);
  const host = engine.open(memory);
  const control = 64;
  const locks = 4096;
  const [masks, maskBytes] = [64 * 1024, 1024];
  const firstSetup = 96 * 1024;
  const firstThread = 128 * 1024;
  const scratch = 512 * 1024;
  const threadData = Array.from({ length: threads }, (_, i) => firstThread + i * engineLayout.sizeOf("ThreadData"));
  memory.write(control, "Control.locks", locks);
  memory.write(control, "Control.exitGate", 1);
  for (const td of threadData) memory.write(td, "ThreadData.control", control);
  const at = (thread: number): number => threadData[thread] ?? 0;
  const word = (field: string): number => memory.word(control, `Control.${field}`);
  const load = (field: string): number => Atomics.load(memory.u32, word(field));
  let started = 0;
  const setups: number[] = [];
  return {
    memory,
    control,
    threadData,
    scratch,
    start: (thread, entry, args, cpus) => {
      started++;
      const setup = firstSetup + thread * engineLayout.sizeOf("ThreadSetup");
      writeThreadSetup(memory, setup, {
        entry,
        threadData: at(thread),
        args,
        name: `test-${thread}`,
        gate: control + engineLayout.field("Control.gate").offset,
        maskBytes,
        bornCpus: cpus === undefined ? 0 : writeCpuMask(memory, masks + thread * maskBytes, maskBytes, cpus),
      });
      setups.push(setup);
      host.start(setup);
    },
    partner: (thread, other) => memory.write(at(thread), "ThreadData.msgThread", at(other)),
    loops: (thread) => memory.read(at(thread), "ThreadData.loopCount"),
    reset: () => {
      started = 0;
      for (const field of ["waiting", "ready", "exited", "gate", "state"]) Atomics.store(memory.u32, word(field), 0);
      for (const td of threadData) {
        memory.write(td, "ThreadData.futex", 0);
        memory.write(td, "ThreadData.loopCount", 0);
      }
    },
    run: async () => {
      await until("threads come up", () => load("waiting") === started);
      Atomics.store(memory.u32, word("gate"), 1);
      futexWake(memory.address + word("gate") * 4, started);
      await until("threads leave or die", () => load("exited") + host.lost() === started);
      await host.join(setups.splice(0));
    },
  };
};
