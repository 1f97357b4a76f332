/* Parts of a tensor: concat, slice, write_rows and their VJPs are windows; copy, fill, zeros and
 * ones are elementwise. */
#include "../map/map.h"
#include "../../spec/slice.h"

/*@ assigns \nothing; ensures \result == First(a); */
DEV float pass_f(float a) { return a; }

#define MAP_NAME copy_map
#define MAP_INPUTS 1
#define MAP_F0 pass_f
#define MAP_L0 First
#include "../map/map.h"

#define MAP_NAME copy_vjp_map
#define MAP_INPUTS 1
#define MAP_F0 pass_f
#define MAP_L0 First
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME fill_map
#define MAP_INPUTS 0
#define MAP_PARAMS 1
#define MAP_F0 pass_f
#define MAP_L0 First
#include "../map/map.h"

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
#include "../map/map_launch.h"
#endif

#ifndef __FRAMAC__
#include <inttypes.h>

#include "window.h"

#define WINDOW_WHEN \
  "inner (or cols) times every size and start of the axis a multiple of 4, every tensor aligned"
#define WINDOW_ROWS(op)                              \
  {op, "vec4", WINDOW_WHEN, PM_VALUE, declare_none}, \
  {                                                  \
    op, "scalar", "always", PM_VALUE, declare_none   \
  }

static const pm_kernel ROWS[] = {
    WINDOW_ROWS("concat"),          WINDOW_ROWS("concat_vjp"),
    WINDOW_ROWS("slice"),           WINDOW_ROWS("slice_vjp"),
    WINDOW_ROWS("write_rows"),      WINDOW_ROWS("write_rows_vjp"),
    MAP_ROWS("copy", declare_none), MAP_ROWS("copy_vjp", declare_none),
    MAP_ROWS("fill", declare_none), MAP_ROWS("zeros", declare_none),
    MAP_ROWS("ones", declare_none),
};

/* One launch: y, (outer, f.width), becomes a window, in floats, of x and z. */
typedef struct window {
  idx outer;
  frame f;
  const float *x, *z;
  float *y;
} window;

static int part_fits(part p, const float *x)
{
  return !p.there || (p.pitch % 4 == 0 && p.shift % 4 == 0 && pm_aligned16(x));
}

static int window_fits(const window *w)
{
  return w->f.width % 4 == 0 && w->f.lo % 4 == 0 && w->f.hi % 4 == 0 && pm_aligned16(w->y) &&
         part_fits(w->f.in, w->x) && part_fits(w->f.around, w->z);
}

static frame in_vectors(frame f)
{
  f.width /= 4, f.lo /= 4, f.hi /= 4;
  f.in.pitch /= 4, f.in.shift /= 4;
  f.around.pitch /= 4, f.around.shift /= 4;
  return f;
}

/* After the checks of the arguments: the windows of an op, one or two, by one variant. */
static pm_status move(pm_check *c, pm_exec *ex, int accumulate, const window *w, int n)
{
  enum { BLOCK = 256 };
  int variant, fit = 1;
  if (pm_checked(c) != PM_OK)
    return c->status;
  for (int i = 0; i < n; i++) fit = fit && window_fits(w + i);
  variant = PM_PICK(c, ex, ROWS, fit ? 3u : 2u);
  for (int i = 0; i < n && variant >= 0; i++) {
    window a = w[i];
    unsigned blocks;
    if (variant == 0)
      a.f = in_vectors(a.f);
    blocks = pm_blocks(c, a.outer * a.f.width, BLOCK);
    if (blocks && variant == 0)
      LAUNCH(window_vec4, blocks, BLOCK, ex->stream, a.outer, a.f, accumulate, a.x, a.z, a.y);
    else if (blocks)
      LAUNCH(window_scalar, blocks, BLOCK, ex->stream, a.outer, a.f, accumulate, a.x, a.z, a.y);
  }
  return pm_launched(c);
}

/* Sizes of a view around an axis of n: floats of a row, and of all of it. */
typedef struct view {
  idx width, size;
} view;

static view view_of(pm_check *c, idx outer, const char *name, idx n, idx inner)
{
  view v;
  v.width = pm_times(c, name, n, "inner", inner);
  v.size = pm_times(c, "outer", outer, "the row", v.width);
  return v;
}

/* start .. start + len - 1 lie in an axis of n. No sum is made that could overflow. */
static void within(pm_check *c, const char *start_name, idx start, const char *len_name, idx len,
                   const char *n_name, idx n)
{
  if (c->status != PM_OK)
    return;
  if (start < 0)
    c->status =
        pm_fail(PM_BAD_ARGUMENT, c->op, "%s = %" PRId64 ": must be >= 0", start_name, start);
  else if (len > n || start > n - len)
    c->status = pm_fail(PM_BAD_ARGUMENT, c->op,
                        "%s = %" PRId64 ", %s = %" PRId64 ": %s + %s must be at most %s = %" PRId64,
                        start_name, start, len_name, len, start_name, len_name, n_name, n);
}

static const part NOTHING = {0, 0, 0};

static part part_of(idx pitch, idx shift)
{
  part p = {1, pitch, shift};
  return p;
}

/* Sizes of concat: the views of a, b, y. */
typedef struct joined {
  view a, b, y;
} joined;

static joined join_views(pm_check *c, idx outer, idx na, idx nb, idx inner)
{
  joined j;
  pm_size(c, "outer", outer);
  pm_size(c, "na", na);
  pm_size(c, "nb", nb);
  pm_size(c, "inner", inner);
  j.a = view_of(c, outer, "na", na, inner);
  j.b = view_of(c, outer, "nb", nb, inner);
  if (c->status == PM_OK && na > PM_MAX_ELEMENTS - nb)
    c->status = pm_fail(PM_BAD_ARGUMENT, c->op,
                        "na + nb = %" PRId64 " + %" PRId64 ": must be at most 2^60-1", na, nb);
  j.y = view_of(c, outer, "(na + nb)", c->status == PM_OK ? na + nb : 0, inner);
  return j;
}

extern "C" pm_status LAUNCHER(concat)(pm_exec *ex, int64_t outer, int64_t na, int64_t nb,
                                      int64_t inner, const float *a, const float *b, float *y)
{
  pm_check c = pm_begin("concat", ex);
  joined j = join_views(&c, outer, na, nb, inner);
  window w = {outer,
              {j.y.width, 0, j.a.width, part_of(j.a.width, 0), part_of(j.b.width, -j.a.width)},
              a,
              b,
              y};
  pm_in(&c, "a", a, j.a.size, sizeof *a);
  pm_in(&c, "b", b, j.b.size, sizeof *b);
  pm_out(&c, "y", y, j.y.size, sizeof *y);
  return move(&c, ex, 0, &w, 1);
}

/* Columns from .. from+width-1 of x, (outer, pitch). */
static window cut_out(idx outer, idx width, idx pitch, idx from, const float *x, float *y)
{
  window w = {outer, {width, 0, width, part_of(pitch, from), NOTHING}, x, NULL, y};
  return w;
}

extern "C" pm_status LAUNCHER(concat_vjp)(pm_exec *ex, int accumulate, int64_t outer, int64_t na,
                                          int64_t nb, int64_t inner, const float *g, float *da,
                                          float *db)
{
  pm_check c = pm_begin("concat_vjp", ex);
  joined j = join_views(&c, outer, na, nb, inner);
  window w[2] = {cut_out(outer, j.a.width, j.y.width, 0, g, da),
                 cut_out(outer, j.b.width, j.y.width, j.a.width, g, db)};
  pm_flag(&c, "accumulate", accumulate);
  pm_in(&c, "g", g, j.y.size, sizeof *g);
  pm_out(&c, "da", da, j.a.size, sizeof *da);
  pm_out(&c, "db", db, j.b.size, sizeof *db);
  return move(&c, ex, accumulate, w, 2);
}

/* Sizes of slice: the views of x and y, and the floats of a row before the slice. */
typedef struct cutting {
  view x, y;
  idx from;
} cutting;

static cutting cut_views(pm_check *c, idx outer, idx n, idx inner, idx len, idx start)
{
  cutting v;
  pm_size(c, "outer", outer);
  pm_size(c, "n", n);
  pm_size(c, "inner", inner);
  pm_size(c, "len", len);
  within(c, "start", start, "len", len, "n", n);
  v.x = view_of(c, outer, "n", n, inner);
  v.y = view_of(c, outer, "len", len, inner);
  v.from = pm_times(c, "start", start, "inner", inner);
  return v;
}

extern "C" pm_status LAUNCHER(slice)(pm_exec *ex, int64_t outer, int64_t n, int64_t inner,
                                     int64_t len, int64_t start, const float *x, float *y)
{
  pm_check c = pm_begin("slice", ex);
  cutting v = cut_views(&c, outer, n, inner, len, start);
  window w = cut_out(outer, v.y.width, v.x.width, v.from, x, y);
  pm_in(&c, "x", x, v.x.size, sizeof *x);
  pm_out(&c, "y", y, v.y.size, sizeof *y);
  return move(&c, ex, 0, &w, 1);
}

extern "C" pm_status LAUNCHER(slice_vjp)(pm_exec *ex, int accumulate, int64_t outer, int64_t n,
                                         int64_t inner, int64_t len, int64_t start, const float *g,
                                         float *dx)
{
  pm_check c = pm_begin("slice_vjp", ex);
  cutting v = cut_views(&c, outer, n, inner, len, start);
  window w = {outer,
              {v.x.width, v.from, v.from + v.y.width, part_of(v.y.width, -v.from), NOTHING},
              g,
              NULL,
              dx};
  pm_flag(&c, "accumulate", accumulate);
  pm_in(&c, "g", g, v.y.size, sizeof *g);
  pm_out(&c, "dx", dx, v.x.size, sizeof *dx);
  return move(&c, ex, accumulate, &w, 1);
}

/* Sizes of write_rows, in floats: all of it, the rows that are written, those before them. */
typedef struct writing {
  idx size, k, from;
} writing;

static writing write_sizes(pm_check *c, idx rows, idx cols, idx k, idx start)
{
  writing s;
  pm_size(c, "rows", rows);
  pm_size(c, "cols", cols);
  pm_size(c, "k", k);
  within(c, "start", start, "k", k, "rows", rows);
  s.size = pm_times(c, "rows", rows, "cols", cols);
  s.k = pm_times(c, "k", k, "cols", cols);
  s.from = pm_times(c, "start", start, "cols", cols);
  return s;
}

/* y == x: only u's rows move. */
extern "C" pm_status LAUNCHER(write_rows)(pm_exec *ex, int64_t rows, int64_t cols, int64_t k,
                                          int64_t start, const float *x, const float *u, float *y)
{
  pm_check c = pm_begin("write_rows", ex);
  writing s = write_sizes(&c, rows, cols, k, start);
  window all = {
      1, {s.size, s.from, s.from + s.k, part_of(s.k, -s.from), part_of(s.size, 0)}, u, x, y};
  int in_place = x == y && y;
  window rows_of_u = cut_out(1, s.k, s.k, 0, u, in_place ? y + s.from : y);
  if (!in_place)
    pm_in(&c, "x", x, s.size, sizeof *x);
  pm_in(&c, "u", u, s.k, sizeof *u);
  pm_out(&c, "y", y, s.size, sizeof *y);
  return move(&c, ex, 0, in_place ? &rows_of_u : &all, 1);
}

extern "C" pm_status LAUNCHER(write_rows_vjp)(pm_exec *ex, int accumulate, int64_t rows,
                                              int64_t cols, int64_t k, int64_t start,
                                              const float *g, float *dx, float *du)
{
  pm_check c = pm_begin("write_rows_vjp", ex);
  writing s = write_sizes(&c, rows, cols, k, start);
  window w[2] = {{1, {s.size, s.from, s.from + s.k, NOTHING, part_of(s.size, 0)}, NULL, g, dx},
                 cut_out(1, s.k, s.size, s.from, g, du)};
  pm_flag(&c, "accumulate", accumulate);
  pm_in(&c, "g", g, s.size, sizeof *g);
  pm_out(&c, "dx", dx, s.size, sizeof *dx);
  pm_out(&c, "du", du, s.k, sizeof *du);
  return move(&c, ex, accumulate, w, 2);
}

#endif

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
/*@ MAP_PROMISED((x), (y)) */
MAP_OP(copy, (x), (y))
/*@ MAP_PROMISED((g), (dx)) */
MAP_VJP(copy, (g), (dx))

/* y = value throughout. */
/*@ requires ex == \null || \valid(ex);
    MAP_HELD_(y)
    assigns ex->ran;
    assigns y[0 .. n-1], bdim_, blocks_, gsize_; */
static pm_status set_all(const char *op, pm_exec *ex, int64_t n, float value, float *y)
{
  const map_tensors t = {{{NULL, NULL}}, {{"y", y}}};
  pm_check c = pm_begin(op, ex);
  map_grid grid;
  pm_size(&c, "n", n);
  grid = map_check(&c, ex, PM_TABLE(ROWS), n, &t);
  if (grid.blocks)
    LAUNCH(fill_map, grid.blocks, MAP_BLOCK, ex->stream, n, grid.V, 0, value, 0.0f, t.in[0].p,
           t.in[1].p, t.in[2].p, t.out[0].p, t.out[1].p);
  return pm_launched(&c);
}

/*@ requires ex == \null || \valid(ex);
    MAP_HELD_(y)
    assigns ex->ran;
    assigns y[0 .. n-1], bdim_, blocks_, gsize_; */
ENTRY pm_status LAUNCHER(fill)(pm_exec *ex, int64_t n, float value, float *y)
{
  return set_all("fill", ex, n, value, y);
}

/*@ requires ex == \null || \valid(ex);
    MAP_HELD_(y)
    assigns ex->ran;
    assigns y[0 .. n-1], bdim_, blocks_, gsize_; */
ENTRY pm_status LAUNCHER(zeros)(pm_exec *ex, int64_t n, float *y)
{
  return set_all("zeros", ex, n, 0.0f, y);
}

/*@ requires ex == \null || \valid(ex);
    MAP_HELD_(y)
    assigns ex->ran;
    assigns y[0 .. n-1], bdim_, blocks_, gsize_; */
ENTRY pm_status LAUNCHER(ones)(pm_exec *ex, int64_t n, float *y)
{
  return set_all("ones", ex, n, 1.0f, y);
}

PM_FAMILY(slice, ROWS, NULL);
#endif
