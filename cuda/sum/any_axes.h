/* Reduction over any axes of a contiguous tensor, in a fixed order: one axis after another, the
 * longest first, each a tensor (outer, rows, cols) of which the rows are added up, in as many
 * passes as it takes. A pass over wide rows is one of columns.h; over narrow ones a warp reads
 * them side by side and adds up its lanes. */
#ifndef PM_SUM_ANY_AXES_H
#define PM_SUM_ANY_AXES_H
#include "columns.h"

#define AXIS_WARP 32
enum { AXIS_BLOCK = 128 };

#include <string.h>

/* out, (outer, chunks, cols), row k is the sum of rows k*chunk .. of a matrix of x, (outer, rows,
 * cols), cols <= 32, added to out where `adds` is not 0. A warp does one k: its lanes are teams of
 * one lane a column, and team j adds up every teams-th row from the j-th on. */
KERNEL void axis_sum_narrow(idx outer, idx rows, idx cols, idx chunk, idx chunks, int adds,
                            const float *RESTRICT x, float *RESTRICT out)
{
  await_launches();
  idx k = ((idx)blockIdx.x * BDIM + TID_) / AXIS_WARP;
  int lane = TID_ % AXIS_WARP, n = (int)cols, teams = AXIS_WARP / n, team = lane / n;
  idx o = k / chunks, first = (k - o * chunks) * chunk;
  idx last = first + chunk < rows ? first + chunk : rows, old = k * cols + lane;
  float sum = 0.0f;
  if (k < outer * chunks && team < teams) {
    const float *at = x + o * rows * cols + lane % n;
    UNROLL_BY(8)
    for (idx r = first + team; r < last; r += teams) sum += LDG(at + r * cols);
  }
  for (int m = 1; m < teams; m *= 2) {
    float other = __shfl_down_sync(0xffffffffu, sum, (unsigned)(m * n));
    if (team % (2 * m) == 0 && team + m < teams)
      sum += other;
  }
  if (k < outer * chunks && team == 0)
    STG(out + old, adds ? LDG(out + old) + sum : sum);
}

typedef struct axis_pass {
  idx outer, rows, cols, chunk, chunks;
  int narrow;
} axis_pass;

enum { AXIS_AXES = 8, AXIS_PASSES = 32 };

typedef struct axis_plan {
  int n;
  axis_pass pass[AXIS_PASSES];
  size_t bytes[2]; /* of what the even passes leave, and the odd ones; the last leaves the result */
} axis_plan;

/* From 64 elements on; rows and cols are as they were asked for. */
static inline int axis_narrow(idx rows, idx cols)
{
  return 0 < cols && cols < AXIS_WARP && rows >= divide_up(64, cols);
}

/* Rows that one warp adds up: all of a few, else as many as keep the machine full. */
static inline idx axis_narrow_chunk(idx outer, idx rows, idx cols)
{
  const idx warps = (idx)1 << 13, teams = AXIS_WARP / cols;
  idx chunk = rows / warps * outer + rows % warps * outer / warps + 1;
  return rows <= 64 * teams ? rows : chunk < 32 * teams ? 32 * teams : chunk;
}

/* The passes that leave one row of each of (outer, rows, cols). */
static inline void axis_add(axis_plan *p, idx outer, idx rows, idx cols)
{
  for (idx chunks = 0; chunks != 1 && p->n < AXIS_PASSES; rows = chunks) {
    int narrow = axis_narrow(rows, cols);
    idx chunk =
        narrow ? axis_narrow_chunk(outer, rows, cols) : colsum_chunk(rows, outer * cols, p->n == 0);
    const axis_pass pass = {outer, rows, cols, chunk, colsum_chunks(rows, chunk), narrow};
    chunks = pass.chunks;
    p->pass[p->n++] = pass;
  }
}

/* The sum over those axes of a tensor of n sizes, none of them 0, that are not kept. */
static inline axis_plan axis_sum_plan(int n, const idx *size, const int *kept)
{
  axis_plan p;
  idx left[AXIS_AXES];
  memset(&p, 0, sizeof p);
  for (int d = 0; d < n; d++) left[d] = size[d];
  for (;;) {
    idx outer = 1, inner = 1;
    int at = -1;
    for (int d = 0; d < n; d++)
      if (!kept[d] && left[d] > 1 && (at < 0 || left[d] > left[at]))
        at = d;
    if (at < 0)
      break;
    for (int d = 0; d < at; d++) outer *= left[d];
    for (int d = at + 1; d < n; d++) inner *= left[d];
    axis_add(&p, outer, left[at], inner);
    left[at] = 1;
  }
  for (int i = 0; i < p.n - 1; i++) {
    const axis_pass *q = &p.pass[i];
    size_t bytes = (size_t)((q->outer * q->chunks * q->cols + 3) / 4) * 16;
    p.bytes[i % 2] = bytes > p.bytes[i % 2] ? bytes : p.bytes[i % 2];
  }
  return p;
}

/* A plan of one pass that copies n elements, or adds no rows up: rows is 1 or 0. */
static inline axis_plan axis_copy_plan(idx rows, idx n)
{
  axis_plan p;
  memset(&p, 0, sizeof p);
  axis_add(&p, 1, rows, n);
  return p;
}

/* Additions above any element, the first of each lane being to 0. */
static inline double axis_height(const axis_plan *p)
{
  double height = 0;
  for (int i = 0; i < p->n; i++) {
    const axis_pass *q = &p->pass[i];
    idx teams = q->narrow ? AXIS_WARP / q->cols : 1, lane = (q->chunk + teams - 1) / teams;
    height += (double)(lane > 0 ? lane - 1 : 0);
    for (idx m = 1; m < teams; m *= 2) height += 1;
  }
  return height;
}

/* out, or out + , the sum of x. vec4: x and out are 16-byte aligned. */
static inline void axis_sum_launch(pm_check *c, const pm_exec *ex, const axis_plan *p, int vec4,
                                   int accumulate, const float *x, float *out)
{
  float *work[2] = {(float *)ex->work, (float *)ex->work + p->bytes[0] / sizeof(float)};
  for (int i = 0; i < p->n && c->status == PM_OK; i++) {
    const axis_pass *q = &p->pass[i];
    float *to = i == p->n - 1 ? out : work[i % 2];
    int adds = i == p->n - 1 && accumulate;
    if (q->narrow) {
      unsigned blocks = pm_blocks(c, q->outer * q->chunks * AXIS_WARP, AXIS_BLOCK);
      if (blocks)
        LAUNCH_AFTER(axis_sum_narrow, blocks, AXIS_BLOCK, ex->stream, q->outer, q->rows, q->cols,
                     q->chunk, q->chunks, adds, x, to);
    } else {
      int wide = i == 0 || colsum_wide(q->outer * q->chunks * q->cols);
      colsum_pass(c, ex, vec4 && wide && q->cols % 4 == 0, adds, q->outer, q->rows, q->cols,
                  q->chunk, q->chunks, x, to);
    }
    x = to;
  }
}
#endif
