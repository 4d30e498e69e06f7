import assert from "node:assert/strict";
import { test } from "node:test";
import { type Replayed, replayed } from "../../../../src/cli/io/replayed.js";

/** Chunks of ten bytes, a letter each; `asked` counts how many were taken. */
const letters = (text: string) => {
  const asked = { chunks: 0 };
  async function* source(): AsyncGenerator<Uint8Array> {
    for (const letter of text) {
      asked.chunks++;
      yield Buffer.from(letter.repeat(10));
    }
  }
  return { asked, source: source() };
};

const all = async (input: Replayed): Promise<string> => {
  let text = "";
  for await (const chunk of input.chunks()) text += Buffer.from(chunk).toString();
  return text;
};

test("the beginning is looked at without taking more than it, and is still there afterwards", async () => {
  const { asked, source } = letters("abcd");
  const input = replayed(source, 100);
  assert.equal(Buffer.from(await input.head(15)).toString(), "aaaaaaaaaabbbbb");
  assert.equal(asked.chunks, 2);
  for (let times = 0; times < 2; times++)
    assert.equal(await all(input), ["a", "b", "c", "d"].map((letter) => letter.repeat(10)).join(""));
  assert.equal(asked.chunks, 4);
});

test("one that was gone through in part is gone through again from its beginning", async () => {
  const input = replayed(letters("abcd").source, 100);
  for await (const chunk of input.chunks()) if (chunk[0] === "b".charCodeAt(0)) break;
  assert.equal((await all(input)).length, 40);
});

test("what is longer than is kept comes once, whole", async () => {
  const input = replayed(letters("abcd").source, 25);
  await input.head(15);
  assert.equal(input.isWhole(), true);
  assert.equal((await all(input)).length, 40);
  assert.equal(input.isWhole(), false);
  await assert.rejects(all(input), /there once/);
});

test("an empty stream has an empty beginning", async () => {
  const input = replayed(letters("").source, 25);
  assert.equal((await input.head(15)).length, 0);
  assert.equal(await all(input), "");
});
