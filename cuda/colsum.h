/* Column sums of each of `outer` matrices (rows, cols), one behind another, in a fixed order: every
 * thread adds up to `chunk` rows of its columns, from the first on; the chunks' sums are matrices
 * again, summed in the same way until each has one row. The first pass can copy x on its way. */
#ifndef PM_COLSUM_H
#define PM_COLSUM_H
#include "kernel.h"

/* One thread: rows lo <= r < hi of columns c .. c+3 (four) or c (one) of x, also added to or
 * stored in `copy` where copies is not 0. */
DEV float4 colsum_four(idx c, idx lo, idx hi, idx rows, idx cols, int copies, int accumulate,
                       const float *RESTRICT x, float *RESTRICT copy)
{
  float4 sum = {0, 0, 0, 0};
  UNROLL_BY(8)
  for (idx r = lo; r < hi; r++) {
    idx k = at2(rows, cols, r, c);
    float4 v = LD4(x + k);
    sum = plus4(sum, v);
    if (copies) {
      if (accumulate)
        v = plus4(LD4(copy + k), v);
      ST4(copy + k, v);
    }
  }
  return sum;
}

DEV float colsum_one(idx c, idx lo, idx hi, idx rows, idx cols, int copies, int accumulate,
                     const float *RESTRICT x, float *RESTRICT copy)
{
  float sum = 0.0f;
  UNROLL_BY(8)
  for (idx r = lo; r < hi; r++) {
    idx k = at2(rows, cols, r, c);
    float v = LDG(x + k);
    sum += v;
    if (copies)
      STG(copy + k, accumulate ? LDG(copy + k) + v : v);
  }
  return sum;
}

/* One pass: out, (outer, chunks, cols), row k of a matrix is the sum of its rows k*chunk .. in x;
 * where `adds` is not 0 it is added to out. copies: 0 none, 1 copy = x, 2 copy = copy + x. */
KERNEL void colsum_vec4(idx outer, idx rows, idx V, idx chunk, idx chunks, int copies, int adds,
                        const float *RESTRICT x, float *RESTRICT copy, float *RESTRICT out)
{
  GROWS(k, outer * chunks, V)
    GCOLS(v, V) {
      idx o = outer == 1 ? 0 : k / chunks, end = (o + 1) * rows, all = outer * rows;
      idx lo = o * rows + (k - o * chunks) * chunk, hi = lo + chunk < end ? lo + chunk : end;
      idx cols = 4 * V, c = 4 * v;
      float4 s, old = {0, 0, 0, 0};
      if (adds)
        old = LD4(out + at2(outer * chunks, cols, k, c));
      if (copies == 0)
        s = colsum_four(c, lo, hi, all, cols, 0, 0, x, copy);
      else if (copies == 1)
        s = colsum_four(c, lo, hi, all, cols, 1, 0, x, copy);
      else
        s = colsum_four(c, lo, hi, all, cols, 1, 1, x, copy);
      s = adds ? plus4(old, s) : s;
      ST4(out + at2(outer * chunks, cols, k, c), s);
    }
}

KERNEL void colsum_scalar(idx outer, idx rows, idx cols, idx chunk, idx chunks, int copies,
                          int adds, const float *RESTRICT x, float *RESTRICT copy,
                          float *RESTRICT out)
{
  GROWS(k, outer * chunks, cols)
    GCOLS(c, cols) {
      idx o = outer == 1 ? 0 : k / chunks, end = (o + 1) * rows, all = outer * rows;
      idx lo = o * rows + (k - o * chunks) * chunk, hi = lo + chunk < end ? lo + chunk : end;
      float *p = out + at2(outer * chunks, cols, k, c);
      float s;
      if (copies == 0)
        s = colsum_one(c, lo, hi, all, cols, 0, 0, x, copy);
      else if (copies == 1)
        s = colsum_one(c, lo, hi, all, cols, 1, 0, x, copy);
      else
        s = colsum_one(c, lo, hi, all, cols, 1, 1, x, copy);
      STG(p, adds ? LDG(p) + s : s);
    }
}

#ifndef __FRAMAC__
#include "table.h"

/* Rows that one thread adds up: all of a few, else as many as keep the machine full. cols: of all
 * matrices together. */
static inline idx colsum_chunk(idx rows, idx cols)
{
  const idx threads = (idx)1 << 17;
  idx vectors = cols / 4 + 1, chunk = rows / threads * vectors + rows % threads * vectors / threads;
  return rows <= 32 ? rows : chunk < 15 ? 16 : chunk + 1;
}

static inline idx colsum_chunks(idx rows, idx chunk)
{
  return rows ? rows / chunk + (rows % chunk != 0) : 1;
}

/* Additions above any element, the first of each pass being to 0. */
static inline double colsum_height(idx rows, idx cols)
{
  double height = 0;
  for (;;) {
    idx chunk = colsum_chunk(rows, cols);
    height += (double)(chunk > 0 ? chunk - 1 : 0);
    if (rows <= chunk)
      return height;
    rows = colsum_chunks(rows, chunk);
  }
}

/* The sums of the first pass and of the second; later ones take turns. */
static inline size_t colsum_workspace(idx rows, idx cols)
{
  idx first = colsum_chunks(rows, colsum_chunk(rows, cols));
  idx second = colsum_chunks(first, colsum_chunk(first, cols));
  return first == 1 ? 0 : (size_t)(first + (second == 1 ? 0 : second)) * (size_t)cols * 4;
}

/* The kernel of one pass; 16-byte accesses where vec4 is not 0. */
static inline void colsum_pass(pm_check *c, const pm_exec *ex, int vec4, int copies, int adds,
                               idx outer, idx rows, idx cols, idx chunk, idx chunks, const float *x,
                               float *copy, float *out)
{
  enum { BLOCK = 128 };
  idx width = vec4 ? cols / 4 : cols;
  unsigned blocks = pm_blocks(c, outer * chunks * width, BLOCK);
  if (blocks && vec4)
    LAUNCH(colsum_vec4, blocks, BLOCK, ex->stream, outer, rows, width, chunk, chunks, copies, adds,
           x, copy, out);
  else if (blocks)
    LAUNCH(colsum_scalar, blocks, BLOCK, ex->stream, outer, rows, width, chunk, chunks, copies,
           adds, x, copy, out);
}

/* All passes over one matrix. */
static inline void colsum_launch(pm_check *c, const pm_exec *ex, int vec4, int accumulate, idx rows,
                                 idx cols, const float *x, float *copy, float *out)
{
  float *work[2] = {(float *)ex->work, NULL};
  int copies = accumulate ? 2 : 1;
  for (int pass = 0;; pass ^= 1, copies = 0) {
    idx chunk = colsum_chunk(rows, cols), chunks = colsum_chunks(rows, chunk);
    float *to = chunks == 1 ? out : work[pass];
    colsum_pass(c, ex, vec4, copies, chunks == 1 && accumulate, 1, rows, cols, chunk, chunks, x,
                copy, to);
    if (chunks == 1 || c->status != PM_OK)
      return;
    if (!work[1])
      work[1] = work[0] + chunks * cols;
    x = to;
    rows = chunks;
  }
}
#endif
#endif
