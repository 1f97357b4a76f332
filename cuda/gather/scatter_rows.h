/* Deterministic scatter-add of rows by linked lists, in an order that does not change: y, (rows,
 * cols), row r is row r of base and the sum of u[i] over the i < k with index[i] = r. u is (k,
 * cols).
 *
 * The sum into a row is made in the order of the index, so it is the same every time:
 *   link   threads build one list a row in the workspace: head[r] is 1 + the last i that came with
 *          index[i] = r, link[i] the one before. Atomics decide the order of a list, and nothing
 *          else: which entries it has does not depend on it, and they are sorted before use.
 *   sum    a warp takes a few rows: those with a list of at most one entry together, so that
 *          their loads overlap, then the others. A list of up to LIGHT entries is collected and
 *          its ranks taken; its rows are added in ascending order, what was there before last. For
 *          a longer one the whole block goes through index in order instead.
 * Where a row has up to THIN elements, and so where it is one, a thread takes an element: lists of
 * up to FEW entries it sorts by itself, those of up to LIGHT its warp sorts for it. For a longer
 * one the threads of the block go through index side by side, thread t through every BLOCK-th from
 * t on, and their sums are added by a tree: another order, but again always the same. */
#ifndef PM_GATHER_SCATTER_ROWS_H
#define PM_GATHER_SCATTER_ROWS_H
#include "../lang/kernel.h"
#include "../host/device.h"

enum {
  BLOCK = 128,
  WARPS = BLOCK / 32,
  LIGHT = 32,     /* one entry a lane */
  HELD = 4,       /* vectors of a row that a lane holds */
  PLAIN_HELD = 2, /* the same where there is nothing to add to, and */
  PLAIN_QUAD = 4, /* the rows that a warp then takes at once */
  SCAN = 8,       /* indices that a thread of the block scans before the block adds what it found */
  THIN = 4,
  FEW = 8
};

typedef unsigned long long link_t;

/* W floats that are read and written together. */
template <int W> struct vec {
  float v[W];
};

template <int W> DEV vec<W> load(const float *p)
{
  vec<W> r;
  if (W == 4) {
    float4 q = LD4(p);
    r.v[0] = q.x, r.v[W / 4] = q.y, r.v[W / 2] = q.z, r.v[W - 1] = q.w;
  } else
    r.v[0] = *p;
  return r;
}

template <int W> DEV void store(float *p, vec<W> a)
{
  if (W == 4)
    store4_streaming(p, make_float4(a.v[0], a.v[W / 4], a.v[W / 2], a.v[W - 1]));
  else
    *p = a.v[0];
}

template <int W> DEV vec<W> plus(vec<W> a, vec<W> b)
{
  UNROLL
  for (int i = 0; i < W; i++) a.v[i] = a.v[i] + b.v[i];
  return a;
}

template <int W> DEV vec<W> zero()
{
  vec<W> r;
  UNROLL
  for (int i = 0; i < W; i++) r.v[i] = 0.0f;
  return r;
}

KERNEL void scatter_clear(idx rows, link_t *head)
{
  idx r = (idx)blockIdx.x * BLOCK + TID_;
  others_may_start();
  if (r < rows)
    head[r] = 0;
}

KERNEL void scatter_link(idx rows, idx k, const idx *RESTRICT index, link_t *head, link_t *link)
{
  idx i = (idx)blockIdx.x * BLOCK + TID_;
  idx r = i < k ? LDI(index + i) : -1; // lint-ok await: an input
  others_may_start();
  await_launches();
  if (i < k) {
    if (0 <= r && r < rows)
      link[i] = atomicExch(head + r, (link_t)i + 1); // lint-ok library: the list is sorted
  }
}

/* The list that ends at `first` - 1: lane j gets the entry that is j-th in ascending order. Its
 * length, or LIGHT+1 where it is longer than LIGHT. Called by whole warps. */
DEV int sorted_list(link_t first, const link_t *RESTRICT link, idx *mine)
{
  int lane = TID_ % 32, n = 0, rank = 0;
  link_t at = first;
  idx entry = 0, sorted = 0;
  for (; at && n <= LIGHT; n++) {
    if (n == lane)
      entry = (idx)at - 1;
    at = n < LIGHT ? link[at - 1] : 0;
  }
  if (n > 1 && n <= LIGHT) {
    for (int j = 0; j < n; j++) rank += __shfl_sync(0xffffffffu, entry, j) < entry;
    for (int j = 0; j < n; j++) {
      idx other = __shfl_sync(0xffffffffu, entry, j);
      if (__shfl_sync(0xffffffffu, rank, j) == lane)
        sorted = other;
    }
    entry = sorted;
  }
  *mine = entry;
  return n;
}

/* This warp's part of a row: vectors c0 + lane W + (0, 32, 64, ...) W. */
template <int W, int H> DEV void load_part(vec<W> *v, const float *row, idx c0, idx cols)
{
  UNROLL
  for (int h = 0; h < H; h++) {
    idx c = c0 + (h * 32 + TID_ % 32) * W;
    if (c < cols)
      v[h] = load<W>(row + c);
  }
}

template <int W, int H> DEV void store_part(float *row, const vec<W> *v, idx c0, idx cols)
{
  UNROLL
  for (int h = 0; h < H; h++) {
    idx c = c0 + (h * 32 + TID_ % 32) * W;
    if (c < cols)
      store<W>(row + c, v[h]);
  }
}

/* y[r] = base[r] + u[i] for the rows r0 .. r0+QUAD-1 whose list is {i}, y[r] = base[r] for those
 * without any. Lane q holds 1 + the last entry of row r0 + q, and the one before that. */
template <int W, int H, int QUAD>
DEV void add_singles(idx r0, idx rows, link_t last, link_t before, idx cols, idx c0,
                     const float *base, const float *RESTRICT u, float *y)
{
  vec<W> v[QUAD][H], old[QUAD][H];
  unsigned todo = 0, single = 0;
  UNROLL
  for (int q = 0; q < QUAD; q++) {
    link_t i = __shfl_sync(0xffffffffu, last, q), more = __shfl_sync(0xffffffffu, before, q);
    idx r = r0 + q;
    single |= (unsigned)(i != 0) << q;
    todo |= (unsigned)(r < rows && !more && (i || base != y)) << q;
    UNROLL
    for (int h = 0; h < H; h++) v[q][h] = zero<W>();
    if (i) /* without waiting for `before` */
      load_part<W, H>(v[q], u + ((idx)i - 1) * cols, c0, cols);
    if (base && todo >> q & 1)
      load_part<W, H>(old[q], base + r * cols, c0, cols);
  }
  UNROLL
  for (int q = 0; q < QUAD; q++) {
    UNROLL
    for (int h = 0; base && h < H; h++)
      v[q][h] = single >> q & 1 ? plus(old[q][h], v[q][h]) : old[q][h];
    if (todo >> q & 1)
      store_part<W, H>(y + (r0 + q) * cols, v[q], c0, cols);
  }
}

/* y[r] = base[r] + the sum of u[i] over a list of 2 entries or more. Gives its length; where that
 * is over LIGHT nothing else is done. */
template <int W, int H>
DEV int add_light(link_t last, const link_t *RESTRICT link, idx cols, idx c0, const float *base,
                  const float *RESTRICT u, float *y)
{
  vec<W> sum[H] = {}, v[H] = {};
  idx mine;
  int n = sorted_list(last, link, &mine);
  if (n > LIGHT)
    return n; // lint-ok diverge: a warp has one list
  load_part<W, H>(sum, u + __shfl_sync(0xffffffffu, mine, 0) * cols, c0, cols);
  for (int j = 1; j < n; j++) {
    load_part<W, H>(v, u + __shfl_sync(0xffffffffu, mine, j) * cols, c0, cols);
    UNROLL
    for (int h = 0; h < H; h++) sum[h] = plus(sum[h], v[h]);
  }
  if (base) {
    load_part<W, H>(v, base, c0, cols);
    UNROLL
    for (int h = 0; h < H; h++) sum[h] = plus(v[h], sum[h]);
  }
  store_part<W, H>(y, sum, c0, cols);
  return n;
}

/* The same for a long list, by the whole block: the first threads have W columns each. */
template <int W, int H>
DEV void add_heavy(idx r, idx k, idx cols, idx c0, const float *base, const idx *RESTRICT index,
                   const float *RESTRICT u, float *y, int *found, int *count)
{
  int lane = TID_ % 32, warp = TID_ / 32;
  idx c = TID_ < H * 32 ? c0 + TID_ * W : cols;
  vec<W> sum = zero<W>();
  for (idx i0 = 0; i0 < k; i0 += BLOCK * SCAN) {
    /* Warp w looks at indices i0 + 32 SCAN w + (0 .. 32 SCAN - 1), 32 at a time. */
    unsigned hits[SCAN];
    int n = 0, total = 0, at = 0;
    UNROLL
    for (int s = 0; s < SCAN; s++) {
      idx i = i0 + 32 * (SCAN * warp + s) + lane;
      hits[s] = __ballot_sync(0xffffffffu, i < k && LDI(index + (i < k ? i : 0)) == r);
      n += __popc(hits[s]);
    }
    if (lane == 0)
      count[warp] = n;
    __syncthreads();
    for (int w = 0; w < WARPS; w++) {
      at = w == warp ? total : at;
      total += count[w];
    }
    UNROLL
    for (int s = 0; s < SCAN; s++) {
      if (hits[s] >> lane & 1)
        found[at + __popc(hits[s] & ((1u << lane) - 1))] = 32 * (SCAN * warp + s) + lane;
      at += __popc(hits[s]);
    }
    __syncthreads();
    if (c < cols) {
#pragma unroll 8
      for (int j = 0; j < total; j++) sum = plus(sum, load<W>(u + (i0 + found[j]) * cols + c));
    }
    __syncthreads();
  }
  if (c < cols)
    store<W>(y + c, base ? plus(load<W>(base + c), sum) : sum);
}

/* Block b does WARPS * QUAD rows in one of `chunks` ranges of H * 32 * W columns; base is NULL
 * where BASE is 0, which leaves room for more rows at once. */
template <int W, int BASE>
KERNEL void __launch_bounds__(BLOCK, 8)
    scatter_sum(idx rows, idx cols, idx k, idx chunks, const float *base, const idx *RESTRICT index,
                const link_t *head, const link_t *link, const float *RESTRICT u, float *y)
{
  SHARED(int, found, BLOCK *SCAN);
  SHARED(int, count, WARPS);
  SHARED(unsigned, heavy, WARPS);
  if (!BASE)
    base = NULL;
  const int QUAD = BASE ? 1 : PLAIN_QUAD, H = BASE ? HELD : PLAIN_HELD;
  idx b0 = blockIdx.x / chunks * (WARPS * QUAD), c0 = blockIdx.x % chunks * (H * 32 * W);
  idx r0 = b0 + TID_ / 32 * QUAD, mine = r0 + TID_ % 32;
  await_launches();
  link_t last = TID_ % 32 < QUAD && mine < rows ? head[mine] : 0;
  link_t before = last ? link[last - 1] : 0;
  unsigned more = __ballot_sync(0xffffffffu, before != 0), long_ones = 0;
  add_singles<W, H, QUAD>(r0, rows, last, before, cols, c0, base, u, y);
  for (int q = 0; more && q < QUAD; q++)
    if (more >> q & 1) {
      idx at = (r0 + q) * cols;
      int n = add_light<W, H>(__shfl_sync(0xffffffffu, last, q), link, cols, c0,
                              base ? base + at : NULL, u, y + at);
      long_ones |= (unsigned)(n > LIGHT) << q;
    }
  if (TID_ % 32 == 0)
    heavy[TID_ / 32] = long_ones;
  if (__syncthreads_or(long_ones != 0))
    for (int j = 0; j < WARPS * QUAD; j++)
      if (heavy[j / QUAD] >> j % QUAD & 1)
        add_heavy<W, H>(b0 + j, k, cols, c0, base ? base + (b0 + j) * cols : NULL, index, u,
                        y + (b0 + j) * cols, found, count);
}

/* ---- one thread an element ---- */

/* The list that ends at `first` - 1, ascending, in e[0 .. n-1]; n is its length, or FEW + 1 where
 * it is longer. */
DEV int few_entries(link_t first, const link_t *RESTRICT link, link_t *e)
{
  int n = 0;
  UNROLL
  for (int j = 0; j < FEW; j++) e[j] = ~0ull;
  for (link_t at = first; at && n <= FEW; n++) {
    link_t x = at - 1;
    UNROLL
    for (int j = 0; j < FEW; j++) {
      link_t most = x < e[j] ? e[j] : x;
      e[j] = x < e[j] ? x : e[j];
      x = most;
    }
    at = n < FEW ? link[at - 1] : 0;
  }
  return n;
}

/* The sum of column c of u over a list of up to FEW entries, or 0 and *n = FEW + 1. */
DEV float sum_few(link_t last, const link_t *RESTRICT link, idx cols, idx c,
                  const float *RESTRICT u, int *n)
{
  link_t e[FEW];
  float v[FEW], sum = 0.0f;
  *n = few_entries(last, link, e);
  UNROLL
  for (int j = 0; j < FEW; j++) v[j] = *n <= FEW && j < *n ? u[(idx)e[j] * cols + c] : 0.0f;
  sum = v[0];
  UNROLL
  for (int j = 1; j < FEW; j++) sum = j < *n ? sum + v[j] : sum;
  return sum;
}

/* The same over a list of up to LIGHT entries, by a warp; its length is returned. */
DEV int sum_light(link_t last, const link_t *RESTRICT link, idx cols, idx c,
                  const float *RESTRICT u, float *sum)
{
  idx mine;
  int n = sorted_list(last, link, &mine);
  float v = TID_ % 32 < n && n <= LIGHT ? u[mine * cols + c] : 0.0f;
  *sum = __shfl_sync(0xffffffffu, v, 0);
  for (int j = 1; j < n && n <= LIGHT; j++) *sum = *sum + __shfl_sync(0xffffffffu, v, j);
  return n;
}

/* The same over the whole index, by the block. */
DEV float sum_heavy(idx r, idx c, idx k, idx cols, const idx *RESTRICT index,
                    const float *RESTRICT u, float *part)
{
  float sum = 0.0f;
#pragma unroll 8
  for (idx i = TID_; i < k; i += BLOCK)
    if (LDI(index + i) == r)
      sum = sum + u[i * cols + c];
  sum = block_sum(sum, part);
  __syncthreads();
  return sum;
}

/* Block b does the `each` elements from b each on; each <= BLOCK. base may be NULL, or y. */
KERNEL void __launch_bounds__(BLOCK)
    scatter_sum_thin(idx rows, idx cols, idx k, int each, const float *base,
                     const idx *RESTRICT index, const link_t *head, const link_t *link,
                     const float *RESTRICT u, float *y)
{
  SHARED(float, part, 32);
  SHARED(unsigned, heavy, WARPS);
  idx b0 = (idx)blockIdx.x * each, cell = b0 + TID_, r = cell / cols, c = cell % cols;
  int there = TID_ < each && r < rows, n = 0;
  float old = there && base && base != y ? base[cell] : 0.0f; // lint-ok await: an input
  unsigned long_ones = 0;
  await_launches();
  link_t last = there ? head[r] : 0;
  float sum = sum_few(last, link, cols, c, u, &n);
  unsigned many = __ballot_sync(0xffffffffu, n > FEW);
  for (; many; many &= many - 1) {
    int of = __ffs((int)many) - 1;
    float s;
    int m = sum_light(__shfl_sync(0xffffffffu, last, of), link, cols,
                      __shfl_sync(0xffffffffu, c, of), u, &s);
    long_ones |= (unsigned)(m > LIGHT) << of;
    sum = TID_ % 32 == of ? s : sum;
  }
  if (there && base == y && n)
    old = y[cell];
  if (there && !(long_ones >> TID_ % 32 & 1) && (n || base != y))
    y[cell] = !base ? sum : n ? old + sum : old;
  if (TID_ % 32 == 0)
    heavy[TID_ / 32] = long_ones;
  if (__syncthreads_or(long_ones != 0))
    for (int j = 0; j < each; j++)
      if (heavy[j / 32] >> j % 32 & 1) {
        idx at = b0 + j;
        float s = sum_heavy(at / cols, at % cols, k, cols, index, u, part);
        if (TID_ == 0)
          y[at] = base ? base[at] + s : s;
      }
}
#endif
