/* Reductions: sum and its VJP. */
#include "kernel.h"
#include "block.h"

/* ---- sum: block b adds up vectors b*chunk .. of x into out[b], in registers and then across its
 * lanes; the last block takes the n - 4V elements after the vectors too. A second launch, of
 * one block, adds up what the first wrote. ---- */
#define SUM_DEPTH 4 /* loads that a lane has in flight */

/*@ // v is vector q of x, or zeros from hi on
    predicate vector{L}(float4 v, float *x, integer q, integer hi) =
      q < hi ? v.x == x[4*q] && v.y == x[4*q+1] && v.z == x[4*q+2] && v.w == x[4*q+3]
             : is_zero(v.x) && is_zero(v.y) && is_zero(v.z) && is_zero(v.w);
    predicate vectors{L0,L}(float4 *v, float *x, integer k0, integer hi, integer n) =
      \forall integer c; 0 <= c < n ==> vector{L0}(\at(v[c],L), x, k0 + c, hi);
    logic integer least(integer a, integer b) = a < b ? a : b;
    // what vectors lo .. q-1 add up to, those from hi on being zeros
    logic real VecSum{L}(float *x, integer lo, integer q, integer hi) =
      SumR{L}(x, 4*lo, 4*least(q,hi));
    lemma vec_step{L}: \forall float *x, integer lo, q, hi; 0 <= lo <= q < hi ==>
      VecSum{L}(x,lo,q+1,hi) ==
        VecSum{L}(x,lo,q,hi) + (x[4*q] + x[4*q+1] + x[4*q+2] + x[4*q+3]);
    lemma vec_end{L}: \forall float *x, integer lo, q, hi; hi <= q ==>
      VecSum{L}(x,lo,q+1,hi) == VecSum{L}(x,lo,q,hi);
    lemma vec_join{L}: \forall float *x, integer lo, k, q, hi; 0 <= lo <= k <= q ==> k <= hi ==>
      VecSum{L}(x,lo,q,hi) == VecSum{L}(x,lo,k,hi) + VecSum{L}(x,k,q,hi);
    predicate sum_reads{L}(float *x, integer n, integer V, integer aligned) =
      reads(x,n) && 0 <= 4*V <= n && (aligned != 0 ==> aligned16(x)); */
/*@ requires sum_reads(x,4*hi,hi,aligned) && 0 <= q <= 2*IDX_LIM;
    assigns \nothing;
    ensures vector(\result, x, q, hi); */
DEV float4 sum_load(idx q, idx hi, int aligned, const float *RESTRICT x)
{
  float4 v = {0, 0, 0, 0};
  if (q < hi && aligned)
    v = LD4(x + 4 * q);
  else if (q < hi) {
    v.x = LDG(x + 4 * q);
    v.y = LDG(x + 4 * q + 1);
    v.z = LDG(x + 4 * q + 2);
    v.w = LDG(x + 4 * q + 3);
  }
  return v;
}

/* SUM_DEPTH vectors of each lane, from vector k0 on. */
/*@ requires block && sum_reads(x,4*hi,hi,aligned) && 0 <= k0 <= IDX_LIM;
    requires \valid(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. 4*hi-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures vectors{Pre,Post}(v, x, k0, hi, SUM_DEPTH*BDIM); */
DEV void sum_load_all(LANEK(float4, v), idx k0, idx hi, int aligned, const float *RESTRICT x)
{
  /*@ loop invariant 0 <= j <= SUM_DEPTH && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant vectors{Pre,Here}(v, x, k0, hi, j0) && Same{Pre,Here}(x,4*hi);
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant SUM_DEPTH - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < SUM_DEPTH; j++, j0 += BDIM) {
    //@ assert mul(SUM_DEPTH, BDIM) == SUM_DEPTH*BDIM && j0 + BDIM <= SUM_DEPTH*BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant vectors{Pre,Here}(v, x, k0, hi, j0 + t) && Same{Pre,Here}(x,4*hi);
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    LANES(t) {
      float4 u = sum_load(k0 + j0 + t, hi, aligned, x);
      //@ assert vector{Pre}(u, x, k0 + j0 + t, hi);
      REG(v, j, j0, t) = u;
      //@ assert vector{Pre}(v[j0+t], x, k0 + j0 + t, hi);
      //@ assert vectors{Pre,Here}(v, x, k0, hi, j0 + t);
    }
  }
  //@ assert mul(SUM_DEPTH, BDIM) == SUM_DEPTH*BDIM;
}

/*@ requires block && 0 <= k0 < hi && sum_reads(x,4*hi,hi,0);
    requires \valid_read(v + (0 .. KMAX*MAXB-1));
    requires vectors{Pre,Pre}(v, x, k0, hi, SUM_DEPTH*BDIM);
    requires \valid(acc + (0 .. BDIM-1)) && \separated(acc + (0 .. BDIM-1), x + (0 .. 4*hi-1));
    requires \separated(acc + (0 .. BDIM-1), v + (0 .. KMAX*MAXB-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) ==
      \old(SumR(acc, 0, BDIM)) + VecSum{Pre}(x, k0, k0 + SUM_DEPTH*BDIM, hi); */
DEV void sum_add_all(LANE(float, acc),
                     LANEK(float4, v) GHOST_PARAMS(idx k0, idx hi, const float *x))
{
  /*@ loop invariant 0 <= j <= SUM_DEPTH && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant SumR(acc, 0, BDIM) ==
        \at(SumR(acc, 0, BDIM),Pre) + VecSum{Pre}(x, k0, k0 + j0, hi);
      loop assigns j, j0, acc[0 .. BDIM-1];
      loop variant SUM_DEPTH - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < SUM_DEPTH; j++, j0 += BDIM) {
    //@ assert mul(SUM_DEPTH, BDIM) == SUM_DEPTH*BDIM && j0 + BDIM <= SUM_DEPTH*BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) ==
          \at(SumR(acc, 0, BDIM),Pre) + VecSum{Pre}(x, k0, k0 + j0 + t, hi);
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    LANES(t) {
      float4 u = REG(v, j, j0, t);
      //@ assert vector{Pre}(u, x, k0 + j0 + t, hi);
      AT(acc, t) += (u.x + u.y) + (u.z + u.w);
      //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
      /*@ assert (u.x + u.y) + (u.z + u.w) ==
            VecSum{Pre}(x, k0, k0 + j0 + t + 1, hi) - VecSum{Pre}(x, k0, k0 + j0 + t, hi); */
      /*@ assert acc[t] == \at(acc[t],LoopCurrent) +
            (VecSum{Pre}(x, k0, k0 + j0 + t + 1, hi) - VecSum{Pre}(x, k0, k0 + j0 + t, hi)); */
    }
  }
  //@ assert mul(SUM_DEPTH, BDIM) == SUM_DEPTH*BDIM;
}

/* The elements from .. n-1, which are no whole vector. */
/*@ requires block && 0 <= from <= n && reads(x,n);
    requires \valid(acc + (0 .. BDIM-1)) && \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == \old(SumR(acc, 0, BDIM)) + SumR{Pre}(x, from, n); */
DEV void sum_add_rest(LANE(float, acc), idx from, idx n, const float *RESTRICT x)
{
  /*@ loop invariant from <= k0 <= n + BDIM;
      loop invariant SumR(acc, 0, BDIM) ==
        \at(SumR(acc, 0, BDIM),Pre) + SumR{Pre}(x, from, least(k0,n));
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant n - k0; */
  for (idx k0 = from; k0 < n; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) ==
          \at(SumR(acc, 0, BDIM),Pre) + SumR{Pre}(x, from, least(k0 + t,n));
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    LANES(t)
      if (k0 + t < n) {
        AT(acc, t) += LDG(x + k0 + t);
        //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
        /*@ assert acc[t] == \at(acc[t],LoopCurrent) +
              (SumR{Pre}(x, from, k0 + t + 1) - SumR{Pre}(x, from, k0 + t)); */
      }
  }
}

/*@ requires t == 0 ==> \valid(p) && W(p);
    assigns *p;
    ensures *p == (t == 0 ? v : \old(*p)); */
DEV void put_first(int t, float *p, float v)
{
  if (t == 0)
    STG(p, v);
}

/* *to = the sum of vectors lo .. hi-1 and of elements from .. n-1. */
/*@ requires block && 0 <= lo <= hi && 4*hi <= n && 0 <= from <= n && sum_reads(x,n,hi,aligned);
    requires \valid(to) && W(to) && apart(x,n,to,1);
    assigns *to;
    ensures *to == SumR{Pre}(x, 4*lo, 4*hi) + SumR{Pre}(x, from, n); */
DEV void sum_range(idx lo, idx hi, idx from, idx n, int aligned, const float *RESTRICT x,
                   float *RESTRICT to)
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  float total;
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, BDIM) == 0.0;
  /*@ loop invariant lo <= k0 <= hi + SUM_DEPTH*BDIM && Same{Pre,Here}(x,n);
      loop invariant SumR(&acc[0], 0, BDIM) == VecSum{Pre}(x, lo, k0, hi);
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant hi - k0; */
  for (idx k0 = lo; k0 < hi; k0 += SUM_DEPTH * BDIM) {
    PRIVATEK(float4, v);
    sum_load_all(v, k0, hi, aligned, x);
    //@ assert Same{Pre,Here}(x,n);
    //@ assert Same{LoopCurrent,Here}(&acc[0], BDIM);
    //@ assert SumR(&acc[0], 0, BDIM) == VecSum{Pre}(x, lo, k0, hi);
    //@ assert Same{Pre,Here}(x, 4*least(k0 + SUM_DEPTH*BDIM,hi));
    /*@ assert VecSum(x, k0, k0 + SUM_DEPTH*BDIM, hi) ==
               VecSum{Pre}(x, k0, k0 + SUM_DEPTH*BDIM, hi); */
    sum_add_all(acc, v GHOST_ARGS(k0, hi, x));
  }
  //@ assert Same{Pre,Here}(x,n) && SumR(&acc[0], 0, BDIM) == SumR{Pre}(x, 4*lo, 4*hi);
  //@ assert SumR(x, from, n) == SumR{Pre}(x, from, n);
  sum_add_rest(acc, from, n, x);
  //@ assert SumR(&acc[0], 0, BDIM) == SumR{Pre}(x, 4*lo, 4*hi) + SumR{Pre}(x, from, n);
  total = block_sum(acc, s);
  //@ assert total == SumR{Pre}(x, 4*lo, 4*hi) + SumR{Pre}(x, from, n);
  /*@ loop invariant 0 <= t <= BDIM && (0 < t ==> *to == total);
      loop assigns t, *to;
      loop variant BDIM - t; */
  LANES(t) put_first(t, to, total);
}

/*@ requires block && 0 < chunk && 0 < blocks && sum_reads(x,n,V,aligned) && writes(out,blocks);
    requires apart(x,n,out,blocks) && ix(blocks,chunk,0) <= IDX_LIM && ix(blocks,1,0) <= BLOCKS;
    requires ix(blocks-1,chunk,0) <= V <= ix(blocks,chunk,0);
    assigns out[0 .. blocks-1];
    ensures SumR(out, 0, blocks) == Sum{Pre}(x, n); */
KERNEL void sum_blocks(idx n, idx V, idx chunk, idx blocks, int aligned, const float *RESTRICT x,
                       float *RESTRICT out)
{
  /*@ loop invariant 0 <= b <= blocks && Same{Pre,Here}(x,n);
      loop invariant SumR(out, 0, b) ==
        (b < blocks ? SumR{Pre}(x, 0, 4*ix(b,chunk,0)) : SumR{Pre}(x, 0, n));
      loop assigns b, out[0 .. blocks-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    idx lo = at2(blocks, chunk, b, 0), hi = V - lo < chunk ? V : lo + chunk;
    //@ assert b < blocks - 1 ==> ix(b+1,chunk,0) == lo + chunk && lo + chunk <= V;
    sum_range(lo, hi, b == blocks - 1 ? 4 * V : n, n, aligned, x, out + b);
    //@ assert Same{Pre,Here}(x,n) && SumR(out, 0, b) == SumR{Pre}(x, 0, 4*lo);
    //@ assert b < blocks - 1 ==> hi == ix(b+1,chunk,0) && out[b] == SumR{Pre}(x, 4*lo, 4*hi);
    /*@ assert b == blocks - 1 ==>
          hi == V && out[b] == SumR{Pre}(x, 4*lo, 4*V) + SumR{Pre}(x, 4*V, n); */
    //@ assert SumR{Pre}(x, 0, 4*lo) + SumR{Pre}(x, 4*lo, 4*hi) == SumR{Pre}(x, 0, 4*hi);
    //@ assert SumR{Pre}(x, 0, 4*V) + SumR{Pre}(x, 4*V, n) == SumR{Pre}(x, 0, n);
    //@ assert SumR(out, 0, b+1) == SumR(out, 0, b) + out[b];
  }
}

/*@ assigns \nothing; ensures \result == First(g); */
DEV float given_f(float g) { return g; }

#define MAP_NAME sum_vjp_map
#define MAP_INPUTS 1
#define MAP_ONE
#define MAP_F0 given_f
#define MAP_L0 First
#define MAP_ADDS
#include "map.h"

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "map_launch.h"

#include <string.h>

enum { BLOCK = 256, MOST_BLOCKS = 1056 }; /* eight blocks on each of 132 processors */

/* Vectors of a block: whole rounds of its lanes, few enough blocks to be added up by one. */
static idx sum_chunk(idx V)
{
  idx chunk = V / MOST_BLOCKS + 1;
  if (V <= 16 * BLOCK)
    return V > 0 ? V : 1;
  chunk = chunk < 4 * BLOCK ? 4 * BLOCK : chunk;
  return (chunk + BLOCK - 1) / BLOCK * BLOCK;
}

static idx sum_n_blocks(idx V, idx chunk) { return V <= chunk ? 1 : (V - 1) / chunk + 1; }

/* Additions above an element: in its vector, along its lane, the first to 0, after it the
 * rest's rounds, then 5 across the warp and 3 across the block's 8 warps. */
static double sum_block_height(idx vectors, idx rest)
{
  idx rounds = vectors / BLOCK + (vectors % BLOCK != 0);
  idx more = rest / BLOCK + (rest % BLOCK != 0);
  return (double)(rounds ? 2 + rounds - 1 + more : more ? more - 1 : 0) + 8;
}

static double sum_height(idx n)
{
  idx V = n / 4, chunk = sum_chunk(V), blocks = sum_n_blocks(V, chunk);
  double height = sum_block_height(chunk < V ? chunk : V, n - 4 * V);
  return blocks == 1 ? height : height + sum_block_height(blocks / 4, blocks % 4);
}

static void declare_sum(const int64_t *size, pm_arith *out)
{
  out->height[0] = sum_height(size[0]);
}

static const pm_kernel ROWS[] = {
    {"sum", "vec4", MAP_WHEN, PM_VALUE, declare_sum},
    {"sum", "scalar", "always", PM_VALUE, declare_sum},
    MAP_ROWS("sum_vjp", declare_none),
};

static size_t workspace(const char *op, const int64_t *size)
{
  idx V = size[0] / 4, blocks = sum_n_blocks(V, sum_chunk(V));
  return strcmp(op, "sum") || blocks == 1 ? 0 : (size_t)blocks * sizeof(float);
}

extern "C" pm_status LAUNCHER(sum)(pm_exec *ex, int64_t n, const float *x, float *y)
{
  pm_check c = pm_begin("sum", ex);
  int variant, aligned;
  idx V, chunk, blocks;
  pm_size(&c, "n", n);
  pm_in(&c, "x", x, n, sizeof *x);
  pm_out(&c, "y", y, 1, sizeof *y);
  pm_work(&c, c.status == PM_OK ? workspace("sum", &n) : 0);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  variant = PM_PICK(&c, ex, ROWS, pm_aligned16(x) ? 3u : 2u);
  if (variant < 0)
    return c.status;
  aligned = variant == 0;
  V = n / 4;
  chunk = sum_chunk(V);
  blocks = sum_n_blocks(V, chunk);
  if (blocks == 1)
    LAUNCH(sum_blocks, 1, BLOCK, ex->stream, n, V, chunk, (idx)1, aligned, x, y);
  else {
    float *part = (float *)ex->work;
    LAUNCH(sum_blocks, blocks, BLOCK, ex->stream, n, V, chunk, blocks, aligned, x, part);
    LAUNCH(sum_blocks, 1, BLOCK, ex->stream, blocks, blocks / 4, blocks / 4 + 1, (idx)1, 1, part,
           y);
  }
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(sum_vjp)(pm_exec *ex, int accumulate, int64_t n, const float *g,
                                       float *dx)
{
  pm_check c = pm_begin("sum_vjp", ex);
  map_grid grid;
  pm_flag(&c, "accumulate", accumulate);
  pm_size(&c, "n", n);
  pm_in(&c, "g", g, 1, sizeof *g);
  pm_out(&c, "dx", dx, n, sizeof *dx);
  grid = map_plan(&c, ex, ROWS, sizeof ROWS / sizeof *ROWS, n, MAP_SHARE1, pm_aligned16(dx));
  if (grid.blocks)
    LAUNCH(sum_vjp_map, grid.blocks, MAP_BLOCK, ex->stream, n, grid.V, accumulate, 0.0f, 0.0f, g,
           NULL, NULL, dx, NULL);
  return pm_launched(&c);
}

PM_FAMILY(reduce, ROWS, workspace);
#endif
