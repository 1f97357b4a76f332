/* cp.async: dynamic shared memory, and asynchronous copies into it; cells of it that belong to
 * one thread each. Three readings, as in kernel.h, of which Frama-C has the cells alone.
 *
 *   LAUNCH_SHARED(kernel, grid, block, bytes, stream, ...)   LAUNCH with dynamic shared memory
 *   DYNAMIC(T, s)      T *s: that memory
 *   copy_async(d, p)   *d = *p for a shared d, done after copy_wait() of this thread
 *   copy_async4(d, p)  the same for four floats, 16-byte aligned both
 *   copy_send()        what this thread fetched since the last is a group
 *   copy_wait_but<N>() waits for this thread's groups but the N that were sent last
 *   REGISTERS_AT_MOST(n)     that a thread of a KERNEL has
 *
 *   LAUNCH_CELLS(arrays, ...)   LAUNCH of a kernel that has that many arrays of cells, which are
 *                      all its dynamic shared memory
 *   CELL_ARRAYS;       comes before
 *   CELLS(v, a)        array a: KMAX cells of four floats for each thread; CELLS_PARAM(v) as a
 *                      parameter
 *   CELL_FETCH4(v, p, j, j0, t)      cell j = the four floats at p, 16-byte aligned, and
 *   CELL_FETCH1(v, i, p, j, j0, t)   element i of it = *p, once copy_wait() is over;
 *                               j0 == mul(j, BDIM)
 *   CELL_BLANK4(v, j, j0, t), CELL_BLANK1(v, i, j, j0, t)      = 0
 *   CELL_TAKE(v, j, j0, t)  cell j, where copy_wait() came after all of the block's FETCHes
 *   PLAIN_CELLS(v, a), PLAIN_CELLS_PARAM(v)    the same for what is not fetched:
 *   PLAIN_STORE(v, u, j, j0, t), PLAIN_LOAD(v, j, j0, t)   cell j = u, and the cell
 * No thread can name another's cell, so they are registers as PRIVATEK's are. */
#ifndef PM_LANG_ASYNC_COPY_H
#define PM_LANG_ASYNC_COPY_H
#include "kernel.h"

#ifdef __FRAMAC__
typedef struct {
  float x, y, z, w;
} cell_;
extern int pending_; /* whether copies may be on their way */
#define REGISTERS_AT_MOST(n)
#define CELL_ARRAYS
#define CELLS(v, a) cell_ v[KMAX * MAXB], array_##a /* which a scope names once */
#define CELLS_PARAM(v) cell_ *v
#define PLAIN_CELLS(v, a) float4 v[KMAX * MAXB], array_##a
#define PLAIN_CELLS_PARAM(v) float4 *v
#define PLAIN_STORE(v, u, j, j0, t) v[reg_(j, j0) + (t)] = (u)
#define PLAIN_LOAD(v, j, j0, t) v[reg_(j, j0) + (t)]
#define CELL_FETCH4(v, p, j, j0, t) fetch4_(v + reg_(j, j0) + (t), p)
#define CELL_FETCH1(v, i, p, j, j0, t) fetch1_(v + reg_(j, j0) + (t), i, p)
#define CELL_BLANK4(v, j, j0, t) blank4_(v + reg_(j, j0) + (t))
#define CELL_BLANK1(v, i, j, j0, t) blank1_(v + reg_(j, j0) + (t), i)
#define CELL_TAKE(v, j, j0, t) take_(v + reg_(j, j0) + (t))
/*@ requires \valid(d) && \valid_read(p + (0 .. 3)) && aligned16(p);
    requires R(p) && R(p+1) && R(p+2) && R(p+3);
    assigns *d, pending_;
    ensures pending_ == 1; */
void fetch4_(cell_ *d, const float *p);
/*@ requires \valid(d) && 0 <= i < 4 && \valid_read(p) && R(p);
    assigns *d, pending_;
    ensures pending_ == 1; */
void fetch1_(cell_ *d, int i, const float *p);
/*@ requires \valid(d); assigns *d; */
void blank4_(cell_ *d);
/*@ requires \valid(d) && 0 <= i < 4; assigns *d; */
void blank1_(cell_ *d, int i);
/*@ assigns pending_; ensures pending_ == 0; */
void copy_wait(void);
/*@ requires \valid_read(c) && pending_ == 0; assigns \nothing; */
float4 take_(const cell_ *c);
#else
#ifdef PM_SIM
#define DYNAMIC(T, s) SIM_DYNAMIC(T, s)
#define REGISTERS_AT_MOST(n)
#define LAUNCH_SHARED(kernel, grid, block, bytes, stream, ...) \
  (void)(stream), SIM_LAUNCH(kernel, grid, block, 1, bytes, 0, __VA_ARGS__)
DEV void copy_async(float *d, const float *p) { *d = *p; }
DEV void copy_async4(float *d, const float *p) { ST4(d, LD4(p)); }
DEV void copy_wait() {}
DEV void copy_send() {}
template <int N> DEV void copy_wait_but() {}
#else
#define REGISTERS_AT_MOST(n) __maxnreg__(n)
/* Aligned as a line of shared memory: a warp's copy_async4 to two halves of lines asks for every
 * sector twice (batch_norm_vjp at 32 x 256 x 3136: 93 us for 104). */
#define DYNAMIC(T, s)                                 \
  extern __shared__ __align__(128) float4 dynamic_[]; \
  T *const s = (T *)dynamic_
#define LAUNCH_SHARED(kernel, grid, block, bytes, stream, ...)                                  \
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)(bytes)),      \
      kernel<<<(unsigned)(grid), (unsigned)(block), (size_t)(bytes), (cudaStream_t)(stream)>>>( \
          __VA_ARGS__)
DEV void copy_async(float *d, const float *p)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(d);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(p) : "memory");
}
DEV void copy_async4(float *d, const float *p)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(d);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(p) : "memory");
}
DEV void copy_wait() { asm volatile("cp.async.wait_all;" ::: "memory"); }
DEV void copy_send() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> DEV void copy_wait_but()
{
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}
#endif
#define LAUNCH_CELLS(arrays, kernel, grid, block, stream, ...) \
  LAUNCH_SHARED(kernel, grid, block, 16 * (arrays)*KMAX * (block), stream, __VA_ARGS__)
#define CELL_ARRAYS DYNAMIC(float4, cells_)
#define CELLS(v, a) float4 *const v = cells_ + (a)*KMAX * BDIM
#define PLAIN_CELLS CELLS
#define PLAIN_CELLS_PARAM CELLS_PARAM
#define PLAIN_STORE(v, u, j, j0, t) STS4(CELL_(v, j, j0, t), u)
#define PLAIN_LOAD CELL_TAKE
#define CELLS_PARAM(v) float4 *v
#define CELL_(v, j, j0, t) (&(v)[(void)(j0), (void)(t), (j)*BDIM + TID_].x)
#define CELL_FETCH4(v, p, j, j0, t) copy_async4(CELL_(v, j, j0, t), p)
#define CELL_FETCH1(v, i, p, j, j0, t) copy_async(CELL_(v, j, j0, t) + (i), p)
#define CELL_BLANK4(v, j, j0, t) STS4(CELL_(v, j, j0, t), make_float4(0.0f, 0.0f, 0.0f, 0.0f))
#define CELL_BLANK1(v, i, j, j0, t) ST(CELL_(v, j, j0, t) + (i), 0.0f)
#define CELL_TAKE(v, j, j0, t) LD4(CELL_(v, j, j0, t))
#endif
#endif
