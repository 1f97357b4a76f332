/* rope and rope_vjp. */
#include "../../ref/rope.h"
#include "glue.h"

enum { BATCH, SEQ, HEADS, HEAD_DIM }; /* dims */
enum { TABLE, BASE, POS_OFFSET };     /* attributes */

static int whole(const int64_t *size, int64_t *shape)
{
  for (int i = 0; i < 4; i++)
    shape[i] = size[i];
  return 4;
}

static int table(const int64_t *size, int64_t *shape)
{
  shape[0] = size[HEAD_DIM] / 2;
  return 1;
}

static int rope_shape(const dc_op *op, int tensor, const int64_t *size, const double *attr,
                      int64_t *shape)
{
  (void)op, (void)attr;
  return tensor == 1 ? table(size, shape) : whole(size, shape);
}

static int rope_vjp_shape(const dc_op *op, int tensor, const int64_t *size, const double *attr,
                          int64_t *shape)
{
  (void)op, (void)attr;
  return tensor == 0 ? table(size, shape) : whole(size, shape);
}

static const char *rope_check(const int64_t *size, const double *attr)
{
  if (size[HEAD_DIM] % 2)
    return dc_why("head_dim = %lld: must be even", (long long)size[HEAD_DIM]);
  if ((int64_t)attr[POS_OFFSET] > ROPE_POSITIONS - size[SEQ])
    return dc_why("pos_offset + seq must be at most 2^53: %lld + %lld", (long long)attr[POS_OFFSET],
                  (long long)size[SEQ]);
  return NULL;
}

/* Of files: the tensor that is turned, and the table beside it. */
static const char *rope_files(dc_view *v, int turned, int freq, int64_t *size)
{
  if (v->rank[turned] != 4)
    return dc_why("rank %d: must be 4, (batch, seq, heads, head_dim)", v->rank[turned]);
  for (int i = 0; i < 4; i++)
    size[i] = v->shape[turned][i];
  if (v->rank[freq] != 1 || v->shape[freq][0] != size[HEAD_DIM] / 2)
    return dc_why("inv_freq must have the shape (head_dim/2), (%lld)",
                  (long long)size[HEAD_DIM] / 2);
  v->rank[2] = whole(size, v->shape[2]);
  return NULL;
}

static const char *rope_view(dc_view *v, int64_t *size, double *attr)
{
  (void)attr;
  return rope_files(v, 0, 1, size);
}

static const char *rope_vjp_view(dc_view *v, int64_t *size, double *attr)
{
  (void)attr;
  return rope_files(v, 1, 0, size);
}

/* Positions from none on, some that models have, and where f32 has lost the angle. Bases that
 * models have, 1, and one below. */
static void rope_draw(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  static const double bases[] = {10000, 10000, 500000, 1e6, 100, 2, 1, 0.5};
  static const int64_t offsets[] = {0, 0, 0, 1, 7, 511, 4096, 131072, 999999, 1000000};
  dc_draw_sizes(r, want, 4, size);
  if (want.kind == DC_USUAL && size[HEAD_DIM] > 8 && dc_rng_below(r, 2))
    size[HEAD_DIM] -= size[HEAD_DIM] % 8;
  if (size[HEAD_DIM] % 2) /* its half is odd */
    size[HEAD_DIM] += size[HEAD_DIM] % 4;
  attr[BASE] = bases[dc_rng_below(r, 8)];
  attr[POS_OFFSET] = (double)offsets[dc_rng_below(r, 10)];
  if (dc_rng_below(r, 8) == 0)
    attr[POS_OFFSET] = (double)dc_rng_below(r, 1000000);
  else if (dc_rng_below(r, 64) == 0)
    attr[POS_OFFSET] = (double)(((int64_t)1 << 32) + dc_rng_below(r, 1000));
}

#define OF_ROPE                                                                                   \
  .attr = {DC_ATTR_FLAG, DC_ATTR_REAL, DC_ATTR_INTEGER}, .attr_default = {1, 10000, 0},           \
  .attr_least = {0, 0x1p-149, 0}, .attr_most = {1, FLT_MAX, ROPE_POSITIONS}, .check = rope_check, \
  .draw = rope_draw
#define LAYOUT_X "(batch, seq, heads, head_dim)"
#define LAYOUT_TABLE "(head_dim/2)"

REFERENCE(rope)
{
  ref_rope(N(0), N(1), N(2), N(3), FLAG(0), REAL(1), INTEGER(2), X(0), X(1), y[0]);
}
BOUND(rope)
{
  bound_rope(N(0), N(1), N(2), N(3), FLAG(0), REAL(1), INTEGER(2), X(0), X(1), A, e[0]);
}
LAUNCH(rope)
{
  return b->rope(ex, N(0), N(1), N(2), N(3), FLAG(0), (float)REAL(1), INTEGER(2), IN(0), IN(1),
                 OUT(2));
}
const dc_glue dc_glue_rope = {BOUNDED(rope),
                              EACH,
                              .domain = {DC_ANY, DC_UNIT},
                              .shape = rope_shape,
                              .view = rope_view,
                              .layout = {LAYOUT_X, LAYOUT_TABLE, LAYOUT_X},
                              OF_ROPE};

REFERENCE(rope_vjp)
{
  ref_rope_vjp(N(0), N(1), N(2), N(3), FLAG(0), REAL(1), INTEGER(2), X(0), X(1), y[0]);
}
BOUND(rope_vjp)
{
  bound_rope_vjp(N(0), N(1), N(2), N(3), FLAG(0), REAL(1), INTEGER(2), X(0), X(1), A, e[0]);
}
LAUNCH(rope_vjp)
{
  return b->rope_vjp(ex, c->accumulate, N(0), N(1), N(2), N(3), FLAG(0), (float)REAL(1), INTEGER(2),
                     IN(0), IN(1), OUT(2));
}
const dc_glue dc_glue_rope_vjp = {BOUNDED(rope_vjp),
                                  EACH,
                                  .domain = {DC_UNIT},
                                  .shape = rope_vjp_shape,
                                  .view = rope_vjp_view,
                                  .layout = {LAYOUT_TABLE, LAYOUT_X, LAYOUT_X},
                                  OF_ROPE};
