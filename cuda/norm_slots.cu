/* layer_norm and rms_norm where a row waits in the slots of a block (slots.h), which does rows b,
 * b + blocks, ..: x and y are (rows, cols), gamma and beta (cols), mean and rstd (rows). A lane's K
 * early slots wait in registers once the row is there, and the next row's arrive while this one is
 * added up; its late ones arrive while this row is written. norm.cu says when. */
#include "norm_row.h"
#include "slot_place.h"

/* Of layer_norm, most registers are for gamma and beta. */
enum { SLOTS_CENTERED = 2, SLOTS_RMS = KMAX };

/*@ // a vector of which all rows take their elements
    predicate norm_every{L}(float *p, integer n, integer aligned) =
      0 <= n <= SLOT_COLS && \valid_read(p + (0 .. n-1)) && perm_r(p,n) &&
      (aligned != 0 ==> aligned16(p));
    // element c of a row in a slot
    predicate norm_place(integer c) = -32 < c <= 8*MAX_SLOTS;
    predicate norm_early(integer K) = 0 < K <= KMAX;
    predicate norm_kept{L}(float4 *held) = \valid(held + (0 .. KMAX*MAXB-1));
    predicate norm_lanes{L}(float *a) = \valid(a + (0 .. bdim_-1)); */

/* ---- a slot ---- */

/* Elements c .. c+3 of a vector; 0 for those that it has not. */
/*@ requires norm_every(p,n,0) && -32 < c <= 8*MAX_SLOTS;
    assigns \nothing;
    ensures slot_vec(\result,p,c,n,0.0); */
DEV float4 norm_each(int c, int n, const float *RESTRICT p)
{
  float4 v;
  v.x = slot_load1(c, n, 0.0f, p);
  v.y = slot_load1(c + 1, n, 0.0f, p);
  v.z = slot_load1(c + 2, n, 0.0f, p);
  v.w = slot_load1(c + 3, n, 0.0f, p);
  return v;
}

/* Likewise of one that is aligned: c need not be a multiple of 4. */
/*@ requires norm_every(p,n,aligned) && norm_place(c);
    assigns \nothing; */
DEV float4 norm_across(int c, int n, int aligned, const float *RESTRICT p)
{
  if (!aligned || c < 0)
    return norm_each(c, n, p);
  int lo = c / 4 * 4, past = c - lo;
  if (lo + 8 > n)
    return norm_each(c, n, p);
  //@ assert lo % 4 == 0 && 0 <= past < 4;
  //@ assert aligned16(p + lo) && aligned16(p + (lo + 4));
  float4 a = LD4(p + lo), v = a;
  if (past == 0)
    return v;
  float4 b = LD4(p + (lo + 4));
  v.x = past == 1 ? a.y : past == 2 ? a.z : a.w;
  v.y = past == 1 ? a.z : past == 2 ? a.w : b.x;
  v.z = past == 1 ? a.w : past == 2 ? b.x : b.y;
  v.w = past == 1 ? b.x : past == 2 ? b.y : b.z;
  return v;
}

/* A slot about the row's mean, of elements c .. c+3; 0 outside. */
/*@ requires norm_place(c) && 0 <= n <= SLOT_COLS;
    assigns \nothing; */
DEV float4 norm_about(int centered, float4 q, float m, int c, int n)
{
  if (centered) {
    float4 d = {q.x - m, q.y - m, q.z - m, q.w - m};
    q = d;
    if (!whole(c, n)) {
      q.x = inside(c, n) ? d.x : 0.0f;
      q.y = inside(c + 1, n) ? d.y : 0.0f;
      q.z = inside(c + 2, n) ? d.z : 0.0f;
      q.w = inside(c + 3, n) ? d.w : 0.0f;
    }
  }
  return q;
}

/* What becomes of a slot. */
/*@ requires norm_place(c) && 0 <= n <= SLOT_COLS;
    requires affine != 0 ==> norm_every(gamma,n,aligned);
    requires centered != 0 ==> norm_every(beta,n,aligned);
    assigns \nothing; */
DEV float4 norm_slot(int centered, int affine, float4 q, float m, float r, int c, int n,
                     int aligned, const float *RESTRICT gamma, const float *RESTRICT beta)
{
  float4 w = {1, 1, 1, 1}, b = {0, 0, 0, 0};
  if (affine)
    w = norm_across(c, n, aligned, gamma);
  if (centered) {
    float4 d = {q.x - m, q.y - m, q.z - m, q.w - m};
    q = d;
    b = norm_across(c, n, aligned, beta);
  }
  return norm_scale(centered, q, r, w, b);
}

/* ---- a row ---- */

/* The sum of what a lane holds, where the mean is asked for; the next row's early slots begin to
 * arrive. */
/*@ requires slots_arrive(v,slots2,x,lead,n,aligned) && norm_kept(held) && norm_lanes(sum);
    requires norm_early(K) && early_slots_ == K && early_ == WAY_NONE && late_ != WAY_OPEN;
    assigns sum[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1], early_, late_, fetched_;
    ensures late_ == \old(late_); */
DEV void norm_sum_early(LANE(float, sum), LANEK(float4, held), LANE_SLOTS(v), int K, int centered,
                        int slots2, int lead, int n, int aligned, const float *RESTRICT x)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant slot_open(0,4*j0) && late_ == \at(late_,Pre);
      loop assigns j, j0, sum[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1], early_, late_, fetched_;
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM && slot_open(0,4*(j0+t)) && late_ == \at(late_,Pre);
        loop assigns t, sum[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1], early_, late_, fetched_;
        loop variant BDIM - t; */
    LANES(t) {
      if (centered)
        AT(sum, t) += norm_four(0, REG(held, j, j0, t));
      if (j0 + t < slots2)
        slot_fetch(v, j, j0, t, lead, n, aligned, 0.0f, x);
    }
  }
}

/* And of its late slots. */
/*@ requires slots_of_row(v,slots) && norm_lanes(sum);
    requires norm_early(K) && early_slots_ == K && late_ == WAY_NONE;
    requires \separated(v + (0 .. 4*MAX_SLOTS-1), sum + (0 .. BDIM-1));
    assigns sum[0 .. BDIM-1]; */
DEV void norm_sum_late(LANE(float, sum), LANE_SLOTS(v), int K, int slots)
{
  //@ assert mul(K,BDIM) == K*BDIM && 0 <= mul(K,BDIM) <= KMAX*MAXB;
  /*@ loop invariant K <= j <= K + MAX_SLOTS && j0 == mul(j,BDIM) && j <= j0;
      loop assigns j, j0, sum[0 .. BDIM-1];
      loop variant slots - j0; */
  UNROLL_BY(4)
  for (int j = K, j0 = K * BDIM; j0 < slots; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, sum[0 .. BDIM-1];
        loop variant BDIM - t; */
    LANES(t)
      if (j0 + t < slots)
        AT(sum, t) += norm_four(0, SLOT_TAKE(v, j, j0, t));
  }
}

/* The squares of what a lane holds. */
/*@ requires block && norm_early(K) && norm_kept(held) && norm_lanes(sum);
    requires 0 <= lead < 32 && 0 <= n <= SLOT_COLS;
    requires \separated(held + (0 .. KMAX*MAXB-1), sum + (0 .. BDIM-1));
    assigns sum[0 .. BDIM-1]; */
DEV void norm_squares_early(LANE(float, sum), LANEK(float4, held), int K, int centered, float m,
                            int lead, int n)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, sum[0 .. BDIM-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, sum[0 .. BDIM-1];
        loop variant BDIM - t; */
    LANES(t)
      AT(sum, t) +=
          norm_four(1, norm_about(centered, REG(held, j, j0, t), m, 4 * (j0 + t) - lead, n));
  }
}

/*@ requires slots_of_row(v,slots) && norm_lanes(sum) && 0 <= lead < 32 && 0 <= n <= SLOT_COLS;
    requires norm_early(K) && early_slots_ == K && late_ == WAY_NONE;
    requires \separated(v + (0 .. 4*MAX_SLOTS-1), sum + (0 .. BDIM-1));
    assigns sum[0 .. BDIM-1]; */
DEV void norm_squares_late(LANE(float, sum), LANE_SLOTS(v), int K, int slots, int centered, float m,
                           int lead, int n)
{
  //@ assert mul(K,BDIM) == K*BDIM && 0 <= mul(K,BDIM) <= KMAX*MAXB;
  /*@ loop invariant K <= j <= K + MAX_SLOTS && j0 == mul(j,BDIM) && j <= j0;
      loop assigns j, j0, sum[0 .. BDIM-1];
      loop variant slots - j0; */
  UNROLL_BY(4)
  for (int j = K, j0 = K * BDIM; j0 < slots; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, sum[0 .. BDIM-1];
        loop variant BDIM - t; */
    LANES(t)
      if (j0 + t < slots)
        AT(sum, t) +=
            norm_four(1, norm_about(centered, SLOT_TAKE(v, j, j0, t), m, 4 * (j0 + t) - lead, n));
  }
}

/* The late slots of a row leave, and those of the next one begin to arrive. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots);
    requires slot_out(y,lead,n,aligned) && perm_w(y,n);
    requires affine != 0 ==> norm_every(gamma,n,aligned);
    requires centered != 0 ==> norm_every(beta,n,aligned);
    requires norm_early(K) && early_slots_ == K && late_ == WAY_NONE && early_ != WAY_OPEN;
    requires \separated(v + (0 .. 4*MAX_SLOTS-1), y + (0 .. n-1));
    assigns v[0 .. 4*MAX_SLOTS-1], y[0 .. n-1], early_, late_, fetched_;
    ensures early_ == \old(early_); */
DEV void norm_put_late(LANE_SLOTS(v), int K, int slots, int lead, int n, int slots2, int lead2,
                       int n2, int aligned, int centered, int affine, norm_stats s,
                       const float *RESTRICT x, const float *RESTRICT gamma,
                       const float *RESTRICT beta, float *RESTRICT y)
{
  //@ assert mul(K,BDIM) == K*BDIM && 0 <= mul(K,BDIM) <= KMAX*MAXB;
  /*@ loop invariant K <= j <= K + MAX_SLOTS && j0 == mul(j,BDIM) && j <= j0;
      loop invariant slot_open(K,4*j0) && early_ == \at(early_,Pre);
      loop assigns j, j0, v[0 .. 4*MAX_SLOTS-1], y[0 .. n-1], early_, late_, fetched_;
      loop variant slots + slots2 - j0; */
  for (int j = K, j0 = K * BDIM; j0 < slots || j0 < slots2; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM && slot_open(K,4*(j0+t)) && early_ == \at(early_,Pre);
        loop assigns t, v[0 .. 4*MAX_SLOTS-1], y[0 .. n-1], early_, late_, fetched_;
        loop variant BDIM - t; */
    LANES(t) {
      if (j0 + t < slots)
        slot_store(4 * (j0 + t) - lead, n, aligned,
                   norm_slot(centered, affine, SLOT_TAKE(v, j, j0, t), s.mean, s.rstd,
                             4 * (j0 + t) - lead, n, aligned, gamma, beta),
                   y GHOST_ARGS(j0 + t, lead));
      if (j0 + t < slots2)
        slot_fetch(v, j, j0, t, lead2, n2, aligned, 0.0f, x);
    }
  }
}

/*@ requires block && norm_early(K) && norm_kept(held) && 0 <= slots <= MAX_SLOTS;
    requires slot_out(y,lead,n,aligned) && perm_w(y,n);
    requires affine != 0 ==> norm_every(gamma,n,aligned);
    requires centered != 0 ==> norm_every(beta,n,aligned);
    assigns y[0 .. n-1]; */
DEV void norm_put_early(LANEK(float4, held), int K, int slots, int lead, int n, int aligned,
                        int centered, int affine, norm_stats s, const float *RESTRICT gamma,
                        const float *RESTRICT beta, float *RESTRICT y)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, y[0 .. n-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, y[0 .. n-1];
        loop variant BDIM - t; */
    LANES(t)
      if (j0 + t < slots)
        slot_store(4 * (j0 + t) - lead, n, aligned,
                   norm_slot(centered, affine, REG(held, j, j0, t), s.mean, s.rstd,
                             4 * (j0 + t) - lead, n, aligned, gamma, beta),
                   y GHOST_ARGS(j0 + t, lead));
  }
}

/* The row that is in the slots; the next one begins to arrive there. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots) && 0 < n;
    requires slot_out(y,lead,n,aligned) && perm_w(y,n);
    requires affine != 0 ==> norm_every(gamma,n,aligned);
    requires centered != 0 ==> norm_every(beta,n,aligned);
    requires norm_early(K) && early_slots_ == K;
    requires early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    requires \separated(v + (0 .. 4*MAX_SLOTS-1), y + (0 .. n-1));
    requires \valid(s0 + (0 .. 31)) && perm(s0,32) && \valid(s1 + (0 .. 31)) && perm(s1,32);
    assigns v[0 .. 4*MAX_SLOTS-1], y[0 .. n-1], s0[0 .. 31], s1[0 .. 31], early_, late_, fetched_,
            newest_;
    ensures early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE; */
DEV norm_stats norm_slots_row(LANE_SLOTS(v), int K, int slots, int lead, int n, int slots2,
                              int lead2, int n2, int aligned, int centered, int affine, float eps,
                              const float *RESTRICT x, const float *RESTRICT gamma,
                              const float *RESTRICT beta, float *RESTRICT y, float *s0, float *s1)
{
  PRIVATE(float, sum);
  PRIVATE(float, squares);
  PRIVATEK(float4, held);
  norm_stats s;
  s.mean = 0.0f;
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, sum[0 .. BDIM-1], squares[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    AT(sum, t) = 0.0f;
    AT(squares, t) = 0.0f;
  }
  slots_wait_but_newest();
  slots_hold(held, v, K, slots, 0.0f);
  norm_sum_early(sum, held, v, K, centered, slots2, lead2, n2, aligned, x);
  slots_send(EARLY);
  slots_wait_but_newest();
  if (centered) {
    norm_sum_late(sum, v, K, slots);
    s.mean = norm_mean(block_sum(sum, s0), n);
  }
  norm_squares_early(squares, held, K, centered, s.mean, lead, n);
  norm_squares_late(squares, v, K, slots, centered, s.mean, lead, n);
  s.rstd = norm_rstd(block_sum(squares, s1), n, eps);
  norm_put_late(v, K, slots, lead, n, slots2, lead2, n2, aligned, centered, affine, s, x, gamma,
                beta, y);
  slots_send(LATE);
  norm_put_early(held, K, slots, lead, n, aligned, centered, affine, s, gamma, beta, y);
  return s;
}

/* ---- a block ---- */

/*@ // gamma and beta where there are such, and the statistics
    predicate norm_vectors_in{L}(integer centered, integer affine, float *gamma, float *beta,
                                 integer n, integer aligned) =
      (affine != 0 ==> norm_every(gamma,n,aligned)) &&
      (centered != 0 ==> norm_every(beta,n,aligned));
    predicate norm_stats_out{L}(integer centered, float *mean, float *rstd, integer rows) =
      writes(rstd,rows) &&
      (centered != 0 ==> writes(mean,rows) && apart(rstd,rows,mean,rows)); */

/* A row's statistics. */
/*@ requires block && norm_stats_out(centered,mean,rstd,rows) && 0 <= r < rows;
    assigns rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1]; */
DEV void norm_slots_stats(int centered, idx r, norm_stats s, float *RESTRICT mean,
                          float *RESTRICT rstd GHOST_PARAMS(idx rows))
{
  //@ assert perm_w(rstd,rows) && W(rstd+r);
  //@ assert centered != 0 ==> perm_w(mean,rows) && W(mean+r);
  norm_put(centered, r, s, mean, rstd);
}

/* Block b. */
/*@ requires slots_fit(n) && 0 <= b < blocks <= IDX_LIM && norm_early(K);
    requires slot_reads(x,rows,n,aligned) && slot_writes(y,rows,n,aligned);
    requires apart(x,ix(rows,n,0),y,ix(rows,n,0));
    requires norm_vectors_in(centered,affine,gamma,beta,n,aligned);
    requires norm_stats_out(centered,mean,rstd,rows);
    assigns y[0 .. ix(rows,n,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1],
            early_slots_, early_, late_, fetched_, newest_; */
DEV void norm_slots_block(idx b, idx blocks, int K, int aligned, int centered, int affine, idx rows,
                          int n, float eps, const float *RESTRICT x, const float *RESTRICT gamma,
                          const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
                          float *RESTRICT rstd)
{
  SLOTS(v, K);
  SHARED(float, s0, 32);
  SHARED(float, s1, 32);
  slot_place now = slots_place(b, rows, n);
  slots_fetch_first(v, K, now.slots, now.lead, now.n, aligned, 0.0f,
                    x + slot_row_at(now GHOST_ARGS(b, rows, n, aligned, x)));
  /*@ loop invariant b <= r <= IDX_LIM + blocks && slot_placed(now,r,rows,n);
      loop invariant early_slots_ == K && early_ == WAY_SENT && late_ == WAY_SENT;
      loop invariant newest_ == LATE;
      loop assigns r, now, v[0 .. 4*MAX_SLOTS-1], y[0 .. ix(rows,n,0)-1], s0[0 .. 31],
                   s1[0 .. 31], rstd[0 .. rows-1], mean[0 .. if_there(centered,rows)-1], early_,
                   late_, fetched_, newest_;
      loop variant rows - r; */
  for (idx r = b; r < rows; r += blocks) {
    slot_place next = slots_place(r + blocks, rows, n);
    idx from = slot_row_at(next GHOST_ARGS(r + blocks, rows, n, aligned, x));
    idx to = slot_out_at(now GHOST_ARGS(r, rows, n, aligned, y));
    norm_stats s;
    s = norm_slots_row(v, K, now.slots, now.lead, n, next.slots, next.lead, next.n, aligned,
                       centered, affine, eps, x + from, gamma, beta, y + to, s0, s1);
    norm_slots_stats(centered, r, s, mean, rstd GHOST_ARGS(rows));
    now = next;
  }
}

/* gamma is read where affine, beta read and mean written where CENTERED; VEC: every tensor is
 * 16-byte aligned. */
/*@ requires slots_fit(cols) && 0 < blocks <= IDX_LIM && ix(blocks,1,0) <= BLOCKS;
    requires slot_reads(x,rows,cols,VEC) && slot_writes(y,rows,cols,VEC);
    requires norm_vectors_in(CENTERED,affine,gamma,beta,cols,VEC);
    requires norm_stats_out(CENTERED,mean,rstd,rows);
    requires norm_apart(CENTERED,affine,rows,cols,x,gamma,beta,y);
    requires stats_apart(CENTERED,affine,rows,cols,x,gamma,beta,rstd,rows);
    requires stats_apart(CENTERED,affine,rows,cols,x,gamma,beta,mean,if_there(CENTERED,rows));
    requires apart(y,ix(rows,cols,0),rstd,rows);
    requires apart(y,ix(rows,cols,0),mean,if_there(CENTERED,rows));
    assigns y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. if_there(CENTERED,rows)-1],
            early_slots_, early_, late_, fetched_, newest_; */
TEMPLATE(int CENTERED, int VEC)
KERNEL void THREADS_AT_MOST(1024)
    norm_slots(CONSTANTS(int CENTERED, int VEC) int affine, idx blocks, idx rows, int cols,
               float eps, const float *RESTRICT x, const float *RESTRICT gamma,
               const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
               float *RESTRICT rstd)
{
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                   mean[0 .. if_there(CENTERED,rows)-1], early_slots_, early_, late_, fetched_,
                   newest_;
      loop variant blocks - b; */
  BROWS(b, blocks, 1)
    norm_slots_block(b, blocks, CENTERED ? SLOTS_CENTERED : SLOTS_RMS, VEC, CENTERED, affine, rows,
                     cols, eps, x, gamma, beta, y, mean, rstd);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "norm_slots.h"

template <int VEC>
static void launch_norm_slots(const pm_exec *ex, int64_t blocks, int block, const norm_call *t)
{
  int affine = t->gamma != NULL, w = (int)t->cols;
  if (t->mean)
    LAUNCH_SLOTS((norm_slots<1, VEC>), blocks, block, t->cols, ex->stream, affine, blocks, t->rows,
                 w, t->eps, t->x, t->gamma, t->beta, t->y, t->mean, t->rstd);
  else
    LAUNCH_SLOTS((norm_slots<0, VEC>), blocks, block, t->cols, ex->stream, affine, blocks, t->rows,
                 w, t->eps, t->x, t->gamma, t->beta, t->y, t->mean, t->rstd);
}

extern "C" void LAUNCHER(norm_slots)(const pm_exec *ex, int vec, int64_t blocks, int block,
                                     const norm_call *t)
{
  if (vec)
    launch_norm_slots<1>(ex, blocks, block, t);
  else
    launch_norm_slots<0>(ex, blocks, block, t);
}
#endif
