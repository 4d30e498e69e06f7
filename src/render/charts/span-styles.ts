/** How the kinds of spans on a CPU's time line look, and in which order they are named. */
import type { TimelineSpan } from "../../explain/explanation.js";
import { GROUND, SOFT } from "./frame.js";

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

/** In the order of the styles: who was woken, who woke, who was in the way. */
export const SPAN_KINDS = [
  "thread",
  "waker",
  "benchmark",
  "harness",
  "foreign",
  "interrupt",
  "softirq",
  "idle",
  "unknown",
] as const satisfies readonly TimelineSpan["kind"][];
