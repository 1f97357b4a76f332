/* Rotary positions: x is (batch, seq, heads, d), d even, seen as rows of d. Row r has the step
 * Step(r,heads,seq) of its sequence; elements c and c + d/2 of it are turned by one angle. */
#ifndef SPEC_ROPE_H
#define SPEC_ROPE_H
#include "walk.h"

#define ROPE_POSITIONS 0x20000000000000 /* positions end there: 2^53 */

/*@ // base^(-2i/d)
    axiomatic RopePower {
      logic real RopeLog(real base, integer d, integer i) reads \nothing;
      axiom rope_log_def: \forall real base, integer d, i;
        RopeLog(base,d,i) == rmul(rdiv((real)(2*i), (real)d), \log(base));
      logic real RopePower(real base, integer d, integer i) reads \nothing;
      axiom rope_power_def: \forall real base, integer d, i;
        RopePower(base,d,i) == \exp(-RopeLog(base,d,i));
    }
    // the frequency of pair i: of the table, or of the base
    logic real RopeFreq{L}(integer table, scalar *inv_freq, real base, integer d, integer i) =
      table != 0 ? inv_freq[i] : RopePower(base,d,i);
    logic integer RopeStep(integer r, integer heads, integer seq) = rem(quo(r,heads),seq);
    // the angle at position p; back: of the way back
    logic real RopeAngle(integer back, integer p, real f) =
      back != 0 ? -rmul((real)p, f) : rmul((real)p, f);
    // (a,b) turned by the angle t
    axiomatic RopeTurned {
      logic real RopeFirst(real a, real b, real t) reads \nothing;
      axiom rope_first_def: \forall real a, b, t; RopeFirst(a,b,t) == a * \cos(t) - b * \sin(t);
      logic real RopeSecond(real a, real b, real t) reads \nothing;
      axiom rope_second_def: \forall real a, b, t; RopeSecond(a,b,t) == b * \cos(t) + a * \sin(t);
    }
    // element c of a row at position p, 0 <= c < 2 half
    logic real RopeRow{L}(integer back, integer table, real base, integer p, scalar *x,
                          scalar *inv_freq, integer half, integer c) =
      c < half
        ? RopeFirst(x[c], x[c+half],
                    RopeAngle(back, p, RopeFreq{L}(table,inv_freq,base,2*half,c)))
        : RopeSecond(x[c-half], x[c],
                     RopeAngle(back, p, RopeFreq{L}(table,inv_freq,base,2*half,c-half)));
    // element c of row r
    logic real Rope{L}(integer back, integer table, real base, integer offset, scalar *x,
                       scalar *inv_freq, integer seq, integer heads, integer d, integer r,
                       integer c) =
      RopeRow{L}(back, table, base, offset + RopeStep(r,heads,seq), x + ix(r,d,0), inv_freq, d/2,
                 c);
*/
#endif
