/* Tensors of rows that lie further apart than they are long, as a slice of a wider one has them: of kernels that are
 * told by how much. A case has, of each tensor, the gap: the elements between a row's end and the next one's begin. */
#ifndef DIFFCHECK_ENGINE_ROWS_H
#define DIFFCHECK_ENGINE_ROWS_H
#include "diffcheck.h"

enum { DC_GAP = 1 << 20 }; /* the largest */

/* Whether it is of rows: the catalogue has it with two sizes, in that order always. */
int dc_has_rows(const dc_op *op, int t);
const char *dc_gap_refuses(const dc_op *op,
                           int t); /* why not, in words that follow its name; or NULL */

/* How tensor t of a case lies in memory: `rows` times `cols` elements, `step` from one to the next. What has no gap is
 * one row of all that there is. */
typedef struct dc_rows {
  int64_t rows, cols, step;
} dc_rows;
dc_rows dc_rows_of(const dc_case *c, int t, int gap);
/* The elements that it takes, gaps but the last among them; -1: that overflows. */
int64_t dc_rows_placed(const dc_case *c, int t);

dc_status dc_gaps_check(const dc_case *c, dc_error *err);
/* Whether any of these is said. */
int dc_gaps_said(const int gap[DC_TENSORS]);
/* Draws those gaps of the case that are to be drawn, by its seed. */
void dc_gaps_draw(dc_case *c, const dc_fixed *fixed);
/* Whether the kernel (NULL: ours) can have tensors with those gaps, and with any of those bits. */
dc_status dc_gaps_take(const dc_op *op, const dc_foreign *kernel, unsigned strided,
                       const int gap[DC_TENSORS], dc_error *err);
#endif
