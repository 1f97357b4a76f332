/* Files of tensors, byte by byte, right ones and hostile ones, and what is read of them. */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H
#include "helpers.h"

#include <stdbool.h>
#include <stdint.h>

enum { FILES_ROOM = 1 << 16, FILES_LIMIT = 1 << 20 };

typedef struct bytes {
  unsigned char b[FILES_ROOM];
  size_t n;
} bytes;

/* Each adds to what is there; a number is little-endian, of n bytes. */
void put(bytes *to, const void *from, size_t n);
void put_number(bytes *to, uint64_t value, int n);
/* Over what is there. */
void patch(bytes *at, size_t offset, uint64_t value, int n);
/* A .npy file's bytes, and a safetensors file's, which replace what is there. */
void npy_file(bytes *to, const char *descr, const char *order, const char *shape, const void *data,
              size_t n);
void safe_file(bytes *to, const char *json, const void *data, size_t n);

/* An .npz file as it is written: members, the directory, the end. */
typedef struct archive {
  bytes file, directory;
  int n;
  uint32_t crc; /* of the last member */
  size_t local; /* where its local header is in the file */
} archive;

/* One more member; wide: in the fields of zip64. */
void member(archive *a, const char *name, const void *data, size_t n, bool deflated, bool wide);
/* The directory and the end records; returns where the directory begins. */
size_t finish(archive *a, bool wide);

/* The file under that name (aid_path). */
const char *save(const char *name, const bytes *file);

/* Tensor t of op from what is named; false: message (NPY_MESSAGE bytes), and nothing was touched. Whatever
 * comes keeps the rules of what a tensor is. */
bool take(const char *named, const char *op, int t, npy *out, char *message);
/* Wants these values of it; npy_free it. */
npy taken(const char *named, const char *op, int t, npy_type type, const void *data, size_t n);
/* Wants a message with both parts. */
void not_taken(const char *named, const char *part, const char *and);
#endif
