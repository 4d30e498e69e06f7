/** Explains one slow wakeup from the events around it: phases, causes, who ran, and what is missing. */
import { at } from "../at.js";
import type { SlowWakeup } from "../model/result/run-result.js";
import { NSEC_PER_SEC, NSEC_PER_USEC } from "../units.js";
import { type Blame, blamePieces } from "./blame.js";
import type { Side, TraceIndex } from "./trace-index.js";
import type { Cause, MissingEvidence } from "./causes.js";
import { firstIndex } from "./first-index.js";
import { firstKick, type Kicks } from "./kick.js";
import type { Who } from "./who.js";
import { stolenAround, type StolenTime } from "./steal.js";
import type { WakeupExplanation } from "./explanation.js";
import { type CpuRecord, idleElsewhere } from "./placement.js";
import type { LostStretch, ThreadEvent } from "./trace/trace-events.js";

/** What the analysis knows besides the trace. */
export interface AnalysisContext {
  readonly index: TraceIndex;
  readonly cpuRecords: ReadonlyMap<number, CpuRecord>;
  readonly lost: readonly LostStretch[];
  readonly sideOf: (tid: number) => Side;
  readonly allowedCpusOf: (tid: number) => readonly number[];
  readonly whoIs: (tid: number) => Who;
  readonly kicks: Kicks;
  readonly stolen: readonly StolenTime[];
}

/** How far before its stamp a waking may lie by rounding. */
const ROUNDING_NSEC = 1000;

const usec = (nsec: number): number => nsec / NSEC_PER_USEC;

/** Sums of microseconds by a key, the largest first. */
const sumBy = <T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  usecOf: (item: T) => number,
): readonly { readonly first: T; readonly usec: number }[] => {
  const sums = new Map<string, { first: T; usec: number }>();
  for (const item of items) {
    const sum = sums.get(keyOf(item));
    if (sum === undefined) sums.set(keyOf(item), { first: item, usec: usecOf(item) });
    else sum.usec += usecOf(item);
  }
  return [...sums.values()].toSorted((a, b) => b.usec - a.usec);
};

/** As the kernel prints times, but to the nanosecond. */
const kernelSec = (nsec: number): string =>
  `${Math.floor(nsec / NSEC_PER_SEC)}.${String(Math.floor(nsec % NSEC_PER_SEC)).padStart(9, "0")}`;

const lengthUsec = ({ fromNsec, toNsec }: Blame): number => usec(toNsec - fromNsec);

const schedClassOf = (priority: number): "deadline" | "realtime" | "normal" =>
  priority < 0 ? "deadline" : priority < 100 ? "realtime" : "normal";

type Phase = WakeupExplanation["phases"][number];

/** The points of a wakeup that the trace shows, in the order of time and never outside the two stamps. */
const phasesOf = ({ tid, wakeNsec, runNsec }: SlowWakeup, around: readonly ThreadEvent[]): Phase[] => {
  const waking = around.find(({ kind }) => kind === "waking");
  const wakeup = around.find((event) => event.kind === "wakeup" && event.timeNsec >= (waking?.timeNsec ?? wakeNsec));
  const after = wakeup?.timeNsec ?? waking?.timeNsec ?? wakeNsec;
  const isIn = (event: ThreadEvent): boolean => event.kind === "switch" && event.nextTid === tid;
  const switchedIn = around.find((event) => isIn(event) && event.timeNsec >= after);
  const points: { readonly point: Phase["from"]; readonly atNsec: number }[] = [{ point: "stamp", atNsec: wakeNsec }];
  const add = (point: Phase["from"], atNsec: number | undefined): void => {
    if (atNsec === undefined) return;
    points.push({ point, atNsec: Math.max(points.at(-1)?.atNsec ?? wakeNsec, Math.min(runNsec, atNsec)) });
  };
  add("waking", waking?.timeNsec);
  add("wakeup", wakeup?.timeNsec);
  add("switched-in", switchedIn?.timeNsec);
  add("run", runNsec);
  return points.slice(1).map(({ point, atNsec }, before) => {
    const from = at(points, before);
    return { from: from.point, to: point, usec: usec(atNsec - from.atNsec) };
  });
};

const overlapping = (lost: readonly LostStretch[], { wakeNsec, runNsec }: SlowWakeup): boolean =>
  lost.some(({ fromNsec, toNsec }) => fromNsec < runNsec && toNsec > wakeNsec);

/** What told the idle CPU of the thread. */
const kickOf = ({ kicks, index }: AnalysisContext, { wakeNsec, runNsec }: SlowWakeup, cpu: number | undefined) => {
  const kick = cpu === undefined ? null : firstKick(kicks, cpu, { fromNsec: wakeNsec, toNsec: runNsec });
  if (kick === null) return null;
  const { tid, comm } = index.lanes.taskOf(kick.currentTid);
  return { atUsec: usec(kick.timeNsec - wakeNsec), fromCpu: kick.cpu, tid, comm, how: kick.how };
};

/** Explains one wakeup, and gives the pieces of its time for whoever sums them up. */
export const explainWakeup = (
  context: AnalysisContext,
  wakeup: SlowWakeup,
): { readonly explained: WakeupExplanation; readonly pieces: readonly Blame[] } => {
  const { index, cpuRecords, lost, sideOf, allowedCpusOf, stolen } = context;
  const { tid, wakeNsec, runNsec } = wakeup;
  const about = index.byThread.get(tid) ?? [];
  const around = about.slice(
    firstIndex(about, ({ timeNsec }) => timeNsec >= wakeNsec - ROUNDING_NSEC),
    firstIndex(about, ({ timeNsec }) => timeNsec > runNsec + ROUNDING_NSEC),
  );
  const pieces = blamePieces(index, wakeup);
  const causes = sumBy(pieces, (piece) => piece.cause, lengthUsec).map(({ first, usec: sum }) => ({
    cause: first.cause,
    usec: sum,
  }));
  const cause: Cause = causes[0]?.cause ?? "unknown";

  const ran = pieces.flatMap((piece) =>
    piece.task === null || piece.interrupt !== null ? [] : [{ ...piece, task: piece.task }],
  );
  const interrupted = pieces.flatMap((piece) =>
    piece.interrupt === null ? [] : [{ ...piece, interrupt: piece.interrupt }],
  );
  const idle = sumBy(
    pieces.filter((piece) => piece.cause === "idle-exit"),
    ({ cpu }) => String(cpu),
    lengthUsec,
  );
  const missing = new Set<MissingEvidence>(pieces.flatMap((piece) => (piece.missing === null ? [] : [piece.missing])));
  if (missing.size > 0 && overlapping(lost, wakeup)) missing.add("events-lost");
  const explained: WakeupExplanation = {
    workerIndex: wakeup.workerIndex,
    tid,
    wakerTid: wakeup.wakerTid,
    kernelTid: tid,
    wakeNsec,
    kernelSec: { from: kernelSec(wakeNsec), to: kernelSec(runNsec) },
    latencyUsec: usec(runNsec - wakeNsec),
    cpuBefore: wakeup.cpuBefore,
    cpuAfter: wakeup.cpuAfter,
    cause,
    causes,
    phases: phasesOf(wakeup, around),
    ran: sumBy(ran, ({ task, cpu, heldUp }) => `${task.tid} ${cpu} ${heldUp}`, lengthUsec).map(
      ({ first, usec: sum }) => ({
        cpu: first.cpu,
        tid: first.task.tid,
        comm: first.task.comm,
        priority: first.task.priority,
        schedClass: schedClassOf(first.task.priority),
        ...context.whoIs(first.task.tid),
        side: sideOf(first.task.tid),
        heldUp: first.heldUp,
        usec: sum,
      }),
    ),
    interrupts: sumBy(
      interrupted,
      ({ interrupt, cpu }) => `${interrupt.kind} ${interrupt.name} ${cpu}`,
      lengthUsec,
    ).map(({ first, usec: sum }) => ({ cpu: first.cpu, ...first.interrupt, usec: sum })),
    migrations: around.flatMap((event) =>
      event.kind === "migrate"
        ? [{ atUsec: usec(event.timeNsec - wakeNsec), fromCpu: event.fromCpu, toCpu: event.toCpu }]
        : [],
    ),
    idleExit: idle[0] === undefined ? null : { cpu: idle[0].first.cpu, usec: idle[0].usec },
    kick: kickOf(context, wakeup, idle[0]?.first.cpu),
    steal: stolenAround(stolen, new Set(pieces.map(({ cpu }) => cpu)), { fromNsec: wakeNsec, toNsec: runNsec }),
    placementMiss: [...idleElsewhere(index, cpuRecords, pieces, allowedCpusOf(tid))],
    missing: [...missing],
  };
  return { explained, pieces };
};
