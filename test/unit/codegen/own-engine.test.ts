// The engine as built here: its inner loops must be what the C program's are.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { test } from "node:test";
import { runTool } from "../../../src/cli/io/run-tool.js";
import { codegenVerdict } from "../../../src/codegen/codegen-verdict.js";
import { inspectNative, inspectV8 } from "../../../src/codegen/inspect.js";

const engine = resolve("dist/engine");
const module = resolve(engine, "schbench.wasm");
const libraries = existsSync(engine) ? readdirSync(engine).filter((file) => file.endsWith(".so")) : [];
const objdump = await runTool("objdump", ["--version"]);

const skipModule = existsSync(module) ? false : "the engine's module is not built";
test("the module under this Node is scalar with one store per product", { skip: skipModule }, async () => {
  const facts = await inspectV8(process.execPath, module, runTool, readFile);
  assert.deepEqual(codegenVerdict(facts).faults, []);
  assert.ok(facts.loops.some((loop) => loop.functionName === "do_some_math"));
});

const skipLibraries =
  libraries.length === 0 ? "no native engine is built" : objdump.kind === "missing" && "no objdump here";
test(
  "every native library is scalar, with one store per product and no bounds check",
  { skip: skipLibraries },
  async () => {
    const native = libraries.filter((file) => !file.includes("aarch64") || process.arch === "arm64");
    for (const library of native) {
      const facts = await inspectNative(resolve(engine, library), runTool);
      assert.deepEqual(codegenVerdict(facts).faults, [], library);
      for (const loop of facts.loops) assert.equal(loop.boundsChecks, 0, library);
    }
  },
);
