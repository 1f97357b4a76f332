/* The host's side of the fast product: its workspace, and its launches. A file of its own, as wgmma
 * is for sm_90a alone. */
#include "fast.h"

#include "../host/device.h"

extern "C" double LAUNCHER(products_fast_height)(int64_t k) { return fast_height(k); }

/* Tiles of an operand, all products together; -1 where that is beyond all memory. */
static int64_t split_tiles(const struct product *q, const struct operand *o)
{
  const int64_t deep = divide_up(q->k, TILE_DEPTH), tall = divide_up(o->rows, TILE_ROWS);
  int64_t n;
  int over = __builtin_mul_overflow(deep, tall, &n) ||
             __builtin_mul_overflow(n, o->step ? q->batch : 1, &n);
  return over || n > PM_MAX_ELEMENTS / SPLIT_BYTES ? -1 : n;
}

extern "C" size_t LAUNCHER(products_fast_work)(const struct product *q, int n)
{
  size_t most = 0;
  for (int i = 0; i < n; i++) {
    const int64_t a = split_tiles(q + i, &q[i].a), b = split_tiles(q + i, &q[i].b);
    if (a < 0 || b < 0)
      return 0;
    const size_t bytes = (size_t)(a + b) * SPLIT_BYTES;
    most = bytes > most ? bytes : most;
  }
  return most;
}

#ifdef PM_SIM
static int has_wgmma() { return 1; }
#else
static int has_wgmma()
{
  int device = 0, major = 0;
  return cudaGetDevice(&device) == cudaSuccess &&
         cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
         major == 9;
}
#endif

/* A tile for each of many small products would be workspace by the gigabyte. */
extern "C" int LAUNCHER(products_fast_fits)(const struct product *q)
{
  return has_wgmma() && (q->batch == 1 || (q->m >= 32 && q->n >= 32 && q->k >= 32)) &&
         q->m < INT32_MAX && q->n < INT32_MAX && q->k < 1 << 29 && split_tiles(q, &q->a) >= 0 &&
         split_tiles(q, &q->b) >= 0;
}

/* The workspace's first part is a's. */
extern "C" void LAUNCHER(products_fast)(pm_check *c, const pm_exec *ex, unsigned tiles,
                                        const struct product *q)
{
  const int64_t of_a = split_tiles(q, &q->a);
  const unsigned blocks = pm_blocks(c, of_a + split_tiles(q, &q->b), 1),
                 most = (unsigned)device_blocks(), grid = tiles < most ? tiles : most;
  char *const a = (char *)ex->work, *const b = a + of_a * SPLIT_BYTES;
  if (c->status != PM_OK)
    return;
  if (blocks)
    LAUNCH(matmul_split, blocks, SPLIT_THREADS, ex->stream, *q, of_a, a, b);
  LAUNCH_SHARED(matmul_fast, grid, FAST_THREADS, FAST_BYTES, ex->stream, *q, (idx)tiles, a, b);
}
