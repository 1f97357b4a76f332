/* The null guard: wrong answers that the verdict must reject. */
#include "arith.h"
#include "engine.h"

static const char *const null_names[DC_N_NULLS] = {"zeros", "constant", "identity", "half sum",
                                                   "nudge"};
const char *dc_null_name(dc_null k) { return k < DC_N_NULLS ? null_names[k] : "?"; }

static float as_stored(const dc_band *b, double x)
{
  return b->stored == PM_F32 ? (float)x : dc_format_round(b->stored, (double)(float)x);
}

/* What an output holds when its share of the gradient is v. */
static float holds(const dc_band *b, int64_t i, double v)
{
  return as_stored(b, b->old ? (double)b->old[i] + v : v);
}

static int accepted(const dc_band *b, const float *wrong)
{
  dc_verdict v;
  dc_verdict_init(&v);
  dc_judge(b, wrong, &v);
  return v.failed == 0;
}

/* Whether an element says nothing about answers: vacuous, or judged by kind alone. */
static int silent(const dc_band *b, int64_t i)
{
  double v = b->v[i];
  if (!isfinite(v) || (b->old && !isfinite(b->old[i])))
    return 1;
  if (!dc_bounded(b->cls) || b->exact)
    return 0;
  const double e = dc_share_error(b, i), all = e + dc_stored_error(b, fabs(v) + e);
  return !(e < VACUOUS) || (v != 0 && fabs(v) <= all * 2) ||
         (b->stored != PM_F32 && fabs(v) + all > dc_format_big(b->stored));
}

/* The wrong answer is right, to the accuracy that it is stored with, wherever an element could tell. */
static int is_right(const dc_band *b, const float *wrong)
{
  for (int64_t i = 0; i < b->count; i++) {
    if (silent(b, i))
      continue;
    double v = b->old ? (double)b->old[i] + b->v[i] : b->v[i];
    const double near = 0x1p-22 * fabs(v) + 0x1p-150 + 2 * dc_stored_error(b, fabs(v));
    int apart = dc_bounded(b->cls) ? !(fabs(wrong[i] - v) <= near) : wrong[i] != as_stored(b, v);
    if (apart)
      return 0;
  }
  return 1;
}

static void tally(const dc_band *b, const float *wrong, dc_null k, dc_guards *g, int *weak)
{
  if (!accepted(b, wrong))
    g->rejected[k]++;
  else if (is_right(b, wrong))
    g->absent[k]++;
  else {
    g->accepted[k]++;
    *weak = 1;
  }
}

/* The reference with its most telling element off by twice the bound, or by one bit: of class R with
 * +=, from both of the roundings that are right. */
static int nudge(const dc_band *b, float *wrong)
{
  int64_t at = -1;
  for (int64_t i = 0; i < b->count && at < 0; i++)
    if (!silent(b, i))
      at = i;
  if (at < 0)
    return 0;
  for (int64_t i = 0; i < b->count; i++)
    wrong[i] = holds(b, i, b->v[i]);
  const int whole = b->exact || (dc_bounded(b->cls) && !(b->e[at] > 0));
  if (!dc_bounded(b->cls) || (whole && b->stored == PM_F32)) {
    float once = wrong[at], twice = once;
    if (b->old) {
      once = dc_rounded_once(b->old[at], b->v[at]);
      twice = (float)((double)b->old[at] + (float)b->v[at]);
    }
    wrong[at] = nextafterf(fmaxf(once, twice), INFINITY);
    return 1;
  }
  /* with +=: twice the bound of the sum; then one step more, since the nudged value is rounded */
  double e = whole ? 0 : 2 * dc_share_error(b, at), v = b->v[at] + (b->old ? b->old[at] : 0);
  if (b->old)
    e += 0x1p-22 * (fabs(v) + e) + 0x1p-148;
  e += 2 * dc_stored_error(b, fabs(v) + e);
  wrong[at] = nextafterf((float)(v + e), INFINITY);
  return 1;
}

int dc_guard(const dc_band *b, const float *identity, const double *half, float *scratch,
             dc_guards *g)
{
  int weak = 0;
  for (int64_t i = 0; i < b->count; i++)
    scratch[i] = holds(b, i, 0);
  tally(b, scratch, DC_NULL_ZERO, g, &weak);
  for (int64_t i = 0; i < b->count; i++)
    scratch[i] = holds(b, i, b->v[0]);
  tally(b, scratch, DC_NULL_CONSTANT, g, &weak);
  if (identity) {
    for (int64_t i = 0; i < b->count; i++)
      scratch[i] = holds(b, i, identity[i]);
    tally(b, scratch, DC_NULL_IDENTITY, g, &weak);
  }
  if (half) {
    for (int64_t i = 0; i < b->count; i++)
      scratch[i] = holds(b, i, half[i]);
    tally(b, scratch, DC_NULL_HALF, g, &weak);
  }
  if (nudge(b, scratch))
    tally(b, scratch, DC_NULL_NUDGE, g, &weak);
  else
    g->absent[DC_NULL_NUDGE]++;
  return weak;
}
