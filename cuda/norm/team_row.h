/* A row of layer_norm or rms_norm by a team (collective/team.h), some lanes or a block, in whose
 * registers the row waits (team.h): x and y are (rows, cols), gamma and beta (cols), mean and rstd
 * (rows). The variance is taken about the mean in a second pass over the registers. Lanes of a warp
 * read gamma and beta along with x; a block, which has no registers to spare, where it writes y. */
#ifndef PM_NORM_TEAM_ROW_H
#define PM_NORM_TEAM_ROW_H
#include "team.h"

/*@ // what lanes keep of gamma or beta, or what stands for it
    predicate given_vec{L}(float4 w, float *a, integer there, real other, integer q, integer n) =
      (4*q < n ==> w.x == Either(a,there,other,4*q)) &&
      (4*q+1 < n ==> w.y == Either(a,there,other,4*q+1)) &&
      (4*q+2 < n ==> w.z == Either(a,there,other,4*q+2)) &&
      (4*q+3 < n ==> w.w == Either(a,there,other,4*q+3));
    predicate given_vecs{L0,L}(float4 *w, float *a, integer there, real other, integer n,
                               integer from, integer to) =
      \forall integer q; from <= q < to ==> given_vec{L0}(\at(w[q],L), a, there, other, q, n);
    lemma given_vecs_grow{L0,L1,L2}: \forall float4 *w, float *a, integer there, real other,
      integer n, to; but_vec{L1,L2}(w,to) ==> given_vecs{L0,L1}(w,a,there,other,n,0,to) ==>
      given_vec{L0}(\at(w[to],L2),a,there,other,to,n) ==>
      given_vecs{L0,L2}(w,a,there,other,n,0,to+1);
    predicate given_in{L}(float *a, integer there, integer n, integer aligned) =
      there != 0 ==> row_in(a,n,aligned);
    predicate given_same{L1,L2}(float *a, integer there, integer n) =
      there != 0 ==> Same{L1,L2}(a,n); */

/* Vector j0 + t of gamma or beta. */
/*@ requires given_in(a,there,n,aligned) && team_at(j0,t,n);
    assigns \nothing;
    ensures given_vec(\result, a, there, other, j0 + t, n); */
DEV float4 norm_given(int j0, int t, int n, int aligned, int there, float other,
                      const float *RESTRICT a)
{
  float4 w = {other, other, other, other};
  if (there)
    w = team_load(j0, t, n, aligned, 0.0f, a);
  return w;
}

/*@ requires team_fits(K,team,n) && given_in(a,there,n,aligned);
    requires \valid(w + (0 .. KMAX*MAXB-1));
    requires \separated(w + (0 .. KMAX*MAXB-1), a + (0 .. n-1));
    assigns w[0 .. KMAX*MAXB-1];
    ensures given_vecs{Pre,Post}(w, a, there, other, n, 0, mul(K,team)); */
DEV void norm_given_all(PER_THREADK(float4, w), int K, int n, int aligned, int there, float other,
                        const float *RESTRICT a TEAM_FN)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant given_vecs{Pre,Here}(w, a, there, other, n, 0, j0);
      loop invariant Same{Pre,Here}(a,n);
      loop assigns j, j0, w[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    /*@ loop invariant 0 <= t <= team;
        loop invariant given_vecs{Pre,Here}(w, a, there, other, n, 0, j0 + t);
        loop invariant Same{Pre,Here}(a,n);
        loop assigns t, w[0 .. KMAX*MAXB-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      float4 u = norm_given(j0, t, n, aligned, there, other, a);
      //@ assert given_vec{Pre}(u, a, there, other, j0 + t, n) && j0 + t < KMAX*MAXB;
      TEAM_REG(w, j, j0, t) = u;
      //@ assert Same{LoopCurrent,Here}(a,n);
      //@ assert but_vec{LoopCurrent,Here}(w, j0 + t);
      //@ assert given_vec{Pre}(w[j0+t], a, there, other, j0 + t, n);
      //@ assert given_vecs{Pre,Here}(w, a, there, other, n, 0, j0 + t + 1);
    }
  }
}

/* What lanes of a warp keep of gamma or beta. */
/*@ requires team_fits(K,team,n) && given_in(a,there,n,aligned);
    requires \valid(w + (0 .. KMAX*MAXB-1));
    requires \separated(w + (0 .. KMAX*MAXB-1), a + (0 .. n-1));
    assigns w[0 .. KMAX*MAXB-1];
    ensures whole == 0 ==> given_vecs{Pre,Post}(w, a, there, other, n, 0, mul(K,team)); */
DEV void norm_keep(PER_THREADK(float4, w), int whole, int K, int n, int aligned, int there,
                   float other, const float *RESTRICT a TEAM_FN)
{
  if (!whole)
    norm_given_all(w, K, n, aligned, there, other, a IN_TEAM);
}

/* Vector q of gamma or beta. Where y is written this is shorter code than norm_given's, by a
 * tenth. */
/*@ requires given_in(a,there,n,aligned) && 0 <= q < KMAX*MAXB && 0 <= n <= 4*KMAX*MAXB;
    assigns \nothing;
    ensures given_vec(\result, a, there, other, q, n); */
DEV float4 norm_given_late(int q, int n, int aligned, int there, float other,
                           const float *RESTRICT a)
{
  float4 w = {other, other, other, other};
  int c = 4 * q;
  if (there) {
    if (aligned && c < n)
      w = load4_row(aligned, a + c);
    if (!aligned && c < n)
      w.x = LDG(a + c);
    if (!aligned && c + 1 < n)
      w.y = LDG(a + c + 1);
    if (!aligned && c + 2 < n)
      w.z = LDG(a + c + 2);
    if (!aligned && c + 3 < n)
      w.w = LDG(a + c + 3);
  }
  return w;
}

/* Vector j0 + t of gamma or beta, kept in w or read. */
/*@ requires j0 == mul(j,team) && team_at(j0,t,n) && \valid_read(w + (0 .. KMAX*MAXB-1));
    requires whole == 0 ==> given_vec(w[j0+t], a, there, other, j0 + t, n);
    requires whole != 0 ==> given_in(a,there,n,aligned);
    assigns \nothing;
    ensures given_vec(\result, a, there, other, j0 + t, n); */
DEV float4 norm_given_at(PER_THREADK(float4, w), int whole, int j, int j0, int t, int n,
                         int aligned, int there, float other, const float *RESTRICT a TEAM_FN)
{
  if (whole)
    return norm_given_late(j0 + t, n, aligned, there, other, a);
  return TEAM_REG(w, j, j0, t);
}

/*@ predicate one_at{L0,L}(float *y, integer centered, integer affine, float *x, float *gamma,
                           float *beta, real m, real r, integer n, integer c) =
      c < n ==> \at(y[c],L) == NormOne{L0}(centered,affine,x,gamma,beta,m,r,c);
    predicate one_vec{L0,L}(float *y, integer centered, integer affine, float *x, float *gamma,
                            float *beta, real m, real r, integer n, integer q) =
      one_at{L0,L}(y,centered,affine,x,gamma,beta,m,r,n,4*q) &&
      one_at{L0,L}(y,centered,affine,x,gamma,beta,m,r,n,4*q+1) &&
      one_at{L0,L}(y,centered,affine,x,gamma,beta,m,r,n,4*q+2) &&
      one_at{L0,L}(y,centered,affine,x,gamma,beta,m,r,n,4*q+3);
    predicate but_four{L1,L2}(float *y, integer q, integer n) =
      \forall integer c; 0 <= c < n ==> !(4*q <= c < 4*q+4) ==> \at(y[c],L1) == \at(y[c],L2); */

/* Vector q of a row of y. */
/*@ requires \valid_read(x + (0 .. n-1)) && norm_vec(v,x,m,q,n) && 0 <= q;
    requires given_vec(w,gamma,affine,1.0,q,n) && given_vec(b,beta,centered,0.0,q,n);
    assigns \nothing;
    ensures 4*q < n ==> \result.x == NormOne(centered,affine,x,gamma,beta,m,r,4*q);
    ensures 4*q+1 < n ==> \result.y == NormOne(centered,affine,x,gamma,beta,m,r,4*q+1);
    ensures 4*q+2 < n ==> \result.z == NormOne(centered,affine,x,gamma,beta,m,r,4*q+2);
    ensures 4*q+3 < n ==> \result.w == NormOne(centered,affine,x,gamma,beta,m,r,4*q+3); */
DEV float4 norm_vector(int centered, float4 v, float r, float4 w,
                       float4 b GHOST_PARAMS(int q, int n, int affine, float m, const float *x,
                                             const float *gamma, const float *beta))
{
  float4 u = norm_scale(centered, v, r, w, b);
  //@ assert hat: 4*q < n ==> v.x == x[4*q] - m && w.x == Either(gamma,affine,1.0,4*q);
  //@ assert shift: 4*q < n ==> (centered == 0 ? 0.0 : b.x) == Either(beta,centered,0.0,4*q);
  //@ assert first: 4*q < n ==> u.x == NormOne(centered,affine,x,gamma,beta,m,r,4*q);
  return u;
}

/* That vector goes to y. */
/*@ requires 0 <= q < KMAX*MAXB && 0 <= n <= 4*KMAX*MAXB && \valid(y + (0 .. n-1)) && perm_w(y,n);
    requires aligned != 0 ==> aligned16(y) && n % 4 == 0;
    requires \valid_read(x + (0 .. n-1)) && norm_vec(v,x,m,q,n);
    requires given_vec(w,gamma,affine,1.0,q,n) && given_vec(b,beta,centered,0.0,q,n);
    assigns y[4*q .. lesser(4*q+4,n)-1];
    ensures but_four{Pre,Post}(y, q, n);
    ensures one_vec{Pre,Post}(y, centered, affine, x, gamma, beta, m, r, n, q); */
DEV void norm_store_vec(int q, int n, int aligned, int centered, float4 v, float r, float4 w,
                        float4 b,
                        float *RESTRICT y GHOST_PARAMS(int affine, float m, const float *x,
                                                       const float *gamma, const float *beta))
{
  norm_store(q, n, aligned,
             norm_vector(centered, v, r, w, b GHOST_ARGS(q, n, affine, m, x, gamma, beta)), y);
}

/*@ lemma given_vecs_frame{L1,L2,L}: \forall float4 *w, float *a, integer there, real other,
      integer n, from, to; 0 <= from ==> (there != 0 ==> Same{L1,L2}(a,n)) ==>
      given_vecs{L1,L}(w,a,there,other,n,from,to) ==> given_vecs{L2,L}(w,a,there,other,n,from,to);
    lemma given_vec_frame{L1,L2}: \forall float4 w, float *a, integer there, real other, integer q,
      n;
      0 <= q ==> (there != 0 ==> Same{L1,L2}(a,n)) ==> given_vec{L1}(w,a,there,other,q,n) ==>
      given_vec{L2}(w,a,there,other,q,n);
    // what a lane keeps stays as it is
    predicate held_same{L1,L2}(float4 *w) =
      \forall integer q; 0 <= q < KMAX*MAXB ==> \at(w[q],L1) == \at(w[q],L2);
    lemma given_vecs_held{L0,L1,L2}: \forall float4 *w, float *a, integer there, real other,
      integer n, to; to <= KMAX*MAXB ==> held_same{L1,L2}(w) ==>
      given_vecs{L0,L1}(w,a,there,other,n,0,to) ==> given_vecs{L0,L2}(w,a,there,other,n,0,to);
    lemma norm_done_grow{L0,L1,L2}: \forall float *y, integer centered, affine, float *x, *gamma,
      *beta, real m, r, integer n, q; 0 <= q ==> but_four{L1,L2}(y,q,n) ==>
      norm_done{L0,L1}(y,centered,affine,x,gamma,beta,m,r,0,lesser(4*q,n)) ==>
      one_vec{L0,L2}(y,centered,affine,x,gamma,beta,m,r,n,q) ==>
      norm_done{L0,L2}(y,centered,affine,x,gamma,beta,m,r,0,lesser(4*(q+1),n));
    lemma either_frame{L1,L2}: \forall float *a, integer there, real other, integer n, c;
      0 <= c < n ==> given_same{L2,L1}(a,there,n) ==>
      Either{L1}(a,there,other,c) == Either{L2}(a,there,other,c);
    lemma norm_one_frame{L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta,
      real m, r, integer n, c; 0 <= c < n ==> Same{L2,L1}(x,n) ==>
      given_same{L2,L1}(gamma,affine,n) ==> given_same{L2,L1}(beta,centered,n) ==>
      NormOne{L1}(centered,affine,x,gamma,beta,m,r,c) ==
      NormOne{L2}(centered,affine,x,gamma,beta,m,r,c);
    lemma one_at_frame{L1,L2,L}: \forall float *y, integer centered, affine, float *x, *gamma,
      *beta,
      real m, r, integer n, c; 0 <= c ==> Same{L2,L1}(x,n) ==>
      given_same{L2,L1}(gamma,affine,n) ==> given_same{L2,L1}(beta,centered,n) ==>
      one_at{L1,L}(y,centered,affine,x,gamma,beta,m,r,n,c) ==>
      one_at{L2,L}(y,centered,affine,x,gamma,beta,m,r,n,c);
    lemma one_vec_frame{L1,L2,L}: \forall float *y, integer centered, affine, float *x, *gamma,
      *beta, real m, r, integer n, q; 0 <= q ==> Same{L2,L1}(x,n) ==>
      given_same{L2,L1}(gamma,affine,n) ==> given_same{L2,L1}(beta,centered,n) ==>
      one_vec{L1,L}(y,centered,affine,x,gamma,beta,m,r,n,q) ==>
      one_vec{L2,L}(y,centered,affine,x,gamma,beta,m,r,n,q); */

/*@ requires team_fits(K,team,n) && \valid(y + (0 .. n-1)) && perm_w(y,n);
    requires aligned != 0 ==> aligned16(y) && n % 4 == 0;
    requires affine != 0 ==> apart(gamma,n,y,n);
    requires centered != 0 ==> apart(beta,n,y,n);
    requires \valid_read(x + (0 .. n-1)) && apart(x,n,y,n);
    requires \valid_read(v + (0 .. KMAX*MAXB-1));
    requires \valid_read(w + (0 .. KMAX*MAXB-1)) && \valid_read(b + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), y + (0 .. n-1));
    requires \separated(w + (0 .. KMAX*MAXB-1), y + (0 .. n-1));
    requires \separated(b + (0 .. KMAX*MAXB-1), y + (0 .. n-1));
    requires norm_vecs{Pre,Pre}(v, x, m, n, 0, mul(K,team));
    requires whole == 0 ==> given_vecs{Pre,Pre}(w, gamma, affine, 1.0, n, 0, mul(K,team));
    requires whole == 0 ==> given_vecs{Pre,Pre}(b, beta, centered, 0.0, n, 0, mul(K,team));
    requires whole != 0 ==> given_in(gamma,affine,n,aligned) && given_in(beta,centered,n,aligned);
    assigns y[0 .. n-1];
    ensures norm_done{Pre,Post}(y, centered, affine, x, gamma, beta, m, r, 0, n); */
DEV void norm_store_all(PER_THREADK(float4, v), PER_THREADK(float4, w), PER_THREADK(float4, b),
                        int whole, int K, int n, int aligned, int centered, int affine, float r,
                        const float *RESTRICT gamma, const float *RESTRICT beta,
                        float *RESTRICT y TEAM_FN GHOST_PARAMS(float m, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant norm_done{Pre,Here}(y, centered, affine, x, gamma, beta, m, r, 0,
                                         lesser(4*j0,n));
      loop assigns j, j0, y[0 .. n-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team);
    /*@ loop invariant 0 <= t <= team;
        loop invariant norm_done{Pre,Here}(y, centered, affine, x, gamma, beta, m, r, 0,
                                           lesser(4*(j0+t),n));
        loop assigns t, y[0 .. n-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert xs: Same{Pre,Here}(x,n);
      //@ assert gammas: given_same{Pre,Here}(gamma,affine,n);
      //@ assert betas: given_same{Pre,Here}(beta,centered,n);
      //@ assert held: held_same{Pre,Here}(w) && held_same{Pre,Here}(b);
      /*@ assert scales: whole == 0 ==> given_vecs{Pre,Here}(w, gamma, affine, 1.0, n, 0,
            mul(K,team)); */
      /*@ assert shifts: whole == 0 ==> given_vecs{Pre,Here}(b, beta, centered, 0.0, n, 0,
            mul(K,team)); */
      //@ assert v: norm_vec{Pre}(v[j0+t], x, m, j0 + t, n);
      //@ assert w: whole == 0 ==> given_vec{Pre}(w[j0+t], gamma, affine, 1.0, j0 + t, n);
      //@ assert b: whole == 0 ==> given_vec{Pre}(b[j0+t], beta, centered, 0.0, j0 + t, n);
      //@ assert w_here: whole == 0 ==> given_vec(w[j0+t], gamma, affine, 1.0, j0 + t, n);
      //@ assert b_here: whole == 0 ==> given_vec(b[j0+t], beta, centered, 0.0, j0 + t, n);
      float4 p = norm_given_at(w, whole, j, j0, t, n, aligned, affine, 1.0f, gamma IN_TEAM);
      float4 q = norm_given_at(b, whole, j, j0, t, n, aligned, centered, 0.0f, beta IN_TEAM);
      norm_store_vec(j0 + t, n, aligned, centered, TEAM_REG(v, j, j0, t), r, p, q,
                     y GHOST_ARGS(affine, m, x, gamma, beta));
      /*@ assert one: one_vec{LoopCurrent,Here}(y, centered, affine, x, gamma, beta, m, r, n,
                                                j0 + t); */
      //@ assert pre: one_vec{Pre,Here}(y, centered, affine, x, gamma, beta, m, r, n, j0 + t);
      /*@ assert next: norm_done{Pre,Here}(y, centered, affine, x, gamma, beta, m, r, 0,
                                           lesser(4*(j0+t+1),n)); */
    }
  }
}

/*@ // n elements of a row of cols: all, or none where there is no row
    predicate row_or_none(integer n, integer cols) = 0 < cols && (n == 0 || n == cols);
    // the tensors of a row
    predicate row_tensors{L}(integer centered, integer affine, integer aligned, integer n, float *x,
                              float *gamma, float *beta, float *y) =
      row_in(x,n,aligned) && \valid(y + (0 .. n-1)) && perm_w(y,n) &&
      (aligned != 0 ==> aligned16(y)) && apart(x,n,y,n) &&
      (affine != 0 ==> row_in(gamma,n,aligned) && apart(gamma,n,y,n)) &&
      (centered != 0 ==> row_in(beta,n,aligned) && apart(beta,n,y,n)); */

/*@ lemma norm_done_frame{L1,L2,L}: \forall float *y, integer centered, affine, float *x, *gamma,
      *beta, real m, r, integer n; Same{L2,L1}(x,n) ==> given_same{L2,L1}(gamma,affine,n) ==>
      given_same{L2,L1}(beta,centered,n) ==>
      norm_done{L1,L}(y,centered,affine,x,gamma,beta,m,r,0,n) ==>
      norm_done{L2,L}(y,centered,affine,x,gamma,beta,m,r,0,n); */
/* One row, of n elements. */
/*@ requires a_team(whole,team) && team_fits(K,team,n) && row_or_none(n,cols);
    requires row_tensors(centered,affine,aligned,n,x,gamma,beta,y);
    assigns y[0 .. n-1];
    ensures n == cols ==> \result.mean == Center{Pre}(x,centered,n);
    ensures n == cols ==> \result.rstd == Rstd{Pre}(x,centered,n,eps);
    ensures norm_done{Pre,Post}(y, centered, affine, x, gamma, beta, \result.mean, \result.rstd, 0,
                                n); */
DEV norm_stats norm_row(int centered, int affine, int K, int aligned, int whole, int n, int cols,
                        float eps, const float *RESTRICT x, const float *RESTRICT gamma,
                        const float *RESTRICT beta, float *RESTRICT y TEAM_FN)
{
  PRIVATEK(float4, v);
  PRIVATEK(float4, w);
  PRIVATEK(float4, b);
  norm_stats s;
  norm_load_all(v, K, n, aligned, x IN_TEAM);
  //@ ghost LV: ;
  norm_keep(w, whole, K, n, aligned, affine, 1.0f, gamma IN_TEAM);
  //@ ghost LW: ;
  norm_keep(b, whole, K, n, aligned, centered, 0.0f, beta IN_TEAM);
  //@ ghost LB: ;
  //@ assert mul(K,team) <= mul(KMAX,team) && mul(KMAX,team) == KMAX*team;
  //@ assert most: mul(K,team) <= KMAX*MAXB;
  //@ assert row: Same{Pre,Here}(x,n);
  //@ assert in_v: norm_vecs{Here,Here}(&v[0], x, 0.0, n, 0, mul(K,team));
  s = norm_about(v, K, centered, whole, n, cols, eps IN_TEAM GHOST_ARGS(x));
  //@ ghost L0: ;
  //@ assert x: Same{LB,Here}(x,n);
  //@ assert gamma: Same{LB,Here}(gamma,n);
  //@ assert beta: Same{LB,Here}(beta,n);
  //@ assert gamma_w: Same{LV,LW}(gamma,n);
  //@ assert gamma_b: Same{LW,LB}(gamma,n);
  //@ assert beta_b: Same{LW,LB}(beta,n);
  //@ assert w_b: held_same{LW,LB}(&w[0]);
  //@ assert w: held_same{LB,Here}(&w[0]);
  //@ assert b: held_same{LB,Here}(&b[0]);
  //@ assert about: norm_vecs{Here,Here}(&v[0], x, s.mean, n, 0, mul(K,team));
  //@ assert scaled: whole == 0 ==> given_vecs{LV,LB}(&w[0], gamma, affine, 1.0, n, 0, mul(K,team));
  /*@ assert scale: whole == 0 ==> given_vecs{LV,Here}(&w[0], gamma, affine, 1.0, n, 0,
        mul(K,team)); */
  /*@ assert scales: whole == 0 ==> given_vecs{LB,Here}(&w[0], gamma, affine, 1.0, n, 0,
        mul(K,team)); */
  /*@ assert in_w: whole == 0 ==> given_vecs{Here,Here}(&w[0], gamma, affine, 1.0, n, 0,
        mul(K,team)); */
  /*@ assert shift: whole == 0 ==> given_vecs{LW,Here}(&b[0], beta, centered, 0.0, n, 0,
        mul(K,team)); */
  /*@ assert shifts: whole == 0 ==> given_vecs{LB,Here}(&b[0], beta, centered, 0.0, n, 0,
        mul(K,team)); */
  /*@ assert in_b: whole == 0 ==> given_vecs{Here,Here}(&b[0], beta, centered, 0.0, n, 0,
        mul(K,team)); */
  //@ assert xs: Same{Pre,Here}(x,n);
  //@ assert gamma_v: Same{Pre,LV}(gamma,n);
  //@ assert beta_v: Same{Pre,LV}(beta,n);
  //@ assert beta_w: Same{LV,LW}(beta,n);
  //@ assert gamma_l: Same{Pre,LW}(gamma,n);
  //@ assert gamma_k: Same{Pre,LB}(gamma,n);
  //@ assert beta_k: Same{Pre,LB}(beta,n);
  //@ assert gammas: given_same{Pre,Here}(gamma,affine,n);
  //@ assert betas: given_same{Pre,Here}(beta,centered,n);
  norm_store_all(v, w, b, whole, K, n, aligned, centered, affine, s.rstd, gamma, beta,
                 y IN_TEAM GHOST_ARGS(s.mean, x));
  /*@ assert stored: norm_done{L0,Here}(y, centered, affine, x, gamma, beta, s.mean, s.rstd, 0,
                                         n); */
  //@ assert done: norm_done{Pre,Here}(y, centered, affine, x, gamma, beta, s.mean, s.rstd, 0, n);
  return s;
}

/* *to = v, by one lane, where there is a row. */
/*@ requires 0 < team && (n != 0 ==> \valid(to) && W(to));
    assigns to[0 .. if_there(n,1)-1];
    ensures n != 0 ==> *to == v; */
DEV void norm_put_one(float v, int n, float *to TEAM_FN)
{
  /*@ loop invariant 0 <= t <= team && (0 < t ==> n != 0 ==> *to == v);
      loop assigns t, to[0 .. if_there(n,1)-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t)
  {
    if (t == 0 && n)
      STG(to, v);
  }
}

/* Of row r, where there is one. */
/*@ requires 0 < team && 0 <= r && writes(rstd,rows) && 0 < cols;
    requires (r < rows ==> n == cols) && (rows <= r ==> n == 0);
    requires writes(mean,if_there(centered,rows)) && apart(rstd,rows,mean,if_there(centered,rows));
    assigns rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1];
    ensures r < rows ==> rstd[r] == s.rstd;
    ensures r < rows ==> centered != 0 ==> mean[r] == s.mean;
    ensures Same{Pre,Post}(rstd,lesser(r,rows));
    ensures centered != 0 ==> Same{Pre,Post}(mean,lesser(r,rows)); */
DEV void norm_put_stats(int centered, idx r, int n, norm_stats s, float *RESTRICT mean,
                        float *RESTRICT rstd TEAM_FN GHOST_PARAMS(idx rows, int cols))
{
  //@ assert row: n == 0 || r < rows;
  //@ assert w: n != 0 ==> W(rstd+r) && (centered != 0 ==> W(mean+r));
  norm_put_one(s.rstd, n, rstd + r IN_TEAM);
  //@ assert mine: r < rows ==> rstd[r] == s.rstd;
  //@ assert rstds: Same{Pre,Here}(rstd,lesser(r,rows));
  //@ assert means: centered != 0 ==> Same{Pre,Here}(mean,rows);
  if (centered)
    norm_put_one(s.mean, n, mean + r IN_TEAM);
}

/*@ predicate normed_at{L0,L}(integer centered, integer affine, float *x, float *gamma, float *beta,
                              float *y, integer cols, real eps, integer r) =
      \forall integer c; 0 <= c < cols ==> \at(y[ix(r,cols,c)],L) ==
        Normed{L0}(centered,affine,x+ix(r,cols,0),gamma,beta,cols,eps,c);
    predicate normed_one{L0,L}(integer centered, integer affine, float *x, float *gamma,
      float *beta,
                               float *y, integer cols, real eps) =
      \forall integer c; 0 <= c < cols ==>
        \at(y[c],L) == Normed{L0}(centered,affine,x,gamma,beta,cols,eps,c);
    lemma normed_is{L0,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y, real m, r,
      integer cols, real eps; m == Center{L0}(x,centered,cols) ==>
      r == Rstd{L0}(x,centered,cols,eps) ==>
      norm_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,0,cols) ==>
      normed_one{L0,L}(centered,affine,x,gamma,beta,y,cols,eps);
    predicate stats_at{L0,L}(integer centered, float *x, float *mean, float *rstd, integer cols,
                             real eps, integer r) =
      \at(rstd[r],L) == Rstd{L0}(x+ix(r,cols,0),centered,cols,eps) &&
      (centered != 0 ==> \at(mean[r],L) == Mean{L0}(x+ix(r,cols,0),cols));
    // of what the row depends on
    predicate norm_same{L1,L2}(integer centered, integer affine, float *x, float *gamma,
                               float *beta, integer cols, integer r) =
      Same{L1,L2}(x+ix(r,cols,0),cols) && given_same{L1,L2}(gamma,affine,cols) &&
      given_same{L1,L2}(beta,centered,cols);
    lemma normed_at_frame{L1,L2,L}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      integer cols, real eps, integer r; norm_same{L1,L2}(centered,affine,x,gamma,beta,cols,r) ==>
      normed_at{L1,L}(centered,affine,x,gamma,beta,y,cols,eps,r) ==>
      normed_at{L2,L}(centered,affine,x,gamma,beta,y,cols,eps,r);
    lemma stats_at_frame{L1,L2,L}: \forall integer centered, affine, float *x, *gamma, *beta, *mean,
      *rstd, integer cols, real eps, integer r;
      norm_same{L1,L2}(centered,affine,x,gamma,beta,cols,r) ==>
      stats_at{L1,L}(centered,x,mean,rstd,cols,eps,r) ==>
      stats_at{L2,L}(centered,x,mean,rstd,cols,eps,r);
    lemma normed_rows_kept{L0,L1,L2}: \forall integer centered, affine, float *x, *gamma, *beta, *y,
      integer cols, real eps, integer n; same_rows{L1,L2}(y,cols,n) ==>
      normed_rows{L0,L1}(centered,affine,x,gamma,beta,y,cols,eps,n) ==>
      normed_rows{L0,L2}(centered,affine,x,gamma,beta,y,cols,eps,n);
    // all tensors of a launch
    predicate norm_all{L}(integer centered, integer affine, integer aligned, integer rows,
                          integer cols, float *x, float *gamma, float *beta, float *y, float *mean,
                          float *rstd) =
      norm_tensors(centered,affine,aligned,rows,cols,x,gamma,beta,y) &&
      norm_apart(centered,affine,rows,cols,x,gamma,beta,y) &&
      writes(mean,if_there(centered,rows)) && writes(rstd,rows) &&
      stats_apart(centered,affine,rows,cols,x,gamma,beta,rstd,rows) &&
      stats_apart(centered,affine,rows,cols,x,gamma,beta,mean,if_there(centered,rows)) &&
      apart(y,ix(rows,cols,0),rstd,rows) &&
      apart(y,ix(rows,cols,0),mean,if_there(centered,rows)) &&
      apart(rstd,rows,mean,if_there(centered,rows)); */

/* Row r of y, where there is one. */
/*@ requires a_team(whole,team) && team_fits(K,team,cols) && 0 < cols && 0 <= r && 0 <= rows;
    requires norm_tensors(centered,affine,aligned,rows,cols,x,gamma,beta,y);
    requires norm_apart(centered,affine,rows,cols,x,gamma,beta,y);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures r < rows ==> normed_at{Pre,Post}(centered,affine,x,gamma,beta,y,cols,eps,r);
    ensures r < rows ==> \result.mean == Center{Pre}(x+ix(r,cols,0),centered,cols);
    ensures r < rows ==> \result.rstd == Rstd{Pre}(x+ix(r,cols,0),centered,cols,eps);
    ensures same_rows{Pre,Post}(y,cols,lesser(r,rows)); */
DEV norm_stats norm_find(int centered, int affine, int K, int aligned, int whole, idx r, idx rows,
                         int cols, float eps, const float *RESTRICT x, const float *RESTRICT gamma,
                         const float *RESTRICT beta, float *RESTRICT y TEAM_FN)
{
  norm_stats s;
  int n = 0;
  idx o = 0;
  if (r < rows) {
    n = cols;
    o = at2(rows, cols, r, 0);
    //@ assert last: ix(r+1,cols,0) == ix(r,cols,0) + cols && ix(r+1,cols,0) <= ix(rows,cols,0);
    //@ assert quads: aligned != 0 ==> cols == 4*(cols/4);
    //@ assert quad: aligned != 0 ==> ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  }
  //@ assert inside: 0 <= o && o + n <= ix(rows,cols,0);
  //@ assert mine: r < rows ==> o == ix(r,cols,0) && n == cols;
  //@ assert fours: aligned != 0 ==> o % 4 == 0 && n % 4 == 0;
  //@ assert aligned: aligned != 0 ==> aligned16(x+o) && aligned16(y+o);
  //@ assert perm_all: perm_r(x,ix(rows,cols,0)) && perm_w(y,ix(rows,cols,0));
  //@ assert perm_row: perm_r(x+o,n) && perm_w(y+o,n);
  //@ assert valid: \valid_read(x+o + (0 .. n-1)) && \valid(y+o + (0 .. n-1));
  //@ assert in: row_in(x+o,n,aligned);
  //@ assert gamma_in: affine != 0 ==> row_in(gamma,cols,aligned) && apart(gamma,n,y+o,n);
  //@ assert beta_in: centered != 0 ==> row_in(beta,cols,aligned) && apart(beta,n,y+o,n);
  //@ assert all: row_tensors(centered,affine,aligned,n,x+o,gamma,beta,y+o);
  s = norm_row(centered, affine, K, aligned, whole, n, cols, eps, x + o, gamma, beta,
               y + o IN_TEAM);
  /*@ assert here: norm_done{Pre,Here}(y+o, centered, affine, x+o, gamma, beta, s.mean, s.rstd, 0,
                                       n); */
  //@ assert mean: r < rows ==> s.mean == Center{Pre}(x+o,centered,cols);
  //@ assert rstd: r < rows ==> s.rstd == Rstd{Pre}(x+o,centered,cols,eps);
  //@ assert value: r < rows ==> normed_one{Pre,Here}(centered,affine,x+o,gamma,beta,y+o,cols,eps);
  //@ assert cell: r < rows ==> \forall integer c; 0 <= c < cols ==> ix(r,cols,c) == o+c;
  //@ assert new: r < rows ==> normed_at{Pre,Here}(centered,affine,x,gamma,beta,y,cols,eps,r);
  //@ assert before: r < rows ==> Same{Pre,Here}(y,o);
  //@ assert none: rows <= r ==> Same{Pre,Here}(y,ix(rows,cols,0));
  return s;
}

/* Row r, where there is one. */
/*@ requires a_team(whole,team) && team_fits(K,team,cols) && 0 < cols && 0 <= r && 0 <= rows;
    requires norm_all(centered,affine,aligned,rows,cols,x,gamma,beta,y,mean,rstd);
    assigns y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1];
    ensures r < rows ==> normed_at{Pre,Post}(centered,affine,x,gamma,beta,y,cols,eps,r);
    ensures r < rows ==> stats_at{Pre,Post}(centered,x,mean,rstd,cols,eps,r);
    ensures same_rows{Pre,Post}(y,cols,lesser(r,rows));
    ensures Same{Pre,Post}(rstd,lesser(r,rows));
    ensures centered != 0 ==> Same{Pre,Post}(mean,lesser(r,rows)); */
DEV void norm_nth(int centered, int affine, int K, int aligned, int whole, idx r, idx rows,
                  int cols, float eps, const float *RESTRICT x, const float *RESTRICT gamma,
                  const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
                  float *RESTRICT rstd TEAM_FN)
{
  norm_stats s =
      norm_find(centered, affine, K, aligned, whole, r, rows, cols, eps, x, gamma, beta, y IN_TEAM);
  //@ assert rstd_same: Same{Pre,Here}(rstd,rows);
  //@ assert mean_same: centered != 0 ==> Same{Pre,Here}(mean,rows);
  //@ assert new: r < rows ==> normed_at{Pre,Here}(centered,affine,x,gamma,beta,y,cols,eps,r);
  //@ assert old: same_rows{Pre,Here}(y,cols,lesser(r,rows));
  //@ assert inside: r < rows ==> ix(r+1,cols,0) <= ix(rows,cols,0);
  /*@ assert apart_r: \separated(y + (0 .. ix(rows,cols,0)-1), rstd + (0 .. rows-1)); */
  /*@ assert apart_m: \separated(y + (0 .. ix(rows,cols,0)-1),
                                 mean + (0 .. if_there(centered,rows)-1)); */
  //@ ghost L1: ;
  norm_put_stats(centered, r, r < rows ? cols : 0, s, mean, rstd IN_TEAM GHOST_ARGS(rows, cols));
  //@ assert flat: Same{L1,Here}(y,ix(rows,cols,0));
  //@ assert kept: same_rows{L1,Here}(y,cols,lesser(r+1,rows));
  //@ assert stats: r < rows ==> stats_at{Pre,Here}(centered,x,mean,rstd,cols,eps,r);
}
#endif
