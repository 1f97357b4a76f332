/* The user's tensors, from .npy files, as the inputs of an op. */
#ifndef DIFFCHECK_INPUTS_H
#define DIFFCHECK_INPUTS_H
#include "../engine/diffcheck.h"
#include "npy.h"

typedef struct inputs {
  void *data[DC_TENSORS]; /* float or int64_t; NULL: to be drawn */
  int rounded;            /* bit t: float64 values of tensor t were rounded to float32 */
  /* An op over n elements takes tensors of any shape; this is theirs. rank -1: no such op. */
  int rank;
  int64_t shape[NPY_RANK];
  dc_view view; /* of an op with dc_glue.view: the shape of every tensor, outputs included */
} inputs;

/* Reads file[i] as input i of op; "-" leaves that one to be drawn. Their shapes fix sizes in *f,
 * and must agree with each other and with sizes fixed there already; an attribute that exchanges
 * the dims of an input (ta, tb) is 0 unless it is fixed. On error nothing is held and *f is
 * untouched; messages name the file. */
dc_status inputs_read(const dc_op *op, char *const *file, int n, int64_t max_bytes, dc_fixed *f,
                      inputs *out, dc_error *err);
void inputs_free(inputs *in);
#endif
