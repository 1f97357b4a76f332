/* Rounding to the end of a graph: against what it comes to on paper, against kernels that are right and one that is
 * not, and what is refused. */
#include <math.h>
#include <string.h>

#include "../runtime/internal.h"
#include "runtime.h"

#define U 0x1p-24

static const float X[4] = {1, -2, 3, 0.5f}, Y[4] = {0.1f, 0.7f, -1.3f, 2};

static void near(double got, double want)
{
  ck_assert_msg(fabs(got - want) <= 1e-4 * want, "%.9g, not %.9g", got, want);
}

static pmr_context keeping(int backend)
{
  pmr_context c = opened(backend);
  OK(pmr_keep_inputs(c, 1));
  return c;
}

static pmr_tensor leaf(pmr_context c, const float *x, int rank, int rows, int cols)
{
  pmr_tensor t = rank == 1 ? f32(c, x, 1, rows) : f32(c, x, 2, rows, cols);
  OK(pmr_requires_grad(t, 1));
  return t;
}

/* 2 x / 3 y, one by one: y = c x, z = y w, s = z0 + z1 + z2 + z3. Roundings of y count times w, those of z once; the
 * sum has three additions, of whatever order, and the reference one. */
START_TEST(a_chain)
{
  const double third = (double)(1.0f / 3);
  double y = 0, z = 0, all = 0;
  for (int i = 0; i < 4; i++) {
    const double one = fabs(third * (double)X[i] * (double)Y[i]);
    y += U * one;
    z += U * one;
    all += third * (double)X[i] * (double)Y[i];
  }
  for (int b = 0; b < N_BACKENDS; b++) {
    pmr_context c = keeping(b);
    pmr_tensor x = leaf(c, X, 1, 4, 0), w = leaf(c, Y, 1, 4, 0), g = NULL;
    pmr_tensor p = op1(c, "scale", x, NULL, PMR_ATTRS({"c", third}));
    pmr_tensor q = op1(c, "mul", p, w, NULL), s = op1(c, "sum", q, NULL, NULL);
    pmr_propagated r;
    OK(pmr_error_bound(s, "ieee,height=3", &r));
    near(r.device, y + z + 3 * z);
    near(r.reference, y + z + U * fabs(all));
    ck_assert_int_eq(r.calls, 3);
    ck_assert_int_eq(r.elements, 9);
    ck_assert_int_eq(r.unbounded, 0);
    ck_assert_str_eq(r.op, "sum");
    near(r.share, 3 * z);
    OK(pmr_error_bound(s, "ieee,height=1", &r));
    near(r.device, y + z + z);
    FAILS(PMR_GRADIENT, "no gradient", pmr_grad(x, &g)); /* as it was */
    OK(pmr_release(p));
    OK(pmr_release(q));
    OK(pmr_release(s));
    OK(pmr_release(x));
    OK(pmr_release(w));
    closed(c);
  }
}
END_TEST

/* A sum used twice, through a view, a matrix product and an addition. */
START_TEST(a_product)
{
  pmr_context c = keeping(0);
  pmr_tensor a = leaf(c, X, 2, 1, 4), b = leaf(c, Y, 2, 4, 1), v = NULL;
  pmr_tensor y = op1(c, "matmul", a, b, NULL);
  OK(pmr_reshape(y, 1, (const int64_t[]){1}, &v));
  pmr_tensor z = op1(c, "add", v, v, NULL), m = op1(c, "mul", z, z, NULL);
  pmr_propagated r;
  double dot = 0, terms = 0;
  for (int i = 0; i < 4; i++) {
    dot += (double)X[i] * (double)Y[i];
    terms += fabs((double)X[i] * (double)Y[i]);
  }
  OK(pmr_error_bound(m, "ieee,height=3", &r)); /* (2 dot)^2: of y 8 dot counts, of z 4 dot */
  near(r.device,
       8 * fabs(dot) * 4 * U * terms + 4 * fabs(dot) * U * 2 * fabs(dot) + U * 4 * dot * dot);
  near(r.reference, U * (8 * dot * dot + 8 * dot * dot + 4 * dot * dot));
  ck_assert_int_eq(r.calls, 4);
  OK(pmr_release(a));
  OK(pmr_release(b));
  OK(pmr_release(v));
  OK(pmr_release(y));
  OK(pmr_release(z));
  OK(pmr_release(m));
  closed(c);
}
END_TEST

/* ---- a kernel that is right, and one that is not ---- */

static pm_backend faulty;
static float by; /* what the kernel's first element is off by */
static pm_status wrong_gelu(pm_exec *ex, int64_t n, const float *a, float *y)
{
  pm_status s = pm_sim.gelu(ex, n, a, y);
  if (s == PM_OK && n)
    y[0] += by;
  return s;
}

static double run(pmr_context c, pmr_propagated *r)
{
  pmr_tensor x = leaf(c, X, 2, 2, 2), w = leaf(c, Y, 2, 2, 2);
  pmr_tensor y = op1(c, "matmul", x, w, NULL), z = op1(c, "gelu", y, NULL, NULL);
  pmr_tensor s = op1(c, "mean", z, NULL, NULL);
  double value;
  OK(pmr_item(s, &value));
  OK(pmr_error_bound(s, NULL, r));
  OK(pmr_release(x));
  OK(pmr_release(w));
  OK(pmr_release(y));
  OK(pmr_release(z));
  OK(pmr_release(s));
  return value;
}

START_TEST(right_and_wrong)
{
  pmr_propagated r, own;
  pmr_context ref = keeping(0), h = keeping(1);
  context *c;
  faulty = pm_sim;
  faulty.gelu = wrong_gelu;
  OK(in_begin(h, &c));
  c->device = &faulty;
  in_end(c, PMR_OK);
  const double want = run(ref, &r), most = r.device + r.reference;
  by = 0;
  ck_assert(fabs(run(h, &own) - want) <= most);
  near(own.device, r.device);
  ck_assert(most > 0 && most < 1e-5);
  by = (float)(8 * most); /* a quarter of it comes to the mean */
  ck_assert(fabs(run(h, &own) - want) > most);
  closed(ref);
  closed(h);
}
END_TEST

/* ---- variants of other arithmetic ---- */

static int64_t format[2]; /* that each of two variants of matmul rounds its factors to */
static double height[2];  /* of its sums */
static void put(int which, pm_arith *out)
{
  out->product = format[which];
  out->height[0] = height[which];
}
static void declare_one(const int64_t *size, pm_arith *out) { put(0 * (int)size[0], out); }
static void declare_other(const int64_t *size, pm_arith *out) { put(1 + 0 * (int)size[0], out); }

/* The mean of a product of two matrices. */
static double of_two(pmr_context c, int64_t f, double h, int64_t g, double i)
{
  static const float many[16] = {1, -2, 3, 0.5f, 0.1f, 0.7f, -1.3f, 2, 1, 1, 5, -4, 9, 8, 0, 2};
  pmr_tensor x = leaf(c, many, 2, 4, 4), w = leaf(c, many, 2, 4, 4);
  pmr_tensor y = op1(c, "matmul", x, w, NULL), m = op1(c, "mean", y, NULL, NULL);
  pmr_propagated r;
  format[0] = f, height[0] = h, format[1] = g, height[1] = i;
  OK(pmr_error_bound(m, NULL, &r));
  OK(pmr_release(x));
  OK(pmr_release(w));
  OK(pmr_release(y));
  OK(pmr_release(m));
  return r.device;
}

/* Whichever runs, the bound holds of it: of each alone the larger, where they round alike that of the larger of all
 * that they declare, and as much in whichever order the table has them. */
START_TEST(either_may_run)
{
  static pm_kernel rows[512];
  static pm_backend two;
  pmr_context h = keeping(1);
  context *c;
  int found = 0;
  two = pm_sim;
  ck_assert_int_le(two.n_kernels, 512);
  memcpy(rows, two.kernels, (size_t)two.n_kernels * sizeof *rows);
  for (int i = 0; i < two.n_kernels; i++)
    if (strcmp(rows[i].op, "matmul") == 0 && strncmp(rows[i].variant, "tile", 4) == 0) {
      ck_assert_int_lt(found, 2); /* the third, a vector's, is not for these */
      rows[i].declare = found++ ? declare_other : declare_one;
    }
  ck_assert_int_eq(found, 2);
  two.kernels = rows;
  OK(in_begin(h, &c));
  c->device = &two;
  in_end(c, PMR_OK);
  double alone[PM_N_FORMATS];
  for (int f = 0; f < PM_N_FORMATS; f++)
    alone[f] = of_two(h, f, 3, f, 3);
  ck_assert(alone[PM_TF32] > 50 * alone[PM_F32] && alone[PM_BF16] > 3 * alone[PM_TF32]);
  ck_assert(alone[PM_F16] > 50 * alone[PM_F32]);
  for (int f = 0; f < PM_N_FORMATS; f++)
    for (int g = 0; g < PM_N_FORMATS; g++)
      ck_assert_msg(of_two(h, f, 3, g, 3) == fmax(alone[f], alone[g]),
                    "%d and %d: %g, not %g or %g", f, g, of_two(h, f, 3, g, 3), alone[f], alone[g]);
  ck_assert(of_two(h, PM_BF16, 0, PM_BF16, 3) == alone[PM_BF16]);
  ck_assert(of_two(h, PM_BF16, 3, PM_BF16, 0) == alone[PM_BF16]);
  ck_assert(of_two(h, PM_BF16, 0, PM_BF16, 0) < alone[PM_BF16]);
  closed(h);
}
END_TEST

START_TEST(refused)
{
  pmr_context c = keeping(0);
  pmr_tensor x = leaf(c, X, 1, 4, 0), k = f32(c, Y, 1, 4);
  pmr_tensor y = op1(c, "add", x, k, NULL), s = op1(c, "sum", y, NULL, NULL);
  pmr_propagated r = {.calls = 77};
  FAILS(PMR_INVALID, "has 4 elements, must have 1", pmr_error_bound(y, NULL, &r));
  FAILS(PMR_INVALID, "out is NULL", pmr_error_bound(s, NULL, NULL));
  FAILS(PMR_INVALID, "arith", pmr_error_bound(s, "ieee,hight=3", &r));
  FAILS(PMR_HANDLE, "NULL", pmr_error_bound(NULL, NULL, &r));
  OK(pmr_session_begin(c));
  FAILS(PMR_IN_USE, "steps are written down", pmr_error_bound(s, NULL, &r));
  OK(pmr_session_end(c, NULL));
  OK(pmr_put(k, PMR_F32, X, 4)); /* which no VJP reads, and the bound does */
  FAILS(PMR_GRADIENT, "needs b as it was", pmr_error_bound(s, NULL, &r));
  ck_assert_int_eq(r.calls, 77);
  OK(pmr_backward(s, NULL));
  OK(pmr_release(x));
  OK(pmr_release(k));
  OK(pmr_release(y));
  OK(pmr_release(s));
  closed(c);
}
END_TEST

/* Unless it is asked for, a call holds no more than its VJP reads. */
START_TEST(not_held)
{
  pmr_context c = opened(0);
  pmr_tensor x = leaf(c, X, 1, 4, 0), k = f32(c, Y, 1, 4), t[2][2];
  pmr_propagated r;
  for (int keep = 0; keep < 2; keep++) {
    OK(pmr_keep_inputs(c, keep));
    t[keep][0] = op1(c, "add", x, k, NULL);
    t[keep][1] = op1(c, "sum", t[keep][0], NULL, NULL);
  }
  FAILS(PMR_GRADIENT, "does not hold: pmr_keep_inputs", pmr_error_bound(t[0][1], NULL, &r));
  OK(pmr_error_bound(t[1][1], NULL, &r));
  ck_assert_int_eq(r.calls, 2);
  FAILS(PMR_HANDLE, "NULL", pmr_keep_inputs(NULL, 1));
  for (int i = 0; i < 4; i++)
    OK(pmr_release(t[i / 2][i % 2]));
  OK(pmr_release(x));
  OK(pmr_release(k));
  closed(c);
}
END_TEST

static pmr_status work(pmr_context c)
{
  static const int64_t four = 4;
  pmr_tensor x = NULL, y = NULL, z = NULL;
  pmr_propagated r;
  pmr_status s = pmr_keep_inputs(c, 1);
  s = s ? s : pmr_from_host(c, PMR_F32, 1, &four, X, &x);
  s = s ? s : pmr_requires_grad(x, 1);
  s = s ? s : pmr_call(c, "gelu", PMR_IN(x), NULL, &y, 1);
  s = s ? s : pmr_call(c, "sum", PMR_IN(y), NULL, &z, 1);
  s = s ? s : pmr_error_bound(z, NULL, &r);
  if ((x && pmr_release(x)) || (y && pmr_release(y)) || (z && pmr_release(z)))
    return PMR_HANDLE;
  return s;
}

START_TEST(no_memory) { no_memory_anywhere(_i, work); }
END_TEST

int main(void)
{
  Suite *s = suite_create("runtime_bound");
  TCase *t = tcase_create("bound");
  tcase_set_timeout(t, 60);
  suite_add_tcase(s, t);
  tcase_add_test(t, a_chain);
  tcase_add_test(t, a_product);
  tcase_add_test(t, right_and_wrong);
  tcase_add_test(t, either_may_run);
  tcase_add_test(t, refused);
  tcase_add_test(t, not_held);
  tcase_add_loop_test(t, no_memory, 0, N_BACKENDS);
  return aid_main(s);
}
