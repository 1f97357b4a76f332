/* sdpa, its VJP, and decode_sdpa. */
#include "../../ref/attention_vjp.h"
#include "heads.h"

enum { NQ = KV_HEADS + 1, NK, D }; /* sizes; of decode_sdpa NQ is capacity, NK is d */
enum { CAPACITY = 3, DECODE_D };
enum { Q, K, V, MASK, Y, LSE, G };

/* Of an extent: each dim in its turn; heads follow kv_heads. A head is a block at least, of which the
 * simulator runs some hundreds a second: there it is keys that are many. */
static void draw_far(dc_rng *r, dc_extent e, int n, int64_t *size)
{
  int keys = n - 2, most = 0;
  if (e.kind == DC_PAST) { /* keys and values past 2^31 elements, one query */
    for (int i = 0; i < n; i++)
      size[i] = 1;
    size[keys] = ((int64_t)1 << 31) + 1 + dc_rng_below(r, 1 << 20);
    return;
  }
  if (e.sim && e.kind == DC_FAR)
    e.at = keys;
  dc_draw_sizes(r, e, n, size);
  for (int i = 1; i < n; i++)
    most = size[i] > size[most] ? i : most;
  for (int i = 0; e.sim && i < n; i++)
    if (i == most)
      size[i] = i != keys && size[i] > 300 ? 300 + size[i] % 100 : size[i];
    else if (size[i] > 3)
      size[i] = 1 + size[i] % 3;
  if (size[HEADS] > size[KV_HEADS])
    size[KV_HEADS] = 1;
  else
    size[HEADS] = size[KV_HEADS];
}

static void draw_sdpa(dc_rng *r, dc_extent e, int64_t *size, double *attr)
{
  (void)attr;
  if (e.kind != DC_USUAL) {
    draw_far(r, e, 6, size);
    return;
  }
  draw_groups(r, size);
  size[NQ] = draw_length(r), size[NK] = draw_length(r), size[D] = draw_width(r);
  int64_t most = dc_rng_below(r, 16) ? 1 << 18 : 3 << 20;
  if (cost(size, 0, 6) > most)
    size[BATCH] = size[HEADS] = size[KV_HEADS] = 1;
  if (cost(size, 0, 6) > most)
    size[dc_rng_below(r, 2) ? NQ : NK] = ONE_OF(r, 1, 2, 5);
  if (cost(size, 0, 6) > most)
    size[D] = ONE_OF(r, 1, 2, 5);
  if (dc_rng_below(r, 40) == 0) { /* many tiles of keys */
    size[BATCH] = size[HEADS] = size[KV_HEADS] = 1;
    size[NQ] = ONE_OF(r, 1, 3, 17), size[NK] = ONE_OF(r, 1023, 1024, 1025);
  }
  if (dc_rng_below(r, 25) == 0)
    size[dc_rng_below(r, 6)] = 0;
  if (size[KV_HEADS] == 0)
    size[HEADS] = 0;
}

static void draw_decode(dc_rng *r, dc_extent e, int64_t *size, double *attr)
{
  if (e.kind == DC_USUAL) {
    draw_groups(r, size);
    size[CAPACITY] = dc_rng_below(r, 4)    ? draw_length(r)
                     : dc_rng_below(r, 10) ? 200 + dc_rng_below(r, 900)
                                           : ONE_OF(r, 1023, 1024, 1025);
    size[DECODE_D] = draw_width(r);
    if (cost(size, 0, 5) > 1 << 19)
      size[BATCH] = size[HEADS] = size[KV_HEADS] = 1;
    if (dc_rng_below(r, 25) == 0)
      size[dc_rng_below(r, 5)] = 0;
    if (size[KV_HEADS] == 0)
      size[HEADS] = 0;
  } else {
    draw_far(r, e, 5, size);
  }
  int64_t n = size[CAPACITY];
  attr[0] = (double)(dc_rng_below(r, 3) ? n - (n ? dc_rng_below(r, n < 3 ? n : 3) : 0)
                                        : dc_rng_below(r, n + 1));
}

static const char *check_decode(const int64_t *size, const double *attr)
{
  const char *why = check_groups(size, attr);
  if (!why && attr[0] > (double)size[CAPACITY])
    why = dc_why("len = %.0f: must be at most capacity = %lld", attr[0], (long long)size[CAPACITY]);
  return why;
}

/* ---- what is drawn, brought to what the op is about ---- */

static double largest(int64_t n, const float *x)
{
  double most = 0;
  for (int64_t i = 0; i < n; i++)
    if (isfinite(x[i]) && fabs((double)x[i]) > most)
      most = fabs((double)x[i]);
  return most;
}

/* Scores of which exp knows nothing make every element vacuous: in three cases of four the largest
 * are about 1e4 at most. What is blocked is left out by one kernel, and times 0 by another: keys and
 * values that may be blocked are finite. */
static void settle_inputs(int64_t queries, int64_t keys, int64_t d, int64_t turn, int some_blocked,
                          float *q, float *k, float *v)
{
  double most = largest(queries * d, q) * largest(keys * d, k) * sqrt((double)d);
  if (turn % 4 && most > 1e4) {
    int by = (int)ceil(log2(most / 1e4));
    for (int64_t i = 0; i < queries * d; i++)
      q[i] = ldexpf(q[i], -(by - by / 2));
    for (int64_t i = 0; i < keys * d; i++)
      k[i] = ldexpf(k[i], -(by / 2));
  }
  for (int64_t i = 0; some_blocked && i < keys * d; i++) {
    k[i] = isfinite(k[i]) ? k[i] : 1;
    v[i] = isfinite(v[i]) ? v[i] : -1;
  }
}

static void settle_sdpa(const int64_t *size, const double *attr, float *const *f)
{
  int64_t lead = size[BATCH] * size[HEADS], kvs = size[BATCH] * size[KV_HEADS];
  settle_inputs(lead * size[NQ], kvs * size[NK], size[D], size[NQ] + size[NK] + size[D],
                attr[0] != 0 || attr[1] != 0, f[Q], f[K], f[V]);
}

static void settle_decode(const int64_t *size, const double *attr, float *const *f)
{
  int64_t lead = size[BATCH] * size[HEADS], keys = size[CAPACITY], d = size[DECODE_D];
  int64_t kvs = size[BATCH] * size[KV_HEADS], len = (int64_t)attr[0];
  settle_inputs(lead, kvs * keys, d, keys + d, 0, f[Q], f[K], f[V]);
  for (int64_t z = 0; z < kvs; z++) /* nobody looks behind len */
    for (int64_t i = len * d; i < keys * d; i++)
      f[K][z * keys * d + i] = f[V][z * keys * d + i] = NAN;
}

/* y and lse are those of the inputs. */
static void settle_vjp(const int64_t *size, const double *attr, float *const *f)
{
  settle_sdpa(size, attr, f);
  int64_t of_q = size[BATCH] * size[HEADS] * size[NQ] * size[D];
  for (int64_t i = 0; (attr[0] != 0 || attr[1] != 0) && i < of_q; i++) {
    f[Q][i] = isfinite(f[Q][i]) ? f[Q][i] : 1; /* to dk and dv they are what keys are to dq */
    f[G][i] = isfinite(f[G][i]) ? f[G][i] : -1;
  }
  int64_t nq = size[NQ], nk = size[NK], d = size[D], lead = size[BATCH] * size[HEADS];
  int64_t group = size[KV_HEADS] ? size[HEADS] / size[KV_HEADS] : 1;
  int64_t counts[] = {lead * nq * d,
                      size[BATCH] * size[KV_HEADS] * nk * d,
                      size[BATCH] * size[KV_HEADS] * nk * d,
                      nq * nk,
                      lead * nq * d,
                      lead * nq};
  double *x[6];
  int there = 1;
  for (int t = 0; t < 6; t++) {
    x[t] = malloc((size_t)(counts[t] + 1) * sizeof(double));
    there = there && x[t];
    for (int64_t i = 0; t < Y && x[t] && i < counts[t]; i++)
      x[t][i] = f[t][i];
  }
  if (there) {
    ref_sdpa(size[BATCH], group * size[KV_HEADS], size[KV_HEADS], nq, nk, d, (int)attr[0],
             (int)attr[1], x[Q], x[K], x[V], x[MASK], x[Y], x[LSE]);
    for (int t = Y; t <= LSE; t++)
      for (int64_t i = 0; i < counts[t]; i++)
        f[t][i] = (float)x[t][i];
  }
  for (int t = 0; t < 6; t++)
    free(x[t]);
}

/* ---- the ops ---- */

#define SIZES N(BATCH), N(HEADS), N(KV_HEADS), N(NQ), N(NK), N(D), FLAG(0), FLAG(1)
#define FLAGS .attr = {DC_ATTR_FLAG, DC_ATTR_FLAG}, .attr_default = {0, 1}

REFERENCE(sdpa) { ref_sdpa(SIZES, X(Q), X(K), X(V), X(MASK), y[0], y[1]); }
BOUND(sdpa) { bound_sdpa(SIZES, X(Q), X(K), X(V), X(MASK), A, e[0], e[1]); }
LAUNCH(sdpa)
{
  return b->sdpa(ex, SIZES, IN(Q), IN(K), IN(V), FLAG(1) ? IN(MASK) : NULL, OUT(4), OUT(5));
}
TERMS(sdpa) { return size[NK]; }
const dc_glue dc_glue_sdpa = {FUNCTIONS(sdpa),
                              DIVIDES,
                              NO_SUM,
                              FLAGS,
                              .bound = sdpa_bound,
                              .policy = POLICY_ATTENTION,
                              .loose = 1,
                              .terms = sdpa_terms,
                              .check = check_groups,
                              .draw = draw_sdpa,
                              .settle = settle_sdpa,
                              .domain = {[MASK] = DC_MASK}};

REFERENCE(sdpa_vjp)
{
  ref_sdpa_vjp(SIZES, X(Q), X(K), X(V), X(MASK), X(Y), X(LSE), X(G), y[0], y[1], y[2]);
}
BOUND(sdpa_vjp)
{
  bound_sdpa_vjp(SIZES, X(Q), X(K), X(V), X(MASK), X(Y), X(LSE), X(G), A, e[0], e[1], e[2]);
}
LAUNCH(sdpa_vjp)
{
  return b->sdpa_vjp(ex, c->accumulate, SIZES, IN(Q), IN(K), IN(V), FLAG(1) ? IN(MASK) : NULL,
                     IN(Y), IN(LSE), IN(G), OUT(7), OUT(8), OUT(9));
}
TERMS(sdpa_vjp)
{
  if (output == 0)
    return size[NK];
  return size[KV_HEADS] ? size[HEADS] / size[KV_HEADS] * size[NQ] : 0;
}
const dc_glue dc_glue_sdpa_vjp = {FUNCTIONS(sdpa_vjp),
                                  NO_SUM,
                                  FLAGS,
                                  .bound = sdpa_vjp_bound,
                                  .policy = POLICY_ATTENTION,
                                  .loose = 1,
                                  .terms = sdpa_vjp_terms,
                                  .check = check_groups,
                                  .draw = draw_sdpa,
                                  .settle = settle_vjp,
                                  .domain = {[MASK] = DC_MASK}};

#define CACHE N(BATCH), N(HEADS), N(KV_HEADS), N(CAPACITY), N(DECODE_D), INTEGER(0)
REFERENCE(decode_sdpa) { ref_decode_sdpa(CACHE, X(Q), X(K), X(V), y[0]); }
BOUND(decode_sdpa) { bound_decode_sdpa(CACHE, X(Q), X(K), X(V), A, e[0]); }
LAUNCH(decode_sdpa) { return b->decode_sdpa(ex, CACHE, IN(Q), IN(K), IN(V), OUT(3)); }
TERMS(decode_sdpa) { return size[CAPACITY]; }
const dc_glue dc_glue_decode_sdpa = {FUNCTIONS(decode_sdpa),
                                     DIVIDES,
                                     NO_SUM,
                                     .attr = {DC_ATTR_INTEGER},
                                     .bound = decode_sdpa_bound,
                                     .policy = POLICY_LOOSE,
                                     .loose = 1,
                                     .terms = decode_sdpa_terms,
                                     .check = check_decode,
                                     .draw = draw_decode,
                                     .settle = settle_decode};
