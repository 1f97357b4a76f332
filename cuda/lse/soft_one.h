/* Element c of a row's softmax, or of its log_softmax (logs). */
#ifndef PM_LSE_SOFT_ONE_H
#define PM_LSE_SOFT_ONE_H
#include "../lang/kernel.h"
#include "../../spec/softmax.h"

/*@ logic real SoftOne{L}(integer logs, float *x, integer n, integer c) =
      logs == 0 ? Softmax{L}(x,n,c) : LogSoftmax{L}(x,n,c); */
#endif
