/* Vocabulary for clusters (cluster.h) that add up something again and again: no barrier of theirs, which
 * would wait until what the threads have stored in global memory has arrived there. nvcc and
 * simulator.
 *
 *   mailbox            in shared memory: mail_open(box) as early as may be, mail_join(box) before the
 *                      first turn, then for turn = 0, 1, ..:
 *   mail_put(box, turn, in_cluster, v)   the sums over the block of the pairs v go to every block of
 *                      the cluster, which has in_cluster > 1 blocks; a barrier of the block
 *   mail_sums(box, turn, in_cluster)     the sums over the cluster, the same at every thread. That
 *                      they are there says nothing of what else the others wrote.
 *   arrival            in shared memory, what copies of whole vectors make known: one thread does
 *                      arrival_open(a), then for round = 0, 1, ..: copy_bulk(d, p, floats, a) for a
 *                      shared d, 16-byte aligned both, and arrival_close(a); others, past a barrier
 *                      behind the opening, arrival_await(a, round) */
#ifndef PM_MAILBOX_H
#define PM_MAILBOX_H
#include "cluster.h"

typedef unsigned long long arrival; /* a barrier in hardware, which counts bytes */

/* A turn uses one half of it: who still reads what came in the turn before is not disturbed, and who
 * is a turn ahead does not take part in this one's count. Two turns ahead nobody can be. */
typedef struct mailbox {
  unsigned long long arrived[2]; /* barriers that count the bytes of a turn */
  float2 blocks[2 * CLUSTER_MOST], warps[2 * MAXB / 32];
} mailbox;

#ifdef PM_SIM
DEV void arrival_open(arrival *) {}
DEV void copy_bulk(float *d, const float *p, int floats, arrival *)
{
  for (int i = 0; i < floats; i += 4) ST4(d + i, LD4(p + i));
}
DEV void arrival_close(arrival *) {}
DEV void arrival_await(arrival *, int) {}
DEV void mail_open(mailbox *) { cluster_arrive(); }
DEV void mail_join(mailbox *) { cluster_wait(); }
DEV void mail_post(mailbox *box, int turn, int at, int rank, float2 v)
{
  at += (turn & 1) * CLUSTER_MOST;
  *static_cast<float2 *>(pm_sim_::peer(box->blocks + at, (unsigned)rank, __LINE__)) = v;
}
DEV void mail_expect(mailbox *, int, int) { cluster_arrive(); }
DEV void mail_await(mailbox *, int) { cluster_wait(); }
#else
DEV void arrival_open(arrival *a)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(a);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
DEV void copy_bulk(float *d, const float *p, int floats, arrival *a)
{
  unsigned to = (unsigned)__cvta_generic_to_shared(d), at = (unsigned)__cvta_generic_to_shared(a);
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(4 * floats)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(to),
      "l"(p), "r"(4 * floats), "r"(at)
      : "memory");
}
DEV void arrival_close(arrival *a)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(a);
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at) : "memory");
}
DEV void barrier_await(const void *p, int round)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(p), there = 0;
  while (!there)
    asm volatile("{\n .reg .pred p;\n"
                 " mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(there)
                 : "r"(at), "r"(round & 1)
                 : "memory");
}
DEV void arrival_await(arrival *a, int round) { barrier_await(a, round); }
DEV void mail_open(mailbox *box)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(box->arrived);
  if (TID_ == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at + 8) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
DEV void mail_join(mailbox *)
{
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
/* Not the cluster's own barrier: that waits until the stores to global memory have arrived. */
DEV void mail_post(mailbox *box, int turn, int at, int rank, float2 v)
{
  const int half = turn & 1;
  unsigned cell = (unsigned)__cvta_generic_to_shared(box->blocks + half * CLUSTER_MOST + at);
  unsigned bar = (unsigned)__cvta_generic_to_shared(box->arrived + half);
  asm volatile("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(cell) : "r"(rank));
  asm volatile("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(bar) : "r"(rank));
  asm volatile(
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%1, %2}, [%3];" ::"r"(
          cell),
      "f"(v.x), "f"(v.y), "r"(bar)
      : "memory");
}
DEV void mail_expect(mailbox *box, int turn, int pairs)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(box->arrived + (turn & 1));
  if (TID_ == 0)
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(8 * pairs)
                 : "memory");
}
DEV void mail_await(mailbox *box, int turn) { barrier_await(box->arrived + (turn & 1), turn >> 1); }
#endif

DEV void mail_put(mailbox *box, int turn, int in_cluster, float2 v)
{
  const int lane = TID_ % 32, warps = BDIM / 32, rank = (int)(blockIdx.x % in_cluster);
  float2 *const of_warps = box->warps + (turn & 1) * (MAXB / 32);
  v.x = group_sum(v.x, 32);
  v.y = group_sum(v.y, 32);
  if (lane == 0)
    of_warps[TID_ / 32] = v;
  __syncthreads();
  if (TID_ < 32) {
    v = lane < warps ? of_warps[lane] : make_float2(0.0f, 0.0f);
    v.x = group_sum(v.x, 32);
    v.y = group_sum(v.y, 32);
    if (lane < in_cluster)
      mail_post(box, turn, rank, lane, v);
  }
  mail_expect(box, turn, in_cluster);
}

DEV float2 mail_sums(mailbox *box, int turn, int in_cluster)
{
  const float2 *blocks = box->blocks + (turn & 1) * CLUSTER_MOST;
  mail_await(box, turn);
  float2 sum = blocks[0];
  for (int k = 1; k < in_cluster; k++) sum.x = sum.x + blocks[k].x, sum.y = sum.y + blocks[k].y;
  return sum;
}

/* Additions above a thread's part. */
static inline double mail_height(int in_cluster) { return 5 + 5 + in_cluster - 1; }
#endif
