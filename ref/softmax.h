/* Softmax along the rows of a (rows, cols) matrix, its VJP, and their error bounds. */
#ifndef REF_SOFTMAX_H
#define REF_SOFTMAX_H
#include "ref.h"
#include "pair.h"
#include "../spec/softmax.h"

/* x, y: (rows, cols). y[r,c] = exp(x[r,c] - m) / sum over k of exp(x[r,k] - m), m the largest
 * element of row r. */
/*@ requires In2(x,rows,cols) && Out2(y,rows,cols);
    requires Sep(y,ix(rows,cols,0),x,ix(rows,cols,0));
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      y[ix(r,cols,c)] == Softmax{Pre}(x+ix(r,cols,0),cols,c);
*/
void ref_softmax(idx rows, idx cols, const double *x, double *y);

/* y, g, dx: (rows, cols), y the softmax of x, g the cotangent of y, dx that of x. */
/*@ requires In2(y,rows,cols) && In2(g,rows,cols) && Out2(dx,rows,cols);
    requires Sep(dx,ix(rows,cols,0),y,ix(rows,cols,0));
    requires Sep(dx,ix(rows,cols,0),g,ix(rows,cols,0));
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      dx[ix(r,cols,c)] == SoftmaxVjp{Pre}(y+ix(r,cols,0),g+ix(r,cols,0),cols,c);
*/
void ref_softmax_vjp(idx rows, idx cols, const double *y, const double *g, double *dx);

void bound_softmax(idx rows, idx cols, const double *x, const arith *ar, double *e_y);
void bound_softmax_vjp(idx rows, idx cols, const double *y, const double *g, const arith *ar,
                       double *e_dx);
#endif
