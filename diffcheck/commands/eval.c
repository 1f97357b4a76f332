/* diffcheck eval: an op on the user's tensors, by the reference or a back end. */
#include <argp.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arith.h"
#include "backends.h"
#include "cli.h"
#include "../engine/engine.h"
#include "../files/inputs.h"
#include "../files/npy.h"
#include "options.h"
#include "../files/output.h"
#include "../files/tensor_file.h"
#include "../files/text.h"

enum { KEY_BACKEND = 256, KEY_SET, KEY_DTYPE, KEY_BOUND, KEY_ARITH, KEY_MAX_BYTES };
#define WIDE 1024 /* roundings: more of them may cost an f32 ten of its bits */
#define SHOWN 8   /* elements printed where no file is written */

static const struct argp_option OPTIONS[] = {
    {"backend", KEY_BACKEND, "NAME", 0,
     "ref: the proven reference, in float64 (default); sim, cuda: the kernel", 0},
    {"output", 'o', "FILE", 0,
     "write the output there, as .npy: once for each output, or once for all of them, each with "
     "its name put before .npy; - is standard output, of an op with one output; without -o a few "
     "values are printed",
     0},
    {"set", KEY_SET, "KEY=VALUE,...", 0,
     "attributes (ta=1,alpha=0.5), sizes, and the variant of --backend sim or cuda; another --set "
     "adds to it",
     0},
    {"dtype", KEY_DTYPE, "TYPE", 0, "f8 or f4: type that ref writes (default f8)", 0},
    {"bound", KEY_BOUND, "FILE", 0,
     "write there, named as for -o, how far from the reference a kernel of the arithmetic of "
     "--arith "
     "may be, element by element: 0 where bits must be equal (-o then has the float32 that "
     "is right), infinite where nothing can be said",
     0},
    {"arith", KEY_ARITH, ARITH_ARG, 0, ARITH_HELP, 0},
    {"max-bytes", KEY_MAX_BYTES, "N", 0, "largest memory taken (K, M, G; default 4G)", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static const char DOC[] =
    "Computes OP on tensors from files, one FILE for each input in its order (`diffcheck explain "
    "OP` "
    "shows it). Gradients are ops too: softmax_vjp takes y and the cotangent g. A FILE is .npy, "
    ".npz "
    "or safetensors; FILE:NAME is one tensor of the latter two, and one such file as the only FILE "
    "is "
    "every input, each under its name. Values are float32, float16, bfloat16, or float64, which is "
    "rounded to float32 first, as a kernel reads it; indices are integers. An op on rows takes "
    "tensors "
    "of any rank, and is over their last axis.\v"
    "Examples:\n"
    "  diffcheck eval softmax x.npy -o y.npy\n"
    "  diffcheck eval softmax case.npz:logits -o y.npy\n"
    "  diffcheck eval softmax_vjp --backend sim y.npy g.npy -o dx.npy\n"
    "  diffcheck eval matmul_vjp --set tb=1 a.npy b.npy g.npy -o da.npy -o db.npy\n"
    "  diffcheck eval matmul_vjp a.npy b.npy g.npy -o d.npy    (d.da.npy, d.db.npy)\n"
    "  diffcheck eval broadcast_to x.npy --set shape=8:3:4 -o y.npy\n"
    "  diffcheck eval layer_norm x.npy gamma.npy beta.npy --set eps=1e-5\n"
    "  diffcheck eval softmax x.npy -o - | sha256sum\n"
    "  diffcheck eval softmax x.npy -o y.npy --bound e.npy --arith triton,height=pairwise\n"
    "\n"
    "Exit status: 0 done, 2 wrong use or a fault, 130 Ctrl-C; then no output file is touched.";

typedef struct evaluation {
  const char *op_name, *backend, *bound, *arith_text;
  dc_arith arith;
  sets set;
  const char *output[DC_TENSORS];
  char *file[DC_TENSORS];
  char name[2][DC_OUTPUTS][PATH_MAX]; /* of each output, and of its bound; "": none */
  int n_output, n_file;
  npy_type type;
  bool typed;
  int64_t max_bytes;
  const dc_op *op;
  inputs in;
  dc_case c;
  double *v[DC_TENSORS], *e[DC_TENSORS]; /* of each output */
  float *f[DC_TENSORS];
} evaluation;

static error_t parse(int key, char *arg, struct argp_state *state)
{
  evaluation *x = state->input;
  switch (key) {
  case KEY_BACKEND:
    x->backend = arg;
    return 0;
  case KEY_SET:
    sets_add(&x->set, arg);
    return 0;
  case KEY_BOUND:
    x->bound = arg;
    return 0;
  case KEY_ARITH:
    x->arith_text = arg;
    return 0;
  case KEY_DTYPE:
    if (strcmp(arg, "f4") != 0 && strcmp(arg, "f8") != 0)
      cli_refuse("--dtype '%s': must be f4 or f8", arg);
    x->typed = true;
    x->type = arg[1] == '4' ? NPY_F4 : NPY_F8;
    return 0;
  case KEY_MAX_BYTES:
    if (!cli_int("--max-bytes", arg, 1, INT64_MAX, &x->max_bytes))
      exit(EXIT_ERROR);
    return 0;
  case 'o':
    if (x->n_output == DC_TENSORS)
      cli_refuse("-o '%s': no op has so many outputs", arg);
    x->output[x->n_output++] = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (!x->op_name) {
      x->op_name = arg;
      return 0;
    }
    if (x->n_file == DC_TENSORS)
      cli_refuse("'%s': no op has so many inputs", arg);
    x->file[x->n_file++] = arg;
    return 0;
  case ARGP_KEY_END:
    if (!x->op_name)
      cli_refuse("OP is missing: eval OP FILE...");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* ---- the files that are written ---- */

/* "d.npy" for output db of several: "d.db.npy". */
static bool output_name(const evaluation *x, const char *base, int o, char text[PATH_MAX])
{
  size_t n = strlen(base);
  if (n > 4 && strcmp(base + n - 4, ".npy") == 0)
    n -= 4;
  if (x->op->n_out == 1)
    return snprintf(text, PATH_MAX, "%s", base) < PATH_MAX;
  return snprintf(text, PATH_MAX, "%.*s.%s.npy", (int)n, base,
                  x->op->tensor[x->op->n_in + o].name) < PATH_MAX;
}

/* What `-` as a file cannot be: mixed with text or another tensor, or at a terminal. */
static int check_stdout(const evaluation *x)
{
  bool bound = x->bound && output_is_stdout(x->bound), any = bound;
  const char *option = bound ? "--bound" : "-o";
  for (int o = 0; o < x->n_output; o++)
    any |= output_is_stdout(x->output[o]);
  if (!any)
    return EXIT_PASS;
  if (x->op->n_out > 1)
    return cli_error("%s '-': %s has %d outputs, and standard output takes one tensor: give -o and "
                     "--bound files",
                     option, x->op->name, x->op->n_out);
  if (bound && x->n_output == 0)
    return cli_error("--bound '-': the values are printed there: give -o FILE too");
  if (bound && output_is_stdout(x->output[0]))
    return cli_error("--bound '-': standard output takes one tensor, and -o has it");
  if (isatty(STDOUT_FILENO))
    return cli_error("%s '-': standard output is a terminal, and .npy is no text", option);
  return EXIT_PASS;
}

/* Names every file, and refuses what cannot be written, stands there twice, or is an input. */
static int name_outputs(evaluation *x)
{
  char why[OUTPUT_MESSAGE], path[TENSOR_FILE_PATH];
  const char *option[2] = {"-o", "--bound"};
  if (check_stdout(x))
    return EXIT_ERROR;
  for (int o = 0; o < x->op->n_out; o++)
    for (int b = 0; b < 2; b++) {
      const char *base = b ? x->bound : x->n_output ? x->output[x->n_output > 1 ? o : 0] : NULL;
      char *name = x->name[b][o];
      if (!base)
        continue;
      if (!b && x->n_output > 1 ? snprintf(name, PATH_MAX, "%s", base) >= PATH_MAX
                                : !output_name(x, base, o, name))
        return cli_error("%s '%s': the name is too long", option[b], base);
      if (!output_check(name, why))
        return cli_error("%s %s", option[b], why);
      for (int k = 0; k <= o; k++)
        for (int c = 0; c < (k < o ? 2 : b); c++)
          if (x->name[c][k][0] && output_same(name, x->name[c][k]))
            return cli_error("%s '%s': is the file of %s%s too: each output needs its own",
                             option[b], name, c ? "the bound of " : "",
                             x->op->tensor[x->op->n_in + k].name);
      for (int t = 0; t < x->n_file; t++)
        if (output_same(name, tensor_file_path(x->file[t], path)))
          return cli_error("%s '%s': is input '%s': an input is not written over", option[b], name,
                           x->file[t]);
    }
  return EXIT_PASS;
}

/* Everything that can be wrong before any work. */
static int prepare(evaluation *x)
{
  dc_error err = {""}, note = {""};
  dc_fixed f;
  bool ref = strcmp(x->backend, "ref") == 0;
  const dc_op *op = x->op = dc_op_find(x->op_name);
  if (!op)
    return unknown_op(x->op_name);
  if (!ref && strcmp(x->backend, "sim") != 0 && strcmp(x->backend, "cuda") != 0)
    return cli_choice("--backend", x->backend, "ref, sim or cuda");
  if (x->typed && !ref)
    return cli_error("--dtype %s: is what ref writes: --backend %s writes float32",
                     x->type == NPY_F4 ? "f4" : "f8", x->backend);
  if (x->arith_text && !x->bound)
    return cli_error("--arith '%s': says how wide a bound is: give --bound FILE too",
                     x->arith_text);
  if (dc_arith_read("--arith", x->arith_text ? x->arith_text : "", JUDGED_FOREIGN, &x->arith, &err))
    return cli_error("%s", err.text);
  if (x->n_output > 1 && x->n_output != op->n_out)
    return cli_error("-o '%s': %s has %d output%s, and -o was given %d times",
                     x->output[x->n_output - 1], op->name, op->n_out, op->n_out == 1 ? "" : "s",
                     x->n_output);
  if (files_given("eval", x->file, x->n_file))
    return EXIT_ERROR;
  dc_fixed_init(&f);
  if (sets_fix(&x->set, op, SETS_VIEW | (ref ? 0 : SETS_VARIANT), &f, &note, &err))
    return cli_error("%s", err.text);
  sets_note(&note);
  if (name_outputs(x))
    return EXIT_ERROR;
  return files_case(op, x->file, x->n_file, false, x->max_bytes, &f, &x->in, &x->c);
}

static void *room(int64_t count, size_t size)
{
  return calloc(count > 0 ? (size_t)count : 1, size);
}

static void note_wide(const evaluation *x, const pm_arith *declared)
{
  double h = fmax(declared->height[0], declared->height[1]);
  if (x->bound && h > WIDE && !(x->arith.given & 3))
    cli_note("--bound: sums in any order, of up to %.0f roundings, have a wide bound: --arith "
             "height=pairwise, blocks:N or a number narrows it to what the kernel does",
             h);
}

/* The reference's values, and the bounds where they are asked for: so that one rule over files, |got - want|
 * <= bound or both the same or both NaN, says of every element what judge would. */
static int by_reference(evaluation *x)
{
  const dc_op *op = x->op;
  dc_error err = {""};
  dc_problem p;
  pm_arith declared;
  dc_status status = dc_problem_make(&p, &x->c, &err);
  dc_undeclared(op, x->c.size, x->c.attr, &declared);
  dc_arith_at(&x->arith, op, x->c.size, x->c.attr, &declared);
  note_wide(x, &declared);
  if (!status)
    status = dc_allow(&p, &declared, x->v, x->bound ? x->e : NULL, &err);
  for (int o = 0; o < op->n_out && !status && x->bound && x->type == NPY_F4; o++)
    for (int64_t i = 0; i < p.count[op->n_in + o]; i++) {
      double v = x->v[o][i], *e = &x->e[o][i];
      if (isfinite(*e)) /* want is rounded once more as it is written */
        *e += fabs((double)(float)v - v);
    }
  dc_problem_free(&p);
  return status ? cli_error("%s", err.text[0] ? err.text : "no memory") : EXIT_PASS;
}

static int compute(evaluation *x)
{
  const dc_op *op = x->op;
  bool ref = strcmp(x->backend, "ref") == 0;
  dc_error err = {""};
  backends found = {.n = 0};
  for (int o = 0; o < op->n_out; o++) {
    int64_t n = dc_count(op, op->n_in + o, x->c.size, x->c.attr);
    x->v[o] = room(n, sizeof(double));
    x->e[o] = room(n, sizeof(double));
    x->f[o] = room(n, sizeof(float));
    if (!x->v[o] || !x->e[o] || !x->f[o])
      return cli_error("no memory for output %d", o);
  }
  if (!ref && backends_open(x->backend, &found, &err))
    return cli_error("%s", err.text);
  if (x->c.variant[0] && known_variant("--set: variant", x->c.variant, op, &found))
    return EXIT_ERROR;
  if ((ref || x->bound) && by_reference(x))
    return EXIT_ERROR;
  if (!ref && dc_eval(&x->c, found.list[0], NULL, x->f, &err))
    return cli_error("%s", err.text[0] ? err.text : "no memory");
  for (int o = 0; ref && o < op->n_out; o++) {
    int64_t n = dc_count(op, op->n_in + o, x->c.size, x->c.attr);
    for (int64_t i = 0; i < n; i++)
      x->f[o][i] = (float)x->v[o][i];
  }
  return EXIT_PASS;
}

/* As the inputs are shaped. */
static int output_shape(const evaluation *x, int o, int64_t shape[NPY_RANK])
{
  return inputs_shape(x->op, &x->in, x->op->n_in + o, x->c.size, x->c.attr, shape);
}

/* Into the file of output o, or of its bound. */
static int save(const evaluation *x, int bound, int o, npy_type type, const void *data)
{
  char why[OUTPUT_MESSAGE];
  int64_t shape[NPY_RANK];
  int rank = output_shape(x, o, shape);
  FILE *f = output_open(x->name[bound][o], why);
  if (!f)
    return cli_error("%s %s", bound ? "--bound" : "-o", why);
  npy_put(f, type, rank, shape, data); /* output_commit sees whether it was written */
  return EXIT_PASS;
}

static void tell(const evaluation *x, int bound, int o, npy_type type)
{
  char text[NPY_SHAPE_TEXT];
  int64_t shape[NPY_RANK];
  int rank = output_shape(x, o, shape);
  if (output_is_stdout(x->name[bound][o]))
    return;
  fprintf(stderr, "%s%s %s %s -> ", bound ? "bound of " : "", x->op->tensor[x->op->n_in + o].name,
          npy_shape(text, rank, shape), npy_name(type));
  text_visible(stderr, x->name[bound][o]);
  fputc('\n', stderr);
}

static void show(const evaluation *x, int o, bool wide)
{
  char text[NPY_SHAPE_TEXT];
  int64_t shape[NPY_RANK], n = dc_count(x->op, x->op->n_in + o, x->c.size, x->c.attr);
  int rank = output_shape(x, o, shape);
  printf("%s %s =", x->op->tensor[x->op->n_in + o].name, npy_shape(text, rank, shape));
  for (int64_t i = 0; i < n && i < SHOWN; i++)
    printf(wide ? " %.17g" : " %.9g", wide ? x->v[o][i] : (double)x->f[o][i]);
  puts(n > SHOWN ? " ..." : "");
}

static int deliver(const evaluation *x)
{
  bool wide = strcmp(x->backend, "ref") == 0 && x->type == NPY_F8;
  npy_type type = wide ? NPY_F8 : NPY_F4;
  char why[OUTPUT_MESSAGE];
  int status = EXIT_PASS;
  signal(SIGPIPE, SIG_IGN); /* a reader of -o - that leaves is an error like any other */
  for (int o = 0; o < x->op->n_out && !status; o++) {
    if (x->name[0][o][0])
      status = save(x, 0, o, type, wide ? (void *)x->v[o] : (void *)x->f[o]);
    if (x->name[1][o][0] && !status)
      status = save(x, 1, o, NPY_F8, x->e[o]);
  }
  if (status) {
    output_drop();
    return status;
  }
  if (!output_commit(why))
    return cli_error("%s", why);
  for (int o = 0; o < x->op->n_out; o++) {
    if (x->name[0][o][0])
      tell(x, 0, o, type);
    else
      show(x, o, wide);
    if (x->name[1][o][0])
      tell(x, 1, o, NPY_F8);
  }
  return EXIT_PASS;
}

const struct argp eval_argp = {OPTIONS, parse, "OP FILE...", DOC, NULL, NULL, NULL};

int command_eval(int argc, char **argv)
{
  static evaluation x = {.backend = "ref", .type = NPY_F8, .max_bytes = (int64_t)4 << 30};
  options_parse(&eval_argp, argc, argv, &x);
  int status = prepare(&x);
  if (!status)
    status = compute(&x);
  if (!status)
    status = deliver(&x);
  inputs_free(&x.in);
  for (int o = 0; o < DC_TENSORS; o++) {
    free(x.v[o]);
    free(x.e[o]);
    free(x.f[o]);
  }
  return status;
}
