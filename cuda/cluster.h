/* Vocabulary for kernels in which the blocks of a cluster work together: they run at the same time
 * and can write into each other's shared memory. nvcc and simulator.
 *
 *   LAUNCH_CLUSTERS(kernel, in_cluster, grid, block, bytes, stream, ...)
 *                      LAUNCH_SHARED in clusters of that many blocks, up to CLUSTER_MOST: blocks
 *                      k in_cluster .. of the grid are one
 *   mailbox            in shared memory: mail_open(box) as early as may be, mail_join(box) before the
 *                      first turn, then for turn = 0, 1, ..:
 *   mail_put(box, turn, in_cluster, v)   the sums over the block of the pairs v go to every block of
 *                      the cluster, which has in_cluster > 1 blocks
 *   mail_sums(box, turn, in_cluster)     the sums over the cluster, the same at every thread. That
 *                      they are there says nothing of what else the others wrote. */
#ifndef PM_CLUSTER_H
#define PM_CLUSTER_H
#include "wide.h"

enum { CLUSTER_MOST = 8 };

/* A turn uses one half of `blocks`: who still reads what came in the turn before is not disturbed,
 * and two turns ahead nobody can be. */
typedef struct mailbox {
  unsigned long long arrived[2]; /* the barrier that counts the bytes of a turn; the other is room */
  float2 blocks[2 * CLUSTER_MOST], warps[MAXB / 32];
} mailbox;

#ifdef PM_SIM
#define LAUNCH_CLUSTERS(kernel, in_cluster, grid, block, bytes, stream, ...)                       \
  (void)(stream), sim_launch_clusters((unsigned)(in_cluster), (unsigned)(grid), (unsigned)(block), \
                                      (size_t)(bytes), [=] { kernel(__VA_ARGS__); })
DEV void mail_open(mailbox *) { pm_sim_::cluster_arrive(__LINE__); }
DEV void mail_join(mailbox *) { pm_sim_::cluster_wait(__LINE__); }
DEV void mail_post(mailbox *box, int at, int rank, float2 v)
{
  *static_cast<float2 *>(pm_sim_::peer(box->blocks + at, (unsigned)rank, __LINE__)) = v;
}
DEV void mail_expect(mailbox *, int) { pm_sim_::cluster_arrive(__LINE__); }
DEV void mail_await(mailbox *, int) { pm_sim_::cluster_wait(__LINE__); }
#else
#define LAUNCH_CLUSTERS(kernel, in_cluster, grid, block, bytes, stream, ...)               \
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)(bytes)), \
      launch_clusters((unsigned)(in_cluster), (unsigned)(grid), (unsigned)(block),         \
                      (size_t)(bytes), (cudaStream_t)(stream),                             \
                      [&](const cudaLaunchConfig_t *config) {                              \
                        return cudaLaunchKernelEx(config, kernel, __VA_ARGS__);            \
                      })
template <class F>
static inline void launch_clusters(unsigned in_cluster, unsigned grid, unsigned block, size_t bytes,
                                   cudaStream_t stream, F launch)
{
  cudaLaunchAttribute together = {};
  cudaLaunchConfig_t config = {};
  together.id = cudaLaunchAttributeClusterDimension;
  together.val.clusterDim.x = in_cluster;
  together.val.clusterDim.y = together.val.clusterDim.z = 1;
  config.gridDim = dim3(grid), config.blockDim = dim3(block), config.stream = stream;
  config.dynamicSmemBytes = bytes;
  config.attrs = &together, config.numAttrs = 1;
  launch(&config); /* an error stays for cudaGetLastError */
}
DEV void mail_open(mailbox *box)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(box->arrived);
  if (TID_ == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
DEV void mail_join(mailbox *)
{
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
/* Not the cluster's own barrier: that waits until the stores to global memory have arrived. */
DEV void mail_post(mailbox *box, int at, int rank, float2 v)
{
  unsigned cell = (unsigned)__cvta_generic_to_shared(box->blocks + at);
  unsigned bar = (unsigned)__cvta_generic_to_shared(box->arrived);
  asm volatile("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(cell) : "r"(rank));
  asm volatile("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(bar) : "r"(rank));
  asm volatile(
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%1, %2}, [%3];" ::"r"(
          cell),
      "f"(v.x), "f"(v.y), "r"(bar)
      : "memory");
}
DEV void mail_expect(mailbox *box, int pairs)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(box->arrived);
  if (TID_ == 0)
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(8 * pairs)
                 : "memory");
}
DEV void mail_await(mailbox *box, int turn)
{
  unsigned at = (unsigned)__cvta_generic_to_shared(box->arrived), there = 0;
  while (!there)
    asm volatile(
        "{\n .reg .pred p;\n"
        " mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n selp.u32 %0, 1, 0, p;\n}"
        : "=r"(there)
        : "r"(at), "r"(turn & 1)
        : "memory");
}
#endif

DEV void mail_put(mailbox *box, int turn, int in_cluster, float2 v)
{
  const int lane = TID_ % 32, warps = BDIM / 32, rank = (int)(blockIdx.x % in_cluster);
  v.x = group_sum(v.x, 32);
  v.y = group_sum(v.y, 32);
  if (lane == 0)
    box->warps[TID_ / 32] = v;
  __syncthreads();
  if (TID_ < 32) {
    v = lane < warps ? box->warps[lane] : make_float2(0.0f, 0.0f);
    v.x = group_sum(v.x, 32);
    v.y = group_sum(v.y, 32);
    if (lane < in_cluster)
      mail_post(box, (turn & 1) * CLUSTER_MOST + rank, lane, v);
  }
  mail_expect(box, in_cluster);
}

DEV float2 mail_sums(mailbox *box, int turn, int in_cluster)
{
  const float2 *blocks = box->blocks + (turn & 1) * CLUSTER_MOST;
  mail_await(box, turn);
  float2 sum = blocks[0];
  for (int k = 1; k < in_cluster; k++)
    sum.x = sum.x + blocks[k].x, sum.y = sum.y + blocks[k].y;
  return sum;
}

/* Additions above a thread's part. */
static inline double mail_height(int in_cluster) { return 5 + 5 + in_cluster - 1; }
#endif
