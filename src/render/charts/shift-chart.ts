/** Difference by percentile: the shift function of a candidate against the base, with its band. */
import * as Plot from "@observablehq/plot";
import { histogramIn } from "../../model/metrics/distribution.js";
import type { Distribution } from "../../model/result/run-result.js";
import { mergedRuns, type MergedRuns, type SparseHistogram } from "../../stats/intervals/merged-percentile.js";
import { percentileShift, type Shift } from "../../stats/intervals/percentile-shift.js";
import { labelledRandom } from "../../stats/random.js";
import { dataTable, numberColumn } from "../html/data-table.js";
import type { Figure } from "../html/figure.js";
import type { Markup } from "../html/markup.js";
import { CHART_WIDTH, type ChartWidth, plotSvg } from "../html/plot-svg.js";
import { changeText, signedPercent } from "../html/quantity.js";
import { GRID, SOFT } from "./frame.js";
import { latencyOf, type LatencyName, type RunSeries } from "./run-series.js";

const HEIGHT = 260;

const sparse = (distribution: Distribution | null): SparseHistogram | null =>
  distribution === null || distribution.buckets === null || histogramIn(distribution) === null
    ? null
    : { buckets: distribution.buckets, min: distribution.min, max: distribution.max };

const mergedOf = ({ runs }: RunSeries, name: LatencyName): MergedRuns | null => {
  const histograms = runs.map((run) => sparse(latencyOf(run, name))).filter((histogram) => histogram !== null);
  return histograms.length === 0 ? null : mergedRuns(histograms);
};

/** Evenly spaced nines, as in the percentile chart: a step is a tenth of the samples of the step before. */
const nines = (percentile: number): number => -Math.log10(1 - percentile / 100);

const draw = (
  shifts: readonly (readonly [RunSeries, readonly Shift[]])[],
  title: string,
  width: ChartWidth,
): Markup => {
  const known = shifts.flatMap(([series, all]) =>
    all.flatMap(({ percentile, ratio, band }) =>
      ratio === null || ratio <= 0
        ? []
        : [{ series, percentile, x: nines(percentile), ratio, low: band?.low ?? ratio, high: band?.high ?? ratio }],
    ),
  );
  // A band over half a decade says only that nothing is known.
  const reach = Math.min(
    3,
    Math.max(
      1.05,
      ...known.flatMap(({ ratio, low, high }) => [ratio, 1 / ratio, Math.min(high, 2), Math.min(1 / low, 2)]),
    ),
  );
  const inside = (value: number): number => Math.min(Math.max(value, 1 / reach), reach);
  return plotSvg(
    {
      width: CHART_WIDTH[width],
      height: HEIGHT,
      marginTop: 24,
      marginRight: 24,
      marginBottom: 42,
      marginLeft: 60,
      x: { type: "linear", domain: [0, nines(99.9)] },
      y: { type: "log", domain: [1 / reach, reach] },
      marks: [
        Plot.axisX([50, 90, 99, 99.9].map(nines), {
          text: (x: number) => `p${Number((100 * (1 - 10 ** -x)).toFixed(1))}`,
          tickSize: 4,
          color: SOFT,
          label: "percentile (evenly spaced nines)",
          labelArrow: "none",
        }),
        Plot.axisY({
          ticks: 5,
          tickSize: 0,
          color: SOFT,
          label: "change (%)",
          labelArrow: "up",
          tickFormat: (y: number) => signedPercent((y - 1) * 100),
        }),
        Plot.gridY({ ticks: 5, stroke: GRID }),
        Plot.ruleY([1], { stroke: SOFT }),
        ...shifts.flatMap(([series]) => {
          const own = known.filter((point) => point.series === series);
          return [
            Plot.areaY(own, {
              x: "x",
              y1: ({ low }) => inside(low),
              y2: ({ high }) => inside(high),
              fill: series.style.colour,
              fillOpacity: 0.18,
            }),
            Plot.line(own, { x: "x", y: ({ ratio }) => inside(ratio), stroke: series.style.colour, strokeWidth: 2 }),
            Plot.dot(own, {
              x: "x",
              y: ({ ratio }) => inside(ratio),
              r: 3,
              symbol: series.style.symbol,
              fill: series.style.colour,
              title: (point) => `${series.name}, p${point.percentile}: ${changeText(point.ratio)}`,
            }),
          ];
        }),
      ],
    },
    `${title}. ${known.map(({ series, percentile, ratio }) => `${series.name} p${percentile} ${changeText(ratio)}`).join("; ")}`,
  );
};

/** The figure for one latency; null where the base or every candidate has no histogram. */
export const shiftFigure = (
  subjects: readonly RunSeries[],
  name: LatencyName,
  how: { readonly confidence: number; readonly seed: number },
): Figure | null => {
  const [first, ...candidates] = subjects;
  const base = first === undefined ? null : mergedOf(first, name);
  if (base === null) return null;
  const shifts = candidates.flatMap((series) => {
    const merged = mergedOf(series, name);
    const random = labelledRandom(how.seed, `shift ${name} ${series.name}`);
    return merged === null ? [] : [[series, percentileShift(base, merged, how.confidence, random)] as const];
  });
  if (shifts.length === 0) return null;
  const title = `${name} latency: change by percentile`;
  return {
    title,
    reading: `Every percentile of all samples against that of ${first?.name ?? "the base"}, with a pointwise ${how.confidence * 100} % band over runs. A line that rises to the right is a longer tail.`,
    draw: (width) => draw(shifts, title, width),
    table: dataTable(
      [numberColumn("percentile"), ...shifts.map(([series]) => numberColumn(series.name))],
      (shifts[0]?.[1] ?? []).map(({ percentile }, index) => [
        `p${percentile}`,
        ...shifts.map(([, all]) => {
          const { ratio, band } = all[index] ?? { ratio: null, band: null };
          if (ratio === null) return "–";
          return band === null
            ? changeText(ratio)
            : `${changeText(ratio)} [${changeText(band.low)}, ${changeText(band.high)}]`;
        }),
      ]),
    ),
  };
};
