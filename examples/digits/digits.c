/* Handwritten digits of 8 x 8 pixels, told apart: a small network is trained on them through the
 * runtime, on whatever back end PROOFMARK_BACKEND names, with no other change.
 *
 *   pixels -> linear -> gelu -> layer_norm -> linear -> cross_entropy, and back; AdamW
 *
 * DATA has one digit a line: 64 whole numbers from 0 to 16, and the digit, with commas between
 * (examples/digits/get_digits.sh fetches such a file). Every fifth line is kept for the test. */
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/proofmark.h"

enum {
  PIXELS = 64,
  INK = 16,
  DIGITS = 10,
  HIDDEN = 32,
  BATCH = 64,
  LEAST = 80,
  MOST = 100000,
  WEIGHTS = 6
};

/* ---- data ---- */

typedef struct set {
  float *x; /* (n, PIXELS), from 0 to 1 */
  int64_t *y, n;
} set;

typedef struct settings {
  const char *path;
  int epochs;
  long seed;
} settings;

static int refuse(const char *format, const char *path, long line)
{
  fprintf(stderr, "digits: %s", path);
  if (line)
    fprintf(stderr, ":%ld", line);
  fprintf(stderr, ": %s\n", format);
  return 2;
}

/* A whole number from 0 to `most`, behind it the character `end`; NULL where there is none. */
static const char *number(const char *at, long most, const char *end, long *out)
{
  char *rest;
  errno = 0;
  *out = strtol(at, &rest, 10);
  if (rest == at || errno || *out < 0 || *out > most || !strchr(end, *rest))
    return NULL;
  return rest + (*rest != 0);
}

static int take_line(const char *line, set *to)
{
  const char *at = line;
  long v;
  for (int i = 0; i < PIXELS && at; i++) {
    at = number(at, INK, ",", &v);
    if (at)
      to->x[to->n * PIXELS + i] = (float)v / INK;
  }
  if (at)
    at = number(at, DIGITS - 1, "\r\n", &v);
  if (!at)
    return 0;
  to->y[to->n++] = v;
  return 1;
}

static void free_set(set *s)
{
  free(s->x);
  free(s->y);
}

static int read_sets(const char *path, set *train, set *test)
{
  char line[1024];
  FILE *f = fopen(path, "r");
  if (!f)
    return refuse(strerror(errno), path, 0);
  int status = 0;
  for (long n = 1; !status && fgets(line, sizeof line, f); n++)
    if (n > MOST)
      status = refuse("more than 100000 digits", path, n);
    else if (!take_line(line, n % 5 ? train : test))
      status =
          refuse("must be 64 whole numbers from 0 to 16 and a digit, with commas between", path, n);
  if (!status && ferror(f))
    status = refuse(strerror(errno), path, 0);
  fclose(f);
  if (!status && train->n + test->n < LEAST)
    status = refuse("must have at least 80 digits", path, 0);
  return status;
}

/* ---- the network ---- */

typedef struct net {
  pmr_context c;
  pmr_tensor w[WEIGHTS], m[WEIGHTS], v[WEIGHTS]; /* the weights, and AdamW's moments of them */
  int t;                                         /* steps so far */
} net;

enum { W1, B1, GAMMA, BETA, W2, B2 };
static const struct {
  int rank;
  int64_t shape[2];
  double scale; /* of a normal number; 0: all are `value` */
  float value;
} KIND[WEIGHTS] = {{2, {HIDDEN, PIXELS}, 0.2, 0}, {1, {HIDDEN}, 0, 0},
                   {1, {HIDDEN}, 0, 1},           {1, {HIDDEN}, 0, 0},
                   {2, {DIGITS, HIDDEN}, 0.2, 0}, {1, {DIGITS}, 0, 0}};

static void let_go(pmr_tensor *t, int n)
{
  for (int i = 0; i < n; i++)
    if (t[i])
      pmr_release(t[i]);
}

static pmr_status begin_weight(net *k, int i, long seed)
{
  pmr_status s;
  if (KIND[i].scale > 0) {
    pmr_tensor z = NULL;
    s = pmr_randn(k->c, seed + i, KIND[i].rank, KIND[i].shape, &z);
    if (!s)
      s = pmr_call(k->c, "scale", PMR_IN(z), PMR_ATTRS({"c", KIND[i].scale}), &k->w[i], 1);
    let_go(&z, 1);
  } else
    s = KIND[i].value != 0 ? pmr_ones(k->c, KIND[i].rank, KIND[i].shape, &k->w[i])
                           : pmr_zeros(k->c, KIND[i].rank, KIND[i].shape, &k->w[i]);
  s = s ? s : pmr_zeros(k->c, KIND[i].rank, KIND[i].shape, &k->m[i]);
  s = s ? s : pmr_zeros(k->c, KIND[i].rank, KIND[i].shape, &k->v[i]);
  return s ? s : pmr_requires_grad(k->w[i], 1);
}

/* (rows, PIXELS) to (rows, DIGITS). */
static pmr_status forward(const net *k, pmr_tensor x, pmr_tensor *out)
{
  pmr_tensor h[3] = {NULL};
  const pmr_tensor *w = k->w;
  pmr_status s = pmr_call(k->c, "linear", PMR_IN(x, w[W1], w[B1]), NULL, &h[0], 1);
  s = s ? s : pmr_call(k->c, "gelu", PMR_IN(h[0]), NULL, &h[1], 1);
  s = s ? s : pmr_call(k->c, "layer_norm", PMR_IN(h[1], w[GAMMA], w[BETA]), NULL, &h[2], 1);
  s = s ? s : pmr_call(k->c, "linear", PMR_IN(h[2], w[W2], w[B2]), NULL, out, 1);
  let_go(h, 3); /* the tape has what it needs of them */
  return s;
}

static pmr_status update(net *k)
{
  const double beta1 = 0.9, beta2 = 0.999;
  pmr_status s = pmr_no_grad(k->c, 1);
  k->t++;
  for (int i = 0; i < WEIGHTS && !s; i++) {
    pmr_tensor g = NULL, out[3] = {k->w[i], k->m[i], k->v[i]};
    s = pmr_grad(k->w[i], &g);
    if (!s)
      s = pmr_call(k->c, "adamw_step", PMR_IN(k->w[i], g, k->m[i], k->v[i]),
                   PMR_ATTRS({"lr", 0.01}, {"beta1", beta1}, {"beta2", beta2},
                             {"weight_decay", 0.01}, {"c1", 1 / (1 - pow(beta1, k->t))},
                             {"c2", 1 / (1 - pow(beta2, k->t))}),
                   out, 3);
    let_go(&g, 1);
    s = s ? s : pmr_zero_grad(k->w[i]);
  }
  pmr_status off = pmr_no_grad(k->c, 0);
  return s ? s : off;
}

/* One batch: its loss, the gradient, a step. */
static pmr_status learn(net *k, pmr_tensor x, pmr_tensor y, int64_t from, double *loss)
{
  pmr_tensor t[4] = {NULL};
  pmr_status s = pmr_rows(x, from, BATCH, &t[0]);
  s = s ? s : pmr_rows(y, from, BATCH, &t[1]);
  s = s ? s : forward(k, t[0], &t[2]);
  s = s ? s : pmr_call(k->c, "cross_entropy", PMR_IN(t[2], t[1]), NULL, &t[3], 1);
  s = s ? s : pmr_item(t[3], loss);
  s = s ? s : pmr_backward(t[3], NULL);
  let_go(t, 4);
  return s ? s : update(k);
}

/* How many of the digits are told right. */
static pmr_status count_right(const net *k, pmr_tensor x, const set *of, int64_t *right)
{
  pmr_tensor y = NULL;
  float *score = malloc((size_t)of->n * DIGITS * sizeof *score);
  *right = 0;
  if (!score)
    return PMR_NO_MEMORY;
  pmr_status s = pmr_no_grad(k->c, 1);
  s = s ? s : forward(k, x, &y);
  s = s ? s : pmr_to_host(y, PMR_F32, score, of->n * DIGITS);
  pmr_status off = pmr_no_grad(k->c, 0);
  for (int64_t i = 0; i < of->n && !s; i++) {
    int best = 0;
    for (int d = 1; d < DIGITS; d++)
      if (score[i * DIGITS + d] > score[i * DIGITS + best])
        best = d;
    *right += best == of->y[i];
  }
  let_go(&y, 1);
  free(score);
  return s ? s : off;
}

static pmr_status to_device(pmr_context c, const set *s, pmr_tensor *x, pmr_tensor *y)
{
  pmr_status r = pmr_from_host(c, PMR_F32, 2, (const int64_t[]){s->n, PIXELS}, s->x, x);
  return r ? r : pmr_from_host(c, PMR_I64, 1, &s->n, s->y, y);
}

static pmr_status train(net *k, const set *learned, const set *kept, const settings *o)
{
  pmr_tensor t[4] = {NULL};
  pmr_status s = to_device(k->c, learned, &t[0], &t[1]);
  s = s ? s : to_device(k->c, kept, &t[2], &t[3]);
  for (int i = 0; i < WEIGHTS && !s; i++)
    s = begin_weight(k, i, o->seed);
  for (int e = 1; e <= o->epochs && !s; e++) {
    int64_t batches = learned->n / BATCH, right;
    double sum = 0, loss = 0;
    for (int64_t b = 0; b < batches && !s; b++) {
      s = learn(k, t[0], t[1], b * BATCH, &loss);
      sum += loss;
    }
    s = s ? s : count_right(k, t[2], kept, &right);
    if (!s)
      printf("epoch %d: loss %.4f, right of those kept back: %.1f%% (%lld of %lld)\n", e,
             sum / (double)batches, 100.0 * (double)right / (double)kept->n, (long long)right,
             (long long)kept->n);
    fflush(stdout);
  }
  let_go(t, 4);
  return s;
}

/* ---- the program ---- */

/* What the shadow has seen, where there is one. */
static void tell_shadow(pmr_context c)
{
  pmr_shadow_report r;
  if (pmr_shadow_about(c, &r))
    return;
  printf("shadow: %lld of %lld steps looked at, %lld outside of their bounds\n",
         (long long)r.looked_at, (long long)r.steps, (long long)r.diverged);
  if (r.diverged)
    printf(
        "  first: step %lld, %s (%s), called at %s:%d\n  %s[%lld] is %.9g, must be %.9g, give or "
        "take %.3g\n  %s\n",
        (long long)r.first.step, r.first.op, r.first.variant, r.first.file, r.first.line,
        r.first.tensor, (long long)r.first.element, r.first.value, r.first.want, r.first.bound,
        r.first.replay);
}

static int run(const settings *o, const set *learned, const set *kept)
{
  net k = {.c = NULL};
  const char *name, *device;
  pmr_status s = pmr_open(NULL, &k.c);
  if (!s)
    s = pmr_backend(k.c, &name, &device);
  if (!s)
    printf("digits: %lld to learn from, %lld kept back; back end %s (%s)\n", (long long)learned->n,
           (long long)kept->n, name, device);
  if (!s)
    s = train(&k, learned, kept, o);
  if (s)
    fprintf(stderr, "digits: %s\n", pmr_error());
  if (k.c) {
    tell_shadow(k.c);
    pmr_close(k.c);
  }
  return s == PMR_DIVERGED ? 1 : s ? 2 : 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  settings *o = state->input;
  char *end;
  switch (key) {
  case 'e':
    o->epochs = (int)strtol(arg, &end, 10);
    if (end == arg || *end || o->epochs < 1 || o->epochs > 1000)
      argp_error(state, "--epochs %s: must be from 1 to 1000", arg);
    return 0;
  case 's':
    o->seed = strtol(arg, &end, 10);
    if (end == arg || *end || o->seed < 0 || o->seed > 1000000)
      argp_error(state, "--seed %s: must be from 0 to 1000000", arg);
    return 0;
  case ARGP_KEY_ARG:
    if (state->arg_num > 0)
      return ARGP_ERR_UNKNOWN;
    o->path = arg;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "DATA is missing: examples/digits/get_digits.sh fetches it");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int main(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"epochs", 'e', "N", 0, "times through the data; 8 unless given", 0},
      {"seed", 's', "N", 0, "of the first weights; 1 unless given", 0},
      {0}};
  static const struct argp how = {options,
                                  parse,
                                  "DATA",
                                  "Tells handwritten digits apart: trains on DATA, on the back end "
                                  "that PROOFMARK_BACKEND names.",
                                  NULL,
                                  NULL,
                                  NULL};
  settings o = {.epochs = 8, .seed = 1};
  argp_err_exit_status = 2;
  argp_parse(&how, argc, argv, 0, NULL, &o);
  set learned = {.x = malloc(sizeof(float) * PIXELS * MOST), .y = malloc(sizeof(int64_t) * MOST)};
  set kept = {.x = malloc(sizeof(float) * PIXELS * MOST), .y = malloc(sizeof(int64_t) * MOST)};
  int status = learned.x && learned.y && kept.x && kept.y
                   ? read_sets(o.path, &learned, &kept)
                   : refuse("no memory for the digits", o.path, 0);
  if (!status)
    status = run(&o, &learned, &kept);
  free_set(&learned);
  free_set(&kept);
  return status;
}
