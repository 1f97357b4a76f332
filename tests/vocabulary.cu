/* The vocabulary of cuda/lang and of the kernels' own loops, primitive by primitive: a small kernel
 * whose result is known exactly, and is another one where the primitive does less than it says. Warps
 * are held up by a seed, so that who must wait has something to wait for; on the simulator the order
 * of threads and blocks is the seed's, and every access is watched for races.
 *   GPU         make build/vocabulary
 *   simulator   make build/vocabulary_sim
 * vocabulary [NAME]: one line a primitive, of those whose line has NAME in it: ok, or what was
 * expected and what came. Exit status 1 where one is not ok. */
#include "../cuda/collective/team.h"
#include "../cuda/lang/cache_hints.h"
#include "../cuda/lang/full_row.h"
#include "../cuda/lang/load_now.h"
#include "../cuda/lang/shared_vec4.h"
#include "../cuda/lang/shuffle_down.h"
#include "../cuda/lang/shuffle_down_f64.h"
#include "../cuda/lang/vec2.h"
#include "../cuda/lang/vote.h"
#include "../cuda/collective/cluster_sum.h"
#include "vocabulary.h"
#include "vocabulary_copies.h"
#include "vocabulary_products.h"

/* ---------------------------------------------------------------- loops: every cell once */
/* what is added shows who came by, and 0 who did not */
DEV void count(float *p, float v) { STG(p, LDG(p) + v); }

KERNEL void grid_threads(float *o)
{
  EACH_GRID_THREAD (g)
    count(o + g, (float)(g + GSIZE));
}
static void each_grid_thread(unsigned)
{
  LAUNCH(grid_threads, 7, 96, 0, out);
  must_be(7 * 96, [](int i) { return i + 7 * 96; });
}
KERNEL void grid_cells(idx m, idx n, float *o)
{
  GROWS (r, m, n)
    GCOLS (c, n)
      count(o + at2(m, n, r, c), (float)(100 * r + c + 1));
}
static void grows_gcols(unsigned)
{
  LAUNCH(grid_cells, 5, 128, 0, 13, 37, out); /* 640 threads, 481 cells */
  must_be(13 * 37, [](int i) { return 100 * (i / 37) + i % 37 + 1; });
}
KERNEL void block_cells(idx m, idx n, float *o)
{
  BROWS (i, m, n)
    BCOLS (j, n)
      EACH_THREAD (t)
        count(o + (i * n + j) * BDIM + t, (float)(1000 * i + 100 * j + t + 1));
}
static void brows_bcols(unsigned)
{
  LAUNCH(block_cells, 17, 64, 0, 3, 5, out); /* two blocks too many */
  must_be(15 * 64, [](int i) { return 1000 * (i / 320) + 100 * (i / 64 % 5) + i % 64 + 1; });
}
DEV void plane_cells(idx p, idx m, idx n, float *o PLANE_FN)
{
  PROWS (i, m, n)
    PCOLS (j, n)
      EACH_THREAD (t)
        count(o + ((p * m + i) * n + j) * BDIM + t, (float)(1000 * p + 100 * i + 10 * j + t + 1));
}
KERNEL void planes(idx k, idx per, idx m, idx n, float *o)
{
  GPLANES (p, k, per)
    plane_cells(p, m, n, o IN_PLANE);
}
static void gplanes_prows(unsigned)
{
  LAUNCH(planes, 3 * 9 + 4, 32, 0, 3, 9, 2, 4, out);
  must_be(24 * 32, [](int i) {
    return 1000 * (i / 256) + 100 * (i / 128 % 2) + 10 * (i / 32 % 4) + i % 32 + 1;
  });
}
DEV void tile_cells(idx p, idx m, idx n, float *o PLANE_FN)
{
  GTILE_ROWS (i, m, n, 4, 16)
    GTILE_COLS (j, n, 16)
      count(o + (p * m + i) * n + j, (float)(10000 * p + 100 * i + j + 1));
}
KERNEL void tiles(idx k, idx per, idx m, idx n, float *o)
{
  GPLANES (p, k, per)
    tile_cells(p, m, n, o IN_PLANE);
}
static void gtiles(unsigned)
{
  LAUNCH(tiles, 2 * 9, 64, 0, 2, 9, 11, 37, out); /* 3 by 3 tiles, the last ones cut */
  must_be(2 * 11 * 37, [](int i) { return 10000 * (i / 407) + 100 * (i / 37 % 11) + i % 37 + 1; });
}
KERNEL void teams(idx m, float *o)
{
  WARP_TEAM(3);
  PRIVATE(float, v);
  PRIVATE(float, d);
  TEAMS(r, m)
  {
    EACH_TEAM_THREAD(t) AT(v, t) = (float)(100 * r + t + 1);
    TEAM_XOR(d, v, 4);
    if (r < m)
      EACH_TEAM_THREAD(t) count(o + 8 * r + t, TEAM_UNIFORM(AT(d, t)));
  }
}
static void warp_teams(unsigned)
{
  LAUNCH(teams, 3, 64, 0, 20, out); /* four too many */
  must_be(160, [](int i) { return 100 * (i / 8) + (i % 8 ^ 4) + 1; });
}

/* ---------------------------------------------------------------- phases and registers */
KERNEL void phases(int rounds, unsigned seed, float *o)
{
  SHARED(float, s, B);
  PRIVATE(float, v);
  EACH_THREAD (t)
    AT(v, t) = (float)(t + 1);
  for (int r = 0; r < rounds; r++) {
    PHASE (t) {
      hold_up(seed, 2 * r);
      ST(s + t, AT(v, t));
    }
    PHASE (t) {
      hold_up(seed, 2 * r + 1);
      AT(v, t) = LD(s + (t + 33 + r) % B) + 1;
    }
  }
  EACH_THREAD (t)
    STG(o + blockIdx.x * B + t, AT(v, t));
}
static void phase(unsigned seed)
{
  LAUNCH(phases, 8, B, 0, 6, seed, out); /* 6 * 33 + 0 + 1 + .. + 5 places on */
  must_be(8 * B, [](int i) { return (i % B + 6 * 33 + 15) % B + 1 + 6; });
}
KERNEL void owned_phases(int rounds, unsigned seed, float *o)
{
  SHARED(float, s, B);
  PRIVATE(float, v);
  EACH_THREAD (t)
    AT(v, t) = (float)(t + 1);
  for (int r = 0; r < rounds; r++) {
    PHASE_OF (t, leaders_(s, B)) {
      hold_up(seed, 2 * r);
      ST(s + t, AT(v, t));
    }
    PHASE_OF (t, shown_(s, B)) {
      hold_up(seed, 2 * r + 1);
      AT(v, t) = LD(s + (t + 33) % B);
    }
  }
  EACH_OWNER (t)
    STG(o + blockIdx.x * B + t, AT(v, t));
}
static void owned_phase(unsigned seed)
{
  LAUNCH(owned_phases, 8, B, 0, 6, seed, out);
  must_be(8 * B, [](int i) { return (i % B + 6 * 33) % B + 1; });
}
KERNEL void phase_rows(int h, int w, unsigned seed, float *o)
{
  SHARED(float, s, 32 * 33);
  for (int r = 0; r < 4; r++) {
    PHASE_ROWS (y, h, w)
      THREAD_COLS (x, w) {
        hold_up(seed, 100 * r + y);
        ST(s + 33 * y + x, (float)(1000 * r + w * y + x + 1));
      }
    PHASE_ROWS (y, h, w)
      THREAD_COLS (x, w) {
        hold_up(seed, 100 * r + 50 + y);
        count(o + h * w * r + w * y + x, LD(s + 33 * x + y));
      }
  }
}
static void phases_by_rows(unsigned seed)
{
  LAUNCH(phase_rows, 1, B, 0, 32, 32, seed, out);
  must_be(4096, [](int i) { return 1000 * (i / 1024) + 32 * (i % 32) + i / 32 % 32 + 1; });
}
KERNEL void thread_rows(int h, int w, float *o)
{
  THREAD_ROWS (y, h, w)
    THREAD_COLS (x, w)
      count(o + w * y + x, (float)(w * y + x + 1));
}
static void rows_of_threads(unsigned)
{
  LAUNCH(thread_rows, 1, 128, 0, 13, 32, out);
  must_be(13 * 32, [](int i) { return i + 1; });
}
/* what an open phase reads is not written before the next phase's barrier */
KERNEL void open_phases(unsigned seed, float *o)
{
  SHARED(float, s, 2 * B);
  for (int r = 0; r < 4; r++) {
    PHASE (t) {
      hold_up(seed, 2 * r);
      ST(s + r % 2 * B + t, (float)(1000 * r + t + 1));
    }
    OPEN_PHASE(t)
    {
      hold_up(seed, 2 * r + 1);
      STG(o + B * r + t, LD(s + r % 2 * B + (t + 70) % B));
    }
  }
  FIRST_WARP EACH_THREAD (t) STG(o + 4 * B + t, 1);
}
static void open_phase(unsigned seed)
{
  LAUNCH(open_phases, 1, B, 0, seed, out);
  must_be(4 * B + 32, [](int i) { return i < 4 * B ? 1000 * (i / B) + (i + 70) % B + 1 : 1; });
}
TEMPLATE(int K)
KERNEL void THREADS_AT_MOST(B) registers(CONSTANTS(int K, ) float *o)
{
  PRIVATEK(float, v);
  UNROLL_BY(2)
  for (int j = 0; j < K; j++)
    EACH_THREAD (t)
      REG(v, j, j * BDIM, t) = (float)(B * j + t);
  UNROLL for (int j = 0; j < K; j++) EACH_THREAD (t)
      STG(o + B * j + t, REG(v, K - 1 - j, (K - 1 - j) * BDIM, t) + REAL(1));
}
static void registers_of_threads(unsigned)
{
  LAUNCH_OF(registers, (4), 1, B, 0, out);
  must_be(4 * B, [](int i) { return B * (3 - i / B) + i % B + 1; });
}

/* ---------------------------------------------------------------- accesses */
KERNEL void loads(const float *x, const idx *p, float *o)
{
  EACH_GRID_THREAD (g) {
    float4 a = LD4(x + 4 * g), b = load4_streaming(x + 4 * g), c = load4_row(1, x + 4 * g),
           d = load4_row(EVICT_LAST, x + 4 * g);
    prefetch_l2(x + 4 * g);
    STG(o + 12 * g, LDG(x + 5 * g));
    STG(o + 12 * g + 1, load_streaming(x + 5 * g));
    STG(o + 12 * g + 2, load_now(x + 5 * g));
    STG(o + 12 * g + 3, (float)LDI(p + 5 * g));
    STG(o + 12 * g + 4, (float)load_now_index(p + 5 * g));
    store_streaming(o + 12 * g + 6, 8.0f); /* 5 and 7 are nobody's */
    float4 all = plus4(plus4(a, b), plus4(c, d));
    ST4(o + 12 * g + 8, all);
  }
}
static void global_accesses(unsigned)
{
  LAUNCH(loads, 3, 64, 0, in, where, out);
  must_be(12 * 192, [](int i) {
    int g = i / 12, k = i % 12;
    return k < 3 ? 5 * g + 1 : k < 5 ? 15 * g : k == 6 ? 8 : k < 8 ? 0 : 4 * (4 * g + k - 8 + 1);
  });
}
KERNEL void pairs(const float *x, float *o)
{
  EACH_GRID_THREAD (g) {
    float2 a = LD2(x + 2 * g);
    ST2(o + 2 * g, {a.y, a.x});
  }
}
static void global_pairs(unsigned)
{
  LAUNCH(pairs, 3, 64, 0, in, out);
  must_be(2 * 192, [](int i) { return i % 2 ? i : i + 2; });
}
KERNEL void stores(const float *x, float *o)
{
  EACH_GRID_THREAD (g) {
    if (g % 3 == 0)
      STG(o + g, LDG(x + g));
    if (g % 3 == 1)
      store4_streaming(o + 1024 + 4 * g, LD4(x + 4 * g));
    if (g % 3 == 2)
      ST4(o + 4096 + 4 * g, LD4(x + 4 * g));
  }
}
static void global_stores(unsigned)
{
  LAUNCH(stores, 3, 64, 0, in, out);
  must_be(4096 + 768, [](int i) {
    if (i < 1024)
      return i < 192 && i % 3 == 0 ? i + 1 : 0;
    i -= 1024;
    if (i < 768)
      return i / 4 % 3 == 1 ? i + 1 : 0;
    i -= 3072;
    return i >= 0 && i / 4 % 3 == 2 ? i + 1 : 0;
  });
}
KERNEL void shared_vectors(const float *x, unsigned seed, float *o)
{
  SHARED_VEC4(s, 2 * B);
  PHASE (t) {
    hold_up(seed, 1);
    ST_SHARED4(s + 4 * t, LD4(x + 4 * t));
    STS4(s + 4 * (B + t), LD4(x + 4 * (B + t)));
  }
  PHASE (t) {
    ST4(o + 4 * t, LD_SHARED4(s + 4 * ((t + 100) % B)));
    ST4(o + 4 * (B + t), LD4(s + 4 * (B + (t + 50) % B)));
  }
}
static void shared_accesses(unsigned seed)
{
  LAUNCH(shared_vectors, 1, B, 0, in, seed, out);
  must_be(8 * B, [](int i) {
    int t = i / 4 % B, half = i / 4 / B;
    return 4 * (half * B + (t + (half ? 50 : 100)) % B) + i % 4 + 1;
  });
}
TEMPLATE(int WHOLE)
KERNEL void WHOLE_THREADS(WHOLE, 256, 64, 0)
    whole_rows(CONSTANTS(int WHOLE, ) int n, const float *x, float *o)
{
  WHOLE_ROW(WHOLE, 1, n);
  EACH_THREAD (t)
    if (4 * t < n)
      ST4(o + 4 * t, LD4(x + 4 * t));
}
static void full_rows(unsigned)
{
  LAUNCH(whole_rows<64>, 1, 64, 0, 256, in, out);
  must_be(256, [](int i) { return i + 1; });
}

/* ---------------------------------------------------------------- warps and votes */
KERNEL void shuffles(unsigned seed, float *o)
{
  PRIVATE(float, v);
  PRIVATE(float, d);
  PRIVATE(double, w);
  PRIVATE(double, e);
  for (int k = 0; k < 5; k++) {
    EACH_THREAD (t)
      AT(v, t) = (float)(1000 * k + t + 1), AT(w, t) = 1000 * k + t * 0x1p-40;
    hold_up(seed, k);
    SHFL_XOR(d, v, 1 << k);
    EACH_THREAD (t)
      STG(o + B * k + t, UNIFORM(AT(d, t)));
    SHFL_DOWN(d, v, 1 << k);
    EACH_THREAD (t)
      STG(o + B * (5 + k) + t, AT(d, t));
    SHFL_DOWN_D(e, w, 1 << k);
    EACH_THREAD (t)
      STG(o + B * (10 + k) + t, (float)((AT(e, t) - 1000 * k) * 0x1p40)); /* no f32 has it */
  }
}
static void warp_exchange(unsigned seed)
{
  LAUNCH(shuffles, 1, B, 0, seed, out);
  must_be(15 * B, [](int i) {
    int k = i / B % 5, t = i % B, m = 1 << k;
    return i < 5 * B ? 1000 * k + 1 + (t ^ m)
                     : (i < 10 * B ? 1000 * k + 1 : 0) + (t % 32 + m < 32 ? t + m : t);
  });
}
KERNEL void votes(unsigned seed, float *o)
{
  SHARED(float, s, B);
  for (int k = 0; k < 4; k++) {
    const int who = (int)(seed * 37 + k * 91) % B;
    EACH_THREAD (t) {
      hold_up(seed, k);
      ST(s + t, (float)(1000 * k + t));
    }
    int yes = block_or(TID_ == who ? 6 : 0); /* a barrier too */
    EACH_THREAD (t)
      STG(o + B * k + t, LD(s + (t + 40) % B) + (yes ? 1 : 0));
    int none = block_or(0);
    int warps = warp_or(TID_ % 32 == who % 32 ? 4 : 0), no_warps = warp_or(0);
    EACH_THREAD (t)
      STG(o + B * (4 + k) + t, (none ? 0 : 1) + (warps ? 2 : 0) + (no_warps ? 0 : 4));
  }
}
static void voting(unsigned seed)
{
  LAUNCH(votes, 1, B, 0, seed, out);
  must_be(8 * B, [](int i) { return i < 4 * B ? 1000 * (i / B) + (i + 40) % B + 1 : 7; });
}

/* ---------------------------------------------------------------- all of them */
static const struct {
  const char *name;
  void (*check)(unsigned seed);
} PRIMITIVES[] = {
    {"EACH_GRID_THREAD, GSIZE", each_grid_thread},
    {"GROWS, GCOLS, at2", grows_gcols},
    {"BROWS, BCOLS, EACH_THREAD", brows_bcols},
    {"GPLANES, PROWS, PCOLS, PLANE_FN, IN_PLANE", gplanes_prows},
    {"GTILE_ROWS, GTILE_COLS", gtiles},
    {"WARP_TEAM, TEAMS, EACH_TEAM_THREAD, TEAM_XOR", warp_teams},
    {"PHASE, SHARED, LD, ST", phase},
    {"PHASE_OF, EACH_OWNER", owned_phase},
    {"PHASE_ROWS, THREAD_COLS", phases_by_rows},
    {"THREAD_ROWS, THREAD_COLS", rows_of_threads},
    {"OPEN_PHASE, FIRST_WARP", open_phase},
    {"PRIVATEK, REG, REAL, TEMPLATE, LAUNCH_OF", registers_of_threads},
    {"LDG, LD4, LDI and their hints, load_now, plus4", global_accesses},
    {"LD2, ST2", global_pairs},
    {"STG, ST4, store4_streaming", global_stores},
    {"SHARED_VEC4, LD_SHARED4, ST_SHARED4, STS4", shared_accesses},
    {"WHOLE_ROW, WHOLE_THREADS", full_rows},
    {"SHFL_XOR, SHFL_DOWN, SHFL_DOWN_D, UNIFORM", warp_exchange},
    {"block_or, warp_or", voting},
    {"CELLS, CELL_FETCH, copy_wait", cells_of_threads},
    {"ROW_BUFFER, buffer_send, slots_wait", row_buffer},
    {"ASYNC_RING of 1", async_ring_1},
    {"ASYNC_RING of 2", async_ring_2},
    {"copy_send, copy_wait_but, in_order", copy_groups},
    {"BULK_RING, ARRIVALS, BULK_WAIT", bulk_ring},
    {"EXCHANGE of 2, exchange_post, exchange_await", exchange<2>},
    {"EXCHANGE of 8, exchange_post, exchange_await", exchange<8>},
    {"await_launches, others_may_start, LAUNCH_AFTER", await_launch},
    {"wgmma, PIPELINE, pipe_acquire, pipe_release", tile_pipeline},
    {"bf16_pair, bf16_low, bf16_high", pairs_of_bf16},
};

int main(int argc, char **argv)
{
  static float numbers[CELLS_IN], zero[CELLS_IN];
  static idx places[CELLS_IN];
  int wrong = 0, ran = 0;
  for (int i = 0; i < CELLS_IN; i++)
    numbers[i] = (float)(i + 1), places[i] = 3 * i;
  in = (float *)device(sizeof numbers), out = (float *)device(sizeof zero);
  where = (idx *)device(sizeof places);
  if (!in || !out || !where) {
    fprintf(stderr, "vocabulary: no memory on the device, or no device\n");
    return 2;
  }
  copy_to(in, numbers, sizeof numbers);
  copy_to(where, places, sizeof places);
  for (const auto &p : PRIMITIVES) {
    if (argc > 1 && !strstr(p.name, argv[1]))
      continue;
    unsigned seed = 0;
    why[0] = 0;
    for (; seed < SEEDS && !why[0]; seed++) {
      order(seed);
      copy_to(out, zero, sizeof zero);
      p.check(seed);
    }
    if (why[0])
      printf("%-50s WRONG under seed %u: %s\n", p.name, seed - 1, why);
    else
      printf("%-50s ok\n", p.name);
    wrong += why[0] != 0;
    ran++;
  }
  printf("vocabulary: %d of %d primitives ok\n", ran - wrong, ran);
  return wrong || !ran;
}
