// Small C loops, compiled here and now: what gcc and clang do with them is what the code must recognise.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { ProductLoopFacts } from "../../../src/codegen/build-facts.js";
import { codegenFacts } from "../../../src/codegen/codegen-facts.js";
import { codegenVerdict } from "../../../src/codegen/codegen-verdict.js";
import { objdumpListing } from "../../../src/codegen/listings/objdump-listing.js";
import { buildFacts } from "./listing-support.js";

/** The loops; each function is one case. The first is the kernel: c may alias a and b, so every sum must be stored. */
const SOURCE = `
#include <stdint.h>
#include <stdlib.h>
typedef uint64_t u64;
void kernel(u64 *a, u64 *b, u64 *c, u64 side) {
  for (u64 i = 0; i < side; i++)
    for (u64 j = 0; j < side; j++) {
      c[i * side + j] = 0;
      for (u64 k = 0; k < side; k++) c[i * side + j] += a[i * side + k] * b[k * side + j];
    }
}
void hoisted(u64 *restrict a, u64 *restrict b, u64 *restrict c, u64 side) {
  for (u64 i = 0; i < side; i++)
    for (u64 j = 0; j < side; j++) {
      u64 sum = 0;
      for (u64 k = 0; k < side; k++) sum += a[i * side + k] * b[k * side + j];
      c[i * side + j] = sum;
    }
}
u64 rows(const u64 *a, const u64 *b, u64 side) {
  u64 sum = 0;
  for (u64 k = 0; k < side; k++) sum += a[k] * b[k];
  return sum;
}
void dead(const u64 *a, const u64 *b, u64 side) {
  u64 sum = 0;
  for (u64 k = 0; k < side; k++) sum += a[k] * b[k];
}
void pairs(const u64 *a, const u64 *b, u64 *c, u64 side) {
  u64 sum = 0;
  u64 k = 0;
  do {
    sum += a[k] * b[k];
    *c = sum;
    sum += a[k + 1] * b[k + 1];
    *c = sum;
    k += 2;
  } while (k < side);
}
void checked(const u64 *a, const u64 *b, u64 *c, u64 side, volatile u64 *limit) {
  u64 sum = 0;
  for (u64 k = 0; k != side; k++) {
    if (k >= *limit) abort();
    sum += a[k] * b[k];
    *c = sum;
  }
}
`;

interface Toolchain {
  readonly compiler: string;
  readonly objdump: string;
  readonly machine: "x86-64" | "aarch64";
}

const TOOLCHAINS: readonly Toolchain[] = [
  { compiler: "gcc", objdump: "objdump", machine: "x86-64" },
  { compiler: "clang", objdump: "objdump", machine: "x86-64" },
  { compiler: "aarch64-linux-gnu-gcc", objdump: "aarch64-linux-gnu-objdump", machine: "aarch64" },
];

const directory = mkdtempSync(join(tmpdir(), "schbench-ts-codegen-"));
after(() => rmSync(directory, { recursive: true, force: true }));
const sourceFile = join(directory, "loops.c");
writeFileSync(sourceFile, SOURCE);

const starts = (tool: string): boolean => spawnSync(tool, ["--version"]).status === 0;

/** Why a test with this toolchain is skipped; false when it can run. */
const skipReason = ({ compiler, objdump, machine }: Toolchain): string | false => {
  if (!starts(compiler)) return `no ${compiler} here`;
  if (!starts(objdump)) return `no ${objdump} here`;
  return !compiler.includes("aarch64") && process.arch !== "x64"
    ? `${compiler} does not make ${machine} code here`
    : false;
};

const run = (tool: string, args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(tool, args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  assert.equal(status, 0, `${tool} ${args.join(" ")}: ${stderr}`);
  return stdout;
};

/** Product loops of SOURCE by function, compiled with the given options; the listing in the given syntax. */
const loopsOf = (
  { compiler, objdump }: Toolchain,
  options: readonly string[],
  syntax: readonly string[] = [],
): ReadonlyMap<string, readonly ProductLoopFacts[]> => {
  const library = join(directory, `${compiler}${options.join("")}.so`);
  if (!existsSync(library)) run(compiler, [...options, "-shared", "-fPIC", "-o", library, sourceFile]);
  const listing = objdumpListing(run(objdump, ["-d", "--no-show-raw-insn", ...syntax, library]), library);
  return byFunction(codegenFacts(listing, "x", "objdump").loops);
};

const byFunction = (loops: readonly ProductLoopFacts[]): ReadonlyMap<string, readonly ProductLoopFacts[]> => {
  const map = new Map<string, ProductLoopFacts[]>();
  for (const loop of loops) map.set(loop.functionName, [...(map.get(loop.functionName) ?? []), loop]);
  return map;
};

/** Facts without where they were found: a stripped library shows all functions as one. */
const nameless = (loops: ReadonlyMap<string, readonly ProductLoopFacts[]>): readonly ProductLoopFacts[] =>
  [...loops.values()].flat().map((loop) => ({ ...loop, functionName: "", offset: 0 }));

const sentenceOf = (loops: readonly ProductLoopFacts[] | undefined): string =>
  codegenVerdict(buildFacts("x", loops ?? [])).sentence;

for (const toolchain of TOOLCHAINS) {
  const { compiler } = toolchain;
  const skip = skipReason(toolchain);
  const vector = toolchain.machine === "x86-64" ? ["-O3", "-march=x86-64-v3"] : ["-O3", "-march=armv8-a+sve"];

  for (const options of [["-O2"], vector]) {
    void test(`${compiler} ${options.join(" ")}: the kernel is scalar and stores every sum`, { skip }, () => {
      const loops = loopsOf(toolchain, options).get("kernel") ?? [];
      assert.ok(loops.length > 0);
      for (const loop of loops) {
        const products = loop.productsPerTurn ?? 0;
        assert.ok(products > 0);
        assert.deepEqual(
          [loop.scalarMultiplies, loop.elementLoads, loop.resultStores, loop.vectorMultiplies],
          [products, 2 * products, products, 0],
        );
      }
      assert.equal(sentenceOf(loops), "scalar, not vectorised, one store per product");
    });
  }

  test(`${compiler}: a store that is moved out of the loop is a fault`, { skip }, () => {
    const loops = loopsOf(toolchain, ["-O2"]).get("hoisted") ?? [];
    assert.deepEqual(
      loops.map((loop) => loop.result),
      loops.map(() => "used after the loop"),
    );
    assert.match(sentenceOf(loops), /hoisted\+0x[0-9a-f]+: .*stores the sum only after the loop/);
  });

  test(`${compiler} ${vector.join(" ")}: a vectorised loop is a fault`, { skip }, () => {
    const loops = loopsOf(toolchain, vector).get("rows") ?? [];
    assert.ok(loops.some((loop) => loop.vectorMultiplies > 0 && loop.productsPerTurn === null));
    assert.match(sentenceOf(loops), /rows\+0x[0-9a-f]+: vectorised \(\d+ vector multipl/);
  });

  test(`${compiler}: a loop that was removed is not found`, { skip }, () => {
    assert.equal(loopsOf(toolchain, ["-O2"]).has("dead"), false);
  });

  test(`${compiler}: two products per turn are two stores per turn`, { skip }, () => {
    const [loop, ...others] = loopsOf(toolchain, ["-O2"]).get("pairs") ?? [];
    assert.deepEqual([loop?.productsPerTurn, loop?.resultStores, loop?.elementLoads, others.length], [2, 2, 4, 0]);
  });

  test(`${compiler}: a check that ends in abort is a bounds check`, { skip }, () => {
    for (const options of [["-O2"], ["-Os"]]) {
      const loops = loopsOf(toolchain, options).get("checked") ?? [];
      assert.ok(loops.length > 0);
      for (const loop of loops) assert.equal(loop.boundsChecks, loop.productsPerTurn);
    }
  });
}

for (const toolchain of TOOLCHAINS.filter(({ machine }) => machine === "x86-64")) {
  test(`${toolchain.compiler}: Intel syntax gives the same facts as AT&T`, { skip: skipReason(toolchain) }, () => {
    const options = ["-O3", "-march=x86-64-v3"];
    assert.deepEqual(loopsOf(toolchain, options, ["-M", "intel"]), loopsOf(toolchain, options, ["-M", "att"]));
  });

  test(`${toolchain.compiler}: a stripped library shows the same loops`, { skip: skipReason(toolchain) }, () => {
    const stripped = loopsOf(toolchain, ["-O2", "-s", "-fvisibility=hidden"]);
    assert.deepEqual([...stripped.keys()], [".text"]);
    assert.deepEqual(nameless(stripped), nameless(loopsOf(toolchain, ["-O2"])));
  });
}
