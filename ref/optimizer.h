/* Optimizer steps and their error bounds. */
#ifndef REF_OPTIMIZER_H
#define REF_OPTIMIZER_H
#include "ref.h"
#include "pair.h"
#include "../spec/optimizer.h"

/*@ // tensors of n elements: an input, an output apart from four inputs
    predicate StepIn{L}(integer n, scalar *p, scalar *g, scalar *m, scalar *v) =
      In1(p,n) && In1(g,n) && In1(m,n) && In1(v,n);
    predicate StepOut{L}(integer n, scalar *y, scalar *p, scalar *g, scalar *m, scalar *v) =
      Out1(y,n) && Sep(y,n,p,n) && Sep(y,n,g,n) && Sep(y,n,m,n) && Sep(y,n,v,n);
    predicate StepOuts{L}(integer n, scalar *q, scalar *r, scalar *s) =
      Sep(q,n,r,n) && Sep(q,n,s,n) && Sep(r,n,s,n);
    // v, a mean of squares
    predicate NotNegative{L}(scalar *v, integer n) = \forall integer i; 0 <= i < n ==> 0.0 <= v[i];
    predicate AdamNumbers(real beta2, real eps, real c2) =
      0.0 <= beta2 < 1.0 && 0.0 < eps && 0.0 <= c2;
*/

/* p, g, q: (n). q = p - lr g. */
/*@ requires In1(p,n) && In1(g,n) && Out1(q,n);
    requires Sep(q,n,p,n) && Sep(q,n,g,n);
    terminates \true;
    assigns q[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> q[i] == SgdStep(\old(p[i]),\old(g[i]),lr);
*/
void ref_sgd_step(idx n, double lr, const double *p, const double *g, double *q);

/* p, g, m, v, q, m_next, v_next: (n). */
/*@ requires StepIn(n,p,g,m,v) && StepOuts(n,q,m_next,v_next);
    requires StepOut(n,q,p,g,m,v) && StepOut(n,m_next,p,g,m,v) && StepOut(n,v_next,p,g,m,v);
    requires NotNegative(v,n) && AdamNumbers(beta2,eps,c2);
    terminates \true;
    assigns q[0 .. n-1], m_next[0 .. n-1], v_next[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==>
      q[i] == AdamStep(\old(p[i]),\old(g[i]),\old(m[i]),\old(v[i]),lr,beta1,beta2,eps,c1,c2);
    ensures \forall integer i; 0 <= i < n ==>
      m_next[i] == FirstMoment(\old(m[i]),\old(g[i]),beta1);
    ensures \forall integer i; 0 <= i < n ==>
      v_next[i] == SecondMoment(\old(v[i]),\old(g[i]),beta2);
*/
void ref_adam_step(idx n, double lr, double beta1, double beta2, double eps, double c1, double c2,
                   const double *p, const double *g, const double *m, const double *v, double *q,
                   double *m_next, double *v_next);

/* p, g, m, v, q, m_next, v_next: (n). */
/*@ requires StepIn(n,p,g,m,v) && StepOuts(n,q,m_next,v_next);
    requires StepOut(n,q,p,g,m,v) && StepOut(n,m_next,p,g,m,v) && StepOut(n,v_next,p,g,m,v);
    requires NotNegative(v,n) && AdamNumbers(beta2,eps,c2);
    terminates \true;
    assigns q[0 .. n-1], m_next[0 .. n-1], v_next[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==>
      q[i] == AdamwStep(\old(p[i]),\old(g[i]),\old(m[i]),\old(v[i]),lr,beta1,beta2,eps,
                        weight_decay,c1,c2);
    ensures \forall integer i; 0 <= i < n ==>
      m_next[i] == FirstMoment(\old(m[i]),\old(g[i]),beta1);
    ensures \forall integer i; 0 <= i < n ==>
      v_next[i] == SecondMoment(\old(v[i]),\old(g[i]),beta2);
*/
void ref_adamw_step(idx n, double lr, double beta1, double beta2, double eps, double weight_decay,
                    double c1, double c2, const double *p, const double *g, const double *m,
                    const double *v, double *q, double *m_next, double *v_next);

/*@ // a product and a difference, or both in one
    axiomatic BoundSgdStep {
      logic real e_sgd_step(arith A, real p, real g, real lr) reads \nothing;
      axiom e_sgd_step_def: \forall arith A, real p, g, lr; e_sgd_step(A,p,g,lr) ==
        p_sub(A, p_make(p,0.0), p_mul(A, p_make(lr,0.0), p_make(g,0.0))).e;
    }
    axiomatic BoundMoments {
      logic pair p_first_moment(arith A, real m, real g, real beta1) reads \nothing;
      axiom p_first_moment_def: \forall arith A, real m, g, beta1;
        p_first_moment(A,m,g,beta1) ==
        p_add(A, p_mul(A, p_make(beta1,0.0), p_make(m,0.0)),
              p_mul(A, p_sub(A, p_make(1.0,0.0), p_make(beta1,0.0)), p_make(g,0.0)));
      logic pair p_second_moment(arith A, real v, real g, real beta2) reads \nothing;
      axiom p_second_moment_def: \forall arith A, real v, g, beta2;
        p_second_moment(A,v,g,beta2) ==
        p_add(A, p_mul(A, p_make(beta2,0.0), p_make(v,0.0)),
              p_mul(A, p_sub(A, p_make(1.0,0.0), p_make(beta2,0.0)),
                    p_mul(A, p_make(g,0.0), p_make(g,0.0))));
    }
    // the root of a number that is computed from squares, and so never below 0
    axiomatic PairRoot {
      logic pair p_root(arith A, pair a) reads \nothing;
      axiom p_root_def: \forall arith A, pair a; p_root(A,a) ==
        (a.e < VACUOUS ?
           p_mono(A, \sqrt(a.v), \sqrt(\max(0.0, a.v - a.e)), \sqrt(a.v + a.e), 0.0)
         : p_make(0.0, VACUOUS));
    }
    // m and v are m' and v'
    axiomatic BoundAdamMove {
      logic pair p_adam_root(arith A, pair v, real eps, real c2) reads \nothing;
      axiom p_adam_root_def: \forall arith A, pair v, real eps, c2; p_adam_root(A,v,eps,c2) ==
        p_add(A, p_root(A, p_mul(A, p_make(c2,0.0), v)), p_make(eps,0.0));
      logic pair p_adam_move(arith A, pair m, pair v, real lr, real eps, real c1, real c2)
        reads \nothing;
      axiom p_adam_move_def: \forall arith A, pair m, v, real lr, eps, c1, c2;
        p_adam_move(A,m,v,lr,eps,c1,c2) ==
        p_mul(A, p_make(lr,0.0),
              p_quo(A, p_mul(A, p_make(c1,0.0), m), p_adam_root(A,v,eps,c2), 1.0));
      // lost where in another association of lr c1 m / root a partial product underflows
      logic real p_adam_lost(arith A, pair m, pair root, real lr, real c1) reads \nothing;
      axiom p_adam_lost_def: \forall arith A, pair m, root, real lr, c1;
        p_adam_lost(A,m,root,lr,c1) ==
        (root.e < VACUOUS && 0.0 < root.v - root.e ?
           A.eta * (4.0 * (1.0 + \abs(lr)) * (1.0 + \abs(c1)) *
                    (1.0 + rdiv(1.0 + \abs(p_mag(m)), root.v - root.e))) : 0.0);
    }
    axiomatic BoundDecayed {
      logic pair p_decayed(arith A, real p, real lr, real decay) reads \nothing;
      axiom p_decayed_def: \forall arith A, real p, lr, decay; p_decayed(A,p,lr,decay) ==
        p_mul(A, p_make(p,0.0), p_sub(A, p_make(1.0,0.0),
                                      p_mul(A, p_make(lr,0.0), p_make(decay,0.0))));
    }
    axiomatic BoundAdamStep {
      logic real e_adam_step(arith A, pair p, real g, real m, real v, real lr, real beta1,
                             real beta2, real eps, real c1, real c2) reads \nothing;
      axiom e_adam_step_def: \forall arith A, pair p, real g, m, v, lr, beta1, beta2, eps, c1, c2;
        e_adam_step(A,p,g,m,v,lr,beta1,beta2,eps,c1,c2) ==
        p_widen(A, p_sub(A, p, p_adam_move(A, p_first_moment(A,m,g,beta1),
                                           p_second_moment(A,v,g,beta2), lr, eps, c1, c2)),
                p_adam_lost(A, p_first_moment(A,m,g,beta1),
                            p_adam_root(A, p_second_moment(A,v,g,beta2), eps, c2), lr, c1)).e;
    }
*/

/* p, g, e_q: (n). */
/*@ requires In1(p,n) && In1(g,n) && Out1(e_q,n);
    requires Sep(e_q,n,p,n) && Sep(e_q,n,g,n);
    terminates \true;
    assigns e_q[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_q[i] == e_sgd_step(A,\old(p[i]),\old(g[i]),lr);
*/
void bound_sgd_step(idx n, double lr, const double *p, const double *g, arith A, double *e_q);

/* p, g, m, v, e_q, e_m, e_v: (n). */
/*@ requires StepIn(n,p,g,m,v) && StepOuts(n,e_q,e_m,e_v);
    requires StepOut(n,e_q,p,g,m,v) && StepOut(n,e_m,p,g,m,v) && StepOut(n,e_v,p,g,m,v);
    terminates \true;
    assigns e_q[0 .. n-1], e_m[0 .. n-1], e_v[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==>
      e_q[i] == e_adam_step(A,p_make(\old(p[i]),0.0),\old(g[i]),\old(m[i]),\old(v[i]),lr,beta1,
                            beta2,eps,c1,c2);
    ensures \forall integer i; 0 <= i < n ==>
      e_m[i] == p_first_moment(A,\old(m[i]),\old(g[i]),beta1).e;
    ensures \forall integer i; 0 <= i < n ==>
      e_v[i] == p_second_moment(A,\old(v[i]),\old(g[i]),beta2).e;
*/
void bound_adam_step(idx n, double lr, double beta1, double beta2, double eps, double c1, double c2,
                     const double *p, const double *g, const double *m, const double *v, arith A,
                     double *e_q, double *e_m, double *e_v);

/* p, g, m, v, e_q, e_m, e_v: (n). */
/*@ requires StepIn(n,p,g,m,v) && StepOuts(n,e_q,e_m,e_v);
    requires StepOut(n,e_q,p,g,m,v) && StepOut(n,e_m,p,g,m,v) && StepOut(n,e_v,p,g,m,v);
    terminates \true;
    assigns e_q[0 .. n-1], e_m[0 .. n-1], e_v[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==>
      e_q[i] == e_adam_step(A,p_decayed(A,\old(p[i]),lr,weight_decay),\old(g[i]),\old(m[i]),
                            \old(v[i]),lr,beta1,beta2,eps,c1,c2);
    ensures \forall integer i; 0 <= i < n ==>
      e_m[i] == p_first_moment(A,\old(m[i]),\old(g[i]),beta1).e;
    ensures \forall integer i; 0 <= i < n ==>
      e_v[i] == p_second_moment(A,\old(v[i]),\old(g[i]),beta2).e;
*/
void bound_adamw_step(idx n, double lr, double beta1, double beta2, double eps, double weight_decay,
                      double c1, double c2, const double *p, const double *g, const double *m,
                      const double *v, arith A, double *e_q, double *e_m, double *e_v);
#endif
