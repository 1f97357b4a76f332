/* Multi-head attention as a layer: beside its definition written with indices, its gradient beside differences, on
 * every back end; shapes that do not agree; no memory. */
#include <math.h>
#include <string.h>

#include "runtime.h"

/* heads, kv_heads, causal, masked, from a source of its own */
typedef struct problem {
  int heads, kv, causal, masked, apart, n, m;
} problem;
static const problem PROBLEMS[] = {
    {1, 1, 0, 0, 0, 3, 3}, {2, 2, 1, 0, 0, 4, 4}, {4, 2, 0, 1, 0, 3, 3},
    {2, 1, 1, 1, 1, 2, 5}, {3, 3, 0, 0, 1, 1, 4},
};
enum { BATCH = 2, WIDTH = 5, FROM = 3, D = 2, OUT = 4, ROOM = 64, TENSORS = 6 };

static int64_t from(const problem *p) { return p->apart ? FROM : WIDTH; }
static int masked(const problem *p, int i, int j) { return p->masked && (i + 2 * j) % 3 == 0; }

/* x, source, wq, wk, wv, wo: f64 of f32 numbers. */
static void drawn(double (*t)[ROOM])
{
  unsigned s = 3;
  for (int k = 0; k < TENSORS; k++)
    for (int i = 0; i < ROOM; i++) {
      s = s * 1103515245u + 12345u;
      t[k][i] = (double)((int)(s >> 16 & 255) - 128) / 64;
    }
}

static double projected(const double *x, const double *w, int64_t row, int64_t width, int64_t cols,
                        int64_t col)
{
  double sum = 0;
  for (int64_t i = 0; i < width; i++)
    sum += x[row * width + i] * w[i * cols + col];
  return sum;
}

/* Element c of head h of query i. */
static double attended(const problem *p, double (*t)[ROOM], int b, int h, int i, int c)
{
  const double *x = t[0], *source = p->apart ? t[1] : t[0];
  const int g = h / (p->heads / p->kv);
  double sum = 0, all = 0;
  for (int j = 0; j < p->m; j++) {
    double s = 0;
    if ((p->causal && j > i + p->m - p->n) || masked(p, i, j))
      continue;
    for (int e = 0; e < D; e++)
      s += projected(x, t[2], b * p->n + i, WIDTH, p->heads * D, h * D + e) *
           projected(source, t[3], b * p->m + j, from(p), p->kv * D, g * D + e);
    s = exp(s / sqrt(D));
    all += s;
    sum += s * projected(source, t[4], b * p->m + j, from(p), p->kv * D, g * D + c);
  }
  return all > 0 ? sum / all : 0;
}

static void defined(const problem *p, double (*t)[ROOM], double *y)
{
  for (int b = 0; b < BATCH; b++)
    for (int i = 0; i < p->n; i++)
      for (int o = 0; o < OUT; o++) {
        double sum = 0;
        for (int k = 0; k < p->heads * D; k++)
          sum += attended(p, t, b, k / D, i, k % D) * t[5][k * OUT + o];
        y[(b * p->n + i) * OUT + o] = sum;
      }
}

static pmr_tensor tensor(pmr_context c, const double *x, int rank, const int64_t *shape)
{
  pmr_tensor t;
  float all[ROOM];
  int64_t n = 1;
  for (int a = 0; a < rank; a++)
    n *= shape[a];
  for (int64_t i = 0; i < n; i++)
    all[i] = (float)x[i];
  OK(pmr_from_host(c, PMR_F32, rank, shape, all, &t));
  OK(pmr_requires_grad(t, 1));
  return t;
}

static void close_to(pmr_tensor t, const double *want, int64_t n, double off)
{
  double got[ROOM];
  OK(pmr_to_host(t, PMR_F64, got, n));
  for (int64_t i = 0; i < n; i++)
    ck_assert_msg(fabs(got[i] - want[i]) <= off * (1 + fabs(want[i])),
                  "element %d is %g, must be %g", (int)i, got[i], want[i]);
}

#define S (const int64_t[])

START_TEST(as_defined)
{
  for (size_t k = 0; k < sizeof PROBLEMS / sizeof *PROBLEMS; k++) {
    const problem *p = &PROBLEMS[k];
    static double t[TENSORS][ROOM], y[ROOM], more[ROOM];
    pmr_context c = opened(_i);
    drawn(t);
    const int64_t q = p->heads * D, kv = p->kv * D, ny = BATCH * p->n * OUT;
    pmr_tensor in[TENSORS] = {
        tensor(c, t[0], 3, S{BATCH, p->n, WIDTH}), tensor(c, t[1], 3, S{BATCH, p->m, FROM}),
        tensor(c, t[2], 2, S{WIDTH, q}),           tensor(c, t[3], 2, S{from(p), kv}),
        tensor(c, t[4], 2, S{from(p), kv}),        tensor(c, t[5], 2, S{q, OUT})};
    const int64_t counts[] = {BATCH * p->n * WIDTH, BATCH * p->m * FROM, WIDTH * q,
                              from(p) * kv,         from(p) * kv,        q * OUT};
    float blocked[ROOM];
    for (int i = 0; i < p->n * p->m; i++)
      blocked[i] = (float)masked(p, i / p->m, i % p->m);
    pmr_tensor mask = f32(c, blocked, 2, p->n, p->m), got, sum;
    pmr_attention how = {p->heads, p->kv == p->heads ? 0 : p->kv, p->causal};
    OK(pmr_multi_head_attention(c, &how, in[0], p->apart ? in[1] : NULL, in[2], in[3], in[4], in[5],
                                p->masked ? mask : NULL, &got));
    defined(p, t, y);
    close_to(got, y, ny, 1e-5);
    sum = op1(c, "sum", got, NULL, NULL);
    OK(pmr_release(got));
    OK(pmr_backward(sum, NULL));
    for (int a = 0; a < TENSORS; a++) {
      double want[ROOM];
      pmr_tensor grad;
      if (a == 1 && !p->apart)
        continue;
      for (int64_t i = 0; i < counts[a]; i++) { /* of the sum of y: a central difference */
        const double h = 1e-5, x = t[a][i];
        want[i] = 0;
        t[a][i] = x + h;
        defined(p, t, y);
        t[a][i] = x - h;
        defined(p, t, more);
        t[a][i] = x;
        for (int64_t o = 0; o < ny; o++)
          want[i] += (y[o] - more[o]) / (2 * h);
      }
      OK(pmr_grad(in[a], &grad));
      close_to(grad, want, counts[a], 1e-4);
      OK(pmr_release(grad));
    }
    OK(pmr_release(sum));
    OK(pmr_release(mask));
    for (int a = 0; a < TENSORS; a++)
      OK(pmr_release(in[a]));
    closed(c);
  }
}
END_TEST

START_TEST(refused)
{
  pmr_context c = opened(_i);
  float zeros[ROOM] = {0};
  pmr_tensor x = f32(c, zeros, 3, 2, 3, 4), w = f32(c, zeros, 2, 4, 6), wo = f32(c, zeros, 2, 6, 5);
  pmr_tensor odd = f32(c, zeros, 2, 3, 6), mask = f32(c, zeros, 2, 3, 2), y = NULL;
  pmr_attention three = {3, 0, 0}, none = {0, 0, 0}, uneven = {3, 2, 0}, four = {4, 0, 0},
                one = {3, 1, 0};
#define LAYER(how, ...) pmr_multi_head_attention(c, how, __VA_ARGS__, &y)
  FAILS(PMR_INVALID, "heads is 0", LAYER(NULL, x, NULL, w, w, w, wo, NULL));
  FAILS(PMR_INVALID, "heads is 0", LAYER(&none, x, NULL, w, w, w, wo, NULL));
  FAILS(PMR_INVALID, "a multiple of kv_heads, 2", LAYER(&uneven, x, NULL, w, w, w, wo, NULL));
  FAILS(PMR_INVALID, "a multiple of heads, 4", LAYER(&four, x, NULL, w, w, w, wo, NULL));
  FAILS(PMR_INVALID, "x is NULL", LAYER(&three, NULL, NULL, w, w, w, wo, NULL));
  FAILS(PMR_INVALID, "x has 2 axes: it must be f32, of 3",
        LAYER(&three, w, NULL, w, w, w, wo, NULL));
  FAILS(PMR_INVALID, "size 0 of wq is 3: it must be 4",
        LAYER(&three, x, NULL, odd, w, w, wo, NULL));
  FAILS(PMR_INVALID, "size 1 of wk is 6: it must be 2", LAYER(&one, x, NULL, w, w, w, wo, NULL));
  FAILS(PMR_INVALID, "size 0 of wv is 3", LAYER(&three, x, NULL, w, w, odd, wo, NULL));
  FAILS(PMR_INVALID, "size 0 of wo is 4: it must be 6", LAYER(&three, x, NULL, w, w, w, w, NULL));
  FAILS(PMR_INVALID, "size 1 of mask is 2: it must be 3",
        LAYER(&three, x, NULL, w, w, w, wo, mask));
  FAILS(PMR_INVALID, "out is NULL",
        pmr_multi_head_attention(c, &three, x, NULL, w, w, w, wo, NULL, NULL));
  ck_assert_ptr_null(y);
  OK(LAYER(&three, x, NULL, w, w, w, wo, NULL)); /* and then it goes on */
  OK(pmr_release(y));
  OK(pmr_release(x));
  OK(pmr_release(w));
  OK(pmr_release(wo));
  OK(pmr_release(odd));
  OK(pmr_release(mask));
  closed(c);
}
END_TEST

static pmr_status work(pmr_context c)
{
  static const float one[24] = {1, 2, 3};
  pmr_attention how = {2, 1, 1};
  pmr_tensor t[4] = {NULL, NULL, NULL, NULL}, y = NULL, sum = NULL;
  pmr_status s = pmr_from_host(c, PMR_F32, 3, S{1, 3, 4}, one, &t[0]);
  if (!s)
    s = pmr_from_host(c, PMR_F32, 2, S{4, 4}, one, &t[1]);
  if (!s)
    s = pmr_from_host(c, PMR_F32, 2, S{4, 2}, one, &t[2]);
  if (!s)
    s = pmr_from_host(c, PMR_F32, 2, S{4, 3}, one, &t[3]);
  if (!s)
    s = pmr_requires_grad(t[0], 1);
  if (!s)
    s = pmr_multi_head_attention(c, &how, t[0], NULL, t[1], t[2], t[2], t[3], NULL, &y);
  if (!s)
    s = pmr_call(c, "sum", PMR_IN(y), NULL, &sum, 1);
  if (!s)
    s = pmr_backward(sum, NULL);
  for (int i = 0; i < 4; i++)
    if (t[i])
      pmr_release(t[i]);
  if (y)
    pmr_release(y);
  if (sum)
    pmr_release(sum);
  return s;
}

START_TEST(no_memory) { no_memory_anywhere(_i, work); }
END_TEST

int main(void)
{
  Suite *suite = suite_create("runtime_layers");
  TCase *t = tcase_create("layers");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, as_defined, 0, N_BACKENDS);
  tcase_add_loop_test(t, refused, 0, N_BACKENDS);
  tcase_add_loop_test(t, no_memory, 0, N_BACKENDS);
  suite_add_tcase(suite, t);
  return aid_main(suite);
}
