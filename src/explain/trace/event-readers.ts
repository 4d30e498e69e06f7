/** Turns one binary record into an event, by the fields that this kernel says it has. */
import type { EventFormat, FieldFormat } from "./event-format.js";
import { SOFTIRQ_NAMES, type TraceEvent, VECTOR_NAMES } from "./trace-events.js";

/** Reads the record at `start`..`end`; null when it does not fit. */
export type EventReader = (
  view: DataView,
  start: number,
  end: number,
  timeNsec: number,
  cpu: number,
) => TraceEvent | null;

/** A record and its fields; an absent field, or one beyond the end, clears `whole`. */
interface RecordFields {
  readonly number: (name: string) => number;
  readonly text: (name: string) => string;
  readonly isWhole: () => boolean;
}

type Base = { readonly timeNsec: number; readonly cpu: number; readonly currentTid: number };
type Build = (base: Base, record: RecordFields) => TraceEvent;

const IDLE_EXIT_STATE = 0xff_ff_ff_ff;
const STATE_BITS = [
  [0x1, "S"],
  [0x2, "D"],
  [0x4, "T"],
  [0x8, "t"],
  [0x10, "X"],
  [0x20, "Z"],
  [0x40, "P"],
  [0x80, "I"],
] as const;
const PREEMPTED_BIT = 0x1_00;

const stateText = (state: number): string => {
  const letters = STATE_BITS.filter(([bit]) => (state & bit) !== 0).map(([, letter]) => letter);
  return `${letters.length === 0 ? "R" : letters.join("|")}${(state & PREEMPTED_BIT) === 0 ? "" : "+"}`;
};

const task = (record: RecordFields) => ({
  tid: record.number("pid"),
  comm: record.text("comm"),
  priority: record.number("prio"),
});

const wake =
  (kind: "waking" | "wakeup"): Build =>
  (base, record) => ({ ...base, kind, ...task(record), targetCpu: record.number("target_cpu") });

const vector =
  (kind: "irq-entry" | "irq-exit", name: string): Build =>
  (base, record) => ({ ...base, kind, number: record.number("vector"), name });

const softirq =
  (kind: "softirq-entry" | "softirq-exit"): Build =>
  (base, record) => {
    const number = record.number("vec");
    return { ...base, kind, number, name: SOFTIRQ_NAMES.at(number) ?? "" };
  };

const BUILDERS: ReadonlyMap<string, Build> = new Map<string, Build>([
  ["sched_waking", wake("waking")],
  ["sched_wakeup", wake("wakeup")],
  [
    "sched_switch",
    (base, record) => ({
      ...base,
      kind: "switch",
      prevTid: record.number("prev_pid"),
      prevComm: record.text("prev_comm"),
      prevPriority: record.number("prev_prio"),
      prevState: stateText(record.number("prev_state")),
      nextTid: record.number("next_pid"),
      nextComm: record.text("next_comm"),
      nextPriority: record.number("next_prio"),
    }),
  ],
  [
    "sched_migrate_task",
    (base, record) => ({
      ...base,
      kind: "migrate",
      ...task(record),
      fromCpu: record.number("orig_cpu"),
      toCpu: record.number("dest_cpu"),
    }),
  ],
  [
    "irq_handler_entry",
    (base, record) => ({ ...base, kind: "irq-entry", number: record.number("irq"), name: record.text("name") }),
  ],
  ["irq_handler_exit", (base, record) => ({ ...base, kind: "irq-exit", number: record.number("irq"), name: "" })],
  ["softirq_entry", softirq("softirq-entry")],
  ["softirq_exit", softirq("softirq-exit")],
  [
    "cpu_idle",
    (base, record) => {
      const state = record.number("state");
      return { ...base, kind: "idle", state: state === IDLE_EXIT_STATE ? null : state };
    },
  ],
  ["hrtimer_expire_entry", (base, record) => ({ ...base, kind: "period", timer: record.number("hrtimer") })],
  ["ipi_send_cpu", (base, record) => ({ ...base, kind: "kick", targetCpu: record.number("cpu"), how: "interrupt" })],
  [
    "sched_wake_idle_without_ipi",
    (base, record) => ({ ...base, kind: "kick", targetCpu: record.number("cpu"), how: "polled" }),
  ],
  ...VECTOR_NAMES.flatMap((name): (readonly [string, Build])[] => [
    [`${name}_entry`, vector("irq-entry", name)],
    [`${name}_exit`, vector("irq-exit", name)],
  ]),
]);

const readNumber = (view: DataView, offset: number, field: FieldFormat, littleEndian: boolean): number => {
  switch (field.size) {
    case 1:
      return field.signed ? view.getInt8(offset) : view.getUint8(offset);
    case 2:
      return field.signed ? view.getInt16(offset, littleEndian) : view.getUint16(offset, littleEndian);
    case 4:
      return field.signed ? view.getInt32(offset, littleEndian) : view.getUint32(offset, littleEndian);
    default:
      // Only prev_state and addresses are wider; the lower half has all bits of the one, and tells the others apart.
      return view.getUint32(offset + (littleEndian ? 0 : 4), littleEndian);
  }
};

const readText = (view: DataView, from: number, bytes: number): string => {
  let text = "";
  for (let index = 0; index < bytes; index++) {
    const code = view.getUint8(from + index);
    if (code === 0) break;
    text += String.fromCharCode(code);
  }
  return text;
};

const recordFields = (
  { fields }: EventFormat,
  view: DataView,
  start: number,
  end: number,
  littleEndian: boolean,
): RecordFields => {
  let isWhole = true;
  const place = (name: string): FieldFormat | null => {
    const field = fields.get(name);
    if (field !== undefined && start + field.offset + field.size <= end) return field;
    isWhole = false;
    return null;
  };
  return {
    number: (name) => {
      const field = place(name);
      return field === null ? 0 : readNumber(view, start + field.offset, field, littleEndian);
    },
    text: (name) => {
      const field = place(name);
      if (field === null) return "";
      if (!field.dynamic) return readText(view, start + field.offset, field.size);
      const location = view.getUint32(start + field.offset, littleEndian);
      const from = start + (location & 0xff_ff);
      const bytes = location >>> 16;
      if (from + bytes <= end) return readText(view, from, bytes);
      isWhole = false;
      return "";
    },
    isWhole: () => isWhole,
  };
};

/** The readers of the events we use, by event number. */
export const eventReaders = (
  formats: readonly EventFormat[],
  littleEndian: boolean,
): ReadonlyMap<number, EventReader> => {
  const readers = new Map<number, EventReader>();
  for (const format of formats) {
    const build = BUILDERS.get(format.name);
    if (build === undefined) continue;
    readers.set(format.id, (view, start, end, timeNsec, cpu) => {
      const record = recordFields(format, view, start, end, littleEndian);
      const event = build({ timeNsec, cpu, currentTid: record.number("common_pid") }, record);
      return record.isWhole() ? event : null;
    });
  }
  return readers;
};
