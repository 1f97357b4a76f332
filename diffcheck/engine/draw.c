/* Drawing: random numbers and the values of tensors. Counter-based, so that a seed gives the same
 * case on every machine. */
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

/* Finite, of 2^40 and above. style 1: squares are finite too; 2: to the end of the range, of either
 * sign; 3: the last two binades alone; 4: their negative half. */
static float huge(dc_rng *r, int style)
{
  static const int from[] = {40, 40, 126, 126}, to[] = {63, 128, 128, 128};
  int k = style < 1 ? 0 : style > 4 ? 3 : style - 1;
  double m = 1 + fabs(dc_rng_uniform(r)), sign = dc_rng_below(r, 2) && k < 3 ? 1 : -1;
  return (float)(sign * fmin(FLT_MAX, ldexp(m, from[k] + (int)dc_rng_below(r, to[k] - from[k]))));
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
  case DC_HUGE:
    return huge(r, (int)(1 + fabsf(pool[0])));
  case DC_ONES:
    return 1;
  default:
    return (float)z;
  }
}

/* Few values, those of interest, in every tensor: whatever stands at the same place in two of them
 * is often equal, or differs in the sign of zero or in the last bit. */
void dc_fill_kinks(dc_rng *r, const float *kink, int n_kinks, int64_t n, float *x)
{
  float pool[8 + 3 * DC_KINK_LIST] = {0, -0.0f, 1, -1, 0x1p-149f, -0x1p-149f, 0x1p-126f, 0.5f};
  int m = 8;
  for (int i = 0; i < n_kinks && i < DC_KINK_LIST; i++) {
    pool[m++] = kink[i];
    pool[m++] = nextafterf(kink[i], INFINITY);
    pool[m++] = nextafterf(kink[i], -INFINITY);
  }
  for (int64_t i = 0; i < n; i++) {
    int64_t k = dc_rng_below(r, m + m / 4);
    x[i] = k < m ? pool[k] : (float)dc_rng_uniform(r);
  }
}

static float confined(dc_domain d, float x)
{
  float a = fabsf(x), unit = a > 1 ? 1 / a : a;
  if (d == DC_POSITIVE)
    return x < 0 ? -x : x;
  if (d == DC_NOT_NEGATIVE)
    return a;
  if (d == DC_PROBABILITY)
    return x < 0 ? unit : copysignf(unit, x);
  if (d == DC_SMALL_WHOLE)
    return isinf(x) ? 8 : fmodf(floorf(a < 1 ? 9 * a : a), 9);
  return d == DC_UNIT ? copysignf(unit, x) : x;
}

/* Makes some elements 0, by what they are and where: none, all, stretches of them, or one in two. */
static void thin(int64_t n, float *x)
{
  uint32_t style = 0;
  for (int64_t i = 0; i < n; i++) {
    uint32_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    bits = (bits ^ (uint32_t)i * 0x9e3779b9u) * 0x85ebca6bu >> 16;
    if (i == 0)
      style = bits % 8;
    if (style == 0 || (style == 2 && i / 64 % 2) || (style > 2 && bits / 8 % 2))
      x[i] = 0;
  }
}

void dc_confine(dc_domain d, int64_t n, float *x)
{
  if (d == DC_MASK) {
    thin(n, x);
    return;
  }
  for (int64_t i = 0; d != DC_ANY && i < n; i++)
    if (!isnan(x[i]))
      x[i] = confined(d, x[i]);
}

/* What of a row is -Inf: its beginning, its end, tiles of it, what falls to one of the threads that
 * share it, single elements, all but one; none of it; now and then all. */
static void strike(dc_rng *r, int64_t n, float *x)
{
  int64_t k = dc_rng_below(r, 16), at = dc_rng_below(r, n), tile = 1, lane = 0;
  int64_t len = dc_rng_below(r, 2) ? n / 2 + dc_rng_below(r, n - n / 2)
                                   : (int64_t)exp2(log2((double)n) * fabs(dc_rng_uniform(r)));
  if (k == 0) {
    for (int64_t i = 0; i < n; i++)
      x[i] = -INFINITY;
    return;
  }
  while (2 * tile < n && tile < 1024 && (tile < 32 || dc_rng_below(r, 2)))
    tile *= 2;
  lane = dc_rng_below(r, tile);
  for (int64_t i = 0; i < n; i++)
    if ((k < 6 && i < len) || (k == 6 && i >= n - len) || (k == 7 && i / tile % 2 == 0) ||
        (k == 8 && i / tile % 2) || (k > 8 && k < 11 && i % tile == lane) ||
        (k > 10 && k < 13 && i != at) || (k == 13 && i == at))
      x[i] = -INFINITY;
}

void dc_fill_minus_inf(dc_rng *r, int64_t n, int64_t row, float *x)
{
  for (int64_t i = 0; i < n; i++)
    x[i] = (float)dc_rng_uniform(r);
  for (int64_t at = 0; row > 0 && at + row <= n; at += row)
    strike(r, row, x + at);
}

void dc_fill_values(dc_rng *r, dc_values v, int64_t n, float *x)
{
  float pool[3];
  if (v == DC_KINKS) {
    dc_fill_kinks(r, NULL, 0, n, x);
    return;
  }
  if (v == DC_MINUS_INF) {
    dc_fill_minus_inf(r, n, n, x);
    return;
  }
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
