/* The report for people: a table row an op as it finishes, failures in full below it. */
#include <inttypes.h>
#include <string.h>

#include "../files/replay.h"
#include "report.h"

#define GREEN "32"
#define RED "1;31"
#define YELLOW "33"
#define DIM "2"

/* Widths of the table's columns; runs and time make room first, then vacuous and cases. */
enum { OP = 20, CASES = 9, RUNS = 10, RATIO = 11, VACUOUS = 9, VERDICT = 9, TIME = 9 };

static bool with_runs(const report *r) { return r->width >= 78; }
static bool with_time(const report *r) { return r->width >= 68; }

static bool with_vacuous(const report *r) { return r->width >= 61; }

static bool with_cases(const report *r) { return r->width >= 52; }

/* Pads outside the colour, so that columns stay straight. */
static void cell(const report *r, const char *colour, const char *text, int width)
{
  int pad = width - (int)strlen(text);
  if (r->colour && colour)
    fprintf(r->out, "\033[%sm%s\033[0m", colour, text);
  else
    fputs(text, r->out);
  if (pad > 0)
    fprintf(r->out, "%*s", pad, "");
}

static const char *colour_of(dc_outcome o)
{
  return o == DC_PASS ? GREEN : o == DC_FAIL ? RED : YELLOW;
}

static void begin(const report *r)
{
  for (int i = 0; i < r->n_backends; i++)
    fprintf(r->out, "%s%s (%s)", i ? ", " : "back ends: ", r->backend[i]->name, r->device[i]);
  fputc('\n', r->out);
  if (r->cases > 1)
    fprintf(r->out, "seed %" PRIu64 ", %" PRId64 " cases an op\n", r->seed, r->cases);
  if (r->shards)
    fprintf(r->out, "shard %d/%d of them\n", r->shard, r->shards);
  if (r->why_no_cuda[0]) {
    cell(r, DIM, "no GPU: ", 0);
    cell(r, DIM, r->why_no_cuda, 0);
    cell(r, DIM, "\nThe simulator runs the same kernel text.", 0);
    fputc('\n', r->out);
  }
  fprintf(r->out, "\n%-*s", OP, "op");
  if (with_cases(r))
    fprintf(r->out, "%*s", CASES, "cases");
  if (with_runs(r))
    fprintf(r->out, "%*s", RUNS, "runs");
  fprintf(r->out, "%*s", RATIO, "err/bound");
  if (with_vacuous(r))
    fprintf(r->out, "%*s", VACUOUS, "vacuous");
  fprintf(r->out, "   %-*s", with_time(r) ? VERDICT : 0, "verdict");
  if (with_time(r))
    fprintf(r->out, "%*s", TIME, "time");
  fputc('\n', r->out);
}

static void op(const report *r, const dc_result *x)
{
  char ratio[REPORT_TEXT], vacuous[REPORT_TEXT], name[REPORT_TEXT];
  fprintf(r->out, "%-*s", OP, report_op(r, x, name));
  if (with_cases(r))
    fprintf(r->out, "%*" PRId64, CASES, x->cases);
  if (with_runs(r))
    fprintf(r->out, "%*" PRId64, RUNS, x->runs);
  fprintf(r->out, "%*s", RATIO, report_ratio(x, ratio));
  if (with_vacuous(r))
    fprintf(r->out, "%*s", VACUOUS, report_vacuous(x, vacuous));
  fputs("   ", r->out);
  cell(r, colour_of(x->outcome), report_verdict(x->outcome), with_time(r) ? VERDICT : 0);
  if (with_time(r))
    fprintf(r->out, "%*.2f s", TIME - 2, x->seconds);
  fputc('\n', r->out);
  fflush(r->out);
}

static void failure(const report *r, const dc_failure *f)
{
  char text[REPORT_TEXT];
  fputc('\n', r->out);
  cell(r, RED, "FAIL", 0);
  fprintf(r->out, " %s on %s%s%s: %s\n", f->c.op->name, f->backend,
          f->c.variant[0] ? ", variant " : "", f->c.variant, f->what);
  if (report_element(f, text)[0])
    fprintf(r->out, "  %s\n", text);
  if (!dc_case_same(&f->c, &f->found))
    fprintf(r->out, "  shrunk in %d steps from: %s\n", f->tries, replay_write(&f->found, text));
  fprintf(r->out, "  %s\n", report_replay(r, &f->c, text));
}

/* Variants that no case ran: they are not checked, whatever the table says. */
static void not_run(const report *r)
{
  char names[REPORT_TEXT];
  int n = 0;
  if (r->kernels) /* each is one, and has its own verdict */
    return;
  for (int i = 0; i < r->n_results; i++)
    if (report_not_run(&r->result[i], names)[0])
      fprintf(r->out, "%s%s %s",
              n++ ? "; " : "\nvariants that no case ran: ", r->result[i].op->name, names);
  if (n)
    fputs("\n  more cases reach more of them, and --variant NAME draws cases for that one\n",
          r->out);
}

static void end(const report *r)
{
  report_totals t = report_total(r);
  char name[REPORT_TEXT];
  for (int i = 0; i < r->n_results; i++) {
    const dc_result *x = &r->result[i];
    for (int k = 0; k < x->n_failures; k++)
      failure(r, &x->failure[k]);
    if (x->failed > x->n_failures)
      fprintf(r->out, "\n%" PRId64 " more failing cases of %s\n", x->failed - x->n_failures,
              report_op(r, x, name));
    if (x->suspicion[0]) {
      fputc('\n', r->out);
      cell(r, colour_of(x->outcome), report_verdict(x->outcome), 0);
      fprintf(r->out, " %s: %s\n", report_op(r, x, name), x->suspicion);
    }
  }
  not_run(r);
  fprintf(r->out, "\n%d op%s: ", r->n_ops, r->n_ops == 1 ? "" : "s");
  if (t.failed)
    fprintf(r->out, "%d failed, ", t.failed);
  if (t.suspect)
    fprintf(r->out, "%d suspect, ", t.suspect);
  if (r->n_results < r->n_ops)
    fprintf(r->out, "%d not checked, ", r->n_ops - r->n_results);
  fprintf(r->out, "%d passed; %" PRId64 " cases, %" PRId64 " runs, %" PRId64 " elements, %.1f s\n",
          t.passed, t.cases, t.runs, t.elements, r->seconds);
}

const report_format report_text = {"text", begin, op, end};
