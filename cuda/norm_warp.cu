/* layer_norm and rms_norm of rows that wait in the registers of groups of `lanes` threads, up to a
 * warp: x and y are (rows, cols), gamma and beta (cols), mean and rstd (rows). Vector q of a row,
 * elements 4q to 4q+3, is register q / lanes of lane q % lanes of its group; what lies outside the row
 * is 0. A block has a row a group; gamma and beta are read along with x. norm.cu says when. */
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
    predicate warp_places{L}(norm_at *w, integer b, integer m, norm_cut c, integer rows, integer n) =
      \forall integer t; 0 <= t < m ==> warp_place(w[t],b,t,c,rows,n);
    predicate warp_held{L}(float4 *v) = \valid(v + (0 .. KMAX*MAXB-1));
    predicate warp_in{L}(float *x, integer rows, integer n, integer aligned) =
      reads(x,ix(rows,n,0)) && (aligned != 0 ==> aligned16(x) && n % 4 == 0);
    predicate warp_out{L}(float *y, integer rows, integer n, integer aligned) =
      writes(y,ix(rows,n,0)) && (aligned != 0 ==> aligned16(y) && n % 4 == 0);
    lemma warp_four: \forall integer r, n; n % 4 == 0 ==> ix(r,n,0) % 4 == 0;
    lemma warp_regs: \forall integer i, j, t, u, b; 0 <= t < b ==> 0 <= u < b ==>
      (i != j || t != u) ==> ix(i,b,t) != ix(j,b,u);
    // lanes of a group share no vector, groups of a launch no row
    lemma race_warp_lane: \forall integer i, j, l, m, lanes; 0 <= l < lanes ==> 0 <= m < lanes ==>
      l != m ==> mul(i,lanes) + l != mul(j,lanes) + m;
    lemma race_warp_row: \forall integer b, c, g, h, groups; 0 <= g < groups ==>
      0 <= h < groups ==> (b != c || g != h) ==> ix(b,groups,g) != ix(c,groups,h); */

/*@ // a lane's part of the sum of a row, of K vectors; that of the lanes before l together
    logic real VecTerm{L}(integer squares, float *x, real m, integer q, integer n) =
      NormTerm(squares,About(x,m,4*q,n)) + NormTerm(squares,About(x,m,4*q+1,n)) +
      NormTerm(squares,About(x,m,4*q+2,n)) + NormTerm(squares,About(x,m,4*q+3,n));
    logic real LanePart{L}(integer squares, float *x, real m, integer lane, integer lanes,
                           integer n, integer K) =
      K <= 0 ? 0.0 : LanePart(squares,x,m,lane,lanes,n,K-1) +
                     VecTerm(squares,x,m,ix(K-1,lanes,lane),n);
    logic real LaneParts{L}(integer squares, float *x, real m, integer l, integer lanes, integer n,
                            integer K) =
      l <= 0 ? 0.0 : LaneParts(squares,x,m,l-1,lanes,n,K) +
                     LanePart(squares,x,m,l-1,lanes,n,K);
    lemma lane_part_s{L}: \forall integer squares, float *x, real m, integer lane, lanes, n, K;
      0 <= K ==> LanePart(squares,x,m,lane,lanes,n,K+1) ==
        LanePart(squares,x,m,lane,lanes,n,K) + VecTerm(squares,x,m,ix(K,lanes,lane),n);
    lemma vec_term{L}: \forall integer squares, float *x, real m, integer q, n; 0 <= q ==>
      (squares == 0 ==> is_zero(m)) ==> NormSum(squares,x,m,lesser(4*(q+1),n)) ==
        NormSum(squares,x,m,lesser(4*q,n)) + VecTerm(squares,x,m,q,n);
    predicate parts_grow{L}(integer squares, float *x, real m, integer l, integer lanes, integer n,
                            integer K) =
      LaneParts(squares,x,m,l,lanes,n,K+1) == LaneParts(squares,x,m,l,lanes,n,K) +
        (NormSum(squares,x,m,lesser(4*ix(K,lanes,l),n)) -
         NormSum(squares,x,m,lesser(4*ix(K,lanes,0),n)));
    lemma lanes_row{L}: \forall integer l, squares, float *x, real m, integer lanes, n, K;
      0 <= l ==> 0 <= K ==> 0 <= ix(K,lanes,0) ==> (squares == 0 ==> is_zero(m)) ==>
      parts_grow(squares,x,m,l,lanes,n,K);
    lemma lanes_none{L}: \forall integer l, squares, float *x, real m, integer lanes, n;
      is_zero(LaneParts(squares,x,m,l,lanes,n,0));
    predicate lanes_have{L}(integer squares, float *x, real m, integer lanes, integer n, integer K) =
      LaneParts(squares,x,m,lanes,lanes,n,K) == NormSum(squares,x,m,lesser(4*ix(K,lanes,0),n));
    lemma lanes_all{L}: \forall integer K, squares, float *x, real m, integer lanes, n; 0 <= K ==>
      0 < lanes ==> 0 <= n ==> (squares == 0 ==> is_zero(m)) ==>
      lanes_have(squares,x,m,lanes,n,K);
    // v has them from lo on
    predicate has_parts{L0,L}(float *v, integer lo, integer l, integer squares, float *x, real m,
                              integer lanes, integer n, integer K) =
      \forall integer i; 0 <= i < l ==> \at(v[lo+i],L) == LanePart{L0}(squares,x,m,i,lanes,n,K);
    lemma parts_sum{L0,L}: \forall integer l, float *v, integer lo, squares, float *x, real m,
      integer lanes, n, K; 0 <= l ==> has_parts{L0,L}(v,lo,l,squares,x,m,lanes,n,K) ==>
      SumR{L}(v,lo,lo+l) == LaneParts{L0}(squares,x,m,l,lanes,n,K); */

/*@ // the groups' sums
    lemma group_2{L}: \forall float *a, integer g; tree{L}(a,1,g) == SumR{L}(a,2*g,2*g+2);
    lemma group_4{L}: \forall float *a, integer g; tree{L}(a,2,g) == SumR{L}(a,4*g,4*g+4);
    lemma group_8{L}: \forall float *a, integer g; tree{L}(a,3,g) == SumR{L}(a,8*g,8*g+8);
    lemma group_16{L}: \forall float *a, integer g; tree{L}(a,4,g) == SumR{L}(a,16*g,16*g+16);
    predicate group_step{L0,L}(float *v, integer n, integer m) =
      (m == 1 ==> wst{L0,L}(v,n,0,1)) && (m == 2 ==> wst{L0,L}(v,n,1,2)) &&
      (m == 4 ==> wst{L0,L}(v,n,2,4)) && (m == 8 ==> wst{L0,L}(v,n,3,8)) &&
      (m == 16 ==> wst{L0,L}(v,n,4,16)) && (m == 32 ==> wst{L0,L}(v,n,5,32));
    // where the group of t begins
    logic integer group_lo(integer t, integer lanes) = mul(quo(t,lanes),lanes);
    predicate group_sums{L0,L}(float *v, integer n, integer lanes) =
      \forall integer t; 0 <= t < n ==>
        \at(v[t],L) == SumR{L0}(v,group_lo(t,lanes),group_lo(t,lanes)+lanes);
    lemma group_total{L0,L}: \forall float *v, integer n, lanes; warp_lanes(lanes) ==>
      group_step{L0,L}(v,n,lanes) ==> group_sums{L0,L}(v,n,lanes);
    lemma group_member: \forall integer g, i, lanes; 0 <= g ==> 0 <= i < lanes ==>
      quo(mul(g,lanes)+i,lanes) == g && rem(mul(g,lanes)+i,lanes) == i; */

/*@ predicate set_to(float4 v, float4 u) = v.x == u.x && v.y == u.y && v.z == u.z && v.w == u.w;
    // what thread t holds: its vectors of a row of n about m; what the others hold is the same
    predicate warp_vecs{L0,L}(float4 *v, integer B, integer t, integer K, integer lane, integer lanes,
                              float *x, real m, integer n) =
      \forall integer j; 0 <= j < K ==>
        norm_vec{L0}(\at(v[ix(j,B,t)],L), x, m, ix(j,lanes,lane), n);
    lemma warp_vecs_s{L0,L}: \forall float4 *v, integer B, t, j, k, i, q, lane, lanes, float *x,
      real m, integer n; i == ix(j,B,t) ==> q == ix(j,lanes,lane) ==> k == j + 1 ==>
      warp_vecs{L0,L}(v,B,t,j,lane,lanes,x,m,n) ==> norm_vec{L0}(\at(v[i],L),x,m,q,n) ==>
      warp_vecs{L0,L}(v,B,t,k,lane,lanes,x,m,n);
    predicate same_all{L1,L2}(float4 *v) =
      \forall integer q; 0 <= q < KMAX*MAXB ==> \at(v[q],L2) == \at(v[q],L1);
    predicate same_regs{L1,L2}(float4 *v, integer B, integer K) =
      \forall integer j, u; 0 <= j < K ==> 0 <= u < B ==>
        \at(v[ix(j,B,u)],L2) == \at(v[ix(j,B,u)],L1);
    lemma reg_in: \forall integer j, K, u, B; 0 <= j < K <= KMAX ==> 0 <= u < B <= MAXB ==>
      0 <= ix(j,B,u) < KMAX*MAXB;
    lemma regs_all{L1,L2}: \forall float4 *v, integer B, K; K <= KMAX ==> B <= MAXB ==>
      same_all{L1,L2}(v) ==> same_regs{L1,L2}(v,B,K);
    lemma warp_vecs_frame{L1,L2}: \forall float4 *v, integer B, t, K, lane, lanes, float *x, real m,
      integer n; 0 <= t < B ==> 0 <= lane ==> 0 <= lanes ==> same_regs{L1,L2}(v,B,K) ==> Same{L1,L2}(x,n) ==>
      warp_vecs{L1,L1}(v,B,t,K,lane,lanes,x,m,n) ==> warp_vecs{L2,L2}(v,B,t,K,lane,lanes,x,m,n);
    lemma lane_part_frame{L1,L2}: \forall integer K, squares, float *x, real m, integer lane, lanes, n;
      0 <= lane ==> 0 <= lanes ==> Same{L1,L2}(x,n) ==> LanePart{L1}(squares,x,m,lane,lanes,n,K) ==
        LanePart{L2}(squares,x,m,lane,lanes,n,K);
    lemma center_frame{L1,L2}: \forall integer about, float *x, integer n; Same{L1,L2}(x,n) ==>
      Center{L1}(x,about,n) == Center{L2}(x,about,n);
    predicate but_mine{L1,L2}(float4 *v, integer B, integer t) =
      \forall integer j, u; 0 <= u < B ==> u != t ==>
        \at(v[ix(j,B,u)],L2) == \at(v[ix(j,B,u)],L1);
    predicate warp_means{L0,L}(float *m, norm_at *w, integer about, float *x, integer n,
                               integer to) =
      \forall integer t; 0 <= t < to ==> \at(w[t].have,L0) != 0 ==>
        \at(m[t],L) == Center{L0}(x+\at(w[t].at,L0),about,\at(w[t].have,L0));
    // the threads before `to` hold their rows, about their means where `about`
    predicate warp_rows{L0,L}(float4 *v, integer B, norm_at *w, integer about, integer K, integer lanes,
                              float *x, integer n, integer from, integer to) =
      \forall integer t; from <= t < to ==>
        warp_vecs{L0,L}(v,B,t,K,\at(w[t].lane,L0),lanes,x+\at(w[t].at,L0),
                        Center{L0}(x+\at(w[t].at,L0),about,\at(w[t].have,L0)),\at(w[t].have,L0));
    // gamma's, or ones
    predicate gamma_vec{L}(float4 w, float *gamma, integer affine, integer q, integer n) =
      (4*q < n ==> w.x == Either(gamma,affine,1.0,4*q)) &&
      (4*q+1 < n ==> w.y == Either(gamma,affine,1.0,4*q+1)) &&
      (4*q+2 < n ==> w.z == Either(gamma,affine,1.0,4*q+2)) &&
      (4*q+3 < n ==> w.w == Either(gamma,affine,1.0,4*q+3));
    predicate gamma_vecs{L0,L}(float4 *w, integer B, integer t, integer K, integer lane,
                               integer lanes, float *gamma, integer affine, integer n) =
      \forall integer j; 0 <= j < K ==>
        gamma_vec{L0}(\at(w[ix(j,B,t)],L), gamma, affine, ix(j,lanes,lane), n);
    predicate gamma_rows{L0,L}(float4 *v, integer B, norm_at *w, integer K, integer lanes,
                               float *gamma, integer affine, integer to) =
      \forall integer t; 0 <= t < to ==>
        gamma_vecs{L0,L}(v,B,t,K,\at(w[t].lane,L0),lanes,gamma,affine,\at(w[t].have,L0));
    predicate beta_rows{L0,L}(float4 *v, integer B, norm_at *w, integer K, integer lanes,
                              float *beta, integer to) =
      \forall integer t; 0 <= t < to ==>
        warp_vecs{L0,L}(v,B,t,K,\at(w[t].lane,L0),lanes,beta,0.0,\at(w[t].have,L0));
    // t and the i-th thread of its group have one row
    predicate mates{L}(norm_at *w, integer t, integer u, integer i) =
      w[u].at == w[t].at && w[u].have == w[t].have && w[u].lane == i;
    lemma group_in: \forall integer t, i, lanes, groups, B; ix(groups,lanes,0) == B ==>
      0 <= t < B ==> 0 < lanes ==> 0 <= i < lanes ==> 0 <= groups ==>
      0 <= group_lo(t,lanes) && group_lo(t,lanes) + i < B;
    lemma group_mates{L}: \forall norm_at *w, integer b, t, i, rows, n, norm_cut c;
      ix(c.groups,c.lanes,0) == bdim_ ==> 0 <= t < bdim_ ==> 0 < c.lanes ==>
      0 <= i < c.lanes ==> 0 <= c.groups ==> warp_places(w,b,bdim_,c,rows,n) ==>
      mates(w,t,group_lo(t,c.lanes)+i,i);
    predicate warp_parts{L0,L}(float *v, norm_at *w, integer squares, integer about, integer K,
                               integer lanes, float *x, integer n, integer to) =
      \forall integer t; 0 <= t < to ==>
        \at(v[t],L) == LanePart{L0}(squares,x+\at(w[t].at,L0),
          Center{L0}(x+\at(w[t].at,L0),about,\at(w[t].have,L0)),\at(w[t].lane,L0),lanes,\at(w[t].have,L0),K);
    predicate group_parts{L0,L}(float *v, norm_at *w, integer squares, integer about, integer K,
                                integer lanes, float *x, integer n, integer to) =
      \forall integer t; 0 <= t < to ==>
        has_parts{L0,L}(v,group_lo(t,lanes),lanes,squares,x+\at(w[t].at,L0),
          Center{L0}(x+\at(w[t].at,L0),about,\at(w[t].have,L0)),lanes,\at(w[t].have,L0),K);
    predicate all_mates{L}(norm_at *w, integer lanes, integer B) =
      \forall integer t, i; 0 <= t < B ==> 0 <= i < lanes ==> mates(w,t,group_lo(t,lanes)+i,i);
    predicate groups_in(integer lanes, integer B) =
      \forall integer t, i; 0 <= t < B ==> 0 <= i < lanes ==> 0 <= group_lo(t,lanes)+i < B;
    lemma groups_are: \forall integer lanes, groups, B; ix(groups,lanes,0) == B ==> 0 < lanes ==>
      0 <= groups ==> groups_in(lanes,B);
    lemma mates_are{L}: \forall norm_at *w, integer b, rows, n, norm_cut c;
      ix(c.groups,c.lanes,0) == bdim_ ==> 0 < c.lanes ==> 0 <= c.groups ==>
      warp_places(w,b,bdim_,c,rows,n) ==> all_mates(w,c.lanes,bdim_);
    lemma mates_parts{L0,L}: \forall float *v, norm_at *w, integer squares, about, K, lanes,
      float *x, integer n, B; all_mates{L0}(w,lanes,B) ==> groups_in(lanes,B) ==>
      warp_parts{L0,L}(v,w,squares,about,K,lanes,x,n,B) ==>
      group_parts{L0,L}(v,w,squares,about,K,lanes,x,n,B);
    predicate warp_sums{L0,L}(float *v, norm_at *w, integer squares, integer about, float *x,
                              integer n, integer to) =
      \forall integer t; 0 <= t < to ==>
        \at(v[t],L) == NormSum{L0}(squares,x+\at(w[t].at,L0),
          Center{L0}(x+\at(w[t].at,L0),about,\at(w[t].have,L0)),\at(w[t].have,L0)); */

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

/* Register j of thread t. */
/*@ requires block && warp_held(v) && 0 <= t < BDIM && j0 == mul(j,BDIM) && 0 <= j0;
    requires j0 + t < KMAX*MAXB;
    assigns v[0 .. KMAX*MAXB-1];
    ensures set_to(v[ix(j,BDIM,t)],u) && but_vec{Pre,Post}(v,ix(j,BDIM,t)); */
DEV void warp_set(LANEK(float4, v), int j, int j0, int t, float4 u)
{
  //@ assert j0 + t == ix(j,BDIM,t);
  REG(v, j, j0, t) = u;
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
    requires row_in(x,have,aligned) && \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. have-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures warp_vecs{Pre,Post}(v,BDIM,t,K,lane,c.lanes,x,0.0,have) && but_mine{Pre,Post}(v,BDIM,t); */
DEV void warp_load(LANEK(float4, v), int t, int K, norm_cut c, int lane, int have, int aligned,
                   const float *RESTRICT x GHOST_PARAMS(int n))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant q0 == mul(j,c.lanes) && 0 <= q0 <= j*32;
      loop invariant warp_vecs{Pre,Here}(v,BDIM,t,j,lane,c.lanes,x,0.0,have);
      loop invariant but_mine{Pre,Here}(v,BDIM,t) && Same{Pre,Here}(x,have);
      loop assigns j, j0, q0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0, q0 = 0; j < K; j++, j0 += BDIM, q0 += c.lanes) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && mul(j+1,c.lanes) == q0 + c.lanes;
    //@ assert j0 + t == ix(j,BDIM,t) && q0 + lane == ix(j,c.lanes,lane);
    float4 u = warp_vector(q0, lane, have, aligned, x);
    //@ assert norm_vec{Pre}(u,x,0.0,q0+lane,have);
    //@ assert 0 <= j0 + t < KMAX*MAXB;
    warp_set(v, j, j0, t, u);
    //@ assert but_mine{LoopCurrent,Here}(v,BDIM,t);
    //@ assert Same{LoopCurrent,Here}(x,have);
    //@ assert norm_vec{Pre}(v[ix(j,BDIM,t)],x,0.0,ix(j,c.lanes,lane),have);
    //@ assert warp_vecs{Pre,Here}(v,BDIM,t,j,lane,c.lanes,x,0.0,have);
  }
}

/* Of gamma, ones where there is none. */
/*@ requires warp_fits(K,c,n) && warp_have(lane,c,have) && 0 <= t < BDIM && warp_held(w);
    requires affine != 0 ==> row_in(gamma,have,aligned) &&
      \separated(w + (0 .. KMAX*MAXB-1), gamma + (0 .. have-1));
    assigns w[0 .. KMAX*MAXB-1];
    ensures gamma_vecs{Pre,Post}(w,BDIM,t,K,lane,c.lanes,gamma,affine,have);
    ensures but_mine{Pre,Post}(w,BDIM,t); */
DEV void warp_gamma(LANEK(float4, w), int t, int K, norm_cut c, int lane, int have, int aligned,
                    int affine, const float *RESTRICT gamma GHOST_PARAMS(int n))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant q0 == mul(j,c.lanes) && 0 <= q0 <= j*32;
      loop invariant gamma_vecs{Pre,Here}(w,BDIM,t,j,lane,c.lanes,gamma,affine,have);
      loop invariant but_mine{Pre,Here}(w,BDIM,t);
      loop invariant affine != 0 ==> Same{Pre,Here}(gamma,have);
      loop assigns j, j0, q0, w[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0, q0 = 0; j < K; j++, j0 += BDIM, q0 += c.lanes) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && mul(j+1,c.lanes) == q0 + c.lanes;
    //@ assert j0 + t == ix(j,BDIM,t) && q0 + lane == ix(j,c.lanes,lane);
    float4 u = {1, 1, 1, 1};
    if (affine)
      u = warp_vector(q0, lane, have, aligned, gamma);
    //@ assert gamma_vec{Pre}(u,gamma,affine,q0+lane,have);
    //@ assert 0 <= j0 + t < KMAX*MAXB;
    warp_set(w, j, j0, t, u);
    //@ assert but_mine{LoopCurrent,Here}(w,BDIM,t);
    //@ assert affine != 0 ==> Same{LoopCurrent,Here}(gamma,have);
    //@ assert gamma_vec{Pre}(w[ix(j,BDIM,t)],gamma,affine,ix(j,c.lanes,lane),have);
    //@ assert gamma_vecs{Pre,Here}(w,BDIM,t,j,lane,c.lanes,gamma,affine,have);
  }
}

/* The sum of what thread t holds, or of its squares. */
/*@ requires warp_fits(K,c,n) && 0 <= t < BDIM && warp_held(v);
    requires warp_vecs{Pre,Pre}(v,BDIM,t,K,lane,c.lanes,x,Center(x,about,have),have);
    assigns \nothing;
    ensures \result == LanePart(squares,x,Center(x,about,have),lane,c.lanes,have,K); */
DEV float warp_part(LANEK(float4, v), int t, int K,
                    int squares GHOST_PARAMS(norm_cut c, int n, int lane, int have, int about,
                                             const float *x))
{
  float sum = 0.0f;
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant sum == LanePart(squares,x,Center(x,about,have),lane,c.lanes,have,j);
      loop assigns j, j0, sum;
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && j0 + t == ix(j,BDIM,t);
    //@ assert norm_vec(v[ix(j,BDIM,t)],x,Center(x,about,have),ix(j,c.lanes,lane),have);
    sum += norm_four(squares, REG(v, j, j0, t));
  }
  return sum;
}

/* What thread t holds less m. */
/*@ requires warp_fits(K,c,n) && warp_have(lane,c,have) && 0 <= t < BDIM && warp_held(v);
    requires \valid_read(x + (0 .. have-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. have-1));
    requires warp_vecs{Pre,Pre}(v,BDIM,t,K,lane,c.lanes,x,0.0,have);
    assigns v[0 .. KMAX*MAXB-1];
    ensures warp_vecs{Pre,Post}(v,BDIM,t,K,lane,c.lanes,x,m,have) && but_mine{Pre,Post}(v,BDIM,t); */
DEV void warp_minus(LANEK(float4, v), int t, int K, norm_cut c, int lane, int have,
                    float m GHOST_PARAMS(int n, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant q0 == mul(j,c.lanes) && 0 <= q0 <= j*32;
      loop invariant warp_vecs{Pre,Here}(v,BDIM,t,j,lane,c.lanes,x,m,have);
      loop invariant but_mine{Pre,Here}(v,BDIM,t);
      loop invariant from: \forall integer i; j <= i < K ==>
        v[ix(i,BDIM,t)] == \at(v[ix(i,BDIM,t)],Pre);
      loop assigns j, j0, q0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0, q0 = 0; j < K; j++, j0 += BDIM, q0 += c.lanes) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && mul(j+1,c.lanes) == q0 + c.lanes;
    //@ assert j0 + t == ix(j,BDIM,t) && q0 + lane == ix(j,c.lanes,lane);
    float4 u = norm_minus(q0 + lane, have, REG(v, j, j0, t), m);
    //@ assert norm_vec{Pre}(v[ix(j,BDIM,t)],x,0.0,ix(j,c.lanes,lane),have);
    //@ assert norm_vec{Pre}(u,x,m,q0+lane,have);
    //@ assert 0 <= j0 + t < KMAX*MAXB;
    warp_set(v, j, j0, t, u);
    //@ assert but_mine{LoopCurrent,Here}(v,BDIM,t);
    //@ assert norm_vec{Pre}(v[ix(j,BDIM,t)],x,m,ix(j,c.lanes,lane),have);
    //@ assert warp_vecs{Pre,Here}(v,BDIM,t,j,lane,c.lanes,x,m,have);
  }
}

/*@ // element k is of a vector of this lane; what a lane leaves, of the first `to` elements of a row
    logic integer lane_of(integer k, integer lanes) = rem(k / 4, lanes);
    predicate lane_done{L0,L}(float *y, integer lane, integer lanes, integer centered,
                              integer affine, float *x, float *gamma, float *beta, real m, real r,
                              integer to) =
      \forall integer k; 0 <= k < to ==> lane_of(k,lanes) == lane ==>
        \at(y[k],L) == NormOne{L0}(centered,affine,x,gamma,beta,m,r,k);
    predicate lane_else{L1,L2}(float *y, integer lane, integer lanes, integer n) =
      \forall integer k; 0 <= k < n ==> lane_of(k,lanes) != lane ==> \at(y[k],L2) == \at(y[k],L1);
    lemma lane_at: \forall integer j, q, lanes; 0 <= mul(j,lanes) <= q < mul(j,lanes) + lanes ==>
      rem(q,lanes) == q - mul(j,lanes);
    predicate put_vec{L0}(float4 u, integer centered, integer affine, float *x, float *gamma,
                          float *beta, real m, real r, integer q, integer n) =
      (4*q < n ==> u.x == NormOne{L0}(centered,affine,x,gamma,beta,m,r,4*q)) &&
      (4*q+1 < n ==> u.y == NormOne{L0}(centered,affine,x,gamma,beta,m,r,4*q+1)) &&
      (4*q+2 < n ==> u.z == NormOne{L0}(centered,affine,x,gamma,beta,m,r,4*q+2)) &&
      (4*q+3 < n ==> u.w == NormOne{L0}(centered,affine,x,gamma,beta,m,r,4*q+3)); */

/* A vector of y. */
/*@ requires norm_vec(v,x,m,q,n) && gamma_vec(w,gamma,affine,q,n);
    requires centered != 0 ==> norm_vec(b,beta,0.0,q,n);
    assigns \nothing;
    ensures put_vec(\result,centered,affine,x,gamma,beta,m,r,q,n); */
DEV float4 warp_normed(int centered, float4 v, float r, float4 w,
                       float4 b GHOST_PARAMS(int q, int n, int affine, float m, const float *x,
                                             const float *gamma, const float *beta))
{
  return norm_scale(centered, v, r, w, b);
}

/* Thread t's part of a row of y. */
/*@ requires warp_fits(K,c,n) && warp_have(lane,c,have) && 0 <= t < BDIM;
    requires warp_held(v) && warp_held(w) && warp_held(b);
    requires \valid(y + (0 .. have-1)) && perm_w(y,have);
    requires aligned != 0 ==> aligned16(y) && have % 4 == 0;
    requires have <= 4*mul(K,c.lanes);
    requires warp_vecs{Pre,Pre}(v,BDIM,t,K,lane,c.lanes,x,m,have);
    requires gamma_vecs{Pre,Pre}(w,BDIM,t,K,lane,c.lanes,gamma,affine,have);
    requires centered != 0 ==> warp_vecs{Pre,Pre}(b,BDIM,t,K,lane,c.lanes,beta,0.0,have);
    requires \separated(y + (0 .. have-1), v + (0 .. KMAX*MAXB-1));
    requires \separated(y + (0 .. have-1), w + (0 .. KMAX*MAXB-1));
    requires \separated(y + (0 .. have-1), b + (0 .. KMAX*MAXB-1));
    requires apart(x,have,y,have) && (affine != 0 ==> apart(gamma,have,y,have)) &&
      (centered != 0 ==> apart(beta,have,y,have));
    assigns y[0 .. have-1];
    ensures lane_done{Pre,Post}(y,lane,c.lanes,centered,affine,x,gamma,beta,m,r,have);
    ensures lane_else{Pre,Post}(y,lane,c.lanes,have); */
DEV void warp_store(LANEK(float4, v), LANEK(float4, w), LANEK(float4, b), int t, int K, norm_cut c,
                    int lane, int have, int aligned, int centered, float r,
                    float *RESTRICT y GHOST_PARAMS(int n, int affine, float m, const float *x,
                                                   const float *gamma, const float *beta))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant q0 == mul(j,c.lanes) && 0 <= q0 <= j*32;
      loop invariant lane_done{Pre,Here}(y,lane,c.lanes,centered,affine,x,gamma,beta,m,r,
                                         lesser(4*q0,have));
      loop invariant lane_else{Pre,Here}(y,lane,c.lanes,have);
      loop assigns j, j0, q0, y[0 .. have-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0, q0 = 0; j < K; j++, j0 += BDIM, q0 += c.lanes) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && mul(j+1,c.lanes) == q0 + c.lanes;
    //@ assert j0 + t == ix(j,BDIM,t) && q0 + lane == ix(j,c.lanes,lane);
    float4 shift = {0, 0, 0, 0};
    //@ assert norm_vec{Pre}(v[ix(j,BDIM,t)],x,m,ix(j,c.lanes,lane),have);
    //@ assert gamma_vec{Pre}(w[ix(j,BDIM,t)],gamma,affine,ix(j,c.lanes,lane),have);
    //@ assert centered != 0 ==> norm_vec{Pre}(b[ix(j,BDIM,t)],beta,0.0,ix(j,c.lanes,lane),have);
    if (centered)
      shift = REG(b, j, j0, t);
    //@ assert Same{Pre,Here}(x,have) && (affine != 0 ==> Same{Pre,Here}(gamma,have));
    //@ assert centered != 0 ==> Same{Pre,Here}(beta,have);
    float4 u = warp_normed(centered, REG(v, j, j0, t), r, REG(w, j, j0, t),
                           shift GHOST_ARGS(q0 + lane, have, affine, m, x, gamma, beta));
    //@ assert put_vec{Pre}(u,centered,affine,x,gamma,beta,m,r,q0+lane,have);
    norm_store(q0 + lane, have, aligned, u, y);
    /*@ assert lane_done{Pre,Here}(y,lane,c.lanes,centered,affine,x,gamma,beta,m,r,
                                   lesser(4*q0,have)); */
    //@ assert lane_else{LoopCurrent,Here}(y,lane,c.lanes,have);
    /*@ assert new: \forall integer k; 4*q0 <= k < 4*(q0+c.lanes) ==>
          lane_of(k,c.lanes) == k/4 - q0; */
    /*@ assert \forall integer k; 4*q0 <= k < lesser(4*(q0+c.lanes),have) ==>
          lane_of(k,c.lanes) == lane ==>
          y[k] == NormOne{Pre}(centered,affine,x,gamma,beta,m,r,k); */
  }
}

/* Of a group's row, by its first lane. */
/*@ requires warp_place(w,b,t,c,rows,n) && 0 < n && writes(rstd,rows);
    requires centered != 0 ==> writes(mean,rows) && \separated(mean+(0..rows-1),rstd+(0..rows-1));
    assigns rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1];
    ensures w.lane == 0 && w.have != 0 ==> rstd[w.row] == r &&
      (centered != 0 ==> mean[w.row] == m);
    ensures \forall integer k; 0 <= k < rows ==> k != w.row ==> rstd[k] == \old(rstd[k]);
    ensures w.lane != 0 ==> rstd[w.row] == \old(rstd[w.row]);
    ensures \forall integer k; centered != 0 ==> 0 <= k < rows ==> k != w.row ==>
      mean[k] == \old(mean[k]);
    ensures centered != 0 ==> w.lane != 0 ==> mean[w.row] == \old(mean[w.row]); */
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
    assigns v[0 .. BDIM-1];
    ensures group_sums{Pre,Post}(v,BDIM,lanes); */
DEV void lanes_sum(LANE(float, v), int lanes)
{
  //@ assert wst{Pre,Here}(v,BDIM,0,1);
  /*@ loop invariant warp_lanes(m) && m <= lanes && group_step{Pre,Here}(v,BDIM,m);
      loop assigns m, v[0 .. BDIM-1];
      loop variant lanes - m; */
  for (int m = 1; m < lanes; m *= 2) xor_add(v, m);
}

/*@ predicate warp_block{L}(norm_at *w, integer K, integer b, norm_cut c, integer rows, integer n) =
      warp_fits(K,c,n) && \valid_read(w + (0 .. bdim_-1)) && warp_places(w,b,bdim_,c,rows,n); */

/*@ // nothing that a lane has lies in a tensor
    predicate regs_apart{L}(float4 *v, float *x, integer n) =
      \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1)); */

/* The rows arrive. */
/*@ requires warp_block(w,K,b,c,rows,n) && warp_held(v) && warp_in(x,rows,n,aligned);
    requires regs_apart(v,x,ix(rows,n,0));
    assigns v[0 .. KMAX*MAXB-1];
    ensures warp_rows{Pre,Post}(v,BDIM,w,0,K,c.lanes,x,n,0,BDIM); */
DEV void warp_load_all(LANEK(float4, v), LANE(norm_at, w), int K, norm_cut c, int aligned,
                       const float *RESTRICT x GHOST_PARAMS(idx b, idx rows, int n))
{
  /*@ loop invariant 0 <= t <= BDIM && warp_rows{Pre,Here}(v,BDIM,w,0,K,c.lanes,x,n,0,t);
      loop invariant Same{Pre,Here}(x,ix(rows,n,0));
      loop assigns t, v[0 .. KMAX*MAXB-1];
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert warp_place(w[t],b,t,c,rows,n);
    norm_at p = AT(w, t);
    idx o = warp_row(p, aligned, x GHOST_ARGS(b, t, c, rows, n));
    //@ assert regs_apart(v,x+o,p.have);
    //@ assert Same{Pre,Here}(x+o,p.have);
    warp_load(v, t, K, c, p.lane, p.have, aligned, x + o GHOST_ARGS(n));
    //@ assert warp_vecs{LoopCurrent,Here}(v,BDIM,t,K,p.lane,c.lanes,x+o,0.0,p.have);
    //@ assert warp_vecs{Pre,Here}(v,BDIM,t,K,p.lane,c.lanes,x+o,0.0,p.have);
    //@ assert Same{LoopCurrent,Here}(x,ix(rows,n,0));
    //@ assert warp_rows{Pre,Here}(v,BDIM,w,0,K,c.lanes,x,n,0,t);
  }
}

/* gamma arrives. */
/*@ requires warp_block(w,K,b,c,rows,n) && warp_held(v);
    requires affine != 0 ==> row_in(gamma,n,aligned) && regs_apart(v,gamma,n);
    assigns v[0 .. KMAX*MAXB-1];
    ensures gamma_rows{Pre,Post}(v,BDIM,w,K,c.lanes,gamma,affine,BDIM); */
DEV void warp_gamma_all(LANEK(float4, v), LANE(norm_at, w), int K, norm_cut c, int aligned,
                        int affine,
                        const float *RESTRICT gamma GHOST_PARAMS(idx b, idx rows, int n))
{
  /*@ loop invariant 0 <= t <= BDIM && gamma_rows{Pre,Here}(v,BDIM,w,K,c.lanes,gamma,affine,t);
      loop invariant affine != 0 ==> Same{Pre,Here}(gamma,n);
      loop assigns t, v[0 .. KMAX*MAXB-1];
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert warp_place(w[t],b,t,c,rows,n);
    norm_at p = AT(w, t);
    //@ assert p.have == 0 || p.have == n;
    warp_gamma(v, t, K, c, p.lane, p.have, aligned, affine, gamma GHOST_ARGS(n));
    //@ assert affine != 0 ==> Same{LoopCurrent,Here}(gamma,n);
    //@ assert gamma_vecs{Pre,Here}(v,BDIM,t,K,p.lane,c.lanes,gamma,affine,p.have);
    //@ assert gamma_rows{Pre,Here}(v,BDIM,w,K,c.lanes,gamma,affine,t);
  }
}

/* beta arrives. */
/*@ requires warp_block(w,K,b,c,rows,n) && warp_held(v);
    requires row_in(beta,n,aligned) && regs_apart(v,beta,n);
    assigns v[0 .. KMAX*MAXB-1];
    ensures beta_rows{Pre,Post}(v,BDIM,w,K,c.lanes,beta,BDIM); */
DEV void warp_beta_all(LANEK(float4, v), LANE(norm_at, w), int K, norm_cut c, int aligned,
                       const float *RESTRICT beta GHOST_PARAMS(idx b, idx rows, int n))
{
  /*@ loop invariant 0 <= t <= BDIM && beta_rows{Pre,Here}(v,BDIM,w,K,c.lanes,beta,t);
      loop invariant Same{Pre,Here}(beta,n);
      loop assigns t, v[0 .. KMAX*MAXB-1];
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert warp_place(w[t],b,t,c,rows,n);
    norm_at p = AT(w, t);
    //@ assert p.have == 0 || p.have == n;
    warp_load(v, t, K, c, p.lane, p.have, aligned, beta GHOST_ARGS(n));
    //@ assert Same{LoopCurrent,Here}(beta,n);
    //@ assert warp_vecs{Pre,Here}(v,BDIM,t,K,p.lane,c.lanes,beta,0.0,p.have);
    //@ assert beta_rows{Pre,Here}(v,BDIM,w,K,c.lanes,beta,t);
  }
}

/* The sum over a row of what its group holds, or of the squares, for each of its lanes. */
/*@ requires warp_block(w,K,b,c,rows,n) && warp_held(v) && \valid(sum + (0 .. BDIM-1));
    requires warp_rows{Pre,Pre}(v,BDIM,w,about,K,c.lanes,x,n,0,BDIM);
    requires (squares == 0 ==> about == 0) && \valid_read(x + (0 .. ix(rows,n,0)-1));
    requires \separated(sum + (0 .. BDIM-1), v + (0 .. KMAX*MAXB-1));
    requires \separated(sum + (0 .. BDIM-1), x + (0 .. ix(rows,n,0)-1));
    assigns sum[0 .. BDIM-1];
    ensures warp_sums{Pre,Post}(sum,w,squares,about,x,n,BDIM); */
DEV void warp_total(LANE(float, sum), LANEK(float4, v), int K, norm_cut c,
                    int squares GHOST_PARAMS(int about, idx b, idx rows, int n, const norm_at *w,
                                             const float *x))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant warp_parts{Pre,Here}(sum,w,squares,about,K,c.lanes,x,n,t);
      loop assigns t, sum[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert warp_place(w[t],b,t,c,rows,n);
    //@ assert in: 0 <= w[t].at && w[t].at + w[t].have <= ix(rows,n,0) || w[t].have == 0;
    /*@ assert vecs: warp_vecs{Pre,Pre}(v,BDIM,t,K,w[t].lane,c.lanes,x+w[t].at,
                                  Center{Pre}(x+w[t].at,about,w[t].have),w[t].have); */
    //@ assert same_all{Pre,Here}(v);
    //@ assert regs: same_regs{Pre,Here}(v,BDIM,K);
    //@ assert all_x: Same{Pre,Here}(x,ix(rows,n,0));
    //@ assert row_x: Same{Pre,Here}(x+w[t].at,w[t].have);
    /*@ assert here: warp_vecs{Here,Here}(v,BDIM,t,K,w[t].lane,c.lanes,x+w[t].at,
                                  Center{Pre}(x+w[t].at,about,w[t].have),w[t].have); */
    //@ assert center: Center{Pre}(x+w[t].at,about,w[t].have) == Center(x+w[t].at,about,w[t].have);
    AT(sum, t) =
        warp_part(v, t, K, squares GHOST_ARGS(c, n, w[t].lane, w[t].have, about, x + w[t].at));
    //@ assert warp_parts{Pre,Here}(sum,w,squares,about,K,c.lanes,x,n,t);
  }
  //@ assert all_mates{Pre}(w,c.lanes,BDIM);
  //@ assert groups_in(c.lanes,BDIM);
  //@ assert group_parts{Pre,Here}(sum,w,squares,about,K,c.lanes,x,n,BDIM);
  //@ ghost L1: ;
  lanes_sum(sum, c.lanes);
  //@ assert group_sums{L1,Here}(sum,BDIM,c.lanes);
  /*@ assert all: \forall integer t; 0 <= t < BDIM ==>
        lanes_have{Pre}(squares,x+w[t].at,Center{Pre}(x+w[t].at,about,w[t].have),c.lanes,w[t].have,K); */
}

/* The means, of which `sum` has the sums, and the rows about them. */
/*@ requires warp_block(w,K,b,c,rows,n) && warp_held(v) && \valid_read(sum + (0 .. BDIM-1));
    requires \valid(mean + (0 .. BDIM-1)) && warp_in(x,rows,n,aligned);
    requires warp_rows{Pre,Pre}(v,BDIM,w,0,K,c.lanes,x,n,0,BDIM);
    requires warp_sums{Pre,Pre}(sum,w,0,0,x,n,BDIM);
    requires regs_apart(v,x,ix(rows,n,0));
    requires \separated(v + (0 .. KMAX*MAXB-1), mean + (0 .. BDIM-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), sum + (0 .. BDIM-1));
    requires \separated(mean + (0 .. BDIM-1), sum + (0 .. BDIM-1));
    requires \separated(mean + (0 .. BDIM-1), x + (0 .. ix(rows,n,0)-1));
    assigns v[0 .. KMAX*MAXB-1], mean[0 .. BDIM-1];
    ensures warp_rows{Pre,Post}(v,BDIM,w,1,K,c.lanes,x,n,0,BDIM);
    ensures warp_means{Pre,Post}(mean,w,1,x,n,BDIM); */
DEV void warp_center(LANEK(float4, v), LANE(float, mean), LANE(float, sum), LANE(norm_at, w), int K,
                     norm_cut c, int n GHOST_PARAMS(int aligned, idx b, idx rows, const float *x))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant warp_rows{Pre,Here}(v,BDIM,w,1,K,c.lanes,x,n,0,t);
      loop invariant warp_rows{Pre,Here}(v,BDIM,w,0,K,c.lanes,x,n,t,BDIM);
      loop invariant warp_means{Pre,Here}(mean,w,1,x,n,t);
      loop invariant Same{Pre,Here}(x,ix(rows,n,0)) && Same{Pre,Here}(sum,BDIM);
      loop assigns t, v[0 .. KMAX*MAXB-1], mean[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert warp_place(w[t],b,t,c,rows,n);
    norm_at p = AT(w, t);
    //@ assert p.have != 0 ==> 0 <= p.at && p.at + p.have <= ix(rows,n,0);
    //@ assert sum[t] == NormSum{Pre}(0,x+p.at,0.0,p.have);
    AT(mean, t) = norm_mean(AT(sum, t), n);
    //@ assert p.have != 0 ==> mean[t] == Center{Pre}(x+p.at,1,p.have);
    //@ assert warp_means{Pre,Here}(mean,w,1,x,n,t+1);
    //@ assert Same{LoopCurrent,Here}(x,ix(rows,n,0)) && Same{LoopCurrent,Here}(sum,BDIM);
    //@ assert Same{Pre,Here}(x+p.at,p.have);
    //@ assert warp_vecs{Pre,Here}(v,BDIM,t,K,p.lane,c.lanes,x+p.at,0.0,p.have);
    //@ ghost L1: ;
    warp_minus(v, t, K, c, p.lane, p.have, AT(mean, t) GHOST_ARGS(n, x + p.at));
    //@ assert Same{L1,Here}(mean,BDIM);
    //@ assert Same{L1,Here}(x,ix(rows,n,0)) && Same{L1,Here}(sum,BDIM);
    //@ assert but_mine{L1,Here}(v,BDIM,t);
    //@ assert warp_vecs{Pre,Here}(v,BDIM,t,K,p.lane,c.lanes,x+p.at,mean[t],p.have);
    //@ assert warp_vecs{Pre,Here}(v,BDIM,t,K,p.lane,c.lanes,x+p.at,Center{Pre}(x+p.at,1,p.have),p.have);
    //@ assert warp_rows{Pre,Here}(v,BDIM,w,1,K,c.lanes,x,n,0,t);
    //@ assert warp_rows{Pre,Here}(v,BDIM,w,0,K,c.lanes,x,n,t+1,BDIM);
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
                  float *RESTRICT rstd GHOST_PARAMS(idx b, idx rows, int affine, const float *x,
                                                    const float *gamma, const float *beta))
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
               y + warp_row_out(p, aligned, y GHOST_ARGS(b, t, c, rows, n))
                       GHOST_ARGS(n, affine, m[t], x + p.at, gamma, beta));
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
  warp_load_all(v, w, K, c, aligned, x GHOST_ARGS(b, rows, n));
  warp_gamma_all(scale, w, K, c, aligned, affine, gamma GHOST_ARGS(b, rows, n));
  if (centered) {
    warp_beta_all(shift, w, K, c, aligned, beta GHOST_ARGS(b, rows, n));
    warp_total(sum, v, K, c, 0 GHOST_ARGS(0, b, rows, n, w, x));
    warp_center(v, m, sum, w, K, c, n GHOST_ARGS(aligned, b, rows, x));
  }
  warp_total(sum, v, K, c, 1 GHOST_ARGS(centered, b, rows, n, w, x));
  warp_put(v, scale, shift, m, sum, w, K, c, n, aligned, centered, eps, y, mean,
           rstd GHOST_ARGS(b, rows, affine, x, gamma, beta));
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
