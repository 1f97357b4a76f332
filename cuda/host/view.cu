#include "../view.h"

#include <inttypes.h>

#include "check.h"

#define REFUSE(...) pm_fail(PM_BAD_ARGUMENT, op, __VA_ARGS__)

/* Elements of axes from .. to-1 in *count. A size of 0 counts last, so that sizes whose product is
 * too large are an error wherever the 0 stands. */
static pm_status count_axes(const char *op, const char *name, const int64_t *shape, int from,
                            int to, int64_t *count)
{
  int64_t product = 1;
  int none = 0;
  for (int i = from; i < to; i++) {
    if (shape[i] < 0)
      return REFUSE("%s[%d] = %" PRId64 ": must be >= 0", name, i, shape[i]);
    none = none || shape[i] == 0;
    if (shape[i] &&
        (__builtin_mul_overflow(product, shape[i], &product) || product > PM_MAX_ELEMENTS))
      return REFUSE("%s[%d] = %" PRId64 ": all sizes together must be at most 2^60-1 elements",
                    name, i, shape[i]);
  }
  *count = none ? 0 : product;
  return PM_OK;
}

static pm_status check_shape(const char *op, const char *rank_name, int rank, const char *name,
                             const int64_t *shape, int64_t *count)
{
  if (rank < 0 || rank > PM_MAX_RANK)
    return REFUSE("%s = %d: must be from 0 to %d", rank_name, rank, PM_MAX_RANK);
  if (!shape && rank)
    return REFUSE("%s = NULL: must point to %d sizes", name, rank);
  return count_axes(op, name, shape, 0, rank, count);
}

extern "C" pm_status pm_axis_view(int rank, const int64_t *shape, int axis, int64_t *outer,
                                  int64_t *n, int64_t *inner)
{
  const char *op = "axis_view";
  int64_t all, before = 0, after = 0;
  int at = axis < 0 ? axis + rank : axis;
  pm_status s = check_shape(op, "rank", rank, "shape", shape, &all);
  if (s != PM_OK)
    return s;
  if (axis < -rank || axis >= rank)
    return REFUSE("axis = %d: must be from -%d to %d - 1 in a tensor of rank %d", axis, rank, rank,
                  rank);
  if (!outer || !n || !inner)
    return REFUSE("%s = NULL: must point to an int64_t", !outer ? "outer" : !n ? "n" : "inner");
  s = count_axes(op, "shape", shape, 0, at, &before);
  if (s == PM_OK)
    s = count_axes(op, "shape", shape, at + 1, rank, &after);
  if (s == PM_OK)
    *outer = before, *n = shape[at], *inner = after;
  return s;
}

extern "C" pm_status pm_reshape_check(int rank, const int64_t *shape, int new_rank,
                                      const int64_t *new_shape)
{
  const char *op = "reshape";
  int64_t was = 0, is = 0;
  pm_status s = check_shape(op, "rank", rank, "shape", shape, &was);
  if (s == PM_OK)
    s = check_shape(op, "new_rank", new_rank, "new_shape", new_shape, &is);
  if (s == PM_OK && was != is)
    return REFUSE("new_shape has %" PRId64 " elements: must be %" PRId64 " as in shape", is, was);
  return s;
}
