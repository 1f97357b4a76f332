/* Rows picked and rows added by index: x, y, dx are (rows, cols), idx (k), u, g of a gather
 * (k, cols). The text of gather_rows itself is in gather_rows.h.
 *
 * The sum into a row is made in the order of the index, so it is the same every time:
 *   link   threads build one list a row in the workspace: head[r] is 1 + the last i that came with
 *          idx[i] = r, link[i] the one before. Atomics decide the order of a list, and nothing
 *          else.
 *   sum    a warp takes a few rows: those with a list of at most one entry together, so that
 *          their loads overlap, then the others. A list of up to LIGHT entries is collected and
 *          its ranks taken; its rows are added in ascending order, what was there before last. For
 *          a longer one the whole block goes through idx in order instead. */
#include <string.h>

#include "check.h"
#include "gather_rows.h"
#include "table.h"
#include "wide.h"

enum {
  BLOCK = 128,
  WARPS = BLOCK / 32,
  LIGHT = 32,     /* one entry a lane */
  HELD = 4,       /* vectors of a row that a lane holds */
  PLAIN_HELD = 2, /* the same where there is nothing to add to, and */
  PLAIN_QUAD = 4, /* the rows that a warp then takes at once */
  PICK = 4,       /* vectors that a lane copies */
  SCAN = 8        /* indices that a thread of the block scans before the block adds what it found */
};

typedef unsigned long long link_t;

/* W floats that are read and written together. */
template <int W> struct vec {
  float v[W];
};

template <int W> DEV vec<W> load(const float *p)
{
  vec<W> r;
  if (W == 4) {
    float4 q = LD4(p);
    r.v[0] = q.x, r.v[W / 4] = q.y, r.v[W / 2] = q.z, r.v[W - 1] = q.w;
  } else
    r.v[0] = *p;
  return r;
}

template <int W> DEV void store(float *p, vec<W> a)
{
  if (W == 4)
    store4_once(p, make_float4(a.v[0], a.v[W / 4], a.v[W / 2], a.v[W - 1]));
  else
    *p = a.v[0];
}

template <int W> DEV vec<W> plus(vec<W> a, vec<W> b)
{
  UNROLL
  for (int i = 0; i < W; i++) a.v[i] = a.v[i] + b.v[i];
  return a;
}

template <int W> DEV vec<W> zero()
{
  vec<W> r;
  UNROLL
  for (int i = 0; i < W; i++) r.v[i] = 0.0f;
  return r;
}

/* ---- picking: y = x[idx] with accumulation, and copying ---- */

/* A warp does PICK * 32 vectors of a row, one of `chunks`. */
template <int W>
KERNEL void pick_rows(idx rows, idx cols, idx k, idx chunks, int accumulate,
                      const float *RESTRICT x, const idx *RESTRICT index, float *y)
{
  idx unit = (idx)blockIdx.x * WARPS + TID_ / 32, row = unit / chunks;
  idx c0 = unit % chunks * (PICK * 32 * W) + TID_ % 32 * W;
  if (row < k) {
    idx from = index ? LDI(index + row) : row;
    int in = 0 <= from && from < rows;
    float *out = y + row * cols;
    vec<W> v[PICK];
    UNROLL
    for (int h = 0; h < PICK; h++) {
      idx c = c0 + h * 32 * W;
      v[h] = in && c < cols ? load<W>(x + from * cols + c) : zero<W>();
    }
    UNROLL
    for (int h = 0; h < PICK; h++) {
      idx c = c0 + h * 32 * W;
      if (c < cols)
        store<W>(out + c, accumulate ? plus(load<W>(out + c), v[h]) : v[h]);
    }
  }
}

/* ---- adding ---- */

KERNEL void scatter_clear(idx rows, link_t *head)
{
  idx r = (idx)blockIdx.x * BLOCK + TID_;
  others_may_start();
  if (r < rows)
    head[r] = 0;
}

KERNEL void scatter_link(idx rows, idx k, const idx *RESTRICT index, link_t *head, link_t *link)
{
  idx i = (idx)blockIdx.x * BLOCK + TID_, r = i < k ? LDI(index + i) : -1;
  others_may_start();
  await_launches();
  if (i < k) {
    if (0 <= r && r < rows)
      link[i] = atomicExch(head + r, (link_t)i + 1); // lint-ok library: the list is sorted
  }
}

/* The list that ends at `first` - 1: lane j gets the entry that is j-th in ascending order. Its
 * length, or LIGHT+1 where it is longer than LIGHT. Called by whole warps. */
DEV int sorted_list(link_t first, const link_t *RESTRICT link, idx *mine)
{
  int lane = TID_ % 32, n = 0, rank = 0;
  link_t at = first;
  idx entry = 0, sorted = 0;
  for (; at && n <= LIGHT; n++) {
    if (n == lane)
      entry = (idx)at - 1;
    at = n < LIGHT ? link[at - 1] : 0;
  }
  if (n > 1 && n <= LIGHT) {
    for (int j = 0; j < n; j++) rank += __shfl_sync(0xffffffffu, entry, j) < entry;
    for (int j = 0; j < n; j++) {
      idx other = __shfl_sync(0xffffffffu, entry, j);
      if (__shfl_sync(0xffffffffu, rank, j) == lane)
        sorted = other;
    }
    entry = sorted;
  }
  *mine = entry;
  return n;
}

/* This warp's part of a row: vectors c0 + lane W + (0, 32, 64, ...) W. */
template <int W, int H> DEV void load_part(vec<W> *v, const float *row, idx c0, idx cols)
{
  UNROLL
  for (int h = 0; h < H; h++) {
    idx c = c0 + (h * 32 + TID_ % 32) * W;
    if (c < cols)
      v[h] = load<W>(row + c);
  }
}

template <int W, int H> DEV void store_part(float *row, const vec<W> *v, idx c0, idx cols)
{
  UNROLL
  for (int h = 0; h < H; h++) {
    idx c = c0 + (h * 32 + TID_ % 32) * W;
    if (c < cols)
      store<W>(row + c, v[h]);
  }
}

/* y[r] = base[r] + u[i] for the rows r0 .. r0+QUAD-1 whose list is {i}, y[r] = base[r] for those
 * without any. Lane q holds 1 + the last entry of row r0 + q, and the one before that. */
template <int W, int H, int QUAD>
DEV void add_singles(idx r0, idx rows, link_t last, link_t before, idx cols, idx c0,
                     const float *base, const float *RESTRICT u, float *y)
{
  vec<W> v[QUAD][H], old[QUAD][H];
  unsigned todo = 0, single = 0;
  UNROLL
  for (int q = 0; q < QUAD; q++) {
    link_t i = __shfl_sync(0xffffffffu, last, q), more = __shfl_sync(0xffffffffu, before, q);
    idx r = r0 + q;
    single |= (unsigned)(i != 0) << q;
    todo |= (unsigned)(r < rows && !more && (i || base != y)) << q;
    UNROLL
    for (int h = 0; h < H; h++) v[q][h] = zero<W>();
    if (i) /* without waiting for `before` */
      load_part<W, H>(v[q], u + ((idx)i - 1) * cols, c0, cols);
    if (base && todo >> q & 1)
      load_part<W, H>(old[q], base + r * cols, c0, cols);
  }
  UNROLL
  for (int q = 0; q < QUAD; q++) {
    UNROLL
    for (int h = 0; base && h < H; h++)
      v[q][h] = single >> q & 1 ? plus(old[q][h], v[q][h]) : old[q][h];
    if (todo >> q & 1)
      store_part<W, H>(y + (r0 + q) * cols, v[q], c0, cols);
  }
}

/* y[r] = base[r] + the sum of u[i] over a list of 2 entries or more. Gives its length; where that
 * is over LIGHT nothing else is done. */
template <int W, int H>
DEV int add_light(link_t last, const link_t *RESTRICT link, idx cols, idx c0, const float *base,
                  const float *RESTRICT u, float *y)
{
  vec<W> sum[H] = {}, v[H] = {};
  idx mine;
  int n = sorted_list(last, link, &mine);
  if (n > LIGHT)
    return n;
  load_part<W, H>(sum, u + __shfl_sync(0xffffffffu, mine, 0) * cols, c0, cols);
  for (int j = 1; j < n; j++) {
    load_part<W, H>(v, u + __shfl_sync(0xffffffffu, mine, j) * cols, c0, cols);
    UNROLL
    for (int h = 0; h < H; h++) sum[h] = plus(sum[h], v[h]);
  }
  if (base) {
    load_part<W, H>(v, base, c0, cols);
    UNROLL
    for (int h = 0; h < H; h++) sum[h] = plus(v[h], sum[h]);
  }
  store_part<W, H>(y, sum, c0, cols);
  return n;
}

/* The same for a long list, by the whole block: the first threads have W columns each. */
template <int W, int H>
DEV void add_heavy(idx r, idx k, idx cols, idx c0, const float *base, const idx *RESTRICT index,
                   const float *RESTRICT u, float *y, int *found, int *count)
{
  int lane = TID_ % 32, warp = TID_ / 32;
  idx c = TID_ < H * 32 ? c0 + TID_ * W : cols;
  vec<W> sum = zero<W>();
  for (idx i0 = 0; i0 < k; i0 += BLOCK * SCAN) {
    /* Warp w looks at indices i0 + 32 SCAN w + (0 .. 32 SCAN - 1), 32 at a time. */
    unsigned hits[SCAN];
    int n = 0, total = 0, at = 0;
    UNROLL
    for (int s = 0; s < SCAN; s++) {
      idx i = i0 + 32 * (SCAN * warp + s) + lane;
      hits[s] = __ballot_sync(0xffffffffu, i < k && LDI(index + (i < k ? i : 0)) == r);
      n += __popc(hits[s]);
    }
    if (lane == 0)
      count[warp] = n;
    __syncthreads();
    for (int w = 0; w < WARPS; w++) {
      at = w == warp ? total : at;
      total += count[w];
    }
    UNROLL
    for (int s = 0; s < SCAN; s++) {
      if (hits[s] >> lane & 1)
        found[at + __popc(hits[s] & ((1u << lane) - 1))] = 32 * (SCAN * warp + s) + lane;
      at += __popc(hits[s]);
    }
    __syncthreads();
    if (c < cols) {
#pragma unroll 8
      for (int j = 0; j < total; j++) sum = plus(sum, load<W>(u + (i0 + found[j]) * cols + c));
    }
    __syncthreads();
  }
  if (c < cols)
    store<W>(y + c, base ? plus(load<W>(base + c), sum) : sum);
}

/* Block b does WARPS * QUAD rows in one of `chunks` ranges of H * 32 * W columns; base is NULL
 * where BASE is 0, which leaves room for more rows at once. */
template <int W, int BASE>
KERNEL void __launch_bounds__(BLOCK, 8)
    scatter_sum(idx rows, idx cols, idx k, idx chunks, const float *base, const idx *RESTRICT index,
                const link_t *head, const link_t *link, const float *RESTRICT u, float *y)
{
  SHARED(int, found, BLOCK *SCAN);
  SHARED(int, count, WARPS);
  SHARED(unsigned, heavy, WARPS);
  if (!BASE)
    base = NULL;
  const int QUAD = BASE ? 1 : PLAIN_QUAD, H = BASE ? HELD : PLAIN_HELD;
  idx b0 = blockIdx.x / chunks * (WARPS * QUAD), c0 = blockIdx.x % chunks * (H * 32 * W);
  idx r0 = b0 + TID_ / 32 * QUAD, mine = r0 + TID_ % 32;
  await_launches();
  link_t last = TID_ % 32 < QUAD && mine < rows ? head[mine] : 0;
  link_t before = last ? link[last - 1] : 0;
  unsigned more = __ballot_sync(0xffffffffu, before != 0), long_ones = 0;
  add_singles<W, H, QUAD>(r0, rows, last, before, cols, c0, base, u, y);
  for (int q = 0; more && q < QUAD; q++)
    if (more >> q & 1) {
      idx at = (r0 + q) * cols;
      int n = add_light<W, H>(__shfl_sync(0xffffffffu, last, q), link, cols, c0,
                              base ? base + at : NULL, u, y + at);
      long_ones |= (unsigned)(n > LIGHT) << q;
    }
  if (TID_ % 32 == 0)
    heavy[TID_ / 32] = long_ones;
  if (__syncthreads_or(long_ones != 0))
    for (int j = 0; j < WARPS * QUAD; j++)
      if (heavy[j / QUAD] >> j % QUAD & 1)
        add_heavy<W, H>(b0 + j, k, cols, c0, base ? base + (b0 + j) * cols : NULL, index, u,
                        y + (b0 + j) * cols, found, count);
}

/* ---- the table ---- */

static void declare_none(const int64_t *size, pm_arith *out) { (void)size, (void)out; }
static void declare_sum(const int64_t *size, pm_arith *out) { out->height[0] = (double)size[2]; }

#define PAIR(op, level, declare)                                             \
  {op, "vec4", "cols % 4 == 0 and 16-byte aligned tensors", level, declare}, \
  {                                                                          \
    op, "scalar", "always", level, declare                                   \
  }
static const pm_kernel ROWS[] = {PAIR("gather_rows", PM_VALUE, declare_none),
                                 PAIR("gather_rows_vjp", PM_CHECKED, declare_sum),
                                 PAIR("scatter_add_rows", PM_CHECKED, declare_sum),
                                 PAIR("scatter_add_rows_vjp", PM_CHECKED, declare_none)};

static int64_t workspace_bytes(int64_t rows, int64_t k)
{
  int64_t n;
  if (__builtin_add_overflow(rows, k, &n) || n > PM_MAX_ELEMENTS)
    return 0;
  return n * (int64_t)sizeof(link_t);
}

static size_t workspace(const char *op, const int64_t *size)
{
  int adds = !strcmp(op, "gather_rows_vjp") || !strcmp(op, "scatter_add_rows");
  return adds ? (size_t)workspace_bytes(size[0], size[2]) : 0;
}

static int all_aligned(const void *a, const void *b, const void *c)
{
  return pm_aligned16(a) && pm_aligned16(b) && pm_aligned16(c);
}

typedef struct counts {
  int64_t table, picked; /* rows*cols, k*cols */
} counts;

static counts check_sizes(pm_check *c, int64_t rows, int64_t cols, int64_t k)
{
  counts n;
  pm_size(c, "rows", rows);
  pm_size(c, "cols", cols);
  pm_size(c, "k", k);
  n.table = pm_times(c, "rows", rows, "cols", cols);
  n.picked = pm_times(c, "k", k, "cols", cols);
  return n;
}

/* Ranges of `vectors` vectors a lane that make up a row; variant 0 has vectors of 4. */
static int64_t chunks_of(int64_t cols, int v, int vectors)
{
  int64_t width = vectors * 32 * (v == 0 ? 4 : 1);
  return cols / width + (cols % width != 0);
}

/* Blocks of WARPS units, where `rows` rows have `chunks` units each. */
static unsigned unit_blocks(pm_check *c, int64_t rows, int64_t chunks)
{
  int64_t units;
  if (__builtin_mul_overflow(rows, chunks, &units) || units > PM_MAX_ELEMENTS / 32)
    units = PM_MAX_ELEMENTS / 32;
  return pm_blocks(c, 32 * units, BLOCK);
}

/* y = base + scattered u, where base may be NULL or y. The arguments are checked. */
static pm_status add_rows(pm_check *c, pm_exec *ex, int64_t rows, int64_t cols, int64_t k,
                          const float *base, const int64_t *index, const float *u, float *y)
{
  link_t *head = (link_t *)ex->work, *link = head + rows;
  int v = PM_PICK(c, ex, ROWS, cols % 4 == 0 && all_aligned(base, u, y) ? 3u : 2u);
  int64_t block_rows = WARPS * (base ? 1 : PLAIN_QUAD),
          chunks = chunks_of(cols, v, base ? HELD : PLAIN_HELD);
  int64_t groups = rows / block_rows + (rows % block_rows != 0);
  unsigned clear = pm_blocks(c, rows, BLOCK), entries = pm_blocks(c, k, BLOCK);
  unsigned sums = unit_blocks(c, groups * WARPS, chunks);
  if (!sums)
    return c->status;
  LAUNCH(scatter_clear, clear, BLOCK, ex->stream, rows, head);
  if (entries)
    LAUNCH_AFTER(scatter_link, entries, BLOCK, ex->stream, rows, k, index, head, link);
#define SUM(W, BASE)                                                                         \
  LAUNCH_AFTER((scatter_sum<W, BASE>), sums, BLOCK, ex->stream, rows, cols, k, chunks, base, \
               index, head, link, u, y)
  if (v == 0 && base)
    SUM(4, 1);
  else if (v == 0)
    SUM(4, 0);
  else if (base)
    SUM(1, 1);
  else
    SUM(1, 0);
#undef SUM
  return pm_launched(c);
}

static void launch_pick(pm_check *c, pm_exec *ex, int v, int64_t rows, int64_t cols, int64_t k,
                        int accumulate, const float *x, const int64_t *index, float *y)
{
  int64_t chunks = chunks_of(cols, v, PICK);
  unsigned blocks = unit_blocks(c, k, chunks);
  if (blocks && v == 0)
    LAUNCH(pick_rows<4>, blocks, BLOCK, ex->stream, rows, cols, k, chunks, accumulate, x, index, y);
  else if (blocks)
    LAUNCH(pick_rows<1>, blocks, BLOCK, ex->stream, rows, cols, k, chunks, accumulate, x, index, y);
}

extern "C" pm_status LAUNCHER(gather_rows)(pm_exec *ex, int64_t rows, int64_t cols, int64_t k,
                                           const float *x, const int64_t *index, float *y)
{
  pm_check c = pm_begin("gather_rows", ex);
  counts n = check_sizes(&c, rows, cols, k);
  pm_in(&c, "x", x, n.table, sizeof *x);
  pm_in(&c, "idx", index, k, sizeof *index);
  pm_out(&c, "y", y, n.picked, sizeof *y);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  int v = PM_PICK(&c, ex, ROWS, cols % 4 == 0 && all_aligned(x, y, y) ? 3u : 2u);
  unsigned blocks = pm_blocks(&c, v == 0 ? n.picked / 4 : n.picked, BLOCK);
  if (blocks && v == 0)
    LAUNCH(gather_rows_vec4, blocks, BLOCK, ex->stream, rows, cols / 4, k, x, index, y);
  else if (blocks)
    LAUNCH(gather_rows_scalar, blocks, BLOCK, ex->stream, rows, cols, k, x, index, y);
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(gather_rows_vjp)(pm_exec *ex, int accumulate, int64_t rows,
                                               int64_t cols, int64_t k, const int64_t *index,
                                               const float *g, float *dx)
{
  pm_check c = pm_begin("gather_rows_vjp", ex);
  pm_flag(&c, "accumulate", accumulate);
  counts n = check_sizes(&c, rows, cols, k);
  pm_in(&c, "idx", index, k, sizeof *index);
  pm_in(&c, "g", g, n.picked, sizeof *g);
  pm_out(&c, "dx", dx, n.table, sizeof *dx);
  pm_work(&c, c.status == PM_OK ? (size_t)workspace_bytes(rows, k) : 0);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  return add_rows(&c, ex, rows, cols, k, accumulate ? dx : NULL, index, g, dx);
}

extern "C" pm_status LAUNCHER(scatter_add_rows)(pm_exec *ex, int64_t rows, int64_t cols, int64_t k,
                                                const float *x, const int64_t *index,
                                                const float *u, float *y)
{
  pm_check c = pm_begin("scatter_add_rows", ex);
  counts n = check_sizes(&c, rows, cols, k);
  pm_in(&c, "x", x, n.table, sizeof *x);
  pm_in(&c, "idx", index, k, sizeof *index);
  pm_in(&c, "u", u, n.picked, sizeof *u);
  pm_out(&c, "y", y, n.table, sizeof *y);
  pm_work(&c, c.status == PM_OK ? (size_t)workspace_bytes(rows, k) : 0);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  return add_rows(&c, ex, rows, cols, k, x, index, u, y);
}

extern "C" pm_status LAUNCHER(scatter_add_rows_vjp)(pm_exec *ex, int accumulate, int64_t rows,
                                                    int64_t cols, int64_t k, const int64_t *index,
                                                    const float *g, float *dx, float *du)
{
  pm_check c = pm_begin("scatter_add_rows_vjp", ex);
  pm_flag(&c, "accumulate", accumulate);
  counts n = check_sizes(&c, rows, cols, k);
  pm_in(&c, "idx", index, k, sizeof *index);
  pm_in(&c, "g", g, n.table, sizeof *g);
  pm_out(&c, "dx", dx, n.table, sizeof *dx);
  pm_out(&c, "du", du, n.picked, sizeof *du);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  int v = PM_PICK(&c, ex, ROWS, cols % 4 == 0 && all_aligned(g, dx, du) ? 3u : 2u);
  if (v < 0)
    return c.status;
  launch_pick(&c, ex, v, rows, cols, rows, accumulate, g, NULL, dx);
  launch_pick(&c, ex, v, rows, cols, k, accumulate, g, index, du);
  return pm_launched(&c);
}

PM_FAMILY(gather, ROWS, workspace);
