/* Rows of a (rows, cols) matrix cut up among the blocks of a cluster, each of which has the same
 * columns of every row: its slice. Thread t has columns t, t + BDIM, .. of the block's, up to
 * SLICE_EACH of them, in registers and on their way (stages.h). */
#ifndef PM_NORM_SLICE_H
#define PM_NORM_SLICE_H
#include "mail_sums.h"
#include "math.h"
#include "norm_cluster.h"
#include "row_regs.h"
#include "stages.h"

enum { SLICE_EACH = 13 /* columns of a thread, at most */ };

/* PRIVATES(T, v)       SLICE_EACH registers of each lane, as PRIVATEK's; LANES_OF(T, v) as a
 *                      parameter */
#ifdef __FRAMAC__
#define PRIVATES(T, v) T v[SLICE_EACH * MAXB]
#define LANES_OF(T, v) T *v
#else
#define PRIVATES(T, v) T v[SLICE_EACH]
#define LANES_OF(T, v) T(&v)[SLICE_EACH]
#endif

/* A block's columns: n from number `first` on, `each` for each of its `threads`; `room` for them in
 * a stage. */
typedef struct norm_slice {
  int first, n, room, each, threads;
} norm_slice;

/*@ // a slice of some of these columns
    predicate slice_ok{L}(norm_slice s, integer cols) =
      block && s.threads == bdim_ && 0 < s.each <= SLICE_EACH && 0 <= s.first &&
      0 <= s.n <= s.room <= STAGE_ROOM && (0 < s.n ==> s.first + s.n <= cols);
    predicate slice_regs{L}(float *v) = \valid(v + (0 .. SLICE_EACH*MAXB-1));
    predicate slice_cells{L}(float *v) = \valid(v + (0 .. STAGE_CELLS-1));
    predicate slice_lanes{L}(float *a) = \valid(a + (0 .. bdim_-1));
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
    requires 0 < width <= STAGE_ROOM && 0 < cols <= ROW_CLUSTER*STAGE_ROOM;
    assigns \nothing;
    ensures slice_ok(\result,cols) && \result.room == width; */
DEV norm_slice slice_of(int rank, int width, int cols, int each, int threads)
{
  norm_slice s;
  //@ assert 0 <= rank * width <= ROW_CLUSTER*STAGE_ROOM;
  s.first = rank * width;
  s.n = cols - s.first < width ? cols - s.first : width;
  s.n = s.n > 0 ? s.n : 0;
  s.room = width;
  s.each = each;
  s.threads = threads;
  return s;
}

/* Whether a slice of n columns has number j0 + t. */
/*@ requires 0 <= j0 <= SLICE_EACH*MAXB && 0 <= t < MAXB && 0 <= n <= STAGE_ROOM;
    assigns \nothing;
    ensures \result != 0 <==> j0 + t < n; */
DEV int slice_has(int j0, int t, int n) { return j0 < n - t; }

/* Where the slice begins in row r of a matrix that is read, */
/*@ requires slice_ok(s,cols) && 0 <= r < rows <= SLICE_ROWS && 0 < cols <= ROW_CLUSTER*STAGE_ROOM;
    requires reads(x,ix(rows,cols,0));
    assigns \nothing;
    ensures \result == ix(r,cols,s.first) && 0 <= \result <= IDX_LIM + s.first;
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
/*@ requires slice_ok(s,cols) && 0 <= r < rows <= SLICE_ROWS && 0 < cols <= ROW_CLUSTER*STAGE_ROOM;
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

/* The slice that begins at x begins to arrive in a part. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells);
    requires \valid_read(x + (0 .. s.n-1)) && perm_r(x,s.n) && stage_open(part,0);
    assigns cells[0 .. STAGE_CELLS-1], stage_way_, stage_part_, stage_cell_;
    ensures stage_way_ == WAY_NONE || (stage_way_ == WAY_OPEN && stage_part_ <= part); */
DEV void slice_fetch(LANE_STAGES(cells), int part, norm_slice s,
                     const float *RESTRICT x GHOST_PARAMS(int cols))
{
  /*@ loop invariant 0 <= j <= s.each && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant stage_open(part,j0);
      loop assigns j, j0, cells[0 .. STAGE_CELLS-1], stage_way_, stage_part_, stage_cell_;
      loop variant s.each - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < s.each; j++, j0 += s.threads) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM && stage_open(part,j0+t);
        loop assigns t, cells[0 .. STAGE_CELLS-1], stage_way_, stage_part_, stage_cell_;
        loop variant BDIM - t; */
    LANES(t)
      if (slice_has(j0, t, s.n))
        STAGE_FETCH(cells, x + t + j0, part, s.room, j, j0, t);
  }
}

/* The first n columns of a slice that has arrived; `outside` for the others. */
/*@ requires slice_ok(s,cols) && s.room == stage_room_ && slice_cells(cells) && 0 <= n <= s.n;
    requires stage_part(part) && stage_way_ == WAY_NONE && slice_regs(v);
    assigns v[0 .. SLICE_EACH*MAXB-1]; */
DEV void slice_take(LANES_OF(float, v), LANE_STAGES(cells), int part, norm_slice s, int n,
                    float outside GHOST_PARAMS(int cols))
{
  /*@ loop invariant 0 <= j <= s.each && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, v[0 .. SLICE_EACH*MAXB-1];
      loop variant s.each - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < s.each; j++, j0 += s.threads) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, v[0 .. SLICE_EACH*MAXB-1];
        loop variant BDIM - t; */
    LANES(t) {
      float u = outside;
      if (slice_has(j0, t, n))
        u = STAGE_TAKE(cells, part, s.room, j, j0, t);
      REG(v, j, j0, t) = u;
    }
  }
}

/* The slice of p, which has a number for each column; `outside` where it is not there. */
/*@ requires slice_ok(s,cols) && slice_regs(v) && (there != 0 ==> reads(p,cols));
    assigns v[0 .. SLICE_EACH*MAXB-1]; */
DEV void slice_load(LANES_OF(float, v), int there, norm_slice s, float outside,
                    const float *RESTRICT p GHOST_PARAMS(int cols))
{
  /*@ loop invariant 0 <= j <= s.each && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, v[0 .. SLICE_EACH*MAXB-1];
      loop variant s.each - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < s.each; j++, j0 += s.threads) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, v[0 .. SLICE_EACH*MAXB-1];
        loop variant BDIM - t; */
    LANES(t) {
      float u = outside;
      if (there && slice_has(j0, t, s.n))
        u = LDG(p + s.first + t + j0);
      REG(v, j, j0, t) = u;
    }
  }
}
#endif
