/* The catalogue: spec/ops.def read into descriptors. */
#include "engine.h"

typedef struct row {
  const char *name, *family, *forward, *classes, *inputs, *outputs, *dims, *attrs, *meaning;
  const dc_glue *glue;
} row;

static const row catalogue[] = {
#define OP(name, family, forward, classes, inputs, outputs, dims, attrs, meaning) \
  {#name, #family, #forward, classes, inputs, outputs, dims, attrs, meaning, &dc_glue_##name},
#include "../../spec/ops.def"
#undef OP
};
enum { N_OPS = sizeof catalogue / sizeof *catalogue };

dc_status dc_fail(dc_error *err, dc_status s, const char *format, ...)
{
  if (err) {
    va_list ap;
    va_start(ap, format);
    vsnprintf(err->text, sizeof err->text, format, ap);
    va_end(ap);
  }
  return s;
}

const char *dc_why(const char *format, ...)
{
  static _Thread_local char text[DC_TEXT];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  return text;
}

/* Copies characters of *s up to one of `stop` into name[16]; 0, or -1 when empty or too long. */
static int take(const char **s, const char *stop, char name[16])
{
  size_t n = strcspn(*s, stop);
  if (n == 0 || n > 15)
    return -1;
  memcpy(name, *s, n);
  name[n] = 0;
  *s += n;
  return 0;
}

static int names(const char *s, char list[][16], int max)
{
  int n = 0;
  while (*s) {
    if (*s == ' ') {
      s++;
      continue;
    }
    if (n == max || take(&s, " ", list[n]))
      return -1;
    n++;
  }
  return n;
}

static int position(const char *name, char list[][16], int n)
{
  for (int i = 0; i < n; i++)
    if (strcmp(name, list[i]) == 0)
      return i;
  return -1;
}

/* "a:f(m*k@ta)": the last two dims are swapped where ta is set */
static int tensor(dc_op *op, const char **s, dc_tensor *t)
{
  char word[16];
  *t = (dc_tensor){.swap = -1};
  if (take(s, ":", t->name) || *(*s)++ != ':' || take(s, "(", word) || *(*s)++ != '(')
    return -1;
  if (strcmp(word, "f") != 0 && strcmp(word, "i64") != 0)
    return -1;
  t->dtype = word[0] == 'f' ? DC_F32 : DC_I64;
  while (**s != ')') {
    if (**s == ',' || **s == '*')
      ++*s;
    if (**s == '@') {
      ++*s;
      if (take(s, ")", word) || (t->swap = position(word, op->attr, op->n_attrs)) < 0)
        return -1;
      continue;
    }
    if (t->rank == DC_RANK || take(s, ",*@)", word))
      return -1;
    if ((t->dim[t->rank++] = position(word, op->dim, op->n_dims)) < 0)
      return -1;
  }
  ++*s;
  return t->swap >= 0 && t->rank < 2 ? -1 : 0;
}

static int tensors(dc_op *op, const char *s, int at)
{
  int n = 0;
  while (*s) {
    if (*s == ' ') {
      s++;
      continue;
    }
    if (at + n == DC_TENSORS || tensor(op, &s, &op->tensor[at + n]))
      return -1;
    n++;
  }
  return n;
}

int dc_op_parse(dc_op *op, const char *inputs, const char *outputs, const char *dims,
                const char *attrs)
{
  op->n_dims = names(dims, op->dim, DC_DIMS);
  op->n_attrs = names(attrs, op->attr, DC_ATTRS);
  if (op->n_dims < 0 || op->n_attrs < 0)
    return -1;
  op->n_in = tensors(op, inputs, 0);
  if (op->n_in < 0)
    return -1;
  op->n_out = tensors(op, outputs, op->n_in);
  return op->n_out < 1 || op->n_out > DC_OUTPUTS ? -1 : 0;
}

static dc_op ops[N_OPS];

static void fill_catalogue(void)
{
  static int filled;
  if (filled)
    return;
  for (int i = 0; i < N_OPS; i++) {
    const row *r = &catalogue[i];
    ops[i] = (dc_op){.name = r->name,
                     .family = r->family,
                     .forward = r->forward,
                     .classes = r->classes,
                     .meaning = r->meaning,
                     .is_vjp = strcmp(r->name, r->forward) != 0,
                     .glue = r->glue};
    if (dc_op_parse(&ops[i], r->inputs, r->outputs, r->dims, r->attrs))
      ops[i].n_in = ops[i].n_out = 0; /* dc_n_ops' test in tests/ rejects such a catalogue */
  }
  filled = 1;
}

int dc_n_ops(void) { return N_OPS; }

const dc_op *dc_op_at(int i)
{
  fill_catalogue();
  return i >= 0 && i < N_OPS ? &ops[i] : NULL;
}

const dc_op *dc_op_find(const char *name)
{
  fill_catalogue();
  for (int i = 0; name && i < N_OPS; i++)
    if (strcmp(ops[i].name, name) == 0)
      return &ops[i];
  return NULL;
}

int dc_tensor_find(const dc_op *op, const char *name)
{
  for (int t = 0; t < op->n_in + op->n_out; t++)
    if (strcmp(op->tensor[t].name, name) == 0)
      return t;
  return -1;
}

int dc_attr_is_integer(const dc_op *op, int attr) { return op->glue->attr[attr] != DC_ATTR_REAL; }

void dc_attr_range(const dc_op *op, int attr, double *least, double *most)
{
  const dc_glue *g = op->glue;
  *least = g->attr_least[attr];
  *most = g->attr_most[attr];
  if (g->attr[attr] == DC_ATTR_FLAG)
    *most = 1;
  else if (*least == 0 && *most == 0) {
    *least = g->attr[attr] == DC_ATTR_REAL ? -FLT_MAX : 0;
    *most = g->attr[attr] == DC_ATTR_REAL ? FLT_MAX : DC_WHOLE;
  }
}

int dc_is_terse(const dc_op *op) { return op->n_dims > DC_RANK / 2; }

const char *dc_op_policy(const dc_op *op) { return op->glue->policy; }

int dc_shape(const dc_op *op, int tensor, const int64_t *size, const double *attr,
             int64_t shape[DC_RANK])
{
  const dc_tensor *t = &op->tensor[tensor];
  if (op->glue->shape)
    return op->glue->shape(op, tensor, size, attr, shape);
  for (int i = 0; i < t->rank; i++)
    shape[i] = size[t->dim[i]];
  if (t->swap >= 0 && attr[t->swap] != 0) {
    int64_t first = shape[t->rank - 2];
    shape[t->rank - 2] = shape[t->rank - 1];
    shape[t->rank - 1] = first;
  }
  return t->rank;
}

int64_t dc_count(const dc_op *op, int tensor, const int64_t *size, const double *attr)
{
  int64_t shape[DC_RANK], n = 1;
  int rank = dc_shape(op, tensor, size, attr, shape), empty = 0;
  for (int i = 0; i < rank; i++) {
    if (shape[i] < 0)
      return -1;
    empty |= shape[i] == 0;
  }
  for (int i = 0; i < rank && !empty; i++)
    if (__builtin_mul_overflow(n, shape[i], &n))
      return -1;
  return empty ? 0 : n;
}
