/* Thread block clusters: kernels whose blocks work together: they run at the same time and can
 * write into each other's shared memory, by way of their mailboxes (cluster_exchange.h). How they
 * are launched.
 *
 *   LAUNCH_CLUSTERS(kernel, in_cluster, grid, block, bytes, stream, ...)
 *                      LAUNCH_SHARED in clusters of that many blocks, up to CLUSTER_MOST: blocks
 *                      k in_cluster .. of the grid are one
 *   clusters_at_once(kernel, in_cluster, block, bytes)   of such a launch, that run at
 *                      one time */
#ifndef PM_LANG_CLUSTER_H
#define PM_LANG_CLUSTER_H
#include "async_copy.h"

enum { CLUSTER_MOST = 8 };

#ifndef __FRAMAC__
#ifdef PM_SIM
#define LAUNCH_CLUSTERS(kernel, in_cluster, grid, block, bytes, stream, ...) \
  (void)(stream), SIM_LAUNCH(kernel, grid, block, in_cluster, bytes, 0, __VA_ARGS__)
/* few: small cases then loop as large ones do */
#define clusters_at_once(kernel, in_cluster, block, bytes) 2
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
#endif
#endif
#endif
