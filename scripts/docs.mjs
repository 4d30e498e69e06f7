#!/usr/bin/env node
// Writes what is made from the option tables: docs/options.md, the man page, the completions. Needs a build.
//   docs.mjs [--check] [--dist DIR]     --check: write nothing, fail when a file is stale
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = new URL("..", import.meta.url).pathname;
const words = process.argv.slice(2);
const dist = words.includes("--dist") ? words[words.indexOf("--dist") + 1] : `${root}dist`;
const compiled = (module) => import(pathToFileURL(resolve(dist, `src/cli/${module}`)).href);
const { generatedFiles } = await compiled("help/help-files.js");
const { commandBook } = await compiled("command-list.js");

const current = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
};
let stale = 0;
for (const { path, text } of await generatedFiles(commandBook)) {
  if (current(root + path) === text) continue;
  stale++;
  console.log(`${words.includes("--check") ? "stale" : "written"}: ${path}`);
  if (words.includes("--check")) continue;
  mkdirSync(dirname(root + path), { recursive: true });
  writeFileSync(root + path, text);
}
if (words.includes("--check") && stale > 0) {
  console.error("Run node scripts/docs.mjs and commit the result.");
  process.exit(1);
}
