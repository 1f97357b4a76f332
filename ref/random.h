/* Random numbers by counting (spec/random.h), for element i from the seed and offset + i alone.
 * Words are 32 bits; offset + n is at most 2^64. */
#ifndef REF_RANDOM_H
#define REF_RANDOM_H
#include "ref.h"
#include "pair.h"
#include "../spec/random.h"

/* C's ^, trusted as the elementary functions are (math.c). */
/*@ terminates \true; assigns \nothing; ensures \result == bxor(a,b); */
uint32_t r_xor(uint32_t a, uint32_t b);

/* counter, out: (4), key: (2). The block of a counter under a key: Philox4x32-10. */
/*@ requires \valid_read(counter + (0 .. 3)) && \valid_read(key + (0 .. 1));
    requires \valid(out + (0 .. 3));
    requires \separated(out + (0 .. 3), counter + (0 .. 3));
    requires \separated(out + (0 .. 3), key + (0 .. 1));
    terminates \true;
    assigns out[0 .. 3];
    ensures PhiloxBlock(out[0], out[1], out[2], out[3], PHILOX_ROUNDS,
                        \old(counter[0]), \old(counter[1]), \old(counter[2]), \old(counter[3]),
                        \old(key[0]), \old(key[1]));
*/
void philox4x32(const uint32_t *counter, const uint32_t *key, uint32_t *out);

/*@ terminates \true; assigns \nothing; ensures \result == RandWord(seed,q); */
uint32_t random_word(uint64_t seed, uint64_t q);

/* y: (n). Multiples of 2^-24 in [0, 1). */
/*@ requires Out1(y,n) && offset + n <= 0x10000000000000000;
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Uniform(seed,offset+i);
*/
void ref_rand_uniform(idx n, uint64_t seed, uint64_t offset, double *y);

/* y: (n). 1 where rand_uniform is below p, else 0. */
/*@ requires Out1(y,n) && offset + n <= 0x10000000000000000;
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Bernoulli(seed,offset+i,p);
*/
void ref_bernoulli(idx n, uint64_t seed, uint64_t offset, double p, double *y);

/* y: (n). Mean 0, variance 1, |y| < 5.8: elements 2j and 2j + 1 of a stream belong together. */
/*@ requires Out1(y,n) && offset + n <= 0x10000000000000000;
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Normal(seed,offset+i);
*/
void ref_rand_normal(idx n, uint64_t seed, uint64_t offset, double *y);

/*@ // sqrt(-2 ln u); ln 1 is exactly 0
    axiomatic BoundRadius {
      logic pair p_radius(arith A, real u) reads \nothing;
      axiom p_radius_def: \forall arith A, real u; p_radius(A,u) ==
        (u < 1.0 ? p_sqrt(A, p_make(-2.0 * p_log(A, p_make(u,0.0)).v,
                                    2.0 * p_log(A, p_make(u,0.0)).e))
         : p_make(0.0,0.0));
    }
    // the angle is a product with a constant; the error does not ask for the sign
    axiomatic BoundTurned {
      logic pair p_turned(arith A, integer k, real x) reads \nothing;
      axiom p_turned_def: \forall arith A, integer k, real x; p_turned(A,k,x) ==
        (k % 2 == 0 ? p_sin(A, p_rnd(A,x,0.0,2.0)) : p_cos(A, p_rnd(A,x,0.0,2.0)));
    }
    axiomatic BoundNormal {
      logic real e_normal_of(arith A, integer w0, integer w1, integer j) reads \nothing;
      axiom e_normal_of_def: \forall arith A, integer w0, w1, j; e_normal_of(A,w0,w1,j) ==
        p_mul(A, p_radius(A,UnitUp(w0)), p_turned(A, Quarters(w1) + 1 - j, Rest(w1))).e;
    }
    axiomatic BoundNormalAt {
      logic real e_normal(arith A, integer seed, integer q) reads \nothing;
      axiom e_normal_def: \forall arith A, integer seed, q; e_normal(A,seed,q) ==
        e_normal_of(A, RandWord(seed, 2 * (q / 2)), RandWord(seed, 2 * (q / 2) + 1), q % 2);
    }
*/

/* e_y: (n). */
/*@ requires Out1(e_y,n) && offset + n <= 0x10000000000000000;
    terminates \true;
    assigns e_y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_y[i] == e_normal(A,seed,offset+i);
*/
void bound_rand_normal(idx n, uint64_t seed, uint64_t offset, arith A, double *e_y);
#endif
