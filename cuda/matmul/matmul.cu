/* c = alpha A B in f32: c is (m, n), A is (m, k) and stored so or, transposed, as (k, m); B is
 * (k, n) or, transposed, (n, k).
 *
 * Each element is one chain of fused multiply-adds in the order of the inner index, then one
 * product with alpha, then, where it accumulates, one addition to what was there. So all tile
 * sizes give the same bits. A block does square tiles of T x T, a thread E x E elements of one. */
#include <math.h>

#include "../host/check.h"
#include "../host/table.h"

enum { DEPTH = 16, GROUP = 8 }; /* inner indices a step; tile rows that go together, for the L2 */

#ifdef PM_SIM
#define FMA __builtin_fmaf
#else
#define FMA __fmaf_rn
#endif

/* One operand: element (i, p), i along m or n and p along k, is at[i * step_i + p * step_p], where
 * one of the steps is 1. */
struct operand {
  const float *at;
  idx rows, step_i, step_p; /* rows: the limit of i */
  int vec;                  /* every 4 neighbours that start at a multiple of 4 are 16-aligned */
};

/* Fetches this thread's share of elements (i0 .. i0+T-1, p0 .. p0+DEPTH-1); 0 outside. */
template <int T, int SHARE> DEV void fetch(float *share, struct operand o, idx i0, idx p0, idx k)
{
  int along_p = o.step_p == 1;
  UNROLL
  for (int u = 0; u < SHARE / 4; u++) {
    int unit = TID_ + u * BDIM;
    idx i = i0 + (along_p ? unit / (DEPTH / 4) : unit % (T / 4) * 4);
    idx p = p0 + (along_p ? unit % (DEPTH / 4) * 4 : unit / (T / 4));
    const float *at = o.at + i * o.step_i + p * o.step_p;
    if (o.vec && (along_p ? i < o.rows && p + 3 < k : i + 3 < o.rows && p < k)) {
      float4 q = LD4(at);
      share[4 * u] = q.x;
      share[4 * u + 1] = q.y;
      share[4 * u + 2] = q.z;
      share[4 * u + 3] = q.w;
    } else {
      UNROLL
      for (int e = 0; e < 4; e++) {
        int in = along_p ? i < o.rows && p + e < k : i + e < o.rows && p < k;
        share[4 * u + e] = in ? at[e] : 0.0f;
      }
    }
  }
}

/* Puts the share at s[p][i], rows of T + 4. */
template <int T, int SHARE> DEV void put(float *s, const float *share, int along_p)
{
  UNROLL
  for (int u = 0; u < SHARE / 4; u++) {
    int unit = TID_ + u * BDIM;
    if (along_p) {
      int i = unit / (DEPTH / 4), p = unit % (DEPTH / 4) * 4;
      UNROLL
      for (int e = 0; e < 4; e++) s[(p + e) * (T + 4) + i] = share[4 * u + e];
    } else
      STS4(s + unit / (T / 4) * (T + 4) + unit % (T / 4) * 4,
           make_float4(share[4 * u], share[4 * u + 1], share[4 * u + 2], share[4 * u + 3]));
  }
}

/* (T/E)^2 threads. Thread (ti, tj) has rows 4 ti + (0..3) and, with E = 8, T/2 further on. */
template <int T, int E>
KERNEL void __launch_bounds__((T / E) * (T / E))
    matmul_tile(idx m, idx k, idx n, float alpha, int accumulate, struct operand a,
                struct operand b, float *c)
{
  const int SIDE = T / E, SHARE = T * DEPTH / (SIDE * SIDE);
  SHARED(float4, store, 2 * DEPTH * (T + 4) / 4);
  float *as = (float *)store, *bs = as + DEPTH * (T + 4);
  const int ti = TID_ / SIDE, tj = TID_ % SIDE;
  const idx tall = (m + T - 1) / T, wide = (n + T - 1) / T;
  for (idx tile = blockIdx.x; tile < tall * wide; tile += gridDim.x) {
    /* Down GROUP rows of tiles, then to the next column. */
    idx band = tile / (GROUP * wide), rest = tile % (GROUP * wide);
    idx left_over = tall - band * GROUP, high = left_over < (idx)GROUP ? left_over : (idx)GROUP;
    idx i0 = (band * GROUP + rest % high) * T, j0 = rest / high * T;
    float acc[E][E], fa[SHARE], fb[SHARE];
    UNROLL
    for (int i = 0; i < E; i++) {
      UNROLL
      for (int j = 0; j < E; j++) acc[i][j] = 0.0f;
    }
    fetch<T, SHARE>(fa, a, i0, 0, k);
    fetch<T, SHARE>(fb, b, j0, 0, k);
    for (idx p0 = 0; p0 < k; p0 += DEPTH) {
      put<T, SHARE>(as, fa, a.step_p == 1);
      put<T, SHARE>(bs, fb, b.step_p == 1);
      __syncthreads();
      if (p0 + DEPTH < k) {
        fetch<T, SHARE>(fa, a, i0, p0 + DEPTH, k);
        fetch<T, SHARE>(fb, b, j0, p0 + DEPTH, k);
      }
      UNROLL
      for (int p = 0; p < DEPTH; p++) {
        float x[E], y[E];
        UNROLL
        for (int h = 0; h < E / 4; h++) {
          float4 q = LD4(as + p * (T + 4) + h * (T / 2) + 4 * ti);
          float4 r = LD4(bs + p * (T + 4) + h * (T / 2) + 4 * tj);
          x[4 * h] = q.x, x[4 * h + 1] = q.y, x[4 * h + 2] = q.z, x[4 * h + 3] = q.w;
          y[4 * h] = r.x, y[4 * h + 1] = r.y, y[4 * h + 2] = r.z, y[4 * h + 3] = r.w;
        }
        UNROLL
        for (int i = 0; i < E; i++) {
          UNROLL
          for (int j = 0; j < E; j++) acc[i][j] = FMA(x[i], y[j], acc[i][j]);
        }
      }
      __syncthreads();
    }
    UNROLL
    for (int i = 0; i < E; i++) {
      idx row = i0 + i / 4 * (T / 2) + 4 * ti + i % 4;
      UNROLL
      for (int j = 0; j < E; j++) {
        idx col = j0 + j / 4 * (T / 2) + 4 * tj + j % 4;
        if (row < m && col < n) {
          float v = k ? alpha * acc[i][j] : 0.0f; /* an empty sum is 0 for any alpha */
          float *out = c + row * n + col;
          *out = accumulate ? *out + v : v;
        }
      }
    }
  }
}

/* ---- the table ---- */

enum { TILE128, TILE32 };

static void declare(const int64_t *size, pm_arith *out) { out->height[0] = (double)size[1]; }
static void declare_vjp(const int64_t *size, pm_arith *out)
{
  out->height[0] = (double)size[2];
  out->height[1] = (double)size[0];
}

#define PAIR(op, when, declare) \
  {op, "tile128", when, PM_CHECKED, declare}, { op, "tile32", "always", PM_CHECKED, declare }
static const pm_kernel ROWS[] = {PAIR("matmul", "m, n >= 128", declare),
                                 PAIR("matmul_vjp", "m, n, k >= 128", declare_vjp)};

/* a is (m, k), transposed: stored (k, m). */
static struct operand left(const float *a, int64_t m, int64_t k, int ta)
{
  struct operand o = {a, m, ta ? 1 : k, ta ? m : 1, pm_aligned16(a) && (ta ? m : k) % 4 == 0};
  return o;
}

/* b is (k, n), transposed: stored (n, k). */
static struct operand right(const float *b, int64_t k, int64_t n, int tb)
{
  return left(b, n, k, !tb);
}

static void run(int variant, void *stream, int64_t m, int64_t k, int64_t n, float alpha,
                int accumulate, struct operand a, struct operand b, float *c)
{
  int side = variant == TILE128 ? 128 : 32;
  int64_t tall = m / side + (m % side != 0), wide = n / side + (n % side != 0), grid;
  if (!tall || !wide)
    return;
  if (__builtin_mul_overflow(tall, wide, &grid) || grid > 0x7fffffff)
    grid = 0x7fffffff;
  if (variant == TILE128)
    LAUNCH((matmul_tile<128, 8>), grid, 256, stream, m, k, n, alpha, accumulate, a, b, c);
  else
    LAUNCH((matmul_tile<32, 4>), grid, 64, stream, m, k, n, alpha, accumulate, a, b, c);
}

typedef struct counts {
  int64_t a, b, c; /* elements of the three matrices */
} counts;

static counts check_sizes(pm_check *c, int64_t m, int64_t k, int64_t n, int ta, int tb)
{
  counts q;
  pm_size(c, "m", m);
  pm_size(c, "k", k);
  pm_size(c, "n", n);
  pm_flag(c, "ta", ta);
  pm_flag(c, "tb", tb);
  q.a = pm_times(c, "m", m, "k", k);
  q.b = pm_times(c, "k", k, "n", n);
  q.c = pm_times(c, "m", m, "n", n);
  return q;
}

/* alpha may be any float: NaN and infinities follow IEEE 754, as in PyTorch. */
extern "C" pm_status LAUNCHER(matmul)(pm_exec *ex, int64_t m, int64_t k, int64_t n, int ta, int tb,
                                      float alpha, const float *a, const float *b, float *c)
{
  pm_check q = pm_begin("matmul", ex);
  counts s = check_sizes(&q, m, k, n, ta, tb);
  pm_in(&q, "a", a, s.a, sizeof *a);
  pm_in(&q, "b", b, s.b, sizeof *b);
  pm_out(&q, "c", c, s.c, sizeof *c);
  if (pm_checked(&q) != PM_OK)
    return q.status;
  int v = PM_PICK(&q, ex, ROWS, m >= 128 && n >= 128 ? 3u : 2u);
  if (v >= 0)
    run(v, ex->stream, m, k, n, alpha, 0, left(a, m, k, ta), right(b, k, n, tb), c);
  return pm_launched(&q);
}

extern "C" pm_status LAUNCHER(matmul_vjp)(pm_exec *ex, int accumulate, int64_t m, int64_t k,
                                          int64_t n, int ta, int tb, float alpha, const float *a,
                                          const float *b, const float *g, float *da, float *db)
{
  pm_check q = pm_begin("matmul_vjp", ex);
  pm_flag(&q, "accumulate", accumulate);
  counts s = check_sizes(&q, m, k, n, ta, tb);
  pm_in(&q, "a", a, s.a, sizeof *a);
  pm_in(&q, "b", b, s.b, sizeof *b);
  pm_in(&q, "g", g, s.c, sizeof *g);
  pm_out(&q, "da", da, s.a, sizeof *da);
  pm_out(&q, "db", db, s.b, sizeof *db);
  if (pm_checked(&q) != PM_OK)
    return q.status;
  int v = PM_PICK(&q, ex, ROWS, m >= 128 && n >= 128 && k >= 128 ? 3u : 2u);
  if (v < 0)
    return q.status;
  void *stream = ex->stream;
  /* dA = alpha g B', and transposed B g'; dB = alpha A' g, and transposed g' A. */
  if (ta)
    run(v, stream, k, n, m, alpha, accumulate, left(b, k, n, tb), right(g, n, m, 1), da);
  else
    run(v, stream, m, n, k, alpha, accumulate, left(g, m, n, 0), right(b, n, k, !tb), da);
  if (tb)
    run(v, stream, n, m, k, alpha, accumulate, left(g, n, m, 1), right(a, m, k, ta), db);
  else
    run(v, stream, k, m, n, alpha, accumulate, left(a, k, m, !ta), right(g, m, n, 0), db);
  return pm_launched(&q);
}

PM_FAMILY(matmul, ROWS, NULL);
