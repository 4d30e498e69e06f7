/** The answer above a grid, one sentence per candidate: under which settings what differs, and by how much. */
import { at } from "../../at.js";
import { type Direction, DIRECTIONS } from "../../compare/direction.js";
import type { GridComparison, GridMetric } from "../../compare/grid-comparison.js";
import { changeWords } from "./grid-figures.js";

/** Where a metric of a candidate differs in one direction. */
interface Finding {
  readonly metric: GridMetric;
  readonly direction: Direction;
  /** Indexes of cells, ascending; empty where only all cells together show it. */
  readonly cells: readonly number[];
}

const findingsOf = (grid: GridComparison, candidate: number): readonly Finding[] =>
  grid.metrics.flatMap((metric) =>
    DIRECTIONS.flatMap((direction) => {
      const differs = ({ verdict }: GridMetric["overall"][number] | GridMetric["rows"][number]["pairs"][number]) =>
        verdict.kind === "different" && verdict.direction === direction;
      const cells = metric.rows.filter(({ pairs }) => differs(at(pairs, candidate))).map(({ cell }) => cell);
      return cells.length > 0 || differs(at(metric.overall, candidate)) ? [{ metric, direction, cells }] : [];
    }),
  );

const isNumber = (text: string): boolean => /^\d+(?:\.\d+)?$/.test(text);

/** `at t >= 4`, `at t=1 and t=16`, `everywhere`: the settings of some cells. */
const settingsText = (grid: GridComparison, cells: readonly number[]): string => {
  if (cells.length === grid.cells.length) return "everywhere";
  if (cells.length === 0) return "over all settings together";
  const [name] = grid.varied;
  const values = grid.cells.map((cell) => cell.values.at(0) ?? "");
  const isOneScale =
    grid.varied.length === 1 &&
    values.every(isNumber) &&
    values.every((value, index) => index === 0 || Number(value) > Number(at(values, index - 1)));
  if (name !== undefined && isOneScale && cells.length > 1) {
    const isRunOfCells = cells.every((cell, index) => cell === at(cells, 0) + index);
    if (isRunOfCells && at(cells, cells.length - 1) === values.length - 1)
      return `at ${name} >= ${at(values, at(cells, 0))}`;
    if (isRunOfCells && at(cells, 0) === 0) return `at ${name} <= ${at(values, cells.length - 1)}`;
  }
  const names = cells.map((cell) => at(grid.cells, cell).name);
  if (names.length > 3) return `in ${names.length} of ${grid.cells.length} settings`;
  return `at ${names.length === 1 ? at(names, 0) : `${names.slice(0, -1).join(", ")} and ${at(names, names.length - 1)}`}`;
};

/** `+18.2%`, `+18.2% to +31.0%`. */
const changesText = ({ metric, cells }: Finding, candidate: number): string => {
  const ratios =
    cells.length === 0
      ? [at(metric.overall, candidate).ratio]
      : cells.map((cell) => at(at(metric.rows, cell).pairs, candidate).ratio);
  const known = ratios.filter((ratio) => ratio !== null).toSorted((a, b) => a.value - b.value);
  const [lowest, highest] = [known[0] ?? null, known.at(-1) ?? null];
  const [low, high] = [changeWords(lowest), changeWords(highest)];
  return low === high ? low : `${low} to ${high}`;
};

/** The primary metric first, then what differs under most settings. */
const inOrder = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((a, b) => Number(b.metric.primary) - Number(a.metric.primary) || b.cells.length - a.cells.length);

/** How many metrics are named where they differ under different settings. */
const NAMED = 2;

const moreMetrics = (count: number): string =>
  count <= 0 ? "" : `, and ${count} more ${count === 1 ? "metric" : "metrics"}`;

/** Do all of them hold under the same settings? */
const shareCells = (findings: readonly Finding[]): boolean =>
  new Set(findings.map(({ cells }) => cells.join())).size === 1;

const listed = (grid: GridComparison, findings: readonly Finding[], candidate: number): string => {
  const ordered = inOrder(findings);
  const what = (finding: Finding): string => `${finding.metric.label} ${changesText(finding, candidate)}`;
  if (shareCells(findings)) {
    const first = at(ordered, 0);
    return `${settingsText(grid, first.cells)}: ${what(first)}${moreMetrics(ordered.length - 1)}`;
  }
  const named = ordered.slice(0, NAMED).map((finding) => `${what(finding)} ${settingsText(grid, finding.cells)}`);
  return `in ${named.join(", ")}${moreMetrics(ordered.length - NAMED)}`;
};

const nothingShown = (grid: GridComparison, candidate: number): string => {
  const name = at(grid.subjects, candidate + 1);
  const base = at(grid.subjects, 0);
  const primary = grid.metrics.find((metric) => metric.primary);
  const undecided = (primary?.rows ?? []).filter(
    ({ pairs }) => at(pairs, candidate).verdict.kind === "undecided",
  ).length;
  if (undecided > 0)
    return `Undecided between ${name} and ${base} in ${primary?.label ?? "the primary metric"} in ${undecided} of ${grid.cells.length} settings: too few runs.`;
  return `No difference shown between ${name} and ${base} in ${grid.metrics.length} metrics and ${grid.cells.length} settings.`;
};

const sentence = (grid: GridComparison, candidate: number): string => {
  const findings = findingsOf(grid, candidate);
  if (findings.length === 0) return nothingShown(grid, candidate);
  const [name, base] = [at(grid.subjects, candidate + 1), at(grid.subjects, 0)];
  const of = (direction: Direction) => findings.filter((finding) => finding.direction === direction);
  const parts = DIRECTIONS.filter((direction) => of(direction).length > 0).map(
    (direction) => `${direction} ${listed(grid, of(direction), candidate)}`,
  );
  const touched = new Set(findings.flatMap(({ cells }) => cells));
  const isPart = touched.size > 0 && touched.size < grid.cells.length;
  const elsewhere = isPart && shareCells(findings) ? "; no difference shown elsewhere" : "";
  return `${name} against ${base}: ${parts.join("; ")}${elsewhere}.`;
};

/** The verdict on each candidate in one sentence. */
export const gridHeadlines = (grid: GridComparison): readonly string[] =>
  grid.subjects.slice(1).map((_, candidate) => sentence(grid, candidate));
