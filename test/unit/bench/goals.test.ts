/** What the benchmark of the benchmark calls met and missed. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { goalText, judgeGoal } from "../../../bench/goals.js";

const GCC = [90, 91, 89, 90, 90];
const CLANG = [100, 99, 101, 100, 100];
const judged = (goal: "envelope" | "usec" | "rate", mine: readonly number[]): string =>
  goalText(goal, judgeGoal(goal, mine, [GCC, CLANG], "a label"));

void describe("a goal", () => {
  test("of the envelope is met inside and within one percent of it, on either side", () => {
    assert.equal(judged("envelope", [95, 95, 95, 95, 95]), "met");
    assert.equal(judged("envelope", [100.9, 100.9, 100.9, 100.9, 100.9]), "met");
    assert.equal(judged("envelope", [89.2, 89.2, 89.2, 89.2, 89.2]), "met");
    assert.match(judged("envelope", [105, 105, 105, 105, 105]), /^missed by \+5\.0 % \[\+4\.\d, \+5\.\d\]$/u);
    assert.match(judged("envelope", [81, 81, 81, 81, 81]), /^missed by -10\.0 % /u);
  });

  test("of microseconds is met up to one above the faster reference", () => {
    assert.equal(judged("usec", [91, 91, 91, 91, 91]), "met");
    assert.match(judged("usec", [93, 93, 93, 93, 93]), /^missed by \+2\.0 µs /u);
  });

  test("of a rate is met at the faster reference's or above", () => {
    assert.equal(judged("rate", [100, 100, 100, 100, 100]), "met");
    assert.match(judged("rate", [99, 99, 99, 99, 99]), /^missed by -1\.0 % /u);
  });

  test("that is missed by less than other rounds would move it is missed within noise", () => {
    assert.match(judged("rate", [60, 130, 80, 120, 90]), /^missed by -4\.0 % \[-\d+\.\d, 0\.0\], within noise$/u);
    assert.doesNotMatch(judged("rate", [80, 82, 81, 80, 80]), /noise/u);
  });

  test("says a bare distance where one round cannot tell how far another would lie", () => {
    assert.equal(goalText("rate", judgeGoal("rate", [99], [[100]], "a label")), "missed by -1.0 %");
  });

  test("is judged by rounds, so that what slows all subjects of a round does not blur it", () => {
    const slow = [1, 2, 4, 1, 2];
    const times = (factor: number): readonly number[] => slow.map((value) => value * factor);
    const verdict = judgeGoal("rate", times(90), [times(100)], "a label");
    assert.ok(verdict.shown);
    assert.ok(Math.abs(verdict.distance + 10) < 1e-9);
  });
});
