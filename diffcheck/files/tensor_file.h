/* A file as it is named at the command line: FILE, or FILE:NAME for one tensor of an .npz or
 * safetensors file. What a file is shows in its first bytes, whatever it is called. */
#ifndef DIFFCHECK_TENSOR_FILE_H
#define DIFFCHECK_TENSOR_FILE_H
#include "../engine/diffcheck.h"
#include "npy.h"

#define TENSOR_FILE_PATH 4096

typedef struct tensor_file tensor_file;

/* NULL: message, which names the file, the value and the rule. A file of that whole name goes before
 * FILE:NAME. `named` must outlive it. */
tensor_file *tensor_file_open(const char *named, char *message);
void tensor_file_close(tensor_file *f);

/* The file that is named, without the tensor; returns path. */
char *tensor_file_path(const char *named, char path[TENSOR_FILE_PATH]);

/* Whether it holds tensors under names, and `named` chose none of them. */
bool tensor_file_is_set(const tensor_file *f);

/* The tensor that is meant by tensor t of op: the one that was chosen, the one that a .npy file holds,
 * the one of that name; or, where the file was given for it alone, the only one, unless it has the name
 * of another tensor of the op. False: message, and *out is untouched. */
bool tensor_file_take(tensor_file *f, const dc_op *op, int t, bool alone, int64_t max_bytes,
                      npy *out, char *message);
#endif
