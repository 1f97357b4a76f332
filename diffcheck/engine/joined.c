/* The bound of statistics that are joined, on paper (docs/arith.md). A tree of joins has height h, its leaves are
 * the n elements. A join of (n_a, m_a, S_a) and (n_b, m_b, S_b) gives, with t = m_b - m_a and n = n_a + n_b,
 *     mean   m_a + t n_b / n, or (n_a m_a + n_b m_b) / n
 *     square S_a + S_b + t^2 n_a n_b / n; Welford's form, of one element x: S_a + t (x - m).
 *
 * Mean. Exactly, a join takes an average of two means, and so passes on the larger of their errors; its own
 * roundings, four at most in a product with |t| or |m|, come to step = gamma_4 (X + R), X the largest magnitude
 * and R the range of the elements. So a mean is off by h step, but for terms of second order.
 *
 * Square. Exactly, S is the sum over all joins of w t^2, w = n_a n_b / n. A computed t is off by d at most: twice
 * the error of means one level down; in Welford's form, whose second factor has the new mean's error, half of the
 * one and all of the other, since w >= 1/2. By Cauchy and Schwarz the sum is off by 2 d sqrt(W S) + d^2 W, W the
 * sum of w: on each level of the tree at most n/4, over all joins at most (n/2) log2 n. Roundings: 7 of a term (t
 * twice, three products, two of n_b / n), two additions a level, two of the division by n, all of terms whose
 * magnitudes come to (sqrt(S) + d sqrt(W))^2. Counts that have more digits than the arithmetic are rounded too.
 *
 * Range. t^2 n_a n_b is computed in any association, also where a part is empty, its mean 0: nothing is said where
 * (X + R)^2 n^2 / 4 overflows, though the sum of squares itself may not. */
#include "joined.h"

#include "../../ref/norm_pair.h"

enum { MEAN_ROUNDINGS = 4, SQUARE_ROUNDINGS = 9 };

typedef struct group {
  int64_t first, outer, stride, inner;
  double n, mean, variance, largest, range;
} group;

static double element(const group *g, const double *x, int64_t i)
{
  return x[g->first + i / g->inner * g->stride + i % g->inner];
}

static void measure(group *g, const double *x)
{
  double sum = 0, square = 0, least = INFINITY, most = -INFINITY;
  int64_t n = g->outer * g->inner;
  for (int64_t i = 0; i < n; i++) {
    double v = element(g, x, i);
    sum += v;
    least = v < least ? v : least;
    most = v > most ? v : most;
  }
  g->n = (double)n;
  g->mean = sum / g->n;
  for (int64_t i = 0; i < n; i++) {
    double t = element(g, x, i) - g->mean;
    square += t * t;
  }
  g->variance = square / g->n;
  g->largest = fmax(fabs(least), fabs(most));
  g->range = most - least;
}

static double counted(const group *g, arith A) { return g->n * A.u <= 1 ? 0 : 2; }

/* How far its mean may be off, a number of levels up. */
static double mean_error(const group *g, arith A, double levels, double divide)
{
  double w = MEAN_ROUNDINGS + 2 * divide + counted(g, A);
  double step = pair_gam(A.u, w) * (g->largest + g->range) + 3 * A.eta;
  return levels <= 0 ? 0 : levels * step * (1 + pair_gam(A.u, (2 * w + 2) * levels));
}

static pair mean_pair(const group *g, arith A, double divide)
{
  double e = mean_error(g, A, A.h, divide);
  return pair_make(g->mean, pair_range(A, g->largest + g->range, e));
}

static double inv_root(double x) { return 1 / sqrt(x); }

static pair rstd_pair(const group *g, arith A, double divide, double eps)
{
  double below = mean_error(g, A, A.h - 1, divide), at = mean_error(g, A, A.h, divide);
  double d = fmax(2 * below, below / 2 + at);
  double weight = fmin(A.h / 4, log2(g->n) / 2); /* W / n */
  double root = sqrt(g->variance), moved = d * sqrt(weight);
  double rounded = pair_gam(A.u, 2 * A.h + SQUARE_ROUNDINGS + 4 * divide + counted(g, A));
  double off =
      2 * moved * root + moved * moved + rounded * (root + moved) * (root + moved) + 8 * A.eta;
  double high = (g->variance + off + eps) * (1 + A.u), low = (g->variance - off + eps) * (1 - A.u);
  double t = g->largest + g->range; /* from an empty part's mean, 0, too */
  if (!(g->n * high <= A.big) || !(t * t * g->n * fmax(1, g->n / 4) <= A.big) || !(low > 0))
    return pair_make(0, VACUOUS);
  return pair_mono(A, inv_root(g->variance + eps), inv_root(high), inv_root(low), A.k_rsqrt);
}

void joined_bound(const dc_call *c, int64_t groups, int64_t outer, int64_t inner, int own, arith A,
                  double divide, double *const *e)
{
  const double *x = c->x[0], *gamma = c->x[1], *beta = c->x[2];
  for (int64_t k = 0; k < groups; k++) {
    group g = {.first = k * inner, .outer = outer, .stride = groups * inner, .inner = inner};
    measure(&g, x);
    pair m = mean_pair(&g, A, divide), r = rstd_pair(&g, A, divide, c->attr[0]);
    e[1][k] = m.e;
    e[2][k] = r.e;
    for (int64_t i = 0; i < outer * inner; i++) {
      int64_t at = g.first + i / inner * g.stride + i % inner, p = own ? i : k;
      pair y = pair_normed(A, 1, x[at], m, r, gamma[p], beta[p]);
      e[0][at] = y.e;
    }
  }
}
