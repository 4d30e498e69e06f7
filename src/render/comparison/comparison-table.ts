/** A comparison as a table for the terminal, in the spirit of benchstat: one block per candidate, `~` where nothing is shown. */
import pc from "picocolors";
import type { Comparison, PairMetric } from "../../compare/comparison.js";
import { at } from "../../at.js";
import { blockedPrimary, blockLines } from "./block-table.js";
import { blockSentences } from "./block-words.js";
import { contrastLines, headlines } from "./comparison-headline.js";
import {
  countText,
  intervalText,
  legend,
  noteText,
  pairChangeText,
  pText,
  subjectText,
  verdictText,
} from "./comparison-text.js";
import { alignedRows, type Cell, tableWidth } from "../table.js";
import { wrapped } from "./wrap.js";

/** Where the table goes. */
export interface ComparisonTableOptions {
  readonly colour: boolean;
  /** Width of the terminal; undefined: as wide as it takes. Columns that can be spared are left out to fit. */
  readonly columns?: number | undefined;
}

/** Sentences are wrapped where a terminal does not say how wide it is. */
const PROSE_COLUMNS = 80;

type Colours = ReturnType<typeof pc.createColors>;

/** Columns that may go when it gets narrow, the first to go first. */
const SPARABLE = ["note", "interval", "p", "better"] as const;
type ColumnName = "metric" | "better" | "base" | "candidate" | "change" | "interval" | "verdict" | "p" | "note";

const painted = (colours: Colours, { verdict }: PairMetric): ((text: string) => string) => {
  if (verdict.kind !== "different") return colours.dim;
  return { better: colours.green, worse: colours.red, changed: colours.yellow }[verdict.direction];
};

const columnsOf = (comparison: Comparison, candidate: number, colours: Colours): ReadonlyMap<ColumnName, Cell[]> => {
  const title = (text: string, align: "left" | "right" = "left"): Cell => ({ text, align, paint: colours.bold });
  const runs = (index: number): string => {
    const subject = comparison.subjects[index];
    return subject === undefined ? "" : `${subject.name} (${countText(comparison, index)})`;
  };
  const columns = new Map<ColumnName, Cell[]>([
    ["metric", [title("metric")]],
    ["better", [title("better")]],
    ["base", [title(runs(0), "right")]],
    ["candidate", [title(runs(candidate), "right")]],
    ["change", [title("change", "right")]],
    ["interval", [title("interval", "right")]],
    ["verdict", [title("")]],
    ["p", [title("")]],
    ["note", [title("")]],
  ]);
  const put = (column: ColumnName, cell: Cell): void => void columns.get(column)?.push(cell);
  for (const metric of comparison.metrics) {
    const pair = metric.pairs[candidate - 1];
    if (pair === undefined) continue;
    const paint = painted(colours, pair);
    const { verdict, ratio } = pair;
    const shown = verdict.kind === "different";
    put("metric", { text: metric.primary ? `${metric.label} *` : metric.label });
    put("better", { text: metric.better });
    put("base", { text: subjectText(metric, metric.subjects[0]), align: "right" });
    put("candidate", { text: subjectText(metric, metric.subjects[candidate]), align: "right" });
    put("change", { text: shown ? pairChangeText(metric, pair) : "~", align: "right", paint });
    put("interval", { text: intervalText(ratio), align: "right", paint: colours.dim });
    put("verdict", { text: shown ? verdictText(pair) : "", paint });
    put("p", { text: pText(pair.adjustedP), paint: colours.dim });
    put("note", { text: noteText(pair), paint: colours.dim });
  }
  return columns;
};

const rowsOf = (columns: ReadonlyMap<ColumnName, Cell[]>, without: ReadonlySet<ColumnName>): Cell[][] => {
  const kept = [...columns].filter(([name]) => !without.has(name)).map(([, cells]) => cells);
  return (kept[0] ?? []).map((_, row) => kept.map((cells) => cells[row] ?? { text: "" }));
};

const fitted = (columns: ReadonlyMap<ColumnName, Cell[]>, width: number | undefined): Cell[][] => {
  const without = new Set<ColumnName>();
  let rows = rowsOf(columns, without);
  for (const name of SPARABLE) {
    if (width === undefined || tableWidth(rows) <= width) return rows;
    without.add(name);
    rows = rowsOf(columns, without);
  }
  return rows;
};

/** Columns of a block's row that may go when it gets narrow, the first to go first. */
const SPARABLE_OF_BLOCK = ["p", "interval", "note"] as const;
const BLOCK_COLUMNS = ["name", "base", "candidate", "change", "interval", "verdict", "p", "note"] as const;
const RIGHT: ReadonlySet<(typeof BLOCK_COLUMNS)[number]> = new Set(["base", "candidate", "change", "interval"]);

/** The blocks of a candidate, a row each, no wider than asked for. */
export const blockRows = (
  comparison: Comparison,
  candidate: number,
  colours: Colours,
  columns: number | undefined,
): Cell[][] => {
  const found = blockedPrimary(comparison);
  if (found === null) return [];
  const name = (index: number): string => comparison.subjects[index]?.name ?? "";
  const titles = { base: name(0), candidate: name(candidate), change: "change", interval: "interval" };
  const lines = blockLines(comparison, candidate);
  const left = new Set<(typeof BLOCK_COLUMNS)[number]>();
  const rows = (): Cell[][] => {
    const kept = BLOCK_COLUMNS.filter((column) => !left.has(column));
    const align = (column: (typeof BLOCK_COLUMNS)[number]) => (RIGHT.has(column) ? "right" : "left");
    const title = (column: (typeof BLOCK_COLUMNS)[number]): string =>
      column === "name"
        ? `${found.metric.label} *`
        : column in titles
          ? at(
              Object.entries(titles).filter(([key]) => key === column),
              0,
            )[1]
          : "";
    return [
      kept.map((column) => ({ text: title(column), align: align(column), paint: colours.bold })),
      ...lines.map((line) => {
        const paint = painted(colours, line.pair);
        return kept.map((column): Cell => ({
          text: line[column],
          align: align(column),
          ...(column === "change" || column === "verdict" ? { paint } : {}),
        }));
      }),
    ];
  };
  for (const column of SPARABLE_OF_BLOCK) {
    if (columns === undefined || tableWidth(rows()) <= columns) break;
    left.add(column);
  }
  return rows();
};

/** The comparison as text, ending in a newline: verdict sentences, a table per candidate, the legend, the warnings. */
export const comparisonTable = (comparison: Comparison, options: ComparisonTableOptions): string => {
  const colours = pc.createColors(options.colour);
  const tables = comparison.subjects.slice(1).flatMap((_, index) => {
    const blocks = blockRows(comparison, index + 1, colours, options.columns);
    return [
      ...alignedRows(fitted(columnsOf(comparison, index + 1, colours), options.columns)),
      "",
      ...(blocks.length === 0 ? [] : [...alignedRows(blocks), ""]),
    ];
  });
  const warnings = comparison.warnings.flatMap((warning) => [
    colours.yellow(`warning: ${warning.message}`),
    ...(warning.cure === null ? [] : [`         ${warning.cure}`]),
  ]);
  const lines = [
    ...headlines(comparison),
    ...blockSentences(comparison).flatMap((line) => wrapped(line, options.columns ?? PROSE_COLUMNS)),
    ...contrastLines(comparison),
    "",
    ...tables,
    ...legend(comparison).map((line) => colours.dim(line)),
    ...warnings,
  ];
  return `${lines.join("\n")}\n`;
};
