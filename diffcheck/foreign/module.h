/* A kernel that is compiled for a GPU, in a .ptx, .cubin or .fatbin, through the CUDA driver's interface. */
#ifndef DIFFCHECK_MODULE_H
#define DIFFCHECK_MODULE_H
#include "source.h"

/* By the path's end. */
int module_is(const char *path);

/* Loads it into the device's current context, and finds the kernel that c calls, by its symbol or its
 * demangled name, with parameters of the sizes that c's arguments have. PM_CUDA_DRIVER names another driver
 * than libcuda.so.1. */
dc_status module_load(const char *path, const call *c, void **kernel, dc_error *err);
dc_status module_launch(void *kernel, const source_launch *l, dc_error *err);
#endif
