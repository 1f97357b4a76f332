/* Movement of elements, and its VJPs: exact, so without bounds. */
#ifndef REF_SHAPE_H
#define REF_SHAPE_H
#include "walk.h"
#include "../spec/shape.h"

/* x: (rows, cols), y: (cols, rows). y[c,r] = x[r,c]. */
/*@ requires In2(x,rows,cols) && Out2(y,cols,rows);
    requires Sep(y,ix(cols,rows,0),x,ix(rows,cols,0));
    terminates \true;
    assigns y[0 .. ix(cols,rows,0)-1];
    ensures Transposed{Here,Pre}(y,x,rows,cols);
*/
void ref_transpose2d(idx rows, idx cols, const double *x, double *y);

/* g: (cols, rows), dx: (rows, cols). dx[r,c] = g[c,r]. */
/*@ requires In2(g,cols,rows) && Out2(dx,rows,cols);
    requires Sep(dx,ix(rows,cols,0),g,ix(cols,rows,0));
    terminates \true;
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures Transposed{Here,Pre}(dx,g,cols,rows);
*/
void ref_transpose2d_vjp(idx rows, idx cols, const double *g, double *dx);

/*@ predicate Permutes{L}(idx *shape, idx *axes, integer rank, scalar *x, scalar *y) =
      Shape(shape,rank) && rank <= MAX_RANK && Axes(axes,rank) &&
      0 <= Count(shape,rank) <= IDX_LIM && 0 <= CountPermuted(shape,axes,rank) <= IDX_LIM &&
      \separated(y + (0 .. Count(shape,rank)-1), shape + (0 .. rank-1)) &&
      \separated(y + (0 .. Count(shape,rank)-1), axes + (0 .. rank-1));
*/

/* x: shape, y: (shape[axes[0]], .., shape[axes[rank-1]]), the element of y at a multi-index i
 * being that of x at the multi-index j with j[axes[d]] = i[d]. */
/*@ requires Permutes(shape,axes,rank,x,y);
    requires In1(x,Count(shape,rank)) && Out1(y,Count(shape,rank));
    requires Sep(y,Count(shape,rank),x,Count(shape,rank));
    terminates \true;
    assigns y[0 .. Count(shape,rank)-1];
    ensures \forall integer k; 0 <= k < Count{Pre}(shape,rank) ==>
      y[k] == rd{Pre}(x,PermutedFrom{Pre}(shape,axes,rank,k,rank));
*/
void ref_permute(idx rank, const idx *shape, const idx *axes, const double *x, double *y);

/* g: (shape[axes[0]], ..), dx: shape. dx[j] = g[i]: each element goes back where it came from. */
/*@ requires Permutes(shape,axes,rank,g,dx);
    requires In1(g,CountPermuted(shape,axes,rank)) && Out1(dx,Count(shape,rank));
    requires Sep(dx,Count(shape,rank),g,CountPermuted(shape,axes,rank));
    terminates \true;
    assigns dx[0 .. Count(shape,rank)-1];
    ensures \forall integer k; 0 <= k < Count{Pre}(shape,rank) ==>
      dx[k] == rd{Pre}(g,PermutedTo{Pre}(shape,axes,rank,k,rank));
*/
void ref_permute_vjp(idx rank, const idx *shape, const idx *axes, const double *g, double *dx);

/*@ predicate Swaps{L}(idx *shape, integer rank, scalar *x, scalar *y) =
      Shape(shape,rank) && rank <= MAX_RANK && 0 <= Count(shape,rank) <= IDX_LIM &&
      In1(x,Count(shape,rank)) && Out1(y,Count(shape,rank)) &&
      Sep(y,Count(shape,rank),x,Count(shape,rank)) &&
      \separated(y + (0 .. Count(shape,rank)-1), shape + (0 .. rank-1));
*/

/* x: shape, y: shape with dims depth and depth + 1 exchanged. Where there are no such two dims
 * y = x. */
/*@ requires Swaps(shape,rank,x,y);
    terminates \true;
    assigns y[0 .. Count(shape,rank)-1];
    ensures \forall integer k; 0 <= k < Count{Pre}(shape,rank) ==>
      y[k] == rd{Pre}(x,AdjacentFrom{Pre}(shape,rank,depth,0,k));
*/
void ref_swap_adjacent(idx rank, const idx *shape, idx depth, const double *x, double *y);

/* g: shape with dims depth and depth + 1 exchanged, dx: shape. */
/*@ requires Swaps(shape,rank,g,dx);
    terminates \true;
    assigns dx[0 .. Count(shape,rank)-1];
    ensures \forall integer k; 0 <= k < Count{Pre}(shape,rank) ==>
      dx[k] == rd{Pre}(g,AdjacentFrom{Pre}(shape,rank,depth,1,k));
*/
void ref_swap_adjacent_vjp(idx rank, const idx *shape, idx depth, const double *g, double *dx);
#endif
