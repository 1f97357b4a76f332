/* Split rows, first launch: partial moments of layer_norm and rms_norm: a block leaves what
 * split_join.h says of its chunk of x, (rows, cols). Where rows are centered it goes over it
 * twice, the second time in its caches. */
#include "split_join.h"

/*@ predicate piece_tensors{L}(float *x, float *cs, float *es, float *qs, integer rows,
  integer cols,
                               integer chunk, integer pieces, integer vec) =
      0 < rows && row_split(cols,chunk,pieces) && reads(x,ix(rows,cols,0)) &&
      writes(cs,ix(rows,pieces,0)) && writes(es,ix(rows,pieces,0)) &&
      writes(qs,ix(rows,pieces,0)) && apart(x,ix(rows,cols,0),cs,ix(rows,pieces,0)) &&
      apart(x,ix(rows,cols,0),es,ix(rows,pieces,0)) &&
      apart(x,ix(rows,cols,0),qs,ix(rows,pieces,0)) &&
      apart(cs,ix(rows,pieces,0),es,ix(rows,pieces,0)) &&
      apart(cs,ix(rows,pieces,0),qs,ix(rows,pieces,0)) &&
      apart(es,ix(rows,pieces,0),qs,ix(rows,pieces,0)) &&
      (vec != 0 ==> cols % 4 == 0 && aligned16(x)); */

/* Piece p of row r. */
/*@ requires block && split_piece_of(r,p,rows,cols,chunk,pieces);
    requires piece_tensors(x,cs,es,qs,rows,cols,chunk,pieces,vec);
    assigns cs[ix(r,pieces,p)], es[ix(r,pieces,p)], qs[ix(r,pieces,p)];
    ensures moment_is{Pre,Post}(centered,cs+ix(r,pieces,0),es+ix(r,pieces,0),qs+ix(r,pieces,0),
      x+ix(r,cols,0),cols,chunk,p);
    ensures Same{Pre,Post}(x,ix(rows,cols,0)) && left_same{Pre,Post}(cs,es,qs,ix(r,pieces,p)); */
DEV void chunk_nth(int centered, int vec, idx r, idx p, idx rows, idx cols, idx chunk, idx pieces,
                   const float *RESTRICT x, float *cs, float *es, float *qs)
{
  row_piece w = split_find(r, p, rows, cols, chunk, pieces GHOST_ARGS(vec));
  idx to = at2(rows, pieces, r, p);
  float c = 0.0f;
  dev_pair by = {0.0f, 0.0f};
  //@ assert perm_all: perm_r(x,ix(rows,cols,0)) && perm_r(x+w.at,w.n);
  //@ assert in: dev_in(x+w.at,w.n,vec);
  if (centered) {
    c = row_mean(dev_sum_of(0, vec, w.n, 0.0f, x + w.at), w.n);
    by = both_of(vec, w.n, c, x + w.at);
  } else {
    by.q = dev_sum_of(1, vec, w.n, 0.0f, x + w.at);
  }
  float e = by.e, q = by.q;
  //@ assert of_e: centered != 0 ==> e == DevSum(0,x+w.at,c,w.n);
  //@ assert of_q: q == DevSum(1,x+w.at,c,w.n);
  //@ assert sum: centered != 0 ==> e == DevPiece(0,x+ix(r,cols,0),c,p,cols,chunk);
  //@ assert squares: q == DevPiece(1,x+ix(r,cols,0),c,p,cols,chunk);
  //@ assert cell: ix(r,pieces,p) == ix(r,pieces,0) + p && 0 <= to < ix(rows,pieces,0);
  //@ assert may_c: perm_w(cs,ix(rows,pieces,0)) && W(cs+to);
  //@ assert may_e: perm_w(es,ix(rows,pieces,0)) && W(es+to);
  //@ assert may_q: perm_w(qs,ix(rows,pieces,0)) && W(qs+to);
  /*@ assert away: \forall integer k; 0 <= k < ix(rows,cols,0) ==> \separated(x + k, cs + to) &&
        \separated(x + k, es + to) && \separated(x + k, qs + to); */
  /*@ assert away_c: \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(cs + k, es + to) && \separated(cs + k, qs + to); */
  /*@ assert away_e: \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(es + k, cs + to) && \separated(es + k, qs + to); */
  /*@ assert away_q: \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(qs + k, cs + to) && \separated(qs + k, es + to); */
  block_put(c, cs + to);
  block_put(e, es + to);
  block_put(q, qs + to);
  //@ assert c: rd(cs+ix(r,pieces,0),p) == c;
  //@ assert e: rd(es+ix(r,pieces,0),p) == e;
  //@ assert q: rd(qs+ix(r,pieces,0),p) == q;
  //@ assert same: Same{Pre,Here}(x,ix(rows,cols,0));
  //@ assert same_c: Same{Pre,Here}(cs,to);
  //@ assert same_e: Same{Pre,Here}(es,to);
  //@ assert same_q: Same{Pre,Here}(qs,to);
}

/*@ lemma all_moments_same{L0,L1,L2}: \forall integer centered, float *cs, *es, *qs, *x,
      integer cols, chunk, pieces, n; 0 <= n ==> 0 < pieces ==>
      left_same{L1,L2}(cs,es,qs,ix(n,pieces,0)) ==>
      all_moments{L0,L1}(centered,cs,es,qs,x,cols,chunk,pieces,n) ==>
      all_moments{L0,L2}(centered,cs,es,qs,x,cols,chunk,pieces,n);
    lemma left_same_less{L1,L2}: \forall float *cs, *es, *qs, integer k, n; k <= n ==>
      left_same{L1,L2}(cs,es,qs,n) ==> left_same{L1,L2}(cs,es,qs,k); */

/* VEC: x is 16-byte aligned and cols a multiple of 4. Blocks leave no cell in common: race_cell. */
/*@ requires block && ix(rows,pieces,0) <= BLOCKS;
    requires piece_tensors(x,cs,es,qs,rows,cols,chunk,pieces,VEC);
    assigns cs[0 .. ix(rows,pieces,0)-1], es[0 .. ix(rows,pieces,0)-1],
            qs[0 .. ix(rows,pieces,0)-1];
    ensures all_moments{Pre,Post}(CENTERED,cs,es,qs,x,cols,chunk,pieces,rows); */
TEMPLATE(int CENTERED, int VEC)
KERNEL void norm_split_chunks(CONSTANTS(int CENTERED, int VEC) idx rows, idx cols, idx chunk,
                              idx pieces, const float *RESTRICT x, float *cs, float *es, float *qs)
{
  /*@ loop invariant 0 <= r <= rows && Same{Pre,Here}(x,ix(rows,cols,0));
      loop invariant all_moments{Pre,Here}(CENTERED,cs,es,qs,x,cols,chunk,pieces,r);
      loop assigns r, cs[0 .. ix(rows,pieces,0)-1], es[0 .. ix(rows,pieces,0)-1],
                   qs[0 .. ix(rows,pieces,0)-1];
      loop variant rows - r; */
  BROWS(r, rows, pieces) {
    /*@ loop invariant 0 <= p <= pieces && Same{Pre,Here}(x,ix(rows,cols,0));
        loop invariant all_moments{Pre,Here}(CENTERED,cs,es,qs,x,cols,chunk,pieces,r);
        loop invariant moments{Pre,Here}(CENTERED,cs+ix(r,pieces,0),es+ix(r,pieces,0),
          qs+ix(r,pieces,0),x+ix(r,cols,0),cols,chunk,p);
        loop assigns p, cs[0 .. ix(rows,pieces,0)-1], es[0 .. ix(rows,pieces,0)-1],
                     qs[0 .. ix(rows,pieces,0)-1];
        loop variant pieces - p; */
    BCOLS(p, pieces) {
      //@ assert inside: 0 <= ix(r,pieces,0) <= ix(r,pieces,p) < ix(rows,pieces,0);
      //@ assert cell: ix(r,pieces,p) == ix(r,pieces,0) + p;
      //@ assert row: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
      //@ assert back: Same{Here,Pre}(x+ix(r,cols,0),cols);
      chunk_nth(CENTERED, VEC, r, p, rows, cols, chunk, pieces, x, cs, es, qs);
      /*@ assert here: moment_is{LoopCurrent,Here}(CENTERED,cs+ix(r,pieces,0),es+ix(r,pieces,0),
            qs+ix(r,pieces,0),x+ix(r,cols,0),cols,chunk,p); */
      /*@ assert new: moment_is{Pre,Here}(CENTERED,cs+ix(r,pieces,0),es+ix(r,pieces,0),
            qs+ix(r,pieces,0),x+ix(r,cols,0),cols,chunk,p); */
      //@ assert kept: left_same{LoopCurrent,Here}(cs,es,qs,ix(r,pieces,p));
      //@ assert kept_rows: left_same{LoopCurrent,Here}(cs,es,qs,ix(r,pieces,0));
      //@ assert kept_to: left_same{LoopCurrent,Here}(cs,es,qs,ix(r,pieces,0)+p);
      /*@ assert kept_row: left_same{LoopCurrent,Here}(cs+ix(r,pieces,0),es+ix(r,pieces,0),
            qs+ix(r,pieces,0),p); */
      //@ assert old: all_moments{Pre,Here}(CENTERED,cs,es,qs,x,cols,chunk,pieces,r);
      /*@ assert old_row: moments{Pre,Here}(CENTERED,cs+ix(r,pieces,0),es+ix(r,pieces,0),
            qs+ix(r,pieces,0),x+ix(r,cols,0),cols,chunk,p); */
      //@ assert next: behind(p,1,p+1);
      /*@ assert new_row: moments{Pre,Here}(CENTERED,cs+ix(r,pieces,0),es+ix(r,pieces,0),
            qs+ix(r,pieces,0),x+ix(r,cols,0),cols,chunk,p+1); */
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
template <int CENTERED, int VEC>
static void launch_split_chunks(const pm_exec *ex, const norm_call *t, float *work)
{
  idx chunk = split_chunk(t->rows, t->cols), pieces = split_chunks(t->rows, t->cols);
  idx n = t->rows * pieces;
  LAUNCH((norm_split_chunks<CENTERED, VEC>), n, SPLIT_BLOCK, ex->stream, t->rows, t->cols, chunk,
         pieces, t->x, work, work + n, work + 2 * n);
}

extern "C" void LAUNCHER(norm_split_chunks)(const pm_exec *ex, int vec, const norm_call *t,
                                            float *work)
{
  if (t->mean && vec)
    launch_split_chunks<1, 1>(ex, t, work);
  else if (t->mean)
    launch_split_chunks<1, 0>(ex, t, work);
  else if (vec)
    launch_split_chunks<0, 1>(ex, t, work);
  else
    launch_split_chunks<0, 0>(ex, t, work);
}
#endif
