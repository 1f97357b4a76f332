/* Register tile: a row of n floats in the registers of a block, K vectors of four a thread:
 * vector q of it, elements 4q to 4q+3, is register q / BDIM of thread q % BDIM; what lies outside
 * the row is 0. And what is to know of a row of a tensor where a block has one. */
#ifndef PM_ROW_REGS_H
#define PM_ROW_REGS_H
#include "../lang/kernel.h"
#include "../math/lesser.h"

/*@ predicate row_fits(integer K, integer n) =
      block && 0 < K <= KMAX && 0 < n <= 4*mul(K,bdim_) && n <= 4*KMAX*MAXB;
    predicate row_in{L}(float *x, integer n, integer aligned) =
      \valid_read(x + (0 .. n-1)) && perm_r(x,n) &&
      (aligned != 0 ==> aligned16(x) && n % 4 == 0);
    // thread t has vector j0 + t, wherever that lies
    predicate row_at(integer j0, integer t, integer n) =
      0 <= j0 && 0 <= t && j0 + t < KMAX*MAXB && 0 < n <= 4*KMAX*MAXB;
    logic real Cell{L}(float *x, integer k, integer n) = k < n ? x[k] : 0.0;
    predicate row_vec{L}(float4 v, float *x, integer q, integer n) =
      v.x == Cell(x,4*q,n) && v.y == Cell(x,4*q+1,n) && v.z == Cell(x,4*q+2,n) &&
      v.w == Cell(x,4*q+3,n);
    predicate row_vecs{L0,L}(float4 *v, float *x, integer n, integer from, integer to) =
      \forall integer q; from <= q < to ==> row_vec{L0}(\at(v[q],L), x, q, n);
    lemma row_vecs_frame{L1,L2,L}: \forall float4 *v, float *x, integer n, from, to; 0 <= from ==>
      Same{L1,L2}(x,n) ==> row_vecs{L1,L}(v,x,n,from,to) ==> row_vecs{L2,L}(v,x,n,from,to);
    predicate but_vec{L1,L2}(float4 *v, integer at) =
      \forall integer q; q != at ==> \at(v[q],L1) == \at(v[q],L2);
    // what a thread writes of row r: its vectors q; threads of a block, and blocks, share none
    predicate row_W(integer q, integer n, integer k) = 4*q <= k < lesser(4*q+4,n);
    lemma race_row: \forall integer r, q, s, p, n, k; 0 <= q ==> 0 <= p ==> 0 < n ==>
      (r != s || q != p) ==> row_W(q,n,k-ix(r,n,0)) ==> !row_W(p,n,k-ix(s,n,0));
    lemma race_row_lane: \forall integer i, j, t, u, b; 0 <= t < b ==> 0 <= u < b ==> t != u ==>
      mul(i,b) + t != mul(j,b) + u; */

/*@ // a row of a tensor; the steps are there for the provers
    predicate reads_at(float *a, integer i) = R(a+i);
    predicate writes_at(float *a, integer i) = SOME_W(a+i);
    predicate reads_all(float *a, integer n) = \forall integer i; 0 <= i < n ==> reads_at(a,i);
    predicate writes_all(float *a, integer n) = \forall integer i; 0 <= i < n ==> writes_at(a,i);
    predicate same_read{L1,L2}(float *a, integer n) =
      \forall integer i; 0 <= i < n ==> rd{L1}(a,i) == rd{L2}(a,i);
    lemma reads_part: \forall float *a, integer o, i; reads_at(a,o+i) ==> reads_at(a+o,i);
    lemma writes_part: \forall float *a, integer o, i; writes_at(a,o+i) ==> writes_at(a+o,i);
    lemma read_part{L}: \forall float *a, integer o, i; rd{L}(a+o,i) == rd{L}(a,o+i);
    lemma perm_reads: \forall float *a, integer n, i; perm_r(a,n) ==> 0 <= i < n ==> reads_at(a,i);
    lemma perm_writes: \forall float *a, integer n, i; perm_w(a,n) ==> 0 <= i < n ==>
      writes_at(a,i);
    lemma same_reads{L1,L2}: \forall float *a, integer n, i; Same{L1,L2}(a,n) ==> 0 <= i < n ==>
      rd{L1}(a,i) == rd{L2}(a,i);
    lemma reads_row: \forall float *a, integer n, o, m; 0 <= o <= n - m ==> perm_r(a,n) ==>
      reads_all(a+o,m);
    lemma writes_row: \forall float *a, integer n, o, m; 0 <= o <= n - m ==> perm_w(a,n) ==>
      writes_all(a+o,m);
    lemma same_read_row{L1,L2}: \forall float *a, integer n, o, m; 0 <= o <= n - m ==>
      Same{L1,L2}(a,n) ==> same_read{L1,L2}(a+o,m);
    lemma reads_perm: \forall float *a, integer n; reads_all(a,n) ==> perm_r(a,n);
    lemma writes_perm: \forall float *a, integer n; writes_all(a,n) ==> perm_w(a,n);
    lemma read_same{L1,L2}: \forall float *a, integer n; same_read{L1,L2}(a,n) ==>
      Same{L1,L2}(a,n);
    lemma perm_r_row: \forall float *a, integer n, o, m; 0 <= o <= n - m ==> perm_r(a,n) ==>
      perm_r(a+o,m);
    lemma perm_w_row: \forall float *a, integer n, o, m; 0 <= o <= n - m ==> perm_w(a,n) ==>
      perm_w(a+o,m);
    lemma same_row{L1,L2}: \forall float *a, integer n, o, m; 0 <= o <= n - m ==>
      Same{L1,L2}(a,n) ==> Same{L1,L2}(a+o,m);
    predicate same_rows{L1,L2}(float *y, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L2) == \at(y[ix(r,cols,c)],L1); */

/* Whether element i of vector j0 + t is in the row; one answer for the four where it is aligned. */
/*@ requires row_at(j0,t,n) && 0 <= i < 4 && (aligned != 0 ==> n % 4 == 0);
    assigns \nothing;
    ensures \result != 0 <==> 4*(j0+t) + i < n; */
DEV int row_has(int j0, int t, int i, int n, int aligned)
{
  return 4 * j0 + (aligned ? 0 : i) < n - 4 * t;
}

/* Whether the row has vector j0 + t of every thread t: what a block asks as a whole. */
/*@ requires block && 0 <= j0 <= KMAX*MAXB && 0 < n <= 4*KMAX*MAXB;
    assigns \nothing;
    ensures \result != 0 <==> 4*(j0+bdim_) <= n; */
DEV int row_full(int j0, int n) { return 4 * j0 + 4 * BDIM <= n; }

/* Vector j0 + t of a row of n. */
/*@ requires row_in(x,n,aligned) && row_at(j0,t,n);
    assigns \nothing;
    ensures row_vec(\result, x, j0 + t, n); */
DEV float4 row_load(int j0, int t, int n, int aligned, const float *RESTRICT x)
{
  float4 v = {0, 0, 0, 0};
  const float *at = x + 4 * t;
  if (aligned) {
    if (row_has(j0, t, 0, n, aligned))
      v = LD4(at + 4 * j0);
  } else {
    if (row_has(j0, t, 0, n, aligned))
      v.x = LDG(at + 4 * j0);
    if (row_has(j0, t, 1, n, aligned))
      v.y = LDG(at + 4 * j0 + 1);
    if (row_has(j0, t, 2, n, aligned))
      v.z = LDG(at + 4 * j0 + 2);
    if (row_has(j0, t, 3, n, aligned))
      v.w = LDG(at + 4 * j0 + 3);
  }
  return v;
}

/*@ requires row_fits(K,n) && row_in(x,n,aligned) && \valid(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures row_vecs{Pre,Post}(v, x, n, 0, mul(K,BDIM)); */
DEV void row_load_all(PER_THREADK(float4, v), int K, int n, int aligned, const float *RESTRICT x)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant row_vecs{Pre,Here}(v, x, n, 0, j0);
      loop invariant Same{Pre,Here}(x,n);
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant row_vecs{Pre,Here}(v, x, n, 0, j0 + t);
        loop invariant Same{Pre,Here}(x,n);
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      float4 u = row_load(j0, t, n, aligned, x);
      //@ assert row_vec{Pre}(u, x, j0 + t, n) && j0 + t < KMAX*MAXB;
      REG(v, j, j0, t) = u;
      //@ assert Same{LoopCurrent,Here}(x,n);
      //@ assert row_vec{Pre}(v[j0+t], x, j0 + t, n);
      //@ assert row_vecs{Pre,Here}(v, x, n, 0, j0 + t);
    }
  }
}

/*@ requires row_at(j0,t,n) && \valid(y + (0 .. n-1));
    requires aligned != 0 ==> aligned16(y) && n % 4 == 0;
    requires \forall integer k; row_W(j0+t,n,k) ==> W(y+k);
    assigns y[4*(j0+t) .. lesser(4*(j0+t)+4,n)-1];
    ensures 4*(j0+t) < n ==> y[4*(j0+t)] == v.x;
    ensures 4*(j0+t)+1 < n ==> y[4*(j0+t)+1] == v.y;
    ensures 4*(j0+t)+2 < n ==> y[4*(j0+t)+2] == v.z;
    ensures 4*(j0+t)+3 < n ==> y[4*(j0+t)+3] == v.w; */
DEV void row_store(int j0, int t, int n, int aligned, float4 v, float *RESTRICT y THREAD_FN)
{
  float *at = y + 4 * t;
  if (aligned) {
    if (row_has(j0, t, 0, n, aligned))
      ST4(at + 4 * j0, v);
  } else {
    if (row_has(j0, t, 0, n, aligned))
      STG(at + 4 * j0, v.x);
    //@ assert 4*(j0+t) < n ==> y[4*(j0+t)] == v.x;
    if (row_has(j0, t, 1, n, aligned))
      STG(at + 4 * j0 + 1, v.y);
    //@ assert 4*(j0+t)+1 < n ==> y[4*(j0+t)+1] == v.y;
    if (row_has(j0, t, 2, n, aligned))
      STG(at + 4 * j0 + 2, v.z);
    //@ assert 4*(j0+t)+2 < n ==> y[4*(j0+t)+2] == v.z;
    if (row_has(j0, t, 3, n, aligned))
      STG(at + 4 * j0 + 3, v.w);
  }
}
#endif
