#include "table.h"

#ifndef __FRAMAC__
#include <string.h>

int pm_pick(pm_check *c, pm_exec *ex, const pm_kernel *rows, int n, unsigned suited)
{
  enum { MOST = 8 };
  const char *names[MOST];
  const pm_kernel *first = NULL;
  int count = 0, v;
  for (int i = 0; i < n && count < MOST; i++)
    if (!strcmp(rows[i].op, c->op)) {
      first = first ? first : rows + i;
      names[count++] = rows[i].variant;
    }
  v = pm_variant(c, names, count);
  if (c->status != PM_OK)
    return -1;
  if (v < 0)
    for (v = 0; v < count - 1 && !(suited >> v & 1); v++)
      ;
  if (!(suited >> v & 1)) {
    c->status = pm_unsuited(c, names[v], first[v].when);
    return -1;
  }
  ex->ran = names[v];
  return v;
}
#endif

unsigned pm_blocks(pm_check *c, int64_t threads, int block)
{
  int64_t blocks = threads / block + (threads % block != 0);
  if (c->status == PM_OK && blocks > 0x7fffffff)
    c->status = pm_fail(PM_BAD_ARGUMENT, c->op, "%lld blocks of %d threads: must be below 2^31",
                        (long long)blocks, block);
  return c->status == PM_OK ? (unsigned)blocks : 0;
}

#ifndef __FRAMAC__
pm_status pm_launched(const pm_check *c)
{
#ifdef PM_SIM
  return c->status; /* the simulator reports at sync */
#else
  cudaError_t error = c->status == PM_OK ? cudaGetLastError() : cudaSuccess;
  return error != cudaSuccess ? pm_fail(PM_DEVICE, c->op, "%s", cudaGetErrorString(error))
                              : c->status;
#endif
}
#endif
