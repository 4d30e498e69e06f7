import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../../../../src/errors.js";
import { errorText } from "../../../../src/cli/main.js";
import { oneVisibleLine, visibleText } from "../../../../src/cli/io/visible-text.js";

for (const [what, message, shown] of [
  ["a line break", 'invalid value "1\n2"', 'invalid value "1\\n2"'],
  ["an escape sequence", 'invalid value "\u001b[31mred"', 'invalid value "\\u001b[31mred"'],
  ["a bell", "\u0007", "\\u0007"],
  ["a line separator", "a\u2028b", "a\\u2028b"],
  ["a mark that turns the writing round", "a\u202eb", "a\\u202eb"],
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

test("a stream shows control characters written out, lines and tabs as they are", () => {
  const foreign = "a\u001b[8mb\u001b]0;x\u0007\r\u009bc\u202ed\te\n";
  for (const isTerminal of [false, true])
    assert.equal(visibleText(foreign, isTerminal), "a\\u001b[8mb\\u001b]0;x\\u0007\\r\\u009bc\\u202ed\te\n");
});

test("a table is drawn over itself on a terminal; the same within a text, or in a file, is written out", () => {
  const table = "\u001b[4A\r\u001b[Ka\n\r\u001b[Kb\u001b[J";
  assert.equal(visibleText(table, true), table);
  assert.match(visibleText(table, false), /^\\u001b\[4A/);
  assert.equal(visibleText(`x${table}`, true), "x\\u001b[4A\r\u001b[Ka\n\r\u001b[Kb\\u001b[J");
  const foreign = "\u001b[4A\r\u001b[Ka\u001b[9Ab\u001b[J";
  assert.equal(visibleText(foreign, true), "\u001b[4A\r\u001b[Ka\\u001b[9Ab\u001b[J");
  assert.equal(visibleText("\u001b[4A", true), "\\u001b[4A");
});

test("a terminal gets this program's own colours and status line, a file does not", () => {
  const own = "\r\u001b[K\u001b[31mworse\u001b[39m";
  assert.equal(visibleText(own, true), own);
  assert.equal(visibleText(own, false), "\\r\\u001b[K\\u001b[31mworse\\u001b[39m");
});

test("what JSON says is the same value on a stream", () => {
  const value = { name: "\u001b[31m\u009b\u202e\u2028\u007f" };
  assert.deepEqual(JSON.parse(visibleText(JSON.stringify(value), false)), value);
});
