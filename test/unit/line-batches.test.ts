import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { type LineBatch, linesOfStream } from "../../src/line-batches.js";

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
