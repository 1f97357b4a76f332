/* Paragraphs and columns for people. */
#ifndef DIFFCHECK_TEXT_H
#define DIFFCHECK_TEXT_H
#include "../engine/diffcheck.h"

/* Prints words of `text` to stdout, wrapped to `width` columns, every line indented; ends the line.
 * `first` columns of the first line are taken already. */
void text_wrap(const char *text, int indent, int first, int width);

#define TEXT_SIGNATURE 400
/* "(rows, cols)", with "(k, n), or (n, k) where tb=1"; returns text. */
char *text_shape(const dc_op *op, int tensor, char *text);
/* "x(rows,cols) b(cols) -> y(rows,cols)" */
char *text_signature(const dc_op *op, char *text);
const char *text_level(pm_level level);
#endif
