/*
 * The native host: runs the engine module, compiled ahead of time into this same translation unit, on plain threads. No
 * benchmark logic: the six functions the module imports, and starting and joining threads.
 *
 * The memory belongs to the caller (a shared WebAssembly.Memory); every thread works in it.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "schbench.h"

#define EXPORT __attribute__((visibility("default")))

static wasm_rt_shared_memory_t memory;
static w2c_schbench module;

/* ---- What the module imports ---- */

static inline uint32_t error_of(long result) { return result == -1 ? (uint32_t)errno : 0; }

static inline uint32_t* word_at(u32 address) { return (uint32_t*)(memory.data + address); }

u32 w2c_host_futexWait(struct w2c_host* host, u32 word, u32 expected) {
  (void)host;
  return error_of(syscall(SYS_futex, word_at(word), FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0));
}

u32 w2c_host_futexWake(struct w2c_host* host, u32 word, u32 waiters) {
  (void)host;
  return error_of(syscall(SYS_futex, word_at(word), FUTEX_WAKE_PRIVATE, waiters, NULL, NULL, 0));
}

void w2c_host_readClock(struct w2c_host* host, u32 timespec) {
  (void)host;
  clock_gettime(CLOCK_MONOTONIC, (struct timespec*)(memory.data + timespec));
}

u32 w2c_host_usleep(struct w2c_host* host, u32 usec) {
  (void)host;
  return error_of(usleep(usec));
}

u32 w2c_host_getCpu(struct w2c_host* host) {
  int cpu = sched_getcpu();
  (void)host;
  return (u32)(cpu < 0 ? -errno : cpu);
}

void w2c_host_cpuRelax(struct w2c_host* host) {
  (void)host;
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield" ::: "memory");
#endif
}

wasm_rt_shared_memory_t* w2c_env_memory(struct w2c_env* env) {
  (void)env;
  return &memory;
}

/*
 * The generated file forces every load into a register with an empty asm, so that a load out of bounds would trap.
 * clang takes that for a change of memory and reads the memory's base again after each load; so it does not see it.
 */
#ifdef __clang__
#define __asm__(...)
#endif
/* It also defines every helper it might need. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wunused-variable"
#include "schbench.c"
#pragma GCC diagnostic pop
#undef __asm__

/* ---- Threads ---- */

/* What one thread does; the same order as ENTRIES in src/engine/host.ts. */
enum entry { MESSAGE_THREAD, WORKER_THREAD, HAND_OVER, LIST_PUT, LIST_TAKE, CPU_LOCK, TEST_TRAP, HOST_CALL };

struct start {
  u32 thread_data, entry, first, second;
  uint64_t timer_slack_nsec;
  size_t mask_bytes;
  char name[16];
  unsigned char mask[];
};

static __thread u32 own_thread_data;

_Noreturn void wasm_rt_trap(wasm_rt_trap_t code) {
  w2c_schbench_record_trap(&module, own_thread_data, (u32)code);
  pthread_exit(NULL);
}

static void* run(void* argument) {
  struct start* start = argument;
  u32 tid = (u32)syscall(SYS_gettid), td = start->thread_data, failed = 0;

  own_thread_data = td;
  pthread_setname_np(pthread_self(), start->name);
  if (start->mask_bytes)
    failed = error_of(syscall(SYS_sched_setaffinity, 0, start->mask_bytes, start->mask));
  if (start->timer_slack_nsec) prctl(PR_SET_TIMERSLACK, start->timer_slack_nsec);
  if (failed) w2c_schbench_record_affinity(&module, td, tid, failed);
  switch ((enum entry)start->entry) {
    case MESSAGE_THREAD: w2c_schbench_message_thread(&module, td, tid); break;
    case WORKER_THREAD: w2c_schbench_worker_thread(&module, td, tid); break;
    case HAND_OVER: w2c_schbench_test_hand_over(&module, td, tid, start->first, start->second); break;
    case LIST_PUT: w2c_schbench_test_list_put(&module, td, tid, start->first); break;
    case LIST_TAKE: w2c_schbench_test_list_take(&module, td, tid, start->first); break;
    case CPU_LOCK: w2c_schbench_test_cpu_lock(&module, td, tid, start->first, start->second); break;
    case HOST_CALL: w2c_schbench_bench_host_call(&module, td, tid, start->first, start->second); break;
    case TEST_TRAP: w2c_schbench_test_trap(&module, td, tid); break;
  }
  free(start);
  return NULL;
}

/* Binds the module to a memory: its address, and its size in bytes. */
EXPORT void schbench_open(void* data, double size) {
  memory = (wasm_rt_shared_memory_t){.data = data, .size = (uint64_t)size};
  wasm2c_schbench_instantiate(&module, NULL, NULL);
}

/*
 * Starts a thread with a name and, if mask_bytes is not 0, on the CPUs of a mask (bit n of byte n / 8: CPU n). Returns 0
 * and the handle for schbench_join, or the errno. Signals stay with the caller's threads.
 */
EXPORT int schbench_start(u32 entry, u32 thread_data, u32 first, u32 second, const char* name, const void* mask,
                   u32 mask_bytes, double timer_slack_nsec, uint64_t* handle) {
  struct start* start = calloc(1, sizeof *start + mask_bytes);
  pthread_attr_t attributes;
  sigset_t all, before;
  pthread_t thread;
  int error;

  if (!start) return ENOMEM;
  start->entry = entry;
  start->thread_data = thread_data;
  start->first = first;
  start->second = second;
  start->timer_slack_nsec = (uint64_t)timer_slack_nsec;
  start->mask_bytes = mask_bytes;
  strncpy(start->name, name, sizeof start->name - 1);
  memcpy(start->mask, mask, mask_bytes);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 * 1024 + PTHREAD_STACK_MIN);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  error = pthread_create(&thread, &attributes, run, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (error) free(start);
  else *handle = (uint64_t)thread;
  return error;
}

/* Waits for a thread that has left or is about to. */
EXPORT int schbench_join(uint64_t handle) { return pthread_join((pthread_t)handle, NULL); }

/* What the tests hold against the same functions in V8. */
EXPORT void schbench_do_some_math(u32 data, u32 side) { w2c_schbench_do_some_math(&module, data, side); }
EXPORT u32 schbench_plat_val_to_idx(u32 value) { return w2c_schbench_plat_val_to_idx(&module, value); }
EXPORT u32 schbench_plat_idx_to_val(u32 index) { return w2c_schbench_plat_idx_to_val(&module, index); }
EXPORT void schbench_add_lat(u32 stats, u32 usec) { w2c_schbench_add_lat(&module, stats, usec); }

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif
EXPORT const char* schbench_compiler(void) { return COMPILER; }
