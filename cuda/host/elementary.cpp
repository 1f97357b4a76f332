#include "elementary.h"
#include "../math/elementary.h"

static float pm_softplus_shortf(float x) { return pm_logistic_of(x).softplus; }
static float pm_sigmoid_shortf(float x) { return pm_logistic_of(x).sigmoid; }

#define F(name, NAME)                                           \
  {                                                             \
#name, [](float x) { return pm_##name##f(x); }, PM_K_##NAME \
  }
const pm_elementary pm_sim_elementary[] = {F(exp, EXP),
                                           F(expm1, EXPM1),
                                           F(log, LOG),
                                           F(log1p, LOG1P),
                                           F(tanh, TANH),
                                           F(erf, ERF),
                                           F(sigmoid, SIGMOID),
                                           F(softplus, SOFTPLUS),
                                           F(softplus_short, SOFTPLUS_SHORT),
                                           F(sigmoid_short, SIGMOID_SHORT),
                                           F(sin, SIN),
                                           F(cos, COS),
                                           {nullptr, nullptr, 0}};

float pm_sim_log_finite(float x) { return pm_log_finite(x); }
float pm_sim_log_normal(float x) { return pm_log_normal(x); }
float pm_sim_log_positive(float x) { return pm_log_positive(x); }
float pm_sim_softplus_and(float x, float y) { return pm_softplus_and(x, y); }
float pm_sim_expf_down(float x) { return pm_expf_down(x); }
float pm_sim_sin_near(float x) { return pm_sin_near(x); }
float pm_sim_cos_near(float x) { return pm_cos_near(x); }
