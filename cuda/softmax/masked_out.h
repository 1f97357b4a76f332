/* Output pass of masked_softmax, of a row whose exponentials' sum is at hand about any m: x, b
 * (the mask) and y are the row, which is read here. */
#ifndef PM_SOFTMAX_MASKED_OUT_H
#define PM_SOFTMAX_MASKED_OUT_H
#include "../lse/online_masked.h"
#include "../row/split.h"
#include "../row/split_steps.h"
#include "../lse/softmax_of_mass.h"

/*@ // what an element becomes, and what that is of a row that adds up to s about m
    logic real OpenOne(real b, real x, real m, real by) = if_open(b,rmul(ExpAbout(x,m),by));
    lemma open_exp_mass: \forall real b, x, m; Mass(open_exp(b,x,m),m) == if_open(b,\exp(x));
    lemma open_exp_adds{L}: \forall float *x, *b, real m, integer n; 0 < n ==>
      adds_to(OpenSumExp(x,b,m,n),OpenSumExp(x,b,m,n-1),open_exp(b[n-1],x[n-1],m));
    lemma open_sum_mass{L}: \forall integer n, float *x, *b, real m;
      Mass(OpenSumExp{L}(x,b,m,n),m) == OpenWhole{L}(x,b,n);
    lemma rmul_pos: \forall real s, e; e > 0.0 ==> 0.0 < rmul(s,e) ==> 0.0 < s;
    lemma mass_above: \forall real s, m; 0.0 < Mass(s,m) ==> 0.0 < s;
    lemma open_some{L}: \forall float *x, *b, integer n, c, real m, s; 0 <= c < n ==> b[c] ==
      0.0 ==>
      Mass(s,m) == OpenWhole{L}(x,b,n) ==> 0.0 < s;
    lemma open_about{L}: \forall float *x, *b, integer n, c, real m, s; 0 <= c < n ==>
      b[c] == 0.0 ==> Mass(s,m) == OpenWhole{L}(x,b,n) ==>
      rdiv(ExpAbout(x[c],m),s) ==
        rdiv(ExpAbout(x[c],OpenMax{L}(x,b,n)),OpenSumExp{L}(x,b,OpenMax{L}(x,b,n),n));
    lemma blocked_one: \forall real b, x, m, by, v; b != 0.0 ==>
      OpenOne(b,x,m,by) == if_open(b,v);
    lemma any_open{L}: \forall float *x, *b, integer n, c, real m, s, to, by; 0 <= c < n ==>
      Mass(s,m) == OpenWhole{L}(x,b,n) ==> (s != 0.0 ==> to == m && by == rdiv(1.0,s)) ==>
      OpenOne(b[c],x[c],to,by) == MaskedSoftmax{L}(x,b,n,c); */

/* -Inf where the sum is 0, which it is of nothing above -Inf: an open -Inf becomes NaN by it. */
/*@ assigns \nothing; ensures s != 0.0 ==> \result == m; */
DEV float open_top(float s, float m) { return s == 0.0f ? lowest() : m; }

/* Nothing is divided where nothing is open. */
/*@ assigns \nothing; ensures s != 0.0 ==> \result == rdiv(1.0,s); */
DEV float open_by(float s) { return s == 0.0f ? 0.0f : 1.0f / s; }

/*@ assigns \nothing; ensures \result == OpenOne(b,x,m,by); */
DEV float open_one(float b, float x, float m, float by)
{
  float e = pm_expf(x - m) * by;
  //@ assert e: e == rmul(ExpAbout(x,m),by);
  //@ assert open: b == 0.0 ==> OpenOne(b,x,m,by) == e;
  //@ assert blocked: b != 0.0 ==> OpenOne(b,x,m,by) == 0.0;
  return b == 0.0f ? e : 0.0f;
}

/*@ assigns \nothing;
    ensures \result.x == OpenOne(w.x,v.x,m,by) && \result.y == OpenOne(w.y,v.y,m,by);
    ensures \result.z == OpenOne(w.z,v.z,m,by) && \result.w == OpenOne(w.w,v.w,m,by); */
DEV float4 open_one_4(float4 w, float4 v, float m, float by)
{
  v.x = open_one(w.x, v.x, m, by);
  v.y = open_one(w.y, v.y, m, by);
  v.z = open_one(w.z, v.z, m, by);
  v.w = open_one(w.w, v.w, m, by);
  return v;
}

/*@ predicate open_io{L}(float *x, float *b, float *y, integer n, integer cols, integer vec) =
      reads(x,n) && reads(b,n) && writes(y,n) && apart(x,n,y,n) && apart(b,n,y,n) && n <= IDX_LIM &&
      (vec != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(b) && aligned16(y));
    predicate open_done{L0,L}(float *y, float *x, float *b, real m, real by, integer from,
                              integer to) =
      \forall integer c; from <= c < to ==>
        \at(y[c],L) == OpenOne(\at(b[c],L0),\at(x[c],L0),m,by); */
/* The elements of a step that begins at c. */
/*@ requires open_io(x,b,y,n,n,vec) && 0 <= c && c + StepAt(vec,1) <= n;
    requires vec != 0 ==> c % 4 == 0;
    assigns y[c .. c+StepAt(vec,1)-1];
    ensures open_done{Pre,Post}(y,x,b,m,by,c,c+StepAt(vec,1)); */
DEV void open_put(int vec, idx c, float m, float by, const float *RESTRICT x,
                  const float *RESTRICT b, float *RESTRICT y GHOST_PARAMS(idx n))
{
  //@ assert perm: perm_r(x,n) && perm_r(b,n) && perm_w(y,n);
  if (vec) {
    //@ assert aligned: aligned16(x+c) && aligned16(b+c) && aligned16(y+c);
    ST4(y + c, open_one_4(LD4(b + c), LD4(x + c), m, by));
    //@ assert a: y[c] == OpenOne(rd{Pre}(b,c),rd{Pre}(x,c),m,by);
    //@ assert b: y[c+1] == OpenOne(rd{Pre}(b,c+1),rd{Pre}(x,c+1),m,by);
    //@ assert c: y[c+2] == OpenOne(rd{Pre}(b,c+2),rd{Pre}(x,c+2),m,by);
    //@ assert d: y[c+3] == OpenOne(rd{Pre}(b,c+3),rd{Pre}(x,c+3),m,by);
    //@ assert two: open_done{Pre,Here}(y,x,b,m,by,c,c+2);
    //@ assert three: open_done{Pre,Here}(y,x,b,m,by,c,c+3);
    //@ assert four: open_done{Pre,Here}(y,x,b,m,by,c,c+4);
  } else {
    STG(y + c, open_one(LDG(b + c), LDG(x + c), m, by));
    //@ assert one: open_done{Pre,Here}(y,x,b,m,by,c,c+1);
  }
}

/* Elements o .. o+n-1 of a row. */
/*@ requires block && open_io(x,b,y,cols,cols,vec) && 0 <= o && 0 < n && o + n <= cols;
    requires vec != 0 ==> o % 4 == 0 && n % 4 == 0;
    assigns y[o .. o+n-1];
    ensures open_done{Pre,Post}(y,x,b,m,by,o,o+n); */
DEV void open_put_all(int vec, idx o, idx n, float m, float by, const float *RESTRICT x,
                      const float *RESTRICT b, float *RESTRICT y GHOST_PARAMS(idx cols))
{
  idx steps = split_steps(vec, n);
  /*@ loop invariant 0 <= k0 <= steps + BDIM;
      loop invariant open_done{Pre,Here}(y,x,b,m,by,o,o+StepAt(vec,lesser(k0,steps)));
      loop assigns k0, y[o .. o+n-1];
      loop variant steps - k0; */
  UNROLL_BY(4)
  for (idx k0 = 0; k0 < steps; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant open_done{Pre,Here}(y,x,b,m,by,o,o+StepAt(vec,lesser(k0+t,steps)));
        loop assigns t, y[o .. o+n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < steps) {
        idx c = o + (vec ? 4 * (k0 + t) : k0 + t);
        //@ assert at: c == o + StepAt(vec,k0+t) && c + StepAt(vec,1) == o + StepAt(vec,k0+t+1);
        //@ assert in: 0 <= o <= c && c + StepAt(vec,1) <= o + n;
        //@ assert fours: vec != 0 ==> c % 4 == 0;
        //@ assert same: Same{Pre,Here}(x,cols) && Same{Pre,Here}(b,cols);
        open_put(vec, c, m, by, x, b, y GHOST_ARGS(cols));
        //@ assert mine: open_done{Pre,Here}(y,x,b,m,by,c,c+StepAt(vec,1));
        //@ assert old: open_done{Pre,Here}(y,x,b,m,by,o,c);
        //@ assert new: open_done{Pre,Here}(y,x,b,m,by,o,c+StepAt(vec,1));
        //@ assert here: lesser(k0+t,steps) == k0+t && lesser(k0+t+1,steps) == k0+t+1;
      }
  }
}

/*@ // of a row's masked softmax the elements from .. to-1
    predicate open_from{L0,L}(float *x, float *b, float *y, integer cols, integer from,
                              integer to) =
      \forall integer c; from <= c < to ==> \at(y[c],L) == MaskedSoftmax{L0}(x,b,cols,c); */

/* Piece p of a row, which adds up to all. */
/*@ requires block && row_split(cols,chunk,pieces) && 0 <= p < pieces;
    requires open_io(x,b,y,cols,cols,vec) && Mass(all.s,all.m) == OpenWhole(x,b,cols);
    assigns y[0 .. cols-1];
    ensures open_from{Pre,Post}(x,b,y,cols,PieceAt(p,cols,chunk),PieceAt(p+1,cols,chunk));
    ensures Same{Pre,Post}(y,PieceAt(p,cols,chunk)); */
DEV void masked_split_row(once_sum all, int vec, idx p, idx cols, idx chunk, int pieces,
                          const float *RESTRICT x, const float *RESTRICT b, float *RESTRICT y)
{
  row_piece w = chunk_of(p, cols, chunk, pieces);
  idx o = w.at, n = w.n;
  float m = open_top(all.s, all.m), by = open_by(all.s);
  //@ assert fours: vec != 0 ==> o % 4 == 0 && n % 4 == 0;
  /*@ assert soft: \forall integer c; 0 <= c < cols ==>
        OpenOne(b[c],x[c],m,by) == MaskedSoftmax(x,b,cols,c); */
  open_put_all(vec, o, n, m, by, x, b, y GHOST_ARGS(cols));
  //@ assert before: Same{Pre,Here}(y,o);
  /*@ assert mine: \forall integer c; o <= c < o + n ==>
        y[c] == OpenOne(\at(b[c],Pre),\at(x[c],Pre),m,by); */
}

/*@ // rows of a tensor
    predicate rows_masked{L0,L}(float *x, float *b, float *y, integer cols, integer n) =
      \forall integer r; 0 <= r < n ==>
        open_from{L0,L}(x+ix(r,cols,0),b+ix(r,cols,0),y+ix(r,cols,0),cols,0,cols);
    lemma open_from_kept{L0,L1,L2}: \forall float *x, *b, *y, integer cols, to;
      Same{L1,L2}(y,to) ==> open_from{L0,L1}(x,b,y,cols,0,to) ==>
      open_from{L0,L2}(x,b,y,cols,0,to);
    lemma open_row_stays{L1,L2}: \forall float *y, integer cols, r, n; 0 <= cols ==> 0 <= r < n ==>
      Same{L1,L2}(y,ix(n,cols,0)) ==> Same{L1,L2}(y+ix(r,cols,0),cols);
    lemma open_row_kept{L0,L1,L2}: \forall float *x, *b, *y, integer cols, r, n; 0 <= r < n ==>
      0 <= cols ==> Same{L1,L2}(y,ix(n,cols,0)) ==>
      open_from{L0,L1}(x+ix(r,cols,0),b+ix(r,cols,0),y+ix(r,cols,0),cols,0,cols) ==>
      open_from{L0,L2}(x+ix(r,cols,0),b+ix(r,cols,0),y+ix(r,cols,0),cols,0,cols);
    lemma rows_masked_kept{L0,L1,L2}: \forall float *x, *b, *y, integer cols, n; 0 <= n ==>
      0 <= cols ==> Same{L1,L2}(y,ix(n,cols,0)) ==> rows_masked{L0,L1}(x,b,y,cols,n) ==>
      rows_masked{L0,L2}(x,b,y,cols,n);
    lemma open_from_on{L0,L}: \forall float *x, *b, *y, integer cols, mid, to;
      open_from{L0,L}(x,b,y,cols,0,mid) ==> open_from{L0,L}(x,b,y,cols,mid,to) ==>
      open_from{L0,L}(x,b,y,cols,0,to);
    lemma open_from_frame{L1,L2,L}: \forall float *x, *b, *y, integer cols, from, to; 0 <= from ==>
      to <= cols ==> Same{L1,L2}(x,cols) ==> Same{L1,L2}(b,cols) ==>
      open_from{L1,L}(x,b,y,cols,from,to) ==> open_from{L2,L}(x,b,y,cols,from,to); */
#endif
