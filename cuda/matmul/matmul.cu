/* matmul and bmm. c = alpha A B in f32: c is (m, n), A is (m, k) and stored so or, transposed, as
 * (k, m); B is (k, n) or, transposed, (n, k). A batch has as many of each, one behind the other.
 *
 * cuda/product/product.h says in which order an element is summed.
 *
 * What each buys, one H200, us (cuBLAS SGEMM in brackets):
 *   tile     any product, in tiles by its shape: 4 x 4096 x 4096 in 27 (67), 512^3 in 15 (17)
 *   tile128  2768 for tile's 3075 (2667), 4096^3, A transposed
 *   vector   25.2 for tile's 27.5 (20.4), 1 x 4096 x 4096
 *   plain    by name only: its text is proven, value and races, so that comparing bits with it is
 *            comparing with what is proven; 24574 for tile128's 2815 (2681), 4096^3
 *   fast     by name only, 1139 for tile128's 2815 (2690), 4096^3; other bits, a smaller bound */
#include <string.h>

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

static void fast(const int64_t *size, pm_arith *out)
{
  out->height[0] = LAUNCHER(products_fast_height)(size[1]);
}
static void fast_vjp(const int64_t *size, pm_arith *out)
{
  out->height[0] = LAUNCHER(products_fast_height)(size[2]);
  out->height[1] = LAUNCHER(products_fast_height)(size[0]);
}
static void fast_batch(const int64_t *size, pm_arith *out) { fast(size + 1, out); }
static void fast_batch_vjp(const int64_t *size, pm_arith *out) { fast_vjp(size + 1, out); }

static const pm_kernel ROWS[] = {
    PRODUCT_FORWARD("matmul", declare),          PRODUCT_FAST_ROW("matmul", fast),
    PRODUCT_PLAIN_ROW("matmul", declare),        PRODUCT_BACKWARD("matmul_vjp", declare_vjp),
    PRODUCT_FAST_ROW("matmul_vjp", fast_vjp),    PRODUCT_PLAIN_ROW("matmul_vjp", declare_vjp),
    PRODUCT_FORWARD("bmm", declare_batch),       PRODUCT_FAST_ROW("bmm", fast_batch),
    PRODUCT_PLAIN_ROW("bmm", declare_batch),     PRODUCT_BACKWARD("bmm_vjp", declare_batch_vjp),
    PRODUCT_FAST_ROW("bmm_vjp", fast_batch_vjp), PRODUCT_PLAIN_ROW("bmm_vjp", declare_batch_vjp)};

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

/* The products that a call makes: forward one, backward dA = alpha g B', transposed B g', and
 * dB = alpha A' g, transposed g' A. */
static struct product forward_product(int64_t batch, int64_t m, int64_t k, int64_t n, int ta,
                                      int tb, float alpha, const float *a, const float *b, float *c)
{
  return product_of(batch, alpha, 0, k, left(a, m, k, ta), right(b, k, n, tb), c);
}
static void backward_products(struct product to[2], int64_t batch, int accumulate, int64_t m,
                              int64_t k, int64_t n, int ta, int tb, float alpha, const float *a,
                              const float *b, const float *g, float *da, float *db)
{
  to[0] = ta ? product_of(batch, alpha, accumulate, n, left(b, k, n, tb), right(g, n, m, 1), da)
             : product_of(batch, alpha, accumulate, n, left(g, m, n, 0), right(b, n, k, !tb), da);
  to[1] = tb ? product_of(batch, alpha, accumulate, m, left(g, n, m, 1), right(a, m, k, ta), db)
             : product_of(batch, alpha, accumulate, m, left(a, k, m, !ta), right(g, m, n, 0), db);
}

/* Of the variant that is asked for: only `fast` wants any, where it may run. */
static void note_work(pm_check *c, const pm_exec *ex, const struct product *q, int n)
{
  int fits = c->status == PM_OK && ex->variant && !strcmp(ex->variant, "fast");
  for (int i = 0; i < n; i++) fits = fits && LAUNCHER(products_fast_fits)(q + i);
  if (fits)
    pm_work(c, LAUNCHER(products_fast_work)(q, n));
}

extern "C" size_t LAUNCHER(matmul_fast_work)(const char *op, const int64_t *size)
{
  const int batched = strncmp(op, "bmm", 3) == 0, vjp = strstr(op, "_vjp") != NULL;
  const int64_t batch = batched ? size[0] : 1, *s = size + batched, *attr = s + 3;
  for (int i = 0; i < 3; i++)
    if (batch < 0 || s[i] < 0 || s[i] >= INT32_MAX)
      return 0;
  struct product q[2] = {
      forward_product(batch, s[0], s[1], s[2], attr[0] != 0, attr[1] != 0, 1.0f, NULL, NULL, NULL)};
  if (vjp)
    backward_products(q, batch, 0, s[0], s[1], s[2], attr[0] != 0, attr[1] != 0, 1.0f, NULL, NULL,
                      NULL, NULL, NULL);
  return LAUNCHER(products_fast_work)(q, 1 + vjp);
}

/* alpha may be any float: NaN and infinities follow IEEE 754, as in PyTorch. */
static pm_status forward(pm_check q, pm_exec *ex, int64_t batch, int64_t m, int64_t k, int64_t n,
                         int ta, int tb, float alpha, const float *a, const float *b, float *c)
{
  counts s = check_sizes(&q, batch, m, k, n, ta, tb);
  pm_in(&q, "a", a, s.a, sizeof *a);
  pm_in(&q, "b", b, s.b, sizeof *b);
  pm_out(&q, "c", c, s.c, sizeof *c);
  if (q.status != PM_OK)
    return pm_checked(&q);
  struct product p = forward_product(batch, m, k, n, ta, tb, alpha, a, b, c);
  note_work(&q, ex, &p, 1);
  if (pm_checked(&q) != PM_OK)
    return q.status;
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
  if (q.status != PM_OK)
    return pm_checked(&q);
  struct product both[2];
  backward_products(both, batch, accumulate, m, k, n, ta, tb, alpha, a, b, g, da, db);
  note_work(&q, ex, both, 2);
  if (pm_checked(&q) != PM_OK)
    return q.status;
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
