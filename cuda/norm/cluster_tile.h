/* Tiles of TILE_ROWS rows where a row is cut up among a cluster of blocks (cluster_slice.h): how
 * a tile arrives in its stage, and the statistics of its rows, whose sums go over the cluster
 * together. */
#ifndef PM_NORM_CLUSTER_TILE_H
#define PM_NORM_CLUSTER_TILE_H
#include "../math/index_product.h"
#include "cluster_slice_row.h"

enum { TILE_ROWS = 2 };

/*@ // cells of a part have the block's slice of row r of x, if there is that row
    predicate row_held{L}(float *cells, integer part, float *x, integer r, integer rows,
                          integer cols, integer first, integer n) =
      r < rows ==> slice_held(cells,slice_off(part,ix(r,cols,first)),x,ix(r,cols,first),
                              ix(r,cols,first)+n);
    // a stage has a tile
    predicate tile_held{L}(float *cells, integer stage, float *x, integer row, integer rows,
                           integer cols, integer first, integer n) =
      row_held(cells,2*stage,x,row,rows,cols,first,n) &&
      row_held(cells,2*stage+1,x,row+1,rows,cols,first,n); */

/* The rows of a tile begin to arrive in stage `stage`. For one thread. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells) && 0 <= row;
    requires rows <= SLICE_ROWS && 0 < cols <= ROW_CLUSTER*SLICE_WIDTH && row <= IDX_LIM;
    requires reads(x,ix(rows,cols,0)) && 0 <= rows && aligned16(x);
    requires \separated(cells + (0 .. STAGE_CELLS-1), x + (0 .. ix(rows,cols,0)-1));
    requires stage == stage_ && stage_open(2*stage,0) && stage_way_ == WAY_NONE;
    requires 0 <= stages_sent_ <= STAGE_COUNT && 0 <= stage_round_ <= 1;
    assigns cells[2*stage*STAGE_ROOM .. 2*stage*STAGE_ROOM + 2*STAGE_ROOM - 1], stage_, stage_way_,
            stage_round_, stage_part_, stage_cell_, stages_sent_;
    ensures tile_held(cells,stage,x,row,rows,cols,s.first,s.n);
    ensures stage_ == stage_next(stage);
    ensures stages_sent_ == (\old(stages_sent_) < STAGE_COUNT ? \old(stages_sent_) + 1
                                                              : STAGE_COUNT);
    ensures stage_round_ == (\old(stages_sent_) < STAGE_COUNT
                               ? \old(stage_round_) : stage_round(stage,\old(stage_round_)));
    ensures stage_way_ == (stages_sent_ < STAGE_COUNT ? WAY_NONE : WAY_SENT); */
DEV void tile_fetch(BULK_RING_PARAM(cells), arrival *on, int stage, norm_slice s, idx row, idx rows,
                    int cols, const float *RESTRICT x)
{
  const idx all = ix_times(rows, cols);
  if (row < rows)
    slice_fetch(cells, on, 2 * stage, s, slice_in(row, rows, cols, s GHOST_ARGS(x)), all,
                x GHOST_ARGS(cols));
  //@ assert first: row_held(cells,2*stage,x,row,rows,cols,s.first,s.n);
  if (row + 1 < rows)
    slice_fetch(cells, on, 2 * stage + 1, s, slice_in(row + 1, rows, cols, s GHOST_ARGS(x)), all,
                x GHOST_ARGS(cols));
  //@ assert kept: row_held(cells,2*stage,x,row,rows,cols,s.first,s.n);
  //@ assert second: row_held(cells,2*stage+1,x,row+1,rows,cols,s.first,s.n);
  BULK_SEND(on, stage);
}

/* A block's first tiles begin to arrive. For one thread. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells);
    requires 0 <= rows <= SLICE_ROWS && 0 < cols <= ROW_CLUSTER*SLICE_WIDTH;
    requires reads(x,ix(rows,cols,0)) && aligned16(x);
    requires 0 <= first <= 2*SLICE_ROWS && 0 <= step <= 2*SLICE_ROWS;
    requires \separated(cells + (0 .. STAGE_CELLS-1), x + (0 .. ix(rows,cols,0)-1));
    assigns cells[0 .. STAGE_CELLS-1], stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
            stages_sent_, stages_met_, stage_taken_;
    ensures stage_taken_ == -1 && stage_ == 0 && stages_sent_ == STAGE_COUNT && stage_way_ ==
      WAY_SENT;
    ensures stage_round_ == 0;
    ensures tile_held(cells,0,x,first,rows,cols,s.first,s.n);
    ensures tile_held(cells,1,x,first+step,rows,cols,s.first,s.n);
    ensures tile_held(cells,2,x,first+2*step,rows,cols,s.first,s.n); */
DEV void tiles_fetch(BULK_RING_PARAM(cells), arrival *on, norm_slice s, idx first, idx step,
                     idx rows, int cols, const float *RESTRICT x)
{
  idx ahead = first;
  BULK_RING_OPEN(on);
  /*@ loop invariant 0 <= i <= STAGE_COUNT && stages_sent_ == i && stage_round_ == 0;
      loop invariant 0 <= ahead <= (i + 1) * (2*SLICE_ROWS);
      loop invariant i <= 1 ==> ahead == first + (i == 0 ? 0 : step);
      loop invariant 2 <= i ==> ahead == first + 2*step + (i == 2 ? 0 : step);
      loop invariant 1 <= i ==> tile_held(cells,0,x,first,rows,cols,s.first,s.n);
      loop invariant 2 <= i ==> tile_held(cells,1,x,first+step,rows,cols,s.first,s.n);
      loop invariant 3 <= i ==> tile_held(cells,2,x,first+2*step,rows,cols,s.first,s.n);
      loop invariant stage_ == (i < STAGE_COUNT ? i : 0);
      loop invariant stage_way_ == (i < STAGE_COUNT ? WAY_NONE : WAY_SENT);
      loop assigns i, ahead, cells[0 .. STAGE_CELLS-1], stage_, stage_way_, stage_round_,
                   stage_part_, stage_cell_, stages_sent_;
      loop variant STAGE_COUNT - i; */
  for (int i = 0; i < STAGE_COUNT; i++) {
    tile_fetch(cells, on, i, s, ahead, rows, cols, x);
    ahead += step;
  }
}

/*@ // what block `at` of a cluster says of row r: what its slice adds to the row's sum, or to that
    // of
    // the squares about the mean
    logic real RowSum{L}(integer squares, float *x, real m, integer cols, integer width,
      integer at) =
      SliceTo(squares,x,m,at+1,width,cols) - SliceTo(squares,x,m,at,width,cols);
    // about what
    logic real RowCenter{L}(integer squares, integer centered, float *x, integer cols) =
      squares == 0 ? 0.0 : Center(x,centered,cols);
    predicate slices_say{L}(integer k, integer second, integer turn, integer squares, float *x,
                            real m, integer cols, integer width) =
      \forall integer at; 0 <= at < ROW_CLUSTER ==>
        Came(k,second,turn,at) == RowSum(squares,x,m,cols,width,at);
    predicate row_says{L}(integer k, integer second, integer turn, integer squares,
      integer centered,
                          float *x, integer r, integer rows, integer cols, integer width) =
      (r < rows ==> slices_say(k,second,turn,squares,x+ix(r,cols,0),
                               RowCenter(squares,centered,x+ix(r,cols,0),cols),cols,width)) &&
      (rows <= r ==> \forall integer at; is_zero(Came(k,second,turn,at)));
    predicate rows_say{L}(integer k, integer turn, integer squares, integer centered, float *x,
                          integer row, integer rows, integer cols, integer width) =
      row_says(k,0,turn,squares,centered,x,row,rows,cols,width) &&
      row_says(k,1,turn,squares,centered,x,row+1,rows,cols,width);
    predicate tile_says{L}(integer k, integer turn, integer centered, float *x, integer row,
                           integer rows, integer cols, integer width) =
      (centered == 0 ==> rows_say(k,turn,1,0,x,row,rows,cols,width)) &&
      (centered != 0 ==> rows_say(k,turn,0,centered,x,row,rows,cols,width) &&
                         rows_say(k,turn+1,1,centered,x,row,rows,cols,width));
    lemma came_slices{L}: \forall integer n, k, second, turn, squares, float *x, real m,
      integer cols, width; 0 <= n <= ROW_CLUSTER ==>
      slices_say(k,second,turn,squares,x,m,cols,width) ==>
      CameSum(k,second,turn,n) ==
        SliceTo(squares,x,m,n,width,cols) - SliceTo(squares,x,m,0,width,cols);
    // and together
    lemma came_row{L}: \forall integer k, second, turn, squares, float *x, real m, integer cols,
      width; 0 < cols <= mul(ROW_CLUSTER,width) ==>
      slices_say(k,second,turn,squares,x,m,cols,width) ==>
      CameSum(k,second,turn,ROW_CLUSTER) == NormSum(squares,x,m,cols);
    lemma slice_to_frame{L1,L2}: \forall integer squares, float *x, real m, integer at, width, cols;
      Same{L1,L2}(x,cols) ==>
      SliceTo{L1}(squares,x,m,at,width,cols) == SliceTo{L2}(squares,x,m,at,width,cols);
    lemma row_center_frame{L1,L2}: \forall integer squares, centered, float *x, integer cols;
      Same{L1,L2}(x,cols) ==>
      RowCenter{L1}(squares,centered,x,cols) == RowCenter{L2}(squares,centered,x,cols);
    lemma slices_frame{L1,L2}: \forall integer k, second, turn, squares, float *x, real m,
      integer cols, width; Same{L1,L2}(x,cols) ==>
      slices_say{L1}(k,second,turn,squares,x,m,cols,width) ==>
      slices_say{L2}(k,second,turn,squares,x,m,cols,width);
    lemma row_says_frame{L1,L2}: \forall integer k, second, turn, squares, centered, float *x,
      integer r, rows, cols, width; 0 <= r ==> 0 < cols ==> Same{L1,L2}(x,ix(rows,cols,0)) ==>
      row_says{L1}(k,second,turn,squares,centered,x,r,rows,cols,width) ==>
      row_says{L2}(k,second,turn,squares,centered,x,r,rows,cols,width);
    lemma tile_says_frame{L1,L2}: \forall integer k, turn, centered, float *x, integer row, rows,
      cols, width; 0 <= row ==> 0 < cols ==> Same{L1,L2}(x,ix(rows,cols,0)) ==>
      tile_says{L1}(k,turn,centered,x,row,rows,cols,width) ==>
      tile_says{L2}(k,turn,centered,x,row,rows,cols,width); */

/*@ // columns from .. to-1 are the slice of block `rank`
    predicate slice_cut(integer from, integer to, integer rank, integer width, integer cols) =
      (from == to && slice_end(rank,width,cols) == slice_end(rank+1,width,cols)) ||
      (from == slice_end(rank,width,cols) && to == slice_end(rank+1,width,cols));
    lemma slice_adds{L}: \forall integer squares, float *x, real m, integer from, to, rank, width,
      cols; slice_cut(from,to,rank,width,cols) ==>
      SliceSum(squares,x,m,from,to) == RowSum(squares,x,m,cols,width,rank);
    // the block's slice is that of block `rank` of the cluster, and it has registers for it
    predicate slice_of_block{L}(norm_slice s, integer rank, integer width, integer cols) =
      slice_fits(s,s.n) && 0 < width && cols <= mul(ROW_CLUSTER,width) &&
      slice_cut(s.first,s.first+s.n,rank,width,cols);
    // what a block has of its own lies apart from the tensors, of which it reads x
    predicate own_apart{L}(float *v, integer n, integer centered, integer rows, integer cols,
                           float *x, float *y, float *mean, float *rstd) =
      \separated(v + (0 .. n-1), x + (0 .. ix(rows,cols,0)-1)) &&
      \separated(v + (0 .. n-1), y + (0 .. ix(rows,cols,0)-1)) &&
      \separated(v + (0 .. n-1), rstd + (0 .. rows-1)) &&
      \separated(v + (0 .. n-1), mean + (0 .. if_there(centered,rows)-1));
    logic integer row_n(integer r, integer rows, integer n) = r < rows ? n : 0; */

/* The block's slice of row r, which has arrived in a part; of a row that is not there, zeros. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells) && slice_fits(s,s.n);
    requires stage_part(part) && stage_way_ == WAY_NONE && stages_sent_ == STAGE_COUNT;
    requires slice_regs(v) && stage_taken_ <= put_ && 0 <= r && 0 <= at && 0 < cols;
    requires at == ix(r,cols,s.first) && n == row_n(r,rows,s.n);
    requires row_held(cells,part,x,r,rows,cols,s.first,s.n);
    requires \separated(v + (0 .. SLICE_EACH*MAXB-1), cells + (0 .. STAGE_CELLS-1));
    requires \separated(v + (0 .. SLICE_EACH*MAXB-1), x + (at .. at+n-1));
    assigns v[0 .. SLICE_EACH*MAXB-1], stage_taken_;
    ensures stage_taken_ <= put_;
    ensures slice_about{Pre,Post}(v,x+ix(r,cols,0),0.0,s.first,n,mul(s.each,BDIM)); */
DEV void row_take(PER_THREAD_OF(float, v), BULK_RING_PARAM(cells), int part, norm_slice s, idx at,
                  int n GHOST_PARAMS(idx r, idx rows, int cols, const float *x))
{
  slice_take(v, cells, part, slice_lead(at), s, n, 0.0f GHOST_ARGS(cols, n, x, at));
}

/* The block's sums of its slices of two rows, or of the squares about m and t, go to the
 * cluster. */
/*@ requires slice_ok(s,cols) && slice_regs(v) && slice_regs(w) && slice_of_block(s,rank,width,
  cols);
    requires \valid(box) && mail_cells(box) && mail_ok(rank,ROW_CLUSTER) && mail_at(turn);
    requires mail_says(mail_cluster_,rank) && 0 <= turn && 0 <= row < rows && 0 < cols;
    requires reads(x,ix(rows,cols,0));
    requires n2 == row_n(row+1,rows,s.n);
    requires rows_say{Pre}(mail_cluster_,turn,squares,centered,x,row,rows,cols,width);
    requires m == RowCenter(squares,centered,x+ix(row,cols,0),cols);
    requires row+1 < rows ==> t == RowCenter(squares,centered,x+ix(row+1,cols,0),cols);
    requires squares == 0 ==> is_zero(t);
    requires slice_about{Pre,Pre}(v,x+ix(row,cols,0),m,s.first,s.n,mul(s.each,BDIM));
    requires slice_about{Pre,Pre}(w,x+ix(row+1,cols,0),t,s.first,n2,mul(s.each,BDIM));
    requires \separated(box, v + (0 .. SLICE_EACH*MAXB-1), w + (0 .. SLICE_EACH*MAXB-1));
    assigns box->warps[0 .. MAIL_CELLS-1], put_;
    ensures put_ == turn + 1; */
DEV void tile_post(mailbox *box, int turn, int rank, PER_THREAD_OF(float, v),
                   PER_THREAD_OF(float, w), int squares,
                   norm_slice s GHOST_PARAMS(int n2, int cols, int width, idx row, idx rows,
                                             int centered, float m, float t, const float *x))
{
  PRIVATE(float, a);
  PRIVATE(float, b);
  slice_add(a, v, squares, s GHOST_ARGS(cols, s.n, m, x + ix_times(row, cols)));
  //@ assert cut: slice_cut(s.first,s.first+s.n,rank,width,cols);
  /*@ assert sum: SumR(&a[0],0,BDIM) ==
        RowSum{Pre}(squares,x+ix(row,cols,0),m,cols,width,rank); */
  //@ assert first: SumR(&a[0],0,BDIM) == Came(mail_cluster_,0,turn,rank);
  //@ assert all: Same{Pre,Here}(x,ix(rows,cols,0));
  //@ assert row: row+1 < rows ==> Same{Pre,Here}(x+ix(row+1,cols,0),cols);
  /*@ assert frame: row+1 < rows ==> RowSum(squares,x+ix(row+1,cols,0),t,cols,width,rank) ==
        RowSum{Pre}(squares,x+ix(row+1,cols,0),t,cols,width,rank); */
  /*@ assert cuts: row+1 < rows ==> n2 == s.n &&
        SliceSum(squares,x+ix(row+1,cols,0),t,s.first,s.first+n2) ==
        RowSum(squares,x+ix(row+1,cols,0),t,cols,width,rank); */
  slice_add(b, w, squares, s GHOST_ARGS(cols, n2, t, x + ix_times(row + 1, cols)));
  /*@ assert none: rows <= row+1 ==> SumR(&b[0],0,BDIM) == 0.0; */
  /*@ assert other: row+1 < rows ==> SumR(&b[0],0,BDIM) ==
        RowSum{Pre}(squares,x+ix(row+1,cols,0),t,cols,width,rank); */
  //@ assert still: SumR(&a[0],0,BDIM) == Came(mail_cluster_,0,turn,rank);
  //@ assert second: SumR(&b[0],0,BDIM) == Came(mail_cluster_,1,turn,rank);
  exchange_put(box, turn, rank, ROW_CLUSTER, a, b);
}

/*@ // the stage whose turn it is has come
    predicate stage_came{L}(integer stage, integer round) = 0 <= stage < STAGE_COUNT &&
      stage_ == stage && stages_sent_ == STAGE_COUNT && stage_way_ == WAY_NONE &&
      stages_met_ == 1 && stage_round_ == round && 0 <= round <= 1;
    predicate slices_of{L}(norm_slice s, integer rows, integer cols, float *x) =
      slice_ok(s,cols) && slice_fits(s,s.n) && mul(s.each,bdim_) <= SLICE_EACH*MAXB &&
      0 <= rows <= SLICE_ROWS &&
      0 < cols <= ROW_CLUSTER*SLICE_WIDTH && reads(x,ix(rows,cols,0));
    // registers have the block's slices of two rows, about m and t
    predicate tile_about{L0,L}(float *v, float *w, float *x, real m, real t, integer row,
                               integer rows, integer cols, integer first, integer n,
                               integer end) =
      slice_about{L0,L}(v,x+ix(row,cols,0),m,first,n,end) &&
      slice_about{L0,L}(w,x+ix(row+1,cols,0),t,first,row_n(row+1,rows,n),end);
    // what the block writes lies apart from the rest, and from x
    predicate tile_regs{L}(float *v, float *w, float *x, integer all) =
      slice_regs(v) && slice_regs(w) &&
      \separated(v + (0 .. SLICE_EACH*MAXB-1), w + (0 .. SLICE_EACH*MAXB-1)) &&
      \separated(v + (0 .. SLICE_EACH*MAXB-1), x + (0 .. all-1)) &&
      \separated(w + (0 .. SLICE_EACH*MAXB-1), x + (0 .. all-1));
    predicate tile_cells{L}(float *v, float *w, float *cells, float *x, integer all) =
      slice_cells(cells) && \separated(cells + (0 .. STAGE_CELLS-1), x + (0 .. all-1)) &&
      \separated(cells + (0 .. STAGE_CELLS-1), v + (0 .. SLICE_EACH*MAXB-1)) &&
      \separated(cells + (0 .. STAGE_CELLS-1), w + (0 .. SLICE_EACH*MAXB-1));
    predicate tile_box{L}(mailbox *box, float *v, float *w, float *cells, float *x,
                          integer all) =
      \separated(box, v + (0 .. SLICE_EACH*MAXB-1), w + (0 .. SLICE_EACH*MAXB-1)) &&
      \separated(&box->warps[0] + (0 .. MAIL_CELLS-1), x + (0 .. all-1)) &&
      \separated(&box->warps[0] + (0 .. MAIL_CELLS-1), cells + (0 .. STAGE_CELLS-1));
    // and of its mailbox
    predicate slice_mail{L}(mailbox *box, integer rank, integer turn) =
      \valid(box) && mail_cells(box) && mail_ok(rank,ROW_CLUSTER) &&
      mail_says(mail_cluster_,rank) && 0 <= turn <= 2*SLICE_ROWS - 2 && mail_at(turn);
    // registers, and what they have, in another state
    predicate regs_same{L1,L2}(float *v) = Same{L1,L2}(v,SLICE_EACH*MAXB);
    lemma slice_about_kept{L0,L1,L2}: \forall float *v, *x, real m, integer first, n, end;
      end <= SLICE_EACH*MAXB ==> regs_same{L1,L2}(v) ==>
      slice_about{L0,L1}(v,x,m,first,n,end) ==> slice_about{L0,L2}(v,x,m,first,n,end);
    lemma slice_about_frame{L1,L2}: \forall float *v, *x, real m, integer first, n, end, cols;
      end <= SLICE_EACH*MAXB ==> 0 <= first ==> (0 < n ==> first + n <= cols) ==>
      regs_same{L1,L2}(v) ==> Same{L1,L2}(x,cols) ==>
      slice_about{L1,L1}(v,x,m,first,n,end) ==> slice_about{L2,L2}(v,x,m,first,n,end);
    lemma slice_about_of{L1,L2,L}: \forall float *v, *x, real m, integer first, n, end, cols;
      0 <= first ==> (0 < n ==> first + n <= cols) ==> Same{L1,L2}(x,cols) ==>
      slice_about{L1,L}(v,x,m,first,n,end) ==> slice_about{L2,L}(v,x,m,first,n,end);
    lemma tile_held_same{L1,L2}: \forall float *cells, integer stage, float *x, integer row, rows,
      cols, first, n; 0 <= row ==> 0 <= first ==> (0 < n ==> first + n <= cols) ==>
      n <= STAGE_ROOM - 6 ==> 0 <= stage < STAGE_COUNT ==> Same{L1,L2}(cells,STAGE_CELLS) ==>
      Same{L1,L2}(x,ix(rows,cols,0)) ==>
      tile_held{L1}(cells,stage,x,row,rows,cols,first,n) ==>
      tile_held{L2}(cells,stage,x,row,rows,cols,first,n);
    // the sums of both rows, or of the squares about m and t
    predicate tile_sum{L}(real a, real b, integer squares, float *x, real m, real t, integer row,
                          integer rows, integer cols) =
      a == NormSum(squares,x+ix(row,cols,0),m,cols) &&
      (row+1 < rows ==> b == NormSum(squares,x+ix(row+1,cols,0),t,cols)); */

/* The block's slices of a tile's rows, when its stage has come. */
/*@ requires slices_of(s,rows,cols,x) && s.room == stage_room_ && stages_sent(stage,round);
    requires tile_regs(v,w,x,ix(rows,cols,0)) && tile_cells(v,w,cells,x,ix(rows,cols,0));
    requires stage_taken_ <= put_ && 0 <= row < rows && n2 == row_n(row+1,rows,s.n);
    requires tile_held(cells,stage,x,row,rows,cols,s.first,s.n);
    assigns v[0 .. SLICE_EACH*MAXB-1], w[0 .. SLICE_EACH*MAXB-1], stage_way_, stage_taken_;
    ensures stage_came(stage,round) && stage_taken_ <= put_;
    ensures slice_about{Pre,Post}(v,x+ix(row,cols,0),0.0,s.first,s.n,mul(s.each,BDIM));
    ensures slice_about{Pre,Post}(w,x+ix(row+1,cols,0),0.0,s.first,n2,mul(s.each,BDIM)); */
DEV void tile_take(PER_THREAD_OF(float, v), PER_THREAD_OF(float, w), BULK_RING_PARAM(cells),
                   arrival *on, int stage, int round, norm_slice s, int n2, idx row, idx rows,
                   int cols GHOST_PARAMS(const float *x))
{
  (void)on;
  const idx at = slice_in(row, rows, cols, s GHOST_ARGS(x));
  BULK_WAIT(on, stage, round);
  row_take(v, cells, 2 * stage, s, at, s.n GHOST_ARGS(row, rows, cols, x));
  //@ assert same: Same{Pre,Here}(x,ix(rows,cols,0));
  //@ assert row: row+1 < rows ==> Same{Pre,Here}(x+ix(row+1,cols,0),cols);
  //@ assert next: row_held(cells,2*stage+1,x,row+1,rows,cols,s.first,s.n);
  //@ assert at: at + cols == ix(row+1,cols,s.first);
  //@ ghost L1: ;
  row_take(w, cells, 2 * stage + 1, s, at + cols, n2 GHOST_ARGS(row + 1, rows, cols, x));
  //@ assert kept: regs_same{L1,Here}(v);
  //@ assert first: slice_about{Pre,Here}(v,x+ix(row,cols,0),0.0,s.first,s.n,mul(s.each,BDIM));
  /*@ assert second: slice_about{Pre,Here}(w,x+ix(row+1,cols,0),0.0,s.first,n2,
                                           mul(s.each,BDIM)); */
}

/* The cluster's sums of what its blocks say of two rows, or of the squares about m and t; meanwhile
 * rows from `later` on begin to arrive in the stage that was taken. */
/*@ requires slices_of(s,rows,cols,x) && s.room == stage_room_ && stage_came(stage,round);
    requires slice_of_block(s,rank,width,cols) && slice_mail(box,rank,turn) && aligned16(x);
    requires tile_regs(v,w,x,ix(rows,cols,0)) && tile_cells(v,w,cells,x,ix(rows,cols,0));
    requires tile_box(box,v,w,cells,x,ix(rows,cols,0));
    requires stage_taken_ <= put_ && 0 <= row < rows && n2 == row_n(row+1,rows,s.n);
    requires 0 <= later <= IDX_LIM;
    requires rows_say{Pre}(mail_cluster_,turn,squares,centered,x,row,rows,cols,width);
    requires m == RowCenter(squares,centered,x+ix(row,cols,0),cols);
    requires row+1 < rows ==> t == RowCenter(squares,centered,x+ix(row+1,cols,0),cols);
    requires squares == 0 ==> is_zero(t);
    requires slice_about{Pre,Pre}(v,x+ix(row,cols,0),m,s.first,s.n,mul(s.each,BDIM));
    requires slice_about{Pre,Pre}(w,x+ix(row+1,cols,0),t,s.first,n2,mul(s.each,BDIM));
    assigns cells[2*stage*STAGE_ROOM .. 2*stage*STAGE_ROOM + 2*STAGE_ROOM - 1], stage_, stage_way_,
            stage_round_, stage_part_, stage_cell_, stages_sent_, box->warps[0 .. MAIL_CELLS-1],
            put_, got_;
    ensures stages_sent(stage_next(stage),stage_round(stage,round));
    ensures mail_at(turn + 1) && stage_taken_ <= put_;
    ensures tile_held(cells,stage,x,later,rows,cols,s.first,s.n);
    ensures tile_sum{Pre}(\result.x,\result.y,squares,x,m,t,row,rows,cols); */
DEV float2 tile_sums(mailbox *box, int turn, int rank, PER_THREAD_OF(float, v),
                     PER_THREAD_OF(float, w), int squares, BULK_RING_PARAM(cells), arrival *on,
                     int stage, norm_slice s, idx later, idx rows, int cols,
                     const float *RESTRICT x GHOST_PARAMS(int round, int n2, int width, idx row,
                                                          int centered, float m, float t))
{
  //@ assert one: slices_say(mail_cluster_,0,turn,squares,x+ix(row,cols,0),m,cols,width);
  /*@ assert two: row+1 < rows ==>
        slices_say(mail_cluster_,1,turn,squares,x+ix(row+1,cols,0),t,cols,width); */
  tile_post(box, turn, rank, v, w, squares,
            s GHOST_ARGS(n2, cols, width, row, rows, centered, m, t, x));
  BY_THREAD(s.threads - 32) tile_fetch(cells, on, stage, s, later, rows, cols, x);
  return exchange_sums(box, turn, ROW_CLUSTER);
}

/* Two rows about their means m and t, and the cluster's sums of the squares. */
/*@ requires slices_of(s,rows,cols,x) && slice_of_block(s,rank,width,cols);
    requires slice_mail(box,rank,turn) && tile_regs(v,w,x,ix(rows,cols,0));
    requires \separated(box, v + (0 .. SLICE_EACH*MAXB-1), w + (0 .. SLICE_EACH*MAXB-1));
    requires 0 <= row < rows && n2 == row_n(row+1,rows,s.n);
    requires rows_say{Pre}(mail_cluster_,turn,1,centered,x,row,rows,cols,width);
    requires m == RowCenter(1,centered,x+ix(row,cols,0),cols);
    requires row+1 < rows ==> t == RowCenter(1,centered,x+ix(row+1,cols,0),cols);
    requires slice_about{Pre,Pre}(v,x+ix(row,cols,0),0.0,s.first,s.n,mul(s.each,BDIM));
    requires slice_about{Pre,Pre}(w,x+ix(row+1,cols,0),0.0,s.first,n2,mul(s.each,BDIM));
    assigns v[0 .. SLICE_EACH*MAXB-1], w[0 .. SLICE_EACH*MAXB-1], box->warps[0 .. MAIL_CELLS-1],
            put_, got_;
    ensures mail_at(turn + 1);
    ensures slice_about{Pre,Post}(v,x+ix(row,cols,0),m,s.first,s.n,mul(s.each,BDIM));
    ensures slice_about{Pre,Post}(w,x+ix(row+1,cols,0),t,s.first,n2,mul(s.each,BDIM));
    ensures tile_sum{Pre}(\result.x,\result.y,1,x,m,t,row,rows,cols); */
DEV float2 tile_squares(mailbox *box, int turn, int rank, PER_THREAD_OF(float, v),
                        PER_THREAD_OF(float, w), float m, float t, int n2,
                        norm_slice s GHOST_PARAMS(int cols, int width, idx row, idx rows,
                                                  int centered, const float *x))
{
  //@ assert one: slices_say(mail_cluster_,0,turn,1,x+ix(row,cols,0),m,cols,width);
  /*@ assert two: row+1 < rows ==>
        slices_say(mail_cluster_,1,turn,1,x+ix(row+1,cols,0),t,cols,width); */
  slice_center(v, m, s.n, s GHOST_ARGS(cols, x + ix_times(row, cols)));
  //@ assert same_v: Same{Pre,Here}(x,ix(rows,cols,0));
  //@ assert next_v: row+1 < rows ==> Same{Pre,Here}(x+ix(row+1,cols,0),cols);
  //@ assert same_w: regs_same{Pre,Here}(w);
  //@ assert first: slice_about{Here,Here}(w,x+ix(row+1,cols,0),0.0,s.first,n2,mul(s.each,BDIM));
  //@ ghost L1: ;
  slice_center(w, t, n2, s GHOST_ARGS(cols, x + ix_times(row + 1, cols)));
  //@ assert kept: regs_same{L1,Here}(v);
  //@ assert same: Same{Pre,Here}(x,ix(rows,cols,0));
  //@ assert row: Same{Pre,Here}(x+ix(row,cols,0),cols);
  //@ assert next: row+1 < rows ==> Same{Pre,Here}(x+ix(row+1,cols,0),cols);
  //@ assert in_v: slice_about{Pre,Here}(v,x+ix(row,cols,0),m,s.first,s.n,mul(s.each,BDIM));
  //@ assert in_w: slice_about{Pre,Here}(w,x+ix(row+1,cols,0),t,s.first,n2,mul(s.each,BDIM));
  //@ assert v: slice_about{Here,Here}(v,x+ix(row,cols,0),m,s.first,s.n,mul(s.each,BDIM));
  //@ assert w: slice_about{Here,Here}(w,x+ix(row+1,cols,0),t,s.first,n2,mul(s.each,BDIM));
  //@ assert says: rows_say(mail_cluster_,turn,1,centered,x,row,rows,cols,width);
  //@ ghost L2: ;
  tile_post(box, turn, rank, v, w, 1, s GHOST_ARGS(n2, cols, width, row, rows, centered, m, t, x));
  //@ assert posted_v: regs_same{L2,Here}(v);
  //@ assert posted_w: regs_same{L2,Here}(w);
  //@ assert kept_v: slice_about{Pre,Here}(v,x+ix(row,cols,0),m,s.first,s.n,mul(s.each,BDIM));
  //@ assert kept_w: slice_about{Pre,Here}(w,x+ix(row+1,cols,0),t,s.first,n2,mul(s.each,BDIM));
  return exchange_sums(box, turn, ROW_CLUSTER);
}

/* What is known of a tile's rows: what they are centered on, and their squares about that. */
typedef struct tile_stats {
  float2 m, q;
} tile_stats;

/*@ // of row r
    predicate row_known{L}(real m, real q, integer centered, float *x, integer r, integer cols) =
      m == Center(x+ix(r,cols,0),centered,cols) && q == NormSum(1,x+ix(r,cols,0),m,cols); */

/* The statistics of the rows in v and w, which come to be about their means. */
/*@ requires slices_of(s,rows,cols,x) && s.room == stage_room_ && stage_came(stage,round);
    requires slice_of_block(s,rank,width,cols) && slice_mail(box,rank,turn) && aligned16(x);
    requires tile_regs(v,w,x,ix(rows,cols,0)) && tile_cells(v,w,cells,x,ix(rows,cols,0));
    requires tile_box(box,v,w,cells,x,ix(rows,cols,0));
    requires stage_taken_ <= put_ && 0 <= row < rows && n2 == row_n(row+1,rows,s.n);
    requires 0 <= later <= IDX_LIM && turn <= SLICE_ROWS;
    requires tile_says{Pre}(mail_cluster_,turn,centered,x,row,rows,cols,width);
    requires slice_about{Pre,Pre}(v,x+ix(row,cols,0),0.0,s.first,s.n,mul(s.each,BDIM));
    requires slice_about{Pre,Pre}(w,x+ix(row+1,cols,0),0.0,s.first,n2,mul(s.each,BDIM));
    assigns v[0 .. SLICE_EACH*MAXB-1], w[0 .. SLICE_EACH*MAXB-1],
            cells[2*stage*STAGE_ROOM .. 2*stage*STAGE_ROOM + 2*STAGE_ROOM - 1], stage_, stage_way_,
            stage_round_, stage_part_, stage_cell_, stages_sent_, box->warps[0 .. MAIL_CELLS-1],
            put_, got_;
    ensures stages_sent(stage_next(stage),stage_round(stage,round));
    ensures mail_at(turn + (centered != 0 ? 2 : 1)) && stage_taken_ <= put_;
    ensures tile_held(cells,stage,x,later,rows,cols,s.first,s.n);
    ensures row_known{Pre}(\result.m.x,\result.q.x,centered,x,row,cols);
    ensures row+1 < rows ==> row_known{Pre}(\result.m.y,\result.q.y,centered,x,row+1,cols);
    ensures slice_about{Pre,Post}(v,x+ix(row,cols,0),\result.m.x,s.first,s.n,mul(s.each,BDIM));
    ensures slice_about{Pre,Post}(w,x+ix(row+1,cols,0),\result.m.y,s.first,n2,
                                  mul(s.each,BDIM)); */
DEV tile_stats tile_know(mailbox *box, int turn, int rank, PER_THREAD_OF(float, v),
                         PER_THREAD_OF(float, w), int centered, BULK_RING_PARAM(cells), arrival *on,
                         int stage, norm_slice s, int n2, idx later, idx rows, int cols,
                         const float *RESTRICT x GHOST_PARAMS(int round, int width, idx row))
{
  tile_stats k;
  k.m.x = 0.0f;
  k.m.y = 0.0f;
  /*@ assert away: \forall integer i; 0 <= i < ix(rows,cols,0) ==>
        \separated(x + i, cells + (2*stage*STAGE_ROOM .. 2*stage*STAGE_ROOM + 2*STAGE_ROOM - 1)) &&
        \separated(x + i, &box->warps[0] + (0 .. MAIL_CELLS-1)); */
  /*@ assert off_v: \forall integer i; 0 <= i < SLICE_EACH*MAXB ==>
        \separated(v + i, cells + (2*stage*STAGE_ROOM .. 2*stage*STAGE_ROOM + 2*STAGE_ROOM - 1)) &&
        \separated(v + i, &box->warps[0] + (0 .. MAIL_CELLS-1)); */
  /*@ assert off_w: \forall integer i; 0 <= i < SLICE_EACH*MAXB ==>
        \separated(w + i, cells + (2*stage*STAGE_ROOM .. 2*stage*STAGE_ROOM + 2*STAGE_ROOM - 1)) &&
        \separated(w + i, &box->warps[0] + (0 .. MAIL_CELLS-1)); */
  k.q = tile_sums(box, turn, rank, v, w, !centered, cells, on, stage, s, later, rows, cols,
                  x GHOST_ARGS(round, n2, width, row, centered, 0.0f, 0.0f));
  //@ assert same: Same{Pre,Here}(x,ix(rows,cols,0));
  //@ assert row: Same{Pre,Here}(x+ix(row,cols,0),cols);
  //@ assert next: row+1 < rows ==> Same{Pre,Here}(x+ix(row+1,cols,0),cols);
  //@ assert same_v: regs_same{Pre,Here}(v);
  //@ assert same_w: regs_same{Pre,Here}(w);
  //@ assert v: slice_about{Pre,Here}(v,x+ix(row,cols,0),0.0,s.first,s.n,mul(s.each,BDIM));
  //@ assert w: slice_about{Pre,Here}(w,x+ix(row+1,cols,0),0.0,s.first,n2,mul(s.each,BDIM));
  if (centered) {
    k.m.x = norm_mean(k.q.x, cols);
    k.m.y = norm_mean(k.q.y, cols);
    //@ assert means: k.m.x == Center{Pre}(x+ix(row,cols,0),centered,cols);
    //@ assert mean2: row+1 < rows ==> k.m.y == Center{Pre}(x+ix(row+1,cols,0),centered,cols);
    //@ assert mean_h: k.m.x == RowCenter(1,centered,x+ix(row,cols,0),cols);
    //@ assert mean2_h: row+1 < rows ==> k.m.y == RowCenter(1,centered,x+ix(row+1,cols,0),cols);
    //@ assert v_h: slice_about{Here,Here}(v,x+ix(row,cols,0),0.0,s.first,s.n,mul(s.each,BDIM));
    //@ assert w_h: slice_about{Here,Here}(w,x+ix(row+1,cols,0),0.0,s.first,n2,mul(s.each,BDIM));
    //@ assert says: rows_say(mail_cluster_,turn+1,1,centered,x,row,rows,cols,width);
    //@ ghost L1: ;
    k.q = tile_squares(box, turn + 1, rank, v, w, k.m.x, k.m.y, n2,
                       s GHOST_ARGS(cols, width, row, rows, centered, x));
    //@ assert came: Same{L1,Here}(cells,STAGE_CELLS);
    //@ assert still: Same{L1,Here}(x,ix(rows,cols,0));
    //@ assert held: tile_held(cells,stage,x,later,rows,cols,s.first,s.n);
  }
  return k;
}

/*@ // no stage but this one changes
    predicate stages_else{L1,L2}(float *cells, integer stage) = \forall integer i;
      (0 <= i < 2*stage*STAGE_ROOM || 2*stage*STAGE_ROOM + 2*STAGE_ROOM <= i < STAGE_CELLS) ==>
        \at(cells[i],L1) == \at(cells[i],L2); */

/* A tile whose rows come into v and w, and its statistics. */
/*@ requires slices_of(s,rows,cols,x) && s.room == stage_room_ && stages_sent(stage,round);
    requires slice_of_block(s,rank,width,cols) && slice_mail(box,rank,turn) && aligned16(x);
    requires tile_regs(v,w,x,ix(rows,cols,0)) && tile_cells(v,w,cells,x,ix(rows,cols,0));
    requires tile_box(box,v,w,cells,x,ix(rows,cols,0));
    requires stage_taken_ <= put_ && 0 <= row < rows && n2 == row_n(row+1,rows,s.n);
    requires 0 <= later <= IDX_LIM && turn <= SLICE_ROWS;
    requires tile_held(cells,stage,x,row,rows,cols,s.first,s.n);
    requires tile_says{Pre}(mail_cluster_,turn,centered,x,row,rows,cols,width);
    assigns v[0 .. SLICE_EACH*MAXB-1], w[0 .. SLICE_EACH*MAXB-1], cells[0 .. STAGE_CELLS-1],
            stage_, stage_way_, stage_round_, stage_part_, stage_cell_, stages_sent_, stage_taken_,
            box->warps[0 .. MAIL_CELLS-1], put_, got_;
    ensures stages_sent(stage_next(stage),stage_round(stage,round));
    ensures mail_at(turn + (centered != 0 ? 2 : 1)) && stage_taken_ <= put_;
    ensures tile_held(cells,stage,x,later,rows,cols,s.first,s.n);
    ensures stages_else{Pre,Post}(cells,stage);
    ensures row_known{Pre}(\result.m.x,\result.q.x,centered,x,row,cols);
    ensures row+1 < rows ==> row_known{Pre}(\result.m.y,\result.q.y,centered,x,row+1,cols);
    ensures slice_about{Pre,Post}(v,x+ix(row,cols,0),\result.m.x,s.first,s.n,mul(s.each,BDIM));
    ensures slice_about{Pre,Post}(w,x+ix(row+1,cols,0),\result.m.y,s.first,n2,
                                  mul(s.each,BDIM)); */
DEV tile_stats tile_come(PER_THREAD_OF(float, v), PER_THREAD_OF(float, w), BULK_RING_PARAM(cells),
                         arrival *on, mailbox *box, int stage, int round, int turn, int rank,
                         int centered, norm_slice s, int n2, idx row, idx later, idx rows, int cols,
                         const float *RESTRICT x GHOST_PARAMS(int width))
{
  tile_take(v, w, cells, on, stage, round, s, n2, row, rows, cols GHOST_ARGS(x));
  //@ assert taken: Same{Pre,Here}(x,ix(rows,cols,0));
  //@ assert cells: Same{Pre,Here}(cells,STAGE_CELLS);
  //@ assert row: Same{Pre,Here}(x+ix(row,cols,0),cols);
  //@ assert next: row+1 < rows ==> Same{Pre,Here}(x+ix(row+1,cols,0),cols);
  //@ assert says: tile_says(mail_cluster_,turn,centered,x,row,rows,cols,width);
  //@ assert v: slice_about{Here,Here}(v,x+ix(row,cols,0),0.0,s.first,s.n,mul(s.each,BDIM));
  //@ assert w: slice_about{Here,Here}(w,x+ix(row+1,cols,0),0.0,s.first,n2,mul(s.each,BDIM));
  /*@ assert off: \forall integer i; 0 <= i < STAGE_CELLS ==>
        \separated(cells + i, v + (0 .. SLICE_EACH*MAXB-1)) &&
        \separated(cells + i, w + (0 .. SLICE_EACH*MAXB-1)) &&
        \separated(cells + i, &box->warps[0] + (0 .. MAIL_CELLS-1)); */
  //@ ghost L1: ;
  const tile_stats k = tile_know(box, turn, rank, v, w, centered, cells, on, stage, s, n2, later,
                                 rows, cols, x GHOST_ARGS(round, width, row));
  //@ assert else: stages_else{L1,Here}(cells,stage);
  /*@ assert in_v: slice_about{Pre,Here}(v,x+ix(row,cols,0),k.m.x,s.first,s.n,
                                         mul(s.each,BDIM)); */
  /*@ assert in_w: slice_about{Pre,Here}(w,x+ix(row+1,cols,0),k.m.y,s.first,n2,
                                         mul(s.each,BDIM)); */
  return k;
}
#endif
