/* Register tiles of 4 x 4, permutations that do not keep the innermost axis: a thread turns a 4x4
 * square in registers. Its rows are vectors of x, along x's innermost axis ("across"), its
 * columns vectors of y, along y's ("down"); what other axes there are make cells, and a block has
 * squares of one cell or of many. */
#ifndef PM_SHAPE_SQUARES_H
#define PM_SHAPE_SQUARES_H
#include "../lang/kernel.h"

enum { SQUARES_BLOCK = 256, SQUARES_AXES = 6 };

typedef struct squares {
  idx down, across;         /* squares of a cell */
  idx x_step, y_step;       /* elements from one row of x to the next, from one of y to the next */
  idx tiles, tiles_across;  /* blocks that a cell takes, of which side by side */
  int log_down, log_across; /* squares that a block has of a cell */
  idx cells;
  int n; /* axes of the cells: their sizes, and what a step is in x and y */
  idx size[SQUARES_AXES], x_cell[SQUARES_AXES], y_cell[SQUARES_AXES];
} squares;

DEV void put_square_row(float *p, float a, float b, float c, float d, int accumulate)
{
  float4 v = {a, b, c, d};
  ST4(p, accumulate ? plus4(LD4(p), v) : v);
}

KERNEL void permute_squares(squares s, int accumulate, const float *RESTRICT x, float *RESTRICT y)
{
  const int in_cell = s.log_down + s.log_across, t = TID_;
  idx group = (idx)blockIdx.x / s.tiles, tile = (idx)blockIdx.x - group * s.tiles;
  idx cell = group * (BDIM >> in_cell) + (t >> in_cell), row = tile / s.tiles_across;
  idx i = (row << s.log_down) + ((t >> s.log_across) & ((1 << s.log_down) - 1));
  idx j = ((tile - row * s.tiles_across) << s.log_across) + (t & ((1 << s.log_across) - 1));
  if (cell < s.cells && i < s.down && j < s.across) {
    idx from = 4 * (i * s.x_step + j), to = 4 * (j * s.y_step + i);
    for (int d = s.n - 1; d >= 0; d--) {
      idx rest = cell / s.size[d], digit = cell - rest * s.size[d];
      from += digit * s.x_cell[d];
      to += digit * s.y_cell[d];
      cell = rest;
    }
    float4 a = LD4(x + from), b = LD4(x + from + s.x_step);
    float4 c = LD4(x + from + 2 * s.x_step), d = LD4(x + from + 3 * s.x_step);
    put_square_row(y + to, a.x, b.x, c.x, d.x, accumulate);
    put_square_row(y + to + s.y_step, a.y, b.y, c.y, d.y, accumulate);
    put_square_row(y + to + 2 * s.y_step, a.z, b.z, c.z, d.z, accumulate);
    put_square_row(y + to + 3 * s.y_step, a.w, b.w, c.w, d.w, accumulate);
  }
}

/* The least n <= most with 2^n >= count. */
static inline int log_covering(idx count, int most)
{
  int n = 0;
  while (n < most && (idx)1 << n < count) n++;
  return n;
}

/* Axis e of y is axis axis[e] of x, whose sizes are `size`; two axes or more, y's last is not x's,
 * and both are multiples of 4. */
static inline squares squares_of(int rank, const idx *size, const int *axis)
{
  squares s = {};
  idx x_step[SQUARES_AXES + 2], y_step = 1;
  x_step[rank - 1] = 1;
  for (int d = rank - 2; d >= 0; d--) x_step[d] = x_step[d + 1] * size[d + 1];
  s.down = size[axis[rank - 1]] / 4, s.across = size[rank - 1] / 4;
  s.x_step = x_step[axis[rank - 1]];
  s.cells = 1;
  for (int e = rank - 1; e >= 0; e--) {
    int d = axis[e];
    if (d == rank - 1)
      s.y_step = y_step;
    else if (e < rank - 1) {
      s.size[s.n] = size[d], s.x_cell[s.n] = x_step[d], s.y_cell[s.n++] = y_step;
      s.cells *= size[d];
    }
    y_step *= size[d];
  }
  /* 8 squares across are a 128-byte line of x, 32 down four of y */
  s.log_across = log_covering(s.across, 3);
  s.log_down = log_covering(s.down, 5);
  s.tiles_across = ((s.across - 1) >> s.log_across) + 1;
  s.tiles = (((s.down - 1) >> s.log_down) + 1) * s.tiles_across;
  return s;
}

static inline idx squares_blocks(const squares *s)
{
  idx each = SQUARES_BLOCK >> (s->log_down + s->log_across);
  return s->tiles * ((s->cells - 1) / each + 1);
}
#endif
