/* Vectorised LDS/STS: vectors of four floats in shared memory, 16-byte aligned.
 *   SHARED_VEC4(s, n)       n of them, uninitialised: quad q is s[4q .. 4q+3]
 *   LD_SHARED4(p), ST_SHARED4(p, v) load and store of one; in a PHASE only, as LD and ST */
#ifndef PM_LANG_SHARED_VEC4_H
#define PM_LANG_SHARED_VEC4_H
#include "kernel.h"

#ifdef __FRAMAC__
#define SHARED_VEC4(s, n) \
  float s[4 * (n)];       \
  share_quads_(s, n)
#define LD_SHARED4(p) ldq_(p, ph_)
#define ST_SHARED4(p, v) stq_(p, v, ph_)
/*@ assigns \nothing; ensures perm(s,4*n) && aligned16(s); */
void share_quads_(float *s, int n);
/*@ requires \valid_read(p + (0 .. 3)) && aligned16(p);
    requires R(p) && R(p+1) && R(p+2) && R(p+3);
    assigns \nothing;
    ensures \result.x == p[0] && \result.y == p[1] && \result.z == p[2] && \result.w == p[3]; */
float4 ldq_(const float *p, int ph_);
/*@ requires \valid(p + (0 .. 3)) && aligned16(p);
    requires W(p) && W(p+1) && W(p+2) && W(p+3);
    assigns p[0 .. 3];
    ensures p[0] == v.x && p[1] == v.y && p[2] == v.z && p[3] == v.w; */
void stq_(float *p, float4 v, int ph_);
#else
#define SHARED_VEC4(s, n)          \
  SHARED(float4, quads_of_##s, n); \
  float *const s = &quads_of_##s[0].x
#define LD_SHARED4(p) LD4(p)
#define ST_SHARED4(p, v) STS4(p, v)
#endif
#endif
