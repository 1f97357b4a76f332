/* The VJPs of softmax, log_softmax and masked_softmax for rows of any length, each of which a block
 * reads twice: y, g and dx are (rows, cols). Block b does rows b*chunk, b*chunk + 1, ..; thread t of
 * it elements t, t + BDIM, .. softmax.cu says when. */
#include "../collective/block_sum.h"
#include "vjp_row.h"

/*@ predicate stream_in{L}(float *y, float *g, integer n) =
      0 < n <= IDX_LIM && pull_in(y,g,n) && perm_r(y,n) && perm_r(g,n);
    predicate stream_words{L}(float *s, float *y, float *g, integer n) =
      \valid(s + (0 .. 31)) && perm(s,32) && apart(y,n,s,32) && apart(g,n,s,32);
    // blocks have no row in common, and lanes no element
    lemma race_stream: \forall integer b, c, k, l, chunk; 0 <= k < chunk ==> 0 <= l < chunk ==>
      b != c ==> ix(b,chunk,k) != ix(c,chunk,l);
    lemma race_stream_lane: \forall integer i, j, t, u, b; 0 <= t < b ==> 0 <= u < b ==> t != u ==>
      ix(i,b,t) != ix(j,b,u); */

/*@ requires block && stream_in(y,g,n);
    requires \valid(acc + (0 .. BDIM-1)) && SumR(acc, 0, BDIM) == 0.0;
    requires \separated(acc + (0 .. BDIM-1), y + (0 .. n-1));
    requires \separated(acc + (0 .. BDIM-1), g + (0 .. n-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == PullSum{Pre}(op,y,g,n); */
DEV void stream_add_all(PER_THREAD(float, acc), int op, idx n, const float *RESTRICT y,
                        const float *RESTRICT g)
{
  /*@ loop invariant 0 <= k0 <= n + BDIM;
      loop invariant SumR(acc, 0, BDIM) == PullSum{Pre}(op, y, g, lesser(k0,n));
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant n - k0; */
  for (idx k0 = 0; k0 < n; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) == PullSum{Pre}(op, y, g, lesser(k0 + t,n));
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < n) {
        float p = pull_part(op, LDG(y + k0 + t), LDG(g + k0 + t));
        //@ assert y: rd(y,k0 + t) == Cell{Pre}(y,k0 + t,n);
        //@ assert g: rd(g,k0 + t) == Cell{Pre}(g,k0 + t,n);
        //@ assert part: p == PullPart(op, Cell{Pre}(y,k0 + t,n), Cell{Pre}(g,k0 + t,n));
        //@ assert adds: pull_adds{Pre}(op, y, g, k0 + t, n);
        AT(acc, t) += p;
        //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
        //@ assert acc[t] == \at(acc[t],LoopCurrent) + p;
      }
  }
}

/* The sum of the row's parts, for all lanes. */
/*@ requires block && stream_in(y,g,n) && stream_words(s,y,g,n);
    assigns s[0 .. 31];
    ensures \result == PullSum{Pre}(op,y,g,n); */
DEV float stream_sum(int op, idx n, const float *RESTRICT y, const float *RESTRICT g, float *s)
{
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert Same{Pre,Here}(y,n) && Same{Pre,Here}(g,n);
  //@ assert PullSum{Pre}(op,y,g,n) == PullSum(op,y,g,n);
  stream_add_all(acc, op, n, y, g);
  return block_sum(acc, s);
}

/* Element c of dx. */
/*@ requires 0 <= c < n && stream_in(y,g,n) && \valid(dx + (0 .. n-1)) && R(dx+c) && W(dx+c);
    requires apart(y,n,dx,n) && apart(g,n,dx,n);
    assigns dx[c];
    ensures dx[c] == PulledOne{Pre}(op,adds,y,g,dx,s,c); */
DEV void stream_put(int op, int adds, idx c, float s, const float *RESTRICT y,
                    const float *RESTRICT g, float *RESTRICT dx GHOST_PARAMS(idx n))
{
  float d = pull_one(op, LDG(y + c), LDG(g + c), s);
  STG(dx + c, adds ? LDG(dx + c) + d : d);
}

/*@ predicate same_cell{L1,L2}(float *a, integer c) = \at(a[c],L1) == \at(a[c],L2);
    lemma pulled_one_frame{L1,L2}: \forall integer op, adds, float *y, *g, *dx, real s,
      integer c, n; 0 <= c < n ==> Same{L1,L2}(y,n) ==> Same{L1,L2}(g,n) ==>
      same_cell{L1,L2}(dx,c) ==>
      PulledOne{L1}(op,adds,y,g,dx,s,c) == PulledOne{L2}(op,adds,y,g,dx,s,c);
    predicate stream_out{L}(float *dx, float *y, float *g, integer n) =
      stream_in(y,g,n) && \valid(dx + (0 .. n-1)) && perm(dx,n) && apart(y,n,dx,n) &&
      apart(g,n,dx,n); */
/*@ requires block && stream_out(dx,y,g,n);
    assigns dx[0 .. n-1];
    ensures pulled_row{Pre,Post}(dx, op, adds, y, g, s, n); */
DEV void stream_put_all(int op, int adds, idx n, float s, const float *RESTRICT y,
                        const float *RESTRICT g, float *RESTRICT dx)
{
  /*@ loop invariant 0 <= k0 <= n + BDIM;
      loop invariant pulled_row{Pre,Here}(dx, op, adds, y, g, s, lesser(k0,n));
      loop invariant left_row{Pre,Here}(dx, lesser(k0,n), n);
      loop assigns k0, dx[0 .. n-1];
      loop variant n - k0; */
  for (idx k0 = 0; k0 < n; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant pulled_row{Pre,Here}(dx, op, adds, y, g, s, lesser(k0 + t,n));
        loop invariant left_row{Pre,Here}(dx, lesser(k0 + t,n), n);
        loop assigns t, dx[0 .. n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < n) {
        //@ assert Same{Pre,Here}(y,n) && Same{Pre,Here}(g,n);
        //@ assert dx: same_cell{Pre,Here}(dx, k0 + t);
        /*@ assert one: PulledOne(op,adds,y,g,dx,s,k0 + t) ==
              PulledOne{Pre}(op,adds,y,g,dx,s,k0 + t); */
        stream_put(op, adds, k0 + t, s, y, g, dx GHOST_ARGS(n));
        //@ assert put: rd(dx,k0 + t) == PulledOne{Pre}(op,adds,y,g,dx,s,k0 + t);
        //@ assert old: pulled_row{Pre,Here}(dx, op, adds, y, g, s, k0 + t);
        //@ assert left: left_row{Pre,Here}(dx, k0 + t + 1, n);
      }
  }
}

/* One row. */
/*@ requires block && stream_out(dx,y,g,n) && stream_words(s,y,g,n) && apart(dx,n,s,32);
    assigns dx[0 .. n-1], s[0 .. 31];
    ensures \forall integer c; 0 <= c < n ==>
      dx[c] == plus(adds,\at(dx[c],Pre),RowVjp{Pre}(op,y,g,n,c)); */
DEV void stream_row(int op, int adds, idx n, const float *RESTRICT y, const float *RESTRICT g,
                    float *RESTRICT dx, float *s)
{
  float sum = stream_sum(op, n, y, g, s);
  //@ ghost L0: ;
  //@ assert sum == PullSum{Pre}(op,y,g,n);
  //@ assert Same{Pre,L0}(y,n) && Same{Pre,L0}(g,n) && Same{Pre,L0}(dx,n);
  //@ assert Same{L0,Pre}(y,n) && Same{L0,Pre}(g,n) && Same{L0,Pre}(dx,n);
  stream_put_all(op, adds, n, sum, y, g, dx);
  //@ assert here: pulled_row{L0,Here}(dx, op, adds, y, g, sum, n);
  //@ assert row: pulled_row{Pre,Here}(dx, op, adds, y, g, sum, n);
  /*@ assert all: \forall integer c; 0 <= c < n ==>
        dx[c] == plus(adds,\at(dx[c],Pre),Pulled(op,\at(y[c],Pre),\at(g[c],Pre),sum)); */
}

/* Row r of a tensor. */
/*@ requires block && 0 < cols && 0 <= r < rows && pull_tensors(y,g,dx,rows,cols,0);
    requires stream_words(s,y,g,ix(rows,cols,0)) && apart(dx,ix(rows,cols,0),s,32);
    assigns dx[0 .. ix(rows,cols,0)-1], s[0 .. 31];
    ensures pulled_at{Pre,Post}(op,adds,y,g,dx,cols,r);
    ensures same_rows{Pre,Post}(dx,cols,r);
    ensures rows_left{Pre,Post}(dx,cols,r+1,rows); */
DEV void stream_nth(int op, int adds, idx r, idx rows, idx cols, const float *RESTRICT y,
                    const float *RESTRICT g, float *RESTRICT dx, float *s)
{
  idx o = at2(rows, cols, r, 0);
  //@ assert next: ix(r+1,cols,0) == ix(r,cols,0) + cols && ix(r+1,cols,0) <= ix(rows,cols,0);
  //@ assert inside: 0 <= o && o + cols <= ix(rows,cols,0);
  //@ assert perm_all: perm_r(y,ix(rows,cols,0)) && perm_r(g,ix(rows,cols,0));
  //@ assert perm_dx: perm_r(dx,ix(rows,cols,0)) && perm_w(dx,ix(rows,cols,0));
  //@ assert perm_in: perm_r(y+o,cols) && perm_r(g+o,cols);
  //@ assert perm_out: perm_r(dx+o,cols) && perm_w(dx+o,cols);
  //@ assert out: stream_out(dx+o,y+o,g+o,cols);
  //@ assert words: stream_words(s,y+o,g+o,cols) && apart(dx+o,cols,s,32);
  /*@ assert below: \forall integer q, c; 0 <= q < r ==> 0 <= c < cols ==>
        0 <= ix(q,cols,c) < ix(r,cols,0); */
  /*@ assert above: \forall integer q, c; r < q < rows ==> 0 <= c < cols ==>
        ix(r,cols,0) + cols <= ix(q,cols,c) < ix(rows,cols,0); */
  //@ ghost L0: ;
  stream_row(op, adds, cols, y + o, g + o, dx + o, s);
  //@ assert same: same_rows{L0,Here}(dx,cols,r);
  //@ assert left: rows_left{L0,Here}(dx,cols,r+1,rows);
  /*@ assert here: \forall integer c; 0 <= c < cols ==>
        dx[o+c] == plus(adds,\at(dx[o+c],L0),RowVjp{L0}(op,y+o,g+o,cols,c)); */
  //@ assert first: o == ix(r,cols,0);
  //@ assert cell: \forall integer c; 0 <= c < cols ==> ix(r,cols,c) == ix(r,cols,0) + c;
  //@ assert new: pulled_at{L0,Here}(op,adds,y,g,dx,cols,r);
}

//@ logic integer stream_row0(integer b, integer chunk, integer rows) = lesser(ix(b,chunk,0),rows);
/*@ requires block && 0 < cols && 0 <= rows <= IDX_LIM && 0 < chunk && 0 < blocks;
    requires ix(blocks,1,0) <= BLOCKS && ix(blocks,chunk,0) <= IDX_LIM;
    requires ix(blocks-1,chunk,0) <= rows <= ix(blocks,chunk,0);
    requires pull_tensors(y,g,dx,rows,cols,0);
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures pull_rows{Pre,Post}(OP,accumulate,y,g,dx,cols,rows); */
TEMPLATE(int OP)
KERNEL void softmax_vjp_stream(CONSTANTS(int OP) int accumulate, idx blocks, idx chunk, idx rows,
                               idx cols, const float *RESTRICT y, const float *RESTRICT g,
                               float *RESTRICT dx)
{
  /*@ loop invariant 0 <= b <= blocks;
      loop invariant pull_rows{Pre,Here}(OP,accumulate,y,g,dx,cols,stream_row0(b,chunk,rows));
      loop invariant rows_left{Pre,Here}(dx,cols,stream_row0(b,chunk,rows),rows);
      loop assigns b, dx[0 .. ix(rows,cols,0)-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    SHARED(float, s, 32);
    idx lo = at2(blocks, chunk, b, 0), hi = rows - lo < chunk ? rows : lo + chunk;
    //@ assert from: lo == stream_row0(b,chunk,rows);
    //@ assert to: ix(b+1,chunk,0) == lo + chunk && hi == stream_row0(b+1,chunk,rows);
    /*@ loop invariant lo <= r <= hi;
        loop invariant pull_rows{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
        loop invariant rows_left{Pre,Here}(dx,cols,r,rows);
        loop assigns r, dx[0 .. ix(rows,cols,0)-1], s[0 .. 31];
        loop variant hi - r; */
    for (idx r = lo; r < hi; r++) {
      //@ assert all: Same{Pre,Here}(y,ix(rows,cols,0)) && Same{Pre,Here}(g,ix(rows,cols,0));
      //@ assert next: 0 <= ix(r,cols,0) && ix(r+1,cols,0) == ix(r,cols,0) + cols;
      //@ assert inside: ix(r+1,cols,0) <= ix(rows,cols,0);
      //@ assert row: pull_same{LoopCurrent,Pre}(y,g,dx,cols,r);
      stream_nth(OP, accumulate, r, rows, cols, y, g, dx, s);
      //@ assert value: pulled_at{LoopCurrent,Here}(OP,accumulate,y,g,dx,cols,r);
      //@ assert new: pulled_at{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
      //@ assert old: pull_rows{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
      //@ assert left: rows_left{Pre,Here}(dx,cols,r+1,rows);
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "../host/table.h"
#include "vjp_stream.h"

extern "C" void LAUNCHER(softmax_vjp_stream)(const pm_exec *ex, int op, int64_t grid, int block,
                                             int accumulate, int64_t rows, int64_t cols,
                                             const float *y, const float *g, float *dx)
{
  int64_t chunk = divide_up(rows, grid), blocks = divide_up(rows, chunk);
#define RUN(OP)                                                                                    \
  LAUNCH(softmax_vjp_stream<OP>, blocks, block, ex->stream, accumulate, blocks, chunk, rows, cols, \
         y, g, dx)
  WITH_OP(RUN, op);
#undef RUN
}
#endif
