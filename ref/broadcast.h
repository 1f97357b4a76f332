/* broadcast_to, its VJP and error bound. */
#ifndef REF_BROADCAST_H
#define REF_BROADCAST_H
#include "walk.h"
#include "pair.h"
#include "../spec/broadcast.h"

/*@ predicate BroadcastShapes{L}(idx *x_shape, integer x_rank, idx *shape, integer rank) =
      Shape(x_shape,x_rank) && Shape(shape,rank) && rank <= MAX_RANK &&
      Broadcasts(x_shape,x_rank,shape,rank) &&
      0 <= Count(x_shape,x_rank) <= IDX_LIM && 0 <= Count(shape,rank) <= IDX_LIM;
*/

/* x: x_shape, y: shape. y is x, repeated along each dim that x has not, or has with size 1. */
/*@ requires BroadcastShapes(x_shape,x_rank,shape,rank);
    requires In1(x,Count(x_shape,x_rank)) && Out1(y,Count(shape,rank));
    requires Sep(y,Count(shape,rank),x,Count(x_shape,x_rank));
    terminates \true;
    assigns y[0 .. Count(shape,rank)-1];
    ensures \forall integer k; 0 <= k < Count{Pre}(shape,rank) ==>
      y[k] == rd{Pre}(x,BroadcastFrom{Pre}(x_shape,x_rank,shape,rank,k,x_rank));
*/
void ref_broadcast_to(idx x_rank, const idx *x_shape, idx rank, const idx *shape, const double *x,
                      double *y);

/* g: shape, dx: x_shape. dx[j] = sum of g over the elements of y that are x[j]. */
/*@ requires BroadcastShapes(x_shape,x_rank,shape,rank);
    requires In1(g,Count(shape,rank)) && Out1(dx,Count(x_shape,x_rank));
    requires Sep(dx,Count(x_shape,x_rank),g,Count(shape,rank));
    terminates \true;
    assigns dx[0 .. Count(x_shape,x_rank)-1];
    ensures \forall integer j; 0 <= j < Count{Pre}(x_shape,x_rank) ==> dx[j] ==
      BroadcastSum{Pre}(0,x_shape,x_rank,shape,rank,g,j,Count{Pre}(shape,rank));
*/
void ref_broadcast_to_vjp(idx x_rank, const idx *x_shape, idx rank, const idx *shape,
                          const double *g, double *dx);

/* g: shape, e_dx: x_shape, for a summation tree of height A.h. The error of a sum depends on its
 * terms through their magnitudes alone. */
/*@ requires BroadcastShapes(x_shape,x_rank,shape,rank);
    requires In1(g,Count(shape,rank)) && Out1(e_dx,Count(x_shape,x_rank));
    requires Sep(e_dx,Count(x_shape,x_rank),g,Count(shape,rank));
    terminates \true;
    assigns e_dx[0 .. Count(x_shape,x_rank)-1];
    ensures \forall integer j; 0 <= j < Count{Pre}(x_shape,x_rank) ==> e_dx[j] ==
      p_sum(A, BroadcastSum{Pre}(1,x_shape,x_rank,shape,rank,g,j,Count{Pre}(shape,rank)),
               BroadcastSum{Pre}(1,x_shape,x_rank,shape,rank,g,j,Count{Pre}(shape,rank)), 0.0,
            A.h).e;
*/
void bound_broadcast_to_vjp(idx x_rank, const idx *x_shape, idx rank, const idx *shape,
                            const double *g, arith A, double *e_dx);
#endif
