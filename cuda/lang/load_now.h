/* Global loads that are made where they stand, also where the value is not needed until later. Three
 * readings, as in kernel.h.
 *   ask(p), ask_index(p)   *p, a float or an index */
#ifndef PM_LANG_LOAD_NOW_H
#define PM_LANG_LOAD_NOW_H
#include "kernel.h"

#ifdef __FRAMAC__
#define ask LDG
#define ask_index LDI
#elif defined PM_SIM
DEV float ask(const float *p) { return *p; }
DEV idx ask_index(const idx *p) { return *p; }
#else
DEV float ask(const float *p)
{
  float v;
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p));
  return v;
}
DEV idx ask_index(const idx *p)
{
  idx v;
  asm volatile("ld.global.nc.b64 %0, [%1];" : "=l"(v) : "l"(p));
  return v;
}
#endif
#endif
