import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as holds, property, string } from "fast-check";
import { joinWords, splitWords, wordsWithin } from "../../../../src/options/values/shell-words.js";

for (const [text, expected] of [
  ["./schbench-gcc -m 2", ["./schbench-gcc", "-m", "2"]],
  ["  a   b ", ["a", "b"]],
  [`'a b'"c d"e`, ["a bc de"]],
  [`a\\ b "c\\"d" 'e\\'`, ["a b", 'c"d', "e\\"]],
  [`-J ''`, ["-J", ""]],
  ["", []],
] as const)
  void test(`${JSON.stringify(text)} is ${expected.length} words`, () => {
    assert.deepEqual(splitWords(text), expected);
  });

for (const text of ["'a", 'b "c', "x\\"])
  void test(`${JSON.stringify(text)} is refused, it is not closed`, () => {
    assert.throws(() => splitWords(text), { name: "UsageError", message: /a quote is not closed/ });
  });

for (const [text, expected] of [
  ["a 'b c' d", ["a", "b c", "d"]],
  [" don't  stop ", ["don't", "stop"]],
  ['say "a b', ["say", '"a', "b"]],
  ["ends with \\", ["ends", "with", "\\"]],
  [" ", []],
] as const)
  void test(`${JSON.stringify(text)} holds ${expected.length} words, closed or not`, () => {
    assert.deepEqual(wordsWithin(text), expected);
  });

void test("any words that are joined are split into the same words", () => {
  holds(
    property(array(string({ unit: "grapheme" })), (words) => {
      assert.deepEqual(splitWords(joinWords(words)), words);
    }),
  );
});
