/** All CPUs around one slow wakeup: who had them, from the stamp of the waker to the worker running again. */
import * as Plot from "@observablehq/plot";
import { at } from "../../at.js";
import type { TimelineSpan, WakeupExplanation, WakeupTimeline } from "../../explain/explanation.js";
import type { Markup } from "../html/markup.js";
import { figure, usecText } from "../html/quantity.js";
import { footAxis, GRID, shortName, SOFT } from "./frame.js";
import { SPAN_STYLES } from "./span-styles.js";
import { CHART_WIDTH, type ChartWidth, plotSvg } from "../html/plot-svg.js";
import { type ValueAxis, valueAxis } from "./value-axis.js";

/** A slow wakeup with its time line. */
export type DrawnWakeup = WakeupExplanation & { readonly timeline: WakeupTimeline };

const ROW = 34;
const MARGINS = { top: 46, right: 16, bottom: 40, left: 64 };
/** More CPUs than this are not drawn at once. */
export const MOST_CPUS = 16;
const CHARACTER = 6.6;
const LEAST_PIXELS = 0.75;

const interest = (wakeup: DrawnWakeup, cpu: number): number => {
  const spans = wakeup.timeline.cpus.find((lane) => lane.cpu === cpu)?.spans ?? [];
  if (cpu === wakeup.cpuAfter || cpu === wakeup.cpuBefore) return 3;
  if (spans.some(({ kind }) => kind === "thread" || kind === "waker")) return 2;
  return wakeup.placementMiss.some((miss) => miss.cpu === cpu) ? 1 : 0;
};

/** The CPUs that are drawn, ascending: all, or those that matter most to the wakeup. */
export const drawnCpus = (wakeup: DrawnWakeup): readonly number[] =>
  wakeup.timeline.cpus
    .map(({ cpu }) => cpu)
    .toSorted((a, b) => interest(wakeup, b) - interest(wakeup, a) || a - b)
    .slice(0, MOST_CPUS)
    .toSorted((a, b) => a - b);

interface PlacedSpan extends TimelineSpan {
  readonly cpu: number;
  readonly row: number;
}

/** A part of a span, inside the wait or outside of it. */
interface DrawnPart {
  readonly span: PlacedSpan;
  readonly fromUsec: number;
  readonly toUsec: number;
  readonly isInWait: boolean;
}

const OUTSIDE_OPACITY = 0.3;

/** A span cut where the wait begins and ends, so that the wait is seen on solid bars, too. */
const partsOf = (span: PlacedSpan, latencyUsec: number): readonly DrawnPart[] => {
  const cuts = [
    span.fromUsec,
    ...[0, latencyUsec].filter((edge) => edge > span.fromUsec && edge < span.toUsec),
    span.toUsec,
  ];
  return cuts.slice(1).map((toUsec, before): DrawnPart => {
    const fromUsec = at(cuts, before);
    return { span, fromUsec, toUsec, isInWait: fromUsec >= 0 && toUsec <= latencyUsec };
  });
};

const tooltip = ({ cpu, fromUsec, toUsec, kind, label, tid }: PlacedSpan): string =>
  `CPU ${cpu}: ${label}${tid === null ? "" : ` (${tid})`}, ${SPAN_STYLES[kind].name}\n${figure(fromUsec)} to ${figure(toUsec)} µs: ${usecText(toUsec - fromUsec)}`;

const timeAxis = ({ timeline: { fromUsec, toUsec } }: DrawnWakeup, width: ChartWidth): ValueAxis => {
  const axis = valueAxis([fromUsec, toUsec], { linearUpTo: Infinity, tickCount: width === "wide" ? 10 : 5 });
  return {
    ...axis,
    domain: [fromUsec, toUsec],
    ticks: axis.ticks.filter((tick) => tick >= fromUsec && tick <= toUsec),
  };
};

const moments = (
  wakeup: DrawnWakeup,
): readonly { readonly atUsec: number; readonly text: string; readonly dy: number }[] => [
  { atUsec: 0, text: "woken", dy: -22 },
  { atUsec: wakeup.latencyUsec, text: `runs after ${usecText(wakeup.latencyUsec)}`, dy: -22 },
];

/** Draws one wakeup. */
export const timeLineChart = (wakeup: DrawnWakeup, width: ChartWidth): Markup => {
  const cpus = drawnCpus(wakeup);
  const x = timeAxis(wakeup, width);
  const [from, to] = x.domain;
  const pixels = (CHART_WIDTH[width] - MARGINS.left - MARGINS.right) / (to - from);
  const spans = wakeup.timeline.cpus.flatMap(({ cpu, spans: some }) => {
    const row = cpus.indexOf(cpu);
    return row < 0 ? [] : some.map((span): PlacedSpan => ({ ...span, cpu, row }));
  });
  const middleOf = (span: PlacedSpan): number => (Math.max(span.fromUsec, from) + Math.min(span.toUsec, to)) / 2;
  const waits = (atUsec: number): boolean => atUsec >= 0 && atUsec <= wakeup.latencyUsec;
  const labelled = spans.filter(
    (span) =>
      span.kind !== "idle" && (span.toUsec - span.fromUsec) * pixels > shortName(span.label, 18).length * CHARACTER + 8,
  );
  return plotSvg(
    {
      width: CHART_WIDTH[width],
      height: MARGINS.top + MARGINS.bottom + cpus.length * ROW,
      marginTop: MARGINS.top,
      marginRight: MARGINS.right,
      marginBottom: MARGINS.bottom,
      marginLeft: MARGINS.left,
      x: { type: "linear", domain: [from, to] },
      y: { type: "linear", domain: [cpus.length - 0.5, -0.5], axis: null },
      marks: [
        Plot.rect([wakeup], {
          x1: 0,
          x2: wakeup.latencyUsec,
          y1: -0.5,
          y2: cpus.length - 0.5,
          fill: "var(--panel)",
        }),
        Plot.ruleX([...x.ticks], { stroke: GRID }),
        ...footAxis(x, "time since the wake stamp (µs)"),
        Plot.text(cpus, {
          y: (cpu: number) => cpus.indexOf(cpu),
          frameAnchor: "left",
          textAnchor: "end",
          dx: -10,
          text: (cpu: number) => `CPU ${cpu}`,
          fill: (cpu: number) => (cpu === wakeup.cpuAfter ? "currentColor" : SOFT),
        }),
        Plot.rect(
          spans.flatMap((span) => partsOf(span, wakeup.latencyUsec)),
          {
            x1: ({ fromUsec }: DrawnPart) => Math.max(fromUsec, from),
            x2: ({ fromUsec, toUsec }: DrawnPart) => Math.min(Math.max(toUsec, fromUsec + LEAST_PIXELS / pixels), to),
            y1: ({ span }: DrawnPart) => span.row - SPAN_STYLES[span.kind].height / 2,
            y2: ({ span }: DrawnPart) => span.row + SPAN_STYLES[span.kind].height / 2,
            fill: ({ span }: DrawnPart) => SPAN_STYLES[span.kind].fill,
            fillOpacity: ({ isInWait }: DrawnPart) => (isInWait ? 1 : OUTSIDE_OPACITY),
            title: ({ span }: DrawnPart) => tooltip(span),
          },
        ),
        Plot.text(labelled, {
          x: middleOf,
          y: "row",
          text: (span: PlacedSpan) => shortName(span.label, 18),
          fill: (span: PlacedSpan) => (waits(middleOf(span)) ? SPAN_STYLES[span.kind].ink : SOFT),
          fontSize: 11,
        }),
        Plot.ruleX(moments(wakeup), { x: "atUsec", stroke: "currentColor", strokeWidth: 1.25 }),
        Plot.text(moments(wakeup).slice(0, 1), {
          x: "atUsec",
          text: "text",
          frameAnchor: "top",
          dy: -14,
          textAnchor: "middle",
        }),
        Plot.text(moments(wakeup).slice(1), {
          x: "atUsec",
          text: "text",
          frameAnchor: "top",
          dy: -14,
          textAnchor: "end",
          dx: 4,
        }),
      ],
    },
    `CPUs around a wakeup of worker ${wakeup.workerIndex} that took ${usecText(wakeup.latencyUsec)}, mostly ${wakeup.cause}. ${wakeup.ran
      .slice(0, 3)
      .map((runner) => `${runner.comm} had CPU ${runner.cpu} for ${usecText(runner.usec)}`)
      .join("; ")}`,
  );
};
