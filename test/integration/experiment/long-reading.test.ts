/** Stores larger than memory, and commands that are interrupted while they read them. */
import assert from "node:assert/strict";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runCommand, type Running, startCommand } from "../../helpers/command.js";
import { fakeHeader, fakeRecord } from "../../helpers/fakes/fake-store.js";
import { fakeRun } from "../../helpers/render/render-results.js";

const folder = mkdtempSync(join(tmpdir(), "schbench-long-"));
after(() => rmSync(folder, { recursive: true }));

const pause = (msec: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, msec));

const MIB = 1024 * 1024;
const START = "2026-11-28T09:14:02.000Z";

/** Runs of two subjects whose seconds make most of their text; they differ in when they began. */
function* runLines(bytes: number): Generator<string> {
  const lines = ["a", "b"].map((subject, order) =>
    JSON.stringify(
      fakeRecord(subject, "x", 999_999, {
        slot: { subject, cell: "x", round: 999_999, order },
        result: fakeRun({ seed: order, seconds: 200, startedAt: START }),
      }),
    ),
  );
  let written = 0;
  for (let round = 1; written < bytes; round++)
    for (const [order, line] of lines.entries()) {
      const startedAt = new Date(Date.parse(START) + (2 * round + order) * 1000).toISOString();
      const text = line.replace('"round":999999', `"round":${round}`).replace(START, startedAt);
      yield text;
      written += text.length;
    }
}

const writePieces = (name: string, pieces: Iterable<string>): string => {
  const path = join(folder, name);
  const file = openSync(path, "w");
  for (const piece of pieces) writeSync(file, piece);
  closeSync(file);
  return path;
};

function* storeLines(kind: "ab" | "validate", bytes: number): Generator<string> {
  yield `${JSON.stringify(fakeHeader({ kind, rounds: 999_999 }))}\n`;
  for (const line of runLines(bytes)) yield `${line}\n`;
}

/** One value over the whole file, as `parse` prints it: only the parser finds its end. */
function* oneArray(bytes: number): Generator<string> {
  let before = "[\n";
  for (const line of runLines(bytes)) {
    yield `${before}${line}`;
    before = ",\n";
  }
  yield "\n]\n";
}

const bytesReadBy = ({ pid }: Running): number =>
  Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);

/** Once a command has read so many bytes. */
const hasRead = async (running: Running, bytes: number): Promise<void> => {
  while (bytesReadBy(running) < bytes) await pause(5);
};

/** The bytes that a command had read when it was last seen. */
const readUntilItsEnd = async (running: Running): Promise<number> => {
  let seen = 0;
  try {
    for (;;) {
      seen = bytesReadBy(running);
      await pause(5);
    }
  } catch {
    return seen;
  }
};

const LONG = 60 * MIB;
const store = writePieces("long.ndjson", storeLines("ab", LONG));
const validation = writePieces("validation.ndjson", storeLines("validate", LONG));

for (const [words, signal, code] of [
  [["compare", store], "SIGINT", 130],
  [["report", store, "-o", join(folder, "report.html")], "SIGTERM", 143],
  [["merge", store, "--force"], "SIGINT", 130],
  [["parse", store], "SIGINT", 130],
  [["validate", "--from", validation], "SIGINT", 130],
] as const)
  void test(`${words[0]} hears ${signal} while it reads, and prints nothing`, async () => {
    const running = startCommand(words);
    await hasRead(running, 20 * MIB);
    running.kill(signal);
    const read = await readUntilItsEnd(running);
    const finished = await running.finished;
    assert.equal(finished.code, code, finished.stderr);
    assert.equal(finished.stdout, "");
    assert.ok(read < LONG, `it read ${read} bytes`);
  });

void test("an interruption ends the reading of one large value at once", async () => {
  const array = writePieces("array.json", oneArray(60 * MIB));
  const started = performance.now();
  const running = startCommand(["parse", array]);
  await hasRead(running, statSync(array).size);
  const sent = performance.now();
  running.kill("SIGINT");
  const finished = await running.finished;
  // Within the parser nothing of ours can answer: the kernel ends the process, which every shell calls 130.
  assert.ok(finished.code === 130 || finished.signal === "SIGINT", JSON.stringify(finished));
  assert.equal(finished.stdout, "");
  // To read a result out of the text takes several times as long as to read the text.
  assert.ok(performance.now() - sent < sent - started);
});

void test("a store larger than the heap is compared: what is not judged is not kept", async () => {
  const { code, stderr, stdout } = await runCommand(
    ["compare", writePieces("heap.ndjson", storeLines("ab", 60 * MIB))],
    {
      nodeFlags: ["--max-old-space-size=60"],
    },
  );
  assert.equal(code, 0, stderr);
  assert.match(stdout, /request p99/);
});
