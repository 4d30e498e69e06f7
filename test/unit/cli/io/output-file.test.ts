import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { openFile, refuseInput, refuseSameFile } from "../../../../src/cli/io/output-file.js";
import { readInput } from "../../../../src/cli/io/read-input.js";
import { storeFiles } from "../../../../src/laboratory/store-files.js";

const folder = mkdtempSync(join(tmpdir(), "schbench-ts-test-"));
after(() => rmSync(folder, { recursive: true }));
const pipe = join(folder, "pipe");
execFileSync("mkfifo", [pipe]);

const noStdin = () => Promise.reject(new Error("nobody asked for standard input"));

void test("what is written to a file is there as a whole, in place of what was there", async () => {
  const path = join(folder, "result.json");
  await openFile(path).write("something longer than what follows");
  await openFile(path).write('{"a":1}\n');
  assert.equal(readFileSync(path, "utf8"), '{"a":1}\n');
});

void test("a pipe without a reader is an error at once, not a wait", () => {
  assert.throws(() => openFile(pipe), {
    name: "UserError",
    message: `cannot write to "${pipe}": it is a pipe that nobody reads`,
  });
});

void test("a pipe takes more than it holds at once, and its reader gets all of it", async () => {
  const text = "0123456789abcdef".repeat(40_000);
  const reading = readInput(pipe, { readStdin: noStdin, interrupted: new AbortController().signal });
  await openFile(pipe).write(text);
  assert.equal(await reading, text);
});

void test("waiting for somebody who writes into a pipe ends with an interruption", async () => {
  const interruption = new AbortController();
  const reading = readInput(pipe, { readStdin: noStdin, interrupted: interruption.signal });
  interruption.abort();
  await assert.rejects(reading, { name: "AbortError" });
});

for (const [path, reason] of [
  [folder, "it is a directory"],
  [join(folder, "no", "such"), "there is no such folder"],
  [join(folder, "x".repeat(300)), "the name is too long"],
] as const)
  void test(`a place that cannot be written is refused when it is opened: ${reason}`, () => {
    assert.throws(() => openFile(path), { message: `cannot write to "${path}": ${reason}` });
  });

void test("a full disk is an error that names the file, when it shows", async () => {
  await assert.rejects(openFile("/dev/full").write("x"), {
    name: "UserError",
    message: 'cannot write to "/dev/full": the disk is full',
  });
});

void test("an endless file is refused, not swallowed", async () => {
  const io = { readStdin: noStdin, interrupted: new AbortController().signal };
  await assert.rejects(readInput("/dev/zero", io), { name: "UserError", message: /holds more than 256 MiB/ });
});

void test("a byte order mark is no part of the text", async () => {
  const path = join(folder, "marked.txt");
  await openFile(path).write("\u{feff}hello");
  const io = { readStdin: noStdin, interrupted: new AbortController().signal };
  assert.equal(await readInput(path, io), "hello");
});

void test("runs are not kept in a pipe, and a device is not read", async () => {
  await assert.rejects(storeFiles.read(pipe), { name: "UserError", message: /it is a pipe/ });
  assert.equal(await storeFiles.read("/dev/zero"), null);
});

void test("two results are not written over each other, however their file is spelled", () => {
  refuseSameFile([
    ["--json", "-"],
    ["--html", "a"],
    ["--output", null],
    ["--store", "b"],
  ]);
  assert.throws(
    () =>
      refuseSameFile([
        ["--json", "a"],
        ["--html", "./b/../a"],
      ]),
    { name: "UsageError", message: 'cannot write both --json and --html to "./b/../a": give each a file of its own' },
  );
});

void test("a result is not written over what it is made from, by whatever path", () => {
  const input = join(folder, "runs.ndjson");
  const link = join(folder, "link");
  writeFileSync(input, "");
  symlinkSync(input, link);
  for (const path of [input, link, join(folder, ".", "..", basename(folder), "runs.ndjson")])
    assert.throws(() => refuseInput(["--output", path], ["-", input]), {
      name: "UsageError",
      message: `cannot write --output to "${path}": it is one of the files that are read`,
    });
  assert.throws(
    () =>
      refuseSameFile([
        ["--store", input],
        ["--html", link],
      ]),
    { name: "UsageError" },
  );
  for (const path of [null, "-", join(folder, "other.json")])
    assert.doesNotThrow(() => refuseInput(["--output", path], [input, "-"]));
});
