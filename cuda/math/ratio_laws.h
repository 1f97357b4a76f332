/* Laws of quotients that the provers find where little else is in sight. */
#ifndef PM_MATH_RATIO_LAWS_H
#define PM_MATH_RATIO_LAWS_H
#include "../lang/kernel.h"

/*@ lemma ratio_times: \forall real a, s; s > 0.0 ==> rmul(rdiv(a,s),s) == a;
    lemma ratio_cancel: \forall real u, v, c; c > 0.0 ==> rmul(u,c) == rmul(v,c) ==> u == v;
    lemma ratio_of: \forall real u, s, a; s > 0.0 ==> rmul(u,s) == a ==> u == rdiv(a,s);
    lemma ratio_swap: \forall real q, s, e; rmul(rmul(q,s),e) == rmul(q,rmul(s,e));
    lemma ratio_one: \forall real e; rmul(e,1.0) == e;
    lemma ratio_over: \forall real e, s, t; s > 0.0 ==> t == rdiv(1.0,s) ==>
      rmul(e,t) == rdiv(e,s);
    // numbers that are the same part of each other
    lemma ratio: \forall real a, s, b, w, e, f; s > 0.0 ==> w > 0.0 ==> e > 0.0 ==> f > 0.0 ==>
      rmul(a,e) == rmul(b,f) ==> rmul(s,e) == rmul(w,f) ==> rdiv(a,s) == rdiv(b,w); */
#endif
