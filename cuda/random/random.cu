/* Random numbers by counting (spec/random.h). A thread makes one block of the stream, so that
 * element i is the same in any launch. */
#include "../lang/kernel.h"
#include "../math/elementary.h"
#include "philox.h"

/*@ // with the parameter of a distribution that has none
    logic real StandardUniform(integer seed, integer q, real p) = Uniform(seed,q);
    logic real StandardNormal(integer seed, integer q, real p) = Normal(seed,q);
    // a seed's keys
    predicate SeedKeys(philox_keys keys, integer seed) =
      PhiloxKeys(keys, seed % WORD, seed / WORD, PHILOX_ROUNDS); */

/*@ requires 0 <= block && SeedKeys(keys,seed);
    assigns \nothing;
    ensures \result.x == RandWord(seed,4*block) && \result.y == RandWord(seed,4*block+1);
    ensures \result.z == RandWord(seed,4*block+2) && \result.w == RandWord(seed,4*block+3); */
DEV philox_words random_block(uint64_t seed, philox_keys keys, idx block)
{
  //@ assert RandWord(seed,4*block) == BlockWord(seed,block,0);
  //@ assert RandWord(seed,4*block+1) == BlockWord(seed,block,1);
  //@ assert RandWord(seed,4*block+2) == BlockWord(seed,block,2);
  //@ assert RandWord(seed,4*block+3) == BlockWord(seed,block,3);
  (void)seed;
  return philox((uint32_t)(block % WORD), (uint32_t)(block / WORD), 0, 0,
                keys GHOST_ARGS((uint32_t)(seed % WORD), (uint32_t)(seed / WORD)));
}

/*@ assigns \nothing; ensures \result == Unit(w); */
DEV float unit_f(uint32_t w) { return (float)(w / 256) * 5.9604644775390625e-8f; }

/*@ requires 0 <= block && SeedKeys(keys,seed);
    assigns \nothing;
    ensures \result.x == Uniform(seed,4*block) && \result.y == Uniform(seed,4*block+1);
    ensures \result.z == Uniform(seed,4*block+2) && \result.w == Uniform(seed,4*block+3); */
DEV float4 uniform_four(uint64_t seed, philox_keys keys, idx block, float p)
{
  philox_words b = random_block(seed, keys, block);
  float4 v = {unit_f(b.x), unit_f(b.y), unit_f(b.z), unit_f(b.w)};
  (void)p;
  return v;
}

/*@ assigns \nothing; ensures \result == (Unit(w) < p ? 1.0 : 0.0); */
DEV float below_f(uint32_t w, float p) { return unit_f(w) < p ? 1.0f : 0.0f; }

/*@ requires 0 <= block && SeedKeys(keys,seed);
    assigns \nothing;
    ensures \result.x == Bernoulli(seed,4*block,p) && \result.y == Bernoulli(seed,4*block+1,p);
    ensures \result.z == Bernoulli(seed,4*block+2,p) && \result.w == Bernoulli(seed,4*block+3,p); */
DEV float4 bernoulli_four(uint64_t seed, philox_keys keys, idx block, float p)
{
  philox_words b = random_block(seed, keys, block);
  float4 v = {below_f(b.x, p), below_f(b.y, p), below_f(b.z, p), below_f(b.w, p)};
  return v;
}

/*@ assigns \nothing; ensures \result == UnitUp(w); */
DEV float unit_up_f(uint32_t w) { return (float)(w / 256 + 1) * 5.9604644775390625e-8f; }

/*@ assigns \nothing; ensures \result == Radius(u); */
DEV float radius_f(float u) { return pm_sqrtf(-2.0f * pm_log_finite(u)); }

/*@ assigns \nothing; ensures \result == Quarters(w); ensures 0 <= \result <= 4; */
DEV int quarters_f(uint32_t w) { return ((int)(w / 256) + QUARTER / 2) / QUARTER; }

/*@ assigns \nothing; ensures \result == Rest(w); ensures -0.7853982 <= \result <= 0.7853982; */
DEV float rest_f(uint32_t w)
{
  return (float)((int)(w / 256) - QUARTER * quarters_f(w)) * REAL(TURN_STEP);
}

/*@ requires 0 <= k && s == \sin(x) && c == \cos(x);
    assigns \nothing;
    ensures \result == Turned(k,x); */
DEV float turned_f(int k, float s, float c GHOST_PARAMS(float x))
{
  float v = k % 2 == 0 ? s : c;
  return k % 4 < 2 ? v : -v;
}

typedef struct normal_pair {
  float even, odd;
} normal_pair;

/*@ assigns \nothing;
    ensures \result.even == NormalOf(w0,w1,0) && \result.odd == NormalOf(w0,w1,1); */
DEV normal_pair normal_of_f(uint32_t w0, uint32_t w1)
{
  int k = quarters_f(w1);
  float r = radius_f(unit_up_f(w0)), x = rest_f(w1), s = pm_sin_near(x), c = pm_cos_near(x);
  normal_pair n = {r * turned_f(k + 1, s, c GHOST_ARGS(x)), r * turned_f(k, s, c GHOST_ARGS(x))};
  //@ assert rmul(Radius(UnitUp(w0)), Turned(k+1,x)) == Radius(UnitUp(w0)) * Turned(k+1,x);
  //@ assert rmul(Radius(UnitUp(w0)), Turned(k,x)) == Radius(UnitUp(w0)) * Turned(k,x);
  return n;
}

/*@ requires 0 <= block && SeedKeys(keys,seed);
    assigns \nothing;
    ensures \result.x == Normal(seed,4*block) && \result.y == Normal(seed,4*block+1);
    ensures \result.z == Normal(seed,4*block+2) && \result.w == Normal(seed,4*block+3); */
DEV float4 normal_four(uint64_t seed, philox_keys keys, idx block, float p)
{
  philox_words b = random_block(seed, keys, block);
  normal_pair m = normal_of_f(b.x, b.y), n = normal_of_f(b.z, b.w);
  //@ assert Normal(seed,4*block) == PairNormal(seed,2*block,0);
  //@ assert Normal(seed,4*block+1) == PairNormal(seed,2*block,1);
  //@ assert Normal(seed,4*block+2) == PairNormal(seed,2*block+1,0);
  //@ assert Normal(seed,4*block+3) == PairNormal(seed,2*block+1,1);
  float4 v = {m.even, m.odd, n.even, n.odd};
  (void)p;
  return v;
}

#define DRAW_NAME uniform_draw
#define DRAW_F uniform_four
#define DRAW_L StandardUniform
#include "generate.h"

#define DRAW_NAME normal_draw
#define DRAW_F normal_four
#define DRAW_L StandardNormal
#include "generate.h"

#define DRAW_NAME bernoulli_draw
#define DRAW_F bernoulli_four
#define DRAW_L Bernoulli
#include "generate.h"

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "../host/table.h"

#define VEC4 "y less offset mod 4 elements 16-byte aligned"

static void declare_none(const int64_t *size, pm_arith *out) { (void)size, (void)out; }
static void declare_normal(const int64_t *size, pm_arith *out)
{
  (void)size;
  out->k_log = PM_K_LOG;
  out->k_sin = PM_K_SIN;
  out->k_cos = PM_K_COS;
}

static const pm_kernel ROWS[] = {
    {"rand_uniform", "vec4", VEC4, PM_VALUE, declare_none},
    {"rand_uniform", "scalar", "always", PM_VALUE, declare_none},
    {"rand_normal", "vec4", VEC4, PM_VALUE, declare_normal},
    {"rand_normal", "scalar", "always", PM_VALUE, declare_normal},
    {"bernoulli", "vec4", VEC4, PM_VALUE, declare_none},
    {"bernoulli", "scalar", "always", PM_VALUE, declare_none},
};

/* Of a launch: the first block, how many elements of it come before y, and the grid. */
enum { BLOCK = 256 };
typedef struct draw_grid {
  idx first;
  int s, wide;
  unsigned blocks; /* 0: nothing is to be done */
} draw_grid;

static draw_grid draw_plan(pm_check *c, pm_exec *ex, int64_t n, uint64_t offset, float *y)
{
  draw_grid grid = {(idx)(offset / 4), (int)(offset % 4), 0, 0};
  pm_size(c, "n", n);
  if (c->status == PM_OK && n > 0 && (uint64_t)n - 1 > UINT64_MAX - offset)
    c->status = pm_fail(PM_BAD_ARGUMENT, c->op, "offset + n = %llu + %lld: must be at most 2^64",
                        (unsigned long long)offset, (long long)n);
  pm_out(c, "y", y, n, sizeof *y);
  if (pm_checked(c) == PM_OK) {
    int aligned = ((uintptr_t)y - sizeof *y * (unsigned)grid.s) % 16 == 0;
    grid.wide = PM_PICK(c, ex, ROWS, aligned ? 3u : 2u) == 0;
    grid.blocks = n ? pm_blocks(c, (n + grid.s + 3) / 4, BLOCK) : 0;
  }
  return grid;
}

static philox_keys keys_of(uint64_t seed)
{
  return philox_schedule((uint32_t)(seed % WORD), (uint32_t)(seed / WORD));
}

/* y[i] in [0, 1), of word offset + i of the seed's stream. */
extern "C" pm_status LAUNCHER(rand_uniform)(pm_exec *ex, int64_t n, uint64_t seed, uint64_t offset,
                                            float *y)
{
  pm_check c = pm_begin("rand_uniform", ex);
  draw_grid grid = draw_plan(&c, ex, n, offset, y);
  if (grid.blocks)
    LAUNCH(uniform_draw, grid.blocks, BLOCK, ex->stream, n, grid.first, grid.s, grid.wide, seed,
           keys_of(seed), 0.0f, y);
  return pm_launched(&c);
}

/* Mean 0, variance 1; elements 2j and 2j + 1 of a stream belong together. */
extern "C" pm_status LAUNCHER(rand_normal)(pm_exec *ex, int64_t n, uint64_t seed, uint64_t offset,
                                           float *y)
{
  pm_check c = pm_begin("rand_normal", ex);
  draw_grid grid = draw_plan(&c, ex, n, offset, y);
  if (grid.blocks)
    LAUNCH(normal_draw, grid.blocks, BLOCK, ex->stream, n, grid.first, grid.s, grid.wide, seed,
           keys_of(seed), 0.0f, y);
  return pm_launched(&c);
}

/* 1 where rand_uniform is below p, else 0. */
extern "C" pm_status LAUNCHER(bernoulli)(pm_exec *ex, int64_t n, uint64_t seed, uint64_t offset,
                                         float p, float *y)
{
  pm_check c = pm_begin("bernoulli", ex);
  draw_grid grid;
  if (c.status == PM_OK && !(p >= 0.0f && p <= 1.0f))
    c.status = pm_fail(PM_BAD_ARGUMENT, c.op, "p = %g: must be in [0, 1]", (double)p);
  grid = draw_plan(&c, ex, n, offset, y);
  if (grid.blocks)
    LAUNCH(bernoulli_draw, grid.blocks, BLOCK, ex->stream, n, grid.first, grid.s, grid.wide, seed,
           keys_of(seed), p, y);
  return pm_launched(&c);
}

PM_FAMILY(random, ROWS, NULL);
#endif
