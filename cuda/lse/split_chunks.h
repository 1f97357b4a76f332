/* Partial softmax statistics of a split row's chunks (row/split.h): the largest element of each,
 * and the sum of the exponentials about it: what split_chunks.cu leaves in the workspace, tops
 * and sums of (rows, pieces) each, and what a block makes of those of a row. */
#ifndef PM_LSE_SPLIT_CHUNKS_H
#define PM_LSE_SPLIT_CHUNKS_H
#include "online.h"
#include "../row/split.h"

/*@ // of a row x of cols elements: what piece p leaves; what the first k of them have left, in
    // three
    // parts that are found by their cells; and what those of all rows of a tensor have
    predicate piece_is{L0,L}(float *tops, float *sums, float *x, integer cols, integer chunk,
                             integer p) =
      Lowest < rd{L}(tops,p) && some{L0}(rd{L}(tops,p),x,cols) &&
      Mass(rd{L}(sums,p),rd{L}(tops,p)) ==
        Whole{L0}(x,PieceAt(p+1,cols,chunk)) - Whole{L0}(x,PieceAt(p,cols,chunk));
    predicate tops_above{L}(float *tops, integer k) =
      \forall integer p; 0 <= p < k ==> Lowest < rd{L}(tops,p);
    predicate tops_some{L0,L}(float *tops, float *x, integer cols, integer k) =
      \forall integer p; 0 <= p < k ==> some{L0}(rd{L}(tops,p),x,cols);
    predicate masses_are{L0,L}(float *tops, float *sums, float *x, integer cols, integer chunk,
                               integer k) =
      \forall integer p; 0 <= p < k ==> Mass(rd{L}(sums,p),rd{L}(tops,p)) ==
        Whole{L0}(x,PieceAt(p+1,cols,chunk)) - Whole{L0}(x,PieceAt(p,cols,chunk));
    predicate row_pieces{L0,L}(float *tops, float *sums, float *x, integer cols, integer chunk,
                               integer k) =
      tops_above{L}(tops,k) && tops_some{L0,L}(tops,x,cols,k) &&
      masses_are{L0,L}(tops,sums,x,cols,chunk,k);
    predicate all_pieces{L0,L}(float *tops, float *sums, float *x, integer cols, integer chunk,
                               integer pieces, integer n) =
      \forall integer r; 0 <= r < n ==> row_pieces{L0,L}(tops+ix(r,pieces,0),
        sums+ix(r,pieces,0),x+ix(r,cols,0),cols,chunk,pieces);
    lemma row_back{L1,L2}: \forall float *x, integer cols, r, rows; 0 <= cols ==> 0 <= r < rows ==>
      Same{L1,L2}(x,ix(rows,cols,0)) ==> Same{L2,L1}(x+ix(r,cols,0),cols);
    lemma some_above{L}: \forall real v, float *x, integer n; least_in{L}(x,n) ==>
      some{L}(v,x,n) ==> Lowest < v;
    lemma pieces_above{L}: \forall float *tops, integer k; tops_above{L}(tops,k) ==>
      lanes_above{L}(tops,k);
    lemma top_some{L0,L}: \forall float *tops, *x, integer cols, k; 1 <= k ==>
      tops_some{L0,L}(tops,x,cols,k) ==> some{L0}(RowMax{L}(tops,k),x,cols);
    lemma masses_to{L0,L}: \forall integer k, float *tops, *sums, *x, integer cols, chunk;
      0 <= k ==>
      (\forall integer p; 0 <= p < k ==> Mass(rd{L}(sums,p),rd{L}(tops,p)) ==
        Whole{L0}(x,PieceAt(p+1,cols,chunk)) - Whole{L0}(x,PieceAt(p,cols,chunk))) ==>
      MassTo{L}(tops,sums,k) ==
        Whole{L0}(x,PieceAt(k,cols,chunk)) - Whole{L0}(x,PieceAt(0,cols,chunk));
    lemma pieces_mass{L0,L}: \forall float *tops, *sums, *x, integer cols, chunk, k; 0 <= k ==>
      masses_are{L0,L}(tops,sums,x,cols,chunk,k) ==> MassTo{L}(tops,sums,k) ==
        Whole{L0}(x,PieceAt(k,cols,chunk)) - Whole{L0}(x,PieceAt(0,cols,chunk));
    lemma pieces_begin{L}: \forall float *x, integer cols, chunk; 0 < cols ==>
      Whole{L}(x,PieceAt(0,cols,chunk)) == 0.0;
    lemma pieces_whole{L0,L}: \forall float *tops, *sums, *x, integer cols, chunk, pieces;
      row_split(cols,chunk,pieces) ==> masses_are{L0,L}(tops,sums,x,cols,chunk,pieces) ==>
      MassTo{L}(tops,sums,pieces) == Whole{L0}(x,cols); */

/*@ // other pieces are as they were
    predicate pieces_kept{L1,L2}(float *tops, float *sums, integer k) =
      Same{L1,L2}(tops,k) && Same{L1,L2}(sums,k);
    // and so is x, of n elements
    predicate spread_same{L1,L2}(float *x, float *tops, float *sums, integer n, integer cells) =
      Same{L1,L2}(x,n) && pieces_kept{L1,L2}(tops,sums,cells);
    lemma spread_same_on{L0,L1,L2}: \forall float *x, *tops, *sums, integer n, cells;
      spread_same{L0,L1}(x,tops,sums,n,cells) ==> spread_same{L1,L2}(x,tops,sums,n,cells) ==>
      spread_same{L0,L2}(x,tops,sums,n,cells);
    lemma tops_above_kept{L1,L2}: \forall float *tops, integer k; Same{L1,L2}(tops,k) ==>
      tops_above{L1}(tops,k) ==> tops_above{L2}(tops,k);
    lemma tops_some_kept{L0,L1,L2}: \forall float *tops, *x, integer cols, k; Same{L1,L2}(tops,
      k) ==>
      tops_some{L0,L1}(tops,x,cols,k) ==> tops_some{L0,L2}(tops,x,cols,k);
    lemma masses_kept{L0,L1,L2}: \forall float *tops, *sums, *x, integer cols, chunk, k;
      Same{L1,L2}(tops,k) ==> Same{L1,L2}(sums,k) ==>
      masses_are{L0,L1}(tops,sums,x,cols,chunk,k) ==> masses_are{L0,L2}(tops,sums,x,cols,chunk,k);
    lemma row_pieces_kept{L0,L1,L2}: \forall float *tops, *sums, *x, integer cols, chunk, k;
      pieces_kept{L1,L2}(tops,sums,k) ==> row_pieces{L0,L1}(tops,sums,x,cols,chunk,k) ==>
      row_pieces{L0,L2}(tops,sums,x,cols,chunk,k);
    lemma pieces_kept_row{L1,L2}: \forall float *tops, *sums, integer pieces, r, n; 0 <= r < n ==>
      0 < pieces ==> pieces_kept{L1,L2}(tops,sums,ix(n,pieces,0)) ==>
      pieces_kept{L1,L2}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),pieces);
    lemma whole_to{L1,L2}: \forall float *x, integer k, n; k <= n ==> Same{L1,L2}(x,n) ==>
      Whole{L1}(x,k) == Whole{L2}(x,k);
    lemma tops_some_frame{L1,L2,L}: \forall float *tops, *x, integer cols, k; Same{L1,L2}(x,
      cols) ==>
      tops_some{L1,L}(tops,x,cols,k) ==> tops_some{L2,L}(tops,x,cols,k);
    lemma masses_frame{L1,L2,L}: \forall float *tops, *sums, *x, integer cols, chunk, k;
      Same{L1,L2}(x,cols) ==> masses_are{L1,L}(tops,sums,x,cols,chunk,k) ==>
      masses_are{L2,L}(tops,sums,x,cols,chunk,k);
    lemma row_pieces_here{L1,L2}: \forall float *tops, *sums, *x, integer cols, chunk, k;
      Same{L1,L2}(x,cols) ==> pieces_kept{L1,L2}(tops,sums,k) ==>
      row_pieces{L1,L1}(tops,sums,x,cols,chunk,k) ==> row_pieces{L2,L2}(tops,sums,x,cols,chunk,k);
        */

/*@ predicate pieces_in{L}(float *tops, integer pieces) =
      block && 0 < pieces <= 1024 && reads(tops,pieces); */
/*@ requires pieces_in(tops,pieces) && \valid(top + (0 .. BDIM-1));
    requires \separated(top + (0 .. BDIM-1), tops + (0 .. pieces-1));
    requires some_of{Pre,Pre}(top, BDIM, tops, pieces);
    assigns top[0 .. BDIM-1];
    ensures RowMax(top, BDIM) == RowMax{Pre}(tops, pieces); */
DEV void chunks_top_all(PER_THREAD(float, top), int pieces, const float *tops)
{
  /*@ loop invariant 0 <= k0 <= pieces + BDIM;
      loop invariant some_of{Pre,Here}(top, BDIM, tops, pieces);
      loop invariant above{Pre,Here}(top, BDIM, tops, lesser(k0, pieces));
      loop assigns k0, top[0 .. BDIM-1];
      loop variant pieces - k0; */
  for (int k0 = 0; k0 < pieces; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant some_of{Pre,Here}(top, BDIM, tops, pieces);
        loop invariant above{Pre,Here}(top, BDIM, tops, lesser(k0 + t, pieces));
        loop assigns t, top[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < pieces) {
        //@ assert row: rd{Pre}(tops,k0+t) <= RowMax{Pre}(tops, pieces);
        AT(top, t) = larger(AT(top, t), LDG(tops + k0 + t));
        //@ assert some: top[t] <= RowMax{Pre}(tops, pieces);
        //@ assert only: only{LoopCurrent,Here}(top, t, BDIM);
        //@ assert each: some_of{Pre,Here}(top, BDIM, tops, pieces);
        //@ assert grows: at_most{LoopCurrent,Here}(top, BDIM);
        //@ assert max: \at(RowMax(top, BDIM),LoopCurrent) <= RowMax(top, BDIM);
        //@ assert one: top[t] <= RowMax(top, BDIM);
        //@ assert new: rd{Pre}(tops,k0+t) <= top[t];
        //@ assert at: at_top{Pre,Here}(top, BDIM, tops, k0 + t, pieces);
        //@ assert old: above{Pre,Here}(top, BDIM, tops, lesser(k0 + t, pieces));
      }
  }
  //@ assert above{Pre,Here}(top, BDIM, tops, pieces);
  //@ assert RowMax(top, BDIM) <= RowMax{Pre}(tops, pieces);
  //@ assert RowMax{Pre}(tops, pieces) <= RowMax(top, BDIM);
}

/* The largest of them, for all threads. */
/*@ requires pieces_in(tops,pieces) && \valid(s + (0 .. 31)) && perm(s,32);
    requires \separated(s + (0 .. 31), tops + (0 .. pieces-1));
    assigns s[0 .. 31];
    ensures \result == RowMax{Pre}(tops, pieces); */
DEV float chunks_max(int pieces, const float *tops, float *s)
{
  PRIVATE(float, top);
  /*@ loop invariant 0 <= t <= BDIM && Same{Pre,Here}(tops,pieces);
      loop invariant \forall integer u; 0 <= u < t ==> top[u] == \at(tops[0],Pre);
      loop assigns t, top[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(top, t) = LDG(tops);
  //@ assert Same{Pre,Here}(tops,pieces) && RowMax{Pre}(tops, pieces) == RowMax(tops, pieces);
  //@ assert tops[0] <= RowMax(tops, pieces);
  chunks_top_all(top, pieces, tops);
  return block_max(top, s);
}

/*@ requires pieces_in(tops,pieces) && pieces_in(sums,pieces) && once_under(tops,m,pieces);
    requires \valid(acc + (0 .. BDIM-1)) && SumR(acc, 0, BDIM) == 0.0;
    requires \separated(acc + (0 .. BDIM-1), tops + (0 .. pieces-1));
    requires \separated(acc + (0 .. BDIM-1), sums + (0 .. pieces-1));
    assigns acc[0 .. BDIM-1];
    ensures Mass(SumR(acc, 0, BDIM),m) == MassTo{Pre}(tops,sums,pieces); */
DEV void chunks_add_all(PER_THREAD(float, acc), int pieces, float m, const float *tops,
                        const float *sums)
{
  /*@ loop invariant 0 <= k0 <= pieces + BDIM;
      loop invariant Mass(SumR(acc, 0, BDIM),m) == MassTo{Pre}(tops,sums,lesser(k0,pieces));
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant pieces - k0; */
  for (int k0 = 0; k0 < pieces; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant Mass(SumR(acc, 0, BDIM),m) == MassTo{Pre}(tops,sums,lesser(k0+t,pieces));
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < pieces) {
        float moved = online_moved(LDG(sums + k0 + t), LDG(tops + k0 + t), m);
        //@ assert mass: Mass(moved,m) == Mass(rd{Pre}(sums,k0+t),rd{Pre}(tops,k0+t));
        AT(acc, t) += moved;
        //@ assert only: only{LoopCurrent,Here}(acc, t, BDIM);
        /*@ assert sum: SumR(acc, 0, BDIM) ==
              \at(SumR(acc, 0, BDIM),LoopCurrent) - \at(acc[t],LoopCurrent) + acc[t]; */
        //@ assert adds: adds_to(SumR(acc, 0, BDIM),\at(SumR(acc, 0, BDIM),LoopCurrent),moved);
        /*@ assert next: Mass(SumR(acc, 0, BDIM),m) ==
              \at(Mass(SumR(acc, 0, BDIM),m),LoopCurrent) + Mass(moved,m); */
        /*@ assert to: MassTo{Pre}(tops,sums,k0+t+1) == MassTo{Pre}(tops,sums,k0+t) +
              Mass(rd{Pre}(sums,k0+t),rd{Pre}(tops,k0+t)); */
        //@ assert at: lesser(k0+t,pieces) == k0+t && lesser(k0+t+1,pieces) == k0+t+1;
        //@ assert all: Mass(SumR(acc, 0, BDIM),m) == MassTo{Pre}(tops,sums,k0+t+1);
      }
  }
}

/* Of a row, from what its pieces have left; sm and ss have 32 words each. */
/*@ requires pieces_in(tops,pieces) && pieces_in(sums,pieces) && row_split(cols,chunk,pieces);
    requires \valid(sm + (0 .. 31)) && perm(sm,32) && \valid(ss + (0 .. 31)) && perm(ss,32);
    requires apart(tops,pieces,sm,32) && apart(tops,pieces,ss,32) && apart(x,cols,sm,32);
    requires apart(sums,pieces,sm,32) && apart(sums,pieces,ss,32) && apart(x,cols,ss,32);
    requires \separated(sm + (0 .. 31), ss + (0 .. 31));
    requires least_in(x,cols) && row_pieces{Pre,Pre}(tops,sums,x,cols,chunk,pieces);
    assigns sm[0 .. 31], ss[0 .. 31];
    ensures sums_up{Pre}(\result,x,cols) && some{Pre}(\result.m,x,cols) && 1.0 <= \result.s; */
DEV once_sum chunks_join(int pieces, const float *tops, const float *sums, float *sm,
                         float *ss GHOST_PARAMS(idx cols, idx chunk, const float *x))
{
  PRIVATE(float, acc);
  once_sum all;
  all.m = chunks_max(pieces, tops, sm);
  //@ assert some: some{Pre}(all.m,x,cols);
  //@ assert above: lanes_above{Pre}(tops,pieces);
  //@ assert under_pre: once_under{Pre}(tops,all.m,pieces);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert zero: SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert same: Same{Pre,Here}(tops,pieces) && Same{Pre,Here}(sums,pieces);
  //@ assert under: once_under(tops,all.m,pieces);
  //@ assert masses: MassTo{Pre}(tops,sums,pieces) == Whole{Pre}(x,cols);
  //@ assert still: MassTo(tops,sums,pieces) == MassTo{Pre}(tops,sums,pieces);
  chunks_add_all(acc, pieces, all.m, tops, sums);
  //@ assert mass: Mass(SumR(&acc[0], 0, BDIM),all.m) == Whole{Pre}(x,cols);
  all.s = block_sum(acc, ss);
  //@ assert sum: Mass(all.s,all.m) == Whole{Pre}(x,cols);
  //@ assert large: 1.0 <= all.s;
  return all;
}

/*@ // what a second launch reads, and what it writes: n elements, in rows of cols
    predicate join_in{L}(float *x, integer n, float *tops, float *sums, integer cells) =
      reads(x,n) && least_in(x,n) && reads(tops,cells) && reads(sums,cells);
    predicate spread_io{L}(float *x, float *y, integer n, integer cols, integer vec) =
      reads(x,n) && writes(y,n) && apart(x,n,y,n) && n <= IDX_LIM &&
      (vec != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(y)); */

/* What the pieces of row r add up to. */
/*@ requires block && row_split(cols,chunk,pieces) && 0 <= r < rows <= IDX_LIM;
    requires ix(rows,cols,0) <= IDX_LIM && ix(rows,pieces,0) <= IDX_LIM;
    requires join_in(x,ix(rows,cols,0),tops,sums,ix(rows,pieces,0));
    requires row_pieces{Pre,Pre}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),x+ix(r,cols,0),cols,chunk,
      pieces);
    assigns \nothing;
    ensures sums_up{Pre}(\result,x+ix(r,cols,0),cols) && some{Pre}(\result.m,x+ix(r,cols,0),cols);
    ensures 1.0 <= \result.s; */
DEV once_sum row_join(idx r, idx rows, int pieces, const float *tops,
                      const float *sums GHOST_PARAMS(idx cols, idx chunk, const float *x))
{
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  idx q = at2(rows, pieces, r, 0);
  //@ assert next: ix(r+1,cols,0) == ix(r,cols,0) + cols && ix(r+1,cols,0) <= ix(rows,cols,0);
  //@ assert from: 0 <= ix(r,cols,0);
  //@ assert next_q: ix(r+1,pieces,0) == q + pieces && q + pieces <= ix(rows,pieces,0) && 0 <= q;
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(x+ix(r,cols,0),cols);
  //@ assert perm_t: perm_r(tops,ix(rows,pieces,0)) && perm_r(tops+q,pieces);
  //@ assert perm_s: perm_r(sums,ix(rows,pieces,0)) && perm_r(sums+q,pieces);
  //@ assert least: least_in(x+ix(r,cols,0),cols);
  return chunks_join(pieces, tops + q, sums + q, sm,
                     ss GHOST_ARGS(cols, chunk, x + at2(rows, cols, r, 0)));
}

#ifndef __FRAMAC__
/* work: 2 rows pieces floats; vec: x is 16-byte aligned and cols a multiple of 4. */
extern "C" void LAUNCHER(lse_split_chunks)(void *stream, int vec, int64_t rows, int64_t cols,
                                           const float *x, float *work);
#endif
#endif
