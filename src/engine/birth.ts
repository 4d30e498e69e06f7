/**
 * How the threads of a run come to life: who starts whom, in which order, and who waits for whom. As upstream, the main
 * thread starts the message threads, and each of them brings its own workers to life (assembly/birth.ts): it creates them,
 * or, where only the main thread can create threads, lets them go one after the other.
 *
 * Upstream counterpart: the loops around pthread_create in main and message_thread.
 */
import { at } from "../at.js";
import type { CgroupRole } from "../model/plan/cgroup-roles.js";
import type { RunPlan } from "../model/plan/run-plan.js";
import { THREAD_NAMES } from "./host/host.js";
import { schedAttr } from "../platform/scheduler/sched-attr.js";
import { type Places, SCHED_STRIDE, type SharedMemory, type ThreadPlace } from "./memory/shared-memory.js";
import { type ThreadSetup, writeCpuMask, writeThreadSetup } from "./memory/thread-setup.js";

/** What the main thread does to bring threads to life; all are addresses in shared memory. */
export interface Birth {
  /** The setup of every thread. */
  readonly setups: readonly number[];
  /** The setups of the threads that the main thread creates, in this order. */
  readonly created: readonly number[];
  /** The gates that it opens, in this order, once all that it created wait at theirs; empty where nobody waits. */
  readonly opened: readonly number[];
  /** Every gate there is: all are opened when a run ends before it began. */
  readonly gates: readonly number[];
}

/** The open cgroup.threads of the control group that threads of a role join; 0: they stay where they begin. */
export type GroupOf = (role: CgroupRole) => number;

/** No role has a group. */
export const NO_GROUP: GroupOf = () => 0;

/** Arrivals are to be sent when they are due, not up to 50 µs later. */
const PACED_TIMER_SLACK_NSEC = 1;

type Cpus = Pick<ThreadSetup, "maskBytes" | "bornCpus" | "childrenCpus" | "cpus">;

const sameCpus = (a: readonly number[], b: readonly number[] | null): boolean => a.join() === b?.join();

/** Writes the masks of a plan; says which of them a thread takes, and when. */
const writeCpus = (memory: SharedMemory, plan: RunPlan, places: Places) => {
  const { masks, maskBytes } = places;
  const write = (slot: number, cpus: readonly number[] | null): number =>
    cpus === null ? 0 : writeCpuMask(memory, masks + slot * maskBytes, maskBytes, cpus);
  // The second mask is that of the loads (load/load-threads.ts).
  const workers = write(0, plan.workerCpus);
  const messages = (plan.messageCpus ?? []).map((cpus, i) =>
    // With -W alone a message thread has the workers' CPUs already.
    sameCpus(cpus, plan.workerCpus) ? 0 : write(2 + i, cpus),
  );
  return {
    workers,
    ofMessageThread: (index: number): number => (plan.messageCpus === null ? 0 : at(messages, index)),
  };
};

/** Writes the scheduling attributes of a plan; says where those of a thread lie, 0: it has none of its own. */
const writeScheds = (
  memory: SharedMemory,
  { messageSched, workerSched, workerGroups = [] }: RunPlan,
  { scheds }: Places,
  creator: Uint8Array,
) => {
  const written = [messageSched, workerSched, ...workerGroups.map(({ sched }) => sched)].map((sched, slot) => {
    if (sched === undefined) return 0;
    const address = scheds + slot * SCHED_STRIDE;
    memory.u8.set(schedAttr(sched, creator), address);
    return address;
  });
  return ({ role, group }: ThreadPlace): number => at(written, role === "message" ? 0 : group === null ? 1 : 2 + group);
};

/** What threads find where they are born. */
export interface BirthPlace {
  /** Of the host. */
  readonly threadsCreateThreads: boolean;
  /** The struct sched_attr of the main thread, which new threads inherit. */
  readonly creator: Uint8Array;
  /** Where the threads of each role go; left out: nowhere. */
  readonly groupOf?: GroupOf;
}

/** Writes the setups of all threads of a plan. */
export const prepareBirth = (
  memory: SharedMemory,
  plan: RunPlan,
  places: Places,
  { threadsCreateThreads, creator, groupOf = NO_GROUP }: BirthPlace,
): Birth => {
  const { control, setups, maskBytes } = places;
  const cpus = writeCpus(memory, plan, places);
  const schedOf = writeScheds(memory, plan, places, creator);
  const setupOf = (i: number): number => setups + i * memory.layout.sizeOf("ThreadSetup");
  const crossed = plan.birth === "crossed";
  const commonGate = control + memory.layout.field("Control.gate").offset;

  const cpusOf = ({ role, index }: ThreadPlace): Cpus => {
    const own = role === "message" ? cpus.ofMessageThread(index) : 0;
    if (crossed) return { maskBytes, bornCpus: own || cpus.workers };
    if (role === "message") return { maskBytes, childrenCpus: cpus.workers, cpus: own };
    // Whom its message thread creates inherits the mask that is in force there.
    return threadsCreateThreads ? {} : { maskBytes, bornCpus: cpus.workers };
  };
  const gateOf = (): Pick<ThreadSetup, "gate"> => {
    if (crossed) return { gate: commonGate };
    return threadsCreateThreads ? {} : { gate: "own" };
  };
  const write = (place: ThreadPlace, i: number) => {
    const isMessage = place.role === "message";
    const gate = writeThreadSetup(memory, setupOf(i), {
      entry: isMessage ? "message_thread" : "worker_thread",
      threadData: place.threadData,
      name: THREAD_NAMES[place.role],
      group: groupOf(place.role),
      children: isMessage && !crossed ? plan.workerThreads : 0,
      sched: schedOf(place),
      timerSlackNsec: isMessage && plan.mode === "rate" ? PACED_TIMER_SLACK_NSEC : 0,
      ...cpusOf(place),
      ...gateOf(),
    });
    return { setup: setupOf(i), gate, isMessage };
  };

  const threads = places.threads.map(write);
  const messageThreads = threads.filter(({ isMessage }) => isMessage);
  const gates = [...new Set(threads.map(({ gate }) => gate))].filter((gate) => gate !== 0);
  return {
    setups: threads.map(({ setup }) => setup),
    created: (threadsCreateThreads && !crossed ? messageThreads : threads).map(({ setup }) => setup),
    opened: crossed ? gates : messageThreads.map(({ gate }) => gate).filter((gate) => gate !== 0),
    gates,
  };
};
