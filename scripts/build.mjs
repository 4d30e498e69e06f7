#!/usr/bin/env node
// Builds what is not committed: the compiled TypeScript and the engine. `build.mjs [ts|wasm|native …]`; all without a word.
import { spawnSync } from "node:child_process";

const root = new URL("..", import.meta.url).pathname;
const run = (command, args) => {
  const result = spawnSync(command, args, { stdio: "inherit", cwd: root });
  if (result.status !== 0) process.exit(result.status ?? 1);
};
const node = (...args) => run(process.execPath, args);
const steps = {
  ts: () => node("node_modules/typescript/bin/tsc", "-p", "."),
};
const wanted = process.argv.slice(2);
for (const [name, step] of Object.entries(steps)) if (wanted.length === 0 || wanted.includes(name)) step();
