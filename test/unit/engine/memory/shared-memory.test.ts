import assert from "node:assert/strict";
import test from "node:test";
import { KINDS } from "../../../../src/engine/memory/kinds.js";
import { placesOf } from "../../../../src/engine/memory/shared-memory.js";
import type { RunPlan } from "../../../../src/model/plan/run-plan.js";
import { engineLayout, testMemory } from "../../../helpers/engines.js";
import { closedLoopPlan, pipePlan, ratePlan } from "../../../helpers/fakes/fake-plan.js";

const threads = { messageThreads: 2, workerThreads: 3 } as const;
const closedLoop = closedLoopPlan(threads);
const rate = ratePlan(threads);
const pipe = pipePlan(threads);
const needs = { possibleCpus: 8, manyWindows: false };

test("regions do not overlap, and matrices lie on pages of their own", () => {
  for (const plan of [closedLoop, rate, pipe]) {
    const places = placesOf(engineLayout, { plan, possibleCpus: 8, manyWindows: true });
    const matrix = 3 * 8 * 104 * 104;
    const regions = places.threads.flatMap((thread) => [
      [thread.threadData, engineLayout.sizeOf("ThreadData")],
      ...KINDS.map((kind) => [thread.stats[kind], engineLayout.sizeOf("Stats")]),
      [thread.closedStats, KINDS.length * engineLayout.sizeOf("Stats")],
      [thread.queue, engineLayout.sizeOf("Queue")],
      [thread.data, matrix],
      [thread.pipePage, 4096],
    ]);
    const used = [...regions, [places.control, engineLayout.sizeOf("Control")], [places.locks, 8 * 64]]
      .filter(([start]) => start !== 0)
      .toSorted(([a = 0], [b = 0]) => a - b);
    for (const [i, [start = 0, bytes = 0]] of used.entries())
      assert.ok(start + bytes <= (used[i + 1]?.[0] ?? places.bytes), `region at ${start} of ${plan.mode}`);
    for (const { data, pipePage } of places.threads) assert.ok(data % 4096 === 0 && pipePage % 4096 === 0);
  }
});

const worker = (plan: RunPlan) => placesOf(engineLayout, { plan, ...needs }).threads[1];

test("the fields of a thread's histograms stand in the order of their kinds, and a closed window has room for each", () => {
  const first = engineLayout.field(`ThreadData.${KINDS[0]}Stats`).offset;
  const offsets = KINDS.map((kind) => engineLayout.field(`ThreadData.${kind}Stats`).offset);
  assert.deepEqual(
    offsets,
    KINDS.map((_, i) => first + 4 * i),
  );
  assert.equal(engineLayout.field("ThreadData.closedStats").offset, first + 4 * KINDS.length);
  assert.equal(engineLayout.sizeOf("ClosedStats"), KINDS.length * engineLayout.sizeOf("Stats"));
});

const timed = (plan: RunPlan, thread: number) =>
  KINDS.filter((kind) => placesOf(engineLayout, { plan, ...needs }).threads[thread]?.stats[kind] !== 0);

test("a mode takes only what it uses", () => {
  assert.deepEqual([timed(closedLoop, 0), timed(closedLoop, 1)], [[], ["wakeup", "request"]]);
  assert.deepEqual([timed(rate, 0), timed(rate, 1)], [["response"], ["wakeup", "request", "response"]]);
  assert.deepEqual([timed(pipe, 0), timed(pipe, 1)], [[], ["wakeup"]]);
  assert.equal(worker(closedLoop)?.queue, 0);
  assert.equal(worker(closedLoop)?.closedStats, 0);
  assert.notEqual(worker(rate)?.queue, 0);
  assert.equal(worker(pipe)?.data, 0);
  assert.notEqual(worker(pipe)?.pipePage, 0);
});

const line = (field: string): number => Math.floor(engineLayout.field(`ThreadData.${field}`).offset / 64);

test("word and wake stamp of a thread share a cache line, which the owner's statistics do not", () => {
  assert.equal(line("futex"), line("wakeNsec"));
  assert.equal(line("futex"), line("next"));
  assert.notEqual(line("futex"), line("sequence"));
  assert.notEqual(line("sequence"), line("control"));
  assert.equal(engineLayout.sizeOf("ThreadData") % 64, 0);
  assert.equal(engineLayout.sizeOf("Lock"), 64);
});

test("more than 4 GiB is refused with the sum", () => {
  assert.throws(() => testMemory(5 * 2 ** 30), /need 5120 MiB of shared memory, and the engine can address 4096 MiB/);
});

test("a field that the module does not export is an error, not a zero", () => {
  assert.throws(() => engineLayout.field("ThreadData.nothing"), /does not export "ThreadData.nothing"/);
});
