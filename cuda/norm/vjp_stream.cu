/* Streaming over column strips: the VJPs of layer_norm and rms_norm where no row is kept: x, g,
 * dx are (rows, cols), gamma (cols), mean, rstd (rows). Two launches read x and g:
 *
 *   norm_vjp_parts    the sums over a row of G = g gamma and of G xhat, one pair for each PART_COLS
 *                     of its columns: part, (rows, parts, 2)
 *   norm_vjp_strips   dx, a thread going down one column of a chunk of rows, and the sums of g xhat
 *                     and g on its way: row k of sums, (chunks, cols), and of another behind it
 *
 * vjp_stream_plan.h says how many of each. */
#include "../collective/block_sum.h"
#include "../lang/dependent_launch.h"
#include "vjp_stream_plan.h"
#include "row_vec4.h"
#include "../lang/cache_hints.h"

/* What is added up over a row, and then its means. */
typedef struct strip_pair {
  float of_g, of_hat;
} strip_pair;

/*@ predicate strip_in{L}(float *x, float *gamma, float *mean, float *rstd, float *g,
                          integer centered, integer affine, integer rows, integer cols) =
      reads(x,ix(rows,cols,0)) && reads(g,ix(rows,cols,0)) && reads(rstd,rows) &&
      reads(gamma,if_there(affine,cols)) && reads(mean,if_there(centered,rows));
    predicate strip_row{L}(float *x, integer have) =
      0 <= have <= IDX_LIM && \valid_read(x + (0 .. have-1)) && perm_r(x,have);
    predicate strip_held{L}(float *v) = \valid(v + (0 .. KMAX*MAXB-1)); */

/* ---- parts ---- */

/* Elements c, c + BDIM, .. of a row of `have`; `outside` for those that are not there. */
/*@ requires bdim_ == STRIP_BLOCK && strip_held(v) && 0 <= t < BDIM && 0 <= c <= 2*IDX_LIM;
    requires strip_row(x,have);
    assigns v[0 .. KMAX*MAXB-1]; */
DEV void part_load(PER_THREADK(float, v), int t, idx c, idx have, float outside,
                   const float *RESTRICT x)
{
  /*@ loop invariant 0 <= j <= PART_EACH && j0 == mul(j,BDIM) && j0 == j*STRIP_BLOCK;
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant PART_EACH - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < PART_EACH; j++, j0 += STRIP_BLOCK) {
    //@ assert mul(j+1,BDIM) == j0 + STRIP_BLOCK;
    REG(v, j, j0, t) = c + j0 < have ? LDG(x + c + j0) : outside;
  }
}

/* What a thread's elements of a row add to its sums. */
/*@ requires bdim_ == STRIP_BLOCK && strip_held(v) && strip_held(w) && strip_held(scale);
    requires 0 <= t < BDIM && 0 <= c <= 2*IDX_LIM;
    assigns \nothing; */
DEV strip_pair part_terms(PER_THREADK(float, v), PER_THREADK(float, w), PER_THREADK(float, scale),
                          int t, idx c, idx have, float m, float r)
{
  strip_pair sum = {0, 0};
  /*@ loop invariant 0 <= j <= PART_EACH && j0 == mul(j,BDIM) && j0 == j*STRIP_BLOCK;
      loop assigns j, j0, sum;
      loop variant PART_EACH - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < PART_EACH; j++, j0 += STRIP_BLOCK) {
    //@ assert mul(j+1,BDIM) == j0 + STRIP_BLOCK;
    if (c + j0 < have) {
      float pulled = REG(w, j, j0, t) * REG(scale, j, j0, t);
      sum.of_g += pulled;
      sum.of_hat += pulled * ((REG(v, j, j0, t) - m) * r);
    }
  }
  return sum;
}

/* Where row r begins, if there is such a row, and how much of it there is. */
typedef struct strip_at {
  idx at, have;
} strip_at;
/*@ requires 0 <= r && 0 <= rows && 0 < cols && ix(rows,cols,0) <= IDX_LIM;
    assigns \nothing;
    ensures 0 <= \result.at && 0 <= \result.have && \result.at + \result.have <= ix(rows,cols,0);
    ensures r < rows ==> \result.have == cols;
    ensures r >= rows ==> \result.have == 0; */
DEV strip_at stream_find(idx r, idx rows, idx cols)
{
  strip_at w = {0, 0};
  //@ assert 0 <= ix(rows,cols,0);
  if (r < rows) {
    w.at = at2(rows, cols, r, 0);
    w.have = cols;
    //@ assert w.at + cols <= ix(rows,cols,0);
  }
  return w;
}

/* Row r's sums over a part, of columns `first` on, at every lane of a warp. */
/*@ requires block && bdim_ == STRIP_BLOCK && strip_held(scale) && 0 <= r && 0 < rows && 0 < cols;
    requires \valid(a + (0 .. BDIM-1)) && \valid(b + (0 .. BDIM-1)) && 0 <= first <= IDX_LIM;
    requires strip_in(x,\null,mean,rstd,g,centered,0,rows,cols);
    assigns a[0 .. BDIM-1], b[0 .. BDIM-1]; */
DEV void part_row(PER_THREAD(float, a), PER_THREAD(float, b), PER_THREADK(float, scale), idx r,
                  idx first, int centered, idx rows, idx cols, const float *RESTRICT x,
                  const float *RESTRICT mean, const float *RESTRICT rstd, const float *RESTRICT g)
{
  PRIVATEK(float, v);
  PRIVATEK(float, w);
  strip_at o = stream_find(r, rows, cols);
  float root = 0.0f, m = 0.0f;
  //@ assert perm_r(x,ix(rows,cols,0)) && perm_r(g,ix(rows,cols,0));
  //@ assert perm_r(x+o.at,o.have) && perm_r(g+o.at,o.have);
  if (r < rows)
    root = LDG(rstd + r);
  if (r < rows && centered)
    m = LDG(mean + r);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, v[0 .. KMAX*MAXB-1], w[0 .. KMAX*MAXB-1], a[0 .. BDIM-1], b[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    part_load(v, t, first + t, o.have, 0.0f, x + o.at);
    part_load(w, t, first + t, o.have, 0.0f, g + o.at);
    strip_pair sum = part_terms(v, w, scale, t, first + t, o.have, m, root);
    AT(a, t) = sum.of_g;
    AT(b, t) = sum.of_hat;
  }
  warp_sum(a);
  warp_sum(b);
}

/*@ predicate part_words{L}(float *s) = \valid(s + (0 .. 63)) && perm(s,64);
    // what thread t, of four, leaves of rows lo and lo + 1: number t % 2 of row lo + t / 2
    predicate part_W(integer r, integer part, integer of, integer parts, integer k) =
      k == 2*ix(r,parts,part) + of;
    lemma race_part: \forall integer r, p, i, s, q, j, parts, k; 0 <= p < parts ==>
      0 <= q < parts ==> 0 <= i < 2 ==> 0 <= j < 2 ==> (r != s || p != q || i != j) ==>
      part_W(r,p,i,parts,k) ==> !part_W(s,q,j,parts,k); */

/* Sum i of four, of a warp. */
/*@ requires 0 <= t < STRIP_BLOCK && 0 <= i < 4 && part_words(s);
    assigns s[0 .. 63]; */
DEV void part_lay(int t, int i, float v, float *s PHASE_FN)
{
  //@ assert STRIP_WARPS == 8 && i * STRIP_WARPS == 8*i && 0 <= t / 32 < 8;
  //@ assert perm_w(s,64);
  //@ assert perm_w(s+8*i,32);
  publish(t, s + i * STRIP_WARPS, v IN_PHASE);
}

/* What the warps have of sum t. */
/*@ requires 0 <= t < 4 && part_words(s);
    assigns \nothing; */
DEV float part_warps(int t, float *s PHASE_FN)
{
  float sum = 0.0f;
  int first = t * STRIP_WARPS;
  //@ assert t == 0 || t == 1 || t == 2 || t == 3;
  //@ assert 0 <= first <= 24;
  /*@ loop invariant 0 <= j <= 8;
      loop assigns j, sum;
      loop variant STRIP_WARPS - j; */
  UNROLL
  for (int j = 0; j < STRIP_WARPS; j++) sum = sum + LD(&s[first + j]);
  return sum;
}

/*@ requires 0 <= t < 4 && part_words(s) && 0 <= lo && lo + t / 2 < rows && 0 <= part < parts;
    requires writes(out,2*ix(rows,parts,0)) && ix(rows,parts,0) <= IDX_LIM;
    assigns out[0 .. 2*ix(rows,parts,0)-1]; */
DEV void part_put(int t, idx lo, idx part, idx rows, idx parts, float *s, float *out PHASE_FN)
{
  idx at = at2(rows, parts, lo + t / 2, part);
  //@ assert 0 <= at < ix(rows,parts,0);
  STG(out + 2 * at + t % 2, part_warps(t, s IN_PHASE));
}

/* Rows lo and lo + 1. */
/*@ requires block && bdim_ == STRIP_BLOCK && 0 <= lo < rows && 0 <= part < parts && 0 < cols;
    requires ix(parts,PART_COLS,0) <= IDX_LIM && ix(rows,parts,0) <= IDX_LIM;
    requires strip_in(x,gamma,mean,rstd,g,centered,affine,rows,cols);
    requires writes(out,2*ix(rows,parts,0));
    assigns out[0 .. 2*ix(rows,parts,0)-1]; */
DEV void part_rows(idx lo, idx part, int centered, int affine, idx rows, idx cols, idx parts,
                   const float *RESTRICT x, const float *RESTRICT gamma, const float *RESTRICT mean,
                   const float *RESTRICT rstd, const float *RESTRICT g, float *out)
{
  SHARED(float, s, 64);
  PRIVATEK(float, scale);
  PRIVATE(float, a);
  PRIVATE(float, b);
  PRIVATE(float, c);
  PRIVATE(float, d);
  idx first = at2(parts, PART_COLS, part, 0);
  //@ assert reads(rstd,rows);
  //@ assert 0 <= lo <= IDX_LIM && 0 <= first <= IDX_LIM;
  //@ assert strip_row(gamma,if_there(affine,cols));
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, scale[0 .. KMAX*MAXB-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) part_load(scale, t, first + t, affine ? cols : 0, 1.0f, gamma);
  part_row(a, b, scale, lo, first, centered, rows, cols, x, mean, rstd, g);
  part_row(c, d, scale, lo + 1, first, centered, rows, cols, x, mean, rstd, g);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, s[0 .. 63];
      loop variant BDIM - t; */
  PHASE(t) {
    part_lay(t, 0, AT(a, t), s IN_PHASE);
    part_lay(t, 1, AT(b, t), s IN_PHASE);
    part_lay(t, 2, AT(c, t), s IN_PHASE);
    part_lay(t, 3, AT(d, t), s IN_PHASE);
  }
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, out[0 .. 2*ix(rows,parts,0)-1];
      loop variant BDIM - t; */
  PHASE(t)
    if (t < 4 && lo + t / 2 < rows)
      part_put(t, lo, part, rows, parts, s, out IN_PHASE);
}

/* Block (tile, part) does that part of PART_ROWS rows. */
/*@ requires block && bdim_ == STRIP_BLOCK && 0 < rows && 0 < cols && 0 < parts;
    requires ix(tiles,parts,0) <= BLOCKS && PART_ROWS*(tiles-1) < rows <= PART_ROWS*tiles;
    requires ix(parts,PART_COLS,0) <= IDX_LIM && ix(rows,parts,0) <= IDX_LIM;
    requires strip_in(x,gamma,mean,rstd,g,CENTERED,affine,rows,cols);
    requires writes(out,2*ix(rows,parts,0));
    assigns out[0 .. 2*ix(rows,parts,0)-1]; */
TEMPLATE(int CENTERED)
KERNEL void THREADS_AT_MOST(STRIP_BLOCK)
    norm_vjp_parts(CONSTANTS(int CENTERED) int affine, idx tiles, idx rows, idx cols, idx parts,
                   const float *RESTRICT x, const float *RESTRICT gamma, const float *RESTRICT mean,
                   const float *RESTRICT rstd, const float *RESTRICT g, float *out)
{
  others_may_start();
  /*@ loop invariant 0 <= tile <= tiles;
      loop assigns tile, out[0 .. 2*ix(rows,parts,0)-1];
      loop variant tiles - tile; */
  BROWS(tile, tiles, parts) {
    /*@ loop invariant 0 <= part <= parts;
        loop assigns part, out[0 .. 2*ix(rows,parts,0)-1];
        loop variant parts - part; */
    BCOLS(part, parts)
      part_rows(PART_ROWS * tile, part, CENTERED, affine, rows, cols, parts, x, gamma, mean, rstd,
                g, out);
  }
}

/* ---- strips ---- */

/* The sums over a row, of what its parts have, of one of STRIP_LANES threads. */
/*@ requires 0 <= t && 0 <= r < rows && 0 < parts && ix(rows,parts,0) <= IDX_LIM;
    requires reads(part,2*ix(rows,parts,0));
    assigns \nothing; */
DEV strip_pair stream_whole(int t, idx r, idx rows, idx parts, const float *part)
{
  strip_pair sum = {0, 0};
  idx o = at2(rows, parts, r, 0);
  //@ assert ix(r+1,parts,0) == o + parts && ix(r+1,parts,0) <= ix(rows,parts,0);
  //@ assert 0 <= o && o + parts <= ix(rows,parts,0);
  /*@ loop invariant 0 <= p;
      loop assigns p, sum;
      loop variant parts - p; */
  for (idx p = t % STRIP_LANES; p < parts; p += STRIP_LANES) {
    idx at = 2 * (o + p);
    //@ assert 0 <= at <= 2*ix(rows,parts,0) - 2;
    sum.of_g = sum.of_g + LDG(part + at);
    sum.of_hat = sum.of_hat + LDG(part + at + 1);
  }
  return sum;
}

/*@ // of row i of STRIP_ROWS: its mean, rstd, and the means of G and of G xhat
    predicate strip_words{L}(float *s) = \valid(s + (0 .. 4*STRIP_ROWS-1)) &&
      perm(s,4*STRIP_ROWS);
    predicate strip_stat_W(integer i, integer k) =
      k == i || k == STRIP_ROWS + i || k == 2*STRIP_ROWS + i || k == 3*STRIP_ROWS + i;
    lemma race_strip_stat: \forall integer i, j, k; 0 <= i < STRIP_ROWS ==> 0 <= j < STRIP_ROWS ==>
      i != j ==> strip_stat_W(i,k) ==> !strip_stat_W(j,k);
    // rows lo .. lo+n-1
    predicate strip_some(integer lo, integer n, integer rows) =
      0 <= lo && 0 < n <= STRIP_ROWS && lo + n <= rows && rows <= IDX_LIM; */

/*@ requires 0 <= i < n && strip_some(lo,n,rows) && strip_words(s) && 0 < cols;
    requires reads(rstd,rows) && reads(mean,if_there(centered,rows));
    assigns s[0 .. 4*STRIP_ROWS-1]; */
DEV void stream_note(int i, int centered, idx lo, idx cols, strip_pair sum,
                     const float *RESTRICT mean, const float *RESTRICT rstd,
                     float *s PHASE_FN GHOST_PARAMS(int n, idx rows))
{
  float m = 0.0f;
  if (centered) {
    //@ assert perm_r(mean,rows);
    m = LDG(mean + lo + i);
  }
  ST(&s[i], m);
  ST(&s[STRIP_ROWS + i], LDG(rstd + lo + i));
  ST(&s[2 * STRIP_ROWS + i], centered ? sum.of_g / (float)cols : 0.0f);
  ST(&s[3 * STRIP_ROWS + i], sum.of_hat / (float)cols);
}

/* Element c of row lo + i. */
/*@ requires strip_some(lo,n,rows) && 0 <= c < cols && 0 <= i < n;
    requires reads(x,ix(rows,cols,0));
    assigns \nothing; */
DEV float stream_load(int i, idx lo, idx c, idx rows, idx cols,
                      const float *RESTRICT x GHOST_PARAMS(int n))
{
  return load_streaming(x + at2(rows, cols, lo + i, c));
}

typedef struct strip_sums {
  float dgamma, dbeta;
} strip_sums;

/* Row lo + i of dx at column c, of x and g there; what it adds to the column's sums. */
/*@ requires strip_some(lo,n,rows) && strip_words(s) && 0 <= c < cols && 0 <= i < n;
    requires writes(dx,ix(rows,cols,0));
    assigns dx[0 .. ix(rows,cols,0)-1]; */
DEV strip_sums stream_cell(int i, int adds, idx lo, idx c, idx rows, idx cols, float x, float g,
                           float scale, strip_sums sums, float *s,
                           float *RESTRICT dx PHASE_FN GHOST_PARAMS(int n))
{
  float r = LD(&s[STRIP_ROWS + i]), hat = (x - LD(&s[i])) * r, *to;
  float mean = LD(&s[2 * STRIP_ROWS + i]), mean_hat = LD(&s[3 * STRIP_ROWS + i]);
  float d = r * (g * scale - mean - hat * mean_hat);
  to = dx + at2(rows, cols, lo + i, c);
  sums.dgamma = sums.dgamma + g * hat;
  sums.dbeta = sums.dbeta + g;
  store_streaming(to, adds ? LDG(to) + d : d);
  return sums;
}

/* Rows lo + first to lo + below - 1. */
/*@ requires strip_some(lo,n,rows) && strip_words(s) && 0 <= c < cols && 0 <= first && below <= n;
    requires reads(x,ix(rows,cols,0)) && reads(g,ix(rows,cols,0)) && writes(dx,ix(rows,cols,0));
    assigns dx[0 .. ix(rows,cols,0)-1]; */
DEV strip_sums stream_down(int first, int below, int adds, idx lo, idx c, idx rows, idx cols,
                           float scale, strip_sums sums, const float *RESTRICT x,
                           const float *RESTRICT g, float *s,
                           float *RESTRICT dx PHASE_FN GHOST_PARAMS(int n))
{
  /*@ loop invariant 0 <= i;
      loop assigns i, sums, dx[0 .. ix(rows,cols,0)-1];
      loop variant below - i; */
  for (int i = first; i < below; i += STRIP_DEPTH) {
    float v[STRIP_DEPTH], w[STRIP_DEPTH];
    /*@ loop invariant 0 <= j <= STRIP_DEPTH;
        loop assigns j, v[0 .. STRIP_DEPTH-1], w[0 .. STRIP_DEPTH-1];
        loop variant STRIP_DEPTH - j; */
    UNROLL
    for (int j = 0; j < STRIP_DEPTH; j++) {
      v[j] = i + j < below ? stream_load(i + j, lo, c, rows, cols, x GHOST_ARGS(n)) : 0.0f;
      w[j] = i + j < below ? stream_load(i + j, lo, c, rows, cols, g GHOST_ARGS(n)) : 0.0f;
    }
    /*@ loop invariant 0 <= j <= STRIP_DEPTH;
        loop assigns j, sums, dx[0 .. ix(rows,cols,0)-1];
        loop variant STRIP_DEPTH - j; */
    UNROLL
    for (int j = 0; j < STRIP_DEPTH; j++)
      if (i + j < below)
        sums = stream_cell(i + j, adds, lo, c, rows, cols, v[j], w[j], scale, sums, s,
                           dx IN_PHASE GHOST_ARGS(n));
  }
  return sums;
}

/*@ predicate strip_block = block && bdim_ == TEAMS_BLOCK;
    predicate strip_tensors{L}(float *x, float *mean, float *rstd, float *g, float *dx,
                               integer centered, integer rows, integer cols) =
      strip_in(x,\null,mean,rstd,g,centered,0,rows,cols) && writes(dx,ix(rows,cols,0)); */

/* The sums over rows lo .. lo+n-1, and what is known of them, into s. */
/*@ requires strip_block && strip_some(lo,n,rows) && strip_words(s) && 0 < cols && 0 < parts;
    requires ix(rows,parts,0) <= IDX_LIM && reads(part,2*ix(rows,parts,0));
    requires reads(rstd,rows) && reads(mean,if_there(centered,rows));
    assigns s[0 .. 4*STRIP_ROWS-1]; */
DEV void stream_stats(idx lo, int n, int centered, idx rows, idx cols, idx parts,
                      const float *RESTRICT mean, const float *RESTRICT rstd, const float *part,
                      float *s)
{
  PRIVATE(float, a);
  PRIVATE(float, b);
  //@ assert reads(part,2*ix(rows,parts,0));
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, a[0 .. BDIM-1], b[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    strip_pair sum = {0, 0};
    //@ assert 0 <= t / STRIP_LANES < STRIP_ROWS;
    if (t / STRIP_LANES < n)
      sum = stream_whole(t, lo + t / STRIP_LANES, rows, parts, part);
    AT(a, t) = sum.of_g;
    AT(b, t) = sum.of_hat;
  }
  /*@ loop invariant m == 1 || m == 2 || m == 4 || m == 8 || m == 16;
      loop assigns m, a[0 .. BDIM-1], b[0 .. BDIM-1];
      loop variant STRIP_LANES - m; */
  UNROLL
  for (int m = 1; m < STRIP_LANES; m *= 2) {
    xor_add(a, m);
    xor_add(b, m);
  }
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, s[0 .. 4*STRIP_ROWS-1];
      loop variant BDIM - t; */
  PHASE(t) {
    strip_pair sum = {AT(a, t), AT(b, t)};
    if (t / STRIP_LANES < n && t % STRIP_LANES == 0)
      stream_note(t / STRIP_LANES, centered, lo, cols, sum, mean, rstd,
                  s IN_PHASE GHOST_ARGS(n, rows));
  }
}

/* A thread's column. */
/*@ requires 0 <= strip < strips && ix(strips,STRIP_BLOCK,0) <= IDX_LIM && 0 <= t;
    assigns \nothing;
    ensures 0 <= \result <= IDX_LIM; */
DEV idx stream_column(idx strip, idx strips, int t)
{
  return at2(strips, STRIP_BLOCK, strip, t % STRIP_BLOCK);
}

/* Rows lo .. lo+n-1 of the strip. */
/*@ requires strip_block && strip_some(lo,n,rows) && strip_words(s) && 0 < cols;
    requires 0 <= strip < strips && ix(strips,STRIP_BLOCK,0) <= IDX_LIM;
    requires strip_tensors(x,mean,rstd,g,dx,centered,rows,cols);
    requires \valid_read(scale + (0 .. BDIM-1)) && \valid(sums + (0 .. BDIM-1));
    assigns sums[0 .. BDIM-1], dx[0 .. ix(rows,cols,0)-1]; */
DEV void stream_tile(PER_THREAD(strip_sums, sums), PER_THREAD(float, scale), idx strip, idx strips,
                     idx lo, int n, int adds, idx rows, idx cols, const float *RESTRICT x,
                     const float *RESTRICT g, float *s,
                     float *RESTRICT dx GHOST_PARAMS(int centered, const float *mean,
                                                     const float *rstd))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, sums[0 .. BDIM-1], dx[0 .. ix(rows,cols,0)-1];
      loop variant BDIM - t; */
  PHASE(t) {
    idx c = stream_column(strip, strips, t);
    int first = t / STRIP_BLOCK * TEAM_ROWS, below = first + TEAM_ROWS < n ? first + TEAM_ROWS : n;
    if (c < cols)
      AT(sums, t) = stream_down(first, below, adds, lo, c, rows, cols, AT(scale, t), AT(sums, t), x,
                                g, s, dx IN_PHASE GHOST_ARGS(n));
  }
}

/*@ predicate strip_cells{L}(float *s) = \valid(s + (0 .. 2*TEAMS_BLOCK-1)) &&
      perm(s,2*TEAMS_BLOCK); */

/* What the teams have of a column added up, number t of each. */
/*@ requires 0 <= t < STRIP_BLOCK && 0 <= first <= TEAMS_BLOCK && strip_cells(s);
    assigns \nothing; */
DEV float stream_teams(int t, int first, float *s PHASE_FN)
{
  float sum = LD(&s[first + t]);
  /*@ loop invariant 1 <= j <= STRIP_TEAMS && at == first + t + 256*j;
      loop assigns j, at, sum;
      loop variant STRIP_TEAMS - j; */
  UNROLL
  for (int j = 1, at = first + t + STRIP_BLOCK; j < STRIP_TEAMS; j++, at += STRIP_BLOCK)
    sum = sum + LD(&s[at]);
  return sum;
}

/* Row k of the sums, and row chunks + k. */
/*@ requires strip_block && 0 <= k < chunks && 0 < cols && \valid_read(all + (0 .. BDIM-1));
    requires 0 <= strip < strips && ix(strips,STRIP_BLOCK,0) <= IDX_LIM && chunks <= IDX_LIM;
    requires halves == (centered != 0 ? 2 : 1) && writes(sums,ix(halves*chunks,cols,0));
    assigns sums[0 .. ix(halves*chunks,cols,0)-1]; */
DEV void vjp_stream_store(PER_THREAD(strip_sums, all), idx strip, idx strips, idx k, idx chunks,
                          int centered, idx cols, float *RESTRICT sums GHOST_PARAMS(int halves))
{
  SHARED(float, s, 2 * TEAMS_BLOCK);
  idx of_both = centered ? 2 * chunks : chunks;
  //@ assert of_both == halves*chunks;
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, s[0 .. 2*TEAMS_BLOCK-1];
      loop variant BDIM - t; */
  PHASE(t) {
    ST(&s[t], AT(all, t).dgamma);
    ST(&s[TEAMS_BLOCK + t], AT(all, t).dbeta);
  }
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, sums[0 .. ix(halves*chunks,cols,0)-1];
      loop variant BDIM - t; */
  PHASE(t) {
    idx c = stream_column(strip, strips, t);
    if (t < STRIP_BLOCK && c < cols)
      STG(sums + at2(of_both, cols, k, c), stream_teams(t, 0, s IN_PHASE));
    if (t < STRIP_BLOCK && c < cols && centered)
      STG(sums + at2(of_both, cols, chunks + k, c), stream_teams(t, TEAMS_BLOCK, s IN_PHASE));
  }
}

/* Chunk k of rows, `chunk` of them, of a strip. */
/*@ requires strip_block && 0 <= k < chunks && 0 < cols && 0 < chunk && 0 < parts;
    requires chunks <= IDX_LIM && ix(chunks,chunk,0) <= IDX_LIM && 0 <= rows <= IDX_LIM;
    requires 0 <= strip < strips && ix(strips,STRIP_BLOCK,0) <= IDX_LIM;
    requires strip_tensors(x,mean,rstd,g,dx,centered,rows,cols);
    requires reads(gamma,if_there(affine,cols));
    requires ix(rows,parts,0) <= IDX_LIM && reads(part,2*ix(rows,parts,0));
    requires halves == (centered != 0 ? 2 : 1) && writes(sums,ix(halves*chunks,cols,0));
    assigns dx[0 .. ix(rows,cols,0)-1], sums[0 .. ix(halves*chunks,cols,0)-1]; */
DEV void stream_chunk(idx k, idx strip, idx strips, int centered, int affine, int adds, idx rows,
                      idx cols, idx chunk, idx chunks, idx parts, const float *RESTRICT x,
                      const float *RESTRICT gamma, const float *RESTRICT mean,
                      const float *RESTRICT rstd, const float *RESTRICT g, const float *part,
                      float *RESTRICT dx, float *RESTRICT sums GHOST_PARAMS(int halves))
{
  SHARED(float, s, 4 * STRIP_ROWS);
  PRIVATE(float, scale);
  PRIVATE(strip_sums, all);
  idx from = at2(chunks, chunk, k, 0), hi;
  //@ assert 0 <= from <= IDX_LIM && from + chunk <= IDX_LIM;
  hi = from + chunk < rows ? from + chunk : rows;
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, scale[0 .. BDIM-1], all[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    idx c = stream_column(strip, strips, t);
    AT(scale, t) = affine && c < cols ? LDG(gamma + c) : 1.0f; // lint-ok await: gamma is an input
    AT(all, t).dgamma = AT(all, t).dbeta = 0.0f;
  }
  await_launches();
  others_may_start();
  /*@ loop invariant 0 <= lo <= IDX_LIM + STRIP_ROWS;
      loop assigns lo, s[0 .. 4*STRIP_ROWS-1], all[0 .. BDIM-1], dx[0 .. ix(rows,cols,0)-1];
      loop variant hi - lo; */
  for (idx lo = from; lo < hi; lo += STRIP_ROWS) {
    int n = hi - lo < STRIP_ROWS ? (int)(hi - lo) : STRIP_ROWS;
    stream_stats(lo, n, centered, rows, cols, parts, mean, rstd, part, s);
    stream_tile(all, scale, strip, strips, lo, n, adds, rows, cols, x, g, s,
                dx GHOST_ARGS(centered, mean, rstd));
  }
  vjp_stream_store(all, strip, strips, k, chunks, centered, cols, sums GHOST_ARGS(halves));
}

/* Block (k, strip) does that strip of chunk k: each of its teams TEAM_ROWS of every STRIP_ROWS. */
/*@ requires strip_block && 0 < cols && 0 < chunk && 0 < parts && 0 < strips && 0 <= chunks;
    requires chunks <= IDX_LIM && ix(chunks,chunk,0) <= IDX_LIM && 0 <= rows <= IDX_LIM;
    requires ix(strips,STRIP_BLOCK,0) <= IDX_LIM && ix(chunks,strips,0) <= BLOCKS;
    requires strip_tensors(x,mean,rstd,g,dx,CENTERED,rows,cols);
    requires reads(gamma,if_there(affine,cols));
    requires ix(rows,parts,0) <= IDX_LIM && reads(part,2*ix(rows,parts,0));
    requires halves == (CENTERED != 0 ? 2 : 1) && writes(sums,ix(halves*chunks,cols,0));
    assigns dx[0 .. ix(rows,cols,0)-1], sums[0 .. ix(halves*chunks,cols,0)-1]; */
TEMPLATE(int CENTERED)
KERNEL void THREADS_AT_MOST(TEAMS_BLOCK)
    norm_vjp_strips(CONSTANTS(int CENTERED) int affine, int accumulate, idx rows, idx cols,
                    idx chunk, idx chunks, idx strips, idx parts, const float *RESTRICT x,
                    const float *RESTRICT gamma, const float *RESTRICT mean,
                    const float *RESTRICT rstd, const float *RESTRICT g, const float *part,
                    float *RESTRICT dx, float *RESTRICT sums GHOST_PARAMS(int halves))
{
  /*@ loop invariant 0 <= k <= chunks;
      loop assigns k, dx[0 .. ix(rows,cols,0)-1], sums[0 .. ix(halves*chunks,cols,0)-1];
      loop variant chunks - k; */
  BROWS(k, chunks, strips) {
    /*@ loop invariant 0 <= strip <= strips;
        loop assigns strip, dx[0 .. ix(rows,cols,0)-1], sums[0 .. ix(halves*chunks,cols,0)-1];
        loop variant strips - strip; */
    BCOLS(strip, strips)
      stream_chunk(k, strip, strips, CENTERED, affine, accumulate, rows, cols, chunk, chunks, parts,
                   x, gamma, mean, rstd, g, part, dx, sums GHOST_ARGS(halves));
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
template <int CENTERED> static void launch_stream(const pm_exec *ex, const vjp_call *t)
{
  idx chunk = stream_chunk_rows(t->rows), chunks = divide_up(t->rows, chunk);
  idx parts = stream_parts(t->cols), strips = divide_up(t->cols, STRIP_BLOCK);
  idx tiles = divide_up(t->rows, PART_ROWS);
  int affine = t->gamma != NULL;
  float *sums = (float *)ex->work, *part = sums + 2 * chunks * t->cols;
  LAUNCH(norm_vjp_parts<CENTERED>, tiles * parts, STRIP_BLOCK, ex->stream, affine, tiles, t->rows,
         t->cols, parts, t->x, t->gamma, t->mean, t->rstd, t->g, part);
  LAUNCH_AFTER(norm_vjp_strips<CENTERED>, chunks * strips, TEAMS_BLOCK, ex->stream, affine,
               t->accumulate, t->rows, t->cols, chunk, chunks, strips, parts, t->x, t->gamma,
               t->mean, t->rstd, t->g, part, t->dx, sums);
}

extern "C" void LAUNCHER(norm_vjp_stream)(const pm_exec *ex, const vjp_call *t)
{
  if (t->mean)
    launch_stream<1>(ex, t);
  else
    launch_stream<0>(ex, t);
}
#endif
