/* Wrong instances of the losses' vocabulary: each must fail to prove, each control must prove. */
#include "../../ref/loss.h"
/*@ check lemma probe_mse{L}: \forall scalar *a, *t; SquareSum{L}(a,t,1) == 0.0;
    check lemma probe_mse_da: MseDa(1.0,2.0,1.0,3.0) == -3.0;
    check lemma probe_mse_dt: MseDt(1.0,2.0,1.0,3.0) == 3.0;
    check lemma probe_loss_sum{L}: \forall scalar *x, int64_t *t; LossSum{L}(x,t,1,1) == 1.0;
    check lemma probe_one_hot: OneHot(1,1) == 0.0;
    check lemma probe_count: \forall arith A; A.u == 0.5 ==> p_number(A,2.0).v == 1.0;
    check lemma probe_square: \forall arith A; p_square(A,1.0,3.0).v == 2.0;
    check lemma probe_mean: \forall arith A, real e, h; p_mean(A,6.0,e,h,2.0).e == 3.0;
    check lemma probe_mse_vjp: \forall arith A, real a, t, g; e_mse_vjp(A,a,t,g,2.0) == 1.0;
    check lemma probe_row_loss: \forall arith A, real m, e; p_row_loss(A,m,m,1.0,e).v == 1.0;
    check lemma probe_probability: \forall arith A, real v, e; p_probability(A,0.0,v,e).e == 1.0;
    check lemma probe_row_gradient: \forall arith A, pair p, real g;
      e_row_gradient(A,p,1,g,1.0) == 1.0;
    check lemma control_mse{L}: \forall scalar *a, *t; SquareSum{L}(a,t,0) == 0.0;
    check lemma control_one_hot: OneHot(1,2) == 0.0;
    check lemma control_count: \forall arith A; A.u == 0.5 ==> p_number(A,2.0).v == 2.0;
*/
