/* Lemmas of vectors, four elements of a row side by side: one access of 16 bytes. */
#ifndef PM_SHAPE_VEC4_LAWS_H
#define PM_SHAPE_VEC4_LAWS_H
#include "../lang/kernel.h"
/*@ // r is one of the four from 4i on
    predicate in4(integer r, integer i) =
      r == 4*i || r == 4*i+1 || r == 4*i+2 || r == 4*i+3;
    lemma quad_off: \forall integer c, i, R, d, r; 0 <= i < R ==> 0 <= r < 4*R ==>
      (d != c || r < 4*i || 4*i + 4 <= r) ==>
      ix(d,4*R,r) < 4*ix(c,R,i) || 4*ix(c,R,i) + 4 <= ix(d,4*R,r); */
#endif
