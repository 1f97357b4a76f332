/* Split rows: the VJPs of layer_norm and rms_norm (CENTERED 1 and 0) for few and long rows
 * (row/split.h): x, g, dx are (rows, cols), gamma, dgamma, dbeta (cols), mean, rstd (rows). Two
 * launches, both read x and g:
 *
 *   norm_vjp_split_chunks   what a piece adds to the sums over its row of G = g gamma and of G xhat:
 *                      part, (rows, pieces, 2)
 *   norm_vjp_split_out    a block has a stretch of the columns, of all rows: it adds up every row's
 *                      parts and goes down, which gives dx, and dgamma and dbeta at once;
 *                      what it begins to load before that was there before the first launch
 *
 * A thread takes a piece, and a stretch, by steps (vjp_split_steps.h); where VEC (x, gamma, g, dx,
 * dgamma, dbeta are 16-byte aligned and cols is a multiple of 4), of four elements. */
#include "../collective/block_sum.h"
#include "../lang/dependent_launch.h"
#include "vjp_split_steps.h"
#include "row_vec4.h"
#include "vjp_split_plan.h"
#include "../row/split.h"

/* What is added up over a row: G, and G xhat. */
typedef struct norm_pair {
  float of_g, of_hat;
} norm_pair;

/* The step at c of gamma; 1 where there is none. */
/*@ requires affine != 0 ==> step_at(vec,c,n) && steps_in(gamma,n,vec);
    assigns \nothing; */
DEV float4 step_scale(int vec, int affine, idx c, const float *RESTRICT gamma GHOST_PARAMS(idx n))
{
  float4 one = {1.0f, 1.0f, 1.0f, 1.0f};
  if (affine) {
    //@ assert perm: perm_r(gamma,n) && perm_r(gamma+c,StepAt(vec,1));
    return step_load(vec, gamma + c);
  }
  return one;
}

/* ---- pieces ---- */

/* What the step at c adds to the sums, of a piece of n. */
/*@ requires step_at(vec,c,n) && steps_in(x,n,vec) && steps_in(g,n,vec);
    requires affine != 0 ==> steps_in(gamma,n,vec);
    assigns \nothing; */
DEV norm_pair pull_step(int vec, int affine, idx c, float m, float r, const float *RESTRICT x,
                        const float *RESTRICT gamma, const float *RESTRICT g GHOST_PARAMS(idx n))
{
  norm_pair sum;
  //@ assert perm_x: perm_r(x,n) && perm_r(x+c,StepAt(vec,1));
  //@ assert perm_g: perm_r(g,n) && perm_r(g+c,StepAt(vec,1));
  float4 scale = step_scale(vec, affine, c, gamma GHOST_ARGS(n));
  float4 pulled = step_times(step_load(vec, g + c), scale);
  float4 hat = step_hat(step_load(vec, x + c), m, r);
  sum.of_g = step_sum(vec, pulled);
  sum.of_hat = step_sum(vec, step_times(pulled, hat));
  return sum;
}

/* The threads' sums over a piece of n. */
/*@ requires block && 0 < n && (vec != 0 ==> n % 4 == 0);
    requires steps_in(x,n,vec) && steps_in(g,n,vec) && (affine != 0 ==> steps_in(gamma,n,vec));
    requires \valid(a + (0 .. BDIM-1)) && \valid(b + (0 .. BDIM-1));
    assigns a[0 .. BDIM-1], b[0 .. BDIM-1]; */
DEV void pull_threads(PER_THREAD(float, a), PER_THREAD(float, b), int vec, int affine, idx n,
                      float m, float r, const float *RESTRICT x, const float *RESTRICT gamma,
                      const float *RESTRICT g)
{
  idx steps = split_steps(vec, n);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, a[0 .. BDIM-1], b[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(a, t) = 0.0f;
    AT(b, t) = 0.0f;
  }
  /*@ loop invariant 0 <= k0 <= steps + BDIM;
      loop assigns k0, a[0 .. BDIM-1], b[0 .. BDIM-1];
      loop variant steps - k0; */
  UNROLL_BY(4)
  for (idx k0 = 0; k0 < steps; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, a[0 .. BDIM-1], b[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < steps) {
        idx c = vec ? 4 * (k0 + t) : k0 + t;
        norm_pair p = pull_step(vec, affine, c, m, r, x, gamma, g GHOST_ARGS(n));
        AT(a, t) += p.of_g;
        AT(b, t) += p.of_hat;
      }
  }
}

/*@ predicate pair_words{L}(float *s) = \valid(s + (0 .. 63)) && perm(s,64);
    // sum i of two of piece p of row r; blocks and their threads have none in common
    predicate pair_W(integer r, integer p, integer i, integer pieces, integer k) =
      k == 2*ix(r,pieces,p) + i;
    lemma race_pair: \forall integer r, p, i, s, q, j, pieces, k; 0 <= p < pieces ==>
      0 <= q < pieces ==> 0 <= i < 2 ==> 0 <= j < 2 ==> (r != s || p != q || i != j) ==>
      pair_W(r,p,i,pieces,k) ==> !pair_W(s,q,j,pieces,k); */

/* Sum t of two, of what n lanes' warps have. */
/*@ requires 0 <= t < 2 && 0 <= n <= MAXB && \valid_read(s + (0 .. 63)) && perm_r(s,64);
    requires \valid(to) && W(to);
    assigns *to; */
DEV void pair_put(int t, int n, float *s, float *to PHASE_FN)
{
  float sum = 0.0f;
  int warps = n / 32, first = 32 * t;
  /*@ loop invariant 0 <= j <= warps;
      loop assigns j, sum;
      loop variant warps - j; */
  UNROLL_BY(8)
  for (int j = 0; j < warps; j++) sum = sum + LD(&s[first + j]);
  STG(to, sum);
}

/*@ predicate pull_rows_in{L}(float *x, float *gamma, float *mean, float *rstd, float *g,
                              integer centered, integer affine, integer rows, integer cols,
                              integer vec) =
      steps_in(x,ix(rows,cols,0),vec) && steps_in(g,ix(rows,cols,0),vec) && reads(rstd,rows) &&
      (affine != 0 ==> steps_in(gamma,cols,vec)) && reads(mean,if_there(centered,rows)) &&
      0 < cols <= IDX_LIM && (vec != 0 ==> cols % 4 == 0); */

/* Piece p of row r. */
/*@ requires block && split_piece_of(r,p,rows,cols,chunk,pieces);
    requires pull_rows_in(x,gamma,mean,rstd,g,centered,affine,rows,cols,vec);
    requires writes(part,2*ix(rows,pieces,0));
    assigns part[0 .. 2*ix(rows,pieces,0)-1]; */
DEV void pull_nth(int centered, int vec, int affine, idx r, idx p, idx rows, idx cols, idx chunk,
                  idx pieces, const float *RESTRICT x, const float *RESTRICT gamma,
                  const float *RESTRICT mean, const float *RESTRICT rstd, const float *RESTRICT g,
                  float *RESTRICT part)
{
  SHARED(float, s, 64);
  PRIVATE(float, a);
  PRIVATE(float, b);
  row_piece w = chunk_of(p, cols, chunk, pieces);
  row_piece in = split_find(r, p, rows, cols, chunk, pieces GHOST_ARGS(vec));
  idx q = 2 * at2(rows, pieces, r, p);
  float root = LDG(rstd + r), m = 0.0f;
  if (centered)
    m = LDG(mean + r);
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(x+in.at,w.n);
  //@ assert perm_g: perm_r(g,ix(rows,cols,0)) && perm_r(g+in.at,w.n);
  //@ assert in_x: steps_in(x+in.at,w.n,vec);
  //@ assert in_g: steps_in(g+in.at,w.n,vec);
  //@ assert perm: affine != 0 ==> perm_r(gamma,cols) && perm_r(gamma+w.at,w.n);
  //@ assert in_gamma: affine != 0 ==> steps_in(gamma+w.at,w.n,vec);
  pull_threads(a, b, vec, affine, w.n, m, root, x + in.at, affine ? gamma + w.at : gamma,
               g + in.at);
  warp_sum(a);
  warp_sum(b);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, s[0 .. 63];
      loop variant BDIM - t; */
  PHASE(t) {
    publish(t, s, AT(a, t) IN_PHASE);
    publish(t, s + 32, AT(b, t) IN_PHASE);
  }
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, part[0 .. 2*ix(rows,pieces,0)-1];
      loop variant BDIM - t; */
  PHASE(t)
    if (t < 2)
      pair_put(t, BDIM, s, part + q + t IN_PHASE);
}

/* Block (r, p) does that piece of that row. */
/*@ requires block && 0 < rows && row_split(cols,chunk,pieces) && ix(rows,cols,0) <= IDX_LIM;
    requires ix(rows,pieces,0) <= BLOCKS && ix(rows,pieces,0) <= IDX_LIM;
    requires pull_rows_in(x,gamma,mean,rstd,g,CENTERED,affine,rows,cols,VEC);
    requires writes(part,2*ix(rows,pieces,0));
    assigns part[0 .. 2*ix(rows,pieces,0)-1]; */
TEMPLATE(int CENTERED, int VEC)
KERNEL void norm_vjp_split_chunks(CONSTANTS(int CENTERED, int VEC) int affine, idx rows, idx cols,
                                  idx chunk, idx pieces, const float *RESTRICT x,
                                  const float *RESTRICT gamma, const float *RESTRICT mean,
                                  const float *RESTRICT rstd, const float *RESTRICT g,
                                  float *RESTRICT part)
{
  /*@ loop invariant 0 <= r <= rows;
      loop assigns r, part[0 .. 2*ix(rows,pieces,0)-1];
      loop variant rows - r; */
  BROWS(r, rows, pieces) {
    /*@ loop invariant 0 <= p <= pieces;
        loop assigns p, part[0 .. 2*ix(rows,pieces,0)-1];
        loop variant pieces - p; */
    BCOLS(p, pieces)
      pull_nth(CENTERED, VEC, affine, r, p, rows, cols, chunk, pieces, x, gamma, mean, rstd, g,
               part);
  }
}

/* ---- second launch: what is known of the rows ---- */

/* What one of a warp's lanes adds up of row r's parts. */
/*@ requires 0 <= lane < 32 && 0 <= r < rows && 0 < pieces && ix(rows,pieces,0) <= IDX_LIM;
    requires reads(part,2*ix(rows,pieces,0));
    assigns \nothing; */
DEV norm_pair pair_whole(int lane, idx r, idx rows, idx pieces, const float *part)
{
  norm_pair sum = {0.0f, 0.0f};
  idx o = at2(rows, pieces, r, 0);
  //@ assert next: ix(r+1,pieces,0) == o + pieces && ix(r+1,pieces,0) <= ix(rows,pieces,0);
  /*@ loop invariant 0 <= p;
      loop assigns p, sum;
      loop variant pieces - p; */
  UNROLL_BY(8)
  for (idx p = lane; p < pieces; p += 32) {
    idx at = 2 * (o + p);
    //@ assert at: 0 <= at <= 2*ix(rows,pieces,0) - 2;
    sum.of_g = sum.of_g + LDG(part + at);
    sum.of_hat = sum.of_hat + LDG(part + at + 1);
  }
  return sum;
}

/*@ // of row i: its mean, rstd, and the means of G and of G xhat
    predicate known_words{L}(float *s) = \valid(s + (0 .. 4*VJP_SPLIT_ROWS-1)) &&
      perm(s,4*VJP_SPLIT_ROWS);
    predicate known_W(integer i, integer k) =
      k == i || k == VJP_SPLIT_ROWS + i || k == 2*VJP_SPLIT_ROWS + i ||
      k == 3*VJP_SPLIT_ROWS + i;
    lemma race_known: \forall integer i, j, k; 0 <= i < VJP_SPLIT_ROWS ==>
      0 <= j < VJP_SPLIT_ROWS ==> i != j ==> known_W(i,k) ==> !known_W(j,k); */

/*@ requires 0 <= i < VJP_SPLIT_ROWS && 0 < cols && \valid(s + (0 .. 4*VJP_SPLIT_ROWS-1));
    requires \forall integer k; known_W(i,k) ==> W(s+k);
    assigns s[0 .. 4*VJP_SPLIT_ROWS-1]; */
DEV void known_put(idx i, int centered, idx cols, float m, float root, norm_pair sum,
                   float *s PHASE_FN)
{
  ST(&s[i], m);
  ST(&s[VJP_SPLIT_ROWS + i], root);
  ST(&s[2 * VJP_SPLIT_ROWS + i], centered ? sum.of_g / (float)cols : 0.0f);
  ST(&s[3 * VJP_SPLIT_ROWS + i], sum.of_hat / (float)cols);
}

/*@ predicate known_in{L}(float *mean, float *rstd, float *part, integer centered, integer rows,
                          integer cols, integer pieces) =
      0 < rows <= VJP_SPLIT_ROWS && 0 < cols && 0 < pieces && ix(rows,pieces,0) <= IDX_LIM &&
      reads(part,2*ix(rows,pieces,0)) && reads(rstd,rows) &&
      reads(mean,if_there(centered,rows)); */

/* All rows, one a warp at a time. */
/*@ requires block && known_in(mean,rstd,part,centered,rows,cols,pieces) && known_words(s);
    assigns s[0 .. 4*VJP_SPLIT_ROWS-1]; */
DEV void known_all(int centered, idx rows, idx cols, idx pieces, const float *RESTRICT mean,
                   const float *RESTRICT rstd, const float *part, float *s)
{
  PRIVATE(float, a);
  PRIVATE(float, b);
  PRIVATE(float, m);
  PRIVATE(float, root);
  /*@ loop invariant 0 <= lo <= VJP_SPLIT_ROWS + 32;
      loop assigns lo, a[0 .. BDIM-1], b[0 .. BDIM-1], m[0 .. BDIM-1], root[0 .. BDIM-1],
                   s[0 .. 4*VJP_SPLIT_ROWS-1];
      loop variant rows - lo; */
  for (idx lo = 0; lo < rows; lo += BDIM / 32) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, a[0 .. BDIM-1], b[0 .. BDIM-1], m[0 .. BDIM-1], root[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      norm_pair sum = {0.0f, 0.0f};
      AT(m, t) = 0.0f;
      AT(root, t) = 0.0f;
      if (lo + t / 32 < rows) {
        AT(root, t) = LDG(rstd + lo + t / 32);
        if (centered)
          AT(m, t) = LDG(mean + lo + t / 32);
        sum = pair_whole(t % 32, lo + t / 32, rows, pieces, part);
      }
      AT(a, t) = sum.of_g;
      AT(b, t) = sum.of_hat;
    }
    warp_sum(a);
    warp_sum(b);
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, s[0 .. 4*VJP_SPLIT_ROWS-1];
        loop variant BDIM - t; */
    PHASE(t) {
      norm_pair sum = {AT(a, t), AT(b, t)};
      if (t % 32 == 0 && lo + t / 32 < rows)
        known_put(lo + t / 32, centered, cols, AT(m, t), AT(root, t), sum, s IN_PHASE);
    }
  }
}

/* ---- second launch: down the rows ---- */

/* What a thread adds up of its columns. */
typedef struct spread_sums {
  float4 dgamma, dbeta;
} spread_sums;

/*@ predicate spread_held{L}(float4 *v) = \valid(v + (0 .. KMAX*MAXB-1));
    predicate spread_at(integer vec, integer c, integer rows, integer cols) =
      0 < rows <= VJP_SPLIT_ROWS && step_at(vec,c,cols) && cols <= IDX_LIM &&
      (vec != 0 ==> cols % 4 == 0) && ix(rows,cols,0) <= IDX_LIM; */

/* Of row i the elements x and g of the step at c. */
/*@ requires 0 <= i < rows && \valid_read(s + (0 .. 4*VJP_SPLIT_ROWS-1));
    requires perm_r(s,4*VJP_SPLIT_ROWS);
    requires spread_at(vec,c,rows,cols) && step_mine(dx+ix(i,cols,c),vec);
    requires vec != 0 ==> aligned16(dx);
    assigns dx[ix(i,cols,c) .. ix(i,cols,c)+StepAt(vec,1)-1]; */
DEV spread_sums split_out_cell(int vec, int adds, idx i, idx c, idx rows, idx cols, float4 x,
                               float4 g, float4 scale, spread_sums sums, float *s,
                               float *RESTRICT dx PHASE_FN)
{
  float root = LD(&s[VJP_SPLIT_ROWS + i]), mean = LD(&s[2 * VJP_SPLIT_ROWS + i]);
  float mean_hat = LD(&s[3 * VJP_SPLIT_ROWS + i]);
  float4 hat = step_hat(x, LD(&s[i]), root), d;
  idx o = at2(rows, cols, i, c);
  //@ assert fours: vec != 0 ==> cols == 4*(cols/4) && ix(i,4*(cols/4),0) == 4*ix(i,cols/4,0);
  //@ assert four: vec != 0 ==> o % 4 == 0;
  d.x = root * (g.x * scale.x - mean - hat.x * mean_hat);
  d.y = root * (g.y * scale.y - mean - hat.y * mean_hat);
  d.z = root * (g.z * scale.z - mean - hat.z * mean_hat);
  d.w = root * (g.w * scale.w - mean - hat.w * mean_hat);
  sums.dgamma = plus4(sums.dgamma, step_times(g, hat));
  sums.dbeta = plus4(sums.dbeta, g);
  step_put(vec, adds, d, dx + o);
  return sums;
}

/* Of row i of x the step at c. */
/*@ requires spread_at(vec,c,rows,cols) && 0 <= i < rows && steps_in(x,ix(rows,cols,0),vec);
    assigns \nothing; */
DEV float4 split_out_read(int vec, idx i, idx c, idx rows, idx cols, const float *RESTRICT x)
{
  idx o = at2(rows, cols, i, c);
  //@ assert next: ix(i+1,cols,0) == o - c + cols && ix(i+1,cols,0) <= ix(rows,cols,0);
  //@ assert fours: vec != 0 ==> cols == 4*(cols/4) && ix(i,4*(cols/4),0) == 4*ix(i,cols/4,0);
  //@ assert four: vec != 0 ==> o % 4 == 0;
  //@ assert perm: perm_r(x,ix(rows,cols,0)) && perm_r(x+o,StepAt(vec,1));
  return step_load(vec, x + o);
}

/* Rows i0 .. i0+SPREAD_DEPTH-1 of x there, as far as there are. */
/*@ requires block && spread_held(v) && 0 <= t < BDIM && 0 <= i0 <= 2*VJP_SPLIT_ROWS;
    requires spread_at(vec,c,rows,cols) && steps_in(x,ix(rows,cols,0),vec);
    assigns v[0 .. KMAX*MAXB-1]; */
DEV void split_out_load(PER_THREADK(float4, v), int t, int vec, idx i0, idx c, idx rows, idx cols,
                        const float *RESTRICT x)
{
  /*@ loop invariant 0 <= j <= SPREAD_DEPTH && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant SPREAD_DEPTH - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < SPREAD_DEPTH; j++, j0 += BDIM) {
    //@ assert next: mul(j+1,BDIM) == j0 + BDIM;
    if (i0 + j < rows)
      REG(v, j, j0, t) = split_out_read(vec, i0 + j, c, rows, cols, x);
  }
}

/*@ predicate spread_out{L}(float *dx, integer vec, integer c, integer rows, integer cols) =
      (vec != 0 ==> aligned16(dx)) &&
      \forall integer i; 0 <= i < rows ==> step_mine(dx+ix(i,cols,c),vec);
    lemma cells_within: \forall integer i, c, w, rows, cols; 0 <= i < rows ==> 0 <= c ==> 0 < w ==>
      c + w <= cols ==> 0 <= ix(i,cols,c) && ix(i,cols,c) + w <= ix(rows,cols,0);
    // of row r of dx, and of dgamma and dbeta as row 0, by step i: threads have none in common
    predicate spread_W(integer vec, integer i, integer r, integer cols, integer k) =
      step_W(vec,i,k-ix(r,cols,0));
    lemma race_spread: \forall integer vec, i, j, r, s, cols, k; 0 <= i ==> 0 <= j ==> i != j ==>
      StepAt(vec,i+1) <= cols ==> StepAt(vec,j+1) <= cols ==> spread_W(vec,i,r,cols,k) ==>
      !spread_W(vec,j,s,cols,k);
    // steps of blocks b and c, of `stretch` each
    lemma race_stretch: \forall integer b, t, c, u, stretch; 0 <= t < stretch ==>
      0 <= u < stretch ==> (b != c || t != u) ==> ix(b,stretch,t) != ix(c,stretch,u); */

/* The same rows of dx, and what they add to the columns' sums. */
/*@ requires block && spread_held(v) && spread_held(w) && 0 <= t < BDIM;
    requires 0 <= i0 <= VJP_SPLIT_ROWS && spread_at(vec,c,rows,cols);
    requires \valid_read(s + (0 .. 4*VJP_SPLIT_ROWS-1)) && perm_r(s,4*VJP_SPLIT_ROWS);
    requires spread_out(dx,vec,c,rows,cols);
    assigns dx[0 .. ix(rows,cols,0)-1]; */
DEV spread_sums split_out_some(PER_THREADK(float4, v), PER_THREADK(float4, w), int t, int vec,
                               int adds, idx i0, idx c, idx rows, idx cols, float4 scale,
                               spread_sums sums, float *s, float *RESTRICT dx PHASE_FN)
{
  /*@ loop invariant 0 <= j <= SPREAD_DEPTH && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, sums, dx[0 .. ix(rows,cols,0)-1];
      loop variant SPREAD_DEPTH - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < SPREAD_DEPTH; j++, j0 += BDIM) {
    //@ assert next: mul(j+1,BDIM) == j0 + BDIM;
    if (i0 + j < rows)
      sums = split_out_cell(vec, adds, i0 + j, c, rows, cols, REG(v, j, j0, t), REG(w, j, j0, t),
                            scale, sums, s, dx IN_PHASE);
  }
  return sums;
}

/* All rows of the step at c, of which the first are held. */
/*@ requires block && spread_held(v) && spread_held(w) && 0 <= t < BDIM;
    requires spread_at(vec,c,rows,cols);
    requires steps_in(x,ix(rows,cols,0),vec) && steps_in(g,ix(rows,cols,0),vec);
    requires \valid_read(s + (0 .. 4*VJP_SPLIT_ROWS-1)) && perm_r(s,4*VJP_SPLIT_ROWS);
    requires spread_out(dx,vec,c,rows,cols);
    assigns v[0 .. KMAX*MAXB-1], w[0 .. KMAX*MAXB-1], dx[0 .. ix(rows,cols,0)-1]; */
DEV spread_sums spread_down(PER_THREADK(float4, v), PER_THREADK(float4, w), int t, int vec,
                            int adds, idx c, idx rows, idx cols, float4 scale,
                            const float *RESTRICT x, const float *RESTRICT g, float *s,
                            float *RESTRICT dx PHASE_FN)
{
  spread_sums sums = {{0.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 0.0f}};
  /*@ loop invariant 0 <= i <= VJP_SPLIT_ROWS + SPREAD_DEPTH;
      loop assigns i, sums, v[0 .. KMAX*MAXB-1], w[0 .. KMAX*MAXB-1],
                   dx[0 .. ix(rows,cols,0)-1];
      loop variant rows - i; */
  for (idx i = 0; i < rows; i += SPREAD_DEPTH) {
    sums = split_out_some(v, w, t, vec, adds, i, c, rows, cols, scale, sums, s, dx IN_PHASE);
    split_out_load(v, t, vec, i + SPREAD_DEPTH, c, rows, cols, x);
    split_out_load(w, t, vec, i + SPREAD_DEPTH, c, rows, cols, g);
  }
  return sums;
}

/*@ // dx, dgamma and dbeta, of which a thread writes the step at c
    predicate spread_to{L}(float *dx, float *dgamma, float *dbeta, integer centered, integer vec,
                           integer rows, integer cols) =
      writes(dx,ix(rows,cols,0)) && writes(dgamma,cols) &&
      (centered != 0 ==> writes(dbeta,cols)) &&
      (vec != 0 ==> aligned16(dx) && aligned16(dgamma) && (centered != 0 ==> aligned16(dbeta)));
    predicate spread_from{L}(float *x, float *gamma, float *g, integer affine, integer vec,
                             integer rows, integer cols) =
      steps_in(x,ix(rows,cols,0),vec) && steps_in(g,ix(rows,cols,0),vec) &&
      (affine != 0 ==> steps_in(gamma,cols,vec)); */

/* The step at c of dgamma and dbeta. */
/*@ requires step_out(dgamma+c,vec) && (centered != 0 ==> step_out(dbeta+c,vec)) && 0 <= c;
    requires c + StepAt(vec,1) <= cols;
    assigns dgamma[0 .. cols-1], dbeta[0 .. cols-1]; */
DEV void split_out_store(int centered, int vec, int affine, int adds, idx c, spread_sums sums,
                         float *RESTRICT dgamma, float *RESTRICT dbeta GHOST_PARAMS(idx cols))
{
  float4 none = {0.0f, 0.0f, 0.0f, 0.0f};
  step_put(vec, adds, affine ? sums.dgamma : none, dgamma + c);
  if (centered)
    step_put(vec, adds, sums.dbeta, dbeta + c);
}

/* Stretch b of the columns. */
/*@ requires block && 0 <= b < blocks && 0 < stretch && ix(blocks,stretch,0) <= IDX_LIM;
    requires known_in(mean,rstd,part,centered,rows,cols,pieces) && cols <= IDX_LIM;
    requires (vec != 0 ==> cols % 4 == 0) && ix(rows,cols,0) <= IDX_LIM;
    requires spread_from(x,gamma,g,affine,vec,rows,cols);
    requires spread_to(dx,dgamma,dbeta,centered,vec,rows,cols);
    assigns dx[0 .. ix(rows,cols,0)-1], dgamma[0 .. cols-1], dbeta[0 .. cols-1]; */
DEV void split_out_nth(int centered, int vec, int affine, int adds, idx b, idx blocks, idx stretch,
                       idx rows, idx cols, idx pieces, const float *RESTRICT x,
                       const float *RESTRICT gamma, const float *RESTRICT mean,
                       const float *RESTRICT rstd, const float *RESTRICT g, const float *part,
                       float *RESTRICT dx, float *RESTRICT dgamma, float *RESTRICT dbeta)
{
  SHARED(float, s, 4 * VJP_SPLIT_ROWS);
  PRIVATEK(float4, v);
  PRIVATEK(float4, w);
  PRIVATE(float4, scale);
  idx steps = split_steps(vec, cols), first = at2(blocks, stretch, b, 0), end;
  //@ assert next: ix(b+1,stretch,0) == first + stretch && first + stretch <= IDX_LIM;
  end = first + stretch < steps ? first + stretch : steps;
  /*@ loop invariant 0 <= k0 <= IDX_LIM + MAXB;
      loop assigns k0, v[0 .. KMAX*MAXB-1], w[0 .. KMAX*MAXB-1], scale[0 .. BDIM-1],
                   s[0 .. 4*VJP_SPLIT_ROWS-1], dx[0 .. ix(rows,cols,0)-1], dgamma[0 .. cols-1],
                   dbeta[0 .. cols-1];
      loop variant end - k0; */
  for (idx k0 = first; k0 < end; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, v[0 .. KMAX*MAXB-1], w[0 .. KMAX*MAXB-1], scale[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < end) {
        idx c = vec ? 4 * (k0 + t) : k0 + t;
        AT(scale, t) = step_scale(vec, affine, c, gamma GHOST_ARGS(cols)); // lint-ok await: input
        split_out_load(v, t, vec, 0, c, rows, cols, x);                    // lint-ok await: and x
        split_out_load(w, t, vec, 0, c, rows, cols, g);                    // lint-ok await: and g
      }
    if (k0 == first) {
      await_launches();
      known_all(centered, rows, cols, pieces, mean, rstd, part, s);
    }
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, v[0 .. KMAX*MAXB-1], w[0 .. KMAX*MAXB-1], dx[0 .. ix(rows,cols,0)-1],
                     dgamma[0 .. cols-1], dbeta[0 .. cols-1];
        loop variant BDIM - t; */
    PHASE(t)
      if (k0 + t < end) {
        idx c = vec ? 4 * (k0 + t) : k0 + t;
        /*@ assert within: \forall integer i; 0 <= i < rows ==> 0 <= ix(i,cols,c) &&
              ix(i,cols,c) + StepAt(vec,1) <= ix(rows,cols,0); */
        //@ assert perm: perm_r(dx,ix(rows,cols,0)) && perm_w(dx,ix(rows,cols,0));
        //@ assert out: spread_out(dx,vec,c,rows,cols);
        spread_sums sums =
            spread_down(v, w, t, vec, adds, c, rows, cols, AT(scale, t), x, g, s, dx IN_PHASE);
        split_out_store(centered, vec, affine, adds, c, sums, dgamma, dbeta GHOST_ARGS(cols));
      }
  }
}

/* Block b does that stretch. */
/*@ requires block && 0 <= blocks && 0 < stretch && ix(blocks,stretch,0) <= IDX_LIM;
    requires ix(blocks,1,0) <= BLOCKS;
    requires known_in(mean,rstd,part,CENTERED,rows,cols,pieces) && cols <= IDX_LIM;
    requires (VEC != 0 ==> cols % 4 == 0) && ix(rows,cols,0) <= IDX_LIM;
    requires spread_from(x,gamma,g,affine,VEC,rows,cols);
    requires spread_to(dx,dgamma,dbeta,CENTERED,VEC,rows,cols);
    assigns dx[0 .. ix(rows,cols,0)-1], dgamma[0 .. cols-1], dbeta[0 .. cols-1]; */
TEMPLATE(int CENTERED, int VEC)
KERNEL void norm_vjp_split_out(CONSTANTS(int CENTERED, int VEC) int affine, int accumulate,
                               idx blocks, idx stretch, idx rows, idx cols, idx pieces,
                               const float *RESTRICT x, const float *RESTRICT gamma,
                               const float *RESTRICT mean, const float *RESTRICT rstd,
                               const float *RESTRICT g, const float *part, float *RESTRICT dx,
                               float *RESTRICT dgamma, float *RESTRICT dbeta)
{
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, dx[0 .. ix(rows,cols,0)-1], dgamma[0 .. cols-1], dbeta[0 .. cols-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1)
    split_out_nth(CENTERED, VEC, affine, accumulate, b, blocks, stretch, rows, cols, pieces, x,
                  gamma, mean, rstd, g, part, dx, dgamma, dbeta);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
template <int CENTERED, int VEC> static void launch_split(const pm_exec *ex, const vjp_call *t)
{
  idx chunk = split_chunk(t->rows, t->cols), pieces = split_chunks(t->rows, t->cols);
  idx steps = VEC ? t->cols / 4 : t->cols, stretch = vjp_split_stretch(steps);
  idx blocks = divide_up(steps, stretch);
  float *part = (float *)ex->work;
  LAUNCH((norm_vjp_split_chunks<CENTERED, VEC>), t->rows * pieces, SPLIT_BLOCK, ex->stream,
         t->affine, t->rows, t->cols, chunk, pieces, t->x, t->gamma, t->mean, t->rstd, t->g, part);
  LAUNCH_AFTER((norm_vjp_split_out<CENTERED, VEC>), blocks, vjp_split_block(steps), ex->stream,
               t->affine, t->accumulate, blocks, stretch, t->rows, t->cols, pieces, t->x, t->gamma,
               t->mean, t->rstd, t->g, (const float *)part, t->dx, t->dgamma, t->dbeta);
}

extern "C" void LAUNCHER(norm_vjp_split)(const pm_exec *ex, int vec, const vjp_call *t)
{
  if (t->mean && vec)
    launch_split<1, 1>(ex, t);
  else if (t->mean)
    launch_split<1, 0>(ex, t);
  else if (vec)
    launch_split<0, 1>(ex, t);
  else
    launch_split<0, 0>(ex, t);
}
#endif
