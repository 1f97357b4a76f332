/* The functions of cuda/math/elementary.h as the simulator computes them, for C: bits equal to
 * the GPU's. */
#ifndef PM_HOST_ELEMENTARY_H
#define PM_HOST_ELEMENTARY_H
#ifdef __cplusplus
extern "C" {
#endif

typedef struct pm_elementary {
  const char *name;  /* as in spec/elementary.def, or of pm_logistic_of: _short */
  float (*f)(float); /* NULL past the last one */
  double k;          /* declared: ulps of the rounded real value */
} pm_elementary;

extern const pm_elementary pm_sim_elementary[];
float pm_sim_log_finite(float x);
float pm_sim_log_normal(float x);
float pm_sim_log_positive(float x);
float pm_sim_softplus_and(float x, float y);
float pm_sim_expf_down(float x);
float pm_sim_sin_near(float x);
float pm_sim_cos_near(float x);

#ifdef __cplusplus
}
#endif
#endif
