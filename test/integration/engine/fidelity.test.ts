/** The differences of docs/fidelity.md that only a run shows. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { prepareBirth } from "../../../src/engine/birth.js";
import { placesOf } from "../../../src/engine/memory/shared-memory.js";
import { writePlan } from "../../../src/engine/memory/write-plan.js";
import type { RunPlan } from "../../../src/model/plan/run-plan.js";
import { ownSchedBytes } from "../../../src/platform/scheduler/sched-attr.js";
import { sampleCount } from "../../../src/stats/histogram/plat.js";
import { closedLoop } from "../../helpers/closed-loop.js";
import { runCommand, startCommand } from "../../helpers/command.js";
import { engineLayout, ENGINES, testMemory, until } from "../../helpers/engines.js";
import { checkResult, resultIn } from "../../helpers/run-invariants.js";

const run = async (line: string) => {
  const { code, stdout, stderr } = await runCommand([...line.split(" "), "-j", "-"]);
  assert.equal(code, 0, stderr);
  return { result: checkResult(resultIn(stdout)), stdout, stderr };
};

test("F-01, F-02: a rate of 1 with two message threads sends one a second, and no wakeup sample comes from the stop", async () => {
  const { result } = await run("-R 1 -m 2 -t 2 -n 0 -s 0 -r 3");
  assert.ok((result.rate?.offered ?? 9) <= 4, `${result.rate?.offered} offered`);
  assert.ok((result.wakeup?.samples ?? 0) <= (result.rate?.sent ?? 0));
});

test("F-03, F-06: N seconds give N samples, none of them at t = 0, and sched delay is read before the threads leave", async () => {
  const { result, stderr } = await run("-m 1 -t 2 -n 1 -r 3");
  assert.equal(result.rps?.samples, 3);
  assert.ok((result.rps?.min ?? 0) > 0);
  if (result.threads.some(({ timesRun }) => timesRun !== null))
    assert.match(stderr, /^sched delay: message \d+ \(usec\) worker \d+/mu);
  assert.ok(result.threads.every(({ runDelayUsec }) => runDelayUsec === null || runDelayUsec >= 0));
});

test("F-07, F-13: a short run has its warm-up, and the average covers what was measured", async () => {
  for (const mode of ["", " -R 100"]) {
    const { result, stderr } = await run(`-m 1 -t 1 -n 1 -r 3 -w 1${mode}`);
    assert.match(stderr, /^warmup done, zeroing stats$/mu);
    assert.equal(result.rps?.samples, 2);
    assert.ok(Math.abs((result.averageRps ?? 0) * (result.measuredSec ?? 0) - (result.loops ?? 0)) < 1e-6);
    assert.ok((result.measuredSec ?? 9) < (result.runtimeSec ?? 0) - 0.9);
  }
});

test("F-09: with -z the final tables cover the whole run, and the intervals what came since the restart", async () => {
  const { result } = await run("-m 1 -t 2 -n 1 -s 500 -r 4 -z 2 -i 1");
  const samples = result.intervals.map(({ request }) => request?.samples ?? 0);
  assert.equal(samples.length, 4);
  assert.ok((samples[2] ?? 0) < (samples[1] ?? 0), `restarted: ${samples.join(" ")}`);
  assert.ok((result.request?.samples ?? 0) >= (samples[1] ?? 0) + (samples[3] ?? 0));
});

test("F-12: stamps come from the monotonic clock: stepping CLOCK_REALTIME is not in the engine's imports", () => {
  const host = readFileSync(new URL("../../../../native/host.c", import.meta.url), "utf8");
  const v8 = readFileSync(new URL("../../../../src/engine/host/thread-entry.cts", import.meta.url), "utf8");
  assert.match(host, /clock_gettime\(CLOCK_MONOTONIC/u);
  for (const text of [host, v8]) assert.doesNotMatch(text, /gettimeofday|CLOCK_REALTIME/u);
});

test("F-14: over capacity a worker has at most one wakeup sample per time it waited", async () => {
  const { result } = await run("-R 200000 --pacing burst -m 1 -t 2 -n 0 -s 0 -r 2");
  assert.ok((result.wakeup?.samples ?? 0) <= (result.rate?.sent ?? 0));
});

test("F-19: SIGINT prints the report", async () => {
  const command = startCommand(["-m", "1", "-t", "1", "-r", "0", "-i", "1"]);
  await command.says("current rps");
  command.kill("SIGINT");
  const { code, stderr } = await command.finished;
  assert.equal(code, 130);
  assert.match(stderr, /average rps/u);
});

test("F-20, F-21, F-22: unwritable files and nonsense are errors before the run; help is no error", async () => {
  const unwritable = await runCommand(["-j", "/nowhere/x.json"]);
  assert.equal(unwritable.code, 1);
  for (const line of ["-m 0", "-s x", "-r abc", "-M 5000", "-t -1", "-p -5"]) {
    const { code, stderr } = await runCommand(line.split(" "));
    assert.equal(code, 1, line);
    assert.match(stderr, /^schbench-ts: .*"/u);
  }
  const help = await runCommand(["--help"]);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /--message-threads/u);
});

test("F-24: response latency counts from the intended arrival, so it is never below the service time", async () => {
  const { result } = await run("-R 5000 -m 1 -t 1 -n 1 -r 2");
  assert.equal(result.response?.samples, result.request?.samples);
  assert.ok((result.response?.max ?? 0) >= (result.request?.min ?? 0));
  assert.ok((result.response?.percentiles[1]?.value ?? 0) > 10_000, "over capacity requests queue");
});

test("F-25: a job name with quotes and backslashes parses, and a target never hit has no RPS numbers", async () => {
  const name = 'q"b\\';
  const { stdout } = await runCommand(["-A", "99", "-m", "1", "-t", "1", "-n", "0", "-r", "1", "-J", name, "-j", "-"]);
  const document: unknown = JSON.parse(stdout);
  assert.ok(typeof document === "object" && document !== null && "int" in document);
  assert.equal(resultIn(stdout).jobname, name);
  if (resultIn(stdout).rate?.targetHit === false) assert.match(JSON.stringify(document.int), /"rps_pct50.0":null/u);
});

test("F-28: the message threads of a rate run have a timer slack of 1 ns", async () => {
  const command = startCommand(["-R", "10", "-m", "1", "-t", "1", "-n", "0", "-r", "2", "-i", "1"]);
  await command.says("current rps");
  const names = await import("node:fs").then(({ readdirSync }) => readdirSync(`/proc/${command.pid}/task`));
  const slack = names
    .filter((tid) => readFileSync(`/proc/${command.pid}/task/${tid}/comm`, "utf8").startsWith("schbench-msg"))
    .map((tid) => readFileSync(`/proc/${tid}/timerslack_ns`, "utf8").trim());
  await command.finished;
  assert.deepEqual(slack, ["1"]);
});

test("F-29: what a 32-bit engine cannot address is refused with the sum", async () => {
  const { code, stderr } = await runCommand(["-t", "9", "-F", "500000", "-r", "1"]);
  assert.equal(code, 1);
  assert.match(stderr, /need \d+ MiB/u);
});

test("F-30: pipe mode reports wakeups and transfers, no requests", async () => {
  const { result, stderr } = await run("-p 4096 -m 1 -t 2 -r 1");
  assert.equal(result.request, null);
  assert.match(stderr, /^\t {2}20\.0th: /mu);
  assert.match(stderr, /^avg worker transfer: [\d.]+ ops\/sec [\d.]+MB\/s$/mu);
});

test("F-32: a request of many seconds does not keep the run from ending", async () => {
  const started = Date.now();
  const { result } = await run("-m 1 -t 1 -n 1000000 -r 1");
  assert.equal(result.loops, 0);
  assert.ok(Date.now() - started < 30_000);
});

for (const engine of ENGINES) {
  test(`F-37, ${engine.name}: threads go their rounds before the clock starts, and nothing of that is counted`, async () => {
    const { collector, lastWakeNsec, startClock, stop } = await closedLoop(engine);
    const seen = new Set<number>();
    await until("they go round", () => seen.add(lastWakeNsec()).size > 10);
    const before = collector.current();
    assert.deepEqual([before.loops, sampleCount(before.wakeup), sampleCount(before.request)], [0, 0, 0]);
    assert.equal(before.wakeup.min, null);
    startClock();
    await until("what ends is counted", () => collector.loops() > 10);
    await stop();
    const { loops, wakeup, request } = collector.current();
    assert.equal(sampleCount(request), loops);
    assert.ok(Math.abs(sampleCount(wakeup) - loops) <= 2);
  });

  test(`F-08, ${engine.name}: windows closed while threads record lose no sample and count none twice`, async () => {
    const { collector, startClock, stop } = await closedLoop(engine);
    startClock();
    const windows = [];
    for (let i = 0; i < 200; i++) {
      await until("something happens", () => collector.loops() > i * 20);
      windows.push(collector.closeWindow());
    }
    await stop();
    windows.push(collector.current());
    const loops = collector.loops();
    for (const [i, { wakeup, request, loops: ofWindow }] of windows.entries()) {
      assert.equal(sampleCount(request), ofWindow, `window ${i}: a request sample per loop`);
      assert.ok(Math.abs(sampleCount(wakeup) - ofWindow) <= 2, `window ${i}: a wakeup per request`);
      assert.equal(request.min === null, ofWindow === 0);
    }
    assert.equal(
      windows.reduce((sum, { loops: ofWindow }) => sum + ofWindow, 0),
      loops,
    );
  });
}

test("F-37: in rate mode the first request is due when the clock starts", async () => {
  for (const pacing of ["paced", "burst"]) {
    const { result } = await run(`-R 1 -m 1 -t 1 -n 0 -s 0 -r 1 --pacing ${pacing}`);
    const offered = result.rate?.offered ?? 0;
    assert.ok(offered >= 1 && offered <= 2, `${offered} offered in one second`);
  }
});

test("F-39: what a worker alone works on is untouched when the plan has been written", () => {
  const plan: RunPlan = {
    mode: "closed-loop",
    messageThreads: 2,
    workerThreads: 2,
    runtimeSec: 1,
    warmupSec: 0,
    intervalSec: null,
    zeroSec: null,
    messageCpus: null,
    workerCpus: null,
    slowWakeups: null,
    engine: "auto",
    work: { footprintKib: 64, operations: 1, sleepUsec: 0, locking: true, calibrate: false, splitPercent: null },
  };
  const places = placesOf(engineLayout, { plan, possibleCpus: 4, manyWindows: false });
  const memory = testMemory(places.bytes);
  writePlan(memory, plan, places);
  prepareBirth(memory, plan, places, { threadsCreateThreads: true, creator: ownSchedBytes() });
  const written = (from: number, bytes: number): boolean =>
    memory.u8.subarray(from, from + bytes).some((byte) => byte !== 0);
  for (const { role, threadData, stats, data } of places.threads) {
    assert.ok(written(threadData, engineLayout.sizeOf("ThreadData")), "the main thread writes the thread data");
    if (role === "message") continue;
    for (const region of [stats.wakeup, stats.request, data]) assert.ok(!written(region, engineLayout.sizeOf("Stats")));
  }
});
