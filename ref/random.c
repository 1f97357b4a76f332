#include "random.h"

/* m is one of two constants, so that the ranges below are questions of linear arithmetic. */
/*@ requires m == PHILOX_M0 || m == PHILOX_M1; assigns \nothing; ensures \result == mulhi(m,a); */
static uint32_t mul_high(uint32_t m, uint32_t a) { return (uint32_t)((uint64_t)m * a / WORD); }

/*@ requires m == PHILOX_M0 || m == PHILOX_M1; assigns \nothing; ensures \result == mullo(m,a); */
static uint32_t mul_low(uint32_t m, uint32_t a) { return (uint32_t)((uint64_t)m * a % WORD); }

/*@ assigns \nothing; ensures \result == (k + w) % WORD; */
static uint32_t bump(uint32_t k, uint32_t w) { return (uint32_t)(((uint64_t)k + w) % WORD); }

void philox4x32(const uint32_t *counter, const uint32_t *key, uint32_t *out)
{
  uint32_t x = counter[0], y = counter[1], z = counter[2], w = counter[3];
  uint32_t k0 = key[0], k1 = key[1];
  /*@ loop invariant 0 <= r <= PHILOX_ROUNDS;
      loop invariant PhiloxBlock(x, y, z, w, r, \at(counter[0],Pre), \at(counter[1],Pre),
                                 \at(counter[2],Pre), \at(counter[3],Pre),
                                 \at(key[0],Pre), \at(key[1],Pre));
      loop invariant k0 == PhiloxKey(\at(key[0],Pre),PHILOX_W0,r);
      loop invariant k1 == PhiloxKey(\at(key[1],Pre),PHILOX_W1,r);
      loop assigns r, x, y, z, w, k0, k1;
      loop variant PHILOX_ROUNDS - r;
  */
  for (int r = 0; r < PHILOX_ROUNDS; r++) {
    uint32_t x1 = r_xor(r_xor(mul_high(PHILOX_M1, z), y), k0), y1 = mul_low(PHILOX_M1, z);
    uint32_t z1 = r_xor(r_xor(mul_high(PHILOX_M0, x), w), k1), w1 = mul_low(PHILOX_M0, x);
    x = x1, y = y1, z = z1, w = w1;
    k0 = bump(k0, PHILOX_W0);
    k1 = bump(k1, PHILOX_W1);
  }
  out[0] = x, out[1] = y, out[2] = z, out[3] = w;
}

uint32_t random_word(uint64_t seed, uint64_t q)
{
  uint64_t b = q / 4;
  uint32_t counter[4] = {(uint32_t)(b % WORD), (uint32_t)(b / WORD), 0, 0}, out[4];
  uint32_t key[2] = {(uint32_t)(seed % WORD), (uint32_t)(seed / WORD)};
  philox4x32(counter, key, out);
  return out[q % 4];
}

/*@ assigns \nothing; ensures \result == Unit(w); */
static double unit(uint32_t w) { return (w / 256) * UNIT_STEP; }

void ref_rand_uniform(idx n, uint64_t seed, uint64_t offset, double *y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> y[j] == Uniform(seed,offset+j);
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = unit(random_word(seed, offset + (uint64_t)i));
}

void ref_bernoulli(idx n, uint64_t seed, uint64_t offset, double p, double *y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> y[j] == Bernoulli(seed,offset+j,p);
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = unit(random_word(seed, offset + (uint64_t)i)) < p ? 1.0 : 0.0;
}

/*@ assigns \nothing; ensures \result == UnitUp(w); */
static double unit_up(uint32_t w) { return (w / 256 + 1) * UNIT_STEP; }

/*@ assigns \nothing; ensures \result == Radius(u); */
static double radius(double u) { return r_sqrt(-2.0 * r_log(u)); }

/*@ assigns \nothing; ensures \result == Quarters(w); ensures 0 <= \result <= 4; */
static int quarters(uint32_t w) { return ((int)(w / 256) + QUARTER / 2) / QUARTER; }

/*@ assigns \nothing; ensures \result == Rest(w); */
static double rest(uint32_t w) { return ((int)(w / 256) - QUARTER * quarters(w)) * TURN_STEP; }

/*@ requires 0 <= k; assigns \nothing; ensures \result == Turned(k,x); */
static double turned(int k, double x)
{
  double s = k % 2 == 0 ? r_sin(x) : r_cos(x);
  return k % 4 < 2 ? s : -s;
}

/*@ requires 0 <= j < 2; assigns \nothing; ensures \result == NormalOf(w0,w1,j); */
static double normal_of(uint32_t w0, uint32_t w1, int j)
{
  return r_mul(radius(unit_up(w0)), turned(quarters(w1) + 1 - j, rest(w1)));
}

/*@ assigns \nothing; ensures \result == Normal(seed,q); */
static double normal(uint64_t seed, uint64_t q)
{
  uint64_t even = q / 2 * 2;
  return normal_of(random_word(seed, even), random_word(seed, even + 1), (int)(q % 2));
}

void ref_rand_normal(idx n, uint64_t seed, uint64_t offset, double *y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> y[j] == Normal(seed,offset+j);
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = normal(seed, offset + (uint64_t)i);
}

/*@ assigns \nothing; ensures \result == p_radius(A,u); */
static pair pair_radius(arith A, double u)
{
  if (u < 1.0) {
    pair l = pair_log(A, pair_in(u));
    return pair_sqrt(A, pair_make(-2.0 * l.v, 2.0 * l.e));
  }
  return pair_in(0.0);
}

/*@ requires 0 <= k; assigns \nothing; ensures \result == p_turned(A,k,x); */
static pair pair_turned(arith A, int k, double x)
{
  pair angle = pair_rnd(A, x, 0.0, 2.0);
  return k % 2 == 0 ? pair_sin(A, angle) : pair_cos(A, angle);
}

/*@ requires 0 <= j < 2; assigns \nothing; ensures \result == e_normal_of(A,w0,w1,j); */
static double e_normal_of(arith A, uint32_t w0, uint32_t w1, int j)
{
  pair r = pair_radius(A, unit_up(w0)), t = pair_turned(A, quarters(w1) + 1 - j, rest(w1));
  return pair_mul(A, r, t).e;
}

/*@ assigns \nothing; ensures \result == e_normal(A,seed,q); */
static double e_normal(arith A, uint64_t seed, uint64_t q)
{
  uint64_t even = q / 2 * 2;
  return e_normal_of(A, random_word(seed, even), random_word(seed, even + 1), (int)(q % 2));
}

void bound_rand_normal(idx n, uint64_t seed, uint64_t offset, arith A, double *e_y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> e_y[j] == e_normal(A,seed,offset+j);
      loop assigns i, e_y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    uint64_t q = offset + (uint64_t)i;
    //@ assert number: q == offset + i;
    e_y[i] = e_normal(A, seed, q);
  }
}
