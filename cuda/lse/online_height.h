/* Rounding height of online softmax (online.h), for launchers: what a piece of a row costs in
 * roundings. */
#ifndef PM_LSE_ONLINE_HEIGHT_H
#define PM_LSE_ONLINE_HEIGHT_H
#include "online_plan.h"
#include "../math/elementary.h"
#include "../row/variants.h"

/* Roundings of an element's term behind that of its own exponential, of n elements in a block of
 * so many threads. Additions: 4 in its batch of vectors, 1 a batch, 1 with an edge, those of the
 * block. Changes of m: between batches, before an edge, and to the block's; each costs the
 * roundings of an exponential and a product. The roundings of their arguments cost no more than
 * that of x - m does: all the differences are of one sign, and add up to x - m. */
static inline double online_height(int64_t n, int block)
{
  double batches = (double)divide_up(n, (int64_t)(4 * ONCE_AHEAD) * block);
  return 4 + batches + 1 + block_height(block) + (batches + 1) * (2 * PM_K_EXP + 2);
}
#endif
