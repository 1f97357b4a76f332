/* Two-pass reduction: the sums of column_sums.h's chunks of rows add up to those of whole
 * columns: what a pass leaves, a later one sums to what a single pass would have left. */
#ifndef PM_BIAS_COLUMN_SUMS_SPEC_H
#define PM_BIAS_COLUMN_SUMS_SPEC_H
#include "column_sums.h"

/*@ // the row before which strip k - 1 ends
    logic integer chunk_end(integer k, integer chunk, integer rows) =
      ix(k,chunk,0) < rows ? ix(k,chunk,0) : rows;
    lemma rows_between{L}: \forall float *x, integer cols, c, lo, hi; 0 <= lo ==> 0 <= hi ==>
      RowsSum{L}(x,cols,c,lo,hi) ==
        (hi < lo ? 0.0 : ColSum{L}(x,cols,c,hi) - ColSum{L}(x,cols,c,lo));
    lemma strip_between{L}: \forall float *x, integer rows, cols, chunk, chunks, k, c;
      chunks_of(rows,chunk,chunks) ==> 0 <= k < chunks ==>
      StripSum{L}(x,rows,cols,chunk,chunks,k,c) ==
        ColSum{L}(x,cols,c,chunk_end(k+1,chunk,rows)) - ColSum{L}(x,cols,c,chunk_end(k,chunk,rows));
    predicate stripped{L0,L}(float *out, float *x, integer rows, integer cols, integer chunk,
                             integer c, integer n) =
      \forall integer q; 0 <= q < n ==> \at(out[ix(q,cols,c)],L) ==
        ColSum{L0}(x,cols,c,chunk_end(q+1,chunk,rows)) -
        ColSum{L0}(x,cols,c,chunk_end(q,chunk,rows));
    lemma strips_in{L0,L}: \forall float *out, *x, integer rows, cols, chunk, chunks, c;
      chunks_of(rows,chunk,chunks) ==> 0 <= c < cols ==>
      summed_rows{L0,L}(out,x,0,rows,cols,chunk,chunks,chunks) ==>
      stripped{L0,L}(out,x,rows,cols,chunk,c,chunks);
    lemma between_up{L0,L}: \forall float *out, *x, integer rows, cols, chunk, c, n;
      0 <= rows ==> 0 <= n ==>
      (\forall integer q; 0 <= q < n ==> \at(out[ix(q,cols,c)],L) ==
         ColSum{L0}(x,cols,c,chunk_end(q+1,chunk,rows)) -
         ColSum{L0}(x,cols,c,chunk_end(q,chunk,rows))) ==>
      ColSum{L}(out,cols,c,n) == ColSum{L0}(x,cols,c,chunk_end(n,chunk,rows));
    lemma between_all{L0,L}: \forall float *out, *x, integer rows, cols, chunk, c, n;
      0 <= rows ==> 0 <= n ==> stripped{L0,L}(out,x,rows,cols,chunk,c,n) ==>
      ColSum{L}(out,cols,c,n) == ColSum{L0}(x,cols,c,chunk_end(n,chunk,rows));
    lemma last_end: \forall integer rows, chunk, chunks; chunks_of(rows,chunk,chunks) ==>
      chunk_end(chunks,chunk,rows) == rows;
    lemma strips_up{L0,L}: \forall float *out, *x, integer rows, cols, chunk, chunks, c;
      chunks_of(rows,chunk,chunks) ==> stripped{L0,L}(out,x,rows,cols,chunk,c,chunks) ==>
      ColSum{L}(out,cols,c,chunks) == ColSum{L0}(x,cols,c,rows);
    // and so does a pass that leaves one row of what a pass before it left
    lemma pass_after{L0,L}: \forall float *out, *x, integer rows, cols, chunk, chunks, c, later;
      chunks_of(rows,chunk,chunks) ==> 0 <= c < cols ==> chunks_of(chunks,later,1) ==>
      summed_rows{L0,L}(out,x,0,rows,cols,chunk,chunks,chunks) ==>
      stripped{L0,L}(out,x,rows,cols,chunk,c,chunks) &&
      StripSum{L}(out,chunks,cols,later,1,0,c) == ColSum{L0}(x,cols,c,rows); */
#endif
