/* Split rows, first launch of masked_softmax: a block leaves what masked_chunks.h says of its
 * chunk of x and its mask b, (rows, cols) both. */
#define ONE_WARP 1 /* see collective/block_sum.h */
#include "../lse/online_masked.h"
#include "masked_chunks.h"

/*@ predicate open_row{L}(float *x, float *b, integer cols, integer aligned) =
      reads(x,cols) && reads(b,cols) && least_in(x,cols) &&
      (aligned != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(b));
    predicate open_out{L}(float *tops, float *sums, integer pieces) =
      writes(tops,pieces) && writes(sums,pieces) && apart(tops,pieces,sums,pieces);
    predicate follows(integer k1, integer k) = k1 == k + 1;
    lemma row_open_next{L0,L}: \forall float *tops, *sums, *x, *b, integer cols, chunk, k, k1;
      follows(k1,k) ==> row_open{L0,L}(tops,sums,x,b,cols,chunk,k) ==>
      open_is{L0,L}(tops,sums,x,b,cols,chunk,k) ==>
      row_open{L0,L}(tops,sums,x,b,cols,chunk,k1);
    lemma cells_kept_shift{L1,L2}: \forall float *tops, *sums, integer o, k; 0 <= o ==>
      pieces_kept{L1,L2}(tops,sums,o+k) ==> pieces_kept{L1,L2}(tops+o,sums+o,k);
    lemma all_open_kept{L0,L1,L2}: \forall float *tops, *sums, *x, *b, integer cols, chunk, pieces,
      n; 0 <= n ==> 0 < pieces ==> pieces_kept{L1,L2}(tops,sums,ix(n,pieces,0)) ==>
      all_open{L0,L1}(tops,sums,x,b,cols,chunk,pieces,n) ==>
      all_open{L0,L2}(tops,sums,x,b,cols,chunk,pieces,n);
    lemma open_is_frame{L1,L2,L}: \forall float *tops, *sums, *x, *b, integer cols, chunk, pieces,
      p;
      row_split(cols,chunk,pieces) ==> 0 <= p < pieces ==> Same{L1,L2}(x,cols) ==>
      Same{L1,L2}(b,cols) ==> open_is{L1,L}(tops,sums,x,b,cols,chunk,p) ==>
      open_is{L2,L}(tops,sums,x,b,cols,chunk,p); */

/* Piece p of a row, the words s having been used by no thread since the last barrier. */
/*@ requires block && row_split(cols,chunk,pieces) && 0 <= p < pieces;
    requires open_row(x,b,cols,aligned) && open_out(tops,sums,pieces);
    requires apart(x,cols,tops,pieces) && apart(x,cols,sums,pieces) && apart(x,cols,s,32);
    requires apart(b,cols,tops,pieces) && apart(b,cols,sums,pieces) && apart(b,cols,s,32);
    requires \valid(s + (0 .. 31)) && perm(s,32);
    requires apart(tops,pieces,s,32) && apart(sums,pieces,s,32);
    assigns tops[p], sums[p], s[0 .. 31];
    ensures open_is{Pre,Post}(tops,sums,x,b,cols,chunk,p); */
DEV void open_leave(idx p, idx cols, idx chunk, int pieces, int aligned, const float *RESTRICT x,
                    const float *RESTRICT b, float *tops, float *sums, float *s)
{
  row_piece w = chunk_of(p, cols, chunk, pieces);
  idx o = w.at, n = w.n;
  //@ assert perm: perm_r(x,cols) && perm_r(x+o,n) && perm_r(b,cols) && perm_r(b+o,n);
  //@ assert fours: aligned != 0 ==> aligned16(x+o) && aligned16(b+o) && n % 4 == 0;
  //@ assert least: least_in(x+o,n);
  //@ assert in: open_in(x+o,b+o,n,aligned);
  //@ assert perm_out: perm_w(tops,pieces) && perm_w(sums,pieces) && W(tops+p) && W(sums+p);
  once_sum all = masked_chunk(n, aligned, x + o, b + o, s);
  /*@ assert mass: Mass(all.s,all.m) == OpenWhole{Pre}(x,b,PieceAt(p+1,cols,chunk)) -
        OpenWhole{Pre}(x,b,PieceAt(p,cols,chunk)); */
  block_put(all.m, tops + p);
  block_put(all.s, sums + p);
}

/*@ predicate open_tensors{L}(float *x, float *b, float *tops, float *sums, integer rows,
                              integer cols, integer pieces, integer aligned) =
      0 <= rows <= IDX_LIM && ix(rows,cols,0) <= IDX_LIM &&
      open_row(x,b,ix(rows,cols,0),0) && open_out(tops,sums,ix(rows,pieces,0)) &&
      apart(x,ix(rows,cols,0),tops,ix(rows,pieces,0)) &&
      apart(x,ix(rows,cols,0),sums,ix(rows,pieces,0)) &&
      apart(b,ix(rows,cols,0),tops,ix(rows,pieces,0)) &&
      apart(b,ix(rows,cols,0),sums,ix(rows,pieces,0)) &&
      (aligned != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(b)); */

/* Piece p of row r. */
/*@ requires block && row_split(cols,chunk,pieces) && 0 <= p < pieces && 0 <= r < rows;
    requires open_tensors(x,b,tops,sums,rows,cols,pieces,aligned);
    requires \valid(s + (0 .. 31)) && perm(s,32) && apart(x,ix(rows,cols,0),s,32);
    requires apart(b,ix(rows,cols,0),s,32);
    requires apart(tops,ix(rows,pieces,0),s,32) && apart(sums,ix(rows,pieces,0),s,32);
    assigns tops[ix(r,pieces,p)], sums[ix(r,pieces,p)], s[0 .. 31];
    ensures open_is{Pre,Post}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),x+ix(r,cols,0),
      b+ix(r,cols,0),cols,chunk,p);
    ensures Same{Pre,Post}(x,ix(rows,cols,0)) && Same{Pre,Post}(b,ix(rows,cols,0));
    ensures pieces_kept{Pre,Post}(tops,sums,ix(r,pieces,p)); */
DEV void open_nth(idx r, idx p, idx rows, idx cols, idx chunk, int pieces, int aligned,
                  const float *RESTRICT x, const float *RESTRICT b, float *RESTRICT tops,
                  float *RESTRICT sums, float *s)
{
  idx o = at2(rows, cols, r, 0), q = at2(rows, pieces, r, 0);
  //@ assert next: ix(r+1,cols,0) == o + cols && o + cols <= ix(rows,cols,0) && 0 <= o;
  //@ assert next_q: ix(r+1,pieces,0) == q + pieces && q + pieces <= ix(rows,pieces,0) && 0 <= q;
  //@ assert cell: ix(r,pieces,p) == q + p;
  //@ assert fours: aligned != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  //@ assert four: aligned != 0 ==> o % 4 == 0;
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(x+o,cols);
  //@ assert perm_b: perm_r(b,ix(rows,cols,0)) && perm_r(b+o,cols);
  //@ assert perm_t: perm_w(tops,ix(rows,pieces,0)) && perm_r(tops,ix(rows,pieces,0));
  //@ assert perm_s: perm_w(sums,ix(rows,pieces,0)) && perm_r(sums,ix(rows,pieces,0));
  //@ assert perm_tq: perm_w(tops+q,pieces) && perm_r(tops+q,pieces);
  //@ assert perm_sq: perm_w(sums+q,pieces) && perm_r(sums+q,pieces);
  //@ assert least: least_in(x+o,cols);
  //@ assert row: open_row(x+o,b+o,cols,aligned);
  //@ assert out: open_out(tops+q,sums+q,pieces);
  /*@ assert away: \forall integer k; 0 <= k < ix(rows,cols,0) ==> \separated(x + k,
    tops + (q + p)) &&
        \separated(x + k, sums + (q + p)) && \separated(x + k, s + (0 .. 31)); */
  /*@ assert away_b: \forall integer k; 0 <= k < ix(rows,cols,0) ==> \separated(b + k,
    tops + (q + p)) &&
        \separated(b + k, sums + (q + p)) && \separated(b + k, s + (0 .. 31)); */
  /*@ assert beside: \forall integer k; 0 <= k < q + p ==> \separated(tops + k, tops + (q + p)) &&
        \separated(tops + k, sums + (q + p)) && \separated(tops + k, s + (0 .. 31)); */
  /*@ assert beside_s: \forall integer k; 0 <= k < q + p ==> \separated(sums + k, tops + (q + p)) &&
        \separated(sums + k, sums + (q + p)) && \separated(sums + k, s + (0 .. 31)); */
  open_leave(p, cols, chunk, pieces, aligned, x + o, b + o, tops + q, sums + q, s);
  //@ assert same: Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(b,ix(rows,cols,0));
  //@ assert kept: Same{Pre,Here}(tops,q + p) && Same{Pre,Here}(sums,q + p);
}

/* VEC: x and b are 16-byte aligned and cols a multiple of 4. Blocks leave no cell in common:
 * race_cell. */
/*@ requires block && row_split(cols,chunk,pieces) && ix(rows,pieces,0) <= BLOCKS;
    requires open_tensors(x,b,tops,sums,rows,cols,pieces,VEC);
    assigns tops[0 .. ix(rows,pieces,0)-1], sums[0 .. ix(rows,pieces,0)-1];
    ensures all_open{Pre,Post}(tops,sums,x,b,cols,chunk,pieces,rows); */
TEMPLATE(int VEC)
KERNEL void MASKED_BOUNDS masked_softmax_split_chunks(CONSTANTS(int VEC) idx rows, idx cols,
                                                      idx chunk, int pieces,
                                                      const float *RESTRICT x,
                                                      const float *RESTRICT b, float *RESTRICT tops,
                                                      float *RESTRICT sums)
{
  SHARED(float, s, 32);
  /*@ loop invariant 0 <= r <= rows;
      loop invariant Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(b,ix(rows,cols,0));
      loop invariant all_open{Pre,Here}(tops,sums,x,b,cols,chunk,pieces,r);
      loop assigns r, tops[0 .. ix(rows,pieces,0)-1], sums[0 .. ix(rows,pieces,0)-1], s[0 .. 31];
      loop variant rows - r; */
  BROWS(r, rows, pieces) {
    /*@ loop invariant 0 <= p <= pieces;
        loop invariant Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(b,ix(rows,cols,0));
        loop invariant all_open{Pre,Here}(tops,sums,x,b,cols,chunk,pieces,r);
        loop invariant row_open{Pre,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),
          x+ix(r,cols,0),b+ix(r,cols,0),cols,chunk,p);
        loop assigns p, tops[0 .. ix(rows,pieces,0)-1], sums[0 .. ix(rows,pieces,0)-1], s[0 .. 31];
        loop variant pieces - p; */
    BCOLS(p, pieces) {
      //@ assert least: least_in(x,ix(rows,cols,0));
      //@ assert tensors: open_tensors(x,b,tops,sums,rows,cols,pieces,VEC);
      //@ assert inside: 0 <= ix(r,pieces,0) <= ix(r,pieces,p) < ix(rows,pieces,0);
      //@ assert cell: ix(r,pieces,p) == ix(r,pieces,0) + p;
      //@ assert row: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
      //@ assert back: Same{Here,Pre}(x,ix(rows,cols,0)) && Same{Here,Pre}(b,ix(rows,cols,0));
      //@ assert mine: Same{Here,Pre}(x+ix(r,cols,0),cols);
      //@ assert mine_b: Same{Here,Pre}(b+ix(r,cols,0),cols);
      open_nth(r, p, rows, cols, chunk, pieces, VEC, x, b, tops, sums, s);
      /*@ assert here: open_is{LoopCurrent,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),
            x+ix(r,cols,0),b+ix(r,cols,0),cols,chunk,p); */
      /*@ assert new: open_is{Pre,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),x+ix(r,cols,0),
            b+ix(r,cols,0),cols,chunk,p); */
      //@ assert kept: pieces_kept{LoopCurrent,Here}(tops,sums,ix(r,pieces,p));
      //@ assert kept_rows: pieces_kept{LoopCurrent,Here}(tops,sums,ix(r,pieces,0));
      //@ assert kept_to: pieces_kept{LoopCurrent,Here}(tops,sums,ix(r,pieces,0)+p);
      //@ assert kept_row: pieces_kept{LoopCurrent,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),p);
      //@ assert old: all_open{Pre,Here}(tops,sums,x,b,cols,chunk,pieces,r);
      /*@ assert old_row: row_open{Pre,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),
            x+ix(r,cols,0),b+ix(r,cols,0),cols,chunk,p); */
      //@ assert follows: follows(p+1,p);
      /*@ assert new_row: row_open{Pre,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),
            x+ix(r,cols,0),b+ix(r,cols,0),cols,chunk,p+1); */
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
extern "C" void LAUNCHER(masked_softmax_split_chunks)(void *stream, int vec, int64_t rows,
                                                      int64_t cols, const float *x,
                                                      const float *mask, float *work)
{
  idx chunk = split_chunk(rows, cols), n = rows * split_chunks(rows, cols);
  int pieces = (int)split_chunks(rows, cols);
#define RUN(VEC)                                                                                   \
  LAUNCH((masked_softmax_split_chunks<VEC>), n, SPLIT_BLOCK, stream, rows, cols, chunk, pieces, x, \
         mask, work, work + n)
  if (vec)
    RUN(1);
  else
    RUN(0);
#undef RUN
}
#endif
