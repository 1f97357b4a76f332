/* Launches on a stream as a CUDA graph: each part of a pm_graph is a node of it, a graph of its own, so that a part
 * that was captured again takes the place of what it was without the others being looked at. For backend_cuda.cu,
 * and tests/host_gpu.cpp. */
#ifndef PM_HOST_GRAPHS_H
#define PM_HOST_GRAPHS_H
#include <stdlib.h>

#include "../launch.h"

struct pm_graph {
  cudaGraph_t whole;    /* a chain of one node a part */
  cudaGraphExec_t exec; /* NULL: it was not ready yet */
  int parts;
  struct {
    cudaGraph_t launches;
    cudaGraphNode_t node;
    bool anew; /* captured since it was made ready */
  } part[];
};

namespace pm_graphs_ {

static pm_graph *make(int parts)
{
  pm_graph *g = (pm_graph *)calloc(1, sizeof *g + (size_t)parts * sizeof *g->part);
  if (g)
    g->parts = parts;
  return g;
}

/* Of this thread: others may allocate and copy meanwhile. */
static cudaError_t begin(cudaStream_t s)
{
  return cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
}

static cudaError_t end(pm_graph *g, int part, cudaStream_t s)
{
  cudaGraph_t launches = NULL;
  const cudaError_t e = cudaStreamEndCapture(s, &launches);
  if (e == cudaSuccess && g) {
    if (g->part[part].launches)
      cudaGraphDestroy(g->part[part].launches);
    g->part[part].launches = launches;
    g->part[part].anew = true;
  } else if (launches)
    cudaGraphDestroy(launches);
  return e;
}

static void forget(cudaGraph_t whole, cudaGraphExec_t exec)
{
  if (exec)
    cudaGraphExecDestroy(exec); /* one that is running goes when it has run */
  if (whole)
    cudaGraphDestroy(whole);
}

/* In place of what there was, where all of it succeeds. */
static cudaError_t build(pm_graph *g)
{
  cudaGraph_t whole = NULL;
  cudaGraphExec_t exec = NULL;
  cudaError_t e = cudaGraphCreate(&whole, 0);
  for (int i = 0; i < g->parts && e == cudaSuccess; i++)
    e = cudaGraphAddChildGraphNode(&g->part[i].node, whole, i ? &g->part[i - 1].node : NULL,
                                   i ? 1 : 0, g->part[i].launches);
  if (e == cudaSuccess)
    e = cudaGraphInstantiate(&exec, whole, 0);
  if (e != cudaSuccess) {
    forget(g->whole, g->exec); /* whose nodes are not known any more */
    forget(whole, exec);
    g->whole = NULL;
    g->exec = NULL;
    return e;
  }
  forget(g->whole, g->exec);
  g->whole = whole;
  g->exec = exec;
  for (int i = 0; i < g->parts; i++) g->part[i].anew = false;
  return cudaSuccess;
}

/* Whether the parts that were captured again could take the place of what they were: launches of the same kernels in
 * the same order, whose arguments alone are others. */
static bool update(pm_graph *g)
{
  for (int i = 0; i < g->parts; i++)
    if (g->part[i].anew) {
      if (cudaGraphExecChildGraphNodeSetParams(g->exec, g->part[i].node, g->part[i].launches) !=
          cudaSuccess) {
        cudaGetLastError();
        return false;
      }
      g->part[i].anew = false;
    }
  return true;
}

static cudaError_t ready(pm_graph *g) { return g->exec && update(g) ? cudaSuccess : build(g); }

static void drop(pm_graph *g)
{
  if (!g)
    return;
  forget(g->whole, g->exec);
  for (int i = 0; i < g->parts; i++)
    if (g->part[i].launches)
      cudaGraphDestroy(g->part[i].launches);
  free(g);
}

} // namespace pm_graphs_
#endif
