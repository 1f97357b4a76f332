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
#include "map.h"
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

/*@ // how many of its inputs and outputs an op has
    logic integer map_ins{L}(map_tensors *t) =
      t->in[0].name == \null ? 0 : t->in[1].name == \null ? 1 : t->in[2].name == \null ? 2 : 3;
    logic integer map_outs{L}(map_tensors *t) =
      t->out[0].name == \null ? 0 : t->out[1].name == \null ? 1 : 2;
    // what map.h's kernel asks of n, V and the grid; of the tensors; of them where V is not 0
    predicate map_covers(map_grid grid, integer n, integer share) =
      0 < grid.blocks ==> grid.blocks <= 0x7fffffff && 0 < n <= PM_MAX_ELEMENTS &&
        0 <= share*grid.V <= n <= (share-1)*grid.V + grid.blocks*MAP_BLOCK;
    predicate map_lie_apart{L}(map_tensors *t, integer n) =
      (\forall integer i, o; 0 <= i < map_ins(t) ==> 0 <= o < map_outs(t) ==>
         apart(t->in[i].p,n,t->out[o].p,n)) &&
      (map_outs(t) == 2 ==> apart(t->out[0].p,n,t->out[1].p,n));
    predicate map_ins_aligned{L}(map_tensors *t, integer m) =
      \forall integer i; 0 <= i < m ==> aligned16(t->in[i].p);
    predicate map_outs_aligned{L}(map_tensors *t, integer m) =
      \forall integer o; 0 <= o < m ==> aligned16(t->out[o].p);
    // the first of them, as c has noted them; that they are the same
    predicate map_noted_ins{K,L}(pm_check *c, map_tensors *t, integer n, integer m) =
      \forall integer i; 0 <= i < m ==> noted{L}(c,i,\at(t->in[i].p,K),n,0);
    predicate map_noted_outs{K,L}(pm_check *c, map_tensors *t, integer n, integer m) =
      \forall integer o; 0 <= o < m ==> noted{L}(c,map_ins{K}(t)+o,\at(t->out[o].p,K),n,1);
    predicate map_as_was{K,L}(map_tensors *t) =
      (\forall integer i; 0 <= i < 3 ==> \at(t->in[i].name,L) == \at(t->in[i].name,K) &&
         \at(t->in[i].p,L) == \at(t->in[i].p,K)) &&
      (\forall integer o; 0 <= o < 2 ==> \at(t->out[o].name,L) == \at(t->out[o].name,K) &&
         \at(t->out[o].p,L) == \at(t->out[o].p,K)); */
/* The grid of n elements in vectors or one by one; blocks is 0 where nothing is to be done. `share`
 * is MAP_SHARE1 of cuda/map/map.h where the op has one output, else MAP_SHARE2. */
/*@ requires \valid(c) && (c->status == PM_OK ==> 0 <= n <= PM_MAX_ELEMENTS);
    requires share == MAP_SHARE1 || share == MAP_SHARE2;
    assigns c->status;
    ensures worse(c->status,\old(c->status)) && map_covers(\result,n,share);
    ensures 0 < \result.blocks ==> c->status == PM_OK;
    ensures vectors == 0 ==> \result.V == 0; */
static inline map_grid map_threads(pm_check *c, idx n, int share, int vectors)
{
  idx V = vectors ? n / share : 0;
  map_grid grid = {V, pm_blocks(c, n - (share - 1) * V, MAP_BLOCK)};
  return grid;
}

/* After the checks: the variant, and its grid. The op's first row is vec4, for which `aligned`
 * tells whether it is suited; the second is scalar. */
/*@ requires inside(c);
    requires c->status == PM_OK ==> 0 <= n <= PM_MAX_ELEMENTS && \valid(ex);
    requires share == MAP_SHARE1 || share == MAP_SHARE2;
    assigns c->status;
    assigns ex->ran;
    ensures worse(c->status,\old(c->status)) && map_covers(\result,n,share);
    ensures 0 < \result.blocks ==> lie_apart(c) && c->status == PM_OK;
    ensures 0 < \result.blocks && aligned == 0 ==> \result.V == 0; */
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

/*@ requires \valid(c) && c->n == 0 && \valid_read(t) && t->out[0].name != \null;
    requires \separated(c, t) && \separated(c, ex) && \separated(t, ex);
    requires c->status == PM_OK ==> 0 <= n && \valid(ex);
    assigns c->status, c->n, c->buffer[0 .. PM_MAX_BUFFERS-1];
    assigns ex->ran;
    ensures worse(c->status,\old(c->status));
    ensures map_covers(\result,n,map_outs{Pre}(t) == 2 ? MAP_SHARE2 : MAP_SHARE1);
    ensures 0 < \result.blocks ==> map_lie_apart{Pre}(t,n) && c->status == PM_OK;
    ensures 0 < \result.blocks && 0 < \result.V ==>
      map_ins_aligned{Pre}(t,map_ins{Pre}(t)) && map_outs_aligned{Pre}(t,map_outs{Pre}(t)); */
static inline map_grid map_check(pm_check *c, pm_exec *ex, const pm_kernel *rows, size_t n_rows,
                                 idx n, const map_tensors *t)
{
  int aligned = 1;
  /*@ loop invariant 0 <= i <= map_ins{Pre}(t) && c->n <= i && inside(c);
      loop invariant worse(c->status,\at(c->status,Pre));
      loop invariant map_as_was{Pre,Here}(t);
      loop invariant c->status == PM_OK ==> 0 < i ==> n <= PM_MAX_ELEMENTS;
      loop invariant c->status == PM_OK ==> 0 < n ==>
        c->n == i && map_noted_ins{Pre,Here}(c,t,n,i);
      loop invariant aligned != 0 ==> map_ins_aligned{Pre}(t,i);
      loop assigns i, aligned, c->status, c->n, c->buffer[0 .. PM_MAX_BUFFERS-1];
      loop variant 3 - i; */
  for (int i = 0; i < 3 && t->in[i].name; i++) {
    pm_in(c, t->in[i].name, t->in[i].p, n, sizeof(float));
    aligned = aligned && pm_aligned16(t->in[i].p);
  }
  //@ assert ins: c->status == PM_OK ==> 0 < n ==> c->n == map_ins{Pre}(t);
  /*@ loop invariant 0 <= o <= map_outs{Pre}(t) && c->n <= map_ins{Pre}(t) + o && inside(c);
      loop invariant worse(c->status,\at(c->status,Pre));
      loop invariant map_as_was{Pre,Here}(t);
      loop invariant c->status == PM_OK ==> 0 < o ==> n <= PM_MAX_ELEMENTS;
      loop invariant c->status == PM_OK ==> 0 < n ==> c->n == map_ins{Pre}(t) + o;
      loop invariant c->status == PM_OK ==> 0 < n ==>
        map_noted_ins{Pre,Here}(c,t,n,map_ins{Pre}(t));
      loop invariant c->status == PM_OK ==> 0 < n ==> map_noted_outs{Pre,Here}(c,t,n,o);
      loop invariant aligned != 0 ==> map_ins_aligned{Pre}(t,map_ins{Pre}(t));
      loop invariant aligned != 0 ==> map_outs_aligned{Pre}(t,o);
      loop assigns o, aligned, c->status, c->n, c->buffer[0 .. PM_MAX_BUFFERS-1];
      loop variant 2 - o; */
  for (int o = 0; o < 2 && t->out[o].name; o++) {
    pm_out(c, t->out[o].name, t->out[o].p, n, sizeof(float));
    //@ assert same: map_as_was{LoopCurrent,Here}(t);
    aligned = aligned && pm_aligned16(t->out[o].p);
  }
  /*@ assert outs: c->status == PM_OK ==> 0 < n ==>
        map_noted_outs{Pre,Here}(c,t,n,map_outs{Pre}(t)); */
  return map_plan(c, ex, rows, n_rows, n, t->out[1].name ? MAP_SHARE2 : MAP_SHARE1, aligned);
}

/* (a, b) as parameters, and as names and pointers */
#define MAP_COUNT_(a, b, c, macro, ...) macro
#define MAP_LIST1_(F, a) F(a)
#define MAP_LIST2_(F, a, b) F(a), F(b)
#define MAP_LIST3_(F, a, b, c) F(a), F(b), F(c)
#define MAP_LIST_(F, ...) \
  MAP_COUNT_(__VA_ARGS__, MAP_LIST3_, MAP_LIST2_, MAP_LIST1_, )(F, __VA_ARGS__)
#define MAP_INPUT_(x) const float *x
#define MAP_OUTPUT_(y) float *y
#define MAP_NAMED_(x) \
  {                   \
#x, x             \
  }

/* The contract of a launcher: what its caller promises of n elements each, what it writes. */
#define MAP_SAY1_(F, a) F(a)
#define MAP_SAY2_(F, a, b) F(a) F(b)
#define MAP_SAY3_(F, a, b, c) F(a) F(b) F(c)
#define MAP_SAY_(F, ...) MAP_COUNT_(__VA_ARGS__, MAP_SAY3_, MAP_SAY2_, MAP_SAY1_, )(F, __VA_ARGS__)
#define MAP_READ_(x) requires n < 0 || IDX_LIM < n || \valid_read(x + (0..n - 1));
#define MAP_HELD_(y) requires n < 0 || IDX_LIM < n || \valid(y + (0..n - 1));
#define MAP_WRITTEN_(y) assigns y[0..n - 1];
#define MAP_PROMISED(ins, outs)       \
  requires ex == \null || \valid(ex); \
  MAP_SAY_(MAP_READ_, BARE_ ins)      \
  MAP_SAY_(MAP_HELD_, BARE_ outs)     \
  MAP_SAY_(MAP_WRITTEN_, BARE_ outs)  \
  assigns ex->ran;                    \
  assigns bdim_, blocks_, gsize_;

/* first: parameters before the tensors; check: rules for them; the rest are the kernel's. */
#define MAP_LAUNCHER_(op, first, check, accumulate, p0, p1, ins, outs)                      \
  ENTRY pm_status LAUNCHER(op)(pm_exec * ex, BARE_ first, MAP_LIST_(MAP_INPUT_, BARE_ ins), \
                               MAP_LIST_(MAP_OUTPUT_, BARE_ outs))                          \
  {                                                                                         \
    const map_tensors t = {{MAP_LIST_(MAP_NAMED_, BARE_ ins)},                              \
                           {MAP_LIST_(MAP_NAMED_, BARE_ outs)}};                            \
    pm_check check_ = pm_begin(#op, ex);                                                    \
    map_grid grid;                                                                          \
    pm_flag(&check_, "accumulate", accumulate);                                             \
    pm_size(&check_, "n", n);                                                               \
    check;                                                                                  \
    grid = map_check(&check_, ex, PM_TABLE(ROWS), n, &t);                                   \
    if (grid.blocks)                                                                        \
      LAUNCH(op##_map, grid.blocks, MAP_BLOCK, ex->stream, n, grid.V, accumulate, p0, p1,   \
             t.in[0].p, t.in[1].p, t.in[2].p, t.out[0].p, t.out[1].p);                      \
    return pm_launched(&check_);                                                            \
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
