/**
 * Reads the text that tracefs prints in `trace` and `trace_pipe`: microseconds, one event a line. For traces saved by
 * hand or with other tools; our own runs read binary pages (trace-pages.ts).
 *
 * A line that cannot be understood is counted and never guessed at; events the reader does not use are passed over.
 */
import { at } from "../../at.js";
import { NSEC_PER_USEC } from "../../units.js";
import {
  inOrderOfTime,
  type LostStretch,
  PERIOD_FUNCTION,
  SOFTIRQ_NAMES,
  type Trace,
  type TraceEvent,
  VECTOR_NAMES,
} from "./trace-events.js";

const LINE = /^\s*(?:.*)-(\d+)\s+(?:\([\s\d-]+\)\s+)?\[(\d+)\]\s+(?:\S+\s+)?(\d+)\.(\d{6}):\s+(\w+):\s(.*)$/;
const LOST = /^CPU:(\d+) \[LOST (?:(\d+) )?EVENTS\]/;
const WAKE = /^comm=(.*) pid=(\d+) prio=(-?\d+)(?: success=\d)? target_cpu=(\d+)$/;
const SWITCH =
  /^prev_comm=(.*) prev_pid=(\d+) prev_prio=(-?\d+) prev_state=(\S+) ==> next_comm=(.*) next_pid=(\d+) next_prio=(-?\d+)$/;
const MIGRATE = /^comm=(.*) pid=(\d+) prio=(-?\d+) orig_cpu=(\d+) dest_cpu=(\d+)$/;
const IRQ_ENTRY = /^irq=(-?\d+) name=(.*)$/;
const IRQ_EXIT = /^irq=(-?\d+) ret=\w+$/;
const SOFTIRQ = /^vec=(\d+) \[action=\w+\]$/;
const IDLE = /^state=(\d+) cpu_id=(\d+)$/;
const VECTOR = /^vector=(\d+)$/;
const KICK = /^cpu=(\d+)(?: callsite=.*)?$/;
const PERIOD = new RegExp(`^hrtimer=([0-9a-f]+) function=${PERIOD_FUNCTION} now=\\d+`);
const IDLE_EXIT_STATE = 4_294_967_295;

type Base = { readonly timeNsec: number; readonly cpu: number; readonly currentTid: number };
/** undefined: an event that is not ours; null: one of ours, but damaged. */
type Reading = TraceEvent | null | undefined;

const wake = (kind: "waking" | "wakeup", base: Base, text: string): Reading => {
  const [, comm, tid, priority, targetCpu] = WAKE.exec(text) ?? [];
  if (comm === undefined) return null;
  return { ...base, kind, comm, tid: Number(tid), priority: Number(priority), targetCpu: Number(targetCpu) };
};

const switched = (base: Base, text: string): Reading => {
  const [, prevComm, prevTid, prevPriority, prevState, nextComm, nextTid, nextPriority] = SWITCH.exec(text) ?? [];
  if (prevComm === undefined || prevState === undefined || nextComm === undefined) return null;
  const prev = { prevComm, prevTid: Number(prevTid), prevPriority: Number(prevPriority), prevState };
  const next = { nextComm, nextTid: Number(nextTid), nextPriority: Number(nextPriority) };
  return { ...base, kind: "switch", ...prev, ...next };
};

const migrated = (base: Base, text: string): Reading => {
  const [, comm, tid, priority, fromCpu, toCpu] = MIGRATE.exec(text) ?? [];
  if (comm === undefined) return null;
  const task = { comm, tid: Number(tid), priority: Number(priority) };
  return { ...base, kind: "migrate", ...task, fromCpu: Number(fromCpu), toCpu: Number(toCpu) };
};

const interrupt = (
  kind: "irq-entry" | "irq-exit" | "softirq-entry" | "softirq-exit",
  base: Base,
  match: RegExpExecArray | null,
  name?: string,
): Reading => {
  if (match === null) return null;
  const number = Number(match[1]);
  const given = kind.startsWith("softirq") ? SOFTIRQ_NAMES[number] : match[2];
  return { ...base, kind, number, name: name ?? given ?? "" };
};

const readEvent = (name: string, base: Base, text: string): Reading => {
  switch (name) {
    case "sched_waking":
      return wake("waking", base, text);
    case "sched_wakeup":
    case "sched_wakeup_new":
      return wake("wakeup", base, text);
    case "sched_switch":
      return switched(base, text);
    case "sched_migrate_task":
      return migrated(base, text);
    case "irq_handler_entry":
      return interrupt("irq-entry", base, IRQ_ENTRY.exec(text));
    case "irq_handler_exit":
      return interrupt("irq-exit", base, IRQ_EXIT.exec(text));
    case "softirq_entry":
      return interrupt("softirq-entry", base, SOFTIRQ.exec(text));
    case "softirq_exit":
      return interrupt("softirq-exit", base, SOFTIRQ.exec(text));
    case "cpu_idle": {
      const match = IDLE.exec(text);
      const state = Number(match?.[1]);
      return match && { ...base, kind: "idle", state: state === IDLE_EXIT_STATE ? null : state };
    }
    case "ipi_send_cpu":
    case "sched_wake_idle_without_ipi": {
      const match = KICK.exec(text);
      const how = name === "ipi_send_cpu" ? "interrupt" : "polled";
      return match && { ...base, kind: "kick", targetCpu: Number(match[1]), how };
    }
    case "hrtimer_expire_entry": {
      // Timers of other functions are not ours; a trace saved by other means has them.
      const match = PERIOD.exec(text);
      return match === null
        ? undefined
        : { ...base, kind: "period", timer: Number.parseInt(at(match, 1), 16) % 2 ** 32 };
    }
    default: {
      const vector = VECTOR_NAMES.find((known) => name === `${known}_entry` || name === `${known}_exit`);
      if (vector === undefined) return undefined;
      return interrupt(name.endsWith("_entry") ? "irq-entry" : "irq-exit", base, VECTOR.exec(text), vector);
    }
  }
};

/**
 * Reads the text of a trace.
 *
 * @param text the content of `trace` or `trace_pipe`, whole or cut off anywhere
 * @returns events in the order of time (resolution 1 µs), the stretches in which the kernel says it lost some, and the
 *   number of damaged lines
 */
export const parseTraceText = (text: string): Trace => {
  const events: TraceEvent[] = [];
  const lost: LostStretch[] = [];
  const lastNsecByCpu = new Map<number, number>();
  const openLossByCpu = new Map<number, number | null>();
  let damaged = 0;
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const loss = LOST.exec(line);
    if (loss !== null) {
      openLossByCpu.set(Number(loss[1]), loss[2] === undefined ? null : Number(loss[2]));
      continue;
    }
    const [, current, cpuText, sec, usec, name, rest] = LINE.exec(line) ?? [];
    if (name === undefined || rest === undefined) {
      damaged++;
      continue;
    }
    const cpu = Number(cpuText);
    const timeNsec = (Number(sec) * 1_000_000 + Number(usec)) * NSEC_PER_USEC;
    const event = readEvent(name, { timeNsec, cpu, currentTid: Number(current) }, rest.trimEnd());
    const open = openLossByCpu.get(cpu);
    const brokenHere = event === null;
    if (open !== undefined || brokenHere) {
      const fromNsec = lastNsecByCpu.get(cpu) ?? Number.NEGATIVE_INFINITY;
      lost.push({ cpu, fromNsec, toNsec: timeNsec, events: open === undefined ? 1 : open });
      openLossByCpu.delete(cpu);
    }
    lastNsecByCpu.set(cpu, timeNsec);
    if (brokenHere) damaged++;
    else if (event !== undefined) events.push(event);
  }
  for (const [cpu, count] of openLossByCpu)
    lost.push({ cpu, fromNsec: lastNsecByCpu.get(cpu) ?? Number.NEGATIVE_INFINITY, toNsec: Infinity, events: count });
  return { events: inOrderOfTime(events), lost, damaged };
};
