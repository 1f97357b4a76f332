/* Forward: a block has 64 queries and walks along the keys, 128 at a time, with a running softmax: the
 * scores of a tile, their maxima, exponentials into the slab, and the slab times the values onto what was
 * there, which a larger maximum scales down first. Two warps share a row, each with 64 of a tile's keys: they
 * exchange maxima, and at the end sums. Lane `across` keeps maximum and sum of row `across` of its eight. */
#ifndef PM_ATTENTION_FORWARD_H
#define PM_ATTENTION_FORWARD_H
#include "tile.h"

/* y = 0 and lse = -Inf where no key is open. */
struct forward_out {
  float *y, *lse;
};

template <int DT, bool HELD> struct forward_shape {
  enum { BYTES = 4 * (2 * slots<DT, HELD>::FLOATS + SLAB + BLOCK + (HELD ? DT * OWN : 0)) };
};

template <int DT, bool HELD>
KERNEL void __launch_bounds__(BLOCK, 2) sdpa_rows(struct attention a, struct forward_out out)
{
  typedef slots<DT, HELD> S;
  typedef typename row_number<HELD>::type num;
  const int G = DT / 64, ROWS = S::ROWS, AT = HELD ? 0 : CHUNK * OWN_PITCH;
  DYNAMIC(float, memory);
  two_slots<S::FLOATS> ring = {memory, 1};
  float *const slab = memory + 2 * S::FLOATS, *const pair = slab + SLAB, *const own = pair + BLOCK;
  const struct seat s = seat_of();
  const struct share b = share_of(a, a.nq, DT, a.causal);
  const idx d = HELD ? (idx)DT : a.d, chunks = HELD        ? (idx)(DT / CHUNK)
                                               : d > CHUNK ? (d + CHUNK - 1) / CHUNK
                                                           : 1;
  const num nq = (num)a.nq, nk = (num)a.nk, r0 = (num)b.r0, last = (num)a.last, rw = r0 + s.row;
  const float *const q = a.q + b.head * a.nq * d, *const k = a.k + b.head / a.group * a.nk * d,
                     *const v = a.v + b.head / a.group * a.nk * d;
  /* Of the block, and of the warp: keys that any of its queries sees. */
  const num far = (r0 + OWN < nq ? r0 + OWN : nq) + last, end = far < nk ? far : nk,
            mine = rw + 32 + last < nk ? rw + 32 + last : nk;
  auto copy_scores = [&](num k0, idx c) {
    const int there = d - CHUNK * c < CHUNK ? (int)(d - CHUNK * c) : (int)CHUNK;
    float *to = ring.next();
    if (!HELD)
      copy_turned<OWN, HELD>(to, q, r0, nq, d, CHUNK * c, there);
    copy_turned<TILE, HELD>(to + AT, k, k0, nk, d, CHUNK * c, there);
  };
  float o[8][4 * G], m = lowest(), l = 0.0f;
  clear(o);
  if (HELD)
    hold<DT>(own, q, (int)r0, (int)nq);
  if (end > 0)
    copy_scores(0, 0);
  UNROLL_BY(1)
  for (num k0 = 0; k0 < end; k0 += TILE) {
    const num kw = k0 + s.col;
    const bool on = kw < mine;
    {
      float x[8][8], top[8];
      clear(x);
      UNROLL_BY(1)
      for (idx c = 0; c < chunks; c++) {
        const float *now = ring.arrive();
        if (c + 1 < chunks)
          copy_scores(k0, c + 1);
        else
          copy_rows<DT, HELD>(ring.next(), v, k0, nk, d, b.c0);
        const float *cols = now + AT + s.col + 4 * s.across;
        if (HELD && on)
          multiply<2, OWN, TILE_PITCH, false>(x, own + s.row, s.down, cols, CHUNK * (int)c, CHUNK);
        else if (on)
          multiply<2, OWN_PITCH, TILE_PITCH, false>(x, now + s.row, s.down, cols, 0,
                                                    d - CHUNK * c < CHUNK ? (int)(d - CHUNK * c)
                                                                          : (int)CHUNK);
      }
      UNROLL
      for (int i = 0; i < 8; i++) UNROLL
      for (int j = 0; j < 8; j++) x[i][j] = x[i][j] * a.scale;
      if (a.mask || kw + 63 > rw + last || kw + 64 > nk) {
        const num row = in_place(rw + 4 * s.down), col = kw + 4 * s.across;
        UNROLL
        for (int i = 0; i < 8; i++) UNROLL
        for (int j = 0; j < 8; j++)
          if (!is_open(a, row + i / 4 * 16 + i % 4, col + j / 4 * 32 + j % 4))
            x[i][j] = lowest();
      }
      UNROLL
      for (int j = 0; j < 8; j++) UNROLL
      for (int i = 0; i < 8; i++) top[i] = j ? larger(top[i], x[i][j]) : x[i][0];
      float *const at = pair + along_rows(s, 0) + s.across / 4 * 16 + s.across % 4;
      const float here = spread<true>(top);
      ST(at + s.col, here);
      __syncthreads();
      const float top_now = larger(m, larger(here, LD(at + (64 - s.col))));
      /* All scores so far may be -Inf: their exponentials are 0 then, not NaN. */
      const float from = top_now == lowest() ? 0.0f : top_now;
      const float shrink = m == top_now ? 1.0f : pm_expf_down(m - from);
      m = top_now;
      UNROLL
      for (int i = 0; i < 8; i++) {
        const float of_row = __shfl_sync(0xffffffffu, from, lane_at(i));
        UNROLL
        for (int j = 0; j < 8; j++) x[i][j] = pm_expf_down(x[i][j] - of_row);
      }
      UNROLL
      for (int j = 0; j < 8; j++) UNROLL
      for (int i = 0; i < 8; i++) top[i] = j ? top[i] + x[i][j] : x[i][0];
      l = PM_FMA(l, shrink, spread<false>(top));
      if (__any_sync(0xffffffffu, shrink != 1.0f)) {
        UNROLL
        for (int i = 0; i < 8; i++) {
          const float by = __shfl_sync(0xffffffffu, shrink, lane_at(i));
          UNROLL
          for (int j = 0; j < 4 * G; j++) o[i][j] = o[i][j] * by;
        }
      }
      into_slab(slab, s, x);
    }
    const int there = end - k0 < TILE ? (int)(end - k0) : (int)TILE;
    UNROLL_BY(1)
    for (int r = 0; r < there; r += ROWS) {
      const float *now = ring.arrive();
      if (r + ROWS < there)
        copy_rows<DT, HELD>(ring.next(), v, k0 + r + ROWS, nk, d, b.c0);
      else if (k0 + TILE < end)
        copy_scores(k0 + TILE, 0);
      if (k0 + r < mine)
        multiply<G, OWN, DT, true>(o, slab + s.row, s.down,
                                   now + s.col / 64 * (DT / 2) + 4 * s.across, r,
                                   there - r < ROWS ? there - r : ROWS);
    }
  }

  float *const at = pair + along_rows(s, 0) + s.across / 4 * 16 + s.across % 4;
  const num row = rw + 4 * s.down + s.across / 4 * 16 + s.across % 4;
  __syncthreads();
  ST(at + s.col, l);
  __syncthreads();
  l = LD(at) + LD(at + 64);
  const int blocked = l == 0.0f && (row >= nq || !is_seen(a, row));
  const float inverse = blocked ? 0.0f : 1.0f / l;
  if (s.col == 0 && row < nq && b.c0 == 0)
    out.lse[b.head * a.nq + row] = blocked    ? lowest()
                                   : l > 0.0f ? m + pm_log_normal(l)
                                              : inverse - inverse; /* NaN: all scores are -Inf */
  float *const y = out.y + b.head * a.nq * d;
  UNROLL
  for (int i = 0; i < 8; i++) {
    const float by = __shfl_sync(0xffffffffu, inverse, lane_at(i));
    const num r = rw + 4 * s.down + i / 4 * 16 + i % 4;
    UNROLL
    for (int g = 0; g < G; g++) {
      const idx c = b.c0 + s.col / 64 * (DT / 2) + 4 * s.across + 32 * g;
      float *to = y + r * d + c;
      float e[4];
      UNROLL
      for (int f = 0; f < 4; f++) e[f] = by == 0.0f ? 0.0f : o[i][4 * g + f] * by;
      if (HELD && r < nq)
        ST4(to, make_float4(e[0], e[1], e[2], e[3]));
      else if (r < nq) {
        UNROLL
        for (int f = 0; f < 4; f++)
          if (c + f < d)
            to[f] = e[f];
      }
    }
  }
}
#endif
