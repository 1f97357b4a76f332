/* Sessions: the same bits as the program that was written down, memory that is shared by those that do not
 * meet, what is refused. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "net.h"

enum { STEPS = 5 };

START_TEST(it_is_the_program)
{
  net a, b;
  pmr_session s;
  pmr_session_info about;
  int64_t handles, bytes, again;
  net_begin(&a, opened(_i));
  net_begin(&b, opened(_i));
  net_learn(&a);
  OK(pmr_session_begin(b.c));
  net_learn(&b);
  OK(pmr_session_end(b.c, &s));
  OK(pmr_session_about(s, &about));
  ck_assert_int_ge(about.steps, 4 + 4 + NET_WEIGHTS);
  ck_assert_int_gt(about.planned, 0);
  ck_assert_int_le(2 * about.planned, about.unplanned);
  OK(pmr_usage(b.c, &handles, &bytes));
  for (int t = 1; t < STEPS; t++) {
    net_give(&a, t);
    net_learn(&a);
    net_give(&b, t);
    net_again(&b, s);
    net_same_loss(&a, &b);
    OK(pmr_usage(b.c, &handles, &again));
    ck_assert_int_eq(again, bytes);
  }
  net_same(&a, &b);
  OK(pmr_session_release(s));
  net_end(&a);
  net_end(&b);
}
END_TEST

/* What is held when a session ends stays where it is; its gradient too, which adds up. */
START_TEST(what_is_held)
{
  static const float x0[4] = {1, 2, 3, 4}, x1[4] = {0, -1, 5, 2}, two[4] = {2, 4, 6, 8};
  static const float twice[4] = {0, 1, 25, 4};
  pmr_context c = opened(_i);
  pmr_tensor x = f32(c, x0, 1, 4), y, z, g;
  pmr_session s;
  OK(pmr_requires_grad(x, 1));
  OK(pmr_session_begin(c));
  y = op1(c, "mul", x, x, NULL);
  z = op1(c, "sum", y, NULL, NULL);
  OK(pmr_backward(z, NULL));
  OK(pmr_session_end(c, &s));
  OK(pmr_grad(x, &g));
  is(g, two, 4);
  OK(pmr_no_grad(c, 1));
  OK(pmr_put(x, PMR_F32, x1, 4));
  OK(pmr_no_grad(c, 0));
  OK(pmr_session_run(s));
  is(y, twice, 4);
  const float add[1] = {30};
  is(z, add, 1);
  static const float fresh[4] = {0, -2, 10, 4};
  is(g, fresh, 4);
  FAILS(PMR_GRADIENT, "written", pmr_backward(z, NULL)); /* over values that are others now */
  FAILS(PMR_IN_USE, "", pmr_free(y));                    /* the session has it */
  OK(pmr_session_release(s));
  OK(pmr_release(g));
  OK(pmr_release(z));
  OK(pmr_release(y));
  OK(pmr_release(x));
  closed(c);
}
END_TEST

/* Tensors of the same size one after another take the place of two. */
START_TEST(memory_is_shared)
{
  enum { N = 1000 };
  static float ones[N];
  pmr_context c = opened(_i);
  pmr_session s;
  pmr_session_info about;
  for (int i = 0; i < N; i++)
    ones[i] = 1;
  pmr_tensor x = f32(c, ones, 1, N), t = x;
  OK(pmr_session_begin(c));
  for (int i = 0; i < 10; i++) {
    pmr_tensor u = op1(c, "add", t, t, NULL);
    if (t != x)
      OK(pmr_release(t));
    t = u;
  }
  OK(pmr_session_end(c, &s));
  OK(pmr_session_about(s, &about));
  ck_assert_int_eq(about.steps, 10);
  ck_assert_int_eq(about.planned, 2 * 4096);
  ck_assert_int_eq(about.unplanned, 9 * 4096); /* the last is held */
  for (int i = 0; i < N; i++)
    ones[i] = (float)i;
  OK(pmr_put(x, PMR_F32, ones, N));
  OK(pmr_session_run(s));
  static float got[N];
  OK(pmr_to_host(t, PMR_F32, got, N));
  for (int i = 0; i < N; i++)
    ck_assert(got[i] == 1024 * (float)i);
  OK(pmr_session_release(s));
  OK(pmr_release(t));
  OK(pmr_release(x));
  closed(c);
}
END_TEST

START_TEST(what_is_refused)
{
  static const float x0[2] = {1, 2};
  pmr_context c = opened(_i), other = opened(_i);
  pmr_tensor x = f32(c, x0, 1, 2), y;
  pmr_session s, t = (pmr_session)x;
  pmr_session_info about;
  FAILS(PMR_INVALID, "pmr_session_begin was not called", pmr_session_end(c, &s));
  FAILS(PMR_INVALID, "pmr_session_begin was not called", pmr_session_end(c, NULL));
  OK(pmr_session_begin(c));
  FAILS(PMR_IN_USE, "pmr_session_end ends that", pmr_session_begin(c));
  FAILS(PMR_INVALID, "no step was computed", pmr_session_end(c, &s));
  OK(pmr_session_begin(c));
  y = op1(c, "add", x, x, NULL);
  OK(pmr_put(y, PMR_F32, x0, 2)); /* a session would not do that */
  OK(pmr_release(op1(c, "mul", y, y, NULL)));
  FAILS(PMR_INVALID, "step 2, mul", pmr_session_end(c, &s));
  OK(pmr_session_begin(c));
  FAILS(PMR_INVALID, "", pmr_call(c, "add", PMR_IN(x), NULL, &y, 1)); /* is no step */
  OK(pmr_put(x, PMR_F32, x0, 2));                                     /* before it is used */
  OK(pmr_release(op1(c, "mul", x, x, NULL)));
  OK(pmr_session_end(c, &s));
  OK(pmr_session_about(s, &about));
  ck_assert_int_eq(about.steps, 1);
  OK(pmr_session_begin(c));
  FAILS(PMR_IN_USE, "part of another", pmr_session_run(s));
  OK(pmr_release(op1(c, "mul", x, x, NULL)));
  OK(pmr_session_end(c, &t));
  FAILS(PMR_HANDLE, "must be a session, and is a tensor", pmr_session_run((pmr_session)x));
  FAILS(PMR_HANDLE, "must be a tensor, and is a session", pmr_release((pmr_tensor)s));
  FAILS(PMR_HANDLE, "NULL", pmr_session_run(NULL));
  FAILS(PMR_INVALID, "out is NULL", pmr_session_about(s, NULL));
  OK(pmr_session_release(t));
  OK(pmr_session_release(s));
  FAILS(PMR_HANDLE, "released", pmr_session_run(s));
  OK(pmr_release(y));
  OK(pmr_release(x));
  closed(c);
  OK(pmr_session_begin(other)); /* closed with steps, and with a session, in it */
  OK(pmr_zeros(other, 0, NULL, &y));
  OK(pmr_session_end(other, &s));
  OK(pmr_session_begin(other));
  OK(pmr_zeros(other, 0, NULL, &y));
  OK(pmr_close(other));
}
END_TEST

/* Of all steps of the op, or of none. */
START_TEST(other_attributes)
{
  static const float x0[3] = {1, -2, 4}, doubled[3] = {2, -4, 8}, kept[3] = {3, -6, 12};
  static const float wide[6] = {1, 2, 3, 4, 5, 6};
  pmr_context c = opened(_i);
  pmr_tensor x = f32(c, x0, 1, 3), a = f32(c, wide, 2, 2, 3), b = f32(c, wide, 2, 3, 2), y, z, low;
  pmr_session s;
  OK(pmr_session_begin(c));
  y = op1(c, "scale", x, NULL, PMR_ATTRS({"c", 2}));
  z = op1(c, "scale", x, NULL, PMR_ATTRS({"c", 5}));
  low = op1(c, "clamp", x, NULL, PMR_ATTRS({"lo", 0}, {"hi", 2}));
  OK(pmr_release(op1(c, "slice", a, NULL, PMR_ATTRS({"axis", 1}, {"start", 0}, {"len", 2}))));
  OK(pmr_release(op1(c, "slice", a, NULL, PMR_ATTRS({"axis", 1}, {"start", 1}, {"len", 1}))));
  OK(pmr_release(op1(c, "matmul", a, b, NULL)));
  OK(pmr_session_end(c, &s));
  OK(pmr_session_attr(s, "scale", "c", 3));
  is(y, doubled, 3); /* nothing is computed yet */
  FAILS(PMR_INVALID, "scale: c is NaN", pmr_session_attr(s, "scale", "c", NAN));
  FAILS(PMR_INVALID, "scale: 'k' is none", pmr_session_attr(s, "scale", "k", 2));
  FAILS(PMR_INVALID, "scale: 'n' is none", pmr_session_attr(s, "scale", "n", 2));
  FAILS(PMR_INVALID, "'(null)' is none", pmr_session_attr(s, "scale", NULL, 2));
  FAILS(PMR_INVALID, "op 'scales'", pmr_session_attr(s, "scales", "c", 2));
  FAILS(PMR_INVALID, "op '(null)'", pmr_session_attr(s, NULL, "c", 2));
  FAILS(PMR_INVALID, "no step of the session is axpy", pmr_session_attr(s, "axpy", "c", 2));
  FAILS(PMR_INVALID, "lo", pmr_session_attr(s, "clamp", "lo", 3));
  FAILS(PMR_INVALID, "start", pmr_session_attr(s, "slice", "start", 2)); /* the second could */
  FAILS(PMR_INVALID, "start", pmr_session_attr(s, "slice", "start", 0.5));
  FAILS(PMR_INVALID, "its a would have another shape", pmr_session_attr(s, "matmul", "ta", 1));
  FAILS(PMR_HANDLE, "", pmr_session_attr((pmr_session)x, "scale", "c", 2));
  OK(pmr_session_run(s));
  is(y, kept, 3);
  is(z, kept, 3);
  pmr_tensor all[] = {x, a, b, y, z, low};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    OK(pmr_release(all[i]));
  OK(pmr_session_release(s));
  closed(c);
}
END_TEST

START_TEST(columns_first)
{
  static const float x0[6] = {1, 2, 3, 4, 5, 6};
  static const int16_t half[6] = {0x3C00, 0x4400, 0x4000, 0x4500, 0x4200, 0x4600};
  double wide[6];
  int16_t got[6];
  pmr_context c = opened(_i);
  pmr_tensor x = f32(c, x0, 2, 2, 3), none = f32(c, x0, 2, 0, 3), flat = f32(c, x0, 1, 6);
  OK(pmr_to_host_transposed(x, PMR_F64, wide, 6));
  for (int i = 0; i < 6; i++)
    ck_assert(wide[i] == x0[i % 2 * 3 + i / 2]);
  OK(pmr_to_host_transposed(x, PMR_F16, got, 6));
  ck_assert(memcmp(got, half, sizeof half) == 0);
  OK(pmr_to_host_transposed(none, PMR_F32, NULL, 0));
  FAILS(PMR_INVALID, "1 axes, must have 2", pmr_to_host_transposed(flat, PMR_F32, wide, 6));
  FAILS(PMR_INVALID, "count is 5", pmr_to_host_transposed(x, PMR_F32, wide, 5));
  FAILS(PMR_INVALID, "NULL", pmr_to_host_transposed(x, PMR_F32, NULL, 6));
  FAILS(PMR_INVALID, "dtype 9", pmr_to_host_transposed(x, (pmr_dtype)9, wide, 6));
  OK(pmr_release(x));
  OK(pmr_release(none));
  OK(pmr_release(flat));
  closed(c);
}
END_TEST

static pmr_status work(pmr_context c)
{
  static const float x0[4] = {1, -2, 3, 0.5f};
  static const int64_t four = 4;
  pmr_tensor x = NULL, y = NULL, z = NULL;
  pmr_session p = NULL;
  pmr_status s = pmr_from_host(c, PMR_F32, 1, &four, x0, &x);
  s = s ? s : pmr_requires_grad(x, 1);
  s = s ? s : pmr_session_begin(c);
  bool begun = !s;
  s = s ? s : pmr_call(c, "mul", PMR_IN(x, x), NULL, &y, 1);
  s = s ? s : pmr_call(c, "sum", PMR_IN(y), NULL, &z, 1);
  s = s ? s : pmr_backward(z, NULL);
  if (begun && s)
    pmr_session_end(c, NULL); /* leaves the words alone */
  s = s ? s : pmr_session_end(c, &p);
  s = s ? s : pmr_session_run(p);
  if (p && pmr_session_release(p))
    return PMR_HANDLE;
  pmr_tensor all[] = {x, y, z};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] && pmr_release(all[i]))
      return PMR_HANDLE;
  return s;
}

START_TEST(no_memory) { no_memory_anywhere(_i, work); }
END_TEST

int main(void)
{
  Suite *s = suite_create("runtime_session");
  TCase *t = tcase_create("session");
  tcase_set_timeout(t, 120);
  suite_add_tcase(s, t);
  tcase_add_loop_test(t, it_is_the_program, 0, N_BACKENDS);
  tcase_add_loop_test(t, what_is_held, 0, N_BACKENDS);
  tcase_add_loop_test(t, memory_is_shared, 0, N_BACKENDS);
  tcase_add_loop_test(t, what_is_refused, 0, N_BACKENDS);
  tcase_add_loop_test(t, other_attributes, 0, N_BACKENDS);
  tcase_add_loop_test(t, columns_first, 0, N_BACKENDS);
  tcase_add_loop_test(t, no_memory, 0, N_BACKENDS);
  return aid_main(s);
}
