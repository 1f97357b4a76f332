/* Rows picked by index: y, (k, cols), row i is row index[i] of x, (rows, cols), or 0. */
#ifndef PM_GATHER_ROWS_H
#define PM_GATHER_ROWS_H
#include "kernel.h"
#include "../spec/gather.h"

DEV void gather_four(idx i, idx v, idx rows, idx V, idx k, const float *RESTRICT x,
                     const idx *RESTRICT index, float *RESTRICT y)
{
  idx from = LDI(index + i), to = at2(k, 4 * V, i, 4 * v);
  float4 r = {0, 0, 0, 0};
  if (0 <= from && from < rows)
    r = LD4(x + at2(rows, 4 * V, from, 4 * v));
  ST4(y + to, r);
}

DEV void gather_one(idx i, idx c, idx rows, idx cols, idx k, const float *RESTRICT x,
                    const idx *RESTRICT index, float *RESTRICT y)
{
  idx from = LDI(index + i), to = at2(k, cols, i, c);
  float r = 0.0f;
  if (0 <= from && from < rows)
    r = LDG(x + at2(rows, cols, from, c));
  STG(y + to, r);
}

/* cols is 4*V. */
KERNEL void gather_rows_vec4(idx rows, idx V, idx k, const float *RESTRICT x,
                             const idx *RESTRICT index, float *RESTRICT y)
{
  GROWS(i, k, V)
    GCOLS(v, V) gather_four(i, v, rows, V, k, x, index, y);
}

KERNEL void gather_rows_scalar(idx rows, idx cols, idx k, const float *RESTRICT x,
                               const idx *RESTRICT index, float *RESTRICT y)
{
  GROWS(i, k, cols)
    GCOLS(c, cols) gather_one(i, c, rows, cols, k, x, index, y);
}
#endif
