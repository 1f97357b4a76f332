/* How channels of batch_norm are cut up for the blocks of a cluster (share.h), and how many
 * additions that makes: `tensors` of a channel wait, x or x and g. */
#ifndef PM_BATCH_NORM_PLAN_H
#define PM_BATCH_NORM_PLAN_H
#include "../lang/cluster_exchange.h"
#include "../math/elementary.h"
#include "../row/variants.h"
#include "../lang/async_ring.h"
#include "share_plan.h"
#include "walk_pitch.h"
#include "../host/device.h"

enum {
  SHARE_BYTES =
      56 * 1024, /* of a block, so that four fit side by side, where clusters go so far; */
  SHARE_MOST = 16 * SHARED_VEC4S, /* else up to these */
  SHARE_BLOCKS = 264,             /* few channels are cut up for so many blocks, .. */
  SHARE_LEAST = 32,               /* .. but into no less than these vectors */
  SHARE_EACH = 16                 /* vectors of a thread, if that fills no more than a block */
};

/* Threads of a block, so that each has up to `each` vectors of the share, if `widest` are
 * enough. */
static inline int share_threads(int share, int each, int widest)
{
  int block = 32;
  while (block < widest && each * block < share) block *= 2;
  return block;
}

/* keep_all: nothing is read again; else what there is room for is kept, or half where that would
 * be all. widest: threads of a block, at most. */
static inline share_plan share_plan_of(int tensors, idx channels, idx vectors, int keep_all,
                                       int widest)
{
  const int most = SHARE_MOST / (16 * tensors);
  share_plan p = {2, (int)divide_up(vectors, 2), 0, 0};
  while (p.in_cluster < CLUSTER_MOST &&
         (16 * tensors * p.share > SHARE_BYTES ||
          (channels * p.in_cluster < SHARE_BLOCKS && p.share > SHARE_LEAST))) {
    p.in_cluster *= 2;
    p.share = (int)divide_up(vectors, p.in_cluster);
  }
  p.kept = keep_all ? p.share : p.share > most ? most : p.share / 2;
  p.block = share_threads(p.share, SHARE_EACH, widest);
  return p;
}

/* Where clusters take turns at channels: as if for two tensors, as two channels wait at once. */
static inline share_plan cluster_plan_of(idx channels, idx vectors)
{
  return share_plan_of(2, channels, vectors, 1, RING_BLOCK);
}

/* Channels of which a block has its share at once. */
static inline int cluster_depth(share_plan p) { return 32 * p.share <= SHARE_MOST ? 2 : 1; }

static inline double cluster_share_height(share_plan p)
{
  return 2 + (double)divide_up(p.share, p.block) + exchange_height(p.in_cluster);
}

static inline idx share_vectors(int tensors)
{
  return CLUSTER_MOST * (SHARE_MOST / (16 * tensors));
}

/* Additions above an element: in its vector, along its thread, across the cluster. */
static inline double share_height(share_plan p)
{
  return 2 +
         (double)(divide_up(p.kept, p.block) + divide_up(p.share - p.kept, p.block) +
                  (p.kept < p.share)) +
         exchange_height(p.in_cluster);
}
#endif
