/* Wrong instances of the real vocabulary: each must fail to prove, each control must prove. */
#include "../../ref/ref.h"
/*@ check lemma probe_rmul: rmul(2.0,3.0) == 5.0;
    check lemma probe_rdiv: rdiv(1.0,4.0) == 0.5;
    check lemma probe_expm1: Expm1(0.0) == 1.0;
    check lemma probe_log1p: Log1p(0.0) == 1.0;
    check lemma probe_sigmoid: Sigmoid(0.0) == 1.0;
    check lemma probe_softplus: Softplus(0.0) == 0.0;
    check lemma probe_sum_empty{L}: \forall scalar *x; Sum{L}(x,0) == 1.0;
    check lemma probe_sum_one{L}: \forall scalar *x; Sum{L}(x,1) == 0.0;
    check lemma control_rmul: rmul(2.0,3.0) == 6.0;
    check lemma control_rdiv: rdiv(1.0,4.0) == 0.25;
    check lemma control_expm1: Expm1(0.0) == 0.0;
    check lemma control_log1p: Log1p(0.0) == 0.0;
    check lemma control_sigmoid: \forall real x; Sigmoid(x) == rdiv(1.0, 1.0 + \exp(-x));
    check lemma control_softplus: Softplus(0.0) == \log(2.0);
    check lemma control_sum_one{L}: \forall scalar *x; Sum{L}(x,1) == x[0];
*/
