/* Full tiles, unpredicated: instances for rows that fill the registers of a block: instances of
 * a kernel for rows of one length and blocks of one size, whose every vector is there and whose
 * addresses are known. A row's loads then come first and at once. Three readings, as in
 * kernel.h.
 *   WHOLE_ROW(B, K, n)   nvcc is told that the block has B threads, B a power of 2, and the row of
 *                        n
 *                        K vectors for each; a goal to Frama-C, and checked by the simulator.
 *                        Nothing where B is 0
 *   WHOLE_THREADS(B, threads, n, blocks)   what nvcc is told of such a kernel's launch: B threads a
 *                        block, `threads` of which are to fit on a processor; where B is 0 at most
 *                        n, and `blocks` blocks are to fit, or 0: as many as nvcc likes */
#ifndef PM_LANG_FULL_ROW_H
#define PM_LANG_FULL_ROW_H
#include "kernel.h"

#ifdef __FRAMAC__
#define WHOLE_THREADS(B, threads, n, blocks)
/*@ predicate whole_row(integer B, integer K, integer n) =
      B == 0 || ((B == 64 || B == 128 || B == 256 || B == 512) && bdim_ == B && n == 4*K*B); */
/*@ requires whole_row(B,K,n); assigns \nothing; */
void WHOLE_ROW(int B, int K, int n);
#elif defined PM_SIM
#include <assert.h>
#define WHOLE_THREADS(B, threads, n, blocks)
#define WHOLE_ROW(B, K, n) \
  assert(!(B) || (BDIM == (B) && ((B) & ((B)-1)) == 0 && (n) == 4 * (K) * (B)))
#else
#define WHOLE_THREADS(B, threads, n, blocks) \
  __launch_bounds__((B) ? (B) : (n), (B) ? (threads) / ((B) ? (B) : 1) : (blocks))
#define WHOLE_ROW(B, K, n)                                     \
  if (B) {                                                     \
    __builtin_assume(blockDim.x == (B));                       \
    __builtin_assume((threadIdx.x & ~((unsigned)(B)-1)) == 0); \
    __builtin_assume((n) == 4 * (K) * (B));                    \
  }
#endif

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
/* Rows of that length have instances of their own, with 4 vectors a thread. */
/*@ assigns \nothing;
    ensures \result != 0 ==> cols == 1024 || cols == 2048 || cols == 4096 || cols == 8192; */
static inline int whole_cols(int64_t cols)
{
  return cols == 1024 || cols == 2048 || cols == 4096 || cols == 8192;
}

/* Instantiates `run`, run(K, VEC, WHOLE), for k (4 or 8) vectors a thread, the alignment at
 * hand, and rows of cols in blocks of `block` threads. WITH_EVICT_LAST: also for a vec that is
 * EVICT_LAST (cache_hints.h). */
#define WITH_WHOLE(run, k, vec, block, cols) \
  if (vec) {                                 \
    WITH_VECTORS_(run, 1, k, block, cols)    \
  } else if ((k) == 4)                       \
    run(4, 0, 0);                            \
  else                                       \
    run(8, 0, 0);
#define WITH_EVICT_LAST(run, k, vec, block, cols)  \
  if ((vec) == EVICT_LAST) {                       \
    WITH_VECTORS_(run, EVICT_LAST, k, block, cols) \
  } else {                                         \
    WITH_WHOLE(run, k, vec, block, cols)           \
  }
#define WITH_VECTORS_(run, VEC, k, block, cols) \
  if ((k) != 4)                                 \
    run(8, VEC, 0);                             \
  else if ((cols) != 16 * (int64_t)(block))     \
    run(4, VEC, 0);                             \
  else if ((block) == 64)                       \
    run(4, VEC, 64);                            \
  else if ((block) == 128)                      \
    run(4, VEC, 128);                           \
  else if ((block) == 256)                      \
    run(4, VEC, 256);                           \
  else if ((block) == 512)                      \
    run(4, VEC, 512);                           \
  else                                          \
    run(4, VEC, 0);
#endif
#endif
