/* Cluster slices: rows of a (rows, cols) matrix cut up among the blocks of a cluster, each of
 * which has the same columns of every row: its slice. Slices arrive in stages (lang/bulk_ring.h),
 * each with what of the tensor lies in the 16 bytes where it begins and ends. Thread t has
 * columns t, t + BDIM, .. of the block's, up to SLICE_EACH of them, in registers. */
#ifndef PM_NORM_CLUSTER_SLICE_H
#define PM_NORM_CLUSTER_SLICE_H
#include "../collective/cluster_sum.h"
#include "../math/elementary.h"
#include "cluster_plan.h"
#include "row_vec4.h"
#include "../row/regs.h"
#include "../lang/bulk_ring.h"

enum {
  SLICE_EACH = 13,   /* columns of a thread, at most */
  SLICE_WIDTH = 6656 /* of a block */
};

/* PRIVATES(T, v)       SLICE_EACH registers of each thread, as PRIVATEK's; PER_THREAD_OF(T, v) as a
 *                      parameter */
#ifdef __FRAMAC__
#define PRIVATES(T, v) T v[SLICE_EACH * MAXB]
#define PER_THREAD_OF(T, v) T *v
#else
#define PRIVATES(T, v) T v[SLICE_EACH]
#define PER_THREAD_OF(T, v) T(&v)[SLICE_EACH]
#endif

/* A block's columns: n from number `first` on, `each` for each of its `threads`; `room` for them in
 * a stage. */
typedef struct norm_slice {
  int first, n, room, each, threads;
} norm_slice;

/*@ // a slice of some of these columns
    predicate slice_ok{L}(norm_slice s, integer cols) =
      block && s.threads == bdim_ && 0 < s.each <= SLICE_EACH &&
      0 <= s.first <= ROW_CLUSTER*SLICE_WIDTH &&
      0 <= s.n <= s.room - 6 <= SLICE_WIDTH + 2 && s.room % 4 == 0 &&
      (0 < s.n ==> s.first + s.n <= cols);
    // where the columns of block `rank` end, and so those of the next begin
    logic integer slice_end(integer rank, integer width, integer cols) = lesser(mul(rank,width),
      cols);
    predicate slice_regs{L}(float *v) = \valid(v + (0 .. SLICE_EACH*MAXB-1));
    predicate slice_cells{L}(float *v) = \valid(v + (0 .. STAGE_CELLS-1));
    predicate slice_lanes{L}(float *a) = \valid(a + (0 .. bdim_-1));
    // cells of a part have these elements of x, which come with the slice that begins at element
    // `at`
    logic integer slice_off(integer part, integer at) = part*STAGE_ROOM + at % 4 - at;
    predicate slice_held{L}(float *cells, integer off, float *x, integer from, integer to) =
      \forall integer e; from <= e < to ==> cells[off+e] == x[e];
    predicate slice_copied{L}(float *cells, integer off, float *x, integer lo, integer n) =
      \forall integer i; 0 <= i < n ==> cells[off+lo+i] == x[lo+i];
    lemma slice_arrived{L}: \forall integer n, float *cells, integer off, float *x, integer lo;
      0 <= n ==> slice_copied(cells,off,x,lo,n) ==> slice_held(cells,off,x,lo,lo+n);
    // registers have the first `known` of a slice of n, and a number for what is outside
    predicate slice_vals{L0,L}(float *v, float *x, integer at, integer known, integer n,
                               real outside, integer end) =
      \forall integer q; 0 <= q < end ==> (q < known ==> \at(v[q],L) == rd{L0}(x,at+q)) &&
        (n <= q ==> \at(v[q],L) == outside);
    // registers have a slice of n of a vector that takes part, or the number in its place
    predicate slice_either{L0,L}(float *v, float *p, integer there, real outside, integer first,
                                 integer n, integer end) =
      \forall integer q; 0 <= q < end ==> q < n ==>
        \at(v[q],L) == Either{L0}(p,there,outside,first+q);
    // what of a row's slice of n, beginning at number `at` of a tensor, thread t of b writes
    predicate slice_W(integer at, integer n, integer t, integer b, integer k) =
      at <= k < at + n && (k - at) % b == t;
    predicate slice_lane(integer j0, integer b, integer t) = (j0 + t) % b == t;
    lemma slice_of_lane: \forall integer j, b, t; 0 <= t < b ==> 0 <= j ==>
      slice_lane(mul(j,b),b,t);
    lemma race_slice: \forall integer r, s, cols, i, j, width, n, m, t, u, b, k; 0 < b ==>
      0 < width ==> 0 <= i ==> 0 <= j ==> n <= width ==> m <= width ==>
      mul(i,width) + n <= cols ==> mul(j,width) + m <= cols ==> (r != s || i != j || t != u) ==>
      slice_W(ix(r,cols,mul(i,width)),n,t,b,k) ==> !slice_W(ix(s,cols,mul(j,width)),m,u,b,k); */

/* The slice of block `rank`. */
/*@ requires block && threads == bdim_ && 0 < each <= SLICE_EACH && 0 <= rank < ROW_CLUSTER;
    requires 0 < width <= SLICE_WIDTH && 0 < cols <= ROW_CLUSTER*SLICE_WIDTH;
    assigns \nothing;
    ensures slice_ok(\result,cols) && \result.room == (width+9)/4*4;
    ensures \result.first == mul(rank,width) && \result.each == each && \result.n <= width;
    ensures 0 < \result.n ==> \result.first == slice_end(rank,width,cols);
    ensures 0 < \result.n ==> \result.first + \result.n == slice_end(rank+1,width,cols);
    ensures \result.n == slice_end(rank+1,width,cols) - slice_end(rank,width,cols); */
DEV norm_slice slice_of(int rank, int width, int cols, int each, int threads)
{
  norm_slice s;
  //@ assert 0 <= rank * width <= ROW_CLUSTER*SLICE_WIDTH && rank * width == mul(rank,width);
  //@ assert mul(rank+1,width) == mul(rank,width) + width;
  s.first = rank * width;
  s.n = cols - s.first < width ? cols - s.first : width;
  s.n = s.n > 0 ? s.n : 0;
  s.room = (width + 9) / 4 * 4;
  s.each = each;
  s.threads = threads;
  return s;
}

/* Whether a slice of n columns has number j0 + t. */
/*@ requires 0 <= j0 <= SLICE_EACH*MAXB && 0 <= t < MAXB && 0 <= n <= SLICE_WIDTH + 2;
    assigns \nothing;
    ensures \result != 0 <==> j0 + t < n; */
DEV int slice_has(int j0, int t, int n) { return j0 < n - t; }

/* Where the slice begins in row r of a matrix that is read, */
/*@ requires slice_ok(s,cols) && 0 <= r < rows <= SLICE_ROWS && 0 < cols <= ROW_CLUSTER*SLICE_WIDTH;
    requires reads(x,ix(rows,cols,0));
    assigns \nothing;
    ensures \result == ix(r,cols,s.first) && 0 <= \result <= ix(rows,cols,0) + s.first;
    ensures 0 < s.n ==> \result + s.n <= ix(rows,cols,0);
    ensures \valid_read(x + (\result .. \result+s.n-1));
    ensures perm_r(x+\result,s.n); */
DEV idx slice_in(idx r, idx rows, int cols, norm_slice s GHOST_PARAMS(const float *x))
{
  idx o = at2(rows, cols, r, 0);
  //@ assert 0 <= o && o + cols <= ix(rows,cols,0);
  //@ assert 0 < s.n ==> o + s.first + s.n <= ix(rows,cols,0);
  //@ assert all: perm_r(x,ix(rows,cols,0));
  //@ assert none: s.n <= 0 ==> perm_r(x+(o+s.first),s.n);
  //@ assert row: perm_r(x+(o+s.first),s.n);
  return o + s.first;
}

/* or written. */
/*@ requires slice_ok(s,cols) && 0 <= r < rows <= SLICE_ROWS && 0 < cols <= ROW_CLUSTER*SLICE_WIDTH;
    requires writes(y,ix(rows,cols,0));
    assigns \nothing;
    ensures \result == ix(r,cols,s.first) && 0 <= \result <= ix(rows,cols,0) + s.first;
    ensures 0 < s.n ==> \result + s.n <= ix(rows,cols,0);
    ensures \valid(y + (\result .. \result+s.n-1));
    ensures perm_r(y+\result,s.n);
    ensures perm_w(y+\result,s.n); */
DEV idx slice_out(idx r, idx rows, int cols, norm_slice s GHOST_PARAMS(float *y))
{
  idx o = at2(rows, cols, r, 0);
  //@ assert 0 <= o && o + cols <= ix(rows,cols,0);
  //@ assert 0 < s.n ==> o + s.first + s.n <= ix(rows,cols,0);
  //@ assert all: perm_r(y,ix(rows,cols,0)) && perm_w(y,ix(rows,cols,0));
  //@ assert none: s.n <= 0 ==> perm_r(y+(o+s.first),s.n) && perm_w(y+(o+s.first),s.n);
  //@ assert row: perm_r(y+(o+s.first),s.n) && perm_w(y+(o+s.first),s.n);
  return o + s.first;
}

/* Cells before the slice that begins at an element of a tensor. */
/*@ requires 0 <= at; assigns \nothing; ensures \result == at % 4 && 0 <= \result <= 3; */
DEV int slice_lead(idx at) { return (int)(at % 4); }

/* Elements of so many that are in whole vectors. */
/*@ requires 0 <= n;
    assigns \nothing;
    ensures \result % 4 == 0 && 0 <= \result <= n < \result + 4; */
DEV idx slice_whole(idx n) { return n / 4 * 4; }

/*@ // what of a tensor of `all` elements is fetched with a slice: whole vectors lo .. end-1, and
    // what
    // is left of the tensor up to `over`
    predicate slice_span(idx at, idx all, integer n, idx lo, idx end, idx over) =
      0 <= lo <= at && at - lo <= 3 && lo % 4 == 0 && lo <= end <= all && end <= over &&
      (end - lo) % 4 == 0 && over <= at + n + 3; */

/* The slice that begins at element `at` of `all` of x begins to arrive in a part. For one
 * thread. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells) && aligned16(x);
    requires reads(x,all) && 0 <= at && (0 < s.n ==> at + s.n <= all) && stage_open(part,0);
    requires at <= all + ROW_CLUSTER*SLICE_WIDTH;
    requires \separated(cells + (0 .. STAGE_CELLS-1), x + (0 .. all-1));
    assigns cells[part*STAGE_ROOM .. part*STAGE_ROOM + STAGE_ROOM - 1], stage_way_, stage_part_,
            stage_cell_;
    ensures slice_held(cells,slice_off(part,at),x,at,at+s.n);
    ensures stage_way_ == WAY_NONE || (stage_way_ == WAY_OPEN && stage_part_ <= part); */
DEV void slice_fetch(BULK_RING_PARAM(cells), arrival *on, int part, norm_slice s, idx at, idx all,
                     const float *RESTRICT x GHOST_PARAMS(int cols))
{
  (void)on;
  const idx lo = slice_whole(at), over = slice_whole(at + s.n + 3);
  const idx end = over <= all ? over : slice_whole(all);
  if (s.n > 0) {
    //@ assert 0 <= lo <= at <= lo + 3 && lo % 4 == 0 && end % 4 == 0;
    //@ assert lo <= end <= all && end <= over <= at + s.n + 3;
    //@ assert end == 4*(end/4) && lo == 4*(lo/4);
    //@ assert end - lo == 4*(end/4 - lo/4) && 0 <= end/4 - lo/4;
    //@ assert (end - lo) % 4 == 0;
    //@ assert slice_span(at,all,s.n,lo,end,over);
    //@ assert lead: at % 4 == at - lo;
    //@ assert off: slice_off(part,at) + lo == stage_cell(part,0);
    if (end > lo) {
      const int n = (int)(end - lo);
      //@ assert all: perm_r(x,all) && 0 <= lo <= all - n;
      //@ assert row: perm_r(x+lo,n);
      //@ assert aligned16(x+lo);
      BULK_COPY(cells, x + lo, n, part, s.room, on);
      //@ assert copied: slice_copied(cells,slice_off(part,at),x,lo,n);
      //@ assert arrived: slice_held(cells,slice_off(part,at),x,lo,lo+n);
    }
    /*@ loop invariant end <= i <= over && stage_open(part,i-lo);
        loop invariant i <= all;
        loop invariant slice_held(cells,slice_off(part,at),x,lo,i);
        loop assigns i, cells[part*STAGE_ROOM .. part*STAGE_ROOM + STAGE_ROOM - 1], stage_way_,
                     stage_part_, stage_cell_;
        loop variant all - i; */
    for (idx i = end; i < all && i < over; i++) {
      BULK_SET(cells, LDG(x + i), part, s.room, (int)(i - lo));
      //@ assert set: cells[slice_off(part,at)+i] == x[i];
      //@ assert kept: slice_held(cells,slice_off(part,at),x,lo,i);
    }
  }
}

/* The first n columns of a slice that has arrived in a part, behind so many cells; `outside` for
 * the others. Of the first `known` is said that they are those of x from element `at` on. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells) && 0 <= n <= s.n;
    requires stage_part(part) && stage_way_ == WAY_NONE && stages_sent_ == STAGE_COUNT;
    requires slice_regs(v) && 0 <= lead <= 3 && stage_taken_ <= put_;
    requires 0 <= known <= n && (0 < known ==> lead == at % 4);
    requires slice_held(cells,slice_off(part,at),x,at,at+known);
    requires \separated(v + (0 .. SLICE_EACH*MAXB-1), cells + (0 .. STAGE_CELLS-1));
    requires \separated(v + (0 .. SLICE_EACH*MAXB-1), x + (at .. at+known-1));
    assigns v[0 .. SLICE_EACH*MAXB-1], stage_taken_;
    ensures stage_taken_ <= put_;
    ensures slice_vals{Pre,Post}(v,x,at,known,n,outside,mul(s.each,BDIM)); */
DEV void slice_take(PER_THREAD_OF(float, v), BULK_RING_PARAM(cells), int part, int lead,
                    norm_slice s, int n,
                    float outside GHOST_PARAMS(int cols, int known, const float *x, idx at))
{
  /*@ loop invariant 0 <= j <= s.each && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant stage_taken_ <= put_;
      loop invariant slice_vals{Pre,Here}(v,x,at,known,n,outside,j0);
      loop assigns j, j0, v[0 .. SLICE_EACH*MAXB-1], stage_taken_;
      loop variant s.each - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < s.each; j++, j0 += s.threads) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM && stage_taken_ <= put_;
        loop invariant slice_vals{Pre,Here}(v,x,at,known,n,outside,j0+t);
        loop assigns t, v[0 .. SLICE_EACH*MAXB-1], stage_taken_;
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      float u = outside;
      if (slice_has(j0, t, n))
        u = BULK_LOAD(cells, part, s.room, lead, j0, t);
      //@ assert here: j0 + t < known ==> u == rd{Pre}(x,at+(j0+t));
      //@ assert out: n <= j0 + t ==> u == outside;
      REG(v, j, j0, t) = u;
      //@ assert kept: slice_vals{Pre,Here}(v,x,at,known,n,outside,j0+t);
    }
  }
}

/* The slice of p, which has a number for each column; `outside` where it is not there. */
/*@ requires slice_ok(s,cols) && slice_regs(v) && (there != 0 ==> reads(p,cols));
    requires there != 0 ==> \separated(v + (0 .. SLICE_EACH*MAXB-1), p + (0 .. cols-1));
    assigns v[0 .. SLICE_EACH*MAXB-1];
    ensures slice_either{Pre,Post}(v,p,there,outside,s.first,s.n,mul(s.each,BDIM)); */
DEV void slice_load(PER_THREAD_OF(float, v), int there, norm_slice s, float outside,
                    const float *RESTRICT p GHOST_PARAMS(int cols))
{
  /*@ loop invariant 0 <= j <= s.each && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant slice_either{Pre,Here}(v,p,there,outside,s.first,s.n,j0);
      loop assigns j, j0, v[0 .. SLICE_EACH*MAXB-1];
      loop variant s.each - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < s.each; j++, j0 += s.threads) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant slice_either{Pre,Here}(v,p,there,outside,s.first,s.n,j0+t);
        loop assigns t, v[0 .. SLICE_EACH*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      float u = outside;
      if (there && slice_has(j0, t, s.n))
        u = LDG(p + s.first + t + j0);
      //@ assert here: j0 + t < s.n ==> u == Either{Pre}(p,there,outside,s.first+(j0+t));
      REG(v, j, j0, t) = u;
      //@ assert kept: slice_either{Pre,Here}(v,p,there,outside,s.first,s.n,j0+t);
    }
  }
}
#endif
