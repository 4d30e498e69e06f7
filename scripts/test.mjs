#!/usr/bin/env node
// Runs the compiled tests with Node's own runner, which takes a list of files on every Node version.
//   test.mjs [--no-build] [KIND/ or part of a path …]     kinds: unit property golden types simulation integration browser stress
// Without a word, everything runs but stress, which is too long for every change.
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";

const LONG = ["stress/"];
/** Tests of pure code share a few processes: starting one for each of a hundred files would take longer than they do. */
const PURE = ["unit/", "property/", "golden/", "types/", "simulation/"];
/** Most tests that start commands wait for most of their time: so many run at once. */
const STARTED_AT_ONCE = 2 * availableParallelism();
/** Tests that look at where threads stand, how long they wait or how many there can be have the machine to themselves. */
const ALONE = [
  "birth",
  "validate-fingerprint",
  "explain",
  "fingerprint",
  "many-threads",
  "paused-run",
  "engine-threads",
  "loads",
];
/** Properties draw the same cases in every run; FC_SEED=$RANDOM looks for new ones. */
const SEED = `import fc from "fast-check";\nfc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 1) });\n`;
const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const root = new URL("..", import.meta.url).pathname;

const run = (args) => {
  const env = { ...process.env, NO_COLOR: "1" };
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit", cwd: root, env });
  if (status !== 0) process.exit(status ?? 1);
};
const runTests = (files, concurrency) => {
  if (files.length > 0) run(["--test", "--test-reporter=spec", `--test-concurrency=${concurrency}`, ...files]);
};
const startsWithAny = (file, kinds) => kinds.some((kind) => file.startsWith(kind));

if (!process.argv.includes("--no-build")) run(["scripts/build.mjs"]);

const files = readdirSync(`${root}dist/test`, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith(".test.js"))
  .filter((file) => (words.length === 0 ? !startsWithAny(file, LONG) : words.some((word) => file.includes(word))))
  .toSorted();
if (files.length === 0) {
  console.error(`no test matches ${words.join(" ")}`);
  process.exit(1);
}

const pure = files.filter((file) => startsWithAny(file, PURE));
const shares = Math.min(availableParallelism(), pure.length);
const bundles = Array.from({ length: shares }, (_, share) => {
  const bundle = `dist/test/pure-${share}.mjs`;
  const imports = pure.filter((_file, i) => i % shares === share).map((file) => `await import("./${file}");\n`);
  writeFileSync(root + bundle, [SEED, ...imports].join(""));
  return bundle;
});
runTests(bundles, shares);
const started = files.filter((file) => !pure.includes(file));
const isAlone = (file) => ALONE.some((name) => file.includes(`/${name}`));
const built = (file) => `dist/test/${file}`;
runTests(started.filter((file) => !isAlone(file)).map(built), STARTED_AT_ONCE);
runTests(started.filter(isAlone).map(built), 1);
