import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { jsonAt } from "../../../src/parse/json-values.js";

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
