#include "host.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 256 }; /* as a GPU's memory has it */

static pm_status init(void) { return PM_OK; }
static const char *name(void) { return "host memory"; }
static const char *error(void) { return ""; }

static void *take(size_t bytes)
{
  void *p;
  return posix_memalign(&p, ALIGN, bytes ? bytes : 1) ? NULL : p;
}

static pm_status copy(void *to, const void *from, size_t bytes)
{
  if (bytes)
    memcpy(to, from, bytes);
  return PM_OK;
}

static void *stream(int i)
{
  (void)i;
  return NULL;
}

static pm_status sync(void) { return PM_OK; }
static void shuffle(uint64_t seed) { (void)seed; }

const pm_backend host_memory = {.name = "cpu",
                                .init = init,
                                .device = name,
                                .error = error,
                                .alloc = take,
                                .free = free,
                                .upload = copy,
                                .download = copy,
                                .stream = stream,
                                .copy_bytes = copy,
                                .sync = sync,
                                .shuffle = shuffle};
