/** What the doctor knows about a machine: plain values, so that checks can be tested without one. */
import type { CpuLimit } from "../platform/limits/cpu-limit.js";
import type { EnvironmentDuring } from "../platform/machine/environment.js";
import type { KernelConfig } from "../platform/machine/kernel-config.js";
import type { BusyProcess } from "../platform/threads/process-times.js";
import type { SchedExt } from "../platform/scheduler/sched-ext.js";
import type { ThreadLimit } from "../platform/limits/thread-limits.js";
import type { Home } from "../platform/rebuilding.js";
import type { HostFacts } from "../model/result/run-result.js";

/** An idle state of a CPU that the kernel may choose. */
export interface IdleState {
  readonly name: string;
  /** Time to leave it, as the firmware declares it. */
  readonly latencyUsec: number;
}

/** Whether `--explain` can work here, and if not, what is missing. */
export type TracingReadiness =
  | { readonly ready: true }
  | { readonly ready: false; readonly missing: string; readonly remedy: string };

/** The native engine that a run would use here, or why it would use none, in words that end a sentence, and where this program is. */
export type NativeEngine =
  | { readonly build: string; readonly reason: null }
  | { readonly build: null; readonly reason: string; readonly home: Home };

/** Everything that the checks look at; null is unknown. */
export interface DoctorFacts {
  readonly host: HostFacts;
  /** What happened while the doctor slept for a second; null when that was not measured. */
  readonly second: EnvironmentDuring | null;
  /** Other processes that used CPU time in that second, the busiest first. */
  readonly busiest: readonly BusyProcess[];
  readonly cpuLimit: CpuLimit | null;
  /** All governors of the allowed CPUs. */
  readonly governors: string | null;
  readonly turbo: "on" | "off" | null;
  readonly smtActive: boolean | null;
  /** Enabled idle states of one allowed CPU; empty where the kernel has no idle driver. */
  readonly idleStates: readonly IdleState[];
  readonly clockSource: string | null;
  readonly numaNodes: number | null;
  readonly numaBalancing: boolean | null;
  /** Names of the processor's weaknesses that are mitigated in software. */
  readonly mitigations: readonly string[] | null;
  readonly isolatedCpus: readonly number[];
  readonly schedExt: SchedExt;
  readonly kernelConfig: KernelConfig | null;
  readonly preemption: string | null;
  readonly schedStat: boolean;
  readonly pressure: boolean;
  readonly timerSlackNsec: number | null;
  readonly tracing: TracingReadiness;
  readonly nearestThreadLimit: ThreadLimit | null;
  readonly availableMemoryBytes: number | null;
  /** This Node runs WebAssembly, which every engine is laid out by. */
  readonly webAssembly: boolean;
  readonly nativeEngine: NativeEngine;
  /** Name of a C compiler on the search path. */
  readonly compiler: string | null;
}
