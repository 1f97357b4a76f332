/* matmul and bmm. c = alpha A B in f32: c is (m, n), A is (m, k) and stored so or, transposed, as
 * (k, m); B is (k, n) or, transposed, (n, k). A batch has as many of each, one behind the other.
 *
 * Each element is one chain of fused multiply-adds in the order of the inner index, then one
 * product with alpha, then, where it accumulates, one addition to what was there. No inner index is
 * split over blocks, so all variants give the same bits.
 *
 * What each buys, one H200, us (cuBLAS SGEMM in brackets):
 *   tile     any product, in tiles by its shape: 4 x 4096 x 4096 in 27 (67), 512^3 in 15 (17)
 *   tile128  2768 for tile's 3075 (2667), 4096^3, A transposed
 *   vector   25.2 for tile's 27.5 (20.4), 1 x 4096 x 4096 */
#include "../host/check.h"
#include "../host/device.h"
#include "../host/table.h"
#include "tile.h"
#include "tile128.h"
#include "vector.h"

/* ---- the table ---- */

enum { VECTOR, TILE128, TILE };

static void declare(const int64_t *size, pm_arith *out) { out->height[0] = (double)size[1]; }
static void declare_vjp(const int64_t *size, pm_arith *out)
{
  out->height[0] = (double)size[2];
  out->height[1] = (double)size[0];
}
static void declare_batch(const int64_t *size, pm_arith *out) { declare(size + 1, out); }
static void declare_batch_vjp(const int64_t *size, pm_arith *out) { declare_vjp(size + 1, out); }

#define FORWARD(op, declare)                                                                      \
  {op, "vector",                                                                                  \
   "m or n is 1, the other operand not contiguous along k, its rows 16-byte aligned", PM_CHECKED, \
   declare},                                                                                      \
      {op, "tile128", "m, k, n are multiples of 4 below 2^31, a, b and c 16-byte aligned",        \
       PM_CHECKED, declare},                                                                      \
  {                                                                                               \
    op, "tile", "always", PM_CHECKED, declare                                                     \
  }
#define BACKWARD(op, declare)                                                               \
  {op, "vector", "one of the two products is a vector's, as forward", PM_CHECKED, declare}, \
      {op, "tile128", "as forward", PM_CHECKED, declare},                                   \
  {                                                                                         \
    op, "tile", "always", PM_CHECKED, declare                                               \
  }
static const pm_kernel ROWS[] = {FORWARD("matmul", declare), BACKWARD("matmul_vjp", declare_vjp),
                                 FORWARD("bmm", declare_batch),
                                 BACKWARD("bmm_vjp", declare_batch_vjp)};

/* a is (m, k), transposed: stored (k, m). A single row lies along k either way. */
static struct operand left(const float *a, int64_t m, int64_t k, int ta)
{
  int along_k = !ta || m == 1;
  int64_t ld = along_k ? k : m;
  struct operand o = {a, m, ld, m * k, along_k, pm_aligned16(a) && ld % 4 == 0};
  return o;
}

/* b is (k, n), transposed: stored (n, k). */
static struct operand right(const float *b, int64_t k, int64_t n, int tb)
{
  return left(b, n, k, !tb);
}

/* The same, c being stored transposed: C' = B' A'. */
static struct product swap(struct product q)
{
  struct operand a = q.a;
  int64_t m = q.m;
  q.m = q.n, q.n = m;
  q.a = q.b, q.b = a;
  q.swapped = !q.swapped;
  return q;
}

/* `batch` products c (m, n) of a and b, which have k inner indices. A single column is a row. */
static struct product product_of(int64_t batch, float alpha, int accumulate, int64_t k,
                                 struct operand a, struct operand b, float *c)
{
  struct product q = {a.rows, b.rows, k, batch, a.rows * b.rows, alpha, accumulate, 0, a, b, c, 0};
  if (q.n == 1 && q.m > 1) {
    q = swap(q);
    q.swapped = 0;
  }
  q.vec = pm_aligned16(c) && q.n % 4 == 0;
  return q;
}

/* ---- which kernel ---- */

static int is_vector(struct product q) { return q.m == 1 && !q.b.along_k && q.b.vec; }
static int fits128(struct product q)
{
  return q.a.vec && q.b.vec && q.vec && q.m % 4 == 0 && q.k % 4 == 0 && q.m < INT32_MAX &&
         q.n < INT32_MAX && q.k < INT32_MAX;
}
/* Of all products together. */
static int64_t tiles(struct product q, int rows, int cols)
{
  int64_t n;
  int over = __builtin_mul_overflow(divide_up(q.m, rows), divide_up(q.n, cols), &n) ||
             __builtin_mul_overflow(n, q.batch, &n);
  return over ? INT64_MAX : n;
}
/* Enough tiles of 128 x 128 that one and a half lie on each multiprocessor. */
static int pays128(struct product q) { return tiles(q, WIDE, WIDE) / 3 * 2 >= device_blocks(); }

/* Bit v: variant v may run, and, unless one is asked for by name, is worth it. */
static unsigned suited(const pm_exec *ex, struct product q)
{
  return (unsigned)is_vector(q) << VECTOR |
         (unsigned)(fits128(q) && (ex->variant || pays128(q))) << TILE128 | 1u << TILE;
}

/* Tiles by the rows of c: few are tiles of as many, which read b once; else tiles of 64 x 64, or of
 * 64 x 32 where those are too few for the multiprocessors, or too short. */
enum shape { BY8, BY16, BY40, BY64, BY64X32, ANY8, ANY };
static enum shape shape_of(struct product q)
{
  if (!q.a.vec || !q.b.vec)
    return q.m <= 8 ? ANY8 : ANY;
  if (q.m <= 8)
    return BY8;
  if (q.m <= 16)
    return BY16;
  if (q.m <= 40 && q.a.along_k)
    return BY40;
  return q.k >= 256 && tiles(q, 64, 64) >= device_blocks() ? BY64 : BY64X32;
}

/* The kernel of a product where a variant runs: of the VJP's two, one may be no vector's. */
static int kernel_of(int variant, struct product q)
{
  return variant == VECTOR && !is_vector(q) ? TILE : variant;
}

/* Blocks of a launch; an error where a grid cannot have as many. */
static unsigned grid_of(pm_check *c, int kernel, struct product q)
{
  static const int rows[] = {8, 16, 40, 64, 64, 8, 64}, cols[] = {32, 32, 32, 64, 32, 32, 64};
  enum shape s = shape_of(q);
  int64_t n = kernel == TILE128  ? tiles(q, WIDE, WIDE)
              : kernel == VECTOR ? tiles(q, 1, OUTPUTS)
                                 : tiles(q, rows[s], cols[s]);
  return pm_blocks(c, n, 1);
}

/* ---- launches ---- */

template <bool TA, bool TB, bool BY_ROWS, bool WHOLE, bool AMONG>
static void start128(void *stream, unsigned grid, struct product q)
{
  int bytes = tile128_shape<TA, TB>::BYTES;
  LAUNCH_SHARED((matmul_tile128<TA, TB, BY_ROWS, WHOLE, AMONG>), grid, 128, bytes, stream, q);
}

/* One H100, 4096 x 4096 x 4096: the other choices of a form cost 2 to 10 %. */
static void run128(void *stream, unsigned grid, struct product q)
{
  if (q.a.along_k && q.b.along_k)
    start128<true, true, false, false, false>(stream, grid, q);
  else if (q.a.along_k)
    start128<false, true, false, true, true>(stream, grid, swap(q));
  else if (q.b.along_k)
    start128<false, true, true, true, true>(stream, grid, q);
  else
    start128<false, false, true, true, false>(stream, grid, q);
}

template <int WARPS_M, int WARPS_N, int TM, int TN, int DEPTH, int STAGES, int BLOCKS, int LA,
          int LB>
static void start(void *stream, unsigned grid, struct product q)
{
  typedef tile_shape<WARPS_M, WARPS_N, TM, TN, DEPTH, STAGES, LA, LB> S;
  int threads = S::THREADS, bytes = S::BYTES;
  LAUNCH_SHARED((matmul_tile<WARPS_M, WARPS_N, TM, TN, DEPTH, STAGES, LA, LB, BLOCKS>), grid,
                threads, bytes, stream, q);
}

/* Of one shape, by how the operands lie: K along the inner index, R along the rows. */
#define START(K, R, ...)                                                             \
  (q.a.along_k   ? q.b.along_k ? start<__VA_ARGS__, K, K> : start<__VA_ARGS__, K, R> \
     : q.b.along_k ? start<__VA_ARGS__, R, K>                                        \
                 : start<__VA_ARGS__, R, R>)(stream, grid, q)

static void run_tile(void *stream, unsigned grid, struct product q)
{
  switch (shape_of(q)) {
  case BY8:
    START(K16, R16, 1, 4, 1, 2, 64, 8, 1);
    break;
  case BY16:
    START(K16, R16, 1, 4, 2, 2, 64, 8, 1);
    break;
  case BY40:
    (q.b.along_k ? start<1, 4, 5, 2, 64, 5, 1, K16, K16>
                 : start<1, 4, 5, 2, 64, 5, 1, K16, R16>)(stream, grid, q);
    break;
  case BY64:
    START(K16, R16, 2, 2, 4, 8, 32, 3, 2);
    break;
  case BY64X32:
    START(K16, R16, 2, 2, 4, 4, 32, 4, 2);
    break;
  case ANY8:
    START(K4, R4, 1, 4, 1, 2, 64, 8, 1);
    break;
  case ANY:
    START(K4, R4, 2, 2, 4, 8, 32, 3, 2);
    break;
  }
}

static void run(int kernel, void *stream, unsigned grid, struct product q)
{
  if (grid == 0)
    return;
  if (kernel == TILE128)
    run128(stream, grid, q);
  else if (kernel == VECTOR)
    LAUNCH_SHARED(matmul_vector, grid, COPIERS + 32, V_BYTES, stream, q);
  else
    run_tile(stream, grid, q);
}

typedef struct counts {
  int64_t a, b, c; /* elements of the three tensors */
} counts;

static counts check_sizes(pm_check *c, int64_t batch, int64_t m, int64_t k, int64_t n, int ta,
                          int tb)
{
  counts q;
  pm_size(c, "batch", batch);
  pm_size(c, "m", m);
  pm_size(c, "k", k);
  pm_size(c, "n", n);
  pm_flag(c, "ta", ta);
  pm_flag(c, "tb", tb);
  q.a = pm_times(c, "batch", batch, "m * k", pm_times(c, "m", m, "k", k));
  q.b = pm_times(c, "batch", batch, "k * n", pm_times(c, "k", k, "n", n));
  q.c = pm_times(c, "batch", batch, "m * n", pm_times(c, "m", m, "n", n));
  return q;
}

/* alpha may be any float: NaN and infinities follow IEEE 754, as in PyTorch. */
static pm_status forward(pm_check q, pm_exec *ex, int64_t batch, int64_t m, int64_t k, int64_t n,
                         int ta, int tb, float alpha, const float *a, const float *b, float *c)
{
  counts s = check_sizes(&q, batch, m, k, n, ta, tb);
  pm_in(&q, "a", a, s.a, sizeof *a);
  pm_in(&q, "b", b, s.b, sizeof *b);
  pm_out(&q, "c", c, s.c, sizeof *c);
  if (pm_checked(&q) != PM_OK)
    return q.status;
  struct product p = product_of(batch, alpha, 0, k, left(a, m, k, ta), right(b, k, n, tb), c);
  int v = PM_PICK(&q, ex, ROWS, suited(ex, p));
  unsigned grid = v < 0 ? 0 : grid_of(&q, v, p);
  run(v, ex->stream, grid, p);
  return pm_launched(&q);
}

static pm_status backward(pm_check q, pm_exec *ex, int accumulate, int64_t batch, int64_t m,
                          int64_t k, int64_t n, int ta, int tb, float alpha, const float *a,
                          const float *b, const float *g, float *da, float *db)
{
  pm_flag(&q, "accumulate", accumulate);
  counts s = check_sizes(&q, batch, m, k, n, ta, tb);
  pm_in(&q, "a", a, s.a, sizeof *a);
  pm_in(&q, "b", b, s.b, sizeof *b);
  pm_in(&q, "g", g, s.c, sizeof *g);
  pm_out(&q, "da", da, s.a, sizeof *da);
  pm_out(&q, "db", db, s.b, sizeof *db);
  if (pm_checked(&q) != PM_OK)
    return q.status;
  /* dA = alpha g B', and transposed B g'; dB = alpha A' g, and transposed g' A. */
  struct product pa =
      ta ? product_of(batch, alpha, accumulate, n, left(b, k, n, tb), right(g, n, m, 1), da)
         : product_of(batch, alpha, accumulate, n, left(g, m, n, 0), right(b, n, k, !tb), da);
  struct product pb =
      tb ? product_of(batch, alpha, accumulate, m, left(g, n, m, 1), right(a, m, k, ta), db)
         : product_of(batch, alpha, accumulate, m, left(a, k, m, !ta), right(g, m, n, 0), db);
  unsigned sa = suited(ex, pa), sb = suited(ex, pb), either = 1u << VECTOR;
  int v = PM_PICK(&q, ex, ROWS, (sa & sb) | ((sa | sb) & either));
  int ka = kernel_of(v, pa), kb = kernel_of(v, pb);
  unsigned ga = v < 0 ? 0 : grid_of(&q, ka, pa), gb = v < 0 ? 0 : grid_of(&q, kb, pb);
  if (q.status == PM_OK) {
    run(ka, ex->stream, ga, pa);
    run(kb, ex->stream, gb, pb);
  }
  return pm_launched(&q);
}

extern "C" pm_status LAUNCHER(matmul)(pm_exec *ex, int64_t m, int64_t k, int64_t n, int ta, int tb,
                                      float alpha, const float *a, const float *b, float *c)
{
  return forward(pm_begin("matmul", ex), ex, 1, m, k, n, ta, tb, alpha, a, b, c);
}

extern "C" pm_status LAUNCHER(matmul_vjp)(pm_exec *ex, int accumulate, int64_t m, int64_t k,
                                          int64_t n, int ta, int tb, float alpha, const float *a,
                                          const float *b, const float *g, float *da, float *db)
{
  return backward(pm_begin("matmul_vjp", ex), ex, accumulate, 1, m, k, n, ta, tb, alpha, a, b, g,
                  da, db);
}

extern "C" pm_status LAUNCHER(bmm)(pm_exec *ex, int64_t batch, int64_t m, int64_t k, int64_t n,
                                   int ta, int tb, float alpha, const float *a, const float *b,
                                   float *c)
{
  return forward(pm_begin("bmm", ex), ex, batch, m, k, n, ta, tb, alpha, a, b, c);
}

extern "C" pm_status LAUNCHER(bmm_vjp)(pm_exec *ex, int accumulate, int64_t batch, int64_t m,
                                       int64_t k, int64_t n, int ta, int tb, float alpha,
                                       const float *a, const float *b, const float *g, float *da,
                                       float *db)
{
  return backward(pm_begin("bmm_vjp", ex), ex, accumulate, batch, m, k, n, ta, tb, alpha, a, b, g,
                  da, db);
}

PM_FAMILY(matmul, ROWS, NULL);
