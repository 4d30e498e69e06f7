import assert from "node:assert/strict";
import { test } from "node:test";
import { readSubject, surround } from "../../../src/cli/options/subject-options.js";
import { invocationOf, type Subject } from "../../../src/experiment/subject.js";
import { cellNamed } from "../../helpers/fakes/fake-store.js";

const NOTHING = { flags: [], env: [], node: [], launcher: [], setup: [], prepare: [], teardown: [] };
const cell = cellNamed("x", { flags: ["-t", "2"] });
const command = (who: Subject | undefined): string =>
  who === undefined ? "" : invocationOf(who, cell, (node) => [node ?? "node", "bin.cjs"]).join(" ");

void test("a launcher stands before the engine, which still gives JSON", () => {
  const [plain, rt] = surround([readSubject("plain", "--subject"), readSubject("rt", "--subject")], {
    ...NOTHING,
    launcher: ["rt=chrt -r 10"],
  });
  assert.equal(command(plain), "node bin.cjs -t 2 -j -");
  assert.equal(command(rt), "chrt -r 10 node bin.cjs -t 2 -j -");
});

void test("our command behind another program is recognised and asked for its JSON", () => {
  assert.equal(command(readSubject("rt=chrt -r 10 schbench-ts", "--subject")), "chrt -r 10 schbench-ts -t 2 -j -");
  assert.equal(command(readSubject("old=/opt/old/bin/schbench-ts", "--subject")), "/opt/old/bin/schbench-ts -t 2 -j -");
  assert.equal(command(readSubject("c=./schbench", "--subject")), "./schbench -t 2");
});

void test("a launcher for a program of its own is refused; for all it means every engine", () => {
  const subjects = [readSubject("ours", "--subject"), readSubject("c=./schbench", "--subject")];
  assert.throws(
    () => surround(subjects, { ...NOTHING, launcher: ["c=nice"] }),
    /--launcher: subject "c" is another program/,
  );
  const [ours, c] = surround(subjects, { ...NOTHING, launcher: ["all=nice"] });
  assert.equal(command(ours), "nice node bin.cjs -t 2 -j -");
  assert.equal(command(c), "./schbench -t 2");
});
