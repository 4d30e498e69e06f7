#!/usr/bin/env node
// Runs the compiled tests with Node's own runner, which takes a list of files on every Node version.
//   test.mjs [--no-build] [KIND or path part …]     kinds: unit property golden integration types browser stress
// Without a word, everything runs but the kinds that are too long for every change (see LONG).
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

const LONG = ["stress"];
const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const root = new URL("..", import.meta.url).pathname;

if (!process.argv.includes("--no-build")) {
  const build = spawnSync(process.execPath, [`${root}scripts/build.mjs`], { stdio: "inherit" });
  if (build.status !== 0) process.exit(build.status ?? 1);
}
const files = readdirSync(`${root}dist/test`, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith(".test.js"))
  .filter((file) =>
    words.length === 0 ? !LONG.some((kind) => file.startsWith(`${kind}/`)) : words.some((word) => file.includes(word)),
  )
  .sort()
  .map((file) => `dist/test/${file}`);
if (files.length === 0) {
  console.error(`no test matches ${words.join(" ")}`);
  process.exit(1);
}
const run = spawnSync(process.execPath, ["--test", "--test-reporter=spec", "--test-concurrency=1", ...files], {
  stdio: "inherit",
  cwd: root,
  env: { ...process.env, NO_COLOR: "1" },
});
process.exit(run.status ?? 1);
