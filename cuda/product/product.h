/* Matrix products for the families that have them: what a product is, which kernels may compute it,
 * and their launch.
 *
 * Each element is one chain of fused multiply-adds in the order of the inner index, then one
 * product with alpha, then, where there is a bias, one addition of it, then, where it accumulates,
 * one to what was there. No inner index is split over blocks, so all variants give the same bits,
 * but for `fast`, which is none that runs unasked (fast.h). */
#ifndef PM_PRODUCT_PRODUCT_H
#define PM_PRODUCT_PRODUCT_H
#include "../host/table.h"

/* Element (i, p), i along m or n and p along the inner index k, is at[i * ld + p] where along_k,
 * else at[p * ld + i]. */
struct operand {
  const float *at;
  idx rows, ld, step; /* rows: the limit of i; step: where the next product's operand is, or 0 */
  int along_k;
  int vec; /* at is 16-byte aligned and ld a multiple of 4 */
};

/* c = alpha A B + bias, or c += it: a has the rows of c, b its columns. Element (i, j) of c is
 * c[i * n + j]; where `swapped`, c[j * m + i]. */
struct product {
  idx m, n, k, batch, step_c; /* of each of `batch` products: where the next c is */
  float alpha;
  int accumulate, swapped;
  struct operand a, b;
  float *c;
  const float *bias; /* NULL, or a number for each position along a row of c in memory, */
  int bias_step;     /* 0: the same for all */
  int vec;           /* c is 16-byte aligned and its rows are a multiple of 4 long */
};

/* ---- host ---- */

enum { PRODUCT_VECTOR, PRODUCT_TILE128, PRODUCT_TILE, PRODUCT_FAST, PRODUCT_PLAIN };
enum { PRODUCTS_MOST = 4 }; /* looked at together */

/* Rows of a family's table, in the order of these. */
#define PRODUCT_TILES(op, declare)                                                                 \
  {op, "tile128", "m, k, n are multiples of 4 below 2^31, a, b and c 16-byte aligned", PM_CHECKED, \
   declare},                                                                                       \
  {                                                                                                \
    op, "tile", "always", PM_CHECKED, declare                                                      \
  }
#define PRODUCT_FORWARD(op, declare)                                                              \
  {op, "vector",                                                                                  \
   "m or n is 1, the other operand not contiguous along k, its rows 16-byte aligned", PM_CHECKED, \
   declare},                                                                                      \
      PRODUCT_TILES(op, declare)
#define PRODUCT_BACKWARD(op, declare)                                                     \
  {op, "vector", "one of the products is a vector's, as of matmul", PM_CHECKED, declare}, \
      {op, "tile128", "as forward", PM_CHECKED, declare},                                 \
  {                                                                                       \
    op, "tile", "always", PM_CHECKED, declare                                             \
  }

#define PRODUCT_FAST_ROW(op, declare)                                                         \
  {                                                                                           \
    op, "fast",                                                                               \
        PM_BY_NAME ": below 1024^3 the others are faster; m, n below 2^31, k below 2^29, in " \
                   "batches from 32 on",                                                      \
        PM_CHECKED, declare                                                                   \
  }

#define PRODUCT_PLAIN_ROW(op, declare)                                                           \
  {                                                                                              \
    op, "plain", PM_BY_NAME ": its text is proven, and the bits of the others but fast are its", \
        PM_RACES, declare                                                                        \
  }

/* a is (m, k), transposed: stored (k, m). A single row lies along k either way. */
static inline struct operand left(const float *a, int64_t m, int64_t k, int ta)
{
  int along_k = !ta || m == 1;
  int64_t ld = along_k ? k : m;
  struct operand o = {a, m, ld, m * k, along_k, pm_aligned16(a) && ld % 4 == 0};
  return o;
}

/* b is (k, n), transposed: stored (n, k). */
static inline struct operand right(const float *b, int64_t k, int64_t n, int tb)
{
  return left(b, n, k, !tb);
}

/* The same, c being stored transposed: C' = B' A'. */
static inline struct product swap(struct product q)
{
  struct operand a = q.a;
  int64_t m = q.m;
  q.m = q.n, q.n = m;
  q.a = q.b, q.b = a;
  q.swapped = !q.swapped;
  return q;
}

/* `batch` products c (m, n) of a and b, which have k inner indices. A single column is a row. */
static inline struct product product_of(int64_t batch, float alpha, int accumulate, int64_t k,
                                        struct operand a, struct operand b, float *c)
{
  struct product q = {a.rows, b.rows, k, batch, a.rows * b.rows, alpha, accumulate, 0, a, b,
                      c,      NULL,   1, 0};
  if (q.n == 1 && q.m > 1) {
    q = swap(q);
    q.swapped = 0;
    q.bias_step = 0;
  }
  q.vec = pm_aligned16(c) && q.n % 4 == 0;
  return q;
}

#pragma GCC visibility push(hidden)
/* PRODUCT_FAST's (fast.h): bytes of workspace for n products, one after the other, 0 where that is
 * beyond all memory; the height of the tree behind an element; whether it may run; and its launches,
 * in tiles of c of 128 x 128. */
extern "C" size_t LAUNCHER(products_fast_work)(const struct product *q, int n);
extern "C" double LAUNCHER(products_fast_height)(int64_t k);
extern "C" int LAUNCHER(products_fast_fits)(const struct product *q);
extern "C" void LAUNCHER(products_fast)(pm_check *c, const pm_exec *ex, unsigned tiles,
                                        const struct product *q);
/* For PM_PICK: bit v, whether variant v may run for all n of them (of the vector's, for one), and,
 * unless one is asked for by name, is worth it. */
extern "C" unsigned LAUNCHER(products_suited)(const pm_exec *ex, const struct product *q, int n);
/* An error in c where a grid of the variant's cannot have as many blocks as one of them wants. */
extern "C" void LAUNCHER(products_fit)(pm_check *c, int variant, const struct product *q, int n);
/* The variant's launches, one a product, n <= PRODUCTS_MOST; none where a grid cannot have as many
 * blocks, nor where c->status or a variant below 0 says that nothing runs. */
extern "C" void LAUNCHER(products)(pm_check *c, const pm_exec *ex, int variant,
                                   const struct product *q, int n);
#pragma GCC visibility pop
#endif
