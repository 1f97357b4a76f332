/* Warpgroup matrix products (wgmma) of bf16 tiles in shared memory, and the pipeline that fills
 * them: one thread copies ahead (TMA bulk copies), the warps that consume give stages back. Two
 * readings, nvcc's and the simulator's.
 *
 *   bf16_tile          128 rows of 64 inner indices, in the 128-byte swizzle: TILE_AT(row, p / 8)
 *                      says where eight neighbours lie, in bytes
 *   bf16_pair(x, y)    both rounded to nearest even, x in the lower half
 *   bf16_low(w), bf16_high(w)   what they are in f32
 *   wgmma_begin()      by all of a warpgroup, before its first product
 *   wgmma(d, a, b, q, keep)   d += A B', or = where !keep: of 64 rows from `a` on and the 128 of
 *                      `b`, over inner indices 16 q .. 16 q + 15. Thread t of the warpgroup has
 *                      rows t / 32 * 16 + t % 32 / 4 + 8 h and columns 8 j + t % 4 * 2 + e in
 *                      d[4 j + 2 h + e]
 *   wgmma_end(d)       d is there, and the tiles are free
 *
 *   PIPELINE(p)        the barriers of PIPE_STAGES stages, in shared memory
 *   pipe_open(p, n)    by one thread, for n consuming warps; a barrier of the block comes after
 *   pipe_acquire(p, s, round)   by the thread that copies, before it fills stage s for the
 *                      round-th time: until all have released what was there
 *   pipe_copy(p, s, to, from, bytes, all)   of `all` bytes that come into the stage so many; the
 *                      first copy of a stage passes what all of them have, the others 0
 *   pipe_wait(p, s, round, consumes)   by all threads of the block: those that consume wait until
 *                      the stage is full
 *   pipe_release(p, s, consumes)   by all threads of the block, once they have read it
 * The simulator's block meets at a barrier where others wait or release, and copies at once. Its
 * sums are in sim/wgmma.h. */
#ifndef PM_LANG_WARPGROUP_H
#define PM_LANG_WARPGROUP_H
#include <math.h>

#include "cluster_exchange.h"

enum {
  PIPE_STAGES = 2,
  TILE_ROWS = 128,
  TILE_DEPTH = 64,
  WGMMA_ROWS = 64, /* of a warpgroup */
  WGMMA_SUMS = 64  /* of a thread */
};

struct alignas(16) bf16_tile {
  unsigned word[TILE_ROWS * TILE_DEPTH / 2];
};
#define TILE_AT(row, octet) ((row)*128 + (((octet) ^ ((row)&7)) << 4))

DEV float bf16_low(unsigned w) { return __uint_as_float(w << 16); }
DEV float bf16_high(unsigned w) { return __uint_as_float(w & 0xffff0000u); }

#ifdef PM_SIM
#include "../sim/wgmma.h"
typedef int pipeline;
#define PIPELINE(p) pipeline p[1]

DEV unsigned bf16_pair(float x, float y)
{
  return pm_sim_::bf16_bits(x) | pm_sim_::bf16_bits(y) << 16;
}

/* Sixteen neighbours of a tile's row, and what of them makes most sums short. */
struct neighbours {
  unsigned short v[16];
  bool finite, zero;
};
__attribute__((no_sanitize_thread)) static neighbours tile_row(const char *tile, int row, int q)
{
  neighbours x;
  uint64_t w[4], any = 0, past = 0;
  for (int h = 0; h < 2; h++) memcpy(w + 2 * h, tile + TILE_AT(row, 2 * q + h), 16);
  for (uint64_t four : w) {
    any |= four & 0x7fff7fff7fff7fff;
    past |= (four & 0x7f807f807f807f80) + 0x0080008000800080;
  }
  memcpy(x.v, w, sizeof w);
  x.finite = !(past & 0x8000800080008000);
  x.zero = !any;
  return x;
}
__attribute__((noinline, no_sanitize_thread)) static void
wgmma_sums(float (&d)[WGMMA_SUMS], const char *a, const char *b, int q, bool keep)
{
  const int t = TID_ % 128, row = t / 32 * 16 + t % 32 / 4;
  const neighbours x[2] = {tile_row(a, row, q), tile_row(a, row + 8, q)};
  for (int j = 0; j < 16; j++)
    for (int e = 0; e < 2; e++) {
      const neighbours y = tile_row(b, 8 * j + t % 4 * 2 + e, q);
      for (int h = 0; h < 2; h++) {
        float &sum = d[4 * j + 2 * h + e];
        const float old = keep ? sum : 0.0f;
        if (!x[h].finite || !y.finite)
          sum = NAN;
        else if (x[h].zero || y.zero || old - old != 0.0f)
          sum = old;
        else
          sum = pm_sim_::wgmma_sum(x[h].v, y.v, old);
      }
    }
}
/* sim/race.h is told of every cell once, by one thread each, not of all that every thread reads: 70 times
 * as many. */
DEV void wgmma(float (&d)[WGMMA_SUMS], const char *a, const char *b, int q, bool keep)
{
#ifdef PM_RACE
  const int t = TID_ % 128;
  for (int h = 0; h < 2; h++) {
    (void)*(const volatile uint64_t *)(a + TILE_AT(t % 64, 2 * q + h) + t / 64 * 8);
    for (int w = 0; w < 2; w++)
      (void)*(const volatile uint64_t *)(b + TILE_AT(t, 2 * q + h) + 8 * w);
  }
#endif
  wgmma_sums(d, a, b, q, keep);
}
DEV void wgmma_begin() {}
DEV void wgmma_end(float (&)[WGMMA_SUMS]) {}
DEV char *tile_aligned(char *p) { return p; }

DEV void pipe_open(pipeline *, int) {}
DEV void pipe_acquire(pipeline *, int, int) {}
DEV void pipe_copy(pipeline *, int, char *to, const char *from, int bytes, int)
{
  for (int i = 0; i < bytes; i += 16) ST4((float *)(to + i), LD4((const float *)(from + i)));
}
DEV void pipe_wait(pipeline *, int, int, bool) { __syncthreads(); }
DEV void pipe_release(pipeline *, int, bool) { __syncthreads(); }
#else
struct pipeline {
  unsigned long long full[PIPE_STAGES], empty[PIPE_STAGES];
};
#define PIPELINE(p) SHARED(pipeline, p, 1)

DEV unsigned bf16_pair(float x, float y)
{
  unsigned w;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(w) : "f"(y), "f"(x));
  return w;
}
/* Inner index contiguous, 128-byte swizzle, 1024 bytes from eight rows to the next. */
DEV uint64_t tile_descriptor(const char *tile, int q)
{
  const unsigned at = (unsigned)__cvta_generic_to_shared(tile);
  return ((uint64_t)((at & 0x3ffff) >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62) + 2 * q;
}
DEV void wgmma_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
#define D4_(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define D16_(i) D4_(i), D4_(i + 4), D4_(i + 8), D4_(i + 12)
DEV void wgmma(float (&d)[WGMMA_SUMS], const char *a, const char *b, int q, bool keep)
{
  asm volatile("{\n .reg .pred p;\n setp.ne.b32 p, %66, 0;\n"
               " wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
               "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
               "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
               "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
               "%64, %65, p, 1, 1, 0, 0;\n}"
               : D16_(0), D16_(16), D16_(32), D16_(48)
               : "l"(tile_descriptor(a, q)), "l"(tile_descriptor(b, q)), "r"((int)keep));
}
#undef D16_
#undef D4_
DEV void wgmma_end(float (&d)[WGMMA_SUMS])
{
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  UNROLL
  for (int i = 0; i < WGMMA_SUMS; i++) asm volatile("" : "+f"(d[i])::"memory");
}
DEV char *tile_aligned(char *p) { return p + (-(unsigned)__cvta_generic_to_shared(p) & 1023); }

DEV unsigned shared_at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
DEV void pipe_open(pipeline *p, int consumers)
{
  for (int s = 0; s < PIPE_STAGES; s++) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_at(p->full + s)) : "memory");
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_at(p->empty + s)),
                 "r"(consumers)
                 : "memory");
  }
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
/* A barrier's phase before the first counts as over. */
DEV void pipe_acquire(pipeline *p, int s, int round) { barrier_await(p->empty + s, round + 1); }
DEV void pipe_copy(pipeline *p, int s, char *to, const char *from, int bytes, int all)
{
  const unsigned at = shared_at(p->full + s);
  if (all)
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(all)
                 : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_at(to)),
      "l"(from), "r"(bytes), "r"(at)
      : "memory");
}
DEV void pipe_wait(pipeline *p, int s, int round, bool consumes)
{
  if (consumes)
    barrier_await(p->full + s, round);
}
/* One arrival a warp, behind all of its lanes' reads. */
DEV void pipe_release(pipeline *p, int s, bool consumes)
{
  if (consumes)
    __syncwarp();
  if (consumes && TID_ % 32 == 0)
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_at(p->empty + s))
                 : "memory");
}
#endif
#endif
