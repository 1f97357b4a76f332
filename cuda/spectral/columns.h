/* Transforms of columns, of which a thread has 8 of a bin or point: what it takes of the table of waves
 * serves them all. Ahead, the points are split: each split is a chain of fused multiply-adds, and the
 * splits add up in their order. */
#ifndef PM_SPECTRAL_COLUMNS_H
#define PM_SPECTRAL_COLUMNS_H
#include "wave.h"

enum { COLUMNS = 8 };

/* The column of a thread's that is number c, the last one for those behind the end. */
DEV idx column_of(idx first, int c, idx width) { return first + c < width ? first + c : width - 1; }

/* Cosine and sine of m, of a table with an even number of entries: both in one load. */
DEV pm_turn wave_at(const float *wave, idx m)
{
  const float4 two = LD4(wave + m / 2 * 4);
  pm_turn turn = {m % 2 ? two.z : two.x, m % 2 ? two.w : two.y};
  return turn;
}

/* part: (splits, bins, width, 2), the sums of cosines and sines of x: (n, width). */
KERNEL void spectral_ahead_columns(idx width, idx n, idx bins, idx splits, idx each,
                                   const float *RESTRICT wave, const float *RESTRICT x,
                                   float *RESTRICT part)
{
  idx teams = (width + COLUMNS - 1) / COLUMNS;
  GROWS(g, splits * teams, bins) {
    GCOLS(k, bins) {
      idx split = g / teams, r0 = g % teams * COLUMNS;
      idx first = split * each, end = first + each < n ? first + each : n, m = first * k % n;
      float re[COLUMNS], im[COLUMNS];
      UNROLL for (int c = 0; c < COLUMNS; c++) re[c] = im[c] = 0;
      for (idx j = first; j < end; j++) {
        const pm_turn turn = wave_at(wave, m);
        UNROLL for (int c = 0; c < COLUMNS; c++)
        {
          float v = LDG(x + j * width + column_of(r0, c, width));
          re[c] = PM_FMA(v, turn.c, re[c]);
          im[c] = PM_FMA(v, turn.s, im[c]);
        }
        m = turned_on(n, k, m);
      }
      UNROLL for (int c = 0; c < COLUMNS; c++) if (r0 + c < width)
      {
        STG(part + 2 * ((split * bins + k) * width + r0 + c), re[c]);
        STG(part + (2 * ((split * bins + k) * width + r0 + c) + 1), im[c]);
      }
    }
  }
}

/* z: (bins, width, 2), the splits added up. */
KERNEL void spectral_add_splits(idx width, idx n, idx bins, idx splits, int scaled,
                                const float *RESTRICT part, float *RESTRICT z)
{
  GROWS(k, bins, width) {
    GCOLS(r, width) {
      float re = 0, im = 0;
      for (idx s = 0; s < splits; s++) {
        re += LDG(part + 2 * ((s * bins + k) * width + r));
        im += LDG(part + (2 * ((s * bins + k) * width + r) + 1));
      }
      put_bin(n, k, scaled, 0, re, im, z + 2 * (k * width + r));
    }
  }
}

/* y: (n, width), the points of the first `bins` bins of columns of z: (bins, width, 2), as spectral_back has
 * them of rows. */
KERNEL void spectral_back_columns(idx width, idx n, idx bins, int fold, int adds,
                                  const float *RESTRICT wave, const float *RESTRICT z,
                                  float *RESTRICT y)
{
  GROWS(g, (width + COLUMNS - 1) / COLUMNS, n) {
    GCOLS(j, n) {
      idx r0 = g * COLUMNS, m = 0;
      float sum[COLUMNS];
      UNROLL for (int c = 0; c < COLUMNS; c++) sum[c] = 0;
      for (idx k = 0; k < bins; k++) {
        const pm_turn turn = wave_at(wave, m);
        const int edge = at_edge(n, k);
        const float w = weight_of(n, k, fold);
        UNROLL for (int c = 0; c < COLUMNS; c++)
        {
          const float *at = z + 2 * (k * width + column_of(r0, c, width));
          sum[c] = PM_FMA(LDG(at), w * turn.c, sum[c]);
          if (!edge)
            sum[c] = PM_FMA(LDG(at + 1), -w * turn.s, sum[c]);
        }
        m = turned_on(n, j, m);
      }
      UNROLL for (int c = 0; c < COLUMNS; c++) if (r0 + c < width)
          put(y + (j * width + r0 + c), adds, fold ? over(sum[c], (double)n) : sum[c]);
    }
  }
}
#endif
