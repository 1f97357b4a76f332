/* The CUDA of the kernel text, on the CPU: one fiber a thread, one block at a time, or the
 * blocks of one cluster.
 *
 * Its threads run one after another on one OS thread and hand over only where CUDA would make them
 * wait: __syncthreads, __syncwarp, shuffles, votes, the barrier of a cluster. Which ready thread
 * runs next, and the order of the blocks, follow pm_sim_seed: 0 is index order, any other a random
 * order, so a
 * missing barrier shows as a result that depends on the seed. Shared memory holds signalling NaN
 * of a pattern of its own in every block until it is written.
 *
 * What breaks CUDA's rules (threads of a block waiting at different barriers, a thread that left
 * before one, a partial shuffle mask, a launch beyond the limits) ends the launch and is kept as
 * the error of pm_sim_take_error; later launches do nothing until it is taken. No abort, no
 * exit.
 *
 * Launches come from one OS thread at a time. No kernel allocates or throws. */
#ifndef PM_SIM_SIM_H
#define PM_SIM_SIM_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "launched.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(16) longlong2 {
  long long x, y;
};
static inline float2 make_float2(float x, float y) { return float2{x, y}; }
static inline float4 make_float4(float x, float y, float z, float w) { return float4{x, y, z, w}; }

extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
enum { warpSize = 32 };

/* Limits of sm_90. */
enum { PM_SIM_THREADS = 1024, PM_SIM_SHARED = 227 * 1024, PM_SIM_STATIC_SHARED = 48 * 1024 };
enum { PM_SIM_CLUSTER = 8 }; /* blocks */

namespace pm_sim_ {
enum wait { BLOCK, WARP };
void wait_for(wait kind, int line); /* until the block, or the warp, is here */
int vote(int predicate, int line);  /* of the block: how many threads say yes */
void *shared(size_t bytes, bool dynamic);
/* The buffer in which lane 0 .. 31 of this warp leave a value, and this thread's lane. The two
 * buffers of a warp alternate, so one wait an exchange is enough: no lane can be two ahead. */
uint64_t *exchange(unsigned *lane);
unsigned lanes(); /* of this warp: fewer than 32 in the last warp of some blocks */
bool full_mask(unsigned mask, int line);
/* How a launch's kernels came: WATCHED, compiled so that race.h sees what they do; AHEAD, they
 * may start before the launch before them has ended. */
enum { WATCHED = 1, AHEAD = 2 };
/* What the threads of a launch run: call(at). Of bytes there it can be called again wherever they are; 0: it
 * cannot. */
struct launch_body {
  void (*call)(const void *);
  const void *at;
  size_t bytes;
};
/* call: the kernel and its arguments, where the body is no more than that; else NULL. */
void launch(dim3 grid, dim3 block, unsigned in_cluster, size_t dynamic_bytes, int how,
            launch_body body, const kernel_call *call);
void await_launches();
/* The barrier of a cluster in two steps, and where p of this block lies in another. `exchange`: it
 * only says that what was sent is there (lang/cluster_exchange.h). */
void cluster_arrive(int line, bool exchange = false);
void cluster_wait(int line, bool exchange = false);
void *peer(void *p, unsigned rank, int line);

template <class T> static inline T lane_value(T v, unsigned mask, unsigned from, int line)
{
  static_assert(sizeof(T) <= 8, "CUDA exchanges at most 8 bytes");
  unsigned me;
  if (!full_mask(mask, line))
    return v;
  uint64_t *slot = exchange(&me);
  memcpy(&slot[me], &v, sizeof v);
  wait_for(WARP, line);
  if (from < 32)
    memcpy(&v, &slot[from], sizeof v);
  return v;
}
static inline unsigned lane_id()
{
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31;
}
template <class T> struct same {
  typedef T type;
};
} // namespace pm_sim_

/* Runs `body()` once a thread of the grid, the blocks of a cluster beside each other. */
template <class F>
static inline void sim_launch_clusters(unsigned in_cluster, dim3 grid, dim3 block, size_t dynamic,
                                       F body, int how = 0, const pm_sim_::kernel_call *call = NULL)
{
#ifdef PM_RACE
  how |= pm_sim_::WATCHED;
#endif
  static_assert(__is_trivially_copyable(F), "a graph keeps its bytes (sim/graph.h)");
  pm_sim_::launch(grid, block, in_cluster, dynamic, how,
                  {[](const void *f) { (*static_cast<const F *>(f))(); }, &body, sizeof body},
                  call);
}
namespace pm_sim_ {
/* The launch of a kernel: its arguments as they are passed to it, so of the types that it has. */
template <auto F, class T = decltype(+F)> struct launch_of;
template <auto F, class... P> struct launch_of<F, void (*)(P...)> {
  static const kernel_name &kernel()
  {
    static const kernel_name name(__PRETTY_FUNCTION__);
    return name;
  }
  static void go(launch_shape s, P... p)
  {
    const argument args[] = {{&p, sizeof p, kind_of<P>::letter}...};
    const kernel_call call = {&kernel(), args, (int)sizeof...(P)};
    sim_launch_clusters(
        s.in_cluster, s.grid, s.block, s.dynamic, [=] { F(p...); }, s.how, &call);
  }
};
} // namespace pm_sim_
/* (kernel, grid, block, blocks of a cluster, dynamic bytes, how, arguments ..) */
#define SIM_LAUNCH(kernel, grid, block, in_cluster, dynamic, how, ...)                       \
  pm_sim_::launch_of<kernel>::go(                                                            \
      {(unsigned)(grid), (unsigned)(block), (unsigned)(in_cluster), (size_t)(dynamic), how}, \
      __VA_ARGS__)
extern "C" {
void pm_sim_seed(uint64_t seed);
/* Words for the first error since the last call, or NULL; clears it. */
const char *pm_sim_take_error(void);
int pm_sim_failed(void);
}

/* Shared memory: an array of T, one for all threads of the block, who all reach the same arrays in
 * the same order; and the memory that the launch asked for. */
template <class T> static inline T &pm_sim_shared()
{
  return *static_cast<T *>(pm_sim_::shared(sizeof(T), false));
}
#define SIM_SHARED(T, s, n) T(&s)[n] = pm_sim_shared<T[n]>()
#define SIM_DYNAMIC(T, s) T *const s = static_cast<T *>(pm_sim_::shared(0, true))

/* The line of the call goes along: threads that wait at different lines do not meet. */
#define PM_HERE_ int line_ = __builtin_LINE()
static inline void __syncthreads(PM_HERE_) { pm_sim_::wait_for(pm_sim_::BLOCK, line_); }
static inline int __syncthreads_count(int p, PM_HERE_) { return pm_sim_::vote(p, line_); }
static inline int __syncthreads_or(int p, PM_HERE_) { return pm_sim_::vote(p, line_) != 0; }
static inline void __syncwarp(unsigned mask = ~0u, PM_HERE_)
{
  if (pm_sim_::full_mask(mask, line_))
    pm_sim_::wait_for(pm_sim_::WARP, line_);
}
template <class T> static inline T __shfl_sync(unsigned mask, T v, int from, PM_HERE_)
{
  return pm_sim_::lane_value(v, mask, (unsigned)from & 31, line_);
}
template <class T> static inline T __shfl_xor_sync(unsigned mask, T v, int with, PM_HERE_)
{
  return pm_sim_::lane_value(v, mask, pm_sim_::lane_id() ^ (unsigned)with, line_);
}
template <class T> static inline T __shfl_down_sync(unsigned mask, T v, unsigned by, PM_HERE_)
{
  return pm_sim_::lane_value(v, mask, pm_sim_::lane_id() + by, line_);
}
template <class T> static inline T __shfl_up_sync(unsigned mask, T v, unsigned by, PM_HERE_)
{
  return pm_sim_::lane_value(v, mask, pm_sim_::lane_id() - by, line_);
}
static inline unsigned __ballot_sync(unsigned mask, int predicate, PM_HERE_)
{
  unsigned me, yes = 0;
  if (!pm_sim_::full_mask(mask, line_))
    return 0;
  uint64_t *slot = pm_sim_::exchange(&me);
  slot[me] = predicate != 0;
  pm_sim_::wait_for(pm_sim_::WARP, line_);
  for (unsigned i = 0; i < pm_sim_::lanes(); i++) yes |= (unsigned)slot[i] << i;
  return yes;
}
static inline int __any_sync(unsigned mask, int predicate, PM_HERE_)
{
  return __ballot_sync(mask, predicate, line_) != 0;
}
#undef PM_HERE_

/* Atomics: threads run one at a time, so the plain operation is one. To race.h they are one
 * access each. */
#ifdef PM_RACE
namespace pm_sim_ {
void atomic_begin(const void *p, size_t bytes);
void atomic_end();
template <class T> struct atomic_access {
  explicit atomic_access(const T *p) { atomic_begin(p, sizeof *p); }
  ~atomic_access() { atomic_end(); }
};
} // namespace pm_sim_
#define ATOMIC_(p) pm_sim_::atomic_access<T> access_(p)
#else
#define ATOMIC_(p)
#endif
template <class T> static inline T atomicExch(T *p, typename pm_sim_::same<T>::type v)
{
  ATOMIC_(p);
  T old = *p;
  *p = v;
  return old;
}
template <class T> static inline T atomicAdd(T *p, typename pm_sim_::same<T>::type v)
{
  ATOMIC_(p);
  T old = *p;
  *p = old + v;
  return old;
}
template <class T>
static inline T atomicCAS(T *p, typename pm_sim_::same<T>::type expected,
                          typename pm_sim_::same<T>::type v)
{
  ATOMIC_(p);
  T old = *p;
  if (old == expected)
    *p = v;
  return old;
}
template <class T> static inline T atomicMax(T *p, typename pm_sim_::same<T>::type v)
{
  ATOMIC_(p);
  T old = *p;
  if (old < v)
    *p = v;
  return old;
}
static inline void __threadfence() {}

/* Cache hints. */
template <class T> static inline T __ldg(const T *p) { return *p; }
template <class T> static inline T __ldcs(const T *p) { return *p; }
template <class T> static inline void __stcs(T *p, T v) { *p = v; }
template <class T> static inline void __stwb(T *p, T v) { *p = v; }

static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
static inline float __uint_as_float(unsigned v)
{
  float f;
  memcpy(&f, &v, sizeof f);
  return f;
}
static inline unsigned __float_as_uint(float f)
{
  unsigned v;
  memcpy(&v, &f, sizeof v);
  return v;
}
#endif
