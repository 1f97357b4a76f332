/* Split rows, second launch: layer_norm and rms_norm (row/split.h): x and y are (rows, cols),
 * gamma and beta (cols), mean and rstd (rows). Behind split_chunks.cu, a block has the statistics
 * of its row from what all pieces of it have left, and writes its own piece; that of a row's
 * first piece writes the statistics. */
#include "../lang/dependent_launch.h"
#include "split_join.h"

/*@ predicate split_io{L}(integer centered, integer affine, float *x, float *gamma, float *beta,
                          float *y, integer n, integer vec) =
      reads(x,n) && writes(y,n) && apart(x,n,y,n) && 0 < n <= IDX_LIM &&
      (affine != 0 ==> reads(gamma,n) && apart(gamma,n,y,n)) &&
      (centered != 0 ==> reads(beta,n) && apart(beta,n,y,n)) &&
      (vec != 0 ==> n % 4 == 0 && aligned16(x) && aligned16(y) &&
        (affine != 0 ==> aligned16(gamma)) && (centered != 0 ==> aligned16(beta)));
    lemma norm_done_next{L0,L}: \forall float *y, integer centered, affine, float *x, *gamma, *beta,
      real m, r, integer from, k, k1; behind(k,1,k1) ==>
      norm_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,from,k) ==>
      \at(y[k],L) == NormOne{L0}(centered,affine,x,gamma,beta,m,r,k) ==>
      norm_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,from,k1);
    lemma norm_done_frame{L1,L2,L}: \forall float *y, integer centered, affine, float *x, *gamma,
      *beta, real m, r, integer from, to, n; 0 <= from ==> to <= n ==> Same{L1,L2}(x,n) ==>
      (affine != 0 ==> Same{L1,L2}(gamma,n)) ==> (centered != 0 ==> Same{L1,L2}(beta,n)) ==>
      norm_done{L1,L}(y,centered,affine,x,gamma,beta,m,r,from,to) ==>
      norm_done{L2,L}(y,centered,affine,x,gamma,beta,m,r,from,to);
    lemma norm_done_on{L0,L}: \forall float *y, integer centered, affine, float *x, *gamma, *beta,
      real m, r, integer from, mid, to;
      norm_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,from,mid) ==>
      norm_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,mid,to) ==>
      norm_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,from,to); */

/* The vector of x at c, normalized. */
/*@ requires split_io(centered,affine,x,gamma,beta,y,n,1) && 0 <= c && c + 4 <= n && c % 4 == 0;
    assigns \nothing;
    ensures \result.x == NormOne(centered,affine,x,gamma,beta,s.mean,s.rstd,c);
    ensures \result.y == NormOne(centered,affine,x,gamma,beta,s.mean,s.rstd,c+1);
    ensures \result.z == NormOne(centered,affine,x,gamma,beta,s.mean,s.rstd,c+2);
    ensures \result.w == NormOne(centered,affine,x,gamma,beta,s.mean,s.rstd,c+3); */
DEV float4 split_four(int centered, int affine, idx c, norm_stats s, const float *RESTRICT x,
                      const float *RESTRICT gamma,
                      const float *RESTRICT beta GHOST_PARAMS(idx n, const float *y))
{
  float4 v, w = {1.0f, 1.0f, 1.0f, 1.0f}, b = {0.0f, 0.0f, 0.0f, 0.0f};
  //@ assert perm_x: perm_r(x,n) && aligned16(x+c);
  v = LD4(x + c);
  if (affine) {
    //@ assert perm_g: perm_r(gamma,n) && aligned16(gamma+c);
    w = LD4(gamma + c);
  }
  if (centered) {
    //@ assert perm_b: perm_r(beta,n) && aligned16(beta+c);
    b = LD4(beta + c);
  }
  /*@ assert scale: w.x == Either(gamma,affine,1.0,c) && w.y == Either(gamma,affine,1.0,c+1) &&
        w.z == Either(gamma,affine,1.0,c+2) && w.w == Either(gamma,affine,1.0,c+3); */
  /*@ assert shift: centered != 0 ==> b.x == beta[c] && b.y == beta[c+1] && b.z == beta[c+2] &&
        b.w == beta[c+3]; */
  v.x = v.x - s.mean;
  v.y = v.y - s.mean;
  v.z = v.z - s.mean;
  v.w = v.w - s.mean;
  return norm_scale(centered, v, s.rstd, w, b);
}

/* The elements of a step that begins at c. */
/*@ requires split_io(centered,affine,x,gamma,beta,y,n,vec) && 0 <= c && c + StepAt(vec,1) <= n;
    requires vec != 0 ==> c % 4 == 0;
    assigns y[c .. c+StepAt(vec,1)-1];
    ensures norm_done{Pre,Post}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,c,c+StepAt(vec,1)); */
DEV void split_put(int centered, int affine, int vec, idx c, norm_stats s, const float *RESTRICT x,
                   const float *RESTRICT gamma, const float *RESTRICT beta,
                   float *RESTRICT y GHOST_PARAMS(idx n))
{
  //@ assert perm: perm_w(y,n);
  if (vec) {
    //@ assert aligned: aligned16(y+c);
    ST4(y + c, split_four(centered, affine, c, s, x, gamma, beta GHOST_ARGS(n, y)));
    //@ assert x: y[c] == NormOne{Pre}(centered,affine,x,gamma,beta,s.mean,s.rstd,c);
    //@ assert y: y[c+1] == NormOne{Pre}(centered,affine,x,gamma,beta,s.mean,s.rstd,c+1);
    //@ assert z: y[c+2] == NormOne{Pre}(centered,affine,x,gamma,beta,s.mean,s.rstd,c+2);
    //@ assert w: y[c+3] == NormOne{Pre}(centered,affine,x,gamma,beta,s.mean,s.rstd,c+3);
    //@ assert one: norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,c,c+1);
    //@ assert two: norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,c,c+2);
    //@ assert three: norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,c,c+3);
    //@ assert four: norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,c,c+4);
  } else {
    STG(y + c, row_one(centered, affine, c, s, x, gamma, beta GHOST_ARGS(n)));
    //@ assert only: norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,c,c+1);
  }
}

/* Elements o .. o+n-1 of a row. */
/*@ requires block && split_io(centered,affine,x,gamma,beta,y,cols,vec) && 0 <= o && 0 < n;
    requires o + n <= cols && (vec != 0 ==> o % 4 == 0 && n % 4 == 0);
    assigns y[o .. o+n-1];
    ensures norm_done{Pre,Post}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,o,o+n); */
DEV void split_put_all(int centered, int affine, int vec, idx o, idx n, norm_stats s,
                       const float *RESTRICT x, const float *RESTRICT gamma,
                       const float *RESTRICT beta, float *RESTRICT y GHOST_PARAMS(idx cols))
{
  idx steps = split_steps(vec, n);
  /*@ loop invariant 0 <= k0 <= steps + BDIM;
      loop invariant norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,o,
        o+StepAt(vec,lesser(k0,steps)));
      loop assigns k0, y[o .. o+n-1];
      loop variant steps - k0; */
  UNROLL_BY(4)
  for (idx k0 = 0; k0 < steps; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,o,
          o+StepAt(vec,lesser(k0+t,steps)));
        loop assigns t, y[o .. o+n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < steps) {
        idx c = o + (vec ? 4 * (k0 + t) : k0 + t);
        //@ assert at: c == o + StepAt(vec,k0+t) && c + StepAt(vec,1) == o + StepAt(vec,k0+t+1);
        //@ assert in: 0 <= o <= c && c + StepAt(vec,1) <= o + n;
        //@ assert fours: vec != 0 ==> c % 4 == 0;
        //@ assert same: Same{Pre,Here}(x,cols);
        //@ assert same_g: affine != 0 ==> Same{Pre,Here}(gamma,cols);
        //@ assert same_b: centered != 0 ==> Same{Pre,Here}(beta,cols);
        //@ assert back: Same{Here,Pre}(x,cols);
        //@ assert back_g: affine != 0 ==> Same{Here,Pre}(gamma,cols);
        //@ assert back_b: centered != 0 ==> Same{Here,Pre}(beta,cols);
        split_put(centered, affine, vec, c, s, x, gamma, beta, y GHOST_ARGS(cols));
        /*@ assert put: norm_done{LoopCurrent,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,c,
              c+StepAt(vec,1)); */
        /*@ assert mine: norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,c,
              c+StepAt(vec,1)); */
        //@ assert old: norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,o,c);
        /*@ assert new: norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,o,
              c+StepAt(vec,1)); */
        //@ assert here: lesser(k0+t,steps) == k0+t && lesser(k0+t+1,steps) == k0+t+1;
      }
  }
}

/* ---- rows ---- */

/*@ predicate left_in{L}(float *cs, float *es, float *qs, integer rows, integer cols, integer chunk,
                         integer pieces) =
      row_split(cols,chunk,pieces) && ix(rows,cols,0) <= IDX_LIM && ix(rows,pieces,0) <= IDX_LIM &&
      reads(cs,ix(rows,pieces,0)) && reads(es,ix(rows,pieces,0)) && reads(qs,ix(rows,pieces,0)); */

/* The statistics of row r, for all threads. */
/*@ requires block && 0 <= r < rows && left_in(cs,es,qs,rows,cols,chunk,pieces);
    requires reads(x,ix(rows,cols,0));
    requires moments{Pre,Pre}(centered,cs+ix(r,pieces,0),es+ix(r,pieces,0),qs+ix(r,pieces,0),
      x+ix(r,cols,0),cols,chunk,pieces);
    assigns \nothing;
    ensures \result.mean == Center{Pre}(x+ix(r,cols,0),centered,cols);
    ensures \result.rstd == Rstd{Pre}(x+ix(r,cols,0),centered,cols,eps); */
DEV norm_stats split_stats(int centered, idx r, idx rows, idx cols, idx chunk, idx pieces,
                           float eps, const float *cs, const float *es,
                           const float *qs GHOST_PARAMS(const float *x))
{
  norm_stats s;
  idx q = at2(rows, pieces, r, 0);
  //@ assert next: ix(r+1,pieces,0) == q + pieces && ix(r+1,pieces,0) <= ix(rows,pieces,0);
  //@ assert from: 0 <= q && ix(r+1,cols,0) == ix(r,cols,0) + cols && 0 <= ix(r,cols,0);
  //@ assert to: ix(r+1,cols,0) <= ix(rows,cols,0);
  //@ assert perm_c: perm_r(cs,ix(rows,pieces,0)) && perm_r(cs+q,pieces);
  //@ assert perm_e: perm_r(es,ix(rows,pieces,0)) && perm_r(es+q,pieces);
  //@ assert perm_q: perm_r(qs,ix(rows,pieces,0)) && perm_r(qs+q,pieces);
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(x+ix(r,cols,0),cols);
  s.mean = 0.0f;
  if (centered)
    s.mean = row_mean(join_sum(0, cols, chunk, pieces, 0.0f, cs + q, es + q,
                               qs + q GHOST_ARGS(centered, x + at2(rows, cols, r, 0))),
                      cols);
  //@ assert mean: s.mean == Center(x+ix(r,cols,0),centered,cols);
  float total = join_sum(1, cols, chunk, pieces, s.mean, cs + q, es + q,
                         qs + q GHOST_ARGS(centered, x + at2(rows, cols, r, 0)));
  //@ assert total: total == SqDev(x+ix(r,cols,0),s.mean,cols) && total >= 0.0;
  s.rstd = row_rstd(larger(total, 0.0f), cols, eps); /* where it is 0, roundings may go below */
  return s;
}

/*@ // of a row's result the elements from .. to-1; rows 0 .. n-1 of a tensor
    predicate normed_from{L0,L}(integer centered, integer affine, float *x, float *gamma,
                                float *beta, float *y, integer n, real eps, integer from,
                                integer to) =
      \forall integer c; from <= c < to ==>
        \at(y[c],L) == Normed{L0}(centered,affine,x,gamma,beta,n,eps,c);
    predicate normed_all{L0,L}(integer centered, integer affine, float *x, float *gamma,
                               float *beta, float *y, integer cols, real eps, integer n) =
      \forall integer r; 0 <= r < n ==> normed_from{L0,L}(centered,affine,x+ix(r,cols,0),gamma,beta,
        y+ix(r,cols,0),cols,eps,0,cols);
    lemma done_normed{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      integer n, real eps, m, r, integer from, to; m == Center{L0}(x,centered,n) ==>
      r == Rstd{L0}(x,centered,n,eps) ==>
      norm_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,from,to) ==>
      normed_from{L0,L}(centered,affine,x,gamma,beta,y,n,eps,from,to);
    lemma normed_from_frame{L1,L2,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      integer n, real eps, integer from, to; 0 <= from ==> to <= n ==> Same{L1,L2}(x,n) ==>
      (affine != 0 ==> Same{L1,L2}(gamma,n)) ==> (centered != 0 ==> Same{L1,L2}(beta,n)) ==>
      normed_from{L1,L}(centered,affine,x,gamma,beta,y,n,eps,from,to) ==>
      normed_from{L2,L}(centered,affine,x,gamma,beta,y,n,eps,from,to);
    lemma normed_from_on{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      integer n, real eps, integer mid, to;
      normed_from{L0,L}(centered,affine,x,gamma,beta,y,n,eps,0,mid) ==>
      normed_from{L0,L}(centered,affine,x,gamma,beta,y,n,eps,mid,to) ==>
      normed_from{L0,L}(centered,affine,x,gamma,beta,y,n,eps,0,to);
    lemma normed_from_kept{L0,L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      integer n, real eps, integer to; Same{L1,L2}(y,to) ==>
      normed_from{L0,L1}(centered,affine,x,gamma,beta,y,n,eps,0,to) ==>
      normed_from{L0,L2}(centered,affine,x,gamma,beta,y,n,eps,0,to);
    lemma normed_all_kept{L0,L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      integer cols, real eps, integer n; 0 <= n ==> 0 <= cols ==> Same{L1,L2}(y,ix(n,cols,0)) ==>
      normed_all{L0,L1}(centered,affine,x,gamma,beta,y,cols,eps,n) ==>
      normed_all{L0,L2}(centered,affine,x,gamma,beta,y,cols,eps,n);
    predicate normed_at{L0,L}(integer centered, integer affine, float *x, float *gamma,
                              float *beta, float *y, integer cols, real eps, integer r) =
      \forall integer c; 0 <= c < cols ==> \at(y[ix(r,cols,c)],L) ==
        Normed{L0}(centered,affine,x+ix(r,cols,0),gamma,beta,cols,eps,c);
    lemma normed_cell{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      integer n, real eps, integer c, to; 0 <= c < to ==>
      normed_from{L0,L}(centered,affine,x,gamma,beta,y,n,eps,0,to) ==>
      rd{L}(y,c) == Normed{L0}(centered,affine,x,gamma,beta,n,eps,c);
    lemma normed_row_at{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      integer cols, real eps, integer r; normed_from{L0,L}(centered,affine,x+ix(r,cols,0),gamma,
        beta,
        y+ix(r,cols,0),cols,eps,0,cols) ==>
      normed_at{L0,L}(centered,affine,x,gamma,beta,y,cols,eps,r);
    lemma normed_all_rows{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      integer cols, real eps, integer n;
      normed_all{L0,L}(centered,affine,x,gamma,beta,y,cols,eps,n) ==>
      normed_rows{L0,L}(centered,affine,x,gamma,beta,y,cols,eps,n); */

/*@ // the statistics of rows 0 .. n-1
    predicate stats_are{L0,L}(integer centered, float *x, float *mean, float *rstd, integer cols,
                              real eps, integer n) =
      rstd_rows{L0,L}(centered,x,rstd,cols,eps,n) &&
      (centered != 0 ==> mean_rows{L0,L}(x,mean,cols,n));
    lemma stats_next{L0,L}: \forall integer centered, float *x, *mean, *rstd, integer cols,
      real eps,
      integer n, n1; behind(n,1,n1) ==> stats_are{L0,L}(centered,x,mean,rstd,cols,eps,n) ==>
      \at(rstd[n],L) == Rstd{L0}(x+ix(n,cols,0),centered,cols,eps) ==>
      (centered != 0 ==> \at(mean[n],L) == Mean{L0}(x+ix(n,cols,0),cols)) ==>
      stats_are{L0,L}(centered,x,mean,rstd,cols,eps,n1);
    // rows 0 .. n-1 are as they were
    predicate stats_same{L1,L2}(integer centered, float *mean, float *rstd, integer n) =
      Same{L1,L2}(rstd,n) && (centered != 0 ==> Same{L1,L2}(mean,n));
    lemma stats_kept{L0,L1,L2}: \forall integer centered, float *x, *mean, *rstd, integer cols,
      real eps, integer n; stats_same{L1,L2}(centered,mean,rstd,n) ==>
      stats_are{L0,L1}(centered,x,mean,rstd,cols,eps,n) ==>
      stats_are{L0,L2}(centered,x,mean,rstd,cols,eps,n);
    // those of row r are there with its first piece
    predicate stats_from{L0,L}(integer centered, float *x, float *mean, float *rstd, integer cols,
                               real eps, integer r, integer p) =
      stats_are{L0,L}(centered,x,mean,rstd,cols,eps,p == 0 ? r : r + 1);
    predicate stats_io{L}(integer centered, integer affine, integer rows, integer cols,
                          integer pieces, float *x, float *gamma, float *beta, float *y,
                          float *cs, float *es, float *qs, float *s, integer n) =
      stats_apart(centered,affine,rows,cols,x,gamma,beta,s,n) && apart(y,ix(rows,cols,0),s,n) &&
      apart(cs,ix(rows,pieces,0),s,n) && apart(es,ix(rows,pieces,0),s,n) &&
      apart(qs,ix(rows,pieces,0),s,n);
    // what the blocks read is as it was
    predicate read_same{L1,L2}(integer centered, integer affine, float *x, float *gamma,
                               float *beta, float *cs, float *es, float *qs, integer n,
                               integer cols, integer cells) =
      Same{L1,L2}(x,n) && left_same{L1,L2}(cs,es,qs,cells) &&
      (affine != 0 ==> Same{L1,L2}(gamma,cols)) && (centered != 0 ==> Same{L1,L2}(beta,cols));
    lemma read_same_on{L1,L2,L3}: \forall integer centered, affine, float *x, *gamma, *beta, *cs,
      *es,
      *qs, integer n, cols, cells;
      read_same{L1,L2}(centered,affine,x,gamma,beta,cs,es,qs,n,cols,cells) ==>
      read_same{L2,L3}(centered,affine,x,gamma,beta,cs,es,qs,n,cols,cells) ==>
      read_same{L1,L3}(centered,affine,x,gamma,beta,cs,es,qs,n,cols,cells); */

/* Row r leaves its statistics with its first piece. */
/*@ requires block && 0 <= r < rows <= IDX_LIM && 0 <= p && 0 < cols;
    requires writes(mean,if_there(centered,rows)) && writes(rstd,rows);
    requires apart(rstd,rows,mean,if_there(centered,rows));
    requires stats_io(centered,affine,rows,cols,pieces,x,gamma,beta,y,cs,es,qs,rstd,rows);
    requires stats_io(centered,affine,rows,cols,pieces,x,gamma,beta,y,cs,es,qs,mean,
      if_there(centered,rows));
    assigns rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1];
    ensures stats_same{Pre,Post}(centered,mean,rstd,r);
    ensures p == 0 ==> rstd[r] == s.rstd && (centered != 0 ==> mean[r] == s.mean);
    ensures p != 0 ==> stats_same{Pre,Post}(centered,mean,rstd,rows);
    ensures Same{Pre,Post}(y,ix(rows,cols,0));
    ensures read_same{Pre,Post}(centered,affine,x,gamma,beta,cs,es,qs,ix(rows,cols,0),cols,
      ix(rows,pieces,0)); */
DEV void split_first(int centered, idx r, idx p, norm_stats s, float *RESTRICT mean,
                     float *RESTRICT rstd GHOST_PARAMS(int affine, idx rows, idx cols, idx pieces,
                                                       const float *x, const float *gamma,
                                                       const float *beta, const float *y,
                                                       const float *cs, const float *es,
                                                       const float *qs))
{
  //@ assert all_r: \valid(rstd + (0 .. rows-1)) && perm(rstd,rows);
  //@ assert may_r: \valid(rstd + r) && W(rstd+r);
  //@ assert all_m: centered != 0 ==> \valid(mean + (0 .. rows-1)) && perm(mean,rows);
  //@ assert may_m: centered != 0 ==> \valid(mean + r) && W(mean+r);
  /*@ assert apart_s: centered != 0 ==> \separated(mean + (0 .. rows-1), rstd + r) &&
        \separated(rstd + (0 .. rows-1), mean + r); */
  /*@ assert apart_e: \separated(rstd + (0 .. r-1), mean + (r .. r + if_there(centered,1) - 1)); */
  /*@ assert away_x: \forall integer k; 0 <= k < ix(rows,cols,0) ==> \separated(x + k, rstd + r) &&
        (centered != 0 ==> \separated(x + k, mean + r)); */
  /*@ assert away_y: \forall integer k; 0 <= k < ix(rows,cols,0) ==> \separated(y + k, rstd + r) &&
        (centered != 0 ==> \separated(y + k, mean + r)); */
  /*@ assert away_cs: \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(cs + k, rstd + r) && (centered != 0 ==> \separated(cs + k, mean + r)); */
  /*@ assert away_es: \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(es + k, rstd + r) && (centered != 0 ==> \separated(es + k, mean + r)); */
  /*@ assert away_qs: \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(qs + k, rstd + r) && (centered != 0 ==> \separated(qs + k, mean + r)); */
  /*@ assert away_g: affine != 0 ==> \forall integer k; 0 <= k < cols ==>
        \separated(gamma + k, rstd + r) && (centered != 0 ==> \separated(gamma + k, mean + r)); */
  /*@ assert away_b: centered != 0 ==> \forall integer k; 0 <= k < cols ==>
        \separated(beta + k, rstd + r) && \separated(beta + k, mean + r); */
  if (p == 0) {
    norm_put(centered, r, s, mean, rstd);
    //@ assert rms: centered == 0 ==> Same{Pre,Here}(rstd,r);
    //@ assert layer: centered != 0 ==> Same{Pre,Here}(rstd,r);
    //@ assert x_0: centered == 0 ==> Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert x_1: centered != 0 ==> Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert y_0: centered == 0 ==> Same{Pre,Here}(y,ix(rows,cols,0));
    //@ assert y_1: centered != 0 ==> Same{Pre,Here}(y,ix(rows,cols,0));
    //@ assert cs_0: centered == 0 ==> Same{Pre,Here}(cs,ix(rows,pieces,0));
    //@ assert cs_1: centered != 0 ==> Same{Pre,Here}(cs,ix(rows,pieces,0));
    //@ assert es_0: centered == 0 ==> Same{Pre,Here}(es,ix(rows,pieces,0));
    //@ assert es_1: centered != 0 ==> Same{Pre,Here}(es,ix(rows,pieces,0));
    //@ assert qs_0: centered == 0 ==> Same{Pre,Here}(qs,ix(rows,pieces,0));
    //@ assert qs_1: centered != 0 ==> Same{Pre,Here}(qs,ix(rows,pieces,0));
    //@ assert g_0: centered == 0 ==> affine != 0 ==> Same{Pre,Here}(gamma,cols);
    //@ assert g_1: centered != 0 ==> affine != 0 ==> Same{Pre,Here}(gamma,cols);
    //@ assert b_1: centered != 0 ==> Same{Pre,Here}(beta,cols);
  }
}

/*@ predicate spread_apart{L}(integer centered, integer rows, integer cols, integer pieces,
  float *y,
                              float *cs, float *es, float *qs, float *mean, float *rstd) =
      apart(cs,ix(rows,pieces,0),y,ix(rows,cols,0)) &&
      apart(es,ix(rows,pieces,0),y,ix(rows,cols,0)) &&
      apart(qs,ix(rows,pieces,0),y,ix(rows,cols,0)) && apart(y,ix(rows,cols,0),rstd,rows) &&
      (centered != 0 ==> apart(y,ix(rows,cols,0),mean,rows)); */

/* Piece p of row r. */
/*@ requires block && split_piece_of(r,p,rows,cols,chunk,pieces);
    requires norm_tensors(centered,affine,vec,rows,cols,x,gamma,beta,y);
    requires norm_apart(centered,affine,rows,cols,x,gamma,beta,y);
    requires s.mean == Center(x+ix(r,cols,0),centered,cols);
    requires s.rstd == Rstd(x+ix(r,cols,0),centered,cols,eps);
    requires spread_apart(centered,rows,cols,pieces,y,cs,es,qs,mean,rstd);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures read_same{Pre,Post}(centered,affine,x,gamma,beta,cs,es,qs,ix(rows,cols,0),cols,
      ix(rows,pieces,0));
    ensures stats_same{Pre,Post}(centered,mean,rstd,rows);
    ensures normed_from{Pre,Post}(centered,affine,x+ix(r,cols,0),gamma,beta,y+ix(r,cols,0),cols,eps,
      PieceAt(p,cols,chunk),PieceAt(p+1,cols,chunk));
    ensures Same{Pre,Post}(y,ix(r,cols,0));
    ensures Same{Pre,Post}(y+ix(r,cols,0),PieceAt(p,cols,chunk)); */
DEV void split_out_chunk(int centered, int affine, int vec, idx r, idx p, idx rows, idx cols,
                         idx chunk, idx pieces, norm_stats s, const float *RESTRICT x,
                         const float *RESTRICT gamma, const float *RESTRICT beta,
                         float *RESTRICT y GHOST_PARAMS(float eps, const float *cs, const float *es,
                                                        const float *qs, const float *mean,
                                                        const float *rstd))
{
  row_piece w = chunk_of(p, cols, chunk, pieces);
  idx o = at2(rows, cols, r, 0);
  //@ assert next: ix(r+1,cols,0) == o + cols && o + cols <= ix(rows,cols,0) && 0 <= o;
  //@ assert quads: vec != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  //@ assert four: vec != 0 ==> o % 4 == 0;
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(x+o,cols);
  //@ assert perm_y: perm_r(y,ix(rows,cols,0)) && perm_w(y,ix(rows,cols,0));
  //@ assert perm_yo: perm_r(y+o,cols) && perm_w(y+o,cols);
  //@ assert apart_g: affine != 0 ==> apart(gamma,cols,y+o,cols);
  //@ assert apart_b: centered != 0 ==> apart(beta,cols,y+o,cols);
  //@ assert io: split_io(centered,affine,x+o,gamma,beta,y+o,cols,vec);
  /*@ assert away_x: \forall integer k; 0 <= k < ix(rows,cols,0) ==>
        \separated(x + k, y + (o .. o+cols-1)); */
  /*@ assert away_cs: \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(cs + k, y + (o .. o+cols-1)); */
  /*@ assert away_es: \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(es + k, y + (o .. o+cols-1)); */
  /*@ assert away_qs: \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(qs + k, y + (o .. o+cols-1)); */
  /*@ assert away_g: affine != 0 ==> \forall integer k; 0 <= k < cols ==>
        \separated(gamma + k, y + (o .. o+cols-1)); */
  /*@ assert away_b: centered != 0 ==> \forall integer k; 0 <= k < cols ==>
        \separated(beta + k, y + (o .. o+cols-1)); */
  /*@ assert away_r: \forall integer k; 0 <= k < rows ==>
        \separated(rstd + k, y + (o .. o+cols-1)); */
  /*@ assert away_m: centered != 0 ==> \forall integer k; 0 <= k < rows ==>
        \separated(mean + k, y + (o .. o+cols-1)); */
  split_put_all(centered, affine, vec, w.at, w.n, s, x + o, gamma, beta, y + o GHOST_ARGS(cols));
  /*@ assert done: norm_done{Pre,Here}(y+o,centered,affine,x+o,gamma,beta,s.mean,s.rstd,
        PieceAt(p,cols,chunk),PieceAt(p+1,cols,chunk)); */
  //@ assert rows: Same{Pre,Here}(y,o);
  //@ assert row: Same{Pre,Here}(y+o,w.at);
  //@ assert same_x: Same{Pre,Here}(x,ix(rows,cols,0));
  //@ assert same_cs: Same{Pre,Here}(cs,ix(rows,pieces,0));
  //@ assert same_es: Same{Pre,Here}(es,ix(rows,pieces,0));
  //@ assert same_qs: Same{Pre,Here}(qs,ix(rows,pieces,0));
  //@ assert same_g: affine != 0 ==> Same{Pre,Here}(gamma,cols);
  //@ assert same_b: centered != 0 ==> Same{Pre,Here}(beta,cols);
  //@ assert same_r: Same{Pre,Here}(rstd,rows);
  //@ assert same_m: centered != 0 ==> Same{Pre,Here}(mean,rows);
}

/* VEC: every tensor is 16-byte aligned and cols a multiple of 4. gamma is read where affine, beta
 * is read and mean written where CENTERED. Blocks leave no element in common: race_piece. */
/*@ requires block && ix(rows,pieces,0) <= BLOCKS && 0 < rows <= IDX_LIM;
    requires left_in(cs,es,qs,rows,cols,chunk,pieces);
    requires norm_tensors(CENTERED,affine,VEC,rows,cols,x,gamma,beta,y);
    requires norm_apart(CENTERED,affine,rows,cols,x,gamma,beta,y);
    requires writes(mean,if_there(CENTERED,rows)) && writes(rstd,rows);
    requires apart(rstd,rows,mean,if_there(CENTERED,rows));
    requires stats_io(CENTERED,affine,rows,cols,pieces,x,gamma,beta,y,cs,es,qs,rstd,rows);
    requires stats_io(CENTERED,affine,rows,cols,pieces,x,gamma,beta,y,cs,es,qs,mean,
      if_there(CENTERED,rows));
    requires spread_apart(CENTERED,rows,cols,pieces,y,cs,es,qs,mean,rstd);
    requires all_moments{Pre,Pre}(CENTERED,cs,es,qs,x,cols,chunk,pieces,rows);
    assigns y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(CENTERED,rows)-1];
    ensures normed_rows{Pre,Post}(CENTERED,affine,x,gamma,beta,y,cols,eps,rows);
    ensures rstd_rows{Pre,Post}(CENTERED,x,rstd,cols,eps,rows);
    ensures CENTERED != 0 ==> mean_rows{Pre,Post}(x,mean,cols,rows); */
TEMPLATE(int CENTERED, int VEC)
KERNEL void norm_split_out(CONSTANTS(int CENTERED, int VEC) int affine, idx rows, idx cols,
                           idx chunk, idx pieces, float eps, const float *RESTRICT x,
                           const float *RESTRICT gamma, const float *RESTRICT beta, const float *cs,
                           const float *es, const float *qs, float *RESTRICT y,
                           float *RESTRICT mean, float *RESTRICT rstd)
{
  await_launches();
  /*@ loop invariant 0 <= r <= rows;
      loop invariant normed_all{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r);
      loop invariant stats_are{Pre,Here}(CENTERED,x,mean,rstd,cols,eps,r);
      loop invariant read_same{Pre,Here}(CENTERED,affine,x,gamma,beta,cs,es,qs,ix(rows,cols,0),
        cols,ix(rows,pieces,0));
      loop assigns r, y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                   mean[0 .. if_there(CENTERED,rows)-1];
      loop variant rows - r; */
  BROWS(r, rows, pieces) {
    //@ assert inside: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
    //@ assert inside_q: 0 <= ix(r,pieces,0) && ix(r,pieces,0) + pieces <= ix(rows,pieces,0);
    /*@ loop invariant 0 <= p <= pieces;
        loop invariant normed_all{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r);
        loop invariant normed_from{Pre,Here}(CENTERED,affine,x+ix(r,cols,0),gamma,beta,
          y+ix(r,cols,0),cols,eps,0,PieceAt(p,cols,chunk));
        loop invariant stats_from{Pre,Here}(CENTERED,x,mean,rstd,cols,eps,r,p);
        loop invariant read_same{Pre,Here}(CENTERED,affine,x,gamma,beta,cs,es,qs,
          ix(rows,cols,0),cols,ix(rows,pieces,0));
        loop assigns p, y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                     mean[0 .. if_there(CENTERED,rows)-1];
        loop variant pieces - p; */
    BCOLS(p, pieces) {
      //@ assert row: Same{Pre,Here}(x+ix(r,cols,0),cols);
      /*@ assert cells: left_same{Pre,Here}(cs+ix(r,pieces,0),es+ix(r,pieces,0),qs+ix(r,pieces,0),
            pieces); */
      /*@ assert left: moments{Here,Here}(CENTERED,cs+ix(r,pieces,0),es+ix(r,pieces,0),
            qs+ix(r,pieces,0),x+ix(r,cols,0),cols,chunk,pieces); */
      norm_stats s =
          split_stats(CENTERED, r, rows, cols, chunk, pieces, eps, cs, es, qs GHOST_ARGS(x));
      //@ assert mean: s.mean == Center{Pre}(x+ix(r,cols,0),CENTERED,cols);
      //@ assert rstd: s.rstd == Rstd{Pre}(x+ix(r,cols,0),CENTERED,cols,eps);
      //@ assert to: 0 <= PieceAt(p,cols,chunk) <= PieceAt(p+1,cols,chunk) <= cols;
      //@ ghost L0: ;
      split_first(CENTERED, r, p, s, mean,
                  rstd GHOST_ARGS(affine, rows, cols, pieces, x, gamma, beta, y, cs, es, qs));
      //@ assert next: behind(r,1,r+1);
      //@ assert stats_r: stats_are{Pre,L0}(CENTERED,x,mean,rstd,cols,eps,p == 0 ? r : r + 1);
      //@ assert stats_0: p == 0 ==> stats_are{Pre,Here}(CENTERED,x,mean,rstd,cols,eps,r);
      //@ assert stats_1: p == 0 ==> stats_are{Pre,Here}(CENTERED,x,mean,rstd,cols,eps,r+1);
      //@ assert stats_p: p != 0 ==> stats_same{L0,Here}(CENTERED,mean,rstd,r+1);
      //@ assert stats_n: p != 0 ==> stats_are{Pre,Here}(CENTERED,x,mean,rstd,cols,eps,r+1);
      //@ assert stats: stats_are{Pre,Here}(CENTERED,x,mean,rstd,cols,eps,r+1);
      //@ assert ys: Same{L0,Here}(y,ix(r,cols,0)) && Same{L0,Here}(y+ix(r,cols,0),cols);
      /*@ assert same_1: read_same{Pre,Here}(CENTERED,affine,x,gamma,beta,cs,es,qs,
            ix(rows,cols,0),cols,ix(rows,pieces,0)); */
      //@ assert xs: Same{Here,Pre}(x+ix(r,cols,0),cols) && Same{Pre,Here}(x+ix(r,cols,0),cols);
      //@ assert gammas: affine != 0 ==> Same{Here,Pre}(gamma,cols);
      //@ assert betas: CENTERED != 0 ==> Same{Here,Pre}(beta,cols);
      //@ assert all_1: normed_all{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r);
      /*@ assert from_1: normed_from{Pre,Here}(CENTERED,affine,x+ix(r,cols,0),gamma,beta,
            y+ix(r,cols,0),cols,eps,0,PieceAt(p,cols,chunk)); */
      //@ assert mean_1: s.mean == Center(x+ix(r,cols,0),CENTERED,cols);
      //@ assert rstd_1: s.rstd == Rstd(x+ix(r,cols,0),CENTERED,cols,eps);
      //@ ghost L1: ;
      split_out_chunk(CENTERED, affine, VEC, r, p, rows, cols, chunk, pieces, s, x, gamma, beta,
                      y GHOST_ARGS(eps, cs, es, qs, mean, rstd));
      /*@ assert here: normed_from{L1,Here}(CENTERED,affine,x+ix(r,cols,0),gamma,beta,
            y+ix(r,cols,0),cols,eps,PieceAt(p,cols,chunk),PieceAt(p+1,cols,chunk)); */
      /*@ assert new: normed_from{Pre,Here}(CENTERED,affine,x+ix(r,cols,0),gamma,beta,
            y+ix(r,cols,0),cols,eps,PieceAt(p,cols,chunk),PieceAt(p+1,cols,chunk)); */
      //@ assert old: normed_all{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r);
      /*@ assert old_row: normed_from{Pre,Here}(CENTERED,affine,x+ix(r,cols,0),gamma,beta,
            y+ix(r,cols,0),cols,eps,0,PieceAt(p,cols,chunk)); */
      /*@ assert same_2: read_same{Pre,Here}(CENTERED,affine,x,gamma,beta,cs,es,qs,
            ix(rows,cols,0),cols,ix(rows,pieces,0)); */
      //@ assert stats_2: stats_are{Pre,Here}(CENTERED,x,mean,rstd,cols,eps,r+1);
    }
    //@ assert end: PieceAt(pieces,cols,chunk) == cols;
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "split.h"

template <int CENTERED, int VEC>
static void launch_split_out(const pm_exec *ex, const norm_call *t, const float *work)
{
  idx chunk = split_chunk(t->rows, t->cols), pieces = split_chunks(t->rows, t->cols);
  idx n = t->rows * pieces;
  LAUNCH_AFTER((norm_split_out<CENTERED, VEC>), n, SPLIT_BLOCK, ex->stream, (int)(t->gamma != NULL),
               t->rows, t->cols, chunk, pieces, t->eps, t->x, t->gamma, t->beta, work, work + n,
               work + 2 * n, t->y, t->mean, t->rstd);
}

extern "C" void LAUNCHER(norm_split)(const pm_exec *ex, int vec, const norm_call *t, float *work)
{
  LAUNCHER(norm_split_chunks)(ex, vec, t, work);
  if (t->mean && vec)
    launch_split_out<1, 1>(ex, t, work);
  else if (t->mean)
    launch_split_out<1, 0>(ex, t, work);
  else if (vec)
    launch_split_out<0, 1>(ex, t, work);
  else
    launch_split_out<0, 0>(ex, t, work);
}
#endif
