/* Transforms of rows in n log n: Stockham passes, which leave their results in order. A butterfly reads numbers
 * that lie n/r apart, turns them by the table, transforms them in registers and writes them where the next
 * pass finds them. The way back is the same transform of numbers whose parts have changed places.
 *
 *   fft      a block has one row or several in shared memory, from the first pass to the last
 *   passes   a launch for each few passes, through the workspace: rows of any length
 *
 * What comes out as infinite or NaN is done again by the definition, in f64: an infinity or NaN among a row's
 * numbers reaches all results, of some of which the definition says otherwise, and a sum on the way may be too
 * large though the result is not. */
#ifndef PM_SPECTRAL_FFT_H
#define PM_SPECTRAL_FFT_H
#include "../lang/async_copy.h"
#include "../lang/vec2.h"
#include "fft_plan.h"
#include "radix.h"

/* The table: cosines and sines of the n parts of a turn, then of each pass, number k of what is before it by
 * number q of its radix: (radix - 1, before). */
KERNEL void spectral_fft_turns(fft_plan p, idx entries, float *RESTRICT wave)
{
  GROWS(e, entries, 1) {
    const int i = (int)(e - p.n) + 1;
    int part = (int)e;
    for (int s = 0; s < p.passes; s++) {
      const int before = p.pass[s].before, behind = before * p.pass[s].radix;
      if (i >= before && i < behind)
        part = (int)p.n / behind * (i % before) * (i / before);
    }
    const pm_turn t = turn_of(p.n, part);
    STG(wave + 2 * e, t.c);
    STG(wave + (2 * e + 1), t.s);
  }
}

/* ---- by the definition, in f64, where products of two f32 are exact ---- */

DEV void put_bin_again(const fft_plan &p, const complex_f *wave, const float *x, idx k, float *z)
{
  double re = 0, im = 0, w = p.whole ? weight_of(p.n, k, 1) / (double)p.n : 1.0;
  idx m = 0;
  UNROLL_BY(1)
  for (idx j = 0; j < p.n; j++) {
    re += (double)LDG(x + j) * (double)wave[m].re;
    im += (double)LDG(x + j) * (double)wave[m].im;
    m = turned_on(p.n, k, m);
  }
  put(z + 2 * k, p.adds, (float)(re * w));
  put(z + (2 * k + 1), p.adds, at_edge(p.n, k) ? 0.0f : (float)(-im * w));
}

DEV void put_point_again(const fft_plan &p, const complex_f *wave, const float *z, idx j, float *y)
{
  double sum = 0;
  idx m = 0;
  UNROLL_BY(1)
  for (idx k = 0; k <= p.n / 2; k++) {
    const double w = weight_of(p.n, k, p.whole);
    sum += w * (double)LDG(z + 2 * k) * (double)wave[m].re;
    if (!at_edge(p.n, k))
      sum -= w * (double)LDG(z + (2 * k + 1)) * (double)wave[m].im;
    m = turned_on(p.n, j, m);
  }
  put(y + j, p.adds, (float)(p.whole ? sum / (double)p.n : sum));
}

DEV bool is_finite(complex_f v) { return v.re - v.re == 0.0f && v.im - v.im == 0.0f; }

/* ---- between points, bins and the numbers of a transform ---- */

/* Two floats that lie together, in one access where they are aligned. */
DEV complex_f pair_at(const float *x, int aligned)
{
  float2 v;
  if (aligned)
    v = LD2(x);
  else
    v = {LDG(x), LDG(x + 1)};
  return {v.x, v.y};
}
DEV void put_pair(float *to, int aligned, int adds, complex_f v)
{
  if (aligned) {
    float2 old = {0.0f, 0.0f};
    if (adds)
      old = LD2(to);
    ST2(to, {adds ? old.x + v.re : v.re, adds ? old.y + v.im : v.im});
  } else {
    put(to, adds, v.re);
    put(to + 1, adds, v.im);
  }
}

DEV complex_f times(float s, complex_f v) { return {s * v.re, s * v.im}; }

/* Number j that is transformed, of the points x of a row. */
DEV complex_f from_points(const fft_plan &p, const float *x, idx j)
{
  complex_f v;
  if (p.odd)
    v = {LDG(x + j), 0.0f};
  else
    v = pair_at(x + 2 * j, p.pairs);
  return times(FFT_SCALE, v);
}

/* Bin k is v, a sum of what was transformed. */
DEV void to_bin(const fft_plan &p, idx k, complex_f v, float *z)
{
  v = times(p.out * weight_of(p.n, k, p.whole), v);
  v.im = at_edge(p.n, k) ? 0.0f : v.im;
  put_pair(z + 2 * k, p.pairs, p.adds, v);
}

/* The bins that number k of a transform and number -k, a and b, make: two of an even n, of which the middle
 * one is one. */
DEV void to_bins(const fft_plan &p, const complex_f *wave, const float *x, idx k, complex_f a,
                 complex_f b, float *z)
{
  const int two = !p.odd && 2 * k != p.size;
  complex_f near = a, far = a;
  if (!p.odd) {
    const complex_f s = {a.re + b.re, a.im - b.im}, d = {a.re - b.re, a.im + b.im},
                    t = quarter_back(turned_back(wave[k], d));
    near = plus(s, t), far = {s.re - t.re, t.im - s.im};
  }
  if (is_finite(near) && is_finite(far)) {
    to_bin(p, k, near, z);
    if (two)
      to_bin(p, p.size - k, far, z);
  } else {
    UNROLL_BY(1)
    for (int i = 0; i <= two; i++) put_bin_again(p, wave, x, i ? p.size - k : k, z);
  }
}

/* Bin k of z as it is transformed back: each that is no edge stands for itself and its mirror image. */
DEV complex_f from_bin(const fft_plan &p, const float *z, idx k)
{
  const int edge = at_edge(p.n, k);
  complex_f v = pair_at(z + 2 * k, p.pairs);
  v.im = edge ? 0.0f : v.im;
  return times(edge || p.whole ? FFT_SCALE : 0.5f * FFT_SCALE, v);
}

/* Numbers k and -k that are transformed back, to.put(place, number): parts have changed places. */
template <class TO>
DEV void from_bins(const fft_plan &p, const complex_f *wave, const float *z, idx k, TO to)
{
  const complex_f a = from_bin(p, z, k);
  if (p.odd) {
    to.put(k, {a.im, a.re});
    if (k)
      to.put(p.size - k, {-a.im, a.re});
  } else {
    const complex_f b = from_bin(p, z, p.size - k), s = {a.re + b.re, a.im - b.im},
                    t = turned(wave[k], {a.re - b.re, a.im + b.im});
    to.put(k, {s.im + t.re, s.re - t.im});
    if (k && 2 * k != p.size)
      to.put(p.size - k, {t.re - s.im, s.re + t.im});
  }
}

/* Number j of the transform back is v: one point of y, or two. */
DEV void to_points(const fft_plan &p, idx j, complex_f v, float *y)
{
  if (p.odd)
    put(y + j, p.adds, p.out * v.im);
  else
    put_pair(y + 2 * j, p.pairs, p.adds, {p.out * v.im, p.out * v.re});
}
DEV void to_points_again(const fft_plan &p, const complex_f *wave, const float *z, idx j, float *y)
{
  const int each = p.odd ? 1 : 2;
  UNROLL_BY(1)
  for (int i = 0; i < each; i++) put_point_again(p, wave, z, each * j + i, y);
}

/* ---- passes ---- */

/* Butterfly b of a transform in which it reads numbers that are `apart`, k its number in what is before it; its number
 * q is turned by turns[q stride], where stride is more than 1. */
typedef struct fft_at {
  int radix, apart, before, b, k, stride;
  const complex_f *turns;
} fft_at;

template <int R, class FROM, class TO> DEV void pass_one(const fft_at &s, FROM from, TO to)
{
  const int first = (s.b - s.k) * R + s.k;
  bool taken = true;
  complex_f v[R];
  UNROLL for (int q = 0; q < R; q++) v[q] = from.get(s.b + q * s.apart);
  if (s.stride > 1)
    UNROLL for (int q = 1; q < R; q++) v[q] = turned_back(s.turns[q * s.stride], v[q]);
  butterfly(v);
  UNROLL for (int q = 0; q < R; q++) taken = taken && to.takes(v[q]);
  if (taken) {
    UNROLL for (int q = 0; q < R; q++) to.put(first + q * s.before, v[q]);
  } else {
    UNROLL_BY(1)
    for (int q = 0; q < R; q++) to.again(first + q * s.before);
  }
}

template <class FROM, class TO> DEV void pass_of(const fft_at &s, FROM from, TO to)
{
  if (s.radix == 8)
    pass_one<8>(s, from, to);
  else if (s.radix == 4)
    pass_one<4>(s, from, to);
  else if (s.radix == 2)
    pass_one<2>(s, from, to);
  else if (s.radix == 3)
    pass_one<3>(s, from, to);
  else if (s.radix == 5)
    pass_one<5>(s, from, to);
  else
    pass_one<7>(s, from, to);
}

/* Where the numbers of a row are: in shared memory, in the workspace, or still or already those outside. */
struct shared_row {
  complex_f *of;
  __device__ complex_f get(int i) const { return of[fft_place(i)]; }
  __device__ void put(int i, complex_f v) const { of[fft_place(i)] = v; }
  __device__ bool takes(complex_f) const { return true; }
  __device__ void again(int) const {}
};
struct global_row {
  complex_f *of;
  __device__ complex_f get(int i) const { return of[i]; }
  __device__ void put(int i, complex_f v) const { of[i] = v; }
  __device__ bool takes(complex_f) const { return true; }
  __device__ void again(int) const {}
};
struct row_of_points {
  const fft_plan &p;
  const float *x;
  __device__ complex_f get(int j) const { return from_points(p, x, j); }
};
struct row_to_points {
  const fft_plan &p;
  const complex_f *wave;
  const float *z;
  float *y;
  __device__ bool takes(complex_f v) const { return is_finite(v); }
  __device__ void put(int j, complex_f v) const { to_points(p, j, v, y); }
  __device__ void again(int j) const { to_points_again(p, wave, z, j, y); }
};

/* Of a block: row r. */
struct shared_rows {
  complex_f *of;
  int pitch;
  __device__ shared_row row(int r) const { return {of + r * pitch}; }
};
struct global_rows {
  complex_f *of;
  int size;
  __device__ global_row row(idx r) const { return {of + r * size}; }
};
struct rows_of_points {
  const fft_plan &p;
  const float *x;
  __device__ row_of_points row(idx r) const { return {p, x + r * p.n}; }
};
struct rows_to_points {
  const fft_plan &p;
  const complex_f *wave;
  const float *z;
  float *y;
  __device__ row_to_points row(idx r) const
  {
    return {p, wave, z + r * 2 * (p.n / 2 + 1), y + r * p.n};
  }
};

/* i / d, by what fft_divisor makes of d */
DEV int divided(int i, uint32_t by) { return by ? (int)((uint64_t)(uint32_t)i * by >> 32) : i; }

/* A thread's butterflies of so many rows. */
template <class FROM, class TO>
DEV void pass_rows(const fft_pass &s, const complex_f *turns, int t, int rows, FROM from, TO to)
{
  UNROLL_BY(1)
  for (int i = t; i < rows * s.apart; i += BDIM) {
    const int r = divided(i, s.by_apart), b = i - r * s.apart;
    const int k = s.before > 1 ? b - divided(b, s.by_before) * s.before : 0;
    pass_of(fft_at{s.radix, s.apart, s.before, b, k, s.before, turns + (k - 1)}, from.row(r),
            to.row(r));
  }
}

/* ---- fft ---- */

DEV int rows_here(const fft_plan &p, idx first)
{
  return p.rows - first < p.each ? (int)(p.rows - first) : p.each;
}

/* Passes `first` to end - 1, from one copy of the rows to the other: gives the one with the last one's numbers. */
DEV shared_rows passes_between(const fft_plan &p, const complex_f *turns, int first, int end,
                               int rows, shared_rows now, shared_rows then)
{
  UNROLL_BY(1)
  for (int s = first; s < end; s++) {
    PHASE(t) pass_rows(p.pass[s], turns, t, rows, now, then);
    const shared_rows last = now;
    now = then, then = last;
  }
  return now;
}

KERNEL void THREADS_AT_MOST(FFT_THREADS)
    spectral_fft_ahead(fft_plan p, const complex_f *RESTRICT wave, const float *RESTRICT x,
                       float *RESTRICT z)
{
  DYNAMIC(complex_f, memory);
  const idx first = (idx)blockIdx.x * p.each, bins = p.n / 2 + 1;
  const int rows = rows_here(p, first), pairs = p.size / 2 + 1;
  const float *const x0 = x + first * p.n;
  float *const z0 = z + first * 2 * bins;
  shared_rows now = {memory, p.pitch}, then = {memory + p.each * p.pitch, p.pitch};
  PHASE(t) pass_rows(p.pass[0], wave + p.n, t, rows, rows_of_points{p, x0}, now);
  now = passes_between(p, wave + p.n, 1, p.passes, rows, now, then);
  EACH_THREAD(t) {
    for (int i = t; i < rows * pairs; i += BDIM) {
      const int r = divided(i, p.by_pairs), k = i - r * pairs;
      to_bins(p, wave, x0 + r * p.n, k, now.row(r).get(k), now.row(r).get(k ? p.size - k : 0),
              z0 + r * 2 * bins);
    }
  }
}

KERNEL void THREADS_AT_MOST(FFT_THREADS)
    spectral_fft_back(fft_plan p, const complex_f *RESTRICT wave, const float *RESTRICT z,
                      float *RESTRICT y)
{
  DYNAMIC(complex_f, memory);
  const idx first = (idx)blockIdx.x * p.each, bins = p.n / 2 + 1;
  const int rows = rows_here(p, first), pairs = p.size / 2 + 1;
  const float *const z0 = z + first * 2 * bins;
  float *const y0 = y + first * p.n;
  shared_rows now = {memory, p.pitch}, then = {memory + p.each * p.pitch, p.pitch};
  PHASE(t) {
    for (int i = t; i < rows * pairs; i += BDIM) {
      const int r = divided(i, p.by_pairs), k = i - r * pairs;
      from_bins(p, wave, z0 + r * 2 * bins, k, now.row(r));
    }
  }
  now = passes_between(p, wave + p.n, 0, p.passes - 1, rows, now, then);
  EACH_THREAD(t)
    pass_rows(p.pass[p.passes - 1], wave + p.n, t, rows, now, rows_to_points{p, wave, z0, y0});
}

/* ---- passes: of p.rows rows, from and to the workspace ----
 *
 * Passes that follow one another transform numbers b, b + apart, .. among themselves, b < apart: those of one b
 * as a row of `size`. What they give of it is `before` apart. */

/* Numbers i of such a row among all of them, as they are before and behind the passes. */
template <class FROM> struct group_from {
  FROM of;
  int b, apart;
  __device__ complex_f get(int i) const { return of.get(b + i * apart); }
};
template <class TO> struct group_to {
  TO of;
  int first, before;
  __device__ bool takes(complex_f v) const { return of.takes(v); }
  __device__ void put(int i, complex_f v) const { of.put(first + i * before, v); }
  __device__ void again(int i) const { of.again(first + i * before); }
};

/* Where a thread finds its butterfly i of so many of each of `rows` rows: neighbours have the same one of
 * neighbouring rows, or neighbouring ones of a row. */
DEV int row_of_item(int i, int each, int rows, int along) { return along ? i / each : i % rows; }
DEV int place_of_item(int i, int each, int rows, int along) { return along ? i % each : i / rows; }

/* Pass number s of a group, of rows b0 to b0 + rows. */
template <class FROM, class TO>
DEV void group_pass(const fft_plan &p, const fft_group &g, const complex_f *turns, int s, int t,
                    int rows, int b0, int along, FROM from, TO to)
{
  const fft_pass q = p.pass[s];
  const int each = g.size / q.radix, before = q.before / g.before;
  UNROLL_BY(1)
  for (int i = t; i < rows * each; i += BDIM) {
    const int r = row_of_item(i, each, rows, along), b = place_of_item(i, each, rows, along);
    const int k = b % before, all = (b0 + r) % g.before + k * g.before;
    pass_of(fft_at{q.radix, each, before, b, k, q.before, turns + (all - 1)}, from.row(r),
            to.row(r));
  }
}

/* Rows of a block, by what each takes from outside and gives. */
template <class FROM> struct group_rows_from {
  FROM of;
  int b0, apart;
  __device__ group_from<FROM> row(int r) const { return {of, b0 + r, apart}; }
};
template <class TO> struct group_rows_to {
  TO of;
  int b0, size, before;
  __device__ group_to<TO> row(int r) const
  {
    const int k = (b0 + r) % before;
    return {of, (b0 + r - k) * size + k, before};
  }
};

/* The passes of group g, of rows of the transform that a block has in shared memory. */
template <class FROM, class TO>
DEV void group_of_passes(const fft_plan &p, const fft_group &g, const complex_f *turns,
                         complex_f *memory, FROM from, TO to)
{
  const int apart = p.size / g.size, tiles = (apart + g.tile - 1) / g.tile, last = g.end - 1;
  const idx row = blockIdx.x / tiles;
  const int b0 = (int)(blockIdx.x % tiles) * g.tile,
            rows = apart - b0 < g.tile ? apart - b0 : g.tile;
  const auto source = group_rows_from<decltype(from.row(row))>{from.row(row), b0, apart};
  const auto target = group_rows_to<decltype(to.row(row))>{to.row(row), b0, g.size, g.before};
  const int along = g.before == 1;
  shared_rows now = {memory, g.pitch}, then = {memory + g.tile * g.pitch, g.pitch};
  if (g.first == last)
    PHASE(t) group_pass(p, g, turns, last, t, rows, b0, 0, source, target);
  else {
    PHASE(t) group_pass(p, g, turns, g.first, t, rows, b0, 0, source, now);
    UNROLL_BY(1)
    for (int s = g.first + 1; s < last; s++) {
      PHASE(t) group_pass(p, g, turns, s, t, rows, b0, 1, now, then);
      const shared_rows was = now;
      now = then, then = was;
    }
    PHASE(t) group_pass(p, g, turns, last, t, rows, b0, along, now, target);
  }
}

KERNEL void THREADS_AT_MOST(FFT_GROUP_THREADS)
    spectral_fft_first(fft_plan p, fft_group g, const complex_f *RESTRICT wave,
                       const float *RESTRICT x, complex_f *RESTRICT to)
{
  DYNAMIC(complex_f, memory);
  group_of_passes(p, g, wave + p.n, memory, rows_of_points{p, x}, global_rows{to, p.size});
}

KERNEL void THREADS_AT_MOST(FFT_GROUP_THREADS)
    spectral_fft_between(fft_plan p, fft_group g, const complex_f *RESTRICT wave,
                         complex_f *RESTRICT from, complex_f *RESTRICT to)
{
  DYNAMIC(complex_f, memory);
  group_of_passes(p, g, wave + p.n, memory, global_rows{from, p.size}, global_rows{to, p.size});
}

KERNEL void THREADS_AT_MOST(FFT_GROUP_THREADS)
    spectral_fft_last(fft_plan p, fft_group g, const complex_f *RESTRICT wave,
                      const float *RESTRICT z, complex_f *RESTRICT from, float *RESTRICT y)
{
  DYNAMIC(complex_f, memory);
  group_of_passes(p, g, wave + p.n, memory, global_rows{from, p.size},
                  rows_to_points{p, wave, z, y});
}

KERNEL void spectral_fft_from_bins(fft_plan p, const complex_f *RESTRICT wave,
                                   const float *RESTRICT z, complex_f *RESTRICT to)
{
  GROWS(r, p.rows, p.size / 2 + 1) {
    GCOLS(k, p.size / 2 + 1)
      from_bins(p, wave, z + r * 2 * (p.n / 2 + 1), k, global_row{to + r * p.size});
  }
}

KERNEL void spectral_fft_to_bins(fft_plan p, const complex_f *RESTRICT wave,
                                 const float *RESTRICT x, const complex_f *RESTRICT from,
                                 float *RESTRICT z)
{
  GROWS(r, p.rows, p.size / 2 + 1) {
    GCOLS(k, p.size / 2 + 1) {
      const complex_f *row = from + r * p.size;
      to_bins(p, wave, x + r * p.n, k, row[k], row[k ? p.size - k : 0], z + r * 2 * (p.n / 2 + 1));
    }
  }
}
#endif
