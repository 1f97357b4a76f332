/* Small formulas over the sizes of a case: what a call passes, how many blocks a launch has, when a
 * kernel may run. Whole numbers of 64 bits:  ( )  unary - !  * / %  + -  < <= > >=  == !=  &&  ||,
 * min(a, b), max(a, b), as C has them. */
#ifndef DIFFCHECK_FORMULA_H
#define DIFFCHECK_FORMULA_H
#include <stdint.h>

#include "../engine/diffcheck.h"

enum { FORMULA_NAMES = DC_DIMS + DC_ATTRS + DC_TENSORS + 4 };

typedef struct formula_scope {
  int n;
  const char *name[FORMULA_NAMES];
  int64_t value[FORMULA_NAMES];
  char stride[DC_TENSORS][24]; /* names that are made: the scope stays where it is */
} formula_scope;

/* DC_OK; DC_INVALID: it is no formula, or of names that the scope lacks; DC_TOO_BIG: it has no value
 * here, by an overflow or a division by 0. */
dc_status formula_value(const char *text, const formula_scope *s, int64_t *value, dc_error *err);
/* The same of any values: only whether it is one. */
dc_status formula_check(const char *text, const formula_scope *s, dc_error *err);
/* Whether the formula speaks of that name. */
int formula_names(const char *text, const char *name);
#endif
