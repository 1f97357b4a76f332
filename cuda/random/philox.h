/* Philox4x32-10 (spec/random.h) on 32-bit words: a block of four from a counter and a key. The
 * keys of its rounds are the same in every thread of a launch, which has them as a parameter. */
#ifndef PM_RANDOM_PHILOX_H
#define PM_RANDOM_PHILOX_H
#include <stdint.h>
#include "../../spec/random.h"

typedef struct philox_words {
  uint32_t x, y, z, w;
} philox_words;

#ifdef __FRAMAC__
/*@ assigns \nothing; ensures \result == bxor(a,b); */
uint32_t philox_xor(uint32_t a, uint32_t b);
/*@ assigns \nothing; ensures \result == a * b; */
uint64_t philox_times(uint32_t a, uint32_t b);
#else
DEV uint32_t philox_xor(uint32_t a, uint32_t b) { return a ^ b; }
/* One instruction: for each half of a product the compiler would take its own, and a slower one. */
DEV uint64_t philox_times(uint32_t a, uint32_t b)
{
#ifdef PM_SIM
  return (uint64_t)a * b;
#else
  uint64_t v;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(v) : "r"(a), "r"(b));
  return v;
#endif
}
#endif

/* m is one of two constants, so that the ranges below are questions of linear arithmetic. */
/*@ requires m == PHILOX_M0 || m == PHILOX_M1; assigns \nothing; ensures \result == mulhi(m,a); */
DEV uint32_t philox_high(uint32_t m, uint32_t a) { return (uint32_t)(philox_times(m, a) / WORD); }

/*@ requires m == PHILOX_M0 || m == PHILOX_M1; assigns \nothing; ensures \result == mullo(m,a); */
DEV uint32_t philox_low(uint32_t m, uint32_t a) { return (uint32_t)(philox_times(m, a) % WORD); }

typedef struct philox_keys {
  uint32_t x[PHILOX_ROUNDS], y[PHILOX_ROUNDS];
} philox_keys;

/*@ predicate PhiloxKeys(philox_keys k, integer k0, integer k1, integer rounds) =
      \forall integer r; 0 <= r < rounds ==>
        k.x[r] == PhiloxKey(k0,PHILOX_W0,r) && k.y[r] == PhiloxKey(k1,PHILOX_W1,r); */

/* Made by the launcher. */
/*@ assigns \nothing; ensures \result == (k + w) % WORD; */
static inline uint32_t philox_bump(uint32_t k, uint32_t w)
{
  return (uint32_t)(((uint64_t)k + w) % WORD);
}

/*@ assigns \nothing; ensures PhiloxKeys(\result, k0, k1, PHILOX_ROUNDS); */
static inline philox_keys philox_schedule(uint32_t k0, uint32_t k1)
{
  philox_keys k;
  uint32_t p = k0, q = k1;
  /*@ loop invariant 0 <= r <= PHILOX_ROUNDS;
      loop invariant p == PhiloxKey(k0,PHILOX_W0,r) && q == PhiloxKey(k1,PHILOX_W1,r);
      loop invariant PhiloxKeys(k, k0, k1, r);
      loop assigns r, p, q, k;
      loop variant PHILOX_ROUNDS - r; */
  for (int r = 0; r < PHILOX_ROUNDS; r++) {
    k.x[r] = p;
    k.y[r] = q;
    p = philox_bump(p, PHILOX_W0);
    q = philox_bump(q, PHILOX_W1);
  }
  return k;
}

/*@ requires PhiloxKeys(k, k0, k1, PHILOX_ROUNDS);
    assigns \nothing;
    ensures PhiloxBlock(\result.x, \result.y, \result.z, \result.w, PHILOX_ROUNDS,
                        c0, c1, c2, c3, k0, k1); */
DEV philox_words philox(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3,
                        philox_keys k GHOST_PARAMS(uint32_t k0, uint32_t k1))
{
  uint32_t x = c0, y = c1, z = c2, w = c3;
  /*@ loop invariant 0 <= r <= PHILOX_ROUNDS;
      loop invariant PhiloxBlock(x, y, z, w, r, c0, c1, c2, c3, k0, k1);
      loop assigns r, x, y, z, w;
      loop variant PHILOX_ROUNDS - r; */
  UNROLL for (int r = 0; r < PHILOX_ROUNDS; r++)
  {
    uint32_t x1 = philox_xor(philox_xor(philox_high(PHILOX_M1, z), y), k.x[r]);
    uint32_t z1 = philox_xor(philox_xor(philox_high(PHILOX_M0, x), w), k.y[r]);
    y = philox_low(PHILOX_M1, z);
    w = philox_low(PHILOX_M0, x);
    x = x1;
    z = z1;
  }
  philox_words block = {x, y, z, w};
  return block;
}
#endif
