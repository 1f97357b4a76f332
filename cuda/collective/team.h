/* Cooperative groups (CUB's logical warps), here called teams: the threads that share a row. A
 * team is a whole block, or one of the groups of 1, 2, 4, .. 32 lanes into which a block falls,
 * by one text. Frama-C reads one team after another, and of one its lanes one after another, as
 * it does a block's (lang/kernel.h).
 *
 *   TEAM_FN, IN_TEAM     parameter and argument of a function that a team runs: `team` has its
 *                        lanes
 *   EACH_TEAM_THREAD(t)        every lane of the team, no barrier
 *   TEAM_REG(v, j, k0, t)   REG of a lane of a team; k0 == mul(j, team)
 *   BLOCK_TEAM           here the block is a team
 *   WARP_TEAM(log)      here 2^log lanes are, up to 32
 *   TEAMS(r, m)          every such team r of the grid; m of them are needed
 *   TEAM_XOR(d, v, m)    d of lane l = v of lane l xor m, m less than a team's lanes; outside
 *                        EACH_TEAM_THREAD, and where every lane of the warp comes by
 *   TEAM_UNIFORM(v)      the value that all lanes of the team hold
 *   IN_TEAM_OF(r)        IN_TEAM where TEAMS(r, m) calls; IN_TEAM_THREAD(t)  argument for a THREAD_FN
 *                        in EACH_TEAM_THREAD(t): where cells have owners (lang/owned.h), who runs
 *   team_max, team_sum   over the team, whichever it is */
#ifndef PM_COLLECTIVE_TEAM_H
#define PM_COLLECTIVE_TEAM_H
#include "block_max.h"

/*@ // threads of a team that is part of a warp, the steps of a butterfly over it, and those of any
    logic integer TeamOf(integer log) =
      log <= 0 ? 1 : log == 1 ? 2 : log == 2 ? 4 : log == 3 ? 8 : log == 4 ? 16 : 32;
    predicate few(integer n) = n == 1 || n == 2 || n == 4 || n == 8 || n == 16 || n == 32;
    predicate step_of(integer m, integer n) =
      (m == 1 || m == 2 || m == 4 || m == 8 || m == 16) && few(n) && m < n;
    predicate a_team(integer whole, integer n) =
      whole != 0 ? block && n == bdim_ : few(n); */
#ifdef __FRAMAC__
#ifdef PM_OWNED /* lane t is thread first_ + t of block mb_ */
#include "../lang/owned_rows.h"
#define TEAM_FN , int team, idx mb_, idx first_
#define IN_TEAM , team, mb_, first_
#define IN_TEAM_OF(r) , team, team_block_(r, team, r##_team_), team_first_(r, team, r##_team_)
#define EACH_TEAM_THREAD(t) for (int t##_lane_ = 0, t = 0; t < team; t++)
#define IN_TEAM_THREAD(t) , mb_, first_ + t + t##_lane_
#define BLOCK_TEAM \
  int team = BDIM; \
  idx first_ = 0
#define TEAMS(r, m) for (idx r##_team_ = team, r = 0, all_ = teams_(m, team); r < all_; r++)
#else
#define TEAM_FN , int team
#define IN_TEAM , team
#define IN_TEAM_OF(r) IN_TEAM
#define EACH_TEAM_THREAD(t) for (int t = 0; t < team; t++)
#define IN_TEAM_THREAD(t)
#define BLOCK_TEAM int team = BDIM
#define TEAMS(r, m) for (idx r = 0, all_ = teams_(m, team); r < all_; r++)
#endif
#define TEAM_REG(v, j, k0, t) v[team_reg_(j, k0, team) + (t)]
#define WARP_TEAM(log) int team = team_of_(log)
#define TEAM_XOR(d, v, m) team_xor_(d, v, m, team)
#define TEAM_UNIFORM(v) team_uniform_(v, team)
/*@ requires k0 == mul(j,team); assigns \nothing; ensures \result == k0; */
int team_reg_(int j, int k0, int team);
/*@ requires 0 <= log <= 5; assigns \nothing; ensures \result == TeamOf(log) && few(\result); */
int team_of_(int log);
/*@ requires block && few(team) && 0 <= m <= IDX_LIM && m <= ix(blocks_,bdim_/team,0);
    assigns \nothing;
    ensures m <= \result <= IDX_LIM; */
idx teams_(idx m, int team);
/*@ requires step_of(m,team) && \valid(d + (0 .. team-1)) && \valid_read(v + (0 .. team-1));
    requires \separated(d + (0 .. team-1), v + (0 .. team-1));
    assigns d[0 .. team-1];
    ensures \forall integer l; 0 <= l < team ==> d[l] == v[lx(l,m)]; */
void team_xor_(float *d, const float *v, int m, int team);
/*@ requires 0 < team && \valid_read(v + (0 .. team-1));
    requires \forall integer l; 0 <= l < team ==> v[l] == v[0];
    assigns \nothing;
    ensures \result == v[0]; */
float team_uniform_(const float *v, int team);
#else
#define TEAM_FN , [[maybe_unused]] int team, [[maybe_unused]] int lane_
#define IN_TEAM , team, lane_
#define IN_TEAM_OF(r) IN_TEAM
#define IN_TEAM_THREAD(t)
#define EACH_TEAM_THREAD(t) for ([[maybe_unused]] int t = lane_, once_ = 1; once_; once_ = 0)
#define TEAM_REG(v, j, k0, t) REG(v, j, k0, t)
#define BLOCK_TEAM [[maybe_unused]] const int team = BDIM, lane_ = TID_
#define WARP_TEAM(log) const int log_team_ = (log), team = 1 << log_team_, lane_ = TID_ & (team - 1)
#define TEAMS(r, m)                                                                             \
  for (idx r = (idx)blockIdx.x * (BDIM >> log_team_) + (TID_ >> log_team_), onces_ = 1; onces_; \
       onces_ = 0)
#define TEAM_XOR(d, v, m) SHFL_XOR(d, v, m)
#define TEAM_UNIFORM(v) (v)
#endif

#if !defined(__FRAMAC__) || defined(PROVE_TEAM)
/*@ // the butterflies of block_sum.h and block_max.h, where the lanes are few
    lemma team_in_1: \forall integer l, n; n % 2 == 0 ==> 0 <= l < n ==> 0 <= lx(l,1) < n;
    lemma team_in_2: \forall integer l, n; n % 4 == 0 ==> 0 <= l < n ==> 0 <= lx(l,2) < n;
    lemma team_in_4: \forall integer l, n; n % 8 == 0 ==> 0 <= l < n ==> 0 <= lx(l,4) < n;
    lemma team_in_8: \forall integer l, n; n % 16 == 0 ==> 0 <= l < n ==> 0 <= lx(l,8) < n;
    lemma team_in_16: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> 0 <= lx(l,16) < n;
    lemma team_in: \forall integer l, m, n; step_of(m,n) ==> 0 <= l < n ==> 0 <= lx(l,m) < n;
    lemma team_top_1{L0,L1,L2}: \forall float *v, integer n; step_of(1,n) ==>
      tops{L0,L1}(v,n,1) ==> mfly{L1,L2}(v,n,1) ==> tops{L0,L2}(v,n,2);
    lemma team_top_2{L0,L1,L2}: \forall float *v, integer n; step_of(2,n) ==>
      tops{L0,L1}(v,n,2) ==> mfly{L1,L2}(v,n,2) ==> tops{L0,L2}(v,n,4);
    lemma team_top_4{L0,L1,L2}: \forall float *v, integer n; step_of(4,n) ==>
      tops{L0,L1}(v,n,4) ==> mfly{L1,L2}(v,n,4) ==> tops{L0,L2}(v,n,8);
    lemma team_top_8{L0,L1,L2}: \forall float *v, integer n; step_of(8,n) ==>
      tops{L0,L1}(v,n,8) ==> mfly{L1,L2}(v,n,8) ==> tops{L0,L2}(v,n,16);
    lemma team_top_16{L0,L1,L2}: \forall float *v, integer n; step_of(16,n) ==>
      tops{L0,L1}(v,n,16) ==> mfly{L1,L2}(v,n,16) ==> tops{L0,L2}(v,n,32);
    // case by case: the provers do not put a step for its name
    predicate tops_by{L0,L}(float *v, integer n, integer m) =
      (m == 1 ==> tops{L0,L}(v,n,1)) && (m == 2 ==> tops{L0,L}(v,n,2)) &&
      (m == 4 ==> tops{L0,L}(v,n,4)) && (m == 8 ==> tops{L0,L}(v,n,8)) &&
      (m == 16 ==> tops{L0,L}(v,n,16)) && (m == 32 ==> tops{L0,L}(v,n,32));
    predicate mfly_by{L1,L2}(float *v, integer n, integer m) =
      (m == 1 ==> mfly{L1,L2}(v,n,1)) && (m == 2 ==> mfly{L1,L2}(v,n,2)) &&
      (m == 4 ==> mfly{L1,L2}(v,n,4)) && (m == 8 ==> mfly{L1,L2}(v,n,8)) &&
      (m == 16 ==> mfly{L1,L2}(v,n,16));
    lemma team_top{L0,L1,L2}: \forall float *v, integer m, n; step_of(m,n) ==>
      tops_by{L0,L1}(v,n,m) ==> mfly_by{L1,L2}(v,n,m) ==> tops_by{L0,L2}(v,n,2*m);
    lemma team_under{L0,L1,L2}: \forall float *v, integer m, n; step_of(m,n) ==>
      under{L0,L1}(v,n) ==> mfly{L1,L2}(v,n,m) ==> under{L0,L2}(v,n);
    lemma of_8: \forall integer l, k; 0 <= l < 8 ==> 0 <= k < 8 ==> l / 8 == k / 8;
    lemma of_16: \forall integer l, k; 0 <= l < 16 ==> 0 <= k < 16 ==> l / 16 == k / 16;
    lemma top_in_8{L0,L}: \forall float *v, integer l, k; tops{L0,L}(v,8,8) ==>
      0 <= l < 8 ==> 0 <= k < 8 ==> l / 8 == k / 8 ==> \at(v[k],L0) <= \at(v[l],L);
    lemma top_in_16{L0,L}: \forall float *v, integer l, k; tops{L0,L}(v,16,16) ==>
      0 <= l < 16 ==> 0 <= k < 16 ==> l / 16 == k / 16 ==> \at(v[k],L0) <= \at(v[l],L);
    lemma top_of_16{L0,L}: \forall float *v, integer l, k; tops{L0,L}(v,16,16) ==>
      0 <= l < 16 ==> 0 <= k < 16 ==> \at(v[k],L0) <= \at(v[l],L);
    lemma team_all_1{L0,L}: \forall float *v; tops{L0,L}(v,1,1) ==> top_of_all{L0,L}(v,1);
    lemma team_all_2{L0,L}: \forall float *v; tops{L0,L}(v,2,2) ==> top_of_all{L0,L}(v,2);
    lemma team_all_4{L0,L}: \forall float *v; tops{L0,L}(v,4,4) ==> top_of_all{L0,L}(v,4);
    lemma team_all_8{L0,L}: \forall float *v; tops{L0,L}(v,8,8) ==> top_of_all{L0,L}(v,8);
    lemma team_all_16{L0,L}: \forall float *v; tops{L0,L}(v,16,16) ==> top_of_all{L0,L}(v,16);
    lemma team_all{L0,L}: \forall float *v, integer n; few(n) ==> tops_by{L0,L}(v,n,n) ==>
      top_of_all{L0,L}(v,n);
    lemma team_tree_1{L0,L1,L2}: \forall float *v, integer n; step_of(1,n) ==>
      wst{L0,L1}(v,n,0,1) ==> bfly{L1,L2}(v,n,1) ==> wst{L0,L2}(v,n,1,2);
    lemma team_tree_2{L0,L1,L2}: \forall float *v, integer n; step_of(2,n) ==>
      wst{L0,L1}(v,n,1,2) ==> bfly{L1,L2}(v,n,2) ==> wst{L0,L2}(v,n,2,4);
    lemma team_tree_4{L0,L1,L2}: \forall float *v, integer n; step_of(4,n) ==>
      wst{L0,L1}(v,n,2,4) ==> bfly{L1,L2}(v,n,4) ==> wst{L0,L2}(v,n,3,8);
    lemma team_tree_8{L0,L1,L2}: \forall float *v, integer n; step_of(8,n) ==>
      wst{L0,L1}(v,n,3,8) ==> bfly{L1,L2}(v,n,8) ==> wst{L0,L2}(v,n,4,16);
    lemma team_tree_16{L0,L1,L2}: \forall float *v, integer n; step_of(16,n) ==>
      wst{L0,L1}(v,n,4,16) ==> bfly{L1,L2}(v,n,16) ==> wst{L0,L2}(v,n,5,32);
    predicate tree_by{L0,L}(float *v, integer n, integer m) =
      (m == 1 ==> wst{L0,L}(v,n,0,1)) && (m == 2 ==> wst{L0,L}(v,n,1,2)) &&
      (m == 4 ==> wst{L0,L}(v,n,2,4)) && (m == 8 ==> wst{L0,L}(v,n,3,8)) &&
      (m == 16 ==> wst{L0,L}(v,n,4,16)) && (m == 32 ==> wst{L0,L}(v,n,5,32));
    predicate bfly_by{L1,L2}(float *v, integer n, integer m) =
      (m == 1 ==> bfly{L1,L2}(v,n,1)) && (m == 2 ==> bfly{L1,L2}(v,n,2)) &&
      (m == 4 ==> bfly{L1,L2}(v,n,4)) && (m == 8 ==> bfly{L1,L2}(v,n,8)) &&
      (m == 16 ==> bfly{L1,L2}(v,n,16));
    lemma team_tree{L0,L1,L2}: \forall float *v, integer m, n; step_of(m,n) ==>
      tree_by{L0,L1}(v,n,m) ==> bfly_by{L1,L2}(v,n,m) ==> tree_by{L0,L2}(v,n,2*m);
    predicate is_sum{L0,L}(float *v, integer n) =
      \forall integer l; 0 <= l < n ==> \at(v[l],L) == SumR{L0}(v,0,n);
    lemma node_16: \forall integer l; 0 <= l < 16 ==> l / 16 == 0;
    lemma tree_in_16{L0,L}: \forall float *v, integer l; wst{L0,L}(v,16,4,16) ==>
      0 <= l < 16 ==> \at(v[l],L) == tree{L0}(v,4,l / 16);
    lemma tree_16{L}: \forall float *v; tree{L}(v,4,0) == SumR{L}(v,0,16);
    lemma team_sums_1{L0,L}: \forall float *v; wst{L0,L}(v,1,0,1) ==> is_sum{L0,L}(v,1);
    lemma team_sums_2{L0,L}: \forall float *v; wst{L0,L}(v,2,1,2) ==> is_sum{L0,L}(v,2);
    lemma team_sums_4{L0,L}: \forall float *v; wst{L0,L}(v,4,2,4) ==> is_sum{L0,L}(v,4);
    lemma team_sums_8{L0,L}: \forall float *v; wst{L0,L}(v,8,3,8) ==> is_sum{L0,L}(v,8);
    lemma team_sums_16{L0,L}: \forall float *v; wst{L0,L}(v,16,4,16) ==> is_sum{L0,L}(v,16);
    lemma team_sums_32{L0,L}: \forall float *v; wst{L0,L}(v,32,5,32) ==> is_sum{L0,L}(v,32);
    lemma team_sums{L0,L}: \forall float *v, integer n; few(n) ==> tree_by{L0,L}(v,n,n) ==>
      is_sum{L0,L}(v,n); */

/* v of lane l becomes the larger of v of l and v of l xor m. */
/*@ requires step_of(m,team) && \valid(v + (0 .. team-1));
    assigns v[0 .. team-1];
    ensures mfly{Pre,Post}(v, team, m) && mfly_by{Pre,Post}(v, team, m); */
DEV void team_xor_max(PER_THREAD(float, v), int m TEAM_FN)
{
  PRIVATE(float, d);
  TEAM_XOR(d, v, m);
  /*@ loop invariant 0 <= t <= team;
      loop invariant \forall integer l; 0 <= l < t ==> v[l] == Larger(\at(v[l],Pre), d[l]);
      loop invariant \forall integer l; t <= l < team ==> v[l] == \at(v[l],Pre);
      loop assigns t, v[0 .. team-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t) AT(v, t) = larger(AT(v, t), AT(d, t));
}

/* v of lane l becomes v of lane l + v of lane l xor m. */
/*@ requires step_of(m,team) && \valid(v + (0 .. team-1));
    assigns v[0 .. team-1];
    ensures bfly{Pre,Post}(v, team, m) && bfly_by{Pre,Post}(v, team, m); */
DEV void team_xor_add(PER_THREAD(float, v), int m TEAM_FN)
{
  PRIVATE(float, d);
  TEAM_XOR(d, v, m);
  /*@ loop invariant 0 <= t <= team;
      loop invariant \forall integer l; 0 <= l < t ==> v[l] == \at(v[l],Pre) + d[l];
      loop invariant \forall integer l; t <= l < team ==> v[l] == \at(v[l],Pre);
      loop assigns t, v[0 .. team-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t) AT(v, t) += AT(d, t);
}
#endif

/* The maximum of v over the team; s has 32 words. whole: the team is the block. */
/*@ requires a_team(whole,team) && \valid(v + (0 .. team-1)) && \valid(s + (0 .. 31));
    requires IS_SHARED(s, 32) && \separated(v + (0 .. team-1), s + (0 .. 31));
    assigns v[0 .. team-1], s[0 .. 31];
    ensures \result == \old(RowMax(v, team)); */
DEV float team_max(PER_THREAD(float, v), int whole, float *s TEAM_FN)
#if defined(__FRAMAC__) && !defined(PROVE_TEAM)
    ;
#else
{
  if (whole)
    return block_max(v, s); // lint-ok diverge: by a constant
  //@ assert tops{Pre,Here}(v, team, 1) && under{Pre,Here}(v, team);
  /*@ loop invariant few(m) && m <= team;
      loop invariant tops_by{Pre,Here}(v, team, m);
      loop invariant under{Pre,Here}(v, team);
      loop assigns m, v[0 .. team-1];
      loop variant team - m; */
  for (int m = 1; m < team; m *= 2) {
    //@ assert step_of(m,team);
    team_xor_max(v, m IN_TEAM);
    //@ assert mfly{LoopCurrent,Here}(v, team, m) && mfly_by{LoopCurrent,Here}(v, team, m);
    //@ assert under{Pre,Here}(v, team);
    //@ assert tops_by{Pre,Here}(v, team, 2*m);
  }
  //@ assert each: top_of_all{Pre,Here}(v, team);
  //@ assert one: is_top{Pre,Here}(v, team);
  return TEAM_UNIFORM(v);
}
#endif

/* The sum of v over the team; s has 32 words. whole: the team is the block. */
/*@ requires a_team(whole,team) && \valid(v + (0 .. team-1)) && \valid(s + (0 .. 31));
    requires IS_SHARED(s, 32) && \separated(v + (0 .. team-1), s + (0 .. 31));
    assigns v[0 .. team-1], s[0 .. 31];
    ensures \result == \old(SumR(v, 0, team)); */
DEV float team_sum(PER_THREAD(float, v), int whole, float *s TEAM_FN)
#if defined(__FRAMAC__) && !defined(PROVE_TEAM)
    ;
#else
{
  if (whole)
    return block_sum(v, s); // lint-ok diverge: by a constant
  //@ assert wst{Pre,Here}(v, team, 0, 1);
  /*@ loop invariant few(m) && m <= team;
      loop invariant tree_by{Pre,Here}(v, team, m);
      loop assigns m, v[0 .. team-1];
      loop variant team - m; */
  for (int m = 1; m < team; m *= 2) {
    //@ assert step_of(m,team);
    team_xor_add(v, m IN_TEAM);
    //@ assert bfly_by{LoopCurrent,Here}(v, team, m);
    //@ assert tree_by{Pre,Here}(v, team, 2*m);
  }
  //@ assert each: is_sum{Pre,Here}(v, team);
  return TEAM_UNIFORM(v);
}
#endif
#endif
