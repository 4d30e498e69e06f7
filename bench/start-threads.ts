/** Run in a process of its own by start-up.ts: starts the threads of a plan, and prints how long that took and what it weighs. */
import { readFileSync } from "node:fs";
import { setStage } from "../src/engine/stage.js";
import { startThreads } from "../src/engine/threads.js";
import type { RunPlan } from "../src/model/plan/run-plan.js";
import { fieldOf, hostFiles } from "../src/platform/files.js";

const residentKib = (): number => Number(fieldOf(readFileSync("/proc/self/status", "utf8"), "VmRSS")?.split(" ")[0]);

const engine = process.argv[2] === "v8" ? "v8" : "native";
const workers = Number(process.argv[3]);
const messageThreads = workers >= 1024 ? 4 : 1;
const plan: RunPlan = {
  mode: "closed-loop",
  messageThreads,
  workerThreads: workers / messageThreads,
  runtimeSec: 1,
  warmupSec: 0,
  intervalSec: null,
  zeroSec: null,
  messageCpus: null,
  workerCpus: null,
  slowWakeups: null,
  engine,
  work: { footprintKib: 256, operations: 0, sleepUsec: 0, locking: false, calibrate: false, splitPercent: null },
};
const stage = await setStage(hostFiles, plan, false);
const idleKib = residentKib();
const started = performance.now();
const threads = await startThreads(stage, new AbortController().signal, {
  onProgress: () => undefined,
  onLoadsUp: async () => undefined,
});
const upMsec = performance.now() - started;
threads.startClock();
await new Promise((resolve) => setTimeout(resolve, 1000));
const kib = residentKib() - idleKib;
threads.stop();
await threads.join();
process.stdout.write(JSON.stringify({ threads: stage.places.threads.length, upMsec, residentKib: kib }));
