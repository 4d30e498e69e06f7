#!/usr/bin/env node
// `npm start` in a checkout: the command, or a word on how to get it.
import { existsSync } from "node:fs";

const command = new URL("../dist/command/bin.cjs", import.meta.url);
if (existsSync(command)) await import(command.href);
else {
  console.error("schbench-ts is not built yet (npm ci --ignore-scripts leaves that out)\nBuild it: npm run build.");
  process.exit(1);
}
