/* Rotary positions, their VJP and bounds. x, y: (batch, seq, heads, head_dim), head_dim even: the
 * pair of elements c and c + head_dim/2 at step s is turned by (pos_offset + s) f[c], where f is
 * inv_freq, (head_dim/2), or for table = 0 base^(-2c/head_dim). Positions are numbers of f64. */
#ifndef REF_ROPE_H
#define REF_ROPE_H
#include "ref.h"
#include "pair.h"
#include "../spec/rope.h"

/*@ logic integer RopeRows(integer batch, integer seq, integer heads) = ix(ix(batch,seq,0),heads,0);
    logic integer RopeSize(integer batch, integer seq, integer heads, integer d) =
      ix(RopeRows(batch,seq,heads),d,0);
    predicate RopeSizes(integer batch, integer seq, integer heads, integer d, integer offset) =
      0 <= batch && 0 <= seq && 0 <= heads && 0 <= d && ix(batch,seq,0) <= IDX_LIM &&
      RopeRows(batch,seq,heads) <= IDX_LIM && RopeSize(batch,seq,heads,d) <= IDX_LIM &&
      d % 2 == 0 && 0 <= offset && offset + seq <= ROPE_POSITIONS;
*/

/* y = x turned. */
/*@ requires RopeSizes(batch,seq,heads,head_dim,pos_offset) && In1(inv_freq,head_dim/2);
    requires \valid_read(x + (0 .. RopeSize(batch,seq,heads,head_dim)-1));
    requires \valid(y + (0 .. RopeSize(batch,seq,heads,head_dim)-1));
    requires Sep(y,RopeSize(batch,seq,heads,head_dim),x,RopeSize(batch,seq,heads,head_dim));
    requires Sep(y,RopeSize(batch,seq,heads,head_dim),inv_freq,head_dim/2);
    assigns y[0 .. RopeSize(batch,seq,heads,head_dim)-1];
    ensures \forall integer r, c; 0 <= r < RopeRows(batch,seq,heads) ==> 0 <= c < head_dim ==>
      y[ix(r,head_dim,c)] ==
      Rope{Pre}(0,table,base,pos_offset,x,inv_freq,seq,heads,head_dim,r,c);
*/
void ref_rope(idx batch, idx seq, idx heads, idx head_dim, int table, double base, idx pos_offset,
              const double *x, const double *inv_freq, double *y);

/* dx = g turned back. */
/*@ requires RopeSizes(batch,seq,heads,head_dim,pos_offset) && In1(inv_freq,head_dim/2);
    requires \valid_read(g + (0 .. RopeSize(batch,seq,heads,head_dim)-1));
    requires \valid(dx + (0 .. RopeSize(batch,seq,heads,head_dim)-1));
    requires Sep(dx,RopeSize(batch,seq,heads,head_dim),g,RopeSize(batch,seq,heads,head_dim));
    requires Sep(dx,RopeSize(batch,seq,heads,head_dim),inv_freq,head_dim/2);
    assigns dx[0 .. RopeSize(batch,seq,heads,head_dim)-1];
    ensures \forall integer r, c; 0 <= r < RopeRows(batch,seq,heads) ==> 0 <= c < head_dim ==>
      dx[ix(r,head_dim,c)] ==
      Rope{Pre}(1,table,base,pos_offset,g,inv_freq,seq,heads,head_dim,r,c);
*/
void ref_rope_vjp(idx batch, idx seq, idx heads, idx head_dim, int table, double base,
                  idx pos_offset, const double *inv_freq, const double *g, double *dx);

/* Bounds: products with a cosine and a sine, added. The angle is off by alpha times 4 u of itself,
 * and by as much for each unit of ln f, the argument of the exp that makes a power of the base. */
/*@ axiomatic BoundRope {
      logic real RopeWeight(integer table, real base, integer d, integer i) reads \nothing;
      axiom rope_weight_def: \forall integer table, real base, integer d, i;
        RopeWeight(table,base,d,i) == (table != 0 ? 1.0 : 1.0 + \abs(RopeLog(base,d,i)));
      logic pair p_rope_angle(arith A, real t, real w) reads \nothing;
      axiom p_rope_angle_def: \forall arith A, real t, w; p_rope_angle(A,t,w) ==
        p_make(t, 4.0 * A.alpha * A.u * \abs(t) * w);
      logic real e_rope_first(arith A, real a, real b, pair t) reads \nothing;
      axiom e_rope_first_def: \forall arith A, real a, b, pair t; e_rope_first(A,a,b,t) ==
        p_sub(A, p_mul(A, p_make(a,0.0), p_cos(A,t)), p_mul(A, p_make(b,0.0), p_sin(A,t))).e;
      logic real e_rope_second(arith A, real a, real b, pair t) reads \nothing;
      axiom e_rope_second_def: \forall arith A, real a, b, pair t; e_rope_second(A,a,b,t) ==
        p_add(A, p_mul(A, p_make(b,0.0), p_cos(A,t)), p_mul(A, p_make(a,0.0), p_sin(A,t))).e;
    }
    logic pair RopeAnglePair{L}(arith A, integer back, integer table, real base, integer p,
                                scalar *inv_freq, integer half, integer i) =
      p_rope_angle(A, RopeAngle(back, p, RopeFreq{L}(table,inv_freq,base,2*half,i)),
                   RopeWeight(table,base,2*half,i));
    logic real RopeRowBound{L}(arith A, integer back, integer table, real base, integer p,
                               scalar *x, scalar *inv_freq, integer half, integer c) =
      c < half
        ? e_rope_first(A, x[c], x[c+half],
                       RopeAnglePair{L}(A,back,table,base,p,inv_freq,half,c))
        : e_rope_second(A, x[c-half], x[c],
                        RopeAnglePair{L}(A,back,table,base,p,inv_freq,half,c-half));
    logic real RopeBound{L}(arith A, integer back, integer table, real base, integer offset,
                            scalar *x, scalar *inv_freq, integer seq, integer heads, integer d,
                            integer r, integer c) =
      RopeRowBound{L}(A, back, table, base, offset + RopeStep(r,heads,seq), x + ix(r,d,0), inv_freq,
                      d/2, c);
*/

/* e_y: as y. */
/*@ requires RopeSizes(batch,seq,heads,head_dim,pos_offset) && In1(inv_freq,head_dim/2);
    requires \valid_read(x + (0 .. RopeSize(batch,seq,heads,head_dim)-1));
    requires \valid(e_y + (0 .. RopeSize(batch,seq,heads,head_dim)-1));
    requires Sep(e_y,RopeSize(batch,seq,heads,head_dim),x,RopeSize(batch,seq,heads,head_dim));
    requires Sep(e_y,RopeSize(batch,seq,heads,head_dim),inv_freq,head_dim/2);
    assigns e_y[0 .. RopeSize(batch,seq,heads,head_dim)-1];
    ensures \forall integer r, c; 0 <= r < RopeRows(batch,seq,heads) ==> 0 <= c < head_dim ==>
      e_y[ix(r,head_dim,c)] ==
      RopeBound{Pre}(A,0,table,base,pos_offset,x,inv_freq,seq,heads,head_dim,r,c);
*/
void bound_rope(idx batch, idx seq, idx heads, idx head_dim, int table, double base, idx pos_offset,
                const double *x, const double *inv_freq, arith A, double *e_y);

/* e_dx: as dx. */
/*@ requires RopeSizes(batch,seq,heads,head_dim,pos_offset) && In1(inv_freq,head_dim/2);
    requires \valid_read(g + (0 .. RopeSize(batch,seq,heads,head_dim)-1));
    requires \valid(e_dx + (0 .. RopeSize(batch,seq,heads,head_dim)-1));
    requires Sep(e_dx,RopeSize(batch,seq,heads,head_dim),g,RopeSize(batch,seq,heads,head_dim));
    requires Sep(e_dx,RopeSize(batch,seq,heads,head_dim),inv_freq,head_dim/2);
    assigns e_dx[0 .. RopeSize(batch,seq,heads,head_dim)-1];
    ensures \forall integer r, c; 0 <= r < RopeRows(batch,seq,heads) ==> 0 <= c < head_dim ==>
      e_dx[ix(r,head_dim,c)] ==
      RopeBound{Pre}(A,1,table,base,pos_offset,g,inv_freq,seq,heads,head_dim,r,c);
*/
void bound_rope_vjp(idx batch, idx seq, idx heads, idx head_dim, int table, double base,
                    idx pos_offset, const double *inv_freq, const double *g, arith A, double *e_dx);
#endif
