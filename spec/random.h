/* Random numbers by counting: Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3" (SC 2011), over the integers. Word q of a stream depends on q and
 * the seed alone: it is word q mod 4 of block q / 4, the counter is the number of the block (words
 * 0 and 1, the others 0) and the key is the seed. */
#ifndef SPEC_RANDOM_H
#define SPEC_RANDOM_H

#define PHILOX_ROUNDS 10
#define PHILOX_M0 0xd2511f53
#define PHILOX_M1 0xcd9e8d57
#define PHILOX_W0 0x9e3779b9 /* what a round adds to the key */
#define PHILOX_W1 0xbb67ae85
#define WORD 0x100000000 /* a word is below this */

#define UNIT_STEP 5.9604644775390625e-8  /* 2^-24 */
#define QUARTER 4194304                  /* a quarter turn, of 2^24 steps */
#define TURN_STEP 3.74507028292392878e-7 /* a step: 2 pi 2^-24 */

/*@ // a ^ b of two words; not defined here: it is only compared with itself
    axiomatic Bxor {
      logic integer bxor(integer a, integer b) reads \nothing;
    }
    // the halves of a product of two words
    axiomatic Mulhi {
      logic integer mulhi(integer m, integer a) reads \nothing;
      axiom mulhi_def: \forall integer m, a; mulhi(m,a) == (m * a) / WORD;
    }
    axiomatic Mullo {
      logic integer mullo(integer m, integer a) reads \nothing;
      axiom mullo_def: \forall integer m, a; mullo(m,a) == (m * a) % WORD;
    }
    // a key word after r rounds
    logic integer PhiloxKey(integer k, integer w, integer r) =
      r <= 0 ? k : (PhiloxKey(k,w,r-1) + w) % WORD;

    // word j of the block after r rounds, from the counter c3 c2 c1 c0 under the key k1 k0
    logic integer PhiloxWord(integer r, integer j, integer c0, integer c1, integer c2, integer c3,
                             integer k0, integer k1) =
      r <= 0 ? (j == 0 ? c0 : j == 1 ? c1 : j == 2 ? c2 : c3)
      : j == 0 ? bxor(bxor(mulhi(PHILOX_M1, PhiloxWord(r-1,2,c0,c1,c2,c3,k0,k1)),
                           PhiloxWord(r-1,1,c0,c1,c2,c3,k0,k1)), PhiloxKey(k0,PHILOX_W0,r-1))
      : j == 1 ? mullo(PHILOX_M1, PhiloxWord(r-1,2,c0,c1,c2,c3,k0,k1))
      : j == 2 ? bxor(bxor(mulhi(PHILOX_M0, PhiloxWord(r-1,0,c0,c1,c2,c3,k0,k1)),
                           PhiloxWord(r-1,3,c0,c1,c2,c3,k0,k1)), PhiloxKey(k1,PHILOX_W1,r-1))
      : mullo(PHILOX_M0, PhiloxWord(r-1,0,c0,c1,c2,c3,k0,k1));
    predicate PhiloxBlock(integer x, integer y, integer z, integer w, integer r, integer c0,
                          integer c1, integer c2, integer c3, integer k0, integer k1) =
      x == PhiloxWord(r,0,c0,c1,c2,c3,k0,k1) && y == PhiloxWord(r,1,c0,c1,c2,c3,k0,k1) &&
      z == PhiloxWord(r,2,c0,c1,c2,c3,k0,k1) && w == PhiloxWord(r,3,c0,c1,c2,c3,k0,k1);

    // word j of block b, and word q, of the stream of a seed
    axiomatic BlockWord {
      logic integer BlockWord(integer seed, integer b, integer j) reads \nothing;
      axiom block_word_def: \forall integer seed, b, j; BlockWord(seed,b,j) ==
        PhiloxWord(PHILOX_ROUNDS, j, b % WORD, b / WORD, 0, 0, seed % WORD, seed / WORD);
    }
    axiomatic RandWord {
      logic integer RandWord(integer seed, integer q) reads \nothing;
      axiom rand_word_def: \forall integer seed, q; RandWord(seed,q) == BlockWord(seed, q / 4, q % 4);
    }
    lemma rand_word: \forall integer seed, b, j; 0 <= b ==> 0 <= j < 4 ==>
      RandWord(seed,4*b+j) == BlockWord(seed,b,j);

    // the upper 24 bits of a word as a number in [0, 1)
    axiomatic Unit {
      logic real Unit(integer w) reads \nothing;
      axiom unit_def: \forall integer w; Unit(w) == (w / 256) * UNIT_STEP;
    }
    lemma unit_range: \forall integer w; 0 <= w < WORD ==> 0.0 <= Unit(w) < 1.0;
    logic real Uniform(integer seed, integer q) = Unit(RandWord(seed,q));
    // 1 with probability p, in steps of 2^-24
    logic real Bernoulli(integer seed, integer q, real p) = Uniform(seed,q) < p ? 1.0 : 0.0;

    // Box and Muller's transform of two words: the first is a number in (0, 1] and gives the
    // distance from the origin, the upper 24 bits of the second are the angle. The nearest quarter
    // turn is taken off it: what is left is at most pi/4, and multiples of it are exact.
    axiomatic UnitUp {
      logic real UnitUp(integer w) reads \nothing;
      axiom unit_up_def: \forall integer w; UnitUp(w) == (w / 256 + 1) * UNIT_STEP;
    }
    axiomatic Radius {
      logic real Radius(real u) reads \nothing;
      axiom radius_def: \forall real u; Radius(u) == \sqrt(-2.0 * \log(u));
    }
    logic integer Quarters(integer w) = (w / 256 + QUARTER / 2) / QUARTER;
    axiomatic Rest {
      logic real Rest(integer w) reads \nothing;
      axiom rest_def: \forall integer w; Rest(w) == (w / 256 - QUARTER * Quarters(w)) * TURN_STEP;
    }
    // the sine of x and k quarter turns
    axiomatic Turned {
      logic real Turned(integer k, real x) reads \nothing;
      axiom turned_def: \forall integer k, real x; Turned(k,x) ==
        (k % 4 == 0 ? \sin(x) : k % 4 == 1 ? \cos(x) : k % 4 == 2 ? -\sin(x) : -\cos(x));
    }
    // j: 0 the cosine's, 1 the sine's
    logic real NormalOf(integer w0, integer w1, integer j) =
      rmul(Radius(UnitUp(w0)), Turned(Quarters(w1) + 1 - j, Rest(w1)));
    // number j of pair h, and number q, of the stream of a seed
    axiomatic PairNormal {
      logic real PairNormal(integer seed, integer h, integer j) reads \nothing;
      axiom pair_normal_def: \forall integer seed, h, j; PairNormal(seed,h,j) ==
        NormalOf(RandWord(seed,2*h), RandWord(seed,2*h+1), j);
    }
    axiomatic Normal {
      logic real Normal(integer seed, integer q) reads \nothing;
      axiom normal_def: \forall integer seed, q; Normal(seed,q) == PairNormal(seed, q / 2, q % 2);
    }
    lemma pair_normal: \forall integer seed, h, j; 0 <= h ==> 0 <= j < 2 ==>
      Normal(seed,2*h+j) == PairNormal(seed,h,j);
*/
#endif
