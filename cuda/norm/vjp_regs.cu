/* Warp or block a row, in registers: layer_norm_vjp and rms_norm_vjp of rows that wait in those
 * of groups of `lanes` threads, whole warps or, where they are `narrow`, 1, 2, 4, .. 32 lanes: x,
 * g, dx are (rows, cols), gamma (cols), mean, rstd (rows). Vector q of a row, elements 4q to
 * 4q+3, is register q / lanes of lane q % lanes of its group; what lies outside the row is 0. A
 * block does tiles of a row a group, and fetches the next while it is at work on one. It adds up
 * g xhat and g, for dgamma and dbeta, and leaves these sums as row b of `sums` and, where the
 * rows are centered, as row blocks + b (sum/column_join.cu adds those up). norm.cu says when. */
#include "../lang/dependent_launch.h"
#include "vjp_regs_row.h"

/* ---- sums over a group ---- */

/*@ predicate vjp_words{L}(float *s) = \valid(s + (0 .. 31)) && perm(s,32);
    predicate vjp_groups(integer narrow, vjp_cut c) =
      narrow != 0 ? vjp_reach(c.lanes)
                  : 0 < c.warps && ix(c.groups,c.warps,0) <= 32 && vjp_reach(c.reach); */

/* What a warp of the group left, 0 where it has none such. */
/*@ requires 0 <= group < c.groups && 0 <= warp && 0 < c.warps && ix(c.groups,c.warps,0) <= 32;
    requires \valid(s + (0 .. 31)) && perm_r(s,32);
    assigns \nothing; */
DEV float vjp_published(int group, int warp, vjp_cut c, float *s PHASE_FN)
{
  float v = 0.0f;
  if (warp < c.warps)
    v = LD(&s[at2(c.groups, c.warps, group, warp)]);
  return v;
}

/* v of each lane becomes the sum over `reach` of them. */
/*@ requires block && \valid(v + (0 .. BDIM-1)) && vjp_reach(reach);
    assigns v[0 .. BDIM-1]; */
DEV void vjp_reach_sum(PER_THREAD(float, v), int reach)
{
  /*@ loop invariant vjp_reach(m);
      loop assigns m, v[0 .. BDIM-1];
      loop variant reach - m; */
  for (int m = 1; m < reach; m *= 2) xor_add(v, m);
}

/* a and b of each lane become the sums over its group, of whole warps; a only where it is
 * wanted. */
/*@ requires block && \valid(a + (0 .. BDIM-1)) && \valid(b + (0 .. BDIM-1));
    requires vjp_groups(0,c) && vjp_words(s) && vjp_words(r);
    requires \valid_read(w + (0 .. BDIM-1)) && vjp_places(w,BDIM,c);
    assigns a[0 .. BDIM-1], b[0 .. BDIM-1], s[0 .. 31], r[0 .. 31]; */
DEV void vjp_warps_sum(PER_THREAD(float, a), PER_THREAD(float, b), PER_THREAD(vjp_at, w),
                       int wanted, vjp_cut c, float *s, float *r)
{
  if (wanted)
    warp_sum(a);
  warp_sum(b);
  if (c.warps > 1) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, s[0 .. 31], r[0 .. 31];
        loop variant BDIM - t; */
    PHASE(t) {
      if (wanted)
        publish(t, s, AT(a, t) IN_PHASE);
      publish(t, r, AT(b, t) IN_PHASE);
    }
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, a[0 .. BDIM-1], b[0 .. BDIM-1];
        loop variant BDIM - t; */
    PHASE(t) {
      //@ assert vjp_place(w[t],t,c);
      if (wanted)
        AT(a, t) = vjp_published(AT(w, t).group, AT(w, t).warp, c, s IN_PHASE);
      AT(b, t) = vjp_published(AT(w, t).group, AT(w, t).warp, c, r IN_PHASE);
    }
    if (wanted)
      vjp_reach_sum(a, c.reach);
    vjp_reach_sum(b, c.reach);
  }
}

/* The same for either kind of groups. */
/*@ requires block && \valid(a + (0 .. BDIM-1)) && \valid(b + (0 .. BDIM-1));
    requires vjp_groups(narrow,c) && vjp_words(s) && vjp_words(r);
    requires \valid_read(w + (0 .. BDIM-1)) && vjp_places(w,BDIM,c);
    assigns a[0 .. BDIM-1], b[0 .. BDIM-1], s[0 .. 31], r[0 .. 31]; */
DEV void vjp_sum(PER_THREAD(float, a), PER_THREAD(float, b), PER_THREAD(vjp_at, w), int narrow,
                 int wanted, vjp_cut c, float *s, float *r)
{
  if (narrow) {
    if (wanted)
      vjp_reach_sum(a, c.lanes);
    vjp_reach_sum(b, c.lanes);
  } else {
    vjp_warps_sum(a, b, w, wanted, c, s, r);
  }
}

/* ---- what a block leaves ---- */

/*@ // shared memory: vectors of sums, all x of them, then all y, ..; a thread has cell k of each
    predicate vjp_shared{L}(float *s) = \valid(s + (0 .. 4*VJP_CELLS-1));
    predicate vjp_cell_W(integer k0, integer t, integer k) =
      k == k0 + t || k == k0 + t + VJP_CELLS || k == k0 + t + 2*VJP_CELLS ||
      k == k0 + t + 3*VJP_CELLS;
    lemma race_vjp_cell: \forall integer i, j, t, u, b, k; 0 <= t < b ==> 0 <= u < b ==> t != u ==>
      0 <= mul(i,b) <= VJP_CELLS - b ==> 0 <= mul(j,b) <= VJP_CELLS - b ==>
      vjp_cell_W(mul(i,b),t,k) ==> !vjp_cell_W(mul(j,b),u,k); */

/*@ requires vjp_shared(s) && 0 <= k0 && 0 <= t && k0 + t < VJP_CELLS;
    requires \forall integer k; vjp_cell_W(k0,t,k) ==> W(s+k);
    assigns s[0 .. 4*VJP_CELLS-1]; */
DEV void vjp_lay(int k0, int t, float4 v, float *s PHASE_FN)
{
  //@ assert vjp_cell_W(k0,t,k0+t) && vjp_cell_W(k0,t,k0+t+VJP_CELLS);
  //@ assert vjp_cell_W(k0,t,k0+t+2*VJP_CELLS) && vjp_cell_W(k0,t,k0+t+3*VJP_CELLS);
  ST(&s[k0 + t], v.x);
  ST(&s[k0 + t + VJP_CELLS], v.y);
  ST(&s[k0 + t + 2 * VJP_CELLS], v.z);
  ST(&s[k0 + t + 3 * VJP_CELLS], v.w);
}

/*@ requires vjp_fits(K,c,n) && vjp_held(v) && 0 <= t < BDIM && vjp_shared(s);
    requires perm_w(s,4*VJP_CELLS);
    assigns s[0 .. 4*VJP_CELLS-1]; */
DEV void vjp_lay_all(PER_THREADK(float4, v), int t, int K,
                     float *s PHASE_FN GHOST_PARAMS(vjp_cut c, int n))
{
  /*@ loop invariant 0 <= k <= K && k0 == mul(k,BDIM) && 0 <= k0 <= k*VJP_BLOCK;
      loop assigns k, k0, s[0 .. 4*VJP_CELLS-1];
      loop variant K - k; */
  UNROLL
  for (int k = 0, k0 = 0; k < K; k++, k0 += BDIM) {
    //@ assert mul(k+1,BDIM) == k0 + BDIM && k0 + t < VJP_CELLS;
    vjp_lay(k0, t, REG(v, k, k0, t), s IN_PHASE);
  }
}

/* Vectors k0 + lane of the groups first, first + step, .. before `end` added up. */
/*@ requires vjp_shared(s) && perm_r(s,4*VJP_CELLS) && 0 <= lane < c.lanes <= VJP_BLOCK;
    requires 0 < c.groups <= VJP_BLOCK && 0 <= k0 && k0 + ix(c.groups,c.lanes,0) <= VJP_CELLS;
    requires 0 <= first && 0 < step <= VJP_BLOCK && end <= c.groups;
    assigns \nothing; */
DEV float4 vjp_add_up(int k0, int lane, int first, int end, int step, vjp_cut c, float *s PHASE_FN)
{
  float4 all = {0, 0, 0, 0};
  /*@ loop invariant 0 <= i;
      loop assigns i, all;
      loop variant end - i; */
  UNROLL_BY(8)
  for (int i = first; i < end; i += step) {
    idx at = k0 + at2(c.groups, c.lanes, i, lane);
    //@ assert 0 <= at < VJP_CELLS;
    float4 v = {LD(&s[at]), LD(&s[at + VJP_CELLS]), LD(&s[at + 2 * VJP_CELLS]),
                LD(&s[at + 3 * VJP_CELLS])};
    all = plus4(all, v);
  }
  return all;
}

/* Registers w.group, w.group + groups, .. of the group's lanes are this lane's to add up. */
/*@ requires vjp_fits(K,c,n) && vjp_place(w,t,c) && vjp_shared(s) && perm_r(s,4*VJP_CELLS);
    requires row_out(to,n,aligned);
    assigns to[0 .. n-1]; */
DEV void vjp_leave_some(vjp_at w, int K, vjp_cut c, int n, int aligned, float *s,
                        float *RESTRICT to PHASE_FN GHOST_PARAMS(int t))
{
  /*@ loop invariant 0 <= k;
      loop assigns k, to[0 .. n-1];
      loop variant K - k; */
  for (int k = w.group; k < K; k += c.groups) {
    //@ assert k * BDIM == mul(k,BDIM) && k * c.lanes == mul(k,c.lanes);
    //@ assert k == 0 || k == 1 || k == 2 || k == 3;
    //@ assert 0 <= mul(k,BDIM) <= 3*BDIM && 0 <= mul(k,c.lanes) <= 3*c.lanes;
    row_store(k * c.lanes, w.lane, n, aligned,
              vjp_add_up(k * BDIM, w.lane, 0, c.groups, 1, c, s IN_PHASE), to);
  }
}

/*@ // a lane's register in each of `parts` is some lane's to add up
    predicate vjp_parts(integer narrow, integer K, vjp_cut c) =
      narrow != 0 ==> 0 < c.parts <= VJP_BLOCK && ix(c.parts,K,0) <= c.groups; */

/* Groups p, p + parts, .. are part p: register k of its lanes is added up by group p K + k. */
/*@ requires vjp_fits(K,c,n) && vjp_place(w,t,c) && vjp_shared(s) && perm_r(s,4*VJP_CELLS);
    requires vjp_parts(1,K,c);
    assigns \nothing; */
DEV float4 vjp_part(vjp_at w, int K, vjp_cut c, float *s PHASE_FN GHOST_PARAMS(int t, int n))
{
  int part = w.group / K, k = w.group % K;
  float4 sum = {0, 0, 0, 0};
  //@ assert k == 0 || k == 1 || k == 2 || k == 3;
  //@ assert k * BDIM == mul(k,BDIM) && 0 <= mul(k,BDIM) <= 3*BDIM;
  if (part < c.parts)
    sum = vjp_add_up(k * BDIM, w.lane, part, c.groups, c.parts, c, s IN_PHASE);
  return sum;
}

/* Register w.group of the parts' lanes. */
/*@ requires vjp_fits(K,c,n) && vjp_place(w,t,c) && vjp_shared(s) && perm_r(s,4*VJP_CELLS);
    requires row_out(to,n,aligned) && vjp_parts(1,K,c);
    assigns to[0 .. n-1]; */
DEV void vjp_leave_parts(vjp_at w, int K, vjp_cut c, int n, int aligned, float *s,
                         float *RESTRICT to PHASE_FN GHOST_PARAMS(int t))
{
  //@ assert c.parts * K == ix(c.parts,K,0);
  if (w.group < K) {
    //@ assert w.group == 0 || w.group == 1 || w.group == 2 || w.group == 3;
    //@ assert w.group * c.lanes == mul(w.group,c.lanes) && 0 <= mul(w.group,c.lanes) <= 3*c.lanes;
    row_store(w.group * c.lanes, w.lane, n, aligned,
              vjp_add_up(0, w.lane, w.group, c.parts * K, K, c, s IN_PHASE), to);
  }
}

/* What is in s added up over the groups, narrow ones, part by part and then over these. */
/*@ requires vjp_fits(K,c,n) && vjp_parts(1,K,c) && row_out(to,n,aligned);
    requires \valid_read(w + (0 .. BDIM-1)) && vjp_places(w,BDIM,c);
    requires vjp_shared(s) && perm(s,4*VJP_CELLS);
    assigns to[0 .. n-1], s[0 .. 4*VJP_CELLS-1]; */
DEV void vjp_leave_narrow(PER_THREAD(vjp_at, w), int K, vjp_cut c, int n, int aligned, float *s,
                          float *RESTRICT to)
{
  PRIVATE(float4, some);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, some[0 .. BDIM-1];
      loop variant BDIM - t; */
  PHASE(t) {
    //@ assert vjp_place(w[t],t,c);
    AT(some, t) = vjp_part(AT(w, t), K, c, s IN_PHASE GHOST_ARGS(t, n));
  }
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, s[0 .. 4*VJP_CELLS-1];
      loop variant BDIM - t; */
  PHASE(t) vjp_lay(0, t, AT(some, t), s IN_PHASE);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, to[0 .. n-1];
      loop variant BDIM - t; */
  PHASE(t) {
    //@ assert vjp_place(w[t],t,c);
    vjp_leave_parts(AT(w, t), K, c, n, aligned, s, to IN_PHASE GHOST_ARGS(t));
  }
}

/* The row `to` = v added up over the groups. */
/*@ requires vjp_fits(K,c,n) && vjp_held(v) && row_out(to,n,aligned);
    requires \valid_read(w + (0 .. BDIM-1)) && vjp_places(w,BDIM,c) && vjp_parts(narrow,K,c);
    requires vjp_shared(s) && perm(s,4*VJP_CELLS);
    assigns to[0 .. n-1], s[0 .. 4*VJP_CELLS-1]; */
DEV void vjp_leave(PER_THREADK(float4, v), PER_THREAD(vjp_at, w), int K, int narrow, vjp_cut c,
                   int n, int aligned, float *s, float *RESTRICT to)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, s[0 .. 4*VJP_CELLS-1];
      loop variant BDIM - t; */
  PHASE(t) vjp_lay_all(v, t, K, s IN_PHASE GHOST_ARGS(c, n));
  if (narrow) {
    vjp_leave_narrow(w, K, c, n, aligned, s, to);
  } else {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, to[0 .. n-1];
        loop variant BDIM - t; */
    PHASE(t) {
      //@ assert vjp_place(w[t],t,c);
      vjp_leave_some(AT(w, t), K, c, n, aligned, s, to IN_PHASE GHOST_ARGS(t));
    }
  }
}

/* ---- a block ---- */

/*@ // what is written lies apart from what is read
    predicate vjp_apart{L}(float *x, float *gamma, float *mean, float *rstd, float *g, float *out,
                           integer centered, integer affine, integer rows, integer n, integer k) =
      apart(x,ix(rows,n,0),out,k) && apart(g,ix(rows,n,0),out,k) && apart(rstd,rows,out,k) &&
      (affine != 0 ==> apart(gamma,n,out,k)) && (centered != 0 ==> apart(mean,rows,out,k));
    predicate vjp_to{L}(float *y, integer rows, integer n, integer aligned) =
      writes(y,ix(rows,n,0)) && (aligned != 0 ==> aligned16(y) && n % 4 == 0); */

/* The rows tile + group; those of tile `next` begin to arrive. */
/*@ requires vjp_fits(K,c,n) && \valid_read(w + (0 .. BDIM-1)) && vjp_places(w,BDIM,c);
    requires \valid(cells + (0 .. KMAX*MAXB-1)) && vjp_held(dgamma) && vjp_held(dbeta);
    requires \valid(stats + (0 .. BDIM-1)) && 0 <= tile < rows && tile <= next <= 2*IDX_LIM;
    requires vjp_in(x,mean,rstd,g,centered,rows,n,aligned) && vjp_to(dx,rows,n,aligned);
    requires vjp_held(scale) && rows <= IDX_LIM && vjp_groups(narrow,c);
    requires vjp_words(s) && vjp_words(s1);
    assigns s[0 .. 31], s1[0 .. 31], cells[0 .. KMAX*MAXB-1], dgamma[0 .. KMAX*MAXB-1],
            dbeta[0 .. KMAX*MAXB-1], stats[0 .. BDIM-1], dx[0 .. ix(rows,n,0)-1], pending_; */
DEV void vjp_tile(CELLS_PARAM(cells), PER_THREADK(float4, dgamma), PER_THREADK(float4, dbeta),
                  PLAIN_CELLS_PARAM(scale), PER_THREAD(vjp_stats, stats), PER_THREAD(vjp_at, w),
                  idx tile, idx next, int K, int narrow, int aligned, int centered, int adds,
                  vjp_cut c, idx rows, int n, const float *RESTRICT x, const float *RESTRICT mean,
                  const float *RESTRICT rstd, const float *RESTRICT g, float *RESTRICT dx, float *s,
                  float *s1)
{
  PRIVATEK(float4, v);
  PRIVATEK(float4, u);
  PRIVATE(vjp_stats, now);
  PRIVATE(float, a);
  PRIVATE(float, b);
  copy_wait();
  /*@ loop invariant 0 <= t <= BDIM && pending_ == 0;
      loop assigns t, v[0 .. KMAX*MAXB-1], u[0 .. KMAX*MAXB-1], now[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert mul(K,BDIM) == K*BDIM && mul(0,BDIM) == 0;
    vjp_take(v, cells, 0, 0, t, K GHOST_ARGS(c, n));
    vjp_take(u, cells, K, K * BDIM, t, K GHOST_ARGS(c, n));
    AT(now, t) = AT(stats, t);
  }
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, cells[0 .. KMAX*MAXB-1], stats[0 .. BDIM-1], pending_;
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert vjp_place(w[t],t,c);
    AT(stats, t) = vjp_fetch_both(cells, t, K, c, AT(w, t).lane, next + AT(w, t).group, rows, n,
                                  aligned, centered, x, mean, rstd, g);
  }
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, v[0 .. KMAX*MAXB-1], u[0 .. KMAX*MAXB-1], dgamma[0 .. KMAX*MAXB-1],
                   dbeta[0 .. KMAX*MAXB-1], a[0 .. BDIM-1], b[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert vjp_place(w[t],t,c);
    vjp_pair sum =
        vjp_terms(v, u, dgamma, dbeta, scale, t, K, c, AT(w, t).lane, n, centered, AT(now, t));
    AT(a, t) = sum.of_g;
    AT(b, t) = sum.of_hat;
  }
  vjp_sum(a, b, w, narrow, centered, c, s, s1);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, v[0 .. KMAX*MAXB-1], u[0 .. KMAX*MAXB-1], dx[0 .. ix(rows,n,0)-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert vjp_place(w[t],t,c);
    idx r = tile + AT(w, t).group;
    vjp_pair mean_of;
    mean_of.of_g = AT(a, t) / (float)n;
    mean_of.of_hat = AT(b, t) / (float)n;
    vjp_pull(v, u, t, K, mean_of, AT(now, t).rstd GHOST_ARGS(c, n));
    if (r < rows)
      vjp_put(v, u, t, K, c, AT(w, t).lane, n, aligned, adds,
              dx + vjp_row_out(r, rows, n, aligned, dx));
  }
}

/* Block b. */
/*@ requires vjp_fits(K,c,n) && 0 <= b < blocks && 0 <= rows <= IDX_LIM;
    requires ix(blocks,c.groups,0) <= IDX_LIM && halves == (centered != 0 ? 2 : 1);
    requires vjp_in(x,mean,rstd,g,centered,rows,n,aligned) && vjp_to(dx,rows,n,aligned);
    requires (affine != 0 ==> row_in(gamma,n,aligned));
    requires vjp_groups(narrow,c) && vjp_parts(narrow,K,c);
    requires vjp_to(sums,halves*blocks,n,aligned) && halves*blocks <= IDX_LIM;
    assigns dx[0 .. ix(rows,n,0)-1], sums[0 .. ix(halves*blocks,n,0)-1], pending_; */
DEV void vjp_block(idx b, idx blocks, int K, int narrow, int aligned, int centered, int affine,
                   int adds, vjp_cut c, idx rows, int n, const float *RESTRICT x,
                   const float *RESTRICT gamma, const float *RESTRICT mean,
                   const float *RESTRICT rstd, const float *RESTRICT g, float *RESTRICT dx,
                   float *RESTRICT sums GHOST_PARAMS(int halves))
{
  CELL_ARRAYS;
  CELLS(cells, 0);
  PLAIN_CELLS(scale, 1);
  SHARED(float, s, 32);
  SHARED(float, s1, 32);
  SHARED(float, all, 4 * VJP_CELLS);
  PRIVATEK(float4, dgamma);
  PRIVATEK(float4, dbeta);
  PRIVATE(vjp_stats, stats);
  PRIVATE(vjp_at, w);
  idx first = at2(blocks, c.groups, b, 0), step = ix_times(blocks, c.groups);
  //@ assert 0 <= first < step <= IDX_LIM;
  //@ assert x: vjp_tensor(x,rows,n,aligned);
  //@ assert g: vjp_tensor(g,rows,n,aligned);
  //@ assert rstd: reads(rstd,rows);
  //@ assert mean: centered != 0 ==> reads(mean,rows);
  //@ assert in: vjp_in(x,mean,rstd,g,centered,rows,n,aligned);
  /*@ loop invariant 0 <= t <= BDIM && vjp_places(&w[0],t,c);
      loop assigns t, w[0 .. BDIM-1], cells[0 .. KMAX*MAXB-1], scale[0 .. KMAX*MAXB-1],
                   dgamma[0 .. KMAX*MAXB-1], dbeta[0 .. KMAX*MAXB-1], stats[0 .. BDIM-1], pending_;
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(w, t) = vjp_find(t, c);
    //@ assert vjp_place(w[t],t,c);
    //@ assert vjp_places(&w[0],t,c);
    //@ assert vjp_places(&w[0],t+1,c);
    //@ assert 0 <= w[t].lane < c.lanes;
    //@ assert 0 <= first + w[t].group;
    AT(stats, t) = vjp_fetch_both(cells, t, K, c, AT(w, t).lane, first + AT(w, t).group, rows, n,
                                  aligned, centered, x, mean, rstd, g);
    vjp_keep(scale, t, K, c, AT(w, t).lane, n, aligned, affine, gamma);
    vjp_zero(dgamma, t, K GHOST_ARGS(c, n));
    vjp_zero(dbeta, t, K GHOST_ARGS(c, n));
  }
  /*@ loop invariant 0 <= tile <= IDX_LIM + step;
      loop assigns tile, cells[0 .. KMAX*MAXB-1], dgamma[0 .. KMAX*MAXB-1],
                   dbeta[0 .. KMAX*MAXB-1], stats[0 .. BDIM-1], dx[0 .. ix(rows,n,0)-1], s[0 .. 31],
                   s1[0 .. 31], pending_;
      loop variant rows - tile; */
  for (idx tile = first; tile < rows; tile += step) {
    //@ assert 0 <= tile;
    //@ assert tile <= tile + step <= 2*IDX_LIM;
    vjp_tile(cells, dgamma, dbeta, scale, stats, w, tile, tile + step, K, narrow, aligned, centered,
             adds, c, rows, n, x, mean, rstd, g, dx, s, s1);
  }
  idx of_both = centered ? 2 * blocks : blocks;
  vjp_leave(dgamma, w, K, narrow, c, n, aligned, all,
            sums + vjp_row_out(b, of_both, n, aligned, sums));
  if (centered)
    vjp_leave(dbeta, w, K, narrow, c, n, aligned, all,
              sums + vjp_row_out(blocks + b, of_both, n, aligned, sums));
}

/* halves: of sums, 2 where the rows are centered, else 1. */
/*@ requires vjp_fits(K,c,n) && 0 < blocks && ix(blocks,1,0) <= BLOCKS && 0 <= rows <= IDX_LIM;
    requires ix(blocks,c.groups,0) <= IDX_LIM && halves == (CENTERED != 0 ? 2 : 1);
    requires vjp_in(x,mean,rstd,g,CENTERED,rows,n,VEC) && vjp_to(dx,rows,n,VEC);
    requires (affine != 0 ==> row_in(gamma,n,VEC));
    requires vjp_groups(NARROW,c) && vjp_parts(NARROW,K,c);
    requires vjp_to(sums,halves*blocks,n,VEC) && halves*blocks <= IDX_LIM;
    requires vjp_apart(x,gamma,mean,rstd,g,dx,CENTERED,affine,rows,n,ix(rows,n,0));
    requires vjp_apart(x,gamma,mean,rstd,g,sums,CENTERED,affine,rows,n,ix(halves*blocks,n,0));
    requires apart(dx,ix(rows,n,0),sums,ix(halves*blocks,n,0));
    assigns dx[0 .. ix(rows,n,0)-1], sums[0 .. ix(halves*blocks,n,0)-1], pending_; */
TEMPLATE(int K, int NARROW, int CENTERED, int VEC)
KERNEL void REGISTERS_AT_MOST(NARROW ? (int)VJP_NARROW_REGISTERS : (int)VJP_REGISTERS)
    vjp_regs(CONSTANTS(int K, int NARROW, int CENTERED, int VEC) vjp_cut c, idx blocks, int affine,
             int accumulate, idx rows, int n, const float *RESTRICT x, const float *RESTRICT gamma,
             const float *RESTRICT mean, const float *RESTRICT rstd, const float *RESTRICT g,
             float *RESTRICT dx, float *RESTRICT sums GHOST_PARAMS(int halves))
{
  others_may_start();
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, dx[0 .. ix(rows,n,0)-1], sums[0 .. ix(halves*blocks,n,0)-1], pending_;
      loop variant blocks - b; */
  BROWS(b, blocks, 1)
    vjp_block(b, blocks, K, NARROW, VEC, CENTERED, affine, accumulate, c, rows, n, x, gamma, mean,
              rstd, g, dx, sums GHOST_ARGS(halves));
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "vjp_regs.h"

template <int K, int NARROW, int CENTERED, int VEC>
static void launch_vjp_regs(const pm_exec *ex, int64_t blocks, int groups, int lanes, int parts,
                            const vjp_call *t)
{
  vjp_cut c = {groups, lanes, NARROW ? 1 : lanes / 32, 1, parts};
  while (c.reach < c.warps) c.reach *= 2;
  LAUNCH_CELLS(2, (vjp_regs<K, NARROW, CENTERED, VEC>), blocks, groups * lanes, ex->stream, c,
               blocks, t->gamma != NULL, t->accumulate, t->rows, (int)t->cols, t->x, t->gamma,
               t->mean, t->rstd, t->g, t->dx, (float *)ex->work);
}

template <int K, int NARROW>
static void launch_vjp(const pm_exec *ex, int vec, int64_t blocks, int groups, int lanes, int parts,
                       const vjp_call *t)
{
  if (t->mean && vec)
    launch_vjp_regs<K, NARROW, 1, 1>(ex, blocks, groups, lanes, parts, t);
  else if (t->mean)
    launch_vjp_regs<K, NARROW, 1, 0>(ex, blocks, groups, lanes, parts, t);
  else if (vec)
    launch_vjp_regs<K, NARROW, 0, 1>(ex, blocks, groups, lanes, parts, t);
  else
    launch_vjp_regs<K, NARROW, 0, 0>(ex, blocks, groups, lanes, parts, t);
}

extern "C" void LAUNCHER(norm_vjp_regs)(const pm_exec *ex, int vec, int64_t blocks, int groups,
                                        int lanes, const vjp_call *t)
{
  launch_vjp<VJP_K, 0>(ex, vec, blocks, groups, lanes, 1, t);
}

extern "C" void LAUNCHER(norm_vjp_warp)(const pm_exec *ex, int k, int vec, int64_t blocks,
                                        int groups, int lanes, int parts, const vjp_call *t)
{
  if (k == 2)
    launch_vjp<2, 1>(ex, vec, blocks, groups, lanes, parts, t);
  else
    launch_vjp<4, 1>(ex, vec, blocks, groups, lanes, parts, t);
}
#endif
