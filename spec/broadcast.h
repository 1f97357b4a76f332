/* Broadcasting by NumPy's rules. xs[0 .. m-1] is the shape of x, s[0 .. n-1] that of y, and n >= m:
 * dim d of x stands beside dim d + n - m of y, and has its size, or 1. */
#ifndef SPEC_BROADCAST_H
#define SPEC_BROADCAST_H
#include "walk.h"
/*@ predicate Broadcasts{L}(idx *xs, integer m, idx *s, integer n) =
      0 <= m <= n && \forall integer d; 0 <= d < m ==> xs[d] == 1 || xs[d] == s[d+n-m];
    // where in x the element of y at k comes from, in the first d dims of x
    logic integer BroadcastFrom{L}(idx *xs, integer m, idx *s, integer n, integer k, integer d) =
      d <= 0 ? 0
             : ix(BroadcastFrom{L}(xs,m,s,n,k,d-1), xs[d-1],
                  xs[d-1] == 1 ? 0 : Digit{L}(s,n,k,d-1+n-m));
    // sum of g[k], or of |g[k]| where abs is not 0, over the k < count that come from j
    logic real BroadcastTerm(integer abs, real v) = abs != 0 ? \abs(v) : v;
    logic real BroadcastSum{L}(integer abs, idx *xs, integer m, idx *s, integer n, scalar *g,
                               integer j, integer count) =
      count <= 0 ? 0.0
                 : BroadcastSum{L}(abs,xs,m,s,n,g,j,count-1)
                   + (BroadcastFrom{L}(xs,m,s,n,count-1,m) == j ? BroadcastTerm(abs,g[count-1])
                                                               : 0.0);
*/
#endif
