/* A first check on real input: a small language model reads English text that every Debian machine
 * carries, byte by byte, and learns as it reads. Each step of it, forward and gradient, runs on
 * each back end, and every number a kernel returns is held against the proven reference, within the
 * error bound that belongs to the very float32 numbers the kernel was given.
 *
 *   bytes -> gather_rows -> matmul -> add_bias -> gelu -> matmul -> softmax   and back again
 */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diffcheck/commands/backends.h"
#include "diffcheck/commands/cli.h"
#include "diffcheck/files/npy.h"
#include "diffcheck/report/progress.h"

enum { BYTES = 96, VOCABULARY = 256, WIDTH = 32, HIDDEN = 32, PASSES = 60, LATEST = 5 };
#define RATE 1.0f /* of learning */

/* ---- the model ---- */

/* Tensors, by what they hold. */
typedef enum {
  TABLE,
  W1,
  BIAS,
  W2,
  VECTORS,
  SUMS,
  BIASED,
  ACTIVE,
  LOGITS,
  CHANCES,
  COTANGENT,
  D_LOGITS,
  D_ACTIVE,
  D_W2,
  D_BIASED,
  D_SUMS,
  D_BIAS,
  D_VECTORS,
  D_W1,
  D_TABLE,
  N_FLOATS,
  TOKENS = N_FLOATS
} tensor;

static const int64_t COUNT[N_FLOATS] = {[TABLE] = VOCABULARY * WIDTH,
                                        [W1] = WIDTH * HIDDEN,
                                        [BIAS] = HIDDEN,
                                        [W2] = HIDDEN * VOCABULARY,
                                        [VECTORS] = BYTES * WIDTH,
                                        [SUMS] = BYTES * HIDDEN,
                                        [BIASED] = BYTES * HIDDEN,
                                        [ACTIVE] = BYTES * HIDDEN,
                                        [LOGITS] = BYTES * VOCABULARY,
                                        [CHANCES] = BYTES * VOCABULARY,
                                        [COTANGENT] = BYTES * VOCABULARY,
                                        [D_LOGITS] = BYTES * VOCABULARY,
                                        [D_ACTIVE] = BYTES * HIDDEN,
                                        [D_W2] = HIDDEN * VOCABULARY,
                                        [D_BIASED] = BYTES * HIDDEN,
                                        [D_SUMS] = BYTES * HIDDEN,
                                        [D_BIAS] = HIDDEN,
                                        [D_VECTORS] = BYTES * WIDTH,
                                        [D_W1] = WIDTH * HIDDEN,
                                        [D_TABLE] = VOCABULARY * WIDTH};

typedef struct step {
  const char *op, *what;
  int64_t size[DC_DIMS];
  tensor in[3], out[2];
} step;

static const step STEPS[] = {
    {"gather_rows", "bytes to vectors", {VOCABULARY, WIDTH, BYTES}, {TABLE, TOKENS}, {VECTORS}},
    {"matmul", "first layer", {BYTES, WIDTH, HIDDEN}, {VECTORS, W1}, {SUMS}},
    {"add_bias", "first layer", {BYTES, HIDDEN}, {SUMS, BIAS}, {BIASED}},
    {"gelu", "first layer", {BYTES * HIDDEN}, {BIASED}, {ACTIVE}},
    {"matmul", "second layer", {BYTES, HIDDEN, VOCABULARY}, {ACTIVE, W2}, {LOGITS}},
    {"softmax", "chance of each byte", {BYTES, VOCABULARY}, {LOGITS}, {CHANCES}},
    {"softmax_vjp", "from the next byte", {BYTES, VOCABULARY}, {CHANCES, COTANGENT}, {D_LOGITS}},
    {"matmul_vjp",
     "second layer",
     {BYTES, HIDDEN, VOCABULARY},
     {ACTIVE, W2, D_LOGITS},
     {D_ACTIVE, D_W2}},
    {"gelu_vjp", "first layer", {BYTES * HIDDEN}, {BIASED, D_ACTIVE}, {D_BIASED}},
    {"add_bias_vjp", "first layer", {BYTES, HIDDEN}, {D_BIASED}, {D_SUMS, D_BIAS}},
    {"matmul_vjp", "first layer", {BYTES, WIDTH, HIDDEN}, {VECTORS, W1, D_SUMS}, {D_VECTORS, D_W1}},
    {"gather_rows_vjp",
     "vectors of the bytes",
     {VOCABULARY, WIDTH, BYTES},
     {TOKENS, D_VECTORS},
     {D_TABLE}},
};
enum { N_STEPS = sizeof STEPS / sizeof STEPS[0], FORWARD = 6 };

/* The whole model on one back end, fed by nothing but its own results. */
typedef struct chain {
  const char *name;
  const pm_backend *b; /* NULL: the reference itself, rounded to float32 after each step */
  dc_memory *memory;
  float *f[N_FLOATS];
  int64_t token[BYTES + 1]; /* the last is only predicted */
  dc_verdict verdict[N_STEPS];
  double chance[PASSES]; /* geometric mean over a pass of the right next byte's chance */
  bool failed;
} chain;

typedef struct check {
  const char *path, *backend;
  unsigned char *text;
  int64_t length;
  chain chain[1 + DC_BACKENDS]; /* the reference first */
  int n_chains;
  progress progress;
} check;

/* ---- one step, checked ---- */

static const pm_arith *arithmetic(const pm_backend *b, const dc_op *op, const char *variant,
                                  const int64_t *size, pm_arith *declared)
{
  int64_t sizes[DC_DIMS + DC_ATTRS] = {0}; /* then integer attributes: all 0 here */
  const double attrs[DC_ATTRS] = {0};
  memcpy(sizes, size, (size_t)op->n_dims * sizeof *sizes);
  dc_undeclared(op, size, attrs, declared);
  for (int k = 0; k < b->n_kernels; k++)
    if (strcmp(b->kernels[k].op, op->name) == 0 && strcmp(b->kernels[k].variant, variant) == 0 &&
        b->kernels[k].declare)
      b->kernels[k].declare(sizes, declared);
  return declared;
}

static const void *input(const chain *x, tensor t)
{
  return t == TOKENS ? (const void *)x->token : x->f[t];
}

/* The inputs of a step that failed, as files, and the command that checks them alone. */
static void save_inputs(const chain *x, const step *s, const dc_case *c)
{
  char path[120], message[NPY_MESSAGE];
  fprintf(stderr, "  to look closer: diffcheck run %s", s->op);
  for (int t = 0; t < c->op->n_in; t++) {
    int64_t shape[DC_RANK];
    int rank = dc_shape(c->op, t, c->size, c->attr, shape);
    snprintf(path, sizeof path, "first_check-%s-%s.npy", s->op, c->op->tensor[t].name);
    if (npy_write(path, c->op->tensor[t].dtype == DC_I64 ? NPY_I8 : NPY_F4, rank, shape,
                  input(x, s->in[t]), message))
      fprintf(stderr, " --input %s", path);
    else
      fprintf(stderr, "\n  %s\n", message);
  }
  fputc('\n', stderr);
}

/* Judges what a back end returned for a problem; true when all of it lies within its bound. */
static bool judge(chain *x, const step *s, const dc_problem *p, double *const *v, double *const *e)
{
  const dc_op *op = p->c.op;
  dc_verdict now;
  dc_verdict_init(&now);
  for (int o = 0; o < op->n_out; o++) {
    dc_band band = {.cls = op->classes[o],
                    .output = o,
                    .count = p->count[op->n_in + o],
                    .v = v[o],
                    .e = e[o],
                    .tame = p->tame};
    dc_judge(&band, x->f[s->out[o]], &now);
  }
  dc_verdict *all = &x->verdict[s - STEPS];
  all->elements += now.elements;
  all->vacuous += now.vacuous;
  all->failed += now.failed;
  if (all->worst.output < 0 || now.worst.ratio > all->worst.ratio)
    all->worst = now.worst;
  if (now.failed && !x->failed) {
    fprintf(stderr, "FAIL %s (%s) on %s: %s[%" PRId64 "] = %.9g, must lie within %.3g of %.9g\n",
            s->op, s->what, x->name, op->tensor[op->n_in + now.worst.output].name, now.worst.index,
            now.worst.got, now.worst.bound, now.worst.want);
    save_inputs(x, s, &p->c);
    x->failed = true;
  }
  return now.failed == 0;
}

/* Returns EXIT_PASS, EXIT_FAIL, or EXIT_ERROR after a message. */
static int run_step(chain *x, const step *s)
{
  const dc_op *op = dc_op_find(s->op);
  double *v[2] = {NULL}, *e[2] = {NULL};
  float *out[2] = {NULL};
  dc_error err = {""};
  dc_problem p;
  dc_case c;
  int result = EXIT_PASS;
  dc_case_init(&c, op);
  memcpy(c.size, s->size, sizeof c.size);
  for (int t = 0; t < op->n_in; t++)
    c.given[t] = input(x, s->in[t]);
  dc_status status = dc_problem_make(&p, &c, &err);
  for (int o = 0; o < op->n_out && !status; o++) {
    v[o] = calloc((size_t)COUNT[s->out[o]], sizeof(double));
    e[o] = calloc((size_t)COUNT[s->out[o]], sizeof(double));
    out[o] = x->f[s->out[o]];
    if (!v[o] || !e[o])
      status = DC_NO_MEMORY;
  }
  if (!status)
    status = dc_reference(&p, v, &err);
  if (!status && x->b) {
    dc_way way = {.variant = NULL};
    const char *ran = NULL;
    pm_arith declared;
    dc_fault fault = dc_execute(x->memory, &p, &way, out, &ran, &err);
    if (fault != DC_NO_FAULT || !ran) {
      fprintf(stderr, "FAIL %s on %s: %s\n", s->op, x->name,
              ran ? err.text : "no kernel could run");
      result = EXIT_FAIL;
    } else {
      status = dc_bound(&p, arithmetic(x->b, op, ran, c.size, &declared), e, &err);
      if (!status && !judge(x, s, &p, v, e))
        result = EXIT_FAIL;
    }
  }
  for (int o = 0; o < op->n_out && !status && !x->b; o++)
    for (int64_t i = 0; i < COUNT[s->out[o]]; i++)
      out[o][i] = (float)v[o][i];
  for (int o = 0; o < 2; o++) {
    free(v[o]);
    free(e[o]);
  }
  dc_problem_free(&p);
  return status ? cli_error("%s: %s", s->op, err.text[0] ? err.text : "no memory") : result;
}

/* ---- one pass: read, predict, learn ---- */

/* The gradient of the mean of -log(chance of the right byte), and that chance. */
static double look_ahead(chain *x)
{
  double log_chance = 0;
  memset(x->f[COTANGENT], 0, (size_t)COUNT[COTANGENT] * sizeof(float));
  for (int64_t i = 0; i < BYTES; i++) {
    int64_t next = i * VOCABULARY + x->token[i + 1];
    float chance = x->f[CHANCES][next];
    log_chance += log((double)chance);
    x->f[COTANGENT][next] = -1.0f / (BYTES * chance);
  }
  return exp(log_chance / BYTES);
}

static void learn(chain *x)
{
  static const tensor PAIRS[][2] = {{TABLE, D_TABLE}, {W1, D_W1}, {BIAS, D_BIAS}, {W2, D_W2}};
  for (int k = 0; k < 4; k++)
    for (int64_t i = 0; i < COUNT[PAIRS[k][0]]; i++)
      x->f[PAIRS[k][0]][i] -= RATE * x->f[PAIRS[k][1]][i];
}

static int pass(check *k, chain *x, int n)
{
  int64_t start = (int64_t)n * BYTES % (k->length - BYTES);
  int worst = EXIT_PASS;
  for (int64_t i = 0; i <= BYTES; i++)
    x->token[i] = k->text[start + i];
  for (int s = 0; s < N_STEPS; s++) {
    if (s == FORWARD)
      x->chance[n] = look_ahead(x);
    int result = run_step(x, &STEPS[s]);
    if (result > worst)
      worst = result;
    if (result == EXIT_ERROR)
      break;
  }
  learn(x);
  return worst;
}

/* ---- set-up ---- */

static float drawn(uint64_t *state, float scale)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return scale * ((float)(*state >> 40) * 0x1p-23f - 1);
}

static bool build(chain *x, const char *name, const pm_backend *b)
{
  static const struct {
    tensor t;
    float scale;
  } DRAWN[] = {{TABLE, 1}, {W1, 0.7f}, {BIAS, 0}, {W2, 0.1f}};
  uint64_t seed = 1;
  bool good = true;
  *x = (chain){.name = name, .b = b, .memory = b ? dc_memory_new(b) : NULL};
  for (int t = 0; t < N_FLOATS; t++)
    good &= (x->f[t] = calloc((size_t)COUNT[t], sizeof(float))) != NULL;
  for (size_t k = 0; good && k < sizeof DRAWN / sizeof DRAWN[0]; k++)
    for (int64_t i = 0; i < COUNT[DRAWN[k].t]; i++)
      x->f[DRAWN[k].t][i] = drawn(&seed, DRAWN[k].scale);
  for (int s = 0; s < N_STEPS; s++)
    dc_verdict_init(&x->verdict[s]);
  return good && (!b || x->memory);
}

static void tear_down(check *k)
{
  for (int i = 0; i < k->n_chains; i++) {
    dc_memory_free(k->chain[i].memory);
    for (int t = 0; t < N_FLOATS; t++)
      free(k->chain[i].f[t]);
  }
  free(k->text);
}

static int read_text(check *k)
{
  static const char *const CARRIED[] = {"/usr/share/common-licenses/GPL-3",
                                        "/usr/share/common-licenses/GPL-2",
                                        "/usr/share/common-licenses/Apache-2.0"};
  enum { MOST = 1 << 20 };
  FILE *f = k->path ? fopen(k->path, "rb") : NULL;
  for (size_t i = 0; !k->path && i < sizeof CARRIED / sizeof CARRIED[0]; i++)
    if ((f = fopen(CARRIED[i], "rb")))
      k->path = CARRIED[i];
  if (!f && k->path)
    return cli_error("FILE '%s': %s", k->path, strerror(errno));
  if (!f)
    return cli_error("FILE is missing: no licence text in /usr/share/common-licenses");
  k->text = malloc(MOST);
  errno = 0;
  k->length = k->text ? (int64_t)fread(k->text, 1, MOST, f) : 0;
  int failed = errno;
  fclose(f);
  if (failed)
    return cli_error("FILE '%s': %s", k->path, strerror(failed));
  if (k->length < 2 * BYTES)
    return cli_error("FILE '%s': %" PRId64 " bytes: must be at least %d", k->path, k->length,
                     2 * BYTES);
  return EXIT_PASS;
}

/* ---- what it found ---- */

static bool exact(const dc_op *op) { return strspn(op->classes, "ER") == strlen(op->classes); }

static void print_steps(const check *k, bool colour)
{
  printf("%-17s%-22s%-14s", "step", "", "shape");
  for (int i = 1; i < k->n_chains; i++)
    printf("%11s", k->chain[i].name);
  puts("   verdict");
  for (int s = 0; s < N_STEPS; s++) {
    const dc_op *op = dc_op_find(STEPS[s].op);
    double attr[DC_ATTRS] = {0};
    int64_t shape[DC_RANK], failed = 0;
    char text[NPY_SHAPE_TEXT];
    int rank = dc_shape(op, op->n_in, STEPS[s].size, attr, shape);
    printf("%-17s%-22s%-14s", op->name, STEPS[s].what, npy_shape(text, rank, shape));
    for (int i = 1; i < k->n_chains; i++) {
      const dc_verdict *v = &k->chain[i].verdict[s];
      failed += v->failed;
      if (exact(op) && !v->failed)
        printf("%11s", "exact");
      else
        printf("%11.3g", v->worst.ratio);
    }
    printf("   %s%s%s\n",
           !colour  ? ""
           : failed ? "\033[1;31m"
                    : "\033[32m",
           failed ? "FAIL" : "pass", colour ? "\033[0m" : "");
  }
}

static double latest(const chain *x)
{
  double sum = 0;
  for (int n = PASSES - LATEST; n < PASSES; n++)
    sum += log(x->chance[n]);
  return exp(sum / LATEST);
}

/* The likeliest byte after this one, by the model as it stands after the last pass. */
static int expected(chain *x, int after, double *chance)
{
  int best = 0;
  for (int64_t i = 0; i < BYTES; i++)
    x->token[i] = after;
  for (int s = 0; s < FORWARD; s++)
    if (run_step(x, &STEPS[s]) != EXIT_PASS)
      return -1;
  for (int v = 1; v < VOCABULARY; v++)
    if (x->f[CHANCES][v] > x->f[CHANCES][best])
      best = v;
  *chance = (double)x->f[CHANCES][best];
  return best;
}

static void print_findings(check *k)
{
  chain *last = &k->chain[k->n_chains - 1];
  int64_t elements = 0, vacuous = 0, failed = 0;
  for (int i = 1; i < k->n_chains; i++)
    for (int s = 0; s < N_STEPS; s++) {
      elements += k->chain[i].verdict[s].elements;
      vacuous += k->chain[i].verdict[s].vacuous;
      failed += k->chain[i].verdict[s].failed;
    }
  printf("\n%" PRId64 " numbers checked, %" PRId64 " outside their bound.", elements - vacuous,
         failed);
  if (vacuous)
    printf(" %" PRId64 " more have a bound as wide as themselves.", vacuous);
  puts("");
  if (k->n_chains == 3) {
    bool same = true;
    for (int t = 0; t < N_FLOATS; t++)
      same &= memcmp(k->chain[1].f[t], k->chain[2].f[t], (size_t)COUNT[t] * sizeof(float)) == 0;
    printf("After %d passes sim and cuda hold %s.\n", PASSES,
           same ? "the same bits in every tensor" : "different bits");
  }
  printf("The right next byte got a chance of %.2f%% in the first pass and %.2f%% in the last %d "
         "(reference: %.2f%%).\n",
         100 * last->chance[0], 100 * latest(last), LATEST, 100 * latest(&k->chain[0]));
  static const char ASKED[] = "ti";
  for (int i = 0; ASKED[i]; i++) {
    double chance;
    int next = expected(last, ASKED[i], &chance);
    if (next >= ' ' && next < 127)
      printf("%s'%c' it expects '%c' (%.0f%%)%s", i ? ", after " : "After ", ASKED[i], next,
             100 * chance, ASKED[i + 1] ? "" : ".\n");
  }
}

static int run(check *k)
{
  backends found;
  dc_error err = {""};
  int worst = EXIT_PASS;
  if (read_text(k))
    return EXIT_ERROR;
  if (backends_open(k->backend, &found, &err))
    return cli_error("%s", err.text);
  k->n_chains = 1 + found.n;
  for (int i = 0; i < k->n_chains; i++)
    if (!build(&k->chain[i], i ? found.list[i - 1]->name : "ref", i ? found.list[i - 1] : NULL))
      return cli_error("no memory for the model");
  printf("text   %s, %d windows of %d bytes\n", k->path, PASSES, BYTES);
  printf("model  byte -> %d numbers -> %d -> gelu -> %d -> softmax; it learns after each window\n",
         WIDTH, HIDDEN, VOCABULARY);
  for (int i = 0; i < found.n; i++)
    printf("%-7s%s\n", found.list[i]->name, found.list[i]->device());
  printf("\nLargest error over its bound, over all windows (\"exact\": bits are equal):\n\n");
  fflush(stdout);
  progress_start(&k->progress, false);
  for (int i = 0; i < k->n_chains; i++)
    for (int n = 0; n < PASSES && worst != EXIT_ERROR; n++) {
      int result = pass(k, &k->chain[i], n);
      if (result > worst)
        worst = result;
      progress_say(&k->progress, "first_check: %s, window %d of %d", k->chain[i].name, n + 1,
                   PASSES);
    }
  progress_clear(&k->progress);
  if (worst == EXIT_ERROR)
    return worst;
  print_steps(k, cli_colour(1));
  print_findings(k);
  return worst;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  check *k = state->input;
  switch (key) {
  case 'b':
    k->backend = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (k->path)
      argp_error(state, "'%s': one FILE is enough", arg);
    k->path = arg;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int main(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"backend", 'b', "NAME", 0, "sim, cuda or all (default: sim, and cuda where there is a GPU)",
       0},
      {NULL, 0, NULL, 0, NULL, 0}};
  static const struct argp argp = {
      options,
      parse,
      "[FILE]",
      "Trains a small language model on FILE (default: a licence text of Debian's) and checks "
      "every step of it, forward and gradient, against the proven reference.\v"
      "Exit status: 0 every step passed, 1 one did not, 2 wrong use or a fault.",
      NULL,
      NULL,
      NULL};
  static check k;
  argp_err_exit_status = EXIT_ERROR;
  argp_parse(&argp, argc, argv, 0, NULL, &k);
  int status = run(&k);
  tear_down(&k);
  return status;
}
