#include "call.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/engine.h"
#include "../engine/rows.h"
#include "../engine/types.h"
#include "words.h"

const char *const call_type_names[CALL_TYPES] = {"i32", "i64", "u32", "u64", "f32", "f64"};

typedef struct reader {
  const char *argument;
  const dc_op *op;
  call *c;
  unsigned named, told; /* tensors, and strides of such, that the call passes */
  dc_error *err;
} reader;

enum { STRIDE_NAME = sizeof((formula_scope *)0)->stride[0] };

static void stride_name(const dc_op *op, int t, char name[STRIDE_NAME])
{
  snprintf(name, STRIDE_NAME, "%s.stride", op->tensor[t].name);
}

void call_scope(const dc_op *op, const dc_case *c, int aligned, formula_scope *s)
{
  s->n = 0;
  for (int d = 0; d < op->n_dims; d++) {
    s->name[s->n] = op->dim[d];
    s->value[s->n++] = c ? c->size[d] : 1;
  }
  for (int a = 0; a < op->n_attrs; a++)
    if (dc_attr_is_integer(op, a)) {
      s->name[s->n] = op->attr[a];
      s->value[s->n++] = c ? (int64_t)c->attr[a] : 1;
    }
  for (int t = 0; t < op->n_in + op->n_out; t++)
    if (dc_has_rows(op, t)) {
      stride_name(op, t, s->stride[t]);
      s->name[s->n] = s->stride[t];
      s->value[s->n++] = c ? c->size[op->tensor[t].dim[1]] + c->gap[t] : 1;
    }
  if (op->is_vjp) {
    s->name[s->n] = "accumulate";
    s->value[s->n++] = c ? c->accumulate : 0;
  }
  if (aligned) {
    s->name[s->n] = "aligned";
    s->value[s->n++] = !c || c->misaligned == 0;
  }
}

/* What follows that word and a blank; NULL where text does not begin so. */
static char *after(char *text, const char *word)
{
  size_t n = strlen(word);
  return strncmp(text, word, n) == 0 && (text[n] == ' ' || text[n] == '\t')
             ? words_trimmed(text + n)
             : NULL;
}

static dc_status refuse(const reader *r, const char *item, const char *why)
{
  return dc_fail(r->err, DC_INVALID, "%s: '%.60s': %s", r->argument, item, why);
}

static int real_attr(const dc_op *op, const char *name)
{
  for (int a = 0; a < op->n_attrs; a++)
    if (!dc_attr_is_integer(op, a) && strcmp(op->attr[a], name) == 0)
      return a;
  return -1;
}

static dc_status formula(reader *r, const char *text, bool *tells)
{
  formula_scope s;
  dc_error why = {""};
  call_scope(r->op, NULL, 0, &s);
  if (formula_check(text, &s, &why))
    return dc_fail(r->err, DC_INVALID, "%s: %.240s", r->argument, why.text);
  *tells |= formula_names(text, "accumulate") != 0;
  for (int t = 0; t < r->op->n_in + r->op->n_out; t++) {
    char stride[STRIDE_NAME];
    stride_name(r->op, t, stride);
    r->told |= (unsigned)(formula_names(text, stride) != 0) << t;
  }
  return DC_OK;
}

static dc_status number(reader *r, char *text, call_type type, call_arg *a, bool *tells)
{
  char *end;
  *a = (call_arg){.kind = CALL_NUMBER, .type = type, .attr = -1, .formula = text};
  if (!*text)
    return refuse(r, call_type_names[type], "its value is missing");
  const int t = dc_tensor_find(r->op, text);
  if (t >= 0) /* of a type that no tensor has: why any other is refused too */
    return refuse(
        r, text,
        dc_type_refuses(r->op, t, r->op->tensor[t].dtype == DC_I64 ? DC_TYPE_F32 : DC_TYPE_I64));
  if (type == CALL_F32 || type == CALL_F64) {
    a->attr = real_attr(r->op, text);
    a->real = strtod(text, &end);
    if (end != text && (*end == 'f' || *end == 'F') && !end[1]) /* 1e-5f, as C has it */
      end++;
    a->literal = a->attr < 0 && end != text && !*end;
    if (a->attr >= 0 || a->literal)
      return DC_OK;
  } else if (real_attr(r->op, text) >= 0)
    return refuse(r, text, "is a real number: f32 or f64 passes it");
  return formula(r, text, tells);
}

/* The type that stands before a tensor, as f32 before `f32 x`: what follows it in *rest. -1: none does. */
static int type_before(const dc_op *op, char *text, char **rest)
{
  for (int i = 1; i < DC_N_TYPES; i++)
    if ((*rest = after(text, dc_type_name((dc_type)i))) != NULL && dc_tensor_find(op, *rest) >= 0)
      return i;
  *rest = text;
  return -1;
}

/* A tensor that is named twice is of one type. */
static dc_status typed(const reader *r, int t, int type)
{
  const dc_tensor *x = &r->op->tensor[t];
  const char *why = type < 0 ? NULL : dc_type_refuses(r->op, t, (dc_type)type);
  unsigned char *its = &r->c->type[t], new = type < 0 ? DC_AS_LISTED : dc_type_kept((dc_type)type);
  if (why)
    return refuse(r, x->name, why);
  if (r->named >> t & 1 && *its != new)
    return refuse(r, x->name, "is passed as two types");
  *its = new;
  return DC_OK;
}

/* "work(rows*4)": its formula; NULL: it is none. */
static char *work(char *text)
{
  size_t n = strlen(text);
  char *open = text + 4;
  if (strncmp(text, "work", 4) != 0)
    return NULL;
  open += strspn(open, " \t");
  if (*open != '(' || text[n - 1] != ')')
    return NULL;
  text[n - 1] = 0;
  return words_trimmed(open + 1);
}

/* What is said before a tensor. */
typedef struct manner {
  bool zeroed, inout, strided;
} manner;

static dc_status tensor(reader *r, char *name, manner m, call_arg *a)
{
  char list[DC_TEXT] = "";
  const dc_op *op = r->op;
  const int type = type_before(op, name, &name), t = dc_tensor_find(op, name);
  for (int i = 0; i < op->n_in + op->n_out; i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "",
             op->tensor[i].name);
  if (t < 0)
    return dc_fail(r->err, DC_INVALID,
                   "%s: '%.40s': %s has no tensor of that name: %.100s; a number has its type "
                   "before it, as in i32 4",
                   r->argument, name, op->name, list);
  if (m.zeroed && t < op->n_in)
    return refuse(r, name, "zeroed is said of an output; this is an input");
  if (m.strided && !dc_has_rows(op, t))
    return refuse(r, name, dc_gap_refuses(op, t));
  if (r->named >> t & 1 && (r->c->strided >> t & 1) != m.strided)
    return refuse(r, name, "is passed as strided and as dense");
  const dc_status status = typed(r, t, type);
  if (status)
    return status;
  *a = (call_arg){.kind = CALL_TENSOR, .tensor = t};
  r->named |= 1u << t;
  r->c->zeroed |= (unsigned)m.zeroed << t;
  r->c->inout |= (unsigned)m.inout << t;
  r->c->strided |= (unsigned)m.strided << t;
  return DC_OK;
}

static dc_status item(reader *r, char *text, bool *tells)
{
  call_arg *a = &r->c->arg[r->c->n];
  char *rest, *bytes;
  manner m = {false, false, false};
  text = words_trimmed(text);
  if (r->c->n == CALL_ARGS)
    return refuse(r, text, "a call has at most 32 arguments");
  if (!*text)
    return refuse(r, text, "an argument is empty");
  for (int i = 0; i < CALL_TYPES && type_before(r->op, text, &rest) < 0; i++)
    if ((rest = after(text, call_type_names[i])) != NULL || strcmp(text, call_type_names[i]) == 0) {
      r->c->n++;
      return number(r, rest ? rest : text + strlen(text), (call_type)i, a, tells);
    }
  if ((rest = after(text, "zeroed")) != NULL) {
    m.zeroed = true;
    text = rest;
  } else if ((rest = after(text, "inout")) != NULL) {
    m.inout = true;
    text = rest;
  }
  if ((rest = after(text, "strided")) != NULL) {
    m.strided = true;
    text = rest;
  }
  if (!m.inout && !m.strided && (bytes = work(text)) != NULL) {
    if (r->c->work >= 0)
      return refuse(r, "work", "a call has one workspace");
    r->c->work = r->c->n++;
    r->c->zeroed |= (unsigned)m.zeroed << (r->op->n_in + r->op->n_out);
    *a = (call_arg){.kind = CALL_WORK, .attr = -1, .formula = bytes};
    return formula(r, bytes, tells);
  }
  r->c->n++;
  if (!m.zeroed && !m.inout && !m.strided &&
      (strcmp(text, "stream") == 0 || strcmp(text, "null") == 0)) {
    *a = (call_arg){.kind = text[0] == 's' ? CALL_STREAM : CALL_NULL};
    return DC_OK;
  }
  return tensor(r, text, m, a);
}

static bool same_shape(const dc_op *op, int a, int b)
{
  const dc_tensor *x = &op->tensor[a], *y = &op->tensor[b];
  return x->rank == y->rank && x->dtype == y->dtype && x->swap == y->swap &&
         memcmp(x->dim, y->dim, (size_t)x->rank * sizeof x->dim[0]) == 0;
}

/* Where each output comes to be, and whether it is added to. */
static dc_status outputs(reader *r, bool tells)
{
  const dc_op *op = r->op;
  unsigned taken = 0;
  int added = 0;
  for (int t = 0; t < op->n_in + op->n_out; t++)
    if (r->c->strided & ~r->told & 1u << t)
      return dc_fail(r->err, DC_INVALID,
                     "%s: rows of %s are apart by what the call does not pass: i32 %s.stride",
                     r->argument, op->tensor[t].name, op->tensor[t].name);
  for (int o = 0; o < op->n_out; o++) {
    int t = op->n_in + o;
    r->c->place[o] = -1;
    if (r->named >> t & 1) {
      added += r->c->inout >> t & 1;
      continue;
    }
    for (int i = 0; i < op->n_in && r->c->place[o] < 0; i++)
      if ((r->c->inout & ~taken) >> i & 1 && same_shape(op, i, t))
        r->c->place[o] = i;
    if (r->c->place[o] < 0)
      return dc_fail(r->err, DC_INVALID,
                     "%s: %s is an output of %s, and the call names neither it nor an inout input "
                     "of its shape",
                     r->argument, op->tensor[t].name, op->name);
    taken |= 1u << r->c->place[o];
    r->c->type[t] = r->c->type[r->c->place[o]]; /* it is there, after all */
  }
  if (added && !op->is_vjp)
    return dc_fail(r->err, DC_INVALID,
                   "%s: inout of an output says that it is added to, and %s is no gradient",
                   r->argument, op->name);
  if (added && added < op->n_out)
    return dc_fail(r->err, DC_INVALID,
                   "%s: inout: all outputs are added to, or none: say zeroed of those that are",
                   r->argument);
  r->c->accumulate = tells ? -1 : added > 0;
  return DC_OK;
}

/* The comma or the bracket that ends the argument at `text`. */
static char *end_of(char *text)
{
  int deep = 0;
  for (; *text; text++) {
    if (*text == '(')
      deep++;
    else if (*text == ')' && deep-- == 0)
      return text;
    else if (*text == ',' && deep == 0)
      return text;
  }
  return text;
}

dc_status call_read(const char *argument, const char *text, const dc_op *op, call *out,
                    dc_error *err)
{
  reader r = {.argument = argument, .op = op, .c = out, .err = err};
  bool tells = false;
  *out = (call){.work = -1};
  if (strlen(text) >= CALL_TEXT)
    return dc_fail(err, DC_INVALID, "%s: is longer than %d characters", argument, CALL_TEXT - 1);
  strcpy(out->text, text);
  char *open = strchr(out->text, '('), *at = out->text;
  if (!open || open == out->text)
    return refuse(&r, text, "must be NAME(ARGUMENT, ...)");
  *open = 0;
  snprintf(out->symbol, sizeof out->symbol, "%s", words_trimmed(at));
  if (!out->symbol[0] || strlen(words_trimmed(out->text)) >= sizeof out->symbol)
    return refuse(&r, text, "must begin with the kernel's name, of at most 511 characters");
  at = open + 1;
  for (char stop = ','; stop == ',';) {
    char *end = end_of(at);
    stop = *end;
    if (!stop)
      return refuse(&r, text, "')' is missing at its end");
    *end = 0;
    if (stop == ')' && *words_trimmed(end + 1))
      return refuse(&r, words_trimmed(end + 1), "follows the call's ')'");
    if (stop == ')' && out->n == 0 && !*words_trimmed(at))
      break;
    dc_status s = item(&r, at, &tells);
    if (s)
      return s;
    at = end + 1;
  }
  return outputs(&r, tells);
}

dc_status call_number(const call_arg *a, const formula_scope *s, const double *attr,
                      call_value *out, dc_error *err)
{
  int64_t v = 0;
  if (a->attr < 0 && !a->literal) {
    dc_status status = formula_value(a->formula, s, &v, err);
    if (status)
      return status;
  }
  const double real = a->attr >= 0 ? attr[a->attr] : a->literal ? a->real : (double)v;
  const bool fits = a->type == CALL_I32   ? v >= INT32_MIN && v <= INT32_MAX
                    : a->type == CALL_U32 ? v >= 0 && v <= UINT32_MAX
                    : a->type == CALL_U64 ? v >= 0
                                          : true;
  if (!fits)
    return dc_fail(err, DC_TOO_BIG, "'%.80s': %lld is no %s", a->formula, (long long)v,
                   call_type_names[a->type]);
  switch (a->type) {
  case CALL_I32:
    out->i32 = (int32_t)v;
    break;
  case CALL_U32:
    out->u32 = (uint32_t)v;
    break;
  case CALL_U64:
    out->u64 = (uint64_t)v;
    break;
  case CALL_F32:
    out->f32 = (float)real;
    break;
  case CALL_F64:
    out->f64 = real;
    break;
  default:
    out->i64 = v;
  }
  return DC_OK;
}
