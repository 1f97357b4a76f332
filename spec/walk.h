/* Positions in a tensor of any rank, by mixed radix. s is its shape: s[0 .. n-1]. */
#ifndef SPEC_WALK_H
#define SPEC_WALK_H
/*@ axiomatic Quo {
      logic integer quo(integer k, integer n) reads \nothing;
      axiom quo_def: \forall integer k, n; quo(k,n) == k / n;
    }
    axiomatic Rem {
      logic integer rem(integer k, integer n) reads \nothing;
      axiom rem_def: \forall integer k, n; rem(k,n) == k % n;
    }
    lemma quo_rem: \forall integer k, n; 0 <= k ==> 0 < n ==> ix(quo(k,n),n,rem(k,n)) == k;
    lemma rem_range: \forall integer k, n; 0 <= k ==> 0 < n ==> 0 <= rem(k,n) < n;
    lemma quo_range: \forall integer k, n; 0 <= k ==> 0 < n ==> 0 <= quo(k,n) <= k;
    lemma quo_below: \forall integer k, m, n; 0 < n ==> 0 <= k < ix(m,n,0) ==> quo(k,n) < m;
    lemma ix_grow: \forall integer m, n; 0 <= m ==> 0 < n ==> m <= ix(m,n,0);
    lemma ix_zero: \forall integer m, n; m == 0 || n == 0 ==> ix(m,n,0) == 0;

    // elements of a tensor
    logic integer Count{L}(idx *s, integer n) = n <= 0 ? 1 : ix(Count{L}(s,n-1), s[n-1], 0);
    predicate Shape{L}(idx *s, integer n) =
      0 <= n && \valid_read(s + (0 .. n-1)) && \forall integer d; 0 <= d < n ==> 0 <= s[d];
    lemma count_empty{L}: \forall idx *s, integer d, n; 0 <= d < n ==> s[d] == 0 ==>
      Count{L}(s,n) == 0;
    lemma count_pos{L}: \forall idx *s, integer n;
      (\forall integer d; 0 <= d < n ==> 0 < s[d]) ==> 0 < Count{L}(s,n);
    lemma count_grows{L}: \forall idx *s, integer m, n; 0 <= m <= n ==>
      (\forall integer d; 0 <= d < n ==> 0 < s[d]) ==> Count{L}(s,m) <= Count{L}(s,n);
    lemma count_frame{L1,L2}: \forall idx *s, integer n;
      (\forall integer d; 0 <= d < n ==> \at(s[d],L1) == \at(s[d],L2)) ==>
      Count{L1}(s,n) == Count{L2}(s,n);
    // index d of the element at k
    logic integer Digit{L}(idx *s, integer n, integer k, integer d) =
      n <= 0 ? 0 : d == n-1 ? rem(k,s[n-1]) : Digit{L}(s,n-1,quo(k,s[n-1]),d);
*/
#endif
