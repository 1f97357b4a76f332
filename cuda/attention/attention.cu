/* sdpa: y = softmax(q k' / sqrt(d)) v of each query head, with the logarithm of each row's sum; its VJP; and
 * decode_sdpa, one query a head against a cache. The score matrix is never held. All is f32, each output's
 * operations in one order that follows from the sizes alone.
 *
 * What each variant buys:
 *   tile     any shape: both operands of the scores pass through shared memory in chunks
 *   held     the block's own rows stay in shared memory, rows are copied by vectors: head dimensions of
 *            64 and 128, forward of 256 as well
 *   vec4     decode at memory's speed for those; scalar is for any other */
#include <math.h>
#include <string.h>

#include "../host/check.h"
#include "../host/device.h"
#include "../host/table.h"
#include "backward.h"
#include "decode.h"
#include "forward.h"

/* ---- the table ---- */

enum { HELD_ROWS, ANY_ROWS };
enum { VEC4, SCALAR };
enum { BATCH, HEADS, KV_HEADS, NQ, NK, D };  /* sizes of sdpa and its VJP */
enum { CAPACITY = 3, DECODE_D, DECODE_LEN }; /* and of decode_sdpa from the fourth on */

/* How decode's keys are split: over so many blocks that about 512 run, each of which has at least two steps
 * of its warps. */
struct split_plan {
  int64_t splits, each;
};
static struct split_plan plan_of(int64_t lead, int64_t group, int64_t len)
{
  const int64_t kv = group ? lead / group : 0, most = divide_up(len, 64);
  int64_t splits = kv > 0 && kv < 512 ? 512 / kv : 1;
  splits = splits < most ? splits : most;
  const int64_t each = splits ? divide_up(divide_up(len, splits), 64) * 64 : 0;
  const struct split_plan p = {each ? divide_up(len, each) : 0, each};
  return p;
}

/* A running softmax scales what it has once a tile. */
static void declare(const int64_t *size, pm_arith *out)
{
  const double tiles = (double)divide_up(size[NK], TILE);
  out->k_exp = PM_K_EXP;
  out->k_log = PM_K_LOG;
  out->alpha = 1;
  out->height[0] = (double)size[NK] + tiles + 2;
  out->height[1] = tiles + 11;
}
static void declare_vjp(const int64_t *size, pm_arith *out)
{
  const int64_t group = size[KV_HEADS] ? size[HEADS] / size[KV_HEADS] : 0;
  out->k_exp = PM_K_EXP;
  out->alpha = 1;
  out->height[0] = (double)size[NK];
  out->height[1] = (double)(size[NQ] + group);
}
/* A warp has a quarter of a split's keys, and scales what it has once a step. */
static void declare_decode(const int64_t *size, pm_arith *out)
{
  const int64_t group = size[KV_HEADS] ? size[HEADS] / size[KV_HEADS] : 0;
  const struct split_plan p = plan_of(size[BATCH] * size[HEADS], group, size[DECODE_LEN]);
  out->k_exp = PM_K_EXP;
  out->alpha = 1;
  out->height[0] = (double)(p.each / 2 + p.splits + DECODE_WARPS + 4);
}

#define HELD_WHEN "d is 64 or 128, every tensor 16-byte aligned, nq and nk below 2^30"
static const pm_kernel ROWS[] = {
    {"sdpa", "held", "d is 64, 128 or 256, every tensor 16-byte aligned, nq and nk below 2^30",
     PM_CHECKED, declare},
    {"sdpa", "tile", "always", PM_CHECKED, declare},
    {"sdpa_vjp", "held", HELD_WHEN, PM_CHECKED, declare_vjp},
    {"sdpa_vjp", "tile", "always", PM_CHECKED, declare_vjp},
    {"decode_sdpa", "vec4", "d is 64, 128 or 256, every tensor 16-byte aligned", PM_CHECKED,
     declare_decode},
    {"decode_sdpa", "scalar", "always", PM_CHECKED, declare_decode},
};

/* ---- arguments ---- */

typedef struct counts {
  int64_t lead, group; /* query heads of all batches; of a KV head */
  int64_t q, k;        /* elements of q and of k */
} counts;

static int64_t group_of(pm_check *c, int64_t heads, int64_t kv_heads)
{
  pm_size(c, "heads", heads);
  pm_size(c, "kv_heads", kv_heads);
  if (c->status == PM_OK && (kv_heads ? heads % kv_heads : heads) != 0)
    c->status =
        pm_fail(PM_BAD_ARGUMENT, c->op, "heads = %lld must be a multiple of kv_heads = %lld",
                (long long)heads, (long long)kv_heads);
  return c->status == PM_OK && kv_heads ? heads / kv_heads : 0;
}

static counts count(pm_check *c, int64_t batch, int64_t heads, int64_t kv_heads, int64_t nq,
                    int64_t nk, int64_t d)
{
  counts n;
  pm_size(c, "batch", batch);
  n.group = group_of(c, heads, kv_heads);
  pm_size(c, "nq", nq);
  pm_size(c, "nk", nk);
  pm_size(c, "d", d);
  n.lead = pm_times(c, "batch", batch, "heads", heads);
  n.q = pm_times(c, "batch*heads", n.lead, "nq*d", pm_times(c, "nq", nq, "d", d));
  n.k = pm_times(c, "batch*kv_heads", pm_times(c, "batch", batch, "kv_heads", kv_heads), "nk*d",
                 pm_times(c, "nk", nk, "d", d));
  return n;
}

static float scale_of(int64_t d) { return d ? (float)(1.0 / sqrt((double)d)) : 1.0f; }

static struct attention problem_of(counts n, int64_t nq, int64_t nk, int64_t d, int causal,
                                   const float *q, const float *k, const float *v,
                                   const float *mask)
{
  struct attention a = {
      q, k, v, mask, n.lead, n.group, nq, nk, d, causal ? nk - nq : nk, scale_of(d), causal};
  return a;
}

static int is_small(struct attention a) { return a.nq < 1 << 30 && a.nk < 1 << 30; }

/* A block for each of the own rows' blocks, each block of columns, each head. */
static unsigned grid_of(pm_check *c, struct attention a, int64_t rows, int columns)
{
  const int64_t wide = a.d > columns ? divide_up(a.d, columns) : 1;
  int64_t n;
  int over = __builtin_mul_overflow(divide_up(rows, OWN), a.lead, &n) ||
             __builtin_mul_overflow(n, wide, &n);
  return pm_blocks(c, over ? INT64_MAX : n, 1);
}

/* ---- launches ---- */

/* Columns of values that a block has. */
static int columns_of(int64_t d, int held) { return held && d == 256 ? 256 : d <= 64 ? 64 : 128; }

template <int DT, bool HELD>
static void start(void *stream, unsigned grid, struct attention a, struct forward_out out)
{
  int bytes = forward_shape<DT, HELD>::BYTES;
  LAUNCH_SHARED((sdpa_rows<DT, HELD>), grid, BLOCK, bytes, stream, a, out);
}

template <int DT, bool KEYS, bool HELD>
static void start_vjp(void *stream, unsigned grid, struct attention a, struct backward out)
{
  int bytes = backward_shape<DT, HELD>::BYTES;
  LAUNCH_SHARED((sdpa_vjp_rows<DT, KEYS, HELD>), grid, BLOCK, bytes, stream, a, out);
}

template <bool KEYS>
static void run_vjp(int held, void *stream, unsigned grid, struct attention a, struct backward out)
{
  if (grid == 0)
    return;
  if (a.d <= 64)
    (held ? start_vjp<64, KEYS, true> : start_vjp<64, KEYS, false>)(stream, grid, a, out);
  else
    (held ? start_vjp<128, KEYS, true> : start_vjp<128, KEYS, false>)(stream, grid, a, out);
}

extern "C" pm_status LAUNCHER(sdpa)(pm_exec *ex, int64_t batch, int64_t heads, int64_t kv_heads,
                                    int64_t nq, int64_t nk, int64_t d, int causal, int masked,
                                    const float *q, const float *k, const float *v,
                                    const float *mask, float *y, float *lse)
{
  pm_check c = pm_begin("sdpa", ex);
  counts n = count(&c, batch, heads, kv_heads, nq, nk, d);
  pm_flag(&c, "causal", causal);
  pm_flag(&c, "masked", masked);
  pm_in(&c, "q", q, n.q, sizeof *q);
  pm_in(&c, "k", k, n.k, sizeof *k);
  pm_in(&c, "v", v, n.k, sizeof *v);
  if (masked)
    pm_in(&c, "mask", mask, pm_times(&c, "nq", nq, "nk", nk), sizeof *mask);
  pm_out(&c, "y", y, n.q, sizeof *y);
  pm_out(&c, "lse", lse, pm_times(&c, "batch*heads", n.lead, "nq", nq), sizeof *lse);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  struct attention a = problem_of(n, nq, nk, d, causal, q, k, v, masked ? mask : NULL);
  struct forward_out out = {y, lse};
  int fits = (d == 64 || d == 128 || d == 256) && is_small(a) && pm_aligned16(q) &&
             pm_aligned16(k) && pm_aligned16(v) && pm_aligned16(y);
  int variant = PM_PICK(&c, ex, ROWS, (unsigned)fits << HELD_ROWS | 1u << ANY_ROWS),
      held = variant == HELD_ROWS;
  unsigned grid = variant < 0 ? 0 : grid_of(&c, a, nq, columns_of(d, held));
  if (grid == 0)
    return pm_launched(&c);
  if (held && d == 256)
    start<256, true>(ex->stream, grid, a, out);
  else if (d <= 64)
    (held ? start<64, true> : start<64, false>)(ex->stream, grid, a, out);
  else
    (held ? start<128, true> : start<128, false>)(ex->stream, grid, a, out);
  return pm_launched(&c);
}

/* delta, then dk and dv of each query head where a group has several; floats. */
static int64_t delta_room(int64_t rows) { return divide_up(rows, 4) * 4; }
static size_t vjp_bytes(int64_t lead, int64_t group, int64_t nq, int64_t nk, int64_t d)
{
  return 4 * (size_t)(delta_room(lead * nq) + (group > 1 ? 2 * lead * nk * d : 0));
}

extern "C" pm_status LAUNCHER(sdpa_vjp)(pm_exec *ex, int accumulate, int64_t batch, int64_t heads,
                                        int64_t kv_heads, int64_t nq, int64_t nk, int64_t d,
                                        int causal, int masked, const float *q, const float *k,
                                        const float *v, const float *mask, const float *y,
                                        const float *lse, const float *g, float *dq, float *dk,
                                        float *dv)
{
  pm_check c = pm_begin("sdpa_vjp", ex);
  pm_flag(&c, "accumulate", accumulate);
  counts n = count(&c, batch, heads, kv_heads, nq, nk, d);
  pm_flag(&c, "causal", causal);
  pm_flag(&c, "masked", masked);
  int64_t rows = pm_times(&c, "batch*heads", n.lead, "nq", nq);
  int64_t parts = n.group > 1
                      ? pm_times(&c, "batch*heads", n.lead, "nk*d", pm_times(&c, "nk", nk, "d", d))
                      : n.k;
  pm_in(&c, "q", q, n.q, sizeof *q);
  pm_in(&c, "k", k, n.k, sizeof *k);
  pm_in(&c, "v", v, n.k, sizeof *v);
  if (masked)
    pm_in(&c, "mask", mask, pm_times(&c, "nq", nq, "nk", nk), sizeof *mask);
  pm_in(&c, "y", y, n.q, sizeof *y);
  pm_in(&c, "lse", lse, rows, sizeof *lse);
  pm_in(&c, "g", g, n.q, sizeof *g);
  pm_out(&c, "dq", dq, n.q, sizeof *dq);
  pm_out(&c, "dk", dk, n.k, sizeof *dk);
  pm_out(&c, "dv", dv, n.k, sizeof *dv);
  pm_work(&c, c.status == PM_OK ? vjp_bytes(n.lead, n.group, nq, nk, d) : 0);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  struct attention a = problem_of(n, nq, nk, d, causal, q, k, v, masked ? mask : NULL);
  int fits = (d == 64 || d == 128) && is_small(a) && pm_aligned16(q) && pm_aligned16(k) &&
             pm_aligned16(v) && pm_aligned16(g) && pm_aligned16(dq) && pm_aligned16(dk) &&
             pm_aligned16(dv);
  int variant = PM_PICK(&c, ex, ROWS, (unsigned)fits << HELD_ROWS | 1u << ANY_ROWS),
      held = variant == HELD_ROWS;
  if (c.status != PM_OK || d == 0)
    return c.status;
  const int columns = columns_of(d, 0), in_parts = n.group != 1;
  float *delta = (float *)ex->work, *part = delta + delta_room(rows);
  struct backward of_q = {g, lse, delta, dq, NULL, accumulate},
                  of_k = {g, lse, delta, dk, dv, accumulate};
  if (in_parts)
    of_k.first = part, of_k.dv = part + parts, of_k.accumulate = 0;
  unsigned grid_q = grid_of(&c, a, nq, columns), grid_k = grid_of(&c, a, nk, columns);
  if (c.status != PM_OK)
    return c.status;
  if (rows) {
    unsigned grid = (unsigned)(divide_up(rows, 256) < 1 << 20 ? divide_up(rows, 256) : 1 << 20);
    LAUNCH(sdpa_delta, grid, 256, ex->stream, rows, d, y, g, delta);
  }
  run_vjp<false>(held, ex->stream, grid_q, a, of_q);
  run_vjp<true>(held, ex->stream, grid_k, a, of_k);
  if (in_parts && n.k) {
    unsigned grid = (unsigned)(divide_up(n.k, 256) < 1 << 20 ? divide_up(n.k, 256) : 1 << 20);
    LAUNCH(sdpa_group_sum, grid, 256, ex->stream, n.k, nk * d, n.group, of_k.first, accumulate, dk);
    LAUNCH(sdpa_group_sum, grid, 256, ex->stream, n.k, nk * d, n.group, of_k.dv, accumulate, dv);
  }
  return pm_launched(&c);
}

/* ---- decode ---- */

/* Maxima and sums of the splits, then their values; floats. */
static size_t decode_bytes(int64_t lead, int64_t group, int64_t len, int64_t d)
{
  struct split_plan p = plan_of(lead, group, len);
  return p.splits == 1 ? 0 : 4 * (size_t)(lead * p.splits * (2 + d));
}

/* Up to four query heads of a KV head read it together. */
template <int DIM> static void start_vec4(void *stream, unsigned grid, struct decode a)
{
  if (a.group == 1)
    LAUNCH_SHARED((decode_vec4<DIM, 1>), grid, DECODE_BLOCK, DECODE_WARPS * sizeof(warp_part<DIM>),
                  stream, a);
  else
    LAUNCH_SHARED((decode_vec4<DIM, 4>), grid, DECODE_BLOCK,
                  4 * DECODE_WARPS * sizeof(warp_part<DIM>), stream, a);
}

extern "C" pm_status LAUNCHER(decode_sdpa)(pm_exec *ex, int64_t batch, int64_t heads,
                                           int64_t kv_heads, int64_t capacity, int64_t d,
                                           int64_t len, const float *q, const float *k,
                                           const float *v, float *y)
{
  pm_check c = pm_begin("decode_sdpa", ex);
  pm_size(&c, "batch", batch);
  int64_t group = group_of(&c, heads, kv_heads);
  pm_size(&c, "capacity", capacity);
  pm_size(&c, "d", d);
  pm_size(&c, "len", len);
  if (c.status == PM_OK && len > capacity)
    c.status = pm_fail(PM_BAD_ARGUMENT, c.op, "len = %lld: must be at most capacity = %lld",
                       (long long)len, (long long)capacity);
  int64_t lead = pm_times(&c, "batch", batch, "heads", heads);
  int64_t of_q = pm_times(&c, "batch*heads", lead, "d", d);
  int64_t of_k = pm_times(&c, "batch*kv_heads", pm_times(&c, "batch", batch, "kv_heads", kv_heads),
                          "capacity*d", pm_times(&c, "capacity", capacity, "d", d));
  pm_in(&c, "q", q, of_q, sizeof *q);
  pm_in(&c, "k", k, of_k, sizeof *k);
  pm_in(&c, "v", v, of_k, sizeof *v);
  pm_out(&c, "y", y, of_q, sizeof *y);
  pm_work(&c, c.status == PM_OK ? decode_bytes(lead, group, len, d) : 0);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  int fits =
      (d == 64 || d == 128 || d == 256) && pm_aligned16(q) && pm_aligned16(k) && pm_aligned16(v);
  int variant = PM_PICK(&c, ex, ROWS, (unsigned)fits << VEC4 | 1u << SCALAR);
  if (c.status != PM_OK || of_q == 0)
    return c.status;
  struct split_plan p = plan_of(lead, group, len);
  float *top = (float *)ex->work, *sum = top + lead * p.splits;
  struct decode a = {q,          k,     v,        y,   top, sum,      sum + lead * p.splits,
                     lead,       group, capacity, len, d,   p.splits, p.each,
                     scale_of(d)};
  int64_t n, each = variant == VEC4 ? (lead / group) * divide_up(group, group == 1 ? 1 : 4)
                                    : lead * divide_up(d, SCALAR_COLS);
  unsigned grid = pm_blocks(&c, __builtin_mul_overflow(each, p.splits, &n) ? INT64_MAX : n, 1);
  unsigned joins = p.splits == 1 ? 0 : pm_blocks(&c, lead, 1);
  if (c.status != PM_OK)
    return c.status;
  if (grid && variant == SCALAR)
    LAUNCH_SHARED(decode_scalar, grid, DECODE_BLOCK, DECODE_WARPS * sizeof(warp_part<SCALAR_COLS>),
                  ex->stream, a);
  else if (grid)
    (d == 64 ? start_vec4<64> : d == 128 ? start_vec4<128> : start_vec4<256>)(ex->stream, grid, a);
  if (joins)
    LAUNCH_AFTER(decode_join, joins, DECODE_BLOCK, ex->stream, a);
  return pm_launched(&c);
}

static size_t workspace(const char *op, const int64_t *size)
{
  const int64_t lead = size[BATCH] * size[HEADS],
                group = size[KV_HEADS] ? size[HEADS] / size[KV_HEADS] : 0;
  if (!strcmp(op, "sdpa_vjp"))
    return vjp_bytes(lead, group, size[NQ], size[NK], size[D]);
  if (!strcmp(op, "decode_sdpa"))
    return decode_bytes(lead, group, size[DECODE_LEN], size[DECODE_D]);
  return 0;
}

PM_FAMILY(attention, ROWS, workspace);
