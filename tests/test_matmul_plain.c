/* The plain variant of matmul on the simulator, whose text is proven: its bits are those of each other
 * variant but fast, in every form, batched and added to a gradient. */
#include <math.h>
#include <string.h>

#include "device.h"

typedef struct dims {
  int batch, m, k, n;
} dims;

static void alike(const float *got, const float *want, int n, dims d, int form, const char *variant)
{
  ck_assert_msg(memcmp(got, want, sizeof *got * (size_t)n) == 0, "%d of %d x %d x %d, form %d: %s",
                d.batch, d.m, d.k, d.n, form, variant);
}

/* bmm by `variant`, then by plain: one form, or all of them. */
static void compare(dims d, const char *variant, int first, int forms)
{
  const int a = d.batch * d.m * d.k, b = d.batch * d.k * d.n, c = d.batch * d.m * d.n;
  for (int form = first; form < first + forms; form++) {
    const int ta = form & 1, tb = form >> 1;
    float *x = numbered(a, 3), *y = numbered(b, 8), *want = filled(c, 1),
          *got = filled(c + 1, POISON);
    pm_exec other = {.variant = variant}, ex = {.variant = "plain"};
    done(pm_sim.bmm(&other, d.batch, d.m, d.k, d.n, ta, tb, 0.75f, x, y, want));
    done(pm_sim.bmm(&ex, d.batch, d.m, d.k, d.n, ta, tb, 0.75f, x, y, got));
    ck_assert_str_eq(ex.ran, "plain");
    ck_assert(poisoned(got + c, 1));
    alike(got, want, c, d, form, variant);
    float *const all[] = {x, y, want, got};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
      pm_sim.free(all[i]);
  }
}

START_TEST(bits)
{
  static const dims some[] = {{1, 1, 1, 1},    {1, 16, 16, 16}, {1, 17, 33, 15}, {3, 5, 1, 40},
                              {2, 33, 15, 31}, {1, 1, 70, 19},  {2, 19, 70, 1},  {1, 4, 0, 7}};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    compare(some[i], "tile", 0, 4);
  compare((dims){1, 132, 36, 128}, "tile128", 0, 4);
  compare((dims){1, 1, 67, 36}, "vector", 0, 1);
}
END_TEST

/* Of a gradient that is there already, in every form. */
START_TEST(gradients)
{
  const dims d = {2, 18, 35, 17};
  const int a = d.batch * d.m * d.k, b = d.batch * d.k * d.n;
  for (int form = 0; form < 4; form++) {
    float *x = numbered(a, 3), *y = numbered(b, 8), *g = numbered(d.batch * d.m * d.n, 5);
    float *da = filled(a, 2), *db = filled(b, 3), *wa = filled(a, 2), *wb = filled(b, 3);
    pm_exec ex = {.variant = "plain"}, tile = {.variant = "tile"};
    done(pm_sim.bmm_vjp(&ex, 1, d.batch, d.m, d.k, d.n, form & 1, form >> 1, 0.25f, x, y, g, da,
                        db));
    done(pm_sim.bmm_vjp(&tile, 1, d.batch, d.m, d.k, d.n, form & 1, form >> 1, 0.25f, x, y, g, wa,
                        wb));
    alike(da, wa, a, d, form, "da");
    alike(db, wb, b, d, form, "db");
    float *const all[] = {x, y, g, da, db, wa, wb};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
      pm_sim.free(all[i]);
  }
}
END_TEST

/* An inner dimension that is empty gives 0, whatever alpha is; nobody gets it unasked. */
START_TEST(empty)
{
  float *c = filled(6, POISON);
  pm_exec ex = {.variant = "plain"};
  done(pm_sim.matmul(&ex, 2, 0, 3, 0, 0, NAN, NULL, NULL, c));
  for (int i = 0; i < 6; i++)
    ck_assert(c[i] == 0.0f);
  ex.variant = NULL;
  done(pm_sim.matmul(&ex, 2, 0, 3, 0, 0, 1.0f, NULL, NULL, c));
  ck_assert_str_ne(ex.ran, "plain");
  done(pm_sim.matmul(&ex, 0, 5, 3, 0, 0, 1.0f, NULL, c, NULL));
  pm_sim.free(c);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("matmul_plain");
  TCase *t = tcase_create("matmul_plain");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 120);
  tcase_add_test(t, bits);
  tcase_add_test(t, gradients);
  tcase_add_test(t, empty);
  return aid_main(s);
}
