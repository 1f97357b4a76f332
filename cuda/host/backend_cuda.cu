/* The GPU as a back end: one device, two streams that do not wait for the default one, and more where they are asked
 * for. */
#include <algorithm>
#include <stdio.h>
#include <stdlib.h>

#include "backend.h"
#include "graphs.h"
#include "staging.h"

namespace {

enum { STREAMS = 2, FLUSH_BYTES = 256 << 20 }; /* FLUSH_BYTES: well over any L2 */

cudaStream_t streams[STREAMS];
pm_staging::pages pages; /* of stream 0 */
void *flush_buffer;
char device_name[300];

pm_status failed(const char *what, cudaError_t e)
{
  return pm_fail(PM_DEVICE, "cuda", "%s: %s (%s)", what, cudaGetErrorName(e),
                 cudaGetErrorString(e));
}

pm_status init()
{
  cudaDeviceProp p;
  int n = 0;
  cudaError_t e = cudaGetDeviceCount(&n);
  if (e != cudaSuccess || n < 1) {
    cudaGetLastError();
    return pm_fail(PM_NO_DEVICE, "cuda", "no device: %s", cudaGetErrorString(e));
  }
  if (streams[0])
    return PM_OK;
  if ((e = cudaGetDeviceProperties(&p, 0)) != cudaSuccess)
    return failed("cudaGetDeviceProperties", e);
  if (p.major != 9)
    return pm_fail(PM_NO_DEVICE, "cuda", "%s is sm_%d%d: must be sm_90", p.name, p.major, p.minor);
  snprintf(device_name, sizeof device_name, "%s", p.name);
  for (int i = 0; i < STREAMS; i++)
    if ((e = cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking)) != cudaSuccess)
      return failed("cudaStreamCreateWithFlags", e);
  return PM_OK;
}

const char *device() { return device_name; }

void *alloc(size_t bytes)
{
  void *p = NULL;
  if (cudaMalloc(&p, bytes ? bytes : 1) == cudaSuccess)
    return p;
  cudaGetLastError();
  return NULL;
}

void release(void *p) { cudaFree(p); }

/* By the driver, of memory that need not be page-locked. */
cudaError_t pageable(void *to, const void *from, size_t bytes, cudaMemcpyKind way, cudaStream_t s)
{
  const cudaError_t e = cudaMemcpyAsync(to, from, bytes, way, s), end = cudaStreamSynchronize(s);
  return e == cudaSuccess ? end : e;
}

cudaError_t upload_on(pm_staging::pages *g, void *to, const void *from, size_t bytes,
                      cudaStream_t s)
{
  return !bytes                 ? cudaSuccess
         : pm_staging::there(g) ? pm_staging::upload(g, to, from, bytes, s)
                                : pageable(to, from, bytes, cudaMemcpyHostToDevice, s);
}

cudaError_t download_on(pm_staging::pages *g, void *to, const void *from, size_t bytes,
                        cudaStream_t s)
{
  return !bytes                 ? cudaSuccess
         : pm_staging::there(g) ? pm_staging::download(g, to, from, bytes, s)
                                : pageable(to, from, bytes, cudaMemcpyDeviceToHost, s);
}

/* Kernels on other streams may read it. */
pm_status upload(void *to, const void *from, size_t bytes)
{
  cudaError_t e = upload_on(&pages, to, from, bytes, streams[0]);
  if (e == cudaSuccess && bytes)
    e = cudaStreamSynchronize(streams[0]);
  return e == cudaSuccess ? PM_OK : failed("upload", e);
}

pm_status download(void *to, const void *from, size_t bytes)
{
  const cudaError_t e = download_on(&pages, to, from, bytes, streams[0]);
  return e == cudaSuccess ? PM_OK : failed("download", e);
}

void *stream(int i) { return streams[i & 1]; }

pm_status sync()
{
  cudaError_t e = cudaDeviceSynchronize(), launch = cudaGetLastError();
  if (e == cudaSuccess)
    e = launch;
  return e == cudaSuccess ? PM_OK : failed("sync", e);
}

/* ---- streams of their own ---- */

struct own {
  pm_stream is;
  pm_staging::pages pages;
};

cudaStream_t at(const pm_stream *s) { return (cudaStream_t)s->at; }

pm_stream *stream_make()
{
  own *o = (own *)calloc(1, sizeof *o);
  cudaStream_t s = NULL;
  if (!o || cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) != cudaSuccess) {
    cudaGetLastError();
    free(o);
    return NULL;
  }
  o->is.at = s;
  return &o->is;
}

void stream_drop(pm_stream *s)
{
  if (!s)
    return;
  cudaStreamDestroy(at(s));
  pm_staging::drop(&((own *)s)->pages);
  free(s);
}

pm_status stream_wait(pm_stream *s)
{
  cudaError_t e = cudaStreamSynchronize(at(s)), launch = cudaGetLastError();
  if (e == cudaSuccess)
    e = launch;
  return e == cudaSuccess ? PM_OK : failed("sync", e);
}

pm_status stream_upload(pm_stream *s, void *to, const void *from, size_t bytes)
{
  const cudaError_t e = upload_on(&((own *)s)->pages, to, from, bytes, at(s));
  return e == cudaSuccess ? PM_OK : failed("upload", e);
}

pm_status stream_download(pm_stream *s, void *to, const void *from, size_t bytes)
{
  const cudaError_t e = download_on(&((own *)s)->pages, to, from, bytes, at(s));
  return e == cudaSuccess ? PM_OK : failed("download", e);
}

const pm_streams own_streams = {stream_make, stream_drop, stream_wait, stream_upload,
                                stream_download};

/* ---- graphs ---- */

cudaStream_t of_graphs(void *s) { return s ? (cudaStream_t)s : streams[0]; }

/* An error of a graph is told here, and is not the next launch's. */
pm_status graph_status(const char *what, cudaError_t e)
{
  if (e == cudaSuccess)
    return PM_OK;
  cudaGetLastError();
  return failed(what, e);
}

pm_status graph_begin(void *s)
{
  return graph_status("cudaStreamBeginCapture", pm_graphs_::begin(of_graphs(s)));
}

pm_status graph_end(void *s, pm_graph *g, int part)
{
  return graph_status("cudaStreamEndCapture", pm_graphs_::end(g, part, of_graphs(s)));
}

pm_status graph_ready(pm_graph *g)
{
  return graph_status("cudaGraphInstantiate", pm_graphs_::ready(g));
}

pm_status graph_launch(void *s, pm_graph *g)
{
  return graph_status("cudaGraphLaunch", cudaGraphLaunch(g->exec, of_graphs(s)));
}

const pm_graphs graphs = {pm_graphs_::make, graph_begin,  graph_end,
                          graph_ready,      graph_launch, pm_graphs_::drop};

void shuffle(uint64_t) {}

enum { READ_BLOCK = 256, READ_DEPTH = 4 };

/* Reads n vectors, `depth` of which a thread asks for at once. They are not all 1; `sink` is not
 * written. */
__global__ void read_all(const int4 *p, size_t n, int *sink)
{
  const size_t at = (size_t)blockIdx.x * (READ_DEPTH * READ_BLOCK) + threadIdx.x;
  int4 v[READ_DEPTH] = {};
  int all = 0;
#pragma unroll
  for (int i = 0; i < READ_DEPTH; i++)
    if (at + i * READ_BLOCK < n)
      v[i] = __ldcg(p + at + i * READ_BLOCK);
#pragma unroll
  for (int i = 0; i < READ_DEPTH; i++) all |= v[i].x | v[i].y | v[i].z | v[i].w;
  if (all == 1)
    *sink = all;
}

void launch_read(const void *from, size_t bytes, cudaStream_t s)
{
  const size_t n = bytes / sizeof(int4), each = READ_DEPTH * READ_BLOCK;
  read_all<<<(unsigned)std::max<size_t>((n + each - 1) / each, 1), READ_BLOCK, 0, s>>>(
      (const int4 *)from, n, (int *)const_cast<void *>(from));
}

pm_status copy_bytes(void *to, const void *from, size_t bytes)
{
  if (to)
    cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, streams[0]);
  else
    launch_read(from, bytes, streams[0]);
  cudaError_t e = cudaGetLastError();
  return e == cudaSuccess ? PM_OK : failed("copy", e);
}

/* Leaves the L2 full of lines of a buffer that nothing else uses, and clean: lines that were only
 * written would go back to memory while the next kernel runs, at that kernel's cost. */
void flush(cudaStream_t s)
{
  cudaMemsetAsync(flush_buffer, 0, FLUSH_BYTES, s);
  launch_read(flush_buffer, FLUSH_BYTES, s);
}

/* `run` is expected to work on stream(0). The flush lies outside the events. */
double time_median(pm_status (*run)(void *), void *arg, int reps)
{
  enum { MOST = 1000 };
  double ms[MOST], median = -1;
  cudaEvent_t from, to;
  int i;
  reps = std::min(std::max(reps, 1), (int)MOST);
  if (!flush_buffer && cudaMalloc(&flush_buffer, FLUSH_BYTES) != cudaSuccess) {
    cudaGetLastError();
    return -1;
  }
  if (cudaEventCreate(&from) != cudaSuccess)
    return -1;
  if (cudaEventCreate(&to) != cudaSuccess) {
    cudaEventDestroy(from);
    return -1;
  }
  for (i = -2; i < reps; i++) { /* two calls to warm up */
    float t = 0;
    flush(streams[0]);
    cudaEventRecord(from, streams[0]);
    if (run(arg) != PM_OK)
      break;
    cudaEventRecord(to, streams[0]);
    if (cudaEventSynchronize(to) != cudaSuccess ||
        cudaEventElapsedTime(&t, from, to) != cudaSuccess)
      break;
    if (i >= 0)
      ms[i] = t;
  }
  if (i == reps) {
    std::sort(ms, ms + reps);
    median = ms[reps / 2];
  }
  cudaEventDestroy(to);
  cudaEventDestroy(from);
  return median;
}

} // namespace

extern "C" __attribute__((visibility("default")))
const pm_backend pm_cuda = {"cuda",
                            pm_gather_rows(),
                            (int)pm_rows.size(),
                            init,
                            device,
                            pm_error,
                            alloc,
                            release,
                            upload,
                            download,
                            stream,
                            copy_bytes,
                            sync,
                            shuffle,
                            NULL, /* rest */
                            NULL, /* launched */
                            NULL, /* extent */
                            time_median,
                            pm_find_workspace,
                            NULL, /* watched */
                            &graphs,
                            &own_streams,
                            PM_LAUNCHERS(PM_LAUNCHER_NAME)};
