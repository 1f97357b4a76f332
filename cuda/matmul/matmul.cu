/* matmul and bmm. c = alpha A B in f32: c is (m, n), A is (m, k) and stored so or, transposed, as
 * (k, m); B is (k, n) or, transposed, (n, k). A batch has as many of each, one behind the other.
 *
 * cuda/product/product.h says in which order an element is summed.
 *
 * What each buys, one H200, us (cuBLAS SGEMM in brackets):
 *   tile     any product, in tiles by its shape: 4 x 4096 x 4096 in 27 (67), 512^3 in 15 (17)
 *   tile128  2768 for tile's 3075 (2667), 4096^3, A transposed
 *   vector   25.2 for tile's 27.5 (20.4), 1 x 4096 x 4096 */
#include "../product/product.h"

/* ---- the table ---- */

static void declare(const int64_t *size, pm_arith *out) { out->height[0] = (double)size[1]; }
static void declare_vjp(const int64_t *size, pm_arith *out)
{
  out->height[0] = (double)size[2];
  out->height[1] = (double)size[0];
}
static void declare_batch(const int64_t *size, pm_arith *out) { declare(size + 1, out); }
static void declare_batch_vjp(const int64_t *size, pm_arith *out) { declare_vjp(size + 1, out); }

static const pm_kernel ROWS[] = {
    PRODUCT_FORWARD("matmul", declare), PRODUCT_BACKWARD("matmul_vjp", declare_vjp),
    PRODUCT_FORWARD("bmm", declare_batch), PRODUCT_BACKWARD("bmm_vjp", declare_batch_vjp)};

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
  int v = PM_PICK(&q, ex, ROWS, LAUNCHER(products_suited)(ex, &p, 1));
  LAUNCHER(products)(&q, ex, v, &p, 1);
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
  const struct product both[] = {pa, pb};
  int v = PM_PICK(&q, ex, ROWS, LAUNCHER(products_suited)(ex, both, 2));
  LAUNCHER(products)(&q, ex, v, both, 2);
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
