/* Block a row, in registers: layer_norm and rms_norm (team_row.h). norm.cu says when. */
#include "team_row.h"
#include "../lang/full_row.h"

/* Block r does row r, with K vectors a thread. gamma is read where affine, beta read and mean
 * written where CENTERED; VEC: every tensor is 16-byte aligned and cols a multiple of 4; WHOLE:
 * threads of a block that the row fills, or 0. */
/*@ requires block && team_fits(K,bdim_,cols) && 0 < cols && whole_row(WHOLE,K,cols);
    requires 0 <= rows <= IDX_LIM && ix(rows,1,0) <= BLOCKS;
    requires norm_all(CENTERED,affine,VEC,rows,cols,x,gamma,beta,y,mean,rstd);
    assigns y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(CENTERED,rows)-1];
    ensures normed_rows{Pre,Post}(CENTERED,affine,x,gamma,beta,y,cols,eps,rows);
    ensures rstd_rows{Pre,Post}(CENTERED,x,rstd,cols,eps,rows);
    ensures CENTERED != 0 ==> mean_rows{Pre,Post}(x,mean,cols,rows); */
TEMPLATE(int CENTERED, int K, int VEC, int WHOLE)
KERNEL void WHOLE_THREADS(WHOLE, CENTERED ? 1536 : 2048, 512, CENTERED &&K == 8 ? 2 : 0)
    norm_regs(CONSTANTS(int CENTERED, int K, int VEC, int WHOLE) int affine, idx rows, int cols,
              float eps, const float *RESTRICT x, const float *RESTRICT gamma,
              const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
              float *RESTRICT rstd)
{
  WHOLE_ROW(WHOLE, K, cols);
  BLOCK_TEAM;
  //@ assert x_y: \separated(x + (0 .. ix(rows,cols,0)-1), y + (0 .. ix(rows,cols,0)-1));
  //@ assert x_r: \separated(x + (0 .. ix(rows,cols,0)-1), rstd + (0 .. rows-1));
  /*@ assert x_m: \separated(x + (0 .. ix(rows,cols,0)-1),
                             mean + (0 .. if_there(CENTERED,rows)-1)); */
  //@ assert g_y: affine != 0 ==> apart(gamma,cols,y,ix(rows,cols,0));
  //@ assert g_r: affine != 0 ==> apart(gamma,cols,rstd,rows);
  //@ assert g_m: affine != 0 ==> apart(gamma,cols,mean,if_there(CENTERED,rows));
  /*@ loop invariant 0 <= r <= rows;
      loop invariant normed_rows{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r);
      loop invariant rstd_rows{Pre,Here}(CENTERED,x,rstd,cols,eps,r);
      loop invariant CENTERED != 0 ==> mean_rows{Pre,Here}(x,mean,cols,r);
      loop assigns r, y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                   mean[0 .. if_there(CENTERED,rows)-1];
      loop variant rows - r; */
  BROWS(r, rows, 1) {
    //@ assert all: Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert gamma_one: CENTERED == 0 ==> affine != 0 ==> Same{Pre,Here}(gamma,cols);
    //@ assert gamma_two: CENTERED != 0 ==> affine != 0 ==> Same{Pre,Here}(gamma,cols);
    //@ assert gamma: given_same{Here,Pre}(gamma,affine,cols);
    //@ assert beta: given_same{Pre,Here}(beta,CENTERED,cols);
    //@ assert betas: given_same{Here,Pre}(beta,CENTERED,cols);
    //@ assert next: 0 <= ix(r,cols,0) && ix(r+1,cols,0) == ix(r,cols,0) + cols;
    //@ assert inside: ix(r+1,cols,0) <= ix(rows,cols,0);
    //@ assert row_x: Same{Pre,Here}(x+ix(r,cols,0),cols);
    //@ assert row_xs: Same{Here,Pre}(x+ix(r,cols,0),cols);
    //@ assert row: norm_same{Here,Pre}(CENTERED,affine,x,gamma,beta,cols,r);
    norm_nth(CENTERED, affine, K, VEC, 1, r, rows, cols, eps, x, gamma, beta, y, mean,
             rstd IN_TEAM);
    //@ assert value: normed_at{LoopCurrent,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r);
    //@ assert new: normed_at{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r);
    //@ assert stats: stats_at{Pre,Here}(CENTERED,x,mean,rstd,cols,eps,r);
    //@ assert old: normed_rows{Pre,Here}(CENTERED,affine,x,gamma,beta,y,cols,eps,r);
    //@ assert rstds: rstd_rows{Pre,Here}(CENTERED,x,rstd,cols,eps,r);
    //@ assert means: CENTERED != 0 ==> mean_rows{Pre,Here}(x,mean,cols,r);
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
