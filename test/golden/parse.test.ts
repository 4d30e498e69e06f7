/**
 * What is read from one output of every shape, as recorded. UPDATE_GOLDEN=1 writes the expected files anew; look at the
 * difference before you commit it.
 */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { messageOf } from "../../src/errors.js";
import { parseOutput } from "../../src/parse/parse-output.js";

const fixtures = resolve("test/fixtures/parse");
const expected = resolve("test/golden/expected/parse");

const outcome = (file: string): string => {
  try {
    return JSON.stringify(parseOutput(readFileSync(resolve(fixtures, file), "utf8"), { file }), null, 1);
  } catch (error) {
    return messageOf(error);
  }
};

void test("there is a fixture of every age", () => {
  const names = readdirSync(fixtures).join(" ");
  for (const era of [
    "2016-04",
    "2016-05",
    "2019-08",
    "2020-10-21",
    "2020-10-22",
    "2021-12",
    "2023-04-10",
    "2023-04-11",
  ])
    assert.match(names, new RegExp(era));
  for (const era of ["2025-05", "json-2025-05-01", "json-2025-05-16"]) assert.match(names, new RegExp(era));
});

for (const file of readdirSync(fixtures))
  void test(`${file} reads as recorded`, () => {
    const text = `${outcome(file)}\n`;
    const path = resolve(expected, `${file}.expected`);
    if (process.env["UPDATE_GOLDEN"] === "1") {
      mkdirSync(expected, { recursive: true });
      writeFileSync(path, text);
    }
    assert.equal(text, readFileSync(path, "utf8"));
  });
