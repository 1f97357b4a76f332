/* Copies between the host and the GPU by way of page-locked memory: the GPU takes one half of it, or fills it, while
 * the host fills, or empties, the other. Of memory that is not page-locked the driver would make such copies one after
 * the other. Where there is none to be had, it is asked to. For backend_cuda.cu, and tests/host_gpu.cpp. */
#ifndef PM_HOST_STAGING_H
#define PM_HOST_STAGING_H
#include <string.h>

namespace pm_staging {

enum { HALVES = 2, HALF_BYTES = 4 << 20 };

static char *half[HALVES];
static cudaEvent_t done[HALVES]; /* what the GPU had to do with that half */
static bool looked_for;

/* Looked for once: a machine that has no page-locked memory left is not asked again and again. */
static bool there()
{
  char *all = NULL;
  cudaError_t e = cudaSuccess;
  if (looked_for)
    return half[0] != NULL;
  looked_for = true;
  for (int i = 0; i < HALVES && e == cudaSuccess; i++)
    e = cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming);
  if (e == cudaSuccess)
    e = cudaHostAlloc((void **)&all, (size_t)HALVES * HALF_BYTES, cudaHostAllocDefault);
  for (int i = 0; i < HALVES; i++)
    if (e == cudaSuccess)
      half[i] = all + (size_t)i * HALF_BYTES;
    else if (done[i])
      cudaEventDestroy(done[i]);
  if (e != cudaSuccess)
    cudaGetLastError();
  return e == cudaSuccess;
}

static size_t bytes_from(size_t at, size_t bytes)
{
  return bytes - at < HALF_BYTES ? bytes - at : (size_t)HALF_BYTES;
}

/* On that stream, and it is over when this returns: kernels on other streams may read what it wrote. */
static cudaError_t upload(void *to, const void *from, size_t bytes, cudaStream_t s)
{
  cudaError_t e = cudaSuccess;
  int i = 0;
  for (size_t at = 0; at < bytes && e == cudaSuccess; at += HALF_BYTES, i ^= 1) {
    const size_t n = bytes_from(at, bytes);
    e = cudaEventSynchronize(done[i]); /* of an event that was never recorded: at once */
    if (e != cudaSuccess)
      break;
    memcpy(half[i], (const char *)from + at, n);
    e = cudaMemcpyAsync((char *)to + at, half[i], n, cudaMemcpyHostToDevice, s);
    if (e == cudaSuccess)
      e = cudaEventRecord(done[i], s);
  }
  const cudaError_t end =
      cudaStreamSynchronize(s); /* where it failed too: the halves are free again */
  return e == cudaSuccess ? end : e;
}

static cudaError_t fetch(int i, const void *from, size_t at, size_t bytes, cudaStream_t s)
{
  cudaError_t e = cudaMemcpyAsync(half[i], (const char *)from + at, bytes_from(at, bytes),
                                  cudaMemcpyDeviceToHost, s);
  return e == cudaSuccess ? cudaEventRecord(done[i], s) : e;
}

/* After what is on that stream; the next part is on its way while this one is copied out. */
static cudaError_t download(void *to, const void *from, size_t bytes, cudaStream_t s)
{
  int i = 0;
  cudaError_t e = bytes ? fetch(0, from, 0, bytes, s) : cudaSuccess;
  for (size_t at = 0; at < bytes && e == cudaSuccess; at += HALF_BYTES, i ^= 1) {
    if (bytes - at > HALF_BYTES)
      e = fetch(i ^ 1, from, at + HALF_BYTES, bytes, s);
    if (e == cudaSuccess)
      e = cudaEventSynchronize(done[i]);
    if (e == cudaSuccess)
      memcpy((char *)to + at, half[i], bytes_from(at, bytes));
  }
  if (e != cudaSuccess)
    cudaStreamSynchronize(s);
  return e;
}

} // namespace pm_staging
#endif
