/* A row a team of lanes of a warp: how many lanes, and how many vectors of four each has. */
#ifndef PM_ROW_LANES_H
#define PM_ROW_LANES_H
#include "../lang/kernel.h"

enum {
  WARP_BLOCK = 128,
  WARP_K = 4, /* vectors of 4 that a thread holds, at most */
  WARP_COLS = 32 * 4 * WARP_K
};

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
/*@ // lanes by their logarithm, and that of a row's; teams that a block has
    logic integer LanesOf(integer log) =
      log <= 0 ? 1 : log == 1 ? 2 : log == 2 ? 4 : log == 3 ? 8 : log == 4 ? 16 : 32;
    logic integer LogLanes(integer cols) =
      cols <= 8 ? 0 : cols <= 16 ? 1 : cols <= 32 ? 2 : cols <= 64 ? 3 : cols <= 128 ? 4 : 5;
    logic integer TeamsOf(integer log) = WARP_BLOCK / LanesOf(log);
    logic integer TeamK(integer cols) = cols <= 32*4*2 ? 2 : WARP_K;
    logic integer DivideUp(integer a, integer b) = a / b + (a % b != 0 ? 1 : 0);
    lemma divide_up_has: \forall integer a, b; 0 <= a ==> 0 < b ==> a <= b * DivideUp(a,b);
    lemma lanes_have: \forall integer cols; cols <= WARP_COLS ==>
      cols <= 4*(TeamK(cols)*LanesOf(LogLanes(cols))); */
/* Lanes of a row's group: two vectors a lane, as long as there are enough of them. */
/*@ assigns \nothing; ensures \result == LogLanes(cols) && 0 <= \result <= 5; */
static inline int warp_log_lanes(int64_t cols)
{
  return cols <= 8 ? 0 : cols <= 16 ? 1 : cols <= 32 ? 2 : cols <= 64 ? 3 : cols <= 128 ? 4 : 5;
}

/* Groups of a block. */
/*@ requires 0 <= log <= 5;
    assigns \nothing;
    ensures \result == TeamsOf(log) && 4 <= \result <= WARP_BLOCK; */
static inline int warp_teams(int log)
{
  int lanes = log == 0 ? 1 : log == 1 ? 2 : log == 2 ? 4 : log == 3 ? 8 : log == 4 ? 16 : 32;
  return WARP_BLOCK / lanes;
}

/* The least of 2, 4 vectors that suffices for up to WARP_COLS. */
/*@ assigns \nothing; ensures \result == TeamK(cols) && (\result == 2 || \result == 4); */
static inline int warp_k(int64_t cols) { return cols <= 32 * 4 * 2 ? 2 : WARP_K; }
#endif
#endif
