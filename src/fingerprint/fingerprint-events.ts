/** The kernel's events of which a fingerprint is made. */
import type { KernelEvents } from "../explain/trace/tracefs.js";

/** What threads do: many a second, by subsystem and name. */
export const DEED_EVENTS = {
  "sched/sched_switch": { needed: true },
  "sched/sched_waking": { needed: true },
  "sched/sched_wakeup": { needed: true },
  "sched/sched_migrate_task": { needed: true },
  "raw_syscalls/sys_enter": { needed: true },
} as const satisfies KernelEvents;

/** Births and deaths of threads: few. */
export const LIFE_EVENTS = {
  "task/task_newtask": { needed: true },
  "sched/sched_process_exit": { needed: true },
} as const satisfies KernelEvents;
