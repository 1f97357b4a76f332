/* The user's tensors of any rank as the tensors of an op that is stated on a view. */
#include "helpers.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "../diffcheck/engine/engine.h"

static int64_t size[DC_DIMS];
static double attr[DC_ATTRS];

/* Nothing given but tensors of these shapes, in order; 0 ends a shape. */
static dc_view view(int n, ...)
{
  dc_view v = {.axis = INT64_MIN, .n_axes = -1, .n_to = -1};
  va_list args;
  va_start(args, n);
  for (int t = 0; t < n; t++)
    for (int64_t s; (s = va_arg(args, int)) != 0;)
      v.shape[t][v.rank[t]++] = s;
  va_end(args);
  for (int d = 0; d < DC_DIMS; d++)
    size[d] = -1;
  for (int a = 0; a < DC_ATTRS; a++)
    attr[a] = NAN;
  return v;
}

static void shape_is(const dc_view *v, int tensor, int n, ...)
{
  va_list args;
  ck_assert_int_eq(v->rank[tensor], n);
  va_start(args, n);
  for (int i = 0; i < n; i++)
    ck_assert_int_eq(v->shape[tensor][i], va_arg(args, int));
  va_end(args);
}

static void size_is(int n, ...)
{
  va_list args;
  va_start(args, n);
  for (int i = 0; i < n; i++)
    ck_assert_int_eq(size[i], va_arg(args, int));
  va_end(args);
}

#define DONE(hook, v) ck_assert_ptr_null(hook(&(v), size, attr))
#define NO_VIEW(part, hook, v)                 \
  do {                                         \
    const char *why_ = hook(&(v), size, attr); \
    ck_assert_ptr_nonnull(why_);               \
    ck_assert_ptr_nonnull(strstr(why_, part)); \
  } while (0)

START_TEST(joins_along_any_axis)
{
  dc_view v = view(2, 2, 3, 4, 5, 0, 2, 3, 7, 5, 0);
  v.axis = 2;
  DONE(dc_view_concat, v);
  size_is(4, 6, 4, 7, 5);
  shape_is(&v, 2, 4, 2, 3, 11, 5);
  v.axis = -2;
  DONE(dc_view_concat, v);
  size_is(4, 6, 4, 7, 5);
  v.axis = 1;
  NO_VIEW("axis 2", dc_view_concat, v);
  v.axis = 4;
  NO_VIEW("from -4 to 3", dc_view_concat, v);
  v.axis = -5;
  NO_VIEW("axis=-5", dc_view_concat, v);
  v = view(2, 4, 0, 5, 0); /* the first axis where none is given */
  DONE(dc_view_concat, v);
  size_is(4, 1, 4, 5, 1);
  v = view(2, 4, 0, 5, 1, 0);
  NO_VIEW("rank", dc_view_concat, v);
  v = view(2, 0, 0);
  NO_VIEW("rank 0", dc_view_concat, v);
}
END_TEST

START_TEST(parts_along_any_axis)
{
  dc_view v = view(1, 2, 9, 4, 0);
  v.axis = 1;
  NO_VIEW("na is missing", dc_view_concat_vjp, v);
  size[1] = 10;
  NO_VIEW("na=10", dc_view_concat_vjp, v);
  size[1] = 3;
  DONE(dc_view_concat_vjp, v);
  size_is(4, 2, 3, 6, 4);
  shape_is(&v, 1, 3, 2, 3, 4);
  shape_is(&v, 2, 3, 2, 6, 4);
  v = view(1, 2, 9, 4, 0);
  v.axis = 1;
  NO_VIEW("len is missing", dc_view_slice, v);
  size[3] = 5;
  DONE(dc_view_slice, v);
  size_is(4, 2, 9, 4, 5);
  shape_is(&v, 1, 3, 2, 5, 4);
  v = view(1, 2, 5, 4, 0);
  v.axis = 1;
  size[1] = 9;
  DONE(dc_view_slice_vjp, v);
  size_is(4, 2, 9, 4, 5);
  shape_is(&v, 1, 3, 2, 9, 4);
  /* no element, and sizes that no product holds */
  v = view(1, 1, 1, 1, 1, 0);
  v.shape[0][0] = 0;
  v.shape[0][2] = v.shape[0][3] = INT64_MAX;
  size[3] = 0;
  NO_VIEW("beyond 2^63", dc_view_slice, v);
}
END_TEST

START_TEST(reductions_along_any_axis)
{
  dc_view v = view(1, 2, 9, 4, 0);
  v.axis = 1;
  DONE(dc_view_reduce, v);
  size_is(3, 2, 9, 4);
  shape_is(&v, 1, 2, 2, 4);
  v.axis = -4;
  NO_VIEW("from -3 to 2", dc_view_reduce, v);
  v = view(1, 7, 0);
  DONE(dc_view_reduce, v);
  size_is(3, 1, 7, 1);
  shape_is(&v, 1, 0);
  /* back: the axis counts in dx, which has one more */
  v = view(1, 2, 4, 0);
  v.axis = 1;
  NO_VIEW("n is missing", dc_view_spread, v);
  size[1] = 9;
  DONE(dc_view_spread, v);
  size_is(3, 2, 9, 4);
  shape_is(&v, 1, 3, 2, 9, 4);
  v.axis = -1;
  size[1] = 5;
  DONE(dc_view_spread, v);
  size_is(3, 8, 5, 1);
  shape_is(&v, 1, 3, 2, 4, 5);
  v.axis = 3;
  size[1] = 5;
  NO_VIEW("from -3 to 2", dc_view_spread, v);
  v = view(3, 2, 9, 4, 0, 2, 4, 0, 2, 4, 0);
  v.axis = 1;
  DONE(dc_view_max_vjp, v);
  size_is(3, 2, 9, 4);
  shape_is(&v, 3, 3, 2, 9, 4);
  v = view(3, 2, 9, 4, 0, 2, 4, 0, 2, 3, 0);
  v.axis = 1;
  NO_VIEW("axis 1 of g is 3, must be 4", dc_view_max_vjp, v);
  v = view(3, 2, 9, 4, 0, 2, 9, 4, 0, 2, 4, 0);
  NO_VIEW("y has rank 3", dc_view_max_vjp, v);
}
END_TEST

START_TEST(axes_in_another_order)
{
  dc_view v = view(1, 2, 3, 4, 0);
  NO_VIEW("axes is missing", dc_view_permute, v);
  v.n_axes = 3;
  memcpy(v.axes, (int64_t[]){2, 0, -2}, sizeof(int64_t[3]));
  DONE(dc_view_permute, v);
  size_is(8, 2, 3, 4, 1, 1, 1, 1, 1);
  shape_is(&v, 1, 3, 4, 2, 3);
  ck_assert(attr[0] == 3 && attr[1] == 2 && attr[2] == 0 && attr[3] == -2 && attr[4] == 3);
  memcpy(v.shape[0], v.shape[1], sizeof v.shape[0]); /* and back */
  DONE(dc_view_permute_vjp, v);
  size_is(8, 2, 3, 4, 1, 1, 1, 1, 1);
  shape_is(&v, 1, 3, 2, 3, 4);
  v.axes[0] = 1;
  NO_VIEW("axis 1 stands twice", dc_view_permute, v);
  v.axes[0] = 3;
  NO_VIEW("from -3 to 2", dc_view_permute, v);
  v.n_axes = 2;
  NO_VIEW("must have 3", dc_view_permute_vjp, v);
}
END_TEST

START_TEST(neighbours_change_places)
{
  dc_view v = view(1, 2, 3, 4, 0);
  attr[1] = 1;
  DONE(dc_view_swap, v);
  size_is(8, 2, 3, 4, 1, 1, 1, 1, 1);
  shape_is(&v, 1, 3, 2, 4, 3);
  DONE(dc_view_swap_vjp, v);
  size_is(8, 2, 4, 3, 1, 1, 1, 1, 1);
  attr[1] = 2; /* there are no such two */
  DONE(dc_view_swap, v);
  shape_is(&v, 1, 3, 2, 3, 4);
  attr[1] = NAN;
  DONE(dc_view_swap, v);
  shape_is(&v, 1, 3, 3, 2, 4);
}
END_TEST

START_TEST(repeated_to_a_shape)
{
  dc_view v = view(1, 3, 1, 0);
  NO_VIEW("shape is missing", dc_view_broadcast, v);
  v.n_to = 3;
  memcpy(v.to, (int64_t[]){2, 3, 4}, sizeof(int64_t[3]));
  DONE(dc_view_broadcast, v);
  size_is(16, 1, 3, 1, 1, 1, 1, 1, 1, 2, 3, 4, 1, 1, 1, 1, 1);
  shape_is(&v, 1, 3, 2, 3, 4);
  ck_assert(attr[0] == 3);
  v.n_to = 1;
  NO_VIEW("rank", dc_view_broadcast, v);
  v = view(1, 2, 3, 4, 0);
  v.n_to = 2;
  memcpy(v.to, (int64_t[]){3, 1}, sizeof(int64_t[2]));
  DONE(dc_view_broadcast_vjp, v);
  size_is(16, 1, 3, 1, 1, 1, 1, 1, 1, 2, 3, 4, 1, 1, 1, 1, 1);
  shape_is(&v, 1, 2, 3, 1);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("views");
  TCase *t = tcase_create("hooks");
  suite_add_tcase(s, t);
  tcase_add_test(t, joins_along_any_axis);
  tcase_add_test(t, parts_along_any_axis);
  tcase_add_test(t, reductions_along_any_axis);
  tcase_add_test(t, axes_in_another_order);
  tcase_add_test(t, neighbours_change_places);
  tcase_add_test(t, repeated_to_a_shape);
  return aid_main(s);
}
