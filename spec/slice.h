/* Joining, cutting out and writing over parts of a tensor. A tensor is seen around its axis as
 * (outer, n, inner); row o of it is the n*inner elements with that first index. */
#ifndef SPEC_SLICE_H
#define SPEC_SLICE_H
/*@ lemma ix_plus: \forall integer i, k, n; ix(i+k,n,0) == ix(i,n,0) + ix(k,n,0);
    lemma ix_shift: \forall integer i, k, n, j; ix(i+k,n,j) == ix(k,n,0) + ix(i,n,j);
    lemma ix_single: \forall integer n, j; ix(0,n,j) == j && ix(1,n,0) == n;
    // element c of row o of a, (outer, na, inner), followed by b, (outer, nb, inner)
    logic real Concat{L}(scalar *a, scalar *b, integer na, integer nb, integer inner, integer o,
                         integer c) =
      c < ix(na,inner,0) ? a[ix(o,ix(na,inner,0),c)]
                         : b[ix(o,ix(nb,inner,0),c-ix(na,inner,0))];
    // element c of row o of the part of x, (outer, n, inner), from start on
    logic real Slice{L}(scalar *x, integer n, integer inner, integer start, integer o, integer c) =
      x[ix(o,ix(n,inner,0),ix(start,inner,0)+c)];
    // element c of row o of g, (outer, len, inner), put at start, with zeros around it
    logic real Pad{L}(scalar *g, integer inner, integer len, integer start, integer o, integer c) =
      ix(start,inner,0) <= c < ix(start+len,inner,0)
        ? g[ix(o,ix(len,inner,0),c-ix(start,inner,0))] : 0.0;
    // element (r,c) of x, (rows, cols), whose rows start .. start+k-1 are those of u, (k, cols)
    logic real WriteRows{L}(scalar *x, scalar *u, integer cols, integer k, integer start,
                            integer r, integer c) =
      start <= r < start + k ? u[ix(r-start,cols,c)] : x[ix(r,cols,c)];
    // the same with zeros for the rows of u
    logic real ZeroRows{L}(scalar *g, integer cols, integer k, integer start, integer r,
                           integer c) =
      start <= r < start + k ? 0.0 : g[ix(r,cols,c)];
*/
#endif
