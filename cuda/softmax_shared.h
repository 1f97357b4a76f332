/* masked_softmax where a row waits in the shared memory of a block (row_slots.h), which does rows b,
 * b + GRID, ...: x, mask and y are (rows, cols). */
#ifndef PM_SOFTMAX_SHARED_H
#define PM_SOFTMAX_SHARED_H
#include "math.h"
#include "row_slots.h"
#include "wide.h"

/* A blocked element is this NaN until the row's sum is taken, and -0, which no exponential is,
 * after that. A maximum skips it, and a sum does not change by it. x's own NaNs are another. */
#define BLOCKED 0x7fc0b10cu
DEV float entered(float x, unsigned blocked)
{
  return blocked ? __uint_as_float(BLOCKED) : x == x ? x : NAN;
}

/* *v: what is kept of it, which is its part of the sum. */
DEV float exp1(float *v, float m)
{
  float e = pm_expf_down(*v - m);
  return *v = __float_as_uint(*v) == BLOCKED ? -0.0f : e;
}

/* *q: what is kept of it; the sum of its exponentials. */
DEV float exp4(float4 *q, float m)
{
  float4 e;
  e.x = exp1(&q->x, m);
  e.y = exp1(&q->y, m);
  e.z = exp1(&q->z, m);
  e.w = exp1(&q->w, m);
  return sum4(e);
}

DEV float put(float keeps, float t)
{
  return __float_as_uint(keeps) == 0x80000000u ? 0.0f : keeps * t;
}

DEV float4 put4(float4 q, float t)
{
  return make_float4(put(q.x, t), put(q.y, t), put(q.z, t), put(q.w, t));
}

/* Which elements of a thread's slots are blocked: four bits for slot TID_ + j BDIM, from 4 j on. */
typedef unsigned long long slot_bits;

DEV float4 entered4(float4 q, slot_bits bits, int j)
{
  const unsigned b = (unsigned)(bits >> 4 * j);
  return make_float4(entered(q.x, b & 1), entered(q.y, b & 2), entered(q.z, b & 4),
                     entered(q.w, b & 8));
}

/* Those bits of slot TID_ + j BDIM, from its mask. */
DEV slot_bits blocked4(float4 mask, int j)
{
  const unsigned b = (mask.x != 0.0f ? 1u : 0u) | (mask.y != 0.0f ? 2u : 0u) |
                     (mask.z != 0.0f ? 4u : 0u) | (mask.w != 0.0f ? 8u : 0u);
  return (slot_bits)b << 4 * j;
}

/* A thread's first HELD slots wait in registers once the row is there: the next row's arrive while
 * the exponentials are taken. Its mask is read while this row is written. */
template <int VEC>
KERNEL void __launch_bounds__(BIG_BLOCK)
    softmax_shared(idx rows, int cols, const float *RESTRICT x, const float *RESTRICT mask,
                   float *RESTRICT y)
{
  DYNAMIC(float, cells);
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  const int first = TID_ + HELD * BDIM;
  idx row = blockIdx.x;
  int lead = lead_of(row * cols), slots = slots_of(lead, cols);
  slot_bits bits = 0;
  fetch_first_row<VEC>(cells, x + row * cols, lead, cols, slots, first, -INFINITY);
  for (int j = 0; TID_ + j * BDIM < slots; j++)
    bits |= blocked4(load_slot<VEC>(mask + row * cols, 4 * (TID_ + j * BDIM) - lead, cols), j);
  for (; row < rows; row += gridDim.x) {
    idx at = row * cols, next = (row + gridDim.x) * cols;
    int lead2 = lead_of(next), slots2 = row + gridDim.x < rows ? slots_of(lead2, cols) : 0;
    int cols2 = slots2 ? cols : 0;
    slot_bits bits2 = 0;
    float4 held[HELD];
    float m = -INFINITY, s = 0.0f;
    copy_wait_but<1>();
    hold_slots(held, HELD, cells, slots, -INFINITY);
    UNROLL
    for (int j = 0; j < HELD; j++) {
      int slot = TID_ + j * BDIM;
      held[j] = entered4(held[j], bits, j);
      m = max4(m, held[j]);
      if (slot < slots2)
        fetch_slot<VEC>(cells, x + next, lead2, cols, slot, -INFINITY);
    }
    copy_commit();
    copy_wait_but<1>();
#pragma unroll 4
    for (int slot = first, j = HELD; slot < slots; slot += BDIM, j++) {
      float4 q = entered4(LD4(cells + 4 * slot), bits, j);
      STS4(cells + 4 * slot, q);
      m = max4(m, q);
    }
    m = block_max(m, sm);
    UNROLL
    for (int j = 0; j < HELD; j++) s = s + exp4(&held[j], m);
#pragma unroll 2
    for (int slot = first; slot < slots; slot += BDIM) {
      float4 q = LD4(cells + 4 * slot);
      s = s + exp4(&q, m);
      STS4(cells + 4 * slot, q);
    }
    s = 1.0f / block_sum(s, ss);
    for (int slot = first, j = HELD; slot < slots || slot < slots2; slot += BDIM, j++) {
      float4 of_next = load_slot<VEC>(mask + next, 4 * slot - lead2, cols2);
      if (slot < slots)
        store_slot<VEC>(y + at, put4(LD4(cells + 4 * slot), s), 4 * slot - lead, cols);
      if (slot < slots2)
        fetch_slot<VEC>(cells, x + next, lead2, cols, slot, -INFINITY);
      bits2 |= blocked4(of_next, j);
    }
    copy_commit();
    UNROLL
    for (int j = 0; j < HELD; j++) {
      int slot = TID_ + j * BDIM;
      float4 of_next = load_slot<VEC>(mask + next, 4 * slot - lead2, cols2);
      if (slot < slots)
        store_slot<VEC>(y + at, put4(held[j], s), 4 * slot - lead, cols);
      bits2 |= blocked4(of_next, j);
    }
    lead = lead2, slots = slots2, bits = bits2;
  }
}
#endif
