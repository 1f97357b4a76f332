/* Split rows (rows cut in chunks): few and long rows, each of which many blocks share. One launch
 * leaves what each chunk (a contract's `piece`) adds up to in the workspace, the next has all of a
 * row's in every block and writes. Piece p has elements p*chunk .. of its row, as many as chunk but
 * for the last. The second launch does not start early (others_may_start): its blocks would take room
 * from the first, 2 to 8 %. */
#ifndef PM_ROW_SPLIT_H
#define PM_ROW_SPLIT_H
#include "../lang/kernel.h"

/*@ predicate row_split(integer cols, integer chunk, integer pieces) =
      0 < cols <= IDX_LIM && 0 < chunk <= IDX_LIM && chunk % 4 == 0 && 0 < pieces <= 1024 &&
      ix(pieces-1,chunk,0) < cols <= ix(pieces,chunk,0) && ix(pieces,chunk,0) <= IDX_LIM;
    // elements before piece p, and those that it has
    logic integer PieceAt(integer p, integer cols, integer chunk) =
      ix(p,chunk,0) < cols ? ix(p,chunk,0) : cols;
    logic integer PieceLen(integer p, integer cols, integer chunk) =
      PieceAt(p+1,cols,chunk) - PieceAt(p,cols,chunk);
    lemma piece_within: \forall integer cols, chunk, pieces, p; 0 <= p < pieces ==>
      row_split(cols,chunk,pieces) ==> 0 <= PieceAt(p,cols,chunk) < PieceAt(p+1,cols,
        chunk) <= cols &&
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
DEV row_piece chunk_of(idx p, idx cols, idx chunk, idx pieces)
{
  row_piece w;
  w.at = at2(pieces, chunk, p, 0);
  //@ assert next: ix(p+1,chunk,0) == w.at + chunk && w.at < cols;
  //@ assert fours: chunk == 4*(chunk/4) && ix(p,4*(chunk/4),0) == 4*ix(p,chunk/4,0);
  w.n = cols - w.at < chunk ? cols - w.at : chunk;
  return w;
}

/*@ predicate split_is(row_piece w, integer r, integer p, integer cols, integer chunk) =
      w.at == ix(r,cols,0) + PieceAt(p,cols,chunk) && 0 < w.n &&
      PieceAt(p,cols,chunk) + w.n == PieceAt(p+1,cols,chunk);
    predicate split_fours(row_piece w, integer vec) = vec != 0 ==> w.at % 4 == 0 && w.n % 4 == 0;
    predicate split_piece_of(integer r, integer p, integer rows, integer cols, integer chunk,
                             integer pieces) =
      0 <= r < rows && 0 <= p < pieces && row_split(cols,chunk,pieces) &&
      ix(rows,cols,0) <= IDX_LIM && ix(rows,pieces,0) <= IDX_LIM; */

/* Piece p of row r, where it begins in the tensor. */
/*@ requires split_piece_of(r,p,rows,cols,chunk,pieces) && (vec != 0 ==> cols % 4 == 0);
    assigns \nothing;
    ensures split_is(\result,r,p,cols,chunk) && split_fours(\result,vec);
    ensures 0 <= \result.at && \result.at + \result.n <= ix(rows,cols,0); */
DEV row_piece split_find(idx r, idx p, idx rows, idx cols, idx chunk,
                         idx pieces GHOST_PARAMS(int vec))
{
  row_piece w = chunk_of(p, cols, chunk, pieces);
  w.at = at2(rows, cols, r, w.at);
  //@ assert row: ix(r+1,cols,0) == ix(r,cols,0) + cols && ix(r+1,cols,0) <= ix(rows,cols,0);
  //@ assert quads: vec != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  return w;
}

/*@ // of a tensor: blocks have no element in common
    predicate piece_W(integer r, integer p, integer cols, integer chunk, integer k) =
      PieceAt(p,cols,chunk) <= k - ix(r,cols,0) < PieceAt(p+1,cols,chunk);
    lemma race_piece: \forall integer r, p, s, q, cols, chunk, k; 0 <= p ==> 0 <= q ==> 0 < cols ==>
      0 < chunk ==> (r != s || p != q) ==> piece_W(r,p,cols,chunk,k) ==>
      !piece_W(s,q,cols,chunk,k); */

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
#include "../host/table.h"

enum {
  SPLIT_BLOCK = 256,
  SPLIT_CHUNK = 2048,      /* elements of a piece, at least: two vectors a thread */
  SPLIT_LONG = 16384,      /* longer pieces gain nothing */
  SPLIT_BLOCKS = 512,      /* pieces that keep all multiprocessors busy */
  SPLIT_PIECES = 1024,     /* of a row, at most */
  SPLIT_COLS = 16384,      /* above: what the registers of a block hold */
  SPLIT_GRID = 0x7fffffff, /* pieces, at most: a block each */
  SOFT_EACH = 2            /* words that lse/split_chunks.cu leaves of a chunk */
};
#define SPLIT_WHEN "cols > 16384 and fewer than 2^31 pieces, which rows <= 2^20 have"

/* Of `rows` rows: each piece costs two sums over a block, so there are no more than are needed. */
/*@ requires 0 <= rows && 0 <= cols;
    assigns \nothing;
    ensures 0 < cols ==> 0 < \result; */
static inline int64_t split_chunk(int64_t rows, int64_t cols)
{
  int64_t chunk = SPLIT_CHUNK;
  /*@ loop invariant chunk == 2048 || chunk == 4096 || chunk == 8192 || chunk == 16384;
      loop assigns chunk;
      loop variant SPLIT_LONG - chunk; */
  while (chunk < SPLIT_LONG && rows > 0 && divide_up(cols, chunk) > SPLIT_BLOCKS / rows) chunk *= 2;
  return chunk * divide_up(cols, chunk * SPLIT_PIECES);
}

/*@ requires 0 <= rows && 0 < cols; assigns \nothing; ensures 0 < \result; */
static inline int64_t split_chunks(int64_t rows, int64_t cols)
{
  return divide_up(cols, split_chunk(rows, cols));
}

/* Rows that can be split, of so many elements. */
/*@ requires 0 <= rows && 0 < cols; assigns \nothing; ensures 0 <= \result <= SPLIT_GRID; */
static inline int64_t split_most(int64_t rows, int64_t cols)
{
  return SPLIT_GRID / split_chunks(rows, cols);
}

/* Rows that can be split; their words of workspace, `each` a piece, are counted for these alone. */
/*@ requires 0 <= rows && 0 <= cols;
    assigns \nothing;
    ensures \result != 0 ==> SPLIT_COLS < cols; */
static inline int splits(int64_t rows, int64_t cols)
{
  return cols > SPLIT_COLS && rows <= split_most(rows, cols);
}

/*@ requires 0 <= rows && 0 <= cols && 0 < each <= 2; assigns \nothing; */
static inline size_t split_workspace(int64_t rows, int64_t cols, int each)
{
  int64_t chunks;
  if (cols <= SPLIT_COLS)
    return 0;
  chunks = split_chunks(rows, cols);
  if (rows > SPLIT_GRID / chunks)
    return 0;
  //@ assert few: 0 <= rows * chunks <= SPLIT_GRID;
  //@ assert words: rows * chunks * 4 * each <= SPLIT_GRID * 8;
  return (size_t)(rows * chunks * 4 * each);
}
#endif
#endif
