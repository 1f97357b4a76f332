/* The element of a row of cross entropy at its target, read by the first thread, and the loss
 * that the row leaves. */
#ifndef PM_LOSS_TARGET_H
#define PM_LOSS_TARGET_H
#include "../lang/load_now.h"
#include "../collective/block_max.h" /* here: the order in which the units behind this see lemmas */
#include "targets.h"
#include "../lse/exp_term.h"
#include "../row/regs_padded.h"

/* The target c of a row of n, or -1 where it is out of range. */
/*@ requires 0 <= n <= 4*KMAX*MAXB;
    assigns \nothing;
    ensures \result == (0 <= c < n ? c : -1); */
DEV int loss_hit(idx c, int n) { return 0 <= c && c < n ? (int)c : -1; }

/* Of the first thread, the element that is hit; `tells`: it is wanted. */
/*@ requires hit < n && \valid_read(x + (0 .. n-1)) && perm_r(x,n);
    assigns \nothing;
    ensures t == 0 && tells != 0 && hit >= 0 ==> \result == x[hit]; */
DEV float loss_at(int t, int tells, int hit, const float *RESTRICT x GHOST_PARAMS(int n))
{
  return t == 0 && tells && hit >= 0 ? load_now(x + hit) : 0.0f;
}

/*@ requires t == 0 ==> \valid(part) && W(part);
    assigns *part;
    ensures t == 0 ==> *part == (hit >= 0 ? \log(s) - (xt - m) : -1.0);
    ensures t != 0 ==> *part == \old(*part); */
DEV void loss_leave(int t, int hit, float s, float xt, float m, float *part)
{
  if (t == 0)
    STG(part, hit >= 0 ? loss_of(s, xt, m) : REFUSED);
}

/* *part becomes what thread 0 leaves. */
/*@ requires block && \valid(part) && W(part) && \valid_read(xt + (0 .. BDIM-1));
    requires \separated(part, xt + (0 .. BDIM-1));
    assigns *part;
    ensures *part == (hit >= 0 ? \log(s) - (\old(xt[0]) - m) : -1.0); */
DEV void loss_leave_all(PER_THREAD(float, xt), int hit, float s, float m, float *part)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant 0 < t ==> *part == (hit >= 0 ? \log(s) - (\at(xt[0],Pre) - m) : -1.0);
      loop assigns t, *part;
      loop variant BDIM - t; */
  EACH_THREAD(t) loss_leave(t, hit, s, AT(xt, t), m, part);
}
#endif
