#include "replay.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/engine.h"
#include "../engine/rows.h"
#include "../engine/types.h"

#define BLANKS " \t\n,"

/* ---- writing ---- */

__attribute__((format(printf, 2, 3))) static void add(char *text, const char *format, ...)
{
  size_t n = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + n, REPLAY_TEXT - n, format, args);
  va_end(args);
}

/* The shortest decimal that reads back as the same double. */
static void add_real(char *text, const char *key, double value)
{
  char digits[40];
  int precision = 1;
  do
    snprintf(digits, sizeof digits, "%.*g", precision, value);
  while (strtod(digits, NULL) != value && ++precision <= 17);
  add(text, " %s=%s", key, digits);
}

static void add_sizes(const dc_op *op, const int64_t *size, const double *attr, char *text)
{
  const int terse = dc_is_terse(op);
  dc_case plain;
  dc_case_init(&plain, op);
  for (int d = 0; d < op->n_dims; d++)
    if (!terse || size[d] != 1)
      add(text, " %s=%" PRId64, op->dim[d], size[d]);
  for (int a = 0; a < op->n_attrs; a++)
    if (terse && attr[a] == plain.attr[a])
      continue;
    else if (dc_attr_is_integer(op, a))
      add(text, " %s=%.0f", op->attr[a], attr[a]);
    else
      add_real(text, op->attr[a], attr[a]);
}

char *replay_size(const dc_op *op, const int64_t *size, const double *attr, char *text)
{
  text[0] = 0;
  add_sizes(op, size, attr, text);
  if (text[0])
    memmove(text, text + 1, strlen(text));
  return text;
}

char *replay_write(const dc_case *c, char *text)
{
  dc_case plain;
  dc_case_init(&plain, c->op);
  snprintf(text, REPLAY_TEXT, "%s", c->op->name);
  add_sizes(c->op, c->size, c->attr, text);
  if (c->values != plain.values)
    add(text, " values=%s", dc_values_name(c->values));
  if (c->cotangent != plain.cotangent)
    add(text, " cotangent=%s", dc_values_name(c->cotangent));
  if (c->indices != plain.indices)
    add(text, " indices=%s", dc_indices_name(c->indices));
  if (c->misaligned != plain.misaligned)
    add(text, " misaligned=%u", c->misaligned);
  if (c->accumulate != plain.accumulate)
    add(text, " accumulate=%d", c->accumulate);
  if (c->variant[0])
    add(text, " variant=%s", c->variant);
  for (int t = 0, n = 0; t < c->op->n_in + c->op->n_out; t++)
    if (c->type[t] != DC_AS_LISTED)
      add(text, "%s%s:%s", n++ ? ":" : " types=", c->op->tensor[t].name,
          dc_type_name((dc_type)c->type[t]));
  for (int t = 0, n = 0; t < c->op->n_in + c->op->n_out; t++)
    if (c->gap[t])
      add(text, "%s%s:%d", n++ ? ":" : " gap=", c->op->tensor[t].name, c->gap[t]);
  for (int t = 0; t < c->op->n_in; t++)
    if (c->keep_hi[t] >= 0)
      add(text, " keep=%s:%" PRId64 ":%" PRId64, c->op->tensor[t].name, c->keep_lo[t],
          c->keep_hi[t]);
  add(text, " seed=%" PRIu64, c->seed);
  return text;
}

/* ---- reading ---- */

typedef struct {
  const char *argument; /* named in errors: "--set", "replay" */
  const dc_op *op;
  dc_fixed fixed;
  uint64_t seed;
  int64_t keep_lo[DC_TENSORS], keep_hi[DC_TENSORS];
  int whole; /* seed and keep are fields too */
  int seeded, typed;
  dc_error *note, *err;
} fields;

static dc_status whole(const fields *f, const char *key, const char *text, int64_t least,
                       int64_t most, int64_t *out)
{
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (end == text || *end || errno || value < least || value > most)
    return dc_fail(f->err, DC_INVALID,
                   "%s: %s=%.40s: must be a whole number from %" PRId64 " to %" PRId64, f->argument,
                   key, text, least, most);
  *out = value;
  return DC_OK;
}

/* To float32, as a kernel takes it: few decimals are one. */
static dc_status number(const fields *f, const char *key, const char *text, double least,
                        double most, double *out)
{
  char *end;
  double value = strtod(text, &end), rounded = (double)(float)value;
  if (end == text || *end || !(rounded >= least && rounded <= most) ||
      isinf(value) != isinf(rounded))
    return dc_fail(f->err, DC_INVALID, "%s: %s=%.40s: must be a number from %.9g to %.9g",
                   f->argument, key, text, least, most);
  if (rounded != value && f->note) {
    size_t n = strlen(f->note->text);
    snprintf(f->note->text + n, sizeof f->note->text - n,
             "%s%s=%.40s is taken as %.9g, the nearest float32", n ? "; " : "", key, text, rounded);
  }
  *out = rounded;
  return DC_OK;
}

/* One of n names. */
static dc_status name(const fields *f, const char *key, const char *text, int n,
                      const char *names(int), int *out)
{
  char list[120] = "", hint[TEXT_HINT];
  for (int i = 0; i < n; i++) {
    if (strcmp(text, names(i)) == 0) {
      *out = i;
      return DC_OK;
    }
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
             i == 0       ? ""
             : i == n - 1 ? " or "
                          : ", ",
             names(i));
  }
  return dc_fail(f->err, DC_INVALID, "%s: %s=%.40s: must be %s%s", f->argument, key, text, list,
                 text_hint(text, list, hint));
}

static const char *values_name(int i) { return dc_values_name((dc_values)i); }
static const char *indices_name(int i) { return dc_indices_name((dc_indices)i); }

/* N:N:.., none for a tensor of rank 0 */
static dc_status numbers(const fields *f, const char *key, const char *text, int *n, int64_t *out)
{
  char one[24];
  *n = 0;
  while (*text) {
    size_t length = strcspn(text, ":");
    if (*n == DC_RANK)
      return dc_fail(f->err, DC_INVALID, "%s: %s has more than %d numbers", f->argument, key,
                     DC_RANK);
    snprintf(one, sizeof one, "%.*s", (int)(length < sizeof one ? length : sizeof one), text);
    dc_status status = whole(f, key, one, INT32_MIN, (int64_t)1 << 61, &out[(*n)++]);
    if (status)
      return status;
    text += length + (text[length] == ':');
  }
  return DC_OK;
}

static dc_status twice(const fields *f, const char *key, const char *text)
{
  return dc_fail(f->err, DC_INVALID, "%s: %s=%.40s: %s is given twice", f->argument, key, text,
                 key);
}

/* TENSOR:FIRST:END */
static dc_status keep(fields *f, const char *text)
{
  char name[16];
  int end = 0, t;
  long long first, last;
  if (sscanf(text, "%15[^:]:%lld:%lld%n", name, &first, &last, &end) != 3 || text[end] ||
      first < 0 || last < first)
    return dc_fail(f->err, DC_INVALID,
                   "%s: keep=%.40s: must be TENSOR:FIRST:END with 0 <= FIRST <= END", f->argument,
                   text);
  t = dc_tensor_find(f->op, name);
  if (t < 0 || t >= f->op->n_in)
    return dc_fail(f->err, DC_INVALID, "%s: keep=%.40s: must name an input of %s", f->argument,
                   text, f->op->name);
  if (f->keep_hi[t] >= 0)
    return twice(f, "keep", text);
  f->keep_lo[t] = first;
  f->keep_hi[t] = last;
  return DC_OK;
}

/* TENSOR:TYPE:TENSOR:TYPE.. */
static dc_status types(fields *f, const char *text)
{
  char name[16], type[8];
  int n, end = 0, said = 0;
  for (const char *at = text; *at; at += end + (at[end] == ':')) {
    if (sscanf(at, "%15[^:]:%7[^:]%n", name, type, &end) != 2 || (at[end] && at[end] != ':'))
      return dc_fail(f->err, DC_INVALID, "%s: types=%.60s: must be TENSOR:TYPE:TENSOR:TYPE..",
                     f->argument, text);
    const int t = dc_tensor_find(f->op, name);
    if (t < 0)
      return dc_fail(f->err, DC_INVALID, "%s: types=%.60s: %s has no tensor %s", f->argument, text,
                     f->op->name, name);
    if ((n = dc_type_find(type)) < 0)
      return dc_fail(f->err, DC_INVALID,
                     "%s: types=%.60s: %s must be f32, f16, bf16, f64, i32, i64, u8 or bool",
                     f->argument, text, type);
    const char *why = dc_type_refuses(f->op, t, (dc_type)n);
    if (why)
      return dc_fail(f->err, DC_INVALID, "%s: types=%.60s: %s %s", f->argument, text, name, why);
    if (said >> t & 1)
      return twice(f, "types", text);
    said |= 1 << t;
    f->fixed.type[t] = dc_type_kept((dc_type)n);
  }
  return DC_OK;
}

/* A tensor of rows, by name. */
static dc_status of_rows(const fields *f, const char *key, const char *text, const char *name,
                         int *t)
{
  *t = dc_tensor_find(f->op, name);
  if (*t < 0)
    return dc_fail(f->err, DC_INVALID, "%s: %s=%.60s: %s has no tensor %s", f->argument, key, text,
                   f->op->name, name);
  const char *why = dc_gap_refuses(f->op, *t);
  return why ? dc_fail(f->err, DC_INVALID, "%s: %s=%.60s: %s %s", f->argument, key, text, name, why)
             : DC_OK;
}

/* TENSOR:N:TENSOR:N.. */
static dc_status gaps(fields *f, const char *text)
{
  char name[16], digits[24];
  int end = 0, t = 0;
  int64_t n = 0;
  for (const char *at = text; *at; at += end + (at[end] == ':')) {
    if (sscanf(at, "%15[^:]:%23[^:]%n", name, digits, &end) != 2 || (at[end] && at[end] != ':'))
      return dc_fail(f->err, DC_INVALID, "%s: gap=%.60s: must be TENSOR:N:TENSOR:N..", f->argument,
                     text);
    dc_status status = of_rows(f, "gap", text, name, &t);
    if (!status && f->fixed.gap[t] >= 0)
      status = twice(f, "gap", text);
    if (!status)
      status = whole(f, "gap", digits, 0, DC_GAP, &n);
    if (status)
      return status;
    f->fixed.gap[t] = (int)n;
  }
  return DC_OK;
}

/* TENSOR:TENSOR.. */
static dc_status strided(fields *f, const char *text)
{
  char name[16];
  int end = 0, t = 0;
  for (const char *at = text; *at; at += end + (at[end] == ':')) {
    if (sscanf(at, "%15[^:]%n", name, &end) != 1 || (at[end] && at[end] != ':'))
      return dc_fail(f->err, DC_INVALID, "%s: strided=%.60s: must be TENSOR:TENSOR..", f->argument,
                     text);
    dc_status status = of_rows(f, "strided", text, name, &t);
    if (status)
      return status;
    f->fixed.strided |= 1u << t;
  }
  return DC_OK;
}

static dc_status seed(fields *f, const char *text)
{
  char *end;
  if (f->seeded++)
    return twice(f, "seed", text);
  errno = 0;
  f->seed = strtoull(text, &end, 10);
  if (end == text || *end || errno || *text == '-')
    return dc_fail(f->err, DC_INVALID, "%s: seed=%.40s: must be a whole number from 0 to 2^64-1",
                   f->argument, text);
  return DC_OK;
}

static dc_status unknown(const fields *f, const char *key)
{
  char list[17 * (DC_DIMS + DC_ATTRS) + 160] = "", hint[TEXT_HINT];
  size_t n = 0;
  for (int d = 0; d < f->op->n_dims; d++)
    n += (size_t)snprintf(list + n, sizeof list - n, "%s, ", f->op->dim[d]);
  for (int a = 0; a < f->op->n_attrs; a++)
    n += (size_t)snprintf(list + n, sizeof list - n, "%s, ", f->op->attr[a]);
  snprintf(list + n, sizeof list - n,
           "%svalues, cotangent, indices, accumulate, misaligned, variant, types, gap%s",
           f->op->glue->view && !f->whole ? "axis, axes, shape, " : "",
           f->whole ? ", keep, seed" : ", strided");
  return dc_fail(f->err, DC_INVALID, "%s: '%.40s'%s: %s takes %s", f->argument, key,
                 text_hint(key, list, hint), f->op->name, list);
}

static dc_status field(fields *f, const char *key, char *value)
{
  const dc_op *op = f->op;
  dc_fixed *x = &f->fixed;
  int64_t n = 0;
  dc_status status;
  for (int d = 0; d < op->n_dims; d++)
    if (strcmp(key, op->dim[d]) == 0)
      return x->size[d] >= 0 ? twice(f, key, value)
                             : whole(f, key, value, 0, (int64_t)1 << 61, &x->size[d]);
  for (int a = 0; a < op->n_attrs; a++)
    if (strcmp(key, op->attr[a]) == 0) {
      double least, most;
      if (!isnan(x->attr[a]))
        return twice(f, key, value);
      dc_attr_range(op, a, &least, &most);
      if (!dc_attr_is_integer(op, a))
        return number(f, key, value, least, most, &x->attr[a]);
      status = whole(f, key, value, (int64_t)least, (int64_t)most, &n);
      if (!status)
        x->attr[a] = (double)n;
      return status;
    }
  if (op->glue->view && !f->whole) {
    if (strcmp(key, "axis") == 0)
      return x->view.axis != INT64_MIN ? twice(f, key, value)
                                       : whole(f, key, value, INT32_MIN, INT32_MAX, &x->view.axis);
    if (strcmp(key, "axes") == 0)
      return x->view.n_axes >= 0 ? twice(f, key, value)
                                 : numbers(f, key, value, &x->view.n_axes, x->view.axes);
    if (strcmp(key, "shape") == 0)
      return x->view.n_to >= 0 ? twice(f, key, value)
                               : numbers(f, key, value, &x->view.n_to, x->view.to);
  }
  if (strcmp(key, "values") == 0)
    return x->values >= 0 ? twice(f, key, value)
                          : name(f, key, value, DC_N_VALUES, values_name, &x->values);
  if (strcmp(key, "cotangent") == 0)
    return x->cotangent >= 0 ? twice(f, key, value)
                             : name(f, key, value, DC_N_VALUES, values_name, &x->cotangent);
  if (strcmp(key, "indices") == 0)
    return x->indices >= 0 ? twice(f, key, value)
                           : name(f, key, value, DC_N_INDICES, indices_name, &x->indices);
  if (strcmp(key, "accumulate") == 0) {
    if (x->accumulate >= 0)
      return twice(f, key, value);
    if (!op->is_vjp && strcmp(value, "0") != 0)
      return dc_fail(f->err, DC_INVALID, "%s: accumulate=%.40s: must be 0: %s is no gradient",
                     f->argument, value, op->name);
    status = whole(f, key, value, 0, 1, &n);
    x->accumulate = (int)n;
    return status;
  }
  if (strcmp(key, "misaligned") == 0) {
    if (x->misaligned >= 0)
      return twice(f, key, value);
    status = whole(f, key, value, 0, (1 << (op->n_in + op->n_out)) - 1, &n);
    x->misaligned = (int)n;
    return status;
  }
  if (strcmp(key, "variant") == 0) {
    if (x->variant[0])
      return twice(f, key, value);
    if (strlen(value) >= sizeof x->variant || !*value)
      return dc_fail(f->err, DC_INVALID, "%s: variant=%.40s: no such row of the kernel table",
                     f->argument, value);
    strcpy(x->variant, value);
    return DC_OK;
  }
  if (strcmp(key, "types") == 0)
    return f->typed++ ? twice(f, key, value) : types(f, value);
  if (strcmp(key, "gap") == 0)
    return gaps(f, value);
  if (!f->whole && strcmp(key, "strided") == 0)
    return strided(f, value);
  if (f->whole && strcmp(key, "seed") == 0)
    return seed(f, value);
  if (f->whole && strcmp(key, "keep") == 0)
    return keep(f, value);
  return unknown(f, key);
}

/* Takes `text` apart, which it overwrites. */
static dc_status all_fields(fields *f, char *text)
{
  char *rest = NULL;
  dc_status status = DC_OK;
  for (char *item = strtok_r(text, BLANKS, &rest); item && !status;
       item = strtok_r(NULL, BLANKS, &rest)) {
    char *value = strchr(item, '=');
    if (!value)
      return dc_fail(f->err, DC_INVALID, "%s: '%.40s': a field is written key=value", f->argument,
                     item);
    *value++ = 0;
    status = field(f, item, value);
  }
  return status;
}

dc_status replay_fix(const char *argument, const char *text, const dc_op *op, dc_fixed *out,
                     dc_error *note, dc_error *err)
{
  fields f = {.argument = argument, .op = op, .fixed = *out, .note = note, .err = err};
  char *copy = strdup(text);
  dc_status status = copy ? all_fields(&f, copy) : DC_NO_MEMORY;
  if (!status)
    *out = f.fixed;
  free(copy);
  return status;
}

dc_status replay_read(const char *line, dc_case *out, dc_error *note, dc_error *err)
{
  fields f = {.argument = "replay", .whole = 1, .note = note, .err = err};
  dc_case c;
  char *copy = strdup(line), *rest = NULL, *op = copy ? strtok_r(copy, BLANKS, &rest) : NULL;
  dc_status status = copy ? DC_OK : DC_NO_MEMORY;
  if (!status && !op)
    status = dc_fail(err, DC_INVALID, "replay: the line is empty: it must begin with an op");
  if (!status && !(f.op = dc_op_find(op)))
    status = dc_fail(err, DC_INVALID, "replay: %s", text_unknown(op, (char[TEXT_UNKNOWN]){0}));
  if (!status) {
    dc_case_init(&c, f.op);
    dc_fixed_init(&f.fixed);
    f.seed = c.seed;
    memcpy(f.keep_lo, c.keep_lo, sizeof f.keep_lo);
    memcpy(f.keep_hi, c.keep_hi, sizeof f.keep_hi);
    status = all_fields(&f, rest);
  }
  for (int d = 0; !status && d < f.op->n_dims; d++) {
    if (f.fixed.size[d] < 0 && dc_is_terse(f.op))
      f.fixed.size[d] = 1;
    if (f.fixed.size[d] < 0)
      status = dc_fail(err, DC_INVALID, "replay: %s is missing: %s needs a size for it",
                       f.op->dim[d], f.op->name);
    c.size[d] = f.fixed.size[d];
  }
  if (!status) {
    for (int a = 0; a < f.op->n_attrs; a++)
      if (!isnan(f.fixed.attr[a]))
        c.attr[a] = f.fixed.attr[a];
    if (f.fixed.values >= 0)
      c.values = (dc_values)f.fixed.values;
    if (f.fixed.cotangent >= 0)
      c.cotangent = (dc_values)f.fixed.cotangent;
    if (f.fixed.indices >= 0)
      c.indices = (dc_indices)f.fixed.indices;
    if (f.fixed.accumulate >= 0)
      c.accumulate = f.fixed.accumulate;
    if (f.fixed.misaligned >= 0)
      c.misaligned = (unsigned)f.fixed.misaligned;
    memcpy(c.variant, f.fixed.variant, sizeof c.variant);
    memcpy(c.type, f.fixed.type, sizeof c.type);
    for (int t = 0; t < DC_TENSORS; t++)
      c.gap[t] = f.fixed.gap[t] > 0 ? f.fixed.gap[t] : 0;
    c.seed = f.seed;
    memcpy(c.keep_lo, f.keep_lo, sizeof c.keep_lo);
    memcpy(c.keep_hi, f.keep_hi, sizeof c.keep_hi);
    *out = c;
  }
  free(copy);
  return status;
}
