/* Wrong instances of the matrix vocabulary: each must fail to prove, each control must prove. */
#include "../../ref/matmul.h"
/*@ check lemma probe_ixt: ixt(1,2,3,0,1) == 1;
    check lemma probe_flip: flip(1) == 1;
    check lemma probe_mat_dot{L}: \forall integer s, t, scalar *a, *b;
      MatDot{L}(s,t,a,b,1,1,1,0,0,1) == 0.0;
    check lemma probe_scaled_dot: \forall arith A, real d, a, integer n, real h;
      e_scaled_dot(A,1.0,d,a,n,h) == 1.0;
    check lemma probe_dot: \forall arith A, real v, a, n, h; p_dot(A,v,a,n,h).v == a;
    check lemma control_ixt: ixt(1,2,3,0,1) == 2;
    check lemma control_mat_dot{L}: \forall integer s, t, scalar *a, *b;
      MatDot{L}(s,t,a,b,1,0,1,0,0,0) == 0.0;
    check lemma control_dot: \forall arith A, real v, a, n, h; p_dot(A,v,a,n,h).v == v;
*/
