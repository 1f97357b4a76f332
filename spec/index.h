/* Row-major index algebra, opaque to the provers: a loop's goals see ix(i,n,j), never i*n.
 * Each axiomatic block gives one defining equation; the laws are lemmas, proven once. */
#ifndef SPEC_INDEX_H
#define SPEC_INDEX_H
/*@ axiomatic Ix {
      logic integer ix(integer i, integer n, integer j) reads \nothing;
      axiom ix_def: \forall integer i, n, j; ix(i,n,j) == i*n + j;
    }
    lemma mul_pos: \forall integer a, b; 0 <= a ==> 0 <= b ==> 0 <= a * b;
    lemma ix_base: \forall integer i, n, j; ix(i,n,j) == ix(i,n,0) + j;
    lemma ix_step: \forall integer i, n; ix(i+1,n,0) == ix(i,n,0) + n;
    lemma ix_rowle: \forall integer i, i2, n; 0 <= n ==> i <= i2 ==> ix(i,n,0) <= ix(i2,n,0);
    lemma ix_range: \forall integer i, n, j, m; 0 <= i < m ==> 0 <= j < n ==>
      0 <= ix(i,n,j) < ix(m,n,0);
    lemma ix_mono: \forall integer i, n, j, i2, j2; 0 <= j < n ==> 0 <= j2 < n ==> i < i2 ==>
      ix(i,n,j) < ix(i2,n,j2);
    lemma ix_inj: \forall integer i, n, j, i2, j2; 0 <= j < n ==> 0 <= j2 < n ==>
      ix(i,n,j) == ix(i2,n,j2) ==> i == i2 && j == j2;
*/
#endif
