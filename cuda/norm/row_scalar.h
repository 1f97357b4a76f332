/* Scalar output pass over a row that is read again: stream.cu, and where rows are split. */
#ifndef PM_NORM_ROW_SCALAR_H
#define PM_NORM_ROW_SCALAR_H
#include "row.h"

/*@ assigns \nothing; ensures \result == NormTerm(squares,d); */
DEV float norm_one(int squares, float d) { return squares ? d * d : d; }

/* Element c of a row of y. */
/*@ requires 0 <= c < n && reads(x,n) && (affine != 0 ==> reads(gamma,n));
    requires centered != 0 ==> reads(beta,n);
    assigns \nothing;
    ensures \result == NormOne(centered,affine,x,gamma,beta,s.mean,s.rstd,c); */
DEV float row_one(int centered, int affine, idx c, norm_stats s, const float *RESTRICT x,
                  const float *RESTRICT gamma, const float *RESTRICT beta GHOST_PARAMS(idx n))
{
  float v = (LDG(x + c) - s.mean) * s.rstd;
  //@ assert v == Hat(x[c],s.mean,s.rstd);
  float w = affine ? LDG(gamma + c) : 1.0f, b = centered ? LDG(beta + c) : 0.0f;
  //@ assert w == Either(gamma,affine,1.0,c);
  //@ assert b == Either(beta,centered,0.0,c);
  v = v * w;
  //@ assert v == rmul(Hat(x[c],s.mean,s.rstd), Either(gamma,affine,1.0,c));
  return centered ? v + b : v;
}

/*@ requires 0 < n;
    assigns \nothing;
    ensures \result == rdiv(total,(real)n); */
DEV float row_mean(float total, idx n) { return total / (float)n; }

/*@ requires 0 < n;
    assigns \nothing;
    ensures \result == InvRoot(rdiv(squares,(real)n), eps); */
DEV float row_rstd(float squares, idx n, float eps)
{
  return 1.0f / pm_sqrtf(squares / (float)n + eps);
}
#endif
