/* Profiles and keys of --arith: one table of each, which reader, --help and explain share. */
#include "arith.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

/* ---- the keys ---- */

typedef enum { NUMBER, HEIGHT, WORD } kind;

static const struct key {
  const char *name;
  size_t at; /* in pm_arith: a double, of a WORD an int64_t */
  kind kind;
  double most;         /* of a NUMBER, 0 the least */
  const char *word[4]; /* of a WORD: its values from 0 on */
  const char *words;
} KEYS[] = {
#define AT(member) offsetof(pm_arith, member)
    {"height",
     AT(height[0]),
     HEIGHT,
     0x1p53,
     {NULL},
     "roundings on the longest way through a sum, of output 0"},
    {"height2", AT(height[1]), HEIGHT, 0x1p53, {NULL}, "the same of the outputs after it"},
    {"alpha",
     AT(alpha),
     NUMBER,
     1024,
     {NULL},
     "weight of the rounding of exp's argument, in a softmax and what is made of it"},
    {"shift",
     AT(shift),
     NUMBER,
     1024,
     {NULL},
     "exp(x - m) as exp2(fma(x, c, -m c)): its argument is off by so many u |m|"},
    {"exp_slope",
     AT(exp_slope),
     NUMBER,
     1024,
     {NULL},
     "ulps of exp more, for each unit of its argument"},
    {"log_error", AT(log_error), NUMBER, 1, {NULL}, "absolute error of log, beside its ulps"},
    {"div", AT(k_div), NUMBER, 0x1p20, {NULL}, "ulps of a quotient beyond a correct rounding"},
    {"sqrt", AT(k_sqrt), NUMBER, 0x1p20, {NULL}, "ulps of a root beyond a correct rounding"},
#define ULPS(name, undeclared) {#name, AT(k_##name), NUMBER, 0x1p20, {NULL}, "ulps of " #name},
#include "../../spec/elementary.def"
    {"out", AT(stored), WORD, 0, {"f32", "tf32", "bf16", "f16"}, "what outputs are rounded to"},
    {"product",
     AT(product),
     WORD,
     0,
     {"f32", "tf32", "bf16", "f16"},
     "what a matrix product's factors are rounded to; of others than f32 sums may be cut off"},
    {"variance",
     AT(joined),
     WORD,
     0,
     {"two_pass", "welford"},
     "welford: it may be joined of parts (Welford, Chan) as well"},
    {"ftz", AT(flush), WORD, 0, {"off", "on"}, "on: subnormal numbers may become 0"},
    {"atomics",
     AT(atomics),
     WORD,
     0,
     {"keep", "flush"},
     "flush: a sum by atomics in global memory may take subnormal numbers for 0"},
    {"zero_sign",
     AT(any_zero),
     WORD,
     0,
     {"exact", "any"},
     "any: +0 and -0 are the same in every class"},
};
enum { N_KEYS = sizeof KEYS / sizeof KEYS[0] };
_Static_assert((int)N_KEYS <= (int)DC_ARITH_KEYS, "dc_arith has room for every key");
_Static_assert(sizeof(pm_arith) == N_KEYS * sizeof(double), "every member of pm_arith has a key");

/* How a height is given. */
static const char *const SHAPES[] = {"", "any", "sequential", "pairwise", "blocks:"};
typedef enum { PLAIN, ANY, SEQUENTIAL, PAIRWISE, BLOCKS } shape;

/* ---- the profiles ---- */

#define FOREIGN "variance=welford,atomics=flush,zero_sign=any"
static const struct profile {
  const char *name, *keys, *words;
} PROFILES[] = {
    {"ieee", "", "IEEE arithmetic, sums in any order, CUDA's documented ulps: what ours keep to"},
    {"cuda", FOREIGN, "nvcc's defaults: moreover atomics that flush, Welford's variance, any zero"},
    {"fast",
     FOREIGN ",ftz=on,div=2,sqrt=3,exp_slope=1.173,log=3,log_error=3.6e-7,tanh=4096,"
             "sigmoid=8,softplus=8",
     "nvcc -use_fast_math"},
    {"triton",
     FOREIGN ",shift=1,div=2,sqrt=3,exp_slope=1.173,log=3,log_error=3.6e-7,sigmoid=8,softplus=8",
     "Triton's defaults: div.full, sqrt.approx, exp by ex2.approx, log by lg2.approx"},
    {"tf32", FOREIGN ",product=tf32", "cuda, and matrix products of tf32"},
    {"bf16", FOREIGN ",product=bf16,out=bf16", "cuda, bf16 in and out, f32 between"},
    {"f16", FOREIGN ",product=f16,out=f16", "cuda, f16 in and out, f32 between"},
};
enum { N_PROFILES = sizeof PROFILES / sizeof PROFILES[0] };

int dc_arith_n_profiles(void) { return N_PROFILES; }

const char *dc_arith_profile(int i, const char **words)
{
  if (i < 0 || i >= N_PROFILES)
    return NULL;
  *words = PROFILES[i].words;
  return PROFILES[i].name;
}

/* ---- reading ---- */

typedef struct span {
  const char *at;
  size_t n;
} span;

static bool is(span s, const char *word) { return strlen(word) == s.n && !memcmp(s.at, word, s.n); }
static int shown(span s) { return s.n < 40 ? (int)s.n : 40; }

static int find_key(span name)
{
  for (int k = 0; k < N_KEYS; k++)
    if (is(name, KEYS[k].name))
      return k;
  return -1;
}

static int find_profile(span name)
{
  for (int i = 0; i < N_PROFILES; i++)
    if (is(name, PROFILES[i].name))
      return i;
  return -1;
}

static dc_status no_key(const char *argument, span part, dc_error *err)
{
  char all[DC_TEXT] = "";
  for (int k = 0; k < N_KEYS; k++)
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? ", " : "", KEYS[k].name);
  return dc_fail(err, DC_INVALID, "%s '%.*s': the key must be one of %s", argument, shown(part),
                 part.at, all);
}

static dc_status no_profile(const char *argument, span part, dc_error *err)
{
  char all[DC_TEXT] = "";
  for (int i = 0; i < N_PROFILES; i++)
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", PROFILES[i].name);
  return dc_fail(err, DC_INVALID,
                 "%s '%.*s': must be KEY=VALUE, or, as the first word, a profile: %s", argument,
                 shown(part), part.at, all);
}

static bool number(span s, double most, double *v)
{
  char *end;
  *v = s.n ? strtod(s.at, &end) : 0;
  return s.n && end == s.at + s.n && *v >= 0 && *v <= most;
}

static dc_status read_height(const char *argument, span part, span v, dc_arith *x, int k,
                             dc_error *err)
{
  size_t prefix = strlen(SHAPES[BLOCKS]);
  int *form = &x->shape[k];
  x->value[k] = 0;
  for (*form = ANY; *form < BLOCKS; ++*form)
    if (is(v, SHAPES[*form]))
      return DC_OK;
  if (v.n > prefix && memcmp(v.at, SHAPES[BLOCKS], prefix) == 0) {
    v = (span){v.at + prefix, v.n - prefix};
    if (number(v, KEYS[k].most, &x->value[k]) && x->value[k] >= 1 &&
        x->value[k] == floor(x->value[k]))
      return DC_OK;
  } else {
    *form = PLAIN;
    if (number(v, KEYS[k].most, &x->value[k]))
      return DC_OK;
  }
  return dc_fail(
      err, DC_INVALID,
      "%s '%.*s': must be a number from 0 to %.0f, any, sequential, pairwise or blocks:N, "
      "N a whole number from 1 on",
      argument, shown(part), part.at, KEYS[k].most);
}

static dc_status read_value(const char *argument, span part, span v, dc_arith *x, int k,
                            dc_error *err)
{
  const struct key *key = &KEYS[k];
  char all[80] = "";
  if (key->kind == HEIGHT)
    return read_height(argument, part, v, x, k, err);
  if (key->kind == NUMBER) {
    if (number(v, key->most, &x->value[k]))
      return DC_OK;
    return dc_fail(err, DC_INVALID, "%s '%.*s': must be a number from 0 to %.0f", argument,
                   shown(part), part.at, key->most);
  }
  for (int i = 0; i < 4 && key->word[i]; i++) {
    if (is(v, key->word[i])) {
      x->value[k] = i;
      return DC_OK;
    }
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", key->word[i]);
  }
  return dc_fail(err, DC_INVALID, "%s '%.*s': must be one of %s", argument, shown(part), part.at,
                 all);
}

dc_status dc_arith_add(const char *argument, const char *text, dc_arith *x, dc_error *err)
{
  dc_arith y = *x;
  uint64_t seen = 0;
  while (*text) {
    span part = {text, strcspn(text, ",")};
    const char *sign = memchr(part.at, '=', part.n);
    if (!sign)
      return no_profile(argument, part, err);
    int k = find_key((span){part.at, (size_t)(sign - part.at)});
    if (k < 0)
      return no_key(argument, part, err);
    span v = {sign + 1, (size_t)(part.at + part.n - sign - 1)};
    dc_status status = read_value(argument, part, v, &y, k, err);
    if (status)
      return status;
    if (seen >> k & 1)
      return dc_fail(err, DC_INVALID, "%s: %s is given twice", argument, KEYS[k].name);
    seen |= (uint64_t)1 << k;
    text += part.n + (text[part.n] == ',');
  }
  y.given |= seen;
  *x = y;
  return DC_OK;
}

dc_status dc_arith_read(const char *argument, const char *text, const char *otherwise,
                        dc_arith *out, dc_error *err)
{
  dc_arith x = {.profile = find_profile((span){otherwise, strlen(otherwise)})};
  span first = {text, strcspn(text, ",")};
  int named = find_profile(first);
  if (named >= 0) {
    x.profile = named;
    text += first.n + (text[first.n] == ',');
  }
  dc_status status = dc_arith_add(argument, PROFILES[x.profile].keys, &x, err);
  if (!status)
    status = dc_arith_add(argument, text, &x, err);
  if (!status)
    *out = x;
  return status;
}

int dc_arith_given(const dc_arith *x, const char *key)
{
  int k = find_key((span){key, strlen(key)});
  return k >= 0 && (x->given >> k & 1);
}

/* ---- at a size ---- */

static double height_of(const dc_arith *x, int k, int64_t n)
{
  double terms = n > 1 ? (double)n : 1, block = x->value[k];
  switch ((shape)x->shape[k]) {
  case PLAIN:
    return x->value[k];
  case PAIRWISE:
    return ceil(log2(terms));
  case BLOCKS: /* one by one in a block, then block by block */
    return fmin(terms, block) - 1 + ceil(terms / block) - 1;
  default:
    return terms - 1;
  }
}

/* Most terms that are added up into an element of output 0, or of one after it. */
static int64_t most_terms(const dc_op *op, const int64_t *size, const double *attr, int second)
{
  int64_t most = 1;
  for (int o = second; op->glue->terms && o < (second && op->n_out > 2 ? op->n_out : second + 1);
       o++) {
    int64_t n = op->glue->terms(size, attr, o);
    most = n > most ? n : most;
  }
  return most;
}

void dc_arith_at(const dc_arith *x, const dc_op *op, const int64_t *size, const double *attr,
                 pm_arith *a)
{
  if (x->profile > 0)
    dc_undeclared(op, size, attr, a);
  for (int k = 0; k < N_KEYS; k++) {
    char *to = (char *)a + KEYS[k].at;
    if (!(x->given >> k & 1))
      continue;
    if (KEYS[k].kind == WORD) {
      int64_t v = (int64_t)x->value[k];
      memcpy(to, &v, sizeof v);
    } else {
      double v =
          KEYS[k].kind == HEIGHT ? height_of(x, k, most_terms(op, size, attr, k)) : x->value[k];
      memcpy(to, &v, sizeof v);
    }
  }
  if ((x->given & 3) == 1 && x->shape[0] != PLAIN) /* a shape is that of every sum */
    a->height[1] = height_of(x, 0, most_terms(op, size, attr, 1));
}

/* A bound grows with every number, and with every habit that is granted. */
int dc_arith_join(pm_arith *a, const pm_arith *b)
{
  if (a->stored != b->stored || a->product != b->product)
    return 0;
  for (int k = 0; k < N_KEYS; k++) {
    char *to = (char *)a + KEYS[k].at;
    const char *from = (const char *)b + KEYS[k].at;
    if (KEYS[k].kind == WORD) {
      int64_t x, y;
      memcpy(&x, to, sizeof x);
      memcpy(&y, from, sizeof y);
      memcpy(to, x < y ? &y : &x, sizeof x);
    } else {
      double x, y;
      memcpy(&x, to, sizeof x);
      memcpy(&y, from, sizeof y);
      memcpy(to, x < y ? &y : &x, sizeof x);
    }
  }
  return 1;
}

const char *dc_arith_key(int k, const pm_arith *a, char value[DC_ARITH_TEXT], const char **words)
{
  if (k < 0 || k >= N_KEYS)
    return NULL;
  const char *from = (const char *)a + KEYS[k].at;
  if (KEYS[k].kind == WORD) {
    int64_t v;
    memcpy(&v, from, sizeof v);
    snprintf(value, DC_ARITH_TEXT, "%s", v >= 0 && v < 4 ? KEYS[k].word[v] : "?");
  } else {
    double v;
    memcpy(&v, from, sizeof v);
    snprintf(value, DC_ARITH_TEXT, v == floor(v) && v < 1e15 ? "%.0f" : "%.4g", v);
  }
  *words = KEYS[k].words;
  return KEYS[k].name;
}

/* ---- formats ---- */

static const struct {
  int digits, least; /* of a number; the exponent of the smallest subnormal */
  double big;
} FORMATS[PM_N_FORMATS] = {[PM_F32] = {24, -149, FLT_MAX},
                           [PM_TF32] = {11, -136, 0x1.ffcp127},
                           [PM_BF16] = {8, -133, 0x1.fep127},
                           [PM_F16] = {11, -24, 65504}};

double dc_format_u(int64_t f) { return ldexp(1, -FORMATS[f].digits); }
double dc_format_eta(int64_t f) { return ldexp(1, FORMATS[f].least - 1); }

double dc_format_half(int64_t f, double x)
{
  int e, least = FORMATS[f].least;
  frexp(x, &e);
  return ldexp(1, (x != 0 && e - FORMATS[f].digits > least ? e - FORMATS[f].digits : least) - 1);
}

double dc_format_big(int64_t f) { return FORMATS[f].big; }

/* Of a number of so many units x + c has the unit as its last place, and what is cut off is rounded to even. */
float dc_format_round(int64_t f, double x)
{
  uint64_t w;
  double c;
  memcpy(&w, &x, sizeof w);
  const int e = (int)(w >> 52 & 0x7ff) - 1022; /* as frexp has it; of subnormals it is no less */
  if (!isfinite(x) || x == 0)
    return (float)x;
  if (e > 128)
    return copysignf(INFINITY, (float)x);
  const int unit =
      e - FORMATS[f].digits > FORMATS[f].least ? e - FORMATS[f].digits : FORMATS[f].least;
  w = (uint64_t)(unit + 52 + 1023) << 52 | (uint64_t)1 << 51; /* 1.5 * 2^52 units */
  memcpy(&c, &w, sizeof c);
  const double y = copysign((x + c) - c, x);
  return fabs(y) > FORMATS[f].big ? copysignf(INFINITY, (float)x) : (float)y;
}
