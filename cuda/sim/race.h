/* Data races of a launch, by happens-before over every access to global and shared memory. The
 * kernels are compiled a second time with PM_RACE and -fsanitize=thread, whose calls race.cpp
 * answers in place of a run-time library: so it sees what the text does, in whatever words.
 *
 * An access comes before another where CUDA says so: the same thread; threads of a block with a
 * barrier between; lanes of a warp with __syncwarp, a shuffle or a vote between; blocks of a
 * cluster with its barrier between; a launch before this one, unless this one may start early
 * (lang/dependent_launch.h) and the thread has not waited. Two accesses to the same bytes, one
 * of them a write, of which neither comes before the other, are a race, whatever the order in
 * which they ran; two atomics are none. What comes over a cluster's exchange
 * (lang/cluster_exchange.h) orders its own cells and nothing else. */
#ifndef PM_SIM_RACE_H
#define PM_SIM_RACE_H
#include <stddef.h>
#include <stdint.h>

namespace pm_sim_ {

/* Where a thread is: what it has met so far. */
struct race_clock {
  uint32_t launch, block;   /* numbers, from 1 and from 0 */
  uint32_t thread;          /* of the block */
  uint32_t barriers, warps; /* that it has come through, of its block and of its warp */
  uint32_t arrived, waited; /* at the barrier of its cluster */
  uint32_t sent, got;       /* the same of the cluster's exchange */
  bool awaited;             /* the launches before this one */
};

extern bool race_watch;         /* the launch at hand is of kernels that tell */
extern race_clock *race_thread; /* of the thread that runs */

void race_launch(unsigned in_cluster, bool early); /* a launch begins */
void race_shared(
    void); /* other blocks begin, whose shared memory has nothing to do with what was there */
/* Whether a thread's access to n bytes at p races; then the launch has failed with words for it. */
void race_access(const void *p, size_t n, bool write, bool atomic, const void *pc);

/* Memory of the device, which kernels share; all else is a thread's own. */
void race_own(void *p, size_t bytes);
void race_disown(void *p);
void race_done(void); /* everything that was launched is done */

/* Between sim.cpp and race.cpp. */
uint32_t race_launches(void);
void race_own_as(void *p, size_t bytes, bool shared);
void race_exchanged(const void *p); /* a cell of the cluster's exchange, 8 bytes */
void race_found(const char *words); /* the launch fails */

} // namespace pm_sim_
#endif
