/* Warp or block a row, in registers: masked_softmax of a team's rows (row/team_regs.h): x, mask
 * and y are (rows, cols). What the mask blocks, and what lies outside the row, waits as a mark of
 * its own; from the exponentials on as -0, which none of them is. softmax.cu says when. */
#define ONE_WARP 1 /* see collective/block_sum.h */
#include "masked_row.h"
#include "../row/team_regs.h"
#include "../lang/full_row.h"

/*@ lemma entered_vec_frame{L1,L2}: \forall float4 v, float *x, *b, integer q, n; 0 <= q ==>
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> entered_vec{L2}(v,x,b,q,n) ==>
      entered_vec{L1}(v,x,b,q,n);
    lemma entered_vecs_grow{L0,L}: \forall float4 *v, float *x, *b, integer n, from, to;
      entered_vecs{L0,L}(v,x,b,n,from,to) ==> entered_vec{L0}(\at(v[to],L),x,b,to,n) ==>
      entered_vecs{L0,L}(v,x,b,n,from,to+1); */

/* Vector j0 + t of the row. */
/*@ requires row_in(x,n,aligned) && row_in(b,n,aligned) && team_at(j0,t,n);
    assigns \nothing;
    ensures entered_vec(\result, x, b, j0 + t, n); */
DEV float4 masked_load(int j0, int t, int n, int aligned, const float *RESTRICT x,
                       const float *RESTRICT b)
{
  float4 v = team_load(j0, t, n, aligned, 0.0f, x);
  float4 w = team_load(j0, t, n, aligned, 1.0f, b); // what is outside is blocked
  v.x = masked_enter(v.x, w.x);
  v.y = masked_enter(v.y, w.y);
  v.z = masked_enter(v.z, w.z);
  v.w = masked_enter(v.w, w.w);
  return v;
}

/*@ requires j0 == mul(j,team) && team_at(j0,t,n) && \valid(v + (0 .. KMAX*MAXB-1));
    requires row_in(x,n,aligned) && row_in(b,n,aligned);
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), b + (0 .. n-1));
    assigns v[j0+t];
    ensures entered_vec{Pre}(v[j0+t], x, b, j0 + t, n) && but_vec{Pre,Post}(v, j0 + t); */
DEV void masked_load_at(PER_THREADK(float4, v), int j, int j0, int t, int n, int aligned,
                        const float *RESTRICT x, const float *RESTRICT b TEAM_FN)
{
  TEAM_REG(v, j, j0, t) = masked_load(j0, t, n, aligned, x, b);
}

/*@ requires team_fits(K,team,n) && row_in(x,n,aligned) && row_in(b,n,aligned);
    requires \valid(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), b + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures entered_vecs{Pre,Post}(v, x, b, n, 0, mul(K,team)); */
DEV void masked_load_all(PER_THREADK(float4, v), int K, int n, int aligned, const float *RESTRICT x,
                         const float *RESTRICT b TEAM_FN)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant entered_vecs{Pre,Here}(v, x, b, n, 0, j0);
      loop invariant Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n);
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    /*@ loop invariant 0 <= t <= team;
        loop invariant entered_vecs{Pre,Here}(v, x, b, n, 0, j0 + t);
        loop invariant Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n);
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert j0 + t < KMAX*MAXB;
      //@ assert \separated(v + (j0 + t), x + (0 .. n-1));
      //@ assert \separated(v + (j0 + t), b + (0 .. n-1));
      masked_load_at(v, j, j0, t, n, aligned, x, b IN_TEAM);
      //@ assert Same{LoopCurrent,Here}(x,n);
      //@ assert Same{LoopCurrent,Here}(b,n);
      //@ assert entered_vec{LoopCurrent}(v[j0+t], x, b, j0 + t, n);
      //@ assert entered_vec{Pre}(v[j0+t], x, b, j0 + t, n);
      //@ assert entered_vecs{Pre,Here}(v, x, b, n, 0, j0 + t);
    }
  }
}

/* The largest of top and of what is open in v. */
/*@ assigns \nothing;
    ensures top <= \result && vec_below(v, \result);
    ensures \result == top || (v.x != Mark && \result == v.x) || (v.y != Mark && \result == v.y) ||
      (v.z != Mark && \result == v.z) || (v.w != Mark && \result == v.w); */
DEV float masked_top(float top, float4 v)
{
  top = larger_unmarked(larger_unmarked(top, v.x), v.y);
  return larger_unmarked(larger_unmarked(top, v.z), v.w);
}

/*@ requires t < team <= MAXB && team_at(j0,t,n) && masked_in(x,b,n);
    requires entered_vec(v, x, b, j0 + t, n) && \valid(top + (0 .. team-1));
    requires Lowest <= top[t] <= RowTop(x,b,n);
    requires \separated(top + (0 .. team-1), x + (0 .. n-1));
    requires \separated(top + (0 .. team-1), b + (0 .. n-1));
    assigns top[t];
    ensures only{Pre,Post}(top, t, team) && \old(top[t]) <= top[t];
    ensures Lowest <= top[t] <= RowTop{Pre}(x,b,n) && seen{Pre}(x, b, j0 + t, n, top[t]); */
DEV void masked_top_at(PER_THREAD(float, top), int t,
                       float4 v TEAM_FN GHOST_PARAMS(int j0, int n, const float *x, const float *b))
{
  AT(top, t) = masked_top(AT(top, t), v);
}

/*@ requires team_fits(K,team,n) && masked_in(x,b,n) && \valid_read(v + (0 .. KMAX*MAXB-1));
    requires entered_vecs{Pre,Pre}(v, x, b, n, 0, mul(K,team));
    requires \valid(top + (0 .. team-1)) && some_of{Pre,Pre}(top, team, x, b, n);
    requires \separated(top + (0 .. team-1), x + (0 .. n-1));
    requires \separated(top + (0 .. team-1), b + (0 .. n-1));
    requires \separated(top + (0 .. team-1), v + (0 .. KMAX*MAXB-1));
    assigns top[0 .. team-1];
    ensures RowMax(top, team) == RowTop{Pre}(x, b, n); */
DEV void masked_max_all(PER_THREAD(float, top), PER_THREADK(float4, v),
                        int K TEAM_FN GHOST_PARAMS(int n, const float *x, const float *b))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant some_of{Pre,Here}(top, team, x, b, n);
      loop invariant above{Pre,Here}(top, team, x, b, lesser(4*j0, n));
      loop assigns j, j0, top[0 .. team-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team);
    /*@ loop invariant 0 <= t <= team;
        loop invariant some_of{Pre,Here}(top, team, x, b, n);
        loop invariant above{Pre,Here}(top, team, x, b, lesser(4*(j0+t), n));
        loop assigns t, top[0 .. team-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert entered_vec{Pre}(v[j0+t], x, b, j0 + t, n);
      //@ assert Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n);
      //@ assert entered_vec(v[j0+t], x, b, j0 + t, n);
      //@ assert RowTop{Pre}(x,b,n) == RowTop(x,b,n);
      //@ assert no_mark(x,n);
      masked_top_at(top, t, TEAM_REG(v, j, j0, t) IN_TEAM GHOST_ARGS(j0, n, x, b));
      //@ assert only: only{LoopCurrent,Here}(top, t, team);
      //@ assert grows: at_most{LoopCurrent,Here}(top, team);
      //@ assert max: \at(RowMax(top, team),LoopCurrent) <= RowMax(top, team);
      //@ assert one: top[t] <= RowMax(top, team);
      //@ assert some: some_of{Pre,Here}(top, team, x, b, n);
      //@ assert seen: seen{Pre}(x, b, j0 + t, n, RowMax(top, team));
      //@ assert old: above{Pre,Here}(top, team, x, b, lesser(4*(j0+t), n));
      /*@ assert four: \forall integer k; lesser(4*(j0+t), n) <= k < lesser(4*(j0+t+1), n) ==>
            \at(b[k],Pre) == 0.0 ==> \at(x[k],Pre) <= RowMax(top, team); */
      //@ assert new: above{Pre,Here}(top, team, x, b, lesser(4*(j0+t+1), n));
    }
  }
  //@ assert all: above{Pre,Here}(top, team, x, b, n);
  //@ assert under: all_under(top, team, RowTop{Pre}(x, b, n));
  //@ assert at_most: RowMax(top, team) <= RowTop{Pre}(x, b, n);
  //@ assert first: Lowest <= top[0] <= RowMax(top, team);
  //@ assert tops: tops_under{Pre}(x, b, n, RowMax(top, team));
  //@ assert at_least: RowTop{Pre}(x, b, n) <= RowMax(top, team);
}

/* The largest open element of the row that is in v, for all threads; Lowest where there is none. */
/*@ requires a_team(whole,team) && team_fits(K,team,n);
    requires masked_in(x,b,n) && \valid_read(v + (0 .. KMAX*MAXB-1));
    requires entered_vecs{Pre,Pre}(v, x, b, n, 0, mul(K,team));
    assigns \nothing;
    ensures \result == RowTop{Pre}(x, b, n); */
DEV float masked_max(PER_THREADK(float4, v), int K,
                     int whole TEAM_FN GHOST_PARAMS(int n, const float *x, const float *b))
{
  SHARED(float, s, 32);
  PRIVATE(float, top);
  /*@ loop invariant 0 <= t <= team;
      loop invariant \forall integer u; 0 <= u < t ==> top[u] == Lowest;
      loop assigns t, top[0 .. team-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t) AT(top, t) = lowest();
  //@ assert Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n);
  //@ assert RowTop{Pre}(x, b, n) == RowTop(x, b, n);
  //@ assert entered_vecs{Pre,Here}(v, x, b, n, 0, mul(K,team));
  //@ assert entered_vecs{Here,Here}(v, x, b, n, 0, mul(K,team));
  //@ assert no_mark(x,n);
  masked_max_all(top, v, K IN_TEAM GHOST_ARGS(n, x, b));
  return team_max(top, whole, s IN_TEAM);
}

/*@ predicate open_vec{L}(float4 v, float *x, float *b, real m, integer q, integer n) =
      v.x == OpenAt(x,b,m,4*q,n) && v.y == OpenAt(x,b,m,4*q+1,n) &&
      v.z == OpenAt(x,b,m,4*q+2,n) && v.w == OpenAt(x,b,m,4*q+3,n);
    predicate open_vecs{L0,L}(float4 *v, float *x, float *b, real m, integer n, integer from,
                              integer to) =
      \forall integer q; from <= q < to ==> open_vec{L0}(\at(v[q],L), x, b, m, q, n);
    lemma open_vecs_frame{L1,L2,L}: \forall float4 *v, float *x, *b, real m, integer n, from, to;
      0 <= from ==> Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==>
      open_vecs{L1,L}(v,x,b,m,n,from,to) ==> open_vecs{L2,L}(v,x,b,m,n,from,to);
    lemma open_add_4{L}: \forall float *x, *b, real m, integer q, n; 0 <= q ==>
      OpenSumExp(x,b,m,lesser(4*(q+1),n)) == OpenSumExp(x,b,m,lesser(4*q,n)) +
        (OpenAt(x,b,m,4*q,n) + OpenAt(x,b,m,4*q+1,n) + OpenAt(x,b,m,4*q+2,n) +
         OpenAt(x,b,m,4*q+3,n)); */

/*@ assigns \nothing;
    ensures \result.x == KeptOpen(v.x,m) && \result.y == KeptOpen(v.y,m);
    ensures \result.z == KeptOpen(v.z,m) && \result.w == KeptOpen(v.w,m); */
DEV float4 masked_kept(float4 v, float m)
{
  v.x = masked_exp(v.x, m);
  v.y = masked_exp(v.y, m);
  v.z = masked_exp(v.z, m);
  v.w = masked_exp(v.w, m);
  return v;
}

/*@ requires j0 == mul(j,team) && team_at(j0,t,n) && \valid(v + (0 .. KMAX*MAXB-1));
    requires masked_in(x,b,n) && entered_vec(v[j0+t], x, b, j0 + t, n);
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), b + (0 .. n-1));
    assigns v[j0+t];
    ensures open_vec{Pre}(v[j0+t], x, b, m, j0 + t, n) && but_vec{Pre,Post}(v, j0 + t); */
DEV void masked_keep(PER_THREADK(float4, v), int j, int j0, int t,
                     float m TEAM_FN GHOST_PARAMS(int n, const float *x, const float *b))
{
  //@ assert KeptOpen(Entered(x,b,4*(j0+t),n),m) == OpenAt(x,b,m,4*(j0+t),n);
  //@ assert KeptOpen(Entered(x,b,4*(j0+t)+1,n),m) == OpenAt(x,b,m,4*(j0+t)+1,n);
  //@ assert KeptOpen(Entered(x,b,4*(j0+t)+2,n),m) == OpenAt(x,b,m,4*(j0+t)+2,n);
  //@ assert KeptOpen(Entered(x,b,4*(j0+t)+3,n),m) == OpenAt(x,b,m,4*(j0+t)+3,n);
  TEAM_REG(v, j, j0, t) = masked_kept(TEAM_REG(v, j, j0, t), m);
}

/*@ requires team_fits(K,team,n) && \valid(v + (0 .. KMAX*MAXB-1)) && masked_in(x,b,n);
    requires entered_vecs{Pre,Pre}(v, x, b, n, 0, mul(K,team));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), b + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures open_vecs{Pre,Post}(v, x, b, m, n, 0, mul(K,team)); */
DEV void masked_keep_all(PER_THREADK(float4, v), int K,
                         float m TEAM_FN GHOST_PARAMS(int n, const float *x, const float *b))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant open_vecs{Pre,Here}(v, x, b, m, n, 0, j0);
      loop invariant entered_vecs{Pre,Here}(v, x, b, n, j0, mul(K,team));
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team);
    /*@ loop invariant 0 <= t <= team;
        loop invariant open_vecs{Pre,Here}(v, x, b, m, n, 0, j0 + t);
        loop invariant entered_vecs{Pre,Here}(v, x, b, n, j0 + t, mul(K,team));
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert entered_vec{Pre}(v[j0+t], x, b, j0 + t, n);
      //@ assert Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n);
      //@ assert entered_vec(v[j0+t], x, b, j0 + t, n);
      //@ assert no_mark(x,n);
      masked_keep(v, j, j0, t, m IN_TEAM GHOST_ARGS(n, x, b));
      //@ assert but_vec{LoopCurrent,Here}(v, j0 + t);
      //@ assert open_vec{Pre}(v[j0+t], x, b, m, j0 + t, n);
      //@ assert open_vecs{Pre,Here}(v, x, b, m, n, 0, j0 + t);
      /*@ assert still: \forall integer q; j0 + t + 1 <= q < mul(K,team) ==>
            v[q] == \at(v[q],LoopCurrent); */
      //@ assert entered_vecs{Pre,Here}(v, x, b, n, j0 + t + 1, mul(K,team));
    }
  }
}

/*@ requires team_fits(K,team,n) && masked_in(x,b,n) && \valid_read(v + (0 .. KMAX*MAXB-1));
    requires open_vecs{Pre,Pre}(v, x, b, m, n, 0, mul(K,team));
    requires \valid(acc + (0 .. team-1)) && SumR(acc, 0, team) == 0.0;
    requires \separated(acc + (0 .. team-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. team-1), b + (0 .. n-1));
    requires \separated(acc + (0 .. team-1), v + (0 .. KMAX*MAXB-1));
    assigns acc[0 .. team-1];
    ensures SumR(acc, 0, team) == OpenSumExp{Pre}(x,b,m,n); */
DEV void masked_add_all(PER_THREAD(float, acc), PER_THREADK(float4, v),
                        int K TEAM_FN GHOST_PARAMS(int n, float m, const float *x, const float *b))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant SumR(acc, 0, team) == OpenSumExp{Pre}(x, b, m, lesser(4*j0, n));
      loop assigns j, j0, acc[0 .. team-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team);
    /*@ loop invariant 0 <= t <= team;
        loop invariant SumR(acc, 0, team) == OpenSumExp{Pre}(x, b, m, lesser(4*(j0+t), n));
        loop assigns t, acc[0 .. team-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert open_vec{Pre}(v[j0+t], x, b, m, j0 + t, n);
      float4 u = TEAM_REG(v, j, j0, t);
      AT(acc, t) += (u.x + u.y) + (u.z + u.w);
      //@ assert only{LoopCurrent,Here}(acc, t, team);
      /*@ assert acc[t] == \at(acc[t],LoopCurrent) +
            (OpenSumExp{Pre}(x, b, m, lesser(4*(j0+t+1), n)) -
             OpenSumExp{Pre}(x, b, m, lesser(4*(j0+t), n))); */
    }
  }
}

/* The sum of the row's open exponentials, for all threads. */
/*@ requires a_team(whole,team) && team_fits(K,team,n);
    requires masked_in(x,b,n) && \valid_read(v + (0 .. KMAX*MAXB-1));
    requires open_vecs{Pre,Pre}(v, x, b, m, n, 0, mul(K,team));
    assigns \nothing;
    ensures \result == OpenSumExp{Pre}(x,b,m,n); */
DEV float masked_sum(PER_THREADK(float4, v), int K,
                     int whole TEAM_FN GHOST_PARAMS(int n, float m, const float *x, const float *b))
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= team && zeros(&acc[0], t);
      loop assigns t, acc[0 .. team-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, team) == 0.0;
  //@ assert Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n) && no_mark(x,n);
  //@ assert OpenSumExp{Pre}(x,b,m,n) == OpenSumExp(x,b,m,n);
  //@ assert open_vecs{Pre,Here}(v, x, b, m, n, 0, mul(K,team));
  //@ assert open_vecs{Here,Here}(v, x, b, m, n, 0, mul(K,team));
  masked_add_all(acc, v, K IN_TEAM GHOST_ARGS(n, m, x, b));
  return team_sum(acc, whole, s IN_TEAM);
}

/*@ assigns \nothing;
    ensures \result.x == rmul(v.x,t) && \result.y == rmul(v.y,t);
    ensures \result.z == rmul(v.z,t) && \result.w == rmul(v.w,t); */
DEV float4 masked_put(float4 v, float t)
{
  v.x = masked_share(v.x, t);
  v.y = masked_share(v.y, t);
  v.z = masked_share(v.z, t);
  v.w = masked_share(v.w, t);
  return v;
}

/*@ requires team_fits(K,team,n) && \valid(y + (0 .. n-1)) && perm_w(y,n) && masked_in(x,b,n);
    requires aligned != 0 ==> aligned16(y) && n % 4 == 0;
    requires apart(x,n,y,n) && apart(b,n,y,n) && \valid_read(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), y + (0 .. n-1));
    requires open_vecs{Pre,Pre}(v, x, b, m, n, 0, mul(K,team));
    assigns y[0 .. n-1];
    ensures masked_done{Pre,Post}(y, x, b, m, s1, n, n); */
DEV void masked_store_all(PER_THREADK(float4, v), int K, int n, int aligned, float s1,
                          float *RESTRICT y TEAM_FN GHOST_PARAMS(float m, const float *x,
                                                                 const float *b))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant masked_done{Pre,Here}(y, x, b, m, s1, n, lesser(4*j0,n));
      loop assigns j, j0, y[0 .. n-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team);
    /*@ loop invariant 0 <= t <= team;
        loop invariant masked_done{Pre,Here}(y, x, b, m, s1, n, lesser(4*(j0+t),n));
        loop assigns t, y[0 .. n-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      float4 u = masked_put(TEAM_REG(v, j, j0, t), s1);
      //@ assert open_vec{Pre}(v[j0+t], x, b, m, j0 + t, n);
      //@ assert u.x == Shared{Pre}(x,b,m,s1,n,4*(j0+t));
      //@ assert u.y == Shared{Pre}(x,b,m,s1,n,4*(j0+t)+1);
      //@ assert u.z == Shared{Pre}(x,b,m,s1,n,4*(j0+t)+2);
      //@ assert u.w == Shared{Pre}(x,b,m,s1,n,4*(j0+t)+3);
      team_store(j0, t, n, aligned, u, y);
      //@ assert old: masked_done{Pre,Here}(y, x, b, m, s1, n, lesser(4*(j0+t),n));
      //@ assert x: 4*(j0+t) < n ==> y[4*(j0+t)] == Shared{Pre}(x,b,m,s1,n,4*(j0+t));
      //@ assert y: 4*(j0+t)+1 < n ==> y[4*(j0+t)+1] == Shared{Pre}(x,b,m,s1,n,4*(j0+t)+1);
      //@ assert z: 4*(j0+t)+2 < n ==> y[4*(j0+t)+2] == Shared{Pre}(x,b,m,s1,n,4*(j0+t)+2);
      //@ assert w: 4*(j0+t)+3 < n ==> y[4*(j0+t)+3] == Shared{Pre}(x,b,m,s1,n,4*(j0+t)+3);
      /*@ assert four: \forall integer c; lesser(4*(j0+t),n) <= c < lesser(4*(j0+t+1),n) ==>
            y[c] == Shared{Pre}(x,b,m,s1,n,c); */
    }
  }
}

/* One row. */
/*@ requires a_team(whole,team) && team_fits(K,team,n);
    requires row_in(x,n,aligned) && row_in(b,n,aligned) && no_mark(x,n);
    requires \valid(y + (0 .. n-1)) && perm_w(y,n) && (aligned != 0 ==> aligned16(y));
    requires apart(x,n,y,n) && apart(b,n,y,n);
    assigns y[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> y[c] == MaskedSoftmax{Pre}(x,b,n,c); */
DEV void masked_row(int K, int aligned, int whole, int n, const float *RESTRICT x,
                    const float *RESTRICT b, float *RESTRICT y TEAM_FN)
{
  PRIVATEK(float4, v);
  float m, s, t;
  masked_load_all(v, K, n, aligned, x, b IN_TEAM);
  //@ assert Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n) && no_mark(x,n);
  //@ assert entered_vecs{Here,Here}(&v[0], x, b, n, 0, mul(K,team));
  m = masked_max(v, K, whole IN_TEAM GHOST_ARGS(n, x, b));
  //@ assert m == RowTop{Pre}(x,b,n);
  //@ ghost L0: ;
  masked_keep_all(v, K, m IN_TEAM GHOST_ARGS(n, x, b));
  //@ ghost L1: ;
  //@ assert Same{L0,L1}(x,n) && Same{L0,L1}(b,n) && no_mark(x,n);
  //@ assert Same{Pre,L1}(x,n) && Same{Pre,L1}(b,n);
  //@ assert kept: open_vecs{L0,L1}(&v[0], x, b, m, n, 0, mul(K,team));
  //@ assert here: open_vecs{L1,L1}(&v[0], x, b, m, n, 0, mul(K,team));
  s = masked_sum(v, K, whole IN_TEAM GHOST_ARGS(n, m, x, b));
  //@ assert s == OpenSumExp{Pre}(x,b,m,n);
  t = masked_closing(s);
  masked_store_all(v, K, n, aligned, t, y IN_TEAM GHOST_ARGS(m, x, b));
  //@ assert Same{L1,Pre}(x,n) && Same{L1,Pre}(b,n);
  //@ assert stored: masked_done{L1,Here}(y, x, b, m, t, n, n);
  //@ assert row: masked_done{Pre,Here}(y, x, b, m, t, n, n);
  /*@ assert one: \forall integer c; 0 <= c < n ==>
        Shared{Pre}(x,b,m,t,n,c) == MaskedSoftmax{Pre}(x,b,n,c); */
}

/* Row r, where there is one. */
/*@ requires a_team(whole,team) && team_fits(K,team,cols) && 0 < cols && 0 <= r && 0 <= rows;
    requires masked_tensors(x,b,y,rows,cols,aligned);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures r < rows ==> masked_at{Pre,Post}(x,b,y,cols,r);
    ensures same_rows{Pre,Post}(y,cols,lesser(r,rows)); */
DEV void masked_nth(int K, int aligned, int whole, idx r, idx rows, int cols,
                    const float *RESTRICT x, const float *RESTRICT b, float *RESTRICT y TEAM_FN)
{
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
  //@ assert aligned: aligned != 0 ==> aligned16(x+o) && aligned16(b+o) && aligned16(y+o);
  //@ assert perm_all: perm_r(x,ix(rows,cols,0)) && perm_r(b,ix(rows,cols,0));
  //@ assert perm_y: perm_w(y,ix(rows,cols,0));
  //@ assert perm_row: perm_r(x+o,n) && perm_r(b+o,n) && perm_w(y+o,n);
  //@ assert in: row_in(x+o,n,aligned) && row_in(b+o,n,aligned);
  //@ assert unmarked: no_mark(x+o,n);
  masked_row(K, aligned, whole, n, x + o, b + o, y + o IN_TEAM);
  /*@ assert here: \forall integer c; 0 <= c < n ==>
        y[o+c] == MaskedSoftmax{Pre}(x+o,b+o,n,c); */
  //@ assert cell: r < rows ==> \forall integer c; 0 <= c < cols ==> ix(r,cols,c) == o+c;
  //@ assert new: r < rows ==> masked_at{Pre,Here}(x,b,y,cols,r);
}

/* Block r does row r, with K vectors a thread. VEC: all tensors are 16-byte aligned and cols a
 * multiple of 4; WHOLE: threads of a block that the row fills, or 0. */
/*@ requires block && team_fits(K,bdim_,cols) && 0 < cols && 0 <= rows <= IDX_LIM;
    requires ix(rows,1,0) <= BLOCKS && masked_tensors(x,b,y,rows,cols,VEC);
    requires whole_row(WHOLE,K,cols);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures masked_rows{Pre,Post}(x,b,y,cols,rows); */
TEMPLATE(int K, int VEC, int WHOLE)
KERNEL void WHOLE_THREADS(WHOLE, 1536, 512, 0)
    masked_softmax_regs(CONSTANTS(int K, int VEC, int WHOLE) idx rows, int cols,
                        const float *RESTRICT x, const float *RESTRICT b, float *RESTRICT y)
{
  WHOLE_ROW(WHOLE, K, cols);
  BLOCK_TEAM;
  /*@ loop invariant 0 <= r <= rows;
      loop invariant masked_rows{Pre,Here}(x,b,y,cols,r);
      loop assigns r, y[0 .. ix(rows,cols,0)-1];
      loop variant rows - r; */
  BROWS(r, rows, 1) {
    //@ assert all: Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(b,ix(rows,cols,0));
    //@ assert next: 0 <= ix(r,cols,0) && ix(r+1,cols,0) == ix(r,cols,0) + cols;
    //@ assert inside: ix(r+1,cols,0) <= ix(rows,cols,0);
    //@ assert row: masked_same{Pre,Here}(x,b,cols,r);
    masked_nth(K, VEC, 1, r, rows, cols, x, b, y IN_TEAM);
    //@ assert value: masked_at{LoopCurrent,Here}(x,b,y,cols,r);
    //@ assert same: masked_same{LoopCurrent,Pre}(x,b,cols,r);
    //@ assert new: masked_at{Pre,Here}(x,b,y,cols,r);
    //@ assert old: masked_rows{Pre,Here}(x,b,y,cols,r);
  }
}

/* A team of 2^log_lanes lanes a row, with K vectors a lane. */
/*@ requires block && 0 <= log_lanes <= 5 && team_fits(K,TeamOf(log_lanes),cols) && 0 < cols;
    requires 0 <= rows <= IDX_LIM && rows <= ix(BLOCKS,bdim_/TeamOf(log_lanes),0);
    requires masked_tensors(x,b,y,rows,cols,VEC);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures masked_rows{Pre,Post}(x,b,y,cols,rows); */
TEMPLATE(int K, int VEC)
KERNEL void masked_softmax_warp(CONSTANTS(int K, int VEC) int log_lanes, idx rows, int cols,
                                const float *RESTRICT x, const float *RESTRICT b, float *RESTRICT y)
{
  WARP_TEAM(log_lanes);
  /*@ loop invariant 0 <= r <= all_ && rows <= all_;
      loop invariant masked_rows{Pre,Here}(x,b,y,cols,lesser(r,rows));
      loop assigns r, y[0 .. ix(rows,cols,0)-1];
      loop variant all_ - r; */
  TEAMS(r, rows)
  {
    //@ assert all: Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(b,ix(rows,cols,0));
    //@ assert next: 0 <= ix(r,cols,0) && ix(r+1,cols,0) == ix(r,cols,0) + cols;
    //@ assert inside: r < rows ==> ix(r+1,cols,0) <= ix(rows,cols,0);
    //@ assert row: r < rows ==> masked_same{Pre,Here}(x,b,cols,r);
    masked_nth(K, VEC, 0, r, rows, cols, x, b, y IN_TEAM);
    //@ assert value: r < rows ==> masked_at{LoopCurrent,Here}(x,b,y,cols,r);
    //@ assert same: r < rows ==> masked_same{LoopCurrent,Pre}(x,b,cols,r);
    //@ assert new: r < rows ==> masked_at{Pre,Here}(x,b,y,cols,r);
    //@ assert old: masked_rows{Pre,Here}(x,b,y,cols,lesser(r,rows));
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "launch.h"

#define MASKED_RUN(kernel, k, grid, block, ...)                     \
  do {                                                              \
    if (vec)                                                        \
      LAUNCH((kernel<k, 1>), grid, block, ex->stream, __VA_ARGS__); \
    else                                                            \
      LAUNCH((kernel<k, 0>), grid, block, ex->stream, __VA_ARGS__); \
  } while (0)

extern "C" void LAUNCHER(masked_softmax_regs)(const pm_exec *ex, int k, int vec, int block,
                                              int64_t rows, int64_t cols, const float *x,
                                              const float *mask, float *y)
{
  int w = (int)cols;
#define RUN(K, VEC, WHOLE) \
  LAUNCH((masked_softmax_regs<K, VEC, WHOLE>), rows, block, ex->stream, rows, w, x, mask, y)
  WITH_WHOLE(RUN, k, vec, block, cols)
}

extern "C" void LAUNCHER(masked_softmax_warp)(const pm_exec *ex, int k, int vec, int log_lanes,
                                              int64_t grid, int block, int64_t rows, int64_t cols,
                                              const float *x, const float *mask, float *y)
{
  int w = (int)cols;
  if (k == 2)
    MASKED_RUN(masked_softmax_warp, 2, grid, block, log_lanes, rows, w, x, mask, y);
  else
    MASKED_RUN(masked_softmax_warp, 4, grid, block, log_lanes, rows, w, x, mask, y);
}
#endif
