/* Streaming, block a row, grid-stride: layer_norm and rms_norm of rows of any length, which are
 * read again: x and y are (rows, cols), gamma and beta (cols), mean and rstd (rows). Thread t has
 * elements t, t + BDIM, .. of a row. The variance is taken about the mean in a second pass.
 * norm.cu says when. */
#include "row_scalar.h"

/*@ requires block && reads(x,n) && (squares == 0 ==> is_zero(m));
    requires \valid(acc + (0 .. BDIM-1)) && \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    requires SumR(acc, 0, BDIM) == 0.0;
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == NormSum{Pre}(squares,x,m,n); */
DEV void stream_add_all(PER_THREAD(float, acc), int squares, idx n, float m,
                        const float *RESTRICT x)
{
  /*@ loop invariant 0 <= k0 <= n + BDIM;
      loop invariant SumR(acc, 0, BDIM) == NormSum{Pre}(squares, x, m, lesser(k0, n));
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant n - k0; */
  UNROLL_BY(4)
  for (idx k0 = 0; k0 < n; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) == NormSum{Pre}(squares, x, m, lesser(k0 + t, n));
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < n) {
        float u = norm_one(squares, LDG(x + k0 + t) - m);
        //@ assert term: u == NormTerm(squares, About{Pre}(x, m, k0 + t, n));
        AT(acc, t) += u;
        //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
        //@ assert norm_adds{Pre}(squares, x, m, k0 + t, n);
        /*@ assert acc[t] == \at(acc[t],LoopCurrent) +
              (NormSum{Pre}(squares, x, m, lesser(k0 + t + 1, n)) -
               NormSum{Pre}(squares, x, m, lesser(k0 + t, n))); */
      }
  }
}

/* The sum of a row, or of the squares about m, for all threads. */
/*@ requires block && reads(x,n) && (squares == 0 ==> is_zero(m));
    assigns \nothing;
    ensures \result == NormSum{Pre}(squares,x,m,n); */
DEV float stream_sum(int squares, idx n, float m, const float *RESTRICT x)
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert Same{Pre,Here}(x,n) && NormSum{Pre}(squares,x,m,n) == NormSum(squares,x,m,n);
  stream_add_all(acc, squares, n, m, x);
  return block_sum(acc, s);
}

/*@ requires block && reads(x,n) && \valid(y + (0 .. n-1)) && perm_w(y,n) && apart(x,n,y,n);
    requires affine != 0 ==> reads(gamma,n) && apart(gamma,n,y,n);
    requires centered != 0 ==> reads(beta,n) && apart(beta,n,y,n);
    assigns y[0 .. n-1];
    ensures norm_done{Pre,Post}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,0,n); */
DEV void stream_store(int centered, int affine, idx n, norm_stats s, const float *RESTRICT x,
                      const float *RESTRICT gamma, const float *RESTRICT beta, float *RESTRICT y)
{
  /*@ loop invariant 0 <= k0 <= n + BDIM;
      loop invariant norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,0,
                                         lesser(k0,n));
      loop assigns k0, y[0 .. n-1];
      loop variant n - k0; */
  UNROLL_BY(4)
  for (idx k0 = 0; k0 < n; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,0,
                                           lesser(k0+t,n));
        loop assigns t, y[0 .. n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < n) {
        //@ assert Same{Pre,Here}(x,n);
        //@ assert affine != 0 ==> Same{Pre,Here}(gamma,n);
        //@ assert centered != 0 ==> Same{Pre,Here}(beta,n);
        float v = row_one(centered, affine, k0 + t, s, x, gamma, beta GHOST_ARGS(n));
        //@ assert rd(x,k0+t) == rd{Pre}(x,k0+t);
        //@ assert Either(gamma,affine,1.0,k0+t) == Either{Pre}(gamma,affine,1.0,k0+t);
        //@ assert Either(beta,centered,0.0,k0+t) == Either{Pre}(beta,centered,0.0,k0+t);
        //@ assert v == NormOne{Pre}(centered,affine,x,gamma,beta,s.mean,s.rstd,k0+t);
        STG(y + k0 + t, v);
        //@ assert y[k0+t] == NormOne{Pre}(centered,affine,x,gamma,beta,s.mean,s.rstd,k0+t);
        //@ assert norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,0,k0+t);
      }
  }
}

/* One row. */
/*@ requires block && 0 < n && reads(x,n) && \valid(y + (0 .. n-1)) && perm_w(y,n);
    requires apart(x,n,y,n);
    requires affine != 0 ==> reads(gamma,n) && apart(gamma,n,y,n);
    requires centered != 0 ==> reads(beta,n) && apart(beta,n,y,n);
    assigns y[0 .. n-1];
    ensures \result.mean == Center{Pre}(x,centered,n);
    ensures \result.rstd == Rstd{Pre}(x,centered,n,eps);
    ensures norm_done{Pre,Post}(y,centered,affine,x,gamma,beta,\result.mean,\result.rstd,0,n); */
DEV norm_stats stream_row(int centered, int affine, idx n, float eps, const float *RESTRICT x,
                          const float *RESTRICT gamma, const float *RESTRICT beta,
                          float *RESTRICT y)
{
  norm_stats s;
  s.mean = 0.0f;
  if (centered)
    s.mean = row_mean(stream_sum(0, n, 0.0f, x), n);
  //@ assert s.mean == Center{Pre}(x,centered,n);
  s.rstd = row_rstd(stream_sum(1, n, s.mean, x), n, eps);
  //@ assert s.rstd == Rstd{Pre}(x,centered,n,eps);
  stream_store(centered, affine, n, s, x, gamma, beta, y);
  return s;
}

/*@ predicate normed_at{L0,L}(integer centered, integer affine, float *x, float *gamma,
                              float *beta, float *y, integer cols, real eps, integer r) =
      \forall integer c; 0 <= c < cols ==> \at(y[ix(r,cols,c)],L) ==
        Normed{L0}(centered,affine,x+ix(r,cols,0),gamma,beta,cols,eps,c); */

/* Row r. */
/*@ requires block && 0 < cols && 0 <= r < rows;
    requires norm_tensors(centered,affine,0,rows,cols,x,gamma,beta,y);
    requires norm_apart(centered,affine,rows,cols,x,gamma,beta,y);
    requires writes(mean,if_there(centered,rows)) && writes(rstd,rows);
    requires stats_apart(centered,affine,rows,cols,x,gamma,beta,rstd,rows);
    requires stats_apart(centered,affine,rows,cols,x,gamma,beta,mean,if_there(centered,rows));
    requires apart(y,ix(rows,cols,0),rstd,rows);
    requires apart(y,ix(rows,cols,0),mean,if_there(centered,rows));
    requires apart(rstd,rows,mean,if_there(centered,rows));
    assigns y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1];
    ensures normed_at{Pre,Post}(centered,affine,x,gamma,beta,y,cols,eps,r);
    ensures same_rows{Pre,Post}(y,cols,r);
    ensures rstd[r] == Rstd{Pre}(x+ix(r,cols,0),centered,cols,eps);
    ensures Same{Pre,Post}(rstd,r);
    ensures centered != 0 ==> mean[r] == Mean{Pre}(x+ix(r,cols,0),cols);
    ensures centered != 0 ==> Same{Pre,Post}(mean,r); */
DEV void stream_nth(int centered, int affine, idx r, idx rows, idx cols, float eps,
                    const float *RESTRICT x, const float *RESTRICT gamma,
                    const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
                    float *RESTRICT rstd)
{
  idx o = at2(rows, cols, r, 0);
  norm_stats s;
  //@ assert 0 <= o && o + cols <= ix(rows,cols,0);
  //@ assert perm_all: perm_r(x,ix(rows,cols,0)) && perm_w(y,ix(rows,cols,0));
  //@ assert perm_row: perm_r(x+o,cols) && perm_w(y+o,cols);
  //@ assert in: reads(x+o,cols);
  s = stream_row(centered, affine, cols, eps, x + o, gamma, beta, y + o);
  //@ assert mean: s.mean == Center{Pre}(x+o,centered,cols);
  //@ assert rstd: s.rstd == Rstd{Pre}(x+o,centered,cols,eps);
  /*@ assert here: \forall integer c; 0 <= c < cols ==>
        y[o+c] == NormOne{Pre}(centered,affine,x+o,gamma,beta,s.mean,s.rstd,c); */
  /*@ assert one: \forall integer c; 0 <= c < cols ==>
        NormOne{Pre}(centered,affine,x+o,gamma,beta,s.mean,s.rstd,c) ==
        Normed{Pre}(centered,affine,x+o,gamma,beta,cols,eps,c); */
  /*@ assert value: \forall integer c; 0 <= c < cols ==>
        y[o+c] == Normed{Pre}(centered,affine,x+o,gamma,beta,cols,eps,c); */
  //@ assert cell: \forall integer c; 0 <= c < cols ==> y[ix(r,cols,c)] == y[o+c];
  /*@ assert new: \forall integer c; 0 <= c < cols ==>
        y[ix(r,cols,c)] == Normed{Pre}(centered,affine,x+ix(r,cols,0),gamma,beta,cols,eps,c); */
  //@ assert old: same_rows{Pre,Here}(y,cols,r);
  //@ assert stats: Same{Pre,Here}(rstd,r) && (centered != 0 ==> Same{Pre,Here}(mean,r));
  //@ assert apart_r: \separated(y + (0 .. ix(rows,cols,0)-1), rstd + r);
  /*@ assert apart_m: \separated(y + (0 .. ix(rows,cols,0)-1),
                                 mean + (r .. r + if_there(centered,1) - 1)); */
  /*@ assert apart_s: centered != 0 ==> \separated(mean + (0 .. rows-1), rstd + r) &&
        \separated(rstd + (0 .. rows-1), mean + r); */
  /*@ assert apart_e: \separated(rstd + (0 .. r-1), mean + (r .. r + if_there(centered,1) - 1)); */
  //@ assert all_r: \valid(rstd + (0 .. rows-1)) && perm(rstd,rows);
  //@ assert may_r: \valid(rstd + r) && W(rstd+r);
  //@ assert all_m: centered != 0 ==> \valid(mean + (0 .. rows-1)) && perm(mean,rows);
  //@ assert may_m: centered != 0 ==> \valid(mean + r) && W(mean+r);
  //@ ghost L1: ;
  norm_put(centered, r, s, mean, rstd);
  //@ assert flat: Same{L1,Here}(y,ix(rows,cols,0));
  //@ assert kept: same_rows{L1,Here}(y,cols,r+1);
  //@ assert rms: centered == 0 ==> Same{L1,Here}(rstd,r);
  //@ assert layer: centered != 0 ==> Same{L1,Here}(rstd,r);
  //@ assert rstds: Same{L1,Here}(rstd,r);
  //@ assert means: centered != 0 ==> Same{L1,Here}(mean,r);
}

/*@ lemma normed_at_frame{L1,L2,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      integer cols, real eps, integer r; Same{L1,L2}(x+ix(r,cols,0),cols) ==>
      (affine != 0 ==> Same{L1,L2}(gamma,cols)) ==>
      (centered != 0 ==> Same{L1,L2}(beta,cols)) ==>
      normed_at{L1,L}(centered,affine,x,gamma,beta,y,cols,eps,r) ==>
      normed_at{L2,L}(centered,affine,x,gamma,beta,y,cols,eps,r);
    lemma normed_kept{L0,L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      integer cols, real eps, integer n; same_rows{L1,L2}(y,cols,n) ==>
      normed_rows{L0,L1}(centered,affine,x,gamma,beta,y,cols,eps,n) ==>
      normed_rows{L0,L2}(centered,affine,x,gamma,beta,y,cols,eps,n);
    lemma normed_next{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      integer cols, real eps, integer n;
      normed_rows{L0,L}(centered,affine,x,gamma,beta,y,cols,eps,n) ==>
      normed_at{L0,L}(centered,affine,x,gamma,beta,y,cols,eps,n) ==>
      normed_rows{L0,L}(centered,affine,x,gamma,beta,y,cols,eps,n+1); */

/* Block r does row r. gamma is read where affine, beta read and mean written where CENTERED. */
/*@ requires block && 0 < cols && 0 <= rows <= IDX_LIM && ix(rows,1,0) <= BLOCKS;
    requires norm_tensors(CENTERED,affine,0,rows,cols,x,gamma,beta,y);
    requires norm_apart(CENTERED,affine,rows,cols,x,gamma,beta,y);
    requires writes(mean,if_there(CENTERED,rows)) && writes(rstd,rows);
    requires stats_apart(CENTERED,affine,rows,cols,x,gamma,beta,rstd,rows);
    requires stats_apart(CENTERED,affine,rows,cols,x,gamma,beta,mean,if_there(CENTERED,rows));
    requires apart(y,ix(rows,cols,0),rstd,rows);
    requires apart(y,ix(rows,cols,0),mean,if_there(CENTERED,rows));
    requires apart(rstd,rows,mean,if_there(CENTERED,rows));
    assigns y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(CENTERED,rows)-1];
    ensures normed_rows{Pre,Post}(CENTERED,affine,x,gamma,beta,y,cols,eps,rows);
    ensures rstd_rows{Pre,Post}(CENTERED,x,rstd,cols,eps,rows);
    ensures CENTERED != 0 ==> mean_rows{Pre,Post}(x,mean,cols,rows); */
TEMPLATE(int CENTERED)
KERNEL void THREADS_AT_MOST(1024)
    norm_stream(CONSTANTS(int CENTERED) int affine, idx rows, idx cols, float eps,
                const float *RESTRICT x, const float *RESTRICT gamma, const float *RESTRICT beta,
                float *RESTRICT y, float *RESTRICT mean, float *RESTRICT rstd)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant normed_rows{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r);
      loop invariant rstd_rows{Pre,Here}(CENTERED,x,rstd,cols,eps,r);
      loop invariant CENTERED != 0 ==> mean_rows{Pre,Here}(x,mean,cols,r);
      loop assigns r, y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                   mean[0 .. if_there(CENTERED,rows)-1];
      loop variant rows - r; */
  BROWS(r, rows, 1) {
    //@ assert one: CENTERED == 0 ==> Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert two: CENTERED != 0 ==> Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert all: Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert inside: 0 <= ix(r,cols,0) <= ix(rows,cols,0) - cols;
    //@ assert row: Same{Pre,Here}(x+ix(r,cols,0),cols);
    //@ assert gamma_one: CENTERED == 0 ==> affine != 0 ==> Same{Pre,Here}(gamma,cols);
    //@ assert gamma_m: CENTERED != 0 ==> affine != 0 ==> apart(gamma,cols,mean,rows);
    //@ assert gamma_r: CENTERED != 0 ==> affine != 0 ==> apart(gamma,cols,rstd,rows);
    //@ assert gamma_two: CENTERED != 0 ==> affine != 0 ==> Same{Pre,Here}(gamma,cols);
    //@ assert gammas: affine != 0 ==> Same{Here,Pre}(gamma,cols);
    //@ assert beta_all: CENTERED != 0 ==> apart(beta,cols,mean,rows) && apart(beta,cols,rstd,rows);
    //@ assert betas: CENTERED != 0 ==> Same{Here,Pre}(beta,cols);
    //@ assert xs: Same{Here,Pre}(x+ix(r,cols,0),cols);
    /*@ assert r_of: Rstd(x+ix(r,cols,0),CENTERED,cols,eps) ==
          Rstd{Pre}(x+ix(r,cols,0),CENTERED,cols,eps); */
    //@ assert m_of: Mean(x+ix(r,cols,0),cols) == Mean{Pre}(x+ix(r,cols,0),cols);
    stream_nth(CENTERED, affine, r, rows, cols, eps, x, gamma, beta, y, mean, rstd);
    /*@ assert at: normed_at{LoopCurrent,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r); */
    //@ assert now_x: Same{LoopCurrent,Pre}(x+ix(r,cols,0),cols);
    //@ assert now_gamma: affine != 0 ==> Same{LoopCurrent,Pre}(gamma,cols);
    //@ assert now_beta: CENTERED != 0 ==> Same{LoopCurrent,Pre}(beta,cols);
    //@ assert new: normed_at{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r);
    //@ assert old: normed_rows{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r);
    //@ assert rows: normed_rows{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r+1);
    //@ assert rstd[r] == Rstd{Pre}(x+ix(r,cols,0),CENTERED,cols,eps);
    //@ assert CENTERED != 0 ==> mean[r] == Mean{Pre}(x+ix(r,cols,0),cols);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "regs.h"

/* As many rows a launch as it may have blocks. */
extern "C" void LAUNCHER(norm_stream)(const pm_exec *ex, int block, const norm_call *t)
{
  const int64_t most = 0x7fffffff;
  for (int64_t r = 0; r < t->rows; r += most) {
    int64_t rows = t->rows - r < most ? t->rows - r : most;
    const float *x = t->x + r * t->cols;
    float *y = t->y + r * t->cols, *rstd = t->rstd + r;
    if (t->mean)
      LAUNCH(norm_stream<1>, rows, block, ex->stream, t->gamma != NULL, rows, t->cols, t->eps, x,
             t->gamma, t->beta, y, t->mean + r, rstd);
    else
      LAUNCH(norm_stream<0>, rows, block, ex->stream, t->gamma != NULL, rows, t->cols, t->eps, x,
             t->gamma, t->beta, y, t->mean, rstd);
  }
}
#endif
