/* Attention on the simulator beside plain double loops: every variant, shapes around the edges of tiles,
 * masks, rows with nothing open, groups; the same bits under any schedule; no races; bad arguments. */
#include "device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct shape {
  int batch, heads, kv, nq, nk, d, causal, masked;
} shape;

static const shape SHAPES[] = {
    {1, 1, 1, 1, 1, 1, 0, 0},     {1, 1, 1, 1, 1, 64, 0, 0},      {1, 2, 2, 3, 5, 7, 0, 0},
    {1, 2, 1, 5, 3, 4, 1, 0},     {2, 4, 2, 65, 66, 33, 1, 1},    {1, 1, 1, 129, 127, 64, 1, 0},
    {1, 2, 1, 64, 128, 64, 1, 0}, {1, 1, 1, 63, 257, 64, 0, 0},   {1, 3, 1, 70, 130, 128, 1, 0},
    {1, 1, 1, 200, 70, 64, 1, 1}, {1, 1, 1, 65, 129, 256, 1, 0},  {1, 1, 1, 20, 140, 131, 0, 1},
    {1, 1, 1, 9, 17, 257, 1, 0},  {1, 1, 1, 33, 40, 127, 0, 0},   {1, 2, 2, 4, 0, 8, 1, 0},
    {1, 2, 1, 0, 4, 8, 0, 0},     {1, 2, 1, 3, 9, 0, 1, 0},       {2, 0, 2, 3, 4, 5, 0, 0},
    {0, 2, 1, 3, 4, 5, 0, 0},     {1, 1, 1, 130, 1, 64, 0, 0},    {1, 1, 1, 300, 300, 3, 1, 0},
    {1, 2, 1, 66, 65, 80, 0, 1},  {1, 1, 1, 128, 256, 128, 0, 0}, {1, 4, 1, 17, 33, 16, 1, 0},
};
enum { N_SHAPES = sizeof SHAPES / sizeof *SHAPES };

/* Tensors of one case, each with a cell beyond its end; what of the forward the VJP is given is exact. */
typedef struct tensors {
  int64_t q, k, rows, mask_n; /* elements */
  float *in[7];               /* q, k, v, mask, y, lse, g */
  double *want[5];            /* y, lse, dq, dk, dv */
  double *size[5]; /* for each the sum of its terms' magnitudes: what rounding is measured by */
  double scale;
} tensors;
enum { Q, K, V, MASK, Y, LSE, G };

static uint64_t state;
static float draw(void)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (float)(int)(state >> 40 & 0xffff) / 16384.0f - 2.0f;
}

static float *some(int64_t n, int fill)
{
  float *p = filled((int)n + 1, POISON);
  for (int64_t i = 0; fill && i < n; i++)
    p[i] = draw();
  return p;
}

static int open_(const shape *s, const float *mask, int64_t i, int64_t j)
{
  return (!s->causal || j <= i + s->nk - s->nq) && (!s->masked || mask[i * s->nk + j] == 0);
}

static double dot(const float *a, const float *b, int d)
{
  double sum = 0;
  for (int c = 0; c < d; c++)
    sum += (double)a[c] * b[c];
  return sum;
}
static double dot_size(const float *a, const float *b, int d)
{
  double sum = 0;
  for (int c = 0; c < d; c++)
    sum += fabs((double)a[c] * b[c]);
  return sum;
}

/* Where the score of pair (i, j) of head h and its operands lie. */
typedef struct pair {
  const float *q, *k, *v, *g;
  int64_t row, key;
} pair;
static pair pair_of(const shape *s, const tensors *t, int64_t h, int64_t i, int64_t j)
{
  int64_t kv = h / (s->heads / s->kv), row = h * s->nq + i, key = kv * s->nk + j;
  pair p = {t->in[Q] + row * s->d,
            t->in[K] + key * s->d,
            t->in[V] + key * s->d,
            t->in[G] + row * s->d,
            row,
            key};
  return p;
}

static void forward(const shape *s, tensors *t)
{
  for (int64_t h = 0; h < (int64_t)s->batch * s->heads; h++)
    for (int64_t i = 0; i < s->nq; i++) {
      double top = -INFINITY, sum = 0, *y = t->want[0] + (h * s->nq + i) * s->d,
             *size = t->size[0] + (h * s->nq + i) * s->d;
      for (int64_t j = 0; j < s->nk; j++) {
        pair p = pair_of(s, t, h, i, j);
        if (open_(s, t->in[MASK], i, j))
          top = fmax(top, t->scale * dot(p.q, p.k, s->d));
      }
      for (int64_t j = 0; j < s->nk; j++) {
        pair p = pair_of(s, t, h, i, j);
        if (!open_(s, t->in[MASK], i, j))
          continue;
        double e = exp(t->scale * dot(p.q, p.k, s->d) - top),
               err = 1 + t->scale * dot_size(p.q, p.k, s->d);
        sum += e;
        for (int c = 0; c < s->d; c++)
          y[c] += e * p.v[c], size[c] += e * err * fabs(p.v[c]);
      }
      for (int c = 0; c < s->d && sum > 0; c++)
        y[c] /= sum, size[c] /= sum;
      t->want[1][h * s->nq + i] = top + log(sum);
      t->size[1][h * s->nq + i] = 10 + fabs(top);
    }
}

static void backward(const shape *s, tensors *t)
{
  for (int64_t h = 0; h < (int64_t)s->batch * s->heads; h++)
    for (int64_t i = 0; i < s->nq; i++) {
      const float *y = t->in[Y] + (h * s->nq + i) * s->d, *g = t->in[G] + (h * s->nq + i) * s->d;
      double delta = dot(g, y, s->d), delta_size = dot_size(g, y, s->d);
      for (int64_t j = 0; j < s->nk; j++) {
        pair p = pair_of(s, t, h, i, j);
        if (!open_(s, t->in[MASK], i, j))
          continue;
        double e = exp(t->scale * dot(p.q, p.k, s->d) - t->in[LSE][p.row]),
               err = 2 + fabs(t->in[LSE][p.row]) + t->scale * dot_size(p.q, p.k, s->d),
               ds = e * (dot(p.g, p.v, s->d) - delta),
               ds_size = e * err * (dot_size(p.g, p.v, s->d) + delta_size);
        for (int c = 0; c < s->d; c++) {
          t->want[2][p.row * s->d + c] += t->scale * ds * p.k[c];
          t->size[2][p.row * s->d + c] += t->scale * ds_size * fabs(p.k[c]);
          t->want[3][p.key * s->d + c] += t->scale * ds * p.q[c];
          t->size[3][p.key * s->d + c] += t->scale * ds_size * fabs(p.q[c]);
          t->want[4][p.key * s->d + c] += e * p.g[c];
          t->size[4][p.key * s->d + c] += e * err * fabs(p.g[c]);
        }
      }
    }
}

static int64_t elements(const tensors *t, int output)
{
  return output == 1 ? t->rows : output == 0 || output == 2 ? t->q : t->k;
}

static tensors begin(const shape *s)
{
  tensors t = {.q = (int64_t)s->batch * s->heads * s->nq * s->d,
               .k = (int64_t)s->batch * s->kv * s->nk * s->d,
               .rows = (int64_t)s->batch * s->heads * s->nq,
               .mask_n = (int64_t)s->nq * s->nk,
               .scale = s->d ? (double)(float)(1 / sqrt((double)s->d)) : 1};
  const int64_t n[] = {t.q, t.k, t.k, t.mask_n, t.q, t.rows, t.q};
  state = (uint64_t)(s->nq * 1000 + s->nk * 10 + s->d);
  for (int i = 0; i < 7; i++)
    t.in[i] = some(n[i], 1);
  for (int64_t i = 0; i < t.mask_n; i++)
    t.in[MASK][i] = t.in[MASK][i] > 0.5f || i / s->nk == 1 ? NAN : 0; /* row 1 sees nothing */
  for (int i = 0; i < 5; i++) {
    t.want[i] = calloc((size_t)elements(&t, i) + 1, sizeof(double));
    t.size[i] = calloc((size_t)elements(&t, i) + 1, sizeof(double));
  }
  forward(s, &t);
  for (int64_t i = 0; i < t.q; i++)
    t.in[Y][i] = (float)t.want[0][i];
  for (int64_t i = 0; i < t.rows; i++)
    t.in[LSE][i] = (float)t.want[1][i];
  backward(s, &t);
  return t;
}

static void end(tensors *t)
{
  for (int i = 0; i < 7; i++)
    pm_sim.free(t->in[i]);
  for (int i = 0; i < 5; i++)
    free(t->want[i]), free(t->size[i]);
}

static void close_to(const tensors *t, int output, const float *got, double terms, int add)
{
  for (int64_t i = 0; i < elements(t, output); i++) {
    double want = t->want[output][i] + add,
           bound = (8 + 2 * terms) * 6e-8 * (t->size[output][i] + add + fabs(want));
    ck_assert_msg(want == got[i] || fabs(want - got[i]) <= bound,
                  "output %d, element %lld of %lld: %.9g for %.9g, bound %.3g", output,
                  (long long)i, (long long)elements(t, output), got[i], want, bound);
  }
  ck_assert(got[elements(t, output)] == POISON);
}

static pm_status run(const pm_backend *b, pm_exec *ex, const shape *s, const tensors *t,
                     float **out)
{
  const float *mask = s->masked ? t->in[MASK] : NULL;
  pm_status status = b->sdpa(ex, s->batch, s->heads, s->kv, s->nq, s->nk, s->d, s->causal,
                             s->masked, t->in[Q], t->in[K], t->in[V], mask, out[0], out[1]);
  if (status != PM_OK)
    return status;
  return b->sdpa_vjp(ex, 0, s->batch, s->heads, s->kv, s->nq, s->nk, s->d, s->causal, s->masked,
                     t->in[Q], t->in[K], t->in[V], mask, t->in[Y], t->in[LSE], t->in[G], out[2],
                     out[3], out[4]);
}

static void workspace(pm_exec *ex, const char *op, const int64_t *size)
{
  ex->work_bytes = pm_sim.workspace(op, size);
  ex->work = filled((int)(ex->work_bytes / 4) + 1, NAN);
}

START_TEST(beside_plain_loops)
{
  const shape *s = SHAPES + _i;
  const int64_t size[] = {s->batch, s->heads, s->kv, s->nq, s->nk, s->d, s->causal, s->masked};
  const double terms[] = {s->d + s->nk, s->d + s->nk, s->d + s->nk, s->d + s->nq * 4,
                          s->d + s->nq * 4};
  tensors t = begin(s);
  float *first[5];
  for (int variant = 0; variant < 2; variant++) {
    pm_exec ex = {.variant = variant ? "tile" : NULL};
    workspace(&ex, "sdpa_vjp", size);
    for (uint64_t seed = 0; seed < 2; seed++) {
      const pm_backend *b = seed ? pm_sim.watched : &pm_sim;
      float *out[5];
      for (int i = 0; i < 5; i++)
        out[i] = some(elements(&t, i), 0);
      b->shuffle(seed);
      ck_assert_msg(run(b, &ex, s, &t, out) == PM_OK && b->sync() == PM_OK, "%s", b->error());
      for (int i = 0; i < 5; i++) {
        close_to(&t, i, out[i], terms[i], 0);
        if (seed == 0)
          first[i] = out[i];
        else {
          ck_assert_int_eq(memcmp(first[i], out[i], (size_t)elements(&t, i) * sizeof(float)), 0);
          pm_sim.free(out[i]);
        }
      }
    }
    pm_sim.shuffle(0);
    for (int i = 2; i < 5; i++)
      for (int64_t e = 0; e < elements(&t, i); e++)
        first[i][e] = 1;
    done(pm_sim.sdpa_vjp(&ex, 1, s->batch, s->heads, s->kv, s->nq, s->nk, s->d, s->causal,
                         s->masked, t.in[Q], t.in[K], t.in[V], s->masked ? t.in[MASK] : NULL,
                         t.in[Y], t.in[LSE], t.in[G], first[2], first[3], first[4]));
    for (int i = 0; i < 5; i++) {
      if (i >= 2)
        close_to(&t, i, first[i], terms[i], 1);
      pm_sim.free(first[i]);
    }
    pm_sim.free(ex.work);
  }
  end(&t);
}
END_TEST

/* At one open key y is its value, and dq and dk are 0 without a rounding. */
START_TEST(of_one_key_the_scores_have_no_gradient)
{
  static const int DIMS[] = {1, 5, 64, 100, 128, 300};
  shape s = {1, 2, 1, 70, 1, DIMS[_i], 0, 0};
  const int64_t size[] = {1, 2, 1, 70, 1, DIMS[_i], 0, 0};
  tensors t = begin(&s);
  float *out[5];
  pm_exec ex = {0};
  workspace(&ex, "sdpa_vjp", size);
  for (int i = 0; i < 5; i++)
    out[i] = some(elements(&t, i), 0);
  done(
      pm_sim.sdpa(&ex, 1, 2, 1, 70, 1, s.d, 0, 0, t.in[Q], t.in[K], t.in[V], NULL, out[0], out[1]));
  for (int64_t i = 0; i < t.q; i++)
    ck_assert(out[0][i] == t.in[V][i % s.d]);
  done(pm_sim.sdpa_vjp(&ex, 0, 1, 2, 1, 70, 1, s.d, 0, 0, t.in[Q], t.in[K], t.in[V], NULL, out[0],
                       out[1], t.in[G], out[2], out[3], out[4]));
  for (int64_t i = 0; i < t.q; i++)
    ck_assert(out[2][i] == 0);
  for (int64_t i = 0; i < t.k; i++)
    ck_assert(out[3][i] == 0);
  for (int i = 0; i < 5; i++)
    pm_sim.free(out[i]);
  pm_sim.free(ex.work);
  end(&t);
}
END_TEST

/* NaN, infinities and large scores, at d 64 in both variants: row 2 of q, or all of it. */
START_TEST(special_values)
{
  static const float VALUES[] = {NAN, INFINITY, -INFINITY, 1e4f, -1e4f};
  shape s = {1, 1, 1, 5, 150, 64, 0, 0};
  for (int variant = 0; variant < 2; variant++) {
    tensors t = begin(&s);
    pm_exec ex = {.variant = variant ? "tile" : NULL};
    float *y = some(t.q, 0), *lse = some(t.rows, 0);
    for (int i = 0; i < s.d; i++) {
      t.in[Q][2 * s.d + i] = i ? 0 : VALUES[_i];
      for (int j = 0; j < s.nk; j++)
        t.in[K][j * s.d + i] = i == 0 ? (j == 140 ? 2 : 1) : t.in[K][j * s.d + i];
    }
    done(pm_sim.sdpa(&ex, 1, 1, 1, s.nq, s.nk, s.d, 0, 0, t.in[Q], t.in[K], t.in[V], NULL, y, lse));
    for (int i = 0; i < s.nq; i++)
      for (int c = 0; c < s.d; c++)
        ck_assert_int_eq(isnan(y[i * s.d + c]), i == 2 && !isfinite(t.in[Q][2 * s.d]));
    ck_assert_int_eq(isnan(lse[2]), !isfinite(VALUES[_i]));
    if (VALUES[_i] == 1e4f) /* one key outweighs all others */
      for (int c = 0; c < s.d; c++)
        ck_assert(y[2 * s.d + c] == t.in[V][140 * s.d + c]);
    /* A key that is NaN for one score alone comes out in its rows. */
    t.in[K][7 * s.d] = NAN;
    done(pm_sim.sdpa(&ex, 1, 1, 1, s.nq, s.nk, s.d, 0, 0, t.in[Q], t.in[K], t.in[V], NULL, y, lse));
    for (int i = 0; i < s.nq; i++)
      ck_assert(isnan(y[i * s.d]) && isnan(lse[i]));
    pm_sim.free(y);
    pm_sim.free(lse);
    end(&t);
  }
}
END_TEST

/* Rows in which all is blocked: y = 0, lse = -Inf, and no gradient comes of them, whatever g is there. */
START_TEST(a_blocked_row)
{
  shape s = {1, 1, 1, 140, 4, 64, 1, 0}; /* rows before 136 see nothing */
  const int64_t size[] = {1, 1, 1, 140, 4, 64, 1, 0};
  for (int variant = 0; variant < 2; variant++) {
    tensors t = begin(&s);
    pm_exec ex = {.variant = variant ? "tile" : NULL};
    float *out[5];
    workspace(&ex, "sdpa_vjp", size);
    for (int i = 0; i < 5; i++)
      out[i] = some(elements(&t, i), 0);
    ck_assert(run(&pm_sim, &ex, &s, &t, out) == PM_OK && pm_sim.sync() == PM_OK);
    for (int64_t i = 0; i < 136; i++) {
      ck_assert(out[1][i] == -INFINITY);
      for (int c = 0; c < 64; c++)
        ck_assert(out[0][i * 64 + c] == 0 && !signbit(out[0][i * 64 + c]) &&
                  out[2][i * 64 + c] == 0);
    }
    for (int i = 0; i < 5; i++)
      pm_sim.free(out[i]);
    pm_sim.free(ex.work);
    end(&t);
  }
}
END_TEST

static const struct {
  int batch, heads, kv, capacity, d, len;
} DECODES[] = {
    {1, 1, 1, 1, 1, 1},       {1, 2, 1, 40, 7, 33},    {2, 2, 2, 300, 64, 300},
    {1, 8, 2, 150, 128, 129}, {1, 6, 2, 70, 256, 65},  {1, 1, 1, 500, 128, 449},
    {1, 2, 2, 9, 300, 9},     {1, 4, 4, 5, 64, 0},     {2, 3, 1, 130, 64, 100},
    {1, 600, 600, 70, 4, 66}, {1, 600, 600, 9, 64, 7}, {1, 2, 1, 6, 0, 3},
    {1, 0, 2, 6, 3, 3},       {1, 1, 1, 200, 33, 131},
};
enum { N_DECODES = sizeof DECODES / sizeof *DECODES };

/* What lies behind the keys that count is NaN. */
START_TEST(decode_beside_plain_loops)
{
  const int batch = DECODES[_i].batch, heads = DECODES[_i].heads, kv = DECODES[_i].kv,
            capacity = DECODES[_i].capacity, d = DECODES[_i].d, len = DECODES[_i].len;
  const int64_t size[] = {batch, heads, kv, capacity, d, len};
  shape s = {batch, heads, kv, 1, len, d, 0, 0};
  tensors t = begin(&s);
  float *k = some((int64_t)batch * kv * capacity * d, 0),
        *v = some((int64_t)batch * kv * capacity * d, 0);
  for (int64_t i = 0; i < (int64_t)batch * kv * capacity * d; i++) {
    int64_t row = d ? i / d : 0,
            from = (row / capacity * len + row % capacity) * d + (d ? i % d : 0);
    k[i] = row % capacity < len ? t.in[K][from] : NAN;
    v[i] = row % capacity < len ? t.in[V][from] : NAN;
  }
  for (int variant = 0; variant < 2; variant++) {
    pm_exec ex = {.variant = variant ? "scalar" : NULL};
    float *first = NULL;
    workspace(&ex, "decode_sdpa", size);
    for (uint64_t seed = 0; seed < 2; seed++) {
      const pm_backend *b = seed ? pm_sim.watched : &pm_sim;
      float *y = some(t.q, 0);
      b->shuffle(seed);
      ck_assert_msg(b->decode_sdpa(&ex, batch, heads, kv, capacity, d, len, t.in[Q], k, v, y) ==
                            PM_OK &&
                        b->sync() == PM_OK,
                    "%s", b->error());
      close_to(&t, 0, y, d + len, 0);
      if (first) {
        ck_assert_int_eq(memcmp(first, y, (size_t)t.q * sizeof *y), 0);
        pm_sim.free(y);
      } else
        first = y;
    }
    pm_sim.shuffle(0);
    pm_sim.free(first);
    pm_sim.free(ex.work);
  }
  pm_sim.free(k);
  pm_sim.free(v);
  end(&t);
}
END_TEST

/* NaN and infinities of a query, in both variants: of a key that counts as well. */
START_TEST(decode_special_values)
{
  static const float VALUES[] = {NAN, INFINITY, -INFINITY, 1e4f};
  enum { LEN = 100, DIM = 64 };
  const int64_t size[] = {1, 2, 1, LEN, DIM, LEN};
  for (int variant = 0; variant < 2; variant++) {
    pm_exec ex = {.variant = variant ? "scalar" : NULL};
    float *q = some(2 * DIM, 1), *k = filled(LEN * DIM, 1), *v = some(LEN * DIM, 1),
          *y = some(2 * DIM, 0);
    workspace(&ex, "decode_sdpa", size);
    for (int c = 0; c < DIM; c++)
      q[c] = c ? 0 : VALUES[_i], k[77 * DIM + c] = 2;
    done(pm_sim.decode_sdpa(&ex, 1, 2, 1, LEN, DIM, LEN, q, k, v, y));
    for (int c = 0; c < DIM; c++) {
      ck_assert_int_eq(isnan(y[c]), !isfinite(VALUES[_i]));
      ck_assert(isfinite(y[DIM + c]));
      if (isfinite(VALUES[_i]))
        ck_assert(y[c] == v[77 * DIM + c]);
    }
    k[50 * DIM + 3] = NAN;
    done(pm_sim.decode_sdpa(&ex, 1, 2, 1, LEN, DIM, LEN, q, k, v, y));
    ck_assert(isnan(y[0]) && isnan(y[DIM]));
    pm_sim.free(q);
    pm_sim.free(k);
    pm_sim.free(v);
    pm_sim.free(y);
    pm_sim.free(ex.work);
  }
}
END_TEST

START_TEST(refusals)
{
  float *x = filled(64, 1), *y = filled(64, POISON), *l = filled(64, POISON), *work = filled(64, 0);
  pm_exec ex = {.work = work, .work_bytes = 256};
  const int64_t big = (int64_t)1 << 40;
#define SDPA(...) pm_sim.sdpa(&ex, __VA_ARGS__, x, x, x, x, y, l)
  refused_with(SDPA(1, 6, 4, 1, 1, 2, 0, 0), "heads = 6", "kv_heads = 4");
  refused_with(SDPA(1, 1, 0, 1, 1, 2, 0, 0), "heads = 1", "kv_heads = 0");
  refused_with(SDPA(1, 1, 1, -1, 1, 2, 0, 0), "nq = -1", ">= 0");
  refused_with(SDPA(1, 1, 1, 1, 1, 2, 2, 0), "causal = 2", "0 or 1");
  refused_with(SDPA(1, 1, 1, 1, 1, 2, 0, 3), "masked = 3", "0 or 1");
  refused_with(SDPA(big, 1, 1, big, 1, 1, 0, 0), "batch*heads*nq*d", "2^60-1");
  refused_with(pm_sim.sdpa(&ex, 1, 1, 1, 1, 1, 2, 0, 1, x, x, x, NULL, y, l), "mask", "NULL");
  refused_with(pm_sim.sdpa(&ex, 1, 1, 1, 1, 1, 2, 0, 0, x, x, x, NULL, y, y), "lse", "y");
  refused_with(pm_sim.sdpa_vjp(&ex, 2, 1, 1, 1, 1, 1, 2, 0, 0, x, x, x, NULL, x, x, x, y, y + 8, l),
               "accumulate = 2", "0 or 1");
  ex.work_bytes = 8;
  refused_with(pm_sim.sdpa_vjp(&ex, 0, 1, 2, 1, 1, 1, 2, 0, 0, x, x, x, NULL, x, x, x, y, y + 8, l),
               "work", "bytes");
  refused_with(pm_sim.decode_sdpa(&ex, 1, 1, 1, 200, 0, 201, x, x, x, y), "len = 201",
               "capacity = 200");
  refused_with(pm_sim.decode_sdpa(&ex, 1, 1, 1, 65, 0, 65, x, x, x, y), "work", "bytes");
  refused_with(pm_sim.decode_sdpa(&ex, 1, 3, 2, 4, 2, 4, x, x, x, y), "heads = 3", "kv_heads = 2");
  ck_assert(poisoned(y, 64) && poisoned(l, 64));
  ex.variant = "held";
  ck_assert_int_eq(SDPA(1, 1, 1, 1, 1, 3, 0, 0), PM_UNSUITED);
  ck_assert_text(pm_sim.error(), "d is 64, 128 or 256");
  ck_assert(poisoned(y, 64) && poisoned(l, 64));
  pm_sim.free(x);
  pm_sim.free(y);
  pm_sim.free(l);
  pm_sim.free(work);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("attention");
  TCase *t = tcase_create("attention");
  tcase_set_timeout(t, 300);
  tcase_add_loop_test(t, beside_plain_loops, 0, N_SHAPES);
  tcase_add_loop_test(t, of_one_key_the_scores_have_no_gradient, 0, 6);
  tcase_add_loop_test(t, special_values, 0, 5);
  tcase_add_test(t, a_blocked_row);
  tcase_add_loop_test(t, decode_beside_plain_loops, 0, N_DECODES);
  tcase_add_loop_test(t, decode_special_values, 0, 4);
  tcase_add_test(t, refusals);
  suite_add_tcase(s, t);
  return aid_main(s);
}
