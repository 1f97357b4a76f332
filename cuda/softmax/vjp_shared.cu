/* Block a row, in shared memory: the VJPs of softmax, log_softmax and masked_softmax for rows of
 * which y's waits in the row buffer (lang/row_buffer.h), and of g's a thread's first KMAX slots in
 * its registers; the rest of g is read twice, out of the L2, where it is asked for ahead. y, g
 * and dx are (rows, cols). Block b does rows b, b + blocks, ..; while it does one, the next
 * arrives. softmax.cu says when. */
#include "../collective/block_sum.h"
#include "../lang/cache_hints.h"
#include "../row/buffer_place.h"
#include "vjp_row.h"

/*@ // the slots that the block has, of which the row has some
    predicate shared_slots{L}(float *cells, integer slots, integer lead, integer n) =
      slots_of_row(cells,slots) && (0 < n ==> lead + n <= 4*slots);
    predicate shared_held{L}(float4 *v) = \valid(v + (0 .. KMAX*MAXB-1));
    // all slots are late ones, and none on its way is from cell c on
    predicate shared_ready{L}(integer c) =
      early_slots_ == 0 && early_ == WAY_NONE &&
      (late_ == WAY_NONE || (late_ == WAY_OPEN && fetched_ <= c)); */

/* A thread's first slots of a row of g. */
/*@ requires block && shared_held(held) && slot_row(g,lead,n,aligned);
    assigns held[0 .. KMAX*MAXB-1]; */
DEV void shared_hold(PER_THREADK(float4, held), int lead, int n, int aligned,
                     const float *RESTRICT g)
{
  /*@ loop invariant 0 <= j <= KMAX && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, held[0 .. KMAX*MAXB-1];
      loop variant KMAX - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < KMAX; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, held[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      REG(held, j, j0, t) =
          buffer_load(4 * (j0 + t) - lead, n, aligned, 0.0f, g GHOST_ARGS(lead, j0 + t));
  }
}

/* Each thread's sum of parts, from its first slots on. */
/*@ requires shared_slots(cells,slots,lead,n) && shared_held(held) && shared_ready(0);
    requires late_ == WAY_NONE && slot_row(g,lead,n,aligned) && \valid(acc + (0 .. BDIM-1));
    assigns acc[0 .. BDIM-1]; */
DEV void shared_add_all(PER_THREAD(float, acc), ROW_BUFFER_PARAM(cells), PER_THREADK(float4, held),
                        int op, int slots, int lead, int n, int aligned, const float *RESTRICT g)
{
  int j = 0, j0 = 0, full = aligned ? (lead + n) / 4 : 0; /* full: slots that the row fills */
  /*@ loop invariant 0 <= j <= KMAX && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, acc[0 .. BDIM-1];
      loop variant KMAX - j; */
  UNROLL
  for (; j < KMAX; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (j0 + t < slots)
        AT(acc, t) += pull_four(op, BUFFER_LOAD(cells, j, j0, t), REG(held, j, j0, t));
  }
  /*@ loop invariant KMAX <= j <= BUFFER_VEC4S && j0 == mul(j,BDIM) &&
    32 <= j0 <= BUFFER_VEC4S + MAXB;
      loop assigns j, j0, acc[0 .. BDIM-1];
      loop variant full - j0; */
  UNROLL_BY(4)
  for (; j0 + BDIM <= full; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      AT(acc, t) += pull_four(op, BUFFER_LOAD(cells, j, j0, t), LD4(g + (4 * (j0 + t) - lead)));
  }
  /*@ loop invariant KMAX <= j <= BUFFER_VEC4S && j0 == mul(j,BDIM) &&
    32 <= j0 <= BUFFER_VEC4S + MAXB;
      loop assigns j, j0, acc[0 .. BDIM-1];
      loop variant slots - j0; */
  for (; j0 < slots; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (j0 + t < slots)
        AT(acc, t) += pull_four(
            op, BUFFER_LOAD(cells, j, j0, t),
            buffer_load(4 * (j0 + t) - lead, n, aligned, 0.0f, g GHOST_ARGS(lead, j0 + t)));
  }
}

/* The cotangents of slot q of a row, of which v and w are y's and g's; c = 4q - lead. */
/*@ requires slot_inout(dx,lead,n,aligned);
    requires 0 <= q < BUFFER_VEC4S && c == 4*q - lead;
    assigns dx[0 .. n-1]; */
DEV void shared_put(int op, int adds, float4 v, float4 w, float s, int c, int n, int aligned,
                    float *RESTRICT dx GHOST_PARAMS(int q, int lead))
{
  v = pull_vec(op, v, w, s);
  if (adds)
    v = plus4(buffer_load(c, n, aligned, 0.0f, dx GHOST_ARGS(lead, q)), v);
  buffer_store(c, n, aligned, v, dx GHOST_ARGS(q, lead));
}

/* The row's first slots; the next row's come in their place. */
/*@ requires slots_of_row(cells,slots) && slot_inout(dx,lead,n,aligned);
    requires slots_arrive(cells,slots2,y2,lead2,n2,aligned) && slot_row(g2,lead2,n2,aligned);
    requires shared_held(held) && shared_ready(0);
    assigns cells[0 .. 4*BUFFER_VEC4S-1], held[0 .. KMAX*MAXB-1], dx[0 .. n-1], early_, late_,
      fetched_;
    ensures shared_ready(4*mul(KMAX,BDIM)); */
DEV void shared_put_held(ROW_BUFFER_PARAM(cells), PER_THREADK(float4, held), int op, int adds,
                         int slots, int slots2, int lead, int lead2, int n, int n2, int aligned,
                         float s, const float *RESTRICT y2, const float *RESTRICT g2,
                         float *RESTRICT dx)
{
  /*@ loop invariant 0 <= j <= KMAX && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant shared_ready(4*j0);
      loop assigns j, j0, cells[0 .. 4*BUFFER_VEC4S-1], held[0 .. KMAX*MAXB-1], dx[0 .. n-1],
        early_,
                   late_, fetched_;
      loop variant KMAX - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < KMAX; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM && shared_ready(4*(j0+t));
        loop assigns t, cells[0 .. 4*BUFFER_VEC4S-1], held[0 .. KMAX*MAXB-1], dx[0 .. n-1], early_,
                     late_, fetched_;
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert at: 0 <= j0 + t < KMAX*MAXB;
      if (j0 + t < slots)
        shared_put(op, adds, BUFFER_LOAD(cells, j, j0, t), REG(held, j, j0, t), s,
                   4 * (j0 + t) - lead, n, aligned, dx GHOST_ARGS(j0 + t, lead));
      if (j0 + t < slots2) {
        buffer_fetch(cells, j, j0, t, lead2, n2, aligned, 0.0f, y2);
        REG(held, j, j0, t) =
            buffer_load(4 * (j0 + t) - lead2, n2, aligned, 0.0f, g2 GHOST_ARGS(lead2, j0 + t));
      }
    }
  }
}

/* The line of memory that begins with slot q of a row of g is asked for. */
/*@ requires slot_row(g,lead,n,0) && 0 <= q < BUFFER_VEC4S;
    assigns \nothing; */
DEV void shared_ask(int q, int lead, int n, const float *RESTRICT g)
{
  if (q % 8 == 0 && whole(4 * q - lead, n))
    prefetch_l2(g + (4 * q - lead));
}

/* The other slots; ahead: g's of the first of them. */
/*@ requires slots_of_row(cells,slots) && slot_row(g,lead,n,aligned) && slot_inout(dx,lead,n,
  aligned);
    requires slots_arrive(cells,slots2,y2,lead2,n2,aligned) && slot_row(g2,lead2,n2,aligned);
    requires \valid(ahead + (0 .. BDIM-1)) && shared_ready(4*mul(KMAX,BDIM));
    assigns cells[0 .. 4*BUFFER_VEC4S-1], ahead[0 .. BDIM-1], dx[0 .. n-1], early_, late_, fetched_;
    ensures early_slots_ == 0; */
DEV void shared_put_rest(ROW_BUFFER_PARAM(cells), PER_THREAD(float4, ahead), int op, int adds,
                         int slots, int slots2, int lead, int lead2, int n, int n2, int aligned,
                         float s, const float *RESTRICT g, const float *RESTRICT y2,
                         const float *RESTRICT g2, float *RESTRICT dx)
{
  //@ assert KMAX * BDIM == mul(KMAX,BDIM);
  /*@ loop invariant KMAX <= j <= BUFFER_VEC4S && j0 == mul(j,BDIM) &&
    32 <= j0 <= BUFFER_VEC4S + MAXB;
      loop invariant shared_ready(4*j0);
      loop assigns j, j0, cells[0 .. 4*BUFFER_VEC4S-1], ahead[0 .. BDIM-1], dx[0 .. n-1], early_,
        late_,
                   fetched_;
      loop variant BUFFER_VEC4S - j0; */
  for (int j = KMAX, j0 = KMAX * BDIM; j0 < slots || j0 < slots2; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM && shared_ready(4*(j0+t));
        loop assigns t, cells[0 .. 4*BUFFER_VEC4S-1], ahead[0 .. BDIM-1], dx[0 .. n-1], early_,
          late_,
                     fetched_;
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      if (j0 + t < slots) {
        float4 w = AT(ahead, t);
        AT(ahead, t) = buffer_load(4 * (j0 + BDIM + t) - lead, n, aligned, 0.0f,
                                   g GHOST_ARGS(lead, j0 + BDIM + t));
        shared_put(op, adds, BUFFER_LOAD(cells, j, j0, t), w, s, 4 * (j0 + t) - lead, n, aligned,
                   dx GHOST_ARGS(j0 + t, lead));
      }
      if (j0 + t < slots2) {
        buffer_fetch(cells, j, j0, t, lead2, n2, aligned, 0.0f, y2);
        shared_ask(j0 + t, lead2, n2, g2);
      }
    }
  }
}

/* The row that is in the slots; the next one begins to arrive there, of which n2 and slots2 are 0
 * where there is none. */
/*@ requires shared_slots(cells,slots,lead,n) && slot_row(g,lead,n,aligned);
    requires slot_inout(dx,lead,n,aligned);
    requires slots_arrive(cells,slots2,y2,lead2,n2,aligned) && slot_row(g2,lead2,n2,aligned);
    requires shared_held(held) && early_slots_ == 0 && \valid(s + (0 .. 31)) && perm(s,32);
    assigns cells[0 .. 4*BUFFER_VEC4S-1], held[0 .. KMAX*MAXB-1], dx[0 .. n-1], s[0 .. 31], early_,
      late_,
            fetched_;
    ensures early_slots_ == 0; */
DEV void shared_pull(ROW_BUFFER_PARAM(cells), PER_THREADK(float4, held), int op, int adds,
                     int slots, int slots2, int lead, int lead2, int n, int n2, int aligned,
                     const float *RESTRICT g, const float *RESTRICT y2, const float *RESTRICT g2,
                     float *RESTRICT dx, float *s)
{
  PRIVATE(float, acc);
  PRIVATE(float4, ahead);
  float sum;
  buffer_wait_all();
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  shared_add_all(acc, cells, held, op, slots, lead, n, aligned, g);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, ahead[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t)
    AT(ahead, t) = buffer_load(4 * (KMAX * BDIM + t) - lead, n, aligned, 0.0f,
                               g GHOST_ARGS(lead, KMAX * BDIM + t));
  sum = block_sum(acc, s);
  shared_put_held(cells, held, op, adds, slots, slots2, lead, lead2, n, n2, aligned, sum, y2, g2,
                  dx);
  shared_put_rest(cells, ahead, op, adds, slots, slots2, lead, lead2, n, n2, aligned, sum, g, y2,
                  g2, dx);
}

/* Block b. */
/*@ requires slots_fit(cols) && 0 <= b < blocks <= IDX_LIM;
    requires slot_reads(y,rows,cols,aligned) && slot_reads(g,rows,cols,aligned);
    requires slot_reads(dx,rows,cols,aligned) && slot_writes(dx,rows,cols,aligned);
    assigns dx[0 .. ix(rows,cols,0)-1], early_slots_, early_, late_, fetched_; */
DEV void shared_block(idx b, idx blocks, int op, int aligned, int adds, idx rows, int cols,
                      const float *RESTRICT y, const float *RESTRICT g, float *RESTRICT dx)
{
  ROW_BUFFER(cells, 0);
  SHARED(float, s, 32);
  PRIVATEK(float4, held);
  slot_place now = buffer_place(b, rows, cols);
  buffer_fetch_range(cells, 0, BUFFER_VEC4S, now.slots, now.lead, now.n, aligned, 0.0f,
                     y + buffer_row_at(now GHOST_ARGS(b, rows, cols, aligned, y)));
  shared_hold(held, now.lead, now.n, aligned,
              g + buffer_row_at(now GHOST_ARGS(b, rows, cols, aligned, g)));
  /*@ loop invariant b <= r <= IDX_LIM + blocks && slot_placed(now,r,rows,cols);
      loop invariant early_slots_ == 0;
      loop assigns r, now, cells[0 .. 4*BUFFER_VEC4S-1], held[0 .. KMAX*MAXB-1], s[0 .. 31],
                   dx[0 .. ix(rows,cols,0)-1], early_, late_, fetched_;
      loop variant rows - r; */
  for (idx r = b; r < rows; r += blocks) {
    slot_place next = buffer_place(r + blocks, rows, cols);
    idx of_g = buffer_row_at(now GHOST_ARGS(r, rows, cols, aligned, g));
    idx y2 = buffer_row_at(next GHOST_ARGS(r + blocks, rows, cols, aligned, y));
    idx g2 = buffer_row_at(next GHOST_ARGS(r + blocks, rows, cols, aligned, g));
    idx to = buffer_out_at(now GHOST_ARGS(r, rows, cols, aligned, dx));
    shared_pull(cells, held, op, adds, now.slots, next.slots, now.lead, next.lead, cols, next.n,
                aligned, g + of_g, y + y2, g + g2, dx + to, s);
    now = next;
  }
}

/* OP: op.h; VEC: all tensors are 16-byte aligned. */
/*@ requires slots_fit(cols) && 0 < blocks <= IDX_LIM && ix(blocks,1,0) <= BLOCKS;
    requires slot_reads(y,rows,cols,VEC) && slot_reads(g,rows,cols,VEC);
    requires slot_reads(dx,rows,cols,VEC) && slot_writes(dx,rows,cols,VEC);
    requires apart(y,ix(rows,cols,0),dx,ix(rows,cols,0));
    requires apart(g,ix(rows,cols,0),dx,ix(rows,cols,0));
    assigns dx[0 .. ix(rows,cols,0)-1], early_slots_, early_, late_, fetched_; */
TEMPLATE(int OP, int VEC)
KERNEL void THREADS_AT_MOST(MAXB)
    softmax_vjp_shared(CONSTANTS(int OP, int VEC) int accumulate, idx blocks, idx rows, int cols,
                       const float *RESTRICT y, const float *RESTRICT g, float *RESTRICT dx)
{
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, dx[0 .. ix(rows,cols,0)-1], early_slots_, early_, late_, fetched_;
      loop variant blocks - b; */
  BROWS(b, blocks, 1) shared_block(b, blocks, OP, VEC, accumulate, rows, cols, y, g, dx);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "launch.h"
#include "../host/table.h"

template <int OP>
static void launch_vjp_shared(const pm_exec *ex, int vec, int64_t blocks, int block, int accumulate,
                              int64_t rows, int cols, const float *y, const float *g, float *dx)
{
  if (vec)
    LAUNCH_ROW_BUFFER((softmax_vjp_shared<OP, 1>), blocks, block, cols, ex->stream, accumulate,
                      blocks, rows, cols, y, g, dx);
  else
    LAUNCH_ROW_BUFFER((softmax_vjp_shared<OP, 0>), blocks, block, cols, ex->stream, accumulate,
                      blocks, rows, cols, y, g, dx);
}

extern "C" void LAUNCHER(softmax_vjp_shared)(const pm_exec *ex, int op, int vec, int64_t blocks,
                                             int block, int accumulate, int64_t rows, int64_t cols,
                                             const float *y, const float *g, float *dx)
{
  int w = (int)cols;
#define RUN(OP) launch_vjp_shared<OP>(ex, vec, blocks, block, accumulate, rows, w, y, g, dx)
  WITH_OP(RUN, op);
#undef RUN
}
#endif
