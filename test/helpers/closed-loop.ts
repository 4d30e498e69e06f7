/** A message thread with two workers in the closed loop, on an engine alone: what a run starts, without its clock. */
import { byKind, isTimed, KINDS } from "../../src/engine/memory/kinds.js";
import { at } from "../../src/at.js";
import { createCollector, type Collector } from "../../src/engine/memory/snapshot.js";
import type { ThreadPlace } from "../../src/engine/memory/shared-memory.js";
import { writeThreadSetup } from "../../src/engine/memory/thread-setup.js";
import { futexWake } from "../../src/platform/libc.js";
import { engineLayout, type EngineUnderTest, testMemory, until } from "./engines.js";

/** The threads, which have begun and have come to their bodies. */
export interface ClosedLoop {
  readonly collector: Collector;
  /** The newest wake stamp: it moves as long as threads wake each other, counted or not. */
  readonly lastWakeNsec: () => number;
  readonly startClock: () => void;
  /** Ends the run and joins the threads. */
  readonly stop: () => Promise<void>;
}

/** Starts the threads; nothing is recorded before `startClock`. */
export const closedLoop = async (engine: EngineUnderTest): Promise<ClosedLoop> => {
  const memory = testMemory(4 << 20);
  const host = engine.open(memory);
  const [control, locks, firstSetup, firstThread, regions] = [64, 4096, 96 * 1024, 128 * 1024, 256 * 1024];
  const stats = (thread: number, which: number): number =>
    regions + (thread * 8 + which) * Math.ceil(engineLayout.sizeOf("Stats") / 4096) * 4096;
  const threads: ThreadPlace[] = [0, 1, 2].map((i) => ({
    role: i === 0 ? "message" : "worker",
    index: Math.max(0, i - 1),
    messageIndex: 0,
    group: null,
    threadData: firstThread + i * engineLayout.sizeOf("ThreadData"),
    stats: byKind((kind) => (i > 0 && isTimed(kind, "worker", "closed-loop") ? stats(i, KINDS.indexOf(kind)) : 0)),
    closedStats: stats(i, KINDS.length),
    data: 0,
    pipePage: 0,
    queue: 0,
    slow: 0,
  }));
  const setups = threads.map((_, i) => firstSetup + i * engineLayout.sizeOf("ThreadSetup"));
  memory.write(control, "Control.workerThreads", 2);
  memory.write(control, "Control.messageThreads", 1);
  memory.write(control, "Control.locks", locks);
  memory.write(control, "Control.exitGate", 1);
  for (const [i, place] of threads.entries()) {
    const set = (field: string, value: number): void => memory.write(place.threadData, `ThreadData.${field}`, value);
    set("control", control);
    set("msgThread", firstThread);
    set("firstWorker", firstThread + engineLayout.sizeOf("ThreadData"));
    set("closedStats", place.closedStats);
    for (const kind of KINDS) set(`${kind}Stats`, place.stats[kind]);
    const entry = place.role === "message" ? "message_thread" : "worker_thread";
    const setup = at(setups, i);
    writeThreadSetup(memory, setup, { entry, threadData: place.threadData, name: "test" });
    host.start(setup);
  }
  const word = (field: string): number => memory.word(control, `Control.${field}`);
  const enter = (state: string): void => {
    Atomics.store(memory.u32, word("state"), engineLayout.constant(`STATE_${state}`));
  };
  const places = {
    control,
    locks,
    sharedData: 0,
    setups: firstSetup,
    masks: 0,
    maskBytes: 0,
    scheds: 0,
    threads,
    loads: [],
    bytes: 4 << 20,
  };
  await until("threads come up", () => Atomics.load(memory.u32, word("ready")) === 3);
  return {
    collector: createCollector(memory, places),
    lastWakeNsec: () => Math.max(...threads.map(({ threadData }) => memory.read(threadData, "ThreadData.wakeNsec"))),
    startClock: () => enter("MEASURING"),
    stop: async () => {
      enter("OVER");
      const futex = memory.word(firstThread, "ThreadData.futex");
      Atomics.store(memory.u32, futex, 1);
      futexWake(memory.address + futex * 4, 1);
      await host.join(setups);
    },
  };
};
