/* Global accesses of what is not needed again soon: it leaves the caches first. */
#ifndef PM_LANG_STREAMING_H
#define PM_LANG_STREAMING_H
#include "kernel.h"

#ifdef __FRAMAC__ /* a hint means nothing here */
#define load_streaming LDG
#define store_streaming STG
#else
DEV float load_streaming(const float *p) { return __ldcs(p); }
DEV void store_streaming(float *p, float v) { __stcs(p, v); }
#endif
#endif
