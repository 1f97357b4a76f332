/* Reductions: sum and its VJP. */
#include "kernel.h"
#include "block.h"

/* ---- sum: block b adds up vectors b*chunk .. of x into out[b], in registers and then across its
 * lanes; the last block takes the n - 4V elements after the vectors too. A second launch, of
 * one block, adds up what the first wrote. ---- */
#define SUM_DEPTH 4 /* loads that a lane has in flight */

/* Vector q of x, or zeros from hi on. */
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

KERNEL void sum_blocks(idx n, idx V, idx chunk, idx blocks, int aligned,
                       const float *RESTRICT x, float *RESTRICT out)
{
  SHARED(float, s, 32);
  BROWS(b, blocks, 1)
  {
    PRIVATE(float, acc);
    idx lo = b * chunk, hi = lo + chunk < V ? lo + chunk : V;
    float total;
    LANES(t) AT(acc, t) = 0.0f;
    for (idx k0 = lo; k0 < hi; k0 += SUM_DEPTH * BDIM) {
      PRIVATEK(float4, v);
      UNROLL
      for (int j = 0, j0 = 0; j < SUM_DEPTH; j++, j0 += BDIM)
        LANES(t) REG(v, j, j0, t) = sum_load(k0 + j0 + t, hi, aligned, x);
      UNROLL
      for (int j = 0, j0 = 0; j < SUM_DEPTH; j++, j0 += BDIM)
        LANES(t)
        {
          float4 u = REG(v, j, j0, t);
          AT(acc, t) += (u.x + u.y) + (u.z + u.w);
        }
    }
    if (b == blocks - 1)
      for (idx k0 = 4 * V; k0 < n; k0 += BDIM)
        LANES(t) if (k0 + t < n) AT(acc, t) += LDG(x + k0 + t);
    total = block_sum(acc, s);
    PHASE(t) if (t == 0) STG(out + b, total);
  }
}

/*@ logic real Given(real g) = g; */
/*@ assigns \nothing; ensures \result == Given(g); */
DEV float given_f(float g) { return g; }

#define MAP_NAME sum_vjp_map
#define MAP_INPUTS 0
#define MAP_F0 given_f
#define MAP_L0 Given
#define MAP_ADDS
#include "map.h"

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "table.h"

#include <string.h>

#define VEC4 "every tensor 16-byte aligned"
enum { BLOCK = 256, MOST_BLOCKS = 1056 }; /* eight blocks on each of 132 processors */

/* Vectors of a block: whole rounds of its lanes, few enough blocks to be added up by one. */
static idx sum_chunk(idx V)
{
  idx chunk = V / MOST_BLOCKS + 1;
  if (V <= 16 * BLOCK)
    return V;
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

static void declare_none(const int64_t *size, pm_arith *out) { (void)size, (void)out; }

static const pm_kernel ROWS[] = {
  {"sum", "vec4", VEC4, PM_CHECKED, declare_sum},
  {"sum", "scalar", "always", PM_CHECKED, declare_sum},
  {"sum_vjp", "vec4", VEC4, PM_CHECKED, declare_none},
  {"sum_vjp", "scalar", "always", PM_CHECKED, declare_none},
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
    LAUNCH(sum_blocks, 1, BLOCK, ex->stream, blocks, blocks / 4, blocks / 4, (idx)1, 1, part,
           y);
  }
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(sum_vjp)(pm_exec *ex, int accumulate, int64_t n, const float *g,
                                       float *dx)
{
  pm_check c = pm_begin("sum_vjp", ex);
  int variant;
  unsigned blocks;
  idx V;
  pm_flag(&c, "accumulate", accumulate);
  pm_size(&c, "n", n);
  pm_in(&c, "g", g, 1, sizeof *g);
  pm_out(&c, "dx", dx, n, sizeof *dx);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  variant = PM_PICK(&c, ex, ROWS, pm_aligned16(dx) ? 3u : 2u);
  V = variant == 0 ? n / 4 : 0;
  blocks = pm_blocks(&c, n - 3 * V, BLOCK);
  if (blocks)
    LAUNCH(sum_vjp_map, blocks, BLOCK, ex->stream, n, V, accumulate, g, dx);
  return pm_launched(&c);
}

PM_FAMILY(reduce, ROWS, workspace);
#endif
