#include "window.h"

/* The place along an axis. */
/*@ requires Axis(n,k,s,p,d) && 0 <= i < Windows(n,k,s,p,d) && 0 <= v < k;
    assigns \nothing;
    ensures \result == ix(i,s,0) + ix(v,d,0) - p;
*/
static idx place(idx n, idx k, idx s, idx p, idx d, idx i, idx v)
{
  //@ assert 0 <= Span(k,d) <= n + 2*p - 1;
  //@ assert i <= quo(n + 2*p - 1 - Span(k,d), s);
  //@ assert ix(i,s,0) <= ix(quo(n + 2*p - 1 - Span(k,d), s),s,0) <= n + 2*p - 1 - Span(k,d);
  //@ assert 0 <= ix(v,d,0) <= Span(k,d) && 0 <= ix(i,s,0);
  (void)n, (void)k;
  return size2(i, s) + size2(v, d) - p;
}

idx window_cell(window w, idx t, idx u)
{
  idx from = 0, step = 1;
  //@ assert whole: \forall integer e; 0 <= e < w.rank ==> 1 <= w.size[e];
  /*@ loop invariant 0 <= m <= w.rank && 0 <= t && 0 <= u && step == Cells(w,m) && 1 <= step;
      loop invariant t == OutRest(w,\at(t,Pre),m) && u == TapRest(w,\at(u,Pre),m);
      loop invariant from == Source(w,\at(t,Pre),\at(u,Pre),m) && -1 <= from < step;
      loop assigns m, t, u, step, from;
      loop variant w.rank - m;
  */
  for (idx m = 0; m < w.rank; m++) {
    idx e = w.rank - 1 - m, at;
    //@ assert e == w.rank - (m+1) && 1 <= w.out[e] && 1 <= w.kernel[e];
    at = place(w.size[e], w.kernel[e], w.stride[e], w.pad[e], w.dilation[e], rem2(t, w.out[e]),
               rem2(u, w.kernel[e]));
    //@ assert at == PlaceOf(w,\at(t,Pre),\at(u,Pre),m+1);
    //@ assert room: Cells(w,m+1) <= Cells(w,w.rank) && Cells(w,m+1) == ix(w.size[e],step,0);
    if (from >= 0)
      from = 0 <= at && at < w.size[e] ? at2(w.size[e], step, at, from) : -1;
    step = size2(w.size[e], step);
    t = quo2(t, w.out[e]);
    u = quo2(u, w.kernel[e]);
  }
  return from;
}
