/*
 * The native host: runs the engine module, compiled ahead of time into this same translation unit, on plain threads. No
 * benchmark logic: the functions the module imports, and starting and joining threads.
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

void w2c_host_readCpuClock(struct w2c_host* host, u32 timespec) {
  (void)host;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, (struct timespec*)(memory.data + timespec));
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

void w2c_host_setName(struct w2c_host* host, u32 name) {
  (void)host;
  prctl(PR_SET_NAME, memory.data + name);
}

u32 w2c_host_setCpus(struct w2c_host* host, u32 mask, u32 bytes) {
  (void)host;
  return error_of(syscall(SYS_sched_setaffinity, 0, (size_t)bytes, memory.data + mask));
}

u32 w2c_host_setSched(struct w2c_host* host, u32 attributes) {
  (void)host;
  return error_of(syscall(SYS_sched_setattr, 0, memory.data + attributes, 0));
}

u32 w2c_host_joinGroup(struct w2c_host* host, u32 fd) {
  (void)host;
  return error_of(write((int)fd, "0", 1));
}

void w2c_host_setTimerSlack(struct w2c_host* host, u32 nsec) {
  (void)host;
  prctl(PR_SET_TIMERSLACK, (unsigned long)nsec);
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

static u32 started;
static __thread u32 own_setup;

_Noreturn void wasm_rt_trap(wasm_rt_trap_t code) {
  w2c_schbench_record_trap(&module, own_setup, (u32)code);
  pthread_exit(NULL);
}

static pthread_t* handle_of(u32 setup) {
  return (pthread_t*)(memory.data + setup + *w2c_schbench_u64_ThreadSetup_handle(&module));
}

static void* run(void* setup) {
  own_setup = (u32)(uintptr_t)setup;
  w2c_schbench_run_thread(&module, own_setup, (u32)syscall(SYS_gettid));
  return NULL;
}

/* Creates the thread of a setup in shared memory: by a message thread, as the original's, or by schbench_start. */
u32 w2c_host_startThread(struct w2c_host* host, u32 setup) {
  pthread_t* handle = handle_of(setup);
  int error;

  (void)host;
  __atomic_add_fetch(&started, 1, __ATOMIC_SEQ_CST);
  error = pthread_create(handle, NULL, run, (void*)(uintptr_t)setup);
  if (error) {
    *handle = 0;
    __atomic_sub_fetch(&started, 1, __ATOMIC_SEQ_CST);
  }
  return (u32)error;
}

/* Binds the module to a memory: its address, and its size in bytes. */
EXPORT void schbench_open(void* data, double size) {
  memory = (wasm_rt_shared_memory_t){.data = data, .size = (uint64_t)size};
  started = 0;
  wasm2c_schbench_instantiate(&module, NULL, NULL);
}

/* Starts a thread from outside: 0, or the errno. Signals stay with the caller's threads; whom it starts inherits that. */
EXPORT u32 schbench_start(u32 setup) {
  sigset_t all, before;
  u32 error;

  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  error = w2c_host_startThread(NULL, setup);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

/* How many threads there have been, whoever started them. */
EXPORT u32 schbench_started(void) { return __atomic_load_n(&started, __ATOMIC_SEQ_CST); }

/* Waits for the thread of a setup, if there is one, that has left or is about to. */
EXPORT void schbench_join(u32 setup) {
  pthread_t* handle = handle_of(setup);
  if (*handle) pthread_join(*handle, NULL);
  *handle = 0;
}

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
