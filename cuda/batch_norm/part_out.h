/* What a block leaves of y where it reads the vectors of x that it has (part.h): of a part, or of
 * what does not wait of a share (share.h). */
#ifndef PM_BATCH_NORM_PART_OUT_H
#define PM_BATCH_NORM_PART_OUT_H
#include "part_spec.h"

/*@ assigns \nothing; ensures \result == Hat(x,m,r); */
DEV float hat_of(float x, float m, float r) { return (x - m) * r; }

/*@ assigns \nothing; ensures \result == Shifted(x,m,r,gamma,beta); */
DEV float shifted(float x, float m, float r, float gamma, float beta)
{
  return hat_of(x, m, r) * gamma + beta;
}

/* Vector w of the block's channel. */
/*@ requires batch_ok(b) && batch_in(b,x,aligned) && 0 <= w.row < b.n && 0 <= w.col < b.V;
    requires batch_puts(b,y,aligned) && batch_apart(b,x,y);
    assigns y[batch_row(b,w)+4*w.col .. batch_row(b,w)+4*w.col+batch_have(b,w)-1];
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures only_vector{Pre,Post}(y,b.channels,b.size,b.c,w.row,w.col);
    ensures vector_is{Pre,Post}(x,y,b.channels,b.size,b.c,w.row,w.col,m,r,gamma,beta);
    ensures y[batch_row(b,w)+4*w.col] ==
      Shifted(rd{Pre}(x,batch_row(b,w)+4*w.col),m,r,gamma,beta);
    ensures 4*w.col+1 < b.size ==> y[batch_row(b,w)+4*w.col+1] ==
      Shifted(rd{Pre}(x,batch_row(b,w)+4*w.col+1),m,r,gamma,beta);
    ensures 4*w.col+2 < b.size ==> y[batch_row(b,w)+4*w.col+2] ==
      Shifted(rd{Pre}(x,batch_row(b,w)+4*w.col+2),m,r,gamma,beta);
    ensures 4*w.col+3 < b.size ==> y[batch_row(b,w)+4*w.col+3] ==
      Shifted(rd{Pre}(x,batch_row(b,w)+4*w.col+3),m,r,gamma,beta); */
DEV void batch_put_one(batch_part b, batch_at w, int aligned, float m, float r, float gamma,
                       float beta, const float *RESTRICT x, float *RESTRICT y)
{
  float4 u = batch_load(b, w, aligned, x);
  //@ assert u.x == rd(x,batch_row(b,w)+4*w.col);
  //@ assert 4*w.col+1 < b.size ==> u.y == rd(x,batch_row(b,w)+4*w.col+1);
  //@ assert 4*w.col+2 < b.size ==> u.z == rd(x,batch_row(b,w)+4*w.col+2);
  //@ assert 4*w.col+3 < b.size ==> u.w == rd(x,batch_row(b,w)+4*w.col+3);
  u.x = shifted(u.x, m, r, gamma, beta);
  u.y = shifted(u.y, m, r, gamma, beta);
  u.z = shifted(u.z, m, r, gamma, beta);
  u.w = shifted(u.w, m, r, gamma, beta);
  //@ assert 0 <= batch_row(b,w) && batch_row(b,w) + b.size <= batch_all(b.n,b.channels,b.size);
  /*@ assert \forall integer k; batch_W(b.channels,b.size,b.c,w.row,w.col,k) ==>
        0 <= k - batch_row(b,w) - 4*w.col < batch_have(b,w); */
  batch_store(b, w, aligned, u, y);
}

/* The same, of which v is the number: the others stay. */
/*@ requires batch_ok(b) && batch_in(b,x,aligned) && 0 <= w.row < b.n && at_vector(w,v,b.V);
    requires batch_puts(b,y,aligned) && batch_apart(b,x,y);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1];
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures put_vectors{Pre,Post}(x,y,b.n,b.channels,b.size,b.V,b.c,v,v+1,m,r,gamma,beta);
    ensures rest_same{Pre,Post}(y,b.n,b.channels,b.size,b.V,b.c,v,v+1); */
DEV void batch_put_at(batch_part b, batch_at w, int aligned, float m, float r, float gamma,
                      float beta, const float *RESTRICT x, float *RESTRICT y GHOST_PARAMS(idx v))
{
  batch_put_one(b, w, aligned, m, r, gamma, beta, x, y);
}

/* The vectors k0 + t that are below hi; then each thread goes on by BDIM. */
/*@ requires block && batch_ok(b) && batch_in(b,x,aligned) && b.lo <= k0 < b.hi;
    requires batch_puts(b,y,aligned) && batch_apart(b,x,y) && \valid(w + (0 .. BDIM-1));
    requires at_vectors(w,0,BDIM,k0,b.V) && at_vector(step,BDIM,b.V);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
    ensures put_vectors{Pre,Post}(x,y,b.n,b.channels,b.size,b.V,b.c,k0,lesser(k0+BDIM,b.hi),m,r,
                                  gamma,beta);
    ensures rest_same{Pre,Post}(y,b.n,b.channels,b.size,b.V,b.c,k0,lesser(k0+BDIM,b.hi));
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures at_vectors(w,0,BDIM,k0+BDIM,b.V); */
DEV void batch_put_all(PER_THREAD(batch_at, w), batch_part b, batch_at step, idx k0, int aligned,
                       float m, float r, float gamma, float beta, const float *RESTRICT x,
                       float *RESTRICT y)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant at_vectors(w,0,t,k0+BDIM,b.V);
      loop invariant at_vectors(w,t,BDIM,k0,b.V);
      loop invariant Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      loop invariant put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,k0,
                                           lesser(k0+t,b.hi),m,r,gamma,beta);
      loop invariant rest_same{Pre,Here}(y,b.n,b.channels,b.size,b.V,b.c,k0,lesser(k0+t,b.hi));
      loop assigns t, y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert at_vector(w[t],k0+t,b.V);
    //@ assert k0 + t < b.hi ==> 0 <= w[t].row < b.n;
    if (k0 + t < b.hi)
      batch_put_at(b, AT(w, t), aligned, m, r, gamma, beta, x, y GHOST_ARGS(k0 + t));
    //@ assert Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
    /*@ assert put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,lesser(k0+t,b.hi),
                                     lesser(k0+t+1,b.hi),m,r,gamma,beta); */
    /*@ assert rest_same{LoopCurrent,Here}(y,b.n,b.channels,b.size,b.V,b.c,lesser(k0+t,b.hi),
                                           lesser(k0+t+1,b.hi)); */
    /*@ assert put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,k0,
                                     lesser(k0+t+1,b.hi),m,r,gamma,beta); */
    AT(w, t) = batch_next(AT(w, t), step, b.V GHOST_ARGS(k0 + t, BDIM));
    //@ assert at_vector(w[t],k0+BDIM+t,b.V);
    //@ assert at_vectors(w,0,t,k0+BDIM,b.V);
    //@ assert at_vectors(w,t+1,BDIM,k0,b.V);
  }
}

/* The block's vectors of y. */
/*@ requires block && batch_ok(b) && batch_in(b,x,aligned) && b.lo < b.hi;
    requires batch_puts(b,y,aligned) && batch_apart(b,x,y);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1];
    ensures put_vectors{Pre,Post}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi,m,r,gamma,beta);
    ensures rest_same{Pre,Post}(y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi); */
DEV void batch_put_range(batch_part b, int aligned, float m, float r, float gamma, float beta,
                         const float *RESTRICT x, float *RESTRICT y)
{
  PRIVATE(batch_at, w);
  //@ assert b.V <= ix(b.n,b.V,0);
  batch_at step = batch_find(BDIM, b.V);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant at_vectors(&w[0],0,t,b.lo,b.V);
      loop assigns t, w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(w, t) = batch_find(b.lo + t, b.V);
    //@ assert at_vector(w[t],b.lo+t,b.V);
    //@ assert at_vectors(&w[0],0,t,b.lo,b.V);
  }
  /*@ loop invariant b.lo <= k0 <= b.hi + BDIM;
      loop invariant at_vectors(&w[0],0,BDIM,k0,b.V);
      loop invariant Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      loop invariant put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo,
                                           lesser(k0,b.hi),m,r,gamma,beta);
      loop invariant rest_same{Pre,Here}(y,b.n,b.channels,b.size,b.V,b.c,b.lo,lesser(k0,b.hi));
      loop assigns k0, y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
      loop variant b.hi - k0; */
  UNROLL_BY(4)
  for (idx k0 = b.lo; k0 < b.hi; k0 += BDIM) {
    batch_put_all(w, b, step, k0, aligned, m, r, gamma, beta, x, y);
    //@ assert Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
    /*@ assert rest_same{LoopCurrent,Here}(y,b.n,b.channels,b.size,b.V,b.c,k0,
                                           lesser(k0+BDIM,b.hi)); */
    /*@ assert put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,k0,
                                     lesser(k0+BDIM,b.hi),m,r,gamma,beta); */
    /*@ assert put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo,
                                     lesser(k0+BDIM,b.hi),m,r,gamma,beta); */
  }
}
#endif
