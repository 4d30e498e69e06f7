import assert from "node:assert/strict";
import { test } from "node:test";
import { readAllVaried, readVaried, sweepPoints } from "../../../src/experiment/vary.js";
import type { OptionTable } from "../../../src/options/line/option-table.js";

const TABLE = [
  { id: "threads", short: "t", long: ["threads"], group: "g", meaning: "m", kind: "count", min: 1 },
  { id: "split", long: ["split"], group: "g", meaning: "m", kind: "percent", min: 0 },
  { id: "noLocking", short: "L", long: ["no-locking"], group: "g", meaning: "m", kind: "flag" },
] as const satisfies OptionTable;

for (const [argument, expected] of [
  ["t=1,2,4..64", "1 2 4 8 16 32 64"],
  ["t=4..48", "4 8 16 32 48"],
  ["t=1,1,2", "1 2"],
  ["-t=3", "3"],
  ["split=0..100+25", "0 25 50 75 100"],
  ["--split=0..90+40", "0 40 80"],
  ["L=off,on", "off on"],
  ["t=5..5", "5"],
] as const)
  void test(`--vary ${argument} gives ${expected}`, () => {
    assert.equal(readVaried(argument, TABLE).values.join(" "), expected);
  });

for (const [argument, expected] of [
  ["t", /allowed is NAME=VALUES/],
  ["=4", /allowed is NAME=VALUES/],
  ["x=4", /unknown option "x"/],
  ["t=4..2", /invalid range "4\.\.2"/],
  ["t=0..8", /invalid range "0\.\.8"/],
  ["t=1..8+0", /invalid range/],
  ["t=a..b", /invalid range/],
  ["t=1,,2", /empty value/],
  ["L=yes", /allowed are on and off/],
  ["t=1..10000000+1", /more than 1000000 values/],
] as const)
  void test(`--vary ${argument} is refused`, () => {
    assert.throws(() => readVaried(argument, TABLE), { name: "UsageError", message: expected });
  });

void test("every combination is a cell, the last option varying fastest", () => {
  const points = sweepPoints([readVaried("t=1,2", TABLE), readVaried("L=off,on", TABLE)], ["-r", "5"]);
  assert.deepEqual(
    points.map((point) => [point.cell.name, point.cell.flags.join(" ")]),
    [
      ["t=1 L=off", "-r 5 -t 1"],
      ["t=1 L=on", "-r 5 -t 1 -L"],
      ["t=2 L=off", "-r 5 -t 2"],
      ["t=2 L=on", "-r 5 -t 2 -L"],
    ],
  );
});

void test("an option that is varied twice is refused, whichever way it is spelled", () => {
  assert.throws(() => readAllVaried(["t=1", "L=on,off", "t=2"], TABLE), {
    name: "UsageError",
    message: 'option "t" is varied twice: "t=1" and "t=2"',
  });
});
