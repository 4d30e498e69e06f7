/** Format files of the events of a fingerprint as Linux 6.18 prints them, and ring pages made of records by hand. */
import { at } from "../../../src/at.js";

/** The common fields, then each event's own: [declaration, offset, size]. */
const COMMON = [
  ["unsigned short common_type", 0, 2],
  ["unsigned char common_flags", 2, 1],
  ["unsigned char common_preempt_count", 3, 1],
  ["int common_pid", 4, 4],
] as const;

const EVENTS = {
  "sched/sched_switch": [
    ["char prev_comm[16]", 8, 16],
    ["pid_t prev_pid", 24, 4],
    ["int prev_prio", 28, 4],
    ["long prev_state", 32, 8],
    ["char next_comm[16]", 40, 16],
    ["pid_t next_pid", 56, 4],
    ["int next_prio", 60, 4],
  ],
  "sched/sched_waking": [
    ["char comm[16]", 8, 16],
    ["pid_t pid", 24, 4],
    ["int prio", 28, 4],
    ["int target_cpu", 32, 4],
  ],
  "sched/sched_wakeup": [
    ["char comm[16]", 8, 16],
    ["pid_t pid", 24, 4],
    ["int prio", 28, 4],
    ["int target_cpu", 32, 4],
  ],
  "sched/sched_migrate_task": [
    ["__data_loc char[] comm", 8, 4],
    ["pid_t pid", 12, 4],
    ["int prio", 16, 4],
    ["int orig_cpu", 20, 4],
    ["int dest_cpu", 24, 4],
  ],
  "raw_syscalls/sys_enter": [
    ["long id", 8, 8],
    ["unsigned long args[6]", 16, 48],
  ],
  "task/task_newtask": [
    ["pid_t pid", 8, 4],
    ["char comm[16]", 12, 16],
    ["u64 clone_flags", 32, 8],
    ["short oom_score_adj", 40, 2],
  ],
  "sched/sched_process_exit": [
    ["char comm[16]", 8, 16],
    ["pid_t pid", 24, 4],
    ["int prio", 28, 4],
    ["bool group_dead", 32, 1],
  ],
} as const;

/** The name of an event, with its subsystem. */
export type EventName = keyof typeof EVENTS;

const NAMES = Object.keys(EVENTS);
const idOf = (event: string): number => 300 + NAMES.indexOf(event);

/** Format files by subsystem and event. */
export const FORMATS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(EVENTS).map(([event, own]) => [
    event,
    [
      `name: ${event.split("/")[1]}`,
      `ID: ${idOf(event)}`,
      "format:",
      ...[...COMMON, ...own].map(
        ([declaration, offset, size]) => `\tfield:${declaration};\toffset:${offset};\tsize:${size};\tsigned:1;`,
      ),
    ].join("\n"),
  ]),
);

/** A record: when it happened, whose CPU it was, and fields by name; a text is put in as characters. */
export interface RecordSpec {
  readonly event: EventName;
  readonly timeNsec: number;
  readonly common_pid?: number;
  readonly common_flags?: number;
  readonly fields: Readonly<Record<string, number | string>>;
}

const HEAD_BYTES = 16;
const BYTES = 4096;

/** A page of a CPU's ring with these records, ascending in time. */
export const pageOf = (records: readonly RecordSpec[]): Uint8Array => {
  const bytes = new Uint8Array(BYTES);
  const view = new DataView(bytes.buffer);
  const begin = at(records, 0).timeNsec;
  view.setBigUint64(0, BigInt(begin), true);
  let offset = HEAD_BYTES;
  let last = begin;
  for (const { event, timeNsec, common_pid = 0, common_flags = 0, fields } of records) {
    const all = [...COMMON, ...EVENTS[event]];
    const length = Math.ceil(Math.max(...all.map(([, from, size]) => from + size)) / 4);
    view.setUint32(offset, length | ((timeNsec - last) * 32), true);
    last = timeNsec;
    const start = offset + 4;
    const values: Readonly<Record<string, number | string>> = {
      ...fields,
      common_type: idOf(event),
      common_pid,
      common_flags,
    };
    for (const [declaration, from, size] of all) {
      const value =
        values[
          declaration
            .replace(/\[.*\]$/, "")
            .split(" ")
            .at(-1) ?? ""
        ];
      if (typeof value === "string") bytes.set(new TextEncoder().encode(value), start + from);
      else if (value !== undefined && size === 1) view.setUint8(start + from, value);
      else if (value !== undefined && size === 2) view.setUint16(start + from, value, true);
      else if (value !== undefined) view.setInt32(start + from, value, true);
    }
    offset = start + length * 4;
  }
  view.setUint32(8, offset - HEAD_BYTES, true);
  return bytes;
};
