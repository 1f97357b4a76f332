/* What the vocabulary's test stands on (vocabulary.cu): memory of the GPU or of the simulator, warps that
 * are held up, and what must have come. */
#ifndef PM_TESTS_VOCABULARY_H
#define PM_TESTS_VOCABULARY_H
#include <stdio.h>
#include <string.h>

#include "../cuda/lang/kernel.h"

enum { CELLS_IN = 1 << 16, B = 256 }; /* elements of in and out; threads of a block */

/* ---------------------------------------------------------------- the two machines */
#ifdef PM_SIM
#include "../cuda/launch.h"
enum { SEEDS = 6 };
DEV void hold_up(unsigned, int) {} /* the order is the seed's */
DEV void hold_up_all() {}
static void *device(size_t bytes) { return pm_sim.alloc(bytes); }
static void copy_to(void *d, const void *h, size_t bytes) { pm_sim.upload(d, h, bytes); }
static void copy_from(void *h, const void *d, size_t bytes) { pm_sim.download(h, d, bytes); }
static const char *end_of_launches() { return pm_sim.sync() == PM_OK ? NULL : pm_sim.error(); }
static void order(unsigned seed) { pm_sim.shuffle(seed); }
#else
enum { SEEDS = 32 };
/* Half of the warps wait for up to some 8 us, which ones and how long hangs on all of these. */
DEV void hold_up(unsigned seed, int place)
{
  unsigned h = seed * 2654435761u ^ (blockIdx.x * 97u + threadIdx.x / 32u * 31u + place * 1009u);
  h = (h ^ h >> 15) * 0x85ebca6bu;
  h ^= h >> 13;
  if (seed && h & 1) {
    long long from = clock64();
    while (clock64() - from < (h >> 4 & 0x3fff))
      ;
  }
}
DEV void hold_up_all() /* 200 us */
{
  long long from = clock64();
  while (clock64() - from < 350000)
    ;
}
static void *device(size_t bytes)
{
  void *p = NULL;
  return cudaMalloc(&p, bytes) == cudaSuccess ? p : NULL;
}
static void copy_to(void *d, const void *h, size_t n)
{
  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
}
static void copy_from(void *h, const void *d, size_t n)
{
  cudaMemcpy(h, d, n, cudaMemcpyDeviceToHost);
}
static const char *end_of_launches()
{
  cudaError_t e = cudaGetLastError();
  if (e == cudaSuccess)
    e = cudaDeviceSynchronize();
  return e == cudaSuccess ? NULL : cudaGetErrorString(e);
}
static void order(unsigned) {}
#endif

static float *in, *out; /* of the device: in[i] is i + 1, out all 0 before each launch */
static idx *where;      /* where[i] is 3i */
static float got[CELLS_IN];
static char why[240];

/* Ends the launches; out[i] must be want(i), up to n, and 0 from there on. */
template <class F> static void must_be(int n, F want)
{
  const char *error = end_of_launches();
  if (error) {
    snprintf(why, sizeof why, "%s", error);
    return;
  }
  copy_from(got, out, sizeof got);
  for (int i = 0; i < CELLS_IN && !why[0]; i++) {
    float right = i < n ? (float)want(i) : 0;
    if (got[i] != right)
      snprintf(why, sizeof why, "out[%d] must be %.9g, is %.9g", i, right, got[i]);
  }
}
#endif
