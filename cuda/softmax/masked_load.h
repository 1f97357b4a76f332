/* A slice of a row of masked_softmax in the registers of a block (row/regs.h): -Inf stands for
 * what is blocked and for what lies outside the slice, of which x is the elements and b the
 * mask. */
#ifndef PM_SOFTMAX_MASKED_LOAD_H
#define PM_SOFTMAX_MASKED_LOAD_H
#include "masked_cluster_spec.h"

/* Vector j0 + t of a slice. */
/*@ requires row_in(x,n,aligned) && row_in(b,n,aligned) && row_at(j0,t,n);
    assigns \nothing;
    ensures open_vec(\result,x,b,n,j0+t); */
DEV float4 open_held(int j0, int t, int n, int aligned, const float *RESTRICT x,
                     const float *RESTRICT b)
{
  float4 v = padded_load(j0, t, n, aligned, 0, x), w = row_load(j0, t, n, aligned, b);
  v.x = open_val(v.x, w.x);
  v.y = open_val(v.y, w.y);
  v.z = open_val(v.z, w.z);
  v.w = open_val(v.w, w.w);
  return v;
}

/*@ requires row_fits(K,n) && row_in(x,n,aligned) && row_in(b,n,aligned);
    requires \valid(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), b + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures open_vecs{Pre,Post}(v,x,b,n,0,mul(K,BDIM)); */
DEV void open_held_all(PER_THREADK(float4, v), int K, int n, int aligned, const float *RESTRICT x,
                       const float *RESTRICT b)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant open_vecs{Pre,Here}(v,x,b,n,0,j0);
      loop invariant Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n);
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert next: mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant open_vecs{Pre,Here}(v,x,b,n,0,j0 + t);
        loop invariant Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n);
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      float4 u = open_held(j0, t, n, aligned, x, b);
      //@ assert at: 0 <= j0 + t < KMAX*MAXB;
      //@ assert read: open_vec(u,x,b,n,j0+t);
      //@ assert back: Same{Here,Pre}(x,n) && Same{Here,Pre}(b,n);
      //@ assert got: open_vec{Pre}(u,x,b,n,j0+t);
      REG(v, j, j0, t) = u;
      //@ assert same: Same{LoopCurrent,Here}(x,n) && Same{LoopCurrent,Here}(b,n);
      //@ assert new: open_vec{Pre}(v[j0+t],x,b,n,j0+t);
      //@ assert old: open_vecs{Pre,Here}(v,x,b,n,0,j0 + t);
    }
  }
}
#endif
