import assert from "node:assert/strict";
import { test } from "node:test";
import { choosePages } from "../../../../src/explain/trace/page-store.js";
import type { TracePage } from "../../../../src/explain/trace/trace-pages.js";
import type { SlowWakeup } from "../../../../src/model/result/run-result.js";

const MSEC = 1_000_000;
const page = (cpu: number, fromMsec: number, untilMsec: number): TracePage => ({
  cpu,
  bytes: new Uint8Array(4096),
  fromNsec: fromMsec * MSEC,
  untilNsec: untilMsec * MSEC,
});
const wakeup = (wakeMsec: number, runMsec: number): SlowWakeup => ({
  workerIndex: 0,
  tid: 1,
  wakeNsec: wakeMsec * MSEC,
  runNsec: runMsec * MSEC,
  wakerTid: 2,
  cpuBefore: 0,
  cpuAfter: 0,
});
const pages = [...Array.from({ length: 100 }, (_, at) => page(0, at * 10, at * 10 + 10)), page(1, 0, 1000)];
const starts = (kept: readonly TracePage[]) => kept.map(({ cpu, fromNsec }) => [cpu, fromNsec / MSEC]);
const LIMITS = { keptBytes: 1_000_000, newestNsec: 20 * MSEC };

void test("pages outside the windows of the slowest wakeups go; on every CPU those inside stay, and the one after", () => {
  assert.deepEqual(starts(choosePages(pages, [wakeup(105, 115)], Infinity, LIMITS)), [
    [0, 80],
    [0, 90],
    [0, 100],
    [0, 110],
    [0, 120],
    [1, 0],
  ]);
});

void test("the longer a thread waited, the further back its pages stay: its last switch-out may be as far before the stamp", () => {
  const [first] = starts(choosePages(pages, [wakeup(500, 600)], Infinity, LIMITS));
  assert.deepEqual(first, [0, 290]);
  const [close] = starts(choosePages(pages, [wakeup(505, 505.01)], Infinity, LIMITS));
  assert.deepEqual(close, [0, 500]);
});

void test("the newest pages stay, since a wakeup may still be under way in them", () => {
  assert.deepEqual(starts(choosePages(pages, [], 1000 * MSEC, LIMITS)), [
    [0, 970],
    [0, 980],
    [0, 990],
    [1, 0],
  ]);
});

void test("where memory is short the slowest wakeups keep their pages", () => {
  const kept = choosePages(pages, [wakeup(105, 106), wakeup(505, 515)], Infinity, { ...LIMITS, keptBytes: 6 * 4096 });
  assert.deepEqual(starts(kept), [
    [0, 480],
    [0, 490],
    [0, 500],
    [0, 510],
    [0, 520],
    [1, 0],
  ]);
});

void test("choosing again with the same wakeups changes nothing", () => {
  const slow = [wakeup(105, 115), wakeup(333, 390)];
  const once = choosePages(pages, slow, Infinity, LIMITS);
  assert.deepEqual(choosePages(once, slow, Infinity, LIMITS), once);
});

void test("a page that was written while others were read stays as well", () => {
  const late = page(0, 1001, 1002);
  assert.ok(choosePages([...pages, late], [], 1000 * MSEC, LIMITS).includes(late));
});
