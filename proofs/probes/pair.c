/* Wrong instances of the error pairs: each must fail to prove, each control must prove. */
#include "../../ref/pair.h"
/*@ check lemma probe_make: p_make(1.0,0.5).e == 1.0;
    check lemma probe_neg: p_neg(p_make(1.0,0.5)).v == 1.0;
    check lemma probe_add: \forall arith A, pair a, b; p_add(A,a,b).v == a.v - b.v;
    check lemma probe_cross: p_cross(p_make(2.0,0.5),p_make(3.0,0.25)) == 2.0;
    check lemma probe_mono: \forall arith A; p_mono(A,1.0,0.0,2.0,0.0).v == 2.0;
    check lemma probe_sin: \forall arith A; p_sin(A,p_make(0.0,0.0)).v == 1.0;
    check lemma control_neg: p_neg(p_make(1.0,0.5)).v == -1.0;
    check lemma control_cross: p_cross(p_make(2.0,0.5),p_make(3.0,0.25)) == 2.125;
*/
