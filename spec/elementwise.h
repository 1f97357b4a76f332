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
    logic real Quotient(real a, real b) = rdiv(a,b);
    logic real QuotientDa(real a, real b, real g) = rdiv(g,b);
    // -g a / b^2
    logic real QuotientDb(real a, real b, real g) = -rmul(rdiv(g,b), rdiv(a,b));
    logic real Axpy(real a, real b, real c) = a + rmul(c,b);
    logic real AxpyDa(real g, real c) = g;
    logic real Sqrt(real a) = \sqrt(a);
    logic real SqrtVjp(real y, real g) = rdiv(g, 2.0 * y);
    logic real Rsqrt(real a) = rdiv(1.0, \sqrt(a));
    // -g y^3 / 2
    logic real RsqrtVjp(real y, real g) = -rmul(rmul(rmul(0.5 * g, y), y), y);
    logic real Reciprocal(real a) = rdiv(1.0, a);
    // -g y^2
    logic real ReciprocalVjp(real y, real g) = -rmul(rmul(g,y), y);
    logic real Relu(real a) = a > 0.0 ? a : 0.0;
    logic real ReluVjp(real a, real g) = a > 0.0 ? g : 0.0; */
#endif
