/*
 * The native host without Node around it, for the sanitizers: real threads in a memory of its own, every body and every
 * mode for a short while. Offsets come from the module, as everywhere. Exits 0 when all sums are right.
 *
 * Intended races, named in tsan.supp: the matrices that --split shares, and flags the main thread writes while others read.
 */
#include "../../native/host.c"

#include <stdio.h>
#include <sys/mman.h>

#define AT(type, field) (*w2c_schbench_##type##_##field(&module))
#define U32(base, field) (*(uint32_t*)(memory.data + (base) + AT(u32, field)))
#define F64(base, field) (*(double*)(memory.data + (base) + AT(f64, field)))
#define ENTRY(name) (*w2c_schbench_ENTRY_##name(&module))
#define MODE(name) (*w2c_schbench_MODE_##name(&module))
#define STATE(name) (*w2c_schbench_STATE_##name(&module))
#define MEMORY_BYTES (64u << 20)

enum { CONTROL = 64, LOCKS = 4096, MASK = 8192, SETUPS = 64 << 10, THREADS = 128 << 10, SCRATCH = 512 << 10, REGIONS = 1 << 20, MOST = 16 };

static u32 next_region;

static u32 thread(u32 index) { return THREADS + index * *w2c_schbench_size_ThreadData(&module); }

static u32 setup_of(u32 index) { return SETUPS + index * *w2c_schbench_size_ThreadSetup(&module); }

static u32 region(u32 bytes) {
  u32 start = next_region;
  next_region += (bytes + 4095) / 4096 * 4096;
  return start;
}

static void reset(void) {
  memset(memory.data, 0, MEMORY_BYTES);
  started = 0;
  next_region = REGIONS;
  U32(CONTROL, Control_locks) = LOCKS;
  U32(CONTROL, Control_exitGate) = 1;
  for (u32 i = 0; i < MOST; i++) {
    U32(thread(i), ThreadData_control) = CONTROL;
    U32(thread(i), ThreadData_index) = i;
    U32(thread(i), ThreadData_msgThread) = thread(0);
    U32(thread(i), ThreadData_firstWorker) = thread(1);
  }
}

static void set_up(u32 entry, u32 index, u32 first, u32 second) {
  u32 setup = setup_of(index);
  U32(setup, ThreadSetup_threadData) = thread(index);
  U32(setup, ThreadSetup_entry) = entry;
  U32(setup, ThreadSetup_first) = first;
  U32(setup, ThreadSetup_second) = second;
  memcpy(&U32(setup, ThreadSetup_name), "driver", 7);
}

/* On the first CPU where the body is that of the CPU lock. */
static void start(u32 entry, u32 index, u32 first, u32 second) {
  u32 setup = setup_of(index);
  set_up(entry, index, first, second);
  U32(setup, ThreadSetup_gate) = CONTROL + AT(u32, Control_gate);
  U32(setup, ThreadSetup_maskBytes) = 8;
  memory.data[MASK] = 1;
  if (entry == ENTRY(TEST_CPU_LOCK)) U32(setup, ThreadSetup_bornCpus) = MASK;
  if (schbench_start(setup)) exit(10);
}

static void post(u32 word) {
  __atomic_store_n(word_at(word), 1, __ATOMIC_SEQ_CST);
  w2c_host_futexWake(NULL, word, 1000);
}

static void open_gate(void) {
  while (__atomic_load_n(&U32(CONTROL, Control_waiting), __ATOMIC_SEQ_CST) != schbench_started()) usleep(100);
  post(CONTROL + AT(u32, Control_gate));
}

static void join_all(void) {
  u32 threads = schbench_started();
  for (u32 i = 0; i < MOST; i++) schbench_join(setup_of(i));
  if (U32(CONTROL, Control_exited) != threads || U32(CONTROL, Control_errorCall)) exit(11);
}

static void expect(const char* what, double got, double wanted) {
  if (got == wanted) return;
  fprintf(stderr, "%s: %.0f instead of %.0f\n", what, got, wanted);
  exit(12);
}

static void stats_for(u32 td, u32 field) {
  u32 stats = region(*w2c_schbench_size_Stats(&module));
  *(uint32_t*)(memory.data + td + field) = stats;
}

/* A run of one mode with two workers, as the engine sets it up. */
static void run_mode(const char* name, u32 mode, u32 locking, u32 shared_side) {
  reset();
  U32(CONTROL, Control_mode) = mode;
  U32(CONTROL, Control_messageThreads) = 1;
  U32(CONTROL, Control_workerThreads) = 2;
  U32(CONTROL, Control_requestsPerSec) = 2000;
  U32(CONTROL, Control_sleepUsec) = 50;
  U32(CONTROL, Control_locking) = locking;
  U32(CONTROL, Control_privateOperations) = U32(CONTROL, Control_sharedOperations) = 1;
  U32(CONTROL, Control_privateSide) = 9;
  U32(CONTROL, Control_sharedSide) = shared_side;
  U32(CONTROL, Control_pipeBytes) = 4096;
  U32(CONTROL, Control_slowPerThread) = 4;
  U32(CONTROL, Control_sharedData) = region(3 * 8 * 16 * 16);
  w2c_host_readClock(NULL, SCRATCH);
  struct timespec now = *(struct timespec*)(memory.data + SCRATCH);
  F64(CONTROL, Control_startNsec) = now.tv_sec * 1e9 + now.tv_nsec;
  F64(CONTROL, Control_measureNsec) = F64(CONTROL, Control_startNsec);
  F64(CONTROL, Control_endNsec) = INFINITY;
  for (u32 i = 0; i < 3; i++) {
    stats_for(thread(i), AT(u32, ThreadData_wakeupStats));
    stats_for(thread(i), AT(u32, ThreadData_requestStats));
    stats_for(thread(i), AT(u32, ThreadData_responseStats));
    U32(thread(i), ThreadData_closedStats) = region(*w2c_schbench_size_ClosedStats(&module));
    U32(thread(i), ThreadData_data) = region(3 * 8 * 16 * 16);
    U32(thread(i), ThreadData_pipePage) = region(4096);
    U32(thread(i), ThreadData_queue) = region(*w2c_schbench_size_Queue(&module));
    U32(thread(i), ThreadData_slow) = region(4 * *w2c_schbench_size_SlowWakeup(&module));
  }
  /* As in a run: the message thread creates its workers. */
  for (u32 i = 0; i < 3; i++) set_up(i ? ENTRY(WORKER_THREAD) : ENTRY(MESSAGE_THREAD), i, 0, 0);
  U32(setup_of(0), ThreadSetup_children) = 2;
  if (schbench_start(setup_of(0))) exit(10);
  while (__atomic_load_n(&U32(CONTROL, Control_ready), __ATOMIC_SEQ_CST) != 3) usleep(100);
  __atomic_store_n(&U32(CONTROL, Control_state), STATE(MEASURING), __ATOMIC_SEQ_CST);
  usleep(150000);
  __atomic_add_fetch(&U32(CONTROL, Control_window), 1, __ATOMIC_SEQ_CST);
  usleep(150000);
  __atomic_store_n(&U32(CONTROL, Control_state), STATE(OVER), __ATOMIC_SEQ_CST);
  post(thread(0) + AT(u32, ThreadData_futex));
  join_all();
  if (F64(thread(1), ThreadData_loopCount) + F64(thread(2), ThreadData_loopCount) < 1) exit(13);
  fprintf(stderr, "%s: fine\n", name);
}

int main(void) {
  schbench_open(mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), MEMORY_BYTES);

  reset();
  U32(thread(0), ThreadData_msgThread) = thread(1);
  start(ENTRY(TEST_HAND_OVER), 0, 500, 1);
  start(ENTRY(TEST_HAND_OVER), 1, 500, 0);
  open_gate();
  join_all();
  expect("hand-overs", F64(thread(1), ThreadData_loopCount), 500);

  reset();
  start(ENTRY(TEST_LIST_TAKE), 0, 4 * 300, 0);
  for (u32 i = 1; i <= 4; i++) start(ENTRY(TEST_LIST_PUT), i, 300, 0);
  open_gate();
  join_all();
  expect("list entries", F64(thread(0), ThreadData_loopCount), 4 * 300);

  reset();
  for (u32 i = 0; i < 3; i++) start(ENTRY(TEST_CPU_LOCK), i, 2000, SCRATCH);
  open_gate();
  join_all();
  expect("locked additions", (double)*(uint64_t*)(memory.data + SCRATCH), 3 * 2000);

  for (u32 side = 0; side < 20; side++) schbench_do_some_math(REGIONS, side);
  for (u32 usec = 0; usec < 100000; usec += 37) schbench_plat_idx_to_val(schbench_plat_val_to_idx(usec));

  run_mode("closed loop", MODE(CLOSED_LOOP), 1, 0);
  run_mode("closed loop with shared matrices", MODE(CLOSED_LOOP), 0, 9);
  run_mode("paced", MODE(PACED), 1, 0);
  run_mode("burst", MODE(BURST), 0, 0);
  run_mode("pipe", MODE(PIPE), 0, 0);
  return 0;
}
