/* What a block of a cluster leaves of a tile of rows (cluster_tile.h): its slices of y, and,
 * where it is the first of its cluster, their statistics. */
#ifndef PM_NORM_CLUSTER_TILE_OUT_H
#define PM_NORM_CLUSTER_TILE_OUT_H
#include "row.h"
#include "cluster_tile.h"

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
      apart(rstd,rows,mean,if_there(centered,rows)); */

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
    // all statistics but those that the first block of a cluster leaves of a row are as they were
    predicate stat_else{L1,L2}(float *v, integer rows, integer row, integer rank) =
      \forall integer r; 0 <= r < rows ==> rank != 0 || r != row ==>
        \at(v[r],L1) == \at(v[r],L2); */

/* What is left of a row of which v are the elements about m, the row's mean, and q is the sum of
 * the squares. */
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
    assigns y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1];
    ensures slice_normed{Pre,Post}(centered,affine,x,gamma,beta,y,cols,eps,row,s.first,s.first+s.n);
    ensures slice_else{Pre,Post}(y,rows,cols,row,s.first,s.first+s.n);
    ensures rank == 0 ==> rstd[row] == Rstd{Pre}(x+ix(row,cols,0),centered,cols,eps);
    ensures rank == 0 ==> centered != 0 ==> mean[row] == Mean{Pre}(x+ix(row,cols,0),cols);
    ensures stat_else{Pre,Post}(rstd,rows,row,rank);
    ensures centered != 0 ==> stat_else{Pre,Post}(mean,rows,row,rank); */
DEV void tile_leave(PER_THREAD_OF(float, v), PER_THREAD_OF(float, scale),
                    PER_THREAD_OF(float, shift), int centered, int rank, norm_slice s, float m,
                    float q, idx row, idx rows, int cols, float eps, float *RESTRICT y,
                    float *RESTRICT mean,
                    float *RESTRICT rstd GHOST_PARAMS(int affine, const float *x,
                                                      const float *gamma, const float *beta))
{
  norm_stats st;
  st.mean = m;
  st.rstd = norm_rstd(q, cols, eps);
  //@ assert root: st.rstd == Rstd{Pre}(x+ix(row,cols,0),centered,cols,eps);
  const idx o = slice_out(row, rows, cols, s GHOST_ARGS(y));
  /*@ assert off_r: \forall integer i; 0 <= i < rows ==>
        \separated(rstd + i, y + o + (0 .. s.n-1)); */
  /*@ assert off_m: \forall integer i; 0 <= i < if_there(centered,rows) ==>
        \separated(mean + i, y + o + (0 .. s.n-1)); */
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
  /*@ assert apart_s: \forall integer i; 0 <= i < rows ==>
        \separated(rstd + i, mean + (row .. row+if_there(centered,1)-1)); */
  /*@ assert apart_t: \forall integer i; 0 <= i < if_there(centered,rows) ==>
        \separated(mean + i, rstd + row); */
  //@ assert put_r: Same{Pre,Here}(rstd,rows);
  //@ assert put_m: centered != 0 ==> Same{Pre,Here}(mean,rows);
  //@ ghost L1: ;
  if (rank == 0)
    norm_put(centered, row, st, mean, rstd);
  //@ assert same: Same{L1,Here}(y,ix(rows,cols,0));
  //@ assert rest_r: stat_else{L1,Here}(rstd,rows,row,rank);
  //@ assert rest_m: centered != 0 ==> stat_else{L1,Here}(mean,rows,row,rank);
}

/*@ predicate stats_else{L1,L2}(float *v, integer rows, integer row, integer rank) =
      \forall integer r; 0 <= r < rows ==> rank != 0 || (r != row && r != row + 1) ==>
        \at(v[r],L1) == \at(v[r],L2);
    // row r of a block that is the first of its cluster has its statistics
    predicate row_stats{L0,L}(integer centered, float *x, float *mean, float *rstd, integer cols,
                              real eps, integer r) =
      \at(rstd[r],L) == Rstd{L0}(x+ix(r,cols,0),centered,cols,eps) &&
      (centered != 0 ==> \at(mean[r],L) == Mean{L0}(x+ix(r,cols,0),cols));
    // what the block leaves of row r
    predicate row_left{L0,L}(integer centered, integer affine, float *x, float *gamma, float *beta,
                             float *y, float *mean, float *rstd, integer cols, real eps,
                             integer rank, integer r, integer from, integer to) =
      slice_normed{L0,L}(centered,affine,x,gamma,beta,y,cols,eps,r,from,to) &&
      (rank == 0 ==> row_stats{L0,L}(centered,x,mean,rstd,cols,eps,r));
    // of what it depends on
    predicate tensors_same{L1,L2}(integer centered, integer affine, float *x, float *gamma,
                                  float *beta, integer rows, integer cols) =
      Same{L1,L2}(x,ix(rows,cols,0)) && (affine != 0 ==> Same{L1,L2}(gamma,cols)) &&
      (centered != 0 ==> Same{L1,L2}(beta,cols));
    lemma tensors_same_on{L0,L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta,
      integer rows, cols; tensors_same{L0,L1}(centered,affine,x,gamma,beta,rows,cols) ==>
      tensors_same{L1,L2}(centered,affine,x,gamma,beta,rows,cols) ==>
      tensors_same{L0,L2}(centered,affine,x,gamma,beta,rows,cols);
    predicate norm_same{L1,L2}(integer centered, integer affine, float *x, float *gamma,
                               float *beta, integer n) =
      Same{L1,L2}(x,n) && (affine != 0 ==> Same{L1,L2}(gamma,n)) &&
      (centered != 0 ==> Same{L1,L2}(beta,n));
    lemma row_same{L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta, integer n, r,
      rows; 0 <= r < rows ==> 0 < n ==>
      tensors_same{L1,L2}(centered,affine,x,gamma,beta,rows,n) ==>
      norm_same{L1,L2}(centered,affine,x+ix(r,n,0),gamma,beta,n);
    lemma slice_normed_frame{L1,L2,L}: \forall integer centered, affine, float *x, *gamma, *beta,
      *y,
      integer n, real eps, integer r, from, to; 0 <= from ==> (from < to ==> to <= n) ==>
      norm_same{L1,L2}(centered,affine,x+ix(r,n,0),gamma,beta,n) ==>
      slice_normed{L1,L}(centered,affine,x,gamma,beta,y,n,eps,r,from,to) ==>
      slice_normed{L2,L}(centered,affine,x,gamma,beta,y,n,eps,r,from,to);
    lemma row_stats_frame{L1,L2,L}: \forall integer centered, affine, float *x, *gamma, *beta,
      *mean,
      *rstd, integer n, real eps, integer r;
      norm_same{L1,L2}(centered,affine,x+ix(r,n,0),gamma,beta,n) ==>
      row_stats{L1,L}(centered,x,mean,rstd,n,eps,r) ==>
      row_stats{L2,L}(centered,x,mean,rstd,n,eps,r);
    lemma row_left_frame{L1,L2,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean, *rstd, integer cols, real eps, integer rank, r, from, to, rows; 0 <= r < rows ==>
      0 < cols ==> 0 <= from ==> (from < to ==> to <= cols) ==>
      tensors_same{L1,L2}(centered,affine,x,gamma,beta,rows,cols) ==>
      row_left{L1,L}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,rank,r,from,to) ==>
      row_left{L2,L}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,rank,r,from,to);
    // the block's slices of gamma and beta
    predicate scales_held{L0,L}(integer centered, integer affine, float *scale, float *shift,
                                float *gamma, float *beta, integer first, integer n,
                                integer end) =
      slice_either{L0,L}(scale,gamma,affine,1.0,first,n,end) &&
      (centered != 0 ==> slice_either{L0,L}(shift,beta,centered,0.0,first,n,end));
    // in another state
    lemma scales_frame{L1,L2}: \forall integer centered, affine, float *scale, *shift, *gamma,
      *beta,
      *x, integer first, n, end, rows, cols;
      end <= SLICE_EACH*MAXB ==> 0 <= first ==> (0 < n ==> first + n <= cols) ==>
      regs_same{L1,L2}(scale) ==> regs_same{L1,L2}(shift) ==>
      tensors_same{L1,L2}(centered,affine,x,gamma,beta,rows,cols) ==>
      scales_held{L1,L1}(centered,affine,scale,shift,gamma,beta,first,n,end) ==>
      scales_held{L2,L2}(centered,affine,scale,shift,gamma,beta,first,n,end);
    // a row of which nothing is written since
    predicate row_else{L1,L2}(integer centered, float *y, float *mean, float *rstd, integer rows,
                              integer cols, integer row, integer rank, integer from, integer to) =
      slice_else{L1,L2}(y,rows,cols,row,from,to) && stat_else{L1,L2}(rstd,rows,row,rank) &&
      (centered != 0 ==> stat_else{L1,L2}(mean,rows,row,rank));
    lemma row_left_on{L0,L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean, *rstd, integer rows, cols, real eps, integer rank, r, row, from, to;
      0 <= r < rows ==> r != row ==> 0 <= from ==> (from < to ==> to <= cols) ==>
      row_else{L1,L2}(centered,y,mean,rstd,rows,cols,row,rank,from,to) ==>
      row_left{L0,L1}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,rank,r,from,to) ==>
      row_left{L0,L2}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,rank,r,from,to);
    predicate scales_regs{L}(float *scale, float *shift, integer centered, integer rows,
                             integer cols, float *x, float *y, float *mean, float *rstd) =
      slice_regs(scale) && slice_regs(shift) &&
      own_apart(scale,SLICE_EACH*MAXB,centered,rows,cols,x,y,mean,rstd) &&
      own_apart(shift,SLICE_EACH*MAXB,centered,rows,cols,x,y,mean,rstd); */

/*@ // elements apart from what is left of a tile
    predicate off_outs{L}(float *p, integer n, integer centered, integer rows, integer cols,
                          float *y, float *mean, float *rstd) =
      \forall integer i; 0 <= i < n ==> \separated(p + i, y + (0 .. ix(rows,cols,0)-1)) &&
        \separated(p + i, rstd + (0 .. rows-1)) &&
        \separated(p + i, mean + (0 .. if_there(centered,rows)-1)); */

/* What is left of a tile whose rows are in v and w about their means. */
/*@ requires slices_of(s,rows,cols,x) && slice_regs(v) && slice_regs(w);
    requires slice_outs(centered,rows,cols,y,mean,rstd) && 0 <= row < rows;
    requires slice_apart(centered,affine,rows,cols,x,gamma,beta,y,mean,rstd);
    requires n2 == row_n(row+1,rows,s.n);
    requires own_apart(v,SLICE_EACH*MAXB,centered,rows,cols,x,y,mean,rstd);
    requires own_apart(w,SLICE_EACH*MAXB,centered,rows,cols,x,y,mean,rstd);
    requires scales_regs(scale,shift,centered,rows,cols,x,y,mean,rstd);
    requires slice_about{Pre,Pre}(v,x+ix(row,cols,0),k.m.x,s.first,s.n,mul(s.each,BDIM));
    requires slice_about{Pre,Pre}(w,x+ix(row+1,cols,0),k.m.y,s.first,n2,mul(s.each,BDIM));
    requires scales_held{Pre,Pre}(centered,affine,scale,shift,gamma,beta,s.first,s.n,
                                  mul(s.each,BDIM));
    requires row_known{Pre}(k.m.x,k.q.x,centered,x,row,cols);
    requires row+1 < rows ==> row_known{Pre}(k.m.y,k.q.y,centered,x,row+1,cols);
    assigns y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1];
    ensures row_left{Pre,Post}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,rank,row,s.first,
                               s.first+s.n);
    ensures row+1 < rows ==> row_left{Pre,Post}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,
                                                rank,row+1,s.first,s.first+s.n);
    ensures tile_else{Pre,Post}(y,rows,cols,row,s.first,s.first+s.n);
    ensures stats_else{Pre,Post}(rstd,rows,row,rank);
    ensures centered != 0 ==> stats_else{Pre,Post}(mean,rows,row,rank); */
DEV void tile_leaves(PER_THREAD_OF(float, v), PER_THREAD_OF(float, w), PER_THREAD_OF(float, scale),
                     PER_THREAD_OF(float, shift), int centered, int rank, norm_slice s,
                     tile_stats k, idx row, idx rows, int cols, float eps, float *RESTRICT y,
                     float *RESTRICT mean,
                     float *RESTRICT rstd GHOST_PARAMS(int n2, int affine, const float *x,
                                                       const float *gamma, const float *beta))
{
  //@ assert out_x: off_outs(x,ix(rows,cols,0),centered,rows,cols,y,mean,rstd);
  //@ assert out_g: affine != 0 ==> off_outs(gamma,cols,centered,rows,cols,y,mean,rstd);
  //@ assert out_b: centered != 0 ==> off_outs(beta,cols,centered,rows,cols,y,mean,rstd);
  //@ assert out_w: off_outs(w,SLICE_EACH*MAXB,centered,rows,cols,y,mean,rstd);
  //@ assert out_s: off_outs(scale,SLICE_EACH*MAXB,centered,rows,cols,y,mean,rstd);
  //@ assert out_t: off_outs(shift,SLICE_EACH*MAXB,centered,rows,cols,y,mean,rstd);
  tile_leave(v, scale, shift, centered, rank, s, k.m.x, k.q.x, row, rows, cols, eps, y, mean,
             rstd GHOST_ARGS(affine, x, gamma, beta));
  /*@ assert left: row_left{Pre,Here}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,rank,row,
                                      s.first,s.first+s.n); */
  //@ assert else: tile_else{Pre,Here}(y,rows,cols,row,s.first,s.first+s.n);
  //@ assert else_r: stats_else{Pre,Here}(rstd,rows,row,rank);
  //@ assert else_m: centered != 0 ==> stats_else{Pre,Here}(mean,rows,row,rank);
  if (row + 1 < rows) {
    //@ assert xs: Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert gammas: affine != 0 ==> Same{Pre,Here}(gamma,cols);
    //@ assert betas: centered != 0 ==> Same{Pre,Here}(beta,cols);
    //@ assert all: tensors_same{Here,Pre}(centered,affine,x,gamma,beta,rows,cols);
    //@ assert next: Same{Pre,Here}(x+ix(row+1,cols,0),cols);
    //@ assert there: tensors_same{Pre,Here}(centered,affine,x,gamma,beta,rows,cols);
    //@ assert ws: regs_same{Pre,Here}(w);
    //@ assert scales: regs_same{Pre,Here}(scale);
    //@ assert shifts: regs_same{Pre,Here}(shift);
    //@ assert w: slice_about{Here,Here}(w,x+ix(row+1,cols,0),k.m.y,s.first,s.n,mul(s.each,BDIM));
    /*@ assert held: scales_held{Here,Here}(centered,affine,scale,shift,gamma,beta,s.first,s.n,
                                            mul(s.each,BDIM)); */
    //@ assert known: row_known(k.m.y,k.q.y,centered,x,row+1,cols);
    //@ ghost L1: ;
    tile_leave(w, scale, shift, centered, rank, s, k.m.y, k.q.y, row + 1, rows, cols, eps, y, mean,
               rstd GHOST_ARGS(affine, x, gamma, beta));
    /*@ assert second: row_left{L1,Here}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,rank,
                                         row+1,s.first,s.first+s.n); */
    /*@ assert second_pre: row_left{Pre,Here}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,
                                              rank,row+1,s.first,s.first+s.n); */
    /*@ assert kept: row_else{L1,Here}(centered,y,mean,rstd,rows,cols,row+1,rank,s.first,
                                       s.first+s.n); */
    /*@ assert first: row_left{Pre,Here}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,rank,
                                         row,s.first,s.first+s.n); */
    //@ assert elses: tile_else{Pre,Here}(y,rows,cols,row,s.first,s.first+s.n);
    //@ assert elses_r: stats_else{Pre,Here}(rstd,rows,row,rank);
    //@ assert elses_m: centered != 0 ==> stats_else{Pre,Here}(mean,rows,row,rank);
  }
}

/*@ // elements apart from where tiles come, and from the registers that they come into
    predicate off_own{L}(float *p, integer n, float *cells, float *warps) =
      \forall integer i; 0 <= i < n ==> \separated(p + i, cells + (0 .. STAGE_CELLS-1)) &&
        \separated(p + i, warps + (0 .. MAIL_CELLS-1));
    predicate off_regs{L}(float *p, integer n, float *v, float *w) =
      \forall integer i; 0 <= i < n ==> \separated(p + i, v + (0 .. SLICE_EACH*MAXB-1)) &&
        \separated(p + i, w + (0 .. SLICE_EACH*MAXB-1));
    // so are the tensors, and gamma's and beta's slices
    predicate own_off{L}(float *cells, float *scale, float *shift, float *warps, integer centered,
                         integer affine, integer rows, integer cols, float *x, float *gamma,
                         float *beta, float *y, float *mean, float *rstd) =
      off_own(x,ix(rows,cols,0),cells,warps) && off_own(gamma,if_there(affine,cols),cells,warps) &&
      off_own(beta,if_there(centered,cols),cells,warps) &&
      off_own(scale,SLICE_EACH*MAXB,cells,warps) && off_own(shift,SLICE_EACH*MAXB,cells,warps) &&
      off_own(y,ix(rows,cols,0),cells,warps) && off_own(rstd,rows,cells,warps) &&
      off_own(mean,if_there(centered,rows),cells,warps);
    predicate regs_off{L}(float *v, float *w, float *scale, float *shift, integer centered,
                          integer affine, integer rows, integer cols, float *x, float *gamma,
                          float *beta, float *y, float *mean, float *rstd) =
      off_regs(x,ix(rows,cols,0),v,w) && off_regs(gamma,if_there(affine,cols),v,w) &&
      off_regs(beta,if_there(centered,cols),v,w) && off_regs(scale,SLICE_EACH*MAXB,v,w) &&
      off_regs(shift,SLICE_EACH*MAXB,v,w) && off_regs(y,ix(rows,cols,0),v,w) &&
      off_regs(rstd,rows,v,w) && off_regs(mean,if_there(centered,rows),v,w);
    predicate outs_off{L}(float *cells, float *scale, float *shift, integer centered,
                          integer affine, integer rows, integer cols, float *x, float *gamma,
                          float *beta, float *y, float *mean, float *rstd) =
      off_outs(x,ix(rows,cols,0),centered,rows,cols,y,mean,rstd) &&
      off_outs(gamma,if_there(affine,cols),centered,rows,cols,y,mean,rstd) &&
      off_outs(beta,if_there(centered,cols),centered,rows,cols,y,mean,rstd) &&
      off_outs(scale,SLICE_EACH*MAXB,centered,rows,cols,y,mean,rstd) &&
      off_outs(shift,SLICE_EACH*MAXB,centered,rows,cols,y,mean,rstd) &&
      off_outs(cells,STAGE_CELLS,centered,rows,cols,y,mean,rstd);
    // what a block has of its own while its tiles come
    predicate tile_own{L}(float *cells, float *scale, float *shift, mailbox *box, integer centered,
                          integer affine, integer rows, integer cols, float *x, float *gamma,
                          float *beta, float *y, float *mean, float *rstd) =
      slice_cells(cells) && scales_regs(scale,shift,centered,rows,cols,x,y,mean,rstd) &&
      \separated(cells + (0 .. STAGE_CELLS-1), x + (0 .. ix(rows,cols,0)-1)) &&
      \separated(&box->warps[0] + (0 .. MAIL_CELLS-1), x + (0 .. ix(rows,cols,0)-1)) &&
      \separated(&box->warps[0] + (0 .. MAIL_CELLS-1), cells + (0 .. STAGE_CELLS-1)) &&
      own_off(cells,scale,shift,&box->warps[0],centered,affine,rows,cols,x,gamma,beta,y,mean,
              rstd) &&
      outs_off(cells,scale,shift,centered,affine,rows,cols,x,gamma,beta,y,mean,rstd);
    // the outputs in two states
    predicate outs_same{L1,L2}(integer centered, integer rows, integer cols, float *y, float *mean,
                               float *rstd) =
      Same{L1,L2}(y,ix(rows,cols,0)) && Same{L1,L2}(rstd,rows) &&
      Same{L1,L2}(mean,if_there(centered,rows));
    predicate tile_elses{L1,L2}(integer centered, float *y, float *mean, float *rstd, integer rows,
                                integer cols, integer row, integer rank, integer from,
                                integer to) =
      tile_else{L1,L2}(y,rows,cols,row,from,to) && stats_else{L1,L2}(rstd,rows,row,rank) &&
      (centered != 0 ==> stats_else{L1,L2}(mean,rows,row,rank));
    lemma tile_elses_from{L0,L1,L2}: \forall integer centered, float *y, *mean, *rstd,
      integer rows, cols, row, rank, from, to;
      outs_same{L0,L1}(centered,rows,cols,y,mean,rstd) ==>
      tile_elses{L1,L2}(centered,y,mean,rstd,rows,cols,row,rank,from,to) ==>
      tile_elses{L0,L2}(centered,y,mean,rstd,rows,cols,row,rank,from,to); */

/* The rows of a tile come into v and w, and its statistics; nothing of the tensors changes. */
/*@ requires slices_of(s,rows,cols,x) && s.room == stage_room_ && stages_sent(stage,round);
    requires slice_of_block(s,rank,width,cols) && slice_mail(box,rank,turn) && aligned16(x);
    requires tile_regs(v,w,x,ix(rows,cols,0)) && tile_cells(v,w,cells,x,ix(rows,cols,0));
    requires tile_box(box,v,w,cells,x,ix(rows,cols,0));
    requires stage_taken_ <= put_ && 0 <= row < rows && n2 == row_n(row+1,rows,s.n);
    requires 0 <= later <= IDX_LIM && turn <= SLICE_ROWS;
    requires tile_held(cells,stage,x,row,rows,cols,s.first,s.n);
    requires tile_says{Pre}(mail_cluster_,turn,centered,x,row,rows,cols,width);
    requires own_off(cells,scale,shift,&box->warps[0],centered,affine,rows,cols,x,gamma,beta,y,mean,
                     rstd);
    requires regs_off(v,w,scale,shift,centered,affine,rows,cols,x,gamma,beta,y,mean,rstd);
    requires scales_held{Pre,Pre}(centered,affine,scale,shift,gamma,beta,s.first,s.n,
                                  mul(s.each,BDIM));
    assigns v[0 .. SLICE_EACH*MAXB-1], w[0 .. SLICE_EACH*MAXB-1], cells[0 .. STAGE_CELLS-1],
            stage_, stage_way_, stage_round_, stage_part_, stage_cell_, stages_sent_, stage_taken_,
            box->warps[0 .. MAIL_CELLS-1], put_, got_;
    ensures stages_sent(stage_next(stage),stage_round(stage,round));
    ensures mail_at(turn + (centered != 0 ? 2 : 1)) && stage_taken_ <= put_;
    ensures tile_held(cells,stage,x,later,rows,cols,s.first,s.n);
    ensures stages_else{Pre,Post}(cells,stage);
    ensures tensors_same{Pre,Post}(centered,affine,x,gamma,beta,rows,cols);
    ensures regs_same{Pre,Post}(scale) && regs_same{Pre,Post}(shift);
    ensures outs_same{Pre,Post}(centered,rows,cols,y,mean,rstd);
    ensures row_known{Post}(\result.m.x,\result.q.x,centered,x,row,cols);
    ensures row+1 < rows ==> row_known{Post}(\result.m.y,\result.q.y,centered,x,row+1,cols);
    ensures slice_about{Post,Post}(v,x+ix(row,cols,0),\result.m.x,s.first,s.n,mul(s.each,BDIM));
    ensures slice_about{Post,Post}(w,x+ix(row+1,cols,0),\result.m.y,s.first,n2,mul(s.each,BDIM));
    ensures scales_held{Post,Post}(centered,affine,scale,shift,gamma,beta,s.first,s.n,
                                   mul(s.each,BDIM)); */
DEV tile_stats tile_begin(
    PER_THREAD_OF(float, v), PER_THREAD_OF(float, w), BULK_RING_PARAM(cells), arrival *on,
    mailbox *box, int stage, int round, int turn, int rank, int centered, norm_slice s, int n2,
    idx row, idx later, idx rows, int cols,
    const float *RESTRICT x GHOST_PARAMS(int width, int affine, const float *gamma,
                                         const float *beta, const float *scale, const float *shift,
                                         const float *y, const float *mean, const float *rstd))
{
  const tile_stats k = tile_come(v, w, cells, on, box, stage, round, turn, rank, centered, s, n2,
                                 row, later, rows, cols, x GHOST_ARGS(width));
  //@ assert xs: Same{Pre,Here}(x,ix(rows,cols,0));
  //@ assert gammas: affine != 0 ==> Same{Pre,Here}(gamma,cols);
  //@ assert betas: centered != 0 ==> Same{Pre,Here}(beta,cols);
  //@ assert scales: regs_same{Pre,Here}(scale);
  //@ assert shifts: regs_same{Pre,Here}(shift);
  //@ assert ys: Same{Pre,Here}(y,ix(rows,cols,0));
  //@ assert rs: Same{Pre,Here}(rstd,rows);
  //@ assert ms: Same{Pre,Here}(mean,if_there(centered,rows));
  //@ assert row: Same{Pre,Here}(x+ix(row,cols,0),cols);
  //@ assert next: row+1 < rows ==> Same{Pre,Here}(x+ix(row+1,cols,0),cols);
  //@ assert same: tensors_same{Pre,Here}(centered,affine,x,gamma,beta,rows,cols);
  /*@ assert held: scales_held{Here,Here}(centered,affine,scale,shift,gamma,beta,s.first,s.n,
                                          mul(s.each,BDIM)); */
  return k;
}

/* What is left of it; nothing else changes. */
/*@ requires slices_of(s,rows,cols,x) && slice_regs(v) && slice_regs(w);
    requires slice_outs(centered,rows,cols,y,mean,rstd) && 0 <= row < rows;
    requires slice_apart(centered,affine,rows,cols,x,gamma,beta,y,mean,rstd);
    requires n2 == row_n(row+1,rows,s.n);
    requires own_apart(v,SLICE_EACH*MAXB,centered,rows,cols,x,y,mean,rstd);
    requires own_apart(w,SLICE_EACH*MAXB,centered,rows,cols,x,y,mean,rstd);
    requires scales_regs(scale,shift,centered,rows,cols,x,y,mean,rstd);
    requires slice_about{Pre,Pre}(v,x+ix(row,cols,0),k.m.x,s.first,s.n,mul(s.each,BDIM));
    requires slice_about{Pre,Pre}(w,x+ix(row+1,cols,0),k.m.y,s.first,n2,mul(s.each,BDIM));
    requires scales_held{Pre,Pre}(centered,affine,scale,shift,gamma,beta,s.first,s.n,
                                  mul(s.each,BDIM));
    requires row_known{Pre}(k.m.x,k.q.x,centered,x,row,cols);
    requires row+1 < rows ==> row_known{Pre}(k.m.y,k.q.y,centered,x,row+1,cols);
    requires outs_off(cells,scale,shift,centered,affine,rows,cols,x,gamma,beta,y,mean,rstd);
    assigns y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1];
    ensures row_left{Pre,Post}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,rank,row,s.first,
                               s.first+s.n);
    ensures row+1 < rows ==> row_left{Pre,Post}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,
                                                rank,row+1,s.first,s.first+s.n);
    ensures tile_elses{Pre,Post}(centered,y,mean,rstd,rows,cols,row,rank,s.first,s.first+s.n);
    ensures tensors_same{Pre,Post}(centered,affine,x,gamma,beta,rows,cols);
    ensures regs_same{Pre,Post}(scale) && regs_same{Pre,Post}(shift);
    ensures Same{Pre,Post}(cells,STAGE_CELLS); */
DEV void tile_end(PER_THREAD_OF(float, v), PER_THREAD_OF(float, w), PER_THREAD_OF(float, scale),
                  PER_THREAD_OF(float, shift), int centered, int rank, norm_slice s, tile_stats k,
                  idx row, idx rows, int cols, float eps, float *RESTRICT y, float *RESTRICT mean,
                  float *RESTRICT rstd GHOST_PARAMS(int n2, int affine, const float *x,
                                                    const float *gamma, const float *beta,
                                                    const float *cells))
{
  tile_leaves(v, w, scale, shift, centered, rank, s, k, row, rows, cols, eps, y, mean,
              rstd GHOST_ARGS(n2, affine, x, gamma, beta));
  //@ assert xs: Same{Pre,Here}(x,ix(rows,cols,0));
  //@ assert gammas: affine != 0 ==> Same{Pre,Here}(gamma,cols);
  //@ assert betas: centered != 0 ==> Same{Pre,Here}(beta,cols);
  //@ assert scales: regs_same{Pre,Here}(scale);
  //@ assert shifts: regs_same{Pre,Here}(shift);
  //@ assert cells: Same{Pre,Here}(cells,STAGE_CELLS);
}

/* The tile from row `row` on, which is in stage `stage`; that STAGE_COUNT tiles later, from row
 * `later` on, begins to arrive there. */
/*@ requires slices_of(s,rows,cols,x) && s.room == stage_room_ && stages_sent(stage,round);
    requires slice_outs(centered,rows,cols,y,mean,rstd) && aligned16(x);
    requires slice_apart(centered,affine,rows,cols,x,gamma,beta,y,mean,rstd);
    requires slice_of_block(s,rank,width,cols) && slice_mail(box,rank,turn) && turn <= SLICE_ROWS;
    requires tile_own(cells,scale,shift,box,centered,affine,rows,cols,x,gamma,beta,y,mean,rstd);
    requires stage_taken_ <= put_ && 0 <= row < rows && 0 <= later <= IDX_LIM;
    requires tile_held(cells,stage,x,row,rows,cols,s.first,s.n);
    requires tile_says{Pre}(mail_cluster_,turn,centered,x,row,rows,cols,width);
    requires scales_held{Pre,Pre}(centered,affine,scale,shift,gamma,beta,s.first,s.n,
                                  mul(s.each,BDIM));
    assigns cells[0 .. STAGE_CELLS-1], stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
            stages_sent_, stage_taken_, box->warps[0 .. MAIL_CELLS-1], put_, got_,
            y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1];
    ensures stages_sent(stage_next(stage),stage_round(stage,round));
    ensures mail_at(turn + (centered != 0 ? 2 : 1)) && stage_taken_ <= put_;
    ensures tile_held(cells,stage,x,later,rows,cols,s.first,s.n);
    ensures row_left{Pre,Post}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,rank,row,s.first,
                               s.first+s.n);
    ensures row+1 < rows ==> row_left{Pre,Post}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,
                                                rank,row+1,s.first,s.first+s.n);
    ensures tile_else{Pre,Post}(y,rows,cols,row,s.first,s.first+s.n);
    ensures stats_else{Pre,Post}(rstd,rows,row,rank);
    ensures centered != 0 ==> stats_else{Pre,Post}(mean,rows,row,rank);
    ensures tensors_same{Pre,Post}(centered,affine,x,gamma,beta,rows,cols);
    ensures stages_else{Pre,Post}(cells,stage);
    ensures regs_same{Pre,Post}(scale) && regs_same{Pre,Post}(shift); */
DEV void norm_tile(BULK_RING_PARAM(cells), arrival *on, PER_THREAD_OF(float, scale),
                   PER_THREAD_OF(float, shift), mailbox *box, int stage, int round, int turn,
                   int rank, int centered, norm_slice s, idx row, idx later, idx rows, int cols,
                   float eps, const float *RESTRICT x, float *RESTRICT y, float *RESTRICT mean,
                   float *RESTRICT rstd GHOST_PARAMS(int affine, int width, const float *gamma,
                                                     const float *beta))
{
  PRIVATES(float, v);
  PRIVATES(float, w);
  const int n2 = row + 1 < rows ? s.n : 0;
  /*@ assert regs:
        regs_off(&v[0],&w[0],scale,shift,centered,affine,rows,cols,x,gamma,beta,y,mean,rstd); */
  const tile_stats k =
      tile_begin(v, w, cells, on, box, stage, round, turn, rank, centered, s, n2, row, later, rows,
                 cols, x GHOST_ARGS(width, affine, gamma, beta, scale, shift, y, mean, rstd));
  //@ assert back: tensors_same{Here,Pre}(centered,affine,x,gamma,beta,rows,cols);
  //@ assert begun: tensors_same{Pre,Here}(centered,affine,x,gamma,beta,rows,cols);
  //@ ghost L1: ;
  tile_end(v, w, scale, shift, centered, rank, s, k, row, rows, cols, eps, y, mean,
           rstd GHOST_ARGS(n2, affine, x, gamma, beta, cells));
  //@ assert ended: tensors_same{L1,Here}(centered,affine,x,gamma,beta,rows,cols);
  //@ assert same: tensors_same{Pre,Here}(centered,affine,x,gamma,beta,rows,cols);
  /*@ assert left: row_left{Pre,Here}(centered,affine,x,gamma,beta,y,mean,rstd,cols,eps,rank,row,
                                      s.first,s.first+s.n); */
  /*@ assert next: row+1 < rows ==> row_left{Pre,Here}(centered,affine,x,gamma,beta,y,mean,rstd,
                                                       cols,eps,rank,row+1,s.first,s.first+s.n); */
  /*@ assert else: tile_elses{Pre,Here}(centered,y,mean,rstd,rows,cols,row,rank,s.first,
                                        s.first+s.n); */
}
#endif
