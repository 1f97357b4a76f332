/* What the ops of this family leave, whichever variant runs: element c of a row of y, a row of a
 * tensor of rows, and its first n rows. softmax and log_softmax are one text (logs), and so are
 * their VJPs and that of masked_softmax (op.h). */
#ifndef PM_SOFTMAX_CONTRACT_H
#define PM_SOFTMAX_CONTRACT_H
#include "../lse/soft_one.h"
#include "op.h"

/*@ predicate soft_at{L0,L}(integer logs, float *x, float *y, integer cols, integer r) =
      \forall integer c; 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L) == SoftOne{L0}(logs,x+ix(r,cols,0),cols,c);
    predicate soft_rows{L0,L}(integer logs, float *x, float *y, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L) == SoftOne{L0}(logs,x+ix(r,cols,0),cols,c); */

/*@ // under a mask b, which is 0 where an element is open
    predicate masked_at{L0,L}(float *x, float *b, float *y, integer cols, integer r) =
      \forall integer c; 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L) == MaskedSoftmax{L0}(x+ix(r,cols,0),b+ix(r,cols,0),cols,c);
    predicate masked_rows{L0,L}(float *x, float *b, float *y, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L) == MaskedSoftmax{L0}(x+ix(r,cols,0),b+ix(r,cols,0),cols,c); */

/*@ // the VJP: added to what dx has where `adds`
    logic real RowVjp{L}(integer op, float *y, float *g, integer n, integer c) =
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
