/* A kernel in CUDA, made into a library that its launch can be asked of: on the simulator, where it is plain
 * CUDA, or on a GPU. */
#ifndef DIFFCHECK_FOREIGN_SOURCE_H
#define DIFFCHECK_FOREIGN_SOURCE_H
#include "../../cuda/plain_launch.h"
#include "call.h"

/* NAME<<<BLOCKS, THREADS[, SHARED BYTES[, stream]]>>>(ARGUMENT, ...), where BLOCKS and THREADS are a formula
 * or dim3(F[, F[, F]]): the shape, and NAME(ARGUMENT, ...) in *plain (CALL_TEXT bytes). */
typedef struct source_shape {
  char text[CALL_TEXT];
  const char *grid[3], *block[3], *shared; /* formulas, in text */
} source_shape;
dc_status source_shape_read(const char *argument, const char *launch, const dc_op *op,
                            source_shape *out, char *plain, dc_error *err);

typedef pm_plain_call source_launch;
/* The shape on a case; DC_TOO_BIG: it has none there, or no blocks. */
dc_status source_shape_at(const source_shape *s, const formula_scope *scope, source_launch *out,
                          dc_error *err);

/* Compiles the source, whose kernel goes by that name, into `library`: a path of DC_TEXT bytes, of a file that
 * is there as long as the program; for a GPU with nvcc (or PM_NVCC), else for the simulator with g++ (or
 * PM_CXX). Headers come from `headers`, which holds cuda/sim. An error says what the compiler or the
 * simulator does not know, and where. */
dc_status source_build(const char *source, const char *kernel, const char *headers, int gpu,
                       char library[DC_TEXT], dc_error *err);
/* Removes all of them: at exit, which is seen to, or in a handler of a signal that ends the program. */
void source_abandon(void);

/* Whether a kernel of those parameters (pm_plain_types of plain.h) takes these arguments. */
dc_status source_fits(const call *c, const char *types, dc_error *err);

/* The checkout that the simulator's headers are in: $PM_HEADERS, or that of the program, build/diffcheck or another.
 * path has PATH_MAX bytes. */
const char *source_headers(char *path);
#endif
