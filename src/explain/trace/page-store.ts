/**
 * Keeps, of all pages ever read, those that tell of the slowest wakeups so far: that is what bounds the memory of a
 * traced run of any length.
 *
 * Why nothing that is needed at the end is ever thrown away: a wakeup among the K slowest of its thread at the end was
 * among the K slowest from the moment it happened. So what is outside all windows of the present list can go, except the
 * newest pages, in which a wakeup may still be under way.
 */
import { at } from "../../at.js";
import type { SlowWakeup } from "../../model/result/run-result.js";
import type { TracePage } from "./trace-pages.js";

/** How many bytes of pages may stay, and how long the newest are kept whatever they tell. */
export interface PageLimits {
  readonly keptBytes: number;
  readonly newestNsec: number;
}

interface Window {
  readonly fromNsec: number;
  readonly toNsec: number;
}

/** What is around a wakeup that helps to understand it: what ran before, and what came of it. */
const WINDOW_MARGIN_NSEC = 200_000;
/**
 * A thread that lost its CPU before it could sleep is woken without an event of its own: only its switch-out, before the stamp, tells.
 * How far back that is goes by how long it waits for a CPU: where CPUs are scarce, before the stamp as after it.
 */
const LATENCIES_BEFORE = 2;

const latencyNsec = ({ wakeNsec, runNsec }: SlowWakeup): number => runNsec - wakeNsec;

const windowOf = (wakeup: SlowWakeup): Window => ({
  fromNsec: wakeup.wakeNsec - Math.max(WINDOW_MARGIN_NSEC, LATENCIES_BEFORE * latencyNsec(wakeup)),
  toNsec: wakeup.runNsec + WINDOW_MARGIN_NSEC,
});

/** Joins windows that touch; ascending. */
const joinWindows = (windows: readonly Window[]): readonly Window[] => {
  const joined: Window[] = [];
  for (const window of windows.toSorted((a, b) => a.fromNsec - b.fromNsec)) {
    const last = joined.at(-1);
    if (last !== undefined && window.fromNsec <= last.toNsec)
      joined[joined.length - 1] = { fromNsec: last.fromNsec, toNsec: Math.max(last.toNsec, window.toNsec) };
    else joined.push(window);
  }
  return joined;
};

/** Whether a page tells of any window; `windows` are joined and ascending. */
const overlapsAny = (page: TracePage, windows: readonly Window[]): boolean => {
  let low = 0;
  let high = windows.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (at(windows, middle).toNsec < page.fromNsec) low = middle + 1;
    else high = middle;
  }
  const window = windows[low];
  return window !== undefined && window.fromNsec <= page.untilNsec;
};

const bytesOf = (pages: readonly TracePage[]): number => pages.reduce((sum, page) => sum + page.bytes.byteLength, 0);

/** Pages that tell of any window, and of each CPU the page after: its first event shows what came of the last one. */
const pagesOf = (pages: readonly TracePage[], windows: readonly Window[]): readonly TracePage[] => {
  const wantsNext = new Map<number, boolean>();
  return pages.filter((page) => {
    const tells = overlapsAny(page, windows);
    const isNext = wantsNext.get(page.cpu) === true;
    wantsNext.set(page.cpu, tells);
    return tells || isNext;
  });
};

/**
 * Chooses the pages to keep.
 *
 * @param pages those of one CPU ascending in time
 * @param slow the slowest wakeups so far
 * @param nowNsec when reading the pages was begun; Infinity at the end of the run
 * @returns pages in their order. Where the limit would be passed, the less slow wakeups lose theirs first.
 */
export const choosePages = (
  pages: readonly TracePage[],
  slow: readonly SlowWakeup[],
  nowNsec: number,
  { keptBytes, newestNsec }: PageLimits,
): readonly TracePage[] => {
  const slowestFirst = slow.toSorted((a, b) => latencyNsec(b) - latencyNsec(a));
  // Reading takes time, in which pages are written that begin after it was begun.
  const newest: Window = { fromNsec: nowNsec - newestNsec, toNsec: Number.POSITIVE_INFINITY };
  let wakeups = slowestFirst.length;
  for (;;) {
    const windows = joinWindows([...slowestFirst.slice(0, wakeups).map(windowOf), newest]);
    const kept = pagesOf(pages, windows);
    if (wakeups === 0 || bytesOf(kept) <= keptBytes) return kept;
    wakeups = Math.floor(wakeups / 2);
  }
};
