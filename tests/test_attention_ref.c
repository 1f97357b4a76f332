/* The reference of attention beside plain loops over (batch, head, query, key), and its VJP beside finite
 * differences; its bounds beside evaluations in f32. */
#include "helpers.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "../ref/attention_vjp.h"

typedef struct shape {
  int batch, heads, kv, nq, nk, d, causal, masked;
} shape;

static const shape SHAPES[] = {
    {1, 1, 1, 1, 1, 1, 0, 0}, {1, 2, 2, 3, 5, 7, 0, 0}, {1, 2, 1, 5, 3, 4, 1, 0},
    {2, 6, 2, 4, 6, 3, 1, 1}, {1, 8, 1, 3, 3, 2, 1, 0}, {2, 4, 2, 5, 4, 5, 0, 1},
    {1, 2, 1, 3, 0, 4, 0, 0}, {1, 2, 1, 0, 3, 4, 1, 0}, {1, 2, 1, 2, 3, 0, 0, 0},
    {1, 0, 2, 3, 4, 2, 0, 0}, {0, 2, 1, 3, 4, 5, 0, 0}, {1, 1, 1, 4, 2, 6, 1, 1}};
enum { N_SHAPES = sizeof SHAPES / sizeof *SHAPES, ROOM = 512 };

/* inputs in the order of the catalogue, then outputs */
static double q[ROOM], k[ROOM], v[ROOM], mask[ROOM], y[ROOM], lse[ROOM], g[ROOM];
static double dq[ROOM], dk[ROOM], dv[ROOM];

static uint64_t state;
static double draw(void)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int)(state >> 40 & 0xffff) / 32768.0 - 1.0;
}
static void fill(double *x, int n, double by)
{
  for (int i = 0; i < n; i++)
    x[i] = by * draw();
}

static void inputs(const shape *s, int seed, double by)
{
  state = (uint64_t)seed;
  fill(q, s->batch * s->heads * s->nq * s->d, by);
  fill(g, s->batch * s->heads * s->nq * s->d, 1);
  fill(k, s->batch * s->kv * s->nk * s->d, by);
  fill(v, s->batch * s->kv * s->nk * s->d, 1);
  for (int i = 0; i < s->nq * s->nk; i++)
    mask[i] = i < s->nk || draw() < 0 ? 1 : 0; /* nothing is open to the first query */
}

static int is_open(const shape *s, int i, int j)
{
  return (!s->causal || j <= i + s->nk - s->nq) && (!s->masked || mask[i * s->nk + j] == 0);
}
static const double *row(const double *x, int heads, int rows, int d, int b, int h, int i)
{
  return x + ((b * heads + h) * rows + i) * d;
}

/* y and lse of one query, by the textbook: no maximum is taken off. */
static void plain_row(const shape *s, int b, int h, int i, double *out, double *log_sum)
{
  int own = s->kv ? h / (s->heads / s->kv) : 0;
  double sum = 0;
  for (int c = 0; c < s->d; c++)
    out[c] = 0;
  for (int j = 0; j < s->nk; j++) {
    double dot = 0;
    if (!is_open(s, i, j))
      continue;
    for (int c = 0; c < s->d; c++)
      dot += row(q, s->heads, s->nq, s->d, b, h, i)[c] * row(k, s->kv, s->nk, s->d, b, own, j)[c];
    double e = exp(s->d ? dot / sqrt(s->d) : 0);
    sum += e;
    for (int c = 0; c < s->d; c++)
      out[c] += e * row(v, s->kv, s->nk, s->d, b, own, j)[c];
  }
  for (int c = 0; c < s->d && sum > 0; c++)
    out[c] /= sum;
  *log_sum = log(sum);
}

static void forward(const shape *s)
{
  ref_sdpa(s->batch, s->heads, s->kv, s->nq, s->nk, s->d, s->causal, s->masked, q, k, v, mask, y,
           lse);
}

START_TEST(forward_is_the_textbooks)
{
  const shape *s = &SHAPES[_i];
  inputs(s, 7 + _i, 2);
  forward(s);
  for (int b = 0; b < s->batch; b++)
    for (int h = 0; h < s->heads; h++)
      for (int i = 0; i < s->nq; i++) {
        double want[ROOM], log_sum;
        plain_row(s, b, h, i, want, &log_sum);
        for (int c = 0; c < s->d; c++)
          ck_assert_double_eq_tol(row(y, s->heads, s->nq, s->d, b, h, i)[c], want[c], 1e-13);
        double got = lse[(b * s->heads + h) * s->nq + i];
        if (isinf(log_sum))
          ck_assert(got == -INFINITY);
        else
          ck_assert_double_eq_tol(got, log_sum, 1e-12);
      }
}
END_TEST

static double loss(const shape *s)
{
  double sum = 0;
  forward(s);
  for (int i = 0; i < s->batch * s->heads * s->nq * s->d; i++)
    sum += g[i] * y[i];
  return sum;
}

static void slopes(const shape *s, double *x, int n, const double *got)
{
  const double h = 1e-5;
  for (int i = 0; i < n; i++) {
    double at = x[i];
    x[i] = at + h;
    double up = loss(s);
    x[i] = at - h;
    double down = loss(s);
    x[i] = at;
    ck_assert_double_eq_tol(got[i], (up - down) / (2 * h), 1e-8);
  }
}

static void backward(const shape *s)
{
  ref_sdpa_vjp(s->batch, s->heads, s->kv, s->nq, s->nk, s->d, s->causal, s->masked, q, k, v, mask,
               y, lse, g, dq, dk, dv);
}

/* Rows with nothing open have an lse of -Inf, which no gradient sees. */
START_TEST(vjp_is_the_slope)
{
  const shape *s = &SHAPES[_i];
  int n = s->batch * s->heads * s->nq * s->d, kn = s->batch * s->kv * s->nk * s->d;
  inputs(s, 70 + _i, 1.5);
  forward(s);
  fill(dq, n, 9), fill(dk, kn, 9), fill(dv, kn, 9);
  backward(s);
  slopes(s, q, n, dq);
  slopes(s, k, kn, dk);
  slopes(s, v, kn, dv);
}
END_TEST

/* One key: its weight is 1 whatever its score, and nothing reaches q and k. */
START_TEST(one_key_has_no_slope)
{
  shape s = {1, 2, 1, 3, 1, 5, 0, 0};
  inputs(&s, 3, 1);
  forward(&s);
  backward(&s);
  for (int i = 0; i < 30; i++)
    ck_assert_double_eq_tol(dq[i], 0, 1e-15);
  for (int i = 0; i < 5; i++)
    ck_assert_double_eq_tol(dk[i], 0, 1e-15);
}
END_TEST

START_TEST(blocked_keys_take_no_part)
{
  shape s = {1, 1, 1, 3, 4, 2, 1, 0};
  inputs(&s, 5, 1);
  forward(&s);
  double first = y[0], second = y[2];
  for (int c = 6; c < 8; c++) /* the last key, open to the last query alone */
    k[c] = v[c] = NAN;
  forward(&s);
  ck_assert(y[0] == first && y[2] == second && isnan(y[4]));
  backward(&s);
  ck_assert(!isnan(dq[0]) && !isnan(dq[2]) && isnan(dq[4]));
}
END_TEST

START_TEST(decoding_is_the_last_row)
{
  const shape s = {2, 4, 2, 1, 6, 3, 0, 0};
  double last[ROOM];
  inputs(&s, 11, 2);
  for (int len = 0; len <= 6; len++) {
    for (int z = 0; z < 4; z++)
      for (int i = len * 3; i < 18; i++)
        k[z * 18 + i] = v[z * 18 + i] = NAN;
    ref_decode_sdpa(2, 4, 2, 6, 3, len, q, k, v, last);
    inputs(&s, 11, 2);
    shape seen = s;
    seen.masked = 1;
    for (int j = 0; j < 6; j++)
      mask[j] = j >= len;
    forward(&seen);
    for (int i = 0; i < 24; i++)
      ck_assert_double_eq_tol(last[i], y[i], 1e-15);
  }
}
END_TEST

/* ---- bounds ---- */

static const arith F32 = {
#define ULPS(name, undeclared) .k_##name = 2,
#include "../spec/elementary.def"
    .u = 0x1p-24, .eta = 0x1p-150, .big = FLT_MAX, .alpha = 2.25, .h = 200, .h2 = 200};

/* A running softmax in f32, keys in tiles of `tile`, by exp2: within the bounds, and these are small. */
static void running_row(const shape *s, const double *qi, const double *kz, const double *vz, int i,
                        int tile, float *out, float *log_sum)
{
  float m = -INFINITY, sum = 0, c2 = (float)(1.4426950408889634 / sqrt(s->d));
  for (int c = 0; c < s->d; c++)
    out[c] = 0;
  for (int from = 0; from < s->nk; from += tile) {
    float score[ROOM], top = m;
    int to = from + tile < s->nk ? from + tile : s->nk;
    for (int j = from; j < to; j++) {
      score[j] = 0;
      for (int c = 0; c < s->d; c++)
        score[j] = fmaf((float)qi[c], (float)kz[j * s->d + c], score[j]);
      if (is_open(s, i, j))
        top = fmaxf(top, score[j] * c2);
    }
    if (top == -INFINITY)
      continue;
    float by = exp2f(m - top);
    m = top, sum *= by;
    for (int c = 0; c < s->d; c++)
      out[c] *= by;
    for (int j = from; j < to; j++)
      if (is_open(s, i, j)) {
        float e = exp2f(fmaf(score[j], c2, -m));
        sum += e;
        for (int c = 0; c < s->d; c++)
          out[c] = fmaf(e, (float)vz[j * s->d + c], out[c]);
      }
  }
  for (int c = 0; c < s->d && sum > 0; c++)
    out[c] /= sum;
  *log_sum = (m + log2f(sum)) * 0.6931471805599453f;
}

static void round_all(double *x)
{
  for (int i = 0; i < ROOM; i++)
    x[i] = (float)x[i];
}

START_TEST(running_softmax_is_within_bounds)
{
  const shape s = {1, 1, 1, 5, 40, 8, _i % 2, 0};
  double e_y[ROOM], e_lse[ROOM], by = _i < 4 ? 1 : 50;
  inputs(&s, 40 + _i, by);
  round_all(q), round_all(k), round_all(v);
  forward(&s);
  bound_sdpa(1, 1, 1, 5, 40, 8, s.causal, 0, q, k, v, mask, F32, e_y, e_lse);
  for (int i = 0; i < s.nq; i++) {
    float out[ROOM], log_sum;
    running_row(&s, q + i * 8, k, v, i, 1 + 3 * _i, out, &log_sum);
    for (int c = 0; c < 8; c++) {
      ck_assert(fabs(out[c] - y[i * 8 + c]) <= e_y[i * 8 + c]);
      ck_assert(_i >= 4 || e_y[i * 8 + c] < 1e-3);
    }
    ck_assert(fabs(log_sum - lse[i]) <= e_lse[i]);
    ck_assert(e_lse[i] < (_i < 4 ? 1e-3 : 1));
  }
}
END_TEST

/* What a kernel is given instead of x, and by how much that is off. */
static void move_all(const double *x, double by, double *given, double *off)
{
  for (int i = 0; i < ROOM; i++) {
    given[i] = (float)(x[i] + by * (draw() < 0 ? -1 : 1));
    off[i] = fabs(given[i] - x[i]);
  }
}

static double given_q[ROOM], given_k[ROOM], given_v[ROOM], given_g[ROOM];
static double off_q[ROOM], off_k[ROOM], off_v[ROOM], off_g[ROOM];

/* The same of inputs that are off, about the output of the exact ones: without their errors the bounds
 * are too small, with errors of 0 those of exact inputs. */
START_TEST(inputs_that_are_off_are_within_bounds)
{
  const shape s = {1, 1, 1, 5, 40, 8, _i % 2, 0};
  double e_y[ROOM], e_lse[ROOM], exact_y[ROOM], exact_lse[ROOM];
  static const double none[ROOM];
  int beyond = 0, beyond_lse = 0;
  inputs(&s, 60 + _i, 1);
  move_all(q, 1e-3, given_q, off_q), move_all(k, 1e-3, given_k, off_k);
  move_all(v, 1e-3, given_v, off_v);
  forward(&s);
  bound_sdpa(1, 1, 1, 5, 40, 8, s.causal, 0, q, k, v, mask, F32, exact_y, exact_lse);
  pair_sdpa(1, 1, 1, 5, 40, 8, s.causal, 0, q, k, v, 1, none, none, none, mask, F32, e_y, e_lse);
  for (int i = 0; i < 40; i++)
    ck_assert(e_y[i] == exact_y[i] && (i >= 5 || e_lse[i] == exact_lse[i]));
  pair_sdpa(1, 1, 1, 5, 40, 8, s.causal, 0, q, k, v, 1, off_q, off_k, off_v, mask, F32, e_y, e_lse);
  for (int i = 0; i < s.nq; i++) {
    float out[ROOM], log_sum;
    running_row(&s, given_q + i * 8, given_k, given_v, i, 1 + 3 * _i, out, &log_sum);
    for (int c = 0; c < 8; c++) {
      double error = fabs(out[c] - y[i * 8 + c]);
      ck_assert(error <= e_y[i * 8 + c] && e_y[i * 8 + c] < 0.1);
      beyond += error > exact_y[i * 8 + c];
    }
    ck_assert(fabs(log_sum - lse[i]) <= e_lse[i] && e_lse[i] < 0.1);
    beyond_lse += fabs(log_sum - lse[i]) > exact_lse[i];
  }
  ck_assert(beyond >= 20 && beyond_lse >= 2);
}
END_TEST

/* The bounds of the VJP are above what f64 gives in f32's place, rounded inputs in half. */
static float f_dq[ROOM], f_dk[ROOM], f_dv[ROOM];
static void vjp_in_f32(const shape *s, const double *cotangent)
{
  for (int i = 0; i < ROOM; i++)
    f_dq[i] = f_dk[i] = f_dv[i] = 0;
  for (int t = 0; t < 12; t++)
    for (int j = 0; j < 9; j++) {
      float dot = 0, pull = 0, delta = 0;
      if (!is_open(s, t % 6, j))
        continue;
      for (int c = 0; c < 4; c++) {
        dot += (float)q[t * 4 + c] * (float)k[j * 4 + c];
        pull += (float)cotangent[t * 4 + c] * (float)v[j * 4 + c];
        delta += (float)cotangent[t * 4 + c] * (float)y[t * 4 + c];
      }
      float p = exp2f((dot * 0.5f - (float)lse[t]) * 1.44269504f), ds = p * (pull - delta);
      for (int c = 0; c < 4; c++) {
        f_dq[t * 4 + c] += 0.5f * ds * (float)k[j * 4 + c];
        f_dk[j * 4 + c] += 0.5f * ds * (float)q[t * 4 + c];
        f_dv[j * 4 + c] += p * (float)cotangent[t * 4 + c];
      }
    }
}
/* how many of n cells are further than e from what they should be */
static int further(const float *f, const double *x, const double *e, int n)
{
  int far = 0;
  for (int i = 0; i < n; i++)
    far += !(fabs(f[i] - x[i]) <= e[i]);
  return far;
}
static double largest(const double *e, int n)
{
  double most = 0;
  for (int i = 0; i < n; i++)
    most = fmax(most, e[i]);
  return most;
}

START_TEST(vjp_in_f32_is_within_bounds)
{
  const shape s = {1, 2, 1, 6, 9, 4, _i % 2, 0};
  double e_dq[ROOM], e_dk[ROOM], e_dv[ROOM], e_q[ROOM], e_k[ROOM], e_v[ROOM];
  static const double none[ROOM];
  inputs(&s, 90 + _i, 1 + _i);
  move_all(g, 1e-3, given_g, off_g);
  round_all(q), round_all(k), round_all(v), round_all(g);
  forward(&s);
  round_all(y), round_all(lse);
  backward(&s);
  bound_sdpa_vjp(1, 2, 1, 6, 9, 4, s.causal, 0, q, k, v, mask, y, lse, g, F32, e_dq, e_dk, e_dv);
  vjp_in_f32(&s, g);
  ck_assert(!further(f_dq, dq, e_dq, 48) && !further(f_dk, dk, e_dk, 36));
  ck_assert(!further(f_dv, dv, e_dv, 36));
  ck_assert(largest(e_dq, 48) < 1e-2 && largest(e_dk, 36) < 1e-2 && largest(e_dv, 36) < 1e-2);
  pair_sdpa_vjp(1, 2, 1, 6, 9, 4, s.causal, 0, q, k, v, mask, y, lse, g, 1, none, F32, e_q, e_k,
                e_v);
  for (int i = 0; i < 48; i++)
    ck_assert(e_q[i] == e_dq[i] && (i >= 36 || (e_k[i] == e_dk[i] && e_v[i] == e_dv[i])));
  /* of a cotangent that is off: as those of inputs */
  for (int i = 0; i < ROOM; i++)
    off_g[i] = fabs(given_g[i] - g[i]);
  pair_sdpa_vjp(1, 2, 1, 6, 9, 4, s.causal, 0, q, k, v, mask, y, lse, g, 1, off_g, F32, e_q, e_k,
                e_v);
  vjp_in_f32(&s, given_g);
  ck_assert(!further(f_dq, dq, e_q, 48) && !further(f_dk, dk, e_k, 36) &&
            !further(f_dv, dv, e_v, 36));
  ck_assert(further(f_dq, dq, e_dq, 48) > 20 && further(f_dk, dk, e_dk, 36) > 15);
  ck_assert(further(f_dv, dv, e_dv, 36) > 15);
  ck_assert(largest(e_q, 48) < 0.2 && largest(e_k, 36) < 0.2 && largest(e_v, 36) < 0.2);
}
END_TEST

/* What cannot be known is vacuous, and what nothing is added to is exact. */
START_TEST(bounds_at_their_ends)
{
  shape s = {1, 1, 1, 2, 3, 2, 0, 1};
  double e_y[4], e_lse[2];
  inputs(&s, 1, 1);
  for (int j = 3; j < 6; j++)
    mask[j] = 0;
  bound_sdpa(1, 1, 1, 2, 3, 2, 0, 1, q, k, v, mask, F32, e_y, e_lse);
  ck_assert(e_y[0] == 0 && e_y[1] == 0 && e_y[2] > 0 && e_y[2] < 1e-3);
  q[2] = 1e30, k[0] = 1e30;
  bound_sdpa(1, 1, 1, 2, 3, 2, 0, 1, q, k, v, mask, F32, e_y, e_lse);
  ck_assert(e_y[0] == 0 && e_y[2] >= VACUOUS && e_lse[1] >= VACUOUS);
  /* an input of which nothing is known */
  inputs(&s, 1, 1);
  double off[8] = {0};
  off[1] = VACUOUS;
  pair_sdpa(1, 1, 1, 2, 3, 2, 0, 0, q, k, v, 1, off, off + 2, off + 2, mask, F32, e_y, e_lse);
  ck_assert(e_y[0] >= VACUOUS && e_lse[0] >= VACUOUS && e_y[2] < 1e-3 && e_lse[1] < 1e-3);
}
END_TEST

int main(void)
{
  TCase *c = tcase_create("attention");
  tcase_set_timeout(c, 60);
  tcase_add_loop_test(c, forward_is_the_textbooks, 0, N_SHAPES);
  tcase_add_loop_test(c, vjp_is_the_slope, 0, N_SHAPES);
  tcase_add_test(c, one_key_has_no_slope);
  tcase_add_test(c, blocked_keys_take_no_part);
  tcase_add_test(c, decoding_is_the_last_row);
  tcase_add_loop_test(c, running_softmax_is_within_bounds, 0, 8);
  tcase_add_loop_test(c, inputs_that_are_off_are_within_bounds, 0, 8);
  tcase_add_loop_test(c, vjp_in_f32_is_within_bounds, 0, 4);
  tcase_add_test(c, bounds_at_their_ends);
  Suite *s = suite_create("attention_ref");
  suite_add_tcase(s, c);
  return aid_main(s);
}
