/* Cross entropy along the rows of x, (rows, cols): for each row its maximum m and the sum s of
 * exp(x - m), then its loss, log s - (x[target] - m), and dx, the softmax less 1 at the target, in
 * any combination. The variants are those of row_variants.h; for the loss alone of rows that do not
 * fit in registers there is loss_once.cu. `warp` leaves the sum of a block's losses in part[block],
 * the others a row's in part[row]. */
#ifndef PM_LOSS_ROWS_H
#define PM_LOSS_ROWS_H
#include "loss_once.h"
#include "loss_regs.h"
#include "loss_terms.h"
#include "row_variants.h"

DEV float scale_of(const loss_call &call) { return call.g ? call.g[0] * call.each : call.each; }

/* The block's rows have no loss. */
DEV void refuse_rows(const loss_call &call, idx rows)
{
  for (idx row = blockIdx.x; call.part && TID_ == 0 && row < rows; row += gridDim.x)
    call.part[row] = REFUSED;
}

/* ---- shared, for dx only: blocks b, b + GRID, ...; a slot's next row arrives as soon as the slot
 * is free ---- */

DEV float4 loss_exp4(float4 q, float m)
{
  return make_float4(pm_expf_down(q.x - m), pm_expf_down(q.y - m), pm_expf_down(q.z - m),
                     pm_expf_down(q.w - m));
}

DEV float4 gradient4(float4 e, float by, int to_target, float scale)
{
  return make_float4(
      gradient_of(e.x, by, to_target == 0, scale), gradient_of(e.y, by, to_target == 1, scale),
      gradient_of(e.z, by, to_target == 2, scale), gradient_of(e.w, by, to_target == 3, scale));
}

/* dx of slot number `slot` of a row, from its exponentials. */
template <int VEC>
DEV void put_slot(const loss_call &call, float4 e, idx at, int lead, int cols, int slot, int target,
                  float by, float scale)
{
  int c = 4 * slot - lead;
  float4 q = gradient4(e, by, target - c, scale);
  if (call.accumulate)
    q = plus4(load_slot<VEC>(call.dx + at, c, cols), q);
  store_slot<VEC>(call.dx + at, q, c, cols);
}

/* As in softmax_shared, a thread's first HELD slots wait in registers. */
template <int VEC>
KERNEL void __launch_bounds__(BIG_BLOCK)
    loss_shared(idx rows, int cols, const float *RESTRICT x, loss_call call)
{
  DYNAMIC(float, cells);
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  const int first = TID_ + HELD * BDIM;
  idx row = blockIdx.x;
  int lead = lead_of(row * cols), slots = slots_of(lead, cols);
  if (targets_refused(call.flags.n, call.flags.bad)) {
    refuse_rows(call, rows);
    return;
  }
  fetch_first_row<VEC>(cells, x + row * cols, lead, cols, slots, first, -INFINITY);
  for (; row < rows; row += gridDim.x) {
    idx at = row * cols, next = (row + gridDim.x) * cols;
    int lead2 = lead_of(next), slots2 = row + gridDim.x < rows ? slots_of(lead2, cols) : 0;
    int target = (int)LDI(call.target + row);
    float4 held[HELD];
    float xt = x[at + target], m = -INFINITY, s = 0.0f;
    copy_wait_but<1>();
    hold_slots(held, HELD, cells, slots, -INFINITY);
    UNROLL
    for (int j = 0; j < HELD; j++) {
      int slot = TID_ + j * BDIM;
      m = max4(m, held[j]);
      if (slot < slots2)
        fetch_slot<VEC>(cells, x + next, lead2, cols, slot, -INFINITY);
    }
    copy_commit();
    copy_wait_but<1>();
#pragma unroll 4
    for (int slot = first; slot < slots; slot += BDIM) m = max4(m, LD4(cells + 4 * slot));
    m = block_max(m, sm);
    UNROLL
    for (int j = 0; j < HELD; j++) {
      held[j] = loss_exp4(held[j], m);
      s = s + sum4(held[j]);
    }
#pragma unroll 2
    for (int slot = first; slot < slots; slot += BDIM) {
      float4 q = loss_exp4(LD4(cells + 4 * slot), m);
      STS4(cells + 4 * slot, q);
      s = s + sum4(q);
    }
    s = block_sum(s, ss);
    if (call.part && TID_ == 0)
      call.part[row] = loss_of(s, xt, m);
    float by = 1.0f / s, scale = scale_of(call);
    for (int slot = first; slot < slots || slot < slots2; slot += BDIM) {
      if (slot < slots)
        put_slot<VEC>(call, LD4(cells + 4 * slot), at, lead, cols, slot, target, by, scale);
      if (slot < slots2)
        fetch_slot<VEC>(cells, x + next, lead2, cols, slot, -INFINITY);
    }
    copy_commit();
    UNROLL
    for (int j = 0; j < HELD; j++)
      if (TID_ + j * BDIM < slots)
        put_slot<VEC>(call, held[j], at, lead, cols, TID_ + j * BDIM, target, by, scale);
    lead = lead2, slots = slots2;
  }
}

/* ---- host; the arguments are checked, rows > 0 ---- */

/* What a row costs beside its elements is dear here: more of it in fewer threads than elsewhere, as
 * far as dx leaves room. */
static inline int loss_warp_k(idx cols) { return cols <= 8 ? 2 : WARP_K; }

static inline int loss_log_lanes(idx cols)
{
  int log = 0;
  while (4 * loss_warp_k(cols) << log < cols) log++;
  return log;
}

static inline int loss_regs_k(idx cols, int has_dx)
{
  return cols > 32 * 4 * REGS_K && cols <= (has_dx ? 4096 : 2047) ? 4 : REGS_K;
}

static inline int loss_regs_block(idx cols, int has_dx)
{
  return 32 * (int)divide_up(cols, 32 * 4 * loss_regs_k(cols, has_dx));
}

static inline double loss_height(int variant, idx cols, int has_dx)
{
  if (variant == WARP)
    return loss_warp_k(cols) + 1 + loss_log_lanes(cols);
  if (variant == REGS)
    return loss_regs_k(cols, has_dx) + 1 + block_height(loss_regs_block(cols, has_dx));
  return row_height(variant, cols);
}

/* Sums that a variant leaves in part. */
static inline idx loss_parts(int variant, idx rows, idx cols)
{
  return variant == WARP ? divide_up(rows, WARP_BLOCK >> loss_log_lanes(cols)) : rows;
}

/* The first launch of a loss alone; else it comes behind that of the targets, for which warp and
 * regs wait themselves. */
static inline void launch_loss_rows(int variant, void *stream, idx rows, idx cols, const float *x,
                                    const loss_call &call)
{
  int w = (int)cols, aligned = pm_aligned16(x) && pm_aligned16(call.dx);
  int vec = cols % 4 == 0 && aligned;
  if (variant == WARP) {
    LAUNCHER(loss_narrow)
    (stream, loss_warp_k(cols), vec, loss_log_lanes(cols), loss_parts(WARP, rows, cols), WARP_BLOCK,
     rows, cols, x, &call);
  } else if (variant == REGS) {
    int block = loss_regs_block(cols, call.dx != NULL);
    int k = loss_regs_k(cols, call.dx != NULL);
    if (call.dx)
      LAUNCHER(loss_grad)(stream, k, vec, block, rows, cols, x, &call);
    else
      LAUNCHER(loss_alone)(stream, k, vec, block, rows, cols, x, &call);
  } else if (variant == IN_SHARED) {
#define RUN(K, VEC)                                                                             \
  LAUNCH_SHARED(loss_shared<VEC>, big_grid(rows, 1), big_block(cols), 16 * slots_at_most(cols), \
                stream, rows, w, x, call)
    WITH_VEC(RUN, 0, aligned);
#undef RUN
  } else
    LAUNCHER(loss_stream)
  (stream, big_grid(rows, 2), big_block(cols), rows, cols, x, &call);
}

/* ---- the loss alone, of rows that wait nowhere ---- */

enum { ONCE = 2 }; /* its number among the variants of the loss */

static inline int once_block(idx cols)
{
  int block = 32;
  while (block < ONCE_BLOCK && 4 * ONCE_AHEAD * block < cols) block *= 2;
  return block;
}

/* Roundings of an element's term behind that of its own exponential. Additions: 4 in its batch of
 * vectors, 1 a batch, 1 with an edge, those of the block. Changes of m: between batches, before an
 * edge, and to the block's; each costs the roundings of an exponential and a product. The roundings
 * of their arguments cost no more than that of x - m does: all the differences are of one sign, and
 * add up to x - m. */
static inline double once_height(idx cols)
{
  int block = once_block(cols);
  double batches = (double)divide_up(cols, (idx)(4 * ONCE_AHEAD) * block);
  return 4 + batches + 1 + block_height(block) + (batches + 1) * (2 * PM_K_EXP + 2);
}

/* Bit v: variant v of the loss alone may run: warp, regs, once. */
static inline unsigned loss_suited(idx rows, idx cols)
{
  return (rows_suited(rows, cols) & (1u << WARP | 1u << REGS)) | 1u << ONCE;
}

static inline void launch_loss_once(void *stream, idx rows, idx cols, const float *x,
                                    const loss_call &call)
{
  idx grid = rows < 0x7fffffff ? rows : 0x7fffffff;
  LAUNCHER(loss_once)
  (stream, pm_aligned16(x), grid, once_block(cols), rows, cols, x, &call);
}
#endif
