/* Launchers of the elementwise ops. With the kernel NAME_map of cuda/map/map.h and the family's
 * kernel table ROWS, one line is the launcher of an op:
 *
 *   MAP_OP(add, (a, b), (y))                         (ex, n, a, b, y)
 *   MAP_OP1(safe_log, eps, pm_positive, (a), (y))    (ex, n, eps, a, y)
 *   MAP_OP2(clamp, lo, hi, pm_ordered, (a), (y))     (ex, n, lo, hi, a, y)
 *   MAP_VJP(gelu, (a, g), (da))                      gelu_vjp (ex, accumulate, n, a, g, da)
 *
 * and MAP_VJP1, MAP_VJP2 likewise. The word after the attributes is the rule that they obey:
 * rule(&c, name, value) of cuda/host/check.h, with a second name and value in the forms with 2. */
#ifndef PM_MAP_MAP_LAUNCH_H
#define PM_MAP_MAP_LAUNCH_H
#include "../host/table.h"

enum { MAP_BLOCK = 128 };
#define MAP_WHEN "every tensor 16-byte aligned"

/* The op's rows of the kernel table; MAP_ROWS where its kernel is an instance of map.h. */
#define MAP_ROWS_OF(op, level, declare) \
  {op, "vec4", MAP_WHEN, level, declare}, { op, "scalar", "always", level, declare }
#define MAP_ROWS(op, declare) MAP_ROWS_OF(op, PM_RACES, declare)

static inline void declare_none(const int64_t *size, pm_arith *out) { (void)size, (void)out; }

/* The op's tensors, all of n elements; those that it has not have no name. */
typedef struct map_tensors {
  struct {
    const char *name;
    const float *p;
  } in[3];
  struct {
    const char *name;
    float *p;
  } out[2];
} map_tensors;

/* Sizes of a launch: threads that do vectors, none in the scalar variant, and blocks. */
typedef struct map_grid {
  idx V;
  unsigned blocks;
} map_grid;

/* The grid of n elements in vectors or one by one; blocks is 0 where nothing is to be done. `share`
 * is MAP_SHARE1 of cuda/map/map.h where the op has one output, else MAP_SHARE2. */
static inline map_grid map_threads(pm_check *c, idx n, int share, int vectors)
{
  idx V = vectors ? n / share : 0;
  map_grid grid = {V, pm_blocks(c, n - (share - 1) * V, MAP_BLOCK)};
  return grid;
}

/* After the checks: the variant, and its grid. The op's first row is vec4, for which `aligned`
 * tells whether it is suited; the second is scalar. */
static inline map_grid map_plan(pm_check *c, pm_exec *ex, const pm_kernel *rows, size_t n_rows,
                                idx n, int share, int aligned)
{
  map_grid none = {0, 0};
  int variant;
  if (pm_checked(c) != PM_OK)
    return none;
  variant = pm_pick(c, ex, rows, (int)n_rows, aligned ? 3u : 2u);
  return variant < 0 ? none : map_threads(c, n, share, variant == 0);
}

static inline map_grid map_check(pm_check *c, pm_exec *ex, const pm_kernel *rows, size_t n_rows,
                                 idx n, const map_tensors *t)
{
  int aligned = 1;
  for (int i = 0; i < 3 && t->in[i].name; i++) {
    pm_in(c, t->in[i].name, t->in[i].p, n, sizeof(float));
    aligned = aligned && pm_aligned16(t->in[i].p);
  }
  for (int o = 0; o < 2 && t->out[o].name; o++) {
    pm_out(c, t->out[o].name, t->out[o].p, n, sizeof(float));
    aligned = aligned && pm_aligned16(t->out[o].p);
  }
  return map_plan(c, ex, rows, n_rows, n, t->out[1].name ? MAP_SHARE2 : MAP_SHARE1, aligned);
}

/* (a, b) as parameters, and as names and pointers */
#define MAP_COUNT_(a, b, c, macro, ...) macro
#define MAP_LIST1_(F, a) F(a)
#define MAP_LIST2_(F, a, b) F(a), F(b)
#define MAP_LIST3_(F, a, b, c) F(a), F(b), F(c)
#define MAP_LIST_(F, ...) \
  MAP_COUNT_(__VA_ARGS__, MAP_LIST3_, MAP_LIST2_, MAP_LIST1_, )(F, __VA_ARGS__)
#define MAP_BARE_(...) __VA_ARGS__
#define MAP_INPUT_(x) const float *x
#define MAP_OUTPUT_(y) float *y
#define MAP_NAMED_(x) \
  {                   \
#x, x             \
  }

/* first: parameters before the tensors; check: rules for them; the rest are the kernel's. */
#define MAP_LAUNCHER_(op, first, check, accumulate, p0, p1, ins, outs)                    \
  extern "C" pm_status LAUNCHER(op)(pm_exec * ex, MAP_BARE_ first,                        \
                                    MAP_LIST_(MAP_INPUT_, MAP_BARE_ ins),                 \
                                    MAP_LIST_(MAP_OUTPUT_, MAP_BARE_ outs))               \
  {                                                                                       \
    const map_tensors t = {{MAP_LIST_(MAP_NAMED_, MAP_BARE_ ins)},                        \
                           {MAP_LIST_(MAP_NAMED_, MAP_BARE_ outs)}};                      \
    pm_check check_ = pm_begin(#op, ex);                                                  \
    map_grid grid;                                                                        \
    pm_flag(&check_, "accumulate", accumulate);                                           \
    pm_size(&check_, "n", n);                                                             \
    check;                                                                                \
    grid = map_check(&check_, ex, ROWS, sizeof ROWS / sizeof *ROWS, n, &t);               \
    if (grid.blocks)                                                                      \
      LAUNCH(op##_map, grid.blocks, MAP_BLOCK, ex->stream, n, grid.V, accumulate, p0, p1, \
             t.in[0].p, t.in[1].p, t.in[2].p, t.out[0].p, t.out[1].p);                    \
    return pm_launched(&check_);                                                          \
  }

#define MAP_OP(op, ins, outs) MAP_LAUNCHER_(op, (int64_t n), (void)0, 0, 0.0f, 0.0f, ins, outs)
#define MAP_OP1(op, p, rule, ins, outs) \
  MAP_LAUNCHER_(op, (int64_t n, float p), rule(&check_, #p, p), 0, p, 0.0f, ins, outs)
#define MAP_OP2(op, p, q, rule, ins, outs) \
  MAP_LAUNCHER_(op, (int64_t n, float p, float q), rule(&check_, #p, p, #q, q), 0, p, q, ins, outs)
#define MAP_VJP(op, ins, outs) \
  MAP_LAUNCHER_(op##_vjp, (int accumulate, int64_t n), (void)0, accumulate, 0.0f, 0.0f, ins, outs)
#define MAP_VJP1(op, p, rule, ins, outs)                                                          \
  MAP_LAUNCHER_(op##_vjp, (int accumulate, int64_t n, float p), rule(&check_, #p, p), accumulate, \
                p, 0.0f, ins, outs)
#define MAP_VJP2(op, p, q, rule, ins, outs)                              \
  MAP_LAUNCHER_(op##_vjp, (int accumulate, int64_t n, float p, float q), \
                rule(&check_, #p, p, #q, q), accumulate, p, q, ins, outs)
#endif
