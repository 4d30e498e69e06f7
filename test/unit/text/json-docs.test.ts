import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { explanation } from "../../../src/explain/explanation.js";
import { erasTable } from "../../../src/parse/result/eras.js";
import { jsonDocs, resultSchema } from "../../../src/text/json-docs.js";

const doc = (name: string): string => readFileSync(resolve("docs", name), "utf8");

void test("docs/json.md and the published schema are those of the code (else run scripts/docs.mjs)", () => {
  assert.equal(doc("json.md"), jsonDocs(explanation));
  assert.equal(doc("run-result.schema.json"), `${JSON.stringify(resultSchema(), null, 2)}\n`);
});

void test("docs/parse.md lists every age", () => {
  assert.ok(doc("parse.md").includes(erasTable()));
});

void test("every warning that a reader gives is explained in docs/parse.md", () => {
  const text = doc("parse.md");
  const readers = readdirSync(resolve("src/parse"), { recursive: true, encoding: "utf8" });
  const files = [
    "text/upstream-artefacts.ts",
    ...readers.filter((name) => name.endsWith(".ts")).map((name) => `parse/${name}`),
  ];
  let codes = 0;
  for (const file of files)
    for (const [, code = ""] of readFileSync(resolve("src", file), "utf8").matchAll(/code: "([a-z-]+)"/g)) {
      codes++;
      assert.match(text, new RegExp(`^\\| [^|]*\\b${code}\\b[^|]* \\|`, "m"), `${code} is not explained`);
    }
  assert.ok(codes >= 15, `${codes} codes found`);
});
