/* Partial softmax statistics of a masked, split row's chunks (row/split.h): a number that no open
 * element of it is above, and the sum of the open exponentials about it; tops and sums of (rows,
 * pieces) each. And what a block makes of those of a row. */
#ifndef PM_SOFTMAX_MASKED_CHUNKS_H
#define PM_SOFTMAX_MASKED_CHUNKS_H
#include "../lse/mass_masked.h"
#include "../lse/split_chunks.h"

/*@ // of a row x under b: what piece p leaves; what the first k of them have left; and those of all
    // rows
    predicate open_is{L0,L}(float *tops, float *sums, float *x, float *b, integer cols,
                            integer chunk, integer p) = Lowest < rd{L}(tops,p) &&
      Mass(rd{L}(sums,p),rd{L}(tops,p)) ==
        OpenWhole{L0}(x,b,PieceAt(p+1,cols,chunk)) - OpenWhole{L0}(x,b,PieceAt(p,cols,chunk));
    predicate open_masses{L0,L}(float *tops, float *sums, float *x, float *b, integer cols,
                                integer chunk, integer k) =
      \forall integer p; 0 <= p < k ==> Mass(rd{L}(sums,p),rd{L}(tops,p)) ==
        OpenWhole{L0}(x,b,PieceAt(p+1,cols,chunk)) - OpenWhole{L0}(x,b,PieceAt(p,cols,chunk));
    predicate row_open{L0,L}(float *tops, float *sums, float *x, float *b, integer cols,
                                integer chunk, integer k) =
      tops_above{L}(tops,k) && open_masses{L0,L}(tops,sums,x,b,cols,chunk,k);
    predicate all_open{L0,L}(float *tops, float *sums, float *x, float *b, integer cols,
                             integer chunk, integer pieces, integer n) =
      \forall integer r; 0 <= r < n ==> row_open{L0,L}(tops+ix(r,pieces,0),
        sums+ix(r,pieces,0),x+ix(r,cols,0),b+ix(r,cols,0),cols,chunk,pieces);
    lemma open_masses_to{L0,L}: \forall integer k, float *tops, *sums, *x, *b, integer cols, chunk;
      0 <= k ==> (\forall integer p; 0 <= p < k ==> Mass(rd{L}(sums,p),rd{L}(tops,p)) ==
        OpenWhole{L0}(x,b,PieceAt(p+1,cols,chunk)) - OpenWhole{L0}(x,b,PieceAt(p,cols,chunk))) ==>
      MassTo{L}(tops,sums,k) ==
        OpenWhole{L0}(x,b,PieceAt(k,cols,chunk)) - OpenWhole{L0}(x,b,PieceAt(0,cols,chunk));
    lemma open_masses_sum{L0,L}: \forall float *tops, *sums, *x, *b, integer cols, chunk, k;
      0 <= k ==>
      open_masses{L0,L}(tops,sums,x,b,cols,chunk,k) ==> MassTo{L}(tops,sums,k) ==
        OpenWhole{L0}(x,b,PieceAt(k,cols,chunk)) - OpenWhole{L0}(x,b,PieceAt(0,cols,chunk));
    lemma open_begin{L}: \forall float *x, *b, integer cols, chunk; 0 < cols ==>
      OpenWhole{L}(x,b,PieceAt(0,cols,chunk)) == 0.0;
    lemma row_open_whole{L0,L}: \forall float *tops, *sums, *x, *b, integer cols, chunk, pieces;
      row_split(cols,chunk,pieces) ==> open_masses{L0,L}(tops,sums,x,b,cols,chunk,pieces) ==>
      MassTo{L}(tops,sums,pieces) == OpenWhole{L0}(x,b,cols); */

/*@ // they stay while what they are of, and they, do
    lemma open_masses_kept{L0,L1,L2}: \forall float *tops, *sums, *x, *b, integer cols, chunk, k;
      Same{L1,L2}(tops,k) ==> Same{L1,L2}(sums,k) ==>
      open_masses{L0,L1}(tops,sums,x,b,cols,chunk,k) ==>
      open_masses{L0,L2}(tops,sums,x,b,cols,chunk,k);
    lemma row_open_kept{L0,L1,L2}: \forall float *tops, *sums, *x, *b, integer cols, chunk, k;
      pieces_kept{L1,L2}(tops,sums,k) ==> row_open{L0,L1}(tops,sums,x,b,cols,chunk,k) ==>
      row_open{L0,L2}(tops,sums,x,b,cols,chunk,k);
    lemma open_masses_frame{L1,L2,L}: \forall float *tops, *sums, *x, *b, integer cols, chunk, k;
      Same{L1,L2}(x,cols) ==> Same{L1,L2}(b,cols) ==>
      open_masses{L1,L}(tops,sums,x,b,cols,chunk,k) ==>
      open_masses{L2,L}(tops,sums,x,b,cols,chunk,k);
    lemma row_open_here{L1,L2}: \forall float *tops, *sums, *x, *b, integer cols, chunk, k;
      Same{L1,L2}(x,cols) ==> Same{L1,L2}(b,cols) ==> pieces_kept{L1,L2}(tops,sums,k) ==>
      row_open{L1,L1}(tops,sums,x,b,cols,chunk,k) ==>
      row_open{L2,L2}(tops,sums,x,b,cols,chunk,k); */

/* Of a row, from what its pieces have left. */
/*@ requires pieces_in(tops,pieces) && pieces_in(sums,pieces) && row_split(cols,chunk,pieces);
    requires row_open{Pre,Pre}(tops,sums,x,b,cols,chunk,pieces);
    assigns \nothing;
    ensures Mass(\result.s,\result.m) == OpenWhole{Pre}(x,b,cols); */
DEV once_sum open_join(int pieces, const float *tops,
                       const float *sums GHOST_PARAMS(idx cols, idx chunk, const float *x,
                                                      const float *b))
{
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  PRIVATE(float, acc);
  once_sum all;
  all.m = chunks_max(pieces, tops, sm);
  //@ assert above: lanes_above{Pre}(tops,pieces);
  //@ assert under_pre: once_under{Pre}(tops,all.m,pieces);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert zero: SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert same: Same{Pre,Here}(tops,pieces) && Same{Pre,Here}(sums,pieces);
  //@ assert under: once_under(tops,all.m,pieces);
  //@ assert masses: MassTo{Pre}(tops,sums,pieces) == OpenWhole{Pre}(x,b,cols);
  //@ assert still: MassTo(tops,sums,pieces) == MassTo{Pre}(tops,sums,pieces);
  chunks_add_all(acc, pieces, all.m, tops, sums);
  all.s = block_sum(acc, ss);
  return all;
}

/* And of row r. */
/*@ requires block && row_split(cols,chunk,pieces) && 0 <= r < rows <= IDX_LIM;
    requires ix(rows,cols,0) <= IDX_LIM && ix(rows,pieces,0) <= IDX_LIM;
    requires reads(tops,ix(rows,pieces,0)) && reads(sums,ix(rows,pieces,0));
    requires row_open{Pre,Pre}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),x+ix(r,cols,0),
      b+ix(r,cols,0),cols,chunk,pieces);
    assigns \nothing;
    ensures Mass(\result.s,\result.m) ==
      OpenWhole{Pre}(x+ix(r,cols,0),b+ix(r,cols,0),cols); */
DEV once_sum open_row_join(idx r, idx rows, int pieces, const float *tops,
                           const float *sums GHOST_PARAMS(idx cols, idx chunk, const float *x,
                                                          const float *b))
{
  idx q = at2(rows, pieces, r, 0);
  //@ assert next_q: ix(r+1,pieces,0) == q + pieces && q + pieces <= ix(rows,pieces,0) && 0 <= q;
  //@ assert perm_t: perm_r(tops,ix(rows,pieces,0)) && perm_r(tops+q,pieces);
  //@ assert perm_s: perm_r(sums,ix(rows,pieces,0)) && perm_r(sums+q,pieces);
  return open_join(
      pieces, tops + q,
      sums + q GHOST_ARGS(cols, chunk, x + at2(rows, cols, r, 0), b + at2(rows, cols, r, 0)));
}

#ifndef __FRAMAC__
/* work: 2 rows pieces floats; vec: x and mask are 16-byte aligned and cols a multiple of 4. */
extern "C" void LAUNCHER(masked_softmax_split_chunks)(void *stream, int vec, int64_t rows,
                                                      int64_t cols, const float *x,
                                                      const float *mask, float *work);
#endif
#endif
