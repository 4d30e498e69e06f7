/** Facts and verdicts about machine code as aligned text or as Markdown for docs/validation.md. */
import type { BuildFacts, ProductLoopFacts } from "./build-facts.js";
import { codegenVerdict, loopName } from "./codegen-verdict.js";

/** How a table is written. */
export type CodegenFormat = "text" | "markdown";

interface Column {
  readonly title: string;
  readonly right: boolean;
  readonly cell: (build: BuildFacts, loop: ProductLoopFacts) => string;
}

const number = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(2));
const perProduct = (count: number, { productsPerTurn }: ProductLoopFacts): string =>
  productsPerTurn === null ? "?" : number(count / productsPerTurn);

const COLUMNS: readonly Column[] = [
  { title: "build", right: false, cell: (build) => build.build },
  { title: "loop", right: false, cell: (_, loop) => loopName(loop) },
  { title: "products/turn", right: true, cell: (_, loop) => String(loop.productsPerTurn ?? "?") },
  { title: "scalar mul", right: true, cell: (_, loop) => String(loop.scalarMultiplies) },
  { title: "vector mul", right: true, cell: (_, loop) => String(loop.vectorMultiplies) },
  { title: "loads/product", right: true, cell: (_, loop) => perProduct(loop.elementLoads, loop) },
  { title: "stores/product", right: true, cell: (_, loop) => perProduct(loop.resultStores, loop) },
  { title: "other loads", right: true, cell: (_, loop) => String(loop.otherLoads) },
  { title: "bounds checks", right: true, cell: (_, loop) => String(loop.boundsChecks) },
  { title: "live", right: false, cell: (_, loop) => (loop.live ? "yes" : "NO") },
];

const rowsOf = (builds: readonly BuildFacts[]): readonly (readonly string[])[] =>
  builds.flatMap((build) => build.loops.map((loop) => COLUMNS.map((column) => column.cell(build, loop))));

const textTable = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = COLUMNS.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => (COLUMNS[at]?.right ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
};

const markdownRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

const verdictLines = (builds: readonly BuildFacts[], format: CodegenFormat): readonly string[] => {
  const bullet = format === "markdown" ? "* " : "";
  const emphasis = format === "markdown" ? "**" : "";
  return builds.flatMap((build) => {
    const verdict = codegenVerdict(build);
    const word = verdict.ok ? "yes" : `${emphasis}NO${emphasis}`;
    const notes = verdict.notes.map((note) => `  ${bullet}note: ${note}`);
    return [`${bullet}${build.build}: ${word}, ${verdict.sentence}`, ...notes];
  });
};

/** A table of every product loop, and below it one verdict per build. Ends with a line feed. */
export const renderCodegenTable = (builds: readonly BuildFacts[], format: CodegenFormat = "text"): string => {
  const titles = COLUMNS.map((column) => column.title);
  const rows = rowsOf(builds);
  const table =
    format === "text"
      ? textTable([titles, ...rows])
      : [
          markdownRow(titles),
          markdownRow(COLUMNS.map((column) => (column.right ? "---:" : "---"))),
          ...rows.map(markdownRow),
        ];
  return `${[...table, "", ...verdictLines(builds, format)].join("\n")}\n`;
};
