import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { type LineBatch, linesOfStream, linesOfText } from "../../../../src/cli/io/line-batches.js";

const never = new AbortController().signal;

/** A text in pieces that may end anywhere, in the middle of a character too. */
async function* pieces(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const joined = async (batches: AsyncIterable<LineBatch>): Promise<string> => {
  let text = "";
  for await (const { lines, tail } of batches) text += lines.map((line) => `${line}\n`).join("") + tail;
  return text;
};

void test("lines come as they stand, wherever the pieces end", async () => {
  const texts = fc
    .array(fc.constantFrom("a", "\n", "ü", "€", "😀", "{}"), { maxLength: 40 })
    .map((list) => list.join(""));
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (text, length) => {
      assert.equal(await joined(linesOfStream(pieces(text, length), () => undefined)), text);
      assert.equal(await joined(linesOfText(text, never)), text);
    }),
  );
});

void test("no line holds a line end, and only the last batch has a tail", async () => {
  for await (const { lines, tail } of linesOfStream(pieces("a\nbb\n\nc", 3), () => undefined)) {
    assert.ok(lines.every((line) => !line.includes("\n")));
    assert.ok(tail === "" || tail === "c");
  }
});

void test("a byte order mark is no part of the first line", async () => {
  assert.equal(await joined(linesOfStream(pieces("\u{feff}a\n\u{feff}b\n", 4), () => undefined)), "a\n\u{feff}b\n");
});

void test("a line without an end is told how long it is", async () => {
  const lengths: number[] = [];
  await joined(linesOfStream(pieces("abc\ndefghij", 4), (bytes) => lengths.push(bytes)));
  assert.deepEqual(lengths, [4, 7]);
});

void test("between the batches of a text an interruption is seen", async () => {
  const interruption = new AbortController();
  const long = "x".repeat(999).concat("\n").repeat(5000);
  let batches = 0;
  await assert.rejects(
    async () => {
      for await (const _ of linesOfText(long, interruption.signal)) {
        batches++;
        setImmediate(() => interruption.abort(130));
      }
    },
    (thrown) => thrown === 130,
  );
  assert.ok(batches < 4);
});
