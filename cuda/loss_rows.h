/* Cross entropy along the rows of x, (rows, cols): for each row its maximum m and the sum s of
 * exp(x - m), then its loss, log s - (x[target] - m), and dx, the softmax less 1 at the target, in
 * any combination. The variants are those of row_variants.h. `warp` leaves the sum of a block's losses in
 * part[block], the others a row's in part[row]. */
#ifndef PM_LOSS_ROWS_H
#define PM_LOSS_ROWS_H
#include "loss_targets.h"
#include "math.h"
#include "row_variants.h"

typedef struct loss_call {
  const idx *target; /* (rows) */
  target_flags flags;
  float *part;    /* NULL: no loss is wanted */
  const float *g; /* (1), or NULL: 1 */
  float each;     /* 1 / rows */
  float *dx;      /* (rows, cols), or NULL: no gradient is wanted */
  int accumulate;
} loss_call;

DEV float loss_of(float s, float xt, float m) { return pm_logf(s) - (xt - m); }

DEV float scale_of(const loss_call &call) { return call.g ? call.g[0] * call.each : call.each; }

/* Of e = exp(x - m), `by` being 1 / s. */
DEV float gradient_of(float e, float by, int hit, float scale)
{
  return (e * by - (hit ? 1.0f : 0.0f)) * scale;
}

/* ---- rows in registers ---- */

/* v[i] = exp(v[i] - m); their sum, in a tree of height k + 1. */
DEV float loss_exp_all(float *v, int k, float m)
{
  float s = 0.0f;
  UNROLL
  for (int j = 0; j < k; j++) {
    float *q = v + 4 * j;
    UNROLL
    for (int i = 0; i < 4; i++) q[i] = pm_expf_down(q[i] - m);
    s = s + ((q[0] + q[1]) + (q[2] + q[3]));
  }
  return s;
}

/* The row's dx, from the exponentials in v. */
template <int K, int VEC>
DEV void put_gradient(float *v, const loss_call &call, idx at, int target, float s, int first,
                      int step, int cols)
{
  float by = 1.0f / s, scale = scale_of(call);
  UNROLL
  for (int j = 0; j < K; j++) {
    int c = 4 * (first + j * step);
    UNROLL
    for (int i = 0; i < 4; i++)
      v[4 * j + i] = gradient_of(v[4 * j + i], by, c + i == target, scale);
  }
  if (call.accumulate) {
    float old[4 * K];
    load_row(old, call.dx + at, K, VEC, first, step, cols, 0.0f);
    add_all(v, old, K);
  }
  store_row(call.dx + at, v, K, VEC, first, step, cols);
}

template <int K, int VEC>
KERNEL void loss_warp(int log_lanes, idx rows, int cols, const float *RESTRICT x, loss_call call)
{
  SHARED(float, sp, 32);
  int lanes = 1 << log_lanes, lane = TID_ & (lanes - 1);
  idx row = (idx)blockIdx.x * (BDIM >> log_lanes) + (TID_ >> log_lanes), at = row * cols;
  int have = row < rows ? cols : 0;
  float v[4 * K];
  load_row(v, x + at, K, VEC, lane, lanes, have, -INFINITY);
  await_launches();
  if (targets_refused(call.flags))
    return;
  int target = have ? (int)LDI(call.target + row) : 0;
  float xt = have ? x[at + target] : 0.0f;
  float m = group_max(max_of(v, K), lanes);
  float s = group_sum(loss_exp_all(v, K, m), lanes);
  if (call.part) {
    float part = block_sum(have && lane == 0 ? loss_of(s, xt, m) : 0.0f, sp);
    if (TID_ == 0)
      call.part[blockIdx.x] = part;
  }
  if (call.dx)
    put_gradient<K, VEC>(v, call, at, target, s, lane, lanes, have);
}

template <int K, int VEC>
KERNEL void __launch_bounds__(REGS_BLOCK)
    loss_regs(int cols, const float *RESTRICT x, loss_call call)
{
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  idx row = blockIdx.x, at = row * cols;
  float v[4 * K];
  load_row(v, x + at, K, VEC, TID_, BDIM, cols, -INFINITY);
  await_launches();
  if (targets_refused(call.flags))
    return;
  int target = (int)LDI(call.target + row);
  float xt = x[at + target];
  float m = block_max(max_of(v, K), sm);
  float s = block_sum(loss_exp_all(v, K, m), ss);
  if (call.part && TID_ == 0)
    call.part[row] = loss_of(s, xt, m);
  if (call.dx)
    put_gradient<K, VEC>(v, call, at, target, s, TID_, BDIM, cols);
}

/* ---- shared: blocks b, b + GRID, ...; a slot's next row arrives as soon as the slot is free ---- */

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
  if (targets_refused(call.flags))
    return;
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
      if (call.dx)
        STS4(cells + 4 * slot, q);
      s = s + sum4(q);
    }
    s = block_sum(s, ss);
    if (call.part && TID_ == 0)
      call.part[row] = loss_of(s, xt, m);
    float by = 1.0f / s, scale = scale_of(call);
    for (int slot = first; slot < slots || slot < slots2; slot += BDIM) {
      if (call.dx && slot < slots)
        put_slot<VEC>(call, LD4(cells + 4 * slot), at, lead, cols, slot, target, by, scale);
      if (slot < slots2)
        fetch_slot<VEC>(cells, x + next, lead2, cols, slot, -INFINITY);
    }
    copy_commit();
    UNROLL
    for (int j = 0; j < HELD; j++)
      if (call.dx && TID_ + j * BDIM < slots)
        put_slot<VEC>(call, held[j], at, lead, cols, TID_ + j * BDIM, target, by, scale);
    lead = lead2, slots = slots2;
  }
}

/* ---- stream: blocks b, b + GRID, ... ---- */

KERNEL void loss_stream(idx rows, idx cols, const float *RESTRICT x, loss_call call)
{
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  if (targets_refused(call.flags))
    return;
  for (idx row = blockIdx.x; row < rows; row += gridDim.x) {
    const float *in = x + row * cols;
    idx target = LDI(call.target + row);
    float m = -INFINITY, s = 0.0f;
    for (idx c = TID_; c < cols; c += BDIM) m = larger(m, in[c]);
    m = block_max(m, sm);
    for (idx c = TID_; c < cols; c += BDIM) s = s + pm_expf_down(in[c] - m);
    s = block_sum(s, ss);
    if (call.part && TID_ == 0)
      call.part[row] = loss_of(s, in[target], m);
    if (call.dx) {
      float by = 1.0f / s, scale = scale_of(call), *out = call.dx + row * cols;
      for (idx c = TID_; c < cols; c += BDIM) {
        float d = gradient_of(pm_expf_down(in[c] - m), by, c == target, scale);
        out[c] = call.accumulate ? out[c] + d : d;
      }
    }
  }
}

/* ---- host; the arguments are checked, rows > 0 ---- */

/* Sums that a variant leaves in part. */
static inline idx loss_parts(int variant, idx rows, idx cols)
{
  return variant == WARP ? divide_up(rows, WARP_BLOCK >> warp_log_lanes(cols)) : rows;
}

static inline void launch_loss_rows(int variant, void *stream, idx rows, idx cols, const float *x,
                                    const loss_call &call)
{
  int w = (int)cols, aligned = pm_aligned16(x) && pm_aligned16(call.dx);
  int vec = cols % 4 == 0 && aligned;
  if (variant == WARP) {
    int log = warp_log_lanes(cols);
    idx grid = loss_parts(WARP, rows, cols);
#define RUN(K, VEC) \
  LAUNCH_AFTER((loss_warp<K, VEC>), grid, WARP_BLOCK, stream, log, rows, w, x, call)
    if (warp_k(cols) == 2) {
      WITH_VEC(RUN, 2, vec);
    } else {
      WITH_VEC(RUN, WARP_K, vec);
    }
#undef RUN
  } else if (variant == REGS) {
#define RUN(K, VEC) LAUNCH_AFTER((loss_regs<K, VEC>), rows, regs_block(cols), stream, w, x, call)
    if (regs_k(cols) == 4) {
      WITH_VEC(RUN, 4, vec);
    } else {
      WITH_VEC(RUN, REGS_K, vec);
    }
#undef RUN
  } else if (variant == IN_SHARED) {
#define RUN(K, VEC)                                                                             \
  LAUNCH_SHARED(loss_shared<VEC>, big_grid(rows, 1), big_block(cols), 16 * slots_at_most(cols), \
                stream, rows, w, x, call)
    WITH_VEC(RUN, 0, aligned);
#undef RUN
  } else
    LAUNCH(loss_stream, big_grid(rows, 2), big_block(cols), stream, rows, cols, x, call);
}
#endif
