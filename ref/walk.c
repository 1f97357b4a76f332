#include "walk.h"

idx walk_count(idx rank, const idx *shape)
{
  idx n = 1;
  /*@ loop invariant 0 <= d <= rank && \forall integer e; 0 <= e < d ==> 0 < shape[e];
      loop assigns d;
      loop variant rank - d;
  */
  for (idx d = 0; d < rank; d++)
    if (shape[d] == 0)
      return 0;
  /*@ loop invariant 0 <= d <= rank && n == Count(shape,d) && 0 < n;
      loop assigns d, n;
      loop variant rank - d;
  */
  for (idx d = 0; d < rank; d++) {
    //@ assert Count(shape,d+1) <= Count(shape,rank);
    n = size2(n, shape[d]);
  }
  return n;
}

void walk_digits(idx rank, const idx *shape, idx k, idx *at)
{
  idx rest = k;
  /*@ loop invariant 0 <= d <= rank && 0 <= rest;
      loop invariant \forall integer e; d <= e < rank ==> 0 <= at[e] < shape[e];
      loop invariant \forall integer e; d <= e < rank ==> at[e] == Digit{Pre}(shape,rank,k,e);
      loop invariant \forall integer e; 0 <= e < d ==>
        Digit{Pre}(shape,rank,k,e) == Digit{Pre}(shape,d,rest,e);
      loop assigns d, rest, at[0 .. rank-1];
      loop variant d;
  */
  for (idx d = rank; d > 0; d--) {
    idx n = shape[d - 1];
    at[d - 1] = rem2(rest, n);
    rest = quo2(rest, n);
  }
}
