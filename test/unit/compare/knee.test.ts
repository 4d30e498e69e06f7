import assert from "node:assert/strict";
import { test } from "node:test";
import { findKnee, type SweepPoint } from "../../../src/compare/knee.js";

const sweep = (...points: readonly (readonly [number, ...number[]])[]): readonly SweepPoint[] =>
  points.map(([x, ...values]) => ({ x, values }));

void test("the knee lies between the last setting of the flat part and the first beyond it", () => {
  const knee = findKnee(sweep([1, 20], [2, 21], [4, 22], [8, 90], [16, 400]));
  assert.deepEqual(knee, { kind: "knee", lastFlat: 4, firstBeyond: 8, flatUsec: 21, limitUsec: 26.25 });
});

void test("the order of the points and the runs of a point do not matter", () => {
  const knee = findKnee(sweep([8, 95, 80, 90], [1, 20, 25, 18], [4, 22, 21, 90], [2, 21, 20, 22]));
  assert.equal(knee.kind, "knee");
  if (knee.kind === "knee") assert.equal(knee.firstBeyond, 8);
});

void test("a hiccup that is taken back is no knee", () => {
  const knee = findKnee(sweep([1, 20], [2, 90], [4, 20], [8, 21], [16, 300], [32, 900]));
  assert.equal(knee.kind, "knee");
  if (knee.kind === "knee") assert.equal(knee.lastFlat, 8);
});

void test("a slow climb is caught", () => {
  const knee = findKnee(Array.from({ length: 12 }, (_, i) => ({ x: i + 1, values: [100 * 1.12 ** i] })));
  assert.equal(knee.kind, "knee");
});

void test("one step of whole µs is no knee", () => {
  assert.equal(findKnee(sweep([1, 3], [2, 3], [4, 4], [8, 4])).kind, "flat");
  assert.equal(findKnee(sweep([1, 3], [2, 3], [4, 9], [8, 12])).kind, "knee");
});

void test("a curve that stays, falls, rises at once, or has too few points has none", () => {
  assert.equal(findKnee(sweep([1, 20], [2, 21], [4, 20])).kind, "flat");
  assert.equal(findKnee(sweep([1, 90], [2, 40], [4, 20])).kind, "flat");
  assert.deepEqual(findKnee(sweep([1, 20], [2, 200], [4, 900])), { kind: "rising", firstUsec: 20 });
  assert.deepEqual(findKnee(sweep([1, 20], [2, 200])), { kind: "too-few-points", points: 2 });
});
