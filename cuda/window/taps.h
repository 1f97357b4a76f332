/* The taps of an output that read cells, in row-major order, for indices of either type. */
#ifndef PM_WINDOW_TAPS_H
#define PM_WINDOW_TAPS_H
#include "laws.h"

/* Divisors d of 0 <= n < 2^31 by a product (runs.h): of the outputs along each axis, and at WINDOW_RANK of
 * those of a line. */
typedef struct window_magic {
  unsigned magic[WINDOW_RANK + 1];
  int shift[WINDOW_RANK + 1];
} window_magic;

/*@ predicate quotients(integer magic, integer shift, integer d) =
      0 <= magic <= 0xffffffff && 0 <= shift < 64 &&
      \forall integer n; 0 <= n <= 0x7fffffff ==> (n * magic) >> shift == n / d;
    // what an index of `most` may hold
    predicate fits(window w, integer most) =
      w.cells <= most && w.outs <= most && w.taps <= most &&
      \forall integer e; 0 <= e < w.rank ==>
        w.size[e] + 2*w.pad[e] + w.dilation[e] <= most && w.stride[e] <= most;
    predicate divided(window w, window_magic by) =
      quotients(by.magic[WINDOW_RANK],by.shift[WINDOW_RANK],w.outs) &&
      \forall integer e; 0 <= e < w.rank ==> quotients(by.magic[e],by.shift[e],w.out[e]);
    lemma product_bound: \forall integer a, b, m, n; 0 <= a <= m ==> 0 <= b <= n ==>
      0 <= a * b <= m * n;
    lemma run_low: \forall integer v, d, b; 1 <= d ==> b < 0 ==> 0 <= v ==>
      (0 <= b + ix(v,d,0) <==> quo(d-1-b,d) <= v);
    lemma run_high: \forall integer v, d, b, n; 1 <= d ==> b < n ==>
      (b + ix(v,d,0) < n <==> v < quo(n-1-b,d) + 1); */

#define WINDOW_NARROW 1
#include "taps_of.h"
#undef WINDOW_NARROW
#define WINDOW_NARROW 0
#include "taps_of.h"
#undef WINDOW_NARROW
#endif
