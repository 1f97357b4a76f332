/* The user's tensors, from files, as the inputs and outputs of an op. */
#ifndef DIFFCHECK_INPUTS_H
#define DIFFCHECK_INPUTS_H
#include "../engine/diffcheck.h"
#include "npy.h"

typedef struct inputs {
  void *data[DC_TENSORS]; /* float or int64_t; NULL: to be drawn */
  int rounded;            /* bit t: float64 values of tensor t were rounded to float32 */
  /* A dim that may stand for several axes: n of an op over n elements, rows of an op on rows, size of
   * one on (n, channels, size); -1: the op has none. Then its axes; rank -1: no input has it. */
  int several;
  int rank;
  int64_t shape[NPY_RANK];
  dc_view view; /* of an op with dc_glue.view: the shape of every tensor, outputs included */
} inputs;

enum {
  INPUTS_ALL = 1,  /* each input comes from a file: none is drawn */
  INPUTS_EXACT = 2 /* a float64 value that is no float32 is refused, not rounded */
};

/* Reads file[i] as input i of op; "-" leaves that one to be drawn. One file of tensors under names is
 * all of the inputs, each under its own. Their shapes fix sizes in *f, and must agree with each other
 * and with sizes fixed there already; an attribute that exchanges the dims of an input (ta, tb) is 0
 * unless it is fixed. On error nothing is held and *f is untouched; the message (FILE_MESSAGE bytes)
 * names the file. */
dc_status inputs_read(const dc_op *op, char *const *file, int n, int flags, int64_t max_bytes,
                      dc_fixed *f, inputs *out, char *message);
void inputs_free(inputs *in);

/* The same of tensors that are there already, of which the shapes alone are asked for: of every input.
 * who: who has fixed what *f has, for messages. */
dc_status inputs_bind(const dc_op *op, const int *rank, const int64_t (*shape)[NPY_RANK],
                      const char *who, dc_fixed *f, inputs *out, char *message);

/* The shape of a tensor beside these inputs, outputs included; returns the rank. */
int inputs_shape(const dc_op *op, const inputs *in, int tensor, const int64_t *size,
                 const double *attr, int64_t shape[NPY_RANK]);

/* A kernel's output, at its values: float32 where that holds all of them, else float64. */
typedef struct got {
  float *f;
  double *d;     /* NULL where f is not */
  npy_type type; /* of the file */
} got;

/* Reads file[o] as output o of c's op, or one file of tensors under names as all of them. A shape may
 * differ from the output's in axes of size 1, or be the elements in one axis. On error nothing is held. */
dc_status got_read(const dc_case *c, const inputs *in, char *const *file, int n, int64_t max_bytes,
                   got out[DC_OUTPUTS], char *message);
void got_free(got out[DC_OUTPUTS]);
#endif
