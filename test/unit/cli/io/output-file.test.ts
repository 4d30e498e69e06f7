import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { openFile, refuseInput, refuseSameFile, refuseUnwritable } from "../../../../src/cli/io/output-file.js";
import { readInput } from "../../../../src/cli/io/read-input.js";
import { storeFiles } from "../../../../src/laboratory/here/store-files.js";

const folder = mkdtempSync(join(tmpdir(), "schbench-ts-test-"));
after(() => rmSync(folder, { recursive: true }));
const pipe = join(folder, "pipe");
execFileSync("mkfifo", [pipe]);

const noStdin = () => {
  throw new Error("nobody asked for standard input");
};

void test("what is written to a file is there as a whole, in place of what was there", async () => {
  const path = join(folder, "result.json");
  await openFile(path).write("something longer than what follows");
  await openFile(path).write('{"a":1}\n');
  assert.equal(readFileSync(path, "utf8"), '{"a":1}\n');
});

/** The names in a new folder after something was done in it. */
const inNewFolder = async (name: string, act: (folder: string) => Promise<void>): Promise<readonly string[]> => {
  const made = join(folder, name);
  mkdirSync(made);
  await act(made);
  return readdirSync(made).toSorted();
};

void test("a file stays as it is until it is written, and none is there before", async () => {
  const names = await inNewFolder("kept", async (at) => {
    writeFileSync(join(at, "good.json"), "good");
    openFile(join(at, "good.json"));
    openFile(join(at, "new.json"));
    assert.equal(readFileSync(join(at, "good.json"), "utf8"), "good");
  });
  assert.deepEqual(names, ["good.json"]);
});

void test("a file that cannot be written to its end stays as it was, and nothing is left beside it", async () => {
  const names = await inNewFolder("limited", async (at) => {
    writeFileSync(join(at, "good.json"), "good");
    const module = JSON.stringify(new URL("../../../../src/cli/io/output-file.js", import.meta.url).href);
    const path = JSON.stringify(join(at, "good.json"));
    const code = `import(${module}).then(({ openFile }) => openFile(${path}).write("x".repeat(1 << 20))).catch(() => process.exit(7))`;
    const line = 'trap "" XFSZ; ulimit -f 100; exec "$0" -e "$1"';
    assert.equal(spawnSync("sh", ["-c", line, process.execPath, code]).status, 7);
    assert.equal(readFileSync(join(at, "good.json"), "utf8"), "good");
  });
  assert.deepEqual(names, ["good.json"]);
});

void test("what a killed process left beside a file goes with the next write; that of a living one stays", async () => {
  const gone = spawnSync("true").pid;
  const names = await inNewFolder("stale", async (at) => {
    for (const pid of [gone, 1]) writeFileSync(join(at, `.r.json.schbench-ts-${pid}.tmp`), "half");
    await openFile(join(at, "r.json")).write("whole");
  });
  assert.deepEqual(names, [".r.json.schbench-ts-1.tmp", "r.json"]);
});

void test("a link leads to the file that is replaced, permissions stay, and a second name sees the text", async () => {
  const names = await inNewFolder("links", async (at) => {
    const [file, link, name] = [join(at, "file"), join(at, "link"), join(at, "name")];
    writeFileSync(file, "old");
    chmodSync(file, 0o640);
    symlinkSync("file", link);
    await openFile(link).write("new");
    assert.equal(lstatSync(link).isSymbolicLink(), true);
    assert.equal(readFileSync(file, "utf8"), "new");
    assert.equal(statSync(file).mode & 0o777, 0o640);
    linkSync(file, name);
    await openFile(file).write("newer");
    assert.equal(readFileSync(name, "utf8"), "newer");
  });
  assert.deepEqual(names, ["file", "link", "name"]);
});

void test("a pipe without a reader is an error at once, not a wait", () => {
  assert.throws(() => openFile(pipe), {
    name: "UserError",
    message: `cannot write to "${pipe}": it is a pipe that nobody reads`,
  });
});

void test("a pipe takes more than it holds at once, and its reader gets all of it", async () => {
  const text = "0123456789abcdef".repeat(40_000);
  const reading = readInput(pipe, { stdin: noStdin, interrupted: new AbortController().signal });
  await openFile(pipe).write(text);
  assert.equal(await reading, text);
});

void test("waiting for somebody who writes into a pipe ends with an interruption", async () => {
  const interruption = new AbortController();
  const reading = readInput(pipe, { stdin: noStdin, interrupted: interruption.signal });
  interruption.abort();
  await assert.rejects(reading, { name: "AbortError" });
});

for (const [path, reason] of [
  [folder, "it is a directory"],
  [join(folder, "no", "such"), "there is no such folder"],
  [join(folder, "x".repeat(300)), "the name is too long"],
] as const)
  void test(`a place that cannot be written is refused when it is opened: ${reason}`, () => {
    const refusal = { message: `cannot write to "${path}": ${reason}` };
    assert.throws(() => openFile(path), refusal);
    assert.throws(() => refuseUnwritable(path), refusal);
  });

void test("asking whether a file can be written makes none, and changes none", () => {
  const [fresh, old] = [join(folder, "fresh"), join(folder, "old")];
  writeFileSync(old, "as it was");
  refuseUnwritable(fresh);
  refuseUnwritable(old);
  refuseUnwritable("/dev/null");
  assert.ok(!existsSync(fresh));
  assert.equal(readFileSync(old, "utf8"), "as it was");
});

void test("a full disk is an error that names the file, when it shows", async () => {
  await assert.rejects(openFile("/dev/full").write("x"), {
    name: "UserError",
    message: 'cannot write to "/dev/full": the disk is full',
    remedy: "Free some space, or write elsewhere.",
  });
});

void test("an endless file is refused, not swallowed", async () => {
  const io = { stdin: noStdin, interrupted: new AbortController().signal };
  await assert.rejects(readInput("/dev/zero", io), { name: "UserError", message: /holds more than 256 MiB/ });
});

void test("a byte order mark is no part of the text", async () => {
  const path = join(folder, "marked.txt");
  await openFile(path).write("\u{feff}hello");
  const io = { stdin: noStdin, interrupted: new AbortController().signal };
  assert.equal(await readInput(path, io), "hello");
});

void test("runs are not kept in a pipe, and a device is not read", async () => {
  await assert.rejects(storeFiles.read(pipe), { name: "UserError", message: /it is a pipe/ });
  assert.equal(await storeFiles.read("/dev/zero"), null);
  // Nor does one keep what is appended, or can be forced to.
  await storeFiles.append("/dev/null", "a run");
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
    { name: "UsageError", message: 'cannot write both --json and --html to "./b/../a": give each its own file' },
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
