/**
 * What a thread is born with, written into shared memory: the only module that fills a ThreadSetup. assembly/birth.ts reads
 * it, on both hosts.
 */
import { cpuMask } from "../../platform/cpu-mask.js";
import type { SharedMemory } from "./shared-memory.js";

/** What a thread can run, ENTRY_… in assembly/memory/layout.ts in lower case. */
export type Entry =
  | "message_thread"
  | "worker_thread"
  | "load_spin"
  | "load_duty"
  | "load_wake"
  | "load_memory"
  | "test_hand_over"
  | "test_list_put"
  | "test_list_take"
  | "test_cpu_lock"
  | "test_trap"
  | "bench_host_call";

/** A thread to be born; addresses are offsets into the shared memory, and 0 means none. */
export interface ThreadSetup {
  readonly entry: Entry;
  readonly threadData: number;
  /** At most 15 characters, as the kernel shows it. */
  readonly name: string;
  /** Two further arguments, for the bodies of loads and tests. */
  readonly args?: readonly [number, number];
  /** The futex word on which it waits before it begins; `"own"`: one of its own. */
  readonly gate?: number | "own";
  /** The descriptor of the cgroup.threads of the group it joins. */
  readonly group?: number;
  /** How many of the setups that follow are of threads it brings to life. */
  readonly children?: number;
  /** Bytes of each mask. */
  readonly maskBytes?: number;
  /** Mask taken at once. */
  readonly bornCpus?: number;
  /** Mask in force while the children are brought to life. */
  readonly childrenCpus?: number;
  /** Mask for its work. */
  readonly cpus?: number;
  /** The struct sched_attr taken for its work. */
  readonly sched?: number;
  readonly timerSlackNsec?: number;
}

const NAME_BYTES = 16;

/** Writes the setup of a thread to its address; returns the address of its gate, 0 if it has none. */
export const writeThreadSetup = (memory: SharedMemory, address: number, setup: ThreadSetup): number => {
  const set = (field: string, value: number): void => memory.write(address, `ThreadSetup.${field}`, value);
  const [first, second] = setup.args ?? [0, 0];
  const ownGate = address + memory.layout.field("ThreadSetup.ownGate").offset;
  const gate = setup.gate === "own" ? ownGate : (setup.gate ?? 0);
  set("threadData", setup.threadData);
  set("entry", memory.layout.constant(`ENTRY_${setup.entry.toUpperCase()}`));
  set("first", first);
  set("second", second);
  set("gate", gate);
  set("ownGate", 0);
  set("group", setup.group ?? 0);
  set("children", setup.children ?? 0);
  set("maskBytes", setup.maskBytes ?? 0);
  set("bornCpus", setup.bornCpus ?? 0);
  set("childrenCpus", setup.childrenCpus ?? 0);
  set("cpus", setup.cpus ?? 0);
  set("sched", setup.sched ?? 0);
  set("timerSlackNsec", setup.timerSlackNsec ?? 0);
  const name = address + memory.layout.field("ThreadSetup.name").offset;
  memory.u8.fill(0, name, name + NAME_BYTES);
  memory.u8.set(Buffer.from(setup.name, "latin1").subarray(0, NAME_BYTES - 1), name);
  return gate;
};

/** Writes a CPU set as the kernel takes it, bit n of byte n / 8 is CPU n, to an address; returns the address. */
export const writeCpuMask = (memory: SharedMemory, address: number, bytes: number, cpus: readonly number[]): number => {
  memory.u8.set(cpuMask(cpus, bytes), address);
  return address;
};
