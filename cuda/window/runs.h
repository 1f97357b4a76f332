/* What meets in windows: along each axis the elements of two sides that meet an element of a third are
 * runs, equally far from each other, so that the whole is a product of runs, in row-major order. An
 * output meets cells and the taps that read them; a cell the outputs and taps that read it; a tap the
 * cells that it reads and the outputs for which it does. */
#ifndef PM_WINDOW_RUNS_H
#define PM_WINDOW_RUNS_H
#include "../lang/kernel.h"

#define WINDOW_AXES 8 /* at most */

/* A divisor d of 0 <= n < 2^31 by a product (Granlund and Montgomery, 1994): magic is 2^shift / d, rounded up, and
 * 2^shift from 2^31 d on, so that n times what was rounded up is less than 2^shift / d. */
typedef struct window_divisor {
  unsigned magic;
  int shift;
} window_divisor;

static inline window_divisor window_divides(idx of)
{
  unsigned long long d = of > 0 ? (unsigned long long)of : 1; /* by no cells nothing is divided */
  int shift = 31;
  while ((1ull << (shift - 31)) < d) shift++;
  return {(unsigned)(((1ull << shift) + d - 1) / d), shift};
}

DEV int window_quo(int n, int, const window_divisor &by)
{
  return (int)(((unsigned long long)(unsigned)n * by.magic) >> by.shift);
}
DEV idx window_quo(idx n, idx d, const window_divisor &) { return n / d; }

/* Lines of n elements, a thread for each. Where indices are of 32 bits there are fewer than 2^31 threads. */
typedef struct window_lines {
  idx lines, n;
  window_divisor by_n;
} window_lines;

/* That of thread g. */
template <class I> DEV idx window_line_of(const window_lines &of, idx g)
{
  return window_quo((I)g, (I)of.n, of.by_n);
}

/* An axis of a window. I: of indices, int where no place along an axis and no position in a line is
 * past 2^31: divisions of 64 bits would take most of the time. Taps v and v + every_tap read the same
 * cell for outputs `every_out` apart: every_tap * dilation == every_out * stride, the least that is
 * both. */
template <class I> struct window_axis {
  I size, out, kernel, stride, pad, dilation, every_tap, every_out;
  window_divisor by_size = {}, by_out = {}, by_kernel = {}, by_stride = {}; /* of 32 bits */
};

template <class I> struct window_axes {
  window_axis<I> a[WINDOW_AXES]; /* the first of them are used */
};

/* Of what, and what it meets: OF_OUT: cells, and taps; OF_CELL: outputs, and taps; OF_TAP: cells, and
 * outputs. */
typedef enum { OF_OUT, OF_CELL, OF_TAP } window_of;

/* Indices first, first + step, .. of the first side that is met, and what goes with them of the second.
 * Of one that is alone the steps are 0: that of a long dilation, times the cells of a row, may be no
 * number. */
template <class I> struct window_run {
  I first, step, count, other, other_step;
};

template <class I> DEV I window_least(I a, I b) { return a < b ? a : b; }

/* The cells that output i reads: places i stride - pad + v dilation from 0 to size - 1. */
template <class I> DEV window_run<I> window_cells_of(const window_axis<I> &a, I i)
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

/* The same as below where taps are neighbours: of a place one division says which output and tap. */
template <class I> DEV window_run<I> window_near_outs_of(const window_axis<I> &a, I place)
{
  I i = window_quo(place, a.stride, a.by_stride), v = place - i * a.stride;
  I top = window_least(a.kernel - 1, place), more = top - v;
  if (top < v)
    return {0, 1, 0, 0, 0};
  if (a.stride > 1)
    more = window_quo(more, a.stride, a.by_stride);
  i -= more;
  if (i >= a.out)
    return {0, 1, 0, 0, 0};
  I count = window_least(more + 1, a.out - i);
  return {i, count > 1 ? 1 : 0, count, v + more * a.stride, count > 1 ? -a.stride : 0};
}

/* The outputs that read cell j, by ever lower taps: place j + pad is i stride + v dilation. */
template <class I> DEV window_run<I> window_outs_of(const window_axis<I> &a, I j)
{
  if (a.dilation == 1)
    return window_near_outs_of(a, j + a.pad);
  I place = j + a.pad, v = window_least(a.kernel - 1, place / a.dilation);
  I least = v - a.every_tap, i;
  if (a.stride > 1)
    while (v >= 0 && v > least && (place - v * a.dilation) % a.stride != 0) v--;
  if (v < 0 || v == least)
    return {0, 1, 0, 0, 0};
  i = (place - v * a.dilation) / a.stride;
  if (i >= a.out)
    return {0, 1, 0, 0, 0};
  I count = window_least(v / a.every_tap + 1, (a.out - 1 - i) / a.every_out + 1);
  return {i, count > 1 ? a.every_out : 0, count, v, count > 1 ? -a.every_tap : 0};
}

/* The cells that tap v reads, and the outputs that it reads them for. */
template <class I> DEV window_run<I> window_reads_of(const window_axis<I> &a, I v)
{
  if (a.out == 0)
    return {0, 1, 0, 0, 0};
  I base = v * a.dilation - a.pad,
    low = base < 0 ? window_quo(a.stride - 1 - base, a.stride, a.by_stride) : 0;
  I high = base >= a.size
               ? 0
               : window_least(a.out, window_quo(a.size - 1 - base, a.stride, a.by_stride) + 1);
  I count = high > low ? high - low : 0;
  return {low * a.stride + base, count > 1 ? a.stride : 0, count, low, 1};
}

/* The runs of all axes; positions in row-major order. */
template <int R, class I> struct window_runs {
  I count[R], jump[R], other_jump[R], first, other;
};

/* Of element k of a line of outputs, of cells, or of a kernel's taps; 0: it meets nothing. R: axes. */
template <int R, class I>
DEV int window_runs_of(const window_axes<I> &w, window_of of, I k, window_runs<R, I> &runs)
{
  I step = 1, other_step = 1;
  runs.first = runs.other = 0;
  UNROLL for (int e = R - 1; e >= 0; e--)
  {
    const window_axis<I> &a = w.a[e];
    I own = of == OF_CELL ? a.size : of == OF_OUT ? a.out : a.kernel;
    const window_divisor &by = of == OF_CELL ? a.by_size : of == OF_OUT ? a.by_out : a.by_kernel;
    I rest = e ? window_quo(k, own, by) : 0, i = k - rest * own;
    window_run<I> run = of == OF_CELL  ? window_outs_of(a, i)
                        : of == OF_OUT ? window_cells_of(a, i)
                                       : window_reads_of(a, i);
    if (run.count == 0)
      return 0;
    k = rest;
    runs.count[e] = run.count;
    runs.jump[e] = run.step * step;
    runs.other_jump[e] = run.other_step * other_step;
    runs.first += run.first * step;
    runs.other += run.other * other_step;
    step *= of == OF_CELL ? a.out : a.size;
    other_step *= of == OF_TAP ? a.out : a.kernel;
  }
  return 1;
}

/* How many elements are met. */
template <int R, class I> DEV I window_met(const window_runs<R, I> &runs)
{
  I n = 1;
  UNROLL for (int e = 0; e < R; e++) n *= runs.count[e];
  return n;
}

/* from(position, position of the other side) for each, in row-major order. */
template <int R, class I, class F> DEV void window_walk(const window_runs<R, I> &runs, F from)
{
  const I(&count)[R] = runs.count, (&jump)[R] = runs.jump, (&other_jump)[R] = runs.other_jump;
  I at[R] = {}, place = runs.first, other = runs.other;
  for (int left = 1; left;) {
    for (I n = 0; n < count[R - 1]; n++)
      from(place + n * jump[R - 1], other + n * other_jump[R - 1]);
    left = 0;
    UNROLL for (int e = R - 2; e >= 0; e--) if (!left)
    {
      left = ++at[e] < count[e];
      place += left ? jump[e] : (1 - count[e]) * jump[e];
      other += left ? other_jump[e] : (1 - count[e]) * other_jump[e];
      at[e] = left ? at[e] : 0;
    }
  }
}

template <int R, class I, class F>
DEV void window_each(const window_axes<I> &w, window_of of, I k, F from)
{
  window_runs<R, I> runs;
  if (window_runs_of(w, of, k, runs))
    window_walk(runs, from);
}
#endif
