/* NumPy's .npy files: one tensor each, little-endian. And what a tensor from any file is.
 * Reading is strict and bounded: whatever the file holds, the outcome is a tensor or a message,
 * and never more memory than the file has bytes (times two) or the caller's limit. */
#ifndef DIFFCHECK_NPY_H
#define DIFFCHECK_NPY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "source.h"

#define NPY_RANK 8                   /* largest rank read or written */
#define NPY_COUNT 0x0fffffffffffffff /* largest element count: its bytes fit an int64_t */
#define NPY_HEADER 65536             /* longest header text read, bytes */
#define NPY_MESSAGE FILE_MESSAGE     /* room that a message needs */

/* bfloat16 is safetensors' alone: NumPy has no such type. */
typedef enum {
  NPY_F4,
  NPY_F8,
  NPY_F2,
  NPY_BF,
  NPY_I1,
  NPY_I2,
  NPY_I4,
  NPY_I8,
  NPY_U1,
  NPY_U2,
  NPY_U4,
  NPY_U8,
  NPY_B1,
  NPY_TYPES
} npy_type;

typedef struct npy {
  npy_type type;
  int rank;
  int64_t shape[NPY_RANK];
  int64_t count; /* product of shape: 1 for rank 0 */
  bool fortran;  /* the first axis is the fastest; never after npy_read */
  void *data;    /* count elements of type, owned; never NULL after npy_read */
} npy;

size_t npy_size(npy_type type);      /* bytes of one element */
const char *npy_name(npy_type type); /* "float32" and so on */
bool npy_is_real(npy_type type);     /* a floating-point type */
bool npy_is_integer(npy_type type);  /* bool is none */

/* Sets count; false where it is beyond NPY_COUNT. */
bool npy_size_up(npy *a, char *message);

/* The header's text, as between its length and the data: type, rank, shape, count and order of
 * `out`. False: `message` (NPY_MESSAGE bytes) says what is wrong, and `out` is untouched. */
bool npy_parse(const char *text, size_t length, npy *out, char *message);

/* A whole file, of at most max_bytes bytes of data. False: `message` names the file, the value and
 * the rule; `out` is untouched. Free with npy_free. */
bool npy_read(const char *path, int64_t max_bytes, npy *out, char *message);
/* The same from a source, which must end with it; the message does not name the file. */
bool npy_take(byte_source *s, int64_t max_bytes, npy *out, char *message);
/* Its data alone, type and count of `a` being known. */
bool npy_take_data(byte_source *s, int64_t max_bytes, npy *a, char *message);
void npy_free(npy *a);

/* Writes format 1.0; false when not to its end. */
bool npy_put(FILE *f, npy_type type, int rank, const int64_t *shape, const void *data);
/* The same as a file of its own, which appears under its name only once it is whole (output.h). */
bool npy_write(const char *path, npy_type type, int rank, const int64_t *shape, const void *data,
               char *message);

/* "(3, 4)" into `text`, of at least NPY_SHAPE_TEXT bytes; returns text. */
#define NPY_SHAPE_TEXT (NPY_RANK * 22 + 4)
char *npy_shape(char *text, int rank, const int64_t *shape);
#endif
