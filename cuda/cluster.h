/* Vocabulary for kernels in which the blocks of a cluster work together: they run at the same time
 * and can write into each other's shared memory. Three readings, as in kernel.h.
 *
 *   LAUNCH_CLUSTERS(kernel, in_cluster, grid, block, bytes, stream, ...)
 *                      LAUNCH_SHARED in clusters of that many blocks, up to CLUSTER_MOST: blocks
 *                      k in_cluster .. of the grid are one
 *   clusters_at_once(kernel, in_cluster, block, bytes)   those of such a launch that run at one time
 *   CLUSTER_BLOCK;     at the beginning of what a block does
 *   cluster_arrive(), cluster_wait()   a meeting: a barrier of all threads of the cluster in two
 *                      steps: what any thread wrote before it arrived is there for those who have
 *                      waited
 *   PAIRS_MET(s, n, k) n pairs in shared memory, for what is exchanged between the block's meetings
 *                      k and k + 1, both before the kernel ends
 *   put_peer(p, rank, v)   *p = v, p being in the shared memory of the cluster's block `rank`,
 *                      where it lies as in this one's; every block has begun, and none has left
 *   get_pair(p)        what was put there, once the blocks have met again
 *
 * Frama-C reads one block of the cluster at a time. What the others put is some number to it, the
 * same for each of its threads; that no two threads of the cluster write one cell is a lemma about
 * the footprints that their contracts grant. */
#ifndef PM_CLUSTER_H
#define PM_CLUSTER_H
#include "cells.h"

enum { CLUSTER_MOST = 8 };

#ifdef __FRAMAC__
typedef struct {
  float x, y;
} float2;
extern int met_, away_; /* meetings that the block had; whether it has arrived for the next */
/*@ axiomatic Peers {
      // after meeting k a thread may write cell p of block d; may read its own block's
      predicate PW(float2 *p, integer d, integer k) reads \nothing;
      predicate PR(float2 *p, integer k) reads \nothing;
      // what is there then: its first or second number
      logic real Put(integer second, float2 *p, integer k) reads \nothing;
    }
    predicate pairs_met(float2 *s, integer n, integer k) =
      (\forall integer i, d; 0 <= i < n ==> 0 <= d < CLUSTER_MOST ==> PW(s+i,d,k)) &&
      (\forall integer i; 0 <= i < n ==> PR(s+i,k+1)); */
#define CLUSTER_BLOCK cluster_block_()
#define PAIRS_MET(s, n, k) \
  float2 s[n];             \
  pairs_met_(s, n, k)
/*@ assigns met_, away_; ensures met_ == 0 && away_ == 0; */
void cluster_block_(void);
/*@ assigns \nothing; ensures pairs_met(s,n,k); */
void pairs_met_(float2 *s, int n, int k);
/*@ requires away_ == 0; assigns away_; ensures away_ == 1; */
void cluster_arrive(void);
/*@ requires away_ == 1; assigns met_, away_; ensures met_ == \old(met_) + 1 && away_ == 0; */
void cluster_wait(void);
/*@ requires \valid(p) && 0 <= rank < CLUSTER_MOST && 1 <= met_ && away_ == 0 && PW(p,rank,met_);
    assigns *p; */
void put_peer(float2 *p, int rank, float2 v);
/*@ requires \valid_read(p) && PR(p,met_);
    assigns \nothing;
    ensures \result.x == Put(0,p,met_) && \result.y == Put(1,p,met_); */
float2 get_pair(const float2 *p);
#else
#define CLUSTER_BLOCK
#define PAIRS_MET(s, n, k) SHARED(float2, s, n)
DEV float2 get_pair(const float2 *p) { return *p; }
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
#endif
#endif
