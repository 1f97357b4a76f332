/* Warp (or part of one) a row, in registers: layer_norm and rms_norm of rows that wait in those
 * of 1, 2, 4, .. 32 lanes (team_row.h). norm.cu says when. */
#include "team_row.h"

enum { NORM_WARP_BLOCK = 128 }; /* threads of a block */

/* A team of 2^log_lanes lanes a row, with K vectors a lane. gamma is read where affine, beta
 * read and mean written where CENTERED; VEC: every tensor is 16-byte aligned and cols a multiple
 * of 4. */
/*@ requires block && 0 <= log_lanes <= 5 && team_fits(K,TeamOf(log_lanes),cols) && 0 < cols;
    requires 0 <= rows <= IDX_LIM && rows <= ix(BLOCKS,bdim_/TeamOf(log_lanes),0);
    requires norm_all(CENTERED,affine,VEC,rows,cols,x,gamma,beta,y,mean,rstd);
    assigns y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(CENTERED,rows)-1];
    ensures normed_rows{Pre,Post}(CENTERED,affine,x,gamma,beta,y,cols,eps,rows);
    ensures rstd_rows{Pre,Post}(CENTERED,x,rstd,cols,eps,rows);
    ensures CENTERED != 0 ==> mean_rows{Pre,Post}(x,mean,cols,rows); */
TEMPLATE(int CENTERED, int K, int VEC)
KERNEL void THREADS_AT_MOST(NORM_WARP_BLOCK)
    norm_warp(CONSTANTS(int CENTERED, int K, int VEC) int log_lanes, int affine, idx rows, int cols,
              float eps, const float *RESTRICT x, const float *RESTRICT gamma,
              const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
              float *RESTRICT rstd)
{
  WARP_TEAM(log_lanes);
  //@ assert x_y: \separated(x + (0 .. ix(rows,cols,0)-1), y + (0 .. ix(rows,cols,0)-1));
  //@ assert x_r: \separated(x + (0 .. ix(rows,cols,0)-1), rstd + (0 .. rows-1));
  /*@ assert x_m: \separated(x + (0 .. ix(rows,cols,0)-1),
                             mean + (0 .. if_there(CENTERED,rows)-1)); */
  //@ assert g_y: affine != 0 ==> apart(gamma,cols,y,ix(rows,cols,0));
  //@ assert g_r: affine != 0 ==> apart(gamma,cols,rstd,rows);
  //@ assert g_m: affine != 0 ==> apart(gamma,cols,mean,if_there(CENTERED,rows));
  /*@ loop invariant 0 <= r <= all_ && rows <= all_;
      loop invariant normed_rows{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,
                                           lesser(r,rows));
      loop invariant rstd_rows{Pre,Here}(CENTERED,x,rstd,cols,eps,lesser(r,rows));
      loop invariant CENTERED != 0 ==> mean_rows{Pre,Here}(x,mean,cols,lesser(r,rows));
      loop assigns r, y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                   mean[0 .. if_there(CENTERED,rows)-1];
      loop variant all_ - r; */
  TEAMS(r, rows)
  {
    //@ assert all: Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert gamma_one: CENTERED == 0 ==> affine != 0 ==> Same{Pre,Here}(gamma,cols);
    //@ assert gamma_two: CENTERED != 0 ==> affine != 0 ==> Same{Pre,Here}(gamma,cols);
    //@ assert gamma: given_same{Here,Pre}(gamma,affine,cols);
    //@ assert beta: given_same{Pre,Here}(beta,CENTERED,cols);
    //@ assert betas: given_same{Here,Pre}(beta,CENTERED,cols);
    //@ assert next: 0 <= ix(r,cols,0) && ix(r+1,cols,0) == ix(r,cols,0) + cols;
    //@ assert inside: r < rows ==> ix(r+1,cols,0) <= ix(rows,cols,0);
    //@ assert row_x: r < rows ==> Same{Pre,Here}(x+ix(r,cols,0),cols);
    //@ assert row_xs: r < rows ==> Same{Here,Pre}(x+ix(r,cols,0),cols);
    //@ assert row: r < rows ==> norm_same{Here,Pre}(CENTERED,affine,x,gamma,beta,cols,r);
    norm_nth(CENTERED, affine, K, VEC, 0, r, rows, cols, eps, x, gamma, beta, y, mean,
             rstd IN_TEAM);
    /*@ assert value: r < rows ==>
          normed_at{LoopCurrent,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r); */
    //@ assert new: r < rows ==> normed_at{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r);
    //@ assert stats: r < rows ==> stats_at{Pre,Here}(CENTERED,x,mean,rstd,cols,eps,r);
    /*@ assert old: normed_rows{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,
                                          lesser(r,rows)); */
    //@ assert rstds: rstd_rows{Pre,Here}(CENTERED,x,rstd,cols,eps,lesser(r,rows));
    //@ assert means: CENTERED != 0 ==> mean_rows{Pre,Here}(x,mean,cols,lesser(r,rows));
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "regs.h"
#include "../host/table.h"

template <int K, int VEC>
static void launch_norm_warp(const pm_exec *ex, int log_lanes, const norm_call *t)
{
  int affine = t->gamma != NULL, w = (int)t->cols;
  idx tiles = divide_up(t->rows, NORM_WARP_BLOCK >> log_lanes);
  if (t->mean)
    LAUNCH((norm_warp<1, K, VEC>), tiles, NORM_WARP_BLOCK, ex->stream, log_lanes, affine, t->rows,
           w, t->eps, t->x, t->gamma, t->beta, t->y, t->mean, t->rstd);
  else
    LAUNCH((norm_warp<0, K, VEC>), tiles, NORM_WARP_BLOCK, ex->stream, log_lanes, affine, t->rows,
           w, t->eps, t->x, t->gamma, t->beta, t->y, t->mean, t->rstd);
}

extern "C" void LAUNCHER(norm_warp)(const pm_exec *ex, int k, int vec, int log_lanes,
                                    const norm_call *t)
{
  if (k == 2 && vec)
    launch_norm_warp<2, 1>(ex, log_lanes, t);
  else if (k == 2)
    launch_norm_warp<2, 0>(ex, log_lanes, t);
  else if (k == 4 && vec)
    launch_norm_warp<4, 1>(ex, log_lanes, t);
  else if (k == 4)
    launch_norm_warp<4, 0>(ex, log_lanes, t);
  else if (vec)
    launch_norm_warp<8, 1>(ex, log_lanes, t);
  else
    launch_norm_warp<8, 0>(ex, log_lanes, t);
}
#endif
