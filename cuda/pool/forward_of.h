/* What one output of a pool makes of the cells that it reads; instantiated by inclusion, by
 * forward.h. */
#include "../window/index.h"

/*@ requires WINDOW_(indexed)(w,R,k) && reads(x,w.cells) && (WINDOW_NARROW ==> divided(w,by));
    assigns \nothing;
    ensures \result == PoolSum(0,x,w,k,w.taps); */
DEV float WINDOW_(pool_sum_of)(int R, window w, window_magic by, INDEX k, const float *RESTRICT x)
{
  float s = 0;
  //@ assert rank: w.rank == R && 1 <= R;
  WINDOW_(window_taps) r = WINDOW_(taps_of)(R, w, by, k);
  WINDOW_(window_at) a = WINDOW_(tap_first)(r GHOST_ARGS(w, k));
  //@ assert none: r.some == 0 ==> PoolSum(0,x,w,k,0) == PoolSum(0,x,w,k,w.taps);
  //@ assert some: r.some != 0 ==> PoolSum(0,x,w,k,0) == PoolSum(0,x,w,k,a.tap);
  /*@ loop invariant a.left == 0 ==> s == PoolSum(0,x,w,k,w.taps);
      loop invariant a.left != 0 ==> r.some != 0 && WINDOW_(stands)(w,k,r,a) && a.at[R-1] == 0 &&
        s == PoolSum(0,x,w,k,a.tap);
      loop assigns a, s;
      loop variant a.left != 0 ? w.taps - a.tap : 0; */
  for (; a.left; a = WINDOW_(tap_next)(R, r, a GHOST_ARGS(w, k))) {
    //@ assert last: standing(w,k,a.tap,1,a.at[w.rank-1],r.count[w.rank-1]);
    //@ assert stand: standing(w,k,a.tap,1,0,r.count[R-1]);
    /*@ loop invariant 0 <= n <= r.count[R-1] && s == PoolSum(0,x,w,k,a.tap+n);
        loop assigns n, s;
        loop variant r.count[R-1] - n; */
    for (INDEX n = 0; n < r.count[R - 1]; n++) {
      //@ assert met: met(w,k,1,Tap(w,a.tap,1)+n);
      //@ assert unit: Taps(w,0) == 1 && ix(n,Taps(w,0),0) == n;
      //@ assert digit: 0 <= Tap(w,a.tap,1) + n < w.kernel[w.rank-1];
      //@ assert step: stepped(w,1,n,a.tap,a.tap+n);
      //@ assert cell: Cell(w,k,a.tap+n) == a.place + ix(n,r.jump[R-1],0) && 0 <= Cell(w,k,a.tap+n);
      //@ assert from: follows(a.tap+n+1,a.tap+n);
      /*@ assert more: PoolSum(0,x,w,k,a.tap+n+1) ==
            PoolSum(0,x,w,k,a.tap+n) + x[Cell(w,k,a.tap+n)]; */
      s += LDG(x + (a.place + WINDOW_(times)(n, r.jump[R - 1])));
    }
  }
  return s;
}
