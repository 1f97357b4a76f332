/* One step of an optimizer, of one element: a parameter p with its gradient g and, for Adam, the
 * running means m of g and v of g^2. c1 = 1/(1 - beta1^t) and c2 = 1/(1 - beta2^t) are the bias
 * corrections of step t. */
#ifndef SPEC_OPTIMIZER_H
#define SPEC_OPTIMIZER_H
#include "real.h"

/*@ logic real SgdStep(real p, real g, real lr) = p - rmul(lr,g);
    // m' and v'
    logic real FirstMoment(real m, real g, real beta1) = rmul(beta1,m) + rmul(1.0 - beta1, g);
    logic real SecondMoment(real v, real g, real beta2) =
      rmul(beta2,v) + rmul(1.0 - beta2, rmul(g,g));
    // what p loses, of m' and v'; eps stands outside of the root
    logic real AdamRoot(real v, real eps, real c2) = \sqrt(rmul(c2,v)) + eps;
    logic real AdamMove(real m, real v, real lr, real eps, real c1, real c2) =
      rmul(lr, rdiv(rmul(c1,m), AdamRoot(v,eps,c2)));
    logic real AdamStep(real p, real g, real m, real v, real lr, real beta1, real beta2, real eps,
                        real c1, real c2) =
      p - AdamMove(FirstMoment(m,g,beta1), SecondMoment(v,g,beta2), lr, eps, c1, c2);
    // the weight decays first, and apart from the gradient
    logic real Decayed(real p, real lr, real decay) = rmul(p, 1.0 - rmul(lr,decay));
    logic real AdamwStep(real p, real g, real m, real v, real lr, real beta1, real beta2, real eps,
                         real decay, real c1, real c2) =
      AdamStep(Decayed(p,lr,decay), g, m, v, lr, beta1, beta2, eps, c1, c2);

    lemma not_decayed: \forall real p, lr; Decayed(p,lr,0.0) == p;
    lemma rmul_not_negative: \forall real x, y; 0.0 <= x ==> 0.0 <= y ==> 0.0 <= rmul(x,y);
    lemma rmul_square: \forall real x; 0.0 <= rmul(x,x);
    lemma second_moment_not_negative: \forall real v, g, beta2; 0.0 <= v ==> 0.0 <= beta2 < 1.0 ==>
      0.0 <= SecondMoment(v,g,beta2);
    lemma adam_root_positive: \forall real v, eps, c2; 0.0 <= v ==> 0.0 < eps ==> 0.0 <= c2 ==>
      0.0 < AdamRoot(v,eps,c2);
*/
#endif
