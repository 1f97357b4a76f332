/* The simulator as a back end: device memory is host memory, everything runs at once. Compiled
 * twice: with PM_RACE for kernels of which every access is seen (sim/race.h). */
#include <algorithm>
#include <stdlib.h>
#include <time.h>

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

void *alloc(size_t bytes)
{
  void *p = NULL;
  if (posix_memalign(&p, 256, bytes ? bytes : 1))
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
  if (bytes)
    memmove(to, from, bytes);
  return PM_OK;
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
  const char *words = pm_sim_take_error();
  pm_sim_::race_done();
  return words ? pm_fail(PM_DEVICE, "sim", "%s", words) : PM_OK;
}

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
                                    PM_LAUNCHERS(PM_LAUNCHER_NAME)};
