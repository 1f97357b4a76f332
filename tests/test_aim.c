/* Cases for a variant: the simulator is asked which variants suit, runs none meanwhile, and every row
 * of the kernel table gets its cases, with vectors and without. */
#include "helpers.h"

#include <stdlib.h>
#include <string.h>

#include "../diffcheck/engine/engine.h"

static dc_options on_sim(void)
{
  dc_options o;
  dc_options_init(&o);
  o.backend[0] = &pm_sim;
  o.n_backends = 1;
  return o;
}

START_TEST(a_launch_does_nothing_at_rest)
{
  float a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8] = {0};
  pm_exec ex = {.variant = "scalar"};
  pm_sim.rest(1);
  ck_assert_int_eq(pm_sim.add(&ex, 8, a, a, y), PM_OK);
  ck_assert_int_eq(pm_sim.sync(), PM_OK);
  ck_assert_str_eq(ex.ran, "scalar");
  for (int i = 0; i < 8; i++)
    ck_assert_float_eq(y[i], 0);
  pm_sim.rest(0);
  ck_assert_int_eq(pm_sim.add(&ex, 8, a, a, y), PM_OK);
  ck_assert_int_eq(pm_sim.sync(), PM_OK);
  for (int i = 0; i < 8; i++)
    ck_assert_float_eq(y[i], 2 * a[i]);
}
END_TEST

/* Which variants are said to suit is which of them run, aligned or not. */
START_TEST(what_suits_is_what_runs)
{
  const dc_op *op = dc_op_at(_i);
  const char *name[DC_VARIANTS];
  dc_options o = on_sim();
  dc_memory *m = dc_memory_new(&pm_sim);
  int n = dc_variants(&o, op, name), ran_some = 0;
  for (int i = 0, cases = 0; i < 400 && cases < 12; i++) {
    dc_case c;
    dc_problem p;
    float *out[DC_OUTPUTS] = {NULL};
    dc_case_draw(&c, op, &o.fixed, 4, i, 0);
    if (dc_work(&c) > 2000)
      continue;
    cases++;
    ck_assert_int_eq(dc_problem_make(&p, &c, NULL), DC_OK);
    for (int k = 0; k < op->n_out; k++)
      ck_assert_ptr_nonnull(out[k] = malloc(4 * ((size_t)p.count[op->n_in + k] + 1)));
    for (int v = 0; v < n; v++) {
      const char *ran;
      dc_error why = {""};
      int suits = dc_suits(&c, name[v]);
      dc_way way = {.variant = name[v], .schedule = 1};
      ck_assert_msg(dc_execute(m, &p, &way, out, &ran, &why) == DC_NO_FAULT, "%s %s: %s", op->name,
                    name[v], why.text);
      ck_assert_msg(suits == (ran != NULL), "%s %s: said to suit: %d", op->name, name[v], suits);
      ran_some += suits;
    }
    for (int k = 0; k < op->n_out; k++)
      free(out[k]);
    dc_problem_free(&p);
  }
  ck_assert_int_ge(ran_some, 12);
  dc_case c;
  dc_case_draw(&c, op, &o.fixed, 4, 0, 0);
  ck_assert(!dc_suits(&c, "no such variant"));
  dc_memory_free(m);
}
END_TEST

/* Three in a hundred cases are for the vectors of each variant, and three for what else it takes,
 * unless it takes nothing but vectors. The rest, and the large ones, are for all variants. */
START_TEST(every_variant_is_aimed_at)
{
  enum { CASES = 300, LEAST = 9 };
  const dc_op *op = dc_op_at(_i);
  const char *name[DC_VARIANTS];
  dc_options o = on_sim();
  int n = dc_variants(&o, op, name), plain = 0, adds = 0, fours[DC_VARIANTS] = {0};
  int others[DC_VARIANTS] = {0}, other[DC_VARIANTS] = {0};
  for (int64_t i = 0; i < CASES; i++) {
    dc_case c, drawn;
    dc_case_aim(&c, op, &o, i);
    dc_case_draw(&drawn, op, &o.fixed, o.seed, i, o.large);
    ck_assert_int_eq(dc_case_check(&c, o.limit_bytes, NULL), DC_OK);
    ck_assert_int_eq(c.accumulate, op->is_vjp ? (int)(i & 1) : 0);
    for (int v = 0; v < n; v++) {
      if (strcmp(c.variant, name[v]) == 0) {
        ck_assert_msg(dc_suits(&c, name[v]), "%s: case %d does not suit %s", op->name, (int)i,
                      name[v]);
        *(dc_case_fours(&c) ? &fours[v] : &others[v]) += 1;
        adds += c.accumulate;
      }
      other[v] += !dc_case_fours(&drawn) && dc_suits(&drawn, name[v]);
    }
    if (!c.variant[0]) {
      plain++;
      ck_assert(dc_case_same(&c, &drawn));
    }
    if (i % o.large == o.large - 1)
      ck_assert_str_eq(c.variant, "");
  }
  ck_assert_int_ge(plain, CASES / 2);
  for (int v = 0; v < n && n > 1; v++) {
    ck_assert_msg(fours[v] >= LEAST - 1, "%s %s: %d cases with vectors", op->name, name[v],
                  fours[v]);
    ck_assert_msg(!other[v] || others[v] >= LEAST - 1, "%s %s: %d cases without vectors", op->name,
                  name[v], others[v]);
    ck_assert_int_ge(fours[v] + others[v], 2 * (LEAST - 1));
  }
  if (op->is_vjp && n > 1)
    ck_assert(adds > (CASES - plain) / 4 && adds < (CASES - plain) * 3 / 4);
}
END_TEST

/* A case hangs on its number alone: whatever was drawn before it, and on its own. */
START_TEST(a_case_hangs_on_its_number)
{
  static const char *const ops[] = {"layer_norm", "softmax_vjp", "sum_axis", "permute", "add"};
  enum { CASES = 96 };
  int aimed = 0, apart = 0;
  for (int k = 0; k < 5; k++) {
    dc_case forth[CASES];
    dc_options o = on_sim(), other = on_sim();
    other.seed = 2;
    for (int i = 0; i < CASES; i++)
      dc_case_aim(&forth[i], dc_op_find(ops[k]), &o, i);
    for (int i = CASES - 1; i >= 0; i--) {
      dc_case c;
      dc_case_aim(&c, dc_op_find(ops[k]), &o, i);
      ck_assert(dc_case_same(&c, &forth[i]));
      aimed += c.variant[0] != 0;
      dc_case_aim(&c, dc_op_find(ops[k]), &other, i);
      apart += !dc_case_same(&c, &forth[i]);
    }
  }
  ck_assert_int_gt(aimed, CASES);
  ck_assert_int_eq(apart, 5 * CASES);
}
END_TEST

/* What is fixed stays; a variant that it never suits leaves its turns to the others. */
START_TEST(fixed_sizes_stay)
{
  const dc_op *op = dc_op_find("layer_norm");
  dc_options o = on_sim();
  int warp = 0;
  o.fixed.size[1] = 33;
  o.fixed.values = DC_OFFSET;
  for (int i = 0; i < 64; i++) {
    dc_case c;
    dc_case_aim(&c, op, &o, i);
    ck_assert_int_eq(c.size[1], 33);
    ck_assert_int_eq(c.values, DC_OFFSET);
    ck_assert_str_ne(c.variant, "split");
    warp += strcmp(c.variant, "warp") == 0;
  }
  ck_assert_int_eq(warp, 4);
}
END_TEST

/* A variant that was asked for gets as many cases as were. */
START_TEST(a_variant_asked_for_gets_its_cases)
{
  dc_options o = on_sim();
  dc_result r;
  dc_error err = {""};
  o.cases = 12;
  strcpy(o.fixed.variant, "split");
  ck_assert_msg(dc_run(dc_op_find("layer_norm"), &o, &r, &err) == DC_OK, "%s", err.text);
  ck_assert_int_eq(r.outcome, DC_PASS);
  ck_assert_int_eq(r.cases, 12);
  ck_assert_str_eq(r.variant[0].variant, "split");
  ck_assert_int_eq(r.variant[0].cases, 12);
  ck_assert_int_gt(r.variant[0].fours, 0);
  ck_assert_int_lt(r.variant[0].fours, 12);
  for (int v = 1; v < r.n_variants; v++)
    ck_assert_int_eq(r.variant[v].cases, 0);
  dc_case c, large; /* a large one stays large */
  dc_case_aim(&c, r.op, &o, o.large - 1);
  dc_case_draw(&large, r.op, &o.fixed, o.seed, o.large - 1, o.large);
  ck_assert(dc_case_same(&c, &large));
  ck_assert_str_eq(c.variant, "split");
}
END_TEST

START_TEST(fours)
{
  dc_case c;
  dc_case_init(&c, dc_op_find("layer_norm"));
  c.size[0] = 3;
  c.size[1] = 64;
  ck_assert(dc_case_fours(&c));
  c.misaligned = 1 << 2;
  ck_assert(!dc_case_fours(&c));
  c.misaligned = 0;
  c.size[1] = 65;
  ck_assert(!dc_case_fours(&c));
  dc_case_init(&c, dc_op_find("sum_axis")); /* x is (outer, n, inner), inner left out where 1 */
  c.size[0] = 3;
  c.size[1] = 8;
  c.size[2] = 1;
  ck_assert(dc_case_fours(&c));
  c.size[2] = 2;
  ck_assert(!dc_case_fours(&c));
}
END_TEST

int main(void)
{
  Suite *s = suite_create("aim");
  TCase *t = tcase_create("aim");
  int n = dc_n_ops();
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 60);
  tcase_add_test(t, a_launch_does_nothing_at_rest);
  tcase_add_loop_test(t, what_suits_is_what_runs, 0, n);
  tcase_add_loop_test(t, every_variant_is_aimed_at, 0, n);
  tcase_add_test(t, a_case_hangs_on_its_number);
  tcase_add_test(t, fixed_sizes_stay);
  tcase_add_test(t, a_variant_asked_for_gets_its_cases);
  tcase_add_test(t, fours);
  return aid_main(s);
}
