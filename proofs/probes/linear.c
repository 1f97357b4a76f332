/* Wrong instances of linear's vocabulary: each must fail to prove, each control must prove. */
#include "../../ref/linear.h"
/*@ check lemma probe_linear{L}: \forall scalar *x, *w, *b; Linear{L}(x,w,b,1,0,1,0,0) == 0.0;
    check lemma probe_biased_dot: \forall arith A, real d, a, b, integer n;
      e_biased_dot(A,d,a,b,n) == 1.0;
    check lemma probe_biased_terms: \forall arith A, real d, a, b, integer n;
      e_biased_dot(A,d,a,b,n) == e_biased_dot(A,d,a,b,n+1);
    check lemma control_linear{L}: \forall scalar *x, *w, *b; b[0] == 2.0 ==>
      Linear{L}(x,w,b,1,0,1,0,0) == 2.0;
    check lemma control_biased_dot: \forall arith A, real d, a, b, integer n;
      e_biased_dot(A,d,a,b,n) ==
      p_sum(A, d + b, a + \abs(b), p_gam(A.u,1.0) * a + n * A.eta, A.h).e;
*/
