/* The loss of cross entropy along the rows of x, (rows, cols), each of which is read once and waits
 * nowhere: rows of any length, beside those of loss_rows.h.
 *
 * A thread keeps the maximum m of what it has seen and the sum s of exp(x - m), and where m grows
 * takes s to the new one: s exp(m - m'). Where it stays that product is exact, exp(0) being 1. What
 * this adds to the roundings of the sum is in once_height. */
#ifndef PM_LOSS_ONCE_H
#define PM_LOSS_ONCE_H
#include <float.h>

#include "loss_rows.h"

enum { ONCE_BLOCK = 256, ONCE_AHEAD = 4 /* vectors that a lane has in flight */ };
enum { ONCE = 2 }; /* its number among the variants of the loss */

/* m starts below: finite, so that exp(-Inf - m) is 0. */
#define ONCE_LEAST -FLT_MAX

DEV float4 exp_terms(float4 q, float m)
{
  return make_float4(exp_term(q.x - m), exp_term(q.y - m), exp_term(q.z - m), exp_term(q.w - m));
}

/* What `part`, a sum of exp(x - top), and the sum s of exp(x - *m) come to, off *m = top >= *m. */
DEV float once_add(float s, float *m, float top, float part)
{
  s = s * exp_term(*m - top) + part;
  *m = top;
  return s;
}

/* The thread's part of n vectors; they are aligned in VEC. */
template <int VEC> DEV void once_vectors(const float *in, idx n, float *m, float *s)
{
  for (idx k = TID_; k < n; k += ONCE_AHEAD * BDIM) {
    float4 q[ONCE_AHEAD];
    float top = *m, part[ONCE_AHEAD];
    UNROLL
    for (int i = 0; i < ONCE_AHEAD; i++) {
      idx c = k + i * BDIM;
      q[i] = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
      if (c < n && VEC)
        q[i] = LD4(in + 4 * c);
      else if (c < n)
        q[i] = make_float4(in[4 * c], in[4 * c + 1], in[4 * c + 2], in[4 * c + 3]);
    }
    UNROLL
    for (int i = 0; i < ONCE_AHEAD; i++) top = max4(top, q[i]);
    UNROLL
    for (int i = 0; i < ONCE_AHEAD; i++) {
      part[i] = 0.0f;
      if (k + i * BDIM < n)
        part[i] = sum4(exp_terms(q[i], top));
    }
    *s = once_add(*s, m, top, (part[0] + part[1]) + (part[2] + part[3]));
  }
}

template <int VEC>
KERNEL void __launch_bounds__(ONCE_BLOCK, 8)
    loss_once(idx rows, idx cols, const float *RESTRICT x, loss_call call)
{
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  for (idx row = blockIdx.x; row < rows; row += gridDim.x) {
    const float *in = x + row * cols;
    int head = VEC ? (int)(-(row * cols) & 3) : 0; /* elements before the first vector */
    idx vectors = cols > head ? (cols - head) / 4 : 0, target = ask_index(call.target + row);
    float m = ONCE_LEAST, s = 0.0f;
    /* up to 3 elements before the vectors and as many behind them, one a thread */
    idx edge = TID_ < head ? TID_ : TID_ + 4 * vectors;
    float e = edge < cols ? in[edge] : -INFINITY;
    once_vectors<VEC>(in + head, vectors, &m, &s);
    if (edge < cols) {
      float top = larger(m, e);
      s = once_add(s, &m, top, exp_term(e - top));
    }
    float top = block_max(m, sm);
    int outside = target < 0 || target >= cols;
    float xt = TID_ == 0 && !outside ? ask(in + target) : 0.0f;
    s = block_sum(s * exp_term(m - top), ss);
    if (s < 0.5f)
      top = -INFINITY; /* they all are, and s only looks like a sum */
    if (TID_ == 0)
      call.part[row] = outside ? REFUSED : loss_of(s, xt, top);
  }
}

/* ---- host ---- */

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
#define RUN(K, VEC) LAUNCH(loss_once<VEC>, grid, once_block(cols), stream, rows, cols, x, call)
  WITH_VEC(RUN, 0, pm_aligned16(x));
#undef RUN
}
#endif
