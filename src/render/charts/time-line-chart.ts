/** All CPUs around one slow wakeup: who had them, from the stamp of the waker to the worker running again. */
import * as Plot from "@observablehq/plot";
import type { TimelineSpan, WakeupExplanation, WakeupTimeline } from "../../explain/explanation.js";
import type { Markup } from "../html/markup.js";
import { figure, usecText } from "../html/quantity.js";
import { footAxis, GRID, GROUND, shortName, SOFT } from "./frame.js";
import { CHART_WIDTH, type ChartWidth, plotSvg } from "../html/plot-svg.js";
import { type ValueAxis, valueAxis } from "./value-axis.js";

/** A slow wakeup with its time line. */
export type DrawnWakeup = WakeupExplanation & { readonly timeline: WakeupTimeline };

interface KindStyle {
  readonly name: string;
  readonly fill: string;
  readonly ink: string;
  /** Number of the text colour of its key, and its mark there. */
  readonly number: number;
  readonly mark: string;
  readonly height: number;
}

/** Looks of each kind of span; height tells the kinds apart where colour does not. */
export const SPAN_STYLES: Readonly<Record<TimelineSpan["kind"], KindStyle>> = {
  thread: {
    name: "the thread that was woken",
    fill: "var(--series-text-1)",
    ink: GROUND,
    number: 1,
    mark: "■",
    height: 0.8,
  },
  waker: { name: "its message thread", fill: "var(--series-text-3)", ink: GROUND, number: 3, mark: "■", height: 0.8 },
  benchmark: {
    name: "another benchmark thread",
    fill: "var(--series-text-4)",
    ink: GROUND,
    number: 4,
    mark: "■",
    height: 0.6,
  },
  harness: {
    name: "the benchmark's own process",
    fill: "var(--series-text-5)",
    ink: GROUND,
    number: 5,
    mark: "■",
    height: 0.6,
  },
  foreign: { name: "a foreign task", fill: "var(--series-text-2)", ink: GROUND, number: 2, mark: "■", height: 0.8 },
  idle: { name: "idle", fill: "var(--line)", ink: SOFT, number: 6, mark: "▁", height: 0.1 },
  interrupt: { name: "interrupt", fill: "var(--ink)", ink: GROUND, number: 6, mark: "▮", height: 0.95 },
  softirq: { name: "soft interrupt", fill: "var(--soft)", ink: GROUND, number: 6, mark: "▮", height: 0.95 },
  unknown: { name: "not known", fill: "var(--band)", ink: SOFT, number: 6, mark: "□", height: 0.8 },
};

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
        Plot.rect(spans, {
          x1: (span: PlacedSpan) => Math.max(span.fromUsec, from),
          x2: (span: PlacedSpan) => Math.min(Math.max(span.toUsec, span.fromUsec + LEAST_PIXELS / pixels), to),
          y1: (span: PlacedSpan) => span.row - SPAN_STYLES[span.kind].height / 2,
          y2: (span: PlacedSpan) => span.row + SPAN_STYLES[span.kind].height / 2,
          fill: (span: PlacedSpan) => SPAN_STYLES[span.kind].fill,
          title: tooltip,
        }),
        Plot.text(labelled, {
          x: (span: PlacedSpan) => (Math.max(span.fromUsec, from) + Math.min(span.toUsec, to)) / 2,
          y: "row",
          text: (span: PlacedSpan) => shortName(span.label, 18),
          fill: (span: PlacedSpan) => SPAN_STYLES[span.kind].ink,
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
