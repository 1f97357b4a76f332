/* cp.async commit groups of any number, for a ring of stages that threads fill for one another: a
 * barrier stands between the wait and the first read.
 *
 *   copy_send()          what this thread fetched since the last is a group
 *   copy_wait_but<N>()   waits for this thread's groups but the N that were sent last
 *   load4_in_order(p), store_in_order(p, v)   shared memory, at the place in the program where it
 *                        stands: the compiler moves neither
 *   fma_nearest(a, b, c)     a b + c rounded once
 * The prover has no reading of these: kernels that use them are checked, not proven. */
#ifndef PM_LANG_COPY_GROUP_H
#define PM_LANG_COPY_GROUP_H
#include "async_copy.h"

#ifdef PM_SIM
#include <math.h>
DEV void copy_send() {}
template <int N> DEV void copy_wait_but() {}
DEV float4 load4_in_order(const float *p) { return LD4(p); }
DEV void store_in_order(float *p, float v) { ST(p, v); }
DEV float fma_nearest(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#else
DEV void copy_send() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> DEV void copy_wait_but()
{
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}
DEV float4 load4_in_order(const float *p)
{
  float4 v;
  unsigned at = (unsigned)__cvta_generic_to_shared(p);
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "r"(at));
  return v;
}
DEV void store_in_order(float *p, float v)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(p);
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(v) : "memory");
}
DEV float fma_nearest(float a, float b, float c) { return __fmaf_rn(a, b, c); }
#endif
#endif
