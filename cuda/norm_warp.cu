/* layer_norm and rms_norm of rows that wait in the registers of groups of `lanes` threads, up to a
 * warp: x and y are (rows, cols), gamma and beta (cols), mean and rstd (rows). Vector q of a row,
 * elements 4q to 4q+3, is register q / lanes of lane q % lanes of its group; what lies outside the
 * row is 0. A block has a row a group; gamma and beta are read along with x. norm.cu says when. */
#include "block.h"
#include "norm_vectors.h"
#include "../spec/walk.h"

enum { NORM_WARP_BLOCK = 128 }; /* threads of a block, at most */

/* A thread's row, where that begins, and what it has: no elements, where there is no such row. */
typedef struct norm_at {
  idx row, at;
  int lane, have;
} norm_at;

/* How a block is cut up. */
typedef struct norm_cut {
  int groups, lanes;
} norm_cut;

/*@ predicate warp_lanes(integer n) = n == 1 || n == 2 || n == 4 || n == 8 || n == 16 || n == 32;
    // K vectors of each lane of a group hold a row of n elements
    predicate warp_fits(integer K, norm_cut c, integer n) =
      block && 0 < K <= KMAX && warp_lanes(c.lanes) && 0 < c.groups <= MAXB &&
      ix(c.groups,c.lanes,0) == bdim_ && 0 < n <= 4*mul(K,c.lanes) && n <= 128*KMAX;
    // thread t of block b
    predicate warp_place(norm_at w, integer b, integer t, norm_cut c, integer rows, integer n) =
      0 <= w.lane < c.lanes && w.lane == rem(t,c.lanes) &&
      0 <= w.row && w.row == ix(b,c.groups,quo(t,c.lanes)) &&
      (w.row < rows ? w.have == n && w.at == ix(w.row,n,0) : w.have == 0 && w.at == 0);
    predicate warp_places{L}(norm_at *w, integer b, integer m, norm_cut c, integer rows,
                             integer n) =
      \forall integer t; 0 <= t < m ==> warp_place(w[t],b,t,c,rows,n);
    predicate warp_held{L}(float4 *v) = \valid(v + (0 .. KMAX*MAXB-1));
    predicate warp_in{L}(float *x, integer rows, integer n, integer aligned) =
      reads(x,ix(rows,n,0)) && (aligned != 0 ==> aligned16(x) && n % 4 == 0);
    predicate warp_out{L}(float *y, integer rows, integer n, integer aligned) =
      writes(y,ix(rows,n,0)) && (aligned != 0 ==> aligned16(y) && n % 4 == 0);
    lemma warp_four: \forall integer r, n; n % 4 == 0 ==> ix(r,n,0) % 4 == 0;
    // lanes of a group share no vector, groups of a launch no row
    lemma race_warp_lane: \forall integer i, j, l, m, lanes; 0 <= l < lanes ==> 0 <= m < lanes ==>
      l != m ==> mul(i,lanes) + l != mul(j,lanes) + m;
    lemma race_warp_row: \forall integer b, c, g, h, groups; 0 <= g < groups ==>
      0 <= h < groups ==> (b != c || g != h) ==> ix(b,groups,g) != ix(c,groups,h); */

/* ---- a thread's part of a row ---- */

/*@ requires warp_fits(K,c,n) && 0 <= b < tiles && ix(tiles,c.groups,0) <= IDX_LIM;
    requires 0 <= rows && ix(rows,n,0) <= IDX_LIM && 0 <= t < BDIM;
    assigns \nothing;
    ensures warp_place(\result,b,t,c,rows,n); */
DEV norm_at warp_find(idx b, idx tiles, int t, norm_cut c, idx rows, int n GHOST_PARAMS(int K))
{
  norm_at w = {0, 0, 0, 0};
  //@ assert t / c.lanes == quo(t,c.lanes) && t % c.lanes == rem(t,c.lanes);
  //@ assert 0 <= quo(t,c.lanes) < c.groups;
  w.lane = t % c.lanes;
  w.row = at2(tiles, c.groups, b, t / c.lanes);
  if (w.row < rows) {
    w.at = at2(rows, n, w.row, 0);
    w.have = n;
  }
  return w;
}

/* Where the thread's row of x begins. */
/*@ requires warp_place(w,b,t,c,rows,n) && warp_in(x,rows,n,aligned) && 0 < n <= 128*KMAX;
    assigns \nothing;
    ensures \result == w.at && row_in(x+\result,w.have,aligned) && (w.have == 0 || w.have == n);
    ensures 0 <= w.at && w.at + w.have <= ix(rows,n,0); */
DEV idx warp_row(norm_at w, int aligned,
                 const float *x GHOST_PARAMS(idx b, int t, norm_cut c, idx rows, int n))
{
  //@ assert w.row < rows ==> 0 <= w.at <= ix(rows,n,0) - n;
  //@ assert aligned != 0 ==> w.at % 4 == 0;
  //@ assert perm_r(x,ix(rows,n,0));
  //@ assert perm_r(x+w.at,w.have);
  (void)aligned, (void)x;
  return w.at;
}

/*@ requires warp_place(w,b,t,c,rows,n) && warp_out(y,rows,n,aligned) && 0 < n <= 128*KMAX;
    assigns \nothing;
    ensures \result == w.at && \valid(y + \result + (0 .. w.have-1)) && perm_w(y+\result,w.have);
    ensures aligned != 0 ==> aligned16(y+\result) && w.have % 4 == 0;
    ensures 0 <= w.at && w.at + w.have <= ix(rows,n,0) && (w.have == 0 || w.have == n); */
DEV idx warp_row_out(norm_at w, int aligned,
                     float *y GHOST_PARAMS(idx b, int t, norm_cut c, idx rows, int n))
{
  //@ assert w.row < rows ==> 0 <= w.at <= ix(rows,n,0) - n;
  //@ assert aligned != 0 ==> w.at % 4 == 0;
  //@ assert perm_w(y,ix(rows,n,0));
  //@ assert perm_w(y+w.at,w.have);
  (void)aligned, (void)y;
  return w.at;
}

/*@ // register j of a lane of a group is vector q0 + lane
    predicate warp_have(integer lane, norm_cut c, integer have) =
      0 <= lane < c.lanes && 0 <= have <= 128*KMAX; */

/* Vector q0 + lane of a row, 0 outside. The address of the lane's first serves all. */
/*@ requires row_in(x,have,aligned) && 0 <= q0 <= 32*KMAX && 0 <= lane < 32;
    requires 0 <= have <= 128*KMAX;
    assigns \nothing;
    ensures norm_vec(\result, x, 0.0, q0 + lane, have); */
DEV float4 warp_vector(int q0, int lane, int have, int aligned, const float *RESTRICT x)
{
  float4 v = {0, 0, 0, 0};
  const float *at = x + 4 * lane;
  int c = 4 * q0, left = have - 4 * lane;
  if (aligned && c < left)
    v = LD4(at + c);
  if (!aligned && c < left)
    v.x = LDG(at + c);
  if (!aligned && c + 1 < left)
    v.y = LDG(at + c + 1);
  if (!aligned && c + 2 < left)
    v.z = LDG(at + c + 2);
  if (!aligned && c + 3 < left)
    v.w = LDG(at + c + 3);
  return v;
}

/* Thread t's part of a row. */
/*@ requires warp_fits(K,c,n) && warp_have(lane,c,have) && 0 <= t < BDIM && warp_held(v);
    requires row_in(x,have,aligned);
    assigns v[0 .. KMAX*MAXB-1]; */
DEV void warp_load(LANEK(float4, v), int t, int K, norm_cut c, int lane, int have, int aligned,
                   const float *RESTRICT x GHOST_PARAMS(int n))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant q0 == mul(j,c.lanes) && 0 <= q0 <= j*32;
      loop assigns j, j0, q0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0, q0 = 0; j < K; j++, j0 += BDIM, q0 += c.lanes) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && mul(j+1,c.lanes) == q0 + c.lanes;
    REG(v, j, j0, t) = warp_vector(q0, lane, have, aligned, x);
  }
}

/* Of gamma, ones where there is none. */
/*@ requires warp_fits(K,c,n) && warp_have(lane,c,have) && 0 <= t < BDIM && warp_held(w);
    requires affine != 0 ==> row_in(gamma,have,aligned);
    assigns w[0 .. KMAX*MAXB-1]; */
DEV void warp_gamma(LANEK(float4, w), int t, int K, norm_cut c, int lane, int have, int aligned,
                    int affine, const float *RESTRICT gamma GHOST_PARAMS(int n))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant q0 == mul(j,c.lanes) && 0 <= q0 <= j*32;
      loop assigns j, j0, q0, w[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0, q0 = 0; j < K; j++, j0 += BDIM, q0 += c.lanes) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && mul(j+1,c.lanes) == q0 + c.lanes;
    float4 u = {1, 1, 1, 1};
    if (affine)
      u = warp_vector(q0, lane, have, aligned, gamma);
    REG(w, j, j0, t) = u;
  }
}

/* The sum of what thread t holds, or of its squares. */
/*@ requires warp_fits(K,c,n) && 0 <= t < BDIM && warp_held(v);
    assigns \nothing; */
DEV float warp_part(LANEK(float4, v), int t, int K, int squares GHOST_PARAMS(norm_cut c, int n))
{
  float sum = 0.0f;
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, sum;
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    sum += norm_four(squares, REG(v, j, j0, t));
  }
  return sum;
}

/* What thread t holds less m. */
/*@ requires warp_fits(K,c,n) && warp_have(lane,c,have) && 0 <= t < BDIM && warp_held(v);
    assigns v[0 .. KMAX*MAXB-1]; */
DEV void warp_minus(LANEK(float4, v), int t, int K, norm_cut c, int lane, int have,
                    float m GHOST_PARAMS(int n))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant q0 == mul(j,c.lanes) && 0 <= q0 <= j*32;
      loop assigns j, j0, q0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0, q0 = 0; j < K; j++, j0 += BDIM, q0 += c.lanes) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && mul(j+1,c.lanes) == q0 + c.lanes;
    REG(v, j, j0, t) = norm_minus(q0 + lane, have, REG(v, j, j0, t), m);
  }
}

/* Thread t's part of a row of y. */
/*@ requires warp_fits(K,c,n) && warp_have(lane,c,have) && 0 <= t < BDIM;
    requires warp_held(v) && warp_held(w) && warp_held(b);
    requires \valid(y + (0 .. have-1)) && perm_w(y,have);
    requires aligned != 0 ==> aligned16(y) && have % 4 == 0;
    assigns y[0 .. have-1]; */
DEV void warp_store(LANEK(float4, v), LANEK(float4, w), LANEK(float4, b), int t, int K, norm_cut c,
                    int lane, int have, int aligned, int centered, float r,
                    float *RESTRICT y GHOST_PARAMS(int n))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant q0 == mul(j,c.lanes) && 0 <= q0 <= j*32;
      loop assigns j, j0, q0, y[0 .. have-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0, q0 = 0; j < K; j++, j0 += BDIM, q0 += c.lanes) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && mul(j+1,c.lanes) == q0 + c.lanes;
    float4 shift = {0, 0, 0, 0};
    if (centered)
      shift = REG(b, j, j0, t);
    norm_store(q0 + lane, have, aligned,
               norm_scale(centered, REG(v, j, j0, t), r, REG(w, j, j0, t), shift), y);
  }
}

/* Of a group's row, by its first lane. */
/*@ requires warp_place(w,b,t,c,rows,n) && 0 < n && writes(rstd,rows);
    requires centered != 0 ==> writes(mean,rows);
    assigns rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1]; */
DEV void warp_stats(norm_at w, int centered, float m, float r, float *RESTRICT mean,
                    float *RESTRICT rstd GHOST_PARAMS(idx b, int t, norm_cut c, idx rows, int n))
{
  if (w.lane == 0 && w.have) {
    STG(rstd + w.row, r);
    if (centered)
      STG(mean + w.row, m);
  }
}

/* ---- a block ---- */

/* v of each lane becomes the sum over its group. */
/*@ requires block && \valid(v + (0 .. BDIM-1)) && warp_lanes(lanes);
    assigns v[0 .. BDIM-1]; */
DEV void lanes_sum(LANE(float, v), int lanes)
{
  /*@ loop invariant warp_lanes(m);
      loop assigns m, v[0 .. BDIM-1];
      loop variant lanes - m; */
  for (int m = 1; m < lanes; m *= 2) xor_add(v, m);
}

/*@ predicate warp_block{L}(norm_at *w, integer K, integer b, norm_cut c, integer rows, integer n) =
      warp_fits(K,c,n) && \valid_read(w + (0 .. bdim_-1)) && warp_places(w,b,bdim_,c,rows,n); */

/* The rows arrive, and gamma and beta. */
/*@ requires warp_block(w,K,b,c,rows,n) && warp_held(v) && warp_held(scale) && warp_held(shift);
    requires warp_in(x,rows,n,aligned) && (affine != 0 ==> row_in(gamma,n,aligned));
    requires centered != 0 ==> row_in(beta,n,aligned);
    assigns v[0 .. KMAX*MAXB-1], scale[0 .. KMAX*MAXB-1], shift[0 .. KMAX*MAXB-1]; */
DEV void warp_load_all(LANEK(float4, v), LANEK(float4, scale), LANEK(float4, shift),
                       LANE(norm_at, w), int K, norm_cut c, int aligned, int centered, int affine,
                       const float *RESTRICT x, const float *RESTRICT gamma,
                       const float *RESTRICT beta GHOST_PARAMS(idx b, idx rows, int n))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, v[0 .. KMAX*MAXB-1], scale[0 .. KMAX*MAXB-1], shift[0 .. KMAX*MAXB-1];
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert warp_place(w[t],b,t,c,rows,n);
    norm_at p = AT(w, t);
    //@ assert p.have == 0 || p.have == n;
    warp_load(v, t, K, c, p.lane, p.have, aligned,
              x + warp_row(p, aligned, x GHOST_ARGS(b, t, c, rows, n)) GHOST_ARGS(n));
    warp_gamma(scale, t, K, c, p.lane, p.have, aligned, affine, gamma GHOST_ARGS(n));
    if (centered)
      warp_load(shift, t, K, c, p.lane, p.have, aligned, beta GHOST_ARGS(n));
  }
}

/* The sum over a row of what its group holds, or of the squares, for each of its lanes. */
/*@ requires warp_fits(K,c,n) && warp_held(v) && \valid(sum + (0 .. BDIM-1));
    assigns sum[0 .. BDIM-1]; */
DEV void warp_total(LANE(float, sum), LANEK(float4, v), int K, norm_cut c,
                    int squares GHOST_PARAMS(int n))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, sum[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(sum, t) = warp_part(v, t, K, squares GHOST_ARGS(c, n));
  lanes_sum(sum, c.lanes);
}

/* The means, of which `sum` has the sums, and the rows about them. */
/*@ requires warp_block(w,K,b,c,rows,n) && warp_held(v) && \valid_read(sum + (0 .. BDIM-1));
    requires \valid(mean + (0 .. BDIM-1));
    assigns v[0 .. KMAX*MAXB-1], mean[0 .. BDIM-1]; */
DEV void warp_center(LANEK(float4, v), LANE(float, mean), LANE(float, sum), LANE(norm_at, w), int K,
                     norm_cut c, int n GHOST_PARAMS(idx b, idx rows))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, v[0 .. KMAX*MAXB-1], mean[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert warp_place(w[t],b,t,c,rows,n);
    norm_at p = AT(w, t);
    AT(mean, t) = norm_mean(AT(sum, t), n);
    warp_minus(v, t, K, c, p.lane, p.have, AT(mean, t) GHOST_ARGS(n));
  }
}

/* What is left to do once `sum` has the sums of squares. */
/*@ requires warp_block(w,K,b,c,rows,n) && warp_held(v) && warp_held(scale) && warp_held(shift);
    requires \valid_read(sum + (0 .. BDIM-1)) && \valid_read(m + (0 .. BDIM-1));
    requires warp_out(y,rows,n,aligned) && writes(rstd,rows);
    requires centered != 0 ==> writes(mean,rows);
    assigns y[0 .. ix(rows,n,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1]; */
DEV void warp_put(LANEK(float4, v), LANEK(float4, scale), LANEK(float4, shift), LANE(float, m),
                  LANE(float, sum), LANE(norm_at, w), int K, norm_cut c, int n, int aligned,
                  int centered, float eps, float *RESTRICT y, float *RESTRICT mean,
                  float *RESTRICT rstd GHOST_PARAMS(idx b, idx rows))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, y[0 .. ix(rows,n,0)-1], rstd[0 .. rows-1],
                   mean[0 .. if_there(centered,rows)-1];
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert warp_place(w[t],b,t,c,rows,n);
    norm_at p = AT(w, t);
    float r = norm_rstd(AT(sum, t), n, eps);
    warp_store(v, scale, shift, t, K, c, p.lane, p.have, aligned, centered, r,
               y + warp_row_out(p, aligned, y GHOST_ARGS(b, t, c, rows, n)) GHOST_ARGS(n));
    warp_stats(p, centered, AT(m, t), r, mean, rstd GHOST_ARGS(b, t, c, rows, n));
  }
}

/* Block b. */
/*@ requires warp_fits(K,c,n) && 0 <= b < tiles && ix(tiles,c.groups,0) <= IDX_LIM && 0 <= rows;
    requires warp_in(x,rows,n,aligned) && (affine != 0 ==> row_in(gamma,n,aligned));
    requires centered != 0 ==> row_in(beta,n,aligned) && writes(mean,rows);
    requires warp_out(y,rows,n,aligned) && writes(rstd,rows);
    assigns y[0 .. ix(rows,n,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1]; */
DEV void warp_tile(idx b, idx tiles, int K, norm_cut c, int aligned, int centered, int affine,
                   idx rows, int n, float eps, const float *RESTRICT x, const float *RESTRICT gamma,
                   const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
                   float *RESTRICT rstd)
{
  PRIVATEK(float4, v);
  PRIVATEK(float4, scale);
  PRIVATEK(float4, shift);
  PRIVATE(norm_at, w);
  PRIVATE(float, m);
  PRIVATE(float, sum);
  /*@ loop invariant 0 <= t <= BDIM && warp_places(&w[0],b,t,c,rows,n);
      loop assigns t, w[0 .. BDIM-1], m[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    AT(m, t) = 0.0f;
    AT(w, t) = warp_find(b, tiles, t, c, rows, n GHOST_ARGS(K));
    //@ assert warp_place(w[t],b,t,c,rows,n);
    //@ assert warp_places(&w[0],b,t,c,rows,n);
    //@ assert warp_places(&w[0],b,t+1,c,rows,n);
  }
  warp_load_all(v, scale, shift, w, K, c, aligned, centered, affine, x, gamma,
                beta GHOST_ARGS(b, rows, n));
  if (centered) {
    warp_total(sum, v, K, c, 0 GHOST_ARGS(n));
    warp_center(v, m, sum, w, K, c, n GHOST_ARGS(b, rows));
  }
  warp_total(sum, v, K, c, 1 GHOST_ARGS(n));
  warp_put(v, scale, shift, m, sum, w, K, c, n, aligned, centered, eps, y, mean,
           rstd GHOST_ARGS(b, rows));
}

/* Block b does rows b groups ... gamma is read where affine, beta read and mean written where
 * CENTERED; VEC: every tensor is 16-byte aligned and cols a multiple of 4. */
/*@ requires warp_fits(K,c,cols) && 0 <= rows <= IDX_LIM && 0 <= tiles;
    requires ix(tiles,1,0) <= BLOCKS && ix(tiles,c.groups,0) <= IDX_LIM;
    requires norm_tensors(CENTERED,affine,VEC,rows,cols,x,gamma,beta,y);
    requires norm_apart(CENTERED,affine,rows,cols,x,gamma,beta,y);
    requires writes(mean,if_there(CENTERED,rows)) && writes(rstd,rows);
    requires stats_apart(CENTERED,affine,rows,cols,x,gamma,beta,rstd,rows);
    requires stats_apart(CENTERED,affine,rows,cols,x,gamma,beta,mean,if_there(CENTERED,rows));
    requires apart(y,ix(rows,cols,0),rstd,rows);
    requires apart(y,ix(rows,cols,0),mean,if_there(CENTERED,rows));
    requires apart(rstd,rows,mean,if_there(CENTERED,rows));
    assigns y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(CENTERED,rows)-1]; */
TEMPLATE(int CENTERED, int K, int VEC)
KERNEL void THREADS_AT_MOST(NORM_WARP_BLOCK)
    norm_warp(CONSTANTS(int CENTERED, int K, int VEC) norm_cut c, idx tiles, int affine, idx rows,
              int cols, float eps, const float *RESTRICT x, const float *RESTRICT gamma,
              const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
              float *RESTRICT rstd)
{
  /*@ loop invariant 0 <= b <= tiles;
      loop assigns b, y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                   mean[0 .. if_there(CENTERED,rows)-1];
      loop variant tiles - b; */
  BROWS(b, tiles, 1)
    warp_tile(b, tiles, K, c, VEC, CENTERED, affine, rows, cols, eps, x, gamma, beta, y, mean,
              rstd);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "norm_regs.h"
#include "table.h"

template <int K, int VEC>
static void launch_norm_warp(const pm_exec *ex, int lanes, const norm_call *t)
{
  int affine = t->gamma != NULL, w = (int)t->cols;
  norm_cut c = {NORM_WARP_BLOCK / lanes, lanes};
  idx tiles = divide_up(t->rows, c.groups);
  if (t->mean)
    LAUNCH((norm_warp<1, K, VEC>), tiles, NORM_WARP_BLOCK, ex->stream, c, tiles, affine, t->rows, w,
           t->eps, t->x, t->gamma, t->beta, t->y, t->mean, t->rstd);
  else
    LAUNCH((norm_warp<0, K, VEC>), tiles, NORM_WARP_BLOCK, ex->stream, c, tiles, affine, t->rows, w,
           t->eps, t->x, t->gamma, t->beta, t->y, t->mean, t->rstd);
}

extern "C" void LAUNCHER(norm_warp)(const pm_exec *ex, int k, int vec, int lanes,
                                    const norm_call *t)
{
  if (k == 2 && vec)
    launch_norm_warp<2, 1>(ex, lanes, t);
  else if (k == 2)
    launch_norm_warp<2, 0>(ex, lanes, t);
  else if (k == 4 && vec)
    launch_norm_warp<4, 1>(ex, lanes, t);
  else if (k == 4)
    launch_norm_warp<4, 0>(ex, lanes, t);
  else if (vec)
    launch_norm_warp<8, 1>(ex, lanes, t);
  else
    launch_norm_warp<8, 0>(ex, lanes, t);
}
#endif
