/* layer_norm and rms_norm (CENTERED 1 and 0) where a row is cut up among a cluster of blocks
 * (norm_slice.h): x, y are (rows, cols), gamma, beta (cols), mean, rstd (rows). Cluster k does tiles
 * k, k + clusters, .. of TILE_ROWS rows, whose sums go together. gamma and beta wait in registers.
 * The variance is taken about the mean in a second pass over the registers. norm.cu says when. */
#include "ix_times.h"
#include "norm_row.h"
#include "norm_slice_row.h"

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

/* The rows of a tile begin to arrive in stage `stage`. For one lane. */
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
DEV void tile_fetch(LANE_STAGES(cells), arrival *on, int stage, norm_slice s, idx row, idx rows,
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
  STAGE_SEND(on, stage);
}

/* A block's first tiles begin to arrive. For one lane. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells);
    requires 0 <= rows <= SLICE_ROWS && 0 < cols <= ROW_CLUSTER*SLICE_WIDTH;
    requires reads(x,ix(rows,cols,0)) && aligned16(x);
    requires 0 <= first <= 2*SLICE_ROWS && 0 <= step <= 2*SLICE_ROWS;
    requires \separated(cells + (0 .. STAGE_CELLS-1), x + (0 .. ix(rows,cols,0)-1));
    assigns cells[0 .. STAGE_CELLS-1], stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
            stages_sent_, stages_met_, stage_taken_;
    ensures stage_taken_ == -1 && stage_ == 0 && stages_sent_ == STAGE_COUNT && stage_way_ == WAY_SENT;
    ensures stage_round_ == 0;
    ensures tile_held(cells,0,x,first,rows,cols,s.first,s.n);
    ensures tile_held(cells,1,x,first+step,rows,cols,s.first,s.n);
    ensures tile_held(cells,2,x,first+2*step,rows,cols,s.first,s.n); */
DEV void tiles_fetch(LANE_STAGES(cells), arrival *on, norm_slice s, idx first, idx step, idx rows,
                     int cols, const float *RESTRICT x)
{
  idx ahead = first;
  STAGES_OPEN(on);
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

/*@ // what a cluster's block has of the tensors
    predicate slice_outs{L}(integer centered, integer rows, integer cols, float *y, float *mean,
                            float *rstd) =
      0 <= rows <= SLICE_ROWS && 0 < cols <= ROW_CLUSTER*SLICE_WIDTH &&
      writes(y,ix(rows,cols,0)) && writes(rstd,rows) && writes(mean,if_there(centered,rows));
    // what is written lies apart from what is read, and from what else is written
    predicate slice_apart{L}(integer centered, integer affine, integer rows, integer cols, float *x,
                             float *gamma, float *beta, float *y, float *mean, float *rstd) =
      norm_apart(centered,affine,rows,cols,x,gamma,beta,y) &&
      stats_apart(centered,affine,rows,cols,x,gamma,beta,rstd,rows) &&
      stats_apart(centered,affine,rows,cols,x,gamma,beta,mean,if_there(centered,rows)) &&
      apart(y,ix(rows,cols,0),rstd,rows) && apart(y,ix(rows,cols,0),mean,if_there(centered,rows)) &&
      apart(rstd,rows,mean,if_there(centered,rows));
    // and of its mailbox
    predicate slice_mail{L}(mailbox *box, integer rank, integer turn) =
      \valid(box) && mail_cells(box) && mail_ok(rank,ROW_CLUSTER) &&
      mail_says(mail_cluster_,rank) && 0 <= turn <= 2*SLICE_ROWS && mail_at(turn);

    // what block `at` of a cluster says of row r: what its slice adds to the row's sum, or to that of
    // the squares about the mean
    logic real RowSum{L}(integer squares, float *x, real m, integer cols, integer width, integer at) =
      SliceTo(squares,x,m,at+1,width,cols) - SliceTo(squares,x,m,at,width,cols);
    // about what
    logic real RowCenter{L}(integer squares, integer centered, float *x, integer cols) =
      squares == 0 ? 0.0 : Center(x,centered,cols);
    predicate slices_say{L}(integer k, integer second, integer turn, integer squares, float *x,
                            real m, integer cols, integer width) =
      \forall integer at; 0 <= at < ROW_CLUSTER ==>
        Came(k,second,turn,at) == RowSum(squares,x,m,cols,width,at);
    predicate row_says{L}(integer k, integer second, integer turn, integer squares, integer centered,
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

/*@ // columns from .. to-1 of row r of y are what they should be
    predicate slice_normed{L0,L}(integer centered, integer affine, float *x, float *gamma,
                                 float *beta, float *y, integer cols, real eps, integer r,
                                 integer from, integer to) =
      \forall integer c; from <= c < to ==> \at(y[ix(r,cols,c)],L) ==
        Normed{L0}(centered,affine,x+ix(r,cols,0),gamma,beta,cols,eps,c);
    // all others of y are as they were
    predicate slice_else{L1,L2}(float *y, integer rows, integer cols, integer row, integer from,
                                integer to) =
      \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==> r != row || c < from || to <= c ==>
        \at(y[ix(r,cols,c)],L1) == \at(y[ix(r,cols,c)],L2);
    predicate tile_else{L1,L2}(float *y, integer rows, integer cols, integer row, integer from,
                               integer to) =
      \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        (r != row && r != row + 1) || c < from || to <= c ==>
        \at(y[ix(r,cols,c)],L1) == \at(y[ix(r,cols,c)],L2);
    predicate cell_in(integer r, integer c, integer row, integer cols, integer from, integer to) =
      ix(row,cols,from) <= ix(r,cols,c) < ix(row,cols,to);
    lemma cell_of_slice: \forall integer r, c, row, cols, from, to; 0 <= c < cols ==>
      0 <= from <= to <= cols ==> cell_in(r,c,row,cols,from,to) ==> r == row && from <= c < to;
    // what block `rank` leaves of the statistics
    logic integer of_first(integer rank) = rank == 0 ? 1 : 0;
    logic integer of_mean(integer centered, integer rank) =
      centered != 0 && rank == 0 ? 1 : 0; */

/* What is left of a row of which v are the elements about m, the row's mean, and q is the sum of the
 * squares. */
/*@ requires slice_ok(s,cols) && slice_regs(v) && slice_regs(scale) && slice_regs(shift);
    requires slice_outs(centered,rows,cols,y,mean,rstd) && 0 <= row < rows && slice_fits(s,s.n);
    requires slice_apart(centered,affine,rows,cols,x,gamma,beta,y,mean,rstd);
    requires slice_about{Pre,Pre}(v,x+ix(row,cols,0),m,s.first,s.n,mul(s.each,BDIM));
    requires slice_either{Pre,Pre}(scale,gamma,affine,1.0,s.first,s.n,mul(s.each,BDIM));
    requires centered != 0 ==>
      slice_either{Pre,Pre}(shift,beta,centered,0.0,s.first,s.n,mul(s.each,BDIM));
    requires m == Center{Pre}(x+ix(row,cols,0),centered,cols);
    requires q == NormSum{Pre}(1,x+ix(row,cols,0),m,cols);
    requires \separated(y + (0 .. ix(rows,cols,0)-1), v + (0 .. SLICE_EACH*MAXB-1));
    requires \separated(y + (0 .. ix(rows,cols,0)-1), scale + (0 .. SLICE_EACH*MAXB-1));
    requires \separated(y + (0 .. ix(rows,cols,0)-1), shift + (0 .. SLICE_EACH*MAXB-1));
    assigns y[ix(row,cols,s.first) .. ix(row,cols,s.first)+s.n-1],
            rstd[row .. row+of_first(rank)-1], mean[row .. row+of_mean(centered,rank)-1];
    ensures slice_normed{Pre,Post}(centered,affine,x,gamma,beta,y,cols,eps,row,s.first,s.first+s.n);
    ensures slice_else{Pre,Post}(y,rows,cols,row,s.first,s.first+s.n);
    ensures rank == 0 ==> rstd[row] == Rstd{Pre}(x+ix(row,cols,0),centered,cols,eps);
    ensures rank == 0 ==> centered != 0 ==> mean[row] == Mean{Pre}(x+ix(row,cols,0),cols); */
DEV void tile_leave(LANES_OF(float, v), LANES_OF(float, scale), LANES_OF(float, shift),
                    int centered, int rank, norm_slice s, float m, float q, idx row, idx rows,
                    int cols, float eps, float *RESTRICT y, float *RESTRICT mean,
                    float *RESTRICT rstd GHOST_PARAMS(int affine, const float *x,
                                                      const float *gamma, const float *beta))
{
  norm_stats st;
  st.mean = m;
  st.rstd = norm_rstd(q, cols, eps);
  //@ assert root: st.rstd == Rstd{Pre}(x+ix(row,cols,0),centered,cols,eps);
  const idx o = slice_out(row, rows, cols, s GHOST_ARGS(y));
  slice_put(v, scale, shift, centered, st.rstd, s,
            y + o GHOST_ARGS(cols, affine, m, x + (o - s.first), gamma, beta, y, row));
  /*@ assert normed: slice_normed{Pre,Here}(centered,affine,x,gamma,beta,y,cols,eps,row,s.first,
                                            s.first+s.n); */
  //@ assert else: slice_else{Pre,Here}(y,rows,cols,row,s.first,s.first+s.n);
  //@ assert apart_r: \separated(y + (0 .. ix(rows,cols,0)-1), rstd + row);
  /*@ assert apart_m: \separated(y + (0 .. ix(rows,cols,0)-1),
                                 mean + (row .. row+if_there(centered,1)-1)); */
  //@ assert may_r: \valid(rstd + row) && W(rstd+row);
  //@ assert all_m: centered != 0 ==> \valid(mean + (0 .. rows-1)) && perm(mean,rows);
  //@ assert may_m: centered != 0 ==> \valid(mean + row) && W(mean+row);
  //@ assert both: centered != 0 ==> \separated(mean + row, rstd + row);
  //@ ghost L1: ;
  if (rank == 0)
    norm_put(centered, row, st, mean, rstd);
  //@ assert same: Same{L1,Here}(y,ix(rows,cols,0));
}

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
DEV void row_take(LANES_OF(float, v), LANE_STAGES(cells), int part, norm_slice s, idx at,
                  int n GHOST_PARAMS(idx r, idx rows, int cols, const float *x))
{
  slice_take(v, cells, part, slice_lead(at), s, n, 0.0f GHOST_ARGS(cols, n, x, at));
}

/* The block's sums of its slices of two rows, or of the squares about m and t, go to the cluster. */
/*@ requires slice_ok(s,cols) && slice_regs(v) && slice_regs(w) && slice_of_block(s,rank,width,cols);
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
DEV void tile_post(mailbox *box, int turn, int rank, LANES_OF(float, v), LANES_OF(float, w),
                   int squares,
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
  mail_put(box, turn, rank, ROW_CLUSTER, a, b);
}

/*@ predicate stats_else{L1,L2}(float *v, integer rows, integer row, integer rank) =
      \forall integer r; 0 <= r < rows ==> rank != 0 || (r != row && r != row + 1) ==>
        \at(v[r],L1) == \at(v[r],L2);
    // row r of a block that is the first of its cluster has its statistics
    predicate row_stats{L0,L}(integer centered, float *x, float *mean, float *rstd, integer cols,
                              real eps, integer r) =
      \at(rstd[r],L) == Rstd{L0}(x+ix(r,cols,0),centered,cols,eps) &&
      (centered != 0 ==> \at(mean[r],L) == Mean{L0}(x+ix(r,cols,0),cols)); */

/* The tile from row `row` on, which is in stage `stage`; that STAGE_COUNT tiles later, from row
 * `later` on, begins to arrive there. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells) && stages_sent(stage,round);
    requires slice_outs(centered,rows,cols,y,mean,rstd) && reads(x,ix(rows,cols,0));
    requires slice_apart(centered,affine,rows,cols,x,gamma,beta,y,mean,rstd);
    requires aligned16(x) && slice_of_block(s,rank,width,cols);
    requires slice_regs(scale) && slice_regs(shift) && slice_mail(box,rank,turn);
    requires own_apart(cells,STAGE_CELLS,centered,rows,cols,x,y,mean,rstd);
    requires own_apart(scale,SLICE_EACH*MAXB,centered,rows,cols,x,y,mean,rstd);
    requires own_apart(shift,SLICE_EACH*MAXB,centered,rows,cols,x,y,mean,rstd);
    requires own_apart(&box->warps[0],MAIL_CELLS,centered,rows,cols,x,y,mean,rstd);
    requires \separated(box, cells + (0 .. STAGE_CELLS-1), scale + (0 .. SLICE_EACH*MAXB-1),
                        shift + (0 .. SLICE_EACH*MAXB-1));
    requires stage_taken_ <= put_;
    requires 0 <= row < rows && 0 <= later <= IDX_LIM;
    requires tile_held(cells,stage,x,row,rows,cols,s.first,s.n);
    requires tile_says{Pre}(mail_cluster_,turn,centered,x,row,rows,cols,width);
    requires slice_either{Pre,Pre}(scale,gamma,affine,1.0,s.first,s.n,mul(s.each,BDIM));
    requires centered != 0 ==>
      slice_either{Pre,Pre}(shift,beta,centered,0.0,s.first,s.n,mul(s.each,BDIM));
    assigns cells[2*stage*STAGE_ROOM .. 2*stage*STAGE_ROOM + 2*STAGE_ROOM - 1], stage_, stage_way_,
            stage_round_, stage_part_, stage_cell_, stages_sent_, stage_taken_,
            box->warps[0 .. MAIL_CELLS-1], put_, got_, y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
            mean[0 .. if_there(centered,rows)-1];
    ensures stages_sent(stage_next(stage),stage_round(stage,round));
    ensures mail_at(turn + (centered != 0 ? 2 : 1)) && stage_taken_ <= put_;
    ensures tile_held(cells,stage,x,later,rows,cols,s.first,s.n);
    ensures slice_normed{Pre,Post}(centered,affine,x,gamma,beta,y,cols,eps,row,s.first,s.first+s.n);
    ensures row+1 < rows ==>
      slice_normed{Pre,Post}(centered,affine,x,gamma,beta,y,cols,eps,row+1,s.first,s.first+s.n);
    ensures tile_else{Pre,Post}(y,rows,cols,row,s.first,s.first+s.n);
    ensures rank == 0 ==> row_stats{Pre,Post}(centered,x,mean,rstd,cols,eps,row);
    ensures rank == 0 ==> row+1 < rows ==>
      row_stats{Pre,Post}(centered,x,mean,rstd,cols,eps,row+1);
    ensures stats_else{Pre,Post}(rstd,rows,row,rank);
    ensures centered != 0 ==> stats_else{Pre,Post}(mean,rows,row,rank); */
DEV void norm_tile(LANE_STAGES(cells), arrival *on, LANES_OF(float, scale), LANES_OF(float, shift),
                   mailbox *box, int stage, int round, int turn, int rank, int centered,
                   norm_slice s, idx row, idx later, idx rows, int cols, float eps,
                   const float *RESTRICT x, float *RESTRICT y, float *RESTRICT mean,
                   float *RESTRICT rstd GHOST_PARAMS(int affine, int width, const float *gamma,
                                                     const float *beta))
{
  PRIVATES(float, v);
  PRIVATES(float, w);
  const int two = row + 1 < rows, n2 = two ? s.n : 0;
  float2 m = {0.0f, 0.0f}, q;
  const idx at = slice_in(row, rows, cols, s GHOST_ARGS(x));
  STAGE_WAIT(on, stage, round);
  row_take(v, cells, 2 * stage, s, at, s.n GHOST_ARGS(row, rows, cols, x));
  row_take(w, cells, 2 * stage + 1, s, at + cols, n2 GHOST_ARGS(row + 1, rows, cols, x));
  tile_post(box, turn, rank, v, w, !centered,
            s GHOST_ARGS(n2, cols, width, row, rows, centered, m.x, m.y, x));
  BY_LANE(s.threads - 32) tile_fetch(cells, on, stage, s, later, rows, cols, x);
  q = mail_sums(box, turn, ROW_CLUSTER);
  if (centered) {
    m.x = norm_mean(q.x, cols);
    m.y = norm_mean(q.y, cols);
    slice_center(v, m.x, s.n, s GHOST_ARGS(cols, x + ix_times(row, cols)));
    slice_center(w, m.y, n2, s GHOST_ARGS(cols, x + ix_times(row + 1, cols)));
    tile_post(box, turn + 1, rank, v, w, 1,
              s GHOST_ARGS(n2, cols, width, row, rows, centered, m.x, m.y, x));
    q = mail_sums(box, turn + 1, ROW_CLUSTER);
  }
  //@ assert mean: m.x == Center{Pre}(x+ix(row,cols,0),centered,cols);
  //@ assert means: row+1 < rows ==> m.y == Center{Pre}(x+ix(row+1,cols,0),centered,cols);
  //@ assert squares: q.x == NormSum{Pre}(1,x+ix(row,cols,0),m.x,cols);
  //@ assert both: row+1 < rows ==> q.y == NormSum{Pre}(1,x+ix(row+1,cols,0),m.y,cols);
  //@ assert same: Same{Pre,Here}(x,ix(rows,cols,0));
  tile_leave(v, scale, shift, centered, rank, s, m.x, q.x, row, rows, cols, eps, y, mean,
             rstd GHOST_ARGS(affine, x, gamma, beta));
  if (two)
    tile_leave(w, scale, shift, centered, rank, s, m.y, q.y, row + 1, rows, cols, eps, y, mean,
               rstd GHOST_ARGS(affine, x, gamma, beta));
}

/*@ // whose rows are whose: cluster k has the tiles from row 2k on that are 2*clusters rows apart
    logic integer owner(integer r, integer clusters) = r / 2 % clusters;
    predicate tile_at(integer row, integer k, integer clusters) =
      0 <= row && row % (2*clusters) == 2*k;
    predicate tile_after(integer row, integer later, integer clusters) =
      later == row + 2*clusters;
    logic integer tile_number(integer row, integer clusters) = row / (2*clusters);
    lemma tile_first: \forall integer row, k, clusters; 0 <= k < clusters ==> row == 2*k ==>
      tile_at(row,k,clusters) && tile_number(row,clusters) == 0;
    lemma tile_next: \forall integer row, later, k, clusters; 0 <= k < clusters ==>
      tile_after(row,later,clusters) ==> tile_at(row,k,clusters) ==> tile_at(later,k,clusters) &&
      tile_number(later,clusters) == tile_number(row,clusters) + 1;
    lemma tile_count: \forall integer row, clusters; 0 < clusters ==> 0 <= row ==>
      0 <= tile_number(row,clusters) <= row;
    lemma tile_owner: \forall integer row, k, clusters; 0 <= k < clusters ==>
      tile_at(row,k,clusters) ==> owner(row,clusters) == k && owner(row+1,clusters) == k;
    lemma tile_only: \forall integer r, row, later, k, clusters; 0 <= k < clusters ==>
      tile_at(row,k,clusters) ==> tile_after(row,later,clusters) ==> row <= r < later ==>
      owner(r,clusters) == k ==> r == row || r == row + 1;
    lemma tile_before: \forall integer r, k, clusters; 0 <= k < clusters ==> 0 <= r < 2*k ==>
      owner(r,clusters) != k;
    lemma owner_in: \forall integer r, clusters; 0 < clusters ==> 0 <= r ==>
      0 <= owner(r,clusters) < clusters;

    // what the blocks of the grid say
    logic integer tile_turn(integer centered, integer number) =
      centered == 0 ? number : 2*number;
    predicate cluster_says{L}(integer k, integer clusters, integer centered, float *x, integer rows,
                              integer cols, integer width) =
      \forall integer row; row < rows ==> tile_at(row,k,clusters) ==>
        tile_says(k,tile_turn(centered,tile_number(row,clusters)),centered,x,row,rows,cols,width);
    predicate grid_says{L}(integer clusters, integer centered, float *x, integer rows, integer cols,
                           integer width) =
      \forall integer k; 0 <= k < clusters ==>
        cluster_says(k,clusters,centered,x,rows,cols,width);

    // the rows below `end` of cluster k have columns from .. to-1 of y
    predicate owned_normed{L0,L}(integer centered, integer affine, float *x, float *gamma,
                                 float *beta, float *y, integer cols, real eps, integer k,
                                 integer clusters, integer from, integer to, integer end) =
      \forall integer r; 0 <= r < end ==> owner(r,clusters) == k ==>
        slice_normed{L0,L}(centered,affine,x,gamma,beta,y,cols,eps,r,from,to);
    predicate owned_stats{L0,L}(integer centered, float *x, float *mean, float *rstd, integer cols,
                                real eps, integer k, integer clusters, integer end) =
      \forall integer r; 0 <= r < end ==> owner(r,clusters) == k ==>
        row_stats{L0,L}(centered,x,mean,rstd,cols,eps,r);
    // of the others nothing is written
    predicate owned_else{L1,L2}(float *y, integer rows, integer cols, integer k, integer clusters,
                                integer from, integer to) =
      \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        owner(r,clusters) != k || c < from || to <= c ==>
        \at(y[ix(r,cols,c)],L1) == \at(y[ix(r,cols,c)],L2);
    predicate owned_stats_else{L1,L2}(float *v, integer rows, integer k, integer clusters,
                                      integer rank) =
      \forall integer r; 0 <= r < rows ==> rank != 0 || owner(r,clusters) != k ==>
        \at(v[r],L1) == \at(v[r],L2); */

/* Block `rank` of cluster k. */
/*@ requires slice_ok(s,cols) && 0 <= k < clusters <= SLICE_ROWS && 0 <= rank < ROW_CLUSTER;
    requires slice_outs(centered,rows,cols,y,mean,rstd) && reads(x,ix(rows,cols,0));
    requires slice_apart(centered,affine,rows,cols,x,gamma,beta,y,mean,rstd);
    requires reads(gamma,if_there(affine,cols)) && reads(beta,if_there(centered,cols));
    requires 2*STAGE_COUNT*s.room <= stage_cells_ && aligned16(x);
    requires slice_of_block(s,rank,width,cols);
    requires cluster_says{Pre}(k,clusters,centered,x,rows,cols,width);
    assigns stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_, stages_sent_,
            stages_met_, stage_taken_, joined_, put_, got_, mail_cluster_, y[0 .. ix(rows,cols,0)-1],
            rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1];
    ensures owned_normed{Pre,Post}(centered,affine,x,gamma,beta,y,cols,eps,k,clusters,s.first,
                                   s.first+s.n,rows);
    ensures owned_else{Pre,Post}(y,rows,cols,k,clusters,s.first,s.first+s.n);
    ensures rank == 0 ==> owned_stats{Pre,Post}(centered,x,mean,rstd,cols,eps,k,clusters,rows);
    ensures owned_stats_else{Pre,Post}(rstd,rows,k,clusters,rank);
    ensures centered != 0 ==> owned_stats_else{Pre,Post}(mean,rows,k,clusters,rank); */
DEV void norm_cluster_block(idx k, idx clusters, int rank, int centered, int affine, norm_slice s,
                            idx rows, int cols, float eps, const float *RESTRICT x,
                            const float *RESTRICT gamma, const float *RESTRICT beta,
                            float *RESTRICT y, float *RESTRICT mean,
                            float *RESTRICT rstd GHOST_PARAMS(int width))
{
  STAGES(cells, s.room);
  ARRIVALS(on);
  MAILBOX(box);
  PRIVATES(float, scale);
  PRIVATES(float, shift);
  const idx step = TILE_ROWS * clusters, first = TILE_ROWS * k;
  int stage = 0, round = 0, tile = 0;
  mail_promise(box, rank, k);
  BY_LANE(0) tiles_fetch(cells, on, s, first, step, rows, cols, x);
  slice_load(scale, affine, s, 1.0f, gamma GHOST_ARGS(cols));
  if (centered)
    slice_load(shift, 1, s, 0.0f, beta GHOST_ARGS(cols));
  stages_meet();
  mail_join(box);
  //@ assert sent: stages_sent(0,0);
  //@ assert mail: mail_at(0);
  //@ assert at: tile_at(first,k,clusters) && tile_number(first,clusters) == 0;
  /*@ loop invariant first <= row <= rows + step && tile_at(row,k,clusters);
      loop invariant tile == tile_number(row,clusters) && 0 <= tile <= row;
      loop invariant stages_sent(stage,round);
      loop invariant mail_at(tile_turn(centered,tile));
      loop invariant taken: stage_taken_ <= put_;
      loop invariant tile_held(&cells[0],stage,x,row,rows,cols,s.first,s.n);
      loop invariant tile_held(&cells[0],stage_next(stage),x,row+step,rows,cols,s.first,s.n);
      loop invariant tile_held(&cells[0],stage_next(stage_next(stage)),x,row+2*step,rows,cols,s.first,
                               s.n);
      loop invariant owned_normed{Pre,Here}(centered,affine,x,gamma,beta,y,cols,eps,k,clusters,
                                            s.first,s.first+s.n,lesser(row,rows));
      loop invariant owned_else{Pre,Here}(y,rows,cols,k,clusters,s.first,s.first+s.n);
      loop invariant rank == 0 ==>
        owned_stats{Pre,Here}(centered,x,mean,rstd,cols,eps,k,clusters,lesser(row,rows));
      loop invariant owned_stats_else{Pre,Here}(rstd,rows,k,clusters,rank);
      loop invariant centered != 0 ==> owned_stats_else{Pre,Here}(mean,rows,k,clusters,rank);
      loop assigns row, stage, round, tile, cells[0 .. STAGE_CELLS-1], stage_, stage_way_,
                   stage_round_, stage_part_, stage_cell_, stages_sent_, stage_taken_,
                   box[0].warps[0 .. MAIL_CELLS-1], put_, got_, y[0 .. ix(rows,cols,0)-1],
                   rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1];
      loop variant rows - row; */
  for (idx row = first; row < rows; row += step) {
    norm_tile(cells, on, scale, shift, box, stage, round, centered ? 2 * tile : tile, rank, centered,
              s, row, row + STAGE_COUNT * step, rows, cols, eps, x, y, mean,
              rstd GHOST_ARGS(affine, width, gamma, beta));
    tile++;
    round = stage + 1 < STAGE_COUNT ? round : 1 - round;
    stage = stage + 1 < STAGE_COUNT ? stage + 1 : 0;
  }
}

/* x is 16-byte aligned; width: of a slice, of which EACH BLOCK is the most. gamma is read where affine,
 * beta read and mean written where CENTERED. */
/*@ requires block && BLOCK == bdim_ && 0 < EACH <= SLICE_EACH && 0 < width <= SLICE_WIDTH;
    requires 0 < clusters <= SLICE_ROWS && ix(clusters,ROW_CLUSTER,0) <= BLOCKS;
    requires 2*STAGE_COUNT*((width+9)/4*4) <= stage_cells_ && aligned16(x);
    requires width <= mul(EACH,BLOCK) && cols <= mul(ROW_CLUSTER,width);
    requires slice_outs(CENTERED,rows,cols,y,mean,rstd) && reads(x,ix(rows,cols,0));
    requires reads(gamma,if_there(affine,cols)) && reads(beta,if_there(CENTERED,cols));
    requires slice_apart(CENTERED,affine,rows,cols,x,gamma,beta,y,mean,rstd);
    requires grid_says{Pre}(clusters,CENTERED,x,rows,cols,width);
    assigns stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_, stages_sent_,
            stages_met_, stage_taken_, joined_, put_, got_, mail_cluster_, y[0 .. ix(rows,cols,0)-1],
            rstd[0 .. rows-1], mean[0 .. if_there(CENTERED,rows)-1];
    ensures normed_rows{Pre,Post}(CENTERED,affine,x,gamma,beta,y,cols,eps,rows);
    ensures rstd_rows{Pre,Post}(CENTERED,x,rstd,cols,eps,rows);
    ensures CENTERED != 0 ==> mean_rows{Pre,Post}(x,mean,cols,rows); */
TEMPLATE(int CENTERED, int EACH, int BLOCK)
KERNEL void THREADS_AT_MOST(BLOCK)
    norm_cluster(CONSTANTS(int CENTERED, int EACH, int BLOCK) idx clusters, int affine, idx rows,
                 int cols, int width, float eps, const float *RESTRICT x,
                 const float *RESTRICT gamma, const float *RESTRICT beta, float *RESTRICT y,
                 float *RESTRICT mean, float *RESTRICT rstd)
{
  /*@ loop invariant 0 <= k <= clusters;
      loop invariant done: \forall integer r; 0 <= r < rows ==> owner(r,clusters) < k ==>
        slice_normed{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r,0,cols) &&
        row_stats{Pre,Here}(CENTERED,x,mean,rstd,cols,eps,r);
      loop assigns k, stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
                   stages_sent_, stages_met_, stage_taken_, joined_, put_, got_, mail_cluster_,
                   y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                   mean[0 .. if_there(CENTERED,rows)-1];
      loop variant clusters - k; */
  BROWS(k, clusters, ROW_CLUSTER) {
    /*@ loop invariant 0 <= rank <= ROW_CLUSTER;
        loop invariant done: \forall integer r; 0 <= r < rows ==> owner(r,clusters) < k ==>
          slice_normed{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r,0,cols) &&
          row_stats{Pre,Here}(CENTERED,x,mean,rstd,cols,eps,r);
        loop invariant columns: owned_normed{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,k,
          clusters,0,slice_end(rank,width,cols),rows);
        loop invariant stats: 0 < rank ==>
          owned_stats{Pre,Here}(CENTERED,x,mean,rstd,cols,eps,k,clusters,rows);
        loop assigns rank, stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
                     stages_sent_, stages_met_, stage_taken_, joined_, put_, got_, mail_cluster_,
                     y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                     mean[0 .. if_there(CENTERED,rows)-1];
        loop variant ROW_CLUSTER - rank; */
    BCOLS(rank, ROW_CLUSTER) {
      const norm_slice s = slice_of((int)rank, width, cols, EACH, BLOCK);
      //@ assert cut: slice_of_block(s,rank,width,cols);
      //@ assert same: Same{Pre,Here}(x,ix(rows,cols,0));
      //@ assert says: cluster_says(k,clusters,CENTERED,x,rows,cols,width);
      norm_cluster_block(k, clusters, (int)rank, CENTERED, affine, s, rows, cols, eps, x, gamma,
                         beta, y, mean, rstd GHOST_ARGS(width));
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */

#define RUN(EACH, BLOCK)                                                                         \
  LAUNCH_CLUSTERS((norm_cluster<CENTERED, EACH, BLOCK>), ROW_CLUSTER, ROW_CLUSTER *clusters,     \
                  BLOCK, stage_bytes(slice_room(width)), ex->stream, clusters, t->gamma != NULL, \
                  t->rows, (int)t->cols, width, t->eps, t->x, t->gamma, t->beta, t->y, t->mean,  \
                  t->rstd)

template <int CENTERED> static void launch_norm_cluster(const pm_exec *ex, const norm_call *t)
{
  const idx tiles = divide_up(t->rows, TILE_ROWS), most = row_clusters(t->cols);
  const idx clusters = tiles < most ? tiles : most;
  const int width = slice_width(t->cols);
  WITH_SLICE(RUN, t->cols);
}

extern "C" void LAUNCHER(norm_cluster)(const pm_exec *ex, const norm_call *t)
{
  if (t->mean)
    launch_norm_cluster<1>(ex, t);
  else
    launch_norm_cluster<0>(ex, t);
}
#endif
