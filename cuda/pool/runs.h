/* What pools read, forward and back: along each axis the cells that meet an element are a run, equally
 * far from each other, so that the whole is a product of runs, in row-major order. The taps of an
 * output read one run of cells; the outputs whose taps read a cell are another. */
#ifndef PM_POOL_RUNS_H
#define PM_POOL_RUNS_H
#include "../lang/kernel.h"

#define POOL_RANK 8 /* axes, at most */

/* An axis of a window. I: of indices, int where no place along an axis and no position in a line is
 * past 2^31: divisions of 64 bits would take most of the time. Taps v and v + every_tap read the same
 * cell for outputs `every_out` apart: every_tap * dilation == every_out * stride, the least that is
 * both. */
template <class I> struct pool_axis {
  I size, out, kernel, stride, pad, dilation, every_tap, every_out;
};

template <class I> struct pool_axes {
  pool_axis<I> a[POOL_RANK]; /* the first of them are used */
};

/* Indices first, first + step, .., and the taps that go with them. Of one that is alone the steps are
 * 0: that of a long dilation, times the cells of a row, may be no number. */
template <class I> struct pool_run {
  I first, step, count, tap, tap_step;
};

template <class I> DEV I pool_least(I a, I b) { return a < b ? a : b; }

/* The cells that output i reads: places i stride - pad + v dilation from 0 to size - 1. */
template <class I> DEV pool_run<I> pool_cells_of(const pool_axis<I> &a, I i)
{
  I base = i * a.stride - a.pad, low = 0, high = a.kernel;
  if (base < 0)
    low = a.dilation == 1 ? -base : (a.dilation - 1 - base) / a.dilation;
  if (base + (a.kernel - 1) * a.dilation >= a.size)
    high = base >= a.size    ? 0
           : a.dilation == 1 ? a.size - base
                             : (a.size - 1 - base) / a.dilation + 1;
  I count = high > low ? high - low : 0;
  return {base + low * a.dilation, count > 1 ? a.dilation : 0, count, low, 1};
}

/* The outputs that read cell j, by ever lower taps: place j + pad is i stride + v dilation. */
template <class I> DEV pool_run<I> pool_outs_of(const pool_axis<I> &a, I j)
{
  I place = j + a.pad, v = pool_least(a.kernel - 1, a.dilation == 1 ? place : place / a.dilation);
  I least = v - a.every_tap, i;
  if (a.stride > 1)
    while (v >= 0 && v > least && (place - v * a.dilation) % a.stride != 0) v--;
  if (v < 0 || v == least)
    return {0, 1, 0, 0, 0};
  i = (place - v * a.dilation) / a.stride;
  if (i >= a.out)
    return {0, 1, 0, 0, 0};
  I count = pool_least(v / a.every_tap + 1, (a.out - 1 - i) / a.every_out + 1);
  return {i, count > 1 ? a.every_out : 0, count, v, count > 1 ? -a.every_tap : 0};
}

/* What element k of a line reads of the line's other side, `back` from outputs to cells: from(position,
 * number of the tap) for each, in row-major order. R: axes. */
template <int R, class I, class F> DEV void pool_each(const pool_axes<I> &w, int back, I k, F from)
{
  I at[R], count[R], jump[R], tap_jump[R], place = 0, tap = 0, step = 1, tap_step = 1;
  UNROLL for (int e = R - 1; e >= 0; e--)
  {
    I own = back ? w.a[e].size : w.a[e].out, i = e ? k % own : k;
    pool_run<I> run = back ? pool_outs_of(w.a[e], i) : pool_cells_of(w.a[e], i);
    if (run.count == 0)
      return;
    k /= own;
    at[e] = 0;
    count[e] = run.count;
    jump[e] = run.step * step;
    tap_jump[e] = run.tap_step * tap_step;
    place += run.first * step;
    tap += run.tap * tap_step;
    step *= back ? w.a[e].out : w.a[e].size;
    tap_step *= w.a[e].kernel;
  }
  for (int left = 1; left;) {
    for (I n = 0; n < count[R - 1]; n++) from(place + n * jump[R - 1], tap + n * tap_jump[R - 1]);
    left = 0;
    UNROLL for (int e = R - 2; e >= 0; e--) if (!left)
    {
      left = ++at[e] < count[e];
      place += left ? jump[e] : (1 - count[e]) * jump[e];
      tap += left ? tap_jump[e] : (1 - count[e]) * tap_jump[e];
      at[e] = left ? at[e] : 0;
    }
  }
}
#endif
