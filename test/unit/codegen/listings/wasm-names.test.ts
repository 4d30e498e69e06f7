import assert from "node:assert/strict";
import { test } from "node:test";
import { exportedFunctionNames } from "../../../../src/codegen/listings/wasm-names.js";

/** A module with the given sections; each is id, length and body. */
const moduleOf = (...sections: readonly (readonly number[])[]): Uint8Array =>
  new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flat()]);

const text = (name: string): readonly number[] => [name.length, ...new TextEncoder().encode(name)];

test("exported functions are named by index, other exports are left out", () => {
  const body = [3, ...text("memory"), 2, 0, ...text("do_some_math"), 0, 16, ...text("late"), 0, 0x80, 0x01];
  const module = moduleOf([1, 1, 0], [7, body.length, ...body]);
  assert.deepEqual(
    [...exportedFunctionNames(module)],
    [
      [16, "do_some_math"],
      [128, "late"],
    ],
  );
});

test("a module without exports, a cut one and an empty file have no names", () => {
  assert.equal(exportedFunctionNames(moduleOf([1, 1, 0])).size, 0);
  assert.equal(exportedFunctionNames(moduleOf([7, 40, 200])).size, 0);
  assert.equal(exportedFunctionNames(new Uint8Array()).size, 0);
});

test("the names agree with what WebAssembly itself says of a module", () => {
  // (func (export "twice")) (func (export "once"))
  const module = moduleOf(
    [1, 4, 1, 0x60, 0, 0],
    [3, 3, 2, 0, 0],
    [7, 16, 2, ...text("twice"), 0, 1, ...text("once"), 0, 0],
    [10, 7, 2, 2, 0, 0x0b, 2, 0, 0x0b],
  );
  // What an instance calls an exported function is its index.
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), {});
  const known = Object.entries(exports).map(([name, value]) => [
    typeof value === "function" ? Number(value.name) : -1,
    name,
  ]);
  assert.deepEqual([...exportedFunctionNames(module)], known);
});
