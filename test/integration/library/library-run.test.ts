/** Real runs through the library: phases, signals, and every way a run can end. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import test from "node:test";
import {
  EngineError,
  mergeResults,
  runSchbench,
  type RunResult,
  type SchbenchRun,
  UsageError,
} from "../../../src/index.js";
import { until } from "../../helpers/engines.js";
import { checkResult } from "../../helpers/run-invariants.js";

const small = { kind: "schbench", messageThreads: 1, workerThreads: 2, operations: 1 } as const;
const ENGINES = ["native", "v8"] as const;

const isGone = (pid: number | null): boolean => !existsSync(`/proc/${pid}`);

const collect = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

const isKill = (error: unknown): boolean =>
  error instanceof EngineError && error.message.startsWith("the engine's process was ended by SIGKILL");

/** Bucket counts of several sparse histograms together. */
const bucketSum = (histograms: readonly (readonly (readonly [number, number])[] | null | undefined)[]) => {
  const sum = new Map<number, number>();
  for (const [bucket, count] of histograms.flatMap((histogram) => histogram ?? []))
    sum.set(bucket, (sum.get(bucket) ?? 0) + count);
  return [...sum].toSorted(([a], [b]) => a - b);
};

/** The phases follow each other from the start of the measured time to its end, and nothing is lost between them. */
const checkPhases = (result: RunResult, names: readonly string[]): void => {
  const { phases, seconds } = result;
  assert.deepEqual(
    phases.map(({ name }) => name),
    names,
  );
  const measuredFrom = (result.runtimeSec ?? 0) - (result.measuredSec ?? 0);
  phases.forEach(({ startSec, endSec }, index) => {
    assert.ok(Math.abs(startSec - (phases[index - 1]?.endSec ?? measuredFrom)) < 1e-6);
    assert.ok(endSec >= startSec);
  });
  assert.equal(phases.at(-1)?.endSec, result.runtimeSec);
  assert.equal(
    phases.reduce((sum, { loops }) => sum + loops, 0),
    result.loops,
  );
  for (const name of ["wakeup", "request", "response"] as const) {
    if (result.mode === "pipe" && name !== "wakeup") continue;
    const parts = phases.map((phase) => phase[name]);
    assert.deepEqual(bucketSum(parts.map((part) => part?.buckets)), result[name]?.buckets ?? [], `${name} adds up`);
    const known = parts.filter((part) => part !== null);
    if (known.length === 0) continue;
    assert.equal(Math.min(...known.map(({ min }) => min ?? 0)), result[name]?.min);
    assert.equal(Math.max(...known.map(({ max }) => max ?? 0)), result[name]?.max);
  }
  const workers = result.threads.filter(({ role }) => role === "worker");
  const total = workers.reduce((sum, { runDelayUsec }) => sum + (runDelayUsec ?? 0), 0);
  const split = phases.reduce((sum, { runDelayUsec }) => sum + (runDelayUsec ?? 0), 0);
  assert.ok(phases.every(({ runDelayUsec }) => (runDelayUsec ?? 0) >= 0));
  assert.ok(split <= total + 1, "the workers also waited before the clock started");
  // What is measured after the last second is in no second.
  const inSeconds = seconds.reduce((sum, { wakeup }) => sum + bucketSum([wakeup]).reduce((n, [, c]) => n + c, 0), 0);
  assert.ok(inSeconds <= (result.wakeup?.samples ?? 0));
};

for (const engine of ENGINES) {
  test(`${engine}: phases split a run without stopping it, and add up to the whole`, async () => {
    const run = runSchbench({ ...small, engine, runtimeSec: 3, intervalSec: 1 });
    const beforeStart = run.phase("warm");
    await run.started;
    await beforeStart;
    for await (const { atSec } of run.seconds) {
      if (atSec < 1.5) await run.phase("after-migration");
      else if (atSec < 2.5) await run.phase("after-migration");
    }
    const result = checkResult(await run.result);
    assert.ok(isGone(run.pid));
    assert.equal(result.source.kind === "engine" && result.source.engine, engine);
    assert.equal(result.interrupted, false);
    checkPhases(result, ["start", "warm", "after-migration"]);
    assert.ok(result.phases.slice(1).every(({ loops }) => loops > 0));
    assert.deepEqual(await collect(run.seconds), result.seconds);
    assert.deepEqual(await collect(run.intervals), result.intervals);
    assert.equal(result.intervals.length, 3);
  });

  test(`${engine}: a phase that begins during the warm-up begins with the measured time`, async () => {
    const run = runSchbench({ ...small, engine, runtimeSec: 3, warmupSec: 1, requestsPerSec: 200 });
    await run.started;
    await run.phase("first");
    for await (const second of run.seconds) {
      assert.ok(second.atSec > 1.9);
      await run.phase("second");
      break;
    }
    const result = checkResult(await run.result);
    checkPhases(result, ["first", "second"]);
  });

  test(`${engine}: a signal ends a run early with a full result`, async () => {
    const stop = new AbortController();
    const run = runSchbench({ ...small, engine, runtimeSec: 0 }, { signal: stop.signal });
    for await (const second of run.seconds) {
      assert.ok(second.rps > 0);
      stop.abort();
    }
    const result = checkResult(await run.result);
    assert.equal(result.interrupted, true);
    assert.ok((result.loops ?? 0) > 0);
    assert.ok(isGone(run.pid));
  });

  test(`${engine}: an engine that is killed is an error that says how it died, on every way to look at the run`, async () => {
    const run = runSchbench({ ...small, engine, runtimeSec: 60 });
    await run.started;
    const phase = run.phase("lost");
    process.kill(run.pid ?? 0, "SIGKILL");
    await Promise.allSettled([phase]);
    await assert.rejects(run.result, isKill);
    await assert.rejects(collect(run.seconds), isKill);
    await assert.rejects(collect(run.intervals), isKill);
  });
}

test("pipe mode has phases too", async () => {
  const run = runSchbench({ kind: "schbench", workerThreads: 2, transferBytes: 4096, runtimeSec: 2 });
  for await (const { atSec } of run.seconds) if (atSec < 1.5) await run.phase("later");
  const result = checkResult(await run.result);
  checkPhases(result, ["start", "later"]);
  assert.ok(result.transfer !== null && result.request === null);
});

test("a phase that is asked for too late, or not allowed, is refused", async () => {
  const run = runSchbench({ ...small, runtimeSec: 1 }, { phases: false });
  assert.throws(() => run.phase("never"), UsageError);
  const result = await run.result;
  assert.deepEqual(result.phases, []);
  const other = runSchbench({ ...small, runtimeSec: 1 });
  assert.throws(() => other.phase(""), UsageError);
  await other.result;
  await assert.rejects(other.phase("late"), /cannot begin phase "late": the run is over/);
});

test("a signal that comes before the clock starts is an error, and nothing runs", async () => {
  const run = runSchbench({ ...small, runtimeSec: 60 }, { signal: AbortSignal.abort() });
  await assert.rejects(run.result, (error) => error instanceof EngineError && /interrupted before/.test(error.message));
  await assert.rejects(run.started, EngineError);
  assert.ok(isGone(run.pid));
});

test("a wrong spec is refused before a process starts", () => {
  assert.throws(() => runSchbench({ ...small, workerThreads: 0 }), UsageError);
  assert.throws(() => runSchbench({ ...small, runtimeSec: 0 }), /would never end without a signal/);
});

test("what the engine cannot do is its error, remedy included", async () => {
  const before = process.env["SCHBENCH_TS_NATIVE"];
  process.env["SCHBENCH_TS_NATIVE"] = "/nowhere/engine.so";
  let run: SchbenchRun;
  try {
    run = runSchbench({ ...small, engine: "native", runtimeSec: 1 });
  } finally {
    if (before === undefined) delete process.env["SCHBENCH_TS_NATIVE"];
    else process.env["SCHBENCH_TS_NATIVE"] = before;
  }
  await assert.rejects(
    run.result,
    (error) =>
      error instanceof EngineError &&
      error.message.startsWith('cannot use --engine "native"') &&
      error.remedy !== undefined,
  );
});

test("a crash is told from a kill, and signals to a whole group are left to the caller", async () => {
  const run = runSchbench({ ...small, runtimeSec: 60 });
  await run.started;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(run.pid ?? 0, signal);
  for await (const second of run.seconds) {
    assert.ok(second.atSec > 0.9, "the run goes on");
    break;
  }
  process.kill(run.pid ?? 0, "SIGABRT");
  await assert.rejects(run.result, /^EngineError: the engine's process was ended by SIGABRT before it had a result/);
});

test("runs at the same time do not disturb each other, and their results merge", async () => {
  const spec = { ...small, operations: 0, sleepUsec: 1000, runtimeSec: 2, jobname: "twins" } as const;
  const results = await Promise.all([runSchbench(spec).result, runSchbench(spec).result]);
  assert.deepEqual(
    results.map(({ jobname }) => jobname),
    ["twins", "twins"],
  );
  results.forEach(checkResult);
  const merged = mergeResults(results);
  assert.equal(
    merged.wakeup?.samples,
    results.reduce((sum, { wakeup }) => sum + (wakeup?.samples ?? 0), 0),
  );
});

test("the threads carry the names people filter by, in the process that the run names", async () => {
  const { readdirSync, readFileSync } = await import("node:fs");
  const stop = new AbortController();
  const run = runSchbench({ ...small, runtimeSec: 60 }, { signal: stop.signal });
  await run.started;
  const names = readdirSync(`/proc/${run.pid}/task`).map((tid) =>
    readFileSync(`/proc/${run.pid}/task/${tid}/comm`, "utf8").trim(),
  );
  assert.equal(names.filter((name) => name === "schbench-worker").length, 2);
  assert.equal(names.filter((name) => name === "schbench-msg").length, 1);
  stop.abort();
  await run.result;
  await until("the process is gone", () => isGone(run.pid));
});
