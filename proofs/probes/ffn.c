/* Wrong instances of ffn's vocabulary: each must fail to prove, each control must prove. */
#include "../../ref/ffn.h"
/*@ check lemma probe_ffn{L}: \forall scalar *h, *w1, *w2; Ffn{L}(h,w1,w2,1,1,0,1,0,0) == 1.0;
    check lemma probe_ffn_du{L}: \forall scalar *w2, *u, *g; FfnDu{L}(w2,u,g,1,1,0,0,0) == 1.0;
    check lemma probe_gelu_of: \forall arith A, real v; p_gelu_of(A,p_make(v,0.0)).e == 0.0;
    check lemma probe_term: \forall arith A, pair t, real h; e_term(A,t,h) == t.e;
    check lemma probe_terms: \forall arith A, real all, h; e_terms(A,all,h) == all;
    check lemma control_ffn{L}: \forall scalar *h, *w1, *w2; Ffn{L}(h,w1,w2,1,1,0,1,0,0) == 0.0;
    check lemma control_gelu_of: \forall arith A, pair x; p_gelu_of(A,x).v == Gelu(x.v);
    check lemma control_term: \forall arith A, pair t, real h; VACUOUS <= t.e ==>
      e_term(A,t,h) == VACUOUS;
    check lemma control_terms: \forall arith A, real all, h; VACUOUS <= all ==>
      e_terms(A,all,h) == VACUOUS;
*/
