#include "optimizer.h"

/*@ assigns \nothing; ensures \result == SgdStep(p,g,lr); */
static double sgd_step(double p, double g, double lr) { return p - r_mul(lr, g); }

/*@ assigns \nothing; ensures \result == FirstMoment(m,g,beta1); */
static double first_moment(double m, double g, double beta1)
{
  return r_mul(beta1, m) + r_mul(1.0 - beta1, g);
}

/*@ assigns \nothing; ensures \result == SecondMoment(v,g,beta2); */
static double second_moment(double v, double g, double beta2)
{
  return r_mul(beta2, v) + r_mul(1.0 - beta2, r_mul(g, g));
}

/* No root of a negative number, no division by 0. */
/*@ requires 0.0 <= v && 0.0 < eps && 0.0 <= c2;
    assigns \nothing;
    ensures \result == AdamMove(m,v,lr,eps,c1,c2);
*/
static double adam_move(double m, double v, double lr, double eps, double c1, double c2)
{
  double square = r_mul(c2, v);
  //@ assert not_negative: 0.0 <= square;
  double root = r_sqrt(square) + eps;
  //@ assert positive: root == AdamRoot(v,eps,c2) && 0.0 < root;
  return r_mul(lr, r_div(r_mul(c1, m), root));
}

/*@ assigns \nothing; ensures \result == Decayed(p,lr,decay); */
static double decayed(double p, double lr, double decay)
{
  return r_mul(p, 1.0 - r_mul(lr, decay));
}

/*@ requires 0.0 <= v && AdamNumbers(beta2,eps,c2);
    assigns \nothing;
    ensures \result == AdamwStep(p,g,m,v,lr,beta1,beta2,eps,decay,c1,c2);
*/
static double adamw_step(double p, double g, double m, double v, double lr, double beta1,
                         double beta2, double eps, double decay, double c1, double c2)
{
  double m_next = first_moment(m, g, beta1), v_next = second_moment(v, g, beta2);
  //@ assert not_negative: 0.0 <= v_next;
  return decayed(p, lr, decay) - adam_move(m_next, v_next, lr, eps, c1, c2);
}

void ref_sgd_step(idx n, double lr, const double *p, const double *g, double *q)
{
#define LOOP_OUT q
#define LOOP_VALUE sgd_step(p[i], g[i], lr)
#define LOOP_IS(j) SgdStep(rd{Pre}(p, j), rd{Pre}(g, j), lr)
#include "loop.inc"
}

void ref_adamw_step(idx n, double lr, double beta1, double beta2, double eps, double weight_decay,
                    double c1, double c2, const double *p, const double *g, const double *m,
                    const double *v, double *q, double *m_next, double *v_next)
{
#define LOOP_OUT q
#define LOOP_VALUE adamw_step(p[i], g[i], m[i], v[i], lr, beta1, beta2, eps, weight_decay, c1, c2)
#define LOOP_IS(j)                                                                             \
  AdamwStep(rd{Pre}(p, j), rd{Pre}(g, j), rd{Pre}(m, j), rd{Pre}(v, j), lr, beta1, beta2, eps, \
            weight_decay, c1, c2)
#include "loop.inc"
#define LOOP_OUT m_next
#define LOOP_VALUE first_moment(m[i], g[i], beta1)
#define LOOP_IS(j) FirstMoment(rd{Pre}(m, j), rd{Pre}(g, j), beta1)
#include "loop.inc"
#define LOOP_OUT v_next
#define LOOP_VALUE second_moment(v[i], g[i], beta2)
#define LOOP_IS(j) SecondMoment(rd{Pre}(v, j), rd{Pre}(g, j), beta2)
#include "loop.inc"
}

/* A decay of 0 multiplies by 1, in f64 too. */
void ref_adam_step(idx n, double lr, double beta1, double beta2, double eps, double c1, double c2,
                   const double *p, const double *g, const double *m, const double *v, double *q,
                   double *m_next, double *v_next)
{
  ref_adamw_step(n, lr, beta1, beta2, eps, 0.0, c1, c2, p, g, m, v, q, m_next, v_next);
}

/*@ assigns \nothing; ensures \result == e_sgd_step(A,p,g,lr); */
static double e_sgd_step(arith A, double p, double g, double lr)
{
  pair q = pair_sub(A, pair_in(p), pair_mul(A, pair_in(lr), pair_in(g)));
  return q.e;
}

/*@ assigns \nothing; ensures \result == p_first_moment(A,m,g,beta1); */
static pair pair_first_moment(arith A, double m, double g, double beta1)
{
  pair b = pair_in(beta1), rest = pair_sub(A, pair_in(1.0), b);
  return pair_add(A, pair_mul(A, b, pair_in(m)), pair_mul(A, rest, pair_in(g)));
}

/*@ assigns \nothing; ensures \result == p_second_moment(A,v,g,beta2); */
static pair pair_second_moment(arith A, double v, double g, double beta2)
{
  pair b = pair_in(beta2), rest = pair_sub(A, pair_in(1.0), b), x = pair_in(g);
  return pair_add(A, pair_mul(A, b, pair_in(v)), pair_mul(A, rest, pair_mul(A, x, x)));
}

/*@ assigns \nothing; ensures \result == p_first_moment(A,m,g,beta1).e; */
static double e_first_moment(arith A, double m, double g, double beta1)
{
  pair m_next = pair_first_moment(A, m, g, beta1);
  return m_next.e;
}

/*@ assigns \nothing; ensures \result == p_second_moment(A,v,g,beta2).e; */
static double e_second_moment(arith A, double v, double g, double beta2)
{
  pair v_next = pair_second_moment(A, v, g, beta2);
  return v_next.e;
}

/*@ assigns \nothing; ensures \result == p_root(A,a); */
static pair pair_root(arith A, pair a)
{
  if (a.e < VACUOUS) {
    double least = a.v - a.e;
    return pair_mono(A, r_sqrt(a.v), r_sqrt(0.0 > least ? 0.0 : least), r_sqrt(a.v + a.e), 0.0);
  }
  return pair_make(0.0, VACUOUS);
}

/*@ assigns \nothing; ensures \result == p_adam_root(A,v,eps,c2); */
static pair pair_adam_root(arith A, pair v, double eps, double c2)
{
  return pair_add(A, pair_root(A, pair_mul(A, pair_in(c2), v)), pair_in(eps));
}

/*@ assigns \nothing; ensures \result == p_adam_move(A,m,v,lr,eps,c1,c2); */
static pair pair_adam_move(arith A, pair m, pair v, double lr, double eps, double c1, double c2)
{
  pair ratio = pair_quo(A, pair_mul(A, pair_in(c1), m), pair_adam_root(A, v, eps, c2), 1.0);
  return pair_mul(A, pair_in(lr), ratio);
}

/*@ assigns \nothing; ensures \result == p_adam_lost(A,m,root,lr,c1); */
static double adam_lost(arith A, pair m, pair root, double lr, double c1)
{
  double least = root.v - root.e;
  if (root.e < VACUOUS && 0.0 < least) {
    double share = r_div(1.0 + r_abs(pair_mag(m)), least);
    return A.eta * (4.0 * (1.0 + r_abs(lr)) * (1.0 + r_abs(c1)) * (1.0 + share));
  }
  return 0.0;
}

/*@ assigns \nothing; ensures \result == p_decayed(A,p,lr,decay); */
static pair pair_decayed(arith A, double p, double lr, double decay)
{
  pair rest = pair_sub(A, pair_in(1.0), pair_mul(A, pair_in(lr), pair_in(decay)));
  return pair_mul(A, pair_in(p), rest);
}

/*@ assigns \nothing; ensures \result == e_adam_step(A,p,g,m,v,lr,beta1,beta2,eps,c1,c2); */
static double e_adam_step(arith A, pair p, double g, double m, double v, double lr, double beta1,
                          double beta2, double eps, double c1, double c2)
{
  pair m_next = pair_first_moment(A, m, g, beta1), v_next = pair_second_moment(A, v, g, beta2);
  pair q = pair_sub(A, p, pair_adam_move(A, m_next, v_next, lr, eps, c1, c2));
  q = pair_widen(A, q, adam_lost(A, m_next, pair_adam_root(A, v_next, eps, c2), lr, c1));
  return q.e;
}

/*@ assigns \nothing;
    ensures \result == e_adam_step(A,p_make(p,0.0),g,m,v,lr,beta1,beta2,eps,c1,c2);
*/
static double e_kept_step(arith A, double p, double g, double m, double v, double lr, double beta1,
                          double beta2, double eps, double c1, double c2)
{
  return e_adam_step(A, pair_in(p), g, m, v, lr, beta1, beta2, eps, c1, c2);
}

/*@ assigns \nothing;
    ensures \result == e_adam_step(A,p_decayed(A,p,lr,decay),g,m,v,lr,beta1,beta2,eps,c1,c2);
*/
static double e_decayed_step(arith A, double p, double g, double m, double v, double lr,
                             double beta1, double beta2, double eps, double decay, double c1,
                             double c2)
{
  return e_adam_step(A, pair_decayed(A, p, lr, decay), g, m, v, lr, beta1, beta2, eps, c1, c2);
}

void bound_sgd_step(idx n, double lr, const double *p, const double *g, arith A, double *e_q)
{
#define LOOP_OUT e_q
#define LOOP_VALUE e_sgd_step(A, p[i], g[i], lr)
#define LOOP_IS(j) e_sgd_step(A, rd{Pre}(p, j), rd{Pre}(g, j), lr)
#include "loop.inc"
}

/* m, g, v, e_m, e_v: (n). */
/*@ requires In1(g,n) && In1(m,n) && In1(v,n) && Out1(e_m,n) && Out1(e_v,n);
    requires Sep(e_m,n,g,n) && Sep(e_m,n,m,n) && Sep(e_m,n,v,n) && Sep(e_m,n,e_v,n);
    requires Sep(e_v,n,g,n) && Sep(e_v,n,m,n) && Sep(e_v,n,v,n);
    assigns e_m[0 .. n-1], e_v[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==>
      e_m[i] == p_first_moment(A,\old(m[i]),\old(g[i]),beta1).e;
    ensures \forall integer i; 0 <= i < n ==>
      e_v[i] == p_second_moment(A,\old(v[i]),\old(g[i]),beta2).e;
*/
static void bound_moments(idx n, double beta1, double beta2, const double *g, const double *m,
                          const double *v, arith A, double *e_m, double *e_v)
{
#define LOOP_OUT e_m
#define LOOP_VALUE e_first_moment(A, m[i], g[i], beta1)
#define LOOP_IS(j) p_first_moment(A, rd{Pre}(m, j), rd{Pre}(g, j), beta1).e
#include "loop.inc"
#define LOOP_OUT e_v
#define LOOP_VALUE e_second_moment(A, v[i], g[i], beta2)
#define LOOP_IS(j) p_second_moment(A, rd{Pre}(v, j), rd{Pre}(g, j), beta2).e
#include "loop.inc"
}

void bound_adam_step(idx n, double lr, double beta1, double beta2, double eps, double c1, double c2,
                     const double *p, const double *g, const double *m, const double *v, arith A,
                     double *e_q, double *e_m, double *e_v)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==>
        e_q[j] == e_adam_step(A,p_make(rd{Pre}(p,j),0.0),rd{Pre}(g,j),rd{Pre}(m,j),rd{Pre}(v,j),lr,
                              beta1,beta2,eps,c1,c2);
      loop assigns i, e_q[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double pi = p[i], gi = g[i], mi = m[i], vi = v[i];
    /*@ assert inputs: pi == rd{Pre}(p,i) && gi == rd{Pre}(g,i) && mi == rd{Pre}(m,i) &&
                       vi == rd{Pre}(v,i); */
    e_q[i] = e_kept_step(A, pi, gi, mi, vi, lr, beta1, beta2, eps, c1, c2);
  }
  bound_moments(n, beta1, beta2, g, m, v, A, e_m, e_v);
}

void bound_adamw_step(idx n, double lr, double beta1, double beta2, double eps, double weight_decay,
                      double c1, double c2, const double *p, const double *g, const double *m,
                      const double *v, arith A, double *e_q, double *e_m, double *e_v)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==>
        e_q[j] == e_adam_step(A,p_decayed(A,rd{Pre}(p,j),lr,weight_decay),rd{Pre}(g,j),rd{Pre}(m,j),
                              rd{Pre}(v,j),lr,beta1,beta2,eps,c1,c2);
      loop assigns i, e_q[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double pi = p[i], gi = g[i], mi = m[i], vi = v[i];
    /*@ assert inputs: pi == rd{Pre}(p,i) && gi == rd{Pre}(g,i) && mi == rd{Pre}(m,i) &&
                       vi == rd{Pre}(v,i); */
    e_q[i] = e_decayed_step(A, pi, gi, mi, vi, lr, beta1, beta2, eps, weight_decay, c1, c2);
  }
  bound_moments(n, beta1, beta2, g, m, v, A, e_m, e_v);
}
