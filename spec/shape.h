/* Movement of elements. */
#ifndef SPEC_SHAPE_H
#define SPEC_SHAPE_H
#include "walk.h"
/*@ // what moves stays as it is
    logic real Moved(real a) = a;
    // y, (cols, rows) in state L, is the transpose of x, (rows, cols) in state K
    predicate Transposed{L,K}(scalar *y, scalar *x, integer rows, integer cols) =
      \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      \at(y[ix(c,rows,r)],L) == \at(x[ix(r,cols,c)],K);

    // Permuted, dim d of x becomes the dim e with axes[e] == d: y has the dims s[axes[0 .. n-1]].
    predicate Stands{L}(idx *axes, integer n, integer d) =
      \exists integer e; 0 <= e < n && axes[e] == d;
    predicate Axes{L}(idx *axes, integer n) =
      \valid_read(axes + (0 .. n-1)) && (\forall integer e; 0 <= e < n ==> 0 <= axes[e] < n) &&
      (\forall integer d; 0 <= d < n ==> Stands{L}(axes,n,d)) &&
      (\forall integer d, e; 0 <= d < e < n ==> axes[d] != axes[e]);
    // elements of y
    logic integer CountPermuted{L}(idx *s, idx *axes, integer n) =
      n <= 0 ? 1 : ix(CountPermuted{L}(s,axes,n-1), s[axes[n-1]], 0);
    // index of x along its dim d, for the element of y at k
    logic integer DigitPermuted{L}(idx *s, idx *axes, integer n, integer k, integer d) =
      n <= 0 ? 0 : axes[n-1] == d ? rem(k,s[axes[n-1]])
                                  : DigitPermuted{L}(s,axes,n-1,quo(k,s[axes[n-1]]),d);
    // where in x the element of y at k stands, in the first d dims of x
    logic integer PermutedFrom{L}(idx *s, idx *axes, integer n, integer k, integer d) =
      d <= 0 ? 0
             : ix(PermutedFrom{L}(s,axes,n,k,d-1), s[d-1], DigitPermuted{L}(s,axes,n,k,d-1));
    // where in y the element of x at k went, in the first e dims of y
    logic integer PermutedTo{L}(idx *s, idx *axes, integer n, integer k, integer e) =
      e <= 0 ? 0
             : ix(PermutedTo{L}(s,axes,n,k,e-1), s[axes[e-1]], Digit{L}(s,n,k,axes[e-1]));
    lemma count_permuted_pos{L}: \forall idx *s, *axes, integer n;
      (\forall integer e; 0 <= e < n ==> 0 < s[axes[e]]) ==> 0 < CountPermuted{L}(s,axes,n);
    lemma count_permuted_grows{L}: \forall idx *s, *axes, integer m, n; 0 <= m <= n ==>
      (\forall integer e; 0 <= e < n ==> 0 < s[axes[e]]) ==>
      CountPermuted{L}(s,axes,m) <= CountPermuted{L}(s,axes,n);

    // Dims d and d + 1 exchanged: the element at k of (.., b, a, ..) in a tensor (.., a, b, ..),
    // where `inner` elements stand behind each pair of indices
    logic integer SwappedFrom(integer a, integer b, integer inner, integer k) =
      ix(ix(ix(quo(quo(quo(k,inner),a),b), a, rem(quo(k,inner),a)), b, rem(quo(quo(k,inner),a),b)),
         inner, rem(k,inner));
    // elements behind the first m dims
    logic integer Inner{L}(idx *s, integer m, integer n) =
      n <= m ? 1 : ix(Inner{L}(s,m,n-1), s[n-1], 0);
    // where there are no dims d and d + 1, nothing moves; back: from (.., b, a, ..) to (.., a, b, ..)
    logic integer AdjacentFrom{L}(idx *s, integer n, integer d, integer back, integer k) =
      d < 0 || n - 1 <= d ? k
      : back != 0 ? SwappedFrom(s[d+1], s[d], Inner{L}(s,d+2,n), k)
                  : SwappedFrom(s[d], s[d+1], Inner{L}(s,d+2,n), k);
    lemma ix_one: \forall integer a; ix(a,1,0) == a;
    lemma ix_below: \forall integer m, n; 1 <= m ==> 0 <= n ==> n <= ix(m,n,0);
*/
#endif
