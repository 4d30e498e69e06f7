/**
 * A list is not asked for an element that may not be there with a plausible number at hand: `counts[i] ?? 0` hides a wrong index. An element
 * that must be there is read with `at` of src/at.ts, which throws; one that may be missing with `list.at(i)` or a map's `get`,
 * which say so.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

const root = new URL("../../..", import.meta.url).pathname;

/** `xs[i] ?? 0`, with any number, `NaN`, `Infinity` or empty text; not `xs?.[i]` (no list), nor `env["NAME"]` (a name). */
const FALLBACK =
  /(?<!\?\.)(?<=[\w)\]!])\[(?!["'])(?:[^[\]]|\[[^\]]*\])+\]\s*\?\?\s*(?:-?(?:\d[\d_.e]*n?|Infinity|(?:Number\.)?NaN)(?![\w.(])|""|''|``)/g;

const fallbacksIn = (text: string): readonly string[] => [...text.matchAll(FALLBACK)].map(([found]) => found);

test("a fallback of an index is known where one stands", () => {
  for (const text of [
    "counts[i] ?? 0",
    "counts[i + 1] ?? 0n",
    "rows[index]\n      ?? -1",
    "of(x)[0] ?? Number.NaN",
    "words[spans[i] + 1] ?? ''",
    'match[1] ?? "";',
    "edges[k] ?? Infinity",
    "sizes[0] ?? 1e3",
  ])
    assert.equal(fallbacksIn(text).length, 1, text);
  for (const text of [
    "at(counts, i)",
    "counts.at(i) ?? 0",
    'env["PATH"] ?? ""',
    'pattern.exec(text)?.[1] ?? ""',
    "known[i] ?? null",
    "const all = [a ?? 0, b]",
    "rows[i] ?? []",
  ])
    assert.deepEqual(fallbacksIn(text), [], text);
});

test("nothing under src hides a wrong index behind a plausible value", () => {
  const files = readdirSync(`${root}src`, { recursive: true, encoding: "utf8" }).filter((name) => /\.c?ts$/.test(name));
  assert.ok(files.length > 300, `${files.length} files`);
  const found = files.flatMap((name) =>
    fallbacksIn(readFileSync(`${root}src/${name}`, "utf8")).map((text) => `src/${name}: ${text}`),
  );
  assert.deepEqual(found, [], "use at() from src/at.ts, or .at() where it may be missing");
});
