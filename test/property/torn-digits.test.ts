/** Something fell into a number: refused, wherever it is. Something stands behind a line: no number changes for it. */
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

const word = fc.constantFrom(
  "#",
  "<--",
  "(noise?)",
  "7",
  "016",
  ".5",
  "samples)",
  "(12",
  "(12 samples)",
  "total",
  "min=3",
  "th:",
);
const more = fc.constantFrom(
  "worse",
  "+38%",
  "2x",
  "|",
  "ms",
  "-",
  "99.0th: 5",
  "runtime 3 (s)",
  "(usec)",
  "max=9",
  "%",
  "!",
);

const numbersIn = (text: string, name: string): unknown => {
  try {
    return parseOutput(text, { file: name }).map((run) => ({ ...run, warnings: null }));
  } catch (error) {
    assert.ok(error instanceof ParseError);
    return null;
  }
};

void test("what stands behind a line is left out or refused, and never changes a number", () => {
  let read = 0;
  const behind = fc.array(fc.oneof(word, more), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.constantFrom(...PLACES),
      behind,
      fc.constantFrom(" ", "\t  "),
      ({ name, lines, index }, words, gap) => {
        const whole = numbersIn(lines.join("\n"), name);
        const found = numbersIn(lines.with(index, `${lines[index] ?? ""}${gap}${words.join(" ")}`).join("\n"), name);
        assert.notEqual(whole, null);
        if (found === null) return;
        read++;
        assert.deepEqual(found, whole);
      },
    ),
    { numRuns: 1500 },
  );
  assert.ok(read > 50, `${read} were read`);
});
