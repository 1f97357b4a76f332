/* The gradient of cross entropy, and its loss where it is wanted, of rows in the registers of a block
 * (loss_held.h), a row a block: x and dx are (rows, cols). Each row's loss goes to part[row]. */
#define ONE_WARP 1 /* see block.h */
#include "launch_after.h"
#include "loss_held.h"

/*@ // element c of a gradient, of e = exp(x - m)
    logic real Slope(real e, real by, integer hit, real scale, integer c) =
      rmul(rmul(e,by) - OneHot(c,hit), scale); */

/*@ assigns \nothing;
    ensures at_most4(v,m) ==> \result.x == Term(v.x,m) && \result.y == Term(v.y,m) &&
      \result.z == Term(v.z,m) && \result.w == Term(v.w,m); */
DEV float4 loss_exp4(float4 v, float m)
{
  v.x = loss_exp(v.x, m);
  v.y = loss_exp(v.y, m);
  v.z = loss_exp(v.z, m);
  v.w = loss_exp(v.w, m);
  return v;
}

/* v becomes the exponentials of the row in it; their sum, for all lanes. */
/*@ requires block && 0 < K <= KMAX && \valid(v + (0 .. KMAX*MAXB-1));
    assigns v[0 .. KMAX*MAXB-1]; */
DEV float loss_exp_all(LANEK(float4, v), int K, float m)
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(acc, t) = 0.0f;
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, acc[0 .. BDIM-1], v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, acc[0 .. BDIM-1], v[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    LANES(t) {
      float4 e = loss_exp4(REG(v, j, j0, t), m);
      REG(v, j, j0, t) = e;
      AT(acc, t) += (e.x + e.y) + (e.z + e.w);
    }
  }
  return block_sum(acc, s);
}

/* Vector q of the row's gradient, from its exponentials. */
/*@ requires 0 <= q < KMAX*MAXB;
    assigns \nothing;
    ensures \result.x == Slope(e.x,by,hit,scale,4*q);
    ensures \result.y == Slope(e.y,by,hit,scale,4*q+1);
    ensures \result.z == Slope(e.z,by,hit,scale,4*q+2);
    ensures \result.w == Slope(e.w,by,hit,scale,4*q+3); */
DEV float4 loss_slope4(float4 e, int q, int hit, float by, float scale)
{
  e.x = gradient_of(e.x, by, 4 * q == hit, scale);
  e.y = gradient_of(e.y, by, 4 * q + 1 == hit, scale);
  e.z = gradient_of(e.z, by, 4 * q + 2 == hit, scale);
  e.w = gradient_of(e.w, by, 4 * q + 3 == hit, scale);
  return e;
}

/* The row's gradient, from the exponentials in v. */
/*@ requires block && 0 < K <= KMAX && \valid(v + (0 .. KMAX*MAXB-1));
    assigns v[0 .. KMAX*MAXB-1]; */
DEV void loss_slope(LANEK(float4, v), int K, int hit, float by, float scale)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    LANES(t) REG(v, j, j0, t) = loss_slope4(REG(v, j, j0, t), j0 + t, hit, by, scale);
  }
}

/*@ requires block && 0 < K <= KMAX && \valid(v + (0 .. KMAX*MAXB-1));
    requires \valid_read(old + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), old + (0 .. KMAX*MAXB-1));
    assigns v[0 .. KMAX*MAXB-1]; */
DEV void loss_plus(LANEK(float4, v), LANEK(float4, old), int K)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    LANES(t) REG(v, j, j0, t) = plus4(REG(old, j, j0, t), REG(v, j, j0, t));
  }
}

/*@ requires row_fits(K,n) && \valid(dx + (0 .. n-1)) && perm_w(dx,n);
    requires aligned != 0 ==> aligned16(dx) && n % 4 == 0;
    requires \valid_read(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    assigns dx[0 .. n-1]; */
DEV void loss_store(LANEK(float4, v), int K, int n, int aligned, float *RESTRICT dx)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, dx[0 .. n-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, dx[0 .. n-1];
        loop variant BDIM - t; */
    LANES(t) row_store(j0, t, n, aligned, REG(v, j, j0, t), dx);
  }
}

/* dx becomes the gradient in v, or has it added. */
/*@ requires row_fits(K,n) && row_in(dx,n,aligned) && \valid(dx + (0 .. n-1)) && perm_w(dx,n);
    requires \valid(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    assigns dx[0 .. n-1], v[0 .. KMAX*MAXB-1]; */
DEV void loss_put(LANEK(float4, v), int K, int n, int aligned, int adds, float *dx)
{
  if (adds) {
    PRIVATEK(float4, old);
    row_load_all(old, K, n, aligned, dx);
    loss_plus(v, old, K);
  }
  loss_store(v, K, n, aligned, dx);
}

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
  PRIVATE(float, xt);
  int tells = part ? 1 : 0;
  float m = loss_max(v, K GHOST_ARGS(n, x));
  int hit = loss_hit(c, n);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, xt[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(xt, t) = loss_at(t, tells, hit, x GHOST_ARGS(n));
  float s = loss_exp_all(v, K, m);
  if (tells) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, *part;
        loop variant BDIM - t; */
    LANES(t) loss_leave(t, hit, s, AT(xt, t), m, part);
  }
  loss_slope(v, K, hit, 1.0f / s, scale);
  loss_put(v, K, n, aligned, adds, dx);
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
    float scale = g ? LDG(g) * each : each, *to = part ? part + r : part;
    idx c = ask_index(target + r);
    //@ assert above_all: above_lowest(x,ix(rows,cols,0));
    //@ assert above_row: above_lowest(x+o,cols);
    padded_load_row(v, K, cols, VEC, x + o);
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
