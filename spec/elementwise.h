/* Elementwise formulas, each of one element. */
#ifndef SPEC_ELEMENTWISE_H
#define SPEC_ELEMENTWISE_H

/*@ logic real Plus(real a, real b) = a + b; */
/*@ logic real Minus(real a, real b) = a - b;
    logic real Neg(real a) = -a;
    logic real Times(real a, real b) = rmul(a,b);
    logic real TimesDa(real a, real b, real g) = rmul(g,b);
    logic real TimesDb(real a, real b, real g) = rmul(g,a);
    logic real Scaled(real a, real c) = rmul(c,a);
    logic real Abs(real a) = a < 0.0 ? -a : a;
    logic real AbsVjp(real a, real g) = a > 0.0 ? g : a < 0.0 ? -g : 0.0;
    logic real Clamp(real a, real lo, real hi) = a < lo ? lo : a > hi ? hi : a;
    logic real ClampVjp(real a, real g, real lo, real hi) = lo <= a && a <= hi ? g : 0.0;
    logic real Maximum(real a, real b) = a < b ? b : a;
    logic real Minimum(real a, real b) = b < a ? b : a;
    logic real IfLarger(real a, real b, real g) = a > b ? g : a < b ? 0.0 : 0.5 * g;
    logic real IfSmaller(real a, real b, real g) = a < b ? g : a > b ? 0.0 : 0.5 * g;
    logic real Relu(real a) = a > 0.0 ? a : 0.0;
    logic real ReluVjp(real a, real g) = a > 0.0 ? g : 0.0; */
#endif
