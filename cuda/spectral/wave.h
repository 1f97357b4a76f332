/* Transforms of rows by their definition: each result is one chain of fused multiply-adds in the order
 * of its terms, so the same inputs give the same bits. Cosines and sines come from a table of the n
 * parts of a turn, which the launch before fills. */
#ifndef PM_SPECTRAL_WAVE_H
#define PM_SPECTRAL_WAVE_H
#include "../lang/kernel.h"
#include "../math/divide.h"
#include "../math/turn.h"
#include "../../spec/spectral.h"

/* m/n turns, 0 <= m < n: the nearest quarter is taken off in integers. */
DEV pm_turn turn_of(idx n, idx m)
{
  idx q = (4 * m + n / 2) / n;
  return pm_turn_near((double)(4 * m - q * n) / (double)n * QUARTER_TURN, (unsigned)q);
}

/* wave: (entries, 2), of n parts of a turn: one entry more where who reads it wants an even number. */
KERNEL void spectral_wave(idx entries, idx n, float *RESTRICT wave)
{
  GROWS(m, entries, 1) {
    pm_turn t = turn_of(n, m);
    STG(wave + 2 * m, t.c);
    STG(wave + (2 * m + 1), t.s);
  }
}

/* m + s turns of n, 0 <= m, s < n. */
DEV idx turned_on(idx n, idx s, idx m) { return m < n - s ? m + s : m - (n - s); }

/* Bin 0, and n/2 where n is even: they are real, and stand for themselves. */
DEV int at_edge(idx n, idx k) { return k == 0 || n - k == k; }

/* For how many bins of the whole spectrum bin k stands, where it is weighed by that. */
DEV float weight_of(idx n, idx k, int weighed) { return weighed && !at_edge(n, k) ? 2.0f : 1.0f; }

DEV void put(float *to, int adds, float v) { STG(to, adds ? LDG(to) + v : v); }

/* Bin k from its sums over all points of cosines and sines; scaled: times its weight, over n. */
DEV void put_bin(idx n, idx k, int scaled, int adds, float re, float im, float *RESTRICT z)
{
  im = at_edge(n, k) ? 0.0f : -im;
  if (scaled) {
    float w = weight_of(n, k, 1);
    re = over(w * re, (double)n);
    im = over(w * im, (double)n);
  }
  put(z, adds, re);
  put(z + 1, adds, im);
}

/* z: (rows, bins, 2), of rows of x: (rows, n). */
KERNEL void spectral_ahead(idx rows, idx n, idx bins, int scaled, int adds,
                           const float *RESTRICT wave, const float *RESTRICT x, float *RESTRICT z)
{
  GROWS(r, rows, bins) {
    GCOLS(k, bins) {
      float re = 0, im = 0;
      idx m = 0;
      for (idx j = 0; j < n; j++) {
        float v = LDG(x + r * n + j);
        re = PM_FMA(v, LDG(wave + 2 * m), re);
        im = PM_FMA(v, LDG(wave + (2 * m + 1)), im);
        m = turned_on(n, k, m);
      }
      put_bin(n, k, scaled, adds, re, im, z + 2 * (r * bins + k));
    }
  }
}

/* y: (rows, n), the points of rows of z; fold: each bin but the edges twice, and all over n. */
KERNEL void spectral_back(idx rows, idx n, idx bins, int fold, int adds, const float *RESTRICT wave,
                          const float *RESTRICT z, float *RESTRICT y)
{
  GROWS(r, rows, n) {
    GCOLS(j, n) {
      float sum = 0;
      idx m = 0;
      for (idx k = 0; k < bins; k++) {
        const float *at = z + 2 * (r * bins + k);
        float w = weight_of(n, k, fold);
        sum = PM_FMA(LDG(at), w * LDG(wave + 2 * m), sum);
        if (!at_edge(n, k))
          sum = PM_FMA(LDG(at + 1), -w * LDG(wave + (2 * m + 1)), sum);
        m = turned_on(n, j, m);
      }
      put(y + r * n + j, adds, fold ? over(sum, (double)n) : sum);
    }
  }
}
#endif
