/** `--explain` and `--break` of the command, in a process of its own: needs root and tracefs, else skipped with the reason. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { z } from "zod";
import { explanation } from "../../../src/explain/explanation.js";
import { explainReadiness } from "../../../src/explain/trace/tracefs.js";
import { nodeTracefs } from "../../../src/explain/trace/tracefs-node.js";
import { PACKAGE_FILES } from "../../../src/package-files.js";
import { slowWakeup } from "../../../src/model/result/run-result.js";

const { directory, missing } = explainReadiness(nodeTracefs());
const skip = missing.length > 0 ? missing.map(({ what }) => what).join("; ") : false;

const instanceOf = (pid: number | undefined): string => `${directory}/instances/schbench-ts-${pid}`;

/** Of the JSON, what is looked at here; our own part lies under a key that is found by its content. */
const ours = z.object({ explanation: explanation.nullable(), slowWakeups: z.array(slowWakeup) });

const oursIn = (json: string): z.infer<typeof ours> => {
  const parts = z.record(z.string(), z.unknown()).parse(JSON.parse(json));
  for (const part of Object.values(parts)) {
    const found = ours.safeParse(part);
    if (found.success) return found.data;
  }
  throw new Error(`no explanation in the JSON with ${Object.keys(parts).join(", ")}`);
};

const run = (...argv: string[]) => {
  const { pid, status, stdout, stderr } = spawnSync(process.execPath, [PACKAGE_FILES.command, ...argv], {
    encoding: "utf8",
    // A busy machine makes long time lines.
    maxBuffer: 64 * 1024 * 1024,
  });
  assert.ok(!existsSync(instanceOf(pid)), "the instance remains");
  return { status, stdout, stderr };
};

void test("--explain says after the report why wakeups were slow, and everything is in the JSON", { skip }, () => {
  const { status, stdout, stderr } = run("--explain", "-m", "1", "-t", "4", "-r", "2", "-j", "-");
  assert.equal(status, 0, stderr);
  assert.match(stderr, /average rps: .*\n[\s\S]*Why the slowest \d+ wakeups were slow/);
  const { explanation: found, slowWakeups } = oursIn(stdout);
  assert.ok(found !== null && found.slowWakeups === slowWakeups.length && slowWakeups.length > 0);
  assert.ok(found.attributed >= 0.9 * found.slowWakeups, `${found.attributed} of ${found.slowWakeups}`);
});

void test("without --explain nothing is traced and nothing explained", () => {
  const { status, stdout, stderr } = run("-m", "1", "-t", "1", "-r", "1", "-j", "-");
  assert.equal(status, 0, stderr);
  assert.doesNotMatch(stderr, /Why the slowest/);
  assert.deepEqual(oursIn(stdout), { explanation: null, slowWakeups: [] });
});

void test("--break stops the run at the first wakeup that is slower, and explains it", { skip }, () => {
  const { status, stdout, stderr } = run("--break", "1", "-m", "1", "-t", "4", "-r", "30", "-j", "-");
  assert.equal(status, 0, stderr);
  const { explanation: found } = oursIn(stdout);
  assert.ok((found?.worst[0]?.latencyUsec ?? 0) > 1);
});

for (const signal of ["SIGINT", "SIGTERM"] as const)
  void test(`after ${signal} there is a full report, and no instance remains`, { skip }, async () => {
    const child = spawn(process.execPath, [PACKAGE_FILES.command, "--explain", "-m", "1", "-t", "2", "-r", "60"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const closed = once(child, "close");
    let text = "";
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    while (!existsSync(instanceOf(child.pid)) && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    child.kill(signal);
    const [code] = await closed;
    assert.equal(code, signal === "SIGINT" ? 130 : 143, text);
    assert.match(text, /Why the slowest \d+ wakeups were slow/);
    assert.ok(!existsSync(instanceOf(child.pid)));
  });

void test("a run that cannot start leaves no instance", { skip }, () => {
  const before = readdirSync(`${directory}/instances`);
  const { status } = run("--explain", "-m", "1", "-t", "1", "-r", "1", "-F", "999999999999");
  assert.equal(status, 1);
  for (const name of readdirSync(`${directory}/instances`))
    assert.ok(before.includes(name) || !name.startsWith("schbench-ts-"));
});
