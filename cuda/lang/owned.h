/* The kernel language in which a race is a goal that fails. A kernel's file includes it before
 * kernel.h, of which it is another reading by Frama-C; for nvcc and the simulator the macros are
 * kernel.h's, and most of these stand for nothing. -DPM_OWNED asks for this reading of a file that
 * is proven in both.
 *
 *   THREAD_FN, IN_THREAD   parameter and argument of a function that writes to an output, and reads
 *                          from it: which thread runs
 *   IN_GRID_THREAD(g)      the same where EACH_GRID_THREAD(g) calls it
 *   IN_GRID(r, c)          where GROWS(r, m, n) GCOLS(c, n) do
 *   BLOCK_FN, IN_BLOCK     of a function of a block: which block runs; IN_BLOCK_OF(i) where
 *                          BROWS(i, m, 1) calls it, IN_ONE_BLOCK where there is one
 *   EACH_OWNER(t)          EACH_THREAD(t) whose threads write to an output; IN_THREAD_OF(t) in it
 *   PHASE_OF(t, own)       PHASE(t), own saying whose the cells of shared memory are in it:
 *                          leaders_(s, n), cell k is of warp k's first thread, shown_(s, n), all
 *                          read; IN_PHASE_OF(t) in it
 *   LDG_OWN, LD4_OWN       global load of what the thread itself may write
 *
 * For Frama-C each cell of global memory has an owner, own_b(p) and own_t(p): the thread that may
 * write it in this launch, or NOBODY. A store, and a load by LDG_OWN, wants that the owner is the
 * thread that runs; LDG wants that it is NOBODY. A contract gives the owners of each output by one
 * equation over the index, in a predicate own_..(y, ..) that says
 *   \forall integer k; 0 <= k < n ==> owner(y+k, f(k), g(k))
 * (or the same over rows and columns, owned_rows.h) and of each input by `reads`, or another
 * predicate of that name.
 *
 * Why nothing is assumed that could contradict itself: of own_b and own_t there is no axiom, so the
 * goals hold whatever they are. For one launch, take them to be what the kernel's contract says: they
 * exist, as each array has one equation, and arrays with owners overlap nothing (the contract says so
 * too, by `apart`). Then the goals say that each thread touches, of what is written at all, its own
 * cells only. So the threads' footprints meet Bernstein's condition, and the loops by which Frama-C
 * reads the grid end in the state in which every order of the threads ends. */
#ifndef PM_LANG_OWNED_H
#define PM_LANG_OWNED_H
#ifdef __FRAMAC__
#ifdef PM_LANG_KERNEL_H
#error "lang/owned.h comes before lang/kernel.h"
#endif
#ifndef PM_OWNED
#define PM_OWNED
#endif
#endif
#include "kernel.h"

#ifdef __FRAMAC__
#define LDG_OWN(p) ldg_own_(p IN_THREAD)
#define LD4_OWN(p) ld4_own_(p IN_THREAD)
#define STG(p, v) stg_(p, v IN_THREAD)
#define ST4(p, v) st4_(p, v IN_THREAD)
#define store4_streaming ST4
#define SHARED(T, s, n) \
  T s[n];               \
  share_(s, n)
/*@ assigns \nothing; ensures is_shared(s,n); */
void share_(float *s, int n);
#define LD(p) ld_(p IN_PHASE)
#define ST(p, v) st_(p, v IN_PHASE)
/*@ requires \valid_read(p) && RS(p); assigns \nothing; ensures \result == *p; */
float ld_(const float *p PHASE_FN);
/*@ requires \valid(p) && WS(p); assigns *p; ensures *p == v; */
void st_(float *p, float v PHASE_FN);
/*@ requires \valid_read(p) && W(p); assigns \nothing; ensures \result == *p; */
float ldg_own_(const float *p THREAD_FN);
/*@ requires \valid(p) && W(p); assigns *p; ensures *p == v; */
void stg_(float *p, float v THREAD_FN);
/*@ requires \valid_read(p + (0 .. 3)) && aligned16(p);
    requires W(p) && W(p+1) && W(p+2) && W(p+3);
    assigns \nothing;
    ensures \result.x == p[0] && \result.y == p[1] && \result.z == p[2] && \result.w == p[3]; */
float4 ld4_own_(const float *p THREAD_FN);
/*@ requires \valid(p + (0 .. 3)) && aligned16(p);
    requires W(p) && W(p+1) && W(p+2) && W(p+3);
    assigns p[0 .. 3];
    ensures p[0] == v.x && p[1] == v.y && p[2] == v.z && p[3] == v.w; */
void st4_(float *p, float4 v THREAD_FN);
#else
DEV float LDG_OWN(const float *p) { return *p; }
DEV float4 LD4_OWN(const float *p) { return *(const float4 *)p; }
#endif

/*@ // the owners of an output of n elements: thread k of the grid has cell k; vector k of four
    predicate own_cells{L}(float *y, integer n) =
      held(y,n) && (\forall integer k; 0 <= k < n ==> owner(y+k,k,GRID));
    // of an output of blocks: block k's first thread has cell k
    predicate own_firsts{L}(float *y, integer n) =
      held(y,n) && (\forall integer k; 0 <= k < n ==> owner(y+k,k,0));
    predicate own_quads{L}(float *y, integer n) =
      held(y,n) && (\forall integer k; 0 <= k < n ==> owner(y+k,k/4,GRID));
    lemma quad_thread: \forall integer r, v, V, k; 0 <= ix(r,V,v) ==> quad_W(r,v,V,k) ==>
      k/4 == ix(r,V,v); */
#endif
