/* The report as a page to look at. Written at the end, since it begins with the verdict. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../files/replay.h"
#include "html.h"

static void begin(const report *r) { (void)r; }

static void op(const report *r, const dc_result *x)
{
  (void)r;
  (void)x;
}

/* ---- the summary ---- */

static void number(const report *r, const char *term, int64_t n)
{
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, n);
  html_fact(r->out, term, text);
}

static void facts(const report *r, const report_totals *t)
{
  char text[REPORT_TEXT];
  html_facts(r->out, 1);
  html_fact(r->out, "command", r->command);
  html_fact(r->out, "date", r->date);
  for (int i = 0; i < r->n_backends; i++) {
    snprintf(text, sizeof text, "%s (%s)", r->backend[i]->name, r->device[i]);
    html_fact(r->out, i ? "" : "back ends", text);
  }
  if (r->why_no_cuda[0])
    html_fact(r->out, "no GPU", r->why_no_cuda);
  snprintf(text, sizeof text, "%" PRIu64, r->seed);
  html_fact(r->out, "seed", text);
  number(r, "cases of each op", r->cases);
  number(r, "cases", t->cases);
  number(r, "runs", t->runs);
  number(r, "elements", t->elements);
  snprintf(text, sizeof text, "%.1f s", r->seconds);
  html_fact(r->out, "time", text);
  if (r->stopped)
    html_fact(r->out, "not every op was checked", r->stopped);
  html_facts(r->out, 0);
}

/* A bar for err/bound; none where bits are compared and are right. */
static void ratio(const report *r, const char *text, double value, bool wrong)
{
  const bool bits = strcmp(text, "exact") == 0 || strcmp(text, "-") == 0;
  html_bar(r->out, text, bits ? -1 : value, wrong);
}

static void name(const report *r, int i)
{
  char text[REPORT_TEXT];
  const dc_result *x = &r->result[i];
  fputs("<tr><th scope=\"row\">", r->out);
  if (x->n_failures || x->suspicion[0])
    fprintf(r->out, "<a href=\"#op%d\">", i);
  html_text(r->out, report_op(r, x, text));
  fputs(x->n_failures || x->suspicion[0] ? "</a></th>" : "</th>", r->out);
}

static void summary(const report *r)
{
  char text[REPORT_TEXT];
  fputs(
      "<h2>Operations</h2>\n<p class=\"dim\">err/bound: the largest error of any element over "
      "what the arithmetic allows; up to 1 passes. Vacuous elements have a bound too wide to tell "
      "right from wrong, and count as unchecked.</p>\n<div class=\"wide\"><table>\n<thead><tr>"
      "<th scope=\"col\">op</th><th scope=\"col\" class=\"left\">verdict</th>"
      "<th scope=\"col\">cases</th><th scope=\"col\">failed</th><th scope=\"col\">runs</th>"
      "<th scope=\"col\">elements</th><th scope=\"col\">vacuous</th>"
      "<th scope=\"col\">err/bound</th><th scope=\"col\">time</th></tr></thead>\n<tbody>\n",
      r->out);
  for (int i = 0; i < r->n_results; i++) {
    const dc_result *x = &r->result[i];
    name(r, i);
    fputs("<td class=\"left\">", r->out);
    html_verdict(r->out, x->outcome);
    fprintf(r->out,
            "</td><td>%" PRId64 "</td><td>%" PRId64 "</td><td>%" PRId64 "</td><td>%" PRId64 "</td>",
            x->cases, x->failed, x->runs, x->elements);
    fprintf(r->out, "<td>%s</td>", report_vacuous(x, text));
    ratio(r, report_ratio(x, text), x->worst.ratio, x->worst.ratio > 1);
    fprintf(r->out, "<td>%.2f s</td></tr>\n", x->seconds);
  }
  fputs("</tbody></table></div>\n", r->out);
}

/* ---- by class of values ---- */

static void class_cell(const report *r, const dc_result *x, const dc_by_class *c)
{
  char text[REPORT_TEXT];
  dc_result part = {.op = x->op, .elements = c->elements};
  part.worst = (dc_worst){.output = c->ratio < 0 ? -1 : 0, .ratio = c->ratio};
  if (c->cases == 0)
    fputs("<td></td>", r->out);
  else if (c->failed && !(c->ratio > 1)) /* no element is to blame */
    ratio(r, "FAIL", 1, true);
  else
    ratio(r, report_ratio(&part, text), c->ratio, c->failed > 0);
}

static void classes(const report *r)
{
  bool any[DC_N_VALUES + 1] = {false};
  for (int i = 0; i < r->n_results; i++)
    for (int k = 0; k <= DC_N_VALUES; k++)
      any[k] |= r->result[i].by_class[k].cases > 0;
  fputs("<h2>Error over bound, by class of values</h2>\n<div class=\"wide\"><table>\n<thead><tr>"
        "<th scope=\"col\">op</th>",
        r->out);
  for (int k = 0; k <= DC_N_VALUES; k++)
    if (any[k])
      fprintf(r->out, "<th scope=\"col\">%s</th>", dc_class_name(k));
  fputs("</tr></thead>\n<tbody>\n", r->out);
  for (int i = 0; i < r->n_results; i++) {
    name(r, i);
    for (int k = 0; k <= DC_N_VALUES; k++)
      if (any[k])
        class_cell(r, &r->result[i], &r->result[i].by_class[k]);
    fputs("</tr>\n", r->out);
  }
  fputs("</tbody></table></div>\n", r->out);
}

/* ---- what is wrong ---- */

static void paragraph(const report *r, const char *text)
{
  fputs("<p>", r->out);
  html_text(r->out, text);
  fputs("</p>\n", r->out);
}

/* The program that shows it without diffcheck, inside of the page. */
static void program(const report *r, int i, int k, const dc_failure *f)
{
  char *bytes = NULL, name[80];
  size_t n = 0;
  dc_error err = {""};
  FILE *out = r->script ? open_memstream(&bytes, &n) : NULL;
  if (!out)
    return;
  const dc_status status = r->script(r->script_arg, i, f, out, &err);
  const bool good = fclose(out) == 0 && !status;
  fputs("<p>As a program that needs no diffcheck: ", r->out);
  snprintf(name, sizeof name, "%s_%d_%d%s", f->c.op->name, i + 1, k + 1,
           r->script_ending(r->script_arg, i));
  if (good)
    html_file(r->out, name, bytes, n);
  else
    html_text(r->out, err.text[0] ? err.text : "no memory for it");
  fputs("</p>\n", r->out);
  free(bytes);
}

static void failure(const report *r, int i, int k, const dc_failure *f)
{
  char text[REPORT_TEXT];
  const dc_op *o = f->c.op;
  fputs("<article>\n<h3>", r->out);
  html_text(r->out, o->name);
  fputs(" on ", r->out);
  html_text(r->out, f->backend);
  fputs(f->c.variant[0] ? ", variant " : "", r->out);
  html_text(r->out, f->c.variant);
  fprintf(r->out, ": <span class=\"FAIL\">%s</span></h3>\n", dc_fault_name(f->fault));
  paragraph(r, f->what);
  if (report_element(f, text)[0]) {
    paragraph(r, text);
    html_around(r->out, o->tensor[o->n_in + f->worst.output].name, &f->around);
  }
  if (r->source) {
    snprintf(text, sizeof text, "from %.1000s", r->source[i].file);
    paragraph(r, text);
  }
  fputs("<p>To see it again:</p>\n", r->out);
  html_command(r->out, report_replay(r, &f->c, text));
  program(r, i, k, f);
  if (!dc_case_same(&f->c, &f->found)) {
    fprintf(r->out, "<p class=\"dim\">Made small in %d steps, from: ", f->tries);
    html_text(r->out, replay_write(&f->found, text));
    fputs("</p>\n", r->out);
    if (f->found_output >= 0)
      html_around(r->out, o->tensor[o->n_in + f->found_output].name, &f->found_around);
  }
  fputs("</article>\n", r->out);
}

static void findings(const report *r)
{
  char text[REPORT_TEXT];
  for (int i = 0; i < r->n_results; i++) {
    const dc_result *x = &r->result[i];
    if (!x->n_failures && !x->suspicion[0])
      continue;
    fprintf(r->out, "<h2 id=\"op%d\">", i);
    html_text(r->out, report_op(r, x, text));
    fputs(": ", r->out);
    html_verdict(r->out, x->outcome);
    fputs("</h2>\n", r->out);
    paragraph(r, x->op->meaning);
    if (x->suspicion[0])
      paragraph(r, x->suspicion);
    for (int k = 0; k < x->n_failures; k++)
      failure(r, i, k, &x->failure[k]);
    if (x->failed > x->n_failures)
      fprintf(r->out, "<p>%" PRId64 " more failing cases.</p>\n", x->failed - x->n_failures);
  }
}

static void not_run(const report *r)
{
  char text[REPORT_TEXT], names[REPORT_TEXT];
  int n = 0;
  for (int i = 0; i < r->n_results && !r->kernels; i++) {
    if (!report_not_run(&r->result[i], names)[0])
      continue;
    if (!n++) {
      fputs("<h2>Variants that no case ran</h2>\n", r->out);
      html_facts(r->out, 1);
    }
    html_fact(r->out, report_op(r, &r->result[i], text), names);
  }
  if (n)
    html_facts(r->out, 0);
}

static void end(const report *r)
{
  char text[120];
  report_totals t = report_total(r);
  const int bad = t.failed + t.suspect, left = r->n_ops - r->n_results;
  if (t.failed || (!t.suspect && left))
    snprintf(text, sizeof text, "%d of %d ops failed%s", t.failed, r->n_ops,
             left ? ", and not all were checked" : "");
  else if (bad)
    snprintf(text, sizeof text, "%d of %d ops are suspect", bad, r->n_ops);
  else
    snprintf(text, sizeof text, "%d op%s passed", t.passed, t.passed == 1 ? "" : "s");
  html_begin(r->out, text, t.failed || left ? DC_FAIL : bad ? DC_SUSPECT : DC_PASS);
  facts(r, &t);
  summary(r);
  classes(r);
  findings(r);
  not_run(r);
  html_end(r->out);
}

const report_format report_html = {"html", begin, op, end};
