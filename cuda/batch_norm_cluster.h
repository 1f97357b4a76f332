/* batch_norm where a cluster of blocks (cluster.h) takes turns at channels: x, y are
 * (n, channels, size), the other tensors (channels). And how channels are cut up into a `share` of
 * their vectors of four elements for each block of a cluster, for all kernels that do so.
 *
 * A share waits in shared memory. Its vector v belongs to thread v % BDIM throughout: no barrier
 * guards it. */
#ifndef PM_BATCH_NORM_CLUSTER_H
#define PM_BATCH_NORM_CLUSTER_H
#include "batch_norm_walk.h"
#include "mail_wide.h"
#include "share_plan.h"

enum { TURNS_BLOCK = 512 };

/* Of a block: its channel, and its share, vectors lo .. lo + vectors - 1 of that, of which the
 * first `kept` wait. */
typedef struct batch_share {
  idx c;
  int rank, lo, vectors, kept;
} batch_share;

DEV batch_share share_of(share_plan p, idx n, int size)
{
  const int all = (int)n * ((size + 3) / 4);
  batch_share b;
  b.c = blockIdx.x / p.in_cluster;
  b.rank = (int)(blockIdx.x % p.in_cluster);
  b.lo = b.rank * p.share;
  b.vectors = all - b.lo < p.share ? all - b.lo : p.share;
  b.kept = b.vectors < p.kept ? b.vectors : p.kept;
  return b;
}

/* Into a cell, to be there after copy_wait(). */
DEV void fetch_vector(float *cell, const float *p, int vec, int have)
{
  if (vec) {
    copy_async4(cell, p);
    return;
  }
  UNROLL
  for (int i = 0; i < 4; i++)
    if (i < have)
      copy_async(cell + i, p + i);
    else
      cell[i] = 0.0f;
}

/* Cluster k does channels k, k + clusters, .. and all of a share waits, as do those of the DEPTH - 1
 * channels behind it: a vector that is written makes room for that of DEPTH channels later. */
template <int VEC, int DEPTH>
KERNEL void __launch_bounds__(TURNS_BLOCK, DEPTH)
    batch_turns(share_plan p, idx n, idx channels, int size, float eps, const float *RESTRICT x,
                const float *RESTRICT gamma, const float *RESTRICT beta, float *RESTRICT y,
                float *RESTRICT mean, float *RESTRICT rstd)
{
  DYNAMIC(float, cells);
  SHARED(mailbox, box, 1);
  const batch_share b = share_of(p, n, size);
  const idx count = n * size, clusters = gridDim.x / p.in_cluster;
  const chan_walk begin = walk_from(channels, size, 0, b.lo + TID_);
  int turn = 0, stage = 0, v;
  mail_open(box, b.rank);
  for (int i = 0; i < DEPTH; i++) {
    const idx c = b.c + i * clusters;
    chan_walk w = begin;
    UNROLL_BY(4)
    for (v = TID_; c < channels && v < b.vectors; v += BDIM, walk_on(&w))
      fetch_vector(cells + 4 * (i * p.share + v), x + c * size + w.at, VEC,
                   elements<VEC>(&w, size));
    copy_commit();
  }
  mail_join(box);
  for (idx c = b.c; c < channels; c += clusters) {
    float *const here = cells + 4 * stage * p.share;
    const float *const later = x + (c + DEPTH * clusters) * size;
    const int fetches = c + DEPTH * clusters < channels;
    const float ga = gamma[c], be = beta[c];
    chan_walk w = begin;
    float q[4], m, r, s = 0.0f;
    copy_wait_but<DEPTH - 1>();
    UNROLL_BY(4)
    for (v = TID_; v < b.vectors; v += BDIM) {
      load_row(q, here + 4 * v, 1, 1, 0, 0, 4, 0.0f);
      s = s + sum_all(q, 1);
    }
    mail_put(box, turn, p.in_cluster, make_float2(s, 0.0f));
    m = mail_sums(box, turn++, p.in_cluster).x / (float)count;
    s = 0.0f;
    UNROLL_BY(4)
    for (v = TID_; v < b.vectors; v += BDIM, walk_on(&w)) {
      load_row(q, here + 4 * v, 1, 1, 0, 0, 4, 0.0f);
      center_row(q, m, 1, 0, 0, elements<VEC>(&w, size));
      s = s + dot_all(q, q, 1);
    }
    mail_put(box, turn, p.in_cluster, make_float2(s, 0.0f));
    r = rstd_of(mail_sums(box, turn++, p.in_cluster).x, count, eps);
    w = begin;
    UNROLL_BY(4)
    for (v = TID_; v < b.vectors; v += BDIM, walk_on(&w)) {
      const int have = elements<VEC>(&w, size);
      load_row(q, here + 4 * v, 1, 1, 0, 0, 4, 0.0f);
      if (fetches)
        fetch_vector(here + 4 * v, later + w.at, VEC, have);
      center_row(q, m, 1, 0, 0, have);
      scale_shift(q, r, ga, be);
      put_once(y + c * size + w.at, q, VEC, have);
    }
    copy_commit();
    stage = stage + 1 < DEPTH ? stage + 1 : 0;
    if (TID_ == 0 && b.rank == 0)
      mean[c] = m, rstd[c] = r;
  }
}

/* ---- host: `tensors` of a channel wait, x or x and g ---- */

enum {
  SHARE_BYTES =
      56 * 1024, /* of a block, so that four fit side by side, where clusters go so far; */
  SHARE_MOST = PM_MAX_SHARED - 6 * 1024, /* else up to these */
  SHARE_BLOCKS = 264,                    /* few channels are cut up for so many blocks, .. */
  SHARE_LEAST = 32                       /* .. but into no less than these vectors */
};

/* keep_all: nothing is read again; else what there is room for is kept, or half where that would
 * be all. widest: threads of a block, at most. */
static inline share_plan share_plan_of(int tensors, idx channels, idx vectors, int keep_all,
                                       int widest)
{
  const int most = SHARE_MOST / (16 * tensors);
  share_plan p = {2, (int)divide_up(vectors, 2), 0, 32};
  while (p.in_cluster < CLUSTER_MOST &&
         (16 * tensors * p.share > SHARE_BYTES ||
          (channels * p.in_cluster < SHARE_BLOCKS && p.share > SHARE_LEAST))) {
    p.in_cluster *= 2;
    p.share = (int)divide_up(vectors, p.in_cluster);
  }
  p.kept = keep_all ? p.share : p.share > most ? most : p.share / 2;
  while (p.block < widest && 16 * p.block < p.share) p.block *= 2;
  return p;
}

/* Where clusters take turns at channels: as if for two tensors, as two channels wait at once. */
static inline share_plan turns_plan_of(idx channels, idx vectors)
{
  return share_plan_of(2, channels, vectors, 1, TURNS_BLOCK);
}

/* Channels of which a block has its share at once. */
static inline int turns_depth(share_plan p) { return 32 * p.share <= SHARE_MOST ? 2 : 1; }

static inline double turns_height(share_plan p)
{
  return 2 + (double)divide_up(p.share, p.block) + mail_height(p.in_cluster);
}

template <int VEC, int DEPTH>
static inline void launch_turns(void *stream, share_plan p, idx n, idx channels, int size,
                                float eps, const float *x, const float *gamma, const float *beta,
                                float *y, float *mean, float *rstd)
{
  const int bytes = 16 * DEPTH * p.share;
  idx room = clusters_at_once((batch_turns<VEC, DEPTH>), p.in_cluster, p.block, bytes);
  idx clusters = channels < room ? channels : room;
  LAUNCH_CLUSTERS((batch_turns<VEC, DEPTH>), p.in_cluster, clusters * p.in_cluster, p.block, bytes,
                  stream, p, n, channels, size, eps, x, gamma, beta, y, mean, rstd);
}

static inline idx share_vectors(int tensors)
{
  return CLUSTER_MOST * (SHARE_MOST / (16 * tensors));
}

/* Additions above a thread's part, the first pair of a lane being added to 0. */
static inline double pairs_height(int in_cluster, int block)
{
  return 5 + (double)((in_cluster * (block / 32) + 31) / 32 - 1 + 5);
}

/* Additions above an element: in its vector, along its thread, across the cluster. */
static inline double share_height(share_plan p)
{
  return 2 +
         (double)(divide_up(p.kept, p.block) + divide_up(p.share - p.kept, p.block) +
                  (p.kept < p.share)) +
         pairs_height(p.in_cluster, p.block);
}
#endif
