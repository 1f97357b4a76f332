/* Thread block cluster a row, bulk copies (TMA) into a ring: layer_norm_vjp and rms_norm_vjp
 * (CENTERED 1 and 0) of a row cut up among a cluster's blocks (cluster_slice.h): x, g, dx are
 * (rows, cols), gamma (cols), mean, rstd (rows). Rows go in chunks, of which cluster k does
 * `each` from number k each on; each leaves a row of sums, of g xhat and, where the rows are
 * centered, behind all of these, of g (sum/column_join.cu adds them up). gamma and these sums
 * wait in registers. norm.cu says when. */
#include "../math/index_product.h"
#include "../lang/dependent_launch.h"
#include "cluster_slice.h"
#include "../lang/cache_hints.h"

/* What is known of a row. */
typedef struct slice_stats {
  float mean, rstd;
} slice_stats;

/* Chunks of rows: `chunks` of `chunk`, of which a cluster has `each`. */
typedef struct slice_chunks {
  idx each, chunks;
  int chunk;
} slice_chunks;

/*@ requires reads(rstd,rows) && (centered != 0 ==> reads(mean,rows)) && 0 <= row && end <= rows;
    assigns \nothing; */
DEV slice_stats slice_stats_of(int centered, idx row, idx end, const float *RESTRICT mean,
                               const float *RESTRICT rstd GHOST_PARAMS(idx rows))
{
  slice_stats s = {0.0f, 0.0f};
  if (row < end) {
    s.rstd = LDG(rstd + row);
    if (centered)
      s.mean = LDG(mean + row);
  }
  return s;
}

/* Row `row` of x and g begins to arrive in stage `stage`, where it is before `end`. For one
 * thread. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells) && 0 <= row;
    requires 0 <= rows <= SLICE_ROWS && 0 < cols <= ROW_CLUSTER*SLICE_WIDTH && end <= rows;
    requires reads(x,ix(rows,cols,0)) && reads(g,ix(rows,cols,0)) && aligned16(x) && aligned16(g);
    requires \separated(cells + (0 .. STAGE_CELLS-1), x + (0 .. ix(rows,cols,0)-1));
    requires \separated(cells + (0 .. STAGE_CELLS-1), g + (0 .. ix(rows,cols,0)-1));
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
DEV void both_fetch(BULK_RING_PARAM(cells), arrival *on, int stage, norm_slice s, idx row, idx end,
                    idx rows, int cols, const float *RESTRICT x, const float *RESTRICT g)
{
  const idx all = ix_times(rows, cols);
  if (row < end) {
    slice_fetch(cells, on, 2 * stage, s, slice_in(row, rows, cols, s GHOST_ARGS(x)), all,
                x GHOST_ARGS(cols));
    slice_fetch(cells, on, 2 * stage + 1, s, slice_in(row, rows, cols, s GHOST_ARGS(g)), all,
                g GHOST_ARGS(cols));
  }
  BULK_SEND(on, stage);
}

/*@ requires block && slice_lanes(a) && slice_lanes(b);
    assigns a[0 .. BDIM-1], b[0 .. BDIM-1]; */
DEV void both_none(PER_THREAD(float, a), PER_THREAD(float, b))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, a[0 .. BDIM-1], b[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(a, t) = 0.0f;
    AT(b, t) = 0.0f;
  }
}

/* v becomes xhat, of v the row and w its g; the threads' sums of g gamma, and of that times
 * xhat. */
/*@ requires slice_ok(s,cols) && slice_regs(v) && slice_regs(w) && slice_regs(scale);
    requires slice_lanes(a) && slice_lanes(b);
    assigns a[0 .. BDIM-1], b[0 .. BDIM-1], v[0 .. SLICE_EACH*MAXB-1]; */
DEV void both_terms(PER_THREAD(float, a), PER_THREAD(float, b), PER_THREAD_OF(float, v),
                    PER_THREAD_OF(float, w), PER_THREAD_OF(float, scale), int centered,
                    slice_stats of, norm_slice s GHOST_PARAMS(int cols))
{
  both_none(a, b);
  /*@ loop invariant 0 <= j <= s.each && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, a[0 .. BDIM-1], b[0 .. BDIM-1], v[0 .. SLICE_EACH*MAXB-1];
      loop variant s.each - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < s.each; j++, j0 += s.threads) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, a[0 .. BDIM-1], b[0 .. BDIM-1], v[0 .. SLICE_EACH*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      float pulled = REG(w, j, j0, t) * REG(scale, j, j0, t);
      float hat = (centered ? REG(v, j, j0, t) - of.mean : REG(v, j, j0, t)) * of.rstd;
      REG(v, j, j0, t) = hat;
      AT(a, t) += pulled;
      AT(b, t) += pulled * hat;
    }
  }
}

/* The row is added to the sums of its columns; w becomes g gamma. */
/*@ requires slice_ok(s,cols) && slice_regs(v) && slice_regs(w) && slice_regs(scale);
    requires slice_regs(dgamma) && slice_regs(dbeta);
    assigns dgamma[0 .. SLICE_EACH*MAXB-1], dbeta[0 .. SLICE_EACH*MAXB-1],
            w[0 .. SLICE_EACH*MAXB-1]; */
DEV void both_add(PER_THREAD_OF(float, dgamma), PER_THREAD_OF(float, dbeta),
                  PER_THREAD_OF(float, v), PER_THREAD_OF(float, w), PER_THREAD_OF(float, scale),
                  norm_slice s GHOST_PARAMS(int cols))
{
  /*@ loop invariant 0 <= j <= s.each && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, dgamma[0 .. SLICE_EACH*MAXB-1], dbeta[0 .. SLICE_EACH*MAXB-1],
                   w[0 .. SLICE_EACH*MAXB-1];
      loop variant s.each - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < s.each; j++, j0 += s.threads) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, dgamma[0 .. SLICE_EACH*MAXB-1], dbeta[0 .. SLICE_EACH*MAXB-1],
                     w[0 .. SLICE_EACH*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      float u = REG(w, j, j0, t);
      REG(dgamma, j, j0, t) += u * REG(v, j, j0, t);
      REG(dbeta, j, j0, t) += u;
      REG(w, j, j0, t) = u * REG(scale, j, j0, t);
    }
  }
}

/* Thread t writes column j0 + t of a slice. */
/*@ requires slice_ok(s,cols) && 0 <= t < BDIM && 0 <= j < s.each && j0 == mul(j,BDIM);
    requires 0 <= j0 && j0 + t < s.n && \valid(y + (j0 + t)) && R(y + (j0 + t));
    requires \forall integer k; slice_W(0,s.n,t,bdim_,k) ==> W(y+k);
    assigns y[j0 + t]; */
DEV void both_put1(int j, int j0, int t, int adds, float u,
                   float *RESTRICT y GHOST_PARAMS(norm_slice s, int cols))
{
  float *const to = y + t + j0;
  (void)j;
  //@ assert slice_lane(j0,bdim_,t);
  store_streaming(to, adds ? LDG(to) + u : u);
}

/* The row's gradient, at y: of_g and of_hat are the means of g gamma and of that times xhat. */
/*@ requires slice_ok(s,cols) && slice_regs(v) && slice_regs(w);
    requires \valid(y + (0 .. s.n-1)) && perm(y,s.n);
    assigns y[0 .. s.n-1]; */
DEV void both_put(PER_THREAD_OF(float, v), PER_THREAD_OF(float, w), float r, float of_g,
                  float of_hat, int adds, norm_slice s, float *RESTRICT y GHOST_PARAMS(int cols))
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
    EACH_THREAD(t) {
      float d = r * (REG(w, j, j0, t) - of_g - REG(v, j, j0, t) * of_hat);
      if (slice_has(j0, t, s.n))
        both_put1(j, j0, t, adds, d, y GHOST_ARGS(s, cols));
    }
  }
}

/*@ requires slice_ok(s,cols) && slice_regs(v);
    assigns v[0 .. SLICE_EACH*MAXB-1]; */
DEV void slice_zero(PER_THREAD_OF(float, v), norm_slice s GHOST_PARAMS(int cols))
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
    EACH_THREAD(t) REG(v, j, j0, t) = 0.0f;
  }
}

/*@ requires slice_ok(s,cols) && 0 <= t < BDIM && 0 <= j < s.each && j0 == mul(j,BDIM);
    requires 0 <= j0 && j0 + t < s.n && \valid(y + (j0 + t));
    requires \forall integer k; slice_W(0,s.n,t,bdim_,k) ==> W(y+k);
    assigns y[j0 + t]; */
DEV void sum_put1(int j, int j0, int t, float u,
                  float *RESTRICT y GHOST_PARAMS(norm_slice s, int cols))
{
  (void)j;
  //@ assert slice_lane(j0,bdim_,t);
  STG(y + t + j0, u);
}

/* The sums of a chunk, at y, which begin again. */
/*@ requires slice_ok(s,cols) && slice_regs(sum) && \valid(y + (0 .. s.n-1)) && perm(y,s.n);
    assigns sum[0 .. SLICE_EACH*MAXB-1], y[0 .. s.n-1]; */
DEV void slice_leave(PER_THREAD_OF(float, sum), norm_slice s,
                     float *RESTRICT y GHOST_PARAMS(int cols))
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
    EACH_THREAD(t)
      if (slice_has(j0, t, s.n))
        sum_put1(j, j0, t, REG(sum, j, j0, t), y GHOST_ARGS(s, cols));
  }
  slice_zero(sum, s GHOST_ARGS(cols));
}

/*@ // what a cluster's block has of the tensors
    predicate both_rows{L}(integer rows, integer cols, float *x, float *g, float *dx) =
      0 <= rows <= SLICE_ROWS && 0 < cols <= ROW_CLUSTER*SLICE_WIDTH &&
      reads(x,ix(rows,cols,0)) && reads(g,ix(rows,cols,0)) && writes(dx,ix(rows,cols,0)) &&
      aligned16(x) && aligned16(g);
    logic integer both_halves(integer centered, integer chunks) =
      centered == 0 ? chunks : 2*chunks;
    predicate both_sums{L}(integer centered, integer chunks, integer cols, float *sums) =
      0 <= chunks <= SLICE_ROWS / 2 && 0 < cols <= ROW_CLUSTER*SLICE_WIDTH &&
      writes(sums,ix(both_halves(centered,chunks),cols,0));
    // what is written lies apart from what is read
    predicate both_apart{L}(integer centered, integer affine, integer rows, integer cols, float *x,
                            float *gamma, float *mean, float *rstd, float *g, float *out,
                            integer n) =
      apart(x,ix(rows,cols,0),out,n) && apart(g,ix(rows,cols,0),out,n) &&
      apart(rstd,rows,out,n) && (affine != 0 ==> apart(gamma,cols,out,n)) &&
      (centered != 0 ==> apart(mean,rows,out,n));
    predicate both_mail{L}(mailbox *box, integer rank, integer turn) =
      \valid(box) && mail_cells(box) && mail_ok(rank,ROW_CLUSTER) && mail_of(mail_cluster_,rank) &&
      0 <= turn <= SLICE_ROWS && mail_at(turn); */

/* The row `row`, which is in stage `stage`; that STAGE_COUNT rows later begins to arrive there. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells);
    requires stages_sent(stage,round) && stage_taken_ <= put_;
    requires both_rows(rows,cols,x,g,dx);
    requires slice_regs(scale) && slice_regs(dgamma) && slice_regs(dbeta);
    requires both_mail(box,rank,turn) && 0 <= row < end <= rows;
    requires \separated(cells + (0 .. STAGE_CELLS-1), x + (0 .. ix(rows,cols,0)-1));
    requires \separated(cells + (0 .. STAGE_CELLS-1), g + (0 .. ix(rows,cols,0)-1));
    assigns cells[0 .. STAGE_CELLS-1], stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
            stages_sent_, stage_taken_, dgamma[0 .. SLICE_EACH*MAXB-1],
              dbeta[0 .. SLICE_EACH*MAXB-1],
            box->warps[0 .. MAIL_CELLS-1], put_, got_, dx[0 .. ix(rows,cols,0)-1];
    ensures stages_sent(stage_next(stage),stage_round(stage,round)) && mail_at(turn + 1);
    ensures stage_taken_ <= put_; */
DEV void both_row(BULK_RING_PARAM(cells), arrival *on, PER_THREAD_OF(float, scale),
                  PER_THREAD_OF(float, dgamma), PER_THREAD_OF(float, dbeta), mailbox *box,
                  int stage, int round, int turn, int rank, int centered, int adds, norm_slice s,
                  slice_stats of, idx row, idx end, idx rows, int cols, const float *RESTRICT x,
                  const float *RESTRICT g, float *RESTRICT dx)
{
  PRIVATES(float, v);
  PRIVATES(float, w);
  PRIVATE(float, a);
  PRIVATE(float, b);
  float2 sum;
  const int lead = slice_lead(slice_in(row, rows, cols, s GHOST_ARGS(x)));
  BULK_WAIT(on, stage, round);
  slice_take(v, cells, 2 * stage, lead, s, s.n,
             centered ? of.mean : 0.0f GHOST_ARGS(cols, 0, x, 0));
  slice_take(w, cells, 2 * stage + 1, lead, s, s.n, 0.0f GHOST_ARGS(cols, 0, g, 0));
  both_terms(a, b, v, w, scale, centered, of, s GHOST_ARGS(cols));
  exchange_put(box, turn, rank, ROW_CLUSTER, a, b);
  BY_THREAD(s.threads - 32)
  both_fetch(cells, on, stage, s, row + STAGE_COUNT, end, rows, cols, x, g);
  both_add(dgamma, dbeta, v, w, scale, s GHOST_ARGS(cols));
  sum = exchange_sums(box, turn, ROW_CLUSTER);
  sum.x = centered ? sum.x / (float)cols : 0.0f;
  sum.y = sum.y / (float)cols;
  both_put(v, w, of.rstd, sum.x, sum.y, adds, s,
           dx + slice_out(row, rows, cols, s GHOST_ARGS(dx)) GHOST_ARGS(cols));
}

/* The sums of chunk q. */
/*@ requires slice_ok(s,cols) && slice_regs(dgamma) && slice_regs(dbeta) && 0 <= q < chunks;
    requires both_sums(centered,chunks,cols,sums);
    assigns dgamma[0 .. SLICE_EACH*MAXB-1], dbeta[0 .. SLICE_EACH*MAXB-1],
            sums[0 .. ix(both_halves(centered,chunks),cols,0)-1]; */
DEV void both_leave(PER_THREAD_OF(float, dgamma), PER_THREAD_OF(float, dbeta), int centered,
                    norm_slice s, idx q, idx chunks, int cols, float *RESTRICT sums)
{
  const idx all = centered ? 2 * chunks : chunks;
  slice_leave(dgamma, s, sums + slice_out(q, all, cols, s GHOST_ARGS(sums)) GHOST_ARGS(cols));
  if (centered)
    slice_leave(dbeta, s,
                sums + slice_out(chunks + q, all, cols, s GHOST_ARGS(sums)) GHOST_ARGS(cols));
}

/* The first rows begin to arrive. For one thread. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells);
    requires both_rows(rows,cols,x,g,dx) && 0 <= first <= IDX_LIM && end <= rows;
    requires \separated(cells + (0 .. STAGE_CELLS-1), x + (0 .. ix(rows,cols,0)-1));
    requires \separated(cells + (0 .. STAGE_CELLS-1), g + (0 .. ix(rows,cols,0)-1));
    assigns cells[0 .. STAGE_CELLS-1], stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
            stages_sent_, stages_met_, stage_taken_;
    ensures stage_taken_ == -1 && stage_ == 0 && stages_sent_ == STAGE_COUNT;
    ensures stage_way_ == WAY_SENT && stage_round_ == 0; */
DEV void both_fetch_first(BULK_RING_PARAM(cells), arrival *on, norm_slice s, idx first, idx end,
                          idx rows, int cols, const float *RESTRICT x,
                          const float *RESTRICT g GHOST_PARAMS(float *dx))
{
  BULK_RING_OPEN(on);
  /*@ loop invariant 0 <= i <= STAGE_COUNT && stages_sent_ == i && stage_round_ == 0;
      loop invariant stage_ == (i < STAGE_COUNT ? i : 0);
      loop invariant stage_way_ == (i < STAGE_COUNT ? WAY_NONE : WAY_SENT);
      loop assigns i, cells[0 .. STAGE_CELLS-1], stage_, stage_way_, stage_round_, stage_part_,
                   stage_cell_, stages_sent_;
      loop variant STAGE_COUNT - i; */
  for (int i = 0; i < STAGE_COUNT; i++)
    both_fetch(cells, on, i, s, first + i, end, rows, cols, x, g);
}

/*@ // a cluster's chunks: `each` from number q on, rows first .. end-1 of these
    predicate both_chunks{L}(slice_chunks c, integer rows, integer clusters) =
      0 < c.each <= SLICE_ROWS && 0 < c.chunk <= SLICE_ROWS && 0 < clusters <= SLICE_ROWS &&
      0 <= rows <= ix(c.chunks,c.chunk,0) && ix(clusters,c.each,0) <= SLICE_ROWS &&
      ix(ix(clusters,c.each,0),c.chunk,0) <= IDX_LIM;
    // chunk q has `more` rows from this one on
    predicate both_more{L}(integer row, integer q, integer more, integer chunk) =
      0 < more <= chunk && 0 <= q && row + more == ix(q+1,chunk,0);
    lemma both_chunk: \forall integer row, q, more, chunk, chunks, rows;
      both_more(row,q,more,chunk) ==> row < rows ==> rows <= ix(chunks,chunk,0) ==> q < chunks;
    lemma both_next: \forall integer row, q, chunk; both_more(row,q,1,chunk) ==>
      both_more(row+1,q+1,chunk,chunk);
    lemma both_begin: \forall integer q, chunk; 0 <= q ==> 0 < chunk ==>
      both_more(ix(q,chunk,0),q,chunk,chunk); */

/* Rows first .. end-1, from the first row of chunk q on. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells);
    requires stages_sent(0,0) && stage_taken_ <= put_;
    requires slice_regs(scale) && slice_regs(dgamma) && slice_regs(dbeta);
    requires both_rows(rows,cols,x,g,dx) && both_sums(centered,c.chunks,cols,sums);
    requires reads(rstd,rows) && (centered != 0 ==> reads(mean,rows));
    requires both_mail(box,rank,0) && 0 <= first && end <= rows && c.chunk <= SLICE_ROWS;
    requires \separated(cells + (0 .. STAGE_CELLS-1), x + (0 .. ix(rows,cols,0)-1));
    requires \separated(cells + (0 .. STAGE_CELLS-1), g + (0 .. ix(rows,cols,0)-1));
    requires both_more(first,q,c.chunk,c.chunk) && rows <= ix(c.chunks,c.chunk,0);
    assigns cells[0 .. STAGE_CELLS-1], stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
            stages_sent_, stage_taken_, dgamma[0 .. SLICE_EACH*MAXB-1],
              dbeta[0 .. SLICE_EACH*MAXB-1],
            box->warps[0 .. MAIL_CELLS-1], put_, got_, dx[0 .. ix(rows,cols,0)-1],
            sums[0 .. ix(both_halves(centered,c.chunks),cols,0)-1]; */
DEV void both_walk(BULK_RING_PARAM(cells), arrival *on, PER_THREAD_OF(float, scale),
                   PER_THREAD_OF(float, dgamma), PER_THREAD_OF(float, dbeta), mailbox *box,
                   int rank, int centered, int adds, norm_slice s, slice_chunks c, slice_stats next,
                   idx q, idx first, idx end, idx rows, int cols, const float *RESTRICT x,
                   const float *RESTRICT mean, const float *RESTRICT rstd, const float *RESTRICT g,
                   float *RESTRICT dx, float *RESTRICT sums)
{
  int stage = 0, round = 0, turn = 0, more = c.chunk;
  /*@ loop invariant first <= row && 0 <= turn <= row && turn <= SLICE_ROWS;
      loop invariant stages_sent(stage,round);
      loop invariant taken: stage_taken_ <= put_;
      loop invariant mail_at(turn);
      loop invariant both_more(row,q,more,c.chunk);
      loop assigns row, stage, round, turn, more, q, next, cells[0 .. STAGE_CELLS-1], stage_,
                   stage_way_, stage_round_, stage_part_, stage_cell_, stages_sent_, stage_taken_,
                   dgamma[0 .. SLICE_EACH*MAXB-1],
                   dbeta[0 .. SLICE_EACH*MAXB-1], box->warps[0 .. MAIL_CELLS-1], put_, got_,
                   dx[0 .. ix(rows,cols,0)-1],
                   sums[0 .. ix(both_halves(centered,c.chunks),cols,0)-1];
      loop variant end - row; */
  for (idx row = first; row < end; row++) {
    const slice_stats of = next;
    next = slice_stats_of(centered, row + 1, end, mean, rstd GHOST_ARGS(rows));
    both_row(cells, on, scale, dgamma, dbeta, box, stage, round, turn, rank, centered, adds, s, of,
             row, end, rows, cols, x, g, dx);
    //@ assert q < c.chunks;
    if (more == 1 || row + 1 == end)
      both_leave(dgamma, dbeta, centered, s, q, c.chunks, cols, sums);
    if (more == 1) {
      q += 1;
      more = c.chunk;
    } else {
      more -= 1;
    }
    turn += 1;
    round = stage + 1 < STAGE_COUNT ? round : 1 - round;
    stage = stage + 1 < STAGE_COUNT ? stage + 1 : 0;
  }
}

/* Block `rank` of cluster k. */
/*@ requires slice_ok(s,cols) && 0 <= k < clusters && 0 <= rank < ROW_CLUSTER;
    requires both_rows(rows,cols,x,g,dx) && both_sums(centered,c.chunks,cols,sums);
    requires reads(rstd,rows) && (centered != 0 ==> reads(mean,rows));
    requires (affine != 0 ==> reads(gamma,cols)) && both_chunks(c,rows,clusters);
    requires 2*STAGE_COUNT*s.room <= stage_cells_;
    assigns stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_, stages_sent_,
            stages_met_, stage_taken_, joined_, put_, got_, mail_cluster_,
            dx[0 .. ix(rows,cols,0)-1],
            sums[0 .. ix(both_halves(centered,c.chunks),cols,0)-1]; */
DEV void both_block(idx k, idx clusters, int rank, int centered, int affine, int adds, norm_slice s,
                    slice_chunks c, idx rows, int cols, const float *RESTRICT x,
                    const float *RESTRICT gamma, const float *RESTRICT mean,
                    const float *RESTRICT rstd, const float *RESTRICT g, float *RESTRICT dx,
                    float *RESTRICT sums)
{
  BULK_RING(cells, s.room);
  ARRIVALS(on);
  EXCHANGE(box);
  PRIVATES(float, scale);
  PRIVATES(float, dgamma);
  PRIVATES(float, dbeta);
  const idx q = at2(clusters, c.each, k, 0);
  //@ assert 0 <= q && q + c.each <= ix(clusters,c.each,0);
  //@ assert 0 <= ix(q,c.chunk,0) <= ix(q+c.each,c.chunk,0) <= IDX_LIM;
  const idx first = ix_times(q, c.chunk), stop = ix_times(q + c.each, c.chunk);
  const idx end = stop < rows ? stop : rows;
  slice_stats next = slice_stats_of(centered, first, end, mean, rstd GHOST_ARGS(rows));
  exchange_open(box, rank);
  BY_THREAD(0) both_fetch_first(cells, on, s, first, end, rows, cols, x, g GHOST_ARGS(dx));
  slice_load(scale, affine, s, 1.0f, gamma GHOST_ARGS(cols));
  slice_zero(dgamma, s GHOST_ARGS(cols));
  slice_zero(dbeta, s GHOST_ARGS(cols));
  bulk_ring_meet();
  exchange_join(box);
  //@ assert both_more(first,q,c.chunk,c.chunk);
  both_walk(cells, on, scale, dgamma, dbeta, box, rank, centered, adds, s, c, next, q, first, end,
            rows, cols, x, mean, rstd, g, dx, sums);
}

/* x and g are 16-byte aligned; width: of a slice, of which EACH BLOCK is the most. gamma is read
 * where affine, mean read where CENTERED; sums: (c.chunks, cols) and, where CENTERED, as many
 * again. */
/*@ requires block && BLOCK == bdim_ && 0 < EACH <= SLICE_EACH && 0 < width <= SLICE_WIDTH;
    requires both_chunks(c,rows,clusters) && ix(clusters,ROW_CLUSTER,0) <= BLOCKS;
    requires 2*STAGE_COUNT*((width+9)/4*4) <= stage_cells_;
    requires both_rows(rows,cols,x,g,dx) && both_sums(CENTERED,c.chunks,cols,sums);
    requires reads(rstd,rows) && (CENTERED != 0 ==> reads(mean,rows));
    requires affine != 0 ==> reads(gamma,cols);
    requires both_apart(CENTERED,affine,rows,cols,x,gamma,mean,rstd,g,dx,ix(rows,cols,0));
    requires both_apart(CENTERED,affine,rows,cols,x,gamma,mean,rstd,g,sums,
                        ix(both_halves(CENTERED,c.chunks),cols,0));
    requires apart(dx,ix(rows,cols,0),sums,ix(both_halves(CENTERED,c.chunks),cols,0));
    assigns stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_, stages_sent_,
            stages_met_, stage_taken_, joined_, put_, got_, mail_cluster_,
            dx[0 .. ix(rows,cols,0)-1],
            sums[0 .. ix(both_halves(CENTERED,c.chunks),cols,0)-1]; */
TEMPLATE(int CENTERED, int EACH, int BLOCK, int ADDS)
KERNEL void THREADS_AT_MOST(BLOCK)
    norm_vjp_cluster(CONSTANTS(int CENTERED, int EACH, int BLOCK, int ADDS) idx clusters,
                     slice_chunks c, int affine, idx rows, int cols, int width,
                     const float *RESTRICT x, const float *RESTRICT gamma,
                     const float *RESTRICT mean, const float *RESTRICT rstd,
                     const float *RESTRICT g, float *RESTRICT dx, float *RESTRICT sums)
{
  others_may_start();
  /*@ loop invariant 0 <= k <= clusters;
      loop assigns k, stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
                   stages_sent_, stages_met_, stage_taken_, joined_, put_, got_, mail_cluster_,
                   dx[0 .. ix(rows,cols,0)-1],
                   sums[0 .. ix(both_halves(CENTERED,c.chunks),cols,0)-1];
      loop variant clusters - k; */
  BROWS(k, clusters, ROW_CLUSTER) {
    /*@ loop invariant 0 <= rank <= ROW_CLUSTER;
        loop assigns rank, stage_room_, stage_, stage_way_, stage_round_, stage_part_, stage_cell_,
                     stages_sent_, stages_met_, stage_taken_, joined_, put_, got_, mail_cluster_,
                     dx[0 .. ix(rows,cols,0)-1],
                     sums[0 .. ix(both_halves(CENTERED,c.chunks),cols,0)-1];
        loop variant ROW_CLUSTER - rank; */
    BCOLS(rank, ROW_CLUSTER) {
      const norm_slice s = slice_of((int)rank, width, cols, EACH, BLOCK);
      both_block(k, clusters, (int)rank, CENTERED, affine, ADDS, s, c, rows, cols, x, gamma, mean,
                 rstd, g, dx, sums);
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */

#define RUN(EACH, BLOCK)                                                                       \
  LAUNCH_CLUSTERS((norm_vjp_cluster<CENTERED, EACH, BLOCK, ADDS>), ROW_CLUSTER,                \
                  ROW_CLUSTER *clusters, BLOCK, stage_bytes(slice_room(width)), ex->stream,    \
                  clusters, c, t->gamma != NULL, t->rows, (int)t->cols, width, t->x, t->gamma, \
                  t->mean, t->rstd, t->g, t->dx, (float *)ex->work)

template <int CENTERED, int ADDS>
static void launch_norm_vjp_cluster(const pm_exec *ex, const vjp_call *t)
{
  const slice_plan p = slice_plan_of(t->rows, t->cols);
  const slice_chunks c = {p.each / p.chunk, divide_up(t->rows, p.chunk), (int)p.chunk};
  const idx clusters = divide_up(t->rows, p.each);
  const int width = slice_width(t->cols);
  WITH_SLICE(RUN, t->cols);
}

extern "C" void LAUNCHER(norm_vjp_cluster)(const pm_exec *ex, const vjp_call *t)
{
  if (t->mean && t->accumulate)
    launch_norm_vjp_cluster<1, 1>(ex, t);
  else if (t->mean)
    launch_norm_vjp_cluster<1, 0>(ex, t);
  else if (t->accumulate)
    launch_norm_vjp_cluster<0, 1>(ex, t);
  else
    launch_norm_vjp_cluster<0, 0>(ex, t);
}
#endif
