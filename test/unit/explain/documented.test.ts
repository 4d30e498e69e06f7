import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CAUSE_NAMES, CAUSES, MISSING_EVIDENCE } from "../../../src/explain/causes.js";
import { wakeupExplanation } from "../../../src/explain/explanation.js";

void test("every cause is in the list, in the schema and in docs/explain.md, and nothing else is", () => {
  const documented = [...readFileSync("docs/explain.md", "utf8").matchAll(/^\| `([a-z-]+)` \|/gm)].map(
    ([, name]) => name,
  );
  assert.deepEqual(Object.keys(CAUSES), [...CAUSE_NAMES]);
  assert.deepEqual(documented, [...CAUSE_NAMES]);
  assert.deepEqual(wakeupExplanation.shape.cause.options, [...CAUSE_NAMES]);
});

void test("every kind of missing evidence is in the schema", () => {
  assert.deepEqual(wakeupExplanation.shape.missing.element.options, Object.keys(MISSING_EVIDENCE));
});
