/** The workloads whose figures are goals, and what is read from each. */
import { percentileIn } from "../src/model/metrics/distribution.js";
import type { RunResult } from "../src/model/result/run-result.js";
import type { Goal } from "./goals.js";

/** A figure of a run, and what it is held against. */
export interface Figure {
  readonly name: string;
  readonly read: (result: RunResult) => number | null;
  readonly goal: Goal;
}

const requestP50: Figure = { name: "request p50", read: ({ request }) => percentileIn(request, 50), goal: "envelope" };
const averageRps: Figure = { name: "average rps", read: (result) => result.averageRps, goal: "envelope" };
const wakeupP50: Figure = { name: "wakeup p50", read: ({ wakeup }) => percentileIn(wakeup, 50), goal: "usec" };
const wakeupP99: Figure = { name: "wakeup p99", read: ({ wakeup }) => percentileIn(wakeup, 99), goal: "usec" };
const transfers: Figure = {
  name: "transfers/s",
  read: ({ transfer }) => transfer?.opsPerSecPerWorker ?? null,
  goal: "rate",
};
const stormRps: Figure = { name: "average rps", read: (result) => result.averageRps, goal: "rate" };

/** One workload. */
export interface Axis {
  readonly name: string;
  readonly flags: string;
  readonly figures: readonly Figure[];
}

const work = [requestP50, averageRps];

/** Every workload with a goal. */
export const AXES: readonly Axis[] = [
  { name: "default", flags: "-m 1 -t 2 -r 2", figures: [...work, wakeupP50, wakeupP99] },
  { name: "t1", flags: "-m 1 -t 1 -r 2", figures: work },
  { name: "F64", flags: "-m 1 -t 1 -F 64 -r 2", figures: work },
  { name: "F1024", flags: "-m 1 -t 1 -F 1024 -r 3", figures: work },
  { name: "n1", flags: "-m 1 -t 1 -n 1 -r 2", figures: work },
  { name: "n20", flags: "-m 1 -t 1 -n 20 -r 3", figures: work },
  { name: "s0", flags: "-m 1 -t 1 -s 0 -r 2", figures: work },
  { name: "s500", flags: "-m 1 -t 1 -s 500 -r 2", figures: work },
  { name: "L", flags: "-m 1 -t 2 -L -r 2", figures: work },
  { name: "C", flags: "-m 1 -t 1 -C -r 2", figures: work },
  { name: "split0", flags: "-m 1 -t 2 --split 0 -r 2", figures: work },
  { name: "split50", flags: "-m 1 -t 2 --split 50 -r 2", figures: work },
  { name: "split100", flags: "-m 1 -t 2 --split 100 -r 2", figures: work },
  { name: "n0", flags: "-m 1 -t 1 -n 0 -r 2", figures: [wakeupP50, wakeupP99] },
  { name: "p4k", flags: "-m 1 -t 2 -p 4096 -r 2", figures: [transfers] },
  { name: "p64k", flags: "-m 1 -t 2 -p 65536 -r 2", figures: [transfers] },
  { name: "p1m", flags: "-m 1 -t 2 -p 1048576 -r 2", figures: [transfers] },
  { name: "storm", flags: "-L -m 2 -t 16 -n 0 -s 0 -r 2", figures: [stormRps] },
  { name: "hand-over", flags: "-L -m 1 -t 8 -n 0 -s 0 -M 0 -W 0 -r 2", figures: [stormRps] },
  { name: "storm1028", flags: "-L -m 4 -t 256 -n 0 -s 0 -r 2", figures: [stormRps] },
];
