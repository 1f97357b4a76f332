/* What layer_norm and rms_norm (centered 1 and 0) take and leave, whichever variant runs: the tensors
 * of a launch, and of rows 0 .. n-1 what is written. x and y are (rows, cols), gamma and beta (cols),
 * mean and rstd (rows). */
#ifndef PM_NORM_CONTRACT_H
#define PM_NORM_CONTRACT_H
#include "../lang/kernel.h"
#include "../math/elementary.h"
#include "../row/centered.h"
#include "../row/regs.h"

/*@ // element c of a row of y, of which m and r are known
    logic real NormOne{L}(integer centered, integer affine, float *x, float *gamma, float *beta,
                          real m, real r, integer c) =
      rmul(Hat(x[c],m,r), Either(gamma,affine,1.0,c)) + Either(beta,centered,0.0,c);
    // of a tensor that may be absent
    logic integer if_there(integer there, integer n) = there == 0 ? 0 : n; */

/*@ predicate norm_tensors{L}(integer centered, integer affine, integer aligned, integer rows,
                              integer cols, float *x, float *gamma, float *beta, float *y) =
      reads(x,ix(rows,cols,0)) && writes(y,ix(rows,cols,0)) &&
      reads(gamma,if_there(affine,cols)) && reads(beta,if_there(centered,cols)) &&
      (aligned != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(y) &&
        (affine != 0 ==> aligned16(gamma)) && (centered != 0 ==> aligned16(beta)));
    predicate norm_apart{L}(integer centered, integer affine, integer rows, integer cols, float *x,
                            float *gamma, float *beta, float *y) =
      apart(x,ix(rows,cols,0),y,ix(rows,cols,0)) &&
      apart(gamma,if_there(affine,cols),y,ix(rows,cols,0)) &&
      apart(beta,if_there(centered,cols),y,ix(rows,cols,0));
    predicate stats_apart{L}(integer centered, integer affine, integer rows, integer cols,
                             float *x, float *gamma, float *beta, float *s, integer n) =
      apart(x,ix(rows,cols,0),s,n) && apart(gamma,if_there(affine,cols),s,n) &&
      apart(beta,if_there(centered,cols),s,n); */

/*@ predicate normed_rows{L0,L}(integer centered, integer affine, float *x, float *gamma,
                                float *beta, float *y, integer cols, real eps, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==> \at(y[ix(r,cols,c)],L) ==
        Normed{L0}(centered,affine,x+ix(r,cols,0),gamma,beta,cols,eps,c);
    predicate mean_rows{L0,L}(float *x, float *mean, integer cols, integer n) =
      \forall integer r; 0 <= r < n ==> \at(mean[r],L) == Mean{L0}(x+ix(r,cols,0),cols);
    predicate rstd_rows{L0,L}(integer centered, float *x, float *rstd, integer cols, real eps,
                              integer n) =
      \forall integer r; 0 <= r < n ==>
        \at(rstd[r],L) == Rstd{L0}(x+ix(r,cols,0),centered,cols,eps); */
#endif
