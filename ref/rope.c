#include "rope.h"
#include "lost.h"

/*@ lemma exp_of_log: \forall real x; 0.0 < x ==> \exp(\log(x)) == x;
    lemma cos_of_none: \forall real x; is_zero(x) ==> \cos(x) == 1.0;
    lemma once: \forall real x, y; y == 1.0 ==> rmul(x,y) == x;
    lemma none_of: \forall real x, y; y == 0.0 ==> is_zero(rmul(x,y));
    lemma sin_of_none: \forall real x; is_zero(x) ==> \sin(x) == 0.0;
*/

/* What r_log(x) lost: by how much x is not exp of it, over that. */
/*@ assigns \nothing; ensures is_zero(\result); */
static double log_lost(double x)
{
  if (!(x > 0.0))
    return 0.0;
  double y = r_log(x), back = r_exp(y);
  //@ assert back == x;
  double off = (x - back) - r_exp_lost(y);
  //@ assert is_zero(off);
  return r_div(off, back);
}

/*@ requires 0 <= i && 2*i < d <= IDX_LIM;
    assigns \nothing;
    ensures \result.v == RopeLog(base,d,i) && Lossless(\result); */
static twice log_of(double base, idx d, idx i)
{
  twice part = twice_quotient(twice_exactly((double)(2 * i)), twice_exactly((double)d));
  twice ln = {r_log(base), log_lost(base)};
  return twice_product(part, ln);
}

/*@ requires 0 <= i && 2*i < d <= IDX_LIM;
    assigns \nothing;
    ensures \result.v == RopePower(base,d,i) && Lossless(\result); */
static twice power(double base, idx d, idx i)
{
  twice log = log_of(base, d, i);
  double f = r_exp(-log.v), lost = r_mul(f, log.lost);
  //@ assert whole: f == RopePower(base,d,i);
  //@ assert none: is_zero(lost);
  twice y = {f, r_exp_lost(-log.v) - lost};
  return y;
}

/* Positions are large, and what an angle loses they multiply. */
/*@ requires 0 <= i && 2*i < d <= IDX_LIM && (table != 0 ==> \valid_read(inv_freq + i));
    assigns \nothing;
    ensures \result.v == RopeAngle(back, p, RopeFreq(table,inv_freq,base,d,i));
    ensures Lossless(\result); */
static twice angle(int back, int table, double base, idx p, const double *inv_freq, idx d, idx i)
{
  twice f = table ? twice_exactly(inv_freq[i]) : power(base, d, i);
  twice t = twice_product(twice_exactly((double)p), f);
  return back ? twice_less(twice_exactly(0.0), t) : t;
}

/*@ requires Lossless(t); assigns \nothing; ensures \result == \cos(t.v); */
static double cos_of(twice t)
{
  double whole = r_mul(r_cos(t.v), r_cos(t.lost)), rest = r_mul(r_sin(t.v), r_sin(t.lost));
  //@ assert one: whole == \cos(t.v);
  //@ assert none: is_zero(rest);
  return whole - rest;
}

/*@ requires Lossless(t); assigns \nothing; ensures \result == \sin(t.v); */
static double sin_of(twice t)
{
  double whole = r_mul(r_sin(t.v), r_cos(t.lost)), rest = r_mul(r_cos(t.v), r_sin(t.lost));
  //@ assert one: whole == \sin(t.v);
  //@ assert none: is_zero(rest);
  return whole + rest;
}

/*@ requires Lossless(t); assigns \nothing; ensures \result == RopeFirst(a,b,t.v); */
static double first(double a, double b, twice t) { return a * cos_of(t) - b * sin_of(t); }

/*@ requires Lossless(t); assigns \nothing; ensures \result == RopeSecond(a,b,t.v); */
static double second(double a, double b, twice t) { return b * cos_of(t) + a * sin_of(t); }

/*@ requires 0 <= r && 0 < heads && 0 < seq && 0 <= offset && offset + seq <= ROPE_POSITIONS;
    assigns \nothing;
    ensures \result == offset + RopeStep(r,heads,seq); */
static idx position(idx offset, idx r, idx seq, idx heads)
{
  idx q = r / heads, s = q % seq;
  //@ assert q == quo(r,heads) && s == rem(q,seq) && 0 <= q;
  //@ assert 0 <= s < seq;
  return offset + s;
}

/* A row of 2 half elements at position p. */
/*@ requires 0 <= half && 2*half <= IDX_LIM && In1(inv_freq,half);
    requires \valid_read(x + (0 .. 2*half-1)) && \valid(y + (0 .. 2*half-1));
    requires Sep(y,2*half,x,2*half) && Sep(y,2*half,inv_freq,half);
    assigns y[0 .. 2*half-1];
    ensures \forall integer c; 0 <= c < 2*half ==>
      y[c] == RopeRow{Pre}(back,table,base,p,x,inv_freq,half,c); */
static void turn_row(idx half, int back, int table, double base, idx p, const double *x,
                     const double *inv_freq, double *y)
{
  /*@ loop invariant 0 <= i <= half;
      loop invariant low: \forall integer c; 0 <= c < i ==>
        y[c] == RopeRow{Pre}(back,table,base,p,x,inv_freq,half,c);
      loop invariant high: \forall integer c; half <= c < half + i ==>
        y[c] == RopeRow{Pre}(back,table,base,p,x,inv_freq,half,c);
      loop assigns i, y[0 .. 2*half-1];
      loop variant half - i; */
  for (idx i = 0; i < half; i++) {
    double a = x[i], b = x[i + half];
    twice t = angle(back, table, base, p, inv_freq, 2 * half, i);
    //@ ghost L0: ;
    //@ assert read: a == rd{Pre}(x,i) && b == rd{Pre}(x,i+half);
    //@ assert turned: t.v == RopeAngle(back, p, RopeFreq{Pre}(table,inv_freq,base,2*half,i));
    y[i] = first(a, b, t);
    y[i + half] = second(a, b, t);
    //@ assert one: y[i] == RopeRow{Pre}(back,table,base,p,x,inv_freq,half,i);
    //@ assert other: y[i+half] == RopeRow{Pre}(back,table,base,p,x,inv_freq,half,i+half);
    /*@ assert old: \forall integer c; 0 <= c < 2*half ==> c != i ==> c != i + half ==>
          y[c] == \at(y[c],L0); */
  }
}

/*@ predicate turn_rows{L1,L2}(integer back, integer table, real base, integer offset,
                           scalar *x, scalar *inv_freq, scalar *y, integer seq,
                           integer heads, integer d, integer rows) =
      \forall integer r, c; 0 <= r < rows ==> 0 <= c < d ==>
        \at(y[ix(r,d,c)],L2) ==
        Rope{L1}(back,table,base,offset,x,inv_freq,seq,heads,d,r,c); */

/*@ requires RopeSizes(batch,seq,heads,d,offset) && In1(inv_freq,d/2);
    requires \valid_read(x + (0 .. RopeSize(batch,seq,heads,d)-1));
    requires \valid(y + (0 .. RopeSize(batch,seq,heads,d)-1));
    requires Sep(y,RopeSize(batch,seq,heads,d),x,RopeSize(batch,seq,heads,d));
    requires Sep(y,RopeSize(batch,seq,heads,d),inv_freq,d/2);
    assigns y[0 .. RopeSize(batch,seq,heads,d)-1];
    ensures turn_rows{Pre,Post}(back,table,base,offset,x,inv_freq,y,seq,heads,d,
                            RopeRows(batch,seq,heads)); */
static void turn_all(idx batch, idx seq, idx heads, idx d, int back, int table, double base,
                     idx offset, const double *x, const double *inv_freq, double *y)
{
  idx rows = size2(size2(batch, seq), heads);
  if (seq == 0 || heads == 0)
    return;
  /*@ loop invariant 0 <= r <= rows;
      loop invariant turn_rows{Pre,Here}(back,table,base,offset,x,inv_freq,y,seq,heads,d,r);
      loop assigns r, y[0 .. ix(rows,d,0)-1];
      loop variant rows - r; */
  for (idx r = 0; r < rows; r++) {
    //@ ghost L0: ;
    idx o = size2(r, d), p = position(offset, r, seq, heads);
    //@ assert inside: 0 <= o && o + d <= ix(rows,d,0) && 2*(d/2) == d;
    turn_row(d / 2, back, table, base, p, x + o, inv_freq, y + o);
    /*@ assert frame: \forall integer c; 0 <= c < d ==>
          RopeRow{L0}(back,table,base,p,x+o,inv_freq,d/2,c) ==
          RopeRow{Pre}(back,table,base,p,x+o,inv_freq,d/2,c); */
    /*@ assert new: \forall integer c; 0 <= c < d ==> y[ix(r,d,c)] ==
          Rope{Pre}(back,table,base,offset,x,inv_freq,seq,heads,d,r,c); */
    /*@ assert old: \forall integer q, c; 0 <= q < r ==> 0 <= c < d ==>
          y[ix(q,d,c)] == \at(y[ix(q,d,c)],L0); */
  }
}

void ref_rope(idx batch, idx seq, idx heads, idx head_dim, int table, double base, idx pos_offset,
              const double *x, const double *inv_freq, double *y)
{
  turn_all(batch, seq, heads, head_dim, 0, table, base, pos_offset, x, inv_freq, y);
}

void ref_rope_vjp(idx batch, idx seq, idx heads, idx head_dim, int table, double base,
                  idx pos_offset, const double *inv_freq, const double *g, double *dx)
{
  turn_all(batch, seq, heads, head_dim, 1, table, base, pos_offset, g, inv_freq, dx);
}

/*@ requires 0 <= i && 2*i < d <= IDX_LIM;
    assigns \nothing;
    ensures \result == RopeWeight(table,base,d,i); */
static double weight(int table, double base, idx d, idx i)
{
  return table ? 1.0 : 1.0 + r_abs(log_of(base, d, i).v);
}

/*@ assigns \nothing; ensures \result == p_rope_angle(A,t,w); */
static pair pair_angle(arith A, double t, double w)
{
  return pair_make(t, 4.0 * A.alpha * A.u * r_abs(t) * w);
}

/*@ assigns \nothing; ensures \result == e_rope_first(A,a,b,t); */
static double first_error(arith A, double a, double b, pair t)
{
  pair at = pair_mul(A, pair_in(a), pair_cos(A, t)), bt = pair_mul(A, pair_in(b), pair_sin(A, t));
  return pair_sub(A, at, bt).e;
}

/*@ assigns \nothing; ensures \result == e_rope_second(A,a,b,t); */
static double second_error(arith A, double a, double b, pair t)
{
  pair bt = pair_mul(A, pair_in(b), pair_cos(A, t)), at = pair_mul(A, pair_in(a), pair_sin(A, t));
  return pair_add(A, bt, at).e;
}

/* The bounds of such a row. */
/*@ requires 0 <= half && 2*half <= IDX_LIM && In1(inv_freq,half);
    requires \valid_read(x + (0 .. 2*half-1)) && \valid(e + (0 .. 2*half-1));
    requires Sep(e,2*half,x,2*half) && Sep(e,2*half,inv_freq,half);
    assigns e[0 .. 2*half-1];
    ensures \forall integer c; 0 <= c < 2*half ==>
      e[c] == RopeRowBound{Pre}(A,back,table,base,p,x,inv_freq,half,c); */
static void bound_row(arith A, idx half, int back, int table, double base, idx p, const double *x,
                      const double *inv_freq, double *e)
{
  /*@ loop invariant 0 <= i <= half;
      loop invariant low: \forall integer c; 0 <= c < i ==>
        e[c] == RopeRowBound{Pre}(A,back,table,base,p,x,inv_freq,half,c);
      loop invariant high: \forall integer c; half <= c < half + i ==>
        e[c] == RopeRowBound{Pre}(A,back,table,base,p,x,inv_freq,half,c);
      loop assigns i, e[0 .. 2*half-1];
      loop variant half - i; */
  for (idx i = 0; i < half; i++) {
    double a = x[i], b = x[i + half];
    pair t = pair_angle(A, angle(back, table, base, p, inv_freq, 2 * half, i).v,
                        weight(table, base, 2 * half, i));
    //@ ghost L0: ;
    //@ assert read: a == rd{Pre}(x,i) && b == rd{Pre}(x,i+half);
    //@ assert turned: t == RopeAnglePair{Pre}(A,back,table,base,p,inv_freq,half,i);
    e[i] = first_error(A, a, b, t);
    e[i + half] = second_error(A, a, b, t);
    //@ assert one: e[i] == RopeRowBound{Pre}(A,back,table,base,p,x,inv_freq,half,i);
    //@ assert other: e[i+half] == RopeRowBound{Pre}(A,back,table,base,p,x,inv_freq,half,i+half);
    /*@ assert old: \forall integer c; 0 <= c < 2*half ==> c != i ==> c != i + half ==>
          e[c] == \at(e[c],L0); */
  }
}

/*@ predicate bound_rows{L1,L2}(arith A, integer back, integer table, real base, integer offset,
                           scalar *x, scalar *inv_freq, scalar *e, integer seq,
                           integer heads, integer d, integer rows) =
      \forall integer r, c; 0 <= r < rows ==> 0 <= c < d ==>
        \at(e[ix(r,d,c)],L2) ==
        RopeBound{L1}(A,back,table,base,offset,x,inv_freq,seq,heads,d,r,c); */

/*@ requires RopeSizes(batch,seq,heads,d,offset) && In1(inv_freq,d/2);
    requires \valid_read(x + (0 .. RopeSize(batch,seq,heads,d)-1));
    requires \valid(e + (0 .. RopeSize(batch,seq,heads,d)-1));
    requires Sep(e,RopeSize(batch,seq,heads,d),x,RopeSize(batch,seq,heads,d));
    requires Sep(e,RopeSize(batch,seq,heads,d),inv_freq,d/2);
    assigns e[0 .. RopeSize(batch,seq,heads,d)-1];
    ensures bound_rows{Pre,Post}(A,back,table,base,offset,x,inv_freq,e,seq,heads,d,
                            RopeRows(batch,seq,heads)); */
static void bound_all(arith A, idx batch, idx seq, idx heads, idx d, int back, int table,
                      double base, idx offset, const double *x, const double *inv_freq, double *e)
{
  idx rows = size2(size2(batch, seq), heads);
  if (seq == 0 || heads == 0)
    return;
  /*@ loop invariant 0 <= r <= rows;
      loop invariant bound_rows{Pre,Here}(A,back,table,base,offset,x,inv_freq,e,seq,heads,d,r);
      loop assigns r, e[0 .. ix(rows,d,0)-1];
      loop variant rows - r; */
  for (idx r = 0; r < rows; r++) {
    //@ ghost L0: ;
    idx o = size2(r, d), p = position(offset, r, seq, heads);
    //@ assert inside: 0 <= o && o + d <= ix(rows,d,0) && 2*(d/2) == d;
    bound_row(A, d / 2, back, table, base, p, x + o, inv_freq, e + o);
    /*@ assert frame: \forall integer c; 0 <= c < d ==>
          RopeRowBound{L0}(A,back,table,base,p,x+o,inv_freq,d/2,c) ==
          RopeRowBound{Pre}(A,back,table,base,p,x+o,inv_freq,d/2,c); */
    /*@ assert new: \forall integer c; 0 <= c < d ==> e[ix(r,d,c)] ==
          RopeBound{Pre}(A,back,table,base,offset,x,inv_freq,seq,heads,d,r,c); */
    /*@ assert old: \forall integer q, c; 0 <= q < r ==> 0 <= c < d ==>
          e[ix(q,d,c)] == \at(e[ix(q,d,c)],L0); */
  }
}

void bound_rope(idx batch, idx seq, idx heads, idx head_dim, int table, double base, idx pos_offset,
                const double *x, const double *inv_freq, arith A, double *e_y)
{
  bound_all(A, batch, seq, heads, head_dim, 0, table, base, pos_offset, x, inv_freq, e_y);
}

void bound_rope_vjp(idx batch, idx seq, idx heads, idx head_dim, int table, double base,
                    idx pos_offset, const double *inv_freq, const double *g, arith A, double *e_dx)
{
  bound_all(A, batch, seq, heads, head_dim, 1, table, base, pos_offset, g, inv_freq, e_dx);
}
