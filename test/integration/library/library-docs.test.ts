/** Every example of docs/library.md is compiled, strictly, and executed as a user's program would be. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const DOCS = readFileSync("docs/library.md", "utf8");
/** The package under test: examples inside of it import it by its name, through its exports. */
const BUILT = fileURLToPath(new URL("../../..", import.meta.url));
const COMPILER = fileURLToPath(new URL("../../../../node_modules/typescript/bin/tsc", import.meta.url));

const LIBRARY = new URL("../../../src/index.js", import.meta.url).href;

const examples = [...DOCS.matchAll(/^```ts\n(.*?)^```$/gmsu)].map(([, code = ""]) => code);
const CONFIG = {
  compilerOptions: {
    target: "es2023",
    lib: ["es2023"],
    types: ["node"],
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    rootDir: ".",
  },
  include: ["*.ts"],
};

const run = (folder: string, ...argv: readonly string[]) =>
  spawnSync(process.execPath, argv, {
    cwd: folder,
    encoding: "utf8",
    timeout: 120_000,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });

/** The title of an example: the heading above it. */
const headingOf = (code: string): string =>
  [...DOCS.slice(0, DOCS.indexOf(code)).matchAll(/^#+ (.*)$/gmu)].at(-1)?.[1] ?? "";

test("the examples of docs/library.md compile and run", async (t) => {
  assert.ok(examples.length >= 12, "the examples were found");
  const folder = mkdtempSync(join(BUILT, "examples-"));
  try {
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(CONFIG));
    examples.forEach((code, index) => writeFileSync(join(folder, `example-${index}.ts`), code));
    const compiled = run(folder, COMPILER, "-p", ".");
    assert.equal(compiled.stdout + compiled.stderr, "");
    for (const [index, code] of examples.entries())
      await t.test(headingOf(code), () => {
        const { status, stdout, stderr } = run(folder, `example-${index}.js`);
        assert.equal(stderr, "");
        assert.equal(status, 0);
        assert.doesNotMatch(stdout, /undefined|NaN|\[object/u);
        if (code.includes("console.log")) assert.notEqual(stdout, "");
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("docs/library.md says no other than what is: every name it imports and every class it lists exists", async () => {
  const library: object = await import(LIBRARY);
  const imported = examples.flatMap((code) =>
    [...code.matchAll(/import \{(.*?)\} from "schbench-ts"/gsu)].flatMap(([, names = ""]) =>
      names.split(",").map((name) => name.trim()),
    ),
  );
  const values = imported.filter((name) => !name.startsWith("type "));
  const classes = [...DOCS.matchAll(/^\| `(\w+Error)`/gmu)].map(([, name = ""]) => name);
  for (const name of [...values, ...classes]) assert.ok(name in library, name);
  assert.equal(classes.length, 4);
});

test("docs/library.md names every function of the library", async () => {
  const library: object = await import(LIBRARY);
  for (const name of Object.keys(library)) if (name !== "METRICS") assert.ok(DOCS.includes(name), name);
});
