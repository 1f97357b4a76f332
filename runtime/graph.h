/* A session's steps as one graph of the device's. */
#ifndef PM_RUNTIME_GRAPH_H
#define PM_RUNTIME_GRAPH_H
#include "internal.h"

typedef struct graph {
  pm_graph *at;     /* NULL: none is captured */
  const void *work; /* the workspace that its launches use */
  int64_t captured; /* steps, in all runs so far */
  int failures;     /* one behind the other */
  bool other;       /* a variant was captured in place of another */
  bool ran;         /* the last run was one launch */
  char why[200];    /* if not, why not */
} graph;

/* Runs the steps as one launch, where that can be, and *ran says so: else none of them has run, and g->why says why.
 * Steps whose attributes are others than before, or all where the workspace is another, are captured anew. An error is
 * the program's (an index out of range) or of the launch, after which steps may have run. */
pmr_status graph_run(context *c, graph *g, step *s, int64_t n, bool *ran);
/* A step's attribute is another one from now on. */
void graph_changed(context *c, graph *g, step *s);
/* Not under the device's lock. */
void graph_drop(context *c, graph *g);
#endif
