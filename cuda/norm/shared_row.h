/* A row of layer_norm or rms_norm in the slots of a block (row/buffered.h): its statistics, then what
 * becomes of its slots, while the next row arrives in them. */
#ifndef PM_NORM_SHARED_ROW_H
#define PM_NORM_SHARED_ROW_H
#include "shared_sums.h"

/*@ // a vector of which all rows take their elements
    predicate norm_every{L}(float *p, integer n, integer aligned) =
      0 <= n <= BUFFER_COLS && \valid_read(p + (0 .. n-1)) && perm_r(p,n) &&
      (aligned != 0 ==> aligned16(p));
    // gamma and beta where there are such
    predicate norm_vectors_in{L}(integer centered, integer affine, float *gamma, float *beta,
                                 integer n, integer aligned) =
      (affine != 0 ==> norm_every(gamma,n,aligned)) &&
      (centered != 0 ==> norm_every(beta,n,aligned));
    // elements k .. k+3 of such a vector, or what stands for it; of a row that is normalized
    predicate slot_given{L}(float4 w, float *a, integer there, real other, integer k, integer n) =
      (0 <= k < n ==> w.x == Either(a,there,other,k)) &&
      (0 <= k+1 < n ==> w.y == Either(a,there,other,k+1)) &&
      (0 <= k+2 < n ==> w.z == Either(a,there,other,k+2)) &&
      (0 <= k+3 < n ==> w.w == Either(a,there,other,k+3));
    predicate slot_normed{L}(float4 u, integer centered, integer affine, float *x, float *gamma,
                             float *beta, real m, real r, integer k, integer n) =
      (0 <= k < n ==> u.x == NormOne(centered,affine,x,gamma,beta,m,r,k)) &&
      (0 <= k+1 < n ==> u.y == NormOne(centered,affine,x,gamma,beta,m,r,k+1)) &&
      (0 <= k+2 < n ==> u.z == NormOne(centered,affine,x,gamma,beta,m,r,k+2)) &&
      (0 <= k+3 < n ==> u.w == NormOne(centered,affine,x,gamma,beta,m,r,k+3));
    // and as they are in y
    predicate one_done{L0,L}(float *y, integer centered, integer affine, float *x, float *gamma,
                             float *beta, real m, real r, integer k, integer n) =
      0 <= k < n ==> \at(y[k],L) == NormOne{L0}(centered,affine,x,gamma,beta,m,r,k);
    predicate slot_done{L0,L}(float *y, integer centered, integer affine, float *x, float *gamma,
                              float *beta, real m, real r, integer k, integer n) =
      one_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,k,n) &&
      one_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,k+1,n) &&
      one_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,k+2,n) &&
      one_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,k+3,n);
    // of what a row depends on
    predicate norm_same{L1,L2}(integer centered, integer affine, float *x, float *gamma,
                               float *beta, integer n) =
      Same{L1,L2}(x,n) && (affine != 0 ==> Same{L1,L2}(gamma,n)) &&
      (centered != 0 ==> Same{L1,L2}(beta,n));
    lemma one_done_frame{L1,L2,L}: \forall float *y, integer centered, affine, float *x, *gamma,
      *beta, real m, r, integer k, n; norm_same{L1,L2}(centered,affine,x,gamma,beta,n) ==>
      one_done{L1,L}(y,centered,affine,x,gamma,beta,m,r,k,n) ==>
      one_done{L2,L}(y,centered,affine,x,gamma,beta,m,r,k,n);
    lemma slot_done_frame{L1,L2,L}: \forall float *y, integer centered, affine, float *x, *gamma,
      *beta, real m, r, integer k, n; norm_same{L1,L2}(centered,affine,x,gamma,beta,n) ==>
      slot_done{L1,L}(y,centered,affine,x,gamma,beta,m,r,k,n) ==>
      slot_done{L2,L}(y,centered,affine,x,gamma,beta,m,r,k,n);
    lemma norm_done_frame{L1,L2,L}: \forall float *y, integer centered, affine, float *x, *gamma,
      *beta, real m, r, integer from, to, n; 0 <= from ==> to <= n ==>
      norm_same{L1,L2}(centered,affine,x,gamma,beta,n) ==>
      norm_done{L1,L}(y,centered,affine,x,gamma,beta,m,r,from,to) ==>
      norm_done{L2,L}(y,centered,affine,x,gamma,beta,m,r,from,to);
    // a row, whose mean and rstd are its own
    predicate row_normed{L0,L}(float *y, integer centered, integer affine, float *x, float *gamma,
                               float *beta, integer n, real eps) =
      \forall integer c; 0 <= c < n ==>
        \at(y[c],L) == Normed{L0}(centered,affine,x,gamma,beta,n,eps,c);
    lemma norm_done_normed{L0,L}: \forall float *y, integer centered, affine, float *x, *gamma, *beta,
      integer n, real eps; norm_done{L0,L}(y,centered,affine,x,gamma,beta,Center{L0}(x,centered,n),
        Rstd{L0}(x,centered,n,eps),0,n) ==>
      row_normed{L0,L}(y,centered,affine,x,gamma,beta,n,eps);
    lemma norm_done_one{L0,L}: \forall float *y, integer centered, affine, float *x, *gamma, *beta,
      real m, r, integer from, k, n; 0 <= from ==>
      norm_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,from,lesser(k,n)) ==>
      one_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,k,n) ==>
      norm_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,from,lesser(k+1,n));
    lemma norm_done_grow{L0,L}: \forall float *y, integer centered, affine, float *x, *gamma, *beta,
      real m, r, integer from, k, n; 0 <= from ==>
      norm_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,from,lesser(k,n)) ==>
      slot_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,k,n) ==>
      norm_done{L0,L}(y,centered,affine,x,gamma,beta,m,r,from,lesser(k+4,n)); */

/* Elements c .. c+3 of a vector; 0 for those that it has not. */
/*@ requires norm_every(p,n,0) && -32 < c <= 8*BUFFER_VEC4S;
    assigns \nothing;
    ensures slot_vec(\result,p,c,n,0.0); */
DEV float4 norm_each(int c, int n, const float *RESTRICT p)
{
  float4 v;
  v.x = slot_load1(c, n, 0.0f, p);
  v.y = slot_load1(c + 1, n, 0.0f, p);
  v.z = slot_load1(c + 2, n, 0.0f, p);
  v.w = slot_load1(c + 3, n, 0.0f, p);
  return v;
}

/* Likewise of one that is aligned: c need not be a multiple of 4. */
/*@ requires norm_every(p,n,aligned) && norm_place(c);
    assigns \nothing;
    ensures slot_vec(\result,p,c,n,0.0); */
DEV float4 norm_across(int c, int n, int aligned, const float *RESTRICT p)
{
  if (!aligned || c < 0)
    return norm_each(c, n, p);
  int lo = c / 4 * 4, past = c - lo;
  if (lo + 8 > n)
    return norm_each(c, n, p);
  //@ assert lo % 4 == 0 && 0 <= past < 4;
  //@ assert aligned16(p + lo) && aligned16(p + (lo + 4));
  float4 a = LD4(p + lo), v = a;
  if (past == 0)
    return v;
  float4 b = LD4(p + (lo + 4));
  v.x = past == 1 ? a.y : past == 2 ? a.z : a.w;
  v.y = past == 1 ? a.z : past == 2 ? a.w : b.x;
  v.z = past == 1 ? a.w : past == 2 ? b.x : b.y;
  v.w = past == 1 ? b.x : past == 2 ? b.y : b.z;
  //@ assert x: v.x == SlotCell(p,c,n,0.0);
  //@ assert y: v.y == SlotCell(p,c+1,n,0.0);
  //@ assert z: v.z == SlotCell(p,c+2,n,0.0);
  //@ assert w: v.w == SlotCell(p,c+3,n,0.0);
  return v;
}

/* What becomes of a slot. */
/*@ requires norm_place(c) && norm_vectors_in(centered,affine,gamma,beta,n,aligned);
    requires slot_vec(q,x,c,n,0.0) && 0 <= n <= BUFFER_COLS && \valid_read(x + (0 .. n-1));
    requires centered == 0 ==> is_zero(m);
    assigns \nothing;
    ensures slot_normed(\result,centered,affine,x,gamma,beta,m,r,c,n); */
DEV float4 norm_slot(int centered, int affine, float4 q, float m, float r, int c, int n,
                     int aligned, const float *RESTRICT gamma,
                     const float *RESTRICT beta GHOST_PARAMS(const float *x))
{
  float4 w = {1, 1, 1, 1}, b = {0, 0, 0, 0};
  if (affine)
    w = norm_across(c, n, aligned, gamma);
  if (centered) {
    float4 d = {q.x - m, q.y - m, q.z - m, q.w - m};
    q = d;
    b = norm_across(c, n, aligned, beta);
  }
  //@ assert gamma: slot_given(w, gamma, affine, 1.0, c, n);
  //@ assert beta: slot_given(b, beta, centered, 0.0, c, n);
  //@ assert x: 0 <= c < n ==> q.x == x[c] - m;
  //@ assert y: 0 <= c+1 < n ==> q.y == x[c+1] - m;
  //@ assert z: 0 <= c+2 < n ==> q.z == x[c+2] - m;
  //@ assert w: 0 <= c+3 < n ==> q.w == x[c+3] - m;
  float4 u = norm_scale(centered, q, r, w, b);
  //@ assert u_x: 0 <= c < n ==> u.x == NormOne(centered,affine,x,gamma,beta,m,r,c);
  //@ assert u_y: 0 <= c+1 < n ==> u.y == NormOne(centered,affine,x,gamma,beta,m,r,c+1);
  //@ assert u_z: 0 <= c+2 < n ==> u.z == NormOne(centered,affine,x,gamma,beta,m,r,c+2);
  //@ assert u_w: 0 <= c+3 < n ==> u.w == NormOne(centered,affine,x,gamma,beta,m,r,c+3);
  return u;
}

/* Slot q of a row goes to y. */
/*@ requires slot_out(y,lead,n,aligned) && perm_w(y,n) && 0 <= q < BUFFER_VEC4S && 0 <= n <= BUFFER_COLS;
    requires norm_vectors_in(centered,affine,gamma,beta,n,aligned);
    requires slot_vec(d,x,4*q-lead,n,0.0) && \valid_read(x + (0 .. n-1));
    requires centered == 0 ==> is_zero(s.mean);
    assigns y[0 .. n-1];
    ensures slot_done{Pre,Post}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,4*q-lead,n);
    ensures same_cells{Pre,Post}(y,0,4*q-lead) && same_cells{Pre,Post}(y,4*q-lead+4,n); */
DEV void norm_slot_out(int q, int lead, int n, int aligned, int centered, int affine, float4 d,
                       norm_stats s, const float *RESTRICT gamma, const float *RESTRICT beta,
                       float *RESTRICT y GHOST_PARAMS(const float *x))
{
  int c = 4 * q - lead;
  float4 u =
      norm_slot(centered, affine, d, s.mean, s.rstd, c, n, aligned, gamma, beta GHOST_ARGS(x));
  slot_store(c, n, aligned, u, y GHOST_ARGS(q, lead));
}

/*@ // the slots and row y that leaves, the row x1 that it is of and row x that arrives
    predicate norm_row_apart{L}(integer centered, integer affine, float *v, float *y, float *gamma,
                                float *beta, float *x1, integer n, float *x, integer n2) =
      \separated(v + (0 .. 4*BUFFER_VEC4S-1), y + (0 .. n-1)) &&
      \separated(v + (0 .. 4*BUFFER_VEC4S-1), x1 + (0 .. n-1)) &&
      apart(x1,n,y,n) && apart(x,n2,y,n) &&
      (affine != 0 ==> apart(gamma,n,y,n) &&
         \separated(v + (0 .. 4*BUFFER_VEC4S-1), gamma + (0 .. n-1))) &&
      (centered != 0 ==> apart(beta,n,y,n) &&
         \separated(v + (0 .. 4*BUFFER_VEC4S-1), beta + (0 .. n-1))); */

/* Slot j of lane t leaves, and that of the next row begins to arrive. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots);
    requires slot_out(y,lead,n,aligned) && perm_w(y,n) && slot_holds(x1,lead,n,slots);
    requires norm_vectors_in(centered,affine,gamma,beta,n,aligned);
    requires 0 <= t < BDIM && 0 <= j && j0 == mul(j,BDIM) && 0 <= j0 <= 2*BUFFER_VEC4S;
    requires slot_open(j,4*(j0+t)) && 0 <= from <= 4*(j0+t) && (centered == 0 ==> is_zero(s.mean));
    requires norm_row_apart(centered,affine,v,y,gamma,beta,x1,n,x,n2);
    requires slot_cells{Pre,Pre}(v,x1,lead,n,0.0,4*(j0+t),4*slots);
    requires slot_cells{Pre,Pre}(v,x,lead2,n2,0.0,from,lesser(4*slots2,4*(j0+t)));
    assigns v[0 .. 4*BUFFER_VEC4S-1], y[0 .. n-1], early_, late_, fetched_;
    ensures slot_open(j,4*(j0+t)+4);
    ensures j < early_slots_ ? late_ == \old(late_) : early_ == \old(early_);
    ensures slot_done{Pre,Post}(y,centered,affine,x1,gamma,beta,s.mean,s.rstd,4*(j0+t)-lead,n);
    ensures same_cells{Pre,Post}(y,0,lesser(4*(j0+t)-lead,n));
    ensures same_cells{Pre,Post}(v,0,4*(j0+t));
    ensures same_cells{Pre,Post}(v,4*(j0+t)+4,4*BUFFER_VEC4S);
    ensures slot_cells{Pre,Post}(v,x,lead2,n2,0.0,from,lesser(4*slots2,4*(j0+t)+4));
    ensures Same{Pre,Post}(x,n2);
    ensures norm_same{Pre,Post}(centered,affine,x1,gamma,beta,n); */
DEV void norm_put_slot(ROW_BUFFER_PARAM(v), int j, int j0, int t, int slots, int lead, int n,
                       int slots2, int lead2, int n2, int aligned, int centered, int affine,
                       norm_stats s, const float *RESTRICT x, const float *RESTRICT gamma,
                       const float *RESTRICT beta,
                       float *RESTRICT y GHOST_PARAMS(int from, const float *x1))
{
  if (j0 + t < slots) {
    float4 d = BUFFER_LOAD(v, j, j0, t);
    //@ assert vec: slot_vec(d, x1, 4*(j0+t)-lead, n, 0.0);
    norm_slot_out(j0 + t, lead, n, aligned, centered, affine, d, s, gamma, beta, y GHOST_ARGS(x1));
  }
  /*@ assert slot: slot_done{Pre,Here}(y,centered,affine,x1,gamma,beta,s.mean,s.rstd,
                                       4*(j0+t)-lead,n); */
  //@ assert out_y: same_cells{Pre,Here}(y,0,lesser(4*(j0+t)-lead,n));
  //@ assert out_x: Same{Pre,Here}(x,n2);
  //@ assert out_x1: Same{Pre,Here}(x1,n);
  //@ assert out_g: affine != 0 ==> Same{Pre,Here}(gamma,n);
  //@ assert out_b: centered != 0 ==> Same{Pre,Here}(beta,n);
  //@ assert out_v: same_cells{Pre,Here}(v,0,4*BUFFER_VEC4S);
  //@ assert now: slot_cells{Here,Here}(v,x,lead2,n2,0.0,from,lesser(4*slots2,4*(j0+t)));
  //@ ghost L1: ;
  slot_arrives(v, j, j0, t, slots2, lead2, n2, aligned, 0.0f, x GHOST_ARGS(from));
  //@ assert in_y: same_cells{L1,Here}(y,0,n);
  //@ assert in_x: Same{L1,Here}(x,n2);
  //@ assert in_x1: Same{L1,Here}(x1,n);
  //@ assert in_g: affine != 0 ==> Same{L1,Here}(gamma,n);
  //@ assert in_b: centered != 0 ==> Same{L1,Here}(beta,n);
}

/* The late slots of a row leave, and those of the next one begin to arrive. No lane has an
 * early one from `early` on. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots);
    requires slot_out(y,lead,n,aligned) && perm_w(y,n) && slot_holds(x1,lead,n,slots);
    requires norm_vectors_in(centered,affine,gamma,beta,n,aligned);
    requires norm_early(K) && early_slots_ == K && late_ == WAY_NONE && early_ != WAY_OPEN;
    requires (centered == 0 ==> is_zero(s.mean)) && early == mul(K,BDIM);
    requires norm_row_apart(centered,affine,v,y,gamma,beta,x1,n,x,n2);
    requires slot_cells{Pre,Pre}(v,x1,lead,n,0.0,4*early,4*slots);
    assigns v[0 .. 4*BUFFER_VEC4S-1], y[0 .. n-1], early_, late_, fetched_;
    ensures early_ == \old(early_) && late_ != WAY_SENT;
    ensures slot_cells{Pre,Post}(v,x,lead2,n2,0.0,4*early,4*slots2);
    ensures same_cells{Pre,Post}(v,0,4*early);
    ensures norm_done{Pre,Post}(y,centered,affine,x1,gamma,beta,s.mean,s.rstd,4*early-lead,n); */
DEV void norm_put_late(ROW_BUFFER_PARAM(v), int K, int slots, int lead, int n, int slots2,
                       int lead2, int n2, int aligned, int centered, int affine, norm_stats s,
                       const float *RESTRICT x, const float *RESTRICT gamma,
                       const float *RESTRICT beta,
                       float *RESTRICT y GHOST_PARAMS(int early, const float *x1))
{
  //@ assert mul(K,BDIM) == K*BDIM && 0 <= mul(K,BDIM) <= KMAX*MAXB;
  //@ assert many: mul(0,BDIM) + BDIM <= mul(K,BDIM);
  //@ assert few: mul(0,BDIM) == 0 && 0 <= 4*early - lead;
  /*@ loop invariant K <= j <= K + BUFFER_VEC4S && j0 == mul(j,BDIM) && j <= j0 && early <= j0;
      loop invariant slot_open(K,4*j0) && early_ == \at(early_,Pre);
      loop invariant same_cells{Pre,Here}(v,0,4*early);
      loop invariant same_cells{Pre,Here}(v,4*j0,4*BUFFER_VEC4S);
      loop invariant slot_cells{Pre,Here}(v,x,lead2,n2,0.0,4*early,lesser(4*slots2,4*j0));
      loop invariant Same{Pre,Here}(x,n2);
      loop invariant norm_same{Pre,Here}(centered,affine,x1,gamma,beta,n);
      loop invariant norm_done{Pre,Here}(y,centered,affine,x1,gamma,beta,s.mean,s.rstd,
                                         4*early-lead,lesser(4*j0-lead,n));
      loop assigns j, j0, v[0 .. 4*BUFFER_VEC4S-1], y[0 .. n-1], early_, late_, fetched_;
      loop variant slots + slots2 - j0; */
  for (int j = K, j0 = K * BDIM; j0 < slots || j0 < slots2; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM && slot_open(K,4*(j0+t)) && early_ == \at(early_,Pre);
        loop invariant same_cells{Pre,Here}(v,0,4*early);
        loop invariant same_cells{Pre,Here}(v,4*(j0+t),4*BUFFER_VEC4S);
        loop invariant slot_cells{Pre,Here}(v,x,lead2,n2,0.0,4*early,lesser(4*slots2,4*(j0+t)));
        loop invariant Same{Pre,Here}(x,n2);
        loop invariant norm_same{Pre,Here}(centered,affine,x1,gamma,beta,n);
        loop invariant norm_done{Pre,Here}(y,centered,affine,x1,gamma,beta,s.mean,s.rstd,
                                           4*early-lead,lesser(4*(j0+t)-lead,n));
        loop assigns t, v[0 .. 4*BUFFER_VEC4S-1], y[0 .. n-1], early_, late_, fetched_;
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert back: norm_same{Here,Pre}(centered,affine,x1,gamma,beta,n);
      //@ assert old: slot_cells{Pre,Here}(v,x1,lead,n,0.0,4*(j0+t),4*slots);
      //@ assert this: slot_cells{Here,Here}(v,x1,lead,n,0.0,4*(j0+t),4*slots);
      //@ assert now: slot_cells{Here,Here}(v,x,lead2,n2,0.0,4*early,lesser(4*slots2,4*(j0+t)));
      norm_put_slot(v, j, j0, t, slots, lead, n, slots2, lead2, n2, aligned, centered, affine, s, x,
                    gamma, beta, y GHOST_ARGS(4 * early, x1));
      /*@ assert at: slot_done{LoopCurrent,Here}(y,centered,affine,x1,gamma,beta,s.mean,s.rstd,
                                                 4*(j0+t)-lead,n); */
      //@ assert was: norm_same{LoopCurrent,Pre}(centered,affine,x1,gamma,beta,n);
      /*@ assert slot: slot_done{Pre,Here}(y,centered,affine,x1,gamma,beta,s.mean,s.rstd,
                                           4*(j0+t)-lead,n); */
      /*@ assert done: norm_done{Pre,Here}(y,centered,affine,x1,gamma,beta,s.mean,s.rstd,
                                           4*early-lead,lesser(4*(j0+t)-lead,n)); */
      /*@ assert grown: norm_done{Pre,Here}(y,centered,affine,x1,gamma,beta,s.mean,s.rstd,
                                            4*early-lead,lesser(4*(j0+t)-lead+4,n)); */
      /*@ assert came: slot_cells{LoopCurrent,Here}(v,x,lead2,n2,0.0,4*early,
                                                    lesser(4*slots2,4*(j0+t)+4)); */
    }
  }
}

/*@ requires block && norm_early(K) && norm_kept(held) && slot_holds(x,lead,n,slots);
    requires slot_out(y,lead,n,aligned) && perm_w(y,n);
    requires norm_vectors_in(centered,affine,gamma,beta,n,aligned);
    requires row_held{Pre,Pre}(held,x,lead,n,0.0,0,mul(K,BDIM));
    requires centered == 0 ==> is_zero(s.mean);
    requires \separated(held + (0 .. KMAX*MAXB-1), y + (0 .. n-1)) && apart(x,n,y,n);
    requires affine != 0 ==> apart(gamma,n,y,n);
    requires centered != 0 ==> apart(beta,n,y,n);
    assigns y[0 .. n-1];
    ensures same_cells{Pre,Post}(y,4*mul(K,BDIM)-lead,n);
    ensures norm_done{Pre,Post}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,0,
                                lesser(4*mul(K,BDIM)-lead,n)); */
DEV void norm_put_early(PER_THREADK(float4, held), int K, int slots, int lead, int n, int aligned,
                        int centered, int affine, norm_stats s, const float *RESTRICT gamma,
                        const float *RESTRICT beta, float *RESTRICT y GHOST_PARAMS(const float *x))
{
  //@ assert fits: 0 <= mul(K,BDIM) <= KMAX*MAXB;
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant same_cells{Pre,Here}(y,4*mul(K,BDIM)-lead,n);
      loop invariant norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,0,
                                         lesser(4*j0-lead,n));
      loop assigns j, j0, y[0 .. n-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && j0 + BDIM <= mul(K,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant same_cells{Pre,Here}(y,4*mul(K,BDIM)-lead,n);
        loop invariant norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,0,
                                           lesser(4*(j0+t)-lead,n));
        loop assigns t, y[0 .. n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (j0 + t < slots) {
        //@ assert this: slot_vec{Pre}(held[j0+t], x, 4*(j0+t)-lead, n, 0.0);
        //@ assert xs: Same{Pre,Here}(x,n);
        //@ assert gammas: affine != 0 ==> Same{Pre,Here}(gamma,n);
        //@ assert betas: centered != 0 ==> Same{Pre,Here}(beta,n);
        //@ assert back: norm_same{Here,Pre}(centered,affine,x,gamma,beta,n);
        //@ assert vec: slot_vec(held[j0+t], x, 4*(j0+t)-lead, n, 0.0);
        norm_slot_out(j0 + t, lead, n, aligned, centered, affine, REG(held, j, j0, t), s, gamma,
                      beta, y GHOST_ARGS(x));
        /*@ assert at: slot_done{LoopCurrent,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,
                                                   4*(j0+t)-lead,n); */
        //@ assert was: norm_same{LoopCurrent,Pre}(centered,affine,x,gamma,beta,n);
        /*@ assert slot: slot_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,
                                             4*(j0+t)-lead,n); */
        /*@ assert old: norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,0,
                                            lesser(4*(j0+t)-lead,n)); */
        /*@ assert new: norm_done{Pre,Here}(y,centered,affine,x,gamma,beta,s.mean,s.rstd,0,
                                            lesser(4*(j0+t)-lead+4,n)); */
      }
  }
}

/*@ // 32 words of a block, apart from the row and from what a lane holds
    predicate norm_sum_words{L}(float *s, float *v, float4 *held, float *x, integer n) =
      \valid(s + (0 .. 31)) && perm(s,32) && \separated(s + (0 .. 31), x + (0 .. n-1)) &&
      \separated(s + (0 .. 31), v + (0 .. 4*BUFFER_VEC4S-1)) &&
      \separated(s + (0 .. 31), held + (0 .. KMAX*MAXB-1)); */

/* The mean of the row in the slots, or 0; the next row's early slots begin to arrive. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots) && norm_kept(held);
    requires norm_early(K) && early_slots_ == K && early_ == WAY_NONE && late_ == WAY_SENT;
    requires slot_holds(x1,lead,n,slots) && row_held{Pre,Pre}(held,x1,lead,n,0.0,0,mul(K,BDIM));
    requires slot_cells{Pre,Pre}(v,x1,lead,n,0.0,4*mul(K,BDIM),4*slots);
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), x1 + (0 .. n-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), held + (0 .. KMAX*MAXB-1));
    requires norm_sum_words(s0,v,held,x1,n);
    assigns v[0 .. 4*BUFFER_VEC4S-1], s0[0 .. 31], early_, late_, fetched_, newest_;
    ensures early_ == WAY_SENT && late_ == WAY_NONE && newest_ == EARLY;
    ensures \result == Center{Pre}(x1,centered,n);
    ensures slot_cells{Pre,Post}(v,x,lead2,n2,0.0,0,lesser(4*slots2,4*mul(K,BDIM)));
    ensures same_cells{Pre,Post}(v,4*mul(K,BDIM),4*BUFFER_VEC4S); */
DEV float norm_slots_mean(PER_THREADK(float4, held), ROW_BUFFER_PARAM(v), int K, int slots, int n,
                          int slots2, int lead2, int n2, int aligned, int centered,
                          const float *RESTRICT x,
                          float *s0 GHOST_PARAMS(int lead, const float *x1))
{
  PRIVATE(float, sum);
  float mean = 0.0f;
  /*@ loop invariant 0 <= t <= BDIM && zeros(&sum[0], t);
      loop assigns t, sum[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(sum, t) = 0.0f;
  //@ assert fits: 0 <= mul(K,BDIM) <= KMAX*MAXB;
  //@ assert none: SumR(&sum[0], 0, BDIM) == 0.0;
  //@ assert x1s: Same{Pre,Here}(x1,n) && Same{Pre,Here}(x,n2);
  //@ assert held: row_held{Here,Here}(held,x1,lead,n,0.0,0,mul(K,BDIM));
  //@ assert vs: same_cells{Pre,Here}(v,0,4*BUFFER_VEC4S);
  norm_sum_early(sum, held, v, K, centered, slots2, lead2, n2, aligned,
                 x GHOST_ARGS(slots, lead, n, x1));
  //@ assert came: slot_cells{Pre,Here}(v,x,lead2,n2,0.0,0,lesser(4*slots2,4*mul(K,BDIM)));
  //@ assert rest: same_cells{Pre,Here}(v,4*mul(K,BDIM),4*BUFFER_VEC4S);
  slots_send(EARLY);
  slots_wait_but_newest();
  //@ ghost L2: ;
  //@ assert late: slot_cells{Pre,Here}(v,x1,lead,n,0.0,4*mul(K,BDIM),4*slots);
  //@ assert x1t: Same{Pre,Here}(x1,n);
  //@ assert now: slot_cells{Here,Here}(v,x1,lead,n,0.0,4*mul(K,BDIM),4*slots);
  /*@ assert sums: centered != 0 ==>
        SumR(&sum[0], 0, BDIM) == SlotSum(0,x1,0.0,4*mul(K,BDIM)-lead,n); */
  if (centered) {
    norm_sum_late(sum, v, K, slots GHOST_ARGS(lead, n, x1));
    //@ assert all: SumR(&sum[0], 0, BDIM) == NormSum{Pre}(0,x1,0.0,n);
    //@ assert sum_v: same_cells{L2,Here}(v,0,4*BUFFER_VEC4S);
    mean = norm_mean(block_sum(sum, s0), n);
    //@ assert mean_v: same_cells{L2,Here}(v,0,4*BUFFER_VEC4S);
  }
  //@ assert all_v: same_cells{L2,Here}(v,0,4*BUFFER_VEC4S);
  return mean;
}

/* What it is divided by, inverted. */
/*@ requires slots_of_row(v,slots) && norm_kept(held) && slot_holds(x,lead,n,slots);
    requires norm_early(K) && early_slots_ == K && late_ == WAY_NONE;
    requires row_held{Pre,Pre}(held,x,lead,n,0.0,0,mul(K,BDIM));
    requires slot_cells{Pre,Pre}(v,x,lead,n,0.0,4*mul(K,BDIM),4*slots);
    requires norm_sum_words(s1,v,held,x,n) && m == Center(x,centered,n);
    assigns s1[0 .. 31];
    ensures \result == Rstd{Pre}(x,centered,n,eps); */
DEV float norm_slots_rstd(PER_THREADK(float4, held), ROW_BUFFER_PARAM(v), int K, int slots,
                          int lead, int n, int centered, float m, float eps,
                          float *s1 GHOST_PARAMS(const float *x))
{
  PRIVATE(float, squares);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&squares[0], t);
      loop assigns t, squares[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(squares, t) = 0.0f;
  //@ assert fits: 0 <= mul(K,BDIM) <= KMAX*MAXB;
  //@ assert none: SumR(&squares[0], 0, BDIM) == 0.0;
  //@ assert xs: Same{Pre,Here}(x,n);
  //@ assert held: row_held{Here,Here}(held,x,lead,n,0.0,0,mul(K,BDIM));
  //@ assert late: slot_cells{Here,Here}(v,x,lead,n,0.0,4*mul(K,BDIM),4*slots);
  norm_squares_early(squares, held, K, centered, m, lead, n GHOST_ARGS(slots, x));
  //@ assert xt: Same{Pre,Here}(x,n);
  //@ assert later: slot_cells{Here,Here}(v,x,lead,n,0.0,4*mul(K,BDIM),4*slots);
  //@ assert sums: SumR(&squares[0], 0, BDIM) == SlotSum(1,x,m,4*mul(K,BDIM)-lead,n);
  norm_squares_late(squares, v, K, slots, centered, m, lead, n GHOST_ARGS(x));
  //@ assert all: SumR(&squares[0], 0, BDIM) == NormSum{Pre}(1,x,m,n);
  return norm_rstd(block_sum(squares, s1), n, eps);
}

/*@ // 32 words of a block, apart from rows and from the vectors
    predicate norm_words{L}(float *s, integer centered, integer affine, float *x, integer nx,
                            float *y, integer ny, float *gamma, float *beta, integer n) =
      \valid(s + (0 .. 31)) && perm(s,32) && \separated(s + (0 .. 31), x + (0 .. nx-1)) &&
      \separated(s + (0 .. 31), y + (0 .. ny-1)) &&
      (affine != 0 ==> \separated(s + (0 .. 31), gamma + (0 .. n-1))) &&
      (centered != 0 ==> \separated(s + (0 .. 31), beta + (0 .. n-1)));
    predicate norm_slots_free{L}(float *v, float *s0, float *s1) =
      \separated(s0 + (0 .. 31), s1 + (0 .. 31)) &&
      \separated(s0 + (0 .. 31), v + (0 .. 4*BUFFER_VEC4S-1)) &&
      \separated(s1 + (0 .. 31), v + (0 .. 4*BUFFER_VEC4S-1)); */

/* The row that is in the slots; the next one begins to arrive there. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots);
    requires slot_holds(x1,lead,n,slots) && slot_out(y,lead,n,aligned) && perm_w(y,n);
    requires norm_vectors_in(centered,affine,gamma,beta,n,aligned);
    requires norm_early(K) && early_slots_ == K;
    requires early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    requires norm_row_apart(centered,affine,v,y,gamma,beta,x1,n,x,n2);
    requires norm_slots_free(v,s0,s1);
    requires norm_words(s0,centered,affine,x,n2,y,n,gamma,beta,n);
    requires norm_words(s1,centered,affine,x,n2,y,n,gamma,beta,n);
    requires \separated(s0 + (0 .. 31), x1 + (0 .. n-1));
    requires \separated(s1 + (0 .. 31), x1 + (0 .. n-1));
    requires slot_cells{Pre,Pre}(v,x1,lead,n,0.0,0,4*slots);
    assigns v[0 .. 4*BUFFER_VEC4S-1], y[0 .. n-1], s0[0 .. 31], s1[0 .. 31], early_, late_, fetched_,
            newest_;
    ensures early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    ensures slot_cells{Pre,Post}(v,x,lead2,n2,0.0,0,4*slots2);
    ensures \result.mean == Center{Pre}(x1,centered,n);
    ensures \result.rstd == Rstd{Pre}(x1,centered,n,eps);
    ensures norm_done{Pre,Post}(y,centered,affine,x1,gamma,beta,\result.mean,\result.rstd,0,n); */
DEV norm_stats norm_slots_row(ROW_BUFFER_PARAM(v), int K, int slots, int lead, int n, int slots2,
                              int lead2, int n2, int aligned, int centered, int affine, float eps,
                              const float *RESTRICT x, const float *RESTRICT gamma,
                              const float *RESTRICT beta, float *RESTRICT y, float *s0,
                              float *s1 GHOST_PARAMS(const float *x1))
{
  PRIVATEK(float4, held);
  norm_stats s;
  //@ assert early: mul(K,BDIM) == K*BDIM && 0 <= mul(K,BDIM) <= KMAX*MAXB;
  //@ assert many: mul(0,BDIM) + BDIM <= mul(K,BDIM);
  //@ assert few: mul(0,BDIM) == 0 && 0 <= 4*mul(K,BDIM) - lead;
  slots_wait_but_newest();
  slots_hold(held, v, K, slots, 0.0f);
  //@ assert as_was: same_cells{Pre,Here}(v,0,4*BUFFER_VEC4S);
  //@ assert xh: Same{Pre,Here}(x,n2);
  //@ assert gammas_h: affine != 0 ==> Same{Pre,Here}(gamma,n);
  //@ assert betas_h: centered != 0 ==> Same{Pre,Here}(beta,n);
  //@ assert x1s: Same{Pre,Here}(x1,n);
  //@ assert vs: slot_cells{Pre,Here}(v,x1,lead,n,0.0,0,4*slots);
  //@ assert held: row_held{Pre,Here}(&held[0],x1,lead,n,0.0,0,mul(K,BDIM));
  //@ assert held_now: row_held{Here,Here}(&held[0],x1,lead,n,0.0,0,mul(K,BDIM));
  //@ assert late: slot_cells{Here,Here}(v,x1,lead,n,0.0,4*mul(K,BDIM),4*slots);
  s.mean = norm_slots_mean(held, v, K, slots, n, slots2, lead2, n2, aligned, centered, x,
                           s0 GHOST_ARGS(lead, x1));
  //@ assert mean: s.mean == Center{Pre}(x1,centered,n);
  //@ assert x1t: Same{Pre,Here}(x1,n);
  //@ assert xm: Same{Pre,Here}(x,n2);
  //@ assert gammas_m: affine != 0 ==> Same{Pre,Here}(gamma,n);
  //@ assert betas_m: centered != 0 ==> Same{Pre,Here}(beta,n);
  //@ assert mean_now: s.mean == Center(x1,centered,n);
  //@ assert held_then: row_held{Here,Here}(&held[0],x1,lead,n,0.0,0,mul(K,BDIM));
  //@ assert late_then: slot_cells{Here,Here}(v,x1,lead,n,0.0,4*mul(K,BDIM),4*slots);
  //@ assert next: slot_cells{Pre,Here}(v,x,lead2,n2,0.0,0,lesser(4*slots2,4*mul(K,BDIM)));
  s.rstd = norm_slots_rstd(held, v, K, slots, lead, n, centered, s.mean, eps, s1 GHOST_ARGS(x1));
  //@ assert rstd: s.rstd == Rstd{Pre}(x1,centered,n,eps);
  //@ assert xs: Same{Pre,Here}(x,n2);
  //@ assert x1r: Same{Pre,Here}(x1,n);
  //@ assert gammas: affine != 0 ==> Same{Pre,Here}(gamma,n);
  //@ assert betas: centered != 0 ==> Same{Pre,Here}(beta,n);
  //@ assert back: norm_same{Here,Pre}(centered,affine,x1,gamma,beta,n);
  //@ assert held_put: row_held{Here,Here}(&held[0],x1,lead,n,0.0,0,mul(K,BDIM));
  //@ assert late_put: slot_cells{Here,Here}(v,x1,lead,n,0.0,4*mul(K,BDIM),4*slots);
  //@ assert next_put: slot_cells{Pre,Here}(v,x,lead2,n2,0.0,0,lesser(4*slots2,4*mul(K,BDIM)));
  //@ ghost L1: ;
  norm_put_late(v, K, slots, lead, n, slots2, lead2, n2, aligned, centered, affine, s, x, gamma,
                beta, y GHOST_ARGS(K * BDIM, x1));
  slots_send(LATE);
  //@ assert first: slot_cells{Pre,Here}(v,x,lead2,n2,0.0,0,lesser(4*slots2,4*mul(K,BDIM)));
  //@ assert rest: slot_cells{L1,Here}(v,x,lead2,n2,0.0,4*mul(K,BDIM),4*slots2);
  //@ assert rest_pre: slot_cells{Pre,Here}(v,x,lead2,n2,0.0,4*mul(K,BDIM),4*slots2);
  //@ assert came: slot_cells{Pre,Here}(v,x,lead2,n2,0.0,0,4*slots2);
  /*@ assert done_1: norm_done{L1,Here}(y,centered,affine,x1,gamma,beta,s.mean,s.rstd,
                                        4*mul(K,BDIM)-lead,n); */
  /*@ assert done: norm_done{Pre,Here}(y,centered,affine,x1,gamma,beta,s.mean,s.rstd,
                                       4*mul(K,BDIM)-lead,n); */
  //@ assert x1u: Same{Pre,Here}(x1,n);
  //@ assert gammas_u: affine != 0 ==> Same{Pre,Here}(gamma,n);
  //@ assert betas_u: centered != 0 ==> Same{Pre,Here}(beta,n);
  //@ assert back_u: norm_same{Here,Pre}(centered,affine,x1,gamma,beta,n);
  //@ assert held_u: held_same{L1,Here}(&held[0],KMAX*MAXB);
  //@ assert held_1: row_held{L1,Here}(&held[0],x1,lead,n,0.0,0,mul(K,BDIM));
  //@ assert x1_1: Same{L1,Here}(x1,n);
  //@ assert held_last: row_held{Here,Here}(&held[0],x1,lead,n,0.0,0,mul(K,BDIM));
  //@ ghost L2: ;
  norm_put_early(held, K, slots, lead, n, aligned, centered, affine, s, gamma, beta,
                 y GHOST_ARGS(x1));
  /*@ assert early_1: norm_done{L2,Here}(y,centered,affine,x1,gamma,beta,s.mean,s.rstd,0,
                                         lesser(4*mul(K,BDIM)-lead,n)); */
  /*@ assert early_done: norm_done{Pre,Here}(y,centered,affine,x1,gamma,beta,s.mean,s.rstd,0,
                                             lesser(4*mul(K,BDIM)-lead,n)); */
  /*@ assert late_done: norm_done{Pre,Here}(y,centered,affine,x1,gamma,beta,s.mean,s.rstd,
                                            4*mul(K,BDIM)-lead,n); */
  //@ assert stays: same_cells{L2,Here}(v,0,4*BUFFER_VEC4S);
  return s;
}
#endif
