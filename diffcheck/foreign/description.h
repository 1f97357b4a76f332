/* A kernel in words, as a file of them has it and the command line: keys and values, a line each.
 *
 *   # what follows is a comment
 *   kernel: fast              a name; begins a kernel, of which a file may have several
 *   op: softmax               as the catalogue has it
 *   library: libmine.so       from the file's folder
 *   call: softmax_forward(y, x, i32 rows, i32 cols)       (call.h)
 *   source: mine.cu           or, in place of these two: plain CUDA,
 *   launch: softmax<<<rows, 256, 1024>>>(y, x, i32 cols)  on the simulator (source.h)
 *   on: cpu                   where its pointers point to: cpu (default) or cuda
 *   where: cols % 4 == 0      when it may run (formula.h; aligned: every tensor on 16 bytes)
 *   arith: cuda,exp=4         its arithmetic (default: cuda)
 *   set: eps=1e-5             sizes and attributes that it has fixed
 *   unordered: yes            its bits may change from run to run (atomics) */
#ifndef DIFFCHECK_DESCRIPTION_H
#define DIFFCHECK_DESCRIPTION_H
#include "../engine/diffcheck.h"

enum { DESCRIPTION_LINE = 1024, DESCRIPTION_PATH = 1024, DESCRIPTION_TEXT = 8192 };
/* What a file of them may have. */
enum { DESCRIPTION_BYTES = 1 << 20, DESCRIPTION_KERNELS = 256 };

typedef struct description {
  char kernel[32], op[32];
  char library[DESCRIPTION_PATH], call[DESCRIPTION_LINE];
  char source[DESCRIPTION_PATH], launch[DESCRIPTION_LINE];
  char on[8], where[DESCRIPTION_LINE], arith[DESCRIPTION_LINE], set[DESCRIPTION_LINE];
  char unordered[8];
  /* not written: the file that it stands in, "" where there is none, and at which line */
  char file[DESCRIPTION_PATH];
  int line;
} description;

/* Each key in the order in which it is written; NULL ends them. What d has of it, of `room` bytes. */
const char *description_key(int i);
char *description_value(description *d, int i, size_t *room);

/* The kernels of a text, n bytes, added to *list, which grows: free it. `name` is that of the file, for
 * errors, and `folder`, or NULL, what its paths are taken from. Each has an op, and one of library and
 * call, source and launch. On error *list has what it had, and *n_list too. */
dc_status description_read(const char *name, const char *folder, const char *text, size_t n,
                           description **list, int *n_list, dc_error *err);
/* The same of a file. */
dc_status description_load(const char *path, description **list, int *n_list, dc_error *err);
/* What description_read reads back; returns text (DESCRIPTION_TEXT bytes). */
char *description_write(const description *d, char *text);
/* Whether it is whole and makes sense, but for its call and its library. */
dc_status description_check(const char *name, const description *d, dc_error *err);
#endif
