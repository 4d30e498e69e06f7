#!/usr/bin/env node
// Writes what is made from the schema of the run result: docs/run-result.schema.json and docs/json.md, and the table of
// ages in docs/parse.md. Needs a build.
//   json-docs.mjs [--check] [--dist DIR]     --check: write nothing, fail when a file is stale
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = new URL("../..", import.meta.url).pathname;
const words = process.argv.slice(2);
const dist = words.includes("--dist") ? words[words.indexOf("--dist") + 1] : `${root}dist`;
const load = (path) => import(pathToFileURL(resolve(dist, "src", path)).href);
const { resultSchema, jsonDocs } = await load("text/json-docs.js");
const { explanation } = await load("explain/explanation.js");
const { erasTable } = await load("parse/result/eras.js");

const current = (path) => {
  try {
    return readFileSync(root + path, "utf8");
  } catch {
    return "";
  }
};
const MARKS = ["<!-- ages: generated -->", "<!-- end of ages -->"];
const withAges = (text) => {
  const [start, end] = MARKS.map((mark) => text.indexOf(mark));
  return start < 0 || end < start
    ? text
    : `${text.slice(0, start + MARKS[0].length)}\n\n${erasTable()}\n${text.slice(end)}`;
};

let stale = 0;
for (const [path, text] of [
  ["docs/run-result.schema.json", `${JSON.stringify(resultSchema(), null, 2)}\n`],
  ["docs/json.md", jsonDocs(explanation)],
  ["docs/parse.md", withAges(current("docs/parse.md"))],
]) {
  if (current(path) === text) continue;
  stale++;
  console.log(`${words.includes("--check") ? "stale" : "written"}: ${path}`);
  if (!words.includes("--check")) writeFileSync(root + path, text);
}
if (words.includes("--check") && stale > 0) {
  console.error("Run node scripts/docs/json-docs.mjs and commit the result.");
  process.exit(1);
}
