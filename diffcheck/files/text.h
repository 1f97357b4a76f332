/* Paragraphs and columns for people. */
#ifndef DIFFCHECK_TEXT_H
#define DIFFCHECK_TEXT_H
#include <stdio.h>

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
/* The shortest decimal that rounds to this float32; returns text (TEXT_REAL bytes). */
char *text_real(double value, char *text);
#define TEXT_REAL 40

/* Prints text in which nothing is left that a terminal obeys: control characters, and what is not
 * UTF-8, as \n or \x1b. */
void text_visible(FILE *out, const char *text);

/* "; did you mean softmax?", of the words of a list ("text, tap or jsonl") the one that is nearest to
 * what was typed; "" where none is near. Returns text (TEXT_HINT bytes). */
char *text_hint(const char *typed, const char *list, char *text);
#define TEXT_HINT 64
/* "op 'sofmax': unknown; did you mean softmax? ..."; returns text (TEXT_UNKNOWN bytes). */
char *text_unknown(const char *op, char *text);
#define TEXT_UNKNOWN 220
#endif
