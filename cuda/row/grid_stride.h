/* Grid-stride rows: b, b + blocks, .. of a tensor, which block b does, and the rows that one row
 * leaves alone. */
#ifndef PM_ROW_GRID_STRIDE_H
#define PM_ROW_GRID_STRIDE_H
#include "../lang/kernel.h"

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
    lemma turns_all: \forall integer blocks, rows; 0 < blocks ==> all_turns(blocks,rows);
    // no element of one row is in another one
    predicate row_has_cell(integer r, integer n, integer k) = ix(r,n,0) <= k < ix(r,n,0) + n;
    lemma other_row: \forall integer q, c, r, n; 0 <= c < n ==> q != r ==>
      !row_has_cell(r,n,ix(q,n,c));
    predicate is_cell(integer k, integer rows, integer n) = 0 <= k < ix(rows,n,0);
    lemma row_cell: \forall integer q, c, rows, n; 0 <= c < n ==> 0 <= q < rows ==>
      is_cell(ix(q,n,c),rows,n);
    // row q is as it was; all rows but r; all elements but those of row r
    predicate row_kept{L1,L2}(float *y, integer n, integer q) =
      \forall integer c; 0 <= c < n ==> \at(y[ix(q,n,c)],L1) == \at(y[ix(q,n,c)],L2);
    predicate but_row{L1,L2}(float *y, integer n, integer r, integer rows) =
      \forall integer q; 0 <= q < rows ==> q != r ==> row_kept{L1,L2}(y,n,q);
    predicate but_cells{L1,L2}(float *y, integer n, integer r, integer rows) =
      \forall integer k; is_cell(k,rows,n) ==> !row_has_cell(r,n,k) ==>
        \at(y[k],L1) == \at(y[k],L2);
    lemma kept_on{L0,L1,L2}: \forall float *y, integer n, q; row_kept{L0,L1}(y,n,q) ==>
      row_kept{L1,L2}(y,n,q) ==> row_kept{L0,L2}(y,n,q);
    lemma but_row_cells{L1,L2}: \forall float *y, integer n, r, rows;
      but_cells{L1,L2}(y,n,r,rows) ==> but_row{L1,L2}(y,n,r,rows);
    // all rows that are not block b's are as they were
    predicate but_turn{L1,L2}(float *y, integer n, integer blocks, integer b, integer rows) =
      \forall integer q; 0 <= q < rows ==> !turn_is(q,blocks,b) ==> row_kept{L1,L2}(y,n,q);
    lemma but_turn_next{L0,L1,L2}: \forall float *y, integer n, blocks, b, r, rows;
      turn_is(r,blocks,b) ==> but_row{L1,L2}(y,n,r,rows) ==>
      but_turn{L0,L1}(y,n,blocks,b,rows) ==> but_turn{L0,L2}(y,n,blocks,b,rows); */
#endif
