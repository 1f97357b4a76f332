/* layer_norm and rms_norm (CENTERED 1 and 0) and their VJPs where a row waits in the shared memory of
 * a cluster of blocks (mailbox.h), each of which has `width` of its columns: x, y, g, dx are
 * (rows, cols), gamma, beta (cols), mean, rstd (rows). gamma may be NULL: ones.
 *
 * Thread t of a block, of BLOCK threads, has EACH columns t, t + BLOCK, .. of the block's, in every row:
 * gamma and beta wait in its registers, and so do the VJP's sums over rows. Rows arrive in stages, of
 * which two are on their way while one is worked on. */
#ifndef PM_NORM_CLUSTER_H
#define PM_NORM_CLUSTER_H
#include "mail_wide.h"
#include "norm_rows.h"

enum {
  ROW_CLUSTER = 8, /* blocks of a row */
  SLICE_STAGES = 3,
  TILE_ROWS = 2 /* of a stage forward: their sums go together */
};

/* The block's columns: n from number `first` on, which may be none; cells of a stage of them. */
typedef struct norm_slice {
  int first, n, room;
} norm_slice;

DEV norm_slice slice_of(int width, int cols)
{
  norm_slice s;
  s.first = (int)(blockIdx.x % ROW_CLUSTER) * width;
  s.n = cols - s.first < width ? cols - s.first : width;
  s.room = (width + 9) / 4 * 4;
  return s;
}

/* Elements of p before number `at` that lie in its 16 bytes. */
DEV int before(idx at) { return (int)(at & 3); }

/* The slice of a row of p that begins at element `at` of `all` of them, into cells[before(at)] ..:
 * whole vectors, as far as the tensor has them. For one thread. */
DEV void fetch_slice(float *cells, arrival *on, const float *p, idx at, idx all, int n)
{
  idx lo = at - before(at), hi = (at + n + 3) / 4 * 4, end = hi <= all ? hi : all / 4 * 4;
  if (n <= 0)
    return;
  for (idx i = end; i < all && i < hi; i++) cells[i - lo] = p[i];
  if (end > lo)
    copy_bulk(cells, p + lo, (int)(end - lo), on);
}

/* The thread's columns of p[0 .. n-1]; `outside` for those that are not there. */
template <int EACH, int BLOCK> DEV void take_slice(float *v, const float *p, int n, float outside)
{
  const int left = n - TID_;
  UNROLL
  for (int j = 0; j < EACH; j++) v[j] = j * BLOCK < left ? p[TID_ + j * BLOCK] : outside;
}

template <int EACH, int BLOCK> DEV void slice_scale(float *scale, const float *gamma, norm_slice s)
{
  take_slice<EACH, BLOCK>(scale, gamma ? gamma + s.first : gamma, gamma ? s.n : 0, 1.0f);
}

DEV int stage_after(int stage) { return stage + 1 < SLICE_STAGES ? stage + 1 : 0; }

/* ---- forward: cluster k does tiles k, k + clusters, .. of TILE_ROWS rows ---- */

DEV void fetch_tile(float *cells, arrival *on, const float *x, idx row, idx rows, int cols,
                    norm_slice s)
{
  for (int i = 0; i < TILE_ROWS && row + i < rows; i++)
    fetch_slice(cells + i * s.room, on, x, (row + i) * cols + s.first, rows * cols, s.n);
  arrival_close(on);
}

template <int EACH> DEV float slice_sum(const float *v)
{
  float sum = 0.0f;
  UNROLL
  for (int j = 0; j < EACH; j++) sum = sum + v[j];
  return sum;
}

template <int EACH> DEV float slice_dot(const float *v, const float *w)
{
  float sum = 0.0f;
  UNROLL
  for (int j = 0; j < EACH; j++) sum = sum + v[j] * w[j];
  return sum;
}

template <int EACH, int BLOCK> DEV void center_slice(float *v, float m, int n)
{
  const int left = n - TID_;
  UNROLL
  for (int j = 0; j < EACH; j++) v[j] = j * BLOCK < left ? v[j] - m : 0.0f;
}

template <int CENTERED, int EACH, int BLOCK>
DEV void put_slice(float *y, const float *v, float r, const float *scale, const float *shift, int n)
{
  const int left = n - TID_;
  float *const to = y + TID_;
  UNROLL
  for (int j = 0; j < EACH; j++) {
    float q = v[j] * r * scale[j];
    if (j * BLOCK < left)
      __stcs(to + j * BLOCK, CENTERED ? q + shift[j] : q);
  }
}

template <int CENTERED, int EACH, int BLOCK>
KERNEL void __launch_bounds__(BLOCK)
    norm_cluster(idx rows, int cols, int width, float eps, const float *RESTRICT x,
                 const float *RESTRICT gamma, const float *RESTRICT beta, float *RESTRICT y,
                 float *RESTRICT mean, float *RESTRICT rstd)
{
  DYNAMIC(float, cells);
  SHARED(mailbox, box, 1);
  SHARED(arrival, full, SLICE_STAGES);
  const norm_slice s = slice_of(width, cols);
  const idx step = (idx)(gridDim.x / ROW_CLUSTER) * TILE_ROWS;
  const int size = TILE_ROWS * s.room;
  idx row = (idx)(blockIdx.x / ROW_CLUSTER) * TILE_ROWS;
  float scale[EACH], shift[EACH];
  int stage = 0, turn = 0, round = 0;
  mail_open(box, (int)(blockIdx.x % ROW_CLUSTER));
  if (TID_ == 0)
    for (int i = 0; i < SLICE_STAGES; i++) {
      arrival_open(full + i);
      fetch_tile(cells + i * size, full + i, x, row + i * step, rows, cols, s);
    }
  slice_scale<EACH, BLOCK>(scale, gamma, s);
  if (CENTERED)
    take_slice<EACH, BLOCK>(shift, beta + s.first, s.n, 0.0f);
  __syncthreads();
  mail_join(box);
  for (; row < rows; row += step) {
    float *const tile = cells + stage * size;
    const int two = row + 1 < rows;
    const idx at = row * cols + s.first;
    float v[EACH], w[EACH], r;
    float2 m = make_float2(0.0f, 0.0f), q;
    arrival_await(full + stage, round);
    take_slice<EACH, BLOCK>(v, tile + before(at), s.n, 0.0f);
    take_slice<EACH, BLOCK>(w, tile + s.room + before(at + cols), two ? s.n : 0, 0.0f);
    if (CENTERED) {
      mail_put(box, turn, ROW_CLUSTER, make_float2(slice_sum<EACH>(v), slice_sum<EACH>(w)));
      m = mail_sums(box, turn++, ROW_CLUSTER);
      m.x = m.x / (float)cols, m.y = m.y / (float)cols;
      center_slice<EACH, BLOCK>(v, m.x, s.n);
      center_slice<EACH, BLOCK>(w, m.y, two ? s.n : 0);
    }
    mail_put(box, turn, ROW_CLUSTER, make_float2(slice_dot<EACH>(v, v), slice_dot<EACH>(w, w)));
    if (TID_ == BLOCK - 32) /* everyone has taken the tile */
      fetch_tile(tile, full + stage, x, row + SLICE_STAGES * step, rows, cols, s);
    q = mail_sums(box, turn++, ROW_CLUSTER);
    r = rstd_of(q.x, cols, eps);
    put_slice<CENTERED, EACH, BLOCK>(y + at, v, r, scale, shift, s.n);
    if (TID_ == 0 && s.first == 0) {
      rstd[row] = r;
      if (CENTERED)
        mean[row] = m.x;
    }
    if (two) {
      r = rstd_of(q.y, cols, eps);
      put_slice<CENTERED, EACH, BLOCK>(y + at + cols, w, r, scale, shift, s.n);
      if (TID_ == 0 && s.first == 0) {
        rstd[row + 1] = r;
        if (CENTERED)
          mean[row + 1] = m.y;
      }
    }
    stage = stage_after(stage), round += stage == 0;
  }
}

/* ---- VJP: cluster k does `each` rows from k each on, of which every `chunk` leave a row of sums ---- */

DEV void fetch_both(float *cells, arrival *on, const float *x, const float *g, idx row, idx end,
                    idx rows, int cols, norm_slice s)
{
  if (row < end) {
    fetch_slice(cells, on, x, row * cols + s.first, rows * cols, s.n);
    fetch_slice(cells + s.room, on, g, row * cols + s.first, rows * cols, s.n);
  }
  arrival_close(on);
}

/* The sums of the thread's columns, which begin again. */
template <int EACH, int BLOCK> DEV void leave_slice(float *to, float *sum, int n)
{
  UNROLL
  for (int j = 0; j < EACH; j++) {
    if (TID_ + j * BLOCK < n)
      to[TID_ + j * BLOCK] = sum[j];
    sum[j] = 0.0f;
  }
}

/* sums: (chunks, cols) of g xhat, and behind it of g. */
template <int CENTERED, int EACH, int BLOCK, int ADDS>
KERNEL void __launch_bounds__(BLOCK)
    norm_vjp_cluster(idx rows, int cols, int width, idx each, int chunk, idx chunks,
                     const float *RESTRICT x, const float *RESTRICT gamma,
                     const float *RESTRICT mean, const float *RESTRICT rstd,
                     const float *RESTRICT g, float *RESTRICT dx, float *RESTRICT sums)
{
  DYNAMIC(float, cells);
  SHARED(mailbox, box, 1);
  SHARED(arrival, full, SLICE_STAGES);
  const norm_slice s = slice_of(width, cols);
  const int left = s.n - TID_;
  idx row = blockIdx.x / ROW_CLUSTER * each;
  const idx end = row + each < rows ? row + each : rows;
  float scale[EACH], dgamma[EACH], dbeta[EACH];
  float *to = sums + row / chunk * cols + s.first;
  float next_r = rstd[row], next_m = CENTERED ? mean[row] : 0.0f;
  int stage = 0, turn = 0, round = 0, more = chunk;
  others_may_start();
  mail_open(box, (int)(blockIdx.x % ROW_CLUSTER));
  if (TID_ == 0)
    for (int i = 0; i < SLICE_STAGES; i++) {
      arrival_open(full + i);
      fetch_both(cells + 2 * i * s.room, full + i, x, g, row + i, end, rows, cols, s);
    }
  slice_scale<EACH, BLOCK>(scale, gamma, s);
  UNROLL
  for (int j = 0; j < EACH; j++) dgamma[j] = dbeta[j] = 0.0f;
  __syncthreads();
  mail_join(box);
  for (; row < end; row++) {
    float *const here = cells + 2 * stage * s.room;
    const idx at = row * cols + s.first;
    float *const out = dx + at + TID_;
    const float m = next_m, r = next_r;
    float v[EACH], w[EACH], a = 0.0f, b = 0.0f;
    float2 sum;
    if (row + 1 < end)
      next_r = rstd[row + 1], next_m = CENTERED ? mean[row + 1] : 0.0f;
    arrival_await(full + stage, round);
    take_slice<EACH, BLOCK>(v, here + before(at), s.n, CENTERED ? m : 0.0f);
    take_slice<EACH, BLOCK>(w, here + s.room + before(at), s.n, 0.0f);
    UNROLL
    for (int j = 0; j < EACH; j++) {
      float pulled = w[j] * scale[j];
      v[j] = (CENTERED ? v[j] - m : v[j]) * r;
      a = a + pulled;
      b = b + pulled * v[j];
    }
    mail_put(box, turn, ROW_CLUSTER, make_float2(a, b));
    if (TID_ == BLOCK - 32) /* everyone has taken the row */
      fetch_both(here, full + stage, x, g, row + SLICE_STAGES, end, rows, cols, s);
    UNROLL
    for (int j = 0; j < EACH; j++) {
      dgamma[j] = dgamma[j] + w[j] * v[j];
      dbeta[j] = dbeta[j] + w[j];
      w[j] = w[j] * scale[j];
    }
    sum = mail_sums(box, turn++, ROW_CLUSTER);
    a = CENTERED ? sum.x / (float)cols : 0.0f, b = sum.y / (float)cols;
    UNROLL
    for (int j = 0; j < EACH; j++)
      if (j * BLOCK < left) {
        float d = r * (w[j] - a - v[j] * b);
        __stcs(out + j * BLOCK, ADDS ? out[j * BLOCK] + d : d);
      }
    if (--more == 0 || row + 1 == end) {
      leave_slice<EACH, BLOCK>(to, dgamma, s.n);
      if (CENTERED)
        leave_slice<EACH, BLOCK>(to + chunks * cols, dbeta, s.n);
      to += cols, more = chunk;
    }
    stage = stage_after(stage), round += stage == 0;
  }
}

/* ---- host ---- */

enum {
  ROW_CLUSTERS = 15,   /* of so many blocks at once, on an H200; */
  BESIDE = 4,          /* of narrow rows so many times that */
  CHUNK_OF_ROWS = 128, /* that one thread adds up, unless there are very many */
  NARROW_EACH = 8,
  NARROW_BLOCK = 64,
  MIDDLE_BLOCK = 320,
  WIDE_EACH = 13,
  WIDE_BLOCK = 512,
  CLUSTER_COLS = ROW_CLUSTER * WIDE_EACH * WIDE_BLOCK
};

static inline int slice_width(idx cols) { return (int)divide_up(cols, ROW_CLUSTER); }

/* Threads of a block: NARROW_BLOCK, MIDDLE_BLOCK or WIDE_BLOCK. */
static inline int slice_block(idx cols)
{
  int width = slice_width(cols);
  if (width <= NARROW_EACH * NARROW_BLOCK)
    return NARROW_BLOCK;
  return width <= NARROW_EACH * MIDDLE_BLOCK ? MIDDLE_BLOCK : WIDE_BLOCK;
}

/* Cells of a stage, as slice_of has them. */
static inline int stage_cells(idx cols) { return 2 * ((slice_width(cols) + 9) / 4 * 4); }

/* Clusters that are at work at once. */
static inline idx row_clusters(idx cols)
{
  return slice_block(cols) == WIDE_BLOCK ? ROW_CLUSTERS : BESIDE * ROW_CLUSTERS;
}

static inline double slice_row_height(idx cols)
{
  return (slice_block(cols) == WIDE_BLOCK ? WIDE_EACH : NARROW_EACH) - 1 + mail_height(ROW_CLUSTER);
}

/* Rows of a cluster, whole chunks, and of a chunk. */
typedef struct slice_plan {
  idx each, chunk;
} slice_plan;

static inline slice_plan slice_plan_of(idx rows, idx cols)
{
  idx each = divide_up(rows, row_clusters(cols)), chunks = divide_up(each, CHUNK_OF_ROWS);
  slice_plan p;
  chunks = chunks < 8 ? chunks : 8;
  p.chunk = chunks ? divide_up(each, chunks) : 1;
  p.each = chunks * p.chunk;
  return p;
}

/* run(EACH, BLOCK) for these columns. */
#define WITH_SLICE(run, cols)                 \
  if (slice_block(cols) == NARROW_BLOCK)      \
    run(NARROW_EACH, NARROW_BLOCK);           \
  else if (slice_block(cols) == MIDDLE_BLOCK) \
    run(NARROW_EACH, MIDDLE_BLOCK);           \
  else                                        \
    run(WIDE_EACH, WIDE_BLOCK)

/* x is 16-byte aligned. */
template <int CENTERED>
static inline void launch_cluster(void *stream, idx rows, idx cols, float eps, const float *x,
                                  const float *gamma, const float *beta, float *y, float *mean,
                                  float *rstd)
{
  idx tiles = divide_up(rows, TILE_ROWS), most = row_clusters(cols);
#define RUN(EACH, BLOCK)                                                         \
  LAUNCH_CLUSTERS((norm_cluster<CENTERED, EACH, BLOCK>), ROW_CLUSTER,            \
                  ROW_CLUSTER *(tiles < most ? tiles : most), BLOCK,             \
                  4 * SLICE_STAGES * stage_cells(cols), stream, rows, (int)cols, \
                  slice_width(cols), eps, x, gamma, beta, y, mean, rstd)
  WITH_SLICE(RUN, cols);
#undef RUN
}

/* x and g are 16-byte aligned. */
template <int CENTERED, int ADDS>
static inline void launch_vjp_cluster(void *stream, idx rows, idx cols, const float *x,
                                      const float *gamma, const float *mean, const float *rstd,
                                      const float *g, float *dx, float *sums)
{
  slice_plan p = slice_plan_of(rows, cols);
#define RUN(EACH, BLOCK)                                                                       \
  LAUNCH_CLUSTERS((norm_vjp_cluster<CENTERED, EACH, BLOCK, ADDS>), ROW_CLUSTER,                \
                  ROW_CLUSTER *divide_up(rows, p.each), BLOCK,                                 \
                  4 * SLICE_STAGES * stage_cells(cols), stream, rows, (int)cols,               \
                  slice_width(cols), p.each, (int)p.chunk, divide_up(rows, p.chunk), x, gamma, \
                  mean, rstd, g, dx, sums)
  WITH_SLICE(RUN, cols);
#undef RUN
}
#endif
