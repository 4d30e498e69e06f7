import assert from "node:assert/strict";
import { test } from "node:test";
import { type LiveRuns, liveTable } from "../../../../src/render/comparison/live-table.js";
import { looksText } from "../../../../src/render/comparison/look-text.js";
import { progressOn } from "../../../../src/render/progress.js";
import { fakeResult } from "../../../helpers/fakes/fake-result.js";

const runs = (...rates: readonly number[]) => rates.map((averageRps) => fakeResult({ averageRps }));
const NOTE = "Nothing is judged before the last run.";
const live: LiveRuns = {
  setting: null,
  subjects: [
    { name: "a", runs: runs(100, 110) },
    { name: "b", runs: runs(120) },
  ],
  asked: {},
  note: NOTE,
};

void test("the table has medians and changes of the setting in progress, runs so far, and the note", () => {
  assert.deepEqual(liveTable({ ...live, asked: { primary: "request-p50", metrics: "average-rps,nonsense" } }), [
    "medians so far  a (2)  b (1)  change",
    "request p50     110µs  110µs    0.0%",
    "average rps     105/s  120/s  +14.3%",
    NOTE,
  ]);
});

void test("a subject without a run has dashes; nothing is shown before the first run, and a setting has its name", () => {
  const [base, other] = [
    { name: "a", runs: runs(5) },
    { name: "b", runs: [] },
  ];
  const table = liveTable({ ...live, setting: "t=4", subjects: [base, other] });
  assert.match(table[0] ?? "", /^t=4 +a \(1\)  b \(0\)  change$/);
  assert.match(table.find((line) => line.startsWith("average rps")) ?? "", /5\/s +-$/);
  assert.deepEqual(liveTable({ ...live, subjects: [{ ...base, runs: [] }, other] }), []);
});

void test("the note counts looks, and says when the next one is due", () => {
  assert.match(
    looksText(0, 6, 40),
    /^Looked 0 times; the next look is after 6 of at most 40 runs, and nothing is judged/,
  );
  assert.match(looksText(1, 7, 40), /^Looked 1 time; the next look is after 7 /);
});

const SEQUENCE_OR_CHARACTER = new RegExp(`${String.fromCodePoint(27)}\\[\\d*[A-Z]|[\\s\\S]`, "g");

/** What a terminal of that many columns shows. */
const screenOf = (text: string, columns: number): readonly string[] => {
  const screen: string[][] = [[]];
  let [row, column] = [0, 0];
  const line = (): string[] => (screen[row] ??= []);
  for (const [token] of text.matchAll(SEQUENCE_OR_CHARACTER)) {
    if (token === "\r") column = 0;
    else if (token === "\n") [row, column] = [row + 1, 0];
    else if (token === "\u001B[K") line().length = Math.min(line().length, column);
    else if (token === "\u001B[J") {
      line().length = Math.min(line().length, column);
      screen.length = row + 1;
    } else if (token.startsWith("\u001B")) {
      row -= Number(token.slice(2, -1));
      assert.ok(row >= 0, "never above where the table began");
    } else {
      if (column === columns) [row, column] = [row + 1, 0];
      line()[column++] = token;
    }
    line();
  }
  return screen.map((cells) =>
    Array.from(cells, (cell) => cell ?? " ")
      .join("")
      .trimEnd(),
  );
};

const state = (number: number, table: readonly string[]) => ({ number, total: 9, what: "a", leftSec: null, table });
const TABLE = ["metric          a (1)  b (1)", "request p99     11ms   12ms", NOTE];

void test("on terminals of 1 to 300 columns the table is redrawn where it stands, and gone at the end", () => {
  for (let columns = 1; columns <= 300; columns++) {
    const written: string[] = [];
    const sink = { write: (text: string) => void written.push(text), isTerminal: true, columns };
    const progress = progressOn(sink, false, () => 0);
    const shown = () => screenOf(written.join(""), columns);
    progress.begin(state(1, []));
    progress.begin(state(2, TABLE));
    progress.begin(state(3, TABLE));
    const cut = [...TABLE, "[3/9] a"].map((line) => line.slice(0, columns - 1).trimEnd());
    assert.deepEqual(shown(), cut, `${columns} columns`);
    progress.begin(state(4, []));
    assert.deepEqual(shown(), ["[4/9] a".slice(0, columns - 1).trimEnd()], `${columns} columns, no table any more`);
    progress.begin(state(5, TABLE));
    progress.end();
    assert.deepEqual(shown(), [""], `${columns} columns, at the end`);
    // Drawn in one piece: what is cleared and drawn again in two would flicker.
    assert.equal(written.length, 6);
  }
});

void test("a file never gets the table", () => {
  const written: string[] = [];
  const progress = progressOn(
    { write: (text) => void written.push(text), isTerminal: false, columns: 80 },
    false,
    () => 0,
  );
  progress.begin(state(1, TABLE));
  progress.end();
  assert.deepEqual(written, ["[1/9] a\n"]);
});
