/* What pools sum over, forward and back: along each axis the cells that meet an element are a run,
 * equally far from each other, so that the whole is a product of runs, in row-major order. The taps
 * of an output read one run of cells; the outputs whose taps read a cell are another. */
#ifndef PM_POOL_RUNS_H
#define PM_POOL_RUNS_H
#include "../lang/kernel.h"

#define POOL_RANK 8 /* axes, at most */

/* An axis of a window. Taps v and v + every_tap read the same cell for outputs `every_out` apart:
 * every_tap * dilation == every_out * stride, the least that is both. */
typedef struct pool_axis {
  idx size, out, kernel, stride, pad, dilation, every_tap, every_out;
} pool_axis;

typedef struct pool_axes {
  pool_axis a[POOL_RANK]; /* the first of them are used */
} pool_axes;

typedef struct pool_run {
  idx first, step, count;
} pool_run;

DEV idx pool_least(idx a, idx b) { return a < b ? a : b; }

/* The cells that output i reads: places i stride - pad + v dilation from 0 to size - 1. */
DEV pool_run pool_cells_of(const pool_axis &a, idx i)
{
  idx base = i * a.stride - a.pad, low = 0, high = a.kernel;
  if (base < 0)
    low = a.dilation == 1 ? -base : (a.dilation - 1 - base) / a.dilation;
  if (base + (a.kernel - 1) * a.dilation >= a.size)
    high = base >= a.size    ? 0
           : a.dilation == 1 ? a.size - base
                             : (a.size - 1 - base) / a.dilation + 1;
  return {base + low * a.dilation, a.dilation, high > low ? high - low : 0};
}

/* The outputs that read cell j, by ever lower taps: place j + pad is i stride + v dilation. */
DEV pool_run pool_outs_of(const pool_axis &a, idx j)
{
  idx place = j + a.pad, v = pool_least(a.kernel - 1, a.dilation == 1 ? place : place / a.dilation);
  idx least = v - a.every_tap, i;
  if (a.stride > 1)
    while (v >= 0 && v > least && (place - v * a.dilation) % a.stride != 0) v--;
  if (v < 0 || v == least)
    return {0, 1, 0};
  i = (place - v * a.dilation) / a.stride;
  if (i >= a.out)
    return {0, 1, 0};
  return {i, a.every_out, pool_least(v / a.every_tap + 1, (a.out - 1 - i) / a.every_out + 1)};
}

/* The sum over a product of R runs of a tensor with these sizes. */
template <int R>
DEV float pool_sum_of(const pool_run (&run)[R], const idx (&size)[R], const float *RESTRICT x)
{
  idx at[R], from = 0, step = 1, jump[R];
  float s = 0;
  UNROLL for (int e = R - 1; e >= 0; e--)
  {
    if (run[e].count == 0)
      return 0;
    at[e] = 0;
    jump[e] = run[e].step * step;
    from += run[e].first * step;
    step *= size[e];
  }
  for (int left = 1; left;) {
    for (idx k = 0; k < run[R - 1].count; k++) s += LDG(x + (from + k * jump[R - 1]));
    left = 0;
    UNROLL for (int e = R - 2; e >= 0; e--) if (!left)
    {
      left = ++at[e] < run[e].count;
      from += left ? jump[e] : (1 - run[e].count) * jump[e];
      at[e] = left ? at[e] : 0;
    }
  }
  return s;
}

/* Element k of a line's result, `back` from cotangents to cells, where x is the line's other side. */
template <int R>
DEV float pool_mean_at(const pool_axes &w, int back, idx k, double taps, const float *RESTRICT x)
{
  pool_run run[R];
  idx size[R];
  UNROLL for (int e = R - 1; e >= 0; e--)
  {
    idx own = back ? w.a[e].size : w.a[e].out, i = e ? k % own : k;
    size[e] = back ? w.a[e].out : w.a[e].size;
    run[e] = back ? pool_outs_of(w.a[e], i) : pool_cells_of(w.a[e], i);
    k /= own;
  }
  return over(pool_sum_of<R>(run, size, x), taps);
}
#endif
