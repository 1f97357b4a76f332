/* The forward ops of the softmax family, as its kernels' constants have them. */
#ifndef PM_SOFTMAX_OP_H
#define PM_SOFTMAX_OP_H
enum { SOFT, LOG, MASKED };
#endif
