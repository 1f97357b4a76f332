/* The gradient of cross entropy, and its loss where it is wanted, of rows that wait nowhere: a block
 * reads a row three times, and has several rows (row/even_share.h). x and dx are (rows, cols). Each row's
 * loss goes to part[row]. */
#include "../collective/block_max.h"
#include "grad_scale.h"
#include "targets.h"
#include "../lse/exp_term.h"
#include "../row/regs.h"
#include "../row/even_share.h"

/*@ predicate stream_at{L}(float *x, integer n, integer t) =
      0 < n && reads(x,n) && 0 <= t < bdim_ && block; */
/* The largest of elements t, t + BDIM, .. of the row. */
/*@ requires stream_at(x,n,t);
    assigns \nothing; */
DEV float stream_top(int t, idx n, const float *RESTRICT x)
{
  float top = lowest();
  /*@ loop invariant 0 <= c;
      loop assigns c, top;
      loop variant n - c; */
  for (idx c = t; c < n; c += BDIM) top = larger(top, LDG(x + c));
  return top;
}

/* The sum of their exponentials. */
/*@ requires stream_at(x,n,t);
    assigns \nothing; */
DEV float stream_sum(int t, idx n, float m, const float *RESTRICT x)
{
  float s = 0.0f;
  /*@ loop invariant 0 <= c;
      loop assigns c, s;
      loop variant n - c; */
  for (idx c = t; c < n; c += BDIM) s = s + loss_exp(LDG(x + c), m);
  return s;
}

/* Their gradients; hit: the row's target. */
/*@ requires stream_at(x,n,t) && reads(dx,n) && writes(dx,n) && apart(x,n,dx,n);
    assigns dx[0 .. n-1]; */
DEV void stream_put(int t, idx n, idx hit, int adds, float m, float by, float scale,
                    const float *RESTRICT x, float *RESTRICT dx)
{
  /*@ loop invariant 0 <= c;
      loop assigns c, dx[0 .. n-1];
      loop variant n - c; */
  for (idx c = t; c < n; c += BDIM) {
    float d = gradient_of(loss_exp(LDG(x + c), m), by, c == hit, scale);
    STG(dx + c, adds ? LDG(dx + c) + d : d);
  }
}

/* The row's loss, by one lane; hit: its target. */
/*@ requires stream_at(x,n,t) && (t == 0 ==> \valid(part) && W(part));
    assigns *part; */
DEV void stream_leave(int t, idx n, idx hit, float s, float m, const float *RESTRICT x, float *part)
{
  if (t == 0)
    STG(part, 0 <= hit && hit < n ? loss_of(s, LDG(x + hit), m) : REFUSED);
}

/*@ predicate stream_in{L}(float *x, float *part, float *dx, integer n) =
      0 < n && reads(x,n) && writes(dx,n) && apart(x,n,dx,n) &&
      (part != \null ==> \valid(part) && W(part) && \separated(part, x + (0 .. n-1)) &&
        \separated(part, dx + (0 .. n-1)));
    predicate stream_words{L}(float *s) = \valid(s + (0 .. 31)) && perm(s,32); */
/* One row; s has 32 words of shared memory. */
/*@ requires block && stream_in(x,part,dx,n) && stream_words(s);
    requires \separated(s + (0 .. 31), x + (0 .. n-1)) && \separated(s + (0 .. 31), dx + (0 .. n-1));
    requires part != \null ==> \separated(part, s + (0 .. 31));
    assigns *part, dx[0 .. n-1], s[0 .. 31]; */
DEV void stream_row(idx n, idx hit, int adds, float scale, const float *RESTRICT x, float *part,
                    float *RESTRICT dx, float *s)
{
  PRIVATE(float, top);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, top[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(top, t) = stream_top(t, n, x);
  float m = block_max(top, s);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = stream_sum(t, n, m, x);
  float sum = block_sum(acc, s), by = 1.0f / sum;
  if (part) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, *part;
        loop variant BDIM - t; */
    EACH_THREAD(t) stream_leave(t, n, hit, sum, m, x, part);
  }
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, dx[0 .. n-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) stream_put(t, n, hit, adds, m, by, scale, x, dx);
}

/*@ predicate stream_tensors{L}(float *x, float *bad, integer flags, float *part, float *dx,
                                integer rows, integer cols) =
      0 < cols <= IDX_LIM && reads(x,ix(rows,cols,0)) && writes(dx,ix(rows,cols,0)) &&
      apart(x,ix(rows,cols,0),dx,ix(rows,cols,0)) && flags_in(bad,flags) &&
      apart(bad,flags,dx,ix(rows,cols,0)) &&
      (part != \null ==> writes(part,rows) && apart(x,ix(rows,cols,0),part,rows) &&
        apart(bad,flags,part,rows) && apart(dx,ix(rows,cols,0),part,rows)); */
/* Row r; refused: it has no loss and no gradient. */
/*@ requires block && stream_tensors(x,bad,flags,part,dx,rows,cols) && 0 <= r < rows;
    requires \valid_read(target + (0 .. rows-1)) && stream_words(s);
    requires \separated(s + (0 .. 31), x + (0 .. ix(rows,cols,0)-1));
    requires \separated(s + (0 .. 31), dx + (0 .. ix(rows,cols,0)-1));
    requires part != \null ==> \separated(part + (0 .. rows-1), s + (0 .. 31));
    assigns part[r], dx[0 .. ix(rows,cols,0)-1], s[0 .. 31]; */
DEV void stream_nth(idx r, int refused, idx rows, idx cols, int adds, float scale,
                    const float *RESTRICT x, const idx *RESTRICT target, float *part,
                    float *RESTRICT dx, float *s GHOST_PARAMS(const float *bad, int flags))
{
  idx o = at2(rows, cols, r, 0);
  //@ assert last: ix(r+1,cols,0) == o + cols && ix(r+1,cols,0) <= ix(rows,cols,0) && 0 <= o;
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(dx,ix(rows,cols,0));
  //@ assert perm_d: perm_w(dx,ix(rows,cols,0));
  //@ assert perm_row: perm_r(x+o,cols) && perm_r(dx+o,cols) && perm_w(dx+o,cols);
  //@ assert reads: reads(x+o,cols) && writes(dx+o,cols);
  //@ assert apart: apart(x+o,cols,dx+o,cols);
  //@ assert of_part: part != \null ==> perm_w(part,rows) && \valid(part+r) && W(part+r);
  //@ assert of_x: part != \null ==> \separated(part+r, x+o + (0 .. cols-1));
  //@ assert of_dx: part != \null ==> \separated(part+r, dx+o + (0 .. cols-1));
  //@ assert in: stream_in(x+o, part != \null ? part+r : part, dx+o, cols);
  if (!refused)
    stream_row(cols, LDI(target + r), adds, scale, x + o, part ? part + r : part, dx + o, s);
  else if (part)
    block_put(REFUSED, part + r);
}

/* Where a target is out of range, of any row, no row has a loss or a gradient. bad: what loss_targets
 * has left. */
/*@ requires block && stream_tensors(x,bad,flags,part,dx,rows,cols);
    requires 0 < blocks <= IDX_LIM && ix(blocks,1,0) <= BLOCKS && dealt(rows,blocks,share,more);
    requires \valid_read(target + (0 .. rows-1));
    requires \separated(target + (0 .. rows-1), dx + (0 .. ix(rows,cols,0)-1));
    requires g != \null ==> \valid_read(g) && R(g) && \separated(g, dx + (0 .. ix(rows,cols,0)-1));
    requires part != \null ==> \separated(target + (0 .. rows-1), part + (0 .. rows-1));
    requires part != \null && g != \null ==> \separated(g, part + (0 .. rows-1));
    assigns part[0 .. rows-1], dx[0 .. ix(rows,cols,0)-1]; */
KERNEL void loss_stream(idx rows, idx cols, idx blocks, idx share, idx more, int flags, int adds,
                        float each, const float *RESTRICT x, const idx *RESTRICT target,
                        const float *bad, const float *RESTRICT g, float *RESTRICT part,
                        float *RESTRICT dx)
{
  SHARED(float, s, 32);
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, part[0 .. rows-1], dx[0 .. ix(rows,cols,0)-1], s[0 .. 31];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    idx to = rows_before(b + 1, share, more GHOST_ARGS(rows, blocks));
    int refused = targets_refused(flags, bad);
    float scale = loss_scale(each, g);
    /*@ loop invariant 0 <= r <= rows;
        loop assigns r, part[0 .. rows-1], dx[0 .. ix(rows,cols,0)-1], s[0 .. 31];
        loop variant rows - r; */
    for (idx r = rows_before(b, share, more GHOST_ARGS(rows, blocks)); r < to; r++)
      stream_nth(r, refused, rows, cols, adds, scale, x, target, part, dx,
                 s GHOST_ARGS(bad, flags));
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "regs.h"

extern "C" void LAUNCHER(loss_stream)(void *stream, int64_t grid, int block, int64_t rows,
                                      int64_t cols, const float *x, const loss_call *c)
{
  LAUNCH(loss_stream, grid, block, stream, rows, cols, (idx)grid, rows / grid, rows % grid,
         c->flags.n, c->accumulate, c->each, x, c->target, c->flags.bad, c->g, c->part, c->dx);
}
#endif
