/* Rows in the registers of a cluster of blocks, as a variant of softmax, of its VJPs and of cross
 * entropy's gradient. */
#ifndef PM_ROW_CLUSTER_VARIANT_H
#define PM_ROW_CLUSTER_VARIANT_H
#include "../lang/cluster_exchange.h"
#include "../math/elementary.h"
#include "variants.h"
#include "split_variant.h"

enum {
  SOFT_CLUSTER = CLUSTER_MOST, /* blocks of a row */
  SOFT_CLUSTER_COLS = SOFT_CLUSTER * 4 * KMAX * MAXB,
  SOFT_CLUSTER_ROWS = 1 << 27
};
#define SOFT_CLUSTER_WHEN "16384 < cols <= 262144 and rows <= 2^27"

/* Rows that a cluster can have: so long that every block has elements. */
/*@ assigns \nothing; */
static inline int soft_clusters(int64_t rows, int64_t cols)
{
  return cols > REGS_COLS && cols <= SOFT_CLUSTER_COLS && rows <= SOFT_CLUSTER_ROWS;
}

/* Ops that have the variant have it before split, as variant -2. It pays for rows by whole
 * vectors that no multiprocessor holds, where there are enough of them: 1135 us for split's 1541
 * at 4096 x 128256, 1079 for 1204 at 2048 x 200064, 1276 for 1572 at 262144 columns. */
enum {
  IN_CLUSTER = SPLIT - 1,
  CLUSTER_FROM_ROWS = 8,
  CLUSTER_TWO = 640 /* threads of a block of which two fit */
};
#define CLUSTER_OF(op, when, declare)      \
  {                                        \
    op, "cluster", when, PM_VALUE, declare \
  }

/*@ assigns \nothing; */
static inline int cluster_pays(int64_t rows, int64_t cols, int vec)
{
  return vec && rows >= CLUSTER_FROM_ROWS && cols > BUFFER_COLS;
}

/*@ requires \valid_read(ex) && suited <= 0xffff;
    assigns \nothing;
    ensures 2*suited <= \result <= 2*suited + 1; */
static inline unsigned with_cluster(const pm_exec *ex, unsigned suited, int64_t rows, int64_t cols,
                                    int vec)
{
  return with_first(ex, suited, soft_clusters(rows, cols), cluster_pays(rows, cols, vec));
}

#ifndef __FRAMAC__
/* Elements of a block's slice of a row, of which the last may have fewer. */
static inline int64_t soft_slice(int64_t cols)
{
  return 4 * divide_up(divide_up(cols, 4), SOFT_CLUSTER);
}

/* Roundings of an element's term on its way into its slice's sum: in its thread, which has k
 * vectors, and its block. */
static inline double slice_height(int64_t cols, int k)
{
  return k + 1 + block_height(regs_block(soft_slice(cols), k));
}

/* And of the blocks' sums, one by one. */
static inline double cluster_height(int64_t cols, int k)
{
  return slice_height(cols, k) + SOFT_CLUSTER - 1;
}

/* Where a thread's exponentials are about its own maximum (lse/cluster_slice.h): with the
 * changes to the block's and to the row's (lse/online_height.h), three additions of the blocks'
 * sums by pairs, and one more for what exp_term and products that underflow add to a sum of at
 * least 1. What is kept of an element of softmax goes through a change too, on its way out. */
static inline double about_cluster_height(int64_t cols, int logs)
{
  return slice_height(cols, KMAX) + 3 + (logs ? 2 : 3) * (2 * PM_K_EXP + 2) + 1;
}
#endif
#endif
