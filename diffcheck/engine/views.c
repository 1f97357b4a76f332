/* The user's tensors of any rank as the tensors of an op that is stated on a view: dc_glue.view. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "engine.h"

enum { RANK = DC_RANK };

static void shape_like(dc_view *v, int tensor, int rank, const int64_t *shape)
{
  v->rank[tensor] = rank;
  memcpy(v->shape[tensor], shape, (size_t)rank * sizeof *shape);
}

/* Sizes of axes: those that a tensor has not are 1. */
static void sizes(int64_t *size, int rank, const int64_t *shape)
{
  for (int i = 0; i < RANK; i++)
    size[i] = i < rank ? shape[i] : 1;
}

/* ---- along an axis, 0 where none is given: (outer, n, inner) ---- */

typedef struct along {
  int axis;
  int64_t outer, n, inner;
} along;

static const char *axis_of(const dc_view *v, int tensor, along *a)
{
  int rank = v->rank[tensor];
  int64_t axis = v->axis == INT64_MIN ? 0 : v->axis;
  if (axis < -rank || axis >= rank)
    return dc_why("axis=%" PRId64 ": must be from %d to %d for a tensor of rank %d", axis, -rank,
                  rank - 1, rank);
  a->axis = (int)(axis < 0 ? axis + rank : axis);
  a->outer = a->inner = 1;
  for (int i = 0; i < rank; i++) { /* a tensor of no elements may have sizes that overflow */
    int64_t *side = i < a->axis ? &a->outer : &a->inner;
    if (i != a->axis && __builtin_mul_overflow(*side, v->shape[tensor][i], side))
      return dc_why("the sizes beside axis %d have a product beyond 2^63", a->axis);
  }
  a->n = v->shape[tensor][a->axis];
  return NULL;
}

static void like_but(dc_view *v, int out, int in, const along *a, int64_t n)
{
  shape_like(v, out, v->rank[in], v->shape[in]);
  v->shape[out][a->axis] = n;
}

static const char *missing(const char *what)
{
  return dc_why("%s is missing: give it by --set %s=..", what, what);
}

const char *dc_view_concat(dc_view *v, int64_t *size, double *attr)
{
  along a, b;
  const char *why = axis_of(v, 0, &a);
  (void)attr;
  if (!why)
    why = axis_of(v, 1, &b);
  if (why)
    return why;
  if (v->rank[0] != v->rank[1])
    return dc_why("a has rank %d and b %d, must be the same", v->rank[0], v->rank[1]);
  for (int i = 0; i < v->rank[0]; i++)
    if (i != a.axis && v->shape[0][i] != v->shape[1][i])
      return dc_why("axis %d of a is %" PRId64 " and of b %" PRId64
                    ", must be the same: they are joined along axis %d",
                    i, v->shape[0][i], v->shape[1][i], a.axis);
  if (b.n > INT64_MAX - a.n)
    return dc_why("axis %d would be longer than 2^63", a.axis);
  size[0] = a.outer, size[1] = a.n, size[2] = b.n, size[3] = a.inner;
  like_but(v, 2, 0, &a, a.n + b.n);
  return NULL;
}

const char *dc_view_concat_vjp(dc_view *v, int64_t *size, double *attr)
{
  along a;
  const char *why = axis_of(v, 0, &a);
  (void)attr;
  if (why)
    return why;
  if (size[1] < 0)
    return missing("na");
  if (size[1] > a.n)
    return dc_why("na=%" PRId64 ": must be from 0 to %" PRId64 ", the length of axis %d", size[1],
                  a.n, a.axis);
  size[0] = a.outer, size[2] = a.n - size[1], size[3] = a.inner;
  like_but(v, 1, 0, &a, size[1]);
  like_but(v, 2, 0, &a, size[2]);
  return NULL;
}

/* of: the dim that the input's length is; other: the dim that --set gives, of the output. */
static const char *slice(dc_view *v, int64_t *size, int of, int other, const char *name)
{
  along a;
  const char *why = axis_of(v, 0, &a);
  if (why)
    return why;
  if (size[other] < 0)
    return missing(name);
  size[0] = a.outer, size[of] = a.n, size[2] = a.inner;
  like_but(v, 1, 0, &a, size[other]);
  return NULL;
}

const char *dc_view_slice(dc_view *v, int64_t *size, double *attr)
{
  (void)attr;
  return slice(v, size, 1, 3, "len");
}

const char *dc_view_slice_vjp(dc_view *v, int64_t *size, double *attr)
{
  (void)attr;
  return slice(v, size, 3, 1, "n");
}

/* ---- reductions along an axis: y is x without it ---- */

static void without(dc_view *v, int out, int in, const along *a)
{
  v->rank[out] = 0;
  for (int i = 0; i < v->rank[in]; i++)
    if (i != a->axis)
      v->shape[out][v->rank[out]++] = v->shape[in][i];
}

static void sizes_along(const along *a, int64_t *size)
{
  size[0] = a->outer, size[1] = a->n, size[2] = a->inner;
}

const char *dc_view_reduce(dc_view *v, int64_t *size, double *attr)
{
  along a;
  const char *why = axis_of(v, 0, &a);
  (void)attr;
  if (why)
    return why;
  sizes_along(&a, size);
  without(v, 1, 0, &a);
  return NULL;
}

/* The axis, of n elements, is put into the shape of g: it counts in dx. */
const char *dc_view_spread(dc_view *v, int64_t *size, double *attr)
{
  along a;
  const char *why;
  int rank = v->rank[0] + 1;
  int64_t axis = v->axis == INT64_MIN ? 0 : v->axis;
  (void)attr;
  if (size[1] < 0)
    return missing("n");
  if (rank > RANK)
    return dc_why("g has rank %d, must have less: dx has an axis more", v->rank[0]);
  if (axis < -rank || axis >= rank)
    return dc_why("axis=%" PRId64 ": must be from %d to %d for a dx of rank %d", axis, -rank,
                  rank - 1, rank);
  axis = axis < 0 ? axis + rank : axis;
  v->rank[1] = rank;
  for (int i = 0; i < rank; i++)
    v->shape[1][i] = i == axis ? size[1] : v->shape[0][i < axis ? i : i - 1];
  why = axis_of(v, 1, &a);
  if (!why)
    sizes_along(&a, size);
  return why;
}

const char *dc_view_max_vjp(dc_view *v, int64_t *size, double *attr)
{
  static const char *const name[] = {"x", "y", "g"};
  along a;
  dc_view line = *v;
  const char *why = axis_of(v, 0, &a);
  (void)attr;
  if (why)
    return why;
  without(&line, 1, 0, &a);
  for (int t = 1; t <= 2; t++) {
    if (v->rank[t] != line.rank[1])
      return dc_why("%s has rank %d, must have %d: that of x without axis %d", name[t], v->rank[t],
                    line.rank[1], a.axis);
    for (int i = 0; i < line.rank[1]; i++)
      if (v->shape[t][i] != line.shape[1][i])
        return dc_why("axis %d of %s is %" PRId64 ", must be %" PRId64 " as in x without axis %d",
                      i, name[t], v->shape[t][i], line.shape[1][i], a.axis);
  }
  sizes_along(&a, size);
  shape_like(v, 3, v->rank[0], v->shape[0]);
  return NULL;
}

/* ---- lists of axes: size[e] is axis e of x, attr[0] the rank ---- */

static const char *axes(const dc_view *v, double *attr, int64_t *axis)
{
  int rank = v->rank[0], used = 0;
  if (v->n_axes < 0)
    return missing("axes");
  if (v->n_axes != rank)
    return dc_why("axes has %d numbers, must have %d: the tensor's rank", v->n_axes, rank);
  attr[0] = rank;
  for (int e = 0; e < RANK; e++) {
    int64_t p = e < rank ? v->axes[e] : e;
    if (e < rank && (p < -rank || p >= rank))
      return dc_why("axes: %" PRId64 " must be from %d to %d", p, -rank, rank - 1);
    axis[e] = p < 0 ? p + rank : p;
    if (used >> axis[e] & 1)
      return dc_why("axes: axis %" PRId64 " stands twice", axis[e]);
    used |= 1 << axis[e];
    attr[1 + e] = (double)p;
  }
  return NULL;
}

const char *dc_view_permute(dc_view *v, int64_t *size, double *attr)
{
  int64_t axis[RANK];
  const char *why = axes(v, attr, axis);
  if (why)
    return why;
  sizes(size, v->rank[0], v->shape[0]);
  v->rank[1] = v->rank[0];
  for (int e = 0; e < v->rank[0]; e++)
    v->shape[1][e] = v->shape[0][axis[e]];
  return NULL;
}

const char *dc_view_permute_vjp(dc_view *v, int64_t *size, double *attr)
{
  int64_t axis[RANK];
  const char *why = axes(v, attr, axis);
  if (why)
    return why;
  sizes(size, 0, v->shape[0]);
  for (int e = 0; e < v->rank[0]; e++)
    size[axis[e]] = v->shape[0][e];
  shape_like(v, 1, v->rank[0], size);
  return NULL;
}

static void swapped(const dc_view *v, const double *attr, int64_t *shape)
{
  double depth = isnan(attr[1]) ? 0 : attr[1];
  memcpy(shape, v->shape[0], sizeof v->shape[0]);
  if (depth >= 0 && depth < v->rank[0] - 1) {
    int d = (int)depth;
    shape[d] = v->shape[0][d + 1];
    shape[d + 1] = v->shape[0][d];
  }
}

/* x's sizes are those of tensor `x`; the other has two of them swapped. */
static void swap(dc_view *v, int x, int64_t *size, double *attr)
{
  attr[0] = v->rank[1] = v->rank[0];
  swapped(v, attr, v->shape[1]);
  sizes(size, v->rank[x], v->shape[x]);
}

const char *dc_view_swap(dc_view *v, int64_t *size, double *attr)
{
  swap(v, 0, size, attr);
  return NULL;
}

const char *dc_view_swap_vjp(dc_view *v, int64_t *size, double *attr)
{
  swap(v, 1, size, attr);
  return NULL;
}

/* x of x_rank axes against y of rank axes, to its right; then 1s. */
static const char *broadcast(int x_rank, const int64_t *x, int rank, const int64_t *y,
                             int64_t *size, double *attr)
{
  if (x_rank > rank)
    return dc_why("x has rank %d and shape %d, must not have more", x_rank, rank);
  attr[0] = rank;
  sizes(size + RANK, rank, y);
  for (int i = 0; i < RANK; i++)
    size[i] = i < rank && i >= rank - x_rank ? x[i - (rank - x_rank)] : 1;
  return NULL;
}

const char *dc_view_broadcast(dc_view *v, int64_t *size, double *attr)
{
  if (v->n_to < 0)
    return missing("shape");
  shape_like(v, 1, v->n_to, v->to);
  return broadcast(v->rank[0], v->shape[0], v->n_to, v->to, size, attr);
}

const char *dc_view_broadcast_vjp(dc_view *v, int64_t *size, double *attr)
{
  if (v->n_to < 0)
    return missing("shape");
  shape_like(v, 1, v->n_to, v->to);
  return broadcast(v->n_to, v->to, v->rank[0], v->shape[0], size, attr);
}
