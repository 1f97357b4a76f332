/* Split rows, second launch: masked_softmax (row/split.h): x, b (the mask) and y are (rows,
 * cols). Behind masked_chunks.cu, a block has what all pieces of its row have left, and writes
 * its own. */
#define ONE_WARP 1 /* see collective/block_sum.h */
#include "../lang/dependent_launch.h"
#include "masked_chunks.h"
#include "masked_out.h"
#include "contract_masked.h"

/*@ predicate masked_in{L}(float *x, float *b, float *y, float *tops, float *sums, integer rows,
                           integer cols, integer pieces, integer vec) =
      0 <= rows <= IDX_LIM && ix(rows,pieces,0) <= BLOCKS &&
      open_io(x,b,y,ix(rows,cols,0),cols,vec) && reads(tops,ix(rows,pieces,0)) &&
      reads(sums,ix(rows,pieces,0)) && apart(tops,ix(rows,pieces,0),y,ix(rows,cols,0)) &&
      apart(sums,ix(rows,pieces,0),y,ix(rows,cols,0));
    // the inputs, of n elements and of so many cells, are as they were
    predicate masked_same{L1,L2}(float *x, float *b, float *tops, float *sums, integer n,
                                 integer cells) =
      Same{L1,L2}(x,n) && Same{L1,L2}(b,n) && pieces_kept{L1,L2}(tops,sums,cells);
    lemma masked_same_on{L0,L1,L2}: \forall float *x, *b, *tops, *sums, integer n, cells;
      masked_same{L0,L1}(x,b,tops,sums,n,cells) ==> masked_same{L1,L2}(x,b,tops,sums,n,cells) ==>
      masked_same{L0,L2}(x,b,tops,sums,n,cells); */

/* Piece p of row r. */
/*@ requires block && row_split(cols,chunk,pieces) && 0 <= p < pieces && 0 <= r < rows;
    requires masked_in(x,b,y,tops,sums,rows,cols,pieces,vec);
    requires Mass(all.s,all.m) == OpenWhole(x+ix(r,cols,0),b+ix(r,cols,0),cols);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures open_from{Pre,Post}(x+ix(r,cols,0),b+ix(r,cols,0),y+ix(r,cols,0),cols,
      PieceAt(p,cols,chunk),PieceAt(p+1,cols,chunk));
    ensures Same{Pre,Post}(y,ix(r,cols,0)) && Same{Pre,Post}(y+ix(r,cols,0),PieceAt(p,cols,chunk));
    ensures masked_same{Pre,Post}(x,b,tops,sums,ix(rows,cols,0),ix(rows,pieces,0)); */
DEV void masked_split_nth(once_sum all, int vec, idx r, idx p, idx rows, idx cols, idx chunk,
                          int pieces, const float *RESTRICT x, const float *RESTRICT b,
                          float *RESTRICT y GHOST_PARAMS(const float *tops, const float *sums))
{
  idx o = at2(rows, cols, r, 0);
  //@ assert next: ix(r+1,cols,0) == o + cols && o + cols <= ix(rows,cols,0) && 0 <= o;
  //@ assert fours: vec != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  //@ assert four: vec != 0 ==> o % 4 == 0;
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(x+o,cols);
  //@ assert perm_b: perm_r(b,ix(rows,cols,0)) && perm_r(b+o,cols);
  //@ assert perm_y: perm_r(y,ix(rows,cols,0)) && perm_w(y,ix(rows,cols,0));
  //@ assert perm_yo: perm_r(y+o,cols) && perm_w(y+o,cols);
  //@ assert io: open_io(x+o,b+o,y+o,cols,cols,vec);
  //@ assert piece: 0 <= PieceAt(p,cols,chunk) <= PieceAt(p+1,cols,chunk) <= cols;
  /*@ assert away_x: \forall integer k; 0 <= k < ix(rows,cols,0) ==>
        \separated(x + k, y + (o .. o+cols-1)) && \separated(b + k, y + (o .. o+cols-1)); */
  /*@ assert away_t: \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(tops + k, y + (o .. o+cols-1)) && \separated(sums + k, y + (o .. o+cols-1)); */
  masked_split_row(all, vec, p, cols, chunk, pieces, x + o, b + o, y + o);
  //@ assert rows: Same{Pre,Here}(y,o);
}

/* VEC: x, b and y are 16-byte aligned and cols a multiple of 4. */
/*@ requires block && row_split(cols,chunk,pieces);
    requires masked_in(x,b,y,tops,sums,rows,cols,pieces,VEC);
    requires all_open{Pre,Pre}(tops,sums,x,b,cols,chunk,pieces,rows);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures masked_rows{Pre,Post}(x,b,y,cols,rows); */
TEMPLATE(int VEC)
KERNEL void masked_softmax_split_out(CONSTANTS(int VEC) idx rows, idx cols, idx chunk, int pieces,
                                     const float *RESTRICT x, const float *RESTRICT b,
                                     const float *tops, const float *sums, float *RESTRICT y)
{
  await_launches();
  /*@ loop invariant 0 <= r <= rows && rows_masked{Pre,Here}(x,b,y,cols,r);
      loop invariant masked_same{Pre,Here}(x,b,tops,sums,ix(rows,cols,0),ix(rows,pieces,0));
      loop assigns r, y[0 .. ix(rows,cols,0)-1];
      loop variant rows - r; */
  BROWS(r, rows, pieces) {
    /*@ loop invariant 0 <= p <= pieces && rows_masked{Pre,Here}(x,b,y,cols,r);
        loop invariant open_from{Pre,Here}(x+ix(r,cols,0),b+ix(r,cols,0),y+ix(r,cols,0),cols,0,
          PieceAt(p,cols,chunk));
        loop invariant masked_same{Pre,Here}(x,b,tops,sums,ix(rows,cols,0),ix(rows,pieces,0));
        loop assigns p, y[0 .. ix(rows,cols,0)-1];
        loop variant pieces - p; */
    BCOLS(p, pieces) {
      //@ assert tensors: masked_in(x,b,y,tops,sums,rows,cols,pieces,VEC);
      //@ assert row: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
      //@ assert to: Same{Pre,Here}(x+ix(r,cols,0),cols);
      //@ assert to_b: Same{Pre,Here}(b+ix(r,cols,0),cols);
      //@ assert all_cells: pieces_kept{Pre,Here}(tops,sums,ix(rows,pieces,0));
      //@ assert cells: pieces_kept{Pre,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),pieces);
      /*@ assert left: row_open{Here,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),x+ix(r,cols,0),
            b+ix(r,cols,0),cols,chunk,pieces); */
      //@ assert piece: 0 <= PieceAt(p,cols,chunk) <= PieceAt(p+1,cols,chunk) <= cols;
      once_sum all = open_row_join(r, rows, pieces, tops, sums GHOST_ARGS(cols, chunk, x, b));
      //@ assert back: Same{Here,Pre}(x+ix(r,cols,0),cols);
      //@ assert back_b: Same{Here,Pre}(b+ix(r,cols,0),cols);
      masked_split_nth(all, VEC, r, p, rows, cols, chunk, pieces, x, b, y GHOST_ARGS(tops, sums));
      /*@ assert here: open_from{LoopCurrent,Here}(x+ix(r,cols,0),b+ix(r,cols,0),y+ix(r,cols,0),
        cols,
            PieceAt(p,cols,chunk),PieceAt(p+1,cols,chunk)); */
      /*@ assert new: open_from{Pre,Here}(x+ix(r,cols,0),b+ix(r,cols,0),y+ix(r,cols,0),cols,
            PieceAt(p,cols,chunk),PieceAt(p+1,cols,chunk)); */
      /*@ assert same:
            masked_same{LoopCurrent,Here}(x,b,tops,sums,ix(rows,cols,0),ix(rows,pieces,0)); */
      //@ assert kept_rows: Same{LoopCurrent,Here}(y,ix(r,cols,0));
      //@ assert kept_row: Same{LoopCurrent,Here}(y+ix(r,cols,0),PieceAt(p,cols,chunk));
      //@ assert old: rows_masked{Pre,Here}(x,b,y,cols,r);
      /*@ assert old_row: open_from{Pre,Here}(x+ix(r,cols,0),b+ix(r,cols,0),y+ix(r,cols,0),cols,0,
            PieceAt(p,cols,chunk)); */
    }
    //@ assert end: PieceAt(pieces,cols,chunk) == cols;
  }
  //@ assert whole: rows_masked{Pre,Here}(x,b,y,cols,rows);
  /*@ assert each: \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        rd(y+ix(r,cols,0),c) == MaskedSoftmax{Pre}(x+ix(r,cols,0),b+ix(r,cols,0),cols,c); */
  //@ assert place: \forall integer r, c; ix(r,cols,c) == ix(r,cols,0) + c;
  //@ assert cell: \forall integer o, c; rd(y+o,c) == rd(y,o+c);
  //@ assert all: masked_rows{Pre,Here}(x,b,y,cols,rows);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "launch.h"

extern "C" void LAUNCHER(masked_softmax_split)(void *stream, int vec, int64_t rows, int64_t cols,
                                               const float *x, const float *mask, float *work,
                                               float *y)
{
  idx chunk = split_chunk(rows, cols), n = rows * split_chunks(rows, cols);
  int pieces = (int)split_chunks(rows, cols);
  LAUNCHER(masked_softmax_split_chunks)(stream, vec, rows, cols, x, mask, work);
#define RUN(VEC)                                                                                   \
  LAUNCH_AFTER((masked_softmax_split_out<VEC>), n, SPLIT_BLOCK, stream, rows, cols, chunk, pieces, \
               x, mask, (const float *)work, (const float *)work + n, y)
  if (vec)
    RUN(1);
  else
    RUN(0);
#undef RUN
}
#endif
