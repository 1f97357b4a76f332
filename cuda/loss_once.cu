/* The loss of cross entropy along the rows of x, (rows, cols), each of which is read once and waits
 * nowhere: rows of any length. A block has a row, or several (rows_dealt.h); a row's loss goes to
 * part[row].
 *
 * A lane keeps the maximum m of what it has seen and the sum s of exp(x - m), and where m grows takes
 * s to the new one: s exp(m - m'). Where it stays that product is exact, exp(0) being 1. What this
 * adds to the roundings of the sum is in once_height. */
#include "loss_exps.h"
#include "loss_once.h"
#include "rows_dealt.h"

/* m starts below: finite, so that exp(-Inf - m) is 0. */
#define ONCE_LEAST -3.402823466e38f
#ifdef __FRAMAC__
#define ONCE_BOUNDS
#else
#define ONCE_BOUNDS __launch_bounds__(ONCE_BLOCK, 8)
#endif

/* Elements before the first aligned vector of a row that begins at element o of x. */
/*@ requires 0 <= o && (aligned != 0 ==> aligned16(x));
    assigns \nothing;
    ensures 0 <= \result < 4 && (aligned != 0 ==> aligned16(x + (o + \result))); */
DEV int once_head(idx o, int aligned GHOST_PARAMS(const float *x))
{
  int over = aligned ? (int)(o % 4) : 0;
  int head = over ? 4 - over : 0;
  //@ assert aligned != 0 ==> (o + head) % 4 == 0;
  return head;
}

/*@ predicate once_vecs{L}(float *in, integer n, integer aligned) =
      0 <= n && reads(in,4*n) && (aligned != 0 ==> aligned16(in)); */
/* Vector k of n. */
/*@ requires 0 <= k && once_vecs(in,n,aligned);
    assigns \nothing; */
DEV float4 once_load(idx k, idx n, int aligned, const float *RESTRICT in)
{
  float low = lowest();
  float4 v = {low, low, low, low};
  if (k < n && aligned) {
    v = LD4(in + 4 * k);
  } else if (k < n) {
    v.x = LDG(in + 4 * k);
    v.y = LDG(in + 4 * k + 1);
    v.z = LDG(in + 4 * k + 2);
    v.w = LDG(in + 4 * k + 3);
  }
  return v;
}

/* The sum of exp(x - top) over vector k, where it is one of n. */
/*@ assigns \nothing; */
DEV float once_part(idx k, idx n, float4 v, float top) { return k < n ? loss_four(v, top) : 0.0f; }

/* The lane's m becomes top >= m, and s takes `part`, a sum of exp(x - top). */
/*@ requires \valid(m + t) && \valid(s + t);
    assigns m[t], s[t]; */
DEV void once_add(LANE(float, m), LANE(float, s), int t, float top, float part)
{
  AT(s, t) = AT(s, t) * loss_term(AT(m, t), top) + part;
  AT(m, t) = top;
}

/* Vectors t, t + BDIM, .. of n. */
/*@ requires block && 0 <= t < BDIM && once_vecs(in,n,aligned);
    requires \valid(m + t) && \valid(s + t);
    assigns m[t], s[t]; */
DEV void once_vectors(LANE(float, m), LANE(float, s), int t, idx n, int aligned,
                      const float *RESTRICT in)
{
  /*@ loop invariant 0 <= k;
      loop assigns k, m[t], s[t];
      loop variant n - k; */
  for (idx k = t; k < n; k += ONCE_AHEAD * BDIM) {
    idx k1 = k + BDIM, k2 = k + 2 * BDIM, k3 = k + 3 * BDIM;
    float4 v0 = once_load(k, n, aligned, in), v1 = once_load(k1, n, aligned, in);
    float4 v2 = once_load(k2, n, aligned, in), v3 = once_load(k3, n, aligned, in);
    float top = loss_larger(loss_larger(AT(m, t), v0), v1);
    top = loss_larger(loss_larger(top, v2), v3);
    float p0 = once_part(k, n, v0, top), p1 = once_part(k1, n, v1, top);
    float p2 = once_part(k2, n, v2, top), p3 = once_part(k3, n, v3, top);
    once_add(m, s, t, top, (p0 + p1) + (p2 + p3));
  }
}

/*@ predicate once_row{L}(float *in, integer n, integer head, integer aligned) =
      0 < n && reads(in,n) && 0 <= head < 4 && (aligned != 0 ==> aligned16(in+head)); */
/* Up to 3 elements before the vectors and as many behind them, one a lane: the lane's number. */
/*@ requires 0 <= t < MAXB && 0 <= head < 4 && 0 <= vectors <= IDX_LIM;
    assigns \nothing;
    ensures 0 <= \result; */
DEV idx once_edge(int t, int head, idx vectors) { return t < head ? t : t + 4 * vectors; }

/*@ requires 0 <= edge && reads(in,n);
    assigns \nothing; */
DEV float once_at(idx edge, idx n, const float *RESTRICT in)
{
  return edge < n ? LDG(in + edge) : lowest();
}

/*@ requires \valid(m + t) && \valid(s + t);
    assigns m[t], s[t]; */
DEV void once_add_edge(LANE(float, m), LANE(float, s), int t, idx edge, idx n, float e)
{
  if (edge < n) {
    float top = larger(AT(m, t), e);
    once_add(m, s, t, top, loss_term(e, top));
  }
}

/* Of the first lane, the element that is hit. */
/*@ requires reads(in,n);
    assigns \nothing; */
DEV float once_hit(int t, idx c, idx n, const float *RESTRICT in)
{
  return t == 0 && 0 <= c && c < n ? ask(in + c) : 0.0f;
}

/*@ requires \valid_read(m + t) && \valid(s + t);
    assigns s[t]; */
DEV void once_rescale(LANE(float, m), LANE(float, s), int t, float top)
{
  AT(s, t) = AT(s, t) * loss_term(AT(m, t), top);
}

/* What the lane sees of the row. */
/*@ requires block && 0 <= t < BDIM && 0 <= head < 4 && 0 <= vectors <= IDX_LIM && reads(in,n);
    requires once_vecs(in+head,vectors,aligned) && \valid(m + t) && \valid(s + t);
    assigns m[t], s[t]; */
DEV void once_lane(LANE(float, m), LANE(float, s), int t, idx n, int head, idx vectors, int aligned,
                   const float *RESTRICT in)
{
  idx edge = once_edge(t, head, vectors);
  float e = once_at(edge, n, in);
  AT(m, t) = ONCE_LEAST;
  AT(s, t) = 0.0f;
  once_vectors(m, s, t, vectors, aligned, in + head);
  once_add_edge(m, s, t, edge, n, e);
}

/* One row of class c, the words s having been used by no lane since the last barrier. */
/*@ requires block && once_row(in,n,head,aligned) && \valid(part) && W(part);
    requires \valid(s + (0 .. 31)) && perm(s,32) && \separated(part, s + (0 .. 31));
    requires \separated(in + (0 .. n-1), s + (0 .. 31)) && \separated(in + (0 .. n-1), part);
    assigns *part, s[0 .. 31]; */
DEV void once_do(idx n, int head, int aligned, idx c, const float *RESTRICT in, float *part,
                 float *s)
{
  PRIVATE(float, m);
  PRIVATE(float, acc);
  PRIVATE(float, all);
  PRIVATE(float, xt);
  idx vectors = n > head ? (n - head) / 4 : 0;
  //@ assert most: 0 <= vectors <= IDX_LIM;
  //@ assert perm: perm_r(in,n) && (0 < vectors ==> head + 4*vectors <= n);
  //@ assert perm_vecs: \forall integer k; 0 <= k < 4*vectors ==> R(in+(head+k));
  //@ assert vecs: once_vecs(in+head,vectors,aligned);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, m[0 .. BDIM-1], acc[0 .. BDIM-1], all[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert reads(in,n) && block;
    once_lane(m, acc, t, n, head, vectors, aligned, in);
    AT(all, t) = AT(m, t);
  }
  float top = block_max(all, s);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, xt[0 .. BDIM-1], acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    AT(xt, t) = once_hit(t, c, n, in);
    once_rescale(m, acc, t, top);
  }
  float sum = block_sum(acc, s);
  if (sum < 0.5f)
    top = lowest(); /* they all are, and the sum only looks like one */
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, *part;
      loop variant BDIM - t; */
  LANES(t) loss_leave(t, 0 <= c && c < n ? 0 : -1, sum, AT(xt, t), top, part);
}

/*@ predicate once_tensors{L}(float *x, float *part, integer rows, integer cols, integer aligned) =
      0 < cols <= IDX_LIM && reads(x,ix(rows,cols,0)) && writes(part,rows) &&
      apart(x,ix(rows,cols,0),part,rows) && (aligned != 0 ==> aligned16(x)); */
/*@ requires block && once_tensors(x,part,rows,cols,aligned) && 0 <= r < rows;
    requires \valid_read(target + (0 .. rows-1)) && \valid(s + (0 .. 31)) && perm(s,32);
    requires \separated(x + (0 .. ix(rows,cols,0)-1), s + (0 .. 31));
    requires \separated(part + (0 .. rows-1), s + (0 .. 31));
    assigns part[r], s[0 .. 31]; */
DEV void once_nth(idx r, idx rows, idx cols, int aligned, const float *RESTRICT x,
                  const idx *RESTRICT target, float *RESTRICT part, float *s)
{
  idx o = at2(rows, cols, r, 0);
  //@ assert last: ix(r+1,cols,0) == o + cols && ix(r+1,cols,0) <= ix(rows,cols,0) && 0 <= o;
  int head = once_head(o, aligned GHOST_ARGS(x));
  //@ assert perm_x: perm_r(x,ix(rows,cols,0));
  //@ assert perm_p: perm_w(part,rows) && \valid(part+r);
  //@ assert perm_row: perm_r(x+o,cols) && W(part+r);
  //@ assert reads: reads(x+o,cols);
  //@ assert in: once_row(x+o,cols,head,aligned);
  idx c = ask_index(target + r);
  once_do(cols, head, aligned, c, x + o, part + r, s);
}

/* VEC: x is 16-byte aligned. */
/*@ requires block && once_tensors(x,part,rows,cols,VEC) && \valid_read(target + (0 .. rows-1));
    requires 0 < blocks <= IDX_LIM && ix(blocks,1,0) <= BLOCKS && dealt(rows,blocks,share,more);
    requires \separated(target + (0 .. rows-1), part + (0 .. rows-1));
    assigns part[0 .. rows-1]; */
TEMPLATE(int VEC)
KERNEL void ONCE_BOUNDS loss_once(CONSTANTS(int VEC) idx rows, idx cols, idx blocks, idx share,
                                  idx more, const float *RESTRICT x, const idx *RESTRICT target,
                                  float *RESTRICT part)
{
  SHARED(float, s, 32);
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, part[0 .. rows-1], s[0 .. 31];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    idx to = rows_before(b + 1, share, more GHOST_ARGS(rows, blocks));
    /*@ loop invariant 0 <= r <= rows;
        loop assigns r, part[0 .. rows-1], s[0 .. 31];
        loop variant rows - r; */
    for (idx r = rows_before(b, share, more GHOST_ARGS(rows, blocks)); r < to; r++)
      once_nth(r, rows, cols, VEC, x, target, part, s);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
extern "C" void LAUNCHER(loss_once)(void *stream, int vec, int64_t grid, int block, int64_t rows,
                                    int64_t cols, const float *x, const loss_call *call)
{
  if (vec)
    LAUNCH((loss_once<1>), grid, block, stream, rows, cols, (idx)grid, rows / grid, rows % grid, x,
           call->target, call->part);
  else
    LAUNCH((loss_once<0>), grid, block, stream, rows, cols, (idx)grid, rows / grid, rows % grid, x,
           call->target, call->part);
}
#endif
