/* The channels of a mode are mixed: v[k,o] = sum over i of W[k,i,o] z[k,i], complex numbers. z, v:
 * (modes, width, 2); wre, wim: (modes, width, width). */
#ifndef PM_SPECTRAL_MIX_H
#define PM_SPECTRAL_MIX_H
#include "radix.h"
#include "wave.h"

/* sum + a b, of conj the conjugate of a times b */
DEV complex_f plus_product(complex_f sum, int conj, complex_f a, complex_f b)
{
  float ai = conj ? -a.im : a.im;
  sum.re = PM_FMA(-ai, b.im, PM_FMA(a.re, b.re, sum.re));
  sum.im = PM_FMA(ai, b.re, PM_FMA(a.re, b.im, sum.im));
  return sum;
}

DEV complex_f complex_at(const float *z, idx k)
{
  complex_f v = {LDG(z + 2 * k), LDG(z + (2 * k + 1))};
  return v;
}

/* back: of W's conjugate, transposed, for the cotangents. */
KERNEL void spectral_mix(int back, idx modes, idx width, const float *RESTRICT wre,
                         const float *RESTRICT wim, const float *RESTRICT z, float *RESTRICT v)
{
  GROWS(k, modes, width) {
    GCOLS(o, width) {
      complex_f sum = {0, 0};
      for (idx i = 0; i < width; i++) {
        idx at = back ? (k * width + o) * width + i : (k * width + i) * width + o;
        complex_f w = {LDG(wre + at), LDG(wim + at)};
        sum = plus_product(sum, back, w, complex_at(z, k * width + i));
      }
      STG(v + 2 * (k * width + o), sum.re);
      STG(v + (2 * (k * width + o) + 1), sum.im);
    }
  }
}

/* dW[k,i,o] = conjugate of z[k,i] times v[k,o]. */
KERNEL void spectral_mix_weights(idx modes, idx width, int adds, const float *RESTRICT z,
                                 const float *RESTRICT v, float *RESTRICT dwre,
                                 float *RESTRICT dwim)
{
  GROWS(r, modes * width, width) {
    GCOLS(o, width) {
      complex_f none = {0, 0}, d;
      d = plus_product(none, 1, complex_at(z, r), complex_at(v, r / width * width + o));
      put(dwre + (r * width + o), adds, d.re);
      put(dwim + (r * width + o), adds, d.im);
    }
  }
}
#endif
