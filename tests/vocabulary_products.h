/* The part of the vocabulary's test (vocabulary.cu) about products of tiles: wgmma, to the bit of the
 * simulator's reading, and the pipeline of stages that feeds it. */
#ifndef PM_TESTS_VOCABULARY_PRODUCTS_H
#define PM_TESTS_VOCABULARY_PRODUCTS_H
#include "../cuda/lang/warpgroup.h"
#include "../cuda/sim/wgmma.h"
#include "vocabulary.h"

enum { STEPS_IN = 5, TILE_BYTES = sizeof(struct bf16_tile), PAIRS_IN = 4096 };
static char *its_tiles; /* of the device: for each step one of a, one of b */

static unsigned mixed(unsigned a, unsigned b, unsigned c)
{
  unsigned h = a * 2654435761u ^ b * 2246822519u ^ c * 3266489917u;
  h = (h ^ h >> 15) * 0x85ebca6bu;
  return h ^ h >> 13;
}

/* Element (row, p) of tile number `tile`, as bf16: of like size, of sizes far apart, tiny, by the seed. */
static unsigned short element(unsigned seed, int tile, int row, int p)
{
  const unsigned h = mixed(seed, (unsigned)tile, (unsigned)(row * TILE_DEPTH + p));
  const unsigned field = seed % 3 == 0 ? 120 + h % 16 : seed % 3 == 1 ? 64 + h % 120 : 40 + h % 30;
  return (unsigned short)(h >> 9 & 0x8000 ? h >> 16 : (h >> 16 & 0x807f) | field << 7) & 0xbfff;
}

KERNEL void tile_products(const char *from, unsigned seed, float *o)
{
  DYNAMIC(char, dynamic);
  PIPELINE(pipe);
  char *const ring = tile_aligned(dynamic);
  const bool consumes = TID_ < 128, copies = TID_ == 128;
  int stage = 0, round = 0;
  float d[WGMMA_SUMS];
  if (TID_ == 0)
    pipe_open(pipe, 4);
  __syncthreads();
  for (int step = 0; step < STEPS_IN; step++) {
    char *const to = ring + stage * 2 * TILE_BYTES;
    const char *const its = from + step * 2 * TILE_BYTES;
    if (copies) {
      hold_up(seed, step);
      pipe_acquire(pipe, stage, round);
      pipe_copy(pipe, stage, to, its, TILE_BYTES, 2 * TILE_BYTES);
      pipe_copy(pipe, stage, to + TILE_BYTES, its + TILE_BYTES, TILE_BYTES, 0);
    }
    pipe_wait(pipe, stage, round, consumes);
    if (consumes) {
      hold_up(seed, 10 + step);
      wgmma_begin();
      for (int q = 0; q < TILE_DEPTH / 16; q++)
        wgmma(d, to, to + TILE_BYTES, q, step > 0 || q > 0);
      wgmma_end(d);
    }
    pipe_release(pipe, stage, consumes);
    stage = stage + 1 < PIPE_STAGES ? stage + 1 : 0;
    round += stage == 0;
  }
  for (int e = 0; e < WGMMA_SUMS && consumes; e++)
    o[TID_ * WGMMA_SUMS + e] = d[e];
}

static void tile_pipeline(unsigned seed)
{
  static char host[STEPS_IN * 2 * TILE_BYTES];
  for (int tile = 0; tile < 2 * STEPS_IN; tile++)
    for (int row = 0; row < TILE_ROWS; row++)
      for (int p = 0; p < TILE_DEPTH; p++) {
        const unsigned short v = element(seed, tile, row, p);
        memcpy(host + tile * TILE_BYTES + TILE_AT(row, p / 8) + p % 8 * 2, &v, sizeof v);
      }
  if (!its_tiles)
    its_tiles = (char *)device(sizeof host);
  if (!its_tiles) {
    snprintf(why, sizeof why, "no memory on the device");
    return;
  }
  copy_to(its_tiles, host, sizeof host);
  LAUNCH_SHARED(tile_products, 1, 160, PIPE_STAGES * 2 * TILE_BYTES + 1024, 0,
                (const char *)its_tiles, seed, out);
  must_be(128 * WGMMA_SUMS, [=](int i) {
    const int t = i / WGMMA_SUMS, e = i % WGMMA_SUMS;
    const int row = t / 32 * 16 + t % 32 / 4 + e / 2 % 2 * 8, col = e / 4 * 8 + t % 4 * 2 + e % 2;
    float sum = 0.0f;
    for (int q = 0; q < STEPS_IN * TILE_DEPTH / 16; q++) {
      unsigned short x[16], y[16];
      for (int p = 0; p < 16; p++) {
        x[p] = element(seed, q / 4 * 2, row, q % 4 * 16 + p);
        y[p] = element(seed, q / 4 * 2 + 1, col, q % 4 * 16 + p);
      }
      sum = pm_sim_::wgmma_sum(x, y, sum);
    }
    return sum;
  });
}

DEV float any_float(int i) { return __uint_as_float((unsigned)i * 1048583u & 0xff7fffffu); }
KERNEL void rounded_pairs(float *o)
{
  EACH_GRID_THREAD (g) {
    const unsigned w = bf16_pair(any_float(2 * (int)g), any_float(2 * (int)g + 1));
    STG(o + 2 * g, bf16_low(w));
    STG(o + 2 * g + 1, bf16_high(w));
  }
}
static void pairs_of_bf16(unsigned)
{
  LAUNCH(rounded_pairs, PAIRS_IN / B, B, 0, out);
  must_be(2 * PAIRS_IN, [](int i) {
    const unsigned bits = (unsigned)i * 1048583u & 0xff7fffffu;
    float x;
    memcpy(&x, &bits, sizeof x);
    const unsigned rounded = pm_sim_::bf16_bits(x) << 16;
    memcpy(&x, &rounded, sizeof x);
    return x;
  });
}
#endif
