/* diffcheck judge: right answers of other people's kernels pass, wrong ones do not, and what the data does
 * not show is said. */
#include "files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/engine/arith.h"

static const char *vector(const char *name, int64_t n, const float *x)
{
  return aid_tensor(name, NPY_F4, 1, &n, x);
}

static const char *row(const char *name, int64_t n, const float *x)
{
  int64_t shape[] = {1, n};
  return aid_tensor(name, NPY_F4, 2, shape, x);
}

/* Runs judge with these arguments, wants the status, and words on stdout (or, of a refusal, stderr). */
static void judged(int status, const char *words, ...)
{
  char *out = NULL, *err = NULL;
  va_list args;
  va_start(args, words);
  int rc = aid_vrun(&out, &err, "diffcheck", args);
  va_end(args);
  ck_assert_msg(rc == status, "exit %d, stdout: %s, stderr: %s", rc, out, err);
  ck_assert_text(status == 2 ? err : out, words);
  if (status == 2)
    ck_assert_str_eq(out, "");
  free(out);
  free(err);
}
#define JUDGED(status, words, ...) judged(status, words, "judge", __VA_ARGS__, NULL)

START_TEST(right_where_f64_is_not)
{
  float one[] = {1, 2, 1}, three[] = {3, 3, 0}, q[] = {1.0f / 3, 2.0f / 3, INFINITY};
  JUDGED(0, "div: pass", "div", vector("a.npy", 3, one), vector("b.npy", 3, three), "--got",
         vector("q.npy", 3, q));
  q[0] = nextafterf(q[0], 1);
  JUDGED(1, "y[0]", "div", vector("a.npy", 3, one), vector("b.npy", 3, three), "--got",
         vector("q.npy", 3, q));
}
END_TEST

START_TEST(what_is_not_finite)
{
  float gone[] = {-INFINITY, -INFINITY}, nan2[] = {NAN, NAN}, zero[] = {0, 0};
  float large[] = {104, 1}, over[] = {INFINITY, 2.7182817f};
  JUDGED(0, "softmax: pass", "softmax", row("x.npy", 2, gone), "--got", row("y.npy", 2, nan2));
  JUDGED(1, "softmax: FAIL", "softmax", row("x.npy", 2, gone), "--got", row("y.npy", 2, zero));
  JUDGED(0, "relu: pass", "relu", vector("x.npy", 2, nan2), "--got", vector("y.npy", 2, nan2));
  JUDGED(0, "exp: pass", "exp", vector("x.npy", 2, large), "--got", vector("y.npy", 2, over));
}
END_TEST

/* A softmax without the last term of its sum lies within the bound of any order, and outside of that of a
 * tree as high as is declared. */
START_TEST(a_term_that_is_missing)
{
  enum { N = 50257 };
  static float x[N], y[N];
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += i < N - 1 ? exp(x[i] = (float)sin(i)) : 0 * (x[i] = 0.5f);
  for (int i = 0; i < N; i++)
    y[i] = (float)(exp(x[i]) / sum);
  JUDGED(0, "a sum without its last term would have passed on", "softmax", row("x.npy", N, x),
         "--got", row("y.npy", N, y));
  JUDGED(0, "--arith height=N narrows it", "softmax", row("x.npy", N, x), "--got",
         row("y.npy", N, y));
  JUDGED(1, "softmax: FAIL", "softmax", row("x.npy", N, x), "--got", row("y.npy", N, y), "--arith",
         "height=20,alpha=1");
}
END_TEST

/* A sum of which a twentieth is missing: any order may err as much, a pairwise one may not. */
START_TEST(a_sum_in_any_order)
{
  enum { N = 1 << 20 };
  static float x[N];
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += x[i] = 0.3f;
  float whole = (float)sum, less = (float)(0.95 * sum);
  const char *a = vector("x.npy", N, x);
  JUDGED(0, "sum: pass", "sum", a, "--got", aid_tensor("y.npy", NPY_F4, 0, NULL, &less));
  JUDGED(1, "sum: FAIL", "sum", a, "--got", aid_tensor("y.npy", NPY_F4, 0, NULL, &less), "--arith",
         "height=20");
  JUDGED(0, "sum: pass", "sum", a, "--got", aid_tensor("y.npy", NPY_F4, 0, NULL, &whole), "--arith",
         "height=20");
}
END_TEST

/* ---- what is declared ---- */

enum { NORM_ROWS = 64 };

typedef struct moments {
  float mean, square;
} moments;

/* Welford's formula, or the mean of the squares less that of the mean. */
static moments statistics(int64_t n, const float *x, int one_pass)
{
  moments s = {0, 0};
  for (int64_t i = 0; i < n; i++) {
    float t = x[i] - s.mean;
    s.mean += t / (float)(i + 1);
    s.square += t * (x[i] - s.mean);
  }
  if (one_pass) {
    s = (moments){0, 0};
    for (int64_t i = 0; i < n; i++) {
      s.mean += x[i];
      s.square += x[i] * x[i];
    }
    s.mean /= (float)n;
    s.square = fmaxf(0, s.square - (float)n * s.mean * s.mean);
  }
  return s;
}

/* layer_norm of such rows, gamma 1 and beta 0, judged by `by`. */
static void norm_judged(int status, const char *words, int64_t rows, int64_t n, const float *x,
                        int one_pass, const char *by)
{
  static float y[NORM_ROWS * 8], mean[NORM_ROWS], rstd[NORM_ROWS];
  float one[8], zero[8] = {0};
  int64_t shape[] = {rows, n};
  for (int i = 0; i < 8; i++)
    one[i] = 1;
  for (int64_t k = 0; k < rows; k++) {
    moments s = statistics(n, x + k * n, one_pass);
    mean[k] = s.mean;
    rstd[k] = 1 / sqrtf(s.square / (float)n + 1e-5f);
    for (int64_t i = k * n; i < k * n + n; i++)
      y[i] = (x[i] - mean[k]) * rstd[k];
  }
  JUDGED(status, words, "layer_norm", "--set", "eps=1e-5", "--arith", by,
         aid_tensor("x.npy", NPY_F4, 2, shape, x), vector("gamma.npy", n, one),
         vector("beta.npy", n, zero), "--got", aid_tensor("y.npy", NPY_F4, 2, shape, y), "--got",
         vector("mean.npy", rows, mean), "--got", vector("rstd.npy", rows, rstd));
}

/* PyTorch's statistics are right, and those that cancel are not. */
START_TEST(variance_of_parts)
{
  static float x[NORM_ROWS * 7], pair[NORM_ROWS * 2];
  for (int i = 0; i < NORM_ROWS * 7; i++)
    x[i] = 100 + (float)sin(i);
  for (int i = 0; i < NORM_ROWS * 2; i++)
    pair[i] = i % 2 ? 1.1f : 1.0f;
  norm_judged(0, "layer_norm: pass", NORM_ROWS, 2, pair, 0, "cuda");
  norm_judged(0, "layer_norm: pass", NORM_ROWS, 7, x, 0, "cuda");
  norm_judged(1, "--arith variance=welford", NORM_ROWS, 7, x, 0, "ieee");
  norm_judged(1, "layer_norm: FAIL", NORM_ROWS, 7, x, 1, "cuda");
}
END_TEST

/* dgamma without 4464 of 70000 rows. */
START_TEST(rows_that_are_missing)
{
  enum { ROWS = 70000, KEPT = 65536 };
  static float x[ROWS * 2], g[ROWS * 2], mean[ROWS], rstd[ROWS], dx[ROWS * 2];
  float gamma[] = {1, 1}, dgamma[2], dbeta[2];
  double sum[2] = {0, 0}, all[2] = {0, 0};
  int64_t shape[] = {ROWS, 2};
  for (int i = 0; i < ROWS * 2; i++) {
    x[i] = (float)sin(i);
    g[i] = (float)cos(i * 1.7);
  }
  for (int k = 0; k < ROWS; k++) {
    mean[k] = (x[2 * k] + x[2 * k + 1]) / 2;
    rstd[k] = 2;
    for (int i = 2 * k; i < 2 * k + 2; i++)
      g[i] += 0.03f * (x[i] - mean[k]);
    double h[2], a = 0, b = 0;
    for (int i = 0; i < 2; i++) {
      h[i] = ((double)x[2 * k + i] - mean[k]) * 2;
      a += g[2 * k + i] / 2.0;
      b += g[2 * k + i] * h[i] / 2;
      sum[i] += k < KEPT ? g[2 * k + i] * h[i] : 0;
      all[i] += g[2 * k + i];
    }
    for (int i = 0; i < 2; i++)
      dx[2 * k + i] = (float)(2 * (g[2 * k + i] - a - h[i] * b));
  }
  for (int i = 0; i < 2; i++) {
    dgamma[i] = (float)sum[i];
    dbeta[i] = (float)all[i];
  }
#define VJP                                                                                  \
  "layer_norm_vjp", aid_tensor("x.npy", NPY_F4, 2, shape, x), vector("gamma.npy", 2, gamma), \
      vector("mean.npy", ROWS, mean), vector("rstd.npy", ROWS, rstd),                        \
      aid_tensor("g.npy", NPY_F4, 2, shape, g), "--got",                                     \
      aid_tensor("dx.npy", NPY_F4, 2, shape, dx), "--got", vector("dgamma.npy", 2, dgamma),  \
      "--got", vector("dbeta.npy", 2, dbeta)
  JUDGED(0, "dgamma: a sum without its last term would have passed on 2 of 2", VJP);
  JUDGED(1, "wrong: dgamma", VJP, "--arith", "height=pairwise");
  JUDGED(1, "wrong: dgamma", VJP, "--arith", "height2=blocks:256");
}
END_TEST

/* Ones that are added up until they are lost. */
START_TEST(ones_that_are_lost)
{
  enum { N = 1 << 25 };
  float *x = malloc(N * sizeof *x), lost = 1 << 24, whole = N;
  for (int i = 0; i < N; i++)
    x[i] = 1;
  const char *a = vector("x.npy", N, x);
  free(x);
  JUDGED(1, "sum: FAIL", "sum", a, "--got", aid_tensor("y.npy", NPY_F4, 0, NULL, &lost), "--arith",
         "height=pairwise");
  JUDGED(0, "sum: pass", "sum", a, "--got", aid_tensor("y.npy", NPY_F4, 0, NULL, &whole), "--arith",
         "height=pairwise");
}
END_TEST

/* exp2(fma(x, c, -m c)) where x is large: m c is off by more than 1. */
START_TEST(a_shift_that_is_rounded)
{
  float x[] = {3e7f, 3e7f - 2, 1}, y[3], sum = 0, m = 3e7f, c = 1.44269502f;
  for (int i = 0; i < 3; i++)
    sum += y[i] = exp2f(fmaf(x[i], c, -(m * c)));
  for (int i = 0; i < 3; i++)
    y[i] /= sum;
  y[1] *= 1.0001f;
  x[0] = 1e4f;
  x[1] = 1e4f - 2;
  float e0 = 1.0f, e1 = expf(-2) * 1.0002f;
  y[0] = e0 / (e0 + e1);
  y[1] = e1 / (e0 + e1);
  y[2] = 0;
  JUDGED(1, "takes exp(x - m) as exp2(fma(x, c, -m c))", "softmax", row("x.npy", 3, x), "--got",
         row("y.npy", 3, y));
  JUDGED(0, "softmax: pass", "softmax", row("x.npy", 3, x), "--got", row("y.npy", 3, y), "--arith",
         "shift=1");
}
END_TEST

START_TEST(quotients_roots_and_zeros)
{
  float a[] = {1, 2, 5}, b[] = {3, 7, 9}, q[3], r[3];
  for (int i = 0; i < 3; i++) {
    q[i] = nextafterf(a[i] / b[i], 2);
    r[i] = nextafterf(sqrtf(a[i]), 9);
  }
  JUDGED(1, "divides and takes roots without rounding them correctly", "div", vector("a.npy", 3, a),
         vector("b.npy", 3, b), "--got", vector("q.npy", 3, q));
  JUDGED(0, "div: pass", "div", vector("a.npy", 3, a), vector("b.npy", 3, b), "--got",
         vector("q.npy", 3, q), "--arith", "triton");
  JUDGED(0, "sqrt: pass", "sqrt", vector("a.npy", 3, a), "--got", vector("r.npy", 3, r), "--arith",
         "sqrt=1");
  JUDGED(1, "sqrt: FAIL", "sqrt", vector("a.npy", 3, a), "--got", vector("r.npy", 3, r), "--arith",
         "div=4");
  float plus[] = {0.0f}, minus[] = {-0.0f};
  JUDGED(0, "maximum: pass", "maximum", vector("a.npy", 1, plus), vector("b.npy", 1, minus),
         "--got", vector("y.npy", 1, minus));
  JUDGED(1, "--arith zero_sign=any", "maximum", vector("a.npy", 1, plus), vector("b.npy", 1, minus),
         "--got", vector("y.npy", 1, minus), "--arith", "ieee");
}
END_TEST

/* Products of tf32, bf16 outputs, atomics that flush: each is right where it is declared, and named where not. */
START_TEST(formats_of_numbers)
{
  float a[] = {1.2345678f, 2.3456789f}, b[] = {1.7654321f, 0.1234567f};
  int64_t wide[] = {1, 2}, tall[] = {2, 1}, one[] = {1, 1};
  float cut = dc_format_round(PM_TF32, a[0]) * dc_format_round(PM_TF32, b[0]) +
              dc_format_round(PM_TF32, a[1]) * dc_format_round(PM_TF32, b[1]);
  const char *x = aid_tensor("a.npy", NPY_F4, 2, wide, a),
             *y = aid_tensor("b.npy", NPY_F4, 2, tall, b);
  JUDGED(1, "--arith product=tf32", "matmul", x, y, "--got",
         aid_tensor("c.npy", NPY_F4, 2, one, &cut));
  JUDGED(0, "matmul: pass", "matmul", x, y, "--got", aid_tensor("c.npy", NPY_F4, 2, one, &cut),
         "--arith", "tf32");
  float copied = dc_format_round(PM_BF16, a[1]);
  JUDGED(0, "copy: pass", "copy", vector("x.npy", 1, a + 1), "--got", vector("y.npy", 1, &copied),
         "--arith", "bf16");
  JUDGED(1, "--arith out=bf16", "copy", vector("x.npy", 1, a + 1), "--got",
         vector("y.npy", 1, &copied));
  JUDGED(1, "copy: FAIL", "copy", vector("x.npy", 1, a + 1), "--got", vector("y.npy", 1, &copied),
         "--arith", "f16");
  uint16_t third[] = {0x3555, 0x3556}; /* 1/3 in f16, and one step more */
  float ones[] = {1, 1}, threes[] = {3, 3};
  int64_t n1 = 1;
  JUDGED(0, "div: pass", "div", vector("a.npy", 1, ones), vector("b.npy", 1, threes), "--got",
         aid_tensor("h.npy", NPY_F2, 1, &n1, third));
  JUDGED(1, "div: FAIL", "div", vector("a.npy", 1, ones), vector("b.npy", 1, threes), "--got",
         aid_tensor("h.npy", NPY_F2, 1, &n1, third + 1));
  int64_t to[] = {0, 1, 2, 2};
  float start[] = {1, 1, 0}, u[] = {1, 1, 5e-39f, 7e-39f}, y3[] = {2, 2, 0};
  const char *index = aid_tensor("idx.npy", NPY_I8, 1, (int64_t[]){4}, to);
  JUDGED(1, "--arith atomics=flush", "scatter_add", vector("s.npy", 3, start), index,
         vector("u.npy", 4, u), "--got", vector("y3.npy", 3, y3), "--arith", "ieee");
  JUDGED(0, "scatter_add: pass", "scatter_add", vector("s.npy", 3, start), index,
         vector("u.npy", 4, u), "--got", vector("y3.npy", 3, y3));
}
END_TEST

/* Any association is right, though a partial product underflows in it. */
START_TEST(partial_products)
{
  float y = -1e-20f, g = 1e10f, da = -g * (y * y);
  JUDGED(0, "reciprocal_vjp: pass", "reciprocal_vjp", vector("y.npy", 1, &y),
         vector("g.npy", 1, &g), "--got", vector("da.npy", 1, &da), "--arith", "ieee");
  da *= 1.001f;
  JUDGED(1, "reciprocal_vjp: FAIL", "reciprocal_vjp", vector("y.npy", 1, &y),
         vector("g.npy", 1, &g), "--got", vector("da.npy", 1, &da), "--arith", "ieee");
  y = 3e-14f, g = 1e20f, da = y * y * y * (-0.5f * g);
  JUDGED(0, "rsqrt_vjp: pass", "rsqrt_vjp", vector("y.npy", 1, &y), vector("g.npy", 1, &g), "--got",
         vector("da.npy", 1, &da), "--arith", "ieee");
  float p = 0, none = 0, m = 0x1.4p-126f, v = 1e-20f, b1 = 0.9f, b2 = 0.999f, lr = 1e-3f;
  float m1 = b1 * m, v1 = b2 * v, q = p - lr * m1 / (sqrtf(v1) + 1e-8f);
  JUDGED(0, "adam_step: pass", "adam_step", "--set",
         "lr=1e-3,beta1=0.9,beta2=0.999,eps=1e-8,c1=1,c2=1", vector("p.npy", 1, &p),
         vector("g.npy", 1, &none), vector("m.npy", 1, &m), vector("v.npy", 1, &v), "--got",
         vector("q.npy", 1, &q), "--got", vector("m1.npy", 1, &m1), "--got",
         vector("v1.npy", 1, &v1), "--arith", "ieee");
  float x[] = {-1, 0, 0, 1}, gs[] = {1e10f, -2e10f, 3e10f, 0}, gamma = 0x1.8p-140f, mean = 0,
        r = 1.4142135f;
  float sum = 2e10f, hats = (gs[3] - gs[0]) * r, scale = gamma * r, dx[4];
  int64_t shape[] = {1, 1, 4};
  for (int i = 0; i < 4; i++)
    dx[i] = scale * (gs[i] - sum / 4 - x[i] * r * (hats / 4));
  JUDGED(0, "batch_norm_vjp: pass", "batch_norm_vjp", aid_tensor("x.npy", NPY_F4, 3, shape, x),
         vector("gamma.npy", 1, &gamma), vector("mean.npy", 1, &mean), vector("rstd.npy", 1, &r),
         aid_tensor("g.npy", NPY_F4, 3, shape, gs), "--got",
         aid_tensor("dx.npy", NPY_F4, 3, shape, dx), "--got", vector("dgamma.npy", 1, &hats),
         "--got", vector("dbeta.npy", 1, &sum), "--arith", "ieee");
}
END_TEST

START_TEST(formats)
{
  float x[] = {1, 2, 3}, y[] = {1, 2, 4};
  const char *a = vector("a.npy", 3, x), *good = vector("g.npy", 3, x),
             *bad = vector("b.npy", 3, y);
  JUDGED(1, "not ok 1 - copy", "copy", a, "--got", bad, "--format", "tap");
  JUDGED(0, "ok 1 - copy", "copy", a, "--got", good, "--format", "tap");
  JUDGED(1, "<failure type=\"FAIL\" message=\"y[2] = 4, want 3", "copy", a, "--got", bad,
         "--format", "junit");
  JUDGED(1, "<system-out>\ny: 3 elements, 1 failed", "copy", a, "--got", bad, "--format", "junit");
  JUDGED(1, "# y: 3 elements, 1 failed", "copy", a, "--got", bad, "--format", "tap");
  JUDGED(1, "\"verdict\":\"FAIL\"", "copy", a, "--got", bad, "--format", "jsonl");
  JUDGED(1, "\"index\":2", "copy", a, "--got", bad, "--format", "jsonl");
  JUDGED(0, "\"worst\":{\"output\":\"y\"", "copy", a, "--got", good, "--format", "jsonl");
}
END_TEST

/* ---- files of every kind ---- */

#define SHAPE(...) \
  (int)(sizeof((int64_t[]){__VA_ARGS__}) / 8), (const int64_t[]) { __VA_ARGS__ }

static const char *f4(const char *name, int rank, const int64_t *shape, const void *data)
{
  return aid_tensor(name, NPY_F4, rank, shape, data);
}

/* An op on rows is over the last axis of a tensor of any rank; outputs have its shape, or its elements in
 * one axis, or their axes of size 1 beside them. */
START_TEST(any_rank)
{
  static float zero[30], fifth[30], other[30];
  static const float beta[] = {1, 2, 3, 4, 5}, ln5 = 1.609437912f;
  static const int64_t target[6] = {0, 1, 2, 3, 4, 0};
  for (int i = 0; i < 30; i++)
    fifth[i] = 0.2f, other[i] = beta[i % 5];
  char x[200], five[200]; /* aid_path's buffers are fewer than the files here */
  strcpy(x, f4("x.npy", SHAPE(2, 3, 5), zero));
  strcpy(five, f4("b.npy", SHAPE(5), beta));
  JUDGED(0, "softmax: pass", "softmax", x, "--got", f4("y.npy", SHAPE(2, 3, 5), fifth));
  JUDGED(0, "y: 30 elements", "softmax", x, "--got", f4("y.npy", SHAPE(6, 5), fifth));
  JUDGED(0, "softmax: pass", "softmax", x, "--got", f4("y.npy", SHAPE(30), fifth));
  JUDGED(0, "softmax: pass", "softmax", x, "--got", f4("y.npy", SHAPE(2, 1, 3, 5), fifth));
  JUDGED(2, "y.npy: shape (3, 2, 5): output y of softmax has 30 elements here, as (2, 3, 5)",
         "softmax", x, "--got", f4("y.npy", SHAPE(3, 2, 5), fifth));
  JUDGED(2, "output y of softmax has 30 elements here, as (2, 3, 5)", "softmax", x, "--got",
         f4("y.npy", SHAPE(29), fifth));
  fifth[27] = 0.3f;
  JUDGED(1, "wrong: y[1,2,2] = 0.3", "softmax", x, "--got", f4("y.npy", SHAPE(30), fifth));
  JUDGED(0, "softmax: pass", "softmax", f4("v.npy", SHAPE(5), zero), "--got",
         f4("y.npy", SHAPE(5), fifth));
  JUDGED(2, "shape (): x of softmax is (..rows, cols)", "softmax", f4("v.npy", 0, NULL, zero),
         "--got", x);
  /* statistics of rows, as their axes, with one of size 1 after them, or in one */
  const int64_t *const stats[] = {(int64_t[]){2, 3}, (int64_t[]){2, 3, 1}, (int64_t[]){6}};
  static const float ones[] = {1, 1, 1, 1, 1, 1};
  for (int k = 0; k < 3; k++) {
    int rank = k == 2 ? 1 : 2 + k;
    JUDGED(0, "rstd: 6 elements, 0 failed", "layer_norm", "--set", "eps=1", x, five,
           f4("c.npy", SHAPE(1, 5), beta), "--got", f4("y.npy", SHAPE(2, 3, 5), other), "--got",
           f4("m.npy", rank, stats[k], zero), "--got", f4("r.npy", rank, stats[k], ones));
    JUDGED(0, "dgamma: 5 elements, 0 failed", "layer_norm_vjp", x, five,
           f4("m.npy", rank, stats[k], zero), f4("r.npy", rank, stats[k], ones), x, "--got", x,
           "--got", f4("dg.npy", SHAPE(5), zero), "--got", f4("db.npy", SHAPE(5), zero));
  }
  JUDGED(2, "m.npy: shape (3, 2): mean of layer_norm_vjp is (2, 3) beside", "layer_norm_vjp", x,
         five, f4("m.npy", SHAPE(3, 2), zero), f4("r.npy", SHAPE(6), ones), x, "--got", x, "--got",
         x, "--got", x);
  JUDGED(2, "g.npy: shape (3, 2, 5): g of softmax_vjp is (2, 3, cols) beside", "softmax_vjp", x,
         f4("g.npy", SHAPE(3, 2, 5), zero), "--got", x);
  JUDGED(2, "has cols = 3, and it is 5 from", "softmax_vjp", x, f4("g.npy", SHAPE(2, 3, 3), zero),
         "--got", x);
  JUDGED(0, "cross_entropy: pass", "cross_entropy", x,
         aid_tensor("t.npy", NPY_I8, SHAPE(2, 3), target), "--got", f4("l.npy", 0, NULL, &ln5));
  JUDGED(0, "batch_norm: pass", "batch_norm", "--set", "eps=1",
         f4("n.npy", SHAPE(1, 2, 3, 5), zero), f4("c.npy", SHAPE(1, 2, 1, 1), ones),
         f4("d.npy", SHAPE(2), ones), "--got",
         f4("y.npy", SHAPE(1, 2, 3, 5), (float[30]){[0 ... 29] = 1}), "--got",
         f4("m.npy", SHAPE(2), zero), "--got", f4("r.npy", SHAPE(2), ones));
  /* not over the last axis: what a row is matters */
  JUDGED(2, "x of transpose2d is (rows, cols)", "transpose2d", x, "--got", x);
  JUDGED(2, "x of gather_rows is (rows, cols)", "gather_rows", x,
         aid_tensor("t.npy", NPY_I8, SHAPE(6), target), "--got", x);
}
END_TEST

/* Outputs are judged at their value, whatever type holds it; inputs are what a kernel can have read. */
START_TEST(types)
{
  static const double third = 1.0 / 3, over = 1e39, half[] = {0.5, -2};
  static const float one = 1, three = 3, tiny = 1e-39f, halff[] = {0.5f, -2};
  static const uint16_t h[] = {0x3800, 0xc000}, h_relu[] = {0x3800, 0}, b[] = {0x3f00, 0xc000};
  static const int32_t whole[] = {1, 2};
  double off = third + 0x1p-26, x8;
  const char *a = f4("a.npy", SHAPE(1), &one), *c = f4("b.npy", SHAPE(1), &three);
  bytes f = {.n = 0}, g = {.n = 0};
  JUDGED(0, "y[0] = 0.33333333333333331", "div", a, c, "--got",
         aid_tensor("q.npy", NPY_F8, SHAPE(1), &third));
  JUDGED(1, "div: FAIL", "div", a, c, "--got", aid_tensor("q.npy", NPY_F8, SHAPE(1), &off));
  x8 = (double)(float)third;
  JUDGED(0, "div: pass", "div", a, c, "--got", aid_tensor("q.npy", NPY_F8, SHAPE(1), &x8));
  JUDGED(1, "div: FAIL", "div", a, f4("b.npy", SHAPE(1), &tiny), "--got",
         aid_tensor("q.npy", NPY_F8, SHAPE(1),
                    &over)); /* it is infinite, in f64 it is another number */
  JUDGED(0, "exp: pass", "exp", a, "--got",
         aid_tensor("q.npy", NPY_F8, SHAPE(1), (double[]){2.718281828459045}));
  JUDGED(1, "exp: FAIL", "exp", a, "--got",
         aid_tensor("q.npy", NPY_F8, SHAPE(1), (double[]){2.71829}));
  JUDGED(0, "copy: pass", "copy", aid_tensor("d.npy", NPY_F8, SHAPE(2), half), "--got",
         f4("y.npy", SHAPE(2), halff));
  JUDGED(2, "d.npy: dtype float64: element 0 of x is 0.33333333333333331, must be a float32",
         "copy", aid_tensor("d.npy", NPY_F8, SHAPE(1), &third), "--got", a);
  npy_file(&f, "<f2", "False", "(2,)", h, sizeof h);
  npy_file(&g, "<f2", "False", "(2,)", h_relu, sizeof h_relu);
  JUDGED(0, "relu: pass", "relu", save("h.npy", &f), "--got", save("g.npy", &g));
  JUDGED(1, "wrong: y[1] = -2, want 0", "relu", save("h.npy", &f), "--got", save("g.npy", &f));
  safe_file(&g, "{\"b\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[0,4]}}", b, sizeof b);
  JUDGED(0, "copy: pass", "copy", save("b.safetensors", &g), "--got", save("h.npy", &f));
  JUDGED(2, "i.npy: dtype int32: x of copy must be float32", "copy",
         aid_tensor("i.npy", NPY_I4, SHAPE(2), whole), "--got", a);
  f.n = 0;
  npy_file(&f, "|b1", "False", "(2,)", "\1\0", 2);
  JUDGED(2, "dtype bool: x of copy must be", "copy", save("m.npy", &f), "--got", a);
}
END_TEST

START_TEST(masks_and_indices)
{
  static const float x[] = {0, 0, 7, 0}, y[] = {0.5f, 0.5f, 0, 0, 1, 0, 0, 0}, z[] = {7, 0, 0};
  static const uint16_t index[] = {2, 1, 3};
  static const float wrong[] = {0, 0, 0};
  static const unsigned char bools[] = {0, 0, 1, 1}, bad[] = {0, 0, 2, 1};
  static const int16_t kinds[] = {0, 0, -1, 256};
  const char *a = row("x.npy", 4, x), *want = row("y.npy", 4, y);
  bytes f = {.n = 0};
  npy_file(&f, "|b1", "False", "(1, 4)", bools, 4);
  JUDGED(0, "masked_softmax: pass", "masked_softmax", a, save("m.npy", &f), "--got", want);
  f.n = 0;
  npy_file(&f, "<i2", "False", "(1, 4)", kinds, 8);
  JUDGED(0, "masked_softmax: pass", "masked_softmax", a, save("m.npy", &f), "--got", want);
  f.n = 0;
  npy_file(&f, "|b1", "False", "(1, 4)", bad, 4);
  JUDGED(2, "m.npy: element 2 is 2: a bool must be 0 or 1", "masked_softmax", a, save("m.npy", &f),
         "--got", want);
  f.n = 0;
  npy_file(&f, "<u2", "False", "(3,)", index, 6);
  const char *i = save("i.npy", &f), *v = vector("v.npy", 4, x);
  JUDGED(0, "gather: pass", "gather", v, i, "--got", vector("z.npy", 3, z));
  JUDGED(1, "wrong: y[0] = 0, want 7", "gather", v, i, "--got", vector("z.npy", 3, wrong));
  JUDGED(2, "idx of gather must be an integer type", "gather", v, v, "--got", v);
  f.n = 0;
  npy_file(&f, "|b1", "False", "(3,)", "\0\1\1", 3);
  JUDGED(2, "dtype bool: idx of gather must be an integer type", "gather", v, save("i.npy", &f),
         "--got", v);
}
END_TEST

/* One file has every tensor under its name. */
START_TEST(sets_by_name)
{
  static const float data[] = {1, 2, 3, 4, 3, 6};
  static const char ab[] = "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
                           "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]},"
                           "\"y\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[16,24]}}";
  static archive z;
  bytes f = {.n = 0}, m = {.n = 0};
  char b[300], y[300];
  /* a + b is not y: 1 + 3, 2 + 4 */
  safe_file(&f, ab, data, sizeof data);
  const char *set = save("set.safetensors", &f);
  snprintf(b, sizeof b, "%s:b", set);
  snprintf(y, sizeof y, "%s:y", set);
  JUDGED(1, "wrong: y[0] = 3, want 4", "add", set, "--got", set);
  JUDGED(0, "sub: pass", "sub", y, vector("u.npy", 2, data), "--got",
         vector("v.npy", 2, (float[]){2, 4}));
  JUDGED(0, "maximum: pass", "maximum", set, "--got", b);
  JUDGED(0, "maximum: pass", "maximum", set, b, "--got",
         b); /* a, by its name, beside one that is chosen */
  JUDGED(2, "set.safetensors: g of mul_vjp: no tensor 'g' is in the file: it has a, b, y",
         "mul_vjp", set, "--got", set);
  JUDGED(2, "FILE of input b is missing: add has 2 inputs", "add", b, "--got", set);
  strcpy(strrchr(y, ':'), ":c");
  JUDGED(2, "tensor 'c' is not in the file: it has a, b, y", "add", set, "--got", y);
  npy_file(&m, "<f4", "False", "(2,)", data, 8);
  member(&z, "da.npy", m.b, m.n, true, false);
  m.n = 0;
  npy_file(&m, "<f4", "False", "(3,)", data, 12);
  member(&z, "db.npy", m.b, m.n, true, false);
  finish(&z, false);
  const char *g = vector("g.npy", 2, data), *npz = save("d.npz", &z.file);
  JUDGED(2, "d.npz: db: shape (3,): output db of add_vjp has 2 elements here", "add_vjp", g,
         "--got", npz);
  JUDGED(2, "--got: add_vjp has 2 outputs, and --got was given 1 time", "add_vjp", g, "--got", g);
  JUDGED(0, "add_vjp: pass", "add_vjp", g, "--got", npz, "--got", g); /* da by its name */
}
END_TEST

START_TEST(wrong_use)
{
  float x[] = {1, 2, 3};
  int64_t none[] = {0}, two[] = {2};
  const char *a = vector("a.npy", 3, x), *empty = aid_tensor("e.npy", NPY_F4, 1, none, x);
  JUDGED(2, "OP is missing", "--got", a);
  JUDGED(2, "unknown", "no_such_op", a, "--got", a);
  JUDGED(2, "--got was given 0 times", "copy", a);
  JUDGED(2, "--got was given 2 times", "copy", a, "--got", a, "--got", a);
  JUDGED(2, "input x is missing", "copy", "--got", a);
  JUDGED(2, "output y of copy has 3 elements", "copy", a, "--got",
         aid_tensor("s.npy", NPY_F4, 1, two, x));
  JUDGED(2, "must be float32 or float64", "copy", a, "--got",
         aid_tensor("i.npy", NPY_I4, 1, two, x));
  JUDGED(2, "no element to judge", "copy", empty, "--got", empty);
  JUDGED(2, "key must be one of height", "sum", a, "--got", a, "--arith", "heigth=3");
  JUDGED(2, "height is given twice", "sum", a, "--got", a, "--arith", "height=3,height=4");
  JUDGED(2, "must be a number from 0", "sum", a, "--got", a, "--arith", "height=-1");
  JUDGED(2, "must be a number from 0", "sum", a, "--got", a, "--arith", "exp=nan");
  JUDGED(2, "the first word, a profile: ieee, cuda, fast, triton", "sum", a, "--got", a, "--arith",
         "gpu");
  JUDGED(2, "as the first word, a profile", "sum", a, "--got", a, "--arith", "height=3,cuda");
  JUDGED(2, "pairwise or blocks:N", "sum", a, "--got", a, "--arith", "height=blocks:0");
  JUDGED(2, "'out=f8': must be one of f32, tf32, bf16, f16", "sum", a, "--got", a, "--arith",
         "out=f8");
  JUDGED(2, "must be text", "copy", a, "--got", a, "--format", "yaml");
}
END_TEST

int main(void)
{
  Suite *s = suite_create("judge");
  TCase *t = tcase_create("judge");
  tcase_set_timeout(t, 180);
  suite_add_tcase(s, t);
  tcase_add_test(t, right_where_f64_is_not);
  tcase_add_test(t, what_is_not_finite);
  tcase_add_test(t, a_term_that_is_missing);
  tcase_add_test(t, a_sum_in_any_order);
  tcase_add_test(t, variance_of_parts);
  tcase_add_test(t, rows_that_are_missing);
  tcase_add_test(t, ones_that_are_lost);
  tcase_add_test(t, a_shift_that_is_rounded);
  tcase_add_test(t, quotients_roots_and_zeros);
  tcase_add_test(t, formats_of_numbers);
  tcase_add_test(t, partial_products);
  tcase_add_test(t, formats);
  tcase_add_test(t, any_rank);
  tcase_add_test(t, types);
  tcase_add_test(t, masks_and_indices);
  tcase_add_test(t, sets_by_name);
  tcase_add_test(t, wrong_use);
  return aid_main(s);
}
