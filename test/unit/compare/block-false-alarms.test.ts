/** What blocks promise, on experiments whose truth is known; `node scripts/test.mjs stress/blocks` makes 2,000 of each. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { machines, ownBoots, simulateBlocks } from "../../helpers/fakes/block-experiments.js";

/** Three binomial standard errors above a nominal 5 %. */
const limitOf = (count: number): number => 0.05 * count + 3 * Math.sqrt(count * 0.05 * 0.95);

void test("of 100 experiments on identical subjects with six boots of their own at most the nominal 5 % differ; as one sample of runs more do", (t) => {
  const blocked = simulateBlocks(100, ownBoots(6, 3));
  const asOne = simulateBlocks(100, ownBoots(6, 3), { blocks: "none" });
  t.diagnostic(`${blocked.any} with blocks, ${asOne.any} without`);
  assert.ok(blocked.any <= limitOf(100), `${blocked.any}`);
  assert.ok(asOne.any > limitOf(100) && asOne.any > 3 * blocked.any, `${asOne.any}`);
});

void test("of 30 experiments on identical subjects on five machines at most the nominal 5 % differ, on any machine or over all", (t) => {
  const { anywhere } = simulateBlocks(30, machines(5, 5));
  t.diagnostic(`${anywhere} of 30`);
  assert.ok(anywhere <= limitOf(30), `${anywhere}`);
});

void test("of 10 experiments on a subject that takes 8 % longer on six machines nearly all see it", (t) => {
  const { primary } = simulateBlocks(10, machines(6, 6, { effect: 0.08 }));
  t.diagnostic(`${primary} of 10`);
  assert.ok(primary >= 9, `${primary}`);
});
