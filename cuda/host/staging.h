/* Copies between the host and the GPU by way of page-locked memory: the GPU takes one half of it, or fills it, while
 * the host fills, or empties, the other. Of memory that is not page-locked the driver would make such copies one after
 * the other. Where there is none to be had, it is asked to. For backend_cuda.cu, and tests/host_gpu.cpp. */
#ifndef PM_HOST_STAGING_H
#define PM_HOST_STAGING_H
#include <string.h>

namespace pm_staging {

enum { HALVES = 2, HALF_BYTES = 4 << 20 };

/* Of one stream. All 0: not looked for yet. */
struct pages {
  char *half[HALVES];
  cudaEvent_t done[HALVES]; /* what the GPU had to do with that half */
  int next;                 /* of the halves */
  bool looked_for;
};

/* Looked for once: a machine that has no page-locked memory left is not asked again and again. */
static bool there(pages *g)
{
  char *all = NULL;
  cudaError_t e = cudaSuccess;
  if (g->looked_for)
    return g->half[0] != NULL;
  g->looked_for = true;
  for (int i = 0; i < HALVES && e == cudaSuccess; i++)
    e = cudaEventCreateWithFlags(&g->done[i], cudaEventDisableTiming);
  if (e == cudaSuccess)
    e = cudaHostAlloc((void **)&all, (size_t)HALVES * HALF_BYTES, cudaHostAllocDefault);
  for (int i = 0; i < HALVES; i++)
    if (e == cudaSuccess)
      g->half[i] = all + (size_t)i * HALF_BYTES;
    else if (g->done[i])
      cudaEventDestroy(g->done[i]);
  if (e != cudaSuccess)
    cudaGetLastError();
  return e == cudaSuccess;
}

/* Nothing of them may be on its way. */
static void drop(pages *g)
{
  for (int i = 0; i < HALVES && g->half[0]; i++) cudaEventDestroy(g->done[i]);
  if (g->half[0])
    cudaFreeHost(g->half[0]);
}

static size_t bytes_from(size_t at, size_t bytes)
{
  return bytes - at < HALF_BYTES ? bytes - at : (size_t)HALF_BYTES;
}

/* On that stream, where the last of it may be yet to come when this returns: `from` has been read. */
static cudaError_t upload(pages *g, void *to, const void *from, size_t bytes, cudaStream_t s)
{
  cudaError_t e = cudaSuccess;
  for (size_t at = 0; at < bytes && e == cudaSuccess; at += HALF_BYTES, g->next ^= 1) {
    const size_t n = bytes_from(at, bytes);
    const int i = g->next;
    e = cudaEventSynchronize(g->done[i]); /* of an event that was never recorded: at once */
    if (e != cudaSuccess)
      break;
    memcpy(g->half[i], (const char *)from + at, n);
    e = cudaMemcpyAsync((char *)to + at, g->half[i], n, cudaMemcpyHostToDevice, s);
    if (e == cudaSuccess)
      e = cudaEventRecord(g->done[i], s);
  }
  if (e != cudaSuccess)
    cudaStreamSynchronize(s); /* the halves are free again */
  return e;
}

static cudaError_t fetch(pages *g, int i, const void *from, size_t at, size_t bytes, cudaStream_t s)
{
  cudaError_t e = cudaMemcpyAsync(g->half[i], (const char *)from + at, bytes_from(at, bytes),
                                  cudaMemcpyDeviceToHost, s);
  return e == cudaSuccess ? cudaEventRecord(g->done[i], s) : e;
}

/* After what is on that stream, uploads from the same halves too; the next part is on its way while this one is copied
 * out. */
static cudaError_t download(pages *g, void *to, const void *from, size_t bytes, cudaStream_t s)
{
  int i = 0;
  cudaError_t e = bytes ? fetch(g, 0, from, 0, bytes, s) : cudaSuccess;
  for (size_t at = 0; at < bytes && e == cudaSuccess; at += HALF_BYTES, i ^= 1) {
    if (bytes - at > HALF_BYTES)
      e = fetch(g, i ^ 1, from, at + HALF_BYTES, bytes, s);
    if (e == cudaSuccess)
      e = cudaEventSynchronize(g->done[i]);
    if (e == cudaSuccess)
      memcpy((char *)to + at, g->half[i], bytes_from(at, bytes));
  }
  if (e != cudaSuccess)
    cudaStreamSynchronize(s);
  return e;
}

} // namespace pm_staging
#endif
