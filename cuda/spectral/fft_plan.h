/* How rows of n points are transformed fast: as rows of `size` complex numbers, by Stockham passes of radices
 * 2, 3, 4, 5, 7 and 8. Of an even n these are n/2 pairs of points, and bins are split from their transform; of an odd
 * one each point is the real part of one. */
#ifndef PM_SPECTRAL_FFT_PLAN_H
#define PM_SPECTRAL_FFT_PLAN_H
#include "../host/table.h"
#include "../lang/shared_size.h"
#include "wave.h"

enum {
  FFT_LEAST = 16,        /* points of a row: fewer are as fast by the definition */
  FFT_MOST = 1 << 30,    /* positions are products of 31 bits */
  FFT_THREADS = 1024,    /* of a block, at most */
  FFT_PASSES = 20,       /* 3^19 is more than FFT_MOST */
  FFT_BLOCK_SIZE = 2048, /* complex numbers of a block's rows, where they are not longer */
  FFT_BLOCKS = 256,      /* of a grid, at least, where there are rows for them */
  FFT_WARP_SIZE = 256,   /* complex numbers of a warp, eight a thread */
  FFT_GROUP = 1024, /* numbers that the passes of a launch transform among themselves, at most */
  FFT_SMALL_GROUP = 16,
  FFT_GROUP_THREADS = 512,
  FFT_CHUNK_LOG = 22,      /* points of the rows that pass through the workspace at once, in L2 */
  FFT_SMALL_CHUNK_LOG = 16 /* of rows that fit in shared memory */
};
/* The numbers of a transform are these times what they stand for, so that none on its way is subnormal whose
 * last bits count. */
#define FFT_SCALE 0x1p16f

/* Of a pass: before it are transforms of `before` numbers, behind it of radix times as many; the numbers of
 * a butterfly are `apart`. The others divide by these: of i < 2^32 / d, i d'/2^32 is i/d. */
typedef struct fft_pass {
  int radix, before, apart;
  uint32_t by_before, by_apart;
} fft_pass;

typedef struct fft_plan {
  idx rows, n;
  int size, odd, passes;
  int whole, adds;   /* bins count by their weights, and all over n; += */
  int pairs;         /* points and bins begin at multiples of 8 bytes */
  int each, pitch;   /* rows of a block, and numbers of shared memory of each */
  uint32_t by_pairs; /* divides by size/2 + 1 */
  float out;         /* what a result is multiplied by */
  fft_pass pass[FFT_PASSES];
} fft_plan;

/* Numbers of the table of cosines and sines: of the n parts of a turn, and each pass's own. */
static inline idx fft_turns(const fft_plan *p) { return p->n + p->size - 1; }

/* Where number i of a row stands in shared memory: one in nine places is free, so that strides of 8 do not
 * meet in a bank. */
DEV int fft_place(int i) { return i + (i >> 3); }

/* ceil(2^32 / d); 0 of 1 and less, which divide nothing */
static inline uint32_t fft_divisor(idx d)
{
  return d > 1 ? (uint32_t)((((uint64_t)1 << 32) + (uint64_t)d - 1) / (uint64_t)d) : 0;
}

/* Whether n is so transformed; fills in what follows from n. */
static inline int fft_planned(idx n, fft_plan *p)
{
  static const int radices[] = {7, 5, 3, 8, 4, 2};
  idx left, before = 1;
  *p = {};
  if (n < FFT_LEAST || n > FFT_MOST)
    return 0;
  p->n = n, p->odd = n % 2 != 0, p->size = (int)(p->odd ? n : n / 2);
  p->by_pairs = fft_divisor(p->size / 2 + 1);
  left = p->size;
  for (int r : radices)
    while (left % r == 0 && !(r == 8 && left == 16)) {
      const idx apart = p->size / r;
      p->pass[p->passes++] = {r, (int)before, (int)apart, fft_divisor(before), fft_divisor(apart)};
      left /= r, before *= r;
    }
  return left == 1;
}

/* Rows that a block transforms in shared memory, two copies of each: a warp's work at least, and few where there
 * are few, for that there be blocks enough; 0 where it has no room for one. */
static inline void fft_place_rows(fft_plan *p, idx rows)
{
  const int room = SHARED_VEC4S * 2;
  const idx size = p->size > 0 ? p->size : 1, most = FFT_BLOCK_SIZE / size,
            least = FFT_WARP_SIZE / size;
  const idx share = rows / FFT_BLOCKS, each = share < most ? share : most;
  p->rows = rows;
  p->pitch = p->size + p->size / 8 + 1;
  p->each = (int)(each > least ? each : least);
  if (p->each == 0)
    p->each = p->pitch <= room / 2;
}

/* Rows of which each pass is one launch. */
static inline idx fft_chunk(const fft_plan *p)
{
  const idx rows = ((idx)1 << (p->each ? FFT_SMALL_CHUNK_LOG : FFT_CHUNK_LOG)) / p->n;
  return rows > p->rows ? p->rows : rows > 1 ? rows : 1;
}

/* Passes `first` to end - 1 are one launch: of numbers that are size/g.size apart a block transforms `tile` rows
 * of g.size in shared memory. */
typedef struct fft_group {
  int first, end, size, before, tile, pitch;
} fft_group;

/* The passes from `first` on that are one launch; few where fft could have the row, so that short rows, too,
 * are several launches. */
static inline fft_group fft_grouped(const fft_plan *p, int first)
{
  const int most = p->each ? FFT_SMALL_GROUP : FFT_GROUP;
  fft_group g = {first, first, 1, p->pass[first].before, 0, 0};
  do g.size *= p->pass[g.end++].radix;
  while (g.end < p->passes && g.size * p->pass[g.end].radix <= most);
  g.tile = g.size > 256 ? 8 : g.size > 64 ? 16 : 32;
  g.pitch = g.size + g.size / 8 + 1;
  return g;
}

/* Workspace: the table, and twice a chunk. */
static inline size_t fft_bytes(const fft_plan *p)
{
  return ((size_t)fft_turns(p) + 2 * (size_t)fft_chunk(p) * (size_t)p->size) * 2 * sizeof(float);
}

/* An upper bound of the error of a result, in u times M, the sum of the magnitudes of the points, or of the
 * bins' parts times their weights. Each number on the way is a sum of inputs times coefficients of magnitude 1,
 * so it is at most the sum of their magnitudes, its mass, and a result has the masses of all that
 * it is made of: errors in units of mass add up along the passes. A complex number is off by the
 * length of its error.
 *
 * A number turned, by 4: the table's cosine and sine are within 1 ulp, 2 u of themselves, so their number is;
 * of re = fma(a, c, b s) and im = fma(b, c, -a s) the products round by u |b s| and u |a s|, together u |v|,
 * and the sums by u |v|.
 * A butterfly of 2 or 4, by 1 or 2: an addition a level. Of 8, by 6: three levels, and (re +- im) sqrt 1/2,
 * where sum, constant and product round. Of an odd r, by (h + 2) sqrt 2 + 1, h = (r - 1)/2: an input is c times in one
 * chain of h fused multiply-adds and s times in another, |c| + |s| <= sqrt 2; the sum of two inputs, the
 * constant and each step round; then the chains are added.
 * Where n is even, bins are (S - i w D)/2, S and D sum and difference of two numbers of the transform. Their
 * errors come with |1 - i w|/2 and |1 + i w|/2, together at most sqrt 2; S rounds by 1, D by 1, w D by 4, the
 * last sum by 1: 7 in all. On the way back S + i w D of two bins are transformed: all masses together
 * are at most sqrt 2 M, and they are off by 1 + 1 + 4, and sqrt 2 for the last sum: less than 8.
 *
 * Subnormal numbers: each of less than 40 roundings of a number in a pass loses 2^-150, which is 2^-166 of what
 * it stands for: of a result less than n/100 of 2^-150. The last product rounds once, and the bound has n of that.
 * Products of errors: all errors together are below 2^-15, so less than the last factor adds. The bound takes
 * 26 alpha u of each input. */
static inline double fft_error(const fft_plan *p)
{
  double sum = 4.0 * (p->passes - 1);
  for (int i = 0; i < p->passes; i++) {
    const int r = p->pass[i].radix;
    sum += r == 2 ? 1 : r == 4 ? 2 : r == 8 ? 6 : (r / 2 + 2) * 1.41421357 + 1;
  }
  return (p->odd ? sum : 1.41421357 * sum + 8) * (1 + 0x1p-10);
}
#endif
