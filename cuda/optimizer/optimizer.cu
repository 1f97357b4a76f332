/* Optimizer steps. One thread reads each element of the inputs and writes that of the outputs, all
 * its loads before its stores, so that an output may be the input that it takes the place of; no
 * pointer here is restrict for that reason.
 *
 * Thread t of the first V does elements 4t .. 4t+3; one thread each does those that are left. V may
 * be n / 4 where every tensor is 16-byte aligned, and is 0 anywhere else. */
#include "../lang/kernel.h"
#include "../math/elementary.h"
#include "../../spec/optimizer.h"

typedef struct adam {
  float lr, beta1, beta2, eps, decay, c1, c2;
} adam;

typedef struct adam_cell {
  float q, m, v;
} adam_cell;

/*@ // thread t writes [step_end(t), step_end(t+1))
    logic integer step_end(integer t, integer V, integer n) =
      t <= V ? 4*t : 3*V + t <= n ? 3*V + t : n;
    predicate step_W(integer t, integer V, integer n, integer k) =
      step_end(t,V,n) <= k < step_end(t+1,V,n);
    lemma race_step: \forall integer t, s, V, n, k; 0 <= t ==> 0 <= s ==> t != s ==> 0 <= V ==>
      4*V <= n ==> step_W(t,V,n,k) ==> !step_W(s,V,n,k);
    predicate step_own{L}(float *y, integer t, integer V, integer n) =
      \valid(y + (0 .. n-1)) && (\forall integer k; step_W(t,V,n,k) ==> R(y+k) && W(y+k));
    // an input: thread t reads no other thread's elements, since those may be written by then
    predicate step_in{L}(float *x, integer t, integer V, integer n) =
      \valid_read(x + (0 .. n-1)) && (\forall integer k; step_W(t,V,n,k) ==> R(x+k));
    predicate step_size(integer n, integer V) = 0 <= 4*V <= n <= IDX_LIM;
    // an input and the output that takes its place, or that is apart from it
    predicate step_place{L}(float *x, float *y, integer n) = x == y || apart(x,n,y,n);
    predicate step_same{L0,L}(float *y, integer from, integer to) =
      \forall integer k; from <= k < to ==> \at(y[k],L) == \at(y[k],L0);
    // what an output holds, of inputs in the state L0
    predicate sgd_done{L0,L}(float *q, float *p, float *g, real lr, integer from, integer to) =
      \forall integer k; from <= k < to ==>
        \at(q[k],L) == SgdStep(\at(p[k],L0), \at(g[k],L0), lr);
    logic real AdamQ(adam a, real p, real g, real m, real v) =
      AdamwStep(p, g, m, v, a.lr, a.beta1, a.beta2, a.eps, a.decay, a.c1, a.c2);
    predicate adam_q{L0,L}(adam a, float *q, float *p, float *g, float *m, float *v, integer from,
                           integer to) =
      \forall integer k; from <= k < to ==> \at(q[k],L) ==
        AdamQ(a, \at(p[k],L0), \at(g[k],L0), \at(m[k],L0), \at(v[k],L0));
    predicate adam_m{L0,L}(adam a, float *r, float *g, float *m, integer from, integer to) =
      \forall integer k; from <= k < to ==>
        \at(r[k],L) == FirstMoment(\at(m[k],L0), \at(g[k],L0), a.beta1);
    predicate adam_v{L0,L}(adam a, float *s, float *g, float *v, integer from, integer to) =
      \forall integer k; from <= k < to ==>
        \at(s[k],L) == SecondMoment(\at(v[k],L0), \at(g[k],L0), a.beta2); */

/*@ assigns \nothing; ensures \result == SgdStep(p,g,lr); */
DEV float sgd_f(float p, float g, float lr) { return p - lr * g; }

/*@ assigns \nothing; ensures \result == FirstMoment(m,g,beta1); */
DEV float first_f(float m, float g, float beta1) { return beta1 * m + (1.0f - beta1) * g; }

/*@ assigns \nothing; ensures \result == SecondMoment(v,g,beta2); */
DEV float second_f(float v, float g, float beta2) { return beta2 * v + (1.0f - beta2) * (g * g); }

/*@ assigns \nothing; ensures \result == rdiv(x,y); */
DEV float quotient_f(float x, float y) { return x / y; }

/*@ assigns \nothing; ensures \result == AdamMove(m,v,a.lr,a.eps,a.c1,a.c2); */
DEV float move_f(adam a, float m, float v)
{
  float root = pm_sqrtf(a.c2 * v) + a.eps;
  //@ assert root == AdamRoot(v,a.eps,a.c2);
  return a.lr * quotient_f(a.c1 * m, root);
}

/*@ assigns \nothing; ensures \result == Decayed(p,a.lr,a.decay); */
DEV float decayed_f(adam a, float p) { return p * (1.0f - a.lr * a.decay); }

/*@ assigns \nothing;
    ensures \result.q == AdamQ(a,p,g,m,v);
    ensures \result.m == FirstMoment(m,g,a.beta1);
    ensures \result.v == SecondMoment(v,g,a.beta2); */
DEV adam_cell adam_f(adam a, float p, float g, float m, float v)
{
  adam_cell c;
  c.m = first_f(m, g, a.beta1);
  c.v = second_f(v, g, a.beta2);
  c.q = decayed_f(a, p) - move_f(a, c.m, c.v);
  return c;
}

#define SGD_INPUTS reads(p, n) && reads(g, n)
#define SGD_OWN step_own(q, t, V, n) && step_in(p, t, V, n) && step_in(g, t, V, n)
#define SGD_APART step_place(p, q, n) && apart(g, n, q, n)
#define SGD_ALIGNED aligned16(p) && aligned16(g) && aligned16(q)

/*@ requires step_size(n,V) && 0 <= t < V && SGD_APART && SGD_ALIGNED && SGD_OWN;
    assigns q[4*t .. 4*t+3];
    ensures sgd_done{Pre,Post}(q,p,g,lr,4*t,4*t+4); */
DEV void sgd_vector(idx t, idx n, idx V, float lr, const float *p, const float *g, float *q)
{
  idx k = 4 * t;
  float4 a = LD4(p + k), b = LD4(g + k), y;
  (void)n, (void)V;
  y.x = sgd_f(a.x, b.x, lr);
  y.y = sgd_f(a.y, b.y, lr);
  y.z = sgd_f(a.z, b.z, lr);
  y.w = sgd_f(a.w, b.w, lr);
  ST4(q + k, y);
}

/*@ requires step_size(n,V) && 0 <= t < 0x1000000000000000 && SGD_APART && SGD_OWN;
    requires 0 < V ==> SGD_ALIGNED;
    assigns q[step_end(t,V,n) .. step_end(t+1,V,n)-1];
    ensures sgd_done{Pre,Post}(q,p,g,lr,step_end(t,V,n),step_end(t+1,V,n)); */
DEV void sgd_thread(idx t, idx n, idx V, float lr, const float *p, const float *g, float *q)
{
  idx k = 3 * V + t;
  if (t < V)
    sgd_vector(t, n, V, lr, p, g, q);
  else if (k < n)
    STG(q + k, sgd_f(LDG(p + k), LDG(g + k), lr));
}

/*@ requires step_size(n,V) && n - 3*V <= GSIZE < 0x1000000000000000 && SGD_INPUTS && SGD_APART;
    requires 0 < V ==> SGD_ALIGNED;
    requires writes(q,n);
    assigns q[0 .. n-1];
    ensures sgd_done{Pre,Post}(q,p,g,lr,0,n); */
KERNEL void sgd_kernel(idx n, idx V, float lr, const float *p, const float *g, float *q)
{
  /*@ loop invariant 0 <= t <= GSIZE;
      loop invariant sgd_done{Pre,Here}(q,p,g,lr,0,step_end(t,V,n));
      loop invariant step_same{Pre,Here}(p,step_end(t,V,n),n);
      loop invariant step_same{Pre,Here}(g,0,n);
      loop assigns t, q[0 .. n-1];
      loop variant GSIZE - t; */
  EACH_GRID_THREAD(t) {
    sgd_thread(t, n, V, lr, p, g, q);
    //@ assert step_same{LoopCurrent,Here}(q,0,step_end(t,V,n));
    //@ assert step_same{LoopCurrent,Here}(p,step_end(t+1,V,n),n);
  }
}

#define ADAM_TENSORS \
  const float *p, const float *g, const float *m, const float *v, float *q, float *r, float *s
#define ADAM_INPUTS reads(p, n) && reads(g, n) && reads(m, n) && reads(v, n)
#define ADAM_PLACES step_place(p, q, n) && step_place(m, r, n) && step_place(v, s, n)
#define ADAM_APART_(y, x0, x1, x2) apart(x0, n, y, n) && apart(x1, n, y, n) && apart(x2, n, y, n)
#define ADAM_APART                                                                 \
  ADAM_APART_(q, g, m, v) && ADAM_APART_(r, g, p, v) && ADAM_APART_(s, g, p, m) && \
      apart(q, n, r, n) && apart(q, n, s, n) && apart(r, n, s, n)
#define ADAM_ALIGNED                                                                              \
  aligned16(p) && aligned16(g) && aligned16(m) && aligned16(v) && aligned16(q) && aligned16(r) && \
      aligned16(s)
#define ADAM_READS \
  step_in(p, t, V, n) && step_in(g, t, V, n) && step_in(m, t, V, n) && step_in(v, t, V, n)
#define ADAM_OWN step_own(q, t, V, n) && step_own(r, t, V, n) && step_own(s, t, V, n)

/* r and s are m' and v'. */
/*@ requires step_size(n,V) && 0 <= t < V;
    requires ADAM_PLACES;
    requires ADAM_APART;
    requires ADAM_ALIGNED;
    requires ADAM_READS;
    requires ADAM_OWN;
    assigns q[4*t .. 4*t+3], r[4*t .. 4*t+3], s[4*t .. 4*t+3];
    ensures adam_q{Pre,Post}(a,q,p,g,m,v,4*t,4*t+4);
    ensures adam_m{Pre,Post}(a,r,g,m,4*t,4*t+4);
    ensures adam_v{Pre,Post}(a,s,g,v,4*t,4*t+4); */
DEV void adam_vector(idx t, idx n, idx V, adam a, ADAM_TENSORS)
{
  idx k = 4 * t;
  float4 x = LD4(p + k), d = LD4(g + k), f = LD4(m + k), h = LD4(v + k), y;
  adam_cell c0 = adam_f(a, x.x, d.x, f.x, h.x), c1 = adam_f(a, x.y, d.y, f.y, h.y);
  adam_cell c2 = adam_f(a, x.z, d.z, f.z, h.z), c3 = adam_f(a, x.w, d.w, f.w, h.w);
  (void)n, (void)V;
  y.x = c0.q, y.y = c1.q, y.z = c2.q, y.w = c3.q;
  ST4(q + k, y);
  y.x = c0.m, y.y = c1.m, y.z = c2.m, y.w = c3.m;
  ST4(r + k, y);
  y.x = c0.v, y.y = c1.v, y.z = c2.v, y.w = c3.v;
  ST4(s + k, y);
}

/*@ requires step_size(n,V) && V <= t && k == 3*V + t && k < n;
    requires ADAM_PLACES;
    requires ADAM_APART;
    requires ADAM_READS;
    requires ADAM_OWN;
    assigns q[k], r[k], s[k];
    ensures adam_q{Pre,Post}(a,q,p,g,m,v,k,k+1);
    ensures adam_m{Pre,Post}(a,r,g,m,k,k+1);
    ensures adam_v{Pre,Post}(a,s,g,v,k,k+1); */
DEV void adam_one(idx t, idx k, idx n, idx V, adam a, ADAM_TENSORS)
{
  adam_cell c = adam_f(a, LDG(p + k), LDG(g + k), LDG(m + k), LDG(v + k));
  (void)t, (void)n, (void)V;
  STG(q + k, c.q);
  STG(r + k, c.m);
  STG(s + k, c.v);
}

#define ADAM_STEP(y) y[step_end(t, V, n)..step_end(t + 1, V, n) - 1]

/*@ requires step_size(n,V) && 0 <= t < 0x1000000000000000;
    requires ADAM_PLACES;
    requires ADAM_APART;
    requires 0 < V ==> ADAM_ALIGNED;
    requires ADAM_READS;
    requires ADAM_OWN;
    assigns ADAM_STEP(q), ADAM_STEP(r), ADAM_STEP(s);
    ensures adam_q{Pre,Post}(a,q,p,g,m,v,step_end(t,V,n),step_end(t+1,V,n));
    ensures adam_m{Pre,Post}(a,r,g,m,step_end(t,V,n),step_end(t+1,V,n));
    ensures adam_v{Pre,Post}(a,s,g,v,step_end(t,V,n),step_end(t+1,V,n)); */
DEV void adam_thread(idx t, idx n, idx V, adam a, ADAM_TENSORS)
{
  if (t < V)
    adam_vector(t, n, V, a, p, g, m, v, q, r, s);
  else if (3 * V + t < n)
    adam_one(t, 3 * V + t, n, V, a, p, g, m, v, q, r, s);
}

/*@ requires step_size(n,V) && n - 3*V <= GSIZE < 0x1000000000000000;
    requires ADAM_INPUTS;
    requires ADAM_PLACES;
    requires ADAM_APART;
    requires 0 < V ==> ADAM_ALIGNED;
    requires writes(q,n) && writes(r,n) && writes(s,n);
    assigns q[0 .. n-1], r[0 .. n-1], s[0 .. n-1];
    ensures adam_q{Pre,Post}(a,q,p,g,m,v,0,n);
    ensures adam_m{Pre,Post}(a,r,g,m,0,n);
    ensures adam_v{Pre,Post}(a,s,g,v,0,n); */
KERNEL void adam_kernel(idx n, idx V, adam a, ADAM_TENSORS)
{
  /*@ loop invariant 0 <= t <= GSIZE;
      loop invariant adam_q{Pre,Here}(a,q,p,g,m,v,0,step_end(t,V,n));
      loop invariant adam_m{Pre,Here}(a,r,g,m,0,step_end(t,V,n));
      loop invariant adam_v{Pre,Here}(a,s,g,v,0,step_end(t,V,n));
      loop invariant step_same{Pre,Here}(p,step_end(t,V,n),n);
      loop invariant step_same{Pre,Here}(m,step_end(t,V,n),n);
      loop invariant step_same{Pre,Here}(v,step_end(t,V,n),n);
      loop invariant step_same{Pre,Here}(g,0,n);
      loop assigns t, q[0 .. n-1], r[0 .. n-1], s[0 .. n-1];
      loop variant GSIZE - t; */
  EACH_GRID_THREAD(t) {
    adam_thread(t, n, V, a, p, g, m, v, q, r, s);
    //@ assert step_same{LoopCurrent,Here}(q,0,step_end(t,V,n));
    //@ assert step_same{LoopCurrent,Here}(r,0,step_end(t,V,n));
    //@ assert step_same{LoopCurrent,Here}(s,0,step_end(t,V,n));
    //@ assert step_same{LoopCurrent,Here}(p,step_end(t+1,V,n),n);
    //@ assert step_same{LoopCurrent,Here}(m,step_end(t+1,V,n),n);
    //@ assert step_same{LoopCurrent,Here}(v,step_end(t+1,V,n),n);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "../map/map.h"
#include "../map/map_launch.h"

#include <float.h>

static const pm_kernel ROWS[] = {MAP_ROWS_OF("sgd_step", PM_VALUE, declare_none),
                                 MAP_ROWS_OF("adam_step", PM_VALUE, declare_none),
                                 MAP_ROWS_OF("adamw_step", PM_VALUE, declare_none)};

/* One input, and the output that may take its place. NULL: the input has none. */
typedef struct tensor_pair {
  const char *in_name;
  const float *in;
  const char *out_name;
  float *out;
} tensor_pair;

static void not_negative(pm_check *c, const char *name, float v)
{
  if (c->status == PM_OK && !(v >= 0 && v <= FLT_MAX))
    c->status =
        pm_fail(PM_BAD_ARGUMENT, c->op, "%s = %g: must be >= 0 and finite", name, (double)v);
}

static void decay_rate(pm_check *c, const char *name, float v)
{
  if (c->status == PM_OK && !(v >= 0 && v < 1))
    c->status = pm_fail(PM_BAD_ARGUMENT, c->op, "%s = %.9g: must be >= 0 and < 1", name, (double)v);
}

static void correction(pm_check *c, const char *name, const char *beta, float v)
{
  if (c->status == PM_OK && !(v >= 1 && v <= FLT_MAX))
    c->status = pm_fail(PM_BAD_ARGUMENT, c->op,
                        "%s = %.9g: must be 1/(1 - %s^t) of a step t >= 1, so >= 1 and finite",
                        name, (double)v, beta);
}

/* After the numbers are checked. */
static map_grid step_plan(pm_check *c, pm_exec *ex, idx n, const tensor_pair *t, int n_pairs)
{
  int aligned = 1;
  pm_size(c, "n", n);
  for (int i = 0; i < n_pairs; i++) {
    if (t[i].in != t[i].out || !t[i].out)
      pm_in(c, t[i].in_name, t[i].in, n, sizeof(float));
    if (t[i].out_name)
      pm_out(c, t[i].out_name, t[i].out, n, sizeof(float));
    aligned = aligned && pm_aligned16(t[i].in) && pm_aligned16(t[i].out);
  }
  return map_plan(c, ex, ROWS, sizeof ROWS / sizeof *ROWS, n, MAP_SHARE2, aligned);
}

extern "C" pm_status LAUNCHER(sgd_step)(pm_exec *ex, int64_t n, float lr, const float *p,
                                        const float *g, float *q)
{
  const tensor_pair t[] = {{"p", p, "q", q}, {"g", g, NULL, NULL}};
  pm_check c = pm_begin("sgd_step", ex);
  map_grid grid;
  not_negative(&c, "lr", lr);
  grid = step_plan(&c, ex, n, t, 2);
  if (grid.blocks)
    LAUNCH(sgd_kernel, grid.blocks, MAP_BLOCK, ex->stream, n, grid.V, lr, p, g, q);
  return pm_launched(&c);
}

static pm_status adam_launch(const char *op, pm_exec *ex, idx n, adam a, const float *p,
                             const float *g, const float *m, const float *v, float *q, float *r,
                             float *s)
{
  const tensor_pair t[] = {
      {"p", p, "q", q}, {"g", g, NULL, NULL}, {"m", m, "m_next", r}, {"v", v, "v_next", s}};
  pm_check c = pm_begin(op, ex);
  map_grid grid;
  not_negative(&c, "lr", a.lr);
  decay_rate(&c, "beta1", a.beta1);
  decay_rate(&c, "beta2", a.beta2);
  pm_positive(&c, "eps", a.eps);
  not_negative(&c, "weight_decay", a.decay);
  correction(&c, "c1", "beta1", a.c1);
  correction(&c, "c2", "beta2", a.c2);
  grid = step_plan(&c, ex, n, t, 4);
  if (grid.blocks)
    LAUNCH(adam_kernel, grid.blocks, MAP_BLOCK, ex->stream, n, grid.V, a, p, g, m, v, q, r, s);
  return pm_launched(&c);
}

/* A decay of 0 multiplies by 1. */
extern "C" pm_status LAUNCHER(adam_step)(pm_exec *ex, int64_t n, float lr, float beta1, float beta2,
                                         float eps, float c1, float c2, const float *p,
                                         const float *g, const float *m, const float *v, float *q,
                                         float *m_next, float *v_next)
{
  const adam a = {lr, beta1, beta2, eps, 0.0f, c1, c2};
  return adam_launch("adam_step", ex, n, a, p, g, m, v, q, m_next, v_next);
}

extern "C" pm_status LAUNCHER(adamw_step)(pm_exec *ex, int64_t n, float lr, float beta1,
                                          float beta2, float eps, float weight_decay, float c1,
                                          float c2, const float *p, const float *g, const float *m,
                                          const float *v, float *q, float *m_next, float *v_next)
{
  const adam a = {lr, beta1, beta2, eps, weight_decay, c1, c2};
  return adam_launch("adamw_step", ex, n, a, p, g, m, v, q, m_next, v_next);
}

PM_FAMILY(optimizer, ROWS, NULL);
#endif
