import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { bracketEnds, jsonAt } from "../../../../src/parse/json/json-values.js";

const objects = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue());

void test("the end of a value is found, whatever its strings hold and whatever follows", () => {
  const after = fc.constantFrom("", "\n", "\r\n", " text on its line\n", '\n{"next": 1}\n', '"}');
  const written = fc.constantFrom<number | undefined>(undefined, 1, 2);
  fc.assert(
    fc.property(fc.string(), objects, written, after, (before, value, indent, behind) => {
      const json = JSON.stringify(value, null, indent);
      const found = jsonAt(`${before}${json}${behind}`, before.length);
      assert.ok(found !== null && "value" in found);
      assert.deepEqual(found.value, JSON.parse(json));
      // Blanks behind the last value of a text may count as part of it.
      assert.ok(found.end >= before.length + json.length);
      assert.equal(`${json}${behind}`.slice(json.length, found.end - before.length).trim(), "");
    }),
  );
});

void test("a value that is cut off within a string has no end", () => {
  assert.equal(jsonAt('{"a": "b\\"}', 0), null);
  assert.match(JSON.stringify(jsonAt('{"normal": {"a": "b\\"}}', 0)), /cut off or invalid/);
});

/** As many lines as make what is quadratic take minutes. */
const MANY = 200_000;

for (const [what, text] of [
  ["braces", "{\n".repeat(MANY)],
  ["objects that never end", '{"a":[\n'.repeat(MANY)],
  ["lines of a program", "  if (a) {\n    b();\n{\n".repeat(MANY / 4)],
] as const)
  void test(`a long text of ${what} is gone through a few times, not once for each`, () => {
    const endOf = bracketEnds(text);
    let visited = 0;
    for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
      assert.equal(jsonAt(text, start, endOf), null);
      visited++;
    }
    assert.ok(visited >= MANY / 4);
  });

void test("what closes within what never does is found all the same", () => {
  const text = '{\n{"b":[1]} {\n[{}]';
  const endOf = bracketEnds(text);
  assert.deepEqual([0, 2, 7, 12, 14, 15].map(endOf), [null, 11, 10, null, 18, 17]);
  const found = jsonAt(text, 2, endOf);
  assert.ok(found !== null && "value" in found);
  assert.deepEqual(found.value, { b: [1] });
});
