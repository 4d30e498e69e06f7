/**
 * Simulated runs for tests of the judging. What varies from run to run is modelled after what schbench runs in turn on a
 * shared machine show: every run has a level of its own (log-normal, 1.5 % for requests, 15 % for wakeups), one run in
 * eight meets a noisy neighbour that stretches its tail by 10 %, and samples within a run scatter log-normally. Values are whole µs in
 * plat buckets, as the engine's.
 */
import type { RunResult } from "../../../src/model/result/run-result.js";
import type { Random } from "../../../src/stats/random.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

/** How a simulated subject differs from the plain one. */
export interface SimulatedSubject {
  /** Factor on every request latency. */
  readonly requests?: number;
  /** Factor on the slowest 2 % of the requests of a run. */
  readonly requestTail?: number;
}

/** Requests in a run: two workers for four seconds at 5 ms each. */
const SAMPLES = 1600;

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());

const simulatedRun = (random: Random, subject: SimulatedSubject): RunResult => {
  const level = Math.exp(0.015 * normal(random)) * (subject.requests ?? 1);
  const wakeupLevel = Math.exp(0.15 * normal(random));
  const noisy = random.below(8) === 0 ? 1.1 : 1;
  const requestUsec: number[] = [];
  const wakeupUsec: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    const tail = random.below(50) === 0 ? 1.15 * noisy * (subject.requestTail ?? 1) : 1;
    requestUsec.push(Math.round(4900 * level * tail * Math.exp(0.01 * normal(random))));
    wakeupUsec.push(Math.round(6 * wakeupLevel * Math.exp(0.3 * normal(random))));
  }
  const averageRps = 1e6 / (4900 * level);
  return fakeResult({
    requestUsec,
    wakeupUsec,
    rps: [Math.floor(averageRps), Math.ceil(averageRps)],
    averageRps,
  });
};

/** A pool of runs of a simulated subject, from which experiments are drawn. */
export const simulatedPool = (random: Random, size: number, subject: SimulatedSubject = {}): readonly RunResult[] =>
  Array.from({ length: size }, () => simulatedRun(random, subject));

/** Different runs drawn from a pool, in random order. */
export const drawn = (random: Random, pool: readonly RunResult[], count: number): readonly RunResult[] => {
  const places = new Set<number>();
  while (places.size < count) places.add(random.below(pool.length));
  return [...places].map((place) => pool[place]).filter((run) => run !== undefined);
};
