/* layer_norm and rms_norm (CENTERED 1 and 0) where a row is cut up among a cluster of blocks
 * (norm_slice.h): x, y are (rows, cols), gamma, beta (cols), mean, rstd (rows). Cluster k does tiles
 * k, k + clusters, .. of TILE_ROWS rows, whose sums go together. gamma and beta wait in registers.
 * The variance is taken about the mean in a second pass over the registers. norm.cu says when. */
#include "ix_times.h"
#include "norm_slice.h"
#include "once.h"

enum { TILE_ROWS = 2 };

/*@ requires block && slice_lanes(a);
    assigns a[0 .. BDIM-1]; */
DEV void slice_none(LANE(float, a))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, a[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(a, t) = 0.0f;
}

/* The lanes' sums of what they have, or of the squares. */
/*@ requires slice_ok(s,cols) && slice_regs(v) && slice_lanes(a);
    assigns a[0 .. BDIM-1]; */
DEV void slice_add(LANE(float, a), LANES_OF(float, v), int squares,
                   norm_slice s GHOST_PARAMS(int cols))
{
  slice_none(a);
  /*@ loop invariant 0 <= j <= s.each && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, a[0 .. BDIM-1];
      loop variant s.each - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < s.each; j++, j0 += s.threads) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, a[0 .. BDIM-1];
        loop variant BDIM - t; */
    LANES(t) {
      float u = REG(v, j, j0, t);
      AT(a, t) += squares ? u * u : u;
    }
  }
}

/* The first n columns about m. */
/*@ requires slice_ok(s,cols) && slice_regs(v) && 0 <= n <= s.n;
    assigns v[0 .. SLICE_EACH*MAXB-1]; */
DEV void slice_center(LANES_OF(float, v), float m, int n, norm_slice s GHOST_PARAMS(int cols))
{
  /*@ loop invariant 0 <= j <= s.each && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, v[0 .. SLICE_EACH*MAXB-1];
      loop variant s.each - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < s.each; j++, j0 += s.threads) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, v[0 .. SLICE_EACH*MAXB-1];
        loop variant BDIM - t; */
    LANES(t) REG(v, j, j0, t) = slice_has(j0, t, n) ? REG(v, j, j0, t) - m : 0.0f;
  }
}

/* What thread t leaves of column j0 + t of the slice. */
/*@ requires slice_ok(s,cols) && 0 <= t < BDIM && 0 <= j < s.each && j0 == mul(j,BDIM);
    requires 0 <= j0 && j0 + t < s.n && \valid(y + (j0 + t));
    requires \forall integer k; slice_W(0,s.n,t,bdim_,k) ==> W(y+k);
    assigns y[j0 + t]; */
DEV void slice_put1(int j, int j0, int t, float u,
                    float *RESTRICT y GHOST_PARAMS(norm_slice s, int cols))
{
  (void)j;
  //@ assert slice_lane(j0,bdim_,t);
  store_once(y + t + j0, u);
}

/* A row's slice, at y. */
/*@ requires slice_ok(s,cols) && slice_regs(v) && slice_regs(scale) && slice_regs(shift);
    requires \valid(y + (0 .. s.n-1)) && perm(y,s.n);
    assigns y[0 .. s.n-1]; */
DEV void slice_put(LANES_OF(float, v), LANES_OF(float, scale), LANES_OF(float, shift), int centered,
                   float r, norm_slice s, float *RESTRICT y GHOST_PARAMS(int cols))
{
  /*@ loop invariant 0 <= j <= s.each && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, y[0 .. s.n-1];
      loop variant s.each - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < s.each; j++, j0 += s.threads) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, y[0 .. s.n-1];
        loop variant BDIM - t; */
    LANES(t) {
      float u = REG(v, j, j0, t) * r * REG(scale, j, j0, t);
      if (slice_has(j0, t, s.n))
        slice_put1(j, j0, t, centered ? u + REG(shift, j, j0, t) : u, y GHOST_ARGS(s, cols));
    }
  }
}

/* The rows of a tile begin to arrive in stage `stage`. For one lane. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells) && 0 <= row;
    requires rows <= SLICE_ROWS && 0 < cols <= ROW_CLUSTER*SLICE_WIDTH && row <= IDX_LIM;
    requires reads(x,ix(rows,cols,0)) && 0 <= rows && aligned16(x);
    requires stage == stage_ && stage_open(2*stage,0) && stage_way_ == WAY_NONE;
    requires 0 <= stages_sent_ <= STAGE_COUNT && 0 <= stage_round_ <= 1;
    assigns cells[0 .. STAGE_CELLS-1], stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
            stages_sent_;
    ensures stage_ == stage_next(stage);
    ensures stages_sent_ == (\old(stages_sent_) < STAGE_COUNT ? \old(stages_sent_) + 1
                                                              : STAGE_COUNT);
    ensures stage_round_ == (\old(stages_sent_) < STAGE_COUNT
                               ? \old(stage_round_) : stage_round(stage,\old(stage_round_)));
    ensures stage_way_ == (stages_sent_ < STAGE_COUNT ? WAY_NONE : WAY_SENT); */
DEV void tile_fetch(LANE_STAGES(cells), arrival *on, int stage, norm_slice s, idx row, idx rows,
                    int cols, const float *RESTRICT x)
{
  const idx all = ix_times(rows, cols);
  if (row < rows)
    slice_fetch(cells, on, 2 * stage, s, slice_in(row, rows, cols, s GHOST_ARGS(x)), all,
                x GHOST_ARGS(cols));
  if (row + 1 < rows)
    slice_fetch(cells, on, 2 * stage + 1, s, slice_in(row + 1, rows, cols, s GHOST_ARGS(x)), all,
                x GHOST_ARGS(cols));
  STAGE_SEND(on, stage);
}

/* A block's first tiles begin to arrive. For one lane. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells);
    requires 0 <= rows <= SLICE_ROWS && 0 < cols <= ROW_CLUSTER*SLICE_WIDTH;
    requires reads(x,ix(rows,cols,0)) && aligned16(x);
    requires 0 <= first <= 2*SLICE_ROWS && 0 <= step <= 2*SLICE_ROWS;
    assigns cells[0 .. STAGE_CELLS-1], stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
            stages_sent_, stages_met_, stage_taken_;
    ensures stage_taken_ == -1 && stage_ == 0 && stages_sent_ == STAGE_COUNT && stage_way_ == WAY_SENT;
    ensures stage_round_ == 0; */
DEV void tiles_fetch(LANE_STAGES(cells), arrival *on, norm_slice s, idx first, idx step, idx rows,
                     int cols, const float *RESTRICT x)
{
  idx ahead = first;
  STAGES_OPEN(on);
  /*@ loop invariant 0 <= i <= STAGE_COUNT && stages_sent_ == i && stage_round_ == 0;
      loop invariant 0 <= ahead <= (i + 1) * (2*SLICE_ROWS);
      loop invariant stage_ == (i < STAGE_COUNT ? i : 0);
      loop invariant stage_way_ == (i < STAGE_COUNT ? WAY_NONE : WAY_SENT);
      loop assigns i, ahead, cells[0 .. STAGE_CELLS-1], stage_, stage_way_, stage_round_,
                   stage_part_, stage_cell_, stages_sent_;
      loop variant STAGE_COUNT - i; */
  for (int i = 0; i < STAGE_COUNT; i++) {
    tile_fetch(cells, on, i, s, ahead, rows, cols, x);
    ahead += step;
  }
}

/*@ // what a cluster's block has of the tensors
    predicate slice_outs{L}(integer centered, integer rows, integer cols, float *y, float *mean,
                            float *rstd) =
      0 <= rows <= SLICE_ROWS && 0 < cols <= ROW_CLUSTER*SLICE_WIDTH &&
      writes(y,ix(rows,cols,0)) && writes(rstd,rows) && (centered != 0 ==> writes(mean,rows));
    predicate slice_weights{L}(integer centered, integer affine, integer cols, float *gamma,
                               float *beta) =
      (affine != 0 ==> reads(gamma,cols)) && (centered != 0 ==> reads(beta,cols));
    // what is written lies apart from what is read, and from what else is written
    predicate slice_apart{L}(integer centered, integer affine, integer rows, integer cols, float *x,
                             float *gamma, float *beta, float *out, integer n) =
      apart(x,ix(rows,cols,0),out,n) && (affine != 0 ==> apart(gamma,cols,out,n)) &&
      (centered != 0 ==> apart(beta,cols,out,n));
    // and of its mailbox
    predicate slice_mail{L}(mailbox *box, integer rank, integer turn) =
      \valid(box) && mail_cells(box) && mail_ok(rank,ROW_CLUSTER) && mail_of(rank) &&
      0 <= turn <= SLICE_ROWS && mail_at(turn);
    logic integer slice_means(integer centered, integer rows) = centered == 0 ? 0 : rows; */

/* What is left of a row of which v are the elements, or these about m, and q is the sum of the
 * squares. */
/*@ requires slice_ok(s,cols) && slice_regs(v) && slice_regs(scale) && slice_regs(shift);
    requires slice_outs(centered,rows,cols,y,mean,rstd) && 0 <= row < rows;
    assigns y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1], mean[0 .. slice_means(centered,rows)-1]; */
DEV void tile_leave(LANES_OF(float, v), LANES_OF(float, scale), LANES_OF(float, shift),
                    int centered, int rank, norm_slice s, float m, float q, idx row, idx rows,
                    int cols, float eps, float *RESTRICT y, float *RESTRICT mean,
                    float *RESTRICT rstd)
{
  const float r = 1.0f / pm_sqrtf(q / (float)cols + eps);
  slice_put(v, scale, shift, centered, r, s,
            y + slice_out(row, rows, cols, s GHOST_ARGS(y)) GHOST_ARGS(cols));
  if (rank == 0) {
    block_put(r, rstd + row);
    if (centered)
      block_put(m, mean + row);
  }
}

/* The tile from row `row` on, which is in stage `stage`; that STAGE_COUNT tiles later, from row
 * `later` on, begins to arrive there. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells) && stages_sent(stage,round);
    requires slice_outs(centered,rows,cols,y,mean,rstd) && reads(x,ix(rows,cols,0));
    requires aligned16(x);
    requires slice_regs(scale) && slice_regs(shift) && slice_mail(box,rank,turn);
    requires stage_taken_ <= put_;
    requires 0 <= row < rows && 0 <= later <= IDX_LIM;
    assigns cells[0 .. STAGE_CELLS-1], stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
            stages_sent_, stage_taken_, box->warps[0 .. 2*MAXB/32-1], put_, got_, y[0 .. ix(rows,cols,0)-1],
            rstd[0 .. rows-1], mean[0 .. slice_means(centered,rows)-1];
    ensures stages_sent(stage_next(stage),stage_round(stage,round));
    ensures mail_at(turn + (centered != 0 ? 2 : 1)) && stage_taken_ <= put_; */
DEV void norm_tile(LANE_STAGES(cells), arrival *on, LANES_OF(float, scale), LANES_OF(float, shift),
                   mailbox *box, int stage, int round, int turn, int rank, int centered,
                   norm_slice s, idx row, idx later, idx rows, int cols, float eps,
                   const float *RESTRICT x, float *RESTRICT y, float *RESTRICT mean,
                   float *RESTRICT rstd)
{
  PRIVATES(float, v);
  PRIVATES(float, w);
  PRIVATE(float, a);
  PRIVATE(float, b);
  const int two = row + 1 < rows, n2 = two ? s.n : 0;
  float2 m = {0.0f, 0.0f}, q;
  const idx at = slice_in(row, rows, cols, s GHOST_ARGS(x));
  STAGE_WAIT(on, stage, round);
  slice_take(v, cells, 2 * stage, slice_lead(at), s, s.n, 0.0f GHOST_ARGS(cols));
  slice_take(w, cells, 2 * stage + 1, slice_lead(at + cols), s, n2, 0.0f GHOST_ARGS(cols));
  slice_add(a, v, !centered, s GHOST_ARGS(cols));
  slice_add(b, w, !centered, s GHOST_ARGS(cols));
  mail_put(box, turn, rank, ROW_CLUSTER, a, b);
  BY_LANE(s.threads - 32) tile_fetch(cells, on, stage, s, later, rows, cols, x);
  q = mail_sums(box, turn, ROW_CLUSTER);
  if (centered) {
    m.x = q.x / (float)cols;
    m.y = q.y / (float)cols;
    slice_center(v, m.x, s.n, s GHOST_ARGS(cols));
    slice_center(w, m.y, n2, s GHOST_ARGS(cols));
    slice_add(a, v, 1, s GHOST_ARGS(cols));
    slice_add(b, w, 1, s GHOST_ARGS(cols));
    mail_put(box, turn + 1, rank, ROW_CLUSTER, a, b);
    q = mail_sums(box, turn + 1, ROW_CLUSTER);
  }
  tile_leave(v, scale, shift, centered, rank, s, m.x, q.x, row, rows, cols, eps, y, mean, rstd);
  if (two)
    tile_leave(w, scale, shift, centered, rank, s, m.y, q.y, row + 1, rows, cols, eps, y, mean,
               rstd);
}

/* Block `rank` of cluster k. */
/*@ requires slice_ok(s,cols) && 0 <= k < clusters <= SLICE_ROWS && 0 <= rank < ROW_CLUSTER;
    requires slice_outs(centered,rows,cols,y,mean,rstd) && reads(x,ix(rows,cols,0));
    requires slice_weights(centered,affine,cols,gamma,beta);
    requires 2*STAGE_COUNT*s.room <= stage_cells_ && aligned16(x);
    assigns stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_, stages_sent_,
            stages_met_, stage_taken_, joined_, put_, got_, y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
            mean[0 .. slice_means(centered,rows)-1]; */
DEV void norm_cluster_block(idx k, idx clusters, int rank, int centered, int affine, norm_slice s,
                            idx rows, int cols, float eps, const float *RESTRICT x,
                            const float *RESTRICT gamma, const float *RESTRICT beta,
                            float *RESTRICT y, float *RESTRICT mean, float *RESTRICT rstd)
{
  STAGES(cells, s.room);
  ARRIVALS(on);
  MAILBOX(box);
  PRIVATES(float, scale);
  PRIVATES(float, shift);
  const idx step = TILE_ROWS * clusters, first = TILE_ROWS * k;
  int stage = 0, round = 0, turn = 0;
  mail_open(box, rank);
  BY_LANE(0) tiles_fetch(cells, on, s, first, step, rows, cols, x);
  slice_load(scale, affine, s, 1.0f, gamma GHOST_ARGS(cols));
  if (centered)
    slice_load(shift, 1, s, 0.0f, beta GHOST_ARGS(cols));
  stages_meet();
  mail_join(box);
  //@ assert sent: stages_sent(0,0);
  //@ assert mail: mail_at(0);
  /*@ loop invariant first <= row <= rows + step && 0 <= turn <= row;
      loop invariant stages_sent(stage,round);
      loop invariant mail_at(turn);
      loop invariant taken: stage_taken_ <= put_;
      loop assigns row, stage, round, turn, cells[0 .. STAGE_CELLS-1], stage_, stage_way_,
                   stage_round_, stage_part_, stage_cell_, stages_sent_, stage_taken_, box[0].warps[0 .. 2*MAXB/32-1], put_, got_,
                   y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                   mean[0 .. slice_means(centered,rows)-1];
      loop variant rows - row; */
  for (idx row = first; row < rows; row += step) {
    norm_tile(cells, on, scale, shift, box, stage, round, turn, rank, centered, s, row,
              row + STAGE_COUNT * step, rows, cols, eps, x, y, mean, rstd);
    turn += centered ? 2 : 1;
    round = stage + 1 < STAGE_COUNT ? round : 1 - round;
    stage = stage + 1 < STAGE_COUNT ? stage + 1 : 0;
  }
}

/* x is 16-byte aligned; width: of a slice, of which EACH BLOCK is the most. gamma is read where affine, beta read and mean
 * written where CENTERED. */
/*@ requires block && BLOCK == bdim_ && 0 < EACH <= SLICE_EACH && 0 < width <= SLICE_WIDTH;
    requires 0 < clusters <= SLICE_ROWS && ix(clusters,ROW_CLUSTER,0) <= BLOCKS;
    requires 2*STAGE_COUNT*((width+9)/4*4) <= stage_cells_ && aligned16(x);
    requires slice_outs(CENTERED,rows,cols,y,mean,rstd) && reads(x,ix(rows,cols,0));
    requires slice_weights(CENTERED,affine,cols,gamma,beta);
    requires slice_apart(CENTERED,affine,rows,cols,x,gamma,beta,y,ix(rows,cols,0));
    requires slice_apart(CENTERED,affine,rows,cols,x,gamma,beta,rstd,rows);
    requires slice_apart(CENTERED,affine,rows,cols,x,gamma,beta,mean,slice_means(CENTERED,rows));
    requires apart(y,ix(rows,cols,0),rstd,rows) && apart(rstd,rows,mean,slice_means(CENTERED,rows));
    requires apart(y,ix(rows,cols,0),mean,slice_means(CENTERED,rows));
    assigns stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_, stages_sent_,
            stages_met_, stage_taken_, joined_, put_, got_, y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
            mean[0 .. slice_means(CENTERED,rows)-1]; */
TEMPLATE(int CENTERED, int EACH, int BLOCK)
KERNEL void THREADS_AT_MOST(BLOCK)
    norm_cluster(CONSTANTS(int CENTERED, int EACH, int BLOCK) idx clusters, int affine, idx rows,
                 int cols, int width, float eps, const float *RESTRICT x,
                 const float *RESTRICT gamma, const float *RESTRICT beta, float *RESTRICT y,
                 float *RESTRICT mean, float *RESTRICT rstd)
{
  /*@ loop invariant 0 <= k <= clusters;
      loop assigns k, stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
                   stages_sent_, stages_met_, stage_taken_, joined_, put_, got_, y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                   mean[0 .. slice_means(CENTERED,rows)-1];
      loop variant clusters - k; */
  BROWS(k, clusters, ROW_CLUSTER) {
    /*@ loop invariant 0 <= rank <= ROW_CLUSTER;
        loop assigns rank, stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
                     stages_sent_, stages_met_, stage_taken_, joined_, put_, got_, y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1],
                     mean[0 .. slice_means(CENTERED,rows)-1];
        loop variant ROW_CLUSTER - rank; */
    BCOLS(rank, ROW_CLUSTER) {
      const norm_slice s = slice_of((int)rank, width, cols, EACH, BLOCK);
      norm_cluster_block(k, clusters, (int)rank, CENTERED, affine, s, rows, cols, eps, x, gamma,
                         beta, y, mean, rstd);
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */

#define RUN(EACH, BLOCK)                                                                         \
  LAUNCH_CLUSTERS((norm_cluster<CENTERED, EACH, BLOCK>), ROW_CLUSTER, ROW_CLUSTER *clusters,     \
                  BLOCK, stage_bytes(slice_room(width)), ex->stream, clusters, t->gamma != NULL, \
                  t->rows, (int)t->cols, width, t->eps, t->x, t->gamma, t->beta, t->y, t->mean,  \
                  t->rstd)

template <int CENTERED> static void launch_norm_cluster(const pm_exec *ex, const norm_call *t)
{
  const idx tiles = divide_up(t->rows, TILE_ROWS), most = row_clusters(t->cols);
  const idx clusters = tiles < most ? tiles : most;
  const int width = slice_width(t->cols);
  WITH_SLICE(RUN, t->cols);
}

extern "C" void LAUNCHER(norm_cluster)(const pm_exec *ex, const norm_call *t)
{
  if (t->mean)
    launch_norm_cluster<1>(ex, t);
  else
    launch_norm_cluster<0>(ex, t);
}
#endif
