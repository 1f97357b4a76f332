/* What pages are made of: one file each that asks nothing of a network and has no script. Whatever comes from
 * a user, a file or a kernel goes through html_text. */
#ifndef DIFFCHECK_HTML_H
#define DIFFCHECK_HTML_H
#include <stdio.h>

#include "report.h"

/* From the first byte to the verdict: "3 of 40 ops failed", of that class. */
void html_begin(FILE *out, const char *verdict, dc_outcome outcome);
void html_end(FILE *out);
/* A term and what it is, between html_facts(out, 1) and html_facts(out, 0). */
void html_facts(FILE *out, int begin);
void html_fact(FILE *out, const char *term, const char *value);
/* As text or an attribute's value: markup is text, and control characters are seen. */
void html_text(FILE *out, const char *text);
/* The word, which says it without its colour too. */
void html_verdict(FILE *out, dc_outcome outcome);
/* A cell of a table: text, over a bar as long as `share`, from 0 to 1; below 0: no bar. */
void html_bar(FILE *out, const char *text, double share, int wrong);
/* What to type, in a line of its own. */
void html_command(FILE *out, const char *text);
/* A file that the page holds, to be saved under that name. */
void html_file(FILE *out, const char *name, const char *bytes, size_t n);
/* A table for each axis of an output that is longer than 1; nothing where there is nothing to show. */
void html_around(FILE *out, const char *tensor, const dc_around *a);
#endif
