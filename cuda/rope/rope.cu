/* Rotary positions and their VJP, which turns back. The factors of a step and of a pair of columns
 * serve the rows of all batches and heads: a thread makes them once, for four pairs or for one, and
 * has its share of these rows. */
#include "../lang/owned.h"
#include "turned.h"

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include <inttypes.h>

#include "../host/table.h"

#define VEC4 "head_dim a multiple of 8, x, y (or g, dx) and the inv_freq of a table 16-byte aligned"

/* An angle's roundings are those of f64: 16 units of its roundoff, at most. */
static void declare_turns(const int64_t *size, pm_arith *out)
{
  (void)size;
  out->alpha = 0x1p-27;
  out->k_sin = PM_K_SIN;
  out->k_cos = PM_K_COS;
}

static const pm_kernel ROWS[] = {
    {"rope", "vec4", VEC4, PM_CHECKED, declare_turns},
    {"rope", "scalar", "always", PM_SAFE, declare_turns},
    {"rope_vjp", "vec4", VEC4, PM_CHECKED, declare_turns},
    {"rope_vjp", "scalar", "always", PM_SAFE, declare_turns},
};

/* log2 of a positive finite number, by f64 operations alone, the same on every host: of 2^e m with
 * m between the roots of 1/2 and 2 it is e + 2 atanh((m - 1)/(m + 1)) / ln 2. */
static double log2_of(float base)
{
  double m = base, e = 0, s, q, sum = 0;
  for (; m < 0.70710678118654752; e -= 1) m *= 2;
  for (; m > 1.4142135623730951; e += 1) m /= 2;
  s = (m - 1) / (m + 1), q = s * s;
  for (int k = 23; k >= 1; k -= 2) sum = sum * q + 1.0 / k;
  return e + s * sum * (2 * 1.4426950408889634074);
}

typedef struct rope_call {
  int table;
  float base;
  idx first; /* position of step 0 */
  const float *inv_freq, *x;
  float *y;
} rope_call;

/* What is wrong with the attributes. */
static void attributes(pm_check *c, idx seq, idx head_dim, const rope_call *a)
{
  pm_flag(c, "table", a->table);
  if (c->status == PM_OK && head_dim % 2)
    c->status = pm_fail(PM_BAD_ARGUMENT, c->op, "head_dim = %" PRId64 ": must be even", head_dim);
  if (!a->table)
    pm_positive(c, "base", a->base);
  if (c->status == PM_OK && (a->first < 0 || a->first > ROPE_POSITIONS - seq))
    c->status = pm_fail(PM_BAD_ARGUMENT, c->op,
                        "pos_offset = %" PRId64 ", seq = %" PRId64
                        ": must be >= 0 and pos_offset + seq at most 2^53",
                        a->first, seq);
}

/* How many threads share the lines of a step: enough of them for the device, at most one a line. */
static idx sharers(idx lines, idx steps)
{
  const idx enough = 1 << 18;
  idx want = steps >= enough ? 1 : divide_up(enough, steps);
  return want < lines ? want : lines;
}

static pm_status turn(const char *op, pm_exec *ex, int accumulate, int back, idx batch, idx seq,
                      idx heads, idx head_dim, const char *x, const char *y, const rope_call *a)
{
  enum { BLOCK = 256 };
  pm_check c = pm_begin(op, ex);
  idx half = head_dim / 2, lines, rows, n, pairs;
  rope_sizes z;
  unsigned blocks;
  int variant;
  pm_flag(&c, "accumulate", accumulate);
  pm_size(&c, "batch", batch);
  pm_size(&c, "seq", seq);
  pm_size(&c, "heads", heads);
  pm_size(&c, "head_dim", head_dim);
  attributes(&c, seq, head_dim, a);
  lines = pm_times(&c, "batch", batch, "heads", heads);
  rows = pm_times(&c, "seq", seq, "batch * heads", lines);
  n = pm_times(&c, "head_dim", head_dim, "the rows", rows);
  pm_in(&c, x, a->x, n, sizeof *a->x);
  if (a->table)
    pm_in(&c, "inv_freq", a->inv_freq, half, sizeof *a->inv_freq);
  pm_out(&c, y, a->y, n, sizeof *a->y);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  variant = PM_PICK(&c, ex, ROWS,
                    half % 4 == 0 && pm_aligned16(a->x) && pm_aligned16(a->y) &&
                            (!a->table || pm_aligned16(a->inv_freq))
                        ? 3u
                        : 2u);
  if (variant < 0 || n == 0)
    return pm_launched(&c);
  pairs = variant == 0 ? half / 4 : half;
  z.parts = sharers(lines, pm_times(&c, "seq", seq, "the pairs", pairs));
  z.lines = lines, z.seq = seq, z.heads = heads, z.half = half;
  blocks = pm_blocks(&c, z.parts * seq * pairs, BLOCK);
  if (blocks && variant == 0)
    LAUNCH(rope_vec4, blocks, BLOCK, ex->stream, z, pairs, accumulate, back, a->table,
           a->table ? 0.0 : log2_of(a->base), a->first, a->inv_freq, a->x, a->y);
  else if (blocks)
    LAUNCH(rope_scalar, blocks, BLOCK, ex->stream, z, accumulate, back, a->table,
           a->table ? 0.0 : log2_of(a->base), a->first, a->inv_freq, a->x, a->y);
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(rope)(pm_exec *ex, int64_t batch, int64_t seq, int64_t heads,
                                    int64_t head_dim, int table, float base, int64_t pos_offset,
                                    const float *x, const float *inv_freq, float *y)
{
  rope_call a = {table, base, pos_offset, inv_freq, x, y};
  return turn("rope", ex, 0, 0, batch, seq, heads, head_dim, "x", "y", &a);
}

extern "C" pm_status LAUNCHER(rope_vjp)(pm_exec *ex, int accumulate, int64_t batch, int64_t seq,
                                        int64_t heads, int64_t head_dim, int table, float base,
                                        int64_t pos_offset, const float *inv_freq, const float *g,
                                        float *dx)
{
  rope_call a = {table, base, pos_offset, inv_freq, g, dx};
  return turn("rope_vjp", ex, accumulate, 1, batch, seq, heads, head_dim, "g", "dx", &a);
}

PM_FAMILY(rope, ROWS, NULL);
#endif
