/* y = x w' + b, x (rows, in), w (out, in), b (out). The cotangents of x and w are those of the
 * product, MatMulVjpA and MatMulVjpB; that of b is ColSum. */
#ifndef SPEC_LINEAR_H
#define SPEC_LINEAR_H
#include "matmul.h"
#include "reduce.h"
/*@ logic real Linear{L}(scalar *x, scalar *w, scalar *b,
                         integer rows, integer in, integer out, integer r, integer o) =
      MatMul{L}(0,1,1.0,x,w,rows,in,out,r,o) + b[o];
*/
#endif
