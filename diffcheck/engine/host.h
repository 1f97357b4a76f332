/* The host's memory as a back end's: of kernels that run on the CPU. It has no kernels itself. */
#ifndef DIFFCHECK_HOST_H
#define DIFFCHECK_HOST_H
#include "../../cuda/launch.h"

extern const pm_backend host_memory;
#endif
