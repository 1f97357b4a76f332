/* What layer_norm and rms_norm take and leave, whichever variant runs: the tensors of a launch, a row of
 * y, and all rows with their statistics. */
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
    logic integer if_there(integer there, integer n) = there == 0 ? 0 : n;
    predicate norm_done{L0,L}(float *y, integer centered, integer affine, float *x, float *gamma,
                              float *beta, real m, real r, integer from, integer to) =
      \forall integer c; from <= c < to ==>
        \at(y[c],L) == NormOne{L0}(centered,affine,x,gamma,beta,m,r,c); */

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
      apart(beta,if_there(centered,cols),s,n);
    // all tensors of a launch
    predicate norm_all{L}(integer centered, integer affine, integer aligned, integer rows,
                          integer cols, float *x, float *gamma, float *beta, float *y, float *mean,
                          float *rstd) =
      norm_tensors(centered,affine,aligned,rows,cols,x,gamma,beta,y) &&
      norm_apart(centered,affine,rows,cols,x,gamma,beta,y) &&
      writes(mean,if_there(centered,rows)) && writes(rstd,rows) &&
      stats_apart(centered,affine,rows,cols,x,gamma,beta,rstd,rows) &&
      stats_apart(centered,affine,rows,cols,x,gamma,beta,mean,if_there(centered,rows)) &&
      apart(y,ix(rows,cols,0),rstd,rows) &&
      apart(y,ix(rows,cols,0),mean,if_there(centered,rows)) &&
      apart(rstd,rows,mean,if_there(centered,rows)); */

/*@ // row r of y, and rows 0 .. n-1 of what is written
    predicate normed_at{L0,L}(integer centered, integer affine, float *x, float *gamma, float *beta,
                              float *y, integer cols, real eps, integer r) =
      \forall integer c; 0 <= c < cols ==> \at(y[ix(r,cols,c)],L) ==
        Normed{L0}(centered,affine,x+ix(r,cols,0),gamma,beta,cols,eps,c);
    predicate normed_rows{L0,L}(integer centered, integer affine, float *x, float *gamma,
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
