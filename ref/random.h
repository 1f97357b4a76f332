/* Random numbers by counting (spec/random.h), for element i from the seed and offset + i alone.
 * Words are 32 bits; offset + n is at most 2^64. */
#ifndef REF_RANDOM_H
#define REF_RANDOM_H
#include "ref.h"
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
#endif
