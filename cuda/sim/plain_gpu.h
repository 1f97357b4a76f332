/* Around a .cu that is not ours, which diffcheck compiles with nvcc (`diffcheck run --on cuda --source`): its
 * kernel's parameters and its launch, in CUDA's runtime. */
#ifndef PM_SIM_PLAIN_GPU_H
#define PM_SIM_PLAIN_GPU_H
#include <cuda_runtime.h>

#include <stdio.h>

#include "../plain_launch.h"

namespace pm_plain_ {
template <class... P> const char *types(void (*)(P...))
{
  static const char letters[] = {letter<P>()..., 0};
  return letters;
}

template <class... P> const char *launch(void (*kernel)(P...), const pm_plain_call *l)
{
  static char words[200];
  cudaError_t e = cudaSuccess;
  const char *what = "the launch";
  if (l->shared > 48 << 10) {
    what = "shared memory";
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)l->shared);
  }
  if (e == cudaSuccess)
    e = cudaLaunchKernel(kernel, dim3(l->grid[0], l->grid[1], l->grid[2]),
                         dim3(l->block[0], l->block[1], l->block[2]), (void **)l->args,
                         (size_t)l->shared, (cudaStream_t)l->stream);
  if (e == cudaSuccess)
    return NULL;
  (void)cudaGetLastError(); /* that the next launch does not find it */
  snprintf(words, sizeof words, "%s: %s (%u threads a block, %llu bytes of dynamic shared memory)",
           what, cudaGetErrorString(e), l->block[0] * l->block[1] * l->block[2],
           (unsigned long long)l->shared);
  return words;
}
} // namespace pm_plain_

/* After the source: what diffcheck finds in the library. */
#define PM_PLAIN_KERNEL(...)                                                        \
  extern "C" const char *pm_plain_types() { return pm_plain_::types(__VA_ARGS__); } \
  extern "C" const char *pm_plain_launch(const pm_plain_call *l)                    \
  {                                                                                 \
    return pm_plain_::launch(__VA_ARGS__, l);                                       \
  }
#endif
