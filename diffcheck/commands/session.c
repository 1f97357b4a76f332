#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../engine/engine.h"
#include "../engine/rows.h"
#include "../engine/types.h"
#include "arith.h"
#include "cli.h"
#include "interrupt.h"
#include "../files/output.h"
#include "../files/replay.h"
#include "../files/tensor_file.h"
#include "../files/text.h"
#include "../foreign/script.h"

enum {
  KEY_FORMAT = 256,
  KEY_MAX_BYTES,
  KEY_INPUT,
  KEY_BACKEND,
  KEY_VARIANT,
  KEY_SHRINK,
  KEY_TIMEOUT,
  KEY_IN_PROCESS,
  KEY_ARITH
};

static const struct argp_option OPTIONS[] = {
    {"backend", KEY_BACKEND, "NAME", 0,
     "sim, cuda or all (default: sim, and cuda where there is a GPU)", 0},
    {"variant", KEY_VARIANT, "NAME", 0,
     "only this variant of the kernel (see explain OP), with cases that suit it", 0},
    {"input", KEY_INPUT, "FILE", 0,
     "your own tensor in place of a drawn one: .npy, .npz or safetensors, of which FILE:NAME is "
     "one "
     "tensor; once for each input of the op, in its order, - for one to be drawn; or one file that "
     "has them all under their names",
     0},
    {"max-bytes", KEY_MAX_BYTES, "N", 0,
     "largest memory of a case, on host and device together (K, M, G; default 4G)", 0},
    {"arith", KEY_ARITH, ARITH_ARG, 0,
     "the arithmetic to judge by, in place of what each kernel declares: as judge takes it; keys "
     "alone "
     "change that one thing",
     0},
    {"shrink", KEY_SHRINK, "N", 0, "steps spent on making a failing case small (default 300)", 0},
    {"timeout", KEY_TIMEOUT, "SECONDS", 0,
     "what a launch may take before its kernel has failed (default 30; more for large cases)", 0},
    {"in-process", KEY_IN_PROCESS, NULL, 0,
     "run the kernels in this process, for a debugger: one that dies ends it", 0},
    {"format", KEY_FORMAT, "FORMAT", 0, REPORT_FORMATS " (default: text)", 0},
    {"output", 'o', "FILE", 0, "write the report there", 0},
    {"quiet", 'q', NULL, 0, "no progress on standard error", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  session *s = state->input;
  dc_error err = {""};
  int64_t n;
  char *end;
  switch (key) {
  case KEY_BACKEND:
    s->backend = arg;
    return 0;
  case KEY_VARIANT:
    s->variant = arg;
    return 0;
  case KEY_INPUT:
    if (s->n_input == DC_TENSORS)
      cli_refuse("--input '%s': no op has so many inputs", arg);
    s->input[s->n_input++] = arg;
    return 0;
  case KEY_MAX_BYTES:
    if (!cli_int("--max-bytes", arg, 1, INT64_MAX, &n))
      exit(EXIT_ERROR);
    s->options.limit_bytes = (size_t)n;
    return 0;
  case KEY_SHRINK:
    if (!cli_int("--shrink", arg, 0, 1000000, &n))
      exit(EXIT_ERROR);
    s->options.shrink_tries = (int)n;
    return 0;
  case KEY_TIMEOUT:
    s->timeout = strtod(arg, &end);
    if (end == arg || *end || !(s->timeout > 0 && s->timeout < 1e9))
      cli_refuse("--timeout: '%s': must be a positive number of seconds", arg);
    return 0;
  case KEY_IN_PROCESS:
    s->in_process = true;
    return 0;
  case KEY_ARITH:
    if (dc_arith_read("--arith", arg, "ieee", &s->arith, &err))
      cli_refuse("%s", err.text);
    s->options.arith = &s->arith;
    s->arith_text = arg;
    return 0;
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &s->kernels;
    return 0;
  case KEY_FORMAT:
    s->format = arg;
    return 0;
  case 'o':
    s->output = arg;
    return 0;
  case 'q':
    s->quiet = true;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_child CHILDREN[] = {{&kernels_argp, 0, NULL, 0}, {NULL, 0, NULL, 0}};
const struct argp session_argp = {OPTIONS, parse, NULL, NULL, CHILDREN, NULL, NULL};

void session_init(session *s)
{
  memset(s, 0, sizeof *s);
  s->format = "text";
  dc_options_init(&s->options);
}

/* The command as typed, each word quoted where a shell needs it. */
static char *quoted(int n, char *const *word, const char *before)
{
  char *text = NULL, *one;
  size_t size = 0, room;
  FILE *f = open_memstream(&text, &size);
  for (int i = 0; f && i < n; i++) {
    room = 4 * strlen(word[i]) + 8;
    one = malloc(room);
    if (one && report_quote(word[i], one, room))
      fprintf(f, "%s%s%s", i || *before ? " " : "", before, one);
    free(one);
  }
  if (!f || fclose(f) != 0)
    return NULL;
  return text;
}

static const report_format *format_of(const session *s) { return report_find(s->format); }

/* What --set and --variant fix of op number i, and what its kernel's description does, where it is one
 * that is not ours. */
static dc_status fix(const session *s, int i, dc_fixed *f, dc_error *err)
{
  const dc_op *op = s->op[i];
  const foreign *mine = s->kernels.n ? s->kernels.list[i].f : NULL;
  dc_error note = {""};
  dc_status status = DC_OK;
  dc_fixed_init(f);
  if (s->variant)
    snprintf(f->variant, sizeof f->variant, "%s", s->variant);
  if (mine) {
    const description *d = foreign_description(mine);
    snprintf(f->variant, sizeof f->variant, "%s", d->kernel);
    if (d->set[0])
      status = replay_fix("set", d->set, op, f, &note, err);
  }
  if (!status)
    status = sets_fix(&s->set, op, SETS_DRAW | SETS_VARIANT | (s->n_input ? SETS_VIEW : 0), f,
                      &note, err);
  if (!status)
    status = dc_types_take(op, mine ? foreign_kernel(mine) : NULL, f->type, err);
  if (!status)
    status = dc_gaps_take(op, mine ? foreign_kernel(mine) : NULL, f->strided, f->gap, err);
  if (!status && mine)
    f->strided = foreign_kernel(mine)->strided;
  if (!status && mine && f->accumulate < 0)
    f->accumulate = foreign_kernel(mine)->accumulate;
  if (!status)
    sets_note(&note);
  return status;
}

static int open_inputs(session *s)
{
  char message[FILE_MESSAGE];
  dc_error err = {""};
  if (s->n_input == 0)
    return EXIT_PASS;
  if (s->n_ops != 1)
    return cli_error("--input '%s': %d ops are to be checked: name the one op it is for",
                     s->input[0], s->n_ops);
  if (!s->sizes_fixed && fix(s, 0, &s->options.fixed, &err))
    return cli_error("%s", err.text);
  int64_t limit = s->options.limit_bytes ? (int64_t)s->options.limit_bytes : INT64_MAX;
  if (inputs_read(s->op[0], (char *const *)s->input, s->n_input, 0, limit, &s->options.fixed,
                  &s->in, message))
    return cli_error("--input %s", message);
  note_rounded(&s->in, s->op[0], (char *const *)s->input, s->n_input);
  return EXIT_PASS;
}

/* What a replay needs beside its line. */
static char *again(const session *s)
{
  char *files = quoted(s->n_input, (char *const *)s->input, "--input ");
  char *described = s->kernels.n ? kernels_typed(&s->kernels) : strdup("");
  char words[4 * 256] = "", *text;
  if (s->arith_text && !report_quote(s->arith_text, words, sizeof words))
    words[0] = 0;
  if (!files || !described ||
      asprintf(&text, "%s%s%s%s", files, described, *words ? " --arith " : "", words) < 0)
    text = NULL;
  free(files);
  free(described);
  return text;
}

/* What runs have in common that draw the same cases and judge them alike. */
static char *plan(const session *s)
{
  const dc_options *o = &s->options;
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (!f)
    return NULL;
  fprintf(f, "large=%d huge=%d max-bytes=%zu shrink=%d seconds=%g max-failures=%d timeout=%g",
          o->large, s->huge, o->limit_bytes, o->shrink_tries, o->seconds, o->max_failures,
          s->timeout);
  for (int i = 0; i < s->set.n; i++)
    fprintf(f, " --set %s", s->set.text[i]);
  fprintf(f, "%s%s%s", s->variant ? " --variant " : "", s->variant ? s->variant : "",
          s->inputs_text ? s->inputs_text : "");
  if (fclose(f) != 0)
    return NULL;
  return text;
}

static void open_report(session *s, int argc, char **argv)
{
  time_t now = time(NULL);
  struct tm utc;
  char *arguments = quoted(argc - 1, argv + 1, "");
  if (asprintf(&s->command, "%s %s", argv[0], arguments ? arguments : "") < 0)
    s->command = NULL;
  free(arguments);
  s->inputs_text = again(s);
  report *r = &s->report;
  r->colour = cli_colour(fileno(r->out));
  r->width = progress_width(fileno(r->out));
  r->command = s->command ? s->command : "";
  r->inputs = s->inputs_text ? s->inputs_text : "";
  strftime(r->date, sizeof r->date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  s->plan = plan(s);
  r->plan = s->plan ? s->plan : "";
  r->shard = s->shard;
  r->shards = s->shards;
  r->seed = s->options.seed;
  r->cases = s->all_cases ? s->all_cases : s->options.cases;
  r->backend = s->found.list;
  r->device = (const char(*)[DC_TEXT])s->found.device;
  r->n_backends = s->found.n;
  r->why_no_cuda = s->found.why_no_cuda;
  r->n_ops = s->n_ops;
}

int session_kernels(session *s, const dc_op *const *op, int n_ops, const char *name)
{
  dc_error err = {""};
  if (s->variant)
    return cli_error("--variant '%s': names one of our kernels, and yours is checked", s->variant);
  if (kernels_read(&s->kernels, op, n_ops, name, &err))
    return cli_error("%s", err.text);
  s->n_ops = s->kernels.n;
  for (int i = 0; i < s->n_ops; i++)
    s->op[i] = foreign_kernel(s->kernels.list[i].f)->op;
  return EXIT_PASS;
}

static double patience(const session *s)
{
  return s->in_process ? 0 : s->timeout > 0 ? s->timeout : SESSION_TIMEOUT;
}

static int open_backends(session *s)
{
  dc_error err = {""};
  if (s->in_process ? backends_open(s->backend, &s->found, &err)
                    : backends_apart(s->backend, patience(s), &s->found, &err))
    return cli_error("%s", err.text);
  memcpy(s->options.backend, s->found.list, sizeof s->options.backend);
  memcpy(s->options.worker, s->found.worker, sizeof s->options.worker);
  s->options.n_backends = s->found.n;
  return EXIT_PASS;
}

/* That it can be written, before any work. */
static int open_script(session *s)
{
  char why[OUTPUT_MESSAGE];
  if (!s->kernels.n)
    return cli_error("--script '%s': is written of a kernel of your own: --kernel and --call, "
                     "--source and --launch, or --kernels say which",
                     s->script);
  const char *end = script_ending(s->kernels.list[0].f);
  const size_t n = strlen(s->script);
  if (n <= strlen(end) || strcmp(s->script + n - strlen(end), end) != 0)
    return cli_error("--script '%s': must end in %s, as a program for this kernel does", s->script,
                     end);
  if (s->output && output_same(s->output, s->script))
    return cli_error("--script '%s': is the file of -o", s->script);
  if (!(s->script_out = output_open(s->script, why)))
    return cli_error("--script %s", why);
  return EXIT_PASS;
}

/* Of that kernel's failure: for a file of its own, and for a page. */
static dc_status script_of(const void *arg, int i, const dc_failure *f, FILE *out, dc_error *err)
{
  const session *s = arg;
  const foreign *its = s->kernels.list[i].f;
  const char *words = s->arith_text ? s->arith_text : foreign_description(its)->arith;
  char replay[REPORT_TEXT];
  dc_arith means;
  pm_arith declared;
  dc_status status =
      dc_arith_read("arith", *words ? words : JUDGED_FOREIGN, JUDGED_FOREIGN, &means, err);
  if (status)
    return status;
  dc_undeclared(f->c.op, f->c.size, f->c.attr, &declared);
  dc_arith_at(&means, f->c.op, f->c.size, f->c.attr, &declared);
  return script_write(its, f, &declared, report_replay(&s->report, &f->c, replay), out, err);
}

static const char *script_end(const void *arg, int i)
{
  const session *s = arg;
  return script_ending(s->kernels.list[i].f);
}

/* Of the failure, where there is one. */
static int write_script(const session *s, const dc_result *x)
{
  dc_error err = {""};
  if (!x->n_failures)
    return cli_error("--script '%s': the case did not fail: there is nothing to show", s->script);
  if (script_of(s, 0, &x->failure[0], s->script_out, &err))
    return cli_error("--script '%s': %s", s->script, err.text);
  return EXIT_PASS;
}

/* Those that are not ours: each is loaded once, in a process of its own, before anything is checked; that
 * of one that is alone goes on. */
static int open_kernels(session *s)
{
  dc_error err = {""};
  kernels *k = &s->kernels;
  if (s->backend)
    return cli_error("--backend '%s': says where our kernels run; --on says it of yours",
                     s->backend);
  if (s->in_process && k->n > 1)
    return cli_error("--in-process: %d kernels: one that is described alone can be loaded into "
                     "this process",
                     k->n);
  for (int i = 0; i < k->n; i++) {
    const description *d = foreign_description(k->list[i].f);
    s->source[i].file = d->source[0] ? d->source : k->from ? d->file : d->library;
    s->source[i].line = d->source[0] ? 0 : d->line;
    if (kernels_start(&k->list[i], patience(s), &err))
      return cli_error("%s", err.text);
    if (d->arith[0] && dc_arith_read("arith", d->arith, JUDGED_FOREIGN, &s->arith, &err))
      return cli_error("kernel %s: %s", d->kernel, err.text);
    if (k->n > 1 && k->list[i].found.worker[0] && dc_worker_end(k->list[i].found.worker[0], &err))
      return cli_error("kernel %s: %s", d->kernel, err.text);
  }
  s->found.n = 1;
  s->found.list[0] = foreign_kernel(k->list[0].f)->b;
  if (k->n > 1)
    snprintf(s->found.device[0], sizeof s->found.device[0], "%d kernels of %.200s", k->n, k->from);
  else
    memcpy(s->found.device[0], k->list[0].found.device[0], sizeof s->found.device[0]);
  s->report.kernels = true;
  s->report.source = s->source;
  s->report.script = script_of;
  s->report.script_ending = script_end;
  s->report.script_arg = s;
  return EXIT_PASS;
}

/* Has kernel number i checked next. --arith is for all of them, what a description says for its own. */
static dc_status use_kernel(session *s, int i, dc_error *err)
{
  const kernel *k = &s->kernels.list[i];
  const char *words = s->arith_text ? s->arith_text : foreign_description(k->f)->arith;
  s->options.foreign = foreign_kernel(k->f);
  s->options.backend[0] = k->found.list[0];
  s->options.worker[0] = k->found.worker[0];
  s->options.n_backends = 1;
  s->options.arith = &s->arith;
  return dc_arith_read(s->arith_text ? "--arith" : "arith", *words ? words : JUDGED_FOREIGN,
                       JUDGED_FOREIGN, &s->arith, err);
}

int session_open(session *s, int argc, char **argv)
{
  char why[OUTPUT_MESSAGE], path[TENSOR_FILE_PATH];
  int gradients = 0, indexed = 0; /* ops that --set does not speak to in vain */
  dc_error err = {""};
  if (!format_of(s))
    return cli_choice("--format", s->format, REPORT_FORMATS);
  if (s->kernels.given && !s->kernels.n)
    if (session_kernels(s, s->op, s->n_ops, ""))
      return EXIT_ERROR;
  if (open_inputs(s))
    return EXIT_ERROR;
  if (s->in_process && s->timeout > 0)
    return cli_error("--timeout: with --in-process there is nobody to see that time is up");
  if (s->kernels.given ? open_kernels(s) : open_backends(s))
    return EXIT_ERROR;
  for (int i = 0; i < s->n_ops; i++) {
    dc_fixed f;
    if (fix(s, i, &f, &err))
      return cli_error("%s", err.text);
    gradients += s->op[i]->is_vjp || f.cotangent < 0;
    indexed += dc_index_tensor(s->op[i]) >= 0 || f.indices < 0;
    if (f.variant[0] && !s->kernels.n &&
        known_variant(s->variant ? "--variant" : "--set: variant", f.variant, s->op[i], &s->found))
      return EXIT_ERROR;
    if (s->n_input == 0 && !s->sizes_fixed) {
      dc_case c; /* a first one, so that sizes that cannot be are refused before any work */
      dc_case_draw(&c, s->op[i], &f, s->options.seed, 0, 0);
      if (dc_case_check(&c, s->options.limit_bytes, &err))
        return cli_error("%s", err.text);
    }
  }
  if (!gradients || !indexed)
    return cli_error("--set: %s: no op that is checked has %s", gradients ? "indices" : "cotangent",
                     gradients ? "indices" : "a cotangent: none is a gradient");
  for (int i = 0; s->output && i < s->n_input; i++)
    if (strcmp(s->input[i], "-") != 0 &&
        output_same(s->output, tensor_file_path(s->input[i], path)))
      return cli_error("-o '%s': is the file of --input: an input is not written over", s->output);
  if (s->script && open_script(s))
    return EXIT_ERROR;
  if (!(s->report.out = output_open(s->output ? s->output : "-", why)))
    return cli_error("-o %s", why);
  open_report(s, argc, argv);
  progress_start(&s->progress, s->quiet);
  interrupt_wait();
  return EXIT_PASS;
}

static int on_case(void *arg, const dc_result *so_far, const dc_case *last)
{
  session *s = arg;
  (void)last;
  progress_say(&s->progress, "%s (op %d of %d): %" PRId64 " of %" PRId64 " cases%s, %.0f s",
               so_far->op->name, s->report.n_results + 1, s->n_ops, so_far->cases, s->options.cases,
               so_far->failed ? ", FAILED" : "", dc_now() - s->progress.start);
  return interrupted() != 0;
}

/* Workers that end, end in order. */
static dc_status close_backends(session *s, dc_error *err)
{
  dc_status status = DC_OK;
  if (!s->kernels.n)
    return backends_close(&s->found, err);
  for (int i = 0; i < s->kernels.n && !status; i++)
    status = backends_close(&s->kernels.list[i].found, err);
  return status;
}

int session_check(session *s, const dc_case *one)
{
  const report_format *format = format_of(s);
  dc_result *result = calloc((size_t)s->n_ops, sizeof *result);
  report *r = &s->report;
  char why[OUTPUT_MESSAGE];
  dc_error err = {""};
  dc_status status = DC_OK;
  if (!result)
    return cli_error("no memory for %d results", s->n_ops);
  r->result = result;
  s->options.progress = on_case;
  s->options.arg = s;
  format->begin(r);
  fflush(r->out);
  for (int i = 0; i < s->n_ops && !status; i++) {
    dc_result *x = &result[i];
    if (s->n_input == 0)
      fix(s, i, &s->options.fixed, &err); /* open has seen it succeed */
    if (s->kernels.n && (status = use_kernel(s, i, &err)) != DC_OK)
      break;
    status = one ? dc_run_case(one, &s->options, x, &err) : dc_run(s->op[i], &s->options, x, &err);
    progress_clear(&s->progress);
    if (status && status != DC_STOPPED)
      break;
    if (status == DC_STOPPED && x->outcome != DC_FAIL) /* half checked is not checked */
      break;
    r->n_results++;
    r->seconds = dc_now() - s->progress.start;
    format->op(r, x);
  }
  if (!status)
    status = close_backends(s, &err);
  r->seconds = dc_now() - s->progress.start;
  if (status) {
    if (status == DC_STOPPED)
      snprintf(err.text, sizeof err.text, "interrupted");
    if (!err.text[0])
      snprintf(err.text, sizeof err.text, "no memory");
    r->stopped = err.text;
  }
  format->end(r);
  report_totals t = report_total(r);
  int unwritten = s->script && !status ? write_script(s, &result[0]) : EXIT_PASS;
  free(result);
  r->result = NULL;
  if (interrupted() || status) { /* half a report is none */
    output_drop();
    cli_error("%s", err.text[0] ? err.text : "interrupted");
    return interrupted() ? interrupted() : EXIT_ERROR;
  }
  if (unwritten) {
    output_drop();
    return EXIT_ERROR;
  }
  if (!output_commit(why))
    return cli_error("the report: %s", why);
  return t.passed == s->n_ops ? EXIT_PASS : EXIT_FAIL;
}

void session_close(session *s)
{
  inputs_free(&s->in);
  if (s->kernels.given)
    kernels_free(&s->kernels);
  else
    backends_close(&s->found, NULL);
  output_drop(); /* nothing is left of a report that was not committed */
  free(s->command);
  free(s->inputs_text);
  free(s->plan);
}
