/* Rows picked and rows added by index. An index out of range picks a zero row and adds to none. */
#ifndef SPEC_GATHER_H
#define SPEC_GATHER_H
/*@ // element (i,c) of the (k, cols) matrix whose row i is row index[i] of x, (rows, cols)
    logic real Gather{L}(scalar *x, int64_t *index, integer rows, integer cols,
                         integer i, integer c) =
      0 <= index[i] < rows ? x[ix(index[i],cols,c)] : 0.0;
    // the same of a vector x, (n): element index[i]
    logic real Pick{L}(scalar *x, int64_t *index, integer n, integer i) =
      0 <= index[i] < n ? x[index[i]] : 0.0;
    // what row r gets where one row is added: v to the row that index[0] names
    logic real Put{L}(int64_t *index, integer r, real v) = index[0] == r ? v : 0.0;
    // sum of u[i,c], or of |u[i,c]| where abs is not 0, over the i < n with index[i] == r;
    // u is (k, cols)
    logic real ScatTerm(integer abs, real v) = abs != 0 ? \abs(v) : v;
    logic real ScatSum{L}(integer abs, int64_t *index, scalar *u, integer cols, integer r,
                          integer c, integer n) =
      n <= 0 ? 0.0
             : ScatSum{L}(abs,index,u,cols,r,c,n-1)
               + (index[n-1] == r ? ScatTerm(abs,u[ix(n-1,cols,c)]) : 0.0);
    logic real Scat{L}(int64_t *index, scalar *u, integer cols, integer r, integer c, integer n) =
      ScatSum{L}(0,index,u,cols,r,c,n);
    // u is a vector, (k)
    logic real ScatVec{L}(integer abs, int64_t *index, scalar *u, integer r, integer n) =
      ScatSum{L}(abs,index,u,1,r,0,n);
    lemma ix_col: \forall integer i; ix(i,1,0) == i;
    lemma scat_frame{L1,L2}: \forall integer abs, int64_t *index, scalar *u,
                                     integer cols, r, c, n;
      (\forall integer i; 0 <= i < n ==> \at(index[i],L1) == \at(index[i],L2)) ==>
      (\forall integer i; 0 <= i < n ==> \at(u[ix(i,cols,c)],L1) == \at(u[ix(i,cols,c)],L2)) ==>
      ScatSum{L1}(abs,index,u,cols,r,c,n) == ScatSum{L2}(abs,index,u,cols,r,c,n);
*/
#endif
