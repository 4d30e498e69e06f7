/** How often judging by round is wrong, and how often it finds what is there: simulated rounds with a drift that all subjects share. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { normalQuantile } from "../../src/stats/distributions.js";
import { labelledRandom, type Random } from "../../src/stats/random.js";
import { judgeByRound, type RoundJudgement } from "../../src/validate/by-round.js";

const normal = (random: Random): number => normalQuantile(1e-9 + random.uniform() * (1 - 2e-9));

/** A setting: where gcc, clang and ours truly lie, and how much each run scatters within its round. */
interface Setting {
  readonly gcc: number;
  readonly clang: number;
  readonly ours: number;
  readonly scatter: number;
}

const ROUNDS = 10;
/** A random walk of 15 % from round to round: after ten rounds nothing is as it was. */
const DRIFT = 0.15;

const verdicts = (label: string, { gcc, clang, ours, scatter }: Setting, repeats = 500) => {
  const random = labelledRandom(1, label);
  const counts: Record<RoundJudgement["kind"], number> = { inside: 0, outside: 0, noise: 0, undecided: 0 };
  for (let repeat = 0; repeat < repeats; repeat++) {
    const subjects: number[][] = [[], [], []];
    let pace = 1000;
    for (let round = 0; round < ROUNDS; round++) {
      pace *= Math.exp(DRIFT * normal(random));
      [ours, gcc, clang].forEach((level, subject) =>
        subjects[subject]?.push(pace * level * Math.exp(scatter * normal(random))),
      );
    }
    const [own = [], ...references] = subjects;
    const judgement = judgeByRound({ ours: own, references, quantised: false, noiseFloor: 0.01 });
    assert.ok(judgement);
    counts[judgement.kind]++;
  }
  return counts;
};
/** So many in 500 are still 5 %: three standard errors above. */
const AT_MOST = 500 * 0.05 + 3 * Math.sqrt(500 * 0.05 * 0.95);

for (const scatter of [0.005, 0.02, 0.1]) {
  const percent = scatter * 100;
  void test(`the reference itself is never called outside in more than 5 % of experiments, with ${percent} % scatter`, () => {
    const { outside } = verdicts(`identical ${scatter}`, { gcc: 1, clang: 1, ours: 1, scatter });
    assert.ok(outside <= AT_MOST, `${outside} of 500`);
  });

  void test(`5 % beyond an edge is called inside in no more than 5 % of experiments, with ${percent} % scatter`, () => {
    const above = verdicts(`above ${scatter}`, { gcc: 1, clang: 1.08, ours: 1.08 * 1.05, scatter });
    const below = verdicts(`below ${scatter}`, { gcc: 1, clang: 1.08, ours: 0.95, scatter });
    const level = verdicts(`beyond level ones ${scatter}`, { gcc: 1, clang: 1, ours: 1.05, scatter });
    for (const { inside } of [above, below, level]) assert.ok(inside <= AT_MOST, `${inside} of 500`);
  });

  void test(`on the margin itself, the worst place, no more than 5 % are called inside, with ${percent} % scatter`, () => {
    const { inside } = verdicts(`margin ${scatter}`, { gcc: 1, clang: 1, ours: 1.01, scatter });
    assert.ok(inside <= AT_MOST, `${inside} of 500`);
  });
}

void test("halfway between references 8 % apart is shown inside nearly always with 2 % scatter, whatever the drift", () => {
  const { inside, outside } = verdicts("halfway", { gcc: 1, clang: 1.08, ours: 1.04, scatter: 0.02 });
  assert.ok(inside >= 475, `${inside} of 500`);
  assert.equal(outside, 0);
});

void test("5 % beyond is shown outside nearly always with 2 % scatter, whatever the drift", () => {
  const { outside } = verdicts("found", { gcc: 1, clang: 1.08, ours: 1.08 * 1.05, scatter: 0.02 });
  assert.ok(outside >= 475, `${outside} of 500`);
});

void test("what scatters more than it may be off is noise rather than undecided, for the reference itself", () => {
  const { noise, inside, undecided } = verdicts("noise", { gcc: 1, clang: 1, ours: 1, scatter: 0.1 });
  assert.ok(noise + inside >= 475 && undecided <= 25, JSON.stringify({ noise, inside, undecided }));
});
