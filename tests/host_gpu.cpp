#define pm_graph host_pm_graph /* the simulator has a pm_graph of its own */
#include "host_gpu.h"

#include <stdlib.h>
#include <string.h>

#include "../cuda/launch.h"

/* A graph of one launch, or of such graphs in a row. */
struct host_graph {
  int kernel, argument, n;
  host_graph *node[8];
};
typedef host_graph *cudaGraph_t, *cudaGraphExec_t;
typedef host_graph *cudaGraphNode_t;

/* A stream: what is on it, and how much of that is over. */
struct host_copy {
  void *to;
  const void *from;
  size_t bytes;
};
struct host_line {
  host_copy queue[64];
  size_t queued, over;
};
struct host_point { /* how much of a stream was there when it was recorded */
  host_line *of;
  size_t end;
};
namespace {

/* ---- as much of CUDA as those two use ---- */

enum cudaError_t { cudaSuccess, cudaErrorUnknown };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum { cudaEventDisableTiming = 2, cudaHostAllocDefault = 0 };
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal };
typedef host_line *cudaStream_t;
typedef host_point *cudaEvent_t;

int left = -1;
bool failed;

cudaError_t call()
{
  if (left < 0 || left-- > 0)
    return cudaSuccess;
  failed = true;
  return cudaErrorUnknown;
}

void run_until(host_line *l, size_t end)
{
  for (; l->over < end; l->over++)
    memcpy(l->queue[l->over].to, l->queue[l->over].from, l->queue[l->over].bytes);
}

cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned)
{
  if (call() != cudaSuccess || !(*e = (cudaEvent_t)calloc(1, sizeof **e)))
    return cudaErrorUnknown;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t e)
{
  free(e);
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void **at, size_t bytes, unsigned)
{
  if (call() != cudaSuccess || !(*at = malloc(bytes)))
    return cudaErrorUnknown;
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void *at)
{
  free(at);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t s)
{
  if (call() != cudaSuccess || s->queued == sizeof s->queue / sizeof *s->queue)
    return cudaErrorUnknown;
  s->queue[s->queued++] = host_copy{to, from, bytes};
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
  *e = host_point{s, s->queued};
  return call();
}
cudaError_t cudaEventSynchronize(cudaEvent_t e)
{
  if (e->of)
    run_until(e->of, e->end);
  return call();
}
cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
  run_until(s, s->queued);
  return call();
}

int live, instantiated, updated, kernel_now, argument_now;

host_graph *new_graph(int kernel, int argument)
{
  host_graph *g = (host_graph *)calloc(1, sizeof *g);
  if (!g)
    abort();
  g->kernel = kernel;
  g->argument = argument;
  live++;
  return g;
}
cudaError_t cudaGraphDestroy(cudaGraph_t g)
{
  for (int i = 0; i < g->n; i++)
    free(g->node[i]);
  free(g);
  live--;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t g) { return cudaGraphDestroy(g); }
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) { return call(); }
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *g)
{
  if (call() != cudaSuccess)
    return cudaErrorUnknown;
  *g = new_graph(kernel_now, argument_now);
  return cudaSuccess;
}
cudaError_t cudaGraphCreate(cudaGraph_t *g, unsigned)
{
  if (call() != cudaSuccess)
    return cudaErrorUnknown;
  *g = new_graph(0, 0);
  return cudaSuccess;
}
host_graph *copy_of(const host_graph *g)
{
  host_graph *c = (host_graph *)malloc(sizeof *c);
  if (!c)
    abort();
  return *c = *g, c;
}
/* After the node before it, or first. */
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t g,
                                       const cudaGraphNode_t *after, size_t n, cudaGraph_t child)
{
  if (call() != cudaSuccess || n != (size_t)(g->n > 0) || (n && *after != g->node[g->n - 1]))
    return cudaErrorUnknown;
  *node = g->node[g->n++] = copy_of(child);
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *x, cudaGraph_t g, unsigned long long)
{
  if (call() != cudaSuccess)
    return cudaErrorUnknown;
  instantiated++;
  *x = new_graph(0, 0);
  for (int i = 0; i < g->n; i++)
    (*x)->node[i] = copy_of(g->node[i]);
  (*x)->n = g->n;
  return cudaSuccess;
}
/* Refused where its launch is of another kernel. */
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node,
                                                 cudaGraph_t child)
{
  if (call() != cudaSuccess || node->kernel != child->kernel)
    return cudaErrorUnknown;
  for (int i = 0; i < x->n; i++)
    if (x->node[i]->kernel == node->kernel && node->kernel)
      x->node[i]->argument = child->argument;
  updated++;
  return cudaSuccess;
}

} // namespace

#include "../cuda/host/graphs.h"
#include "../cuda/host/staging.h"

extern "C" {

void host_gpu_fail(int n)
{
  left = n;
  failed = false;
}
int host_gpu_failed(void) { return failed; }

static host_line lines[2];
static pm_staging::pages pages[2];

int host_gpu_staged(void) { return !pm_staging::there(&pages[0]) || !pm_staging::there(&pages[1]); }
size_t host_gpu_half(void) { return pm_staging::HALF_BYTES; }

int host_gpu_upload(int stream, void *to, const void *from, size_t bytes)
{
  return pm_staging::upload(&pages[stream], to, from, bytes, &lines[stream]);
}
int host_gpu_download(int stream, void *to, const void *from, size_t bytes)
{
  return pm_staging::download(&pages[stream], to, from, bytes, &lines[stream]);
}
int host_gpu_wait(int stream)
{
  const cudaError_t e = cudaStreamSynchronize(&lines[stream]);
  lines[stream].queued = lines[stream].over = 0;
  pages[stream].done[0]->end = pages[stream].done[1]->end = 0;
  return e;
}
int host_gpu_left(int stream) { return (int)(lines[stream].queued - lines[stream].over); }
void host_gpu_give_back(void)
{
  for (int i = 0; i < 2; i++) {
    pm_staging::drop(&pages[i]);
    pages[i] = pm_staging::pages();
  }
}

pm_graph *host_gpu_graph(int parts) { return pm_graphs_::make(parts); }
int host_gpu_capture(pm_graph *g, int part, int kernel, int argument)
{
  kernel_now = kernel;
  argument_now = argument;
  cudaError_t e = pm_graphs_::begin(NULL);
  return e != cudaSuccess ? e : pm_graphs_::end(g, part, NULL);
}
int host_gpu_ready(pm_graph *g) { return pm_graphs_::ready(g); }
void host_gpu_launch(const pm_graph *g, int *arguments)
{
  int n = g->exec ? g->exec->n : 0;
  for (int i = 0; i < n; i++)
    arguments[i] = g->exec->node[i]->argument;
  arguments[n] = 0;
}
int host_gpu_instantiated(void) { return instantiated; }
int host_gpu_updated(void) { return updated; }
void host_gpu_drop(pm_graph *g) { pm_graphs_::drop(g); }
int host_gpu_live(void) { return live; }
}
