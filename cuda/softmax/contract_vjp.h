/* What the VJPs of softmax, log_softmax and masked_softmax leave, whichever variant runs: row r of dx,
 * and rows 0 .. n-1. op says which of the three it is (op.h); y, g and dx are (rows, cols), and what dx
 * has is added where `adds`. */
#ifndef PM_SOFTMAX_CONTRACT_VJP_H
#define PM_SOFTMAX_CONTRACT_VJP_H
#include "../lang/kernel.h"
#include "op.h"
#include "../../spec/softmax.h"

/*@ logic real RowVjp{L}(integer op, float *y, float *g, integer n, integer c) =
      op == SOFT ? SoftmaxVjp{L}(y,g,n,c) :
      op == LOG ? LogSoftmaxVjp{L}(y,g,n,c) : MaskedSoftmaxVjp{L}(y,g,n,c);
    predicate pulled_at{L0,L}(integer op, integer adds, float *y, float *g, float *dx, integer cols,
                            integer r) =
      \forall integer c; 0 <= c < cols ==>
        \at(dx[ix(r,cols,c)],L) == plus(adds,\at(dx[ix(r,cols,c)],L0),
                                        RowVjp{L0}(op,y+ix(r,cols,0),g+ix(r,cols,0),cols,c));
    predicate pull_rows{L0,L}(integer op, integer adds, float *y, float *g, float *dx, integer cols,
                              integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(dx[ix(r,cols,c)],L) == plus(adds,\at(dx[ix(r,cols,c)],L0),
                                        RowVjp{L0}(op,y+ix(r,cols,0),g+ix(r,cols,0),cols,c)); */
#endif
