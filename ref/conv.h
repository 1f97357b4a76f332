/* Convolutions over windows of any rank up to 8, transposed ones, their VJPs and error bounds. x, k
 * and y are laid out as spec/conv.h says: c.w is the window of the convolution, of a transposed one
 * that of its adjoint, so that its x has w.out along the axes and its y w.size. */
#ifndef REF_CONV_H
#define REF_CONV_H
#include "linear.h"
#include "window.h"
#include "../spec/conv.h"

/* The cell that tap u of output i reads (side 0), or the output that reads cell i by tap u (side 1);
 * -1: there is none. */
/*@ requires Placed(w) && 0 <= i && 0 <= u && (side == 0 ==> Windowed(w));
    requires \forall integer e; 0 <= e < w.rank ==> 1 <= w.size[e];
    terminates \true;
    assigns \nothing;
    ensures \result == Meet(side,w,i,u);
    ensures -1 <= \result < (side != 0 ? w.outs : w.cells);
*/
idx window_meet(int side, window w, idx i, idx u);

/*@ predicate ReadsSide{L}(integer side, conv_shape c, scalar *z) =
      ConvShape(c) && \valid_read(z + (0 .. Elements(side,c)-1));
    predicate ReadsKernels{L}(conv_shape c, scalar *k) =
      ConvShape(c) && \valid_read(k + (0 .. Weights(c)-1));
    // y, on the other side than z, of z and kernels k
    predicate Convolves{L}(integer side, conv_shape c, scalar *z, scalar *k, scalar *y) =
      ReadsSide(side,c,z) && ReadsKernels(c,k) && \valid(y + (0 .. Elements(Other(side),c)-1)) &&
      Sep(y,Elements(Other(side),c),z,Elements(side,c)) &&
      Sep(y,Elements(Other(side),c),k,Weights(c));
    // y, on that side, has a bias
    predicate Biased{L}(integer side, conv_shape c, scalar *b, scalar *y) =
      \valid_read(b + (0 .. ChannelCount(side,c)-1)) &&
      Sep(y,Elements(side,c),b,ChannelCount(side,c));
    predicate WeighsBack{L}(conv_shape c, scalar *x, scalar *g, scalar *dk) =
      ReadsSide(0,c,x) && ReadsSide(1,c,g) && \valid(dk + (0 .. Weights(c)-1)) &&
      Sep(dk,Weights(c),x,Elements(0,c)) && Sep(dk,Weights(c),g,Elements(1,c));
    predicate BiasesBack{L}(integer side, conv_shape c, scalar *g, scalar *db) =
      ReadsSide(side,c,g) && \valid(db + (0 .. ChannelCount(side,c)-1)) &&
      Sep(db,ChannelCount(side,c),g,Elements(side,c));
    // the gradients of what reads x on `side`, and of which g, on the other, is the cotangent
    predicate ConvolvesBack{L}(integer side, conv_shape c, scalar *x, scalar *k, scalar *g,
                               scalar *dx, scalar *dk, scalar *db) =
      Convolves(Other(side),c,g,k,dx) && BiasesBack(Other(side),c,g,db) &&
      (side != 0 ? WeighsBack(c,g,x,dk) : WeighsBack(c,x,g,dk)) &&
      Sep(dx,Elements(side,c),x,Elements(side,c)) && Sep(dx,Elements(side,c),dk,Weights(c)) &&
      Sep(dx,Elements(side,c),db,ChannelCount(Other(side),c)) && Sep(dk,Weights(c),k,Weights(c)) &&
      Sep(dk,Weights(c),db,ChannelCount(Other(side),c)) &&
      Sep(db,ChannelCount(Other(side),c),x,Elements(side,c)) &&
      Sep(db,ChannelCount(Other(side),c),k,Weights(c));
    logic integer Products(integer side, conv_shape c) = ix(Channels(side,c),c.w.taps,0);
    // bounds of an element of what is convolved, with its bias and without, of a weight's gradient and
    // of a bias'
    logic real BiasedBound{L}(arith A, integer side, scalar *z, scalar *k, scalar *b, conv_shape c,
                              integer e) =
      e_biased_dot(A, ConvAt{L}(0,side,z,k,c,e), ConvAt{L}(1,side,z,k,c,e),
                   rd{L}(b,ChannelOf(Other(side),c,e)), Products(side,c));
    logic real ConvBound{L}(arith A, integer side, scalar *z, scalar *k, conv_shape c, integer e) =
      p_dot(A, ConvAt{L}(0,side,z,k,c,e), ConvAt{L}(1,side,z,k,c,e), Products(side,c), A.h).e;
    logic real WeightBound{L}(arith A, scalar *x, scalar *g, conv_shape c, integer e) =
      p_dot(A, WeightAt{L}(0,x,g,c,e), WeightAt{L}(1,x,g,c,e), ix(c.batch,c.w.outs,0), A.h2).e;
    logic real BiasBound{L}(arith A, integer side, scalar *g, conv_shape c, integer a) =
      p_sum(A, BiasSum{L}(0,side,g,c,a,c.batch), BiasSum{L}(1,side,g,c,a,c.batch), 0.0, A.h2).e;
*/

/* y[n,o,t] = b[o] + sum over the channels i of o's group and the taps u of x[n,i,cell] w[o,i,u], where
 * tap u of output t reads a cell. */
/*@ requires Convolves(0,c,x,w,y) && Biased(1,c,b,y);
    terminates \true;
    assigns y[0 .. Elements(1,c)-1];
    ensures \forall integer e; 0 <= e < Elements(1,c) ==>
      y[e] == ConvAt{Pre}(0,0,x,w,c,e) + rd{Pre}(b,ChannelOf(1,c,e));
*/
void ref_conv(conv_shape c, const double *x, const double *w, const double *b, double *y);

/* Any order of the products, and of the bias among them, with a tree of height A.h. */
/*@ requires Convolves(0,c,x,w,e_y) && Biased(1,c,b,e_y);
    terminates \true;
    assigns e_y[0 .. Elements(1,c)-1];
    ensures \forall integer e; 0 <= e < Elements(1,c) ==>
      e_y[e] == BiasedBound{Pre}(A,0,x,w,b,c,e);
*/
void bound_conv(conv_shape c, const double *x, const double *w, const double *b, arith A,
                double *e_y);

/* dx: what a transposed convolution makes of g; dw[o,i,u] = sum over n, t of g[n,o,t] x[n,i,cell];
 * db[o] = sum over n, t of g[n,o,t]. */
/*@ requires ConvolvesBack(0,c,x,w,g,dx,dw,db);
    terminates \true;
    assigns dx[0 .. Elements(0,c)-1], dw[0 .. Weights(c)-1], db[0 .. ChannelCount(1,c)-1];
    ensures \forall integer e; 0 <= e < Elements(0,c) ==> dx[e] == ConvAt{Pre}(0,1,g,w,c,e);
    ensures \forall integer e; 0 <= e < Weights(c) ==> dw[e] == WeightAt{Pre}(0,x,g,c,e);
    ensures \forall integer a; 0 <= a < ChannelCount(1,c) ==>
      db[a] == BiasSum{Pre}(0,1,g,c,a,c.batch);
*/
void ref_conv_vjp(conv_shape c, const double *x, const double *w, const double *g, double *dx,
                  double *dw, double *db);

/* e_dx from the tree height A.h, e_dw and e_db from A.h2. */
/*@ requires ConvolvesBack(0,c,x,w,g,e_dx,e_dw,e_db);
    terminates \true;
    assigns e_dx[0 .. Elements(0,c)-1], e_dw[0 .. Weights(c)-1],
      e_db[0 .. ChannelCount(1,c)-1];
    ensures \forall integer e; 0 <= e < Elements(0,c) ==>
      e_dx[e] == ConvBound{Pre}(A,1,g,w,c,e);
    ensures \forall integer e; 0 <= e < Weights(c) ==> e_dw[e] == WeightBound{Pre}(A,x,g,c,e);
    ensures \forall integer a; 0 <= a < ChannelCount(1,c) ==>
      e_db[a] == BiasBound{Pre}(A,1,g,c,a);
*/
void bound_conv_vjp(conv_shape c, const double *x, const double *w, const double *g, arith A,
                    double *e_dx, double *e_dw, double *e_db);

/* y[n,i,j] = b[i] + sum over the channels o of i's group and the taps u of x[n,o,t] w[o,i,u], where
 * output t reads cell j by tap u. */
/*@ requires Convolves(1,c,x,w,y) && Biased(0,c,b,y);
    terminates \true;
    assigns y[0 .. Elements(0,c)-1];
    ensures \forall integer e; 0 <= e < Elements(0,c) ==>
      y[e] == ConvAt{Pre}(0,1,x,w,c,e) + rd{Pre}(b,ChannelOf(0,c,e));
*/
void ref_conv_transpose(conv_shape c, const double *x, const double *w, const double *b, double *y);

/* As of conv. */
/*@ requires Convolves(1,c,x,w,e_y) && Biased(0,c,b,e_y);
    terminates \true;
    assigns e_y[0 .. Elements(0,c)-1];
    ensures \forall integer e; 0 <= e < Elements(0,c) ==>
      e_y[e] == BiasedBound{Pre}(A,1,x,w,b,c,e);
*/
void bound_conv_transpose(conv_shape c, const double *x, const double *w, const double *b, arith A,
                          double *e_y);

/* dx: what the convolution makes of g; dw[o,i,u] = sum over n, t of x[n,o,t] g[n,i,cell]; db[i] =
 * sum over n, j of g[n,i,j]. */
/*@ requires ConvolvesBack(1,c,x,w,g,dx,dw,db);
    terminates \true;
    assigns dx[0 .. Elements(1,c)-1], dw[0 .. Weights(c)-1], db[0 .. ChannelCount(0,c)-1];
    ensures \forall integer e; 0 <= e < Elements(1,c) ==> dx[e] == ConvAt{Pre}(0,0,g,w,c,e);
    ensures \forall integer e; 0 <= e < Weights(c) ==> dw[e] == WeightAt{Pre}(0,g,x,c,e);
    ensures \forall integer a; 0 <= a < ChannelCount(0,c) ==>
      db[a] == BiasSum{Pre}(0,0,g,c,a,c.batch);
*/
void ref_conv_transpose_vjp(conv_shape c, const double *x, const double *w, const double *g,
                            double *dx, double *dw, double *db);

/* As of conv_vjp. */
/*@ requires ConvolvesBack(1,c,x,w,g,e_dx,e_dw,e_db);
    terminates \true;
    assigns e_dx[0 .. Elements(1,c)-1], e_dw[0 .. Weights(c)-1],
      e_db[0 .. ChannelCount(0,c)-1];
    ensures \forall integer e; 0 <= e < Elements(1,c) ==>
      e_dx[e] == ConvBound{Pre}(A,0,g,w,c,e);
    ensures \forall integer e; 0 <= e < Weights(c) ==> e_dw[e] == WeightBound{Pre}(A,g,x,c,e);
    ensures \forall integer a; 0 <= a < ChannelCount(0,c) ==>
      e_db[a] == BiasBound{Pre}(A,0,g,c,a);
*/
void bound_conv_transpose_vjp(conv_shape c, const double *x, const double *w, const double *g,
                              arith A, double *e_dx, double *e_dw, double *e_db);
#endif
