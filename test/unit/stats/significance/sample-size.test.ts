import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { normalQuantile } from "../../../../src/stats/distributions.js";
import { seededRandom } from "../../../../src/stats/random.js";
import { rankTest, smallestReachableP } from "../../../../src/stats/significance/rank-test.js";
import { fewestRuns, noetherRuns, runsToFind } from "../../../../src/stats/significance/sample-size.js";

void describe("the number of runs needed", () => {
  void it("is Noether's for his own example", () => {
    // Noether 1987: P(X < Y) = 0.7, two-sided 5 %, power 80 %, equal halves: N = (1.960 + 0.842)² / (3 · 0.2²) = 65.4.
    assert.equal(noetherRuns(0.7, 0.05, 0.8), 33);
  });

  void it("is at least what the rank test needs to reach the level at all, however large the difference", () => {
    assert.equal(fewestRuns(0.05), 4);
    assert.equal(fewestRuns(0.01), 5);
    assert.equal(fewestRuns(0.05 / 12), 6);
    assert.equal(runsToFind(3, [100, 101, 99], [300, 301, 299], 0.05), 6);
  });

  void it("finds the difference in about the promised share of simulated experiments", () => {
    const random = seededRandom(11);
    const normal = (): number => normalQuantile(Math.min(Math.max(random.uniform(), 1e-9), 1 - 1e-9));
    const sample = (runs: number, ratio: number): number[] =>
      Array.from({ length: runs }, () => 100 * ratio * Math.exp(0.05 * normal()));
    // Their sample standard deviation is 5 % on the logarithmic scale.
    const step = 0.05;
    const typical = [-step, 0, step].map((log) => 100 * Math.exp(log));
    const runs = runsToFind(1.06, typical, typical, 0.05);
    assert.ok(runs !== null && runs >= 8 && runs <= 16, `${runs}`);
    let found = 0;
    for (let i = 0; i < 300; i++) if (rankTest(sample(runs, 1), sample(runs, 1.06)).p <= 0.05) found++;
    assert.ok(found >= 0.7 * 300 && found <= 0.9 * 300, `${found} of 300`);
  });

  void it("is the same for a ratio and its inverse, and for values below one", () => {
    const [x, y] = [
      [0.95, 1, 1.05, 1.01],
      [0.94, 1.02, 1.06, 0.99],
    ];
    const runs = runsToFind(1.1, x, y, 0.05);
    assert.ok(runs !== null && runs > 2, `${runs}`);
    assert.equal(runsToFind(1 / 1.1, x, y, 0.05), runs);
    assert.equal(runsToFind(1, x, y, 0.05), null);
    assert.equal(runsToFind(0, x, y, 0.05), null);
    assert.equal(runsToFind(1.1, [0, ...x], y, 0.05), null);
  });

  void it("is not said without scatter, though the mean of equal logarithms is not always that logarithm", () => {
    for (let value = 1; value <= 400; value++)
      for (const n of [5, 6, 7, 12]) {
        const runs = Array.from({ length: n }, () => value);
        assert.equal(runsToFind(4 / 3, runs, runs, 0.05), null, `${n} runs of ${value}`);
        assert.equal(
          runsToFind(
            4 / 3,
            runs,
            runs.map((same) => same + 1),
            0.05,
          ),
          null,
        );
      }
  });

  void it("takes a level that it reaches but for a rounding", () => {
    const level = smallestReachableP(6, 6);
    assert.equal(fewestRuns(level), 6);
    assert.equal(fewestRuns(level * (1 - 1e-15)), 6);
    assert.equal(fewestRuns(level * (1 - 1e-6)), 7);
  });

  void it("is not said where it cannot be", () => {
    assert.equal(runsToFind(1.05, [4, 4, 4], [4, 4, 4], 0.05), null);
    assert.equal(runsToFind(1.05, [0, 1, 2], [1, 2, 3], 0.05), null);
    assert.equal(runsToFind(1.5, [100, 110], [120], 0.05), null, "three runs tell no scatter");
    assert.notEqual(runsToFind(1.5, [100, 110], [120, 130], 0.05), null);
    assert.equal(runsToFind(1, [1, 2, 3], [1, 2, 3], 0.05), null);
    assert.equal(runsToFind(1.00001, [1, 2, 3], [1, 2, 3], 0.05), null);
    assert.equal(runsToFind(1.05, [1], [1], 0.05), null);
  });
});
