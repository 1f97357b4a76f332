/* A thread's registers of a row in vjp_regs.cu: on its way in cells, then in registers. Vector q
 * of a row, elements 4q to 4q+3, is number q / lanes of lane q % lanes of a group; what lies
 * outside the row is 0. */
#ifndef PM_NORM_VJP_REGS_ROW_H
#define PM_NORM_VJP_REGS_ROW_H
#include "../collective/block_sum.h"
#include "../lang/async_copy.h"
#include "../math/index_product.h"
#include "../row/regs.h"
#include "../../spec/norm.h"
#include "../../spec/walk.h"

enum {
  VJP_BLOCK = 512,           /* threads of a block, at most */
  VJP_CELLS = 4 * VJP_BLOCK, /* vectors of sums in a block, at most */
  VJP_REGISTERS = 120,       /* of a thread: with fewer, layer_norm_vjp keeps some in memory */
  VJP_NARROW_REGISTERS = 104 /* of what these leave, the blocks of the launch behind begin beside
                                this one's last rows */
};

/* A thread's place in the block, and what is known of a row. */
typedef struct vjp_at {
  int group, lane, warp; /* warp: the one of its group whose sum it takes up, if there is one */
} vjp_at;
typedef struct vjp_stats {
  float mean, rstd;
} vjp_stats;

/* How a block is cut up: into groups of lanes, each of whole warps or a part of one (`narrow`). */
typedef struct vjp_cut {
  int groups, lanes, warps, reach; /* reach: the power of 2 from `warps` on */
  int parts;                       /* in which the narrow groups' sums are added up */
} vjp_cut;

/*@ predicate vjp_reach(integer n) = n == 1 || n == 2 || n == 4 || n == 8 || n == 16 || n == 32;
    // K vectors of each lane of a group hold a row of n elements
    predicate vjp_fits(integer K, vjp_cut c, integer n) =
      block && bdim_ <= VJP_BLOCK && 0 < K <= 4 && 0 < c.groups <= VJP_BLOCK &&
      0 < c.lanes <= VJP_BLOCK && 0 < c.warps <= 32 && ix(c.groups,c.lanes,0) == bdim_ &&
      vjp_reach(c.reach) &&
      0 < n <= 4*mul(K,c.lanes) && n <= 4*KMAX*MAXB;
    predicate vjp_place(vjp_at w, integer t, vjp_cut c) =
      0 <= w.group < c.groups && 0 <= w.lane < c.lanes && 0 <= w.warp &&
      ix(w.group,c.lanes,w.lane) == t;
    predicate vjp_places{L}(vjp_at *w, integer n, vjp_cut c) =
      \forall integer t; 0 <= t < n ==> vjp_place(w[t],t,c);
    predicate vjp_tensor{L}(float *x, integer rows, integer n, integer aligned) =
      reads(x,ix(rows,n,0)) && (aligned != 0 ==> aligned16(x) && n % 4 == 0);
    predicate row_out{L}(float *y, integer n, integer aligned) =
      \valid(y + (0 .. n-1)) && perm_w(y,n) && (aligned != 0 ==> aligned16(y) && n % 4 == 0);
    // groups of a launch share no row: tile i of block b, group k; lanes of a group no vector
    lemma race_tile: \forall integer i, j, b, c, k, l, blocks, groups; 0 <= b < blocks ==>
      0 <= c < blocks ==> 0 <= k < groups ==> 0 <= l < groups ==> (b != c || k != l) ==>
      ix(ix(i,blocks,b),groups,k) != ix(ix(j,blocks,c),groups,l);
    lemma mul_three: \forall integer k, b; k == 0 || k == 1 || k == 2 || k == 3 ==> 0 <= b ==>
      0 <= mul(k,b) <= 3*b;
    lemma vjp_four: \forall integer r, n; n % 4 == 0 ==> ix(r,n,0) % 4 == 0; */

/*@ requires 0 <= t < ix(c.groups,c.lanes,0) && 0 < c.lanes <= VJP_BLOCK && t < MAXB;
    requires vjp_reach(c.reach);
    assigns \nothing;
    ensures vjp_place(\result,t,c); */
DEV vjp_at vjp_find(int t, vjp_cut c)
{
  vjp_at w;
  w.group = t / c.lanes;
  w.lane = t % c.lanes;
  w.warp = t % c.reach;
  //@ assert w.group == quo(t,c.lanes) && w.lane == rem(t,c.lanes) && w.warp == rem(t,c.reach);
  //@ assert 0 <= w.group < c.groups && 0 <= w.lane < c.lanes;
  return w;
}

/* Where row r of a tensor begins. */
/*@ requires 0 <= r < rows && 0 < n <= 4*KMAX*MAXB && vjp_tensor(x,rows,n,aligned);
    assigns \nothing;
    ensures \result == ix(r,n,0) && row_in(x+\result,n,aligned);
    ensures 0 <= ix(r,n,0) <= ix(rows,n,0) - n; */
DEV idx vjp_row(idx r, idx rows, int n, int aligned, const float *x)
{
  idx o = at2(rows, n, r, 0);
  //@ assert 0 <= o <= ix(rows,n,0) - n && (aligned != 0 ==> o % 4 == 0);
  //@ assert perm_r(x,ix(rows,n,0));
  //@ assert perm_r(x+o,n);
  (void)aligned, (void)x;
  return o;
}

/*@ requires 0 <= r < rows && 0 < n <= 4*KMAX*MAXB && writes(y,ix(rows,n,0));
    requires aligned != 0 ==> aligned16(y) && n % 4 == 0;
    assigns \nothing;
    ensures \result == ix(r,n,0) && row_in(y+\result,n,aligned) && row_out(y+\result,n,aligned);
    ensures 0 <= ix(r,n,0) <= ix(rows,n,0) - n; */
DEV idx vjp_row_out(idx r, idx rows, int n, int aligned, float *y)
{
  idx o = at2(rows, n, r, 0);
  //@ assert 0 <= o <= ix(rows,n,0) - n && (aligned != 0 ==> o % 4 == 0);
  //@ assert perm_r(y,ix(rows,n,0)) && perm_w(y,ix(rows,n,0));
  //@ assert perm_r(y+o,n) && perm_w(y+o,n);
  (void)aligned, (void)y;
  return o;
}

/* ---- rows on their way ---- */

/*@ // cell j of each lane of a block
    predicate vjp_cell{L}(cell_ *v, integer j, integer j0, integer t) =
      block && bdim_ <= VJP_BLOCK && \valid(v + (0 .. KMAX*MAXB-1)) && 0 <= t < bdim_ &&
      0 <= j < KMAX && j0 == mul(j,bdim_) && 0 <= j0 <= j*MAXB; */

/* Vector q0 + lane of a row into cell j of thread t. */
/*@ requires vjp_cell(v,j,j0,t) && row_in(x,n,aligned) && row_at(q0,lane,n);
    assigns v[0 .. KMAX*MAXB-1], pending_; */
DEV void vjp_fetch(CELLS_PARAM(v), int j, int j0, int t, int q0, int lane, int n, int aligned,
                   const float *RESTRICT x)
{
  const float *at = x + 4 * lane;
  if (aligned) {
    if (row_has(q0, lane, 0, n, aligned))
      CELL_FETCH4(v, at + 4 * q0, j, j0, t);
    else
      CELL_BLANK4(v, j, j0, t);
  } else {
    if (row_has(q0, lane, 0, n, aligned))
      CELL_FETCH1(v, 0, at + 4 * q0, j, j0, t);
    else
      CELL_BLANK1(v, 0, j, j0, t);
    if (row_has(q0, lane, 1, n, aligned))
      CELL_FETCH1(v, 1, at + 4 * q0 + 1, j, j0, t);
    else
      CELL_BLANK1(v, 1, j, j0, t);
    if (row_has(q0, lane, 2, n, aligned))
      CELL_FETCH1(v, 2, at + 4 * q0 + 2, j, j0, t);
    else
      CELL_BLANK1(v, 2, j, j0, t);
    if (row_has(q0, lane, 3, n, aligned))
      CELL_FETCH1(v, 3, at + 4 * q0 + 3, j, j0, t);
    else
      CELL_BLANK1(v, 3, j, j0, t);
  }
}

/* A lane's vectors of a row into its cells from j on. */
/*@ requires vjp_fits(K,c,n) && vjp_cell(v,j,j0,t) && j + K <= KMAX && 0 <= lane < c.lanes;
    requires row_in(x,n,aligned);
    assigns v[0 .. KMAX*MAXB-1], pending_; */
DEV void vjp_fetch_row(CELLS_PARAM(v), int j, int j0, int t, int K, vjp_cut c, int lane, int n,
                       int aligned, const float *RESTRICT x)
{
  /*@ loop invariant 0 <= k <= K && q0 == mul(k,c.lanes) && 0 <= q0 <= k*VJP_BLOCK;
      loop invariant k0 == mul(j+k,BDIM) && 0 <= k0 <= (j+k)*MAXB;
      loop assigns k, q0, k0, v[0 .. KMAX*MAXB-1], pending_;
      loop variant K - k; */
  UNROLL
  for (int k = 0, q0 = 0, k0 = j0; k < K; k++, q0 += c.lanes, k0 += BDIM) {
    //@ assert mul(k+1,c.lanes) == q0 + c.lanes && mul(j+k+1,BDIM) == k0 + BDIM;
    vjp_fetch(v, j + k, k0, t, q0, lane, n, aligned, x);
  }
}

/*@ requires vjp_fits(K,c,n) && vjp_cell(v,j,j0,t) && j + K <= KMAX;
    assigns v[0 .. KMAX*MAXB-1]; */
DEV void vjp_blank_row(CELLS_PARAM(v), int j, int j0, int t, int K GHOST_PARAMS(vjp_cut c, int n))
{
  /*@ loop invariant 0 <= k <= K && k0 == mul(j+k,BDIM) && 0 <= k0 <= (j+k)*MAXB;
      loop assigns k, k0, v[0 .. KMAX*MAXB-1];
      loop variant K - k; */
  UNROLL
  for (int k = 0, k0 = j0; k < K; k++, k0 += BDIM) {
    //@ assert mul(j+k+1,BDIM) == k0 + BDIM;
    CELL_BLANK4(v, j + k, k0, t);
  }
}

/*@ predicate vjp_in{L}(float *x, float *mean, float *rstd, float *g, integer centered,
                         integer rows, integer n, integer aligned) =
      vjp_tensor(x,rows,n,aligned) && vjp_tensor(g,rows,n,aligned) && reads(rstd,rows) &&
      (centered != 0 ==> reads(mean,rows)); */

/* A row of x into a thread's first K cells and one of g into the next, if there is such a row; its
 * statistics. */
/*@ requires vjp_fits(K,c,n) && \valid(v + (0 .. KMAX*MAXB-1)) && 0 <= t < BDIM &&
      0 <= lane < c.lanes;
    requires vjp_in(x,mean,rstd,g,centered,rows,n,aligned) && 0 <= r;
    assigns v[0 .. KMAX*MAXB-1], pending_; */
DEV vjp_stats vjp_fetch_both(CELLS_PARAM(v), int t, int K, vjp_cut c, int lane, idx r, idx rows,
                             int n, int aligned, int centered, const float *RESTRICT x,
                             const float *RESTRICT mean, const float *RESTRICT rstd,
                             const float *RESTRICT g)
{
  vjp_stats s = {0, 0};
  //@ assert mul(K,BDIM) == K*BDIM && mul(0,BDIM) == 0;
  if (r < rows) {
    vjp_fetch_row(v, 0, 0, t, K, c, lane, n, aligned, x + vjp_row(r, rows, n, aligned, x));
    vjp_fetch_row(v, K, K * BDIM, t, K, c, lane, n, aligned, g + vjp_row(r, rows, n, aligned, g));
    s.rstd = LDG(rstd + r);
    if (centered)
      s.mean = LDG(mean + r);
  } else {
    vjp_blank_row(v, 0, 0, t, K GHOST_ARGS(c, n));
    vjp_blank_row(v, K, K * BDIM, t, K GHOST_ARGS(c, n));
  }
  return s;
}

/* ---- a row in registers ---- */

/*@ predicate vjp_held{L}(float4 *v) = \valid(v + (0 .. KMAX*MAXB-1)); */

/* v = the cells from j on. */
/*@ requires vjp_fits(K,c,n) && vjp_cell(from,j,j0,t) && j + K <= KMAX && vjp_held(v);
    requires pending_ == 0;
    assigns v[0 .. KMAX*MAXB-1]; */
DEV void vjp_take(PER_THREADK(float4, v), CELLS_PARAM(from), int j, int j0, int t,
                  int K GHOST_PARAMS(vjp_cut c, int n))
{
  /*@ loop invariant 0 <= k <= K && i0 == mul(k,BDIM) && 0 <= i0 <= k*MAXB;
      loop invariant k0 == mul(j+k,BDIM) && 0 <= k0 <= (j+k)*MAXB;
      loop assigns k, i0, k0, v[0 .. KMAX*MAXB-1];
      loop variant K - k; */
  UNROLL
  for (int k = 0, i0 = 0, k0 = j0; k < K; k++, i0 += BDIM, k0 += BDIM) {
    //@ assert mul(k+1,BDIM) == i0 + BDIM && mul(j+k+1,BDIM) == k0 + BDIM;
    REG(v, k, i0, t) = CELL_TAKE(from, j + k, k0, t);
  }
}

/*@ requires vjp_fits(K,c,n) && vjp_held(v) && 0 <= t < BDIM;
    assigns v[0 .. KMAX*MAXB-1]; */
DEV void vjp_zero(PER_THREADK(float4, v), int t, int K GHOST_PARAMS(vjp_cut c, int n))
{
  float4 zero = {0, 0, 0, 0};
  /*@ loop invariant 0 <= k <= K && k0 == mul(k,BDIM) && 0 <= k0 <= k*MAXB;
      loop assigns k, k0, v[0 .. KMAX*MAXB-1];
      loop variant K - k; */
  UNROLL
  for (int k = 0, k0 = 0; k < K; k++, k0 += BDIM) {
    //@ assert mul(k+1,BDIM) == k0 + BDIM;
    REG(v, k, k0, t) = zero;
  }
}

/*@ assigns \nothing;
    ensures \result.x == rmul(a.x,b.x) && \result.y == rmul(a.y,b.y);
    ensures \result.z == rmul(a.z,b.z) && \result.w == rmul(a.w,b.w); */
DEV float4 times4(float4 a, float4 b)
{
  float4 c = {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
  return c;
}

/* Of the first `left` elements alone: what lies outside a row is 0 minus its mean by then, which may
 * overflow on its way, and 0 times that is NaN. */
/*@ assigns \nothing;
    ensures left >= 4 ==> \result == v.x + v.y + v.z + v.w;
    ensures left <= 0 ==> \result == 0; */
DEV float four(float4 v, int left)
{
  v.x = left > 0 ? v.x : 0.0f;
  v.y = left > 1 ? v.y : 0.0f;
  v.z = left > 2 ? v.z : 0.0f;
  v.w = left > 3 ? v.w : 0.0f;
  return (v.x + v.y) + (v.z + v.w);
}

/*@ assigns \nothing;
    ensures \result.x == rmul(v.x - m,r) && \result.y == rmul(v.y - m,r);
    ensures \result.z == rmul(v.z - m,r) && \result.w == rmul(v.w - m,r); */
DEV float4 hat4(float4 v, float m, float r)
{
  v.x = (v.x - m) * r;
  v.y = (v.y - m) * r;
  v.z = (v.z - m) * r;
  v.w = (v.w - m) * r;
  return v;
}

/* The sums of g gamma and of g gamma xhat over a row, or a part of it. */
typedef struct vjp_pair {
  float of_g, of_hat;
} vjp_pair;

/* v is a thread's part of a row of x and becomes xhat, u of g and becomes g gamma. */
/*@ requires vjp_fits(K,c,n) && vjp_held(v) && vjp_held(u) && vjp_held(dgamma) && vjp_held(dbeta);
    requires vjp_held(scale) && 0 <= t < BDIM && 0 <= lane < c.lanes;
    assigns v[0 .. KMAX*MAXB-1], u[0 .. KMAX*MAXB-1], dgamma[0 .. KMAX*MAXB-1],
            dbeta[0 .. KMAX*MAXB-1]; */
DEV vjp_pair vjp_terms(PER_THREADK(float4, v), PER_THREADK(float4, u), PER_THREADK(float4, dgamma),
                       PER_THREADK(float4, dbeta), PLAIN_CELLS_PARAM(scale), int t, int K,
                       vjp_cut c, int lane, int n, int centered, vjp_stats s)
{
  vjp_pair sum = {0, 0};
  /*@ loop invariant 0 <= k <= K && k0 == mul(k,BDIM) && 0 <= k0 <= k*MAXB;
      loop invariant q0 == mul(k,c.lanes) && 0 <= q0 <= k*VJP_BLOCK;
      loop assigns k, k0, q0, sum, v[0 .. KMAX*MAXB-1], u[0 .. KMAX*MAXB-1],
                   dgamma[0 .. KMAX*MAXB-1], dbeta[0 .. KMAX*MAXB-1];
      loop variant K - k; */
  UNROLL
  for (int k = 0, k0 = 0, q0 = 0; k < K; k++, k0 += BDIM, q0 += c.lanes) {
    //@ assert mul(k+1,BDIM) == k0 + BDIM && mul(k+1,c.lanes) == q0 + c.lanes;
    const int left = n - 4 * (q0 + lane);
    float4 hat = REG(v, k, k0, t), g = REG(u, k, k0, t);
    hat = centered ? hat4(hat, s.mean, s.rstd) : hat4(hat, 0.0f, s.rstd);
    REG(dgamma, k, k0, t) = plus4(REG(dgamma, k, k0, t), times4(g, hat));
    if (centered)
      REG(dbeta, k, k0, t) = plus4(REG(dbeta, k, k0, t), g);
    g = times4(g, PLAIN_LOAD(scale, k, k0, t));
    REG(v, k, k0, t) = hat;
    REG(u, k, k0, t) = g;
    if (centered)
      sum.of_g += four(g, left);
    sum.of_hat += four(times4(g, hat), left);
  }
  return sum;
}

/* A thread's part of gamma into its cells, ones where there is none. */
/*@ requires vjp_fits(K,c,n) && vjp_held(scale) && 0 <= t < BDIM && 0 <= lane < c.lanes;
    requires affine != 0 ==> row_in(gamma,n,aligned);
    assigns scale[0 .. KMAX*MAXB-1]; */
DEV void vjp_keep(PLAIN_CELLS_PARAM(scale), int t, int K, vjp_cut c, int lane, int n, int aligned,
                  int affine, const float *RESTRICT gamma)
{
  /*@ loop invariant 0 <= k <= K && k0 == mul(k,BDIM) && 0 <= k0 <= k*MAXB;
      loop invariant q0 == mul(k,c.lanes) && 0 <= q0 <= k*VJP_BLOCK;
      loop assigns k, k0, q0, scale[0 .. KMAX*MAXB-1];
      loop variant K - k; */
  UNROLL
  for (int k = 0, k0 = 0, q0 = 0; k < K; k++, k0 += BDIM, q0 += c.lanes) {
    //@ assert mul(k+1,BDIM) == k0 + BDIM && mul(k+1,c.lanes) == q0 + c.lanes;
    float4 w = {1, 1, 1, 1};
    if (affine)
      w = row_load(q0, lane, n, aligned, gamma);
    PLAIN_STORE(scale, w, k, k0, t);
  }
}

/*@ assigns \nothing;
    ensures \result.x == NormDx(g.x,mean.of_g,hat.x,mean.of_hat,r);
    ensures \result.y == NormDx(g.y,mean.of_g,hat.y,mean.of_hat,r);
    ensures \result.z == NormDx(g.z,mean.of_g,hat.z,mean.of_hat,r);
    ensures \result.w == NormDx(g.w,mean.of_g,hat.w,mean.of_hat,r); */
DEV float4 pull4(float4 hat, float4 g, vjp_pair mean, float r)
{
  hat.x = r * (g.x - mean.of_g - hat.x * mean.of_hat);
  hat.y = r * (g.y - mean.of_g - hat.y * mean.of_hat);
  hat.z = r * (g.z - mean.of_g - hat.z * mean.of_hat);
  hat.w = r * (g.w - mean.of_g - hat.w * mean.of_hat);
  return hat;
}

/* v becomes a thread's part of a row of dx. */
/*@ requires vjp_fits(K,c,n) && vjp_held(v) && vjp_held(u) && 0 <= t < BDIM;
    assigns v[0 .. KMAX*MAXB-1]; */
DEV void vjp_pull(PER_THREADK(float4, v), PER_THREADK(float4, u), int t, int K, vjp_pair mean,
                  float r GHOST_PARAMS(vjp_cut c, int n))
{
  /*@ loop invariant 0 <= k <= K && k0 == mul(k,BDIM) && 0 <= k0 <= k*MAXB;
      loop assigns k, k0, v[0 .. KMAX*MAXB-1];
      loop variant K - k; */
  UNROLL
  for (int k = 0, k0 = 0; k < K; k++, k0 += BDIM) {
    //@ assert mul(k+1,BDIM) == k0 + BDIM;
    REG(v, k, k0, t) = pull4(REG(v, k, k0, t), REG(u, k, k0, t), mean, r);
  }
}

/* It is stored, or what is there is added to it before: all of that is asked for at once. */
/*@ requires vjp_fits(K,c,n) && vjp_held(v) && vjp_held(u) && 0 <= t < BDIM && 0 <= lane < c.lanes;
    requires row_in(dx,n,aligned) && row_out(dx,n,aligned);
    assigns u[0 .. KMAX*MAXB-1], dx[0 .. n-1]; */
DEV void vjp_put(PER_THREADK(float4, v), PER_THREADK(float4, u), int t, int K, vjp_cut c, int lane,
                 int n, int aligned, int adds, float *RESTRICT dx)
{
  /*@ loop invariant 0 <= k <= K && k0 == mul(k,BDIM) && 0 <= k0 <= k*MAXB;
      loop invariant q0 == mul(k,c.lanes) && 0 <= q0 <= k*VJP_BLOCK;
      loop assigns k, k0, q0, u[0 .. KMAX*MAXB-1];
      loop variant K - k; */
  UNROLL
  for (int k = 0, k0 = 0, q0 = 0; k < K; k++, k0 += BDIM, q0 += c.lanes) {
    //@ assert mul(k+1,BDIM) == k0 + BDIM && mul(k+1,c.lanes) == q0 + c.lanes;
    if (adds)
      REG(u, k, k0, t) = row_load(q0, lane, n, aligned, dx);
  }
  /*@ loop invariant 0 <= k <= K && k0 == mul(k,BDIM) && 0 <= k0 <= k*MAXB;
      loop invariant q0 == mul(k,c.lanes) && 0 <= q0 <= k*VJP_BLOCK;
      loop assigns k, k0, q0, dx[0 .. n-1];
      loop variant K - k; */
  UNROLL
  for (int k = 0, k0 = 0, q0 = 0; k < K; k++, k0 += BDIM, q0 += c.lanes) {
    //@ assert mul(k+1,BDIM) == k0 + BDIM && mul(k+1,c.lanes) == q0 + c.lanes;
    float4 d = REG(v, k, k0, t);
    if (adds)
      d = plus4(REG(u, k, k0, t), d);
    row_store(q0, lane, n, aligned, d, dx);
  }
}
#endif
