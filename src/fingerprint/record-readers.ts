/**
 * Reads the records of the kernel's trace as numbers, by the fields that this kernel says they have. There may be millions
 * a second, so nothing is allocated for one.
 */
import { UserError } from "../errors.js";
import type { EventFormat, FieldFormat } from "../explain/trace/event-format.js";

/** What is done with each kind of record; tids as the kernel numbers threads. */
export interface RecordVisitor {
  readonly switched: (prevTid: number, isAsleep: boolean, timeNsec: number) => void;
  /** `wakerTid` is null in an interrupt: nobody in particular woke the thread. */
  readonly waking: (tid: number, wakerTid: number | null, timeNsec: number) => void;
  readonly woken: (tid: number, targetCpu: number, timeNsec: number) => void;
  readonly migrated: (tid: number, timeNsec: number) => void;
  readonly called: (tid: number, systemCall: number, timeNsec: number) => void;
  readonly born: (tid: number, parentTid: number, isThread: boolean, timeNsec: number) => void;
  readonly gone: (tid: number, name: string, timeNsec: number) => void;
}

type Read = (view: DataView, start: number) => number;
type Take = (view: DataView, start: number, timeNsec: number) => void;

/** A kind of record: how many bytes it has at least, and what is done with it. */
export interface RecordReader {
  readonly bytes: number;
  readonly take: Take;
}

const IN_INTERRUPT = 0x08 | 0x10 | 0x40;
const CLONE_THREAD = 0x1_00_00;
/** Sleeping, stopped, dead and so on; the bit above them marks a thread that was preempted. */
const NOT_RUNNABLE = 0xff;

const fieldOf = ({ name, fields }: EventFormat, field: string): FieldFormat => {
  const found = fields.get(field);
  if (found === undefined)
    throw new UserError(
      `cannot take a fingerprint: this kernel's event "${name}" has no field "${field}"`,
      "Please report it with the kernel's release (uname -r).",
    );
  return found;
};

/** The low 32 bits of a field: tids, CPUs, states and numbers of calls lie in them. */
const readerOf = (format: EventFormat, field: string, littleEndian: boolean): Read => {
  const { offset, size } = fieldOf(format, field);
  if (size === 1) return (view, start) => view.getUint8(start + offset);
  if (size === 2) return (view, start) => view.getUint16(start + offset, littleEndian);
  const low = offset + (size === 8 && !littleEndian ? 4 : 0);
  return (view, start) => view.getInt32(start + low, littleEndian);
};

const textOf = (format: EventFormat, field: string, littleEndian: boolean) => {
  const { offset, size, dynamic } = fieldOf(format, field);
  return (view: DataView, start: number): string => {
    const location = dynamic ? view.getUint32(start + offset, littleEndian) : 0;
    const from = dynamic ? start + (location & 0xff_ff) : start + offset;
    const length = Math.min(dynamic ? location >>> 16 : size, view.byteLength - from);
    let text = "";
    for (let index = 0; index < length; index++) {
      const code = view.getUint8(from + index);
      if (code === 0) break;
      text += String.fromCharCode(code);
    }
    return text;
  };
};

/** What is done with a kind of record; null where the visitor does not want it. */
const takeOf = (format: EventFormat, littleEndian: boolean, visitor: Partial<RecordVisitor>): Take | null => {
  const { switched, waking, woken, migrated, called, born, gone } = visitor;
  const field = (name: string): Read => readerOf(format, name, littleEndian);
  const current = field("common_pid");
  switch (format.name) {
    case "sched_switch": {
      if (switched === undefined) return null;
      const [prev, state] = [field("prev_pid"), field("prev_state")];
      return (view, start, timeNsec) =>
        switched(prev(view, start), (state(view, start) & NOT_RUNNABLE) !== 0, timeNsec);
    }
    case "sched_waking": {
      if (waking === undefined) return null;
      const [tid, flags] = [field("pid"), field("common_flags")];
      return (view, start, timeNsec) => {
        const isInterrupt = (flags(view, start) & IN_INTERRUPT) !== 0;
        waking(tid(view, start), isInterrupt ? null : current(view, start), timeNsec);
      };
    }
    case "sched_wakeup": {
      if (woken === undefined) return null;
      const [tid, cpu] = [field("pid"), field("target_cpu")];
      return (view, start, timeNsec) => woken(tid(view, start), cpu(view, start), timeNsec);
    }
    case "sched_migrate_task": {
      if (migrated === undefined) return null;
      const tid = field("pid");
      return (view, start, timeNsec) => migrated(tid(view, start), timeNsec);
    }
    case "sys_enter": {
      if (called === undefined) return null;
      const number = field("id");
      return (view, start, timeNsec) => called(current(view, start), number(view, start), timeNsec);
    }
    case "task_newtask": {
      if (born === undefined) return null;
      const [tid, flags] = [field("pid"), field("clone_flags")];
      return (view, start, timeNsec) =>
        born(tid(view, start), current(view, start), (flags(view, start) & CLONE_THREAD) !== 0, timeNsec);
    }
    case "sched_process_exit": {
      if (gone === undefined) return null;
      const [tid, name] = [field("pid"), textOf(format, "comm", littleEndian)];
      return (view, start, timeNsec) => gone(tid(view, start), name(view, start), timeNsec);
    }
    default:
      return null;
  }
};

/** The readers of the events that are known here, by their numbers. Throws UserError when one lacks a field. */
export const recordReaders = (
  formats: readonly EventFormat[],
  littleEndian: boolean,
  visitor: Partial<RecordVisitor>,
): ReadonlyMap<number, RecordReader> => {
  const readers = new Map<number, RecordReader>();
  for (const format of formats) {
    const take = takeOf(format, littleEndian, visitor);
    const bytes = Math.max(...[...format.fields.values()].map(({ offset, size }) => offset + size));
    if (take !== null) readers.set(format.id, { bytes, take });
  }
  return readers;
};
