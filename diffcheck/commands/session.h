/* A checking session: what `run` and `replay` share, from options to report and exit status. */
#ifndef DIFFCHECK_SESSION_H
#define DIFFCHECK_SESSION_H
#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "../engine/arith.h"
#include "backends.h"
#include "kernels.h"
#include "options.h"
#include "../files/inputs.h"
#include "../report/progress.h"
#include "../report/report.h"

#define SESSION_OPS 256

typedef struct session {
  /* as parsed */
  const char *backend, *format, *output, *variant;
  sets set;
  const char *input[DC_TENSORS];
  int n_input;
  bool quiet, cases_given, seed_random;
  bool in_process; /* the kernels run here, not in workers */
  double timeout;  /* of a launch; 0: not given */
  kernels kernels; /* that are checked in place of ours, one an op of the list below; n 0: none */
  const char *arith_text; /* of --arith; NULL: not given */
  int huge;               /* --huge, of which the last shard has the case */
  int shard, shards;      /* of run --shard; 0: none */
  int64_t all_cases;      /* of all shards; 0: as options.cases */
  bool sizes_fixed;       /* options.fixed holds the sizes that --input must agree with */
  dc_options options;
  dc_arith arith; /* of options.arith */
  /* as opened */
  backends found;
  inputs in;
  progress progress;
  report report;
  FILE *script_out;
  const char *script; /* of replay --script; NULL: none */
  char *command, *inputs_text, *plan;
  const dc_op *op[SESSION_OPS];
  report_source source[SESSION_OPS]; /* of kernels that are not ours */
  int n_ops;
} session;

#define SESSION_TIMEOUT 30 /* seconds that a launch may take where nothing else is said */

/* Options that both commands take; the child argp of theirs. Its input is the session. */
extern const struct argp session_argp;
void session_init(session *s);
/* Reads the kernels that are not ours, of those ops and of that name ("": any), and makes the list of ops
 * theirs. Where it is not called, session_open does. EXIT_PASS, or EXIT_ERROR after a message. */
int session_kernels(session *s, const dc_op *const *op, int n_ops, const char *name);
/* Opens back ends, output and report. Returns EXIT_PASS, or EXIT_ERROR after a message. */
int session_open(session *s, int argc, char **argv);
/* Checks the ops (one: NULL), or that one case; writes the report; returns the exit status. */
int session_check(session *s, const dc_case *one);
void session_close(session *s);
#endif
