/* Rows, or elements, picked and added by index: x, y, dx are (rows, cols), idx (k), u, g of a
 * gather (k, cols); with one index k is 1, and for elements cols is 1. What is picked, and what one
 * index adds, is in rows.h; sums over many in scatter_rows.h, which says how they come out
 * the same every time. */
#include <string.h>

#include "../host/check.h"
#include "rows.h"
#include "rows_vec4.h"
#include "../map/map_launch.h"
#include "scatter_buckets.h"
#include "../host/table.h"

/* ---- the table ---- */

enum {
  PICK_BLOCK = 128,
  BUCKETS_FROM = 1 << 22 /* elements; the lists of fewer lie in the L2 as they are */
};

static void declare_rows(const int64_t *size, pm_arith *out) { out->height[0] = (double)size[2]; }
static void declare_sums(const int64_t *size, pm_arith *out) { out->height[0] = (double)size[1]; }

#define ALIGNED "16-byte aligned tensors"
#define VECTORS "cols % 4 == 0 and " ALIGNED
#define BUCKETED "n <= 2^27, k < 2^32 - 1; by itself from n = 2^22 on"
#define SCALAR(op, level, declare)         \
  {                                        \
    op, "scalar", "always", level, declare \
  }
#define PAIR(op, when, vec4, level, declare) \
  {op, "vec4", when, vec4, declare}, SCALAR(op, level, declare)
static const pm_kernel ROWS[] = {
    PAIR("gather_rows", VECTORS, PM_VALUE, PM_VALUE, declare_none),
    {"gather_rows_vjp", "thin", "cols <= 4", PM_CHECKED, declare_rows},
    PAIR("gather_rows_vjp", VECTORS, PM_CHECKED, PM_CHECKED, declare_rows),
    {"scatter_add_rows", "thin", "cols <= 4", PM_CHECKED, declare_rows},
    PAIR("scatter_add_rows", VECTORS, PM_CHECKED, PM_CHECKED, declare_rows),
    PAIR("scatter_add_rows_vjp", VECTORS, PM_VALUE, PM_VALUE, declare_none),
    PAIR("gather_row", VECTORS, PM_VALUE, PM_VALUE, declare_none),
    PAIR("gather_row_vjp", ALIGNED, PM_VALUE, PM_VALUE, declare_none),
    PAIR("scatter_add_row", ALIGNED, PM_VALUE, PM_VALUE, declare_none),
    PAIR("scatter_add_row_vjp", VECTORS, PM_VALUE, PM_VALUE, declare_none),
    SCALAR("gather", PM_VALUE, declare_none),
    {"gather_vjp", "buckets", BUCKETED, PM_CHECKED, declare_sums},
    {"gather_vjp", "thin", "always", PM_CHECKED, declare_sums},
    {"scatter_add", "buckets", BUCKETED, PM_CHECKED, declare_sums},
    {"scatter_add", "thin", "always", PM_CHECKED, declare_sums},
    PAIR("scatter_add_vjp", ALIGNED, PM_VALUE, PM_VALUE, declare_none),
    SCALAR("gather_scalar", PM_VALUE, declare_none),
    PAIR("gather_scalar_vjp", ALIGNED, PM_VALUE, PM_VALUE, declare_none),
    PAIR("scatter_add_scalar", ALIGNED, PM_VALUE, PM_VALUE, declare_none),
    PAIR("scatter_add_scalar_vjp", ALIGNED, PM_VALUE, PM_VALUE, declare_none),
};

static int64_t workspace_bytes(int64_t rows, int64_t k)
{
  int64_t n;
  if (__builtin_add_overflow(rows, k, &n) || n > PM_MAX_ELEMENTS)
    return 0;
  return n * (int64_t)sizeof(link_t);
}

/* Of whichever variant runs, where cols is 1 by the op's name. */
static int64_t elements_bytes(int64_t n, int64_t k)
{
  int64_t lists = workspace_bytes(n, k), buckets = 0;
  if (n > 0 && k >= 0 && buckets_suited(n, k))
    buckets = bucket_bytes(n, k);
  return lists > buckets ? lists : buckets;
}

static size_t workspace(const char *op, const int64_t *size)
{
  if (!strcmp(op, "gather_rows_vjp") || !strcmp(op, "scatter_add_rows"))
    return (size_t)workspace_bytes(size[0], size[2]);
  if (!strcmp(op, "gather_vjp") || !strcmp(op, "scatter_add"))
    return (size_t)elements_bytes(size[0], size[1]);
  return 0;
}

/* ---- sizes ---- */

/* A form of an op: its table, (rows, cols), and how many indices. */
typedef struct form {
  int64_t rows, cols, k;
  int64_t table, picked;   /* rows*cols, k*cols */
  int of_elements, of_one; /* cols is 1 by the op's name; k is */
} form;

static form rows_form(pm_check *c, int64_t rows, int64_t cols, int64_t k, int of_one)
{
  form f = {rows, cols, k, 0, 0, 0, of_one};
  pm_size(c, "rows", rows);
  pm_size(c, "cols", cols);
  pm_size(c, "k", k);
  f.table = pm_times(c, "rows", rows, "cols", cols);
  f.picked = pm_times(c, "k", k, "cols", cols);
  return f;
}

static form elements_form(pm_check *c, int64_t n, int64_t k, int of_one)
{
  form f = {n, 1, k, n, k, 1, of_one};
  pm_size(c, "n", n);
  pm_size(c, "k", k);
  return f;
}

static int all_aligned(const void *a, const void *b, const void *c)
{
  return pm_aligned16(a) && pm_aligned16(b) && pm_aligned16(c);
}

/* ---- launches; the arguments are checked ---- */

/* y is x, or has it added. */
static void launch_copy(pm_check *c, pm_exec *ex, int vectors, int64_t n, int accumulate,
                        const float *x, float *y)
{
  map_grid grid = map_threads(c, n, MAP_SHARE1, vectors);
  if (grid.blocks)
    LAUNCH(table_copy_map, grid.blocks, MAP_BLOCK, ex->stream, n, grid.V, accumulate, 0.0f, 0.0f, x,
           NULL, NULL, y, NULL);
}

static void launch_zero(pm_check *c, pm_exec *ex, int vectors, int64_t n, float *y)
{
  map_grid grid = map_threads(c, n, MAP_SHARE1, vectors);
  if (grid.blocks)
    LAUNCH(table_fill_map, grid.blocks, MAP_BLOCK, ex->stream, n, grid.V, 0, 0.0f, 0.0f, NULL, NULL,
           NULL, y, NULL);
}

static void launch_pick(pm_check *c, pm_exec *ex, int vectors, const form *f, int accumulate,
                        const float *x, const int64_t *index, float *y)
{
  int64_t V = f->cols / 4, T = V / 4 + (V % 4 != 0);
  unsigned blocks = 0;
  if (f->cols > 0)
    blocks = pm_blocks(c, vectors ? f->k * T : f->picked, PICK_BLOCK);
  if (blocks && vectors)
    LAUNCH(gather_rows_vec4, blocks, PICK_BLOCK, ex->stream, f->rows, T, V, f->k, accumulate, x,
           index, y);
  else if (blocks)
    LAUNCH(gather_rows_scalar, blocks, PICK_BLOCK, ex->stream, f->rows, f->cols, f->k, accumulate,
           x, index, y);
}

static void launch_put(pm_check *c, pm_exec *ex, const form *f, int accumulate,
                       const int64_t *index, const float *u, float *y)
{
  unsigned blocks = f->rows ? pm_blocks(c, f->cols, PICK_BLOCK) : 0;
  if (blocks)
    LAUNCH(scatter_add_row, blocks, PICK_BLOCK, ex->stream, f->rows, f->cols, accumulate, index, u,
           y);
}

/* Ranges of `vectors` vectors a thread that make up a row of vectors of W. */
static int64_t chunks_of(int64_t cols, int W, int vectors)
{
  int64_t width = vectors * 32 * W;
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

/* Elements of a block of the thin kernel. Where lists are long on average most elements want the
 * whole block, which then has one. */
static int thin_elements(const form *f) { return f->k / 8 > f->rows ? 1 : BLOCK; }

enum { HEAVY_BLOCKS = 1056 }; /* eight on each of 132 processors */

static void launch_buckets(pm_check *c, pm_exec *ex, const form *f, const float *base,
                           const int64_t *index, const float *u, float *y)
{
  int64_t n = f->rows, k = f->k;
  int log = bucket_log_width(n), buckets = (int)buckets_of(n);
  const bucket_room room = bucket_room_in(ex->work, n, k);
  unsigned deals = pm_blocks(c, k, DEALT);
  if (c->status != PM_OK || !buckets)
    return;
  launch_zero(c, ex, 0, room.longest - room.totals, (float *)room.totals);
  if (deals) {
    LAUNCH_AFTER(bucket_count, deals, DEAL_BLOCK, ex->stream, n, k, log, buckets, index, room);
    LAUNCH_SHARED(bucket_place, deals, DEAL_BLOCK, sizeof(deal), ex->stream, n, k, log, buckets,
                  index, u, room);
  }
  LAUNCH_SHARED(bucket_sum, buckets, LISTS_BLOCK, 4 << log, ex->stream, n, log, base, room, y);
  LAUNCH_AFTER(bucket_heavy, HEAVY_BLOCKS, BLOCK, ex->stream, k, base, index, u, room, y);
}

static void launch_sum(pm_check *c, pm_exec *ex, const char *variant, const form *f,
                       const float *base, const int64_t *index, const float *u, float *y)
{
  link_t *head = (link_t *)ex->work, *link = head + f->rows;
  int thin = !strcmp(variant, "thin"), W = strcmp(variant, "vec4") ? 1 : 4;
  int64_t block_rows = WARPS * (base ? 1 : PLAIN_QUAD);
  int64_t chunks = chunks_of(f->cols, W, base ? HELD : PLAIN_HELD);
  int64_t groups = f->rows / block_rows + (f->rows % block_rows != 0);
  unsigned clear = pm_blocks(c, f->rows, BLOCK), entries = pm_blocks(c, f->k, BLOCK);
  int each = thin_elements(f);
  unsigned sums = thin ? pm_blocks(c, f->table, each) : unit_blocks(c, groups * WARPS, chunks);
  if (!sums)
    return;
  LAUNCH(scatter_clear, clear, BLOCK, ex->stream, f->rows, head);
  if (entries)
    LAUNCH_AFTER(scatter_link, entries, BLOCK, ex->stream, f->rows, f->k, index, head, link);
#define SUM(W, BASE)                                                                            \
  LAUNCH_AFTER((scatter_sum<W, BASE>), sums, BLOCK, ex->stream, f->rows, f->cols, f->k, chunks, \
               base, index, head, link, u, y)
  if (thin)
    LAUNCH_AFTER(scatter_sum_thin, sums, BLOCK, ex->stream, f->rows, f->cols, f->k, each, base,
                 index, head, link, u, y);
  else if (W == 4 && base)
    SUM(4, 1);
  else if (W == 4)
    SUM(4, 0);
  else if (base)
    SUM(1, 1);
  else
    SUM(1, 0);
#undef SUM
}

/* ---- the four ops of a form ---- */

static pm_status pick(pm_check *c, pm_exec *ex, form f, const float *x, const int64_t *index,
                      float *y)
{
  pm_in(c, "x", x, f.table, sizeof *x);
  pm_in(c, "idx", index, f.k, sizeof *index);
  pm_out(c, "y", y, f.picked, sizeof *y);
  if (pm_checked(c) != PM_OK)
    return c->status;
  int suited = f.of_elements ? 1 : f.cols % 4 == 0 && all_aligned(x, y, y) ? 3 : 2;
  int v = PM_PICK(c, ex, ROWS, (unsigned)suited);
  launch_pick(c, ex, !f.of_elements && v == 0, &f, 0, x, index, y);
  return pm_launched(c);
}

/* y = base and what u adds, where base may be NULL or y. The arguments are checked. */
static pm_status add(pm_check *c, pm_exec *ex, const form *f, const float *base,
                     const int64_t *index, const float *u, float *y)
{
  if (f->of_one) {
    int v = PM_PICK(c, ex, ROWS, all_aligned(base, y, y) ? 3u : 2u);
    if (!base)
      launch_zero(c, ex, v == 0, f->table, y);
    else if (base != y)
      launch_copy(c, ex, v == 0, f->table, 0, base, y);
    launch_put(c, ex, f, base != NULL, index, u, y);
  } else if (f->of_elements) {
    unsigned buckets = buckets_suited(f->rows, f->k) && (ex->variant || f->rows >= BUCKETS_FROM);
    int v = PM_PICK(c, ex, ROWS, buckets | 2u);
    if (v == 0)
      launch_buckets(c, ex, f, base, index, u, y);
    else if (v > 0)
      launch_sum(c, ex, ex->ran, f, base, index, u, y);
  } else {
    int vectors = f->cols % 4 == 0 && all_aligned(base, u, y);
    int v = PM_PICK(c, ex, ROWS, (f->cols <= THIN) | 2u * vectors | 4u);
    if (v >= 0)
      launch_sum(c, ex, ex->ran, f, base, index, u, y);
  }
  return pm_launched(c);
}

static void check_work(pm_check *c, const form *f)
{
  if (c->status == PM_OK && !f->of_one)
    pm_work(c, (size_t)(f->of_elements ? elements_bytes : workspace_bytes)(f->rows, f->k));
}

static pm_status pick_vjp(pm_check *c, pm_exec *ex, form f, int accumulate, const int64_t *index,
                          const float *g, float *dx)
{
  pm_flag(c, "accumulate", accumulate);
  pm_in(c, "idx", index, f.k, sizeof *index);
  pm_in(c, "g", g, f.picked, sizeof *g);
  pm_out(c, "dx", dx, f.table, sizeof *dx);
  check_work(c, &f);
  if (pm_checked(c) != PM_OK)
    return c->status;
  return add(c, ex, &f, accumulate ? dx : NULL, index, g, dx);
}

static pm_status add_checked(pm_check *c, pm_exec *ex, form f, const float *x, const int64_t *index,
                             const float *u, float *y)
{
  pm_in(c, "x", x, f.table, sizeof *x);
  pm_in(c, "idx", index, f.k, sizeof *index);
  pm_in(c, "u", u, f.picked, sizeof *u);
  pm_out(c, "y", y, f.table, sizeof *y);
  check_work(c, &f);
  if (pm_checked(c) != PM_OK)
    return c->status;
  return add(c, ex, &f, x, index, u, y);
}

static pm_status add_vjp(pm_check *c, pm_exec *ex, form f, int accumulate, const int64_t *index,
                         const float *g, float *dx, float *du)
{
  pm_flag(c, "accumulate", accumulate);
  pm_in(c, "idx", index, f.k, sizeof *index);
  pm_in(c, "g", g, f.table, sizeof *g);
  pm_out(c, "dx", dx, f.table, sizeof *dx);
  pm_out(c, "du", du, f.picked, sizeof *du);
  if (pm_checked(c) != PM_OK)
    return c->status;
  int vectors = (f.of_elements || f.cols % 4 == 0) && all_aligned(g, dx, du);
  int v = PM_PICK(c, ex, ROWS, vectors ? 3u : 2u);
  if (v < 0)
    return c->status;
  launch_copy(c, ex, v == 0, f.table, accumulate, g, dx);
  launch_pick(c, ex, v == 0 && !f.of_elements, &f, accumulate, g, index, du);
  return pm_launched(c);
}

/* gatherSUFFIX, scatter_addSUFFIX and their VJPs. */
#define BARE(...) __VA_ARGS__
#define FORM(suffix, sizes, make)                                                                \
  extern "C" pm_status LAUNCHER(gather##suffix)(pm_exec * ex, BARE sizes, const float *x,        \
                                                const int64_t *index, float *y)                  \
  {                                                                                              \
    pm_check c = pm_begin("gather" #suffix, ex);                                                 \
    return pick(&c, ex, make, x, index, y);                                                      \
  }                                                                                              \
  extern "C" pm_status LAUNCHER(gather##suffix##_vjp)(                                           \
      pm_exec * ex, int accumulate, BARE sizes, const int64_t *index, const float *g, float *dx) \
  {                                                                                              \
    pm_check c = pm_begin("gather" #suffix "_vjp", ex);                                          \
    return pick_vjp(&c, ex, make, accumulate, index, g, dx);                                     \
  }                                                                                              \
  extern "C" pm_status LAUNCHER(scatter_add##suffix)(                                            \
      pm_exec * ex, BARE sizes, const float *x, const int64_t *index, const float *u, float *y)  \
  {                                                                                              \
    pm_check c = pm_begin("scatter_add" #suffix, ex);                                            \
    return add_checked(&c, ex, make, x, index, u, y);                                            \
  }                                                                                              \
  extern "C" pm_status LAUNCHER(scatter_add##suffix##_vjp)(pm_exec * ex, int accumulate,         \
                                                           BARE sizes, const int64_t *index,     \
                                                           const float *g, float *dx, float *du) \
  {                                                                                              \
    pm_check c = pm_begin("scatter_add" #suffix "_vjp", ex);                                     \
    return add_vjp(&c, ex, make, accumulate, index, g, dx, du);                                  \
  }

FORM(_rows, (int64_t rows, int64_t cols, int64_t k), rows_form(&c, rows, cols, k, 0))
FORM(_row, (int64_t rows, int64_t cols), rows_form(&c, rows, cols, 1, 1))
FORM(, (int64_t n, int64_t k), elements_form(&c, n, k, 0))
FORM(_scalar, (int64_t n), elements_form(&c, n, 1, 1))

PM_FAMILY(gather, ROWS, workspace);
