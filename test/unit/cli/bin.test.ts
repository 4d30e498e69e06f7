import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { fakeRun } from "../../helpers/render-results.js";

const bin = fileURLToPath(new URL("../../../src/bin.js", import.meta.url));

const dataUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

/** Starts the built command, lets `meddle` do something to it, and waits for its end. */
const ended = async (argv: readonly string[], meddle: (child: ReturnType<typeof spawn>) => void) => {
  const child = spawn(process.execPath, [bin, ...argv], { stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  meddle(child);
  const [code] = await once(child, "close");
  return { code, stderr };
};

void test("a reader of standard output that leaves early is no failure", async () => {
  const { code, stderr } = await ended(["--help"], ({ stdout }) => stdout?.destroy());
  assert.deepEqual([code, stderr], [0, ""]);
});

void test("a reader of standard error that leaves early does not change the exit code", async () => {
  const { code } = await ended(["-m", "0"], ({ stderr }) => stderr?.destroy());
  assert.equal(code, 1);
});

void test("a wrong command line ends the process with exit code 1 before anything runs", async () => {
  const { code, stderr } = await ended(["-p", "64q"], () => undefined);
  assert.equal(code, 1);
  assert.match(stderr, /^schbench-ts: invalid value "64q" for -p: /);
});

void test("standard input is there once: a second dash is an error, not an empty input", async () => {
  const child = spawn(process.execPath, [bin, "parse", "-", "-"], { stdio: ["pipe", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  child.stdin.end(JSON.stringify(fakeRun({ seed: 1, seconds: 1, requestUsec: 5000, startedAt: null })));
  const [code] = await once(child, "close");
  assert.equal(code, 1);
  assert.match(stderr, /^schbench-ts: cannot read "-" twice/);
});

void test("output that cannot be written is a failure with its reason", async () => {
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [bin, "--help"], { stdio: ["ignore", full, "pipe"] });
  closeSync(full);
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const [code] = await once(child, "close");
  assert.equal(code, 1);
  assert.match(stderr, /^schbench-ts: cannot write to standard output: the disk is full\n/);
});

/** Node options that make the process name every module it loads, on standard error. */
const NAMING_MODULES = (() => {
  const loader =
    'import { writeSync } from "node:fs";' +
    'export const load = (url, context, next) => { writeSync(2, "loads " + url + "\\n"); return next(url, context); };';
  const register = `import { register } from "node:module"; register(${JSON.stringify(dataUrl(loader))});`;
  return ["--no-warnings", "--import", dataUrl(register)];
})();

void test("on the way to a run no other command and no library of theirs is loaded", async () => {
  const child = spawn(process.execPath, [...NAMING_MODULES, bin, "-m", "0"], { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  await once(child, "close");
  const loaded = [...stderr.matchAll(/^loads (.*)$/gm)].map(([, url]) => url ?? "");
  assert.ok(loaded.some((url) => url.endsWith("/cli/run-command.js")));
  assert.deepEqual(
    loaded.filter((url) => /node_modules|\/(suggest|help-[a-z]+|(?!run)[a-z]+-command)\.js$/.test(url)),
    [],
  );
});
