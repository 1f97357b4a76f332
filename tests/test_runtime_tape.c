/* The tape: what a sweep adds where, values that were spoilt, what is refused. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "runtime.h"

static pmr_tensor leaf(pmr_context c, const float *x, int n)
{
  pmr_tensor t = f32(c, x, 1, n);
  OK(pmr_requires_grad(t, 1));
  return t;
}

/* z = sum(a b + a a): da = b + 2 a, db = a; a stands in three places. */
START_TEST(an_operand_in_several_places)
{
  static const float a0[3] = {1, -2, 3}, b0[3] = {4, 5, 6};
  static const float da[3] = {6, 1, 12}, db[3] = {1, -2, 3};
  pmr_context c = opened(_i);
  pmr_tensor a = leaf(c, a0, 3), b = leaf(c, b0, 3), ab, aa, both, z;
  double value;
  ab = op1(c, "mul", a, b, NULL);
  aa = op1(c, "mul", a, a, NULL);
  both = op1(c, "add", ab, aa, NULL);
  z = op1(c, "sum", both, NULL, NULL);
  OK(pmr_item(z, &value));
  ck_assert(value == 4 - 10 + 18 + 1 + 4 + 9);
  OK(pmr_release(ab)); /* the tape has them */
  OK(pmr_release(aa));
  OK(pmr_release(both));
  OK(pmr_backward(z, NULL));
  grad_is(a, da, 3);
  grad_is(b, db, 3);
  OK(pmr_release(z));
  OK(pmr_free(a));
  OK(pmr_free(b));
  closed(c);
}
END_TEST

/* A second sweep adds again; what was handed out before stays. */
START_TEST(swept_twice)
{
  static const float a0[2] = {3, 5}, once[2] = {6, 10}, twice[2] = {12, 20};
  pmr_context c = opened(_i);
  pmr_tensor a = leaf(c, a0, 2), y = op1(c, "mul", a, a, NULL), z = op1(c, "sum", y, NULL, NULL);
  pmr_tensor g, again;
  OK(pmr_backward(z, NULL));
  OK(pmr_grad(a, &g));
  OK(pmr_grad(a, &again));
  ck_assert_ptr_eq(g, again);
  OK(pmr_backward(z, NULL));
  is(g, once, 2);
  grad_is(a, twice, 2);
  OK(pmr_zero_grad(a));
  is(g, once, 2);
  FAILS(PMR_GRADIENT, "none was swept to it", pmr_grad(a, &again));
  OK(pmr_backward(z, NULL));
  grad_is(a, once, 2);
  FAILS(PMR_IN_USE, "2 owners", pmr_free(g));
  OK(pmr_release(g));
  OK(pmr_free(g));
  OK(pmr_release(z));
  OK(pmr_release(y));
  OK(pmr_free(a));
  closed(c);
}
END_TEST

START_TEST(cotangents)
{
  static const float a0[2] = {3, 5}, g0[2] = {10, 100}, want[2] = {60, 1000};
  pmr_context c = opened(_i);
  pmr_tensor a = leaf(c, a0, 2), y = op1(c, "mul", a, a, NULL), g = f32(c, g0, 1, 2);
  pmr_tensor other = f32(c, g0, 2, 2, 1), got;
  FAILS(PMR_INVALID, "tensor has 2 elements: a cotangent", pmr_backward(y, NULL));
  FAILS(PMR_INVALID, "must be f32 and have the tensor's shape", pmr_backward(y, other));
  FAILS(PMR_GRADIENT, "keeps no gradient", pmr_backward(g, NULL));
  OK(pmr_backward(y, g));
  grad_is(a, want, 2);
  OK(pmr_zero_grad(a));
  OK(pmr_backward(a, g)); /* of itself, and not g's memory */
  OK(pmr_put(g, PMR_F32, a0, 2));
  grad_is(a, g0, 2);
  OK(pmr_grad(a, &got));
  FAILS(PMR_GRADIENT, "it keeps none", pmr_grad(y, &got));
  pmr_tensor all[] = {got, a, y, g, other};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    OK(pmr_release(all[i]));
  closed(c);
}
END_TEST

/* Views are on the tape; one is used after the handle of its base is gone. */
START_TEST(views)
{
  static const float x0[6] = {1, 2, 3, 4, 5, 6}, want[6] = {1, 1, 1 + 6, 1 + 8, 1, 1};
  pmr_context c = opened(_i);
  pmr_tensor x = f32(c, x0, 1, 6), m, row, sq, z, flat, s1, s2;
  OK(pmr_requires_grad(x, 1));
  OK(pmr_reshape(x, 2, (const int64_t[]){3, 2}, &m));
  OK(pmr_rows(m, 1, 1, &row));
  OK(pmr_release(m));
  OK(pmr_reshape(row, 1, (const int64_t[]){2}, &flat));
  OK(pmr_release(row));
  sq = op1(c, "mul", flat, flat, NULL);
  s1 = op1(c, "sum", sq, NULL, NULL);
  s2 = op1(c, "sum", x, NULL, NULL);
  z = op1(c, "add", s1, s2, NULL);
  OK(pmr_backward(z, NULL));
  grad_is(x, want, 6);
  FAILS(PMR_INVALID, "rows: 3 rows from row 4 on: tensor has 6", pmr_rows(x, 4, 3, &m));
  FAILS(PMR_INVALID, "from row -1", pmr_rows(x, -1, 1, &m));
  FAILS(PMR_INVALID, "from row 9223372036854775807", pmr_rows(x, INT64_MAX, INT64_MAX, &m));
  FAILS(PMR_INVALID, "is a scalar", pmr_rows(z, 0, 1, &m));
  FAILS(PMR_INVALID, "has 5 elements", pmr_reshape(x, 1, (const int64_t[]){5}, &m));
  FAILS(PMR_INVALID, "axis 0 is -1", pmr_reshape(x, 1, (const int64_t[]){-1}, &m));
  FAILS(PMR_INVALID, "rank is 9", pmr_reshape(x, 9, (const int64_t[9]){0}, &m));
  pmr_tensor all[] = {x, flat, sq, z, s1, s2};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    OK(pmr_release(all[i]));
  closed(c);
}
END_TEST

/* A value that a VJP needs was written in place: refused, and no gradient changes. What it does not
 * need may be written. */
START_TEST(spoilt_in_place)
{
  static const float a0[2] = {3, 5}, b0[2] = {7, 11}, ones[2] = {1, 1};
  pmr_context c = opened(_i);
  pmr_tensor a = leaf(c, a0, 2), b = f32(c, b0, 1, 2), y, z, s;
  pmr_buffer raw;
  FAILS(PMR_GRADIENT, "put: tensor would be written in place, and keeps gradients",
        pmr_put(a, PMR_F32, b0, 2));
  y = op1(c, "mul", a, b, NULL);
  s = op1(c, "add", a, b, NULL);
  z = op1(c, "sum", y, NULL, NULL);
  FAILS(PMR_GRADIENT, "is on the tape as made by mul", pmr_put(y, PMR_F32, b0, 2));
  OK(pmr_put(b, PMR_F32, a0, 2));
  FAILS(PMR_GRADIENT, "its VJP needs b as it was", pmr_backward(z, NULL));
  FAILS(PMR_GRADIENT, "mul (tests/runtime.c:", pmr_backward(z, NULL));
  pmr_tensor late = op1(c, "sum", a, NULL, NULL), both = op1(c, "add", z, late, NULL), none;
  FAILS(PMR_GRADIENT, "needs b as it was", pmr_backward(both, NULL)); /* late's share was there */
  FAILS(PMR_GRADIENT, "none was swept", pmr_grad(a, &none));
  OK(pmr_release(late));
  OK(pmr_release(both));
  OK(pmr_backward(s, y)); /* add needs neither */
  OK(pmr_zero_grad(a));
  OK(pmr_release(y));
  OK(pmr_release(z));
  y = op1(c, "exp", a, NULL, NULL); /* needs its own result */
  OK(pmr_to_buffer(y, &raw));
  OK(pmr_buffer_zero(raw));
  z = op1(c, "sum", y, NULL, NULL);
  FAILS(PMR_GRADIENT, "needs y as it was", pmr_backward(z, NULL));
  OK(pmr_release(z));
  OK(pmr_release(y));
  y = op1(c, "mul", a, a, NULL);
  z = op1(c, "sum", y, NULL, NULL);
  pmr_tensor step = a;
  OK(pmr_no_grad(c, 1));
  OK(pmr_call(c, "sgd_step", PMR_IN(a, b), NULL, &step, 1));
  FAILS(PMR_GRADIENT, "needs a as it was", pmr_backward(z, NULL));
  OK(pmr_put(a, PMR_F32, ones, 2));
  OK(pmr_no_grad(c, 0));
  is(a, ones, 2);
  OK(pmr_buffer_release(raw));
  pmr_tensor all[] = {a, b, y, z, s};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    OK(pmr_release(all[i]));
  closed(c);
}
END_TEST

START_TEST(no_gradient)
{
  static const float x0[4] = {1, 2, 3, 4}, ones[2] = {1, 1}, none[2] = {0, 0};
  static const int64_t index[2] = {0, 1};
  pmr_context c = opened(_i);
  pmr_tensor x = f32(c, x0, 2, 2, 2), g = f32(c, ones, 1, 2), b = f32(c, none, 1, 2), y[3] = {NULL};
  pmr_tensor t = i64(c, index, 2), z = NULL, loose, two[2] = {NULL};
  OK(pmr_requires_grad(x, 1));
  FAILS(PMR_GRADIENT, "cross_entropy_grad has no VJP",
        pmr_call(c, "cross_entropy_grad", PMR_IN(x, t), NULL, two, 2));
  FAILS(PMR_GRADIENT, "softmax_vjp has no VJP",
        pmr_call(c, "softmax_vjp", PMR_IN(x, x), NULL, &z, 1));
  FAILS(PMR_GRADIENT, "no gradient to mask",
        pmr_call(c, "masked_softmax", PMR_IN(x, x), NULL, &z, 1));
  FAILS(PMR_GRADIENT, "tensor is i64, must be f32", pmr_requires_grad(t, 1));
  OK(pmr_call(c, "layer_norm", PMR_IN(x, g, b), NULL, y, 3));
  FAILS(PMR_GRADIENT, "a is output 1 of layer_norm (tests/test_runtime_tape.c:",
        pmr_call(c, "mul", PMR_IN(y[1], y[1]), NULL, &z, 1));
  FAILS(PMR_GRADIENT, "tensor is output 2 of layer_norm", pmr_backward(y[2], y[1]));
  FAILS(PMR_GRADIENT, "was made by layer_norm", pmr_requires_grad(y[0], 1));
  OK(pmr_detach(y[1], &loose));
  OK(pmr_call(c, "mul", PMR_IN(loose, loose), NULL, &z, 1));
  FAILS(PMR_GRADIENT, "keeps no gradient", pmr_backward(z, loose));
  OK(pmr_no_grad(c, 1));
  OK(pmr_no_grad(c, 1));
  OK(pmr_no_grad(c, 0));
  OK(pmr_call(c, "cross_entropy_grad", PMR_IN(x, t), NULL, two, 2));
  FAILS(PMR_GRADIENT, "keeps no gradient", pmr_backward(two[0], NULL));
  OK(pmr_no_grad(c, 0));
  FAILS(PMR_INVALID, "no_grad: it is off", pmr_no_grad(c, 0));
  pmr_tensor out = two[1];
  FAILS(PMR_GRADIENT, "y is given to be written", pmr_call(c, "relu", PMR_IN(x), NULL, &out, 1));
  OK(pmr_requires_grad(x, 0));
  OK(pmr_call(c, "relu", PMR_IN(x), NULL, &out, 1));
  pmr_tensor all[] = {x, g, b, y[0], y[1], y[2], t, z, loose, two[0], two[1]};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    OK(pmr_release(all[i]));
  closed(c);
}
END_TEST

/* What the tape needs is not freed; what was released by its owner lives on it. */
START_TEST(freed_and_needed)
{
  static const float a0[2] = {3, 5}, want[2] = {6, 10};
  pmr_context c = opened(_i);
  pmr_tensor a = leaf(c, a0, 2), y = op1(c, "mul", a, a, NULL), z = op1(c, "sum", y, NULL, NULL), k;
  FAILS(PMR_IN_USE, "in use", pmr_free(a));
  OK(pmr_backward(z, NULL));
  OK(pmr_grad(a, &k));
  OK(pmr_release(a));
  is(k, want, 2);
  FAILS(PMR_IN_USE, "in use", pmr_free(k)); /* a has it yet, and z a */
  OK(pmr_release(k));
  FAILS(PMR_HANDLE, "no such handle", pmr_backward(a, NULL));
  OK(pmr_release(z));
  OK(pmr_release(y));
  closed(c);
}
END_TEST

/* A hundred thousand calls, one upon the other: no recursion, in the sweep or when it is freed. */
static void *long_tape(void *context)
{
  enum { LONG = 100000 };
  static const float one[1] = {1};
  pmr_context c = context;
  pmr_tensor x = leaf(c, one, 1), y = x;
  for (int i = 0; i < LONG; i++) {
    pmr_tensor next = NULL;
    ck_assert_int_eq(pmr_call(c, "neg", PMR_IN(y), NULL, &next, 1), PMR_OK);
    if (y != x)
      ck_assert_int_eq(pmr_release(y), PMR_OK);
    y = next;
  }
  OK(pmr_backward(y, NULL));
  grad_is(x, one, 1);
  OK(pmr_release(y));
  OK(pmr_free(x));
  return NULL;
}

/* On a stack that has no room for them all. */
START_TEST(a_long_tape)
{
  pmr_context c = opened(0);
  pthread_attr_t small;
  pthread_t id;
  ck_assert_int_eq(pthread_attr_init(&small), 0);
  ck_assert_int_eq(pthread_attr_setstacksize(&small, 1 << 18), 0);
  ck_assert_int_eq(pthread_create(&id, &small, long_tape, c), 0);
  pthread_join(id, NULL);
  pthread_attr_destroy(&small);
  closed(c);
}
END_TEST

/* A layer with everything that a training step has, to be run on each back end: linear, gelu, norm,
 * cross entropy, AdamW. The losses of ref and sim agree, and go down. */
static void train(int backend, double *loss, int steps)
{
  pmr_context c = opened(backend);
  pmr_tensor w, v, b, gamma, beta, x, t, m[2], s[2];
  static int64_t label[8];
  for (int i = 0; i < 8; i++)
    label[i] = i % 3;
  OK(pmr_randn(c, 1, 2, (const int64_t[]){8, 5}, &x));
  OK(pmr_randn(c, 2, 2, (const int64_t[]){6, 5}, &w));
  OK(pmr_randn(c, 3, 2, (const int64_t[]){3, 6}, &v));
  OK(pmr_zeros(c, 1, (const int64_t[]){6}, &b));
  OK(pmr_ones(c, 1, (const int64_t[]){6}, &gamma));
  OK(pmr_zeros(c, 1, (const int64_t[]){6}, &beta));
  t = i64(c, label, 8);
  pmr_tensor weight[2] = {w, v};
  for (int k = 0; k < 2; k++) {
    OK(pmr_requires_grad(weight[k], 1));
    OK(pmr_zeros(c, 1, (const int64_t[]){k ? 18 : 30}, &m[k]));
    OK(pmr_zeros(c, 1, (const int64_t[]){k ? 18 : 30}, &s[k]));
  }
  for (int i = 0; i < steps; i++) {
    pmr_tensor h = NULL, g, n = NULL, y = NULL, z;
    OK(pmr_call(c, "linear", PMR_IN(x, w, b), NULL, &h, 1));
    g = op1(c, "gelu", h, NULL, NULL);
    OK(pmr_call(c, "layer_norm", PMR_IN(g, gamma, beta), NULL, &n, 1));
    OK(pmr_call(c, "matmul", PMR_IN(n, v), PMR_ATTRS({"tb", 1}), &y, 1));
    z = op1(c, "cross_entropy", y, t, NULL);
    OK(pmr_item(z, &loss[i]));
    OK(pmr_backward(z, NULL));
    OK(pmr_no_grad(c, 1));
    for (int k = 0; k < 2; k++) {
      pmr_tensor d, out[3], p, flat;
      OK(pmr_grad(weight[k], &d));
      OK(pmr_reshape(weight[k], 1, (const int64_t[]){k ? 18 : 30}, &p));
      OK(pmr_reshape(d, 1, (const int64_t[]){k ? 18 : 30}, &flat));
      out[0] = p, out[1] = m[k], out[2] = s[k];
      OK(pmr_call(c, "adamw_step", PMR_IN(p, flat, m[k], s[k]),
                  PMR_ATTRS({"lr", 0.05}, {"c1", 1 / (1 - pow(0.9, i + 1))},
                            {"c2", 1 / (1 - pow(0.999, i + 1))}),
                  out, 3));
      OK(pmr_zero_grad(weight[k]));
      OK(pmr_release(d));
      OK(pmr_release(p));
      OK(pmr_release(flat));
    }
    OK(pmr_no_grad(c, 0));
    pmr_tensor gone[] = {h, g, n, y, z};
    for (size_t k = 0; k < sizeof gone / sizeof *gone; k++)
      OK(pmr_release(gone[k]));
  }
  pmr_tensor all[] = {w, v, b, gamma, beta, x, t, m[0], m[1], s[0], s[1]};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    OK(pmr_release(all[k]));
  closed(c);
}

START_TEST(a_model_learns)
{
  enum { STEPS = 20 };
  double ref[STEPS], sim[STEPS], both[STEPS];
  train(0, ref, STEPS);
  train(1, sim, STEPS);
  train(2, both, STEPS);
  ck_assert(ref[STEPS - 1] < 0.5 * ref[0]);
  for (int i = 0; i < STEPS; i++) {
    ck_assert_msg(fabs(ref[i] - sim[i]) < 1e-3 * ref[0], "step %d: %g and %g", i, ref[i], sim[i]);
    ck_assert(sim[i] == both[i]); /* to be watched changes no bit */
  }
}
END_TEST

/* ---- threads, each with a context of its own, and all with one ---- */

typedef struct job {
  pmr_context c;
  int bad;
} job;

static void *sweeps(void *arg)
{
  job *j = arg;
  static const float x0[2] = {1, 2};
  const int64_t n = 2;
  for (int i = 0; i < 60; i++) {
    pmr_tensor x = NULL, y = NULL, z = NULL, g = NULL;
    float got[2] = {0, 0};
    j->bad |= pmr_from_host(j->c, PMR_F32, 1, &n, x0, &x) || pmr_requires_grad(x, 1) ||
              pmr_call(j->c, "mul", PMR_IN(x, x), NULL, &y, 1) ||
              pmr_call(j->c, "sum", PMR_IN(y), NULL, &z, 1) || pmr_backward(z, NULL) ||
              pmr_grad(x, &g) || pmr_to_host(g, PMR_F32, got, 2) || got[1] != 4 || pmr_release(x) ||
              pmr_release(y) || pmr_release(z) || pmr_release(g);
  }
  return NULL;
}

START_TEST(threads)
{
  enum { N = 6 };
  pthread_t id[N];
  job j[N];
  for (int shared = 0; shared < 2; shared++) {
    pmr_context c = opened(_i);
    for (int i = 0; i < N; i++) {
      j[i] = (job){.c = shared ? c : opened(i % N_BACKENDS)};
      ck_assert_int_eq(pthread_create(&id[i], NULL, sweeps, &j[i]), 0);
    }
    for (int i = 0; i < N; i++) {
      pthread_join(id[i], NULL);
      ck_assert_int_eq(j[i].bad, 0);
      if (!shared)
        closed(j[i].c);
    }
    closed(c);
  }
}
END_TEST

/* ---- no memory ---- */

static pmr_status work(pmr_context c)
{
  static const float x0[4] = {1, 2, 3, 4};
  static const int64_t shape[2] = {2, 2}, four = 4;
  pmr_tensor x = NULL, y = NULL, n = NULL, z = NULL, g = NULL, r = NULL, k = NULL;
  pmr_status s = pmr_from_host(c, PMR_F32, 2, shape, x0, &x);
  s = s ? s : pmr_requires_grad(x, 1);
  s = s ? s : pmr_call(c, "softmax", PMR_IN(x), NULL, &y, 1);
  s = s ? s : pmr_call(c, "mul", PMR_IN(y, x), NULL, &n, 1);
  s = s ? s : pmr_reshape(n, 1, &four, &r);
  s = s ? s : pmr_rows(r, 1, 2, &k);
  s = s ? s : pmr_call(c, "sum", PMR_IN(k), NULL, &z, 1);
  s = s ? s : pmr_backward(z, NULL);
  s = s ? s : pmr_grad(x, &g);
  pmr_tensor all[] = {x, y, n, z, g, r, k};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] && pmr_release(all[i]))
      return PMR_HANDLE;
  return s;
}

START_TEST(no_memory) { no_memory_anywhere(_i, work); }
END_TEST

int main(void)
{
  Suite *s = suite_create("runtime_tape");
  TCase *t = tcase_create("tape");
  tcase_set_timeout(t, 120);
  suite_add_tcase(s, t);
  tcase_add_loop_test(t, an_operand_in_several_places, 0, N_BACKENDS);
  tcase_add_loop_test(t, swept_twice, 0, N_BACKENDS);
  tcase_add_loop_test(t, cotangents, 0, N_BACKENDS);
  tcase_add_loop_test(t, views, 0, N_BACKENDS);
  tcase_add_loop_test(t, spoilt_in_place, 0, N_BACKENDS);
  tcase_add_loop_test(t, no_gradient, 0, N_BACKENDS);
  tcase_add_loop_test(t, freed_and_needed, 0, N_BACKENDS);
  tcase_add_test(t, a_long_tape);
  tcase_add_test(t, a_model_learns);
  tcase_add_loop_test(t, threads, 0, N_BACKENDS);
  tcase_add_loop_test(t, no_memory, 0, N_BACKENDS);
  return aid_main(s);
}
