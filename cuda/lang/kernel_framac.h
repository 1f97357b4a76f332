/* kernel.h as Frama-C reads it: the whole grid, thread after thread. Included by kernel.h.
 * The contracts below are what is assumed of CUDA; SOUNDNESS.md gives the reason of each. */
#ifndef PM_LANG_KERNEL_FRAMAC_H
#define PM_LANG_KERNEL_FRAMAC_H
#define READING_KERNELS /* spec/norm.h leaves out lemmas that no kernel's proof needs */
typedef float scalar;
#include "../../spec/index.h"
#include "../../spec/real.h"

extern int bdim_;            /* threads of a block */
extern idx gsize_, blocks_;  /* threads and blocks of the grid */
/*@ predicate block = 32 <= bdim_ <= MAXB && bdim_ % 32 == 0; */

#define KERNEL
#define DEV static
#define RESTRICT
#define UNROLL
#define UNROLL_BY(n)
#define BDIM bdim_
#define GSIZE gsize_
#define BLOCKS blocks_
#ifdef PROVE_LAUNCHERS
#include "launch_framac.h"
#endif
#ifdef PM_OWNED
#include "owned_framac.h"
#else
#define EACH_GRID_THREAD(g) for (idx g = 0; g < GSIZE; g++)
#define GROWS(r, m, n) for (idx r = cover_(m, n); r < (m); r++)
#define GCOLS(c, n) for (idx c = 0; c < (n); c++)
#define GPLANES(p, n, per) for (idx per_ = (per), p = gplanes_(n, per_); p < (n); p++)
#define PER per_
#define PLANE_FN , idx per_
#define IN_PLANE , per_
#define PROWS(i, m, n) for (idx i = pcover_(m, n, per_); i < (m); i++)
#define PCOLS(j, n) for (idx j = 0; j < (n); j++)
#define GTILE_ROWS(i, m, n, h, w) for (idx i = tcover_(m, n, h, w, per_); i < (m); i++)
#define GTILE_COLS(j, n, w) for (idx j = 0; j < (n); j++)
#define BROWS(i, m, n) for (idx i = bcover_(m, n); i < (m); i++)
#define BCOLS(j, n) for (idx j = 0; j < (n); j++)
#define EACH_THREAD(t) for (int t = 0; t < BDIM; t++)
#define PHASE(t) for (int ph_ = 0, t = 0; t < BDIM; t++)
#define THREAD_ROWS(y, h, w) for (int y = 0; y < (h); y++)
#define PHASE_ROWS(y, h, w) for (int ph_ = 0, y = 0; y < (h); y++)
#define THREAD_COLS(x, w) for (int x = 0; x < (w); x++)
#define PHASE_FN , int ph_ /* no shared access type-checks outside PHASE */
#define IN_PHASE , ph_
#define EACH_OWNER(t) EACH_THREAD(t)
#define PHASE_OF(t, own) PHASE(t)
#define IN_PHASE_OF(t) IN_PHASE
#define THREAD_FN
#define IN_THREAD_OF(t)
#define BLOCK_FN
#define IN_BLOCK
#define IN_BLOCK_OF(i)
#define IN_ONE_BLOCK
#define W_BY(p, t) W(p) /* thread t of this block */
#define WS(p) W(p)      /* of shared memory, in this phase */
#define RS(p) R(p)
#define IS_SHARED(s, n) perm(s, n)
#define W_ROW(y, n) perm_w(y, n) /* of a team */
#define SOME_W(p) W(p)          /* some thread */
#endif
/*@ requires 0 <= m && 0 < n && ix(m,n,0) <= gsize_; assigns \nothing; ensures \result == 0; */
idx cover_(idx m, idx n);
/*@ requires 0 <= m && 0 < n && 0 < h && 0 < w && h * w == bdim_;
    requires m <= IDX_LIM && n <= IDX_LIM && ix((m+h-1)/h,(n+w-1)/w,0) <= per;
    assigns \nothing;
    ensures \result == 0; */
idx tcover_(idx m, idx n, idx h, idx w, idx per);
/*@ requires 0 <= m && 0 < n && ix(m,n,0) <= per; assigns \nothing; ensures \result == 0; */
idx pcover_(idx m, idx n, idx per);
/*@ requires 0 <= n && 0 < per && ix(n,per,0) <= blocks_; assigns \nothing; ensures \result == 0; */
idx gplanes_(idx n, idx per);
/*@ requires 0 <= m && 0 < n && ix(m,n,0) <= blocks_; assigns \nothing; ensures \result == 0; */
idx bcover_(idx m, idx n);

#define PRIVATE(T, v) T v[MAXB]
#define PER_THREAD(T, v) T *v
#define AT(v, t) v[t]
#define PRIVATEK(T, v) T v[KMAX * MAXB]
#define PER_THREADK(T, v) T *v
#define REG(v, j, k0, t) v[reg_(j, k0) + (t)]
#define GHOST_PARAMS(...) , __VA_ARGS__
#define GHOST_ARGS(...) , __VA_ARGS__
#define TEMPLATE(...)
#define CONSTANTS(...) __VA_ARGS__,
#define THREADS_AT_MOST(n)
#define LAUNCHER(op) launch_##op
#define ENTRY extern
/*@ axiomatic Mul {
      logic integer mul(integer j, integer b) reads \nothing;
      axiom mul_def: \forall integer j, b; mul(j,b) == j * b;
    }
    lemma mul_0: \forall integer b; mul(0,b) == 0;
    lemma mul_s: \forall integer j, b; mul(j+1,b) == mul(j,b) + b;
    lemma mul_below: \forall integer j, m, b; 0 <= b ==> j < m ==> mul(j,b) + b <= mul(m,b); */
/*@ requires k0 == mul(j,bdim_); assigns \nothing; ensures \result == k0; */
int reg_(int j, int k0);

#if !defined PM_OWNED && !defined PROVE_LAUNCHERS
/* Access permissions: uninterpreted, so that only a contract, the footprint, grants them. */
/*@ axiomatic Perm {
      predicate R(float *p) reads \nothing;
      predicate W(float *p) reads \nothing;
    } */
#endif
/*@ predicate perm_r(float *a, integer n) = \forall integer k; 0 <= k < n ==> R(a+k);
    predicate perm_w(float *a, integer n) = \forall integer k; 0 <= k < n ==> SOME_W(a+k); */
#ifndef PM_OWNED
/*@ predicate perm(float *a, integer n) = perm_r(a,n) && perm_w(a,n); */
#endif
/*@ // tensors of n elements: an input, an output, and that they do not overlap
    predicate reads{L}(float *x, integer n) =
      0 <= n <= IDX_LIM && \valid_read(x + (0 .. n-1)) && perm_r(x,n); */
#ifndef PM_OWNED
/*@ predicate writes{L}(float *y, integer n) =
      0 <= n <= IDX_LIM && \valid(y + (0 .. n-1)) && perm(y,n); */
#endif
/*@ predicate apart{L}(float *x, integer m, float *y, integer n) =
      \separated(x + (0 .. m-1), y + (0 .. n-1));
    // footprints in a matrix: element (r,c) of one with cols columns; vector v of row r of one
    // with 4V columns
    predicate cell_W(integer r, integer c, integer cols, integer k) = k == ix(r,cols,c);
    lemma race_cell: \forall integer r, c, s, d, cols, k; 0 <= c < cols ==> 0 <= d < cols ==>
      (r != s || c != d) ==> cell_W(r,c,cols,k) ==> !cell_W(s,d,cols,k);
    predicate quad_W(integer r, integer v, integer V, integer k) =
      4*ix(r,V,v) <= k < 4*ix(r,V,v) + 4;
    lemma race_quad: \forall integer r, v, s, w, V, k; 0 <= v < V ==> 0 <= w < V ==>
      (r != s || v != w) ==> quad_W(r,v,V,k) ==> !quad_W(s,w,V,k);
    lemma ix_quad: \forall integer r, V, v; ix(r,4*V,4*v) == 4*ix(r,V,v);
    lemma ix_quads: \forall integer r, V; ix(r,4*V,0) == 4*ix(r,V,0);
    // what a VJP leaves: v, or v added to what was there
    logic real plus(integer adds, real old, real v) = adds != 0 ? old + v : v; */
/*@ requires \valid_read(p) && R(p); assigns \nothing; ensures \result == *p; */
float LDG(const float *p);
#ifndef PM_OWNED
/*@ requires \valid(p) && W(p); assigns *p; ensures *p == v; */
void STG(float *p, float v);
#endif
/*@ requires \valid_read(p); assigns \nothing; ensures \result == *p; */
idx LDI(const idx *p);
#ifndef PM_OWNED
#define LD(p) ld_(p, ph_)
#define ST(p, v) st_(p, v, ph_)
/*@ requires \valid_read(p) && R(p); assigns \nothing; ensures \result == *p; */
float ld_(const float *p, int ph_);
/*@ requires \valid(p) && W(p); assigns *p; ensures *p == v; */
void st_(float *p, float v, int ph_);
#define SHARED(T, s, n) T s[n]; share_(s, n)
/*@ assigns \nothing; ensures perm(s,n); */
void share_(float *s, int n);
#endif

/* 16 bytes are four floats; alignment is an obligation. */
typedef struct { float x, y, z, w; } float4;
/*@ axiomatic Aligned {
      predicate aligned16(float *p) reads \nothing;
      axiom aligned_off: \forall float *p, integer o;
        aligned16(p) ==> o % 4 == 0 ==> aligned16(p+o);
    }
    lemma aligned_4: \forall float *p, integer q; aligned16(p) ==> aligned16(p + 4*q); */
/*@ requires \valid_read(p + (0 .. 3)) && aligned16(p);
    requires R(p) && R(p+1) && R(p+2) && R(p+3);
    assigns \nothing;
    ensures \result.x == p[0] && \result.y == p[1] && \result.z == p[2] && \result.w == p[3]; */
float4 LD4(const float *p);
#ifndef PM_OWNED
/*@ requires \valid(p + (0 .. 3)) && aligned16(p);
    requires W(p) && W(p+1) && W(p+2) && W(p+3);
    assigns p[0 .. 3];
    ensures p[0] == v.x && p[1] == v.y && p[2] == v.z && p[3] == v.w; */
void ST4(float *p, float4 v);
#define store4_streaming ST4
#endif
#define load4_streaming LD4 /* a hint to the caches means nothing here */

/* Warp exchange over the whole block: every warp is full, every lane takes part. */
/*@ axiomatic Xor {
      logic integer lx(integer l, integer m) reads \nothing;
      axiom lx_def: \forall integer l, m; lx(l,m) == ((l / m) % 2 == 0 ? l + m : l - m);
    } */
/*@ requires (m == 1 || m == 2 || m == 4 || m == 8 || m == 16) && block;
    requires \valid(d + (0 .. bdim_-1)) && \valid_read(v + (0 .. bdim_-1));
    requires \separated(d + (0 .. bdim_-1), v + (0 .. bdim_-1));
    assigns d[0 .. bdim_-1];
    ensures \forall integer l; 0 <= l < bdim_ ==> d[l] == v[lx(l,m)]; */
void shfl_xor_(float *d, const float *v, int m);
#define SHFL_XOR(d, v, m) shfl_xor_(d, v, m)
/*@ requires 0 < bdim_ && \valid_read(v + (0 .. bdim_-1));
    requires \forall integer l; 0 <= l < bdim_ ==> v[l] == v[0];
    assigns \nothing; ensures \result == v[0]; */
float uniform_(const float *v);
#define UNIFORM(v) uniform_(v)
#define REAL(c) real_(c)
/*@ assigns \nothing; ensures \result == c; */
float real_(double c);
#endif
