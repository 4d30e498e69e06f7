/** What users put around and into a command: signals, floods, programs that will not end. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { PACKAGE_FILES } from "../../../src/package-files.js";
import { join } from "node:path";
import { after, test } from "node:test";
import { execute } from "../../../src/laboratory/here/execute.js";
import { runShell } from "../../../src/laboratory/here/shell-command.js";
import { runCommand, startCommand } from "../../helpers/command.js";

const folder = mkdtempSync(join(tmpdir(), "schbench-ts-test-"));
after(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;

void test("of a command that prints megabytes the end is kept", async () => {
  const script = "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo the end";
  const { exitCode, output } = await runShell({ script, env: {}, signal: never });
  assert.equal(exitCode, 0);
  assert.ok(output.length <= 65_536);
  assert.match(output, /x\nthe end\n$/);
});

void test("a command that ignores SIGTERM is ended by force", async () => {
  const interruption = new AbortController();
  const script = "trap '' TERM INT; while :; do sleep 0.1; done";
  const ended = runShell({ script, env: {}, signal: interruption.signal });
  interruption.abort();
  assert.equal((await ended).exitCode, null);
});

void test("a program that prints without end is stopped", async () => {
  await assert.rejects(execute({ command: ["yes"], env: {}, timeoutMsec: null, watch: null, signal: never }), {
    name: "UserError",
    message: '"yes" was stopped: it printed more than 64 MiB',
  });
});

void test("a Node without WebAssembly is told from a fault, with the way to get it back", async () => {
  for (const nodeFlags of [["--jitless"], ["--no-expose-wasm"]]) {
    const { code, stderr } = await runCommand(["-r", "1", "--quiet"], { nodeFlags });
    assert.equal(code, 1);
    assert.match(stderr, /^schbench-ts: cannot run: this Node has no WebAssembly\nTake --jitless /mu);
  }
});

void test("without /proc a run says so before it begins, and -A is refused", (context) => {
  const script = `umount -l /proc && exec "$@"`;
  const without = (...words: readonly string[]) =>
    spawnSync("unshare", ["-m", "sh", "-c", script, "sh", process.execPath, PACKAGE_FILES.command, ...words], {
      encoding: "utf8",
    });
  if (without("--version").status !== 0) return context.skip("needs root, and a mount namespace");
  const { status, stderr } = without("-m", "1", "-t", "1", "-n", "0", "-s", "1000", "-r", "1");
  assert.equal(status, 0, stderr);
  assert.ok(stderr.indexOf("/proc cannot be read") < stderr.indexOf("Wakeup Latencies"), stderr);
  assert.doesNotMatch(stderr, /schedstat/u);
  assert.match(without("-A", "30", "-r", "1").stderr, /cannot steer by -A "30"/u);
});

const experiment = (store: string, setup: string, log: string): readonly string[] => {
  const subjects = ["ab", "--subject", "a", "--subject", "b", "--runs", "1", "-o", join(folder, store)];
  const around = ["--setup", `all=${setup}`, "--teardown", `all=echo down >> ${log}`];
  return [...subjects, ...around, "--", "-r", "60", "-t", "1"];
};

for (const [signal, code] of [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  void test(`an experiment that gets ${signal} tears down and leaves no temporary file`, async () => {
    const log = join(folder, `${signal}.log`);
    const scratch = mkdtempSync(join(folder, "tmp-"));
    const running = startCommand(experiment(`${signal}.ndjson`, `echo up >> ${log}; sleep 1000`, log), {
      env: { TMPDIR: scratch },
    });
    await running.says("warm-up");
    while (!readdirSync(folder).includes(`${signal}.log`)) await new Promise((resolve) => setTimeout(resolve, 20));
    running.kill(signal);
    assert.equal((await running.finished).code, code);
    assert.equal(readFileSync(log, "utf8"), "up\ndown\n");
    assert.deepEqual(readdirSync(scratch), []);
  });
