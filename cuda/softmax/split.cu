/* Split rows, second launch: softmax and log_softmax (row/split.h): x and y are (rows, cols).
 * Behind lse/split_chunks.cu, a block has what all pieces of its row have left, and writes its
 * own. */
#include "../lang/dependent_launch.h"
#include "../row/split_steps.h"
#include "../lse/softmax_of_mass.h"
#include "../lse/split_chunks.h"
#include "contract.h"

/*@ // what element x becomes, and what that is of a row of n elements that adds up to a
    logic real SplitOne(integer logs, real x, real m, real by) =
      logs == 0 ? rmul(ExpAbout(x,m),by) : x - m - by;
    logic real SplitBy(integer logs, real s) = logs == 0 ? rdiv(1.0,s) : \log(s);
    lemma any_log{L}: \forall float *x, integer n, c, real m, s; 0 <= c < n ==> s > 0.0 ==>
      Mass(s,m) == Whole{L}(x,n) ==> x[c] - m - \log(s) == LogSoftmax{L}(x,n,c);
    lemma any_soft{L}: \forall integer logs, float *x, integer n, c, real m, s, by; 0 <= c < n ==>
      s > 0.0 ==> Mass(s,m) == Whole{L}(x,n) ==> by == SplitBy(logs,s) ==>
      SplitOne(logs,x[c],m,by) == SoftOne{L}(logs,x,n,c);
    lemma soft_one_frame{L1,L2}: \forall integer logs, float *x, integer n, c; 0 <= c < n ==>
      Same{L1,L2}(x,n) ==> SoftOne{L1}(logs,x,n,c) == SoftOne{L2}(logs,x,n,c); */

/*@ assigns \nothing;
    ensures s > 0.0 ==> \result == SplitBy(logs,s); */
DEV float split_by(int logs, float s) { return logs ? pm_logf(s) : 1.0f / s; }

/*@ assigns \nothing; ensures \result == SplitOne(logs,x,m,by); */
DEV float split_one(int logs, float x, float m, float by)
{
  x = x - m;
  return logs ? x - by : pm_expf(x) * by;
}

/*@ assigns \nothing;
    ensures \result.x == SplitOne(logs,v.x,m,by) && \result.y == SplitOne(logs,v.y,m,by);
    ensures \result.z == SplitOne(logs,v.z,m,by) && \result.w == SplitOne(logs,v.w,m,by); */
DEV float4 split_four(int logs, float4 v, float m, float by)
{
  v.x = split_one(logs, v.x, m, by);
  v.y = split_one(logs, v.y, m, by);
  v.z = split_one(logs, v.z, m, by);
  v.w = split_one(logs, v.w, m, by);
  return v;
}

/*@ predicate split_done{L0,L}(float *y, integer logs, float *x, real m, real by, integer from,
                               integer to) =
      \forall integer c; from <= c < to ==> \at(y[c],L) == SplitOne(logs,\at(x[c],L0),m,by); */
/* The elements of a step that begins at c. */
/*@ requires spread_io(x,y,n,n,vec) && 0 <= c && c + StepAt(vec,1) <= n;
    requires vec != 0 ==> c % 4 == 0;
    assigns y[c .. c+StepAt(vec,1)-1];
    ensures split_done{Pre,Post}(y,logs,x,m,by,c,c+StepAt(vec,1)); */
DEV void split_put(int logs, int vec, idx c, float m, float by, const float *RESTRICT x,
                   float *RESTRICT y GHOST_PARAMS(idx n))
{
  //@ assert perm: perm_r(x,n) && perm_w(y,n);
  if (vec) {
    //@ assert aligned: aligned16(x+c) && aligned16(y+c);
    ST4(y + c, split_four(logs, LD4(x + c), m, by));
    //@ assert a: y[c] == SplitOne(logs,rd{Pre}(x,c),m,by);
    //@ assert b: y[c+1] == SplitOne(logs,rd{Pre}(x,c+1),m,by);
    //@ assert c: y[c+2] == SplitOne(logs,rd{Pre}(x,c+2),m,by);
    //@ assert d: y[c+3] == SplitOne(logs,rd{Pre}(x,c+3),m,by);
    //@ assert two: split_done{Pre,Here}(y,logs,x,m,by,c,c+2);
    //@ assert three: split_done{Pre,Here}(y,logs,x,m,by,c,c+3);
    //@ assert four: split_done{Pre,Here}(y,logs,x,m,by,c,c+4);
  } else {
    STG(y + c, split_one(logs, LDG(x + c), m, by));
    //@ assert one: split_done{Pre,Here}(y,logs,x,m,by,c,c+1);
  }
}

/* Elements o .. o+n-1 of a row. */
/*@ requires block && spread_io(x,y,cols,cols,vec) && 0 <= o && 0 < n && o + n <= cols;
    requires vec != 0 ==> o % 4 == 0 && n % 4 == 0;
    assigns y[o .. o+n-1];
    ensures split_done{Pre,Post}(y,logs,x,m,by,o,o+n); */
DEV void split_put_all(int logs, int vec, idx o, idx n, float m, float by, const float *RESTRICT x,
                       float *RESTRICT y GHOST_PARAMS(idx cols))
{
  idx steps = split_steps(vec, n);
  /*@ loop invariant 0 <= k0 <= steps + BDIM;
      loop invariant split_done{Pre,Here}(y,logs,x,m,by,o,o+StepAt(vec,lesser(k0,steps)));
      loop assigns k0, y[o .. o+n-1];
      loop variant steps - k0; */
  UNROLL_BY(4)
  for (idx k0 = 0; k0 < steps; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant split_done{Pre,Here}(y,logs,x,m,by,o,o+StepAt(vec,lesser(k0+t,steps)));
        loop assigns t, y[o .. o+n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < steps) {
        idx c = o + (vec ? 4 * (k0 + t) : k0 + t);
        //@ assert at: c == o + StepAt(vec,k0+t) && c + StepAt(vec,1) == o + StepAt(vec,k0+t+1);
        //@ assert in: 0 <= o <= c && c + StepAt(vec,1) <= o + n;
        //@ assert fours: vec != 0 ==> c % 4 == 0;
        //@ assert same: Same{Pre,Here}(x,cols);
        split_put(logs, vec, c, m, by, x, y GHOST_ARGS(cols));
        //@ assert mine: split_done{Pre,Here}(y,logs,x,m,by,c,c+StepAt(vec,1));
        //@ assert old: split_done{Pre,Here}(y,logs,x,m,by,o,c);
        //@ assert new: split_done{Pre,Here}(y,logs,x,m,by,o,c+StepAt(vec,1));
        //@ assert here: lesser(k0+t,steps) == k0+t && lesser(k0+t+1,steps) == k0+t+1;
      }
  }
}

/*@ // of a row's softmax the elements from .. to-1
    predicate soft_from{L0,L}(integer logs, float *x, float *y, integer cols, integer from,
                              integer to) =
      \forall integer c; from <= c < to ==> \at(y[c],L) == SoftOne{L0}(logs,x,cols,c); */

/* Piece p of a row, which adds up to all. */
/*@ requires block && row_split(cols,chunk,pieces) && 0 <= p < pieces;
    requires spread_io(x,y,cols,cols,vec);
    requires sums_up(all,x,cols) && some(all.m,x,cols) && 1.0 <= all.s;
    assigns y[0 .. cols-1];
    ensures soft_from{Pre,Post}(logs,x,y,cols,PieceAt(p,cols,chunk),PieceAt(p+1,cols,chunk));
    ensures Same{Pre,Post}(y,PieceAt(p,cols,chunk)); */
DEV void split_out_chunk(once_sum all, int logs, int vec, idx p, idx cols, idx chunk, int pieces,
                         const float *RESTRICT x, float *RESTRICT y)
{
  row_piece w = chunk_of(p, cols, chunk, pieces);
  idx o = w.at, n = w.n;
  float m = online_mass(all.s, all.m), by = split_by(logs, all.s);
  //@ assert fours: vec != 0 ==> o % 4 == 0 && n % 4 == 0;
  //@ assert about: m == all.m && by == SplitBy(logs,all.s);
  //@ assert sum: Mass(all.s,m) == Whole{Pre}(x,cols);
  split_put_all(logs, vec, o, n, m, by, x, y GHOST_ARGS(cols));
  //@ assert before: Same{Pre,Here}(y,o);
  /*@ assert mine: \forall integer c; o <= c < o + n ==>
        y[c] == SplitOne(logs,\at(x[c],Pre),m,by); */
  /*@ assert soft: \forall integer c; o <= c < o + n ==>
        SplitOne(logs,\at(x[c],Pre),m,by) == SoftOne{Pre}(logs,x,cols,c); */
}

/*@ predicate spread_tensors{L}(float *x, float *y, float *tops, float *sums, integer rows,
                                integer cols, integer pieces, integer vec) =
      0 <= rows <= IDX_LIM && ix(rows,pieces,0) <= BLOCKS &&
      spread_io(x,y,ix(rows,cols,0),cols,vec) &&
      join_in(x,ix(rows,cols,0),tops,sums,ix(rows,pieces,0)) &&
      apart(tops,ix(rows,pieces,0),y,ix(rows,cols,0)) &&
      apart(sums,ix(rows,pieces,0),y,ix(rows,cols,0));
    // rows of a tensor, and of row r the first `to` elements
    predicate rows_soft{L0,L}(integer logs, float *x, float *y, integer cols, integer n) =
      \forall integer r; 0 <= r < n ==>
        soft_from{L0,L}(logs,x+ix(r,cols,0),y+ix(r,cols,0),cols,0,cols);
    lemma rows_soft_kept{L0,L1,L2}: \forall integer logs, float *x, *y, integer cols, n; 0 <= n ==>
      0 <= cols ==> Same{L1,L2}(y,ix(n,cols,0)) ==> rows_soft{L0,L1}(logs,x,y,cols,n) ==>
      rows_soft{L0,L2}(logs,x,y,cols,n);
    lemma soft_from_kept{L0,L1,L2}: \forall integer logs, float *x, *y, integer cols, to;
      Same{L1,L2}(y,to) ==> soft_from{L0,L1}(logs,x,y,cols,0,to) ==>
      soft_from{L0,L2}(logs,x,y,cols,0,to);
    lemma soft_from_on{L0,L}: \forall integer logs, float *x, *y, integer cols, mid, to;
      soft_from{L0,L}(logs,x,y,cols,0,mid) ==> soft_from{L0,L}(logs,x,y,cols,mid,to) ==>
      soft_from{L0,L}(logs,x,y,cols,0,to);
    lemma soft_from_frame{L1,L2,L}: \forall integer logs, float *x, *y, integer cols, from, to;
      0 <= from ==> to <= cols ==> Same{L1,L2}(x,cols) ==>
      soft_from{L1,L}(logs,x,y,cols,from,to) ==> soft_from{L2,L}(logs,x,y,cols,from,to); */

/* Piece p of row r. */
/*@ requires block && row_split(cols,chunk,pieces) && 0 <= p < pieces && 0 <= r < rows <= IDX_LIM;
    requires spread_io(x,y,ix(rows,cols,0),cols,vec);
    requires apart(tops,ix(rows,pieces,0),y,ix(rows,cols,0));
    requires apart(sums,ix(rows,pieces,0),y,ix(rows,cols,0));
    requires sums_up(all,x+ix(r,cols,0),cols) && some(all.m,x+ix(r,cols,0),cols) && 1.0 <= all.s;
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures soft_from{Pre,Post}(logs,x+ix(r,cols,0),y+ix(r,cols,0),cols,PieceAt(p,cols,chunk),
      PieceAt(p+1,cols,chunk));
    ensures Same{Pre,Post}(y,ix(r,cols,0)) && Same{Pre,Post}(y+ix(r,cols,0),PieceAt(p,cols,chunk));
    ensures spread_same{Pre,Post}(x,tops,sums,ix(rows,cols,0),ix(rows,pieces,0)); */
DEV void split_out_nth(once_sum all, int logs, int vec, idx r, idx p, idx rows, idx cols, idx chunk,
                       int pieces, const float *RESTRICT x,
                       float *RESTRICT y GHOST_PARAMS(const float *tops, const float *sums))
{
  idx o = at2(rows, cols, r, 0);
  //@ assert next: ix(r+1,cols,0) == o + cols && o + cols <= ix(rows,cols,0) && 0 <= o;
  //@ assert fours: vec != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  //@ assert four: vec != 0 ==> o % 4 == 0;
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(x+o,cols);
  //@ assert perm_y: perm_r(y,ix(rows,cols,0)) && perm_w(y,ix(rows,cols,0));
  //@ assert perm_yo: perm_r(y+o,cols) && perm_w(y+o,cols);
  //@ assert io: spread_io(x+o,y+o,cols,cols,vec);
  //@ assert piece: 0 <= PieceAt(p,cols,chunk) <= PieceAt(p+1,cols,chunk) <= cols;
  /*@ assert away_x: \forall integer k; 0 <= k < ix(rows,cols,0) ==>
        \separated(x + k, y + (o .. o+cols-1)); */
  /*@ assert away_t: \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(tops + k, y + (o .. o+cols-1)); */
  /*@ assert away_s: \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(sums + k, y + (o .. o+cols-1)); */
  split_out_chunk(all, logs, vec, p, cols, chunk, pieces, x + o, y + o);
  //@ assert rows: Same{Pre,Here}(y,o);
}

/* LOGS: log_softmax; VEC: x and y are 16-byte aligned and cols a multiple of 4. */
/*@ requires block && row_split(cols,chunk,pieces);
    requires spread_tensors(x,y,tops,sums,rows,cols,pieces,VEC);
    requires all_pieces{Pre,Pre}(tops,sums,x,cols,chunk,pieces,rows);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures soft_rows{Pre,Post}(LOGS,x,y,cols,rows); */
TEMPLATE(int LOGS, int VEC)
KERNEL void softmax_split_out(CONSTANTS(int LOGS, int VEC) idx rows, idx cols, idx chunk,
                              int pieces, const float *RESTRICT x, const float *tops,
                              const float *sums, float *RESTRICT y)
{
  await_launches();
  /*@ loop invariant 0 <= r <= rows && rows_soft{Pre,Here}(LOGS,x,y,cols,r);
      loop invariant spread_same{Pre,Here}(x,tops,sums,ix(rows,cols,0),ix(rows,pieces,0));
      loop assigns r, y[0 .. ix(rows,cols,0)-1];
      loop variant rows - r; */
  BROWS(r, rows, pieces) {
    /*@ loop invariant 0 <= p <= pieces && rows_soft{Pre,Here}(LOGS,x,y,cols,r);
        loop invariant soft_from{Pre,Here}(LOGS,x+ix(r,cols,0),y+ix(r,cols,0),cols,0,
          PieceAt(p,cols,chunk));
        loop invariant spread_same{Pre,Here}(x,tops,sums,ix(rows,cols,0),ix(rows,pieces,0));
        loop assigns p, y[0 .. ix(rows,cols,0)-1];
        loop variant pieces - p; */
    BCOLS(p, pieces) {
      //@ assert tensors: spread_tensors(x,y,tops,sums,rows,cols,pieces,VEC);
      //@ assert row: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
      //@ assert to: Same{Pre,Here}(x+ix(r,cols,0),cols);
      //@ assert cells: pieces_kept{Pre,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),pieces);
      /*@ assert left: row_pieces{Here,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),x+ix(r,cols,0),
            cols,chunk,pieces); */
      //@ assert piece: 0 <= PieceAt(p,cols,chunk) <= PieceAt(p+1,cols,chunk) <= cols;
      //@ assert least: least_in(x,ix(rows,cols,0));
      once_sum all = row_join(r, rows, pieces, tops, sums GHOST_ARGS(cols, chunk, x));
      //@ assert back: Same{Here,Pre}(x+ix(r,cols,0),cols);
      //@ assert sum: sums_up(all,x+ix(r,cols,0),cols) && some(all.m,x+ix(r,cols,0),cols);
      split_out_nth(all, LOGS, VEC, r, p, rows, cols, chunk, pieces, x, y GHOST_ARGS(tops, sums));
      /*@ assert here: soft_from{LoopCurrent,Here}(LOGS,x+ix(r,cols,0),y+ix(r,cols,0),cols,
            PieceAt(p,cols,chunk),PieceAt(p+1,cols,chunk)); */
      /*@ assert new: soft_from{Pre,Here}(LOGS,x+ix(r,cols,0),y+ix(r,cols,0),cols,
            PieceAt(p,cols,chunk),PieceAt(p+1,cols,chunk)); */
      //@ assert same: spread_same{LoopCurrent,Here}(x,tops,sums,ix(rows,cols,0),ix(rows,pieces,0));
      //@ assert same_2: spread_same{Pre,Here}(x,tops,sums,ix(rows,cols,0),ix(rows,pieces,0));
      //@ assert kept_rows: Same{LoopCurrent,Here}(y,ix(r,cols,0));
      //@ assert kept_row: Same{LoopCurrent,Here}(y+ix(r,cols,0),PieceAt(p,cols,chunk));
      //@ assert old: rows_soft{Pre,Here}(LOGS,x,y,cols,r);
      /*@ assert old_row: soft_from{Pre,Here}(LOGS,x+ix(r,cols,0),y+ix(r,cols,0),cols,0,
            PieceAt(p,cols,chunk)); */
    }
    //@ assert end: PieceAt(pieces,cols,chunk) == cols;
  }
  //@ assert whole: rows_soft{Pre,Here}(LOGS,x,y,cols,rows);
  /*@ assert each: \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        rd(y+ix(r,cols,0),c) == SoftOne{Pre}(LOGS,x+ix(r,cols,0),cols,c); */
  //@ assert cell: \forall integer r, c; rd(y+ix(r,cols,0),c) == rd(y,ix(r,cols,c));
  //@ assert all: soft_rows{Pre,Here}(LOGS,x,y,cols,rows);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "../row/split.h"
#include "launch.h"

extern "C" void LAUNCHER(softmax_split)(void *stream, int logs, int vec, int64_t rows, int64_t cols,
                                        const float *x, float *work, float *y)
{
  idx chunk = split_chunk(rows, cols), n = rows * split_chunks(rows, cols);
  int pieces = (int)split_chunks(rows, cols);
  LAUNCHER(lse_split_chunks)(stream, vec, rows, cols, x, work);
#define RUN(LOGS, VEC)                                                                            \
  LAUNCH_AFTER((softmax_split_out<LOGS, VEC>), n, SPLIT_BLOCK, stream, rows, cols, chunk, pieces, \
               x, (const float *)work, (const float *)work + n, y)
  if (logs && vec)
    RUN(1, 1);
  else if (logs)
    RUN(1, 0);
  else if (vec)
    RUN(0, 1);
  else
    RUN(0, 0);
#undef RUN
}
#endif
