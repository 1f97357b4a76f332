#include "rows.h"

#include "engine.h"

int dc_has_rows(const dc_op *op, int t)
{
  return op->tensor[t].rank == 2 && op->tensor[t].swap < 0 && !op->glue->shape;
}

const char *dc_gap_refuses(const dc_op *op, int t)
{
  return dc_has_rows(op, t) ? NULL : "is no tensor of rows, so that there is nothing between them";
}

dc_rows dc_rows_of(const dc_case *c, int t, int gap)
{
  const dc_tensor *x = &c->op->tensor[t];
  if (gap == 0) {
    const int64_t n = dc_count(c->op, t, c->size, c->attr);
    return (dc_rows){1, n, n};
  }
  return (dc_rows){c->size[x->dim[0]], c->size[x->dim[1]], c->size[x->dim[1]] + gap};
}

int64_t dc_rows_placed(const dc_case *c, int t)
{
  const int64_t n = dc_count(c->op, t, c->size, c->attr);
  int64_t gaps, all;
  if (n < 0 || c->gap[t] == 0)
    return n;
  const dc_rows r = dc_rows_of(c, t, c->gap[t]);
  if (r.rows == 0)
    return 0;
  return __builtin_mul_overflow(r.rows - 1, (int64_t)c->gap[t], &gaps) ||
                 __builtin_add_overflow(gaps, n, &all)
             ? -1
             : all;
}

dc_status dc_gaps_check(const dc_case *c, dc_error *err)
{
  for (int t = 0; t < c->op->n_in + c->op->n_out; t++) {
    if (c->gap[t] < 0 || c->gap[t] > DC_GAP)
      return dc_fail(err, DC_INVALID, "%s: gap of %s is %d, must be from 0 to %d", c->op->name,
                     c->op->tensor[t].name, c->gap[t], DC_GAP);
    if (c->gap[t] && !dc_has_rows(c->op, t))
      return dc_fail(err, DC_INVALID, "%s: gap: %s %s", c->op->name, c->op->tensor[t].name,
                     dc_gap_refuses(c->op, t));
  }
  return DC_OK;
}

int dc_gaps_said(const int gap[DC_TENSORS])
{
  int any = 0;
  for (int t = 0; t < DC_TENSORS; t++)
    any |= gap[t] >= 0;
  return any;
}

void dc_gaps_draw(dc_case *c, const dc_fixed *fixed)
{
  static const uint64_t GAPS =
      0x67617073u; /* numbers of their own: nothing else is drawn otherwise */
  static const int GAP[] = {0, 1, 3, 4, 8, 31, 64};
  dc_rng r;
  dc_rng_seed(&r, c->seed ^ GAPS, 0);
  for (int t = 0; t < c->op->n_in + c->op->n_out; t++) {
    const int drawn = GAP[dc_rng_below(&r, sizeof GAP / sizeof GAP[0])];
    c->gap[t] = fixed->gap[t] >= 0 ? fixed->gap[t] : fixed->strided >> t & 1 ? drawn : 0;
  }
}

dc_status dc_gaps_take(const dc_op *op, const dc_foreign *kernel, unsigned strided,
                       const int gap[DC_TENSORS], dc_error *err)
{
  for (int t = 0; t < op->n_in + op->n_out; t++)
    if ((gap[t] > 0 || strided >> t & 1) && !(kernel && kernel->strided >> t & 1))
      return dc_fail(err, DC_INVALID,
                     "%s: rows of %s lie apart in the case, and the kernel is not told by how "
                     "much: its call must say strided %s, and pass %s.stride",
                     op->name, op->tensor[t].name, op->tensor[t].name, op->tensor[t].name);
  return DC_OK;
}
