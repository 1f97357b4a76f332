/* Extents: what is met too rarely where sizes are drawn about warps and tiles, and is dear where all
 * dims are large. One dim goes there, the others stay next to nothing; which case goes where hangs on
 * its number alone, so that every run of 200 cases has been to each. */
#include "engine.h"

enum { STEP = 13 }; /* coprime to DC_TURNS: turns are spread over them */

/* Hidden sizes, projections and vocabularies of models that are in use. */
static const int64_t width[] = {768, 1600, 3072, 4096, 5120, 11008, 14336, 32000, 50257, 128256};
enum {
  WIDTHS = sizeof width / sizeof *width,
  FARS = 6,
  ODDS = 4,
  STRUCK = 4 /* the width with -Inf */
};

/* In a run of 200 cases a plan is gone through once. */
static const dc_extent_kind plan[] = {DC_WIDTH, DC_FAR,  DC_MANY,  DC_ODD,   DC_WIDTH, DC_WIDTH,
                                      DC_FAR,   DC_MANY, DC_ODD,   DC_WIDTH, DC_FAR,   DC_WIDTH,
                                      DC_WIDTH, DC_MANY, DC_ODD,   DC_FAR,   DC_WIDTH, DC_WIDTH,
                                      DC_ODD,   DC_FAR,  DC_WIDTH, DC_MANY,  DC_WIDTH, DC_FAR};
enum { PLAN = sizeof plan / sizeof *plan };

int64_t dc_turn(int64_t index) { return (int64_t)((uint64_t)index * STEP % DC_TURNS); }

dc_extent dc_extent_of(int64_t index, int large, int sim)
{
  dc_extent e = {.kind = DC_USUAL, .sim = sim, .at = -1};
  int64_t turn = dc_turn(index) - (DC_TURNS - DC_EXTENT_TURNS);
  if (large > 0 && index % large == large - 1) {
    e.kind = DC_LARGE;
    e.which = (int)(index / large % 1000);
  } else if (large > 0 && turn >= 0) {
    int64_t n = index / DC_TURNS * DC_EXTENT_TURNS + turn, round = n / PLAN;
    int all = 0, before = 0;
    e.kind = plan[n % PLAN];
    for (int i = 0; i < PLAN; i++) {
      all += plan[i] == e.kind;
      before += i < n % PLAN && plan[i] == e.kind;
    }
    e.which = (int)(round % 1000 * all + before);
  }
  return e;
}

/* The dims that the op sums over. */
static int summed(const dc_op *op, int *dim)
{
  int n = 0;
  for (int o = 0; o < op->n_out; o++)
    if (!op->glue->summed && op->glue->reduced[o].dim >= 0)
      dim[n++] = op->glue->reduced[o].dim;
  return n;
}

/* The dim of a tensor's last axis; -1: it has none, or the op says itself what its shapes are. */
static int last_dim(const dc_op *op, int tensor)
{
  const dc_tensor *t = &op->tensor[tensor];
  return op->glue->shape || t->rank == 0 ? -1 : t->dim[t->rank - 1];
}

/* What the simulator's time is enough for: one case a dim, and the longest of the widths is far along
 * the last one; of tiles, which take as long with one row in them as with 32, no more than the large
 * cases, as far ones. */
static dc_extent_kind spared(const dc_op *op, const dc_extent *e)
{
  int dims = op->glue->shape ? 2 : op->n_dims, turn = e->which % FARS;
  if (op->glue->far && e->kind == DC_LARGE)
    return DC_FAR;
  if (e->kind == DC_FAR && (op->glue->far || turn >= dims || turn == last_dim(op, op->n_in)))
    return DC_USUAL;
  if (e->kind == DC_WIDTH && op->glue->far && width[e->which % WIDTHS] > DC_GRID / 2)
    return DC_USUAL;
  return e->kind;
}

void dc_extent_suit(const dc_op *op, dc_extent *e)
{
  int dim[DC_OUTPUTS], n = summed(op, dim);
  e->at = -1;
  if (e->kind == DC_MANY && !op->glue->terms)
    e->kind = DC_USUAL;
  if (e->sim)
    e->kind = spared(op, e);
  e->far = op->glue->far && !e->sim ? op->glue->far : DC_GRID;
  if (e->kind == DC_MANY && n && e->which % 4 < 3)
    e->at = dim[e->which % n];
  if (e->kind == DC_WIDTH || e->kind == DC_ODD)
    e->at = last_dim(op, e->which % 2 ? op->n_in : 0);
}

/* Whether an element of -Inf leaves the others of its row something to say. */
static int takes_minus_inf(const dc_op *op)
{
  return op->glue->row_sum || strspn(op->classes, "ER") == strlen(op->classes);
}

void dc_extent_classes(dc_rng *r, dc_extent e, dc_case *c)
{
  const dc_op *op = c->op;
  dc_values v = e.kind == DC_ODD && dc_rng_below(r, 2) ? DC_INTEGERS : DC_UNIFORM, g = v;
  if (e.kind == DC_USUAL || e.kind == DC_LARGE)
    return;
  if (c->indices == DC_IX_EMPTY || (e.kind == DC_FAR && c->indices != DC_IX_OUTSIDE))
    c->indices = DC_IX_RANDOM;
  if (e.kind == DC_MANY) /* a block is missed where the sum is exact, or all of it is of one sign */
    v = g = op->glue->linear ? DC_INTEGERS : DC_OFFSET;
  if (takes_minus_inf(op) &&
      ((e.kind == DC_ODD && e.which % 2) || (e.kind == DC_WIDTH && e.which % WIDTHS == STRUCK)))
    v = DC_MINUS_INF;
  if (dc_has_values(op))
    c->values = v;
  else
    c->values = g == DC_INTEGERS ? DC_INTEGERS : DC_UNIFORM;
  if (op->is_vjp)
    c->cotangent = g;
}

/* The other dims, of `most` elements together at most. */
static void draw_beside(dc_rng *r, int n, int at, int64_t most, int64_t *size)
{
  for (int i = 0; i < n; i++) {
    if (i == at)
      continue;
    size[i] = 1 + dc_rng_below(r, most < 4 ? most : 4);
    most /= size[i];
  }
}

void dc_draw_extent(dc_rng *r, dc_extent e, int n, int64_t *size)
{
  const int64_t past = (int64_t)1 << 31;
  int at = e.at >= 0 && e.at < n                   ? e.at
           : e.kind == DC_FAR || e.kind == DC_MANY ? e.which % n
           : e.kind == DC_PAST                     ? 0
                                                   : n - 1;
  int64_t product = 1;
  switch (e.kind) {
  case DC_FAR:
    size[at] = (e.far ? e.far : DC_GRID) + 2049 + dc_rng_below(r, 4096);
    draw_beside(r, n, at, 2, size);
    return;
  case DC_MANY:
    size[at] = e.which % 2 ? 4097 + dc_rng_below(r, 4096) : 32769 + dc_rng_below(r, 32768);
    draw_beside(r, n, at, 2, size);
    return;
  case DC_WIDTH:
    size[at] = width[e.which % WIDTHS];
    draw_beside(r, n, at, size[at] < 8192 ? 4 : 1, size);
    if (n > 1 && e.which % WIDTHS == STRUCK) /* each row is struck otherwise */
      size[at == 0] = 4;
    if (n > 1 && size[at] > 16384) /* no case for the watch over races, which takes longer */
      size[at == 0] = 1 + DC_GRID / size[at];
    return;
  case DC_ODD:
    size[at] = 513 + 128 * (e.which % ODDS) + 2 * dc_rng_below(r, 64);
    draw_beside(r, n, at, 8, size);
    return;
  default: /* rows of some thousands, which the reference goes through one by one */
    for (int i = n - 1; i > 0; i--) {
      size[i] = i == n - 1 ? 4096 + dc_rng_below(r, 8) : 1 + dc_rng_below(r, 3);
      product *= size[i];
    }
    size[0] = past / product + 1 + dc_rng_below(r, 8);
  }
}
