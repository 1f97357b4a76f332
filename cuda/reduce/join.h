/* The reduction operator: what the kernels of cols.h and their like join: elements of a line of
 * x, (outer, n, inner), to their sum or their maximum. A level leaves, (outer, chunks, inner),
 * the join of up to `chunk` elements of each line; at the last, which leaves one of a line, a sum
 * may become a mean. */
#ifndef PM_REDUCE_JOIN_H
#define PM_REDUCE_JOIN_H
#include "../collective/block_sum.h"
#include "../math/index_product.h"
#include "../math/lesser.h"
#include "../math/neg_inf.h"
#include "../math/divide.h"
#include "../../spec/reduce.h"
#include "../../spec/walk.h"

enum { AXIS_SUM, AXIS_MEAN, AXIS_MAX };

/*@ logic real Join(integer which, real a, real b) =
      which == AXIS_MAX ? (a < b ? b : a) : a + b;
    logic real Begin(integer which) = which == AXIS_MAX ? Lowest : 0.0;
    // the join of elements lo .. hi-1 of the line whose element j is x[at + j*pitch]
    logic real Part{L}(integer which, float *x, integer pitch, integer at, integer lo,
                       integer hi) =
      hi <= lo ? Begin(which)
               : Join(which, Part{L}(which,x,pitch,at,lo,hi-1), x[ix(hi-1,pitch,at)]);
    // all >= 0: a mean is made of the join of so many elements
    logic real Last(integer which, integer all, real s) =
      which == AXIS_MEAN && 0 <= all ? rdiv(s,all) : s;
    // element c of what is left of line k / chunks by its chunk k mod chunks
    logic real Left{L}(integer which, integer all, float *x, integer n, integer inner,
                       integer chunk, integer chunks, integer k, integer c) =
      Last(which, all, Part{L}(which, x, inner, ix(ix(quo(k,chunks),n,0),inner,c),
                               ix(rem(k,chunks),chunk,0),
                               lesser(ix(rem(k,chunks),chunk,0) + chunk, n)));
    // such lines are in the first `size` elements
    predicate within(integer pitch, integer at, integer lo, integer hi, integer size) =
      0 <= lo <= hi <= IDX_LIM && 0 < pitch <= IDX_LIM && 0 <= at <= IDX_LIM &&
      \forall integer j; lo <= j < hi ==> 0 <= ix(j,pitch,at) < size;
    lemma part_frame{L1,L2}: \forall integer which, float *x, integer pitch, at, lo, hi, size;
      within(pitch,at,lo,hi,size) ==> Same{L1,L2}(x,size) ==>
      Part{L1}(which,x,pitch,at,lo,hi) == Part{L2}(which,x,pitch,at,lo,hi);
    lemma along_line: \forall integer n, inner, o, j, c;
      ix(j,inner,ix(ix(o,n,0),inner,c)) == along(n,inner,o,j,c);
    lemma line_within: \forall integer outer, n, inner, o, c, lo, hi; 0 <= o < outer ==>
      0 <= c < inner <= IDX_LIM ==> 0 <= lo <= hi <= n <= IDX_LIM ==>
      ix(ix(outer,n,0),inner,0) <= IDX_LIM ==>
      within(inner,ix(ix(o,n,0),inner,c),lo,hi,ix(ix(outer,n,0),inner,0));
    // the tensors of a level
    predicate level(integer outer, integer n, integer inner, integer chunk, integer chunks) =
      0 <= outer <= IDX_LIM && 0 <= n <= IDX_LIM && 0 < inner <= IDX_LIM && 0 < chunks <= IDX_LIM &&
      0 <= chunk <= IDX_LIM && ix(outer,n,0) <= IDX_LIM &&
      ix(chunks-1,chunk,0) <= n <= ix(chunks,chunk,0) <= IDX_LIM &&
      ix(outer,chunks,0) <= IDX_LIM;
    lemma left_frame{L1,L2}: \forall integer which, all, float *x, integer outer, n, inner, chunk,
      chunks, k, c; level(outer,n,inner,chunk,chunks) ==>
      ix(ix(outer,n,0),inner,0) <= IDX_LIM ==> Same{L1,L2}(x,ix(ix(outer,n,0),inner,0)) ==>
      0 <= k < ix(outer,chunks,0) ==> 0 <= c < inner ==>
      Left{L1}(which,all,x,n,inner,chunk,chunks,k,c) ==
      Left{L2}(which,all,x,n,inner,chunk,chunks,k,c);
    // what is left of a line at last; as spec/ has it
    logic real Line{L}(integer which, integer all, float *x, integer n, integer inner, integer o,
                       integer i) =
      which == AXIS_MAX ? AxisMax(x,n,inner,o,i,n) : Last(which, all, AxisSum(x,n,inner,o,i,n));
    lemma part_sum{L}: \forall integer which, float *x, integer n, inner, o, i, k;
      which != AXIS_MAX ==>
      Part(which,x,inner,ix(ix(o,n,0),inner,i),0,k) == AxisSum(x,n,inner,o,i,k);
    lemma part_max{L}: \forall float *x, integer n, inner, o, i, k; 1 <= k ==>
      Lowest <= x[along(n,inner,o,0,i)] ==>
      Part((integer)AXIS_MAX,x,inner,ix(ix(o,n,0),inner,i),0,k) == AxisMax(x,n,inner,o,i,k);
    lemma left_line{L}: \forall integer which, all, float *x, integer outer, n, inner, chunk, o, i;
      level(outer,n,inner,chunk,1) ==> 0 <= o < outer ==> 0 <= i < inner ==>
      (which == AXIS_MAX ==> 1 <= n && Lowest <= x[along(n,inner,o,0,i)]) ==>
      Left(which,all,x,n,inner,chunk,1,o,i) == Line(which,all,x,n,inner,o,i);
    // where that is so: a maximum is one of something, and nothing is below what it begins with
    predicate known{L}(integer which, float *x, integer n, integer size) =
      which == AXIS_MAX ==> 1 <= n && \forall integer k; 0 <= k < size ==> Lowest <= x[k];
    lemma known_line{L}: \forall integer which, float *x, integer outer, n, inner, o, i;
      known(which,x,n,ix(ix(outer,n,0),inner,0)) ==> 0 <= o < outer ==> 0 <= i < inner ==>
      which == AXIS_MAX ==> 1 <= n && Lowest <= x[along(n,inner,o,0,i)];
    lemma ix_one: \forall integer m; ix(m,1,0) == m;
    lemma known_left{L}: \forall integer which, all, float *x, integer outer, n, inner, chunk, o, i;
      level(outer,n,inner,chunk,1) ==> known(which,x,n,ix(ix(outer,n,0),inner,0)) ==>
      0 <= o < outer ==> 0 <= i < inner ==>
      Left(which,all,x,n,inner,chunk,1,o,i) == Line(which,all,x,n,inner,o,i);
    predicate level_io{L}(integer outer, integer n, integer inner, integer chunks, float *x,
                          float *out) =
      reads(x,ix(ix(outer,n,0),inner,0)) && writes(out,ix(ix(outer,chunks,0),inner,0)) &&
      apart(x,ix(ix(outer,n,0),inner,0),out,ix(ix(outer,chunks,0),inner,0)); */

/*@ assigns \nothing; ensures \result == Join(which,a,b); */
DEV float axis_join(int which, float a, float b)
{
  return which == AXIS_MAX ? larger(a, b) : a + b;
}

/*@ assigns \nothing; ensures \result == Begin(which); */
DEV float axis_begin(int which) { return which == AXIS_MAX ? lowest() : 0.0f; }

/*@ assigns \nothing; ensures \result == Last(which,all,s); */
DEV float axis_last(int which, idx all, float s)
{
  return which == AXIS_MEAN && all >= 0 ? over(s, (double)all) : s;
}

/* Of the chunks of all lines, the k-th: its line, and where in that line it begins. */
/*@ requires 0 <= k && 0 < chunks; assigns \nothing; ensures \result == quo(k,chunks); */
DEV idx axis_line(idx k, idx chunks) { return chunks == 1 ? k : k / chunks; }

/*@ requires 0 <= k <= IDX_LIM && 0 < chunks <= IDX_LIM && o == quo(k,chunks) && 0 <= chunk;
    requires ix(chunks-1,chunk,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result == ix(rem(k,chunks),chunk,0) && 0 <= \result <= ix(chunks-1,chunk,0); */
DEV idx axis_chunk(idx k, idx o, idx chunks, idx chunk)
{
  //@ assert ix(o,chunks,rem(k,chunks)) == k && 0 <= rem(k,chunks) < chunks;
  //@ assert 0 <= o * chunks == ix(o,chunks,0) <= k;
  //@ assert k - o * chunks == rem(k,chunks);
  return ix_times(k - o * chunks, chunk);
}

/* Element j of the line that begins at `at`. */
/*@ requires 0 <= at && 0 <= j && 0 <= pitch && ix(j,pitch,at) <= IDX_LIM; assigns \nothing;
    ensures \result == ix(j,pitch,at); */
DEV idx axis_at(idx at, idx j, idx pitch)
{
  //@ assert 0 <= j * pitch && j * pitch + at == ix(j,pitch,at);
  return at + j * pitch;
}
#endif
