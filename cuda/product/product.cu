/* Which kernel computes a product, and its launch. */
#include "product.h"

#include "../host/device.h"
#include "plain.h"
#include "plain_forms.h"
#include "tile.h"
#include "tile128.h"
#include "vector.h"

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

static unsigned suited(const pm_exec *ex, struct product q)
{
  return (unsigned)is_vector(q) << PRODUCT_VECTOR |
         (unsigned)(fits128(q) && (ex->variant || pays128(q))) << PRODUCT_TILE128 |
         1u << PRODUCT_TILE |
         (unsigned)(ex->variant && LAUNCHER(products_fast_fits)(&q)) << PRODUCT_FAST |
         (unsigned)(ex->variant && !q.bias && !q.swapped) << PRODUCT_PLAIN;
}

extern "C" unsigned LAUNCHER(products_suited)(const pm_exec *ex, const struct product *q, int n)
{
  unsigned all = ~0u, some = 0, either = 1u << PRODUCT_VECTOR;
  for (int i = 0; i < n; i++) {
    unsigned s = suited(ex, q[i]);
    all &= s, some |= s;
  }
  return all | (some & either);
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

/* The kernel of a product where a variant runs: of several, some may be no vector's. */
static int kernel_of(int variant, struct product q)
{
  return variant == PRODUCT_VECTOR && !is_vector(q) ? PRODUCT_TILE : variant;
}

/* Blocks of a launch; an error where a grid cannot have as many. */
static unsigned grid_of(pm_check *c, int kernel, struct product q)
{
  static const int rows[] = {8, 16, 40, 64, 64, 8, 64}, cols[] = {32, 32, 32, 64, 32, 32, 64};
  enum shape s = shape_of(q);
  int64_t n = kernel == PRODUCT_TILE128 || kernel == PRODUCT_FAST ? tiles(q, WIDE, WIDE)
              : kernel == PRODUCT_VECTOR                          ? tiles(q, 1, OUTPUTS)
              : kernel == PRODUCT_PLAIN                           ? tiles(q, SIDE, SIDE)
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

static void run_plain(void *stream, unsigned grid, struct product q)
{
  LAUNCH(matmul_plain, grid, SQUARE, stream, q.batch, q.m, q.k, q.n, divide_up(q.m, SIDE),
         divide_up(q.n, SIDE), (idx)grid, !q.a.along_k, q.b.along_k, q.accumulate, q.alpha, q.a.at,
         q.b.at, q.c);
}

static void run(pm_check *c, int kernel, const pm_exec *ex, unsigned grid, struct product q)
{
  void *const stream = ex->stream;
  if (grid == 0)
    return;
  if (kernel == PRODUCT_FAST)
    LAUNCHER(products_fast)(c, ex, grid, &q);
  else if (kernel == PRODUCT_TILE128)
    run128(stream, grid, q);
  else if (kernel == PRODUCT_VECTOR)
    LAUNCH_SHARED(matmul_vector, grid, COPIERS + 32, V_BYTES, stream, q);
  else if (kernel == PRODUCT_PLAIN)
    run_plain(stream, grid, q);
  else
    run_tile(stream, grid, q);
}

extern "C" void LAUNCHER(products_fit)(pm_check *c, int variant, const struct product *q, int n)
{
  for (int i = 0; i < n && variant >= 0; i++) grid_of(c, kernel_of(variant, q[i]), q[i]);
}

extern "C" void LAUNCHER(products)(pm_check *c, const pm_exec *ex, int variant,
                                   const struct product *q, int n)
{
  unsigned grid[PRODUCTS_MOST];
  for (int i = 0; i < n && variant >= 0; i++) grid[i] = grid_of(c, kernel_of(variant, q[i]), q[i]);
  for (int i = 0; i < n && variant >= 0 && c->status == PM_OK; i++)
    run(c, kernel_of(variant, q[i]), ex, grid[i], q[i]);
}
