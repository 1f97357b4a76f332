/* Vector times matrix: c[j] is one chain over p of a[p] b(p, j), b contiguous along j. A block has 32
 * outputs; one warp of it multiplies, the others keep a deep ring of cp.async stages full: that is
 * what memory wants, when each output is a chain of its own. */
#ifndef PM_PRODUCT_VECTOR_H
#define PM_PRODUCT_VECTOR_H
#include "operand.h"

/* A stage: [DEPTH][OUTPUTS] of b, then DEPTH elements of a. */
enum {
  OUTPUTS = 32,
  V_DEPTH = 64,
  V_STAGES = 12,
  COPIERS = 128,
  V_FLOATS = V_DEPTH * (OUTPUTS + 1),
  V_BYTES = 4 * V_STAGES * V_FLOATS
};

/* c has one row. */
KERNEL void THREADS_AT_MOST(COPIERS + 32) matmul_vector(struct product q)
{
  DYNAMIC(float, ring);
  const int t = TID_, l = t - 32, EACH = COPIERS / (OUTPUTS / 4);
  const idx j0 = first_tile(&q, (q.n + OUTPUTS - 1) / OUTPUTS) * OUTPUTS,
            j = j0 + l % (OUTPUTS / 4) * 4;
  const idx full = q.k / V_DEPTH, steps = full + (q.k % V_DEPTH > 0);
  const int tail = (int)(q.k % V_DEPTH), p0 = l / (OUTPUTS / 4);
  /* Outputs past the end are the last once more, p past the end the step's first. */
  const float *b = q.b.at + p0 * q.b.ld + (j < q.n ? j : q.n - 4);
  float *write = ring, *const end = ring + V_STAGES * V_FLOATS;
  const float *read = ring;
  auto load = [&](idx step) {
    const int there = step < full ? (int)V_DEPTH : tail;
    UNROLL
    for (int p = 0; p < V_DEPTH; p += EACH)
      copy_async4(write + 4 * (l + p * (OUTPUTS / 4)), b + (p0 + p < there ? p : -p0) * q.b.ld);
    b += V_DEPTH * q.b.ld;
    if (l < V_DEPTH)
      copy_async(write + V_DEPTH * OUTPUTS + l, q.a.at + step * V_DEPTH + (l < there ? l : 0));
    write = write + V_FLOATS == end ? ring : write + V_FLOATS;
  };
  if (t >= 32)
    for (int s = 0; s < V_STAGES - 1; s++) {
      if (s < steps)
        load(s);
      copy_send();
    }
  float acc = 0.0f;
  UNROLL_BY(1)
  for (idx step = 0; step < steps; step++) {
    if (t >= 32)
      copy_wait_but<V_STAGES - 2>();
    __syncthreads();
    const float *a = read + V_DEPTH * OUTPUTS;
    if (t >= 32) {
      if (step + V_STAGES - 1 < steps)
        load(step + V_STAGES - 1);
      copy_send();
    } else if (step < full) {
      UNROLL
      for (int p = 0; p < V_DEPTH; p += 4) {
        float4 v = LD4(a + p);
        acc = PM_FMA(v.x, LD(read + p * OUTPUTS + t), acc);
        acc = PM_FMA(v.y, LD(read + (p + 1) * OUTPUTS + t), acc);
        acc = PM_FMA(v.z, LD(read + (p + 2) * OUTPUTS + t), acc);
        acc = PM_FMA(v.w, LD(read + (p + 3) * OUTPUTS + t), acc);
      }
    } else
      for (int p = 0; p < tail; p++) acc = PM_FMA(LD(a + p), LD(read + p * OUTPUTS + t), acc);
    read = read + V_FLOATS == end ? ring : read + V_FLOATS;
  }
  if (t < OUTPUTS && j0 + t < q.n)
    finish_one(q, q.c + j0 + t, acc, j0 + t);
}
#endif
