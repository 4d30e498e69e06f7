/**
 * The layout as the TypeScript side and native/host.c read it: an exported constant per field, named TYPE_Struct_field, the
 * sizes, and the values that fields may have. A field that is missing here cannot be read there.
 */
import {
  Control,
  LOCK_STRIDE,
  QUEUE_SLOTS,
  SETUP_BYTES,
  SlowWakeup,
  Stats,
  STATS_BYTES,
  STATS_KINDS,
  THREAD_BYTES,
  ThreadData,
  ThreadSetup,
} from "./layout";

export {
  CALL_AFFINITY,
  CALL_FUTEX_WAIT,
  CALL_FUTEX_WAKE,
  CALL_GETCPU,
  CALL_GROUP,
  CALL_SCHED,
  CALL_START,
  CALL_TRAP,
  CALL_USLEEP,
  ENTRY_BENCH_HOST_CALL,
  ENTRY_LOAD_DUTY,
  ENTRY_LOAD_MEMORY,
  ENTRY_LOAD_SPIN,
  ENTRY_LOAD_WAKE,
  ENTRY_MESSAGE_THREAD,
  ENTRY_TEST_CPU_LOCK,
  ENTRY_TEST_HAND_OVER,
  ENTRY_TEST_LIST_PUT,
  ENTRY_TEST_LIST_TAKE,
  ENTRY_TEST_TRAP,
  ENTRY_WORKER_THREAD,
  MODE_BURST,
  MODE_CLOSED_LOOP,
  MODE_PACED,
  MODE_PIPE,
  NO_MINIMUM,
  STATE_MEASURING,
  STATE_OVER,
  STATE_STARTING,
} from "./layout";

export const u32_Control_state = offsetof<Control>("state");
export const u32_Control_window = offsetof<Control>("window");
export const u32_Control_requestsPerSec = offsetof<Control>("requestsPerSec");
export const u32_Control_breakHit = offsetof<Control>("breakHit");
export const f64_Control_slowSinceNsec = offsetof<Control>("slowSinceNsec");
export const f64_Control_startNsec = offsetof<Control>("startNsec");
export const f64_Control_measureNsec = offsetof<Control>("measureNsec");
export const f64_Control_endNsec = offsetof<Control>("endNsec");
export const u32_Control_mode = offsetof<Control>("mode");
export const u32_Control_messageThreads = offsetof<Control>("messageThreads");
export const u32_Control_workerThreads = offsetof<Control>("workerThreads");
export const u32_Control_sleepUsec = offsetof<Control>("sleepUsec");
export const u32_Control_locking = offsetof<Control>("locking");
export const u32_Control_calibrate = offsetof<Control>("calibrate");
export const u32_Control_sharedOperations = offsetof<Control>("sharedOperations");
export const u32_Control_privateOperations = offsetof<Control>("privateOperations");
export const u32_Control_sharedSide = offsetof<Control>("sharedSide");
export const u32_Control_privateSide = offsetof<Control>("privateSide");
export const u32_Control_sharedData = offsetof<Control>("sharedData");
export const u32_Control_pipeBytes = offsetof<Control>("pipeBytes");
export const u32_Control_locks = offsetof<Control>("locks");
export const u32_Control_slowPerThread = offsetof<Control>("slowPerThread");
export const u32_Control_breakUsec = offsetof<Control>("breakUsec");
export const u32_Control_gate = offsetof<Control>("gate");
export const u32_Control_waiting = offsetof<Control>("waiting");
export const u32_Control_ready = offsetof<Control>("ready");
export const u32_Control_exitGate = offsetof<Control>("exitGate");
export const u32_Control_exited = offsetof<Control>("exited");
export const u32_Control_errorCall = offsetof<Control>("errorCall");
export const u32_Control_errorCode = offsetof<Control>("errorCode");
export const u32_Control_errorTid = offsetof<Control>("errorTid");
export const u64_ThreadSetup_handle = offsetof<ThreadSetup>("handle");
export const u32_ThreadSetup_threadData = offsetof<ThreadSetup>("threadData");
export const u32_ThreadSetup_entry = offsetof<ThreadSetup>("entry");
export const u32_ThreadSetup_first = offsetof<ThreadSetup>("first");
export const u32_ThreadSetup_second = offsetof<ThreadSetup>("second");
export const u32_ThreadSetup_gate = offsetof<ThreadSetup>("gate");
export const u32_ThreadSetup_ownGate = offsetof<ThreadSetup>("ownGate");
export const u32_ThreadSetup_group = offsetof<ThreadSetup>("group");
export const u32_ThreadSetup_children = offsetof<ThreadSetup>("children");
export const u32_ThreadSetup_maskBytes = offsetof<ThreadSetup>("maskBytes");
export const u32_ThreadSetup_bornCpus = offsetof<ThreadSetup>("bornCpus");
export const u32_ThreadSetup_childrenCpus = offsetof<ThreadSetup>("childrenCpus");
export const u32_ThreadSetup_cpus = offsetof<ThreadSetup>("cpus");
export const u32_ThreadSetup_sched = offsetof<ThreadSetup>("sched");
export const u32_ThreadSetup_timerSlackNsec = offsetof<ThreadSetup>("timerSlackNsec");
export const u32_ThreadSetup_name = offsetof<ThreadSetup>("name");
export const u32_Stats_min = offsetof<Stats>("min");
export const u32_Stats_max = offsetof<Stats>("max");
export const u32_Stats_plat = offsetof<Stats>("plat");
export const u32_ThreadData_futex = offsetof<ThreadData>("futex");
export const u32_ThreadData_next = offsetof<ThreadData>("next");
export const f64_ThreadData_wakeNsec = offsetof<ThreadData>("wakeNsec");
export const u32_ThreadData_wakerTid = offsetof<ThreadData>("wakerTid");
export const u32_ThreadData_queued = offsetof<ThreadData>("queued");
export const u32_ThreadData_sequence = offsetof<ThreadData>("sequence");
export const u32_ThreadData_window = offsetof<ThreadData>("window");
export const f64_ThreadData_loopCount = offsetof<ThreadData>("loopCount");
export const f64_ThreadData_sent = offsetof<ThreadData>("sent");
export const f64_ThreadData_dropped = offsetof<ThreadData>("dropped");
export const f64_ThreadData_slowFloorNsec = offsetof<ThreadData>("slowFloorNsec");
export const u32_ThreadData_slowCount = offsetof<ThreadData>("slowCount");
export const u32_ThreadData_taken = offsetof<ThreadData>("taken");
export const u32_ThreadData_control = offsetof<ThreadData>("control");
export const u32_ThreadData_msgThread = offsetof<ThreadData>("msgThread");
export const u32_ThreadData_index = offsetof<ThreadData>("index");
export const u32_ThreadData_tid = offsetof<ThreadData>("tid");
export const u32_ThreadData_data = offsetof<ThreadData>("data");
export const u32_ThreadData_pipePage = offsetof<ThreadData>("pipePage");
export const u32_ThreadData_queue = offsetof<ThreadData>("queue");
export const u32_ThreadData_firstWorker = offsetof<ThreadData>("firstWorker");
export const u32_ThreadData_wakeupStats = offsetof<ThreadData>("wakeupStats");
export const u32_ThreadData_requestStats = offsetof<ThreadData>("requestStats");
export const u32_ThreadData_responseStats = offsetof<ThreadData>("responseStats");
export const u32_ThreadData_closedStats = offsetof<ThreadData>("closedStats");
export const u32_ThreadData_slow = offsetof<ThreadData>("slow");
export const u32_ThreadData_closedWindow = offsetof<ThreadData>("closedWindow");
export const f64_ThreadData_closedLoopCount = offsetof<ThreadData>("closedLoopCount");
export const f64_ThreadData_closedSent = offsetof<ThreadData>("closedSent");
export const f64_ThreadData_closedDropped = offsetof<ThreadData>("closedDropped");
export const f64_ThreadData_unsent = offsetof<ThreadData>("unsent");
export const f64_ThreadData_closedUnsent = offsetof<ThreadData>("closedUnsent");
export const f64_SlowWakeup_wakeNsec = offsetof<SlowWakeup>("wakeNsec");
export const f64_SlowWakeup_runNsec = offsetof<SlowWakeup>("runNsec");
export const u32_SlowWakeup_wakerTid = offsetof<SlowWakeup>("wakerTid");
export const i32_SlowWakeup_cpuBefore = offsetof<SlowWakeup>("cpuBefore");
export const i32_SlowWakeup_cpuAfter = offsetof<SlowWakeup>("cpuAfter");
export const size_Control = offsetof<Control>();
export const size_SlowWakeup = offsetof<SlowWakeup>();
export const size_Stats = STATS_BYTES;
export const size_ClosedStats = STATS_BYTES * STATS_KINDS;
export const size_ThreadData = THREAD_BYTES;
export const size_ThreadSetup = SETUP_BYTES;
export const used_ThreadSetup = offsetof<ThreadSetup>();
export const used_ThreadData = offsetof<ThreadData>();
export const size_Lock = LOCK_STRIDE;
export const size_Queue = QUEUE_SLOTS * 8;
