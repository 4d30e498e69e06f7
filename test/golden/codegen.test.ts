import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { renderCodegenTable } from "../../src/codegen/render-codegen.js";
import { buildFacts, loopFacts } from "../unit/codegen/listing-support.js";

const BUILDS = [
  buildFacts("schbench-x86_64-v3.so", [
    loopFacts({
      functionName: "w2c_schbench_do_some_math_0",
      offset: 0xb0,
      productsPerTurn: 2,
      scalarMultiplies: 2,
      elementLoads: 4,
      resultStores: 2,
      otherLoads: 4,
    }),
  ]),
  buildFacts("clang", [
    loopFacts({
      functionName: "worker_thread",
      productsPerTurn: 4,
      scalarMultiplies: 4,
      elementLoads: 8,
      resultStores: 4,
    }),
    loopFacts({ functionName: "worker_thread", offset: 0x700 }),
  ]),
  buildFacts("-O3 | restrict", [
    loopFacts({ productsPerTurn: null, scalarMultiplies: 0, vectorMultiplies: 12, elementLoads: 20, resultStores: 0 }),
    loopFacts({ offset: 0x2c0, productsPerTurn: 3, resultStores: 1, boundsChecks: 2, live: false, result: "unused" }),
  ]),
];

for (const [format, file] of [
  ["text", "table.txt"],
  ["markdown", "table.md"],
] as const) {
  test(`the findings about three builds as ${format}`, () => {
    const path = resolve("test/golden/expected/codegen", file);
    const actual = renderCodegenTable(BUILDS, format);
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(path, actual);
    assert.equal(actual, readFileSync(path, "utf8"));
  });
}
