/** The figures of docs/statistics.md: 2,000 experiments each. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Design, machines, ownBoots, simulateBlocks } from "../helpers/fakes/block-experiments.js";

const EXPERIMENTS = 2000;
const NOMINAL = 0.05 * EXPERIMENTS;

const shown = (figures: ReturnType<typeof simulateBlocks>): string =>
  `over all: any metric ${figures.any}, primary ${figures.primary}; anywhere ${figures.anywhere} of ${EXPERIMENTS}`;

const identical: readonly (readonly [string, Design])[] = [
  ["6 boots of their own of 3 runs", ownBoots(6, 3)],
  ["8 boots of their own of 5 runs", ownBoots(8, 5)],
  ["5 machines of 5 runs", machines(5, 5)],
  ["6 machines, each of which lost half of one subject's runs", machines(6, 6, { lost: 3 })],
];

for (const [what, design] of identical)
  void test(`identical subjects, ${what}: at most 5 % differ in blocks`, (t) => {
    const blocked = simulateBlocks(EXPERIMENTS, design);
    t.diagnostic(`with blocks: ${shown(blocked)}`);
    t.diagnostic(`as one sample: ${shown(simulateBlocks(EXPERIMENTS, design, { blocks: "none" }))}`);
    assert.ok(blocked.anywhere <= NOMINAL, shown(blocked));
  });

void test("an effect that scatters by 5 % from machine to machine about none is called one over all in at most 5 %", (t) => {
  const found = simulateBlocks(EXPERIMENTS, machines(6, 5, { tau: 0.05 }));
  t.diagnostic(shown(found));
  // The interval of few machines is an approximation: three binomial standard errors above 5 %.
  assert.ok(found.primary <= NOMINAL + 3 * Math.sqrt(NOMINAL * 0.95), shown(found));
});

void test("a subject that takes 8 % longer is found", (t) => {
  for (const [what, design, share] of [
    ["6 boots of their own of 3 runs", ownBoots(6, 3, 0.08), 0.4],
    ["6 machines of 5 runs", machines(6, 5, { effect: 0.08 }), 0.8],
  ] as const) {
    const found = simulateBlocks(EXPERIMENTS, design);
    t.diagnostic(`${what}: ${shown(found)}`);
    assert.ok(found.primary >= share * EXPERIMENTS, shown(found));
  }
});
