/* Shorthand for the glue of an op: its dims, attributes and tensors by position. */
#ifndef DIFFCHECK_GLUE_H
#define DIFFCHECK_GLUE_H
#include "../engine/engine.h"

#define REFERENCE(op) static void op##_reference(const dc_call *c, double *const *y)
#define BOUND(op) static void op##_bound(const dc_call *c, arith A, double *const *e)
#define LAUNCH(op) static pm_status op##_launch(const pm_backend *b, pm_exec *ex, const dc_args *c)
#define TERMS(op)                                                                            \
  static int64_t op##_terms(const int64_t *size, const double *attr __attribute__((unused)), \
                            int output __attribute__((unused)))

#define N(i) (c->size[i])
#define FLAG(i) ((int)c->attr[i])
#define INTEGER(i) ((int64_t)c->attr[i])
#define REAL(i) (c->attr[i])
#define X(i) (c->x[i])
#define IX(i) (c->ix[i])
/* of a launch */
#define IN(i) ((const float *)c->t[i])
#define INDEX(i) ((const int64_t *)c->t[i])
#define OUT(i) ((float *)c->t[i])

#define SPECIAL_FOLLOW \
  "NaN and infinities of the inputs must come out as in the reference (any NaN equals any NaN); "
#define POLICY_EXACT SPECIAL_FOLLOW "every bit counts, the sign of zero too."
#define POLICY_BOUND                                                            \
  SPECIAL_FOLLOW "the sign of zero is free; an element that can leave the f32 " \
                 "range on the way is vacuous."
/* An infinite g times a derivative that is 0 but for underflow may be either infinity, or NaN. */
#define POLICY_LOOSE                                                                        \
  "Where the reference is NaN or infinite the result must not be finite; the sign of zero " \
  "is free; an element that can leave the f32 range on the way is vacuous."

/* What an op's glue begins with: its functions, and what is asked of a result. */
#define FUNCTIONS(op) .reference = op##_reference, .launch = op##_launch
#define EXACT(op) FUNCTIONS(op), .policy = POLICY_EXACT
#define BOUNDED(op) FUNCTIONS(op), .bound = op##_bound, .policy = POLICY_BOUND
#define LOOSE(op) FUNCTIONS(op), .bound = op##_bound, .policy = POLICY_LOOSE, .loose = 1
/* No output is a sum; and a slice of the first dim is a problem of its own as well. */
#define NO_SUM .reduced = DC_NO_SUM
#define EACH .cut = 1, NO_SUM
#define LINEAR .linear = 1
#define DIVIDES .uses = DC_DIVIDES
#endif
