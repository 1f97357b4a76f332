/* softmax and log_softmax of rows of any size, which are read three times: block b does rows b,
 * b + blocks, ..; x and y are (rows, n). softmax.cu says when. */
#define ONE_WARP 1 /* see collective/block_sum.h */
#include "../collective/block_max.h"
#include "../row/regs.h"
#include "../row/even_share.h"
#include "row.h"

/*@ predicate stream_in{L}(float *x, integer n) =
      block && 0 < n <= IDX_LIM && \valid_read(x + (0 .. n-1)) && perm_r(x,n);
    predicate at_top{L0,L}(float *top, integer T, float *x, integer k, integer n) =
      k < n ==> \at(x[k],L0) <= RowMax{L}(top,T);
    lemma above_next{L0,L}: \forall float *top, integer T, float *x, integer k, n; 0 <= k ==>
      above{L0,L}(top,T,x,lesser(k,n)) ==> at_top{L0,L}(top,T,x,k,n) ==>
      above{L0,L}(top,T,x,lesser(k+1,n));
    lemma above_kept{L0,L1,L2}: \forall float *top, integer T, float *x, integer to;
      RowMax{L1}(top,T) <= RowMax{L2}(top,T) ==> above{L0,L1}(top,T,x,to) ==>
      above{L0,L2}(top,T,x,to);
    lemma exp_sum_next{L}: \forall float *x, real m, integer k, n; 0 <= k < n ==>
      ExpSum{L}(x,m,k+1,n) == ExpSum{L}(x,m,k,n) + \exp(x[k] - m);
    lemma exp_sum_past{L}: \forall float *x, real m, integer k, n; 0 <= n <= k ==>
      ExpSum{L}(x,m,k+1,n) == ExpSum{L}(x,m,k,n); */

/*@ requires stream_in(x,n) && \valid(top + (0 .. BDIM-1));
    requires \separated(top + (0 .. BDIM-1), x + (0 .. n-1));
    requires some_of{Pre,Pre}(top, BDIM, x, n);
    assigns top[0 .. BDIM-1];
    ensures RowMax(top, BDIM) == RowMax{Pre}(x, n); */
DEV void stream_max_all(PER_THREAD(float, top), idx n, const float *RESTRICT x)
{
  /*@ loop invariant 0 <= k0 <= n + BDIM;
      loop invariant some_of{Pre,Here}(top, BDIM, x, n);
      loop invariant above{Pre,Here}(top, BDIM, x, lesser(k0, n));
      loop assigns k0, top[0 .. BDIM-1];
      loop variant n - k0; */
  for (idx k0 = 0; k0 < n; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant some_of{Pre,Here}(top, BDIM, x, n);
        loop invariant above{Pre,Here}(top, BDIM, x, lesser(k0 + t, n));
        loop assigns t, top[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < n) {
        //@ assert row: rd{Pre}(x,k0+t) <= RowMax{Pre}(x, n);
        AT(top, t) = larger(AT(top, t), LDG(x + k0 + t));
        //@ assert some: top[t] <= RowMax{Pre}(x, n);
        //@ assert only: only{LoopCurrent,Here}(top, t, BDIM);
        //@ assert each: some_of{Pre,Here}(top, BDIM, x, n);
        //@ assert grows: at_most{LoopCurrent,Here}(top, BDIM);
        //@ assert max: \at(RowMax(top, BDIM),LoopCurrent) <= RowMax(top, BDIM);
        //@ assert one: top[t] <= RowMax(top, BDIM);
        //@ assert new: rd{Pre}(x,k0+t) <= top[t];
        //@ assert at: at_top{Pre,Here}(top, BDIM, x, k0 + t, n);
        //@ assert old: above{Pre,Here}(top, BDIM, x, lesser(k0 + t, n));
      }
  }
  //@ assert above{Pre,Here}(top, BDIM, x, n);
  //@ assert RowMax(top, BDIM) <= RowMax{Pre}(x, n);
  //@ assert RowMax{Pre}(x, n) <= RowMax(top, BDIM);
}

/* The row's maximum, for all lanes; s has 32 words. */
/*@ requires stream_in(x,n) && \valid(s + (0 .. 31)) && perm(s,32);
    requires \separated(s + (0 .. 31), x + (0 .. n-1));
    assigns s[0 .. 31];
    ensures \result == RowMax{Pre}(x, n); */
DEV float stream_max(idx n, const float *RESTRICT x, float *s)
{
  PRIVATE(float, top);
  /*@ loop invariant 0 <= t <= BDIM && Same{Pre,Here}(x,n);
      loop invariant \forall integer u; 0 <= u < t ==> top[u] == \at(x[0],Pre);
      loop assigns t, top[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(top, t) = LDG(x);
  //@ assert Same{Pre,Here}(x,n) && RowMax{Pre}(x, n) == RowMax(x, n);
  //@ assert x[0] <= RowMax(x, n);
  stream_max_all(top, n, x);
  return block_max(top, s);
}

/*@ assigns \nothing; ensures \result == \exp(x - m); */
DEV float stream_exp(float x, float m) { return pm_expf(x - m); }

/*@ requires \valid(acc + (0 .. BDIM-1)) && 0 <= t < BDIM && \valid_read(x + (0 .. n-1));
    requires 0 <= k < n && R(x+k) && \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    assigns acc[t];
    ensures only{Pre,Post}(acc, t, BDIM);
    ensures acc[t] == \old(acc[t]) + (ExpSum{Pre}(x,m,k+1,n) - ExpSum{Pre}(x,m,k,n)); */
DEV void stream_add(PER_THREAD(float, acc), int t, idx k, float m,
                    const float *RESTRICT x GHOST_PARAMS(idx n))
{
  AT(acc, t) += stream_exp(LDG(x + k), m);
}

/*@ requires stream_in(x,n) && \valid(acc + (0 .. BDIM-1)) && SumR(acc, 0, BDIM) == 0.0;
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == SumExp{Pre}(x,m,n); */
DEV void stream_add_all(PER_THREAD(float, acc), idx n, float m, const float *RESTRICT x)
{
  /*@ loop invariant 0 <= k0 <= n + BDIM;
      loop invariant SumR(acc, 0, BDIM) == ExpSum{Pre}(x, m, k0, n);
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant n - k0; */
  for (idx k0 = 0; k0 < n; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) == ExpSum{Pre}(x, m, k0 + t, n);
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < n) {
        //@ assert same: Same{Pre,Here}(x,n);
        //@ assert now: ExpSum(x, m, k0 + t, n) == ExpSum{Pre}(x, m, k0 + t, n);
        //@ assert next: ExpSum(x, m, k0 + t + 1, n) == ExpSum{Pre}(x, m, k0 + t + 1, n);
        stream_add(acc, t, k0 + t, m, x GHOST_ARGS(n));
        //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
        /*@ assert SumR(acc, 0, BDIM) == \at(SumR(acc, 0, BDIM),LoopCurrent) +
              (ExpSum{Pre}(x,m,k0+t+1,n) - ExpSum{Pre}(x,m,k0+t,n)); */
      }
  }
}

/* The sum of the row's exponentials, for all lanes. */
/*@ requires stream_in(x,n) && \valid(s + (0 .. 31)) && perm(s,32);
    requires \separated(s + (0 .. 31), x + (0 .. n-1));
    assigns s[0 .. 31];
    ensures \result == SumExp{Pre}(x,m,n); */
DEV float stream_sum(idx n, float m, const float *RESTRICT x, float *s)
{
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert Same{Pre,Here}(x,n) && SumExp{Pre}(x,m,n) == SumExp(x,m,n);
  stream_add_all(acc, n, m, x);
  return block_sum(acc, s);
}

/*@ assigns \nothing; ensures \result == Kept(logs,x,m); */
DEV float stream_kept(int logs, float x, float m)
{
  x = x - m;
  if (!logs)
    x = pm_expf(x);
  return x;
}

/*@ assigns \nothing; ensures \result == Put(logs,v,by); */
DEV float stream_close(int logs, float v, float by) { return logs ? v - by : v * by; }

/* What element x of a row becomes. */
/*@ assigns \nothing; ensures \result == Put(logs,Kept(logs,x,m),by); */
DEV float stream_one(int logs, float x, float m, float by)
{
  return stream_close(logs, stream_kept(logs, x, m), by);
}

/*@ requires stream_in(x,n) && \valid(y + (0 .. n-1)) && perm_w(y,n) && apart(x,n,y,n);
    assigns y[0 .. n-1];
    ensures soft_done{Pre,Post}(y, logs, x, m, by, n); */
DEV void stream_put(int logs, idx n, float m, float by, const float *RESTRICT x, float *RESTRICT y)
{
  /*@ loop invariant 0 <= k0 <= n + BDIM;
      loop invariant soft_done{Pre,Here}(y, logs, x, m, by, lesser(k0,n));
      loop assigns k0, y[0 .. n-1];
      loop variant n - k0; */
  for (idx k0 = 0; k0 < n; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant soft_done{Pre,Here}(y, logs, x, m, by, lesser(k0 + t,n));
        loop assigns t, y[0 .. n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < n) {
        //@ assert Same{Pre,Here}(x,n);
        STG(y + k0 + t, stream_one(logs, LDG(x + k0 + t), m, by));
        //@ assert y[k0+t] == Put(logs,Kept(logs,rd{Pre}(x,k0+t),m),by);
        //@ assert soft_done{Pre,Here}(y, logs, x, m, by, k0 + t);
      }
  }
}

/* One row; sm and ss have 32 words each. */
/*@ requires stream_in(x,n) && \valid(y + (0 .. n-1)) && perm_w(y,n) && apart(x,n,y,n);
    requires \valid(sm + (0 .. 31)) && perm(sm,32) && \valid(ss + (0 .. 31)) && perm(ss,32);
    requires \separated(sm + (0 .. 31), x + (0 .. n-1));
    requires \separated(ss + (0 .. 31), x + (0 .. n-1));
    requires \separated(sm + (0 .. 31), y + (0 .. n-1));
    requires \separated(ss + (0 .. 31), y + (0 .. n-1));
    assigns y[0 .. n-1], sm[0 .. 31], ss[0 .. 31];
    ensures \forall integer c; 0 <= c < n ==> y[c] == SoftOne{Pre}(logs,x,n,c); */
DEV void stream_row(int logs, idx n, const float *RESTRICT x, float *RESTRICT y, float *sm,
                    float *ss)
{
  float m, s, by;
  m = stream_max(n, x, sm);
  //@ assert Same{Pre,Here}(x,n) && m == RowMax{Pre}(x,n);
  s = stream_sum(n, m, x, ss);
  //@ assert Same{Pre,Here}(x,n) && s == SumExp{Pre}(x,m,n) && s > 0.0;
  by = soft_closing(logs, s);
  //@ ghost L0: ;
  stream_put(logs, n, m, by, x, y);
  //@ assert Same{Pre,L0}(x,n);
  /*@ assert here: \forall integer c; 0 <= c < n ==>
        y[c] == Put(logs,Kept(logs,\at(x[c],Pre),m),by); */
  /*@ assert one: \forall integer c; 0 <= c < n ==>
        Put(logs,Kept(logs,\at(x[c],Pre),m),by) == SoftOne{Pre}(logs,x,n,c); */
}

/*@ predicate soft_at{L0,L}(integer logs, float *x, float *y, integer cols, integer r) =
      \forall integer c; 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L) == SoftOne{L0}(logs,x+ix(r,cols,0),cols,c);
    predicate soft_rows{L0,L}(integer logs, float *x, float *y, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L) == SoftOne{L0}(logs,x+ix(r,cols,0),cols,c);
    predicate soft_same{L1,L2}(float *x, integer cols, integer r) =
      Same{L1,L2}(x+ix(r,cols,0),cols);
    lemma soft_at_frame{L1,L2,L}: \forall integer logs, float *x, *y, integer cols, r;
      soft_same{L1,L2}(x,cols,r) ==> soft_at{L1,L}(logs,x,y,cols,r) ==>
      soft_at{L2,L}(logs,x,y,cols,r);
    lemma soft_at_kept{L0,L1,L2}: \forall integer logs, float *x, *y, integer cols, n;
      same_rows{L1,L2}(y,cols,n) ==> soft_rows{L0,L1}(logs,x,y,cols,n) ==>
      soft_rows{L0,L2}(logs,x,y,cols,n);
    predicate stream_tensors{L}(float *x, float *y, integer rows, integer cols) =
      0 < cols <= IDX_LIM && reads(x,ix(rows,cols,0)) && writes(y,ix(rows,cols,0)) &&
      apart(x,ix(rows,cols,0),y,ix(rows,cols,0)); */

/* Row r. */
/*@ requires block && 0 <= r < rows && stream_tensors(x,y,rows,cols);
    requires \valid(sm + (0 .. 31)) && perm(sm,32) && \valid(ss + (0 .. 31)) && perm(ss,32);
    requires \separated(sm + (0 .. 31), x + (0 .. ix(rows,cols,0)-1));
    requires \separated(ss + (0 .. 31), x + (0 .. ix(rows,cols,0)-1));
    requires \separated(sm + (0 .. 31), y + (0 .. ix(rows,cols,0)-1));
    requires \separated(ss + (0 .. 31), y + (0 .. ix(rows,cols,0)-1));
    assigns y[0 .. ix(rows,cols,0)-1], sm[0 .. 31], ss[0 .. 31];
    ensures soft_at{Pre,Post}(logs,x,y,cols,r);
    ensures same_rows{Pre,Post}(y,cols,r);
    ensures Same{Pre,Post}(x,ix(rows,cols,0)); */
DEV void stream_nth(int logs, idx r, idx rows, idx cols, const float *RESTRICT x, float *RESTRICT y,
                    float *sm, float *ss)
{
  idx o = at2(rows, cols, r, 0);
  //@ assert last: ix(r+1,cols,0) == o + cols && ix(r+1,cols,0) <= ix(rows,cols,0) && 0 <= o;
  //@ assert perm_all: perm_r(x,ix(rows,cols,0)) && perm_w(y,ix(rows,cols,0));
  //@ assert perm_row: perm_r(x+o,cols) && perm_w(y+o,cols);
  //@ assert in: stream_in(x+o,cols);
  stream_row(logs, cols, x + o, y + o, sm, ss);
  //@ assert input: Same{Pre,Here}(x,ix(rows,cols,0));
  /*@ assert here: \forall integer c; 0 <= c < cols ==>
        y[o+c] == SoftOne{Pre}(logs,x+o,cols,c); */
  //@ assert cell: \forall integer c; 0 <= c < cols ==> ix(r,cols,c) == o+c;
  //@ assert new: soft_at{Pre,Here}(logs,x,y,cols,r);
}

/* LOGS: log_softmax. */
/*@ requires block && stream_tensors(x,y,rows,cols);
    requires 0 < blocks <= IDX_LIM && ix(blocks,1,0) <= BLOCKS && dealt(rows,blocks,share,more);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures soft_rows{Pre,Post}(LOGS,x,y,cols,rows); */
TEMPLATE(int LOGS)
KERNEL void soft_stream(CONSTANTS(int LOGS) idx rows, idx cols, idx blocks, idx share, idx more,
                        const float *RESTRICT x, float *RESTRICT y)
{
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  /*@ loop invariant 0 <= b <= blocks;
      loop invariant soft_rows{Pre,Here}(LOGS,x,y,cols,RowsBefore(b,share,more));
      loop invariant Same{Pre,Here}(x,ix(rows,cols,0));
      loop assigns b, y[0 .. ix(rows,cols,0)-1], sm[0 .. 31], ss[0 .. 31];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    idx to = rows_before(b + 1, share, more GHOST_ARGS(rows, blocks));
    /*@ loop invariant 0 <= r <= to && RowsBefore(b,share,more) <= r;
        loop invariant soft_rows{Pre,Here}(LOGS,x,y,cols,r);
        loop invariant Same{Pre,Here}(x,ix(rows,cols,0));
        loop assigns r, y[0 .. ix(rows,cols,0)-1], sm[0 .. 31], ss[0 .. 31];
        loop variant rows - r; */
    for (idx r = rows_before(b, share, more GHOST_ARGS(rows, blocks)); r < to; r++) {
      //@ assert all: Same{Pre,Here}(x,ix(rows,cols,0));
      //@ assert next: 0 <= ix(r,cols,0) && ix(r+1,cols,0) == ix(r,cols,0) + cols;
      //@ assert inside: ix(r+1,cols,0) <= ix(rows,cols,0);
      //@ assert row: soft_same{Pre,Here}(x,cols,r);
      stream_nth(LOGS, r, rows, cols, x, y, sm, ss);
      //@ assert value: soft_at{LoopCurrent,Here}(LOGS,x,y,cols,r);
      //@ assert same: soft_same{LoopCurrent,Pre}(x,cols,r);
      //@ assert new: soft_at{Pre,Here}(LOGS,x,y,cols,r);
      //@ assert old: soft_rows{Pre,Here}(LOGS,x,y,cols,r);
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "stream.h"

extern "C" void LAUNCHER(softmax_stream)(const pm_exec *ex, int logs, int64_t grid, int block,
                                         int64_t rows, int64_t cols, const float *x, float *y)
{
  if (logs)
    LAUNCH((soft_stream<1>), grid, block, ex->stream, rows, cols, (idx)grid, rows / grid,
           rows % grid, x, y);
  else
    LAUNCH((soft_stream<0>), grid, block, ex->stream, rows, cols, (idx)grid, rows / grid,
           rows % grid, x, y);
}
#endif
