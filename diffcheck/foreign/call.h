/* How a kernel is called, in words: softmax_forward(i32 4, y, x, i32 rows, i32 cols, stream).
 *
 *   y  x  index             a tensor of the op, by its name in the catalogue: a pointer
 *   f16 y  bf16 x  f64 x    .. to elements of that type, in place of f32
 *   i32 index               indices of 32 bits in place of 64: one that they do not hold is the
 *                           next that they do, out of range as well
 *   bool mask  u8 mask      a mask in bytes: 0 or 1; 0 or anything else
 *   zeroed dx               .. that the caller clears, and the kernel adds to
 *   inout dx                of an output: the kernel adds to what it holds; of an input: it may change
 *                           it, and an output of the same shape that the call does not name is what it
 *                           then holds
 *   i32 F  i64 F  u32 F  u64 F    a number by value: a formula over sizes, integer attributes and
 *                           accumulate (formula.h)
 *   f32 V  f64 V            an attribute, a number, or such a formula
 *   work(F)  zeroed work(F) a workspace of so many bytes
 *   stream                  the stream to work on; NULL on the CPU
 *   null                    a null pointer
 *   strided x               a tensor of rows that lie apart, of which the call is told: i32 x.stride passes how many
 *                           elements a row begins behind the one before. After zeroed and inout, before a type */
#ifndef DIFFCHECK_CALL_H
#define DIFFCHECK_CALL_H
#include "formula.h"

enum { CALL_ARGS = 32, CALL_TEXT = 1024, CALL_SYMBOL = 512 };

typedef enum { CALL_TENSOR, CALL_WORK, CALL_STREAM, CALL_NULL, CALL_NUMBER } call_kind;
typedef enum { CALL_I32, CALL_I64, CALL_U32, CALL_U64, CALL_F32, CALL_F64, CALL_TYPES } call_type;
extern const char *const call_type_names[CALL_TYPES];

typedef struct call_arg {
  call_kind kind;
  int tensor;     /* of CALL_TENSOR */
  call_type type; /* of CALL_NUMBER */
  int attr;       /* a real attribute of the op; -1 */
  int literal;    /* real is the value */
  double real;
  const char *formula; /* else this is; of CALL_WORK its bytes */
} call_arg;

typedef struct call {
  char symbol[CALL_SYMBOL];
  int n;
  call_arg arg[CALL_ARGS];
  int work;                       /* which argument is it; -1: none */
  unsigned char type[DC_TENSORS]; /* as dc_case has it */
  unsigned inout, zeroed;         /* as dc_foreign has them */
  unsigned strided;
  int place[DC_OUTPUTS];
  int accumulate;
  char text[CALL_TEXT]; /* that the formulas stand in */
} call;

/* Names of sizes, of integer attributes, of strides and accumulate; where `aligned`: and that. Their values are those
 * of the case, where it is not NULL. */
void call_scope(const dc_op *op, const dc_case *c, int aligned, formula_scope *s);

/* Reads a call of a kernel of that op; `argument` is named in errors. */
dc_status call_read(const char *argument, const char *text, const dc_op *op, call *out,
                    dc_error *err);

/* A number by value. DC_TOO_BIG: it has none on this case, or one that its type does not hold. */
typedef union call_value {
  int32_t i32;
  int64_t i64;
  uint32_t u32;
  uint64_t u64;
  float f32;
  double f64;
  void *p;
} call_value;
dc_status call_number(const call_arg *a, const formula_scope *s, const double *attr,
                      call_value *out, dc_error *err);
#endif
