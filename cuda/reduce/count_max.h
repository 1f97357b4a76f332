/* How many elements of each line of x, (outer, n, inner), over the middle axis, are the line's
 * element of y, (outer, inner): in f64, which is exact wherever a tensor fits into memory; of a
 * single one -1 - its position. One level, as of join.h: out, (outer, chunks, inner), has
 * what is met in each chunk; the level after it joins such parts.
 *   groups   inner is at most `lanes`: so many neighbouring lanes have a chunk of a line of rows;
 *            they are teams of one lane a column, and team j takes every teams-th row from the j-th
 *            on
 *   cols     a thread goes down a chunk of one column, or of four */
#ifndef PM_REDUCE_COUNT_MAX_H
#define PM_REDUCE_COUNT_MAX_H
#include "rows_load.h"
#include "../lang/shuffle_down_f64.h"

/*@ axiomatic Counts { predicate CW(double *p) reads \nothing; } // as W of lang/kernel.h
    predicate parts_in{L}(double *s, integer n) = 0 <= n <= IDX_LIM && \valid_read(s + (0 .. n-1));
    predicate counts_out{L}(double *out, integer n) = 0 <= n <= IDX_LIM &&
      \valid(out + (0 .. n-1)) && \forall integer k; 0 <= k < n ==> CW(out+k); */

/* What a thread has met: how many, and where the last of them is. */
typedef struct count_kept {
  idx count, at;
} count_kept;

/*@ predicate kept_ok(count_kept s, integer most) = 0 <= s.count <= most && 0 <= s.at < IDX_LIM;
    predicate kept_all{L}(count_kept *s, integer to, integer most) =
      \forall integer i; 0 <= i < to ==> kept_ok(s[i],most); */
/* v is the j-th element of its line. */
/*@ requires 0 <= s.count < 2*IDX_LIM && 0 <= j < IDX_LIM;
    assigns \nothing;
    ensures s.count <= \result.count <= s.count + 1;
    ensures \result.at == s.at || \result.at == j; */
DEV count_kept count_take(count_kept s, float v, float y, idx j)
{
  if (v == y)
    s.count++, s.at = j;
  return s;
}

/*@ requires kept_ok(s,2*IDX_LIM);
    assigns \nothing;
    ensures \result == (s.count == 1 ? -1 - s.at : s.count); */
DEV double count_left(count_kept s) { return (double)(s.count == 1 ? -1 - s.at : s.count); }

/*@ logic real Several(real part) = part < 0.0 ? 1.0 : part; */
/*@ assigns \nothing; ensures \result == Several(part); */
DEV double count_of(double part) { return part < 0.0 ? 1.0 : part; }

/*@ assigns \nothing;
    ensures \result == (a == 0.0 ? b : b == 0.0 ? a : Several(a) + Several(b)); */
DEV double count_join(double a, double b)
{
  return a == 0.0 ? b : b == 0.0 ? a : count_of(a) + count_of(b);
}

/*@ requires \valid(p) && CW(p); assigns *p; ensures *p == c; */
DEV void count_put(double *p, double c) { *p = c; }

/* ---- groups ---- */

/* A round as of rows_load.h, down a column: elements are `pitch` apart. */
/*@ requires reads(x,size) && within(pitch,at,j,end,size) && 0 <= j < end && 0 < teams <= 32;
    requires full != 0 ==> j + (ROWS_DEPTH-1)*teams < end;
    requires kept_ok(s,j);
    assigns \nothing;
    ensures kept_ok(\result,j+ROWS_DEPTH*teams); */
DEV count_kept count_round(int full, count_kept s, idx at, idx pitch, idx j, int teams, idx end,
                           float y, const float *RESTRICT x GHOST_PARAMS(idx size))
{
  float v[ROWS_DEPTH];
  /*@ loop invariant 0 <= i <= ROWS_DEPTH;
      loop assigns i, v[0 .. ROWS_DEPTH-1];
      loop variant ROWS_DEPTH - i; */
  UNROLL
  for (int i = 0; i < ROWS_DEPTH; i++) {
    idx k = j + rows_turn(i, teams);
    k = full || k < end ? k : j;
    //@ assert j <= k < end;
    //@ assert 0 <= ix(k,pitch,at) < size;
    v[i] = LDG(x + axis_at(at, k, pitch));
  }
  /*@ loop invariant 0 <= i <= ROWS_DEPTH && kept_ok(s,j+i);
      loop assigns i, s;
      loop variant ROWS_DEPTH - i; */
  UNROLL
  for (int i = 0; i < ROWS_DEPTH; i++) {
    if (full || j + rows_turn(i, teams) < end)
      s = count_take(s, v[i], y, j + rows_turn(i, teams));
  }
  return s;
}

/* Of elements lo .. end-1 every teams-th, from the team's own on. */
/*@ requires reads(x,size) && within(pitch,at,lo,end,size) && 0 <= team < teams <= 32;
    assigns \nothing; */
DEV double count_along(idx at, idx pitch, idx lo, idx end, int team, int teams, float y,
                       const float *RESTRICT x GHOST_PARAMS(idx size))
{
  count_kept s = {0, 0};
  idx j = lo + team;
  /*@ loop invariant lo <= j <= end + ROWS_DEPTH*teams && kept_ok(s,j);
      loop assigns j, s;
      loop variant end - j; */
  for (; j + (ROWS_DEPTH - 1) * teams < end; j += ROWS_DEPTH * teams) {
    //@ assert within(pitch,at,j,end,size);
    s = count_round(1, s, at, pitch, j, teams, end, y, x GHOST_ARGS(size));
  }
  if (j < end) {
    //@ assert within(pitch,at,j,end,size);
    s = count_round(0, s, at, pitch, j, teams, end, y, x GHOST_ARGS(size));
  }
  return count_left(s);
}

/*@ requires 0 <= s.count < IDX_LIM + 100000 && 0 <= j && j + 4 <= IDX_LIM && 0 <= s.at < IDX_LIM;
    assigns \nothing;
    ensures kept_ok(\result,s.count+4); */
DEV count_kept count_four(count_kept s, float4 v, float y, idx j)
{
  s = count_take(s, v.x, y, j);
  s = count_take(s, v.y, y, j + 1);
  s = count_take(s, v.z, y, j + 2);
  return count_take(s, v.w, y, j + 3);
}

/* A round of vectors: the first begins at element `at` of x, which is number `from` of its line. */
/*@ requires row_quads(x,at,end,size) && 0 <= v < end && 0 < lanes <= 32 && 0 <= from <= at;
    requires full != 0 ==> v + (ROWS_DEPTH-1)*lanes < end;
    requires kept_ok(s,4*v);
    assigns \nothing;
    ensures kept_ok(\result,4*(v+ROWS_DEPTH*lanes)); */
DEV count_kept count_round4(int full, count_kept s, idx at, idx from, idx v, int lanes, idx end,
                            float y, const float *RESTRICT x GHOST_PARAMS(idx size))
{
  float4 q[ROWS_DEPTH];
  /*@ loop invariant 0 <= i <= ROWS_DEPTH;
      loop assigns i, q[0 .. ROWS_DEPTH-1];
      loop variant ROWS_DEPTH - i; */
  UNROLL
  for (int i = 0; i < ROWS_DEPTH; i++) {
    idx k = v + rows_turn(i, lanes), u = full || k < end ? k : v;
    //@ assert 0 <= u < end && (at + 4*u) % 4 == 0;
    q[i] = LD4(x + at + 4 * u);
  }
  /*@ loop invariant 0 <= i <= ROWS_DEPTH && kept_ok(s,4*(v+i));
      loop assigns i, s;
      loop variant ROWS_DEPTH - i; */
  UNROLL
  for (int i = 0; i < ROWS_DEPTH; i++) {
    idx k = v + rows_turn(i, lanes);
    if (full || k < end)
      s = count_four(s, q[i], y, from + 4 * k);
  }
  return s;
}

/* Of the `len` elements of x from `at` on, number `from` of their line and those behind it: vectors
 * that are aligned, and what is left before and behind them one by one. */
/*@ requires row_reads(x,size) && row_part(at,len,size) && 0 <= lane < lanes <= 32;
    requires aligned16(x) && 0 <= from <= at;
    assigns \nothing; */
DEV double count_along4(idx at, idx from, idx len, int lane, int lanes, float y,
                        const float *RESTRICT x GHOST_PARAMS(idx size))
{
  count_kept s = {0, 0};
  idx head = (idx)((uint64_t)at * 3 % 4), v = lane, V, rest;
  head = head < len ? head : len;
  V = (len - head) / 4;
  rest = len - 4 * V;
  //@ assert 0 < V ==> row_quads(x,at+head,V,size);
  /*@ loop invariant 0 <= v <= V + ROWS_DEPTH*lanes && kept_ok(s,4*v);
      loop assigns v, s;
      loop variant V - v; */
  for (; v + (ROWS_DEPTH - 1) * lanes < V; v += ROWS_DEPTH * lanes)
    s = count_round4(1, s, at + head, from + head, v, lanes, V, y, x GHOST_ARGS(size));
  if (v < V)
    s = count_round4(0, s, at + head, from + head, v, lanes, V, y, x GHOST_ARGS(size));
  //@ assert kept_ok(s,IDX_LIM+10000);
  /*@ loop invariant 0 <= e <= rest + lanes && kept_ok(s,IDX_LIM+10000+e);
      loop assigns e, s;
      loop variant rest - e; */
  for (idx e = lane; e < rest; e += lanes) {
    idx j = e < head ? e : e + 4 * V;
    //@ assert 0 <= j < len;
    s = count_take(s, LDG(x + at + j), y, from + j);
  }
  return count_left(s);
}

/* The same of parts. */
/*@ requires parts_in(part,size) && within(pitch,at,lo,end,size) && 0 <= team < teams <= IDX_LIM;
    assigns \nothing; */
DEV double parts_along(idx at, idx pitch, idx lo, idx end, int team, int teams,
                       const double *RESTRICT part GHOST_PARAMS(idx size))
{
  double s = 0.0;
  /*@ loop invariant lo <= j <= end + teams;
      loop assigns j, s;
      loop variant end - j; */
  UNROLL_BY(8)
  for (idx j = lo + team; j < end; j += teams) {
    //@ assert 0 <= ix(j,pitch,at) < size;
    s = count_join(s, part[axis_at(at, j, pitch)]);
  }
  return s;
}

/* A thread's chunk of all lines, its team and its column. */
typedef struct count_lane {
  idx k;
  int team, column;
} count_lane;

/*@ predicate counts_ok(integer b, integer lanes, integer groups, integer w) =
      rows_ok(b,lanes,groups) && 0 < w <= lanes;
    predicate count_is(count_lane p, integer b, integer t, integer lanes, integer w) =
      p.k == quo(ix(b,bdim_,t),lanes) && p.team == quo(rem(ix(b,bdim_,t),lanes),w) &&
      p.column == rem(rem(ix(b,bdim_,t),lanes),w) && 0 <= p.k <= IDX_LIM &&
      0 <= p.team < 32 && 0 <= p.column < w; */
/* Thread t of block b. */
/*@ requires counts_ok(b,lanes,groups,w) && 0 <= t < BDIM;
    assigns \nothing;
    ensures count_is(\result,b,t,lanes,w); */
DEV count_lane count_find(idx b, int t, int lanes, int groups, int w)
{
  rows_lane_at q = rows_find(b, t, lanes, groups);
  count_lane p = {q.group, q.lane / w, q.lane % w};
  //@ assert p.team == quo(q.lane,w) && p.column == rem(q.lane,w);
  return p;
}

/* How many teams a group has; and how many lanes m teams are. */
/*@ requires 0 < w <= lanes <= 32;
    assigns \nothing;
    ensures \result == quo(lanes,w) && 0 < \result <= 32; */
DEV int count_teams(int lanes, int w)
{
  //@ assert lanes / w == quo(lanes,w);
  return lanes / w;
}

/*@ requires 0 < w <= lanes <= 32 && 0 < m < quo(lanes,w);
    assigns \nothing;
    ensures \result == ix(m,w,0) && 0 < \result < 32; */
DEV int count_wide(int m, int w GHOST_PARAMS(int lanes))
{
  //@ assert ix(quo(lanes,w),w,rem(lanes,w)) == lanes && 0 <= rem(lanes,w);
  //@ assert ix(m,w,0) < ix(quo(lanes,w),w,0) <= 32;
  //@ assert m * w == ix(m,w,0) && m <= ix(m,w,0);
  return m * w;
}

/*@ // what a level reads: elements and y, or parts
    predicate counts_in{L}(integer parts, integer VEC, float *x, float *y, double *part,
                           integer outer, integer n, integer inner) =
      (parts != 0 ==> parts_in(part,ix(ix(outer,n,0),inner,0))) &&
      (parts == 0 ==> reads(x,ix(ix(outer,n,0),inner,0)) && reads(y,ix(outer,inner,0))) &&
      (VEC != 0 ==> parts == 0 && inner == 1 && aligned16(x));
    // and that it does not write there
    predicate counts_apart{L}(integer parts, float *x, float *y, double *part, double *out,
                              integer all, integer lines, integer left) =
      (parts != 0 ==> \separated(part + (0 .. all-1), out + (0 .. left-1))) &&
      (parts == 0 ==> \separated(x + (0 .. all-1), out + (0 .. left-1)) &&
        \separated(y + (0 .. lines-1), out + (0 .. left-1))); */
/* The line's element of y. */
/*@ requires 0 <= o < outer <= IDX_LIM && 0 <= column < inner && reads(y,ix(outer,inner,0));
    assigns \nothing; */
DEV float count_top(idx o, idx column, idx inner, const float *RESTRICT y GHOST_PARAMS(idx outer))
{
  //@ assert 0 <= ix(o,inner,column) < ix(outer,inner,0);
  return LDG(y + axis_at(column, o, inner));
}

/* Elements lo .. end-1 of row o, by vectors. */
/*@ requires 0 <= o < outer <= IDX_LIM && 0 <= lo <= end <= n && 0 <= lane < lanes <= 32;
    requires reads(x,ix(outer,n,0)) && aligned16(x);
    assigns \nothing; */
DEV double count_vectors(idx o, idx lo, idx end, int lane, int lanes, idx n, float y,
                         const float *RESTRICT x GHOST_PARAMS(idx outer))
{
  //@ assert 0 <= ix(o,n,0) && ix(o+1,n,0) <= ix(outer,n,0);
  //@ assert ix(o,n,lo) == ix(o,n,0) + lo && ix(o,n,lo) + (end - lo) <= ix(outer,n,0);
  idx at = axis_at(lo, o, n);
  //@ assert row_part(at,end-lo,ix(outer,n,0)) && row_reads(x,ix(outer,n,0)) && lo <= at;
  return count_along4(at, lo, end - lo, lane, lanes, y, x GHOST_ARGS(ix_times(outer, n)));
}

/* What a team has of chunk k, in its column. */
/*@ requires level(outer,n,inner,chunk,chunks) && counts_in(parts,VEC,x,y,part,outer,n,inner);
    requires ix(ix(outer,n,0),inner,0) <= IDX_LIM;
    requires 0 <= k < ix(outer,chunks,0) && 0 <= column < inner && 0 <= team < teams <= 32;
    assigns \nothing; */
DEV double count_chunk(int parts, int VEC, idx k, int column, int team, int teams, idx n, idx inner,
                       idx chunk, idx chunks, const float *RESTRICT x, const float *RESTRICT y,
                       const double *RESTRICT part GHOST_PARAMS(idx outer))
{
  idx o = axis_line(k, chunks), lo = axis_chunk(k, o, chunks, chunk);
  idx end = lo + chunk < n ? lo + chunk : n;
  //@ assert 0 <= o < outer && 0 <= lo <= end <= n;
  idx at = axis_at(column, ix_times(o, n), inner);
  //@ assert line: within(inner,at,lo,end,ix(ix(outer,n,0),inner,0));
  if (parts)
    return parts_along(at, inner, lo, end, team, teams,
                       part GHOST_ARGS(ix_times(ix_times(outer, n), inner)));
  float top = count_top(o, column, inner, y GHOST_ARGS(outer));
  if (VEC) {
    //@ assert ix(ix(outer,n,0),1,0) == ix(outer,n,0);
    return count_vectors(o, lo, end, team, teams, n, top, x GHOST_ARGS(outer));
  }
  return count_along(at, inner, lo, end, team, teams, top,
                     x GHOST_ARGS(ix_times(ix_times(outer, n), inner)));
}

/*@ requires counts_ok(b,lanes,groups,inner) && level(outer,n,inner,chunk,chunks);
    requires counts_in(parts,VEC,x,y,part,outer,n,inner);
    requires ix(ix(outer,n,0),inner,0) <= IDX_LIM;
    requires count == ix(outer,chunks,0) && \valid(s + (0 .. BDIM-1));
    assigns s[0 .. BDIM-1]; */
DEV void count_begin(PER_THREAD(double, s), int parts, int VEC, idx b, int lanes, int groups, idx n,
                     idx inner, idx chunk, idx chunks, idx count, const float *RESTRICT x,
                     const float *RESTRICT y, const double *RESTRICT part GHOST_PARAMS(idx outer))
{
  int w = (int)inner, teams = count_teams(lanes, w);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, s[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    count_lane p = count_find(b, t, lanes, groups, w);
    //@ assert 0 <= p.column < inner && w == inner;
    AT(s, t) = p.k < count && p.team < teams
                   ? count_chunk(parts, VEC, p.k, p.column, p.team, teams, n, inner, chunk, chunks,
                                 x, y, part GHOST_ARGS(outer))
                   : 0.0;
  }
}

/* s of every (2*m)-th team becomes its join with s of the m-th team behind, where there is one. */
/*@ requires counts_ok(b,lanes,groups,w) && 0 < m < quo(lanes,w) && \valid(s + (0 .. BDIM-1));
    assigns s[0 .. BDIM-1]; */
DEV void count_down(PER_THREAD(double, s), idx b, int m, int lanes, int groups, int w)
{
  PRIVATE(double, d);
  SHFL_DOWN_D(d, s, count_wide(m, w GHOST_ARGS(lanes)));
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, s[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    int team = count_find(b, t, lanes, groups, w).team;
    if (team % (2 * m) == 0 && team + m < count_teams(lanes, w))
      AT(s, t) = count_join(AT(s, t), AT(d, t));
  }
}

/*@ requires counts_ok(b,lanes,groups,w) && \valid(s + (0 .. BDIM-1));
    assigns s[0 .. BDIM-1]; */
DEV void count_group(PER_THREAD(double, s), idx b, int lanes, int groups, int w)
{
  int teams = count_teams(lanes, w);
  /*@ loop invariant 1 <= m <= 2*32;
      loop assigns m, s[0 .. BDIM-1];
      loop variant teams - m; */
  for (int m = 1; m < teams; m *= 2) count_down(s, b, m, lanes, groups, w);
}

/* Column c of row k of out. */
/*@ requires 0 <= k <= IDX_LIM && 0 <= c < inner && ix(k,inner,c) <= IDX_LIM;
    requires \valid(out + ix(k,inner,c)) && \forall integer e; cell_W(k,c,inner,e) ==> CW(out+e);
    assigns out[ix(k,inner,c)]; */
DEV void count_put_at(idx k, idx c, idx inner, double s, double *RESTRICT out)
{
  //@ assert cell_W(k,c,inner,ix(k,inner,c));
  count_put(out + axis_at(c, k, inner), s);
}

/*@ requires \valid(s + (0 .. BDIM-1)) && counts_ok(b,lanes,groups,inner) && 0 <= count;
    requires counts_out(out,ix(count,inner,0));
    assigns out[0 .. ix(count,inner,0)-1]; */
DEV void count_leave(PER_THREAD(double, s), idx b, int lanes, int groups, idx inner, idx count,
                     double *RESTRICT out)
{
  int w = (int)inner;
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, out[0 .. ix(count,inner,0)-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    count_lane p = count_find(b, t, lanes, groups, w);
    if (p.k < count && p.team == 0) {
      //@ assert 0 <= ix(p.k,inner,p.column) < ix(count,inner,0);
      count_put_at(p.k, p.column, inner, AT(s, t), out);
    }
  }
}

/*@ requires level(outer,n,inner,chunk,chunks) && inner <= lanes && group(lanes,groups) && block;
    requires 0 <= blocks <= 0x7fffffff && ix(blocks,1,0) <= BLOCKS;
    requires counts_in(PARTS,VEC,x,y,part,outer,n,inner);
    requires ix(ix(outer,n,0),inner,0) <= IDX_LIM;
    requires counts_out(out,ix(ix(outer,chunks,0),inner,0));
    requires counts_apart(PARTS,x,y,part,out,ix(ix(outer,n,0),inner,0),ix(outer,inner,0),
                          ix(ix(outer,chunks,0),inner,0));
    assigns out[0 .. ix(ix(outer,chunks,0),inner,0)-1]; */
TEMPLATE(int PARTS, int VEC)
KERNEL void max_axis_count_groups(CONSTANTS(int PARTS, int VEC) int lanes, int groups, idx blocks,
                                  idx outer, idx n, idx inner, idx chunk, idx chunks,
                                  const float *RESTRICT x, const float *RESTRICT y,
                                  const double *RESTRICT part, double *RESTRICT out)
{
  await_launches();
  idx count = ix_times(outer, chunks);
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, out[0 .. ix(ix(outer,chunks,0),inner,0)-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    PRIVATE(double, s);
    count_begin(s, PARTS, VEC, b, lanes, groups, n, inner, chunk, chunks, count, x, y,
                part GHOST_ARGS(outer));
    count_group(s, b, lanes, groups, (int)inner);
    count_leave(s, b, lanes, groups, inner, count, out);
  }
}

/* ---- cols: inner is W * width; thread (k,v) has chunk k of W columns, from W*v on ---- */

/* Row j of the thread's W columns, of which the vector is number q of x. */
/*@ requires (W == 1 || W == 4) && 0 <= q && W*q + W <= size && reads(x,size) && 0 <= j < IDX_LIM;
    requires W == 4 ==> aligned16(x);
    requires \valid(s + (0 .. 3)) && \valid_read(line + (0 .. 3)) && kept_all(s,4,j);
    assigns s[0 .. 3];
    ensures kept_all(s,4,j+1); */
DEV void count_row(int W, count_kept *s, const float *line, idx q, idx j,
                   const float *RESTRICT x GHOST_PARAMS(idx size))
{
  if (W == 4) {
    //@ assert aligned16(x+4*q);
    float4 v = LD4(x + 4 * q);
    s[0] = count_take(s[0], v.x, line[0], j);
    s[1] = count_take(s[1], v.y, line[1], j);
    s[2] = count_take(s[2], v.z, line[2], j);
    s[3] = count_take(s[3], v.w, line[3], j);
  } else
    s[0] = count_take(s[0], LDG(x + q), line[0], j);
  //@ assert kept_ok(s[0],j+1);
  //@ assert kept_ok(s[1],j+1);
  //@ assert kept_ok(s[2],j+1);
  //@ assert kept_ok(s[3],j+1);
  //@ assert \forall integer i; 0 <= i < 4 ==> i == 0 || i == 1 || i == 2 || i == 3;
}

/* Rows lo .. hi-1 of the W columns from W*c on: the vector of row j is number ix(j,width,at). */
/*@ requires (W == 1 || W == 4) && within(width,at,lo,hi,size) && reads(x,wide(W,size));
    requires (W == 4 ==> aligned16(x)) && \valid(s + (0 .. 3)) && \valid_read(line + (0 .. 3));
    requires kept_all(s,4,0);
    assigns s[0 .. 3];
    ensures kept_all(s,4,hi); */
DEV void count_rows(int W, count_kept *s, const float *line, idx at, idx width, idx lo, idx hi,
                    const float *RESTRICT x GHOST_PARAMS(idx size))
{
  /*@ loop invariant lo <= j <= hi && kept_all(s,4,j);
      loop assigns j, s[0 .. 3];
      loop variant hi - j; */
  UNROLL_BY(16)
  for (idx j = lo; j < hi; j++) {
    //@ assert 0 <= ix(j,width,at) < size;
    idx q = axis_at(at, j, width);
    //@ assert W*q == wide(W,q) && W*q + W <= wide(W,size);
    count_row(W, s, line, q, j, x GHOST_ARGS(W * size));
  }
}

/*@ // what thread (k,v) writes
    predicate count_W(integer k, integer v, integer width, integer W, integer e) =
      0 <= e - wide(W,ix(k,width,v)) < W;
    lemma race_count: \forall integer k, v, l, w, width, W, e; 0 <= v < width ==> 0 <= w < width ==>
      W == 1 || W == 4 ==> (k != l || v != w) ==> count_W(k,v,width,W,e) ==>
      !count_W(l,w,width,W,e);
    predicate may_put(double *out, integer e, integer W) =
      \forall integer i; e <= i < e + W ==> CW(out+i); */
/*@ requires (W == 1 || W == 4) && 0 <= e <= IDX_LIM && \valid(out + (e .. e+W-1));
    requires may_put(out,e,W) && \valid_read(s + (0 .. 3)) && kept_all(s,4,IDX_LIM);
    assigns out[e .. e+W-1]; */
DEV void count_put_kept(int W, idx e, const count_kept *s, double *RESTRICT out)
{
  /*@ loop invariant 0 <= i <= W;
      loop assigns i, out[e .. e+W-1];
      loop variant W - i; */
  UNROLL
  for (int i = 0; i < W; i++) {
    //@ assert kept_ok(s[i],IDX_LIM) && CW(out+(e+i));
    count_put(out + e + i, count_left(s[i]));
  }
}

/*@ predicate count_sizes(integer W, integer outer, integer n, integer width, integer chunk,
                          integer chunks) =
      (W == 1 || W == 4) && 0 < width <= IDX_LIM && level(outer,n,width,chunk,chunks) &&
      ix(ix(outer,n,0),width,0) <= IDX_LIM && ix(ix(outer,chunks,0),width,0) <= IDX_LIM &&
      wide(W,ix(ix(outer,n,0),width,0)) <= IDX_LIM && wide(W,ix(outer,width,0)) <= IDX_LIM &&
      wide(W,ix(ix(outer,chunks,0),width,0)) <= IDX_LIM;
    predicate cols_in{L}(integer parts, integer W, float *x, float *y, double *part,
                         integer outer, integer n, integer width) =
      (parts != 0 ==> W == 1 && parts_in(part,ix(ix(outer,n,0),width,0))) &&
      (parts == 0 ==> reads(x,wide(W,ix(ix(outer,n,0),width,0))) &&
        reads(y,wide(W,ix(outer,width,0))) && (W == 4 ==> aligned16(x))); */
/*@ requires count_sizes(W,outer,n,width,chunk,chunks) && cols_in(0,W,x,y,\null,outer,n,width);
    requires 0 <= o < outer && 0 <= v < width && 0 <= lo <= hi <= n;
    requires at == ix(ix(o,n,0),width,v) && \valid(out + (e .. e+W-1)) && may_put(out,e,W);
    requires 0 <= e <= IDX_LIM;
    assigns out[e .. e+W-1]; */
DEV void count_elements(int W, idx o, idx v, idx at, idx lo, idx hi, idx width, idx e,
                        const float *RESTRICT x, const float *RESTRICT y,
                        double *RESTRICT out GHOST_PARAMS(idx outer, idx n, idx chunk, idx chunks))
{
  const count_kept none = {0, 0};
  count_kept s[4];
  float line[4] = {0, 0, 0, 0};
  /*@ loop invariant 0 <= i <= 4 && kept_all(&s[0],i,0);
      loop assigns i, s[0 .. 3];
      loop variant 4 - i; */
  UNROLL
  for (int i = 0; i < 4; i++) {
    s[i] = none;
    //@ assert kept_ok(s[i],0);
    //@ assert kept_all(&s[0],i,0);
  }
  //@ assert 0 <= ix(o,width,v) < ix(outer,width,0);
  idx c = axis_at(v, o, width);
  //@ assert W * c == wide(W,c) && wide(W,c) + W <= wide(W,ix(outer,width,0));
  /*@ loop invariant 0 <= i <= W;
      loop assigns i, line[0 .. 3];
      loop variant W - i; */
  UNROLL
  for (int i = 0; i < W; i++) {
    //@ assert 0 <= W * c + i < wide(W,ix(outer,width,0)) && reads(y,wide(W,ix(outer,width,0)));
    line[i] = LDG(y + (W * c + i));
  }
  //@ assert line: within(width,at,lo,hi,ix(ix(outer,n,0),width,0));
  count_rows(W, s, line, at, width, lo, hi, x GHOST_ARGS(ix_times(ix_times(outer, n), width)));
  count_put_kept(W, e, s, out);
}

/* Thread (k,v). */
/*@ requires count_sizes(W,outer,n,width,chunk,chunks) && cols_in(parts,W,x,y,part,outer,n,width);
    requires 0 <= k < ix(outer,chunks,0) && 0 <= v < width;
    requires 0 <= ix(k,width,v) < ix(ix(outer,chunks,0),width,0);
    requires \valid(out + (0 .. wide(W,ix(ix(outer,chunks,0),width,0))-1));
    requires \forall integer e; count_W(k,v,width,W,e) ==> CW(out+e);
    assigns out[wide(W,ix(k,width,v)) .. wide(W,ix(k,width,v))+W-1]; */
DEV void count_column(int parts, int W, idx k, idx v, idx n, idx width, idx chunk, idx chunks,
                      const float *RESTRICT x, const float *RESTRICT y, const double *RESTRICT part,
                      double *RESTRICT out GHOST_PARAMS(idx outer))
{
  idx o = axis_line(k, chunks), lo = axis_chunk(k, o, chunks, chunk);
  idx hi = lo + chunk < n ? lo + chunk : n;
  //@ assert 0 <= o < outer && 0 <= lo <= hi <= n;
  idx at = axis_at(v, ix_times(o, n), width);
  //@ assert line: within(width,at,lo,hi,ix(ix(outer,n,0),width,0));
  idx to = axis_at(v, k, width);
  //@ assert W * to == wide(W,to) && wide(W,to) + W <= wide(W,ix(ix(outer,chunks,0),width,0));
  //@ assert may_put(out,wide(W,to),W);
  if (parts) {
    //@ assert W == 1 && wide(W,to) == to && count_W(k,v,width,W,to);
    //@ assert CW(out+to);
    count_put(out + to, parts_along(at, width, lo, hi, 0, 1,
                                    part GHOST_ARGS(ix_times(ix_times(outer, n), width))));
  } else
    count_elements(W, o, v, at, lo, hi, width, W * to, x, y,
                   out GHOST_ARGS(outer, n, chunk, chunks));
}

/*@ requires count_sizes(W,outer,n,width,chunk,chunks) && cols_in(PARTS,W,x,y,part,outer,n,width);
    requires ix(ix(outer,chunks,0),width,0) <= GSIZE;
    requires counts_out(out,wide(W,ix(ix(outer,chunks,0),width,0)));
    requires counts_apart(PARTS,x,y,part,out,wide(W,ix(ix(outer,n,0),width,0)),
                          wide(W,ix(outer,width,0)),wide(W,ix(ix(outer,chunks,0),width,0)));
    assigns out[0 .. wide(W,ix(ix(outer,chunks,0),width,0))-1]; */
TEMPLATE(int PARTS, int W)
KERNEL void max_axis_count_cols(CONSTANTS(int PARTS, int W) idx outer, idx n, idx width, idx chunk,
                                idx chunks, const float *RESTRICT x, const float *RESTRICT y,
                                const double *RESTRICT part, double *RESTRICT out)
{
  await_launches();
  idx lines = ix_times(outer, chunks);
  /*@ loop invariant 0 <= k <= lines;
      loop assigns k, out[0 .. wide(W,ix(ix(outer,chunks,0),width,0))-1];
      loop variant lines - k; */
  GROWS(k, lines, width)
    /*@ loop invariant 0 <= v <= width;
        loop assigns v, out[0 .. wide(W,ix(ix(outer,chunks,0),width,0))-1];
        loop variant width - v; */
    GCOLS(v, width) {
      //@ assert 0 <= ix(k,width,v) < ix(ix(outer,chunks,0),width,0);
      //@ assert wide(W,ix(k,width,v)) + W <= wide(W,ix(ix(outer,chunks,0),width,0));
      count_column(PARTS, W, k, v, n, width, chunk, chunks, x, y, part, out GHOST_ARGS(outer));
    }
}
#endif
