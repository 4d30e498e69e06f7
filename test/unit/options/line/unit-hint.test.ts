import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommandLine } from "../../../../src/options/line/command-line.js";
import { runOptions } from "../../../../src/options/run/run-table.js";
import { UsageError } from "../../../../src/errors.js";

const remedy = (...argv: readonly string[]): string | undefined => {
  try {
    parseCommandLine(argv, runOptions);
  } catch (error) {
    if (error instanceof UsageError) return error.remedy;
    throw error;
  }
  throw new Error(`${argv.join(" ")} was taken`);
};

void test("a time with a unit is refused with the number that was meant", () => {
  assert.equal(remedy("-r", "1s"), "The value is in seconds, without a unit: -r 1.");
  assert.equal(remedy("-r", "2m"), "The value is in seconds, without a unit: -r 120.");
  assert.equal(remedy("-s", "2ms"), "The value is in microseconds, without a unit: -s 2000.");
  assert.equal(remedy("-i", "0.5"), "The value is in whole seconds: -i 1 is the nearest above.");
  assert.equal(remedy("--runtime", "500ms"), "The value is in whole seconds: --runtime 1 is the nearest above.");
  assert.equal(remedy("-r", "1 parsec"), "The value is in seconds, without a unit.");
});

void test("what is no time gets no such hint", () => {
  assert.equal(remedy("-r", "abc"), undefined);
  assert.equal(remedy("-m", "1s"), undefined);
});
