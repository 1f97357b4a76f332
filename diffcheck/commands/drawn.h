/* What run draws of an op's tensors, for explain. */
#ifndef DIFFCHECK_DRAWN_H
#define DIFFCHECK_DRAWN_H
#include "../engine/diffcheck.h"

void explain_drawn(const dc_op *op, int indent, int width);
#endif
