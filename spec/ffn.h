/* y = gelu(h w1) w2, the two layers of a transformer's block: h (rows, in), w1 (in, hidden),
 * w2 (hidden, out). u = h w1 and a = gelu(u) are kept for the VJP, as the norms keep mean and rstd.
 * The cotangent of w2 is MatMulVjpB, that of a product of a and w2. */
#ifndef SPEC_FFN_H
#define SPEC_FFN_H
#include "activation.h"
#include "matmul.h"
/*@ // a at (r,q), and the sum over q < p of a[r,q] w2[q,o]
    logic real FfnHidden{L}(scalar *h, scalar *w1, integer rows, integer in, integer hidden,
                            integer r, integer q) =
      Gelu(MatMul{L}(0,0,1.0,h,w1,rows,in,hidden,r,q));
    logic real FfnSum{L}(scalar *h, scalar *w1, scalar *w2, integer rows, integer in,
                         integer hidden, integer out, integer r, integer o, integer p) =
      p <= 0 ? 0.0 : FfnSum{L}(h,w1,w2,rows,in,hidden,out,r,o,p-1) +
                     rmul(FfnHidden{L}(h,w1,rows,in,hidden,r,p-1), w2[ix(p-1,out,o)]);
    logic real Ffn{L}(scalar *h, scalar *w1, scalar *w2, integer rows, integer in, integer hidden,
                      integer out, integer r, integer o) =
      FfnSum{L}(h,w1,w2,rows,in,hidden,out,r,o,hidden);

    // du at (r,q), the cotangent of u: that of a, which is g w2', times gelu'(u)
    logic real FfnDu{L}(scalar *w2, scalar *u, scalar *g, integer rows, integer hidden,
                        integer out, integer r, integer q) =
      GeluVjp(u[ix(r,hidden,q)], MatMulVjpA{L}(0,1.0,g,w2,rows,hidden,out,r,q));
    // dh = du w1' where t is 0, else dw1' = du' h: the sum over p' < p of D[i,p'] B[p',j], where D
    // is du or its transpose, and B, stored in b, is w1' or h
    logic real FfnDuT{L}(integer t, scalar *w2, scalar *u, scalar *g, integer rows, integer hidden,
                         integer out, integer i, integer p) =
      t != 0 ? FfnDu{L}(w2,u,g,rows,hidden,out,p,i) : FfnDu{L}(w2,u,g,rows,hidden,out,i,p);
    logic integer FfnInner(integer t, integer rows, integer hidden) = t != 0 ? rows : hidden;
    logic real FfnBack{L}(integer t, scalar *w2, scalar *u, scalar *g, scalar *b, integer rows,
                          integer in, integer hidden, integer out, integer i, integer j,
                          integer p) =
      p <= 0 ? 0.0 : FfnBack{L}(t,w2,u,g,b,rows,in,hidden,out,i,j,p-1) +
                     rmul(FfnDuT{L}(t,w2,u,g,rows,hidden,out,i,p-1),
                          b[ixt(flip(t),FfnInner(t,rows,hidden),in,p-1,j)]);
    logic real FfnDh{L}(scalar *w1, scalar *w2, scalar *u, scalar *g, integer rows, integer in,
                        integer hidden, integer out, integer r, integer i) =
      FfnBack{L}(0,w2,u,g,w1,rows,in,hidden,out,r,i,hidden);
    logic real FfnDw1{L}(scalar *h, scalar *w2, scalar *u, scalar *g, integer rows, integer in,
                         integer hidden, integer out, integer i, integer q) =
      FfnBack{L}(1,w2,u,g,h,rows,in,hidden,out,q,i,rows);
*/
#endif
