/* Rescaling of thread-local exponentials: softmax and log_softmax of what threads keep of a row
 * (cluster_slice.h), once the row's sum about its maximum is known: a thread's exponentials want
 * one factor. */
#ifndef PM_LSE_THREAD_RESCALE_H
#define PM_LSE_THREAD_RESCALE_H
#include "cluster_slice.h"
#include "softmax_of_mass.h"
#include "soft_one.h"

/*@ // of v, that a thread with the maximum m keeps of an element x of a row that adds up to s about
    // top:
    // what is written, by which number, and what that is
    logic real OutBy(integer logs, real m, real top, real s) =
      logs == 0 ? rmul(\exp(m-top),rdiv(1.0,s)) : \log(s);
    logic real OutOf(integer logs, real v, real top, real by) =
      logs == 0 ? rmul(v,by) : v - top - by;
    logic real SoftAbout(integer logs, real x, real top, real s) =
      logs == 0 ? rdiv(ExpAbout(x,top),s) : x - top - \log(s);
    predicate keeps_for(integer keeps, integer logs) = keeps != 0 <==> logs == 0;
    lemma exp_moves: \forall real x, m, to; rmul(\exp(x-m),\exp(m-to)) == \exp(x-to);
    lemma rmul_ratio: \forall real e, f, s; s > 0.0 ==>
      rmul(e,rmul(f,rdiv(1.0,s))) == rdiv(rmul(e,f),s);
    lemma out_soft: \forall real x, m, top, s; s > 0.0 ==>
      rmul(\exp(x-m),rmul(\exp(m-top),rdiv(1.0,s))) == rdiv(ExpAbout(x,top),s);
    lemma out_log: \forall integer logs, keeps, real v, x, m, top, s, by; logs != 0 ==>
      keeps_for(keeps,logs) ==> v == Held(keeps,x,m) ==> by == OutBy(logs,m,top,s) ==>
      OutOf(logs,v,top,by) == SoftAbout(logs,x,top,s);
    lemma held_exp: \forall integer logs, keeps, real v, x, m; Lowest < x ==> logs == 0 ==>
      keeps_for(keeps,logs) ==> v == Held(keeps,x,m) ==> v == \exp(x-m);
    lemma out_exp: \forall integer logs, real x, m, top, s, by; logs == 0 ==> s > 0.0 ==>
      by == OutBy(logs,m,top,s) ==> OutOf(logs,\exp(x-m),top,by) == SoftAbout(logs,x,top,s);
    lemma out_is: \forall integer logs, keeps, real v, x, m, top, s, by; Lowest < x ==> s > 0.0 ==>
      keeps_for(keeps,logs) ==> v == Held(keeps,x,m) ==> by == OutBy(logs,m,top,s) ==>
      OutOf(logs,v,top,by) == SoftAbout(logs,x,top,s);
    lemma any_log{L}: \forall float *x, integer n, c, real m, s; 0 <= c < n ==> s > 0.0 ==>
      Mass(s,m) == Whole{L}(x,n) ==> x[c] - m - \log(s) == LogSoftmax{L}(x,n,c);
    lemma soft_is{L}: \forall integer logs, float *x, integer n, c, real m, s; 0 <= c < n ==>
      s > 0.0 ==> Mass(s,m) == Whole{L}(x,n) ==>
      SoftAbout(logs,rd{L}(x,c),m,s) == SoftOne{L}(logs,x,n,c); */

/*@ // of a thread's vector q
    predicate out_vec{L}(float4 v, integer logs, real top, real s, real by, float *x, integer q,
                         integer n) =
      (4*q < n ==> OutOf(logs,v.x,top,by) == SoftAbout(logs,x[4*q],top,s)) &&
      (4*q+1 < n ==> OutOf(logs,v.y,top,by) == SoftAbout(logs,x[4*q+1],top,s)) &&
      (4*q+2 < n ==> OutOf(logs,v.z,top,by) == SoftAbout(logs,x[4*q+2],top,s)) &&
      (4*q+3 < n ==> OutOf(logs,v.w,top,by) == SoftAbout(logs,x[4*q+3],top,s));
    predicate lanes_out{L0,L}(float4 *v, integer logs, real top, real s, float *by, float *x,
                              integer n, integer B, integer K) =
      \forall integer u, i; 0 <= u < B ==> 0 <= i < K ==>
        out_vec{L0}(\at(v[ix(i,B,u)],L),logs,top,s,rd{L}(by,u),x,ix(i,B,u),n);
    predicate lanes_by{L0,L}(float *by, integer logs, float *m, real top, real s, integer t) =
      \forall integer u; 0 <= u < t ==> rd{L}(by,u) == OutBy(logs,rd{L0}(m,u),top,s);
    lemma lanes_by_kept{L0,L1,L2}: \forall float *by, integer logs, float *m, real top, s,
      integer t; Same{L1,L2}(by,t) ==> lanes_by{L0,L1}(by,logs,m,top,s,t) ==>
      lanes_by{L0,L2}(by,logs,m,top,s,t);
    lemma lanes_by_next{L0,L}: \forall float *by, integer logs, float *m, real top, s,
      integer t; 0 <= t ==> lanes_by{L0,L}(by,logs,m,top,s,t) ==>
      rd{L}(by,t) == OutBy(logs,rd{L0}(m,t),top,s) ==> lanes_by{L0,L}(by,logs,m,top,s,t+1);
    lemma kept_out{L}: \forall float4 v, integer logs, keeps, real m, top, s, by, float *x,
      integer q, n; 0 <= q ==> s > 0.0 ==> above_lowest{L}(x,n) ==> keeps_for(keeps,logs) ==>
      kept_about{L}(v,keeps,m,x,q,n) ==> by == OutBy(logs,m,top,s) ==>
      out_vec{L}(v,logs,top,s,by,x,q,n);
    lemma ix_nonneg: \forall integer i, B, u; 0 <= i ==> 0 <= u < B ==> 0 <= ix(i,B,u);
    lemma lanes_kept_out{L0,L}: \forall float4 *v, integer logs, keeps, float *m, real top, s,
      float *by, *x, integer n, B, K; s > 0.0 ==> above_lowest{L0}(x,n) ==>
      keeps_for(keeps,logs) ==> lanes_kept{L0,L}(v,keeps,m,x,n,B,K) ==>
      lanes_by{L,L}(by,logs,m,top,s,B) ==> lanes_out{L0,L}(v,logs,top,s,by,x,n,B,K);
    predicate about_done{L0,L}(float *y, integer logs, float *x, real top, real s, integer n) =
      \forall integer c; 0 <= c < n ==> rd{L}(y,c) == SoftAbout(logs,rd{L0}(x,c),top,s);
    predicate about_at{L0,L}(float *y, integer logs, float *x, real top, real s, integer c,
                             integer n) =
      c < n ==> rd{L}(y,c) == SoftAbout(logs,rd{L0}(x,c),top,s);
    lemma about_next{L0,L}: \forall float *y, integer logs, float *x, real top, s, integer c, n;
      0 <= c ==> about_done{L0,L}(y,logs,x,top,s,lesser(c,n)) ==>
      about_at{L0,L}(y,logs,x,top,s,c,n) ==> about_done{L0,L}(y,logs,x,top,s,lesser(c+1,n));
    lemma about_4{L0,L}: \forall float *y, integer logs, float *x, real top, s, integer c, n;
      0 <= c ==> about_done{L0,L}(y,logs,x,top,s,lesser(c,n)) ==>
      about_at{L0,L}(y,logs,x,top,s,c,n) ==> about_at{L0,L}(y,logs,x,top,s,c+1,n) ==>
      about_at{L0,L}(y,logs,x,top,s,c+2,n) ==> about_at{L0,L}(y,logs,x,top,s,c+3,n) ==>
      about_done{L0,L}(y,logs,x,top,s,lesser(c+4,n)); */

/* 1 / s, or its logarithm. */
/*@ assigns \nothing;
    ensures s > 0.0 ==> \result == (logs == 0 ? rdiv(1.0,s) : \log(s)); */
DEV float out_closing(int logs, float s) { return logs ? pm_logf(s) : 1.0f / s; }

/*@ requires Lowest < m <= top && s > 0.0;
    requires closing == (logs == 0 ? rdiv(1.0,s) : \log(s));
    assigns \nothing;
    ensures \result == OutBy(logs,m,top,s); */
DEV float out_by(int logs, float m, float top, float closing GHOST_PARAMS(float s))
{
  float by = closing;
  if (!logs) {
    float e = loss_exp(m, top);
    by = e * closing;
    //@ assert e: e == \exp(m-top);
    //@ assert by: by == rmul(\exp(m-top),rdiv(1.0,s));
  }
  return by;
}

/* The threads' factors. */
/*@ requires block && s > 0.0 && once_under(m,top,BDIM) && once_lanes(m,by);
    assigns by[0 .. BDIM-1];
    ensures lanes_by{Pre,Post}(by,logs,m,top,s,BDIM) && Same{Pre,Post}(m,BDIM); */
DEV void out_by_all(PER_THREAD(float, by), PER_THREAD(float, m), int logs, float top, float s)
{
  const float closing = out_closing(logs, s);
  /*@ loop invariant 0 <= t <= BDIM && lanes_by{Pre,Here}(by,logs,m,top,s,t);
      loop invariant Same{Pre,Here}(m,BDIM);
      loop assigns t, by[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert away: \forall integer u; 0 <= u < BDIM ==> \separated(m + u, by + t);
    //@ assert m: rd(m,t) == rd{Pre}(m,t) && Lowest < m[t] <= top;
    AT(by, t) = out_by(logs, AT(m, t), top, closing GHOST_ARGS(s));
    //@ assert one: rd(by,t) == OutBy(logs,rd{Pre}(m,t),top,s);
    //@ assert same_by: Same{LoopCurrent,Here}(by,t);
    //@ assert old: lanes_by{Pre,Here}(by,logs,m,top,s,t);
  }
}

/*@ assigns \nothing; ensures \result == OutOf(logs,v,top,by); */
DEV float out_one(int logs, float v, float top, float by) { return logs ? v - top - by : v * by; }

/*@ assigns \nothing;
    ensures \result.x == OutOf(logs,v.x,top,by) && \result.y == OutOf(logs,v.y,top,by);
    ensures \result.z == OutOf(logs,v.z,top,by) && \result.w == OutOf(logs,v.w,top,by); */
DEV float4 out_four(int logs, float4 v, float top, float by)
{
  v.x = out_one(logs, v.x, top, by);
  v.y = out_one(logs, v.y, top, by);
  v.z = out_one(logs, v.z, top, by);
  v.w = out_one(logs, v.w, top, by);
  return v;
}

/* Vector j0 + t of the row. */
/*@ requires row_at(j0,t,n) && \valid(y + (0 .. n-1)) && perm_w(y,n);
    requires aligned != 0 ==> aligned16(y) && n % 4 == 0;
    requires \valid_read(x + (0 .. n-1)) && apart(x,n,y,n);
    requires out_vec{Pre}(v,logs,top,s,by,x,j0+t,n);
    requires about_done{Pre,Pre}(y,logs,x,top,s,lesser(4*(j0+t),n));
    assigns y[4*(j0+t) .. lesser(4*(j0+t)+4,n)-1];
    ensures about_done{Pre,Post}(y,logs,x,top,s,lesser(4*(j0+t)+4,n)) && Same{Pre,Post}(x,n); */
DEV void out_put(int logs, int j0, int t, int n, int aligned, float4 v, float top, float by,
                 float *RESTRICT y GHOST_PARAMS(float s, const float *x))
{
  float4 u = out_four(logs, v, top, by);
  row_store(j0, t, n, aligned, u, y);
  //@ assert old: about_done{Pre,Here}(y,logs,x,top,s,lesser(4*(j0+t),n));
  //@ assert a: about_at{Pre,Here}(y,logs,x,top,s,4*(j0+t),n);
  //@ assert b: about_at{Pre,Here}(y,logs,x,top,s,4*(j0+t)+1,n);
  //@ assert c: about_at{Pre,Here}(y,logs,x,top,s,4*(j0+t)+2,n);
  //@ assert d: about_at{Pre,Here}(y,logs,x,top,s,4*(j0+t)+3,n);
  //@ assert new: about_done{Pre,Here}(y,logs,x,top,s,lesser(4*(j0+t)+4,n));
}

/*@ // what stays while y is written
    predicate out_same{L1,L2}(float4 *v, float *by, float *x, integer n, integer B) =
      lanes_still{L1,L2}(v,B,0) && Same{L1,L2}(by,B) && Same{L1,L2}(x,n);
    lemma out_vec_frame{L1,L2}: \forall float4 v, integer logs, real top, s, by, float *x,
      integer q, n; 0 <= q ==> Same{L1,L2}(x,n) ==> out_vec{L1}(v,logs,top,s,by,x,q,n) ==>
      out_vec{L2}(v,logs,top,s,by,x,q,n);
    lemma lanes_out_frame{L1,L2,L}: \forall float4 *v, integer logs, real top, s, float *by, *x,
      integer n, B, K; Same{L1,L2}(x,n) ==> lanes_out{L1,L}(v,logs,top,s,by,x,n,B,K) ==>
      lanes_out{L2,L}(v,logs,top,s,by,x,n,B,K);
    lemma lanes_out_at{L0,L1,L2}: \forall float4 *v, integer logs, real top, s, float *by, *x,
      integer n, B, K, i, u; 0 <= u < B ==> 0 <= i < K ==> K <= KMAX ==>
      lanes_out{L0,L1}(v,logs,top,s,by,x,n,B,K) ==> lanes_still{L1,L2}(v,B,0) ==>
      Same{L1,L2}(by,B) ==>
      out_vec{L0}(\at(v[ix(i,B,u)],L2),logs,top,s,rd{L2}(by,u),x,ix(i,B,u),n);
    lemma about_frame{L1,L2,L}: \forall float *y, integer logs, float *x, real top, s, integer n, m;
      m <= n ==> Same{L1,L2}(x,n) ==> about_done{L1,L}(y,logs,x,top,s,m) ==>
      about_done{L2,L}(y,logs,x,top,s,m); */

/* The row, of what the threads keep. */
/*@ requires row_fits(K,n) && \valid(y + (0 .. n-1)) && perm_w(y,n);
    requires aligned != 0 ==> aligned16(y) && n % 4 == 0;
    requires \valid_read(x + (0 .. n-1)) && apart(x,n,y,n);
    requires \valid_read(v + (0 .. KMAX*MAXB-1)) && \valid_read(by + (0 .. BDIM-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), y + (0 .. n-1));
    requires \separated(by + (0 .. BDIM-1), y + (0 .. n-1));
    requires lanes_out{Pre,Pre}(v,logs,top,s,by,x,n,BDIM,K);
    assigns y[0 .. n-1];
    ensures about_done{Pre,Post}(y,logs,x,top,s,n) && Same{Pre,Post}(x,n); */
DEV void out_put_all(PER_THREADK(float4, v), PER_THREAD(float, by), int K, int logs, int n,
                     int aligned, float top,
                     float *RESTRICT y GHOST_PARAMS(float s, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant about_done{Pre,Here}(y,logs,x,top,s,lesser(4*j0,n));
      loop invariant out_same{Pre,Here}(v,by,x,n,BDIM);
      loop assigns j, j0, y[0 .. n-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert next: mul(j+1,BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant about_done{Pre,Here}(y,logs,x,top,s,lesser(4*(j0+t),n));
        loop invariant out_same{Pre,Here}(v,by,x,n,BDIM);
        loop assigns t, y[0 .. n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert at: ix(j,BDIM,t) == j0 + t && 0 <= j0 + t < KMAX*MAXB;
      //@ assert still: lanes_still{Pre,Here}(v,BDIM,0) && Same{Pre,Here}(by,BDIM);
      //@ assert same_x: Same{Pre,Here}(x,n);
      //@ assert out_pre: out_vec{Pre}(v[ix(j,BDIM,t)],logs,top,s,rd(by,t),x,ix(j,BDIM,t),n);
      //@ assert out: out_vec(v[j0+t],logs,top,s,by[t],x,j0+t,n);
      //@ assert done: about_done{Here,Here}(y,logs,x,top,s,lesser(4*(j0+t),n));
      /*@ assert away: \forall integer q; 0 <= q < KMAX*MAXB ==>
            \separated(v + q, y + (0 .. n-1)); */
      out_put(logs, j0, t, n, aligned, REG(v, j, j0, t), top, AT(by, t), y GHOST_ARGS(s, x));
      //@ assert also_x: Same{LoopCurrent,Here}(x,n);
      //@ assert also_by: Same{LoopCurrent,Here}(by,BDIM);
      //@ assert also_v: lanes_still{LoopCurrent,Here}(v,BDIM,0);
      //@ assert same: out_same{Pre,Here}(v,by,x,n,BDIM);
      //@ assert new: about_done{Pre,Here}(y,logs,x,top,s,lesser(4*(j0+t)+4,n));
    }
  }
}
#endif
