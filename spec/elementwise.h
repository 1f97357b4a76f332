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

#define GELU_SCALE 0.79788456080286535588 /* sqrt(2/pi) */
#define GELU_CUBIC 0.044715

/*@ axiomatic GeluArgument {
      logic real GeluIn(real a) reads \nothing;
      axiom gelu_in_def: \forall real a;
        GeluIn(a) == GELU_SCALE * (a + GELU_CUBIC * a * a * a);
    }
    axiomatic GeluValue {
      logic real Gelu(real a) reads \nothing;
      axiom gelu_def: \forall real a; Gelu(a) == 0.5 * a * (1.0 + \tanh(GeluIn(a)));
    }
    // the derivative of Gelu
    axiomatic GeluSlope {
      logic real GeluD(real a) reads \nothing;
      axiom gelu_d_def: \forall real a; GeluD(a) ==
        0.5 * (1.0 + \tanh(GeluIn(a))) +
        0.5 * a * (1.0 - \tanh(GeluIn(a)) * \tanh(GeluIn(a))) *
          (GELU_SCALE * (1.0 + 3.0 * GELU_CUBIC * a * a));
    }
    logic real GeluVjp(real a, real g) = rmul(g, GeluD(a));
*/
#endif
