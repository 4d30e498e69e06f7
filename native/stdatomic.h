/*
 * Found before the system's header of this name, which it includes. wasm2c turns every plain access to a shared memory
 * into a relaxed atomic access of a volatile object, and compilers do badly with those. In the C original they are plain
 * accesses; so are they here. The sequentially consistent ones, which carry the protocol, stay what they are.
 */
#include_next <stdatomic.h>

#define plain(p)                                      \
  _Generic((p),                                       \
      _Atomic volatile uint8_t*: (uint8_t*)(p),       \
      _Atomic volatile int8_t*: (int8_t*)(p),         \
      _Atomic volatile uint16_t*: (uint16_t*)(p),     \
      _Atomic volatile int16_t*: (int16_t*)(p),       \
      _Atomic volatile uint32_t*: (uint32_t*)(p),     \
      _Atomic volatile int32_t*: (int32_t*)(p),       \
      _Atomic volatile uint64_t*: (uint64_t*)(p),     \
      _Atomic volatile float*: (float*)(p),           \
      _Atomic volatile double*: (double*)(p))

/* The generated file uses these two with relaxed order only … */
#undef atomic_load_explicit
#undef atomic_store_explicit
#define atomic_load_explicit(p, order) (*plain(p))
#define atomic_store_explicit(p, v, order) (*plain(p) = (v))
/* … and gcc makes atomic_load and atomic_store from them. */
#undef atomic_load
#undef atomic_store
#define atomic_load(p) __atomic_load_n(plain(p), __ATOMIC_SEQ_CST)
#define atomic_store(p, v) __atomic_store_n(plain(p), (v), __ATOMIC_SEQ_CST)
