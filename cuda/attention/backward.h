/* The gradients, in two kernels of one text, neither of which waits for a block. dq: a block has 64 queries
 * and walks along the keys; dk and dv: it has 64 keys and walks along the queries of one query head, from
 * the last back, as the terms of a causal mask's first rows are the largest. Both make the scores s and
 * g.v of a tile once more:
 *     p = exp(s - lse)    ds = p (g.v - delta)    dq = sum ds k    dk = sum ds q    dv = sum p g
 * where g.v is summed in delta's order: of a single key both are the same, and ds is 0. */
#ifndef PM_ATTENTION_BACKWARD_H
#define PM_ATTENTION_BACKWARD_H
#include "tile.h"

/* `first` is dq, or dk beside dv: of each query head, which in a group are parts of a sum. */
struct backward {
  const float *g, *lse, *delta;
  float *first, *dv;
  int accumulate;
};

template <int DT, bool HELD> struct backward_shape {
  enum { BYTES = 4 * (2 * slots<DT, HELD>::FLOATS + SLAB + (HELD ? 2 * DT * OWN : 0)) };
};

template <bool HELD, int N>
DEV void put_row(float *to, const float (&x)[N], float scale, idx left, int accumulate)
{
  float e[4];
  UNROLL
  for (int f = 0; f < 4; f++) e[f] = x[f] * scale;
  if (HELD) {
    const float4 v = {e[0], e[1], e[2], e[3]};
    ST4(to, accumulate ? plus4(LD4(to), v) : v);
  } else {
    UNROLL
    for (int f = 0; f < 4; f++)
      if (f < left)
        to[f] = accumulate ? to[f] + e[f] : e[f];
  }
}

template <int DT, bool KEYS, bool HELD>
KERNEL void __launch_bounds__(BLOCK, 2) sdpa_vjp_rows(struct attention a, struct backward out)
{
  typedef slots<DT, HELD> S;
  typedef typename row_number<HELD>::type num;
  const int G = DT / 64, ROWS = S::ROWS, AT = HELD ? 0 : CHUNK * OWN_PITCH;
  DYNAMIC(float, memory);
  two_slots<S::FLOATS> ring = {memory, 1};
  float *const slab = memory + 2 * S::FLOATS, *const own = slab + SLAB;
  const struct seat s = seat_of();
  const struct share b = share_of(a, KEYS ? a.nk : a.nq, DT, a.causal && !KEYS);
  const idx d = HELD ? (idx)DT : a.d, chunks = HELD ? (idx)(DT / CHUNK) : (d + CHUNK - 1) / CHUNK;
  const num owns = (num)(KEYS ? a.nk : a.nq), others = (num)(KEYS ? a.nq : a.nk), r0 = (num)b.r0,
            last = (num)a.last, rw = r0 + s.row;
  const idx of_q = b.head * a.nq * d, of_k = b.head / a.group * a.nk * d;
  const float *const lse = out.lse + b.head * a.nq, *const delta = out.delta + b.head * a.nq;
  /* Two products of scores: own1 with other1 for s, own2 with other2 for g.v. */
  const float *const own1 = KEYS ? a.k + of_k : a.q + of_q,
                     *const own2 = KEYS ? a.v + of_k : out.g + of_q,
                     *const other1 = KEYS ? a.q + of_q : a.k + of_k,
                     *const other2 = KEYS ? out.g + of_q : a.v + of_k;
  /* Of the others the block meets those from `first` to `end`. */
  const num far = (r0 + OWN < owns ? r0 + OWN : owns) + last;
  const num end = KEYS || far > others ? others : far;
  const num first = KEYS && r0 > last ? (r0 - last) / TILE * TILE : 0;
  auto copy_scores = [&](int second, num s0, idx c) {
    const int there = d - CHUNK * c < CHUNK ? (int)(d - CHUNK * c) : (int)CHUNK;
    float *to = ring.next();
    if (!HELD)
      copy_turned<OWN, HELD>(to, second ? own2 : own1, r0, owns, d, CHUNK * c, there);
    copy_turned<TILE, HELD>(to + AT, second ? other2 : other1, s0, others, d, CHUNK * c, there);
  };
  float x1[8][4 * G], x2[KEYS ? 8 : 1][4 * G];
  clear(x1);
  clear(x2);
  if (HELD) {
    hold<DT>(own, own1, (int)r0, (int)owns);
    hold<DT>(own + DT * OWN, own2, (int)r0, (int)owns);
  }
  const num tiles = end > first ? (end - first + TILE - 1) / TILE : 0;
  if (tiles)
    copy_scores(0, KEYS ? first + (tiles - 1) * TILE : first, 0);
  UNROLL_BY(1)
  for (num n = 0; n < tiles; n++) {
    const num s0 = first + (KEYS ? tiles - 1 - n : n) * TILE, sw = s0 + s.col;
    const int there = end - s0 < TILE ? (int)(end - s0) : (int)TILE;
    /* The warp's part of the tile has an open pair; and a pair that is not. */
    const bool on = KEYS ? sw + 63 + last >= rw : sw <= rw + 31 + last;
    const bool partly =
        a.mask || s0 + TILE > others || (KEYS ? rw + 31 > sw + last : sw + 63 > rw + last);
    /* Both halves spelled out: as one loop ptxas moves the sums between x1's and x2's registers. */
    UNROLL
    for (int second = 0; second < 2; second++) {
      float x[8][8];
      clear(x);
      UNROLL_BY(1)
      for (idx c = 0; c < chunks; c++) {
        const float *now = ring.arrive();
        if (c + 1 < chunks)
          copy_scores(second, s0, c + 1);
        else if (!KEYS && !second)
          copy_scores(1, s0, 0);
        else
          copy_rows<DT, HELD>(ring.next(), KEYS && !second ? other2 : other1, s0, others, d, b.c0);
        const float *cols = now + AT + s.col + 4 * s.across;
        if (HELD && on)
          multiply<2, OWN, TILE_PITCH, false>(x, own + second * DT * OWN + s.row, s.down, cols,
                                              CHUNK * (int)c, CHUNK);
        else if (on)
          multiply<2, OWN_PITCH, TILE_PITCH, false>(x, now + s.row, s.down, cols, 0,
                                                    d - CHUNK * c < CHUNK ? (int)(d - CHUNK * c)
                                                                          : (int)CHUNK);
      }
      /* Along its queries the thread has their numbers; the last one's where there is none. */
      auto query = [&](int i) {
        const num at =
            KEYS ? sw + 4 * s.across + i / 4 * 32 + i % 4 : rw + 4 * s.down + i / 4 * 16 + i % 4;
        return at < (KEYS ? others : owns) ? at : (KEYS ? others : owns) - 1;
      };
      if (!second) {
        UNROLL
        for (int u = 0; u < 8; u++) {
          const float from = lse[query(u)];
          UNROLL
          for (int w = 0; w < 8; w++) {
            float &e = KEYS ? x[w][u] : x[u][w];
            e = pm_expf(e * a.scale - from);
          }
        }
      } else {
        float from[8];
        UNROLL
        for (int u = 0; u < 8; u++) from[u] = delta[query(u)];
        UNROLL
        for (int j = 0; j < 8; j++) UNROLL
        for (int h = 0; h < 2; h++) {
          float p[4];
          four(p, LD4(slab_cell(slab, s, j, h)));
          UNROLL
          for (int e = 0; e < 4; e++)
            x[4 * h + e][j] = p[e] * (x[4 * h + e][j] - from[KEYS ? j : 4 * h + e]);
        }
      }
      if (partly) {
        const num row = in_place(rw + 4 * s.down), col = in_place(sw + 4 * s.across);
        UNROLL
        for (int i = 0; i < 8; i++) UNROLL
        for (int j = 0; j < 8; j++) {
          const num r = row + i / 4 * 16 + i % 4, c = col + j / 4 * 32 + j % 4;
          if (!is_open(a, KEYS ? c : r, KEYS ? r : c))
            x[i][j] = 0.0f;
        }
      }
      into_slab(slab, s, x);
      if (KEYS || second) {
        UNROLL_BY(1)
        for (int r = 0; r < there; r += ROWS) {
          const float *now = ring.arrive();
          if (r + ROWS < there)
            copy_rows<DT, HELD>(ring.next(), KEYS && !second ? other2 : other1, s0 + r + ROWS,
                                others, d, b.c0);
          else if (!second)
            copy_scores(1, s0, 0);
          else if (n + 1 < tiles)
            copy_scores(0, KEYS ? s0 - TILE : s0 + TILE, 0);
          if (KEYS ? s0 + r + ROWS - 1 + last >= rw : s0 + r <= rw + 31 + last) {
            const float *cols = now + s.col / 64 * (DT / 2) + 4 * s.across;
            const int left = there - r < ROWS ? there - r : ROWS;
            if (KEYS && !second)
              multiply<G, OWN, DT, true>((float(&)[8][4 * G]) x2, slab + s.row, s.down, cols, r,
                                         left);
            else
              multiply<G, OWN, DT, true>(x1, slab + s.row, s.down, cols, r, left);
          }
        }
      }
    }
  }
  const idx at = KEYS ? b.head * a.nk * d : of_q;
  UNROLL
  for (int i = 0; i < 8; i++) {
    const num row = rw + 4 * s.down + i / 4 * 16 + i % 4;
    UNROLL
    for (int g = 0; g < G; g++) {
      const idx c = b.c0 + s.col / 64 * (DT / 2) + 4 * s.across + 32 * g, to = at + row * d + c;
      if (row < owns) {
        const float e1[4] = {x1[i][4 * g], x1[i][4 * g + 1], x1[i][4 * g + 2], x1[i][4 * g + 3]};
        put_row<HELD>(out.first + to, e1, a.scale, d - c, out.accumulate);
        if (KEYS) {
          const float e2[4] = {x2[KEYS ? i : 0][4 * g], x2[KEYS ? i : 0][4 * g + 1],
                               x2[KEYS ? i : 0][4 * g + 2], x2[KEYS ? i : 0][4 * g + 3]};
          put_row<HELD>(out.dv + to, e2, 1.0f, d - c, out.accumulate);
        }
      }
    }
  }
}

/* delta = sum over d of g y, in the order of g.v. */
KERNEL void THREADS_AT_MOST(256)
    sdpa_delta(idx rows, idx d, const float *y, const float *g, float *delta)
{
  for (idx r = GRID_THREAD_; r < rows; r += GSIZE) {
    float sum = 0.0f;
    if (d % 4 == 0 && ((uintptr_t)y | (uintptr_t)g) % 16 == 0) {
      UNROLL_BY(4)
      for (idx c = 0; c < d; c += 4) {
        const float4 u = LD4(g + r * d + c), w = LD4(y + r * d + c);
        sum = PM_FMA(u.x, w.x, sum);
        sum = PM_FMA(u.y, w.y, sum);
        sum = PM_FMA(u.z, w.z, sum);
        sum = PM_FMA(u.w, w.w, sum);
      }
    } else
      for (idx c = 0; c < d; c++) sum = PM_FMA(g[r * d + c], y[r * d + c], sum);
    delta[r] = sum;
  }
}

/* out = the sum over a KV head's query heads of their parts, in order; `each` elements a head. There may be
 * no query head: 0. */
KERNEL void THREADS_AT_MOST(256)
    sdpa_group_sum(idx n, idx each, idx group, const float *part, int accumulate, float *out)
{
  for (idx i = GRID_THREAD_; i < n; i += GSIZE) {
    const float *at = part + i / each * group * each + i % each;
    float sum = group ? at[0] : 0.0f;
    for (idx h = 1; h < group; h++) sum = sum + at[h * each];
    out[i] = accumulate ? out[i] + sum : sum;
  }
}
#endif
