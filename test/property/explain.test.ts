/** What holds for the explanation of any wakeup, from whatever is left of a trace. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { explanation as schema } from "../../src/explain/explanation.js";
import { explainText } from "../../src/explain/explain-text.js";
import { choosePages } from "../../src/explain/trace/page-store.js";
import { inOrderOfTime, type Trace, type TraceEvent } from "../../src/explain/trace/trace-events.js";
import { readTracePages, type TracePage } from "../../src/explain/trace/trace-pages.js";
import { parseTraceText } from "../../src/explain/trace/trace-text.js";
import type { SlowWakeup } from "../../src/model/result/run-result.js";
import { recordedPages, recordedText, wakeupsIn } from "../unit/explain/recorded.js";
import { explainTrace } from "../unit/explain/scene.js";

const { layout, pages } = recordedPages();
const text = recordedText();
const whole = readTracePages(pages, layout);
const wakeups = wakeupsIn(whole);

const sum = (parts: readonly { readonly usec: number }[]): number => parts.reduce((all, { usec }) => all + usec, 0);

/** Every wakeup's phases and causes add up to its latency, and the result is one that can be stored and printed. */
const assertSound = (trace: Trace, slow: readonly SlowWakeup[]): void => {
  const found = schema.parse(JSON.parse(JSON.stringify(explainTrace(trace, slow))));
  assert.equal(found.slowWakeups, slow.length);
  assert.equal(found.worst.length + found.more.length, Math.min(100, slow.length));
  for (const one of [...found.worst, ...found.more]) {
    assert.ok(Math.abs(sum(one.phases) - one.latencyUsec) < 0.01, "phases");
    assert.ok(Math.abs(sum(one.causes) - one.latencyUsec) < 0.01, "causes");
    for (const { usec } of [...one.phases, ...one.causes]) assert.ok(usec >= 0);
  }
  for (const one of found.worst)
    for (const { spans } of one.timeline.cpus)
      for (const [at, span] of spans.entries()) assert.ok(at === 0 || span.fromUsec === spans[at - 1]?.toUsec, "gap");
  assert.ok(Math.abs(sum(found.causes) - found.totalUsec) < 0.01 * Math.max(1, slow.length));
  assert.equal(
    found.causes.reduce((all, cause) => all + cause.wakeups, 0),
    slow.length,
  );
  assert.ok(explainText(found).endsWith("\n"));
};

const someWakeups = fc.array(fc.constantFrom(...wakeups), { minLength: 1, maxLength: 3 });

void test("the parts of a wakeup add up to it, whichever events are missing", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer(), someWakeups, (keep, seed, slow) => {
      let state = seed;
      const events = whole.events.filter(() => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
        return (state >>> 8) / 2 ** 24 < keep;
      });
      assertSound({ ...whole, events }, slow);
    }),
    { numRuns: 60 },
  );
});

void test("the parts of a wakeup add up to it, whatever its stamps are", () => {
  const first = whole.events[0]?.timeNsec ?? 0;
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000, max: 70_000_000 }),
      fc.integer({ min: 1, max: 20_000_000 }),
      fc.constantFrom(...wakeups),
      (startNsec, latencyNsec, wakeup) => {
        const wakeNsec = first + startNsec;
        assertSound(whole, [{ ...wakeup, wakeNsec, runNsec: wakeNsec + latencyNsec }]);
      },
    ),
    { numRuns: 60 },
  );
});

void test("text that is cut off and damaged anywhere is read without an error", () => {
  fc.assert(
    fc.property(
      fc.nat(text.length),
      fc.nat(text.length),
      fc.string({ maxLength: 20, unit: "binary" }),
      someWakeups,
      (from, at, garbage, slow) => {
        const damaged = text.slice(from, at) + garbage + text.slice(at + garbage.length);
        assertSound(parseTraceText(damaged), slow);
      },
    ),
    { numRuns: 40 },
  );
});

void test("pages with any bytes changed are read without an error, and never for ever", () => {
  const change = fc.tuple(fc.nat(pages.length - 1), fc.nat(4095), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 30 }), someWakeups, (changes, slow) => {
      const damaged = pages.map((page): TracePage => ({ ...page, bytes: page.bytes.slice() }));
      for (const [page, offset, value] of changes) {
        const bytes = damaged[page]?.bytes;
        if (bytes !== undefined && offset < bytes.length) bytes[offset] = value;
      }
      assertSound(readTracePages(damaged, layout), slow);
    }),
    { numRuns: 60 },
  );
});

void test("what is left after any number of choices tells the same of the slowest wakeups as the whole", () => {
  const limits = { keptBytes: Infinity, newestNsec: 5_000_000 };
  fc.assert(
    fc.property(someWakeups, fc.array(fc.nat(70_000_000), { maxLength: 4 }), (slow, moments) => {
      const first = whole.events[0]?.timeNsec ?? 0;
      let kept: readonly TracePage[] = [];
      let read = 0;
      const inTime = pages.toSorted((a, b) => a.fromNsec - b.fromNsec);
      for (const moment of [...moments.toSorted((a, b) => a - b), Infinity]) {
        const fresh = inTime.slice(read).filter((page) => page.fromNsec <= first + moment);
        read += fresh.length;
        const soFar = slow.filter(({ runNsec }) => runNsec <= first + moment);
        kept = choosePages([...kept, ...fresh], soFar, first + moment, limits);
      }
      const causesOf = (trace: Trace) => explainTrace(trace, slow).worst.map(({ causes }) => causes);
      assert.deepEqual(causesOf(readTracePages(kept, layout)), causesOf(whole));
    }),
    { numRuns: 30 },
  );
});

void test("the parts of a wakeup add up to it, wherever the periods of a CPU limit end, and without a limit none is found", () => {
  const first = whole.events[0]?.timeNsec ?? 0;
  const period = fc.record({ atNsec: fc.nat(70_000_000), timer: fc.constantFrom(1, 2), cpu: fc.constantFrom(0, 1) });
  fc.assert(
    fc.property(fc.array(period, { maxLength: 30 }), someWakeups, (periods, slow) => {
      const ends = periods.map(({ atNsec, timer, cpu }): TraceEvent => {
        const timeNsec = first + atNsec;
        // In the context of whoever has the CPU then, as the kernel records it.
        const before = whole.events.findLast((event) => event.cpu === cpu && event.timeNsec <= timeNsec);
        const currentTid = before?.kind === "switch" ? before.nextTid : (before?.currentTid ?? 0);
        return { kind: "period", timer, cpu, timeNsec, currentTid };
      });
      const trace = { ...whole, events: inOrderOfTime([...whole.events, ...ends]) };
      const limited = explainTrace(trace, slow, undefined, [], true);
      const unlimited = explainTrace(trace, slow);
      assert.ok(unlimited.causes.every(({ cause }) => cause !== "throttled"));
      for (const { causes, latencyUsec } of limited.worst) assert.ok(Math.abs(sum(causes) - latencyUsec) < 0.01);
      assert.ok(Math.abs(limited.totalUsec - unlimited.totalUsec) < 0.01);
    }),
    { numRuns: 60 },
  );
});
