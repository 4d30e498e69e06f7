import assert from "node:assert/strict";
import { test } from "node:test";
import { byRoundText } from "../../../src/render/validation/validation-sentences.js";
import { judgeByRound, type RoundJudgement, type RoundsOptions } from "../../../src/validate/by-round.js";

const METRIC = { quantised: false, noiseFloor: 0.01 };
const rounds = (values: readonly number[], factor: number) => values.map((value) => value * factor);
/** A machine that doubles its pace and halves it again between rounds. */
const DRIFT = [100, 210, 90, 180, 130, 95, 205, 160, 110, 140];
const WOBBLE = [1, 1.002, 0.999, 1.001, 0.998, 1, 1.001, 0.999, 1.002, 0.998];
const wobbling = (factor: number) => DRIFT.map((value, round) => value * factor * (WOBBLE[round] ?? Number.NaN));
const isNear = (percent: number | null, expected: number): void =>
  assert.ok(percent !== null && Math.abs(percent - expected) < 0.3, `${percent}`);
const judged = (
  ours: readonly (number | null)[],
  references: readonly (readonly (number | null)[])[],
  options?: RoundsOptions,
  metric = METRIC,
): RoundJudgement => {
  const judgement = judgeByRound({ ours, references, ...metric }, options);
  assert.ok(judgement);
  return judgement;
};

void test("between the references of the same round is inside, however the machine drifts from round to round", () => {
  const judgement = judged(wobbling(1.03), [rounds(DRIFT, 1), rounds(DRIFT, 1.08)]);
  assert.equal(judgement.kind, "inside");
  assert.equal(judgement.distancePercent, 0);
  assert.equal(judgement.rounds, 10);
  assert.equal(judgement.furtherRounds, 0);
});

void test("outside is found under a drift ten times as large, with its sign and size", () => {
  const above = judged(wobbling(1.13), [rounds(DRIFT, 1), rounds(DRIFT, 1.08)]);
  assert.equal(above.kind, "outside");
  isNear(above.distancePercent, (1.13 / 1.08 - 1) * 100);
  assert.ok((above.fromHighest.low ?? 0) > 4);
  const below = judged(wobbling(0.95), [rounds(DRIFT, 1), rounds(DRIFT, 1.08)]);
  assert.equal(below.kind, "outside");
  isNear(below.distancePercent, -5);
});

void test("just beyond an edge is inside as long as it is of no consequence, which the floor, the asked margin or the resolution say", () => {
  const references = [rounds(DRIFT, 1), rounds(DRIFT, 1.08)];
  assert.equal(judged(wobbling(1.085), references).kind, "inside");
  assert.equal(judged(wobbling(1.11), references).kind, "outside");
  const asked = judged(wobbling(1.11), references, { marginPercent: 5 });
  assert.deepEqual([asked.kind, asked.marginBecause, asked.marginPercent], ["inside", "asked", 5]);
  const whole = judged(
    [5, 5, 5, 5, 5, 5, 5, 5],
    [Array<number>(8).fill(4), Array<number>(8).fill(4)],
    {},
    { ...METRIC, quantised: true },
  );
  assert.deepEqual([whole.kind, whole.marginBecause, whole.marginPercent], ["inside", "resolution", 25]);
  const two = judged(
    [6, 6, 6, 6, 6, 6, 6, 6],
    [Array<number>(8).fill(4), Array<number>(8).fill(4)],
    {},
    { ...METRIC, quantised: true },
  );
  assert.equal(two.kind, "outside");
});

const WILD = [1, 1.4, 0.8, 1.2, 0.7, 1.1, 0.9, 1.3, 0.75, 1.05];

void test("references that lie apart from themselves make noise, which says how far, and excuses no greater distance", () => {
  const gcc = rounds(WILD, 50);
  const clang = rounds(WILD.toReversed(), 50);
  const ours = [...WILD.slice(3), ...WILD.slice(0, 3)].map((value) => value * 50);
  const noise = judged(ours, [gcc, clang]);
  assert.equal(noise.kind, "noise");
  assert.ok((noise.repeatabilityPercent ?? 0) > 20, `${noise.repeatabilityPercent}`);
  assert.equal(judged(rounds(ours, 3), [gcc, clang]).kind, "outside");
});

void test("steady references excuse no scatter of ours", () => {
  const judgement = judged(rounds(WILD, 100), [Array<number>(10).fill(100), Array<number>(10).fill(101)]);
  assert.equal(judgement.kind, "undecided");
});

void test("more rounds of the same kind decide what it said they would", () => {
  const ours = [97, 105, 99, 104, 96, 103, 100, 106];
  const [gcc, clang] = [Array<number>(8).fill(99), Array<number>(8).fill(103)];
  const few = judged(ours, [gcc, clang]);
  assert.equal(few.kind, "undecided");
  assert.ok(few.furtherRounds !== null && few.furtherRounds >= 1, `${few.furtherRounds}`);
  const times = Math.ceil((8 + few.furtherRounds) / 8);
  const repeated = (values: readonly number[]) => Array.from({ length: times }, () => values).flat();
  assert.equal(judged(repeated(ours), [repeated(gcc), repeated(clang)]).kind, "inside", `${times} times eight rounds`);
});

void test("too few rounds decide nothing, and it says how many are missing", () => {
  const few = judged(
    [105, 105, 105],
    [
      [100, 100, 100],
      [110, 110, 110],
    ],
  );
  assert.deepEqual([few.kind, few.furtherRounds, few.fromHighest.low], ["undecided", 3, null]);
});

void test("a round that misses a subject does not count, and no complete round is no judgement", () => {
  const some = judged([1, null, 1, 1, 1, 1, 1, 1], [Array<number>(8).fill(1), [1, 1, null, 1, 1, 1, 1, 1]]);
  assert.equal(some.rounds, 6);
  assert.equal(judgeByRound({ ours: [null], references: [[1]], ...METRIC }), null);
  assert.equal(judgeByRound({ ours: [1], references: [], ...METRIC }), null);
});

void test("counts of zero are judged by their differences", () => {
  const none = Array<number>(8).fill(0);
  assert.equal(judged(none, [none, none]).kind, "inside");
  assert.equal(judged(Array<number>(8).fill(3), [none, none]).kind, "outside");
  const rare = [0, 1, 0, 2, 0, 1, 0, 0];
  assert.equal(judged(Array<number>(8).fill(40), [rare, rare.toReversed()]).kind, "outside");
  assert.notEqual(judged(rare, [rare.toReversed(), rare]).kind, "outside");
});

void test("of references that are all 0 there is no percentage: the distance has the figure's own unit", () => {
  const none = Array<number>(8).fill(0);
  const above = judged(Array<number>(8).fill(3), [none, none]);
  assert.deepEqual([above.distancePercent, above.distanceFromZero, above.marginPercent], [null, 3, null]);
  assert.deepEqual(above.fromHighest, { estimate: null, low: null, high: null });
  assert.equal(byRoundText(above, "usec"), "**outside, +3µs**");
  assert.deepEqual(JSON.parse(JSON.stringify(above)), above, "nothing is lost on the way through JSON");
  // Nor does a share of nothing excuse anything; one step of whole µs does.
  assert.equal(judged(Array<number>(8).fill(3), [none, none], { marginPercent: 500 }).kind, "outside");
  const whole = { ...METRIC, quantised: true };
  assert.equal(judged(Array<number>(8).fill(1), [none, none], {}, whole).kind, "inside");
  assert.equal(judged(Array<number>(8).fill(2), [none, none], {}, whole).kind, "outside");
  assert.equal(judged(Array<number>(8).fill(5), [Array<number>(8).fill(4), none]).distanceFromZero, null);
});

void test("near zero a difference in the figure's own unit decides what is of no consequence", () => {
  const few = [0, 0.1, 0, 0.2, 0, 0.1, 0, 0];
  const some = Array<number>(8).fill(1);
  const near = { ...METRIC, absoluteFloor: 2 };
  assert.equal(judged(some, [few, few]).kind, "outside");
  assert.deepEqual(
    [judged(some, [few, few], {}, near).kind, judged(some, [few, few], {}, near).marginBecause],
    ["inside", "absolute-floor"],
  );
  const none = Array<number>(8).fill(0);
  assert.equal(judged(some, [none, none], {}, near).kind, "inside");
  assert.equal(judged(Array<number>(8).fill(5), [none, none], {}, near).kind, "outside");
});

void test("with any number of references, above the envelope means above every one", () => {
  const references = [1, 1.02, 1.05, 1.08, 1.1, 1.2].map((factor) => rounds(DRIFT, factor));
  assert.equal(judged(wobbling(1.15), references).kind, "inside");
  assert.equal(judged(wobbling(1.25), references).kind, "outside");
  assert.equal(judged(wobbling(0.9), references).kind, "outside");
});
