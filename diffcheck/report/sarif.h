/* SARIF 2.1.0, as tools that show findings beside the code read it: one run, its rules the faults that there
 * are, and a result for each failure. */
#ifndef DIFFCHECK_SARIF_H
#define DIFFCHECK_SARIF_H
#include <jansson.h>

#include "report.h"

typedef struct sarif_finding {
  const char *rule, *level; /* "bound", ..; "error" or "warning" */
  const char *message;
  report_source at;    /* file NULL: not known */
  const char *logical; /* "softmax/warp" */
  const char *replay;  /* the command that shows it again; NULL: there is none */
  const char *found;   /* the case as it was drawn; NULL */
} sarif_finding;

/* Adds a result to the array. */
void sarif_add(json_t *results, const sarif_finding *f);
/* The whole of it; takes the array, which may be NULL. stopped: why the run has no verdict, or NULL. -1: no memory. */
int sarif_write(FILE *out, json_t *results, const char *command, const char *stopped);
#endif
