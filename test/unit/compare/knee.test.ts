import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { findKnee, type Knee, type SweepPoint } from "../../../src/compare/knee.js";
import { resolutionAt } from "../../../src/stats/histogram/resolution.js";

const sweep = (...points: readonly (readonly [number, ...number[]])[]): readonly SweepPoint[] =>
  points.map(([x, ...values]) => ({ x, values }));

/** One run per setting; settings 1, 2, 3 … */
const inSteps = (usec: readonly number[]): readonly SweepPoint[] =>
  usec.map((value, index) => ({ x: index + 1, values: [value] }));
/** Settings 1, 2, 4, 8 … */
const doubling = (usec: readonly number[]): readonly SweepPoint[] =>
  usec.map((value, index) => ({ x: 2 ** index, values: [value] }));

/** The latency at the first setting beyond the knee; the kind where there is none. */
const beyond = (points: readonly SweepPoint[]): number | Knee["kind"] => {
  const knee = findKnee(points);
  return knee.kind === "knee" ? (points.find(({ x }) => x === knee.firstBeyond)?.values[0] ?? Number.NaN) : knee.kind;
};

const bothWays = (usec: readonly number[], expected: number | Knee["kind"]): void => {
  assert.equal(beyond(inSteps(usec)), expected, `${usec.join(", ")} at 1, 2, 3 …`);
  assert.equal(beyond(doubling(usec)), expected, `${usec.join(", ")} at 1, 2, 4 …`);
};

void describe("the knee of a sweep", () => {
  void it("lies between the last setting of the flat part and the first beyond it", () => {
    const knee = findKnee(sweep([1, 20], [2, 21], [4, 22], [8, 90], [16, 400]));
    assert.deepEqual(knee, {
      kind: "knee",
      lastFlat: 4,
      firstBeyond: 8,
      flatUsec: 21,
      limitUsec: 26.25,
      backAt: [],
    });
  });

  void it("does not depend on the order of the points or of their runs", () => {
    const knee = findKnee(sweep([8, 95, 80, 90], [1, 20, 25, 18], [4, 22, 21, 90], [2, 21, 20, 22]));
    assert.equal(knee.kind, "knee");
    if (knee.kind === "knee") assert.equal(knee.firstBeyond, 8);
  });

  void it("is not hidden by a low first point", () => bothWays([10, 20, 20, 21, 20, 22, 90, 400], 90));

  void it("stays when the last point falls back", () => bothWays([20, 21, 20, 90, 400, 900, 22], 90));

  void it("is not moved by a dip behind it, and the dip is named", () => {
    const usec = [20, 20, 21, 80, 150, 24, 300, 900];
    bothWays(usec, 80);
    const knee = findKnee(doubling(usec));
    assert.equal(knee.kind, "knee");
    if (knee.kind === "knee") assert.deepEqual(knee.backAt, [32]);
    // At the limit of 25 is not above it.
    const touching = findKnee(inSteps([20, 20, 20, 90, 95, 25, 300, 900]));
    assert.equal(touching.kind, "knee");
    if (touching.kind === "knee") assert.deepEqual(touching.backAt, [6]);
  });

  void it("is not a small step before it", () => {
    bothWays([20, 20, 30, 30, 31, 30, 300, 900], 300);
    bothWays([20, 20, 20, 20, 30, 30, 300, 900], 300);
    bothWays([20, 20, 40, 40, 40, 300, 900], 300);
    bothWays([20, 20, 20, 25, 100, 400], 100);
  });

  void it("is not a hiccup that is taken back", () => {
    bothWays([20, 90, 20, 21, 300, 900], 300);
    bothWays([20, 20, 20, 90, 20], "flat");
  });

  void it("is found where the last setting alone lies beyond, and where it begins gently", () => {
    bothWays([20, 22, 900], 900);
    bothWays([20, 20, 20, 20, 20, 60], 60);
    bothWays([100, 101, 99, 140, 139, 141], 140);
    bothWays([20, 20, 20, 20, 21, 40, 80, 200, 500], 40);
  });

  void it("is a bend: a straight line has none, whatever its settings, nor has a climb by the same factor", () => {
    const line = [110, 120, 130, 140, 150, 160, 170, 180, 190, 200];
    assert.equal(beyond(inSteps(line)), "rising");
    assert.equal(beyond(inSteps([100, 110, 120, 130, 140, 150])), "rising");
    const settings = [1, 2, 4, 8, 16, 32, 64];
    assert.equal(beyond(settings.map((x) => ({ x, values: [100 + 10 * x] }))), "rising");
    assert.equal(beyond(doubling([112, 119, 141, 178, 263, 418, 741])), "rising", "with a little scatter");
    // The same figures: a curve where a thread more is added each time, nearly a line where the threads double.
    const curved = [20, 20, 20, 22, 25, 29, 36, 50, 90];
    assert.equal(beyond(inSteps(curved)), 36);
    assert.equal(beyond(doubling(curved)), "rising");
    bothWays(
      Array.from({ length: 12 }, (_, index) => 100 * 1.12 ** index),
      "rising",
    );
  });

  void it("is no step of whole µs", () => {
    bothWays([3, 3, 4, 4], "flat");
    bothWays([3, 3, 5, 5], "flat");
    bothWays([3, 3, 6, 6], 6);
    bothWays([3, 3, 9, 12], 9);
    bothWays([0, 0, 1, 1], "flat");
    bothWays([0, 0, 0, 5, 20], 5);
  });

  void it("is missing where the curve stays, falls, rises at once, or has too few points", () => {
    assert.deepEqual(findKnee(sweep([1, 20], [2, 21], [4, 20])), { kind: "flat", flatUsec: 20, limitUsec: 25 });
    assert.equal(findKnee(sweep([1, 90], [2, 40], [4, 20])).kind, "flat");
    assert.deepEqual(findKnee(sweep([1, 20], [2, 200], [4, 900])), { kind: "rising", firstUsec: 20 });
    bothWays([20, 200, 210, 220, 215], "rising");
    bothWays([20, 200, 210, 205, 215, 200], "rising");
    bothWays([100, 125, 160], "rising");
    bothWays([10, 20, 41, 800, 810, 820], "rising");
    bothWays([100, 102, 104, 106, 108], "flat");
    assert.deepEqual(findKnee(sweep([1, 20], [2, 200])), { kind: "too-few-points", points: 2 });
    assert.deepEqual(findKnee([...sweep([1, 20], [2, 200]), { x: 4, values: [] }]), {
      kind: "too-few-points",
      points: 2,
    });
  });

  void it("is not told from scatter of a fifth around one level", () => {
    bothWays([100, 120, 95, 84, 110, 121, 99, 118], "flat");
    bothWays([82, 104, 95, 90, 100, 112, 108], "flat");
  });
});

/** A flat part of two settings or more, then factors that do not grow: where it bends is beyond doubt. */
const bent = fc
  .record({
    level: fc.integer({ min: 8, max: 3000 }),
    flat: fc.integer({ min: 2, max: 6 }),
    factors: fc.array(fc.integer({ min: 3, max: 9 }), { minLength: 1, maxLength: 4 }),
  })
  .map(({ level, flat, factors }) => {
    const rise = factors
      .toSorted((a, b) => b - a)
      .reduce<readonly number[]>((usec, factor) => [...usec, (usec.at(-1) ?? level) * factor], []);
    return { flat, usec: [...Array.from({ length: flat }, () => level), ...rise] };
  });

const place = (knee: Knee): unknown =>
  knee.kind === "knee" ? [knee.kind, knee.lastFlat, knee.firstBeyond] : [knee.kind];

void describe("whatever the sweep, its knee", () => {
  void it("stays where it is when latencies scatter by a step of the resolution", () => {
    fc.assert(
      fc.property(bent, fc.infiniteStream(fc.integer({ min: 0, max: 1 })), ({ flat, usec }, steps) => {
        const expected = ["knee", flat, flat + 1];
        assert.deepEqual(place(findKnee(inSteps(usec))), expected);
        const scattered = usec.map((value) => value + (steps.next().value ?? 0) * resolutionAt(value));
        assert.deepEqual(place(findKnee(inSteps(scattered))), expected);
      }),
    );
  });

  void it("does not depend on the unit of the latency", () => {
    const series = fc.array(fc.integer({ min: 8, max: 5000 }), { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(series, fc.integer({ min: 1, max: 10 }), (usec, doublings) => {
        const knee = findKnee(inSteps(usec));
        const scaled = findKnee(inSteps(usec.map((value) => value * 2 ** doublings)));
        assert.deepEqual(place(scaled), place(knee));
        if (knee.kind === "knee" && scaled.kind === "knee")
          assert.equal(scaled.limitUsec, knee.limitUsec * 2 ** doublings);
      }),
    );
  });

  void it("is none for one latency at all settings", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 3, max: 20 }), (level, length) =>
        assert.equal(findKnee(inSteps(Array.from({ length }, () => level))).kind, "flat"),
      ),
    );
  });

  void it("is none where every further setting adds the same, or less", () => {
    const steps = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 100 }), steps, (first, added) => {
        let usec = first;
        const rise = added.toSorted((a, b) => b - a).map((step) => (usec += step + first));
        assert.equal(findKnee(inSteps([first, ...rise])).kind, "rising");
      }),
    );
  });

  void it("has nothing of the fitted curve above its limit before it, and a setting above it behind", () => {
    const series = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(series, (usec) => {
        const knee = findKnee(doubling(usec));
        if (knee.kind !== "knee") return;
        const index = Math.log2(knee.firstBeyond);
        assert.equal(knee.lastFlat, 2 ** (index - 1));
        assert.ok(usec.slice(index).some((value) => value > knee.limitUsec));
        assert.ok(knee.backAt.every((x) => x >= knee.firstBeyond));
        // At least half of what lies beyond is above the limit, at most half of the flat part.
        assert.ok(2 * knee.backAt.length <= usec.length - index, usec.join(", "));
      }),
    );
  });
});
