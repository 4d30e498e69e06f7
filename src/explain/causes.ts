/** The causes a slow wakeup can have: the one list behind analysis, schema, report and docs. */

/** What each cause means. Time with no evidence is `unknown`, never one of the others. */
export const CAUSES = {
  "foreign-task": "a task outside the benchmark had the CPU while the thread waited for it",
  "own-thread": "another thread of the benchmark had the CPU while the thread waited for it",
  harness: "another thread of the schbench-ts process had the CPU (Node, reading statistics or the trace)",
  "preempted-waker": "the message thread stamped the wakeup, then lost its CPU before it woke the thread",
  "blocked-waker": "the message thread stamped the wakeup, then fell asleep before it woke the thread",
  "busy-waker": "the message thread first woke other threads of the same list, which share one stamp",
  throttled: "the control group's CPU limit stopped the thread (or its message thread): the period's quota was used up",
  interrupt: "an interrupt ran on the CPU that was needed",
  softirq: "a soft interrupt (or ksoftirqd) ran on the CPU that was needed",
  "idle-exit":
    "the CPU was idle and had to leave its idle state first; on a virtual machine the host had to run it again",
  migration: "the thread was being moved to another CPU by the kernel's migration thread",
  "stalled-cpu":
    "code that should take microseconds stalled without an event on its CPU: the hypervisor or the firmware had the CPU, or a page fault or a contended lock held it up",
  "kernel-path": "the normal path through futex, wakeup and switch: many small steps, none of which stands out",
  "slept-again": "the thread had the CPU, but went to sleep once more (a page fault, a lock) before it took its stamp",
  unknown: "the trace does not show it: events are missing",
} as const satisfies Record<string, string>;

/** Why a wakeup was slow. */
export type Cause = keyof typeof CAUSES;

/** All causes, in the order of the list. */
export const CAUSE_NAMES = [
  "foreign-task",
  "own-thread",
  "harness",
  "preempted-waker",
  "blocked-waker",
  "busy-waker",
  "throttled",
  "interrupt",
  "softirq",
  "idle-exit",
  "migration",
  "stalled-cpu",
  "kernel-path",
  "slept-again",
  "unknown",
] as const satisfies readonly Cause[];

/** What kept a part of a wakeup from being explained. */
export const MISSING_EVIDENCE = {
  "no-events-of-thread": "the trace has no event of the thread around it",
  "no-waking": "the thread was asleep, but its waking was not recorded",
  "no-switch-in": "the trace does not show the thread getting a CPU before its stamp",
  "cpu-unknown": "for part of the time the trace does not show who had the CPU",
  "events-lost": "events around it were lost, or could not be kept",
  contradiction: "the events contradict each other, as they do when some are missing",
} as const satisfies Record<string, string>;

/** A piece of evidence that is missing. */
export type MissingEvidence = keyof typeof MISSING_EVIDENCE;
