#!/usr/bin/env node
// Builds what is not committed: the compiled TypeScript, the command, the Wasm module and the native engine.
//   build.mjs [ts] [command] [wasm] [native]     all of them without a word
// CC chooses the compiler of the native engine (gcc or clang, whichever is found first, without it).
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { buildNative } from "./build/native.mjs";
import { removeStale } from "./build/stale.mjs";

const root = new URL("..", import.meta.url).pathname;
const wasm = "dist/engine/schbench.wasm";

const node = (...args) => {
  const result = spawnSync(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"], cwd: root });
  if (result.status !== 0) process.exit(result.status ?? 1);
};

const steps = {
  ts: () => {
    removeStale(root);
    node("node_modules/typescript/bin/tsc", "-p", ".");
  },
  command: async () => {
    const { buildCommand } = await import("./build/command.mjs");
    await buildCommand(`${root}dist`);
  },
  wasm: () => {
    mkdirSync(`${root}dist/engine`, { recursive: true });
    node(
      ...`node_modules/assemblyscript/bin/asc.js assembly/index.ts -o ${wasm}`.split(" "),
      ..."-O3 --noAssert --runtime stub --use abort= --enable threads".split(" "),
      ..."--importMemory --sharedMemory --initialMemory 1 --maximumMemory 65536".split(" "),
    );
  },
  native: () => {
    if (!existsSync(`${root}${wasm}`)) steps.wasm();
    buildNative(root, wasm, node);
  },
};

const wanted = process.argv.slice(2);
for (const word of wanted)
  if (!(word in steps)) {
    console.error(`unknown step "${word}": ${Object.keys(steps).join(", ")}`);
    process.exit(1);
  }
if (!existsSync(`${root}node_modules/rolldown`)) {
  console.error(
    "cannot build without the development dependencies (npm ci --omit=dev leaves them out)\n" +
      "Install all: npm ci; or the built package, which needs none of them: npm pack, then npm install its file.",
  );
  process.exit(1);
}
for (const [name, step] of Object.entries(steps)) if (wanted.length === 0 || wanted.includes(name)) await step();
