#include "norm_pair.h"

pair pair_count(arith A, idx n)
{
  return (double)n * A.u <= 1.0 ? pair_in((double)n) : pair_const(A, (double)n);
}

pair pair_center(arith A, int centered, double sum, double abs, idx n)
{
  if (centered == 0)
    return pair_in(0.0);
  return pair_quo(A, pair_sum(A, sum, abs, 0.0, A.h), pair_count(A, n), 2.0);
}

/*@ assigns \nothing; ensures \result == p_up(A,v,d,w); */
static double up(arith A, double v, double d, double w)
{
  return d * d + pair_gam(A.u, w) * (v + d * d) + 4.0 * A.eta;
}

/*@ assigns \nothing; ensures \result == p_down(A,v,w); */
static double down(arith A, double v, double w) { return pair_gam(A.u, w) * v + 4.0 * A.eta; }

/*@ assigns \nothing; ensures \result == p_high(A,v,d,eps,w); */
static double high(arith A, double v, double d, double eps, double w)
{
  return (v + up(A, v, d, w) + eps) * (1.0 + A.u);
}

/*@ assigns \nothing; ensures \result == p_low(A,v,eps,w); */
static double low(arith A, double v, double eps, double w)
{
  return (v - down(A, v, w) + eps) * (1.0 - A.u);
}

/* Of what is not positive the contract says nothing that anyone relies on. */
/*@ assigns \nothing; ensures \result == InvRoot(v,eps); */
static double inv_root(double v, double eps) { return r_quo(1.0, r_sqrt(v + eps)); }

/*@ requires 0 <= n; assigns \nothing; ensures \result == p_rstd_of(A,v,d,eps,n,w); */
static pair rstd_of(arith A, double v, double d, double eps, idx n, double w)
{
  double hi = high(A, v, d, eps, w), lo = low(A, v, eps, w);
  if (d < VACUOUS && (double)n * hi <= A.big && 0.0 < lo)
    return pair_mono(A, inv_root(v, eps), inv_root(hi, 0.0), inv_root(lo, 0.0), A.k_rsqrt);
  return pair_make(0.0, VACUOUS);
}

pair pair_rstd(arith A, double v, double d, double eps, idx n, double w)
{
  return rstd_of(A, v, d, eps, n, (double)n * A.u <= 1.0 ? w : w + 1.0);
}

pair pair_off(arith A, int centered, double x, pair m)
{
  return centered == 0 ? pair_in(x) : pair_sub(A, pair_in(x), m);
}

pair pair_normed(arith A, int centered, double x, pair m, pair r, double gamma, double beta)
{
  pair y = pair_mul3(A, pair_off(A, centered, x, m), r, pair_in(gamma));
  return centered == 0 ? y : pair_add(A, y, pair_in(beta));
}

pair pair_pulled_hat(arith A, int centered, double g, double gamma, double x, double m, double r)
{
  pair G = pair_mul(A, pair_in(g), pair_in(gamma));
  return pair_mul3(A, G, pair_off(A, centered, x, pair_in(m)), pair_in(r));
}

pair pair_mean_pulled(arith A, int centered, double sum, double abs, idx n)
{
  if (centered == 0)
    return pair_in(0.0);
  return pair_quo(A, pair_dot(A, sum, abs, (double)n, A.h), pair_count(A, n), 2.0);
}

pair pair_mean_hat(arith A, double value, double abs, double error, idx n)
{
  return pair_quo(A, pair_sum(A, value, abs, error, A.h), pair_count(A, n), 2.0);
}

/*@ assigns \nothing; ensures \result == p_spread(A,a,b,c,r); */
static pair spread(arith A, pair a, pair b, pair c, double r)
{
  double v = a.v + b.v + c.v, abs = r_abs(a.v) + r_abs(b.v) + r_abs(c.v);
  pair sum = pair_sum(A, v, abs, a.e + b.e + c.e, 3.0);
  return pair_rnd(A, v * r, pair_cross(sum, pair_in(r)), 3.0);
}

pair pair_norm_dx(arith A, int centered, double g, double gamma, double x, double m, double r,
                  pair a, pair b)
{
  pair G = pair_mul(A, pair_in(g), pair_in(gamma));
  pair hat_b = pair_mul3(A, pair_off(A, centered, x, pair_in(m)), pair_in(r), b);
  return spread(A, G, pair_neg(a), pair_neg(hat_b), r);
}

pair pair_hat(arith A, int centered, double g, double x, double m, double r)
{
  return pair_mul3(A, pair_in(g), pair_off(A, centered, x, pair_in(m)), pair_in(r));
}
