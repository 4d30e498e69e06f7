/** The pages of a run that are kept: rings are emptied into them, and what tells of no slow wakeup goes again. */
import type { SlowWakeup } from "../../model/result/run-result.js";
import type { Instance } from "./instance.js";
import { choosePages, type PageLimits } from "./page-store.js";
import { pageTimeNsec, type TraceLayout, type TracePage } from "./trace-pages.js";
import type { PageReader } from "./tracefs.js";

/** All pages kept so far. */
export interface KeptPages {
  /** Empties every ring, and keeps what tells of these wakeups; `nowNsec` as `choosePages` wants it. */
  readonly drain: (slow: readonly SlowWakeup[], nowNsec: number) => void;
  /** Those of one CPU ascending in time. */
  readonly pages: () => readonly TracePage[];
}

type Clock = () => number;

/** Reads all pages that are in a ring now; each ends where the next one begins, the last one now. */
const drainRing = (ring: PageReader, cpu: number, layout: TraceLayout, nowNsec: Clock): readonly TracePage[] => {
  const pages: TracePage[] = [];
  const buffer = new Uint8Array(layout.page.pageBytes);
  for (;;) {
    const untilNsec = nowNsec();
    const length = ring.read(buffer);
    if (length === 0) return pages;
    const bytes = buffer.slice(0, length);
    const fromNsec = pageTimeNsec(bytes, layout);
    if (fromNsec === null) return pages;
    const last = pages.at(-1);
    if (last !== undefined) pages[pages.length - 1] = { ...last, untilNsec: fromNsec };
    pages.push({ cpu, bytes, fromNsec, untilNsec });
  }
};

/** Nothing kept yet. */
export const keptPages = ({ rings, layout }: Instance, limits: PageLimits, nowNsec: Clock): KeptPages => {
  let kept: readonly TracePage[] = [];
  /** Until when the last page that was read of each CPU tells of it. */
  const readUntilNsec = new Map<number, number>();

  /** The last page of the drain before told of the time until now after all: nothing came in between. */
  const extendLast = (pages: TracePage[], cpu: number, untilNsec: number): void => {
    const lastIndex = pages.findLastIndex((page) => page.cpu === cpu);
    const last = pages[lastIndex];
    if (last !== undefined && last.untilNsec === readUntilNsec.get(cpu)) pages[lastIndex] = { ...last, untilNsec };
  };
  return {
    drain: (slow, beganNsec) => {
      const pages = [...kept];
      for (const [cpu, ring] of rings) {
        const emptiedNsec = nowNsec();
        const fresh = drainRing(ring, cpu, layout, nowNsec);
        extendLast(pages, cpu, fresh[0]?.fromNsec ?? emptiedNsec);
        readUntilNsec.set(cpu, fresh.at(-1)?.untilNsec ?? emptiedNsec);
        for (const page of fresh) pages.push(page);
      }
      kept = choosePages(pages, slow, beganNsec, limits);
    },
    pages: () => kept,
  };
};
