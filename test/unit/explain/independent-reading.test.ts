/**
 * The recorded trace read a second time, by other means: line by line, with nothing but the switches of the CPU that a
 * thread waits for. Who had it, and for how long, must be the same.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { explainWakeup } from "../../../src/explain/analyse.js";
import { traceIndex } from "../../../src/explain/trace-index.js";
import { cpuRecords } from "../../../src/explain/placement.js";
import { parseTraceText } from "../../../src/explain/trace/trace-text.js";
import { RECORDED_TIDS, recordedText, wakeupsIn } from "./recorded.js";

const text = recordedText();
const trace = parseTraceText(text);
const wakeups = wakeupsIn(trace);
const sideOf = (tid: number) => (RECORDED_TIDS.some((one) => one === tid) ? "benchmark" : "foreign");
const context = {
  index: traceIndex(trace, sideOf, false),
  cpuRecords: cpuRecords(trace),
  lost: trace.lost,
  sideOf,
  allowedCpusOf: () => [0, 1],
  whoIs: () => ({ policy: null, group: null }),
  kicks: new Map(),
  stolen: [],
} as const;

interface Line {
  readonly usec: number;
  readonly cpu: number;
  readonly rest: string;
}

const lines: readonly Line[] = text.split("\n").flatMap((line) => {
  const found = /\[(\d+)\] \S+ +(\d+)\.(\d+): (.*)$/.exec(line);
  return found === null
    ? []
    : [{ cpu: Number(found[1]), usec: Number(`${found[2]}${found[3]}`), rest: found[4] ?? "" }];
});

const usecOf = (nsec: number): number => Math.round(nsec / 1000);

/** Microseconds for which each task had a CPU, from its switches alone. */
const occupants = (cpu: number, fromUsec: number, toUsec: number): ReadonlyMap<number, number> => {
  const times = new Map<number, number>();
  let atUsec = fromUsec;
  for (const line of lines) {
    if (line.cpu !== cpu || line.usec <= fromUsec || line.usec > toUsec || !line.rest.startsWith("sched_switch"))
      continue;
    const tid = Number(/prev_pid=(\d+)/.exec(line.rest)?.[1]);
    times.set(tid, (times.get(tid) ?? 0) + line.usec - atUsec);
    atUsec = line.usec;
  }
  return times;
};

/** From being on a run queue to the CPU, where the thread is not moved meanwhile and all is on record. */
const waitOf = (tid: number, fromUsec: number, toUsec: number) => {
  const about = lines.filter(
    ({ usec, rest }) => usec >= fromUsec && usec <= toUsec && new RegExp(`pid=${tid}\\b`).test(rest),
  );
  const kinds = about.map(({ rest }) => rest.slice(0, rest.indexOf(":"))).join(" ");
  if (kinds !== "sched_waking sched_wakeup sched_switch") return null;
  const [, wakeup, switched] = about;
  if (wakeup === undefined || switched === undefined) return null;
  return { cpu: switched.cpu, fromUsec: wakeup.usec, toUsec: switched.usec };
};

void test("who had the CPU that a thread waited for, and how long, is what a second reading of the switches says", () => {
  let compared = 0;
  for (const wakeup of wakeups) {
    const wait = waitOf(wakeup.tid, usecOf(wakeup.wakeNsec), usecOf(wakeup.runNsec));
    if (wait === null) continue;
    const { explained } = explainWakeup(context, wakeup);
    if (explained.missing.length > 0) continue;
    const expected = occupants(wait.cpu, wait.fromUsec, wait.toUsec);
    const interrupted = explained.interrupts.reduce((sum, { usec }) => sum + usec, 0);
    for (const { tid, usec, heldUp } of explained.ran) {
      if (heldUp === "waker") continue;
      const lacking = (expected.get(tid) ?? 0) - usec;
      assert.ok(lacking >= -2 && lacking <= interrupted + 2, `${tid} in the wakeup of ${wakeup.tid}: ${lacking}`);
    }
    const ran = explained.ran.reduce((sum, { usec, heldUp }) => sum + (heldUp === "thread" ? usec : 0), 0);
    const others = [...expected].reduce((sum, [tid, usec]) => sum + (tid === 0 || tid === wakeup.tid ? 0 : usec), 0);
    assert.ok(Math.abs(others - ran) <= interrupted + 2, `${others} and ${ran}`);
    compared++;
  }
  assert.ok(compared >= 30, `${compared} of ${wakeups.length} could be compared`);
});

void test("no wakeup of the record is lost", () => {
  const switchedIn = lines.filter(({ rest }) => rest.startsWith("sched_waking: comm=schbench-worker")).length;
  assert.ok(wakeups.length > 0.8 * switchedIn && wakeups.length <= switchedIn, `${wakeups.length} of ${switchedIn}`);
  for (const wakeup of wakeups) assert.equal(explainWakeup(context, wakeup).explained.tid, wakeup.tid);
});
