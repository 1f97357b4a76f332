/* layer_norm and rms_norm (CENTERED 1 and 0) and their VJPs where a row waits in the shared memory of
 * a cluster of blocks (cluster.h), each of which has `width` of its columns: x, y, g, dx are
 * (rows, cols), gamma, beta (cols), mean, rstd (rows). gamma may be NULL: ones.
 *
 * Thread t of a block has columns t, t + BDIM, .. of the block's, in every row: gamma and beta wait
 * in its registers, and so do the VJP's sums over rows. Rows arrive in stages, of which two are on
 * their way while one is worked on. */
#ifndef PM_NORM_CLUSTER_H
#define PM_NORM_CLUSTER_H
#include "cluster.h"
#include "norm_rows.h"

enum {
  SLICE_EACH = 8, /* columns of a thread */
  SLICE_COLS = SLICE_EACH * MAXB,
  SLICE_STAGES = 3,
  TILE_ROWS = 2 /* of a stage forward: their sums go together */
};

/* The block's columns: n from number `first` on, which may be none. */
typedef struct norm_slice {
  int rank, first, n;
} norm_slice;

DEV norm_slice slice_of(int in_cluster, int width, int cols)
{
  norm_slice s;
  s.rank = (int)(blockIdx.x % in_cluster);
  s.first = s.rank * width;
  s.n = cols - s.first < width ? cols - s.first : width;
  return s;
}

/* n elements of p from number `at` on, into cells[lead_of(at)] .. */
template <int VEC> DEV void fetch_slice(float *cells, const float *p, idx at, int n)
{
  int lead = lead_of(at), slots = n > 0 ? slots_of(lead, n) : 0;
  for (int slot = TID_; slot < slots; slot += BDIM)
    fetch_slot<VEC>(cells, p + at, lead, n, slot, 0.0f);
}

/* The thread's columns of p[0 .. n-1]; `outside` for those that are not there. */
DEV void take_slice(float *v, const float *p, int n, float outside)
{
  UNROLL
  for (int j = 0; j < SLICE_EACH; j++) {
    int c = TID_ + j * BDIM;
    v[j] = c < n ? p[c] : outside;
  }
}

DEV void slice_scale(float *scale, const float *gamma, norm_slice s)
{
  take_slice(scale, gamma ? gamma + s.first : gamma, gamma ? s.n : 0, 1.0f);
}

/* ---- forward: cluster k does tiles k, k + clusters, .. of TILE_ROWS rows ---- */

template <int VEC>
DEV void fetch_tile(float *cells, const float *x, idx row, idx rows, int cols, int room,
                    norm_slice s)
{
  for (int i = 0; i < TILE_ROWS && row + i < rows; i++)
    fetch_slice<VEC>(cells + i * room, x, (row + i) * cols + s.first, s.n);
  copy_commit();
}

DEV int stage_after(int stage, int by)
{
  return stage + by < SLICE_STAGES ? stage + by : stage + by - SLICE_STAGES;
}

DEV float slice_sum(const float *v)
{
  float sum = 0.0f;
  UNROLL
  for (int j = 0; j < SLICE_EACH; j++) sum = sum + v[j];
  return sum;
}

DEV float slice_dot(const float *v, const float *w)
{
  float sum = 0.0f;
  UNROLL
  for (int j = 0; j < SLICE_EACH; j++) sum = sum + v[j] * w[j];
  return sum;
}

DEV void center_slice(float *v, float m, int n)
{
  UNROLL
  for (int j = 0; j < SLICE_EACH; j++) v[j] = TID_ + j * BDIM < n ? v[j] - m : 0.0f;
}

template <int CENTERED>
DEV void put_slice(float *y, const float *v, float r, const float *scale, const float *shift, int n)
{
  UNROLL
  for (int j = 0; j < SLICE_EACH; j++) {
    float q = v[j] * r * scale[j];
    if (TID_ + j * BDIM < n)
      __stcs(y + TID_ + j * BDIM, CENTERED ? q + shift[j] : q);
  }
}

template <int CENTERED, int VEC>
KERNEL void __launch_bounds__(MAXB)
    norm_cluster(int in_cluster, idx rows, int cols, int width, int room, float eps,
                 const float *RESTRICT x, const float *RESTRICT gamma, const float *RESTRICT beta,
                 float *RESTRICT y, float *RESTRICT mean, float *RESTRICT rstd)
{
  DYNAMIC(float, cells);
  SHARED(mailbox, box, 1);
  const norm_slice s = slice_of(in_cluster, width, cols);
  const idx step = (idx)(gridDim.x / in_cluster) * TILE_ROWS;
  const int size = TILE_ROWS * room;
  idx row = (idx)(blockIdx.x / in_cluster) * TILE_ROWS;
  float scale[SLICE_EACH], shift[SLICE_EACH];
  int stage = 0, turn = 0;
  for (int i = 0; i < SLICE_STAGES - 1; i++)
    fetch_tile<VEC>(cells + i * size, x, row + i * step, rows, cols, room, s);
  slice_scale(scale, gamma, s);
  if (CENTERED)
    take_slice(shift, beta + s.first, s.n, 0.0f);
  mail_open(box);
  for (; row < rows; row += step, stage = stage_after(stage, 1)) {
    float *const tile = cells + stage * size;
    const int two = row + 1 < rows;
    const idx at = row * cols + s.first;
    float v[SLICE_EACH], w[SLICE_EACH], r;
    float2 m = make_float2(0.0f, 0.0f), q;
    copy_wait_but<SLICE_STAGES - 2>();
    __syncthreads(); /* the tile is there, and everyone has taken the one before */
    take_slice(v, tile + lead_of(at), s.n, 0.0f);
    take_slice(w, tile + room + lead_of(at + cols), two ? s.n : 0, 0.0f);
    fetch_tile<VEC>(cells + stage_after(stage, SLICE_STAGES - 1) * size, x,
                    row + (SLICE_STAGES - 1) * step, rows, cols, room, s);
    if (CENTERED) {
      mail_put(box, turn, in_cluster, make_float2(slice_sum(v), slice_sum(w)));
      m = mail_sums(box, turn++, in_cluster);
      m.x = m.x / (float)cols, m.y = m.y / (float)cols;
      center_slice(v, m.x, s.n);
      center_slice(w, m.y, two ? s.n : 0);
    }
    mail_put(box, turn, in_cluster, make_float2(slice_dot(v, v), slice_dot(w, w)));
    q = mail_sums(box, turn++, in_cluster);
    r = rstd_of(q.x, cols, eps);
    put_slice<CENTERED>(y + at, v, r, scale, shift, s.n);
    if (TID_ == 0 && s.rank == 0) {
      rstd[row] = r;
      if (CENTERED)
        mean[row] = m.x;
    }
    if (two) {
      r = rstd_of(q.y, cols, eps);
      put_slice<CENTERED>(y + at + cols, w, r, scale, shift, s.n);
      if (TID_ == 0 && s.rank == 0) {
        rstd[row + 1] = r;
        if (CENTERED)
          mean[row + 1] = m.y;
      }
    }
  }
}

/* ---- VJP: cluster k does `each` rows from k each on, of which every `chunk` leave a row of sums ---- */

template <int VEC>
DEV void fetch_both(float *cells, const float *x, const float *g, idx row, idx end, int cols,
                    int room, norm_slice s)
{
  if (row < end) {
    fetch_slice<VEC>(cells, x, row * cols + s.first, s.n);
    fetch_slice<VEC>(cells + room, g, row * cols + s.first, s.n);
  }
  copy_commit();
}

/* The sums of the thread's columns, which begin again. */
DEV void leave_slice(float *to, float *sum, int n)
{
  UNROLL
  for (int j = 0; j < SLICE_EACH; j++) {
    if (TID_ + j * BDIM < n)
      to[TID_ + j * BDIM] = sum[j];
    sum[j] = 0.0f;
  }
}

/* sums: (chunks, cols) of g xhat, and behind it of g. */
template <int CENTERED, int VEC>
KERNEL void __launch_bounds__(MAXB)
    norm_vjp_cluster(int in_cluster, int accumulate, idx rows, int cols, int width, int room,
                     idx each, int chunk, idx chunks, const float *RESTRICT x,
                     const float *RESTRICT gamma, const float *RESTRICT mean,
                     const float *RESTRICT rstd, const float *RESTRICT g, float *RESTRICT dx,
                     float *RESTRICT sums)
{
  DYNAMIC(float, cells);
  SHARED(mailbox, box, 1);
  const norm_slice s = slice_of(in_cluster, width, cols);
  idx row = blockIdx.x / in_cluster * each;
  const idx end = row + each < rows ? row + each : rows;
  float scale[SLICE_EACH], dgamma[SLICE_EACH], dbeta[SLICE_EACH];
  float *to = sums + row / chunk * cols + s.first;
  float next_r = rstd[row], next_m = CENTERED ? mean[row] : 0.0f;
  int stage = 0, turn = 0, left = chunk;
  others_may_start();
  for (int i = 0; i < SLICE_STAGES - 1; i++)
    fetch_both<VEC>(cells + 2 * i * room, x, g, row + i, end, cols, room, s);
  slice_scale(scale, gamma, s);
  UNROLL
  for (int j = 0; j < SLICE_EACH; j++) dgamma[j] = dbeta[j] = 0.0f;
  mail_open(box);
  for (; row < end; row++, stage = stage_after(stage, 1)) {
    float *const here = cells + 2 * stage * room;
    const idx at = row * cols + s.first;
    const float m = next_m, r = next_r;
    float v[SLICE_EACH], w[SLICE_EACH], a = 0.0f, b = 0.0f;
    float2 sum;
    if (row + 1 < end)
      next_r = rstd[row + 1], next_m = CENTERED ? mean[row + 1] : 0.0f;
    copy_wait_but<SLICE_STAGES - 2>();
    __syncthreads(); /* the row is there, and everyone has taken the one before */
    take_slice(v, here + lead_of(at), s.n, 0.0f);
    take_slice(w, here + room + lead_of(at), s.n, 0.0f);
    fetch_both<VEC>(cells + 2 * stage_after(stage, SLICE_STAGES - 1) * room, x, g,
                    row + SLICE_STAGES - 1, end, cols, room, s);
    if (CENTERED)
      center_slice(v, m, s.n);
    UNROLL
    for (int j = 0; j < SLICE_EACH; j++) {
      float pulled = w[j] * scale[j];
      v[j] = v[j] * r;
      a = a + pulled;
      b = b + pulled * v[j];
    }
    mail_put(box, turn, in_cluster, make_float2(a, b));
    UNROLL
    for (int j = 0; j < SLICE_EACH; j++) {
      dgamma[j] = dgamma[j] + w[j] * v[j];
      dbeta[j] = dbeta[j] + w[j];
    }
    sum = mail_sums(box, turn++, in_cluster);
    a = CENTERED ? sum.x / (float)cols : 0.0f, b = sum.y / (float)cols;
    UNROLL
    for (int j = 0; j < SLICE_EACH; j++)
      if (TID_ + j * BDIM < s.n) {
        float *p = dx + at + TID_ + j * BDIM, d = r * (w[j] * scale[j] - a - v[j] * b);
        __stcs(p, accumulate ? *p + d : d);
      }
    if (--left == 0 || row + 1 == end) {
      leave_slice(to, dgamma, s.n);
      if (CENTERED)
        leave_slice(to + chunks * cols, dbeta, s.n);
      to += cols, left = chunk;
    }
  }
}

/* ---- host ---- */

enum {
  ROW_CLUSTER = 8,    /* blocks of a row */
  ROW_CLUSTERS = 16,  /* of so many, on 132 processors; */
  BESIDE = 4,         /* of narrow rows as many times that */
  CHUNK_OF_ROWS = 128 /* that one thread adds up, unless there are very many */
};

static inline int slice_width(idx cols) { return (int)divide_up(cols, ROW_CLUSTER); }
static inline int slice_room(idx cols) { return (int)(slice_width(cols) + 34) / 4 * 4; }
static inline int slice_block(idx cols)
{
  return 32 * (int)divide_up(slice_width(cols), 32 * SLICE_EACH);
}

/* Clusters that are at work at once. */
static inline idx row_clusters(idx cols)
{
  idx beside = SLICE_COLS / (slice_width(cols) > 0 ? slice_width(cols) : 1);
  return ROW_CLUSTERS * (beside < 1 ? 1 : beside < BESIDE ? beside : (idx)BESIDE);
}

static inline double slice_row_height() { return SLICE_EACH - 1 + mail_height(ROW_CLUSTER); }

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

template <int CENTERED>
static inline void launch_cluster(void *stream, int vec, idx rows, idx cols, float eps,
                                  const float *x, const float *gamma, const float *beta, float *y,
                                  float *mean, float *rstd)
{
  idx tiles = divide_up(rows, TILE_ROWS), most = row_clusters(cols);
  int room = slice_room(cols);
#define RUN(K, VEC)                                                                              \
  LAUNCH_CLUSTERS((norm_cluster<CENTERED, VEC>), ROW_CLUSTER,                                    \
                  ROW_CLUSTER *(tiles < most ? tiles : most), slice_block(cols),                 \
                  4 * SLICE_STAGES * TILE_ROWS * room, stream, (int)ROW_CLUSTER, rows, (int)cols, \
                  slice_width(cols), room, eps, x, gamma, beta, y, mean, rstd)
  WITH_VEC(RUN, 0, vec);
#undef RUN
}

template <int CENTERED>
static inline void launch_vjp_cluster(void *stream, int vec, int accumulate, idx rows, idx cols,
                                      const float *x, const float *gamma, const float *mean,
                                      const float *rstd, const float *g, float *dx, float *sums)
{
  slice_plan p = slice_plan_of(rows, cols);
  int room = slice_room(cols);
#define RUN(K, VEC)                                                                               \
  LAUNCH_CLUSTERS((norm_vjp_cluster<CENTERED, VEC>), ROW_CLUSTER,                                 \
                  ROW_CLUSTER *divide_up(rows, p.each), slice_block(cols),                        \
                  4 * SLICE_STAGES * 2 * room, stream, (int)ROW_CLUSTER, accumulate, rows,        \
                  (int)cols, slice_width(cols), room, p.each, (int)p.chunk,                       \
                  divide_up(rows, p.chunk), x, gamma, mean, rstd, g, dx, sums)
  WITH_VEC(RUN, 0, vec);
#undef RUN
}
#endif
