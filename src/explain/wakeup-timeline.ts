/** All CPUs around one slow wakeup, as data for a drawing: spans for each CPU and the events in words. */
import type { SlowWakeup } from "../model/result/run-result.js";
import { NSEC_PER_USEC } from "../units.js";
import type { Side, TraceIndex } from "./trace-index.js";
import type { Stretch } from "./cpu-lanes.js";
import { firstIndex } from "./first-index.js";
import type { TimelineSpan, WakeupTimeline } from "./explanation.js";
import type { TraceEvent } from "./trace/trace-events.js";

const MARGIN = { shareOfLatency: 0.1, leastNsec: 20_000, mostNsec: 200_000 } as const;
const MOST_EVENTS = 400;

/** An event in words. */
const describeEvent = (event: TraceEvent): string => {
  switch (event.kind) {
    case "waking":
      return `waking ${event.comm}-${event.tid} for CPU ${event.targetCpu}`;
    case "wakeup":
      return `wakeup ${event.comm}-${event.tid} on CPU ${event.targetCpu}`;
    case "switch":
      return `switch ${event.prevComm}-${event.prevTid} (${event.prevState}) to ${event.nextComm}-${event.nextTid}`;
    case "migrate":
      return `migrate ${event.comm}-${event.tid} from CPU ${event.fromCpu} to ${event.toCpu}`;
    case "idle":
      return event.state === null ? "leaves idle state" : `enters idle state ${event.state}`;
    case "kick":
      return event.how === "interrupt"
        ? `interrupts CPU ${event.targetCpu}`
        : `tells CPU ${event.targetCpu}, which polls`;
    case "period":
      return "a CPU limit's period ends";
    case "irq-entry":
    case "irq-exit":
    case "softirq-entry":
    case "softirq-exit":
      return `${event.kind.replace("-", " ")} ${event.name === "" ? event.number : event.name}`;
  }
  return "";
};

const spanOf = (
  { task, interrupt, fromNsec, toNsec }: Stretch,
  { tid, wakerTid, wakeNsec }: SlowWakeup,
  sideOf: (tid: number) => Side,
): TimelineSpan => {
  const times = { fromUsec: (fromNsec - wakeNsec) / NSEC_PER_USEC, toUsec: (toNsec - wakeNsec) / NSEC_PER_USEC };
  if (task === null) return { ...times, kind: "unknown", tid: null, label: "events missing" };
  if (interrupt !== null)
    return {
      ...times,
      kind: interrupt.kind === "irq" ? "interrupt" : "softirq",
      tid: task.tid,
      label: interrupt.name,
    };
  const kind =
    task.tid === 0 ? "idle" : task.tid === tid ? "thread" : task.tid === wakerTid ? "waker" : sideOf(task.tid);
  return { ...times, kind, tid: task.tid, label: task.comm };
};

const joinSpans = (spans: readonly TimelineSpan[]): TimelineSpan[] => {
  const joined: TimelineSpan[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last !== undefined && last.kind === span.kind && last.tid === span.tid && last.label === span.label)
      joined[joined.length - 1] = { ...last, toUsec: span.toUsec };
    else joined.push(span);
  }
  return joined;
};

/** The time line of a wakeup, with a margin of a tenth of its latency (20 to 200 µs) on both sides. */
export const wakeupTimeline = (
  index: TraceIndex,
  events: readonly TraceEvent[],
  wakeup: SlowWakeup,
  sideOf: (tid: number) => Side,
): WakeupTimeline => {
  const { wakeNsec, runNsec } = wakeup;
  const wanted = (runNsec - wakeNsec) * MARGIN.shareOfLatency;
  const margin = Math.min(MARGIN.mostNsec, Math.max(MARGIN.leastNsec, wanted));
  const fromNsec = wakeNsec - margin;
  const toNsec = runNsec + margin;
  const around = events.slice(
    firstIndex(events, ({ timeNsec }) => timeNsec >= fromNsec),
    firstIndex(events, ({ timeNsec }) => timeNsec > toNsec),
  );
  const half = MOST_EVENTS / 2;
  const shown = around.length <= MOST_EVENTS ? around : [...around.slice(0, half), ...around.slice(-half)];
  return {
    fromUsec: (fromNsec - wakeNsec) / NSEC_PER_USEC,
    toUsec: (toNsec - wakeNsec) / NSEC_PER_USEC,
    cpus: index.lanes.cpus.map((cpu) => ({
      cpu,
      spans: joinSpans(index.lanes.stretches(cpu, fromNsec, toNsec).map((stretch) => spanOf(stretch, wakeup, sideOf))),
    })),
    events: shown.map((event) => ({
      atUsec: (event.timeNsec - wakeNsec) / NSEC_PER_USEC,
      cpu: event.cpu,
      text: describeEvent(event),
    })),
    eventsLeftOut: around.length - shown.length,
  };
};
