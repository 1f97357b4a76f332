/* rules OP VALUES CASES: what the rules by which other projects accept a kernel's numbers say of our kernels, as they
 * are built into this program, on the cases that diffcheck draws (VALUES "any") or on those of one class of
 * values. A line a case:
 *   INDEX VARIANT ACCEPTED.. ERROR..     1 or 0 of diffcheck, then a rule, in the order of RULES; the largest error
 *                                        of each output
 * "-" where a kernel wrote beside its tensors or changed its inputs: that is diffcheck's to see, and the outputs
 * are not looked at. FlashAttention's rule compares errors with those of another implementation, which
 * scripts/kill_matrix.py does.
 * The sources of the rules, and what each gives for f32:
 *   ggml         tests/test-backend-ops.cpp: no NaN, infinities alike, squared error over squared values <= 1e-7,
 *                of matrix products 5e-4
 *   llm.c        dev/cuda/common.h, validate_result: error <= 1e-4 where the reference is finite
 *   assert_close torch.testing.assert_close: error <= 1e-5 + 1.3e-6 |reference|, NaN equal to NaN (equal_nan)
 *   kb_1e-2      KernelBench, src/eval.py as published: torch.allclose, atol = rtol = 1e-2
 *   kb_1e-4      .. and later, for f32 */
#include <inttypes.h>

#include "../../diffcheck/engine/engine.h"

enum { MATMUL = 1 };
static const double LEAST_WORK =
    1 << 18; /* of a case beyond it is passed over: the simulator's time is short */

typedef struct numbers { /* of one output */
  int64_t n;
  const float *got, *want;
} numbers;

static int near(float got, float want, double atol, double rtol, int equal_nan)
{
  if (isnan(got) || isnan(want))
    return equal_nan && isnan(got) && isnan(want);
  if (isinf(got) || isinf(want))
    return got == want;
  return fabs((double)got - (double)want) <= atol + rtol * fabs((double)want);
}

static int all_near(const numbers *x, double atol, double rtol, int equal_nan)
{
  for (int64_t i = 0; i < x->n; i++)
    if (!near(x->got[i], x->want[i], atol, rtol, equal_nan))
      return 0;
  return 1;
}

static int infinite(float x) { return isinf(x) || fabsf(x) == FLT_MAX; }

static int ggml(const numbers *x, int flags)
{
  double error = 0, of = 0;
  for (int64_t i = 0; i < x->n; i++) {
    const float a = x->got[i], b = x->want[i];
    if (isnan(a) || isnan(b))
      return 0;
    if ((infinite(a) || infinite(b)) && !(infinite(a) && infinite(b) && signbit(a) == signbit(b)))
      return 0;
    error += ((double)a - (double)b) * ((double)a - (double)b);
    of += (double)b * (double)b;
  }
  return !(error / of > (flags & MATMUL ? 5e-4 : 1e-7));
}

static int llm_c(const numbers *x, int flags)
{
  (void)flags;
  for (int64_t i = 0; i < x->n; i++)
    if (fabsf(x->want[i] - x->got[i]) > 1e-4f && isfinite(x->want[i]))
      return 0;
  return 1;
}

static int assert_close(const numbers *x, int flags)
{
  (void)flags;
  return all_near(x, 1e-5, 1.3e-6, 1);
}

static int kernelbench_first(const numbers *x, int flags)
{
  (void)flags;
  return all_near(x, 1e-2, 1e-2, 0);
}

static int kernelbench_later(const numbers *x, int flags)
{
  (void)flags;
  return all_near(x, 1e-4, 1e-4, 0);
}

static int (*const RULES[])(const numbers *x, int flags) = {ggml, llm_c, assert_close,
                                                            kernelbench_first, kernelbench_later};
enum { N_RULES = sizeof RULES / sizeof RULES[0] };

static double largest_error(const numbers *x)
{
  double most = 0;
  for (int64_t i = 0; i < x->n; i++) {
    const double e = fabs((double)x->got[i] - (double)x->want[i]);
    if (isnan(e) || e > most)
      most = e;
    if (isnan(e))
      break;
  }
  return most;
}

static void say(const char *what) /* and end: a program of ours that cannot go on */
{
  fprintf(stderr, "rules: %s\n", what);
  exit(2);
}

static void one(const dc_case *c, int64_t index, dc_memory *m, dc_lab *l)
{
  dc_finding found;
  dc_error err = {""};
  dc_problem p;
  const dc_op *op = c->op;
  float *out[DC_OUTPUTS] = {NULL}, *right[DC_OUTPUTS] = {NULL};
  double *want[DC_OUTPUTS] = {NULL};
  const dc_way way = {.variant = c->variant[0] ? c->variant : NULL, .schedule = 1};
  const char *ran = NULL;
  if (dc_problem_make(&p, c, &err))
    return; /* too big */
  for (int o = 0; o < op->n_out; o++) {
    const size_t n = (size_t)p.count[op->n_in + o] + 1;
    out[o] = calloc(n, sizeof(float));
    right[o] = calloc(n, sizeof(float));
    want[o] = calloc(n, sizeof(double));
    if (!out[o] || !right[o] || !want[o])
      say("no memory");
  }
  if (dc_allow(&p, NULL, want, NULL, &err))
    say(err.text);
  const dc_fault fault = dc_execute(m, &p, &way, out, &ran, &err);
  if (ran || fault) {
    const int unseen = fault == DC_RED_ZONE || fault == DC_INPUT_CHANGED;
    int ok[N_RULES];
    if (dc_check_case(l, c, 1, &found, &err))
      say(err.text);
    printf("%" PRId64 " %s %d", index, ran ? ran : "-", found.fault == DC_NO_FAULT);
    for (int r = 0; r < N_RULES; r++)
      ok[r] = !fault;
    for (int o = 0; o < op->n_out; o++) {
      const numbers x = {p.count[op->n_in + o], out[o], right[o]};
      for (int64_t i = 0; i < x.n; i++)
        right[o][i] = p.f[op->n_in + o] ? (float)((double)p.f[op->n_in + o][i] + want[o][i])
                                        : (float)want[o][i];
      for (int r = 0; r < N_RULES; r++)
        ok[r] &= RULES[r](&x, op->glue->uses & DC_FACTORS ? MATMUL : 0);
    }
    for (int r = 0; r < N_RULES; r++)
      printf(unseen ? " -" : " %d", ok[r]);
    for (int o = 0; o < op->n_out; o++) {
      const numbers x = {p.count[op->n_in + o], out[o], right[o]};
      if (unseen)
        printf(" -");
      else
        printf(" %.17g", fault ? (double)NAN : largest_error(&x));
    }
    putchar('\n');
    fflush(stdout); /* a fault may end the program */
  }
  for (int o = 0; o < op->n_out; o++) {
    free(out[o]);
    free(right[o]);
    free(want[o]);
  }
  dc_problem_free(&p);
}

int main(int argc, char **argv)
{
  dc_options o;
  const dc_op *op = argc == 4 ? dc_op_find(argv[1]) : NULL;
  dc_memory *m = op && pm_sim.init() == PM_OK ? dc_memory_new(&pm_sim) : NULL;
  if (!m)
    say("usage: rules OP VALUES CASES");
  dc_lab l;
  dc_error err;
  dc_options_init(&o);
  o.backend[0] = &pm_sim;
  o.n_backends = 1;
  o.large = 0;
  for (int v = 0; v < DC_N_VALUES; v++)
    if (strcmp(argv[2], dc_values_name((dc_values)v)) == 0)
      o.fixed.values = o.fixed.cotangent = v;
  if (o.fixed.values < 0 && strcmp(argv[2], "any") != 0)
    say("no such class of values");
  if (dc_lab_open(&l, &o, &err))
    say(err.text);
  for (int64_t i = 0; i < atoll(argv[3]); i++) {
    dc_case c;
    dc_case_aim(&c, op, &o, i);
    if (dc_work(&c) <= LEAST_WORK)
      one(&c, i, m, &l);
  }
  dc_lab_close(&l, NULL);
  dc_memory_free(m);
  return 0;
}
