/* The files that a command writes: all of them or none. Each is written beside its name and takes it
 * at the end, when every one of them is whole. A device or a pipe is written as it stands, and "-"
 * is standard output. One set of files a process. */
#ifndef DIFFCHECK_OUTPUT_H
#define DIFFCHECK_OUTPUT_H
#include <stdbool.h>
#include <stdio.h>

#define OUTPUT_MESSAGE 512 /* room that a message needs; each names the file and the rule */

/* Whether `path` may be written: a new name in a folder that is there, a regular file that is
 * neither a link nor read-only, a device, a pipe. Writes nothing. */
bool output_check(const char *path, char *message);
bool output_is_stdout(const char *path);
/* Whether two paths name one file, which need not be there yet. */
bool output_same(const char *a, const char *b);

/* What is written here stands under `path` after output_commit. NULL: message says why not. Do not
 * close it. */
FILE *output_open(const char *path, char *message);
/* Closes all of them and puts them in place. False: none of them is. */
bool output_commit(char *message);
/* Removes what was written; no file of these names is touched. */
void output_drop(void);
void output_abandon(void); /* the same in a signal handler, after which the process ends */
#endif
