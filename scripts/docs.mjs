#!/usr/bin/env node
// Writes every committed file that is made from the code: docs/options.md, the man page and the completions from the option
// tables; docs/json.md, the schema of the run result and the ages in docs/parse.md from the code. Needs a build.
//   docs.mjs [--check] [--dist DIR]     --check: write nothing, fail when a file is stale
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { optionDocs } from "./docs/option-docs.mjs";
import { resultDocs } from "./docs/result-docs.mjs";

const root = new URL("..", import.meta.url).pathname;
const words = process.argv.slice(2);
const isCheck = words.includes("--check");
const dist = words.includes("--dist") ? words[words.indexOf("--dist") + 1] : `${root}dist`;
const load = (module) => import(pathToFileURL(resolve(dist, "src", module)).href);
const current = (path) => {
  try {
    return readFileSync(root + path, "utf8");
  } catch {
    return null;
  }
};

const stale = [...(await optionDocs(load)), ...(await resultDocs(load, current))].filter(
  ({ path, text }) => current(path) !== text,
);
for (const { path, text } of stale) {
  console.log(`${isCheck ? "stale" : "written"}: ${path}`);
  if (isCheck) continue;
  mkdirSync(dirname(root + path), { recursive: true });
  writeFileSync(root + path, text);
}
if (isCheck && stale.length > 0) {
  console.error("Run node scripts/docs.mjs and commit the result.");
  process.exit(1);
}
