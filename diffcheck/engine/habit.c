/* Why a kernel may give what is not right by the arithmetic that it is judged by: habits of other people's
 * kernels, in words, with what declares them. */
#include "arith.h"
#include "engine.h"

static const struct {
  const char *keys, *words;
} HABITS[] = {
    {"variance=welford", "joins its variance of those of parts, by Welford's or Chan's formula"},
    {"shift=1", "takes exp(x - m) as exp2(fma(x, c, -m c)), whose argument is off by u |m|"},
    {"atomics=flush", "sums by atomics in global memory, which take subnormal numbers for 0"},
    {"ftz=on", "takes subnormal numbers for 0"},
    {"zero_sign=any", "gives a zero another sign"},
    {"div=2,sqrt=3", "divides and takes roots without rounding them correctly"},
    {"exp_slope=1.173,log=3,log_error=3.6e-7", "takes the GPU's approximate exp and log"},
    {"product=tf32", "rounds the factors of a matrix product to tf32"},
    {"product=bf16", "rounds the factors of a matrix product to bf16"},
    {"product=f16", "rounds the factors of a matrix product to f16"},
    {"out=bf16", "rounds its output to bf16"},
    {"out=f16", "rounds its output to f16"},
    {"product=bf16,out=bf16", "rounds the factors of a matrix product and its output to bf16"},
    {"product=f16,out=f16", "rounds the factors of a matrix product and its output to f16"}};

enum { N_HABITS = sizeof HABITS / sizeof HABITS[0] };

/* By that arithmetic: nothing fails, and most of it can be told. */
static int right_by(const dc_problem *p, const pm_arith *a, float *const *f, double *const *d)
{
  dc_slice s = {.mem = NULL};
  dc_error err;
  dc_status status = DC_OK;
  const int n = p->c.op->n_out;
  int64_t failed = 0, vacuous = 0, elements = 0;
  for (int64_t k = 0; !status && !failed && k < dc_n_slices(p); k++) {
    dc_verdict v[DC_OUTPUTS];
    for (int o = 0; o < n; o++)
      dc_verdict_init(&v[o]);
    status = dc_slice_judge(&s, p, k, a, f, d, v, &err);
    for (int o = 0; o < n && !status; o++) {
      failed += v[o].failed;
      vacuous += v[o].vacuous;
      elements += v[o].elements;
    }
  }
  dc_slice_free(&s);
  return !status && !failed && 2 * vacuous <= elements;
}

char *dc_habit(const dc_problem *p, const pm_arith *declared, float *const *f, double *const *d,
               char *text)
{
  dc_error err;
  text[0] = '\0';
  for (int i = 0; i < N_HABITS; i++) {
    dc_arith x = {.profile = 0};
    pm_arith a = *declared;
    if (dc_arith_add("", HABITS[i].keys, &x, &err))
      continue;
    dc_arith_at(&x, p->c.op, p->c.size, p->c.attr, &a);
    if (memcmp(&a, declared, sizeof a) == 0 || !right_by(p, &a, f, d))
      continue;
    snprintf(text, DC_HABIT, "right for a kernel that %s: if yours does, say so by --arith %s",
             HABITS[i].words, HABITS[i].keys);
    break;
  }
  return text;
}
