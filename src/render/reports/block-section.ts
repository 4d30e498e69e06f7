/** The section of a report that shows the primary metric machine by machine (or boot by boot, file by file). */
import { at } from "../../at.js";
import type { Comparison } from "../../compare/comparison.js";
import { blockedPrimary, blockLines } from "../comparison/block-table.js";
import { blockWord } from "../comparison/block-name.js";
import { blockSentences, pairsByBlock } from "../comparison/block-words.js";
import { forestChart, type ForestRow, rangeText } from "../charts/forest-chart.js";
import { shortName } from "../charts/frame.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { type Figure, fullFigure } from "../html/figure.js";
import { type Markup, markup } from "../html/markup.js";
import type { Section } from "../html/page.js";
import { seriesStyle } from "../html/palette.js";
import { drawnInterval, pairChangeText, verdictWord } from "./comparison-words.js";

/** A row for each block and candidate, then one over all of them. */
const forestRows = (comparison: Comparison): readonly ForestRow[] => {
  const found = blockedPrimary(comparison);
  if (found === null) return [];
  const { blocks, metric } = found;
  const several = metric.pairs.length > 1;
  const row = (name: string, pair: (typeof metric.pairs)[number], candidate: number, primary: boolean): ForestRow => {
    const interval = drawnInterval(pair);
    const verdict = verdictWord(pair.verdict);
    const change = pairChangeText(metric, pair) ?? "no data";
    const label = several ? `${name}, ${pair.candidate}` : name;
    return {
      label,
      primary,
      changeText: change,
      intervalText: interval === null ? "" : rangeText(interval),
      tooltip: `${label}\n${change}\n${verdict.symbol} ${verdict.word}`,
      ratio: pair.ratio?.value ?? null,
      interval,
      threshold: pair.threshold,
      verdict,
      style: seriesStyle(candidate + 1),
    };
  };
  return metric.pairs.flatMap((pooled, candidate) => [
    ...pairsByBlock(metric.blocks ?? [], candidate).map((pair, index) =>
      row(at(blocks.rows, index).name, pair, candidate, false),
    ),
    row(`all ${blockWord(blocks)}s`, pooled, candidate, true),
  ]);
};

const blockTable = (comparison: Comparison): Markup => {
  const base = comparison.subjects[0]?.name ?? "";
  const candidates = comparison.subjects.slice(1);
  return dataTable(
    [
      textColumn("where"),
      numberColumn(markup`<bdi>${base}</bdi>`),
      ...(candidates.length > 1 ? [textColumn("candidate")] : []),
      numberColumn(candidates.length > 1 ? "value" : markup`<bdi>${candidates[0]?.name ?? ""}</bdi>`),
      numberColumn("change"),
      textColumn("verdict"),
      textColumn("what is different there"),
    ],
    candidates.flatMap(({ name }, index) =>
      blockLines(comparison, index + 1).map((line) => [
        line.name,
        line.base,
        ...(candidates.length > 1 ? [name] : []),
        line.candidate,
        `${line.change} ${line.interval}`.trim(),
        `${verdictWord(line.pair.verdict).symbol} ${verdictWord(line.pair.verdict).word}`,
        line.note,
      ]),
    ),
  );
};

/** The section; null where the runs are one sample and of one boot. */
export const blockSection = (comparison: Comparison): Section | null => {
  const { blocks } = comparison;
  if (blocks === undefined) return null;
  const sentences = blockSentences(comparison).map((sentence) => markup`<li>${sentence}</li>`);
  const list = markup`<ul>${sentences}</ul>`;
  const found = blockedPrimary(comparison);
  const base = comparison.subjects[0]?.name ?? "the base";
  const title = `By ${blocks.by ?? blocks.replicate}`;
  if (found === null) return { id: "blocks", title, body: list };
  const figure: Figure = {
    title: `Change of ${found.metric.label} against ${base}, ${blockWord(blocks)} by ${blockWord(blocks)}`,
    reading: markup`Mark: the ratio there; line: its ${comparison.confidence * 100} % interval; grey band: too little to
    matter; in bold, all of them together.`,
    key: null,
    draw: (width) =>
      forestChart(
        forestRows(comparison),
        {
          axis: `change against ${shortName(base, 24)} (%)`,
          label: `Change of ${found.metric.label} by ${blockWord(blocks)}.`,
        },
        width,
      ),
    table: blockTable(comparison),
  };
  return { id: "blocks", title, body: markup`${list}${fullFigure(figure)}` };
};
