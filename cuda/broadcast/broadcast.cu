/* broadcast_to and its VJP. */
#include "../row/store_vec4.h"
#include "../../spec/broadcast.h"

/* ---- broadcast_to, its axes merged: y is (rows, cols), x is (sources, each), each == cols, or 1
 * where a row of y is one element of x repeated. The rows of x are the cells of a grid of up to four
 * axes, among which y has others; row q of y is that with the digits quo(rem(q,period),below). ---- */
typedef struct axis {
  idx size, below, period; /* of x; steps of q from one digit to the next; size * below */
} axis;

typedef struct grid { /* outermost first; where there are fewer than four their size is 1 */
  axis a, b, c, d;
} grid;

/*@ predicate axis_ok(axis a) =
      0 < a.size && 0 < a.below && a.period == ix(a.size,a.below,0) && a.period <= IDX_LIM;
    logic integer digit(axis a, integer q) = quo(rem(q,a.period), a.below);
    logic integer cells2(grid p) = ix(p.a.size,p.b.size,0);
    logic integer cells3(grid p) = ix(cells2(p),p.c.size,0);
    logic integer cells(grid p) = ix(cells3(p),p.d.size,0);
    predicate grid_ok(grid p) =
      axis_ok(p.a) && axis_ok(p.b) && axis_ok(p.c) && axis_ok(p.d) && cells(p) <= IDX_LIM;
    // the row of x that row q of y is
    logic integer source(grid p, integer q) =
      ix(ix(ix(digit(p.a,q), p.b.size, digit(p.b,q)), p.c.size, digit(p.c,q)),
         p.d.size, digit(p.d,q));
    logic real source_at{L}(float *x, integer each, integer from, integer c) =
      x[ix(from, each, each == 1 ? 0 : c)];
    logic real spread_at{L}(float *x, grid p, integer each, integer q, integer c) =
      source_at(x, each, source(p,q), c);
    predicate spread{L0,L}(float *y, float *x, grid p, integer each, integer cols, integer q,
                           integer from, integer to) =
      \forall integer c; from <= c < to && c < cols ==>
        \at(y[ix(q,cols,c)],L) == spread_at{L0}(x,p,each,q,c);
    predicate spread_rows{L0,L}(float *y, float *x, grid p, integer each, integer cols,
                                integer rows) =
      \forall integer q, c; 0 <= q < rows ==> 0 <= c < cols ==>
        \at(y[ix(q,cols,c)],L) == spread_at{L0}(x,p,each,q,c);
    predicate spread_size{L}(float *y, float *x, grid p, integer sources, integer each,
                             integer rows, integer cols) =
      grid_ok(p) && sources == cells(p) && 0 <= rows && 0 < cols <= IDX_LIM &&
      (each == 1 || each == cols) && reads(x,ix(sources,each,0)) &&
      0 <= ix(rows,cols,0) <= IDX_LIM && \valid(y + (0 .. ix(rows,cols,0)-1)) &&
      apart(x,ix(sources,each,0),y,ix(rows,cols,0));
    lemma digit_range: \forall axis a, integer q; axis_ok(a) ==> 0 <= q ==>
      0 <= digit(a,q) < a.size;
    lemma rem_small: \forall integer k, n; 0 <= k < n ==> rem(k,n) == k;
    lemma ix_1: \forall integer i; ix(i,1,0) == i; */

/*@ requires axis_ok(a) && 0 <= q;
    assigns \nothing;
    ensures \result == digit(a,q) && 0 <= \result < a.size; */
DEV idx broadcast_digit(axis a, idx q)
{
  idx k = 0;
  //@ assert 0 <= digit(a,q) < a.size && 0 < a.period;
  if (a.size > 1) {
    k = q < a.period ? q : q % a.period;
    //@ assert k == rem(q,a.period);
    k = k / a.below;
  }
  return k;
}

/*@ requires 0 < m && 0 < n && ix(m,n,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result == ix(m,n,0) && m <= \result; */
DEV idx broadcast_times(idx m, idx n)
{
  //@ assert m * n == ix(m,n,0) && m <= ix(m,n,0);
  return m * n;
}

/*@ requires grid_ok(p) && 0 <= q;
    assigns \nothing;
    ensures \result == source(p,q) && 0 <= \result < cells(p); */
DEV idx broadcast_source(grid p, idx q)
{
  //@ assert 0 < p.a.size <= cells2(p) && 0 < cells2(p) <= cells3(p);
  //@ assert 0 < cells3(p) <= cells(p) <= IDX_LIM;
  idx n = p.a.size, at = broadcast_digit(p.a, q);
  at = at2(n, p.b.size, at, broadcast_digit(p.b, q));
  n = broadcast_times(n, p.b.size);
  //@ assert n == cells2(p) && 0 <= at < n;
  at = at2(n, p.c.size, at, broadcast_digit(p.c, q));
  n = broadcast_times(n, p.c.size);
  //@ assert n == cells3(p) && 0 <= at < n;
  return at2(n, p.d.size, at, broadcast_digit(p.d, q));
}

/* Vector v of row `from` of x, or of that row's one element. */
/*@ requires reads(x,ix(sources,each,0)) && 0 <= from < sources && 0 <= v && 0 < V;
    requires each == 1 || each == 4*V && aligned16(x);
    assigns \nothing;
    ensures \forall integer c; 4*v <= c < 4*v+4 && v < V ==>
      part(\result,c-4*v) == source_at(x,each,from,c); */
DEV float4 broadcast_get(idx from, idx v, idx sources, idx each, idx V, const float *RESTRICT x)
{
  float4 r = {0, 0, 0, 0};
  if (each == 1) {
    //@ assert ix(from,1,0) == from && ix(sources,1,0) == sources;
    r.x = LDG(x + from);
    r.y = r.x;
    r.z = r.x;
    r.w = r.x;
  } else if (v < V) {
    idx at = at2(sources, 4 * V, from, 4 * v);
    //@ assert at == 4*ix(from,V,v) && ix(sources,4*V,0) == 4*ix(sources,V,0);
    //@ assert at + 4 <= ix(sources,4*V,0);
    r = LD4(x + at);
    //@ assert \forall integer c; ix(from,4*V,c) == at + (c - 4*v);
  }
  /*@ assert \forall integer c; 4*v <= c < 4*v+4 ==>
        c - 4*v == 0 || c - 4*v == 1 || c - 4*v == 2 || c - 4*v == 3; */
  return r;
}

/* Thread t of the T that share row q, which is 4V long. */
/*@ requires spread_size(y,x,p,sources,each,rows,4*V) && aligned16(y);
    requires each != 1 ==> aligned16(x);
    requires 0 <= q < rows && 0 <= t < T <= V;
    requires \forall integer e; part_W(q,t,T,V,e) ==> R(y+e) && W(y+e);
    assigns y[ix(q,4*V,0) .. ix(q,4*V,0)+4*V-1];
    ensures 0 <= source(p,q) < sources;
    ensures spread{Pre,Post}(y,x,p,each,4*V,q,4*t,4*t+4);
    ensures spread{Pre,Post}(y,x,p,each,4*V,q,4*(t+T),4*(t+T)+4);
    ensures spread{Pre,Post}(y,x,p,each,4*V,q,4*(t+2*T),4*(t+2*T)+4);
    ensures spread{Pre,Post}(y,x,p,each,4*V,q,4*(t+3*T),4*(t+3*T)+4);
    ensures kept{Pre,Post}(y,4*V,q,0,4*t);
    ensures kept{Pre,Post}(y,4*V,q,4*t+4,4*(t+T));
    ensures kept{Pre,Post}(y,4*V,q,4*(t+T)+4,4*(t+2*T));
    ensures kept{Pre,Post}(y,4*V,q,4*(t+2*T)+4,4*(t+3*T));
    ensures kept{Pre,Post}(y,4*V,q,4*(t+3*T)+4,4*V); */
DEV void broadcast_part(idx q, idx t, grid p, idx sources, idx each, idx rows, idx T, idx V,
                        const float *RESTRICT x, float *RESTRICT y)
{
  idx from = broadcast_source(p, q), t2 = t + 2 * T;
  float4 a = broadcast_get(from, t, sources, each, V, x);
  float4 b = broadcast_get(from, t + T, sources, each, V, x);
  float4 c = broadcast_get(from, t2, sources, each, V, x);
  float4 d = broadcast_get(from, t2 + T, sources, each, V, x);
  /*@ assert \forall integer e;
        spread_at(x,p,each,q,e) == source_at(x,each,from,e); */
  part_puts(q, t, T, V, rows, 0, a, b, c, d, y);
}

/*@ requires spread_size(y,x,p,sources,each,rows,cols) && 0 <= q < rows && 0 <= c < cols;
    requires \forall integer k; cell_W(q,c,cols,k) ==> W(y+k);
    assigns y[ix(q,cols,c)];
    ensures 0 <= source(p,q) < sources;
    ensures spread{Pre,Post}(y, x, p, each, cols, q, c, c+1); */
DEV void broadcast_one(idx q, idx c, grid p, idx sources, idx each, idx rows, idx cols,
                       const float *RESTRICT x, float *RESTRICT y)
{
  idx from = broadcast_source(p, q), to = at2(rows, cols, q, c);
  STG(y + to, LDG(x + at2(sources, each, from, each == 1 ? 0 : c)));
}

/* cols is 4V, T threads share a row. */
/*@ requires spread_size(y,x,p,sources,each,rows,4*V) && aligned16(y);
    requires each != 1 ==> aligned16(x);
    requires writes(y,ix(rows,4*V,0)) && 0 < T <= V <= 4*T && ix(rows,T,0) <= GSIZE;
    assigns y[0 .. ix(rows,4*V,0)-1];
    ensures \forall integer q; 0 <= q < rows ==> spread{Pre,Post}(y, x, p, each, 4*V, q, 0, 4*V); */
KERNEL void broadcast_to_vec4(grid p, idx sources, idx each, idx rows, idx T, idx V,
                              const float *RESTRICT x, float *RESTRICT y)
{
  /*@ loop invariant 0 <= q <= rows;
      loop invariant spread_rows{Pre,Here}(y, x, p, each, 4*V, q);
      loop assigns q, y[0 .. ix(rows,4*V,0)-1];
      loop variant rows - q; */
  GROWS(q, rows, T) {
    //@ assert ix(q+1,4*V,0) == ix(q,4*V,0) + 4*V && ix(q+1,4*V,0) <= ix(rows,4*V,0);
    //@ assert 0 <= ix(q,4*V,0);
    /*@ assert above: \forall integer s, c; 0 <= s < q ==> 0 <= c < 4*V ==>
          0 <= ix(s,4*V,c) < ix(q,4*V,0); */
    /*@ loop invariant 0 <= t <= T;
        loop invariant spread_rows{Pre,Here}(y, x, p, each, 4*V, q);
        loop invariant spread{Pre,Here}(y, x, p, each, 4*V, q, 0, 4*t);
        loop invariant spread{Pre,Here}(y, x, p, each, 4*V, q, 4*T, 4*(t+T));
        loop invariant spread{Pre,Here}(y, x, p, each, 4*V, q, 8*T, 4*(t+2*T));
        loop invariant spread{Pre,Here}(y, x, p, each, 4*V, q, 12*T, 4*(t+3*T));
        loop assigns t, y[0 .. ix(rows,4*V,0)-1];
        loop variant T - t; */
    GCOLS(t, T) {
      //@ assert Same{Pre,Here}(x, ix(sources,each,0));
      broadcast_part(q, t, p, sources, each, rows, T, V, x, y);
      /*@ assert rows: \forall integer s, c; 0 <= s < q ==> 0 <= c < 4*V ==>
            y[ix(s,4*V,c)] == \at(y[ix(s,4*V,c)],LoopCurrent); */
      /*@ assert in_x: \forall integer c; 0 <= c < 4*V ==>
            0 <= ix(source(p,q),each,each == 1 ? 0 : c) < ix(sources,each,0); */
      /*@ assert same_x: \forall integer c; 0 <= c < 4*V ==>
            spread_at{LoopCurrent}(x,p,each,q,c) == spread_at{Pre}(x,p,each,q,c); */
    }
    //@ assert spread{Pre,Here}(y, x, p, each, 4*V, q, 0, 4*V);
  }
}

/*@ requires spread_size(y,x,p,sources,each,rows,cols);
    requires writes(y,ix(rows,cols,0)) && ix(rows,cols,0) <= GSIZE;
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures \forall integer q; 0 <= q < rows ==>
      spread{Pre,Post}(y, x, p, each, cols, q, 0, cols); */
KERNEL void broadcast_to_scalar(grid p, idx sources, idx each, idx rows, idx cols,
                                const float *RESTRICT x, float *RESTRICT y)
{
  /*@ loop invariant 0 <= q <= rows;
      loop invariant \forall integer s; 0 <= s < q ==>
        spread{Pre,Here}(y, x, p, each, cols, s, 0, cols);
      loop assigns q, y[0 .. ix(rows,cols,0)-1];
      loop variant rows - q; */
  GROWS(q, rows, cols) {
    /*@ loop invariant 0 <= c <= cols;
        loop invariant \forall integer s; 0 <= s < q ==>
          spread{Pre,Here}(y, x, p, each, cols, s, 0, cols);
        loop invariant spread{Pre,Here}(y, x, p, each, cols, q, 0, c);
        loop assigns c, y[0 .. ix(rows,cols,0)-1];
        loop variant cols - c; */
    GCOLS(c, cols) {
      //@ assert Same{Pre,Here}(x, ix(sources,each,0));
      /*@ assert above: \forall integer s, d; 0 <= s < q ==> 0 <= d < cols ==>
            ix(s,cols,d) < ix(q,cols,c); */
      broadcast_one(q, c, p, sources, each, rows, cols, x, y);
      /*@ assert rows: \forall integer s; 0 <= s < q ==>
            spread{Pre,Here}(y, x, p, each, cols, s, 0, cols); */
      //@ assert spread{Pre,Here}(y, x, p, each, cols, q, 0, c);
      //@ assert in_x: 0 <= ix(source(p,q),each,each == 1 ? 0 : c) < ix(sources,each,0);
      //@ assert same_x: spread_at{LoopCurrent}(x,p,each,q,c) == spread_at{Pre}(x,p,each,q,c);
      //@ assert spread{Pre,Here}(y, x, p, each, cols, q, c, c+1);
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "../sum/any_axes.h"
#include "../host/table.h"

#include <string.h>

enum { BLOCK = 256, RANK = PM_MAX_RANK };

/* The dims of y, those of size 1 left out and neighbours of one kind merged: kept ones, which x
 * has, and others, along which x is repeated. */
typedef struct view {
  int n, kept[RANK];
  idx size[RANK];
} view;

/* Shapes of one rank, in `RANK` sizes, those behind the rank being 1. No size of y is 0. */
static view view_of(const int64_t *xs, const int64_t *s)
{
  view w;
  memset(&w, 0, sizeof w);
  for (int d = 0; d < RANK; d++) {
    int kept = xs[d] != 1;
    if (s[d] == 1)
      continue;
    if (w.n > 0 && w.kept[w.n - 1] == kept)
      w.size[w.n - 1] *= s[d];
    else {
      w.size[w.n] = s[d];
      w.kept[w.n++] = kept;
    }
  }
  return w;
}

static idx elements(const int64_t *s)
{
  idx n = 1;
  for (int d = 0; d < RANK; d++)
    if (s[d] == 0)
      return 0;
  for (int d = 0; d < RANK; d++) n *= s[d];
  return n;
}

typedef struct spread_plan {
  grid p;
  idx sources, each, rows, cols;
} spread_plan;

static spread_plan plan_broadcast(const view *w)
{
  spread_plan plan = {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, 1, 1, 1, 1};
  axis *const axes[4] = {&plan.p.a, &plan.p.b, &plan.p.c, &plan.p.d};
  int used = 0;
  if (w->n > 0) {
    plan.cols = w->size[w->n - 1];
    plan.each = w->kept[w->n - 1] ? plan.cols : 1;
  }
  for (int g = w->n - 2; g >= 0; g--) {
    if (w->kept[g]) {
      const axis own = {w->size[g], plan.rows, w->size[g] * plan.rows};
      *axes[3 - used++] = own;
      plan.sources *= w->size[g];
    }
    plan.rows *= w->size[g];
  }
  return plan;
}

static axis_plan plan_sum(const int64_t *xs, const int64_t *s)
{
  idx n = elements(s), nx = elements(xs);
  view w;
  if (n == 0 || n == nx)
    return axis_copy_plan(n != 0, nx);
  w = view_of(xs, s);
  return axis_sum_plan(w.n, w.size, w.kept);
}

static void declare_none(const int64_t *size, pm_arith *out) { (void)size, (void)out; }

static void declare_sum(const int64_t *size, pm_arith *out)
{
  axis_plan p = plan_sum(size, size + RANK);
  out->height[0] = axis_height(&p);
}

static const pm_kernel ROWS[] = {
    {"broadcast_to", "vec4",
     "the last dims that are all kept, or all repeated, make a multiple of 4 elements; y and, "
     "where "
     "they are kept, x 16-byte aligned",
     PM_VALUE, declare_none},
    {"broadcast_to", "scalar", "always", PM_VALUE, declare_none},
    {"broadcast_to_vjp", "vec4", "every tensor 16-byte aligned", PM_CHECKED, declare_sum},
    {"broadcast_to_vjp", "scalar", "always", PM_CHECKED, declare_sum},
};

static size_t workspace(const char *op, const int64_t *size)
{
  axis_plan p;
  if (strcmp(op, "broadcast_to_vjp") != 0)
    return 0;
  p = plan_sum(size, size + RANK);
  return p.bytes[0] + p.bytes[1];
}

typedef struct shapes {
  int64_t size[2 * RANK], nx, n; /* of x and y in one rank, and behind it 1; elements */
} shapes;

static shapes check_shapes(pm_check *c, int x_rank, const int64_t *x_shape, int rank,
                           const int64_t *shape)
{
  shapes t;
  int skip = rank - x_rank;
  for (int d = 0; d < 2 * RANK; d++) t.size[d] = 1;
  t.nx = pm_shape(c, "x_rank", x_rank, "x_shape", x_shape);
  t.n = pm_shape(c, "rank", rank, "shape", shape);
  if (c->status == PM_OK && x_rank > rank)
    c->status =
        pm_fail(PM_BAD_ARGUMENT, c->op, "x_rank = %d: must be at most rank = %d", x_rank, rank);
  for (int d = 0; c->status == PM_OK && d < rank; d++) {
    int64_t own = d < skip ? 1 : x_shape[d - skip];
    if (own != 1 && own != shape[d])
      c->status =
          pm_fail(PM_BAD_ARGUMENT, c->op, "x_shape[%d] = %lld: must be 1 or shape[%d] = %lld",
                  d - skip, (long long)own, d, (long long)shape[d]);
    t.size[d] = own;
    t.size[RANK + d] = shape[d];
  }
  return t;
}

/* Threads of a row of V vectors: four vectors each, if these are whole warps. */
static idx row_threads(idx V)
{
  idx T = divide_up(V, 4);
  return T > 32 ? T : V < 32 ? V : 32;
}

extern "C" pm_status LAUNCHER(broadcast_to)(pm_exec *ex, int x_rank, const int64_t *x_shape,
                                            int rank, const int64_t *shape, const float *x,
                                            float *y)
{
  pm_check c = pm_begin("broadcast_to", ex);
  shapes t = check_shapes(&c, x_rank, x_shape, rank, shape);
  spread_plan s = {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, 1, 1, 1, 0};
  int variant;
  unsigned blocks;
  pm_in(&c, "x", x, t.nx, sizeof *x);
  pm_out(&c, "y", y, t.n, sizeof *y);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  if (t.n > 0) {
    view w = view_of(t.size, t.size + RANK);
    s = plan_broadcast(&w);
  }
  variant =
      PM_PICK(&c, ex, ROWS,
              s.cols % 4 == 0 && pm_aligned16(y) && (s.each == 1 || pm_aligned16(x)) ? 3u : 2u);
  idx V = s.cols / 4, T = row_threads(V);
  blocks = pm_blocks(&c, variant == 0 ? s.rows * T : t.n, BLOCK);
  if (blocks && variant == 0)
    LAUNCH(broadcast_to_vec4, blocks, BLOCK, ex->stream, s.p, s.sources, s.each, s.rows, T, V, x,
           y);
  else if (blocks)
    LAUNCH(broadcast_to_scalar, blocks, BLOCK, ex->stream, s.p, s.sources, s.each, s.rows, s.cols,
           x, y);
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(broadcast_to_vjp)(pm_exec *ex, int accumulate, int x_rank,
                                                const int64_t *x_shape, int rank,
                                                const int64_t *shape, const float *g, float *dx)
{
  pm_check c = pm_begin("broadcast_to_vjp", ex);
  shapes t;
  int variant;
  pm_flag(&c, "accumulate", accumulate);
  t = check_shapes(&c, x_rank, x_shape, rank, shape);
  pm_in(&c, "g", g, t.n, sizeof *g);
  pm_out(&c, "dx", dx, t.nx, sizeof *dx);
  pm_work(&c, c.status == PM_OK ? workspace(c.op, t.size) : 0);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  variant = PM_PICK(&c, ex, ROWS, pm_aligned16(g) && pm_aligned16(dx) ? 3u : 2u);
  if (variant >= 0 && t.nx > 0) {
    axis_plan p = plan_sum(t.size, t.size + RANK);
    axis_sum_launch(&c, ex, &p, variant == 0, accumulate, g, dx);
  }
  return pm_launched(&c);
}

PM_FAMILY(broadcast, ROWS, workspace);
#endif
