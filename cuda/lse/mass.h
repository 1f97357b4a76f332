/* The sum of a row's exponentials, of which threads have parts (online.h), each at its own maximum:
 * over the reals a sum s of exp(x - m) is s exp(m) of exp(x), whatever m. */
#ifndef PM_LSE_MASS_H
#define PM_LSE_MASS_H
#include "../math/lesser.h"
#include "../lang/kernel.h"
#include "../../spec/loss.h"

/*@ // a row's sum
    logic real ExpOf{L}(float *x, integer i) = \exp(x[i]);
    logic real Whole{L}(float *x, integer n) = n <= 0 ? 0.0 : Whole{L}(x,n-1) + ExpOf{L}(x,n-1);
    lemma exp_of_shift{L}: \forall float *x, integer o, i; ExpOf{L}(x+o,i) == ExpOf{L}(x,o+i);
    lemma exp_of_pos{L}: \forall float *x, integer i; 0.0 < ExpOf{L}(x,i);
    lemma whole_frame{L1,L2}: \forall integer n, float *x; Same{L1,L2}(x,n) ==>
      Whole{L1}(x,n) == Whole{L2}(x,n);
    // n elements from o on
    logic real WholeAt{L}(float *x, integer o, integer n) =
      n <= 0 ? 0.0 : WholeAt{L}(x,o,n-1) + ExpOf{L}(x,o+n-1);
    lemma whole_from{L}: \forall integer n, float *x, integer o; 0 <= n ==>
      Whole{L}(x+o,n) == WholeAt{L}(x,o,n);
    lemma whole_at{L}: \forall integer n, float *x, integer o; 0 <= n ==> 0 <= o ==>
      WholeAt{L}(x,o,n) == Whole{L}(x,o+n) - Whole{L}(x,o);
    lemma whole_shift{L}: \forall integer n, float *x, integer o; 0 <= o ==> 0 <= n ==>
      Whole{L}(x+o,n) == Whole{L}(x,o+n) - Whole{L}(x,o);
    lemma whole_nonneg{L}: \forall integer n, float *x; 0.0 <= Whole{L}(x,n);
    lemma whole_has{L}: \forall integer n, float *x, integer i; 0 <= i ==> i < n ==>
      ExpOf{L}(x,i) <= Whole{L}(x,n); */

/*@ // vector k of n; of the vectors u, u + B, .. the first j; and of lanes 0 .. t-1
    logic real VecExp{L}(float *x, integer n, integer k) =
      k < n ? ExpOf{L}(x,4*k) + ExpOf{L}(x,4*k+1) + ExpOf{L}(x,4*k+2) + ExpOf{L}(x,4*k+3) : 0.0;
    logic real LaneSum{L}(float *x, integer n, integer B, integer u, integer j) =
      j <= 0 ? 0.0 : LaneSum{L}(x,n,B,u,j-1) + VecExp{L}(x,n,ix(j-1,B,u));
    logic real LanesSum{L}(float *x, integer n, integer B, integer t, integer j) =
      t <= 0 ? 0.0 : LanesSum{L}(x,n,B,t-1,j) + LaneSum{L}(x,n,B,t-1,j);
    logic real VecsExp{L}(float *x, integer n, integer k) =
      k <= 0 ? 0.0 : VecsExp{L}(x,n,k-1) + VecExp{L}(x,n,k-1);
    lemma vec_frame{L1,L2}: \forall float *x, integer n, k; 0 <= k ==> Same{L1,L2}(x,4*n) ==>
      VecExp{L1}(x,n,k) == VecExp{L2}(x,n,k);
    lemma ix_above: \forall integer j, B, u; 0 <= j ==> 0 <= B ==> 0 <= u ==> 0 <= ix(j,B,u);
    lemma lane_next{L1,L2}: \forall integer j, float *x, integer n, B, u; 0 <= B ==> 0 <= u ==>
      (\forall integer k; 0 <= k ==> VecExp{L1}(x,n,k) == VecExp{L2}(x,n,k)) ==>
      LaneSum{L1}(x,n,B,u,j) == LaneSum{L2}(x,n,B,u,j);
    lemma lane_frame{L1,L2}: \forall float *x, integer n, B, u, j; 0 <= B ==> 0 <= u ==>
      Same{L1,L2}(x,4*n) ==> LaneSum{L1}(x,n,B,u,j) == LaneSum{L2}(x,n,B,u,j);
    lemma lane_four{L}: \forall float *x, integer n, B, u, j; 0 <= j ==>
      LaneSum{L}(x,n,B,u,j+4) == LaneSum{L}(x,n,B,u,j) +
        (VecExp{L}(x,n,ix(j,B,u)) + VecExp{L}(x,n,ix(j+1,B,u)) + VecExp{L}(x,n,ix(j+2,B,u)) +
         VecExp{L}(x,n,ix(j+3,B,u)));
    lemma ix_over: \forall integer i, j, B, u; 0 <= B ==> i <= j ==> ix(i,B,u) <= ix(j,B,u);
    lemma ix_wide: \forall integer j, B; 1 <= B ==> 0 <= j ==> j <= ix(j,B,0);
    lemma ix_full: \forall integer j, B; ix(j,B,B) == ix(j+1,B,0);
    // there is nothing past the vectors
    lemma lane_past{L}: \forall integer j, float *x, integer n, B, u, i; 0 <= B ==> 0 <= i ==>
      i <= j ==> n <= ix(i,B,u) ==> LaneSum{L}(x,n,B,u,j) == LaneSum{L}(x,n,B,u,i);
    lemma lane_ends{L}: \forall float *x, integer n, B, u, i, j; 0 <= B ==> 0 <= i ==> 0 <= j ==>
      n <= ix(i,B,u) ==> n <= ix(j,B,u) ==> LaneSum{L}(x,n,B,u,i) == LaneSum{L}(x,n,B,u,j);
    lemma vecs_past{L}: \forall integer k, float *x, integer n; 0 <= n ==> n <= k ==>
      VecsExp{L}(x,n,k) == VecsExp{L}(x,n,n);
    // all threads have all vectors
    lemma lanes_round{L}: \forall integer t, float *x, integer n, B, j; 0 <= t ==> 0 < j ==>
      0 < B ==> LanesSum{L}(x,n,B,t,j) == LanesSum{L}(x,n,B,t,j-1) +
        (VecsExp{L}(x,n,ix(j-1,B,t)) - VecsExp{L}(x,n,ix(j-1,B,0)));
    lemma lanes_none{L}: \forall integer t, float *x, integer n, B; LanesSum{L}(x,n,B,t,0) == 0.0;
    lemma lanes_all{L}: \forall integer j, float *x, integer n, B; 0 <= j ==> 0 < B ==>
      LanesSum{L}(x,n,B,B,j) == VecsExp{L}(x,n,ix(j,B,0));
    lemma whole_four{L}: \forall float *x, integer k; 4 <= k ==> Whole{L}(x,k) == Whole{L}(x,k-4) +
      (ExpOf{L}(x,k-4) + ExpOf{L}(x,k-3) + ExpOf{L}(x,k-2) + ExpOf{L}(x,k-1));
    lemma vecs_whole{L}: \forall integer k, float *x, integer n; 0 <= k ==> k <= n ==>
      VecsExp{L}(x,n,k) == Whole{L}(x,4*k);
    lemma lanes_whole{L}: \forall float *x, integer n, B; 0 < B ==> 0 <= n ==>
      LanesSum{L}(x,n,B,B,n) == Whole{L}(x,4*n); */

/*@ // of a row of n: before and behind the vectors, of which there are V from `head` on, thread u
    // has an
    // element, or none; and threads 0 .. t-1
    logic integer EdgeOf(integer head, integer V, integer u) = u < head ? u : u + 4*V;
    lemma edge_head: \forall integer head, V, u; u < head ==> EdgeOf(head,V,u) == u;
    lemma edge_tail: \forall integer head, V, u; head <= u ==> EdgeOf(head,V,u) == u + 4*V;
    logic real EdgeExp{L}(float *x, integer n, integer k) = k < n ? ExpOf{L}(x,k) : 0.0;
    logic real EdgesExp{L}(float *x, integer n, integer head, integer V, integer t) =
      t <= 0 ? 0.0 : EdgesExp{L}(x,n,head,V,t-1) + EdgeExp{L}(x,n,EdgeOf(head,V,t-1));
    logic real LaneWhole{L}(float *x, integer n, integer head, integer V, integer B, integer u) =
      LaneSum{L}(x+head,V,B,u,V) + EdgeExp{L}(x,n,EdgeOf(head,V,u));
    logic real LanesWhole{L}(float *x, integer n, integer head, integer V, integer B, integer t) =
      t <= 0 ? 0.0 : LanesWhole{L}(x,n,head,V,B,t-1) + LaneWhole{L}(x,n,head,V,B,t-1);
    predicate once_parts(integer n, integer head, integer V) =
      0 <= head < 4 && 0 <= V && (n <= head ==> V == 0) &&
      (head < n ==> head + 4*V <= n < head + 4*V + 4);
    lemma row_shift{L1,L2}: \forall float *x, integer n, head, V; once_parts(n,head,V) ==>
      Same{L1,L2}(x,n) ==> Same{L1,L2}(x+head,4*V);
    lemma lane_whole_frame{L1,L2}: \forall float *x, integer n, head, V, B, u; 0 <= B ==> 0 <= u ==>
      once_parts(n,head,V) ==> Same{L1,L2}(x,n) ==>
      LaneWhole{L1}(x,n,head,V,B,u) == LaneWhole{L2}(x,n,head,V,B,u);
    logic real RowTo{L}(float *x, integer n, integer k) =
      k <= 0 ? 0.0 : RowTo{L}(x,n,k-1) + EdgeExp{L}(x,n,k-1);
    lemma row_to{L}: \forall integer k, float *x, integer n; 0 <= k ==> k <= n ==>
      RowTo{L}(x,n,k) == Whole{L}(x,k);
    lemma row_past{L}: \forall integer k, float *x, integer n; 0 <= n ==> n <= k ==>
      RowTo{L}(x,n,k) == RowTo{L}(x,n,n);
    lemma edges_head{L}: \forall integer t, float *x, integer n, head, V; 0 <= t ==> t <= head ==>
      EdgesExp{L}(x,n,head,V,t) == RowTo{L}(x,n,t);
    logic real RowFrom{L}(float *x, integer n, integer o, integer k) =
      k <= 0 ? 0.0 : RowFrom{L}(x,n,o,k-1) + EdgeExp{L}(x,n,o+k-1);
    lemma row_from{L}: \forall integer k, float *x, integer n, o; 0 <= k ==> 0 <= o ==>
      RowFrom{L}(x,n,o,k) == RowTo{L}(x,n,o+k) - RowTo{L}(x,n,o);
    lemma edges_from{L}: \forall integer t, float *x, integer n, head, V; 0 <= head ==>
      head <= t ==> EdgesExp{L}(x,n,head,V,t) == EdgesExp{L}(x,n,head,V,head) +
      (RowFrom{L}(x,n,4*V,t) - RowFrom{L}(x,n,4*V,head));
    lemma row_fours{L}: \forall float *x, integer n, k, V; 0 <= k ==> 0 <= V ==>
      RowFrom{L}(x,n,4*V,k) == RowTo{L}(x,n,k+4*V) - RowTo{L}(x,n,4*V);
    lemma edges_tail{L}: \forall integer t, float *x, integer n, head, V; 0 <= head ==>
      head <= t ==> 0 <= V ==> EdgesExp{L}(x,n,head,V,t) ==
      RowTo{L}(x,n,head) + (RowTo{L}(x,n,t+4*V) - RowTo{L}(x,n,head+4*V));
    lemma edges_some{L}: \forall float *x, integer n, head, V, B; 32 <= B ==> head < n ==>
      once_parts(n,head,V) ==> RowTo{L}(x,n,head) == Whole{L}(x,head) &&
      RowTo{L}(x,n,B+4*V) == Whole{L}(x,n) && RowTo{L}(x,n,head+4*V) == Whole{L}(x,head+4*V);
    lemma edges_none{L}: \forall float *x, integer n, head, V, B; 32 <= B ==> 0 < n <= head ==>
      once_parts(n,head,V) ==> V == 0 && RowTo{L}(x,n,B+4*V) == Whole{L}(x,n) &&
      RowTo{L}(x,n,head) == RowTo{L}(x,n,head+4*V);
    lemma edges_all{L}: \forall float *x, integer n, head, V, B; 32 <= B ==> 0 < n ==>
      once_parts(n,head,V) ==> EdgesExp{L}(x,n,head,V,B) ==
      Whole{L}(x,n) - (Whole{L}(x,head+4*V) - Whole{L}(x,head));
    lemma lanes_parts{L}: \forall integer t, float *x, integer n, head, V, B;
      LanesWhole{L}(x,n,head,V,B,t) ==
      LanesSum{L}(x+head,V,B,t,V) + EdgesExp{L}(x,n,head,V,t);
    lemma lanes_are_whole{L}: \forall float *x, integer n, head, V, B; 32 <= B ==> 0 < n ==>
      once_parts(n,head,V) ==> LanesWhole{L}(x,n,head,V,B,B) == Whole{L}(x,n); */

/*@ // s, a sum of exp(x - m), as one of exp(x)
    logic real Mass(real s, real m) = rmul(s,\exp(m));
    predicate adds_to(real v, real a, real b) = v == a + b;
    lemma rmul_adds: \forall real v, a, b, e; adds_to(v,a,b) ==> rmul(v,e) == rmul(a,e) + rmul(b,e);
    lemma mass_adds: \forall real v, a, b, m; adds_to(v,a,b) ==> Mass(v,m) == Mass(a,m) + Mass(b,m);
      */
#ifdef ONCE_LEMMAS
/*@ lemma exp_shift: \forall real d, m; rmul(\exp(d),\exp(m)) == \exp(d+m);
    lemma rmul_of: \forall real s, e, big; rmul(rmul(s,e),big) == rmul(s,rmul(e,big));
    lemma rmul_one: \forall real a, b, e; e > 0.0 ==> rmul(a,e) == rmul(b,e) ==> a == b;
    lemma rmul_large: \forall real s, e; e > 0.0 ==> e <= rmul(s,e) ==> 1.0 <= s;
    lemma log_rmul: \forall real s, e; s > 0.0 ==> e > 0.0 ==>
      \log(rmul(s,e)) == \log(s) + \log(e);
    lemma mass_minus: \forall real v, a, m; Mass(v-a,m) == Mass(v,m) - Mass(a,m); */
#endif
/*@ lemma log_exp: \forall real m; \log(\exp(m)) == m;
    lemma mass_none: \forall real m; Mass(0.0,m) == 0.0;
    lemma mass_exp: \forall real x, m; Mass(\exp(x-m),m) == \exp(x);
    predicate apart_by(real d, real m, real to) = d == m - to;
    lemma mass_move: \forall real d, s, m, to; apart_by(d,m,to) ==>
      Mass(rmul(s,\exp(d)),to) == Mass(s,m);
    lemma mass_one: \forall real a, b, m; Mass(a,m) == Mass(b,m) ==> a == b;
    lemma mass_large: \forall real s, m; \exp(m) <= Mass(s,m) ==> 1.0 <= s;
    lemma mass_log: \forall real s, m; s > 0.0 ==> \log(Mass(s,m)) == \log(s) + m;
    lemma sum_exp_adds{L}: \forall float *x, real m, integer n; 0 < n ==>
      adds_to(SumExp{L}(x,m,n),SumExp{L}(x,m,n-1),\exp(x[n-1]-m));
    lemma whole_next{L}: \forall float *x, real m, integer n; 0 < n ==>
      Mass(SumExp{L}(x,m,n),m) == Mass(SumExp{L}(x,m,n-1),m) + ExpOf{L}(x,n-1);
    lemma whole_mass{L}: \forall integer n, float *x, real m;
      Mass(SumExp{L}(x,m,n),m) == Whole{L}(x,n);
    // at an element the sum is at least 1; at any m the loss is the same
    predicate some{L}(real v, float *x, integer n) = \exists integer i; 0 <= i < n && v == x[i];
    lemma some_frame{L1,L2}: \forall real v, float *x, integer n; Same{L1,L2}(x,n) ==>
      some{L1}(v,x,n) ==> some{L2}(v,x,n);
    lemma some_large{L}: \forall float *x, integer n, real s, m; some{L}(m,x,n) ==>
      Mass(s,m) == Whole{L}(x,n) ==> 1.0 <= s;
    lemma loss_log{L}: \forall float *x, integer n, real m; 1 <= n ==>
      \log(SumExp{L}(x,m,n)) + m == \log(Whole{L}(x,n));
    lemma loss_any{L}: \forall float *x, integer n, c, real s, m; 1 <= n ==> s > 0.0 ==>
      Mass(s,m) == Whole{L}(x,n) ==> \log(s) - (x[c] - m) == RowLoss{L}(x,n,c); */
#endif
