/* The VJPs of softmax, log_softmax and masked_softmax for rows that wait in the registers of a block
 * (row_regs.h), y's and g's, a row a block: y, g and dx are (rows, cols). softmax.cu says when. */
#define ONE_WARP 1 /* see block.h */
#include "block.h"
#include "math.h"
#include "row_regs.h"
#include "softmax_op.h"
#include "../spec/softmax.h"

/*@ // an element's part of the row's sum, and the cotangent that the sum makes of it. Under a mask
    // what is left out is 0: over the reals that is softmax's
    logic real PullPart(integer op, real y, real g) = op == LOG ? g : rmul(g,y);
    logic real Pulled(integer op, real y, real g, real s) =
      op == LOG ? g - rmul(\exp(y),s) : rmul(y,g - s);
    logic real PullSum{L}(integer op, float *y, float *g, integer n) =
      op == LOG ? Sum{L}(g,n) : RowDot{L}(g,y,n);
    lemma pull_sum_0{L}: \forall integer op, float *y, *g; is_zero(PullSum(op,y,g,0));
    lemma pull_sum_frame{L1,L2}: \forall integer op, float *y, *g, integer n;
      Same{L1,L2}(y,n) ==> Same{L1,L2}(g,n) ==> PullSum{L1}(op,y,g,n) == PullSum{L2}(op,y,g,n);
    lemma pull_part_0: \forall integer op; is_zero(PullPart(op,0.0,0.0));
    predicate pull_adds{L}(integer op, float *y, float *g, integer k, integer n) =
      PullSum(op,y,g,lesser(k+1,n)) ==
        PullSum(op,y,g,lesser(k,n)) + PullPart(op,Cell(y,k,n),Cell(g,k,n));
    lemma pull_add{L}: \forall integer op, float *y, *g, integer k, n; 0 <= k ==>
      pull_adds(op,y,g,k,n);
    // what vector q of the row adds
    logic real PullFour{L}(integer op, float *y, float *g, integer q, integer n) =
      PullPart(op,Cell(y,4*q,n),Cell(g,4*q,n)) + PullPart(op,Cell(y,4*q+1,n),Cell(g,4*q+1,n)) +
      PullPart(op,Cell(y,4*q+2,n),Cell(g,4*q+2,n)) + PullPart(op,Cell(y,4*q+3,n),Cell(g,4*q+3,n));
    lemma pull_add_4{L}: \forall integer op, float *y, *g, integer q, n; 0 <= q ==>
      PullSum(op,y,g,lesser(4*(q+1),n)) ==
        PullSum(op,y,g,lesser(4*q,n)) + PullFour(op,y,g,q,n);
    lemma four_of{L}: \forall integer op, float4 v, w, float *y, *g, integer q, n;
      row_vec(v,y,q,n) ==> row_vec(w,g,q,n) ==>
      PullPart(op,v.x,w.x) + PullPart(op,v.y,w.y) + PullPart(op,v.z,w.z) + PullPart(op,v.w,w.w) ==
        PullFour(op,y,g,q,n);
    // vector q of the row's cotangents
    predicate pulled_vec{L}(float4 v, integer op, float *y, float *g, real s, integer q,
                            integer n) =
      (4*q < n ==> v.x == Pulled(op,y[4*q],g[4*q],s)) &&
      (4*q+1 < n ==> v.y == Pulled(op,y[4*q+1],g[4*q+1],s)) &&
      (4*q+2 < n ==> v.z == Pulled(op,y[4*q+2],g[4*q+2],s)) &&
      (4*q+3 < n ==> v.w == Pulled(op,y[4*q+3],g[4*q+3],s));
    predicate pulled_vecs{L0,L}(float4 *v, integer op, float *y, float *g, real s, integer n,
                                integer from, integer to) =
      \forall integer q; from <= q < to ==> pulled_vec{L0}(\at(v[q],L), op, y, g, s, q, n);
    lemma pulled_vecs_frame{L1,L2,L}: \forall float4 *v, integer op, float *y, *g, real s,
      integer n, from, to; 0 <= from ==> Same{L1,L2}(y,n) ==> Same{L1,L2}(g,n) ==>
      pulled_vecs{L1,L}(v,op,y,g,s,n,from,to) ==> pulled_vecs{L2,L}(v,op,y,g,s,n,from,to);
    // element c of a row of dx, and the first `to` of them
    logic real PulledOne{L}(integer op, integer adds, float *y, float *g, float *dx, real s,
                            integer c) =
      plus(adds,dx[c],Pulled(op,y[c],g[c],s));
    predicate pulled_row{L0,L}(float *dx, integer op, integer adds, float *y, float *g, real s,
                               integer to) =
      \forall integer c; 0 <= c < to ==> \at(dx[c],L) == PulledOne{L0}(op,adds,y,g,dx,s,c);
    lemma pulled_row_frame{L1,L2,L}: \forall float *dx, integer op, adds, float *y, *g, real s,
      integer n; Same{L1,L2}(y,n) ==> Same{L1,L2}(g,n) ==> Same{L1,L2}(dx,n) ==>
      pulled_row{L1,L}(dx,op,adds,y,g,s,n) ==> pulled_row{L2,L}(dx,op,adds,y,g,s,n);
    predicate left_row{L0,L}(float *dx, integer from, integer n) =
      \forall integer c; from <= c < n ==> \at(dx[c],L) == \at(dx[c],L0);
    logic real RowVjp{L}(integer op, float *y, float *g, integer n, integer c) =
      op == SOFT ? SoftmaxVjp{L}(y,g,n,c) :
      op == LOG ? LogSoftmaxVjp{L}(y,g,n,c) : MaskedSoftmaxVjp{L}(y,g,n,c);
    lemma live_pulled: \forall real y, d; if_live(y,rmul(y,d)) == rmul(y,d);
    lemma masked_is{L}: \forall float *y, *g, integer n, c;
      MaskedSoftmaxVjp(y,g,n,c) == SoftmaxVjp(y,g,n,c);
    lemma row_vjp{L}: \forall integer op, float *y, *g, real s, integer n, c;
      s == PullSum(op,y,g,n) ==> Pulled(op,y[c],g[c],s) == RowVjp(op,y,g,n,c); */

/* An element's part of the row's sum: y g, or g. Under a mask g does not count where y is 0. */
/*@ assigns \nothing; ensures \result == PullPart(op,y,g); */
DEV float pull_part(int op, float y, float g)
{
  if (op == LOG)
    return g;
  return op == MASKED && y == 0.0f ? 0.0f : y * g;
}

/*@ assigns \nothing;
    ensures \result == PullPart(op,v.x,w.x) + PullPart(op,v.y,w.y) + PullPart(op,v.z,w.z) +
                       PullPart(op,v.w,w.w); */
DEV float pull_four(int op, float4 v, float4 w)
{
  return (pull_part(op, v.x, w.x) + pull_part(op, v.y, w.y)) +
         (pull_part(op, v.z, w.z) + pull_part(op, v.w, w.w));
}

/*@ predicate same_vec{L1,L2}(float4 *v, integer q) = \at(v[q],L1) == \at(v[q],L2);
    predicate pull_in{L}(float *y, float *g, integer n) =
      \valid_read(y + (0 .. n-1)) && \valid_read(g + (0 .. n-1));
    predicate pull_held{L0,L}(float4 *v, float4 *w, float *y, float *g, integer n, integer to) =
      \valid_read{L}(v + (0 .. KMAX*MAXB-1)) && \valid_read{L}(w + (0 .. KMAX*MAXB-1)) &&
      row_vecs{L0,L}(v, y, n, 0, to) && row_vecs{L0,L}(w, g, n, 0, to); */
/*@ requires row_fits(K,n) && pull_in(y,g,n);
    requires pull_held{Pre,Pre}(v, w, y, g, n, mul(K,BDIM));
    requires \valid(acc + (0 .. BDIM-1)) && SumR(acc, 0, BDIM) == 0.0;
    requires \separated(acc + (0 .. BDIM-1), y + (0 .. n-1));
    requires \separated(acc + (0 .. BDIM-1), g + (0 .. n-1));
    requires \separated(acc + (0 .. BDIM-1), v + (0 .. KMAX*MAXB-1));
    requires \separated(acc + (0 .. BDIM-1), w + (0 .. KMAX*MAXB-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == PullSum{Pre}(op,y,g,n); */
DEV void pull_add_all(LANE(float, acc), LANEK(float4, v), LANEK(float4, w), int K,
                      int op GHOST_PARAMS(int n, const float *y, const float *g))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant SumR(acc, 0, BDIM) == PullSum{Pre}(op, y, g, lesser(4*j0, n));
      loop assigns j, j0, acc[0 .. BDIM-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    //@ assert j0 + BDIM <= mul(K,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) == PullSum{Pre}(op, y, g, lesser(4*(j0+t), n));
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    LANES(t) {
      //@ assert same_vec{Pre,Here}(v, j0 + t);
      //@ assert same_vec{Pre,Here}(w, j0 + t);
      //@ assert row_vec{Pre}(v[j0+t], y, j0 + t, n);
      //@ assert row_vec{Pre}(w[j0+t], g, j0 + t, n);
      AT(acc, t) += pull_four(op, REG(v, j, j0, t), REG(w, j, j0, t));
      //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
      //@ assert acc[t] == \at(acc[t],LoopCurrent) + PullFour{Pre}(op, y, g, j0 + t, n);
    }
  }
}

/* The sum of the row's parts, for all lanes. */
/*@ requires row_fits(K,n) && pull_in(y,g,n);
    requires pull_held{Pre,Pre}(v, w, y, g, n, mul(K,BDIM));
    assigns \nothing;
    ensures \result == PullSum{Pre}(op,y,g,n); */
DEV float pull_sum(LANEK(float4, v), LANEK(float4, w), int K,
                   int op GHOST_PARAMS(int n, const float *y, const float *g))
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert Same{Pre,Here}(y,n) && Same{Pre,Here}(g,n);
  //@ assert PullSum{Pre}(op,y,g,n) == PullSum(op,y,g,n);
  //@ assert row_vecs{Pre,Here}(v, y, n, 0, mul(K,BDIM));
  //@ assert row_vecs{Pre,Here}(w, g, n, 0, mul(K,BDIM));
  //@ assert pull_held{Here,Here}(v, w, y, g, n, mul(K,BDIM));
  pull_add_all(acc, v, w, K, op GHOST_ARGS(n, y, g));
  return block_sum(acc, s);
}

/* The cotangent of an element: y (g - s), or g - e^y s. */
/*@ assigns \nothing; ensures \result == Pulled(op,y,g,s); */
DEV float pull_one(int op, float y, float g, float s)
{
  if (op == LOG)
    return g - pm_expf(y) * s;
  return op == MASKED && y == 0.0f ? 0.0f : y * (g - s);
}

/*@ assigns \nothing;
    ensures \result.x == Pulled(op,v.x,w.x,s) && \result.y == Pulled(op,v.y,w.y,s);
    ensures \result.z == Pulled(op,v.z,w.z,s) && \result.w == Pulled(op,v.w,w.w,s); */
DEV float4 pull_vec(int op, float4 v, float4 w, float s)
{
  v.x = pull_one(op, v.x, w.x, s);
  v.y = pull_one(op, v.y, w.y, s);
  v.z = pull_one(op, v.z, w.z, s);
  v.w = pull_one(op, v.w, w.w, s);
  return v;
}

/*@ requires j0 == mul(j,BDIM) && row_at(j0,t,n) && \valid(v + (0 .. KMAX*MAXB-1));
    requires pull_in(y,g,n) && row_vec(v[j0+t], y, j0 + t, n) && row_vec(u, g, j0 + t, n);
    requires \separated(v + (0 .. KMAX*MAXB-1), y + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), g + (0 .. n-1));
    assigns v[j0+t];
    ensures pulled_vec{Pre}(v[j0+t], op, y, g, s, j0 + t, n) && but_vec{Pre,Post}(v, j0 + t); */
DEV void pull_at(LANEK(float4, v), int op, int j, int j0, int t, float4 u,
                 float s GHOST_PARAMS(int n, const float *y, const float *g))
{
  REG(v, j, j0, t) = pull_vec(op, REG(v, j, j0, t), u, s);
}

/* y's vectors become dx's. */
/*@ requires row_fits(K,n) && pull_in(y,g,n) && \valid(v + (0 .. KMAX*MAXB-1));
    requires pull_held{Pre,Pre}(v, w, y, g, n, mul(K,BDIM));
    requires \separated(v + (0 .. KMAX*MAXB-1), y + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), g + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), w + (0 .. KMAX*MAXB-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures pulled_vecs{Pre,Post}(v, op, y, g, s, n, 0, mul(K,BDIM)); */
DEV void pull_all(LANEK(float4, v), LANEK(float4, w), int K, int op,
                  float s GHOST_PARAMS(int n, const float *y, const float *g))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant pulled_vecs{Pre,Here}(v, op, y, g, s, n, 0, j0);
      loop invariant row_vecs{Pre,Here}(v, y, n, j0, mul(K,BDIM));
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    //@ assert j0 + BDIM <= mul(K,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant pulled_vecs{Pre,Here}(v, op, y, g, s, n, 0, j0 + t);
        loop invariant row_vecs{Pre,Here}(v, y, n, j0 + t, mul(K,BDIM));
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    LANES(t) {
      //@ assert row_vec{Pre}(v[j0+t], y, j0 + t, n);
      //@ assert same_vec{Pre,Here}(w, j0 + t);
      //@ assert row_vec{Pre}(w[j0+t], g, j0 + t, n);
      //@ assert Same{Pre,Here}(y,n) && Same{Pre,Here}(g,n);
      //@ assert row_vec(v[j0+t], y, j0 + t, n) && row_vec(w[j0+t], g, j0 + t, n);
      pull_at(v, op, j, j0, t, REG(w, j, j0, t), s GHOST_ARGS(n, y, g));
      //@ assert but_vec{LoopCurrent,Here}(v, j0 + t);
      //@ assert pulled_vec{Pre}(v[j0+t], op, y, g, s, j0 + t, n);
      //@ assert pulled_vecs{Pre,Here}(v, op, y, g, s, n, 0, j0 + t);
      //@ assert row_vecs{Pre,Here}(v, y, n, j0 + t + 1, mul(K,BDIM));
    }
  }
}

/* Vector v, to which `adds` adds what stood there. */
/*@ requires row_at(j0,t,n) && \valid(dx + (0 .. n-1)) && pull_in(y,g,n);
    requires aligned != 0 ==> aligned16(dx) && n % 4 == 0;
    requires \forall integer k; row_W(j0+t,n,k) ==> W(dx+k);
    requires pulled_vec(v, op, y, g, s, j0 + t, n);
    requires adds != 0 ==> row_vec(old, dx, j0 + t, n);
    assigns dx[4*(j0+t) .. lesser(4*(j0+t)+4,n)-1];
    ensures 4*(j0+t) < n ==> dx[4*(j0+t)] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t));
    ensures 4*(j0+t)+1 < n ==> dx[4*(j0+t)+1] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t)+1);
    ensures 4*(j0+t)+2 < n ==> dx[4*(j0+t)+2] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t)+2);
    ensures 4*(j0+t)+3 < n ==> dx[4*(j0+t)+3] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t)+3); */
DEV void pull_store(int j0, int t, int n, int aligned, int adds, float4 v, float4 old,
                    float *RESTRICT dx GHOST_PARAMS(int op, float s, const float *y,
                                                    const float *g))
{
  if (adds)
    v = plus4(old, v);
  //@ assert x: 4*(j0+t) < n ==> v.x == PulledOne(op,adds,y,g,dx,s,4*(j0+t));
  //@ assert y: 4*(j0+t)+1 < n ==> v.y == PulledOne(op,adds,y,g,dx,s,4*(j0+t)+1);
  //@ assert z: 4*(j0+t)+2 < n ==> v.z == PulledOne(op,adds,y,g,dx,s,4*(j0+t)+2);
  //@ assert w: 4*(j0+t)+3 < n ==> v.w == PulledOne(op,adds,y,g,dx,s,4*(j0+t)+3);
  row_store(j0, t, n, aligned, v, dx);
}

/*@ predicate pull_out{L}(float *dx, float *y, float *g, integer n, integer aligned) =
      \valid(dx + (0 .. n-1)) && perm(dx,n) && (aligned != 0 ==> aligned16(dx) && n % 4 == 0) &&
      pull_in(y,g,n) && apart(y,n,dx,n) && apart(g,n,dx,n); */
/* v has the row's cotangents, w what stood in dx where `adds`. */
/*@ requires row_fits(K,n) && pull_out(dx,y,g,n,aligned);
    requires \valid_read(v + (0 .. KMAX*MAXB-1)) && \valid_read(w + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    requires \separated(w + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    requires pulled_vecs{Pre,Pre}(v, op, y, g, s, n, 0, mul(K,BDIM));
    requires adds != 0 ==> row_vecs{Pre,Pre}(w, dx, n, 0, mul(K,BDIM));
    assigns dx[0 .. n-1];
    ensures pulled_row{Pre,Post}(dx, op, adds, y, g, s, n); */
DEV void pull_store_all(LANEK(float4, v), LANEK(float4, w), int K, int n, int aligned, int adds,
                        float *RESTRICT dx GHOST_PARAMS(int op, float s, const float *y,
                                                        const float *g))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant pulled_row{Pre,Here}(dx, op, adds, y, g, s, lesser(4*j0,n));
      loop invariant left_row{Pre,Here}(dx, lesser(4*j0,n), n);
      loop assigns j, j0, dx[0 .. n-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    //@ assert j0 + BDIM <= mul(K,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant pulled_row{Pre,Here}(dx, op, adds, y, g, s, lesser(4*(j0+t),n));
        loop invariant left_row{Pre,Here}(dx, lesser(4*(j0+t),n), n);
        loop assigns t, dx[0 .. n-1];
        loop variant BDIM - t; */
    LANES(t) {
      //@ assert pulled_vec{Pre}(v[j0+t], op, y, g, s, j0 + t, n);
      //@ assert Same{Pre,Here}(y,n) && Same{Pre,Here}(g,n);
      //@ assert pulled_vec(v[j0+t], op, y, g, s, j0 + t, n);
      //@ assert adds != 0 ==> row_vec{Pre}(w[j0+t], dx, j0 + t, n);
      //@ assert adds != 0 ==> row_vec(w[j0+t], dx, j0 + t, n);
      pull_store(j0, t, n, aligned, adds, REG(v, j, j0, t), REG(w, j, j0, t),
                 dx GHOST_ARGS(op, s, y, g));
      //@ assert old: pulled_row{Pre,Here}(dx, op, adds, y, g, s, lesser(4*(j0+t),n));
      /*@ assert x: 4*(j0+t) < n ==>
            dx[4*(j0+t)] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t)); */
      /*@ assert y: 4*(j0+t)+1 < n ==>
            dx[4*(j0+t)+1] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t)+1); */
      /*@ assert z: 4*(j0+t)+2 < n ==>
            dx[4*(j0+t)+2] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t)+2); */
      /*@ assert w: 4*(j0+t)+3 < n ==>
            dx[4*(j0+t)+3] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t)+3); */
      //@ assert left: left_row{Pre,Here}(dx, lesser(4*(j0+t)+4,n), n);
    }
  }
}

/* One row. */
/*@ requires row_fits(K,n) && row_in(y,n,aligned) && row_in(g,n,aligned);
    requires pull_out(dx,y,g,n,aligned);
    assigns dx[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==>
      dx[c] == plus(adds,\at(dx[c],Pre),RowVjp{Pre}(op,y,g,n,c)); */
DEV void pull_row(int op, int K, int aligned, int adds, int n, const float *RESTRICT y,
                  const float *RESTRICT g, float *RESTRICT dx)
{
  PRIVATEK(float4, v);
  PRIVATEK(float4, w);
  float s;
  row_load_all(v, K, n, aligned, y);
  //@ assert Same{Pre,Here}(y,n) && Same{Pre,Here}(g,n);
  //@ ghost L0: ;
  row_load_all(w, K, n, aligned, g);
  //@ assert Same{L0,Here}(y,n) && Same{L0,Here}(g,n);
  //@ assert v: row_vecs{Pre,Here}(&v[0], y, n, 0, mul(K,BDIM));
  //@ assert w: row_vecs{Pre,Here}(&w[0], g, n, 0, mul(K,BDIM));
  //@ assert pull_held{Here,Here}(&v[0], &w[0], y, g, n, mul(K,BDIM));
  s = pull_sum(v, w, K, op GHOST_ARGS(n, y, g));
  //@ assert s == PullSum{Pre}(op,y,g,n);
  //@ ghost L1: ;
  pull_all(v, w, K, op, s GHOST_ARGS(n, y, g));
  //@ ghost L2: ;
  //@ assert Same{Pre,L2}(y,n) && Same{Pre,L2}(g,n) && Same{Pre,L2}(dx,n);
  //@ assert Same{L1,L2}(y,n) && Same{L1,L2}(g,n);
  //@ assert made: pulled_vecs{L1,L2}(&v[0], op, y, g, s, n, 0, mul(K,BDIM));
  //@ assert pulled: pulled_vecs{L2,L2}(&v[0], op, y, g, s, n, 0, mul(K,BDIM));
  if (adds)
    row_load_all(w, K, n, aligned, dx);
  //@ ghost L3: ;
  //@ assert Same{L2,L3}(y,n) && Same{L2,L3}(g,n) && Same{L2,L3}(dx,n);
  //@ assert kept: pulled_vecs{L2,L3}(&v[0], op, y, g, s, n, 0, mul(K,BDIM));
  //@ assert here: pulled_vecs{L3,L3}(&v[0], op, y, g, s, n, 0, mul(K,BDIM));
  pull_store_all(v, w, K, n, aligned, adds, dx GHOST_ARGS(op, s, y, g));
  //@ assert Same{L3,Pre}(y,n) && Same{L3,Pre}(g,n) && Same{L3,Pre}(dx,n);
  //@ assert stored: pulled_row{L3,Here}(dx, op, adds, y, g, s, n);
  //@ assert row: pulled_row{Pre,Here}(dx, op, adds, y, g, s, n);
  /*@ assert all: \forall integer c; 0 <= c < n ==>
        dx[c] == plus(adds,\at(dx[c],Pre),Pulled(op,\at(y[c],Pre),\at(g[c],Pre),s)); */
}

/*@ predicate pull_rows{L0,L}(integer op, integer adds, float *y, float *g, float *dx, integer cols,
                              integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(dx[ix(r,cols,c)],L) == plus(adds,\at(dx[ix(r,cols,c)],L0),
                                        RowVjp{L0}(op,y+ix(r,cols,0),g+ix(r,cols,0),cols,c));
    predicate rows_left{L0,L}(float *dx, integer cols, integer from, integer n) =
      \forall integer r, c; from <= r < n ==> 0 <= c < cols ==>
        \at(dx[ix(r,cols,c)],L) == \at(dx[ix(r,cols,c)],L0); */

/* Block r does row r, with K vectors a thread. VEC: all tensors are 16-byte aligned and cols a
 * multiple of 4. */
/*@ requires row_fits(K,cols) && 0 <= rows <= IDX_LIM && ix(rows,1,0) <= BLOCKS;
    requires reads(y,ix(rows,cols,0)) && reads(g,ix(rows,cols,0)) && writes(dx,ix(rows,cols,0));
    requires apart(y,ix(rows,cols,0),dx,ix(rows,cols,0));
    requires apart(g,ix(rows,cols,0),dx,ix(rows,cols,0));
    requires VEC != 0 ==> cols % 4 == 0 && aligned16(y) && aligned16(g) && aligned16(dx);
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures pull_rows{Pre,Post}(OP,accumulate,y,g,dx,cols,rows); */
TEMPLATE(int OP, int K, int VEC)
KERNEL void THREADS_AT_MOST(512)
    softmax_vjp_regs(CONSTANTS(int OP, int K, int VEC) int accumulate, idx rows, int cols,
                     const float *RESTRICT y, const float *RESTRICT g, float *RESTRICT dx)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant pull_rows{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
      loop invariant rows_left{Pre,Here}(dx,cols,r,rows);
      loop assigns r, dx[0 .. ix(rows,cols,0)-1];
      loop variant rows - r; */
  BROWS(r, rows, 1) {
    idx o = at2(rows, cols, r, 0);
    //@ ghost L0: ;
    //@ assert 0 <= o && o + cols <= ix(rows,cols,0);
    //@ assert first: o == ix(r,cols,0);
    //@ assert cell: \forall integer c; 0 <= c < cols ==> ix(r,cols,c) == o+c;
    /*@ assert cells: \forall integer c; 0 <= c < cols ==>
          rd(dx,ix(r,cols,c)) == rd{Pre}(dx,ix(r,cols,c)); */
    /*@ assert was: \forall integer c; 0 <= c < cols ==>
          rd(dx,o+c) == rd{Pre}(dx,ix(r,cols,c)); */
    //@ assert VEC != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
    //@ assert VEC != 0 ==> o % 4 == 0;
    //@ assert VEC != 0 ==> aligned16(y+o) && aligned16(g+o) && aligned16(dx+o);
    //@ assert all: Same{Pre,Here}(y,ix(rows,cols,0)) && Same{Pre,Here}(g,ix(rows,cols,0));
    //@ assert row: Same{Pre,Here}(y+o,cols) && Same{Pre,Here}(g+o,cols);
    //@ assert perm_all: perm_r(y,ix(rows,cols,0)) && perm_r(g,ix(rows,cols,0));
    //@ assert perm_dx: perm_r(dx,ix(rows,cols,0)) && perm_w(dx,ix(rows,cols,0));
    //@ assert perm_in: perm_r(y+o,cols) && perm_r(g+o,cols);
    //@ assert perm_out: perm_r(dx+o,cols) && perm_w(dx+o,cols);
    //@ assert in: row_in(y+o,cols,VEC) && row_in(g+o,cols,VEC);
    //@ assert out: pull_out(dx+o,y+o,g+o,cols,VEC);
    /*@ assert same: \forall integer c; 0 <= c < cols ==>
          RowVjp(OP,y+o,g+o,cols,c) == RowVjp{Pre}(OP,y+o,g+o,cols,c); */
    pull_row(OP, K, VEC, accumulate, cols, y + o, g + o, dx + o);
    /*@ assert here: \forall integer c; 0 <= c < cols ==>
          dx[o+c] == plus(accumulate,\at(dx[o+c],L0),RowVjp{L0}(OP,y+o,g+o,cols,c)); */
    /*@ assert value: \forall integer c; 0 <= c < cols ==>
          dx[o+c] == plus(accumulate,\at(dx[o+c],L0),RowVjp{Pre}(OP,y+o,g+o,cols,c)); */
    /*@ assert new: \forall integer c; 0 <= c < cols ==>
          dx[ix(r,cols,c)] == plus(accumulate,rd{Pre}(dx,ix(r,cols,c)),
                                   RowVjp{Pre}(OP,y+ix(r,cols,0),g+ix(r,cols,0),cols,c)); */
    //@ assert old: same_rows{L0,Here}(dx,cols,r);
    //@ assert left: rows_left{L0,Here}(dx,cols,r+1,rows);
    //@ assert rows: pull_rows{Pre,Here}(OP,accumulate,y,g,dx,cols,r+1);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "softmax_vjp_regs.h"

template <int OP>
static void launch_vjp_regs(const pm_exec *ex, int k, int vec, int block, int accumulate,
                            int64_t rows, int w, const float *y, const float *g, float *dx)
{
#define RUN(K, VEC) \
  LAUNCH((softmax_vjp_regs<OP, K, VEC>), rows, block, ex->stream, accumulate, rows, w, y, g, dx)
  if (k == 4 && vec)
    RUN(4, 1);
  else if (k == 4)
    RUN(4, 0);
  else if (vec)
    RUN(8, 1);
  else
    RUN(8, 0);
#undef RUN
}

extern "C" void LAUNCHER(softmax_vjp_regs)(const pm_exec *ex, int op, int k, int vec, int block,
                                           int accumulate, int64_t rows, int64_t cols,
                                           const float *y, const float *g, float *dx)
{
  int w = (int)cols;
  if (op == SOFT)
    launch_vjp_regs<SOFT>(ex, k, vec, block, accumulate, rows, w, y, g, dx);
  else if (op == LOG)
    launch_vjp_regs<LOG>(ex, k, vec, block, accumulate, rows, w, y, g, dx);
  else
    launch_vjp_regs<MASKED>(ex, k, vec, block, accumulate, rows, w, y, g, dx);
}
#endif
