import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { fieldOf, hostFiles, readNumber, readValue } from "../../../src/platform/files.js";
import { filesOf } from "./machines.js";

const folder = mkdtempSync(join(tmpdir(), "schbench-files-"));
after(() => rmSync(folder, { recursive: true, force: true }));

void test("a file longer than the read buffer is read whole", () => {
  const path = join(folder, "long");
  const text = "0123456789abcdef".repeat(20_000);
  writeFileSync(path, text);
  assert.equal(hostFiles.readText(path), text);
});

void test("a limited read returns the start only", () => {
  const path = join(folder, "start");
  writeFileSync(path, "abcdefgh");
  assert.equal(hostFiles.readText(path, 3), "abc");
});

void test("what cannot be read is null: a missing file, a folder, a broken gzip file", () => {
  assert.equal(hostFiles.readText(join(folder, "missing")), null);
  assert.equal(hostFiles.readText(folder), null);
  const path = join(folder, "broken.gz");
  writeFileSync(path, "not gzip");
  assert.equal(hostFiles.readGzipText(path), null);
  assert.deepEqual(hostFiles.list(join(folder, "missing")), []);
});

void test("a gzip file is read as its text", () => {
  const path = join(folder, "config.gz");
  writeFileSync(path, gzipSync("CONFIG_HZ=250\n"));
  assert.equal(hostFiles.readGzipText(path), "CONFIG_HZ=250\n");
});

void test("a value is trimmed, and an empty file has none", () => {
  const files = filesOf({ "/a": "x y\n", "/b": "\n", "/c": "17\n", "/d": "-1\n", "/e": "max\n" });
  assert.equal(readValue(files, "/a"), "x y");
  assert.equal(readValue(files, "/b"), null);
  assert.equal(readNumber(files, "/c"), 17);
  assert.equal(readNumber(files, "/d"), -1);
  assert.equal(readNumber(files, "/e"), null);
});

void test("a field is found by its whole name at the start of a line", () => {
  const text = "nonvoluntary:\t3\nvoluntary:\t4\ncpu family\t: 6\nplain 9\nlast = z";
  assert.equal(fieldOf(text, "voluntary"), "4");
  assert.equal(fieldOf(text, "cpu family"), "6");
  assert.equal(fieldOf(text, "plain"), "9");
  assert.equal(fieldOf(text, "last"), "z");
  assert.equal(fieldOf(text, "vol"), null);
  assert.equal(fieldOf("", "x"), null);
});
