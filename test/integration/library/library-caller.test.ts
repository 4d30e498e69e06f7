/** The library in a program of somebody else: what it must not change there, and what happens when that program goes. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import test from "node:test";
import { until } from "../../helpers/engines.js";

const LIBRARY = new URL("../../../src/index.js", import.meta.url).href;

const HEAD = `
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { cachedDataVersionTag, setFlagsFromString } from "node:v8";
// What is being closed is gone after a few turns of the event loop.
const turn = async () => {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
};
const seen = () => ({
  v8Flags: cachedDataVersionTag(),
  listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
  warnings: process.listenerCount("warning"),
  cwd: process.cwd(),
  umask: process.umask(),
  env: { ...process.env },
  argv: [...process.argv, ...process.execArgv],
  exitCode: process.exitCode,
  resources: process.getActiveResourcesInfo(),
  threads: readdirSync("/proc/self/task").length,
  cpus: /Cpus_allowed_list:.*/.exec(readFileSync("/proc/self/status", "utf8"))?.[0],
  libraries: readFileSync("/proc/self/maps", "utf8").split("\\n").filter((line) => /koffi|schbench-.*\\.so/.test(line)).length,
  // zod, which describes the results, keeps its configuration there.
  globals: Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith("__zod")).sort(),
});
`;

const runScript = (body: string, nodeFlags: readonly string[] = []) =>
  spawnSync(process.execPath, [...nodeFlags, "--input-type=module", "-e", HEAD + body], {
    encoding: "utf8",
    timeout: 60_000,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });

for (const engine of ["native", "v8"] as const)
  test(`${engine}: a run changes nothing in the calling process, and does not keep it alive`, () => {
    const { status, stdout, stderr } = runScript(`
      const { runSchbench, EngineError } = await import(${JSON.stringify(LIBRARY)});
      await turn();
      const before = seen();
      const spec = { kind: "schbench", workerThreads: 2, runtimeSec: 1, engine: "${engine}" };
      assert.ok(((await runSchbench(spec).result).loops ?? 0) > 0);
      const failing = runSchbench({ ...spec, runtimeSec: 30 });
      await failing.started;
      process.kill(failing.pid, "SIGKILL");
      await assert.rejects(failing.result, EngineError);
      await turn();
      assert.deepEqual(seen(), before);
      setFlagsFromString("--no-liftoff");
      assert.notEqual(seen().v8Flags, before.v8Flags, "a changed flag would have been seen");
      console.log("unchanged");
    `);
    assert.equal(stderr, "");
    assert.equal(stdout, "unchanged\n");
    assert.equal(status, 0);
  });

test("importing the library starts nothing and listens to nothing", () => {
  const { status, stderr } = runScript(`
    // Loading any file starts the threads of Node's own pool.
    await turn();
    const without = ({ threads, ...rest }) => rest;
    const before = without(seen());
    await import(${JSON.stringify(LIBRARY)});
    await turn();
    assert.deepEqual(without(seen()), before);
  `);
  assert.equal(stderr, "");
  assert.equal(status, 0);
});

test("flags and tools of the calling Node stay with it", () => {
  const { status, stderr } = runScript(
    `
      process.env.NODE_OPTIONS = "--require=/nowhere/hook.cjs";
      const { runSchbench } = await import(${JSON.stringify(LIBRARY)});
      const { loops } = await runSchbench({ kind: "schbench", workerThreads: 1, runtimeSec: 1 }).result;
      assert.ok(loops > 0);
    `,
    ["--throw-deprecation", "--stack-size=500"],
  );
  assert.equal(stderr, "");
  assert.equal(status, 0);
});

for (const engine of ["native", "v8"] as const)
  test(`${engine}: the engine ends when the process that started it is killed, its threads with it`, async () => {
    const child = spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `const { runSchbench } = await import(${JSON.stringify(LIBRARY)});
         const run = runSchbench({ kind: "schbench", workerThreads: 2, runtimeSec: 300, engine: "${engine}" });
         await run.started;
         console.log(run.pid);
         await run.result;`,
      ],
      { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
    );
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await until("the run has started", () => said.endsWith("\n"));
    const pid = Number(said);
    assert.ok(existsSync(`/proc/${pid}/task`));
    child.kill("SIGKILL");
    await until("the engine is gone", () => !existsSync(`/proc/${pid}`));
  });
