/* The VJPs of layer_norm and rms_norm (CENTERED 1 and 0) where a row waits nowhere: x, g, dx are
 * (rows, cols), gamma (cols), or NULL: ones, mean, rstd (rows). Two launches read x and g:
 *
 *   norm_vjp_parts    the sums over a row of G = g gamma and of G xhat, one pair for each PART_COLS
 *                     of its columns: parts, (rows, parts, 2)
 *   norm_vjp_strips   dx, a thread going down one column of a chunk of rows, and the sums of g xhat
 *                     and g on its way: row k of sums, (chunks, cols), and of another behind it */
#ifndef PM_NORM_STRIPS_H
#define PM_NORM_STRIPS_H
#include "rows.h"

enum {
  PART_ROWS = 2,
  STRIP_BLOCK = 256,
  STRIP_WARPS = STRIP_BLOCK / 32,
  PART_EACH = 8, /* columns of a thread in a part */
  PART_COLS = PART_EACH * STRIP_BLOCK,
  STRIP_ROWS = 64, /* of which a block has the sums at a time */
  STRIP_TEAMS = 4, /* of a block, one below another */
  TEAMS_BLOCK = STRIP_TEAMS * STRIP_BLOCK,
  TEAM_ROWS = STRIP_ROWS / STRIP_TEAMS,
  STRIP_LANES = TEAMS_BLOCK / STRIP_ROWS, /* that add up the parts of one */
  STRIP_DEPTH = 4,                        /* rows that a thread has on their way */
  CHUNKS = 1024                           /* of rows, at most */
};

/* Block b does part b % parts of PART_ROWS rows. */
template <int CENTERED>
KERNEL void __launch_bounds__(STRIP_BLOCK)
    norm_vjp_parts(idx rows, idx cols, idx parts, const float *RESTRICT x,
                   const float *RESTRICT gamma, const float *RESTRICT mean,
                   const float *RESTRICT rstd, const float *RESTRICT g, float *out)
{
  SHARED(float, s, 2 * PART_ROWS * STRIP_WARPS);
  const idx part = blockIdx.x % parts, lo = blockIdx.x / parts * PART_ROWS;
  const idx column = part * PART_COLS + TID_;
  float scale[PART_EACH];
  others_may_start();
  UNROLL
  for (int j = 0; j < PART_EACH; j++) {
    idx c = column + j * STRIP_BLOCK;
    scale[j] = gamma && c < cols ? gamma[c] : 1.0f;
  }
  UNROLL
  for (int i = 0; i < PART_ROWS; i++) {
    const idx row = lo + i;
    float v[PART_EACH], w[PART_EACH], a = 0.0f, b = 0.0f, m = 0.0f, r = 0.0f;
    if (row < rows)
      m = CENTERED ? mean[row] : 0.0f, r = rstd[row];
    UNROLL
    for (int j = 0; j < PART_EACH; j++) {
      idx c = column + j * STRIP_BLOCK, at = row * cols + c;
      int have = row < rows && c < cols;
      v[j] = have ? x[at] : 0.0f;
      w[j] = have ? g[at] : 0.0f;
    }
    UNROLL
    for (int j = 0; j < PART_EACH; j++)
      if (row < rows && column + j * STRIP_BLOCK < cols) {
        float pulled = w[j] * scale[j];
        a = a + pulled;
        b = b + pulled * ((v[j] - m) * r);
      }
    a = group_sum(a, 32);
    b = group_sum(b, 32);
    if (TID_ % 32 == 0) {
      s[2 * i * STRIP_WARPS + TID_ / 32] = a;
      s[(2 * i + 1) * STRIP_WARPS + TID_ / 32] = b;
    }
  }
  __syncthreads();
  if (TID_ < 2 * PART_ROWS && lo + TID_ / 2 < rows) {
    float sum = 0.0f;
    UNROLL
    for (int j = 0; j < STRIP_WARPS; j++) sum = sum + s[TID_ * STRIP_WARPS + j];
    out[2 * ((lo + TID_ / 2) * parts + part) + TID_ % 2] = sum;
  }
}

/* The sum over a row of pairs from parts, at every lane of STRIP_LANES. */
DEV float2 whole_row(const float *parts, idx n)
{
  float2 sum = make_float2(0.0f, 0.0f);
  for (idx p = TID_ % STRIP_LANES; p < n; p += STRIP_LANES) {
    sum.x = sum.x + parts[2 * p];
    sum.y = sum.y + parts[2 * p + 1];
  }
  return sum;
}

/* Block b does strip b % strips of chunk b / strips: each of its teams TEAM_ROWS of every
 * STRIP_ROWS. */
template <int CENTERED>
KERNEL void __launch_bounds__(TEAMS_BLOCK)
    norm_vjp_strips(int accumulate, idx rows, idx cols, idx chunk, idx chunks, idx parts,
                    const float *RESTRICT x, const float *RESTRICT gamma,
                    const float *RESTRICT mean, const float *RESTRICT rstd, const float *RESTRICT g,
                    const float *part, float *RESTRICT dx, float *RESTRICT sums)
{
  SHARED(float, stats, 4 * STRIP_ROWS); /* mean, rstd, and the means over the row */
  SHARED(float, cells, 2 * TEAMS_BLOCK);
  const idx strips = (cols + STRIP_BLOCK - 1) / STRIP_BLOCK, k = blockIdx.x / strips;
  const idx c = blockIdx.x % strips * STRIP_BLOCK + TID_ % STRIP_BLOCK;
  const idx hi = (k + 1) * chunk < rows ? (k + 1) * chunk : rows;
  const int team = TID_ / STRIP_BLOCK, mine = TID_ / STRIP_LANES;
  const float scale = gamma && c < cols ? gamma[c] : 1.0f;
  float dgamma = 0.0f, dbeta = 0.0f;
  await_launches();
  others_may_start();
  for (idx lo = k * chunk; lo < hi; lo += STRIP_ROWS) {
    const int n = hi - lo < STRIP_ROWS ? (int)(hi - lo) : STRIP_ROWS;
    const int below = (team + 1) * TEAM_ROWS < n ? (team + 1) * TEAM_ROWS : n;
    float2 sum = make_float2(0.0f, 0.0f);
    if (mine < n)
      sum = whole_row(part + 2 * (lo + mine) * parts, parts);
    sum.x = group_sum(sum.x, STRIP_LANES);
    sum.y = group_sum(sum.y, STRIP_LANES);
    __syncthreads();
    if (mine < n && TID_ % STRIP_LANES == 0)
      STS4(stats + 4 * mine,
           make_float4(CENTERED ? mean[lo + mine] : 0.0f, rstd[lo + mine],
                       CENTERED ? sum.x / (float)cols : 0.0f, sum.y / (float)cols));
    __syncthreads();
    for (int i = team * TEAM_ROWS; i < below && c < cols; i += STRIP_DEPTH) {
      const idx at = (lo + i) * cols + c;
      float v[STRIP_DEPTH], w[STRIP_DEPTH];
      UNROLL
      for (int j = 0; j < STRIP_DEPTH; j++) {
        v[j] = i + j < below ? __ldcs(x + at + j * cols) : 0.0f;
        w[j] = i + j < below ? __ldcs(g + at + j * cols) : 0.0f;
      }
      UNROLL
      for (int j = 0; j < STRIP_DEPTH; j++)
        if (i + j < below) {
          float4 of = LD4(stats + 4 * (i + j));
          float hat = (v[j] - of.x) * of.y, *to = dx + at + j * cols;
          float d = of.y * (w[j] * scale - of.z - hat * of.w);
          dgamma = dgamma + w[j] * hat;
          dbeta = dbeta + w[j];
          __stcs(to, accumulate ? *to + d : d);
        }
    }
  }
  cells[TID_] = dgamma;
  cells[TEAMS_BLOCK + TID_] = dbeta;
  __syncthreads();
  if (team == 0 && c < cols) {
    for (int t = TID_ + STRIP_BLOCK; t < TEAMS_BLOCK; t += STRIP_BLOCK) {
      dgamma = dgamma + cells[t];
      dbeta = dbeta + cells[TEAMS_BLOCK + t];
    }
    sums[k * cols + c] = dgamma;
    if (CENTERED)
      sums[(chunks + k) * cols + c] = dbeta;
  }
}

/* ---- host ---- */

static inline idx strips_chunk(idx rows)
{
  idx least = divide_up(rows, CHUNKS);
  return least < STRIP_ROWS ? (idx)STRIP_ROWS : least;
}

static inline idx strips_parts(idx cols) { return divide_up(cols, PART_COLS); }

/* Additions above an element of a row: its thread's, the warp's, the block's, the parts'. */
static inline double strips_row_height(idx cols)
{
  double height = PART_EACH - 1 + 5 + STRIP_WARPS - 1;
  height += (double)divide_up(strips_parts(cols), STRIP_LANES) - 1;
  for (int n = 1; n < STRIP_LANES; n *= 2) height += 1;
  return height;
}

/* Above one of a column in a row of sums: its team's rows, the teams. */
static inline double strips_column_height(idx rows)
{
  return (double)(divide_up(strips_chunk(rows), STRIP_ROWS) * TEAM_ROWS - 1 + STRIP_TEAMS - 1);
}

/* sums: 2 for each chunk; part: 2 (rows, parts). */
template <int CENTERED>
static inline void launch_strips(void *stream, int accumulate, idx rows, idx cols, const float *x,
                                 const float *gamma, const float *mean, const float *rstd,
                                 const float *g, float *dx, float *sums, float *part)
{
  idx chunk = strips_chunk(rows), chunks = divide_up(rows, chunk), parts = strips_parts(cols);
  LAUNCH(norm_vjp_parts<CENTERED>, divide_up(rows, PART_ROWS) * parts, STRIP_BLOCK, stream, rows,
         cols, parts, x, gamma, mean, rstd, g, part);
  LAUNCH_AFTER(norm_vjp_strips<CENTERED>, chunks * divide_up(cols, STRIP_BLOCK), TEAMS_BLOCK,
               stream, accumulate, rows, cols, chunk, chunks, parts, x, gamma, mean, rstd, g, part,
               dx, sums);
}
#endif
