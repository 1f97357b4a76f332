/* Vocabulary for kernels in which the blocks of a cluster work together: they run at the same time
 * and can write into each other's shared memory. nvcc and simulator.
 *
 *   LAUNCH_CLUSTERS(kernel, in_cluster, grid, block, bytes, stream, ...)
 *                      LAUNCH_SHARED in clusters of that many blocks, up to CLUSTER_MOST: blocks
 *                      k in_cluster .. of the grid are one
 *   clusters_at_once(kernel, in_cluster, block, bytes)   those of such a launch that run at one time
 *   cluster_arrive(), cluster_wait()   a barrier of all threads of the cluster in two steps: what
 *                      any thread wrote before it arrived is there for those who have waited
 *   put_peer(p, rank, v)   *p = v, p being in the shared memory of the cluster's block `rank`,
 *                      where it lies as in this one's; every block has begun, and none has left */
#ifndef PM_CLUSTER_H
#define PM_CLUSTER_H
#include "wide.h"

enum { CLUSTER_MOST = 8 };

#ifdef PM_SIM
#define LAUNCH_CLUSTERS(kernel, in_cluster, grid, block, bytes, stream, ...)                       \
  (void)(stream), sim_launch_clusters((unsigned)(in_cluster), (unsigned)(grid), (unsigned)(block), \
                                      (size_t)(bytes), [=] { kernel(__VA_ARGS__); })
/* few: small cases then loop as large ones do */
#define clusters_at_once(kernel, in_cluster, block, bytes) 2
#define cluster_arrive() pm_sim_::cluster_arrive(__LINE__)
#define cluster_wait() pm_sim_::cluster_wait(__LINE__)
#define put_peer(p, rank, v) \
  (*static_cast<float2 *>(pm_sim_::peer(p, (unsigned)(rank), __LINE__)) = (v))
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
  launch(&config); /* an error of a launch stays for cudaGetLastError */
}
template <class K>
static inline idx clusters_at_once(K kernel, int in_cluster, int block, size_t bytes)
{
  int n = 0;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  launch_clusters((unsigned)in_cluster, (unsigned)in_cluster, (unsigned)block, bytes, 0,
                  [&](const cudaLaunchConfig_t *config) {
                    return cudaOccupancyMaxActiveClusters(&n, kernel, config);
                  });
  return n < 1 ? 1 : n;
}

DEV void cluster_arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
DEV void cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
DEV void put_peer(float2 *p, int rank, float2 v)
{
  unsigned here = (unsigned)__cvta_generic_to_shared(p), there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(rank));
  asm volatile("st.shared::cluster.v2.f32 [%0], {%1, %2};" ::"r"(there), "f"(v.x), "f"(v.y)
               : "memory");
}
#endif

/* ---- pairs of sums over a cluster ---- */

enum { PAIRS = CLUSTER_MOST * MAXB / 32 }; /* one of each warp of the cluster */

/* The sums over this warp of its threads' pairs, to every block of the cluster: cell
 * rank warps + warp of `pairs`. */
DEV void put_pairs(float2 *pairs, int rank, int in_cluster, float a, float b)
{
  const int lane = TID_ % 32, warp = TID_ / 32, warps = BDIM / 32;
  const float2 pair = make_float2(group_sum(a, 32), group_sum(b, 32));
  if (lane < in_cluster)
    put_peer(pairs + rank * warps + warp, lane, pair);
}

/* The sums over the cluster, at every thread, once all have met. */
DEV float2 sum_pairs(const float2 *pairs, int in_cluster)
{
  const int n = in_cluster * (BDIM / 32);
  float2 sum = make_float2(0.0f, 0.0f);
  for (int p = TID_ % 32; p < n; p += 32) sum.x = sum.x + pairs[p].x, sum.y = sum.y + pairs[p].y;
  sum.x = group_sum(sum.x, 32);
  sum.y = group_sum(sum.y, 32);
  return sum;
}

/* Additions above a thread's part, the first pair of a lane being added to 0. */
static inline double pairs_height(int in_cluster, int block)
{
  return 5 + (double)((in_cluster * (block / 32) + 31) / 32 - 1 + 5);
}
#endif
