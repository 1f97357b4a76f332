/* Views of a contiguous tensor: nothing moves, only its sizes are read another way. On an error
 * nothing is written but the message that pm_backend.error of this back end returns. */
#ifndef PM_VIEW_H
#define PM_VIEW_H
#include "launch.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PM_MAX_RANK = 8 };

/* The tensor as (outer, n, inner) around one of its axes, as concat and slice take it: outer
 * indices before the axis, n along it, inner after. A negative axis counts from the end. */
pm_status pm_axis_view(int rank, const int64_t *shape, int axis, int64_t *outer, int64_t *n,
                       int64_t *inner);

/* Whether a tensor of one shape can be seen in another: both have as many elements. */
pm_status pm_reshape_check(int rank, const int64_t *shape, int new_rank, const int64_t *new_shape);

#ifdef __cplusplus
}
#endif
#endif
