/* A row of a (rows, cols) matrix in the shared memory of a block, in slots of 4 cells.
 *
 * It lies there from cells[lead] on, lead = its offset in the tensor mod 32, so that slots are
 * aligned on both sides where the tensors are, and a warp's slots fill whole lines of memory. Cells
 * of a slot outside the row hold what changes nothing. Slot s belongs to thread s % BDIM from
 * arrival to departure: no barrier guards it, and the next row arrives in it as soon as it is free.
 * VEC: the tensors are 16-byte aligned. */
#ifndef PM_ROW_SLOTS_H
#define PM_ROW_SLOTS_H
#include "rows.h"

enum {
  SHARED_COLS = (PM_MAX_SHARED - 1024) / 4,
  HELD = 8 /* slots that a thread has in registers: as many as there is room for */
};

DEV int lead_of(idx at) { return (int)(at % 32); }

DEV int slots_of(int lead, int cols) { return (lead + cols + 3) / 4; }

/* Are all four elements of the slot, from number c on, in the row? */
DEV int whole(int c, int cols) { return c >= 0 && c + 4 <= cols; }

template <int VEC>
DEV void fetch_slot(float *cells, const float *row, int lead, int cols, int slot, float outside)
{
  int c = 4 * slot - lead;
  if (VEC && whole(c, cols))
    copy_async4(cells + 4 * slot, row + c);
  else
    for (int i = 0; i < 4; i++)
      if (c + i >= 0 && c + i < cols)
        copy_async(cells + 4 * slot + i, row + c + i);
      else
        cells[4 * slot + i] = outside;
}

/* Elements c .. c+3 of a row in memory; 0 for those outside. */
template <int VEC> DEV float4 load_slot(const float *row, int c, int cols)
{
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (VEC && whole(c, cols))
    return LD4(row + c);
  if (c >= 0 && c < cols)
    v.x = row[c];
  if (c + 1 >= 0 && c + 1 < cols)
    v.y = row[c + 1];
  if (c + 2 >= 0 && c + 2 < cols)
    v.z = row[c + 2];
  if (c + 3 >= 0 && c + 3 < cols)
    v.w = row[c + 3];
  return v;
}

template <int VEC> DEV void store_slot(float *out, float4 v, int c, int cols)
{
  if (VEC && whole(c, cols)) {
    store4_once(out + c, v);
    return;
  }
  if (c >= 0 && c < cols)
    out[c] = v.x;
  if (c + 1 >= 0 && c + 1 < cols)
    out[c + 1] = v.y;
  if (c + 2 >= 0 && c + 2 < cols)
    out[c + 2] = v.z;
  if (c + 3 >= 0 && c + 3 < cols)
    out[c + 3] = v.w;
}

/* The block's first row: each thread's slots before `first` are one batch of copies, the rest the
 * next. */
template <int VEC>
DEV void fetch_first_row(float *cells, const float *row, int lead, int cols, int slots, int first,
                         float outside)
{
  for (int slot = TID_; slot < slots; slot += BDIM) {
    if (slot == first)
      copy_commit();
    fetch_slot<VEC>(cells, row, lead, cols, slot, outside);
  }
  copy_commit();
  if (slots <= first)
    copy_commit();
}

/* The thread's first n slots, out of their cells. */
DEV void hold_slots(float4 *held, int n, const float *cells, int slots, float outside)
{
  UNROLL
  for (int j = 0; j < n; j++) {
    int slot = TID_ + j * BDIM;
    held[j] = make_float4(outside, outside, outside, outside);
    if (slot < slots)
      held[j] = LD4(cells + 4 * slot);
  }
}

DEV float max4(float m, float4 q) { return larger(larger(larger(larger(m, q.x), q.y), q.z), q.w); }

DEV float sum4(float4 q) { return (q.x + q.y) + (q.z + q.w); }
#endif
