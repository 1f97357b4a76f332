/* Cross entropy of rows that wait in the registers of a block (row_regs.h), a row a block: x and dx
 * are (rows, cols). Each row's loss goes to part[row]. Outside the row its vectors hold -Inf. */
#define ONE_WARP 1 /* see block.h */
#include "ask.h"
#include "block_max.h"
#include "launch_after.h"
#include "loss_targets.h"
#include "loss_terms.h"
#include "row_regs.h"

/*@ predicate at_most4(float4 v, real m) = v.x <= m && v.y <= m && v.z <= m && v.w <= m;
    // element c of a gradient, of e = exp(x - m)
    logic real Slope(real e, real by, integer hit, real scale, integer c) =
      rmul(rmul(e,by) - OneHot(c,hit), scale); */
/* ---- what both kernels do ---- */

/* Vector j0 + t of a row of n; `whole`: it has every vector of every thread. */
/*@ requires row_in(x,n,aligned) && row_at(j0,t,n);
    requires whole != 0 ==> aligned != 0 && 4*(j0+t)+3 < n;
    assigns \nothing; */
DEV float4 loss_load(int j0, int t, int n, int aligned, int whole, const float *RESTRICT x)
{
  float low = lowest();
  float4 v = {low, low, low, low};
  const float *at = x + 4 * t;
  if (aligned) {
    if (whole || row_has(j0, t, 0, n, aligned))
      v = LD4(at + 4 * j0);
  } else {
    if (row_has(j0, t, 0, n, aligned))
      v.x = LDG(at + 4 * j0);
    if (row_has(j0, t, 1, n, aligned))
      v.y = LDG(at + 4 * j0 + 1);
    if (row_has(j0, t, 2, n, aligned))
      v.z = LDG(at + 4 * j0 + 2);
    if (row_has(j0, t, 3, n, aligned))
      v.w = LDG(at + 4 * j0 + 3);
  }
  return v;
}

/*@ requires row_fits(K,n) && row_in(x,n,aligned) && \valid(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires whole != 0 ==> aligned != 0 && n == 4*mul(K,BDIM);
    assigns v[0 .. KMAX*MAXB-1]; */
DEV void loss_load_all(LANEK(float4, v), int K, int n, int aligned, int whole,
                       const float *RESTRICT x)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    //@ assert j0 + BDIM <= mul(K,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    LANES(t) REG(v, j, j0, t) = loss_load(j0, t, n, aligned, whole, x);
  }
}

/* Vectors of all threads. */
/*@ requires block && 0 < K <= KMAX;
    assigns \nothing;
    ensures \result == mul(K,BDIM) && 0 < \result <= KMAX*MAXB; */
DEV int loss_vectors(int K)
{
  //@ assert mul(K,BDIM) == K*BDIM;
  //@ assert lo: mul(0,BDIM) + BDIM <= mul(K,BDIM);
  //@ assert hi: mul(K,BDIM) <= mul(KMAX,BDIM);
  return K * BDIM;
}

/* The row; all of a thread's loads come first, and none asks where the row ends if it need not. */
/*@ requires row_fits(K,n) && row_in(x,n,aligned) && \valid(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1]; */
DEV void loss_load_row(LANEK(float4, v), int K, int n, int aligned, const float *RESTRICT x)
{
  if (aligned && n == 4 * loss_vectors(K))
    loss_load_all(v, K, n, 1, 1, x);
  else
    loss_load_all(v, K, n, aligned, 0, x);
}

/*@ assigns \nothing;
    ensures top <= \result && v.x <= \result && v.y <= \result && v.z <= \result;
    ensures v.w <= \result;
    ensures \result == top || \result == v.x || \result == v.y || \result == v.z ||
      \result == v.w; */
DEV float loss_larger(float top, float4 v)
{
  return larger(larger(larger(larger(top, v.x), v.y), v.z), v.w);
}

/* The maximum of the row in v, for all lanes. */
/*@ requires block && 0 < K <= KMAX && \valid_read(v + (0 .. KMAX*MAXB-1));
    assigns \nothing; */
DEV float loss_max(LANEK(float4, v), int K)
{
  SHARED(float, s, 32);
  PRIVATE(float, top);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, top[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(top, t) = lowest();
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, top[0 .. BDIM-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, top[0 .. BDIM-1];
        loop variant BDIM - t; */
    LANES(t) AT(top, t) = loss_larger(AT(top, t), REG(v, j, j0, t));
  }
  return block_max(top, s);
}

/* The target c of a row of n, or -1 where it is out of range. */
/*@ requires 0 < n <= 4*KMAX*MAXB;
    assigns \nothing;
    ensures \result == (0 <= c < n ? c : -1); */
DEV int loss_hit(idx c, int n) { return 0 <= c && c < n ? (int)c : -1; }

/* Of the first lane, the element that is hit; `tells`: it is wanted. */
/*@ requires hit < n && \valid_read(x + (0 .. n-1)) && perm_r(x,n);
    assigns \nothing;
    ensures t == 0 && tells != 0 && hit >= 0 ==> \result == x[hit]; */
DEV float loss_at(int t, int tells, int hit, const float *RESTRICT x GHOST_PARAMS(int n))
{
  return t == 0 && tells && hit >= 0 ? ask(x + hit) : 0.0f;
}

/*@ requires t == 0 ==> \valid(part) && W(part);
    assigns *part;
    ensures t == 0 ==> *part == (hit >= 0 ? \log(s) - (xt - m) : -1.0);
    ensures t != 0 ==> *part == \old(*part); */
DEV void loss_leave(int t, int hit, float s, float xt, float m, float *part)
{
  if (t == 0)
    STG(part, hit >= 0 ? loss_of(s, xt, m) : REFUSED);
}

/* ---- the loss alone ---- */

/*@ assigns \nothing;
    ensures at_most4(v,m) ==>
      \result == Term(v.x,m) + Term(v.y,m) + Term(v.z,m) + Term(v.w,m); */
DEV float loss_four(float4 v, float m)
{
  return (loss_term(v.x, m) + loss_term(v.y, m)) + (loss_term(v.z, m) + loss_term(v.w, m));
}

/* The sum of the exponentials of the row in v, for all lanes. */
/*@ requires block && 0 < K <= KMAX && \valid_read(v + (0 .. KMAX*MAXB-1));
    assigns \nothing; */
DEV float loss_sum(LANEK(float4, v), int K, float m)
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(acc, t) = 0.0f;
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, acc[0 .. BDIM-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    LANES(t) AT(acc, t) += loss_four(REG(v, j, j0, t), m);
  }
  return block_sum(acc, s);
}

/* One row. The target is asked for before the row and looked at behind its maximum: no load waits
 * for another. */
/*@ requires row_fits(K,n) && row_in(x,n,aligned) && \valid_read(target);
    requires \valid(part) && W(part) && \separated(part, x + (0 .. n-1));
    assigns *part; */
DEV void loss_row(int K, int aligned, int n, const float *RESTRICT x, const idx *RESTRICT target,
                  float *RESTRICT part)
{
  PRIVATEK(float4, v);
  PRIVATE(float, xt);
  idx c = ask_index(target);
  loss_load_row(v, K, n, aligned, x);
  float m = loss_max(v, K);
  int hit = loss_hit(c, n);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, xt[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(xt, t) = loss_at(t, 1, hit, x GHOST_ARGS(n));
  float s = loss_sum(v, K, m);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, *part;
      loop variant BDIM - t; */
  LANES(t) loss_leave(t, hit, s, AT(xt, t), m, part);
}

/* Block r does row r, with K vectors a thread; VEC: x is 16-byte aligned and cols a multiple of 4. */
/*@ requires row_fits(K,cols) && 0 <= rows <= IDX_LIM && ix(rows,1,0) <= BLOCKS;
    requires reads(x,ix(rows,cols,0)) && writes(part,rows) && \valid_read(target + (0 .. rows-1));
    requires apart(x,ix(rows,cols,0),part,rows);
    requires \separated(target + (0 .. rows-1), part + (0 .. rows-1));
    requires VEC != 0 ==> cols % 4 == 0 && aligned16(x);
    assigns part[0 .. rows-1]; */
TEMPLATE(int K, int VEC)
KERNEL void THREADS_AT_MOST(512)
    loss_alone(CONSTANTS(int K, int VEC) idx rows, int cols, const float *RESTRICT x,
               const idx *RESTRICT target, float *RESTRICT part)
{
  /*@ loop invariant 0 <= r <= rows;
      loop assigns r, part[0 .. rows-1];
      loop variant rows - r; */
  BROWS(r, rows, 1) {
    idx o = at2(rows, cols, r, 0);
    //@ assert 0 <= o && o + cols <= ix(rows,cols,0);
    //@ assert VEC != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
    //@ assert VEC != 0 ==> o % 4 == 0;
    //@ assert perm_row: perm_r(x+o,cols);
    //@ assert in: row_in(x+o,cols,VEC);
    loss_row(K, VEC, cols, x + o, target + r, part + r);
  }
}

/* ---- with a gradient ---- */

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
  float m = loss_max(v, K);
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
    requires reads(x,ix(rows,cols,0)) && writes(dx,ix(rows,cols,0));
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
    loss_load_row(v, K, cols, VEC, x + o);
    await_launches();
    if (!targets_refused(flags, bad))
      loss_held(v, K, VEC, cols, adds, scale, c, x + o, to, dx + o);
    else if (part)
      block_put(REFUSED, part + r);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "loss_regs.h"

template <int K, int VEC>
static void launch_loss_regs(void *stream, int block, int64_t rows, int w, const float *x,
                             const loss_call *call)
{
  if (call->dx)
    LAUNCH_AFTER((loss_grad<K, VEC>), rows, block, stream, rows, w, call->flags.n, call->accumulate,
                 call->each, x, call->target, call->flags.bad, call->g, call->part, call->dx);
  else
    LAUNCH((loss_alone<K, VEC>), rows, block, stream, rows, w, x, call->target, call->part);
}

extern "C" void LAUNCHER(loss_regs)(void *stream, int k, int vec, int block, int64_t rows,
                                    int64_t cols, const float *x, const loss_call *call)
{
  int w = (int)cols;
  if (k == 4 && vec)
    launch_loss_regs<4, 1>(stream, block, rows, w, x, call);
  else if (k == 4)
    launch_loss_regs<4, 0>(stream, block, rows, w, x, call);
  else if (vec)
    launch_loss_regs<8, 1>(stream, block, rows, w, x, call);
  else
    launch_loss_regs<8, 0>(stream, block, rows, w, x, call);
}
#endif
