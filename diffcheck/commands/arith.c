#include "arith.h"

#include "../files/replay.h"
#include "../files/text.h"

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
    float answer = (float)w;
    one.count = 1;
    one.v = b->v + i;
    one.e = b->e ? b->e + i : NULL;
    one.flushed = b->flushed ? b->flushed + i : NULL;
    dc_verdict_init(&said);
    dc_judge(&one, &answer, &said);
    *count += said.failed == 0;
  }
}

/* Of b, an output of the slice. */
static void blinds(dc_slice *s, const dc_problem *p, const dc_band *b, int64_t count[ARITH_WRONGS])
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

dc_status arith_judge(const dc_problem *p, const pm_arith *a, float *const *f, double *const *d,
                      dc_verdict *v, int64_t (*blind_at)[ARITH_WRONGS], dc_error *err)
{
  dc_slice s = {.mem = NULL};
  dc_status status = DC_OK;
  for (int o = 0; o < p->c.op->n_out; o++)
    dc_verdict_init(&v[o]);
  for (int64_t k = 0; !status && k < dc_n_slices(p); k++) {
    status = dc_slice_judge(&s, p, k, a, f, d, v, err);
    for (int o = 0; o < p->c.op->n_out && !status; o++) {
      dc_band b;
      dc_slice_band(&s, p, o, &b);
      blinds(&s, p, &b, blind_at[o]);
    }
  }
  dc_slice_free(&s);
  return status;
}

void arith_show(const dc_case *c, const dc_arith *means, const char *typed, int width)
{
  char value[DC_ARITH_TEXT], size[REPLAY_TEXT];
  const char *name, *words;
  pm_arith a;
  dc_undeclared(c->op, c->size, &a);
  dc_arith_at(means, c->op, c->size, &a);
  printf("  %s, at %s:\n", typed, replay_size(c->op, c->size, c->attr, size));
  for (int k = 0; (name = dc_arith_key(k, &a, value, &words)); k++) {
    int at = printf("  %-10s %-9s ", name, value);
    text_wrap(words, at, at, width);
  }
  puts("  Profiles:");
  for (int i = 0; (name = dc_arith_profile(i, &words)); i++) {
    int at = printf("  %-10s ", name);
    text_wrap(words, at, at, width);
  }
}
