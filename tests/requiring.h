/* Launches of kernels that do nothing, under the names of ours: what their contracts require is asked
 * of them (cuda/sim/requires.cpp). */
#ifndef PM_TESTS_REQUIRING_H
#define PM_TESTS_REQUIRING_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Each launches that kernel, and gives the simulator's words for what was wrong, or NULL. */
const char *require_softmax_regs(unsigned grid, unsigned block, int64_t rows, int cols,
                                 const float *x, float *y);
const char *require_softmax_shared(unsigned grid, unsigned block, size_t bytes, int64_t rows,
                                   int cols, const float *x, float *y);
const char *require_walk(unsigned grid, int axes, const int64_t *size, const int64_t *step,
                         int64_t rows, int64_t len, const float *x, float *y);
const char *require_others(unsigned grid, int64_t rows); /* add_bias_scalar, of other parameters */
const char *require_unknown(unsigned grid);              /* a kernel that is not of cuda/ */

#ifdef __cplusplus
}
#endif
#endif
