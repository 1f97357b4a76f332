/* Types of elements that kernels have, beside the engine's own: inside of it a floating-point tensor is float32 (an
 * output that a kernel gives as float64 is double) and indices are int64. One table, which reader, memory and scripts
 * share. */
#ifndef DIFFCHECK_ENGINE_TYPES_H
#define DIFFCHECK_ENGINE_TYPES_H
#include "diffcheck.h"

/* What stands in calls and in replay lines: "f32", "bf16". -1: there is no such type. */
const char *dc_type_name(dc_type type);
int dc_type_find(const char *name);
size_t dc_type_size(dc_type type); /* bytes of an element */
/* The pm_format that numbers of that type are rounded to; f64 counts as f32, whose arithmetic it is judged by. */
int64_t dc_type_format(dc_type type);

/* As a case or what is fixed of one has it: what the catalogue lists is not said. */
unsigned char dc_type_kept(dc_type type);
/* Whether any of these is said. */
int dc_types_said(const unsigned char type[DC_TENSORS]);
/* What tensor t of the case is of: never DC_AS_LISTED. */
dc_type dc_type_of(const dc_case *c, int t);
/* Why tensor t of op cannot be of that type, in words that follow its name; NULL: it can. */
const char *dc_type_refuses(const dc_op *op, int t, dc_type type);
/* Of every tensor of the case. */
dc_status dc_types_check(const dc_case *c, dc_error *err);

/* The types of a case or of what is fixed of one become those that the kernel has (NULL: ours, of one each). Where they
 * are said already, they must be the same. */
dc_status dc_types_take(const dc_op *op, const dc_foreign *kernel, unsigned char type[DC_TENSORS],
                        dc_error *err);

/* Brings drawn values to those that the type has, so that storing them is exact: rounded to nearest. What is beyond
 * its range comes to the end of it with its digits, f32's subnormal numbers become f16's; a mask's values that are
 * not 0 become 1, in u8 anything from 1 to 255; an index becomes the nearest of 32 bits. from: float, or int64_t of
 * an index type. */
void dc_type_fit(dc_type type, void *values, int64_t n);
/* The first value that the type cannot hold as it is; -1: there is none. */
int64_t dc_type_misfit(dc_type type, const void *values, int64_t n);
/* The elements as a kernel has them; values that the type cannot hold are rounded. */
void dc_type_store(dc_type type, const void *values, int64_t n, void *to);
/* Back: floating-point types but f64 as float, f64 as double, indices as int64_t. */
void dc_type_load(dc_type type, const void *from, int64_t n, void *values);

/* The bits of a float16 and of a bfloat16, to nearest, ties to even: NaN keeps its sign and what there is room for, and
 * is quiet. And what such bits are, which is always a float32. */
uint16_t dc_half_of(double x);
uint16_t dc_brain_of(double x);
float dc_of_half(uint16_t bits);
float dc_of_brain(uint16_t bits);
#endif
