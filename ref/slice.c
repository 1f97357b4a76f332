#include "slice.h"
#include "accumulate.h"

/*@ // of the first n rows of y, (rows, W), columns to .. to+w-1 are those of x, (rows, P), from
    // column `from` on; the others are as they were
    predicate Blocked{L1,L2}(scalar *x, scalar *y, integer W, integer to, integer P, integer from,
                             integer w, integer n) =
      \forall integer r, c; 0 <= r < n ==> to <= c < to + w ==>
        \at(y[ix(r,W,c)],L2) == \at(x[ix(r,P,from+(c-to))],L1);
    predicate Around{L1,L2}(scalar *y, integer rows, integer W, integer to, integer w) =
      \forall integer r, c; 0 <= r < rows ==> 0 <= c < W ==> (c < to || to + w <= c) ==>
        \at(y[ix(r,W,c)],L2) == \at(y[ix(r,W,c)],L1);
*/

/* Columns to .. to+w-1 of y, (rows, W), become columns from .. from+w-1 of x, (rows, P). */
/*@ requires 0 <= w <= IDX_LIM && 0 <= to <= W - w && 0 <= from <= P - w;
    requires In2(x,rows,P) && Out2(y,rows,W) && Sep(y,ix(rows,W,0),x,ix(rows,P,0));
    requires W <= IDX_LIM && P <= IDX_LIM;
    assigns y[0 .. ix(rows,W,0)-1];
    ensures Blocked{Pre,Post}(x,y,W,to,P,from,w,rows);
    ensures Around{Pre,Post}(y,rows,W,to,w);
*/
static void put_block(idx rows, idx W, idx to, idx P, idx from, idx w, const double *x, double *y)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant Blocked{Pre,Here}(x,y,W,to,P,from,w,r);
      loop invariant Around{Pre,Here}(y,rows,W,to,w);
      loop assigns r, y[0 .. ix(rows,W,0)-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    /*@ loop invariant to <= c <= to + w;
        loop invariant Blocked{Pre,Here}(x,y,W,to,P,from,w,r);
        loop invariant Blocked{Pre,Here}(x,y,W,to,P,from,c-to,r+1);
        loop invariant Around{Pre,Here}(y,rows,W,to,w);
        loop assigns c, y[0 .. ix(rows,W,0)-1];
        loop variant to + w - c;
    */
    for (idx c = to; c < to + w; c++) {
      //@ ghost L0: ;
      y[at2(rows, W, r, c)] = x[at2(rows, P, r, from + (c - to))];
      /*@ assert kept: \forall integer q, s; 0 <= q < rows ==> 0 <= s < W ==>
            (q != r || s != c) ==> y[ix(q,W,s)] == rd{L0}(y,ix(q,W,s)); */
      //@ assert Around{L0,Here}(y,rows,W,to,w);
    }
  }
}

void ref_fill(idx n, double value, double *y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> y[j] == value;
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = value;
}

void ref_zeros(idx n, double *y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> is_zero(y[j]);
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = 0.0;
}

void ref_ones(idx n, double *y) { ref_fill(n, 1.0, y); }

void ref_copy_vjp(idx n, const double *g, double *dx) { ref_copy(n, g, dx); }

void ref_concat(idx outer, idx na, idx nb, idx inner, const double *a, const double *b, double *y)
{
  idx wa = size2(na, inner), wb = size2(nb, inner), W = size2(na + nb, inner);
  //@ assert W == wa + wb;
  /*@ assert range: \forall integer o, c; 0 <= o < outer ==> 0 <= c < wb ==>
        0 <= ix(o,wb,c) < Size(outer,nb,inner); */
  put_block(outer, W, 0, wa, 0, wa, a, y);
  /*@ assert first: \forall integer o, c; 0 <= o < outer ==> 0 <= c < wa ==>
        y[ix(o,W,c)] == rd{Pre}(a,ix(o,wa,c)); */
  /*@ assert as_before: \forall integer o, c; 0 <= o < outer ==> 0 <= c < wb ==>
        b[ix(o,wb,c)] == rd{Pre}(b,ix(o,wb,c)); */
  //@ ghost Half: ;
  put_block(outer, W, wa, wb, 0, wb, b, y);
  /*@ assert kept: \forall integer o, c; 0 <= o < outer ==> 0 <= c < wa ==>
        y[ix(o,W,c)] == rd{Half}(y,ix(o,W,c)); */
  /*@ assert put: \forall integer o, c; 0 <= o < outer ==> wa <= c < W ==>
        y[ix(o,W,c)] == rd{Half}(b,ix(o,wb,c-wa)); */
  /*@ assert second: \forall integer o, c; 0 <= o < outer ==> wa <= c < W ==>
        y[ix(o,W,c)] == rd{Pre}(b,ix(o,wb,c-wa)); */
  /*@ assert left: \forall integer o, c; 0 <= o < outer ==> 0 <= c < wa ==>
        y[ix(o,W,c)] == Concat{Pre}(a,b,na,nb,inner,o,c); */
  /*@ assert right: \forall integer o, c; 0 <= o < outer ==> wa <= c < W ==>
        y[ix(o,W,c)] == Concat{Pre}(a,b,na,nb,inner,o,c); */
}

void ref_slice(idx outer, idx n, idx inner, idx len, idx start, const double *x, double *y)
{
  //@ assert ix(start+len,inner,0) == ix(start,inner,0) + ix(len,inner,0);
  idx w = size2(len, inner);
  put_block(outer, w, 0, size2(n, inner), size2(start, inner), w, x, y);
}

void ref_concat_vjp(idx outer, idx na, idx nb, idx inner, const double *g, double *da, double *db)
{
  ref_slice(outer, na + nb, inner, na, 0, g, da);
  ref_slice(outer, na + nb, inner, nb, na, g, db);
}

void ref_slice_vjp(idx outer, idx n, idx inner, idx len, idx start, const double *g, double *dx)
{
  idx w = size2(len, inner), W = size2(n, inner);
  //@ assert ix(start+len,inner,0) == ix(start,inner,0) + ix(len,inner,0);
  ref_zeros(size2(outer, W), dx);
  /*@ assert around: \forall integer r, c; 0 <= r < outer ==> 0 <= c < W ==>
        is_zero(dx[ix(r,W,c)]); */
  put_block(outer, W, size2(start, inner), w, 0, w, g, dx);
}

void ref_write_rows(idx rows, idx cols, idx k, idx start, const double *x, const double *u,
                    double *y)
{
  idx n = size2(rows, cols), w = size2(k, cols), to = size2(start, cols);
  //@ assert ix(start+k,cols,0) == to + w && to + w <= n;
  ref_copy(n, x, y);
  /*@ assert copied: \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        y[ix(r,cols,c)] == rd{Pre}(x,ix(r,cols,c)); */
  //@ ghost Copied: ;
  ref_copy(w, u, y + to);
  /*@ assert above: \forall integer r, c; 0 <= r < start ==> 0 <= c < cols ==>
        y[ix(r,cols,c)] == rd{Copied}(y,ix(r,cols,c)); */
  /*@ assert below: \forall integer r, c; start + k <= r < rows ==> 0 <= c < cols ==>
        y[ix(r,cols,c)] == rd{Copied}(y,ix(r,cols,c)); */
  /*@ assert kept: \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        (r < start || start + k <= r) ==> y[ix(r,cols,c)] == rd{Pre}(x,ix(r,cols,c)); */
  /*@ assert written: \forall integer e; to <= e < to + w ==> y[e] == rd{Pre}(u,e-to); */
  /*@ assert inside: \forall integer r, c; start <= r < start + k ==> 0 <= c < cols ==>
        to <= ix(r,cols,c) < to + w && ix(r,cols,c) - to == ix(r-start,cols,c); */
  /*@ assert put: \forall integer r, c; start <= r < start + k ==> 0 <= c < cols ==>
        y[ix(r,cols,c)] == rd{Pre}(u,ix(r-start,cols,c)); */
}

/* Elements from .. from+w-1 of y, (n), become 0. */
/*@ requires Out1(y,n) && 0 <= w && 0 <= from <= n - w;
    assigns y[0 .. n-1];
    ensures \forall integer e; from <= e < from + w ==> is_zero(y[e]);
    ensures \forall integer e; 0 <= e < n ==> (e < from || from + w <= e) ==> y[e] == \old(y[e]);
*/
static void clear_part(idx n, idx from, idx w, double *y)
{
  (void)n;
  /*@ loop invariant from <= i <= from + w;
      loop invariant \forall integer e; from <= e < i ==> is_zero(y[e]);
      loop invariant \forall integer e; 0 <= e < n ==> (e < from || i <= e) ==>
        y[e] == rd{Pre}(y,e);
      loop assigns i, y[0 .. n-1];
      loop variant from + w - i;
  */
  for (idx i = from; i < from + w; i++)
    y[i] = 0.0;
}

void ref_write_rows_vjp(idx rows, idx cols, idx k, idx start, const double *g, double *dx,
                        double *du)
{
  idx n = size2(rows, cols), w = size2(k, cols), from = size2(start, cols);
  //@ assert ix(start+k,cols,0) == from + w && from + w <= n;
  /*@ assert before: \forall integer r, c; 0 <= r < start ==> 0 <= c < cols ==>
        0 <= ix(r,cols,c) < from; */
  /*@ assert inside: \forall integer r, c; start <= r < start + k ==> 0 <= c < cols ==>
        from <= ix(r,cols,c) < from + w; */
  /*@ assert after: \forall integer r, c; start + k <= r < rows ==> 0 <= c < cols ==>
        from + w <= ix(r,cols,c) < n; */
  /*@ assert at: \forall integer i, c; 0 <= i < k ==> 0 <= c < cols ==>
        0 <= ix(i,cols,c) < w && ix(start+i,cols,c) == from + ix(i,cols,c); */
  ref_copy(w, g + from, du);
  //@ assert part: \forall integer e; 0 <= e < w ==> du[e] == rd{Pre}(g,from+e);
  /*@ assert taken: \forall integer i, c; 0 <= i < k ==> 0 <= c < cols ==>
        du[ix(i,cols,c)] == rd{Pre}(g,ix(start+i,cols,c)); */
  ref_copy(n, g, dx);
  /*@ assert copied: \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        dx[ix(r,cols,c)] == rd{Pre}(g,ix(r,cols,c)); */
  //@ ghost Copied: ;
  clear_part(n, from, w, dx);
  /*@ assert above: \forall integer r, c; 0 <= r < start ==> 0 <= c < cols ==>
        dx[ix(r,cols,c)] == rd{Copied}(dx,ix(r,cols,c)); */
  /*@ assert below: \forall integer r, c; start + k <= r < rows ==> 0 <= c < cols ==>
        dx[ix(r,cols,c)] == rd{Copied}(dx,ix(r,cols,c)); */
  /*@ assert kept: \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        (r < start || start + k <= r) ==> dx[ix(r,cols,c)] == rd{Pre}(g,ix(r,cols,c)); */
  /*@ assert zeros: \forall integer r, c; start <= r < start + k ==> 0 <= c < cols ==>
        is_zero(dx[ix(r,cols,c)]); */
  /*@ assert still: \forall integer i, c; 0 <= i < k ==> 0 <= c < cols ==>
        du[ix(i,cols,c)] == rd{Copied}(du,ix(i,cols,c)); */
}
