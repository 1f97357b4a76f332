/* Outputs that someone's kernel gave, judged, and told as `diffcheck judge` tells it. */
#ifndef DIFFCHECK_JUDGED_H
#define DIFFCHECK_JUDGED_H
#include <stdio.h>

#include "../engine/arith.h"
#include "../engine/engine.h"
#include "../files/inputs.h"
#include "report.h"

#define JUDGED_FOREIGN "cuda" /* the profile of kernels that are not ours */

/* Wrong answers, element by element. */
enum { JUDGED_ZERO, JUDGED_CONSTANT, JUDGED_HALF, JUDGED_LAST, JUDGED_WRONGS };
const char *judged_wrong(int k); /* "zeros", .. */

typedef struct judged {
  const dc_case *c;
  const inputs *in; /* of the case's shapes */
  const got *got;   /* by output; of one with neither f nor d nothing is asked */
  dc_arith means;
  pm_arith declared;
  dc_verdict verdict[DC_OUTPUTS], all;
  int64_t blind[DC_OUTPUTS][JUDGED_WRONGS]; /* elements at which a wrong answer would have passed */
  char habit[DC_HABIT]; /* of a failure: for what kernel this would be right; "": for none known */
  dc_outcome outcome;
  dc_around around[DC_OUTPUTS]; /* of each output's worst element, where one is wrong */
  char worst[REPORT_TEXT], why[REPORT_TEXT]; /* why it is DC_SUSPECT */
} judged;

/* Reads what is declared: `text` as --arith has it, NULL: nothing. `argument` is named in errors. */
dc_status judged_arith(judged *j, const char *argument, const char *text, const dc_case *c,
                       dc_error *err);
/* Files of halves hold halves: where every output's type is such, and nothing else is said, they were
 * rounded so. Returns what is then declared ("out=f16"), or NULL. */
const char *judged_format(judged *j);
/* The verdict, then, where `blind` is not 0, what else would have had it. c, in, got and means are set. */
dc_status judged_make(judged *j, const dc_problem *p, int blind, dc_error *err);
/* As a page; file: the names of the outputs' files, a NULL last. -1: no memory. */
int judged_html(const judged *j, const char *const *file, FILE *out);
/* As SARIF: what fails is located in that output's file. */
int judged_sarif(const judged *j, const char *const *file, FILE *out);
/* All of it in lines. */
void judged_tell(const judged *j, FILE *out);
#endif
