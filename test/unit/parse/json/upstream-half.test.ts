import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOutput } from "../../../../src/parse/parse-output.js";
import { schbenchJson } from "../../../../src/text/schbench-json.js";
import { fullPipeResult, fullRateResult } from "../../../helpers/fakes/full-result.js";

type Halves = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

for (const [what, result] of [
  ["a rate run", fullRateResult()],
  ["a pipe run", fullPipeResult()],
] as const) {
  const document: Halves = JSON.parse(schbenchJson(result));
  const read = (changed: Halves) => parseOutput(JSON.stringify(changed), { file: "f" });

  test(`${what} whose two halves say the same is read, also when upstream's half lacks a key or has one more`, () => {
    assert.deepEqual(read(document), [result]);
    for (const half of ["normal", "int"])
      for (const key of Object.keys(document[half] ?? {})) {
        const { [key]: _, ...rest } = document[half] ?? {};
        assert.deepEqual(read({ ...document, [half]: { ...rest, other: 5 } }), [result]);
      }
  });

  test(`${what} of which one half was changed is refused, and the field named`, () => {
    let tried = 0;
    for (const half of ["normal", "int"])
      for (const [key, value] of Object.entries(document[half] ?? {})) {
        const other = typeof value === "number" ? value + 1 : 5;
        tried++;
        assert.throws(() => read({ ...document, [half]: { ...document[half], [key]: other } }), {
          name: "ParseError",
          message: `f:1: contradiction: "${key}" under "${half}" is ${other}, the result under "schbench_ts" has ${JSON.stringify(value)}`,
        });
      }
    assert.ok(tried > 12);
  });
}
