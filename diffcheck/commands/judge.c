/* diffcheck judge: someone's outputs, from files, judged as run judges a kernel's. */
#include <argp.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "../engine/engine.h"
#include "../files/inputs.h"
#include "options.h"
#include "../report/report.h"
#include "arith.h"

enum { KEY_GOT = 256, KEY_SET, KEY_ARITH, KEY_FORMAT, KEY_MAX_BYTES };

static const struct argp_option OPTIONS[] = {
    {"got", KEY_GOT, "FILE", 0,
     "the kernel's output: once for each output, in its order; or one .npz or safetensors file "
     "that "
     "has them all under their names",
     0},
    {"set", KEY_SET, "KEY=VALUE,...", 0,
     "attributes (eps=0.001) and sizes that no input determines", 0},
    {"arith", KEY_ARITH, ARITH_ARG, 0, ARITH_HELP, 0},
    {"format", KEY_FORMAT, "FORMAT", 0, REPORT_FORMATS " (default: text)", 0},
    {"max-bytes", KEY_MAX_BYTES, "N", 0, "largest memory taken (K, M, G; default 4G)", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static const char DOC[] =
    "Judges outputs that a kernel of OP has written to files, on the INPUTs from which it computed "
    "them: each element must lie within an error bound around the proven reference; where the op "
    "is "
    "exact or correctly rounded, the bits must be right.\n"
    "\n"
    "A FILE is .npy, .npz or safetensors, whatever it is called; FILE:NAME is one tensor of the "
    "latter two, and one such file as the only FILE is every input, each under its name "
    "(`diffcheck "
    "explain OP` has the names). Inputs are float32, float16, bfloat16, or float64 that hold "
    "float32 numbers; indices are integers, a mask may be bool or integers. Outputs are judged at "
    "their value, float64 too. An op on rows takes tensors of any rank, and is over their last "
    "axis.\v"
    "Examples:\n"
    "  diffcheck judge softmax x.npy --got y.npy\n"
    "  diffcheck judge softmax x.npy --got y.npy --arith height=12,exp=2\n"
    "  diffcheck judge softmax x.npy --got y.npy --arith triton,height=pairwise\n"
    "  diffcheck judge matmul_vjp --set tb=1 a.npy b.npy g.npy --got da.npy --got db.npy\n"
    "  diffcheck judge layer_norm case.npz --got out.npz\n"
    "  diffcheck judge add_bias acts.npz:h3 model.safetensors:h.3.bias --got y.npy\n"
    "\n"
    "It ends with what the check could not see on this data: wrong answers that would have "
    "passed.\n"
    "\n"
    "Exit status: 0 passed, 1 failed, or the bound is too wide to tell, 2 wrong use, or nothing to "
    "judge.";

typedef struct judgement {
  const char *op_name, *arith, *format;
  sets set;
  char *file[DC_TENSORS], *got_file[DC_OUTPUTS + 1]; /* a NULL last */
  int n_file, n_got;
  int64_t max_bytes;
  const dc_op *op;
  inputs in;
  dc_case c;
  got got[DC_OUTPUTS];
  judged j;
} judgement;

static error_t parse(int key, char *arg, struct argp_state *state)
{
  judgement *x = state->input;
  switch (key) {
  case KEY_SET:
    sets_add(&x->set, arg);
    return 0;
  case KEY_ARITH:
    x->arith = arg;
    return 0;
  case KEY_FORMAT:
    if (!report_find(arg))
      exit(cli_choice("--format", arg, REPORT_FORMATS));
    x->format = arg;
    return 0;
  case KEY_MAX_BYTES:
    if (!cli_int("--max-bytes", arg, 1, INT64_MAX, &x->max_bytes))
      exit(EXIT_ERROR);
    return 0;
  case KEY_GOT:
    if (x->n_got == DC_OUTPUTS)
      cli_refuse("--got '%s': no op has so many outputs", arg);
    x->got_file[x->n_got++] = arg;
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
      cli_refuse("OP is missing: judge OP FILE... --got FILE...");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Op, inputs, attributes, arithmetic: all that can be wrong before any work. */
static int prepare(judgement *x)
{
  dc_error err = {""}, note = {""};
  dc_fixed f;
  const dc_op *op = x->op = dc_op_find(x->op_name);
  if (!op)
    return unknown_op(x->op_name);
  if (x->n_got > op->n_out || x->n_got == 0)
    return cli_error("--got: %s has %d output%s, and --got was given %d time%s", op->name,
                     op->n_out, op->n_out == 1 ? "" : "s", x->n_got, x->n_got == 1 ? "" : "s");
  if (files_given("judge", x->file, x->n_file))
    return EXIT_ERROR;
  dc_fixed_init(&f);
  if (sets_fix(&x->set, op, SETS_VIEW, &f, &note, &err))
    return cli_error("%s", err.text);
  sets_note(&note);
  if (files_case(op, x->file, x->n_file, true, x->max_bytes, &f, &x->in, &x->c))
    return EXIT_ERROR;
  if (judged_arith(&x->j, "--arith", x->arith, &x->c, &err))
    return cli_error("%s", err.text);
  x->j.in = &x->in;
  x->j.got = x->got;
  return EXIT_PASS;
}

/* The verdict, then what else would have had it, or why it may be as it is. */
static int judge(judgement *x)
{
  dc_error err = {""};
  dc_problem p;
  dc_status status = dc_problem_make(&p, &x->c, &err);
  const char *keys = judged_format(&x->j);
  if (keys)
    cli_note("%s: judged by --arith %s, as its numbers are", x->got_file[0], keys);
  if (!status)
    status = judged_make(&x->j, &p, 1, &err);
  dc_problem_free(&p);
  return status ? cli_error("%s", err.text[0] ? err.text : "no memory") : EXIT_PASS;
}

/* What is said, each line after `before`. */
static int lines(const judgement *x, const char *before, bool xml)
{
  char *text = NULL, *rest = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (f)
    judged_tell(&x->j, f);
  if (!f || fclose(f) != 0)
    return cli_error("no memory for the report");
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    fputs(before, stdout);
    if (xml)
      report_xml(stdout, line);
    else
      fputs(line, stdout);
    putchar('\n');
  }
  free(text);
  return EXIT_PASS;
}

static json_t *json_number(double v) { return isfinite(v) ? json_real(v) : json_null(); }

static int jsonl_report(const judgement *x)
{
  json_t *outputs = json_array();
  for (int o = 0; o < x->op->n_out; o++) {
    const dc_verdict *v = &x->j.verdict[o];
    json_t *blind = json_object();
    for (int k = 0; k < JUDGED_WRONGS; k++)
      json_object_set_new(blind, judged_wrong(k), json_integer(x->j.blind[o][k]));
    json_array_append_new(
        outputs, json_pack("{s:s, s:I, s:I, s:I, s:o}", "name", dc_out(x->op, o)->name, "elements",
                           (json_int_t)v->elements, "failed", (json_int_t)v->failed, "vacuous",
                           (json_int_t)v->vacuous, "would_pass", blind));
  }
  const dc_worst *w = &x->j.all.worst;
  json_t *worst = w->output < 0
                      ? json_null()
                      : json_pack("{s:s, s:I, s:o, s:o, s:o, s:o}", "output",
                                  dc_out(x->op, w->output)->name, "index", (json_int_t)w->index,
                                  "got", json_number(w->got), "want", json_number(w->want), "error",
                                  json_number(w->err), "bound", json_number(w->bound));
  json_t *line = json_pack("{s:s, s:s, s:s, s:o, s:o, s:s}", "event", "judge", "op", x->op->name,
                           "verdict", report_verdict(x->j.outcome), "outputs", outputs, "worst",
                           worst, "right_for", x->j.habit);
  char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
  json_decref(line);
  if (!text)
    return cli_error("no memory for the report");
  puts(text);
  free(text);
  return EXIT_PASS;
}

static int deliver(const judgement *x)
{
  int status = EXIT_PASS;
  if (x->j.all.elements == 0)
    return cli_error("%s: no element to judge: every output is empty", x->op->name);
  if (strcmp(x->format, "jsonl") == 0)
    status = jsonl_report(x);
  else if (strcmp(x->format, "sarif") == 0)
    status = judged_sarif(&x->j, (const char *const *)x->got_file, stdout)
                 ? cli_error("no memory for the report")
                 : EXIT_PASS;
  else if (strcmp(x->format, "html") == 0)
    status = judged_html(&x->j, (const char *const *)x->got_file, stdout)
                 ? cli_error("no memory for the report")
                 : EXIT_PASS;
  else if (strcmp(x->format, "tap") == 0) {
    printf("TAP version 14\n1..1\n%s 1 - %s\n", x->j.outcome == DC_PASS ? "ok" : "not ok",
           x->op->name);
    status = lines(x, "# ", false);
  } else if (strcmp(x->format, "junit") == 0) {
    printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"diffcheck judge\" "
           "tests=\"1\" "
           "failures=\"%d\">\n<testcase name=\"%s\">\n",
           x->j.outcome != DC_PASS, x->op->name);
    if (x->j.outcome != DC_PASS) {
      printf("<failure type=\"%s\" message=\"", report_verdict(x->j.outcome));
      report_xml(stdout, x->j.why[0] ? x->j.why : x->j.worst);
      fputs("\"/>\n", stdout);
    }
    fputs("<system-out>\n", stdout);
    status = lines(x, "", true);
    puts("</system-out>\n</testcase>\n</testsuite>");
  } else {
    printf("%s: %s\n", x->op->name, report_verdict(x->j.outcome));
    status = lines(x, "  ", false);
  }
  return status ? status : x->j.outcome == DC_PASS ? EXIT_PASS : EXIT_FAIL;
}

const struct argp judge_argp = {OPTIONS, parse, "OP FILE... --got FILE...", DOC, NULL, NULL, NULL};

int command_judge(int argc, char **argv)
{
  char why[FILE_MESSAGE];
  judgement x = {.format = "text", .max_bytes = (int64_t)4 << 30};
  options_parse(&judge_argp, argc, argv, &x);
  int status = prepare(&x);
  if (!status && got_read(&x.c, &x.in, x.got_file, x.n_got, x.max_bytes, x.got, why))
    status = cli_error("--got: %s", why);
  if (!status)
    status = judge(&x);
  if (!status)
    status = deliver(&x);
  inputs_free(&x.in);
  got_free(x.got);
  return status;
}
