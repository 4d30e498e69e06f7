/**
 * What the hypervisor took from each CPU in the course of a run. A guest's kernel records no event of it, but counts it for
 * each CPU in /proc/stat, in ticks: read several times a second, it says near which wakeup time was stolen.
 */
import type { Files } from "../platform/files.js";
import { NSEC_PER_USEC } from "../units.js";

/** Time stolen from one CPU, some time between two readings. */
export interface StolenTime {
  readonly cpu: number;
  readonly usec: number;
  readonly fromNsec: number;
  readonly toNsec: number;
}

/** Readings of a run. */
export interface StealWatch {
  /** Reads the counters now. */
  readonly look: () => void;
  /** What was stolen between the looks, ascending. */
  readonly stolen: () => readonly StolenTime[];
}

/** Of the kernel's user clock: 100 ticks a second on every machine that Node runs on. */
const USEC_PER_TICK = 10_000;
/** The eighth number of a CPU's line. */
const CPU_LINE = /^cpu(\d+)(?: \d+){7} (\d+)/gmu;

/** Pure: ticks stolen from each CPU since boot, from the text of /proc/stat. */
export const stolenTicks = (text: string): ReadonlyMap<number, number> =>
  new Map([...text.matchAll(CPU_LINE)].map(([, cpu, ticks]) => [Number(cpu), Number(ticks)]));

/** Begins to watch. */
export const watchSteal = (files: Pick<Files, "readText">, nowNsec: () => number): StealWatch => {
  const found: StolenTime[] = [];
  const read = () => ({ nsec: nowNsec(), ticks: stolenTicks(files.readText("/proc/stat") ?? "") });
  let last = read();
  return {
    look: () => {
      const now = read();
      for (const [cpu, ticks] of now.ticks) {
        // A CPU that has come online meanwhile brings its whole past with it.
        const stolen = ticks - (last.ticks.get(cpu) ?? ticks);
        if (stolen > 0) found.push({ cpu, usec: stolen * USEC_PER_TICK, fromNsec: last.nsec, toNsec: now.nsec });
      }
      last = now;
    },
    stolen: () => found,
  };
};

/** What was stolen from some CPUs between readings that a stretch of time lies among: the most of it that it can contain. */
export const stolenAround = (
  stolen: readonly StolenTime[],
  cpus: ReadonlySet<number>,
  { fromNsec, toNsec }: { readonly fromNsec: number; readonly toNsec: number },
): { cpu: number; usec: number; withinUsec: number }[] =>
  stolen
    .filter((one) => cpus.has(one.cpu) && one.fromNsec < toNsec && one.toNsec > fromNsec)
    .map((one) => ({ cpu: one.cpu, usec: one.usec, withinUsec: (one.toNsec - one.fromNsec) / NSEC_PER_USEC }));
