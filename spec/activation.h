/* Activations: formulas of one element. exp, log and tanh are the real functions themselves,
 * sigmoid and softplus stand in spec/real.h. A VJP of exp, sigmoid or tanh is stated over the
 * op's output y, every other one over its input a. */
#ifndef SPEC_ACTIVATION_H
#define SPEC_ACTIVATION_H
#include "real.h"

#define GELU_SCALE 0.79788456080286535588 /* sqrt(2/pi) */
#define GELU_CUBIC 0.044715

/*@ logic real ExpVjp(real y, real g) = rmul(g, y);
    predicate LogVjpAt(real a, real g) = a != 0.0;
    logic real LogVjp(real a, real g) = rdiv(g, a);
    logic real SigmoidVjp(real y, real g) = rmul(g, rmul(y, 1.0 - y));
    logic real TanhVjp(real y, real g) = rmul(g, 1.0 - rmul(y, y));
    logic real SoftplusVjp(real a, real g) = rmul(g, Sigmoid(a));

    // As in PyTorch's CUDA kernels, a/(1 + e^-a), it is NaN at -infinity; so is gelu.
    logic real Silu(real a) = rmul(a, Sigmoid(a));
    // the derivative of Silu
    logic real SiluD(real a) = rmul(Sigmoid(a), 1.0 + rmul(a, 1.0 - Sigmoid(a)));
    logic real SiluVjp(real a, real g) = rmul(g, SiluD(a));

    axiomatic GeluArgument {
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

    logic real SafeLog(real a, real eps) = \log(Softplus(a) + eps);
    // everywhere, for eps > 0
    predicate SafeLogVjpAt(real a, real g, real eps) = Softplus(a) + eps != 0.0;
    logic real SafeLogVjp(real a, real g, real eps) =
      rdiv(rmul(g, Sigmoid(a)), Softplus(a) + eps);
*/
#endif
