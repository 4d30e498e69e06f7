/** A trace recorded on a machine with two CPUs and Linux 6.18 while schbench ran with four workers, in both its forms. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { parseEventFormat, parsePageFormat } from "../../../src/explain/trace/event-format.js";
import type { Trace } from "../../../src/explain/trace/trace-events.js";
import { pageTimeNsec, type TraceLayout, type TracePage } from "../../../src/explain/trace/trace-pages.js";
import type { SlowWakeup } from "../../../src/model/result/run-result.js";

/** The threads of the benchmark in it: a message thread and its workers. */
export const RECORDED_TIDS = [1429, 1430, 1431, 1432, 1433] as const;

const FOLDER = "test/fixtures/explain";

/** The trace as text. */
export const recordedText = (): string => readFileSync(`${FOLDER}/linux-6.18-trace.txt`, "utf8");

const recording = z.object({
  headerPage: z.string(),
  formats: z.array(z.string()),
  pages: z.array(z.object({ cpu: z.number(), base64: z.string() })),
});

/** The same trace as pages, with the formats of that kernel. */
export const recordedPages = (): { readonly layout: TraceLayout; readonly pages: readonly TracePage[] } => {
  const { headerPage, formats, pages } = recording.parse(
    JSON.parse(readFileSync(`${FOLDER}/linux-6.18-pages.json`, "utf8")),
  );
  const page = parsePageFormat(headerPage);
  if (page === null) throw new Error("the recorded page format cannot be read");
  const events = formats.flatMap((text) => parseEventFormat(text) ?? []);
  const layout: TraceLayout = { page, events, littleEndian: true };
  const raw = pages.map(({ cpu, base64 }) => {
    const bytes = new Uint8Array(Buffer.from(base64, "base64"));
    return { cpu, bytes, fromNsec: pageTimeNsec(bytes, layout) ?? 0 };
  });
  return {
    layout,
    pages: raw.map((one, at) => {
      const next = raw[at + 1];
      return { ...one, untilNsec: next?.cpu === one.cpu ? next.fromNsec : one.fromNsec + 1_000_000_000 };
    }),
  };
};

/**
 * Every wakeup of a worker in a trace, as if stamped 2 µs before its waking and 2 µs after its switch.
 * One whose switch was not recorded has no end, and is left out.
 */
export const wakeupsIn = (trace: Trace): readonly SlowWakeup[] => {
  const wakeups: SlowWakeup[] = [];
  const open = new Map<number, Omit<SlowWakeup, "runNsec" | "cpuAfter">>();
  for (const event of trace.events) {
    const wakeup = event.kind === "switch" ? open.get(event.nextTid) : undefined;
    if (wakeup !== undefined) wakeups.push({ ...wakeup, runNsec: event.timeNsec + 2000, cpuAfter: event.cpu });
    open.delete(wakeup?.tid ?? event.currentTid);
    if (event.kind === "waking" && event.comm === "schbench-worker" && event.tid !== event.currentTid)
      open.set(event.tid, {
        workerIndex: event.tid % 10,
        tid: event.tid,
        wakeNsec: event.timeNsec - 2000,
        wakerTid: event.currentTid,
        cpuBefore: event.targetCpu,
      });
  }
  return wakeups;
};
