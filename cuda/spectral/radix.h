/* Complex numbers, and transforms of 2, 3, 4, 5, 7 or 8 of them in a thread's registers. */
#ifndef PM_SPECTRAL_RADIX_H
#define PM_SPECTRAL_RADIX_H
#include "../lang/kernel.h"
#include "../math/elementary.h"

typedef struct alignas(8) complex_f {
  float re, im;
} complex_f;

DEV complex_f plus(complex_f a, complex_f b) { return {a.re + b.re, a.im + b.im}; }
DEV complex_f minus(complex_f a, complex_f b) { return {a.re - b.re, a.im - b.im}; }
/* -i a */
DEV complex_f quarter_back(complex_f a) { return {a.im, -a.re}; }
/* w a, and the conjugate of w times a */
DEV complex_f turned(complex_f w, complex_f a)
{
  return {PM_FMA(a.re, w.re, -(a.im * w.im)), PM_FMA(a.im, w.re, a.re * w.im)};
}
DEV complex_f turned_back(complex_f w, complex_f a)
{
  return {PM_FMA(a.re, w.re, a.im * w.im), PM_FMA(a.im, w.re, -(a.re * w.im))};
}

/* Cosine and sine of k/R turns, R odd. */
template <int R> DEV complex_f root(int k)
{
  const complex_f third = {-0.5f, REAL(0.86602540378443864676)};
  const complex_f fifth[] = {{REAL(0.30901699437494742410), REAL(0.95105651629515357212)},
                             {REAL(-0.80901699437494742410), REAL(0.58778525229247312917)}};
  const complex_f seventh[] = {{REAL(0.62348980185873353053), REAL(0.78183148246802980871)},
                               {REAL(-0.22252093395631440429), REAL(0.97492791218182360702)},
                               {REAL(-0.90096886790241912624), REAL(0.43388373911755812048)}};
  const int m = k % R, near = m > R / 2 ? R - m : m;
  complex_f w = R == 3 ? third : R == 5 ? fifth[near - 1] : seventh[near - 1];
  w.im = near == m ? w.im : -w.im;
  return w;
}

/* v[k] = sum over j of v[j] e^(-2 pi i j k/R), R odd: points j and R - j together. */
template <int R> DEV void butterfly(complex_f (&v)[R])
{
  enum { HALF = R / 2 };
  complex_f sum[HALF], off[HALF];
  const complex_f first = v[0];
  UNROLL for (int j = 0; j < HALF; j++)
  {
    sum[j] = plus(v[1 + j], v[R - 1 - j]);
    off[j] = minus(v[1 + j], v[R - 1 - j]);
    v[0] = plus(v[0], sum[j]);
  }
  UNROLL for (int k = 1; k <= HALF; k++)
  {
    complex_f c = first, s = {0.0f, 0.0f};
    UNROLL for (int j = 0; j < HALF; j++)
    {
      const complex_f w = root<R>(k * (j + 1));
      c.re = PM_FMA(w.re, sum[j].re, c.re);
      c.im = PM_FMA(w.re, sum[j].im, c.im);
      s.re = PM_FMA(w.im, off[j].re, s.re);
      s.im = PM_FMA(w.im, off[j].im, s.im);
    }
    v[k] = plus(c, quarter_back(s));
    v[R - k] = minus(c, quarter_back(s));
  }
}
DEV void butterfly(complex_f (&v)[2])
{
  const complex_f a = v[0], b = v[1];
  v[0] = plus(a, b), v[1] = minus(a, b);
}
DEV void butterfly(complex_f (&v)[4])
{
  const complex_f a = plus(v[0], v[2]), b = minus(v[0], v[2]), c = plus(v[1], v[3]),
                  d = quarter_back(minus(v[1], v[3]));
  v[0] = plus(a, c), v[1] = plus(b, d), v[2] = minus(a, c), v[3] = minus(b, d);
}
DEV void butterfly(complex_f (&v)[8])
{
  const float root_half = REAL(0.70710678118654752440);
  complex_f e[4] = {v[0], v[2], v[4], v[6]}, o[4] = {v[1], v[3], v[5], v[7]};
  butterfly(e);
  butterfly(o);
  o[1] = {root_half * (o[1].re + o[1].im), root_half * (o[1].im - o[1].re)};
  o[2] = quarter_back(o[2]);
  o[3] = {root_half * (o[3].im - o[3].re), -root_half * (o[3].re + o[3].im)};
  UNROLL for (int k = 0; k < 4; k++)
  {
    v[k] = plus(e[k], o[k]);
    v[k + 4] = minus(e[k], o[k]);
  }
}
#endif
