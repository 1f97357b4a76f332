/* layer_norm and rms_norm where a row waits in the shared memory of a block (row_slots.h), which
 * does rows b, b + GRID, ...: x, y are (rows, cols), gamma, beta (cols), mean, rstd (rows). */
#ifndef PM_NORM_SHARED_H
#define PM_NORM_SHARED_H
#include "norm_rows.h"
#include "row_slots.h"

DEV int inside(int c, int cols) { return (unsigned)c < (unsigned)cols; }

/* Elements c .. c+3 of a vector of which all rows take theirs, so that c need not be a multiple of
 * 4; 0 for those outside. */
template <int VEC> DEV float4 load_across(const float *p, int c, int cols)
{
  int past = c & 3, lo = c - past;
  if (!VEC || lo < 0 || lo + 8 > cols)
    return load_slot<0>(p, c, cols);
  float4 a = LD4(p + lo);
  if (past == 0)
    return a;
  float4 b = LD4(p + lo + 4);
  return past == 1   ? make_float4(a.y, a.z, a.w, b.x)
         : past == 2 ? make_float4(a.z, a.w, b.x, b.y)
                     : make_float4(a.w, b.x, b.y, b.z);
}

template <int VEC> DEV float4 gamma_at(const float *gamma, int c, int cols)
{
  return gamma ? load_across<VEC>(gamma, c, cols) : make_float4(1.0f, 1.0f, 1.0f, 1.0f);
}

DEV float4 times4(float4 a, float4 b)
{
  return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}

/* q - m */
DEV float4 off4(float4 q, float m) { return make_float4(q.x - m, q.y - m, q.z - m, q.w - m); }

/* The squares of q - m; those outside of the row, of which q has the elements from number c on, do
 * not count. */
template <int CENTERED> DEV float squares4(float4 q, float m, int c, int cols)
{
  q = CENTERED ? off4(q, m) : q;
  if (CENTERED && !whole(c, cols))
    q = make_float4(inside(c, cols) ? q.x : 0.0f, inside(c + 1, cols) ? q.y : 0.0f,
                    inside(c + 2, cols) ? q.z : 0.0f, inside(c + 3, cols) ? q.w : 0.0f);
  return sum4(times4(q, q));
}

template <int CENTERED, int VEC>
DEV void put_slot(float *y, float4 q, float m, float r, const float *gamma, const float *beta,
                  int c, int cols)
{
  float4 by = make_float4(r, r, r, r), w = gamma_at<VEC>(gamma, c, cols);
  q = times4(times4(CENTERED ? off4(q, m) : q, by), w);
  if (CENTERED)
    q = plus4(q, load_across<VEC>(beta, c, cols));
  store_slot<VEC>(y, q, c, cols);
}

/* A thread's first KEPT slots wait in registers once the row is there: the next row's arrive while
 * this one is summed and written. layer_norm wants most registers for gamma and beta. */
template <int CENTERED, int VEC>
KERNEL void __launch_bounds__(BIG_BLOCK)
    norm_shared(idx rows, int cols, float eps, const float *RESTRICT x, const float *RESTRICT gamma,
                const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
                float *RESTRICT rstd)
{
  DYNAMIC(float, cells);
  SHARED(float, s0, 32);
  SHARED(float, s1, 32);
  enum { KEPT = CENTERED ? 2 : HELD };
  const int first = TID_ + KEPT * BDIM;
  idx row = blockIdx.x;
  int odd = 0, lead = lead_of(row * cols), slots = slots_of(lead, cols);
  for (int slot = TID_; slot < slots; slot += BDIM) {
    if (slot == first)
      copy_commit();
    fetch_slot<VEC>(cells, x + row * cols, lead, cols, slot, 0.0f);
  }
  copy_commit();
  if (slots <= first)
    copy_commit();
  for (; row < rows; row += gridDim.x, odd ^= 1) {
    idx at = row * cols, next = (row + gridDim.x) * cols;
    int lead2 = lead_of(next), slots2 = row + gridDim.x < rows ? slots_of(lead2, cols) : 0;
    float4 held[KEPT];
    float m = 0.0f, s = 0.0f, r;
    copy_wait_but<1>();
    UNROLL
    for (int j = 0; j < KEPT; j++) {
      int slot = TID_ + j * BDIM;
      held[j] = slot < slots ? LD4(cells + 4 * slot) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
    UNROLL
    for (int j = 0; j < KEPT; j++) {
      int slot = TID_ + j * BDIM;
      m = m + sum4(held[j]);
      if (slot < slots2)
        fetch_slot<VEC>(cells, x + next, lead2, cols, slot, 0.0f);
    }
    copy_commit();
    copy_wait_but<1>();
    if (CENTERED) {
#pragma unroll 4
      for (int slot = first; slot < slots; slot += BDIM) m = m + sum4(LD4(cells + 4 * slot));
      m = block_sum(m, s0) / (float)cols;
    } else
      m = 0.0f;
    UNROLL
    for (int j = 0; j < KEPT; j++)
      s = s + squares4<CENTERED>(held[j], m, 4 * (TID_ + j * BDIM) - lead, cols);
#pragma unroll 4
    for (int slot = first; slot < slots; slot += BDIM)
      s = s + squares4<CENTERED>(LD4(cells + 4 * slot), m, 4 * slot - lead, cols);
    r = rstd_of(block_sum(s, CENTERED || odd ? s1 : s0), cols, eps);
    for (int slot = first; slot < slots || slot < slots2; slot += BDIM) {
      if (slot < slots)
        put_slot<CENTERED, VEC>(y + at, LD4(cells + 4 * slot), m, r, gamma, beta, 4 * slot - lead,
                                cols);
      if (slot < slots2)
        fetch_slot<VEC>(cells, x + next, lead2, cols, slot, 0.0f);
    }
    copy_commit();
    UNROLL
    for (int j = 0; j < KEPT; j++) {
      int slot = TID_ + j * BDIM;
      if (slot < slots)
        put_slot<CENTERED, VEC>(y + at, held[j], m, r, gamma, beta, 4 * slot - lead, cols);
    }
    if (TID_ == 0) {
      rstd[row] = r;
      if (CENTERED)
        mean[row] = m;
    }
    lead = lead2, slots = slots2;
  }
}
#endif
