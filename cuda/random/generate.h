/* The kernel of a random op, instantiated by inclusion: y[k] = f(seed, 4 first + s + k, p) for
 * k < n, where s < 4; `keys` are the seed's. Thread g has block first + g of the stream, four
 * elements from 4g - s on, of these what lies in y; wide: they are stored at once, which needs them
 * 16-byte aligned. Before each inclusion define
 *   DRAW_NAME        the kernel
 *   DRAW_F, DRAW_L   the function of one block, and the meaning of one element in spec/ */
#ifndef PM_RANDOM_GENERATE_H
#define PM_RANDOM_GENERATE_H
#include "../lang/kernel.h"
/*@ // thread g writes [draw_end(g), draw_end(g+1))
    logic integer draw_end(integer g, integer s, integer n) =
      4*g - s <= 0 ? 0 : 4*g - s <= n ? 4*g - s : n;
    predicate draw_W(integer g, integer s, integer n, integer k) =
      draw_end(g,s,n) <= k < draw_end(g+1,s,n);
    lemma race_draw: \forall integer g, h, s, n, k; g != h ==> draw_W(g,s,n,k) ==>
      !draw_W(h,s,n,k);
    predicate draw_size(integer n, integer first, integer s) =
      0 <= n <= IDX_LIM && 0 <= first <= 0x3fffffffffffffff && 0 <= s < 4;
    // block g's first element; y less s is 16-byte aligned, and so is all that is four on
    logic float *draw_at(float *y, integer g, integer s) = y + (4*g - s);
    predicate draw_aligned(float *y, integer s) = \forall integer g; aligned16(draw_at(y,g,s));
    predicate draw_own{L}(float *y, integer g, integer s, integer n) =
      \valid(y + (0 .. n-1)) && (\forall integer k; draw_W(g,s,n,k) ==> W(y+k)); */

/* The four elements from k on, of these what lies in y, (n). */
/*@ requires -3 <= k < n <= IDX_LIM && 0 <= n && \valid(y + (0 .. n-1));
    requires \forall integer j; k <= j < k + 4 ==> 0 <= j < n ==> W(y+j);
    requires wide != 0 ==> 0 <= k ==> aligned16(y + k);
    assigns y[\max(k,0) .. \min(k+3,n-1)];
    ensures 0 <= k ==> y[k] == v.x;
    ensures 0 <= k + 1 < n ==> y[k+1] == v.y;
    ensures 0 <= k + 2 < n ==> y[k+2] == v.z;
    ensures 0 <= k + 3 < n ==> y[k+3] == v.w; */
DEV void draw_store(idx k, idx n, int wide, float4 v, float *RESTRICT y)
{
  if (wide && 0 <= k && k + 4 <= n)
    ST4(y + k, v);
  else {
    if (0 <= k)
      STG(y + k, v.x);
    if (0 <= k + 1 && k + 1 < n)
      STG(y + k + 1, v.y);
    if (0 <= k + 2 && k + 2 < n)
      STG(y + k + 2, v.z);
    if (k + 3 < n)
      STG(y + k + 3, v.w);
  }
}
#define DRAW_PASTE_(a, b) a##_##b
#define DRAW_PASTE(a, b) DRAW_PASTE_(a, b)
#define DRAW_(suffix) DRAW_PASTE(DRAW_NAME, suffix)
#endif

/*@ predicate DRAW_(done){L}(float *y, integer seed, integer q, real p, integer from, integer to) =
      \forall integer k; from <= k < to ==> \at(y[k],L) == DRAW_L(seed,q+k,p); */

/*@ requires draw_size(n,first,s) && 0 <= g < 0x1000000000000000 && draw_own(y,g,s,n);
    requires (wide != 0 ==> draw_aligned(y,s)) && SeedKeys(keys,seed);
    assigns y[draw_end(g,s,n) .. draw_end(g+1,s,n)-1];
    ensures DRAW_(done){Post}(y, seed, 4*first+s, p, draw_end(g,s,n), draw_end(g+1,s,n)); */
DEV void DRAW_(thread)(idx g, idx n, idx first, int s, int wide, uint64_t seed, philox_keys keys,
                       float p, float *RESTRICT y)
{
  idx k = 4 * g - s;
  if (k < n) {
    //@ assert wide != 0 ==> aligned16(draw_at(y,g,s));
    //@ assert draw_at(y,g,s) == y + k;
    draw_store(k, n, wide, DRAW_F(seed, keys, first + g, p), y);
  }
}

/*@ requires draw_size(n,first,s) && n + s <= 4*GSIZE && GSIZE < 0x1000000000000000;
    requires writes(y,n) && (wide != 0 ==> draw_aligned(y,s)) && SeedKeys(keys,seed);
    assigns y[0 .. n-1];
    ensures DRAW_(done){Post}(y, seed, 4*first+s, p, 0, n); */
KERNEL void DRAW_NAME(idx n, idx first, int s, int wide, uint64_t seed, philox_keys keys, float p,
                      float *RESTRICT y)
{
  /*@ loop invariant 0 <= g <= GSIZE;
      loop invariant DRAW_(done){Here}(y, seed, 4*first+s, p, 0, draw_end(g,s,n));
      loop assigns g, y[0 .. n-1];
      loop variant GSIZE - g; */
  EACH_GRID_THREAD(g) DRAW_(thread)(g, n, first, s, wide, seed, keys, p, y);
}

#undef DRAW_NAME
#undef DRAW_F
#undef DRAW_L
