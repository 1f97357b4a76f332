/* Plain CUDA, as people write it, on the simulator: for a kernel that is not ours, which diffcheck compiles
 * with the host's compiler (`diffcheck run --source`, diffcheck/foreign/source.c) and loads into the worker
 * that has the simulator. What is not here does not compile, and is so named.
 *
 *   thread and block indices; __shared__, static and (source.c) dynamic; __constant__, __device__ variables
 *   __syncthreads and its votes, __syncwarp; shuffles of any width, votes, __activemask, of whole warps
 *   atomics on global and shared memory; fences; cache hints
 *   vector types with make_; the functions of C's <math.h>; CUDA's own beside them: rsqrtf, __expf, ..
 *
 * Functions with less accuracy on a GPU (__expf, __fdividef) have the host's here: what they cost shows on
 * a GPU alone. a * b + c is two roundings, as with nvcc -fmad=false.
 *
 * Shared memory is thread-local: the threads of a block, and blocks, run one after another on one thread of
 * the host's. Each block finds it filled with signalling NaN. */
#ifndef PM_SIM_PLAIN_H
#define PM_SIM_PLAIN_H
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <link.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "../plain_launch.h"
#include "race.h"
#include "sim.h"

#define __shared__ thread_local
#define __constant__
#define __align__(n) alignas(n)
#define __CUDACC__ 1
#define __CUDA_ARCH__ 900

/* ---- vector types ---- */
#define VECTOR1_(T, V) \
  struct V {           \
    T x;               \
  };                   \
  static inline V make_##V(T x) { return V{x}; }
#define VECTOR2_(T, V)              \
  struct alignas(2 * sizeof(T)) V { \
    T x, y;                         \
  };                                \
  static inline V make_##V(T x, T y) { return V{x, y}; }
#define VECTOR3_(T, V) \
  struct V {           \
    T x, y, z;         \
  };                   \
  static inline V make_##V(T x, T y, T z) { return V{x, y, z}; }
#define VECTOR4_(T, V)                                        \
  struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) V { \
    T x, y, z, w;                                             \
  };                                                          \
  static inline V make_##V(T x, T y, T z, T w) { return V{x, y, z, w}; }
#define VECTORS_(T, V) VECTOR1_(T, V##1) VECTOR2_(T, V##2) VECTOR3_(T, V##3) VECTOR4_(T, V##4)
VECTORS_(signed char, char)
VECTORS_(unsigned char, uchar)
VECTORS_(short, short)
VECTORS_(unsigned short, ushort)
VECTORS_(unsigned long long, ulonglong)
VECTORS_(double, double)
VECTOR1_(float, float1)
VECTOR3_(float, float3)
VECTOR1_(int, int1)
VECTOR2_(int, int2)
VECTOR3_(int, int3)
VECTOR1_(unsigned, uint1)
VECTOR2_(unsigned, uint2)
VECTOR4_(unsigned, uint4)
VECTOR1_(long long, longlong1)
VECTOR3_(long long, longlong3)
VECTOR4_(long long, longlong4)
static inline int4 make_int4(int x, int y, int z, int w) { return int4{x, y, z, w}; }
static inline uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return uint3{x, y, z}; }
static inline longlong2 make_longlong2(long long x, long long y) { return longlong2{x, y}; }

/* ---- what a warp does together ---- */
namespace pm_plain_ {
using pm_sim_::lane_id;
using pm_sim_::lane_value;

/* What the simulator does not know ends the launch; the word is what diffcheck looks for (DC_UNKNOWN). */
static inline void unknown(const char *what, int line)
{
  char words[160];
  snprintf(words, sizeof words, "not known to the simulator: %s, line %d", what, line);
  pm_sim_::race_found(words);
}
static inline unsigned whole(unsigned mask, int line)
{
  const unsigned n = pm_sim_::lanes(), all = n < 32 ? (1u << n) - 1 : ~0u;
  if ((mask & all) != all)
    unknown("a warp mask without some of the warp's threads", line);
  return ~0u;
}
template <class T> static inline T shuffle(int line, unsigned mask, T v, int lane, int width = 32)
{
  const unsigned w = (unsigned)width, from = (lane_id() & ~(w - 1)) | ((unsigned)lane & (w - 1));
  return lane_value(v, whole(mask, line), from, line);
}
template <class T>
static inline T shuffle_xor(int line, unsigned mask, T v, int with, int width = 32)
{
  const unsigned w = (unsigned)width, from = lane_id() ^ (unsigned)with;
  const bool later = from > (lane_id() | (w - 1));
  return lane_value(v, whole(mask, line), later ? lane_id() : from, line);
}
template <class T>
static inline T shuffle_down(int line, unsigned mask, T v, unsigned by, int width = 32)
{
  const unsigned w = (unsigned)width, at = lane_id() & (w - 1);
  return lane_value(v, whole(mask, line), at + by < w ? lane_id() + by : lane_id(), line);
}
template <class T>
static inline T shuffle_up(int line, unsigned mask, T v, unsigned by, int width = 32)
{
  const unsigned w = (unsigned)width, at = lane_id() & (w - 1);
  return lane_value(v, whole(mask, line), at >= by ? lane_id() - by : lane_id(), line);
}
static inline unsigned ballot(int line, unsigned mask, int predicate)
{
  return __ballot_sync(whole(mask, line), predicate, line);
}
static inline unsigned full()
{
  const unsigned n = pm_sim_::lanes();
  return n < 32 ? (1u << n) - 1 : ~0u;
}
template <class T, class F> static inline T reduce(int line, unsigned mask, T v, F f)
{
  T all = v;
  whole(mask, line);
  for (unsigned i = 1; i < pm_sim_::lanes(); i++)
    all = f(all, lane_value(v, ~0u, (lane_id() + i) % pm_sim_::lanes(), line));
  return all;
}
} // namespace pm_plain_
#define __shfl_sync(...) pm_plain_::shuffle(__LINE__, __VA_ARGS__)
#define __shfl_xor_sync(...) pm_plain_::shuffle_xor(__LINE__, __VA_ARGS__)
#define __shfl_down_sync(...) pm_plain_::shuffle_down(__LINE__, __VA_ARGS__)
#define __shfl_up_sync(...) pm_plain_::shuffle_up(__LINE__, __VA_ARGS__)
#define __ballot_sync(...) pm_plain_::ballot(__LINE__, __VA_ARGS__)
#define __any_sync(...) (pm_plain_::ballot(__LINE__, __VA_ARGS__) != 0)
#define __all_sync(mask, p) (pm_plain_::ballot(__LINE__, mask, !(p)) == 0)
#define __activemask() pm_plain_::full()
#define __syncthreads_and(p) (__syncthreads_count(!(p)) == 0)
#define __reduce_add_sync(m, x) \
  pm_plain_::reduce(__LINE__, m, x, [](auto a, auto b) { return a + b; })
#define __reduce_max_sync(m, x) \
  pm_plain_::reduce(__LINE__, m, x, [](auto a, auto b) { return a > b ? a : b; })
#define __reduce_min_sync(m, x) \
  pm_plain_::reduce(__LINE__, m, x, [](auto a, auto b) { return a < b ? a : b; })

/* ---- atomics, fences, hints, beside those of sim.h ---- */
#define ATOMIC_OF_(name, value)                                                    \
  template <class T> static inline T name(T *p, typename pm_sim_::same<T>::type v) \
  {                                                                                \
    ATOMIC_(p);                                                                    \
    T old = *p;                                                                    \
    *p = value;                                                                    \
    return old;                                                                    \
  }
ATOMIC_OF_(atomicSub, old - v)
ATOMIC_OF_(atomicMin, v < old ? v : old)
ATOMIC_OF_(atomicAnd, old &v)
ATOMIC_OF_(atomicOr, old | v)
ATOMIC_OF_(atomicXor, old ^ v)
ATOMIC_OF_(atomicInc, old >= v ? 0 : old + 1)
ATOMIC_OF_(atomicDec, old == 0 || old > v ? v : old - 1)
#undef ATOMIC_OF_
static inline void __threadfence_block() {}
static inline void __threadfence_system() {}
template <class T> static inline T __ldca(const T *p) { return *p; }
template <class T> static inline T __ldcg(const T *p) { return *p; }
template <class T> static inline T __ldcv(const T *p) { return *p; }
template <class T> static inline T __ldlu(const T *p) { return *p; }
template <class T> static inline void __stcg(T *p, T v) { *p = v; }
template <class T> static inline void __stwt(T *p, T v) { *p = v; }

/* ---- numbers ---- */
template <class A, class B> static inline typename std::common_type<A, B>::type min(A a, B b)
{
  typedef typename std::common_type<A, B>::type T;
  if constexpr (std::is_floating_point<T>::value)
    return fmin((T)a, (T)b);
  else
    return (T)b < (T)a ? (T)b : (T)a;
}
template <class A, class B> static inline typename std::common_type<A, B>::type max(A a, B b)
{
  typedef typename std::common_type<A, B>::type T;
  if constexpr (std::is_floating_point<T>::value)
    return fmax((T)a, (T)b);
  else
    return (T)a < (T)b ? (T)b : (T)a;
}
static inline float rsqrtf(float x) { return (float)(1 / sqrt((double)x)); }
static inline double rsqrt(double x) { return 1 / sqrt(x); }
/* Names that the host's library has for itself. */
#define __expf(x) expf(x)
#define __exp10f(x) exp10f(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __powf(x, y) powf(x, y)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
static inline float __fdividef(float x, float y) { return x / y; }
static inline float fdividef(float x, float y) { return x / y; }
static inline float __saturatef(float x) { return x > 1 ? 1 : x > 0 ? x : 0; }
static inline float __fadd_rn(float x, float y) { return x + y; }
static inline float __fsub_rn(float x, float y) { return x - y; }
static inline float __fmul_rn(float x, float y) { return x * y; }
static inline float __fdiv_rn(float x, float y) { return x / y; }
static inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
static inline float __fsqrt_rn(float x) { return sqrtf(x); }
static inline float __frcp_rn(float x) { return 1 / x; }
static inline float __frsqrt_rn(float x) { return rsqrtf(x); }
static inline int __float2int_rn(float x) { return (int)rintf(x); }
static inline int __float2int_rz(float x) { return (int)x; }
static inline int __float2int_rd(float x) { return (int)floorf(x); }
static inline int __float2int_ru(float x) { return (int)ceilf(x); }
static inline float __int2float_rn(int x) { return (float)x; }
static inline float __uint2float_rn(unsigned x) { return (float)x; }
static inline float __int_as_float(int v) { return __uint_as_float((unsigned)v); }
static inline int __float_as_int(float f) { return (int)__float_as_uint(f); }
static inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
static inline int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
static inline int __ffsll(long long v) { return __builtin_ffsll(v); }
static inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b)
{
  return (unsigned)((unsigned long long)a * b >> 32);
}
static inline unsigned __brev(unsigned v)
{
  unsigned r = 0;
  for (int i = 0; i < 32; i++) r |= (v >> i & 1) << (31 - i);
  return r;
}

/* ---- the launch, which diffcheck calls ---- */
namespace pm_plain_ {
using launch = pm_plain_call;

enum { BEHIND = 4096 }; /* bytes behind the dynamic shared memory that stay as they are */
static const unsigned POISON = 0x7fa5c3d2u; /* a signalling NaN */

/* The dynamic shared memory, which each `extern __shared__ T s[]` is. */
alignas(256) static unsigned char dynamic[PM_SIM_SHARED + BEHIND];
struct any_array {
  template <class T> operator T *() const { return (T *)(void *)dynamic; }
};

/* This library's thread-local memory, which is its static shared memory and nothing else. */
struct statics {
  unsigned char *at;
  size_t bytes;
};
static inline int find_statics(dl_phdr_info *i, size_t, void *found)
{
  bool mine = false;
  const uintptr_t code = (uintptr_t)(void *)&find_statics;
  for (int k = 0; k < i->dlpi_phnum; k++) {
    const ElfW(Phdr) *h = &i->dlpi_phdr[k];
    mine |= h->p_type == PT_LOAD && code - i->dlpi_addr - h->p_vaddr < h->p_memsz;
  }
  for (int k = 0; mine && k < i->dlpi_phnum; k++)
    if (i->dlpi_phdr[k].p_type == PT_TLS)
      *(statics *)found = statics{(unsigned char *)i->dlpi_tls_data, i->dlpi_phdr[k].p_memsz};
  return mine;
}

static thread_local volatile char here; /* such memory comes into being when it is first used */
static inline void find(statics *s)
{
  here = 0;
  dl_iterate_phdr(find_statics, s);
}

/* The simulator's own doing, in which it sees no access of a thread's. */
#define UNSEEN_ __attribute__((noinline, no_sanitize_thread))
UNSEEN_ static void poison(unsigned char *at, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++) at[i] = (unsigned char)(POISON >> i % 4 * 8);
}

UNSEEN_ static void check_behind(size_t shared)
{
  for (size_t i = 0; i < BEHIND; i++)
    if (dynamic[shared + i] != (unsigned char)(POISON >> (shared + i) % 4 * 8)) {
      char words[160];
      snprintf(words, sizeof words,
               "block (%u,%u,%u): byte %zu past the %zu of dynamic shared memory"
               " was written",
               blockIdx.x, blockIdx.y, blockIdx.z, i, shared);
      pm_sim_::race_found(words);
      return;
    }
}

template <auto F, class T = decltype(+F)> struct kernel;
template <auto F, class... P> struct kernel<F, void (*)(P...)> {
  static const char *types()
  {
    static const char letters[] = {letter<P>()..., 0};
    return letters;
  }
  template <size_t... I> static void call(void *const *a, std::integer_sequence<size_t, I...>)
  {
    F(*static_cast<std::remove_const_t<P> *>(a[I])...);
  }
  struct state {
    const launch *l;
    statics s;
    bool begun;
    uint3 block;
  };
  /* One thread. The first of a block finds its shared memory as nobody has written to it. */
  UNSEEN_ static void body(const void *arg)
  {
    state *x = *static_cast<state *const *>(arg);
    if (!x->begun || x->block.x != blockIdx.x || x->block.y != blockIdx.y ||
        x->block.z != blockIdx.z) {
      if (x->begun)
        check_behind(x->l->shared);
      x->begun = true;
      x->block = blockIdx;
      poison(x->s.at, x->s.bytes);
      poison(dynamic, x->l->shared + BEHIND);
    }
    call(x->l->args, std::make_index_sequence<sizeof...(P)>());
  }
  static void run(const launch *l)
  {
    state x = {l, {NULL, 0}, false, {0, 0, 0}}, *at = &x;
    find(&x.s);
    if (l->shared + x.s.bytes - sizeof here > PM_SIM_SHARED ||
        x.s.bytes - sizeof here > PM_SIM_STATIC_SHARED) {
      char words[160];
      snprintf(words, sizeof words,
               "shared memory: %zu bytes static, %zu dynamic: must be at most %d "
               "in all, and 48 KiB static",
               x.s.bytes - sizeof here, (size_t)l->shared, (int)PM_SIM_SHARED);
      pm_sim_::race_found(words);
      return;
    }
    pm_sim_::race_own_as(dynamic, PM_SIM_SHARED, true);
    if (x.s.bytes)
      pm_sim_::race_own_as(x.s.at, x.s.bytes, true);
    pm_sim_::launch(dim3(l->grid[0], l->grid[1], l->grid[2]),
                    dim3(l->block[0], l->block[1], l->block[2]), 1, l->shared,
                    l->watched ? pm_sim_::WATCHED : 0, {body, &at, 0}, NULL);
    if (x.begun)
      check_behind(l->shared);
  }
};
} // namespace pm_plain_

/* After the source: what diffcheck finds in the library. */
#define PM_PLAIN_KERNEL(...)                                                                  \
  extern "C" const char *pm_plain_types() { return pm_plain_::kernel<__VA_ARGS__>::types(); } \
  extern "C" const char *pm_plain_launch(const pm_plain_call *l)                              \
  {                                                                                           \
    pm_plain_::kernel<__VA_ARGS__>::run(l);                                                   \
    return NULL;                                                                              \
  }
#endif
