/* Cache hints, which say to the L1 and L2 what is needed again. To the prover and the simulator
 * each is the plain access.
 *   load_streaming(p), store_streaming(p, v)   one float that is not needed again soon: it leaves
 *       first
 *                                  (load4_streaming and store4_streaming of kernel.h are of four)
 *   load4_row(aligned, p)   LD4(p); where `aligned` is EVICT_LAST, the L2 is told to give up its
 *                           line last
 *   prefetch_l2(p)          the line of memory that holds *p is asked for ahead, into the L2
 * EVICT_LAST is for rows of tensors well above the L2, which streaming through it cannot keep.
 * The line itself is of no use there, but what is written leaves sooner beside it: norms and
 * VJPs of softmax take 2 to 4 % less time so, also in a row of such kernels.
 * docs/results/evict_last.cu has what it costs others. */
#ifndef PM_LANG_CACHE_HINTS_H
#define PM_LANG_CACHE_HINTS_H
#include "kernel.h"

#ifdef __FRAMAC__
#define load_streaming LDG
#define store_streaming STG
#define load4_row(aligned, p) LD4(p)
#define prefetch_l2(p) (void)(p)
#else
DEV float load_streaming(const float *p) { return __ldcs(p); }
DEV void store_streaming(float *p, float v) { __stcs(p, v); }

enum { EVICT_LAST = 2 };
#ifdef PM_SIM
enum { EVICT_LAST_BYTES = 1 << 14 }; /* so that tests come to these instances */
#define load4_row(aligned, p) LD4(p)
DEV void prefetch_l2(const float *) {}
#else
enum { EVICT_LAST_BYTES = 120 << 20 }; /* two of the L2 of an H200 */
DEV void prefetch_l2(const float *p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); }
DEV float4 load4_row(int aligned, const float *p)
{
  if (aligned != EVICT_LAST)
    return LD4(p);
  float4 v;
  uint64_t policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("ld.global.L2::cache_hint.v4.f32 {%0,%1,%2,%3}, [%4], %5;"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(p), "l"(policy));
  return v;
}
#endif

/* EVICT_LAST in place of vec, where the vectors of a tensor (rows, cols) are to be loaded so. */
static inline int rows_evict_last(int vec, int64_t rows, int64_t cols)
{
  return vec && rows * cols >= EVICT_LAST_BYTES / 4 ? EVICT_LAST : vec;
}
#endif
#endif
