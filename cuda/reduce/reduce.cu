/* Reductions: sum and mean, and both and the maximum over an axis; their VJPs. */
#include "../lang/owned.h"
#include "../sum/block_range.h"

/* ---- sum: block b adds up vectors b*chunk .. of x into out[b]; the last block takes the n - 4V
 * elements after the vectors too. A second launch, of one block, adds up what the first wrote; that
 * of a mean divides. ---- */

/*@ requires block && 0 < chunk && 0 < blocks && sum_reads(x,n,V,aligned) && own_firsts(out,blocks);
    requires apart(x,n,out,blocks) && ix(blocks,chunk,0) <= IDX_LIM && ix(blocks,1,0) <= BLOCKS;
    requires ix(blocks-1,chunk,0) <= V <= ix(blocks,chunk,0);
    assigns out[0 .. blocks-1];
    ensures SumR(out, 0, blocks) == Sum{Pre}(x, n); */
KERNEL void sum_blocks(idx n, idx V, idx chunk, idx blocks, int aligned, const float *RESTRICT x,
                       float *RESTRICT out)
{
  await_launches();
  others_may_start();
  /*@ loop invariant 0 <= b <= blocks && Same{Pre,Here}(x,n);
      loop invariant SumR(out, 0, b) ==
        (b < blocks ? SumR{Pre}(x, 0, 4*ix(b,chunk,0)) : SumR{Pre}(x, 0, n));
      loop assigns b, out[0 .. blocks-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    idx lo = at2(blocks, chunk, b, 0), hi = V - lo < chunk ? V : lo + chunk;
    //@ assert b < blocks - 1 ==> ix(b+1,chunk,0) == lo + chunk && lo + chunk <= V;
    block_put(sum_range(lo, hi, b == blocks - 1 ? 4 * V : n, n, aligned, x),
              out + b IN_BLOCK_OF(b));
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
#include "../map/map.h"

/*@ logic real Shared(real g, real hi, real lo) = rdiv(g, hi + lo); */
/* g / n, n = hi + lo, which are two floats because a kernel of map/map.h takes no other numbers. */
/*@ assigns \nothing; ensures \result == Shared(g,hi,lo); */
DEV float shared_f(float g, float hi, float lo)
{
  return lo == 0.0f ? g / hi : over(g, (double)hi + lo);
}

#define MAP_NAME mean_vjp_map
#define MAP_INPUTS 1
#define MAP_PARAMS 2
#define MAP_ONE
#define MAP_F0 shared_f
#define MAP_L0 Shared
#define MAP_ADDS
#include "../map/map.h"

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
/* -------------------------------------------------- launchers */
#include "../map/map_launch.h"
#include "../sum/plan.h"

/*@ requires 0 <= n <= IDX_LIM;
    assigns \nothing;
    ensures 0 <= \result <= 4*SUM_MOST_BLOCKS && \result % 4 == 0;
    ensures SumBlocks(n/4,SumChunk(n/4)) != 1 ==>
      \result == 4*SumBlocks(n/4,SumChunk(n/4)); */
static size_t sum_workspace(idx n) { return (size_t)sum_parts(n) * sizeof(float); }
#endif

#ifndef __FRAMAC__
#include "vjp_launch.h"
#include "tall_plan.h"

#include <string.h>

static void declare_sum(const int64_t *size, pm_arith *out)
{
  out->height[0] = sum_height(size[0]);
}

static void declare_axis_vec4(const int64_t *size, pm_arith *out)
{
  out->height[0] = reduce_height(size[0], size[1], size[2], 1);
}

static void declare_axis_scalar(const int64_t *size, pm_arith *out)
{
  out->height[0] = reduce_height(size[0], size[1], size[2], 0);
}

static void declare_axis_tall(const int64_t *size, pm_arith *out)
{
  out->height[0] = tall_height(size[0], size[1], size[2]);
}

/* The variants over an axis: narrow is what is left. */
enum { TALL, COLS4, COLS1, ROWS4, ROWS1, NARROW };
#define AXIS_ALIGNED "x and y 16-byte aligned"
#define AXIS_COLS "inner > 1, inner >= 32 or n inner < 64"
#define AXIS_VJP_WHEN "dx, and x where the op reads it, 16-byte aligned"
#define AXIS_ROWS(op)                                                                             \
  {op, "tall", "n > 32, inner >= 32, inner % 4 = 0, " AXIS_ALIGNED, PM_VALUE, declare_axis_tall}, \
      {op, "cols4", AXIS_COLS ", inner % 4 = 0, " AXIS_ALIGNED, PM_VALUE, declare_axis_vec4},     \
      {op, "cols", AXIS_COLS, PM_VALUE, declare_axis_scalar},                                     \
      {op, "rows4", "inner 1, " AXIS_ALIGNED, PM_VALUE, declare_axis_vec4},                       \
      {op, "rows", "inner 1", PM_VALUE, declare_axis_scalar},                                     \
  {                                                                                               \
    op, "narrow", "1 < inner < 32, n inner >= 64", PM_VALUE, declare_axis_scalar                  \
  }
#define AXIS_VJP_ROWS(op, level) \
  {op, "vec4", AXIS_VJP_WHEN, level, declare_none}, { op, "scalar", "always", level, declare_none }
/* What a variant buys, on an H200 in one run (docs/results/h200-2026-11-26; (a) of
 * h200-2026-11-25/columns.txt):
 *   sum vec4            64.9 us for scalar's 65.8 at 2^26; mean 63.3 for 66.8
 *   sum_vjp vec4        59.9 us for scalar's 319 at 2^26
 *   sum_axis tall       66.1 us for cols4's 68.3 at 1 x 8192 x 8192; (a) 14.5 for 18.3 at
 *                       1 x 8192 x 1024
 *   sum_axis cols4      68.3 us for cols' 71.8 at 1 x 8192 x 8192; cols takes any address
 *   sum_axis rows4      34.3 us for rows' 35.7 at 8192 x 4096, 376 for 388 at 8192 x 50257
 *   sum_axis narrow     the only one for columns too few for cols and too many for rows
 *   sum_axis_vjp vec4   62.8 us for scalar's 61.3 at 8192 x 8192: nothing, where it was timed
 *   max_axis_vjp rows   65.2 us for vec4's 112 at 8192 x 4096: a row is read once
 *   max_axis_vjp vec4   134 us for scalar's 139 at 1 x 8192 x 8192 */
static const pm_kernel ROWS[] = {
    {"sum", "vec4", MAP_WHEN, PM_RACES, declare_sum},
    {"sum", "scalar", "always", PM_RACES, declare_sum},
    MAP_ROWS("sum_vjp", declare_none),
    {"mean", "vec4", MAP_WHEN, PM_RACES, declare_sum},
    {"mean", "scalar", "always", PM_RACES, declare_sum},
    MAP_ROWS("mean_vjp", declare_none),
    AXIS_ROWS("sum_axis"),
    AXIS_VJP_ROWS("sum_axis_vjp", PM_SAFE),
    AXIS_ROWS("mean_axis"),
    AXIS_VJP_ROWS("mean_axis_vjp", PM_SAFE),
    AXIS_ROWS("max_axis"),
    {"max_axis_vjp", "rows", "inner 1, n <= 65536", PM_SAFE, declare_none},
    AXIS_VJP_ROWS("max_axis_vjp", PM_SAFE),
};

/* Enough for whichever variant is picked. */
static size_t forward_workspace(idx outer, idx n, idx inner)
{
  size_t levels = axis_workspace(outer, n, inner, sizeof(float));
  size_t tall = tall_workspace(outer, n, inner);
  return levels > tall ? levels : tall;
}

static size_t workspace(const char *op, const int64_t *size)
{
  if (strcmp(op, "sum") == 0 || strcmp(op, "mean") == 0)
    return sum_workspace(size[0]);
  if (strcmp(op, "max_axis_vjp") == 0)
    return ties_workspace(size[0], size[1], size[2]);
  if (strcmp(op, "sum_axis") == 0 || strcmp(op, "mean_axis") == 0 || strcmp(op, "max_axis") == 0)
    return forward_workspace(size[0], size[1], size[2]);
  return 0;
}

#endif

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
/*@ // the sums of blocks have room behind work, which c has noted
    predicate sum_room{L}(pm_check *c, integer n, float *work, integer bytes) =
      1 < SumBlocks(n/4,SumChunk(n/4)) ==>
        4*SumBlocks(n/4,SumChunk(n/4)) <= bytes && aligned16(work) &&
        noted(c,2,work,SumBlocks(n/4,SumChunk(n/4)),1); */
/* The launches of sum, or of mean. */
/*@ requires ex == \null || \valid(ex) && \valid(ex->work + (0 .. ex->work_bytes/4-1));
    requires 0 <= n <= IDX_LIM ==> \valid_read(x + (0 .. n-1));
    requires \valid(y);
    assigns ex->ran;
    assigns ex->work[0 .. ex->work_bytes/4-1], y[0], bdim_, blocks_, gsize_; */
static pm_status sum_launch(const char *op, pm_exec *ex, int64_t n, int mean, const float *x,
                            float *y)
{
  pm_check c = pm_begin(op, ex);
  int variant, aligned;
  idx V, chunk, blocks;
  pm_size(&c, "n", n);
  pm_in(&c, "x", x, n, sizeof *x);
  pm_out(&c, "y", y, 1, sizeof *y);
  //@ assert mine: c.ex == ex && ex->work == \at(ex->work,Pre);
  //@ assert bytes: ex->work_bytes == \at(ex->work_bytes,Pre);
  //@ assert noted: c.status == PM_OK ==> 0 < n ==> noted(&c,0,x,n,0) && noted(&c,1,y,1,1);
  pm_work(&c, c.status == PM_OK ? sum_workspace(n) : 0);
  //@ assert same: ex->work == \at(ex->work,Pre) && ex->work_bytes == \at(ex->work_bytes,Pre);
  //@ assert given: c.status == PM_OK ==> sum_room(&c,n,ex->work,ex->work_bytes);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  variant = PM_PICK(&c, ex, ROWS, pm_aligned16(x) ? 3u : 2u);
  if (variant < 0)
    return c.status;
  aligned = variant == 0;
  //@ assert vectors: aligned != 0 ==> aligned16(x);
  V = n / 4;
  chunk = sum_chunk(V);
  blocks = sum_n_blocks(V, chunk);
  //@ assert all: 0 < n ==> apart(x,n,y,1);
  //@ assert part: 1 < blocks ==> apart(x,n,ex->work,blocks) && apart(ex->work,blocks,y,1);
  if (blocks > 1) {
    float *part = (float *)ex->work;
    //@ assert held: \valid(part + (0 .. blocks-1));
    //@ assert reads: sum_reads(x,n,V,aligned);
    //@ assert firsts: own_firsts(part,blocks);
    LAUNCH(sum_blocks, blocks, SUM_BLOCK, ex->stream, n, V, chunk, blocks, aligned, x, part);
    x = part, aligned = 1;
    V = blocks / 4, chunk = V + 1;
  }
  idx last = blocks > 1 ? blocks : n;
  if (mean)
    LAUNCH_AFTER(mean_block, 1, SUM_BLOCK, ex->stream, last, V, aligned, (double)n, x, y);
  else
    LAUNCH_AFTER(sum_blocks, 1, SUM_BLOCK, ex->stream, last, V, chunk, (idx)1, aligned, x, y);
  return pm_launched(&c);
}

/*@ requires ex == \null || \valid(ex) && \valid(ex->work + (0 .. ex->work_bytes/4-1));
    requires 0 <= n <= IDX_LIM ==> \valid_read(x + (0 .. n-1));
    requires \valid(y);
    assigns ex->ran;
    assigns ex->work[0 .. ex->work_bytes/4-1], y[0], bdim_, blocks_, gsize_; */
ENTRY pm_status LAUNCHER(sum)(pm_exec *ex, int64_t n, const float *x, float *y)
{
  return sum_launch("sum", ex, n, 0, x, y);
}

/*@ requires ex == \null || \valid(ex) && \valid(ex->work + (0 .. ex->work_bytes/4-1));
    requires 0 <= n <= IDX_LIM ==> \valid_read(x + (0 .. n-1));
    requires \valid(y);
    assigns ex->ran;
    assigns ex->work[0 .. ex->work_bytes/4-1], y[0], bdim_, blocks_, gsize_; */
ENTRY pm_status LAUNCHER(mean)(pm_exec *ex, int64_t n, const float *x, float *y)
{
  return sum_launch("mean", ex, n, 1, x, y);
}

/* The grid of dx, which becomes a function of g, one element. */
/*@ requires \valid(c) && c->n == 0 && \separated(c, ex);
    requires c->status == PM_OK ==> \valid(ex);
    assigns c->status, c->n, c->buffer[0 .. PM_MAX_BUFFERS-1];
    assigns ex->ran;
    ensures worse(c->status,\old(c->status)) && map_covers(\result,n,MAP_SHARE1);
    ensures 0 < \result.blocks ==> apart(g,1,dx,n) && c->status == PM_OK;
    ensures 0 < \result.blocks && 0 < \result.V ==> aligned16(dx); */
static map_grid given_grid(pm_check *c, pm_exec *ex, int accumulate, int64_t n, const float *g,
                           float *dx)
{
  pm_flag(c, "accumulate", accumulate);
  pm_size(c, "n", n);
  pm_in(c, "g", g, 1, sizeof *g);
  pm_out(c, "dx", dx, n, sizeof *dx);
  //@ assert noted: c->status == PM_OK ==> 0 < n ==> noted(c,0,g,1,0) && noted(c,1,dx,n,1);
  return map_plan(c, ex, PM_TABLE(ROWS), n, MAP_SHARE1, pm_aligned16(dx));
}

/*@ requires ex == \null || \valid(ex);
    requires \valid_read(g);
    MAP_HELD_(dx)
    assigns ex->ran;
    assigns dx[0 .. n-1], bdim_, blocks_, gsize_; */
ENTRY pm_status LAUNCHER(sum_vjp)(pm_exec *ex, int accumulate, int64_t n, const float *g, float *dx)
{
  pm_check c = pm_begin("sum_vjp", ex);
  map_grid grid = given_grid(&c, ex, accumulate, n, g, dx);
  if (grid.blocks)
    LAUNCH(sum_vjp_map, grid.blocks, MAP_BLOCK, ex->stream, n, grid.V, accumulate, 0.0f, 0.0f, g,
           NULL, NULL, dx, NULL);
  return pm_launched(&c);
}

/*@ requires ex == \null || \valid(ex);
    requires \valid_read(g);
    MAP_HELD_(dx)
    assigns ex->ran;
    assigns dx[0 .. n-1], bdim_, blocks_, gsize_; */
ENTRY pm_status LAUNCHER(mean_vjp)(pm_exec *ex, int accumulate, int64_t n, const float *g,
                                   float *dx)
{
  pm_check c = pm_begin("mean_vjp", ex);
  map_grid grid = given_grid(&c, ex, accumulate, n, g, dx);
  if (grid.blocks) {
    float hi = (float)n, lo = (float)(n - (int64_t)hi);
    LAUNCH(mean_vjp_map, grid.blocks, MAP_BLOCK, ex->stream, n, grid.V, accumulate, hi, lo, g, NULL,
           NULL, dx, NULL);
  }
  return pm_launched(&c);
}
#endif

#ifndef __FRAMAC__
/* ---- over an axis ---- */

typedef struct axis_sizes {
  int64_t all, left; /* elements of (outer, n, inner) and of (outer, inner) */
} axis_sizes;

static axis_sizes check_axis(pm_check *c, int64_t outer, int64_t n, int64_t inner)
{
  axis_sizes s = {0, 0};
  pm_size(c, "outer", outer);
  pm_size(c, "n", n);
  pm_size(c, "inner", inner);
  s.left = pm_times(c, "outer", outer, "inner", inner);
  s.all = pm_times(c, "outer * inner", s.left, "n", n);
  return s;
}

static void check_some(pm_check *c, int64_t n, int64_t left)
{
  if (c->status == PM_OK && n == 0 && left > 0)
    c->status =
        pm_fail(PM_BAD_ARGUMENT, c->op, "n = 0: must be at least 1: nothing has no largest");
}

static unsigned axis_suited(idx n, idx inner, int aligned)
{
  switch (reduce_how(n, inner)) {
  case REDUCE_ROWS:
    return 1u << ROWS1 | (unsigned)aligned << ROWS4;
  case REDUCE_COLS:
    return 1u << COLS1 | (unsigned)(aligned && inner % 4 == 0) << COLS4 |
           (unsigned)(aligned && tall_suits(n, inner)) << TALL;
  default:
    return 1u << NARROW;
  }
}

/* Which: AXIS_SUM, AXIS_MEAN or AXIS_MAX. */
template <int Which>
static pm_status axis_forward(const char *op, pm_exec *ex, int64_t outer, int64_t n, int64_t inner,
                              const float *x, float *y)
{
  pm_check c = pm_begin(op, ex);
  axis_sizes s = check_axis(&c, outer, n, inner);
  int variant, aligned;
  if (Which == AXIS_MAX)
    check_some(&c, n, s.left);
  pm_in(&c, "x", x, s.all, sizeof *x);
  pm_out(&c, "y", y, s.left, sizeof *y);
  pm_work(&c, c.status == PM_OK ? forward_workspace(outer, n, inner) : 0);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  aligned = pm_aligned16(x) && pm_aligned16(y);
  variant = PM_PICK(&c, ex, ROWS, axis_suited(n, inner, aligned));
  if (variant < 0 || s.left == 0)
    return pm_launched(&c);
  if (variant == TALL)
    tall_launch<Which>(&c, ex, outer, n, inner, x, y);
  else
    axis_launch<Which>(&c, ex, outer, n, inner, variant == COLS4 || variant == ROWS4, ex->work, x,
                       y);
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(sum_axis)(pm_exec *ex, int64_t outer, int64_t n, int64_t inner,
                                        const float *x, float *y)
{
  return axis_forward<AXIS_SUM>("sum_axis", ex, outer, n, inner, x, y);
}

extern "C" pm_status LAUNCHER(mean_axis)(pm_exec *ex, int64_t outer, int64_t n, int64_t inner,
                                         const float *x, float *y)
{
  return axis_forward<AXIS_MEAN>("mean_axis", ex, outer, n, inner, x, y);
}

extern "C" pm_status LAUNCHER(max_axis)(pm_exec *ex, int64_t outer, int64_t n, int64_t inner,
                                        const float *x, float *y)
{
  return axis_forward<AXIS_MAX>("max_axis", ex, outer, n, inner, x, y);
}

/* x, y: NULL but for AXIS_MAX. */
template <int Which>
static pm_status axis_backward(const char *op, pm_exec *ex, int accumulate, int64_t outer,
                               int64_t n, int64_t inner, const float *x, const float *y,
                               const float *g, float *dx)
{
  pm_check c = pm_begin(op, ex);
  axis_sizes s;
  int variant, aligned = pm_aligned16(x) && pm_aligned16(dx);
  unsigned suited = aligned ? 3u : 2u;
  pm_flag(&c, "accumulate", accumulate);
  s = check_axis(&c, outer, n, inner);
  if (Which == AXIS_MAX) {
    check_some(&c, n, s.left);
    pm_in(&c, "x", x, s.all, sizeof *x);
    pm_in(&c, "y", y, s.left, sizeof *y);
    pm_work(&c, c.status == PM_OK ? ties_workspace(outer, n, inner) : 0);
  }
  pm_in(&c, "g", g, s.left, sizeof *g);
  pm_out(&c, "dx", dx, s.all, sizeof *dx);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  if (Which == AXIS_MAX)
    suited = suited << 1 | (inner == 1 && n <= TIES_ROW);
  variant = PM_PICK(&c, ex, ROWS, suited);
  if (variant < 0 || s.all == 0)
    return c.status;
  if (Which == AXIS_MAX && variant-- == 0) {
    ties_rows_launch(&c, ex, outer, n, n % 4 == 0 && aligned, accumulate, x, y, g, dx);
    return pm_launched(&c);
  }
  if (Which == AXIS_MAX)
    ties_launch(&c, ex, outer, n, inner, variant == 0, x, y);
  axis_vjp_launch<Which>(&c, ex, outer, n, inner, variant == 0, accumulate, x, y,
                         (const double *)ex->work, g, dx);
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(sum_axis_vjp)(pm_exec *ex, int accumulate, int64_t outer, int64_t n,
                                            int64_t inner, const float *g, float *dx)
{
  return axis_backward<AXIS_SUM>("sum_axis_vjp", ex, accumulate, outer, n, inner, NULL, NULL, g,
                                 dx);
}

extern "C" pm_status LAUNCHER(mean_axis_vjp)(pm_exec *ex, int accumulate, int64_t outer, int64_t n,
                                             int64_t inner, const float *g, float *dx)
{
  return axis_backward<AXIS_MEAN>("mean_axis_vjp", ex, accumulate, outer, n, inner, NULL, NULL, g,
                                  dx);
}

extern "C" pm_status LAUNCHER(max_axis_vjp)(pm_exec *ex, int accumulate, int64_t outer, int64_t n,
                                            int64_t inner, const float *x, const float *y,
                                            const float *g, float *dx)
{
  return axis_backward<AXIS_MAX>("max_axis_vjp", ex, accumulate, outer, n, inner, x, y, g, dx);
}

PM_FAMILY(reduce, ROWS, workspace);
#endif
