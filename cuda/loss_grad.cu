/* The gradient of cross entropy, and its loss where it is wanted, of rows in the registers of a block
 * (loss_held.h), a row a block: x and dx are (rows, cols). Each row's loss goes to part[row]. */
#define ONE_WARP 1 /* see block.h */
#include "launch_after.h"
#include "loss_scale.h"
#include "loss_slopes.h"

/* What becomes of a row in v, all targets being in range; c: its target. */
/*@ requires row_fits(K,n) && row_in(x,n,aligned) && \valid(v + (0 .. KMAX*MAXB-1));
    requires above_lowest(x,n) && pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,BDIM));
    requires row_in(dx,n,aligned) && \valid(dx + (0 .. n-1)) && perm_w(dx,n);
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires part != \null ==> \valid(part) && W(part);
    requires part != \null ==> \separated(part, x + (0 .. n-1)) && \separated(part, dx + (0 .. n-1)) &&
      \separated(part, v + (0 .. KMAX*MAXB-1));
    requires apart(x,n,dx,n);
    assigns *part, dx[0 .. n-1], v[0 .. KMAX*MAXB-1]; */
DEV void loss_held(LANEK(float4, v), int K, int aligned, int n, int adds, float scale, idx c,
                   const float *RESTRICT x, float *part, float *dx)
{
  BLOCK_TEAM;
  PRIVATE(float, xt);
  int tells = part ? 1 : 0;
  float m = loss_max(v, K GHOST_ARGS(n, x));
  int hit = loss_hit(c, n);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, xt[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(xt, t) = loss_at(t, tells, hit, x GHOST_ARGS(n));
  float s = loss_exp_all(v, K, 1, m IN_TEAM);
  if (tells) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, *part;
        loop variant BDIM - t; */
    LANES(t) loss_leave(t, hit, s, AT(xt, t), m, part);
  }
  loss_slope(v, K, hit, 1.0f / s, scale IN_TEAM);
  loss_put(v, K, n, aligned, adds, dx IN_TEAM);
}

/* Block r does row r; where a target is out of range, of any row, no row has a loss or a gradient.
 * bad: what loss_targets has left, looked at when the row has been asked for. VEC: x and dx are
 * 16-byte aligned and cols a multiple of 4. */
/*@ requires row_fits(K,cols) && 0 <= rows <= IDX_LIM && ix(rows,1,0) <= BLOCKS;
    requires 0 <= flags <= 0x7fffff00 && reads(bad,flags) && \valid_read(target + (0 .. rows-1));
    requires reads(x,ix(rows,cols,0)) && above_lowest(x,ix(rows,cols,0));
    requires writes(dx,ix(rows,cols,0));
    requires apart(x,ix(rows,cols,0),dx,ix(rows,cols,0)) && apart(bad,flags,dx,ix(rows,cols,0));
    requires \separated(target + (0 .. rows-1), dx + (0 .. ix(rows,cols,0)-1));
    requires g != \null ==> \valid_read(g) && R(g) && \separated(g, dx + (0 .. ix(rows,cols,0)-1));
    requires part != \null ==> writes(part,rows) && apart(x,ix(rows,cols,0),part,rows) &&
      apart(bad,flags,part,rows) && apart(dx,ix(rows,cols,0),part,rows) &&
      \separated(target + (0 .. rows-1), part + (0 .. rows-1));
    requires part != \null && g != \null ==> \separated(g, part + (0 .. rows-1));
    requires VEC != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(dx);
    assigns part[0 .. rows-1], dx[0 .. ix(rows,cols,0)-1]; */
TEMPLATE(int K, int VEC)
KERNEL void THREADS_AT_MOST(512)
    loss_grad(CONSTANTS(int K, int VEC) idx rows, int cols, int flags, int adds, float each,
              const float *RESTRICT x, const idx *RESTRICT target, const float *bad,
              const float *RESTRICT g, float *RESTRICT part, float *RESTRICT dx)
{
  /*@ loop invariant 0 <= r <= rows;
      loop assigns r, part[0 .. rows-1], dx[0 .. ix(rows,cols,0)-1];
      loop variant rows - r; */
  BROWS(r, rows, 1) {
    PRIVATEK(float4, v);
    idx o = at2(rows, cols, r, 0);
    //@ assert 0 <= o && o + cols <= ix(rows,cols,0);
    //@ assert VEC != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
    //@ assert VEC != 0 ==> o % 4 == 0;
    //@ assert perm_row: perm_r(x+o,cols) && perm_r(dx+o,cols) && perm_w(dx+o,cols);
    //@ assert in: row_in(x+o,cols,VEC) && row_in(dx+o,cols,VEC);
    float scale = loss_scale(each, g), *to = part ? part + r : part;
    idx c = ask_index(target + r);
    //@ assert above_all: above_lowest(x,ix(rows,cols,0));
    //@ assert above_row: above_lowest(x+o,cols);
    //@ ghost L0: ;
    padded_load_row(v, K, cols, VEC, x + o);
    //@ assert same: Same{L0,Here}(x+o,cols);
    //@ assert above: above_lowest(x+o,cols);
    //@ assert held: pad_vecs{Here,Here}(&v[0], x+o, cols, 0, mul(K,BDIM));
    await_launches();
    if (!targets_refused(flags, bad))
      loss_held(v, K, VEC, cols, adds, scale, c, x + o, to, dx + o);
    else if (part)
      block_put(REFUSED, part + r);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "loss_regs.h"

template <int K, int VEC>
static void launch_loss_grad(void *stream, int block, int64_t rows, int w, const float *x,
                             const loss_call *call)
{
  LAUNCH_AFTER((loss_grad<K, VEC>), rows, block, stream, rows, w, call->flags.n, call->accumulate,
               call->each, x, call->target, call->flags.bad, call->g, call->part, call->dx);
}

extern "C" void LAUNCHER(loss_grad)(void *stream, int k, int vec, int block, int64_t rows,
                                    int64_t cols, const float *x, const loss_call *call)
{
  int w = (int)cols;
  if (k == 4 && vec)
    launch_loss_grad<4, 1>(stream, block, rows, w, x, call);
  else if (k == 4)
    launch_loss_grad<4, 0>(stream, block, rows, w, x, call);
  else if (vec)
    launch_loss_grad<8, 1>(stream, block, rows, w, x, call);
  else
    launch_loss_grad<8, 0>(stream, block, rows, w, x, call);
}
#endif
