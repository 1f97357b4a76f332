/* The second stage of dgamma and dbeta, (cols): the sums of rows of sums, (halves n, cols), of
 * which the first n are dgamma's and those behind them, where halves is 2, dbeta's
 * (norm_sums.h). */
#include "block.h"
#include "cells.h"
#include "ix_times.h"
#include "launch_after.h"
#include "norm_sums.h"
#include "../spec/walk.h"

/*@ predicate sums_fit(integer teams, integer width) =
      block && bdim_ <= SUMS_BLOCK && 0 < teams &&
      (width == 4 || width == 8 || width == 16 || width == 32) && ix(teams,width,0) == bdim_;
    // the sums as whole vectors, where they are read so
    predicate sums_in{L}(float *sums, integer rows, integer cols, integer vec) =
      0 < cols && reads(sums,ix(rows,cols,0)) && (vec != 0 ==> aligned16(sums) && cols % 4 == 0); */

/* Rows first + team, first + team + teams, .. of column c, as far as there are n. */
/*@ requires 0 <= team < teams <= SUMS_BLOCK && 0 <= n <= SUMS_ROWS && 0 <= first <= SUMS_ROWS;
    requires first + n <= rows && 0 <= c < cols && reads(sums,ix(rows,cols,0));
    assigns \nothing; */
DEV float sums_team(int team, int teams, int first, int n, idx rows, idx cols, idx c,
                    const float *sums)
{
  float sum = 0.0f;
  /*@ loop invariant 0 <= r <= n + SUMS_DEPTH*SUMS_BLOCK;
      loop assigns r, sum;
      loop variant n - r; */
  for (int r = team; r < n; r += SUMS_DEPTH * teams) {
    float v[SUMS_DEPTH];
    /*@ loop invariant 0 <= i <= SUMS_DEPTH && r <= at <= r + i*SUMS_BLOCK;
        loop assigns i, at, v[0 .. SUMS_DEPTH-1];
        loop variant SUMS_DEPTH - i; */
    UNROLL
    for (int i = 0, at = r; i < SUMS_DEPTH; i++, at += teams)
      v[i] = at < n ? LDG(sums + at2(rows, cols, first + at, c)) : 0.0f;
    /*@ loop invariant 0 <= i <= SUMS_DEPTH;
        loop assigns i, sum;
        loop variant SUMS_DEPTH - i; */
    UNROLL
    for (int i = 0; i < SUMS_DEPTH; i++) sum = sum + v[i];
  }
  return sum;
}

/* Vector q of row r, of V. */
/*@ requires 0 <= r < rows && 0 <= q < V && reads(sums,ix(rows,4*V,0)) && aligned16(sums);
    assigns \nothing; */
DEV float4 sums_vector(idx r, idx q, idx rows, idx V, const float *sums)
{
  idx k = at2(rows, V, r, q);
  //@ assert ix(rows,4*V,0) == 4*ix(rows,V,0) && 0 <= k && k + 1 <= ix(rows,V,0);
  return LD4(sums + 4 * k);
}

/* The same rows of columns 4q .. 4q+3, of 4V. */
/*@ requires 0 <= team < teams <= SUMS_BLOCK && 0 <= n <= SUMS_ROWS && 0 <= first <= SUMS_ROWS;
    requires first + n <= rows && 0 <= q < V && reads(sums,ix(rows,4*V,0)) && aligned16(sums);
    assigns \nothing; */
DEV float4 sums_team4(int team, int teams, int first, int n, idx rows, idx V, idx q,
                      const float *sums)
{
  float4 sum = {0, 0, 0, 0};
  const float4 zero = {0, 0, 0, 0};
  /*@ loop invariant 0 <= r <= n + SUMS_DEPTH4*SUMS_BLOCK;
      loop assigns r, sum;
      loop variant n - r; */
  for (int r = team; r < n; r += SUMS_DEPTH4 * teams) {
    float4 v[SUMS_DEPTH4];
    /*@ loop invariant 0 <= i <= SUMS_DEPTH4 && r <= at <= r + i*SUMS_BLOCK;
        loop assigns i, at, v[0 .. SUMS_DEPTH4-1];
        loop variant SUMS_DEPTH4 - i; */
    UNROLL
    for (int i = 0, at = r; i < SUMS_DEPTH4; i++, at += teams)
      v[i] = at < n ? sums_vector(first + at, q, rows, V, sums) : zero;
    /*@ loop invariant 0 <= i <= SUMS_DEPTH4;
        loop assigns i, sum;
        loop variant SUMS_DEPTH4 - i; */
    UNROLL
    for (int i = 0; i < SUMS_DEPTH4; i++) sum = plus4(sum, v[i]);
  }
  return sum;
}

/* v of each lane becomes the sum over those of its warp that are a multiple of `width` away. */
/*@ requires block && \valid(v + (0 .. BDIM-1));
    requires width == 4 || width == 8 || width == 16 || width == 32;
    assigns v[0 .. BDIM-1]; */
DEV void sums_across(LANE(float, v), int width)
{
  /*@ loop invariant m == 4 || m == 8 || m == 16 || m == 32;
      loop assigns m, v[0 .. BDIM-1];
      loop variant 32 - m; */
  for (int m = width; m < 32; m *= 2) xor_add(v, m);
}

/*@ // shared memory: all first components, all second ones, ..; a thread lays its own
    predicate sums_cell_W(integer t, integer k) =
      k == t || k == t + SUMS_BLOCK || k == t + 2*SUMS_BLOCK || k == t + 3*SUMS_BLOCK;
    lemma race_sums_cell: \forall integer t, u, k; 0 <= t < SUMS_BLOCK ==> 0 <= u < SUMS_BLOCK ==>
      t != u ==> sums_cell_W(t,k) ==> !sums_cell_W(u,k); */
/*@ requires 0 <= t < SUMS_BLOCK && \valid(s + (0 .. 4*SUMS_BLOCK-1));
    requires \forall integer k; sums_cell_W(t,k) ==> W(s+k);
    assigns s[0 .. 4*SUMS_BLOCK-1]; */
DEV void sums_lay(int t, int vec, float x, float y, float z, float w, float *s PHASE_FN)
{
  //@ assert sums_cell_W(t,t) && sums_cell_W(t,t+SUMS_BLOCK);
  //@ assert sums_cell_W(t,t+2*SUMS_BLOCK) && sums_cell_W(t,t+3*SUMS_BLOCK);
  ST(&s[t], x);
  if (vec) {
    ST(&s[t + SUMS_BLOCK], y);
    ST(&s[t + 2 * SUMS_BLOCK], z);
    ST(&s[t + 3 * SUMS_BLOCK], w);
  }
}

/* What the warps have for lane t of a warp. */
/*@ requires 0 <= t < 32 <= n <= SUMS_BLOCK && \valid(s + (0 .. SUMS_BLOCK-1));
    requires \forall integer k; t <= k < n && k % 32 == t ==> R(s+k);
    assigns \nothing; */
DEV float sums_warps(int t, int n, float *s PHASE_FN)
{
  float sum = 0.0f;
  /*@ loop invariant t <= i <= n + 32 && i % 32 == t;
      loop assigns i, sum;
      loop variant n - i; */
  UNROLL_BY(8)
  for (int i = t; i < n; i += 32) sum = sum + LD(&s[i]);
  return sum;
}

/* What the warps have for lane t, to a column of `to`. */
/*@ requires 0 <= t < 32 <= n <= SUMS_BLOCK && \valid(s + (0 .. SUMS_BLOCK-1));
    requires \forall integer k; t <= k < n && k % 32 == t ==> R(s+k);
    requires \valid(to) && R(to) && W(to);
    assigns *to; */
DEV void sums_put(int t, int n, int adds, float *s, float *RESTRICT to PHASE_FN)
{
  float sum = sums_warps(t, n, s IN_PHASE);
  STG(to, adds ? LDG(to) + sum : sum);
}

/* What a thread adds up: as one of `team`s, column c, or vector c. */
typedef struct sums_at {
  int team;
  idx c;
} sums_at;
/*@ predicate sums_place(sums_at w, integer t, integer teams, integer width, integer b) =
      0 <= w.team < teams && w.c == ix(b,width,rem(t,width)) && 0 <= w.c <= IDX_LIM;
    predicate sums_places{L}(sums_at *w, integer n, integer teams, integer width, integer b) =
      \forall integer t; 0 <= t < n ==> sums_place(w[t],t,teams,width,b); */

/* Thread t of strip b. */
/*@ requires sums_fit(teams,width) && 0 <= b < strips && ix(strips,width,0) <= IDX_LIM;
    requires 0 <= t < BDIM;
    assigns \nothing;
    ensures sums_place(\result,t,teams,width,b); */
DEV sums_at sums_find(int width, idx strips, idx b, int t GHOST_PARAMS(int teams))
{
  sums_at w;
  //@ assert t % width == rem(t,width) && t / width == quo(t,width);
  w.team = t / width;
  w.c = at2(strips, width, b, t % width);
  return w;
}

/* What thread t adds up. */
/*@ requires sums_place(w,t,teams,width,b) && 0 < teams <= SUMS_BLOCK && sums_in(sums,rows,cols,vec);
    requires 0 <= n <= SUMS_ROWS && 0 <= first <= SUMS_ROWS && first + n <= rows;
    requires units == (vec != 0 ? cols/4 : cols);
    assigns \nothing; */
DEV float4 sums_part(sums_at w, int vec, int teams, int first, int n, idx rows, idx cols, idx units,
                     const float *sums GHOST_PARAMS(int t, int width, idx b))
{
  float4 sum = {0, 0, 0, 0};
  if (w.c < units) {
    if (vec) {
      //@ assert cols == 4*units;
      sum = sums_team4(w.team, teams, first, n, rows, units, w.c, sums);
    } else {
      sum.x = sums_team(w.team, teams, first, n, rows, cols, w.c, sums);
    }
  }
  return sum;
}

/*@ // what a thread of strip b writes; threads of a launch share none
    predicate sums_W(integer vec, integer b, integer t, integer width, integer k) =
      vec != 0 ? k == 4*ix(b,width,rem(t,width)) + quo(t,width) : k == ix(b,width,t);
    lemma race_sums: \forall integer b, t, c, u, width, k; 0 <= t < width ==> 0 <= u < width ==>
      (b != c || t != u) ==> sums_W(0,b,t,width,k) ==> !sums_W(0,c,u,width,k);
    lemma sums_quad: \forall integer p, q, e, f; 0 <= e < 4 ==> 0 <= f < 4 ==>
      4*p + e == 4*q + f ==> p == q && e == f;
    lemma race_sums_4: \forall integer b, t, c, u, width, k; 0 < width ==>
      0 <= quo(t,width) < 4 ==> 0 <= quo(u,width) < 4 ==> 0 <= rem(t,width) < width ==>
      0 <= rem(u,width) < width ==>
      (b != c || rem(t,width) != rem(u,width) || quo(t,width) != quo(u,width)) ==>
      sums_W(1,b,t,width,k) ==> !sums_W(1,c,u,width,k); */

/* Thread t's column of the strip, if it has one: component t / width of vector t % width. */
/*@ requires sums_fit(teams,width) && sums_place(w,t,teams,width,b) && 0 <= t < BDIM;
    requires (vec != 0 ? width <= 8 : 16 <= width) && units == (vec != 0 ? cols/4 : cols);
    requires \valid(s + (0 .. 4*SUMS_BLOCK-1)) && perm_r(s,4*SUMS_BLOCK);
    requires 0 < cols && writes(to,cols) && (vec != 0 ==> cols % 4 == 0);
    assigns to[0 .. cols-1]; */
DEV void sums_put_column(sums_at w, int t, int vec, int width, idx units, int adds, float *s,
                         float *RESTRICT to PHASE_FN GHOST_PARAMS(int teams, idx b, idx cols))
{
  if (t < (vec ? 4 * width : width) && w.c < units) {
    int e = vec ? t / width : 0, u = vec ? t % width : t;
    idx c = vec ? 4 * w.c + e : w.c;
    //@ assert 0 <= e < 4 && 0 <= u < 32 && 0 <= c < cols;
    sums_put(u, BDIM, adds, s + e * SUMS_BLOCK, to + c IN_PHASE);
  }
}

/* The columns of strip b of `to`, after the launch before this one. */
/*@ requires sums_fit(teams,width) && 0 <= b < strips && ix(strips,width,0) <= IDX_LIM;
    requires 0 <= n <= SUMS_ROWS && 0 <= first <= SUMS_ROWS && first + n <= rows;
    requires sums_in(sums,rows,cols,vec) && writes(to,cols) && (vec != 0 ? width <= 8 : 16 <= width);
    assigns to[0 .. cols-1]; */
DEV void sums_strip(int vec, int teams, int width, idx strips, idx b, int adds, int first, int n,
                    idx rows, idx cols, const float *sums, float *to)
{
  SHARED(float, s, 4 * SUMS_BLOCK);
  PRIVATE(float, v0);
  PRIVATE(float, v1);
  PRIVATE(float, v2);
  PRIVATE(float, v3);
  PRIVATE(sums_at, at);
  const idx units = vec ? cols / 4 : cols;
  /*@ loop invariant 0 <= t <= BDIM && sums_places(&at[0],t,teams,width,b);
      loop assigns t, at[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    AT(at, t) = sums_find(width, strips, b, t GHOST_ARGS(teams));
    //@ assert sums_place(at[t],t,teams,width,b) && sums_places(&at[0],t+1,teams,width,b);
  }
  await_launches();
  //@ assert teams <= BDIM;
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, v0[0 .. BDIM-1], v1[0 .. BDIM-1], v2[0 .. BDIM-1], v3[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert sums_place(at[t],t,teams,width,b);
    float4 sum =
        sums_part(AT(at, t), vec, teams, first, n, rows, cols, units, sums GHOST_ARGS(t, width, b));
    AT(v0, t) = sum.x;
    AT(v1, t) = sum.y;
    AT(v2, t) = sum.z;
    AT(v3, t) = sum.w;
  }
  sums_across(v0, width);
  if (vec) {
    sums_across(v1, width);
    sums_across(v2, width);
    sums_across(v3, width);
  }
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, s[0 .. 4*SUMS_BLOCK-1];
      loop variant BDIM - t; */
  PHASE(t) sums_lay(t, vec, AT(v0, t), AT(v1, t), AT(v2, t), AT(v3, t), s IN_PHASE);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, to[0 .. cols-1];
      loop variant BDIM - t; */
  PHASE(t) {
    //@ assert sums_place(at[t],t,teams,width,b);
    sums_put_column(AT(at, t), t, vec, width, units, adds, s,
                    to IN_PHASE GHOST_ARGS(teams, b, cols));
  }
}

/* VEC: 16-byte accesses, cols a multiple of 4; a strip is of `width` vectors, else of columns. */
/*@ requires sums_fit(teams,width) && 0 < strips && ix(halves,strips,0) <= BLOCKS;
    requires (halves == 1 || halves == 2) && ix(strips,width,0) <= IDX_LIM;
    requires 0 <= n <= SUMS_ROWS && sums_in(sums,halves*n,cols,VEC);
    requires (VEC != 0 ? width <= 8 : 16 <= width);
    requires writes(dgamma,cols) && apart(sums,ix(halves*n,cols,0),dgamma,cols);
    requires halves == 2 ==> writes(dbeta,cols) && apart(sums,ix(halves*n,cols,0),dbeta,cols) &&
      apart(dgamma,cols,dbeta,cols);
    assigns dgamma[0 .. cols-1], dbeta[0 .. cols-1]; */
TEMPLATE(int VEC)
KERNEL void REGISTERS_AT_MOST(SUMS_REGISTERS)
    norm_sums(CONSTANTS(int VEC) int teams, int width, idx strips, int halves, int affine,
              int accumulate, int n, idx cols, const float *sums, float *dgamma, float *dbeta)
{
  /*@ loop invariant 0 <= half <= halves;
      loop assigns half, dgamma[0 .. cols-1], dbeta[0 .. cols-1];
      loop variant halves - half; */
  BROWS(half, halves, strips) {
    /*@ loop invariant 0 <= b <= strips;
        loop assigns b, dgamma[0 .. cols-1], dbeta[0 .. cols-1];
        loop variant strips - b; */
    BCOLS(b, strips) {
      float *to = half ? dbeta : dgamma;
      //@ assert writes(to,cols);
      sums_strip(VEC, teams, width, strips, b, accumulate, half ? n : 0, half || affine ? n : 0,
                 halves * n, cols, sums, to);
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "launch.h"

extern "C" void LAUNCHER(norm_sums)(void *stream, int affine, int accumulate, int64_t n,
                                    int64_t cols, const float *sums, float *dgamma, float *dbeta)
{
  int width = sums_width(cols), teams = sums_teams(n, cols), halves = dbeta ? 2 : 1;
  idx strips = divide_up(sums_units(cols), width);
  if (sums_vec(cols))
    LAUNCH_AFTER(norm_sums<1>, strips * halves, width * teams, stream, teams, width, strips, halves,
                 affine, accumulate, (int)n, cols, sums, dgamma, dbeta);
  else
    LAUNCH_AFTER(norm_sums<0>, strips * halves, width * teams, stream, teams, width, strips, halves,
                 affine, accumulate, (int)n, cols, sums, dgamma, dbeta);
}
#endif
