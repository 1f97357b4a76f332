/* Vocabulary for kernels in which the blocks of a cluster work together: they run at the same time
 * and can write into each other's shared memory. nvcc and simulator.
 *
 *   LAUNCH_CLUSTERS(kernel, in_cluster, grid, block, bytes, stream, ...)
 *                      LAUNCH_SHARED in clusters of that many blocks, up to CLUSTER_MOST: blocks
 *                      k in_cluster .. of the grid are one
 *   mailbox            in shared memory, MAIL_PAIRS pairs of floats in it: mail_open(box) once, then
 *                      for turn = 0, 1, ..:
 *   mail_put(box, turn, in_cluster, v)   v, which the lanes of a warp hold alike, to every block of
 *                      the cluster, of in_cluster
 *   mail_sums(box, turn, in_cluster)     the sums of what all warps of the cluster have put in this
 *                      turn, in an order that does not depend on who came first, at every thread.
 *                      That all have put says nothing of what else they wrote.
 *   copy_wait_but<N>() waits for this thread's batches of copies but the latest N */
#ifndef PM_CLUSTER_H
#define PM_CLUSTER_H
#include "wide.h"

enum { CLUSTER_MOST = 8, MAIL_PAIRS = CLUSTER_MOST * MAXB / 32 };

/* A turn uses one half of the pairs: who is still reading those of the turn before is not disturbed,
 * and two turns ahead nobody can be. */
typedef struct mailbox {
  unsigned long long arrived[2]; /* the barrier that counts the bytes of a turn; the other is room */
  float2 pairs[2 * MAIL_PAIRS];
} mailbox;

#ifdef PM_SIM
#define LAUNCH_CLUSTERS(kernel, in_cluster, grid, block, bytes, stream, ...)                       \
  (void)(stream), sim_launch_clusters((unsigned)(in_cluster), (unsigned)(grid), (unsigned)(block), \
                                      (size_t)(bytes), [=] { kernel(__VA_ARGS__); })
DEV void mail_open(mailbox *)
{
  pm_sim_::cluster_arrive(__LINE__);
  pm_sim_::cluster_wait(__LINE__);
}
DEV void mail_post(mailbox *box, int at, int rank, float2 v)
{
  *static_cast<float2 *>(pm_sim_::peer(box->pairs + at, (unsigned)rank, __LINE__)) = v;
}
DEV void mail_expect(mailbox *, int) { pm_sim_::cluster_arrive(__LINE__); }
DEV void mail_await(mailbox *, int) { pm_sim_::cluster_wait(__LINE__); }
template <int N> DEV void copy_wait_but() {}
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
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
/* Not the cluster's own barrier: that waits until the stores to global memory have arrived. */
DEV void mail_post(mailbox *box, int at, int rank, float2 v)
{
  unsigned cell = (unsigned)__cvta_generic_to_shared(box->pairs + at);
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
template <int N> DEV void copy_wait_but()
{
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}
#endif

DEV void mail_put(mailbox *box, int turn, int in_cluster, float2 v)
{
  int lane = TID_ % 32, warps = BDIM / 32, rank = (int)(blockIdx.x % in_cluster);
  if (lane < in_cluster)
    mail_post(box, (turn & 1) * MAIL_PAIRS + rank * warps + TID_ / 32, lane, v);
  mail_expect(box, in_cluster * warps);
}

DEV float2 mail_sums(mailbox *box, int turn, int in_cluster)
{
  const float2 *pairs = box->pairs + (turn & 1) * MAIL_PAIRS;
  float2 sum = make_float2(0.0f, 0.0f);
  int n = in_cluster * (BDIM / 32);
  mail_await(box, turn);
  for (int p = TID_ % 32; p < n; p += 32) sum.x = sum.x + pairs[p].x, sum.y = sum.y + pairs[p].y;
  sum.x = group_sum(sum.x, 32);
  sum.y = group_sum(sum.y, 32);
  return sum;
}

/* Additions above a warp's pair, the first of a lane being to 0. */
static inline double mail_height(int in_cluster, int block)
{
  return (double)((in_cluster * (block / 32) + 31) / 32 - 1 + 5);
}
#endif
