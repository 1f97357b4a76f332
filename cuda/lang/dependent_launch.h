/* Programmatic dependent launch: a kernel that may start before the one before it in the stream
 * has ended. Three readings, as in kernel.h; to the simulator and to Frama-C one launch comes
 * after the other.
 *
 *   LAUNCH_AFTER(...)    LAUNCH of a kernel that calls await_launches() before it touches memory
 *   await_launches()     waits until the launches before this one are done
 *   others_may_start()   the next LAUNCH_AFTER may start; at the end of the kernel it may anyway */
#ifndef PM_LANG_DEPENDENT_LAUNCH_H
#define PM_LANG_DEPENDENT_LAUNCH_H
#include "kernel.h"

#ifdef __FRAMAC__
#define others_may_start()
#define await_launches()
#define LAUNCH_AFTER LAUNCH
#elif defined PM_SIM
DEV void others_may_start() {}
DEV void await_launches() { pm_sim_::await_launches(); }
#define LAUNCH_AFTER(kernel, grid, block, stream, ...) \
  (void)(stream), SIM_LAUNCH(kernel, grid, block, 1, 0, pm_sim_::AHEAD, __VA_ARGS__)
#else
DEV void others_may_start() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
DEV void await_launches() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
#define LAUNCH_AFTER(kernel, grid, block, stream, ...)                      \
  launch_after((unsigned)(grid), (unsigned)(block), (cudaStream_t)(stream), \
               [&](const cudaLaunchConfig_t *config) {                      \
                 return cudaLaunchKernelEx(config, kernel, __VA_ARGS__);    \
               })
template <class F>
static inline void launch_after(unsigned grid, unsigned block, cudaStream_t stream, F launch)
{
  cudaLaunchAttribute early = {};
  cudaLaunchConfig_t config = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  config.gridDim = dim3(grid), config.blockDim = dim3(block), config.stream = stream;
  config.attrs = &early, config.numAttrs = 1;
  launch(&config); /* an error stays for cudaGetLastError */
}
#endif
#endif
