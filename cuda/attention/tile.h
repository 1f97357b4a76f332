/* Tiles of scores: what forward and gradient share.
 *
 * A block of 2 x 2 warps has 64 rows of its own (queries; for dk and dv keys), and walks along tiles
 * of 128 of the others. A warp has 32 x 64 of a tile of scores, a thread 8 x 8 of it: rows
 * 4 down + 16 h + e, columns 4 across + 32 h + e. Both operands of a product lie in shared memory by
 * their inner index: chunks of 16 head dimensions for scores, transposed on the way; for products with
 * the scores rows as they are in memory, and the scores in a slab, by column. A ring of two slots takes
 * the next chunk while one is at work.
 *
 * Every sum is one chain of fused multiply-adds in the order of its inner index. */
#ifndef PM_ATTENTION_TILE_H
#define PM_ATTENTION_TILE_H
#include "../lang/shared_in_order.h"
#include "problem.h"

enum {
  OWN = 64,
  TILE = 128,
  CHUNK = 16,
  BLOCK = 128,
  SLAB = TILE * OWN,
  OWN_PITCH = OWN + 4, /* where the block's own rows pass in chunks as well */
  TILE_PITCH = TILE + 4
};

/* How rows of DT columns pass: so many at a time. HELD: the block's own rows stay in shared memory, and
 * d is DT; else they pass in chunks, and d is any. */
template <int DT, bool HELD> struct slots {
  enum {
    ROWS = DT > 128 ? 8 : 16,
    SCORES = CHUNK * TILE_PITCH + (HELD ? 0 : CHUNK * OWN_PITCH),
    FLOATS = SCORES > ROWS *DT ? SCORES : ROWS *DT
  };
};

struct seat {
  int row, col, down, across; /* the warp's first row and column of a tile; the lane's place */
};

/* Bit 1 of a lane is of its row: where a half warp reads an operand, lanes ask for the same 16 bytes. */
DEV struct seat seat_of()
{
  const int lane = TID_ % 32, warp = TID_ / 32;
  struct seat s = {warp / 2 * 32, warp % 2 * 64, (lane >> 1 & 1) | (lane >> 3 & 2),
                   (lane & 1) | (lane >> 1 & 6)};
  return s;
}

/* The lane of this one's rows that is `across`. */
DEV int lane_at(int across) { return (TID_ & 18) | (across & 1) | (across & 6) << 1; }

/* A thread's place along rows or columns of its 8. */
DEV int along_rows(const struct seat &s, int i) { return s.row + 4 * s.down + i / 4 * 16 + i % 4; }
DEV int along_cols(const struct seat &s, int j)
{
  return s.col + 4 * s.across + j / 4 * 32 + j % 4;
}

/* Of N rows from row0 of x (rows, d) the inner indices p0 .. p0 + there - 1, as [p][row]. Rows past the
 * end are the last once more, and indices past it the first: no one uses them. */
template <int N, bool HELD>
DEV void copy_turned(float *to, const float *x, typename row_number<HELD>::type row0,
                     typename row_number<HELD>::type rows, idx d, idx p0, int there)
{
  typedef typename row_number<HELD>::type num;
  const int p = TID_ % 8, r = TID_ / 8;
  to += p * (N + 4) + r;
  if (HELD && row0 + N <= rows) {
    const float *from = x + (idx)(row0 + r) * d + p0 + p;
    UNROLL
    for (int u = 0; u < N / 16; u++, from += 16 * d) UNROLL
    for (int h = 0; h < 2; h++) copy_async(to + 8 * h * (N + 4) + 16 * u, from + 8 * h);
  } else if (there) {
    UNROLL_BY(1)
    for (int u = 0; u < N / 16; u++) {
      const num row = row0 + r + 16 * u < rows ? row0 + r + 16 * u : rows - 1;
      const float *from = x + row * d + p0;
      UNROLL
      for (int h = 0; h < 2; h++)
        copy_async(to + 8 * h * (N + 4) + 16 * u, from + (p + 8 * h < there ? p + 8 * h : 0));
    }
  }
}

/* Rows from row0 as they lie, of which columns c0 .. c0 + DT - 1, as [row][column]. Past either end the
 * last once more. */
template <int DT, bool HELD>
DEV void copy_rows(float *to, const float *x, typename row_number<HELD>::type row0,
                   typename row_number<HELD>::type rows, idx d, idx c0)
{
  typedef typename row_number<HELD>::type num;
  const int N = slots<DT, HELD>::ROWS, t = TID_;
  if (HELD) {
    const int C = DT / 4, left = (int)(rows - 1 - row0);
    const float *from = x + (idx)row0 * DT + t % C * 4;
    UNROLL
    for (int u = 0; u < N * C / BLOCK; u++) {
      const int r = t / C + u * (BLOCK / C);
      copy_async4(to + 4 * (t + BLOCK * u), from + (r < left ? r : left) * DT);
    }
  } else if (d) {
    UNROLL_BY(4)
    for (int u = 0; u < N * DT / BLOCK; u++) {
      const int r = (t + BLOCK * u) / DT, c = (t + BLOCK * u) % DT;
      const num row = row0 + r < rows ? row0 + r : rows - 1;
      copy_async(to + t + BLOCK * u, x + row * d + (c0 + c < d ? c0 + c : d - 1));
    }
  }
}

/* The block's own rows for as long as it runs, as [p][row]. */
template <int DT> DEV void hold(float *to, const float *x, int row0, int rows)
{
  const int r = TID_ % OWN, from = TID_ / OWN * (DT / 2);
  const float *at = x + (idx)(row0 + r < rows ? row0 + r : rows - 1) * DT;
  UNROLL_BY(4)
  for (int p = from; p < from + DT / 2; p += 4) {
    const float4 v = LD4(at + p);
    ST(to + p * OWN + r, v.x);
    ST(to + (p + 1) * OWN + r, v.y);
    ST(to + (p + 2) * OWN + r, v.z);
    ST(to + (p + 3) * OWN + r, v.w);
  }
}

DEV void four(float *x, float4 v) { x[0] = v.x, x[1] = v.y, x[2] = v.z, x[3] = v.w; }

/* In a column p of the slab, which of its vectors holds rows 4 unit .. 4 unit + 3 of a warp's 32: XORed by p
 * so that what lanes store together lies in different banks. */
DEV int slab_unit(int p, int unit)
{
  return unit ^ ((p >> 2 & 1) << 1 | (p >> 3 & 1) << 2 | (p >> 4 & 1));
}

/* acc += over p in p0 .. p0 + n - 1 of a[p][8 rows] b[p - p0][4 G columns]. a: the warp's rows of p 0, b: the
 * lane's columns of p0. Fragments are fetched one p ahead; columns outside, rows to and fro: so they meet
 * in few register banks. */
template <int G, int PITCH_A, int PITCH_B, bool IN_SLAB>
DEV void multiply(float (&acc)[8][4 * G], const float *a, int down, const float *b, int p0, int n)
{
  float x[2][8], y[2][4 * G];
  int at[2][2];
  auto rows_at = [&](int p) {
    if (IN_SLAB) {
      const int u = 4 * slab_unit(p, down);
      at[0][0] = p * PITCH_A + u, at[0][1] = p * PITCH_A + (u ^ 16);
      at[1][0] = p * PITCH_A + (u ^ 8), at[1][1] = p * PITCH_A + (u ^ 24);
    } else {
      at[0][0] = at[1][0] = p * PITCH_A + 4 * down;
      at[0][1] = at[1][1] = at[0][0] + 16;
    }
  };
  auto fetch = [&](int into, int e) {
    UNROLL
    for (int h = 0; h < 2; h++)
      four(x[into] + 4 * h, load4_in_order(a + at[e / 4][h] + e * PITCH_A));
    UNROLL
    for (int g = 0; g < G; g++) four(y[into] + 4 * g, load4_in_order(b + e * PITCH_B + 32 * g));
  };
  auto add = [&](int from) {
    UNROLL
    for (int j = 0; j < 4 * G; j++) UNROLL
    for (int to = 0; to < 8; to++) {
      const int i = j % 2 ? 7 - to : to;
      acc[i][j] = PM_FMA(x[from][i], y[from][j], acc[i][j]);
    }
  };
  rows_at(p0);
  if (n >= 8) {
    fetch(0, 0);
    UNROLL_BY(1)
    for (int left = n; left >= 8; left -= 8) {
      UNROLL
      for (int e = 0; e < 7; e++) {
        fetch((e + 1) % 2, e + 1);
        add(e % 2);
      }
      if (left >= 16) {
        p0 += 8;
        b += 8 * PITCH_B;
        rows_at(p0);
      }
      fetch(0, 0); /* behind the last once more, which no one uses */
      add(1);
    }
    if (n % 8) {
      p0 += 8;
      b += 8 * PITCH_B;
    }
  }
  UNROLL_BY(1)
  for (int e = 0; e < n % 8; e++) {
    UNROLL
    for (int h = 0; h < 2; h++) {
      const int u = IN_SLAB ? slab_unit(p0 + e, down + 4 * h) : down + 4 * h;
      four(x[0] + 4 * h, load4_in_order(a + (p0 + e) * PITCH_A + 4 * u));
    }
    UNROLL
    for (int g = 0; g < G; g++) four(y[0] + 4 * g, load4_in_order(b + e * PITCH_B + 32 * g));
    add(0);
  }
}

template <bool LARGER> DEV float join(float a, float b) { return LARGER ? larger(a, b) : a + b; }

/* One of eight values for each of the eight lanes that share rows: lane `across` has the largest of the
 * lanes' v[across], or their sum. */
template <bool LARGER> DEV float spread(const float (&v)[8])
{
  float w[4], u[2], got;
  const bool b3 = TID_ & 8, b2 = TID_ & 4, b0 = TID_ & 1;
  UNROLL
  for (int i = 0; i < 4; i++) {
    SHFL_XOR(got, b3 ? v[i] : v[i + 4], 8);
    w[i] = join<LARGER>(b3 ? v[i + 4] : v[i], got);
  }
  UNROLL
  for (int i = 0; i < 2; i++) {
    SHFL_XOR(got, b2 ? w[i] : w[i + 2], 4);
    u[i] = join<LARGER>(b2 ? w[i + 2] : w[i], got);
  }
  SHFL_XOR(got, b0 ? u[0] : u[1], 1);
  return join<LARGER>(b0 ? u[1] : u[0], got);
}

/* The two slots: what passes next is copied into next() behind arrive(), which waits for what was copied
 * last, and for all who read what was there before. */
template <int FLOATS> struct two_slots {
  float *memory;
  int now;
  MEMBER float *next() { return memory + (1 - now) * FLOATS; }
  MEMBER const float *arrive()
  {
    copy_wait();
    __syncthreads();
    now = 1 - now;
    return memory + now * FLOATS;
  }
};

/* Where the thread's rows 4 h .. 4 h + 3 of its column j lie in the slab. */
template <class T> DEV T *slab_cell(T *slab, const struct seat &s, int j, int h)
{
  const int p = along_cols(s, j);
  return slab + p * OWN + s.row + 4 * slab_unit(p, s.down + 4 * h);
}

DEV void into_slab(float *slab, const struct seat &s, const float (&x)[8][8])
{
  UNROLL
  for (int j = 0; j < 8; j++) UNROLL
  for (int h = 0; h < 2; h++) {
    const float4 v = {x[4 * h][j], x[4 * h + 1][j], x[4 * h + 2][j], x[4 * h + 3][j]};
    STS4(slab_cell(slab, s, j, h), v);
  }
}

template <int M, int N> DEV void clear(float (&x)[M][N])
{
  UNROLL
  for (int i = 0; i < M; i++) UNROLL
  for (int j = 0; j < N; j++) x[i][j] = 0.0f;
}

/* What a block has: rows from r0 of query head `head`, columns from c0. Of a causal mask the rows that meet
 * most of the others come first, so that the last to end are short. */
struct share {
  idx head, r0, c0;
};
DEV struct share share_of(const struct attention &a, idx rows, int columns, int from_last)
{
  const idx n = blockIdx.x / a.lead, wide = a.d > columns ? (a.d + columns - 1) / columns : 1;
  const idx row = n / wide, all = (rows + OWN - 1) / OWN;
  struct share s = {blockIdx.x % a.lead, (from_last ? all - 1 - row : row) * OWN,
                    n % wide * columns};
  return s;
}
#endif
