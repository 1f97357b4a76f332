/* Statistics that are joined of those of parts: Welford's formula, one element after another, and Chan's. */
#ifndef DIFFCHECK_ENGINE_JOINED_H
#define DIFFCHECK_ENGINE_JOINED_H
#include "engine.h"

/* The bound of y, mean and rstd of x, gamma, beta with attribute eps. Each of `groups` groups is normalized by
 * its own statistics. Group k has `outer` runs of `inner` elements, run i from (i groups + k) inner on: of
 * layer_norm a row, of batch_norm a channel. own: gamma and beta have an element for each of the group's, else
 * for each group. A.h is the height of the tree of joins. */
void joined_bound(const dc_call *c, int64_t groups, int64_t outer, int64_t inner, int own, arith A,
                  double divide, double *const *e);
#endif
