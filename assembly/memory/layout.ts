/**
 * The structs in shared memory. Both hosts and the TypeScript side find every field through the offsets exported by
 * layout-exports.ts; nobody else knows a number. Fields are grouped by who writes them, a cache line at a time.
 *
 * Upstream counterpart: struct thread_data, struct stats, struct request and the option variables.
 */
import { PLAT_NR } from "./plat";

/** Values of Control.mode. */
export const MODE_CLOSED_LOOP: u32 = 0;
export const MODE_PACED: u32 = 1;
export const MODE_BURST: u32 = 2;
export const MODE_PIPE: u32 = 3;

/** Values of Control.state: threads begin, and are recorded, and end. */
export const STATE_STARTING: u32 = 0;
export const STATE_MEASURING: u32 = 1;
export const STATE_OVER: u32 = 2;

/** Values of Control.errorCall: what failed. */
export const CALL_FUTEX_WAIT: u32 = 1;
export const CALL_FUTEX_WAKE: u32 = 2;
export const CALL_USLEEP: u32 = 3;
export const CALL_GETCPU: u32 = 4;
export const CALL_TRAP: u32 = 5;
export const CALL_AFFINITY: u32 = 6;
export const CALL_START: u32 = 7;
export const CALL_SCHED: u32 = 8;
export const CALL_GROUP: u32 = 9;

/** Values of ThreadSetup.entry: the body of a thread. */
export const ENTRY_MESSAGE_THREAD: u32 = 0;
export const ENTRY_WORKER_THREAD: u32 = 1;
export const ENTRY_TEST_HAND_OVER: u32 = 2;
export const ENTRY_TEST_LIST_PUT: u32 = 3;
export const ENTRY_TEST_LIST_TAKE: u32 = 4;
export const ENTRY_TEST_CPU_LOCK: u32 = 5;
export const ENTRY_TEST_TRAP: u32 = 6;
export const ENTRY_BENCH_HOST_CALL: u32 = 7;
export const ENTRY_LOAD_SPIN: u32 = 8;
export const ENTRY_LOAD_DUTY: u32 = 9;
export const ENTRY_LOAD_WAKE: u32 = 10;
export const ENTRY_LOAD_MEMORY: u32 = 11;

/** One per run: its settings, and what the main thread tells the others. */
@unmanaged
export class Control {
  // Written by the main thread while the run goes on; read by all.
  /** A thread records only while this is STATE_MEASURING. */
  state: u32;
  /** Number of the current statistics window; a worker that sees it change closes its own window. */
  window: u32;
  /** The total rate goal, per second. */
  requestsPerSec: u32;
  breakHit: u32;
  /** Only wakeups stamped at or after this are kept among the slowest. */
  slowSinceNsec: f64;
  /** When the clock of the run started. */
  startNsec: f64;
  /** Requests due from this moment on are counted: the end of the warm-up, or the start. */
  measureNsec: f64;
  /** Nothing is due at or after this moment; infinite for a run without end. */
  endNsec: f64;

  // The plan: constant during the run.
  mode: u32;
  messageThreads: u32;
  workerThreads: u32;
  sleepUsec: u32;
  locking: u32;
  calibrate: u32;
  sharedOperations: u32;
  privateOperations: u32;
  sharedSide: u32;
  privateSide: u32;
  /** The one shared set of matrices. */
  sharedData: usize;
  pipeBytes: u32;
  /** Array of locks, one per possible CPU id, LOCK_STRIDE bytes apart. */
  locks: usize;
  /** How many slow wakeups each worker keeps; 0: none. */
  slowPerThread: u32;
  /** A wakeup slower than this ends the run; 0: none does. */
  breakUsec: u32;

  // Start, stop and failure; untouched in between.
  /** A gate for all threads at once (ThreadSetup.gate). */
  gate: u32;
  /** Threads that have come to their gate. */
  waiting: u32;
  /** Threads that have come to their body. */
  ready: u32;
  /** Threads that are done and wait at the exit. */
  exited: u32;
  /** Futex on which they wait until the main thread has read the kernel's counters of them. */
  exitGate: u32;
  errorCall: u32;
  errorCode: u32;
  errorTid: u32;
}

/** Distance of two CPU locks: a cache line each. */
export const LOCK_STRIDE: u32 = 64;

/** A latency histogram with its extremes in the current window. */
@unmanaged
export class Stats {
  min: u32;
  max: u32;
  /** First of PLAT_NR counts. */
  plat: u32;
}

/** Bytes of a Stats with all its buckets. */
export const STATS_BYTES: u32 = offsetof<Stats>("plat") + PLAT_NR * 4;

/** A value of Stats.min while the window has no sample. */
export const NO_MINIMUM: u32 = 0xffffffff;

/** One message thread or worker thread. */
@unmanaged
export class ThreadData {
  // The line that travels: posted by the partner, waited on by the owner. Word and wake stamp share it.
  futex: u32;
  /** On a message thread: head of the list of workers to wake. On a worker: the next in that list. */
  next: usize;
  wakeNsec: f64;
  wakerTid: u32;
  /** Rate mode: requests the message thread has put into the queue, ever. */
  queued: u32;
  pad0: u64;
  pad1: u64;
  pad2: u64;
  pad3: u64;
  pad4: u64;

  // The owner's line: written by it alone.
  /** Odd while the owner changes its statistics. */
  sequence: u32;
  /** The window that min and max of the statistics belong to. */
  window: u32;
  loopCount: f64;
  /** Rate mode, on a message thread. */
  sent: f64;
  dropped: f64;
  /** The shortest wakeup among the slowest kept, in nanoseconds. */
  slowFloorNsec: f64;
  slowCount: u32;
  /** Rate mode: requests the worker has taken out of its queue, ever. */
  taken: u32;
  /** A struct timespec: where the clock is read to. */
  clockSec: i64;
  clockNsec: i64;

  // Constant during the run.
  control: Control;
  msgThread: ThreadData;
  index: u32;
  tid: u32;
  data: usize;
  pipePage: usize;
  /** Rate mode: ring of QUEUE_SLOTS intended arrivals (f64 nanoseconds). */
  queue: usize;
  /** On a message thread: its first worker; the others follow, THREAD_BYTES apart. */
  firstWorker: usize;
  // One Stats for each of the KINDS of src/engine/memory/kinds.ts, in their order; 0: it has none.
  wakeupStats: Stats;
  requestStats: Stats;
  /** Rate mode: intended arrival to done. On a message thread: lateness of sends. */
  responseStats: Stats;
  /** Where a closed window's Stats are kept, one behind the other; 0: the run has one window. Right behind those above. */
  closedStats: usize;
  slow: usize;
  pad7: u64;

  // The closed window: written by the owner when it sees a new one.
  closedWindow: u32;
  pad8: u32;
  closedLoopCount: f64;
  closedSent: f64;
  closedDropped: f64;
  /** Rate mode, on a message thread: due and never sent, because the run ended or the rate changed first. */
  unsent: f64;
  closedUnsent: f64;
}

/** How many Stats a thread may have: the fields from the first of them to closedStats. */
export const STATS_KINDS: u32 = <u32>(
  ((offsetof<ThreadData>("closedStats") - offsetof<ThreadData>("wakeupStats")) / sizeof<usize>())
);

/** Distance of two ThreadData: whole cache lines. */
export const THREAD_BYTES: u32 = 256;

/**
 * What a thread is born with: written before it starts (src/engine/memory/thread-setup.ts), read by birth.ts. A message
 * thread's is followed by those of its workers.
 */
@unmanaged
export class ThreadSetup {
  /** On the native host: the pthread_t, for whoever joins it. */
  handle: u64;
  threadData: ThreadData;
  entry: u32;
  /** Arguments of the bodies of loads and tests. */
  first: u32;
  second: u32;
  /** Futex word on which it waits before it begins; 0: it begins at once. */
  gate: usize;
  /** That word, where it waits alone. */
  ownGate: u32;
  /**
   * The open cgroup.threads of the control group it joins; 0: it stays where it began. A thread with children joins when it
   * has brought them to life, since they would begin in its group.
   */
  group: u32;
  /** How many of the setups that follow are of threads it brings to life. */
  children: u32;
  /** Bytes of each of the CPU masks: bit n of byte n / 8 is CPU n. An address of 0: the CPUs stay as they are. */
  maskBytes: u32;
  /** The CPUs it takes before it waits at its gate. */
  bornCpus: usize;
  /** The CPUs it takes to bring its children to life, who inherit them. */
  childrenCpus: usize;
  /** The CPUs it takes for its work. */
  cpus: usize;
  /** The struct sched_attr it takes for its work; 0: it stays as its creator is. Taken after the children, who would inherit it. */
  sched: usize;
  /** 0: the system's default of 50 µs. Taken after the children, who would inherit it. */
  timerSlackNsec: u32;
  /** First of 16 bytes, zero-terminated. */
  name: u32;
  name1: u32;
  name2: u32;
  name3: u32;
}

/** Distance of two ThreadSetup: whole cache lines. */
export const SETUP_BYTES: u32 = 128;

/** Slots of a worker's queue: more than can be pending (129) and taken (129) at once. */
export const QUEUE_SLOTS: u32 = 512;

/** One of the slowest wakeups of a worker. */
@unmanaged
export class SlowWakeup {
  wakeNsec: f64;
  runNsec: f64;
  wakerTid: u32;
  cpuBefore: i32;
  cpuAfter: i32;
  pad0: u32;
}
