/* multi_head_attention and its VJP: attention with its projections, in f32. x and y are (batch, n, width); of
 * rows = batch n there are q = x wq, k = x wk, v = x wv, split into heads of d, sdpa of them, and y = o wo, the heads
 * of o side by side.
 *
 * It launches what other families have: matrix products, sdpa, and between them swap_adjacent, which brings
 * (batch, n, heads, d) to (batch, heads, n, d) and back. So its bits are theirs, and there is one variant: each
 * launch picks its own. */
#include <string.h>

#include "../product/product.h"

/* Of shape/, attention/ and elementwise/, by cuda/launch.h. */
extern "C" pm_status LAUNCHER(swap_adjacent)(pm_exec *ex, int rank, const int64_t *shape,
                                             int64_t depth, const float *x, float *y);
extern "C" pm_status LAUNCHER(sdpa)(pm_exec *ex, int64_t batch, int64_t heads, int64_t kv_heads,
                                    int64_t nq, int64_t nk, int64_t d, int causal, int masked,
                                    const float *q, const float *k, const float *v,
                                    const float *mask, float *y, float *lse);
extern "C" pm_status LAUNCHER(sdpa_vjp)(pm_exec *ex, int accumulate, int64_t batch, int64_t heads,
                                        int64_t kv_heads, int64_t nq, int64_t nk, int64_t d,
                                        int causal, int masked, const float *q, const float *k,
                                        const float *v, const float *mask, const float *y,
                                        const float *lse, const float *g, float *dq, float *dk,
                                        float *dv);
extern "C" pm_status LAUNCHER(copy_vjp)(pm_exec *ex, int accumulate, int64_t n, const float *g,
                                        float *dx);

/* ---- the table ---- */

enum { BATCH, HEADS, KV_HEADS, LENGTH, WIDTH, D };

/* The trees of sdpa; those of the products are taken to be any (ref/multi_head.h). */
static void declare_as(const char *op, const int64_t *size, pm_arith *out)
{
  const int64_t of[] = {size[BATCH],  size[HEADS],  size[KV_HEADS],
                        size[LENGTH], size[LENGTH], size[D]};
  const pm_family f = LAUNCHER(family_attention);
  for (int i = 0; i < f.n; i++)
    if (!strcmp(f.rows[i].op, op)) {
      f.rows[i].declare(of, out);
      return;
    }
}
static void declare(const int64_t *size, pm_arith *out) { declare_as("sdpa", size, out); }
static void declare_vjp(const int64_t *size, pm_arith *out) { declare_as("sdpa_vjp", size, out); }

static const pm_kernel ROWS[] = {
    {"multi_head_attention", "composed", "always", PM_CHECKED, declare},
    {"multi_head_attention_vjp", "composed", "always", PM_CHECKED, declare_vjp},
};

/* ---- the workspace ---- */

/* Bytes of n arrays of rows rows of columns floats, each 16-byte aligned; SIZE_MAX / 8: too many. */
static size_t room(int64_t n, int64_t rows, int64_t columns)
{
  int64_t all;
  if (__builtin_mul_overflow(rows, columns, &all) || all > PM_MAX_ELEMENTS)
    return SIZE_MAX / 8;
  return (size_t)n * (((size_t)all * sizeof(float) + 15) / 16 * 16);
}

/* Rows of heads side by side: of the queries, of the keys. */
static int64_t columns(int64_t heads, int64_t d)
{
  int64_t n;
  return __builtin_mul_overflow(heads, d, &n) ? INT64_MAX : n;
}

/* Of an array that is queries' and keys' in turn: of no query head there may be heads of keys. */
static size_t widest(int64_t rows, int64_t hd, int64_t kvd)
{
  return room(1, rows, hd > kvd ? hd : kvd);
}

static size_t sdpa_bytes(const int64_t *size)
{
  const int64_t of[] = {size[BATCH],  size[HEADS],  size[KV_HEADS],
                        size[LENGTH], size[LENGTH], size[D]};
  return (LAUNCHER(family_attention).workspace("sdpa_vjp", of) + 15) / 16 * 16;
}

/* Forward one array of the heads side by side; of the VJP three, two of the keys' heads, one like x, for a dx that
 * is added to what is there, and sdpa_vjp's own. */
static size_t workspace(const char *op, const int64_t *size)
{
  const int64_t rows = columns(size[BATCH], size[LENGTH]);
  const size_t heads =
      widest(rows, columns(size[HEADS], size[D]), columns(size[KV_HEADS], size[D]));
  if (strcmp(op, "multi_head_attention_vjp"))
    return heads;
  const size_t parts =
      3 * heads + room(2, rows, columns(size[KV_HEADS], size[D])) + room(1, rows, size[WIDTH]);
  return parts < SIZE_MAX / 8 ? parts + sdpa_bytes(size) : parts;
}

/* The workspace, handed out from its beginning. */
static float *take(pm_exec *rest, size_t bytes)
{
  float *at = (float *)rest->work;
  rest->work = (char *)rest->work + bytes;
  rest->work_bytes -= bytes;
  return at;
}

/* ---- arguments ---- */

typedef struct heads {
  int64_t batch, heads, kv_heads, n, width, d;
  int64_t rows, hd, kvd; /* batch n; columns of wq, and of wk and wv */
} heads;

/* A tensor of the caller's. */
typedef struct tensor {
  const char *name;
  const float *at;
  int64_t n;
} tensor;

static heads sizes(pm_check *c, int64_t batch, int64_t n_heads, int64_t kv_heads, int64_t n,
                   int64_t width, int64_t d)
{
  heads s = {batch, n_heads, kv_heads, n, width, d, 0, 0, 0};
  pm_size(c, "batch", batch);
  pm_size(c, "heads", n_heads);
  pm_size(c, "kv_heads", kv_heads);
  pm_size(c, "n", n);
  pm_size(c, "width", width);
  pm_size(c, "d", d);
  if (c->status == PM_OK && (kv_heads ? n_heads % kv_heads : n_heads) != 0)
    c->status =
        pm_fail(PM_BAD_ARGUMENT, c->op, "heads = %lld must be a multiple of kv_heads = %lld",
                (long long)n_heads, (long long)kv_heads);
  s.rows = pm_times(c, "batch", batch, "n", n);
  s.hd = pm_times(c, "heads", n_heads, "d", d);
  s.kvd = pm_times(c, "kv_heads", kv_heads, "d", d);
  return s;
}

/* Elements of x, y; q, o; k, v; wq, wo; wk, wv; lse; mask. */
typedef struct counts {
  int64_t x, q, k, wq, wk, lse, mask;
} counts;

static counts count(pm_check *c, heads s)
{
  const counts n = {pm_times(c, "batch*n", s.rows, "width", s.width),
                    pm_times(c, "batch*n", s.rows, "heads*d", s.hd),
                    pm_times(c, "batch*n", s.rows, "kv_heads*d", s.kvd),
                    pm_times(c, "width", s.width, "heads*d", s.hd),
                    pm_times(c, "width", s.width, "kv_heads*d", s.kvd),
                    pm_times(c, "batch*n", s.rows, "heads", s.heads),
                    pm_times(c, "n", s.n, "n", s.n)};
  return n;
}

/* Where the outputs, the workspace, and of the inputs some at a time fit into one check. */
enum { AT_ONCE = 5 };

/* Every buffer, and every output beside all others. */
static pm_status check_buffers(pm_check *c, size_t bytes, const tensor *in, int n_in,
                               const tensor *out, int n_out)
{
  for (int first = 0; first < n_in && c->status == PM_OK; first += AT_ONCE) {
    pm_check part = *c;
    for (int i = first; i < n_in && i < first + AT_ONCE; i++)
      pm_in(&part, in[i].name, in[i].at, in[i].n, sizeof(float));
    for (int i = 0; i < n_out; i++) pm_out(&part, out[i].name, out[i].at, out[i].n, sizeof(float));
    pm_work(&part, bytes);
    c->status = pm_checked(&part);
  }
  return c->status;
}
#define CHECK_BUFFERS(c, bytes, in, out) \
  check_buffers(c, bytes, in, (int)(sizeof in / sizeof *in), out, (int)(sizeof out / sizeof *out))

/* ---- steps ---- */

/* What the steps of one call share; after the first that fails nothing is launched. */
#pragma GCC visibility push(hidden)
typedef struct steps {
  pm_check *c;
  pm_exec any; /* each step picks its own variant; the workspace that is left */
  heads s;
} steps;
#pragma GCC visibility pop

static int going(const steps *t) { return t->c->status == PM_OK; }

/* c = A B, or c += it. */
static void multiply(steps *t, int accumulate, int64_t k, struct operand a, struct operand b,
                     float *c)
{
  const struct product q = product_of(1, 1.0f, accumulate, k, a, b, c);
  const unsigned suited = LAUNCHER(products_suited)(&t->any, &q, 1);
  const int v = __builtin_ctz(suited); /* the first, as of matmul: a tile is always */
  LAUNCHER(products_fit)(t->c, v, &q, 1);
  LAUNCHER(products)(t->c, &t->any, v, &q, 1);
}

/* Of (batch, n, heads, d) its heads, (batch, heads, n, d), and back. */
static void split(steps *t, int64_t n_heads, const float *x, float *y)
{
  const int64_t shape[] = {t->s.batch, t->s.n, n_heads, t->s.d};
  if (going(t))
    t->c->status = LAUNCHER(swap_adjacent)(&t->any, 4, shape, 1, x, y);
}
static void join(steps *t, int64_t n_heads, const float *x, float *y)
{
  const int64_t shape[] = {t->s.batch, n_heads, t->s.n, t->s.d};
  if (going(t))
    t->c->status = LAUNCHER(swap_adjacent)(&t->any, 4, shape, 1, x, y);
}

/* The heads of x w, which passes through `flat`. */
static void project(steps *t, int64_t n_heads, int64_t cols, const float *x, const float *w,
                    float *flat, float *out)
{
  multiply(t, 0, t->s.width, left(x, t->s.rows, t->s.width, 0), right(w, t->s.width, cols, 0),
           flat);
  split(t, n_heads, flat, out);
}

static steps begin(pm_check *c, const pm_exec *ex, heads s)
{
  steps t = {c, *ex, s};
  t.any.variant = NULL;
  return t;
}

/* ---- launches ---- */

extern "C" pm_status
LAUNCHER(multi_head_attention)(pm_exec *ex, int64_t batch, int64_t n_heads, int64_t kv_heads,
                               int64_t n, int64_t width, int64_t d, int causal, int masked,
                               const float *x, const float *wq, const float *wk, const float *wv,
                               const float *wo, const float *mask, float *y, float *q, float *k,
                               float *v, float *o, float *lse)
{
  const int64_t size[] = {batch, n_heads, kv_heads, n, width, d};
  pm_check c = pm_begin("multi_head_attention", ex);
  const heads s = sizes(&c, batch, n_heads, kv_heads, n, width, d);
  const counts of = count(&c, s);
  pm_flag(&c, "causal", causal);
  pm_flag(&c, "masked", masked);
  const tensor in[] = {{"x", x, of.x},    {"wq", wq, of.wq}, {"wk", wk, of.wk},
                       {"wv", wv, of.wk}, {"wo", wo, of.wq}, {"mask", mask, masked ? of.mask : 0}};
  const tensor out[] = {{"y", y, of.x}, {"q", q, of.q}, {"k", k, of.k},
                        {"v", v, of.k}, {"o", o, of.q}, {"lse", lse, of.lse}};
  const size_t bytes = c.status == PM_OK ? workspace(c.op, size) : 0;
  if (CHECK_BUFFERS(&c, bytes, in, out) != PM_OK || PM_PICK(&c, ex, ROWS, 1u) < 0)
    return c.status;
  steps t = begin(&c, ex, s);
  float *flat = take(&t.any, widest(s.rows, s.hd, s.kvd));
  project(&t, n_heads, s.hd, x, wq, flat, q);
  project(&t, kv_heads, s.kvd, x, wk, flat, k);
  project(&t, kv_heads, s.kvd, x, wv, flat, v);
  if (going(&t))
    c.status = LAUNCHER(sdpa)(&t.any, batch, n_heads, kv_heads, n, n, d, causal, masked, q, k, v,
                              mask, o, lse);
  join(&t, n_heads, o, flat);
  multiply(&t, 0, s.hd, left(flat, s.rows, s.hd, 0), right(wo, s.hd, width, 0), y);
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(multi_head_attention_vjp)(
    pm_exec *ex, int accumulate, int64_t batch, int64_t n_heads, int64_t kv_heads, int64_t n,
    int64_t width, int64_t d, int causal, int masked, const float *x, const float *wq,
    const float *wk, const float *wv, const float *wo, const float *mask, const float *q,
    const float *k, const float *v, const float *o, const float *lse, const float *g, float *dx,
    float *dwq, float *dwk, float *dwv, float *dwo)
{
  const int64_t size[] = {batch, n_heads, kv_heads, n, width, d};
  pm_check c = pm_begin("multi_head_attention_vjp", ex);
  pm_flag(&c, "accumulate", accumulate);
  const heads s = sizes(&c, batch, n_heads, kv_heads, n, width, d);
  const counts of = count(&c, s);
  pm_flag(&c, "causal", causal);
  pm_flag(&c, "masked", masked);
  const tensor in[] = {
      {"x", x, of.x},    {"wq", wq, of.wq},    {"wk", wk, of.wk},
      {"wv", wv, of.wk}, {"wo", wo, of.wq},    {"mask", mask, masked ? of.mask : 0},
      {"q", q, of.q},    {"k", k, of.k},       {"v", v, of.k},
      {"o", o, of.q},    {"lse", lse, of.lse}, {"g", g, of.x}};
  const tensor out[] = {{"dx", dx, of.x},
                        {"dwq", dwq, of.wq},
                        {"dwk", dwk, of.wk},
                        {"dwv", dwv, of.wk},
                        {"dwo", dwo, of.wq}};
  const size_t bytes = c.status == PM_OK ? workspace(c.op, size) : 0;
  if (CHECK_BUFFERS(&c, bytes, in, out) != PM_OK || PM_PICK(&c, ex, ROWS, 1u) < 0)
    return c.status;
  steps t = begin(&c, ex, s);
  float *a[3], *keys[2];
  for (int i = 0; i < 3; i++) a[i] = take(&t.any, widest(s.rows, s.hd, s.kvd));
  for (int i = 0; i < 2; i++) keys[i] = take(&t.any, room(1, s.rows, s.kvd));
  float *sum = take(&t.any, room(1, s.rows, width));
  join(&t, n_heads, o, a[0]);
  multiply(&t, accumulate, s.rows, left(a[0], s.hd, s.rows, 1), right(g, s.rows, width, 0), dwo);
  multiply(&t, 0, width, left(g, s.rows, width, 0), right(wo, width, s.hd, 1), a[0]);
  split(&t, n_heads, a[0], a[1]);
  if (going(&t)) /* dq: a[2] */
    c.status = LAUNCHER(sdpa_vjp)(&t.any, 0, batch, n_heads, kv_heads, n, n, d, causal, masked, q,
                                  k, v, mask, o, lse, a[1], a[2], keys[0], keys[1]);
  join(&t, n_heads, a[2], a[0]);
  join(&t, kv_heads, keys[0], a[1]);
  join(&t, kv_heads, keys[1], a[2]);
  const float *const w[] = {wq, wk, wv};
  float *const dw[] = {dwq, dwk, dwv}, *to = accumulate ? sum : dx;
  for (int i = 0; i < 3; i++) {
    const int64_t cols = i ? s.kvd : s.hd;
    multiply(&t, accumulate, s.rows, left(x, width, s.rows, 1), right(a[i], s.rows, cols, 0),
             dw[i]);
    multiply(&t, i > 0, cols, left(a[i], s.rows, cols, 0), right(w[i], cols, width, 1), to);
  }
  if (going(&t) && accumulate)
    c.status = LAUNCHER(copy_vjp)(&t.any, 1, of.x, sum, dx);
  return pm_launched(&c);
}

PM_FAMILY(multi_head, ROWS, workspace);
