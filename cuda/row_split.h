/* Rows cut in pieces: few and long rows, each of which many blocks share. One launch leaves what each
 * piece adds up to in the workspace, the next has all of a row's pieces in every block and writes.
 * Piece p of a row has elements p*chunk .. of it, as many as chunk but for the last. The second launch
 * does not start early (others_may_start): its blocks would take room from the first, 2 to 8 %. */
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
      PieceAt(p+1,cols,chunk) - PieceAt(p,cols,chunk);
    lemma piece_within: \forall integer cols, chunk, pieces, p; 0 <= p < pieces ==>
      row_split(cols,chunk,pieces) ==> 0 <= PieceAt(p,cols,chunk) < PieceAt(p+1,cols,chunk) <= cols &&
      PieceAt(p,cols,chunk) == ix(p,chunk,0) && PieceAt(p+1,cols,chunk) <= ix(p+1,chunk,0);
    lemma pieces_end: \forall integer cols, chunk, pieces; row_split(cols,chunk,pieces) ==>
      PieceAt(pieces,cols,chunk) == cols; */

/* Where a piece of a row begins, and how long it is. */
typedef struct row_piece {
  idx at, n;
} row_piece;

/*@ requires row_split(cols,chunk,pieces) && 0 <= p < pieces;
    assigns \nothing;
    ensures \result.at == PieceAt(p,cols,chunk) && \result.n == PieceLen(p,cols,chunk);
    ensures 0 <= \result.at < \result.at + \result.n <= cols;
    ensures \result.at % 4 == 0 && (cols % 4 == 0 ==> \result.n % 4 == 0); */
DEV row_piece piece_of(idx p, idx cols, idx chunk, idx pieces)
{
  row_piece w;
  w.at = at2(pieces, chunk, p, 0);
  //@ assert next: ix(p+1,chunk,0) == w.at + chunk && w.at < cols;
  //@ assert fours: chunk == 4*(chunk/4) && ix(p,4*(chunk/4),0) == 4*ix(p,chunk/4,0);
  w.n = cols - w.at < chunk ? cols - w.at : chunk;
  return w;
}

#ifndef __FRAMAC__
#include "table.h"

enum {
  SPLIT_BLOCK = 256,
  SPLIT_CHUNK = 2048,  /* elements of a piece, at least: two vectors a thread */
  SPLIT_LONG = 16384,  /* longer pieces gain nothing */
  SPLIT_BLOCKS = 512,  /* pieces that keep all multiprocessors busy */
  SPLIT_PIECES = 1024, /* of a row, at most */
  SPLIT_ROWS = 1024,   /* at most */
  SPLIT_COLS = 16384   /* above: what the registers of a block hold */
};
#define SPLIT_WHEN "cols > 16384 and rows <= 1024"

/* Of `rows` rows: each piece costs two sums over a block, so there are no more than are needed. */
static inline int64_t split_chunk(int64_t rows, int64_t cols)
{
  int64_t chunk = SPLIT_CHUNK;
  while (chunk < SPLIT_LONG && divide_up(cols, chunk) * rows > SPLIT_BLOCKS) chunk *= 2;
  return chunk * divide_up(cols, chunk * SPLIT_PIECES);
}

static inline int64_t split_pieces(int64_t rows, int64_t cols)
{
  return divide_up(cols, split_chunk(rows, cols));
}

/* Rows that can be split; their words of workspace, `each` a piece, are counted for these alone. */
static inline int splits(int64_t rows, int64_t cols)
{
  return rows <= SPLIT_ROWS && cols > SPLIT_COLS;
}

static inline size_t split_workspace(int64_t rows, int64_t cols, int each)
{
  return splits(rows, cols) ? (size_t)each * (size_t)rows * (size_t)split_pieces(rows, cols) * 4
                            : 0;
}
#endif
#endif
