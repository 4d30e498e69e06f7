import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openText } from "../../../../src/cli/io/open-text.js";
import { openFile } from "../../../../src/cli/io/output-file.js";
import { capturedIo } from "../../../helpers/fakes/captured-io.js";

const folder = mkdtempSync(join(tmpdir(), "schbench-open-"));
after(() => rmSync(folder, { recursive: true }));

const linesIn = async (path: string, io = capturedIo("x\ny").io) => {
  const all: string[] = [];
  for await (const { lines, tail } of (await openText(path, io)).lines())
    all.push(...lines, ...(tail === "" ? [] : [tail]));
  return all;
};

void test("a file can be read by lines and as a whole, and more than once", async () => {
  const path = join(folder, "plain");
  writeFileSync(path, "\u{feff}a\nb\n");
  const input = await openText(path, capturedIo().io);
  assert.equal(input.head, "a\nb\n");
  assert.equal(await input.text(), "a\nb\n");
  assert.deepEqual(await linesIn(path), ["a", "b"]);
  assert.deepEqual(await linesIn(path), ["a", "b"]);
});

void test("standard input and a pipe are read once, and can then be gone through again", async () => {
  assert.deepEqual(await linesIn("-"), ["x", "y"]);
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const opened = openText(pipe, capturedIo().io);
  await openFile(pipe).write("through\nit\n");
  const input = await opened;
  assert.equal(input.head, "through\nit\n");
  assert.equal(await input.text(), "through\nit\n");
});

for (const [name, message] of [
  ["absent", /cannot read ".*absent": /],
  [".", /cannot read ".*": .*director/],
] as const)
  void test(`what cannot be opened is the user's to mend: ${name}`, async () => {
    await assert.rejects(openText(join(folder, name), capturedIo().io), { name: "UserError", message });
  });

void test("a long reading shows on a terminal how far it is, and leaves nothing behind", async () => {
  const path = join(folder, "long");
  writeFileSync(path, `${"x".repeat(999)}\n`.repeat(4000));
  const { io, printed } = capturedIo();
  const terminal = { ...io, stderr: { ...io.stderr, isTerminal: true } };
  for await (const _ of (await openText(path, terminal)).lines())
    await new Promise((resolve) => setTimeout(resolve, 600));
  const { stderr } = printed();
  assert.match(stderr, /reading .*long: \d of 4 MiB/);
  assert.ok(stderr.endsWith("\r\u001b[K"));
  const { io: plain, printed: plainly } = capturedIo();
  for await (const _ of (await openText(path, plain)).lines()) await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(plainly().stderr, "");
});
