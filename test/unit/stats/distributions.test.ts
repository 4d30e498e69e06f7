import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { errorFunction } from "simple-statistics";
import {
  chiSquareTail,
  normalCdf,
  normalQuantile,
  studentCdf,
  studentQuantile,
} from "../../../src/stats/distributions.js";

const near = (actual: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not within ${tolerance} of ${expected}`);

void describe("the normal distribution", () => {
  void it("has the quantiles of every table", () => {
    // Abramowitz and Stegun 1964, table 26.5 (normal probability function for given upper tails).
    near(normalQuantile(0.975), 1.959964, 1e-6);
    near(normalQuantile(0.95), 1.644854, 1e-6);
    near(normalQuantile(0.8), 0.841621, 1e-6);
    near(normalQuantile(0.5), 0, 1e-12);
    near(normalQuantile(0.001), -3.090232, 1e-6);
  });

  void it("agrees with the error function of simple-statistics within that function's accuracy", () => {
    for (let x = -5; x <= 5; x += 0.37) near(normalCdf(x), (1 + errorFunction(x / Math.SQRT2)) / 2, 2e-7);
  });

  void it("stays within [0, 1] far out", () => {
    assert.equal(normalCdf(-40), 0);
    assert.equal(normalCdf(40), 1);
  });
});

void describe("Student's t distribution", () => {
  void it("has the quantiles of every table", () => {
    // Abramowitz and Stegun 1964, table 26.10 (percentage points of the t-distribution), two-sided 5 % and 1 %.
    const table: readonly (readonly [number, number, number])[] = [
      [0.975, 1, 12.706],
      [0.975, 2, 4.303],
      [0.975, 3, 3.182],
      [0.975, 5, 2.571],
      [0.975, 9, 2.262],
      [0.975, 30, 2.042],
      [0.995, 1, 63.657],
      [0.995, 5, 4.032],
      [0.995, 10, 3.169],
    ];
    for (const [probability, degrees, expected] of table) near(studentQuantile(probability, degrees), expected, 6e-4);
  });

  void it("is symmetric and approaches the normal distribution", () => {
    for (const degrees of [1, 2, 5, 8]) near(studentCdf(-1.3, degrees) + studentCdf(1.3, degrees), 1, 1e-12);
    near(studentCdf(1.5, 4000), normalCdf(1.5), 1e-4);
  });
});

void describe("the chi-square distribution", () => {
  void it("has the tails of every table", () => {
    // Abramowitz and Stegun 1964, table 26.8.
    near(chiSquareTail(3.84146, 1), 0.05, 1e-6);
    near(chiSquareTail(5.99147, 2), 0.05, 1e-6);
    near(chiSquareTail(18.307, 10), 0.05, 1e-5);
    near(chiSquareTail(36.1908, 19), 0.01, 1e-6);
    near(chiSquareTail(0.0039321, 1), 0.95, 1e-6);
    assert.equal(chiSquareTail(0, 3), 1);
  });

  void it("is twice the normal tail at one degree, and falls", () => {
    for (const x of [0.1, 1, 4, 30]) near(chiSquareTail(x, 1), 2 * normalCdf(-Math.sqrt(x)), 1e-12);
    for (let x = 0; x < 2000; x += 7) assert.ok(chiSquareTail(x + 7, 1400) <= chiSquareTail(x, 1400) + 1e-12);
  });
});
