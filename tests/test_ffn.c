/* ffn on the simulator: it is matmul, gelu, matmul to the bit, and its gradient theirs; empty dims,
 * what is not finite, and what is refused. What holds of every op's arguments is in test_launch.c. */
#include "device.h"

#include <math.h>
#include <string.h>

typedef struct dims {
  int rows, in, hidden, out;
} dims;

static void same(dims d, const char *ran, const char *name, const float *got, const float *want,
                 int n)
{
  for (int i = 0; i < n; i++)
    ck_assert_msg(memcmp(got + i, want + i, sizeof *got) == 0,
                  "%d x %d x %d x %d, %s: %s[%d] = %a, must be %a", d.rows, d.in, d.hidden, d.out,
                  ran, name, i, (double)got[i], (double)want[i]);
  ck_assert(poisoned(got + n, 1));
}

/* Arrays of a call: tensors that end with poison, all of them freed together. */
enum { MOST = 16 };
typedef struct arrays {
  float *p[MOST];
  int n;
} arrays;

static float *keep(arrays *a, float *p) { return a->p[a->n++] = p; }
static float *out_of(arrays *a, int n) { return keep(a, filled(n + 1, POISON)); }
static void drop(arrays *a)
{
  for (int i = 0; i < a->n; i++)
    pm_sim.free(a->p[i]);
}

/* The op, and its gradient with = and +=, are those of the ops that they are made of. */
static void composed(dims d, const char *variant)
{
  const int nh = d.rows * d.in, n1 = d.in * d.hidden, n2 = d.hidden * d.out, nu = d.rows * d.hidden,
            ny = d.rows * d.out;
  arrays k = {.n = 0}, t = {.n = 0};
  float *h = keep(&k, numbered(nh, 1)), *w1 = keep(&k, numbered(n1, 5)),
        *w2 = keep(&k, numbered(n2, 9)), *g = keep(&k, numbered(ny, 3));
  for (int i = 0; i < n1; i++)
    w1[i] /= 64; /* so that gelu is neither 0 nor its argument */
  float *y = out_of(&k, ny), *u = out_of(&k, nu), *a = out_of(&k, nu), *wy = out_of(&k, ny),
        *wu = out_of(&k, nu), *wa = out_of(&k, nu);
  pm_exec ex = {.variant = variant}, any = {.variant = NULL};
  done(pm_sim.ffn(&ex, d.rows, d.in, d.hidden, d.out, h, w1, w2, y, u, a));
  done(pm_sim.matmul(&any, d.rows, d.in, d.hidden, 0, 0, 1, h, w1, wu));
  done(pm_sim.gelu(&any, nu, wu, wa));
  done(pm_sim.matmul(&any, d.rows, d.hidden, d.out, 0, 0, 1, wa, w2, wy));
  same(d, ex.ran, "u", u, wu, nu);
  same(d, ex.ran, "a", a, wa, nu);
  same(d, ex.ran, "y", y, wy, ny);
  float *dh = out_of(&t, nh), *dw1 = out_of(&t, n1), *dw2 = out_of(&t, n2), *wh = out_of(&t, nh),
        *w1s = out_of(&t, n1), *w2s = out_of(&t, n2), *fresh = out_of(&t, n2), *da = out_of(&t, nu),
        *du = out_of(&t, nu);
  const int64_t size[] = {d.rows, d.in, d.hidden, d.out};
  ex.work_bytes = pm_sim.workspace("ffn_vjp", size);
  ex.work = keep(&t, filled((int)(ex.work_bytes / sizeof(float)) + 1, NAN));
  for (int add = 0; add < 2; add++) {
    done(pm_sim.ffn_vjp(&ex, add, d.rows, d.in, d.hidden, d.out, h, w1, w2, u, a, g, dh, dw1, dw2));
    done(pm_sim.matmul_vjp(&any, 0, d.rows, d.hidden, d.out, 0, 0, 1, a, w2, g, da, fresh));
    done(pm_sim.gelu_vjp(&any, 0, nu, u, da, du));
    done(pm_sim.matmul_vjp(&any, add, d.rows, d.in, d.hidden, 0, 0, 1, h, w1, du, wh, w1s));
    for (int i = 0; i < n2; i++)
      w2s[i] = add ? w2s[i] + fresh[i] : fresh[i];
    same(d, ex.ran, "dh", dh, wh, nh);
    same(d, ex.ran, "dw1", dw1, w1s, n1);
    same(d, ex.ran, "dw2", dw2, w2s, n2);
  }
  drop(&k);
  drop(&t);
}

START_TEST(as_its_parts)
{
  static const dims size[] = {{1, 1, 1, 1},    {1, 67, 31, 5},   {7, 13, 1, 3},   {3, 5, 9, 1},
                              {1, 64, 64, 32}, {8, 64, 32, 4},   {9, 65, 33, 17}, {16, 36, 32, 8},
                              {41, 33, 31, 2}, {65, 20, 68, 36}, {5, 0, 3, 2},    {2, 3, 0, 4},
                              {3, 2, 4, 0}};
  for (size_t i = 0; i < sizeof size / sizeof *size; i++)
    composed(size[i], NULL);
  composed((dims){132, 20, 124, 8}, "tile128");
}
END_TEST

/* One row, one hidden unit: y = gelu(h w1) w2. */
START_TEST(by_hand)
{
  device d = device_begin();
  float h = 1, w1 = 20, w2 = 3, g = 2;
  done(pm_sim.ffn(&d.ex, 1, 1, 1, 1, &h, &w1, &w2, d.y, d.y + 1, d.y + 2));
  ck_assert(device_is(d.y, 3, (float[]){60, 20, 20})); /* from 10 on gelu is its argument */
  done(pm_sim.ffn_vjp(&d.ex, 0, 1, 1, 1, 1, &h, &w1, &w2, d.y + 1, d.y + 2, &g, d.y + 3, d.y + 4,
                      d.y + 5));
  ck_assert(device_is(d.y, 6, (float[]){60, 20, 20, 2 * 3 * 20, 2 * 3, 2 * 20}));
  device_end(&d);
}
END_TEST

/* Of no inner index u, a and y are 0; of no hidden unit y is; of no row the weights' gradients. */
START_TEST(nothing)
{
  device d = device_begin();
  done(pm_sim.ffn(&d.ex, 2, 0, 3, 1, NULL, NULL, d.x, d.y, d.y + 2, d.y + 8));
  ck_assert(device_is(d.y, 14, (float[14]){0}));
  device_end(&d);
  d = device_begin();
  done(pm_sim.ffn(&d.ex, 2, 3, 0, 2, d.x, NULL, NULL, d.y, NULL, NULL));
  ck_assert(device_is(d.y, 4, (float[4]){0}));
  done(pm_sim.ffn(&d.ex, 0, 3, 2, 2, NULL, d.x, d.x, NULL, NULL, NULL));
  device_end(&d);
  d = device_begin();
  done(pm_sim.ffn_vjp(&d.ex, 0, 0, 2, 3, 1, NULL, d.x, d.x, NULL, NULL, NULL, NULL, d.y, d.y + 6));
  ck_assert(device_is(d.y, 9, (float[9]){0}));
  done(pm_sim.ffn_vjp(&d.ex, 1, 0, 2, 3, 1, NULL, d.x, d.x, NULL, NULL, NULL, NULL, d.x + 10,
                      d.x + 20));
  ck_assert(d.x[10] == 10 && d.x[15] == 15 && d.x[20] == 20 && d.x[22] == 22);
  device_end(&d);
}
END_TEST

/* A NaN stays in its row; gelu of an infinity is it, or NaN. */
START_TEST(not_finite)
{
  device d = device_begin();
  float h[] = {NAN, 1, INFINITY, -INFINITY}, w1 = 1, w2 = 2;
  done(pm_sim.ffn(&d.ex, 4, 1, 1, 1, h, &w1, &w2, d.y, d.y + 4, d.y + 8));
  ck_assert(isnan(d.y[0]) && isfinite(d.y[1]) && d.y[2] == INFINITY && isnan(d.y[3]));
  ck_assert(isnan(d.y[4]) && d.y[5] == 1 && d.y[6] == INFINITY && d.y[7] == -INFINITY);
  device_end(&d);
}
END_TEST

START_TEST(refusals)
{
  device d = device_begin();
  const int64_t half = (int64_t)1 << 31, many[] = {half, 1, half, 1}, tall[] = {4, 1, 16, 1};
  float *x = d.x, *y = d.y;
  device_refused(&d, pm_sim.ffn(&d.ex, -1, 1, 1, 1, x, x, x, y, y + 1, y + 2), "rows = -1", ">= 0");
  device_refused(&d, pm_sim.ffn(&d.ex, 1, 1, -3, 1, x, x, x, y, y + 1, y + 2), "hidden = -3",
                 ">= 0");
  device_refused(&d, pm_sim.ffn(&d.ex, half, half, 1, 1, x, x, x, y, y + 1, y + 2), "rows*in",
                 "2^60-1");
  device_refused(&d, pm_sim.ffn(&d.ex, half, 1, half, 1, x, x, x, y, y + 1, y + 2), "rows*hidden",
                 "2^60-1");
  device_refused(&d, pm_sim.ffn(&d.ex, 1, 1, half, half, x, x, x, y, y + 1, y + 2), "hidden*out",
                 "2^60-1");
  device_refused(&d, pm_sim.ffn(&d.ex, 1, 1, 1, 1, x, x, NULL, y, y + 1, y + 2), "w2 = NULL", "");
  device_refused(&d, pm_sim.ffn(&d.ex, 1, 2, 2, 2, x, x, x, y, y + 1, y + 4), "y", "u");
  device_refused(&d, pm_sim.ffn(&d.ex, 1, 2, 2, 2, x, x, x, y, y + 2, y + 3), "u", "a");
  device_refused(&d, pm_sim.ffn(&d.ex, 1, 2, 2, 2, x, x, y + 5, y, y + 2, y + 4), "w2", "a");
  device_refused(&d, pm_sim.ffn_vjp(&d.ex, 2, 1, 1, 1, 1, x, x, x, x, x, x, y, y + 1, y + 2),
                 "accumulate = 2", "");
  device_refused(&d, pm_sim.ffn_vjp(&d.ex, 0, 1, 1, 1, 1, x, x, x, x, x, x, y, y, y + 2), "dh",
                 "dw1");
  device_refused(&d, pm_sim.ffn_vjp(&d.ex, 0, 1, 1, 1, 1, x, x, x, x, x, NULL, y, y + 1, y + 2),
                 "g = NULL", "");
  ck_assert_uint_gt(pm_sim.workspace("ffn_vjp", tall), DEVICE_N * sizeof(float));
  ck_assert_uint_gt(pm_sim.workspace("ffn_vjp", many), SIZE_MAX / 2);
  device_refused(&d, pm_sim.ffn_vjp(&d.ex, 0, 4, 1, 16, 1, x, x, x, x, x, x, y, y + 4, y + 20),
                 "work", "");
  device_end(&d);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("ffn");
  TCase *t = tcase_create("ffn");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 60);
  tcase_add_test(t, as_its_parts);
  tcase_add_test(t, by_hand);
  tcase_add_test(t, nothing);
  tcase_add_test(t, not_finite);
  tcase_add_test(t, refusals);
  return aid_main(s);
}
