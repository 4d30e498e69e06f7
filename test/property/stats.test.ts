/** Properties of the histogram, its percentiles and what is derived from merged ones, against naive references. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import {
  bootstrapMergedPercentile,
  mergedPercentile,
  mergedRuns,
} from "../../src/stats/intervals/merged-percentile.js";
import { percentileOf, percentileRows } from "../../src/stats/histogram/percentiles.js";
import {
  fromSparse,
  type Histogram,
  histogramOf,
  mergeHistograms,
  PLAT_NR,
  platIndex,
  platValue,
  sampleCount,
  toSparse,
} from "../../src/stats/histogram/plat.js";
import { seededRandom } from "../../src/stats/random.js";

const latency = fc.oneof(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 2 ** 31 - 1 }));
const latencies = fc.array(latency, { maxLength: 60 });
const someLatencies = fc.array(latency, { minLength: 1, maxLength: 60 });
const percentile = fc.constantFrom(20, 50, 90, 99, 99.9, 100, 0.1, 33.3);
const sparse = ({ min, max, ...rest }: Histogram) => ({ buckets: toSparse({ min, max, ...rest }), min, max });

void describe("the plat histogram", () => {
  void it("puts a value into a bucket that stands for it within 1 part in 512, exactly below 512", () => {
    // The last bucket takes everything larger, so the bound holds below it.
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 26 - 1 }), (value) => {
        const shown = platValue(platIndex(value));
        assert.ok(Math.abs(shown - value) <= (value < 512 ? 0 : value / 512), `${value} is shown as ${shown}`);
      }),
    );
  });

  void it("orders buckets as values, and takes what is too large into the last", () => {
    fc.assert(
      fc.property(latency, latency, (a, b) => {
        if (a <= b) assert.ok(platIndex(a) <= platIndex(b));
        assert.ok(platIndex(a) >= 0 && platIndex(a) < PLAT_NR);
      }),
    );
    assert.equal(platIndex(2 ** 32 - 1), PLAT_NR - 1);
  });

  void it("loses no sample when it is merged, stored and read back", () => {
    fc.assert(
      fc.property(fc.array(latencies, { maxLength: 5 }), (runs) => {
        const merged = mergeHistograms(runs.map(histogramOf));
        assert.deepEqual(merged, histogramOf(runs.flat()));
        assert.equal(sampleCount(merged), runs.flat().length);
        assert.deepEqual(fromSparse(toSparse(merged), merged.min, merged.max), merged);
        assert.ok(toSparse(merged).every(([, count]) => count > 0));
      }),
    );
  });
});

void describe("percentiles", () => {
  void it("are the sorted samples at p/100·n, each as its bucket shows it, clamped to [min, max]", () => {
    fc.assert(
      fc.property(someLatencies, percentile, (values, p) => {
        const sorted = values.toSorted((a, b) => a - b);
        const rank = Math.max(1, Math.ceil((p / 100) * values.length));
        const expected = platValue(platIndex(sorted[rank - 1] ?? Number.NaN));
        const clamped = Math.min(Math.max(expected, sorted[0] ?? 0), sorted.at(-1) ?? 0);
        assert.equal(percentileOf(histogramOf(values), p), clamped);
      }),
    );
  });

  void it("take one sample more than on paper at p99.9 of a multiple of 1,000, as upstream's arithmetic does", () => {
    for (let n = 1000; n <= 12_000; n += 1000) {
      const slow = n / 1000;
      const percentileAt = (p: number, slowest: number): number | null =>
        percentileOf(
          fromSparse(
            [
              [1, n - slowest],
              [9, slowest],
            ],
            1,
            9,
          ),
          p,
        );
      assert.equal(percentileAt(99.9, slow), 9, `${n} samples`);
      assert.equal(percentileAt(99.9, slow - 1), 1, `${n} samples`);
      assert.equal(percentileAt(99, 10 * slow), 1, `p99 of ${n} samples`);
    }
  });

  void it("rise, and their rows share out all samples up to the last", () => {
    fc.assert(
      fc.property(someLatencies, (values) => {
        const rows = percentileRows(histogramOf(values), [20, 50, 90, 100]);
        rows.slice(1).forEach((row, index) => assert.ok(row.value >= (rows[index]?.value ?? Infinity)));
        assert.equal(
          rows.reduce((sum, row) => sum + row.samples, 0),
          values.length,
        );
      }),
    );
  });

  void it("of merged runs are those of the merged histogram", () => {
    fc.assert(
      fc.property(fc.array(latencies, { minLength: 1, maxLength: 5 }), percentile, (runs, p) => {
        const histograms = runs.map(histogramOf);
        assert.equal(
          mergedPercentile(mergedRuns(histograms.map(sparse)), p),
          percentileOf(mergeHistograms(histograms), p),
        );
      }),
    );
  });

  void it("of resampled runs are those of the histograms drawn, merged the long way", () => {
    fc.assert(
      fc.property(
        fc.array(someLatencies, { minLength: 1, maxLength: 5 }),
        percentile,
        fc.integer(),
        (runs, p, seed) => {
          const histograms = runs.map(histogramOf);
          const fast = bootstrapMergedPercentile(mergedRuns(histograms.map(sparse)), p, 5, seededRandom(seed));
          const random = seededRandom(seed);
          const slow = Array.from({ length: 5 }, () =>
            percentileOf(mergeHistograms(runs.map(() => histograms[random.below(runs.length)] ?? histogramOf([]))), p),
          );
          assert.deepEqual(fast, slow);
        },
      ),
      { numRuns: 30 },
    );
  });
});
