/* broadcast_to and its VJP: x and y by their sizes axis for axis, x0 .. beside d0 .. . Axes from
 * `rank` on have size 1 in both. */
#include "../../ref/broadcast.h"
#include "glue.h"

enum { RANK = DC_RANK };

/* ---- x may have fewer axes than y: half of those of size 1 that it begins with are left out ---- */

static int left_out(const int64_t *size, const double *attr)
{
  int rank = (int)attr[0], n = 0;
  while (n < rank && size[n] == 1)
    n++;
  return n / 2;
}
#define X_RANK ((int)c->attr[0] - left_out(c->size, c->attr))
#define X_SHAPE (c->size + left_out(c->size, c->attr))
#define SHAPES X_RANK, X_SHAPE, (int)c->attr[0], c->size + RANK

static int shape_of(const dc_op *op, int tensor, const int64_t *size, const double *attr,
                    int64_t *shape)
{
  int of_x = strchr(op->tensor[tensor].name, 'x') != NULL; /* x, dx; y, g */
  for (int i = 0; i < (int)attr[0]; i++)
    shape[i] = size[of_x ? i : RANK + i];
  return (int)attr[0];
}

static const char *refuse(const int64_t *size, const double *attr)
{
  int rank = (int)attr[0];
  for (int i = 0; i < RANK; i++) {
    long long x = size[i], d = size[RANK + i];
    if (i >= rank && (x != 1 || d != 1))
      return dc_why("x%d is %lld and d%d is %lld, must be 1: rank is %d", i, x, i, d, rank);
    if (x != 1 && x != d)
      return dc_why("x%d is %lld, must be 1 or d%d, which is %lld", i, x, i, d);
  }
  return NULL;
}

/* Neighbours are often both kept or both repeated: kernels merge them. */
static void draw(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  int kept = (int)dc_rng_below(r, 2);
  attr[0] = dc_draw_rank(r, want, size + RANK);
  for (int i = 0; i < RANK; i++) {
    kept = dc_rng_below(r, 5) < 2 ? kept : !kept;
    size[i] = kept || i >= (int)attr[0] ? size[RANK + i] : 1;
  }
}

/* Without axis k; with axis k - rank of half its size; with axis k - 2 rank of one less. */
static int simpler(int k, int64_t *size, double *attr)
{
  int rank = (int)attr[0], i = rank ? k % rank : 0;
  if (k >= 3 * rank)
    return 0;
  for (int t = 0; t < 2 * RANK; t += RANK) {
    int64_t *s = size + t;
    if (k < rank) {
      memmove(s + i, s + i + 1, (size_t)(RANK - 1 - i) * sizeof *s);
      s[RANK - 1] = 1;
    } else if (s[i] > 1)
      s[i] = k < 2 * rank ? s[i] / 2 : s[i] - 1;
  }
  attr[0] -= k < rank;
  return 1;
}

#define BROADCAST                                                                                  \
  .shape = shape_of, .check = refuse, .draw = draw, .simpler = simpler, .attr = {DC_ATTR_INTEGER}, \
  .attr_default = {RANK}, .attr_most = {RANK}, .linear = 1

REFERENCE(broadcast_to) { ref_broadcast_to(SHAPES, X(0), y[0]); }
LAUNCH(broadcast_to) { return b->broadcast_to(ex, SHAPES, IN(0), OUT(1)); }
const dc_glue dc_glue_broadcast_to = {EXACT(broadcast_to), NO_SUM, .view = dc_view_broadcast,
                                      .layout = {"(x0, .., x[rank-1])", "(d0, .., d[rank-1])"},
                                      BROADCAST};

REFERENCE(broadcast_to_vjp) { ref_broadcast_to_vjp(SHAPES, X(0), y[0]); }
BOUND(broadcast_to_vjp) { bound_broadcast_to_vjp(SHAPES, X(0), A, e[0]); }
LAUNCH(broadcast_to_vjp) { return b->broadcast_to_vjp(ex, c->accumulate, SHAPES, IN(0), OUT(1)); }
TERMS(broadcast_to_vjp)
{
  int64_t n = 1;
  for (int i = 0; i < RANK; i++)
    n *= size[i] == 1 ? size[RANK + i] : 1;
  return n;
}
/* The longest of the axes that are summed over. */
static int summed(const int64_t *size, const double *attr, int output)
{
  int at = -1;
  (void)output;
  for (int i = 0; i < (int)attr[0]; i++)
    if (size[i] == 1 && size[RANK + i] > 1 && (at < 0 || size[RANK + i] > size[RANK + at]))
      at = i;
  return at;
}
const dc_glue dc_glue_broadcast_to_vjp = {BOUNDED(broadcast_to_vjp),
                                          .view = dc_view_broadcast_vjp,
                                          .terms = broadcast_to_vjp_terms,
                                          .summed = summed,
                                          .layout = {"(d0, .., d[rank-1])", "(x0, .., x[rank-1])"},
                                          .reduced = {{0, -1}, {0, -1}},
                                          BROADCAST};
