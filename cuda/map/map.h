/* The kernel of an elementwise op, instantiated by inclusion: y0[k] = f0(x0[k], .., p0, ..) for
 * k < n, and y1 likewise. Thread g of the first V does elements 4g .. 4g+3 and, where there is one
 * output, 4(V+g) .. 4(V+g)+3 as well: all its loads come before the arithmetic, which hides behind
 * those of other warps. One thread each does the elements that are left. V may be n / MAP_SHARE
 * where every tensor is 16-byte aligned, and is 0 anywhere else. Before each inclusion define
 *   MAP_NAME         the kernel
 *   MAP_INPUTS       inputs x0, x1, x2: 0 to 3 of them
 *   MAP_ONE          defined where x0 is one element, the same for all k
 *   MAP_PARAMS       numbers p0, p1: 0 (or undefined) to 2 of them
 *   MAP_F0, MAP_L0   the function of one element, f0(x0[k], .., p0, ..), and its meaning in spec/
 *   MAP_D0           where the meaning holds for some arguments only: the predicate that says so
 *   MAP_F1, MAP_L1, MAP_D1   the same for a second output; undefined where there is one
 *   MAP_ADDS         defined where the kernel takes `accumulate`: not 0 adds f(...) to y
 *   MAP_BOUNDS       what nvcc is told of the launch (__launch_bounds__), or undefined
 * and MAP_NAME is MAP_NAME(n, V, accumulate, p0, p1, x0, x1, x2, y0, y1), where a tensor that the
 * op has not is NULL. No output overlaps anything.
 *
 * The text is proven once, in cuda/map/map_proof.h, for abstract functions, inputs of any kind, and
 * one output or two. Of an instance the prover sees that MAP_F0 has the meaning MAP_L0. */
#ifndef PM_MAP_MAP_H
#define PM_MAP_MAP_H
#if defined MAP_PROOF || defined PROVE_LAUNCHERS || !defined __FRAMAC__
#include "../lang/owned.h"
#endif
#include "../lang/kernel.h"
/* An input that is not there; n elements; one element; an output that is added to. */
enum { MAP_NONE, MAP_EACH, MAP_SAME, MAP_OWN };
#define MAP_SHARE1 8 /* elements of a thread that does vectors: where there is one output */
#define MAP_SHARE2 4 /* where there are two */
/* A launch calls an instance under the contract of the text; the value is not a launcher's business. */
#if defined PROVE_LAUNCHERS && !defined MAP_PROOF
#define MAP_CALLED
#define MAP_DONE_(...) \true
#else
#define MAP_DONE_(...) __VA_ARGS__
#endif
#define MAP_PASTE_(a, b) a##_##b
#define MAP_PASTE(a, b) MAP_PASTE_(a, b)
#define MAP_(suffix) MAP_PASTE(MAP_NAME, suffix)
#if defined MAP_PROOF || defined PROVE_LAUNCHERS || !defined __FRAMAC__
/*@ // of two outputs thread g writes [map_end(g), map_end(g+1)): who has cell k
    logic integer map_end(integer g, integer V, integer n) =
      g <= V ? 4*g : 3*V + g <= n ? 3*V + g : n;
    logic integer map_thread(integer k, integer V) = k < 4*V ? k/4 : k - 3*V;
    predicate own_map{L}(float *y, integer V, integer n) =
      held(y,n) && (\forall integer k; 0 <= k < n ==> owner(y+k,map_thread(k,V),GRID));
    // of one output [map_near(g), map_near(g+1)) and [map_far(g), map_far(g+1))
    logic integer map_near(integer g, integer V) = g <= V ? 4*g : 4*V;
    logic integer map_far(integer g, integer V, integer n) =
      g <= V ? 4*V + 4*g : 7*V + g <= n ? 7*V + g : n;
    logic integer map_thread2(integer k, integer V) =
      k < 4*V ? k/4 : k < 8*V ? k/4 - V : k - 7*V;
    predicate own_map2{L}(float *y, integer V, integer n) =
      held(y,n) && (\forall integer k; 0 <= k < n ==> owner(y+k,map_thread2(k,V),GRID));
    predicate map_size(integer n, integer V, integer share) = 0 <= share*V <= n <= IDX_LIM;
    predicate same{L0,L}(float *y, integer from, integer to) =
      \forall integer k; from <= k < to ==> \at(y[k],L) == \at(y[k],L0);
    // an input of some kind: it can be read, does not overlap y, is aligned; its element for k
    predicate reads_kind{L}(float *x, integer kind, integer n) =
      MAP_NONE <= kind <= MAP_SAME && (kind == MAP_EACH ==> reads(x,n)) &&
      (kind == MAP_SAME ==> reads(x,1));
    predicate map_apart(integer kind, float *x, float *y, integer n) =
      (kind == MAP_EACH ==> apart(x,n,y,n)) && (kind == MAP_SAME ==> apart(x,1,y,n));
    predicate map_aligned(integer kind, float *x) = kind == MAP_EACH ==> aligned16(x);
    logic real map_at{L}(integer kind, float *x, integer k) =
      kind == MAP_NONE ? 0.0 : kind == MAP_SAME ? x[0] : x[k]; */
#endif
#if defined MAP_PROOF || !defined __FRAMAC__
/*@ assigns \nothing; ensures \result == plus(adds,old,v); */
DEV float map_plus(int adds, float old, float v) { return adds ? old + v : v; }
/* Elements k .. k+3, or element k, of a tensor of some kind. */
/*@ requires MAP_NONE <= kind <= MAP_OWN;
    requires kind == MAP_EACH || kind == MAP_OWN ==>
      \valid_read(x + (k .. k+3)) && aligned16(x + k);
    requires kind == MAP_EACH ==> R(x+k) && R(x+(k+1)) && R(x+(k+2)) && R(x+(k+3));
    requires kind == MAP_OWN ==> W(x+k) && W(x+(k+1)) && W(x+(k+2)) && W(x+(k+3));
    requires kind == MAP_SAME ==> \valid_read(x) && R(x);
    assigns \nothing;
    ensures \result.x == map_at(kind,x,k) && \result.y == map_at(kind,x,k+1);
    ensures \result.z == map_at(kind,x,k+2) && \result.w == map_at(kind,x,k+3); */
DEV float4 map_load4(int kind, const float *x, idx k THREAD_FN)
{
  float4 v = {0, 0, 0, 0};
  if (kind == MAP_EACH)
    v = LD4(x + k);
  else if (kind == MAP_OWN)
    v = LD4_OWN(x + k);
  else if (kind == MAP_SAME)
    v.x = v.y = v.z = v.w = LDG(x);
  return v;
}
/*@ requires MAP_NONE <= kind <= MAP_OWN;
    requires kind == MAP_EACH ==> \valid_read(x + k) && R(x+k);
    requires kind == MAP_OWN ==> \valid_read(x + k) && W(x+k);
    requires kind == MAP_SAME ==> \valid_read(x) && R(x);
    assigns \nothing;
    ensures \result == map_at(kind,x,k); */
DEV float map_load1(int kind, const float *x, idx k THREAD_FN)
{
  if (kind == MAP_OWN)
    return LDG_OWN(x + k);
  return kind == MAP_EACH ? LDG(x + k) : kind == MAP_SAME ? LDG(x) : 0.0f;
}
#endif
#if defined MAP_PROOF || defined PROVE_LAUNCHERS || !defined __FRAMAC__
#define MAP_OLD (MAP_A ? MAP_OWN : MAP_NONE)
#define MAP_NUMBERS float p0, float p1
#define MAP_X const float *RESTRICT x0, const float *RESTRICT x1, const float *RESTRICT x2
#define MAP_Y float *RESTRICT y0, float *RESTRICT y1
#define MAP_RUNS (mb_ == g && mt_ == GRID) /* thread g */
#define MAP_ALIGNED_(p) aligned16(p)
#define MAP_APART_(p) \
  map_apart(MAP_K0, x0, p, n) && map_apart(MAP_K1, x1, p, n) && map_apart(MAP_K2, x2, p, n)
#define MAP_IN reads_kind(x0, MAP_K0, n) && reads_kind(x1, MAP_K1, n) && reads_kind(x2, MAP_K2, n)
#define MAP_IN_ALIGNED map_aligned(MAP_K0, x0) && map_aligned(MAP_K1, x1) && map_aligned(MAP_K2, x2)
#endif
#endif

#ifdef MAP_NAME
#ifdef MAP_PROOF
#define MAP_KIND0 map_kind0()
#define MAP_KIND1 map_kind1()
#define MAP_KIND2 map_kind2()
#define MAP_K0 K0
#define MAP_K1 K1
#define MAP_K2 K2
#define MAP_A accumulate
#define MAP_CALL0 map_f0
#define MAP_CALL1 map_f1
#else
#ifndef MAP_PARAMS
#define MAP_PARAMS 0
#endif
#if MAP_INPUTS == 0 && MAP_PARAMS == 1
#define MAP_U p0
#elif MAP_INPUTS == 1 && MAP_PARAMS == 0
#define MAP_U u0
#elif MAP_INPUTS == 1 && MAP_PARAMS == 1
#define MAP_U u0, p0
#elif MAP_INPUTS == 1 && MAP_PARAMS == 2
#define MAP_U u0, p0, p1
#elif MAP_INPUTS == 2 && MAP_PARAMS == 0
#define MAP_U u0, u1
#elif MAP_INPUTS == 2 && MAP_PARAMS == 1
#define MAP_U u0, u1, p0
#elif MAP_INPUTS == 2 && MAP_PARAMS == 2
#define MAP_U u0, u1, p0, p1
#elif MAP_INPUTS == 3 && MAP_PARAMS == 0
#define MAP_U u0, u1, u2
#elif MAP_INPUTS == 3 && MAP_PARAMS == 1
#define MAP_U u0, u1, u2, p0
#else
#error "map.h has no such instance"
#endif
#ifdef MAP_D0
#define MAP_WHERE0 !MAP_D0(MAP_U) ||
#else
#define MAP_WHERE0
#endif
#ifdef MAP_D1
#define MAP_WHERE1 !MAP_D1(MAP_U) ||
#else
#define MAP_WHERE1
#endif

/*@ assigns \nothing;
    ensures MAP_WHERE0 \result == MAP_L0(MAP_U); */
DEV float MAP_(f0)(float u0, float u1, float u2, float p0, float p1)
{
  (void)u0, (void)u1, (void)u2, (void)p0, (void)p1;
  return MAP_F0(MAP_U);
}
#ifdef MAP_F1
/*@ assigns \nothing;
    ensures MAP_WHERE1 \result == MAP_L1(MAP_U); */
DEV float MAP_(f1)(float u0, float u1, float u2, float p0, float p1)
{
  (void)u0, (void)u1, (void)u2, (void)p0, (void)p1;
  return MAP_F1(MAP_U);
}
#endif
#ifdef MAP_ONE
#define MAP_KIND0 MAP_SAME
#else
#define MAP_KIND0 (MAP_INPUTS > 0 ? MAP_EACH : MAP_NONE)
#endif
#define MAP_KIND1 (MAP_INPUTS > 1 ? MAP_EACH : MAP_NONE)
#define MAP_KIND2 (MAP_INPUTS > 2 ? MAP_EACH : MAP_NONE)
#define MAP_K0 MAP_KIND0
#define MAP_K1 MAP_KIND1
#define MAP_K2 MAP_KIND2
#ifdef MAP_ADDS
#define MAP_A accumulate
#else
#define MAP_A 0
#endif
#define MAP_CALL0 MAP_(f0)
#define MAP_CALL1 MAP_(f1)
#endif

#if defined MAP_PROOF || defined PROVE_LAUNCHERS || !defined __FRAMAC__
/* What is written: by thread g, its near vector and its far one, and by all threads before g. */
#ifdef MAP_F1
#define MAP_SHARE MAP_SHARE2
#define MAP_ALL(P) P(y0) && P(y1)
#define MAP_APART MAP_ALL(MAP_APART_) && apart(y0, n, y1, n)
#define MAP_CELLS(range) y0[range], y1[range]
#define MAP_OWN_(p) own_map(p, V, n)
#define MAP_WRITES MAP_CELLS(map_end(g, V, n)..map_end(g + 1, V, n) - 1)
#define MAP_NEAR(D) D(Post, map_end(g, V, n), map_end(g + 1, V, n))
#define MAP_FAR(D) \true
#define MAP_NEAR_SO_FAR(D) D(Here, 0, map_end(g, V, n))
#define MAP_FAR_SO_FAR(D) \true
#define MAP_SAME_(p) same{Pre, Here}(p, map_end(g, V, n), n)
#define MAP_KEPT_(p) same{LoopCurrent, Here}(p, 0, map_end(g, V, n))
#define MAP_DONE1(L, from, to) MAP_DONE_(map_done1{Pre, L}(y1, x0, x1, x2, p0, p1, MAP_A, from, to))
#else
#define MAP_SHARE MAP_SHARE1
#define MAP_ALL(P) P(y0)
#define MAP_APART MAP_ALL(MAP_APART_)
#define MAP_CELLS(range) y0[range]
#define MAP_OWN_(p) own_map2(p, V, n)
#define MAP_WRITES                                   \
  MAP_CELLS(map_near(g, V)..map_near(g + 1, V) - 1), \
      MAP_CELLS(map_far(g, V, n)..map_far(g + 1, V, n) - 1)
#define MAP_NEAR(D) D(Post, map_near(g, V), map_near(g + 1, V))
#define MAP_FAR(D) D(Post, map_far(g, V, n), map_far(g + 1, V, n))
#define MAP_NEAR_SO_FAR(D) D(Here, 0, map_near(g, V))
#define MAP_FAR_SO_FAR(D) D(Here, 4 * V, map_far(g, V, n))
#define MAP_SAME_(p) \
  same{Pre, Here}(p, map_near(g, V), 4 * V) && same{Pre, Here}(p, map_far(g, V, n), n)
#define MAP_KEPT_(p)                               \
  same{LoopCurrent, Here}(p, 0, map_near(g, V)) && \
      same{LoopCurrent, Here}(p, 4 * V, map_far(g, V, n))
#define MAP_DONE1(L, from, to) \true
#endif
#define MAP_REST (MAP_SHARE - 1)
#define MAP_IS0(r, o, a, b, c) map_is0(r, MAP_A, o, a, b, c, p0, p1)
#define MAP_IS1(r, o, a, b, c) map_is1(r, MAP_A, o, a, b, c, p0, p1)
#define MAP_DONE0(L, from, to) MAP_DONE_(map_done0{Pre, L}(y0, x0, x1, x2, p0, p1, MAP_A, from, to))
#endif

#if defined MAP_PROOF || !defined __FRAMAC__
/* Four elements of an output: old values o, inputs a, b, c. */
/*@ assigns \nothing;
    ensures MAP_IS0(\result.x, o.x, a.x, b.x, c.x) && MAP_IS0(\result.y, o.y, a.y, b.y, c.y);
    ensures MAP_IS0(\result.z, o.z, a.z, b.z, c.z) && MAP_IS0(\result.w, o.w, a.w, b.w, c.w); */
DEV float4 MAP_(four0)(int accumulate, float4 o, float4 a, float4 b, float4 c, MAP_NUMBERS)
{
  float4 r;
  (void)accumulate;
  r.x = map_plus(MAP_A, o.x, MAP_CALL0(a.x, b.x, c.x, p0, p1));
  r.y = map_plus(MAP_A, o.y, MAP_CALL0(a.y, b.y, c.y, p0, p1));
  r.z = map_plus(MAP_A, o.z, MAP_CALL0(a.z, b.z, c.z, p0, p1));
  r.w = map_plus(MAP_A, o.w, MAP_CALL0(a.w, b.w, c.w, p0, p1));
  return r;
}
#ifdef MAP_F1
/*@ assigns \nothing;
    ensures MAP_IS1(\result.x, o.x, a.x, b.x, c.x) && MAP_IS1(\result.y, o.y, a.y, b.y, c.y);
    ensures MAP_IS1(\result.z, o.z, a.z, b.z, c.z) && MAP_IS1(\result.w, o.w, a.w, b.w, c.w); */
DEV float4 MAP_(four1)(int accumulate, float4 o, float4 a, float4 b, float4 c, MAP_NUMBERS)
{
  float4 r;
  (void)accumulate;
  r.x = map_plus(MAP_A, o.x, MAP_CALL1(a.x, b.x, c.x, p0, p1));
  r.y = map_plus(MAP_A, o.y, MAP_CALL1(a.y, b.y, c.y, p0, p1));
  r.z = map_plus(MAP_A, o.z, MAP_CALL1(a.z, b.z, c.z, p0, p1));
  r.w = map_plus(MAP_A, o.w, MAP_CALL1(a.w, b.w, c.w, p0, p1));
  return r;
}
#endif

/*@ requires map_size(n,V,MAP_SHARE) && 0 <= g < V && MAP_RUNS && MAP_IN && MAP_IN_ALIGNED;
    requires MAP_ALL(MAP_ALIGNED_) && MAP_ALL(MAP_OWN_) && MAP_APART;
    assigns MAP_WRITES;
    ensures MAP_NEAR(MAP_DONE0);
    ensures MAP_FAR(MAP_DONE0);
    ensures MAP_NEAR(MAP_DONE1);
    ensures MAP_FAR(MAP_DONE1); */
DEV void MAP_(vectors)(idx g, idx n, idx V, int accumulate, MAP_NUMBERS, MAP_X, MAP_Y THREAD_FN)
{
  idx k = 4 * g;
  float4 a = map_load4(MAP_KIND0, x0, k IN_THREAD), b = map_load4(MAP_KIND1, x1, k IN_THREAD);
  float4 c = map_load4(MAP_KIND2, x2, k IN_THREAD), o = map_load4(MAP_OLD, y0, k IN_THREAD);
#ifdef MAP_F1
  float4 q = map_load4(MAP_OLD, y1, k IN_THREAD);
  ST4(y1 + k, MAP_(four1)(accumulate, q, a, b, c, p0, p1));
  (void)V;
#else
  idx m = 4 * V + k;
  float4 d = map_load4(MAP_KIND0, x0, m IN_THREAD), e = map_load4(MAP_KIND1, x1, m IN_THREAD);
  float4 f = map_load4(MAP_KIND2, x2, m IN_THREAD), q = map_load4(MAP_OLD, y0, m IN_THREAD);
  ST4(y0 + m, MAP_(four0)(accumulate, q, d, e, f, p0, p1));
  (void)y1;
#endif
  (void)n;
  ST4(y0 + k, MAP_(four0)(accumulate, o, a, b, c, p0, p1));
}

/*@ requires map_size(n,V,MAP_SHARE) && V <= g && k == MAP_REST*V + g && k < n;
    requires MAP_RUNS && MAP_IN && MAP_ALL(MAP_OWN_) && MAP_APART;
    assigns MAP_CELLS(k);
    ensures MAP_DONE0(Post, k, k+1);
    ensures MAP_DONE1(Post, k, k+1); */
DEV void MAP_(one)(idx g, idx k, idx n, idx V, int accumulate, MAP_NUMBERS, MAP_X, MAP_Y THREAD_FN)
{
  float a = map_load1(MAP_KIND0, x0, k IN_THREAD), b = map_load1(MAP_KIND1, x1, k IN_THREAD);
  float c = map_load1(MAP_KIND2, x2, k IN_THREAD), o = map_load1(MAP_OLD, y0, k IN_THREAD);
  (void)g, (void)n, (void)V, (void)accumulate;
#ifdef MAP_F1
  float q = map_load1(MAP_OLD, y1, k IN_THREAD);
  STG(y1 + k, map_plus(MAP_A, q, MAP_CALL1(a, b, c, p0, p1)));
#else
  (void)y1;
#endif
  STG(y0 + k, map_plus(MAP_A, o, MAP_CALL0(a, b, c, p0, p1)));
}

/*@ requires map_size(n,V,MAP_SHARE) && 0 <= g < 0x1000000000000000;
    requires MAP_RUNS && MAP_IN && MAP_ALL(MAP_OWN_) && MAP_APART;
    requires 0 < V ==> MAP_IN_ALIGNED && MAP_ALL(MAP_ALIGNED_);
    assigns MAP_WRITES;
    ensures MAP_NEAR(MAP_DONE0);
    ensures MAP_FAR(MAP_DONE0);
    ensures MAP_NEAR(MAP_DONE1);
    ensures MAP_FAR(MAP_DONE1); */
DEV void MAP_(thread)(idx g, idx n, idx V, int accumulate, MAP_NUMBERS, MAP_X, MAP_Y THREAD_FN)
{
  if (g < V)
    MAP_(vectors)(g, n, V, accumulate, p0, p1, x0, x1, x2, y0, y1 IN_THREAD);
  else if (MAP_REST * V + g < n)
    MAP_(one)(g, MAP_REST * V + g, n, V, accumulate, p0, p1, x0, x1, x2, y0, y1 IN_THREAD);
}
#endif

#if defined MAP_PROOF || defined PROVE_LAUNCHERS || !defined __FRAMAC__
#ifndef MAP_BOUNDS
#define MAP_BOUNDS
#endif
/*@ requires map_size(n,V,MAP_SHARE) && n - MAP_REST*V <= GSIZE < 0x1000000000000000;
    requires MAP_IN && MAP_ALL(MAP_OWN_) && MAP_APART;
    requires 0 < V ==> MAP_IN_ALIGNED && MAP_ALL(MAP_ALIGNED_);
    assigns MAP_CELLS(0 .. n-1);
    ensures MAP_DONE0(Post, 0, n);
    ensures MAP_DONE1(Post, 0, n); */
KERNEL void MAP_BOUNDS MAP_NAME(idx n, idx V, int accumulate, MAP_NUMBERS, MAP_X, MAP_Y)
#ifdef MAP_CALLED
    ;
#else
{
  /*@ loop invariant 0 <= g <= GSIZE;
      loop invariant MAP_NEAR_SO_FAR(MAP_DONE0);
      loop invariant MAP_FAR_SO_FAR(MAP_DONE0);
      loop invariant MAP_NEAR_SO_FAR(MAP_DONE1);
      loop invariant MAP_FAR_SO_FAR(MAP_DONE1);
      loop invariant MAP_ALL(MAP_SAME_);
      loop assigns g, MAP_CELLS(0 .. n-1);
      loop variant GSIZE - g; */
  EACH_GRID_THREAD(g) {
    MAP_(thread)(g, n, V, accumulate, p0, p1, x0, x1, x2, y0, y1 IN_GRID_THREAD(g));
    //@ assert MAP_ALL(MAP_KEPT_);
  }
}
#endif
#endif

#undef MAP_NAME
#undef MAP_INPUTS
#undef MAP_ONE
#undef MAP_PARAMS
#undef MAP_F0
#undef MAP_F1
#undef MAP_L0
#undef MAP_L1
#undef MAP_D0
#undef MAP_D1
#undef MAP_ADDS
#undef MAP_BOUNDS
#undef MAP_U
#undef MAP_WHERE0
#undef MAP_WHERE1
#undef MAP_KIND0
#undef MAP_KIND1
#undef MAP_KIND2
#undef MAP_K0
#undef MAP_K1
#undef MAP_K2
#undef MAP_A
#undef MAP_CALL0
#undef MAP_CALL1
#undef MAP_ALL
#undef MAP_APART
#undef MAP_CELLS
#undef MAP_SHARE
#undef MAP_REST
#undef MAP_OWN_
#undef MAP_WRITES
#undef MAP_NEAR
#undef MAP_FAR
#undef MAP_NEAR_SO_FAR
#undef MAP_FAR_SO_FAR
#undef MAP_SAME_
#undef MAP_KEPT_
#undef MAP_IS0
#undef MAP_IS1
#undef MAP_DONE0
#undef MAP_DONE1
#endif
