/* What is around a wrong element, and what kind of values a case is about: for those who look. */
#include "engine.h"

int dc_class_of(const dc_case *c)
{
  for (int t = 0; t < c->op->n_in; t++)
    if (c->given[t])
      return DC_N_VALUES;
  return c->op->is_vjp && !dc_has_values(c->op) ? (int)c->cotangent : (int)c->values;
}

const char *dc_class_name(int k)
{
  return k == DC_N_VALUES ? "given" : dc_values_name((dc_values)k);
}

/* Element `i` of the band, of which the kernel gave f[i], or d[i]. */
static void look(const dc_band *b, int64_t i, const float *f, const double *d, dc_near *out)
{
  dc_band one = dc_band_one(b, i);
  dc_verdict v;
  dc_verdict_init(&v);
  if (f)
    dc_judge(&one, f + one.first, &v);
  else
    dc_judge_wide(&one, d + one.first, &v);
  out->wrong = v.failed > 0;
  out->got = f ? (double)f[one.first] : d[one.first];
  out->want = v.worst.output < 0 ? b->v[i] + (b->old ? (double)b->old[i] : 0) : v.worst.want;
  out->bound = v.worst.output < 0 ? INFINITY : v.worst.bound;
}

void dc_around_make(const dc_band *b, int rank, const int64_t *shape, int64_t index, const float *f,
                    const double *d, dc_around *out)
{
  int64_t stride = 1;
  *out = (dc_around){.rank = rank};
  for (int axis = rank - 1; axis >= 0; axis--) {
    const int64_t at = index / stride % shape[axis];
    for (int k = 0; k <= 2 * DC_REACH; k++) {
      dc_near *x = &out->near[axis][k];
      const int64_t there = at + k - DC_REACH;
      /* no overflow: it is an element, or a few strides beside one */
      const int64_t i = index + (k - DC_REACH) * stride - b->first;
      x->at = there >= 0 && there < shape[axis] && i >= 0 && i < b->count ? there : -1;
      if (x->at >= 0)
        look(b, i, f, d, x);
    }
    stride *= shape[axis];
  }
}
