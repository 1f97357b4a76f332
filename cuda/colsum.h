/* Column sums of each of `outer` matrices (rows, cols), one behind another, in a fixed order: every
 * thread adds up to `chunk` rows of its columns, from the first on; the chunks' sums are matrices
 * again, summed in the same way until each has one row. */
#ifndef PM_COLSUM_H
#define PM_COLSUM_H
#include "launch_after.h"
#include "table.h"

/* One thread: rows lo <= r < hi of columns c .. c+3 (four) or c (one) of x. */
DEV float4 colsum_four(idx c, idx lo, idx hi, idx rows, idx cols, const float *RESTRICT x)
{
  float4 sum = {0, 0, 0, 0};
  UNROLL_BY(16)
  for (idx r = lo; r < hi; r++) sum = plus4(sum, LD4(x + at2(rows, cols, r, c)));
  return sum;
}

DEV float colsum_one(idx c, idx lo, idx hi, idx rows, idx cols, const float *RESTRICT x)
{
  float sum = 0.0f;
  UNROLL_BY(16)
  for (idx r = lo; r < hi; r++) sum += LDG(x + at2(rows, cols, r, c));
  return sum;
}

/* One pass: out, (outer, chunks, cols), row k of a matrix is the sum of its rows k*chunk .. in x;
 * where `adds` is not 0 it is added to out. */
KERNEL void colsum_vec4(idx outer, idx rows, idx V, idx chunk, idx chunks, int adds,
                        const float *RESTRICT x, float *RESTRICT out)
{
  await_launches();
  GROWS(k, outer * chunks, V)
    GCOLS(v, V) {
      idx o = outer == 1 ? 0 : k / chunks, end = (o + 1) * rows, all = outer * rows;
      idx lo = o * rows + (k - o * chunks) * chunk, hi = lo + chunk < end ? lo + chunk : end;
      float *p = out + at2(outer * chunks, 4 * V, k, 4 * v);
      float4 s = colsum_four(4 * v, lo, hi, all, 4 * V, x);
      ST4(p, adds ? plus4(LD4(p), s) : s);
    }
}

KERNEL void colsum_scalar(idx outer, idx rows, idx cols, idx chunk, idx chunks, int adds,
                          const float *RESTRICT x, float *RESTRICT out)
{
  await_launches();
  GROWS(k, outer * chunks, cols)
    GCOLS(c, cols) {
      idx o = outer == 1 ? 0 : k / chunks, end = (o + 1) * rows, all = outer * rows;
      idx lo = o * rows + (k - o * chunks) * chunk, hi = lo + chunk < end ? lo + chunk : end;
      float *p = out + at2(outer * chunks, cols, k, c), s = colsum_one(c, lo, hi, all, cols, x);
      STG(p, adds ? LDG(p) + s : s);
    }
}

/* ---- host ---- */

/* Rows that one thread adds up, > 0: all of a few, else as many as leave a first pass that many
 * threads. A later pass finds its rows in the cache. cols: of all matrices together. */
static inline idx rows_chunk(idx rows, idx cols, int first, idx threads)
{
  idx vectors = cols / 4 + 1, chunk = rows / threads * vectors + rows % threads * vectors / threads;
  return rows <= (first ? 32 : 64) ? rows + (rows == 0) : chunk < 15 ? 16 : chunk + 1;
}

/* As many as keep the machine full. */
static inline idx colsum_chunk(idx rows, idx cols, int first)
{
  return rows_chunk(rows, cols, first, (idx)1 << 17);
}

static inline idx colsum_chunks(idx rows, idx chunk)
{
  return rows ? rows / chunk + (rows % chunk != 0) : 1;
}

/* Whether that many columns keep the machine busy where a thread does four. */
static inline int colsum_wide(idx cols) { return cols >= (idx)1 << 18; }

/* The kernel of one pass; 16-byte accesses where vec4 is not 0. */
static inline void colsum_pass(pm_check *c, const pm_exec *ex, int vec4, int adds, idx outer,
                               idx rows, idx cols, idx chunk, idx chunks, const float *x,
                               float *out)
{
  enum { BLOCK = 128 };
  idx width = vec4 ? cols / 4 : cols;
  unsigned blocks = pm_blocks(c, outer * chunks * width, BLOCK);
  if (blocks && vec4)
    LAUNCH_AFTER(colsum_vec4, blocks, BLOCK, ex->stream, outer, rows, width, chunk, chunks, adds, x,
                 out);
  else if (blocks)
    LAUNCH_AFTER(colsum_scalar, blocks, BLOCK, ex->stream, outer, rows, width, chunk, chunks, adds,
                 x, out);
}
#endif
