import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { codeOf } from "../../../../src/file-reason.js";
import { cannotStart } from "../../../../src/start-fault.js";
import { startFault } from "../../../../src/laboratory/here/program-file.js";

const folder = mkdtempSync(join(tmpdir(), "program-file-"));
after(() => rmSync(folder, { recursive: true }));

const make = (path: string, mode: number): string => {
  const whole = join(folder, path);
  mkdirSync(join(whole, ".."), { recursive: true });
  writeFileSync(whole, "#!/bin/sh\n");
  chmodSync(whole, mode);
  return whole;
};
const runnable = make("one/bench", 0o755);
const plain = make("two/notes", 0o644);
const PATH = `${folder}/none:${folder}/two:${folder}/one`;

const faultOf = async (program: string, env: Readonly<Record<string, string>> = {}): Promise<string> =>
  codeOf(await startFault(program, env));

void test("an executable file can be started, by its path and by a name on the PATH of the run", async () => {
  assert.equal(await startFault(runnable, {}), null);
  assert.equal(await startFault("bench", { PATH }), null);
  assert.equal(await startFault("sh", {}), null);
});

void test("a missing file, one that may not be executed and a directory cannot", async () => {
  assert.equal(await faultOf(join(folder, "none")), "ENOENT");
  assert.equal(await faultOf(plain), "EACCES");
  assert.equal(await faultOf(folder), "EISDIR");
  assert.equal(await faultOf(join(runnable, "below")), "ENOTDIR");
});

void test("along the PATH, a file that may not be executed is told from none", async () => {
  assert.equal(await faultOf("notes", { PATH }), "EACCES");
  assert.equal(await faultOf("nothing", { PATH }), "ENOENT");
  assert.equal(await faultOf("bench", { PATH: `${folder}/two` }), "ENOENT");
});

void test("the reason is in words", async () => {
  assert.match(cannotStart("x", await startFault(plain, {})).message, /^cannot start "x": it is not executable$/);
  assert.match(
    cannotStart("x", await startFault(folder, {}), " of b").message,
    /^cannot start "x" of b: it is a directory$/,
  );
});
