/* add_bias, its VJP and error bound. */
#ifndef REF_BIAS_H
#define REF_BIAS_H
#include "ref.h"
#include "pair.h"
#include "../spec/bias.h"

/* x, y: (rows, cols), b: (cols). y[r,c] = x[r,c] + b[c]. */
/*@ requires In2(x,rows,cols) && In1(b,cols) && Out2(y,rows,cols);
    requires Sep(y,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(y,ix(rows,cols,0),b,cols);
    terminates \true;
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      y[ix(r,cols,c)] == \old(x[ix(r,cols,c)]) + \old(b[c]);
*/
void ref_add_bias(idx rows, idx cols, const double *x, const double *b, double *y);

/* g: (rows, cols), sums: (cols). sums[c] = sum over r of g[r,c]. */
/*@ requires In2(g,rows,cols) && Out1(sums,cols) && Sep(sums,cols,g,ix(rows,cols,0));
    terminates \true;
    assigns sums[0 .. cols-1];
    ensures \forall integer c; 0 <= c < cols ==> sums[c] == ColSum{Pre}(g,cols,c,rows);
*/
void col_sums(idx rows, idx cols, const double *g, double *sums);

/* g, dx: (rows, cols), db: (cols). dx = g, db[c] = sum over r of g[r,c]. */
/*@ requires In2(g,rows,cols) && Out2(dx,rows,cols) && Out1(db,cols);
    requires Sep(dx,ix(rows,cols,0),g,ix(rows,cols,0));
    requires Sep(db,cols,g,ix(rows,cols,0)) && Sep(db,cols,dx,ix(rows,cols,0));
    terminates \true;
    assigns dx[0 .. ix(rows,cols,0)-1], db[0 .. cols-1];
    ensures \forall integer i; 0 <= i < ix(rows,cols,0) ==> dx[i] == \old(g[i]);
    ensures \forall integer c; 0 <= c < cols ==> db[c] == ColSum{Pre}(g,cols,c,rows);
*/
void ref_add_bias_vjp(idx rows, idx cols, const double *g, double *dx, double *db);

/* g: (rows, cols), e_db: (cols), for a summation tree of height A.h2 (dx needs no bound). */
/*@ requires In2(g,rows,cols) && Out1(e_db,cols) && Sep(e_db,cols,g,ix(rows,cols,0));
    terminates \true;
    assigns e_db[0 .. cols-1];
    ensures \forall integer c; 0 <= c < cols ==> e_db[c] ==
      p_sum(A, ColSum{Pre}(g,cols,c,rows), ColSumAbs{Pre}(g,cols,c,rows), 0.0,
            A.h2).e;
*/
void bound_add_bias_vjp(idx rows, idx cols, const double *g, arith A, double *e_db);
#endif
