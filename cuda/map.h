/* The kernel of an elementwise op, instantiated by inclusion: y[k] = f(x0[k], ...) for k < n.
 * The first V threads do four elements each, one thread each of the other n - 4V: V = n/4 where
 * every tensor is 16-byte aligned, 0 anywhere. Before each inclusion define
 *   MAP_NAME         the kernel
 *   MAP_INPUTS       1 or 2 inputs, x0 and x1; 0: the one element x0[0] for all k
 *   MAP_F0, MAP_L0   the function of one element, and its meaning in spec/
 *   MAP_F1, MAP_L1   the same for a second output; undefined where there is one
 *   MAP_ADDS         defined where the kernel takes `accumulate`: not 0 adds f(...) to y
 * and MAP_NAME is MAP_NAME(n, V, accumulate, x0, x1, y0, y1), of these what there is. No output
 * overlaps anything. */
#ifndef PM_MAP_H
#define PM_MAP_H
#include "kernel.h"
/*@ // thread g writes [map_end(g), map_end(g+1))
    logic integer map_end(integer g, integer V, integer n) =
      g <= V ? 4*g : 3*V + g <= n ? 3*V + g : n;
    predicate map_W(integer g, integer V, integer n, integer k) =
      map_end(g,V,n) <= k < map_end(g+1,V,n);
    lemma race_map: \forall integer g, h, V, n, k; 0 <= g ==> 0 <= h ==> g != h ==> 0 <= V ==>
      4*V <= n ==> map_W(g,V,n,k) ==> !map_W(h,V,n,k);
    predicate map_size(integer n, integer V) = 0 <= 4*V <= n <= IDX_LIM;
    predicate map_own{L}(float *y, integer g, integer V, integer n) =
      \valid(y + (0 .. n-1)) && (\forall integer k; map_W(g,V,n,k) ==> R(y+k) && W(y+k));
    predicate same{L0,L}(float *y, integer from, integer to) =
      \forall integer k; from <= k < to ==> \at(y[k],L) == \at(y[k],L0); */
/*@ assigns \nothing; ensures \result == plus(adds,old,v); */
DEV float map_plus(int adds, float old, float v) { return adds ? old + v : v; }
/* What is added to: y[0..3], or nothing. */
/*@ requires adds != 0 ==> \valid_read(y + (0 .. 3)) && aligned16(y);
    requires adds != 0 ==> R(y) && R(y+1) && R(y+2) && R(y+3);
    assigns \nothing;
    ensures adds != 0 ==>
      \result.x == y[0] && \result.y == y[1] && \result.z == y[2] && \result.w == y[3]; */
DEV float4 map_old4(int adds, const float *y)
{
  float4 old = {0, 0, 0, 0};
  if (adds)
    old = LD4(y);
  return old;
}
#define MAP_PASTE_(a, b) a##_##b
#define MAP_PASTE(a, b) MAP_PASTE_(a, b)
#define MAP_(suffix) MAP_PASTE(MAP_NAME, suffix)
#define MAP_ALIGNED_(p) aligned16(p)
#define MAP_OWN_(p) map_own(p, g, V, n)
#define MAP_OUT_(p) writes(p, n)
#define MAP_SAME_(p) same{Pre, Here}(p, map_end(g, V, n), n)
#endif

#if MAP_INPUTS == 0
#define MAP_X x0
#define MAP_X_PARAMS const float *RESTRICT x0
#define MAP_X_LOGIC float *x0
#define MAP_X_AT(L, k) \at(x0[0], L)
#define MAP_X_IN reads(x0, 1)
#define MAP_X_ALIGNED \true
#define MAP_X_APART(y) apart(x0, 1, y, n)
#define MAP_LOAD4(k)  \
  float g0 = LDG(x0); \
  float4 u0 = {g0, g0, g0, g0}
#define MAP_LOAD1(k) float u0 = LDG(x0)
#define MAP_U(m) u0 m
#elif MAP_INPUTS == 1
#define MAP_X x0
#define MAP_X_PARAMS const float *RESTRICT x0
#define MAP_X_LOGIC float *x0
#define MAP_X_AT(L, k) \at(x0[k], L)
#define MAP_X_IN reads(x0, n)
#define MAP_X_ALIGNED aligned16(x0)
#define MAP_X_APART(y) apart(x0, n, y, n)
#define MAP_LOAD4(k) float4 u0 = LD4(x0 + (k))
#define MAP_LOAD1(k) float u0 = LDG(x0 + (k))
#define MAP_U(m) u0 m
#else
#define MAP_X x0, x1
#define MAP_X_PARAMS const float *RESTRICT x0, const float *RESTRICT x1
#define MAP_X_LOGIC float *x0, float *x1
#define MAP_X_AT(L, k) \at(x0[k], L), \at(x1[k], L)
#define MAP_X_IN reads(x0, n) && reads(x1, n)
#define MAP_X_ALIGNED aligned16(x0) && aligned16(x1)
#define MAP_X_APART(y) apart(x0, n, y, n) && apart(x1, n, y, n)
#define MAP_LOAD4(k) float4 u0 = LD4(x0 + (k)), u1 = LD4(x1 + (k))
#define MAP_LOAD1(k) float u0 = LDG(x0 + (k)), u1 = LDG(x1 + (k))
#define MAP_U(m) u0 m, u1 m
#endif
#ifdef MAP_ADDS
#define MAP_A accumulate
#define MAP_A_PARAM int accumulate,
#define MAP_A_ARG accumulate,
#else
#define MAP_A 0
#define MAP_A_PARAM
#define MAP_A_ARG
#endif
#define MAP_DONE0(L, from, to) MAP_(done0){Pre, L}(y0, MAP_X, MAP_A, from, to)
#ifdef MAP_F1
#define MAP_Y y0, y1
#define MAP_Y_PARAMS float *RESTRICT y0, float *RESTRICT y1
#define MAP_Y_ALL(P) P(y0) && P(y1)
#define MAP_APART MAP_X_APART(y0) && MAP_X_APART(y1) && apart(y0, n, y1, n)
#define MAP_CELLS(range) y0[range], y1[range]
#define MAP_DONE(L, from, to) \
  MAP_DONE0(L, from, to) && MAP_(done1){Pre, L}(y1, MAP_X, MAP_A, from, to)
#else
#define MAP_Y y0
#define MAP_Y_PARAMS float *RESTRICT y0
#define MAP_Y_ALL(P) P(y0)
#define MAP_APART MAP_X_APART(y0)
#define MAP_CELLS(range) y0[range]
#define MAP_DONE(L, from, to) MAP_DONE0(L, from, to)
#endif
#define MAP_PARAMS MAP_A_PARAM MAP_X_PARAMS, MAP_Y_PARAMS
#define MAP_ARGS MAP_A_ARG MAP_X, MAP_Y

/*@ predicate MAP_(done0){L0,L}(float *y, MAP_X_LOGIC, integer adds, integer from, integer to) =
      \forall integer k; from <= k < to ==>
        \at(y[k],L) == plus(adds, \at(y[k],L0), MAP_L0(MAP_X_AT(L0, k))); */
#ifdef MAP_F1
/*@ predicate MAP_(done1){L0,L}(float *y, MAP_X_LOGIC, integer adds, integer from, integer to) =
      \forall integer k; from <= k < to ==>
        \at(y[k],L) == plus(adds, \at(y[k],L0), MAP_L1(MAP_X_AT(L0, k))); */
#endif

/*@ requires map_size(n,V) && 0 <= g < V;
    requires MAP_X_ALIGNED && MAP_X_IN;
    requires MAP_Y_ALL(MAP_ALIGNED_) && MAP_Y_ALL(MAP_OWN_) && MAP_APART;
    assigns MAP_CELLS(4*g .. 4*g+3);
    ensures MAP_DONE(Post, 4*g, 4*g+4); */
DEV void MAP_(four)(idx g, idx n, idx V, MAP_PARAMS)
{
  MAP_LOAD4(4 * g);
  float4 o, r;
  (void)n, (void)V;
  o = map_old4(MAP_A, y0 + 4 * g);
#ifdef MAP_F1
  float4 p = map_old4(MAP_A, y1 + 4 * g), s;
  s.x = map_plus(MAP_A, p.x, MAP_F1(MAP_U(.x)));
  s.y = map_plus(MAP_A, p.y, MAP_F1(MAP_U(.y)));
  s.z = map_plus(MAP_A, p.z, MAP_F1(MAP_U(.z)));
  s.w = map_plus(MAP_A, p.w, MAP_F1(MAP_U(.w)));
  ST4(y1 + 4 * g, s);
#endif
  r.x = map_plus(MAP_A, o.x, MAP_F0(MAP_U(.x)));
  r.y = map_plus(MAP_A, o.y, MAP_F0(MAP_U(.y)));
  r.z = map_plus(MAP_A, o.z, MAP_F0(MAP_U(.z)));
  r.w = map_plus(MAP_A, o.w, MAP_F0(MAP_U(.w)));
  ST4(y0 + 4 * g, r);
}

/*@ requires map_size(n,V) && V <= g && k == 3*V + g && k < n;
    requires MAP_X_IN && MAP_Y_ALL(MAP_OWN_) && MAP_APART;
    assigns MAP_CELLS(k);
    ensures MAP_DONE(Post, k, k+1); */
DEV void MAP_(one)(idx g, idx k, idx n, idx V, MAP_PARAMS)
{
  MAP_LOAD1(k);
  (void)g, (void)n, (void)V;
#ifdef MAP_F1
  STG(y1 + k, map_plus(MAP_A, MAP_A ? LDG(y1 + k) : 0, MAP_F1(MAP_U())));
#endif
  STG(y0 + k, map_plus(MAP_A, MAP_A ? LDG(y0 + k) : 0, MAP_F0(MAP_U())));
}

/*@ requires map_size(n,V) && 0 <= g < 0x1000000000000000;
    requires MAP_X_IN && MAP_Y_ALL(MAP_OWN_) && MAP_APART;
    requires 0 < V ==> MAP_X_ALIGNED && MAP_Y_ALL(MAP_ALIGNED_);
    assigns MAP_CELLS(map_end(g,V,n) .. map_end(g+1,V,n)-1);
    ensures MAP_DONE(Post, map_end(g,V,n), map_end(g+1,V,n)); */
DEV void MAP_(thread)(idx g, idx n, idx V, MAP_PARAMS)
{
  if (g < V)
    MAP_(four)(g, n, V, MAP_ARGS);
  else if (3 * V + g < n)
    MAP_(one)(g, 3 * V + g, n, V, MAP_ARGS);
}

/*@ requires map_size(n,V) && n - 3*V <= GSIZE < 0x1000000000000000;
    requires MAP_X_IN && MAP_Y_ALL(MAP_OUT_) && MAP_APART;
    requires 0 < V ==> MAP_X_ALIGNED && MAP_Y_ALL(MAP_ALIGNED_);
    assigns MAP_CELLS(0 .. n-1);
    ensures MAP_DONE(Post, 0, n); */
KERNEL void MAP_NAME(idx n, idx V, MAP_PARAMS)
{
  /*@ loop invariant 0 <= g <= GSIZE;
      loop invariant MAP_DONE(Here, 0, map_end(g,V,n));
      loop invariant MAP_Y_ALL(MAP_SAME_);
      loop assigns g, MAP_CELLS(0 .. n-1);
      loop variant GSIZE - g; */
  GLANES(g) MAP_(thread)(g, n, V, MAP_ARGS);
}

#undef MAP_NAME
#undef MAP_INPUTS
#undef MAP_F0
#undef MAP_F1
#undef MAP_L0
#undef MAP_L1
#undef MAP_ADDS
#undef MAP_X
#undef MAP_X_PARAMS
#undef MAP_X_LOGIC
#undef MAP_X_AT
#undef MAP_X_IN
#undef MAP_X_ALIGNED
#undef MAP_X_APART
#undef MAP_LOAD4
#undef MAP_LOAD1
#undef MAP_U
#undef MAP_A
#undef MAP_A_PARAM
#undef MAP_A_ARG
#undef MAP_DONE0
#undef MAP_DONE
#undef MAP_Y
#undef MAP_Y_PARAMS
#undef MAP_Y_ALL
#undef MAP_APART
#undef MAP_CELLS
#undef MAP_PARAMS
#undef MAP_ARGS
