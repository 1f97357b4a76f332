/* masked_softmax of rows of any size, which are read three times: a block has several of them
 * (row/even_share.h); x, b (the mask) and y are (rows, n). softmax.cu says when. */
#define ONE_WARP 1 /* see collective/block_sum.h */
#include "../collective/block_max.h"
#include "../row/even_share.h"
#include "masked_row.h"

/*@ predicate stream_in{L}(float *x, float *b, integer n) =
      block && 0 < n <= IDX_LIM && masked_in(x,b,n) && perm_r(x,n) && perm_r(b,n);
    predicate stream_lanes{L}(float *a, float *x, float *b, integer n) =
      \valid(a + (0 .. bdim_-1)) && \separated(a + (0 .. bdim_-1), x + (0 .. n-1)) &&
      \separated(a + (0 .. bdim_-1), b + (0 .. n-1));
    predicate stream_words{L}(float *s, float *x, float *b, integer n) =
      \valid(s + (0 .. 31)) && perm(s,32) && \separated(s + (0 .. 31), x + (0 .. n-1)) &&
      \separated(s + (0 .. 31), b + (0 .. n-1));
    lemma above_next{L0,L}: \forall float *top, integer T, float *x, *b, integer k, n; 0 <= k ==>
      above{L0,L}(top,T,x,b,lesser(k,n)) ==>
      seen_at{L0}(x,b,k,n,\at(RowMax(top,T),L)) ==> above{L0,L}(top,T,x,b,lesser(k+1,n));
    lemma above_kept{L0,L1,L2}: \forall float *top, integer T, float *x, *b, integer to;
      RowMax{L1}(top,T) <= RowMax{L2}(top,T) ==> above{L0,L1}(top,T,x,b,to) ==>
      above{L0,L2}(top,T,x,b,to); */

/* Element k counts for the maximum of lane t. */
/*@ requires stream_in(x,b,n) && stream_lanes(top,x,b,n) && 0 <= t < BDIM && 0 <= k < n;
    requires Lowest <= top[t] <= RowTop(x,b,n);
    assigns top[t];
    ensures only{Pre,Post}(top, t, BDIM) && \old(top[t]) <= top[t];
    ensures Lowest <= top[t] <= RowTop{Pre}(x,b,n) && seen_at{Pre}(x, b, k, n, top[t]); */
DEV void stream_top(PER_THREAD(float, top), int t, idx k, const float *RESTRICT x,
                    const float *RESTRICT b GHOST_PARAMS(idx n))
{
  AT(top, t) = larger_unmarked(AT(top, t), masked_enter(LDG(x + k), LDG(b + k)));
}

/*@ requires stream_in(x,b,n) && stream_lanes(top,x,b,n) && some_of{Pre,Pre}(top, BDIM, x, b, n);
    assigns top[0 .. BDIM-1];
    ensures RowMax(top, BDIM) == RowTop{Pre}(x, b, n); */
DEV void stream_max_all(PER_THREAD(float, top), idx n, const float *RESTRICT x,
                        const float *RESTRICT b)
{
  /*@ loop invariant 0 <= k0 <= n + BDIM;
      loop invariant some_of{Pre,Here}(top, BDIM, x, b, n);
      loop invariant above{Pre,Here}(top, BDIM, x, b, lesser(k0, n));
      loop assigns k0, top[0 .. BDIM-1];
      loop variant n - k0; */
  for (idx k0 = 0; k0 < n; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant some_of{Pre,Here}(top, BDIM, x, b, n);
        loop invariant above{Pre,Here}(top, BDIM, x, b, lesser(k0 + t, n));
        loop assigns t, top[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < n) {
        //@ assert same: Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n);
        //@ assert of: RowTop{Pre}(x,b,n) == RowTop(x,b,n);
        //@ assert in: no_mark(x,n);
        stream_top(top, t, k0 + t, x, b GHOST_ARGS(n));
        //@ assert only: only{LoopCurrent,Here}(top, t, BDIM);
        //@ assert grows: at_most{LoopCurrent,Here}(top, BDIM);
        //@ assert max: \at(RowMax(top, BDIM),LoopCurrent) <= RowMax(top, BDIM);
        //@ assert one: top[t] <= RowMax(top, BDIM);
        //@ assert some: some_of{Pre,Here}(top, BDIM, x, b, n);
        //@ assert seen: seen_at{Pre}(x, b, k0 + t, n, RowMax(top, BDIM));
        //@ assert old: above{Pre,Here}(top, BDIM, x, b, lesser(k0 + t, n));
      }
  }
  //@ assert all: above{Pre,Here}(top, BDIM, x, b, n);
  //@ assert under: all_under(top, BDIM, RowTop{Pre}(x, b, n));
  //@ assert at_most: RowMax(top, BDIM) <= RowTop{Pre}(x, b, n);
  //@ assert first: Lowest <= top[0] <= RowMax(top, BDIM);
  //@ assert tops: tops_under{Pre}(x, b, n, RowMax(top, BDIM));
  //@ assert at_least: RowTop{Pre}(x, b, n) <= RowMax(top, BDIM);
}

/* The row's largest open element, for all lanes; Lowest where there is none. */
/*@ requires stream_in(x,b,n) && stream_words(s,x,b,n);
    assigns s[0 .. 31];
    ensures \result == RowTop{Pre}(x, b, n); */
DEV float stream_max(idx n, const float *RESTRICT x, const float *RESTRICT b, float *s)
{
  PRIVATE(float, top);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant \forall integer u; 0 <= u < t ==> top[u] == Lowest;
      loop assigns t, top[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(top, t) = lowest();
  //@ assert Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n);
  //@ assert RowTop{Pre}(x, b, n) == RowTop(x, b, n);
  //@ assert no_mark(x,n);
  stream_max_all(top, n, x, b);
  return block_max(top, s);
}

/* Element k's exponential; -0 where it is blocked. */
/*@ requires 0 <= k < n && masked_in(x,b,n) && R(x+k) && R(b+k);
    assigns \nothing;
    ensures \result == OpenAt(x,b,m,k,n); */
DEV float stream_exp(idx k, float m, const float *RESTRICT x,
                     const float *RESTRICT b GHOST_PARAMS(idx n))
{
  //@ assert KeptOpen(Entered(x,b,k,n),m) == OpenAt(x,b,m,k,n);
  return masked_exp(masked_enter(LDG(x + k), LDG(b + k)), m);
}

/*@ requires stream_in(x,b,n) && stream_lanes(acc,x,b,n) && SumR(acc, 0, BDIM) == 0.0;
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == OpenSumExp{Pre}(x,b,m,n); */
DEV void stream_add_all(PER_THREAD(float, acc), idx n, float m, const float *RESTRICT x,
                        const float *RESTRICT b)
{
  /*@ loop invariant 0 <= k0 <= n + BDIM;
      loop invariant SumR(acc, 0, BDIM) == OpenSumExp{Pre}(x, b, m, lesser(k0, n));
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant n - k0; */
  for (idx k0 = 0; k0 < n; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) == OpenSumExp{Pre}(x, b, m, lesser(k0 + t, n));
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < n) {
        //@ assert same: Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n);
        //@ assert in: no_mark(x,n);
        float e = stream_exp(k0 + t, m, x, b GHOST_ARGS(n));
        //@ assert now: e == OpenAt{Pre}(x, b, m, k0 + t, n);
        //@ assert adds: open_adds{Pre}(x, b, m, k0 + t, n);
        AT(acc, t) += e;
        //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
        //@ assert acc[t] == \at(acc[t],LoopCurrent) + e;
      }
  }
}

/* The sum of the row's open exponentials, for all lanes. */
/*@ requires stream_in(x,b,n) && stream_words(s,x,b,n);
    assigns s[0 .. 31];
    ensures \result == OpenSumExp{Pre}(x,b,m,n); */
DEV float stream_sum(idx n, float m, const float *RESTRICT x, const float *RESTRICT b, float *s)
{
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n) && no_mark(x,n);
  //@ assert OpenSumExp{Pre}(x,b,m,n) == OpenSumExp(x,b,m,n);
  stream_add_all(acc, n, m, x, b);
  return block_sum(acc, s);
}

/*@ requires stream_in(x,b,n) && \valid(y + (0 .. n-1)) && perm_w(y,n);
    requires apart(x,n,y,n) && apart(b,n,y,n);
    assigns y[0 .. n-1];
    ensures masked_done{Pre,Post}(y, x, b, m, by, n, n); */
DEV void stream_put(idx n, float m, float by, const float *RESTRICT x, const float *RESTRICT b,
                    float *RESTRICT y)
{
  /*@ loop invariant 0 <= k0 <= n + BDIM;
      loop invariant masked_done{Pre,Here}(y, x, b, m, by, n, lesser(k0, n));
      loop assigns k0, y[0 .. n-1];
      loop variant n - k0; */
  for (idx k0 = 0; k0 < n; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant masked_done{Pre,Here}(y, x, b, m, by, n, lesser(k0 + t, n));
        loop assigns t, y[0 .. n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < n) {
        //@ assert same: Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n);
        //@ assert in: no_mark(x,n);
        float e = stream_exp(k0 + t, m, x, b GHOST_ARGS(n));
        //@ assert now: e == OpenAt{Pre}(x, b, m, k0 + t, n);
        STG(y + k0 + t, masked_share(e, by));
        //@ assert put: y[k0+t] == Shared{Pre}(x, b, m, by, n, k0 + t);
        //@ assert old: masked_done{Pre,Here}(y, x, b, m, by, n, k0 + t);
      }
  }
}

/* One row; sm and ss have 32 words each. */
/*@ requires stream_in(x,b,n) && \valid(y + (0 .. n-1)) && perm_w(y,n);
    requires apart(x,n,y,n) && apart(b,n,y,n);
    requires stream_words(sm,x,b,n) && stream_words(ss,x,b,n);
    requires \separated(sm + (0 .. 31), y + (0 .. n-1));
    requires \separated(ss + (0 .. 31), y + (0 .. n-1));
    assigns y[0 .. n-1], sm[0 .. 31], ss[0 .. 31];
    ensures \forall integer c; 0 <= c < n ==> y[c] == MaskedSoftmax{Pre}(x,b,n,c); */
DEV void stream_row(idx n, const float *RESTRICT x, const float *RESTRICT b, float *RESTRICT y,
                    float *sm, float *ss)
{
  float m, s, by;
  m = stream_max(n, x, b, sm);
  //@ assert Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n) && no_mark(x,n);
  //@ assert m == RowTop{Pre}(x,b,n);
  s = stream_sum(n, m, x, b, ss);
  //@ assert Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n) && no_mark(x,n);
  //@ assert s == OpenSumExp{Pre}(x,b,m,n);
  by = masked_closing(s);
  //@ ghost L0: ;
  stream_put(n, m, by, x, b, y);
  //@ assert Same{L0,Pre}(x,n) && Same{L0,Pre}(b,n);
  //@ assert stored: masked_done{L0,Here}(y, x, b, m, by, n, n);
  //@ assert row: masked_done{Pre,Here}(y, x, b, m, by, n, n);
  /*@ assert one: \forall integer c; 0 <= c < n ==>
        Shared{Pre}(x,b,m,by,n,c) == MaskedSoftmax{Pre}(x,b,n,c); */
}

/*@ predicate stream_tensors{L}(float *x, float *b, float *y, integer rows, integer cols) =
      0 < cols <= IDX_LIM && masked_tensors(x,b,y,rows,cols,0); */
/* Row r. */
/*@ requires block && 0 <= r < rows && stream_tensors(x,b,y,rows,cols);
    requires stream_words(sm,x,b,ix(rows,cols,0)) && stream_words(ss,x,b,ix(rows,cols,0));
    requires \separated(sm + (0 .. 31), y + (0 .. ix(rows,cols,0)-1));
    requires \separated(ss + (0 .. 31), y + (0 .. ix(rows,cols,0)-1));
    assigns y[0 .. ix(rows,cols,0)-1], sm[0 .. 31], ss[0 .. 31];
    ensures masked_at{Pre,Post}(x,b,y,cols,r);
    ensures same_rows{Pre,Post}(y,cols,r);
    ensures Same{Pre,Post}(x,ix(rows,cols,0)) && Same{Pre,Post}(b,ix(rows,cols,0)); */
DEV void stream_nth(idx r, idx rows, idx cols, const float *RESTRICT x, const float *RESTRICT b,
                    float *RESTRICT y, float *sm, float *ss)
{
  idx o = at2(rows, cols, r, 0);
  //@ assert last: ix(r+1,cols,0) == o + cols && ix(r+1,cols,0) <= ix(rows,cols,0) && 0 <= o;
  //@ assert perm_all: perm_r(x,ix(rows,cols,0)) && perm_r(b,ix(rows,cols,0));
  //@ assert perm_y: perm_w(y,ix(rows,cols,0));
  //@ assert perm_row: perm_r(x+o,cols) && perm_r(b+o,cols) && perm_w(y+o,cols);
  //@ assert unmarked: no_mark(x+o,cols);
  //@ assert in: stream_in(x+o,b+o,cols);
  stream_row(cols, x + o, b + o, y + o, sm, ss);
  //@ assert inputs: Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(b,ix(rows,cols,0));
  /*@ assert here: \forall integer c; 0 <= c < cols ==>
        y[o+c] == MaskedSoftmax{Pre}(x+o,b+o,cols,c); */
  //@ assert cell: \forall integer c; 0 <= c < cols ==> ix(r,cols,c) == o+c;
  //@ assert new: masked_at{Pre,Here}(x,b,y,cols,r);
}

/*@ requires block && stream_tensors(x,b,y,rows,cols);
    requires 0 < blocks <= IDX_LIM && ix(blocks,1,0) <= BLOCKS && dealt(rows,blocks,share,more);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures masked_rows{Pre,Post}(x,b,y,cols,rows); */
KERNEL void masked_stream(idx rows, idx cols, idx blocks, idx share, idx more,
                          const float *RESTRICT x, const float *RESTRICT b, float *RESTRICT y)
{
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  /*@ loop invariant 0 <= u <= blocks;
      loop invariant masked_rows{Pre,Here}(x,b,y,cols,RowsBefore(u,share,more));
      loop invariant Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(b,ix(rows,cols,0));
      loop assigns u, y[0 .. ix(rows,cols,0)-1], sm[0 .. 31], ss[0 .. 31];
      loop variant blocks - u; */
  BROWS(u, blocks, 1) {
    idx to = rows_before(u + 1, share, more GHOST_ARGS(rows, blocks));
    /*@ loop invariant 0 <= r <= to && RowsBefore(u,share,more) <= r;
        loop invariant masked_rows{Pre,Here}(x,b,y,cols,r);
        loop invariant Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(b,ix(rows,cols,0));
        loop assigns r, y[0 .. ix(rows,cols,0)-1], sm[0 .. 31], ss[0 .. 31];
        loop variant rows - r; */
    for (idx r = rows_before(u, share, more GHOST_ARGS(rows, blocks)); r < to; r++) {
      //@ assert all: Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(b,ix(rows,cols,0));
      //@ assert next: 0 <= ix(r,cols,0) && ix(r+1,cols,0) == ix(r,cols,0) + cols;
      //@ assert inside: ix(r+1,cols,0) <= ix(rows,cols,0);
      //@ assert row: masked_same{Pre,Here}(x,b,cols,r);
      //@ assert unmarked: no_mark(x,ix(rows,cols,0));
      stream_nth(r, rows, cols, x, b, y, sm, ss);
      //@ assert value: masked_at{LoopCurrent,Here}(x,b,y,cols,r);
      //@ assert same: masked_same{LoopCurrent,Pre}(x,b,cols,r);
      //@ assert new: masked_at{Pre,Here}(x,b,y,cols,r);
      //@ assert old: masked_rows{Pre,Here}(x,b,y,cols,r);
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "masked.h"

extern "C" void LAUNCHER(softmax_masked_stream)(const pm_exec *ex, int64_t grid, int block,
                                                int64_t rows, int64_t cols, const float *x,
                                                const float *mask, float *y)
{
  LAUNCH(masked_stream, grid, block, ex->stream, rows, cols, (idx)grid, rows / grid, rows % grid, x,
         mask, y);
}
#endif
