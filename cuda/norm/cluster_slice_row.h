/* Statistics and output of a cluster slice (cluster_slice.h): its sum, its squares about a
 * number, and what it leaves of it. Column number q of the slice is in register q / BDIM of
 * thread q % BDIM, 0 where the slice has none. */
#ifndef PM_NORM_CLUSTER_SLICE_ROW_H
#define PM_NORM_CLUSTER_SLICE_ROW_H
#include "cluster_slice.h"
#include "../lang/cache_hints.h"

/*@ // registers have a slice of n columns of the row x, from column `first` on, about m
    predicate slice_about{L0,L}(float *v, float *x, real m, integer first, integer n, integer end) =
      \forall integer q; 0 <= q < end ==> \at(v[q],L) == About{L0}(x,m,first+q,first+n);
    predicate slice_kept{L0,L}(float *v, integer from, integer end) =
      \forall integer q; from <= q < end ==> \at(v[q],L) == \at(v[q],L0);
    // the row's sum, or that of the squares about m, up to where block `at` has its slice
    logic real SliceTo{L}(integer squares, float *x, real m, integer at, integer width,
                          integer cols) = NormSum(squares,x,m,slice_end(at,width,cols));
    // what a slice adds to the row's sum, or to that of the squares about m
    logic real SliceSum{L}(integer squares, float *x, real m, integer from, integer to) =
      NormSum(squares,x,m,to) - NormSum(squares,x,m,from);
    // where a row's slice is of a tensor
    predicate slice_of_row(float *y, float *all, integer row, integer cols, integer first) =
      y == all + ix(row,cols,first);
    // columns from .. to-1 of row r of y are those of x normalized
    predicate slice_ones{L0,L}(integer centered, integer affine, float *x, float *gamma,
      float *beta,
                               float *y, integer cols, real m, real t, integer r, integer from,
                               integer to) =
      \forall integer c; from <= c < to ==> \at(y[ix(r,cols,c)],L) ==
        NormOne{L0}(centered,affine,x,gamma,beta,m,t,c);
    // n columns, for which there are registers
    predicate slice_fits{L}(norm_slice s, integer n) = 0 <= n <= s.n && s.n <= mul(s.each,bdim_); */

/* The threads' sums of what they have, or of the squares. */
/*@ requires slice_ok(s,cols) && slice_regs(v) && slice_lanes(a) && slice_fits(s,n);
    requires slice_about{Pre,Pre}(v,x,m,s.first,n,mul(s.each,BDIM)) && (squares == 0 ==>
      is_zero(m));
    requires \separated(a + (0 .. BDIM-1), v + (0 .. SLICE_EACH*MAXB-1));
    assigns a[0 .. BDIM-1];
    ensures SumR(a,0,BDIM) == SliceSum{Pre}(squares,x,m,s.first,s.first+n); */
DEV void slice_add(PER_THREAD(float, a), PER_THREAD_OF(float, v), int squares,
                   norm_slice s GHOST_PARAMS(int cols, int n, float m, const float *x))
{
  /*@ loop invariant 0 <= t <= BDIM && zeros(a,t);
      loop assigns t, a[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(a, t) = 0.0f;
  //@ assert none: SumR(a,0,BDIM) == 0.0;
  //@ assert start: SliceSum{Pre}(squares,x,m,s.first,s.first) == 0.0;
  /*@ loop invariant 0 <= j <= s.each && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant SumR(a,0,BDIM) ==
        SliceSum{Pre}(squares,x,m,s.first,lesser(s.first+j0,s.first+n));
      loop assigns j, j0, a[0 .. BDIM-1];
      loop variant s.each - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < s.each; j++, j0 += s.threads) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && j0 + BDIM <= mul(s.each,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(a,0,BDIM) ==
          SliceSum{Pre}(squares,x,m,s.first,lesser(s.first+j0+t,s.first+n));
        loop assigns t, a[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      float u = REG(v, j, j0, t);
      //@ assert u == About{Pre}(x,m,s.first+(j0+t),s.first+n);
      u = squares ? u * u : u;
      //@ assert term: u == NormTerm(squares,About{Pre}(x,m,s.first+(j0+t),s.first+n));
      AT(a, t) += u;
      //@ assert only{LoopCurrent,Here}(a,t,BDIM);
      //@ assert adds: norm_adds{Pre}(squares,x,m,s.first+(j0+t),s.first+n);
      /*@ assert more: a[t] == \at(a[t],LoopCurrent) +
            (NormSum{Pre}(squares,x,m,lesser(s.first+j0+t+1,s.first+n)) -
             NormSum{Pre}(squares,x,m,lesser(s.first+j0+t,s.first+n))); */
    }
  }
}

/* The first n columns about m. */
/*@ requires slice_ok(s,cols) && slice_regs(v) && slice_fits(s,n);
    requires slice_about{Pre,Pre}(v,x,0.0,s.first,n,mul(s.each,BDIM));
    assigns v[0 .. SLICE_EACH*MAXB-1];
    ensures slice_about{Pre,Post}(v,x,m,s.first,n,mul(s.each,BDIM)); */
DEV void slice_center(PER_THREAD_OF(float, v), float m, int n,
                      norm_slice s GHOST_PARAMS(int cols, const float *x))
{
  /*@ loop invariant 0 <= j <= s.each && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant slice_about{Pre,Here}(v,x,m,s.first,n,j0);
      loop invariant slice_kept{Pre,Here}(v,j0,mul(s.each,BDIM));
      loop assigns j, j0, v[0 .. SLICE_EACH*MAXB-1];
      loop variant s.each - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < s.each; j++, j0 += s.threads) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && j0 + BDIM <= mul(s.each,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant slice_about{Pre,Here}(v,x,m,s.first,n,j0+t);
        loop invariant slice_kept{Pre,Here}(v,j0+t,mul(s.each,BDIM));
        loop assigns t, v[0 .. SLICE_EACH*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      float u = slice_has(j0, t, n) ? REG(v, j, j0, t) - m : 0.0f;
      //@ assert old: v[j0+t] == About{Pre}(x,0.0,s.first+(j0+t),s.first+n);
      //@ assert new: u == About{Pre}(x,m,s.first+(j0+t),s.first+n);
      REG(v, j, j0, t) = u;
      //@ assert kept: slice_about{Pre,Here}(v,x,m,s.first,n,j0+t);
      //@ assert rest: slice_kept{Pre,Here}(v,j0+t+1,mul(s.each,BDIM));
    }
  }
}

/* What thread t leaves of column j0 + t of the slice. */
/*@ requires slice_ok(s,cols) && 0 <= t < BDIM && 0 <= j < s.each && j0 == mul(j,BDIM);
    requires 0 <= j0 && j0 + t < s.n && \valid(y + (j0 + t));
    requires \forall integer k; slice_W(0,s.n,t,bdim_,k) ==> W(y+k);
    assigns y[j0 + t];
    ensures y[j0 + t] == u; */
DEV void slice_put1(int j, int j0, int t, float u,
                    float *RESTRICT y GHOST_PARAMS(norm_slice s, int cols))
{
  (void)j;
  //@ assert slice_lane(j0,bdim_,t);
  store_streaming(y + t + j0, u);
}

/*@ assigns \nothing;
    ensures \result == rmul(rmul(v,r),w) + (centered == 0 ? 0.0 : b); */
DEV float slice_one(int centered, float v, float r, float w, float b)
{
  v = v * r * w;
  return centered ? v + b : v;
}

/* The slice of a row, which is in v about its mean m, at y: row `row` of a tensor. */
/*@ requires slice_ok(s,cols) && slice_regs(v) && slice_regs(scale) && slice_regs(shift);
    requires slice_fits(s,s.n) && \valid(y + (0 .. s.n-1)) && perm(y,s.n);
    requires slice_of_row(y,all,row,cols,s.first);
    requires slice_about{Pre,Pre}(v,x,m,s.first,s.n,mul(s.each,BDIM));
    requires slice_either{Pre,Pre}(scale,gamma,affine,1.0,s.first,s.n,mul(s.each,BDIM));
    requires centered != 0 ==>
      slice_either{Pre,Pre}(shift,beta,centered,0.0,s.first,s.n,mul(s.each,BDIM));
    requires \separated(y + (0 .. s.n-1), v + (0 .. SLICE_EACH*MAXB-1));
    requires \separated(y + (0 .. s.n-1), scale + (0 .. SLICE_EACH*MAXB-1));
    requires \separated(y + (0 .. s.n-1), shift + (0 .. SLICE_EACH*MAXB-1));
    assigns y[0 .. s.n-1];
    ensures slice_ones{Pre,Post}(centered,affine,x,gamma,beta,all,cols,m,r,row,s.first,
                                 s.first+s.n); */
DEV void slice_put(PER_THREAD_OF(float, v), PER_THREAD_OF(float, scale),
                   PER_THREAD_OF(float, shift), int centered, float r, norm_slice s,
                   float *RESTRICT y GHOST_PARAMS(int cols, int affine, float m, const float *x,
                                                  const float *gamma, const float *beta, float *all,
                                                  idx row))
{
  /*@ loop invariant 0 <= j <= s.each && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant slice_ones{Pre,Here}(centered,affine,x,gamma,beta,all,cols,m,r,row,
                                          s.first,s.first+lesser(j0,s.n));
      loop assigns j, j0, y[0 .. s.n-1];
      loop variant s.each - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < s.each; j++, j0 += s.threads) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && j0 + BDIM <= mul(s.each,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant slice_ones{Pre,Here}(centered,affine,x,gamma,beta,all,cols,m,r,row,
                                            s.first,s.first+lesser(j0+t,s.n));
        loop assigns t, y[0 .. s.n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (slice_has(j0, t, s.n)) {
        //@ assert same: rd(v,j0+t) == rd{Pre}(v,j0+t);
        //@ assert hat: rd{Pre}(v,j0+t) == About{Pre}(x,m,s.first+(j0+t),s.first+s.n);
        //@ assert here: rd(v,j0+t) == rd{Pre}(x,s.first+(j0+t)) - m;
        //@ assert scale: rd(scale,j0+t) == Either{Pre}(gamma,affine,1.0,s.first+(j0+t));
        /*@ assert shift: centered != 0 ==>
              rd(shift,j0+t) == Either{Pre}(beta,centered,0.0,s.first+(j0+t)); */
        float u = slice_one(centered, REG(v, j, j0, t), r, REG(scale, j, j0, t),
                            centered ? REG(shift, j, j0, t) : 0.0f);
        //@ assert one: u == NormOne{Pre}(centered,affine,x,gamma,beta,m,r,s.first+(j0+t));
        slice_put1(j, j0, t, u, y GHOST_ARGS(s, cols));
        //@ assert cell: all[ix(row,cols,s.first+(j0+t))] == u;
        /*@ assert kept: slice_ones{Pre,Here}(centered,affine,x,gamma,beta,all,cols,m,r,row,
                                              s.first,s.first+(j0+t)); */
      }
  }
}
#endif
