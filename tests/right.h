/* Right implementations of ops as other people write them, and faults of theirs, emulated in f32: what --arith
 * is held against. */
#ifndef TESTS_RIGHT_H
#define TESTS_RIGHT_H
#include "../diffcheck/engine/engine.h"

typedef struct right {
  const char *name; /* of the implementation, in words */
  const char *op;
  const char *means; /* --arith under which it is right; of a fault "": under none */
  const char *when;  /* of a fault: --arith under which it is found */
  void (*compute)(const dc_problem *p, dc_rng *r, float *const *out);
  int64_t rows, cols; /* most of each: the sizes of the first dims; 0: one that the others set */
  unsigned values;    /* bit v: values of class v are drawn; 0: all classes */
  float center;       /* of more rows in two, whose elements are about it; 0: of none */
} right;

extern const right RIGHTS[], FAULTS[];
extern const int N_RIGHTS, N_FAULTS;

/* Draws case number `index`, computes it that way, and judges it by that arithmetic. */
dc_verdict right_case(const right *x, int64_t index, const char *by);
#endif
