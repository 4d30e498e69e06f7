/** Experiments with real processes: what a set-up leaves behind, interruptions, kill -9 and going on. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { execute } from "../../../src/laboratory/here/execute.js";
import { runShell } from "../../../src/laboratory/here/shell-command.js";
import { readExperiment } from "../../../src/experiment/read-experiment.js";
import { type FakeBench, fakeBench } from "../../helpers/fakes/fake-bench.js";

const MAIN = fileURLToPath(new URL("../../helpers/fakes/experiment-main.js", import.meta.url));
const never = new AbortController().signal;

/** Limits how long a test waits for something that must come about; the time itself is not asserted. */
const PATIENCE_MSEC = 20_000;
const until = async (what: string, holds: () => boolean): Promise<void> => {
  for (let waited = 0; waited < PATIENCE_MSEC; waited += 20) {
    if (holds()) return;
    await sleep(20);
  }
  assert.fail(`waited in vain until ${what}`);
};

const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

const benchFor = (context: TestContext): FakeBench => {
  const bench = fakeBench();
  context.after(() => bench.remove());
  return bench;
};

const start = (bench: FakeBench, words: readonly string[]) => {
  const child = spawn(process.execPath, [MAIN, ...words.map((word) => word.replaceAll("{}", bench.folder))], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdout.resume();
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", resolve);
  });
  return { child, ended, stderr: () => stderr };
};
const WORDS = ["--subject", "a={}/a", "--subject", "b={}/b", "--runs", "6", "-o", "{}/e.ndjson"] as const;

void test("a shell command that leaves a process in the background returns at once, and can end it", async () => {
  const outcome = await runShell({ script: "sleep 600 & echo $!", env: {}, signal: never });
  const pid = Number(outcome.output);
  assert.equal(outcome.exitCode, 0);
  assert.ok(isAlive(pid));
  assert.ok(outcome.endLeftOvers !== null);
  await outcome.endLeftOvers();
  assert.ok(!isAlive(pid));
});

void test("a background process that ignores SIGTERM is ended all the same", async () => {
  const script = `sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' & sleep 0.3`;
  const outcome = await runShell({ script, env: {}, signal: never });
  const pid = Number(outcome.output);
  assert.ok(isAlive(pid));
  await outcome.endLeftOvers?.();
  assert.ok(!isAlive(pid));
});

void test("a shell command that leaves nothing behind has nothing to end, and tells both streams and its exit code", async () => {
  const outcome = await runShell({ script: 'echo "$WHO"; echo err >&2; exit 7', env: { WHO: "me" }, signal: never });
  assert.deepEqual(outcome, { exitCode: 7, output: "me\nerr\n", endLeftOvers: null });
});

void test("a program that does not end in time is ended with all it started", async () => {
  const { fingerprint, ...execution } = await execute({
    command: ["/bin/sh", "-c", "echo begun; sleep 600"],
    env: {},
    timeoutMsec: 300,
    watch: null,
    signal: never,
  });
  assert.deepEqual(
    { ...execution, stderr: "" },
    { exitCode: null, endedBy: "SIGKILL", timedOut: true, stdout: "begun\n", stderr: "" },
  );
  assert.equal(fingerprint({ perSec: 1, of: "all-workers" }), null);
});

void test("what a set-up leaves in the background is ended before the next subject runs", async (context) => {
  const bench = benchFor(context);
  bench.fake("a");
  bench.fake("b");
  const { ended } = start(bench, [
    ...WORDS,
    "--warmup-runs",
    "0",
    "--setup",
    "b=echo up >> {}/log; (trap 'echo scheduler left >> {}/log; exit' TERM; sleep 600 & wait) & sleep 0.2",
    "--",
    "-r",
    "1",
  ]);
  assert.equal(await ended, 0);
  const log = bench.log();
  assert.equal(log.filter((line) => line === "up").length, 6);
  log.forEach((line, index) => {
    if (line === "up") assert.deepEqual(log.slice(index, index + 3), ["up", "run b -r 1", "scheduler left"]);
  });
});

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  void test(`${signal} during a run ends the run, tears down and leaves with ${code}`, async (context) => {
    const bench = benchFor(context);
    bench.fake("a");
    bench.fake("b", { FAKE_FAIL_AT: 1, FAKE_FAIL: "hang" });
    const outputs = ["--teardown", "b=echo down >> {}/log", "--html", "{}/never.html"];
    const { child, ended, stderr } = start(bench, [...WORDS, ...outputs, "--", "-r", "1"]);
    await until("b runs", () => bench.logged().includes("run b -r 1"));
    child.kill(signal);
    assert.equal(await ended, code);
    assert.ok(!existsSync(join(bench.folder, "never.html")), "a report that was not made leaves no empty file");
    assert.equal(bench.logged().at(-1), "down");
    assert.match(stderr(), /runs are in .*e\.ndjson; the same command with -o .*e\.ndjson continues the experiment/);
  });

void test("a process that leaves in a hurry takes its benchmark and what set-ups left with it", async (context) => {
  const bench = benchFor(context);
  bench.fake("a", { FAKE_FAIL_AT: 1, FAKE_FAIL: "hang" });
  bench.fake("b", { FAKE_FAIL_AT: 1, FAKE_FAIL: "hang" });
  const setup = "all=sleep 600 & echo $! > {}/left";
  const { child, ended } = start(bench, [...WORDS, "--setup", setup, "--", "-r", "1"]);
  await until("something runs", () => bench.logged().length > 0);
  const left = Number(readFileSync(join(bench.folder, "left"), "utf8"));
  assert.ok(isAlive(left));
  child.kill("SIGUSR2");
  await ended;
  await until("the left-over is gone", () => !isAlive(left));
});

void test("after kill -9 in the middle of a run, the same command goes on where it stopped", async (context) => {
  const bench = benchFor(context);
  bench.fake("a");
  bench.fake("b", { FAKE_FAIL_AT: 4, FAKE_FAIL: "hang" });
  const words = [...WORDS, "--", "-r", "1"];
  const first = start(bench, words);
  await until("the fourth run of b", () => bench.logged().filter((line) => line === "run b -r 1").length === 4);
  first.child.kill("SIGKILL");
  await first.ended;
  const path = join(bench.folder, "e.ndjson");
  const stored = readExperiment(readFileSync(path, "utf8"), path)?.records.length ?? 0;
  assert.ok(stored >= 6);
  bench.log();

  const second = start(bench, words);
  assert.equal(await second.ended, 0);
  assert.match(second.stderr(), new RegExp(`${stored} of 14 runs are done, continuing`));
  assert.equal(bench.log().length, 14 - stored);
  assert.equal(readExperiment(readFileSync(path, "utf8"), path)?.records.length, 14);
});

void test("while one command writes to a store another is refused and told who has it; after kill -9 it is free", async (context) => {
  const bench = benchFor(context);
  bench.fake("a");
  bench.fake("b", { FAKE_FAIL_AT: 2, FAKE_FAIL: "hang" });
  const words = [...WORDS, "--", "-r", "1"];
  const path = join(bench.folder, "e.ndjson");
  const first = start(bench, words);
  await until("the second run of b", () => bench.logged().filter((line) => line === "run b -r 1").length === 2);
  const before = readFileSync(path, "utf8");

  const second = start(bench, words);
  assert.equal(await second.ended, 1);
  assert.match(
    second.stderr(),
    new RegExp(
      `cannot keep runs in ".*e\\.ndjson": process ${first.child.pid} \\(.*experiment-main.*\\), since 20.*is writing to it`,
    ),
  );
  assert.equal(readFileSync(path, "utf8"), before);
  const stored = readExperiment(before, path)?.records.length ?? 0;
  const compared = await bench.run("compare", [path]);
  assert.doesNotMatch(compared.stderr, /writing to it/);

  first.child.kill("SIGKILL");
  await first.ended;
  const third = start(bench, words);
  assert.equal(await third.ended, 0);
  assert.match(third.stderr(), new RegExp(`${stored} of 14 runs are done, continuing`));
  assert.equal(readExperiment(readFileSync(path, "utf8"), path)?.records.length, 14);
});

void test("a line that kill -9 cut off is dropped with a note, and its run repeated", async (context) => {
  const bench = benchFor(context);
  bench.fake("a");
  bench.fake("b");
  const words = [...WORDS, "--quiet", "--", "-r", "1"];
  assert.equal(await start(bench, words).ended, 0);
  const path = join(bench.folder, "e.ndjson");
  const whole = readFileSync(path, "utf8");
  truncateSync(path, Buffer.byteLength(whole) - 100);
  bench.log();

  const again = start(bench, words);
  assert.equal(await again.ended, 0);
  assert.match(again.stderr(), /dropped a damaged last line; that run is repeated/);
  assert.equal(bench.log().length, 1);
  assert.equal(readExperiment(readFileSync(path, "utf8"), path)?.records.length, 14);
});
