#include "pair.h"

/* Comparisons are written so that NaN falls on the vacuous side. */

pair pair_make(double v, double e)
{
  pair p = {v, e};
  return p;
}

pair pair_in(double v) { return pair_make(v, 0.0); }

double pair_gam(double u, double m)
{
  if (m <= 0.0)
    return 0.0;
  if (m * u < 1.0)
    return r_div(m * u, 1.0 - m * u);
  return VACUOUS;
}

double pair_range(arith A, double m, double e)
{
  if (m + e <= A.big && e < VACUOUS)
    return e;
  return VACUOUS;
}

pair pair_rnd(arith A, double v, double e0, double w)
{
  double m = r_abs(v);
  return pair_make(v, pair_range(A, m, e0 + pair_gam(A.u, w) * (m + e0) + w * A.eta));
}

pair pair_const(arith A, double c) { return pair_rnd(A, c, 0.0, 1.0); }

pair pair_neg(pair a) { return pair_make(-a.v, a.e); }

pair pair_add(arith A, pair a, pair b) { return pair_rnd(A, a.v + b.v, a.e + b.e, 1.0); }

pair pair_sub(arith A, pair a, pair b) { return pair_rnd(A, a.v - b.v, a.e + b.e, 1.0); }

double pair_cross(pair a, pair b)
{
  if (a.e < VACUOUS && b.e < VACUOUS)
    return r_abs(a.v) * b.e + r_abs(b.v) * a.e + a.e * b.e;
  return VACUOUS;
}

pair pair_mul(arith A, pair a, pair b) { return pair_rnd(A, a.v * b.v, pair_cross(a, b), 1.0); }

double pair_mag(pair a) { return r_abs(a.v) + a.e; }

pair pair_widen(arith A, pair a, double x)
{
  return pair_make(a.v, pair_range(A, r_abs(a.v), a.e + x));
}

pair pair_mul3(arith A, pair a, pair b, pair c)
{
  double ma = pair_mag(a), mb = pair_mag(b), mc = pair_mag(c);
  double ab = a.v * b.v;
  if (ma * mb <= A.big && ma * mc <= A.big && mb * mc <= A.big) {
    double e0 = pair_cross(pair_make(ab, pair_cross(a, b)), c);
    return pair_widen(A, pair_rnd(A, ab * c.v, e0, 2.0), A.eta * (ma + mb + mc));
  }
  return pair_make(ab * c.v, VACUOUS);
}

/*@ assigns \nothing;
    ensures \result == 1 <==> p_divides(A,a,b,w);
    ensures \result == 0 || \result == 1;
*/
static int divides(arith A, pair a, pair b, double w)
{
  double den = r_abs(b.v) - b.e;
  return a.e < VACUOUS && b.e < VACUOUS && b.v != 0.0 && 0.0 < den &&
         (w < 2.0 || 1.0 <= A.big * den);
}

/*@ requires b.v != 0.0 && \abs(b.v) != b.e;
    assigns \nothing;
    ensures \result == p_ratio(A,a,b,w);
*/
static pair ratio(arith A, pair a, pair b, double w)
{
  double v = r_div(a.v, b.v);
  return pair_rnd(A, v, r_div(a.e + r_abs(v) * b.e, r_abs(b.v) - b.e), w);
}

pair pair_quo(arith A, pair a, pair b, double w)
{
  if (divides(A, a, b, w))
    return pair_widen(A, ratio(A, a, b, w), w < 2.0 ? 0.0 : A.eta * pair_mag(a));
  return pair_make(0.0, VACUOUS);
}

pair pair_exp(arith A, pair a)
{
  if (a.e < VACUOUS) {
    double v = r_exp(a.v);
    return pair_rnd(A, v, r_exp(a.v + a.e) - v, 2.0 * A.k_exp + 1.0);
  }
  return pair_make(0.0, VACUOUS);
}

pair pair_mono(arith A, double v, double low, double high, double k)
{
  double up = r_abs(high - v), down = r_abs(low - v);
  return pair_rnd(A, v, up > down ? up : down, 2.0 * k + 1.0);
}

double pair_tail(pair a) { return 2.0 * r_exp(-2.0 * (r_abs(a.v) - a.e)); }

int pair_saturated(arith A, pair a)
{
  return a.e < VACUOUS && TANH_SAT <= r_abs(a.v) - a.e && pair_tail(a) <= 0.25 * A.u;
}

pair pair_tanh(arith A, pair a)
{
  if (pair_saturated(A, a))
    return pair_make(r_tanh(a.v), pair_tail(a));
  if (a.e < VACUOUS)
    return pair_mono(A, r_tanh(a.v), r_tanh(a.v - a.e), r_tanh(a.v + a.e), A.k_tanh);
  return pair_make(0.0, VACUOUS);
}

pair pair_sqrt(arith A, pair a)
{
  if (a.e < VACUOUS && 0.0 <= a.v - a.e)
    return pair_mono(A, r_sqrt(a.v), r_sqrt(a.v - a.e), r_sqrt(a.v + a.e), 0.0);
  return pair_make(0.0, VACUOUS);
}

pair pair_log(arith A, pair a)
{
  if (a.e < VACUOUS && 0.0 < a.v - a.e)
    return pair_mono(A, r_log(a.v), r_log(a.v - a.e), r_log(a.v + a.e), A.k_log);
  return pair_make(0.0, VACUOUS);
}

pair pair_log1p(arith A, pair a)
{
  if (a.e < VACUOUS && -1.0 < a.v - a.e)
    return pair_mono(A, r_log1p(a.v), r_log1p(a.v - a.e), r_log1p(a.v + a.e), A.k_log1p);
  return pair_make(0.0, VACUOUS);
}

pair pair_expm1(arith A, pair a)
{
  if (a.e < VACUOUS)
    return pair_mono(A, r_expm1(a.v), r_expm1(a.v - a.e), r_expm1(a.v + a.e), A.k_expm1);
  return pair_make(0.0, VACUOUS);
}

pair pair_erf(arith A, pair a)
{
  if (a.e < VACUOUS)
    return pair_mono(A, r_erf(a.v), r_erf(a.v - a.e), r_erf(a.v + a.e), A.k_erf);
  return pair_make(0.0, VACUOUS);
}

pair pair_sigmoid(arith A, pair a)
{
  if (a.e < VACUOUS)
    return pair_mono(A, r_sigmoid(a.v), r_sigmoid(a.v - a.e), r_sigmoid(a.v + a.e), A.k_sigmoid);
  return pair_make(0.0, VACUOUS);
}

pair pair_softplus(arith A, pair a)
{
  if (a.e < VACUOUS)
    return pair_mono(A, r_softplus(a.v), r_softplus(a.v - a.e), r_softplus(a.v + a.e),
                     A.k_softplus);
  return pair_make(0.0, VACUOUS);
}

pair pair_sin(arith A, pair a)
{
  if (a.e < VACUOUS)
    return pair_rnd(A, r_sin(a.v), a.e < 2.0 ? a.e : 2.0, 2.0 * A.k_sin + 1.0);
  return pair_make(0.0, VACUOUS);
}

pair pair_cos(arith A, pair a)
{
  if (a.e < VACUOUS)
    return pair_rnd(A, r_cos(a.v), a.e < 2.0 ? a.e : 2.0, 2.0 * A.k_cos + 1.0);
  return pair_make(0.0, VACUOUS);
}

pair pair_sum(arith A, double sv, double sa, double se, double h)
{
  return pair_make(sv, pair_range(A, sa, se + pair_gam(A.u, h) * (sa + se)));
}

pair pair_dot(arith A, double sv, double sa, double n, double h)
{
  return pair_sum(A, sv, sa, pair_gam(A.u, 1.0) * sa + n * A.eta, h);
}
