/* Whether all targets of cross entropy are in range (targets.h). */
#include "../collective/block_sum.h"
#include "../lang/dependent_launch.h"
#include "targets.h"
#include "../../spec/loss.h"

/*@ predicate inside(integer c, integer cols) = 0 <= c < cols;
    predicate all_inside{L}(idx *target, integer lo, integer hi, integer n, integer cols) =
      \forall integer r; lo <= r < hi && r < n ==> inside(target[r],cols);
    // of those that threads 0 .. t-1 of a block look at, from k on
    predicate lanes_inside{L}(idx *target, integer k, integer t, integer block, integer n,
                              integer cols) =
      all_inside(target,k,k+t,n,cols) && all_inside(target,k+block,k+block+t,n,cols) &&
      all_inside(target,k+2*block,k+2*block+t,n,cols) &&
      all_inside(target,k+3*block,k+3*block+t,n,cols); */
/* Target k, or one that is in range from hi on. */
/*@ requires 0 <= k && \valid_read(target + (0 .. hi-1));
    assigns \nothing;
    ensures \result == (k < hi ? target[k] : 0); */
DEV idx target_load(idx k, idx hi, const idx *RESTRICT target)
{
  return k < hi ? LDI(target + k) : 0;
}

/*@ assigns \nothing; ensures \result == 0 <==> inside(c,cols); */
DEV int target_outside(idx c, idx cols) { return c < 0 || c >= cols; }

/* Whether one of targets k, k + BDIM, .. is out of range: all loads come before the tests. */
/*@ requires block && 0 <= k <= IDX_LIM + MAXB && \valid_read(target + (0 .. hi-1)) && 0 < cols;
    assigns \nothing;
    ensures \result == 0 || \result == 1;
    ensures \result == 0 <==> lanes_inside(target,k,1,BDIM,hi,cols); */
DEV int targets_thread(idx k, idx hi, idx cols, const idx *RESTRICT target)
{
  idx c0 = target_load(k, hi, target), c1 = target_load(k + BDIM, hi, target);
  idx c2 = target_load(k + 2 * BDIM, hi, target), c3 = target_load(k + 3 * BDIM, hi, target);
  return target_outside(c0, cols) || target_outside(c1, cols) || target_outside(c2, cols) ||
         target_outside(c3, cols);
}

/* Whether any of target[lo .. hi-1] is out of range, for all threads. */
/*@ requires block && 0 <= lo <= hi <= IDX_LIM && \valid_read(target + (0 .. hi-1)) && 0 < cols;
    assigns \nothing;
    ensures \result == 0 <==> all_inside{Pre}(target,lo,hi,hi,cols); */
DEV int targets_outside(idx lo, idx hi, idx cols, const idx *RESTRICT target)
{
  PRIVATE(int, out);
  /*@ loop invariant 0 <= t <= BDIM && none_set(&out[0],t);
      loop assigns t, out[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(out, t) = 0;
  /*@ loop invariant lo <= k0 <= hi + 4*BDIM;
      loop invariant none_set(&out[0],BDIM) <==> all_inside{Pre}(target,lo,k0,hi,cols);
      loop assigns k0, out[0 .. BDIM-1];
      loop variant hi - k0; */
  UNROLL_BY(1)
  for (idx k0 = lo; k0 < hi; k0 += 4 * BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant none_set(&out[0],BDIM) <==>
          all_inside{Pre}(target,lo,k0,hi,cols) && lanes_inside{Pre}(target,k0,t,BDIM,hi,cols);
        loop assigns t, out[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      /*@ assert one: lanes_inside{Pre}(target,k0,t+1,BDIM,hi,cols) <==>
            lanes_inside{Pre}(target,k0,t,BDIM,hi,cols) &&
            lanes_inside{Pre}(target,k0+t,1,BDIM,hi,cols); */
      if (targets_thread(k0 + t, hi, cols, target))
        AT(out, t) = 1;
    }
    /*@ assert all: all_inside{Pre}(target,lo,k0+4*BDIM,hi,cols) <==>
          all_inside{Pre}(target,lo,k0,hi,cols) &&
          lanes_inside{Pre}(target,k0,BDIM,BDIM,hi,cols); */
  }
  return block_or(out);
}

/*@ requires t == 0 && outside != 0 && status != \null ==> \valid(status);
    assigns *status; */
DEV void targets_tell(int t, int outside, int *status)
{
  if (t == 0 && outside && status)
    refuse_status(status);
}

/* Block b looks at targets b*each ..: bad[b] is 0 where they are all in range. No flag is set where
 * all targets are. */
/*@ requires block && 0 < each && 0 < cols && 0 <= rows && 0 < blocks && writes(bad,blocks);
    requires ix(blocks,each,0) <= IDX_LIM && ix(blocks,1,0) <= BLOCKS;
    requires ix(blocks-1,each,0) <= rows <= ix(blocks,each,0);
    requires \valid_read(target + (0 .. rows-1));
    requires \separated(target + (0 .. rows-1), bad + (0 .. blocks-1));
    requires status != \null ==> \valid(status) && \separated(status, bad + (0 .. blocks-1)) &&
      \separated(status, target + (0 .. rows-1));
    assigns bad[0 .. blocks-1], *status;
    ensures clear(bad,blocks) <==> Targets{Pre}(target,rows,cols); */
KERNEL void cross_entropy_targets(idx rows, idx cols, idx each, idx blocks,
                                  const idx *RESTRICT target, float *RESTRICT bad, int *status)
{
  others_may_start();
  /*@ loop invariant 0 <= b <= blocks;
      loop invariant clear(bad,b) <==> all_inside{Pre}(target,0,ix(b,each,0),rows,cols);
      loop assigns b, bad[0 .. blocks-1], *status;
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    idx lo = at2(blocks, each, b, 0), hi = rows - lo < each ? rows : lo + each;
    //@ assert lo <= ix(blocks-1,each,0);
    //@ assert next: ix(b+1,each,0) == lo + each;
    int outside = targets_outside(lo, hi, cols, target);
    //@ assert here: outside == 0 <==> all_inside{Pre}(target,lo,lo+each,rows,cols);
    block_put(outside ? 1.0f : 0.0f, bad + b);
    //@ assert old: clear(bad,b) <==> clear{LoopCurrent}(bad,b);
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, *status;
        loop variant BDIM - t; */
    EACH_THREAD(t) targets_tell(t, outside, status);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
enum { TARGETS_BLOCK = 256 };

extern "C" target_flags LAUNCHER(cross_entropy_targets)(void *stream, int64_t rows, int64_t cols,
                                                        const int64_t *target, float *bad,
                                                        int *status)
{
  target_flags flags = {bad, targets_blocks(rows)};
  LAUNCH(cross_entropy_targets, flags.n, TARGETS_BLOCK, stream, rows, cols, targets_each(rows),
         (idx)flags.n, target, bad, status);
  return flags;
}
#endif
