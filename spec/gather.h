/* Rows picked and rows added by index. An index out of range picks a zero row and adds to none. */
#ifndef SPEC_GATHER_H
#define SPEC_GATHER_H
/*@ // element (i,c) of the (k, cols) matrix whose row i is row index[i] of x, (rows, cols)
    logic real Gather{L}(scalar *x, int64_t *index, integer rows, integer cols,
                         integer i, integer c) =
      0 <= index[i] < rows ? x[ix(index[i],cols,c)] : 0.0;
    // sum of u[i,c] over the i < n with index[i] == r; u is (k, cols)
    logic real Scat{L}(int64_t *index, scalar *u, integer cols, integer r, integer c, integer n) =
      n <= 0 ? 0.0
             : Scat{L}(index,u,cols,r,c,n-1) + (index[n-1] == r ? u[ix(n-1,cols,c)] : 0.0);
*/
#endif
