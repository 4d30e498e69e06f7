import assert from "node:assert/strict";
import { test } from "node:test";
import { durationText, progressLine, progressOn } from "../../../src/render/progress.js";

for (const [seconds, expected] of [
  [0.4, "0 s"],
  [59.4, "59 s"],
  [60, "1 min"],
  [200, "3 min 20 s"],
  [3600, "1 h"],
  [3900, "1 h 5 min"],
  [-3, "0 s"],
] as const)
  void test(`${seconds} seconds are ${expected}`, () => {
    assert.equal(durationText(seconds), expected);
  });

const state = { number: 3, total: 12, what: "gcc, round 2", leftSec: 90 };

void test("a line counts down as time goes by, and says nothing where the end is not known", () => {
  assert.equal(progressLine(state, 0), "[ 3/12] gcc, round 2, about 1 min 30 s left");
  assert.equal(progressLine(state, 45), "[ 3/12] gcc, round 2, about 45 s left");
  assert.equal(progressLine({ ...state, leftSec: null }, 45), "[ 3/12] gcc, round 2");
});

const recording = (isTerminal: boolean) => {
  const written: string[] = [];
  return { sink: { write: (text: string) => void written.push(text), isTerminal, columns: 20 }, written };
};

void test("a file gets a line for each run and no control characters", () => {
  const { sink, written } = recording(false);
  const progress = progressOn(sink, false, () => 0);
  progress.begin(state);
  progress.say("left out");
  progress.end();
  assert.deepEqual(written, ["[ 3/12] gcc, round 2, about 1 min 30 s left\n", "left out\n"]);
});

void test("a terminal gets one line, cut to its width, that goes away", () => {
  const { sink, written } = recording(true);
  const progress = progressOn(sink, false, () => 0);
  progress.begin(state);
  progress.say("left out");
  progress.end();
  assert.deepEqual(written, ["\r\u001B[K[ 3/12] gcc, round ", "\r\u001B[K", "left out\n"]);
});

void test("quiet shows what is said and nothing else", () => {
  const { sink, written } = recording(true);
  const progress = progressOn(sink, true, () => 0);
  progress.begin(state);
  progress.say("left out");
  progress.end();
  assert.deepEqual(written, ["left out\n"]);
});
