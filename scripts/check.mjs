#!/usr/bin/env node
// What every change must pass, in under a minute: format, lint, types, unused code, generated docs, and the tests that start
// no benchmark and simulate none. Prints what it does, stops at the first failure.
//   check.mjs [--no-tests]
import { spawnSync } from "node:child_process";

const root = new URL("..", import.meta.url).pathname;
const node = process.execPath;
const STEPS = [
  ["types and engine", node, "scripts/build.mjs"],
  ["format", "node_modules/.bin/oxfmt", "--check", "."],
  ["lint", "node_modules/.bin/oxlint"],
  ["unused code", "node_modules/.bin/knip"],
  ["workflows", node, "scripts/workflows-check.mjs"],
  ["generated docs", node, "scripts/docs.mjs", "--check"],
  ["tests", node, "scripts/test.mjs", "--no-build", "unit/", "property/", "golden/", "types/"],
];

for (const [name, command, ...args] of STEPS) {
  if (name === "tests" && process.argv.includes("--no-tests")) continue;
  const started = Date.now();
  const isTests = name === "tests";
  const result = spawnSync(command, args, { cwd: root, encoding: "utf8", stdio: isTests ? "inherit" : "pipe" });
  if (result.status !== 0) {
    console.error(`${name}: failed\n${result.stdout ?? ""}${result.stderr ?? ""}`);
    process.exit(1);
  }
  console.log(`${name}: fine (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
