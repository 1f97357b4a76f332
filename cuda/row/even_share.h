/* Even share of rows to blocks that have several of them, as evenly as it goes: `share` rows to a
 * block, and one more to each of the first `more`. */
#ifndef PM_ROW_EVEN_SHARE_H
#define PM_ROW_EVEN_SHARE_H
#include "../lang/kernel.h"

/*@ predicate dealt(integer rows, integer blocks, integer share, integer more) =
      0 <= share && 0 <= more <= blocks && rows == ix(blocks,share,0) + more && rows <= IDX_LIM;
    logic integer RowsBefore(integer b, integer share, integer more) =
      ix(b,share,0) + (b < more ? b : more);
    lemma dealt_to: \forall integer rows, blocks, share, more, b; 0 <= b <= blocks ==>
      dealt(rows,blocks,share,more) ==> 0 <= ix(b,share,0) <= ix(blocks,share,0); */
/* The rows before those of block b. */
/*@ requires 0 <= b <= blocks <= IDX_LIM && dealt(rows,blocks,share,more);
    assigns \nothing;
    ensures 0 <= \result <= rows && \result == RowsBefore(b,share,more); */
DEV idx rows_before(idx b, idx share, idx more GHOST_PARAMS(idx rows, idx blocks))
{
  //@ assert 0 <= ix(b,share,0) <= ix(blocks,share,0) && b * share == ix(b,share,0);
  return b * share + (b < more ? b : more);
}
#endif
