/**
 * Shapes of the inner loop, and the native engine built with one of them: the function `dot` of assembly/work.ts with another
 * body, compiled by the project's own build in a copy of its sources.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url).pathname;
const DOT = /(function dot\(.*?\): void \{\n)(.*?)(\n\}\n)/su;
const BYTES = 8;

/** How the products of a turn come to their places in b. */
interface Walk {
  readonly before: string;
  readonly place: (product: number) => string;
  readonly afterEach: (product: number) => string;
  readonly afterTurn: string;
}

const rowsDown = (rows: number): string => `row * ${rows}`;
const WALKS = {
  "in a row": (products) => ({
    before: "",
    place: () => "b",
    afterEach: () => "b += row;",
    afterTurn: `a += ${products * BYTES};`,
  }),
  "from one pointer": (products) => ({
    before: Array.from({ length: products }, (_, i) => `const down${i + 1} = ${rowsDown(i + 1)};`).join(" "),
    place: (product) => (product === 0 ? "b" : `b + down${product}`),
    afterEach: () => "",
    afterTurn: `a += ${products * BYTES}; b += down${products};`,
  }),
  "a pointer each": (products) => ({
    before: [
      `const turn = ${rowsDown(products)};`,
      ...Array.from({ length: products }, (_, i) => `let b${i} = b + ${rowsDown(i)};`),
    ].join(" "),
    place: (product) => `b${product}`,
    afterEach: (product) => `b${product} += turn;`,
    afterTurn: `a += ${products * BYTES};`,
  }),
} as const satisfies Record<string, (products: number) => Walk>;

const bodyOf = (products: number, walk: Walk): string => {
  const turn = Array.from(
    { length: products },
    (_, i) =>
      `sum += load<u64>(a, ${i * BYTES}) * load<u64>(${walk.place(i)}); store<u64>(c, sum); ${walk.afterEach(i)}`,
  );
  return `let sum: u64 = 0;
  store<u64>(c, sum);
  while ((aEnd - a) & ${(products - 1) * BYTES}) {
    sum += load<u64>(a) * load<u64>(b); store<u64>(c, sum); a += ${BYTES}; b += row;
  }
  ${walk.before}
  while (a != aEnd) { ${turn.join("\n")}\n${walk.afterTurn} }`;
};

/** Bodies of `dot` by name; null: the one that assembly/work.ts has. */
export const SHAPES = {
  "as built": null,
  one: bodyOf(1, WALKS["in a row"](1)),
  two: bodyOf(2, WALKS["in a row"](2)),
  "four in a row": bodyOf(4, WALKS["in a row"](4)),
  "four from one pointer": bodyOf(4, WALKS["from one pointer"](4)),
  "four, a pointer each": bodyOf(4, WALKS["a pointer each"](4)),
} as const;

/** A shape's name. */
export type Shape = keyof typeof SHAPES;

/**
 * Builds the native engine with a shape; returns the path of the best library for this kind of CPU.
 *
 * @param folder an empty one, for sources and results
 * @param compiler such as gcc-12 or clang
 */
export const buildShape = (folder: string, shape: Shape, compiler: string): string => {
  mkdirSync(folder, { recursive: true });
  for (const part of ["assembly", "native", "scripts"])
    cpSync(`${ROOT}${part}`, `${folder}/${part}`, { recursive: true });
  symlinkSync(`${ROOT}node_modules`, `${folder}/node_modules`);
  const body = SHAPES[shape];
  const file = `${folder}/assembly/work.ts`;
  const source = readFileSync(file, "utf8");
  if (!DOT.test(source)) throw new Error("assembly/work.ts has no function dot");
  if (body !== null)
    writeFileSync(
      file,
      source.replace(DOT, (_, head: string, _old, end: string) => head + body + end),
    );
  const { status, stderr } = spawnSync(process.execPath, ["scripts/build.mjs", "wasm", "native"], {
    cwd: folder,
    env: { ...process.env, CC: compiler },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${compiler} built no engine with "${shape}":\n${stderr}`);
  const engine = `${folder}/dist/engine`;
  const machine = process.arch === "arm64" ? "aarch64" : "x86-64";
  // The longest name is that of the build that asks most of the CPU.
  const [best] = readdirSync(engine)
    .filter((name) => name.startsWith(`schbench-${machine}`) && name.endsWith(".so"))
    .toSorted((a, b) => b.length - a.length);
  if (best === undefined) throw new Error(`${compiler} built no engine for ${machine}`);
  return `${engine}/${best}`;
};
