/**
 * Reads the binary pages of `trace_pipe_raw`. Why binary: a page says in its head when it begins, so that pages which
 * no slow wakeup needs are dropped unread, which keeps memory bounded and the reader cheap; the times are nanoseconds
 * like the stamps; and the kernel formats no text while the benchmark runs.
 *
 * A record begins with a 32-bit word: the low 5 bits are its type or its length in words, the rest is the time since the
 * record before. Types 29 to 31 are padding, a longer time, and an absolute time.
 */
import { type EventReader, eventReaders } from "./event-readers.js";
import type { EventFormat, PageFormat } from "./event-format.js";
import { inOrderOfTime, type LostStretch, type Trace, type TraceEvent } from "./trace-events.js";

/** A page as it was read, and the stretch of time of which it tells everything. */
export interface TracePage {
  readonly cpu: number;
  readonly bytes: Uint8Array;
  readonly fromNsec: number;
  /** When the next page of this CPU begins; for the last one, when it was read. */
  readonly untilNsec: number;
}

/** What pages are made of on this kernel. */
export interface TraceLayout {
  readonly page: PageFormat;
  readonly events: readonly EventFormat[];
  readonly littleEndian: boolean;
}

const TYPE_BITS = 5;
const DELTA_SCALE = 2 ** 27;
const PADDING = 29;
const TIME_EXTEND = 30;
const TIME_STAMP = 31;
const MISSED_EVENTS = 2 ** 31;
const MISSED_COUNT_STORED = 2 ** 30;
const LENGTH_MASK = 0x7_ff_ff_ff;

/** A page's bytes to read numbers from. */
export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const readUint64 = (view: DataView, offset: number, littleEndian: boolean): number => {
  const high = view.getUint32(offset + (littleEndian ? 4 : 0), littleEndian);
  const low = view.getUint32(offset + (littleEndian ? 0 : 4), littleEndian);
  return high * 2 ** 32 + low;
};

/** When a page begins, CLOCK_MONOTONIC; null when there are too few bytes for a page. */
export const pageTimeNsec = (bytes: Uint8Array, layout: TraceLayout): number | null =>
  bytes.byteLength < layout.page.dataOffset ? null : readUint64(viewOf(bytes), 0, layout.littleEndian);

interface PageHead {
  readonly endOffset: number;
  /** undefined: nothing was lost; null: something, but not counted. */
  readonly missed: number | null | undefined;
}

const readHead = (view: DataView, { page, littleEndian }: TraceLayout): PageHead => {
  const { offset, size } = page.commit;
  const commit = view.getUint32(offset + (size === 8 && !littleEndian ? 4 : 0), littleEndian);
  const endOffset = page.dataOffset + (commit & LENGTH_MASK);
  if (Math.floor(commit / MISSED_EVENTS) % 2 === 0) return { endOffset, missed: undefined };
  const stored = Math.floor(commit / MISSED_COUNT_STORED) % 2 === 1 && endOffset + 4 <= view.byteLength;
  const countOffset = endOffset + (size === 8 && !littleEndian ? 4 : 0);
  return { endOffset, missed: stored ? view.getUint32(countOffset, littleEndian) : null };
};

interface PageReading {
  readonly lastNsec: number;
  readonly damaged: boolean;
}

/** Takes a record's number, place and time; false: it is damaged. */
export type VisitRecord = (event: number, start: number, end: number, timeNsec: number) => boolean;

/** Goes through the records of a page until its end, or to the first that is damaged. */
const visitRecords = (
  view: DataView,
  fromNsec: number,
  endOffset: number,
  layout: TraceLayout,
  visit: VisitRecord,
): PageReading => {
  const { littleEndian } = layout;
  const end = Math.min(endOffset, view.byteLength);
  let timeNsec = fromNsec;
  let offset = layout.page.dataOffset;
  while (offset + 4 <= end) {
    const word = view.getUint32(offset, littleEndian);
    const type = littleEndian ? word & (2 ** TYPE_BITS - 1) : Math.floor(word / DELTA_SCALE);
    const delta = littleEndian ? Math.floor(word / 2 ** TYPE_BITS) : word % DELTA_SCALE;
    if (type === PADDING && delta === 0) return { lastNsec: timeNsec, damaged: false };
    if (type >= PADDING || type === 0) {
      if (offset + 8 > end) return { lastNsec: timeNsec, damaged: true };
    }
    const next = type >= PADDING || type === 0 ? view.getUint32(offset + 4, littleEndian) : 0;
    if (type === TIME_EXTEND) timeNsec += next * DELTA_SCALE + delta;
    else if (type === TIME_STAMP) timeNsec = next * DELTA_SCALE + delta;
    else timeNsec += delta;
    if (type === TIME_EXTEND || type === TIME_STAMP) {
      offset += 8;
      continue;
    }
    const bytes = type === 0 || type === PADDING ? next : type * 4;
    if (bytes < 4) return { lastNsec: timeNsec, damaged: true };
    const start = offset + (type === 0 ? 8 : 4);
    offset = type === 0 || type === PADDING ? offset + 4 + bytes : start + bytes;
    if (offset > end) return { lastNsec: timeNsec, damaged: true };
    if (type === PADDING || offset - start < 2) continue;
    if (!visit(view.getUint16(start, littleEndian), start, offset, timeNsec))
      return { lastNsec: timeNsec, damaged: true };
  }
  return { lastNsec: timeNsec, damaged: endOffset > view.byteLength };
};

/**
 * Goes through the records of one page, of which nothing is kept.
 *
 * @returns false when the page is damaged, or the kernel says that events before it were lost
 */
export const visitPage = (bytes: Uint8Array, view: DataView, layout: TraceLayout, visit: VisitRecord): boolean => {
  const fromNsec = pageTimeNsec(bytes, layout);
  if (fromNsec === null) return false;
  const { endOffset, missed } = readHead(view, layout);
  const { damaged } = visitRecords(view, fromNsec, endOffset, layout, visit);
  return !damaged && missed === undefined;
};

/** Reads the records of a page into events. */
const readRecords = (
  page: TracePage,
  view: DataView,
  endOffset: number,
  layout: TraceLayout,
  readers: ReadonlyMap<number, EventReader>,
  events: TraceEvent[],
): PageReading =>
  visitRecords(view, page.fromNsec, endOffset, layout, (number, start, end, timeNsec) => {
    const event = readers.get(number)?.(view, start, end, timeNsec, page.cpu);
    if (event !== null && event !== undefined) events.push(event);
    return event !== null;
  });

/**
 * Reads pages into events.
 *
 * @param pages of any CPUs; those of one CPU ascending in time. What is before, between and after the pages of a CPU
 *   counts as lost, with 0 events: they were not kept
 */
export const readTracePages = (pages: readonly TracePage[], layout: TraceLayout): Trace => {
  const readers = eventReaders(layout.events, layout.littleEndian);
  const events: TraceEvent[] = [];
  const lost: LostStretch[] = [];
  const lastByCpu = new Map<number, { readonly eventNsec: number; readonly untilNsec: number }>();
  let damaged = 0;
  for (const page of pages) {
    const last = lastByCpu.get(page.cpu);
    if (page.bytes.byteLength < layout.page.dataOffset) {
      damaged++;
      continue;
    }
    const view = viewOf(page.bytes);
    const { endOffset, missed } = readHead(view, layout);
    const { cpu, fromNsec, untilNsec } = page;
    if (missed !== undefined)
      lost.push({ cpu, fromNsec: last?.eventNsec ?? Number.NEGATIVE_INFINITY, toNsec: fromNsec, events: missed });
    else if (last === undefined || last.untilNsec < fromNsec)
      lost.push({ cpu, fromNsec: last?.untilNsec ?? Number.NEGATIVE_INFINITY, toNsec: fromNsec, events: 0 });
    const reading = readRecords(page, view, endOffset, layout, readers, events);
    if (reading.damaged) {
      damaged++;
      lost.push({ cpu, fromNsec: reading.lastNsec, toNsec: untilNsec, events: null });
    }
    lastByCpu.set(cpu, { eventNsec: reading.lastNsec, untilNsec });
  }
  for (const [cpu, { untilNsec }] of lastByCpu)
    lost.push({ cpu, fromNsec: untilNsec, toNsec: Number.POSITIVE_INFINITY, events: 0 });
  return { events: inOrderOfTime(events), lost, damaged };
};
