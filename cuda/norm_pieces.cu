/* The first launches of layer_norm and rms_norm of rows that are split: a block leaves what
 * norm_pieces.h says of its piece of x, (rows, cols): its sum; then that of its squares, about what
 * the sums of all pieces make the row's mean. */
#include "launch_after.h"
#include "norm_pieces.h"

/*@ predicate piece_tensors{L}(integer about, float *x, float *sums, float *part, integer rows,
                               integer cols, integer chunk, integer pieces, integer vec) =
      0 < rows && row_split(cols,chunk,pieces) && reads(x,ix(rows,cols,0)) &&
      writes(part,ix(rows,pieces,0)) && apart(x,ix(rows,cols,0),part,ix(rows,pieces,0)) &&
      (about != 0 ==> reads(sums,ix(rows,pieces,0)) &&
        apart(sums,ix(rows,pieces,0),part,ix(rows,pieces,0))) &&
      (vec != 0 ==> cols % 4 == 0 && aligned16(x));
    predicate sums_of{L0,L}(integer about, float *sums, float *x, integer cols, integer chunk,
                            integer pieces) =
      about != 0 ==> norm_parts{L0,L}(sums,0,x,0.0,cols,chunk,pieces);
    predicate all_sums{L0,L}(integer about, float *sums, float *x, integer cols, integer chunk,
                             integer pieces, integer n) =
      \forall integer r; 0 <= r < n ==>
        sums_of{L0,L}(about,sums+ix(r,pieces,0),x+ix(r,cols,0),cols,chunk,pieces);
    lemma sums_of_frame{L1,L2}: \forall integer about, float *sums, *x, integer cols, chunk, pieces;
      Same{L1,L2}(x,cols) ==> (about != 0 ==> Same{L1,L2}(sums,pieces)) ==>
      sums_of{L1,L1}(about,sums,x,cols,chunk,pieces) ==>
      sums_of{L2,L2}(about,sums,x,cols,chunk,pieces); */

/* Piece p of row r. */
/*@ requires block && split_piece_of(r,p,rows,cols,chunk,pieces);
    requires piece_tensors(about,x,sums,part,rows,cols,chunk,pieces,vec) && (squares == 0 ==> about == 0);
    requires sums_of{Pre,Pre}(about,sums+ix(r,pieces,0),x+ix(r,cols,0),cols,chunk,pieces);
    assigns part[ix(r,pieces,p)];
    ensures part[ix(r,pieces,p)] == NormPiece{Pre}(squares,x+ix(r,cols,0),
      Center{Pre}(x+ix(r,cols,0),about,cols),p,cols,chunk); */
DEV void norm_piece_nth(int squares, int about, int vec, idx r, idx p, idx rows, idx cols,
                        idx chunk, idx pieces, const float *x, const float *sums, float *part)
{
  row_piece w = split_find(r, p, rows, cols, chunk, pieces GHOST_ARGS(vec));
  idx to = at2(rows, pieces, r, p);
  float m = 0.0f;
  if (about)
    m = norm_row_mean(r, rows, cols, pieces, sums GHOST_ARGS(chunk, x));
  //@ assert m: m == Center(x+ix(r,cols,0),about,cols);
  //@ assert perm_all: perm_r(x,ix(rows,cols,0));
  //@ assert perm_in: perm_r(x+w.at,w.n);
  //@ assert in: norm_in(x+w.at,w.n,squares,m,vec);
  float sum = norm_sum(squares, vec, w.n, m, x + w.at);
  //@ assert sum: sum == NormSum(squares,x+w.at,m,w.n);
  //@ assert shift: sum == NormPiece(squares,x+ix(r,cols,0),m,p,cols,chunk);
  //@ assert may: perm_w(part,ix(rows,pieces,0)) && 0 <= to < ix(rows,pieces,0);
  block_put(sum, part + to);
}

/*@ predicate parts_at{L0,L}(float *part, integer squares, integer about, float *x, integer cols,
                             integer chunk, integer pieces, integer r, integer k) =
      \forall integer p; 0 <= p < k ==> \at(part[ix(r,pieces,p)],L) ==
        NormPiece{L0}(squares,x+ix(r,cols,0),Center{L0}(x+ix(r,cols,0),about,cols),p,cols,chunk);
    predicate parts_rows{L0,L}(float *part, integer squares, integer about, float *x, integer cols,
                               integer chunk, integer pieces, integer n) =
      \forall integer r, p; 0 <= r < n ==> 0 <= p < pieces ==> \at(part[ix(r,pieces,p)],L) ==
        NormPiece{L0}(squares,x+ix(r,cols,0),Center{L0}(x+ix(r,cols,0),about,cols),p,cols,chunk);
    lemma parts_rows_are{L0,L}: \forall float *part, integer squares, about, float *x, integer cols,
      chunk, pieces, n; parts_rows{L0,L}(part,squares,about,x,cols,chunk,pieces,n) ==>
      norm_parts_rows{L0,L}(part,squares,about,x,cols,chunk,pieces,n); */

/* SQUARES: of the squares, about the mean where ABOUT. VEC: x is 16-byte aligned and cols a multiple
 * of 4. Blocks leave no cell in common: race_cell. */
/*@ requires block && ix(rows,pieces,0) <= BLOCKS && (SQUARES == 0 ==> ABOUT == 0);
    requires piece_tensors(ABOUT,x,sums,part,rows,cols,chunk,pieces,VEC);
    requires all_sums{Pre,Pre}(ABOUT,sums,x,cols,chunk,pieces,rows);
    assigns part[0 .. ix(rows,pieces,0)-1];
    ensures norm_parts_rows{Pre,Post}(part,SQUARES,ABOUT,x,cols,chunk,pieces,rows); */
TEMPLATE(int SQUARES, int ABOUT, int VEC)
KERNEL void norm_pieces(CONSTANTS(int SQUARES, int ABOUT, int VEC) idx rows, idx cols, idx chunk,
                        idx pieces, const float *RESTRICT x, const float *sums,
                        float *RESTRICT part)
{
  if (ABOUT)
    await_launches();
  /*@ loop invariant 0 <= r <= rows;
      loop invariant parts_rows{Pre,Here}(part,SQUARES,ABOUT,x,cols,chunk,pieces,r);
      loop assigns r, part[0 .. ix(rows,pieces,0)-1];
      loop variant rows - r; */
  BROWS(r, rows, pieces) {
    //@ assert inside: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
    //@ assert inside_q: 0 <= ix(r,pieces,0) && ix(r,pieces,0) + pieces <= ix(rows,pieces,0);
    /*@ loop invariant 0 <= p <= pieces;
        loop invariant parts_rows{Pre,Here}(part,SQUARES,ABOUT,x,cols,chunk,pieces,r);
        loop invariant parts_at{Pre,Here}(part,SQUARES,ABOUT,x,cols,chunk,pieces,r,p);
        loop assigns p, part[0 .. ix(rows,pieces,0)-1];
        loop variant pieces - p; */
    BCOLS(p, pieces) {
      //@ assert all: Same{Pre,Here}(x,ix(rows,cols,0));
      //@ assert all_sums: ABOUT != 0 ==> Same{Pre,Here}(sums,ix(rows,pieces,0));
      //@ assert row: Same{Pre,Here}(x+ix(r,cols,0),cols);
      //@ assert row_sums: ABOUT != 0 ==> Same{Pre,Here}(sums+ix(r,pieces,0),pieces);
      //@ assert sums: sums_of{Here,Here}(ABOUT,sums+ix(r,pieces,0),x+ix(r,cols,0),cols,chunk,pieces);
      /*@ assert mean: Center(x+ix(r,cols,0),ABOUT,cols) ==
            Center{Pre}(x+ix(r,cols,0),ABOUT,cols); */
      /*@ assert its: NormPiece(SQUARES,x+ix(r,cols,0),Center{Pre}(x+ix(r,cols,0),ABOUT,cols),p,
            cols,chunk) == NormPiece{Pre}(SQUARES,x+ix(r,cols,0),
            Center{Pre}(x+ix(r,cols,0),ABOUT,cols),p,cols,chunk); */
      norm_piece_nth(SQUARES, ABOUT, VEC, r, p, rows, cols, chunk, pieces, x, sums, part);
      /*@ assert new: rd(part,ix(r,pieces,p)) == NormPiece{Pre}(SQUARES,x+ix(r,cols,0),
            Center{Pre}(x+ix(r,cols,0),ABOUT,cols),p,cols,chunk); */
      //@ assert old: parts_at{Pre,Here}(part,SQUARES,ABOUT,x,cols,chunk,pieces,r,p);
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
template <int SQUARES, int ABOUT, int VEC>
static void launch_pieces(const pm_exec *ex, const norm_call *t, const float *sums, float *part)
{
  idx chunk = split_chunk(t->rows, t->cols), pieces = split_pieces(t->rows, t->cols);
  idx blocks = t->rows * pieces;
  if (ABOUT)
    LAUNCH_AFTER((norm_pieces<SQUARES, ABOUT, VEC>), blocks, SPLIT_BLOCK, ex->stream, t->rows,
                 t->cols, chunk, pieces, t->x, sums, part);
  else
    LAUNCH((norm_pieces<SQUARES, ABOUT, VEC>), blocks, SPLIT_BLOCK, ex->stream, t->rows, t->cols,
           chunk, pieces, t->x, sums, part);
}

template <int SQUARES, int ABOUT>
static void with_vec(const pm_exec *ex, int vec, const norm_call *t, const float *sums, float *part)
{
  if (vec)
    launch_pieces<SQUARES, ABOUT, 1>(ex, t, sums, part);
  else
    launch_pieces<SQUARES, ABOUT, 0>(ex, t, sums, part);
}

extern "C" void LAUNCHER(norm_pieces)(const pm_exec *ex, int squares, int vec, const norm_call *t,
                                      const float *sums, float *part)
{
  if (!squares)
    with_vec<0, 0>(ex, vec, t, sums, part);
  else if (sums)
    with_vec<1, 1>(ex, vec, t, sums, part);
  else
    with_vec<1, 0>(ex, vec, t, sums, part);
}
#endif
