/* One query a head against a cache of keys and values, which is read once: the keys are split over blocks,
 * and a block's over its four warps, each of which has a running softmax; what they have is joined in their
 * order, over splits by a second kernel. Splits follow from sizes alone.
 *
 * vec4     a key's product is shared by eight lanes, four keys at a time; up to four query heads of a KV
 *          head read it together
 * scalar   a key's product is shared by the warp; any d, 128 columns of y a block */
#ifndef PM_ATTENTION_DECODE_H
#define PM_ATTENTION_DECODE_H
#include "../lang/dependent_launch.h"
#include "problem.h"

enum { DECODE_WARPS = 4, DECODE_BLOCK = 32 * DECODE_WARPS, SCALAR_KEYS = 8, SCALAR_COLS = 128 };

/* q, y: (lead, d), k, v: (lead / group, capacity, d), of which len keys are read, `each` by a block. Parts
 * of head h and split s: row h splits + s of top, sum and of (.., d) sums of values. With one split there are
 * none. */
struct decode {
  const float *q, *k, *v;
  float *y, *top, *sum, *part;
  idx lead, group, capacity, len, d, splits, each;
  float scale;
};

/* Of a warp in one block: maximum, sum, and columns of values, of one query head. */
template <int COLS> struct warp_part {
  float top, sum, value[COLS];
};

/* The place of a head's sums of one split: y itself, where there is no other. */
DEV float *values_of(const struct decode &a, idx head, idx split)
{
  return a.splits == 1 ? a.y + head * a.d : a.part + (head * a.splits + split) * a.d;
}

/* Thread t of the block joins column t of the warps' parts, and has it written; `left` columns are there. */
template <int COLS>
DEV void join_warps(const struct decode &a, idx head, idx split, idx c0, const warp_part<COLS> *of)
{
  float top = lowest();
  UNROLL
  for (int w = 0; w < DECODE_WARPS; w++) top = larger(top, LD(&of[w].top));
  const float from = top == lowest() ? 0.0f : top;
  float *const to = values_of(a, head, split);
  for (int c = TID_; c < COLS; c += DECODE_BLOCK) {
    float value = 0.0f, sum = 0.0f;
    UNROLL
    for (int w = 0; w < DECODE_WARPS; w++) {
      const float by = pm_expf_down(LD(&of[w].top) - from);
      value = PM_FMA(by, LD(&of[w].value[c]), value);
      sum = PM_FMA(by, LD(&of[w].sum), sum);
    }
    if (c0 + c < a.d)
      to[c0 + c] = a.splits == 1 ? value * (1.0f / sum) : value;
    if (a.splits > 1 && c0 + c == 0) {
      a.top[head * a.splits + split] = top;
      a.sum[head * a.splits + split] = sum;
    }
  }
}

/* What a larger maximum does to sum and values: they are multiplied by what is given back. */
DEV float raise(float *top, float here, float *from)
{
  const float now = larger(*top, here);
  *from = now == lowest() ? 0.0f : now;
  const float by = pm_expf_down(*top - *from);
  *top = now;
  return by;
}

/* Query head r of a KV head; the last where there are fewer. */
DEV idx head_of(const struct decode &a, idx kv, idx r)
{
  return kv * a.group + (r < a.group ? r : a.group - 1);
}

template <int D, int HEADS>
KERNEL void __launch_bounds__(DECODE_BLOCK, HEADS == 1 ? 4 : 2) decode_vec4(struct decode a)
{
  /* Keys a warp's step; those whose products a lane shares; vectors of them that it has. */
  const int KEYS = 1024 / D, SOME = KEYS / 4, OF_K = D / 32;
  /* Lanes along a row of values; rows at a time; vectors of a row that a lane has. */
  const int ALONG = D / 4 < 32 ? D / 4 : 32, ROWS = 32 / ALONG, OF_V = D / 4 / ALONG;
  typedef warp_part<D> part;
  DYNAMIC(part, parts);
  const int lane = TID_ % 32, warp = TID_ / 32, key = lane / 8, eighth = lane % 8,
            row = lane / ALONG, col = lane % ALONG;
  const idx fours = (a.group + HEADS - 1) / HEADS, split = blockIdx.x % a.splits,
            n = blockIdx.x / a.splits, kv = n / fours, h0 = n % fours * HEADS;
  const float *const k = a.k + kv * a.capacity * D + 4 * eighth, *const v = a.v +
                                                                            kv * a.capacity * D +
                                                                            4 * col;
  float4 q[HEADS][OF_K], acc[HEADS][OF_V];
  float top[HEADS], sum[HEADS];
  UNROLL
  for (int r = 0; r < HEADS; r++) {
    UNROLL
    for (int u = 0; u < OF_K; u++)
      q[r][u] = LD4(a.q + head_of(a, kv, h0 + r) * D + 4 * eighth + 32 * u);
    UNROLL
    for (int u = 0; u < OF_V; u++) acc[r][u] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    top[r] = lowest(), sum[r] = 0.0f;
  }
  const idx end = (split + 1) * a.each < a.len ? (split + 1) * a.each : a.len;
  UNROLL_BY(1)
  for (idx k0 = split * a.each + warp * KEYS; k0 < end; k0 += DECODE_WARPS * KEYS) {
    float4 x[SOME][OF_K], y[KEYS / ROWS][OF_V];
    const int left = end - k0 < KEYS ? (int)(end - k0) : KEYS;
    UNROLL
    for (int i = 0; i < SOME; i++) {
      const int at = key + 4 * i < left ? key + 4 * i : left - 1;
      UNROLL
      for (int u = 0; u < OF_K; u++) x[i][u] = load4_streaming(k + (k0 + at) * D + 32 * u);
    }
    UNROLL
    for (int i = 0; i < KEYS / ROWS; i++) {
      const int at = row + ROWS * i < left ? row + ROWS * i : left - 1;
      UNROLL
      for (int u = 0; u < OF_V; u++) y[i][u] = load4_streaming(v + (k0 + at) * D + 128 * u);
    }
    UNROLL
    for (int r = 0; r < HEADS; r++) {
      float s[SOME], here = lowest(), other, from;
      UNROLL
      for (int i = 0; i < SOME; i++) {
        s[i] = 0.0f;
        UNROLL
        for (int u = 0; u < OF_K; u++) {
          s[i] = PM_FMA(q[r][u].x, x[i][u].x, s[i]);
          s[i] = PM_FMA(q[r][u].y, x[i][u].y, s[i]);
          s[i] = PM_FMA(q[r][u].z, x[i][u].z, s[i]);
          s[i] = PM_FMA(q[r][u].w, x[i][u].w, s[i]);
        }
      }
      UNROLL
      for (int m = 1; m < 8; m *= 2) UNROLL
      for (int i = 0; i < SOME; i++) {
        SHFL_XOR(other, s[i], m);
        s[i] = s[i] + other;
      }
      UNROLL
      for (int i = 0; i < SOME; i++) {
        s[i] = key + 4 * i < left ? s[i] * a.scale : lowest();
        here = larger(here, s[i]);
      }
      UNROLL
      for (int m = 8; m < 32; m *= 2) {
        SHFL_XOR(other, here, m);
        here = larger(here, other);
      }
      const float by = raise(&top[r], here, &from);
      sum[r] = sum[r] * by;
      UNROLL
      for (int u = 0; u < OF_V; u++)
        acc[r][u] =
            make_float4(acc[r][u].x * by, acc[r][u].y * by, acc[r][u].z * by, acc[r][u].w * by);
      UNROLL
      for (int i = 0; i < SOME; i++) {
        s[i] = pm_expf_down(s[i] - from);
        sum[r] = sum[r] + s[i];
      }
      UNROLL
      for (int i = 0; i < KEYS / ROWS; i++) {
        /* Key row + ROWS i is s[(row + ROWS i) / 4] of the lanes with key (row + ROWS i) % 4. */
        const float e = __shfl_sync(0xffffffffu, s[ROWS * i / 4], (row + ROWS * i % 4) * 8);
        if (row + ROWS * i < left) {
          UNROLL
          for (int u = 0; u < OF_V; u++) {
            acc[r][u].x = PM_FMA(e, y[i][u].x, acc[r][u].x);
            acc[r][u].y = PM_FMA(e, y[i][u].y, acc[r][u].y);
            acc[r][u].z = PM_FMA(e, y[i][u].z, acc[r][u].z);
            acc[r][u].w = PM_FMA(e, y[i][u].w, acc[r][u].w);
          }
        }
      }
    }
  }
  UNROLL
  for (int r = 0; r < HEADS; r++) {
    float other;
    UNROLL
    for (int m = 8; m < 32; m *= 2) {
      SHFL_XOR(other, sum[r], m);
      sum[r] = sum[r] + other;
    }
    part *const to = parts + r * DECODE_WARPS + warp;
    UNROLL
    for (int u = 0; u < OF_V; u++) {
      float4 e = acc[r][u], f;
      if (ROWS == 2) {
        SHFL_XOR(f.x, e.x, 16);
        SHFL_XOR(f.y, e.y, 16);
        SHFL_XOR(f.z, e.z, 16);
        SHFL_XOR(f.w, e.w, 16);
        e = plus4(e, f);
      }
      if (row == 0) {
        float *at = to->value + 4 * col + 128 * u;
        ST(at, e.x);
        ST(at + 1, e.y);
        ST(at + 2, e.z);
        ST(at + 3, e.w);
      }
    }
    if (lane == 0) {
      ST(&to->top, top[r]);
      ST(&to->sum, sum[r]);
    }
  }
  __syncthreads();
  for (int r = 0; r < HEADS; r++)
    if (h0 + r < a.group)
      join_warps<D>(a, head_of(a, kv, h0 + r), split, 0, parts + r * DECODE_WARPS);
}

KERNEL void THREADS_AT_MOST(DECODE_BLOCK) decode_scalar(struct decode a)
{
  typedef warp_part<SCALAR_COLS> part;
  DYNAMIC(part, parts);
  const int lane = TID_ % 32, warp = TID_ / 32, EACH = SCALAR_COLS / 32;
  const idx wide = (a.d + SCALAR_COLS - 1) / SCALAR_COLS, split = blockIdx.x % a.splits,
            n = blockIdx.x / a.splits, c0 = n % wide * SCALAR_COLS, head = n / wide;
  const float *const q = a.q + head * a.d, *const k = a.k + head / a.group * a.capacity * a.d,
                     *const v = a.v + head / a.group * a.capacity * a.d;
  float acc[EACH], top = lowest(), sum = 0.0f;
  UNROLL
  for (int u = 0; u < EACH; u++) acc[u] = 0.0f;
  const idx end = (split + 1) * a.each < a.len ? (split + 1) * a.each : a.len;
  UNROLL_BY(1)
  for (idx k0 = split * a.each + warp * SCALAR_KEYS; k0 < end; k0 += DECODE_WARPS * SCALAR_KEYS) {
    const int left = end - k0 < SCALAR_KEYS ? (int)(end - k0) : (int)SCALAR_KEYS;
    float s[SCALAR_KEYS], here = lowest(), other, from;
    UNROLL
    for (int i = 0; i < SCALAR_KEYS; i++) s[i] = 0.0f;
    UNROLL_BY(1)
    for (idx c = lane; c < a.d; c += 32) {
      const float x = q[c];
      UNROLL
      for (int i = 0; i < SCALAR_KEYS; i++)
        s[i] = PM_FMA(x, k[(k0 + (i < left ? i : left - 1)) * a.d + c], s[i]);
    }
    UNROLL
    for (int m = 1; m < 32; m *= 2) UNROLL
    for (int i = 0; i < SCALAR_KEYS; i++) {
      SHFL_XOR(other, s[i], m);
      s[i] = s[i] + other;
    }
    UNROLL
    for (int i = 0; i < SCALAR_KEYS; i++) {
      s[i] = i < left ? s[i] * a.scale : lowest();
      here = larger(here, s[i]);
    }
    const float by = raise(&top, here, &from);
    sum = sum * by;
    UNROLL
    for (int u = 0; u < EACH; u++) acc[u] = acc[u] * by;
    UNROLL
    for (int i = 0; i < SCALAR_KEYS; i++)
      if (i < left) {
        const float e = pm_expf_down(s[i] - from);
        sum = sum + e;
        UNROLL
        for (int u = 0; u < EACH; u++) {
          const idx c = c0 + lane + 32 * u;
          acc[u] = PM_FMA(e, v[(k0 + i) * a.d + (c < a.d ? c : a.d - 1)], acc[u]);
        }
      }
  }
  UNROLL
  for (int u = 0; u < EACH; u++) ST(parts[warp].value + lane + 32 * u, acc[u]);
  if (lane == 0) {
    ST(&parts[warp].top, top);
    ST(&parts[warp].sum, sum);
  }
  __syncthreads();
  join_warps<SCALAR_COLS>(a, head, split, c0, parts);
}

/* y of a head from its splits' parts, a block a head; 0 where there is no key. */
KERNEL void THREADS_AT_MOST(DECODE_BLOCK) decode_join(struct decode a)
{
  await_launches();
  const idx head = blockIdx.x, row = head * a.splits;
  float top = lowest(), sum = 0.0f;
  UNROLL_BY(8)
  for (idx s = 0; s < a.splits; s++) top = larger(top, a.top[row + s]);
  const float from = top == lowest() ? 0.0f : top;
  UNROLL_BY(8)
  for (idx s = 0; s < a.splits; s++)
    sum = PM_FMA(pm_expf_down(a.top[row + s] - from), a.sum[row + s], sum);
  const float inverse = a.len ? 1.0f / sum : 0.0f;
  for (idx c = TID_; c < a.d; c += BDIM) {
    float value = 0.0f;
    UNROLL_BY(8)
    for (idx s = 0; s < a.splits; s++)
      value = PM_FMA(pm_expf_down(a.top[row + s] - from), a.part[(row + s) * a.d + c], value);
    a.y[head * a.d + c] = value * inverse;
  }
}
#endif
