/* Softmax from partial statistics: one of which an exponential about any m, and the row's sum
 * about any m, are at hand. */
#ifndef PM_LSE_SOFTMAX_OF_MASS_H
#define PM_LSE_SOFTMAX_OF_MASS_H
#include "mass.h"
#include "../math/ratio_laws.h"

/*@ logic real ExpAbout(real x, real m) = \exp(x - m);
    lemma about_mass: \forall real x, m; Mass(ExpAbout(x,m),m) == \exp(x);
    lemma ratio_mass: \forall real a, s, m, b, w, n; s > 0.0 ==> w > 0.0 ==>
      Mass(a,m) == Mass(b,n) ==> Mass(s,m) == Mass(w,n) ==> rdiv(a,s) == rdiv(b,w);
    lemma about_ratio: \forall real x, m, s, n, t; s > 0.0 ==> t > 0.0 ==>
      Mass(s,m) == Mass(t,n) ==> rdiv(ExpAbout(x,m),s) == rdiv(ExpAbout(x,n),t);
    lemma softmax_about{L}: \forall float *x, integer n, c, real m; m == RowMax{L}(x,n) ==>
      Softmax{L}(x,n,c) == rdiv(ExpAbout(x[c],m),SumExp{L}(x,m,n));
    lemma any_softmax{L}: \forall float *x, integer n, c, real m, s; 0 <= c < n ==> s > 0.0 ==>
      Mass(s,m) == Whole{L}(x,n) ==> rdiv(ExpAbout(x[c],m),s) == Softmax{L}(x,n,c); */
#endif
