/* Chan's combination of partial moments, which split_chunks.cu leaves of each chunk of a split
 * row: a centre c, the mean of the piece or 0 where rows are not centered, and about it the sum e
 * of the elements and the sum q of their squares; and how a block makes of them the row's mean
 * and its squares about that. Over the reals, of n elements and any m,
 *   sum of x - m          e + n (c - m)
 *   sum of (x - m)^2      q + (c - m) (2 e + n (c - m))
 * so that what c has lost in rounding is in e, and nothing cancels. */
#ifndef PM_NORM_SPLIT_JOIN_H
#define PM_NORM_SPLIT_JOIN_H
#include "split_chunks.h"

/*@ // k as often as n says
    logic real Repeat(integer n, real k) = n <= 0 ? 0.0 : Repeat(n-1,k) + k;
    lemma times_next: \forall integer n, real k; rmul((real)(n+1),k) == rmul((real)n,k) + k;
    lemma repeat_times: \forall integer n, real k; 0 <= n ==> Repeat(n,k) == rmul((real)n,k);
    lemma repeat_about{L}: \forall integer n, float *x, real m, c; 0 <= n ==>
      DevSum(0,x,m,n) == DevSum(0,x,c,n) + Repeat(n,c - m);
    lemma dev_about{L}: \forall integer n, float *x, real m, c; 0 <= n ==>
      DevSum(0,x,m,n) == DevSum(0,x,c,n) + rmul((real)n, c - m);
    // what the squares change by
    lemma square_about: \forall real x, m, c;
      NormTerm(1,x - m) == NormTerm(1,x - c) + rmul(c - m, 2.0*(x - c) + (c - m));
    logic real SquaresBy{L}(float *x, real k, real c, integer n) =
      n <= 0 ? 0.0 : SquaresBy{L}(x,k,c,n-1) + rmul(k, 2.0*(x[n-1] - c) + k);
    lemma squares_by{L}: \forall integer n, float *x, real m, c; 0 <= n ==>
      DevSum(1,x,m,n) == DevSum(1,x,c,n) + SquaresBy(x,c - m,c,n);
    lemma times_sum: \forall real k, a, b; rmul(k, a + b) == rmul(k,a) + rmul(k,b);
    lemma squares_repeat{L}: \forall integer n, float *x, real k, c; 0 <= n ==>
      SquaresBy(x,k,c,n) == rmul(k, 2.0*DevSum(0,x,c,n) + Repeat(n,k));
    lemma squares_times{L}: \forall integer n, float *x, real k, c; 0 <= n ==>
      SquaresBy(x,k,c,n) == rmul(k, 2.0*DevSum(0,x,c,n) + rmul((real)n,k));
    logic real JoinTerm(integer squares, real n, real c, real e, real q, real m) =
      squares == 0 ? e + rmul(n, c - m) : q + rmul(c - m, 2.0*e + rmul(n, c - m));
    lemma squares_about{L}: \forall integer n, float *x, real m, c; 0 <= n ==> DevSum(1,x,m,n) ==
      JoinTerm(1,(real)n,c,DevSum(0,x,c,n),DevSum(1,x,c,n),m);
    // of two stretches, one within the other
    lemma join_less: \forall integer squares, real n, k, c, e, f, q, p, m;
      JoinTerm(squares,n - k,c,e - f,q - p,m) ==
        JoinTerm(squares,n,c,e,q,m) - JoinTerm(squares,k,c,f,p,m);
    lemma len_real: \forall integer p, cols, chunk; (real)PieceLen(p,cols,chunk) ==
      (real)PieceAt(p+1,cols,chunk) - (real)PieceAt(p,cols,chunk);
    logic real JoinUpTo{L}(integer squares, float *x, real c, real m, integer p, integer cols,
                           integer chunk) =
      JoinTerm(squares,(real)PieceAt(p,cols,chunk),c,DevUpTo(0,x,c,p,cols,chunk),
        DevUpTo(1,x,c,p,cols,chunk),m);
    logic real JoinPiece{L}(integer squares, float *x, real c, real m, integer p, integer cols,
                            integer chunk) =
      JoinTerm(squares,(real)PieceLen(p,cols,chunk),c,DevPiece(0,x,c,p,cols,chunk),
        DevPiece(1,x,c,p,cols,chunk),m);
    lemma up_to_about{L}: \forall integer squares, float *x, real c, m, integer p, cols, chunk;
      0 <= p ==> 0 < cols ==> 0 < chunk ==> (squares == 0 || squares == 1) ==>
      JoinUpTo(squares,x,c,m,p,cols,chunk) == DevUpTo(squares,x,m,p,cols,chunk);
    lemma piece_about{L}: \forall integer squares, float *x, real c, m, integer p, cols, chunk;
      JoinPiece(squares,x,c,m,p,cols,chunk) ==
        JoinUpTo(squares,x,c,m,p+1,cols,chunk) - JoinUpTo(squares,x,c,m,p,cols,chunk);
    lemma join_piece{L}: \forall integer squares, float *x, real c, m, integer p, cols, chunk,
      pieces;
      row_split(cols,chunk,pieces) ==> 0 <= p < pieces ==> (squares == 0 || squares == 1) ==>
      JoinPiece(squares,x,c,m,p,cols,chunk) == DevPiece(squares,x,m,p,cols,chunk);
    lemma join_none: \forall real n, c, e, q, m; c == m ==> JoinTerm(1,n,c,e,q,m) == q; */

/*@ // of a row x of cols elements: what piece p leaves, and what the first k of them have left;
    // what
    // those of all rows of a tensor have
    predicate moment_is{L0,L}(integer centered, float *cs, float *es, float *qs, float *x,
                              integer cols, integer chunk, integer p) =
      rd{L}(qs,p) == DevPiece{L0}(1,x,rd{L}(cs,p),p,cols,chunk) &&
      (centered != 0 ==> rd{L}(es,p) == DevPiece{L0}(0,x,rd{L}(cs,p),p,cols,chunk)) &&
      (centered == 0 ==> is_zero(rd{L}(cs,p)));
    predicate moments{L0,L}(integer centered, float *cs, float *es, float *qs, float *x,
                            integer cols, integer chunk, integer k) =
      \forall integer p; 0 <= p < k ==> moment_is{L0,L}(centered,cs,es,qs,x,cols,chunk,p);
    predicate all_moments{L0,L}(integer centered, float *cs, float *es, float *qs, float *x,
                                integer cols, integer chunk, integer pieces, integer n) =
      \forall integer r; 0 <= r < n ==> moments{L0,L}(centered,cs+ix(r,pieces,0),es+ix(r,pieces,0),
        qs+ix(r,pieces,0),x+ix(r,cols,0),cols,chunk,pieces);
    // the first k are as they were
    predicate left_same{L1,L2}(float *cs, float *es, float *qs, integer k) =
      Same{L1,L2}(cs,k) && Same{L1,L2}(es,k) && Same{L1,L2}(qs,k);
    lemma left_same_row{L1,L2}: \forall float *cs, *es, *qs, integer o, k; 0 <= o ==>
      left_same{L1,L2}(cs,es,qs,o+k) ==> left_same{L1,L2}(cs+o,es+o,qs+o,k);
    lemma left_same_of{L1,L2}: \forall float *cs, *es, *qs, integer r, n, pieces; 0 <= r < n ==>
      0 < pieces ==> left_same{L1,L2}(cs,es,qs,ix(n,pieces,0)) ==>
      left_same{L1,L2}(cs+ix(r,pieces,0),es+ix(r,pieces,0),qs+ix(r,pieces,0),pieces);
    lemma moment_same{L0,L1,L2}: \forall integer centered, float *cs, *es, *qs, *x, integer cols,
      chunk, p, k; 0 <= p < k ==> left_same{L1,L2}(cs,es,qs,k) ==>
      moment_is{L0,L1}(centered,cs,es,qs,x,cols,chunk,p) ==>
      moment_is{L0,L2}(centered,cs,es,qs,x,cols,chunk,p);
    lemma moment_frame{L1,L2,L}: \forall integer centered, float *cs, *es, *qs, *x, integer cols,
      chunk, p; Same{L1,L2}(x,cols) ==> moment_is{L1,L}(centered,cs,es,qs,x,cols,chunk,p) ==>
      moment_is{L2,L}(centered,cs,es,qs,x,cols,chunk,p);
    lemma moments_same{L0,L1,L2}: \forall integer centered, float *cs, *es, *qs, *x, integer cols,
      chunk, k; left_same{L1,L2}(cs,es,qs,k) ==>
      moments{L0,L1}(centered,cs,es,qs,x,cols,chunk,k) ==>
      moments{L0,L2}(centered,cs,es,qs,x,cols,chunk,k);
    lemma moments_frame{L1,L2,L}: \forall integer centered, float *cs, *es, *qs, *x, integer cols,
      chunk, k; Same{L1,L2}(x,cols) ==> moments{L1,L}(centered,cs,es,qs,x,cols,chunk,k) ==>
      moments{L2,L}(centered,cs,es,qs,x,cols,chunk,k);
    lemma moments_here{L1,L2}: \forall integer centered, float *cs, *es, *qs, *x, integer cols,
      chunk,
      k; Same{L1,L2}(x,cols) ==> left_same{L1,L2}(cs,es,qs,k) ==>
      moments{L1,L1}(centered,cs,es,qs,x,cols,chunk,k) ==>
      moments{L2,L2}(centered,cs,es,qs,x,cols,chunk,k);
    lemma moments_next{L0,L}: \forall integer centered, float *cs, *es, *qs, *x, integer cols,
      chunk,
      k, k1; behind(k,1,k1) ==> moments{L0,L}(centered,cs,es,qs,x,cols,chunk,k) ==>
      moment_is{L0,L}(centered,cs,es,qs,x,cols,chunk,k) ==>
      moments{L0,L}(centered,cs,es,qs,x,cols,chunk,k1); */

/*@ assigns \nothing; ensures \result == JoinTerm(squares,n,c,e,q,m); */
DEV float join_term(int squares, float n, float c, float e, float q, float m)
{
  float d = c - m, by = n * d;
  //@ assert by: by == rmul(n, c - m);
  if (!squares)
    return e + by;
  e = 2.0f * e + by;
  //@ assert e: e == 2.0*\at(e,Pre) + rmul(n, c - m);
  d = d * e;
  //@ assert d: d == rmul(c - m, 2.0*\at(e,Pre) + rmul(n, c - m));
  return q + d;
}

/*@ predicate join_in{L}(float *cs, float *es, float *qs, integer pieces) =
      0 < pieces <= 1024 && reads(cs,pieces) && reads(es,pieces) && reads(qs,pieces);
    // what is joined: squares about what the row is centered on, or a centered row's elements
    predicate join_of(integer squares, integer centered, real m) =
      squares == 0 && centered != 0 && is_zero(m) || squares == 1 && (centered == 0 ==> is_zero(m));
        */

/* What piece p adds. */
/*@ requires join_in(cs,es,qs,pieces) && row_split(cols,chunk,pieces) && 0 <= p < pieces;
    requires join_of(squares,centered,m);
    requires moment_is{Pre,Pre}(centered,cs,es,qs,x,cols,chunk,p);
    assigns \nothing;
    ensures \result == DevPiece(squares,x,m,p,cols,chunk); */
DEV float join_chunk_of(int squares, idx p, idx cols, idx chunk, idx pieces, float m,
                        const float *cs, const float *es,
                        const float *qs GHOST_PARAMS(int centered, const float *x))
{
  row_piece w = chunk_of(p, cols, chunk, pieces);
  float c = LDG(cs + p);
  //@ assert q: qs[p] == DevPiece(1,x,c,p,cols,chunk);
  //@ assert centered: centered != 0 ==> es[p] == DevPiece(0,x,c,p,cols,chunk);
  //@ assert zero: centered == 0 ==> c == m && squares == 1;
  return join_term(squares, (float)w.n, c, LDG(es + p), LDG(qs + p), m);
}

/*@ requires block && join_in(cs,es,qs,pieces) && row_split(cols,chunk,pieces);
    requires \valid(acc + (0 .. BDIM-1)) && SumR(acc, 0, BDIM) == 0.0;
    requires \separated(acc + (0 .. BDIM-1), cs + (0 .. pieces-1));
    requires \separated(acc + (0 .. BDIM-1), es + (0 .. pieces-1));
    requires \separated(acc + (0 .. BDIM-1), qs + (0 .. pieces-1));
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. cols-1));
    requires join_of(squares,centered,m);
    requires moments{Pre,Pre}(centered,cs,es,qs,x,cols,chunk,pieces);
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == DevUpTo{Pre}(squares,x,m,pieces,cols,chunk); */
DEV void join_all(PER_THREAD(float, acc), int squares, idx cols, idx chunk, idx pieces, float m,
                  const float *cs, const float *es,
                  const float *qs GHOST_PARAMS(int centered, const float *x))
{
  /*@ loop invariant 0 <= k0 <= pieces + BDIM;
      loop invariant SumR(acc, 0, BDIM) ==
        DevUpTo{Pre}(squares,x,m,lesser(k0,pieces),cols,chunk);
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant pieces - k0; */
  for (idx k0 = 0; k0 < pieces; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) ==
          DevUpTo{Pre}(squares,x,m,lesser(k0 + t,pieces),cols,chunk);
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < pieces) {
        //@ assert same: Same{Pre,Here}(x,cols);
        //@ assert back: Same{Here,Pre}(x,cols);
        //@ assert same_c: Same{Pre,Here}(cs,pieces);
        //@ assert same_e: Same{Pre,Here}(es,pieces);
        //@ assert same_q: Same{Pre,Here}(qs,pieces);
        //@ assert is: moment_is{Pre,Pre}(centered,cs,es,qs,x,cols,chunk,k0 + t);
        //@ assert still: moment_is{Pre,Here}(centered,cs,es,qs,x,cols,chunk,k0 + t);
        //@ assert here: moment_is{Here,Here}(centered,cs,es,qs,x,cols,chunk,k0 + t);
        float p = join_chunk_of(squares, k0 + t, cols, chunk, pieces, m, cs, es,
                                qs GHOST_ARGS(centered, x));
        //@ assert piece: p == DevPiece{Pre}(squares,x,m,k0 + t,cols,chunk);
        AT(acc, t) += p;
        //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
        //@ assert acc[t] == \at(acc[t],LoopCurrent) + p;
      }
  }
}

/* Of a row: the sum of its elements, m being 0, or that of their squares about m, for all
 * threads. */
/*@ requires block && join_in(cs,es,qs,pieces) && row_split(cols,chunk,pieces) && reads(x,cols);
    requires join_of(squares,centered,m);
    requires moments{Pre,Pre}(centered,cs,es,qs,x,cols,chunk,pieces);
    assigns \nothing;
    ensures \result == DevSum{Pre}(squares,x,m,cols); */
DEV float join_sum(int squares, idx cols, idx chunk, idx pieces, float m, const float *cs,
                   const float *es, const float *qs GHOST_PARAMS(int centered, const float *x))
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert zero: SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert same: Same{Pre,Here}(x,cols) && left_same{Pre,Here}(cs,es,qs,pieces);
  //@ assert here: moments{Here,Here}(centered,cs,es,qs,x,cols,chunk,pieces);
  //@ assert sums: DevSum{Pre}(squares,x,m,cols) == DevSum(squares,x,m,cols);
  join_all(acc, squares, cols, chunk, pieces, m, cs, es, qs GHOST_ARGS(centered, x));
  //@ assert end: PieceAt(pieces,cols,chunk) == cols;
  return block_sum(acc, s);
}

#ifndef __FRAMAC__
#include "regs.h"

/* Into work, rows split_chunks(rows, cols) floats of each: c, e and q of the pieces of t->x.
 * vec: x is 16-byte aligned and cols a multiple of 4. */
extern "C" void LAUNCHER(norm_split_chunks)(const pm_exec *ex, int vec, const norm_call *t,
                                            float *work);
#endif
#endif
