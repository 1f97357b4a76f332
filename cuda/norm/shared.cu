/* layer_norm and rms_norm where a row waits in the slots of a block (lang/row_buffer.h), which does rows b,
 * b + blocks, ..: x and y are (rows, cols), gamma and beta (cols), mean and rstd (rows). A lane's K
 * early slots wait in registers once the row is there, and the next row's arrive while this one is
 * added up; its late ones arrive while this row is written. norm.cu says when. */
#include "shared_row.h"
#include "../row/grid_stride.h"
#include "../row/buffer_place.h"

/* Of layer_norm, most registers are for gamma and beta. */
enum { SLOTS_CENTERED = 2, SLOTS_RMS = KMAX };

/* ---- a row of the tensors ---- */

/*@ predicate norm_stats_out{L}(integer centered, float *mean, float *rstd, integer rows) =
      writes(rstd,rows) && writes(mean,if_there(centered,rows)) &&
      apart(rstd,rows,mean,if_there(centered,rows));
    // all tensors
    predicate norm_all{L}(integer centered, integer affine, integer aligned, integer rows, integer n,
                          float *x, float *gamma, float *beta, float *y, float *mean, float *rstd) =
      slot_reads(x,rows,n,aligned) && slot_writes(y,rows,n,aligned) &&
      norm_vectors_in(centered,affine,gamma,beta,n,aligned) &&
      norm_stats_out(centered,mean,rstd,rows) && norm_apart(centered,affine,rows,n,x,gamma,beta,y) &&
      stats_apart(centered,affine,rows,n,x,gamma,beta,rstd,rows) &&
      stats_apart(centered,affine,rows,n,x,gamma,beta,mean,if_there(centered,rows)) &&
      apart(y,ix(rows,n,0),rstd,rows) && apart(y,ix(rows,n,0),mean,if_there(centered,rows));
    // row q is there, with its statistics
    predicate normed_at{L0,L}(integer centered, integer affine, float *x, float *gamma, float *beta,
                              float *y, integer n, real eps, integer q) =
      \forall integer c; 0 <= c < n ==> \at(y[ix(q,n,c)],L) ==
        Normed{L0}(centered,affine,x+ix(q,n,0),gamma,beta,n,eps,c);
    predicate row_done{L0,L}(integer centered, integer affine, float *x, float *gamma, float *beta,
                             float *y, float *mean, float *rstd, integer n, real eps, integer q) =
      normed_at{L0,L}(centered,affine,x,gamma,beta,y,n,eps,q) &&
      \at(rstd[q],L) == Rstd{L0}(x+ix(q,n,0),centered,n,eps) &&
      (centered != 0 ==> \at(mean[q],L) == Mean{L0}(x+ix(q,n,0),n));
    // row q is as it was
    predicate norm_row_kept{L1,L2}(integer centered, float *y, float *mean, float *rstd, integer n,
                                   integer q) =
      row_kept{L1,L2}(y,n,q) && \at(rstd[q],L1) == \at(rstd[q],L2) &&
      (centered != 0 ==> \at(mean[q],L1) == \at(mean[q],L2));
    predicate norm_but_row{L1,L2}(integer centered, float *y, float *mean, float *rstd, integer n,
                                  integer r, integer rows) =
      \forall integer q; 0 <= q < rows ==> q != r ==> norm_row_kept{L1,L2}(centered,y,mean,rstd,n,q);
    lemma done_kept{L0,L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta, *y, *mean,
      *rstd, integer n, real eps, integer q; norm_row_kept{L1,L2}(centered,y,mean,rstd,n,q) ==>
      row_done{L0,L1}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,q) ==>
      row_done{L0,L2}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,q);
    lemma norm_kept_on{L0,L1,L2}: \forall integer centered, float *y, *mean, *rstd, integer n, q;
      norm_row_kept{L0,L1}(centered,y,mean,rstd,n,q) ==>
      norm_row_kept{L1,L2}(centered,y,mean,rstd,n,q) ==>
      norm_row_kept{L0,L2}(centered,y,mean,rstd,n,q);
    predicate all_same{L1,L2}(integer centered, integer affine, float *x, float *gamma, float *beta,
                              integer n, integer rows) =
      Same{L1,L2}(x,ix(rows,n,0)) && (affine != 0 ==> Same{L1,L2}(gamma,n)) &&
      (centered != 0 ==> Same{L1,L2}(beta,n));
    lemma row_same{L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta, integer n, q,
      rows; 0 <= q < rows ==> 0 < n ==> all_same{L1,L2}(centered,affine,x,gamma,beta,n,rows) ==>
      norm_same{L1,L2}(centered,affine,x+ix(q,n,0),gamma,beta,n);
    lemma normed_at_frame{L1,L2,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      integer n, real eps, integer q;
      norm_same{L1,L2}(centered,affine,x+ix(q,n,0),gamma,beta,n) ==>
      normed_at{L1,L}(centered,affine,x,gamma,beta,y,n,eps,q) ==>
      normed_at{L2,L}(centered,affine,x,gamma,beta,y,n,eps,q);
    lemma row_done_frame{L1,L2,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean, *rstd, integer n, real eps, integer q, rows; 0 <= q < rows ==> 0 < n ==>
      all_same{L1,L2}(centered,affine,x,gamma,beta,n,rows) ==>
      row_done{L1,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,q) ==>
      row_done{L2,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,q); */

/* A row's statistics. */
/*@ requires block && norm_stats_out(centered,mean,rstd,rows) && 0 <= r < rows;
    assigns rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1];
    ensures rstd[r] == s.rstd && only{Pre,Post}(rstd,r,rows);
    ensures centered != 0 ==> mean[r] == s.mean && only{Pre,Post}(mean,r,rows); */
DEV void norm_slots_stats(int centered, idx r, norm_stats s, float *RESTRICT mean,
                          float *RESTRICT rstd GHOST_PARAMS(idx rows))
{
  //@ assert all_r: \valid(rstd + (0 .. rows-1)) && perm_w(rstd,rows);
  //@ assert may_r: \valid(rstd + r) && W(rstd+r);
  //@ assert all_m: centered != 0 ==> \valid(mean + (0 .. rows-1)) && perm_w(mean,rows);
  //@ assert may_m: centered != 0 ==> \valid(mean + r) && W(mean+r);
  /*@ assert apart_s: centered != 0 ==> \separated(mean + (0 .. rows-1), rstd + r) &&
        \separated(rstd + (0 .. rows-1), mean + r); */
  norm_put(centered, r, s, mean, rstd);
  //@ assert kept_r: only{Pre,Here}(rstd,r,rows);
  //@ assert kept_m: centered != 0 ==> only{Pre,Here}(mean,r,rows);
}

/* Row r, which is in the slots as `now` says; row q begins to arrive there, as `next` says. */
/*@ requires slots_fit(n) && norm_early(K) && 0 <= r < rows && 0 <= q;
    requires norm_all(centered,affine,aligned,rows,n,x,gamma,beta,y,mean,rstd);
    requires slot_placed(now,r,rows,n) && slot_placed(next,q,rows,n);
    requires norm_slots_free(v,s0,s1) && \valid(v + (0 .. 4*BUFFER_VEC4S-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), x + (0 .. ix(rows,n,0)-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), y + (0 .. ix(rows,n,0)-1));
    requires affine != 0 ==> \separated(v + (0 .. 4*BUFFER_VEC4S-1), gamma + (0 .. n-1));
    requires centered != 0 ==> \separated(v + (0 .. 4*BUFFER_VEC4S-1), beta + (0 .. n-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), rstd + (0 .. rows-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), mean + (0 .. if_there(centered,rows)-1));
    requires norm_words(s0,centered,affine,x,ix(rows,n,0),y,ix(rows,n,0),gamma,beta,n);
    requires norm_words(s1,centered,affine,x,ix(rows,n,0),y,ix(rows,n,0),gamma,beta,n);
    requires \separated(s0 + (0 .. 31), rstd + (0 .. rows-1));
    requires \separated(s0 + (0 .. 31), mean + (0 .. if_there(centered,rows)-1));
    requires \separated(s1 + (0 .. 31), rstd + (0 .. rows-1));
    requires \separated(s1 + (0 .. 31), mean + (0 .. if_there(centered,rows)-1));
    requires early_slots_ == K && early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    requires slot_cells{Pre,Pre}(v,x+now.at,now.lead,n,0.0,0,4*now.slots);
    assigns v[0 .. 4*BUFFER_VEC4S-1], y[0 .. ix(rows,n,0)-1], rstd[0 .. rows-1],
            mean[0 .. if_there(centered,rows)-1], s0[0 .. 31], s1[0 .. 31], early_, late_, fetched_,
            newest_;
    ensures early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    ensures slot_cells{Pre,Post}(v,x+next.at,next.lead,next.n,0.0,0,4*next.slots);
    ensures row_done{Pre,Post}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,r);
    ensures norm_but_row{Pre,Post}(centered,y,mean,rstd,n,r,rows); */
DEV void norm_slots_nth(ROW_BUFFER_PARAM(v), int K, slot_place now, slot_place next, idx r, int n,
                        int aligned, int centered, int affine, float eps, const float *RESTRICT x,
                        const float *RESTRICT gamma, const float *RESTRICT beta, float *RESTRICT y,
                        float *RESTRICT mean, float *RESTRICT rstd, float *s0,
                        float *s1 GHOST_PARAMS(idx q, idx rows))
{
  idx from = slot_row_at(next GHOST_ARGS(q, rows, n, aligned, x));
  idx to = slot_out_at(now GHOST_ARGS(r, rows, n, aligned, y));
  norm_stats s;
  //@ assert at: to == ix(r,n,0) && to + n <= ix(rows,n,0) && 0 <= to;
  //@ assert next: 0 <= from && from + next.n <= ix(rows,n,0);
  //@ assert holds: slot_holds(x+to,now.lead,n,now.slots);
  //@ assert apart_x: \separated(x + (0 .. ix(rows,n,0)-1), y + (0 .. ix(rows,n,0)-1));
  //@ assert apart_g: affine != 0 ==> \separated(gamma + (0 .. n-1), y + (0 .. ix(rows,n,0)-1));
  //@ assert apart_b: centered != 0 ==> \separated(beta + (0 .. n-1), y + (0 .. ix(rows,n,0)-1));
  //@ assert apart_r: \separated(y + (0 .. ix(rows,n,0)-1), rstd + (0 .. rows-1));
  /*@ assert apart_m: centered != 0 ==>
        \separated(y + (0 .. ix(rows,n,0)-1), mean + (0 .. rows-1)); */
  //@ assert apart_0: \separated(s0 + (0 .. 31), y + (0 .. ix(rows,n,0)-1));
  //@ assert apart_1: \separated(s1 + (0 .. 31), y + (0 .. ix(rows,n,0)-1));
  //@ assert apart_now: apart(x+to,n,y+to,n);
  //@ assert apart_next: apart(x+from,next.n,y+to,n);
  s = norm_slots_row(v, K, now.slots, now.lead, n, next.slots, next.lead, next.n, aligned, centered,
                     affine, eps, x + from, gamma, beta, y + to, s0, s1 GHOST_ARGS(x + to));
  //@ assert mean: s.mean == Center{Pre}(x+to,centered,n);
  //@ assert rstd: s.rstd == Rstd{Pre}(x+to,centered,n,eps);
  /*@ assert here: norm_done{Pre,Here}(y+to, centered, affine, x+to, gamma, beta, s.mean, s.rstd, 0,
                                       n); */
  //@ assert one: row_normed{Pre,Here}(y+to,centered,affine,x+to,gamma,beta,n,eps);
  /*@ assert value: \forall integer c; 0 <= c < n ==>
        y[to+c] == Normed{Pre}(centered,affine,x+to,gamma,beta,n,eps,c); */
  //@ assert cell: \forall integer c; 0 <= c < n ==> ix(r,n,c) == to + c;
  //@ assert new: normed_at{Pre,Here}(centered,affine,x,gamma,beta,y,n,eps,r);
  /*@ assert away_b: \forall integer k; 0 <= k < to ==> \separated(y + k, s0 + (0 .. 31)) &&
        \separated(y + k, s1 + (0 .. 31)) && \separated(y + k, v + (0 .. 4*BUFFER_VEC4S-1)) &&
        \separated(y + k, y + (to .. to + n - 1)); */
  /*@ assert away_a: \forall integer k; to + n <= k < ix(rows,n,0) ==>
        \separated(y + k, s0 + (0 .. 31)) && \separated(y + k, s1 + (0 .. 31)) &&
        \separated(y + k, v + (0 .. 4*BUFFER_VEC4S-1)) &&
        \separated(y + k, y + (to .. to + n - 1)); */
  //@ assert below: \forall integer k; 0 <= k < to ==> y[k] == \at(y[k],Pre);
  /*@ assert above: \forall integer k; to + n <= k < ix(rows,n,0) ==>
        y[k] == \at(y[k],Pre); */
  //@ assert out: but_cells{Pre,Here}(y,n,r,rows);
  /*@ assert away_r: \forall integer k; 0 <= k < rows ==>
        \separated(rstd + k, s0 + (0 .. 31)) && \separated(rstd + k, s1 + (0 .. 31)) &&
        \separated(rstd + k, v + (0 .. 4*BUFFER_VEC4S-1)) &&
        \separated(rstd + k, y + (to .. to + n - 1)); */
  /*@ assert away_m: centered != 0 ==> \forall integer k; 0 <= k < rows ==>
        \separated(mean + k, s0 + (0 .. 31)) && \separated(mean + k, s1 + (0 .. 31)) &&
        \separated(mean + k, v + (0 .. 4*BUFFER_VEC4S-1)) &&
        \separated(mean + k, y + (to .. to + n - 1)); */
  //@ assert rstds: Same{Pre,Here}(rstd,rows);
  //@ assert means: centered != 0 ==> Same{Pre,Here}(mean,rows);
  //@ ghost L1: ;
  norm_slots_stats(centered, r, s, mean, rstd GHOST_ARGS(rows));
  /*@ assert away_y: \forall integer k; 0 <= k < ix(rows,n,0) ==>
        \separated(y + k, rstd + (0 .. rows-1)) &&
        \separated(y + k, mean + (0 .. if_there(centered,rows)-1)); */
  //@ assert flat: Same{L1,Here}(y,ix(rows,n,0));
  //@ assert mine: normed_at{Pre,Here}(centered,affine,x,gamma,beta,y,n,eps,r);
  //@ assert kept: but_cells{Pre,Here}(y,n,r,rows);
  //@ assert others: but_row{Pre,Here}(y,n,r,rows);
  //@ assert came: same_cells{L1,Here}(v,0,4*BUFFER_VEC4S);
}

/* ---- a block ---- */

/*@ // block b's rows below `to` are done, all others are as they were
    predicate turn_done{L0,L}(integer centered, integer affine, float *x, float *gamma, float *beta,
                              float *y, float *mean, float *rstd, integer n, real eps,
                              integer blocks, integer b, integer to) =
      \forall integer q; 0 <= q < to ==> turn_is(q,blocks,b) ==>
        row_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,q);
    predicate norm_but_turn{L1,L2}(integer centered, float *y, float *mean, float *rstd, integer n,
                                   integer blocks, integer b, integer rows) =
      \forall integer q; 0 <= q < rows ==> !turn_is(q,blocks,b) ==>
        norm_row_kept{L1,L2}(centered,y,mean,rstd,n,q);
    lemma turn_done_kept{L0,L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean, *rstd, integer n, real eps, integer blocks, b, r, rows; r <= rows ==>
      norm_but_row{L1,L2}(centered,y,mean,rstd,n,r,rows) ==>
      turn_done{L0,L1}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,blocks,b,r) ==>
      turn_done{L0,L2}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,blocks,b,r);
    lemma turn_done_next{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y, *mean,
      *rstd, integer n, real eps, integer blocks, b, r, to; to <= r + blocks ==>
      turn_is(r,blocks,b) ==>
      turn_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,blocks,b,r) ==>
      row_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,r) ==>
      turn_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,blocks,b,to);
    lemma norm_but_turn_next{L0,L1,L2}: \forall integer centered, float *y, *mean, *rstd, integer n,
      blocks, b, r, rows; turn_is(r,blocks,b) ==>
      norm_but_row{L1,L2}(centered,y,mean,rstd,n,r,rows) ==>
      norm_but_turn{L0,L1}(centered,y,mean,rstd,n,blocks,b,rows) ==>
      norm_but_turn{L0,L2}(centered,y,mean,rstd,n,blocks,b,rows);
    // all blocks before b have done their rows
    predicate turns_done{L0,L}(integer centered, integer affine, float *x, float *gamma, float *beta,
                               float *y, float *mean, float *rstd, integer n, real eps,
                               integer blocks, integer b, integer rows) =
      \forall integer q, a; 0 <= q < rows ==> 0 <= a < b ==> turn_is(q,blocks,a) ==>
        row_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,q);
    lemma turns_done_next{L0,L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean, *rstd, integer n, real eps, integer blocks, b, rows;
      norm_but_turn{L1,L2}(centered,y,mean,rstd,n,blocks,b,rows) ==>
      turn_done{L0,L2}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,blocks,b,rows) ==>
      turns_done{L0,L1}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,blocks,b,rows) ==>
      turns_done{L0,L2}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,blocks,b+1,rows);
    lemma turns_done_all{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y, *mean,
      *rstd, integer n, real eps, integer blocks, rows, q; turn_has(q,blocks) ==> 0 <= q < rows ==>
      turns_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,blocks,blocks,rows) ==>
      row_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,q);
    predicate rows_done{L0,L}(integer centered, integer affine, float *x, float *gamma, float *beta,
                              float *y, float *mean, float *rstd, integer n, real eps,
                              integer rows) =
      \forall integer q; 0 <= q < rows ==>
        row_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,q);
    lemma turns_done_rows{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean, *rstd, integer n, real eps, integer blocks, rows; all_turns(blocks,rows) ==>
      turns_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,blocks,blocks,rows) ==>
      rows_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,rows);
    // said once more, so that the provers meet row q's
    lemma rows_done_c{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y, *mean,
      *rstd, integer n, real eps, integer rows, q, c; 0 <= q < rows ==> 0 <= c < n ==>
      rows_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,rows) ==>
      row_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,q) &&
      \at(y[ix(q,n,c)],L) == Normed{L0}(centered,affine,x+ix(q,n,0),gamma,beta,n,eps,c);
    lemma rows_done_r{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y, *mean,
      *rstd, integer n, real eps, integer rows, q; 0 <= q < rows ==>
      rows_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,rows) ==>
      row_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,q) &&
      \at(rstd[q],L) == Rstd{L0}(x+ix(q,n,0),centered,n,eps);
    lemma rows_done_m{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y, *mean,
      *rstd, integer n, real eps, integer rows, q; 0 <= q < rows ==> centered != 0 ==>
      rows_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,rows) ==>
      row_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,q) &&
      \at(mean[q],L) == Mean{L0}(x+ix(q,n,0),n);
    lemma rows_done_y{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y, *mean,
      *rstd, integer n, real eps, integer rows;
      rows_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,rows) ==>
      normed_rows{L0,L}(centered,affine,x,gamma,beta,y,n,eps,rows);
    lemma rows_done_rstd{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean, *rstd, integer n, real eps, integer rows;
      rows_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,rows) ==>
      rstd_rows{L0,L}(centered,x,rstd,n,eps,rows);
    lemma rows_done_mean{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean, *rstd, integer n, real eps, integer rows; centered != 0 ==>
      rows_done{L0,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,rows) ==>
      mean_rows{L0,L}(x,mean,n,rows);
    lemma turn_done_frame{L1,L2,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      *mean, *rstd, integer n, real eps, integer blocks, b, rows; 0 < n ==>
      all_same{L1,L2}(centered,affine,x,gamma,beta,n,rows) ==>
      turn_done{L1,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,blocks,b,rows) ==>
      turn_done{L2,L}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,blocks,b,rows); */

/* Block b. */
/*@ requires slots_fit(n) && 0 <= b < blocks <= IDX_LIM && norm_early(K);
    requires norm_all(centered,affine,aligned,rows,n,x,gamma,beta,y,mean,rstd);
    assigns y[0 .. ix(rows,n,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1],
            early_slots_, early_, late_, fetched_, newest_;
    ensures turn_done{Pre,Post}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,blocks,b,rows);
    ensures norm_but_turn{Pre,Post}(centered,y,mean,rstd,n,blocks,b,rows); */
DEV void norm_slots_block(idx b, idx blocks, int K, int aligned, int centered, int affine, idx rows,
                          int n, float eps, const float *RESTRICT x, const float *RESTRICT gamma,
                          const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
                          float *RESTRICT rstd)
{
  ROW_BUFFER(v, K);
  SHARED(float, s0, 32);
  SHARED(float, s1, 32);
  slot_place now = slots_place(b, rows, n);
  slots_fetch_first(v, K, now.slots, now.lead, now.n, aligned, 0.0f,
                    x + slot_row_at(now GHOST_ARGS(b, rows, n, aligned, x)));
  //@ assert begun: all_same{Pre,Here}(centered,affine,x,gamma,beta,n,rows);
  /*@ assert away_x: \forall integer k; 0 <= k < ix(rows,n,0) ==>
        \separated(x + k, y + (0 .. ix(rows,n,0)-1)) && \separated(x + k, &s0[0] + (0 .. 31)) &&
        \separated(x + k, &s1[0] + (0 .. 31)) &&
        \separated(x + k, &v[0] + (0 .. 4*BUFFER_VEC4S-1)) &&
        \separated(x + k, rstd + (0 .. rows-1)) &&
        \separated(x + k, mean + (0 .. if_there(centered,rows)-1)); */
  /*@ assert away_g: affine != 0 ==> \forall integer k; 0 <= k < n ==>
        \separated(gamma + k, y + (0 .. ix(rows,n,0)-1)) &&
        \separated(gamma + k, &s0[0] + (0 .. 31)) && \separated(gamma + k, &s1[0] + (0 .. 31)) &&
        \separated(gamma + k, &v[0] + (0 .. 4*BUFFER_VEC4S-1)) &&
        \separated(gamma + k, rstd + (0 .. rows-1)) &&
        \separated(gamma + k, mean + (0 .. if_there(centered,rows)-1)); */
  /*@ assert away_b: centered != 0 ==> \forall integer k; 0 <= k < n ==>
        \separated(beta + k, y + (0 .. ix(rows,n,0)-1)) &&
        \separated(beta + k, &s0[0] + (0 .. 31)) && \separated(beta + k, &s1[0] + (0 .. 31)) &&
        \separated(beta + k, &v[0] + (0 .. 4*BUFFER_VEC4S-1)) &&
        \separated(beta + k, rstd + (0 .. rows-1)) &&
        \separated(beta + k, mean + (0 .. if_there(centered,rows)-1)); */
  //@ assert all_x: slot_reads(x,rows,n,aligned);
  //@ assert all_y: slot_writes(y,rows,n,aligned);
  //@ assert all_v: norm_vectors_in(centered,affine,gamma,beta,n,aligned);
  //@ assert all_s: norm_stats_out(centered,mean,rstd,rows);
  //@ assert all: norm_all(centered,affine,aligned,rows,n,x,gamma,beta,y,mean,rstd);
  //@ assert first: slot_cells{Pre,Here}(&v[0],x+now.at,now.lead,now.n,0.0,0,4*now.slots);
  /*@ loop invariant b <= r <= IDX_LIM + blocks && slot_placed(now,r,rows,n);
      loop invariant turn_is(r,blocks,b);
      loop invariant early_slots_ == K && early_ == WAY_SENT && late_ == WAY_SENT;
      loop invariant newest_ == LATE;
      loop invariant slot_cells{Pre,Here}(&v[0],x+now.at,now.lead,now.n,0.0,0,4*now.slots);
      loop invariant turn_done{Pre,Here}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,blocks,b,
                                         lesser(r,rows));
      loop invariant norm_but_turn{Pre,Here}(centered,y,mean,rstd,n,blocks,b,rows);
      loop assigns r, now, v[0 .. 4*BUFFER_VEC4S-1], y[0 .. ix(rows,n,0)-1], s0[0 .. 31],
                   s1[0 .. 31], rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1], early_,
                   late_, fetched_, newest_;
      loop variant rows - r; */
  for (idx r = b; r < rows; r += blocks) {
    slot_place next = slots_place(r + blocks, rows, n);
    //@ assert xs: Same{Pre,Here}(x,ix(rows,n,0));
    //@ assert gammas: affine != 0 ==> Same{Pre,Here}(gamma,n);
    //@ assert betas: centered != 0 ==> Same{Pre,Here}(beta,n);
    //@ assert back: all_same{Here,Pre}(centered,affine,x,gamma,beta,n,rows);
    //@ assert at: 0 <= now.at && now.at + n <= ix(rows,n,0) && now.n == n;
    //@ assert row_now: Same{Pre,Here}(x+now.at,n);
    //@ assert now: slot_cells{Here,Here}(&v[0],x+now.at,now.lead,n,0.0,0,4*now.slots);
    norm_slots_nth(v, K, now, next, r, n, aligned, centered, affine, eps, x, gamma, beta, y, mean,
                   rstd, s0, s1 GHOST_ARGS(r + blocks, rows));
    /*@ assert at_r: row_done{LoopCurrent,Here}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,r); */
    //@ assert was: all_same{LoopCurrent,Pre}(centered,affine,x,gamma,beta,n,rows);
    //@ assert new: row_done{Pre,Here}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,r);
    /*@ assert old: turn_done{Pre,Here}(centered,affine,x,gamma,beta,y,mean,rstd,n,eps,blocks,b,r); */
    /*@ assert came: slot_cells{LoopCurrent,Here}(&v[0],x+next.at,next.lead,next.n,0.0,0,
                                                  4*next.slots); */
    //@ assert next_in: 0 <= next.at && next.at + next.n <= ix(rows,n,0);
    //@ assert row_next: Same{LoopCurrent,Pre}(x+next.at,next.n);
    //@ assert came_pre: slot_cells{Pre,Here}(&v[0],x+next.at,next.lead,next.n,0.0,0,4*next.slots);
    now = next;
  }
}

/* gamma is read where affine, beta read and mean written where CENTERED; VEC: every tensor is
 * 16-byte aligned. */
/*@ requires slots_fit(cols) && 0 < blocks <= IDX_LIM && ix(blocks,1,0) <= BLOCKS;
    requires norm_all(CENTERED,affine,VEC,rows,cols,x,gamma,beta,y,mean,rstd);
    assigns y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(CENTERED,rows)-1],
            early_slots_, early_, late_, fetched_, newest_;
    ensures normed_rows{Pre,Post}(CENTERED,affine,x,gamma,beta,y,cols,eps,rows);
    ensures rstd_rows{Pre,Post}(CENTERED,x,rstd,cols,eps,rows);
    ensures CENTERED != 0 ==> mean_rows{Pre,Post}(x,mean,cols,rows); */
TEMPLATE(int CENTERED, int VEC)
KERNEL void THREADS_AT_MOST(1024)
    norm_slots(CONSTANTS(int CENTERED, int VEC) int affine, idx blocks, idx rows, int cols,
               float eps, const float *RESTRICT x, const float *RESTRICT gamma,
               const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
               float *RESTRICT rstd)
{
  /*@ loop invariant 0 <= b <= blocks;
      loop invariant turns_done{Pre,Here}(CENTERED,affine,x,gamma,beta,y,mean,rstd,cols,eps,blocks,
                                          b,rows);
      loop assigns b, y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                   mean[0 .. if_there(CENTERED,rows)-1], early_slots_, early_, late_, fetched_,
                   newest_;
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    //@ assert xs: Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert gammas: affine != 0 ==> Same{Pre,Here}(gamma,cols);
    //@ assert beta_y: CENTERED != 0 ==> apart(beta,cols,y,ix(rows,cols,0));
    //@ assert beta_s: CENTERED != 0 ==> apart(beta,cols,mean,rows) && apart(beta,cols,rstd,rows);
    //@ assert betas: CENTERED != 0 ==> Same{Pre,Here}(beta,cols);
    //@ assert back: all_same{Here,Pre}(CENTERED,affine,x,gamma,beta,cols,rows);
    norm_slots_block(b, blocks, CENTERED ? SLOTS_CENTERED : SLOTS_RMS, VEC, CENTERED, affine, rows,
                     cols, eps, x, gamma, beta, y, mean, rstd);
    /*@ assert at: turn_done{LoopCurrent,Here}(CENTERED,affine,x,gamma,beta,y,mean,rstd,cols,eps,
                                               blocks,b,rows); */
    //@ assert was: all_same{LoopCurrent,Pre}(CENTERED,affine,x,gamma,beta,cols,rows);
    /*@ assert new: turn_done{Pre,Here}(CENTERED,affine,x,gamma,beta,y,mean,rstd,cols,eps,blocks,b,
                                        rows); */
    /*@ assert kept: norm_but_turn{LoopCurrent,Here}(CENTERED,y,mean,rstd,cols,blocks,b,rows); */
  }
  //@ assert turns: all_turns(blocks,rows);
  /*@ assert end: turns_done{Pre,Here}(CENTERED,affine,x,gamma,beta,y,mean,rstd,cols,eps,blocks,
                                       blocks,rows); */
  //@ assert all: rows_done{Pre,Here}(CENTERED,affine,x,gamma,beta,y,mean,rstd,cols,eps,rows);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "shared.h"

template <int VEC>
static void launch_norm_slots(const pm_exec *ex, int64_t blocks, int block, const norm_call *t)
{
  int affine = t->gamma != NULL, w = (int)t->cols;
  if (t->mean)
    LAUNCH_ROW_BUFFER((norm_slots<1, VEC>), blocks, block, t->cols, ex->stream, affine, blocks,
                      t->rows, w, t->eps, t->x, t->gamma, t->beta, t->y, t->mean, t->rstd);
  else
    LAUNCH_ROW_BUFFER((norm_slots<0, VEC>), blocks, block, t->cols, ex->stream, affine, blocks,
                      t->rows, w, t->eps, t->x, t->gamma, t->beta, t->y, t->mean, t->rstd);
}

extern "C" void LAUNCHER(norm_slots)(const pm_exec *ex, int vec, int64_t blocks, int block,
                                     const norm_call *t)
{
  if (vec)
    launch_norm_slots<1>(ex, blocks, block, t);
  else
    launch_norm_slots<0>(ex, blocks, block, t);
}
#endif
