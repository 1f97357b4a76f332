/* multi_head_attention and its VJP. */
#include "../../ref/multi_head.h"
#include "heads.h"

enum { LENGTH = KV_HEADS + 1, WIDTH, D }; /* sizes; all of them before D count products */
enum { INPUT, WQ, WK, WV, WO, MASK, Q, K, V, O, LSE, G };

static int64_t rows_of(const int64_t *size) { return size[BATCH] * size[LENGTH]; }
static int64_t of_q(const int64_t *size) { return rows_of(size) * size[HEADS] * size[D]; }
static int64_t of_k(const int64_t *size) { return rows_of(size) * size[KV_HEADS] * size[D]; }
static int64_t of_lse(const int64_t *size) { return rows_of(size) * size[HEADS]; }

/* ---- sizes ---- */

static int64_t work_of(const int64_t *size)
{
  return rows_of(size) * size[HEADS] * size[D] * (size[WIDTH] + size[LENGTH]);
}

/* Of an extent one dim is far, the others next to nothing; heads follow kv_heads. */
static void draw_far(dc_rng *r, dc_extent e, int64_t *size)
{
  int most = 0;
  if (e.kind == DC_PAST) { /* a mask past 2^31 elements, of one head of one column */
    for (int i = 0; i <= D; i++)
      size[i] = 1;
    size[LENGTH] = 46341 + dc_rng_below(r, 8);
    return;
  }
  dc_draw_sizes(r, e, D + 1, size);
  for (int i = 1; i <= D; i++)
    most = size[i] > size[most] ? i : most;
  for (int i = 0; i <= D; i++)
    if (i != most && size[i] > 3)
      size[i] = 1 + size[i] % 3;
  /* scores are the square of a length; on the simulator heads and batches are blocks */
  if (most == LENGTH || (e.sim && most != WIDTH))
    size[most] = size[most] > 300 ? 300 + size[most] % 100 : size[most];
  if (size[HEADS] > size[KV_HEADS])
    size[KV_HEADS] = 1;
  else
    size[HEADS] = size[KV_HEADS];
}

/* Widths about tiles of products, often such as vectors suit. */
static void draw_multi_head(dc_rng *r, dc_extent e, int64_t *size, double *attr)
{
  (void)attr;
  if (e.kind != DC_USUAL) {
    draw_far(r, e, size);
    return;
  }
  draw_groups(r, size);
  size[LENGTH] = draw_length(r), size[D] = draw_width(r);
  size[WIDTH] = ONE_OF(r, 1, 2, 3, 5, 8, 16, 31, 32, 33, 64, 64, 65, 128, 129);
  if (dc_rng_below(r, 2))
    size[WIDTH] = size[HEADS] * size[D]; /* as models have it */
  if (dc_rng_below(r, 16) == 0)
    size[WIDTH] = 1023 + dc_rng_below(r, 3);
  const int64_t most = dc_rng_below(r, 16) ? 1 << 19 : 4 << 20;
  if (work_of(size) > most)
    size[BATCH] = size[HEADS] = size[KV_HEADS] = 1;
  if (work_of(size) > most)
    size[WIDTH] = ONE_OF(r, 1, 4, 7, 16);
  if (work_of(size) > most)
    size[dc_rng_below(r, 2) ? LENGTH : D] = ONE_OF(r, 1, 2, 5);
  if (dc_rng_below(r, 25) == 0)
    size[dc_rng_below(r, D + 1)] = 0;
  if (size[KV_HEADS] == 0)
    size[HEADS] = 0;
}

/* ---- what is drawn, brought to what the op is about ---- */

static void make_finite(int64_t n, float *x)
{
  for (int64_t i = 0; i < n; i++)
    x[i] = isfinite(x[i]) ? x[i] : 1;
}

/* The largest element of a b, of those that are numbers. */
static double largest_of(int64_t rows, int64_t inner, int64_t cols, const float *a, const float *b)
{
  double most = 0;
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < cols; j++) {
      double dot = 0;
      for (int64_t p = 0; p < inner; p++)
        dot += (double)a[i * inner + p] * b[p * cols + j];
      if (isfinite(dot) && fabs(dot) > most)
        most = fabs(dot);
    }
  return most;
}

/* Times a power of two, so that what is at most `most` is about `limit` at most. */
static void scale_to(double most, double limit, int64_t n, float *w)
{
  int by = most > limit ? (int)ceil(log2(most / limit)) : 0;
  for (int64_t i = 0; by && i < n; i++)
    w[i] = ldexpf(w[i], -by);
}

/* As sdpa's inputs are settled: in three cases of four the scores are about 1e4 at most, and what may
 * be blocked are finite keys and values, in f32 too. */
static void settle_forward(const int64_t *size, const double *attr, float *const *f)
{
  const int64_t rows = rows_of(size), width = size[WIDTH], hd = size[HEADS] * size[D],
                kvd = size[KV_HEADS] * size[D];
  const int blocks = attr[0] != 0 || attr[1] != 0;
  if (blocks) {
    make_finite(rows * width, f[INPUT]);
    make_finite(width * kvd, f[WK]);
    make_finite(width * kvd, f[WV]);
    scale_to(largest_of(rows, width, kvd, f[INPUT], f[WV]), 1e30, width * kvd, f[WV]);
  }
  if (blocks || (size[LENGTH] + width + size[D]) % 4) {
    const double limit = sqrt(1e4 / (size[D] ? sqrt((double)size[D]) : 1));
    scale_to(largest_of(rows, width, hd, f[INPUT], f[WQ]), limit, width * hd, f[WQ]);
    scale_to(largest_of(rows, width, kvd, f[INPUT], f[WK]), limit, width * kvd, f[WK]);
  }
}

static void narrow(int64_t n, const double *x, float *f)
{
  for (int64_t i = 0; i < n; i++)
    f[i] = (float)x[i];
}

#define SIZES(size)                                                                           \
  size[BATCH], size[HEADS], size[KV_HEADS], size[LENGTH], size[WIDTH], size[D], attr[0] != 0, \
      attr[1] != 0

/* q, k, v, o and lse are those of the inputs. */
static void settle_vjp(const int64_t *size, const double *attr, float *const *f)
{
  const int64_t rows = rows_of(size), hd = size[HEADS] * size[D], kvd = size[KV_HEADS] * size[D];
  const int64_t x = rows * size[WIDTH], wq = size[WIDTH] * hd, wk = size[WIDTH] * kvd;
  const int64_t count[] = {
      x,          wq,         wk,         wk,         wq,          size[LENGTH] * size[LENGTH],
      of_q(size), of_k(size), of_k(size), of_q(size), of_lse(size)};
  double *of[LSE + 1], *y = malloc((size_t)(x + 1) * sizeof *y);
  int there = y != NULL;
  settle_forward(size, attr, f);
  if (attr[0] != 0 || attr[1] != 0) { /* queries and g are to dk and dv what keys are to dq */
    make_finite(wq, f[WQ]), make_finite(wq, f[WO]), make_finite(x, f[G]);
    scale_to(largest_of(rows, size[WIDTH], hd, f[INPUT], f[WQ]), 1e30, wq, f[WQ]);
    for (int64_t i = 0; i < x; i++) /* g wo' too */
      f[G][i] = fabsf(f[G][i]) > 1e12f ? 1 : f[G][i];
    for (int64_t i = 0; i < wq; i++)
      f[WO][i] = fabsf(f[WO][i]) > 1e12f ? 1 : f[WO][i];
  }
  for (int t = 0; t <= LSE; t++) {
    of[t] = malloc((size_t)(count[t] + 1) * sizeof(double));
    there = there && of[t];
    for (int64_t i = 0; t < Q && of[t] && i < count[t]; i++)
      of[t][i] = f[t][i];
  }
  if (there) {
    ref_multi_head_attention(SIZES(size), of[INPUT], of[WQ], of[WK], of[WV], of[WO], of[MASK], y,
                             of[Q], of[K], of[V], of[O], of[LSE]);
    for (int t = Q; t <= LSE; t++)
      narrow(count[t], of[t], f[t]);
  }
  for (int t = 0; t <= LSE; t++)
    free(of[t]);
  free(y);
}

/* ---- the ops ---- */

#define INPUTS X(INPUT), X(WQ), X(WK), X(WV), X(WO), X(MASK)
#define CASE N(BATCH), N(HEADS), N(KV_HEADS), N(LENGTH), N(WIDTH), N(D), FLAG(0), FLAG(1)
#define FLAGS .attr = {DC_ATTR_FLAG, DC_ATTR_FLAG}, .attr_default = {0, 1}

/* One array of dc_call.room after the other. */
static double *take(const dc_call *c, int64_t *at, int64_t n)
{
  double *a = c->room + *at;
  *at += n;
  return a;
}

static int64_t forward_room(const int64_t *size)
{
  return 2 * of_q(size) + 2 * of_k(size) + of_lse(size);
}
REFERENCE(multi_head_attention)
{
  ref_multi_head_attention(CASE, INPUTS, y[0], y[1], y[2], y[3], y[4], y[5]);
}
BOUND(multi_head_attention)
{
  int64_t at = 0;
  double *q = take(c, &at, of_q(c->size)), *k = take(c, &at, of_k(c->size)),
         *v = take(c, &at, of_k(c->size)), *o = take(c, &at, of_q(c->size)),
         *lse = take(c, &at, of_lse(c->size));
  mha_values(CASE, INPUTS, q, k, v, o, lse);
  bound_multi_head_attention(CASE, INPUTS, q, k, v, o, A, e[0], e[1], e[2], e[3], e[4], e[5]);
}
LAUNCH(multi_head_attention)
{
  return b->multi_head_attention(ex, CASE, IN(INPUT), IN(WQ), IN(WK), IN(WV), IN(WO),
                                 FLAG(1) ? IN(MASK) : NULL, OUT(6), OUT(7), OUT(8), OUT(9), OUT(10),
                                 OUT(11));
}
TERMS(multi_head_attention) { return size[LENGTH]; }
const dc_glue dc_glue_multi_head_attention = {
    FUNCTIONS(multi_head_attention),
    DIVIDES,
    FLAGS,
    .bound = multi_head_attention_bound,
    .room = forward_room,
    .policy = POLICY_ATTENTION,
    .loose = 1,
    .terms = multi_head_attention_terms,
    .trees = {"the keys' weighted values", "the sum of exponentials"},
    .reduced = {{WO, HEADS}, {WQ, WIDTH}, {WK, WIDTH}, {WV, WIDTH}, {0, -1}, {0, -1}},
    .check = check_groups,
    .draw = draw_multi_head,
    .settle = settle_forward,
    .domain = {[MASK] = DC_MASK}};

#define KEPT X(Q), X(K), X(V), X(O), X(LSE), X(G)

/* Cotangents of o, q, k, v, and their errors. */
static int64_t vjp_room(const int64_t *size) { return 4 * of_q(size) + 4 * of_k(size); }
typedef struct pulled {
  double *o, *q, *k, *v;
} pulled;
static pulled pulled_of(const dc_call *c, int64_t *at)
{
  pulled p;
  p.o = take(c, at, of_q(c->size)), p.q = take(c, at, of_q(c->size));
  p.k = take(c, at, of_k(c->size)), p.v = take(c, at, of_k(c->size));
  return p;
}
REFERENCE(multi_head_attention_vjp)
{
  int64_t at = 0;
  const pulled d = pulled_of(c, &at);
  ref_multi_head_attention_vjp(CASE, INPUTS, KEPT, y[0], y[1], y[2], y[3], y[4], d.o, d.q, d.k,
                               d.v);
}
BOUND(multi_head_attention_vjp)
{
  int64_t at = 0;
  const pulled d = pulled_of(c, &at), off = pulled_of(c, &at);
  mha_pulls(CASE, INPUTS, KEPT, d.o, d.q, d.k, d.v);
  bound_multi_head_attention_vjp(CASE, INPUTS, KEPT, d.o, d.q, d.k, d.v, A, e[0], e[1], e[2], e[3],
                                 e[4], off.o, off.q, off.k, off.v);
}
LAUNCH(multi_head_attention_vjp)
{
  return b->multi_head_attention_vjp(ex, c->accumulate, CASE, IN(INPUT), IN(WQ), IN(WK), IN(WV),
                                     IN(WO), FLAG(1) ? IN(MASK) : NULL, IN(Q), IN(K), IN(V), IN(O),
                                     IN(LSE), IN(G), OUT(12), OUT(13), OUT(14), OUT(15), OUT(16));
}
/* Heights of sdpa_vjp: of dq, and of dk and dv. */
TERMS(multi_head_attention_vjp)
{
  if (output == 0)
    return size[LENGTH];
  return size[KV_HEADS] ? size[HEADS] / size[KV_HEADS] * size[LENGTH] : 0;
}
const dc_glue dc_glue_multi_head_attention_vjp = {
    FUNCTIONS(multi_head_attention_vjp),
    FLAGS,
    .bound = multi_head_attention_vjp_bound,
    .room = vjp_room,
    .policy = POLICY_ATTENTION,
    .loose = 1,
    .terms = multi_head_attention_vjp_terms,
    .trees = {"dq", "dk and dv"},
    .reduced =
        {{WQ, HEADS}, {INPUT, LENGTH}, {INPUT, LENGTH}, {INPUT, LENGTH}, {G, LENGTH}, {0, -1}},
    .check = check_groups,
    .draw = draw_multi_head,
    .settle = settle_vjp,
    .domain = {[MASK] = DC_MASK}};
