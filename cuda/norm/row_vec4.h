/* Vectorised output pass: the vectors of a row in registers (team.h): number q of a row of n is
 * elements 4q to 4q+3, 0 outside. */
#ifndef PM_NORM_ROW_VEC4_H
#define PM_NORM_ROW_VEC4_H
#include "contract.h"

/*@ requires 0 <= q <= KMAX*MAXB && 0 <= n <= 4*KMAX*MAXB;
    assigns \nothing;
    ensures \result.x == (4*q < n ? v.x - m : 0.0) && \result.y == (4*q+1 < n ? v.y - m : 0.0);
    ensures \result.z == (4*q+2 < n ? v.z - m : 0.0) && \result.w == (4*q+3 < n ? v.w - m : 0.0); */
DEV float4 norm_minus(int q, int n, float4 v, float m)
{
  int c = 4 * q;
  v.x = c < n ? v.x - m : 0.0f;
  v.y = c + 1 < n ? v.y - m : 0.0f;
  v.z = c + 2 < n ? v.z - m : 0.0f;
  v.w = c + 3 < n ? v.w - m : 0.0f;
  return v;
}

/*@ assigns \nothing;
    ensures \result.x == rmul(rmul(v.x,r),w.x) + (centered == 0 ? 0.0 : b.x);
    ensures \result.y == rmul(rmul(v.y,r),w.y) + (centered == 0 ? 0.0 : b.y);
    ensures \result.z == rmul(rmul(v.z,r),w.z) + (centered == 0 ? 0.0 : b.z);
    ensures \result.w == rmul(rmul(v.w,r),w.w) + (centered == 0 ? 0.0 : b.w); */
DEV float4 norm_scale(int centered, float4 v, float r, float4 w, float4 b)
{
  v.x = v.x * r * w.x;
  v.y = v.y * r * w.y;
  v.z = v.z * r * w.z;
  v.w = v.w * r * w.w;
  return centered ? plus4(v, b) : v;
}

/*@ requires 0 <= q <= KMAX*MAXB && 0 <= n <= 4*KMAX*MAXB && \valid(y + (0 .. n-1));
    requires aligned != 0 ==> aligned16(y) && n % 4 == 0;
    requires \forall integer k; row_W(q,n,k) ==> W(y+k);
    assigns y[4*q .. lesser(4*q+4,n)-1];
    ensures 4*q < n ==> y[4*q] == v.x;
    ensures 4*q+1 < n ==> y[4*q+1] == v.y;
    ensures 4*q+2 < n ==> y[4*q+2] == v.z;
    ensures 4*q+3 < n ==> y[4*q+3] == v.w; */
DEV void norm_store(int q, int n, int aligned, float4 v, float *RESTRICT y)
{
  int c = 4 * q;
  if (aligned && c < n)
    ST4(y + c, v);
  if (!aligned && c < n)
    STG(y + c, v.x);
  if (!aligned && c + 1 < n)
    STG(y + c + 1, v.y);
  if (!aligned && c + 2 < n)
    STG(y + c + 2, v.z);
  if (!aligned && c + 3 < n)
    STG(y + c + 3, v.w);
}

/*@ requires 0 < n;
    assigns \nothing;
    ensures \result == rdiv(total,(real)n); */
DEV float norm_mean(float total, int n) { return total / (float)n; }

/*@ requires 0 < n;
    assigns \nothing;
    ensures \result == InvRoot(rdiv(squares,(real)n), eps); */
DEV float norm_rstd(float squares, int n, float eps)
{
  return 1.0f / pm_sqrtf(squares / (float)n + eps);
}
#endif
