/* Elementwise formulas, each of one element. */
#ifndef SPEC_ELEMENTWISE_H
#define SPEC_ELEMENTWISE_H

/*@ logic real Plus(real a, real b) = a + b; */

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
