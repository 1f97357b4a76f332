/* Cases: their fields, names, limits. */
#include "engine.h"
#include "rows.h"
#include "types.h"

static const char *const values_names[DC_N_VALUES] = {
    [DC_UNIFORM] = "uniform",   [DC_OFFSET] = "offset",       [DC_TAIL] = "tail",
    [DC_WIDE] = "wide",         [DC_SUBNORMAL] = "subnormal", [DC_ZEROS] = "zeros",
    [DC_TIES] = "ties",         [DC_EQUAL] = "equal",         [DC_SPECIAL] = "special",
    [DC_INTEGERS] = "integers", [DC_KINKS] = "kinks",         [DC_ONES] = "ones",
    [DC_HUGE] = "huge",         [DC_MINUS_INF] = "minus_inf"};
static const char *const indices_names[DC_N_INDICES] = {
    [DC_IX_RANDOM] = "random",     [DC_IX_DUPLICATED] = "duplicated", [DC_IX_SORTED] = "sorted",
    [DC_IX_REVERSED] = "reversed", [DC_IX_OUTSIDE] = "outside",       [DC_IX_EQUAL] = "equal",
    [DC_IX_EMPTY] = "empty"};

static int find(const char *name, const char *const *names, int n)
{
  for (int i = 0; name && i < n; i++)
    if (strcmp(name, names[i]) == 0)
      return i;
  return -1;
}

const char *dc_values_name(dc_values v) { return v < DC_N_VALUES ? values_names[v] : "?"; }
int dc_values_find(const char *name) { return find(name, values_names, DC_N_VALUES); }
const char *dc_indices_name(dc_indices v) { return v < DC_N_INDICES ? indices_names[v] : "?"; }
int dc_indices_find(const char *name) { return find(name, indices_names, DC_N_INDICES); }

void dc_case_init(dc_case *c, const dc_op *op)
{
  *c = (dc_case){.op = op, .seed = 1};
  for (int i = 0; i < op->n_attrs; i++)
    c->attr[i] = op->glue->attr_default[i];
  for (int t = 0; t < DC_TENSORS; t++)
    c->keep_hi[t] = -1;
}

void dc_fixed_init(dc_fixed *f)
{
  *f = (dc_fixed){.values = -1,
                  .cotangent = -1,
                  .indices = -1,
                  .accumulate = -1,
                  .misaligned = -1,
                  .view = {.axis = INT64_MIN, .n_axes = -1, .n_to = -1}};
  for (int i = 0; i < DC_DIMS; i++)
    f->size[i] = -1;
  for (int i = 0; i < DC_ATTRS; i++)
    f->attr[i] = NAN;
  for (int t = 0; t < DC_TENSORS; t++)
    f->gap[t] = -1;
}

int dc_case_fixed(dc_case *c, const dc_op *op, const dc_fixed *f)
{
  dc_case_init(c, op);
  for (int d = 0; d < op->n_dims; d++) {
    if (f->size[d] < 0)
      return d;
    c->size[d] = f->size[d];
  }
  for (int a = 0; a < op->n_attrs; a++)
    if (!isnan(f->attr[a]))
      c->attr[a] = f->attr[a];
  return -1;
}

void dc_kernel_size(const dc_case *c, int64_t size[DC_DIMS + DC_ATTRS])
{
  int n = 0;
  for (int i = 0; i < c->op->n_dims; i++)
    size[n++] = c->size[i];
  for (int i = 0; i < c->op->n_attrs; i++)
    if (dc_attr_is_integer(c->op, i))
      size[n++] = (int64_t)c->attr[i];
  while (n < DC_DIMS + DC_ATTRS)
    size[n++] = 0;
}

double dc_work(const dc_case *c)
{
  const dc_op *op = c->op;
  double product = 1, total = 0;
  for (int i = 0; i < op->n_dims; i++)
    product *= (double)c->size[i];
  if (!op->glue->draw)
    return product;
  for (int t = 0; t < op->n_in + op->n_out; t++)
    total += (double)dc_count(op, t, c->size, c->attr);
  return total;
}

double dc_patience(const dc_case *c) { return 1 + dc_work(c) / (1 << 24); }

dc_status dc_case_bytes(const dc_case *c, size_t *bytes, dc_error *err)
{
  const dc_op *op = c->op;
  /* Each tensor stands on the device, in its image and in what came back of it; an input in f32
   * besides, an output three times (a run, its repetition, the other back end). Then the slices
   * in f64: all of it where the op cannot be cut. */
  size_t total = 1 << 16;
  for (int t = 0; t < op->n_in + op->n_out; t++) {
    int64_t n = dc_rows_placed(c, t);
    const size_t size = dc_type_size(dc_type_of(c, t));
    size_t each = (size < 4 ? 4 : size) * (t < op->n_in ? 4u : 7u), part;
    if (!op->glue->cut)
      each += t < op->n_in || !dc_bounded(op->classes[t - op->n_in]) ? 8 : 40;
    if (n < 0 || __builtin_mul_overflow((size_t)n, each, &part) ||
        __builtin_add_overflow(total, part, &total) || total > SIZE_MAX / 2)
      return dc_fail(err, DC_TOO_BIG, "%s: the size of %s overflows", op->name, op->tensor[t].name);
  }
  *bytes = total;
  return DC_OK;
}

dc_status dc_case_attrs(const dc_case *c, dc_error *err)
{
  const dc_op *op = c->op;
  for (int i = 0; i < op->n_attrs; i++) {
    double a = c->attr[i];
    double least, most;
    dc_attr_range(op, i, &least, &most);
    if (op->glue->attr[i] == DC_ATTR_FLAG && a != 0 && a != 1)
      return dc_fail(err, DC_INVALID, "%s: %s is %g, must be 0 or 1", op->name, op->attr[i], a);
    if (dc_attr_is_integer(op, i) && !(a == rint(a) && a >= least && a <= most))
      return dc_fail(err, DC_INVALID, "%s: %s is %.17g, must be a whole number from %.0f to %.0f",
                     op->name, op->attr[i], a, least, most);
    if (!dc_attr_is_integer(op, i) && (double)(float)a != a)
      return dc_fail(err, DC_INVALID, "%s: %s is %.17g, must be an f32 number", op->name,
                     op->attr[i], a);
    if (!(a >= least && a <= most))
      return dc_fail(err, DC_INVALID, "%s: %s is %.9g, must be from %.9g to %.9g", op->name,
                     op->attr[i], a, least, most);
  }
  return DC_OK;
}

dc_status dc_case_check(const dc_case *c, size_t limit_bytes, dc_error *err)
{
  if (!c->op)
    return dc_fail(err, DC_INVALID, "op: none is given");
  const dc_op *op = c->op;
  for (int i = 0; i < op->n_dims; i++)
    if (c->size[i] < 0)
      return dc_fail(err, DC_INVALID, "%s: %s is %lld, must not be negative", op->name, op->dim[i],
                     (long long)c->size[i]);
  dc_status s = dc_case_attrs(c, err);
  if (s)
    return s;
  const char *why = op->glue->check ? op->glue->check(c->size, c->attr) : NULL;
  if (why)
    return dc_fail(err, DC_INVALID, "%s: %s", op->name, why);
  if ((unsigned)c->values >= DC_N_VALUES || (unsigned)c->cotangent >= DC_N_VALUES)
    return dc_fail(err, DC_INVALID, "%s: no such class of values: %d, %d", op->name, (int)c->values,
                   (int)c->cotangent);
  if ((unsigned)c->indices >= DC_N_INDICES)
    return dc_fail(err, DC_INVALID, "%s: no such class of indices: %d", op->name, (int)c->indices);
  if (c->accumulate != 0 && (c->accumulate != 1 || !op->is_vjp))
    return dc_fail(err, DC_INVALID, "%s: accumulate is %d, must be 0%s", op->name, c->accumulate,
                   op->is_vjp ? " or 1" : " for an op that is no VJP");
  if (c->misaligned >> (op->n_in + op->n_out))
    return dc_fail(err, DC_INVALID, "%s: misaligned is 0x%x, but there are %d tensors", op->name,
                   c->misaligned, op->n_in + op->n_out);
  size_t bytes;
  s = dc_types_check(c, err);
  if (!s)
    s = dc_gaps_check(c, err);
  if (s)
    return s;
  s = dc_case_bytes(c, &bytes, err);
  if (s)
    return s;
  if (limit_bytes && bytes > limit_bytes)
    return dc_fail(err, DC_TOO_BIG, "%s: the case takes %.1f MiB, the limit is %.1f MiB", op->name,
                   (double)bytes / 0x1p20, (double)limit_bytes / 0x1p20);
  return DC_OK;
}

int dc_case_same(const dc_case *a, const dc_case *b)
{
  if (a->op != b->op || a->values != b->values || a->cotangent != b->cotangent ||
      a->indices != b->indices || a->seed != b->seed || a->misaligned != b->misaligned ||
      a->accumulate != b->accumulate || strcmp(a->variant, b->variant) != 0 ||
      memcmp(a->type, b->type, sizeof a->type) != 0 || memcmp(a->gap, b->gap, sizeof a->gap) != 0)
    return 0;
  for (int i = 0; i < a->op->n_dims; i++)
    if (a->size[i] != b->size[i])
      return 0;
  for (int i = 0; i < a->op->n_attrs; i++)
    if (a->attr[i] != b->attr[i])
      return 0;
  for (int t = 0; t < a->op->n_in; t++)
    if (a->keep_lo[t] != b->keep_lo[t] || a->keep_hi[t] != b->keep_hi[t] ||
        a->given[t] != b->given[t])
      return 0;
  return 1;
}

int dc_case_fours(const dc_case *c)
{
  const dc_op *op = c->op;
  int64_t most = -1, last = 0;
  for (int t = 0; t < op->n_in + op->n_out; t++) {
    int64_t shape[DC_RANK], n = dc_count(op, t, c->size, c->attr);
    int rank = dc_shape(op, t, c->size, c->attr, shape);
    if (n > most) {
      most = n;
      while (rank > 1 && shape[rank - 1] == 1)
        rank--;
      last = rank ? shape[rank - 1] : 1;
      if (op->glue->complex_last && rank > 2)
        last *= shape[rank - 2];
    }
  }
  return !c->misaligned && last % 4 == 0;
}
