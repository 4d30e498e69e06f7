/** Writes a plan into shared memory: the control block and every thread's fixed part. */
import { at } from "../../at.js";
import { matrixParts } from "../../options/run/matrix.js";
import type { RunPlan } from "../../model/plan/run-plan.js";
import { KINDS } from "./kinds.js";
import type { Places, SharedMemory, ThreadPlace } from "./shared-memory.js";

/** Control.mode by the plan's own words. */
const MODES = {
  "closed-loop": "MODE_CLOSED_LOOP",
  paced: "MODE_PACED",
  burst: "MODE_BURST",
  pipe: "MODE_PIPE",
} as const;

const writeControl = (memory: SharedMemory, plan: RunPlan, places: Places): void => {
  const set = (field: string, value: number): void => memory.write(places.control, `Control.${field}`, value);
  set("mode", memory.layout.constant(MODES[plan.mode === "rate" ? plan.pacing : plan.mode]));
  set("messageThreads", plan.messageThreads);
  set("workerThreads", plan.workerThreads);
  set("locks", places.locks);
  set("sharedData", places.sharedData);
  set("slowPerThread", plan.slowWakeups?.perThread ?? 0);
  set("breakUsec", plan.slowWakeups?.breakUsec ?? 0);
  set("slowSinceNsec", Number.POSITIVE_INFINITY);
  if (plan.mode === "rate") set("requestsPerSec", plan.requestsPerSec);
  if (plan.mode === "pipe") {
    set("pipeBytes", plan.transferBytes);
    return;
  }
  const { footprintKib, operations, splitPercent, sleepUsec, locking, calibrate } = plan.work;
  const parts = matrixParts(footprintKib, operations, splitPercent);
  set("sleepUsec", sleepUsec);
  set("locking", Number(locking));
  set("calibrate", Number(calibrate));
  set("sharedOperations", parts.shared.operations);
  set("privateOperations", parts.private.operations);
  set("sharedSide", parts.shared.side);
  set("privateSide", parts.private.side);
};

const writeThread = (memory: SharedMemory, places: Places, thread: ThreadPlace, messageThread: ThreadPlace): void => {
  const set = (field: string, value: number): void => memory.write(thread.threadData, `ThreadData.${field}`, value);
  set("control", places.control);
  set("msgThread", messageThread.threadData);
  set("firstWorker", messageThread.threadData + memory.layout.sizeOf("ThreadData"));
  set("index", thread.index);
  set("data", thread.data);
  set("pipePage", thread.pipePage);
  set("queue", thread.queue);
  set("slow", thread.slow);
  set("closedStats", thread.closedStats);
  // Nothing is written to the histograms themselves: their owner is the first to touch them.
  for (const kind of KINDS) set(`${kind}Stats`, thread.stats[kind]);
};

/** Makes the memory ready for the threads of a run. */
export const writePlan = (memory: SharedMemory, plan: RunPlan, places: Places): void => {
  writeControl(memory, plan, places);
  const messageThreads = places.threads.filter(({ role }) => role === "message");
  for (const thread of places.threads) writeThread(memory, places, thread, at(messageThreads, thread.messageIndex));
};
