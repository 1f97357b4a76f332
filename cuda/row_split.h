/* Rows cut in pieces: few and long rows, each of which many blocks share. One launch leaves what each
 * piece adds up to in the workspace, the next has all of a row's pieces in every block and writes.
 * Piece p of a row has elements p*chunk .. of it, as many as chunk but for the last. */
#ifndef PM_ROW_SPLIT_H
#define PM_ROW_SPLIT_H
#include "kernel.h"

/*@ predicate row_split(integer cols, integer chunk, integer pieces) =
      0 < cols <= IDX_LIM && 0 < chunk <= IDX_LIM && chunk % 4 == 0 && 0 < pieces <= 1024 &&
      ix(pieces-1,chunk,0) < cols <= ix(pieces,chunk,0) && ix(pieces,chunk,0) <= IDX_LIM;
    // elements before piece p, and those that it has
    logic integer PieceAt(integer p, integer cols, integer chunk) =
      ix(p,chunk,0) < cols ? ix(p,chunk,0) : cols;
    logic integer PieceLen(integer p, integer cols, integer chunk) =
      PieceAt(p+1,cols,chunk) - PieceAt(p,cols,chunk); */

#ifndef __FRAMAC__
#include "table.h"

enum {
  SPLIT_BLOCK = 256,
  SPLIT_CHUNK = 2048,  /* elements of a piece, at least: two vectors a thread */
  SPLIT_PIECES = 1024, /* of a row, at most */
  SPLIT_ROWS = 1024,   /* at most */
  SPLIT_COLS = 16384   /* above: what the registers of a block hold */
};
#define SPLIT_WHEN "cols > 16384 and rows <= 1024"

static inline int64_t split_chunk(int64_t cols)
{
  return SPLIT_CHUNK * divide_up(cols, (int64_t)SPLIT_CHUNK * SPLIT_PIECES);
}

static inline int64_t split_pieces(int64_t cols) { return divide_up(cols, split_chunk(cols)); }

/* Rows that can be split; their words of workspace, `each` a piece, are counted for these alone. */
static inline int splits(int64_t rows, int64_t cols)
{
  return rows <= SPLIT_ROWS && cols > SPLIT_COLS;
}

static inline size_t split_workspace(int64_t rows, int64_t cols, int each)
{
  return splits(rows, cols) ? (size_t)each * (size_t)rows * (size_t)split_pieces(cols) * 4 : 0;
}
#endif
#endif
