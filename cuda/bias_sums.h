/* The sums of the columns of x, (rows, cols), in a fixed order, and x copied on the way: a first
 * pass as one of colsum.h for one matrix, which does the later ones. */
#ifndef PM_BIAS_SUMS_H
#define PM_BIAS_SUMS_H
#include "launch_after.h"

enum { COPY_SET, COPY_ADD }; /* what becomes of copy: x, or copy + x */

/* Element k of copy, or the four from k on, where x has u. */
DEV void keep_four(idx k, float4 u, int copies, float *RESTRICT copy)
{
  if (copies == COPY_ADD)
    u = plus4(LD4(copy + k), u);
  ST4(copy + k, u);
}

DEV void keep_one(idx k, float u, int copies, float *RESTRICT copy)
{
  if (copies == COPY_ADD)
    u = LDG(copy + k) + u;
  STG(copy + k, u);
}

/* The sum of rows lo <= r < hi of columns 4v .. 4v+3, or of column c. */
DEV float4 rows_four(idx v, idx lo, idx hi, idx rows, idx V, int copies, const float *RESTRICT x,
                     float *RESTRICT copy)
{
  float4 sum = {0, 0, 0, 0};
  UNROLL_BY(16)
  for (idx r = lo; r < hi; r++) {
    idx k = at2(rows, 4 * V, r, 4 * v);
    float4 u = LD4(x + k);
    sum = plus4(sum, u);
    keep_four(k, u, copies, copy);
  }
  return sum;
}

DEV float rows_one(idx c, idx lo, idx hi, idx rows, idx cols, int copies, const float *RESTRICT x,
                   float *RESTRICT copy)
{
  float sum = 0.0f;
  UNROLL_BY(16)
  for (idx r = lo; r < hi; r++) {
    idx k = at2(rows, cols, r, c);
    float u = LDG(x + k);
    sum = sum + u;
    keep_one(k, u, copies, copy);
  }
  return sum;
}

/* Columns 4v .. 4v+3, or c, of row k of out; adds: to what is there. */
DEV void sums_four(idx k, idx v, idx rows, idx V, idx chunk, idx chunks, int copies, int adds,
                   const float *RESTRICT x, float *RESTRICT copy, float *RESTRICT out)
{
  idx lo = at2(chunks, chunk, k, 0), hi = rows - lo < chunk ? rows : lo + chunk;
  idx to = at2(chunks, 4 * V, k, 4 * v);
  float4 s = rows_four(v, lo, hi, rows, V, copies, x, copy);
  if (adds)
    s = plus4(LD4(out + to), s);
  ST4(out + to, s);
}

DEV void sums_one(idx k, idx c, idx rows, idx cols, idx chunk, idx chunks, int copies, int adds,
                  const float *RESTRICT x, float *RESTRICT copy, float *RESTRICT out)
{
  idx lo = at2(chunks, chunk, k, 0), hi = rows - lo < chunk ? rows : lo + chunk;
  idx to = at2(chunks, cols, k, c);
  float s = rows_one(c, lo, hi, rows, cols, copies, x, copy);
  STG(out + to, adds ? LDG(out + to) + s : s);
}

TEMPLATE(int COPIES)
KERNEL void bias_sums_vec4(CONSTANTS(int COPIES) idx rows, idx V, idx chunk, idx chunks, int adds,
                           const float *RESTRICT x, float *RESTRICT copy, float *RESTRICT out)
{
  await_launches();
  GROWS(k, chunks, V)
    GCOLS(v, V) sums_four(k, v, rows, V, chunk, chunks, COPIES, adds, x, copy, out);
}

TEMPLATE(int COPIES)
KERNEL void bias_sums_scalar(CONSTANTS(int COPIES) idx rows, idx cols, idx chunk, idx chunks,
                             int adds, const float *RESTRICT x, float *RESTRICT copy,
                             float *RESTRICT out)
{
  await_launches();
  GROWS(k, chunks, cols)
    GCOLS(c, cols) sums_one(k, c, rows, cols, chunk, chunks, COPIES, adds, x, copy, out);
}

#ifndef __FRAMAC__
#include "colsum.h"

/* As many as make whole waves on a large GPU. */
static inline idx bias_chunk(idx rows, idx cols, int first)
{
  return rows_chunk(rows, cols, first, 132 * 512);
}

/* Additions above any element, the first of each pass being to 0. */
static inline double bias_sums_height(idx rows, idx cols)
{
  double height = 0;
  for (int first = 1;; first = 0) {
    idx chunk = bias_chunk(rows, cols, first);
    height += (double)(chunk - 1);
    if (rows <= chunk)
      return height;
    rows = colsum_chunks(rows, chunk);
  }
}

/* The sums of the first pass and of the second; later ones take turns. */
static inline size_t bias_sums_workspace(idx rows, idx cols)
{
  idx first = colsum_chunks(rows, bias_chunk(rows, cols, 1));
  idx second = colsum_chunks(first, bias_chunk(first, cols, 0));
  return first == 1 ? 0 : (size_t)(first + (second == 1 ? 0 : second)) * (size_t)cols * 4;
}

/* The first pass; 16-byte accesses where vec4 is not 0. */
template <int COPIES>
static inline void bias_pass(pm_check *c, const pm_exec *ex, int vec4, int adds, idx rows, idx cols,
                             idx chunk, idx chunks, const float *x, float *copy, float *out)
{
  enum { BLOCK = 128 };
  idx width = vec4 ? cols / 4 : cols;
  unsigned blocks = pm_blocks(c, chunks * width, BLOCK);
  if (blocks && vec4)
    LAUNCH_AFTER(bias_sums_vec4<COPIES>, blocks, BLOCK, ex->stream, rows, width, chunk, chunks,
                 adds, x, copy, out);
  else if (blocks)
    LAUNCH_AFTER(bias_sums_scalar<COPIES>, blocks, BLOCK, ex->stream, rows, width, chunk, chunks,
                 adds, x, copy, out);
}

/* All passes: copy = x and out = the sums, or both added to. */
static inline void bias_sums_launch(pm_check *c, const pm_exec *ex, int vec4, int accumulate,
                                    idx rows, idx cols, const float *x, float *copy, float *out)
{
  float *work[2] = {(float *)ex->work, NULL};
  for (int pass = 0;; pass++) {
    idx chunk = bias_chunk(rows, cols, pass == 0), chunks = colsum_chunks(rows, chunk);
    float *to = chunks == 1 ? out : work[pass % 2];
    int adds = chunks == 1 && accumulate;
    if (pass)
      colsum_pass(c, ex, vec4 && colsum_wide(chunks * cols), adds, 1, rows, cols, chunk, chunks, x,
                  to);
    else if (accumulate)
      bias_pass<COPY_ADD>(c, ex, vec4, adds, rows, cols, chunk, chunks, x, copy, to);
    else
      bias_pass<COPY_SET>(c, ex, vec4, adds, rows, cols, chunk, chunks, x, copy, to);
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
