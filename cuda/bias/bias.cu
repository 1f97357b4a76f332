/* add_bias and its VJP. */
#include "../lang/owned.h"
#include "../../spec/bias.h"

/* ---- add_bias: x and y are (rows, cols), b is (cols) ---- */

/*@ predicate bias{L0,L}(float *y, float *x, float *b, integer cols, integer r,
                         integer from, integer to) =
      \forall integer c; from <= c < to ==>
        \at(y[ix(r,cols,c)],L) == \at(x[ix(r,cols,c)],L0) + \at(b[c],L0);
    predicate bias_size{L}(float *y, float *x, float *b, integer rows, integer cols) =
      0 <= rows && 0 < cols <= IDX_LIM && reads(x,ix(rows,cols,0)) && reads(b,cols) &&
      0 <= ix(rows,cols,0) <= IDX_LIM && \valid(y + (0 .. ix(rows,cols,0)-1)) &&
      apart(x,ix(rows,cols,0),y,ix(rows,cols,0)) && apart(b,cols,y,ix(rows,cols,0)); */
/*@ requires bias_size(y,x,b,rows,4*V) && aligned16(x) && aligned16(b) && aligned16(y);
    requires 0 <= r < rows && 0 <= v < V && \forall integer k; quad_W(r,v,V,k) ==> W(y+k);
    assigns y[4*ix(r,V,v) .. 4*ix(r,V,v)+3];
    ensures bias{Pre,Post}(y, x, b, 4*V, r, 4*v, 4*v+4); */
DEV void add_bias_four(idx r, idx v, idx rows, idx V, const float *RESTRICT x,
                       const float *RESTRICT b, float *RESTRICT y THREAD_FN)
{
  idx k = at2(rows, 4 * V, r, 4 * v);
  //@ assert k == 4*ix(r,V,v) && ix(rows,4*V,0) == 4*ix(rows,V,0) && k + 4 <= ix(rows,4*V,0);
  ST4(y + k, plus4(LD4(x + k), LD4(b + 4 * v)));
}

/*@ requires bias_size(y,x,b,rows,4*V) && aligned16(x) && aligned16(b) && aligned16(y);
    requires own_quads(y,ix(rows,4*V,0)) && ix(rows,V,0) <= GSIZE;
    assigns y[0 .. ix(rows,4*V,0)-1];
    ensures \forall integer q; 0 <= q < rows ==> bias{Pre,Post}(y, x, b, 4*V, q, 0, 4*V); */
KERNEL void add_bias_vec4(idx rows, idx V, const float *RESTRICT x, const float *RESTRICT b,
                          float *RESTRICT y)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant \forall integer q; 0 <= q < r ==> bias{Pre,Here}(y, x, b, 4*V, q, 0, 4*V);
      loop assigns r, y[0 .. ix(rows,4*V,0)-1];
      loop variant rows - r; */
  GROWS(r, rows, V) {
    /*@ loop invariant 0 <= v <= V;
        loop invariant \forall integer q; 0 <= q < r ==> bias{Pre,Here}(y, x, b, 4*V, q, 0, 4*V);
        loop invariant bias{Pre,Here}(y, x, b, 4*V, r, 0, 4*v);
        loop assigns v, y[0 .. ix(rows,4*V,0)-1];
        loop variant V - v; */
    GCOLS(v, V) {
      //@ assert at: ix(r,4*V,4*v) == 4*ix(r,V,v);
      /*@ assert above: \forall integer q, c; 0 <= q < r ==> 0 <= c < 4*V ==>
            ix(q,4*V,c) < 4*ix(r,V,v); */
      add_bias_four(r, v, rows, V, x, b, y IN_GRID(r, v));
    }
  }
}

/*@ requires bias_size(y,x,b,rows,cols);
    requires 0 <= r < rows && 0 <= c < cols && \forall integer k; cell_W(r,c,cols,k) ==> W(y+k);
    assigns y[ix(r,cols,c)];
    ensures bias{Pre,Post}(y, x, b, cols, r, c, c+1); */
DEV void add_bias_one(idx r, idx c, idx rows, idx cols, const float *RESTRICT x,
                      const float *RESTRICT b, float *RESTRICT y THREAD_FN)
{
  idx k = at2(rows, cols, r, c);
  STG(y + k, LDG(x + k) + LDG(b + c));
}

/*@ requires bias_size(y,x,b,rows,cols) && own_cells(y,ix(rows,cols,0));
    requires ix(rows,cols,0) <= GSIZE;
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures \forall integer q; 0 <= q < rows ==> bias{Pre,Post}(y, x, b, cols, q, 0, cols); */
KERNEL void add_bias_scalar(idx rows, idx cols, const float *RESTRICT x, const float *RESTRICT b,
                            float *RESTRICT y)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant \forall integer q; 0 <= q < r ==> bias{Pre,Here}(y, x, b, cols, q, 0, cols);
      loop assigns r, y[0 .. ix(rows,cols,0)-1];
      loop variant rows - r; */
  GROWS(r, rows, cols) {
    /*@ loop invariant 0 <= c <= cols;
        loop invariant \forall integer q; 0 <= q < r ==>
          bias{Pre,Here}(y, x, b, cols, q, 0, cols);
        loop invariant bias{Pre,Here}(y, x, b, cols, r, 0, c);
        loop assigns c, y[0 .. ix(rows,cols,0)-1];
        loop variant cols - c; */
    GCOLS(c, cols) add_bias_one(r, c, rows, cols, x, b, y IN_GRID(r, c));
  }
}

/* ---- add_bias_vjp; here: what is above would see its lemmas ---- */
#include "column_sums_spec.h"

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
/* -------------------------------------------------- launchers */
#include "../host/table.h"

#ifndef __FRAMAC__
#include "tiles.h"

#include <string.h>

#define VEC4 "every tensor 16-byte aligned and cols a multiple of 4"

static void declare_none(const int64_t *size, pm_arith *out) { (void)size, (void)out; }

static void declare_sums(const int64_t *size, pm_arith *out)
{
  out->height[1] = bias_sums_height(size[0], size[1]);
}

static void declare_tiles(const int64_t *size, pm_arith *out)
{
  out->height[1] = bias_tiles_height(size[0], size[1]);
}

static const pm_kernel ROWS[] = {
    {"add_bias", "vec4", VEC4, PM_RACES, declare_none},
    {"add_bias", "scalar", "always", PM_RACES, declare_none},
    {"add_bias_vjp", "tiles", VEC4 ", 64 <= rows <= 131072, cols >= 128", PM_CHECKED,
     declare_tiles},
    {"add_bias_vjp", "vec4", VEC4, PM_RACES, declare_sums},
    {"add_bias_vjp", "scalar", "always", PM_RACES, declare_sums},
};
#endif
enum { BLOCK = 256 };

/*@ assigns \nothing;
    ensures \result != 0 ==> cols % 4 == 0 && aligned16(p) && aligned16(q) && aligned16(r); */
static int vec4_suits(idx cols, const PM_MEMORY *p, const PM_MEMORY *q, const PM_MEMORY *r)
{
  return cols % 4 == 0 && pm_aligned16(p) && pm_aligned16(q) && pm_aligned16(r);
}

/*@ requires ex == \null || \valid(ex);
    requires 0 <= rows && 0 <= cols && ix(rows,cols,0) <= IDX_LIM ==>
      \valid_read(x + (0 .. ix(rows,cols,0)-1)) && \valid_read(b + (0 .. cols-1)) &&
      \valid(y + (0 .. ix(rows,cols,0)-1));
    assigns ex->ran;
    assigns y[0 .. ix(rows,cols,0)-1], bdim_, blocks_, gsize_; */
ENTRY pm_status LAUNCHER(add_bias)(pm_exec *ex, int64_t rows, int64_t cols, const float *x,
                                   const float *b, float *y)
{
  pm_check c = pm_begin("add_bias", ex);
  idx n;
  int variant;
  unsigned blocks;
  pm_size(&c, "rows", rows);
  pm_size(&c, "cols", cols);
  n = pm_times(&c, "rows", rows, "cols", cols);
  pm_in(&c, "x", x, n, sizeof *x);
  pm_in(&c, "b", b, cols, sizeof *b);
  pm_out(&c, "y", y, n, sizeof *y);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  //@ assert some: 0 < n ==> 0 < rows && 0 < cols;
  //@ assert apart: 0 < n ==> apart(x,n,y,n) && apart(b,cols,y,n);
  variant = PM_PICK(&c, ex, ROWS, vec4_suits(cols, x, b, y) ? 3u : 2u);
  //@ assert fours: variant == 0 ==> cols == 4*(cols/4) && n == 4*ix(rows,cols/4,0);
  blocks = pm_blocks(&c, variant == 0 ? n / 4 : n, BLOCK);
  if (blocks && variant == 0)
    LAUNCH(add_bias_vec4, blocks, BLOCK, ex->stream, rows, cols / 4, x, b, y);
  else if (blocks)
    LAUNCH(add_bias_scalar, blocks, BLOCK, ex->stream, rows, cols, x, b, y);
  return pm_launched(&c);
}
#endif

#ifndef __FRAMAC__
static size_t vjp_workspace(idx rows, idx cols)
{
  size_t strips = bias_sums_workspace(rows, cols), tiles = bias_tiles_workspace(rows, cols);
  return bias_tiles_suit(rows, cols) && tiles > strips ? tiles : strips;
}

extern "C" pm_status LAUNCHER(add_bias_vjp)(pm_exec *ex, int accumulate, int64_t rows, int64_t cols,
                                            const float *g, float *dx, float *db)
{
  pm_check c = pm_begin("add_bias_vjp", ex);
  idx n;
  int variant;
  pm_flag(&c, "accumulate", accumulate);
  pm_size(&c, "rows", rows);
  pm_size(&c, "cols", cols);
  n = pm_times(&c, "rows", rows, "cols", cols);
  pm_in(&c, "g", g, n, sizeof *g);
  pm_out(&c, "dx", dx, n, sizeof *dx);
  pm_out(&c, "db", db, cols, sizeof *db);
  pm_work(&c, c.status == PM_OK ? vjp_workspace(rows, cols) : 0);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  int fours = vec4_suits(cols, g, dx, db);
  variant = PM_PICK(&c, ex, ROWS, 4u | (fours ? 2u : 0u) | (fours && bias_tiles_suit(rows, cols)));
  if (variant == 0)
    bias_tiles_launch(&c, ex, accumulate, rows, cols, g, dx, db);
  else if (variant > 0 && cols)
    bias_sums_launch(&c, ex, variant == 1, accumulate, rows, cols, g, dx, db);
  return pm_launched(&c);
}

static size_t workspace(const char *op, const int64_t *size)
{
  return strcmp(op, "add_bias_vjp") ? 0 : vjp_workspace(size[0], size[1]);
}

PM_FAMILY(bias, ROWS, workspace);
#endif
