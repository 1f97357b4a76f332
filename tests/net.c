#include "net.h"

#include <math.h>
#include <string.h>

enum { ROWS = 6, IN = 5, HIDDEN = 7, OUT = 3, WEIGHTS = NET_WEIGHTS };

static const int64_t SHAPE[WEIGHTS][2] = {{HIDDEN, IN}, {HIDDEN}, {OUT, HIDDEN}, {OUT}};

static void batch(int step, float *x, int64_t *y)
{
  for (int i = 0; i < ROWS * IN; i++)
    x[i] = sinf((float)(i * (step + 2)));
  for (int i = 0; i < ROWS; i++)
    y[i] = (i * 7 + step) % OUT;
}

void net_begin(net *k, pmr_context c)
{
  float x[ROWS * IN];
  int64_t y[ROWS];
  memset(k, 0, sizeof *k);
  k->c = c;
  batch(0, x, y);
  k->x = f32(k->c, x, 2, ROWS, IN);
  k->y = i64(k->c, y, ROWS);
  for (int i = 0; i < WEIGHTS; i++) {
    int rank = i % 2 ? 1 : 2;
    OK(pmr_randn(k->c, i + 1, rank, SHAPE[i], &k->w[i]));
    OK(pmr_zeros(k->c, rank, SHAPE[i], &k->m[i]));
    OK(pmr_zeros(k->c, rank, SHAPE[i], &k->v[i]));
    OK(pmr_requires_grad(k->w[i], 1));
  }
}

static double correction(double beta, int t) { return 1 / (1 - pow(beta, t)); }

void net_learn(net *k)
{
  k->t++;
  pmr_tensor h[3] = {NULL};
  OK(pmr_call(k->c, "linear", PMR_IN(k->x, k->w[0], k->w[1]), NULL, &h[0], 1));
  h[1] = op1(k->c, "gelu", h[0], NULL, NULL);
  OK(pmr_call(k->c, "linear", PMR_IN(h[1], k->w[2], k->w[3]), NULL, &h[2], 1));
  if (k->loss)
    OK(pmr_release(k->loss));
  k->loss = op1(k->c, "cross_entropy", h[2], k->y, NULL);
  OK(pmr_backward(k->loss, NULL));
  for (int i = 0; i < 3; i++)
    OK(pmr_release(h[i]));
  OK(pmr_no_grad(k->c, 1));
  for (int i = 0; i < WEIGHTS; i++) {
    pmr_tensor g, out[3] = {k->w[i], k->m[i], k->v[i]};
    OK(pmr_grad(k->w[i], &g));
    OK(pmr_call(
        k->c, "adamw_step", PMR_IN(k->w[i], g, k->m[i], k->v[i]),
        PMR_ATTRS({"lr", 0.01}, {"c1", correction(0.9, k->t)}, {"c2", correction(0.999, k->t)}),
        out, 3));
    OK(pmr_release(g));
    OK(pmr_zero_grad(k->w[i]));
  }
  OK(pmr_no_grad(k->c, 0));
}

void net_give(net *k, int number)
{
  float x[ROWS * IN];
  int64_t y[ROWS];
  batch(number, x, y);
  OK(pmr_put(k->x, PMR_F32, x, ROWS * IN));
  OK(pmr_put(k->y, PMR_I64, y, ROWS));
}

void net_end(net *k)
{
  OK(pmr_release(k->x));
  OK(pmr_release(k->y));
  OK(pmr_release(k->loss));
  for (int i = 0; i < WEIGHTS; i++) {
    OK(pmr_release(k->w[i]));
    OK(pmr_release(k->m[i]));
    OK(pmr_release(k->v[i]));
  }
  closed(k->c);
}

static void same_bits(pmr_tensor a, pmr_tensor b, int64_t n)
{
  float x[64], y[64];
  ck_assert_int_le(n, 64);
  OK(pmr_to_host(a, PMR_F32, x, n));
  OK(pmr_to_host(b, PMR_F32, y, n));
  ck_assert(memcmp(x, y, (size_t)n * sizeof *x) == 0);
}

void net_again(net *k, pmr_session s)
{
  k->t++;
  OK(pmr_session_attr(s, "adamw_step", "c1", correction(0.9, k->t)));
  OK(pmr_session_attr(s, "adamw_step", "c2", correction(0.999, k->t)));
  OK(pmr_session_run(s));
}

void net_same_loss(const net *a, const net *b) { same_bits(a->loss, b->loss, 1); }

void net_same(const net *a, const net *b)
{
  for (int i = 0; i < WEIGHTS; i++) {
    int64_t n = SHAPE[i][0] * (SHAPE[i][1] ? SHAPE[i][1] : 1);
    same_bits(a->w[i], b->w[i], n);
    same_bits(a->m[i], b->m[i], n);
    same_bits(a->v[i], b->v[i], n);
  }
}
