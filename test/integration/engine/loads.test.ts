/** What runs beside the benchmark: built-in loads on both engines, and commands with all that they start. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { at } from "../../../src/at.js";
import { nativeBuilds } from "../../../src/engine/host/native-host.js";
import { cpuIdsOf } from "../../../src/platform/cpus/cpu-ids.js";
import { fieldOf } from "../../../src/platform/files.js";
import { runCommand, startCommand } from "../../helpers/command.js";
import { until } from "../../helpers/engines.js";
import { checkResult, resultIn } from "../../helpers/run-invariants.js";

const engines = nativeBuilds().length > 0 ? (["native", "v8"] as const) : (["v8"] as const);
const IDLE = ["-m", "1", "-t", "1", "-n", "0", "-s", "10000", "-j", "-"];
const ownCpus = cpuIdsOf(fieldOf(readFileSync("/proc/self/status", "utf8"), "Cpus_allowed_list"));

const readOr = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** Processes that are alive and have these words in their command line, without the command that was given the load. */
const processesWith = (words: string): readonly string[] =>
  readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    const line = readOr(`/proc/${name}/cmdline`).replaceAll("\0", " ");
    return line.includes(words) && !line.includes("--load") && !/^\S+ \(.*\) [ZX] /s.test(readOr(`/proc/${name}/stat`));
  });

const maskOf = (path: string): string | null => fieldOf(readOr(path), "Cpus_allowed_list");

/** A sleep of so many seconds that no other test uses: known by its command line, in a child of a shell. */
let nextSleep = 86_400 + (process.pid % 10_000) * 8;
const uniqueSleep = () => {
  const sleep = `sleep ${nextSleep++}`;
  return { sleep, load: `sh -c '${sleep} & ${sleep}'` };
};

for (const engine of engines) {
  for (const [load, unit, threads] of [
    ["spin:2", "turns", 2],
    ["duty:1:1000/20000", "periods", 1],
    ["wake:1", "wakeups", 2],
    ["memory:1", "MiB", 1],
  ] as const)
    test(`${engine}: ${load} counts its ${unit}, alone and beside the benchmark, and the benchmark's result is whole`, async () => {
      const { code, stdout, stderr } = await runCommand([...IDLE, "-r", "1", "--engine", engine, "--load", load]);
      assert.equal(code, 0, stderr);
      const result = checkResult(resultIn(stdout));
      assert.ok((result.loops ?? 0) > 10, "the benchmark has worked");
      assert.equal(result.threads.length, 2, "threads of loads are none of the benchmark's");
      const [done, ...others] = result.loads ?? [];
      assert.ok(done !== undefined && others.length === 0);
      assert.equal(done.load, load);
      assert.equal(done.tids.length, threads);
      assert.ok(done.work !== null && done.work.count > 10 && done.work.unit === unit);
      assert.ok((done.work.alonePerSec ?? 0) > 10);
      assert.ok((done.cpuSec ?? 0) > 0.01, `CPU time ${done.cpuSec}`);
      assert.ok((result.workerWaitSec ?? 0) > 0, `workers waited ${result.workerWaitSec} s`);
      assert.match(stderr, /^workers beside it: .*waited [\d.]+ s for a CPU$/m);
      assert.match(stderr, new RegExp(`^load ${load}: \\d+(\\.\\d+)? ${unit} a second, alone `, "m"));
    });

  test(`${engine}: a duty load takes its share of a CPU and no more`, async () => {
    const { stdout } = await runCommand([...IDLE, "-r", "2", "--engine", engine, "--load", "duty:1:20000/100000"]);
    const { work, cpuSec } = at(resultIn(stdout).loads ?? [], 0);
    assert.ok(work !== null && work.count >= 10 && work.count <= 22, `${work?.count} periods of 100 ms in 2 s`);
    assert.ok(cpuSec !== null && cpuSec > 0.18 && cpuSec < 0.5, `${cpuSec} s of 20 ms in 100 ms`);
  });

  test(`${engine}: loads go where they are put, and the benchmark is not`, async () => {
    const [cpu = 0] = ownCpus;
    const words = [...IDLE, "-r", "0", "--engine", engine, "--load", "spin:1", "--load-cpus", `${cpu}`];
    const { sleep, load } = uniqueSleep();
    const running = startCommand([...words, "--load", load]);
    const tasks = `/proc/${running.pid}/task`;
    const named = (name: string) => readdirSync(tasks).filter((tid) => readOr(`${tasks}/${tid}/comm`).trim() === name);
    await until("the benchmark is up", () => named("schbench-worker").length === 1);
    await until("the command's processes are there", () => processesWith(sleep).length === 3);
    const [spin, worker] = [at(named("schbench-load"), 0), at(named("schbench-worker"), 0)];
    assert.equal(maskOf(`${tasks}/${spin}/status`), `${cpu}`);
    for (const pid of processesWith(sleep)) assert.equal(maskOf(`/proc/${pid}/status`), `${cpu}`, `process ${pid}`);
    assert.deepEqual(cpuIdsOf(maskOf(`${tasks}/${worker}/status`)), ownCpus);
    running.kill("SIGINT");
    assert.equal((await running.finished).code, 130);
  });
}

test("no process of a load is left after the run", async () => {
  const { sleep, load } = uniqueSleep();
  const { code, stdout, stderr } = await runCommand([...IDLE, "-r", "1", "--load", load]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(processesWith(sleep), []);
  const done = at(resultIn(stdout).loads ?? [], 0);
  assert.deepEqual([done.kind, done.load, done.work], ["command", load, null]);
});

test("a command's CPU time is counted, and is no other load on the machine", async () => {
  const { stdout, stderr } = await runCommand([...IDLE, "-r", "2", "--load", "sh -c 'while :; do :; done'"]);
  const { cpuSec } = at(resultIn(stdout).loads ?? [], 0);
  assert.ok(cpuSec !== null && cpuSec > 0.2, `${cpuSec} s of 2`);
  assert.match(stderr, /^load sh: ran \d/m);
});

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGKILL", null],
] as const)
  test(`no process of a load is left after ${signal}`, async () => {
    const { sleep, load } = uniqueSleep();
    const running = startCommand([...IDLE, "-r", "0", "--load", load]);
    await until("the load runs", () => processesWith(sleep).length === 3);
    running.kill(signal);
    assert.equal((await running.finished).code, code);
    await until("all are gone", () => processesWith(sleep).length === 0);
  });

test("a load that dies ends the run with its last words", async () => {
  const start = Date.now();
  const { code, stderr } = await runCommand([
    ...IDLE,
    "-r",
    "60",
    "--load",
    "sh -c 'sleep 0.3; echo no more disk >&2; exit 7'",
  ]);
  assert.equal(code, 1, stderr);
  assert.match(stderr, /load "sh -c .*" ended with exit code 7 before the run was over/);
  assert.match(stderr, /\| no more disk/);
  assert.ok(Date.now() - start < 40_000, "long before its time");
});

test("a program that there is not is refused before anything runs", async () => {
  const { code, stderr, stdout } = await runCommand([
    ...IDLE,
    "-r",
    "1",
    "--load",
    "spin:1",
    "--load",
    "no-such-program 1",
  ]);
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /cannot start "no-such-program" of --load "no-such-program 1": there is no such program/);
  assert.match(stderr, /a name that is on the PATH\. What a shell is to read needs one: sh -c/);
});
