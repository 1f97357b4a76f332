/* What is proven of cuda/map/map.h's kernel: its text, for inputs of any kind and functions of
 * which nothing is known but that each has a meaning, f0 the meaning F0 where D0 holds of its
 * arguments. An instance is this text with constants in place of the kinds and with functions
 * that have such a meaning, which is proven of each; SOUNDNESS.md says why that is enough. */
#ifndef PM_MAP_MAP_PROOF_H
#define PM_MAP_MAP_PROOF_H
#define MAP_PROOF
#include "../lang/owned.h"
#include "map.h"

/*@ axiomatic MapAbstract {
      logic integer K0 reads \nothing; // the kinds of the inputs
      logic integer K1 reads \nothing;
      logic integer K2 reads \nothing;
      predicate D0(real a, real b, real c, real p, real q) reads \nothing;
      predicate D1(real a, real b, real c, real p, real q) reads \nothing;
      logic real F0(real a, real b, real c, real p, real q) reads \nothing;
      logic real F1(real a, real b, real c, real p, real q) reads \nothing;
    } */
/*@ // r is what the op makes of one element, whose old value is o
    predicate map_is0(real r, integer adds, real o, real a, real b, real c, real p, real q) =
      D0(a,b,c,p,q) ==> r == plus(adds, o, F0(a,b,c,p,q));
    predicate map_is1(real r, integer adds, real o, real a, real b, real c, real p, real q) =
      D1(a,b,c,p,q) ==> r == plus(adds, o, F1(a,b,c,p,q));
    // y0[from .. to-1] in state L is what the op makes of the inputs of state L0
    predicate map_done0{L0,L}(float *y, float *x0, float *x1, float *x2, real p, real q,
                              integer adds, integer from, integer to) =
      \forall integer k; from <= k < to ==> map_is0(\at(y[k],L), adds, \at(y[k],L0),
        map_at{L0}(K0,x0,k), map_at{L0}(K1,x1,k), map_at{L0}(K2,x2,k), p, q);
    predicate map_done1{L0,L}(float *y, float *x0, float *x1, float *x2, real p, real q,
                              integer adds, integer from, integer to) =
      \forall integer k; from <= k < to ==> map_is1(\at(y[k],L), adds, \at(y[k],L0),
        map_at{L0}(K0,x0,k), map_at{L0}(K1,x1,k), map_at{L0}(K2,x2,k), p, q); */
/*@ assigns \nothing; ensures \result == K0; */
int map_kind0(void);
/*@ assigns \nothing; ensures \result == K1; */
int map_kind1(void);
/*@ assigns \nothing; ensures \result == K2; */
int map_kind2(void);
/*@ assigns \nothing; ensures D0(a,b,c,p,q) ==> \result == F0(a,b,c,p,q); */
float map_f0(float a, float b, float c, float p, float q);
/*@ assigns \nothing; ensures D1(a,b,c,p,q) ==> \result == F1(a,b,c,p,q); */
float map_f1(float a, float b, float c, float p, float q);

#define MAP_NAME map1
#include "map.h"

#define MAP_NAME map2
#define MAP_F1 map_f1
#include "map.h"
#undef MAP_PROOF

#endif
