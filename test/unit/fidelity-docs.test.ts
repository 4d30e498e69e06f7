import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

const root = new URL("../../..", import.meta.url);
const tagsIn = (text: string): readonly string[] => [...new Set(text.match(/F-\d\d/gu))].toSorted();
const document = readFileSync(new URL("docs/fidelity.md", root), "utf8");

const testTitles = readdirSync(new URL("test", root), { recursive: true })
  .map(String)
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => readFileSync(new URL(`test/${file}`, root), "utf8"))
  .flatMap((text) => text.match(/test\(\s*[`"'][^\n]*F-\d\d/gu) ?? [])
  .join("\n");

test("every difference in docs/fidelity.md has a test that carries its number, and the other way round", () => {
  const documented = [...document.matchAll(/^\| (F-\d\d) \|/gmu)].map(([, tag = ""]) => tag);
  assert.ok(documented.length >= 30);
  assert.deepEqual(new Set(documented).size, documented.length, "no number twice");
  assert.deepEqual(tagsIn(testTitles), documented.toSorted());
});
