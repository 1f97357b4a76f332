#include "judged.h"

#include <inttypes.h>
#include <stdbool.h>

#include "../engine/types.h"

const char *judged_wrong(int k)
{
  static const char *const names[JUDGED_WRONGS] = {"zeros", "its first element everywhere",
                                                   "the sum of half the terms",
                                                   "a sum without its last term"};
  return names[k];
}

static void blind(const dc_band *b, const double *wrong, double constant, int64_t *count)
{
  for (int64_t i = 0; i < b->count; i++) {
    double w = wrong ? wrong[i] : constant, v = b->v[i];
    if (!isfinite(v) || !isfinite(w) ||
        fabs(w - v) <= 0x1p-22 * fabs(v) + 0x1p-149 + 2 * dc_stored_error(b, fabs(v)))
      continue; /* right, or judged by its kind alone */
    dc_band one = dc_band_one(b, i);
    dc_verdict said;
    float answer = (float)w;
    dc_verdict_init(&said);
    dc_judge(&one, &answer, &said);
    *count += said.failed == 0;
  }
}

/* Of b, an output of the slice. */
static void blinds(dc_slice *s, const dc_problem *p, const dc_band *b, int64_t count[JUDGED_WRONGS])
{
  if (b->count == 0)
    return;
  blind(b, NULL, 0, &count[JUDGED_ZERO]);
  blind(b, NULL, b->v[0], &count[JUDGED_CONSTANT]);
  const double *part = dc_slice_half(s, p, b->output);
  if (part)
    blind(b, part, 0, &count[JUDGED_HALF]);
  part = dc_slice_but_last(s, p, b->output);
  if (part)
    blind(b, part, 0, &count[JUDGED_LAST]);
}

dc_status judged_arith(judged *j, const char *argument, const char *text, const dc_case *c,
                       dc_error *err)
{
  dc_status status = dc_arith_read(argument, text ? text : "", JUDGED_FOREIGN, &j->means, err);
  if (status)
    return status;
  j->c = c;
  dc_undeclared(c->op, c->size, c->attr, &j->declared);
  dc_arith_at(&j->means, c->op, c->size, c->attr, &j->declared);
  return DC_OK;
}

static bool is_judged(const judged *j, int o) { return j->got[o].f || j->got[o].d; }

const char *judged_types(judged *j)
{
  size_t n = 0;
  j->typed[0] = '\0';
  for (int o = 0; o < j->c->op->n_out; o++) {
    const npy_type type = j->got[o].type;
    j->type[o] = !is_judged(j, o) || dc_arith_given(&j->means, "out") ? DC_AS_LISTED
                 : type == NPY_F2                                     ? DC_TYPE_F16
                 : type == NPY_BF                                     ? DC_TYPE_BF16
                                                                      : DC_AS_LISTED;
    if (j->type[o] != DC_AS_LISTED)
      n += (size_t)snprintf(j->typed + n, sizeof j->typed - n, "%s%s to %s", n ? ", " : "",
                            dc_out(j->c->op, o)->name, dc_type_name(j->type[o]));
  }
  return n ? j->typed : NULL;
}

/* b: an output's slice, judged just now. */
static void look_around(judged *j, const dc_band *b, const float *f, const double *d)
{
  const dc_verdict *v = &j->verdict[b->output];
  const int t = j->c->op->n_in + b->output;
  int64_t shape[NPY_RANK];
  if (!v->failed || v->worst.index < b->first || v->worst.index >= b->first + b->count)
    return;
  int rank = inputs_shape(j->c->op, j->in, t, j->c->size, j->c->attr, shape);
  if (rank <= DC_RANK)
    dc_around_make(b, rank, shape, v->worst.index, f, d, &j->around[b->output]);
}

static dc_status judge(judged *j, const dc_problem *p, int blind, float *const *f, double *const *d,
                       dc_error *err)
{
  dc_slice s = {.mem = NULL};
  dc_status status = DC_OK;
  for (int64_t k = 0; !status && k < dc_n_slices(p); k++) {
    status = dc_slice_judge(&s, p, k, &j->declared, f, d, j->verdict, err);
    for (int o = 0; o < p->c.op->n_out && !status; o++) {
      dc_band b;
      if (!is_judged(j, o))
        continue;
      dc_slice_band(&s, p, o, &b);
      look_around(j, &b, f[o], d[o]);
      if (blind)
        blinds(&s, p, &b, j->blind[o]);
    }
  }
  dc_slice_free(&s);
  return status;
}

/* ---- what is said ---- */

static void add_up(judged *j)
{
  dc_verdict *all = &j->all;
  dc_verdict_init(all);
  for (int o = 0; o < j->c->op->n_out; o++) {
    const dc_verdict *v = &j->verdict[o];
    bool worse = v->failed && !all->failed   ? true
                 : all->failed && !v->failed ? false
                                             : v->worst.ratio > all->worst.ratio;
    if (v->worst.output >= 0 && (all->worst.output < 0 || worse))
      all->worst = v->worst;
    all->elements += v->elements;
    all->vacuous += v->vacuous;
    all->failed += v->failed;
  }
  j->outcome = all->failed ? DC_FAIL : 2 * all->vacuous > all->elements ? DC_SUSPECT : DC_PASS;
}

static void put_in_words(judged *j)
{
  const dc_op *op = j->c->op;
  const dc_worst *w = &j->all.worst;
  char name[REPORT_NAME];
  int64_t shape[NPY_RANK];
  j->worst[0] = j->why[0] = '\0';
  if (w->output >= 0) {
    int i = op->n_in + w->output, rank = inputs_shape(op, j->in, i, j->c->size, j->c->attr, shape);
    int digits = j->got[w->output].d ? 17 : 9;
    snprintf(j->worst, sizeof j->worst, "%s = %.*g, want %.*g, error %.3g, bound %.3g",
             report_index(op->tensor[i].name, rank, shape, w->index, name), digits, w->got, digits,
             w->want, w->err, w->bound);
  }
  if (j->outcome == DC_SUSPECT)
    snprintf(j->why, sizeof j->why,
             "on most elements the bound is too wide to tell a right value "
             "from a wrong one: say what the kernel's arithmetic is, by --arith");
}

dc_status judged_make(judged *j, const dc_problem *made, int blind, dc_error *err)
{
  dc_problem its = *made; /* the same tensors */
  const dc_problem *p = &its;
  float *f[DC_OUTPUTS] = {NULL};
  double *d[DC_OUTPUTS] = {NULL};
  for (int o = 0; o < p->c.op->n_out; o++) {
    f[o] = j->got[o].f;
    d[o] = j->got[o].d;
    its.c.type[p->c.op->n_in + o] = (unsigned char)j->type[o];
    dc_verdict_init(&j->verdict[o]);
  }
  memset(j->blind, 0, sizeof j->blind);
  memset(j->around, 0, sizeof j->around);
  j->habit[0] = '\0';
  dc_status status = judge(j, p, blind, f, d, err);
  if (status)
    return status;
  add_up(j);
  put_in_words(j);
  if (j->all.failed)
    dc_habit(p, &j->declared, f, d, j->habit);
  return DC_OK;
}

static void say_blind(const judged *j, FILE *out)
{
  int said = 0;
  bool sums = false;
  for (int o = 0; o < j->c->op->n_out; o++)
    for (int k = 0; k < JUDGED_WRONGS; k++) {
      int64_t n = j->blind[o][k], all = j->verdict[o].elements;
      if (n == 0)
        continue;
      if (!said++)
        fputs("what this data does not show:\n", out);
      fprintf(out, "  %s: %s would have passed on %" PRId64 " of %" PRId64 " elements\n",
              dc_out(j->c->op, o)->name, judged_wrong(k), n, all);
      sums |= k >= JUDGED_HALF;
    }
  if (sums && !(j->means.given & 3))
    fputs("  a bound for sums in any order is wide: --arith height=N narrows it, N the roundings "
          "on the "
          "longest way through a sum (n - 1 one after another, log2 n pairwise); height=pairwise "
          "and height=blocks:N count them\n",
          out);
}

void judged_tell(const judged *j, FILE *out)
{
  for (int o = 0; o < j->c->op->n_out; o++) {
    const dc_verdict *v = &j->verdict[o];
    if (!is_judged(j, o))
      continue;
    fprintf(out, "%s: %" PRId64 " elements, %" PRId64 " failed, %" PRId64 " vacuous\n",
            dc_out(j->c->op, o)->name, v->elements, v->failed, v->vacuous);
  }
  if (j->worst[0])
    fprintf(out, "%s: %s\n", j->all.failed ? "wrong" : "largest error", j->worst);
  if (j->why[0])
    fprintf(out, "%s\n", j->why);
  if (j->habit[0])
    fprintf(out, "%s\n", j->habit);
  say_blind(j, out);
}
