/* diffcheck merge: one report of the shards that a run was dealt out to. */
#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "options.h"
#include "../files/output.h"
#include "../report/progress.h"
#include "../report/report_read.h"

enum { KEY_FORMAT = 256, REPORTS = 1 << 16 };

static const struct argp_option OPTIONS[] = {
    {"format", KEY_FORMAT, "FORMAT", 0, REPORT_FORMATS " (default: text)", 0},
    {"output", 'o', "FILE", 0, "write the report there", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static const char DOC[] =
    "Makes one report of the reports of all shards of a run (run --shard I/N --format jsonl), in "
    "any order: what it says, and its exit status, are those of one run that had all cases.\v"
    "Examples:\n"
    "  diffcheck merge part*.jsonl\n"
    "  diffcheck merge part*.jsonl --format html -o report.html\n"
    "  diffcheck merge report.jsonl --format junit\n"
    "\n"
    "Every shard must be there once, and all must be of one run: the same version, seed, ops, back "
    "ends and options. A report that is not of a shard is whole, and becomes one of another "
    "format. Shards stop at --max-failures each by itself, so that there may be more failures than "
    "one run would have gone on to.\n"
    "\n"
    "Exit status: 0 every op passed, 1 one did not, 2 wrong use, or reports that do not make one.";

typedef struct merging {
  const char *format, *output;
  const char **path;
  report_part *part; /* by shard, once they are in order */
  int n;
} merging;

static error_t parse(int key, char *arg, struct argp_state *state)
{
  merging *m = state->input;
  switch (key) {
  case KEY_FORMAT:
    if (!report_find(arg))
      exit(cli_choice("--format", arg, REPORT_FORMATS));
    m->format = arg;
    return 0;
  case 'o':
    m->output = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (m->n == REPORTS)
      cli_refuse("'%s': are more than %d reports", arg, REPORTS);
    m->path[m->n++] = arg;
    return 0;
  case ARGP_KEY_NO_ARGS:
    cli_refuse("REPORT is missing: a file that `diffcheck run --shard I/N --format jsonl` wrote");
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp merge_argp = {OPTIONS, parse, "REPORT...", DOC, NULL, NULL, NULL};

/* ---- whether they are of one run ---- */

static int differ(const report_part *a, const report_part *b, const char *what, const char *x,
                  const char *y)
{
  return cli_error("'%s': %s: is '%.300s', and of '%s' it is '%.300s': they are not of one run",
                   b->path, what, y, a->path, x);
}

static int same_run(const report_part *a, const report_part *b)
{
  char x[64], y[64];
  if (strcmp(a->version, b->version) != 0)
    return differ(a, b, "version", a->version, b->version);
  snprintf(x, sizeof x, "%" PRIu64, a->seed);
  snprintf(y, sizeof y, "%" PRIu64, b->seed);
  if (a->seed != b->seed)
    return differ(a, b, "seed", x, y);
  snprintf(x, sizeof x, "%" PRId64, a->cases);
  snprintf(y, sizeof y, "%" PRId64, b->cases);
  if (a->cases != b->cases)
    return differ(a, b, "cases of an op", x, y);
  snprintf(x, sizeof x, "%d", a->shards);
  snprintf(y, sizeof y, "%d", b->shards);
  if (a->shards != b->shards)
    return differ(a, b, "shards", x, y);
  if (strcmp(a->plan, b->plan) != 0)
    return differ(a, b, "options", a->plan, b->plan);
  if (a->n_backends != b->n_backends || strcmp(a->backend[0].name, b->backend[0].name) != 0 ||
      a->kernels != b->kernels)
    return cli_error("'%s': ran on other back ends than '%s': say which by --backend", b->path,
                     a->path);
  snprintf(x, sizeof x, "%d", a->n_ops);
  snprintf(y, sizeof y, "%d", b->n_ops);
  if (a->n_ops != b->n_ops)
    return differ(a, b, "ops", x, y);
  for (int i = 0; i < a->n_ops; i++) {
    const dc_result *p = &a->result[i], *q = &b->result[i];
    if (p->op != q->op)
      return differ(a, b, "op", p->op->name, q->op->name);
    bool same = p->n_variants == q->n_variants;
    for (int k = 0; k < p->n_variants && same; k++)
      same = strcmp(p->variant[k].variant, q->variant[k].variant) == 0;
    if (!same)
      return cli_error("'%s': has other kernels of %s than '%s': they are not of one run", b->path,
                       p->op->name, a->path);
  }
  return EXIT_PASS;
}

static int by_shard(const void *a, const void *b)
{
  const report_part *x = a, *y = b;
  return x->shard - y->shard;
}

static int check(merging *m)
{
  for (int i = 0; i < m->n; i++) {
    dc_error err = {""};
    if (!report_part_read(m->path[i], &m->part[i], &err))
      return cli_error("%s", err.text);
    if (strcmp(m->part[i].version, REPORT_VERSION) != 0)
      return cli_error("'%s': is of version %.20s, and this is %s: merge it with that one",
                       m->path[i], m->part[i].version, REPORT_VERSION);
    if (i > 0 && same_run(&m->part[0], &m->part[i]))
      return EXIT_ERROR;
  }
  qsort(m->part, (size_t)m->n, sizeof *m->part, by_shard);
  for (int i = 1; i < m->n; i++)
    if (m->part[i].shard == m->part[i - 1].shard)
      return cli_error("'%s': is shard %d/%d, as '%s' is", m->part[i].path, m->part[i].shard,
                       m->part[i].shards, m->part[i - 1].path);
  for (int i = 0; i < m->part[0].shards; i++)
    if (i >= m->n || m->part[i].shard != i + 1)
      return cli_error("shard %d/%d is missing: its report must be given too", i + 1,
                       m->part[0].shards);
  return EXIT_PASS;
}

/* ---- the one report ---- */

static int tell(merging *m)
{
  char why[OUTPUT_MESSAGE];
  const pm_backend *backend[DC_BACKENDS];
  report_part *first = &m->part[0];
  const report_format *format = report_find(m->format);
  report r = {.command = first->command,
              .inputs = first->inputs,
              .plan = first->plan,
              .kernels = first->kernels,
              .seed = first->seed,
              .cases = first->cases,
              .backend = backend,
              .device = (const char(*)[DC_TEXT])first->device,
              .n_backends = first->n_backends,
              .why_no_cuda = "",
              .n_ops = first->n_ops,
              .result = first->result,
              .source = first->source[0].file ? first->source : NULL};
  if (m->n > 1)
    r.command = "diffcheck merge, of the shards of one run";
  snprintf(r.date, sizeof r.date, "%s", first->date);
  for (int i = 0; i < r.n_backends; i++)
    backend[i] = &first->backend[i];
  for (int k = 1; k < m->n; k++)
    for (int i = 0; i < r.n_ops; i++)
      dc_result_add(&first->result[i], &m->part[k].result[i]);
  if (!(r.out = output_open(m->output ? m->output : "-", why)))
    return cli_error("-o %s", why);
  r.colour = cli_colour(fileno(r.out));
  r.width = progress_width(fileno(r.out));
  format->begin(&r);
  for (int i = 0; i < r.n_ops; i++) {
    r.n_results++;
    r.seconds += r.result[i].seconds;
    format->op(&r, &r.result[i]);
  }
  format->end(&r);
  if (!output_commit(why))
    return cli_error("the report: %s", why);
  return report_total(&r).passed == r.n_ops ? EXIT_PASS : EXIT_FAIL;
}

int command_merge(int argc, char **argv)
{
  merging m = {.format = "text", .path = calloc(REPORTS, sizeof *m.path)};
  if (!m.path)
    return cli_error("no memory for the names of reports");
  options_parse(&merge_argp, argc, argv, &m);
  m.part = calloc((size_t)m.n, sizeof *m.part);
  int status = m.part ? check(&m) : cli_error("no memory for %d reports", m.n);
  for (int i = 0; i < m.n && !status; i++)
    if (m.output && output_same(m.output, m.part[i].path))
      status = cli_error("-o '%s': is one of the reports: it is not written over", m.output);
  if (!status)
    status = tell(&m);
  for (int i = 0; m.part && i < m.n; i++)
    report_part_free(&m.part[i]);
  free(m.part);
  free(m.path);
  output_drop();
  return status;
}
