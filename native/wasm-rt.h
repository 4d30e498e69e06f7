/*
 * What the C file that wasm2c makes from the engine module includes: memory, traps and a few types it names but does not
 * use. Written for this one module: one shared 32-bit memory, no table, no bounds checks (the memory lies in the
 * address range that V8 reserves with guard pages behind it).
 */
#ifndef WASM_RT_H_
#define WASM_RT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef __has_builtin
#define __has_builtin(x) 0
#endif
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define WABT_BIG_ENDIAN 0
#define WASM_RT_C11_AVAILABLE 1
#define WASM_RT_MEMCHECK_GUARD_PAGES 1
#define WASM_RT_USE_SEGUE 0
#define WASM_RT_SANITY_CHECKS 0
#define WASM_RT_STACK_DEPTH_COUNT 0
#define wasm_rt_memcpy memcpy

typedef enum {
  WASM_RT_TRAP_NONE,
  WASM_RT_TRAP_OOB,
  WASM_RT_TRAP_INT_OVERFLOW,
  WASM_RT_TRAP_DIV_BY_ZERO,
  WASM_RT_TRAP_INVALID_CONVERSION,
  WASM_RT_TRAP_UNREACHABLE,
  WASM_RT_TRAP_CALL_INDIRECT,
  WASM_RT_TRAP_UNALIGNED,
} wasm_rt_trap_t;

/* Ends the thread after it has written what happened into the control block. */
_Noreturn void wasm_rt_trap(wasm_rt_trap_t code);

typedef struct {
  uint8_t* data;
  uint64_t pages, max_pages;
  uint64_t size;
} wasm_rt_memory_t;

/* What sets a shared memory apart is how the generated file reads and writes it. */
typedef wasm_rt_memory_t wasm_rt_shared_memory_t;

typedef enum { WASM_RT_I32, WASM_RT_I64, WASM_RT_F32, WASM_RT_F64, WASM_RT_V128 } wasm_rt_type_t;
typedef const char* wasm_rt_func_type_t;
typedef void (*wasm_rt_function_ptr_t)(void);
typedef struct wasm_rt_tailcallee_t {
  void (*fn)(void** instance, void* tail_call_stack, struct wasm_rt_tailcallee_t* next);
} wasm_rt_tailcallee_t;
typedef struct {
  wasm_rt_func_type_t func_type;
  wasm_rt_function_ptr_t func;
  wasm_rt_tailcallee_t func_tailcallee;
  void* module_instance;
} wasm_rt_funcref_t;
typedef void* wasm_rt_externref_t;
static const wasm_rt_funcref_t wasm_rt_funcref_null_value;
static const wasm_rt_externref_t wasm_rt_externref_null_value;
typedef struct {
  wasm_rt_funcref_t* data;
  uint32_t max_size, size;
} wasm_rt_funcref_table_t;
typedef struct {
  wasm_rt_externref_t* data;
  uint32_t max_size, size;
} wasm_rt_externref_table_t;
static inline bool wasm_rt_is_initialized(void) { return true; }
#endif
