/* Conversions between element types, each rounded once: to nearest, ties to even. */
#include <math.h>
#include <string.h>

#include "../diffcheck/engine/types.h"
#include "internal.h"

/* A double that rounds to f16, bf16 and f32 as the integer does: where f64 cannot hold it, what is
 * below bit 11 is told by that bit alone, far below the last one of those. */
static double faithful(int64_t i)
{
  uint64_t u = i < 0 ? -(uint64_t)i : (uint64_t)i;
  if (u >> 53)
    u = (u & ~(uint64_t)0xfff) | ((u & 0xfff) ? 0x800 : 0);
  return i < 0 ? -(double)u : (double)u;
}

typedef struct number {
  int whole; /* i, else x */
  int64_t i;
  double x;
} number;

static number load(pmr_dtype d, const void *p, int64_t k)
{
  switch (d) {
  case PMR_F32:
    return (number){.x = (double)((const float *)p)[k]};
  case PMR_F64:
    return (number){.x = ((const double *)p)[k]};
  case PMR_F16:
    return (number){.x = (double)dc_of_half(((const uint16_t *)p)[k])};
  case PMR_BF16:
    return (number){.x = (double)dc_of_brain(((const uint16_t *)p)[k])};
  case PMR_I32:
    return (number){.whole = 1, .i = ((const int32_t *)p)[k]};
  case PMR_U8:
    return (number){.whole = 1, .i = ((const uint8_t *)p)[k]};
  default:
    return (number){.whole = 1, .i = ((const int64_t *)p)[k]};
  }
}

static bool store_integer(pmr_dtype d, void *p, int64_t k, number v)
{
  int64_t i = v.i;
  if (!v.whole) { /* NaN is in no range */
    if (!(fabs(v.x) < 0x1p63) && v.x != -0x1p63)
      return false;
    i = (int64_t)v.x;
  }
  if ((d == PMR_I32 && i != (int32_t)i) || (d == PMR_U8 && i != (uint8_t)i))
    return false;
  if (d == PMR_I32)
    ((int32_t *)p)[k] = (int32_t)i;
  else if (d == PMR_U8)
    ((uint8_t *)p)[k] = (uint8_t)i;
  else
    ((int64_t *)p)[k] = i;
  return true;
}

static void store_real(pmr_dtype d, void *p, int64_t k, number v)
{
  double x = v.whole ? faithful(v.i) : v.x;
  if (d == PMR_F32)
    ((float *)p)[k] = (float)x;
  else if (d == PMR_F64)
    ((double *)p)[k] = v.whole ? (double)v.i : x;
  else
    ((uint16_t *)p)[k] = d == PMR_F16 ? dc_half_of(x) : dc_brain_of(x);
}

static bool is_real(pmr_dtype d)
{
  return d == PMR_F32 || d == PMR_F64 || d == PMR_F16 || d == PMR_BF16;
}

int64_t in_convert(pmr_dtype from, const void *x, pmr_dtype to, void *y, int64_t n)
{
  if (from == to) {
    if (n)
      memcpy(y, x, (size_t)n * pmr_dtype_bytes(to));
    return -1;
  }
  for (int64_t k = 0; k < n; k++) {
    number v = load(from, x, k);
    if (is_real(to))
      store_real(to, y, k, v);
    else if (!store_integer(to, y, k, v))
      return k;
  }
  return -1;
}

pmr_status in_convert_all(pmr_dtype from, const void *x, pmr_dtype to, void *y, int64_t n,
                          const char *what)
{
  int64_t bad = in_convert(from, x, to, y, n);
  if (bad < 0)
    return PMR_OK;
  number v = load(from, x, bad);
  if (v.whole)
    return in_fail(PMR_INVALID, "%s: element %lld is %lld, which %s cannot hold", what,
                   (long long)bad, (long long)v.i, pmr_dtype_name(to));
  return in_fail(PMR_INVALID, "%s: element %lld is %.9g, which %s cannot hold", what,
                 (long long)bad, v.x, pmr_dtype_name(to));
}
