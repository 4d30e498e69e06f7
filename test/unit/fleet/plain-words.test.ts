import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import * as fc from "fast-check";
import { UserError } from "../../../src/errors.js";
import { isPlain, plainWord, wordOf } from "../../../src/fleet/plain-words.js";

const AWKWARD = [
  "",
  " ",
  "it's",
  '"a" b',
  "$HOME",
  "`id`",
  "*",
  "~",
  "!x",
  "=x",
  "%41",
  "a\nb",
  "é",
  "{a,b}",
  "a;b",
  "-n 6",
  "\\",
  "#",
];

void test("a word that was made plain reads back as it was", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
      (word) => {
        assert.equal(wordOf(plainWord(word)), word);
      },
    ),
  );
});

void test("a shell hands plain words on untouched, as a start without one does", () => {
  const words = AWKWARD.map(plainWord);
  const printed = execFileSync("/bin/sh", ["-c", `printf '%s\\n' ${words.join(" ")}`], { encoding: "utf8" });
  assert.deepEqual(printed.trimEnd().split("\n").map(wordOf), AWKWARD);
});

void test("ordinary words stay readable", () => {
  for (const word of ["ab", "--subject", "/usr/bin/x", "-m", "2", "a,b:c@d"]) {
    assert.equal(plainWord(word), word);
    assert.ok(isPlain(word));
  }
  assert.equal(plainWord("b=-n 6"), "b=-n%206");
  assert.ok(!isPlain("b=-n 6") && !isPlain(""));
});

void test("what is no plain word is refused", () => {
  for (const word of ["%", "%4", "%ZZ", "%FF"]) assert.throws(() => wordOf(word), UserError);
});
