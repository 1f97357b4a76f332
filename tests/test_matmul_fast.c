/* The fast variant of matmul on the simulator: by name only, its workspace, its accuracy beside the
 * strict chain, and what its bf16 parts could lose. */
#include <math.h>
#include <string.h>

#include "device.h"

typedef struct problem {
  int m, k, n, ta, tb;
  float *a, *b, *c, *strict, *work;
  pm_exec ex;
} problem;

static problem begin(int m, int k, int n, int ta, int tb)
{
  const int64_t size[] = {m, k, n, ta, tb};
  problem p = {m,
               k,
               n,
               ta,
               tb,
               numbered(m * k, 3),
               numbered(k * n, 8),
               filled(m * n + 1, POISON),
               filled(m * n, POISON),
               NULL,
               {.variant = "fast"}};
  p.ex.work_bytes = pm_sim.workspace("matmul:fast", size);
  p.ex.work = p.work = pm_sim.alloc(p.ex.work_bytes + 16);
  ck_assert_ptr_nonnull(p.work);
  return p;
}

static void end(problem *p)
{
  pm_sim.free(p->a);
  pm_sim.free(p->b);
  pm_sim.free(p->c);
  pm_sim.free(p->strict);
  pm_sim.free(p->work);
}

static void run(problem *p, float alpha)
{
  pm_exec ex = {.variant = "tile"};
  done(pm_sim.matmul(&ex, p->m, p->k, p->n, p->ta, p->tb, alpha, p->a, p->b, p->strict));
  done(pm_sim.matmul(&p->ex, p->m, p->k, p->n, p->ta, p->tb, alpha, p->a, p->b, p->c));
  ck_assert_str_eq(p->ex.ran, "fast");
  ck_assert(poisoned(p->c + p->m * p->n, 1));
}

static double element(const float *x, int t, int rows, int cols, int i, int j)
{
  return t ? x[j * rows + i] : x[i * cols + j];
}

/* The largest error of any element over the sum of magnitudes, of the fast sums or the strict ones. */
static double worst(const problem *p, const float *c)
{
  double most = 0;
  for (int i = 0; i < p->m; i++)
    for (int j = 0; j < p->n; j++) {
      long double sum = 0, size = 0;
      for (int q = 0; q < p->k; q++) {
        long double v = (long double)element(p->a, p->ta, p->m, p->k, i, q) *
                        element(p->b, p->tb, p->k, p->n, q, j);
        sum += v, size += fabsl(v);
      }
      double e = (double)(fabsl(c[i * p->n + j] - sum) / size);
      most = e > most ? e : most;
    }
  return most;
}

/* Every form, tile edges and ragged ends: as f32 is, and better than a long chain. */
START_TEST(accuracy)
{
  static const int size[][3] = {
      {1, 1, 1}, {5, 17, 3}, {130, 64, 127}, {64, 200, 132}, {33, 1024, 20}};
  for (size_t i = 0; i < sizeof size / sizeof *size; i++)
    for (int form = 0; form < 4; form++) {
      problem p = begin(size[i][0], size[i][1], size[i][2], form & 1, form >> 1);
      run(&p, 1.0f);
      const double fast = worst(&p, p.c), strict = worst(&p, p.strict);
      ck_assert_msg(fast < 2.5e-7, "%d x %d x %d, form %d: %.3g", p.m, p.k, p.n, form, fast);
      if (p.k >= 1024)
        ck_assert_msg(fast < strict, "k %d, form %d: %.3g, the chain %.3g", p.k, form, fast,
                      strict);
      end(&p);
    }
}
END_TEST

/* Scaled by a power of two, however small, it gives the same bits: no part underflows. */
START_TEST(tiny_factors)
{
  static const int power[] = {-60, -100, -110, -116};
  problem p = begin(20, 70, 9, 0, 0), q = begin(20, 70, 9, 0, 0);
  run(&p, 1.0f);
  for (size_t s = 0; s < sizeof power / sizeof *power; s++) {
    for (int i = 0; i < 20 * 70; i++)
      q.a[i] = ldexpf(p.a[i], power[s]);
    for (int i = 0; i < 70 * 9; i++)
      q.b[i] = ldexpf(p.b[i], 20);
    run(&q, 1.0f);
    for (int i = 0; i < 20 * 9; i++)
      ck_assert_msg(q.c[i] == ldexpf(p.c[i], power[s] + 20), "2^%d: c[%d] is %a, must be %a",
                    power[s], i, (double)q.c[i], (double)ldexpf(p.c[i], power[s] + 20));
  }
  end(&p);
  end(&q);
}
END_TEST

/* Subnormal factors are exact. */
START_TEST(subnormal_factors)
{
  problem p = begin(2, 3, 2, 0, 0);
  for (int i = 0; i < 6; i++)
    p.a[i] = ldexpf((float)(i + 1), -149), p.b[i] = ldexpf((float)(2 * i + 1), 40);
  run(&p, 1.0f);
  for (int i = 0; i < 4; i++)
    ck_assert_msg(p.c[i] == p.strict[i] && p.c[i] > 0, "c[%d] is %a, must be %a", i, (double)p.c[i],
                  (double)p.strict[i]);
  end(&p);
}
END_TEST

/* Too large for a part, or for a scaled sum, and what is not finite: the strict chain's bits. */
START_TEST(large_factors)
{
  static const float odd[] = {INFINITY, -INFINITY, NAN, 3.4e38f, -1e34f, 0x1p112f};
  for (size_t s = 0; s < sizeof odd / sizeof *odd; s++) {
    problem p = begin(131, 66, 5, 0, 0);
    p.a[130 * 66 + 65] = odd[s];
    p.b[64 * 5 + 3] = odd[s];
    run(&p, 0.5f);
    for (int j = 0; j < 5; j++) {
      const float *got = p.c + 130 * 5 + j, *want = p.strict + 130 * 5 + j;
      ck_assert_msg(memcmp(got, want, sizeof *got) == 0 || (isnan(*got) && isnan(*want)),
                    "%a: c[130,%d] is %a, must be %a", (double)odd[s], j, (double)*got,
                    (double)*want);
    }
    ck_assert(isfinite(p.c[0]) && fabsf(p.c[0] - p.strict[0]) <= 1e-5f * fabsf(p.strict[0]));
    end(&p);
  }
}
END_TEST

START_TEST(no_inner_index)
{
  problem p = begin(3, 0, 2, 0, 0);
  ck_assert_uint_eq(p.ex.work_bytes, 0);
  run(&p, INFINITY);
  for (int i = 0; i < 6; i++)
    ck_assert(p.c[i] == 0.0f);
  end(&p);
}
END_TEST

/* dA = alpha g B', dB = alpha A' g, and both once more on top. */
START_TEST(gradients)
{
  const int m = 37, k = 70, n = 45;
  const int64_t size[] = {m, k, n, 1, 0};
  float *a = numbered(m * k, 3), *b = numbered(k * n, 8), *g = numbered(m * n, 5);
  float *da = filled(m * k, 2.0f), *db = filled(k * n, 3.0f);
  float *wa = filled(m * k, 2.0f), *wb = filled(k * n, 3.0f);
  pm_exec ex = {.variant = "fast", .work_bytes = pm_sim.workspace("matmul_vjp:fast", size)};
  pm_exec strict = {.variant = "tile"};
  ex.work = pm_sim.alloc(ex.work_bytes);
  done(pm_sim.matmul_vjp(&ex, 1, m, k, n, 1, 0, 0.25f, a, b, g, da, db));
  done(pm_sim.matmul_vjp(&strict, 1, m, k, n, 1, 0, 0.25f, a, b, g, wa, wb));
  for (int p = 0; p < k; p++) { /* a is stored as (k, m) */
    for (int i = 0; i < m; i++) {
      float sum = 2;
      for (int j = 0; j < n; j++)
        sum += fabsf(g[i * n + j] * b[p * n + j]);
      ck_assert(fabsf(da[p * m + i] - wa[p * m + i]) <= 1e-6f * sum);
    }
    for (int j = 0; j < n; j++) {
      float sum = 3;
      for (int i = 0; i < m; i++)
        sum += fabsf(a[p * m + i] * g[i * n + j]);
      ck_assert(fabsf(db[p * n + j] - wb[p * n + j]) <= 1e-6f * sum);
    }
  }
  float *const all[] = {a, b, g, da, db, wa, wb, (float *)ex.work};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    pm_sim.free(all[i]);
}
END_TEST

/* Nobody gets other bits unasked; a workspace that is too small, an inner dimension that is too long and
 * small products of a batch are refused. */
START_TEST(refusals)
{
  problem p = begin(8, 8, 8, 0, 0);
  const int64_t size[] = {8, 8, 8, 0, 0}, negative[] = {8, -1, 8, 0, 0},
                batch[] = {2, 8, 8, 8, 0, 0};
  ck_assert_uint_eq(pm_sim.workspace("matmul", size), 0);
  ck_assert_uint_eq(pm_sim.workspace("matmul:tile", size), 0);
  ck_assert_uint_eq(p.ex.work_bytes, 2 * 3 * 16384);
  ck_assert_uint_eq(pm_sim.workspace("matmul:fast", negative), 0);
  ck_assert_uint_gt(pm_sim.workspace("bmm:fast", batch), 0);
  p.ex.work_bytes--;
  refused_with(pm_sim.matmul(&p.ex, 8, 8, 8, 0, 0, 1.0f, p.a, p.b, p.c), "work_bytes", "98304");
  p.ex.work_bytes++;
  p.ex.work = (char *)p.work + 4;
  refused_with(pm_sim.matmul(&p.ex, 8, 8, 8, 0, 0, 1.0f, p.a, p.b, p.c), "work", "16");
  p.ex.work = NULL;
  refused_with(pm_sim.matmul(&p.ex, 8, 8, 8, 0, 0, 1.0f, p.a, p.b, p.c), "work = NULL", "98304");
  p.ex.work = p.work;
  ck_assert_int_eq(pm_sim.matmul(&p.ex, 1, 1 << 29, 0, 0, 0, 1.0f, p.a, NULL, NULL), PM_UNSUITED);
  ck_assert_int_eq(pm_sim.bmm(&p.ex, 2, 4, 8, 4, 0, 0, 1.0f, p.a, p.b, p.c), PM_UNSUITED);
  ck_assert(poisoned(p.c, 65));
  p.ex.variant = NULL;
  done(pm_sim.matmul(&p.ex, 8, 8, 8, 0, 0, 1.0f, p.a, p.b, p.c));
  ck_assert_str_ne(p.ex.ran, "fast");
  end(&p);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("matmul_fast");
  TCase *t = tcase_create("matmul_fast");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 120);
  tcase_add_test(t, accuracy);
  tcase_add_test(t, tiny_factors);
  tcase_add_test(t, subnormal_factors);
  tcase_add_test(t, large_factors);
  tcase_add_test(t, no_inner_index);
  tcase_add_test(t, gradients);
  tcase_add_test(t, refusals);
  return aid_main(s);
}
