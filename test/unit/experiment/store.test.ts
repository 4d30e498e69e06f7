import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { linesOfStream } from "../../../src/line-batches.js";
import { test } from "node:test";
import { isExperiment, readExperiment } from "../../../src/experiment/read-experiment.js";
import { openStore, type StoreFiles } from "../../../src/experiment/store.js";
import { fakeHeader, fakeRecord, jsonLines } from "../../helpers/fakes/fake-store.js";

/** One file in memory. */
const memory = (start: string | null = null) => {
  let text = start;
  const files: StoreFiles = {
    lock: async () => async () => undefined,
    bytes: async () => Buffer.byteLength(text ?? ""),
    read: async () => (text === null ? null : linesOfStream(Readable.from([Buffer.from(text)]), () => undefined)),
    truncate: async (_path, bytes) => {
      text = Buffer.from(text ?? "")
        .subarray(0, bytes)
        .toString();
    },
    append: async (_path, more) => {
      text = (text ?? "") + more;
    },
  };
  return { files, text: () => text ?? "" };
};
const lines = (...values: readonly unknown[]) => jsonLines(values);

void test("a new file begins with the header and takes one line per run", async () => {
  const disk = memory();
  const store = await openStore("e", fakeHeader(), disk.files);
  await store.append(fakeRecord("a", "x", 1));
  await store.append(fakeRecord("b", "x", 1));
  assert.equal(disk.text().split("\n").length, 4);
  assert.ok(isExperiment(disk.text()));
  assert.deepEqual(readExperiment(disk.text(), "e")?.records, [fakeRecord("a", "x", 1), fakeRecord("b", "x", 1)]);
});

void test("a rerun finds the runs that are there", async () => {
  const disk = memory(lines(fakeHeader(), fakeRecord("a", "x", 1)));
  const store = await openStore("e", fakeHeader({ startedAt: "2027-07-07T00:00:00.000Z" }), disk.files);
  assert.equal(store.records.length, 1);
  assert.equal(store.header.startedAt, fakeHeader().startedAt);
  assert.deepEqual(store.notes, []);
});

for (const [how, tail] of [
  ["without its newline", '{"format":"schbench-ts/run","sl'],
  ["that is not JSON", "\0\0\0\0\n"],
  ["of a cut-off umlaut", JSON.stringify(fakeRecord("ä", "x", 1)).slice(0, 80)],
] as const)
  void test(`a damaged last line ${how} is dropped with a note`, async () => {
    const sound = lines(fakeHeader(), fakeRecord("a", "x", 1));
    const disk = memory(sound + tail);
    const store = await openStore("e", fakeHeader(), disk.files);
    assert.equal(disk.text(), sound);
    assert.equal(store.records.length, 1);
    assert.match(store.notes.join(), /^e: dropped a damaged last line/);
  });

void test("a header that was cut off is written again", async () => {
  const disk = memory('{"format":"schbench-ts/exp');
  const store = await openStore("e", fakeHeader(), disk.files);
  assert.equal(disk.text(), lines(fakeHeader()));
  assert.equal(store.records.length, 0);
});

for (const text of ["all that I know", '{"format":"schbench-ts/run-result"}', "\n", "a\nb\n"])
  void test(`a file that holds ${JSON.stringify(text)} is somebody's, and stays as it is`, async () => {
    const disk = memory(text);
    await assert.rejects(openStore("e", fakeHeader(), disk.files), {
      message: 'cannot store runs in "e": it exists and is not an experiment',
    });
    assert.equal(disk.text(), text);
  });

void test("a damaged line in the middle is an error that names the line", async () => {
  const disk = memory(`${lines(fakeHeader())}{"broken\n${lines(fakeRecord("a", "x", 1))}`);
  await assert.rejects(openStore("e", fakeHeader(), disk.files), /^ParseError: e:2: not a line of JSON/);
});

void test("a line of another format is an error that names the field", () => {
  assert.throws(
    () => readExperiment(lines(fakeHeader(), { ...fakeRecord("a", "x", 1), tookSec: "long" }), "e"),
    /e:2: not a line of an experiment: tookSec/,
  );
});

void test("another experiment is not mixed into the file", async () => {
  const disk = memory(lines(fakeHeader()));
  await assert.rejects(openStore("e", fakeHeader({ rounds: 1, seed: 9 }), disk.files), {
    name: "UserError",
    message: 'cannot continue "e": it holds another experiment (different rounds, seed)',
  });
});

void test("a file that is no experiment is left alone", async () => {
  const disk = memory("my thesis\n");
  await assert.rejects(openStore("thesis.txt", fakeHeader(), disk.files), /exists and is not an experiment/);
  assert.equal(disk.text(), "my thesis\n");
});

void test("a file that another command has written to since it was opened is not gone on with", async () => {
  const disk = memory();
  const store = await openStore("e", fakeHeader(), disk.files);
  await store.alone(() => store.append(fakeRecord("a", "x", 1)));
  await store.alone(() => store.append(fakeRecord("b", "x", 1)));
  await disk.files.append("e", jsonLines([fakeRecord("a", "x", 2)]));
  await assert.rejects(
    store.alone(() => store.append(fakeRecord("a", "x", 2))),
    /cannot continue "e": another command has written to it since it was opened/,
  );
});

void test("a file that is removed or emptied under a running experiment stops it: the runs before are gone", async () => {
  const disk = memory();
  const store = await openStore("e", fakeHeader(), disk.files);
  await store.append(fakeRecord("a", "x", 1));
  await disk.files.truncate("e", 0);
  await assert.rejects(store.append(fakeRecord("b", "x", 1)), {
    name: "UserError",
    message: '"e" was removed, emptied or written to while this experiment kept its runs there',
  });
});

void test("a device that keeps nothing takes one run after the other", async () => {
  const device = { ...memory().files, bytes: async () => 0 };
  const store = await openStore("/dev/null", fakeHeader(), device);
  await store.append(fakeRecord("a", "x", 1));
  await store.append(fakeRecord("b", "x", 1));
});

void test("an experiment can be extended to more runs, never cut to fewer", async () => {
  const disk = memory();
  await openStore("e", fakeHeader({ rounds: 2 }), disk.files);
  const extended = await openStore("e", fakeHeader({ rounds: 5 }), disk.files);
  assert.equal(extended.header.rounds, 5);
  assert.match(extended.notes.join(), /extended from 2 to 5 runs of each subject/);
  await assert.rejects(openStore("e", fakeHeader({ rounds: 1 }), disk.files), /different rounds/);
});
