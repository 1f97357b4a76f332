/* Two-pass column reduction, second pass, of dgamma and dbeta, (cols): the sums of rows of sums,
 * (halves n, cols), of which the first n are dgamma's and those behind them, where halves is 2,
 * dbeta's (column_join.h). */
#include "../collective/block_sum.h"
#include "../lang/async_copy.h"
#include "../math/index_product.h"
#include "../lang/dependent_launch.h"
#include "column_join.h"
#include "../../spec/walk.h"

/*@ predicate sums_fit(integer teams, integer width) =
      block && bdim_ <= SUMS_BLOCK && 0 < teams && (width == 16 || width == 32) &&
      ix(teams,width,0) == bdim_; */

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

/*@ requires 0 <= t < SUMS_BLOCK && \valid(s + (0 .. SUMS_BLOCK-1)) && W(s+t);
    assigns s[t];
    ensures s[t] == v; */
DEV void sums_lay(int t, float v, float *s PHASE_FN) { ST(&s[t], v); }

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

/* The block's column t of `to`. */
/*@ requires 0 <= t < 32 <= n <= SUMS_BLOCK && \valid(s + (0 .. SUMS_BLOCK-1));
    requires \forall integer k; t <= k < n && k % 32 == t ==> R(s+k);
    requires \valid(to) && R(to) && W(to);
    assigns *to; */
DEV void sums_put(int t, int n, int adds, float *s, float *RESTRICT to PHASE_FN)
{
  float sum = sums_warps(t, n, s IN_PHASE);
  STG(to, adds ? LDG(to) + sum : sum);
}

/* What a thread adds up: as one of `team`s, column c. */
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

/*@ // what a thread of strip b writes; threads of a launch share none
    predicate sums_W(integer b, integer t, integer width, integer k) = k == ix(b,width,t);
    lemma race_sums: \forall integer b, t, c, u, width, k; 0 <= t < width ==> 0 <= u < width ==>
      (b != c || t != u) ==> sums_W(b,t,width,k) ==> !sums_W(c,u,width,k); */

/* The columns of strip b of `to`, after the launch before this one. */
/*@ requires sums_fit(teams,width) && 0 <= b < strips && ix(strips,width,0) <= IDX_LIM;
    requires 0 <= n <= SUMS_ROWS && 0 <= first <= SUMS_ROWS && first + n <= rows && 0 < cols;
    requires reads(sums,ix(rows,cols,0)) && writes(to,cols);
    assigns to[0 .. cols-1]; */
DEV void sums_strip(int teams, int width, idx strips, idx b, int adds, int first, int n, idx rows,
                    idx cols, const float *sums, float *to)
{
  SHARED(float, s, SUMS_BLOCK);
  PRIVATE(float, v);
  PRIVATE(sums_at, w);
  /*@ loop invariant 0 <= t <= BDIM && sums_places(&w[0],t,teams,width,b);
      loop assigns t, w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(w, t) = sums_find(width, strips, b, t GHOST_ARGS(teams));
    //@ assert sums_place(w[t],t,teams,width,b) && sums_places(&w[0],t+1,teams,width,b);
  }
  await_launches();
  //@ assert teams <= BDIM;
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, v[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert sums_place(w[t],t,teams,width,b);
    AT(v, t) = 0.0f;
    if (AT(w, t).c < cols)
      AT(v, t) = sums_team(AT(w, t).team, teams, first, n, rows, cols, AT(w, t).c, sums);
  }
  if (width == 16)
    xor_add(v, 16);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, s[0 .. SUMS_BLOCK-1];
      loop variant BDIM - t; */
  PHASE(t) sums_lay(t, AT(v, t), s IN_PHASE);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, to[0 .. cols-1];
      loop variant BDIM - t; */
  PHASE(t) {
    //@ assert sums_place(w[t],t,teams,width,b);
    if (t < width && AT(w, t).c < cols)
      sums_put(t, BDIM, adds, s, to + AT(w, t).c IN_PHASE);
  }
}

/*@ requires sums_fit(teams,width) && 0 < strips && ix(halves,strips,0) <= BLOCKS;
    requires (halves == 1 || halves == 2) && ix(strips,width,0) <= IDX_LIM;
    requires 0 <= n <= SUMS_ROWS && 0 < cols && reads(sums,ix(halves*n,cols,0));
    requires writes(dgamma,cols) && apart(sums,ix(halves*n,cols,0),dgamma,cols);
    requires halves == 2 ==> writes(dbeta,cols) && apart(sums,ix(halves*n,cols,0),dbeta,cols) &&
      apart(dgamma,cols,dbeta,cols);
    assigns dgamma[0 .. cols-1], dbeta[0 .. cols-1]; */
KERNEL void REGISTERS_AT_MOST(SUMS_REGISTERS)
    column_join(int teams, int width, idx strips, int halves, int affine, int accumulate, int n,
                idx cols, const float *sums, float *dgamma, float *dbeta)
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
      sums_strip(teams, width, strips, b, accumulate, half ? n : 0, half || affine ? n : 0,
                 halves * n, cols, sums, to);
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "../launch.h"

extern "C" void LAUNCHER(column_join)(void *stream, int affine, int accumulate, int64_t n,
                                      int64_t cols, const float *sums, float *dgamma, float *dbeta)
{
  int width = sums_width(cols), teams = sums_teams(n, cols), halves = dbeta ? 2 : 1;
  idx strips = divide_up(cols, width);
  LAUNCH_AFTER(column_join, strips * halves, width * teams, stream, teams, width, strips, halves,
               affine, accumulate, (int)n, cols, sums, dgamma, dbeta);
}
#endif
