/* The simulator as a back end: device memory is host memory, everything runs at once. Compiled
 * twice: with PM_RACE for kernels of which every access is seen (sim/race.h). */
#include <algorithm>
#include <stdlib.h>
#include <time.h>

#include "../sim/graph.h"
#include "../sim/launched.h"
#include "../sim/race.h"
#include "../sim/rest.h"
#include "backend.h"

extern "C" const pm_backend pm_race;
#ifdef PM_RACE
#define SELF pm_race
#define WATCHED_BY NULL
#else
#define SELF pm_sim
#define WATCHED_BY &pm_race
#endif

namespace {

pm_status init() { return PM_OK; }

const char *device() { return "simulator"; }

/* On a GPU neither is memory had nor anything waited for while launches are written down. */
pm_status at_rest(const char *what)
{
  return pm_sim_::writing ? pm_fail(PM_DEVICE, "sim", "%s while launches are written down", what)
                          : PM_OK;
}

void *alloc(size_t bytes)
{
  void *p = NULL;
  if (at_rest("alloc") != PM_OK || posix_memalign(&p, 256, bytes ? bytes : 1))
    return NULL;
  pm_sim_::race_own(p, bytes);
  return p;
}

void release(void *p)
{
  pm_sim_::race_disown(p);
  free(p);
}

pm_status copy(void *to, const void *from, size_t bytes)
{
  pm_status s = at_rest("copy");
  if (s == PM_OK && bytes)
    memmove(to, from, bytes);
  return s;
}

pm_status copy_bytes(void *to, const void *from, size_t bytes)
{
  if (to)
    return copy(to, from, bytes);
  for (size_t i = 0; i < bytes; i += 64) (void)static_cast<const volatile char *>(from)[i];
  return PM_OK;
}

void *stream(int) { return NULL; }

pm_status sync()
{
  pm_status s = at_rest("sync");
  if (s != PM_OK)
    return s;
  const char *words = pm_sim_take_error();
  pm_sim_::race_done();
  return words ? pm_fail(PM_DEVICE, "sim", "%s", words) : PM_OK;
}

pm_status graph_begin(void *)
{
  pm_status s = at_rest("graph");
  if (s == PM_OK)
    pm_sim_::graph_begin();
  return s;
}

pm_status graph_end(void *, pm_graph *g, int part)
{
  if (pm_sim_::graph_end(g, part))
    return PM_OK;
  const char *words = pm_sim_take_error();
  return pm_fail(PM_DEVICE, "sim", "%s", words ? words : "no launches are written down");
}

pm_status graph_ready(pm_graph *) { return at_rest("graph"); }

pm_status graph_launch(void *, pm_graph *g)
{
  pm_status s = at_rest("graph");
  if (s == PM_OK)
    pm_sim_::graph_launch(g);
  return s;
}

const pm_graphs graphs = {pm_sim_::graph_make, graph_begin,  graph_end,
                          graph_ready,         graph_launch, pm_sim_::graph_drop};

void shuffle(uint64_t s) { pm_sim_seed(s); }

double now()
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

double time_median(pm_status (*run)(void *), void *arg, int reps)
{
  enum { MOST = 1000 };
  double ms[MOST];
  reps = std::min(std::max(reps, 1), (int)MOST);
  for (int i = 0; i < reps; i++) {
    double start = now();
    if (run(arg) != PM_OK || pm_sim_failed())
      return -1;
    ms[i] = now() - start;
  }
  std::sort(ms, ms + reps);
  return ms[reps / 2];
}

} // namespace

extern "C" const pm_backend SELF = {"sim",
                                    pm_gather_rows(),
                                    (int)pm_rows.size(),
                                    init,
                                    device,
                                    pm_error,
                                    alloc,
                                    release,
                                    copy,
                                    copy,
                                    stream,
                                    copy_bytes,
                                    sync,
                                    shuffle,
                                    pm_sim_rest,
                                    pm_sim_launched,
                                    pm_sim_extent,
                                    time_median,
                                    pm_find_workspace,
                                    WATCHED_BY,
                                    &graphs,
                                    NULL, /* streams */
                                    PM_LAUNCHERS(PM_LAUNCHER_NAME)};
