/* layer_norm and rms_norm of rows that wait in the registers of a block, a row a block: x and y are
 * (rows, cols), gamma and beta (cols), mean and rstd (rows). Vector q of a row, elements 4q to
 * 4q+3, is register q / BDIM of thread q % BDIM; what lies outside the row is 0. The variance is
 * taken about the mean in a second pass over the registers. norm.cu says when. */
#include "../lang/cache_hints.h"
#include "row.h"
#include "../lang/full_row.h"

/*@ predicate norm_vecs{L0,L}(float4 *v, float *x, real m, integer n, integer from, integer to) =
      \forall integer q; from <= q < to ==> norm_vec{L0}(\at(v[q],L), x, m, q, n); */

/* Vector q of a row of n. */
/*@ requires row_in(x,n,aligned) && 0 <= q <= KMAX*MAXB && 0 < n <= 4*KMAX*MAXB;
    assigns \nothing;
    ensures norm_vec(\result, x, 0.0, q, n); */
DEV float4 norm_load(int q, int n, int aligned, const float *RESTRICT x)
{
  float4 v = {0, 0, 0, 0};
  int c = 4 * q;
  if (aligned && c < n)
    v = load4_row(aligned, x + c);
  if (!aligned && c < n)
    v.x = LDG(x + c);
  if (!aligned && c + 1 < n)
    v.y = LDG(x + c + 1);
  if (!aligned && c + 2 < n)
    v.z = LDG(x + c + 2);
  if (!aligned && c + 3 < n)
    v.w = LDG(x + c + 3);
  return v;
}

/*@ requires row_fits(K,n) && row_in(x,n,aligned) && \valid(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures norm_vecs{Pre,Post}(v, x, 0.0, n, 0, mul(K,BDIM)); */
DEV void norm_load_all(PER_THREADK(float4, v), int K, int n, int aligned, const float *RESTRICT x)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant norm_vecs{Pre,Here}(v, x, 0.0, n, 0, j0);
      loop invariant Same{Pre,Here}(x,n);
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant norm_vecs{Pre,Here}(v, x, 0.0, n, 0, j0 + t);
        loop invariant Same{Pre,Here}(x,n);
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      float4 u = norm_load(j0 + t, n, aligned, x);
      //@ assert norm_vec{Pre}(u, x, 0.0, j0 + t, n) && j0 + t < KMAX*MAXB;
      REG(v, j, j0, t) = u;
      //@ assert norm_vec{Pre}(v[j0+t], x, 0.0, j0 + t, n);
      //@ assert norm_vecs{Pre,Here}(v, x, 0.0, n, 0, j0 + t);
    }
  }
}

/*@ requires row_fits(K,n) && (squares == 0 ==> is_zero(m)) && \valid_read(x + (0 .. n-1));
    requires \valid_read(v + (0 .. KMAX*MAXB-1)) && \valid(acc + (0 .. BDIM-1));
    requires norm_vecs{Pre,Pre}(v, x, m, n, 0, mul(K,BDIM)) && SumR(acc, 0, BDIM) == 0.0;
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. BDIM-1), v + (0 .. KMAX*MAXB-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == NormSum{Pre}(squares,x,m,n); */
DEV void norm_add_all(PER_THREAD(float, acc), PER_THREADK(float4, v), int K,
                      int squares GHOST_PARAMS(int n, float m, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant SumR(acc, 0, BDIM) == NormSum{Pre}(squares, x, m, lesser(4*j0, n));
      loop assigns j, j0, acc[0 .. BDIM-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) == NormSum{Pre}(squares, x, m, lesser(4*(j0+t), n));
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert norm_vec{Pre}(v[j0+t], x, m, j0 + t, n);
      AT(acc, t) += norm_four(squares, REG(v, j, j0, t));
      //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
      /*@ assert acc[t] == \at(acc[t],LoopCurrent) +
            (NormSum{Pre}(squares, x, m, lesser(4*(j0+t+1), n)) -
             NormSum{Pre}(squares, x, m, lesser(4*(j0+t), n))); */
    }
  }
}

/* The sum of the row that is in v, or of its squares, for all lanes. */
/*@ requires row_fits(K,n) && (squares == 0 ==> is_zero(m)) && \valid_read(x + (0 .. n-1));
    requires \valid_read(v + (0 .. KMAX*MAXB-1));
    requires norm_vecs{Pre,Pre}(v, x, m, n, 0, mul(K,BDIM));
    assigns \nothing;
    ensures \result == NormSum{Pre}(squares,x,m,n); */
DEV float norm_sum(PER_THREADK(float4, v), int K,
                   int squares GHOST_PARAMS(int n, float m, const float *x))
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert Same{Pre,Here}(x,n) && NormSum{Pre}(squares,x,m,n) == NormSum(squares,x,m,n);
  norm_add_all(acc, v, K, squares GHOST_ARGS(n, m, x));
  return block_sum(acc, s);
}

/*@ requires row_fits(K,n) && \valid(v + (0 .. KMAX*MAXB-1)) && \valid_read(x + (0 .. n-1));
    requires norm_vecs{Pre,Pre}(v, x, 0.0, n, 0, mul(K,BDIM));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures norm_vecs{Pre,Post}(v, x, m, n, 0, mul(K,BDIM)); */
DEV void norm_center_all(PER_THREADK(float4, v), int K, int n, float m GHOST_PARAMS(const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant norm_vecs{Pre,Here}(v, x, m, n, 0, j0);
      loop invariant norm_vecs{Pre,Here}(v, x, 0.0, n, j0, mul(K,BDIM));
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert j0 + BDIM <= mul(K,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant norm_vecs{Pre,Here}(v, x, m, n, 0, j0 + t);
        loop invariant norm_vecs{Pre,Here}(v, x, 0.0, n, j0 + t, mul(K,BDIM));
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      float4 u = norm_minus(j0 + t, n, REG(v, j, j0, t), m);
      //@ assert norm_vec{Pre}(v[j0+t], x, 0.0, j0 + t, n);
      //@ assert norm_vec{Pre}(u, x, m, j0 + t, n);
      REG(v, j, j0, t) = u;
      //@ assert norm_vec{Pre}(v[j0+t], x, m, j0 + t, n);
      //@ assert norm_vecs{Pre,Here}(v, x, m, n, 0, j0 + t);
      //@ assert norm_vecs{Pre,Here}(v, x, 0.0, n, j0 + t + 1, mul(K,BDIM));
    }
  }
}

/* What an element is multiplied with. */
/*@ requires (affine != 0 ==> row_in(gamma,n,aligned)) && 0 <= q <= KMAX*MAXB;
    requires 0 < n <= 4*KMAX*MAXB;
    assigns \nothing;
    ensures 4*q < n ==> \result.x == Either(gamma,affine,1.0,4*q);
    ensures 4*q+1 < n ==> \result.y == Either(gamma,affine,1.0,4*q+1);
    ensures 4*q+2 < n ==> \result.z == Either(gamma,affine,1.0,4*q+2);
    ensures 4*q+3 < n ==> \result.w == Either(gamma,affine,1.0,4*q+3); */
DEV float4 norm_gamma(int q, int n, int aligned, int affine, const float *RESTRICT gamma)
{
  float4 w = {1, 1, 1, 1};
  if (affine)
    w = norm_load(q, n, aligned, gamma);
  return w;
}

/*@ requires (affine != 0 ==> row_in(gamma,n,aligned)) && 0 <= q <= KMAX*MAXB;
    requires (centered != 0 ==> row_in(beta,n,aligned)) && 0 < n <= 4*KMAX*MAXB;
    requires \valid_read(x + (0 .. n-1)) && norm_vec(v,x,m,q,n);
    assigns \nothing;
    ensures 4*q < n ==> \result.x == NormOne(centered,affine,x,gamma,beta,m,r,4*q);
    ensures 4*q+1 < n ==> \result.y == NormOne(centered,affine,x,gamma,beta,m,r,4*q+1);
    ensures 4*q+2 < n ==> \result.z == NormOne(centered,affine,x,gamma,beta,m,r,4*q+2);
    ensures 4*q+3 < n ==> \result.w == NormOne(centered,affine,x,gamma,beta,m,r,4*q+3); */
DEV float4 norm_vector(int q, int n, int aligned, int centered, int affine, float4 v, float r,
                       const float *RESTRICT gamma,
                       const float *RESTRICT beta GHOST_PARAMS(float m, const float *x))
{
  float4 w = norm_gamma(q, n, aligned, affine, gamma), b = {0, 0, 0, 0};
  if (centered)
    b = norm_load(q, n, aligned, beta);
  return norm_scale(centered, v, r, w, b);
}

/*@ requires row_fits(K,n) && \valid(y + (0 .. n-1)) && perm_w(y,n);
    requires aligned != 0 ==> aligned16(y) && n % 4 == 0;
    requires affine != 0 ==> row_in(gamma,n,aligned) && apart(gamma,n,y,n);
    requires centered != 0 ==> row_in(beta,n,aligned) && apart(beta,n,y,n);
    requires \valid_read(x + (0 .. n-1)) && apart(x,n,y,n);
    requires \valid_read(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), y + (0 .. n-1));
    requires norm_vecs{Pre,Pre}(v, x, m, n, 0, mul(K,BDIM));
    assigns y[0 .. n-1];
    ensures norm_done{Pre,Post}(y, centered, affine, x, gamma, beta, m, r, 0, n); */
DEV void norm_store_all(PER_THREADK(float4, v), int K, int n, int aligned, int centered, int affine,
                        float r, const float *RESTRICT gamma, const float *RESTRICT beta,
                        float *RESTRICT y GHOST_PARAMS(float m, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant norm_done{Pre,Here}(y, centered, affine, x, gamma, beta, m, r, 0,
                                         lesser(4*j0,n));
      loop assigns j, j0, y[0 .. n-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert j0 + BDIM <= mul(K,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant norm_done{Pre,Here}(y, centered, affine, x, gamma, beta, m, r, 0,
                                           lesser(4*(j0+t),n));
        loop assigns t, y[0 .. n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert norm_vec{Pre}(v[j0+t], x, m, j0 + t, n);
      //@ assert Same{Pre,Here}(x,n);
      //@ assert affine != 0 ==> Same{Pre,Here}(gamma,n);
      //@ assert centered != 0 ==> Same{Pre,Here}(beta,n);
      float4 u = norm_vector(j0 + t, n, aligned, centered, affine, REG(v, j, j0, t), r, gamma,
                             beta GHOST_ARGS(m, x));
      //@ assert 4*(j0+t) < n ==> u.x == NormOne{Pre}(centered,affine,x,gamma,beta,m,r,4*(j0+t));
      /*@ assert 4*(j0+t)+1 < n ==> u.y ==
            NormOne{Pre}(centered,affine,x,gamma,beta,m,r,4*(j0+t)+1); */
      /*@ assert 4*(j0+t)+2 < n ==> u.z ==
            NormOne{Pre}(centered,affine,x,gamma,beta,m,r,4*(j0+t)+2); */
      /*@ assert 4*(j0+t)+3 < n ==> u.w ==
            NormOne{Pre}(centered,affine,x,gamma,beta,m,r,4*(j0+t)+3); */
      norm_store(j0 + t, n, aligned, u, y);
      /*@ assert norm_done{Pre,Here}(y, centered, affine, x, gamma, beta, m, r, 0,
                                     lesser(4*(j0+t),n)); */
      /*@ assert 4*(j0+t) < n ==> y[4*(j0+t)] ==
            NormOne{Pre}(centered,affine,x,gamma,beta,m,r,4*(j0+t)); */
      /*@ assert 4*(j0+t)+1 < n ==> y[4*(j0+t)+1] ==
            NormOne{Pre}(centered,affine,x,gamma,beta,m,r,4*(j0+t)+1); */
      /*@ assert 4*(j0+t)+2 < n ==> y[4*(j0+t)+2] ==
            NormOne{Pre}(centered,affine,x,gamma,beta,m,r,4*(j0+t)+2); */
      /*@ assert 4*(j0+t)+3 < n ==> y[4*(j0+t)+3] ==
            NormOne{Pre}(centered,affine,x,gamma,beta,m,r,4*(j0+t)+3); */
    }
  }
}

/* One row. */
/*@ requires row_fits(K,n) && row_in(x,n,aligned);
    requires \valid(y + (0 .. n-1)) && perm_w(y,n);
    requires (aligned != 0 ==> aligned16(y)) && apart(x,n,y,n);
    requires affine != 0 ==> row_in(gamma,n,aligned) && apart(gamma,n,y,n);
    requires centered != 0 ==> row_in(beta,n,aligned) && apart(beta,n,y,n);
    assigns y[0 .. n-1];
    ensures \result.mean == Center{Pre}(x,centered,n);
    ensures \result.rstd == Rstd{Pre}(x,centered,n,eps);
    ensures \forall integer c; 0 <= c < n ==> y[c] ==
      NormOne{Pre}(centered,affine,x,gamma,beta,\result.mean,\result.rstd,c); */
DEV norm_stats norm_row(int centered, int affine, int K, int aligned, int n, float eps,
                        const float *RESTRICT x, const float *RESTRICT gamma,
                        const float *RESTRICT beta, float *RESTRICT y)
{
  PRIVATEK(float4, v);
  norm_stats s;
  s.mean = 0.0f;
  norm_load_all(v, K, n, aligned, x);
  //@ assert Same{Pre,Here}(x,n);
  if (centered) {
    s.mean = norm_mean(norm_sum(v, K, 0 GHOST_ARGS(n, 0.0f, x)), n);
    //@ assert s.mean == Center{Pre}(x,centered,n);
    norm_center_all(v, K, n, s.mean GHOST_ARGS(x));
    //@ assert Same{Pre,Here}(x,n);
  }
  //@ assert s.mean == Center{Pre}(x,centered,n);
  //@ assert norm_vecs{Here,Here}(&v[0], x, s.mean, n, 0, mul(K,BDIM));
  s.rstd = norm_rstd(norm_sum(v, K, 1 GHOST_ARGS(n, s.mean, x)), n, eps);
  //@ assert s.rstd == Rstd{Pre}(x,centered,n,eps);
  //@ assert affine != 0 ==> Same{Pre,Here}(gamma,n);
  //@ assert centered != 0 ==> Same{Pre,Here}(beta,n);
  //@ ghost L0: ;
  norm_store_all(v, K, n, aligned, centered, affine, s.rstd, gamma, beta, y GHOST_ARGS(s.mean, x));
  /*@ assert \forall integer c; 0 <= c < n ==>
        NormOne{L0}(centered,affine,x,gamma,beta,s.mean,s.rstd,c) ==
        NormOne{Pre}(centered,affine,x,gamma,beta,s.mean,s.rstd,c); */
  return s;
}

/* Block r does row r, with K vectors a thread. gamma is read where affine, beta read and mean
 * written where CENTERED; VEC: every tensor is 16-byte aligned and cols a multiple of 4; WHOLE:
 * threads of a block that the row fills, or 0. */
/*@ requires row_fits(K,cols) && 0 <= rows <= IDX_LIM && ix(rows,1,0) <= BLOCKS;
    requires norm_tensors(CENTERED,affine,VEC,rows,cols,x,gamma,beta,y);
    requires norm_apart(CENTERED,affine,rows,cols,x,gamma,beta,y);
    requires writes(mean,if_there(CENTERED,rows)) && writes(rstd,rows);
    requires stats_apart(CENTERED,affine,rows,cols,x,gamma,beta,rstd,rows);
    requires stats_apart(CENTERED,affine,rows,cols,x,gamma,beta,mean,if_there(CENTERED,rows));
    requires apart(y,ix(rows,cols,0),rstd,rows);
    requires apart(y,ix(rows,cols,0),mean,if_there(CENTERED,rows));
    requires apart(rstd,rows,mean,if_there(CENTERED,rows)) && whole_row(WHOLE,K,cols);
    assigns y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(CENTERED,rows)-1];
    ensures normed_rows{Pre,Post}(CENTERED,affine,x,gamma,beta,y,cols,eps,rows);
    ensures rstd_rows{Pre,Post}(CENTERED,x,rstd,cols,eps,rows);
    ensures CENTERED != 0 ==> mean_rows{Pre,Post}(x,mean,cols,rows); */
TEMPLATE(int CENTERED, int K, int VEC, int WHOLE)
KERNEL void WHOLE_THREADS(WHOLE, CENTERED ? 1536 : 2048, 512, 0)
    norm_regs(CONSTANTS(int CENTERED, int K, int VEC, int WHOLE) int affine, idx rows, int cols,
              float eps, const float *RESTRICT x, const float *RESTRICT gamma,
              const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
              float *RESTRICT rstd)
{
  WHOLE_ROW(WHOLE, K, cols);
  /*@ loop invariant 0 <= r <= rows;
      loop invariant normed_rows{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r);
      loop invariant rstd_rows{Pre,Here}(CENTERED,x,rstd,cols,eps,r);
      loop invariant CENTERED != 0 ==> mean_rows{Pre,Here}(x,mean,cols,r);
      loop assigns r, y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                   mean[0 .. if_there(CENTERED,rows)-1];
      loop variant rows - r; */
  BROWS(r, rows, 1) {
    //@ ghost L0: ;
    idx o = at2(rows, cols, r, 0);
    norm_stats s;
    //@ assert 0 <= o && o + cols <= ix(rows,cols,0);
    //@ assert VEC != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
    //@ assert VEC != 0 ==> o % 4 == 0;
    //@ assert VEC != 0 ==> aligned16(x+o) && aligned16(y+o);
    //@ assert all: Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert row: Same{Pre,Here}(x+o,cols);
    //@ assert perm_all: perm_r(x,ix(rows,cols,0)) && perm_w(y,ix(rows,cols,0));
    //@ assert perm_row: perm_r(x+o,cols) && perm_w(y+o,cols);
    //@ assert in: row_in(x+o,cols,VEC);
    //@ assert affine != 0 ==> Same{Pre,Here}(gamma,cols);
    //@ assert CENTERED != 0 ==> Same{Pre,Here}(beta,cols);
    s = norm_row(CENTERED, affine, K, VEC, cols, eps, x + o, gamma, beta, y + o);
    /*@ assert here: \forall integer c; 0 <= c < cols ==>
          y[o+c] == NormOne{L0}(CENTERED,affine,x+o,gamma,beta,s.mean,s.rstd,c); */
    //@ assert mean: s.mean == Center{Pre}(x+o,CENTERED,cols);
    //@ assert rstd: s.rstd == Rstd{Pre}(x+o,CENTERED,cols,eps);
    /*@ assert frame: \forall integer c; 0 <= c < cols ==>
          NormOne{L0}(CENTERED,affine,x+o,gamma,beta,s.mean,s.rstd,c) ==
          Normed{Pre}(CENTERED,affine,x+o,gamma,beta,cols,eps,c); */
    /*@ assert value: \forall integer c; 0 <= c < cols ==>
          y[o+c] == Normed{Pre}(CENTERED,affine,x+o,gamma,beta,cols,eps,c); */
    //@ assert cell: \forall integer c; 0 <= c < cols ==> y[ix(r,cols,c)] == y[o+c];
    /*@ assert new: \forall integer c; 0 <= c < cols ==>
          y[ix(r,cols,c)] == Normed{Pre}(CENTERED,affine,x+ix(r,cols,0),gamma,beta,cols,eps,c); */
    //@ assert old: same_rows{L0,Here}(y,cols,r);
    //@ assert rows: normed_rows{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r+1);
    //@ assert stats: Same{L0,Here}(rstd,r) && (CENTERED != 0 ==> Same{L0,Here}(mean,r));
    /*@ assert apart_y: \separated(y + (0 .. ix(rows,cols,0)-1), rstd + r) &&
          \separated(y + (0 .. ix(rows,cols,0)-1), mean + (r .. r + if_there(CENTERED,1) - 1)); */
    /*@ assert apart_s: CENTERED != 0 ==> \separated(mean + (0 .. rows-1), rstd + r) &&
          \separated(rstd + (0 .. rows-1), mean + r); */
    //@ ghost L1: ;
    norm_put(CENTERED, r, s, mean, rstd);
    //@ assert flat: Same{L1,Here}(y,ix(rows,cols,0));
    //@ assert kept: same_rows{L1,Here}(y,cols,r+1);
    //@ assert rstds: Same{L1,Here}(rstd,r);
    //@ assert means: CENTERED != 0 ==> Same{L1,Here}(mean,r);
    //@ assert rstd[r] == Rstd{Pre}(x+ix(r,cols,0),CENTERED,cols,eps);
    //@ assert CENTERED != 0 ==> mean[r] == Mean{Pre}(x+ix(r,cols,0),cols);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "regs.h"

template <int K, int VEC, int WHOLE>
static void launch_norm_regs(const pm_exec *ex, int block, const norm_call *t)
{
  int affine = t->gamma != NULL, w = (int)t->cols;
  if (t->mean)
    LAUNCH((norm_regs<1, K, VEC, WHOLE>), t->rows, block, ex->stream, affine, t->rows, w, t->eps,
           t->x, t->gamma, t->beta, t->y, t->mean, t->rstd);
  else
    LAUNCH((norm_regs<0, K, VEC, WHOLE>), t->rows, block, ex->stream, affine, t->rows, w, t->eps,
           t->x, t->gamma, t->beta, t->y, t->mean, t->rstd);
}

extern "C" void LAUNCHER(norm_regs)(const pm_exec *ex, int k, int vec, int block,
                                    const norm_call *t)
{
#define RUN(K, VEC, WHOLE) launch_norm_regs<K, VEC, WHOLE>(ex, block, t)
  WITH_EVICT_LAST(RUN, k, vec, block, t->cols)
}
#endif
