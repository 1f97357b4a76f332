/* What the norms of a cluster, which are not proven, share of a row, and batch_norm's of one. */
#ifndef PM_NORM_ROWS_H
#define PM_NORM_ROWS_H
#include "math.h"
#include "row_variants.h"

DEV float rstd_of(float squares, idx n, float eps)
{
  return 1.0f / pm_sqrtf(squares / (float)n + eps);
}

/* v - m in the row, 0 outside. */
DEV void center_row(float *v, float m, int k, int first, int step, int cols)
{
  UNROLL
  for (int j = 0; j < k; j++) {
    int c = 4 * (first + j * step);
    UNROLL
    for (int i = 0; i < 4; i++) v[4 * j + i] = c + i < cols ? v[4 * j + i] - m : 0.0f;
  }
}

#endif
