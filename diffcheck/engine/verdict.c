/* The verdict on each element: a number, a bound, and no tolerance. */
#include "engine.h"

/* The reference and the bound are computed in f64, which is rounded as well. */
#define SLACK (1 + 0x1p-20)
#define U32 0x1p-24

void dc_verdict_init(dc_verdict *v)
{
  *v = (dc_verdict){.worst = {.output = -1, .index = -1, .ratio = -1}};
}

static int same_bits(float a, float b)
{
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* What one element comes to: its error, what it may be, whether it fails, whether it is vacuous. */
typedef struct element {
  double want, err, bound;
  int failed, vacuous;
} element;

/* Kind of a number: 0 finite, 1 NaN, 2 +Inf, 3 -Inf. */
static int kind(double x) { return isnan(x) ? 1 : isinf(x) ? 2 + (x < 0) : 0; }

/* a + b rounded once, to f32: where f64 cannot hold the sum, its last bit is made odd, so that the
 * second rounding sees on which side of a tie the sum is. */
float dc_rounded_once(double a, double b)
{
  double s = a + b, z = s - a, rest = (a - (s - z)) + (b - z);
  uint64_t w;
  memcpy(&w, &s, sizeof w);
  if (isfinite(s) && rest != 0 && !(w & 1))
    s = nextafter(s, rest > 0 ? INFINITY : -INFINITY);
  return (float)s;
}

/* An accumulated output is old + v: with v rounded first, or fused. What is no float32 has no bits to
 * compare: it must be as near to v as the float32 that is right. */
static element bits(const dc_band *b, int64_t i, double got)
{
  double v = b->v[i];
  float want = b->old ? (float)((double)b->old[i] + (float)v) : (float)v, near = (float)got;
  int wrong =
      !same_bits(want, near) && !(b->old && same_bits(dc_rounded_once((double)b->old[i], v), near));
  v = b->old ? (double)b->old[i] + v : v;
  if (!isnan(got) && (double)near != got)
    wrong = !(fabs(got - v) <= (isfinite(want) ? fabs((double)want - v) : 0));
  return (element){.want = v, .err = wrong ? fabs(got - (double)want) : 0, .failed = wrong};
}

static element within(const dc_band *b, int64_t i, double got)
{
  double v = b->v[i], e = b->exact ? 0 : b->e[i] * SLACK, want = v;
  if (b->old) {
    want = (double)b->old[i] + v;
    if (!b->exact)
      e += U32 / (1 - U32) * (fabs(want) + e) + 0x1p-150;
    if (!(fabs(want) + e <= FLT_MAX) && isfinite(want))
      e = VACUOUS;
  }
  element r = {.want = want, .err = fabs(got - want), .bound = e};
  if (kind(want)) {
    r.vacuous = !b->tame;
    r.failed = b->tame && (b->loose ? isfinite(got) : kind(want) != kind(got));
    r.err = r.failed ? INFINITY : 0;
    r.bound = 0;
    return r;
  }
  /* e is NaN where the bound itself overflowed */
  r.vacuous = !(e < VACUOUS) || (v != 0 && fabs(v) <= e);
  r.failed = e < VACUOUS && !(r.err <= e);
  return r;
}

/* got: doubles where they are wide, else floats. */
static void judge(const dc_band *b, const void *got, int wide, dc_verdict *v)
{
  int exactly = !dc_bounded(b->cls);
  v->elements += b->count;
  for (int64_t i = 0; i < b->count; i++) {
    double x = wide ? ((const double *)got)[i] : (double)((const float *)got)[i];
    element r = exactly ? bits(b, i, x) : within(b, i, x);
    v->vacuous += r.vacuous;
    v->failed += r.failed;
    double ratio = r.failed && !(r.bound > 0 && r.err < INFINITY) ? INFINITY
                   : r.bound > 0 && r.bound < VACUOUS             ? r.err / r.bound
                                                                  : 0;
    if (r.vacuous && !r.failed)
      continue;
    /* a failure always outranks a pass */
    if (v->worst.output < 0 || ratio > v->worst.ratio || (r.failed && v->failed == 1))
      v->worst = (dc_worst){.output = b->output,
                            .index = b->first + i,
                            .want = r.want,
                            .got = x,
                            .err = r.err,
                            .bound = r.bound,
                            .ratio = ratio};
  }
}

void dc_judge(const dc_band *b, const float *got, dc_verdict *v) { judge(b, got, 0, v); }

void dc_judge_wide(const dc_band *b, const double *got, dc_verdict *v) { judge(b, got, 1, v); }
