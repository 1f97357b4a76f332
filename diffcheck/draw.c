/* Drawing: random numbers, the values of tensors, and cases. Counter-based, so that a seed gives
 * the same case on every machine. */
#include "engine.h"

/* ---- random numbers: splitmix64 ---- */

static uint64_t mix(uint64_t z)
{
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

void dc_rng_seed(dc_rng *r, uint64_t seed, uint64_t stream)
{
  r->state = mix(seed + 0x9e3779b97f4a7c15u) ^ mix(stream * 0xd1342543de82ef95u + 1);
}

uint64_t dc_rng_next(dc_rng *r) { return mix(r->state += 0x9e3779b97f4a7c15u); }

int64_t dc_rng_below(dc_rng *r, int64_t n)
{
  return (int64_t)(((unsigned __int128)dc_rng_next(r) * (uint64_t)n) >> 64);
}

double dc_rng_uniform(dc_rng *r) { return (double)(int64_t)dc_rng_next(r) * 0x1p-63; }

/* ---- values ---- */

/* Non-finite numbers at a few places, and in half of the cases a run of -Inf, which fills short
 * rows entirely. */
static void plant(dc_rng *r, int64_t n, float *x)
{
  static const float bad[] = {NAN, INFINITY, -INFINITY, -NAN};
  for (int64_t k = 1 + dc_rng_below(r, 3); k > 0; k--)
    x[dc_rng_below(r, n)] = bad[dc_rng_below(r, 4)];
  if (dc_rng_below(r, 2)) {
    int64_t at = dc_rng_below(r, n), len = 1 + dc_rng_below(r, 40);
    for (int64_t i = at; i < n && i < at + len; i++)
      x[i] = -INFINITY;
  }
}

static float one(dc_rng *r, dc_values v, const float *pool)
{
  double z = dc_rng_uniform(r);
  switch (v) {
  case DC_OFFSET:
    return (float)(1e4 + z);
  case DC_TAIL:
    return (float)(z / (1 + 1e-6 - fabs(z)));
  case DC_WIDE:
    return (float)ldexp(z, (int)dc_rng_below(r, 81) - 40);
  case DC_SUBNORMAL:
    return (float)(z * 0x1p-126);
  case DC_ZEROS:
    return z < 0 ? -0.0f : 0.0f;
  case DC_TIES:
    return pool[dc_rng_below(r, 3)];
  case DC_EQUAL:
    return pool[0];
  case DC_INTEGERS:
    return (float)(dc_rng_below(r, 17) - 8);
  case DC_ONES:
    return 1;
  default:
    return (float)z;
  }
}

void dc_fill_values(dc_rng *r, dc_values v, int64_t n, float *x)
{
  float pool[3];
  for (int i = 0; i < 3; i++)
    pool[i] = (float)(4 * dc_rng_uniform(r));
  for (int64_t i = 0; i < n; i++)
    x[i] = one(r, v, pool);
  if (v == DC_SPECIAL && n > 0)
    plant(r, n, x);
}

static int64_t outside(dc_rng *r, int64_t limit)
{
  switch (dc_rng_below(r, 6)) {
  case 0:
    return -1;
  case 1:
    return limit;
  case 2:
    return INT64_MIN;
  case 3:
    return INT64_MAX;
  case 4:
    return -1 - dc_rng_below(r, 1 << 20);
  default:
    return limit + dc_rng_below(r, 1 << 20);
  }
}

static int ascending(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

void dc_fill_indices(dc_rng *r, dc_indices v, int64_t limit, int64_t n, int64_t *x)
{
  if (n <= 0)
    return;
  int64_t few = limit < 3 ? limit : 3;
  for (int64_t i = 0; i < n; i++) {
    if (limit <= 0 || (v == DC_IX_OUTSIDE && dc_rng_below(r, 3) == 0))
      x[i] = outside(r, limit < 0 ? 0 : limit);
    else
      x[i] = dc_rng_below(r, v == DC_IX_DUPLICATED ? few : limit);
  }
  if (v == DC_IX_EQUAL)
    for (int64_t i = 1; i < n; i++)
      x[i] = x[0];
  if (v == DC_IX_SORTED || v == DC_IX_REVERSED)
    qsort(x, (size_t)n, sizeof *x, ascending);
  if (v == DC_IX_REVERSED)
    for (int64_t i = 0, j = n - 1; i < j; i++, j--) {
      int64_t t = x[i];
      x[i] = x[j];
      x[j] = t;
    }
}

/* ---- cases ---- */

static int64_t pick(dc_rng *r, const int64_t *list, int n) { return list[dc_rng_below(r, n)]; }
#define PICK(r, ...) \
  pick(r, (const int64_t[]){__VA_ARGS__}, (int)(sizeof((const int64_t[]){__VA_ARGS__}) / 8))

static int64_t small(dc_rng *r) { return PICK(r, 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 32, 33); }

/* Every dim just above or below 128, or all but one: where kernels change their tiles. */
static void draw_broad(dc_rng *r, int n_dims, int64_t *size)
{
  int other = (int)dc_rng_below(r, 2 * n_dims);
  for (int i = 0; i < n_dims; i++)
    size[i] = i == other ? small(r) : PICK(r, 127, 128, 129, 131, 160);
}

/* Dim `at` is the interesting one; the others keep the product of all of them below cap. */
static void draw_around(dc_rng *r, int n_dims, int at, int64_t special, int64_t cap, int64_t *size)
{
  int64_t product = special;
  for (int i = 0; i < n_dims; i++) {
    size[i] = i == at ? special : small(r);
    if (i == at)
      continue;
    if (product * size[i] > cap)
      size[i] = 1 + (cap > product ? dc_rng_below(r, cap / product < 4 ? cap / product : 4) : 0);
    product *= size[i];
  }
}

static void draw_sizes(dc_rng *r, int n_dims, int large, int64_t *size)
{
  int64_t special, kind = dc_rng_below(r, 50);
  int at = (int)dc_rng_below(r, n_dims);
  if (large) { /* a huge row or column, more than 65535 of a grid dimension */
    special =
        n_dims == 1 ? PICK(r, 65537, 262144, 1048577) : PICK(r, 9973, 16385, 65537, 70001, 131071);
    draw_around(r, n_dims, at, special, 5 * special, size);
    return;
  }
  if (kind < 34)
    draw_around(r, n_dims, at, small(r), 1024, size);
  else if (kind < 45)
    draw_around(r, n_dims, at, PICK(r, 64, 97, 127, 128, 129, 255, 257, 509), 2048, size);
  else if (kind < 48)
    draw_around(r, n_dims, at,
                at == n_dims - 1 ? PICK(r, 1021, 1023, 1024, 1025, 2048, 4099, 9973, 20011)
                                 : PICK(r, 1000, 1021, 1023, 1024, 1025, 2048),
                8192, size);
  else
    draw_broad(r, n_dims, size);
  if (dc_rng_below(r, 25) == 0)
    size[dc_rng_below(r, n_dims)] = 0;
}

static dc_values draw_values(dc_rng *r)
{
  static const dc_values bag[] = {DC_UNIFORM, DC_UNIFORM, DC_UNIFORM, DC_INTEGERS,  DC_INTEGERS,
                                  DC_OFFSET,  DC_TAIL,    DC_WIDE,    DC_SUBNORMAL, DC_ZEROS,
                                  DC_TIES,    DC_EQUAL,   DC_SPECIAL};
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

/* A scale factor: exact powers of two for the integer tier, else anything moderate. */
static double draw_real(dc_rng *r, dc_values v)
{
  static const double plain[] = {1, 1, -1, 2, 0.5, 0};
  if (v == DC_INTEGERS || dc_rng_below(r, 2))
    return plain[dc_rng_below(r, 6)];
  return (double)(float)(3 * dc_rng_uniform(r));
}

void dc_case_draw(dc_case *c, const dc_op *op, const dc_fixed *fixed, uint64_t seed, int64_t index,
                  int large)
{
  dc_rng r;
  dc_rng_seed(&r, seed ^ name_hash(op->name), (uint64_t)index);
  dc_case_init(c, op);
  c->seed = dc_rng_next(&r) >> 32;
  draw_sizes(&r, op->n_dims, large > 0 && index % large == large - 1, c->size);
  c->values = dc_has_values(op) ? draw_values(&r) : DC_UNIFORM;
  if (op->is_vjp)
    c->cotangent = draw_cotangent(&r, c->values);
  if (!dc_has_values(op))
    c->values = c->cotangent == DC_INTEGERS ? DC_INTEGERS : DC_UNIFORM;
  for (int i = 0; i < op->n_attrs; i++)
    c->attr[i] = dc_attr_is_integer(op, i) ? (double)dc_rng_below(&r, 2) : draw_real(&r, c->values);
  int it = dc_index_tensor(op);
  if (it >= 0) {
    int64_t k = dc_rng_below(&r, 3 * DC_N_INDICES); /* EMPTY once in 21 */
    c->indices = (dc_indices)(k < DC_N_INDICES ? k : k % (DC_N_INDICES - 1));
    if (c->indices == DC_IX_EMPTY)
      c->size[op->tensor[it].dim[0]] = 0;
  }
  if (dc_rng_below(&r, 3) == 0)
    c->misaligned = (unsigned)dc_rng_below(&r, (int64_t)1 << (op->n_in + op->n_out));
  c->accumulate = op->is_vjp ? (int)(index & 1) : 0;

  for (int i = 0; i < op->n_dims; i++)
    if (fixed->size[i] >= 0)
      c->size[i] = fixed->size[i];
  for (int i = 0; i < op->n_attrs; i++)
    if (!isnan(fixed->attr[i]))
      c->attr[i] = fixed->attr[i];
  if (fixed->values >= 0)
    c->values = (dc_values)fixed->values;
  if (fixed->cotangent >= 0)
    c->cotangent = (dc_values)fixed->cotangent;
  if (fixed->indices >= 0)
    c->indices = (dc_indices)fixed->indices;
  if (fixed->accumulate >= 0)
    c->accumulate = fixed->accumulate;
  if (fixed->misaligned >= 0)
    c->misaligned = (unsigned)fixed->misaligned;
  for (int t = 0; t < op->n_in; t++)
    c->given[t] = fixed->given[t];
  memcpy(c->variant, fixed->variant, sizeof c->variant);
}
