/* Placement in the shared-memory row buffer: where the rows of a (rows, n) matrix lie in the
 * slots of a block (buffered.h). */
#ifndef PM_ROW_BUFFER_PLACE_H
#define PM_ROW_BUFFER_PLACE_H
#include "regs.h"
#include "buffered.h"

/* A row: where in the tensor it begins, cells before it, its slots and elements; none where
 * there is no such row. */
typedef struct slot_place {
  idx at;
  int lead, slots, n;
} slot_place;

/*@ predicate slot_reads{L}(float *x, integer rows, integer n, integer aligned) =
      0 <= rows <= IDX_LIM && reads(x,ix(rows,n,0)) && (aligned != 0 ==> aligned16(x));
    predicate slot_writes{L}(float *y, integer rows, integer n, integer aligned) =
      0 <= rows <= IDX_LIM && writes(y,ix(rows,n,0)) && (aligned != 0 ==> aligned16(y));
    // a row that is written, and may be added to
    predicate slot_inout{L}(float *y, integer lead, integer n, integer aligned) =
      slot_row(y,lead,n,aligned) && slot_out(y,lead,n,aligned) && perm_w(y,n);
    predicate slot_placed{L}(slot_place p, integer r, integer rows, integer n) =
      0 <= p.at && p.lead == p.at % 32 && 0 <= p.slots <= slots_ &&
      (r < rows ? p.at == ix(r,n,0) && p.n == n && p.at + n <= ix(rows,n,0) &&
                  p.lead + n <= 4*p.slots < p.lead + n + 4
                : p.at == 0 && p.n == 0 && p.slots == 0);
    lemma lead_aligned: \forall float *x, integer o; 0 <= o ==> aligned16(x) ==>
      aligned16(x + (o - o % 32)); */

/*@ requires slots_fit(n) && 0 <= r && 0 <= rows <= IDX_LIM && 0 <= ix(rows,n,0) <= IDX_LIM;
    assigns \nothing;
    ensures slot_placed(\result,r,rows,n); */
DEV slot_place buffer_place(idx r, idx rows, int n)
{
  slot_place p = {0, 0, 0, 0};
  if (r < rows) {
    p.at = at2(rows, n, r, 0);
    p.lead = lead_of(p.at);
    p.slots = buffer_vec4s(p.lead, n);
    p.n = n;
    //@ assert ix(r+1,n,0) == ix(r,n,0) + n && ix(r+1,n,0) <= ix(rows,n,0);
  }
  return p;
}

/* The row there, as one that is read, or written. */
/*@ requires slot_reads(x,rows,n,aligned) && slot_placed(p,r,rows,n) && 0 < n <= BUFFER_COLS;
    assigns \nothing;
    ensures \result == p.at && slot_row(x+\result,p.lead,p.n,aligned); */
DEV idx buffer_row_at(slot_place p GHOST_PARAMS(idx r, idx rows, int n, int aligned,
                                                const float *x))
{
  //@ assert 0 <= p.at && p.at + p.n <= ix(rows,n,0);
  //@ assert perm_r(x+p.at,p.n);
  //@ assert aligned != 0 ==> aligned16(x + (p.at - p.lead));
  return p.at;
}

/*@ requires slot_writes(y,rows,n,aligned) && slot_placed(p,r,rows,n) && 0 < n <= BUFFER_COLS;
    assigns \nothing;
    ensures \result == p.at && slot_row(y+\result,p.lead,p.n,aligned);
    ensures slot_out(y+\result,p.lead,p.n,aligned) && perm_w(y+\result,p.n); */
DEV idx buffer_out_at(slot_place p GHOST_PARAMS(idx r, idx rows, int n, int aligned, float *y))
{
  //@ assert 0 <= p.at && p.at + p.n <= ix(rows,n,0);
  //@ assert perm_r(y+p.at,p.n) && perm_w(y+p.at,p.n);
  //@ assert aligned != 0 ==> aligned16(y + (p.at - p.lead));
  return p.at;
}
#endif
