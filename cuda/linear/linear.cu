/* linear and its VJP. y = x w' + b in f32: x is (rows, in), w (out, in), b (out), y (rows, out).
 *
 * Strict order: an element of y is one chain of fused multiply-adds in the order of the inner
 * index, from 0 on, then one addition of b, as the product's epilogue (cuda/product/product.h).
 * dx = g w and dw = g' x are such chains too; db adds up the columns of g in a fixed order. The
 * variants are those of the products, and what each buys is said in matmul.cu; w lies along the
 * inner index, so that the forward op has none for vectors. */
#include "../product/product.h"
#include "../sum/any_axes.h"

/* ---- the table ---- */

/* db: the sum over the rows of g, (rows, out). */
static axis_plan column_plan(idx rows, idx out)
{
  const idx size[] = {rows, out};
  const int kept[] = {0, 1};
  return rows > 1 && out ? axis_sum_plan(2, size, kept) : axis_copy_plan(rows == 1, out);
}

static void declare(const int64_t *size, pm_arith *out) { out->height[0] = (double)size[1] + 1; }
static void declare_vjp(const int64_t *size, pm_arith *out)
{
  const axis_plan db = column_plan(size[0], size[2]);
  out->height[0] = (double)size[2];
  out->height[1] = (double)size[0];
  if (axis_height(&db) > out->height[1])
    out->height[1] = axis_height(&db);
}

static const pm_kernel ROWS[] = {PRODUCT_TILES("linear", declare),
                                 PRODUCT_BACKWARD("linear_vjp", declare_vjp)};

static size_t workspace(const char *op, const int64_t *size)
{
  axis_plan db;
  if (strcmp(op, "linear_vjp") != 0)
    return 0;
  db = column_plan(size[0], size[2]);
  return db.bytes[0] + db.bytes[1];
}

/* ---- launches ---- */

typedef struct counts {
  int64_t x, w, y; /* elements of the tensors */
} counts;

static counts check_sizes(pm_check *c, int64_t rows, int64_t in, int64_t out)
{
  counts s;
  pm_size(c, "rows", rows);
  pm_size(c, "in", in);
  pm_size(c, "out", out);
  s.x = pm_times(c, "rows", rows, "in", in);
  s.w = pm_times(c, "out", out, "in", in);
  s.y = pm_times(c, "rows", rows, "out", out);
  return s;
}

extern "C" pm_status LAUNCHER(linear)(pm_exec *ex, int64_t rows, int64_t in, int64_t out,
                                      const float *x, const float *w, const float *b, float *y)
{
  pm_check c = pm_begin("linear", ex);
  counts s = check_sizes(&c, rows, in, out);
  pm_in(&c, "x", x, s.x, sizeof *x);
  pm_in(&c, "w", w, s.w, sizeof *w);
  pm_in(&c, "b", b, out, sizeof *b);
  pm_out(&c, "y", y, s.y, sizeof *y);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  struct product p = product_of(1, 1.0f, 0, in, left(x, rows, in, 0), right(w, in, out, 1), y);
  p.bias = b;
  int v = PM_PICK(&c, ex, ROWS, LAUNCHER(products_suited)(ex, &p, 1) >> PRODUCT_TILE128);
  LAUNCHER(products)(&c, ex, v < 0 ? v : v + PRODUCT_TILE128, &p, 1);
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(linear_vjp)(pm_exec *ex, int accumulate, int64_t rows, int64_t in,
                                          int64_t out, const float *x, const float *w,
                                          const float *g, float *dx, float *dw, float *db)
{
  pm_check c = pm_begin("linear_vjp", ex);
  pm_flag(&c, "accumulate", accumulate);
  counts s = check_sizes(&c, rows, in, out);
  const int64_t size[] = {rows, in, out};
  pm_in(&c, "x", x, s.x, sizeof *x);
  pm_in(&c, "w", w, s.w, sizeof *w);
  pm_in(&c, "g", g, s.y, sizeof *g);
  pm_out(&c, "dx", dx, s.x, sizeof *dx);
  pm_out(&c, "dw", dw, s.w, sizeof *dw);
  pm_out(&c, "db", db, out, sizeof *db);
  pm_work(&c, c.status == PM_OK ? workspace(c.op, size) : 0);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  const struct product both[] = {
      product_of(1, 1.0f, accumulate, out, left(g, rows, out, 0), right(w, out, in, 0), dx),
      product_of(1, 1.0f, accumulate, rows, left(g, out, rows, 1), right(x, rows, in, 0), dw)};
  int v = PM_PICK(&c, ex, ROWS, LAUNCHER(products_suited)(ex, both, 2));
  LAUNCHER(products)(&c, ex, v, both, 2);
  if (v >= 0 && out > 0) {
    const axis_plan p = column_plan(rows, out);
    axis_sum_launch(&c, ex, &p, pm_aligned16(g) && pm_aligned16(db), accumulate, g, db);
  }
  return pm_launched(&c);
}

PM_FAMILY(linear, ROWS, workspace);
