/* diffcheck list and diffcheck explain: what an op means, and why its verdicts can be believed. */
#include <argp.h>
#include <fnmatch.h>
#include <inttypes.h>

#include "arith.h"
#include "backends.h"
#include "cli.h"
#include "drawn.h"
#include "launches.h"
#include "../engine/engine.h"
#include "../report/progress.h"
#include "proofs.h"
#include "options.h"
#include "../files/replay.h"
#include "../files/text.h"

#define INDENT 2

/* ---- list ---- */

static int kernels_of(const pm_backend *b, const char *op)
{
  int n = 0;
  for (int k = 0; b && k < b->n_kernels; k++)
    n += strcmp(b->kernels[k].op, op) == 0;
  return n;
}

typedef struct listing {
  const char *pattern[64]; /* of ops; none: all */
  int n;
  bool kernels, launches;
} listing;

static bool listed(const listing *x, const char *op)
{
  for (int i = 0; i < x->n; i++)
    if (fnmatch(x->pattern[i], op, 0) == 0)
      return true;
  return x->n == 0;
}

static int wider(int width, const char *text)
{
  int n = (int)strlen(text) + 2; /* two blanks apart, whatever the names are */
  return n > width ? n : width;
}

static void list_ops(const listing *x, int width)
{
  char text[TEXT_SIGNATURE];
  int names = 22, classes = 8;
  for (int i = 0; i < dc_n_ops(); i++) {
    names = wider(names, dc_op_at(i)->name);
    classes = wider(classes, dc_op_at(i)->classes);
  }
  printf("%-*s%-*s%-9s%s\n", names, "op", classes, "class", "kernels", "inputs -> outputs");
  for (int i = 0; i < dc_n_ops(); i++) {
    const dc_op *op = dc_op_at(i);
    if (!listed(x, op->name))
      continue;
    int at = printf("%-*s%-*s%-9d", names, op->name, classes, op->classes,
                    kernels_of(&pm_sim, op->name));
    text_wrap(text_signature(op, text), width >= 70 ? at : 4, at, width);
  }
  puts("");
  text_wrap("Classes, a letter an output: E exact and R correctly rounded (bits are compared), "
            "S sum in any order, C composite, U a few ulp (error bounds are computed).",
            0, 0, width);
}

static void list_kernels(const listing *x)
{
  int names = 22, variants = 16, levels = 24;
  for (int k = 0; k < pm_sim.n_kernels; k++) {
    names = wider(names, pm_sim.kernels[k].op);
    variants = wider(variants, pm_sim.kernels[k].variant);
    levels = wider(levels, text_level(pm_sim.kernels[k].level));
  }
  printf("%-*s%-*s%-*s%s\n", names, "op", variants, "variant", levels, "level", "runs when");
  for (int k = 0; k < pm_sim.n_kernels; k++) {
    const pm_kernel *row = &pm_sim.kernels[k];
    if (listed(x, row->op))
      printf("%-*s%-*s%-*s%s\n", names, row->op, variants, row->variant, levels,
             text_level(row->level), row->when);
  }
}

static error_t parse_list(int key, char *arg, struct argp_state *state)
{
  listing *x = state->input;
  bool any = false;
  switch (key) {
  case 'k':
    x->kernels = true;
    return 0;
  case 'l':
    x->launches = true;
    return 0;
  case ARGP_KEY_ARG:
    for (int i = 0; i < dc_n_ops(); i++)
      any |= fnmatch(arg, dc_op_at(i)->name, 0) == 0;
    if (!any)
      exit(unknown_op(arg));
    if (x->n == sizeof x->pattern / sizeof x->pattern[0])
      cli_refuse("'%s': list takes at most %d patterns", arg, x->n);
    x->pattern[x->n++] = arg;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option LIST_OPTIONS[] = {
    {"kernels", 'k', NULL, 0, "the kernel table instead: every variant and when it runs", 0},
    {"launches", 'l', NULL, 0,
     "the __global__ functions instead that each variant of every op starts", 0},
    {NULL, 0, NULL, 0, NULL, 0}};
const struct argp list_argp = {
    LIST_OPTIONS,
    parse_list,
    "[OP...]",
    "Lists the operations, all of them or those named (patterns like 'softmax*' work); gradients "
    "(NAME_vjp) are operations too.\v"
    "Examples:\n  diffcheck list\n  diffcheck list 'softmax*'\n  diffcheck list --kernels matmul",
    NULL,
    NULL,
    NULL};

int command_list(int argc, char **argv)
{
  listing x = {.n = 0};
  options_parse(&list_argp, argc, argv, &x);
  if (x.launches)
    list_launches();
  else if (x.kernels)
    list_kernels(&x);
  else
    list_ops(&x, progress_width(1));
  return EXIT_PASS;
}

/* ---- explain ---- */

typedef struct explanation {
  const char *op_name, *arith;
  sets set;
  int width;
} explanation;

static const char *class_words(char cls)
{
  switch (cls) {
  case 'E':
    return "exact: the values are moved, not computed, and the bits must be the reference's";
  case 'R':
    return "correctly rounded: one IEEE operation an element, so the bits must be those of the "
           "reference rounded to float32";
  case 'U':
    return "elementary: at most a few ulp from the real value";
  case 'S':
    return "sum: off by at most what the roundings of a summation tree of the kernel's declared "
           "height can come to, given the sum of |terms|; of any order of summation where none is "
           "declared";
  default:
    return "composite: the formula is evaluated on error pairs (a value, and how far a computed "
           "one may be), node by node, with the kernel's declared arithmetic";
  }
}

static void heading(const char *text) { printf("\n%s\n", text); }

static char *attr_words(const dc_op *op, int a, char *text)
{
  char plain[TEXT_REAL];
  double least, most;
  dc_attr_range(op, a, &least, &most);
  if (op->glue->attr[a] == DC_ATTR_FLAG)
    strcpy(text, "0 or 1");
  else if (dc_attr_is_integer(op, a))
    sprintf(text, "a whole number from %.0f to %.0f", least, most);
  else if (least <= -FLT_MAX && most >= FLT_MAX)
    strcpy(text, "a number");
  else
    sprintf(text, "a number from %.9g to %.9g", least, most);
  if (dc_attr_is_integer(op, a))
    snprintf(plain, sizeof plain, "%.0f", op->glue->attr_default[a]);
  else
    text_real(op->glue->attr_default[a], plain);
  sprintf(text + strlen(text), "; default %s", plain);
  return text;
}

static void tensors(const dc_op *op, int width)
{
  char text[TEXT_SIGNATURE];
  for (int t = 0; t < op->n_in + op->n_out; t++) {
    int at = printf("  %-8s%-7s%-9s",
                    t == op->n_in ? "outputs"
                    : t == 0      ? "inputs"
                                  : "",
                    op->tensor[t].name, op->tensor[t].dtype == DC_I64 ? "int64" : "float32");
    text_wrap(text_shape(op, t, text), at, at, width);
  }
  for (int a = 0; a < op->n_attrs; a++)
    printf("  %-8s%-7s%s\n", a ? "" : "attrs", op->attr[a], attr_words(op, a, text));
}

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Median of e/|v| over the elements that are not 0. */
static double median_share(const double *v, const double *e, int64_t n)
{
  double *share = malloc((size_t)(n + 1) * sizeof *share), median = NAN;
  int64_t m = 0;
  for (int64_t i = 0; share && i < n; i++)
    if (v[i] != 0 && isfinite(v[i]))
      share[m++] = e[i] / fabs(v[i]);
  if (m) {
    qsort(share, (size_t)m, sizeof *share, by_size);
    median = share[m / 2];
  }
  free(share);
  return median;
}

/* What a row of the kernel table declares at these sizes. */
static pm_arith arithmetic(const dc_case *c, const pm_kernel *row)
{
  pm_arith declared;
  int64_t size[DC_DIMS + DC_ATTRS] = {0};
  dc_undeclared(c->op, c->size, c->attr, &declared);
  dc_kernel_size(c, size);
  if (row->declare)
    row->declare(size, &declared);
  return declared;
}

/* A bound in numbers, for this case and one arithmetic, after words that introduce it. */
static void bound_line(const dc_problem *p, const pm_arith *declared, double *const *v,
                       double *const *e, const char *who, int width)
{
  const dc_op *op = p->c.op;
  char text[400];
  if (dc_bound(p, declared, e, NULL))
    return;
  for (int o = 0; o < op->n_out; o++) {
    if (strchr("ER", op->classes[o]))
      continue;
    double share = median_share(v[o], e[o], p->count[op->n_in + o]);
    snprintf(text, sizeof text, "%s: %s within %.2g of the value in the median (%.3g ulp)", who,
             op->tensor[op->n_in + o].name, share, share * 0x1p24);
    text_wrap(text, INDENT + 2, 0, width);
  }
}

/* What the bound comes to on one ordinary case. */
static int example(const dc_case *c, const dc_arith *means, int width)
{
  const dc_op *op = c->op;
  char text[REPLAY_TEXT + 100], size[REPLAY_TEXT];
  double *v[DC_TENSORS] = {NULL}, *e[DC_TENSORS] = {NULL};
  dc_error err = {""};
  dc_problem p;
  bool room = true;
  if (strspn(op->classes, "ER") == strlen(op->classes))
    return EXIT_PASS;
  if (dc_problem_make(&p, c, &err))
    return cli_error("%s", err.text[0] ? err.text : "no memory");
  for (int o = 0; o < op->n_out; o++) {
    size_t n = (size_t)p.count[op->n_in + o] + 1;
    v[o] = calloc(n, sizeof(double));
    e[o] = calloc(n, sizeof(double));
    room &= v[o] && e[o];
  }
  if (room && dc_reference(&p, v, &err) == DC_OK) {
    snprintf(text, sizeof text, "For example, values uniform in [-1, 1), %s:",
             replay_size(op, c->size, c->attr, size));
    text_wrap(text, INDENT, 0, width);
    for (int k = 0; k < pm_sim.n_kernels; k++) {
      const pm_kernel *row = &pm_sim.kernels[k];
      if (strcmp(row->op, op->name) != 0 || !dc_suits(c, row->variant))
        continue;
      pm_arith declared = arithmetic(c, row);
      bound_line(&p, &declared, v, e, row->variant, width);
    }
    bound_line(&p, NULL, v, e, "any kernel, nothing declared", width);
    if (means) {
      pm_arith said;
      dc_undeclared(op, c->size, c->attr, &said);
      dc_arith_at(means, op, c->size, c->attr, &said);
      bound_line(&p, &said, v, e, "a kernel of that arithmetic", width);
    }
  }
  for (int o = 0; o < op->n_out; o++) {
    free(v[o]);
    free(e[o]);
  }
  dc_problem_free(&p);
  return room ? EXIT_PASS : cli_error("no memory");
}

/* The outputs of class cls, "da, db"; "" unless output o is the first of them. */
static char *alike(const dc_op *op, int o, char *text)
{
  text[0] = 0;
  for (int k = 0; k < op->n_out; k++)
    if (op->classes[k] == op->classes[o]) {
      if (k < o)
        return text;
      sprintf(text + strlen(text), "%s%s", *text ? ", " : "", op->tensor[op->n_in + k].name);
    }
  return text;
}

static void bounds(const dc_op *op, int width)
{
  char names[DC_TENSORS * 20];
  for (int o = 0; o < op->n_out; o++) {
    if (!*alike(op, o, names))
      continue;
    int at = printf("  %-6s ", names);
    text_wrap(class_words(op->classes[o]), at, at, width);
  }
  int at = printf("  %-7s", "NaN");
  text_wrap(dc_op_policy(op), at, at, width);
}

static void proof_line(const char *label, const char *name, const char *source)
{
  proof_count c = proofs_of(name);
  printf("  %-11s%-28s", label, name);
  if (c.goals == 0)
    printf("no proof recorded (%s)\n", source);
  else
    printf("%d of %d goals proven (%s)%s\n", c.proven, c.goals, source,
           c.proven == c.goals ? "" : "  UNPROVEN");
}

/* What Coq proves of the op: a row of a table of theory.json. */
static void theorem_line(const dc_op *op, const char *label, const char *table, const char *source,
                         int width)
{
  const char *level = proofs_theorem(table, op->name, "level");
  const char *note = proofs_theorem(table, op->name, "note");
  const char *found = proofs_theorem(table, op->name, "theorems");
  char text[512];
  if (!*level)
    snprintf(text, sizeof text, "no proof recorded (%s)", source);
  else if (!*found)
    snprintf(text, sizeof text, "no theorem yet%s%s", *note ? ": " : "", note);
  else
    snprintf(text, sizeof text, "%s (proofs/%s), %s%s%s", found,
             proofs_theorem(table, op->name, "files"),
             strcmp(level, "linked") == 0 ? "of WP's text of spec/"
                                          : "of the formula written again in Coq",
             *note ? "; " : "", note);
  int at = printf("  %-11s", label);
  text_wrap(text, at, at, width);
}

static void measured(const dc_op *op, int width)
{
  proof_run run = proofs_measured(op->name);
  char text[512];
  int exact = strspn(op->classes, "ER") == strlen(op->classes), n;
  if (!run.verdict || !run.device || !run.date || !run.commit) {
    printf("  not yet\n");
    return;
  }
  n = snprintf(text, sizeof text, "%s: %s, %d cases", run.device, run.verdict, run.cases);
  if (strcmp(run.verdict, "pass") == 0)
    n += snprintf(text + n, sizeof text - (size_t)n, ", bits equal to the simulator's in %d runs",
                  run.compared);
  if (!exact && n < (int)sizeof text)
    n +=
        snprintf(text + n, sizeof text - (size_t)n, ", largest error %.3g of its bound", run.ratio);
  if (n < (int)sizeof text)
    snprintf(text + n, sizeof text - (size_t)n, " (%.10s, commit %s)", run.date, run.commit);
  int at = printf("  ");
  text_wrap(text, at, at, width);
}

static void proofs(const dc_op *op, int width)
{
  char name[64], source[64];
  snprintf(source, sizeof source, "ref/%s.c", op->family);
  snprintf(name, sizeof name, "ref_%s", op->name);
  proof_line("reference", name, source);
  if (strspn(op->classes, "ER") != strlen(op->classes)) {
    snprintf(name, sizeof name, "bound_%s", op->name);
    proof_line("bound", name, source);
    theorem_line(op, "is a bound", "bounds", "proofs/bounds", width);
  }
  if (op->is_vjp)
    theorem_line(op, "calculus", "ops", "proofs/calculus", width);
  proof_count c = proofs_in("ref", op->family);
  if (c.goals)
    printf("  %-11sall of spec/%s.h and %s: %d of %d goals\n", "family", op->family, source,
           c.proven, c.goals);
  c = proofs_in("cuda", op->family);
  if (c.goals)
    printf("  %-11sall proven kernel text of cuda/%s/: %d of %d goals\n", "kernels", op->family,
           c.proven, c.goals);
}

static void declared(const dc_case *c, const pm_kernel *row, char *text, size_t room)
{
  const dc_op *op = c->op;
  pm_arith a = {0};
  int64_t size[DC_DIMS + DC_ATTRS];
  size_t n = 0;
  text[0] = 0;
  if (!row->declare) {
    snprintf(text, room, "declares nothing");
    return;
  }
  dc_kernel_size(c, size);
  row->declare(size, &a);
  for (int i = 0; i < 2 && op->glue->trees[i]; i++)
    n += (size_t)snprintf(text + n, room - n, "%s%.0f %s", n ? ", " : "summation height ",
                          a.height[i], op->glue->trees[i]);
  for (int o = 0; o < op->n_out && !op->glue->trees[0]; o++)
    if (!strchr("ER", op->classes[o]) && dc_height(&a, o) > 0)
      n += (size_t)snprintf(text + n, room - n, "%s%.0f for %s", n ? ", " : "summation height ",
                            dc_height(&a, o), op->tensor[op->n_in + o].name);
#define ULPS(name, undeclared)                                                              \
  if (a.k_##name > 0 && n < room)                                                           \
    n += (size_t)snprintf(text + n, room - n, "%s" #name " within %.3g ulp", n ? ", " : "", \
                          a.k_##name);
#include "../../spec/elementary.def"
  if (a.alpha > 0 && n < room)
    snprintf(text + n, room - n, "%sargument weight %.3g", n ? ", " : "", a.alpha);
}

/* Of a case that was asked for only what can run on it is told of; the others are named. */
static void kernels(const dc_case *c, bool asked, int width)
{
  char text[400], others[400] = "";
  dc_error err;
  const pm_backend *all[] = {&pm_sim, backends_cuda(&err)};
  for (int b = 0; b < 2; b++)
    for (int k = 0; all[b] && k < all[b]->n_kernels; k++) {
      const pm_kernel *row = &all[b]->kernels[k];
      size_t n = strlen(others);
      if (strcmp(row->op, c->op->name) != 0)
        continue;
      if (b == 1 && kernels_of(all[0], c->op->name) == kernels_of(all[1], c->op->name))
        continue;
      if (asked && !dc_suits(c, row->variant)) {
        snprintf(others + n, sizeof others - n, "%s%s", n ? ", " : "", row->variant);
        continue;
      }
      printf("  %-16s%s\n", row->variant, text_level(row->level));
      text_wrap(row->when && *row->when ? row->when : "any size", INDENT + 4, 0, width);
      declared(c, row, text, sizeof text);
      if (*text)
        text_wrap(text, INDENT + 4, 0, width);
    }
  if (*others) {
    int at = printf("  cannot run there: ");
    text_wrap(others, at, at, width);
  }
}

/* The sizes of the example: round ones, or some that the op draws. */
static void example_size(dc_case *c, const dc_fixed *f)
{
  const dc_op *op = c->op;
  dc_case drawn;
  dc_case_draw(&drawn, op, f, 1, 0, 0);
  for (int i = 1; op->glue->draw && i < 100 && dc_work(&drawn) < 100; i++)
    dc_case_draw(&drawn, op, f, 1, i, 0);
  for (int d = 0; d < op->n_dims; d++)
    c->size[d] = op->glue->draw    ? drawn.size[d]
                 : f->size[d] >= 0 ? f->size[d]
                 : op->n_dims == 1 ? 4096
                 : op->n_dims <= 3 ? 256
                                   : 32;
  for (int a = 0; a < op->n_attrs; a++)
    if (op->glue->draw)
      c->attr[a] = drawn.attr[a];
    else if (!isnan(f->attr[a]))
      c->attr[a] = f->attr[a];
}

static int explain(const explanation *x)
{
  const dc_op *op = dc_op_find(x->op_name);
  dc_error err = {""}, note = {""};
  char sizes[REPLAY_TEXT];
  dc_fixed f;
  dc_case c;
  if (!op)
    return unknown_op(x->op_name);
  dc_fixed_init(&f);
  dc_case_init(&c, op);
  if (sets_fix(&x->set, op, 0, &f, &note, &err))
    return cli_error("%s", err.text);
  sets_note(&note);
  dc_arith means;
  if (dc_arith_read("--arith", x->arith ? x->arith : "", JUDGED_FOREIGN, &means, &err))
    return cli_error("%s", err.text);
  example_size(&c, &f);
  if (dc_case_check(&c, (size_t)1 << 32, &err))
    return cli_error("%s", err.text);

  printf("%s", op->name);
  if (op->is_vjp)
    printf(": the vector-Jacobian product of %s", op->forward);
  puts("");
  text_wrap(op->meaning, INDENT, 0, x->width);
  heading("Tensors");
  tensors(op, x->width);
  if (x->arith) {
    heading("Arithmetic");
    arith_show(&c, &means, x->arith, x->width);
  }
  heading("Right means");
  bounds(op, x->width);
  int status = example(&c, x->arith ? &means : NULL, x->width);
  heading("Drawn by run");
  explain_drawn(op, INDENT, x->width);
  heading("Proven");
  proofs(op, x->width);
  heading("Kernels, in order of preference");
  if (x->set.n)
    printf("  at %s:\n", replay_size(op, c.size, c.attr, sizes));
  kernels(&c, x->set.n > 0, x->width);
  heading("Measured on a GPU");
  measured(op, x->width);
  return status;
}

enum { KEY_ARITH = 256 };

static error_t parse_explain(int key, char *arg, struct argp_state *state)
{
  explanation *x = state->input;
  switch (key) {
  case 's':
    sets_add(&x->set, arg);
    return 0;
  case KEY_ARITH:
    x->arith = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (x->op_name)
      cli_refuse("'%s': explain takes one op", arg);
    x->op_name = arg;
    return 0;
  case ARGP_KEY_NO_ARGS:
    cli_refuse("OP is missing: explain OP");
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option EXPLAIN_OPTIONS[] = {
    {"set", 's', "KEY=VALUE,...", 0,
     "sizes and attributes of the example, and only the kernels that can run there; another --set "
     "adds to it",
     0},
    {"arith", KEY_ARITH, ARITH_ARG, 0,
     "an arithmetic as judge takes it: what it allows, in numbers, and how wide the example's "
     "bound is then",
     0},
    {NULL, 0, NULL, 0, NULL, 0}};
const struct argp explain_argp = {
    EXPLAIN_OPTIONS,
    parse_explain,
    "OP",
    "Says what OP means, which results count as right, what is proven of it, and which kernels "
    "compute it.\v"
    "Examples:\n  diffcheck explain softmax\n  diffcheck explain matmul --set m=1,k=4096,n=4096\n"
    "  diffcheck explain layer_norm --arith triton,height=pairwise",
    NULL,
    NULL,
    NULL};

int command_explain(int argc, char **argv)
{
  explanation x = {.width = progress_width(1)};
  options_parse(&explain_argp, argc, argv, &x);
  if (x.width > 100)
    x.width = 100;
  return explain(&x);
}
