/* Kernels with and without data races, for test_race.c: compiled as the kernels of the watched back end
 * are. Each runs on 64 threads a block over p, which has 64 floats a block, and ends what was launched. */
#include "racing.h"

#include "../cuda/sim/race.h"
#include "../cuda/sim/sim.h"

namespace {

enum { B = 64 };
typedef void (*kernel)(float *p);

unsigned at() { return blockIdx.x * B + threadIdx.x; }

void own(float *p) { p[at()] += 1; }
void one_cell(float *p) { p[0] = (float)threadIdx.x; }
void read_all(float *p)
{
  float v = p[blockIdx.x * B];
  p[at()] = v + 1;
}
void read_then_write(float *p)
{
  float v = p[blockIdx.x * B + (threadIdx.x + 1) % B];
  __syncthreads();
  p[at()] = v;
}
void no_barrier(float *p)
{
  float v = p[blockIdx.x * B + (threadIdx.x + 1) % B];
  p[at()] = v;
}
void warp_only(float *p) /* the neighbour is of another warp at two places */
{
  float v = p[blockIdx.x * B + (threadIdx.x + 1) % B];
  __syncwarp();
  p[at()] = v;
}
void within_warp(float *p)
{
  float v = p[at() ^ 1];
  v += __shfl_xor_sync(~0u, v, 1);
  p[at()] = v;
}
void next_block(float *p)
{
  float v = threadIdx.x ? 0 : p[(at() + B) % (gridDim.x * B)];
  if (threadIdx.x == 0)
    p[at()] = v;
}
void counted(float *p) { atomicAdd((unsigned *)p, 1u); }
void counted_and_read(float *p)
{
  atomicAdd((unsigned *)p, 1u);
  if (threadIdx.x == 40)
    p[1 + blockIdx.x] = p[0];
}
void bytes(float *p) /* four threads a word */
{
  reinterpret_cast<unsigned char *>(p)[at()] = (unsigned char)threadIdx.x;
}
void shared_phases(float *p)
{
  SIM_SHARED(float, s, B);
  s[threadIdx.x] = p[at()];
  __syncthreads();
  p[at()] = s[B - 1 - threadIdx.x];
}
void shared_next_phase(float *p) /* written again while others may still read */
{
  SIM_SHARED(float, s, B);
  s[threadIdx.x] = p[at()];
  __syncthreads();
  float v = s[B - 1 - threadIdx.x];
  s[threadIdx.x] = v;
}
void cluster_barrier(float *p)
{
  p[at()] = 1;
  pm_sim_::cluster_arrive(__LINE__);
  pm_sim_::cluster_wait(__LINE__);
  p[at() ^ B] += 1; /* of the other block of two */
}
void cluster_exchange_orders_nothing_else(float *p)
{
  p[at()] = 1;
  pm_sim_::cluster_arrive(__LINE__, true);
  pm_sim_::cluster_wait(__LINE__, true);
  p[at() ^ B] += 1;
}
void waits(float *p)
{
  pm_sim_::await_launches();
  p[at()] += 1;
}

const struct {
  const char *name;
  kernel k;
  unsigned in_cluster;
} KERNELS[] = {{"own", own, 1},
               {"one_cell", one_cell, 1},
               {"read_all", read_all, 1},
               {"read_then_write", read_then_write, 1},
               {"no_barrier", no_barrier, 1},
               {"warp_only", warp_only, 1},
               {"within_warp", within_warp, 1},
               {"next_block", next_block, 1},
               {"counted", counted, 1},
               {"counted_and_read", counted_and_read, 1},
               {"bytes", bytes, 1},
               {"shared_phases", shared_phases, 1},
               {"shared_next_phase", shared_next_phase, 1},
               {"cluster_barrier", cluster_barrier, 2},
               {"cluster_exchange_orders_nothing_else", cluster_exchange_orders_nothing_else, 2},
               {"waits", waits, 1}};

void run(const char *name, unsigned grid, float *p, int how)
{
  for (const auto &k : KERNELS)
    if (!strcmp(k.name, name)) {
      kernel f = k.k;
      sim_launch_clusters(
          k.in_cluster, grid, B, 0, [=] { f(p); }, how);
    }
}

} // namespace

void racing_run(const char *name, unsigned blocks, float *p) { run(name, blocks, p, 0); }
void racing_run_early(const char *name, unsigned blocks, float *p)
{
  run(name, blocks, p, pm_sim_::AHEAD);
}
const char *racing_end(void)
{
  pm_sim_::race_done();
  return pm_sim_take_error();
}
