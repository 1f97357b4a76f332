/* Specification of the cluster exchange of a masked row cut into slices (lang/cluster.h): what
 * they say of it by their mailboxes, in turn 0, is the largest open element of each slice and the
 * sum of the slice's open exponentials about it; and what that comes to. x is the row, b its
 * mask. */
#ifndef PM_SOFTMAX_MASKED_CLUSTER_SPEC_H
#define PM_SOFTMAX_MASKED_CLUSTER_SPEC_H
#include "../lse/mass_masked.h"
#include "../lse/cluster_slice.h"

/*@ // the largest of OnceLeast and of the open ones of the first n elements
    logic real OpenOr{L}(float *x, float *b, integer i) = b[i] == 0.0 ? x[i] : OnceLeast;
    logic real OpenMost{L}(float *x, float *b, integer n) =
      n <= 0 ? OnceLeast : \max(OpenMost{L}(x,b,n-1), OpenOr{L}(x,b,n-1));
    predicate opens_under{L}(float *x, float *b, integer n, real m) =
      \forall integer i; 0 <= i < n ==> OpenOr{L}(x,b,i) <= m;
    predicate opens_some{L}(float *x, float *b, integer n, real m) =
      \exists integer i; 0 <= i < n && m == OpenOr{L}(x,b,i);
    lemma open_most_least{L}: \forall integer n, float *x, *b; OnceLeast <= OpenMost{L}(x,b,n);
    lemma open_most_has{L}: \forall integer n, float *x, *b, integer i; 0 <= i ==> i < n ==>
      OpenOr{L}(x,b,i) <= OpenMost{L}(x,b,n);
    lemma open_most_to{L}: \forall integer n, float *x, *b, real m; OnceLeast <= m ==>
      (\forall integer i; 0 <= i < n ==> OpenOr{L}(x,b,i) <= m) ==> OpenMost{L}(x,b,n) <= m;
    lemma open_most_under{L}: \forall float *x, *b, integer n, real m; OnceLeast <= m ==>
      opens_under{L}(x,b,n,m) ==> OpenMost{L}(x,b,n) <= m;
    lemma open_most_some{L}: \forall float *x, *b, integer n, real m; opens_some{L}(x,b,n,m) ==>
      m <= OpenMost{L}(x,b,n);
    lemma open_most_is{L}: \forall float *x, *b, integer n, real m; OnceLeast <= m ==>
      opens_under{L}(x,b,n,m) ==> (m == OnceLeast || opens_some{L}(x,b,n,m)) ==>
      m == OpenMost{L}(x,b,n);
    lemma open_most_same{L1,L2}: \forall integer n, float *x, *b;
      (\forall integer i; 0 <= i < n ==> OpenOr{L1}(x,b,i) == OpenOr{L2}(x,b,i)) ==>
      OpenMost{L1}(x,b,n) == OpenMost{L2}(x,b,n);
    lemma open_most_frame{L1,L2}: \forall float *x, *b, integer n; Same{L1,L2}(x,n) ==>
      Same{L1,L2}(b,n) ==> OpenMost{L1}(x,b,n) == OpenMost{L2}(x,b,n); */

/*@ // a slice that waits in vectors, each of which has the elements of a thread
    predicate open_vecs{L0,L}(float4 *v, float *x, float *b, integer n, integer from, integer to) =
      \forall integer q; from <= q < to ==> open_vec{L0}(\at(v[q],L),x,b,n,q);
    lemma open_vec_frame{L1,L2}: \forall float4 v, float *x, *b, integer n, q; 0 <= q ==>
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> open_vec{L1}(v,x,b,n,q) ==>
      open_vec{L2}(v,x,b,n,q);
    lemma open_vecs_frame{L1,L2,L}: \forall float4 *v, float *x, *b, integer n, from, to;
      0 <= from ==>
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> open_vecs{L1,L}(v,x,b,n,from,to) ==>
      open_vecs{L2,L}(v,x,b,n,from,to);
    // of the elements of k vectors
    logic real OpenVecs{L}(float *x, float *b, integer n, integer k) = OpenTo{L}(x,b,n,4*k);
    lemma open_vecs_none{L}: \forall float *x, *b, integer n; 0 <= n ==>
      OpenVecs{L}(x,b,n,0) == 0.0;
    lemma open_vecs_next{L}: \forall float *x, *b, integer n, k;
      OpenVecs{L}(x,b,n,k+1) == OpenVecs{L}(x,b,n,k) + VecAdds{L}(x,b,n,k);
    lemma open_vec_at{L0,L}: \forall float4 *v, float *x, *b, integer n, to, q; in_vecs(q,to) ==>
      open_vecs{L0,L}(v,x,b,n,0,to) ==> open_vec{L0}(\at(v[q],L),x,b,n,q);
    lemma held_adds{L0,L}: \forall float4 *v, float *x, *b, integer n, to, q; in_vecs(q,to) ==>
      none_lowest{L0}(x,n) ==> open_vecs{L0,L}(v,x,b,n,0,to) ==>
      HeldAt{L}(v,q) == VecAdds{L0}(x,b,n,q);
    lemma held_opens_to{L0,L}: \forall integer k, float4 *v, float *x, *b, integer n; 0 <= k ==>
      0 <= n ==> (\forall integer q; 0 <= q < k ==> HeldAt{L}(v,q) == VecAdds{L0}(x,b,n,q)) ==>
      HeldVecs{L}(v,k) == OpenVecs{L0}(x,b,n,k);
    lemma held_opens{L0,L}: \forall float4 *v, float *x, *b, integer n, k; 0 <= k ==> 0 <= n ==>
      none_lowest{L0}(x,n) ==> open_vecs{L0,L}(v,x,b,n,0,k) ==>
      HeldVecs{L}(v,k) == OpenVecs{L0}(x,b,n,k);
    lemma held_whole{L0,L}: \forall float4 *v, float *x, *b, integer n, k; 0 <= n <= 4*k ==>
      none_lowest{L0}(x,n) ==> open_vecs{L0,L}(v,x,b,n,0,k) ==>
      HeldVecs{L}(v,k) == OpenWhole{L0}(x,b,n);
    lemma vec_under{L}: \forall float4 v, float *x, *b, real m, integer k, n, q; 0 <= k < n ==>
      one_of_four(k,q) ==> OnceLeast <= m ==> open_vec{L}(v,x,b,n,q) ==> at_most4(v,m) ==>
      OpenOr{L}(x,b,k) <= m;
    lemma held_open_one{L0,L}: \forall float4 *v, float *x, *b, real m, integer n, to, k, q;
      0 <= k < n ==> one_of_four(k,q) ==> in_vecs(q,to) ==> OnceLeast <= m ==>
      open_vecs{L0,L}(v,x,b,n,0,to) ==> held_under{L}(v,m,to) ==> OpenOr{L0}(x,b,k) <= m;
    lemma held_open_at{L0,L}: \forall float4 *v, float *x, *b, real m, integer n, to, k, q;
      n <= 4*to ==> 0 <= k < n ==> has_four(k,q) ==> OnceLeast <= m ==>
      open_vecs{L0,L}(v,x,b,n,0,to) ==> held_under{L}(v,m,to) ==> OpenOr{L0}(x,b,k) <= m;
    lemma held_open_under{L0,L}: \forall float4 *v, float *x, *b, real m, integer n, k; n <= 4*k ==>
      OnceLeast <= m ==> open_vecs{L0,L}(v,x,b,n,0,k) ==> held_under{L}(v,m,k) ==>
      opens_under{L0}(x,b,n,m);
    lemma val_some{L}: \forall float *x, *b, real m, integer n, k; 0 <= k ==> Lowest < m ==>
      m == OpenVal{L}(x,b,n,k) ==> k < n && m == OpenOr{L}(x,b,k);
    lemma val_is_some{L}: \forall float *x, *b, real m, integer n, k; 0 <= k ==> Lowest < m ==>
      m == OpenVal{L}(x,b,n,k) ==> opens_some{L}(x,b,n,m);
    lemma vec_some{L}: \forall float4 v, float *x, *b, real m, integer n, q; 0 <= q ==>
      Lowest < m ==> open_vec{L}(v,x,b,n,q) ==> one_of(m,v) ==> opens_some{L}(x,b,n,m);
    lemma held_open_some{L0,L}: \forall float4 *v, float *x, *b, real m, integer n, k;
      Lowest < m ==>
      open_vecs{L0,L}(v,x,b,n,0,k) ==> held_some{L}(v,m,k) ==> opens_some{L0}(x,b,n,m);
    lemma held_most{L0,L}: \forall float4 *v, float *x, *b, integer n, k, real m; n <= 4*k ==>
      Lowest < OnceLeast ==> open_vecs{L0,L}(v,x,b,n,0,k) ==> held_top{L}(v,m,k) ==>
      m == OpenMost{L0}(x,b,n); */

/*@ // what block p of cluster k says of its slice
    logic real SliceMost{L}(float *x, float *b, integer cols, integer slice, integer p) =
      OpenMost{L}(x+PieceAt(p,cols,slice),b+PieceAt(p,cols,slice),PieceLen(p,cols,slice));
    logic real SliceWhole{L}(float *x, float *b, integer cols, integer slice, integer p) =
      OpenWhole{L}(x,b,PieceAt(p+1,cols,slice)) - OpenWhole{L}(x,b,PieceAt(p,cols,slice));
    predicate says_open{L}(integer k, float *x, float *b, integer cols, integer slice, integer p) =
      Came(k,0,0,p) == SliceMost{L}(x,b,cols,slice,p) &&
      Mass(Came(k,1,0,p),Came(k,0,0,p)) == SliceWhole{L}(x,b,cols,slice,p);
    predicate row_says_open{L}(integer k, float *x, float *b, integer cols, integer slice) =
      \forall integer p; 0 <= p < CLUSTER_MOST ==> says_open{L}(k,x,b,cols,slice,p);
    lemma most_part{L1,L2}: \forall float *x, *b, integer o, m, e, n; part_ends(o,m,e,n) ==>
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> OpenMost{L1}(x+o,b+o,m) == OpenMost{L2}(x+o,b+o,m);
    lemma slice_most_frame{L1,L2}: \forall float *x, *b, integer cols, slice, p;
      0 <= p < CLUSTER_MOST ==> row_split(cols,slice,CLUSTER_MOST) ==> Same{L1,L2}(x,cols) ==>
      Same{L1,L2}(b,cols) ==> SliceMost{L1}(x,b,cols,slice,p) == SliceMost{L2}(x,b,cols,slice,p);
    lemma slice_whole_frame{L1,L2}: \forall float *x, *b, integer cols, slice, p;
      0 <= p < CLUSTER_MOST ==> row_split(cols,slice,CLUSTER_MOST) ==> Same{L1,L2}(x,cols) ==>
      Same{L1,L2}(b,cols) ==> SliceWhole{L1}(x,b,cols,slice,p) == SliceWhole{L2}(x,b,cols,slice,p);
    lemma open_cut{L}: \forall float *x, *b, integer o, m, e, n; part_ends(o,m,e,n) ==>
      OpenWhole{L}(x+o,b+o,m) == OpenWhole{L}(x,b,e) - OpenWhole{L}(x,b,o);
    lemma slice_whole_is{L}: \forall float *x, *b, integer cols, slice, p;
      0 <= p < CLUSTER_MOST ==> row_split(cols,slice,CLUSTER_MOST) ==>
      OpenWhole{L}(x+PieceAt(p,cols,slice),b+PieceAt(p,cols,slice),PieceLen(p,cols,slice)) ==
      SliceWhole{L}(x,b,cols,slice,p);
    lemma says_open_frame{L1,L2}: \forall integer k, float *x, *b, integer cols, slice, p;
      0 <= p < CLUSTER_MOST ==> row_split(cols,slice,CLUSTER_MOST) ==> Same{L1,L2}(x,cols) ==>
      Same{L1,L2}(b,cols) ==> says_open{L1}(k,x,b,cols,slice,p) ==>
      says_open{L2}(k,x,b,cols,slice,p);
    lemma says_open_at{L}: \forall integer k, float *x, *b, integer cols, slice, p;
      0 <= p < CLUSTER_MOST ==> row_says_open{L}(k,x,b,cols,slice) ==>
      says_open{L}(k,x,b,cols,slice,p);
    lemma says_most{L}: \forall integer k, float *x, *b, integer cols, slice, p;
      0 <= p < CLUSTER_MOST ==> row_says_open{L}(k,x,b,cols,slice) ==>
      Came(k,0,0,p) == SliceMost{L}(x,b,cols,slice,p);
    lemma says_whole{L}: \forall integer k, float *x, *b, integer cols, slice, p;
      0 <= p < CLUSTER_MOST ==> row_says_open{L}(k,x,b,cols,slice) ==>
      Mass(Came(k,1,0,p),Came(k,0,0,p)) == SliceWhole{L}(x,b,cols,slice,p);
    lemma says_open_still{L1,L2}: \forall integer k, float *x, *b, integer cols, slice, p;
      0 <= p < CLUSTER_MOST ==> row_split(cols,slice,CLUSTER_MOST) ==> Same{L1,L2}(x,cols) ==>
      Same{L1,L2}(b,cols) ==> row_says_open{L1}(k,x,b,cols,slice) ==>
      says_open{L2}(k,x,b,cols,slice,p);
    lemma row_says_open_frame{L1,L2}: \forall integer k, float *x, *b, integer cols, slice;
      row_split(cols,slice,CLUSTER_MOST) ==> Same{L1,L2}(x,cols) ==> Same{L1,L2}(b,cols) ==>
      row_says_open{L1}(k,x,b,cols,slice) ==> row_says_open{L2}(k,x,b,cols,slice); */
#endif
