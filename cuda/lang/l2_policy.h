/* Rows of tensors well above the L2, which streaming through it cannot keep: load4_row(aligned, p) is a
 * vector of one, LD4(p). Where `aligned` is EVICT_LAST, the L2 is told to give up its line last. The line itself
 * is of no use there, but what is written leaves sooner beside it: norms and VJPs of softmax take 2 to 4 %
 * less time so, also in a row of such kernels. docs/results/evict_last.cu has what it costs others. */
#ifndef PM_LANG_L2_POLICY_H
#define PM_LANG_L2_POLICY_H
#include "kernel.h"

#if defined(__FRAMAC__) || defined(PM_SIM)
#define load4_row(aligned, p) LD4(p) /* a hint to the caches means nothing here */
#endif

#ifndef __FRAMAC__
enum { EVICT_LAST = 2 };
#ifdef PM_SIM
enum { EVICT_LAST_BYTES = 1 << 14 }; /* so that tests come to these instances */
#else
enum { EVICT_LAST_BYTES = 120 << 20 }; /* two of the L2 of an H200 */
#endif

/* EVICT_LAST in place of vec, where the vectors of a tensor (rows, cols) are to be loaded so. */
static inline int rows_evict_last(int vec, int64_t rows, int64_t cols)
{
  return vec && rows * cols >= EVICT_LAST_BYTES / 4 ? EVICT_LAST : vec;
}

#ifndef PM_SIM
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
#endif
#endif
