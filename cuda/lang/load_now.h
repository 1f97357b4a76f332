/* ld.global.nc that the compiler may not sink: global loads that are made where they stand, also
 * where the value is not needed until later. Three readings, as in kernel.h.
 *   load_now(p), load_now_index(p)   *p, a float or an index */
#ifndef PM_LANG_LOAD_NOW_H
#define PM_LANG_LOAD_NOW_H
#include "kernel.h"

#ifdef __FRAMAC__
#define load_now LDG
#define load_now_index LDI
#elif defined PM_SIM
DEV float load_now(const float *p) { return *p; }
DEV idx load_now_index(const idx *p) { return *p; }
#else
DEV float load_now(const float *p)
{
  float v;
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p));
  return v;
}
DEV idx load_now_index(const idx *p)
{
  idx v;
  asm volatile("ld.global.nc.b64 %0, [%1];" : "=l"(v) : "l"(p));
  return v;
}
#endif
#endif
