/* Multi-indices of tensors of any rank up to MAX_RANK. */
#ifndef REF_WALK_H
#define REF_WALK_H
#include "ref.h"
#include "../spec/walk.h"

#define MAX_RANK 8

/*@ requires 0 <= k && 0 < n; assigns \nothing; ensures \result == quo(k,n); */
static inline idx quo2(idx k, idx n) { return k / n; }

/*@ requires 0 <= k && 0 < n; assigns \nothing; ensures \result == rem(k,n); */
static inline idx rem2(idx k, idx n) { return k % n; }

/* Elements of a tensor of this shape: (rank). */
/*@ requires Shape(shape,rank) && Count(shape,rank) <= IDX_LIM;
    terminates \true;
    assigns \nothing;
    ensures \result == Count(shape,rank) && 0 <= \result;
    ensures 0 < \result ==> \forall integer d; 0 <= d < rank ==> 0 < shape[d];
*/
idx walk_count(idx rank, const idx *shape);

/* at: (rank), the multi-index of the element at k. */
/*@ requires Shape(shape,rank) && rank <= MAX_RANK && \valid(at + (0 .. rank-1)) && 0 <= k;
    requires \forall integer d; 0 <= d < rank ==> 0 < shape[d];
    requires \separated(at + (0 .. rank-1), shape + (0 .. rank-1));
    terminates \true;
    assigns at[0 .. rank-1];
    ensures \forall integer d; 0 <= d < rank ==> 0 <= at[d] < shape[d];
    ensures \forall integer d; 0 <= d < rank ==> at[d] == Digit{Pre}(shape,rank,k,d);
*/
void walk_digits(idx rank, const idx *shape, idx k, idx *at);
#endif
