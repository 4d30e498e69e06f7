/**
 * The events of the kernel that explain a wakeup, whichever way they were read: times on the monotonic clock in
 * nanoseconds, one shape for binary pages (trace-pages.ts) and for text (trace-text.ts).
 */

interface EventBase {
  /** CLOCK_MONOTONIC. */
  readonly timeNsec: number;
  /** The CPU on which it happened. */
  readonly cpu: number;
  /** The thread that had that CPU then; 0 = the idle task. */
  readonly currentTid: number;
}

interface TaskEvent extends EventBase {
  readonly tid: number;
  readonly comm: string;
  /** The kernel's priority: 100–139 normal (120 = nice 0), 0–99 real time, -1 deadline. */
  readonly priority: number;
}

/** A thread is being woken (on the waker's CPU), or is on a run queue now. */
export interface WakeEvent extends TaskEvent {
  readonly kind: "waking" | "wakeup";
  readonly targetCpu: number;
}

/** A CPU changes from one thread to another. */
export interface SwitchEvent extends EventBase {
  readonly kind: "switch";
  readonly prevTid: number;
  readonly prevComm: string;
  readonly prevPriority: number;
  /** As the kernel prints it: `R` and `R+` are runnable, `S` and `D` asleep, `Z` and `X` gone. */
  readonly prevState: string;
  readonly nextTid: number;
  readonly nextComm: string;
  readonly nextPriority: number;
}

/** A thread is moved to another CPU's run queue. */
interface MigrateEvent extends TaskEvent {
  readonly kind: "migrate";
  readonly fromCpu: number;
  readonly toCpu: number;
}

/** An interrupt or a soft interrupt begins or ends; `name` is empty at the end of a device's interrupt. */
interface InterruptEvent extends EventBase {
  readonly kind: "irq-entry" | "irq-exit" | "softirq-entry" | "softirq-exit";
  readonly number: number;
  readonly name: string;
}

/** A CPU enters an idle state, or leaves it (`state` null). */
interface IdleEvent extends EventBase {
  readonly kind: "idle";
  readonly state: number | null;
}

/** A CPU is told to look at its run queue: by an interrupt, or by a flag for which its idle loop polls. */
export interface KickEvent extends EventBase {
  readonly kind: "kick";
  readonly targetCpu: number;
  readonly how: "interrupt" | "polled";
}

/** The period of a control group's CPU limit ends: its quota is filled up, and its throttled threads may go on. */
export interface PeriodEvent extends EventBase {
  readonly kind: "period";
  /** Which group's timer: the lower half of its address. */
  readonly timer: number;
}

/** One event of the kernel. */
export type TraceEvent = WakeEvent | SwitchEvent | MigrateEvent | InterruptEvent | IdleEvent | KickEvent | PeriodEvent;

/** The events that are about threads. */
export type ThreadEvent = WakeEvent | SwitchEvent | MigrateEvent;

/** A stretch of one CPU's time in which events are missing. */
export interface LostStretch {
  readonly cpu: number;
  /** `-Infinity` where the trace does not say when it began. */
  readonly fromNsec: number;
  readonly toNsec: number;
  /** null: the kernel did not count them. */
  readonly events: number | null;
}

/** What was read of a trace: ascending in time, and what is missing or could not be understood. */
export interface Trace {
  readonly events: readonly TraceEvent[];
  readonly lost: readonly LostStretch[];
  /** Lines or pages that are damaged, cut off or of no known form; each leaves a lost stretch where its CPU is known. */
  readonly damaged: number;
}

/** Whether a thread that was switched out in this state stayed runnable, that is, was preempted. */
export const isRunnable = (state: string): boolean => state.startsWith("R");

/** The name of an event's subsystem and event, by our kind: `needed` ones must exist, the others help. */
export const KERNEL_EVENTS = {
  "sched/sched_waking": { needed: true },
  "sched/sched_wakeup": { needed: true },
  "sched/sched_switch": { needed: true },
  "sched/sched_migrate_task": { needed: true },
  "irq/irq_handler_entry": { needed: true },
  "irq/irq_handler_exit": { needed: true },
  "irq/softirq_entry": { needed: true },
  "irq/softirq_exit": { needed: true },
  "power/cpu_idle": { needed: false },
  "irq_vectors/local_timer_entry": { needed: false },
  "irq_vectors/local_timer_exit": { needed: false },
  "irq_vectors/reschedule_entry": { needed: false },
  "irq_vectors/reschedule_exit": { needed: false },
  "irq_vectors/call_function_single_entry": { needed: false },
  "irq_vectors/call_function_single_exit": { needed: false },
  "ipi/ipi_send_cpu": { needed: false },
  "sched/sched_wake_idle_without_ipi": { needed: false },
} as const satisfies Record<string, { readonly needed: boolean }>;

/** Recorded as well where a CPU limit holds, of one timer function only: there are thousands of others. */
export const PERIOD_EVENT = "timer/hrtimer_expire_entry";
/** The kernel's function that fills up the quota of a CPU limit. */
export const PERIOD_FUNCTION = "sched_cfs_period_timer";

/** The kernel's soft interrupts by number. */
export const SOFTIRQ_NAMES = [
  "HI",
  "TIMER",
  "NET_TX",
  "NET_RX",
  "BLOCK",
  "IRQ_POLL",
  "TASKLET",
  "SCHED",
  "HRTIMER",
  "RCU",
] as const;

/** The vectors of irq_vectors events, which have an `_entry` and an `_exit` each. */
export const VECTOR_NAMES = ["local_timer", "reschedule", "call_function_single"] as const;

/** Puts events in the order of time; those of one CPU at one time keep their order. */
export const inOrderOfTime = (events: readonly TraceEvent[]): readonly TraceEvent[] =>
  events.toSorted((a, b) => a.timeNsec - b.timeNsec);
