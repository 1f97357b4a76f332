/* The verdict on each element: a number, a bound, and no tolerance. */
#include "arith.h"
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

/* ---- classes E and R ---- */

/* As stored: rounded to the output's format, and 0 of either sign where it may be. */
static int same_stored(const dc_band *b, double x, float got)
{
  float want = (float)x;
  if (b->stored != PM_F32 && same_bits(dc_format_round(b->stored, x), got))
    return 1;
  if (b->stored != PM_F32)
    want = dc_format_round(b->stored, want);
  return same_bits(want, got) || (got == 0 && want == 0 && b->any_zero) ||
         (got == 0 && b->flush && x != 0 && fabs(x) < FLT_MIN);
}

/* Units in the last place of an f32. */
static double unit(double x)
{
  int e;
  frexp(x, &e);
  return ldexp(1, e - 24 < -149 ? -149 : e - 24);
}

/* Rounding is off by half a unit at most, and units grow with the number; of what out= declares it is u of the number,
 * which is between half a unit and one. */
double dc_stored_error(const dc_band *b, double magnitude)
{
  return b->stored == PM_F32 ? 0
         : b->typed          ? dc_format_half(b->stored, magnitude)
                             : dc_format_u(b->stored) * magnitude + dc_format_eta(b->stored);
}

/* How far from x, a value of class R, its quotient or root may be stored. */
static double loose_bits(const dc_band *b, double x)
{
  double e = (b->ulps + 0.5) * unit(x) + (b->flush ? FLT_MIN : 0);
  return (e + dc_stored_error(b, fabs(x) + e)) * SLACK;
}

/* An accumulated output is old + v: with v rounded first, or fused. */
static int right_bits(const dc_band *b, int64_t i, double v, float got)
{
  double x = b->old ? (double)b->old[i] + (float)v : v, e;
  if (same_stored(b, x, got))
    return 1;
  if (b->old && same_stored(b, dc_rounded_once((double)b->old[i], v), got))
    return 1;
  if (!(b->ulps > 0) || !isfinite(v))
    return 0;
  e = loose_bits(b, v);
  if (b->old) {
    x = (double)b->old[i] + v;
    e += loose_bits(b, x);
  }
  return isinf(got) ? (got > 0) == (x > 0) && fabs(x) + e > dc_format_big(b->stored)
                    : fabs((double)got - x) <= e;
}

/* What is no float32 has no bits to compare: it must be as near to v as the float32 that is right. */
static element bits(const dc_band *b, int64_t i, double got)
{
  double v = b->v[i], w, e;
  float want = b->old ? (float)((double)b->old[i] + (float)v) : (float)v, near = (float)got;
  int wrong = !right_bits(b, i, v, near) && !(b->flushed && right_bits(b, i, b->flushed[i], near));
  v = b->old ? (double)b->old[i] + v : v;
  if (!isnan(got) && (double)near != got)
    wrong = !(fabs(got - v) <= (isfinite(want) ? fabs((double)want - v) : 0)) &&
            (b->old || (dc_allowed(b, i, &w, &e), !(fabs(got - w) <= e)));
  return (element){.want = v, .err = wrong ? fabs(got - (double)want) : 0, .failed = wrong};
}

/* ---- the others ---- */

/* *want is infinite where whatever is within the bound overflows as it is stored. */
static double bound_at(const dc_band *b, int64_t i, double *want)
{
  double e = b->exact ? 0 : dc_share_error(b, i) * SLACK;
  *want = b->v[i];
  if (b->old) {
    *want = (double)b->old[i] + b->v[i];
    if (!b->exact)
      e += U32 / (1 - U32) * (fabs(*want) + e) + (b->lost > 0 ? b->lost : 0x1p-150);
    if (!(fabs(*want) + e <= FLT_MAX) && isfinite(*want))
      e = VACUOUS;
  }
  if (b->stored != PM_F32 && fabs(*want) + e > 0 && e < VACUOUS && isfinite(*want)) {
    const double big = dc_format_big(b->stored), half = dc_stored_error(b, big);
    if (b->typed && fabs(*want) - e > big + half) {
      *want = copysign(INFINITY, *want);
      return 0;
    }
    e += dc_stored_error(b, fabs(*want) + e);
    if (!(fabs(*want) + e <= big))
      e = VACUOUS;
  }
  return e;
}

static element within(const dc_band *b, int64_t i, double got)
{
  double want, e = bound_at(b, i, &want), v = b->v[i];
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

void dc_allowed(const dc_band *b, int64_t i, double *want, double *e)
{
  double v = b->v[i];
  if (dc_bounded(b->cls)) {
    *e = bound_at(b, i, want);
    if (!isfinite(*want))
      *e = b->tame && !b->loose ? 0 : INFINITY;
    else if (!(*e < VACUOUS))
      *e = INFINITY;
    return;
  }
  *want = (double)dc_format_round(b->stored, (float)v);
  *e = isfinite(v) && b->ulps > 0 ? loose_bits(b, v) : 0;
  if (b->wide && isfinite(v)) { /* what overflows in f32 is that, or not */
    *e += fabs(*want - v);
    *want = v;
  }
  if (isfinite(v) && b->flush && fabs(v) < FLT_MIN)
    *e += FLT_MIN;
  if (isfinite(*want) && b->stored != PM_F32) /* it may be rounded twice, or once */
    *e += fabs((double)dc_format_round(b->stored, v) - *want);
  if (isfinite(v) && b->flushed && b->flushed[i] != v)
    *e += fabs(b->flushed[i] - v);
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
