/**
 * What one matrix product costs with each shape of the inner loop, beside the C program:
 *   npm run bench:shapes -- [--reference NAME=BINARY …] [--compiler gcc …] [--shape "as built" …]
 *                           [--side 52,73,104,209] [--starts N]
 *
 * Untouched matrices, one worker, `-C`; every start is a process of its own, since addresses and with them the times of the
 * same code differ from process to process. All take turns, the order rotates. Prints a Markdown table: medians over
 * starts [lowest–highest], in µs. Only tables made on a quiet machine say something.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { percentileIn } from "../src/model/metrics/distribution.js";
import { fieldOf } from "../src/platform/files.js";
import { median } from "../src/stats/sample.js";
import { buildShape, type Shape, SHAPES } from "./build-shape.js";
import { type BenchSubject, ourSubject, referenceSubject, runSubject } from "./subjects.js";

/** Footprints whose matrices have these sides, and products a request so that it takes some milliseconds. */
const SIDES = {
  52: { footprintKib: 64, products: 50 },
  73: { footprintKib: 128, products: 20 },
  104: { footprintKib: 256, products: 5 },
  209: { footprintKib: 1024, products: 1 },
} as const;

const { values: options } = parseArgs({
  options: {
    reference: { type: "string", multiple: true, default: [] },
    compiler: { type: "string", multiple: true, default: ["gcc", "clang"] },
    shape: { type: "string", multiple: true, default: Object.keys(SHAPES) },
    side: { type: "string", default: Object.keys(SIDES).join(",") },
    starts: { type: "string", default: "9" },
  },
});

const shapes = Object.keys(SHAPES).filter((name): name is Shape => options.shape.includes(name));
const sides = Object.entries(SIDES).filter(([side]) => options.side.split(",").includes(side));

const cpu = (): string => {
  const info = readFileSync("/proc/cpuinfo", "utf8");
  const field = (name: string): string => fieldOf(info, name) ?? "unknown";
  return `${field("model name")} (family ${field("cpu family")}, model ${field("model")})`;
};

/** Microseconds per product in one start of a subject. */
const costOf = async (subject: BenchSubject, footprintKib: number, products: number): Promise<number> => {
  const flags = ["-m", "1", "-t", "1", "-C", "-s", "0", "-F", `${footprintKib}`, "-n", `${products}`, "-r", "1"];
  const { request } = await runSubject(subject, flags);
  const usec = percentileIn(request, 50);
  if (usec === null) throw new Error(`${subject.name} finished no request`);
  return usec / products;
};

const digits = (usec: number): string => (usec < 1000 ? usec.toFixed(1) : usec.toFixed(0));

const rotated = <T>(list: readonly T[], by: number): readonly T[] => [
  ...list.slice(by % list.length),
  ...list.slice(0, by % list.length),
];

const folder = mkdtempSync(`${tmpdir()}/schbench-ts-shapes-`);
try {
  const references = options.reference.map((pair) => {
    const equals = pair.indexOf("=");
    return referenceSubject(pair.slice(0, equals), pair.slice(equals + 1));
  });
  const ours = options.compiler.flatMap((compiler) =>
    shapes.map((shape, i) => {
      process.stderr.write(`building "${shape}" with ${compiler}\n`);
      const path = buildShape(`${folder}/${compiler}-${i}`, shape, compiler);
      return ourSubject(`${shape}, ${compiler}`, "native", { env: { SCHBENCH_TS_NATIVE: path } });
    }),
  );
  const subjects = [...references, ...ours];
  const costs = new Map<string, number[]>();
  for (let start = 0; start < Number(options.starts); start++)
    for (const [side, { footprintKib, products }] of sides)
      for (const subject of rotated(subjects, start)) {
        const cost = await costOf(subject, footprintKib, products);
        const key = `${subject.name} ${side}`;
        costs.set(key, [...(costs.get(key) ?? []), cost]);
        process.stderr.write(`start ${start + 1}, side ${side}, ${subject.name}: ${cost.toFixed(1)}\n`);
      }

  const cell = (name: string, side: string): string => {
    const sample = costs.get(`${name} ${side}`) ?? [];
    return `${digits(median(sample))} [${digits(Math.min(...sample))}–${digits(Math.max(...sample))}]`;
  };
  const rows = subjects.map(({ name }) => [name, ...sides.map(([side]) => cell(name, side))]);
  const head = ["shape, compiler", ...sides.map(([side]) => `side ${side}`)];
  const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  process.stdout.write(`${cpu()}, ${options.starts} starts, µs a product\n\n${table.join("\n")}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
