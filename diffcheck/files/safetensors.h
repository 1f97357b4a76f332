/* Safetensors: the length of a header, the header (JSON: each tensor's dtype, shape and place), the
 * data. All that the header says is checked before any tensor is read: the tensors fill the file from
 * the header to its end, without gap or overlap, and each has the bytes that its shape calls for. */
#ifndef DIFFCHECK_SAFETENSORS_H
#define DIFFCHECK_SAFETENSORS_H
#include "npy.h"

#define SAFETENSORS_HEADER (1 << 24) /* longest header read, bytes */

typedef struct safetensor {
  char *name;
  char dtype[16];
  bool known;     /* npy has that type; else it is there, and cannot be read */
  npy tensor;     /* without data */
  int64_t offset; /* in the file */
  int64_t bytes;
} safetensor;

typedef struct safetensors {
  safetensor *tensor; /* in the order in which they lie */
  int n;
} safetensors;

/* False: message, which does not name the file; nothing is held. f must be a regular file. */
bool safetensors_open(FILE *f, safetensors *out, char *message);
bool safetensors_take(FILE *f, const safetensor *t, int64_t max_bytes, npy *out, char *message);
void safetensors_close(safetensors *s);
#endif
