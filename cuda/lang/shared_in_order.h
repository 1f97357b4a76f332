/* Shared memory at the place in the program where it stands: the compiler moves neither of these.
 *
 *   load4_in_order(p), store_in_order(p, v)
 * The prover has no reading of them: kernels that use them are checked, not proven. */
#ifndef PM_LANG_SHARED_IN_ORDER_H
#define PM_LANG_SHARED_IN_ORDER_H
#include "kernel.h"

#ifdef PM_SIM
DEV float4 load4_in_order(const float *p) { return LD4(p); }
DEV void store_in_order(float *p, float v) { ST(p, v); }
#else
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
#endif
#endif
