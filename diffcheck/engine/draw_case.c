/* Drawing cases: sizes, attributes, classes. */
#include "engine.h"
#include "rows.h"

/* ---- sizes ---- */

static int64_t pick(dc_rng *r, const int64_t *list, int n) { return list[dc_rng_below(r, n)]; }
#define PICK(r, ...) \
  pick(r, (const int64_t[]){__VA_ARGS__}, (int)(sizeof((const int64_t[]){__VA_ARGS__}) / 8))

int64_t dc_draw_small(dc_rng *r) { return PICK(r, 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 32, 33); }

/* Every dim just above or below 128, or all but one: where kernels change their tiles. Of more
 * than three dims it is two of them. */
static void draw_broad(dc_rng *r, int n, int64_t *size)
{
  int other = (int)dc_rng_below(r, 2 * n), second = (int)dc_rng_below(r, n);
  for (int i = 0; i < n; i++)
    if (n > 3)
      size[i] = i == other % n || i == second ? PICK(r, 127, 128, 129, 131, 160) : PICK(r, 1, 1, 2);
    else
      size[i] = i == other ? dc_draw_small(r) : PICK(r, 127, 128, 129, 131, 160);
}

/* Dim `at` is the interesting one; the others keep the product of all of them below cap. */
static void draw_around(dc_rng *r, int n, int at, int64_t special, int64_t cap, int64_t *size)
{
  int64_t product = special;
  for (int i = 0; i < n; i++) {
    size[i] = i == at ? special : dc_draw_small(r);
    if (i == at)
      continue;
    if (product * size[i] > cap)
      size[i] = 1 + (cap > product ? dc_rng_below(r, cap / product < 4 ? cap / product : 4) : 0);
    product *= size[i];
  }
}

void dc_draw_sizes(dc_rng *r, dc_extent e, int n, int64_t *size)
{
  if (n < 1)
    return;
  if (e.kind != DC_USUAL && e.kind != DC_LARGE) {
    dc_draw_extent(r, e, n, size);
    return;
  }
  int64_t special, kind = dc_rng_below(r, 50);
  int at = (int)dc_rng_below(r, n);
  if (e.kind == DC_LARGE) { /* a huge row or column, more than 65535 of a grid dimension */
    special = n == 1 ? PICK(r, 65537, 262144, 1048577) : PICK(r, 9973, 16385, 65537, 70001, 131071);
    draw_around(r, n, at, special, 5 * special, size);
    return;
  }
  if (kind < 34)
    draw_around(r, n, at, dc_draw_small(r), 1024, size);
  else if (kind < 45)
    draw_around(r, n, at, PICK(r, 64, 97, 127, 128, 129, 255, 257, 509), 2048, size);
  else if (kind < 48)
    draw_around(r, n, at,
                at == n - 1 ? PICK(r, 1021, 1023, 1024, 1025, 2048, 4099, 9973, 20011)
                            : PICK(r, 1000, 1021, 1023, 1024, 1025, 2048),
                8192, size);
  else
    draw_broad(r, n, size);
  if (dc_rng_below(r, 25) == 0)
    size[dc_rng_below(r, n)] = 0;
}

int dc_draw_rank(dc_rng *r, dc_extent e, int64_t *size)
{
  int rank = (int)PICK(r, 0, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 6, 7, 8);
  if (e.kind != DC_USUAL && rank == 0)
    rank = 3;
  for (int i = 0; i < DC_RANK; i++)
    size[i] = 1;
  dc_draw_sizes(r, e, rank, size);
  return rank;
}

void dc_draw_rows(dc_rng *r, dc_extent e, int64_t *size, double *attr)
{
  (void)attr;
  if (e.sim && e.kind == DC_FAR) /* a block a row: 65536 of them take it seconds */
    e.at = 1;
  dc_draw_sizes(r, e, 2, size);
  if (e.sim && e.kind == DC_MANY && size[0] > 4096)
    size[0] = 4097 + size[0] % 1024;
  if (e.kind == DC_USUAL && dc_rng_below(r, 8) == 0) {
    int64_t over = dc_rng_below(r, 2) ? 4 : 1 + dc_rng_below(r, 3);
    size[0] = 1 + dc_rng_below(r, 3);
    size[1] =
        dc_rng_below(r, 2) ? 1024 << dc_rng_below(r, 4) : 16384 + 4 * dc_rng_below(r, 1024) + over;
  }
}

/* ---- attributes ---- */

/* Exact powers of two for the integer tier, else anything moderate. */
double dc_draw_real(dc_rng *r, int integers)
{
  static const double plain[] = {1, 1, -1, 2, 0.5, 0};
  if (integers || dc_rng_below(r, 2))
    return plain[dc_rng_below(r, 6)];
  return (double)(float)(3 * dc_rng_uniform(r));
}

static double draw_real(dc_rng *r, double least, double most, int integers)
{
  if (least > 0) { /* of any magnitude */
    double low = fmax(log2(least), -40), high = fmin(log2(most), 10);
    double a = (float)exp2(low + (high - low) * fabs(dc_rng_uniform(r)));
    return fmax(least, fmin(most, a));
  }
  if (least == 0 && most == 1) {
    double a = (float)fabs(dc_rng_uniform(r));
    return dc_rng_below(r, 2) ? a : (double)dc_rng_below(r, 3) / 2;
  }
  if (isinf(most) && dc_rng_below(r, 16) == 0)
    return isinf(least) && dc_rng_below(r, 2) ? least : most;
  for (int tries = 0; tries < 64; tries++) {
    double a = dc_draw_real(r, integers);
    if (a >= least && a <= most)
      return a;
  }
  return isfinite(least) ? least : most;
}

/* Its limits, small numbers, about powers of two, anything. */
static double draw_integer(dc_rng *r, double least, double most)
{
  int64_t low = (int64_t)least, high = (int64_t)most, a = low;
  switch (dc_rng_below(r, 8)) {
  case 0:
    return least;
  case 1:
    return most;
  case 2:
    a = ((int64_t)1 << dc_rng_below(r, 53)) + dc_rng_below(r, 3) - 1;
    break;
  case 3:
  case 4:
    a = dc_rng_below(r, 17);
    break;
  default:
    a = low + dc_rng_below(r, high - low + 1);
  }
  return (double)(a < low ? low : a > high ? high : a);
}

static double draw_attr(dc_rng *r, const dc_op *op, int i, int integers)
{
  double least, most;
  dc_attr_range(op, i, &least, &most);
  switch (op->glue->attr[i]) {
  case DC_ATTR_FLAG:
    return (double)dc_rng_below(r, 2);
  case DC_ATTR_INTEGER:
    return draw_integer(r, least, most);
  default:
    return draw_real(r, least, most, integers);
  }
}

/* ---- classes ---- */

static dc_values draw_values(dc_rng *r, const dc_op *op)
{
  static const dc_values bag[] = {DC_UNIFORM, DC_UNIFORM, DC_UNIFORM, DC_INTEGERS,  DC_INTEGERS,
                                  DC_OFFSET,  DC_TAIL,    DC_WIDE,    DC_SUBNORMAL, DC_ZEROS,
                                  DC_TIES,    DC_EQUAL,   DC_SPECIAL, DC_KINKS};
  if (op->glue->kinks && dc_rng_below(r, 6) == 0)
    return DC_KINKS;
  return bag[dc_rng_below(r, (int64_t)(sizeof bag / sizeof *bag))];
}

/* Never all ones nor all equal: those hide a cotangent that is ignored. */
static dc_values draw_cotangent(dc_rng *r, dc_values values)
{
  static const dc_values bag[] = {DC_UNIFORM, DC_UNIFORM,  DC_UNIFORM, DC_UNIFORM,
                                  DC_TAIL,    DC_WIDE,     DC_TIES,    DC_OFFSET,
                                  DC_SPECIAL, DC_INTEGERS, DC_INTEGERS};
  if (values == DC_INTEGERS && dc_rng_below(r, 4))
    return DC_INTEGERS;
  return bag[dc_rng_below(r, (int64_t)(sizeof bag / sizeof *bag))];
}

/* Of the classes that are all of one kind, some of the cases: from random numbers of their own, so
 * that the others of a seed are what they were. */
static void draw_rare(dc_rng *r, dc_case *c)
{
  static const dc_values rare[] = {DC_HUGE, DC_MINUS_INF};
  dc_values v = rare[dc_rng_below(r, 2)], g = rare[dc_rng_below(r, 2)];
  if (dc_has_values(c->op) && c->values != DC_INTEGERS && dc_rng_below(r, 7) == 0)
    c->values = v;
  if (c->op->is_vjp && c->cotangent != DC_INTEGERS && dc_rng_below(r, 14) == 0)
    c->cotangent = g;
}

static uint64_t name_hash(const char *s)
{
  uint64_t h = 0xcbf29ce484222325u;
  for (; *s; s++)
    h = (h ^ (unsigned char)*s) * 0x100000001b3u;
  return h;
}

int dc_index_tensor(const dc_op *op)
{
  for (int t = 0; t < op->n_in; t++)
    if (op->tensor[t].dtype == DC_I64)
      return t;
  return -1;
}

int dc_has_values(const dc_op *op)
{
  for (int t = 0; t < op->n_in; t++)
    if (op->tensor[t].dtype == DC_F32 && !dc_is_cotangent(op, t))
      return 1;
  return 0;
}

/* More than 2^31 elements in the tensor of the highest rank, the other dims 1, or the few that
 * indices are. */
static void draw_past(const dc_op *op, dc_rng *r, dc_extent e, int64_t *size)
{
  int64_t of[DC_RANK] = {0};
  const dc_tensor *most = &op->tensor[0];
  for (int t = 1; t < op->n_in + op->n_out; t++)
    most = op->tensor[t].rank > most->rank ? &op->tensor[t] : most;
  for (int i = 0; i < op->n_dims; i++)
    size[i] = dc_index_tensor(op) >= 0 ? dc_draw_small(r) : 1;
  dc_draw_sizes(r, e, most->rank, of);
  for (int i = 0; i < most->rank; i++)
    size[most->dim[i]] = of[i];
}

/* Sizes and attributes, those of `fixed` as they are. */
static void draw_shape(dc_case *c, const dc_fixed *fixed, dc_extent e, dc_rng *r)
{
  const dc_op *op = c->op;
  int it = dc_index_tensor(op);
  for (int i = 0; i < op->n_attrs; i++)
    c->attr[i] = NAN;
  if (op->glue->draw)
    op->glue->draw(r, e, c->size, c->attr);
  else if (e.kind == DC_PAST)
    draw_past(op, r, e, c->size);
  else
    dc_draw_sizes(r, e, op->n_dims, c->size);
  if (e.kind == DC_FAR && it >= 0 && op->tensor[it].rank && !op->glue->within &&
      c->size[0] > DC_GRID)
    c->size[op->tensor[it].dim[0]] = 256; /* so that some of the indices are far */
  for (int i = 0; i < op->n_attrs; i++)
    if (isnan(c->attr[i]))
      c->attr[i] = draw_attr(r, op, i, c->values == DC_INTEGERS);
  if (it >= 0 && c->indices == DC_IX_EMPTY)
    c->size[op->tensor[it].dim[0]] = 0;
  for (int i = 0; i < op->n_dims; i++)
    if (fixed->size[i] >= 0)
      c->size[i] = fixed->size[i];
  for (int i = 0; i < op->n_attrs; i++)
    if (!isnan(fixed->attr[i]))
      c->attr[i] = fixed->attr[i];
}

/* Whether a size is fixed that makes too much of what was drawn beside it. */
static int outgrown(const dc_case *c, const dc_fixed *fixed, dc_extent e)
{
  const int64_t most = 1 << 21;
  int any = 0;
  if (e.kind == DC_PAST)
    return 0;
  for (int i = 0; i < c->op->n_dims; i++)
    any |= fixed->size[i] >= 0;
  for (int t = 0; any && e.kind != DC_USUAL && t < c->op->n_in + c->op->n_out; t++) {
    int64_t n = dc_count(c->op, t, c->size, c->attr);
    if (n < 0 || n > most)
      return 1;
  }
  return 0;
}

int dc_case_draw_to(dc_case *c, const dc_op *op, const dc_fixed *fixed, uint64_t seed,
                    int64_t index, dc_extent e)
{
  enum { TRIES = 20000 }; /* what is fixed may leave few of an op's cases: axes, and a rank */
  dc_rng r, other;
  dc_rng_seed(&r, seed ^ name_hash(op->name), (uint64_t)index);
  dc_rng_seed(&other, ~seed ^ name_hash(op->name), (uint64_t)index);
  dc_case_init(c, op);
  c->seed = dc_rng_next(&r) >> 32;
  c->values = dc_has_values(op) ? draw_values(&r, op) : DC_UNIFORM;
  if (op->is_vjp)
    c->cotangent = draw_cotangent(&r, c->values);
  if (!dc_has_values(op))
    c->values = c->cotangent == DC_INTEGERS ? DC_INTEGERS : DC_UNIFORM;
  if (dc_index_tensor(op) >= 0) {
    int64_t k = dc_rng_below(&r, 3 * DC_N_INDICES); /* EMPTY once in 21 */
    c->indices = (dc_indices)(k < DC_N_INDICES ? k : k % (DC_N_INDICES - 1));
  }
  draw_rare(&other, c);
  dc_extent_suit(op, &e);
  dc_extent_classes(&other, e, c);
  if (fixed->indices >= 0)
    c->indices = (dc_indices)fixed->indices;
  int tries = 0, again;
  do {
    draw_shape(c, fixed, e, &r);
    again = op->glue->check && !dc_case_attrs(c, NULL) && op->glue->check(c->size, c->attr);
    if (!again && outgrown(c, fixed, e)) {
      e.kind = DC_USUAL;
      again = 1;
    }
  } while (again && ++tries < TRIES);
  if (dc_rng_below(&r, 3) == 0)
    c->misaligned = (unsigned)dc_rng_below(&r, (int64_t)1 << (op->n_in + op->n_out));
  c->accumulate = op->is_vjp && e.kind != DC_PAST ? (int)(index & 1) : 0;

  if (fixed->values >= 0)
    c->values = (dc_values)fixed->values;
  if (fixed->cotangent >= 0)
    c->cotangent = (dc_values)fixed->cotangent;
  if (fixed->accumulate >= 0)
    c->accumulate = fixed->accumulate;
  if (fixed->misaligned >= 0)
    c->misaligned = (unsigned)fixed->misaligned;
  for (int t = 0; t < op->n_in; t++)
    c->given[t] = fixed->given[t];
  memcpy(c->variant, fixed->variant, sizeof c->variant);
  memcpy(c->type, fixed->type, sizeof c->type);
  dc_gaps_draw(c, fixed);
  return tries + 1;
}

int dc_case_draw(dc_case *c, const dc_op *op, const dc_fixed *fixed, uint64_t seed, int64_t index,
                 int large)
{
  return dc_case_draw_to(c, op, fixed, seed, index, dc_extent_of(index, large, 1));
}
