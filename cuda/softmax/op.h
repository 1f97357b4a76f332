/* The forward ops of the softmax family, as its kernels' constants have them. */
#ifndef PM_SOFTMAX_OP_H
#define PM_SOFTMAX_OP_H
enum { SOFT, LOG, MASKED };

/* Instantiates `run` for the op at hand: run(OP). */
#define WITH_OP(run, op) \
  if ((op) == SOFT)      \
    run(SOFT);           \
  else if ((op) == LOG)  \
    run(LOG);            \
  else                   \
    run(MASKED)
#endif
