/* Owners of the rows of a tensor, for owned.h: a row is dealt in vectors of four to the threads of a
 * block, or of a team that is part of a warp (collective/team.h); vector q of it is of thread q mod n,
 * where they are n. For Frama-C alone.
 *
 *   own_rows(y, rows, cols)             block r has row r
 *   own_team_rows(y, rows, cols, team)  team r of so many lanes has it
 *   has_row(y, n, lanes, b, first)      a row, of lanes that are the threads from `first` on of block b */
#ifndef PM_LANG_OWNED_ROWS_H
#define PM_LANG_OWNED_ROWS_H
#include "kernel.h"

/* A team is said to run as what it is, threads of a block: those from team_first(r,team) on of block
 * team_block(r,team). Of the two no more is known, and no more is needed. */
/*@ axiomatic Dealt {
      logic integer dealt(integer c, integer lanes) reads \nothing; // which of them has element c
      axiom dealt_def: \forall integer c, lanes; dealt(c,lanes) == (c / 4) % lanes;
      logic integer team_block(integer r, integer team) reads \nothing;
      logic integer team_first(integer r, integer team) reads \nothing;
    }
    lemma deal_div: \forall integer q, n; 0 <= q ==> 0 < n ==> ix(q / n,n,q % n) == q;
    lemma deal_mod: \forall integer q, n; 0 <= q ==> 0 < n ==> 0 <= q % n < n;
    lemma deal_ix: \forall integer j, t, n, q; 0 <= q ==> 0 <= t < n ==> q == ix(j,n,t) ==>
      q % n == t;
    lemma deal_round: \forall integer j, n, q; 0 <= q ==> 0 <= q - mul(j,n) < n ==>
      ix(j,n,q - mul(j,n)) == q && q % n == q - mul(j,n);
    lemma dealt_near: \forall integer j, n, k; 0 <= j ==> 0 < n ==>
      4*mul(j,n) <= k < 4*(mul(j,n)+n) ==>
      4*dealt(k,n) <= k - 4*mul(j,n) < 4*dealt(k,n) + 4;
    predicate dealt_row(float *y, integer n, integer lanes, integer b, integer first) =
      \forall integer c; 0 <= c < n ==> owner(y+c,b,first + dealt(c,lanes)); */
/* Where everybody owns (launch_framac.h) these lemmas say nothing, and WP fails on them. */
#ifndef PROVE_LAUNCHERS
/*@ // the same without a division: of the vectors of round j each lane has its own
    predicate has_row(float *y, integer n, integer lanes, integer b, integer first) =
      0 <= first <= MAXB && \forall integer j, k; 0 <= j ==> 0 <= k < n ==>
        4*mul(j,lanes) <= k < 4*(mul(j,lanes)+lanes) ==> own_b(y+k) == b &&
        4*(own_t(y+k)-first) <= k - 4*mul(j,lanes) < 4*(own_t(y+k)-first) + 4;
    lemma row_lane: \forall float *y, integer n, lanes, b, first, j, k;
      dealt_row(y,n,lanes,b,first) ==> 0 <= j ==> 0 < lanes ==> 0 <= k < n ==>
      4*mul(j,lanes) <= k < 4*(mul(j,lanes)+lanes) ==> own_b(y+k) == b &&
      4*(own_t(y+k)-first) <= k - 4*mul(j,lanes) < 4*(own_t(y+k)-first) + 4;
    lemma row_has: \forall float *y, integer n, lanes, b, first; 0 < lanes ==> 0 <= first <= MAXB ==>
      dealt_row(y,n,lanes,b,first) ==> has_row(y,n,lanes,b,first); */
#endif
/*@ predicate own_rows{L}(float *y, integer rows, integer cols) =
      held(y,ix(rows,cols,0)) && (\forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        owner(y+(ix(r,cols,0)+c),r,dealt(c,bdim_)));
    predicate own_team_rows{L}(float *y, integer rows, integer cols, integer team) =
      held(y,ix(rows,cols,0)) && (\forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        owner(y+(ix(r,cols,0)+c),team_block(r,team),team_first(r,team) + dealt(c,team))); */
#ifndef PROVE_LAUNCHERS
/*@ lemma rows_row{L}: \forall float *y, integer rows, cols, r; own_rows(y,rows,cols) ==>
      0 <= r < rows ==> dealt_row(y+ix(r,cols,0),cols,bdim_,r,0);
    lemma team_rows_row{L}: \forall float *y, integer rows, cols, team, r;
      own_team_rows(y,rows,cols,team) ==> 0 <= r < rows ==>
      dealt_row(y+ix(r,cols,0),cols,team,team_block(r,team),team_first(r,team)); */
#endif
/*@ requires 0 <= r && team == dealt_to; assigns \nothing; ensures \result == team_block(r,team); */
idx team_block_(idx r, int team, idx dealt_to);
/*@ requires 0 <= r && team == dealt_to; assigns \nothing;
    ensures \result == team_first(r,team) && 0 <= \result < MAXB; */
idx team_first_(idx r, int team, idx dealt_to);
#endif
