/* Options and --set as every command reads them. What a command would pass over is an error. */
#ifndef DIFFCHECK_OPTIONS_H
#define DIFFCHECK_OPTIONS_H
#include <argp.h>
#include <stdbool.h>

#include "../engine/diffcheck.h"
#include "../files/inputs.h"
#include "backends.h"

extern const struct argp list_argp, run_argp, replay_argp, eval_argp, judge_argp, explain_argp,
    new_argp, bench_argp, merge_argp;

/* argp_parse, with -h as well. Beforehand every option is looked up: one that is unknown, another
 * command's, without its value or given twice is refused (exit 2). */
void options_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Every --set of a command: each adds to those before. */
typedef struct sets {
  const char *text[16];
  int n;
} sets;
void sets_add(sets *s, const char *text);

/* What a command does with the fields of --set beside sizes and attributes. */
typedef enum {
  SETS_DRAW = 1,    /* values, cotangent, indices, accumulate, misaligned */
  SETS_VARIANT = 2, /* variant */
  SETS_VIEW = 4     /* axis, axes, shape */
} sets_taken;
/* Into *f, which may hold what other options fixed. A number that is no float32 is rounded to one:
 * `note` (NULL: nobody asks) says so. */
dc_status sets_fix(const sets *s, const dc_op *op, int taken, dc_fixed *f, dc_error *note,
                   dc_error *err);
/* Tells of a note on stderr, once. */
void sets_note(const dc_error *note);

/* Tells on stderr of the files whose values were rounded. */
void note_rounded(const inputs *in, const dc_op *op, char *const *file, int n);

/* Of a command that draws nothing: EXIT_PASS, or EXIT_ERROR after a message.
 * files_given: no FILE is "-". files_case: reads every input into *in (inputs_free it) and, with what f
 * fixes, makes the case of them. A float64 value that is no float32 is rounded, and told of; or, where
 * `exact` is set, refused. */
int files_given(const char *command, char *const *file, int n);
int files_case(const dc_op *op, char *const *file, int n, bool exact, int64_t max_bytes,
               dc_fixed *f, inputs *in, dc_case *c);

/* Some back end must have that row of the kernel table for the op: EXIT_PASS, or EXIT_ERROR after a
 * message. */
int known_variant(const char *argument, const char *variant, const dc_op *op, const backends *b);

/* "op 'sofmax': unknown; did you mean softmax? ..." on stderr; EXIT_ERROR. */
int unknown_op(const char *name);
#endif
