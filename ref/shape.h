/* Movement of elements, and its VJPs: exact, so without bounds. */
#ifndef REF_SHAPE_H
#define REF_SHAPE_H
#include "ref.h"
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
#endif
