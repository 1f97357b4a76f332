/* A matrix product with what models put around it. x is (rows, in), w (out, in), b (out), and
 * g (rows, out) the cotangent of y = x w' + b. */
#ifndef SPEC_LINEAR_H
#define SPEC_LINEAR_H
#include "matmul.h"
#include "reduce.h"
/*@ logic real Linear{L}(scalar *x, scalar *w, scalar *b,
                         integer rows, integer in, integer out, integer r, integer o) =
      MatMul{L}(0,1,1.0,x,w,rows,in,out,r,o) + b[o];
    // the cotangents of x and w; that of b is ColSum
    logic real LinearDx{L}(scalar *g, scalar *w,
                           integer rows, integer in, integer out, integer r, integer i) =
      MatMulVjpA{L}(1,1.0,g,w,rows,in,out,r,i);
    logic real LinearDw{L}(scalar *x, scalar *g,
                           integer rows, integer in, integer out, integer o, integer i) =
      MatMulVjpB{L}(0,1.0,x,g,rows,in,out,i,o);
*/
#endif
