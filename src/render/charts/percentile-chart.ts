/** The chart of percentile curves, subjects overlaid. */
import { at } from "../../at.js";
import * as Plot from "@observablehq/plot";
import { percentileIn } from "../../model/metrics/distribution.js";
import { PAGE_PERCENTILES } from "../../model/metrics/percentile-table.js";
import { percentileOf } from "../../stats/histogram/percentiles.js";
import { sampleCount } from "../../stats/histogram/plat.js";
import { largest } from "../../stats/sample.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { type Figure, seriesKey } from "../html/figure.js";
import { type Markup, markup } from "../html/markup.js";
import { capitalised, figure, figureOr, usecText } from "../html/quantity.js";
import { framed, GROUND, shortName } from "./frame.js";
import { type CurvePoint, type PercentileCurve, percentileAt, percentileCurves } from "./percentile-curve.js";
import { CHART_WIDTH, type ChartWidth } from "../html/plot-svg.js";
import { latencyOf, type LatencyName, mergedHistogram, type RunSeries } from "./run-series.js";
import { spreadLabels, type ValueAxis, valueAxis } from "./value-axis.js";

const HEIGHT = 300;
const MARGINS = { top: 30, right: 92, bottom: 40, left: 52 };
const LABEL_GAP = 15;
const LABEL_LENGTH = 12;
/** A curve goes on to where only its own table follows it. */
const SHOWN = [...PAGE_PERCENTILES, 99.99] as const;

/** The percentile that a tick stands for: `50`, `90`, `99.9`. */
export const oddsTick = (odds: number): string => String(Number(percentileAt(odds).toPrecision(8)));

const oddsAxis = (farthest: number): ValueAxis => {
  const to = Math.max(farthest, 100);
  const ticks = [1, 2];
  for (let tick = 10; tick <= to; tick *= 10) ticks.push(tick);
  return {
    type: "log",
    domain: [1, to],
    ticks,
    position: (odds) => Math.log(odds) / Math.log(to),
    valueAt: (position) => to ** position,
  };
};

const tooltip = (name: string, point: CurvePoint): string =>
  `${name}\np${oddsTick(Number(point.odds.toPrecision(4)))}: ${figure(point.usec)} µs`;

const lines = (curve: PercentileCurve): readonly Plot.Markish[] => {
  const { style, name } = curve.series;
  const stroke = style.colour;
  const firm = curve.firmUpTo ?? Infinity;
  const last = curve.merged.findLastIndex((point) => point.odds <= firm);
  const dash = style.dash === "none" ? {} : { strokeDasharray: style.dash };
  return [
    ...(curve.band.length > 0
      ? [Plot.areaY(curve.band, { x: "odds", y1: "lowest", y2: "highest", fill: stroke, fillOpacity: 0.18 })]
      : []),
    ...curve.runs.map((run) => Plot.line(run, { x: "odds", y: "usec", stroke, strokeWidth: 1, strokeOpacity: 0.28 })),
    Plot.line(curve.merged.slice(Math.max(last, 0)), {
      x: "odds",
      y: "usec",
      stroke,
      strokeWidth: 1,
      strokeDasharray: "1 3",
    }),
    Plot.line(curve.merged.slice(0, last + 1), { x: "odds", y: "usec", stroke, strokeWidth: 2.25, ...dash }),
    ...(curve.fromTable
      ? [Plot.dot(curve.merged, { x: "odds", y: "usec", fill: stroke, symbol: style.symbol, r: 3.5 })]
      : []),
    Plot.dot(
      curve.merged.filter((point) => point.odds > 1),
      { x: "odds", y: "usec", r: 6, fill: stroke, fillOpacity: 0, title: (point: CurvePoint) => tooltip(name, point) },
    ),
  ];
};

const endLabels = (curves: readonly PercentileCurve[], x: ValueAxis, y: ValueAxis): readonly Plot.Markish[] => {
  const height = HEIGHT - MARGINS.top - MARGINS.bottom;
  const ends = curves.map((curve) => curve.merged.at(-1) ?? { odds: 1, usec: 0 });
  const wanted = ends.map((end) => (1 - y.position(end.usec)) * height);
  const placed = spreadLabels(wanted, LABEL_GAP, 0, height);
  return curves.map((curve, i) =>
    Plot.text([shortName(curve.series.name, LABEL_LENGTH)], {
      x: x.valueAt(1),
      y: y.valueAt(1 - at(placed, i) / height),
      text: (name: string) => name,
      dx: 8,
      textAnchor: "start",
      fill: curve.series.style.textColour,
      stroke: GROUND,
      strokeWidth: 3,
    }),
  );
};

const table = (subjects: readonly RunSeries[], name: LatencyName): Markup =>
  dataTable(
    [
      textColumn("subject"),
      ...SHOWN.map((percentile) => numberColumn(`p${percentile} (µs)`)),
      numberColumn("max (µs)"),
      numberColumn("samples"),
    ],
    subjects.map((series) => {
      const { name: subject, runs } = series;
      const histogram = mergedHistogram(series, name);
      const first = runs[0] === undefined ? null : latencyOf(runs[0], name);
      const samples = histogram === null ? (first?.samples ?? null) : sampleCount(histogram);
      return [
        subject,
        ...SHOWN.map((percentile) => {
          const known = samples === null || samples * (1 - percentile / 100) >= 1;
          const value = histogram === null ? percentileIn(first, percentile) : percentileOf(histogram, percentile);
          return figureOr(known ? value : null);
        }),
        figureOr(histogram === null ? (first?.max ?? null) : histogram.max),
        figureOr(samples),
      ];
    }),
  );

const draw = (curves: readonly PercentileCurve[], name: LatencyName, width: ChartWidth): Markup => {
  const points = curves.flatMap((curve) => [...curve.merged, ...curve.runs.flat()]);
  const x = oddsAxis(largest(points.map((point) => point.odds)));
  const y = valueAxis([
    ...points.map((point) => point.usec),
    ...curves.flatMap(({ band }) => band.flatMap(({ lowest, highest }) => [lowest, highest])),
  ]);
  const labelled = curves.length > 1;
  return framed({
    width: CHART_WIDTH[width],
    height: HEIGHT,
    margins: labelled ? MARGINS : { ...MARGINS, right: 20 },
    x,
    y,
    xLabel: "percentile (%)",
    yLabel: `${name} latency (µs${y.type === "log" ? ", logarithmic" : ""})`,
    xTick: oddsTick,
    marks: [...curves.flatMap(lines), ...(labelled ? endLabels(curves, x, y) : [])],
    label: `${name} latency by percentile. ${curves
      .map(({ series, merged }) => `${series.name}: maximum ${usecText(merged.at(-1)?.usec ?? 0)}`)
      .join("; ")}`,
  });
};

/** The figure for one latency; null when no subject has it. */
export const percentileFigure = (subjects: readonly RunSeries[], name: LatencyName): Figure | null => {
  const curves = percentileCurves(subjects, name);
  if (curves.length === 0) return null;
  const several = curves.some((curve) => curve.runs.length > 0);
  const banded = curves.some((curve) => curve.band.length > 0);
  return {
    title: `${capitalised(name)} latency by percentile`,
    reading: markup`Lower is better.${several ? " Faint: single runs." : ""}${banded ? " Shaded: eight in ten runs." : ""}${
      curves.every((curve) => curve.fromTable)
        ? several || banded
          ? " Marks: all percentiles that the source gives, medians over runs."
          : " Marks: all percentiles that the source gives."
        : " Dotted: fewer than ten samples lie beyond."
    }`,
    key:
      curves.length > 1 && curves.some(({ series }) => shortName(series.name, LABEL_LENGTH) !== series.name)
        ? seriesKey(curves.map((curve) => curve.series))
        : null,
    draw: (width) => draw(curves, name, width),
    table: table(subjects, name),
  };
};
