/* Rows b, b + blocks, .. of a tensor, which block b does. */
#ifndef PM_ROWS_IN_TURN_H
#define PM_ROWS_IN_TURN_H
#include "kernel.h"

/*@ predicate turn_is(integer r, integer blocks, integer b) =
      0 <= b < blocks && \exists integer k; 0 <= k && r == ix(k,blocks,b);
    lemma turn_first: \forall integer b, blocks; 0 <= b < blocks ==> turn_is(b,blocks,b);
    lemma turn_next: \forall integer r, blocks, b; turn_is(r,blocks,b) ==>
      turn_is(r+blocks,blocks,b);
    // no other row before the next one
    lemma turn_other: \forall integer r, s, blocks, b; r < s < r + blocks ==>
      turn_is(r,blocks,b) ==> !turn_is(s,blocks,b);
    lemma turn_one: \forall integer r, blocks, a, b; turn_is(r,blocks,a) ==>
      turn_is(r,blocks,b) ==> a == b;
    // each row is some block's
    logic integer TurnOf(integer r, integer blocks) = r - (r / blocks) * blocks;
    lemma turn_rest: \forall integer r, blocks; 0 <= r ==> 0 < blocks ==>
      0 <= TurnOf(r,blocks) < blocks;
    lemma turn_quotient: \forall integer r, blocks; 0 <= r ==> 0 < blocks ==> 0 <= r / blocks;
    lemma turn_parts: \forall integer r, blocks; r == ix(r / blocks,blocks,TurnOf(r,blocks));
    lemma turn_some: \forall integer r, blocks; 0 <= r ==> 0 < blocks ==>
      turn_is(r,blocks,TurnOf(r,blocks));
    predicate turn_has(integer r, integer blocks) = turn_is(r,blocks,TurnOf(r,blocks));
    lemma turn_all: \forall integer r, blocks; 0 <= r ==> 0 < blocks ==> turn_has(r,blocks);
    predicate all_turns(integer blocks, integer rows) =
      \forall integer r; 0 <= r < rows ==> turn_has(r,blocks);
    lemma turns_all: \forall integer blocks, rows; 0 < blocks ==> all_turns(blocks,rows); */
#endif
