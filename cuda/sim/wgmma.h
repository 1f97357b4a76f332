/* bf16, and what an H200's tensor cores add up, bit for bit as measured (tests/vocabulary.cu): products of bf16
 * are exact; what is added, the old sum included, is cut to 25 binary places below the largest
 * exponent, or -133, that of a product being the sum of its factors'; the sum is then cut to f32. What
 * comes to zero is +0. */
#ifndef PM_SIM_WGMMA_H
#define PM_SIM_WGMMA_H
#include <math.h>
#include <stdint.h>
#include <string.h>

namespace pm_sim_ {

static inline uint32_t float_bits(float x)
{
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* x in bf16, to nearest even. */
static inline unsigned bf16_bits(float x)
{
  const uint32_t u = float_bits(x);
  return (u << 1) > 0xff000000u ? 0x7fffu : (u + 0x7fffu + (u >> 16 & 1)) >> 16;
}

/* v without its last `places`. */
static inline int64_t cut(int64_t v, int places)
{
  return places > 62 ? 0 : v < 0 ? -(-v >> places) : v >> places;
}

/* d + sum of x[i] y[i], i < 16, of bf16 as bits, all finite. */
static inline float wgmma_sum(const unsigned short *x, const unsigned short *y, float d)
{
  enum { PLACES = 25, LOWEST = -133 };
  int64_t term[17];
  int high[17], top = LOWEST, n = 0;
  const unsigned bits = float_bits(d), field = bits >> 23 & 0xff;
  if (bits << 1) {
    const int64_t v = (bits & 0x7fffff) | (field ? 0x800000 : 0);
    term[n] = bits >> 31 ? -v : v;
    high[n] = (int)(field ? field : 1) - 127;
    top = high[n] > top ? high[n] : top;
    term[n] *= 1 << (PLACES - 23), n++;
  }
  for (int i = 0; i < 16; i++) {
    const int ex = x[i] >> 7 & 0xff, ey = y[i] >> 7 & 0xff;
    const int64_t v = ((x[i] & 0x7f) | (ex ? 0x80 : 0)) * ((y[i] & 0x7f) | (ey ? 0x80 : 0));
    if (v == 0)
      continue;
    term[n] = ((x[i] ^ y[i]) >> 15 ? -v : v) * (1 << (PLACES - 14));
    high[n] = (ex ? ex : 1) + (ey ? ey : 1) - 254;
    top = high[n] > top ? high[n] : top;
    n++;
  }
  int64_t sum = 0;
  for (int i = 0; i < n; i++) sum += cut(term[i], top - high[i]);
  if (sum == 0)
    return 0.0f;
  /* |sum| 2^(top - PLACES), cut to 24 bits, or to the places of subnormal numbers */
  const uint64_t size = sum < 0 ? -(uint64_t)sum : (uint64_t)sum;
  const int length = 64 - __builtin_clzll(size), unit = top - PLACES;
  const int lowest = unit + length - 24 < -149 ? -149 : unit + length - 24;
  const uint64_t kept = lowest <= unit ? size << (unit - lowest) : size >> (lowest - unit);
  const float f = ldexpf((float)kept, lowest);
  return sum < 0 && f > 0.0f ? -f : f;
}

} // namespace pm_sim_
#endif
