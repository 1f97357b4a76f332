/* Logical warps of a block: the teams (team.h) that are parts of warps, and what they leave to
 * the block.
 *   TEAMS_EACH           teams of a block, where WARP_TEAM says how many lanes each has
 *   TEAMS_FN, IN_TEAMS   parameter and argument of a function that a block of such teams runs
 *   BLOCK_TEAMS(g)       every such team of the block
 *   TEAM_PART(v, g)      of a register v of the block's lanes, those of team g */
#ifndef PM_COLLECTIVE_TEAM_BLOCK_H
#define PM_COLLECTIVE_TEAM_BLOCK_H
#include "team.h"

/*@ predicate fills(integer n, integer team) = 0 < n / team <= n && n / team * team == n;
    lemma fills_1: \forall integer n; 0 < n ==> n % 32 == 0 ==> fills(n,1);
    lemma fills_2: \forall integer n; 0 < n ==> n % 32 == 0 ==> fills(n,2);
    lemma fills_4: \forall integer n; 0 < n ==> n % 32 == 0 ==> fills(n,4);
    lemma fills_8: \forall integer n; 0 < n ==> n % 32 == 0 ==> fills(n,8);
    lemma fills_16: \forall integer n; 0 < n ==> n % 32 == 0 ==> fills(n,16);
    lemma fills_32: \forall integer n; 0 < n ==> n % 32 == 0 ==> fills(n,32);
    lemma fills_few: \forall integer n, team; few(team) ==> 0 < n ==> n % 32 == 0 ==> fills(n,team);
    lemma teams_fill: \forall integer n, team; few(team) ==> 0 < n ==> n % 32 == 0 ==>
      0 < n / team <= n && ix(n/team,team,0) == n; */
#ifdef __FRAMAC__
#define TEAMS_FN TEAM_FN
#define IN_TEAMS IN_TEAM
#define TEAMS_EACH (BDIM / team)
#define BLOCK_TEAMS(g) for (int g = 0; g < TEAMS_EACH; g++)
#define TEAM_PART(v, g) v + at2(TEAMS_EACH, team, g, 0)
#else
#define TEAMS_FN TEAM_FN, const int log_team_
#define IN_TEAMS IN_TEAM, log_team_
#define TEAMS_EACH (BDIM >> log_team_)
#define BLOCK_TEAMS(g) for (int g = TID_ >> log_team_, onceg_ = 1; onceg_; onceg_ = 0)
#define TEAM_PART(v, g) v
#endif
#endif
