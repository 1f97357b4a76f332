/* One kernel text, three readings:
 *   nvcc        SPMD CUDA
 *   simulator   the same, on fibers (PM_SIM, sim/sim.h)
 *   Frama-C     sequential C (__FRAMAC__): a loop where the grid has threads, an array over the
 *               threads where each has a register. What is proven of this reading holds of the
 *               others because the bodies of one phase have disjoint footprints.
 *
 * Vocabulary
 *   KERNEL, DEV          a __global__ function; a function inlined into one
 *   BDIM, GSIZE          threads of a block; of the grid
 *   EACH_GRID_THREAD(g)            every thread g of the grid, no barrier; GSIZE of them
 *   GROWS(r, m, n) GCOLS(c, n)      every cell of an (m, n) grid of threads; needs GSIZE >= m*n
 *   BROWS(i, m, n) BCOLS(j, n)      every cell of an (m, n) grid of blocks; needs gridDim.x >= m*n
 *   GPLANES(p, n, per)   every plane p of n, with `per` blocks for each; gridDim.x >= n*per
 *   GTILE_ROWS(i, m, n, h, w) GTILE_COLS(j, n, w)
 *                        in a plane: every cell of an (m, n) grid of threads, a block having an
 *                        (h, w) tile of it; h*w == BDIM, per >= ceil(m/h) * ceil(n/w)
 *   PROWS(i, m, n) PCOLS(j, n)      in a plane: every cell of an (m, n) grid of blocks; per >= m*n
 *   PLANE_FN, IN_PLANE   parameter and argument of a function that GPLANES calls for a plane
 *   EACH_THREAD(t)             every thread of the block, no barrier after
 *   PHASE(t)             the same, then a barrier: only here may shared memory be touched
 *   THREAD_ROWS(y, h, w) PHASE_ROWS(y, h, w) THREAD_COLS(x, w)
 *                        every cell of an (h, w) tile, dealt to the block's threads; w divides BDIM
 *   PRIVATE(T, v)        a register of each thread; PER_THREAD(T, v) as a parameter; AT(v, t) its value
 *   PRIVATEK, PER_THREADK, REG(v, j, k0, t)   KMAX registers of each thread; k0 == mul(j, BDIM)
 *   SHARED(T, s, n)      shared memory, uninitialised
 *   LD, ST               shared access          LDG, STG   global access, one float
 *   LD4, ST4             global access of 16 aligned bytes      LDI   global load of an index
 *   STS4                 shared store of 16 aligned bytes
 *   load4_streaming(p)        LD4 of what is read once: it leaves the caches first
 *   store4_streaming(p, v)    ST4 of what is not read soon: so does this
 *   SHFL_XOR(d, v, m)    d of lane l = v of lane l xor m; outside PHASE and EACH_THREAD
 *   UNIFORM(v)           the value that all threads hold
 *   PHASE_FN, IN_PHASE   parameter and argument of a thread function that touches shared memory
 *   GHOST_PARAMS, GHOST_ARGS   arguments of the specification only
 *   TEMPLATE(int K, ..)  before a KERNEL: constants of its instances, CONSTANTS(int K, ..) before its
 *                        parameters the same once more; the proof is for any values of them
 *   THREADS_AT_MOST(n)   of a block that a KERNEL is launched with
 *   REAL(c)              a real constant, rounded to f32
 * and of the host's text
 *   ENTRY, LAUNCHER(op)  a function that other languages call; the name of an op's
 *   LAUNCH(kernel, grid, block, stream, ..)   a launch; the prover reads it in lang/launch_framac.h
 *   LAUNCH_OF(kernel, (constants), grid, block, stream, ..)   the same of an instance of a template
 * A thread body may neither return nor break, and names a thread variable only through AT and REG.
 */
#ifndef PM_LANG_KERNEL_H
#define PM_LANG_KERNEL_H
#include <stdint.h>

typedef int64_t idx;
#define MAXB 1024 /* threads of a block, at most */
#define KMAX 8    /* registers that PRIVATEK gives a thread */
#define IDX_LIM 0x0fffffffffffffff /* elements of a tensor, at most */

#ifdef __FRAMAC__
#include "kernel_framac.h"
#else
/* -------------------------------------------------- nvcc and the simulator */
#ifdef PM_SIM
#include "../sim/sim.h"
#define SHARED(T, s, n) SIM_SHARED(T, s, n)
#define UNROLL
#define UNROLL_BY(n)
#define LAUNCH(kernel, grid, block, stream, ...)                                                   \
  (void)(stream), SIM_LAUNCH(kernel, grid, block, 1, 0, 0, __VA_ARGS__)
#ifdef PM_RACE
#define LAUNCHER(op) pm_race_##op
#else
#define LAUNCHER(op) pm_sim_##op
#endif
#else
#include <cuda_runtime.h>
#define SHARED(T, s, n) __shared__ T s[n]
#define UNROLL _Pragma("unroll")
#define PRAGMA_(text) _Pragma(#text)
#define UNROLL_BY(n) PRAGMA_(unroll n)
#define LAUNCH(kernel, grid, block, stream, ...)                                                   \
  kernel<<<(unsigned)(grid), (unsigned)(block), 0, (cudaStream_t)(stream)>>>(__VA_ARGS__)
#define LAUNCHER(op) pm_cuda_##op
#endif
#define LAUNCH_OF(kernel, constants, grid, block, stream, ...) \
  LAUNCH((kernel<BARE_ constants>), grid, block, stream, __VA_ARGS__)
#define BARE_(...) __VA_ARGS__
#define ENTRY extern "C"

#define KERNEL static __global__
#define DEV static __device__ __forceinline__
#define RESTRICT __restrict__

#define TID_ ((int)threadIdx.x)
#define BDIM ((int)blockDim.x)
#define GSIZE ((idx)gridDim.x * blockDim.x)
#define GRID_THREAD_ ((idx)blockIdx.x * blockDim.x + threadIdx.x)
#define ONCE_ int once_ = 1; once_; once_ = 0

#define EACH_GRID_THREAD(g) for (idx g = GRID_THREAD_, once_ = 1; once_; once_ = 0)
#define GROWS(r, m, n)                                                                             \
  for (idx g_ = GRID_THREAD_, r = g_ / (n), once_ = 1; once_ && r < (m); once_ = 0)
#define GCOLS(c, n) for (idx c = g_ % (n), oncec_ = 1; oncec_; oncec_ = 0)
#define GPLANES(p, n, per)                                                                         \
  for (idx block_ = blockIdx.x % (per), p = blockIdx.x / (per), oncep_ = 1; oncep_ && p < (n);     \
       oncep_ = 0)
#define PLANE_FN , idx block_
#define IN_PLANE , block_
#define GTILE_ROWS(i, m, n, h, w)                                                                  \
  for (idx across_ = ((n) + (w)-1) / (w), i = block_ / across_ * (h) + TID_ / (w), once_ = 1;      \
       once_ && i < (m); once_ = 0)
#define GTILE_COLS(j, n, w)                                                                        \
  for (idx j = block_ % across_ * (w) + TID_ % (w), oncej_ = 1; oncej_ && j < (n); oncej_ = 0)
#define PROWS(i, m, n) for (idx i = block_ / (n), onceb_ = 1; onceb_ && i < (m); onceb_ = 0)
#define PCOLS(j, n) for (idx j = block_ % (n), oncej_ = 1; oncej_; oncej_ = 0)
#define BROWS(i, m, n)                                                                             \
  for (idx b_ = blockIdx.x, i = b_ / (n), onceb_ = 1; onceb_ && i < (m); onceb_ = 0)
#define BCOLS(j, n) for (idx j = b_ % (n), oncej_ = 1; oncej_; oncej_ = 0)
#define EACH_THREAD(t) for ([[maybe_unused]] int t = TID_, once_ = 1; once_; once_ = 0)
#define PHASE(t) for ([[maybe_unused]] int t = TID_, once_ = 1; once_; once_ = 0, __syncthreads())
#define THREAD_ROWS(y, h, w)                                                                         \
  UNROLL for (int y = TID_ / (w); y < (h); y += BDIM / (w))
#define PHASE_ROWS(y, h, w) for (ONCE_, __syncthreads()) THREAD_ROWS(y, h, w)
#define THREAD_COLS(x, w) for (int x = TID_ % (w), oncex_ = 1; oncex_; oncex_ = 0)
#define PHASE_FN
#define IN_PHASE
/* which block, thread and phase runs: for Frama-C alone, and there where owned.h is read */
#define EACH_OWNER(t) EACH_THREAD(t)
#define PHASE_OF(t, own) PHASE(t)
#define IN_PHASE_OF(t) IN_PHASE
#define THREAD_FN
#define IN_THREAD
#define IN_THREAD_OF(t)
#define IN_GRID_THREAD(g)
#define IN_GRID(r, c)
#define BLOCK_FN
#define IN_BLOCK
#define IN_BLOCK_OF(i)
#define IN_ONE_BLOCK

#define PRIVATE(T, v) T v
#define PER_THREAD(T, v) T &v
#define AT(v, t) ((void)(t), v)
#define PRIVATEK(T, v) T v[KMAX]
#define PER_THREADK(T, v) T(&v)[KMAX]
#define REG(v, j, k0, t) v[(void)(k0), (void)(t), j]
#define GHOST_PARAMS(...)
#define GHOST_ARGS(...)
#define TEMPLATE(...) template <__VA_ARGS__>
#define CONSTANTS(...)
#define THREADS_AT_MOST(n) __launch_bounds__(n)
#define SHFL_XOR(d, v, m) (d) = __shfl_xor_sync(0xffffffffu, v, m)
#define UNIFORM(v) (v)
#define REAL(c) ((float)(c))

DEV float LD(const float *p) { return *p; }
DEV void ST(float *p, float v) { *p = v; }
DEV float LDG(const float *p) { return *p; }
DEV void STG(float *p, float v) { *p = v; }
DEV float4 LD4(const float *p) { return *(const float4 *)p; }
/* One store: assignment may become four, where there are branches in what makes the parts. */
DEV void ST4(float *p, float4 v) { __stwb((float4 *)p, v); }
DEV void STS4(float *p, float4 v) { *(float4 *)p = v; }
DEV float4 load4_streaming(const float *p) { return __ldcs((const float4 *)p); }
DEV void store4_streaming(float *p, float4 v) { __stcs((float4 *)p, v); }
DEV idx LDI(const idx *p) { return *p; }
#endif

/* Offset of (i, j) in an (m, n) matrix. */
/*@ requires 0 <= i < m && 0 <= j < n && ix(m,n,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result == ix(i,n,j); */
DEV idx at2(idx m, idx n, idx i, idx j)
{
  (void)m;
  //@ assert 0 <= ix(i,n,0) <= ix(i,n,j) < ix(m,n,0) && i * n == ix(i,n,0);
  return i * n + j;
}

/*@ assigns \nothing;
    ensures \result.x == a.x + b.x && \result.y == a.y + b.y;
    ensures \result.z == a.z + b.z && \result.w == a.w + b.w; */
DEV float4 plus4(float4 a, float4 b)
{
  float4 c = {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
  return c;
}
#endif
