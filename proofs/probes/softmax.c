/* Wrong instances of the softmax vocabulary: each must fail to prove, each control must prove. */
#include "../../ref/softmax.h"
/*@ check lemma probe_row_max{L}: \forall scalar *x; RowMax{L}(x,2) == x[0];
    check lemma probe_row_dot{L}: \forall scalar *a, *b; RowDot{L}(a,b,1) == 0.0;
    check lemma probe_shifted_exp: \forall arith A; p_shifted_exp(A,0.0).v == 0.0;
    check lemma probe_softmax: \forall arith A, real v, e; e_softmax(A,0.0,v,e) == 1.0;
    check lemma probe_softmax_vjp: \forall arith A, real y, g, d, a, integer n;
      e_softmax_vjp(A,y,g,d,a,n) == 1.0;
    check lemma probe_log_softmax: \forall arith A, real m, v, e; e_log_softmax(A,m,m,v,e) == 1.0;
    check lemma probe_log_softmax_vjp: \forall arith A, real y, g, s, a;
      e_log_softmax_vjp(A,y,g,s,a) == 1.0;
    check lemma probe_open_max{L}: \forall scalar *x, *b; OpenMax{L}(x,b,1) == x[0];
    check lemma probe_open_sum{L}: \forall scalar *x, *b; OpenSumExp{L}(x,b,0.0,1) == \exp(x[0]);
    check lemma probe_live_dot{L}: \forall scalar *a, *b; LiveDot{L}(a,b,1) == 0.0;
    check lemma control_open_max{L}: \forall scalar *x, *b; b[0] == 0.0 ==>
      OpenMax{L}(x,b,1) == x[0];
    check lemma control_blocked{L}: \forall scalar *x, *b; b[0] != 0.0 ==>
      MaskedSoftmax{L}(x,b,1,0) == 0.0;
    check lemma control_row_max{L}: \forall scalar *x; RowMax{L}(x,2) >= x[1];
    check lemma control_shifted_exp: \forall arith A; p_shifted_exp(A,0.0).v == 1.0;
*/
