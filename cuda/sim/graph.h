/* Launches that are written down and run later, again and again, as a GPU's graphs are: with the arguments that
 * they had, and checked against their contracts when they were written down. While that goes on nothing else may be
 * asked of the device (backend_sim.cpp refuses it), as on a GPU. */
#ifndef PM_SIM_GRAPH_H
#define PM_SIM_GRAPH_H
#include "../launch.h"
#include "sim.h"

namespace pm_sim_ {

pm_graph *graph_make(int parts);
void graph_begin();
/* False: something was wrong meanwhile, which pm_sim_take_error may have words for, and the part is as it was. */
bool graph_end(pm_graph *g, int part);
void graph_launch(const pm_graph *g);
void graph_drop(pm_graph *g);

/* Between sim.cpp and graph.cpp. */

struct written {
  dim3 grid, block;
  unsigned in_cluster;
  size_t bytes; /* of dynamic memory */
  int how;
  launch_body body;
  written *next; /* of its part */
};

extern bool writing; /* launches are written down */
/* Keeps a launch with a copy of what its body's bytes are; false: there is no memory, or it cannot be kept. */
bool write_down(const written &w);
void run(const written &w);

} // namespace pm_sim_
#endif
