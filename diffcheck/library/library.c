#include "inside.h"

#include <stdbool.h>

#include "../engine/rows.h"
#include "../engine/types.h"
#include "../files/inputs.h"
#include "../files/replay.h"
#include "../files/text.h"
#include "../report/judged.h"

_Static_assert((int)DCL_RANK == DC_RANK && (int)DCL_RANK == NPY_RANK, "ranks");
_Static_assert((int)DCL_OUTPUTS == DC_OUTPUTS && (int)DCL_LINE == REPLAY_TEXT &&
                   (int)DCL_SHAPE >= TEXT_SIGNATURE,
               "rooms");
_Static_assert((int)DCL_PASS == DC_PASS && (int)DCL_FAIL == DC_FAIL &&
                   (int)DCL_SUSPECT == DC_SUSPECT,
               "outcomes");

struct dcl_case_handle {
  dc_problem p;
  inputs in; /* of given inputs; of drawn ones their shapes are the catalogue's */
};

static _Thread_local char said[FILE_MESSAGE];

dcl_status lib_fail(dcl_status s, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(said, sizeof said, format, args);
  va_end(args);
  return s;
}

dcl_status lib_passed_on(dc_status s, const char *text)
{
  dcl_status mine = s == DC_OK          ? DCL_OK
                    : s == DC_TOO_BIG   ? DCL_TOO_BIG
                    : s == DC_NO_MEMORY ? DCL_NO_MEMORY
                                        : DCL_INVALID;
  return mine ? lib_fail(mine, "%s", text[0] ? text : "no memory") : DCL_OK;
}

int dcl_version(void) { return DCL_VERSION; }
const char *dcl_error(void) { return said; }

/* ---- the catalogue ---- */

static const dc_op *op_at(int i)
{
  if (i >= 0 && i < dc_n_ops())
    return dc_op_at(i);
  lib_fail(DCL_INVALID, "op %d: there are %d, from 0 on", i, dc_n_ops());
  return NULL;
}

static int number_of(const dc_op *op)
{
  int i = 0;
  while (dc_op_at(i) != op)
    i++;
  return i;
}

const dc_op *lib_op(const char *name)
{
  char text[TEXT_UNKNOWN];
  const dc_op *op = name ? dc_op_find(name) : NULL;
  if (!op)
    lib_fail(DCL_INVALID, "%s", name ? text_unknown(name, text) : "op: none is given");
  return op;
}

int dcl_n_ops(void) { return dc_n_ops(); }

dcl_status dcl_op_about(int i, dcl_op *out)
{
  const dc_op *op = op_at(i);
  if (!op)
    return DCL_INVALID;
  *out = (dcl_op){.name = op->name,
                  .family = op->family,
                  .forward = op->forward,
                  .meaning = op->meaning,
                  .policy = dc_op_policy(op),
                  .classes = op->classes,
                  .is_vjp = op->is_vjp,
                  .n_in = op->n_in,
                  .n_out = op->n_out,
                  .n_sizes = op->n_dims,
                  .n_attrs = op->n_attrs,
                  .has_values = dc_has_values(op)};
  return DCL_OK;
}

static dcl_status no_tensor(const dc_op *op, int t)
{
  return t >= 0 && t < op->n_in + op->n_out
             ? DCL_OK
             : lib_fail(DCL_INVALID, "tensor %d: %s has %d", t, op->name, op->n_in + op->n_out);
}

dcl_status dcl_tensor_about(int i, int t, dcl_tensor *out)
{
  const dc_op *op = op_at(i);
  if (!op || no_tensor(op, t))
    return DCL_INVALID;
  out->name = op->tensor[t].name;
  out->dtype = op->tensor[t].dtype == DC_I64 ? DCL_I64 : DCL_F32;
  text_shape(op, t, out->shape);
  return DCL_OK;
}

dcl_status dcl_attr_about(int i, int a, dcl_attr *out)
{
  const dc_op *op = op_at(i);
  double least, most;
  if (!op)
    return DCL_INVALID;
  if (a < 0 || a >= op->n_attrs)
    return lib_fail(DCL_INVALID, "attribute %d: %s has %d", a, op->name, op->n_attrs);
  dc_attr_range(op, a, &least, &most);
  *out = (dcl_attr){.name = op->attr[a],
                    .whole = dc_attr_is_integer(op, a),
                    .usual = op->glue->attr_default[a],
                    .least = least,
                    .most = most};
  return DCL_OK;
}

dcl_status dcl_size_about(int i, int s, const char **name, int *told)
{
  const dc_op *op = op_at(i);
  if (!op)
    return DCL_INVALID;
  if (s < 0 || s >= op->n_dims)
    return lib_fail(DCL_INVALID, "size %d: %s has %d", s, op->name, op->n_dims);
  *name = op->dim[s];
  *told = 0;
  for (int t = 0; t < op->n_in; t++)
    for (int d = 0; d < op->tensor[t].rank && !op->glue->shape; d++)
      *told |= op->tensor[t].dim[d] == s;
  return DCL_OK;
}

const char *dcl_values_name(int i)
{
  return i >= 0 && i < DC_ONES ? dc_values_name((dc_values)i) : NULL; /* ones is the shrinker's */
}

/* ---- cases ---- */

/* Of a case without inputs of the caller's. */
static dcl_status drawn(const dc_case *c, dcl_case *out)
{
  dc_error err = {""};
  dc_status status = dc_case_check(c, LIB_LIMIT, &err);
  if (status)
    return lib_passed_on(status, err.text);
  dcl_case made = calloc(1, sizeof *made);
  if (!made)
    return lib_fail(DCL_NO_MEMORY, "no memory for a case");
  made->in.several = made->in.rank = -1;
  for (int t = 0; t < DC_TENSORS; t++)
    made->in.view.rank[t] = -1;
  status = dc_problem_make(&made->p, c, &err);
  if (status) {
    free(made);
    return lib_passed_on(status, err.text);
  }
  *out = made;
  return DCL_OK;
}

dcl_status dcl_case_draw(const char *name, const char *fields, uint64_t seed, int64_t index,
                         dcl_case *out)
{
  const dc_op *op = lib_op(name);
  dc_error err = {""};
  dc_fixed fixed;
  dc_case c;
  if (!op)
    return DCL_INVALID;
  if (index < 0)
    return lib_fail(DCL_INVALID, "case %lld: must not be negative", (long long)index);
  dc_fixed_init(&fixed);
  dc_status status = replay_fix(op->name, fields ? fields : "", op, &fixed, NULL, &err);
  if (status)
    return lib_passed_on(status, err.text);
  dc_case_draw(&c, op, &fixed, seed, index, LIB_LARGE);
  return drawn(&c, out);
}

dcl_status dcl_case_read(const char *line, dcl_case *out)
{
  dc_error err = {""};
  dc_case c;
  dc_status status = replay_read(line ? line : "", &c, NULL, &err);
  return status ? lib_passed_on(status, err.text) : drawn(&c, out);
}

static const npy_type TYPES[] = {
    [DCL_F32] = NPY_F4, [DCL_F64] = NPY_F8, [DCL_F16] = NPY_F2, [DCL_BF16] = NPY_BF,
    [DCL_I8] = NPY_I1,  [DCL_I16] = NPY_I2, [DCL_I32] = NPY_I4, [DCL_I64] = NPY_I8,
    [DCL_U8] = NPY_U1,  [DCL_U16] = NPY_U2, [DCL_U32] = NPY_U4, [DCL_U64] = NPY_U8,
    [DCL_BOOL] = NPY_B1};

/* A copy of the caller's array, for one of the op's tensors. */
static dcl_status copied(const dcl_array *from, const char *op, const char *tensor, npy *out)
{
  char why[FILE_MESSAGE] = "";
  npy a = {.rank = from->rank};
  if ((unsigned)from->dtype >= sizeof TYPES / sizeof *TYPES)
    return lib_fail(DCL_INVALID, "%s: %s has the type %d, of which there is none", op, tensor,
                    (int)from->dtype);
  if (from->rank < 0 || from->rank > DCL_RANK)
    return lib_fail(DCL_INVALID, "%s: %s has %d axes, must have 0 to %d", op, tensor, from->rank,
                    (int)DCL_RANK);
  a.type = TYPES[from->dtype];
  for (int d = 0; d < a.rank; d++) {
    if (from->shape[d] < 0)
      return lib_fail(DCL_INVALID, "%s: axis %d of %s has the size %lld", op, d, tensor,
                      (long long)from->shape[d]);
    a.shape[d] = from->shape[d];
  }
  if (!npy_size_up(&a, why))
    return lib_fail(DCL_INVALID, "%s: %s: %s", op, tensor, why);
  size_t bytes = (size_t)a.count * npy_size(a.type);
  a.data = malloc(bytes + 1);
  if (!a.data)
    return lib_fail(DCL_NO_MEMORY, "%s: no memory for %s, of %zu bytes", op, tensor, bytes);
  if (bytes)
    memcpy(a.data, from->data, bytes);
  *out = a;
  return DCL_OK;
}

/* What is fixed, of the inputs and by the caller, as a case. */
static dcl_status fixed_case(const dc_op *op, const dc_fixed *f, dc_case *c)
{
  dc_error err = {""};
  if (f->values >= 0 || f->cotangent >= 0 || f->indices >= 0 || f->accumulate >= 0 ||
      f->misaligned >= 0 || f->variant[0] || dc_types_said(f->type) || f->strided ||
      dc_gaps_said(f->gap))
    return lib_fail(
        DCL_INVALID,
        "%s: values=, cotangent=, indices=, accumulate=, misaligned=, types=, strided=, gap= "
        "and variant= say how to draw, and nothing is drawn here",
        op->name);
  int open = dc_case_fixed(c, op, f);
  if (open >= 0)
    return lib_fail(DCL_INVALID, "%s: no input says what %s is: give it like an attribute",
                    op->name, op->dim[open]);
  memcpy(c->given, f->given, sizeof c->given);
  return lib_passed_on(dc_case_check(c, LIB_LIMIT, &err), err.text);
}

/* The same once its inputs are copied. */
static dcl_status bound(const dc_op *op, npy *a, dc_fixed *f, dcl_case made)
{
  char why[FILE_MESSAGE] = "";
  dc_error err = {""};
  dc_case c;
  if (inputs_take(op, a, INPUTS_EXACT, "the caller", f, &made->in, why))
    return lib_fail(DCL_INVALID, "%s: %.900s", op->name, why);
  dcl_status status = fixed_case(op, f, &c);
  if (!status)
    status = lib_passed_on(dc_problem_make(&made->p, &c, &err), err.text);
  if (status)
    inputs_free(&made->in);
  return status;
}

dcl_status dcl_case_given(const char *name, const dcl_array *in, int n_in, const char *set,
                          dcl_case *out)
{
  const dc_op *op = lib_op(name);
  dc_error err = {""};
  dc_fixed fixed;
  npy a[DC_TENSORS] = {{.data = NULL}};
  if (!op)
    return DCL_INVALID;
  if (n_in != op->n_in)
    return lib_fail(DCL_INVALID, "%s: has %d input%s, and %d %s given", op->name, op->n_in,
                    op->n_in == 1 ? "" : "s", n_in, n_in == 1 ? "is" : "are");
  for (int t = 0; t < n_in; t++)
    if (!in[t].data)
      return lib_fail(DCL_INVALID, "%s: %s has no data", op->name, op->tensor[t].name);
  dc_fixed_init(&fixed);
  dc_status read = replay_fix(op->name, set ? set : "", op, &fixed, NULL, &err);
  if (read)
    return lib_passed_on(read, err.text);
  dcl_case made = calloc(1, sizeof *made);
  dcl_status status = made ? DCL_OK : lib_fail(DCL_NO_MEMORY, "no memory for a case");
  for (int t = 0; t < n_in && !status; t++)
    status = copied(&in[t], op->name, op->tensor[t].name, &a[t]);
  if (!status)
    status = bound(op, a, &fixed, made);
  for (int t = 0; t < n_in; t++)
    free(a[t].data);
  if (status)
    free(made);
  else
    *out = made;
  return status;
}

void dcl_case_free(dcl_case c)
{
  if (!c)
    return;
  dc_problem_free(&c->p);
  inputs_free(&c->in);
  free(c);
}

static dcl_status is_case(const struct dcl_case_handle *c)
{
  return c ? DCL_OK : lib_fail(DCL_INVALID, "case: none is given");
}

dcl_status dcl_case_about(dcl_case c, dcl_case_info *out)
{
  if (is_case(c))
    return DCL_INVALID;
  *out = (dcl_case_info){.op = number_of(c->p.c.op),
                         .seed = c->p.c.seed,
                         .misaligned = c->p.c.misaligned,
                         .accumulate = c->p.c.accumulate,
                         .values = dc_values_name(c->p.c.values),
                         .cotangent = dc_values_name(c->p.c.cotangent)};
  return DCL_OK;
}

dcl_status dcl_case_size(dcl_case c, int s, int64_t *out)
{
  if (is_case(c))
    return DCL_INVALID;
  if (s < 0 || s >= c->p.c.op->n_dims)
    return lib_fail(DCL_INVALID, "size %d: %s has %d", s, c->p.c.op->name, c->p.c.op->n_dims);
  *out = c->p.c.size[s];
  return DCL_OK;
}

dcl_status dcl_case_attr(dcl_case c, int a, double *out)
{
  if (is_case(c))
    return DCL_INVALID;
  if (a < 0 || a >= c->p.c.op->n_attrs)
    return lib_fail(DCL_INVALID, "attribute %d: %s has %d", a, c->p.c.op->name, c->p.c.op->n_attrs);
  *out = c->p.c.attr[a];
  return DCL_OK;
}

dcl_status dcl_case_tensor(dcl_case c, int t, int *rank, int64_t shape[DCL_RANK], const void **data)
{
  if (is_case(c) || no_tensor(c->p.c.op, t))
    return DCL_INVALID;
  *rank = inputs_shape(c->p.c.op, &c->in, t, c->p.c.size, c->p.c.attr, shape);
  *data = c->p.ix[t] ? (const void *)c->p.ix[t] : c->p.f[t];
  return DCL_OK;
}

dcl_dtype lib_type(dc_type type)
{
  static const dcl_dtype DTYPES[DC_N_TYPES] = {
      [DC_TYPE_F32] = DCL_F32,   [DC_TYPE_F64] = DCL_F64,  [DC_TYPE_F16] = DCL_F16,
      [DC_TYPE_BF16] = DCL_BF16, [DC_TYPE_I64] = DCL_I64,  [DC_TYPE_I32] = DCL_I32,
      [DC_TYPE_U8] = DCL_U8,     [DC_TYPE_BOOL] = DCL_BOOL};
  return DTYPES[type];
}

dcl_status dcl_case_type(dcl_case c, int t, dcl_dtype *out)
{
  if (is_case(c) || no_tensor(c->p.c.op, t))
    return DCL_INVALID;
  *out = lib_type(dc_type_of(&c->p.c, t));
  return DCL_OK;
}

dcl_status dcl_case_gap(dcl_case c, int t, int *out)
{
  if (is_case(c) || no_tensor(c->p.c.op, t))
    return DCL_INVALID;
  *out = c->p.c.gap[t];
  return DCL_OK;
}

dcl_status dcl_case_line(dcl_case c, char text[DCL_LINE])
{
  if (is_case(c))
    return DCL_INVALID;
  replay_write(&c->p.c, text);
  return DCL_OK;
}

/* ---- reference and verdict ---- */

dcl_status dcl_arith_check(const char *text)
{
  dc_error err = {""};
  dc_arith means;
  return lib_passed_on(dc_arith_read("arith", text ? text : "", JUDGED_FOREIGN, &means, &err),
                       err.text);
}

dcl_status dcl_case_eval(dcl_case c, const char *text, double *const *want, double *const *e)
{
  dc_error err = {""};
  judged j;
  if (is_case(c))
    return DCL_INVALID;
  dc_status status = judged_arith(&j, "arith", text, &c->p.c, &err);
  if (!status)
    status = dc_allow(&c->p, &j.declared, want, e, &err);
  return lib_passed_on(status, err.text);
}

static void in_words(const judged *j, const char *typed, char text[DCL_TEXT])
{
  FILE *f = fmemopen(text, DCL_TEXT, "w");
  text[0] = '\0';
  if (!f)
    return;
  fprintf(f, "%s: %s\n", j->c->op->name, report_verdict(j->outcome));
  if (typed)
    fprintf(f, "judged as numbers that were rounded: %s\n", typed);
  judged_tell(j, f);
  fclose(f); /* what does not fit is left out: the text is cut */
  text[DCL_TEXT - 1] = '\0';
}

static dcl_status judge(dcl_case c, const char *text, const got *gotten, int blind,
                        dcl_verdict *out)
{
  dc_error err = {""};
  judged *j = calloc(1, sizeof *j);
  if (!j)
    return lib_fail(DCL_NO_MEMORY, "no memory for a verdict");
  j->in = &c->in;
  j->got = gotten;
  const char *typed = NULL;
  dc_status status = judged_arith(j, "arith", text, &c->p.c, &err);
  if (!status) {
    typed = judged_types(j);
    status = judged_make(j, &c->p, blind, &err);
  }
  if (!status) {
    const dc_verdict *v = &j->all;
    *out = (dcl_verdict){.outcome = (dcl_outcome)j->outcome,
                         .elements = v->elements,
                         .failed = v->failed,
                         .vacuous = v->vacuous,
                         .output = v->worst.output,
                         .index = v->worst.index,
                         .got = v->worst.got,
                         .want = v->worst.want,
                         .error = v->worst.err,
                         .bound = v->worst.bound};
    in_words(j, typed, out->text);
  }
  free(j);
  return lib_passed_on(status, err.text);
}

dcl_status dcl_case_judge(dcl_case c, const char *text, const dcl_array *from, int n_got, int blind,
                          dcl_verdict *out)
{
  got gotten[DC_OUTPUTS] = {{.f = NULL}};
  char why[FILE_MESSAGE] = "";
  if (is_case(c))
    return DCL_INVALID;
  const dc_op *op = c->p.c.op;
  if (n_got != op->n_out)
    return lib_fail(DCL_INVALID, "%s: has %d output%s, and %d %s given", op->name, op->n_out,
                    op->n_out == 1 ? "" : "s", n_got, n_got == 1 ? "is" : "are");
  dcl_status status = DCL_OK;
  for (int o = 0; o < n_got && !status; o++) {
    npy a;
    if (!from[o].data)
      continue;
    status = copied(&from[o], op->name, dc_out(op, o)->name, &a);
    if (status)
      break;
    if (!got_take(&c->p.c, &c->in, o, &a, &gotten[o], why))
      status = lib_fail(DCL_INVALID, "%s: %.900s", op->name, why);
    free(a.data);
  }
  if (!status)
    status = judge(c, text, gotten, blind, out);
  got_free(gotten);
  return status;
}
