/* Files of tensors in the safetensors format: eight bytes with the length of the header, little-endian;
 * the header, a JSON object that has of each tensor dtype, shape and data_offsets, and under
 * __metadata__ strings; then the data, row-major and little-endian, without gaps.
 *
 * Files are not trusted: what the header says is checked before any of it is used. A function that fails
 * leaves a message that names the file, and the tensor where there is one. */
#ifndef SAFETENSORS_H
#define SAFETENSORS_H
#include <stddef.h>
#include <stdint.h>

enum { ST_RANK = 8, ST_MESSAGE = 512 };

typedef struct st_tensor {
  const char *name;
  const char *dtype; /* "F32", "BF16", ...: of the format's names */
  int rank;
  int64_t shape[ST_RANK];
  int64_t count;    /* elements */
  size_t at, bytes; /* in the data */
} st_tensor;

typedef struct st_meta {
  const char *key, *value;
} st_meta;

typedef struct st_file st_file;

/* Reads and checks the header: the file's length, every dtype, every shape against its bytes, and that the
 * data is covered once and to its end. 0, or -1 with the message. */
int st_open(const char *path, st_file **out, char message[ST_MESSAGE]);
void st_close(st_file *f);
/* Its tensors as they lie in the file; NULL behind the last. */
const st_tensor *st_at(const st_file *f, size_t i);
const st_tensor *st_find(const st_file *f, const char *name);
/* A string of __metadata__; NULL: it has none of that name. */
const char *st_string(const st_file *f, const char *key);
/* The bytes of a tensor of f. 0, or -1 with the message. */
int st_read(st_file *f, const st_tensor *t, void *to, char message[ST_MESSAGE]);

/* Writes the n tensors (at and bytes are not looked at) in their order; give fills in the elements of the
 * i-th, or gives another status than 0, at which the writing ends. A file that stands at the path is replaced
 * when all is written, and stays as it is otherwise. 0; -1 with the message; or what give gave. */
int st_write(const char *path, const st_tensor *t, size_t n, const st_meta *meta, size_t n_meta,
             int (*give)(void *with, size_t i, void *to), void *with, char message[ST_MESSAGE]);
#endif
