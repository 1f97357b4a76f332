/* ffn and its VJP. y = gelu(h w1) w2 in f32: h is (rows, in), w1 (in, hidden), w2 (hidden, out);
 * u = h w1 and a = gelu(u), (rows, hidden), are outputs too, which the VJP reads.
 *
 * Strict order: the products are those of cuda/product/product.h, between them runs gelu's own
 * kernel, so that the bits are those of matmul, gelu, matmul. The VJP: g w2', gelu_vjp, then du w1'
 * and h' du; dw2 = a' g. What it keeps between, two of (rows, hidden), lies in the workspace. The
 * variants are those of the products, and what each buys is said in matmul.cu. */
#include "../math/elementary.h"
#include "../product/product.h"

/* Of activation/, by cuda/launch.h. */
extern "C" pm_status LAUNCHER(gelu)(pm_exec *ex, int64_t n, const float *a, float *y);
extern "C" pm_status LAUNCHER(gelu_vjp)(pm_exec *ex, int accumulate, int64_t n, const float *a,
                                        const float *g, float *da);

/* ---- the table ---- */

static void declare(const int64_t *size, pm_arith *out)
{
  out->k_tanh = PM_K_TANH;
  out->k_exp = PM_K_EXP;
  out->height[0] = (double)size[2];
  out->height[1] = (double)size[1];
}
static void declare_vjp(const int64_t *size, pm_arith *out)
{
  declare(size, out);
  out->height[0] = (double)(size[2] > size[3] ? size[2] : size[3]);
  out->height[1] = (double)size[0];
}

static const pm_kernel ROWS[] = {PRODUCT_BACKWARD("ffn", declare),
                                 PRODUCT_BACKWARD("ffn_vjp", declare_vjp)};

/* Bytes of one array in the workspace: the next is aligned as well. SIZE_MAX / 2: too many. */
static size_t hidden_bytes(int64_t rows, int64_t hidden)
{
  int64_t n;
  if (__builtin_mul_overflow(rows, hidden, &n) || n > PM_MAX_ELEMENTS)
    return SIZE_MAX / 2;
  return ((size_t)n * sizeof(float) + 15) / 16 * 16;
}

static size_t workspace(const char *op, const int64_t *size)
{
  return strcmp(op, "ffn_vjp") ? 0 : 2 * hidden_bytes(size[0], size[2]);
}

/* ---- launches ---- */

typedef struct counts {
  int64_t h, w1, w2, u, y; /* elements of the tensors */
} counts;

static counts check_sizes(pm_check *c, int64_t rows, int64_t in, int64_t hidden, int64_t out)
{
  counts s;
  pm_size(c, "rows", rows);
  pm_size(c, "in", in);
  pm_size(c, "hidden", hidden);
  pm_size(c, "out", out);
  s.h = pm_times(c, "rows", rows, "in", in);
  s.w1 = pm_times(c, "in", in, "hidden", hidden);
  s.w2 = pm_times(c, "hidden", hidden, "out", out);
  s.u = pm_times(c, "rows", rows, "hidden", hidden);
  s.y = pm_times(c, "rows", rows, "out", out);
  return s;
}

/* The variant for n products, all of whose grids are possible, as is gelu's, which has a thread for
 * each of the elements at most; -1 where c->status tells why there is none. */
static int pick(pm_check *c, pm_exec *ex, const struct product *q, int n, int64_t elements)
{
  enum { GELU_BLOCK = 128 };
  int v = PM_PICK(c, ex, ROWS, LAUNCHER(products_suited)(ex, q, n));
  pm_blocks(c, elements, GELU_BLOCK);
  LAUNCHER(products_fit)(c, v, q, n);
  return c->status == PM_OK ? v : -1;
}

/* ex for gelu, which picks its own variant. */
static pm_exec plain(const pm_exec *ex)
{
  pm_exec any = *ex;
  any.variant = NULL;
  return any;
}

extern "C" pm_status LAUNCHER(ffn)(pm_exec *ex, int64_t rows, int64_t in, int64_t hidden,
                                   int64_t out, const float *h, const float *w1, const float *w2,
                                   float *y, float *u, float *a)
{
  pm_check c = pm_begin("ffn", ex);
  counts s = check_sizes(&c, rows, in, hidden, out);
  pm_in(&c, "h", h, s.h, sizeof *h);
  pm_in(&c, "w1", w1, s.w1, sizeof *w1);
  pm_in(&c, "w2", w2, s.w2, sizeof *w2);
  pm_out(&c, "y", y, s.y, sizeof *y);
  pm_out(&c, "u", u, s.u, sizeof *u);
  pm_out(&c, "a", a, s.u, sizeof *a);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  const struct product both[] = {
      product_of(1, 1.0f, 0, in, left(h, rows, in, 0), right(w1, in, hidden, 0), u),
      product_of(1, 1.0f, 0, hidden, left(a, rows, hidden, 0), right(w2, hidden, out, 0), y)};
  int v = pick(&c, ex, both, 2, s.u);
  if (v >= 0) {
    pm_exec any = plain(ex);
    LAUNCHER(products)(&c, ex, v, both, 1);
    c.status = LAUNCHER(gelu)(&any, s.u, u, a);
    LAUNCHER(products)(&c, ex, v, both + 1, 1);
  }
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(ffn_vjp)(pm_exec *ex, int accumulate, int64_t rows, int64_t in,
                                       int64_t hidden, int64_t out, const float *h, const float *w1,
                                       const float *w2, const float *u, const float *a,
                                       const float *g, float *dh, float *dw1, float *dw2)
{
  pm_check c = pm_begin("ffn_vjp", ex);
  pm_flag(&c, "accumulate", accumulate);
  counts s = check_sizes(&c, rows, in, hidden, out);
  const int64_t size[] = {rows, in, hidden, out};
  pm_in(&c, "h", h, s.h, sizeof *h);
  pm_in(&c, "w1", w1, s.w1, sizeof *w1);
  pm_in(&c, "w2", w2, s.w2, sizeof *w2);
  pm_in(&c, "u", u, s.u, sizeof *u);
  pm_in(&c, "a", a, s.u, sizeof *a);
  pm_in(&c, "g", g, s.y, sizeof *g);
  pm_out(&c, "dh", dh, s.h, sizeof *dh);
  pm_out(&c, "dw1", dw1, s.w1, sizeof *dw1);
  pm_out(&c, "dw2", dw2, s.w2, sizeof *dw2);
  pm_work(&c, c.status == PM_OK ? workspace(c.op, size) : 0);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  float *da = (float *)ex->work, *du = (float *)((char *)ex->work + hidden_bytes(rows, hidden));
  const struct product all[] = {
      product_of(1, 1.0f, 0, out, left(g, rows, out, 0), right(w2, out, hidden, 1), da),
      product_of(1, 1.0f, accumulate, rows, left(a, hidden, rows, 1), right(g, rows, out, 0), dw2),
      product_of(1, 1.0f, accumulate, hidden, left(du, rows, hidden, 0), right(w1, hidden, in, 1),
                 dh),
      product_of(1, 1.0f, accumulate, rows, left(h, in, rows, 1), right(du, rows, hidden, 0), dw1)};
  int v = pick(&c, ex, all, 4, s.u);
  if (v >= 0) {
    pm_exec any = plain(ex);
    LAUNCHER(products)(&c, ex, v, all, 2);
    c.status = LAUNCHER(gelu_vjp)(&any, 0, s.u, u, da, du);
    LAUNCHER(products)(&c, ex, v, all + 2, 2);
  }
  return pm_launched(&c);
}

PM_FAMILY(ffn, ROWS, workspace);
