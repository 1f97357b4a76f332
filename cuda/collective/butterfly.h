/* Logic of the xor-shuffle butterfly: the butterfly's tree, and the sums of the warps published
 * in shared memory. Clients see the lemmas they use; LANES_LEMMAS shows all, to be proven once. */
#ifndef PM_COLLECTIVE_BUTTERFLY_H
#define PM_COLLECTIVE_BUTTERFLY_H
#include "../lang/kernel.h"
/*@ logic real SumR{L}(float *a, integer lo, integer hi) =
      hi <= lo ? 0.0 : SumR(a, lo, hi-1) + a[hi-1];
    // node g of level e of the pairwise tree
    logic real tree{L}(float *a, integer e, integer g) =
      e <= 0 ? a[g] : tree(a, e-1, 2*g) + tree(a, e-1, 2*g+1);
    // one step: every thread adds its partner's value
    predicate bfly{L1,L2}(float *v, integer n, integer m) =
      \forall integer l; 0 <= l < n ==> \at(v[l],L2) == \at(v[l],L1) + \at(v[lx(l,m)],L1);
    // after e steps a thread holds its node of level e, m == 2^e
    predicate wst{L0,L}(float *v, integer n, integer e, integer m) =
      \forall integer l; 0 <= l < n ==> \at(v[l],L) == tree{L0}(v, e, l / m);
    // lane l holds s[l % 32], or 0
    predicate gath{L}(float *v, float *s, integer nw) =
      \forall integer l; 0 <= l < 32*nw ==> v[l] == (l % 32 < nw ? s[l % 32] : 0.0);
    // s[k] is the sum of warp k
    predicate pubd{L0,L}(float *v, float *s, integer nw) =
      \forall integer k; 0 <= k < nw ==> \at(s[k],L) == SumR{L0}(v, 32*k, 32*k + 32);
    // footprints of the two phases: thread t publishes, thread t of n reads
    predicate pub_W(integer t, integer k) = t % 32 == 0 && k == t / 32;
    predicate get_R(integer t, integer n, integer k) = k == t % 32 && 32*k < n;
    lemma race_publish: \forall integer t, u, k; 0 <= t ==> 0 <= u ==> t != u ==>
      pub_W(t,k) ==> !pub_W(u,k);
    predicate zeros{L}(float *a, integer n) = \forall integer k; 0 <= k < n ==> is_zero((real)a[k]);
    // a is the same but for element j
    predicate only{L1,L2}(float *a, integer j, integer n) =
      \forall integer k; 0 <= k < n && k != j ==> \at(a[k],L1) == \at(a[k],L2);
    lemma sum_zero{L}: \forall float *a, integer n; zeros{L}(a,n) ==> SumR{L}(a,0,n) == 0.0;
    lemma sum_all{L}: \forall float *a, integer n; SumR{L}(a,0,n) == Sum{L}(a,n);
    lemma sum_same{L1,L2}: \forall float *a, integer lo, n; 0 <= lo ==> Same{L1,L2}(a,n) ==>
      SumR{L1}(a,lo,n) == SumR{L2}(a,lo,n);
    predicate parts{L}(float *a, integer lo, integer m, integer n) =
      SumR{L}(a,lo,m+n) == SumR{L}(a,lo,m) + SumR{L}(a,m,m+n);
*/
#ifdef LANES_LEMMAS
/*@ // sums fall into parts
    lemma sum_parts{L}: \forall float *a, integer lo, m, n; lo <= m ==> 0 <= n ==>
      SumR{L}(a,lo,m+n) == SumR{L}(a,lo,m) + SumR{L}(a,m,m+n);
    lemma sum_in_parts{L}: \forall float *a, integer lo, m, n; lo <= m ==> 0 <= n ==>
      parts{L}(a,lo,m,n);
*/
#endif
/*@ lemma sum_split{L}: \forall float *a, integer lo, m, hi; lo <= m <= hi ==>
      parts{L}(a,lo,m,hi-m) && SumR{L}(a,lo,hi) == SumR{L}(a,lo,m) + SumR{L}(a,m,hi); */
#ifdef LANES_LEMMAS
/*@ // one element changes
    predicate diff{L1,L2}(float *a, integer j, integer n) =
      SumR{L2}(a,0,j+1+n) == SumR{L1}(a,0,j+1+n) - \at(a[j],L1) + \at(a[j],L2);
    predicate but{L1,L2}(float *a, integer j, integer n) =
      \forall integer k; 0 <= k < n ==> \at(a[j+1+k],L1) == \at(a[j+1+k],L2);
    lemma diff_0{L1,L2}: \forall float *a, integer j; 0 <= j ==> Same{L1,L2}(a,j) ==>
      diff{L1,L2}(a,j,0);
    lemma diff_n{L1,L2}: \forall float *a, integer j, n; 0 <= j ==> 0 <= n ==>
      Same{L1,L2}(a,j) ==> but{L1,L2}(a,j,n) ==> diff{L1,L2}(a,j,n);
    lemma only_but{L1,L2}: \forall float *a, integer j, n; 0 <= j < n ==> only{L1,L2}(a,j,n) ==>
      Same{L1,L2}(a,j) && but{L1,L2}(a,j,n-j-1);
    lemma only_diff{L1,L2}: \forall float *a, integer j, n; 0 <= j < n ==>
      only{L1,L2}(a,j,n) ==> diff{L1,L2}(a,j,n-j-1);
*/
#endif
/*@ lemma sum_update{L1,L2}: \forall float *a, integer j, n; 0 <= j < n ==> only{L1,L2}(a,j,n) ==>
      SumR{L2}(a,0,n) == SumR{L1}(a,0,n) - \at(a[j],L1) + \at(a[j],L2); */
#ifdef LANES_LEMMAS
/*@ // the exchange of the warps' sums through shared memory
    lemma mod_32: \forall integer lo, k; 0 <= lo <= k < lo + 32 ==> lo % 32 == 0 ==>
      k % 32 == k - lo;
    lemma gath_cell{L}: \forall float *v, *s, integer nw, lo, k; nw <= 32 ==>
      0 <= lo < 32*nw ==> lo % 32 == 0 ==> lo <= k < lo + 32 ==> gath{L}(v,s,nw) ==>
      v[k] == (k - lo < nw ? s[k-lo] : 0.0);
    predicate head{L}(float *v, float *s, integer nw, integer lo, integer n) =
      \forall integer k; 0 <= k < n ==> v[lo+k] == (k < nw ? s[k] : 0.0);
    lemma gath_head{L}: \forall float *v, *s, integer nw, lo; nw <= 32 ==>
      0 <= lo < 32*nw ==> lo % 32 == 0 ==> gath{L}(v,s,nw) ==> head{L}(v,s,nw,lo,32);
    lemma head_sum{L}: \forall float *v, *s, integer nw, lo, n; 0 <= nw ==>
      head{L}(v,s,nw,lo,n) ==> 0 <= n ==>
      SumR{L}(v,lo,lo+n) == (n < nw ? SumR{L}(s,0,n) : SumR{L}(s,0,nw));
    lemma gath_32{L}: \forall float *v, *s, integer nw, lo; nw <= 32 ==>
      0 <= lo < 32*nw ==> lo % 32 == 0 ==> gath{L}(v,s,nw) ==>
      SumR{L}(v,lo,lo+32) == SumR{L}(s,0,nw);
    lemma mul_32: \forall integer g; 0 <= g ==> (32*g) % 32 == 0;
    lemma gath_at{L}: \forall float *v, *s, integer nw, g, k; nw <= 32 ==> 0 <= g < nw ==>
      0 <= k < 32 ==> gath{L}(v,s,nw) ==> v[32*g+k] == (k < nw ? s[k] : 0.0);
    lemma gath_row{L}: \forall float *v, *s, integer nw, g; nw <= 32 ==> 0 <= g < nw ==>
      gath{L}(v,s,nw) ==> head{L}(v,s,nw,32*g,32);
    lemma gath_sum{L}: \forall float *v, *s, integer nw, lo, hi; 0 <= nw <= 32 ==>
      hi == lo + 32 ==> head{L}(v,s,nw,lo,32) ==> SumR{L}(v,lo,hi) == SumR{L}(s,0,nw);
    // as a predicate, so that the provers meet the warp's bounds as they are written
    predicate total{L}(float *v, float *s, integer nw, integer lo, integer hi) =
      SumR{L}(v,lo,hi) == SumR{L}(s,0,nw);
    lemma gath_warp{L}: \forall float *v, *s, integer nw, g; 0 <= nw <= 32 ==>
      head{L}(v,s,nw,32*g,32) ==> total{L}(v,s,nw,32*g,32*g+32);
    lemma gath_total{L}: \forall float *v, *s, integer nw, g; nw <= 32 ==> 0 <= g < nw ==>
      gath{L}(v,s,nw) ==> total{L}(v,s,nw,32*g,32*g+32);
    lemma sum_32{L}: \forall float *v, integer j; 0 <= j ==>
      SumR{L}(v,0,32*j+32) == SumR{L}(v,0,32*j) + SumR{L}(v,32*j,32*j+32);
*/
#endif
/*@ lemma pub_sum{L0,L}: \forall float *v, *s, integer nw, j; 0 <= j <= nw ==>
      pubd{L0,L}(v,s,nw) ==> SumR{L}(s,0,j) == SumR{L0}(v,0,32*j);
*/
#ifdef LANES_LEMMAS
/*@ lemma tree_S{L}: \forall float *a, integer e, g; 0 < e ==>
      tree{L}(a,e,g) == tree{L}(a,e-1,2*g) + tree{L}(a,e-1,2*g+1);
    lemma tree_0{L}: \forall float *a, integer g; tree{L}(a,0,g) == SumR{L}(a,g,g+1);
    lemma tree_1{L}: \forall float *a, integer g; tree{L}(a,1,g) == SumR{L}(a,2*g,2*g+2);
    lemma tree_2{L}: \forall float *a, integer g; tree{L}(a,2,g) == SumR{L}(a,4*g,4*g+4);
    lemma tree_3{L}: \forall float *a, integer g; tree{L}(a,3,g) == SumR{L}(a,8*g,8*g+8);
    lemma tree_4{L}: \forall float *a, integer g; tree{L}(a,4,g) == SumR{L}(a,16*g,16*g+16);
*/
#endif
/*@ lemma tree_5{L}: \forall float *a, integer g; tree{L}(a,5,g) == SumR{L}(a,32*g,32*g+32);
*/
#ifdef LANES_LEMMAS
/*@ lemma half_1: \forall integer l; 0 <= l ==>
      l/1 == 2*(l/2) && lx(l,1)/1 == 2*(l/2)+1 && lx(l,1) == l+1 ||
      l/1 == 2*(l/2)+1 && lx(l,1)/1 == 2*(l/2) && lx(l,1) == l-1;
    lemma half_2: \forall integer l; 0 <= l ==>
      l/2 == 2*(l/4) && lx(l,2)/2 == 2*(l/4)+1 && lx(l,2) == l+2 ||
      l/2 == 2*(l/4)+1 && lx(l,2)/2 == 2*(l/4) && lx(l,2) == l-2;
    lemma half_4: \forall integer l; 0 <= l ==>
      l/4 == 2*(l/8) && lx(l,4)/4 == 2*(l/8)+1 && lx(l,4) == l+4 ||
      l/4 == 2*(l/8)+1 && lx(l,4)/4 == 2*(l/8) && lx(l,4) == l-4;
    lemma half_8: \forall integer l; 0 <= l ==>
      l/8 == 2*(l/16) && lx(l,8)/8 == 2*(l/16)+1 && lx(l,8) == l+8 ||
      l/8 == 2*(l/16)+1 && lx(l,8)/8 == 2*(l/16) && lx(l,8) == l-8;
    lemma half_16: \forall integer l; 0 <= l ==>
      l/16 == 2*(l/32) && lx(l,16)/16 == 2*(l/32)+1 && lx(l,16) == l+16 ||
      l/16 == 2*(l/32)+1 && lx(l,16)/16 == 2*(l/32) && lx(l,16) == l-16;
    lemma lx_range_1: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> 0 <= lx(l,1) < n;
    lemma lx_range_2: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> 0 <= lx(l,2) < n;
    lemma lx_range_4: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> 0 <= lx(l,4) < n;
    lemma lx_range_8: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> 0 <= lx(l,8) < n;
    lemma lx_range_16: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> 0 <= lx(l,16) < n;
*/
#endif
#ifdef LANES_LEMMAS
/*@ lemma gath_tree{L}: \forall float *v, *s, integer nw, g; total{L}(v,s,nw,32*g,32*g+32) ==>
      tree{L}(v,5,g) == SumR{L}(s,0,nw); */
#endif
/*@ lemma gath_all{L}: \forall float *v, *s, integer nw, g; nw <= 32 ==> 0 <= g < nw ==>
      gath{L}(v,s,nw) ==> tree{L}(v,5,g) == SumR{L}(s,0,nw);
    lemma bf_1{L0,L1,L2}: \forall float *v, integer n; n % 32 == 0 ==>
      wst{L0,L1}(v,n,0,1) ==> bfly{L1,L2}(v,n,1) ==> wst{L0,L2}(v,n,1,2);
    lemma bf_2{L0,L1,L2}: \forall float *v, integer n; n % 32 == 0 ==>
      wst{L0,L1}(v,n,1,2) ==> bfly{L1,L2}(v,n,2) ==> wst{L0,L2}(v,n,2,4);
    lemma bf_4{L0,L1,L2}: \forall float *v, integer n; n % 32 == 0 ==>
      wst{L0,L1}(v,n,2,4) ==> bfly{L1,L2}(v,n,4) ==> wst{L0,L2}(v,n,3,8);
    lemma bf_8{L0,L1,L2}: \forall float *v, integer n; n % 32 == 0 ==>
      wst{L0,L1}(v,n,3,8) ==> bfly{L1,L2}(v,n,8) ==> wst{L0,L2}(v,n,4,16);
    lemma bf_16{L0,L1,L2}: \forall float *v, integer n; n % 32 == 0 ==>
      wst{L0,L1}(v,n,4,16) ==> bfly{L1,L2}(v,n,16) ==> wst{L0,L2}(v,n,5,32);
*/
#endif
