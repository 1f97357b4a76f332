/* Global accesses of what is not needed again soon: it leaves the caches first. */
#ifndef PM_LANG_STREAMING_H
#define PM_LANG_STREAMING_H
#include "kernel.h"

#ifdef __FRAMAC__ /* a hint means nothing here */
#define load_once LDG
#define store_once STG
#else
DEV float load_once(const float *p) { return __ldcs(p); }
DEV void store_once(float *p, float v) { __stcs(p, v); }
#endif
#endif
