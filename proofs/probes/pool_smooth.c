/* Wrong instances of smooth pooling's vocabulary: each must fail to prove, each control must prove. */
#include "../../ref/pool_smooth.h"
/*@ check lemma probe_smooth_exp: \forall real beta; smooth_exp(beta,1.0,1.0) == 0.0;
    check lemma probe_farther: farther(-1.0,2.0,3.0) == 3.0;
    check lemma probe_p_smooth_exp: \forall arith A, real beta; p_smooth_exp(A,beta,1.0,1.0).v == 0.0;
    check lemma probe_added: \forall arith A, pair t; e_added(A,t) == t.e;
    check lemma probe_all_added: \forall arith A, real all; e_all_added(A,all) == all;
    check lemma control_smooth_exp: \forall real beta; smooth_exp(beta,1.0,1.0) == 1.0;
    check lemma control_farther: farther(-1.0,2.0,3.0) == 2.0 && farther(1.0,2.0,3.0) == 3.0;
    check lemma control_p_smooth_exp: \forall arith A, real beta; p_smooth_exp(A,beta,1.0,1.0).e == 0.0;
    check lemma control_added: \forall arith A, pair t; VACUOUS <= t.e ==> e_added(A,t) == VACUOUS;
    check lemma control_all_added: \forall arith A, real all; VACUOUS <= all ==>
      e_all_added(A,all) == VACUOUS;
*/
