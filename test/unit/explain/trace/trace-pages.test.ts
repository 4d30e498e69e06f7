import assert from "node:assert/strict";
import { test } from "node:test";
import { explainRun } from "../../../../src/explain/explain-run.js";
import { explanation as schema } from "../../../../src/explain/explanation.js";
import type { LostStretch, Trace } from "../../../../src/explain/trace/trace-events.js";
import { readTracePages } from "../../../../src/explain/trace/trace-pages.js";
import { parseTraceText } from "../../../../src/explain/trace/trace-text.js";
import type { SlowWakeup } from "../../../../src/model/result/run-result.js";
import { RECORDED_TIDS, recordedPages, recordedText, wakeupsIn } from "../recorded.js";

const { layout, pages } = recordedPages();

/** What is lost between the first and the last page of a CPU. */
const lostInside = (trace: Trace): readonly LostStretch[] =>
  trace.lost.filter(({ fromNsec, toNsec }) => Number.isFinite(fromNsec) && Number.isFinite(toNsec));

void test("binary pages and text of one trace tell the same", () => {
  const text = parseTraceText(recordedText());
  const binary = readTracePages(pages, layout);
  assert.equal(binary.damaged, 0);
  assert.deepEqual(lostInside(binary), []);
  for (const cpu of [0, 1])
    assert.deepEqual(
      binary.events
        .filter((event) => event.cpu === cpu)
        .map((event) => ({ ...event, timeNsec: Math.round(event.timeNsec / 1000) * 1000 })),
      text.events.filter((event) => event.cpu === cpu),
    );
});

const sum = (parts: readonly { readonly usec: number }[]): number => parts.reduce((all, { usec }) => all + usec, 0);

void test("nearly all wakeups of a recorded trace are attributed, and their parts add up to their latency", () => {
  const trace = readTracePages(pages, layout);
  const slowWakeups = wakeupsIn(trace);
  const explain = (wakeups: readonly SlowWakeup[]) =>
    schema.parse(
      explainRun({
        trace,
        counts: { events: trace.events.length, lostEvents: 0, ringKibPerCpu: 8192, drains: 0 },
        slowWakeups: wakeups,
        threads: RECORDED_TIDS.map((tid) => ({ tid, allowedCpus: [0, 1] })),
        harnessTids: [],
        wasThrottled: false,
        stolen: [],
        kernelIds: new Map(),
      }),
    );
  assert.equal(slowWakeups.length, 84);
  for (const wakeup of slowWakeups) {
    const [one] = explain([wakeup]).worst;
    assert.ok(one !== undefined);
    assert.ok(Math.abs(sum(one.phases) - one.latencyUsec) < 0.01);
    assert.ok(Math.abs(sum(one.causes) - one.latencyUsec) < 0.01);
  }
  const all = explain(slowWakeups);
  assert.ok(all.attributed >= 0.9 * all.slowWakeups, `${all.attributed} of ${all.slowWakeups}`);
});

void test("a page that is cut off is counted, and what follows on its CPU is lost until the next page", () => {
  const [first, second] = pages;
  assert.ok(first !== undefined && second !== undefined);
  const cut = { ...first, bytes: first.bytes.subarray(0, Math.floor(first.bytes.byteLength / 2)) };
  const trace = readTracePages([cut, second], layout);
  assert.equal(trace.damaged, 1);
  assert.equal(lostInside(trace).length, 1);
  assert.equal(lostInside(trace)[0]?.toNsec, second.fromNsec);
  assert.ok(trace.events.length > 0);
});

void test("a page without even a head is counted and passed over", () => {
  const [first] = pages;
  assert.ok(first !== undefined);
  assert.equal(readTracePages([{ ...first, bytes: new Uint8Array(7) }], layout).damaged, 1);
});

void test("events that the kernel overwrote before a page are lost from the last event before it, with their number", () => {
  const [first, second] = pages;
  assert.ok(first !== undefined && second !== undefined);
  const bytes = new Uint8Array(second.bytes.byteLength + 8);
  bytes.set(second.bytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, view.getUint32(8, true) + 0xc000_0000, true);
  view.setUint32(second.bytes.byteLength, 4711, true);
  const [lost] = lostInside(readTracePages([first, { ...second, bytes }], layout));
  assert.equal(lost?.events, 4711);
  assert.equal(lost?.toNsec, second.fromNsec);
  assert.ok((lost?.fromNsec ?? 0) > first.fromNsec && (lost?.fromNsec ?? 0) <= second.fromNsec);
});

void test("pages that were not kept count as lost, but not as events", () => {
  const ofCpu = pages.filter(({ cpu }) => cpu === 0);
  const [first, , third] = ofCpu;
  assert.ok(first !== undefined && third !== undefined);
  assert.deepEqual(lostInside(readTracePages([first, third], layout)), [
    { cpu: 0, fromNsec: first.untilNsec, toNsec: third.fromNsec, events: 0 },
  ]);
});

void test("before the first page of a CPU and after its last one, nothing is known", () => {
  const [first] = pages;
  assert.ok(first !== undefined);
  const { cpu, fromNsec, untilNsec } = first;
  assert.deepEqual(readTracePages([first], layout).lost, [
    { cpu, fromNsec: -Infinity, toNsec: fromNsec, events: 0 },
    { cpu, fromNsec: untilNsec, toNsec: Infinity, events: 0 },
  ]);
});
