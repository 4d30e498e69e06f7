/**
 * What the kernel counts of the threads while the clock runs: read when the measured time begins, when it ends, and, with
 * few threads, once a second in between. The cheap part of a fingerprint, taken in every run. No upstream counterpart.
 */
import { besideShare, placementOf } from "../../fingerprint/placement.js";
import { deedBetween, roleFigures, type Span, type ThreadDeed } from "../../fingerprint/role-figures.js";
import type { Fingerprint, Role } from "../../model/result/fingerprint.js";
import { at } from "../../at.js";
import type { Files } from "../../platform/files.js";
import { readThreadStat, type ThreadCounters } from "../../platform/threads/proc-thread.js";
import { openThreadCounter, type PerfEvent, type ThreadCounter } from "../../platform/threads/thread-counters.js";
import type { Places, SharedMemory } from "../memory/shared-memory.js";
import { readCounters, tidOf } from "./thread-readings.js";

/** More threads than these are not read while they run, nor do they get counters of the processor. */
const FEW_THREADS = 64;
/** By then everybody who was let go at the start has been put on a CPU. */
const FIRST_LOOK_MSEC = 5;

/** What was seen of a run; the number of its requests is known later than that. */
export type KernelSight = (span: Span) => Fingerprint;

/** Reads what the kernel says of the threads of one run. */
export interface KernelWitness {
  /** The measured time begins, at the start or after a warm-up. */
  readonly begin: () => void;
  /** The threads were let go: notes soon where they stand. */
  readonly released: () => void;
  /** Notes where the threads stand. */
  readonly look: () => void;
  /** The measured time is over, and the threads stand at the exit. */
  readonly end: (after: readonly ThreadCounters[]) => KernelSight;
}

const PROCESSOR_EVENTS = ["instructions", "cycles"] as const;

interface Counted {
  readonly counter: ThreadCounter;
  atBegin: number | null;
}

/** Counters of the processor for one thread, of those that it gives; what is read is the count since the begin. */
const openProcessor = (tid: number) => {
  const counted = new Map<PerfEvent, Counted>();
  for (const event of PROCESSOR_EVENTS) {
    const counter = openThreadCounter(event, tid);
    if (counter !== null) counted.set(event, { counter, atBegin: null });
  }
  const since = (event: PerfEvent): number | null => {
    const one = counted.get(event);
    const now = one?.counter.read() ?? null;
    return one === undefined || one.atBegin === null || now === null ? null : now - one.atBegin;
  };
  return {
    begin: () => counted.forEach((one) => (one.atBegin = one.counter.read())),
    end: (): Pick<ThreadDeed, "instructions" | "cycles"> => {
      const deed = { instructions: since("instructions"), cycles: since("cycles") };
      counted.forEach(({ counter }) => counter.close());
      return deed;
    },
  };
};

const UNKNOWN = { instructions: null, cycles: null } as const;

/** Watches the threads of a run, which stand at the gate. */
export const createWitness = (files: Files, memory: SharedMemory, places: Places): KernelWitness => {
  const { threads } = places;
  const few = threads.length <= FEW_THREADS;
  const processors = few ? threads.map((thread) => openProcessor(tidOf(memory, thread))) : [];
  const shares: (number | null)[] = [];
  let before: readonly ThreadCounters[] | null = null;
  let isRunning = false;
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    if (!few) return;
    const cpus = threads.map((thread) => readThreadStat(files, tidOf(memory, thread))?.cpu ?? null);
    const messageCpus = cpus.filter((_, index) => at(threads, index).role === "message");
    shares.push(
      besideShare(
        threads.flatMap(({ role, messageIndex }, index) =>
          role === "worker" ? [[at(cpus, index), at(messageCpus, messageIndex)] as const] : [],
        ),
      ),
    );
  };
  return {
    begin: () => {
      // Reading a thousand threads takes a while, which they have at the gate but not in the middle of a run.
      before = few || !isRunning ? readCounters(files, memory, places) : null;
      for (const processor of processors) processor.begin();
    },
    released: () => {
      isRunning = true;
      timer = setTimeout(look, FIRST_LOOK_MSEC);
    },
    look,
    end: (after) => {
      clearTimeout(timer);
      const deeds = threads.map(({ role }, index) => ({
        role,
        deed: deedBetween(
          before === null ? null : at(before, index),
          at(after, index),
          few ? at(processors, index).end() : UNKNOWN,
        ),
      }));
      const besideMessage = placementOf(shares);
      const of = (role: Role) => deeds.filter((one) => one.role === role).map(({ deed }) => deed);
      return (span) => ({
        observer: "engine",
        ...span,
        traced: false,
        lostEvents: null,
        message: roleFigures(of("message"), span),
        worker: roleFigures(of("worker"), span),
        besideMessage,
      });
    },
  };
};
