import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../../../../src/errors.js";
import { errorText } from "../../../../src/cli/main.js";
import { oneVisibleLine } from "../../../../src/cli/io/visible-text.js";

for (const [what, message, shown] of [
  ["a line break", 'invalid value "1\n2"', 'invalid value "1\\n2"'],
  ["an escape sequence", 'invalid value "\u001b[31mred"', 'invalid value "\\u{1b}[31mred"'],
  ["a bell", "\u0007", "\\u{7}"],
  ["a line separator", "a\u2028b", "a\\u{2028}b"],
  ["a mark that turns the writing round", "a\u202eb", "a\\u{202e}b"],
  ["letters of any script", 'job "größe 大小 🐱"', 'job "größe 大小 🐱"'],
] as const)
  void test(`a message shows ${what} and stays on one line`, () => {
    assert.equal(oneVisibleLine(message), shown);
  });

void test("a message keeps both ends of what is too long to show", () => {
  const shown = oneVisibleLine(`invalid value "${"x".repeat(100_000)}" for -r`);
  assert.match(shown, /^invalid value "x+… \(98023 characters left out\) …x+" for -r$/);
  assert.ok(shown.length < 2100);
});

void test("a hostile value cannot add lines to an error", async () => {
  const text = await errorText(new UsageError('unexpected argument "a\nschbench-ts: all is well"'), false, null);
  assert.equal(text.split("\n").length, 3);
});
