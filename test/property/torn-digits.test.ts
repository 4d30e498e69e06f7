/** A number of a report into which something fell: refused, wherever it is, and never read as another number. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { ParseError } from "../../src/errors.js";
import { parseOutput } from "../../src/parse/parse-output.js";

const fixtures = resolve("test/fixtures/parse");
const OURS = /\d\.\d+th: |percentiles \(|min=\d|rps: |rps goal was |sched delay: |worker transfer: /;
/** Something is said behind these lines, which a tear may belong to. */
const REMARK = /#|<--|\(noise|\(with|!|hm,/;

/** Behind this the summary of 2016 has numbers that no reader takes. */
const UNREAD = / p95 .*/;

/** Every place within a number, in every line of every text that is read. */
const PLACES = readdirSync(fixtures)
  .filter((name) => name.endsWith(".txt") && !/side-by-side|both-text/.test(name))
  .flatMap((name) => {
    const lines = readFileSync(resolve(fixtures, name), "utf8").split("\n");
    return lines.flatMap((line, index) =>
      OURS.test(line) && !REMARK.test(line)
        ? [...line.replace(UNREAD, "").matchAll(/(?<=\d)(?=\d)/g)].map((match) => ({
            name,
            lines,
            index,
            column: match.index,
          }))
        : [],
    );
  });

const tear = fc.constantFrom(
  " ",
  "\t",
  "   ",
  "x",
  ",",
  "-",
  "(",
  ")",
  " #",
  "# ",
  " # ",
  " <-- ",
  " -",
  " (",
  " ! ",
  "\u00A0",
);

void test("a number with something in it is refused, with an error that names a line", () => {
  assert.ok(PLACES.length > 1000, `${PLACES.length} places`);
  fc.assert(
    fc.property(fc.constantFrom(...PLACES), tear, ({ name, lines, index, column }, torn) => {
      const line = lines[index] ?? "";
      const text = lines.with(index, `${line.slice(0, column)}${torn}${line.slice(column)}`).join("\n");
      assert.throws(() => parseOutput(text, { file: name }), ParseError, `${name}: ${text.split("\n")[index] ?? ""}`);
    }),
    { numRuns: 1500 },
  );
});
