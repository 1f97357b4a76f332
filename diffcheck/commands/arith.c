#include "arith.h"

static const struct key {
  const char *name;
  size_t at; /* in pm_arith */
  double most;
} KEYS[] = {
    {"height", offsetof(pm_arith, height[0]), 0x1p53},
    {"height2", offsetof(pm_arith, height[1]), 0x1p53},
    {"alpha", offsetof(pm_arith, alpha), 1024},
#define ULPS(name, undeclared) {#name, offsetof(pm_arith, k_##name), 0x1p20},
#include "../../spec/elementary.def"
};
#define N_KEYS (sizeof KEYS / sizeof KEYS[0])

static const struct key *find(const char *name, size_t length)
{
  for (size_t i = 0; i < N_KEYS; i++)
    if (strlen(KEYS[i].name) == length && memcmp(KEYS[i].name, name, length) == 0)
      return &KEYS[i];
  return NULL;
}

static dc_status no_key(const char *argument, const char *at, int length, dc_error *err)
{
  char all[200] = "";
  for (size_t i = 0; i < N_KEYS; i++)
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", KEYS[i].name);
  return dc_fail(err, DC_INVALID, "%s '%.*s': the key must be one of %s", argument, length, at,
                 all);
}

dc_status arith_read(const char *argument, const char *text, pm_arith *out, dc_error *err)
{
  pm_arith a = *out;
  unsigned seen = 0;
  for (const char *at = text; *at;) {
    size_t length = strcspn(at, ",");
    const char *sign = memchr(at, '=', length);
    const struct key *key = sign ? find(at, (size_t)(sign - at)) : NULL;
    if (!key)
      return no_key(argument, at, length < 40 ? (int)length : 40, err);
    char *end;
    double v = strtod(sign + 1, &end);
    if (end != at + length || end == sign + 1 || !(v >= 0 && v <= key->most))
      return dc_fail(err, DC_INVALID, "%s '%.*s': must be a number from 0 to %.0f", argument,
                     length < 40 ? (int)length : 40, at, key->most);
    if (seen >> (key - KEYS) & 1)
      return dc_fail(err, DC_INVALID, "%s: %s is given twice", argument, key->name);
    seen |= 1u << (key - KEYS);
    memcpy((char *)&a + key->at, &v, sizeof v);
    at += length + (at[length] == ',');
  }
  *out = a;
  return DC_OK;
}

const char *arith_wrong(int k)
{
  static const char *const names[ARITH_WRONGS] = {"zeros", "its first element everywhere",
                                                  "the sum of half the terms",
                                                  "a sum without its last term"};
  return names[k];
}

static void blind(const dc_band *b, const double *wrong, double constant, int64_t *count)
{
  for (int64_t i = 0; i < b->count; i++) {
    double w = wrong ? wrong[i] : constant, v = b->v[i];
    if (!isfinite(v) || !isfinite(w) || fabs(w - v) <= 0x1p-22 * fabs(v) + 0x1p-149)
      continue; /* right, or judged by its kind alone */
    dc_band one = *b;
    dc_verdict said;
    float got = (float)w;
    one.count = 1;
    one.v = b->v + i;
    one.e = b->e ? b->e + i : NULL;
    dc_verdict_init(&said);
    dc_judge(&one, &got, &said);
    *count += said.failed == 0;
  }
}

void arith_blind(dc_slice *s, const dc_problem *p, const dc_band *b, int64_t count[ARITH_WRONGS])
{
  if (b->count == 0)
    return;
  blind(b, NULL, 0, &count[ARITH_ZERO]);
  blind(b, NULL, b->v[0], &count[ARITH_CONSTANT]);
  const double *part = dc_slice_half(s, p, b->output);
  if (part)
    blind(b, part, 0, &count[ARITH_HALF]);
  part = dc_slice_but_last(s, p, b->output);
  if (part)
    blind(b, part, 0, &count[ARITH_LAST]);
}
