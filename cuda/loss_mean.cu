/* Means of what the rows of cross entropy leave, dealt to blocks as sums are (sum_plan.h). Where an
 * element is REFUSED so is the sum. */
#include "launch_after.h"
#include "loss_targets.h"
#include "sum_load.h"

#define MEAN_DEPTH 8 /* loads that a lane has in flight */

/*@ assigns \nothing;
    ensures \result == (v.x < 0.0 || v.y < 0.0 || v.z < 0.0 || v.w < 0.0 ? 1 : 0); */
DEV int refused4(float4 v) { return v.x < 0.0f || v.y < 0.0f || v.z < 0.0f || v.w < 0.0f; }

/*@ assigns \nothing; ensures \result == v.x + v.y + v.z + v.w; */
DEV float sum_of(float4 v) { return (v.x + v.y) + (v.z + v.w); }

/* What vectors q, q + BDIM, .. add to lane i: all loads come before the arithmetic. */
/*@ requires block && sum_reads(x,4*hi,hi,1) && 0 <= q <= IDX_LIM + MAXB && 0 <= i < BDIM;
    requires \valid(acc + (0 .. BDIM-1)) && \valid(refused + (0 .. BDIM-1));
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. 4*hi-1));
    assigns acc[i], refused[i]; */
DEV void mean_lane(int i, LANE(float, acc), LANE(int, refused), idx q, idx hi,
                   const float *RESTRICT x)
{
  float4 v0 = sum_load(q, hi, 1, x), v1 = sum_load(q + BDIM, hi, 1, x);
  float4 v2 = sum_load(q + 2 * BDIM, hi, 1, x), v3 = sum_load(q + 3 * BDIM, hi, 1, x);
  float4 v4 = sum_load(q + 4 * BDIM, hi, 1, x), v5 = sum_load(q + 5 * BDIM, hi, 1, x);
  float4 v6 = sum_load(q + 6 * BDIM, hi, 1, x), v7 = sum_load(q + 7 * BDIM, hi, 1, x);
  float sum = AT(acc, i) + sum_of(v0);
  sum += sum_of(v1);
  sum += sum_of(v2);
  sum += sum_of(v3);
  sum += sum_of(v4);
  sum += sum_of(v5);
  sum += sum_of(v6);
  sum += sum_of(v7);
  AT(acc, i) = sum;
  if (refused4(v0) || refused4(v1) || refused4(v2) || refused4(v3) || refused4(v4) ||
      refused4(v5) || refused4(v6) || refused4(v7))
    AT(refused, i) = 1;
}

/* The elements from .. n-1, which are no whole vector. */
/*@ requires block && 0 <= from <= n && reads(x,n);
    requires \valid(acc + (0 .. BDIM-1)) && \valid(refused + (0 .. BDIM-1));
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    requires \separated(refused + (0 .. BDIM-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. BDIM-1), refused + (0 .. BDIM-1));
    assigns acc[0 .. BDIM-1], refused[0 .. BDIM-1]; */
DEV void mean_add_rest(LANE(float, acc), LANE(int, refused), idx from, idx n,
                       const float *RESTRICT x)
{
  /*@ loop invariant from <= k0 <= n + BDIM;
      loop assigns k0, acc[0 .. BDIM-1], refused[0 .. BDIM-1];
      loop variant n - k0; */
  UNROLL_BY(1)
  for (idx k0 = from; k0 < n; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, acc[0 .. BDIM-1], refused[0 .. BDIM-1];
        loop variant BDIM - t; */
    LANES(t)
      if (k0 + t < n) {
        float u = LDG(x + k0 + t);
        AT(acc, t) += u;
        if (u < 0.0f)
          AT(refused, t) = 1;
      }
  }
}

/* out[0] = sum / divisor, or what stands for a sum that is refused; by one lane. */
/*@ requires t == 0 ==> \valid(out) && W(out);
    requires t == 0 && status != \null ==> \valid(status);
    requires status != \null ==> \separated(status,out);
    assigns *out, *status;
    ensures t == 0 && refused == 0 ==> *out == rdiv(sum,divisor);
    ensures t == 0 && refused != 0 && last == 0 ==> *out == -1.0;
    ensures t != 0 || (refused != 0 && last != 0) ==> *out == \old(*out); */
DEV void mean_leave(int t, int refused, int last, float sum, float divisor, float *out, int *status)
{
  if (t == 0) {
    if (!refused)
      STG(out, sum / divisor);
    else if (!last)
      STG(out, REFUSED);
    else if (status)
      refuse_status(status);
  }
}

/* Of vectors lo .. hi-1 and elements from .. n-1: their sum by `divisor` to out[0]. */
/*@ requires block && 0 <= lo <= hi && 4*hi <= n && 0 <= from <= n && sum_reads(x,n,hi,1);
    requires \valid(out) && W(out) && \separated(out, x + (0 .. n-1));
    requires status != \null ==> \valid(status) && \separated(status,out) &&
      \separated(status, x + (0 .. n-1));
    assigns *out, *status; */
DEV void mean_range(idx lo, idx hi, idx from, idx n, float divisor, int last,
                    const float *RESTRICT x, float *out, int *status)
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  PRIVATE(int, refused);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, acc[0 .. BDIM-1], refused[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    AT(acc, t) = 0.0f;
    AT(refused, t) = 0;
  }
  /*@ loop invariant lo <= k0 <= hi + MEAN_DEPTH*BDIM;
      loop assigns k0, acc[0 .. BDIM-1], refused[0 .. BDIM-1];
      loop variant hi - k0; */
  for (idx k0 = lo; k0 < hi; k0 += MEAN_DEPTH * BDIM) {
    /*@ loop invariant 0 <= i <= BDIM;
        loop assigns i, acc[0 .. BDIM-1], refused[0 .. BDIM-1];
        loop variant BDIM - i; */
    LANES(i) mean_lane(i, acc, refused, k0 + i, hi, x);
  }
  mean_add_rest(acc, refused, from, n, x);
  int none = block_or(refused);
  float sum = block_sum(acc, s);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, *out, *status;
      loop variant BDIM - t; */
  LANES(t) mean_leave(t, none, last, sum, divisor, out, status);
}

/* out[b] = the sum over block b's part of n elements, by `divisor`. Block b does vectors b*chunk ..,
 * the last block the n - 4V elements behind the V vectors as well. `last`: where a sum is refused it
 * is not written, and *status says so. */
/*@ requires block && 0 < chunk && 0 < blocks && sum_reads(x,n,V,1) && writes(out,blocks);
    requires apart(x,n,out,blocks) && ix(blocks,chunk,0) <= IDX_LIM && ix(blocks,1,0) <= BLOCKS;
    requires ix(blocks-1,chunk,0) <= V <= ix(blocks,chunk,0);
    requires status != \null ==> \valid(status) && \separated(status, out + (0 .. blocks-1)) &&
      \separated(status, x + (0 .. n-1));
    assigns out[0 .. blocks-1], *status; */
KERNEL void mean_blocks(idx n, idx V, idx chunk, idx blocks, float divisor, int last,
                        const float *RESTRICT x, float *RESTRICT out, int *status)
{
  await_launches();
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, out[0 .. blocks-1], *status;
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    idx lo = at2(blocks, chunk, b, 0), hi = V - lo < chunk ? V : lo + chunk;
    //@ assert lo <= ix(blocks-1,chunk,0);
    mean_range(lo, hi, b == blocks - 1 ? 4 * V : n, n, divisor, last, x, out + b, status);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "loss_mean.h"
#include "sum_plan.h"

extern "C" void LAUNCHER(loss_mean)(void *stream, int64_t n, int64_t count, const float *a,
                                    float *work, float *y, int *status)
{
  idx V = n / 4, chunk = sum_chunk(V), blocks = sum_n_blocks(V, chunk);
  float by = (float)count;
  if (blocks > 1) {
    LAUNCH_AFTER(mean_blocks, blocks, SUM_BLOCK, stream, n, V, chunk, blocks, 1.0f, 0, a, work,
                 status);
    a = work, n = blocks, V = blocks / 4, chunk = V + 1;
  }
  LAUNCH_AFTER(mean_blocks, 1, SUM_BLOCK, stream, n, V, chunk, (idx)1, by, 1, a, y, status);
}
#endif
