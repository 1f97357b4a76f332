/* Joining, cutting out and writing over parts of a tensor, and their VJPs: exact, so without
 * bounds. A tensor is seen around its axis as (outer, n, inner). */
#ifndef REF_SLICE_H
#define REF_SLICE_H
#include "ref.h"
#include "../spec/slice.h"

/*@ predicate View(integer outer, integer n, integer inner) =
      0 <= outer && 0 <= n && 0 <= inner && ix(n,inner,0) <= IDX_LIM &&
      ix(outer,ix(n,inner,0),0) <= IDX_LIM;
    logic integer Width(integer n, integer inner) = ix(n,inner,0);
    logic integer Size(integer outer, integer n, integer inner) = ix(outer,ix(n,inner,0),0);
*/

/* a: (outer, na, inner), b: (outer, nb, inner), y: (outer, na+nb, inner). */
/*@ requires View(outer,na,inner) && View(outer,nb,inner) && View(outer,na+nb,inner);
    requires \valid_read(a + (0 .. Size(outer,na,inner)-1));
    requires \valid_read(b + (0 .. Size(outer,nb,inner)-1));
    requires \valid(y + (0 .. Size(outer,na+nb,inner)-1)) && na + nb <= IDX_LIM;
    requires Sep(y,Size(outer,na+nb,inner),a,Size(outer,na,inner));
    requires Sep(y,Size(outer,na+nb,inner),b,Size(outer,nb,inner));
    assigns y[0 .. Size(outer,na+nb,inner)-1];
    ensures \forall integer o, c; 0 <= o < outer ==> 0 <= c < Width(na+nb,inner) ==>
      y[ix(o,Width(na+nb,inner),c)] == Concat{Pre}(a,b,na,nb,inner,o,c);
*/
void ref_concat(idx outer, idx na, idx nb, idx inner, const double *a, const double *b, double *y);

/* g: (outer, na+nb, inner), da: (outer, na, inner), db: (outer, nb, inner). */
/*@ requires View(outer,na,inner) && View(outer,nb,inner) && View(outer,na+nb,inner);
    requires \valid(da + (0 .. Size(outer,na,inner)-1));
    requires \valid(db + (0 .. Size(outer,nb,inner)-1));
    requires \valid_read(g + (0 .. Size(outer,na+nb,inner)-1)) && na + nb <= IDX_LIM;
    requires Sep(g,Size(outer,na+nb,inner),da,Size(outer,na,inner));
    requires Sep(g,Size(outer,na+nb,inner),db,Size(outer,nb,inner));
    requires Sep(da,Size(outer,na,inner),db,Size(outer,nb,inner));
    assigns da[0 .. Size(outer,na,inner)-1], db[0 .. Size(outer,nb,inner)-1];
    ensures \forall integer o, c; 0 <= o < outer ==> 0 <= c < Width(na,inner) ==>
      da[ix(o,Width(na,inner),c)] == Slice{Pre}(g,na+nb,inner,0,o,c);
    ensures \forall integer o, c; 0 <= o < outer ==> 0 <= c < Width(nb,inner) ==>
      db[ix(o,Width(nb,inner),c)] == Slice{Pre}(g,na+nb,inner,na,o,c);
*/
void ref_concat_vjp(idx outer, idx na, idx nb, idx inner, const double *g, double *da, double *db);

/* x: (outer, n, inner), y: (outer, len, inner). y[o,j,i] = x[o,start+j,i]. */
/*@ requires View(outer,n,inner) && View(outer,len,inner) && 0 <= start <= n - len;
    requires \valid_read(x + (0 .. Size(outer,n,inner)-1));
    requires \valid(y + (0 .. Size(outer,len,inner)-1));
    requires Sep(y,Size(outer,len,inner),x,Size(outer,n,inner));
    assigns y[0 .. Size(outer,len,inner)-1];
    ensures \forall integer o, c; 0 <= o < outer ==> 0 <= c < Width(len,inner) ==>
      y[ix(o,Width(len,inner),c)] == Slice{Pre}(x,n,inner,start,o,c);
*/
void ref_slice(idx outer, idx n, idx inner, idx len, idx start, const double *x, double *y);

/* g: (outer, len, inner), dx: (outer, n, inner), 0 where the slice did not reach. */
/*@ requires View(outer,n,inner) && View(outer,len,inner) && 0 <= start <= n - len;
    requires \valid_read(g + (0 .. Size(outer,len,inner)-1));
    requires \valid(dx + (0 .. Size(outer,n,inner)-1));
    requires Sep(dx,Size(outer,n,inner),g,Size(outer,len,inner));
    assigns dx[0 .. Size(outer,n,inner)-1];
    ensures \forall integer o, c; 0 <= o < outer ==> 0 <= c < Width(n,inner) ==>
      dx[ix(o,Width(n,inner),c)] == Pad{Pre}(g,inner,len,start,o,c);
*/
void ref_slice_vjp(idx outer, idx n, idx inner, idx len, idx start, const double *g, double *dx);

/* x, y: (rows, cols), u: (k, cols). y = x, but rows start .. start+k-1 are those of u. */
/*@ requires In2(x,rows,cols) && In2(u,k,cols) && Out2(y,rows,cols) && 0 <= start <= rows - k;
    requires Sep(y,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(y,ix(rows,cols,0),u,ix(k,cols,0));
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      y[ix(r,cols,c)] == WriteRows{Pre}(x,u,cols,k,start,r,c);
*/
void ref_write_rows(idx rows, idx cols, idx k, idx start, const double *x, const double *u,
                    double *y);

/* g, dx: (rows, cols), du: (k, cols). du = rows start .. start+k-1 of g, which are 0 in dx. */
/*@ requires In2(g,rows,cols) && Out2(dx,rows,cols) && Out2(du,k,cols) && 0 <= start <= rows - k;
    requires Sep(dx,ix(rows,cols,0),g,ix(rows,cols,0)) && Sep(du,ix(k,cols,0),g,ix(rows,cols,0));
    requires Sep(dx,ix(rows,cols,0),du,ix(k,cols,0));
    assigns dx[0 .. ix(rows,cols,0)-1], du[0 .. ix(k,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      dx[ix(r,cols,c)] == ZeroRows{Pre}(g,cols,k,start,r,c);
    ensures \forall integer i, c; 0 <= i < k ==> 0 <= c < cols ==>
      du[ix(i,cols,c)] == rd{Pre}(g,ix(start+i,cols,c));
*/
void ref_write_rows_vjp(idx rows, idx cols, idx k, idx start, const double *g, double *dx,
                        double *du);

/* x, y, g, dx: (n). ref_copy is in accumulate.h. */
/*@ requires In1(g,n) && Out1(dx,n) && Sep(dx,n,g,n);
    assigns dx[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> dx[i] == \old(g[i]);
*/
void ref_copy_vjp(idx n, const double *g, double *dx);

/* y: (n). y = value, 0, 1. */
/*@ requires Out1(y,n);
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == value;
*/
void ref_fill(idx n, double value, double *y);

/*@ requires Out1(y,n);
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> is_zero(y[i]);
*/
void ref_zeros(idx n, double *y);

/*@ requires Out1(y,n);
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == 1.0;
*/
void ref_ones(idx n, double *y);
#endif
