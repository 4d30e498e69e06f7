/** Facts and verdicts about machine code as aligned text or as Markdown for docs/validation.md. */
import { at } from "../at.js";
import type { BuildFacts, ProductLoopFacts } from "./build-facts.js";
import type { BuildComparison } from "./compare-builds.js";
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

/** Columns two blanks apart; `isRight` says which are numbers. */
const textTable = (rows: readonly (readonly string[])[], isRight: (column: number) => boolean): readonly string[] => {
  const width = (column: number): number => Math.max(...rows.map((row) => at(row, column).length));
  const widths = at(rows, 0).map((_, column) => width(column));
  return rows.map((row) =>
    row
      .map((cell, column) => (isRight(column) ? cell.padStart(at(widths, column)) : cell.padEnd(at(widths, column))))
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

const mixRows = ({ build, references, figures }: BuildComparison): readonly (readonly string[])[] => [
  ["for one product", build, ...references, "beyond the references"],
  ...figures.map((figure) => [
    figure.label,
    number(figure.ours),
    ...figure.references.map(number),
    figure.beyond === 0 ? "" : `${figure.beyond > 0 ? "+" : "−"}${number(Math.abs(figure.beyond))}`,
  ]),
];

/** What differs, in a sentence. */
const mixSentence = ({ build, references, figures }: BuildComparison): string => {
  const differing = figures.filter(({ beyond }) => beyond !== 0);
  const words = differing.map(
    ({ label, beyond }) => `${number(Math.abs(beyond))} ${beyond > 0 ? "more" : "fewer"} ${label}`,
  );
  return words.length === 0
    ? `${build}: for one product the hottest loop executes what those of ${references.join(", ")} do`
    : `${build}: for one product, beyond ${references.join(", ")}: ${words.join(", ")}`;
};

const mixBlock = (comparison: BuildComparison, format: CodegenFormat): readonly string[] => {
  const [head = [], ...rows] = mixRows(comparison);
  const table =
    format === "text"
      ? textTable([head, ...rows], (column) => column > 0)
      : [
          markdownRow(head),
          markdownRow(head.map((_, column) => (column === 0 ? "---" : "---:"))),
          ...rows.map(markdownRow),
        ];
  return ["", ...table, "", format === "text" ? mixSentence(comparison) : `* ${mixSentence(comparison)}`];
};

/** What the hottest loops execute, ours beside the references'; empty where there is nothing to compare. */
export const renderMixComparison = (comparisons: readonly BuildComparison[], format: CodegenFormat = "text"): string =>
  comparisons
    .flatMap((comparison) => mixBlock(comparison, format))
    .map((line) => `${line}\n`)
    .join("");

/** A table of every product loop, and below it one verdict per build. Ends with a line feed. */
export const renderCodegenTable = (builds: readonly BuildFacts[], format: CodegenFormat = "text"): string => {
  const titles = COLUMNS.map((column) => column.title);
  const rows = rowsOf(builds);
  const table =
    format === "text"
      ? textTable([titles, ...rows], (column) => at(COLUMNS, column).right)
      : [
          markdownRow(titles),
          markdownRow(COLUMNS.map((column) => (column.right ? "---:" : "---"))),
          ...rows.map(markdownRow),
        ];
  return `${[...table, "", ...verdictLines(builds, format)].join("\n")}\n`;
};
