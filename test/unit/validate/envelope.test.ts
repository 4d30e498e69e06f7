import assert from "node:assert/strict";
import { test } from "node:test";
import { type EnvelopeInput, judgeEnvelope } from "../../../src/validate/envelope.js";
import { distanceFrom } from "../../../src/validate/equivalence.js";
import { type MetricId, metricOf } from "../../../src/model/metrics/metrics.js";

const input = (
  ours: readonly (number | null)[],
  gcc: readonly (number | null)[],
  clang: readonly (number | null)[],
  id: MetricId = "request-p50",
): EnvelopeInput => ({
  metric: { id, quantised: metricOf(id).quantised },
  ours,
  references: [
    { name: "gcc", values: gcc },
    { name: "clang", values: clang },
  ],
});
const rounds = (times: number, values: readonly number[]): readonly number[] =>
  Array.from({ length: times }, () => values).flat();
const repeated = (times: number) =>
  judgeEnvelope(
    input(rounds(times, [4900, 5080, 4960]), rounds(times, [4990, 5010, 5000]), rounds(times, [4600, 4610, 4590])),
  );

const GCC = [4970, 4990, 5010, 5030, 5000];
const CLANG = [4580, 4590, 4600, 4610, 4620];

void test("inside the envelope of averages is yes, clearly so when no resample leaves it", () => {
  const judged = judgeEnvelope(input([4750, 4760, 4770, 4740, 4780], GCC, CLANG));
  assert.equal(judged?.average, 4760);
  assert.deepEqual(judged?.envelope, { low: 4600, high: 5000 });
  assert.equal(judged?.verdict, "yes");
  assert.equal(judged?.distancePercent, 0);
  assert.deepEqual(judged?.equivalence, {
    kind: "inside",
    distancePercent: { low: 0, high: 0 },
    rounds: 5,
    furtherRounds: 0,
  });
});

void test("outside is no, with the signed distance from the nearer edge", () => {
  const above = judgeEnvelope(input([5240, 5250, 5260, 5250, 5250], GCC, CLANG));
  assert.equal(above?.verdict, "no");
  assert.ok(Math.abs((above?.distancePercent ?? 0) - 5) < 1e-9);
  assert.equal(above?.equivalence.kind, "outside");
  assert.ok((above?.equivalence.distancePercent?.low ?? 0) > 4);
  const below = judgeEnvelope(input([4370, 4370, 4370, 4370, 4370], GCC, CLANG));
  assert.ok(Math.abs((below?.distancePercent ?? 0) + 5) < 1e-9);
  assert.equal(below?.equivalence.kind, "outside");
});

void test("near an edge it is undecided, and the further rounds are estimated", () => {
  const judged = judgeEnvelope(input([4900, 5100, 4980, 5060, 5010], GCC, CLANG));
  assert.equal(judged?.equivalence.kind, "undecided");
  const furtherRounds = judged?.equivalence.furtherRounds ?? null;
  assert.ok(furtherRounds !== null && furtherRounds >= 1, `${furtherRounds}`);
});

void test("a margin decides what lies just beyond an edge", () => {
  const justOut = input([5020, 5040, 5060, 5080, 5050], GCC, CLANG);
  assert.equal(judgeEnvelope(justOut)?.equivalence.kind, "outside");
  assert.equal(judgeEnvelope(justOut, { marginPercent: 5 })?.equivalence.kind, "inside");
});

void test("more rounds of the same kind decide what few could not", () => {
  const few = repeated(1)?.equivalence;
  assert.equal(few?.kind, "undecided");
  const needed = Math.ceil(((few?.furtherRounds ?? 0) + 3) / 3);
  assert.equal(repeated(needed)?.equivalence.kind, "inside", `${needed} times three rounds`);
});

void test("drift that hits all subjects of a round cancels", () => {
  const drift = [0, 400, 800, 1200, 1600];
  const drifting = (values: readonly number[]): readonly number[] => values.map((value, i) => value + (drift[i] ?? 0));
  const judged = judgeEnvelope(input(drifting([4750, 4760, 4770, 4740, 4780]), drifting(GCC), drifting(CLANG)));
  assert.equal(judged?.equivalence.kind, "inside");
});

void test("a metric whose references scatter more than they lie apart is noise, with the figures", () => {
  const judged = judgeEnvelope(input([22, 9, 31], [4, 35, 10], [5, 32, 9], "wakeup-p99"));
  assert.equal(judged?.verdict, "noise");
  assert.equal(judged?.noise.because, "reference-spread");
  assert.equal(judged?.noise.referenceSpread, 31);
  assert.ok((judged?.noise.envelopeWidth ?? 9) < 1.1);
});

void test("a metric that cannot tell the references apart is noise by resolution", () => {
  const judged = judgeEnvelope(input([4, 4, 4], [3, 3, 3], [3, 3, 3], "wakeup-p50"));
  assert.equal(judged?.verdict, "noise");
  assert.equal(judged?.noise.because, "resolution");
  assert.equal(judged?.noise.resolution, 1);
});

void test("noise does not excuse a distance that it cannot explain", () => {
  const judged = judgeEnvelope(input([150, 150, 150], [4, 35, 10], [5, 32, 9], "wakeup-p99"));
  assert.equal(judged?.noise.isNoise, true);
  assert.equal(judged?.verdict, "no");
});

void test("the published policy goes by its list alone", () => {
  const quiet = input([50, 50, 50], [10, 10, 10], [20, 20, 20], "wakeup-p99");
  assert.equal(judgeEnvelope(quiet)?.verdict, "no");
  assert.equal(judgeEnvelope(quiet, { policy: "published" })?.verdict, "noise");
  const noisy = input([60, 60, 60], [10, 70, 10], [20, 80, 20], "request-p99");
  assert.equal(judgeEnvelope(noisy, { policy: "published" })?.verdict, "no");
});

void test("rounds that miss a subject do not enter the interval", () => {
  const judged = judgeEnvelope(input([4750, null, 4770, 4740], [4970, 4990, null, 5030], [4580, 4590, 4600, 4610]));
  assert.equal(judged?.equivalence.rounds, 2);
  assert.equal(judgeEnvelope(input([null], [1], [2])), null);
  assert.deepEqual(judgeEnvelope(input([4700], [5000], [4600]))?.equivalence, {
    kind: "undecided",
    distancePercent: null,
    rounds: 1,
    furtherRounds: null,
  });
});

void test("the distance is measured from the nearer edge", () => {
  assert.equal(distanceFrom(110, { low: 50, high: 100 }), 10);
  assert.equal(distanceFrom(45, { low: 50, high: 100 }), -10);
  assert.equal(distanceFrom(50, { low: 50, high: 100 }), 0);
});

void test("references of 0 have no percentage, but the verdict stands", () => {
  const judged = judgeEnvelope(input([3, 3, 3], [0, 0, 0], [0, 0, 0], "wakeup-p50"));
  assert.equal(judged?.verdict, "no");
  assert.equal(judged?.distancePercent, null);
  assert.equal(judged?.distance, 3);
  assert.equal(judged?.equivalence.kind, "outside");
  assert.deepEqual(judged?.equivalence.distancePercent, { low: null, high: null });
  assert.deepEqual(JSON.parse(JSON.stringify(judged)), judged);
  assert.equal(judgeEnvelope(input([0, 0, 0], [0, 0, 0], [0, 0, 0], "wakeup-p50"))?.equivalence.kind, "inside");
});
