/** Where the time of the slow wakeups went: a bar for each cause. */
import * as Plot from "@observablehq/plot";
import type { Explanation } from "../../explain/explanation.js";
import type { Markup } from "../html/markup.js";
import { figure, usecText } from "../html/quantity.js";
import { footAxis, GRID } from "./frame.js";
import { CHART_WIDTH, type ChartWidth, plotSvg } from "../html/plot-svg.js";
import { valueAxis } from "./value-axis.js";

type CauseRow = Explanation["causes"][number];

const ROW = 28;
const MARGINS = { top: 12, right: 110, bottom: 40, left: 128 };

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}\u202f%`;

/** Draws the bars, the largest first. */
export const causeChart = (causes: readonly CauseRow[], width: ChartWidth): Markup => {
  const rows = causes.map((cause, row) => ({ ...cause, row }));
  const x = valueAxis([0, ...causes.map((cause) => cause.timeShare * 100)], { fromZero: true, tickCount: 5 });
  const margins = width === "wide" ? MARGINS : { ...MARGINS, right: 92, left: 108 };
  return plotSvg(
    {
      width: CHART_WIDTH[width],
      height: margins.top + margins.bottom + rows.length * ROW,
      marginTop: margins.top,
      marginRight: margins.right,
      marginBottom: margins.bottom,
      marginLeft: margins.left,
      x: { type: "linear", domain: [...x.domain] },
      y: { type: "linear", domain: [rows.length - 0.5, -0.5], axis: null },
      marks: [
        Plot.ruleX([...x.ticks], { stroke: GRID }),
        ...footAxis(x, "share of the time of all slow wakeups (%)"),
        Plot.rect(rows, {
          x1: 0,
          x2: (row: CauseRow) => row.timeShare * 100,
          y1: ({ row }) => row - 0.3,
          y2: ({ row }) => row + 0.3,
          fill: (row: CauseRow) => (row.cause === "unknown" ? "var(--line)" : "var(--series-1)"),
          title: (row: CauseRow) =>
            `${row.cause}: ${usecText(row.usec)}, ${percent(row.timeShare)} of the time\nmain cause of ${figure(row.wakeups)} wakeups`,
        }),
        Plot.text(rows, { y: "row", frameAnchor: "left", textAnchor: "end", dx: -10, text: "cause" }),
        Plot.text(rows, {
          x: (row: CauseRow) => row.timeShare * 100,
          y: "row",
          textAnchor: "start",
          dx: 8,
          text: (row: CauseRow) => `${percent(row.timeShare)}  ${usecText(row.usec)}`,
        }),
      ],
    },
    `Share of the time by cause. ${causes.map((row) => `${row.cause} ${percent(row.timeShare)}`).join("; ")}`,
  );
};
