import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { levelIn, runningLeasts } from "../../../../src/stats/significance/step-down.js";

void describe("the running smallest p of deals", () => {
  void it("is that of a list of all, for every number of tests", () => {
    const deals = fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 5, maxLength: 5 }), { maxLength: 6 });
    fc.assert(
      fc.property(deals, (all) => {
        const leasts = runningLeasts();
        for (const ps of all) {
          leasts.begin();
          let least = Infinity;
          ps.forEach((p, test) => {
            if (p >= least) return;
            least = p;
            leasts.fall(test, p);
          });
        }
        for (let last = 0; last < 5; last++)
          assert.deepEqual(
            [...leasts.upTo(last)],
            all.map((ps) => Math.min(...ps.slice(0, last + 1))),
          );
      }),
    );
  });

  void it("is infinite in a deal without any", () => {
    const leasts = runningLeasts();
    leasts.begin();
    leasts.begin();
    leasts.fall(1, 0.5);
    assert.deepEqual([...leasts.upTo(0)], [Infinity, Infinity]);
    assert.deepEqual([...leasts.upTo(1)], [Infinity, 0.5]);
  });
});

void describe("the level that is left", () => {
  const smallest = Float64Array.of(0.4, 0.1, 0.3, 0.1, 0.2, 0.6, 0.7, 0.8, 0.9, 1);

  void it("is the largest p that no more than the share of the deals reaches", () => {
    assert.equal(levelIn(smallest, 100, 0.2), 0.1);
    assert.equal(levelIn(smallest, 100, 0.29), 0.1);
    assert.equal(levelIn(smallest, 100, 0.3), 0.2);
    assert.equal(levelIn(smallest, 100, 1), 1);
    const hundredths = Float64Array.from({ length: 100 }, (_, index) => (index + 1) / 100);
    assert.equal(levelIn(hundredths, 1000, 0.29), 0.29, "29 of 100 are 29 %, though 0.29 · 100 is 28.999999999999996");
  });

  void it("is never less than Bonferroni's part", () => {
    assert.equal(levelIn(smallest, 4, 0.1), 0.025, "one deal in ten reaches nothing less than 0.1, which two reach");
    assert.equal(levelIn(smallest, 0.5, 0.1), 0.1, "weights below 1 grant no more than the level itself");
  });
});
