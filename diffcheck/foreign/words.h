/* Pieces of the text that says how a kernel is called, and the files that text is in. */
#ifndef DIFFCHECK_WORDS_H
#define DIFFCHECK_WORDS_H
#include <stddef.h>

#include "../engine/diffcheck.h"

/* The text without the blanks around it; what follows is cut off in place. */
char *words_trimmed(char *text);

/* The whole regular file, of at most `most` bytes, with a 0 behind its *n, in *text: free it; NULL on an error.
 * `what`: "text", "source". */
dc_status words_file(const char *path, const char *what, size_t most, char **text, size_t *n,
                     dc_error *err);
#endif
