/* prefetch_l2(p): the line of memory that holds *p is asked for ahead, into the L2. */
#ifndef PM_LANG_L2_PREFETCH_H
#define PM_LANG_L2_PREFETCH_H
#include "kernel.h"

#ifdef __FRAMAC__
#define prefetch_l2(p) (void)(p) /* a hint to the caches means nothing here */
#elif defined(PM_SIM)
DEV void prefetch_l2(const float *) {}
#else
DEV void prefetch_l2(const float *p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); }
#endif
#endif
