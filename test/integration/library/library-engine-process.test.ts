/** The parent's side against engine processes that misbehave: whatever they do, the run settles and says what happened. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { type EngineCare, type EngineListener, spawnEngine } from "../../../src/engine/child/spawn-engine.js";
import { EngineError } from "../../../src/errors.js";
import { planOf } from "../../../src/library/plan-of.js";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

const folder = mkdtempSync(join(tmpdir(), "schbench-ts-"));
after(() => rmSync(folder, { recursive: true }));

const deaf: EngineListener = {
  starting: () => undefined,
  started: () => undefined,
  second: () => undefined,
  interval: () => undefined,
  phase: () => undefined,
};
const job = {
  plan: planOf({ kind: "schbench", runtimeSec: 1 }),
  jobname: null,
  commandLine: [],
  version: "0",
  phases: false,
};
const RESULT = `process.send({ kind: "result", result: ${JSON.stringify(fakeResult())} });`;

let scripts = 0;
/** Starts a process that runs this code in place of the engine. */
const start = (code: string, care: Partial<EngineCare> = {}) => {
  const entry = join(folder, `engine-${scripts++}.cjs`);
  writeFileSync(entry, code);
  return spawnEngine(job, deaf, { entry, leaveMsec: 200, stopMsec: 200, ...care });
};

const failureOf = async (result: Promise<RunResult>): Promise<EngineError> => {
  try {
    await result;
  } catch (error) {
    assert.ok(error instanceof EngineError);
    return error;
  }
  return assert.fail("it had a result");
};

test("a process that says its result and does not end is ended, and its result counts", async () => {
  const engine = start(`${RESULT} setInterval(() => {}, 1000);`);
  assert.equal((await engine.result).averageRps, 200);
  assert.ok(!existsSync(`/proc/${engine.pid}`));
});

test("a process that does not stop when asked to is ended, which is an error", async () => {
  const engine = start(`process.on("message", () => {}); process.on("SIGTERM", () => {});`);
  engine.stop();
  assert.equal((await failureOf(engine.result)).message, "the engine did not stop within 0.2 s");
  assert.ok(!existsSync(`/proc/${engine.pid}`));
});

test("a process that ends without a word is an error with its exit code and what it wrote to stderr", async () => {
  const { message, remedy } = await failureOf(start(`console.error("out of\\nluck"); process.exit(3);`).result);
  assert.equal(message, "the engine's process ended with exit code 3 before it had a result");
  assert.equal(remedy, "It wrote to stderr:\n  | out of\n  | luck");
});

test("of a long stderr the end is kept", async () => {
  const script = `process.stderr.write("x".repeat(100000) + "\\nthe reason", () => process.exit(1));`;
  const { remedy = "" } = await failureOf(start(script).result);
  assert.ok(remedy.endsWith("the reason") && remedy.length < 5000);
});

test("a process that is killed is told from one that crashes", async () => {
  const killed = await failureOf(start(`process.kill(process.pid, "SIGKILL");`).result);
  assert.match(killed.message, /was ended by SIGKILL before it had a result$/u);
  assert.match(killed.remedy ?? "", /when memory runs out/u);
  const crashed = await failureOf(start(`process.kill(process.pid, "SIGSEGV");`).result);
  assert.match(crashed.message, /was ended by SIGSEGV/u);
  assert.equal(crashed.remedy, undefined);
});

test("a process that says what cannot be understood is ended", async () => {
  const engine = start(`process.send({ kind: "second", second: { atSec: "now" } }); setInterval(() => {}, 1000);`);
  assert.match((await failureOf(engine.result)).message, /^the engine's process sent a message that cannot be read: /u);
  assert.ok(!existsSync(`/proc/${engine.pid}`));
});

test("an error of the engine arrives with its remedy, whatever becomes of the process afterwards", async () => {
  const script = `process.send({ kind: "error", message: "no memory", remedy: "Use less." }, () => process.abort());`;
  const { message, remedy } = await failureOf(start(script).result);
  assert.deepEqual([message, remedy], ["no memory", "Use less."]);
});

test("the first last word counts", async () => {
  const engine = start(
    `${RESULT} process.send({ kind: "error", message: "late", remedy: null }, () => process.exit());`,
  );
  assert.equal((await engine.result).averageRps, 200);
});

test("a file that is no program is an error", async () => {
  const engine = start("this is no program");
  const { message, remedy } = await failureOf(engine.result);
  assert.match(message, /ended with exit code 1/u);
  assert.match(remedy ?? "", /SyntaxError/u);
});

/** Timers under way in this process. */
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

test("words to a process that is gone are no errors, and nothing is waited for", async () => {
  const before = timers();
  const engine = start(`process.exit(0);`);
  await failureOf(engine.result);
  engine.phase("late");
  engine.stop();
  assert.equal(timers(), before);
});
