import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { runCommand, startCommand } from "../../helpers/command.js";
import { until } from "../../helpers/engines.js";
import { checkResult, resultIn } from "../../helpers/run-invariants.js";

const threadNames = (pid: number): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map((tid) => readFileSync(`/proc/${pid}/task/${tid}/comm`, "utf8").trim());
  } catch {
    return [];
  }
};
const countOf = (names: readonly string[], name: string): number => names.filter((one) => one === name).length;

/** User and system time of threads by name, in clock ticks. */
const cpuTicks = (pid: number, name: string): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((tid) => readFileSync(`/proc/${pid}/task/${tid}/stat`, "utf8"))
    .filter((stat) => stat.includes(`(${name})`))
    .map((stat) => stat.slice(stat.lastIndexOf(")") + 2).split(" "))
    .reduce((sum, fields) => sum + Number(fields[11]) + Number(fields[12]), 0);

/** CPU time, in clock ticks, several times what Node takes to start a thread, which carries its name by then. */
const WORK_TICKS = 30;

/** Waits until all threads are up and the workers have worked. */
const untilAtWork = async (pid: number, messageThreads: number, workers: number): Promise<void> => {
  await until("threads come up", () => {
    const names = threadNames(pid);
    return countOf(names, "schbench-msg") === messageThreads && countOf(names, "schbench-worker") === workers;
  });
  await until("work is done", () => cpuTicks(pid, "schbench-worker") > workers * WORK_TICKS);
};

for (const engine of ["native", "v8"] as const) {
  test(`${engine}: threads carry the names people filter by, and SIGINT ends the run with a report and 130`, async () => {
    const command = startCommand(["--engine", engine, "-m", "2", "-t", "3", "-r", "60", "-j", "-"]);
    await untilAtWork(command.pid, 2, 6);
    command.kill("SIGINT");
    const { code, stdout, stderr } = await command.finished;
    assert.equal(code, 130);
    assert.match(stderr, /^Wakeup Latencies percentiles \(usec\) runtime \d+ \(s\) \(\d+ total samples\)$/mu);
    assert.match(stderr, /^average rps: \d+\.\d\d$/mu);
    assert.equal(checkResult(resultIn(stdout)).interrupted, true);
  });

  test(`${engine}: two signals at once are one wish, as from npm, a closed terminal or systemd: the report is made`, async () => {
    const command = startCommand(["--engine", engine, "-m", "1", "-t", "2", "-r", "60", "-j", "-"]);
    await untilAtWork(command.pid, 1, 2);
    // Stopped, it hears both when it goes on, whoever runs when.
    for (const signal of ["SIGSTOP", "SIGTERM", "SIGHUP", "SIGCONT"] as const) command.kill(signal);
    const { code, stdout, stderr } = await command.finished;
    assert.ok(code === 143 || code === 129, `${code}: ${stderr}`);
    assert.equal(checkResult(resultIn(stdout)).interrupted, true);
  });

  test(`${engine}: a run that is ended during its warm-up has a result without anything measured`, async () => {
    const command = startCommand(["--engine", engine, "-m", "1", "-t", "2", "-r", "60", "-w", "50", "-j", "-"]);
    await untilAtWork(command.pid, 1, 2);
    command.kill("SIGINT");
    const { code, stdout, stderr } = await command.finished;
    assert.equal(code, 130, stderr);
    const { measuredSec, loops, threads, warnings } = resultIn(stdout);
    assert.deepEqual([measuredSec, loops, threads.length], [0, 0, 3]);
    assert.ok(warnings.some((warning) => warning.code === "nothing-measured"));
  });

  test(`${engine}: SIGTERM ends the run with a report and 143`, async () => {
    const command = startCommand(["--engine", engine, "-m", "1", "-t", "1", "-r", "60"]);
    await untilAtWork(command.pid, 1, 1);
    command.kill("SIGTERM");
    const { code, stderr } = await command.finished;
    assert.equal(code, 143);
    assert.match(stderr, /average rps/u);
  });

  test(`${engine}: a thread that waits sleeps: next to no CPU time with long think times`, async () => {
    const command = startCommand([
      "--engine",
      engine,
      "-m",
      "1",
      "-t",
      "2",
      "-n",
      "0",
      "-s",
      "10000",
      "-r",
      "3",
      "-j",
      "-",
    ]);
    await until("workers come up", () => countOf(threadNames(command.pid), "schbench-worker") === 2);
    const { stdout } = await command.finished;
    const { threads, loops, measuredSec } = checkResult(resultIn(stdout));
    assert.ok((loops ?? 0) > 50);
    for (const { role, voluntarySwitches } of threads)
      if (role === "worker") assert.ok((voluntarySwitches ?? 0) >= (loops ?? 0) / 4, "every wait gives the CPU away");
    assert.ok((measuredSec ?? 0) > 2);
  });
}

test("a run on an engine that cannot be loaded falls back with the reason, and native alone is an error", async () => {
  const folder = mkdtempSync(join(tmpdir(), "schbench-ts-"));
  try {
    const env = { SCHBENCH_TS_NATIVE: join(folder, "missing.so") };
    const fallback = await runCommand(["-m", "1", "-t", "1", "-r", "1", "-j", "-"], { env });
    assert.equal(fallback.code, 0, fallback.stderr);
    const result = resultIn(fallback.stdout);
    assert.equal(result.source.kind === "engine" ? result.source.engine : "", "v8");
    assert.match(result.warnings.find(({ code }) => code === "v8-engine")?.message ?? "", /missing\.so/u);
    const strict = await runCommand(["--engine", "native", "-m", "1", "-t", "1", "-r", "1"], { env });
    assert.equal(strict.code, 1);
    assert.match(strict.stderr, /cannot use --engine "native": .*missing\.so/u);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("more memory than there is, is refused with the sum before anything starts", async () => {
  const { code, stderr } = await runCommand(["-m", "1", "-t", "4000", "-F", "4096", "-r", "1"]);
  assert.equal(code, 1);
  assert.match(stderr, /^schbench-ts: cannot run: footprint, threads and transfer size need \d+ MiB/u);
});

test("a JSON file that cannot be written is an error before the run", async () => {
  const started = Date.now();
  const { code, stderr } = await runCommand(["-m", "1", "-t", "1", "-r", "30", "-j", "/nowhere/out.json"]);
  assert.equal(code, 1);
  assert.match(stderr, /cannot write to "\/nowhere\/out\.json"/u);
  assert.doesNotMatch(stderr, /Latencies/u);
  assert.ok(Date.now() - started < 25_000, "nothing has run");
});

test("a limit on processes stops the start with the number that was reached and the limit", async () => {
  const { code, stderr } = await runCommand(["-m", "1", "-t", "300", "-n", "0", "-r", "1"], {
    wrapper: ["setpriv", "--reuid=65534", "--clear-groups", "prlimit", "--nproc=60"],
  });
  if (code === 127 || /setpriv|EACCES|permission/iu.test(stderr)) return;
  assert.equal(code, 1, stderr);
  assert.match(
    stderr,
    /cannot start 301 threads: the limit RLIMIT_NPROC|a thread could not be created: \d+ of 301 started/u,
  );
});

test("a process confined to one CPU runs there and says so", async () => {
  const { code, stdout, stderr } = await runCommand(["-m", "1", "-n", "0", "-r", "1", "-j", "-"], {
    wrapper: ["taskset", "-c", "0"],
  });
  if (/taskset: failed/u.test(stderr)) return;
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^setting worker threads to 1$/mu);
  for (const { allowedCpus } of resultIn(stdout).threads) assert.equal(allowedCpus, "0");
});

test("interval reports come while the run goes on, and --quiet leaves them out", async () => {
  const loud = await runCommand(["-m", "1", "-t", "1", "-r", "2", "-i", "1"]);
  assert.equal(loud.stderr.match(/current rps/gu)?.length, 2);
  const quiet = await runCommand(["-m", "1", "-t", "1", "-r", "2", "-i", "1", "--quiet"]);
  assert.doesNotMatch(quiet.stderr, /current rps/u);
});

test("a file that is no library falls back with the reason", async () => {
  const env = { SCHBENCH_TS_NATIVE: new URL("../../../../package.json", import.meta.url).pathname };
  const { code, stdout, stderr } = await runCommand(["-m", "1", "-t", "1", "-r", "1", "-j", "-"], { env });
  assert.equal(code, 0, stderr);
  assert.match(
    resultIn(stdout)
      .warnings.map(({ message }) => message)
      .join(),
    /package\.json/u,
  );
});

test("the JSON of a hostile job name and an odd command line parses", async () => {
  const name = 'a "quoted" \\ name\n\u0001';
  const { stdout } = await runCommand(["-m", "1", "-t", "1", "-n", "0", "-r", "1", "-J", name, "-j", "-"]);
  assert.equal(resultIn(stdout).jobname, name);
});

test("v8: no benchmark thread collects garbage while it is measured: nothing is allocated between two clock readings", async () => {
  const { code, stdout } = await runCommand(["--engine", "v8", "-m", "1", "-t", "3", "-n", "0", "-s", "0", "-r", "7"], {
    nodeFlags: ["--trace-gc"],
  });
  assert.equal(code, 0);
  const collections = [...stdout.matchAll(/^\[\d+:(0x[0-9a-f]+)\]\s+(\d+) ms: /gmu)].map(([, isolate, msec]) => ({
    isolate,
    msec: Number(msec),
  }));
  const main = collections[0]?.isolate;
  assert.ok(new Set(collections.map(({ isolate }) => isolate)).size >= 4, "every thread's start-up is seen");
  assert.deepEqual(
    collections.filter(({ isolate, msec }) => isolate !== main && msec > 3500 && msec < 6500),
    [],
  );
});
