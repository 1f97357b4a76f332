/* Split rows, first launch of softmax and cross entropy: a block leaves what split_chunks.h says
 * of its chunk of x, (rows, cols). */
#include "split_chunks.h"

/*@ predicate piece_row{L}(float *x, integer cols, integer aligned) =
      reads(x,cols) && least_in(x,cols) && (aligned != 0 ==> cols % 4 == 0 && aligned16(x));
    predicate piece_out{L}(float *tops, float *sums, integer pieces) =
      writes(tops,pieces) && writes(sums,pieces) && apart(tops,pieces,sums,pieces);
    predicate follows(integer k1, integer k) = k1 == k + 1;
    lemma tops_above_next{L}: \forall float *tops, integer k, k1; follows(k1,k) ==>
      tops_above{L}(tops,k) ==> Lowest < rd{L}(tops,k) ==> tops_above{L}(tops,k1);
    lemma tops_some_next{L0,L}: \forall float *tops, *x, integer cols, k, k1; follows(k1,k) ==>
      tops_some{L0,L}(tops,x,cols,k) ==> some{L0}(rd{L}(tops,k),x,cols) ==>
      tops_some{L0,L}(tops,x,cols,k1);
    lemma masses_next{L0,L}: \forall float *tops, *sums, *x, integer cols, chunk, k, k1;
      follows(k1,k) ==> masses_are{L0,L}(tops,sums,x,cols,chunk,k) ==>
      Mass(rd{L}(sums,k),rd{L}(tops,k)) ==
        Whole{L0}(x,PieceAt(k+1,cols,chunk)) - Whole{L0}(x,PieceAt(k,cols,chunk)) ==>
      masses_are{L0,L}(tops,sums,x,cols,chunk,k1);
    lemma row_pieces_next{L0,L}: \forall float *tops, *sums, *x, integer cols, chunk, k, k1;
      follows(k1,k) ==> row_pieces{L0,L}(tops,sums,x,cols,chunk,k) ==>
      piece_is{L0,L}(tops,sums,x,cols,chunk,k) ==> row_pieces{L0,L}(tops,sums,x,cols,chunk,k1);
    lemma pieces_kept_shift{L1,L2}: \forall float *tops, *sums, integer o, k; 0 <= o ==>
      pieces_kept{L1,L2}(tops,sums,o+k) ==> pieces_kept{L1,L2}(tops+o,sums+o,k);
    lemma all_pieces_kept{L0,L1,L2}: \forall float *tops, *sums, *x, integer cols, chunk, pieces, n;
      0 <= n ==> 0 < pieces ==> pieces_kept{L1,L2}(tops,sums,ix(n,pieces,0)) ==>
      all_pieces{L0,L1}(tops,sums,x,cols,chunk,pieces,n) ==>
      all_pieces{L0,L2}(tops,sums,x,cols,chunk,pieces,n);
    predicate piece_same{L1,L2}(float *x, integer cols, integer chunk, integer p) =
      Whole{L1}(x,PieceAt(p,cols,chunk)) == Whole{L2}(x,PieceAt(p,cols,chunk)) &&
      Whole{L1}(x,PieceAt(p+1,cols,chunk)) == Whole{L2}(x,PieceAt(p+1,cols,chunk));
    lemma piece_wholes{L1,L2}: \forall float *x, integer cols, chunk, pieces, p;
      row_split(cols,chunk,pieces) ==> 0 <= p < pieces ==> Same{L1,L2}(x,cols) ==>
      piece_same{L1,L2}(x,cols,chunk,p);
    lemma piece_is_same{L1,L2,L}: \forall float *tops, *sums, *x, integer cols, chunk, p;
      Same{L1,L2}(x,cols) ==> piece_same{L1,L2}(x,cols,chunk,p) ==>
      piece_is{L1,L}(tops,sums,x,cols,chunk,p) ==> piece_is{L2,L}(tops,sums,x,cols,chunk,p);
    lemma piece_is_frame{L1,L2,L}: \forall float *tops, *sums, *x, integer cols, chunk, pieces, p;
      row_split(cols,chunk,pieces) ==> 0 <= p < pieces ==> Same{L1,L2}(x,cols) ==>
      piece_is{L1,L}(tops,sums,x,cols,chunk,p) ==> piece_is{L2,L}(tops,sums,x,cols,chunk,p);
    lemma some_part{L}: \forall real v, float *x, integer o, m, n; 0 <= o ==> o + m <= n ==>
      some{L}(v,x+o,m) ==> some{L}(v,x,n); */

/* Piece p of a row, the words s having been used by no thread since the last barrier. */
/*@ requires block && row_split(cols,chunk,pieces) && 0 <= p < pieces;
    requires piece_row(x,cols,aligned) && piece_out(tops,sums,pieces);
    requires apart(x,cols,tops,pieces) && apart(x,cols,sums,pieces) && apart(x,cols,s,32);
    requires \valid(s + (0 .. 31)) && perm(s,32);
    requires apart(tops,pieces,s,32) && apart(sums,pieces,s,32);
    assigns tops[p], sums[p], s[0 .. 31];
    ensures piece_is{Pre,Post}(tops,sums,x,cols,chunk,p); */
DEV void chunk_store(idx p, idx cols, idx chunk, int pieces, int aligned, const float *RESTRICT x,
                     float *tops, float *sums, float *s)
{
  PRIVATE(float, xt);
  row_piece w = chunk_of(p, cols, chunk, pieces);
  idx o = w.at, n = w.n;
  //@ assert perm: perm_r(x,cols) && perm_r(x+o,n);
  //@ assert row: once_row(x+o,n,0,aligned);
  //@ assert perm_out: perm_w(tops,pieces) && perm_w(sums,pieces) && W(tops+p) && W(sums+p);
  once_sum all = online_chunk(xt, n, 0, aligned, -1, x + o, s);
  //@ assert some: some{Pre}(all.m,x,cols) && Lowest < all.m;
  /*@ assert mass: Mass(all.s,all.m) == Whole{Pre}(x,PieceAt(p+1,cols,chunk)) -
        Whole{Pre}(x,PieceAt(p,cols,chunk)); */
  block_put(all.m, tops + p);
  block_put(all.s, sums + p);
}

/*@ predicate piece_tensors{L}(float *x, float *tops, float *sums, integer rows, integer cols,
                               integer pieces, integer aligned) =
      0 <= rows <= IDX_LIM && reads(x,ix(rows,cols,0)) && least_in(x,ix(rows,cols,0)) &&
      piece_out(tops,sums,ix(rows,pieces,0)) && apart(x,ix(rows,cols,0),tops,ix(rows,pieces,0)) &&
      apart(x,ix(rows,cols,0),sums,ix(rows,pieces,0)) &&
      (aligned != 0 ==> cols % 4 == 0 && aligned16(x)); */

/* Piece p of row r. */
/*@ requires block && row_split(cols,chunk,pieces) && 0 <= p < pieces && 0 <= r < rows;
    requires piece_tensors(x,tops,sums,rows,cols,pieces,aligned);
    requires \valid(s + (0 .. 31)) && perm(s,32) && apart(x,ix(rows,cols,0),s,32);
    requires apart(tops,ix(rows,pieces,0),s,32) && apart(sums,ix(rows,pieces,0),s,32);
    assigns tops[ix(r,pieces,p)], sums[ix(r,pieces,p)], s[0 .. 31];
    ensures piece_is{Pre,Post}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),x+ix(r,cols,0),cols,chunk,p);
    ensures Same{Pre,Post}(x,ix(rows,cols,0)) && pieces_kept{Pre,Post}(tops,sums,ix(r,pieces,p)); */
DEV void chunk_nth(idx r, idx p, idx rows, idx cols, idx chunk, int pieces, int aligned,
                   const float *RESTRICT x, float *RESTRICT tops, float *RESTRICT sums, float *s)
{
  idx o = at2(rows, cols, r, 0), q = at2(rows, pieces, r, 0);
  //@ assert next: ix(r+1,cols,0) == o + cols && o + cols <= ix(rows,cols,0) && 0 <= o;
  //@ assert next_q: ix(r+1,pieces,0) == q + pieces && q + pieces <= ix(rows,pieces,0) && 0 <= q;
  //@ assert cell: ix(r,pieces,p) == q + p;
  //@ assert fours: aligned != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  //@ assert four: aligned != 0 ==> o % 4 == 0;
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(x+o,cols);
  //@ assert perm_t: perm_w(tops,ix(rows,pieces,0)) && perm_r(tops,ix(rows,pieces,0));
  //@ assert perm_s: perm_w(sums,ix(rows,pieces,0)) && perm_r(sums,ix(rows,pieces,0));
  //@ assert perm_tq: perm_w(tops+q,pieces) && perm_r(tops+q,pieces);
  //@ assert perm_sq: perm_w(sums+q,pieces) && perm_r(sums+q,pieces);
  //@ assert row: piece_row(x+o,cols,aligned);
  //@ assert out: piece_out(tops+q,sums+q,pieces);
  /*@ assert away: \forall integer k; 0 <= k < ix(rows,cols,0) ==> \separated(x + k,
    tops + (q + p)) &&
        \separated(x + k, sums + (q + p)) && \separated(x + k, s + (0 .. 31)); */
  /*@ assert beside: \forall integer k; 0 <= k < q + p ==> \separated(tops + k, tops + (q + p)) &&
        \separated(tops + k, sums + (q + p)) && \separated(tops + k, s + (0 .. 31)); */
  /*@ assert beside_s: \forall integer k; 0 <= k < q + p ==> \separated(sums + k, tops + (q + p)) &&
        \separated(sums + k, sums + (q + p)) && \separated(sums + k, s + (0 .. 31)); */
  chunk_store(p, cols, chunk, pieces, aligned, x + o, tops + q, sums + q, s);
  //@ assert same: Same{Pre,Here}(x,ix(rows,cols,0));
  //@ assert kept: Same{Pre,Here}(tops,q + p) && Same{Pre,Here}(sums,q + p);
}

/* VEC: x is 16-byte aligned and cols a multiple of 4. Blocks leave no cell in common: race_cell. */
/*@ requires block && row_split(cols,chunk,pieces) && ix(rows,pieces,0) <= BLOCKS;
    requires piece_tensors(x,tops,sums,rows,cols,pieces,VEC);
    assigns tops[0 .. ix(rows,pieces,0)-1], sums[0 .. ix(rows,pieces,0)-1];
    ensures all_pieces{Pre,Post}(tops,sums,x,cols,chunk,pieces,rows); */
TEMPLATE(int VEC)
KERNEL void ONLINE_BOUNDS lse_split_chunks(CONSTANTS(int VEC) idx rows, idx cols, idx chunk,
                                           int pieces, const float *RESTRICT x,
                                           float *RESTRICT tops, float *RESTRICT sums)
{
  SHARED(float, s, 32);
  /*@ loop invariant 0 <= r <= rows && Same{Pre,Here}(x,ix(rows,cols,0));
      loop invariant all_pieces{Pre,Here}(tops,sums,x,cols,chunk,pieces,r);
      loop assigns r, tops[0 .. ix(rows,pieces,0)-1], sums[0 .. ix(rows,pieces,0)-1], s[0 .. 31];
      loop variant rows - r; */
  BROWS(r, rows, pieces) {
    /*@ loop invariant 0 <= p <= pieces && Same{Pre,Here}(x,ix(rows,cols,0));
        loop invariant all_pieces{Pre,Here}(tops,sums,x,cols,chunk,pieces,r);
        loop invariant row_pieces{Pre,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),x+ix(r,cols,0),
          cols,chunk,p);
        loop assigns p, tops[0 .. ix(rows,pieces,0)-1], sums[0 .. ix(rows,pieces,0)-1], s[0 .. 31];
        loop variant pieces - p; */
    BCOLS(p, pieces) {
      //@ assert tensors: piece_tensors(x,tops,sums,rows,cols,pieces,VEC);
      //@ assert inside: 0 <= ix(r,pieces,0) <= ix(r,pieces,p) < ix(rows,pieces,0);
      //@ assert cell: ix(r,pieces,p) == ix(r,pieces,0) + p;
      //@ assert row: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
      //@ assert mine: Same{Here,Pre}(x+ix(r,cols,0),cols);
      chunk_nth(r, p, rows, cols, chunk, pieces, VEC, x, tops, sums, s);
      /*@ assert here: piece_is{LoopCurrent,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),
            x+ix(r,cols,0),cols,chunk,p); */
      /*@ assert new: piece_is{Pre,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),
            x+ix(r,cols,0),cols,chunk,p); */
      //@ assert kept: pieces_kept{LoopCurrent,Here}(tops,sums,ix(r,pieces,p));
      //@ assert kept_rows: pieces_kept{LoopCurrent,Here}(tops,sums,ix(r,pieces,0));
      //@ assert kept_to: pieces_kept{LoopCurrent,Here}(tops,sums,ix(r,pieces,0)+p);
      //@ assert kept_row: pieces_kept{LoopCurrent,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),p);
      //@ assert old: all_pieces{Pre,Here}(tops,sums,x,cols,chunk,pieces,r);
      /*@ assert old_row: row_pieces{Pre,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),
            x+ix(r,cols,0),cols,chunk,p); */
      //@ assert follows: follows(p+1,p);
      /*@ assert new_row: row_pieces{Pre,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),
            x+ix(r,cols,0),cols,chunk,p+1); */
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
extern "C" void LAUNCHER(lse_split_chunks)(void *stream, int vec, int64_t rows, int64_t cols,
                                           const float *x, float *work)
{
  idx chunk = split_chunk(rows, cols), n = rows * split_chunks(rows, cols);
  int pieces = (int)split_chunks(rows, cols);
  if (vec)
    LAUNCH((lse_split_chunks<1>), n, SPLIT_BLOCK, stream, rows, cols, chunk, pieces, x, work,
           work + n);
  else
    LAUNCH((lse_split_chunks<0>), n, SPLIT_BLOCK, stream, rows, cols, chunk, pieces, x, work,
           work + n);
}
#endif
